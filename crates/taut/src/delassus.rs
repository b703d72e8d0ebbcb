//! W = Ju K^-1 Ju^T of the active rows of a cluster, island by island.
//!
//! An island touched by few rows is solved once per row. One touched by many is solved once per unknown of the touched nodes: with E
//! the selection of those unknowns, G = E K^-1 E^T and W += (Ju E^T) G (Ju E^T)^T, so that four contacts on a box cost six
//! columns and not twelve. Islands that are factorised block by block solve several columns at once, along the paths of the
//! touched nodes alone (`along_paths`); the others one column after the other, by whatever solver they have.

mod along_paths;

use crate::solve::paths::Paths;
use crate::topology::{Island, NONE, Topology};

/// One bounded row: w = J x + drive + sigma z - b.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// Nodes, or NONE.
    pub i: usize,
    pub j: usize,
    pub ji: [f64; 6],
    pub jj: [f64; 6],
    /// Velocity by bodies without unknowns, m/s or rad/s.
    pub drive: f64,
    pub sigma: f64,
    /// Wanted velocity without the second order, m/s or rad/s, and the part of it that the closing adds.
    pub b: f64,
    pub aim: f64,
    /// Distance or position beyond its bound, m or rad, with the sign of the row.
    pub phi: f64,
    /// Impulse, N s or N m s.
    pub z: f64,
    /// Velocity that counts as one, m/s or rad/s.
    pub unit: f64,
    /// Place among the active rows of its cluster, or NONE.
    pub at: usize,
}

impl Default for Row {
    fn default() -> Self {
        Row {
            i: NONE,
            j: NONE,
            ji: [0.0; 6],
            jj: [0.0; 6],
            drive: 0.0,
            sigma: 0.0,
            b: 0.0,
            aim: 0.0,
            phi: 0.0,
            z: 0.0,
            unit: 1.0,
            at: NONE,
        }
    }
}

impl Row {
    /// Nodes it acts on, with their Jacobians.
    #[inline]
    pub fn sides(&self) -> impl Iterator<Item = (usize, &[f64; 6])> {
        [(self.i, &self.ji), (self.j, &self.jj)].into_iter().filter(|s| s.0 != NONE)
    }
}

/// Memory for one island at a time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mobility {
    /// Island, place in W and index of every active row; twice where it acts between two islands.
    all: Vec<(usize, usize, usize)>,
    /// Active rows on the island: place in W, and index.
    on: Vec<(usize, usize)>,
    /// Touched nodes, and the first place among the touched unknowns of each of them.
    nodes: Vec<usize>,
    place: Vec<usize>,
    /// One right-hand side over all unknowns.
    column: Vec<f64>,
    /// G, and G times the Jacobian of one row.
    g: Vec<f64>,
    gj: Vec<f64>,
    paths: Paths,
    /// Block of each touched node; L^-1 Ju^T of a single body, by row.
    blocks: Vec<usize>,
    single: Vec<[f64; 6]>,
}

/// Adds Ju^T z of one row to a right-hand side.
pub(crate) fn scatter(t: &Topology, row: &Row, z: f64, x: &mut [f64]) {
    for (n, j) in row.sides() {
        let node = &t.nodes[n];
        for (x, j) in x[node.x..node.x + node.dim].iter_mut().zip(j) {
            *x += z * j;
        }
    }
}

/// The same on one island.
fn scatter_on(t: &Topology, island: usize, row: &Row, z: f64, x: &mut [f64]) {
    for (n, j) in row.sides() {
        let node = &t.nodes[n];
        if node.island == island {
            for (x, j) in x[node.x..node.x + node.dim].iter_mut().zip(j) {
                *x += z * j;
            }
        }
    }
}

/// J x of one row.
#[inline]
pub(crate) fn velocity(t: &Topology, row: &Row, x: &[f64]) -> f64 {
    row.sides()
        .map(|(n, j)| {
            let node = &t.nodes[n];
            x[node.x..node.x + node.dim].iter().zip(j).map(|(x, j)| x * j).sum::<f64>()
        })
        .sum()
}

/// J x of one row on one island.
fn part(t: &Topology, island: usize, row: &Row, x: &[f64]) -> f64 {
    row.sides()
        .filter(|(n, _)| t.nodes[*n].island == island)
        .map(|(n, j)| {
            let node = &t.nodes[n];
            x[node.x..node.x + node.dim].iter().zip(j).map(|(x, j)| x * j).sum::<f64>()
        })
        .sum()
}

impl Mobility {
    /// Sorts the active rows of a cluster by island.
    pub fn start(&mut self, t: &Topology, rows: &[Row], active: &[usize]) {
        self.all.clear();
        for (at, &r) in active.iter().enumerate() {
            self.all.extend(rows[r].sides().map(|(n, _)| (t.nodes[n].island, at, r)));
        }
        self.all.sort_unstable();
        self.all.dedup();
    }

    /// Adds the part of one island to W (n x n, row-major, both triangles). `solve` applies K^-1 of the island in place.
    pub fn add<E>(
        &mut self,
        t: &Topology,
        island: usize,
        rows: &[Row],
        n: usize,
        w: &mut [f64],
        mut solve: impl FnMut(&mut [f64]) -> Result<(), E>,
    ) -> Result<(), E> {
        let unknowns = self.look(t, island, rows);
        self.column.resize(t.pattern.size(), 0.0);
        if self.on.len() <= unknowns {
            self.by_rows(t, island, rows, n, w, &mut solve)
        } else {
            self.by_nodes(t, &t.islands[island], unknowns, &mut solve)?;
            self.fold(t, island, rows, n, unknowns, w);
            Ok(())
        }
    }

    /// Active rows and touched nodes of the island; returns the unknowns of the nodes.
    fn look(&mut self, t: &Topology, island: usize, rows: &[Row]) -> usize {
        self.on.clear();
        self.nodes.clear();
        self.place.resize(t.nodes.len(), NONE);
        let first = self.all.partition_point(|s| s.0 < island);
        for &(_, at, r) in self.all[first..].iter().take_while(|s| s.0 == island) {
            self.on.push((at, r));
            self.nodes.extend(rows[r].sides().map(|(n, _)| n).filter(|&n| t.nodes[n].island == island));
        }
        self.nodes.sort_unstable();
        self.nodes.dedup();
        let mut unknowns = 0;
        for &n in &self.nodes {
            self.place[n] = unknowns;
            unknowns += t.nodes[n].dim;
        }
        unknowns
    }

    fn by_rows<E>(
        &mut self,
        t: &Topology,
        island: usize,
        rows: &[Row],
        n: usize,
        w: &mut [f64],
        solve: &mut impl FnMut(&mut [f64]) -> Result<(), E>,
    ) -> Result<(), E> {
        for (k, &(at, r)) in self.on.iter().enumerate() {
            self.column[t.islands[island].x.clone()].fill(0.0);
            scatter_on(t, island, &rows[r], 1.0, &mut self.column);
            solve(&mut self.column)?;
            for &(to, s) in &self.on[k..] {
                let value = part(t, island, &rows[s], &self.column);
                w[at * n + to] += value;
                if to != at {
                    w[to * n + at] += value;
                }
            }
        }
        Ok(())
    }

    fn by_nodes<E>(
        &mut self,
        t: &Topology,
        island: &Island,
        unknowns: usize,
        solve: &mut impl FnMut(&mut [f64]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.g.clear();
        self.g.resize(unknowns * unknowns, 0.0);
        for &n in &self.nodes {
            let at = self.place[n];
            for c in 0..t.nodes[n].dim {
                self.column[island.x.clone()].fill(0.0);
                self.column[t.nodes[n].x + c] = 1.0;
                solve(&mut self.column)?;
                let mut to = 0;
                for &m in &self.nodes {
                    let node = &t.nodes[m];
                    self.g[(at + c) * unknowns + to..(at + c) * unknowns + to + node.dim]
                        .copy_from_slice(&self.column[node.x..node.x + node.dim]);
                    to += node.dim;
                }
            }
        }
        Ok(())
    }

    /// W += J G J^T.
    fn fold(&mut self, t: &Topology, island: usize, rows: &[Row], n: usize, unknowns: usize, w: &mut [f64]) {
        self.gj.resize(unknowns, 0.0);
        for (k, &(at, r)) in self.on.iter().enumerate() {
            self.gj.fill(0.0);
            for (node, j) in rows[r].sides().filter(|(m, _)| t.nodes[*m].island == island) {
                for (c, &j) in j[..t.nodes[node].dim].iter().enumerate() {
                    let from = &self.g[(self.place[node] + c) * unknowns..(self.place[node] + c + 1) * unknowns];
                    for (to, g) in self.gj.iter_mut().zip(from) {
                        *to += j * g;
                    }
                }
            }
            for &(to, s) in &self.on[k..] {
                let mut value = 0.0;
                for (node, j) in rows[s].sides().filter(|(m, _)| t.nodes[*m].island == island) {
                    let place = self.place[node];
                    for (c, &j) in j[..t.nodes[node].dim].iter().enumerate() {
                        value += j * self.gj[place + c];
                    }
                }
                w[at * n + to] += value;
                if to != at {
                    w[to * n + at] += value;
                }
            }
        }
    }
}

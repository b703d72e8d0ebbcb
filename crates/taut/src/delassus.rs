//! W = Ju K^-1 Ju^T of the active rows of a cluster, island by island.
//!
//! An island touched by few rows is solved once per row. One touched by many is solved once per unknown of the touched nodes: with E
//! the selection of those unknowns, G = E K^-1 E^T and W += (Ju E^T) G (Ju E^T)^T, so that four contacts on a box cost six
//! columns and not twelve. Islands that are factorised block by block solve several columns at once, along the paths of the
//! touched nodes alone (`along_paths`), and so do deformables, along the panels that these reach (`solve::supernodal::Gram`); the others one
//! column after the other, by whatever solver they have.

mod along_paths;

use crate::solve::paths::Paths;
use crate::solve::supernodal::{Gram, Supernodal};
use crate::topology::{Island, NONE, Topology};
use std::ops::{Deref, DerefMut};

/// One bounded row: w = J x + drive + sigma z - b.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// Nodes, or NONE.
    pub i: usize,
    pub j: usize,
    pub ji: [f64; 6],
    pub jj: [f64; 6],
    /// What else it acts on, in the list of its rows: from the first number to the second.
    pub far: (u32, u32),
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
            far: (0, 0),
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
    /// The first two nodes it acts on, with their Jacobians: all but for couplings.
    #[inline]
    pub fn near(&self) -> impl Iterator<Item = (usize, &[f64; 6])> {
        [(self.i, &self.ji), (self.j, &self.jj)].into_iter().filter(|s| s.0 != NONE)
    }

    /// Whether it acts on more than two nodes.
    #[inline]
    pub fn is_wide(&self) -> bool {
        self.far.1 > self.far.0
    }
}

/// A node that a row acts on, with its Jacobian.
pub(crate) type Acted = (usize, [f64; 6]);

/// Bounded rows. Nearly all act on two nodes, which they hold; the other nodes of couplings stand beside them.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowList {
    rows: Vec<Row>,
    far: Vec<Acted>,
}

impl Deref for RowList {
    type Target = [Row];

    #[inline(always)]
    fn deref(&self) -> &[Row] {
        &self.rows
    }
}

impl DerefMut for RowList {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Row] {
        &mut self.rows
    }
}

/// The nodes of a row with their Jacobians. Made for `fold`, `for_each` and `sum`, which go over two nodes without a loop.
#[derive(Clone, Debug)]
pub(crate) struct Sides<'a> {
    row: &'a Row,
    /// How many of the two that the row holds were handed out.
    near: u8,
    far: std::slice::Iter<'a, Acted>,
}

impl<'a> Iterator for Sides<'a> {
    type Item = (usize, &'a [f64; 6]);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        while self.near < 2 {
            self.near += 1;
            let side = if self.near == 1 { (self.row.i, &self.row.ji) } else { (self.row.j, &self.row.jj) };
            if side.0 != NONE {
                return Some(side);
            }
        }
        self.far.next().map(|(n, j)| (*n, j))
    }

    #[inline(always)]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, start: B, mut f: F) -> B {
        let (row, mut sum) = (self.row, start);
        if self.near == 0 && row.i != NONE {
            sum = f(sum, (row.i, &row.ji));
        }
        if self.near < 2 && row.j != NONE {
            sum = f(sum, (row.j, &row.jj));
        }
        if self.far.len() > 0 { far(self.far, sum, f) } else { sum }
    }
}

/// The rest of a fold over the sides of a row: rare, and kept out of the loops over all rows.
#[cold]
#[inline(never)]
fn far<'a, B>(rest: std::slice::Iter<'a, Acted>, sum: B, mut f: impl FnMut(B, (usize, &'a [f64; 6])) -> B) -> B {
    rest.fold(sum, |sum, (n, j)| f(sum, (*n, j)))
}

impl RowList {
    /// Nodes that a row acts on, each once, with their Jacobians.
    #[inline(always)]
    pub fn sides(&self, r: usize) -> Sides<'_> {
        let row = &self.rows[r];
        let far = if row.is_wide() { &self.far[row.far.0 as usize..row.far.1 as usize] } else { &[] };
        Sides { row, near: 0, far: far.iter() }
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.far.clear();
    }

    /// Forgets the rows from this one on, which act on two nodes at most.
    pub fn truncate(&mut self, count: usize) {
        self.rows.truncate(count);
    }

    /// Adds a row on two nodes at most.
    pub fn push(&mut self, row: Row) {
        self.rows.push(row);
    }

    /// Adds a row on all these nodes, each of which is named once.
    pub fn push_on(&mut self, nodes: &[Acted], mut row: Row) {
        for (k, &(n, jac)) in nodes.iter().enumerate() {
            match k {
                0 => (row.i, row.ji) = (n, jac),
                1 => (row.j, row.jj) = (n, jac),
                _ => self.far.push((n, jac)),
            }
        }
        let far = nodes.len().saturating_sub(2);
        row.far = ((self.far.len() - far) as u32, self.far.len() as u32);
        self.rows.push(row);
    }

    /// Becomes equal to another list; the memory stays.
    pub fn copy(&mut self, from: &RowList) {
        self.rows.clone_from(&from.rows);
        self.far.clone_from(&from.far);
    }
}

/// Memory for one island at a time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mobility {
    /// Island, place in W and index of every active row; once for each island that it acts on.
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
    gram: Gram,
    /// Block of each touched node; L^-1 Ju^T of a single body, by row.
    blocks: Vec<usize>,
    single: Vec<[f64; 6]>,
}

/// Adds Ju^T z of a row with these sides to a right-hand side.
#[inline]
pub(crate) fn scatter<'a>(t: &Topology, sides: impl Iterator<Item = (usize, &'a [f64; 6])>, z: f64, x: &mut [f64]) {
    sides.for_each(|(n, j)| {
        let node = &t.nodes[n];
        for (x, j) in x[node.x..node.x + node.dim].iter_mut().zip(j) {
            *x += z * j;
        }
    });
}

/// J x of a row with these sides.
#[inline]
pub(crate) fn velocity<'a>(t: &Topology, sides: impl Iterator<Item = (usize, &'a [f64; 6])>, x: &[f64]) -> f64 {
    sides
        .map(|(n, j)| {
            let node = &t.nodes[n];
            x[node.x..node.x + node.dim].iter().zip(j).map(|(x, j)| x * j).sum::<f64>()
        })
        .sum()
}

/// The sides of a row on one island.
#[inline(always)]
fn on<'a>(t: &'a Topology, island: usize, rows: &'a RowList, r: usize) -> impl Iterator<Item = (usize, &'a [f64; 6])> {
    rows.sides(r).filter(move |(n, _)| t.nodes[*n].island == island)
}

impl Mobility {
    /// Sorts the active rows of a cluster by island.
    pub fn start(&mut self, t: &Topology, rows: &RowList, active: &[usize]) {
        self.all.clear();
        for (at, &r) in active.iter().enumerate() {
            self.all.extend(rows.sides(r).map(|(n, _)| (t.nodes[n].island, at, r)));
        }
        self.all.sort_unstable();
        self.all.dedup();
    }

    /// Adds the part of one island to W (n x n, row-major, both triangles). `solve` applies K^-1 of the island in place.
    pub fn add<E>(
        &mut self,
        t: &Topology,
        island: usize,
        rows: &RowList,
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

    /// The same for an island that is factorised by these panels.
    pub fn add_by_panels(
        &mut self,
        t: &Topology,
        island: usize,
        rows: &RowList,
        n: usize,
        w: &mut [f64],
        panels: &Supernodal,
    ) {
        let unknowns = self.look(t, island, rows);
        let by_rows = self.on.len() <= unknowns;
        self.gram.begin();
        if by_rows {
            for &(_, r) in &self.on {
                let sides = on(t, island, rows, r);
                self.gram.add(sides.flat_map(|(node, j)| {
                    let node = &t.nodes[node];
                    (node.x..node.x + node.dim).zip(j.iter().copied())
                }));
            }
        } else {
            for &node in &self.nodes {
                let node = &t.nodes[node];
                (node.x..node.x + node.dim).for_each(|x| self.gram.add(std::iter::once((x, 1.0))));
            }
        }
        panels.gram(t.islands[island].blocks.start, &mut self.gram);
        if by_rows {
            for (k, &(at, _)) in self.on.iter().enumerate() {
                for (l, &(to, _)) in self.on.iter().enumerate().skip(k) {
                    let value = self.gram.product(k, l);
                    w[at * n + to] += value;
                    if to != at {
                        w[to * n + at] += value;
                    }
                }
            }
        } else {
            self.g.clear();
            self.g.extend((0..unknowns * unknowns).map(|k| self.gram.product(k / unknowns, k % unknowns)));
            self.fold(t, island, rows, n, unknowns, w);
        }
    }

    /// Active rows and touched nodes of the island; returns the unknowns of the nodes.
    fn look(&mut self, t: &Topology, island: usize, rows: &RowList) -> usize {
        self.on.clear();
        self.nodes.clear();
        self.place.resize(t.nodes.len(), NONE);
        let first = self.all.partition_point(|s| s.0 < island);
        for &(_, at, r) in self.all[first..].iter().take_while(|s| s.0 == island) {
            self.on.push((at, r));
            self.nodes.extend(on(t, island, rows, r).map(|(n, _)| n));
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
        rows: &RowList,
        n: usize,
        w: &mut [f64],
        solve: &mut impl FnMut(&mut [f64]) -> Result<(), E>,
    ) -> Result<(), E> {
        for (k, &(at, r)) in self.on.iter().enumerate() {
            self.column[t.islands[island].x.clone()].fill(0.0);
            scatter(t, on(t, island, rows, r), 1.0, &mut self.column);
            solve(&mut self.column)?;
            for &(to, s) in &self.on[k..] {
                let value = velocity(t, on(t, island, rows, s), &self.column);
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
    fn fold(&mut self, t: &Topology, island: usize, rows: &RowList, n: usize, unknowns: usize, w: &mut [f64]) {
        self.gj.resize(unknowns, 0.0);
        for (k, &(at, r)) in self.on.iter().enumerate() {
            self.gj.fill(0.0);
            on(t, island, rows, r).for_each(|(node, j)| {
                for (c, &j) in j[..t.nodes[node].dim].iter().enumerate() {
                    let from = &self.g[(self.place[node] + c) * unknowns..(self.place[node] + c + 1) * unknowns];
                    for (to, g) in self.gj.iter_mut().zip(from) {
                        *to += j * g;
                    }
                }
            });
            for &(to, s) in &self.on[k..] {
                let mut value = 0.0;
                on(t, island, rows, s).for_each(|(node, j)| {
                    let place = self.place[node];
                    for (c, &j) in j[..t.nodes[node].dim].iter().enumerate() {
                        value += j * self.gj[place + c];
                    }
                });
                w[at * n + to] += value;
                if to != at {
                    w[to * n + at] += value;
                }
            }
        }
    }
}

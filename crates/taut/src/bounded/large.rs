//! Clusters with so many active rows that W would be too large: the sparse solver takes the matrices of the islands as they were
//! assembled, and the rows, and never forms W.
//!
//! It knows rows on two nodes. Couplings of more, whose forces have no bounds, go into the matrix as rows of joints do.

use crate::delassus::{Row, RowList};
use crate::desk::bounded::Large;
use crate::desk::factor::Base;
use crate::solve::bounded::sparse::{self, Coupling, GROUND, Matrix, SparseParams, SparseProblem};
use crate::solve::bounded::{Block, Info, Method};
use crate::topology::{NONE, Topology};

/// A row for the sparse solver: its index, what it aims at, and its impulse.
pub(crate) struct Aimed {
    pub row: usize,
    pub c: f64,
    pub z: f64,
    /// Compliance, (m/s)/(N s).
    pub sigma: f64,
}

impl Aimed {
    /// A row as it stands in the step.
    pub fn at(row: usize, r: &Row) -> Self {
        Aimed { row, c: r.b + r.aim - r.drive, z: r.z, sigma: r.sigma }
    }
}

impl Large {
    /// The matrices of the islands, one after another, with their right-hand sides, and the active rows on more than two nodes.
    pub fn fill(
        &mut self,
        t: &Topology,
        islands: &[usize],
        base: &Base,
        (rows, active): (&RowList, &[usize]),
        b: impl Fn(usize) -> f64,
    ) {
        for v in [&mut self.diag, &mut self.off, &mut self.b] {
            v.clear();
        }
        self.aside.clear();
        self.dims.clear();
        self.is_row.clear();
        self.couplings.clear();
        let p = &t.pattern;
        for &k in islands {
            let island = &t.islands[k];
            let (first, blocks) = (self.dims.len(), island.blocks.clone());
            let (diag, off) = (p.diag[blocks.start], self.off.len());
            self.dims.extend_from_slice(&p.dims[blocks.clone()]);
            self.is_row.extend_from_slice(&t.signs.is_row[blocks.clone()]);
            let end = p.diag.get(blocks.end).copied().unwrap_or(p.diag_len);
            self.diag.extend_from_slice(&base.diag[diag..end]);
            self.off.extend_from_slice(&base.off[island.off.clone()]);
            for a in blocks.clone() {
                for &(b, at) in p.of(a) {
                    let moved = at - island.off.start + off;
                    self.couplings.push(Coupling {
                        a: a - blocks.start + first,
                        b: b - blocks.start + first,
                        at: moved,
                    });
                }
            }
            self.b.extend(island.x.clone().map(&b));
        }
        self.locate(t, islands);
        self.held.clear();
        for &r in active.iter().filter(|&&r| rows[r].is_wide()) {
            self.hold(t, rows, r);
        }
    }

    /// Puts a row into the matrix: J v + Sigma z = c, with -z for its unknown.
    fn hold(&mut self, t: &Topology, rows: &RowList, r: usize) {
        let at = self.dims.len();
        self.dims.push(1);
        self.is_row.push(true);
        self.diag.push(-rows[r].sigma);
        for (n, jac) in rows.sides(r) {
            let b = block(t, &self.place, n);
            self.couplings.push(Coupling { a: at, b, at: self.off.len() });
            self.off.extend_from_slice(&jac[..t.nodes[n].dim]);
        }
        self.b.push(Aimed::at(r, &rows[r]).c);
        self.held.push(r);
    }

    /// What a row in the matrix aims at.
    pub fn want(&mut self, row: usize, c: f64) {
        let first = self.b.len() - self.held.len();
        for (b, _) in self.b[first..].iter_mut().zip(&self.held).filter(|(_, held)| **held == row) {
            *b = c;
        }
    }

    /// Forgets the right-hand side.
    pub fn rest(&mut self) {
        self.b.fill(0.0);
    }

    /// Exchanges the right-hand side for zero, and back.
    pub fn set_aside(&mut self) {
        self.aside.resize(self.b.len(), 0.0);
        std::mem::swap(&mut self.b, &mut self.aside);
    }

    /// Solves; the impulses are in `impulses`, the velocities are copied to `x`.
    pub fn solve(&mut self, t: &Topology, islands: &[usize], params: &SparseParams, x: &mut [f64]) -> Info {
        self.x.clear();
        self.x.resize(self.b.len(), 0.0);
        let problem = SparseProblem {
            matrix: Matrix {
                dims: &self.dims,
                is_row: &self.is_row,
                diag: &self.diag,
                couplings: &self.couplings,
                off: &self.off,
            },
            b: &self.b,
            blocks: &self.blocks,
            sides: &self.sides,
            jac: &self.jac,
            sigma: &self.sigma,
            c: &self.c,
            unit: &self.unit,
        };
        let info = sparse::solve(&problem, params, &mut self.z, &mut self.x, &mut self.work);
        let mut at = 0;
        for &k in islands {
            let range = t.islands[k].x.clone();
            let n = range.len();
            x[range].copy_from_slice(&self.x[at..at + n]);
            at += n;
        }
        Info {
            residual: info.residual,
            iterations: info.iterations,
            sweeps: info.sweeps,
            converged: info.converged,
            convex: info.convex,
            method: Method::Newton,
        }
    }

    /// Adds a block of rows with its law.
    pub fn add(&mut self, t: &Topology, all: &RowList, law: Block, rows: impl Iterator<Item = Aimed>) {
        self.blocks.push(law);
        for (k, a) in rows.enumerate() {
            let row = &all[a.row];
            if k == 0 {
                let side = |n: usize| if n == NONE { GROUND } else { block(t, &self.place, n) };
                self.sides.push([side(row.i), side(row.j)]);
            }
            self.jac.extend_from_slice(&row.ji);
            self.jac.extend_from_slice(&row.jj);
            self.sigma.push(a.sigma);
            self.c.push(a.c);
            self.unit.push(row.unit);
            self.z.push(a.z);
            self.listed.push(a.row);
        }
    }

    /// Finds where the blocks of each island are.
    fn locate(&mut self, t: &Topology, islands: &[usize]) {
        self.place.resize(t.islands.len(), 0);
        let mut at = 0_usize;
        for &k in islands {
            let blocks = &t.islands[k].blocks;
            self.place[k] = at.wrapping_sub(blocks.start);
            at += blocks.len();
        }
    }

    /// Forgets the rows that were added.
    pub fn begin(&mut self) {
        for v in [&mut self.jac, &mut self.sigma, &mut self.c, &mut self.unit, &mut self.z] {
            v.clear();
        }
        self.sides.clear();
        self.blocks.clear();
        self.listed.clear();
    }

    /// Rows with their impulses: those that were added, and those in the matrix.
    pub fn found(&self) -> impl Iterator<Item = (usize, f64)> {
        let first = self.x.len() - self.held.len();
        let held = self.held.iter().zip(&self.x[first..]).map(|(&r, &x)| (r, -x));
        self.listed.iter().copied().zip(self.z.iter().copied()).chain(held)
    }

    /// Impulses of the rows, in the order they were added.
    pub fn impulses(&self) -> &[f64] {
        &self.z
    }
}

/// Block of a node among those of the cluster; `place` is where the blocks of its island begin, less the island's own start.
fn block(t: &Topology, place: &[usize], n: usize) -> usize {
    let node = &t.nodes[n];
    let own = t.pattern.row.partition_point(|&r| r <= node.x) - 1;
    place[node.island].wrapping_add(own)
}

//! The linear system of all Newton steps here, on the modes of the derivative, D = F E^T.
//!
//! ```text
//! (I + D (k W + m I)) d = g      polish: k = 1, m = delta - 1     proximal: k = 1 / eps, m = 0
//! d = g + F x,   (I + E^T (k W + m I) F) x = -E^T (k W g + m g)
//! ```
//!
//! The unknowns x are the modes: none for an open contact, two for a sliding one, three for a sticking one.

use super::canon::{Canon, Cell};
use super::chain;
use super::law::Derivatives;
use super::sparse::SparseNewton;
use crate::dense::DenseLu;
use taut_lanes::Kernel;

#[derive(Clone, Copy, Debug)]
struct Mode {
    row: usize,
    rows: usize,
    f: [f64; 3],
    e: [f64; 3],
    /// Of ropes: the free row, and how the rows after it follow, in place of `f`; else empty.
    long: (usize, usize),
}

impl Mode {
    /// f over the rows from its first one on.
    #[inline(always)]
    fn f<'a>(&'a self, long: &'a [f64]) -> &'a [f64] {
        if self.long.0 == self.long.1 { &self.f[..self.rows] } else { &long[self.long.0..self.long.1] }
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Newton {
    modes: Vec<Mode>,
    long: Vec<f64>,
    line: Vec<f64>,
    a: Vec<f64>,
    x: Vec<f64>,
    lu: DenseLu,
    pub sparse: SparseNewton,
}

impl Newton {
    /// du = W d for the direction just found; the sparse solver has it already.
    pub fn moved(&self, c: &Canon, d: &[f64], du: &mut Vec<f64>) {
        if c.sparse.is_some() && self.sparse.moved.len() == d.len() {
            du.clone_from(&self.sparse.moved);
        } else {
            c.product(d, du);
        }
    }

    /// Writes the direction to `d`; `wg` is W g. Returns the flops. Without a usable factor d = g.
    pub fn direction(
        &mut self,
        c: &Canon,
        der: &Derivatives,
        (k, m): (f64, f64),
        (g, wg): (&[f64], &[f64]),
        d: &mut Vec<f64>,
    ) -> f64 {
        if let Some(s) = &c.sparse {
            return self.sparse.direction(c, s, &der.cells, (k, m), g, d);
        }
        d.clear();
        d.extend_from_slice(g);
        self.collect(c, der);
        let size = self.modes.len();
        if size == 0 {
            return 0.0;
        }
        taut_lanes::run(Assemble(self, c, k, m));
        self.x.clear();
        for mode in &self.modes {
            let mut sum = 0.0;
            for i in 0..mode.rows {
                sum -= mode.e[i] * (k * wg[mode.row + i] + m * g[mode.row + i]);
            }
            self.x.push(sum);
        }
        let flops = self.solve(size);
        for (mode, x) in self.modes.iter().zip(&self.x) {
            for (d, f) in d[mode.row..].iter_mut().zip(mode.f(&self.long)) {
                *d += f * x;
            }
        }
        if !d.iter().all(|v| v.is_finite()) {
            d.copy_from_slice(g);
        }
        flops + (6 * size * (c.n + size)) as f64
    }

    fn collect(&mut self, c: &Canon, der: &Derivatives) {
        self.modes.clear();
        self.long.clear();
        for (cell, d) in c.cells.iter().zip(&der.cells) {
            let (row, rows) = match *cell {
                Cell::Box { row, .. } => (row, 1),
                Cell::Cone { row, .. } => (row, 3),
                Cell::Chain { row, rows } => {
                    chain::modes(c, row..row + rows, &der.slope, &mut self.long, |row, long| {
                        self.modes.push(Mode { row, rows: 1, f: [1.0, 0.0, 0.0], e: [1.0, 0.0, 0.0], long });
                    });
                    continue;
                }
            };
            self.modes.extend((0..d.rank).map(|i| Mode { row, rows, f: d.f[i], e: d.e[i], long: (0, 0) }));
        }
    }

    /// I + E^T (k W + m I) F.
    #[inline(always)]
    fn assemble(&mut self, c: &Canon, k: f64, m: f64) {
        let (n, size) = (c.n, self.modes.len());
        self.a.resize(size * size, 0.0);
        for (i, mode) in self.modes.iter().enumerate() {
            // e^T (k W + m I)
            let w = |r: usize| &c.w[(mode.row + r) * n..(mode.row + r + 1) * n];
            self.line.resize(n, 0.0);
            if mode.rows == 1 {
                self.line.iter_mut().zip(w(0)).for_each(|(l, v)| *l = k * v);
            } else {
                let e = mode.e.map(|e| k * e);
                let rows = w(0).iter().zip(w(1)).zip(w(2));
                self.line.iter_mut().zip(rows).for_each(|(l, ((a, b), d))| *l = e[0] * a + e[1] * b + e[2] * d);
            }
            for r in 0..mode.rows {
                self.line[mode.row + r] += m * mode.e[r];
            }
            let target = &mut self.a[i * size..(i + 1) * size];
            for (a, other) in target.iter_mut().zip(&self.modes) {
                let l = &self.line[other.row..];
                *a = l.iter().zip(other.f(&self.long)).fold(0.0, |s, (l, f)| s + l * f);
            }
            target[i] += 1.0;
        }
    }

    /// Solves for x; a singular matrix gets a small diagonal.
    fn solve(&mut self, size: usize) -> f64 {
        let flops = 2.0 / 3.0 * (size * size * size) as f64;
        if self.lu.factor(size, &self.a).is_err() {
            for i in 0..size {
                self.a[i * size + i] += 1e-9;
            }
            if self.lu.factor(size, &self.a).is_err() {
                self.x.fill(f64::NAN);
                return 2.0 * flops;
            }
        }
        self.lu.solve(&mut self.x);
        flops
    }
}

/// The matrix of a Newton step.
struct Assemble<'a>(&'a mut Newton, &'a Canon, f64, f64);

impl Kernel for Assemble<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self) {
        self.0.assemble(self.1, self.2, self.3);
    }
}

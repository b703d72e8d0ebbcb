//! The linear system of all Newton steps here.
//!
//! ```text
//! (I + D (k W + m I)) d = g      polish: k = 1, m = delta - 1     proximal: k = 1 / eps, m = 0
//! ```
//!
//! Cells with D = 0 have d = g and are eliminated; LU on the others.

use super::canon::{Canon, Cell};
use super::law::Derivative;
use super::sparse::SparseNewton;
use crate::solve::dense::{DenseLu, dot};

#[derive(Clone, Debug, Default)]
pub(super) struct Newton {
    active: Vec<usize>,
    off: Vec<f64>,
    a: Vec<f64>,
    rhs: Vec<f64>,
    lu: DenseLu,
    pub sparse: SparseNewton,
}

impl Newton {
    /// Writes the direction to `d` (the length of `g`); returns the flops. Without a usable factor d = g.
    pub fn direction(&mut self, c: &Canon, der: &[Derivative], k: f64, m: f64, g: &[f64], d: &mut Vec<f64>) -> f64 {
        if let Some(s) = &c.sparse {
            return self.sparse.direction(c, s, der, (k, m), g, d);
        }
        let n = c.n;
        d.clear();
        d.extend_from_slice(g);
        self.active.clear();
        self.off.clear();
        self.off.extend_from_slice(g);
        for (cell, der) in c.cells.iter().zip(der) {
            let (row, rows) = match *cell {
                Cell::Box { row, .. } => (row, 1),
                Cell::Cone { row, .. } => (row, 3),
            };
            if der.iter().any(|&v| v != 0.0) {
                self.active.extend(row..row + rows);
                self.off[row..row + rows].fill(0.0);
            }
        }
        let na = self.active.len();
        if na == 0 {
            return 0.0;
        }
        let moved = self.off.iter().any(|&v| v != 0.0);
        self.a.resize(na * na, 0.0);
        self.rhs.resize(na, 0.0);
        let mut at = 0;
        for (cell, der) in c.cells.iter().zip(der) {
            match *cell {
                Cell::Box { row, .. } if der[0] != 0.0 => {
                    let w = &c.w[row * n..(row + 1) * n];
                    for (a, &j) in self.a[at * na..(at + 1) * na].iter_mut().zip(&self.active) {
                        *a = k * w[j];
                    }
                    self.a[at * na + at] += 1.0 + m;
                    self.rhs[at] = g[row] - if moved { k * dot(w, &self.off) } else { 0.0 };
                    at += 1;
                }
                Cell::Cone { row, .. } if der.iter().any(|&v| v != 0.0) => {
                    self.cone_rows(c, row, at, der, (k, m), g, moved);
                    at += 3;
                }
                _ => {}
            }
        }
        let flops = self.solve(na);
        for (x, &i) in self.rhs.iter().zip(&self.active) {
            d[i] = *x;
        }
        if !d.iter().all(|v| v.is_finite()) {
            d.copy_from_slice(g);
        }
        flops + 2.0 * (n * n) as f64
    }

    #[expect(clippy::too_many_arguments)]
    fn cone_rows(
        &mut self,
        c: &Canon,
        row: usize,
        at: usize,
        d: &Derivative,
        (k, m): (f64, f64),
        g: &[f64],
        moved: bool,
    ) {
        let (n, na) = (c.n, self.active.len());
        let w = |i: usize| &c.w[(row + i) * n..(row + i + 1) * n];
        let (w0, w1, w2) = (w(0), w(1), w(2));
        let push = if moved { [0, 1, 2].map(|i| k * dot(w(i), &self.off)) } else { [0.0; 3] };
        for i in 0..3 {
            let e = [k * d[3 * i], k * d[3 * i + 1], k * d[3 * i + 2]];
            let target = &mut self.a[(at + i) * na..(at + i + 1) * na];
            for (a, &j) in target.iter_mut().zip(&self.active) {
                *a = e[0] * w0[j] + e[1] * w1[j] + e[2] * w2[j];
            }
            for j in 0..3 {
                target[at + j] += m * d[3 * i + j];
            }
            target[at + i] += 1.0;
            self.rhs[at + i] = g[row + i] - (d[3 * i] * push[0] + d[3 * i + 1] * push[1] + d[3 * i + 2] * push[2]);
        }
    }

    /// Solves for the active rows; a singular matrix gets a small diagonal.
    fn solve(&mut self, na: usize) -> f64 {
        let flops = 2.0 / 3.0 * (na * na * na) as f64;
        if self.lu.factor(na, &self.a).is_err() {
            for i in 0..na {
                self.a[i * na + i] += 1e-9;
            }
            if self.lu.factor(na, &self.a).is_err() {
                self.rhs.fill(f64::NAN);
                return 2.0 * flops;
            }
        }
        self.lu.solve(&mut self.rhs);
        flops
    }
}

//! The Newton step without W.
//!
//! ```text
//! (I + D (k W + m I)) d = g,    W = J K^-1 J^T + Sigma
//! E = I + D (m I + k Sigma),   T = E^-1,   H = k T D      (1 x 1 or 3 x 3 per law)
//! (K + J^T H J) dv = J^T T g,   d = T (g - k D J dv)
//! ```
//! Without slip (or with frozen radii, or the associated cone) H is symmetric and positive semi-definite: K + J^T H J is as
//! quasi-definite as K and goes to the block LDL^T. A sliding contact has an unsymmetric H: block LU on the same pattern.
//! The stiffness k / eps in H costs digits; they come back by refinement with the exact product W d.

use super::super::canon::{Canon, worse};
use super::super::law::Derivative;
use super::assemble::add_form;
use super::system::{System, gather, span, spread};
use crate::block_ldlt::BlockLdlt;
use crate::block_lu::BlockLu;
use crate::tuning::T;

/// Memory of the step.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct SparseNewton {
    ldlt: BlockLdlt,
    lu: BlockLu,
    /// D, T and k D of each cell.
    slopes: Vec<[f64; 9]>,
    inverse: Vec<[f64; 9]>,
    slope: Vec<[f64; 9]>,
    dv: Vec<f64>,
    /// W times the direction found last.
    pub(in super::super) moved: Vec<f64>,
    wd: Vec<f64>,
    error: Vec<f64>,
    step: Vec<f64>,
    /// Symmetric and unsymmetric factorisations, and their block products.
    pub factors: [usize; 2],
    pub block_products: usize,
}

impl SparseNewton {
    /// Forgets the counts.
    pub(super) fn reset(&mut self) {
        (self.factors, self.block_products) = ([0; 2], 0);
    }

    /// Writes the direction to `d`; returns the flops, roughly. Without a usable factor d = g.
    pub(in super::super) fn direction(
        &mut self,
        c: &Canon,
        s: &System,
        der: &[Derivative],
        (k, m): (f64, f64),
        g: &[f64],
        d: &mut Vec<f64>,
    ) -> f64 {
        d.clear();
        d.extend_from_slice(g);
        self.moved.clear();
        let symmetric = self.laws(c, s, der, k, m);
        let Some(flops) = self.factor(c, s, symmetric) else { return 0.0 };
        self.solve(c, s, symmetric, g);
        let mut found = std::mem::take(&mut self.step);
        let mut last = f64::INFINITY;
        let size = largest(g);
        for _ in 0..=T.sparse.corrections {
            // What the step found so far leaves of the equation.
            c.product(&found, &mut self.wd);
            self.error.clear();
            self.error.extend_from_slice(g);
            for (cell, der) in c.cells.iter().zip(&self.slopes) {
                let (row, rows) = span(cell);
                for r in 0..rows {
                    let mut sum = found[row + r];
                    for q in 0..rows {
                        sum += der[3 * r + q] * (k * self.wd[row + q] + m * found[row + q]);
                    }
                    self.error[row + r] -= sum;
                }
            }
            let now = largest(&self.error);
            if !(now < 0.5 * last) {
                break;
            }
            last = now;
            d.clone_from(&found);
            self.moved.clone_from(&self.wd);
            if now <= T.sparse.enough * size {
                break;
            }
            let error = std::mem::take(&mut self.error);
            self.solve(c, s, symmetric, &error);
            self.error = error;
            found.iter_mut().zip(&self.step).for_each(|(f, s)| *f += s);
        }
        self.step = found;
        flops
    }

    /// T and k D of every cell; true when H is symmetric.
    fn laws(&mut self, c: &Canon, s: &System, der: &[Derivative], k: f64, m: f64) -> bool {
        self.inverse.clear();
        self.slope.clear();
        self.slopes.clear();
        self.slopes.extend(der.iter().map(matrix));
        let mut symmetric = true;
        for (cell, d) in c.cells.iter().zip(&self.slopes) {
            let (row, rows) = span(cell);
            let (mut e, mut slope) = ([0.0; 9], [0.0; 9]);
            for r in 0..rows {
                for q in 0..rows {
                    let i = 3 * r + q;
                    slope[i] = k * d[i];
                    e[i] = d[i] * (m + k * s.sigma[row + q]) + if r == q { 1.0 } else { 0.0 };
                }
            }
            symmetric &=
                rows == 1 || [(1, 3), (2, 6), (5, 7)].iter().all(|&(a, b)| (d[a] - d[b]).abs() <= T.sparse.same);
            self.inverse.push(if rows == 1 {
                [1.0 / e[0], 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
            } else {
                invert(&e)
            });
            self.slope.push(slope);
        }
        symmetric
    }

    /// K + J^T H J and its factor.
    fn factor(&mut self, c: &Canon, s: &System, symmetric: bool) -> Option<f64> {
        let p = &s.newton.pattern;
        let lu = &mut self.lu;
        lu.resize(p);
        lu.diag.copy_from_slice(&s.base_diag);
        lu.upper.copy_from_slice(&s.base_off);
        if !symmetric {
            lu.lower.copy_from_slice(&s.base_off);
        }
        for ((cell, &law), (t, slope)) in c.cells.iter().zip(&s.law_of_cell).zip(self.inverse.iter().zip(&self.slope)) {
            let (row, rows) = span(cell);
            if slope.iter().all(|&v| v == 0.0) {
                continue;
            }
            let h = multiply(t, slope);
            let (sides, j) = (&s.sides[law], &s.jac[12 * row..12 * (row + rows)]);
            for side in 0..2 {
                let d = sides.dim[side];
                if d > 0 {
                    let at = p.diag[s.newton.position[sides.node[side]]];
                    form(&h, rows, (&j[6 * side..], d), (&j[6 * side..], d), &mut lu.diag[at..at + d * d]);
                }
            }
            if let Some(pair) = sides.pair() {
                let place = s.newton.pairs[pair];
                // The pair is named by the smaller block first.
                let first = usize::from((sides.node[0] < sides.node[1]) != place.first_is_pivot);
                let (a, b) = ((&j[6 * first..], sides.dim[first]), (&j[6 - 6 * first..], sides.dim[1 - first]));
                let range = place.at..place.at + a.1 * b.1;
                form(&h, rows, a, b, &mut lu.upper[range.clone()]);
                if !symmetric {
                    let t = [h[0], h[3], h[6], h[1], h[4], h[7], h[2], h[5], h[8]];
                    form(&t, rows, a, b, &mut lu.lower[range]);
                }
            }
        }
        let products = s.newton.products();
        self.block_products += products * if symmetric { 1 } else { 2 };
        self.factors[usize::from(!symmetric)] += 1;
        let made = if symmetric { self.factor_symmetric(s) } else { self.factor_unsymmetric(s) };
        made.then_some(432.0 * (products * if symmetric { 1 } else { 2 }) as f64)
    }

    fn factor_symmetric(&mut self, s: &System) -> bool {
        let p = &s.newton.pattern;
        std::mem::swap(&mut self.ldlt.diag, &mut self.lu.diag);
        std::mem::swap(&mut self.ldlt.off, &mut self.lu.upper);
        self.ldlt.reference.clone_from(&s.base_reference);
        self.ldlt.dropped.resize(p.size(), false);
        self.ldlt.factor(p, &s.newton.signs, 0..p.blocks()).is_ok()
    }

    fn factor_unsymmetric(&mut self, s: &System) -> bool {
        self.lu.reference.clone_from(&s.base_reference);
        self.lu.factor(&s.newton.pattern).is_ok()
    }

    /// step = T (g - k D J dv), (K + J^T H J) dv = J^T T g.
    fn solve(&mut self, c: &Canon, s: &System, symmetric: bool, g: &[f64]) {
        let p = &s.newton.pattern;
        self.dv.clear();
        self.dv.resize(p.size(), 0.0);
        for ((cell, &law), t) in c.cells.iter().zip(&s.law_of_cell).zip(&self.inverse) {
            let (row, rows) = span(cell);
            let sides = &s.sides[law];
            for r in 0..rows {
                let f: f64 = (0..rows).map(|q| t[3 * r + q] * g[row + q]).sum();
                spread(&s.jac[12 * (row + r)..12 * (row + r) + 12], sides.newton, sides.dim, f, &mut self.dv);
            }
        }
        if symmetric {
            self.ldlt.solve(p, 0..p.blocks(), &mut self.dv);
        } else {
            self.lu.solve(p, &mut self.dv);
        }
        self.step.clear();
        self.step.resize(c.n, 0.0);
        for ((cell, &law), (t, slope)) in c.cells.iter().zip(&s.law_of_cell).zip(self.inverse.iter().zip(&self.slope)) {
            let (row, rows) = span(cell);
            let sides = &s.sides[law];
            let mut moved = [0.0; 3];
            for r in 0..rows {
                let at = 12 * (row + r);
                moved[r] = gather(&s.jac[at..at + 12], sides.newton, sides.dim, &self.dv);
            }
            let mut rest = [0.0; 3];
            for r in 0..rows {
                rest[r] = g[row + r] - (0..rows).map(|q| slope[3 * r + q] * moved[q]).sum::<f64>();
            }
            for r in 0..rows {
                self.step[row + r] = (0..rows).map(|q| t[3 * r + q] * rest[q]).sum();
            }
        }
    }
}

/// D of one cell, row-major.
fn matrix(d: &Derivative) -> [f64; 9] {
    let mut out = [0.0; 9];
    for (f, e) in d.f.iter().zip(&d.e).take(d.rank) {
        for r in 0..3 {
            for c in 0..3 {
                out[3 * r + c] += f[r] * e[c];
            }
        }
    }
    out
}

fn form(h: &[f64; 9], rows: usize, a: (&[f64], usize), b: (&[f64], usize), target: &mut [f64]) {
    match (rows, a.1, b.1) {
        (3, 6, 6) => add_form(h, 3, a.0, 6, b.0, 6, target),
        _ => add_form(h, rows, a.0, a.1, b.0, b.1, target),
    }
}

/// Largest magnitude; infinite for NaN.
fn largest(v: &[f64]) -> f64 {
    let m = v.iter().fold(0.0, |m, &x| worse(m, x));
    if m.is_nan() { f64::INFINITY } else { m }
}

fn multiply(a: &[f64; 9], b: &[f64; 9]) -> [f64; 9] {
    let mut out = [0.0; 9];
    for r in 0..3 {
        for c in 0..3 {
            out[3 * r + c] = (0..3).map(|q| a[3 * r + q] * b[3 * q + c]).sum();
        }
    }
    out
}

/// Inverse of a 3 x 3 matrix by cofactors.
fn invert(a: &[f64; 9]) -> [f64; 9] {
    let minor = |r: usize, c: usize| {
        let (r0, r1, c0, c1) = ((r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3);
        a[3 * r0 + c0] * a[3 * r1 + c1] - a[3 * r0 + c1] * a[3 * r1 + c0]
    };
    let determinant = a[0] * minor(0, 0) + a[1] * minor(0, 1) + a[2] * minor(0, 2);
    let mut out = [0.0; 9];
    for r in 0..3 {
        for c in 0..3 {
            out[3 * c + r] = minor(r, c) / determinant;
        }
    }
    out
}

//! Conjugate gradients on the free rows with the bounds checked inside the iteration (Faure), for box rows.
//!
//! ```text
//! F = rows between their bounds, and rows at a bound that want to leave it
//! CG step on F: y += a p,  a = r . r / p . W p
//! rows that leave their bounds are put on them and leave F; rows at a bound with u of the wrong sign enter F when the
//! free rows have converged or F has changed; either restarts the directions
//! ```
//!
//! Nothing proves that this ends. What it has not solved goes to MPRGP (`mprgp`), which is proven to.

use super::canon::{Canon, clip};
use super::driver::Count;
use super::mprgp::Mprgp;
use super::{Method, Work};
use crate::dense::dot;

/// Memory of the active-set conjugate gradients.
#[derive(Clone, Debug, Default)]
pub(super) struct ActiveSet {
    free: Vec<bool>,
    u: Vec<f64>,
    r: Vec<f64>,
    p: Vec<f64>,
    wp: Vec<f64>,
    mprgp: Mprgp,
}

/// The bounds of each row and the largest |u| accepted on a free row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds<'a> {
    pub lo: &'a [f64],
    pub hi: &'a [f64],
    pub tolerance: f64,
}

impl Bounds<'_> {
    /// Row i is at a bound and u pushes it inwards.
    pub fn leaves(&self, i: usize, y: f64, u: f64) -> bool {
        (y <= self.lo[i] && u < -self.tolerance && self.hi[i] > y)
            || (y >= self.hi[i] && u > self.tolerance && self.lo[i] < y)
    }
}

impl ActiveSet {
    /// True when converged.
    fn run(&mut self, c: &Canon, b: Bounds<'_>, y: &mut [f64], limit: usize, count: &mut Count) -> bool {
        let n = c.n;
        c.velocity(y, &mut self.u);
        self.free.clear();
        self.free.extend((0..n).map(|i| (y[i] > b.lo[i] && y[i] < b.hi[i]) || b.leaves(i, y[i], self.u[i])));
        self.restart();
        for _ in 0..limit {
            if largest(&self.r) <= b.tolerance && !self.enter(b, y) {
                return true;
            }
            let rr = dot(&self.r, &self.r);
            count.iterations += 1;
            c.product(&self.p, &mut self.wp);
            count.product(n);
            let curvature = dot(&self.p, &self.wp);
            if !(curvature > 0.0) {
                return false;
            }
            let a = rr / curvature;
            let clamped = self.step(b, y, a);
            if clamped {
                c.velocity(y, &mut self.u);
                count.product(n);
                self.enter(b, y);
                self.restart();
            } else {
                self.u.iter_mut().zip(&self.wp).for_each(|(u, w)| *u += a * w);
                self.residual();
                let beta = dot(&self.r, &self.r) / rr;
                self.p.iter_mut().zip(&self.r).for_each(|(p, r)| *p = r + beta * *p);
            }
        }
        false
    }

    /// y += a p with the bounds; rows that meet one leave the free set.
    fn step(&mut self, b: Bounds<'_>, y: &mut [f64], a: f64) -> bool {
        let mut clamped = false;
        for i in 0..y.len() {
            if self.free[i] {
                let next = y[i] + a * self.p[i];
                y[i] = clip(next, b.lo[i], b.hi[i]);
                if y[i] != next {
                    self.free[i] = false;
                    clamped = true;
                }
            }
        }
        clamped
    }

    /// Rows that want to leave their bound become free. True when there was one; the directions start again.
    fn enter(&mut self, b: Bounds<'_>, y: &[f64]) -> bool {
        let mut found = false;
        for i in 0..y.len() {
            if !self.free[i] && b.leaves(i, y[i], self.u[i]) {
                self.free[i] = true;
                found = true;
            }
        }
        if found {
            self.restart();
        }
        found
    }

    fn residual(&mut self) {
        self.r.clear();
        self.r.extend(self.u.iter().zip(&self.free).map(|(u, f)| if *f { -u } else { 0.0 }));
    }

    fn restart(&mut self) {
        self.residual();
        self.p.clone_from(&self.r);
    }
}

pub(super) fn largest(v: &[f64]) -> f64 {
    v.iter().fold(0.0, |m, x| f64::max(m, x.abs()))
}

/// Runs from the warm start, then MPRGP from what was found. Without a solution the best point stands.
pub(super) fn run(work: &mut Work) -> Method {
    let Work { canon: c, hybrid: h, boxes: rows, active, count, .. } = work;
    rows.bounds(c);
    let scale = largest(&c.measure);
    let tolerance = if scale > 0.0 { 0.3 * h.best.tolerance / scale } else { 0.0 };
    let b = Bounds { lo: &rows.lo, hi: &rows.hi, tolerance };
    h.best.keep(c, &h.start, count);
    rows.y.clone_from(&h.start);
    let limit = count.limit;
    if !active.run(c, b, &mut rows.y, limit, count) || !within(c, h, &rows.y, count) {
        rows.y.clone_from(&h.best.y);
        active.mprgp.run(c, b, &mut rows.y, limit, count);
        h.best.keep(c, &rows.y, count);
    }
    Method::ActiveSet
}

fn within(c: &Canon, h: &mut super::driver::Hybrid, y: &[f64], count: &mut Count) -> bool {
    h.best.keep(c, y, count);
    h.best.done()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// MPRGP by itself against the conjugate gradients, on a positive definite matrix with a unit diagonal.
    #[test]
    fn both_find_the_same_point() {
        let n = 30;
        let mut c = Canon::default();
        c.n = n;
        c.w = (0..n * n).map(|i| 0.8_f64.powi((i / n).abs_diff(i % n) as i32)).collect();
        c.q = (0..n).map(|i| ((i * i) as f64).sin()).collect();
        let (lo, hi) = (vec![0.0; n], vec![0.4; n]);
        let b = Bounds { lo: &lo, hi: &hi, tolerance: 1e-12 };
        let (mut x, mut y) = (vec![0.0; n], vec![0.2; n]);
        let mut count = Count::default();
        assert!(ActiveSet::default().run(&c, b, &mut x, 500, &mut count));
        let steps = count.iterations;
        assert!(Mprgp::default().run(&c, b, &mut y, 2000, &mut count));
        assert!(steps < 200 && x.iter().zip(&y).all(|(x, y)| (x - y).abs() < 1e-9), "{x:?} {y:?}");
        assert!(x.contains(&0.0) && x.contains(&0.4) && x.iter().any(|x| *x > 0.0 && *x < 0.4), "{x:?}");
        let mut u = vec![];
        c.velocity(&x, &mut u);
        assert!((0..n).all(|i| !b.leaves(i, x[i], u[i]) && (x[i] == 0.0 || x[i] == 0.4 || u[i].abs() < 1e-11)));
    }
}

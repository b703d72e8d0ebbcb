//! Modified proportioning with reduced gradient projections (Dostal and Schoberl 2005), for box rows.
//!
//! ```text
//! g = W y + q   free gradient phi: g between the bounds   chopped gradient beta: g at a bound if it points inwards
//! proportional  beta . beta <= phi~ . phi:  conjugate gradient step; if it leaves the bounds, to the bound, then the
//!               projected gradient step of length 1.9 / |W|
//! else          steepest descent along beta, projected
//! ```
//!
//! Monotone, and finite for positive semi-definite W with a solution. |W| by its row sums.

use super::active_set::{Bounds, largest};
use super::canon::{Canon, clip};
use super::driver::Count;
use crate::dense::dot;

/// Memory of MPRGP.
#[derive(Clone, Debug, Default)]
pub(super) struct Mprgp {
    g: Vec<f64>,
    phi: Vec<f64>,
    beta: Vec<f64>,
    p: Vec<f64>,
    wp: Vec<f64>,
}

impl Mprgp {
    /// True when converged.
    pub fn run(&mut self, c: &Canon, b: Bounds<'_>, y: &mut [f64], limit: usize, count: &mut Count) -> bool {
        let n = c.n;
        let norm = c.w.chunks_exact(n.max(1)).fold(0.0, |m, r| f64::max(m, r.iter().fold(0.0, |s, w| s + w.abs())));
        let length = 1.9 / norm.max(f64::MIN_POSITIVE);
        self.gradient(c, b, y, count);
        self.p.clone_from(&self.phi);
        for _ in 0..limit {
            if largest(&self.phi).max(largest(&self.beta)) <= b.tolerance {
                return true;
            }
            count.iterations += 1;
            if dot(&self.beta, &self.beta) <= self.reduced(b, y, length) {
                self.conjugate_step(c, b, y, length, count);
            } else {
                self.descend(c, b, y, length, count);
            }
        }
        false
    }

    /// g and its two parts anew.
    fn gradient(&mut self, c: &Canon, b: Bounds<'_>, y: &[f64], count: &mut Count) {
        c.velocity(y, &mut self.g);
        count.product(c.n);
        self.split(b, y);
    }

    fn split(&mut self, b: Bounds<'_>, y: &[f64]) {
        self.phi.clear();
        self.beta.clear();
        for i in 0..y.len() {
            let (g, low, high) = (self.g[i], y[i] <= b.lo[i], y[i] >= b.hi[i]);
            self.phi.push(if low || high { 0.0 } else { g });
            self.beta.push(match (low, high) {
                (true, false) => g.min(0.0),
                (false, true) => g.max(0.0),
                _ => 0.0,
            });
        }
    }

    /// phi~ . phi, phi~ the free gradient cut where the step would pass a bound.
    fn reduced(&self, b: Bounds<'_>, y: &[f64], length: f64) -> f64 {
        (0..y.len()).fold(0.0, |s, i| {
            let phi = self.phi[i];
            let cut = if phi > 0.0 { phi.min((y[i] - b.lo[i]) / length) } else { phi.max((y[i] - b.hi[i]) / length) };
            s + phi * cut
        })
    }

    fn conjugate_step(&mut self, c: &Canon, b: Bounds<'_>, y: &mut [f64], length: f64, count: &mut Count) {
        c.product(&self.p, &mut self.wp);
        count.product(c.n);
        let curvature = dot(&self.p, &self.wp);
        let full = if curvature > 0.0 { dot(&self.g, &self.p) / curvature } else { f64::INFINITY };
        let room = (0..y.len()).fold(f64::INFINITY, |m, i| match self.p[i] {
            p if p > 0.0 => m.min((y[i] - b.lo[i]) / p),
            p if p < 0.0 => m.min((y[i] - b.hi[i]) / p),
            _ => m,
        });
        let a = full.min(room);
        if !a.is_finite() {
            self.p.clone_from(&self.phi);
            return self.descend(c, b, y, length, count);
        }
        for i in 0..y.len() {
            y[i] = clip(y[i] - a * self.p[i], b.lo[i], b.hi[i]);
            self.g[i] -= a * self.wp[i];
        }
        self.split(b, y);
        if full <= room {
            let beta = dot(&self.phi, &self.wp) / curvature;
            self.p.iter_mut().zip(&self.phi).for_each(|(p, f)| *p = f - beta * *p);
        } else {
            for i in 0..y.len() {
                y[i] = clip(y[i] - length * self.phi[i], b.lo[i], b.hi[i]);
            }
            self.gradient(c, b, y, count);
            self.p.clone_from(&self.phi);
        }
    }

    fn descend(&mut self, c: &Canon, b: Bounds<'_>, y: &mut [f64], length: f64, count: &mut Count) {
        c.product(&self.beta, &mut self.wp);
        count.product(c.n);
        let curvature = dot(&self.beta, &self.wp);
        // Without curvature there is no least point along beta: a short step.
        let flat = curvature <= 1e-14 * dot(&self.beta, &self.beta);
        let a = if flat { length } else { dot(&self.g, &self.beta) / curvature };
        for i in 0..y.len() {
            y[i] = clip(y[i] - a * self.beta[i], b.lo[i], b.hi[i]);
        }
        self.gradient(c, b, y, count);
        self.p.clone_from(&self.phi);
    }
}

//! Newton on the natural map y = P(y - (W y + q)) (Alart and Curnier 1991).
//!
//! ```text
//! (I - D + D (W + delta I)) d = P - y        steps 1, 0.3, 0.1 on |P - y|; the full step if none lowers it
//! ```
//!
//! delta = 1e-7 keeps the system solvable on redundant rows; 1e-9 and below is clearly worse there.

use super::canon::Canon;
use super::driver::{Best, Count};
use super::law::{Derivatives, Law, differentiate};
use super::newton::Newton;
use crate::tuning::T;

/// Memory of the polish.
#[derive(Clone, Debug, Default)]
pub(super) struct Polish {
    at: Point,
    next: Point,
    d: Vec<f64>,
    wg: Vec<f64>,
}

/// A point with its velocity, map and derivative.
#[derive(Clone, Debug, Default)]
struct Point {
    y: Vec<f64>,
    u: Vec<f64>,
    x: Vec<f64>,
    /// P - y
    g: Vec<f64>,
    der: Derivatives,
}

impl Point {
    /// Everything from y; returns |P - y|.
    fn evaluate(&mut self, c: &Canon, count: &mut Count) -> f64 {
        c.velocity(&self.y, &mut self.u);
        count.product(c.n);
        self.x.clear();
        self.x.extend(self.y.iter().zip(&self.u).map(|(y, u)| y - u));
        self.g.resize(c.n, 0.0);
        differentiate(c, Law::Coulomb, &self.x, &mut self.g, &mut self.der);
        self.g.iter_mut().zip(&self.y).for_each(|(g, y)| *g -= y);
        norm(&self.g)
    }
}

pub(super) fn norm(v: &[f64]) -> f64 {
    v.iter().fold(0.0, |s, x| s + x * x).sqrt()
}

impl Polish {
    /// Up to eight steps from `start`, of which `patience` may fail to lower |P - y|; all are offered to `best`.
    pub fn run(
        &mut self,
        c: &Canon,
        start: &[f64],
        patience: usize,
        newton: &mut Newton,
        best: &mut Best,
        count: &mut Count,
    ) {
        self.at.y.clear();
        self.at.y.extend_from_slice(start);
        let mut size = self.at.evaluate(c, count);
        let mut failures = 0;
        for _ in 0..T.bounded.polish_steps {
            if count.spent() {
                return;
            }
            count.iterations += 1;
            c.product(&self.at.g, &mut self.wg);
            count.product(c.n);
            count.flops += newton.direction(
                c,
                &self.at.der,
                (1.0, T.bounded.polish_eps - 1.0),
                (&self.at.g, &self.wg),
                &mut self.d,
            );
            let found = [1.0, 0.3, 0.1].into_iter().find_map(|a| {
                let next = self.try_step(c, a, count);
                (next < (1.0 - 0.01 * a) * size).then_some(next)
            });
            size = found.unwrap_or_else(|| {
                failures += 1;
                self.try_step(c, 1.0, count)
            });
            std::mem::swap(&mut self.at, &mut self.next);
            let r = best.keep(c, &self.at.y, count);
            if best.done() || failures >= patience || !r.is_finite() {
                return;
            }
        }
    }

    fn try_step(&mut self, c: &Canon, a: f64, count: &mut Count) -> f64 {
        self.next.y.clear();
        self.next.y.extend(self.at.y.iter().zip(&self.d).map(|(y, d)| y + a * d));
        self.next.evaluate(c, count)
    }
}

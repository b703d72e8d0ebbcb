//! The associated cone problem: min 1/2 y . W y + q . y over boxes and second-order cones, by proximal Newton.
//!
//! Convex and with an exact line search, so it always converges. Friction then dissipates as much as it can, but a
//! sliding contact is lifted by mu |v_t|. Exact where there is no friction.

use super::canon::{Canon, worse};
use super::driver::Count;
use super::law::{Law, project};
use super::newton::Newton;
use super::prox::Prox;
use crate::tuning::T;

/// Memory of the convex solve.
#[derive(Clone, Debug, Default)]
pub(super) struct Convex {
    /// The best point, admissible.
    pub y: Vec<f64>,
    /// Its natural map with the cone's own projection, m/s.
    pub residual: f64,
    yk: Vec<f64>,
    u: Vec<f64>,
    x: Vec<f64>,
    p: Vec<f64>,
}

impl Convex {
    /// Solves from `start` to `tolerance`.
    pub fn run(
        &mut self,
        c: &Canon,
        start: &[f64],
        tolerance: f64,
        prox: &mut Prox,
        newton: &mut Newton,
        count: &mut Count,
    ) {
        self.p.resize(c.n, 0.0);
        self.yk.resize(c.n, 0.0);
        project(c, Law::Cone, start, &mut self.yk);
        self.residual = self.natural(c, None, count);
        self.y.clone_from(&self.yk);
        let (mut eps, mut last) = (T.bounded.eps, self.residual);
        for _ in 0..T.convex.centres {
            if self.residual <= tolerance.max(c.floor(&self.y)) || count.spent() {
                return;
            }
            let aim = f64::max(0.1 * self.residual, 0.3 * tolerance);
            let settled = inner(c, &self.yk, eps, aim, prox, newton, count);
            let r = self.natural(c, Some(&prox.p), count);
            if r < self.residual {
                self.residual = r;
                self.y.clone_from(&prox.p);
            }
            if settled {
                self.yk.clone_from(&prox.p);
                if r > 0.1 * last {
                    eps = f64::max(0.1 * eps, T.convex.eps_least);
                }
                last = r;
            } else {
                eps = f64::min(30.0 * eps, T.bounded.eps_most);
                if r < last {
                    self.yk.clone_from(&prox.p);
                    last = r;
                }
            }
        }
    }

    /// |y - P(y - u)| in the units of the rows at y or at the centre.
    fn natural(&mut self, c: &Canon, y: Option<&[f64]>, count: &mut Count) -> f64 {
        let y = y.unwrap_or(&self.yk);
        c.velocity(y, &mut self.u);
        count.product(c.n);
        self.x.clear();
        self.x.extend(y.iter().zip(&self.u).map(|(y, u)| y - u));
        project(c, Law::Cone, &self.x, &mut self.p);
        let r = (0..c.n).map(|i| (y[i] - self.p[i]) * c.measure[i]).fold(0.0, worse);
        if r.is_finite() { r } else { f64::INFINITY }
    }
}

/// The problem about one centre; `prox.p` is the result.
fn inner(c: &Canon, yk: &[f64], eps: f64, aim: f64, prox: &mut Prox, newton: &mut Newton, count: &mut Count) -> bool {
    prox.begin(c, yk, count);
    let mut settled = false;
    for _ in 0..T.convex.steps {
        prox.map(c, Law::Cone, yk, eps);
        settled = prox.error(c, count) < aim;
        if settled || count.spent() {
            break;
        }
        prox.newton(c, eps, newton, count);
        let a = prox.exact_step(c, Law::Cone, yk, eps);
        prox.advance(a);
    }
    prox.map(c, Law::Cone, yk, eps);
    settled
}

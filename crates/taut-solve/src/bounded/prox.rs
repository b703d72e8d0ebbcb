//! Proximal Newton: the problem with the compliance eps about a centre yk, which is always well posed.
//!
//! ```text
//! yh = P(yk - u / eps),  u = W yh + q          (I + D W / eps) d = g,  g = P - yh,   yh += a d,  u += a W d
//! step    a = 1, 0.7, 0.49, ... 0.01: the least |g(a)| if it is below 0.97 |g|
//! else    frozen radii (Tresca: D symmetric, a convex potential), a by bisection on
//!         phi'(a) = d . W (yh + a d) - (W d) . P(a)
//! settled when |W g| in the units of the rows is below 0.1 of the best residual (or 0.3 of the tolerance)
//! ```
//!
//! The steps must lower |g|: full steps and steps that may raise it for a while were tried and cycle on redundant contacts.

use super::canon::{Canon, worse};
use super::chain;
use super::driver::{Best, Count};
use super::law::{Derivatives, Law, differentiate, project};
use super::newton::Newton;
use super::polish::norm;
use crate::dense::dot;
use crate::tuning::T;

/// Memory of the proximal step.
#[derive(Clone, Debug, Default)]
pub(super) struct Prox {
    /// The answer: P at the end, admissible.
    pub p: Vec<f64>,
    /// Newton steps it took.
    pub steps: usize,
    yh: Vec<f64>,
    u: Vec<f64>,
    g: Vec<f64>,
    x: Vec<f64>,
    d: Vec<f64>,
    du: Vec<f64>,
    wg: Vec<f64>,
    trial: Vec<f64>,
    radii: Vec<f64>,
    der: Derivatives,
}

impl Prox {
    /// Solves about `yk` with Coulomb friction; `p` is the result. True when settled.
    pub fn run(
        &mut self,
        c: &Canon,
        yk: &[f64],
        eps: f64,
        newton: &mut Newton,
        best: &Best,
        count: &mut Count,
    ) -> bool {
        let aim = f64::max(0.1 * best.residual, 0.3 * best.tolerance);
        self.settle(c, yk, eps, (aim, T.dense.steps), newton, count)
    }

    /// The same to a given error in a given number of steps.
    pub fn settle(
        &mut self,
        c: &Canon,
        yk: &[f64],
        eps: f64,
        (aim, most): (f64, usize),
        newton: &mut Newton,
        count: &mut Count,
    ) -> bool {
        self.begin(c, yk, count);
        let mut settled = false;
        self.steps = 0;
        while self.steps < most {
            self.map(c, Law::Coulomb, yk, eps);
            let error = self.error(c, count);
            settled = error < aim;
            // From what is no number no step leads on; a larger compliance may.
            if settled || !error.is_finite() || count.spent() {
                break;
            }
            self.steps += 1;
            self.newton(c, eps, newton, count);
            let a = self.search(c, yk, eps).unwrap_or_else(|| self.frozen(c, yk, eps, newton, count));
            self.advance(a);
        }
        self.shifted(yk, eps, 0.0);
        project(c, Law::Coulomb, &self.x, &mut self.p);
        c.admit(&mut self.p);
        settled
    }

    /// yh = yk.
    pub fn begin(&mut self, c: &Canon, yk: &[f64], count: &mut Count) {
        self.yh.clear();
        self.yh.extend_from_slice(yk);
        c.velocity(&self.yh, &mut self.u);
        count.product(c.n);
        for v in [&mut self.p, &mut self.g, &mut self.trial] {
            v.resize(c.n, 0.0);
        }
    }

    /// P, D and g = P - yh at the present u.
    pub fn map(&mut self, c: &Canon, law: Law<'_>, yk: &[f64], eps: f64) {
        self.shifted(yk, eps, 0.0);
        differentiate(c, law, &self.x, &mut self.p, &mut self.der);
        for ((g, p), y) in self.g.iter_mut().zip(&self.p).zip(&self.yh) {
            *g = p - y;
        }
    }

    /// |W g| in the units of the rows, infinite where an entry is no number; keeps W g for the Newton step.
    pub fn error(&mut self, c: &Canon, count: &mut Count) -> f64 {
        c.product(&self.g, &mut self.wg);
        count.product(c.n);
        let worst = self.wg.iter().zip(&c.measure).fold(0.0, |m, (w, s)| worse(m, w * s));
        if worst.is_finite() { worst } else { f64::INFINITY }
    }

    /// The Newton direction of the mapped point and W times it.
    pub fn newton(&mut self, c: &Canon, eps: f64, newton: &mut Newton, count: &mut Count) {
        count.iterations += 1;
        count.flops += newton.direction(c, &self.der, (1.0 / eps, 0.0), (&self.g, &self.wg), &mut self.d);
        newton.moved(c, &self.d, &mut self.du);
        count.product(c.n);
    }

    /// yh += a d, u += a W d.
    pub fn advance(&mut self, a: f64) {
        self.yh.iter_mut().zip(&self.d).for_each(|(y, d)| *y += a * d);
        self.u.iter_mut().zip(&self.du).for_each(|(u, d)| *u += a * d);
    }

    /// x = yk - (u + a du) / eps.
    fn shifted(&mut self, yk: &[f64], eps: f64, a: f64) {
        self.x.clear();
        if a == 0.0 {
            self.x.extend(yk.iter().zip(&self.u).map(|(y, u)| y - u / eps));
        } else {
            self.x.extend(yk.iter().zip(&self.u).zip(&self.du).map(|((y, u), d)| y - (u + a * d) / eps));
        }
    }

    /// The step length with the least |g|; none if it hardly falls.
    fn search(&mut self, c: &Canon, yk: &[f64], eps: f64) -> Option<f64> {
        let size = norm(&self.g);
        let (mut least, mut at, mut a) = (f64::INFINITY, 1.0, 1.0);
        while a > T.bounded.shortest {
            let next = self.size_at(c, yk, eps, a);
            if next < least {
                (least, at) = (next, a);
            } else if least < T.bounded.decrease * size {
                break;
            }
            a *= T.bounded.shorter;
        }
        (least < T.bounded.decrease * size).then_some(at)
    }

    /// |g| after the step a.
    fn size_at(&mut self, c: &Canon, yk: &[f64], eps: f64, a: f64) -> f64 {
        self.shifted(yk, eps, a);
        project(c, Law::Coulomb, &self.x, &mut self.trial);
        for ((t, y), d) in self.trial.iter_mut().zip(&self.yh).zip(&self.d) {
            *t -= y + a * d;
        }
        norm(&self.trial)
    }

    /// The direction with frozen radii and its step length.
    fn frozen(&mut self, c: &Canon, yk: &[f64], eps: f64, newton: &mut Newton, count: &mut Count) -> f64 {
        self.shifted(yk, eps, 0.0);
        let mut radii = std::mem::take(&mut self.radii);
        radii.clear();
        radii.extend(self.x.iter().map(|x| x.max(0.0)));
        chain::freeze(c, &self.p, &mut radii);
        self.map(c, Law::Tresca(&radii), yk, eps);
        self.error(c, count);
        self.newton(c, eps, newton, count);
        let a = self.exact_step(c, Law::Tresca(&radii), yk, eps);
        self.radii = radii;
        a
    }

    /// The step length at which the potential of a convex law is least.
    pub fn exact_step(&mut self, c: &Canon, law: Law<'_>, yk: &[f64], eps: f64) -> f64 {
        let (s0, s1) = (dot(&self.yh, &self.du), dot(&self.d, &self.du));
        let mut slope = |a: f64| {
            self.shifted(yk, eps, a);
            project(c, law, &self.x, &mut self.trial);
            s0 + a * s1 - dot(&self.du, &self.trial)
        };
        if slope(1.0) <= 0.0 {
            return 1.0;
        }
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..25 {
            let a = 0.5 * (low + high);
            if slope(a) > 0.0 {
                high = a;
            } else {
                low = a;
            }
        }
        0.5 * (low + high)
    }
}

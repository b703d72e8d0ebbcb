//! Which method when, for large clusters.
//!
//! ```text
//! residual of the warm start: within the tolerance, done
//! box rows alone: the convex problem, which is exact
//! else the hybrid of the dense solver: sweeps, polish, proximal Newton with polish; again from zero; then the convex problem
//! ```

use super::super::canon::{Canon, Cell};
use super::super::convex::Convex;
use super::super::driver::{Best, Count, nearest_to_zero};
use super::super::newton::Newton;
use super::super::polish::Polish;
use super::super::prox::Prox;
use super::super::sweep::sweeps;
use super::{SparseInfo, SparseParams, SparseProblem};

const SWEEPS: usize = 10;
const EPS: f64 = 1e-2;
/// The factor of the Newton matrix loses digits below.
const EPS_LEAST: f64 = 1e-6;
const EPS_MOST: f64 = 10.0;
/// Most Newton steps about one centre; up to `FEW` the compliance shrinks, above `MANY` it grows.
const STEPS: usize = 12;
const FEW: usize = 4;
const MANY: usize = 7;
/// The polish is tried below this residual, m/s, and again below this part of the one it failed at.
const POLISH_BELOW: f64 = 1e-4;
const POLISH_AGAIN: f64 = 0.03;
/// Steps of a polish that may fail.
const PATIENCE: usize = 3;

/// Memory of a solve, kept between solves; the elimination order and the pattern stay while the pairs of nodes do.
#[derive(Clone, Debug, Default)]
pub struct Work {
    canon: Canon,
    best: Best,
    count: Count,
    newton: Newton,
    prox: Prox,
    convex: Convex,
    polish: Polish,
    start: Vec<f64>,
    yk: Vec<f64>,
    from: Vec<f64>,
    u: Vec<f64>,
    kept: (f64, Vec<f64>),
}

/// See [`super::solve`].
pub(super) fn solve(
    p: &SparseProblem<'_>,
    params: &SparseParams,
    z: &mut [f64],
    x: &mut [f64],
    work: &mut Work,
) -> SparseInfo {
    let mut system = work.canon.sparse.take().unwrap_or_default();
    let layouts = system.layouts();
    let rows: usize = p.blocks.iter().map(|b| b.rows()).sum();
    let usable = z.len() == rows && x.len() == p.b.len() && system.load(p, &mut work.canon);
    work.canon.sparse = Some(system);
    if !usable {
        nearest_to_zero(p.blocks, z);
        x.fill(0.0);
        return SparseInfo { residual: f64::INFINITY, ..Default::default() };
    }
    work.count = Count { limit: params.max_iterations, ..Default::default() };
    work.newton.sparse.reset();
    work.best.reset(params.tolerance.max(0.0));
    work.canon.start(z, &mut work.start);
    work.best.keep(&work.canon, &work.start, &mut work.count);
    let convex = !work.best.done() && work.run(p, params);
    work.finish(p, z, x, convex, layouts)
}

impl Work {
    /// From a warm start that is not good enough; true when the answer is that of the associated cone problem.
    fn run(&mut self, p: &SparseProblem<'_>, params: &SparseParams) -> bool {
        if let Some(s) = &mut self.canon.sparse {
            s.prepare(p);
        }
        let friction = self.canon.cells.iter().any(|cell| matches!(cell, Cell::Cone { t, .. } if *t > 0.0));
        if !friction {
            self.run_convex();
            if self.best.done() {
                return false;
            }
        }
        self.hybrid();
        if friction && self.best.residual > params.accept && !self.best.done() {
            self.count.limit = self.count.iterations + params.max_iterations;
            self.best.reset(self.best.tolerance);
            self.run_convex();
            return true;
        }
        false
    }

    fn run_convex(&mut self) {
        let c = &self.canon;
        self.convex.run(c, &self.start, self.best.tolerance, &mut self.prox, &mut self.newton, &mut self.count);
        self.best.keep(c, &self.convex.y, &mut self.count);
    }

    fn hybrid(&mut self) {
        let start = std::mem::take(&mut self.start);
        self.attempt(&start);
        if !self.best.done() && !self.count.spent() && start.iter().any(|&y| y != 0.0) {
            let mut zero = vec![0.0; self.canon.n];
            self.canon.admit(&mut zero);
            // A second start must not be captured by what the first one found.
            self.kept.0 = self.best.residual;
            std::mem::swap(&mut self.kept.1, &mut self.best.y);
            self.best.reset(self.best.tolerance);
            self.best.keep(&self.canon, &zero, &mut self.count);
            self.attempt(&zero);
            if self.kept.0 < self.best.residual {
                self.best.residual = self.kept.0;
                std::mem::swap(&mut self.kept.1, &mut self.best.y);
            }
        }
        self.start = start;
    }

    fn attempt(&mut self, start: &[f64]) {
        let c = &self.canon;
        let mut yk = std::mem::take(&mut self.yk);
        yk.clear();
        yk.extend_from_slice(start);
        for _ in 0..2 {
            sweeps(c, &mut yk, &mut self.u, SWEEPS / 2, &mut self.best, &mut self.count);
            if self.best.done() {
                self.yk = yk;
                return;
            }
        }
        yk.clone_from(&self.best.y);
        self.polish.run(c, &yk, PATIENCE, &mut self.newton, &mut self.best, &mut self.count);
        if !self.best.done() {
            yk.clone_from(&self.best.y);
            self.proximal(&mut yk);
        }
        self.yk = yk;
    }

    /// The proximal loop from the centre yk. The compliance follows the number of steps that the last centre took: few, and it
    /// shrinks; many, or no end, and it grows. Dividing it by ten whenever the gain is poor, as for small problems, spends most
    /// steps on centres that never settle here. Neither over-relaxed nor accelerated centres nor sweeps on them help.
    fn proximal(&mut self, yk: &mut Vec<f64>) {
        let (mut eps, mut rk, mut polish_below) = (EPS, self.best.residual, POLISH_BELOW);
        while !self.count.spent() {
            let c = &self.canon;
            let aim = 0.3 * self.best.residual.max(self.best.tolerance);
            let settled = self.prox.settle(c, yk, eps, (aim, STEPS), &mut self.newton, &mut self.count);
            let r = self.best.keep(c, &self.prox.p, &mut self.count);
            if self.best.residual < polish_below {
                // Where it fails it is not tried again until much nearer.
                polish_below = POLISH_AGAIN * self.best.residual;
                self.start_polish(r);
            }
            let c = &self.canon;
            if self.best.done() {
                return;
            }
            if !settled {
                eps = f64::min(4.0 * eps, EPS_MOST);
                if r < rk {
                    yk.clone_from(&self.prox.p);
                }
                rk = sweeps(c, yk, &mut self.u, SWEEPS / 2, &mut self.best, &mut self.count);
                continue;
            }
            rk = r;
            yk.clone_from(if self.best.residual < 0.1 * r { &self.best.y } else { &self.prox.p });
            if self.prox.steps <= FEW {
                eps = f64::max(0.5 * eps, EPS_LEAST);
            } else if self.prox.steps > MANY {
                eps = f64::min(1.5 * eps, EPS_MOST);
            }
        }
    }

    /// Polish from the last centre's answer, with residual r, or from the best point if that is much better.
    fn start_polish(&mut self, r: f64) {
        let mut from = std::mem::take(&mut self.from);
        from.clone_from(if r < 10.0 * self.best.residual { &self.prox.p } else { &self.best.y });
        self.polish.run(&self.canon, &from, PATIENCE, &mut self.newton, &mut self.best, &mut self.count);
        self.from = from;
    }

    /// The best point and its unknowns; the residual is measured once more.
    fn finish(
        &mut self,
        p: &SparseProblem<'_>,
        z: &mut [f64],
        x: &mut [f64],
        convex: bool,
        layouts: usize,
    ) -> SparseInfo {
        let c = &self.canon;
        c.velocity(&self.best.y, &mut self.u);
        c.finish(&self.best.y, z);
        let residual = c.residual(&self.best.y, &self.u);
        let mut info = SparseInfo {
            residual,
            converged: residual <= self.best.tolerance || (self.best.done() && residual <= 2.0 * self.best.residual),
            convex,
            iterations: self.count.iterations,
            sweeps: self.count.sweeps,
            factors: self.newton.sparse.factors,
            block_products: self.newton.sparse.block_products,
            ..Default::default()
        };
        if let Some(s) = &c.sparse {
            s.write(p, x);
            info.products = s.products.get();
            info.new_layout = s.layouts() != layouts;
        }
        info
    }
}

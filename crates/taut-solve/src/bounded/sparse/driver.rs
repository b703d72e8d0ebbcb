//! Which method when, for large clusters.
//!
//! ```text
//! residual of the warm start: within the tolerance, done (no Newton layout, no sparse factor)
//! box rows alone: the convex problem, which is exact
//! else, for the warm start, then (where that failed) twice for zero:
//!   10 sweeps, polish from the best point
//!   repeat: proximal solve about a centre with the compliance eps; polish once the residual is small
//!     settled      the centre moves; eps halves after a quick solve, grows by half after a slow one
//!     not settled  eps grows fourfold, the centre is swept 5 times
//! above `accept`: the convex problem
//! ```
//!
//! Measured on piles of 55 to 210 boxes thrown about, tilted and at rest, and on random trees: sweeps alone, accelerated or not,
//! stay at millimetres per second after a thousand; an interior-point method with the De Saxce shift loses its way at a
//! centimetre per second. A pile at rest needs 3 to 12 steps from zero and none from its last impulses.

use super::super::canon::{Canon, Cell};
use super::super::convex::Convex;
use super::super::driver::{Best, Count, nearest_to_zero};
use super::super::newton::Newton;
use super::super::polish::Polish;
use super::super::prox::Prox;
use super::super::sweep::sweeps;
use super::{Block, SparseInfo, SparseParams, SparseProblem};
use crate::tuning::T;

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
    /// Block products of a Newton step.
    dear: usize,
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
    // Ropes with friction need W.
    let ropes = p.blocks.iter().any(|b| matches!(b, Block::Span { .. }));
    let usable = !ropes && z.len() == rows && x.len() == p.b.len() && system.load(p, &mut work.canon);
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
    let rested = work.best.done();
    let convex = !rested && work.run(p, params);
    if !rested {
        // The unknowns of the best point; those of the warm start are still there.
        work.canon.velocity(&work.best.y, &mut work.u);
        work.best.residual = work.canon.honest_residual(&work.best.y, &work.u);
    }
    work.finish(p, z, x, convex, layouts)
}

impl Work {
    /// From a warm start that is not good enough; true when the answer is that of the associated cone problem.
    fn run(&mut self, p: &SparseProblem<'_>, params: &SparseParams) -> bool {
        if let Some(s) = &mut self.canon.sparse {
            s.prepare(p);
            self.dear = s.newton.products();
        }
        // A solve that is cut short keeps its best point, whatever that is.
        let affordable = Some(T.sparse.work / self.dear.max(1)).filter(|&n| n >= T.sparse.least_steps).unwrap_or(0);
        let accept = if affordable < params.max_iterations { f64::INFINITY } else { params.accept };
        self.count.limit = params.max_iterations.min(affordable);
        let friction = self.canon.cells.iter().any(|cell| matches!(cell, Cell::Cone { t, .. } if *t > 0.0));
        if !friction {
            self.run_convex();
            if self.best.done() {
                return false;
            }
        }
        self.hybrid(p, params.easier);
        if friction && self.best.residual > accept && !self.best.done() {
            self.count.limit = self.count.iterations + params.max_iterations;
            self.kept.0 = self.best.residual;
            std::mem::swap(&mut self.kept.1, &mut self.best.y);
            self.best.reset(self.best.tolerance);
            self.run_convex();
            if self.convex.residual <= accept.max(self.best.tolerance) {
                return true;
            }
            // Without a convex solution either (joints that hold a body inside an obstacle) the point stays.
            self.best.residual = self.kept.0;
            std::mem::swap(&mut self.kept.1, &mut self.best.y);
        }
        false
    }

    fn run_convex(&mut self) {
        let c = &self.canon;
        self.convex.run(c, &self.start, self.best.tolerance, &mut self.prox, &mut self.newton, &mut self.count);
        self.best.keep(c, &self.convex.y, &mut self.count);
    }

    /// From the warm start, then from zero, then from zero with another compliance.
    fn hybrid(&mut self, p: &SparseProblem<'_>, easier: [(usize, f64); 4]) {
        let mut start = std::mem::take(&mut self.start);
        let warm = start.iter().any(|&y| y != 0.0);
        // With joints, sweeps are dear, and do little for a point that is already near.
        if self.best.residual > T.bounded.polish_below || p.matrix.couplings.is_empty() {
            self.prepare_sweeps(p);
        }
        self.attempt(&start, T.bounded.eps, easier);
        for (eps, wanted) in [(T.bounded.eps, warm), (T.bounded.eps_other, true)] {
            if self.best.done() || self.count.spent() || !wanted {
                continue;
            }
            self.prepare_sweeps(p);
            start.fill(0.0);
            self.canon.admit(&mut start);
            // Another attempt must not be captured by what the one before found.
            self.kept.0 = self.best.residual;
            std::mem::swap(&mut self.kept.1, &mut self.best.y);
            self.best.reset(self.best.tolerance);
            self.best.keep(&self.canon, &start, &mut self.count);
            self.attempt(&start, eps, easier);
            if self.kept.0 < self.best.residual {
                self.best.residual = self.kept.0;
                std::mem::swap(&mut self.kept.1, &mut self.best.y);
            }
        }
        self.start = start;
    }

    fn prepare_sweeps(&mut self, p: &SparseProblem<'_>) {
        if let Some(s) = &mut self.canon.sparse {
            s.prepare_sweeps(p.matrix.dims);
        }
    }

    fn attempt(&mut self, start: &[f64], eps: f64, easier: [(usize, f64); 4]) {
        let c = &self.canon;
        let mut yk = std::mem::take(&mut self.yk);
        yk.clear();
        yk.extend_from_slice(start);
        let most = (self.dear / T.sparse.products_per_sweep).clamp(T.bounded.sweeps, T.sparse.most_sweeps);
        let mut last = f64::INFINITY;
        for round in 1..=2 * most / T.bounded.sweeps {
            let r = sweeps(c, &mut yk, &mut self.u, T.bounded.sweeps / 2, &mut self.best, &mut self.count);
            if self.best.done() || settled_for(&mut self.best, 0, easier) {
                self.yk = yk;
                return;
            }
            if round % 2 == 0 {
                if r > 0.7 * last && self.count.limit > 0 {
                    break;
                }
                last = r;
            }
        }
        yk.clone_from(&self.best.y);
        let patience = if self.best.residual < T.bounded.polish_below { T.bounded.polish_patience } else { 1 };
        self.polish.run(c, &yk, patience, &mut self.newton, &mut self.best, &mut self.count);
        if !self.best.done() {
            yk.clone_from(&self.best.y);
            self.proximal(&mut yk, eps, easier);
        }
        self.yk = yk;
    }

    /// The proximal loop from the centre yk. The compliance follows the number of steps that the last centre took: few, and it
    /// shrinks; many, or no end, and it grows. Dividing it by ten whenever the gain is poor, as for small problems, spends most
    /// steps on centres that never settle here. Neither over-relaxed nor accelerated centres nor sweeps on them help.
    fn proximal(&mut self, yk: &mut Vec<f64>, mut eps: f64, easier: [(usize, f64); 4]) {
        let (mut rk, mut polish_below) = (self.best.residual, T.bounded.polish_below);
        // Centres that settle without a step count as one: where the residual is beyond all numbers, or within rounding, all of them do.
        let mut idle = 0;
        let mut halved = (self.best.residual, self.count.iterations);
        while !self.count.spent() {
            if settled_for(&mut self.best, self.count.iterations, easier) {
                return;
            }
            if self.best.residual < 0.5 * halved.0 {
                halved = (self.best.residual, self.count.iterations + idle);
            } else if self.count.iterations + idle - halved.1 > T.sparse.stalled {
                return;
            }
            let c = &self.canon;
            let aim = 0.3 * self.best.residual.max(self.best.tolerance);
            let settled = self.prox.settle(c, yk, eps, (aim, T.sparse.steps), &mut self.newton, &mut self.count);
            idle += usize::from(self.prox.steps == 0);
            let r = self.best.keep(c, &self.prox.p, &mut self.count);
            if self.best.residual < polish_below {
                // Where it fails it is not tried again until much nearer.
                polish_below = T.sparse.polish_again * self.best.residual;
                self.start_polish(r);
            }
            let c = &self.canon;
            if self.best.done() {
                return;
            }
            if !settled {
                eps = f64::min(4.0 * eps, T.bounded.eps_most);
                if r < rk {
                    yk.clone_from(&self.prox.p);
                }
                rk = sweeps(c, yk, &mut self.u, T.bounded.sweeps / 2, &mut self.best, &mut self.count);
                continue;
            }
            rk = r;
            yk.clone_from(if self.best.residual < 0.1 * r { &self.best.y } else { &self.prox.p });
            if self.prox.steps <= T.sparse.few {
                eps = f64::max(0.5 * eps, T.sparse.eps_least);
            } else if self.prox.steps > T.sparse.many {
                eps = f64::min(1.5 * eps, T.bounded.eps_most);
            }
        }
    }

    /// Polish from the last centre's answer, with residual r, or from the best point if that is much better.
    fn start_polish(&mut self, r: f64) {
        let mut from = std::mem::take(&mut self.from);
        from.clone_from(if r < 10.0 * self.best.residual { &self.prox.p } else { &self.best.y });
        self.polish.run(
            &self.canon,
            &from,
            T.bounded.polish_patience,
            &mut self.newton,
            &mut self.best,
            &mut self.count,
        );
        self.from = from;
    }

    /// Writes the best point and its unknowns.
    fn finish(
        &mut self,
        p: &SparseProblem<'_>,
        z: &mut [f64],
        x: &mut [f64],
        convex: bool,
        layouts: usize,
    ) -> SparseInfo {
        let c = &self.canon;
        c.finish(&self.best.y, z);
        let mut info = SparseInfo {
            residual: self.best.residual,
            converged: self.best.exact(),
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

/// Whether the best point is good enough for the steps it took.
fn settled_for(best: &mut Best, taken: usize, easier: [(usize, f64); 4]) -> bool {
    for (steps, enough) in easier {
        if taken >= steps {
            best.settle_for(enough);
        }
    }
    best.done()
}

//! The hybrid and the choice among the methods.
//!
//! ```text
//! many box rows between their bounds: they are eliminated first (`reduced`)
//! for the warm start, then (where that failed) twice for zero:
//!   10 sweeps, polish from the best point
//!   repeat: proximal solve about a centre with the compliance eps, polish from it where that promises something
//!     settled      the centre moves; eps falls to a tenth after a quick solve, to 0.3 after a slow one
//!     not settled  eps grows tenfold, the centre is swept 5 times
//! 300 accelerated sweeps, polish
//! above `accept`: the convex problem
//! ```
//!
//! Why eps must fall: where contacts are redundant, a residual u moves the impulses by u / eps along the null space of W
//! in every solve, at constant speed, until some contact opens or slips. With small eps the Newton steps meet many such
//! changes at once, so it falls no faster than they can follow.

use super::canon::{Canon, Cell};
use super::convex::Convex;
use super::newton::Newton;
use super::polish::Polish;
use super::prox::Prox;
use super::sweep::{Anderson, sweeps};
use super::{Block, Info, Method, Params, Problem, Work, active_set, chain, pivoting};
use crate::tuning::T;

/// What was spent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Count {
    pub iterations: usize,
    pub sweeps: usize,
    pub flops: f64,
    pub limit: usize,
}

impl Count {
    pub fn product(&mut self, n: usize) {
        self.flops += 2.0 * (n * n) as f64;
    }

    pub fn spent(&self) -> bool {
        self.iterations >= self.limit
    }

    /// Adds what another solve has spent.
    pub fn add(&mut self, other: Count) {
        self.iterations += other.iterations;
        self.sweeps += other.sweeps;
        self.flops += other.flops;
    }
}

/// The best admissible point seen.
#[derive(Clone, Debug, Default)]
pub(super) struct Best {
    pub residual: f64,
    pub y: Vec<f64>,
    pub tolerance: f64,
    /// Tolerance or rounding floor at y, m/s.
    aim: f64,
    /// What is good enough by now, m/s.
    enough: f64,
    trial: Vec<f64>,
    u: Vec<f64>,
}

impl Best {
    pub fn reset(&mut self, tolerance: f64) {
        (self.residual, self.tolerance, self.aim, self.enough) = (f64::INFINITY, tolerance, tolerance, 0.0);
        self.y.clear();
    }

    /// The point is as exact as was asked for.
    pub fn exact(&self) -> bool {
        self.residual <= self.aim
    }

    pub fn done(&self) -> bool {
        self.residual <= self.aim.max(self.enough)
    }

    /// From now on this residual is good enough, m/s.
    pub fn settle_for(&mut self, enough: f64) {
        self.enough = enough;
    }

    /// Projects y, measures it, keeps it if it is better; returns its residual, m/s.
    pub fn keep(&mut self, c: &Canon, y: &[f64], count: &mut Count) -> f64 {
        let mut trial = std::mem::take(&mut self.trial);
        let mut u = std::mem::take(&mut self.u);
        trial.clear();
        trial.extend_from_slice(y);
        c.admit(&mut trial);
        c.velocity(&trial, &mut u);
        count.product(c.n);
        let r = self.offer(c, &trial, &u, count);
        (self.trial, self.u) = (trial, u);
        r
    }

    /// The same for an admissible y with its velocity u.
    pub fn offer(&mut self, c: &Canon, y: &[f64], u: &[f64], count: &mut Count) -> f64 {
        let r = c.honest_residual(y, u);
        // The first is kept even where its residual is no number, so that there is a point; the step then fails in words.
        if r < self.residual || self.y.len() != y.len() {
            self.residual = if r.is_nan() { f64::INFINITY } else { r };
            self.y.clear();
            self.y.extend_from_slice(y);
            if r > self.tolerance && r < T.dense.floor_below {
                self.aim = self.tolerance.max(c.floor(y).min(T.dense.most_floor));
                count.product(c.n);
            }
        }
        r
    }
}

/// Memory of the hybrid.
#[derive(Clone, Debug, Default)]
pub(super) struct Hybrid {
    pub best: Best,
    pub newton: Newton,
    pub prox: Prox,
    pub convex: Convex,
    polish: Polish,
    anderson: Anderson,
    pub start: Vec<f64>,
    yk: Vec<f64>,
    from: Vec<f64>,
    u: Vec<f64>,
    kept: (f64, Vec<f64>),
}

impl Hybrid {
    fn run(&mut self, c: &Canon, count: &mut Count) {
        let mut start = std::mem::take(&mut self.start);
        self.attempt(c, &start, T.bounded.eps, count);
        let warm = start.iter().any(|&y| y != 0.0);
        for (eps, wanted) in [(T.bounded.eps, warm), (T.bounded.eps_other, true)] {
            if self.best.done() || count.spent() || !wanted {
                continue;
            }
            start.fill(0.0);
            c.admit(&mut start);
            // Another attempt must not be captured by what the one before found.
            self.kept.0 = self.best.residual;
            std::mem::swap(&mut self.kept.1, &mut self.best.y);
            self.best.reset(self.best.tolerance);
            self.attempt(c, &start, eps, count);
            if self.kept.0 < self.best.residual {
                self.best.residual = self.kept.0;
                std::mem::swap(&mut self.kept.1, &mut self.best.y);
            }
        }
        if !self.best.done() {
            self.anderson.run(c, T.dense.last_sweeps, &mut self.best, count);
            self.from.clone_from(&self.best.y);
            self.polish.run(c, &self.from, T.bounded.polish_patience, &mut self.newton, &mut self.best, count);
        }
        self.start = start;
    }

    fn attempt(&mut self, c: &Canon, start: &[f64], eps: f64, count: &mut Count) {
        self.best.keep(c, start, count);
        if self.best.done() {
            return;
        }
        let mut yk = std::mem::take(&mut self.yk);
        yk.clear();
        yk.extend_from_slice(start);
        self.first_sweeps(c, &mut yk, count);
        if !self.best.done() {
            yk.clone_from(&self.best.y);
            self.polish.run(c, &yk, T.bounded.polish_patience, &mut self.newton, &mut self.best, count);
        }
        if !self.best.done() {
            yk.clone_from(&self.best.y);
            self.proximal(c, &mut yk, eps, count);
        }
        self.yk = yk;
    }

    /// Ten sweeps; ten more where there are few contacts and the sweeps converge fast.
    fn first_sweeps(&mut self, c: &Canon, yk: &mut [f64], count: &mut Count) {
        let contacts = c.cells.iter().filter(|cell| matches!(cell, Cell::Cone { .. })).count();
        let mut last = self.best.residual;
        for round in 0..4 {
            let r = sweeps(c, yk, &mut self.u, T.bounded.sweeps / 2, &mut self.best, count);
            if self.best.done() || (round > 0 && (contacts > T.dense.few || r > 0.03 * last)) {
                return;
            }
            last = r;
        }
    }

    /// The proximal loop from the centre yk.
    fn proximal(&mut self, c: &Canon, yk: &mut Vec<f64>, mut eps: f64, count: &mut Count) {
        let mut rk = self.best.residual;
        for _ in 0..T.dense.centres {
            let settled = self.prox.run(c, yk, eps, &mut self.newton, &self.best, count);
            let r = self.best.keep(c, &self.prox.p, count);
            let quick = self.prox.steps <= T.dense.quick;
            if settled && (self.best.residual < T.bounded.polish_below || self.prox.steps < T.dense.quick - 1) {
                let near = r < 10.0 * self.best.residual;
                self.from.clone_from(if near { &self.prox.p } else { &self.best.y });
                let patience = if self.prox.steps < T.dense.quick { T.bounded.polish_patience } else { 1 };
                self.polish.run(c, &self.from, patience, &mut self.newton, &mut self.best, count);
            }
            if self.best.done() || count.spent() {
                return;
            }
            if settled {
                rk = r;
                yk.clone_from(if self.best.residual < 0.1 * r { &self.best.y } else { &self.prox.p });
                eps = f64::max(if quick { 0.1 } else { 0.3 } * eps, T.dense.eps_least);
            } else {
                eps = f64::min(10.0 * eps, T.bounded.eps_most);
                if r < rk {
                    yk.clone_from(&self.prox.p);
                }
                rk = sweeps(c, yk, &mut self.u, T.bounded.sweeps / 2, &mut self.best, count);
            }
        }
    }
}

/// Solves by the method that fits; see [`super::solve`].
pub(super) fn solve(p: &Problem<'_>, params: &Params, z: &mut [f64], work: &mut Work) -> Info {
    if chain::is_in(p) {
        return chain::unfolded(p, z, work, |p, z, work| solve_plain(p, params, z, work));
    }
    if matches!(params.method, Method::Auto | Method::Newton) {
        return solve_reduced(p, params, z, work);
    }
    solve_plain(p, params, z, work)
}

/// The same without the rows that are equations (`reduced`), as often as some of them turn out to be none, then the whole.
fn solve_reduced(p: &Problem<'_>, params: &Params, z: &mut [f64], work: &mut Work) -> Info {
    let mut own = std::mem::take(&mut work.reduced);
    let (mut spent, mut found) = (Count::default(), None);
    let left =
        |spent: Count| Params { max_iterations: params.max_iterations.saturating_sub(spent.iterations), ..*params };
    let mut rounds = if own.begin(p, z) { T.dense.eliminations } else { 0 };
    while rounds > 0 && found.is_none() {
        rounds -= 1;
        let info = own.solve(p, z, |part, z| solve_plain(part, &left(spent), z, work));
        spent.add(work.count);
        found = own.unload(p, z).then_some(info);
    }
    work.reduced = own;
    let info = match found {
        Some(info) if measure(p, params, z, work) && (work.hybrid.best.done() || !info.converged) => {
            let best = &work.hybrid.best;
            Info { residual: best.residual, converged: best.done(), ..info }
        }
        _ => solve_plain(p, &left(spent), z, work),
    };
    work.count.add(spent);
    Info { iterations: work.count.iterations, sweeps: work.count.sweeps, ..info }
}

/// Makes z the best point, with its residual; false for input that cannot be solved.
fn measure(p: &Problem<'_>, params: &Params, z: &[f64], work: &mut Work) -> bool {
    work.count = Count::default();
    if !work.canon.load(p) {
        return false;
    }
    let h = &mut work.hybrid;
    work.canon.start(z, &mut h.start);
    h.best.reset(params.tolerance.max(0.0));
    h.best.keep(&work.canon, &h.start, &mut work.count);
    true
}

/// The same, all rows at once, ropes by their differences.
fn solve_plain(p: &Problem<'_>, params: &Params, z: &mut [f64], work: &mut Work) -> Info {
    work.count = Count { limit: params.max_iterations, ..Default::default() };
    if z.len() != p.q.len() || !work.canon.load(p) {
        nearest_to_zero(p.blocks, z);
        return info(work, f64::INFINITY, false, false, params.method);
    }
    let c = &work.canon;
    c.start(z, &mut work.hybrid.start);
    let friction = c.cells.iter().any(|cell| match cell {
        Cell::Box { .. } => false,
        Cell::Cone { t, .. } => *t > 0.0,
        Cell::Chain { .. } => true,
    });
    let tolerance = params.tolerance.max(0.0);
    work.hybrid.best.reset(tolerance);
    let mut convex = false;
    let method = match (params.method, friction) {
        (Method::Pgs { sweeps }, _) => gauss_seidel(work, sweeps),
        (Method::Convex, _) => {
            convex = friction;
            run_convex(work, tolerance)
        }
        (Method::Pivoting, false) => pivoting::run(work).unwrap_or_else(|| {
            work.count.limit += work.count.iterations;
            run_hybrid(work)
        }),
        (Method::ActiveSet, false) => active_set::run(work),
        (Method::Auto, false) => boxes(work, tolerance),
        _ => {
            let method = run_hybrid(work);
            tighten(work);
            convex = friction && fall_back(work, params, tolerance);
            if convex { Method::Convex } else { method }
        }
    };
    let best = &work.hybrid.best;
    work.canon.finish(&best.y, z);
    let (residual, done) = (best.residual, best.done());
    info(work, residual, done, convex, method)
}

/// Box rows alone: pivoting where W is positive definite, else the convex problem, which is then exact, else the hybrid.
fn boxes(work: &mut Work, tolerance: f64) -> Method {
    if let Some(method) = pivoting::run(work) {
        return method;
    }
    // What the first method spent is not taken from the next.
    let limit = work.count.limit;
    work.count.limit = work.count.iterations + limit;
    run_convex(work, tolerance);
    if work.hybrid.best.done() {
        return Method::Convex;
    }
    work.count.limit = work.count.iterations + limit;
    run_hybrid(work)
}

/// Puts the convex solution in the place of a point above `accept`; true when it did. A problem whose convex form has no
/// solution either (joints that hold a body inside an obstacle) keeps the point: the convex impulses only grow there.
fn fall_back(work: &mut Work, params: &Params, tolerance: f64) -> bool {
    // The friction of ropes has no convex form that keeps their length.
    let ropes = !work.canon.slopes.is_empty();
    if ropes || work.hybrid.best.done() || work.hybrid.best.residual <= params.accept {
        return false;
    }
    work.count.limit += work.count.iterations;
    let point = std::mem::take(&mut work.hybrid.best.y);
    let residual = work.hybrid.best.residual;
    run_convex(work, tolerance);
    let solved = work.hybrid.convex.residual <= params.accept.max(tolerance);
    if !solved {
        (work.hybrid.best.y, work.hybrid.best.residual) = (point, residual);
    }
    solved
}

fn run_hybrid(work: &mut Work) -> Method {
    work.hybrid.run(&work.canon, &mut work.count);
    Method::Newton
}

/// Ropes whose friction is so strong that the hybrid fails: the friction grows from little, each solution the start of the next.
fn tighten(work: &mut Work) {
    let Work { canon: c, hybrid: h, count, .. } = work;
    if c.slopes.is_empty() || h.best.done() {
        return;
    }
    count.limit += count.iterations;
    let full = std::mem::take(&mut c.slopes);
    let steps = 1_usize << T.bounded.tighten_halvings;
    // x to the power of step over steps.
    let part = |x: f64, step: usize| {
        let root = (0..T.bounded.tighten_halvings).fold(x, |x, _| x.sqrt());
        (0..step).fold(1.0, |power, _| power * root)
    };
    h.kept.0 = h.best.residual;
    std::mem::swap(&mut h.kept.1, &mut h.best.y);
    let tolerance = h.best.tolerance;
    h.yk.clear();
    h.yk.resize(c.n, 0.0);
    for step in 1..=steps {
        c.slopes.clear();
        c.slopes.extend(full.iter().map(|s| s.map(|s| if step == steps { s } else { part(1.0 + s, step) - 1.0 })));
        h.best.reset(tolerance);
        h.best.keep(c, &h.yk, count);
        h.polish.run(c, &h.yk, T.bounded.polish_patience, &mut h.newton, &mut h.best, count);
        if !h.best.done() {
            h.yk.clone_from(&h.best.y);
            let start = std::mem::take(&mut h.yk);
            h.attempt(c, &start, T.bounded.eps, count);
        }
        h.yk.clone_from(&h.best.y);
    }
    c.slopes = full;
    if h.kept.0 < h.best.residual {
        h.best.residual = h.kept.0;
        std::mem::swap(&mut h.kept.1, &mut h.best.y);
    }
}

/// The convex solution replaces the best point.
fn run_convex(work: &mut Work, tolerance: f64) -> Method {
    let (h, c) = (&mut work.hybrid, &work.canon);
    h.convex.run(c, &h.start, tolerance, &mut h.prox, &mut h.newton, &mut work.count);
    h.best.reset(tolerance);
    h.best.keep(c, &h.convex.y, &mut work.count);
    Method::Convex
}

fn gauss_seidel(work: &mut Work, limit: usize) -> Method {
    let (h, c) = (&mut work.hybrid, &work.canon);
    h.best.keep(c, &h.start, &mut work.count);
    h.yk.clone_from(&h.start);
    let mut left = limit;
    while left > 0 && !h.best.done() {
        let now = left.min(T.bounded.sweeps / 2);
        sweeps(c, &mut h.yk, &mut h.u, now, &mut h.best, &mut work.count);
        left -= now;
    }
    Method::Pgs { sweeps: limit }
}

/// The admissible impulse nearest to zero, for input that cannot be solved.
pub(super) fn nearest_to_zero(blocks: &[Block], z: &mut [f64]) {
    z.fill(0.0);
    let mut row = 0;
    for block in blocks {
        if let (Block::Box { lo, hi }, Some(z)) = (block, z.get_mut(row)) {
            let value = super::canon::clip(0.0, *lo, *hi);
            *z = if value.is_finite() { value } else { 0.0 };
        }
        row += block.rows();
    }
}

fn info(work: &Work, residual: f64, converged: bool, convex: bool, method: Method) -> Info {
    let Count { iterations, sweeps, .. } = work.count;
    Info { residual, iterations, sweeps, converged, convex, method }
}

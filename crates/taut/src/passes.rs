//! The solve of one island: load first, re-solve when the forces jump, correct when resolved.
//!
//! The stabiliser reads the multipliers of the last step. When a load snaps taut those are far too small, so after the solve
//! the stiffness is rebuilt from the new multipliers at the same pose and the system solved again, at most `T.passes.most` times.
//! The same loop finds the load of new joints before their first step counts.

pub(crate) mod anytime;
mod cluster;
mod coordinates;
pub(crate) mod islands;
mod papers;
pub(crate) mod snap;
mod stall;

use crate::plan::Plan;
use crate::profile::Stage;
use crate::solve::structured::Purpose;
use crate::stabilise::aligned::{Cap, Stiffness};
use crate::stabilise::{aligned, curvature, resolved};
use crate::state::State;
use crate::system::kkt;
use crate::system::linear::{self, Failure};
use crate::system::structured;
use crate::topology::{Island, Source, Topology};
use crate::tuning::T;
use crate::workspace::Scales;
use crate::workspace::Workspace;
use crate::workspace::inputs::Given;
use glam::DVec3;

/// What solving a step did.
pub(crate) struct Solved {
    pub counts: Counts,
    pub reached: Option<anytime::Reached>,
}

/// Solves all islands and finds their new poses.
pub(crate) fn solve(task: &Task<'_>, ws: &mut Workspace) -> Result<Solved, Failure> {
    ws.check_residual = task.state.steps.is_multiple_of(T.passes.residual_every);
    for flags in [&mut ws.posed, &mut ws.snapped, &mut ws.probed, &mut ws.kicked] {
        flags.fill(false);
    }
    anytime::begin(task, ws);
    let counts = islands::solve(task, ws)?;
    let reached = anytime::finish(task, ws)?;
    Ok(Solved { counts, reached })
}

/// Counters of one island's solve, or of several.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    pub factorisations: usize,
    pub right_hand_sides: usize,
    pub refinements: usize,
    pub iterations: usize,
    pub dropped: usize,
    pub smallest_pivot: f64,
    pub residual: f64,
    /// Passes of the island or cluster.
    pub deepest: usize,
}

/// What a solve of one island reads.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub t: &'a Given<'a>,
    pub plan: &'a Plan,
    pub state: &'a State,
    /// The island.
    pub k: usize,
    /// Step, s.
    pub h: f64,
}

impl Default for Counts {
    fn default() -> Self {
        Counts {
            factorisations: 0,
            right_hand_sides: 0,
            refinements: 0,
            iterations: 0,
            dropped: 0,
            smallest_pivot: f64::INFINITY,
            residual: 0.0,
            deepest: 0,
        }
    }
}

impl Counts {
    /// Takes in those of another island; the order does not matter.
    pub fn add(&mut self, c: &Counts) {
        self.factorisations += c.factorisations;
        self.right_hand_sides += c.right_hand_sides;
        self.refinements += c.refinements;
        self.iterations += c.iterations;
        self.dropped += c.dropped;
        self.smallest_pivot = self.smallest_pivot.min(c.smallest_pivot);
        self.residual = self.residual.max(c.residual);
        self.deepest = self.deepest.max(c.deepest);
    }
}

/// The scalars of the matrix of an island, with the share of A that is switched off now.
fn scales(task: &Task<'_>, k: usize, ws: &Workspace) -> Scales {
    let (aligned, geometric) = (task.plan.is_aligned(), task.plan.geometric());
    Scales {
        keep: if aligned { 1.0 - ws.share[k] } else { 0.0 },
        sigma: task.h / task.t.inputs.hk[k],
        geo: if geometric.is_some() { task.h * task.h } else { 0.0 },
        symmetric: geometric == Some(true),
    }
}

/// Solves one island; the result is in `x` and `rows.lambda_next`.
fn solve_island(task: &Task<'_>, ws: &mut Workspace) -> Result<Counts, Failure> {
    let mut counts = Counts::default();
    if task.plan.is_aligned() {
        solve_aligned(task, ws, &mut counts)?;
    } else {
        papers::solve(task, ws, &mut counts)?;
    }
    counts.deepest = counts.factorisations;
    Ok(counts)
}

/// -Gamma (phi + curvature) / h - (velocity of driven bodies), into `rhs`.
fn row_rhs(t: &Topology, k: usize, h: f64, ws: &mut Workspace) {
    let island = &t.islands[k];
    // A gap that a long step has left would close with a bang in a short one: it gets as long as the long step was.
    let patience = h / h.max(ws.regime[k].h_long);
    let in_loops = ws.loops.closing;
    for g in &t.groups[island.groups.clone()] {
        // A joint that a driven body has torn open closes at its leisure, the wider the slower.
        let driven = t.is_driven(g.i()) || t.is_driven(g.j());
        let reach = if g.reach.is_finite() { g.reach } else { 1.0 };
        for r in 0..g.rows() {
            let row = g.row() + r;
            let share = match ws.rows.is_rigid(row) {
                true if g.closes_loop => patience * in_loops,
                true => patience,
                false => 1.0,
            };
            let mut gap = share * ws.rows.phi[row];
            // What gives is a spring, and has the force of its stretch.
            if driven && ws.rows.is_rigid(row) && ws.rows.compliance[row] == 0.0 {
                let wide = T.looks.wide * reach;
                let most = (wide * wide / gap.abs().max(wide)).max(reach * h / T.passes.closes_in);
                gap = gap.clamp(-most, most);
            }
            let opening = gap + ws.rows.curve[row];
            ws.rhs[g.x() + r] = -ws.rows.gamma[row] * opening / h - ws.rows.drive[row];
        }
    }
    for m in &t.motors[island.motors.clone()] {
        ws.rhs[m.x] += ws.rows.wanted[m.row];
    }
    stall::row_rhs(t, k, ws);
}

fn solve_aligned(task: &Task<'_>, ws: &mut Workspace, counts: &mut Counts) -> Result<(), Failure> {
    let Task { t, plan, state, k, h } = *task;
    let island = &t.islands[k];
    let regime = ws.regime[k];
    let first = regime.h_prev == 0.0;
    let mut unresolved = !plan.resolves();
    let mut passes = T.passes.most;
    let mut pass = 0;
    loop {
        let mut s;
        let mut xm;
        loop {
            stiffness(t, k, ws);
            xm = resolved::largest(t, island, ws, false);
            let r = if unresolved { 0.0 } else { resolved::share(&regime, xm) };
            ws.share[k] = r;
            s = scales(task, k, ws);
            ws.profile.mark(Stage::Stiffness);
            let cap = match (first, pass) {
                (true, 0) => Cap::None,
                (true, _) => Cap::Solved,
                _ => Cap::Last,
            };
            aligned::memory(t, island, r, cap, ws);
            ws.profile.mark(Stage::Memory);
            curvature::predict(t, island, k, h, ws);
            row_rhs(t, k, h, ws);
            ws.profile.mark(Stage::Curvature);
            solve_once(task, s, ws, counts)?;
            pass += 1;
            if pass >= passes {
                break;
            }
            if r == 0.0 && !regime.shocked && aligned::calm(t, island, ws, T.passes.jump) {
                break;
            }
            resolved::stiffness_next(t, k, ws);
            let r_next =
                if unresolved { 0.0 } else { resolved::share(&regime, resolved::largest(t, island, ws, true)) };
            let over = regime.shocked && pass == 1 && aligned::fell(t, island, ws, T.passes.fall);
            if !over && !aligned::jumped(t, island, ws, r, r_next, T.passes.jump) {
                break;
            }
            take_lambda(t, island, ws);
        }
        ws.profile.mark(Stage::Stiffness);
        if unresolved {
            return close(task, ws, counts);
        }
        let rounds = resolved::probes(&regime, xm);
        if rounds > 0 {
            gather_probe(t, island, state, ws);
            ws.probed[k] = true;
        }
        let quotient = estimate(task, xm, rounds, ws, counts)?;
        resolved::update(&mut ws.regime[k], xm, quotient);
        if ws.share[k] == 0.0 {
            return close(task, ws, counts);
        }
        if correct(task, ws, counts)? {
            // Rods are closed to rounding in every regime.
            return if has_rods(t, island) { close(task, ws, counts) } else { Ok(()) };
        }
        // The corrections failed: once more, with the base step.
        unresolved = true;
        ws.kicked[k] = false;
        passes = passes.max(pass + 1);
    }
}

/// Closes joints that the solution would open too far, as long as it helps.
fn close(task: &Task<'_>, ws: &mut Workspace, counts: &mut Counts) -> Result<(), Failure> {
    let Task { t, k, h, .. } = *task;
    let island = &t.islands[k];
    let rods = has_rods(t, island);
    let mut worst = curvature::widest(t, island, h, ws);
    ws.posed[k] = true;
    for _ in 0..T.looks.most {
        let quiet = rods && worst < T.looks.quiet && worst > T.looks.exact;
        if !(worst > T.looks.wide || quiet) {
            break;
        }
        curvature::aimed_rhs(t, island, h, |_, _| 1.0, ws);
        if ws.kicked[k] {
            for n in island.nodes.clone().filter(|&n| t.nodes[n].dim == 6) {
                let at = t.nodes[n].x + 3;
                for (c, kick) in ws.kick[n].to_array().into_iter().enumerate() {
                    ws.residual[at + c] += kick;
                }
            }
        }
        resolve(task, ws, counts)?;
        let after = curvature::widest(t, island, h, ws);
        let throws = worst < T.looks.gaping && curvature::throws(t, island, ws);
        if throws || !(after < T.looks.better * worst) {
            take_back(t, island, ws);
            ws.posed[k] = false;
            break;
        }
        worst = after;
    }
    read_lambda(t, k, ws);
    ws.profile.mark(Stage::Corrections);
    Ok(())
}

fn has_rods(t: &Topology, island: &Island) -> bool {
    t.links[island.links.clone()].iter().any(|l| matches!(l.source, Source::Row(_)))
}

/// Solves for the right-hand side in `residual` with the factor at hand; the solution before is kept in `saved`.
fn resolve(task: &Task<'_>, ws: &mut Workspace, counts: &mut Counts) -> Result<(), Failure> {
    let Task { t, plan, k, .. } = *task;
    let island = &t.islands[k];
    ws.saved[island.x.clone()].copy_from_slice(&ws.x[island.x.clone()]);
    let mut x = std::mem::take(&mut ws.x);
    x[island.x.clone()].copy_from_slice(&ws.residual[island.x.clone()]);
    ws.profile.mark(Stage::Corrections);
    ws.loops.purpose = Purpose::Correction;
    let solved = linear::solve(t, island, plan, &mut x, ws);
    ws.profile.mark(Stage::Solve);
    ws.x = x;
    counts.iterations += solved?;
    counts.right_hand_sides += 1;
    Ok(())
}

/// The solution before the last `resolve` again.
fn take_back(t: &Topology, island: &Island, ws: &mut Workspace) {
    ws.x[island.x.clone()].copy_from_slice(&ws.saved[island.x.clone()]);
    structured::take_back(t, island, ws);
}

/// A of an island from the multipliers, for the longest step of late.
fn stiffness(t: &Given<'_>, k: usize, ws: &mut Workspace) {
    let (island, h) = (&t.islands[k], ws.regime[k].h_long);
    let mut out = Stiffness { added: std::mem::take(&mut ws.added), element: std::mem::take(&mut ws.element) };
    aligned::stiffness(t, island, &ws.rows, &t.inputs.links, &ws.rows.lambda, h, &mut out);
    (ws.added, ws.element) = (out.added, out.element);
}

/// Factorises, solves, refines where the residual asks for it, and reads the multipliers. Rows that cannot be solved for give, and
/// driven rows that ask for what cannot be yield.
fn solve_once(task: &Task<'_>, s: Scales, ws: &mut Workspace, counts: &mut Counts) -> Result<(), Failure> {
    let Task { t, plan, k, h, .. } = *task;
    let direct = plan.is_direct();
    let done = factor_and_solve(task, s, ws, counts);
    // The references refuse redundant rows: that is what they are compared for.
    if done.is_err() && direct && loosen(t, k, T.passes.give[0], ws) {
        factor_and_solve(task, s, ws, counts)?;
    } else {
        done?;
    }
    for give in T.passes.give {
        if !direct || counts.residual < T.passes.hopeless || !loosen(t, k, give, ws) {
            break;
        }
        curvature::predict(t, &t.islands[k], k, h, ws);
        row_rhs(t, k, h, ws);
        factor_and_solve(task, s, ws, counts)?;
    }
    for _ in 0..T.stall.rounds {
        if !stall::find(task, ws) {
            break;
        }
        row_rhs(t, k, h, ws);
        factor_and_solve(task, s, ws, counts)?;
    }
    // A budget may leave much: how much is reported.
    if !plan.is_structured() && !(counts.residual < T.passes.hopeless) {
        return Err(Failure::System(format!("the solve left a relative residual of {:.1e}", counts.residual)));
    }
    read_lambda(t, k, ws);
    ws.profile.mark(Stage::Residual);
    Ok(())
}

fn factor_and_solve(task: &Task<'_>, s: Scales, ws: &mut Workspace, counts: &mut Counts) -> Result<(), Failure> {
    let Task { t, plan, k, .. } = *task;
    let island = &t.islands[k];
    let info = linear::factor(t, island, s, plan, ws)?;
    ws.profile.mark(Stage::Factor);
    counts.factorisations += 1;
    (counts.dropped, counts.smallest_pivot) = (info.dropped, info.smallest_pivot);
    let mut x = std::mem::take(&mut ws.x);
    for q in island.x.clone() {
        x[q] = ws.rhs[q] + ws.memory[q];
    }
    ws.loops.purpose = Purpose::Pass;
    let solved = linear::solve(t, island, plan, &mut x, ws);
    ws.profile.mark(Stage::Solve);
    ws.x = x;
    counts.iterations += solved?;
    counts.right_hand_sides += 1;
    refine(task, ws, counts)
}

/// Gives the loop rows of an island at least this part of their mobility; false when there are none.
fn loosen(t: &Topology, k: usize, give: f64, ws: &mut Workspace) -> bool {
    let mut any = false;
    for g in t.groups[t.islands[k].groups.clone()].iter().filter(|g| g.closes_loop && !g.idle) {
        for r in 0..g.rows() {
            ws.rows.sigma[g.row() + r] = ws.rows.sigma[g.row() + r].max(give * ws.ldlt.reference[g.x() + r]);
            any = true;
        }
    }
    ws.redundant[k] |= any;
    any
}

fn read_lambda(t: &Given<'_>, k: usize, ws: &mut Workspace) {
    let per_hk = 1.0 / t.inputs.hk[k];
    for g in &t.groups[t.islands[k].groups.clone()] {
        for r in 0..g.rows() {
            ws.rows.lambda_next[g.row() + r] = -ws.x[g.x() + r] * per_hk;
        }
    }
}

fn take_lambda(t: &Topology, island: &Island, ws: &mut Workspace) {
    if let (Some(a), Some(b)) = (t.groups[island.groups.clone()].first(), t.groups[island.groups.clone()].last()) {
        let rows = a.row()..b.row() + b.rows();
        ws.rows.lambda[rows.clone()].copy_from_slice(&ws.rows.lambda_next[rows]);
    }
}

/// The residual of the last solve; refines the direct solution while it is too large and getting smaller.
fn refine(task: &Task<'_>, ws: &mut Workspace, counts: &mut Counts) -> Result<(), Failure> {
    let Task { t, plan, k, .. } = *task;
    let island = &t.islands[k];
    // A tree with positive masses cannot lose accuracy step by step: now and then is enough.
    if t.is_tree && plan.is_direct() && !ws.check_residual {
        return Ok(());
    }
    // Sweeps over all rows leave the joints open: that is what they are there to show.
    if plan.sweeps().is_some() {
        return Ok(());
    }
    counts.residual = residual(t, island, ws);
    if !plan.is_direct() {
        return Ok(());
    }
    for _ in 0..T.passes.refinements {
        if !(counts.residual > T.passes.refine) {
            break;
        }
        ws.saved[island.x.clone()].copy_from_slice(&ws.x[island.x.clone()]);
        let mut d = std::mem::take(&mut ws.residual);
        ws.profile.mark(Stage::Residual);
        linear::solve(t, island, plan, &mut d, ws)?;
        ws.profile.mark(Stage::Solve);
        for q in island.x.clone() {
            ws.x[q] += d[q];
        }
        ws.residual = d;
        counts.right_hand_sides += 1;
        let after = residual(t, island, ws);
        if !(after < counts.residual) {
            ws.x[island.x.clone()].copy_from_slice(&ws.saved[island.x.clone()]);
            break;
        }
        counts.residual = after;
        counts.refinements += 1;
    }
    Ok(())
}

/// Writes b - K x into `residual`. Returns the larger of: momentum left over against the largest impulse, row velocity left over
/// against the largest velocity. Dropped rows do not count: they are satisfied by others.
fn residual(t: &Given<'_>, island: &Island, ws: &mut Workspace) -> f64 {
    let mut y = std::mem::take(&mut ws.residual);
    kkt::multiply(t, island, ws.scales[island.k], ws, &ws.x, &mut y);
    let (mut node, mut row, mut impulse, mut speed) = (0.0, 0.0, 0.0, 0.0);
    for n in &t.nodes[island.nodes.clone()] {
        let range = n.x..n.x + n.dim;
        let per_mass = 1.0 / n.mass;
        let known = ws.rhs[range.clone()].iter().zip(&ws.memory[range.clone()]);
        for (c, ((y, (b, m)), x)) in y[range.clone()].iter_mut().zip(known).zip(&ws.x[range]).enumerate() {
            let b = b + m;
            *y = b - *y;
            raise(&mut node, *y);
            raise(&mut impulse, b);
            raise(&mut speed, *x);
            // The velocity without the rows: a mechanism at rest is held by them.
            if c < 3 {
                raise(&mut speed, b * per_mass);
            }
        }
    }
    for g in &t.groups[island.groups.clone()] {
        let range = g.x()..g.x() + g.rows();
        for ((y, b), (x, dropped)) in y[range.clone()]
            .iter_mut()
            .zip(&ws.rhs[range.clone()])
            .zip(ws.x[range.clone()].iter().zip(&ws.ldlt.dropped[range]))
        {
            *y = if *dropped { 0.0 } else { b - *y };
            raise(&mut row, *y);
            raise(&mut impulse, *x);
            raise(&mut speed, *b);
        }
    }
    ws.residual = y;
    let share = |a: f64, b: f64| if a > 0.0 { a / b } else { 0.0 };
    share(node, impulse).max(share(row, speed))
}

/// m = max(m, |x|).
#[inline(always)]
fn raise(m: &mut f64, x: f64) {
    let x = x.abs();
    if x > *m {
        *m = x;
    }
}

/// The direction of the power iteration, or a start where there is none.
fn gather_probe(t: &Given<'_>, island: &Island, state: &State, ws: &mut Workspace) {
    for n in island.nodes.clone() {
        let (node, probe) = (&t.nodes[n], &state.bodies[t.slot_of[n]].probe);
        // The start is fixed to the body: the same wherever the scene stands and in whatever order it was built.
        let seed =
            |at| t.inputs.kin[n].rot * DVec3::new(resolved::seed(at), resolved::seed(at + 1), resolved::seed(at + 2));
        let (lin, ang) = (seed(0), seed(3));
        let start = [lin.x, lin.y, lin.z, ang.x, ang.y, ang.z];
        for c in 0..node.dim {
            ws.probe[node.x + c] = if *probe == [0.0; 6] { start[c] } else { probe[c] };
        }
    }
}

/// Some rounds of power iteration on the factor just used; the last Rayleigh quotient, if any round was made.
fn estimate(
    task: &Task<'_>,
    xm: f64,
    rounds: usize,
    ws: &mut Workspace,
    counts: &mut Counts,
) -> Result<Option<f64>, Failure> {
    let Task { t, plan, k, .. } = *task;
    let island = &t.islands[k];
    let mut quotient = (rounds > 0).then_some(0.0);
    for _ in 0..rounds {
        let mut z = std::mem::take(&mut ws.saved);
        let probe = std::mem::take(&mut ws.probe);
        resolved::probe_rhs(t, island, xm, ws, &probe, &mut z);
        ws.probe = probe;
        ws.profile.mark(Stage::Estimate);
        let solved = linear::solve(t, island, plan, &mut z, ws);
        ws.profile.mark(Stage::Solve);
        counts.right_hand_sides += 1;
        quotient = resolved::probe_take(t, island, ws, &z).or(quotient);
        ws.saved = z;
        counts.iterations += solved?;
    }
    ws.profile.mark(Stage::Estimate);
    Ok(quotient)
}

/// Corrections of the resolved regime; false when they failed.
fn correct(task: &Task<'_>, ws: &mut Workspace, counts: &mut Counts) -> Result<bool, Failure> {
    use resolved::Verdict;
    let Task { t, k, h, .. } = *task;
    let island = &t.islands[k];
    let r = ws.share[k];
    let mut before = f64::INFINITY;
    ws.kick[island.nodes.clone()].fill(glam::DVec3::ZERO);
    ws.kicked[k] = true;
    for round in 0.. {
        match resolved::correct(t, island, r, h, round, &mut before, ws) {
            Verdict::Settled => {
                ws.posed[k] = true;
                break;
            }
            Verdict::Failed => return Ok(false),
            Verdict::Worse => {
                take_back(t, island, ws);
                ws.kick[island.nodes.clone()].copy_from_slice(&ws.kick_before[island.nodes.clone()]);
                break;
            }
            Verdict::Again => {
                for n in island.nodes.clone() {
                    ws.kick_before[n] = ws.kick[n];
                    ws.kick[n] = ws.body_weight[n] * ws.correction[n];
                }
                resolve(task, ws, counts)?;
            }
        }
    }
    read_lambda(t, k, ws);
    ws.profile.mark(Stage::Corrections);
    Ok(true)
}

//! The structured solver on one island: the acyclic part is in the matrix (`Topology::acyclic`), loop groups and cut links are rows of
//! ```text
//! Ahat = Jl V Jl^T + Sigma_l,     V = velocity block of Ka^-1
//! ```
//! A cut link, a stiffness B^T W B between bodies that are not next to each other in the forest, is the three rows sqrt(W) B with Sigma = 1:
//! the same force, and a well-conditioned operator however soft or stiff it is.
//!
//! P is made of the inverse diagonal blocks of Ahat, one per joint, found along the paths of elimination. A row whose pivot in its
//! block vanishes against its mobility is redundant by the forest alone: it is dropped as in `solve::block_ldlt`.
//! What is reported is the residual recomputed from the velocities, never that of the recurrence.

mod operator;

use super::kkt::{self, Equations};
use super::linear::{Failure, blame};
use crate::desk::Scales;
use crate::desk::factor::Factor;
use crate::profile::{Profile, Stage};
use crate::rows::row_velocity;
use crate::solve::block_ldlt::{FactorInfo, noise};
use crate::solve::structured::krylov::Products;
use crate::solve::structured::{Budget, End, LoopMethod, Loops, Meter, Purpose, solve_loops};
use crate::topology::{Island, LoopKind, NONE, Topology};
use crate::tuning::T;
use operator::Operator;

/// Starts the budget of a step.
pub(crate) fn begin(t: &Topology, budget: &Budget, m: &mut Loops) {
    m.meter = Meter::new(budget, m.clock);
    m.closing = if budget.is_limited() { T.anytime.closing } else { 1.0 };
    (m.responses, m.stalled) = (0, false);
    m.resize(t.loop_size(), t.pattern.size());
    let total = t.loop_size().0;
    let own = |i: &Island| t.loops[i.loops.clone()].iter().map(|p| p.rows).sum::<usize>();
    m.used.clear();
    m.used.resize(t.islands.len(), 0);
    m.scale.clear();
    m.scale.resize(t.islands.len(), 0.0);
    m.allowance.clear();
    m.allowance.extend(t.islands.iter().map(|i| match budget.iterations {
        None => usize::MAX,
        // By loop rows; what the rounding leaves over is for the end of the step.
        Some(most) => (most as u128 * own(i) as u128 / total.max(1) as u128) as usize,
    }));
}

/// The solution before the last correction stands again.
pub(crate) fn take_back(t: &Topology, island: &Island, m: &mut Loops) {
    if t.acyclic {
        for p in &t.loops[island.loops.clone()] {
            let range = p.at..p.at + p.rows;
            m.wanted[range.clone()].copy_from_slice(&m.wanted_before[range]);
        }
    }
}

/// Assembles and factorises the acyclic part of an island, and the blocks of its loops.
pub(crate) fn factor(
    e: &Equations<'_>,
    s: Scales,
    f: &mut Factor,
    profile: &mut Profile,
) -> Result<FactorInfo, Failure> {
    kkt::assemble(e, s, &mut f.ldlt);
    profile.mark(Stage::Assembly);
    factor_assembled(e, s, f)
}

/// The same of a matrix that is assembled.
pub(crate) fn factor_assembled(e: &Equations<'_>, s: Scales, f: &mut Factor) -> Result<FactorInfo, Failure> {
    let Equations { t, island, .. } = *e;
    let Factor { ldlt, loops: m, .. } = f;
    for part in &t.loops[island.loops.clone()] {
        // Loop rows stand alone in the matrix and are always zero in it.
        if let LoopKind::Group(g) = part.kind {
            let g = &t.groups[g];
            let d = &mut ldlt.diag[g.diag()..g.diag() + g.rows() * g.rows()];
            d.fill(0.0);
            (0..g.rows()).for_each(|r| d[r * g.rows() + r] = -1.0);
        }
    }
    let factored = ldlt.factor(&t.pattern, &t.signs, island.blocks.clone());
    factored.map_err(|b| blame(t, b.block, b.row, b.pivot))?;
    m.resize(t.loop_size(), t.pattern.size());
    let mut info = FactorInfo::default();
    for part in &t.loops[island.loops.clone()] {
        Operator { e, s, ldlt }.block(part, m);
        let block = &mut m.blocks[part.diag..part.diag + part.rows * part.rows];
        match part.kind {
            LoopKind::Group(g) => {
                let x = t.groups[g].x()..t.groups[g].x() + part.rows;
                cholesky(block, part.rows, &ldlt.reference[x.clone()], &mut ldlt.dropped[x], &mut info);
            }
            LoopKind::Link(_) => cholesky(block, part.rows, &[0.0; 3], &mut [false; 3], &mut info),
        }
    }
    Ok(info)
}

/// L L^T of a block in place; a row whose pivot vanishes against its mobility is dropped.
fn cholesky(a: &mut [f64], d: usize, mobility: &[f64], dropped: &mut [bool], info: &mut FactorInfo) {
    for j in 0..d {
        let pivot = a[j * d + j] - (0..j).map(|k| a[j * d + k] * a[j * d + k]).sum::<f64>();
        if mobility[j] > 0.0 {
            info.smallest_pivot = info.smallest_pivot.min(pivot / mobility[j]);
        }
        dropped[j] = !(pivot > noise() * mobility[j] && pivot > 0.0);
        info.dropped += usize::from(dropped[j]);
        let root = if dropped[j] { 0.0 } else { pivot.sqrt() };
        for i in j + 1..d {
            let sum = a[i * d + j] - (0..j).map(|k| a[i * d + k] * a[j * d + k]).sum::<f64>();
            a[i * d + j] = if dropped[j] { 0.0 } else { sum / root };
        }
        if dropped[j] {
            a[j * d..j * d + j].fill(0.0);
        }
        a[j * d + j] = root;
    }
}

/// Solves K x = b in place; returns the iterations.
pub(crate) fn solve(e: &Equations<'_>, budget: &Budget, x: &mut [f64], f: &mut Factor) -> Result<usize, Failure> {
    let k = e.island.k;
    let s = f.scales[k];
    let purpose = std::mem::take(&mut f.loops.purpose);
    let cautious = budget.is_limited() || e.redundant;
    if purpose == Purpose::Response {
        let mut meter = Meter::default();
        solve_within(e, s, &Accuracy { purpose, tolerance: T.anytime.full, cautious }, &mut meter, x, f);
        f.loops.responses += meter.spent;
        return Ok(meter.spent);
    }
    let before = f.loops.meter.spent;
    let mut meter = f.loops.meter.share(f.loops.allowed(k, budget.gap.is_some()));
    let accuracy = Accuracy { purpose, tolerance: budget.tolerance, cautious };
    let end = solve_within(e, s, &accuracy, &mut meter, x, f);
    meter.pause();
    let m = &mut f.loops;
    m.meter.settle(&meter);
    m.used[k] += m.meter.spent - before;
    m.stalled |= end == End::Stalled;
    Ok(m.meter.spent - before)
}

/// What the velocities of a step leave of the loop rows of an island.
pub(crate) struct Missed {
    /// Largest residual, m/s (rad/s), and its group.
    pub most: (f64, usize),
    /// Size of the residuals over that of bhat in the last pass; zero within rounding.
    pub relative: f64,
    /// Largest residual of a row that others should satisfy, lengths over the reach of the joint, 1/s (rad/s).
    pub redundant: f64,
}

/// Looks at what the velocities in `x` leave; the residuals go to `residual` of the loops.
pub(crate) fn missed(e: &Equations<'_>, x: &[f64], f: &mut Factor) -> Missed {
    let Equations { t, island, .. } = *e;
    let Factor { scales, ldlt, loops: m, .. } = f;
    let s = scales[island.k];
    let op = Operator { e, s, ldlt };
    let range = op.unknowns();
    let scale = m.scale[t.nodes[island.nodes.start].island];
    let mut out = Missed { most: (0.0, NONE), relative: 0.0, redundant: 0.0 };
    let mut counted = 0.0_f64;
    for part in &t.loops[island.loops.clone()] {
        let residual = &mut m.residual[part.at..part.at + part.rows];
        residual.fill(0.0);
        let LoopKind::Group(k) = part.kind else { continue };
        let g = &t.groups[k];
        for (r, left) in residual.iter_mut().enumerate() {
            let give = s.sigma * e.sigma[g.row() + r] * x[g.x() + r];
            *left = m.wanted[part.at + r] - row_velocity(t, g, r, e.jac, x) + give;
            // The give of a rigid row that was found redundant is no excuse.
            let rigid = t.inputs.rows.compliance(g.row() + r) == 0.0;
            let miss = if rigid { (*left - give).abs() } else { left.abs() };
            // A value that is not a number stays.
            if !(miss <= out.most.0) {
                out.most = (miss, k);
            }
            let dropped = ldlt.dropped[g.x() + r];
            if dropped || (rigid && give != 0.0) {
                let reach = if g.angular >> r & 1 == 1 { 1.0 } else { g.arm() };
                out.redundant = out.redundant.max(miss / reach);
            }
            if dropped {
                *left = 0.0;
            } else if !(left.abs() <= counted) {
                counted = left.abs();
            }
        }
    }
    let speed = t.nodes[island.nodes.clone()].iter().flat_map(|n| &x[n.x..n.x + n.dim]);
    if !(counted <= T.anytime.rounding * speed.fold(0.0_f64, |most, v| most.max(v.abs()))) {
        out.relative = op.measure(&m.blocks, &m.residual[range]) / scale;
    }
    out
}

/// Takes more iterations on what `missed` has found, and adds the change to `x`; the change is in `dx`. Returns the
/// iterations.
pub(crate) fn improve(
    e: &Equations<'_>,
    tolerance: f64,
    most: usize,
    (x, dx): (&mut [f64], &mut [f64]),
    f: &mut Factor,
) -> usize {
    let Equations { t, island, .. } = *e;
    let s = f.scales[island.k];
    dx[island.x.clone()].fill(0.0);
    for part in &t.loops[island.loops.clone()] {
        if let LoopKind::Group(g) = part.kind {
            let at = t.groups[g].x();
            dx[at..at + part.rows].copy_from_slice(&f.loops.residual[part.at..part.at + part.rows]);
        }
    }
    let before = f.loops.meter.spent;
    let mut meter = f.loops.meter.share(most);
    let accuracy = Accuracy { purpose: Purpose::Response, tolerance, cautious: true };
    let end = solve_within(e, s, &accuracy, &mut meter, dx, f);
    meter.pause();
    f.loops.meter.settle(&meter);
    f.loops.stalled |= end == End::Stalled;
    for q in island.x.clone() {
        x[q] += dx[q];
    }
    f.loops.meter.spent - before
}

/// How well a solve must do.
pub(crate) struct Accuracy {
    pub purpose: Purpose,
    /// Relative residual of the loop rows.
    pub tolerance: f64,
    /// Whether rows may be redundant or the iterations cut short.
    pub cautious: bool,
}

/// Solves K x = b in place within a meter of the caller's.
pub(crate) fn solve_within(
    e: &Equations<'_>,
    s: Scales,
    accuracy: &Accuracy,
    meter: &mut Meter,
    x: &mut [f64],
    f: &mut Factor,
) -> End {
    let Equations { t, island, .. } = *e;
    let Factor { ldlt, loops: m, .. } = f;
    if island.loops.is_empty() {
        ldlt.solve(&t.pattern, island.blocks.clone(), x);
        return End::Reached;
    }
    let op = Operator { e, s, ldlt };
    op.take_rhs(x, accuracy.purpose, m);
    op.start(accuracy.purpose, m);
    if accuracy.purpose == Purpose::Pass {
        m.scale[t.nodes[island.nodes.start].island] = op.measure(&m.blocks, &m.b[op.unknowns()]);
    }
    let end = iterate(&op, accuracy.cautious, accuracy.tolerance, meter, m);
    op.write(x, m);
    end
}

/// Iterates until the true residual is good enough or nothing more can be done. The velocities are then in `u`.
fn iterate(op: &Operator<'_>, cautious: bool, tolerance: f64, meter: &mut Meter, m: &mut Loops) -> End {
    let range = op.unknowns();
    let n = range.len();
    let Loops { blocks, z, b, rhs, u, krylov, target, residual, .. } = m;
    let (z, b, target, residual) =
        (&mut z[range.clone()], &b[range.clone()], &target[range.clone()], &mut residual[range]);
    let scale = op.measure(blocks, b);
    // Enough for every iteration that can gain anything; a limit in the budget is lower.
    let mut all = meter.share(20 * n + 200);
    let mut method = if cautious { LoopMethod::Residuals } else { LoopMethod::Gradients };
    let mut round = 0;
    loop {
        let most = if method == LoopMethod::Gradients { 2 * n + 50 } else { usize::MAX };
        let mut share = all.share(most);
        let mut apply = |x: &[f64], y: &mut [f64]| op.apply(x, y, u);
        let mut precondition = |r: &[f64], z: &mut [f64]| op.precondition(blocks, r, z);
        let products: Products<'_> = (&mut apply, &mut precondition);
        let end = solve_loops(method, products, b, z, tolerance, &mut share, krylov).end;
        all.settle(&share);
        // The recurrence is one thing, what the velocities do another.
        op.velocities(rhs, z, u);
        op.residual(u, z, target, residual);
        op.mask(residual);
        let good = op.measure(blocks, residual) <= T.anytime.slack * tolerance * scale;
        round += 1;
        let over = method == LoopMethod::Residuals && end != End::Reached;
        if good || over || round > T.anytime.restarts {
            meter.settle(&all);
            return if good { End::Reached } else { end };
        }
        method = LoopMethod::Residuals;
    }
}

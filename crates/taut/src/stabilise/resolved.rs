//! The resolved regime: islands whose reduced geometric stiffness is small are integrated with second order (SHAKE: constraint
//! forces at the old pose, phi = 0 at the new one) and no added stiffness, with the factor of the same solve.
//! ```text
//! x    = largest h^2 omega^2 of the island's transverse modes: max_b tr(I^-1 A) times kap, the ratio found by one step of
//!        power iteration per step on K^-1 A; above XL no estimate is trusted and kap = 1
//! r    = clamp((X2 - x)/(X2 - X1), 0, 1),    A_used = (1 - r) A
//! corrections: K v_new = rhs with rows w Gamma (J v - phi(x + h v)/h) + (1 - w)(-Gamma phi/h) and the momentum defect
//!        pi - I w_g - (P(w) - I w) of the drift (force::gyroscopic) on the angular rows, until phi and momentum settle
//! ```
//! On failure (a joint turns too far in one step, or no convergence) the step is repeated with r = 0.

pub(crate) use super::momentum::momentum_defect;
use super::{along, curvature};
use crate::close::opening::{Opening, largest as larger};
use crate::close::velocities::{aimed_rhs, is_plain};
use crate::desk::inputs::Given;
use crate::desk::{Law, Memory, Next, RightSide, Second, Solution, Stiffness};
use crate::math::vec3;
use crate::state::Regime;
use crate::system::kkt::anchor;
use crate::topology::{Group, Island, Source};
use crate::tuning::T;
use glam::DVec3;

/// Largest x of the island's bodies and elements.
pub(crate) fn largest(t: &Given<'_>, island: &Island, stiff: &Stiffness) -> f64 {
    let mut x = along::largest(t, island, &stiff.added);
    for k in island.links.clone() {
        let l = &t.links[k];
        if matches!(l.source, Source::Row(_)) {
            x = x.max(2.0 * stiff.element[k] * t.link_mobility(l));
        }
    }
    x
}

/// The share r of the island at this stiffness.
pub(crate) fn share(regime: &Regime, xm: f64) -> f64 {
    // Before the first estimate there is none.
    if regime.h_prev == 0.0 {
        return 0.0;
    }
    let x = if xm > T.resolved.xl {
        xm
    } else {
        (regime.kap * xm).max(T.resolved.decay * regime.xhat * regime.h_long * regime.h_long)
    };
    ((T.resolved.x2 - x) / (T.resolved.x2 - T.resolved.x1)).clamp(0.0, 1.0)
}

/// Whether the estimate of a step before will do: the share does not hang on it, and its turn comes in another step.
pub(crate) fn is_known(regime: &Regime, xm: f64, steps: u64) -> bool {
    let x = regime.kap * xm;
    let clear = x * T.resolved.clear < T.resolved.x1 || x > T.resolved.clear * T.resolved.x2;
    clear && probes(regime, xm) == 1 && !steps.is_multiple_of(T.resolved.every)
}

/// How many power steps the estimate needs now.
pub(crate) fn probes(regime: &Regime, xm: f64) -> usize {
    match () {
        // No stiffness at all: nothing to estimate.
        _ if xm == 0.0 => 0,
        _ if xm > T.resolved.xl && regime.h_prev > 0.0 => 0,
        _ if regime.kap == 1.0 || regime.h_prev == 0.0 => 10,
        _ => 1,
    }
}

/// Right-hand side A z of a power step, into `out`.
pub(crate) fn probe_rhs(t: &Given<'_>, island: &Island, xm: f64, stiff: &Stiffness, z: &[f64], out: &mut [f64]) {
    out[island.x.clone()].fill(0.0);
    for n in island.nodes.clone() {
        let node = &t.nodes[n];
        if node.dim == 6 {
            let w = vec3(z, node.x + 3);
            let m = t.inputs.inertia[n];
            // A trace of the mass keeps the direction alive where A is singular.
            let a = stiff.added[n] * w + m * w * (1e-6 * xm);
            out[node.x + 3..node.x + 6].copy_from_slice(&a.to_array());
        }
    }
    for k in island.links.clone() {
        let l = &t.links[k];
        if matches!(l.source, Source::Row(_)) {
            let term = &t.inputs.links[k];
            let v = anchor(t, z, l.i, term.si) - anchor(t, z, l.j, term.sj);
            let f = stiff.element[k] * term.across_part(v);
            crate::force::add_at_anchor(t, l.i, term.si, f, out);
            crate::force::add_at_anchor(t, l.j, term.sj, -f, out);
        }
    }
}

/// Takes the solved power step: normalises it into the probe and returns its Rayleigh quotient z.A z / z.M z.
pub(crate) fn probe_take(
    t: &Given<'_>,
    island: &Island,
    stiff: &Stiffness,
    solved: &[f64],
    probe: &mut [f64],
) -> Option<f64> {
    let (mut num, mut den) = (0.0, 0.0);
    for n in island.nodes.clone() {
        let node = &t.nodes[n];
        den += node.mass * vec3(solved, node.x).length_squared();
        if node.dim == 6 {
            let w = vec3(solved, node.x + 3);
            num += w.dot(stiff.added[n] * w);
            den += w.dot(t.inputs.inertia[n] * w);
        }
    }
    for k in island.links.clone() {
        let l = &t.links[k];
        if matches!(l.source, Source::Row(_)) {
            let term = &t.inputs.links[k];
            let v = anchor(t, solved, l.i, term.si) - anchor(t, solved, l.j, term.sj);
            num += stiff.element[k] * term.across_part(v).length_squared();
        }
    }
    if !den.is_normal() {
        return None;
    }
    let s = 1.0 / den.sqrt();
    for (probe, solved) in probe[island.x.clone()].iter_mut().zip(&solved[island.x.clone()]) {
        *probe = s * solved;
    }
    Some(num / den)
}

/// A start direction for the power iteration: fixed, in no symmetry of any mechanism.
pub(crate) fn seed(index: usize) -> f64 {
    let mut u = (index as u32).wrapping_mul(2_654_435_761).wrapping_add(12_345);
    u = u.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    f64::from(u >> 8 & 0xffff) / 65_536.0 - 0.5
}

/// The regime after the passes; `quotient` is the last Rayleigh quotient, if any was taken.
pub(crate) fn update(regime: &mut Regime, xm: f64, quotient: Option<f64>) {
    match quotient {
        Some(q) if xm > 0.0 => regime.kap = (q / xm).min(1.0),
        Some(_) => {}
        None => regime.kap = 1.0,
    }
    remember(regime, xm);
}

/// The largest x of late.
pub(crate) fn remember(regime: &mut Regime, xm: f64) {
    regime.xhat = (regime.kap * xm / (regime.h_long * regime.h_long)).max(T.resolved.decay * regime.xhat);
}

/// What a correction found.
pub(crate) enum Verdict {
    /// phi and momentum have settled.
    Settled,
    /// The right-hand side of the next correction is in `residual`.
    Again,
    /// The last correction made it worse and was taken back.
    Worse,
    /// The step must be repeated without the resolved regime.
    Failed,
}

/// Where the corrections of an island are.
pub(crate) struct Look {
    /// The resolved share.
    pub r: f64,
    pub round: usize,
    /// Gap of the last look.
    pub before: f64,
}

/// One look at the solution in `x`, and the right-hand side of the next correction.
pub(crate) fn correct(
    t: &Given<'_>,
    island: &Island,
    h: f64,
    look: &mut Look,
    (law, right, memory): (&Law, &RightSide, &Memory),
    (second, next): (&mut Second, &mut Next),
    sol: &mut Solution,
) -> Verdict {
    let Look { r, round, before } = look;
    let (r, round) = (*r, *round);
    curvature::look(t, island, &sol.x, h, next);
    if round == 0 {
        second.body_weight[island.nodes.clone()].fill(1.0);
    }
    let mut worst: f64 = 0.0;
    let mut any = false;
    for k in island.groups.clone() {
        let g = &t.groups[k];
        let rho = opening(t, g, h, &sol.x, law, &next.phi, None);
        if round == 0 {
            // How far the joint turned: its opening had the row not been given its curvature.
            let turned = opening(t, g, h, &sol.x, law, &next.phi, Some(&right.curve));
            let w = r * ((T.resolved.rho2 - turned) / (T.resolved.rho2 - T.resolved.rho1)).clamp(0.0, 1.0);
            second.weight[k] = w;
            for b in [g.i(), g.j()] {
                if t.is_node(b) {
                    second.body_weight[b] = second.body_weight[b].min(w);
                }
            }
            if w < 0.5 * r {
                return Verdict::Failed;
            }
        }
        any |= second.weight[k] > 0.0;
        worst = worst.max(second.weight[k] * rho);
    }
    let momentum = momentum_defect(t, island, h, round, &sol.x, second);
    if round > 0 && worst > *before && worst > 1e-9 {
        return if *before > T.resolved.failed { Verdict::Failed } else { Verdict::Worse };
    }
    if round == T.resolved.corrections && (worst > T.resolved.failed || momentum > T.resolved.failed) {
        return Verdict::Failed;
    }
    let any = any || island.groups.is_empty();
    if !any || round == T.resolved.corrections || (worst < T.resolved.close && momentum < T.resolved.momentum_close) {
        return Verdict::Settled;
    }
    *before = worst;
    aimed_rhs(t, island, h, |k| second.weight[k], (law, &next.phi), (right, memory), sol);
    add_defects(t, island, second, &mut sol.residual);
    Verdict::Again
}

/// How far a joint is open at the new pose, in parts of its reach. `curve` adds the curvature the rows were given: how far the joint turned.
#[inline(always)]
pub(crate) fn opening(
    t: &Given<'_>,
    g: &Group,
    h: f64,
    x: &[f64],
    law: &Law,
    phi: &[f64],
    curve: Option<&[f64]>,
) -> f64 {
    if is_plain(t, g, law) {
        // What a joint of a net gives is no opening.
        let gives = t.islands[g.island()].woven.then(|| h * h / t.inputs.hk[g.island()]);
        let given = |row: usize| gives.map_or(0.0, |gives| gives * law.sigma[row] * x[g.x() + row - g.row()]);
        let open = |row: usize| phi[row] + curve.map_or(0.0, |c| c[row]) - given(row);
        let p = DVec3::new(open(g.row()), open(g.row() + 1), open(g.row() + 2));
        let turned = |row: usize| open(row).abs();
        return (g.row() + 3..g.row() + g.rows()).map(turned).fold(p.length() / g.arm(), larger);
    }
    opening_by_rows(t, g, h, x, law, phi, curve)
}

/// The same of any joint.
#[inline(never)]
fn opening_by_rows(t: &Given<'_>, g: &Group, h: f64, x: &[f64], law: &Law, phi: &[f64], curve: Option<&[f64]>) -> f64 {
    let rows = &t.inputs.rows;
    let open = |r: usize| {
        let row = g.row() + r;
        if !rows.is_rigid(row) || law.yielded[row] {
            return None;
        }
        let p = phi[row] + curve.map_or(0.0, |c| c[row]);
        // A row that is nearly rigid may stretch as its law says: phi + C lambda + C B phi' = 0.
        let c = rows.compliance(row);
        if c > 0.0 {
            let lambda = -x[g.x() + r] / t.inputs.hk[g.island()];
            return Some(p + c * (lambda + rows.damping(row) * (phi[row] - rows.phi[row]) / h));
        }
        Some(p)
    };
    Opening::of(g, open).parts(g)
}

/// Adds the momentum defects to a right-hand side.
fn add_defects(t: &Given<'_>, island: &Island, second: &Second, b: &mut [f64]) {
    for n in island.nodes.clone() {
        let node = &t.nodes[n];
        if node.dim == 6 {
            let c = second.body_weight[n] * second.correction[n];
            b[node.x + 3] += c.x;
            b[node.x + 4] += c.y;
            b[node.x + 5] += c.z;
        }
    }
}

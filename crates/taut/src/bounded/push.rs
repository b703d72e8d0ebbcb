//! Penetration, and what a limit is passed by in second order, is removed from the positions alone, never by a velocity (Faure: position
//! projection), so it costs and gives no kinetic energy. With phi+ the distances after the step (phi + h w for contacts, measured at the
//! new poses for limits), on the factor and W of the step:
//! ```text
//! dx = K^-1 Jn^T y,     0 <= y  _|_  Jn dx + phi+ >= 0
//! ```
//! Joints stay closed to first order, because they are in K. A limb that whips along the edge of its cone passes it by
//! (h w)^2 cot(angle)/2; limits are looked at again after the push.

use super::Origin;
use super::accuracy::limit_at;
use super::large::Aimed;
use super::mobility::{scatter, velocity};
use crate::integrate;
use crate::solve::bounded::sparse::SparseParams;
use crate::solve::bounded::{self as solver, Block, Params, Problem};
use crate::system::kkt::vec3;
use crate::system::linear::Failure;
use crate::topology::{Island, NONE, Topology};
use crate::workspace::Workspace;

/// Penetration that is left alone, as part of the radius of gyration of the smaller body: below it everything rests.
const SLOP: f64 = 1e-5;
/// Part of the penetration that is removed in one step. All at once would throw what rests on it out of its place.
const SHARE: f64 = 0.3;
/// Most that is removed in one step, as part of the radius of gyration.
const MOST: f64 = 0.1;

/// A limit passed by this angle (rad), or by this part of its length, is too far; and how often it is looked at.
pub(crate) const PASSED: f64 = 1e-4;
const ROUNDS: usize = 3;

/// Excess of ropes and other lengths that is left alone, and most that is removed in one step, as parts of the length.
const SLOP_LENGTH: f64 = 1e-7;
const MOST_LENGTH: f64 = 0.05;

/// A normal that pushes.
const PUSH: Block = Block::Box { lo: 0.0, hi: f64::INFINITY };

/// A contact or limit that is closed after a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    /// Its place among the active rows.
    at: usize,
    /// Distance to be made up, m or rad, with the sign of the row.
    phi: f64,
    law: Block,
}

/// Writes `bounded.push` of the islands of a cluster with penetrations or limits that are passed.
pub(crate) fn push(
    (t, h): (&Topology, f64),
    c: usize,
    islands: &[usize],
    ws: &mut Workspace,
    mut respond: impl FnMut(usize, &mut [f64], &mut Workspace) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let limits = has_limits(t, c, ws);
    if limits {
        for &k in islands {
            integrate::poses(t, t.islands[k].nodes.clone(), &ws.kin, &ws.x, h, &mut ws.kin_next);
        }
    }
    for round in 0..ROUNDS {
        if !gather(t, h, c, round > 0, ws) {
            break;
        }
        let mut shift = std::mem::take(&mut ws.bounded.shift);
        shift.resize(t.pattern.size(), 0.0);
        solve(t, h, islands, ws, &mut shift, &mut respond)?;
        ws.bounded.push.resize(t.pattern.size(), 0.0);
        for &k in islands {
            let range = t.islands[k].x.clone();
            for (sum, x) in ws.bounded.push[range.clone()].iter_mut().zip(&shift[range]) {
                *sum = if round > 0 { *sum + x } else { *x };
            }
            ws.bounded.pushed[k] = true;
            if limits {
                poses(t, &t.islands[k], h, ws);
            }
        }
        ws.bounded.shift = shift;
        if !limits {
            break;
        }
    }
    Ok(())
}

/// dx/h for what touches.
fn solve(
    t: &Topology,
    h: f64,
    islands: &[usize],
    ws: &mut Workspace,
    out: &mut [f64],
    respond: &mut impl FnMut(usize, &mut [f64], &mut Workspace) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if ws.bounded.is_large {
        sparse(t, h, islands, ws, out);
        return Ok(());
    }
    dense(h, ws);
    for &k in islands {
        out[t.islands[k].x.clone()].fill(0.0);
    }
    for (q, touch) in ws.bounded.touching.iter().enumerate() {
        scatter(t, &ws.bounded.rows[ws.bounded.active[touch.at]], ws.bounded.z[q], out);
    }
    islands.iter().try_for_each(|&k| respond(k, out, ws))
}

/// y from W, into `z`.
fn dense(h: f64, ws: &mut Workspace) {
    let b = &mut ws.bounded;
    let n = b.touching.len();
    let all = b.active.len();
    b.push_w.clear();
    for from in &b.touching {
        b.push_w.extend(b.touching.iter().map(|to| b.w[from.at * all + to.at]));
    }
    // Compliance has no part in a position.
    for k in 0..n {
        b.push_w[k * n + k] -= b.rows[b.active[b.touching[k].at]].sigma;
    }
    b.blocks_push.clear();
    b.blocks_push.extend(b.touching.iter().map(|touch| touch.law));
    b.q.clear();
    b.q.extend(b.touching.iter().map(|touch| touch.phi / h));
    b.z.clear();
    b.z.resize(n, 0.0);
    let problem = Problem { w: &b.push_w, q: &b.q, blocks: &b.blocks_push };
    solver::solve(&problem, &Params::default(), &mut b.z, &mut b.work);
}

/// dx/h without W, from the matrices that `large` still holds.
fn sparse(t: &Topology, h: f64, islands: &[usize], ws: &mut Workspace, out: &mut [f64]) {
    let mut large = std::mem::take(&mut ws.bounded.large);
    large.fill(t, islands, ws, |_| 0.0);
    large.begin(t, islands);
    for touch in &ws.bounded.touching {
        let row = ws.bounded.active[touch.at];
        let aimed = Aimed { row, c: -touch.phi / h, z: 0.0, sigma: 0.0 };
        large.add(t, &ws.bounded, touch.law, std::iter::once(aimed));
    }
    large.solve(t, islands, &SparseParams::default(), out);
    ws.bounded.large = large;
}

/// Whether a rigid limit of the cluster is active.
fn has_limits(t: &Topology, c: usize, ws: &Workspace) -> bool {
    let b = &ws.bounded;
    let own = &b.candidates[b.clusters[c].candidates.clone()];
    own.iter().any(|c| c.active && limit_at(t, c.origin, &ws.kin).is_some())
}

/// Contacts and limits that are closed after the step, with the distance to be made up; false when none has gone too far. In later
/// rounds the contacts only keep what they have.
fn gather(t: &Topology, h: f64, c: usize, again: bool, ws: &mut Workspace) -> bool {
    let mut touching = std::mem::take(&mut ws.bounded.touching);
    touching.clear();
    let mut deep = false;
    let b = &ws.bounded;
    for c in &b.candidates[b.clusters[c].candidates.clone()] {
        let row = &b.rows[c.row];
        if !c.active || row.at == NONE {
            continue;
        }
        if let Some((q, scale, sign)) = limit_at(t, c.origin, &ws.kin_next) {
            let (phi, passed) = limit(t, c.origin, (q, scale, sign), again);
            deep |= passed;
            touching.push(Touch { at: row.at, phi, law: c.law });
            continue;
        }
        if !(matches!(c.origin, Origin::Contact(_)) && row.sigma == 0.0) {
            continue;
        }
        let pushed = if again { velocity(t, row, &b.push) } else { 0.0 };
        let next = row.phi + h * (velocity(t, row, &ws.x) + row.drive + pushed);
        let size = row.sides().map(|(n, _)| gyration(t, n)).fold(f64::INFINITY, f64::min);
        let excess = next + SLOP * size;
        if excess < 0.0 && !again {
            deep = true;
            let phi = (SHARE * excess).max(-MOST * size);
            touching.push(Touch { at: row.at, phi, law: PUSH });
        } else if next < SLOP * size {
            touching.push(Touch { at: row.at, phi: next.max(0.0), law: PUSH });
        }
    }
    ws.bounded.touching = touching;
    deep
}

/// What is to be made up of a rigid limit, and whether it is passed too far. Angles are put back at once. A rope that has snapped taut is
/// put back by parts, like a penetration: all at once its light links would go round its heavy load.
fn limit(t: &Topology, origin: Origin, (q, scale, sign): (f64, f64, f64), again: bool) -> (f64, bool) {
    let Origin::Joint { bound, .. } = origin else { return (q, false) };
    if t.bounds[bound].spec.freedom.is_angle() {
        return (q, sign * q > PASSED * scale);
    }
    let excess = sign * q - SLOP_LENGTH * scale;
    if excess <= 0.0 {
        return (q, false);
    }
    (if again { 0.0 } else { sign * (SHARE * excess).min(MOST_LENGTH * scale) }, !again)
}

/// Radius of gyration of a node, m; of a particle, which has none, a millimetre.
fn gyration(t: &Topology, n: usize) -> f64 {
    let (node, i) = (&t.nodes[n], &t.local_inertia[n]);
    if node.dim == 3 { 1e-3 } else { ((i.x_axis.x + i.y_axis.y + i.z_axis.z) / (2.0 * node.mass)).sqrt() }
}

/// Poses with the penetration removed; the velocities are those of the solve.
pub(crate) fn poses(t: &Topology, island: &Island, h: f64, ws: &mut Workspace) {
    for q in island.x.clone() {
        ws.residual[q] = ws.x[q] + ws.bounded.push[q];
    }
    integrate::poses(t, island.nodes.clone(), &ws.kin, &ws.residual, h, &mut ws.kin_next);
    for n in island.nodes.clone() {
        let node = &t.nodes[n];
        ws.kin_next[n].vel = vec3(&ws.x, node.x);
        if node.dim == 6 {
            ws.kin_next[n].omega = vec3(&ws.x, node.x + 3);
        }
    }
}

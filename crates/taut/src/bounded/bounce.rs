//! Restitution at the end of the step (Faure: no backtracking).
//!
//! The step ends at contact with the velocities v+ that do not penetrate. Rows that met with speed then rebound, and that changes the
//! velocities alone. With which speeds they part is found by rounds of impacts (`impacts`); then the rows of the step are solved
//! again, with these speeds in place of the distances, on the same W, in the same cones:
//! ```text
//! rebounding row     0 <= zn'  _|_  wn - parting >= 0          all others as in the step
//! v = v+ + K^-1 Ju^T (z' - z)
//! ```
//! so that friction bears its part of the whole blow, and what only rests stays at rest. Newton's law with friction can add energy: then
//! the rebound is scaled back until the kinetic energy is no more than it was at contact.
//!
//! Velocities live half a step before the poses. At the moment of contact, the share f of the step, a row has the speed
//! u = w0 + (1/2 + f) a h, a h = w_free - w0, and leaves with the stored speed -e u - a h/2: then a ball keeps its height.

use super::large::Aimed;
use super::{gather, impacts};
use crate::delassus::{scatter, velocity};
use crate::force::gyroscopic::{drift_momentum, solve_drift};
use crate::integrate::kinetic;
use crate::math::vec3;
use crate::solve::bounded::sparse::SparseParams;
use crate::solve::bounded::{self as solver, Block, Info, Params, Problem};
use crate::system::linear::Failure;
use crate::workspace::Workspace;
use crate::workspace::bounded::Impact;
use crate::workspace::inputs::Given;
use glam::{DMat3, DVec3};

/// Writes `bounded.bounce` of the islands of a cluster where something rebounds.
pub(crate) fn bounce(
    (t, h): (&Given<'_>, f64),
    params: &Params,
    c: usize,
    islands: &[usize],
    ws: &mut Workspace,
    mut respond: impl FnMut(usize, &mut [f64], &mut Workspace) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if !find(t, h, c, ws) {
        return Ok(());
    }
    impacts::rounds(t, islands, ws);
    let mut out = std::mem::take(&mut ws.bounded.bounce);
    out.resize(t.pattern.size(), 0.0);
    let info = if ws.bounded.is_large {
        solve_sparse(t, params, islands, ws, &mut out)
    } else {
        let info = solve_dense(t, params, ws);
        for &k in islands {
            out[t.islands[k].x.clone()].fill(0.0);
        }
        for (&z, &r) in ws.bounded.z.iter().zip(&ws.bounded.active) {
            scatter(t, &ws.bounded.rows[r], z - ws.bounded.rows[r].z, &mut out);
        }
        for &k in islands {
            respond(k, &mut out, ws)?;
        }
        info
    };
    let tally = &mut ws.bounded.tally;
    tally.solves += 1;
    tally.iterations += info.iterations;
    tally.sweeps += info.sweeps;
    tally.residual = tally.residual.max(info.residual);
    tally.unconverged += usize::from(!info.converged);
    for &k in islands {
        ws.bounded.bounced[k] = true;
    }
    ws.bounded.bounce = out;
    Ok(())
}

/// What the active rows are in an impact; false when none rebounds.
fn find(t: &Given<'_>, h: f64, c: usize, ws: &mut Workspace) -> bool {
    let candidates = ws.bounded.clusters[c].candidates.clone();
    let active = |ws: &Workspace, k: usize| ws.bounded.candidates[k].active;
    if !candidates.clone().any(|k| active(ws, k) && ws.bounded.candidates[k].restitution > 0.0) {
        return false;
    }
    let mut impact = std::mem::take(&mut ws.bounded.impact);
    impact.clear();
    impact.resize(ws.bounded.active.len(), Impact::default());
    let mut first = f64::INFINITY;
    for k in candidates.filter(|&k| active(ws, k)) {
        let c = ws.bounded.candidates[k];
        let row = &ws.bounded.rows[c.row];
        let sign = match c.law {
            Block::Contact { .. } => 1.0,
            Block::Box { lo: 0.0, .. } => 1.0,
            Block::Box { hi: 0.0, .. } => -1.0,
            Block::Box { .. } => continue,
        };
        let w0 = sign * (gather::speed(t, row) + row.drive);
        let free = sign * (velocity(t, row, &ws.bounded.free) + row.drive);
        let kick = (free - w0) * h / gather::hk_of(t, row);
        let moment = if free < 0.0 { ((sign * row.phi).max(0.0) / (-free * h)).min(1.0) } else { 1.0 };
        let mut i =
            Impact { takes_part: true, sign, e: c.restitution, u: w0 + (0.5 + moment) * kick, kick, ..impact[row.at] };
        i.meets = row.z != 0.0 && i.is_fast();
        if !i.meets {
            // It rests, or stops where it is by the law of the step.
            i.u = free - sign * (row.b + row.aim);
        } else if i.e > 0.0 {
            first = first.min(moment);
        }
        impact[row.at] = i;
    }
    ws.bounded.impact = impact;
    ws.bounded.moment = first;
    first.is_finite()
}

/// What w of an active row is measured from: what it parts with, or the aim of the step.
fn aim(ws: &Workspace, at: usize) -> f64 {
    let (row, i) = (&ws.bounded.rows[ws.bounded.active[at]], &ws.bounded.impact[at]);
    let own = row.b + row.aim - row.drive;
    if i.rebounds { i.sign * (i.parting() - i.sign * row.drive).max(i.sign * own) } else { own }
}

/// z' of the active rows by W, into `z`.
fn solve_dense(t: &Given<'_>, params: &Params, ws: &mut Workspace) -> Info {
    let n = ws.bounded.active.len();
    let mut q = std::mem::take(&mut ws.bounded.q);
    q.clear();
    for at in 0..n {
        // Without the impulses of the step, and measured from the aim.
        let b = &ws.bounded;
        let row = &b.rows[b.active[at]];
        let pushed: f64 = b.w[at * n..(at + 1) * n].iter().zip(&b.active).map(|(w, &r)| w * b.rows[r].z).sum();
        q.push(velocity(t, row, &ws.x) + row.sigma * row.z - pushed - aim(ws, at));
    }
    let b = &mut ws.bounded;
    b.q = q;
    b.z.clear();
    b.z.extend(b.active.iter().map(|&r| b.rows[r].z));
    solver::solve(&Problem { w: &b.w, q: &b.q, blocks: &b.blocks }, params, &mut b.z, &mut b.work)
}

/// The change of the velocities without W.
fn solve_sparse(t: &Given<'_>, params: &Params, islands: &[usize], ws: &mut Workspace, out: &mut [f64]) -> Info {
    let mut large = std::mem::take(&mut ws.bounded.large);
    large.begin(t, islands);
    let b = &ws.bounded;
    let mut at = 0;
    for &law in &b.blocks {
        let count = if matches!(law, Block::Contact { .. }) { 3 } else { 1 };
        let rows = (at..at + count).map(|at| {
            let row = b.active[at];
            Aimed { row, c: aim(ws, at), z: b.rows[row].z, sigma: b.rows[row].sigma }
        });
        large.add(t, b, law, rows);
        at += count;
    }
    let params = SparseParams { tolerance: params.tolerance, ..SparseParams::default() };
    let info = large.solve(t, islands, &params, out);
    for &k in islands {
        let range = t.islands[k].x.clone();
        out[range.clone()].iter_mut().zip(&ws.x[range]).for_each(|(new, old)| *new -= old);
    }
    ws.bounded.large = large;
    info
}

/// Twice the energy that nodes have lost between the poses before and after the step, J: more than that the rebound may not give
/// back. The force M kick / h has worked along the way h v+.
fn loss(t: &Given<'_>, h: f64, nodes: impl Iterator<Item = usize>, ws: &Workspace) -> f64 {
    let mut lost = 0.0;
    for n in nodes {
        let (node, x) = (&t.nodes[n], &ws.x);
        let [kick, turn] = kick(t, h, n, ws);
        let (start, end) = (t.inputs.kin[n].vel + 0.5 * kick, vec3(x, node.x) + 0.5 * kick);
        lost += node.mass * (start.length_squared() - end.length_squared() + 2.0 * kick.dot(vec3(x, node.x)));
        if node.dim == 6 {
            let before = t.inputs.inertia[n];
            let half = 0.5 * (before * turn);
            if t.inputs.momentum[n].is_nan() {
                // What the turning of the inertia alone changes is no loss.
                let (start, end) = (before * t.inputs.omega_g[n] + half, before * vec3(x, node.x + 3) + half);
                lost += (start - end).dot(before.inverse() * (start + end));
            } else {
                let (after, carried) = carried(t, n, h, ws);
                let (start, end) = (t.inputs.momentum[n] + half, carried + 0.5 * (after * turn));
                lost += start.dot(before.inverse() * start) - end.dot(after.inverse() * end);
            }
            lost += 2.0 * turn.dot(before * vec3(x, node.x + 3));
        }
    }
    lost
}

/// What the forces of a whole step add to the velocity and the angular velocity of a node.
fn kick(t: &Given<'_>, h: f64, n: usize, ws: &Workspace) -> [DVec3; 2] {
    let (node, free) = (&t.nodes[n], &ws.bounded.free);
    let part = h / t.inputs.hk[node.island];
    let mut turn = DVec3::ZERO;
    if node.dim == 6 {
        turn = vec3(free, node.x + 3) - t.inputs.omega_g[n];
        if ws.kicked[node.island] {
            // The inertia turning with the body is no force.
            turn -= t.inputs.inertia[n].inverse() * ws.kick[n];
        }
    }
    [part * (vec3(free, node.x) - t.inputs.kin[n].vel), part * turn]
}

/// Adds the rebound to the velocities at the new poses; the kinetic energy that is gained, J, and what changes of the centred potential:
/// a body that rebounds starts anew from its pose, as if it had come there with its new velocity.
pub(crate) fn apply(t: &Given<'_>, h: f64, gravity: DVec3, ws: &mut Workspace) -> [f64; 2] {
    let mut gain = [0.0; 2];
    for c in 0..ws.bounded.cluster_count {
        if !ws.bounded.clusters[c].islands.first().is_some_and(|&k| ws.bounded.bounced[k]) {
            continue;
        }
        let islands = std::mem::take(&mut ws.bounded.clusters[c].islands);
        let nodes = || islands.iter().flat_map(|&k| t.islands[k].nodes.clone());
        let share = share(t, h, nodes(), loss(t, h, nodes(), ws), ws);
        for n in nodes() {
            let before = kinetic(t, n, &ws.kin_next[n]);
            let node = &t.nodes[n];
            ws.kin_next[n].vel += share * vec3(&ws.bounded.bounce, node.x);
            if node.dim == 6 {
                turn(t, n, h, share * vec3(&ws.bounded.bounce, node.x + 3), ws);
            }
            let next = &ws.kin_next[n];
            gain[0] += kinetic(t, n, next) - before;
            gain[1] -= 0.5 * node.mass * gravity.dot(next.pos - t.inputs.kin[n].pos - h * next.vel);
        }
        ws.bounded.clusters[c].islands = islands;
    }
    gain
}

/// The largest part s of the rebound d, from 0 to 1, that gives back no more than was lost: 2 s v.M d + s^2 d.M d <= loss, with the
/// velocities v and the inertia at the new poses.
fn share(t: &Given<'_>, h: f64, nodes: impl Iterator<Item = usize>, loss: f64, ws: &Workspace) -> f64 {
    let (mut cross, mut square) = (0.0, 0.0);
    for n in nodes {
        let (node, next) = (&t.nodes[n], &ws.kin_next[n]);
        let [kick, turn] = kick(t, h, n, ws);
        let d = vec3(&ws.bounded.bounce, node.x);
        cross += node.mass * d.dot(next.vel + 0.5 * kick);
        square += node.mass * d.length_squared();
        if node.dim == 6 {
            let (inertia, momentum) = carried(t, n, h, ws);
            let d = vec3(&ws.bounded.bounce, node.x + 3);
            cross += d.dot(momentum + 0.5 * (inertia * turn));
            square += d.dot(inertia * d);
        }
    }
    if 2.0 * cross + square <= loss || square <= 0.0 {
        return 1.0;
    }
    let root = (cross * cross + square * loss).max(0.0).sqrt();
    ((root - cross) / square).clamp(0.0, 1.0)
}

/// Inertia at the new pose, and the angular momentum that the drift to it has brought.
fn carried(t: &Given<'_>, n: usize, h: f64, ws: &Workspace) -> (DMat3, DVec3) {
    let kin = &ws.kin_next[n];
    let inertia = kin.rot * t.local_inertia[n] * kin.rot.transpose();
    let steady = t.nodes[n].isotropic || t.inputs.momentum[n].is_nan();
    (inertia, if steady { inertia * kin.omega } else { drift_momentum(inertia, kin.omega, -h) })
}

/// Adds a change `d` of the angular velocity. It belongs to the new pose, stored velocities to the middle of the drift before it: the
/// angular velocity whose drift would have brought the momentum that the body has now.
fn turn(t: &Given<'_>, n: usize, h: f64, d: DVec3, ws: &mut Workspace) {
    let (inertia, momentum) = carried(t, n, h, ws);
    ws.kin_next[n].omega += d;
    if t.nodes[n].isotropic || t.inputs.momentum[n].is_nan() {
        return;
    }
    let kin = ws.kin_next[n];
    if let Some(w) = solve_drift(&kin, t.local_inertia[n], momentum + inertia * d, -h) {
        ws.kin_next[n].omega = w;
    }
}

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

use super::gather;
use super::impacts::{self, Impact};
use super::large::Aimed;
use super::mobility::{scatter, velocity};
use crate::force::gyroscopic::solve_drift;
use crate::integrate::kinetic;
use crate::solve::bounded::sparse::SparseParams;
use crate::solve::bounded::{self as solver, Block, Info, Params, Problem};
use crate::system::kkt::vec3;
use crate::system::linear::Failure;
use crate::topology::Topology;
use crate::workspace::Workspace;
use glam::DVec3;

/// Writes `bounded.bounce` of the islands of a cluster where something rebounds.
pub(crate) fn bounce(
    (t, h): (&Topology, f64),
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
    ws.bounded.clusters[c].energy = Some(energy_at_contact(t, islands, ws));
    Ok(())
}

/// What the active rows are in an impact; false when none rebounds.
fn find(t: &Topology, h: f64, c: usize, ws: &mut Workspace) -> bool {
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
            Block::Box { lo, .. } if lo == 0.0 => 1.0,
            Block::Box { hi, .. } if hi == 0.0 => -1.0,
            Block::Box { .. } => continue,
        };
        let w0 = sign * (gather::speed(ws, row) + row.drive);
        let free = sign * (velocity(t, row, &ws.bounded.free) + row.drive);
        let kick = (free - w0) * h / gather::hk_of(t, ws, row);
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
fn solve_dense(t: &Topology, params: &Params, ws: &mut Workspace) -> Info {
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
fn solve_sparse(t: &Topology, params: &Params, islands: &[usize], ws: &mut Workspace, out: &mut [f64]) -> Info {
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

/// Twice the kinetic energy at the moment of contact, J: more than that may not be left after the rebound.
fn energy_at_contact(t: &Topology, islands: &[usize], ws: &Workspace) -> f64 {
    let ahead = 1.0 + ws.bounded.moment;
    let mut sum = 0.0;
    for n in islands.iter().flat_map(|&k| t.islands[k].nodes.clone()) {
        let (node, now) = (&t.nodes[n], &ws.kin[n]);
        let v = now.vel + ahead * (vec3(&ws.bounded.free, node.x) - now.vel);
        sum += node.mass * v.length_squared();
        if node.dim == 6 {
            // What the turning of the inertia alone changes (the pre-update and the corrections of momentum) is no gain.
            let kick = if ws.kicked[node.island] { ws.inertia[n].inverse() * ws.kick[n] } else { DVec3::ZERO };
            let w = now.omega + ahead * (vec3(&ws.bounded.free, node.x + 3) - ws.omega_g[n] - kick);
            sum += w.dot(ws.inertia[n] * w);
        }
    }
    sum
}

/// Adds the rebound to the velocities at the new poses; the kinetic energy that is gained, J.
pub(crate) fn apply(t: &Topology, h: f64, ws: &mut Workspace) -> f64 {
    let mut gain = 0.0;
    for c in 0..ws.bounded.cluster_count {
        let Some(most) = ws.bounded.clusters[c].energy.take() else { continue };
        let islands = std::mem::take(&mut ws.bounded.clusters[c].islands);
        let nodes = || islands.iter().flat_map(|&k| t.islands[k].nodes.clone());
        let share = share(t, nodes(), most, ws);
        for n in nodes() {
            let before = kinetic(t, n, &ws.kin_next[n]);
            let node = &t.nodes[n];
            ws.kin_next[n].vel += share * vec3(&ws.bounded.bounce, node.x);
            if node.dim == 6 {
                ws.kin_next[n].omega += share * vec3(&ws.bounded.bounce, node.x + 3);
                shift(t, n, h, ws);
            }
            gain += kinetic(t, n, &ws.kin_next[n]) - before;
        }
        ws.bounded.clusters[c].islands = islands;
    }
    gain
}

/// The largest part of the rebound, from 0 to 1, that leaves no more than the energy there was:
/// now + 2 s cross + s^2 square <= most, with the inertia at the new poses.
fn share(t: &Topology, nodes: impl Iterator<Item = usize>, most: f64, ws: &Workspace) -> f64 {
    let (mut now, mut cross, mut square) = (0.0, 0.0, 0.0);
    for n in nodes {
        let (node, next) = (&t.nodes[n], &ws.kin_next[n]);
        let (v, d) = (next.vel, vec3(&ws.bounded.bounce, node.x));
        now += node.mass * v.length_squared();
        cross += node.mass * v.dot(d);
        square += node.mass * d.length_squared();
        if node.dim == 6 {
            let local = next.rot.transpose();
            let (w, d) = (local * next.omega, local * vec3(&ws.bounded.bounce, node.x + 3));
            let (iw, id) = (t.local_inertia[n] * w, t.local_inertia[n] * d);
            now += w.dot(iw);
            cross += d.dot(iw);
            square += d.dot(id);
        }
    }
    if now + 2.0 * cross + square <= most || square <= 0.0 {
        return 1.0;
    }
    let root = (cross * cross + square * (most - now)).max(0.0).sqrt();
    ((root - cross) / square).clamp(0.0, 1.0)
}

/// The rebound belongs to the new pose, stored velocities to the middle of the drift before it: the angular velocity whose drift would have
/// brought the momentum the body has now.
fn shift(t: &Topology, n: usize, h: f64, ws: &mut Workspace) {
    let node = &t.nodes[n];
    if node.isotropic || ws.momentum[n].is_nan() {
        return;
    }
    let kin = ws.kin_next[n];
    let momentum = kin.rot * (t.local_inertia[n] * (kin.rot.transpose() * kin.omega));
    if let Some(w) = solve_drift(&kin, t.local_inertia[n], momentum, -h) {
        ws.kin_next[n].omega = w;
    }
}

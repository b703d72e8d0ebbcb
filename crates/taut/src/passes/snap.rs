//! Loops that snap taut: the end of a step whose velocities carry a load beyond the reach of its links.
//!
//! The rows are linearised at the pose of the step; near a stretched loop they let a load pass beyond where any closed pose has it, and
//! the passes of `coordinates`, in whose metric heavy loads do not move, find none. Then:
//! ```text
//! x+ : Newton on phi = 0 with every body as heavy as the lightest,  dx = W^-1 J^T mu,  W_b = M_b min(m)/m_b
//! v+ : (x+ - x)/h, the velocity with which the bodies came there
//! ```
//! so a load stops where its links are stretched, inelastically: what it loses is booked under the constraints. With (x+ - x)/h the energy
//! that is centred in time changes by the work of that blow alone, which acts against the motion. If no pose is found, the same from a
//! shorter way: the pose of the step's start is closed. What rounding leaves of heavy loops goes with the same passes, which do not know
//! the masses; the velocities then stay.

use super::Task;
use crate::close::newton::{Metric, Newton};
use crate::desk::inputs::Given;
use crate::desk::{Desk, Projector, Snap};
use crate::integrate::{self, kinetic};
use crate::kin::Kin;
use crate::math::so3::log;
use crate::math::vec3;
use crate::rows::{evaluate_phi, row_velocity};
use crate::topology::Topology;
use crate::tuning::T;
use glam::{DMat3, DVec3};

/// Closes the joints of an island that the metric of the step has left open. Where it has snapped taut its velocities wait in `snap`; else
/// only the poses change.
pub(super) fn close(task: &Task<'_>, k: usize, desk: &mut Desk) {
    let Task { t, h, .. } = *task;
    let (island, nodes) = (&t.islands[k], t.islands[k].nodes.clone());
    let rows = &t.inputs.rows;
    let Desk { force, sol, next, snap, projector, right, .. } = desk;
    let newton = Newton { t, island, load: &force.found };
    let before = newton.openings(&next.phi, rows).worst;
    // Joints that were open before are put together; that is no blow.
    let start = Newton { load: &rows.lambda, ..newton }.openings(&rows.phi, rows).worst;
    let snapped = before > T.close.snapped && start < T.close.snapped;
    let p = projector.get_or_insert_with(|| Projector::new(t));
    next.saved.clear();
    next.saved.extend_from_slice(&next.kin[nodes.clone()]);
    let mut best = before;
    for share in if snapped { &T.close.shares[..] } else { &T.close.shares[..1] } {
        if snapped {
            integrate::poses(t, nodes.clone(), &t.inputs.kin, &sol.x, share * h, &mut next.kin);
        }
        let start = newton.place(&next.kin, p);
        let after = newton.run(Metric::Even, (T.close.snap_passes, T.close.closed), start, p).worst;
        if after < best {
            best = after;
            next.saved.copy_from_slice(&p.inputs.kin[nodes.clone()]);
        }
        if best < T.close.open {
            break;
        }
    }
    next.kin[nodes.clone()].copy_from_slice(&next.saved);
    evaluate_phi(t, island.groups.clone(), &next.kin, &mut next.phi);
    integrate::velocities(t, nodes, &sol.x, &mut next.kin);
    if snapped && best < before && best < T.close.snapped {
        chords(t, k, h, (&sol.x, &right.curve), &next.kin, snap);
    }
}

/// (x+ - x)/h of an island, into `snap`; less where that would have more kinetic energy than the solve has found.
fn chords(t: &Given<'_>, k: usize, h: f64, (x, curve): (&[f64], &[f64]), next: &[Kin], snap: &mut Snap) {
    snap.velocity.resize(t.pattern.size(), 0.0);
    snap.snapped[k] = true;
    let (mut solved, mut came) = (0.0, 0.0);
    for n in t.islands[k].nodes.clone() {
        let (node, now, next) = (&t.nodes[n], &t.inputs.kin[n], &next[n]);
        let vel = (next.pos - now.pos) / h;
        let omega = if node.dim == 6 { log(next.quat * now.quat.conjugate()) / h } else { next.omega };
        solved += kinetic(t, n, next);
        came += kinetic(t, n, &Kin { vel, omega, ..*next });
        snap.velocity[node.x..node.x + 3].copy_from_slice(&vel.to_array());
        if node.dim == 6 {
            snap.velocity[node.x + 3..node.x + 6].copy_from_slice(&omega.to_array());
        }
    }
    // A rotor that turns at J v + c: of a share s of the velocities the energy is came s^2 + across s + left.
    let (mut across, mut left) = (0.0, 0.0);
    let rows = &t.inputs.rows;
    for rotor in rows.rotors_of(t.islands[k].groups.clone()) {
        let g = &t.groups[rotor.group];
        let rate = rotor.rate(t, rows, x, curve, h);
        let c = rate - row_velocity(t, g, rotor.r, &rows.jac, x);
        let jv = row_velocity(t, g, rotor.r, &rows.jac, &snap.velocity);
        solved += rotor.energy(rate);
        came += rotor.energy(jv);
        across += rotor.armature * c * jv;
        left += rotor.energy(c);
    }
    if came + across + left > solved {
        let half = 0.5 * across / came;
        let share = ((half * half + (solved - left) / came).max(0.0).sqrt() - half).clamp(0.0, 1.0);
        snap.velocity[t.islands[k].x.clone()].iter_mut().for_each(|v| *v *= share);
    }
}

/// Gives the islands that have snapped taut their velocities; the kinetic energy that is gained, J.
pub(crate) fn apply(t: &Topology, snap: &Snap, next: &mut [Kin]) -> f64 {
    let mut gain = 0.0;
    for k in (0..t.islands.len()).filter(|&k| snap.snapped[k]) {
        for n in t.islands[k].nodes.clone() {
            let node = &t.nodes[n];
            let before = kinetic(t, n, &next[n]);
            next[n].vel = vec3(&snap.velocity, node.x);
            if node.dim == 6 {
                next[n].omega = vec3(&snap.velocity, node.x + 3);
            }
            gain += kinetic(t, n, &next[n]) - before;
        }
    }
    gain
}

/// The memory of a body that has snapped taut may give back no more than the solve has kept.
pub(crate) fn forget(t: &Topology, snap: &Snap, next: &[Kin], x: &[f64], added: &mut [DMat3]) {
    for k in (0..t.islands.len()).filter(|&k| snap.snapped[k]) {
        for n in t.islands[k].nodes.clone().filter(|&n| t.nodes[n].dim == 6) {
            let (old, new) = (integrate::velocity(t, n, x).1, next[n].omega);
            let energy = |w: DVec3| w.dot(added[n] * w);
            let (old, new) = (energy(old), energy(new));
            if new > old {
                added[n] *= old / new;
            }
        }
    }
}

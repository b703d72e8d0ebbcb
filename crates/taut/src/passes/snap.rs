//! Loops that snap taut: the end of a step whose velocities carry a load beyond the reach of its links.
//!
//! The rows are linearised at the pose of the step; near a stretched loop they let a load pass beyond where any closed pose has it, and
//! the passes of `coordinates`, in whose metric heavy loads do not move, find none. Then:
//! ```text
//! x+ : Newton on phi = 0 with every body as heavy as the lightest,  dx = W^-1 J^T mu,  W_b = M_b min(m)/m_b
//! v+ : (x+ - x)/h, the velocity with which the bodies came there
//! ```
//! so a load stops where its links are stretched, inelastically: what it loses is booked under the constraints. If no pose is found, the
//! same from a shorter way: the pose of the step's start is closed.

use super::Task;
use crate::constraint::rows;
use crate::integrate::{self, kinetic};
use crate::math::so3::log;
use crate::solve::structured::Meter;
use crate::system::kkt::vec3;
use crate::system::linear::Failure;
use crate::system::structured::project::{Projection, workspace};
use crate::topology::Topology;
use crate::workspace::Workspace;
use glam::DVec3;

/// Passes from one start, and the opening (m, rad) at which there are no more.
const PASSES: usize = 40;
const CLOSED: f64 = 1e-12;
/// Shares of the way that are tried.
const SHARES: [f64; 5] = [1.0, 0.5, 0.25, 0.1, 0.0];

/// Closes the joints of an island that nothing else has closed beyond `open` (m, rad); its velocities wait in `snap`.
pub(super) fn snap(task: &Task<'_>, open: f64, ws: &mut Workspace) -> Result<(), Failure> {
    let Task { t, k, h, .. } = *task;
    let island = &t.islands[k];
    let nodes = island.nodes.clone();
    let mut p = ws.projector.take().unwrap_or_else(|| workspace(t));
    let projection = Projection { t, k, loaded: true, even: true };
    let mut best = projection.opening(&ws.phi_next, ws).worst;
    let mut found = Ok(());
    for share in SHARES {
        ws.residual[island.x.clone()].copy_from_slice(&ws.x[island.x.clone()]);
        integrate::poses(t, nodes.clone(), &ws.kin, &ws.residual, share * h, &mut ws.kin_next);
        let mut now = projection.place(&ws.kin_next, &mut p);
        for _ in 0..PASSES {
            match projection.pass(CLOSED, &mut Meter::default(), &mut p) {
                Ok(Some(next)) => now = next,
                Ok(None) => break,
                Err(e) => found = Err(e),
            }
            if found.is_err() || now.worst < CLOSED {
                break;
            }
        }
        if std::env::var("SNAPV").is_ok() {
            eprintln!("snap share {share} opening {best:.2e} -> {:.2e}", now.worst);
        }
        if now.worst < best {
            best = now.worst;
        }
        if best < open || found.is_err() {
            break;
        }
    }
    ws.kin_next[nodes.clone()].copy_from_slice(&p.kin[nodes.clone()]);
    integrate::velocities(t, nodes, &ws.x, &mut ws.kin_next);
    rows::evaluate_phi(t, island.groups.clone(), &ws.kin_next, &mut ws.phi_next);
    ws.projector = Some(p);
    chords(t, k, h, ws);
    found
}

/// (x+ - x)/h of an island, into `snap`.
fn chords(t: &Topology, k: usize, h: f64, ws: &mut Workspace) {
    ws.snap.resize(t.pattern.size(), 0.0);
    ws.snapped[k] = true;
    for n in t.islands[k].nodes.clone() {
        let (node, now, next) = (&t.nodes[n], &ws.kin[n], &ws.kin_next[n]);
        let v = (next.pos - now.pos) / h;
        ws.snap[node.x..node.x + 3].copy_from_slice(&v.to_array());
        if node.dim == 6 {
            let w = log(next.quat * now.quat.conjugate()) / h;
            ws.snap[node.x + 3..node.x + 6].copy_from_slice(&w.to_array());
        }
    }
}

/// Gives the islands that have snapped taut their velocities; the kinetic energy that is gained, J.
pub(crate) fn apply(t: &Topology, ws: &mut Workspace) -> f64 {
    let mut gain = 0.0;
    for k in (0..t.islands.len()).filter(|&k| ws.snapped[k]) {
        for n in t.islands[k].nodes.clone() {
            let node = &t.nodes[n];
            let before = kinetic(t, n, &ws.kin_next[n]);
            ws.kin_next[n].vel = vec3(&ws.snap, node.x);
            if node.dim == 6 {
                let (old, new) = (ws.kin_next[n].omega, vec3(&ws.snap, node.x + 3));
                let energy = |w: DVec3| w.dot(ws.added[n] * w);
                // The memory may give back no more than the solve has kept.
                let share = if energy(new) > energy(old) { energy(old) / energy(new) } else { 1.0 };
                ws.added[n] *= share;
                ws.kin_next[n].omega = new;
            }
            gain += kinetic(t, n, &ws.kin_next[n]) - before;
        }
    }
    gain
}

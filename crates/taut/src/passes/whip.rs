//! Whips in reduced coordinates: light links that turn far in a step.
//!
//! Ideal joints do no work. Those of the resolved regime do in second order, W = (h lambda).J (v + v+)/2, now positive, now negative; in a
//! whip they lend the motion a few per cent of its energy for some steps. The work of late and the peak of the kinetic energy,
//! ```text
//! G <- g G + W,     P <- max(T, g P),     g = LEAK
//! ```
//! are kept per island. A step that would bring G beyond `RISE` of P is repeated with the base step, which only loses.

use super::Task;
use crate::constraint::rows::row_velocity;
use crate::options::Coordinates;
use crate::system::kkt::vec3;
use crate::workspace::Workspace;

/// What is kept of G and P per step: a whip lasts some ten steps.
const LEAK: f64 = 0.98;
/// Part of P that the joints may have given.
const RISE: f64 = 0.005;

/// Books the work of the joints in the solution at hand; false, and nothing is booked, when they give too much.
pub(super) fn bears(task: &Task<'_>, ws: &mut Workspace) -> bool {
    let Task { t, options, k, .. } = *task;
    if options.coordinates != Coordinates::Reduced {
        return true;
    }
    let island = &t.islands[k];
    let (mut twice, mut work) = (0.0, 0.0);
    for n in island.nodes.clone() {
        let node = &t.nodes[n];
        let v = vec3(&ws.x, node.x);
        twice += node.mass * v.length_squared();
        ws.residual[node.x..node.x + 3].copy_from_slice(&(0.5 * (ws.kin[n].vel + v)).to_array());
        if node.dim == 6 {
            let w = vec3(&ws.x, node.x + 3);
            twice += w.dot(ws.inertia[n] * w);
            ws.residual[node.x + 3..node.x + 6].copy_from_slice(&(0.5 * (ws.omega_g[n] + w)).to_array());
        }
    }
    for g in &t.groups[island.groups.clone()] {
        for r in (0..g.rows()).filter(|r| ws.rows.is_rigid(g.row() + r)) {
            let speed = row_velocity(t, g, r, &ws.rows.jac, &ws.residual) + ws.rows.drive[g.row() + r];
            work -= ws.x[g.x() + r] * speed;
        }
    }
    let regime = &mut ws.regime[k];
    let (gain, peak) = (LEAK * regime.gain, (0.5 * twice).max(LEAK * regime.peak));
    let bears = gain + work <= RISE * peak;
    (regime.gain, regime.peak) = (if bears { gain + work } else { gain }, peak);
    bears
}

//! Penetration is removed from the positions alone, never by a velocity (Faure: position projection), so it costs and gives no kinetic
//! energy. With phi+ = phi + h w the distances after the step, on the factor and W of the step:
//! ```text
//! dx = K^-1 Jn^T y,     0 <= y  _|_  Jn dx + phi+ >= 0
//! ```
//! Joints stay closed to first order, because they are in K.

use super::Origin;
use super::mobility::{scatter, velocity};
use crate::integrate;
use crate::passes::Task;
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

/// Writes `bounded.push` of the islands of a cluster with penetrations.
pub(crate) fn push(
    task: &Task<'_>,
    c: usize,
    islands: &[usize],
    ws: &mut Workspace,
    mut respond: impl FnMut(usize, &mut [f64], &mut Workspace) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let Task { t, h, .. } = *task;
    if !gather(task, c, ws) {
        return Ok(());
    }
    let b = &mut ws.bounded;
    let n = b.touching.len();
    let all = b.active.len();
    b.push_w.clear();
    for &(at, _) in &b.touching {
        b.push_w.extend(b.touching.iter().map(|&(to, _)| b.w[at * all + to]));
    }
    // Compliance has no part in a position.
    for k in 0..n {
        b.push_w[k * n + k] -= b.rows[b.active[b.touching[k].0]].sigma;
    }
    b.blocks_push.clear();
    b.blocks_push.resize(n, Block::Box { lo: 0.0, hi: f64::INFINITY });
    b.q.clear();
    b.q.extend(b.touching.iter().map(|&(_, phi)| phi / h));
    b.z.clear();
    b.z.resize(n, 0.0);
    let params = Params { tolerance: 1e-9, ..Params::default() };
    let problem = Problem { w: &b.push_w, q: &b.q, blocks: &b.blocks_push };
    solver::solve(&problem, &params, &mut b.z, &mut b.work);
    let mut out = std::mem::take(&mut ws.bounded.push);
    out.resize(t.pattern.size(), 0.0);
    for &k in islands {
        out[t.islands[k].x.clone()].fill(0.0);
        for (q, &(at, _)) in ws.bounded.touching.iter().enumerate() {
            let r = ws.bounded.active[at];
            scatter(t, k, &ws.bounded.rows[r], ws.bounded.z[q], &mut out);
        }
        respond(k, &mut out, ws)?;
        ws.bounded.pushed[k] = true;
    }
    ws.bounded.push = out;
    Ok(())
}

/// Contacts that are closed after the step, with the distance to be made up; false when none has gone too deep.
fn gather(task: &Task<'_>, c: usize, ws: &mut Workspace) -> bool {
    let Task { t, h, .. } = *task;
    let mut touching = std::mem::take(&mut ws.bounded.touching);
    touching.clear();
    let mut deep = false;
    let b = &ws.bounded;
    for c in &b.candidates[b.clusters[c].candidates.clone()] {
        let row = &b.rows[c.row];
        let rigid = matches!(c.origin, Origin::Contact(k) if ws.contacts[k].compliance == 0.0);
        if !c.active || !rigid || row.at == NONE {
            continue;
        }
        let next = row.phi + h * (velocity(t, row, &ws.x) + row.drive);
        let size = row.sides().map(|(n, _)| gyration(task, n)).fold(f64::INFINITY, f64::min);
        let excess = next + SLOP * size;
        if excess < 0.0 {
            deep = true;
            touching.push((row.at, (SHARE * excess).max(-MOST * size)));
        } else if next < SLOP * size {
            touching.push((row.at, next.max(0.0)));
        }
    }
    ws.bounded.touching = touching;
    deep
}

/// Radius of gyration of a node, m; of a particle, which has none, a millimetre.
fn gyration(task: &Task<'_>, n: usize) -> f64 {
    let (node, i) = (&task.t.nodes[n], &task.t.local_inertia[n]);
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

//! Penetration is removed from the positions alone, never by a velocity (Faure: position projection), so it costs and gives no kinetic
//! energy. With phi+ = phi + h w the distances after the step, on the factor and W of the step:
//! ```text
//! dx = K^-1 Jn^T y,     0 <= y  _|_  Jn dx + phi+ >= 0
//! ```
//! Joints stay closed to first order, because they are in K.

use super::Origin;
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

/// A normal that pushes.
const PUSH: Block = Block::Box { lo: 0.0, hi: f64::INFINITY };

/// Writes `bounded.push` of the islands of a cluster with penetrations.
pub(crate) fn push(
    (t, h): (&Topology, f64),
    c: usize,
    islands: &[usize],
    ws: &mut Workspace,
    mut respond: impl FnMut(usize, &mut [f64], &mut Workspace) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if !gather(t, h, c, ws) {
        return Ok(());
    }
    let mut out = std::mem::take(&mut ws.bounded.push);
    out.resize(t.pattern.size(), 0.0);
    if ws.bounded.is_large {
        sparse(t, h, islands, ws, &mut out);
    } else {
        dense(h, ws);
        for &k in islands {
            out[t.islands[k].x.clone()].fill(0.0);
        }
        for (q, &(at, _)) in ws.bounded.touching.iter().enumerate() {
            scatter(t, &ws.bounded.rows[ws.bounded.active[at]], ws.bounded.z[q], &mut out);
        }
        for &k in islands {
            respond(k, &mut out, ws)?;
        }
    }
    for &k in islands {
        ws.bounded.pushed[k] = true;
    }
    ws.bounded.push = out;
    Ok(())
}

/// y from W, into `z`.
fn dense(h: f64, ws: &mut Workspace) {
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
    b.blocks_push.resize(n, PUSH);
    b.q.clear();
    b.q.extend(b.touching.iter().map(|&(_, phi)| phi / h));
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
    for &(at, phi) in &ws.bounded.touching {
        let row = ws.bounded.active[at];
        let aimed = Aimed { row, c: -phi / h, z: 0.0, sigma: 0.0 };
        large.add(t, &ws.bounded, PUSH, std::iter::once(aimed));
    }
    large.solve(t, islands, &SparseParams::default(), out);
    ws.bounded.large = large;
}

/// Contacts that are closed after the step, with the distance to be made up; false when none has gone too deep.
fn gather(t: &Topology, h: f64, c: usize, ws: &mut Workspace) -> bool {
    let mut touching = std::mem::take(&mut ws.bounded.touching);
    touching.clear();
    let mut deep = false;
    let b = &ws.bounded;
    for c in &b.candidates[b.clusters[c].candidates.clone()] {
        let row = &b.rows[c.row];
        let rigid = matches!(c.origin, Origin::Contact(_)) && row.sigma == 0.0;
        if !c.active || !rigid || row.at == NONE {
            continue;
        }
        let next = row.phi + h * (velocity(t, row, &ws.x) + row.drive);
        let size = row.sides().map(|(n, _)| gyration(t, n)).fold(f64::INFINITY, f64::min);
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

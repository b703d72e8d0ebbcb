//! Penetration, and what a limit is passed by in second order, is removed from the positions alone, never by a velocity (Faure: position
//! projection), so it costs and gives no kinetic energy. With phi+ the distances after the step (phi + h w for contacts, measured at the
//! new poses for limits), on the factor and W of the step:
//! ```text
//! dx = K^-1 Jn^T y,     0 <= y  _|_  Jn dx + phi+ >= 0
//! ```
//! Joints stay closed to first order, because they are in K. A limb that whips along the edge of its cone passes it by
//! (h w)^2 cot(angle)/2; limits are looked at again after the push.

use super::accuracy::{angle_at, limit_at};
use super::large::Aimed;
use super::measure;
use crate::delassus::{scatter, velocity};
use crate::integrate;
use crate::math::vec3;
use crate::rows::evaluate_phi;
use crate::solve::bounded::sparse::SparseParams;
use crate::solve::bounded::{self as solver, Block, Params, Problem};
use crate::system::linear::Failure;
use crate::topology::{Island, NONE, Topology};
use crate::tuning::T;
use crate::workspace::Workspace;
use crate::workspace::bounded::{Origin, Touch};
use crate::workspace::inputs::Given;

/// What is left for later steps of the excess that an angle had before the step, rad.
fn later(before: f64) -> f64 {
    if before > T.push.inherited { before - (T.push.share * before).min(T.push.turn) } else { 0.0 }
}

/// A normal that pushes.
const PUSH: Block = Block::Box { lo: 0.0, hi: f64::INFINITY };

/// Writes `bounded.push` of the islands of a cluster with penetrations or limits that are passed.
pub(crate) fn push(
    (t, h): (&Given<'_>, f64),
    c: usize,
    islands: &[usize],
    ws: &mut Workspace,
    mut respond: impl FnMut(usize, &mut [f64], &mut Workspace) -> Result<(), Failure>,
    mut rebuild: impl FnMut(&mut Workspace) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let limits = has_limits(t, c, ws);
    if limits {
        ws.bounded.phi_base.resize(ws.phi_next.len(), 0.0);
        for &k in islands {
            let island = &t.islands[k];
            integrate::poses(t, island.nodes.clone(), &t.inputs.kin, &ws.x, h, &mut ws.kin_next);
            evaluate_phi(t, island.groups.clone(), &ws.kin_next, &mut ws.phi_next);
            for g in &t.groups[island.groups.clone()] {
                let rows = g.row()..g.row() + g.rows();
                ws.bounded.phi_base[rows.clone()].copy_from_slice(&ws.phi_next[rows]);
            }
        }
    }
    let mut worst = f64::INFINITY;
    for round in 0..T.push.rounds {
        let Some(passed) = gather(t, h, c, round > 0, ws) else { break };
        if passed > worst {
            // A push that went too far is halved.
            shift(t, islands, -0.5, ws);
            for &k in islands {
                ws.bounded.shift[t.islands[k].x.clone()].iter_mut().for_each(|x| *x *= 0.5);
            }
        } else {
            worst = passed;
            if limits && !ws.bounded.is_large {
                rebuild(ws)?;
                gather(t, h, c, round > 0, ws);
            }
            let mut out = std::mem::take(&mut ws.bounded.shift);
            out.resize(t.pattern.size(), 0.0);
            solve(t, h, islands, round > 0, ws, &mut out, &mut respond)?;
            ws.bounded.shift = out;
            begin(t, islands, round == 0, ws);
            shift(t, islands, 1.0, ws);
        }
        if !limits {
            break;
        }
        for &k in islands {
            poses(t, &t.islands[k], h, ws);
            evaluate_phi(t, t.islands[k].groups.clone(), &ws.kin_next, &mut ws.phi_next);
        }
    }
    turn_back(ws);
    Ok(())
}

/// Turns the rows of limits to the new poses: a narrow cone has gone round by then. Those of the step are kept.
pub(crate) fn turn(t: &Topology, c: usize, ws: &mut Workspace) {
    let b = &mut ws.bounded;
    for c in b.candidates[b.clusters[c].candidates.clone()].iter().filter(|c| c.active) {
        let Origin::Joint { bound, .. } = c.origin else { continue };
        if angle_at(t, c.origin, &ws.kin_next).is_some() {
            let of = &t.bounds[bound];
            let m = measure(&of.spec, &ws.kin_next[of.i].side(), &ws.kin_next[of.j].side());
            let row = &mut b.rows[c.row];
            if b.turned.iter().all(|kept| kept.0 != c.row) {
                b.turned.push((c.row, row.ji, row.jj));
            }
            (row.ji, row.jj) = (m.ji, m.jj);
        }
    }
}

/// The rows of the step again.
fn turn_back(ws: &mut Workspace) {
    let b = &mut ws.bounded;
    for (row, ji, jj) in b.turned.drain(..) {
        (b.rows[row].ji, b.rows[row].jj) = (ji, jj);
    }
}

/// Marks the islands as pushed; the first time the push is zero.
fn begin(t: &Topology, islands: &[usize], first: bool, ws: &mut Workspace) {
    ws.bounded.push.resize(t.pattern.size(), 0.0);
    for &k in islands {
        if first {
            ws.bounded.push[t.islands[k].x.clone()].fill(0.0);
        }
        ws.bounded.pushed[k] = true;
    }
}

/// Adds a round to the push, or takes it away.
fn shift(t: &Topology, islands: &[usize], sign: f64, ws: &mut Workspace) {
    let b = &mut ws.bounded;
    for &k in islands {
        let range = t.islands[k].x.clone();
        for (sum, x) in b.push[range.clone()].iter_mut().zip(&b.shift[range]) {
            *sum += sign * x;
        }
    }
}

/// dx/h for what touches. In later rounds the joints go back to the openings they had before the push.
fn solve(
    t: &Given<'_>,
    h: f64,
    islands: &[usize],
    again: bool,
    ws: &mut Workspace,
    out: &mut [f64],
    respond: &mut impl FnMut(usize, &mut [f64], &mut Workspace) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if ws.bounded.is_large {
        sparse(t, h, islands, ws, out);
        return Ok(());
    }
    if again {
        joints(t, h, islands, ws, out);
        islands.iter().try_for_each(|&k| respond(k, out, ws))?;
        let b = &mut ws.bounded;
        for touch in &mut b.touching {
            touch.phi += h * velocity(t, &b.rows[b.active[touch.at]], out);
        }
    }
    dense(h, ws);
    if again {
        joints(t, h, islands, ws, out);
    } else {
        islands.iter().for_each(|&k| out[t.islands[k].x.clone()].fill(0.0));
    }
    for (q, touch) in ws.bounded.touching.iter().enumerate() {
        scatter(t, &ws.bounded.rows[ws.bounded.active[touch.at]], ws.bounded.z[q], out);
    }
    islands.iter().try_for_each(|&k| respond(k, out, ws))
}

/// Right-hand side that takes back what the push has opened.
fn joints(t: &Topology, h: f64, islands: &[usize], ws: &Workspace, out: &mut [f64]) {
    for &k in islands {
        out[t.islands[k].x.clone()].fill(0.0);
        for g in &t.groups[t.islands[k].groups.clone()] {
            for r in 0..g.rows() {
                let row = g.row() + r;
                if ws.rows.is_rigid(row) && !ws.redundant[k] {
                    out[g.x() + r] = (ws.bounded.phi_base[row] - ws.phi_next[row]) / h;
                }
            }
        }
    }
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
fn sparse(t: &Given<'_>, h: f64, islands: &[usize], ws: &mut Workspace, out: &mut [f64]) {
    let mut large = std::mem::take(&mut ws.bounded.large);
    large.fill(t, islands, ws, |_| 0.0);
    large.begin(t, islands);
    for touch in &ws.bounded.touching {
        let row = ws.bounded.active[touch.at];
        let aimed = Aimed { row, c: -touch.phi / h, z: 0.0, sigma: 0.0 };
        large.add(t, &ws.bounded, touch.law, std::iter::once(aimed));
    }
    large.solve(t, islands, &SparseParams { tolerance: 1e-6, ..SparseParams::default() }, out);
    ws.bounded.large = large;
}

/// Whether a rigid limit on an angle is active in the cluster.
fn has_limits(t: &Given<'_>, c: usize, ws: &Workspace) -> bool {
    let b = &ws.bounded;
    let own = &b.candidates[b.clusters[c].candidates.clone()];
    own.iter().any(|c| c.active && angle_at(t, c.origin, &t.inputs.kin).is_some())
}

/// Contacts and limits that are closed after the step, with the distance to be made up, and the largest excess of a limit; none when
/// none has gone too far. In later rounds the contacts only keep what they have.
pub(crate) fn gather(t: &Topology, h: f64, c: usize, again: bool, ws: &mut Workspace) -> Option<f64> {
    let mut touching = std::mem::take(&mut ws.bounded.touching);
    touching.clear();
    let mut deep = false;
    let mut passed = 0.0_f64;
    let b = &ws.bounded;
    for c in &b.candidates[b.clusters[c].candidates.clone()] {
        let row = &b.rows[c.row];
        let on = c.active && row.at != NONE;
        // A limit that is not in W yet counts: it is taken in before the push is solved.
        if !on && b.is_large {
            continue;
        }
        if let Some((q, scale, sign)) = angle_at(t, c.origin, &ws.kin_next) {
            let q = q - sign * later(sign * row.phi);
            passed = passed.max(sign * q / scale);
            if on {
                touching.push(Touch { at: row.at, phi: sign * (sign * q).min(T.push.turn * scale), law: c.law });
            }
            continue;
        }
        if let Some((_, scale, sign)) = limit_at(t, c.origin, &ws.kin_next).filter(|_| on) {
            let pushed = if again { velocity(t, row, &b.push) } else { 0.0 };
            let next = sign * (row.phi + h * (velocity(t, row, &ws.x) + row.drive - row.aim + pushed));
            let excess = next - T.push.slop_length * scale;
            if excess > 0.0 && !again {
                deep = true;
                touching.push(Touch {
                    at: row.at,
                    phi: sign * (T.push.share * excess).min(T.push.most_length * scale),
                    law: c.law,
                });
            } else if next > -T.push.slop_length * scale {
                touching.push(Touch { at: row.at, phi: sign * next.min(0.0), law: c.law });
            }
            continue;
        }
        if !(on && matches!(c.origin, Origin::Contact(_)) && row.sigma == 0.0) {
            continue;
        }
        let pushed = if again { velocity(t, row, &b.push) } else { 0.0 };
        let next = row.phi + h * (velocity(t, row, &ws.x) + row.drive + pushed);
        let size = row.sides().map(|(n, _)| gyration(t, n)).fold(f64::INFINITY, f64::min);
        let excess = next + T.push.slop * size;
        if excess < 0.0 && !again {
            deep = true;
            let phi = (T.push.share * excess).max(-T.push.most * size);
            touching.push(Touch { at: row.at, phi, law: PUSH });
        } else if next < T.push.slop * size {
            touching.push(Touch { at: row.at, phi: next.max(0.0), law: PUSH });
        }
    }
    ws.bounded.touching = touching;
    (deep || passed > T.push.passed).then_some(passed)
}

/// Radius of gyration of a node, m; of a particle, which has none, a millimetre.
fn gyration(t: &Topology, n: usize) -> f64 {
    let (node, i) = (&t.nodes[n], &t.local_inertia[n]);
    if node.dim == 3 { 1e-3 } else { ((i.x_axis.x + i.y_axis.y + i.z_axis.z) / (2.0 * node.mass)).sqrt() }
}

/// Poses with the penetration removed; the velocities are those of the solve.
pub(crate) fn poses(t: &Given<'_>, island: &Island, h: f64, ws: &mut Workspace) {
    for q in island.x.clone() {
        ws.residual[q] = ws.x[q] + ws.bounded.push[q];
    }
    integrate::poses(t, island.nodes.clone(), &t.inputs.kin, &ws.residual, h, &mut ws.kin_next);
    for n in island.nodes.clone() {
        let node = &t.nodes[n];
        ws.kin_next[n].vel = vec3(&ws.x, node.x);
        if node.dim == 6 {
            ws.kin_next[n].omega = vec3(&ws.x, node.x + 3);
        }
    }
}

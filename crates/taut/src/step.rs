//! The step: one call per stage, no maths.

use crate::contact::ContactRecord;
use crate::error::{Error, Result};
use crate::events::{self, Event};
use crate::force::{self, gyroscopic};
use crate::ids::JointId;
use crate::joints::{Bound, BoundSpec};
use crate::kin::Kin;
use crate::model::{Model, Motion};
use crate::passes::{Task, anytime, islands, snap};
use crate::plan::Plan;
use crate::profile::Stage;
use crate::report::{self, Books, BoundedReport, StepReport};
use crate::solve::block_ldlt;
use crate::stabilise::aligned;
use crate::state::{Regime, State};
use crate::system::kkt;
use crate::system::linear::Failure;
use crate::topology::{Source, Topology};
use crate::workspace::Workspace;
use crate::workspace::bounded::Origin;
use crate::{bounded, conflicts, integrate, rows};
use glam::{DMat3, DVec3};

/// On trees the residual is looked at in every so many steps; with loops in each.
const RESIDUAL_EVERY: u64 = 8;

/// Per step, how fast a long step is forgotten. The stiffness of the stabiliser is that of the longest step of late: were it h^2 S in
/// steps of changing length, its jumps by (h/h_prev)^2 would take the memory of the motion with them.
/// The nearer to 1, the less is lost and the longer light links are as slow as in the long step.
const FORGET: f64 = 0.99;

/// Takes one step of length `h`. On any error `state` is untouched.
pub(crate) fn step(
    model: &Model,
    t: &Topology,
    plan: &Plan,
    h: f64,
    state: &mut State,
    ws: &mut Workspace,
) -> Result<StepReport> {
    gather(model, t, plan, h, state, ws);
    ws.profile.mark(Stage::Gather);
    gyroscopic_stage(t, plan, h, ws);
    ws.profile.mark(Stage::Gyroscopic);
    rows_stage(t, plan, state, h, ws);
    ws.profile.mark(Stage::Rows);
    bounded_stage(t, plan, state, h, ws);
    ws.profile.mark(Stage::Candidates);
    let before = report::potential(model, t, plan.gravity, &ws.kin, &ws.rows, report::Rest::now(&ws.rows));
    ws.profile.mark(Stage::Books);
    force::evaluate(model, t, plan.gravity, h, ws);
    check_rods(model, t, state.time, ws)?;
    integrate::driven(t, &ws.kin, h, &mut ws.kin_next);
    ws.check_residual = state.steps.is_multiple_of(RESIDUAL_EVERY);
    ws.posed.fill(false);
    ws.snapped.fill(false);
    ws.probed.fill(false);
    ws.kicked.fill(false);
    ws.profile.mark(Stage::Forces);
    let task = Task { t, plan, state, k: 0, h };
    anytime::begin(&task, ws);
    let counts = islands::solve(&task, ws).and_then(|c| anytime::finish(&task, ws).map(|f| (c, f)));
    let (counts, reached) = counts.map_err(|f| blame(model, t, state.time, f))?;
    check_finite(model, t, state.time, ws)?;
    if let Some(forest) = &mut ws.forest {
        forest.place(t, &mut ws.kin_next, &mut ws.phi_next);
    }
    bounded::evaluate(t, &ws.kin_next, &mut ws.phi_next);
    ws.profile.mark(Stage::Poses);

    let geo = plan.geometric();
    let books = Books { model, gravity: plan.gravity, h, before, lag: state.potential_lag, geo };
    let (mut energy, mut ledger, mut lag, poses) = report::close(t, ws, &books);
    if !poses.is_finite() {
        check_poses(model, t, state.time, 0, ws)?;
    }
    check_poses(model, t, state.time, t.nodes.len(), ws)?;
    let (max_gap, at, sum_gap, max_angle) = report::gaps(t, &ws.rows, &ws.phi_next);
    report::shock(snap::apply(t, ws), &mut energy, &mut ledger);
    report::rebound(t, ws, &books, (&mut energy, &mut ledger, &mut lag[0]));
    let conflicts = conflicts::find(model, t, h, ws);
    let mut events = limits_reached(model, t, state, ws);
    let mut before = std::mem::take(&mut ws.pairs);
    events::pairs(&state.contacts, &mut before);
    ws.profile.mark(Stage::Books);
    scatter(t, h, lag, state, ws);
    events::contacts(&before, &state.contacts, &mut events);
    events::sensors(&state.sensed, &ws.sensed, &mut events);
    state.sensed.clone_from(&ws.sensed);
    ws.pairs = before;
    ws.profile.mark(Stage::Scatter);
    Ok(StepReport {
        time: state.time,
        energy,
        ledger,
        max_gap,
        max_gap_joint: at.and_then(|k| model.joints.key_at(t.groups[k].slot())).map(JointId),
        sum_gap,
        max_angle,
        solves: counts.deepest,
        factorisations: counts.factorisations,
        right_hand_sides: counts.right_hand_sides,
        refinements: counts.refinements,
        iterations: counts.iterations,
        residual: counts.residual,
        path: plan.path(),
        is_tree: t.is_tree,
        panels: panels(t, plan),
        islands: t.islands.len(),
        resolved_islands: ws.share.iter().filter(|&&r| r == 1.0).count(),
        snapped_islands: ws.snapped.iter().filter(|&&s| s).count(),
        dropped_rows: counts.dropped,
        redundant_joints: state.redundant.iter().filter(|&&r| r).count(),
        smallest_pivot: counts.smallest_pivot,
        bounded: BoundedReport::new(&ws.bounded, &ws.contacts, bounded::accuracy::overrun(t, &ws.phi_next)),
        anytime: reached.map(|r| r.report(model, t)),
        conflicts,
        events,
    })
}

/// Islands that are factorised by panels.
fn panels(t: &Topology, plan: &Plan) -> usize {
    let direct = plan.is_direct();
    if direct { t.islands.iter().filter(|i| i.wide).count() } else { 0 }
}

/// Rows, with the mobilities of loop rows for the drop rule.
pub(crate) fn rows_stage(t: &Topology, plan: &Plan, state: &State, h: f64, ws: &mut Workspace) {
    ws.rows.keeps_energy = plan.is_aligned();
    ws.redundant.fill(false);
    if ws.stalled.contains(&true) {
        ws.rows.stall.fill(false);
        ws.stalled.fill(false);
    }
    for g in t.groups.iter().filter(|g| g.closes_loop) {
        ws.redundant[g.island()] |= state.redundant[g.slot()];
    }
    let mut reference = std::mem::take(&mut ws.ldlt.reference);
    rows::evaluate((t, 0..t.groups.len()), &ws.kin, &state.give, h, &mut ws.rows, &mut reference);
    rows::command(t, &state.commands, h, &mut ws.rows);
    ws.ldlt.reference = reference;
}

/// Bounded rows that could act in this step, with the forces they had.
fn bounded_stage(t: &Topology, plan: &Plan, state: &State, h: f64, ws: &mut Workspace) {
    for (k, b) in t.bounds.iter().enumerate() {
        ws.rows.lambda[t.row_count + k] = state.lambda[b.state_row];
        ws.rows.stretch[t.row_count + k] = state.stretch[b.state_row];
    }
    ws.rows.lambda_next[t.row_count..].fill(0.0);
    ws.contact_force.clear();
    let warm = |id| state.contacts.binary_search_by_key(&id, |c| c.id).map_or(DVec3::ZERO, |k| state.contacts[k].force);
    ws.contact_force.extend(ws.contacts.iter().map(|c| warm(c.id)));
    bounded::gather::gather(t, plan, state, h, ws);
}

fn gyroscopic_stage(t: &Topology, plan: &Plan, h: f64, ws: &mut Workspace) {
    gyroscopic::evaluate(t, h, plan.resolves(), ws);
}

/// State into the workspace, in elimination order.
pub(crate) fn gather(model: &Model, t: &Topology, plan: &Plan, h: f64, state: &State, ws: &mut Workspace) {
    ws.damp_diag.clear();
    if ws.rows.has_added_damping {
        ws.rows.added_damping.fill(0.0);
        ws.rows.has_added_damping = false;
    }
    for (dense, &slot) in t.slot_of.iter().enumerate() {
        let b = &state.bodies[slot];
        let mut kin = Kin { pos: b.pos, quat: b.rot, rot: DMat3::from_quat(b.rot), vel: b.vel, omega: b.omega };
        if dense < t.nodes.len() {
            ws.added_prev[dense] = b.added;
            ws.h_prev[dense] = b.regime.h_prev;
        } else if let Some(body) = model.bodies.at(slot) {
            if body.motion == Motion::Fixed {
                (kin.vel, kin.omega) = (DVec3::ZERO, DVec3::ZERO);
            } else {
                (kin.vel, kin.omega) = body.driven(b, h);
            }
        }
        ws.kin[dense] = kin;
    }
    for g in &t.groups {
        for r in 0..g.rows() {
            ws.rows.lambda[g.row() + r] = state.lambda[g.state_row() + r];
        }
        if ws.rows.any_soft {
            let from = g.state_row()..g.state_row() + g.rows();
            ws.rows.stretch[g.row()..g.row() + g.rows()].copy_from_slice(&state.stretch[from]);
        }
    }
    for l in &t.links {
        if let Source::Row(row) = l.source {
            ws.element_prev[row] = state.element_energy[t.state_row(row)];
        }
    }
    // The regime of an island; a body that has just joined it takes part at once.
    let half_kick = plan.resolves();
    for (k, island) in t.islands.iter().enumerate() {
        let mut r = Regime::default();
        for n in island.nodes.clone() {
            let b = &state.bodies[t.slot_of[n]].regime;
            r = Regime {
                xhat: r.xhat.max(b.xhat),
                kap: r.kap.max(b.kap),
                h_prev: r.h_prev.max(b.h_prev),
                h_long: r.h_long.max(b.h_long),
                shocked: r.shocked || b.shocked,
            };
        }
        r.h_long = h.max(FORGET * r.h_long);
        ws.regime[k] = r;
        // Velocities live between the poses: the first kick is half a step.
        ws.hk[k] = if half_kick { 0.5 * (r.h_prev + h) } else { h };
    }
}

/// The result into the state.
fn scatter(t: &Topology, h: f64, lag: [f64; 2], state: &mut State, ws: &Workspace) {
    for (dense, &slot) in t.slot_of.iter().enumerate() {
        let (b, kin) = (&mut state.bodies[slot], &ws.kin_next[dense]);
        (b.pos, b.rot) = (kin.pos, kin.quat);
        if dense < t.nodes.len() {
            (b.vel, b.omega) = (kin.vel, kin.omega);
            let node = &t.nodes[dense];
            b.added = aligned::pack(ws.added[dense]);
            if ws.probed[node.island] {
                b.probe[..node.dim].copy_from_slice(&ws.probe[node.x..node.x + node.dim]);
            }
            let shocked = ws.bounded.acting.get(node.island) == Some(&true) || ws.snapped[node.island];
            b.regime = Regime { h_prev: h, shocked, ..ws.regime[node.island] };
        }
    }
    for g in &t.groups {
        for r in 0..g.rows() {
            state.lambda[g.state_row() + r] = ws.rows.lambda_next[g.row() + r];
        }
        if ws.rows.any_soft {
            let from = g.row()..g.row() + g.rows();
            state.stretch[g.state_row()..g.state_row() + g.rows()].copy_from_slice(&ws.rows.stretch_next[from]);
        }
        if g.closes_loop && !g.idle && ws.ldlt.dropped[g.x()..g.x() + g.rows()].iter().any(|&d| d) {
            state.redundant[g.slot()] = true;
            for r in 0..g.rows() {
                let (bare, tree) = (ws.ldlt.reference[g.x() + r], ws.ldlt.tree[g.x() + r]);
                // What the tree alone makes redundant carries nothing; panels and the structured solver know the bare mobility only.
                let scale = if tree > 10.0 * block_ldlt::NOISE * bare { tree.min(bare) } else { bare };
                state.give[g.state_row() + r] = rows::REDUNDANT * scale;
            }
        }
    }
    for (k, b) in t.bounds.iter().enumerate() {
        state.lambda[b.state_row] = ws.rows.lambda_next[t.row_count + k];
        state.stretch[b.state_row] = ws.rows.stretch_next[t.row_count + k];
    }
    keep_contacts(t, state, ws);
    for (k, l) in t.links.iter().enumerate() {
        if let Source::Row(row) = l.source {
            let term = &ws.links[k];
            let side = |b: usize, arm: DVec3| {
                if t.is_node(b) { kkt::anchor(t, &ws.x, b, arm) } else { ws.kin[b].vel + ws.kin[b].omega.cross(arm) }
            };
            let w = side(l.i, term.si) - side(l.j, term.sj);
            let w = term.across_part(w);
            state.element_energy[t.state_row(row)] = ws.element[k] * w.length_squared();
        }
    }
    state.potential_lag = lag;
    state.time += h;
    state.steps += 1;
}

/// Limits that push now and did not in the last step.
fn limits_reached(model: &Model, t: &Topology, state: &State, ws: &Workspace) -> Vec<Event> {
    let mut out = Vec::new();
    for c in ws.bounded.candidates.iter().filter(|c| c.active && ws.bounded.rows[c.row].z != 0.0) {
        let Origin::Joint { bound, upper } = c.origin else { continue };
        let b = &t.bounds[bound];
        let is_limit = |s: &BoundSpec| matches!(s.bound, Bound::Limit { .. });
        let Some(key) = model.joints.key_at(b.slot).filter(|_| is_limit(&b.spec)) else { continue };
        if state.lambda[b.state_row] == 0.0 {
            let before =
                model.joints.at(b.slot).map_or(0, |j| j.bounds[..b.index].iter().filter(|s| is_limit(s)).count());
            out.push(Event::LimitReached { joint: JointId(key), limit: before, upper });
        }
    }
    out
}

/// Forces of the contacts that pushed, sorted by id.
fn keep_contacts(t: &Topology, state: &mut State, ws: &Workspace) {
    state.contacts.clear();
    let b = &ws.bounded;
    for c in b.candidates.iter().filter(|c| c.active) {
        let Origin::Contact(k) = c.origin else { continue };
        let contact = &ws.contacts[k];
        let z = |r: usize| b.rows[c.row + r].z;
        let impulse = contact.normal * z(0) + contact.tangents[0] * z(1) + contact.tangents[1] * z(2);
        if impulse != DVec3::ZERO {
            let acted = bounded::gather::hk_of(t, ws, &b.rows[c.row]);
            state.contacts.push(ContactRecord {
                id: contact.id,
                point: 0.5 * (contact.point_i + contact.point_j),
                normal: contact.normal,
                distance: contact.distance,
                force: impulse / acted,
                acted,
            });
        }
    }
    state.contacts.sort_unstable_by_key(|c| c.id);
}

fn check_finite(model: &Model, t: &Topology, time: f64, ws: &Workspace) -> Result<()> {
    // One bad number makes the sum bad; only then is its owner looked for.
    if ws.x.iter().sum::<f64>().is_finite() {
        return Ok(());
    }
    for (n, node) in t.nodes.iter().enumerate() {
        if ws.x[node.x..node.x + node.dim].iter().any(|v| !v.is_finite()) {
            return Err(Error::step(time, model.body_name(t.slot_of[n]), "its velocity is not finite"));
        }
    }
    for g in &t.groups {
        if let Some(r) = ws.x[g.x()..g.x() + g.rows()].iter().position(|v| !v.is_finite()) {
            return Err(Error::step(
                time,
                format!("{} row {r}", model.joint_name(g.slot())),
                "its force is not finite",
            ));
        }
    }
    Ok(())
}

/// Looks for a pose that is not finite, from a dense body on.
fn check_poses(model: &Model, t: &Topology, time: f64, from: usize, ws: &Workspace) -> Result<()> {
    for (b, kin) in ws.kin_next.iter().enumerate().skip(from) {
        if !(kin.pos.is_finite() && kin.quat.is_finite()) {
            return Err(Error::step(time, model.body_name(t.slot_of[b]), "its pose is not finite"));
        }
    }
    Ok(())
}

/// A rod whose ends meet has no direction to push in.
fn check_rods(model: &Model, t: &Topology, time: f64, ws: &Workspace) -> Result<()> {
    for (l, term) in t.links.iter().zip(&ws.links) {
        let Source::Row(row) = l.source else { continue };
        if term.length == 0.0 && row < t.row_count && ws.rows.is_rigid(row) {
            let slot = t.groups[t.groups.partition_point(|g| g.row() <= row) - 1].slot();
            return Err(Error::step(time, model.joint_name(slot), "the ends of the rod meet: it has no direction"));
        }
    }
    Ok(())
}

pub(crate) fn blame(model: &Model, t: &Topology, time: f64, f: Failure) -> Error {
    match f {
        Failure::Node(n, why) => Error::step(time, model.body_name(t.slot_of[n]), why),
        Failure::Row(g, r, why) => Error::step(time, format!("{} row {r}", model.joint_name(t.groups[g].slot())), why),
        Failure::System(why) => Error::step(time, "the system", why),
    }
}

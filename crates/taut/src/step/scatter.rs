//! The last stage: the result into the state.

use crate::bounded;
use crate::contact::{Contact, ContactRecord, PairWalk};
use crate::delassus::velocity;
use crate::desk::Desk;
use crate::desk::bounded::{Origin, Set};
use crate::desk::inputs::Given;
use crate::math::packed;
use crate::passes::snap;
use crate::profile::Stage;
use crate::rows::UNKNOWN;
use crate::solve::block_ldlt;
use crate::state::{Regime, State, TwistState};
use crate::system::kkt;
use crate::topology::{NONE, Source};
use crate::tuning::T;
use glam::DVec3;

/// The result into the state.
pub(crate) fn scatter(t: &Given<'_>, h: f64, lag: [f64; 2], state: &mut State, desk: &mut Desk) {
    snap::forget(t, &desk.snap, &desk.next.kin, &desk.sol.x, &mut desk.stiff.now.added);
    for (dense, &slot) in t.slot_of.iter().enumerate() {
        let (b, kin) = (&mut state.bodies[slot], &desk.next.kin[dense]);
        (b.pos, b.rot) = (kin.pos, kin.quat);
        if dense < t.nodes.len() {
            (b.vel, b.omega) = (kin.vel, kin.omega);
            let node = &t.nodes[dense];
            b.added = packed(desk.stiff.now.added[dense]);
            if desk.second.probed[node.island] {
                b.probe[..node.dim].copy_from_slice(&desk.second.probe[node.x..node.x + node.dim]);
            }
            let shocked = desk.bounded.acting.get(node.island) == Some(&true) || desk.snap.snapped[node.island];
            b.regime = Regime { h_prev: h, shocked, ..desk.regime[node.island] };
        }
    }
    for g in &t.groups {
        for r in 0..g.rows() {
            state.lambda[g.state_row() + r] = desk.force.found[g.row() + r];
        }
        if t.inputs.rows.any_soft {
            let from = g.row()..g.row() + g.rows();
            state.stretch[g.state_row()..g.state_row() + g.rows()].copy_from_slice(&desk.next.stretch[from]);
        }
        if g.closes_loop && desk.factor.ldlt.dropped[g.x()..g.x() + g.rows()].iter().any(|&d| d) {
            state.redundant[g.slot()] = true;
            // An idle joint is in no matrix: nothing to give.
            for r in 0..if g.idle { 0 } else { g.rows() } {
                let (bare, tree) = (t.inputs.rows.mobility[g.x() + r], desk.factor.ldlt.tree[g.x() + r]);
                // What the tree alone makes redundant carries nothing; panels and the structured solver know the bare mobility only.
                let scale = if tree > 10.0 * block_ldlt::noise() * bare { tree.min(bare) } else { bare };
                state.give[g.state_row() + r] = T.rows.redundant * scale;
            }
        }
    }
    let changed = desk.changes_after_the_solve();
    for rotor in &t.inputs.rows.rotors {
        let rows = &t.inputs.rows;
        let rate = rotor.rate(t, rows, &desk.sol.x, &desk.right.curve, h);
        let gained = if changed { rotor.gained(t, rows, &desk.sol.x, &desk.next.kin) } else { 0.0 };
        state.element_energy[t.groups[rotor.group].state_row() + rotor.r] = rate + gained;
    }
    for (k, b) in t.bounds.iter().enumerate() {
        state.lambda[b.state_row] = desk.force.found[t.row_count + k];
        state.stretch[b.state_row] = desk.next.stretch[t.row_count + k];
        state.reach[b.state_row] = b.spec.reach().unwrap_or(UNKNOWN);
    }
    for (k, c) in t.couplings.iter().enumerate() {
        let (row, to) = (t.coupling_row(k), &mut state.couplings[c.slot]);
        (to.lambda, to.stretch) = (desk.force.found[row], desk.next.stretch[row]);
        to.at.iter_mut().zip(&desk.next.coupled[c.terms.clone()]).for_each(|(to, from)| *to = *from);
    }
    for (k, seg) in t.segments.iter().enumerate() {
        let row = t.segment_row(k);
        for s in seg.spans.clone() {
            let to = &mut state.ropes[seg.slot].spans[t.spans[s].index];
            (to.lambda, to.stretch) = (desk.force.found[row], desk.next.stretch[row]);
            (to.angles, to.reach, to.slip, to.apart) = (desk.next.wound[s], to.material, 0.0, 0.0);
        }
        if seg.anchor != NONE {
            let to = &mut state.ropes[seg.slot].spans[t.spans[seg.spans.start].index];
            // What slips in is neither paid out nor hauled in.
            to.material += h * desk.next.slip[k];
            to.reach += h * desk.next.slip[k];
            to.slip = desk.next.slip[k..t.chain(k).end].iter().sum();
        }
    }
    for (k, row) in t.twists.iter().enumerate() {
        let (at, place) = (&desk.next.twisted[k], t.twist_row(k));
        let (lambda, stretch) = (desk.force.found[place], desk.next.stretch[place]);
        let twist = TwistState { angle: at.angle, rest: at.rest, lambda, stretch, wound: at.wound };
        state.ropes[row.slot].twist = Some(twist);
    }
    let set = &desk.bounded.set;
    for c in set.candidates.iter().filter(|c| c.active) {
        let Origin::Blocked { span: s, centres: false } = c.origin else { continue };
        let hk = bounded::gather::hk_of(t, &t.inputs.hk, set.rows.sides(c.row));
        state.ropes[t.spans[s].slot].spans[t.spans[s].index].apart = set.rows[c.row].z / hk;
    }
    for (row, turned) in t.turns.iter().zip(&desk.next.turned) {
        state.turned[row.slot] = *turned;
    }
    std::mem::swap(&mut state.contacts, &mut desk.next.records);
    state.sensed.clone_from(&t.inputs.sensed);
    for (k, l) in t.links.iter().enumerate() {
        if let Source::Row(row) = l.source {
            let term = &t.inputs.links[k];
            let side = |b: usize, arm: DVec3| {
                if t.is_node(b) {
                    kkt::anchor(t, &desk.sol.x, b, arm)
                } else {
                    t.inputs.kin[b].vel + t.inputs.kin[b].omega.cross(arm)
                }
            };
            let w = side(l.i, term.si) - side(l.j, term.sj);
            let w = term.across_part(w);
            let energy = desk.stiff.now.element[k] * w.length_squared();
            match l.span {
                NONE => state.element_energy[t.state_row(row)] = energy,
                s => state.ropes[t.spans[s].slot].spans[t.spans[s].index].energy = energy,
            }
        }
    }
    state.potential_lag = lag;
    state.time += h;
    state.steps += 1;
    desk.profile.mark(Stage::Scatter);
}

/// Forces of the contacts that pushed, sorted by id. A pair that touched in the last step, `before`, and does not push now, but has not parted
/// either, keeps one without a force.
pub(crate) fn contacts(t: &Given<'_>, h: f64, before: &[ContactRecord], desk: &mut Desk) {
    let (records, b) = (&mut desk.next.records, &desk.bounded.set);
    records.clear();
    for c in b.candidates.iter().filter(|c| c.active) {
        let Origin::Contact(k) = c.origin else { continue };
        let contact = &t.inputs.contacts[k];
        let z = |r: usize| b.rows[c.row + r].z;
        let impulse = contact.normal * z(0) + contact.tangents[0] * z(1) + contact.tangents[1] * z(2);
        if impulse != DVec3::ZERO {
            let acted = bounded::gather::hk_of(t, &t.inputs.hk, b.rows.sides(c.row));
            let stored = stored(t, contact, (b, c.row), &desk.sol.x);
            records.push(ContactRecord { force: impulse / acted, acted, stored, ..unloaded(contact) });
        }
    }
    records.sort_unstable_by_key(|c| c.id);
    let pushing = records.len();
    let (mut old, mut new) = (PairWalk::default(), PairWalk::default());
    let (mut last, mut found) = (None, false);
    for c in &b.candidates {
        let Origin::Contact(k) = c.origin else { continue };
        let contact = &t.inputs.contacts[k];
        let pair = Some((contact.id.a, contact.id.b));
        // One point speaks for its pair.
        if pair != last {
            found = !old.finds(&contact.id, before) || new.finds(&contact.id, &records[..pushing]);
            last = pair;
        }
        let next = || b.rows[c.row].phi + h * (velocity(t, b.rows.sides(c.row), &desk.sol.x) + b.rows[c.row].drive);
        let near = || next() <= T.contact.parted * bounded::gather::size(t, b.rows.sides(c.row).map(|s| s.0), 0.0);
        if !found && near() {
            records.push(unloaded(contact));
            found = true;
        }
    }
    if records.len() > pushing {
        records.sort_unstable_by_key(|c| c.id);
    }
}

/// A contact without a force.
fn unloaded(c: &Contact) -> ContactRecord {
    let point = 0.5 * (c.point_i + c.point_j);
    ContactRecord {
        id: c.id,
        point,
        normal: c.normal,
        distance: c.distance,
        force: DVec3::ZERO,
        acted: 0.0,
        stored: 0.0,
    }
}

/// Energy in the compliance of a contact that pushes, J: of its force without the damper's share.
fn stored(t: &Given<'_>, c: &Contact, (set, normal): (&Set, usize), x: &[f64]) -> f64 {
    if c.compliance == 0.0 {
        return 0.0;
    }
    let row = &set.rows[normal];
    let rate = velocity(t, set.rows.sides(normal), x) + row.drive;
    let acted = bounded::gather::hk_of(t, &t.inputs.hk, set.rows.sides(normal));
    let force = (row.z / acted + c.damping * rate).max(0.0);
    0.5 * c.compliance * force * force
}

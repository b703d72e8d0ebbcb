//! The first stages: state into the desk, rows and bounded rows at the present pose.

use crate::bounded::{coupled, reeved, turned, twisted};
use crate::desk::inputs::Inputs;
use crate::kin::Kin;
use crate::model::Model;
use crate::plan::Plan;
use crate::rows;
use crate::state::{Regime, State};
use crate::topology::{NONE, Source, Topology};
use crate::tuning::T;
use glam::DVec3;

/// State into the desk, in elimination order.
pub(crate) fn gather(model: &Model, t: &Topology, (plan, h): (&Plan, f64), state: &State, inputs: &mut Inputs) {
    for (dense, &slot) in t.slot_of.iter().enumerate() {
        let b = &state.bodies[slot];
        let mut kin = Kin::of(b);
        if dense < t.nodes.len() {
            inputs.added_prev[dense] = b.added;
            inputs.h_prev[dense] = b.regime.h_prev;
        } else if let Some(body) = model.bodies.at(slot) {
            (kin.vel, kin.omega) = body.driven(b, h);
        }
        inputs.kin[dense] = kin;
    }
    for g in &t.groups {
        for r in 0..g.rows() {
            inputs.rows.lambda[g.row() + r] = state.lambda[g.state_row() + r];
        }
        if inputs.rows.any_soft {
            let from = g.state_row()..g.state_row() + g.rows();
            inputs.rows.stretch[g.row()..g.row() + g.rows()].copy_from_slice(&state.stretch[from]);
        }
    }
    coupled::start(t, state, inputs);
    reeved::start(t, state, inputs);
    twisted::start(t, state, inputs);
    for (k, l) in t.links.iter().enumerate() {
        if l.span != NONE {
            inputs.element_prev[k] = inputs.reeved[l.span].energy;
        } else if let Source::Row(row) = l.source {
            inputs.element_prev[k] = state.element_energy[t.state_row(row)];
        }
    }
    turned::start(t, state, h, inputs);
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
        r.h_long = h.max(T.passes.forget * r.h_long);
        inputs.regime[k] = r;
        // Velocities live between the poses: the first kick is half a step.
        inputs.hk[k] = if half_kick { 0.5 * (r.h_prev + h) } else { h };
    }
    inputs.contact_force.clear();
    // Both lists are in the order of their names.
    let mut k = 0;
    inputs.contact_force.extend(inputs.contacts.iter().map(|c| {
        k += state.contacts[k..].iter().take_while(|old| old.id < c.id).count();
        state.contacts.get(k).filter(|old| old.id == c.id).map_or(DVec3::ZERO, |old| old.force)
    }));
}

/// Rows at the present pose, with the mobilities of loop rows for the drop rule.
pub(crate) fn rows(t: &Topology, plan: &Plan, state: &State, h: f64, inputs: &mut Inputs) {
    let Inputs { kin, rows, redundant, wind, hk, .. } = inputs;
    rows.keeps_energy = plan.is_aligned();
    redundant.iter_mut().zip(&t.islands).for_each(|(redundant, island)| *redundant = island.woven);
    for g in t.groups.iter().filter(|g| g.closes_loop && !g.idle) {
        redundant[g.island()] |= state.redundant[g.slot()];
    }
    rows::evaluate((t, 0..t.groups.len()), kin, &state.give, h, rows);
    rows::command(t, &state.commands, wind, h, rows);
    if !rows.rotors.is_empty() {
        rows.drop_dead_rotors(t);
        rows.spin(t, state, (hk, h), kin);
    }
    for (k, b) in t.bounds.iter().enumerate() {
        rows.lambda[t.row_count + k] = state.lambda[b.state_row];
        rows.stretch[t.row_count + k] = state.stretch[b.state_row];
    }
}

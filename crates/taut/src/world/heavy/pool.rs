//! Which nodes of a heavy rope are out: they are switched on, and the rods between them lead from each to the next.
//!
//! Model follows state here. That makes a snapshot good for the whole life of a rope: `World::restore` fits the model to the nodes that were
//! out in it, and masses follow from the poses.

use super::World;
use super::feed::Feed;
use crate::error::{Error, Result};
use crate::ids::{BodyId, JointId};
use crate::math::so3::outer;
use crate::model::field::Exposure;
use crate::model::heavy::{HeavyEntry, Source};
use crate::reeve::Groove;
use crate::state::{HeavyState, State};
use glam::DMat3;

impl World {
    /// Makes the model that of a rope with these nodes out; tells whether anything has changed.
    pub(super) fn fit_heavy(&mut self, entry: &mut HeavyEntry, state: &HeavyState) -> Result<bool> {
        let mut changed = false;
        let mut next = 0;
        for k in (0..entry.pool.len()).rev() {
            let on = state.out.get(next) == Some(&(k as u32));
            next += usize::from(on);
            changed |= self.switch_node(entry.pool[k], on);
        }
        for k in 0..state.pieces.len() {
            changed |= self.fit_rod(entry, state, k)?;
        }
        if changed {
            entry.nodes.clear();
            entry.nodes.extend(state.out.iter().map(|&k| entry.pool[k as usize]));
            entry.links.clear();
            entry.links.extend(state.out[..state.out.len() - 1].iter().map(|&k| entry.rods[k as usize - 1]));
        }
        let feed = entry.nodes[0];
        match entry.source {
            Source::Guides { rope, .. } => {
                let end = self.model.ropes.get_mut(rope.0).and_then(|r| r.guides.last_mut());
                if let Some(end) = end.filter(|end| end.body != feed) {
                    (end.body, end.groove) = (feed, Groove::point(glam::DVec3::ZERO));
                    changed = true;
                }
            }
            Source::Locker { stop, .. } => {
                let length = entry.total - f64::from(state.out[0]) * entry.l0;
                changed |= self.hold_feed(stop, feed, length)?;
            }
        }
        if changed {
            self.restructured();
        }
        Ok(changed)
    }

    /// Gives piece k the length that it has now.
    pub(super) fn fit_rod(&mut self, entry: &HeavyEntry, state: &HeavyState, k: usize) -> Result<bool> {
        let (upper, lower) = (state.out[k] as usize, state.out[k + 1] as usize);
        let length = (upper - lower) as f64 * entry.l0;
        self.lead_rod(entry, entry.rods[upper - 1], entry.pool[lower], (length, state.pieces[k][1]))
    }

    /// Switches a node on or off; tells whether it was not so.
    fn switch_node(&mut self, node: BodyId, on: bool) -> bool {
        let s = &self.state.bodies[node.0.slot as usize];
        let drop = s.regime.h_prev * self.options.gravity.dot(s.vel);
        let Some(b) = self.model.bodies.get_mut(node.0).filter(|b| b.enabled != on) else { return false };
        let before = b.weight();
        b.enabled = on;
        // The centred energy knows a body by the weight that it has now.
        self.state.potential_lag[0] += 0.5 * (before - b.weight()) * drop;
        true
    }

    /// Leads a rod to another lower node, of another length, m, shortened by so much, m.
    fn lead_rod(
        &mut self,
        entry: &HeavyEntry,
        rod: JointId,
        lower: BodyId,
        (length, short): (f64, f64),
    ) -> Result<bool> {
        let Some(joint) = self.model.joints.get(rod.0) else { return Ok(false) };
        let (old, said) = (joint.j, Some(length - short));
        if old == lower && joint.def.length == said {
            return Ok(false);
        }
        let (mut joint, is_same) = (joint.clone(), old == lower);
        (joint.j, joint.def.length, joint.def.linear) = (lower, said, Some(entry.softness(length)));
        self.expand(&mut joint)?;
        self.exchange(rod, joint, old, lower);
        if is_same {
            self.renumbered();
        }
        Ok(!is_same)
    }

    /// Ties the stop of a locker to another feed node.
    fn hold_feed(&mut self, stop: JointId, feed: BodyId, length: f64) -> Result<bool> {
        let Some(joint) = self.model.joints.get(stop.0).filter(|j| j.i != feed) else { return Ok(false) };
        let (mut joint, old) = (joint.clone(), joint.i);
        (joint.i, joint.def.length, joint.def.own) = (feed, Some(length), Vec::new());
        self.expand(&mut joint)?;
        self.exchange(stop, joint, old, feed);
        Ok(true)
    }

    /// Puts a joint back that has gone from one body to another.
    fn exchange(&mut self, id: JointId, joint: crate::model::JointEntry, old: BodyId, new: BodyId) {
        if let Some(place) = self.model.joints.get_mut(id.0) {
            *place = joint;
        }
        if old == new {
            return;
        }
        if let Some(b) = self.model.bodies.get_mut(old.0) {
            b.joints.retain(|&slot| slot != id.0.slot);
        }
        if let Some(b) = self.model.bodies.get_mut(new.0) {
            b.joints.push(id.0.slot);
        }
    }

    /// Masses of all nodes that are out, and of the drum.
    pub(super) fn weigh_heavy(&mut self, entry: &HeavyEntry, out: &[u32]) -> Result<()> {
        let feed = self.feed_span(entry);
        let span = feed.as_ref().map_or(0.0, |f| f.length);
        for place in 1..out.len() {
            self.weigh_node(entry, place, entry.length_at(out, place, span));
        }
        if let Some(feed) = feed {
            self.weigh_feed(entry, out, &feed);
        }
        self.renumbered();
        Ok(())
    }

    /// Those of the feed node and of the drum, which change in every step.
    pub(super) fn weigh_feed(&mut self, entry: &HeavyEntry, out: &[u32], feed: &Feed) {
        self.weigh_node(entry, 0, entry.length_at(out, 0, feed.length));
        let Source::Guides { rope, rotor: Some((body, mass, inertia)) } = entry.source else { return };
        let Some(drum) = self.model.ropes.get(rope.0).map(|r| r.guides[0].groove) else { return };
        let paid = feed.length + f64::from(out[0]) * entry.l0;
        let carried = entry.density * ((entry.total - paid).max(0.0) + 0.5 * feed.length);
        let turn = drum.radius * drum.radius * carried;
        self.weigh(body, mass + carried, inertia + turn * outer(drum.axis, drum.axis));
    }

    fn weigh_node(&mut self, entry: &HeavyEntry, place: usize, length: f64) {
        let node = entry.nodes[place];
        self.weigh(node, entry.density * length, DMat3::ZERO);
        if entry.diameter > 0.0
            && let Some(b) = self.model.bodies.get_mut(node.0)
        {
            b.exposure = Exposure::strand(entry.diameter, length);
        }
    }

    /// Sets a mass between steps; velocities stay.
    pub(in crate::world) fn weigh(&mut self, body: BodyId, mass: f64, inertia: DMat3) {
        let s = &self.state.bodies[body.0.slot as usize];
        let drop = s.regime.h_prev * self.options.gravity.dot(s.vel);
        let Some(b) = self.model.bodies.get_mut(body.0) else { return };
        let before = b.weight();
        (b.mass, b.inertia, b.solid) = (mass, inertia, None);
        // The centred energy knows the body by the weight that it has now.
        self.state.potential_lag[0] += 0.5 * (before - b.weight()) * drop;
    }

    /// Slot of the node that a rope without mass leads to in a snapshot; none for a rope that leads to no heavy one.
    pub(in crate::world) fn fed_by(&self, rope: usize, s: &State) -> Option<u32> {
        let leads = |e: &HeavyEntry| matches!(e.source, Source::Guides { rope: r, .. } if r.0.slot as usize == rope);
        let (key, entry) = self.model.heavies.iter().find(|(_, e)| leads(e))?;
        let first = *s.heavies.get(key.slot as usize)?.out.first()?;
        entry.pool.get(first as usize).map(|b| b.0.slot)
    }

    /// Refuses nodes of a snapshot that cannot be out.
    pub(in crate::world) fn check_heavy(&self, slot: usize, h: &HeavyState) -> Result<()> {
        let name = format!("nodes of heavy rope {slot} in the snapshot");
        let given = || format!("{:?}", h.out);
        let Some(entry) = self.model.heavies.at(slot) else {
            return if h.out.is_empty() {
                Ok(())
            } else {
                Err(Error::input(name, given(), "none: there is no such rope"))
            };
        };
        check_out(&name, h, entry.pool.len())
    }

    /// Makes the model that of the state which was just restored.
    pub(in crate::world) fn refit_heavies(&mut self) {
        let lag = self.state.potential_lag;
        for slot in 0..self.model.heavies.slots() {
            let Some(mut entry) = self.model.heavies.lend(slot) else { continue };
            let state = std::mem::take(&mut self.state.heavies[slot]);
            if entry.nodes.iter().all(|b| self.model.body(*b).is_ok()) {
                // What was out once can be out again.
                let _ = self.fit_heavy(&mut entry, &state).and_then(|_| self.weigh_heavy(&entry, &state.out));
            }
            self.state.heavies[slot] = state;
            self.model.heavies.put_back(slot, entry);
        }
        self.state.potential_lag = lag;
    }
}

/// Refuses numbers of nodes that cannot be those that are out of so many.
pub(super) fn check_out(name: &str, h: &HeavyState, nodes: usize) -> Result<()> {
    let falls = h.out.is_sorted_by(|a, b| a > b) && h.out.last() == Some(&0);
    let first = h.out.first().is_some_and(|&k| (k as usize) < nodes);
    if !(falls && first && h.pieces.len() + 1 == h.out.len()) {
        let given = format!("{:?} with {} pieces", h.out, h.pieces.len());
        let expected = format!("numbers below {nodes} that fall to 0, and a piece between each two");
        return Err(Error::input(name, given, expected));
    }
    match h.pieces.iter().flatten().find(|x| !x.is_finite()) {
        Some(x) => Err(Error::input(name, *x, "finite numbers")),
        None => Ok(()),
    }
}

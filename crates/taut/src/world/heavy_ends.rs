//! Cutting ropes with mass, and letting go of what they are tied to. Mass and momentum are kept: a rod that is cut leaves half of itself in
//! each of its particles.

use super::World;
use super::heavy::Feed;
use crate::error::{Error, Result};
use crate::ids::{BodyId, HeavyRopeId, JointId, RopeId};
use crate::joints::Ball;
use crate::model::heavy::{HeavyCut, HeavyEntry, Source};
use crate::model::rope_end::RopeEnd;
use glam::DMat3;

impl World {
    /// Cuts a rope with mass at so much of what is out, m from the last guide or the hawse: the rod there is taken out. What is above goes on as
    /// this rope, what is below is particles and rods like any others. Above its first particle it is cut off as a whole: the rope without mass that led
    /// to it has a free end then, and goes on as a rope over guides. On an error nothing has changed.
    pub fn cut_heavy_rope(&mut self, rope: HeavyRopeId, length: f64) -> Result<HeavyCut> {
        let view = self.heavy_rope(rope)?;
        let (out, entry) = (view.out(), self.model.heavy(rope)?.clone());
        if !(length > 0.0 && length < out) {
            let expected = format!("more than 0 and less than {out:.6} m: what is out of the rope");
            return Err(Error::input("length to cut the heavy rope at", length, expected));
        }
        let slot = rope.0.slot as usize;
        let numbers = &self.state.heavies[slot].out;
        let above = out - f64::from(numbers[0]) * entry.l0;
        if length < above {
            return self.cut_off(rope, &entry);
        }
        // Which piece it is in, and which node ends the rope then.
        let left = |k: u32| out - f64::from(k) * entry.l0;
        let at = numbers[1..].iter().position(|&k| length < left(k)).unwrap_or(entry.links.len() - 1);
        let (end, below) = (numbers[at], numbers[at + 1]);
        self.loose_heavy_twists(|h, _| h.pool == entry.pool)?;
        self.drop_joint(entry.links[at]);
        let state = &mut self.state.heavies[slot];
        state.out.truncate(at + 1);
        state.out.iter_mut().for_each(|k| *k -= end);
        state.pieces.truncate(at);
        if let Some(kept) = self.model.heavies.get_mut(rope.0) {
            kept.nodes.truncate(at + 1);
            kept.links.truncate(at);
            kept.pool.drain(..end as usize);
            kept.rods.drain(..end as usize);
            kept.total -= f64::from(end) * entry.l0;
            kept.tail = 0.5 * f64::from(end - below) * entry.l0;
        }
        self.drop_waiting(&entry.pool[..end as usize])?;
        let (nodes, links) = (entry.nodes[at + 1..].to_vec(), entry.links[at + 1..].to_vec());
        Ok(HeavyCut { rope: Some(rope), line: None, nodes, links })
    }

    /// Cuts all that has mass off a heavy rope.
    fn cut_off(&mut self, id: HeavyRopeId, entry: &HeavyEntry) -> Result<HeavyCut> {
        let feed = self.feed_span(entry);
        let line = match entry.source {
            Source::Locker { stop, .. } => {
                self.dissolve(id.0.slot as usize)?;
                self.drop_joint(stop);
                None
            }
            Source::Guides { rope, .. } => Some(self.part_line(id, entry, rope, feed)?),
        };
        Ok(HeavyCut { rope: None, line, nodes: entry.nodes.clone(), links: entry.links.clone() })
    }

    /// Lets the rope without mass go from the feed node. What of the span was in that is in the particle at its free end then.
    fn part_line(&mut self, id: HeavyRopeId, entry: &HeavyEntry, rope: RopeId, feed: Option<Feed>) -> Result<RopeId> {
        let node = entry.nodes[0];
        let Some(feed) = feed else {
            let expected = "one whose first particle is clear of its guide";
            return Err(Error::input("heavy rope", entry.name.as_str(), expected));
        };
        let end = self.let_end_go(RopeEnd::last_of(rope))?;
        let below = entry.length_at(&self.state.heavies[id.0.slot as usize].out, 0, 0.0);
        self.dissolve(id.0.slot as usize)?;
        self.weigh(end, entry.density * entry.share() * feed.length, DMat3::ZERO);
        self.weigh(node, entry.density * below, DMat3::ZERO);
        self.renumbered();
        let velocity = self.state.bodies[node.0.slot as usize].vel;
        self.state.bodies[end.0.slot as usize].vel = velocity;
        Ok(rope)
    }

    /// Unties the last particle of a rope with mass from what holds it.
    pub fn release_heavy_rope(&mut self, rope: HeavyRopeId) -> Result<BodyId> {
        let entry = self.model.heavy(rope)?;
        let Some(&last) = entry.nodes.last() else {
            return Err(Error::input("heavy rope", entry.name.as_str(), "one with particles"));
        };
        let stop = if let Source::Locker { stop, .. } = entry.source { Some(stop) } else { None };
        let own = |j: &JointId| entry.rods.contains(j) || stop == Some(*j);
        let holding: Vec<JointId> = self.model.joints_on(last).map(|(k, _)| JointId(k)).filter(|j| !own(j)).collect();
        holding.into_iter().for_each(|j| self.drop_joint(j));
        Ok(last)
    }

    /// Ties the last particle of a rope with mass to a body, where it is now.
    pub fn attach_heavy_rope(&mut self, rope: HeavyRopeId, body: BodyId) -> Result<JointId> {
        self.model.body(body)?;
        let entry = self.model.heavy(rope)?;
        let Some(&last) = entry.nodes.last().filter(|_| !entry.nodes.contains(&body)) else {
            let name = self.model.body_name(body.0.slot as usize);
            return Err(Error::input("body for the end of the heavy rope", name, "one that is no part of the rope"));
        };
        let at = self.state.bodies[last.0.slot as usize].pos;
        let joint = self.add(Ball::between(last, body).at(at))?;
        self.set_collision(last, body, false)?;
        if let Some(mut entry) = self.model.heavies.lend(rope.0.slot as usize) {
            self.hold_heavy_twist(&mut entry, body);
            self.model.heavies.put_back(rope.0.slot as usize, entry);
        }
        Ok(joint)
    }
}

//! Torsion of ropes over guides between steps: how bodies hold their ends, and that no twist comes or goes where that changes.

use super::World;
use super::rope_ref::{Laid, RopeRef};
use crate::error::Result;
use crate::ids::{BodyId, JointId};
use crate::model::Motion;
use crate::model::heavy::{HeavyEntry, Held, Source};
use crate::model::reeving::RopeEntry;
use crate::reeve::twist::{self, Leg, Seat, Twisted, seat};
use crate::reeve::wound;
use crate::rows::{UNKNOWN, stored};
use crate::state::{RopeState, TwistState};
use glam::DVec3;

impl RopeRef<'_> {
    /// Twist of the whole rope, rad, whole turns counted: by how much its end is turned against its start about the direction from start to
    /// end, by the right hand, beyond what it was when it was laid, and less what is wound on drums. Zero without torsion
    /// ([`Reeving::torsion`](crate::Reeving::torsion)), and where an end turns freely.
    pub fn twist(&self) -> f64 {
        self.twisted().map_or(0.0, |t| t.twist())
    }

    /// Moment of torsion about the rope, N m, in the last step: positive where it turns its end back from a positive twist.
    pub fn torque(&self) -> f64 {
        let on = self.world().model.pulls(self.entry());
        self.state().twist.filter(|_| on && self.entry().torsion.is_some()).map_or(0.0, |t| -t.lambda)
    }

    /// The torsion as it stands.
    pub(super) fn twisted(&self) -> Option<Twisted> {
        self.twisted_to(self.world().model.led_by(self.id.0.slot as usize))
    }

    /// The same with the rope with mass that it leads to.
    fn twisted_to(&self, heavy: Option<&HeavyEntry>) -> Option<Twisted> {
        let last = self.state().twist?;
        let laid = self.laid();
        let own = |(first, end): (usize, usize)| laid.path(first..end) - self.excess_of(&laid, first..end);
        let length = self.state().segments().map(own).sum::<f64>() + heavy.map_or(0.0, HeavyEntry::below);
        let angle = self.world().twist_angle(&laid, heavy).map_or(last.angle, |a| wound(a, last.angle));
        let length = length.max(f64::MIN_POSITIVE);
        Some(Twisted { angle, rest: last.rest, length, wound: last.wound, kept: 1.0 })
    }

    /// Energy of its torsion, J, with that of what is wound.
    pub(super) fn energy_of_twist(&self) -> f64 {
        self.energy_of_twist_to(self.world().model.led_by(self.id.0.slot as usize))
    }

    /// The same with the rope with mass that it leads to.
    pub(super) fn energy_of_twist_to(&self, heavy: Option<&HeavyEntry>) -> f64 {
        let (Some(gj), Some(at), Some(last)) = (self.entry().torsion, self.twisted_to(heavy), self.state().twist)
        else {
            return 0.0;
        };
        stored(at.length / gj, at.twist(), last.stretch) + at.wound_energy(gj)
    }
}

impl World {
    /// Angle between the frames of the ends of a rope, up to whole turns, rad; none while guides overlap.
    fn twist_angle(&self, laid: &Laid, heavy: Option<&HeavyEntry>) -> Option<f64> {
        let last = laid.spans.len().checked_sub(1)?;
        let held = heavy.and_then(|h| Some((h, h.held?)));
        let end = |held: &Held| {
            let rot = self.side(held.body).rot;
            Seat::Clamp(rot * held.along, rot * held.mark)
        };
        let mut legs = Vec::with_capacity(laid.spans.len());
        for (k, span) in laid.spans.iter().enumerate() {
            let span = (*span)?;
            let second = match &held {
                Some((h, held)) if k == last => {
                    if h.nodes.len() > 1 {
                        Seat::Ring
                    } else {
                        end(held)
                    }
                }
                _ => seat(&laid.guides[k + 1], k == last),
            };
            legs.push(Leg::new(span.along, span.length, [seat(&laid.guides[k], k == 0), second]));
        }
        if let Some((h, held)) = &held {
            for (k, pair) in h.nodes.windows(2).enumerate() {
                let [from, to] = [pair[0], pair[1]].map(|b| self.state.bodies[b.0.slot as usize].pos);
                let along = (to - from).try_normalize()?;
                let second = if k + 2 == h.nodes.len() { end(held) } else { Seat::Ring };
                legs.push(Leg::new(along, (to - from).length(), [Seat::Ring, second]));
            }
        }
        Some(twist::angle(&legs))
    }

    /// Whether both ends of a rope are held against torsion.
    fn holds_torsion(&self, rope: &RopeState) -> bool {
        let turns = |body: usize| self.model.bodies.at(body).is_some_and(|b| b.motion != Motion::Particle);
        [rope.stops.first(), rope.stops.last()].into_iter().all(|s| s.is_some_and(|s| turns(s.body as usize)))
    }

    /// A rope that begins to hold torsion as it lies, without twist, if it has the stiffness and both ends can. New clamps point along the rope.
    pub(super) fn hold_twist(&self, entry: &mut RopeEntry, rope: &mut RopeState, new: [bool; 2]) {
        rope.twist = None;
        if entry.torsion.is_none() || !self.holds_torsion(rope) {
            return;
        }
        for end in [0, 1].into_iter().filter(|&e| new[e]) {
            self.clamp(rope, end);
            let (stop, guide) = if end == 0 { (0, 0) } else { (rope.stops.len() - 1, entry.guides.len() - 1) };
            if !rope.stops[stop].groove.is_round() {
                entry.guides[guide].groove = rope.stops[stop].groove;
            }
        }
        let angle = self.twist_angle(&self.laid_rope(rope), None).unwrap_or(0.0);
        rope.twist = Some(TwistState::new(angle));
    }

    /// Makes the point that an end of a rope is tied to a clamp along the rope.
    fn clamp(&self, rope: &mut RopeState, end: usize) {
        let (stop, span) = if end == 0 { (0, 0) } else { (rope.stops.len() - 1, rope.spans.len() - 1) };
        let Some(along) = self.laid_rope(rope).spans[span].map(|s| s.along) else { return };
        let groove = &mut rope.stops[stop].groove;
        if !groove.is_round() {
            let [along, mark] = self.clamp_along(rope.stops[stop].body as usize, along);
            (rope.stops[stop].groove.axis, rope.stops[stop].groove.zero) = (along, mark);
        }
    }

    /// A direction in the frame of a body, and one across it.
    pub(super) fn clamp_along(&self, body: usize, along: DVec3) -> [DVec3; 2] {
        let along = (self.side_at(body).rot.transpose() * along).normalize();
        [along, along.any_orthonormal_vector()]
    }

    /// A rope is held otherwise at an end than before, and keeps the twist that it has.
    pub(super) fn keep_twist(&self, slot: usize, before: &RopeState, rope: &mut RopeState, end: usize) {
        let Some(mut twist) = rope.twist else { return };
        self.clamp(rope, end);
        let heavy = self.model.led_by(slot);
        let angle = |rope: &RopeState| self.twist_angle(&self.laid_rope(rope), heavy);
        if let (Some(was), Some(is)) = (angle(before), angle(rope)) {
            let by = wound(is - was, 0.0);
            (twist.angle, twist.rest) = (twist.angle + by, twist.rest + by);
        }
        rope.twist = Some(twist);
    }

    /// Twist that goes with rope that is taken off its end, and none that comes with what is added: `part` of its length is left.
    pub(super) fn shorten_twist(&mut self, slot: usize, twist: f64, part: f64) {
        if let Some(t) = self.state.ropes[slot].twist.as_mut().filter(|_| part < 1.0) {
            t.rest += twist * (1.0 - part);
            t.stretch = UNKNOWN;
        }
    }

    /// The end of a heavy rope is tied to a body: if its rope has torsion and both ends can hold it, it begins to, without twist.
    pub(super) fn hold_heavy_twist(&mut self, entry: &mut HeavyEntry, body: BodyId) {
        let Source::Guides { rope, .. } = entry.source else { return };
        let turns = |slot: usize| self.model.bodies.at(slot).is_some_and(|b| b.motion != Motion::Particle);
        let slot = rope.0.slot as usize;
        let first = self.state.ropes[slot].stops.first().map(|s| s.body as usize);
        let has = self.model.ropes.get(rope.0).is_some_and(|r| r.torsion.is_some());
        let place = |b: &BodyId| self.state.bodies[b.0.slot as usize].pos;
        let Some([from, to]) = entry.nodes.last_chunk().map(|n: &[BodyId; 2]| [place(&n[0]), place(&n[1])]) else {
            return;
        };
        let Some(along) = (to - from).try_normalize() else { return };
        if !(has && first.is_some_and(turns) && turns(body.0.slot as usize)) {
            return;
        }
        let [along, mark] = self.clamp_along(body.0.slot as usize, along);
        entry.held = Some(Held { body, along, mark });
        let angle = self.twist_angle(&self.laid_rope(&self.state.ropes[slot]), Some(entry));
        self.state.ropes[slot].twist = Some(TwistState::new(angle.unwrap_or(0.0)));
    }

    /// A joint is about to go: a heavy rope whose end it ties to a body is not held by that any more.
    pub(super) fn untie_heavy(&mut self, joint: JointId) {
        let Some((i, j)) = self.model.joints.get(joint.0).map(|j| (j.i, j.j)) else { return };
        let ties = |a: Option<&BodyId>, b: BodyId| (a == Some(&i) && b == j) || (a == Some(&j) && b == i);
        // A world whose energy cannot be told has none to book.
        let _ = self.loose_heavy_twists(|h, held| ties(h.nodes.last(), held.body));
    }

    /// Heavy ropes whose end is held by a body, of those that are asked for, let their torsion go.
    pub(super) fn loose_heavy_twists(&mut self, asked: impl Fn(&HeavyEntry, Held) -> bool) -> Result<()> {
        for slot in 0..self.model.heavies.slots() {
            let held = self.model.heavies.at(slot).and_then(|h| Some((h, h.held?)));
            if held.is_some_and(|(h, held)| asked(h, held)) {
                self.booked(|w| {
                    let Some(mut entry) = w.model.heavies.lend(slot) else { return Ok(()) };
                    entry.held = None;
                    if let Source::Guides { rope, .. } = entry.source {
                        w.state.ropes[rope.0.slot as usize].twist = None;
                    }
                    w.model.heavies.put_back(slot, entry);
                    w.state.potential_lag[1] = 0.0;
                    w.restructured();
                    Ok(())
                })?;
            }
        }
        Ok(())
    }
}

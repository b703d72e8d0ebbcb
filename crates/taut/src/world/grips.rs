//! Grips of ropes that come to sheaves: they ride round on the rim and go on behind.
//!
//! A sheave that the rope does not slip on keeps its marks, so the material of a grip has a place on it, an angle. On the sheave the grip is no
//! stop of the rope: its two spans become one, and a ball joint holds it where it is, in the frame of the sheave. A span parts again where
//! the grip leaves. All that happens between steps; material is kept, and no body moves by it.
//! ```text
//! on     l <= h v . u, (x - c + h v) . u >= 0, |x - c + h v| <= r      it would pass the tangent point in the next step, or come into the circle
//! off    T (u_away + u_back) . e >= F . e,   u_away . e >= 0       e outward at the grip, F what holds it on the rim
//! ```
//! So a grip leaves where the rope would lift it off. It is taken on up to v h before the tangent point, by l, and is held l^2/2r outside the
//! rim; nothing of this is of first order in the step.

use super::guides::leave;
use super::rope_ref::Laid;
use super::ropes::least;
use super::{Edit, World};
use crate::constraint::Side;
use crate::error::Result;
use crate::events::Event;
use crate::ids::{BodyId, JointId, RopeId};
use crate::joints::{Ball, Joint, TreeRole, row_starts};
use crate::model::identity;
use crate::model::reeving::RopeEntry;
use crate::reeve::span::{Guide, Span};
use crate::reeve::wound;
use crate::report::StepReport;
use crate::rows::UNKNOWN;
use crate::state::{Ride, RopeState, SpanState};
use crate::tuning::T;
use glam::DVec3;

/// A grip that comes on a sheave or goes off it.
#[expect(clippy::large_enum_variant, reason = "one at a time, and it goes at once")]
enum Passage {
    /// The stop that it is, and whether the sheave is the next one (else the one before).
    On { stop: usize, ahead: bool, ride: Ride },
    /// Which of the rides, the span that it comes into, and the two that this becomes.
    Off { ride: usize, span: usize, ahead: bool, spans: [Span; 2] },
}

/// A grip at a sheave.
struct Rim<'a> {
    wheel: &'a Guide,
    /// From the centre of the sheave, across its axis; how far that is, m; and as a unit vector.
    flat: DVec3,
    radius: f64,
    outward: DVec3,
    /// Where the grip is, m, and its velocity against the centre, m/s.
    at: DVec3,
    speed: DVec3,
}

impl<'a> Rim<'a> {
    fn new(wheel: &'a Guide, at: DVec3, speed: DVec3) -> Self {
        let off = at - wheel.centre;
        let flat = off - off.dot(wheel.axis) * wheel.axis;
        let radius = flat.length();
        Rim { wheel, flat, radius, outward: flat / radius, at, speed }
    }

    /// Whether it will be inside the circle after a step of h, s.
    fn sinks(&self, h: f64) -> bool {
        let speed = self.speed - self.speed.dot(self.wheel.axis) * self.wheel.axis;
        (self.flat + h * speed).length() <= self.wheel.radius
    }

    /// Its angle on the sheave nearest to another, rad.
    fn angle(&self, near: f64) -> f64 {
        let w = self.wheel;
        wound(libm::atan2(self.flat.dot(w.axis.cross(w.zero)), self.flat.dot(w.zero)), near)
    }

    /// Where it is held: no nearer than where a straight line still touches the circle, m.
    fn held(&self) -> DVec3 {
        let least = (1.0 + T.ropes.rim) * self.wheel.radius;
        self.at + (least - self.radius).max(0.0) * self.outward
    }
}

/// The stop of a rope where it comes to a sheave, and the one where it leaves it.
fn places(entry: &RopeEntry, rope: &RopeState, wheel: u32) -> Option<[usize; 2]> {
    let at = |lead: u32| rope.stops.iter().position(|s| s.lead == Some(lead));
    let out = at(wheel)?;
    match entry.ring {
        Some(_) if wheel == 0 => Some([rope.stops.len() - 1, 0]),
        _ => (out > 0 && out + 1 < rope.stops.len()).then_some([out, out]),
    }
}

impl World {
    /// After a step of length h: grips come on sheaves and go off them.
    pub(super) fn pass_wheels(&mut self, h: f64, report: &mut StepReport) {
        let slots: Vec<usize> =
            self.model.ropes.iter().filter(|(_, r)| !r.rides.is_empty()).map(|(k, _)| k.slot as usize).collect();
        let mut before = None;
        for slot in slots {
            // Each passes once in a step: what has come on has not been held yet.
            let mut done: Vec<u32> = Vec::new();
            while let Some((grip, wheel, passage)) = self.next_passage(slot, h, &done) {
                before = before.or_else(|| self.energy().ok());
                let (Some(key), Some(entry)) = (self.model.ropes.key_at(slot), self.model.ropes.at(slot)) else {
                    break;
                };
                let (rope, guide, wheel) = (RopeId(key), entry.number(grip), entry.number(wheel));
                report.events.push(match passage {
                    Passage::On { .. } => Event::GripBoarded { rope, guide, wheel },
                    Passage::Off { .. } => Event::GripLeft { rope, guide, wheel },
                });
                self.wake_rope(slot);
                self.pass(slot, h, passage);
                self.tie_rides(slot);
                done.push(grip);
            }
        }
        // What the parting and joining of spans has changed.
        if let Some(before) = before
            && let Ok(after) = self.energy()
        {
            let change = after.total() - before.total();
            (report.ledger.merged, report.ledger.change) =
                (report.ledger.merged + change, report.ledger.change + change);
            report.energy = after;
        }
    }

    /// The first grip of a rope that comes on a sheave or goes off one, of those that have not done so in this step.
    fn next_passage(&self, slot: usize, h: f64, done: &[u32]) -> Option<(u32, u32, Passage)> {
        let (entry, rope) = (self.model.ropes.at(slot)?, &self.state.ropes[slot]);
        let is_awake = rope.bodies().all(|b| self.state.bodies[b].group == 0);
        if !(self.model.pulls(entry) && is_awake) {
            return None;
        }
        let laid = self.laid_rope(rope);
        let mut wheels: Vec<u32> = entry.rides.iter().map(|r| r.wheel).collect();
        wheels.sort_unstable();
        wheels.dedup();
        for wheel in wheels {
            let Some([come, go]) = places(entry, rope, wheel) else { continue };
            for ahead in [true, false] {
                let stop = if ahead { come.checked_sub(1) } else { Some(go + 1) };
                let Some(stop) = stop.filter(|&k| k > 0 && k + 1 < rope.stops.len()) else { continue };
                let Some(grip) = rope.stops[stop].lead.filter(|g| !done.contains(g)) else { continue };
                if let Some(ride) = self.comes_on((entry, rope, &laid), (stop, wheel, ahead), h) {
                    return Some((grip, wheel, Passage::On { stop, ahead, ride }));
                }
            }
        }
        for (k, ride) in rope.rides.iter().enumerate().filter(|(_, r)| !done.contains(&r.grip)) {
            let Some([come, go]) = places(entry, rope, ride.wheel) else { continue };
            for ahead in [false, true] {
                let span = if ahead { come - 1 } else { go };
                if let Some(spans) = self.goes_off((entry, rope, &laid), (ride, span, ahead)) {
                    return Some((ride.grip, ride.wheel, Passage::Off { ride: k, span, ahead, spans }));
                }
            }
        }
        None
    }

    /// Velocity of a point of the body in a slot, m/s.
    fn moves(&self, slot: usize, point: DVec3) -> DVec3 {
        let b = &self.state.bodies[slot];
        b.vel + b.omega.cross(point - b.pos)
    }

    /// Whether a grip comes on a sheave that is ahead of it, or behind it; how it rides there then.
    fn comes_on(
        &self,
        (entry, rope, laid): (&RopeEntry, &RopeState, &Laid),
        (stop, lead, ahead): (usize, u32, bool),
        h: f64,
    ) -> Option<Ride> {
        let (wheel, other, span, far) =
            if ahead { (stop + 1, stop - 1, stop, stop - 1) } else { (stop - 1, stop + 1, stop - 1, stop) };
        let (own, at) = (&rope.stops[stop], &rope.stops[wheel]);
        let same = rope.stops[other].lead.map(|l| entry.one(l)) == Some(lead);
        if same || !entry.passes(own, at) {
            // A rope cannot lead from a sheave to the same one.
            return None;
        }
        let (guide, place) = (&laid.guides[wheel], laid.guides[stop].centre);
        let speed = self.moves(own.body as usize, place) - self.moves(at.body as usize, guide.centre);
        let rim = Rim::new(guide, place, speed);
        let (sense, state) = (if ahead { 1.0 } else { -1.0 }, &rope.spans[span]);
        // Where the rope comes from, and whether the nearest of its line to the centre will be behind the grip: it lies on the sheave then,
        // but for a grip that is thrown out.
        let comes = laid.spans[far].map_or(DVec3::ZERO, |s| sense * s.along);
        let apart = (rim.flat - rim.flat.dot(comes) * comes).length();
        let passes = (rim.flat + h * speed).dot(comes) >= 0.0 && apart < (1.0 + T.ropes.near) * guide.radius;
        let soon = laid.spans[span].is_none_or(|s| s.length <= h * sense * s.along.dot(speed));
        let soon = rim.radius > T.ropes.inside * guide.radius && (soon || passes || rim.sinks(h));
        // Rope that lies slack between them is not on the sheave.
        let angle = -sense * state.material / (guide.radius * guide.side);
        let measure = laid.spans[span].and_then(|_| laid.measure(span));
        let measure = measure.unwrap_or(-sense * guide.rolled(rim.angle(angle)));
        if !(soon && measure - state.material > -T.ropes.slack * guide.radius) {
            return None;
        }
        let Side { pos, rot } = self.side_at(at.body as usize);
        Some(Ride { grip: own.lead?, wheel: lead, at: rot.transpose() * (rim.held() - pos), angle })
    }

    /// Whether a grip goes off the sheave into a span of the rope, before the sheave (it runs back then) or behind it; what that becomes.
    fn goes_off(
        &self,
        (entry, rope, laid): (&RopeEntry, &RopeState, &Laid),
        (ride, span, ahead): (&Ride, usize, bool),
    ) -> Option<[Span; 2]> {
        let wheel = if ahead { span + 1 } else { span };
        let guide = &laid.guides[wheel];
        // Others are between it and the span.
        let order = |r: &Ride| guide.side * if ahead { -r.angle } else { r.angle };
        if rope.rides.iter().any(|r| r.wheel == ride.wheel && order(r) > order(ride)) {
            return None;
        }
        let stop = entry.stop(ride.grip as usize);
        let grip = stop.groove.at(&self.side_at(stop.body as usize), 0.0);
        let [come, go] = [Span::between(&laid.guides[span], &grip)?, Span::between(&grip, &laid.guides[span + 1])?];
        let (away, back, near) = if ahead { (-come.along, go.along, &go) } else { (go.along, -come.along, &come) };
        let speed =
            self.moves(stop.body as usize, grip.centre) - self.moves(rope.stops[wheel].body as usize, guide.centre);
        let rim = Rim::new(guide, grip.centre, speed);
        // On the sheave the rope would go back by that.
        let [arrives, departs] =
            places(entry, rope, ride.wheel).map(|[c, g]| [laid.angles[c - 1][1], laid.angles[g][0]])?;
        let touches = wound(near.angles[usize::from(ahead)], ride.angle);
        let wrap = guide.side * if ahead { departs - touches } else { touches - arrives };
        let pull = (-rope.spans[span].lambda).max(0.0);
        let holds = self.held_on(entry, ride)?.dot(rim.outward);
        let lifts = away.dot(rim.outward) >= 0.0 && pull * (away + back).dot(rim.outward) >= holds;
        // One that has come on a little early does not go back.
        let leaves = speed.dot(back) <= 0.0;
        (wrap >= 0.0 && lifts && leaves).then_some([come, go])
    }

    /// Force of the rim on a grip in the last step, N.
    fn held_on(&self, entry: &RopeEntry, ride: &Ride) -> Option<DVec3> {
        let id = entry.rides.iter().find(|r| r.grip == ride.grip && r.wheel == ride.wheel)?.joint?;
        let joint = self.model.joints.get(id.0)?;
        let (i, j) = (self.side(joint.i), self.side(joint.j));
        let lambda = &self.state.lambda[joint.row_start..joint.row_start + joint.row_count];
        let mut force = DVec3::ZERO;
        for (start, spec) in row_starts(&joint.rows) {
            let e = spec.primitive.eval(&i, &j);
            (0..spec.primitive.rows()).for_each(|q| force += lambda[start + q] * DVec3::from_slice(&e.ji[q][..3]));
        }
        Some(force)
    }

    fn pass(&mut self, slot: usize, h: f64, passage: Passage) {
        let Some(entry) = self.model.ropes.at(slot) else { return };
        let mut rope = std::mem::take(&mut self.state.ropes[slot]);
        match passage {
            Passage::On { stop, ahead, ride } => {
                join(entry, &mut rope, stop, ahead);
                // Where it is on the sheave is known to less than a turn, also where it has come in too far for a straight line.
                rope.spans[stop - 1].angles[usize::from(ahead)] = ride.angle;
                rope.rides.push(ride);
            }
            Passage::Off { ride, span, ahead, spans } => {
                let ride = rope.rides.remove(ride);
                self.part_span(entry, &mut rope, (&ride, span, ahead), spans, h);
            }
        }
        self.state.ropes[slot] = rope;
        let joints: Vec<JointId> = entry.rides.iter().filter_map(|r| r.joint).collect();
        for joint in joints.into_iter().filter_map(|j| self.model.joints.get(j.0)).filter(|j| !j.enabled) {
            // Those that do not hold have no force to begin with.
            self.state.lambda[joint.row_start..joint.row_start + joint.row_count].fill(0.0);
        }
    }

    /// A grip comes into a span as a stop. What the rope is longer than its way is shared as the lengths are.
    fn part_span(
        &self,
        entry: &RopeEntry,
        rope: &mut RopeState,
        (ride, k, ahead): (&Ride, usize, bool),
        spans: [Span; 2],
        h: f64,
    ) {
        let (old, stop) = (rope.spans[k], entry.stop(ride.grip as usize));
        let guide = |s: usize| {
            let stop = &rope.stops[s];
            stop.groove.at(&self.side_at(stop.body as usize), 0.0)
        };
        let (first, last) = (guide(k), guide(k + 1));
        let grip = stop.groove.at(&self.side_at(stop.body as usize), 0.0);
        // Its turns on the sheave are those of its material there.
        let near = |e: usize| if ahead == (e == 1) { ride.angle } else { old.angles[e] };
        let angles = [[wound(spans[0].angles[0], near(0)), 0.0], [0.0, wound(spans[1].angles[1], near(1))]];
        let measure = [spans[0].measure(&first, &grip, angles[0]), spans[1].measure(&grip, &last, angles[1])];
        let share = spans[0].length / (spans[0].length + spans[1].length);
        let own = measure[0] - share * (measure[0] + measure[1] - old.material);
        let (material, shares) = ([own, old.material - own], [share, 1.0 - share]);
        rope.stops.insert(k + 1, stop);
        rope.spans.insert(k + 1, old);
        for e in 0..2 {
            let stops = [&rope.stops[k + e], &rope.stops[k + e + 1]];
            // What was hauled in since the last step is pulled in by the longer one.
            let hauled = if ahead == (e == 0) { old.reach - old.material } else { 0.0 };
            rope.spans[k + e] = SpanState {
                material: material[e],
                reach: material[e] + hauled,
                stretch: if old.stretch >= 0.0 { shares[e] * old.stretch } else { old.stretch },
                angles: angles[e],
                energy: self.turning(stops, &spans[e], -old.lambda * h * h),
                least: least(entry, stops, spans[e].length),
                slip: if e == 0 { old.slip } else { 0.0 },
                apart: 0.0,
                ..old
            };
        }
    }

    /// Makes the joints of a rope what its rides say. What changes is laid out anew.
    pub(super) fn tie_rides(&mut self, slot: usize) {
        let Some(entry) = self.model.ropes.at(slot) else { return };
        let rides = &self.state.ropes[slot].rides;
        let wanted: Vec<(JointId, Option<DVec3>)> = entry
            .rides
            .iter()
            .filter_map(|r| {
                let ride = rides.iter().find(|x| x.grip == r.grip && x.wheel == r.wheel);
                Some((r.joint?, ride.map(|x| x.at)))
            })
            .collect();
        for (id, at) in wanted {
            let Some(joint) = self.model.joints.get(id.0) else { continue };
            if joint.enabled == at.is_some() && at.is_none_or(|at| at == joint.frames.j.origin) {
                continue;
            }
            let mut joint = joint.clone();
            joint.enabled = at.is_some();
            joint.frames.j.origin = at.unwrap_or(joint.frames.j.origin);
            // The rows were made of such frames before.
            if self.expand(&mut joint).is_ok()
                && let Some(kept) = self.model.joints.get_mut(id.0)
            {
                *kept = joint;
                self.wear_out();
                self.forget();
            }
        }
    }

    /// What holds the rides of a rope that is added as it had become, as numbers of their rows.
    pub(super) fn push_rides(&mut self, slot: usize, forces: &[DVec3]) {
        let Some(entry) = self.model.ropes.at(slot) else { return };
        for (ride, force) in self.state.ropes[slot].rides.iter().zip(forces) {
            let own = entry.rides.iter().find(|r| r.grip == ride.grip && r.wheel == ride.wheel);
            let joint = own.and_then(|r| self.model.joints.get(r.joint?.0));
            if let Some(j) = joint.filter(|j| j.row_count == 3) {
                self.state.lambda[j.row_start..j.row_start + 3].copy_from_slice(&force.to_array());
            }
        }
    }

    /// What holds a ride, as numbers of its rows.
    pub(super) fn rows_of_ride(&self, entry: &RopeEntry, ride: &Ride) -> DVec3 {
        let own = entry.rides.iter().find(|r| r.grip == ride.grip && r.wheel == ride.wheel);
        let joint = own.and_then(|r| self.model.joints.get(r.joint?.0)).filter(|j| j.row_count == 3);
        joint.map_or(DVec3::ZERO, |j| DVec3::from_slice(&self.state.lambda[j.row_start..j.row_start + 3]))
    }

    /// Adds the joints that grips will be held by, switched off.
    pub(super) fn insert_rides(&mut self, entry: &mut RopeEntry) -> Result<()> {
        for k in 0..entry.rides.len() {
            let [grip, wheel] = [entry.rides[k].grip, entry.rides[k].wheel].map(|g| entry.guides[g as usize]);
            let side = self.side(grip.body);
            let at = side.pos + side.rot * grip.groove.centre;
            let ball = Ball::between(grip.body, wheel.body).at(at);
            match self.insert_joint(Joint { role: TreeRole::Loop, enabled: false, ..ball }, true) {
                Ok(id) => {
                    entry.rides[k].joint = Some(id);
                    if let Some(j) = self.model.joints.get_mut(id.0) {
                        // The point of the grip to the last bit.
                        j.frames.i.origin = grip.groove.centre;
                    }
                }
                Err(e) => {
                    // Nothing is left half done.
                    entry.rides[..k].iter().filter_map(|r| r.joint).for_each(|id| self.drop_joint(id));
                    return Err(e);
                }
            }
        }
        Ok(())
    }

    /// The joints of a rope that goes.
    pub(super) fn drop_rides(&mut self, id: RopeId) {
        let joints = self.model.ropes.get(id.0).map_or_else(Vec::new, |r| r.rides.clone());
        joints.into_iter().filter_map(|r| r.joint).for_each(|j| self.drop_joint(j));
    }

    /// A body that goes takes its grips off their ropes; what has other guides on it, or goes round no other, goes with it.
    pub(super) fn take_grips(&mut self, body: BodyId) {
        let keys: Vec<_> = self.model.ropes.iter().map(|(k, _)| k).collect();
        for key in keys {
            let slot = key.slot as usize;
            while let Some(entry) = self.model.ropes.get(key) {
                let rope = &self.state.ropes[slot];
                let last = entry.guides.len() - 1;
                let own = |g: &(usize, &crate::model::reeving::GuideEntry)| g.1.body == body;
                let stays = entry.guides.iter().enumerate().filter(own).all(|(k, g)| g.grip && k > 0 && k < last);
                let Some((k, _)) = entry.guides.iter().enumerate().find(own).filter(|_| stays) else { break };
                let lead = k as u32;
                let at = rope.stops.iter().position(|s| s.lead == Some(lead));
                if at.is_some_and(|_| entry.ring.is_some() && rope.stops.len() <= 3) {
                    break;
                }
                self.wake_rope(slot);
                self.take_grip(key, lead, at);
            }
        }
    }

    fn take_grip(&mut self, key: crate::ids::Key, lead: u32, at: Option<usize>) {
        let slot = key.slot as usize;
        let Some(entry) = self.model.ropes.get(key) else { return };
        let mut rope = std::mem::take(&mut self.state.ropes[slot]);
        if let Some(at) = at {
            join(entry, &mut rope, at, true);
        }
        rope.rides.retain(|r| r.grip != lead);
        let down = |n: &mut u32| *n -= u32::from(*n > lead);
        rope.stops.iter_mut().filter_map(|s| s.lead.as_mut()).for_each(down);
        for r in &mut rope.rides {
            down(&mut r.grip);
            down(&mut r.wheel);
        }
        self.state.ropes[slot] = rope;
        let mut gone = Vec::new();
        if let Some(entry) = self.model.ropes.get_mut(key) {
            let number = entry.number(lead);
            entry.ring = entry.ring.map(|first| first - usize::from(number < first));
            entry.guides.remove(lead as usize);
            gone.extend(entry.rides.iter().filter(|r| r.grip == lead).filter_map(|r| r.joint));
            entry.rides.retain(|r| r.grip != lead);
            for r in &mut entry.rides {
                down(&mut r.grip);
                down(&mut r.wheel);
            }
            let print = identity::rope(entry);
            self.edited(Edit::AddRope, key.slot, print);
        }
        gone.into_iter().for_each(|j| self.drop_joint(j));
    }
}

/// A grip is no stop any more: its two spans become one. The one to the sheave, which is `ahead` or not, has been used up; the tension is
/// that of the other.
fn join(entry: &RopeEntry, rope: &mut RopeState, k: usize, ahead: bool) {
    let [before, after] = [rope.spans[k - 1], rope.spans[k]];
    let known = before.stretch >= 0.0 && after.stretch >= 0.0;
    leave(rope, k);
    let stops = [&rope.stops[k - 1], &rope.stops[k]];
    let length = (before.material + after.material).abs().max(f64::MIN_POSITIVE);
    let least = least(entry, stops, length);
    let s = &mut rope.spans[k - 1];
    s.lambda = if ahead { before.lambda } else { after.lambda };
    s.stretch = if known { before.stretch + after.stretch } else { UNKNOWN };
    s.least = least;
}

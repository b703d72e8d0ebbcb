//! The parts that a cut makes of a rope: which guides they have, and where their free ends come to lie.

use super::World;
use super::guides::leave;
use super::rope_ref::Laid;
use super::rope_way::{On, Way};
use super::ropes::loosen;
use super::run_out::hang;
use crate::constraint::Side;
use crate::error::{Error, Result};
use crate::ids::{BodyId, RopeId};
use crate::model::BodyEntry;
use crate::model::body::Body;
use crate::model::reeving::{GuideEntry, RopeEntry};
use crate::reeve::Groove;
use crate::reeve::hold::Hold;
use crate::rows::UNKNOWN;
use crate::state::{RopeState, Stop};
use crate::tuning::T;
use glam::{DMat3, DVec3};

/// Slot of the particle at a new end, while it is not there yet.
const NEW: u32 = u32::MAX;

/// A rope with a new free end, whose particle is not there yet.
pub(super) struct Part {
    pub entry: RopeEntry,
    pub rope: RopeState,
    pub at: DVec3,
    pub velocity: DVec3,
}

impl World {
    /// The part of a rope before (0) or after (1) the place with so much of it before it, m.
    pub(super) fn part(&self, id: RopeId, way: &Way, length: f64, side: usize) -> Result<Part> {
        let (entry, old) = (self.model.rope(id)?, &self.state.ropes[id.0.slot as usize]);
        let spot = way.at(length);
        let at = way.point(spot);
        // The guide next to the new end, and the span that it was on.
        let (next, span) = match (spot.on, side) {
            (On::Span(k), _) => (k + side, k),
            (On::Wrap(k), 0) => (k - 1, k - 1),
            (On::Wrap(k), _) => (k + 1, k),
        };
        let last = entry.guides.len() as u32 - 1;
        let stops = if side == 0 { &old.stops[..=next] } else { &old.stops[next..] };
        let mut leads = stops.iter().filter_map(|s| s.lead);
        let lead = if side == 0 { leads.next_back().unwrap_or(0) } else { leads.next().unwrap_or(last) };
        let groove = Groove::point(DVec3::ZERO);
        let mut rope = RopeState { stops: stops.to_vec(), ..RopeState::default() };
        let kept = if side == 0 { &entry.guides[..=lead as usize] } else { &entry.guides[lead as usize..] };
        let mut new = RopeEntry { guides: kept.to_vec(), ..entry.clone() };
        let number = if side == 0 { new.guides.len() as u32 } else { 0 };
        let end = Stop { lead: Some(number), found: None, body: NEW, groove, hold: Hold::Fast };
        let mut one = old.spans[span];
        (one.least, one.apart, one.stretch) = (0.0, 0.0, UNKNOWN);
        if let (On::Span(k), Some(s)) = (spot.on, way.laid.spans[span])
            && k == span
            && s.length > 0.0
        {
            let part = if side == 0 { spot.along / s.length } else { 1.0 - spot.along / s.length };
            one.energy *= part.clamp(0.0, 1.0);
        } else {
            one.energy = 0.0;
        }
        if side == 0 {
            one.angles[1] = 0.0;
            rope.stops.push(end);
            rope.spans.extend_from_slice(&old.spans[..next]);
            rope.spans.push(one);
        } else {
            (one.angles[0], one.slip) = (0.0, 0.0);
            rope.stops.iter_mut().for_each(|s| s.lead = s.lead.map(|l| l - lead + 1));
            rope.stops.insert(0, end);
            rope.spans.push(one);
            rope.spans.extend_from_slice(&old.spans[next..]);
        }
        let point =
            GuideEntry { body: self.ground, groove, hold: Hold::Fast, keeper: true, turns: 0, drum: None, grip: false };
        new.guides.insert(number as usize, point);
        new.free[1 - side] = true;
        let whole = way.length();
        let own = if side == 0 { length } else { whole - length };
        // What was paid out is still out; a new rope begins with what it has.
        new.laid = if side == 0 { entry.laid - (whole - own) } else { own };
        let Some(at) = self.draw_back(&mut rope, 1 - side, at, Some(own)) else {
            let name = self.model.rope_name(id.0.slot as usize);
            let expected = "a place that a straight line from the next of its guides reaches";
            return Err(Error::input(format!("place to part {name} at"), length, expected));
        };
        loosen(&new, &mut rope);
        let laid = self.laid_with(&rope, 1 - side, at);
        hang(&mut rope, &laid, side);
        let velocity = self.drawn(&rope, 1 - side, at, self.swaying(old, way, spot));
        Ok(Part { entry: new, rope, at, velocity })
    }

    /// A rope with its new end, or that of its particle, at a point.
    fn laid_with(&self, rope: &RopeState, end: usize, at: DVec3) -> Laid {
        let mut laid = Laid::default();
        let stop = if end == 0 { 0 } else { rope.stops.len() - 1 };
        let own = rope.stops[stop].body;
        laid.fill(
            rope,
            |slot| {
                if slot == own as usize { Side { pos: at, rot: DMat3::IDENTITY } } else { self.side_at(slot) }
            },
        );
        laid
    }

    /// Where the first (0) or last (1) end of a rope that hangs free at a point comes to lie, m, when it draws back until the rope there is not
    /// stretched. Guides that it is drawn through are left. With a length, m, the rope is made that long first. None where it would be drawn
    /// through what its other end is tied to.
    pub(super) fn draw_back(&self, rope: &mut RopeState, end: usize, at: DVec3, length: Option<f64>) -> Option<DVec3> {
        let mut owed = length;
        loop {
            let (k, next) = if end == 0 { (0, 1) } else { (rope.spans.len() - 1, rope.stops.len() - 2) };
            let is_inner = next > 0 && next + 1 < rope.stops.len();
            let laid = self.laid_with(rope, end, at);
            let Some(span) = laid.spans[k] else {
                if !is_inner {
                    return None;
                }
                leave(rope, next);
                continue;
            };
            rope.spans[k].angles = laid.angles[k];
            if let Some(whole) = owed.take() {
                // Others than this span may overlap: their rope is where it was.
                let more = whole - Way::of(rope, laid.clone()).length();
                rope.spans[k].material += more;
            }
            rope.spans[k].reach = rope.spans[k].material;
            let (first, last) = piece_at(rope, k);
            rope.spans[first..last].iter_mut().for_each(|s| s.stretch = UNKNOWN);
            let excess = laid.excess(rope, first..last);
            let least = T.ropes.shortest * laid.path(first..last).max(span.length);
            if span.length - excess.max(0.0) > least {
                let back = if end == 0 { span.along } else { -span.along };
                return Some(at + excess.max(0.0) * back);
            }
            if !is_inner {
                // All of it is used up: it stays in sight of what it is tied to.
                let [a, b] = span.ends;
                return Some(if end == 0 { b - least * span.along } else { a + least * span.along });
            }
            leave(rope, next);
        }
    }

    /// Velocity of a free end that would sway so, m/s: along the rope, where that is taut, it goes with what draws it.
    pub(super) fn drawn(&self, rope: &RopeState, end: usize, at: DVec3, sway: DVec3) -> DVec3 {
        let laid = self.laid_with(rope, end, at);
        let (k, next) = if end == 0 { (0, 1) } else { (rope.spans.len() - 1, rope.stops.len() - 2) };
        let Some(span) = laid.spans[k] else { return sway };
        let (first, last) = piece_at(rope, k);
        if laid.excess(rope, first..last) < -T.ropes.shortest * laid.path(first..last) {
            return sway;
        }
        let guide = self.carried(rope.stops[next].body as usize, span.ends[1 - end]);
        let speed = guide.dot(span.along) + self.running(rope, &laid, next, 1 - end);
        sway + (speed - sway.dot(span.along)) * span.along
    }

    /// Adds the particle of a new end. It goes on in the rhythm of a body on its rope: kicks are centred between the steps.
    pub(super) fn add_end(&mut self, part: &Part, mass: f64) -> Result<BodyId> {
        let name = if part.entry.name.is_empty() { String::new() } else { format!("{} end", part.entry.name) };
        let node = self.add(Body::particle(mass).at(part.at).moving(part.velocity, DVec3::ZERO).named(name))?;
        let free = |slot: &usize| self.model.bodies.at(*slot).is_some_and(BodyEntry::is_node);
        let beside = part.rope.bodies().filter(|b| *b != NEW as usize).find(free);
        if let Some(beside) = beside {
            let h_prev = self.state.bodies[beside].regime.h_prev;
            self.state.bodies[node.0.slot as usize].regime = self.state.bodies[beside].regime;
            self.state.potential_lag[0] -= 0.5 * mass * h_prev * self.options.gravity.dot(part.velocity);
        }
        Ok(node)
    }
}

impl Part {
    /// With the particle at its end.
    pub(super) fn tied(mut self, node: BodyId) -> (RopeEntry, RopeState) {
        for s in self.rope.stops.iter_mut().filter(|s| s.body == NEW) {
            s.body = node.0.slot;
            if let Some(g) = s.lead.and_then(|l| self.entry.guides.get_mut(l as usize)) {
                g.body = node;
            }
        }
        (self.entry, self.rope)
    }
}

/// The piece of one tension that a span is in: its first and its last guide.
pub(super) fn piece_at(rope: &RopeState, k: usize) -> (usize, usize) {
    rope.segments().find(|p| (p.0..p.1).contains(&k)).unwrap_or((k, k + 1))
}

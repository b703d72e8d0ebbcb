//! Free ends of ropes that are drawn through their guides, and out of them.
//!
//! A guide is left before the step in which its end could come to it: the way without it is shorter, so that the rope is slack for a moment and
//! nothing is stretched. An end that comes to a guide all the same, as one that a spring draws, has passed it after the step; it is put
//! where its rope reaches, without a gain of energy.
//!
//! A particle that is drawn in keeps its angular momentum about the guide: its sideways speed would grow with 1/l, and it would whirl round
//! the guide for ever and hold the rope. The end of a rope without mass follows it. So its sideways speed against the guide falls
//! with l, as that of a rod that gets shorter at the same angular velocity; the guide takes the momentum, damping the energy:
//! ```text
//! sideways velocity *= (l+/l)^2        where the span to the end has become shorter and pulls
//! ```

use super::World;
use super::guides::{Look, Scratch, Taken, leave, rolled};
use super::rope_ends::Owed;
use super::rope_ref::Laid;
use super::ropes::loosen;
use crate::events::Event;
use crate::ids::RopeId;
use crate::reeve::Groove;
use crate::report::StepReport;
use crate::rows::UNKNOWN;
use crate::state::RopeState;
use glam::DVec3;

/// What has been left before a step, to be told after it or taken back.
#[derive(Debug, Default)]
pub(super) struct RunOut {
    before: Vec<(usize, RopeState)>,
    /// Velocities of bodies, by slot, m/s.
    speeds: Vec<(usize, DVec3)>,
    events: Vec<Event>,
    owed: Owed,
    /// Free ends: slot of the rope, which end, and the length of its span before the step, m.
    drawn: Vec<(usize, usize, f64)>,
}

impl World {
    /// Lets free ends leave the guides that they would come to in a step of length h.
    pub(super) fn run_out(&mut self, h: f64) -> RunOut {
        let mut out = RunOut::default();
        for slot in 0..self.state.ropes.len() {
            let Some(entry) = self.model.ropes.at(slot).filter(|e| e.free != [false; 2]) else { continue };
            let (rope, free) = (&self.state.ropes[slot], entry.free);
            let is_awake = rope.bodies().all(|b| self.state.bodies[b].group == 0);
            if !(is_awake && self.model.pulls(entry)) {
                continue;
            }
            for end in (0..2).filter(|e| free[*e]) {
                while let Some(k) = self.used_up(slot, end, h) {
                    self.leave_guide(slot, (end, k), &mut out);
                }
                let rope = &self.state.ropes[slot];
                let k = if end == 0 { 0 } else { rope.spans.len() - 1 };
                out.drawn.push((slot, end, self.span_length(rope, k)));
            }
        }
        out
    }

    /// The step has succeeded: what was left is told, and ends that were drawn in follow their rope.
    pub(super) fn tell_run_out(&mut self, out: RunOut, report: &mut StepReport) {
        report.events.splice(0..0, out.events);
        for (slot, end, length) in out.drawn {
            self.calm(slot, end, length, report);
        }
    }

    /// Takes sideways speed from an end that has been drawn in from this length of its span, m.
    fn calm(&mut self, slot: usize, end: usize, length: f64, report: &mut StepReport) {
        let rope = &self.state.ropes[slot];
        let last = rope.stops.len() - 1;
        let (k, stop, next) = if end == 0 { (0, 0, 1) } else { (last - 1, last, last - 1) };
        let Some(span) = self.laid_rope(rope).spans[k] else { return };
        if !(rope.spans[k].lambda < 0.0 && span.length < length) {
            return;
        }
        let (node, guide) = (rope.stops[stop].body as usize, rope.stops[next].body as usize);
        let free = |slot: usize| self.model.bodies.at(slot).filter(|b| b.is_node()).map(|b| b.mass);
        let (Some(own), other) = (free(node), free(guide)) else { return };
        let against = self.state.bodies[node].vel - self.state.bodies[guide].vel;
        let sideways = against - against.dot(span.along) * span.along;
        let part = span.length / length;
        let less = (1.0 - part * part) * sideways;
        let kinetic = |w: &World| {
            let of = |slot: usize, mass: f64| 0.5 * mass * w.state.bodies[slot].vel.length_squared();
            of(node, own) + other.map_or(0.0, |m| of(guide, m))
        };
        let before = kinetic(self);
        self.state.bodies[node].vel -= less;
        if let Some(m) = other {
            self.state.bodies[guide].vel += own / m * less;
        }
        let lost = kinetic(self) - before;
        report.energy.kinetic += lost;
        report.ledger.damping += lost;
        report.ledger.change += lost;
    }

    /// The step has failed: nothing was left.
    pub(super) fn undo_run_out(&mut self, out: RunOut) {
        if out.before.is_empty() {
            return;
        }
        for (slot, rope) in out.before.into_iter().rev() {
            self.state.ropes[slot] = rope;
        }
        for (slot, velocity) in out.speeds.into_iter().rev() {
            self.state.bodies[slot].vel = velocity;
        }
        self.owed.broken -= out.owed.broken;
        self.owed.fed -= out.owed.fed;
        self.wear_out();
    }

    /// The guide next to a free end that this could come to within a step, where there is one.
    fn used_up(&self, slot: usize, end: usize, h: f64) -> Option<usize> {
        let rope = &self.state.ropes[slot];
        let (k, next) = if end == 0 { (0, 1) } else { (rope.spans.len() - 1, rope.stops.len() - 2) };
        if next == 0 || next + 1 == rope.stops.len() {
            return None;
        }
        let laid = self.laid_rope(rope);
        let Some(span) = laid.spans[k] else { return Some(next) };
        let stop = if end == 0 { 0 } else { rope.stops.len() - 1 };
        let node = self.state.bodies[rope.stops[stop].body as usize].vel;
        let guide = self.carried(rope.stops[next].body as usize, laid.guides[next].centre);
        let away = if end == 0 { -span.along } else { span.along };
        let comes = (guide - node).dot(away).max(0.0);
        // A load on n parts of a rope that falls freely draws its end n times as fast.
        let more = rope.spans.len() as f64 * self.options.gravity.length() * h;
        (span.length <= h * (comes + more)).then_some(next)
    }

    /// A free end that is drawn goes on along the rope: it has the speed against the guide that it had, along the way without it, and the
    /// guide takes the momentum.
    fn turn_end(&mut self, slot: usize, (end, k): (usize, usize), speed: DVec3, out: &mut RunOut) {
        let rope = &self.state.ropes[slot];
        let (span, stop) = if end == 0 { (0, 0) } else { (rope.spans.len() - 1, rope.stops.len() - 1) };
        let Some(new) = self.laid_rope(rope).spans[span] else { return };
        let ahead = if end == 0 { new.along } else { -new.along };
        let (node, guide) = (rope.stops[stop].body as usize, k);
        let mass = |slot: usize| self.model.bodies.at(slot).filter(|b| b.is_node()).map(|b| b.mass);
        let (Some(own), other) = (mass(node), mass(guide)) else { return };
        let was = self.state.bodies[node].vel;
        // What the guide gains by its momentum, twice that of the end at most, is taken from the end.
        let part = other.map_or(1.0, |m| (1.0 - 2.0 * own / m).max(0.0));
        let now = speed + part * (was - speed).length() * ahead;
        out.speeds.push((node, was));
        self.state.bodies[node].vel = now;
        if let Some(m) = other {
            out.speeds.push((guide, self.state.bodies[guide].vel));
            self.state.bodies[guide].vel += own / m * (was - now);
        }
    }

    fn leave_guide(&mut self, slot: usize, (end, k): (usize, usize), out: &mut RunOut) {
        let (Some(key), before) = (self.model.ropes.key_at(slot), self.state.ropes[slot].clone()) else { return };
        let stop = before.stops[k];
        let Ok(was) = self.energy() else { return };
        let pulls = before.spans[if end == 0 { 0 } else { k }].lambda < 0.0;
        let guide = self.laid_rope(&before).guides[k].centre;
        let guide = (stop.body as usize, self.carried(stop.body as usize, guide));
        leave(&mut self.state.ropes[slot], k);
        self.state.ropes[slot].spans.iter_mut().for_each(|s| s.stretch = UNKNOWN);
        if let Some(entry) = self.model.ropes.at(slot) {
            loosen(entry, &mut self.state.ropes[slot]);
        }
        if pulls {
            self.turn_end(slot, (end, guide.0), guide.1, out);
        }
        let Ok(now) = self.energy() else { return };
        let broken = now.elastic - was.elastic;
        let fed = now.total() - was.total() - broken;
        (self.owed.broken, self.owed.fed) = (self.owed.broken + broken, self.owed.fed + fed);
        (out.owed.broken, out.owed.fed) = (out.owed.broken + broken, out.owed.fed + fed);
        out.before.push((slot, before));
        let guide = stop.lead.map(|l| l as usize);
        out.events.push(Event::GuideLeft { rope: RopeId(key), guide, collider: stop.found.map(|f| f.0) });
        self.wear_out();
    }

    /// Free ends that have passed a guide in a step have left it.
    pub(super) fn run_through(&self, look: &mut Look<'_>, taken: &Taken<'_>, scratch: &mut Scratch) {
        for end in (0..2).filter(|e| look.entry.free[*e]) {
            loop {
                let rope = &look.rope;
                let (k, next) = if end == 0 { (0, 1) } else { (rope.spans.len() - 1, rope.stops.len() - 2) };
                self.lay(look, taken, scratch);
                if next == 0 || next + 1 == rope.stops.len() {
                    let hangs = hang(&mut look.rope, &scratch.is, 1 - end);
                    (look.changed, look.passed) = (look.changed || hangs, look.passed || hangs);
                    break;
                }
                let Some(was) = scratch.was.spans[k] else { break };
                let passed = scratch.is.spans[k].is_none_or(|is| is.along.dot(was.along) <= 0.0);
                if !passed {
                    break;
                }
                let stop = look.rope.stops[next];
                leave(&mut look.rope, next);
                let guide = stop.lead.map(|l| l as usize);
                look.events.push(Event::GuideLeft { rope: look.id, guide, collider: stop.found.map(|f| f.0) });
                (look.changed, look.passed) = (true, true);
            }
        }
    }

    /// Free ends that have passed a guide are put where their rope reaches, without a gain of energy.
    pub(super) fn draw_in(&mut self, slot: usize, report: &mut StepReport) {
        let Some(free) = self.model.ropes.at(slot).map(|e| e.free) else { return };
        let Ok(before) = self.energy() else { return };
        for end in (0..2).filter(|e| free[*e]) {
            let mut rope = self.state.ropes[slot].clone();
            let stop = if end == 0 { 0 } else { rope.stops.len() - 1 };
            let body = rope.stops[stop].body as usize;
            let (at, sway) = (self.state.bodies[body].pos, self.state.bodies[body].vel);
            let Some(new) = self.draw_back(&mut rope, end, at, None) else { continue };
            let velocity = self.drawn(&rope, end, new, sway);
            let scale = self.model.bodies.at(body).map_or(1.0, |b| b.gravity_scale);
            // Speed that it had, less what it was lifted by.
            let most = sway.length_squared() + 2.0 * scale * self.options.gravity.dot(new - at);
            let part = (most.max(0.0) / velocity.length_squared()).sqrt();
            let velocity = if part < 1.0 { part * velocity } else { velocity };
            let b = &mut self.state.bodies[body];
            (b.pos, b.vel) = (new, if velocity.is_finite() { velocity } else { DVec3::ZERO });
            self.state.ropes[slot] = rope;
        }
        let Ok(after) = self.energy() else { return };
        report.energy.kinetic += after.kinetic - before.kinetic;
        report.energy.gravity += after.gravity - before.gravity;
        report.energy.elastic += after.elastic - before.elastic;
        report.ledger.merged += after.total() - before.total();
        report.ledger.change += after.total() - before.total();
    }
}

/// A rope whose free end is within a radius of the drum that it hangs on with this end, or inside it, hangs on a point of the shell: there is
/// no straight line to be wound any more. Whether it does so now.
pub(super) fn hang(rope: &mut RopeState, laid: &Laid, end: usize) -> bool {
    let stop = if end == 0 { 0 } else { rope.stops.len() - 1 };
    let groove = rope.stops[stop].groove;
    let angle = laid.angles[0][end];
    let radius = laid.guides[stop].radius_at(angle);
    if rope.stops.len() != 2 || !groove.is_round() || laid.spans[0].is_some_and(|s| s.length > radius) {
        return false;
    }
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    let out = cos * groove.zero + sin * groove.axis.cross(groove.zero);
    let less = rolled(&groove, angle, end);
    let s = &mut rope.spans[0];
    (s.material, s.reach, s.angles[end]) = (s.material - less, s.reach - less, 0.0);
    rope.stops[stop].groove = Groove::point(groove.centre + radius * out);
    true
}

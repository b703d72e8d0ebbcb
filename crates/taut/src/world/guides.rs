//! Ropes that leave their guides and come back, that meet colliders on their way, and that run off their drums.
//!
//! All this happens between steps, on the poses before and after the last one. Material is kept: what two spans have is that of the one
//! they become, and where a guide comes in it is parted so that both halves have half of what the rope is longer than its way.

use super::rope_ref::Laid;
use super::ropes::{least, loosen};
use super::{Layout, World};
use crate::constraint::Side;
use crate::desk::inputs::Reeved;
use crate::events::Event;
use crate::ids::{ColliderId, RopeId};
use crate::kin::Kin;
use crate::math::pose::Pose;
use crate::model::drum::Drum;
use crate::model::reeving::RopeEntry;
use crate::reeve::bend::{Trial, touches};
use crate::reeve::hold::Hold;
use crate::reeve::span::{Guide, Span, measure_touching};
use crate::reeve::{Groove, wound};
use crate::report::StepReport;
use crate::state::{RopeState, SpanState, Stop};
use crate::topology::{NONE, SpanRow, Topology};
use glam::{DMat3, DVec3};
use std::f64::consts::FRAC_PI_2;

/// A step that has been taken: its length, s, and the poses before it.
#[derive(Clone, Copy)]
pub(super) struct Taken<'a> {
    pub h: f64,
    pub t: &'a Topology,
    pub kin: &'a [Kin],
    reeved: &'a [Reeved],
}

/// A rope that is looked at, outside the world while it changes.
pub(super) struct Look<'a> {
    pub id: RopeId,
    pub entry: &'a RopeEntry,
    pub rope: RopeState,
    /// Guides that it has left in this step.
    left: Vec<u32>,
    pub events: &'a mut Vec<Event>,
    pub changed: bool,
    /// Whether a free end has passed a guide.
    pub passed: bool,
}

/// Memory to look at ropes with: before the step and after it, and the colliders that are near.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub was: Laid,
    pub is: Laid,
    pub near: Vec<(ColliderId, [Pose; 2])>,
    /// Triangles of terrains.
    pub ids: Vec<u32>,
}

impl World {
    /// After a step of length h: ropes leave guides and meet them. What has changed is laid out anew.
    pub(super) fn guide_ropes(&mut self, h: f64, report: &mut StepReport) {
        if self.model.ropes.len() == 0 {
            return;
        }
        let Some(mut layout) = self.layout.take() else { return };
        let mut scratch = std::mem::take(&mut self.ropes_laid);
        let stamp = self.state.stamp;
        let Layout { t, inputs, .. } = &*layout;
        let taken = Taken { h, t, kin: &inputs.kin, reeved: &inputs.reeved };
        let mut changed = false;
        for s in taken.t.spans.iter().zip(taken.reeved).filter(|(_, r)| r.span.is_none()).map(|(s, _)| s) {
            self.lay_again((s.slot, s.index), &mut scratch.is);
        }
        for slot in 0..self.state.ropes.len() {
            if self.open_rope(slot).is_none() {
                continue;
            }
            let rope = std::mem::take(&mut self.state.ropes[slot]);
            let (rope, new, passed) = self.look_at_rope(slot, rope, &taken, &mut scratch, &mut report.events);
            self.state.ropes[slot] = rope;
            if new {
                changed = true;
                self.wake_rope(slot);
                if passed {
                    self.draw_in(slot, report);
                }
            }
        }
        self.ropes_laid = scratch;
        // What woke is not in the layout.
        let fits = !changed || (stamp == self.state.stamp && self.reroute(&mut layout));
        self.layout = Some(layout);
        if !fits {
            self.wear_out();
        }
    }

    /// A span whose guides overlapped, and are apart again: the rope lies as it finds itself, and is no shorter than its way. Where it has come
    /// through its guide it has another turn or one less, which nobody wound.
    fn lay_again(&mut self, (slot, index): (usize, usize), laid: &mut Laid) {
        let rope = &self.state.ropes[slot];
        laid.fill(rope, |slot| self.side_at(slot));
        let Some(measure) = laid.spans.get(index).and_then(|_| laid.measure(index)) else { return };
        let ends = [&laid.guides[index], &laid.guides[index + 1]];
        let span = &mut self.state.ropes[slot].spans[index];
        let more = (measure - measure_touching(ends[0], ends[1], span.angles)).max(0.0);
        (span.material, span.reach, span.angles) = (span.material + more, span.reach + more, laid.angles[index]);
    }

    /// Takes ropes that run elsewhere into a layout; false where it must be made anew.
    fn reroute(&self, layout: &mut Layout) -> bool {
        let awake = |slot: usize| self.state.bodies[slot].group == 0;
        let Layout { t, inputs, desk, threads, forest, stale, .. } = layout;
        if forest.is_some() || *stale || !t.reroute(&self.model, &self.state.ropes, &awake) {
            return false;
        }
        inputs.relink(t);
        desk.relink(t);
        threads.iter_mut().for_each(|d| d.relink(t));
        true
    }

    /// Colliders that are gone let the ropes go that they have bent.
    pub(super) fn leave_lost(&mut self) {
        let model = &self.model;
        let lost = |s: &Stop| s.found.is_some_and(|(c, _)| !model.colliders.get(c.0).is_some_and(|c| model.is_on(c)));
        if self.state.ropes.iter().any(|r| r.stops.iter().any(lost)) {
            let ids: Vec<ColliderId> = self
                .state
                .ropes
                .iter()
                .flat_map(|r| r.stops.iter().filter(|s| lost(s)).filter_map(|s| s.found))
                .map(|f| f.0)
                .collect();
            self.leave_found(|s| s.found.is_some_and(|(c, _)| ids.contains(&c)));
        }
    }

    /// Ropes leave the colliders that they have found, of those that are asked for.
    pub(super) fn leave_found(&mut self, asked: impl Fn(&Stop) -> bool) {
        for slot in 0..self.state.ropes.len() {
            while let Some(k) = self.state.ropes[slot].stops.iter().position(|s| s.found.is_some() && asked(s)) {
                self.wake_rope(slot);
                leave(&mut self.state.ropes[slot], k);
                self.wear_out();
            }
        }
    }

    /// A rope whose guides can have changed in a step, with its definition.
    fn open_rope(&self, slot: usize) -> Option<(RopeId, &RopeEntry)> {
        let (key, entry) = (self.model.ropes.key_at(slot)?, self.model.ropes.at(slot)?);
        let rope = &self.state.ropes[slot];
        let is_awake = rope.bodies().all(|b| self.state.bodies[b].group == 0);
        (self.model.pulls(entry) && is_awake && self.is_open(entry, rope)).then_some((RopeId(key), entry))
    }

    /// A rope after a step, whether it runs elsewhere, and whether a free end of it has passed a guide.
    fn look_at_rope(
        &self,
        slot: usize,
        rope: RopeState,
        taken: &Taken<'_>,
        scratch: &mut Scratch,
        events: &mut Vec<Event>,
    ) -> (RopeState, bool, bool) {
        let (Some(key), Some(entry)) = (self.model.ropes.key_at(slot), self.model.ropes.at(slot)) else {
            return (rope, false, false);
        };
        let mut look = Look { id: RopeId(key), entry, rope, left: Vec::new(), events, changed: false, passed: false };
        self.run_through(&mut look, taken, scratch);
        self.leave_guides(&mut look, scratch);
        self.meet_guides(&mut look, taken, scratch);
        self.meet_colliders(&mut look, taken, scratch);
        self.unwind_drums(&mut look, taken, scratch);
        loosen(look.entry, &mut look.rope);
        (look.rope, look.changed, look.passed)
    }

    /// The rope before the step and after it.
    pub(super) fn lay(&self, look: &Look<'_>, taken: &Taken<'_>, scratch: &mut Scratch) {
        scratch.was.fill(&look.rope, |slot| self.before(taken, slot));
        scratch.is.fill(&look.rope, |slot| self.side_at(slot));
    }

    /// Whether a rope can leave or meet anything.
    fn is_open(&self, entry: &RopeEntry, rope: &RopeState) -> bool {
        let own = entry.free != [false; 2] || entry.guides.iter().any(|g| !g.keeper || g.drum.is_some());
        own || rope.stops.iter().any(|s| s.found.is_some()) || (entry.groups.is_some() && self.model.has_colliders())
    }

    /// Pose of a body before the step.
    fn before(&self, taken: &Taken<'_>, slot: usize) -> Side {
        match taken.t.dense_of[slot] {
            NONE => self.side_at(slot),
            dense => taken.kin[dense].side(),
        }
    }

    /// Guides whose wrap has become negative, edges whose end has been reached, and guides that others have come into, are left.
    fn leave_guides(&self, look: &mut Look<'_>, scratch: &mut Scratch) {
        let laid = &mut scratch.is;
        laid.fill(&look.rope, |slot| self.side_at(slot));
        let mut k = 1;
        while k + 1 < look.rope.stops.len() {
            let stop = look.rope.stops[k];
            let keeps = stop.hold == Hold::Fast || stop.lead.is_some_and(|l| look.entry.guides[l as usize].keeper);
            let past = !keeps && self.is_past(&stop, &laid.guides[k]);
            if past && self.turn_corner(look, laid, k, &mut scratch.ids) {
                laid.fill(&look.rope, |slot| self.side_at(slot));
                k += 1;
            } else if past || (!keeps && laid.wrap(k).is_none_or(|w| w < 0.0)) {
                let length = laid.guides[k - 1].centre.distance(laid.guides[k + 1].centre);
                leave(&mut look.rope, k);
                look.rope.spans[k - 1].least =
                    least(look.entry, [&look.rope.stops[k - 1], &look.rope.stops[k]], length);
                look.left.extend(stop.lead);
                let guide = stop.lead.map(|l| look.entry.number(l));
                look.events.push(Event::GuideLeft { rope: look.id, guide, collider: stop.found.map(|f| f.0) });
                look.changed = true;
                laid.fill(&look.rope, |slot| self.side_at(slot));
            } else {
                k += 1;
            }
        }
    }

    /// Whether a rope has come to the end of an edge.
    pub(super) fn is_past(&self, stop: &Stop, guide: &Guide) -> bool {
        let side = self.side_at(stop.body as usize);
        let along = (guide.centre - stop.groove.at(&side, 0.0).centre).dot(guide.axis);
        stop.groove.is_edge() && !(along > 0.0 && along < guide.length)
    }

    /// Guides that the straight line has come to are met.
    fn meet_guides(&self, look: &mut Look<'_>, taken: &Taken<'_>, scratch: &mut Scratch) {
        for lead in 1..look.entry.guides.len() as u32 - 1 {
            // Grips are where they are, and come and go at sheaves alone (`world::grips`).
            let given = |s: &Stop| s.lead.filter(|&l| !look.entry.guides[l as usize].grip);
            let is_on = look.rope.stops.iter().any(|s| s.lead == Some(lead));
            if look.entry.guides[lead as usize].grip
                || is_on
                || look.left.contains(&lead)
                || look.entry.is_behind(&look.rope, lead)
            {
                continue;
            }
            let stop = look.entry.stop(lead as usize);
            let first = look.rope.stops.iter().rposition(|s| given(s).is_some_and(|l| l < lead)).unwrap_or(0);
            let spans = look.rope.stops[first + 1..].iter().position(|s| given(s).is_some()).unwrap_or(0);
            let sides = [self.before(taken, stop.body as usize), self.side_at(stop.body as usize)];
            self.lay(look, taken, scratch);
            for k in first..=first + spans {
                let trial = |time: usize| {
                    let guides = &[&scratch.was, &scratch.is][time].guides;
                    Trial::of([&guides[k], &guides[k + 1]], &stop.groove.at(&sides[time], 0.0))
                };
                let (Some(was), Some(is)) = (trial(0), trial(1)) else { continue };
                if touches(&was, &is) && !self.is_past(&stop, &is.guide) {
                    self.meet(look, k, stop, &is, &scratch.is, taken.h);
                    break;
                }
            }
        }
    }

    /// A guide comes into a span.
    pub(super) fn meet(&self, look: &mut Look<'_>, k: usize, stop: Stop, trial: &Trial, laid: &Laid, h: f64) {
        let old = look.rope.spans[k];
        let ends = [&laid.guides[k], &laid.guides[k + 1]];
        let [arrive, leave] = trial.angles();
        let near = |e: usize| wound(trial.spans[e].angles[e], old.angles[e]);
        let angles = [[near(0), arrive], [leave, near(1)]];
        let measure = [
            trial.spans[0].measure(ends[0], &trial.guide, angles[0]),
            trial.spans[1].measure(&trial.guide, ends[1], angles[1]),
        ];
        let excess = measure[0] + measure[1] - old.material;
        look.rope.stops.insert(k + 1, stop);
        look.rope.spans.insert(k + 1, old);
        for e in 0..2 {
            let material = measure[e] - 0.5 * excess;
            let stops = [&look.rope.stops[k + e], &look.rope.stops[k + e + 1]];
            let hauled = if e == 0 { old.reach - old.material } else { 0.0 };
            let span = &trial.spans[e];
            look.rope.spans[k + e] = SpanState {
                material,
                reach: material + hauled,
                angles: angles[e],
                energy: self.turning(stops, span, -old.lambda * h * h),
                least: least(look.entry, stops, span.length),
                apart: 0.0,
                ..old
            };
        }
        let guide = stop.lead.map(|l| look.entry.number(l));
        look.events.push(Event::GuideTouched { rope: look.id, guide, collider: stop.found.map(|f| f.0) });
        look.changed = true;
    }

    /// Energy of the stabiliser's element of a span with this tension times h^2, J: as if it had been there in the last step, so that its
    /// memory is neither lost nor made.
    pub(super) fn turning(&self, stops: [&Stop; 2], span: &Span, f: f64) -> f64 {
        let speed = |k: usize| {
            let b = &self.state.bodies[stops[k].body as usize];
            b.vel + b.omega.cross(span.ends[k] - b.pos)
        };
        let apart = speed(1) - speed(0);
        let across = apart - apart.dot(span.along) * span.along;
        if span.length > 0.0 { f / span.length * across.length_squared() } else { 0.0 }
    }

    /// Drums that have run empty hold the rope by a point of their shell, until it is wound on again.
    fn unwind_drums(&self, look: &mut Look<'_>, taken: &Taken<'_>, scratch: &mut Scratch) {
        for end in 0..2 {
            let lead = if end == 0 { 0 } else { look.entry.guides.len() - 1 };
            let Some(drum) = look.entry.guides[lead].drum else { continue };
            if look.entry.free[1 - end] && look.rope.stops.len() == 2 {
                // What hangs on it now has no more to come.
                continue;
            }
            let at = if end == 0 { 0 } else { look.rope.stops.len() - 1 };
            let span = if end == 0 { 0 } else { look.rope.spans.len() - 1 };
            let other = if end == 0 { 1 } else { at - 1 };
            let groove = look.entry.guides[lead].groove;
            if look.rope.stops[at].groove.is_round() {
                let angle = look.rope.spans[span].angles[end];
                let spans = &taken.t.spans;
                let is_own = |s: &SpanRow| s.slot == look.id.0.slot as usize;
                let row = if end == 0 { spans.iter().position(is_own) } else { spans.iter().rposition(is_own) };
                let was = row.map_or(angle, |k| taken.reeved[k].angles[end]);
                if drum.ends && drum.wound(angle) < 0.0 {
                    self.run_off(look, (lead, &drum), (at, span, end));
                } else if drum.wound(angle) >= drum.most && drum.wound(was) < drum.most {
                    look.events.push(Event::DrumFull { rope: look.id, guide: lead });
                }
                continue;
            }
            let wound_at = |side: Side, laid: &Laid| {
                let guide = groove.at(&side, drum.bare());
                let pair = if end == 0 { [&guide, &laid.guides[other]] } else { [&laid.guides[other], &guide] };
                Span::between(pair[0], pair[1]).map(|s| drum.wound(wound(s.angles[end], drum.bare())))
            };
            let body = look.rope.stops[at].body as usize;
            self.lay(look, taken, scratch);
            let was = wound_at(self.before(taken, body), &scratch.was);
            let is = wound_at(self.side_at(body), &scratch.is);
            let near = |w: f64| w.abs() < FRAC_PI_2;
            if let (Some(was), Some(is)) = (was, is)
                && (near(was) && near(is) && was <= 0.0 && is > 0.0)
            {
                let before = look.rope.twist.map(|_| look.rope.clone());
                let s = &mut look.rope.spans[span];
                let angle = drum.bare() + drum.sense * is;
                let more = rolled(&groove, drum.bare(), end);
                (s.material, s.reach, s.angles[end]) = (s.material + more, s.reach + more, angle);
                look.rope.stops[at].groove = groove;
                if let Some(before) = before {
                    self.keep_twist(look.id.0.slot as usize, &before, &mut look.rope, end);
                }
                look.events.push(Event::GuideTouched { rope: look.id, guide: Some(lead), collider: None });
                look.changed = true;
            }
        }
    }

    fn run_off(&self, look: &mut Look<'_>, (lead, drum): (usize, &Drum), (at, span, end): (usize, usize, usize)) {
        let groove = look.entry.guides[lead].groove;
        let (sin, cos) = (libm::sin(drum.bare()), libm::cos(drum.bare()));
        let out = cos * groove.zero + sin * groove.axis.cross(groove.zero);
        let less = rolled(&groove, drum.bare(), end);
        let before = look.rope.twist.map(|_| look.rope.clone());
        let s = &mut look.rope.spans[span];
        (s.material, s.reach, s.angles[end]) = (s.material - less, s.reach - less, 0.0);
        look.rope.stops[at].groove = Groove::point(groove.centre + drum.core * out);
        if let Some(before) = before {
            self.keep_twist(look.id.0.slot as usize, &before, &mut look.rope, end);
        }
        look.events.push(Event::DrumEmpty { rope: look.id, guide: lead });
        look.changed = true;
    }
}

/// What a drum at the start or the end of a rope adds to the measure of its span at an angle, m.
pub(super) fn rolled(groove: &Groove, angle: f64, end: usize) -> f64 {
    let here = Side { pos: DVec3::ZERO, rot: DMat3::IDENTITY };
    let length = groove.at(&here, angle).rolled(angle);
    if end == 0 { length } else { -length }
}

/// The rope runs straight past guide k: its two spans become one.
pub(super) fn leave(rope: &mut RopeState, k: usize) {
    rope.stops.remove(k);
    let gone = rope.spans.remove(k);
    let s = &mut rope.spans[k - 1];
    s.material += gone.material;
    s.reach += gone.reach;
    s.energy += gone.energy;
    s.least = s.least.max(gone.least);
    (s.angles[1], s.apart) = (gone.angles[1], 0.0);
}

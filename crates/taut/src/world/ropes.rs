//! Adding and removing ropes over guides.

use super::body_ref::only;
use super::rope_ref::{Laid, RopeRef};
use super::{Edit, World, rope_memory};
use crate::constraint::Side;
use crate::error::{Error, Result, finite};
use crate::ids::{BodyId, RopeId};
use crate::model::Motion;
use crate::model::drum::{Drum, Layers};
use crate::model::reeving::{Edge, GuideEntry, Lead, Reeving, RopeEntry, Sheave};
use crate::reeve::hold::Hold;
use crate::reeve::span::{Guide, Span};
use crate::reeve::{Groove, edge};
use crate::rows::UNKNOWN;
use crate::state::{RopeState, SpanState, Stop};
use crate::tuning::T;
use glam::{DMat3, DVec3};
use std::f64::consts::TAU;

impl World {
    /// Adds a rope over guides. Its bodies wake, and are one system with each other.
    pub(super) fn insert_rope(&mut self, rope: Reeving) -> Result<RopeId> {
        self.check_room()?;
        let (mut entry, state, forces) = self.read_rope(rope)?;
        self.insert_rides(&mut entry)?;
        entry.guides.iter().for_each(|g| self.wake_slot(g.body.0.slot as usize));
        let id = self.push_rope((entry, state));
        self.tie_rides(id.0.slot as usize);
        self.push_rides(id.0.slot as usize, &forces);
        Ok(id)
    }

    pub(super) fn take_rope(&mut self, id: RopeId) -> Result<()> {
        let own = self.rope(id)?.free_ends();
        self.drop_rope(id);
        // The particles at its free ends are its own.
        own.into_iter().flatten().try_for_each(|b| self.take_body(b))
    }

    /// Takes out a rope alone.
    pub(super) fn drop_rope(&mut self, id: RopeId) {
        self.wake_rope(id.0.slot as usize);
        self.drop_rides(id);
        self.model.ropes.remove(id.0);
        self.state.ropes[id.0.slot as usize] = RopeState::default();
        self.state.potential_lag[1] = 0.0;
        self.edited(Edit::RemoveRope, id.0.slot, 0);
    }

    /// Looks at a rope over guides.
    pub fn rope(&self, id: RopeId) -> Result<RopeRef<'_>> {
        Ok(RopeRef { world: self, entry: self.model.rope(id)?, id })
    }

    /// All ropes over guides, in a fixed order.
    pub fn ropes(&self) -> impl Iterator<Item = RopeRef<'_>> {
        self.model.ropes.iter().map(|(k, entry)| RopeRef { world: self, entry, id: RopeId(k) })
    }

    /// The rope over guides of that name; an error when there is none, or several.
    pub fn find_rope(&self, name: &str) -> Result<RopeId> {
        only("rope", name, self.ropes().filter(|r| r.name() == name).map(|r| r.id()))
    }

    /// Pays out so much of a rope at its end, m; a negative length hauls it in. What is hauled in within a step moves what hangs on it in
    /// that step.
    pub fn pay_out(&mut self, id: RopeId, length: f64) -> Result<()> {
        self.model.rope(id)?;
        finite("length to pay out", length, "m")?;
        let left = self.rope(id)?.path() - self.rope(id)?.excess();
        if !(left + length > 0.0) {
            let expected = format!("more than {:.6} m: no more of the rope is left", -left);
            return Err(Error::input("length to pay out", length, expected));
        }
        self.wake_rope(id.0.slot as usize);
        if let Some(at) = self.rope(id)?.twisted() {
            self.shorten_twist(id.0.slot as usize, at.twist(), 1.0 + length / at.length);
        }
        if let Some(last) = self.state.ropes[id.0.slot as usize].spans.last_mut() {
            last.material += length;
        }
        Ok(())
    }

    /// Wakes the bodies of a rope.
    pub(super) fn wake_rope(&mut self, slot: usize) {
        let bodies: Vec<usize> = self.state.ropes[slot].bodies().collect();
        bodies.into_iter().for_each(|slot| self.wake_slot(slot));
    }

    /// A rope as its bodies are.
    pub(super) fn laid_rope(&self, rope: &RopeState) -> Laid {
        let mut laid = Laid::default();
        laid.fill(rope, |slot| self.side_at(slot));
        laid
    }

    /// Straight length of a span, m.
    pub(super) fn span_length(&self, rope: &RopeState, k: usize) -> f64 {
        self.laid_rope(rope).spans[k].map_or(0.0, |s| s.length)
    }

    /// The pose of the body in a slot.
    pub(super) fn side_at(&self, slot: usize) -> Side {
        let b = &self.state.bodies[slot];
        Side { pos: b.pos, rot: DMat3::from_quat(b.rot) }
    }

    /// Removes the ropes over guides of a body that is about to go; those that have only found it leave it.
    pub(super) fn drop_ropes_of(&mut self, body: BodyId) {
        self.take_grips(body);
        // What it holds is let go; a world whose energy cannot be told has none to book.
        let _ = self.loose_heavy_twists(|_, held| held.body == body);
        // Not those whose end has run out of a guide of it.
        let on = |slot: u32, r: &RopeEntry| {
            let behind = |k: usize| r.is_behind(&self.state.ropes[slot as usize], k as u32);
            r.guides.iter().enumerate().any(|(k, g)| g.body == body && !behind(k))
        };
        let gone: Vec<RopeId> =
            self.model.ropes.iter().filter(|(k, r)| on(k.slot, r)).map(|(k, _)| RopeId(k)).collect();
        for id in gone {
            let own = self.rope(id).map_or([None; 2], |r| r.free_ends());
            self.drop_rope(id);
            for end in own.into_iter().flatten().filter(|b| *b != body) {
                // It was there a moment ago.
                let _ = self.take_body(end);
            }
        }
        self.leave_found(|s| s.body == body.0.slot);
    }

    /// A body was moved: what the ropes on it were stretched by says nothing of its new pose.
    pub(super) fn unsettle_ropes_of(&mut self, body: BodyId) {
        for (k, _) in self.model.ropes.iter() {
            if self.state.ropes[k.slot as usize].bodies().any(|slot| slot == body.0.slot as usize) {
                self.state.ropes[k.slot as usize].spans.iter_mut().for_each(|s| s.stretch = UNKNOWN);
                self.state.ropes[k.slot as usize].twist.iter_mut().for_each(|t| t.stretch = UNKNOWN);
            }
        }
    }

    /// Energy in the stretch of ropes with a body that is in one of these slots, J.
    pub(super) fn energy_of_ropes(&self, slots: impl Fn(u32) -> bool) -> f64 {
        self.ropes().filter(|r| r.bodies().any(|b| slots(b.0.slot))).map(|r| r.energy()).sum()
    }

    /// Checks a rope, and finds its way as its bodies are.
    fn read_rope(&self, rope: Reeving) -> Result<(RopeEntry, RopeState, Vec<DVec3>)> {
        let (leads, ring) = rope.opened()?;
        let Reeving { slack, stiffness, torsion, groups, thickness, name, memory, free, .. } = rope;
        finite("slack of the rope", slack, "m")?;
        if let Some(ea) = stiffness {
            crate::error::positive("stiffness of the rope", ea, "N")?;
        }
        crate::error::non_negative("diameter of the rope", thickness, "m")?;
        if let Some(gj) = torsion {
            crate::error::positive("torsion of the rope", gj, "N m^2")?;
            if ring.is_some() || leads.iter().any(|l| matches!(l, Lead::Grip(..))) {
                let given = if ring.is_some() { "an endless rope" } else { "a rope with grips" };
                return Err(Error::input("torsion of the rope", given, "a rope with two ends and without grips"));
            }
        }
        let mut guides = Vec::with_capacity(leads.len());
        for k in 0..leads.len() {
            guides.push(self.read_lead(&leads, k, ring)?);
        }
        if ring.is_some() && free != [false; 2] {
            return Err(Error::input("free end of the rope", "an endless rope", "a rope with ends"));
        }
        self.check_free(&leads, free)?;
        let mut entry =
            RopeEntry { guides, ring, rides: Vec::new(), stiffness, torsion, groups, thickness, laid: 0.0, name, free };
        entry.rides = entry.find_rides(&self.model);
        if let Some(memory) = memory.as_ref().filter(|m| !m.stops.is_empty()) {
            return self.resume_rope(memory, entry);
        }
        let mut state = RopeState { stops: entry.stops().collect(), ..RopeState::default() };
        let forces = memory.as_ref().map_or(Ok(Vec::new()), |m| rope_memory::ride(m, &mut entry, &mut state))?;
        if state.pieces().any(|(a, b)| b - a > edge::MOST && state.stops[a..b].iter().any(|s| s.groove.is_edge())) {
            let expected = format!("at most {} guides with edges among them between two that it sticks to", edge::MOST);
            return Err(Error::input("guides of the rope", leads.len(), expected));
        }
        self.face_edges(&leads, &mut entry, &mut state)?;
        let laid = loop {
            let laid = self.first_way(&entry, &state)?;
            // A guide that it passes without touching it is left out from the start.
            let clear = (1..state.stops.len() - 1).find(|&k| is_clear(&entry, &state, &laid, k));
            match clear {
                Some(k) => drop(state.stops.remove(k)),
                None => break laid,
            }
        };
        self.wind_drums(&mut entry, &mut state, &laid);
        for (k, angles) in laid.angles.iter().enumerate() {
            let length = laid.spans[k].map_or(0.0, |s| s.length);
            let least = least(&entry, [&state.stops[k], &state.stops[k + 1]], length);
            let zero = SpanState { stretch: UNKNOWN, angles: *angles, least, ..SpanState::of([0.0; 10]) };
            state.spans.push(zero);
        }
        let laid = self.laid_rope(&state);
        for k in 0..state.spans.len() {
            let material = laid.measure(k).ok_or_else(|| no_way(&entry, &state, &laid.guides, k))?;
            (state.spans[k].material, state.spans[k].reach) = (material, material);
        }
        let length = |k: usize| laid.spans[k].map_or(0.0, |s| s.length);
        let path: f64 = (0..state.spans.len()).map(length).sum();
        if !(path + slack > 0.0) {
            return Err(Error::input(
                "slack of the rope",
                slack,
                format!("more than {:.6} m: a rope that is left", -path),
            ));
        }
        if ring.is_some() {
            // It has no end that more of it lies at.
            for (k, s) in state.spans.iter_mut().enumerate() {
                let more = slack * length(k) / path;
                (s.material, s.reach) = (s.material + more, s.reach + more);
            }
        } else if let Some(last) = state.spans.last_mut() {
            (last.material, last.reach) = (last.material + slack, last.reach + slack);
        }
        entry.laid = laid.whole(&entry) + slack;
        loosen(&entry, &mut state);
        self.hold_twist(&mut entry, &mut state, [true; 2]);
        if let Some(memory) = memory {
            rope_memory::apply(&memory, &mut entry, &mut state)?;
        }
        Ok((entry, state, forces))
    }

    /// Spans between the guides that a rope is said to touch, and their angles: it goes round each by less than a turn, the way that it was
    /// told.
    fn first_way(&self, entry: &RopeEntry, state: &RopeState) -> Result<Laid> {
        let guide = |s: &Stop| s.groove.at(&self.side_at(s.body as usize), 0.0);
        let mut guides: Vec<Guide> = state.stops.iter().map(guide).collect();
        edge::settle(&mut guides);
        let (mut spans, mut angles): (Vec<Option<Span>>, Vec<[f64; 2]>) = (Vec::new(), Vec::new());
        for k in 0..guides.len() - 1 {
            let (a, b) = (&guides[k], &guides[k + 1]);
            let span = Span::between(a, b).ok_or_else(|| no_way(entry, state, &guides, k))?;
            let mut at = span.angles;
            if let Some(before) = angles.last().filter(|_| a.radius > 0.0) {
                let turn = a.side * (at[0] - before[1]);
                let guide = state.stops[k].lead.map(|l| &entry.guides[l as usize]);
                let keeps = guide.is_some_and(|g| g.keeper);
                let whole = TAU * (turn / TAU).floor();
                let turn = turn - whole;
                // Within a quarter of a turn short of a whole one it does not touch a guide that does not keep it.
                let turn = if !keeps && turn > 0.75 * TAU { turn - TAU } else { turn };
                let more = guide.map_or(0.0, |g| TAU * f64::from(g.turns));
                at[0] = before[1] + a.side * (turn + more);
            }
            spans.push(Some(span));
            angles.push(at);
        }
        if let (Some(_), Some(&[leaves, _]), Some(last)) = (entry.ring, angles.first(), angles.last().copied())
            && guides[0].radius > 0.0
        {
            // It goes round the guide that it is opened at by less than a turn too, and the turns that it was given.
            let side = guides[0].side;
            let turn = (side * (leaves - last[1])).rem_euclid(TAU) + TAU * f64::from(entry.guides[0].turns);
            let end = angles.len() - 1;
            angles[end][1] = leaves - side * turn;
        }
        Ok(Laid { guides, spans, angles })
    }

    /// Where edges look that were not told: away from the rope.
    fn face_edges(&self, leads: &[Lead], entry: &mut RopeEntry, state: &mut RopeState) -> Result<()> {
        if !leads.iter().any(|l| matches!(l, Lead::Edge(e) if e.outward.is_none())) {
            return Ok(());
        }
        let laid = self.first_way(entry, state)?;
        for (k, lead) in leads.iter().enumerate() {
            let (Lead::Edge(Edge { outward: None, body, .. }), Some(Some(come)), Some(Some(go))) =
                (lead, laid.spans.get(k.wrapping_sub(1)), laid.spans.get(k))
            else {
                continue;
            };
            let bend = come.along - go.along;
            let across = bend - bend.dot(laid.guides[k].axis) * laid.guides[k].axis;
            if !(across.length() > STRAIGHT) {
                let expected = "the direction out of the edge: the rope runs straight across it";
                return Err(Error::input(format!("outward of guide {k} of the rope"), "none", expected));
            }
            let zero = self.side(*body).rot.transpose() * across.normalize();
            (entry.guides[k].groove.zero, state.stops[k].groove.zero) = (zero, zero);
        }
        Ok(())
    }

    /// Drums know at what angle the rope leaves them, and grow from there.
    fn wind_drums(&self, entry: &mut RopeEntry, state: &mut RopeState, laid: &Laid) {
        let (first, last) = (0, entry.guides.len() - 1);
        let angles = [laid.angles[0][0], laid.angles[laid.angles.len() - 1][1]];
        let stops = [0, state.stops.len() - 1];
        for (end, guide) in [first, last].into_iter().enumerate() {
            let g = &mut entry.guides[guide];
            let Some(drum) = &mut g.drum else { continue };
            drum.wind(angles[end], &mut g.groove);
            state.stops[stops[end]].groove = g.groove;
        }
    }

    /// Free ends are particles of the rope's own.
    fn check_free(&self, leads: &[Lead], free: [bool; 2]) -> Result<()> {
        let last = leads.len() - 1;
        for (k, which) in [(0, "start"), (last, "end")].into_iter().zip(free).filter(|f| f.1).map(|f| f.0) {
            let body = self.model.body(leads[k].body())?;
            if !(matches!(leads[k], Lead::Point(..)) && body.motion == Motion::Particle) {
                let name = self.model.body_name(leads[k].body().0.slot as usize);
                return Err(Error::input(format!("free {which} of the rope"), name, "a particle"));
            }
        }
        Ok(())
    }

    /// Where the last span of a rope would leave its guide, m.
    pub(super) fn last_tangent(&self, rope: &Reeving) -> Result<DVec3> {
        let (_, state, _) = self.read_rope(rope.clone())?;
        let laid = self.laid_rope(&state);
        let last = laid.spans.len() - 1;
        Ok(laid.spans[last].map_or(laid.guides[last].centre, |s| s.ends[0]))
    }

    /// Guide k of a rope in the frame of its body; an endless one begins at the guide that was said as this one.
    fn read_lead(&self, leads: &[Lead], at: usize, ring: Option<usize>) -> Result<GuideEntry> {
        let (lead, count) = (&leads[at], leads.len() - 1);
        // Errors name it as it was said.
        let k = ring.map_or(at, |first| (at + first) % count);
        lead.check(k)?;
        let body = lead.body();
        let motion = self.model.body(body)?.motion;
        let Side { pos, rot } = self.side(body);
        let local = |at: DVec3| rot.transpose() * (at - pos);
        let is_end = at == 0 || at == count;
        let hold = if is_end { Hold::Fast } else { lead.hold(k)? };
        let point = |groove| GuideEntry { body, groove, hold, keeper: true, turns: 0, drum: None, grip: false };
        let w = match lead {
            Lead::Point(_, at) | Lead::Ring(_, at, _) => return Ok(point(Groove::point(local(*at)))),
            Lead::Grip(_, at) => {
                let own = local(*at);
                if motion == Motion::Particle && own != DVec3::ZERO {
                    let expected = format!("{pos}, where the particle is: it has no extent");
                    return Err(Error::input(format!("point of guide {k} of the rope"), *at, expected));
                }
                if is_end && ring.is_none() {
                    let expected = "a guide between its ends: a rope is tied by to(body, point)";
                    return Err(Error::input(format!("guide {k} of the rope"), "a grip at its end", expected));
                }
                return Ok(GuideEntry { grip: true, ..point(Groove::point(own)) });
            }
            Lead::Edge(_) if is_end => {
                let expected = "a point of a body or a drum: a rope is not tied to an edge";
                return Err(Error::input(format!("guide {k} of the rope"), "an edge at its end", expected));
            }
            Lead::Edge(e) => {
                let along = (e.ends[1] - e.ends[0]).normalize();
                let out = e.outward.unwrap_or(along.any_orthonormal_vector());
                let across = out - out.dot(along) * along;
                if !(across.length() > STRAIGHT * out.length() && out.is_finite()) {
                    let expected = "a direction that is not along the edge";
                    return Err(Error::input(format!("outward of guide {k} of the rope"), out, expected));
                }
                let turned = |v: DVec3| rot.transpose() * v;
                let length = e.ends[0].distance(e.ends[1]);
                let groove = Groove::edge(local(e.ends[0]), turned(along), turned(across.normalize()), length);
                return Ok(GuideEntry { keeper: false, ..point(groove) });
            }
            Lead::Round(w) => w,
        };
        if motion == Motion::Particle {
            let name = self.model.body_name(body.0.slot as usize);
            return Err(Error::input(format!("body of guide {k} of the rope"), name, "a body that can turn"));
        }
        let Sheave { centre, axis, radius, keeper, layers, .. } = w.sheave;
        let is_drum = layers != Layers::default();
        if is_drum && (!is_end || ring.is_some()) {
            let expected = "a drum at an end of the rope: between its ends nothing is wound";
            return Err(Error::input(format!("winding of guide {k} of the rope"), "a sheave", expected));
        }
        let next = |n: Option<usize>| n.and_then(|n| leads.get(n)).map_or(lead.place(), Lead::place);
        let way = match ring {
            Some(_) if is_end => [leads[count - 1].place(), leads[1].place()],
            _ => [next(at.checked_sub(1)), next(Some(at + 1))],
        };
        let up = -self.options.gravity.try_normalize().unwrap_or(-DVec3::Y);
        let side = lead.side(k, way, up)?;
        let axis = axis.normalize();
        let (axis, zero) = (rot.transpose() * axis, rot.transpose() * axis.any_orthonormal_vector());
        let drum = is_drum.then(|| Drum::new(radius, &layers, side, if at == 0 { 1.0 } else { -1.0 }));
        let radius = drum.map_or(radius, |d| d.radius());
        if let Some(d) = drum.filter(|d| !(d.radius() > std::f64::consts::PI * d.growth)) {
            let named = format!("rope diameter of guide {k} of the rope");
            return Err(Error::input(
                named,
                layers.rope_diameter.unwrap_or(0.0),
                format!("less than the drum, {} m", d.core),
            ));
        }
        let keeper = hold == Hold::Fast || keeper.unwrap_or(motion == Motion::Dynamic);
        let groove = Groove::round(local(centre), axis, zero, radius, side);
        Ok(GuideEntry { body, groove, hold, keeper, turns: w.turns, drum, grip: false })
    }
}

impl RopeEntry {
    /// All its guides as it would touch them.
    fn stops(&self) -> impl Iterator<Item = Stop> + '_ {
        (0..self.guides.len()).map(|k| self.stop(k))
    }

    /// One of them.
    pub(super) fn stop(&self, k: usize) -> Stop {
        let g = &self.guides[k];
        let (lead, body) = (Some(k as u32), g.body.0.slot);
        Stop { lead, found: None, body, groove: g.groove, hold: g.hold }
    }
}

/// How short the span between two guides may become that is so long now, m. A grip comes as near as it likes to a sheave that it can pass.
pub(super) fn least(entry: &RopeEntry, [a, b]: [&Stop; 2], length: f64) -> f64 {
    if entry.passes(a, b) || entry.passes(b, a) { 0.0 } else { shortest([a, b], length) }
}

/// The same where neither is a grip.
pub(super) fn shortest([a, b]: [&Stop; 2], length: f64) -> f64 {
    (a.groove.radius + b.groove.radius).max(T.ropes.least * length).min(length)
}

/// Nothing keeps a free end from the guide that it is drawn into.
pub(super) fn loosen(entry: &RopeEntry, rope: &mut RopeState) {
    let last = rope.spans.len() - 1;
    for k in [0, last].into_iter().zip(entry.free).filter(|f| f.1).map(|f| f.0) {
        (rope.spans[k].least, rope.spans[k].apart) = (0.0, 0.0);
    }
}

/// A difference of directions that is none, rad.
const STRAIGHT: f64 = 1e-6;

/// Whether a rope passes a guide without touching it.
fn is_clear(entry: &RopeEntry, state: &RopeState, laid: &Laid, k: usize) -> bool {
    let keeps = state.stops[k].lead.is_none_or(|l| entry.guides[l as usize].keeper);
    !keeps && laid.wrap(k).is_some_and(|w| w < 0.0)
}

fn no_way(entry: &RopeEntry, state: &RopeState, guides: &[Guide], k: usize) -> Error {
    let (a, b) = (&guides[k], &guides[k + 1]);
    let given = format!("{:.6} m from centre to centre", (b.centre - a.centre).length());
    let expected = "a straight line that touches both: they are too near for the sides that the rope passes on";
    let number = |k: usize| state.stops[k].lead.map_or(0, |l| entry.number(l));
    Error::input(format!("way of the rope between guides {} and {}", number(k), number(k + 1)), given, expected)
}

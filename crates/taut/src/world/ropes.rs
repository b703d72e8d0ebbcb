//! Adding, removing and looking at ropes over guides.

use super::body_ref::only;
use super::{Edit, World, rope_memory};
use crate::constraint::Side;
use crate::error::{Error, Result, finite};
use crate::ids::{BodyId, RopeId};
use crate::model::identity;
use crate::model::reeving::{GuideEntry, Lead, Reeving, RopeEntry};
use crate::reeve::span::{Guide, Span};
use crate::reeve::{Groove, wound};
use crate::rows::{UNKNOWN, stored};
use crate::state::{RopeState, SpanState};
use glam::DVec3;
use std::f64::consts::TAU;

/// Fleet angle, rad, up to which a rope runs well over a sheave: 5 degrees. Beyond that a block needs a swivel.
const FLEET: f64 = 5.0 * TAU / 360.0;

/// A rope over guides of a world, to look at. All is at the present pose, with the forces of the last step.
///
/// A bead hangs in the middle of a line of 3 m between two hooks 2 m apart.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let bead = world.add(Body::particle(2.0).at(-0.5 * Vec3::Y))?;
/// let (left, right) = (-Vec3::X, Vec3::X);
/// let line = Rope::from(world.ground(), left).through(bead, -0.5 * Vec3::Y).to(world.ground(), right);
/// let slack = 3.0 - 5f64.sqrt();
/// let line = world.add(line.slack(slack).named("line"))?;
/// for _ in 0..300 {
///     world.step(0.01)?;
/// }
/// let rope = world.rope(line)?;
/// assert_eq!((rope.name(), rope.span_count()), ("line", 2));
/// assert!((rope.path() - 3.0).abs() < 1e-6 && rope.excess().abs() < 1e-6);
/// assert!(rope.tensions().all(|t| t > 0.0));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RopeRef<'w> {
    world: &'w World,
    entry: &'w RopeEntry,
    id: RopeId,
}

impl<'w> RopeRef<'w> {
    /// Its handle.
    pub fn id(&self) -> RopeId {
        self.id
    }

    /// Its name.
    pub fn name(&self) -> &'w str {
        &self.entry.name
    }

    /// How many straight spans it has: one more than it has guides between its ends.
    pub fn span_count(&self) -> usize {
        self.entry.spans()
    }

    /// The bodies of its start, its guides and its end.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + use<'w> {
        self.entry.guides.iter().map(|g| g.body)
    }

    /// Tension of each span, N.
    pub fn tensions(&self) -> impl Iterator<Item = f64> + use<'w> {
        let on = self.world.model.pulls(self.entry);
        self.state().spans.iter().map(move |s| if on { -s.lambda } else { 0.0 })
    }

    /// Tension of its first span, N.
    pub fn tension(&self) -> f64 {
        self.tensions().next().unwrap_or(0.0)
    }

    /// Straight length of each span, m; zero where guides overlap.
    pub fn lengths(&self) -> impl Iterator<Item = f64> + use<'w> {
        let this = *self;
        (0..self.span_count()).map(move |k| this.span(k).map_or(0.0, |s| s.1.length))
    }

    /// Angle of wrap of each guide between its ends, rad: whole turns are counted, points have none.
    pub fn wraps(&self) -> impl Iterator<Item = f64> + use<'w> {
        let this = *self;
        (1..self.span_count()).map(move |k| {
            let side = this.entry.guides[k].groove.side;
            let angle = |span: usize, end: usize| this.span(span).map_or(0.0, |s| s.2[end]);
            side * (angle(k, 0) - angle(k - 1, 1))
        })
    }

    /// Length of its way from the start to the end along spans and wraps, m. On a drum it begins where it leaves the drum.
    pub fn path(&self) -> f64 {
        let radii = self.entry.guides[1..].iter().map(|g| g.groove.radius);
        self.lengths().sum::<f64>() + self.wraps().zip(radii).map(|(w, r)| w * r).sum::<f64>()
    }

    /// By how much its way is longer than the rope is, m: negative when it is slack, what it is stretched by when it is taut.
    pub fn excess(&self) -> f64 {
        (0..self.entry.segments().count()).map(|k| self.excess_of(k)).sum()
    }

    /// Largest fleet angle, rad: how far it is off the plane of a sheave. Above 5 degrees a block should have a swivel.
    pub fn fleet(&self) -> f64 {
        let at = |k: usize| self.span(k).map_or(0.0, |([a, b], s, _)| s.fleet(&a).max(s.fleet(&b)));
        (0..self.span_count()).map(at).fold(0.0, f64::max)
    }

    /// Whether it is so far off the plane of a sheave that a real one would jump its groove.
    pub fn is_off_plane(&self) -> bool {
        self.fleet() > FLEET
    }

    /// Tangent points of each span, m.
    pub fn ends(&self) -> impl Iterator<Item = [DVec3; 2]> + use<'w> {
        let this = *self;
        (0..self.span_count()).filter_map(move |k| this.span(k).map(|s| s.1.ends))
    }

    /// Energy that it has stored by stretching, J.
    pub fn energy(&self) -> f64 {
        if !self.world.model.pulls(self.entry) {
            return 0.0;
        }
        let one = |(k, (first, _)): (usize, (usize, usize))| {
            let (c, stretch) = (self.entry.compliance[k], self.state().spans[first].stretch);
            if c > 0.0 { stored(c, self.excess_of(k).max(0.0), stretch) } else { 0.0 }
        };
        self.entry.segments().enumerate().map(one).sum()
    }

    pub(super) fn entry(&self) -> &'w RopeEntry {
        self.entry
    }

    pub(super) fn world(&self) -> &'w World {
        self.world
    }

    pub(super) fn excess_of(&self, segment: usize) -> f64 {
        let Some((first, last)) = self.entry.segments().nth(segment) else { return 0.0 };
        let one = |k: usize| {
            self.span(k).map_or(0.0, |([a, b], s, angles)| s.measure(&a, &b, angles) - self.state().spans[k].material)
        };
        (first..last).map(one).sum()
    }

    /// A span with its guides and the angles of its tangent points, whole turns counted.
    pub(super) fn span(&self, k: usize) -> Option<([Guide; 2], Span, [f64; 2])> {
        let [a, b] = [k, k + 1].map(|g| self.world.guide(&self.entry.guides[g]));
        let span = Span::between(&a, &b)?;
        let last = self.state().spans[k].angles;
        Some(([a, b], span, [0, 1].map(|e| wound(span.angles[e], last[e]))))
    }

    pub(super) fn state(&self) -> &'w RopeState {
        &self.world.state.ropes[self.id.0.slot as usize]
    }
}

impl World {
    /// Adds a rope over guides. Its bodies wake, and are one system with each other.
    pub(super) fn insert_rope(&mut self, rope: Reeving) -> Result<RopeId> {
        self.check_room()?;
        let (entry, spans) = self.read_rope(rope)?;
        let bodies: Vec<usize> = entry.guides.iter().map(|g| g.body.0.slot as usize).collect();
        bodies.into_iter().for_each(|slot| self.wake_slot(slot));
        let print = identity::rope(&entry);
        let key = self.model.ropes.insert(entry);
        let state = RopeState { spans };
        match self.state.ropes.get_mut(key.slot as usize) {
            Some(slot) => *slot = state,
            None => self.state.ropes.push(state),
        }
        self.edited(Edit::AddRope, key.slot, print);
        Ok(RopeId(key))
    }

    pub(super) fn take_rope(&mut self, id: RopeId) -> Result<()> {
        let bodies: Vec<usize> = self.model.rope(id)?.guides.iter().map(|g| g.body.0.slot as usize).collect();
        bodies.into_iter().for_each(|slot| self.wake_slot(slot));
        self.model.ropes.remove(id.0);
        self.state.ropes[id.0.slot as usize] = RopeState::default();
        self.state.potential_lag[1] = 0.0;
        self.edited(Edit::RemoveRope, id.0.slot, 0);
        Ok(())
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
        let spans = self.model.rope(id)?.spans();
        finite("length to pay out", length, "m")?;
        let left = self.rope(id)?.path() - self.rope(id)?.excess();
        if !(left + length > 0.0) {
            let expected = format!("more than {:.6} m: no more of the rope is left", -left);
            return Err(Error::input("length to pay out", length, expected));
        }
        let bodies: Vec<usize> = self.model.rope(id)?.guides.iter().map(|g| g.body.0.slot as usize).collect();
        bodies.into_iter().for_each(|slot| self.wake_slot(slot));
        self.state.ropes[id.0.slot as usize].spans[spans - 1].material += length;
        Ok(())
    }

    /// Removes the ropes over guides of a body that is about to go.
    pub(super) fn drop_ropes_of(&mut self, body: BodyId) {
        let on = |r: &RopeEntry| r.guides.iter().any(|g| g.body == body);
        let gone: Vec<RopeId> = self.model.ropes.iter().filter(|(_, r)| on(r)).map(|(k, _)| RopeId(k)).collect();
        for id in gone {
            // It was there a moment ago.
            let _ = self.take_rope(id);
        }
    }

    /// A body was moved: what the ropes on it were stretched by says nothing of its new pose.
    pub(super) fn unsettle_ropes_of(&mut self, body: BodyId) {
        for (k, r) in self.model.ropes.iter() {
            if r.guides.iter().any(|g| g.body == body) {
                self.state.ropes[k.slot as usize].spans.iter_mut().for_each(|s| s.stretch = UNKNOWN);
            }
        }
    }

    /// Energy in the stretch of ropes with a body that is in one of these slots, J.
    pub(super) fn energy_of_ropes(&self, slots: impl Fn(u32) -> bool) -> f64 {
        self.ropes().filter(|r| r.bodies().any(|b| slots(b.0.slot))).map(|r| r.energy()).sum()
    }

    pub(super) fn guide(&self, g: &GuideEntry) -> Guide {
        g.groove.at(&self.side(g.body))
    }

    /// Checks a rope, and finds its way as its bodies are.
    fn read_rope(&self, rope: Reeving) -> Result<(RopeEntry, Vec<SpanState>)> {
        let Reeving { leads, slack, stiffness, name, memory } = rope;
        if leads.len() < 2 {
            return Err(Error::input("rope", "a start alone", "an end too: say to(body, point)"));
        }
        finite("slack of the rope", slack, "m")?;
        if let Some(ea) = stiffness {
            crate::error::positive("stiffness of the rope", ea, "N")?;
        }
        let mut guides = Vec::with_capacity(leads.len());
        for k in 0..leads.len() {
            guides.push(self.read_lead(&leads, k)?);
        }
        let mut entry = RopeEntry { guides, compliance: Vec::new(), laid: 0.0, name };
        let mut spans: Vec<SpanState> = Vec::with_capacity(entry.spans());
        for k in 0..entry.spans() {
            let [a, b] = [k, k + 1].map(|g| self.guide(&entry.guides[g]));
            let Some(span) = Span::between(&a, &b) else {
                let given = format!("{:.6} m from centre to centre", (b.centre - a.centre).length());
                let expected =
                    "a straight line that touches both: they are too near for the sides that the rope passes on";
                return Err(Error::input(format!("way of the rope between guides {k} and {}", k + 1), given, expected));
            };
            let mut angles = span.angles;
            if let Some(before) = spans.last().filter(|_| a.radius > 0.0) {
                // It goes round by less than a turn, the way that it was told.
                let turn = a.side * (angles[0] - before.angles[1]);
                angles[0] = before.angles[1] + a.side * (turn - TAU * (turn / TAU).floor());
            }
            let material = span.measure(&a, &b, angles);
            spans.push(SpanState { material, reach: material, lambda: 0.0, stretch: UNKNOWN, angles, energy: 0.0 });
        }
        let length = |k: usize| {
            let [a, b] = [k, k + 1].map(|g| self.guide(&entry.guides[g]));
            Span::between(&a, &b).map_or(0.0, |s| s.length)
        };
        let wrap = |k: usize| {
            let g = &entry.guides[k].groove;
            g.radius * g.side * (spans[k].angles[0] - spans[k - 1].angles[1])
        };
        let of = |(first, last): (usize, usize)| {
            let path: f64 = (first..last).map(length).sum::<f64>() + (first + 1..last).map(wrap).sum::<f64>();
            stiffness.map_or(0.0, |ea| path / ea)
        };
        let compliance = entry.segments().map(of).collect();
        let path: f64 = (0..entry.spans()).map(length).sum();
        if !(path + slack > 0.0) {
            return Err(Error::input(
                "slack of the rope",
                slack,
                format!("more than {:.6} m: a rope that is left", -path),
            ));
        }
        let laid = path + (1..entry.spans()).map(wrap).sum::<f64>() + slack;
        (entry.compliance, entry.laid) = (compliance, laid);
        if let Some(last) = spans.last_mut() {
            (last.material, last.reach) = (last.material + slack, last.reach + slack);
        }
        if let Some(memory) = memory {
            rope_memory::apply(&memory, &mut entry, &mut spans)?;
        }
        Ok((entry, spans))
    }

    /// Guide k of a rope in the frame of its body.
    fn read_lead(&self, leads: &[Lead], k: usize) -> Result<GuideEntry> {
        let lead = &leads[k];
        lead.check(k)?;
        let body = lead.body();
        self.model.body(body)?;
        let Side { pos, rot } = self.side(body);
        let local = |at: DVec3| rot.transpose() * (at - pos);
        let is_end = k == 0 || k + 1 == leads.len();
        let Lead::Round(w) = lead else {
            return Ok(GuideEntry { body, groove: Groove::point(local(lead.place())), grips: is_end });
        };
        if self.model.body(body)?.motion == crate::model::Motion::Particle {
            let name = self.model.body_name(body.0.slot as usize);
            return Err(Error::input(format!("body of guide {k} of the rope"), name, "a body that can turn"));
        }
        let next = |n: Option<usize>| n.and_then(|n| leads.get(n)).map_or(lead.place(), Lead::place);
        let way = [next(k.checked_sub(1)), next(Some(k + 1))];
        let up = -self.options.gravity.try_normalize().unwrap_or(-DVec3::Y);
        let side = lead.side(k, way, up)?;
        let axis = w.sheave.axis.normalize();
        let (axis, zero) = (rot.transpose() * axis, rot.transpose() * axis.any_orthonormal_vector());
        let groove = Groove { centre: local(w.sheave.centre), axis, zero, radius: w.sheave.radius, side };
        Ok(GuideEntry { body, groove, grips: w.sheave.grips || is_end })
    }
}

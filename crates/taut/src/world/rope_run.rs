//! Ropes that do not simply touch all that they were given: written down and taken up again with what they touch instead.

use super::{RopeRef, World, rope_memory};
use crate::error::{Error, Result, positive};
use crate::model::reeved::{GuideMemory, RopeMemory, StopMemory};
use crate::model::reeving::{Edge, Lead, RopeEntry, Sheave, Way, Wound};
use crate::reeve::hold::Hold;
use crate::reeve::{Groove, edge};
use crate::state::{RopeState, Stop};
use glam::DVec3;

impl RopeRef<'_> {
    /// All that it was given, where it is now: its start, its guides, its end; of an endless rope its guides. Guides that a free end has run out of
    /// are left out.
    ///
    /// ```
    /// use taut::prelude::*;
    /// use taut::{Edge, parts::Lead};
    /// let mut world = World::new();
    /// let load = world.add(Body::particle(50.0).at(Vec3::new(0.0, -3.0, 0.0)))?;
    /// let quay = Edge::between(world.ground(), -5.0 * Vec3::Z, 5.0 * Vec3::Z).outward(Vec3::ONE);
    /// let rope = Rope::from(world.ground(), -2.0 * Vec3::X).across(quay).to(load, Vec3::new(0.0, -3.0, 0.0));
    /// let rope = world.add(rope)?;
    /// world.step(0.01)?;
    /// let Lead::Edge(edge) = world.rope(rope)?.leads()[1] else { panic!("no edge") };
    /// assert_eq!(edge.ends, [-5.0 * Vec3::Z, 5.0 * Vec3::Z]);
    /// # Ok::<(), taut::Error>(())
    /// ```
    pub fn leads(&self) -> Vec<Lead> {
        kept(self.entry(), self.state()).into_iter().map(|k| self.lead(k)).collect()
    }

    fn lead(&self, k: u32) -> Lead {
        let (entry, g) = (self.entry(), &self.entry().guides[k as usize]);
        let at = g.groove.at(&self.world().side(g.body), 0.0);
        let inner = entry.ring.is_some() || (k > 0 && k as usize + 1 < entry.guides.len());
        let hold = if inner { g.hold } else { Hold::Free };
        if g.groove.is_edge() {
            let ends = [at.centre, at.centre + at.length * at.axis];
            return Lead::Edge(Edge { body: g.body, ends, outward: Some(at.zero), hold });
        }
        if g.grip {
            return Lead::Grip(g.body, at.centre);
        }
        if !g.groove.is_round() {
            return if hold == Hold::Free {
                Lead::Point(g.body, at.centre)
            } else {
                Lead::Ring(g.body, at.centre, hold)
            };
        }
        let (radius, layers) = g.drum.map_or((g.groove.radius, Default::default()), |d| (d.core, d.layers));
        let (body, centre, axis) = (g.body, at.centre, at.axis);
        let sheave = Sheave { body, centre, axis, radius, hold, keeper: Some(g.keeper), layers };
        let way = if g.groove.side > 0.0 { Way::About } else { Way::Against };
        Lead::Round(Wound { sheave, way, turns: g.turns })
    }
}

/// Guides of a rope that it was given and that no free end has run out of, in the order in which they were said.
fn kept(entry: &RopeEntry, state: &RopeState) -> Vec<u32> {
    let count = entry.guides.len() - usize::from(entry.ring.is_some());
    let first = entry.ring.unwrap_or(0);
    let said = (0..count).map(|k| ((k + count - first) % count) as u32);
    said.filter(|&k| !entry.is_behind(state, k)).collect()
}

/// A guide in the frame of its body.
pub(super) fn place(groove: &Groove, first: f64) -> GuideMemory {
    GuideMemory { centre: groove.centre, axis: groove.axis, mark: groove.zero, length: groove.length, first }
}

/// Tells what a rope touches and what it was given.
pub(super) fn tell(entry: &RopeEntry, state: &RopeState, memory: &mut RopeMemory) {
    let kept = kept(entry, state);
    let number = |lead: u32| kept.iter().position(|&k| k == entry.one(lead)).unwrap_or(0);
    let stop = |s: &Stop| match (s.lead, s.found) {
        (Some(lead), _) if entry.guides[lead as usize].groove.is_round() && !s.groove.is_round() => {
            StopMemory::Shell(number(lead))
        }
        (lead, None) => StopMemory::Given(number(lead.unwrap_or(0))),
        (_, Some((collider, feature))) => {
            let (radius, about, hold) = (s.groove.radius, s.groove.side > 0.0, s.hold);
            StopMemory::Found { collider, feature, radius, about, hold }
        }
    };
    memory.stops = state.stops.iter().map(stop).collect();
    memory.given = kept
        .iter()
        .map(|&k| &entry.guides[k as usize])
        .map(|g| place(&g.groove, g.drum.map_or(0.0, |d| d.first)))
        .collect();
    for (told, r) in memory.rides.iter_mut().zip(&state.rides) {
        (told.guide, told.wheel) = (number(r.grip), number(r.wheel));
    }
}

impl World {
    /// A rope that was just read as it had become, where what it touches is told; and what holds its grips that ride, N.
    pub(super) fn resume_rope(
        &self,
        memory: &RopeMemory,
        mut entry: RopeEntry,
    ) -> Result<(RopeEntry, RopeState, Vec<DVec3>)> {
        let mut state = self.take_stops(memory, &mut entry)?;
        let stops = state.stops.len();
        let forces = rope_memory::ride(memory, &mut entry, &mut state)?;
        if state.stops.len() != stops {
            let expected = "none that rides: those are not touched";
            return Err(Error::input("grips that the rope remembers", stops - state.stops.len(), expected));
        }
        rope_memory::spans(memory, &mut entry, &mut state)?;
        let named = |what: &str| format!("{what} that the rope remembers");
        self.check_way(&entry, &state, None, &named)?;
        if state.pieces().any(|(a, b)| b - a > edge::MOST && state.stops[a..b].iter().any(|s| s.groove.is_edge())) {
            let expected = format!("at most {} guides with edges among them between two that it sticks to", edge::MOST);
            return Err(Error::input(named("guides"), state.stops.len(), expected));
        }
        Ok((entry, state, forces))
    }

    fn take_stops(&self, memory: &RopeMemory, entry: &mut RopeEntry) -> Result<RopeState> {
        let count = entry.guides.len() - usize::from(entry.ring.is_some());
        let counts = [
            ("guides that the rope remembers that it was given", memory.given.len(), count),
            ("stops that the rope remembers", memory.stops.len(), memory.guides.len()),
            ("guides that the rope remembers", memory.guides.len(), memory.spans.len() + 1),
        ];
        for (what, given, expected) in counts {
            if given != expected {
                return Err(Error::input(what, given, expected.to_string()));
            }
        }
        let first = entry.ring.unwrap_or(0);
        for (k, g) in memory.given.iter().enumerate() {
            let named = |what: &str| format!("{what} that given guide {k} of the rope remembers");
            g.check(&named)?;
            let to = &mut entry.guides[(k + count - first) % count];
            (to.groove.centre, to.groove.axis, to.groove.zero) = (g.centre, g.axis, g.mark);
            if to.groove.is_edge() {
                to.groove.length = positive(&named("length"), g.length, "m")?;
            }
            if let Some(drum) = &mut to.drum {
                drum.wind(g.first, &mut to.groove);
            }
        }
        if entry.ring.is_some() {
            entry.guides[count] = entry.guides[0];
        }
        let last = memory.stops.len() - 1;
        let mut state = RopeState::default();
        for (k, (stop, at)) in memory.stops.iter().zip(&memory.guides).enumerate() {
            let named = |what: &str| format!("{what} that guide {k} of the rope remembers");
            let lead = |n: usize| match n < count {
                true if k == last && entry.ring.is_some() => Ok(count),
                true => Ok((n + count - first) % count),
                false => Err(Error::input(named("number"), n, format!("less than {count}"))),
            };
            state.stops.push(match *stop {
                StopMemory::Given(n) => entry.stop(lead(n)?),
                StopMemory::Shell(n) => {
                    let (n, s) = (lead(n)?, entry.stop(lead(n)?));
                    if !s.groove.is_round() || (n != 0 && n + 1 != entry.guides.len()) || entry.ring.is_some() {
                        return Err(Error::input(named("shell"), n, "the number of a drum at an end"));
                    }
                    at.check(&named)?;
                    Stop { groove: Groove::point(at.centre), ..s }
                }
                StopMemory::Found { collider, feature, radius, about, hold } => {
                    at.check(&named)?;
                    let body = self.model.collider(collider)?.body.0.slot;
                    let side = if about { 1.0 } else { -1.0 };
                    let (c, axis, mark) = (at.centre, at.axis, at.mark);
                    let groove = match radius == 0.0 {
                        true => Groove::edge(c, axis, mark, positive(&named("length"), at.length, "m")?),
                        false => Groove::round(c, axis, mark, positive(&named("radius"), radius, "m")?, side),
                    };
                    let hold = hold.check(&format!("guide {k} that the rope remembers"))?;
                    let groove = Groove { side, ..groove };
                    Stop { lead: None, found: Some((collider, feature)), body, groove, hold }
                }
            });
        }
        Ok(state)
    }
}

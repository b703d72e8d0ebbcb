//! What has run into a heavy rope in a step, or out of it, and the weight of the half span that rides with the drum.

use super::{LONG, SHORT, World};
use crate::error::Result;
use crate::ids::{BodyId, HeavyRopeId};
use crate::integrate::kinetic_of;
use crate::kin::Kin;
use crate::model::Motion;
use crate::model::field::Water;
use crate::model::heavy::{HeavyEntry, Source};
use crate::reeve::Groove;
use crate::report::{Energy, StepReport};
use crate::state::{HeavyState, RopeState};
use crate::world::rope_ref::Laid;
use crate::world::ropes::shortest;
use glam::DVec3;

/// The span above a feed node.
#[derive(Clone, Copy)]
pub(in crate::world) struct Feed {
    /// Where it leaves the guide, m, and how fast that moves, m/s.
    pub from: DVec3,
    pub carried: DVec3,
    /// Unit vector to the node.
    pub along: DVec3,
    /// Of the rope in it, m, and how much longer it is drawn, in parts of that.
    pub length: f64,
    pub strain: f64,
}

impl World {
    /// The span above the feed node; none while its guides overlap.
    pub(in crate::world) fn feed_span(&self, entry: &HeavyEntry) -> Option<Feed> {
        match entry.source {
            Source::Locker { .. } => self.hawse(entry),
            Source::Guides { rope, .. } => {
                let state = &self.state.ropes[rope.0.slot as usize];
                self.last_span(entry, &self.laid_rope(state))
            }
        }
    }

    /// The same, in memory that is there.
    fn feed_now(&mut self, entry: &HeavyEntry) -> Option<Feed> {
        let Source::Guides { rope, .. } = entry.source else { return self.hawse(entry) };
        let mut scratch = std::mem::take(&mut self.ropes_laid);
        scratch.is.fill(&self.state.ropes[rope.0.slot as usize], |slot| self.side_at(slot));
        let feed = self.last_span(entry, &scratch.is);
        self.ropes_laid = scratch;
        feed
    }

    fn hawse(&self, entry: &HeavyEntry) -> Option<Feed> {
        let Source::Locker { body, at, .. } = entry.source else { return None };
        let side = self.side(body);
        let from = side.pos + side.rot * at;
        let way = self.state.bodies[entry.nodes[0].0.slot as usize].pos - from;
        let along = way.try_normalize()?;
        Some(Feed { from, carried: self.speed_at(body, from), along, length: way.length(), strain: 0.0 })
    }

    fn last_span(&self, entry: &HeavyEntry, laid: &Laid) -> Option<Feed> {
        let Source::Guides { rope, .. } = entry.source else { return None };
        let state = self.state.ropes.get(rope.0.slot as usize)?;
        let last = laid.spans.len().checked_sub(1)?;
        let [from, to] = laid.spans[last]?.ends;
        // Drums turn under the rope: where it leaves them goes with the axle.
        let guide = &self.state.bodies[state.stops[last].body as usize];
        let carried = guide.vel + guide.omega.cross(laid.guides[last].centre - guide.pos);
        let way = (to - from).length();
        let excess: f64 = (0..=last).filter_map(|k| Some(laid.measure(k)? - state.spans[k].material)).sum();
        let path = laid.path(0..last + 1);
        // What it is stretched by is spread over its way; slack hangs below the last guide.
        let length = if excess > 0.0 { way - excess * way / path } else { way - excess };
        let strain = if excess > 0.0 { way / length - 1.0 } else { 0.0 };
        Some(Feed { from, carried, along: (to - from).try_normalize()?, length, strain })
    }

    /// Puts the weight of the half span that rides with the drum on the feed nodes, for one step.
    pub(in crate::world) fn press(&mut self) {
        for slot in 0..self.model.heavies.slots() {
            let Some(mut entry) = self.model.heavies.lend(slot) else { continue };
            let node = entry.nodes[0];
            entry.load = None;
            let awake = self.model.bodies.get(node.0).is_some_and(|b| b.is_node())
                && self.state.bodies[node.0.slot as usize].group == 0;
            if awake
                && self.is_whole(&entry)
                && let Some(feed) = self.feed_now(&entry)
            {
                let weight = entry.density - self.wet(&entry, &feed);
                let force = (1.0 - entry.share()) * weight * self.options.gravity.dot(feed.length * feed.along);
                if let Some(b) = self.model.bodies.get_mut(node.0) {
                    entry.load = Some(b.load);
                    b.load.0 += force * feed.along;
                    self.model.is_loaded = true;
                }
            }
            self.model.heavies.put_back(slot, entry);
        }
    }

    /// Takes it away again: the step could not be taken.
    pub(in crate::world) fn unpress(&mut self) {
        for slot in 0..self.model.heavies.slots() {
            let Some(entry) = self.model.heavies.at(slot) else { continue };
            let (node, load) = (entry.nodes[0], entry.load);
            if let (Some(b), Some(load)) = (self.model.bodies.get_mut(node.0), load) {
                b.load = load;
            }
        }
    }

    /// Mass of the water in place of a metre of the rope at a place, kg/m.
    pub(super) fn displaced(&self, entry: &HeavyEntry, place: DVec3) -> f64 {
        let water = self.model.field.water.as_ref().filter(|_| entry.diameter > 0.0);
        let under = |w: &&Water| w.at(place, self.state.time, self.options.gravity).depth > 0.0;
        water.filter(under).map_or(0.0, |w| w.density * circle(entry.diameter))
    }

    /// The same of the span above the feed node, part of which may be in air.
    fn wet(&self, entry: &HeavyEntry, feed: &Feed) -> f64 {
        let Some(water) = self.model.field.water.as_ref().filter(|_| entry.diameter > 0.0) else { return 0.0 };
        let ends = [feed.from, feed.from + feed.length * feed.along];
        let [a, b] = ends.map(|x| water.at(x, self.state.time, self.options.gravity).depth);
        let share = if a.max(b) <= 0.0 {
            0.0
        } else if a.min(b) >= 0.0 {
            1.0
        } else {
            a.max(b) / (a - b).abs()
        };
        share * water.density * circle(entry.diameter)
    }

    /// Ropes with mass after a step: what has run in or out.
    pub(in crate::world) fn feed(&mut self, h: f64, report: &mut StepReport) -> Result<()> {
        for slot in 0..self.model.heavies.slots() {
            let Some(mut entry) = self.model.heavies.lend(slot) else { continue };
            let whole = self.is_whole(&entry);
            let mut state = std::mem::take(&mut self.state.heavies[slot]);
            let done = if whole { self.feed_one(&mut entry, &mut state, h, report) } else { Ok(()) };
            self.state.heavies[slot] = state;
            self.model.heavies.put_back(slot, entry);
            if !whole {
                self.dissolve(slot)?;
            }
            done?;
        }
        Ok(())
    }

    /// Whether nothing of it was removed.
    fn is_whole(&self, entry: &HeavyEntry) -> bool {
        let nodes = entry.nodes.iter().all(|b| self.model.bodies.get(b.0).is_some_and(|b| b.enabled));
        let rods = entry.links.iter().all(|j| self.model.joints.get(j.0).is_some());
        let source = match entry.source {
            Source::Guides { rope, rotor } => {
                self.model.ropes.get(rope.0).is_some()
                    && rotor.is_none_or(|(b, ..)| self.model.bodies.get(b.0).is_some())
            }
            Source::Locker { body, stop, .. } => {
                self.model.bodies.get(body.0).is_some() && self.model.joints.get(stop.0).is_some()
            }
        };
        nodes && rods && source
    }

    /// A part of it was removed: what is left is bodies and joints like others, and nodes that are not out go.
    pub(in crate::world) fn dissolve(&mut self, slot: usize) -> Result<()> {
        let Some(key) = self.model.heavies.key_at(slot) else { return Ok(()) };
        let own = self.model.heavies.at(slot).map(|h| h.pool[0]);
        self.loose_heavy_twists(|h, _| Some(h.pool[0]) == own)?;
        let Some(entry) = self.model.heavies.remove(HeavyRopeId(key).0) else { return Ok(()) };
        self.state.heavies[slot] = HeavyState::default();
        self.drop_waiting(&entry.pool)
    }

    /// Removes those of some nodes that are switched off.
    pub(in crate::world) fn drop_waiting(&mut self, nodes: &[BodyId]) -> Result<()> {
        for node in nodes {
            if self.model.bodies.get(node.0).is_some_and(|b| !b.enabled) {
                self.take_body(*node)?;
            }
        }
        Ok(())
    }

    fn feed_one(
        &mut self,
        entry: &mut HeavyEntry,
        state: &mut HeavyState,
        h: f64,
        report: &mut StepReport,
    ) -> Result<()> {
        if self.state.bodies[entry.nodes[0].0.slot as usize].group != 0 {
            return Ok(());
        }
        self.let_near(entry, state);
        let Some(feed) = self.feed_now(entry) else { return Ok(()) };
        let rotor = if let Source::Guides { rotor: Some((b, ..)), .. } = entry.source { Some(b) } else { None };
        let touched = |entry: &HeavyEntry| [Some(entry.nodes[0]), rotor].into_iter().flatten();
        let before = self.energy_of_part(entry, touched(entry), false);
        self.run_in(entry, state, &feed, h);
        let fed = self.energy_of_part(entry, touched(entry), false);
        book(report, &before, &fed, |l| &mut l.fed);
        let (l0, most) = (entry.l0, entry.pool.len() as u32 - 1);
        let is_long = |f: &Feed, state: &HeavyState| f.length > LONG * l0 && state.out[0] < most;
        let is_short = |f: &Feed, state: &HeavyState| f.length < SHORT * l0 && state.out.len() > 2;
        let adapts = entry.adaptive && self.tend(entry, state)?;
        if !(adapts || is_long(&feed, state) || is_short(&feed, state)) {
            return Ok(());
        }
        let all = |entry: &HeavyEntry| entry.pool.clone().into_iter().chain(rotor);
        let before = self.energy_of_part(entry, all(entry), true);
        if adapts {
            self.adapt(entry, state)?;
        }
        while let Some(feed) = self.feed_now(entry) {
            if is_long(&feed, state) {
                self.split(entry, state, &feed)?;
            } else if is_short(&feed, state) {
                self.merge(entry, state, &feed)?;
            } else {
                break;
            }
        }
        self.weigh_heavy(entry, &state.out)?;
        let after = self.energy_of_part(entry, all(entry), true);
        book(report, &before, &after, |l| &mut l.merged);
        Ok(())
    }

    /// The feed node may come as near to the last guide as it has to before it goes; the last of them stops there like any other end.
    pub(super) fn let_near(&mut self, entry: &HeavyEntry, state: &HeavyState) {
        let Source::Guides { rope, .. } = entry.source else { return };
        let RopeState { spans, stops, .. } = &mut self.state.ropes[rope.0.slot as usize];
        let ends = [&stops[stops.len() - 2], &stops[stops.len() - 1]];
        let own = shortest(ends, SHORT * entry.l0);
        if let Some(span) = spans.last_mut() {
            span.least = if state.out.len() > 2 { own.min(0.5 * SHORT * entry.l0) } else { own };
        }
    }

    /// Energy of some bodies, of what stretches beside them, and what centres the potentials of the world in time.
    fn energy_of_part(&self, entry: &HeavyEntry, bodies: impl Iterator<Item = BodyId>, rods: bool) -> Energy {
        let [gravity, elastic] = self.state.potential_lag;
        let mut e = Energy { kinetic: 0.0, gravity: -gravity, elastic: -elastic };
        for id in bodies {
            let Some(b) = self.model.bodies.get(id.0).filter(|b| b.is_node()) else { continue };
            let s = &self.state.bodies[id.0.slot as usize];
            let inertia = (b.motion == Motion::Dynamic).then_some(&b.inertia);
            e.kinetic += kinetic_of(b.mass, inertia, &Kin::of(s));
            e.gravity -= b.weight() * self.options.gravity.dot(s.pos);
        }
        if !rods || (entry.stiffness.is_none() && entry.held.is_none()) {
            return e;
        }
        if let Source::Guides { rope, .. } = entry.source {
            e.elastic += self.rope(rope).map_or(0.0, |r| r.energy_of_stretch() + r.energy_of_twist_to(Some(entry)));
        }
        let held = entry.links.iter().filter_map(|j| Some(self.held_by(*j, self.model.joints.get(j.0)?)));
        e.elastic += held.sum::<f64>();
        e
    }

    /// Mass that has run into the feed node in a step, with its momentum.
    fn run_in(&mut self, entry: &HeavyEntry, state: &HeavyState, feed: &Feed, h: f64) {
        let node = entry.nodes[0];
        let old = self.model.bodies.get(node.0).map_or(0.0, |b| b.mass);
        let mass = entry.density * entry.length_at(&state.out, 0, feed.length);
        let more = mass - old;
        let speed = match entry.source {
            Source::Guides { .. } => more / (entry.share() * entry.density * h),
            Source::Locker { .. } => 0.0,
        };
        if more > 0.0 {
            let s = &mut self.state.bodies[node.0.slot as usize];
            s.vel = (old * s.vel + more * (feed.carried + speed * feed.along)) / mass;
        }
        self.weigh_feed(entry, &state.out, feed);
        self.renumbered();
    }

    fn split(&mut self, entry: &mut HeavyEntry, state: &mut HeavyState, feed: &Feed) -> Result<()> {
        let (l0, old, number) = (entry.l0, entry.nodes[0], state.out[0] + 1);
        let left = feed.length - l0;
        let new = entry.pool[number as usize];
        let flow = self.flow(entry, feed);
        let (from, to) = (old.0.slot as usize, new.0.slot as usize);
        // It goes on in the rhythm of its neighbour: kicks are centred between the steps.
        self.state.bodies[to] = self.state.bodies[from];
        let s = &mut self.state.bodies[to];
        s.pos = feed.from + left * (1.0 + feed.strain) * feed.along;
        s.vel = s.vel.lerp(flow, 2.0 * (1.0 - entry.share()) * l0 / feed.length);
        let tension = self.heavy_tension(entry);
        self.start_rod(entry, number as usize, (tension, feed.strain * l0));
        self.lead_on(entry, new, (-l0, -feed.strain * l0));
        state.out.insert(0, number);
        state.pieces.insert(0, [if entry.adaptive { tension } else { 0.0 }, 0.0]);
        self.fit_heavy(entry, state).map(drop)
    }

    fn merge(&mut self, entry: &mut HeavyEntry, state: &mut HeavyState, feed: &Feed) -> Result<()> {
        let (gone, next) = (entry.nodes[0], entry.nodes[1]);
        let piece = f64::from(state.out[0] - state.out[1]) * entry.l0;
        let [x1, x2] = [gone, next].map(|b| self.state.bodies[b.0.slot as usize].vel);
        let (l, flow) = (feed.length, self.flow(entry, feed));
        // Linear momentum of the two and of the part that rides with the drum.
        let (share, ride) = (entry.share(), (1.0 - entry.share()) * piece);
        let (first, second) = (entry.length_at(&state.out, 0, l), entry.length_at(&state.out, 1, l));
        let both = share * (l + piece) + (second - 0.5 * piece);
        self.state.bodies[next.0.slot as usize].vel = (first * x1 + second * x2 - ride * flow) / both;
        let stretch = self.end_rod(entry, state.out[0] as usize);
        self.lead_on(entry, next, (piece - state.pieces[0][1], stretch));
        state.out.remove(0);
        state.pieces.remove(0);
        self.fit_heavy(entry, state).map(drop)
    }

    /// Velocity of the rope where it leaves the guide, m/s.
    fn flow(&self, entry: &HeavyEntry, feed: &Feed) -> DVec3 {
        let node = &self.state.bodies[entry.nodes[0].0.slot as usize];
        match entry.source {
            Source::Guides { .. } => feed.carried + (node.vel - feed.carried).dot(feed.along) * feed.along,
            Source::Locker { .. } => feed.carried,
        }
    }

    /// The rod below a node that comes in begins with a tension, N, and what it is stretched by, m.
    pub(super) fn start_rod(&mut self, entry: &HeavyEntry, node: usize, (tension, stretch): (f64, f64)) {
        let Some(row) = self.model.joints.get(entry.rods[node - 1].0).map(|j| j.row_start) else { return };
        self.state.start_rows(row..row + 1);
        self.state.lambda[row] = -tension;
        if entry.stiffness.is_some() {
            self.state.stretch[row] = stretch.max(0.0);
        }
    }

    /// The rod below a node that goes; what it was stretched by, m.
    pub(super) fn end_rod(&mut self, entry: &HeavyEntry, node: usize) -> f64 {
        let Some(row) = self.model.joints.get(entry.rods[node - 1].0).map(|j| j.row_start) else { return 0.0 };
        let stretch = self.state.stretch[row].max(0.0);
        self.state.start_rows(row..row + 1);
        if entry.stiffness.is_some() { stretch } else { 0.0 }
    }

    /// Leads the rope above to another feed node, with so much more of it there, m, and so much more of stretch, m.
    fn lead_on(&mut self, entry: &HeavyEntry, node: BodyId, (more, stretch): (f64, f64)) {
        match entry.source {
            Source::Guides { rope, .. } => {
                let state = &mut self.state.ropes[rope.0.slot as usize];
                if let Some(end) = state.stops.last_mut() {
                    (end.body, end.groove) = (node.0.slot, Groove::point(DVec3::ZERO));
                }
                if let Some(span) = state.spans.last_mut() {
                    span.material += more;
                    span.reach += more;
                }
                // Spans of one tension keep their stretch in the first of them.
                let first = state.segments().last().map_or(0, |(first, _)| first);
                let known = &mut state.spans[first].stretch;
                if *known >= 0.0 {
                    *known = (*known + stretch).max(0.0);
                }
            }
            Source::Locker { stop, .. } => {
                if let Some(row) = self.model.joints.get(stop.0).map(|j| j.row_start..j.row_start + j.state_rows()) {
                    self.state.start_rows(row);
                }
            }
        }
    }
}

/// Area of a circle of a diameter, m^2.
fn circle(diameter: f64) -> f64 {
    std::f64::consts::FRAC_PI_4 * diameter * diameter
}

/// Books a change of energy between steps in a line of the ledger.
fn book(
    report: &mut StepReport,
    before: &Energy,
    after: &Energy,
    line: impl Fn(&mut crate::report::Ledger) -> &mut f64,
) {
    let change = after.total() - before.total();
    *line(&mut report.ledger) += change;
    report.ledger.change += change;
    report.energy.kinetic += after.kinetic - before.kinetic;
    report.energy.gravity += after.gravity - before.gravity;
    report.energy.elastic += after.elastic - before.elastic;
}

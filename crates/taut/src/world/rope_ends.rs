//! Cutting, releasing, attaching and splicing ropes over guides ([decision 25](../../../../docs/decisions/025-ends-of-ropes.md)).
//!
//! A free end is a particle of the rope's own. It has drawn back until its rope is not stretched there: what the stretch held is lost, and in
//! the ledger. Nothing else moves, and no other body is given a velocity.

use super::rope_part::piece_at;
use super::rope_ref::RopeRef;
use super::rope_way::Way;
use super::ropes::{loosen, shortest};
use super::{Edit, World};
use crate::error::{Error, Result, finite_vec};
use crate::ids::{BodyId, RopeId};
use crate::model::Motion;
use crate::model::heavy::Source;
use crate::model::identity;
use crate::model::reeving::{GuideEntry, RopeEntry};
use crate::model::rope_end::{RopeCut, RopeEnd};
use crate::reeve::Groove;
use crate::reeve::hold::Hold;
use crate::rows::UNKNOWN;
use crate::state::{RopeState, SpanState, Stop};
use crate::tuning::T;
use glam::DVec3;

/// Energy that has gone with stretch, and that has come with particles at free ends less what has gone with them, J, since the last step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Owed {
    pub broken: f64,
    pub fed: f64,
}

impl World {
    /// Cuts a rope over guides with so much of it between its start and the cut, m, without stretch; what is wound on a drum at its start
    /// does not count. The part from the start goes on as this rope, with its handle; the rest is a new rope, named after it with a number
    /// ("hoist 2", [`World::name_rope`] names it otherwise). Guides are shared out
    /// in their order; where the cut is on the wrap of one, neither part touches that guide any more. Both new ends hang free
    /// ([`World::release_rope`]). Other bodies keep their velocities. Older snapshots do not fit any more. On an error nothing has changed.
    pub fn cut_rope(&mut self, rope: RopeId, length: f64) -> Result<RopeCut> {
        let view = self.open_end(rope)?;
        let way = view.way();
        let (whole, edge) = (way.length(), T.ropes.shortest * way.length());
        if !(length > edge && length < whole - edge) {
            let expected = format!("more than {edge:.3e} and less than {:.6} m: inside the rope", whole - edge);
            return Err(Error::input("length to cut the rope at", length, expected));
        }
        let [first, mut second] = [self.part(rope, &way, length, 0)?, self.part(rope, &way, length, 1)?];
        second.entry.name = self.next_name(&second.entry.name);
        let mass = self.end_mass(&self.state.ropes[rope.0.slot as usize]);
        self.check_room_for(2)?;
        let ((ropes, nodes), energy) = self.booked(|w| {
            w.wake_rope(rope.0.slot as usize);
            let own = [w.add_end(&first, mass)?, w.add_end(&second, mass)?];
            w.put_rope(rope, first.tied(own[0]))?;
            Ok(([rope, w.push_rope(second.tied(own[1]))], own))
        })?;
        Ok(RopeCut { ropes, ends: [RopeEnd::last_of(ropes[0]), RopeEnd::first_of(ropes[1])], nodes, energy })
    }

    /// Lets an end of a rope over guides go: it is a particle then, which the rope drags along and which runs through its guides, one after
    /// the other, until it is out of all of them. It is part of the rope, has a thousandth of the mass of the lightest body that moves freely on
    /// it, and goes when the end is tied or spliced, or the rope removed. From a drum the rope parts where it leaves it: what is wound stays
    /// there. Returns the particle; that of an end which is free already, where nothing changes.
    pub fn release_rope(&mut self, end: RopeEnd) -> Result<BodyId> {
        self.open_end(end.rope)?;
        self.let_end_go(end)
    }

    /// The same, whatever the rope leads to.
    pub(super) fn let_end_go(&mut self, end: RopeEnd) -> Result<BodyId> {
        let view = self.clear_rope(end.rope)?;
        if let Some(node) = view.free_ends()[end.side()] {
            return Ok(node);
        }
        let way = view.way();
        let length = if end.last { way.length() } else { 0.0 };
        let part = self.part(end.rope, &way, length, 1 - end.side())?;
        let mass = self.end_mass(&self.state.ropes[end.rope.0.slot as usize]);
        self.check_room_for(1)?;
        let (node, _) = self.booked(|w| {
            w.wake_rope(end.rope.0.slot as usize);
            let own = w.add_end(&part, mass)?;
            w.put_rope(end.rope, part.tied(own))?;
            Ok(own)
        })?;
        Ok(node)
    }

    /// Ties an end of a rope over guides to a body, at a point of the world, m. The rope keeps its length and its guides; where it does not
    /// reach it is refused, for it would have to be stretched: [`World::rope_reach`] says by how much, and [`World::pay_out`] makes it longer.
    /// A rope that then comes taut stops what pulls it apart without a rebound.
    pub fn attach_rope(&mut self, end: RopeEnd, body: BodyId, point: DVec3) -> Result<()> {
        self.tie(end, body, point, None)
    }

    /// The same, with a rope that is made so much longer than its way then is, m: with 0 it is tied as it is found. At least 0: it is not stretched.
    pub fn attach_rope_with_slack(&mut self, end: RopeEnd, body: BodyId, point: DVec3, slack: f64) -> Result<()> {
        crate::error::non_negative("slack of the rope", slack, "m")?;
        self.tie(end, body, point, Some(slack))
    }

    fn tie(&mut self, end: RopeEnd, body: BodyId, point: DVec3, wanted: Option<f64>) -> Result<()> {
        let (entry, mut rope, mut slack, whole) = self.led_to(end, body, point)?;
        if let Some(wanted) = wanted {
            let k = if end.last { rope.spans.len() - 1 } else { 0 };
            let more = wanted - slack;
            if !(whole + more > 0.0) {
                let expected = format!("more than {:.6} m: a rope that is left", slack - whole);
                return Err(Error::input("slack of the rope", wanted, expected));
            }
            (rope.spans[k].material, rope.spans[k].reach) = (rope.spans[k].material + more, rope.spans[k].reach + more);
            slack = wanted;
        }
        if slack < -T.ropes.shortest * whole {
            let name = self.model.rope_name(end.rope.0.slot as usize);
            let what = format!("point for the {} of {name}", end.word());
            let expected = format!("one that is nearer: the rope is too short by {:.6} m", -slack);
            return Err(Error::input(what, point, expected));
        }
        let own = self.rope(end.rope)?.free_ends()[end.side()];
        self.booked(|w| {
            w.wake_rope(end.rope.0.slot as usize);
            w.wake_slot(body.0.slot as usize);
            w.put_rope(end.rope, (entry, rope))?;
            own.map_or(Ok(()), |node| w.take_body(node))
        })?;
        Ok(())
    }

    /// Gives a rope over guides another name.
    pub fn name_rope(&mut self, rope: RopeId, name: impl Into<String>) -> Result<()> {
        self.model.rope(rope)?;
        if let Some(entry) = self.model.ropes.get_mut(rope.0) {
            entry.name = name.into();
        }
        Ok(())
    }

    /// A name with the first number from 2 on that no rope has.
    fn next_name(&self, name: &str) -> String {
        let taken = |n: &String| self.ropes().any(|r| r.name() == n);
        let free = (2..).map(|k| format!("{name} {k}")).find(|n| !taken(n));
        free.filter(|_| !name.is_empty()).unwrap_or_default()
    }

    /// Slack that a rope over guides would have with an end at a point of a body, m; negative where it does not reach.
    pub fn rope_reach(&self, end: RopeEnd, body: BodyId, point: DVec3) -> Result<f64> {
        Ok(self.led_to(end, body, point)?.2)
    }

    /// Books what changes of ropes did to the energy in the ledger of a step.
    pub(super) fn book_owed(&mut self, ledger: &mut crate::report::Ledger) {
        let Owed { broken, fed } = std::mem::take(&mut self.owed);
        ledger.broken += broken;
        ledger.fed += fed;
        ledger.change += broken + fed;
    }

    /// A change of ropes, with what it does to the elastic energy, J; the next step books it.
    pub(super) fn booked<R>(&mut self, change: impl FnOnce(&mut Self) -> Result<R>) -> Result<(R, f64)> {
        let before = self.energy()?;
        let done = change(self)?;
        let after = self.energy()?;
        let elastic = after.elastic - before.elastic;
        self.owed.broken += elastic;
        self.owed.fed += after.total() - before.total() - elastic;
        Ok((done, elastic))
    }

    /// A rope whose ends can be changed.
    pub(super) fn open_end(&self, id: RopeId) -> Result<RopeRef<'_>> {
        let led = |source: &Source| matches!(source, Source::Guides { rope, .. } if *rope == id);
        if self.model.heavies.iter().any(|(_, h)| led(&h.source)) {
            let name = self.model.rope_name(id.0.slot as usize);
            let expected = "a rope of its own: this one leads to a heavy rope, which can be cut";
            return Err(Error::input("rope", name, expected));
        }
        let entry = self.model.rope(id)?;
        if entry.ring.is_some() || entry.guides.iter().any(|g| g.grip) {
            let expected = "one with ends and without grips: an endless rope and one with grips are removed as a whole";
            return Err(Error::input("rope", self.model.rope_name(id.0.slot as usize), expected));
        }
        self.clear_rope(id)
    }

    /// A rope whose guides do not overlap.
    fn clear_rope(&self, id: RopeId) -> Result<RopeRef<'_>> {
        let view = self.rope(id)?;
        if view.laid().spans.iter().any(Option::is_none) {
            let name = self.model.rope_name(id.0.slot as usize);
            let expected = "one whose guides a straight line can touch: two of them overlap now";
            return Err(Error::input("rope", name, expected));
        }
        Ok(view)
    }

    /// Mass of the particle at a new free end, kg.
    fn end_mass(&self, rope: &RopeState) -> f64 {
        let ends = |b: usize| self.model.ropes.iter().any(|(k, r)| r.free.iter().any(|f| *f) && self.owns(k.slot, b));
        let bodies = || rope.bodies().filter_map(|b| Some((b, self.model.bodies.at(b)?))).filter(|(_, b)| b.is_node());
        let lightest = |list: &mut dyn Iterator<Item = f64>| list.fold(f64::INFINITY, f64::min);
        let others = lightest(&mut bodies().filter(|(b, _)| !ends(*b)).map(|(_, b)| b.mass));
        let own = lightest(&mut bodies().map(|(_, b)| b.mass));
        match (others.is_finite(), own.is_finite()) {
            (true, _) => T.ropes.end_mass * others,
            (false, true) => own,
            _ => T.ropes.end_mass * T.ropes.end_bare,
        }
    }

    /// Whether a body is the particle at a free end of the rope in a slot.
    fn owns(&self, rope: u32, body: usize) -> bool {
        let Some(entry) = self.model.ropes.at(rope as usize) else { return false };
        let ends = [entry.guides.first(), entry.guides.last()];
        ends.into_iter().zip(entry.free).any(|(g, free)| free && g.is_some_and(|g| g.body.0.slot as usize == body))
    }

    /// Puts another definition and state in the place of a rope.
    pub(super) fn put_rope(&mut self, id: RopeId, (entry, rope): (RopeEntry, RopeState)) -> Result<()> {
        self.model.rope(id)?;
        let print = identity::rope(&entry);
        if let Some(kept) = self.model.ropes.get_mut(id.0) {
            *kept = entry;
        }
        self.state.ropes[id.0.slot as usize] = rope;
        self.state.potential_lag[1] = 0.0;
        self.edited(Edit::ChangeRope, id.0.slot, print);
        Ok(())
    }

    /// Adds a rope that is there already.
    pub(super) fn push_rope(&mut self, (entry, rope): (RopeEntry, RopeState)) -> RopeId {
        let print = identity::rope(&entry);
        let key = self.model.ropes.insert(entry);
        match self.state.ropes.get_mut(key.slot as usize) {
            Some(slot) => *slot = rope,
            None => self.state.ropes.push(rope),
        }
        self.edited(Edit::AddRope, key.slot, print);
        RopeId(key)
    }

    /// A rope with an end at a point of a body, the slack that it then has, and its length, m.
    fn led_to(&self, end: RopeEnd, body: BodyId, point: DVec3) -> Result<(RopeEntry, RopeState, f64, f64)> {
        let view = self.open_end(end.rope)?;
        self.model.body(body)?;
        finite_vec("point for the end of the rope", point, "m")?;
        let owner = self.model.ropes.iter().find(|(k, _)| self.owns(k.slot, body.0.slot as usize));
        if let Some((key, _)) = owner {
            let given = format!("the end of {}", self.model.rope_name(key.slot as usize));
            return Err(Error::input("body for the end of the rope", given, "another body: splice ends to each other"));
        }
        let (mut entry, mut rope) = (view.entry().clone(), view.state().clone());
        let whole = view.way().length();
        let side = end.side();
        let pose = self.side(body);
        let at = if self.model.body(body)?.motion == Motion::Particle { pose.pos } else { point };
        let groove = Groove::point(pose.rot.transpose() * (at - pose.pos));
        let number = if side == 0 { 0 } else { entry.guides.len() - 1 };
        entry.guides[number] =
            GuideEntry { body, groove, hold: Hold::Fast, keeper: true, turns: 0, drum: None, grip: false };
        entry.free[side] = false;
        let (stop, k) = if side == 0 { (0, 0) } else { (rope.stops.len() - 1, rope.spans.len() - 1) };
        rope.stops[stop] = Stop { lead: Some(number as u32), found: None, body: body.0.slot, groove, hold: Hold::Fast };
        let old = rope.spans[k];
        let mut angles = old.angles;
        angles[side] = 0.0;
        rope.spans[k] = SpanState { lambda: 0.0, stretch: UNKNOWN, energy: 0.0, angles, apart: 0.0, ..old };
        let slack = self.close(&mut rope, k, whole)?;
        loosen(&entry, &mut rope);
        self.hold_twist(&mut entry, &mut rope, [side == 0, side == 1]);
        Ok((entry, rope, slack, whole))
    }

    /// Makes a rope with a new span so long, m, and returns the slack that it has there.
    pub(super) fn close(&self, rope: &mut RopeState, k: usize, whole: f64) -> Result<f64> {
        let laid = self.laid_rope(rope);
        let Some(span) = laid.spans[k] else {
            let expected = "one that a straight line from the next guide reaches";
            return Err(Error::input("way to the end of the rope", "none", expected));
        };
        rope.spans[k].angles = laid.angles[k];
        rope.spans[k].least = shortest([&rope.stops[k], &rope.stops[k + 1]], span.length);
        rope.spans[k].material += whole - Way::of(rope, laid.clone()).length();
        rope.spans[k].reach = rope.spans[k].material;
        let (first, last) = piece_at(rope, k);
        rope.spans[first..last].iter_mut().for_each(|s| s.stretch = UNKNOWN);
        let piece = rope.pieces().find(|p| (p.0..p.1).contains(&k)).unwrap_or((k, k + 1));
        Ok(-laid.excess(rope, piece.0..piece.1))
    }
}

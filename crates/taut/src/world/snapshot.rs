//! Taking snapshots and going back to them.

use super::World;
use crate::contact::ContactRecord;
use crate::error::{Error, Result};
use crate::model::reeving::RopeEntry;
use crate::reeve::hold::Hold;
use crate::state::{Ride, RopeState, State};

impl World {
    /// The state; clone it to keep a snapshot.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Goes back to a snapshot of this world, or of another one that was built from the same definition: the same bodies,
    /// joints, couplings, forces and colliders with the same numbers, added and removed in the same order. What may be changed between
    /// steps is not part of a snapshot and stays as it is: options, contact hooks, loads and targets for the next step, and what was set
    /// after a part was added (strengths; lengths, limits, give, gains and masses; materials, groups, shapes, poses, sensing and
    /// switching). Clone the world to keep that too. What slept on a collider that is switched off now wakes. On an error nothing has
    /// changed.
    pub fn restore(&mut self, snapshot: &State) -> Result<()> {
        self.check_snapshot(snapshot)?;
        // The layout knows who is awake, and where ropes run.
        let pairs = snapshot.bodies.iter().zip(&self.state.bodies);
        let mut ropes = snapshot.ropes.iter().zip(&self.state.ropes);
        if snapshot.stamp != self.state.stamp
            || pairs.into_iter().any(|(a, b)| (a.group == 0) != (b.group == 0))
            || ropes.any(|(a, b)| a.stops != b.stops)
        {
            self.wear_out();
        }
        self.state.clone_from(snapshot);
        self.owed = Default::default();
        self.own_contacts();
        self.refit_heavies();
        (0..self.state.ropes.len()).for_each(|slot| self.tie_rides(slot));
        self.scene.forget();
        self.wake_unheld();
        Ok(())
    }

    /// Colliders that a snapshot names are those of this world.
    fn own_contacts(&mut self) {
        let world = self.model.colliders.world();
        let State { contacts, resting, sensed, ropes, .. } = &mut self.state;
        for c in contacts.iter_mut().chain(resting) {
            (c.id.a.world, c.id.b.world) = (world, world);
        }
        for s in sensed {
            (s.colliders.0.0.world, s.colliders.1.0.world) = (world, world);
        }
        for (collider, _) in ropes.iter_mut().flat_map(|r| &mut r.stops).filter_map(|s| s.found.as_mut()) {
            collider.0.world = world;
        }
    }

    /// Where a rope runs in a snapshot: over its own guides in their order, with colliders between them; at its end is the node of a heavy
    /// rope that was out then.
    fn check_rope(&self, slot: usize, rope: &RopeState, fed: Option<u32>) -> Result<()> {
        let named = |what: &str| format!("{what} of {} in the snapshot", self.model.rope_name(slot));
        if rope.twist.is_some() != self.state.ropes[slot].twist.is_some() {
            let word = |t: bool| if t { "some" } else { "none" };
            return Err(Error::input(named("torsion"), word(rope.twist.is_some()), word(rope.twist.is_none())));
        }
        match self.model.ropes.at(slot) {
            Some(entry) => self.check_way(entry, rope, fed, &named),
            None if rope.stops.is_empty() && rope.spans.is_empty() => Ok(()),
            None => Err(Error::input(named("guides"), rope.stops.len(), "none: there is no such rope")),
        }
    }

    /// Whether a rope can run so: over its own guides in their order, with colliders between them.
    pub(super) fn check_way(
        &self,
        entry: &RopeEntry,
        rope: &RopeState,
        fed: Option<u32>,
        named: &dyn Fn(&str) -> String,
    ) -> Result<()> {
        let refuse = |what: &str, given: String, expected: &str| Err(Error::input(named(what), given, expected));
        if rope.stops.len() < 2 || rope.spans.len() + 1 != rope.stops.len() {
            let given = format!("{} and {} guides", rope.spans.len(), rope.stops.len());
            return refuse("spans", given, "one less than guides");
        }
        let leads: Vec<u32> = rope.stops.iter().filter_map(|s| s.lead).collect();
        let ends = [rope.stops.first(), rope.stops.last()].map(|s| s.and_then(|s| s.lead));
        let last = entry.guides.len() as u32 - 1;
        // Grips are where they are, each once.
        let (mut grips, others): (Vec<u32>, Vec<u32>) =
            leads.iter().filter(|&&l| l <= last).partition(|&&l| entry.guides[l as usize].grip && l > 0 && l < last);
        let known = leads.len() == grips.len() + others.len();
        if ends != [Some(0), Some(last)] || !known || !others.is_sorted_by(|a, b| a < b) {
            return refuse("guides", format!("{leads:?}"), "its own, in their order, from start to end");
        }
        let can = |r: &Ride| entry.rides.iter().any(|e| e.grip == r.grip && e.wheel == r.wheel);
        let sound = |r: &Ride| r.at.is_finite() && r.angle.is_finite();
        if let Some(r) = rope.rides.iter().find(|r| !(can(r) && sound(r))) {
            return refuse("rides", format!("{r:?}"), "grips on sheaves that they can pass, with finite numbers");
        }
        grips.extend(rope.rides.iter().map(|r| r.grip));
        grips.sort_unstable();
        let all = (1..last).filter(|&k| entry.guides[k as usize].grip);
        if !all.eq(grips.iter().copied()) {
            return refuse("grips", format!("{grips:?}"), "all of them, each once");
        }
        for s in &rope.stops {
            let own = s.lead.map(|k| entry.guides[k as usize].body.0.slot);
            let found = s.found.and_then(|f| self.model.colliders.at(f.0.0.slot as usize)).map(|c| c.body.0.slot);
            let fed = fed.filter(|_| s.lead == Some(last));
            if fed.or(own).or(found).is_none_or(|slot| slot != s.body) {
                return refuse("body", format!("#{}", s.body), "the body of the guide");
            }
            if !s.groove.numbers().into_iter().chain(s.hold.numbers()).all(f64::is_finite) {
                return refuse("guide", format!("{:?}", s.groove), "finite numbers");
            }
        }
        let last = rope.stops.len() - 1;
        if let Some(s) = [&rope.stops[0], &rope.stops[last]].into_iter().find(|s| s.hold != Hold::Fast) {
            return refuse("end", format!("{:?}", s.hold), "one that it does not slip on");
        }
        Ok(())
    }

    fn check_snapshot(&self, s: &State) -> Result<()> {
        let (given, expected) = (s.edition, self.state.edition);
        if given != expected {
            return Err(Error::input(
                "snapshot edition",
                format!("{given:016x}"),
                format!(
                    "{expected:016x}, that of this world: bodies, joints, couplings, forces, colliders or deformables were added, \
                     removed, changed, cut or torn since the snapshot was taken, or it is of a world with other masses, joint rows or colliders"
                ),
            ));
        }
        let count = |name: &str, given: usize, expected: usize| match given == expected {
            true => Ok(()),
            false => Err(Error::input(format!("{name} of the snapshot"), given, format!("{expected}"))),
        };
        let now = &self.state;
        count("bodies", s.bodies.len(), now.bodies.len())?;
        count("multipliers", s.lambda.len(), now.lambda.len())?;
        count("stretches of rows", s.stretch.len(), now.stretch.len())?;
        count("lengths of ropes", s.reach.len(), now.reach.len())?;
        count("energies of elements", s.element_energy.len(), now.element_energy.len())?;
        count("couplings", s.couplings.len(), now.couplings.len())?;
        count("ropes", s.ropes.len(), now.ropes.len())?;
        count("heavy ropes", s.heavies.len(), now.heavies.len())?;
        for (slot, heavy) in s.heavies.iter().enumerate() {
            self.check_heavy(slot, heavy)?;
        }
        for (slot, rope) in s.ropes.iter().enumerate() {
            self.check_rope(slot, rope, self.fed_by(slot, s))?;
        }
        count("commands of motors", s.commands.len(), now.commands.len())?;
        count("gives of rows", s.give.len(), now.give.len())?;
        count("numbers of deformables", s.soft.len(), now.soft.len())?;
        count("joints", s.redundant.len(), now.redundant.len())?;
        count("turns of joints", s.turned.len(), now.turned.len())?;
        count("sleeping bodies", s.asleep, s.bodies.iter().filter(|b| b.group != 0).count())?;
        let numbers = s.lambda.iter().chain(&s.stretch).chain(&s.reach).chain(&s.give).chain(&s.element_energy);
        let numbers = numbers
            .chain(&s.potential_lag)
            .copied()
            .chain(s.commands.iter().flatten().flat_map(|c| [c.target, c.rate]));
        let numbers = numbers.chain(s.turned.iter().copied());
        let numbers = numbers.chain(s.soft.iter().copied()).chain([s.elements_lag]);
        let numbers = numbers.chain(s.couplings.iter().flat_map(|c| c.numbers()));
        let numbers = numbers.chain(s.ropes.iter().flat_map(|r| &r.spans).flat_map(|s| s.numbers()));
        let numbers = numbers.chain(s.ropes.iter().filter_map(|r| r.twist).flat_map(|t| t.numbers()));
        let forces = s.contacts.iter().chain(&s.resting).flat_map(|c| c.force.to_array().into_iter().chain([c.stored]));
        if let Some(x) = numbers.chain(forces).chain([s.time]).find(|x| !x.is_finite()) {
            return Err(Error::input("number of the snapshot", x, "a finite number"));
        }
        let sorted = |list: &[ContactRecord]| list.is_sorted_by_key(|c| c.id);
        if !sorted(&s.contacts)
            || !s.sensed.is_sorted()
            || s.bodies.iter().any(|b| b.group > s.groups)
            || s.stirred.iter().any(|&slot| slot >= s.bodies.len())
        {
            return Err(Error::input("order of the snapshot", "mixed up", "contacts, sensors and groups in order"));
        }
        let bad = s.bodies.iter().position(|b| !b.is_sound());
        bad.map_or(Ok(()), |slot| {
            let what = format!("{} in the snapshot", self.model.body_name(slot));
            Err(Error::input(what, format!("{:?}", s.bodies[slot]), "finite numbers and a unit quaternion"))
        })
    }
}

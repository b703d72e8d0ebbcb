//! Adding and removing joints.

use super::{Edit, World};
use crate::constraint::Side;
use crate::error::{Error, Result};
use crate::forest::tree::{self, Tree, TreeReport};
use crate::ids::{BodyId, JointId};
use crate::joints::{Command, Expanded, Joint, JointRows, Strength, TreeRole};
use crate::model::buried::Buried;
use crate::model::{BodyEntry, JointEntry, Model, Motion, identity};
use crate::tuning::T;
use glam::DVec3;

impl World {
    /// Adds a joint, or nothing. Users cannot reach one that is `owned`.
    pub(super) fn insert_joint(&mut self, joint: Joint, owned: bool) -> Result<JointId> {
        self.check_room()?;
        let Joint { kind, bodies: (i, j), place, def, strength, role, turns, enabled, user_data, name } = joint;
        let (a, b) = (self.model.body(i)?, self.model.body(j)?);
        if i == j {
            return Err(Error::input("joint bodies", format!("{i:?} and {j:?}"), "two different bodies"));
        }
        let free = |b: &BodyEntry| matches!(b.motion, Motion::Dynamic | Motion::Particle);
        if !free(a) && !free(b) {
            let expected = "at least one body that moves freely";
            return Err(Error::input("joint bodies", format!("{i:?} and {j:?}"), expected));
        }
        if let Some(s) = &strength {
            s.validate()?;
        }
        let (pose_i, pose_j) = (self.pose(i)?, self.pose(j)?);
        let frames = place.frames(kind.as_ref(), &pose_i, &pose_j)?;
        frames.i.validate("joint frame on body i")?;
        frames.j.validate("joint frame on body j")?;
        let apart = (pose_i.to_world(frames.i.origin) - pose_j.to_world(frames.j.origin)).length();
        let commands: Vec<Option<Command>> = def.motors.iter().map(|m| m.command).collect();
        for m in &def.motors {
            m.command.map_or(Ok(()), |c| c.suits(m.drive))?;
        }
        let (rows, bounds) = (Vec::new(), Vec::new());
        let mut entry = JointEntry {
            kind,
            def,
            apart,
            enabled,
            user_data,
            name,
            i,
            j,
            frames,
            chart: None,
            role,
            rows,
            bounds,
            turn: None,
            turns,
            row_start: 0,
            row_count: 0,
            command_start: 0,
            owned,
            strength,
        };
        self.expand(&mut entry)?;
        if turns != 0 && entry.turn.is_none() {
            let name = format!("turns of a {} joint", entry.kind.name());
            return Err(Error::input(name, turns, "none: it has no freedom that goes round"));
        }
        let start = entry.start(&self.side(i), &self.side(j));
        if role == TreeRole::Tree && entry.chart.is_none() {
            return Err(tree::no_chart(entry.kind.name().to_owned()));
        }
        self.wake_slot(i.0.slot as usize);
        self.wake_slot(j.0.slot as usize);
        let print = identity::joint(&entry);
        self.make_room(&mut entry, &commands);
        let key = self.model.joints.insert(entry);
        for body in [i, j] {
            if let Some(b) = self.model.bodies.get_mut(body.0) {
                b.joints.push(key.slot);
            }
        }
        let slot = key.slot as usize;
        if slot == self.state.redundant.len() {
            self.state.redundant.push(false);
            self.state.turned.push(start);
        } else {
            (self.state.redundant[slot], self.state.turned[slot]) = (false, start);
        }
        self.model.has_weak |= strength.is_some();
        self.edited_at((Edit::AddJoint, key.slot, print), [i, j]);
        Ok(JointId(key))
    }

    /// Makes the rows of a joint from its definition, and checks them against its bodies.
    pub(super) fn expand(&self, entry: &mut JointEntry) -> Result<()> {
        let (a, b) = (self.model.body(entry.i)?, self.model.body(entry.j)?);
        let kind = entry.kind.clone();
        let Expanded { rows: JointRows { rows, bounds, turn }, chart } =
            entry.def.expand(kind.as_ref(), entry.frames, entry.apart)?;
        for primitive in rows.iter().map(|s| s.primitive).chain(bounds.iter().map(|b| b.primitive)) {
            let (need_i, need_j) = primitive.needs_orientation();
            if (need_i && a.motion == Motion::Particle) || (need_j && b.motion == Motion::Particle) {
                return Err(Error::input(
                    format!("{} joint", kind.name()),
                    "on a particle",
                    "a body with an orientation, or a ball, distance or rope joint without motors",
                ));
            }
        }
        for (b, f, side) in [(a, &entry.frames.i, "i"), (b, &entry.frames.j, "j")] {
            if b.motion == Motion::Particle && f.origin != DVec3::ZERO {
                return Err(Error::input(
                    format!("joint point on particle {side}"),
                    f.origin,
                    "zero: a particle has no extent",
                ));
            }
        }
        if let Some(chart) = chart {
            crate::forest::agree(chart, kind.name(), &entry.frames, &rows)?;
        }
        (entry.row_count, entry.chart) = (rows.iter().map(|s| s.primitive.rows()).sum(), chart);
        (entry.rows, entry.bounds, entry.turn) = (rows, bounds, turn);
        self.check_motors(entry)
    }

    pub(super) fn drop_joint(&mut self, id: JointId) {
        self.drop_couplings_of(id);
        self.untie_heavy(id);
        if let Some(j) = self.model.joints.get(id.0) {
            let slots = [j.i.0.slot as usize, j.j.0.slot as usize];
            slots.into_iter().for_each(|s| self.wake_slot(s));
        }
        let Some(gone) = self.model.joints.remove(id.0) else { return };
        for body in [gone.i, gone.j] {
            if let Some(b) = self.model.bodies.get_mut(body.0) {
                b.joints.retain(|&slot| slot != id.0.slot);
            }
        }
        self.leave_room(&gone);
        self.state.redundant[id.0.slot as usize] = false;
        self.state.turned[id.0.slot as usize] = 0.0;
        self.state.potential_lag[1] = 0.0;
        if self.buries(&gone) {
            self.bury(id.0.slot as usize, gone);
        } else {
            self.edited_at((Edit::RemoveJoint, id.0.slot, 0), [gone.i, gone.j]);
        }
    }

    /// Whether a joint that is cut stays in layouts as a dead pivot for a while. That depends on the model and the options alone: worlds
    /// with the same history have the same layouts.
    fn buries(&self, gone: &JointEntry) -> bool {
        let direct = !(self.plan.reduced || self.plan.is_structured() || self.plan.alone);
        let plain = gone.row_count > 0 && !gone.is_bounded() && gone.motors().next().is_none() && !gone.owned;
        direct && plain && self.state.steps > 0 && self.model.bodies.len() > T.layout.large
    }

    /// Cuts a joint out of the layout that stands.
    fn bury(&mut self, slot: usize, entry: JointEntry) {
        let steps = self.state.steps;
        self.model.buried.retain(|b| steps < b.until);
        self.model.buried.push(Buried { slot, entry, until: Model::buried_until(steps) });
        self.note(Edit::RemoveJoint, slot as u32, 0);
        let bodies = self.model.buried.last().map(|b| [b.entry.i, b.entry.j].map(|b| b.0.slot as usize));
        if self.layout.is_none() {
            self.worn.note_joint(slot);
            self.wear_at(bodies.into_iter().flatten());
        }
        if let Some(layout) = &mut self.layout {
            layout.buried += 1;
            layout.t.bury(slot);
            // Others may be less crowded now.
            layout.stale |= layout.inputs.rows.any_soft;
        }
        self.scene.forget();
        self.forget();
    }

    /// Sets what a joint can carry; beyond it the joint breaks within the step and is gone. `None` makes it unbreakable.
    pub fn set_strength(&mut self, id: JointId, strength: Option<Strength>) -> Result<()> {
        self.model.joint(id)?;
        if let Some(s) = &strength {
            s.validate()?;
        }
        if let Some(j) = self.model.joints.get_mut(id.0) {
            j.strength = strength;
        }
        self.model.has_weak = self.model.joints.iter().any(|(_, j)| j.strength.is_some());
        Ok(())
    }

    /// Says whether a joint is to be coordinates or rows when coordinates are reduced.
    pub fn set_tree_role(&mut self, id: JointId, role: TreeRole) -> Result<()> {
        let j = self.model.joint(id)?;
        if role == TreeRole::Tree && j.chart.is_none() {
            return Err(tree::no_chart(self.model.joint_name(id.0.slot as usize)));
        }
        if let Some(j) = self.model.joints.get_mut(id.0).filter(|j| j.role != role) {
            j.role = role;
            self.restructured();
        }
        Ok(())
    }

    /// Which joints are coordinates and which stay rows when coordinates are reduced.
    pub fn tree(&self) -> Result<TreeReport> {
        let awake = |slot: usize| self.state.bodies[slot].group == 0;
        Ok(Tree::new(&self.model, awake)?.report(&self.model))
    }

    pub(super) fn side(&self, b: BodyId) -> Side {
        let s = &self.state.bodies[b.0.slot as usize];
        Side { pos: s.pos, rot: glam::DMat3::from_quat(s.rot) }
    }
}

//! Adding, changing and removing forces.

use super::body_ref::only;
use super::{Edit, World};
use crate::error::{Error, Result, finite_vec};
use crate::ids::{ForceId, JointId};
use crate::joints::{Distance, Joint, Softness};
use crate::math::pose::{Frame, Frames};
use crate::model::force::{Force, Spring};
use crate::model::{BodyEntry, ForceEntry, JointEntry, Motion, identity};
use glam::DVec3;

impl World {
    /// Adds a force that acts until it is removed.
    pub(super) fn insert_force(&mut self, force: Force, name: String) -> Result<ForceId> {
        let rod = self.check_force(&force)?;
        let joint = rod.map(|rod| self.insert_joint(rod, true)).transpose()?;
        self.wake_force(&force);
        let entry = ForceEntry { force, name, joint };
        let print = identity::force(&entry);
        let key = self.model.forces.insert(entry);
        self.edited(Edit::AddForce, key.slot, print);
        Ok(ForceId(key))
    }

    /// Refuses what cannot act; the row of a spring.
    fn check_force(&self, force: &Force) -> Result<Option<Joint>> {
        force.validate()?;
        let (i, j) = force.bodies();
        let a = self.model.body(i)?;
        let free = |b: &BodyEntry| matches!(b.motion, Motion::Dynamic | Motion::Particle);
        if !free(a) && j.is_none() {
            return Err(Error::input(
                "force body",
                self.model.body_name(i.0.slot as usize),
                "a body that moves freely",
            ));
        }
        if let (Force::Torque { torque, .. }, Motion::Particle) = (force, a.motion) {
            return Err(Error::input("torque", torque, "a rigid body: a particle does not rotate"));
        }
        if let (Force::Drag { angular, .. }, Motion::Particle) = (force, a.motion)
            && *angular > 0.0
        {
            return Err(Error::input("drag angular", angular, "zero: a particle does not rotate"));
        }
        for (body, point) in force.points() {
            if self.model.body(body)?.motion == Motion::Particle && point != DVec3::ZERO {
                return Err(Error::input("force point on a particle", point, "zero: a particle has no extent"));
            }
        }
        let (Force::Spring(s), Some(j)) = (force, j) else { return Ok(None) };
        let (a, b) = (self.model.body(i)?, self.model.body(j)?);
        if i == j || (!free(a) && !free(b)) {
            return Err(Error::input(
                "spring bodies",
                format!("{i:?} and {j:?}"),
                "two different bodies, at least one of which moves freely",
            ));
        }
        if s.stiffness == 0.0 && s.damping == 0.0 {
            return Err(Error::input("spring stiffness", 0.0, "stiffness or damping"));
        }
        Ok(Some(rod(s)))
    }

    /// All forces that act until they are removed, in a fixed order.
    pub fn forces(&self) -> impl Iterator<Item = ForceId> + '_ {
        self.model.forces.iter().map(|(k, _)| ForceId(k))
    }

    /// The force behind a handle.
    pub fn force(&self, id: ForceId) -> Result<Force> {
        Ok(self.model.force(id)?.force)
    }

    /// Name of a force; empty without one.
    pub fn force_name(&self, id: ForceId) -> Result<&str> {
        Ok(&self.model.force(id)?.name)
    }

    /// The force of that name; an error when there is none, or several.
    pub fn find_force(&self, name: &str) -> Result<ForceId> {
        only("force", name, self.model.forces.iter().filter(|(_, f)| f.name == name).map(|(k, _)| ForceId(k)))
    }

    /// Changes a force: its strength, its points, the numbers of a spring. Kind and bodies stay, and so does the tension of a spring until
    /// the next step.
    pub fn set_force(&mut self, id: ForceId, force: Force) -> Result<()> {
        let entry = self.model.force(id)?;
        let (before, owned) = (entry.force, entry.joint);
        if std::mem::discriminant(&before) != std::mem::discriminant(&force) || before.bodies() != force.bodies() {
            let expected = format!("a force of the same kind on the same bodies as {before:?}");
            return Err(Error::input("force", format!("{force:?}"), expected));
        }
        let rod = self.check_force(&force)?;
        let row = match (owned, rod) {
            (Some(joint), Some(rod)) => Some((joint, self.spring_row(joint, rod)?)),
            _ => None,
        };
        self.wake_force(&force);
        if let Some((joint, entry)) = row
            && let Some(j) = self.model.joints.get_mut(joint.0)
        {
            *j = entry;
        }
        if let Some(f) = self.model.forces.get_mut(id.0) {
            f.force = force;
        }
        // Drag is in the blocks, the ends of springs in the links.
        self.renumbered();
        Ok(())
    }

    /// The entry of a spring's row with other numbers.
    fn spring_row(&self, joint: JointId, rod: Joint) -> Result<JointEntry> {
        let mut entry = self.any_joint(joint)?.entry().clone();
        let (i, j) = (self.pose(entry.i)?, self.pose(entry.j)?);
        (entry.frames, entry.kind) = (rod.place.frames(rod.kind.as_ref(), &i, &j)?, rod.kind);
        self.expand(&mut entry)?;
        Ok(entry)
    }

    /// Moves the target of a mouse spring, m.
    pub fn set_mouse_target(&mut self, id: ForceId, target: DVec3) -> Result<()> {
        let force = self.model.force(id)?.force;
        finite_vec("mouse target", target, "m")?;
        self.wake_force(&force);
        match self.model.forces.get_mut(id.0) {
            Some(ForceEntry { force: Force::Mouse(m), .. }) => {
                m.target = target;
                Ok(())
            }
            _ => Err(Error::input("force", format!("{id:?}"), "a mouse spring")),
        }
    }

    pub(super) fn take_force(&mut self, id: ForceId) -> Result<()> {
        let ForceEntry { force, joint: owned, .. } = self.model.force(id)?.clone();
        self.wake_force(&force);
        self.model.forces.remove(id.0);
        if let Some(j) = owned {
            self.drop_joint(j);
        }
        self.edited(Edit::RemoveForce, id.0.slot, 0);
        Ok(())
    }

    /// Wakes the bodies of a force.
    fn wake_force(&mut self, force: &Force) {
        let (i, j) = force.bodies();
        [Some(i), j].into_iter().flatten().for_each(|b| self.wake_slot(b.0.slot as usize));
    }
}

/// The row of a spring; where rows would make a net it is a link instead (`topology::build`).
fn rod(s: &Spring) -> Joint {
    let frame = |origin| Frame { origin, u: DVec3::X, v: DVec3::Y, n: DVec3::Z };
    // A rest length of zero has no direction at rest; the row needs a positive one.
    let length = s.rest_length.max(f64::MIN_POSITIVE);
    let kind = Distance { length: Some(length), soft: Softness::spring(s.stiffness, s.damping) };
    Joint::of(kind, s.i, s.j).frames(Frames { i: frame(s.point_i), j: frame(s.point_j) })
}

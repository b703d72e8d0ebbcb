//! Adding and removing forces.

use super::{Edit, World};
use crate::error::{Error, Result, finite_vec};
use crate::ids::ForceId;
use crate::joints::{Distance, Softness};
use crate::math::pose::{Frame, Frames};
use crate::model::force::Force;
use crate::model::{ForceEntry, Motion, identity};
use glam::DVec3;

impl World {
    /// Adds a force that acts until it is removed.
    pub fn add_force(&mut self, force: Force) -> Result<ForceId> {
        force.validate()?;
        let (i, j) = force.bodies();
        let a = self.model.body(i)?;
        if !a.is_node() && j.is_none() {
            return Err(Error::input(
                "force body",
                self.model.body_name(i.0.slot as usize),
                "a body that moves freely",
            ));
        }
        if let (Force::Torque { torque, .. }, Motion::Particle) = (&force, a.motion) {
            return Err(Error::input("torque", torque, "a rigid body: a particle does not rotate"));
        }
        if let (Force::Drag { angular, .. }, Motion::Particle) = (&force, a.motion)
            && *angular > 0.0
        {
            return Err(Error::input("drag angular", angular, "zero: a particle does not rotate"));
        }
        for (body, point) in force.points() {
            if self.model.body(body)?.motion == Motion::Particle && point != DVec3::ZERO {
                return Err(Error::input("force point on a particle", point, "zero: a particle has no extent"));
            }
        }
        let a = self.model.body(i)?;
        let mut joint = None;
        if let (Force::Spring(s), Some(j)) = (&force, j) {
            let b = self.model.body(j)?;
            if i == j || (!a.is_node() && !b.is_node()) {
                return Err(Error::input(
                    "spring bodies",
                    format!("{i:?} and {j:?}"),
                    "two different bodies, at least one of which moves freely",
                ));
            }
            if s.stiffness == 0.0 && s.damping == 0.0 {
                return Err(Error::input("spring stiffness", 0.0, "stiffness or damping"));
            }
            // The row of the spring; where rows would make a net it is a link instead (`topology::build`).
            let frame = |origin| Frame { origin, u: DVec3::X, v: DVec3::Y, n: DVec3::Z };
            let frames = Frames { i: frame(s.point_i), j: frame(s.point_j) };
            // A rest length of zero has no direction at rest; the row needs a positive one.
            let rod = Distance {
                length: s.rest_length.max(f64::MIN_POSITIVE),
                soft: Softness::spring(s.stiffness, s.damping),
            };
            joint = Some(self.insert_joint(i, j, &rod, frames, String::new(), true)?);
        }
        self.wake_force(&force);
        let entry = ForceEntry { force, joint };
        let print = identity::force(&entry);
        let key = self.model.forces.insert(entry);
        self.edited(Edit::AddForce, key.slot, print);
        Ok(ForceId(key))
    }

    /// All forces that act until they are removed, in a fixed order.
    pub fn forces(&self) -> impl Iterator<Item = ForceId> + '_ {
        self.model.forces.iter().map(|(k, _)| ForceId(k))
    }

    /// The force behind a handle.
    pub fn force(&self, id: ForceId) -> Result<Force> {
        Ok(self.model.force(id)?.force)
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

    /// Removes a force.
    pub fn remove_force(&mut self, id: ForceId) -> Result<()> {
        let ForceEntry { force, joint: owned } = self.model.force(id)?.clone();
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

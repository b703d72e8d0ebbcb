//! Changing bodies in mid-run. Poses, velocities and the multipliers of their joints stay as they are.

use super::World;
use crate::error::{Error, Result, finite, non_negative};
use crate::ids::BodyId;
use crate::joints::{Joint, Locks, SixDof};
use crate::mass::MassProperties;
use crate::math::pose::{Frame, Frames};
use crate::model::{BodyEntry, Motion};
use glam::DVec3;

impl World {
    /// Changes one thing of a body; `numbers` says that no more than numbers have changed.
    pub(super) fn change_body(
        &mut self,
        id: BodyId,
        numbers: bool,
        change: impl FnOnce(&mut BodyEntry) -> Result<()>,
    ) -> Result<()> {
        let mut entry = self.model.body(id)?.clone();
        let before = entry.weight();
        change(&mut entry)?;
        self.wake_around(id);
        // The centred energy knows the body by the weight that it has now.
        let s = &self.state.bodies[id.0.slot as usize];
        let drop = s.regime.h_prev * self.options.gravity.dot(s.vel);
        self.state.potential_lag[0] += 0.5 * (before - entry.weight()) * drop;
        if let Some(b) = self.model.bodies.get_mut(id.0) {
            *b = entry;
        }
        if numbers {
            self.renumbered();
        } else {
            self.restructured();
        }
        Ok(())
    }

    fn refuse_ground(&self, id: BodyId) -> Result<()> {
        if id == self.ground {
            return Err(Error::input("body", format!("{id:?} (ground)"), "a body other than the ground"));
        }
        Ok(())
    }

    /// Gives a body another mass and inertia about its centre of mass, which stays where it is.
    pub fn set_mass(&mut self, id: BodyId, mass: &MassProperties) -> Result<()> {
        let motion = self.model.body(id)?.motion;
        if !matches!(motion, Motion::Dynamic | Motion::Particle) {
            let name = self.model.body_name(id.0.slot as usize);
            return Err(Error::input("body of the mass", name, "a body that moves freely"));
        }
        self.change_body(id, true, |b| b.weigh(motion, Some(mass)))
    }

    /// Makes a body move in another way. One that begins to move freely needs a mass; one that stops keeps its pose and stands still.
    /// Particles stay particles.
    pub fn set_motion(&mut self, id: BodyId, motion: Motion, mass: Option<&MassProperties>) -> Result<()> {
        self.refuse_ground(id)?;
        let before = self.model.body(id)?;
        if (before.motion == Motion::Particle) != (motion == Motion::Particle) {
            let expected = "a rigid body stays one, and a particle a particle";
            return Err(Error::input("motion", format!("{motion:?} of a {:?} body", before.motion), expected));
        }
        let kept = self.body(id)?.mass_properties();
        let mass = mass.or((kept.mass > 0.0).then_some(&kept));
        for &c in &before.colliders {
            let c = self.model.collider(c)?;
            if motion == Motion::Dynamic && !c.shape.is_solid() {
                let expected = "colliders with a volume on a body that moves freely";
                return Err(Error::input("motion", format!("Dynamic with a {}", c.shape.name()), expected));
            }
        }
        self.change_body(id, false, |b| b.weigh(motion, mass))?;
        self.stir(id);
        if let Some(s) = self.state.bodies.get_mut(id.0.slot as usize).filter(|_| motion != Motion::Dynamic) {
            (s.vel, s.omega) = (DVec3::ZERO, DVec3::ZERO);
        }
        Ok(())
    }

    /// Sets the decay rates of linear and angular velocity, 1/s.
    pub fn set_damping(&mut self, id: BodyId, linear: f64, angular: f64) -> Result<()> {
        non_negative("linear damping", linear, "1/s")?;
        non_negative("angular damping", angular, "1/s")?;
        self.change_body(id, true, |b| {
            (b.linear_damping, b.angular_damping) = (linear, angular);
            Ok(())
        })
    }

    /// Sets how much of gravity a body feels, no unit: 1 is all, 0 none.
    pub fn set_gravity_scale(&mut self, id: BodyId, scale: f64) -> Result<()> {
        finite("gravity scale", scale, "")?;
        self.change_body(id, true, |b| {
            b.gravity_scale = scale;
            Ok(())
        })
    }

    /// Switches a body on or off. One that is off stands where it is, carries nothing and meets nothing; its joints and forces rest. It
    /// goes on with the velocity it had.
    pub fn set_body_enabled(&mut self, id: BodyId, enabled: bool) -> Result<()> {
        self.refuse_ground(id)?;
        if self.model.body(id)?.enabled == enabled {
            return Ok(());
        }
        self.change_body(id, false, |b| {
            b.enabled = enabled;
            Ok(())
        })?;
        if !enabled {
            self.forget_reach(|_, j| j.i == id || j.j == id);
        }
        self.stir(id);
        Ok(())
    }

    /// Gives a body a number of the user's own.
    pub fn set_user_data(&mut self, id: BodyId, data: u64) -> Result<()> {
        self.model.body(id)?;
        if let Some(b) = self.model.bodies.get_mut(id.0) {
            b.user_data = data;
        }
        Ok(())
    }

    /// Locks directions of the world in which a body can then not move or turn, from where it is now.
    pub fn set_locks(&mut self, id: BodyId, locks: Locks) -> Result<()> {
        let body = self.model.body(id)?;
        let (before, held) = body.locks;
        if before == locks {
            return Ok(());
        }
        if !matches!(body.motion, Motion::Dynamic | Motion::Particle) {
            let name = self.model.body_name(id.0.slot as usize);
            return Err(Error::input("body of the locks", name, "a body that moves freely"));
        }
        if body.motion == Motion::Particle && locks.angular != [false; 3] {
            return Err(Error::input("locks of a particle", format!("{locks:?}"), "linear ones: it does not rotate"));
        }
        if let Some(joint) = held {
            self.drop_joint(joint);
        }
        let mut joint = None;
        if locks != Locks::NONE {
            let pose = self.pose(id)?;
            let world = |origin| Frame { origin, u: DVec3::X, v: DVec3::Y, n: DVec3::Z };
            let back = pose.rot.inverse();
            let own = Frame { origin: DVec3::ZERO, u: back * DVec3::X, v: back * DVec3::Y, n: back * DVec3::Z };
            let def = SixDof::between(self.ground, id, locks).frames(Frames { i: world(pose.pos), j: own });
            joint = Some(self.insert_joint(Joint { name: "locks".into(), ..def }, true)?);
        }
        if let Some(b) = self.model.bodies.get_mut(id.0) {
            b.locks = (locks, joint);
        }
        Ok(())
    }
}

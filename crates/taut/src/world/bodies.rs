//! Adding, removing, moving and loading bodies.

use super::{Edit, World};
use crate::error::{Error, Result, finite_vec};
use crate::ids::{BodyId, ForceId, JointId};
use crate::math::pose::{Pose, unit};
use crate::model::body::Body;
use crate::model::{Motion, identity};
use crate::rows::UNKNOWN;
use crate::state::BodyState;
use glam::DVec3;

impl World {
    /// Adds a body with its colliders and locks, or nothing.
    pub(super) fn insert_body(&mut self, mut def: Body) -> Result<BodyId> {
        self.check_room()?;
        let (body, pose) = def.build()?;
        super::field::check_top_speed(body.motion, body.top_speed)?;
        let print = identity::body(&body);
        let key = self.model.bodies.insert(body);
        let state = BodyState::new(pose.pos, pose.rot, def.velocity, def.angular_velocity);
        match self.state.bodies.get_mut(key.slot as usize) {
            Some(slot) => *slot = state,
            None => self.state.bodies.push(state),
        }
        let id = BodyId(key);
        self.edited_at((Edit::AddBody, key.slot, print), [id]);
        let colliders = std::mem::take(&mut def.colliders);
        let added = colliders.into_iter().try_for_each(|c| self.insert_collider(id, c).map(drop));
        if let Err(e) = added.and_then(|()| self.set_locks(id, def.locks)) {
            self.take_body(id)?;
            return Err(e);
        }
        Ok(id)
    }

    /// Removes a body with the joints, couplings, ropes, forces and colliders on it.
    pub(super) fn take_body(&mut self, id: BodyId) -> Result<()> {
        self.model.body(id)?;
        if id == self.ground {
            return Err(Error::input("body", format!("{id:?} (ground)"), "a body other than the ground"));
        }
        if let Some(slot) = self.model.soft_on(id) {
            let body = self.model.body_name(id.0.slot as usize);
            let what = self.model.deformable_name(slot);
            return Err(Error::input("body", body, format!("one that carries no nodes: remove {what} first")));
        }
        self.wake_around(id);
        let forces: Vec<ForceId> = self
            .model
            .forces
            .iter()
            .filter(|(_, f)| f.force.bodies().0 == id || f.force.bodies().1 == Some(id))
            .map(|(k, _)| ForceId(k))
            .collect();
        for f in forces {
            self.take_force(f)?;
        }
        let joints: Vec<JointId> = self.model.joints_on(id).map(|(k, _)| JointId(k)).collect();
        for j in joints {
            self.drop_joint(j);
        }
        self.drop_ropes_of(id);
        let colliders = self.model.body(id)?.colliders.clone();
        for c in colliders {
            self.take_collider(c)?;
        }
        self.model.collisions.retain(|&(i, j), _| i != id && j != id);
        // The centred energy forgets the body with the body.
        let s = &self.state.bodies[id.0.slot as usize];
        let weight = self.model.body(id)?.weight();
        self.state.potential_lag[0] += 0.5 * weight * s.regime.h_prev * self.options.gravity.dot(s.vel);
        self.model.bodies.remove(id.0);
        self.edited_at((Edit::RemoveBody, id.0.slot, 0), [id]);
        Ok(())
    }

    /// Moves a body at once (for a kinematic body that should push others, use `set_target`).
    pub fn set_pose(&mut self, id: BodyId, pose: Pose) -> Result<()> {
        self.model.body(id)?;
        finite_vec("position", pose.pos, "m")?;
        let rot = unit(pose.rot)?;
        self.wake_around(id);
        let s = &mut self.state.bodies[id.0.slot as usize];
        (s.pos, s.rot) = (pose.pos, rot);
        if let Some(scene) = self.scene.change() {
            scene.touch(id.0.slot as usize);
        }
        self.stir(id);
        // What its joints were stretched by in the last step says nothing of the new pose.
        for (_, j) in self.model.joints_on(id) {
            self.state.stretch[j.row_start..j.row_start + j.state_rows()].fill(UNKNOWN);
        }
        self.unsettle_couplings_of(id);
        self.unsettle_ropes_of(id);
        Ok(())
    }

    /// Sets velocity (m/s) and angular velocity (rad/s, world frame); a kinematic body goes on moving like that.
    pub fn set_velocity(&mut self, id: BodyId, velocity: DVec3, angular: DVec3) -> Result<()> {
        let b = self.model.body(id)?;
        finite_vec("velocity", velocity, "m/s")?;
        finite_vec("angular velocity", angular, "rad/s")?;
        match b.motion {
            Motion::Fixed if velocity != DVec3::ZERO || angular != DVec3::ZERO => {
                return Err(Error::input("velocity of a fixed body", velocity, "zero, or a kinematic body"));
            }
            Motion::Particle if angular != DVec3::ZERO => {
                return Err(Error::input(
                    "angular velocity of a particle",
                    angular,
                    "zero: a particle does not rotate",
                ));
            }
            _ => {}
        }
        let s = &self.state.bodies[id.0.slot as usize];
        if (s.vel, s.omega) != (velocity, angular) {
            self.wake_around(id);
            let s = &mut self.state.bodies[id.0.slot as usize];
            (s.vel, s.omega) = (velocity, angular);
            // The new velocity belongs to the pose, not half a step before it.
            s.regime.h_prev = 0.0;
        }
        Ok(())
    }

    /// Where a kinematic body must be after the next step; it moves there at constant velocity.
    pub fn set_target(&mut self, id: BodyId, pose: Pose) -> Result<()> {
        let b = self.model.body(id)?;
        if b.motion != Motion::Kinematic {
            return Err(Error::input("body", self.model.body_name(id.0.slot as usize), "a kinematic body"));
        }
        finite_vec("target position", pose.pos, "m")?;
        let rot = unit(pose.rot)?;
        if let Some(b) = self.model.bodies.get_mut(id.0) {
            b.target = Some(Pose { pos: pose.pos, rot });
        }
        self.model.is_loaded = true;
        self.wake_around(id);
        Ok(())
    }

    /// Pushes a body at a world point during the next step, N; forces add up.
    pub fn apply_force(&mut self, id: BodyId, force: DVec3, point: DVec3) -> Result<()> {
        finite_vec("force", force, "N")?;
        finite_vec("force point", point, "m")?;
        let torque = self.moment(id, force, point)?;
        self.add_load(id, force, torque)
    }

    /// Twists a body during the next step, N m, world frame; torques add up.
    pub fn apply_torque(&mut self, id: BodyId, torque: DVec3) -> Result<()> {
        let body = self.model.body(id)?;
        finite_vec("torque", torque, "N m")?;
        if body.motion == Motion::Particle {
            return Err(Error::input("torque", torque, "a rigid body: a particle does not rotate"));
        }
        self.add_load(id, DVec3::ZERO, torque)
    }

    /// Hits a body at a world point: changes its velocities at once by an impulse, N s. Joints answer in the next step.
    pub fn apply_impulse(&mut self, id: BodyId, impulse: DVec3, point: DVec3) -> Result<()> {
        finite_vec("impulse", impulse, "N s")?;
        finite_vec("impulse point", point, "m")?;
        let turn = self.moment(id, impulse, point)?;
        self.kick(id, impulse, turn)
    }

    /// Gives a body a spin at once: an angular impulse, N m s, world frame.
    pub fn apply_angular_impulse(&mut self, id: BodyId, impulse: DVec3) -> Result<()> {
        finite_vec("angular impulse", impulse, "N m s")?;
        if self.model.body(id)?.motion == Motion::Particle {
            return Err(Error::input("angular impulse", impulse, "a rigid body: a particle does not rotate"));
        }
        self.kick(id, DVec3::ZERO, impulse)
    }

    /// Moment of a force or impulse at a world point about the centre of mass.
    fn moment(&self, id: BodyId, force: DVec3, point: DVec3) -> Result<DVec3> {
        let particle = self.model.body(id)?.motion == Motion::Particle;
        let arm = point - self.state.bodies[id.0.slot as usize].pos;
        Ok(if particle { DVec3::ZERO } else { arm.cross(force) })
    }

    fn kick(&mut self, id: BodyId, impulse: DVec3, turn: DVec3) -> Result<()> {
        let b = self.model.body(id)?;
        if !b.is_node() {
            let name = self.model.body_name(id.0.slot as usize);
            return Err(Error::input("body of an impulse", name, "a body that moves freely"));
        }
        let s = &self.state.bodies[id.0.slot as usize];
        let spin = if b.motion == Motion::Particle {
            DVec3::ZERO
        } else {
            s.rot * (b.inertia.inverse() * (s.rot.inverse() * turn))
        };
        let (velocity, angular) = (s.vel + impulse / b.mass, s.omega + spin);
        finite_vec("velocity after the impulse", velocity, "m/s")?;
        finite_vec("angular velocity after the impulse", angular, "rad/s")?;
        self.wake_around(id);
        let s = &mut self.state.bodies[id.0.slot as usize];
        (s.vel, s.omega) = (velocity, angular);
        Ok(())
    }

    fn add_load(&mut self, id: BodyId, force: DVec3, torque: DVec3) -> Result<()> {
        let name = self.model.body_name(id.0.slot as usize);
        let Some(b) = self.model.bodies.get_mut(id.0) else { return Ok(()) };
        if !b.is_node() {
            return Err(Error::input("body of a force or torque", name, "a body that moves freely"));
        }
        let sum = (b.load.0 + force, b.load.1 + torque);
        finite_vec("sum of the forces on a body", sum.0, "N")?;
        finite_vec("sum of the torques on a body", sum.1, "N m")?;
        b.load = sum;
        self.model.is_loaded = true;
        self.wake_slot(id.0.slot as usize);
        Ok(())
    }
}

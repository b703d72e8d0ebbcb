//! Adding, removing, moving and loading bodies.

use super::{Edit, World};
use crate::error::{Error, Result, finite_vec};
use crate::ids::{BodyId, ForceId, JointId};
use crate::mass::Solid;
use crate::math::pose::{Pose, unit};
use crate::model::{BodyDef, Motion, identity};
use crate::rows::UNKNOWN;
use crate::state::BodyState;
use glam::{DMat3, DVec3};

/// What a body is and does.
#[derive(Clone, Debug)]
pub struct BodyView {
    /// How it moves.
    pub motion: Motion,
    /// Mass, kg; zero for bodies that do not move freely.
    pub mass: f64,
    /// Inertia about its centre of mass along its own axes, kg m^2; zero for particles and bodies that do not move freely.
    pub inertia: DMat3,
    /// The solid that its mass was made from, about the centre of mass along its own axes; none when only numbers were given.
    pub solid: Option<Solid>,
    /// Pose of its centre of mass.
    pub pose: Pose,
    /// Velocity of the centre of mass, m/s. It belongs half a step before the pose.
    pub velocity: DVec3,
    /// Angular velocity, world frame, rad/s.
    pub angular_velocity: DVec3,
    /// Its name.
    pub name: String,
}

impl World {
    /// Adds a body.
    pub fn add_body(&mut self, def: BodyDef) -> Result<BodyId> {
        self.check_room()?;
        let (body, pose) = def.build()?;
        let print = identity::body(&body);
        let key = self.model.bodies.insert(body);
        let state = BodyState::new(pose.pos, pose.rot, def.velocity, def.angular_velocity);
        match self.state.bodies.get_mut(key.slot as usize) {
            Some(slot) => *slot = state,
            None => self.state.bodies.push(state),
        }
        self.edited(Edit::AddBody, key.slot, print);
        Ok(BodyId(key))
    }

    /// Removes a body with the joints, forces and colliders on it.
    pub fn remove_body(&mut self, id: BodyId) -> Result<()> {
        self.model.body(id)?;
        if id == self.ground {
            return Err(Error::input("body", format!("{id:?} (ground)"), "a body other than the ground"));
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
            self.remove_force(f)?;
        }
        let joints: Vec<JointId> =
            self.model.joints.iter().filter(|(_, j)| j.i == id || j.j == id).map(|(k, _)| JointId(k)).collect();
        for j in joints {
            self.drop_joint(j);
        }
        let colliders = self.model.body(id)?.colliders.clone();
        for c in colliders {
            self.remove_collider(c)?;
        }
        self.model.collisions.retain(|&(i, j), _| i != id && j != id);
        // The centred energy forgets the body with the body.
        let s = &self.state.bodies[id.0.slot as usize];
        let mass = self.model.body(id)?.mass;
        self.state.potential_lag[0] += 0.5 * mass * s.regime.h_prev * self.options.gravity.dot(s.vel);
        self.model.bodies.remove(id.0);
        self.edited(Edit::RemoveBody, id.0.slot, 0);
        Ok(())
    }

    /// Looks at a body.
    pub fn body(&self, id: BodyId) -> Result<BodyView> {
        let b = self.model.body(id)?;
        let s = &self.state.bodies[id.0.slot as usize];
        Ok(BodyView {
            motion: b.motion,
            mass: b.mass,
            inertia: b.inertia,
            solid: b.solid,
            pose: Pose { pos: s.pos, rot: s.rot },
            velocity: s.vel,
            angular_velocity: s.omega,
            name: b.name.clone(),
        })
    }

    /// All bodies, in a fixed order; the ground is the first.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.model.bodies.iter().map(|(k, _)| BodyId(k))
    }

    /// Moves a body at once (for a kinematic body that should push others, use `set_target`).
    pub fn set_pose(&mut self, id: BodyId, pose: Pose) -> Result<()> {
        self.model.body(id)?;
        finite_vec("position", pose.pos, "m")?;
        let rot = unit(pose.rot)?;
        self.wake_around(id);
        let s = &mut self.state.bodies[id.0.slot as usize];
        (s.pos, s.rot) = (pose.pos, rot);
        if let Some(scene) = &mut self.scene {
            scene.touch(id.0.slot as usize);
        }
        self.stir(id);
        // What its joints were stretched by in the last step says nothing of the new pose.
        for (_, j) in self.model.joints.iter().filter(|(_, j)| j.i == id || j.j == id) {
            self.state.stretch[j.row_start..j.row_start + j.state_rows()].fill(UNKNOWN);
        }
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
        let body = self.body(id)?;
        let torque = if body.motion == Motion::Particle { DVec3::ZERO } else { (point - body.pose.pos).cross(force) };
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

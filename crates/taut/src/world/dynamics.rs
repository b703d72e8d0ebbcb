//! The mechanism in its own freedoms, and efforts at joints.

use super::World;
use crate::dynamics::Dynamics;
use crate::dynamics::pushes::{Wrench, wrenches};
use crate::error::{Error, Result};
use crate::ids::{BodyId, JointId};
use crate::math::pose::Pose;
use crate::math::twist::Twist;

impl World {
    /// The mechanism at the present pose and velocity in its own freedoms: inverse dynamics, Jacobians, mass matrix,
    /// statics. Bodies that sleep count like the others. Couplings between joints are loop rows beside those of joints
    /// ([`crate::control::LoopRow::coupling`]), or springs where they give way. Which joints are freedoms and which are loop rows is what
    /// [`World::tree`] tells of a world that is awake; [`World::set_tree_role`] chooses.
    pub fn dynamics(&self) -> Result<Dynamics> {
        if let Some(soft) = self.model.first_deformable() {
            let expected = "a world without deformables: their freedoms are not those of joints";
            return Err(Error::input("dynamics", format!("with {soft}"), expected));
        }
        if self.model.field.is_on() {
            let expected = "a world without: what they add to mass and force is not known to it";
            return Err(Error::input("dynamics", "with water or wind", expected));
        }
        Dynamics::new(&self.model, &self.state, self.options.gravity)
    }

    /// Pushes at the freedoms of a joint during the next step, N or N m each: on body i, and the opposite on body j;
    /// efforts add up. One number for each freedom that the joint leaves, in the order of [`crate::control::Dof::index`]. Of a
    /// joint without a chart (a wheel, one that gives way) one for each motor, or where it has none for each of its
    /// [`crate::JointRef::freedoms`] that no row of it holds: the spin of a wheel, and its steering. Loads of [`World::apply_force`] and these are the same:
    /// [`World::dynamics`] counts them as acting until the step is done.
    pub fn apply_effort(&mut self, joint: JointId, effort: &[f64]) -> Result<()> {
        let j = self.model.joint(joint)?;
        let (i, base) = (j.i, j.j);
        let pose = |id: BodyId| {
            let s = &self.state.bodies[id.0.slot as usize];
            Pose { pos: s.pos, rot: s.rot }
        };
        let units = wrenches(&self.model, j, &pose(i), &pose(base));
        if units.is_empty() || effort.len() != units.len() || effort.iter().any(|e| !e.is_finite()) {
            let name = self.model.joint_name(joint.0.slot as usize);
            let expected = match units.len() {
                0 => {
                    "a joint that leaves something free between two bodies that are no particles, or has motors".into()
                }
                n => format!("{n} finite numbers of N or N m, one for each freedom"),
            };
            return Err(Error::input(format!("effort at {name}"), format!("{effort:?}"), expected));
        }
        let sum =
            |of: fn(&Wrench) -> Twist| units.iter().zip(effort).fold(Twist::default(), |sum, (w, &e)| sum + e * of(w));
        let (on_i, on_j) = (sum(|w| w.i), sum(|w| w.j));
        let before = [i, base].map(|b| self.model.bodies.get(b.0).map(|b| b.load));
        let done = self.load(i, on_i).and_then(|()| self.load(base, on_j));
        if done.is_err() {
            for (b, load) in [i, base].into_iter().zip(before) {
                if let (Some(b), Some(load)) = (self.model.bodies.get_mut(b.0), load) {
                    b.load = load;
                }
            }
        }
        done
    }

    /// Loads a body that moves freely for the next step.
    fn load(&mut self, id: BodyId, load: Twist) -> Result<()> {
        let (node, at) = (self.model.body(id)?.is_node(), self.state.bodies[id.0.slot as usize].pos);
        if !node {
            return Ok(());
        }
        self.apply_force(id, load.lin, at)?;
        if load.ang == glam::DVec3::ZERO { Ok(()) } else { self.apply_torque(id, load.ang) }
    }
}

//! Weld (rigid joint): no relative motion. A ball and three dot-1 rows: the same motion as the paper's three dot-1
//! and three dot-2 rows (to rounding, where phi = 0), without their dense geometric stiffness. 6 rows.

use super::{Axis, Chart, Joint, JointKind, RowBuilder, Softness};
use crate::ids::BodyId;

/// Rigid joint.
///
/// A bracket of 10 kg, 1 m long, stands out of a wall. The weld carries its weight and the moment m g l/2.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let steel = MassProperties::cuboid(1000.0, Vec3::new(0.5, 0.05, 0.05))?;
/// let bracket = world.add(Body::dynamic(steel).at(0.5 * Vec3::X))?;
/// let wall = world.add(Weld::between(bracket, world.ground()).at(Vec3::ZERO))?;
/// world.step(0.01)?;
/// assert!((world.joint(wall)?.force().y - 98.1).abs() < 1e-6);
/// assert!((world.joint(wall)?.torque().z - 98.1 * 0.5).abs() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weld {
    /// Give of the ball, m/N.
    pub point: Softness,
    /// Give of the three locked rotations, rad/(N m).
    pub angular: Softness,
}

impl Weld {
    /// A weld of body i to body j.
    pub fn between(i: BodyId, j: BodyId) -> Joint {
        Joint::of(Weld::default(), i, j)
    }
}

impl JointKind for Weld {
    fn name(&self) -> &'static str {
        "weld"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.point(self.point);
        r.dot1(Axis::N, Axis::U, self.angular);
        r.dot1(Axis::N, Axis::V, self.angular);
        r.dot1(Axis::U, Axis::V, self.angular);
    }
    fn chart(&self) -> Option<Chart> {
        (self.point.is_rigid() && self.angular.is_rigid()).then_some(Chart::Fixed)
    }
    fn has_axis(&self) -> bool {
        false
    }
}

/// A weld that measures: a force-torque sensor. What it carries is read with [`JointRef::wrench`](crate::JointRef::wrench), in the
/// axes of the sensor.
///
/// A gripper of 3 kg below a wrist: the sensor reads its weight along N, the third of its axes.
/// ```
/// use taut::{Body, ForceTorque, MassProperties, Vec3, World};
/// let mut world = World::new();
/// let gripper = MassProperties::cuboid(1000.0, Vec3::splat(0.1))?.with_mass(3.0)?;
/// let gripper = world.add(Body::dynamic(gripper).at(-0.1 * Vec3::Y))?;
/// let sensor = world.add(ForceTorque::between(gripper, world.ground()).at(Vec3::ZERO).axis(Vec3::Y))?;
/// world.step(0.001)?;
/// let reading = world.joint(sensor)?.wrench();
/// assert!((reading.force.z - 3.0 * 9.81).abs() < 1e-6 && reading.torque.length() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ForceTorque {
    /// Give of the ball, m/N.
    pub point: Softness,
    /// Give of the three locked rotations, rad/(N m).
    pub angular: Softness,
}

impl ForceTorque {
    /// A sensor that holds body i on body j. Its axis N lies along the axis that it is given, y without one.
    pub fn between(i: BodyId, j: BodyId) -> Joint {
        Joint::of(ForceTorque::default(), i, j)
    }
}

impl JointKind for ForceTorque {
    fn name(&self) -> &'static str {
        "force-torque"
    }
    fn rows(&self, r: &mut RowBuilder) {
        Weld { point: self.point, angular: self.angular }.rows(r);
    }
    fn chart(&self) -> Option<Chart> {
        Weld { point: self.point, angular: self.angular }.chart()
    }
    fn has_axis(&self) -> bool {
        false
    }
}

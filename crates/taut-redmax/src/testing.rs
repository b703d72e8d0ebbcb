//! Random numbers and joints by their charts, for the tests of this crate.

use glam::DVec3;
use taut::inner::exp;
use taut::{
    Axis, Ball, Cylindrical, Hinge, JointKind, MassProperties, Planar, Pose, Prismatic, Softness, Universal, Weld,
    joints::Chart, joints::RowBuilder, joints::Translational,
};

#[path = "../../taut-solve/tests/common/mod.rs"]
mod common;

/// Numbers between -1 and 1, and what they make.
pub(crate) struct Random(common::Rng);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(common::Rng(seed))
    }

    /// A whole number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    pub fn vec(&mut self) -> DVec3 {
        self.0.vec(1.0)
    }

    pub fn pose(&mut self) -> Pose {
        Pose { pos: self.vec(), rot: exp(2.0 * self.vec()) }
    }

    pub fn mass(&mut self) -> MassProperties {
        MassProperties::cuboid(3.0, DVec3::splat(0.3) + 0.2 * self.vec()).unwrap()
    }
}

/// Charts that no joint of the library has.
#[derive(Debug)]
pub(crate) struct Charted(pub Chart);

impl JointKind for Charted {
    fn name(&self) -> &'static str {
        self.0.name()
    }
    fn rows(&self, r: &mut RowBuilder) {
        if self.0 == Chart::Spherical {
            return r.point(Softness::RIGID);
        }
        Translational::default().rows(r);
        r.dot2(Axis::N, Softness::RIGID);
    }
    fn chart(&self) -> Option<Chart> {
        Some(self.0)
    }
}

/// A joint with the given chart, which is not `Free`.
pub(crate) fn joint_of(chart: Chart) -> Box<dyn JointKind> {
    match chart {
        Chart::Fixed => Box::new(Weld::default()),
        Chart::Hinge => Box::new(Hinge::default()),
        Chart::Prismatic => Box::new(Prismatic::default()),
        Chart::Cylindrical => Box::new(Cylindrical::default()),
        Chart::Planar => Box::new(Planar::default()),
        Chart::Translational => Box::new(Translational::default()),
        Chart::Universal => Box::new(Universal::default()),
        Chart::Ball => Box::new(Ball::default()),
        other => Box::new(Charted(other)),
    }
}

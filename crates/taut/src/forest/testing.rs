//! Random numbers and worlds for the tests of this module.

use crate::ids::BodyId;
#[cfg(test)]
use crate::joints::chart::Chart;
use crate::joints::{
    Axis, Ball, Cylindrical, Hinge, Joint, JointKind, Planar, Prismatic, RowBuilder, Softness, Translational,
    Universal, Weld,
};
use crate::mass::MassProperties;
use crate::math::pose::{Frame, Frames, Pose};
use crate::math::so3::{complete, exp};
use crate::model::body::Body;
use crate::world::World;
use glam::DVec3;

/// splitmix64.
pub(crate) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Between -1 and 1.
    pub fn number(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// A whole number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    pub fn vec(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }

    pub fn pose(&mut self) -> Pose {
        Pose { pos: self.vec(), rot: exp(2.0 * self.vec()) }
    }

    pub fn frame(&mut self) -> Frame {
        let n = self.vec().normalize();
        let (u, v) = complete(n);
        Frame { origin: self.vec(), u, v, n }
    }

    pub fn frames(&mut self) -> Frames {
        Frames { i: self.frame(), j: self.frame() }
    }

    pub fn mass(&mut self) -> MassProperties {
        let side = |x: f64| 0.3 + 0.2 * x;
        let half = DVec3::new(side(self.number()), side(self.number()), side(self.number()));
        MassProperties::cuboid(3.0, half).unwrap()
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

/// `n` bodies in a random tree of random joints, either side the parent, the first on the ground or afloat.
pub(crate) fn random_tree(n: usize, afloat: bool, r: &mut Random) -> (World, Vec<BodyId>) {
    let mut w = World::new();
    let mut bodies: Vec<BodyId> = Vec::new();
    for k in 0..n {
        let pose = r.pose();
        let body = Body::dynamic(r.mass()).at(pose.pos).rotated(pose.rot).moving(r.vec(), r.vec());
        let b = w.add(body).unwrap();
        let parent = if k == 0 { w.ground() } else { bodies[r.below(k)] };
        bodies.push(b);
        if k == 0 && afloat {
            continue;
        }
        let joint = joint_of(Chart::ALL[r.below(Chart::ALL.len() - 1)]);
        let (i, j) = if r.number() > 0.0 { (b, parent) } else { (parent, b) };
        w.add(Joint::of(joint, i, j).frames(r.frames())).unwrap();
    }
    (w, bodies)
}

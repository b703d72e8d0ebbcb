//! A scene as every engine gets it: bodies, joints and, in some, shapes and a floor, in SI units, nothing of any engine.

mod chain;
mod ladder;
mod pile;
mod pyramid;

pub use chain::{Chain, Link, Start};
pub use ladder::Ladder;
pub use pile::Pile;
pub use pyramid::Pyramid;

use taut::{Mat3, Quat, Vec3};

/// Standard gravity of all scenes, m/s^2.
pub const G: f64 = 9.81;

/// Pose and velocity of a body at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Centre of mass, m.
    pub pos: Vec3,
    /// Orientation.
    pub rot: Quat,
    /// Velocity of the centre of mass, m/s.
    pub vel: Vec3,
    /// Angular velocity, world frame, rad/s.
    pub ang: Vec3,
}

/// A free rigid body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Mass, kg.
    pub mass: f64,
    /// Moments of inertia about the body's own axes, kg m^2.
    pub inertia: Vec3,
    /// Start.
    pub start: Motion,
    /// What touches others, about the centre of mass; nothing when `None`.
    pub solid: Option<Solid>,
}

/// A shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solid {
    /// A ball of this radius, m.
    Ball(f64),
    /// A box with these half edges, m.
    Cuboid(Vec3),
    /// Half the length of the middle line, along y, and the radius, m.
    Capsule(f64, f64),
}

/// How a joint may turn. Axes of the joint are the columns of the rotations on the two bodies; the last, z, is the main one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hold {
    /// Any way.
    Free,
    /// The z axes stay within `swing` of each other and the child twists about its own by at most `twist` either way, rad.
    Cone {
        /// Axes on parent and child.
        axes: [Quat; 2],
        /// Half angle of the cone, rad.
        swing: f64,
        /// Largest twist to either side, rad.
        twist: f64,
    },
    /// A hinge about z, the child turned against the parent by 0 to `most`, rad.
    Hinge {
        /// Axes on parent and child.
        axes: [Quat; 2],
        /// Largest angle, rad.
        most: f64,
    },
    /// A hinge about z without limits; axes on parent and child.
    Turn([Quat; 2]),
}

/// A joint that holds two points together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallJoint {
    /// The parent; `None` is the ground at the origin.
    pub a: Option<usize>,
    /// The child.
    pub b: usize,
    /// Point on the parent, m, its frame.
    pub on_a: Vec3,
    /// Point on the child, m, its frame.
    pub on_b: Vec3,
    /// Whether the child already has a parent: engines in reduced coordinates add a constraint here.
    pub closes: bool,
    /// How it may turn.
    pub hold: Hold,
}

/// Bodies, joints, gravity, and what a run is measured against.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Bodies, parents before children.
    pub bodies: Vec<Body>,
    /// Joints, in the order of the bodies.
    pub joints: Vec<BallJoint>,
    /// Gravity, m/s^2.
    pub gravity: Vec3,
    /// Length of the mechanism, m.
    pub length: f64,
    /// Energy it can turn over, J.
    pub energy_scale: f64,
    /// The floor y = 0 and what touches, if anything does.
    pub touch: Option<Touch>,
}

/// What touching is like: everything with a shape meets the floor and all others but those it is joined to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Touch {
    /// Friction of all surfaces; nothing bounces.
    pub friction: f64,
    /// Bodies that do not meet though no joint is between them.
    pub clear: Vec<(usize, usize)>,
}

impl Scene {
    fn new(length: f64, energy_scale: f64) -> Self {
        Scene { bodies: Vec::new(), joints: Vec::new(), gravity: -G * Vec3::Y, length, energy_scale, touch: None }
    }

    /// Adds a body and returns its index.
    fn add(&mut self, mass: f64, inertia: Vec3, start: Motion) -> usize {
        self.bodies.push(Body { mass, inertia, start, solid: None });
        self.bodies.len() - 1
    }

    /// Joins two bodies at a world point.
    fn join(&mut self, a: Option<usize>, b: usize, at: Vec3) {
        let local = |k: usize| self.bodies[k].start.rot.inverse() * (at - self.bodies[k].start.pos);
        let closes = self.joints.iter().any(|j| j.b == b);
        self.joints.push(BallJoint { a, b, on_a: a.map_or(at, local), on_b: local(b), closes, hold: Hold::Free });
    }

    /// Joins two bodies at a world point by a hinge about the world's z.
    fn hinge(&mut self, a: Option<usize>, b: usize, at: Vec3) {
        let local = |k: usize| self.bodies[k].start.rot.inverse();
        let axes = [a.map_or(Quat::IDENTITY, local), local(b)];
        self.join(a, b, at);
        if let Some(joint) = self.joints.last_mut() {
            joint.hold = Hold::Turn(axes);
        }
    }

    /// Motions at the start.
    pub fn start(&self) -> Vec<Motion> {
        self.bodies.iter().map(|b| b.start).collect()
    }
}

/// The rotation that turns -y into the direction `along`, with z kept near z.
fn pointing(along: Vec3) -> Quat {
    let y = -along.normalize();
    let a = if y.z.abs() < 0.9 { Vec3::Z } else { Vec3::X };
    let z = (a - a.dot(y) * y).normalize();
    Quat::from_mat3(&Mat3::from_cols(y.cross(z), y, z)).normalize()
}

//! What the scenes of Baxter's thesis (RedMax) are made of.
//!
//! - A spring of the thesis has the tension k (l - L)/L and the damping d/L: stiffness k/L, L its length at the start.
//! - A joint spring is the torque -k (q - q0) - d q' about each free axis, q0 the angle at the start. Here it is a servo on the joint: a row
//!   that is never rigid however large k is, exact for hinges; for the two angles of a universal joint its measure is sin(q - q0), which
//!   makes the torque -k sin(q) cos(q) - d cos^2(q) q'. The work of these springs is booked as that of motors.
//! - Every body resists its motion with a force of 1 per velocity and a torque of 1 per angular velocity.

use taut::{
    BodyDef, BodyId, Driven, Force, Frame, Frames, Freedom, Hinge, Joint, MassProperties, Mat3, Motor, PointOnLine,
    Quat, Result, Spring, Universal, Vec3, World,
};

/// Resistance of a body: force over velocity and torque over angular velocity.
pub(crate) const DRAG: f64 = 1.0;

/// Stiffness and damping of a spring or a joint, in the units of the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Give {
    pub k: f64,
    pub d: f64,
}

impl Give {
    /// Neither.
    pub const NONE: Give = Give { k: 0.0, d: 0.0 };

    pub const fn new(k: f64, d: f64) -> Self {
        Give { k, d }
    }
}

/// Axes of a joint or a body in the world: right-handed, orthonormal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axes {
    pub x: Vec3,
    pub y: Vec3,
    pub z: Vec3,
}

impl Axes {
    pub const WORLD: Axes = Axes { x: Vec3::X, y: Vec3::Y, z: Vec3::Z };

    /// Turned about one of its own axes (0, 1, 2 for x, y, z) by an angle, rad.
    pub fn turned(&self, axis: usize, angle: f64) -> Self {
        let (s, c) = (libm::sin(angle), libm::cos(angle));
        let pair = |a: Vec3, b: Vec3| (c * a + s * b, c * b - s * a);
        let mut out = *self;
        match axis {
            0 => (out.y, out.z) = pair(self.y, self.z),
            1 => (out.z, out.x) = pair(self.z, self.x),
            _ => (out.x, out.y) = pair(self.x, self.y),
        }
        out
    }

    pub fn rotation(&self) -> Quat {
        Quat::from_mat3(&Mat3::from_cols(self.x, self.y, self.z)).normalize()
    }
}

/// A box of the given sizes about a centre.
pub(crate) fn block(density: f64, size: Vec3, at: Vec3, axes: &Axes) -> Result<BodyDef> {
    Ok(BodyDef::dynamic(MassProperties::cuboid(density, 0.5 * size)?).at(at).rotated(axes.rotation()))
}

/// Adds a body that resists its motion.
pub(crate) fn add(world: &mut World, def: BodyDef) -> Result<BodyId> {
    let body = world.add_body(def)?;
    world.add_force(Force::Drag { body, linear: DRAG, angular: DRAG })?;
    Ok(body)
}

/// A frame at a world point of a body.
fn frame(world: &World, body: BodyId, at: Vec3, (u, v, n): (Vec3, Vec3, Vec3)) -> Result<Frame> {
    let pose = world.body(body)?.pose;
    let q = pose.rot.inverse();
    Ok(Frame { origin: pose.to_local(at), u: q * u, v: q * v, n: q * n })
}

/// The same frame on two bodies.
fn frames(world: &World, (i, j): (BodyId, BodyId), at: Vec3, axes: (Vec3, Vec3, Vec3)) -> Result<Frames> {
    Ok(Frames { i: frame(world, i, at, axes)?, j: frame(world, j, at, axes)? })
}

fn join(world: &mut World, (i, j): (BodyId, BodyId), joint: &dyn Joint, motors: &[Motor], f: Frames) -> Result<()> {
    if motors.iter().all(|m| m.drive == taut::Drive::Servo { stiffness: 0.0, damping: 0.0 }) {
        return world.add_joint(i, j, joint, f).map(drop);
    }
    world.add_joint(i, j, &Driven { joint, motors }, f).map(drop)
}

/// A hinge of body i on body j about a world axis of unit length, with its joint spring at rest.
pub(crate) fn hinge(world: &mut World, pair: (BodyId, BodyId), at: Vec3, axis: Vec3, give: Give) -> Result<()> {
    let f = Frame::new(at, axis)?;
    let f = frames(world, pair, at, (f.u, f.v, f.n))?;
    join(world, pair, &Hinge::default(), &[Motor::servo(Freedom::Turn, give.k, give.d)], f)
}

/// A universal joint of body i on body j with its joint springs at rest: x of the axes stays in body j, y in body i.
pub(crate) fn universal(world: &mut World, pair: (BodyId, BodyId), at: Vec3, axes: &Axes, give: Give) -> Result<()> {
    let f = frames(world, pair, at, (axes.x, -axes.z, axes.y))?;
    join(world, pair, &Universal::default(), &Motor::universal(give.k, give.d), f)
}

/// Keeps a point of body j on the line through a point of body i along z of the axes: two rows, along x and y.
pub(crate) fn close_loop(
    world: &mut World,
    (i, at_i): (BodyId, Vec3),
    (j, at_j): (BodyId, Vec3),
    axes: &Axes,
) -> Result<()> {
    let a = (axes.x, axes.y, axes.z);
    let f = Frames { i: frame(world, i, at_i, a)?, j: frame(world, j, at_j, a)? };
    world.add_named_joint("loop", i, j, &PointOnLine::default(), f).map(drop)
}

/// A spring of the thesis between world points of two bodies, at rest now.
pub(crate) fn strain_spring(
    world: &mut World,
    (i, at_i): (BodyId, Vec3),
    (j, at_j): (BodyId, Vec3),
    give: Give,
) -> Result<()> {
    let rest_length = (at_i - at_j).length();
    let (point_i, point_j) = (world.body(i)?.pose.to_local(at_i), world.body(j)?.pose.to_local(at_j));
    let (stiffness, damping) = (give.k / rest_length, give.d / rest_length);
    world.add_force(Force::Spring(Spring { i, j, point_i, point_j, stiffness, damping, rest_length })).map(drop)
}

/// Masses of the bodies that move, in all.
pub(crate) fn moving_mass(world: &World) -> Result<f64> {
    world.bodies().map(|b| Ok(world.body(b)?.mass)).sum()
}

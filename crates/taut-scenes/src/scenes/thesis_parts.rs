//! What the scenes of Baxter's thesis (RedMax) are made of.
//!
//! - A spring of the thesis has the tension k (l - L)/L and the damping d/L: stiffness k/L, L its length at the start.
//! - A joint spring is the torque -k (q - q0) - d q' about each free axis, q0 the angle at the start. Here it is a servo on the joint: a row
//!   that is never rigid however large k is, exact for hinges; for the two angles of a universal joint its measure is sin(q - q0), which
//!   makes the torque -k sin(q) cos(q) - d cos^2(q) q'. The work of these springs is booked as that of motors.
//! - Every body resists its motion with a force of 1 per velocity and a torque of 1 per angular velocity.

use taut::{
    Body, BodyId, Force, Frame, Frames, Hinge, Joint, MassProperties, Mat3, Quat, Result, Spring, Universal, Vec3,
    World, joints::PointOnLine,
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
pub(crate) fn block(density: f64, size: Vec3, at: Vec3, axes: &Axes) -> Result<Body> {
    Ok(Body::dynamic(MassProperties::cuboid(density, 0.5 * size)?).at(at).rotated(axes.rotation()))
}

/// Adds a body that resists its motion.
pub(crate) fn add(world: &mut World, def: Body) -> Result<BodyId> {
    let body = world.add(def)?;
    world.add(Force::Drag { body, linear: DRAG, angular: DRAG })?;
    Ok(body)
}

/// A joint with its joint springs at rest, where it has some.
fn sprung(joint: Joint, give: Give) -> Joint {
    if give == Give::NONE { joint } else { joint.spring(give.k, give.d) }
}

/// A hinge of body i on body j about a world axis of unit length, with its joint spring at rest.
pub(crate) fn hinge(world: &mut World, (i, j): (BodyId, BodyId), at: Vec3, axis: Vec3, give: Give) -> Result<()> {
    world.add(sprung(Hinge::between(i, j).at(at).axis(axis), give)).map(drop)
}

/// A universal joint of body i on body j with its joint springs at rest: x of the axes stays in body j, y in body i.
pub(crate) fn universal(world: &mut World, (i, j): (BodyId, BodyId), at: Vec3, axes: &Axes, give: Give) -> Result<()> {
    let frames = frames(world, (i, at), (j, at), [axes.x, -axes.z, axes.y])?;
    world.add(sprung(Universal::between(i, j).frames(frames), give)).map(drop)
}

/// Keeps a point of body j on the line through a point of body i along z of the axes: two rows, along x and y.
pub(crate) fn close_loop(world: &mut World, i: (BodyId, Vec3), j: (BodyId, Vec3), axes: &Axes) -> Result<()> {
    let frames = frames(world, i, j, [axes.x, axes.y, axes.z])?;
    world.add(PointOnLine::between(i.0, j.0).frames(frames).named("loop")).map(drop)
}

/// World axes u, v, n at a point of each of two bodies.
fn frames(world: &World, i: (BodyId, Vec3), j: (BodyId, Vec3), axes: [Vec3; 3]) -> Result<Frames> {
    let frame = |(body, at): (BodyId, Vec3)| {
        let pose = world.pose(body)?;
        let [u, v, n] = axes.map(|a| pose.rot.inverse() * a);
        Ok(Frame { origin: pose.to_local(at), u, v, n })
    };
    Ok(Frames { i: frame(i)?, j: frame(j)? })
}

/// A spring of the thesis between world points of two bodies, at rest now.
pub(crate) fn strain_spring(
    world: &mut World,
    (i, at_i): (BodyId, Vec3),
    (j, at_j): (BodyId, Vec3),
    give: Give,
) -> Result<()> {
    let length = (at_i - at_j).length();
    let spring = Spring::between(i, j).ends(at_i, at_j).stiffness(give.k / length).damping(give.d / length);
    world.add(spring).map(drop)
}

/// Masses of the bodies that move, in all.
pub(crate) fn moving_mass(world: &World) -> Result<f64> {
    Ok(world.bodies().map(|b| b.mass()).sum())
}

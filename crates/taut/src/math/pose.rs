//! Poses of bodies and frames fixed to them.

use crate::error::{Error, Result};
use crate::math::so3;
use glam::{DQuat, DVec3};

/// Position of the centre of mass (m) and orientation.
///
/// A crane has turned by a quarter turn about the vertical: the tip of its boom, 10 m along x, is now at z = -10 m.
/// ```
/// use taut::{Pose, Quat, Vec3};
/// let crane = Pose { pos: 2.0 * Vec3::Y, rot: Quat::from_rotation_y(std::f64::consts::FRAC_PI_2) };
/// let tip = crane.to_world(10.0 * Vec3::X);
/// assert!((tip - Vec3::new(0.0, 2.0, -10.0)).length() < 1e-12);
/// assert!((crane.to_local(tip) - 10.0 * Vec3::X).length() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Centre of mass in the world, m.
    pub pos: DVec3,
    /// Orientation, body to world; a unit quaternion.
    pub rot: DQuat,
}

impl Pose {
    /// At the origin, axes along those of the world.
    pub const IDENTITY: Pose = Pose { pos: DVec3::ZERO, rot: DQuat::IDENTITY };

    /// At a point, axes along those of the world.
    pub fn at(pos: DVec3) -> Self {
        Pose { pos, rot: DQuat::IDENTITY }
    }

    /// A world point in this pose's coordinates.
    pub fn to_local(&self, point: DVec3) -> DVec3 {
        self.rot.inverse() * (point - self.pos)
    }

    /// A local point in world coordinates.
    pub fn to_world(&self, point: DVec3) -> DVec3 {
        self.pos + self.rot * point
    }

    /// A pose given in this one, in world coordinates.
    pub fn compose(&self, inner: &Pose) -> Pose {
        Pose { pos: self.to_world(inner.pos), rot: self.rot * inner.rot }
    }

    /// A world pose in this pose's coordinates.
    pub fn relative(&self, outer: &Pose) -> Pose {
        Pose { pos: self.to_local(outer.pos), rot: self.rot.inverse() * outer.rot }
    }
}

/// A frame fixed to a body: an origin (m) and three orthonormal axes, all in body coordinates.
///
/// The frame of a hinge pin: N along the axis that was given, U and V across it, right-handed.
/// ```
/// use taut::{Frame, Vec3};
/// let pin = Frame::new(Vec3::new(-0.4, 0.0, 0.0), 3.0 * Vec3::Y)?;
/// assert_eq!(pin.n, Vec3::Y);
/// assert!((pin.u.cross(pin.v) - pin.n).length() < 1e-12);
/// assert!(Frame::new(Vec3::ZERO, Vec3::ZERO).is_err());
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Origin, relative to the centre of mass, m.
    pub origin: DVec3,
    /// First axis across `n`.
    pub u: DVec3,
    /// Second axis across `n`.
    pub v: DVec3,
    /// Main axis: hinge axis, slide direction, cable direction, plane normal.
    pub n: DVec3,
}

impl Frame {
    /// A frame with the main axis along `axis` (any length but zero); u and v are chosen.
    pub fn new(origin: DVec3, axis: DVec3) -> Result<Self> {
        if !origin.is_finite() {
            return Err(Error::input("frame origin", origin, "three finite numbers of m"));
        }
        // Scaled first, so that no finite axis is too long or too short to have a direction.
        let n = (axis / axis.abs().max_element()).normalize_or_zero();
        if n == DVec3::ZERO || !n.is_finite() {
            return Err(Error::input("axis", axis, "a finite vector that is not zero"));
        }
        let (u, v) = so3::complete(n);
        Ok(Frame { origin, u, v, n })
    }

    /// Checks that the axes are orthonormal and right-handed to 1e-6.
    pub fn validate(&self, name: &str) -> Result<()> {
        let unit = |a: DVec3| (a.length() - 1.0).abs() <= 1e-6;
        let sound = self.origin.is_finite()
            && unit(self.u)
            && unit(self.v)
            && unit(self.n)
            && (self.u.cross(self.v) - self.n).length() <= 1e-6;
        if !sound {
            return Err(Error::input(
                name,
                format!("{self:?}"),
                "a finite origin and right-handed orthonormal axes u, v, n",
            ));
        }
        Ok(())
    }
}

/// Where a joint sits: the same frame seen from both bodies.
///
/// A robot file places a joint in the coordinates of its two bodies. The angle counts from where the frames coincide,
/// so a door that is added open by 0.3 rad stands at 0.3 rad.
/// ```
/// use taut::{Body, Frame, Frames, Hinge, MassProperties, Quat, Vec3, World};
/// let mut world = World::new();
/// let leaf = MassProperties::cuboid(500.0, Vec3::new(0.4, 1.0, 0.02))?;
/// let turn = Quat::from_rotation_y(0.3);
/// let door = world.add(Body::dynamic(leaf).at(turn * (0.4 * Vec3::X)).rotated(turn))?;
/// let (i, j) = (Frame::new(-0.4 * Vec3::X, Vec3::Y)?, Frame::new(Vec3::ZERO, Vec3::Y)?);
/// let hinge = world.add(Hinge::between(door, world.ground()).frames(Frames { i, j }))?;
/// assert!((world.joint(hinge)?.position()? - 0.3).abs() < 1e-9);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frames {
    /// In the coordinates of body i.
    pub i: Frame,
    /// In the coordinates of body j.
    pub j: Frame,
}

/// A unit quaternion from one that is near it.
pub(crate) fn unit(q: DQuat) -> Result<DQuat> {
    if !q.is_finite() || (q.length() - 1.0).abs() > 1e-3 {
        return Err(Error::input("rotation", q, "a unit quaternion (x, y, z, w)"));
    }
    Ok(q.normalize())
}

/// How far the square of the length of a rotation that is taken as it is may be from 1.
const EXACT: f64 = 1e-12;

/// The same; one that is to be taken `exact`ly keeps its bits, and must be of length 1 to rounding.
pub(crate) fn unit_or_exact(q: DQuat, exact: bool) -> Result<DQuat> {
    if !exact {
        return unit(q);
    }
    if !((q.length_squared() - 1.0).abs() <= EXACT) {
        let expected = "a quaternion (x, y, z, w) of length 1 to 1e-12: it is taken as it is";
        return Err(Error::input("rotation", q, expected));
    }
    Ok(q)
}

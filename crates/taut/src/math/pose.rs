//! Poses of bodies and frames fixed to them.

use crate::error::{Error, Result};
use crate::math::so3;
use glam::{DQuat, DVec3};

/// Position of the centre of mass (m) and orientation.
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

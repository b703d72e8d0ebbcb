//! The parts of a collider's shape, as the narrow phase takes them.

use super::bounds::Bounds;
use super::convex::{Convex, Core};
use super::shape::{Shape, direction};
use super::terrain::Terrain;
use crate::error::Result;
use crate::math::pose::{Pose, unit};
use glam::{DMat3, DVec3};

/// What a part is.
#[derive(Clone, Debug)]
pub(crate) enum Solid {
    Convex(Convex),
    /// All points behind the plane with this unit normal.
    Plane(DVec3),
    Terrain(Terrain),
}

/// A part and its pose in the frame of the collider.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub pose: Pose,
    pub solid: Solid,
}

/// All parts of a shape.
#[derive(Clone, Debug)]
pub(crate) struct Geometry {
    pub parts: Vec<Part>,
    /// The smallest `Convex::thickness`; infinite for a plane, zero for a terrain.
    pub thickness: f64,
}

impl Geometry {
    /// Validates a shape and takes it apart.
    pub fn new(shape: &Shape) -> Result<Self> {
        shape.validate()?;
        let single = |solid| vec![Part { pose: Pose::IDENTITY, solid }];
        let parts = match shape {
            Shape::Mesh { vertices, triangles } => single(Solid::Terrain(Terrain::mesh(vertices, triangles))),
            Shape::HeightField { heights, scale } => single(Solid::Terrain(Terrain::grid(heights, *scale))),
            Shape::HalfSpace { normal } => single(Solid::Plane(direction(*normal).unwrap_or(DVec3::Y))),
            Shape::Compound { parts } => parts
                .iter()
                .map(|(pose, s)| {
                    let pose = Pose { pos: pose.pos, rot: unit(pose.rot)? };
                    Ok(Part { pose, solid: Solid::Convex(Convex::new(s)?) })
                })
                .collect::<Result<_>>()?,
            convex => single(Solid::Convex(Convex::new(convex)?)),
        };
        let thickness = parts.iter().fold(f64::INFINITY, |m, p| p.thickness().min(m));
        Ok(Geometry { parts, thickness })
    }

    /// The unit normal, if it is a half space.
    pub fn plane(&self) -> Option<DVec3> {
        self.parts.iter().find_map(|p| if let Solid::Plane(n) = p.solid { Some(n) } else { None })
    }

    /// The box around it at a pose; empty for a half space.
    pub fn bounds(&self, pose: &Pose) -> Bounds {
        self.parts.iter().fold(Bounds::EMPTY, |b, p| b.union(p.bounds(&pose.compose(&p.pose))))
    }

    /// How far its cores reach from the centre of a body, when the collider is at `pose` in it, m.
    pub fn arm(&self, pose: &Pose) -> f64 {
        self.parts.iter().fold(0.0, |m, p| p.arm(&pose.compose(&p.pose)).max(m))
    }
}

impl Part {
    fn thickness(&self) -> f64 {
        match &self.solid {
            Solid::Convex(c) => c.thickness,
            Solid::Plane(_) => f64::INFINITY,
            Solid::Terrain(_) => 0.0,
        }
    }

    /// How far its core reaches from the centre of a body when it is at `pose` in it, m.
    pub fn arm(&self, pose: &Pose) -> f64 {
        match &self.solid {
            Solid::Convex(c) => pose.pos.length() + c.arm,
            Solid::Plane(_) => 0.0,
            Solid::Terrain(t) => {
                let b = t.bounds();
                pose.pos.length() + b.min.abs().max(b.max.abs()).length()
            }
        }
    }

    /// The box around it at a pose.
    pub fn bounds(&self, pose: &Pose) -> Bounds {
        match &self.solid {
            Solid::Convex(c) => convex_bounds(c, pose),
            Solid::Plane(_) => Bounds::EMPTY,
            Solid::Terrain(t) => turned(&t.bounds(), pose),
        }
    }
}

/// The box around a convex solid at a pose.
pub(crate) fn convex_bounds(c: &Convex, pose: &Pose) -> Bounds {
    if c.core == Core::Point {
        return Bounds::point(pose.pos).grown(c.skin);
    }
    if let Some(half) = c.half_extents() {
        return turned(&Bounds { min: -half, max: half }, pose).grown(c.skin);
    }
    let local = pose.rot.inverse();
    let far = |d: DVec3| d.dot(pose.rot * c.support(local * d));
    let max = DVec3::new(far(DVec3::X), far(DVec3::Y), far(DVec3::Z));
    let min = -DVec3::new(far(DVec3::NEG_X), far(DVec3::NEG_Y), far(DVec3::NEG_Z));
    Bounds { min: pose.pos + min, max: pose.pos + max }.grown(c.skin)
}

/// The box around a box at a pose.
pub(crate) fn turned(b: &Bounds, pose: &Pose) -> Bounds {
    let m = DMat3::from_quat(pose.rot);
    let center = pose.pos + m * (0.5 * (b.min + b.max));
    let half = 0.5 * (b.max - b.min);
    let reach = m.x_axis.abs() * half.x + m.y_axis.abs() * half.y + m.z_axis.abs() * half.z;
    Bounds { min: center - reach, max: center + reach }
}

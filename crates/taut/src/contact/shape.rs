//! Shapes that bodies collide with, and what is accepted as one.

use super::surface;
use crate::error::{Error, Result, finite, finite_vec, non_negative, positive};
use crate::math::pose::{Pose, unit};
use crate::tuning::T;
use glam::DVec3;

/// The shape of a collider, in its own frame. Lengths in m.
///
/// An oil drum, 1 m high and 0.6 m wide, stands on flat ground. Its mass is pi r^2 h rho.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// world.add(Collider::new(Shape::ground()).on(world.ground()))?;
/// let drum = world.add(Body::solid(Shape::cylinder(0.5, 0.3), 850.0)?.at(0.5 * Vec3::Y))?;
/// assert!((world.body(drum)?.mass() - std::f64::consts::PI * 0.09 * 850.0).abs() < 1e-9);
/// for _ in 0..60 {
///     world.step(1.0 / 60.0)?;
/// }
/// assert!((world.body(drum)?.position().y - 0.5).abs() < 1e-3);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A ball about the origin.
    Ball {
        /// Radius, m.
        radius: f64,
    },
    /// A box about the origin.
    Cuboid {
        /// Half of its edges along x, y and z, m.
        half: DVec3,
    },
    /// All points within a radius of a piece of the y axis.
    Capsule {
        /// Half the length of that piece, m; may be zero.
        half_length: f64,
        /// Radius, m.
        radius: f64,
    },
    /// A cylinder about the y axis.
    Cylinder {
        /// Half its height, m.
        half_height: f64,
        /// Radius, m.
        radius: f64,
    },
    /// The smallest convex solid that holds all points.
    ConvexHull {
        /// At least four points that do not lie in one plane, m.
        points: Vec<DVec3>,
    },
    /// A surface of triangles, for fixed and kinematic bodies. Only its front stops bodies.
    Mesh {
        /// Corners, m.
        vertices: Vec<DVec3>,
        /// Corners of each triangle, counter-clockwise seen from the front.
        triangles: Vec<[u32; 3]>,
    },
    /// Heights over a grid in the x-z plane about the origin, for fixed and kinematic bodies.
    HeightField {
        /// Rows along z of heights along x: row r, column c is the height at x = (c / (columns - 1) - 1/2) scale.x,
        /// z = (r / (rows - 1) - 1/2) scale.z, in units of scale.y.
        heights: Vec<Vec<f64>>,
        /// Whole width along x, factor of the heights, whole depth along z, m.
        scale: DVec3,
    },
    /// Everything behind a plane through the origin, for fixed and kinematic bodies.
    HalfSpace {
        /// Points out of the solid; any length but zero.
        normal: DVec3,
    },
    /// Several convex shapes as one.
    Compound {
        /// The parts and where they are.
        parts: Vec<(Pose, Shape)>,
    },
}

impl Shape {
    /// A ball of a radius, m.
    pub fn ball(radius: f64) -> Self {
        Shape::Ball { radius }
    }

    /// A box of half edges, m.
    pub fn cuboid(half: DVec3) -> Self {
        Shape::Cuboid { half }
    }

    /// A capsule along y: half the length of its axis and the radius, m.
    pub fn capsule(half_length: f64, radius: f64) -> Self {
        Shape::Capsule { half_length, radius }
    }

    /// A cylinder along y: half the height and the radius, m.
    pub fn cylinder(half_height: f64, radius: f64) -> Self {
        Shape::Cylinder { half_height, radius }
    }

    /// Flat ground: everything below y = 0.
    pub fn ground() -> Self {
        Shape::HalfSpace { normal: DVec3::Y }
    }

    /// What it is called in messages.
    pub fn name(&self) -> &'static str {
        match self {
            Shape::Ball { .. } => "ball",
            Shape::Cuboid { .. } => "cuboid",
            Shape::Capsule { .. } => "capsule",
            Shape::Cylinder { .. } => "cylinder",
            Shape::ConvexHull { .. } => "convex hull",
            Shape::Mesh { .. } => "mesh",
            Shape::HeightField { .. } => "height field",
            Shape::HalfSpace { .. } => "half space",
            Shape::Compound { .. } => "compound",
        }
    }

    /// Whether it has a volume: all but meshes, height fields and half spaces.
    pub fn is_solid(&self) -> bool {
        !matches!(self, Shape::Mesh { .. } | Shape::HeightField { .. } | Shape::HalfSpace { .. })
    }

    /// Refuses sizes, points and triangles that make no shape.
    pub fn validate(&self) -> Result<()> {
        match self {
            Shape::Ball { radius } => size("ball radius", *radius),
            Shape::Cuboid { half } => {
                size("half edge x", half.x)?;
                size("half edge y", half.y)?;
                size("half edge z", half.z)
            }
            Shape::Capsule { half_length, radius } => {
                non_negative("capsule half length", *half_length, "m")?;
                within("capsule half length", *half_length)?;
                size("capsule radius", *radius)
            }
            Shape::Cylinder { half_height, radius } => {
                size("cylinder half height", *half_height)?;
                size("cylinder radius", *radius)
            }
            Shape::ConvexHull { points } => surface::check_hull(points),
            Shape::Mesh { vertices, triangles } => surface::check_mesh(vertices, triangles),
            Shape::HeightField { heights, scale } => {
                size("height field width", scale.x)?;
                size("height field scale", scale.y)?;
                size("height field depth", scale.z)?;
                surface::check_heights(heights, scale.y)
            }
            Shape::HalfSpace { normal } => match direction(*normal) {
                Some(_) => Ok(()),
                None => Err(Error::input("half space normal", normal, "a finite vector that is not zero")),
            },
            Shape::Compound { parts } => check_parts(parts),
        }
    }
}

fn check_parts(parts: &[(Pose, Shape)]) -> Result<()> {
    if parts.is_empty() {
        return Err(Error::input("compound parts", 0, "at least one"));
    }
    for (k, (pose, shape)) in parts.iter().enumerate() {
        if !shape.is_solid() || matches!(shape, Shape::Compound { .. }) {
            return Err(Error::input(format!("compound part {k}"), shape.name(), "a convex shape"));
        }
        point(&format!("position of compound part {k}"), pose.pos)?;
        unit(pose.rot)?;
        shape.validate()?;
    }
    Ok(())
}

/// The unit vector along any finite vector but zero.
pub(crate) fn direction(v: DVec3) -> Option<DVec3> {
    // Scaled first, so that no finite vector is too long or too short to have a direction.
    let unit = (v / v.abs().max_element()).normalize_or_zero();
    (unit.is_finite() && unit != DVec3::ZERO).then_some(unit)
}

fn size(name: &str, value: f64) -> Result<()> {
    positive(name, value, "m")?;
    within(name, value)
}

fn within(name: &str, value: f64) -> Result<()> {
    finite(name, value, "m")?;
    if value.abs() > T.input.largest {
        return Err(Error::input(name, value, format!("at most {:e} m", T.input.largest)));
    }
    Ok(())
}

/// A point of a shape: finite and not too far out.
pub(crate) fn point(name: &str, value: DVec3) -> Result<()> {
    finite_vec(name, value, "m")?;
    within(name, value.abs().max_element())
}

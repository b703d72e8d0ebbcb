//! Shapes: what a body's inertia is computed from.

use super::error::{At, FileError, Path};
use super::quantity::{Metre, Number, Triple};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use taut::{MassProperties, Vec3};

/// A solid shape of even density, along the body's own axes.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(tag = "type"))]
pub enum Shape {
    /// A box.
    Box(Cuboid),
    /// A ball.
    Sphere(Sphere),
    /// A cylinder along y with half a ball on either end.
    Capsule(Capsule),
    /// A cylinder along y.
    Cylinder(Cylinder),
    /// A closed convex mesh.
    ConvexMesh(Mesh),
}

/// A box.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Cuboid {
    /// Whole edge lengths along x, y, z, m.
    pub size: Triple<Metre>,
}

/// A ball.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Sphere {
    /// Radius, m.
    pub radius: Number<Metre>,
}

/// A capsule along y.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Capsule {
    /// Radius, m.
    pub radius: Number<Metre>,
    /// Whole height of the cylindrical part, without the caps, m.
    pub height: Number<Metre>,
}

/// A cylinder along y.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Cylinder {
    /// Radius, m.
    pub radius: Number<Metre>,
    /// Whole height, m.
    pub height: Number<Metre>,
}

/// A closed convex mesh.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Mesh {
    /// Corners, m. The body's position is where their origin is, not their centre of mass.
    pub vertices: Vec<Triple<Metre>>,
    /// Three indices of vertices per face, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl Shape {
    /// Mass properties at a density, and the distance of the farthest point from the centre of mass, m.
    pub(super) fn solid(&self, density: f64, path: &Path) -> Result<(MassProperties, f64), FileError> {
        match self {
            Shape::Box(b) => {
                let half = 0.5 * positive3(b.size.value, &path.key("size"))?;
                Ok((MassProperties::cuboid(density, half).at(path)?, half.length()))
            }
            Shape::Sphere(s) => {
                let r = s.radius.value;
                Ok((MassProperties::sphere(density, r).among(path, &[("radius", "radius")])?, r))
            }
            Shape::Capsule(c) => {
                let (r, half) = (c.radius.value, 0.5 * c.height.value);
                if half < 0.0 {
                    return Err(FileError::input(path.key("height"), c.height.value, "a number of m, zero or more"));
                }
                Ok((MassProperties::capsule(density, half, r).among(path, &[("radius", "radius")])?, half + r))
            }
            Shape::Cylinder(c) => {
                let (r, h) = (c.radius.value, positive(c.height.value, path.key("height"))?);
                Ok((
                    MassProperties::cylinder(density, 0.5 * h, r).among(path, &[("radius", "radius")])?,
                    libm::hypot(r, 0.5 * h),
                ))
            }
            Shape::ConvexMesh(m) => {
                let vertices: Vec<Vec3> = m.vertices.iter().map(|v| v.value).collect();
                let mass = MassProperties::convex_mesh(density, &vertices, &m.triangles)
                    .among(path, &[("vertices", "vertices"), ("triangles", "triangles")])?;
                let reach = vertices.iter().map(|v| (*v - mass.center).length()).fold(0.0, f64::max);
                Ok((mass, reach))
            }
        }
    }
}

fn positive(value: f64, path: Path) -> Result<f64, FileError> {
    if value > 0.0 { Ok(value) } else { Err(FileError::input(path, value, "a number of m greater than zero")) }
}

fn positive3(size: Vec3, path: &Path) -> Result<Vec3, FileError> {
    for (k, x) in size.to_array().into_iter().enumerate() {
        positive(x, path.index(k))?;
    }
    Ok(size)
}

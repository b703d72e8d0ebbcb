//! Colliders of a scene file: shapes on bodies, what they are made of and whom they meet.

use super::body::Rotation;
use super::joint::yes;
use super::quantity::*;
use super::shape::{Capsule, Cuboid, Cylinder, Sphere};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The fixed body that is always there.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Ground {
    /// What other bodies meet of it.
    #[serde(default)]
    pub colliders: Vec<Collider>,
    /// A whole number of your own. Default: 0.
    #[serde(default)]
    pub user_data: u64,
}

/// A shape that meets other bodies, placed in the frame of its body.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Collider {
    /// Name in reports and for pairs, unique among the colliders.
    #[serde(default)]
    pub name: Option<String>,
    /// Its shape. Default: that of the body.
    #[serde(default)]
    pub shape: Option<ColliderShape>,
    /// Where it is, from the body's `position` along the body's axes, m. Default: 0.
    #[serde(default)]
    pub position: Triple<Metre>,
    /// Its orientation against the body. Default: the body's axes.
    #[serde(default)]
    pub rotation: Rotation,
    /// What its surface is like.
    #[serde(default)]
    pub material: Surface,
    /// Whom it meets. Default: all, but not bodies that share a joint with its own.
    #[serde(default)]
    pub groups: Option<Groups>,
    /// Whether it only tells what overlaps it, without pushing. Default: false.
    #[serde(default)]
    pub sensor: bool,
    /// Whether it is switched on; off, it meets nothing. Default: true.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// A whole number of your own. Default: 0.
    #[serde(default)]
    pub user_data: u64,
}

/// A shape of a collider, along its own axes.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(tag = "type"))]
pub enum ColliderShape {
    /// A box.
    Box(Cuboid),
    /// A ball.
    Sphere(Sphere),
    /// A cylinder along y with half a ball on either end.
    Capsule(Capsule),
    /// A cylinder along y.
    Cylinder(Cylinder),
    /// The smallest convex solid that holds some points.
    ConvexHull(Hull),
    /// A surface of triangles, on the ground or on fixed and kinematic bodies; only its front stops bodies.
    Mesh(Triangles),
    /// Heights over a grid in the x-z plane, on the ground or on fixed and kinematic bodies.
    HeightField(HeightField),
    /// Everything behind a plane, on the ground or on fixed and kinematic bodies.
    HalfSpace(HalfSpace),
    /// Several convex shapes as one.
    Compound(Compound),
}

/// Points of a hull.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Hull {
    /// At least four that do not lie in one plane, m.
    pub points: Vec<Triple<Metre>>,
}

/// Triangles of a surface.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Triangles {
    /// Corners, m.
    pub vertices: Vec<Triple<Metre>>,
    /// Three indices of vertices per face, counter-clockwise seen from the front.
    pub triangles: Vec<[u32; 3]>,
}

/// Heights over a grid.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct HeightField {
    /// Rows along z of heights along x, m, or in units of `scale`.
    pub heights: Vec<Vec<Number<Metre>>>,
    /// Whole width along x and whole depth along z, m.
    pub size: [Number<Metre>; 2],
    /// Unit of the heights, m. Default: 1.
    #[serde(default)]
    pub scale: Option<Number<Metre>>,
}

/// Everything behind a plane.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct HalfSpace {
    /// Direction out of the solid; any length but zero. Default: y.
    #[serde(default)]
    pub normal: Option<Triple<One>>,
}

/// Several convex shapes.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Compound {
    /// The parts.
    pub parts: Vec<Part>,
}

/// A part of a compound.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Its shape: a convex one.
    pub shape: ColliderShape,
    /// Where it is in the compound, m. Default: 0.
    #[serde(default)]
    pub position: Triple<Metre>,
    /// Its orientation in the compound. Default: the compound's axes.
    #[serde(default)]
    pub rotation: Rotation,
}

/// What a surface is like to touch.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Surface {
    /// Coefficient of friction, no unit, or two: along `direction` and across it. Default: 0.5.
    #[serde(default)]
    pub friction: Option<Coefficients>,
    /// Direction of the first of two coefficients, along the collider's axes; any length but zero.
    #[serde(default)]
    pub direction: Option<Triple<One>>,
    /// Rebound speed over impact speed, 0 to 1, no unit. Default: 0.
    #[serde(default)]
    pub restitution: Option<Number<One>>,
    /// Compliance, m/N. Default: 0, rigid.
    #[serde(default)]
    pub compliance: Option<Number<MetrePerNewton>>,
    /// Stiffness, N/m; instead of the compliance.
    #[serde(default)]
    pub stiffness: Option<Number<NewtonPerMetre>>,
    /// Damping of a soft surface, N s/m. Default: 0.
    #[serde(default)]
    pub damping: Option<Number<NewtonSecondPerMetre>>,
    /// Velocity of the surface against its body, along the collider's axes, m/s: a belt. Default: 0.
    #[serde(default)]
    pub surface_velocity: Triple<MetrePerSecond>,
    /// How friction and restitution meet those of the other surface. Default: average.
    #[serde(default)]
    pub rule: Rule,
}

/// One coefficient of friction, or one along a direction and one across it.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(untagged)]
pub enum Coefficients {
    /// In every direction, no unit.
    Same(f64),
    /// Along the direction and across it, no unit.
    Elliptic([f64; 2]),
}

// By hand: serde's untagged enums lose the place of an error.
impl<'de> Deserialize<'de> for Coefficients {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(CoefficientsVisitor)
    }
}

struct CoefficientsVisitor;

impl<'de> Visitor<'de> for CoefficientsVisitor {
    type Value = Coefficients;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a coefficient of friction, or two [along, across]")
    }
    fn visit_f64<E: Error>(self, x: f64) -> Result<Coefficients, E> {
        Ok(Coefficients::Same(x))
    }
    fn visit_i64<E: Error>(self, x: i64) -> Result<Coefficients, E> {
        Ok(Coefficients::Same(x as f64))
    }
    fn visit_u64<E: Error>(self, x: u64) -> Result<Coefficients, E> {
        Ok(Coefficients::Same(x as f64))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Coefficients, A::Error> {
        let mut list = Vec::new();
        while let Some(x) = seq.next_element::<Number<One>>()? {
            list.push(x.value);
        }
        let two = list.try_into().map_err(|l: Vec<f64>| Error::invalid_length(l.len(), &self))?;
        Ok(Coefficients::Elliptic(two))
    }
}

/// How two materials become one. Of two rules the later in this list is used.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// Half the sum.
    #[default]
    Average,
    /// The smaller.
    Min,
    /// The product.
    Multiply,
    /// The larger.
    Max,
    /// The root of the product.
    Geometric,
}

/// Whom a collider meets: two meet when each is a member of a group that the other is with.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Groups {
    /// Groups it belongs to, numbers from 0 to 31. Default: all.
    #[serde(default)]
    pub member: Option<Vec<u32>>,
    /// Groups it meets, numbers from 0 to 31. Default: all.
    #[serde(default)]
    pub with: Option<Vec<u32>>,
}

/// Two bodies, or two colliders, that meet otherwise than by default.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(tag = "type"))]
pub enum Pair {
    /// Whether two bodies meet, whatever their joints.
    Bodies(BodyPair),
    /// The material of one pair of colliders, in place of their own.
    Colliders(ColliderPair),
}

/// Whether two bodies meet.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct BodyPair {
    /// Names of the two bodies.
    pub bodies: [String; 2],
    /// Whether they meet.
    pub meet: bool,
}

/// The material of two colliders.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct ColliderPair {
    /// Names of the two colliders; direction and surface velocity are those of the first.
    pub colliders: [String; 2],
    /// The material.
    pub material: Surface,
}

//! Bodies of a scene file.

use super::collider::Collider;
use super::error::{At, FileError, Path};
use super::field::Exposure;
use super::joint::yes;
use super::locks::{Locks, WorldAxis};
use super::quantity::*;
use super::shape::Shape;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor, value};
use serde::{Deserialize, Serialize};
use std::fmt;
use taut::{MassProperties, Mat3, Pose, Quat, Vec3};

/// A body.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(tag = "type"))]
pub enum Body {
    /// A rigid body. Its inertia comes from `mass` and `inertia`, or from `shape` with `density` or `mass`.
    Dynamic(Box<Dynamic>),
    /// A point mass.
    Particle(Particle),
    /// A body that does not move.
    Fixed(Fixed),
    /// A body that moves at a constant velocity whatever pulls on it.
    Kinematic(Kinematic),
}

/// A rigid body.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Dynamic {
    /// Name, unique in the file.
    pub name: String,
    /// Mass, kg.
    #[serde(default)]
    pub mass: Option<Number<Kilogram>>,
    /// Inertia about the centre of mass along the body's axes, kg m^2, to the last bit. Default: that of the shape.
    #[serde(default)]
    pub inertia: Option<Inertia>,
    /// Solid shape that gives the inertia; with `inertia` only what it looks like.
    #[serde(default)]
    pub shape: Option<Shape>,
    /// Density of the shape, kg/m^3; instead of the mass.
    #[serde(default)]
    pub density: Option<Number<KilogramPerMetre3>>,
    /// Position of the centre of mass (for a mesh: of the origin of its vertices), m. Default: the origin.
    #[serde(default)]
    pub position: Triple<Metre>,
    /// Orientation. Default: the body's axes along those of the world.
    #[serde(default)]
    pub rotation: Rotation,
    /// Velocity of the centre of mass at the start, m/s. Default: 0.
    #[serde(default)]
    pub velocity: Triple<MetrePerSecond>,
    /// Angular velocity at the start, along the world's axes, rad/s. Default: 0.
    #[serde(default)]
    pub angular_velocity: Triple<RadianPerSecond>,
    /// Rate at which the velocity decays, 1/s. Default: 0.
    #[serde(default)]
    pub linear_damping: Number<PerSecond>,
    /// Rate at which the angular velocity decays, 1/s. Default: 0.
    #[serde(default)]
    pub angular_damping: Number<PerSecond>,
    /// How much of gravity it feels, no unit: 0 for none. Default: 1.
    #[serde(default)]
    pub gravity_scale: Option<Number<One>>,
    /// What water and wind see of it. Default: its colliders.
    #[serde(default)]
    pub exposure: Option<Box<Exposure>>,
    /// How fast it can go, m/s. Default: any.
    #[serde(default)]
    pub top_speed: Option<Number<MetrePerSecond>>,
    /// How fast it can turn, rad/s. Default: any.
    #[serde(default)]
    pub top_angular_speed: Option<Number<RadianPerSecond>>,
    /// Axes of the world along which it cannot move and about which it cannot turn, from where it is at the start.
    #[serde(default)]
    pub locks: Locks<WorldAxis>,
    /// Whether it takes part; one that does not stands where it is and meets nothing. Default: true.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// A whole number of your own. Default: 0.
    #[serde(default)]
    pub user_data: u64,
    /// What other bodies meet of it.
    #[serde(default)]
    pub colliders: Vec<Collider>,
}

/// A point mass.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Particle {
    /// Name, unique in the file.
    pub name: String,
    /// Mass, kg.
    pub mass: Number<Kilogram>,
    /// Position, m. Default: the origin.
    #[serde(default)]
    pub position: Triple<Metre>,
    /// Velocity at the start, m/s. Default: 0.
    #[serde(default)]
    pub velocity: Triple<MetrePerSecond>,
    /// Rate at which the velocity decays, 1/s. Default: 0.
    #[serde(default)]
    pub linear_damping: Number<PerSecond>,
    /// How much of gravity it feels, no unit: 0 for none. Default: 1.
    #[serde(default)]
    pub gravity_scale: Option<Number<One>>,
    /// What water and wind see of it. Default: its colliders.
    #[serde(default)]
    pub exposure: Option<Box<Exposure>>,
    /// How fast it can go, m/s. Default: any.
    #[serde(default)]
    pub top_speed: Option<Number<MetrePerSecond>>,
    /// Axes of the world along which it cannot move, from where it is at the start.
    #[serde(default)]
    pub locks: Locks<WorldAxis>,
    /// Whether it takes part; one that does not stands where it is and meets nothing. Default: true.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// A whole number of your own. Default: 0.
    #[serde(default)]
    pub user_data: u64,
    /// What other bodies meet of it.
    #[serde(default)]
    pub colliders: Vec<Collider>,
}

/// A body that does not move.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Fixed {
    /// Name, unique in the file.
    pub name: String,
    /// Position, m. Default: the origin.
    #[serde(default)]
    pub position: Triple<Metre>,
    /// Orientation. Default: the body's axes along those of the world.
    #[serde(default)]
    pub rotation: Rotation,
    /// Whether it takes part; one that does not stands where it is and meets nothing. Default: true.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// A whole number of your own. Default: 0.
    #[serde(default)]
    pub user_data: u64,
    /// What other bodies meet of it.
    #[serde(default)]
    pub colliders: Vec<Collider>,
}

/// A body that moves at a constant velocity.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Kinematic {
    /// Name, unique in the file.
    pub name: String,
    /// Position at the start, m. Default: the origin.
    #[serde(default)]
    pub position: Triple<Metre>,
    /// Orientation at the start. Default: the body's axes along those of the world.
    #[serde(default)]
    pub rotation: Rotation,
    /// Velocity, m/s. Default: 0.
    #[serde(default)]
    pub velocity: Triple<MetrePerSecond>,
    /// Angular velocity about its position, along the world's axes, rad/s. Default: 0.
    #[serde(default)]
    pub angular_velocity: Triple<RadianPerSecond>,
    /// Whether it takes part; one that does not stands where it is and meets nothing. Default: true.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// A whole number of your own. Default: 0.
    #[serde(default)]
    pub user_data: u64,
    /// What other bodies meet of it.
    #[serde(default)]
    pub colliders: Vec<Collider>,
}

/// Inertia about the centre of mass, kg m^2: three principal moments or a symmetric 3x3 matrix.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(untagged, expecting = "expected three principal moments or a 3x3 matrix of numbers, in kg m^2")]
pub enum Inertia {
    /// Principal moments along x, y, z, kg m^2.
    Diagonal([f64; 3]),
    /// Rows of the matrix, kg m^2.
    Full([[f64; 3]; 3]),
}

/// An orientation: a unit quaternion `[x, y, z, w]`, or an axis and an angle.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(untagged)]
pub enum Rotation {
    /// Unit quaternion x, y, z, w.
    Quaternion([f64; 4]),
    /// Turned about an axis.
    AxisAngle(AxisAngle),
}

/// A turn about an axis.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AxisAngle {
    /// Axis in the world; any length but zero.
    pub axis: Triple<One>,
    /// Angle, degrees, counter-clockwise seen against the axis.
    pub degrees: Number<Degree>,
}

impl Default for Rotation {
    fn default() -> Self {
        Rotation::Quaternion([0.0, 0.0, 0.0, 1.0])
    }
}

// By hand: serde's untagged enums lose the place of an error.
impl<'de> Deserialize<'de> for Rotation {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(RotationVisitor)
    }
}

struct RotationVisitor;

impl<'de> Visitor<'de> for RotationVisitor {
    type Value = Rotation;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a unit quaternion [x, y, z, w] or an object with 'axis' and 'degrees'")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Rotation, A::Error> {
        let mut q = Vec::new();
        while let Some(x) = seq.next_element::<Number<One>>()? {
            q.push(x.value);
        }
        let q = q.try_into().map_err(|q: Vec<f64>| Error::invalid_length(q.len(), &self))?;
        Ok(Rotation::Quaternion(q))
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Rotation, A::Error> {
        AxisAngle::deserialize(value::MapAccessDeserializer::new(map)).map(Rotation::AxisAngle)
    }
}

/// How far the square of the length of a quaternion may be from 1 to be taken as it is.
const EXACT: f64 = 1e-12;

impl Rotation {
    /// The quaternion, and whether it is taken to the last bit: one of length 1 is, any other is normalised.
    pub(super) fn quat(&self, path: &Path) -> Result<(Quat, bool), FileError> {
        match self {
            Rotation::Quaternion(q) => {
                let q = Quat::from_array(*q);
                Ok((q, (q.length_squared() - 1.0).abs() <= EXACT))
            }
            Rotation::AxisAngle(a) => {
                let axis = a.axis.value.normalize_or_zero();
                if axis == Vec3::ZERO {
                    return Err(FileError::input(path.key("axis"), a.axis.value, "a vector that is not zero"));
                }
                // From libm, so that a file gives the same bits on every machine.
                let (sin, cos) = libm::sincos(0.5 * a.degrees.value.to_radians());
                let v = axis * sin;
                Ok((Quat::from_xyzw(v.x, v.y, v.z, cos), false))
            }
        }
    }
}

impl Body {
    /// The name.
    pub fn name(&self) -> &str {
        match self {
            Body::Dynamic(b) => &b.name,
            Body::Particle(b) => &b.name,
            Body::Fixed(b) => &b.name,
            Body::Kinematic(b) => &b.name,
        }
    }

    /// Its colliders.
    pub fn colliders(&self) -> &[Collider] {
        match self {
            Body::Dynamic(b) => &b.colliders,
            Body::Particle(b) => &b.colliders,
            Body::Fixed(b) => &b.colliders,
            Body::Kinematic(b) => &b.colliders,
        }
    }

    /// The shape that gives its inertia, if there is one.
    pub(super) fn shape(&self) -> Option<&Shape> {
        if let Body::Dynamic(b) = self { b.shape.as_ref() } else { None }
    }

    /// Axes of the world in which it is locked.
    pub(super) fn locks(&self) -> taut::Locks {
        match self {
            Body::Dynamic(b) => b.locks.engine(),
            Body::Particle(b) => b.locks.engine(),
            Body::Fixed(_) | Body::Kinematic(_) => taut::Locks::NONE,
        }
    }

    /// The engine's definition without colliders and locks, and the distance of its farthest point from the centre of mass, m.
    pub(super) fn def(&self, path: &Path) -> Result<(taut::Body, f64), FileError> {
        let (def, reach) = match self {
            Body::Dynamic(b) => {
                let (mass, reach) = b.solid(path)?;
                let def = taut::Body::dynamic(mass)
                    .moving(b.velocity.value, b.angular_velocity.value)
                    .damped(b.linear_damping.value, b.angular_damping.value)
                    .gravity_scale(b.gravity_scale.map_or(1.0, |x| x.value))
                    .exposed(exposed(b.exposure.as_deref(), path)?)
                    .top_speed(
                        b.top_speed.map_or(f64::INFINITY, |x| x.value),
                        b.top_angular_speed.map_or(f64::INFINITY, |x| x.value),
                    );
                let def = posed(def, b.position.value, &b.rotation, path)?;
                (given(def, b.enabled, b.user_data), reach)
            }
            Body::Particle(b) => {
                let def = taut::Body::particle(b.mass.value)
                    .moving(b.velocity.value, Vec3::ZERO)
                    .damped(b.linear_damping.value, 0.0)
                    .gravity_scale(b.gravity_scale.map_or(1.0, |x| x.value))
                    .exposed(exposed(b.exposure.as_deref(), path)?)
                    .top_speed(b.top_speed.map_or(f64::INFINITY, |x| x.value), f64::INFINITY);
                (given(def.at(b.position.value), b.enabled, b.user_data), 0.0)
            }
            Body::Fixed(b) => {
                let def = posed(taut::Body::fixed(), b.position.value, &b.rotation, path)?;
                (given(def, b.enabled, b.user_data), 0.0)
            }
            Body::Kinematic(b) => {
                let def = taut::Body::kinematic().moving(b.velocity.value, b.angular_velocity.value);
                let def = posed(def, b.position.value, &b.rotation, path)?;
                (given(def, b.enabled, b.user_data), 0.0)
            }
        };
        Ok((def.named(self.name()), reach))
    }
}

/// A body where the file says: its shape's own origin, which need not be the centre of mass.
fn posed(def: taut::Body, at: Vec3, rotation: &Rotation, path: &Path) -> Result<taut::Body, FileError> {
    let (rot, exact) = rotation.quat(&path.key("rotation"))?;
    let center = def.mass.map_or(Vec3::ZERO, |m| m.center);
    let pos = if center == Vec3::ZERO { at } else { at + rot * center };
    Ok(if exact { def.posed(Pose { pos, rot }) } else { def.at(pos).rotated(rot) })
}

/// What water and wind see of a body of which the file says this.
fn exposed(said: Option<&Exposure>, path: &Path) -> Result<taut::field::Exposure, FileError> {
    said.map_or_else(|| Ok(taut::field::Exposure::default()), |e| e.engine(&path.key("exposure")))
}

fn given(def: taut::Body, enabled: bool, user_data: u64) -> taut::Body {
    let def = def.user_data(user_data);
    if enabled { def } else { def.disabled() }
}

/// Density that a shape of given mass is built with before it is scaled, kg/m^3.
pub(super) const ANY_DENSITY: f64 = 1000.0;

impl Dynamic {
    /// Mass properties, and the distance of the farthest point from the centre of mass, m.
    fn solid(&self, path: &Path) -> Result<(MassProperties, f64), FileError> {
        let refuse = |field: &str, message: &str| Err(FileError::new(path.key(field), message));
        let Some(shape) = &self.shape else {
            if self.density.is_some() {
                return refuse("density", "density: expected a shape with it");
            }
            return self.numbers(path);
        };
        let inside = path.key("shape");
        match (self.mass, self.density, self.inertia) {
            (Some(_), Some(_), _) => refuse("density", "density: expected either 'mass' or 'density'"),
            (None, None, _) => {
                Err(FileError::new(path.clone(), "no mass: expected 'density' or 'mass' with the shape"))
            }
            (None, Some(_), Some(_)) => {
                refuse("inertia", "inertia: expected none with a shape and its density, or 'mass' in place of it")
            }
            (None, Some(density), None) => {
                if density.value <= 0.0 {
                    let expected = "a number of kg/m^3 greater than zero";
                    return Err(FileError::input(path.key("density"), density.value, expected));
                }
                shape.solid(density.value, &inside)
            }
            (Some(mass), None, inertia) => {
                let (solid, reach) = shape.solid(ANY_DENSITY, &inside)?;
                let Some(inertia) = inertia else {
                    return Ok((solid.with_mass(mass.value).among(path, &[("mass", "mass")])?, reach));
                };
                let exact = MassProperties { mass: mass.value, inertia: inertia.matrix(), ..solid };
                exact.validate().among(path, &[("inertia", "inertia"), ("mass", "mass")])?;
                Ok((exact, reach))
            }
        }
    }

    /// A body without a shape.
    fn numbers(&self, path: &Path) -> Result<(MassProperties, f64), FileError> {
        let Some(mass) = self.mass else {
            return Err(FileError::new(
                path.clone(),
                "no mass: expected 'mass' and 'inertia', or 'shape' with 'density' or 'mass'",
            ));
        };
        let Some(inertia) = self.inertia else {
            return Err(FileError::new(
                path.clone(),
                "no inertia: expected 'inertia' or 'shape' (a body of type 'particle' needs neither)",
            ));
        };
        let (mass, inertia) = (mass.value, inertia.matrix());
        let solid = MassProperties { mass, center: Vec3::ZERO, inertia, solid: None };
        solid.validate().among(path, &[("inertia", "inertia"), ("mass", "mass")])?;
        // The radius of gyration stands for the size of a body without a shape.
        let reach = (inertia.x_axis.x.max(inertia.y_axis.y).max(inertia.z_axis.z) / mass).sqrt();
        Ok((solid, reach))
    }
}

impl Inertia {
    /// Row by row in the file, column by column in the engine.
    fn matrix(self) -> Mat3 {
        match self {
            Inertia::Diagonal(d) => Mat3::from_diagonal(Vec3::from_array(d)),
            Inertia::Full(rows) => Mat3::from_cols_array_2d(&rows).transpose(),
        }
    }

    /// What says a matrix to the last bit.
    pub(super) fn saying(m: Mat3) -> Self {
        let rows = m.transpose().to_cols_array_2d();
        let diagonal = [rows[0][0], rows[1][1], rows[2][2]];
        let bits = |m: Mat3| m.to_cols_array().map(f64::to_bits);
        let plain = Inertia::Diagonal(diagonal);
        if bits(plain.matrix()) == bits(m) { plain } else { Inertia::Full(rows) }
    }
}

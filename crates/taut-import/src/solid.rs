//! Mass, centre of mass and inertia of solids along z, and of several of them together.
//!
//! ```text
//! together         m = sum m_i,   c = sum m_i c_i / m
//! (Steiner)        I = sum R_i I_i R_i^T + m_i (d^2 1 - d d^T),   d = c_i - c
//! ellipsoid a b c  m = 4/3 pi rho a b c,   I_x = m (b^2 + c^2) / 5, and cyclic
//! ```

use crate::hull;
use crate::model::{Shape, UPRIGHT};
use crate::report::{Error, Place};
use std::f64::consts::PI;
use taut::{MassProperties, Mat3, Pose, Quat, Vec3};

/// What helps where a file is as it is.
pub const HINT: &str = " (--balance-inertia takes the mean of the moments)";

/// What is added to the moments of a part before they are judged, of the largest: rounding in a file of seven digits.
const SLACK: f64 = 1e-6;

/// A point mass, or a solid that may be without extent: what [`MassProperties`] refuses until all parts are together.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub mass: f64,
    pub center: Vec3,
    pub inertia: Mat3,
}

impl From<MassProperties> for Part {
    fn from(m: MassProperties) -> Self {
        Part { mass: m.mass, center: m.center, inertia: m.inertia }
    }
}

impl Part {
    /// The same, moved.
    pub fn moved(self, pose: &Pose) -> Part {
        let turn = Mat3::from_quat(pose.rot);
        Part { mass: self.mass, center: pose.to_world(self.center), inertia: turn * self.inertia * turn.transpose() }
    }

    /// Refuses moments that no distribution of mass has; a point mass is one.
    pub fn check(&self, place: &Place) -> Result<(), Error> {
        let m = self.inertia;
        let size = m.to_cols_array().iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        if size == 0.0 && self.mass.is_finite() && self.mass > 0.0 {
            return Ok(());
        }
        // A rod without thickness has one moment that is zero.
        let slack = Mat3::from_diagonal(Vec3::splat(SLACK * size));
        MassProperties { inertia: m + slack, ..self.properties() }
            .validate()
            .map_err(|e| Error::new(place, format!("{e}{HINT}")))
    }

    /// As the engine has it; it is checked when the world is built.
    pub fn properties(self) -> MassProperties {
        let i = self.inertia;
        MassProperties { mass: self.mass, center: self.center, inertia: i * 0.5 + i.transpose() * 0.5, solid: None }
    }
}

/// All parts as one; none where nothing has a mass.
pub fn together(parts: &[Part]) -> Option<Part> {
    // One part alone keeps its bits.
    if let [one] = parts {
        return (one.mass > 0.0).then_some(*one);
    }
    let mass: f64 = parts.iter().map(|p| p.mass).sum();
    if !(mass > 0.0) {
        return None;
    }
    let center = parts.iter().map(|p| p.center * p.mass).sum::<Vec3>() / mass;
    let inertia = parts.iter().fold(Mat3::ZERO, |sum, p| {
        let d = p.center - center;
        let outer = Mat3::from_cols(d * d.x, d * d.y, d * d.z);
        sum + p.inertia + (Mat3::from_diagonal(Vec3::splat(d.length_squared())) - outer) * p.mass
    });
    Some(Part { mass, center, inertia })
}

/// The solid of a shape with a density, kg/m^3, along the axes of the shape.
pub fn of(shape: &Shape, density: f64) -> Result<Part, String> {
    let upright = Pose { pos: Vec3::ZERO, rot: Quat::from_array(UPRIGHT) };
    let along_z = |m: taut::Result<MassProperties>| m.map(|m| Part::from(m).moved(&upright));
    let made = match shape {
        Shape::Heights(_) => return Err("a height field has no volume".into()),
        Shape::Plane => return Err("a plane has no volume".into()),
        Shape::Sphere { radius } => MassProperties::sphere(density, *radius).map(Part::from),
        Shape::Box { half } => MassProperties::cuboid(density, *half).map(Part::from),
        Shape::Capsule { radius, half } => along_z(MassProperties::capsule(density, *half, *radius)),
        Shape::Cylinder { radius, half } => along_z(MassProperties::cylinder(density, *half, *radius)),
        Shape::Ellipsoid { semi } => {
            let mass = 4.0 / 3.0 * PI * density * semi.x * semi.y * semi.z;
            let s = *semi * *semi;
            let moments = Vec3::new(s.y + s.z, s.z + s.x, s.x + s.y) * (mass / 5.0);
            MassProperties::from_diagonal(mass, moments).map(Part::from)
        }
        Shape::Mesh(m) => {
            MassProperties::of(&taut::Shape::ConvexHull { points: hull::of(&m.vertices)?.points }, density)
                .map(Part::from)
        }
    };
    made.map_err(|e| e.to_string())
}

/// A turn about an axis of length 1 by an angle, rad: the same bits on every machine.
pub fn turn(axis: Vec3, angle: f64) -> Quat {
    let (sin, cos) = libm::sincos(0.5 * angle);
    let v = axis * sin;
    Quat::from_xyzw(v.x, v.y, v.z, cos)
}

/// The shortest turn that brings z to a direction of length 1.
pub fn from_z(to: Vec3) -> Quat {
    let q = Quat::from_xyzw(-to.y, to.x, 0.0, 1.0 + to.z);
    if q.length_squared() > 1e-20 { q.normalize() } else { Quat::from_xyzw(1.0, 0.0, 0.0, 0.0) }
}

/// The turn of a frame with these axes, of length 1 and squared.
pub fn from_axes(x: Vec3, y: Vec3) -> Quat {
    Quat::from_mat3(&Mat3::from_cols(x, y, x.cross(y))).normalize()
}

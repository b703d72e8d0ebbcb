//! Bodies with colliders and ground to put them on.

use super::Rng;
use taut::{
    Body, BodyId, Collider, ColliderId, MassProperties, Material, Pose, Quat, Shape, Vec3, World, views::ContactView,
};

pub const STEP: f64 = 1.0 / 60.0;
pub const G: f64 = 9.81;

/// Everything below a plane through the origin, on the ground body.
pub fn plane(w: &mut World, normal: Vec3, material: Material) -> ColliderId {
    w.add(Collider::new(Shape::HalfSpace { normal }).of(material).on(w.ground())).unwrap()
}

/// Mass of a shape of density 1000 kg/m^3, or of its bounding box for hulls.
pub fn mass_of(shape: &Shape) -> MassProperties {
    let box_of = |half: Vec3| MassProperties::cuboid(1000.0, half).unwrap();
    match shape {
        Shape::Ball { radius } => MassProperties::sphere(1000.0, *radius).unwrap(),
        Shape::Cuboid { half } => box_of(*half),
        Shape::Capsule { half_length, radius } => box_of(Vec3::new(*radius, half_length + radius, *radius)),
        Shape::Cylinder { half_height, radius } => box_of(Vec3::new(*radius, *half_height, *radius)),
        Shape::ConvexHull { points } => box_of(points.iter().fold(Vec3::ZERO, |m, p| m.max(p.abs()))),
        _ => unreachable!("a solid"),
    }
}

/// A body with one collider about its centre of mass.
pub fn solid(w: &mut World, shape: Shape, material: Material, pose: Pose) -> (BodyId, ColliderId) {
    let b = w.add(Body::dynamic(mass_of(&shape)).at(pose.pos).rotated(pose.rot)).unwrap();
    let c = w.add(Collider::new(shape).of(material).on(b)).unwrap();
    (b, c)
}

/// The same, upright at a point.
pub fn put(w: &mut World, shape: Shape, material: Material, at: Vec3) -> BodyId {
    solid(w, shape, material, Pose { pos: at, rot: Quat::IDENTITY }).0
}

/// A cube of half edge `half`.
pub fn cube(half: f64) -> Shape {
    Shape::cuboid(Vec3::splat(half))
}

/// A four-sided spindle with its corners on the axes, x and z at `r`, y at `h`.
pub fn spindle(r: f64, h: f64) -> Shape {
    let points = [Vec3::X * r, Vec3::Y * h, Vec3::Z * r].into_iter().flat_map(|p| [p, -p]).collect();
    Shape::ConvexHull { points }
}

/// Sum of the contact forces on a body.
pub fn push_on(w: &World, body: BodyId) -> Vec3 {
    w.contacts().map(|c| force_on(&c, body)).sum()
}

/// The force of a contact on one of its bodies; zero for others.
pub fn force_on(c: &ContactView, body: BodyId) -> Vec3 {
    if c.bodies.0 == body {
        c.force
    } else if c.bodies.1 == body {
        -c.force
    } else {
        Vec3::ZERO
    }
}

/// No contact pulls, and friction stays within `mu` times the normal force (round cones).
pub fn assert_cones(w: &World, mu: f64) {
    for c in w.contacts() {
        let normal = c.force.dot(c.normal);
        let across = (c.force - c.normal * normal).length();
        assert!(normal >= 0.0, "pull {normal:e}");
        assert!(across <= mu * normal * (1.0 + 1e-9) + 1e-12 * normal.max(1.0), "{across} beyond {mu} of {normal}");
    }
}

/// A random solid of about 0.2 m.
pub fn random_shape(r: &mut Rng) -> Shape {
    let size = |r: &mut Rng| r.range(0.1, 0.3);
    match r.below(4) {
        0 => Shape::cuboid(Vec3::new(size(r), size(r), size(r))),
        1 => Shape::capsule(size(r), size(r)),
        2 => Shape::cylinder(size(r), size(r)),
        _ => Shape::ConvexHull {
            points: (0..9)
                .map(|_| r.vec(0.3))
                .chain([Vec3::X, Vec3::Y, Vec3::Z, -Vec3::ONE].map(|p| 0.3 * p))
                .collect(),
        },
    }
}

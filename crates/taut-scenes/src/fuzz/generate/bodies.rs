//! Bodies on a grid so wide that none starts inside another, and the floor below them.

use super::{Place, Plan};
use crate::file::{
    AxisAngle, Body, Capsule, Coefficients, Collider, ColliderShape, Cuboid, Cylinder, Dynamic, Ground, Groups,
    HalfSpace, Kinematic, Locks, Particle, Rotation, Shape, Sphere, Surface,
};
use crate::fuzz::Feature;
use crate::fuzz::draw::{digits, neat};
use taut::Vec3;

/// Edge of the grid, m: more than the sizes (at most 0.5 m from the centre) and the shifts need.
const EDGE: f64 = 1.5;
/// Height of the floor, m: below everything at the start.
const FLOOR: f64 = -2.0;
/// Groups of bodies and of the floor.
const BODIES: u32 = 0;
const GROUND: u32 = 1;

/// The bodies and where they are.
pub(super) fn bodies(plan: &Plan) -> (Vec<Body>, Vec<Place>) {
    (0..plan.count).map(|k| body(plan, k)).unzip()
}

/// The floor, if the world has contacts.
pub(super) fn floor(plan: &Plan) -> Ground {
    let shape = ColliderShape::HalfSpace(HalfSpace { normal: None });
    let groups = Groups { member: Some(vec![GROUND]), with: Some(vec![BODIES]) };
    let floor = Collider { position: (FLOOR * Vec3::Y).into(), ..collider(Some(shape), groups) };
    Ground { colliders: if plan.contacts { vec![floor] } else { Vec::new() }, user_data: 0 }
}

fn body(plan: &Plan, k: usize) -> (Body, Place) {
    let mut draw = plan.draw("body", k);
    let (name, mass) = (format!("b{k}"), mass(plan, k));
    let at = neat(grid(k) + draw.within(0.2));
    let shape = shape(plan, k);
    let what = draw.range(0.0, 1.0);
    let place = |particle| Place { name: name.clone(), at, particle };
    let moving = velocities(plan, k);
    if what < 0.05 && k > 0 && plan.has(Feature::Kinematic) {
        return (kinematic(plan, k, &place(false), &shape), place(false));
    }
    if what > 0.9 && plan.has(Feature::Particles) {
        let ball = ColliderShape::Sphere(Sphere { radius: draw.range(0.05, 0.25).into() });
        let particle = Particle {
            name: name.clone(),
            mass: mass.into(),
            position: at.into(),
            velocity: moving[0].into(),
            linear_damping: 0.0.into(),
            gravity_scale: None,
            exposure: None,
            top_speed: None,
            locks: Locks::default(),
            enabled: true,
            user_data: 0,
            colliders: skin(plan, k, Some(ball)),
        };
        return (Body::Particle(particle), place(true));
    }
    let dynamic = Dynamic {
        name: name.clone(),
        mass: Some(mass.into()),
        inertia: None,
        shape: Some(shape),
        density: None,
        position: at.into(),
        rotation: rotation(plan, k),
        velocity: moving[0].into(),
        angular_velocity: moving[1].into(),
        linear_damping: 0.0.into(),
        angular_damping: 0.0.into(),
        gravity_scale: None,
        exposure: None,
        top_speed: None,
        top_angular_speed: None,
        locks: Locks::default(),
        enabled: true,
        user_data: 0,
        colliders: skin(plan, k, None),
    };
    (Body::Dynamic(Box::new(dynamic)), place(false))
}

/// A place of the grid: three by three in the plane of the drawing, then the next layer.
fn grid(k: usize) -> Vec3 {
    Vec3::new((k % 3) as f64, (k / 3 % 3) as f64, (k / 9) as f64) * EDGE
}

fn mass(plan: &Plan, k: usize) -> f64 {
    let mass = plan.draw("mass", k).log(1e-3, 1e6);
    if plan.has(Feature::WideMasses) { mass } else { digits(libm::cbrt(mass), 4) }
}

fn rotation(plan: &Plan, k: usize) -> Rotation {
    let mut draw = plan.draw("rotation", k);
    let axis = draw.direction().into();
    Rotation::AxisAngle(AxisAngle { axis, degrees: draw.range(0.0, 172.0).round().into() })
}

/// Velocity and angular velocity at the start; half of the bodies rest.
fn velocities(plan: &Plan, k: usize) -> [Vec3; 2] {
    let mut draw = plan.draw("velocity", k);
    if !draw.chance(0.5) || !plan.has(Feature::Velocities) {
        return [Vec3::ZERO; 2];
    }
    [draw.direction() * draw.range(0.0, 1.0), draw.direction() * draw.range(0.0, 2.0)].map(neat)
}

/// A driven body: slow, and always moving.
fn kinematic(plan: &Plan, k: usize, place: &Place, shape: &Shape) -> Body {
    let mut draw = plan.draw("kinematic", k);
    let [velocity, spin] = [draw.direction() * draw.range(0.0, 0.2), draw.direction() * draw.range(0.0, 0.4)];
    let shape = match shape {
        Shape::Box(s) => ColliderShape::Box(*s),
        Shape::Sphere(s) => ColliderShape::Sphere(*s),
        Shape::Capsule(s) => ColliderShape::Capsule(*s),
        Shape::Cylinder(s) => ColliderShape::Cylinder(*s),
        Shape::ConvexMesh(_) => ColliderShape::Sphere(Sphere { radius: 0.1.into() }),
    };
    Body::Kinematic(Kinematic {
        name: place.name.clone(),
        position: place.at.into(),
        rotation: Rotation::default(),
        velocity: neat(velocity).into(),
        angular_velocity: neat(spin).into(),
        enabled: true,
        user_data: 0,
        colliders: skin(plan, k, Some(shape)),
    })
}

fn shape(plan: &Plan, k: usize) -> Shape {
    let mut draw = plan.draw("shape", k);
    let (a, b) = (draw.range(0.05, 0.25), draw.range(0.05, 0.25));
    let height = neat(Vec3::splat(2.0 * a)).x.into();
    match draw.below(4) {
        0 => Shape::Box(Cuboid { size: neat(2.0 * Vec3::new(a, b, a)).into() }),
        1 => Shape::Sphere(Sphere { radius: a.into() }),
        2 => Shape::Capsule(Capsule { radius: b.into(), height }),
        _ => Shape::Cylinder(Cylinder { radius: b.into(), height }),
    }
}

/// The collider of a body; without a shape it takes that of the body.
fn skin(plan: &Plan, k: usize, shape: Option<ColliderShape>) -> Vec<Collider> {
    if !plan.contacts {
        return Vec::new();
    }
    let mut draw = plan.draw("collider", k);
    let friction = Some(Coefficients::Same(draw.range(0.0, 1.0)));
    let bounces = draw.chance(0.3);
    let restitution = bounces.then(|| draw.range(0.0, 1.0).into());
    let with = if plan.among { vec![BODIES, GROUND] } else { vec![GROUND] };
    let groups = Groups { member: Some(vec![BODIES]), with: Some(with) };
    let material = Surface { friction, restitution, ..Surface::default() };
    vec![Collider { material, ..collider(shape, groups) }]
}

fn collider(shape: Option<ColliderShape>, groups: Groups) -> Collider {
    Collider {
        name: None,
        shape,
        position: Vec3::ZERO.into(),
        rotation: Rotation::default(),
        material: Surface::default(),
        groups: Some(groups),
        sensor: false,
        enabled: true,
        user_data: 0,
    }
}

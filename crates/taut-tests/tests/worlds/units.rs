//! No behaviour depends on the unit of length or of mass: the same world in other units moves the same way.
//!
//! Every world is built by a function of the units, so that no number of it can be forgotten. Lengths, velocities and gravity go
//! with the unit of length L, stiffnesses with that of mass M, forces with M L, torques and moments of inertia with M L^2; time and
//! angles stay.

use crate::common::{ball, rod};
use taut::{
    Ball, Body, BodyId, Cable, Collider, Coordinates, Distance, Hinge, Joint, MassProperties, Material, Motor, Options,
    Prismatic, Rope, Shape, Softness, Solver, Spring, Stabiliser, Vec3, World, settings::InertialDamping,
};

/// Units: how many of them a metre and a kilogram are.
#[derive(Clone, Copy, Debug)]
struct Units {
    l: f64,
    m: f64,
}

const SI: Units = Units { l: 1.0, m: 1.0 };
const H: f64 = 1.0 / 60.0;

impl Units {
    fn at(&self, x: f64, y: f64, z: f64) -> Vec3 {
        self.l * Vec3::new(x, y, z)
    }

    /// A stiffness against turning, a torque or a moment of inertia.
    fn turn(&self, x: f64) -> f64 {
        self.m * self.l * self.l * x
    }

    fn rod(&self, mass: f64, length: f64, radius: f64) -> MassProperties {
        rod(self.m * mass, self.l * length, self.l * radius)
    }

    fn ball(&self, mass: f64, radius: f64) -> MassProperties {
        ball(self.m * mass, self.l * radius)
    }

    /// A box about its centre of mass, with its collider.
    fn cuboid(&self, w: &mut World, half: Vec3, at: Vec3, material: Material) -> BodyId {
        let mass = MassProperties::cuboid(500.0 * self.m / (self.l * self.l * self.l), self.l * half).unwrap();
        let collider = Collider::new(Shape::cuboid(self.l * half)).of(material);
        w.add(Body::dynamic(mass).at(at).collider(collider)).unwrap()
    }

    fn world(&self, gravity: f64, options: Options) -> World {
        crate::common::world(Options { gravity: self.at(0.0, -gravity, 0.0), ..options })
    }

    fn floor(&self, w: &mut World, material: Material) {
        w.add(Collider::new(Shape::ground()).of(material).on(w.ground())).unwrap();
    }
}

/// A load of 100 kg on a chain of 10 rods of 10 g, hinges and balls in turn, thrown sideways.
fn chain(u: Units, o: Options) -> World {
    let mut w = u.world(9.81, o);
    let mut last = w.ground();
    for k in 0..10 {
        let x = 0.1 * f64::from(k);
        let b = w.add(Body::dynamic(u.rod(0.01, 0.1, 0.01)).at(u.at(x + 0.05, 0.0, 0.0))).unwrap();
        let at = u.at(x, 0.0, 0.0);
        let between = if k % 2 == 0 { Hinge::between } else { Ball::between };
        w.add(between(b, last).at(at).axis(Vec3::Z)).unwrap();
        last = b;
    }
    let load = Body::dynamic(u.ball(100.0, 0.2)).at(u.at(1.0, 0.0, 0.0)).moving(u.at(0.0, 0.0, 0.5), Vec3::ZERO);
    let load = w.add(load).unwrap();
    w.add(Ball::between(load, last)).unwrap();
    w
}

/// A square of four rods that hangs on one corner, with redundant hinges, and a rod between two bodies without lever arms.
fn ring(u: Units, o: Options) -> World {
    let mut w = u.world(9.81, o);
    let corner = |k: usize| {
        let (x, y) = [(0.0, 0.0), (1.0, -0.2), (1.2, -1.2), (0.2, -1.0)][k % 4];
        u.at(x, y, 0.0)
    };
    let rods: Vec<BodyId> = (0..4)
        .map(|k| {
            let (a, b) = (corner(k), corner(k + 1));
            let turn = taut::Quat::from_rotation_arc(Vec3::X, (b - a).normalize());
            let length = (b - a).length() / u.l;
            w.add(Body::dynamic(u.rod(1.0, length, 0.02)).at(0.5 * (a + b)).rotated(turn)).unwrap()
        })
        .collect();
    for k in 0..4 {
        w.add(Hinge::between(rods[k], rods[(k + 1) % 4]).at(corner(k + 1)).axis(Vec3::Z)).unwrap();
    }
    let ground = w.ground();
    w.add(Hinge::between(rods[0], ground).at(corner(0)).axis(Vec3::Z)).unwrap();
    let near = w.add(Body::dynamic(u.ball(0.3, 0.1)).at(u.at(2.0, 0.0, 0.0))).unwrap();
    let far = w.add(Body::dynamic(u.ball(0.1, 0.1)).at(u.at(2.5, 0.0, 0.0))).unwrap();
    w.add(Ball::between(near, ground)).unwrap();
    w.add(Distance::between(near, far)).unwrap();
    w
}

/// Cables and springs from nearly rigid to soft, in joints and between bodies.
fn springs(u: Units, o: Options) -> World {
    let mut w = u.world(9.81, o);
    let ground = w.ground();
    for (row, axial) in [1e9, 3e6, 1e4].into_iter().enumerate() {
        let z = row as f64;
        let cable = Cable::from_stiffness(u.m * axial, u.turn(5.0), u.turn(3.0)).unwrap();
        let mut last = ground;
        for k in 0..5 {
            let x = 0.2 * f64::from(k);
            let b = w.add(Body::dynamic(u.rod(0.05, 0.2, 0.01)).at(u.at(x + 0.1, 0.0, z))).unwrap();
            w.add(Joint::of(cable, b, last).at(u.at(x, 0.0, z)).axis(Vec3::X)).unwrap();
            last = b;
        }
        let load = w.add(Body::dynamic(u.ball(5.0, 0.1)).at(u.at(1.0, 0.0, z))).unwrap();
        w.add(Ball::between(load, last).linear(Softness::compliance(1e-8 / u.m))).unwrap();
        let spring = Spring::between(load, ground).ends(u.at(1.0, 0.0, z), u.at(1.0, 1.0, z));
        w.add(spring.stiffness(200.0 * u.m).damping(2.0 * u.m).rest_length(0.5 * u.l)).unwrap();
    }
    w
}

/// A load that falls into a slack rope, one that bounces on another, limits that are run into, and a rope of particles.
fn ropes(u: Units, o: Options) -> World {
    let mut w = u.world(9.81, o);
    let ground = w.ground();
    for (k, rope) in [Rope::new(u.l), Rope { restitution: 0.5, ..Rope::new(u.l) }].into_iter().enumerate() {
        let z = k as f64;
        let b = w.add(Body::dynamic(u.ball(3.0, 0.1)).at(u.at(0.3, 0.0, z))).unwrap();
        w.add(Joint::of(rope, b, ground).ends(u.at(0.35, 0.05, z), u.at(0.0, 0.0, z))).unwrap();
    }
    let mut last = ground;
    for k in 0..4 {
        let x = 0.5 * f64::from(k) - 3.0;
        let b = w.add(Body::dynamic(u.rod(1.0, 0.5, 0.03)).at(u.at(x + 0.25, 0.0, 0.0))).unwrap();
        w.add(Hinge::between(b, last).at(u.at(x, 0.0, 0.0)).axis(Vec3::Z).limit(-0.4, 0.3)).unwrap();
        last = b;
    }
    let (mut last, mut from) = (ground, u.at(3.0, 0.0, 0.0));
    for k in 1..8 {
        let mass = if k == 7 { 10.0 } else { 0.01 };
        let at = u.at(3.0 + 0.1 * f64::from(k), 0.0, 0.0);
        let b = w.add(Body::particle(u.m * mass).at(at)).unwrap();
        let slack = Rope::between(b, last).length(0.11 * u.l);
        let joint = if k % 3 == 0 { slack } else { Distance::between(b, last).length(0.1 * u.l) };
        w.add(joint.ends(at, from)).unwrap();
        (last, from) = (b, at);
    }
    w
}

/// Boxes that land on each other and come to rest, one that slides, and balls that bounce on a floor.
fn boxes(u: Units, o: Options) -> World {
    let mut w = u.world(9.81, o);
    u.floor(&mut w, Material::new(0.5, 0.6));
    for k in 0..4 {
        let y = 0.101 + 0.21 * f64::from(k);
        let x = 0.01 * f64::from(k % 2);
        u.cuboid(&mut w, Vec3::new(0.12, 0.1, 0.11), u.at(x, y, 0.0), Material::new(0.5, 0.0));
    }
    let slides = u.cuboid(&mut w, Vec3::splat(0.1), u.at(2.0, 0.1, 0.0), Material::new(0.3, 0.0));
    w.set_velocity(slides, u.at(1.5, 0.0, 0.4), Vec3::ZERO).unwrap();
    for (k, soft) in [0.0, 1e-5 / u.m].into_iter().enumerate() {
        let at = u.at(-1.0 - k as f64, 0.4, 0.0);
        let material = if soft > 0.0 { Material::new(0.5, 0.6).soft(soft, u.m) } else { Material::new(0.5, 0.8) };
        let collider = Collider::new(Shape::ball(0.1 * u.l)).of(material);
        w.add(Body::dynamic(u.ball(0.5, 0.1)).at(at).collider(collider)).unwrap();
    }
    w
}

/// A heap of so many boxes that its contacts are solved without their matrix.
fn heap(u: Units, o: Options) -> World {
    let mut w = u.world(9.81, o);
    u.floor(&mut w, Material::new(0.5, 0.0));
    for row in 0..4 {
        for k in 0..4 - row {
            let (x, y) = (0.22 * (f64::from(k) + 0.5 * f64::from(row)), 0.1 + 0.2 * f64::from(row));
            u.cuboid(&mut w, Vec3::splat(0.1), u.at(x, y, 0.0), Material::new(0.5, 0.0));
        }
    }
    w
}

/// Particles with colliders on rods, dropped on a floor.
fn beads(u: Units, o: Options) -> World {
    let mut w = u.world(9.81, o);
    u.floor(&mut w, Material::new(0.4, 0.0));
    let mut last = None;
    for k in 0..5 {
        let at = u.at(0.1 * f64::from(k), 0.15 + 0.02 * f64::from(k), 0.0);
        let collider = Collider::new(Shape::ball(0.03 * u.l)).of(Material::new(0.4, 0.0));
        let b = w.add(Body::particle(0.1 * u.m).at(at).collider(collider)).unwrap();
        if let Some(to) = last {
            w.add(Distance::between(b, to)).unwrap();
        }
        last = Some(b);
    }
    w
}

/// A servo and a motor of limited torque with friction in a joint, and a slide that is driven against its end.
fn motors(u: Units, o: Options) -> World {
    let mut w = u.world(9.81, o);
    let ground = w.ground();
    let b = w.add(Body::dynamic(u.rod(2.0, 1.0, 0.05)).at(u.at(0.5, 0.0, 0.0))).unwrap();
    let servo = Motor::servo(u.turn(200.0), u.turn(20.0)).target(0.7);
    w.add(Hinge::between(b, ground).at(Vec3::ZERO).axis(Vec3::Z).motor(servo)).unwrap();
    let tip = w.add(Body::dynamic(u.rod(0.5, 0.5, 0.05)).at(u.at(1.25, 0.0, 0.0))).unwrap();
    let rubs = Hinge::between(tip, b).at(u.at(1.0, 0.0, 0.0)).axis(Vec3::Z).friction(u.turn(0.3));
    w.add(rubs.motor(Motor::rate().limited(u.turn(2.0)).speed(2.0))).unwrap();
    let slide = w.add(Body::dynamic(u.ball(1.0, 0.2)).at(u.at(3.0, 0.0, 0.0))).unwrap();
    let ends = Prismatic::between(slide, ground).axis(Vec3::Y).limit(-0.5 * u.l, 0.5 * u.l);
    w.add(ends.motor(Motor::rate().limited(50.0 * u.m * u.l).speed(1.5 * u.l))).unwrap();
    w
}

/// Bodies that meet without gravity, and spin.
fn drift(u: Units, o: Options) -> World {
    let mut w = u.world(0.0, o);
    for k in 0..4 {
        let at = u.at(0.5 * f64::from(k), 0.02 * f64::from(k), 0.0);
        let b = u.cuboid(&mut w, Vec3::new(0.1, 0.2, 0.15), at, Material::new(0.3, 0.5));
        w.set_velocity(b, u.at(-0.6 * f64::from(k), 0.0, 0.0), Vec3::new(0.1, 0.2, 0.0)).unwrap();
    }
    w
}

/// Hulls, cylinders, capsules and balls that fall on each other, on a mesh.
fn shapes(u: Units, o: Options) -> World {
    let mut w = u.world(9.81, o);
    let ridge = [(-5.0, -0.1, -5.0), (-5.0, 0.1, 5.0), (5.0, 0.0, 5.0), (5.0, 0.3, -5.0)];
    let vertices = ridge.map(|(x, y, z)| u.at(x, y, z)).to_vec();
    let ground = Shape::Mesh { vertices, triangles: vec![[0, 1, 2], [0, 2, 3]] };
    w.add(Collider::new(ground).of(Material::new(0.5, 0.2)).on(w.ground())).unwrap();
    let corners =
        [(0.1, 0.0, 0.0), (-0.1, 0.0, 0.05), (0.0, 0.15, 0.0), (0.0, -0.1, 0.02), (0.03, 0.0, 0.12), (0.0, 0.02, -0.1)];
    let points = corners.map(|(x, y, z)| u.at(x, y, z)).to_vec();
    let all = [
        Shape::cylinder(0.05 * u.l, 0.1 * u.l),
        Shape::ConvexHull { points },
        Shape::capsule(0.1 * u.l, 0.05 * u.l),
        Shape::cuboid(u.at(0.1, 0.05, 0.08)),
        Shape::ball(0.07 * u.l),
    ];
    for (k, shape) in all.iter().cycle().take(10).enumerate() {
        let (column, row) = ((k % 2) as f64, (k / 2) as f64);
        let at = u.at(0.05 * column, 0.2 + 0.25 * row, 0.21 * column);
        let turn = taut::Quat::from_rotation_z(0.3 * k as f64);
        let collider = Collider::new(shape.clone()).of(Material::new(0.5, 0.2));
        w.add(Body::dynamic(u.ball(1.0, 0.1)).at(at).rotated(turn).collider(collider)).unwrap();
    }
    w
}

type Build = fn(Units, Options) -> World;
const WORLDS: [(&str, Build); 10] = [
    ("chain", chain),
    ("ring", ring),
    ("springs", springs),
    ("ropes", ropes),
    ("boxes", boxes),
    ("heap", heap),
    ("beads", beads),
    ("motors", motors),
    ("drift", drift),
    ("shapes", shapes),
];

fn variants() -> Vec<(&'static str, Options)> {
    vec![
        ("default", Options::default()),
        ("reduced", Options { coordinates: Coordinates::Reduced, ..Options::default() }),
        ("structured", Options { solver: Solver::Structured(Default::default()), ..Options::default() }),
        ("none", Options { stabiliser: Stabiliser::None, ..Options::default() }),
        ("inertial", Options { stabiliser: Stabiliser::Inertial(InertialDamping::default()), ..Options::default() }),
    ]
}

/// Positions and velocities in metres, orientations and angular velocities of all bodies, and how many sleep.
fn motion(w: &World, u: Units) -> (Vec<f64>, usize) {
    let mut out = Vec::new();
    for b in w.bodies() {
        out.extend((b.position() / u.l).to_array());
        out.extend(b.rotation().to_array());
        out.extend((b.velocity() / u.l).to_array());
        out.extend(b.angular_velocity().to_array());
    }
    (out, w.sleeping())
}

/// The first step in which the two differ by more than `most`, and by how much they do.
fn apart(build: Build, (u, o): (Units, Options), steps: usize, most: f64) -> Option<(usize, f64)> {
    let (mut a, mut b) = (build(SI, o), build(u, o));
    for step in 0..steps {
        let (ra, rb) = (a.step(H), b.step(H));
        if ra.is_err() || rb.is_err() {
            // What is refused or fails does so in all units.
            return (ra.is_ok() != rb.is_ok()).then_some((step, f64::INFINITY));
        }
        let ((x, n), (y, m)) = (motion(&a, SI), motion(&b, u));
        let off = x.iter().zip(&y).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        if !(off <= most) || n != m {
            return Some((step, off));
        }
    }
    None
}

/// Powers of four change exponents alone, and those of their square roots: every operation gives the same digits, so that the
/// motion is the same to the last bit unless a number has a unit.
#[test]
fn powers_of_four_of_the_units_change_no_bit() {
    let mut found = Vec::new();
    for (name, build) in WORLDS {
        for (variant, o) in variants() {
            for (l, m) in
                [(1024.0, 1.0), (1.0 / 1024.0, 1.0), (1.0, 1024.0), (1.0, 1.0 / 1024.0), (1024.0, 1.0 / 1024.0)]
            {
                if let Some((step, off)) = apart(build, (Units { l, m }, o), 150, 0.0) {
                    found.push(format!("{name} {variant}, L {l}, M {m}: step {step}, {off:e}"));
                }
            }
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// Thousands round: each number of the world differs by half a unit of the last place, 1e-16. What 120 steps make of that depends on
/// the world: hanging and resting ones keep it, the load of the folding chain multiplies it by 1e8, and bodies that tumble over each
/// other, which are left to the test above, by as much as there is.
#[test]
fn thousands_of_the_units_change_rounding_alone() {
    let mut found = Vec::new();
    for (name, build) in WORLDS.into_iter().filter(|w| w.0 != "shapes") {
        for (l, m) in [(1e-3, 1.0), (1e3, 1.0), (1.0, 1e-3), (1.0, 1e3), (1e3, 1e-3), (1e-3, 1e-3)] {
            if let Some((step, off)) = apart(build, (Units { l, m }, Options::default()), 120, 1e-6) {
                found.push(format!("{name}, L {l}, M {m}: step {step}, {off:e}"));
            }
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

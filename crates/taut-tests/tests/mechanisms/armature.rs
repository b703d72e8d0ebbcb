//! Armatures: inertia that the rates of a joint feel, and nothing else.

use crate::common::Rng;
use taut::prelude::*;
use taut::joints::Translational;
use taut::{Locks, Options, SixDof};

const G: f64 = 9.81;

fn rod(mass: f64, half: f64) -> MassProperties {
    MassProperties::cuboid(1000.0, Vec3::new(half, 0.05, 0.05)).unwrap().with_mass(mass).unwrap()
}

/// A level rod on a hinge at the origin about z; inertia about the hinge.
fn pendulum(armature: f64) -> (World, JointId, BodyId, f64) {
    let mut world = World::new();
    let mass = rod(2.0, 0.5);
    let body = world.add(Body::dynamic(mass).at(0.5 * Vec3::X)).unwrap();
    let hinge = Hinge::between(body, world.ground()).at(Vec3::ZERO).axis(Vec3::Z).armature(armature);
    let hinge = world.add(hinge).unwrap();
    (world, hinge, body, mass.inertia.z_axis.z + 2.0 * 0.25)
}

/// Angle at a time by Runge-Kutta of I q'' = -m g l cos q.
fn swing(inertia: f64, time: f64) -> f64 {
    let f = |q: f64| -2.0 * G * 0.5 * q.cos() / inertia;
    let n = 20_000;
    let h = time / f64::from(n);
    let (mut q, mut w) = (0.0, 0.0);
    for _ in 0..n {
        let (k1, l1) = (w, f(q));
        let (k2, l2) = (w + 0.5 * h * l1, f(q + 0.5 * h * k1));
        let (k3, l3) = (w + 0.5 * h * l2, f(q + 0.5 * h * k2));
        let (k4, l4) = (w + h * l3, f(q + h * k3));
        q += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        w += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
    }
    q
}

#[test]
fn a_pendulum_with_an_armature_swings_as_one_with_so_much_more_inertia_and_at_second_order() {
    for armature in [0.0, 0.7, 20.0] {
        let error = |h: f64| {
            let (mut world, hinge, _, inertia) = pendulum(armature);
            let time = 1.2;
            (0..(time / h).round() as usize).for_each(|_| {
                let l = world.step(h).unwrap().ledger;
                assert!(l.imbalance.abs() < 1e-11, "{l:?}");
            });
            let q = world.joint(hinge).unwrap().position().unwrap();
            let d = q - swing(inertia + armature, time);
            d - std::f64::consts::TAU * (d / std::f64::consts::TAU).round()
        };
        let (a, b) = (error(0.01), error(0.005));
        println!("armature {armature}: errors {a:.2e} {b:.2e}, ratio {:.2}", a / b);
        assert!(a.abs() < 1e-3 && (a / b - 4.0).abs() < 0.3, "{armature}: {a} {b}");
    }
}

/// Every kind of joint that has rates, from body i to body j.
fn kinds() -> Vec<(&'static str, fn(BodyId, BodyId) -> Joint)> {
    fn joint(locks: [bool; 6], i: BodyId, j: BodyId) -> Joint {
        let [a, b, c, d, e, f] = locks;
        SixDof::between(i, j, Locks { linear: [a, b, c], angular: [d, e, f] })
    }
    vec![
        ("hinge", Hinge::between),
        ("prismatic", Prismatic::between),
        ("cylindrical", Cylindrical::between),
        ("universal", Universal::between),
        ("ball", Ball::between),
        ("planar", Planar::between),
        ("translational", Translational::between),
        ("six-dof ball", |i, j| joint([true, true, true, false, false, false], i, j)),
        ("six-dof free", |i, j| joint([false; 6], i, j)),
        ("six-dof one turn", |i, j| joint([true, true, true, false, true, true], i, j)),
        ("six-dof mixed", |i, j| joint([false, true, true, false, true, false], i, j)),
        ("wheel", |i, j| Wheel { suspension: Softness::RIGID, steers: false }.between(i, j)),
        ("steered", |i, j| Wheel { suspension: Softness::spring(50.0, 0.0), steers: true }.between(i, j)),
    ]
}

/// Two bodies that float, joined with an armature, in a tumble that the joint allows.
fn pair(kind: fn(BodyId, BodyId) -> Joint, armature: f64, seed: u64) -> (World, JointId) {
    let mut r = Rng(seed);
    let mut world = World::new();
    world.set_options(Options { gravity: Vec3::ZERO, ..Options::default() }).unwrap();
    let (a, b) = (r.mass(), r.mass());
    let spin = r.vec(1.5);
    let a = world.add(Body::dynamic(a).at(0.6 * Vec3::X).moving(spin.cross(0.6 * Vec3::X), spin)).unwrap();
    let at = Vec3::new(-0.4, 0.2, 0.1);
    let b = world.add(Body::dynamic(b).at(at).moving(spin.cross(at), spin)).unwrap();
    let joint = kind(a, b).at(Vec3::ZERO).axis(r.unit()).across(r.unit()).armature(armature);
    let joint = world.add(joint).unwrap();
    // What the joint leaves free gets a rate within the first steps.
    (world, joint)
}

fn momenta(world: &World) -> (Vec3, Vec3) {
    world.bodies().fold((Vec3::ZERO, Vec3::ZERO), |(p, l), b| {
        let m = b.mass_properties();
        if m.mass == 0.0 {
            return (p, l);
        }
        let rot = taut::Mat3::from_quat(b.rotation());
        let spin = rot * (m.inertia * (rot.transpose() * b.angular_velocity()));
        (p + m.mass * b.velocity(), l + spin + m.mass * b.position().cross(b.velocity()))
    })
}

/// A push that sets everything in motion, then so many steps.
fn thrown(kind: fn(BodyId, BodyId) -> Joint, armature: f64, h: f64) -> World {
    let (mut world, joint) = pair(kind, armature, 7);
    let pushed = world.joint(joint).unwrap().bodies().0;
    for _ in 0..(0.1 / h).round() as usize {
        let at = world.body(pushed).unwrap().position();
        world.apply_torque(pushed, Vec3::new(3.0, -5.0, 4.0)).unwrap();
        world.apply_force(pushed, Vec3::new(30.0, 20.0, -10.0), at).unwrap();
        world.step(h).unwrap();
    }
    world
}

#[test]
fn a_floating_pair_keeps_its_momentum_and_its_energy_whatever_joins_it() {
    for (name, kind) in kinds() {
        for armature in [0.0, 0.3, 30.0, 1e6] {
            let run = |h: f64| {
                let mut world = thrown(kind, armature, h);
                let (start, energy) = (momenta(&world), world.energy().unwrap().total());
                let size = energy.abs() + 1.0;
                let mut before = energy;
                for _ in 0..(1.0 / h).round() as usize {
                    let report = world.step(h).unwrap();
                    let (l, now) = (report.ledger, world.energy().unwrap().total());
                    assert!(l.imbalance.abs() < 1e-9 * size, "{name} {armature}: {l:?}");
                    assert!((now - before - l.change).abs() < 1e-9 * size, "{name} {armature}: {now} {before} {l:?}");
                    assert!((report.energy.total() - now).abs() < 1e-9 * size, "{name} {armature}");
                    before = now;
                }
                let end = momenta(&world);
                ((before - energy).abs() / size, (end.0 - start.0).length(), (end.1 - start.1).length())
            };
            let (a, b) = (run(0.01), run(0.005));
            // Angular momentum is read at the pose, half a step after the velocities: that is of first order.
            assert!(a.1 < 1e-11 && a.2 < 1e-2 && b.2 < 0.6 * a.2, "{name} {armature}: {a:?} {b:?}");
            assert!(a.0 < 1e-4 && b.0 < 0.4 * a.0 + 1e-8, "{name} {armature}: {a:?} {b:?}");
        }
    }
}

/// Positions of all bodies after 0.4 s in steps of h.
fn places(kind: fn(BodyId, BodyId) -> Joint, armature: f64, h: f64) -> Vec<Vec3> {
    let (mut world, joint) = pair(kind, armature, 11);
    let (i, j) = world.joint(joint).unwrap().bodies();
    let spring = |a: Vec3, b: Vec3| Spring::between(i, j).points(a, b).stiffness(300.0).rest_length(0.2);
    world.add(spring(Vec3::new(0.1, 0.3, 0.0), Vec3::new(0.0, 0.2, 0.3))).unwrap();
    (0..(0.4 / h).round() as usize).for_each(|_| drop(world.step(h).unwrap()));
    [i, j].iter().flat_map(|&b| [Vec3::X, Vec3::Y].map(|p| world.pose(b).unwrap().to_world(p))).collect()
}

#[test]
fn motion_converges_with_second_order_as_it_does_without() {
    for (name, kind) in kinds() {
        for armature in [0.0, 0.5, 50.0] {
            let [a, b, c] = [0.01, 0.005, 0.0025].map(|h| places(kind, armature, h));
            let apart = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
            let (coarse, fine) = (apart(&a, &b), apart(&b, &c));
            println!("{name:18} {armature:5} {coarse:.2e} {fine:.2e} ratio {:.2}", coarse / fine);
        }
    }
}

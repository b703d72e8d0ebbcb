//! Armatures: inertia that the rates of a joint feel, and nothing else.

use crate::common::Rng;
use taut::prelude::*;
use taut::{Axis, Locks, SixDof};

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

//! What figures look at is what the step uses.

mod common;

use common::{ball, world};
use taut::study::Study;
use taut::{
    Ball, Body, BodyId, Hinge, MassProperties, Options, Solver, Stabiliser, Universal, Vec3, World,
    settings::InertialDamping,
};
use taut_solve::dense::DenseLu;

const H: f64 = 0.01;

/// Balls on arms, swinging with the symmetric geometric stiffness. Same inertia about every axis: no gyroscopic term.
fn swinging() -> (World, Vec<BodyId>) {
    let options = Options { stabiliser: Stabiliser::Symmetric, solver: Solver::DenseLu, ..Options::default() };
    let mut w = world(options);
    let mut bodies = Vec::new();
    let mut previous = w.ground();
    let joints = [Ball::between, Universal::between, Hinge::between, Ball::between];
    for (k, between) in joints.into_iter().enumerate() {
        let at = Vec3::new(0.4 * k as f64, 0.0, 0.0);
        let b = w.add(Body::dynamic(ball(1.0 + k as f64, 0.1)).at(at + 0.2 * Vec3::X)).unwrap();
        w.add(between(b, previous).at(at).axis(Vec3::Z)).unwrap();
        bodies.push(b);
        previous = b;
    }
    for _ in 0..40 {
        w.step(H).unwrap();
    }
    (w, bodies)
}

/// All velocities, in no order.
fn velocities(w: &World, bodies: &[BodyId]) -> Vec<f64> {
    let twist = |&b: &BodyId| {
        let v = w.body(b).unwrap();
        v.velocity().to_array().into_iter().chain(v.angular_velocity().to_array())
    };
    let mut all: Vec<f64> = bodies.iter().flat_map(twist).collect();
    all.sort_by(f64::total_cmp);
    all
}

#[test]
fn the_system_shown_is_the_one_the_step_solves() {
    let (mut w, bodies) = swinging();
    let s = w.kkt_system(H).unwrap();
    assert_eq!((s.nodes, s.rows), (24, 15));
    let n = s.nodes + s.rows;
    let mut x: Vec<f64> = s.momentum.iter().copied().chain(s.phi.iter().map(|p| -p / H)).collect();
    let mut lu = DenseLu::new();
    lu.factor(n, &s.matrix).unwrap();
    lu.solve(&mut x);
    let mut shown = x[..s.nodes].to_vec();
    shown.sort_by(f64::total_cmp);
    w.step(H).unwrap();
    for (a, b) in shown.iter().zip(velocities(&w, &bodies)) {
        assert!((a - b).abs() < 1e-9, "{a} against {b}");
    }
}

#[test]
fn the_work_shown_is_that_of_the_stiffness_in_the_matrix() {
    let (mut w, _) = swinging();
    // M - h^2 K~ at two steps gives K~; M v is the momentum without forces.
    w.set_options(Options { gravity: Vec3::ZERO, ..*w.options() }).unwrap();
    let (a, b) = (w.kkt_system(1e-3).unwrap(), w.kkt_system(2e-3).unwrap());
    let (m, n) = (a.nodes, a.nodes + a.rows);
    let stiff = |r: usize, c: usize| (a.matrix[r * n + c] - b.matrix[r * n + c]) / (4e-6 - 1e-6);
    let mass = |r: usize, c: usize| a.matrix[r * n + c] + 1e-6 * stiff(r, c);
    let full: Vec<f64> = (0..m * m).map(|k| mass(k / m, k % m)).collect();
    let mut v = a.momentum.clone();
    let mut lu = DenseLu::new();
    lu.factor(m, &full).unwrap();
    lu.solve(&mut v);
    let work: f64 = (0..m * m).map(|k| -0.5 * v[k / m] * stiff(k / m, k % m) * v[k % m]).sum();
    let [shown, bound] = w.geometric_work().unwrap();
    assert!(work.abs() > 1e-3, "nothing to see: {work}");
    assert!((shown - work).abs() < 1e-6 * work.abs(), "{shown} against {work}");
    // In a plane the two are equal.
    assert!(bound >= (1.0 - 1e-12) * shown.abs(), "the diagonal {bound} must bound {shown}");
}

#[test]
fn inertial_damping_is_the_criterion_of_the_diagonal() {
    let (mut w, bodies) = swinging();
    // b = (h^2 k - 4 alpha m)/(2 h): without margin (alpha -> 0) it is h k/2 >= 0, with a large one nothing.
    let damping = |w: &mut World, alpha: f64| {
        w.inertial_damping(H, InertialDamping { alpha, ..InertialDamping::default() }, bodies[0]).unwrap()
    };
    let (some, none) = (damping(&mut w, 1e-12), damping(&mut w, 1e12));
    assert!(some[3..].iter().all(|&b| b > 0.0), "{some:?}");
    assert_eq!(none, [0.0; 6]);
    let ground = w.ground();
    let e = w.inertial_damping(H, InertialDamping::default(), ground).unwrap_err().to_string();
    assert!(e.contains("moves freely"), "{e}");
}

/// The books add up four bodies at a time what the stabiliser did to each, in a count that is no multiple of four; particles and a body with
/// the same inertia about every axis are among them.
#[test]
fn the_books_of_the_stabiliser_are_the_sum_over_the_bodies() {
    let mut w = world(Options::default());
    let (mut last, mut bodies) = (w.ground(), Vec::new());
    for k in 0..9 {
        let at = Vec3::new(0.4 * k as f64, 0.0, 0.0);
        let mass =
            if k == 4 { ball(3.0, 0.1) } else { MassProperties::cuboid(700.0, Vec3::new(0.2, 0.03, 0.02)).unwrap() };
        let b = w.add(Body::dynamic(mass).at(at + 0.2 * Vec3::X)).unwrap();
        let between = if k % 2 == 0 { Ball::between } else { Hinge::between };
        w.add(between(b, last).at(at).axis(Vec3::Z)).unwrap();
        (last, bodies) = (b, [bodies, vec![b]].concat());
    }
    let load = w.add(Body::dynamic(ball(800.0, 0.3)).at(3.8 * Vec3::X)).unwrap();
    w.add(Ball::between(load, last).at(3.6 * Vec3::X)).unwrap();
    bodies.push(load);
    bodies.push(w.add(Body::particle(2.0).at(5.0 * Vec3::Y)).unwrap());
    let mut largest = 0.0_f64;
    for _ in 0..60 {
        let report = w.step(H).unwrap();
        let sum: f64 = bodies.iter().map(|&b| w.stabiliser_work(b).unwrap()).sum();
        let size: f64 = bodies.iter().map(|&b| w.stabiliser_work(b).unwrap().abs()).sum();
        assert!(
            (report.ledger.stabiliser - sum).abs() <= 1e-12 * size.max(1e-3),
            "{} and {sum}",
            report.ledger.stabiliser
        );
        assert!(report.ledger.imbalance.abs() < 1e-9 * report.energy.kinetic.max(1.0));
        largest = largest.max(size);
    }
    assert!(largest > 1e-3, "the stabiliser did nothing");
}

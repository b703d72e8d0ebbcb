//! What once broke, and why.

use taut::{
    Ball, Body, BodyId, Distance, Hinge, MassProperties, MouseSpring, Options, Softness, Solver, Stabiliser, Vec3,
    Weld, World,
};

fn ball(mass: f64) -> MassProperties {
    MassProperties::sphere(1000.0, 0.1).unwrap().with_mass(mass).unwrap()
}

/// Links of 0.2 kg and a load, horizontal.
fn chain(world: &mut World, links: usize, load: f64) -> BodyId {
    let link = MassProperties::cuboid(1000.0, Vec3::new(0.1, 0.02, 0.02)).unwrap().with_mass(0.2).unwrap();
    let (mut previous, mut end) = (world.ground(), Vec3::ZERO);
    for k in 0..=links {
        let mass = if k < links { link } else { ball(load) };
        let body = world.add(Body::dynamic(mass).at(end + 0.1 * Vec3::X)).unwrap();
        world.add(Ball::between(body, previous).at(end)).unwrap();
        (previous, end) = (body, end + 0.2 * Vec3::X);
    }
    previous
}

/// The stabiliser of a rod once resisted the velocity of a driven end instead of the turning of the rod.
#[test]
fn rods_on_a_moving_anchor_swing_as_on_one_at_rest() {
    let relative = |velocity: Vec3| {
        let mut w = World::new();
        let anchor = w.add(Body::kinematic().moving(velocity, Vec3::ZERO)).unwrap();
        let mut previous = anchor;
        for k in 0..5 {
            let mass = if k == 4 { 1e4 } else { 0.1 };
            let next = w[previous].pos + 0.5 * Vec3::X;
            let p = w.add(Body::particle(mass).at(next).moving(velocity, Vec3::ZERO)).unwrap();
            w.add(Distance::between(p, previous)).unwrap();
            previous = p;
        }
        for _ in 0..100 {
            w.step(0.02).unwrap();
        }
        w[previous].pos - w[anchor].pos
    };
    let rest = relative(Vec3::ZERO);
    for v in [10.0 * Vec3::X, -10.0 * Vec3::Z] {
        assert!((relative(v) - rest).length() < 1e-9, "{:?} against {rest:?}", relative(v));
    }
}

/// A state of another world with as many bodies and rows was once accepted, and the next step ran out of bounds.
#[test]
fn a_state_of_a_world_built_otherwise_is_refused() {
    let mut one = World::new();
    chain(&mut one, 1, 1.0);
    let mut other = World::new();
    let a = other.add(Body::dynamic(ball(1.0))).unwrap();
    let b = other.add(Body::dynamic(ball(1.0)).at(Vec3::X)).unwrap();
    other.add(Weld::between(a, b)).unwrap();
    assert!(one.restore(&other.state().clone()).is_err());
    let mut same = World::new();
    chain(&mut same, 1, 1.0);
    assert!(one.restore(&same.state().clone()).is_ok());
}

/// The stretch of a nearly rigid joint under load was once taken for an error, and the second-order regime given up.
#[test]
fn a_nearly_rigid_pendulum_stays_in_the_resolved_regime() {
    let mut w = World::new();
    let b = w.add(Body::dynamic(ball(1e4)).at(Vec3::X)).unwrap();
    w.add(Ball::between(b, w.ground()).at(Vec3::ZERO).linear(Softness::compliance(1e-8))).unwrap();
    let resolved = (0..200).filter(|_| w.step(0.01).unwrap().resolved_islands == 1).count();
    assert!(resolved > 195, "{resolved} of 200");
}

/// With the spring's ends together the low-rank inverse once left one direction without stiffness.
#[test]
fn a_mouse_spring_at_rest_holds_in_every_direction_with_every_stabiliser() {
    let velocity = |stabiliser| {
        let mut w = World::new();
        w.set_options(Options { stabiliser, gravity: Vec3::ZERO, ..Options::default() }).unwrap();
        let b = w.add(Body::dynamic(ball(1.0)).moving(Vec3::new(1.0, 2.0, 3.0), Vec3::ZERO)).unwrap();
        w.add(MouseSpring::new(b, Vec3::ZERO, Vec3::ZERO)).unwrap();
        w.step(0.1).unwrap();
        w[b].vel
    };
    assert!((velocity(Stabiliser::LowRank) - velocity(Stabiliser::Full)).length() < 1e-12);
}

/// A load hung on in mid-run once met the stabilisers of the papers without its force, and tore them apart.
#[test]
fn a_heavy_load_can_be_hung_on_in_mid_run_with_full_stiffness() {
    let mut w = World::new();
    w.set_options(Options { stabiliser: Stabiliser::Full, ..Options::default() }).unwrap();
    let tip = chain(&mut w, 4, 0.2);
    for _ in 0..300 {
        w.step(0.01).unwrap();
    }
    let load = w.add(Body::dynamic(ball(1e3)).at(w[tip].pos)).unwrap();
    w.add(Ball::between(load, tip)).unwrap();
    let worst = (0..50).map(|_| w.step(0.01).unwrap().max_gap).fold(0.0, f64::max);
    assert!(worst < 0.1, "gap {worst} m");
}

/// The energy once kept the half step of a body that was gone.
#[test]
fn a_removed_body_takes_its_energy_along() {
    let mut w = World::new();
    let heavy = w.add(Body::particle(100.0)).unwrap();
    let light = w.add(Body::particle(1.0)).unwrap();
    for _ in 0..100 {
        w.step(0.01).unwrap();
    }
    w.remove(heavy).unwrap();
    let e = w.energy().unwrap().total();
    // What is left is the first half kick, m (g h)^2/8.
    let first = (9.81f64 * 0.01) * (9.81 * 0.01) / 8.0;
    assert!((e + first).abs() < 1e-9, "a falling body keeps its energy: {e}");
    w.body(light).unwrap();
}

/// A gap that a long step had left was once closed at once in the next short step.
#[test]
fn alternating_long_and_short_steps_do_not_throw_a_heavy_load() {
    let mut w = World::new();
    let load = chain(&mut w, 10, 2e5);
    let start = w.energy().unwrap().total();
    let scale = 2e5 * 9.81 * 2.0;
    for k in 0..400 {
        let r = w.step(if k % 2 == 0 { 0.05 } else { 0.005 }).unwrap();
        assert!(r.energy.total() - start < 0.1 * scale, "step {k}: {}", (r.energy.total() - start) / scale);
    }
    w.body(load).unwrap();
}

/// Dense solvers once returned whatever a singular matrix gave them. Whatever they accept must now be a solution.
#[test]
fn dense_solvers_refuse_redundant_welds_or_solve_them_and_change_nothing_when_they_refuse() {
    for solver in [Solver::DenseLu, Solver::DenseCholesky] {
        let mut w = World::new();
        w.set_options(Options { solver, ..Options::default() }).unwrap();
        let door = w.add(Body::dynamic(ball(1.0)).at(Vec3::X)).unwrap();
        for y in [-1.0, 0.0, 1.0] {
            w.add(Weld::between(door, w.ground()).at(Vec3::new(0.0, y, 0.0))).unwrap();
        }
        for _ in 0..20 {
            let before = w.state().clone();
            match w.step(0.01) {
                Ok(r) => assert!(r.residual < 1e-3 && r.max_gap < 1e-6, "{solver:?}: {r:?}"),
                Err(e) => {
                    let says = e.to_string();
                    assert!(["singular", "residual", "redundant"].iter().any(|s| says.contains(s)), "{says}");
                    assert_eq!(&before, w.state());
                }
            }
        }
    }
}

/// The force of the damper of a nearly rigid row was once booked as energy of its spring.
#[test]
fn the_damper_of_a_nearly_rigid_joint_stores_no_energy() {
    let (mass, speed, c) = (1e3, 1.0, 1e-12);
    for (damping, h) in [(3e8, 1e-6), (3e8, 1e-5), (3e6, 1e-5), (3e8, 1e-3)] {
        let mut w = World::new();
        let load = w.add(Body::dynamic(ball(mass)).moving(-speed * Vec3::Y, Vec3::ZERO)).unwrap();
        let joint = w.add(Ball::between(load, w.ground()).linear(Softness { compliance: c, damping })).unwrap();
        let scale = 0.5 * mass * speed * speed;
        let start = w.energy().unwrap().total();
        assert!((start - scale).abs() < 1e-9 * scale, "{start} J");
        for k in 0..1000 {
            let r = w.step(h).unwrap();
            let rise = (r.energy.total() - start) / scale;
            // A step that resolves the oscillation (h^2/(m C) = 0.1) shows the ripple of symplectic Euler.
            let ripple = if damping < 1e8 { 0.02 } else { 1e-4 };
            assert!(rise < ripple, "B = {damping}, h = {h}: step {k} rose by {rise} of the scale");
            assert!(r.ledger.imbalance.abs() < 1e-12 * scale, "{:?}", r.ledger);
            let (said, seen) = (r.energy.total(), w.energy().unwrap().total());
            assert!((said - seen).abs() < 1e-9 * scale, "step {k}: reported {said} J, seen {seen} J");
        }
        // At rest the spring alone carries the weight.
        if h >= 1e-3 {
            let (weight, stored) = (9.81 * mass, w.joint(joint).unwrap().energy());
            assert!((stored / (0.5 * c * weight * weight) - 1.0).abs() < 1e-6, "{stored} J");
        }
    }
}

/// The rows of welds that other welds make redundant once cost the cube of their number: sixty bodies took minutes.
#[test]
fn bodies_welded_all_to_all_move_as_welded_to_one() {
    let swung = |all: bool| {
        let mut w = World::new();
        let mut bodies: Vec<BodyId> = Vec::new();
        for k in 0..60 {
            let at = Vec3::new((k % 4) as f64, -((k / 4 % 4) as f64), (k / 16) as f64);
            let body = w.add(Body::dynamic(ball(0.5)).at(at)).unwrap();
            for &other in if all { &bodies[..] } else { &bodies[..bodies.len().min(1)] } {
                w.add(Weld::between(body, other).at(0.5 * (at + w[other].pos))).unwrap();
            }
            bodies.push(body);
        }
        w.add(Hinge::between(bodies[0], w.ground()).axis(Vec3::Z)).unwrap();
        for _ in 0..60 {
            let report = w.step(1.0 / 60.0).unwrap();
            assert!(report.max_gap < 1e-4, "{}", report.max_gap);
            assert_eq!(report.conflicts, vec![]);
        }
        w[bodies[59]].pos
    };
    let (all, one) = (swung(true), swung(false));
    assert!((all - one).length() < 1e-6, "{all} against {one}");
}

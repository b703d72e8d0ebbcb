//! The step in reduced coordinates against the one in maximal coordinates, statics, and bad input.

use super::parts::Springs;
use super::step::{Mechanism, Outcome, Settings};
use crate::articulated::Path;
use glam::DVec3;
use taut::inner::{exp, parts};
use taut::joints::*;
use taut::{
    Body, BodyId, Force, Joint, JointId, Ledger, MassProperties, MouseSpring, Options, Pose, Spring, Stabiliser, World,
};

const X: DVec3 = DVec3::X;
const Y: DVec3 = DVec3::Y;
const Z: DVec3 = DVec3::Z;

/// The shortest turn from X to a direction that is not -X.
fn turn_to(d: DVec3) -> glam::DQuat {
    let axis = X.cross(d);
    glam::DQuat::from_xyzw(axis.x, axis.y, axis.z, 1.0 + X.dot(d)).normalize()
}

fn rod(w: &mut World, from: DVec3, to: DVec3) -> BodyId {
    let mass = MassProperties::cuboid(800.0, DVec3::new(0.5 * (to - from).length(), 0.05, 0.04)).unwrap();
    let rot = turn_to((to - from).normalize());
    w.add(Body::dynamic(mass).at(0.5 * (from + to)).rotated(rot).damped(0.1, 0.2)).unwrap()
}

fn join(w: &mut World, joint: Joint, at: DVec3, axis: DVec3) -> JointId {
    w.add(joint.at(at).axis(axis)).unwrap()
}

fn plain() -> World {
    let mut w = World::new();
    w.set_options(Options { stabiliser: Stabiliser::None, sleep: false, ..Options::default() }).unwrap();
    w
}

/// Everything at once: a moving base, joints of most kinds with either side the parent, servo and rate motors, a closed loop, soft rows,
/// springs of all forms, a mouse spring, particles, loads.
fn machine() -> World {
    let mut w = plain();
    let ground = w.ground();
    let base = w.add(Body::kinematic().moving(0.3 * X, 0.4 * Z)).unwrap();
    let a = rod(&mut w, DVec3::ZERO, X);
    let servo = Motor::servo(50.0, 5.0).target(0.3).speed(0.2);
    join(&mut w, Hinge::between(a, base).motor(servo), DVec3::ZERO, Z);
    let b = rod(&mut w, X, 2.0 * X);
    join(&mut w, Universal::between(a, b), X, Y);
    let c = rod(&mut w, 2.0 * X, 2.0 * X - Y);
    join(&mut w, Ball::between(c, b), 2.0 * X, Y);
    let d = rod(&mut w, 2.0 * X - Y, 2.0 * X - 2.0 * Y);
    join(&mut w, Prismatic::between(d, c).motor(Motor::rate().speed(0.5)), 2.0 * X - Y, Y);
    // A four-bar beside it, closed by a ball.
    let e = rod(&mut w, Z, Z - Y);
    join(&mut w, Hinge::between(e, ground), Z, Z);
    let f = rod(&mut w, Z - Y, Z - Y + X);
    join(&mut w, Hinge::between(f, e), Z - Y, Z);
    let g = rod(&mut w, Z - Y + X, Z + X + 0.2 * Y);
    join(&mut w, Hinge::between(f, g), Z - Y + X, Z);
    join(&mut w, Ball::between(g, ground), Z + X + 0.2 * Y, Z);
    // Soft rows between the two, springs, particles.
    let soft = Ball::between(f, a).linear(Softness::spring(2e3, 20.0));
    join(&mut w, soft, 0.5 * X + 0.5 * Z, Z);
    for j in [g, e, ground] {
        let s =
            Spring { i: b, j, point_i: 0.1 * X, point_j: 0.1 * Y, stiffness: 300.0, damping: 3.0, rest_length: 0.5 };
        w.add(Force::Spring(s)).unwrap();
    }
    w.add(Force::Mouse(MouseSpring::new(d, 0.2 * X, DVec3::new(3.0, -1.0, 0.5)))).unwrap();
    w.add(Force::Point { body: c, point: 0.3 * X, force: 20.0 * Z }).unwrap();
    w.add(Force::Torque { body: f, torque: 5.0 * X }).unwrap();
    let p = w.add(Body::particle(2.0).at(2.0 * X - 2.0 * Y)).unwrap();
    join(&mut w, Ball::between(p, d), 2.0 * X - 2.0 * Y, Y);
    let q = w.add(Body::particle(1.0).at(2.5 * X - 2.0 * Y)).unwrap();
    w.add(Distance::between(q, p).length(0.5)).unwrap();
    w
}

fn run(w: &mut World, settings: Settings, h: f64, steps: usize) -> Outcome {
    let mut m = Mechanism::new(parts(w).0, |_| true, settings).unwrap();
    let gravity = w.options().gravity;
    let mut last = Outcome::default();
    for _ in 0..steps {
        let (model, mut state) = parts(w);
        last = m.step(model, &mut state, gravity, h).unwrap();
    }
    last
}

fn apart(a: &World, b: &World) -> f64 {
    a.bodies().zip(b.bodies()).map(|(i, j)| (i.position() - j.position()).length()).fold(0.0, f64::max)
}

#[test]
fn reduced_and_maximal_coordinates_agree_as_the_step_shrinks() {
    for settings in [Settings { springs: Springs::Clamped, ..Settings::default() }, Settings::stable()] {
        agree_as_the_step_shrinks(settings);
    }
}

fn agree_as_the_step_shrinks(settings: Settings) {
    let mut last = f64::INFINITY;
    for steps in [50, 100, 200, 400] {
        let h = 0.25 / steps as f64;
        let (mut reduced, mut maximal) = (machine(), machine());
        let done = run(&mut reduced, settings, h, steps);
        for _ in 0..steps {
            maximal.step(h).unwrap();
        }
        let off = apart(&reduced, &maximal);
        // Out of the plane of the four-bar nothing moves but by the soft joint's pull on rigid hinges: the ball's row there is void.
        assert_eq!(done.void, 1);
        assert!(done.loops.residual < 1e-9 && done.loops.contradicting == 0, "{done:?}");
        // First order: halved with the step.
        assert!(last.is_infinite() || (off / last - 0.5).abs() < 0.03, "{steps} steps: {off}, before {last}");
        last = off;
    }
}

#[test]
fn every_path_of_the_solver_takes_the_same_step() {
    let settings = |path| Settings { springs: Springs::Clamped, path, ..Settings::default() };
    let mut direct = machine();
    run(&mut direct, settings(Path::Direct), 0.01, 50);
    for path in [Path::Auto, Path::BlockJacobi, Path::PartialExact] {
        let mut w = machine();
        run(&mut w, settings(path), 0.01, 50);
        assert!(apart(&w, &direct) < 1e-4, "{path:?}: {}", apart(&w, &direct));
    }
}

/// An arm from the wall held level by a servo, with a chain hanging from it, at rest: the forces are those of statics.
#[test]
fn joints_carry_what_hangs_on_them() {
    let mut w = plain();
    let ground = w.ground();
    let arm = rod(&mut w, DVec3::ZERO, X);
    let root = join(&mut w, Hinge::between(arm, ground).spring(1e7, 1e6), DVec3::ZERO, Z);
    let first = rod(&mut w, X, X - Y);
    let upper = join(&mut w, Ball::between(arm, first), X, Z);
    let second = rod(&mut w, X - Y, X - 2.0 * Y);
    let lower = join(&mut w, Universal::between(second, first), X - Y, Z);
    let weight = 9.81 * w.body(first).unwrap().mass();
    run(&mut w, Settings::default(), 0.01, 400);
    let close = |found: DVec3, wanted: DVec3| assert!((found - wanted).length() < 1e-3 * weight, "{found} {wanted}");
    close(w.joint(lower).unwrap().force(), weight * Y);
    close(w.joint(upper).unwrap().force(), -2.0 * weight * Y);
    let view = w.joint(root).unwrap();
    close(view.force(), 3.0 * weight * Y);
    close(view.torque(), 2.5 * weight * Z);
    assert!(w.joints().all(|j| j.gap() < 1e-12));
}

#[test]
fn coordinates_may_change_in_mid_run() {
    let mut w = machine();
    w.set_options(Options { sleep: false, ..Options::default() }).unwrap();
    for round in 0..6 {
        if round % 2 == 0 {
            (0..20).for_each(|_| drop(w.step(0.005).unwrap()));
            continue;
        }
        let before = w.state().clone();
        let done = run(&mut w, Settings { springs: Springs::Clamped, ..Settings::default() }, 0.005, 20);
        // What the maximal steps had opened is closed at once; afterwards tree joints do not open at all.
        assert!(done.off.0 < 1e-12 && done.off.1 < 1e-7, "{:?}", done.off);
        assert!(w.time() > before.time());
        let worst = w.joints().filter(|j| j.kind() != "ball").map(|j| j.gap());
        assert!(worst.fold(0.0, f64::max) < 1e-2);
        w.set_options(*w.options()).unwrap();
    }
    let fastest = w.bodies().map(|b| b.velocity().length()).fold(0.0, f64::max);
    assert!(fastest < 20.0, "{fastest}");
}

#[test]
fn rows_that_contradict_each_other_are_told_with_their_residual() {
    let mut w = plain();
    let ground = w.ground();
    let a = rod(&mut w, DVec3::ZERO, X);
    for rate in [1.0, 2.0] {
        join(&mut w, Hinge::between(a, ground).motor(Motor::rate().speed(rate)), DVec3::ZERO, Z);
    }
    let done = run(&mut w, Settings::default(), 0.01, 1);
    // Five rows of the second hinge move nothing, one of the two motors cannot have its way.
    assert_eq!((done.void, done.loops.redundant, done.loops.contradicting), (5, 1, 1), "{done:?}");
    assert!((done.loops.residual - 1.0).abs() < 1e-12, "{done:?}");
    assert!(done.worst_joint.is_some());
}

#[test]
fn bounded_rows_and_bad_settings_are_refused_by_name() {
    let mut w = plain();
    let (ground, a) = (w.ground(), rod(&mut w, DVec3::ZERO, X));
    let limits = [Limit::new(-0.1, 0.1).on(Freedom::Turn)];
    let bad = Settings { loop_rate: Some(-1.0), ..Settings::default() };
    let text = Mechanism::new(parts(&mut w).0, |_| true, bad).unwrap_err().to_string();
    assert!(text.starts_with("loop rate = -1"), "{text}");
    w.add(Hinge::between(a, ground).at(DVec3::ZERO).axis(Z).stops(limits).named("elbow")).unwrap();
    let text = Mechanism::new(parts(&mut w).0, |_| true, Settings::default()).unwrap_err().to_string();
    assert!(text.contains("joint 'elbow' (hinge)") && text.contains("aligned"), "{text}");
}

#[test]
fn a_step_that_fails_changes_nothing() {
    let mut w = plain();
    let ground = w.ground();
    let a = rod(&mut w, DVec3::ZERO, X);
    join(&mut w, Hinge::between(a, ground), DVec3::ZERO, Z);
    w.set_velocity(a, DVec3::ZERO, 1e200 * Z).unwrap();
    let mut m = Mechanism::new(parts(&mut w).0, |_| true, Settings::default()).unwrap();
    let before = w.state().clone();
    let (model, mut state) = parts(&mut w);
    let text = m.step(model, &mut state, DVec3::ZERO, 0.01).unwrap_err().to_string();
    assert!(text.contains("body #1") && text.contains("not finite"), "{text}");
    assert_eq!(*w.state(), before);
}

/// The energy of everything at once is booked, and no entry is missing.
#[test]
fn the_ledger_closes() {
    let clamped = Settings { springs: Springs::Clamped, ..Settings::default() };
    for settings in [Settings::default(), clamped, Settings::stable()] {
        let mut w = machine();
        let mut m = Mechanism::new(parts(&mut w).0, |_| true, settings).unwrap();
        let gravity = w.options().gravity;
        let (mut total, mut seen, mut stabiliser) = (w.energy().unwrap().total(), Ledger::default(), 0.0);
        for k in 0..100 {
            let b = w.bodies().map(|b| b.id()).nth(3).unwrap();
            w.apply_force(b, DVec3::new(3.0, 4.0, 5.0), DVec3::Y).unwrap();
            let (model, mut state) = parts(&mut w);
            let done = m.step(model, &mut state, gravity, 0.01).unwrap();
            model.bodies.iter_mut().for_each(|(_, b)| b.load = Default::default());
            let l = done.ledger;
            assert!(l.imbalance.abs() < 1e-10 * done.energy.kinetic.max(1.0), "step {k}: {l:?}");
            // The first step closes the velocities of the motors; energies go on where the last step left them.
            assert!((done.energy.total() - total - l.change).abs() < 1e-9 * total.abs().max(1.0), "step {k}: {l:?}");
            total = done.energy.total();
            seen.work += l.work.abs();
            seen.damping += l.damping.abs();
            seen.constraints += l.constraints.abs();
            seen.integration += l.integration.abs();
            assert!(l.damping <= 0.0, "step {k}: {l:?}");
            stabiliser += l.stabiliser;
        }
        assert_eq!(stabiliser < -1.0, settings.aligned, "{stabiliser}");
        assert!(seen.work > 1.0 && seen.damping > 1.0 && seen.constraints > 1.0 && seen.integration > 1.0, "{seen:?}");
    }
}

/// Chains of light links whip and, under a load, are taut: the published form gains energy on all of them, the stable one on none.
#[test]
fn light_and_taut_chains_gain_no_energy_in_the_stable_form() {
    for (load, h) in [(0.2, 0.01), (0.2, 0.05), (200.0, 0.01), (200.0, 0.05), (2e5, 0.01), (2e5, 0.05)] {
        let rise = |settings: Settings| {
            let mut w = plain();
            let mut last = w.ground();
            for k in 0..10 {
                let mass = MassProperties::cuboid(0.2 / (0.2 * 0.04 * 0.04), DVec3::new(0.1, 0.02, 0.02)).unwrap();
                let link = w.add(Body::dynamic(mass).at((0.2 * k as f64 + 0.1) * X)).unwrap();
                join(&mut w, Ball::between(link, last), 0.2 * k as f64 * X, Z);
                last = link;
            }
            let ball = MassProperties::sphere(load / (0.004 * std::f64::consts::PI / 3.0), 0.1).unwrap();
            let ball = w.add(Body::dynamic(ball).at(2.0 * X)).unwrap();
            join(&mut w, Ball::between(ball, last), 2.0 * X, Z);
            let mut m = Mechanism::new(parts(&mut w).0, |_| true, settings).unwrap();
            let gravity = w.options().gravity;
            let (start, mut most) = (w.energy().unwrap().total(), f64::NEG_INFINITY);
            for _ in 0..(4.0 / h) as usize {
                let (model, mut state) = parts(&mut w);
                let Ok(done) = m.step(model, &mut state, gravity, h) else { return f64::INFINITY };
                most = most.max(done.energy.total() - start);
            }
            most / (9.81 * 2.0 * (load + 1.0))
        };
        let (published, stable) = (rise(Settings::default()), rise(Settings::stable()));
        assert!(stable < 1e-3, "{load} kg, {h} s: {stable}");
        assert!(published > 0.1, "{load} kg, {h} s: {published}");
    }
}

/// With passes that close loops nothing is left of the gaps, and the books still close.
#[test]
fn loops_are_closed_to_rounding() {
    for (closing, bound) in [(0, 1e-1), (4, 1e-12)] {
        let mut w = machine();
        let settings = Settings { springs: Springs::Clamped, closing, ..Settings::default() };
        let mut m = Mechanism::new(parts(&mut w).0, |_| true, settings).unwrap();
        let (mut worst, gravity) = (0.0_f64, w.options().gravity);
        for k in 0..100 {
            let (model, mut state) = parts(&mut w);
            let done = m.step(model, &mut state, gravity, 0.01).unwrap();
            worst = worst.max(done.gaps.max);
            assert!(done.ledger.imbalance.abs() < 1e-10 * done.energy.kinetic.max(1.0), "step {k}: {done:?}");
        }
        assert!(worst < bound && (closing > 0 || worst > 1e-4), "{closing} passes: {worst}");
    }
}

/// A kinematic body carries what hangs on it by welds exactly.
#[test]
fn what_is_welded_to_a_moved_body_goes_where_it_goes() {
    let mut w = plain();
    let base = w.add(Body::kinematic().moving(X, 2.0 * Z)).unwrap();
    let a = rod(&mut w, DVec3::ZERO, X);
    join(&mut w, Weld::between(base, a), DVec3::ZERO, Z);
    run(&mut w, Settings::default(), 0.01, 100);
    let (b, a) = (w.body(base).unwrap().pose(), w.body(a).unwrap().pose());
    assert!((b.pos - X).length() < 1e-12 && (b.rot * X - exp(2.0 * Z) * X).length() < 1e-12, "{b:?}");
    let wanted = b.compose(&Pose::at(0.5 * X));
    assert!((a.pos - wanted.pos).length() < 1e-12, "{a:?} {wanted:?}");
}

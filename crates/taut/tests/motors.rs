//! Motors: the laws they follow, the work they do, what they refuse.

mod common;

use common::{ball, rod, weightless, world};
use taut::{
    Axis, Ball, BodyDef, BodyId, Command, Driven, Freedom, Hinge, Joint, JointId, Motor, Options, Prismatic, Universal,
    Vec3, Weld, World,
};

const G: f64 = 9.81;

/// A bar of 1 m and 2 kg on a joint at its end, lying along x, axis z.
fn arm(joint: &dyn Joint, motors: &[Motor], options: Options) -> (World, BodyId, JointId) {
    let mut w = world(options);
    let b = w.add_body(BodyDef::dynamic(rod(2.0, 1.0, 0.05)).at(0.5 * Vec3::X)).unwrap();
    let frames = w.frames_at(b, w.ground(), Vec3::ZERO, Vec3::Z).unwrap();
    let j = w.add_joint(b, w.ground(), &Driven { joint, motors }, frames).unwrap();
    (w, b, j)
}

#[test]
fn a_rate_motor_turns_and_slides_at_its_rate_whatever_the_load() {
    let (mut w, b, j) = arm(&Hinge::default(), &[Motor::rate(Freedom::Turn)], Options::default());
    w.set_motor(j, 0, Command { target: 0.0, rate: 3.0 }).unwrap();
    for _ in 0..500 {
        w.step(0.01).unwrap();
        assert!((w.body(b).unwrap().angular_velocity.z - 3.0).abs() < 1e-9);
    }
    assert!((w.motor(j, 0).unwrap().rate - 3.0).abs() < 1e-9);

    let (mut w, b, j) = arm(&Prismatic::default(), &[Motor::rate(Freedom::Slide)], Options::default());
    w.set_motor(j, 0, Command { target: 0.0, rate: 0.5 }).unwrap();
    let start = w.body(b).unwrap().pose.pos;
    for _ in 0..100 {
        w.step(0.01).unwrap();
    }
    let moved = w.body(b).unwrap().pose.pos - start;
    assert!((moved - 0.5 * Vec3::Z).length() < 1e-9, "moved by {moved} m");
    assert!((w.motor(j, 0).unwrap().position - 0.5).abs() < 1e-9);
}

/// The row of a leaning angle measures its sine; what is told and seen is the angle, its rate and the torque about its axis.
#[test]
fn a_leaning_motor_keeps_the_rate_of_the_angle_and_shows_its_torque() {
    let lean = |a, b| Freedom::Lean(a, b);
    let motors = [Motor::rate(lean(Axis::V, Axis::U)), Motor::servo(lean(Axis::N, Axis::V), 500.0, 50.0)];
    let (mut w, b, j) = arm(&Universal::default(), &motors, weightless());
    w.set_motor(j, 0, Command { target: 0.0, rate: 1.0 }).unwrap();
    for k in 0..110 {
        w.step(0.01).unwrap();
        let speed = w.body(b).unwrap().angular_velocity.length();
        assert!((speed - 1.0).abs() < 0.02, "step {k}: {speed} rad/s");
    }
    assert!((w.motor(j, 0).unwrap().position - 1.1).abs() < 0.02, "{:?}", w.motor(j, 0));

    // A weight that a servo holds at an angle: its torque is that of the statics.
    let (kp, target) = (2000.0, 1.0);
    let motors = [(Axis::V, Axis::U), (Axis::N, Axis::V)].map(|(a, b)| Motor::servo(lean(a, b), kp, 0.5 * kp));
    let (mut w, b, j) = arm(&Universal::default(), &motors, Options::default());
    w.set_motor(j, 0, Command { target, rate: 0.0 }).unwrap();
    for _ in 0..3000 {
        w.step(0.01).unwrap();
    }
    let arm = w.body(b).unwrap().pose.pos;
    let efforts: f64 = (0..2).map(|k| w.motor(j, k).unwrap().effort.powi(2)).sum::<f64>().sqrt();
    let gravity = w.options().gravity;
    let moment = arm.cross(2.0 * gravity).length();
    assert!((efforts / moment - 1.0).abs() < 1e-3, "{efforts} N m against {moment} N m");
}

/// With no gravity the servo is a scalar oscillator; its discrete recurrence is known.
#[test]
fn a_servo_follows_its_implicit_recurrence() {
    let (kp, kd, h) = (40.0, 3.0, 0.02);
    let options = Options { resolved: false, ..weightless() };
    let (mut w, _, j) = arm(&Hinge::default(), &[Motor::servo(Freedom::Turn, kp, kd)], options);
    let command = Command { target: 0.4, rate: 0.2 };
    w.set_motor(j, 0, command).unwrap();
    let m = rod(2.0, 1.0, 0.05);
    let inertia = m.inertia.z_axis.z + 2.0 * 0.25;
    let (mut q, mut v) = (0.0, 0.0);
    for k in 0..600 {
        w.step(h).unwrap();
        // I (v+ - v) = -h kp (q + h v+ - q*) - h kd (v+ - r)
        v = (inertia * v - h * kp * (q - command.target) + h * kd * command.rate) / (inertia + h * h * kp + h * kd);
        q += h * v;
        let seen = w.motor(j, 0).unwrap();
        // The centre of mass moves on a chord: third order in the turn of a step.
        assert!((seen.position - q).abs() < 1e-3, "step {k}: {} against {q} rad", seen.position);
    }
    let rest = command.target + kd * command.rate / kp;
    assert!((w.motor(j, 0).unwrap().position - rest).abs() < 1e-6);
}

#[test]
fn a_servo_settles_where_its_spring_carries_the_load() {
    for (ratio, h) in [(1.0, 0.01), (1e3, 1.0 / 60.0), (1e6, 0.1)] {
        let moment = G * (2.0 * 0.5 + 2.0 * ratio);
        let kp = 100.0 * moment;
        let (mut w, b, j) = arm(&Hinge::default(), &[Motor::servo(Freedom::Turn, kp, 0.5 * kp)], Options::default());
        let load = w.add_body(BodyDef::dynamic(ball(2.0 * ratio, 0.1)).at(Vec3::X)).unwrap();
        let frames = w.frames_at(load, b, Vec3::X, Vec3::Z).unwrap();
        w.add_joint(load, b, &Weld::default(), frames).unwrap();
        for _ in 0..(30.0 / h) as usize {
            w.step(h).unwrap();
        }
        let seen = w.motor(j, 0).unwrap();
        let statics = seen.position + moment * seen.position.cos() / kp;
        assert!(statics.abs() < 1e-9, "ratio {ratio}: at {} rad", seen.position);
        assert!((seen.effort / (moment * seen.position.cos()) - 1.0).abs() < 1e-6, "effort {} N m", seen.effort);
    }
}

#[test]
fn servos_hold_ball_and_universal_joints_at_a_leaning_angle() {
    let ball_motors = Motor::ball(500.0, 50.0);
    let universal_motors = Motor::universal(500.0, 50.0);
    let cases: [(&dyn Joint, &[Motor]); 2] =
        [(&Ball::default(), &ball_motors), (&Universal::default(), &universal_motors)];
    for (joint, motors) in cases {
        let (mut w, b, j) = arm(joint, motors, weightless());
        w.set_velocity(b, Vec3::ZERO, Vec3::new(0.3, 0.0, 0.1)).unwrap();
        w.set_motor(j, 1, Command { target: 0.5, rate: 0.0 }).unwrap();
        for _ in 0..3000 {
            w.step(0.01).unwrap();
        }
        let angles: Vec<f64> = (0..motors.len()).map(|k| w.motor(j, k).unwrap().position).collect();
        assert!((angles[1] - 0.5).abs() < 1e-6, "{}: {angles:?}", joint.name());
        assert!(angles[0].abs() < 1e-6, "{}: {angles:?}", joint.name());
    }
}

#[test]
fn the_work_of_motors_is_booked_and_the_ledger_closes() {
    let motors = [Motor::servo(Freedom::Turn, 300.0, 20.0)];
    let (mut w, _, j) = arm(&Hinge::default(), &motors, Options::default());
    let start = w.energy().unwrap().total();
    let (mut work, mut rest) = (0.0, 0.0);
    for k in 0..400 {
        let q = 0.8 * (0.02 * f64::from(k)).sin();
        w.set_motor(j, 0, Command { target: q, rate: 0.0 }).unwrap();
        let r = w.step(0.01).unwrap();
        assert!(r.ledger.imbalance.abs() < 1e-9, "step {k}: {:?}", r.ledger);
        work += r.ledger.work;
        rest += r.ledger.damping + r.ledger.stabiliser + r.ledger.constraints + r.ledger.integration;
    }
    let change = w.energy().unwrap().total() - start;
    assert!((change - work - rest).abs() < 1e-8, "changed by {change} J, booked {} J", work + rest);
    assert!(work.abs() > 1.0, "the motor did {work} J");
}

#[test]
fn a_turn_may_pass_half_a_turn_and_takes_the_short_way() {
    let (mut w, _, j) = arm(&Hinge::default(), &[Motor::servo(Freedom::Turn, 200.0, 40.0)], weightless());
    let mut turned = 0.0;
    for k in 1..=800 {
        let q = 0.01 * f64::from(k);
        w.set_motor(j, 0, Command { target: q, rate: 1.0 }).unwrap();
        w.step(0.01).unwrap();
        turned += 0.01 * w.motor(j, 0).unwrap().rate;
    }
    assert!((turned - 8.0).abs() < 0.05, "turned by {turned} rad");
}

#[test]
fn a_snapshot_carries_the_commands() {
    let (mut w, _, j) = arm(&Hinge::default(), &[Motor::servo(Freedom::Turn, 200.0, 4.0)], Options::default());
    w.set_motor(j, 0, Command { target: 1.0, rate: 0.0 }).unwrap();
    for _ in 0..20 {
        w.step(0.01).unwrap();
    }
    let snapshot = w.state().clone();
    let run = |w: &mut World| (0..50).map(|_| w.step(0.01).unwrap().energy.total()).last();
    let first = run(&mut w);
    w.set_motor(j, 0, Command { target: -1.0, rate: 2.0 }).unwrap();
    w.restore(&snapshot).unwrap();
    assert_eq!(w.motor(j, 0).unwrap().command.target, 1.0);
    assert_eq!(run(&mut w), first);
}

#[test]
fn removing_a_joint_leaves_the_commands_of_the_others() {
    let motors = [Motor::servo(Freedom::Turn, 10.0, 1.0)];
    let mut w = world(Options::default());
    let mut ids = Vec::new();
    for k in 0..3 {
        let at = Vec3::new(0.0, 0.0, f64::from(k));
        let b = w.add_body(BodyDef::dynamic(ball(1.0, 0.1)).at(at + Vec3::X)).unwrap();
        let frames = w.frames_at(b, w.ground(), at, Vec3::Z).unwrap();
        let joint = Driven { joint: &Hinge::default(), motors: &motors };
        ids.push(w.add_joint(b, w.ground(), &joint, frames).unwrap());
        w.set_motor(ids[k as usize], 0, Command { target: f64::from(k), rate: 0.0 }).unwrap();
    }
    w.remove_joint(ids[0]).unwrap();
    for k in 1..3 {
        assert_eq!(w.motor(ids[k], 0).unwrap().command.target, k as f64);
    }
    w.step(0.01).unwrap();
}

#[test]
fn bad_motors_and_commands_are_refused() {
    let mut w = world(Options::default());
    let b = w.add_body(BodyDef::dynamic(ball(1.0, 0.1)).at(Vec3::X)).unwrap();
    let frames = w.frames_at(b, w.ground(), Vec3::ZERO, Vec3::Z).unwrap();
    let mut refuse = |joint: &dyn Joint, motors: &[Motor], words: &str| {
        let ground = w.ground();
        let e = w.add_joint(b, ground, &Driven { joint, motors }, frames).unwrap_err().to_string();
        assert!(e.contains(words), "{e}");
    };
    let turn = Motor::servo(Freedom::Turn, 1.0, 1.0);
    refuse(&Hinge::default(), &[Motor::servo(Freedom::Turn, -1.0, 1.0)], "motor stiffness");
    refuse(&Hinge::default(), &[Motor::servo(Freedom::Turn, 0.0, 0.0)], "at least one");
    refuse(&Hinge::default(), &[Motor::servo(Freedom::Turn, 1.0, f64::NAN)], "motor damping");
    refuse(&Hinge::default(), &[Motor::rate(Freedom::Slide)], "leaves free");
    refuse(&Hinge::default(), &[turn, turn], "driven once");
    refuse(&Weld::default(), &[turn], "leaves free");
    assert_eq!(w.joints().count(), 0);

    let (mut w, _, j) = arm(&Hinge::default(), &[turn], Options::default());
    let bad = |w: &mut World, motor, target, rate, words: &str| {
        let e = w.set_motor(j, motor, Command { target, rate }).unwrap_err().to_string();
        assert!(e.contains(words), "{e}");
    };
    bad(&mut w, 1, 0.0, 0.0, "below its 1 motors");
    bad(&mut w, 0, f64::NAN, 0.0, "motor target");
    bad(&mut w, 0, 0.0, f64::INFINITY, "motor rate");
    let (mut w, _, j) = arm(&Ball::default(), &Motor::ball(1.0, 1.0), Options::default());
    let e = w.set_motor(j, 0, Command { target: 2.0, rate: 0.0 }).unwrap_err().to_string();
    assert!(e.contains("quarter turn"), "{e}");
}

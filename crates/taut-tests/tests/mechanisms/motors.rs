//! Motors: the laws they follow, the work they do, what they refuse.

use crate::common::{ball, rod, weightless, world};
use taut::{
    Axis, Ball, Body, BodyId, Command, Coordinates, Drive, Freedom, Hinge, Joint, JointId, Motor, Options, Prismatic,
    Solver, Universal, Vec3, Weld, World,
};

const G: f64 = 9.81;

type Between = fn(BodyId, BodyId) -> Joint;

/// A bar of 1 m and 2 kg on a joint at its end, lying along x, axis z.
fn arm<const N: usize>(between: Between, motors: [Motor; N], options: Options) -> (World, BodyId, JointId) {
    let mut w = world(options);
    let b = w.add(Body::dynamic(rod(2.0, 1.0, 0.05)).at(0.5 * Vec3::X)).unwrap();
    let j = w.add(between(b, w.ground()).at(Vec3::ZERO).axis(Vec3::Z).motors(motors)).unwrap();
    (w, b, j)
}

#[test]
fn a_rate_motor_turns_and_slides_at_its_rate_whatever_the_load() {
    let (mut w, b, j) = arm(Hinge::between, [Motor::rate().speed(3.0)], Options::default());
    for _ in 0..500 {
        w.step(0.01).unwrap();
        assert!((w[b].omega.z - 3.0).abs() < 1e-9);
    }
    assert!((w.motor(j).unwrap().rate() - 3.0).abs() < 1e-9);

    let (mut w, b, j) = arm(Prismatic::between, [Motor::rate().speed(0.5)], Options::default());
    let start = w[b].pos;
    for _ in 0..100 {
        w.step(0.01).unwrap();
    }
    let moved = w[b].pos - start;
    assert!((moved - 0.5 * Vec3::Z).length() < 1e-9, "moved by {moved} m");
    assert!((w.motor(j).unwrap().position() - 0.5).abs() < 1e-9);
}

/// The row of a leaning angle measures its sine; what is told and seen is the angle, its rate and the torque about its axis.
#[test]
fn a_leaning_motor_keeps_the_rate_of_the_angle_and_shows_its_torque() {
    let [first, second] = [Freedom::Lean(Axis::V, Axis::U), Freedom::Lean(Axis::N, Axis::V)];
    let motors = [Motor::rate().on(first).speed(1.0), Motor::servo(500.0, 50.0).on(second).target(0.0)];
    let (mut w, b, j) = arm(Universal::between, motors, weightless());
    for k in 0..110 {
        w.step(0.01).unwrap();
        let speed = w[b].omega.length();
        assert!((speed - 1.0).abs() < 0.02, "step {k}: {speed} rad/s");
    }
    assert!((w.motor(j.motor(0)).unwrap().position() - 1.1).abs() < 0.02, "{:?}", w.motor(j.motor(0)));

    // A weight that a servo holds at an angle: its torque is that of the statics.
    let motors = [(first, 1.0), (second, 0.0)].map(|(f, target)| Motor::servo(2000.0, 1000.0).on(f).target(target));
    let (mut w, b, j) = arm(Universal::between, motors, Options::default());
    for _ in 0..3000 {
        w.step(0.01).unwrap();
    }
    let arm = w[b].pos;
    let efforts: f64 = (0..2).map(|k| w.motor(j.motor(k)).unwrap().effort().powi(2)).sum::<f64>().sqrt();
    let gravity = w.options().gravity;
    let moment = arm.cross(2.0 * gravity).length();
    assert!((efforts / moment - 1.0).abs() < 1e-3, "{efforts} N m against {moment} N m");
}

/// With no gravity the servo is a scalar oscillator; its discrete recurrence is known.
#[test]
fn a_servo_follows_its_implicit_recurrence() {
    let (kp, kd, h) = (40.0, 3.0, 0.02);
    let options = Options { resolved: false, ..weightless() };
    let command = Command { target: 0.4, rate: 0.2 };
    let (mut w, _, j) = arm(Hinge::between, [Motor::servo(kp, kd).target(0.4).speed(0.2)], options);
    let m = rod(2.0, 1.0, 0.05);
    let inertia = m.inertia.z_axis.z + 2.0 * 0.25;
    let (mut q, mut v) = (0.0, 0.0);
    for k in 0..600 {
        w.step(h).unwrap();
        // I (v+ - v) = -h kp (q + h v+ - q*) - h kd (v+ - r)
        v = (inertia * v - h * kp * (q - command.target) + h * kd * command.rate) / (inertia + h * h * kp + h * kd);
        q += h * v;
        let seen = w.motor(j).unwrap();
        // The centre of mass moves on a chord: third order in the turn of a step.
        assert!((seen.position() - q).abs() < 1e-3, "step {k}: {} against {q} rad", seen.position());
    }
    let rest = command.target + kd * command.rate / kp;
    assert!((w.motor(j).unwrap().position() - rest).abs() < 1e-6);
}

#[test]
fn a_servo_settles_where_its_spring_carries_the_load() {
    for (ratio, h) in [(1.0, 0.01), (1e3, 1.0 / 60.0), (1e6, 0.1)] {
        let moment = G * (2.0 * 0.5 + 2.0 * ratio);
        let kp = 100.0 * moment;
        let (mut w, b, j) = arm(Hinge::between, [Motor::servo(kp, 0.5 * kp).target(0.0)], Options::default());
        let load = w.add(Body::dynamic(ball(2.0 * ratio, 0.1)).at(Vec3::X)).unwrap();
        w.add(Weld::between(load, b).at(Vec3::X)).unwrap();
        for _ in 0..(30.0 / h) as usize {
            w.step(h).unwrap();
        }
        let seen = w.motor(j).unwrap();
        let statics = seen.position() + moment * seen.position().cos() / kp;
        assert!(statics.abs() < 1e-9, "ratio {ratio}: at {} rad", seen.position());
        assert!((seen.effort() / (moment * seen.position().cos()) - 1.0).abs() < 1e-6, "effort {} N m", seen.effort());
    }
}

#[test]
fn servos_hold_ball_and_universal_joints_at_a_leaning_angle() {
    let cases = [
        arm(Ball::between, Motor::ball(500.0, 50.0).map(|m| m.target(0.0)), weightless()),
        arm(Universal::between, Motor::universal(500.0, 50.0).map(|m| m.target(0.0)), weightless()),
    ];
    for (mut w, b, j) in cases {
        w.set_velocity(b, Vec3::ZERO, Vec3::new(0.3, 0.0, 0.1)).unwrap();
        w.set_motor(j.motor(1), Command::target(0.5)).unwrap();
        for _ in 0..3000 {
            w.step(0.01).unwrap();
        }
        let (kind, angles) = (w.joint(j).unwrap().kind(), w.motors().map(|m| m.position()).collect::<Vec<_>>());
        assert!((angles[1] - 0.5).abs() < 1e-6, "{kind}: {angles:?}");
        assert!(angles[0].abs() < 1e-6, "{kind}: {angles:?}");
    }
}

#[test]
fn a_motor_that_is_told_nothing_or_let_go_does_nothing() {
    let servo = || Motor::servo(1e5, 1e3);
    let reduced = Options { coordinates: Coordinates::Reduced, ..Options::default() };
    let swept = Options { solver: Solver::Pgs { sweeps: 50 }, ..Options::default() };
    for options in [Options::default(), reduced, swept] {
        for motor in [servo(), servo().limited(50.0), Motor::rate(), Motor::rate().limited(50.0)] {
            let (mut free, b, _) = arm(Hinge::between, [], options);
            let (mut w, c, j) = arm(Hinge::between, [motor.clone()], options);
            let (mut told, d, k) = arm(Hinge::between, [motor.clone().target(0.0).speed(0.0)], options);
            told.release_motor(k).unwrap();
            for step in 0..100 {
                let report = free.step(0.01).unwrap();
                for (w, c, j) in [(&mut w, c, j), (&mut told, d, k)] {
                    let same = w.step(0.01).unwrap();
                    let what = format!("{options:?} {motor:?} step {step}");
                    assert!((w[c].pos - free[b].pos).length() < 1e-12, "{what}: {} {}", w[c].pos, free[b].pos);
                    assert!((same.energy.total() - report.energy.total()).abs() < 1e-11, "{what}");
                    assert_eq!((w.motor(j).unwrap().command(), w.motor(j).unwrap().effort()), (None, 0.0), "{what}");
                    assert!(same.conflicts.is_empty() && same.ledger.work.abs() < 1e-50, "{what}: {same:?}");
                }
            }
            // Told, it brakes; let go, it falls on.
            w.set_motor(j, Command::rate(0.0)).unwrap();
            w.step(0.01).unwrap();
            assert!(w.motor(j).unwrap().effort().abs() > 1.0);
            w.release_motor(j).unwrap();
            let before = w[c].omega.z;
            w.step(0.01).unwrap();
            assert!((w[c].omega.z - before).abs() > 0.01, "{motor:?}");
        }
    }
}

#[test]
fn the_work_of_motors_is_booked_and_the_ledger_closes() {
    let (mut w, _, j) = arm(Hinge::between, [Motor::servo(300.0, 20.0)], Options::default());
    let start = w.energy().unwrap().total();
    let (mut work, mut rest) = (0.0, 0.0);
    for k in 0..400 {
        let q = 0.8 * (0.02 * f64::from(k)).sin();
        w.set_motor(j, Command::target(q)).unwrap();
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
    let (mut w, _, j) = arm(Hinge::between, [Motor::servo(200.0, 40.0)], weightless());
    let mut turned = 0.0;
    for k in 1..=800 {
        let q = 0.01 * f64::from(k);
        w.set_motor(j, Command { target: q, rate: 1.0 }).unwrap();
        w.step(0.01).unwrap();
        turned += 0.01 * w.motor(j).unwrap().rate();
    }
    assert!((turned - 8.0).abs() < 0.05, "turned by {turned} rad");
}

#[test]
fn a_snapshot_carries_the_commands() {
    let (mut w, _, j) = arm(Hinge::between, [Motor::servo(200.0, 4.0).target(1.0)], Options::default());
    for _ in 0..20 {
        w.step(0.01).unwrap();
    }
    let snapshot = w.state().clone();
    let run = |w: &mut World| (0..50).map(|_| w.step(0.01).unwrap().energy.total()).last();
    let first = run(&mut w);
    w.set_motor(j, Command { target: -1.0, rate: 2.0 }).unwrap();
    w.restore(&snapshot).unwrap();
    assert_eq!(w.motor(j).unwrap().command(), Some(Command::target(1.0)));
    assert_eq!(run(&mut w), first);
}

#[test]
fn removing_a_joint_leaves_the_commands_of_the_others() {
    let mut w = world(Options::default());
    let ids = [0.0, 1.0, 2.0].map(|k| {
        let at = Vec3::new(0.0, 0.0, k);
        let b = w.add(Body::dynamic(ball(1.0, 0.1)).at(at + Vec3::X)).unwrap();
        let motor = Motor::servo(10.0, 1.0).target(k);
        w.add(Hinge::between(b, w.ground()).at(at).axis(Vec3::Z).motor(motor)).unwrap()
    });
    w.remove(ids[0]).unwrap();
    for k in 1..3 {
        assert_eq!(w.motor(ids[k]).unwrap().command(), Some(Command::target(k as f64)));
    }
    w.step(0.01).unwrap();
}

#[test]
fn bad_motors_and_commands_are_refused() {
    let mut w = world(Options::default());
    let b = w.add(Body::dynamic(ball(1.0, 0.1)).at(Vec3::X)).unwrap();
    let mut refuse = |between: Between, motors: &[Motor], words: &str| {
        let joint = between(b, w.ground()).at(Vec3::ZERO).axis(Vec3::Z).motors(motors);
        let e = w.add(joint).unwrap_err().to_string();
        assert!(e.contains(words), "{e}");
    };
    let turn = || Motor::servo(1.0, 1.0).on(Freedom::Turn);
    refuse(Hinge::between, &[Motor::servo(-1.0, 1.0)], "motor stiffness");
    refuse(Hinge::between, &[Motor::servo(0.0, 0.0)], "at least one");
    refuse(Hinge::between, &[Motor::servo(1.0, f64::NAN)], "motor damping");
    refuse(Hinge::between, &[Motor::rate().on(Freedom::Slide)], "leaves free");
    refuse(Hinge::between, &[turn(), turn()], "driven once");
    refuse(Weld::between, &[turn()], "leaves free");
    assert_eq!(w.joints().count(), 0);

    let (mut w, _, j) = arm(Hinge::between, [turn()], Options::default());
    let bad = |w: &mut World, motor, target, rate, words: &str| {
        let e = w.set_motor(j.motor(motor), Command { target, rate }).unwrap_err().to_string();
        assert!(e.contains(words), "{e}");
    };
    bad(&mut w, 1, 0.0, 0.0, "it has one motor");
    bad(&mut w, 0, f64::NAN, 0.0, "motor target");
    bad(&mut w, 0, 0.0, f64::INFINITY, "motor rate");
    let (mut w, _, j) = arm(Ball::between, Motor::ball(1.0, 1.0), Options::default());
    let e = w.set_motor(j.motor(0), Command::target(2.0)).unwrap_err().to_string();
    assert!(e.contains("quarter turn"), "{e}");
}

#[test]
fn a_target_is_refused_where_no_stiffness_goes_to_it() {
    for (motor, words) in
        [(Motor::rate(), "keeps a rate: tell it a rate"), (Motor::servo(0.0, 10.0), "without stiffness")]
    {
        let mut w = world(Options::default());
        let b = w.add(Body::dynamic(ball(1.0, 0.1)).at(Vec3::X)).unwrap();
        let hinge = |m: Motor| Hinge::between(b, w.ground()).at(Vec3::ZERO).axis(Vec3::Z).motor(m);
        let (wrong, right) = (hinge(motor.clone().target(1.0)), hinge(motor.clone().speed(1.0)));
        let e = w.add(wrong).unwrap_err().to_string();
        assert!(e.contains("motor target = 1") && e.contains(words), "{e}");
        let j = w.add(right).unwrap();
        let e = w.set_motor(j, Command { target: 0.5, rate: 1.0 }).unwrap_err().to_string();
        assert!(e.contains("motor target = 0.5") && e.contains(words), "{e}");
        assert_eq!(w.motor(j).unwrap().command(), Some(Command::rate(1.0)));
        // With stiffness it goes there, and what it was told waits while it has none.
        w.set_drive(j, Drive::Servo { stiffness: 1e4, damping: 1e3 }).unwrap();
        w.set_motor(j, Command::target(0.5)).unwrap();
        w.set_drive(j, motor.drive).unwrap();
        assert_eq!(w.motor(j).unwrap().command(), Some(Command::target(0.5)));
    }
}

#[test]
fn a_spring_acts_beside_a_motor_on_the_same_freedom() {
    for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
        for bounded in [false, true] {
            let mut w = world(Options { coordinates, ..weightless() });
            let b = w.add(Body::dynamic(rod(2.0, 1.0, 0.05)).at(0.5 * Vec3::X)).unwrap();
            let bound = |m: Motor| if bounded { m.limited(1e4) } else { m };
            let servo = bound(Motor::servo(60.0, 20.0).target(0.9));
            let hinge = Hinge::between(b, w.ground()).at(Vec3::ZERO).axis(Vec3::Z);
            let hinge = w.add(hinge.spring(30.0, 5.0).motor(servo).named("flap")).unwrap();
            let settle = |w: &mut World| (0..1000).for_each(|_| drop(w.step(0.01).unwrap()));
            settle(&mut w);
            // 60 (0.9 - q) = 30 q.
            let m = w.motor(hinge).unwrap();
            assert!((m.position() - 0.6).abs() < 1e-6 && (m.effort() - 18.0).abs() < 1e-5, "{}", m.position());
            assert_eq!(w.find_motor("flap").unwrap(), m.id());
            assert!((w.motor(hinge.motor(0)).unwrap().effort() + 18.0).abs() < 1e-5, "the spring is motor 0");
            // The spring alone brings it back; a rate moves it against the spring.
            w.release_motor(hinge).unwrap();
            settle(&mut w);
            assert!(w.joint(hinge).unwrap().position().unwrap().abs() < 1e-6);
            w.set_drive(hinge, Drive::Rate).unwrap();
            w.set_motor(hinge, Command::rate(0.1)).unwrap();
            (0..400).for_each(|_| drop(w.step(0.01).unwrap()));
            let m = w.motor(hinge).unwrap();
            assert!((m.position() - 0.4).abs() < 1e-6, "{}", m.position());
            assert!((m.effort() - 12.5).abs() < 0.1, "{}", m.effort());
        }
    }
}

#[test]
fn what_drives_a_freedom_twice_is_named_with_its_cause() {
    let mut w = world(Options::default());
    let b = w.add(Body::dynamic(ball(1.0, 0.1)).at(Vec3::X)).unwrap();
    let hinge = || Hinge::between(b, w.ground()).at(Vec3::ZERO).axis(Vec3::Z).named("elbow");
    let twice = hinge().motor(Motor::servo(1.0, 1.0)).motor(Motor::rate());
    let held = hinge().motor(Motor::servo(1.0, 1.0).on(Freedom::Slide));
    for (joint, why) in [(twice, "another motor drives it"), (held, "rows of the joint hold it")] {
        let e = w.add(joint).unwrap_err().to_string();
        assert!(e.contains("joint 'elbow' (hinge)") && e.contains(why), "{e}");
    }
}

#[test]
fn a_motor_is_found_by_the_name_of_its_joint() {
    let (mut w, b, _) = arm(Hinge::between, [Motor::rate()], Options::default());
    let c = w.add(Body::dynamic(ball(1.0, 0.1)).at(2.0 * Vec3::X)).unwrap();
    let elbow = Hinge::between(c, b).at(Vec3::X).axis(Vec3::Z).motor(Motor::rate()).named("elbow");
    let elbow = w.add(elbow).unwrap();
    assert_eq!(w.find_motor("elbow").unwrap(), elbow.motor(0));
    let wrist = Hinge::between(c, w.ground()).at(Vec3::Y).axis(Vec3::Z).named("wrist");
    let wrist = w.add(wrist).unwrap();
    assert!(w.find_motor("wrist").is_err());
    let e = w.motor(wrist).unwrap_err().to_string();
    assert!(e.contains("a joint with a motor: this one has none"), "{e}");
}

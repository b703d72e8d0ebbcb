//! Angles of what goes round count whole turns: where they are read, where motors and limits use them, and in snapshots.

use crate::common::{ball, rod, weightless, world};
use std::f64::consts::{PI, TAU};
use taut::{
    Axis, Ball, Body, BodyId, Command, Coordinates, Cylindrical, Event, Freedom, Hinge, Joint, JointId, Limit, Locks,
    Motor, Options, Planar, SixDof, Softness, State, Vec3, Wheel, World,
};

const H: f64 = 0.01;

fn both() -> [Options; 2] {
    [Coordinates::Maximal, Coordinates::Reduced].map(|coordinates| Options { coordinates, ..weightless() })
}

/// A ball on a joint to the ground.
fn on(options: Options, joint: impl FnOnce(BodyId, BodyId) -> Joint) -> (World, BodyId, JointId) {
    let mut w = world(options);
    let b = w.add(Body::dynamic(ball(5.0, 0.2))).unwrap();
    let j = w.add(joint(b, w.ground()).axis(Vec3::Y)).unwrap();
    (w, b, j)
}

fn run(w: &mut World, time: f64) {
    (0..(time / H).round() as usize).for_each(|_| drop(w.step(H).unwrap()));
}

fn at(w: &World, j: JointId) -> f64 {
    w.joint(j).unwrap().position().unwrap()
}

#[test]
fn every_freedom_that_goes_round_is_counted_from_the_start() {
    type Make = fn(BodyId, BodyId) -> Joint;
    let kinds: [(Make, Freedom, Vec3); 5] = [
        (Hinge::between, Freedom::Turn, Vec3::Y),
        (Cylindrical::between, Freedom::Turn, Vec3::Y),
        (Planar::between, Freedom::Turn, Vec3::Y),
        (
            |i, j| SixDof::between(i, j, Locks { linear: [true; 3], angular: [true, true, false] }),
            Freedom::About(Axis::N),
            Vec3::Y,
        ),
        (|i, j| Wheel::suspended(1e5, 1e3).between(i, j).across(Vec3::Z), Freedom::Spin, Vec3::Z),
    ];
    for options in both() {
        for (make, freedom, axis) in kinds {
            for speed in [3.0, -7.0, 1000.0] {
                let (mut w, b, j) = on(options, make);
                w.set_velocity(b, Vec3::ZERO, speed * axis).unwrap();
                for _ in 0..1000 {
                    let before = w.joint(j).unwrap().position_of(freedom);
                    w.step(H).unwrap();
                    let q = w.joint(j).unwrap().position_of(freedom);
                    assert!((q - before - speed * H).abs() < 1e-6 * speed.abs(), "{freedom:?} {speed}: {before} {q}");
                }
                let (_, q, rate) = w.joint(j).unwrap().coordinates().find(|c| c.0 == freedom).unwrap();
                assert!((q - 10.0 * speed).abs() < 1e-5 * speed.abs() && (rate - speed).abs() < 1e-6 * speed.abs());
            }
        }
    }
}

#[test]
fn a_servo_goes_to_targets_of_many_turns() {
    for options in both() {
        for bounded in [false, true] {
            for target in [7.0, -7.0, 0.9 * PI, 60.0] {
                let servo = Motor::servo(200.0, 40.0).target(target);
                let servo = if bounded { servo.limited(1e6) } else { servo };
                let (mut w, _, j) = on(options, |a, b| Hinge::between(a, b).motor(servo));
                run(&mut w, 10.0);
                assert!((at(&w, j) - target).abs() < 1e-6, "{target}: {}", at(&w, j));
                assert!((w.motor(j).unwrap().position() - target).abs() < 1e-6);
                // And all the way back.
                w.set_motor(j, Command::target(-1.0)).unwrap();
                run(&mut w, 10.0);
                assert!((at(&w, j) + 1.0).abs() < 1e-6, "{target}: {}", at(&w, j));
            }
        }
    }
}

#[test]
fn a_spring_winds_up() {
    for options in both() {
        let (mut w, b, j) = on(options, |a, b| Hinge::between(a, b).spring(4.0, 2.0));
        w.add(taut::Force::Torque { body: b, torque: 40.0 * Vec3::Y }).unwrap();
        run(&mut w, 20.0);
        assert!((at(&w, j) - 10.0).abs() < 1e-6, "{}", at(&w, j));
    }
}

#[test]
fn limits_of_many_turns_stop_where_they_say() {
    for options in both() {
        for soft in [Softness::RIGID, Softness::spring(1e4, 1e2)] {
            let limit = Limit::new(-1.0, 20.0).soft(soft);
            let (mut w, b, j) = on(options, |a, b| Hinge::between(a, b).stop(limit));
            w.set_velocity(b, Vec3::ZERO, 5.0 * Vec3::Y).unwrap();
            let mut reached = None;
            for k in 0..500 {
                let events = w.step(H).unwrap().events;
                if events.iter().any(|e| matches!(e, Event::LimitReached { upper: true, .. })) {
                    reached.get_or_insert(k);
                }
                assert!(at(&w, j) < 20.1, "{}", at(&w, j));
                assert!((w.joint(j).unwrap().excess()) < 1e-6);
            }
            assert!(reached.is_some_and(|k| (395..=405).contains(&k)), "{reached:?}");
            if soft.is_rigid() {
                assert!((at(&w, j) - 20.0).abs() < 1e-6, "{}", at(&w, j));
            }
            // Back by more than three turns to the other side.
            w.set_velocity(b, Vec3::ZERO, -5.0 * Vec3::Y).unwrap();
            run(&mut w, 10.0);
            assert!((-1.1..3.0).contains(&at(&w, j)), "{}", at(&w, j));
        }
    }
}

#[test]
fn a_limit_on_one_side_alone_is_no_limit_on_the_other() {
    let limit = Limit::new(f64::NEG_INFINITY, 1.0);
    let (mut w, b, j) = on(weightless(), |a, b| Hinge::between(a, b).stop(limit));
    w.set_velocity(b, Vec3::ZERO, -5.0 * Vec3::Y).unwrap();
    run(&mut w, 10.0);
    assert!((at(&w, j) + 50.0).abs() < 1e-6, "{}", at(&w, j));
    w.set_velocity(b, Vec3::ZERO, 10.0 * Vec3::Y).unwrap();
    run(&mut w, 10.0);
    assert!((at(&w, j) - 1.0).abs() < 1e-6, "{}", at(&w, j));
}

#[test]
fn the_twist_of_a_ball_is_limited_within_a_turn() {
    let mut w = world(weightless());
    let b = w.add(Body::dynamic(ball(5.0, 0.2))).unwrap();
    let wide = Ball::between(b, w.ground()).axis(Vec3::Y).stop(Limit::twist(-10.0, 10.0));
    let e = w.add(wide).unwrap_err().to_string();
    assert!(e.contains("less than a whole turn apart"), "{e}");
}

#[test]
fn snapshots_keep_the_turns() {
    for options in both() {
        let (mut w, b, j) = on(options, |a, b| Hinge::between(a, b).motor(Motor::servo(50.0, 5.0).target(30.0)));
        run(&mut w, 1.0);
        w.set_velocity(b, Vec3::ZERO, 20.0 * Vec3::Y).unwrap();
        run(&mut w, 0.5);
        let (snapshot, before) = (w.state().to_bytes(), at(&w, j));
        assert!(before > TAU, "{before}");
        let end = |w: &mut World| {
            run(w, 2.0);
            (w.state().hash(), at(w, j))
        };
        let first = end(&mut w);
        w.restore(&State::from_bytes(&snapshot).unwrap()).unwrap();
        assert_eq!(at(&w, j), before);
        assert_eq!(end(&mut w), first);
        let (mut other, _, k) = on(options, |a, b| Hinge::between(a, b).motor(Motor::servo(50.0, 5.0).target(30.0)));
        other.restore(&State::from_bytes(&snapshot).unwrap()).unwrap();
        assert_eq!(at(&other, k), before);
    }
}

#[test]
fn a_joint_may_be_added_with_turns_behind_it() {
    let (w, _, j) = on(weightless(), |a, b| Hinge::between(a, b).turns(3));
    assert_eq!((at(&w, j), w.joint(j).unwrap().turns()), (3.0 * TAU, 3));
    let mut w = world(weightless());
    let b = w.add(Body::dynamic(ball(5.0, 0.2))).unwrap();
    let e = w.add(Ball::between(b, w.ground()).turns(1)).unwrap_err().to_string();
    assert!(e.contains("turns of a ball joint = 1"), "{e}");
}

#[test]
fn a_crank_that_swings_within_half_a_turn_reads_what_its_pose_says() {
    let mut w = world(Options::default());
    let b = w.add(Body::dynamic(rod(2.0, 1.0, 0.05)).at(0.5 * Vec3::X)).unwrap();
    let j = w.add(Hinge::between(b, w.ground()).at(Vec3::ZERO).axis(Vec3::Z)).unwrap();
    for _ in 0..1000 {
        w.step(H).unwrap();
        let way = w.body(b).unwrap().position();
        let angle = f64::atan2(way.y, way.x);
        assert!((at(&w, j) - angle).abs() < 1e-6, "{} {angle}", at(&w, j));
        assert_eq!(w.dynamics().unwrap().position(0).map(|q| (q - angle).abs() < 1e-6), Some(true));
    }
}

#[test]
fn controllers_see_the_turns_too() {
    let (mut w, b, j) = on(weightless(), Hinge::between);
    w.set_velocity(b, Vec3::ZERO, 4.0 * Vec3::Y).unwrap();
    run(&mut w, 5.0);
    let d = w.dynamics().unwrap();
    assert!((d.position(0).unwrap() - 20.0).abs() < 1e-6 && (at(&w, j) - 20.0).abs() < 1e-6);
}

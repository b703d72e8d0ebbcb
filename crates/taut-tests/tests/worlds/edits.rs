//! Everything can be changed in mid-run: numbers take effect in the next step, multipliers stay, and what is refused changes nothing.

use taut::prelude::*;
use taut::{Drive, Motion, Stabiliser, State};

const H: f64 = 1.0 / 60.0;

fn ball(mass: f64) -> MassProperties {
    MassProperties::sphere(1000.0, 0.1).unwrap().with_mass(mass).unwrap()
}

fn run(w: &mut World, steps: usize) {
    for _ in 0..steps {
        w.step(H).unwrap();
    }
}

/// A load on a rope of 2 m below the ground, at rest.
fn hanging(mass: f64) -> (World, BodyId, JointId) {
    let mut w = World::new();
    let load = w.add(Body::dynamic(ball(mass)).at(-2.0 * Vec3::Y)).unwrap();
    let rope = w.add(Rope::between(load, w.ground()).named("hoist")).unwrap();
    run(&mut w, 30);
    (w, load, rope)
}

#[test]
fn a_rope_is_paid_out_and_hauled_in_at_the_rate_of_its_length() {
    let (mut w, load, rope) = hanging(50.0);
    let weight = 50.0 * 9.81;
    for k in 1..=120 {
        w.set_length(rope, 2.0 + 0.5 * H * k as f64).unwrap();
        w.step(H).unwrap();
        let carries = w.joint(rope).unwrap().tension();
        assert!(k < 20 || (carries - weight).abs() < 0.02 * weight, "{k}: {carries}");
    }
    assert!((w[load].pos.y + 3.0).abs() < 1e-3, "{}", w[load].pos);
    for k in 1..=240 {
        w.set_length(rope, 3.0 - 0.5 * H * k as f64).unwrap();
        w.step(H).unwrap();
    }
    assert!((w[load].pos.y + 1.0).abs() < 1e-2, "{}", w[load].pos);
    assert!(w.set_length(rope, -1.0).unwrap_err().to_string().contains("rope length = -1"));
    assert!((w[load].pos.y + 1.0).abs() < 1e-2);
}

#[test]
fn a_hoist_that_goes_back_hauls_with_the_same_bits() {
    for rate in [-0.5, 0.5] {
        let (mut w, _, rope) = hanging(50.0);
        let hoist = |w: &mut World, steps: std::ops::Range<usize>| {
            let hashes = steps.map(|k| {
                w.set_length(rope, 2.0 + rate * H * k as f64).unwrap();
                w.step(H).unwrap();
                w.state().hash()
            });
            hashes.collect::<Vec<_>>()
        };
        hoist(&mut w, 1..20);
        let snapshot = w.state().clone();
        let first = hoist(&mut w, 20..60);
        // The rope has the length of the end; what is hauled in counts from that of the snapshot.
        w.restore(&snapshot).unwrap();
        assert_eq!(hoist(&mut w, 20..60), first, "{rate} m/s");
        w.restore(&State::from_bytes(&snapshot.to_bytes()).unwrap()).unwrap();
        assert_eq!(hoist(&mut w, 20..60), first, "{rate} m/s");
    }
}

#[test]
fn a_rope_made_shorter_before_its_first_step_or_while_it_is_off_is_not_hauled_in() {
    let build = |length: f64| {
        let mut w = World::new();
        let load = w.add(Body::dynamic(ball(50.0)).at(-2.0 * Vec3::Y)).unwrap();
        let rope = w.add(Rope::between(load, w.ground()).length(length)).unwrap();
        (w, load, rope)
    };
    let ((mut a, _, rope), (mut b, ..)) = (build(2.0), build(1.9));
    a.set_length(rope, 1.9).unwrap();
    for k in 0..60 {
        a.step(H).unwrap();
        b.step(H).unwrap();
        assert_eq!(a.state().hash(), b.state().hash(), "step {k}");
    }
    // Switched off, shortened and switched on it throws nothing: by a velocity 0.1 m in a step would be 6 m/s.
    for by_body in [false, true] {
        let (mut w, load, rope) = hanging(50.0);
        let switch = |w: &mut World, on: bool| match by_body {
            true => w.set_body_enabled(load, on),
            false => w.set_joint_enabled(rope, on),
        };
        switch(&mut w, false).unwrap();
        w.set_length(rope, 1.9).unwrap();
        switch(&mut w, true).unwrap();
        w.step(H).unwrap();
        assert!(w[load].vel.length() < 0.01, "{}", w[load].vel);
    }
}

#[test]
fn a_change_of_numbers_keeps_the_multipliers_and_does_not_jolt() {
    let (mut w, _, rope) = hanging(50.0);
    let before = w.joint(rope).unwrap().tension();
    w.set_linear(rope, Softness::spring(1e7, 1e4)).unwrap();
    assert_eq!(w.joint(rope).unwrap().tension(), before);
    run(&mut w, 2);
    assert!((w.joint(rope).unwrap().tension() / before - 1.0).abs() < 0.05);
    // The same bits as a rope that was soft from the start, once both are at rest.
    run(&mut w, 600);
    assert!((w.joint(rope).unwrap().tension() - 50.0 * 9.81).abs() < 1e-3);
}

#[test]
fn a_world_that_was_changed_steps_like_one_built_so() {
    // To the last bit, in maximal and in reduced coordinates.
    let build = |mass: f64, length: f64, limit: f64, gain: f64, force: f64| {
        let mut w = World::new();
        let arm = w.add(Body::dynamic(ball(mass)).at(Vec3::X).damped(0.3, 0.1)).unwrap();
        let motor = Motor::servo(gain, 3.0).target(0.4).limited(force);
        let hinge = Hinge::between(arm, w.ground()).at(Vec3::ZERO).axis(Vec3::Z).limit(-limit, limit).motor(motor);
        let hinge = w.add(hinge.friction(0.5)).unwrap();
        let bob = w.add(Body::particle(0.5).at(2.0 * Vec3::X)).unwrap();
        let rod = w.add(Distance::between(bob, arm).length(length)).unwrap();
        (w, arm, hinge, rod)
    };
    for coordinates in [taut::Coordinates::Maximal, taut::Coordinates::Reduced] {
        let options = Options { coordinates, ..Options::default() };
        let (mut w, arm, hinge, rod) = build(1.0, 1.0, 0.5, 20.0, 40.0);
        w.set_options(options).unwrap();
        // It is laid out before it is changed.
        w.size().unwrap();
        w.set_mass(arm, &ball(3.0)).unwrap();
        w.set_length(rod, 1.01).unwrap();
        w.set_limit(hinge, Limit::new(-0.2, 0.2)).unwrap();
        w.set_drive(hinge, Drive::Servo { stiffness: 50.0, damping: 3.0 }).unwrap();
        w.set_force_range(hinge, -60.0, 60.0).unwrap();
        let (mut other, ..) = build(3.0, 1.01, 0.2, 50.0, 60.0);
        other.set_options(options).unwrap();
        for k in 0..100 {
            w.step(H).unwrap();
            other.step(H).unwrap();
            assert_eq!(w.state().hash(), other.state().hash(), "{coordinates:?}, step {k}");
        }
    }
}

#[test]
fn limits_friction_and_gains_are_changed_while_it_runs() {
    let mut w = World::new();
    let arm = w.add(Body::dynamic(ball(2.0)).at(Vec3::X)).unwrap();
    let hinge = w.add(Hinge::between(arm, w.ground()).at(Vec3::ZERO).axis(Vec3::Z).limit(-0.5, 0.5)).unwrap();
    run(&mut w, 60);
    let angle = |w: &World| w.joint(hinge).unwrap().position().unwrap();
    assert!((angle(&w) + 0.5).abs() < 1e-6, "{}", angle(&w));
    w.set_limit(hinge, Limit::new(-1.0, 0.5)).unwrap();
    run(&mut w, 60);
    assert!((angle(&w) + 1.0).abs() < 1e-6, "{}", angle(&w));
    // Friction that it did not have: it sticks where it is when the limit goes.
    w.set_friction(hinge, 100.0).unwrap();
    w.set_limit(hinge.limit(0), Limit::new(-2.0, 2.0)).unwrap();
    run(&mut w, 30);
    assert!((angle(&w) + 1.0).abs() < 1e-4, "{}", angle(&w));
    w.set_friction(hinge, 0.0).unwrap();
    let lowest = (0..120).map(|_| {
        run(&mut w, 1);
        angle(&w)
    });
    assert!(lowest.fold(0.0, f64::min) < -1.9);
    assert!(w.set_limit(hinge.limit(3), Limit::new(0.0, 1.0)).unwrap_err().to_string().contains("it has one limit"));
    assert!(w.set_limit(hinge, Limit::new(1.0, 0.0)).is_err());
    assert!(w.set_friction(hinge, -1.0).is_err());
}

#[test]
fn a_motor_gets_a_bound_on_its_force_and_loses_it_again() {
    let mut w = World::new();
    let cage = w.add(Body::dynamic(ball(100.0))).unwrap();
    let shaft = w.add(Prismatic::between(cage, w.ground()).axis(Vec3::Y).motor(Motor::rate().speed(1.0))).unwrap();
    run(&mut w, 30);
    assert!((w[cage].vel.y - 1.0).abs() < 1e-9);
    let weight = 981.0;
    assert!((w.motor(shaft).unwrap().effort() - weight).abs() < 1e-6);
    // Too weak to hold it: it goes down with what is missing.
    w.set_force_range(shaft, -500.0, 500.0).unwrap();
    let before = w[cage].vel.y;
    run(&mut w, 30);
    let fall = (weight - 500.0) / 100.0 * 30.0 * H;
    assert!((before - w[cage].vel.y - fall).abs() < 1e-6, "{} {fall}", w[cage].vel.y);
    w.set_force_range(shaft, f64::NEG_INFINITY, f64::INFINITY).unwrap();
    run(&mut w, 2);
    assert!((w[cage].vel.y - 1.0).abs() < 1e-9);
    assert!(w.set_force_range(shaft, 5.0, 10.0).unwrap_err().to_string().contains("motor force range"));
}

#[test]
fn a_hoist_pulls_and_never_pushes() {
    let mut w = World::new();
    let load = w.add(Body::dynamic(ball(10.0)).at(-2.0 * Vec3::Y)).unwrap();
    let winch = Motor::servo(1e6, 1e4).target(2.0).pulling(1e4).named("hoist");
    let line = w.add(Rope::between(load, w.ground()).length(50.0).motor(winch)).unwrap();
    run(&mut w, 60);
    let hoist = w.motor(w.find_motor("hoist").unwrap()).unwrap();
    assert!((hoist.effort() + 98.1).abs() < 0.1, "{}", hoist.effort());
    assert_eq!(w.joint(line).unwrap().tension(), -hoist.effort());
    // Told to be longer than it is, it goes slack: the load falls freely.
    w.set_motor(line, Command::target(40.0)).unwrap();
    let before = w[load].vel.y;
    run(&mut w, 30);
    assert_eq!(w.motor(line).unwrap().effort(), 0.0);
    assert!((w[load].vel.y - before + 9.81 * 30.0 * H).abs() < 1e-6, "{}", w[load].vel.y);
}

#[test]
fn a_motor_that_was_told_nothing_does_nothing() {
    let free = |motor: Option<Motor>| {
        let mut w = World::new();
        let arm = w.add(Body::dynamic(ball(2.0)).at(Vec3::X)).unwrap();
        let mut joint = Hinge::between(arm, w.ground()).at(Vec3::ZERO).axis(Vec3::Z);
        joint = motor.into_iter().fold(joint, Joint::motor);
        let hinge = w.add(joint).unwrap();
        run(&mut w, 60);
        (w, arm, hinge)
    };
    let (plain, arm, _) = free(None);
    for motor in
        [Motor::rate(), Motor::servo(1e4, 1e3), Motor::rate().limited(1e3), Motor::servo(1e4, 1e3).limited(1e3)]
    {
        let (mut w, b, hinge) = free(Some(motor.clone()));
        assert!((w[b].pos - plain[arm].pos).length() < 1e-12, "{motor:?}: {} {}", w[b].pos, plain[arm].pos);
        assert_eq!((w.motor(hinge).unwrap().effort(), w.motor(hinge).unwrap().command()), (0.0, None));
        // Told something it does it, and let go it does nothing again.
        w.set_motor(hinge, Command::rate(0.0)).unwrap();
        run(&mut w, 200);
        let told = w.motor(hinge).unwrap().effort();
        assert!(told.abs() > 0.1, "{motor:?}: {told}");
        w.release_motor(hinge).unwrap();
        let snapshot = w.state().clone();
        run(&mut w, 10);
        assert_eq!(w.motor(hinge).unwrap().effort(), 0.0);
        let end = w[b].pos;
        w.restore(&snapshot).unwrap();
        run(&mut w, 10);
        assert_eq!(w[b].pos, end);
    }
}

#[test]
fn gravity_acts_on_a_body_by_its_scale_and_the_ledger_knows() {
    let mut w = World::new();
    let balls = [1.0, 0.0, -0.5, 2.0].map(|s| (s, w.add(Body::dynamic(ball(1.0)).gravity_scale(s)).unwrap()));
    // The first kick is half a step; from then on the energy stays.
    let start = w.step(H).unwrap().energy.total();
    for _ in 1..60 {
        let r = w.step(H).unwrap();
        assert!(r.ledger.imbalance.abs() < 1e-9, "{:?}", r.ledger);
        assert!((r.energy.total() - start).abs() < 1e-9, "{:?}", r.energy);
    }
    for (s, b) in balls {
        assert!((w[b].vel.y + 9.81 * s * (1.0 - 0.5 * H)).abs() < 1e-9, "{s}: {}", w[b].vel.y);
    }
    w.set_gravity_scale(balls[0].1, 0.0).unwrap();
    let v = w[balls[0].1].vel;
    let before = w.energy().unwrap().total();
    let report = w.step(H).unwrap();
    assert_eq!(w[balls[0].1].vel, v);
    assert!((report.energy.total() - before).abs() < 1e-9, "{} {before}", report.energy.total());
    assert!(w.set_gravity_scale(balls[0].1, f64::NAN).is_err());
}

#[test]
fn masses_and_kinds_of_motion_change() {
    let (mut w, load, rope) = hanging(50.0);
    w.set_mass(load, &ball(80.0)).unwrap();
    run(&mut w, 60);
    assert!((w.joint(rope).unwrap().tension() - 80.0 * 9.81).abs() < 1e-2);
    w.set_motion(load, Motion::Fixed, None).unwrap();
    let at = w[load].pos;
    // Nothing moves freely any more: a step has nothing to do.
    let other = w.add(Body::particle(1.0)).unwrap();
    run(&mut w, 30);
    assert_eq!(w[load].pos, at);
    w.set_motion(load, Motion::Kinematic, None).unwrap();
    w.set_velocity(load, Vec3::X, Vec3::ZERO).unwrap();
    run(&mut w, 6);
    assert!((w[load].pos - at - 0.1 * Vec3::X).length() < 1e-9);
    assert!(w.set_motion(load, Motion::Dynamic, None).unwrap_err().to_string().contains("mass"));
    w.set_motion(load, Motion::Dynamic, Some(&ball(20.0))).unwrap();
    run(&mut w, 400);
    assert_eq!(w.body(load).unwrap().mass(), 20.0);
    assert!((w[load].pos.length() - 2.0).abs() < 1e-3, "{}", w[load].pos);
    assert!(w.set_motion(other, Motion::Dynamic, None).unwrap_err().to_string().contains("particle"));
    assert!(w.set_mass(w.ground(), &ball(1.0)).is_err());
    assert!(w.set_motion(w.ground(), Motion::Kinematic, None).is_err());
}

#[test]
fn bodies_and_joints_are_switched_off_and_on() {
    let (mut w, load, rope) = hanging(50.0);
    w.set_joint_enabled(rope, false).unwrap();
    run(&mut w, 30);
    let fallen = w[load].pos.y;
    assert!((fallen + 2.0 + 0.5 * 9.81 * 0.25).abs() < 0.1, "{fallen}");
    assert!(!w.joint(rope).unwrap().is_enabled());
    w.set_body_enabled(load, false).unwrap();
    let (at, vel) = (w[load].pos, w[load].vel);
    let witness = w.add(Body::particle(1.0)).unwrap();
    run(&mut w, 30);
    assert_eq!((w[load].pos, w[load].vel), (at, vel));
    assert!(w[witness].pos.y < -1.0);
    w.set_body_enabled(load, true).unwrap();
    w.step(H).unwrap();
    assert!(w[load].pos.y < at.y - 0.05);
    w.set_length(rope, 10.0).unwrap();
    w.set_joint_enabled(rope, true).unwrap();
    run(&mut w, 300);
    assert!((w[load].pos.length() - 10.0).abs() < 1e-2, "{}", w[load].pos);
    assert!(w.set_body_enabled(w.ground(), false).is_err());
}

#[test]
fn a_body_that_is_off_meets_nothing() {
    let mut w = World::new();
    w.add(Collider::new(Shape::ground()).on(w.ground())).unwrap();
    let table = w.add(Body::solid(Shape::cuboid(Vec3::new(1.0, 0.1, 1.0)), 500.0).unwrap().at(0.1 * Vec3::Y)).unwrap();
    let stone = w.add(Body::solid(Shape::ball(0.1), 2000.0).unwrap().at(0.31 * Vec3::Y)).unwrap();
    run(&mut w, 60);
    assert!((w[stone].pos.y - 0.3).abs() < 1e-3, "{}", w[stone].pos);
    w.set_body_enabled(table, false).unwrap();
    run(&mut w, 60);
    assert!((w[stone].pos.y - 0.1).abs() < 1e-3, "{}", w[stone].pos);
}

#[test]
fn locked_axes_hold_a_body_where_and_as_it_is() {
    let mut w = World::new();
    let mass = MassProperties::cuboid(1000.0, Vec3::new(0.1, 0.2, 0.3)).unwrap();
    let upright = w.add(Body::dynamic(mass).locked(Locks::ROTATION).moving(Vec3::X, Vec3::ZERO)).unwrap();
    let flat = w.add(Body::dynamic(mass).locked(Locks::PLANE_XY).at(5.0 * Vec3::Z)).unwrap();
    let bead = w.add(Body::particle(1.0).locked(Locks { linear: [true, false, true], angular: [false; 3] })).unwrap();
    for _ in 0..60 {
        w.apply_force(upright, Vec3::new(0.0, 0.0, 50.0), w[upright].pos + 0.2 * Vec3::Y).unwrap();
        w.apply_force(flat, Vec3::new(30.0, 40.0, 50.0), w[flat].pos + Vec3::new(0.05, 0.2, 0.1)).unwrap();
        w.apply_force(bead, Vec3::new(3.0, 0.0, 2.0), w[bead].pos).unwrap();
        w.step(H).unwrap();
    }
    assert!(w[upright].omega.length() < 1e-12 && w[upright].vel.z > 1.0, "{:?}", w[upright]);
    assert!((w[flat].pos.z - 5.0).abs() < 1e-9 && w[flat].omega.z.abs() > 0.1, "{:?}", w[flat]);
    assert!(w[flat].omega.x.hypot(w[flat].omega.y) < 1e-9, "{:?}", w[flat].omega);
    assert!(w[bead].pos.x.hypot(w[bead].pos.z) < 1e-9 && w[bead].pos.y < -4.0, "{:?}", w[bead].pos);
    // Unlocked it turns.
    w.set_locks(upright, Locks::NONE).unwrap();
    w.apply_torque(upright, Vec3::X).unwrap();
    w.step(H).unwrap();
    assert!(w[upright].omega.x > 0.0);
    assert_eq!(w.joints().count(), 0);
    assert!(w.set_locks(bead, Locks::ROTATION).unwrap_err().to_string().contains("particle"));
    assert!(w.set_locks(w.ground(), Locks::ROTATION).is_err());
}

#[test]
fn an_impulse_changes_velocities_at_once_by_the_law_of_momentum() {
    let mut w = World::new();
    let mass = MassProperties::cuboid(1000.0, Vec3::new(0.1, 0.2, 0.3)).unwrap();
    let turned = Quat::from_rotation_x(0.7);
    let b = w.add(Body::dynamic(mass).at(Vec3::Y).rotated(turned)).unwrap();
    let (impulse, point) = (Vec3::new(3.0, -2.0, 5.0), Vec3::new(0.1, 1.2, 0.05));
    w.apply_impulse(b, impulse, point).unwrap();
    let view = w.body(b).unwrap();
    assert!((view.momentum() - impulse).length() < 1e-12);
    assert!((view.angular_momentum() - (point - Vec3::Y).cross(impulse)).length() < 1e-12);
    w.apply_angular_impulse(b, -view.angular_momentum()).unwrap();
    assert!(w[b].omega.length() < 1e-12);
    assert!(w.apply_impulse(w.ground(), impulse, point).is_err());
    assert!(w.apply_impulse(b, Vec3::NAN, point).is_err());
}

#[test]
fn forces_are_changed_and_keep_their_kind() {
    let mut w = World::new();
    let b = w.add(Body::dynamic(ball(10.0)).at(-Vec3::Y)).unwrap();
    let spring = w.add(Spring::between(b, w.ground()).stiffness(1e3).damping(200.0).named("spring")).unwrap();
    run(&mut w, 600);
    assert!((w[b].pos.y + 1.0 + 98.1 / 1e3).abs() < 1e-4, "{}", w[b].pos);
    let Force::Spring(s) = w.force(spring).unwrap() else { panic!("a spring") };
    w.set_force(spring, Force::Spring(Spring { stiffness: 2e3, ..s })).unwrap();
    run(&mut w, 600);
    assert!((w[b].pos.y + 1.0 + 98.1 / 2e3).abs() < 1e-4, "{}", w[b].pos);
    let push = w.add(Force::Point { body: b, point: Vec3::ZERO, force: Vec3::ZERO }).unwrap();
    w.set_force(push, Force::Point { body: b, point: Vec3::ZERO, force: 98.1 * Vec3::Y }).unwrap();
    run(&mut w, 600);
    assert!((w[b].pos.y + 1.0).abs() < 1e-4, "{}", w[b].pos);
    assert_eq!(w.find_force("spring").unwrap(), spring);
    assert!(
        w.set_force(push, Force::Torque { body: b, torque: Vec3::X }).unwrap_err().to_string().contains("same kind")
    );
    assert!(w.set_force(spring, Force::Spring(Spring { stiffness: -1.0, ..s })).is_err());
}

#[test]
fn changes_hold_in_reduced_coordinates_and_with_the_published_stabilisers() {
    for options in [
        Options { coordinates: taut::Coordinates::Reduced, ..Options::default() },
        Options { stabiliser: Stabiliser::ConstraintSpace { alpha: 1.0 }, ..Options::default() },
        Options { stabiliser: Stabiliser::None, ..Options::default() },
    ] {
        let mut w = World::new();
        w.set_options(Options { sleep: false, ..options }).ok();
        let arm = w.add(Body::dynamic(ball(2.0)).at(Vec3::X)).unwrap();
        let hinge =
            w.add(Hinge::between(arm, w.ground()).at(Vec3::ZERO).axis(Vec3::Z).motor(Motor::servo(1e4, 1e3))).unwrap();
        let bob = w.add(Body::dynamic(ball(1.0)).at(2.0 * Vec3::X)).unwrap();
        let pin = w.add(Ball::between(bob, arm).at(1.5 * Vec3::X)).unwrap();
        run(&mut w, 10);
        w.set_motor(hinge, Command::target(0.0)).unwrap();
        w.set_mass(bob, &ball(4.0)).unwrap();
        run(&mut w, 30);
        w.set_gravity_scale(bob, 0.5).unwrap();
        w.set_joint_enabled(pin, false).unwrap();
        let before = w[bob].vel.y;
        run(&mut w, 60);
        let angle = w.joint(hinge).unwrap().position().unwrap();
        assert!(angle.abs() < 0.01, "{options:?}: {angle}");
        assert!((w[bob].vel.y - before + 0.5 * 9.81).abs() < 1e-9, "{options:?}: {}", w[bob].vel.y - before);
    }
}

#[test]
fn user_data_and_names_find_their_parts() {
    let mut w = World::new();
    let b = w.add(Body::particle(1.0).user_data(7).named("stone")).unwrap();
    let j = w.add(Rope::between(b, w.ground()).length(1.0).user_data(8).named("string")).unwrap();
    assert_eq!((w.body(b).unwrap().user_data(), w.joint(j).unwrap().user_data()), (7, 8));
    w.set_user_data(b, 9).unwrap();
    w.set_joint_user_data(j, 10).unwrap();
    assert_eq!((w.body(b).unwrap().user_data(), w.joint(j).unwrap().user_data()), (9, 10));
    assert_eq!((w.find_body("stone").unwrap(), w.find_joint("string").unwrap()), (b, j));
    w.add(Body::particle(1.0).named("stone")).unwrap();
    assert!(w.find_body("stone").unwrap_err().to_string().contains("several"));
    assert!(w.find_joint("rope").unwrap_err().to_string().contains("none"));
}

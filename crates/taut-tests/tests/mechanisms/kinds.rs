//! The general joints: six degrees, wheel, distance range, force-torque sensor. What they hold, what they leave free, what they read.

use taut::prelude::*;
use taut::{Axis, Coordinates, ForceTorque, State};

const H: f64 = 1.0 / 60.0;

fn block(mass: f64) -> MassProperties {
    MassProperties::cuboid(1000.0, Vec3::new(0.2, 0.3, 0.1)).unwrap().with_mass(mass).unwrap()
}

fn run(w: &mut World, steps: usize) {
    for _ in 0..steps {
        w.step(H).unwrap();
    }
}

/// Every choice of locked axes: what is locked does not move, what is free does, and nothing gains energy.
#[test]
fn a_six_degree_joint_holds_what_is_locked_and_nothing_else() {
    for bits in 1..64_u32 {
        let bit = |k: u32| bits >> k & 1 == 1;
        let locks = Locks { linear: [bit(0), bit(1), bit(2)], angular: [bit(3), bit(4), bit(5)] };
        let mut w = World::new();
        w.set_options(Options { gravity: Vec3::ZERO, sleep: false, ..Options::default() }).unwrap();
        let turned = Quat::from_rotation_x(0.4) * Quat::from_rotation_z(0.3);
        let b = w.add(Body::dynamic(block(3.0)).rotated(turned)).unwrap();
        let joint = SixDof::between(w.ground(), b, locks).at(Vec3::ZERO).axis(Vec3::Z).across(Vec3::X);
        let joint = w.add(joint).unwrap();
        assert_eq!(w.joint(joint).unwrap().freedoms().len(), 6 - bits.count_ones() as usize);
        w.apply_impulse(b, Vec3::new(0.3, 0.4, 0.5), Vec3::new(0.05, -0.04, 0.03)).unwrap();
        let start = w.body(b).unwrap().kinetic_energy();
        for _ in 0..60 {
            let r = w.step(H).unwrap();
            assert!(r.energy.kinetic < start * 1.001, "{locks:?}: {} {start}", r.energy.kinetic);
        }
        let v = w.joint(joint).unwrap();
        assert!(v.gap() < 1e-6 && v.angle() < 1e-6, "{locks:?}: {} {}", v.gap(), v.angle());
        // The frame stands in the ground: its axes are those of the world.
        for k in 0..3 {
            let moved = w[b].pos[k].abs();
            assert_eq!(locks.linear[k], moved < 1e-6, "{locks:?}: axis {k} moved by {moved}");
        }
        if locks.angular == [true; 3] {
            assert!(w[b].omega.length() < 1e-6, "{locks:?}");
        }
        if locks.angular == [false; 3] {
            assert!(w[b].omega.length() > 0.01, "{locks:?}");
        }
    }
}

#[test]
fn a_six_degree_joint_with_the_locks_of_a_hinge_is_a_hinge() {
    let make = |six: bool| {
        let mut w = World::new();
        let b = w.add(Body::dynamic(block(3.0)).at(Vec3::X)).unwrap();
        let hinge = Locks { linear: [true; 3], angular: [true, true, false] };
        let joint = if six { SixDof::between(b, w.ground(), hinge) } else { Hinge::between(b, w.ground()) };
        let joint = w.add(joint.at(Vec3::ZERO).axis(Vec3::Z).limit(-1.0, 1.0)).unwrap();
        for coordinates in [taut::Coordinates::Maximal, taut::Coordinates::Reduced] {
            w.set_options(Options { coordinates, ..Options::default() }).unwrap();
            run(&mut w, 40);
        }
        (w[b].pos, w.joint(joint).unwrap().position().unwrap())
    };
    let (six, hinge) = (make(true), make(false));
    assert!((six.0 - hinge.0).length() < 1e-9 && (six.1 - hinge.1).abs() < 1e-9, "{six:?} {hinge:?}");
    assert!((six.1 + 1.0).abs() < 1e-6);
}

#[test]
fn axes_of_a_six_degree_joint_are_limited_and_driven_one_by_one() {
    let mut w = World::new();
    let b = w.add(Body::dynamic(block(2.0))).unwrap();
    let locks = Locks { linear: [false, false, true], angular: [true, true, false] };
    let joint = SixDof::between(b, w.ground(), locks)
        .axis(Vec3::Z)
        .across(Vec3::X)
        .stop(Limit::new(-0.5, 0.5).on(Freedom::Shift(Axis::V)))
        .motor(Motor::rate().on(Freedom::Shift(Axis::U)).speed(0.25))
        .motor(Motor::servo(500.0, 100.0).on(Freedom::About(Axis::N)).target(2.5));
    let joint = w.add(joint).unwrap();
    run(&mut w, 120);
    let v = w.joint(joint).unwrap();
    // The axes turn with body i: what the rows hold is told in them.
    assert!((v.position_of(Freedom::About(Axis::N)) - 2.5).abs() < 0.05, "{:?}", v.coordinates().collect::<Vec<_>>());
    assert!(v.position_of(Freedom::Shift(Axis::V)).abs() < 0.5 + 1e-6, "{:?}", v.coordinates().collect::<Vec<_>>());
    assert!((v.rate_of(Freedom::Shift(Axis::U)) - 0.25).abs() < 1e-6);
    assert!(w[b].pos.z.abs() < 1e-9);
}

#[test]
fn a_range_is_a_rope_that_also_pushes() {
    let mut w = World::new();
    let bob = w.add(Body::particle(2.0).at(1.2 * Vec3::Y)).unwrap();
    let range = w.add(Range::between(bob, w.ground(), 1.0, 1.5)).unwrap();
    run(&mut w, 60);
    assert!((w[bob].pos.y - 1.0).abs() < 1e-6, "{}", w[bob].pos);
    assert!((w.joint(range).unwrap().tension() + 2.0 * 9.81).abs() < 1e-6);
    w.set_limit(range, Limit::new(0.2, 0.4)).unwrap();
    w.set_velocity(bob, Vec3::X, Vec3::ZERO).unwrap();
    run(&mut w, 200);
    let d = w[bob].pos.length();
    assert!((0.2 - 1e-4..=0.4 + 1e-4).contains(&d), "{d}");
    assert!(w.add(Range::between(bob, w.ground(), 2.0, 1.0)).unwrap_err().to_string().contains("lower"));
    assert!(w.set_length(range, 1.0).unwrap_err().to_string().contains("a rod or a rope"));
}

#[test]
fn a_sensor_reads_the_weight_and_moment_behind_it_in_its_own_axes() {
    let mut w = World::new();
    let arm = w.add(Body::dynamic(block(4.0)).at(0.5 * Vec3::X)).unwrap();
    // N along x, U along y.
    let sensor = ForceTorque::between(arm, w.ground()).at(Vec3::ZERO).axis(Vec3::X).across(Vec3::Y).named("wrist");
    let sensor = w.add(sensor).unwrap();
    run(&mut w, 120);
    let read = w.joint(sensor).unwrap().wrench();
    let weight = 4.0 * 9.81;
    assert!((read.force - weight * Vec3::X).length() < 1e-6, "{read:?}");
    // The moment of the weight about the sensor is -0.5 m g about z, which is its axis V.
    assert!((read.torque - 0.5 * weight * Vec3::Y).length() < 1e-6, "{read:?}");
}

#[test]
fn the_bearing_carries_what_the_motor_does_not() {
    let mut w = World::new();
    let arm = w.add(Body::dynamic(block(4.0)).at(0.5 * Vec3::X)).unwrap();
    let hinge = Hinge::between(arm, w.ground()).at(Vec3::ZERO).axis(Vec3::Z).spring(1e6, 1e5);
    let hinge = w.add(hinge).unwrap();
    run(&mut w, 240);
    let (v, weight) = (w.joint(hinge).unwrap(), 4.0 * 9.81);
    assert!((v.reaction().torque.z - 0.5 * weight).abs() < 1e-3, "{:?}", v.reaction());
    assert!(v.bearing().torque.length() < 1e-3, "{:?}", v.bearing());
    assert!((v.bearing().force - weight * Vec3::Y).length() < 1e-3, "{:?}", v.bearing());
    assert!((w.motor(hinge).unwrap().effort() - 0.5 * weight).abs() < 1e-3);
}

/// A cart of 400 kg on four wheels of 10 kg, radius 0.3 m, that steers with those at +x.
fn cart(stiffness: f64) -> (World, BodyId, Vec<JointId>) {
    let mut w = World::new();
    w.add(Collider::new(Shape::ground()).friction(1.0).on(w.ground())).unwrap();
    let body = MassProperties::cuboid(100.0, Vec3::new(1.2, 0.2, 0.6)).unwrap().with_mass(400.0).unwrap();
    let chassis = w.add(Body::dynamic(body).at(0.7 * Vec3::Y).named("chassis")).unwrap();
    let mut joints = Vec::new();
    for (x, z) in [(-1.0, -0.7), (-1.0, 0.7), (1.0, -0.7), (1.0, 0.7)] {
        let hub = Vec3::new(x, 0.3, z);
        let ball = MassProperties::sphere(100.0, 0.3).unwrap().with_mass(10.0).unwrap();
        let wheel = w.add(Body::dynamic(ball).at(hub).collider(Collider::new(Shape::ball(0.3)).friction(1.0))).unwrap();
        let kind = Wheel::suspended(stiffness, 4e3);
        let kind = if x > 0.0 { kind.steering() } else { kind };
        let mut joint = kind.between(wheel, chassis).at(hub).axis(Vec3::Y).across(Vec3::Z);
        joint = joint.motor(Motor::rate().on(Freedom::Spin).limited(300.0).named(format!("spin {x} {z}")));
        if x > 0.0 {
            joint = joint.motor(Motor::servo(2e4, 2e3).on(Wheel::STEER).target(0.0));
        }
        joints.push(w.add(joint).unwrap());
    }
    (w, chassis, joints)
}

#[test]
fn a_suspension_gives_by_the_weight_on_it_and_stands_straight() {
    let (mut w, chassis, joints) = cart(2e4);
    run(&mut w, 300);
    let sag = 0.7 - w[chassis].pos.y;
    let expected = 400.0 * 9.81 / (4.0 * 2e4);
    assert!((sag - expected).abs() < 1e-3, "{sag} {expected}");
    for j in joints {
        let v = w.joint(j).unwrap();
        assert!((v.position_of(Freedom::Rise) - expected).abs() < 1e-3, "{:?}", v.coordinates().collect::<Vec<_>>());
    }
    assert!(w[chassis].vel.length() < 1e-3 && w[chassis].omega.length() < 1e-3);
}

#[test]
fn a_cart_drives_by_its_wheels_and_turns_on_the_circle_of_its_steering() {
    let (mut w, chassis, joints) = cart(4e4);
    run(&mut w, 60);
    // Forward is +x: about z = axle the wheels turn backwards.
    for &j in &joints {
        w.set_motor(j.motor(0), Command::rate(-5.0)).unwrap();
    }
    run(&mut w, 240);
    let v = w[chassis].vel;
    assert!((v.x - 1.5).abs() < 0.02 && v.z.abs() < 0.02, "{v}");
    let angle: f64 = 0.2;
    for &j in &joints[2..] {
        w.set_motor(j.motor(1), Command::target(angle)).unwrap();
    }
    for &j in &joints {
        w.release_motor(j.motor(0)).unwrap();
    }
    for &j in &joints[..2] {
        w.set_motor(j.motor(0), Command::rate(-5.0)).unwrap();
    }
    run(&mut w, 240);
    // Bicycle model: yaw rate v tan(angle)/wheelbase, about +y for a turn to the left by the right hand.
    let (speed, yaw) = (w[chassis].vel.length(), w[chassis].omega.y);
    let expected = speed * f64::tan(angle) / 2.0;
    assert!((yaw - expected).abs() < 0.1 * expected, "{yaw} {expected} at {speed} m/s");
    let worst = joints.iter().map(|&j| w.joint(j).unwrap().gap()).fold(0.0, f64::max);
    assert!(worst < 0.2, "{worst}");
}

#[test]
fn a_six_degree_joint_with_all_axes_free_holds_nothing_and_is_read() {
    for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
        let mut w = World::new();
        w.set_options(Options { coordinates, ..Options::default() }).unwrap();
        let b = w.add(Body::dynamic(block(2.0)).moving(Vec3::X, Vec3::ZERO)).unwrap();
        let free = w.add(SixDof::between(b, w.ground(), Locks::NONE).named("free")).unwrap();
        run(&mut w, 60);
        let j = w.joint(free).unwrap();
        assert_eq!((j.freedoms().len(), j.lambda().len(), j.force(), j.gap()), (6, 0, Vec3::ZERO, 0.0));
        let fallen: Vec<f64> = j.coordinates().map(|(_, q, _)| q).collect();
        assert!((w.body(b).unwrap().position().y + 9.81 / 2.0).abs() < 1e-6, "it falls freely");
        assert!(fallen.iter().any(|q| (q.abs() - 9.81 / 2.0).abs() < 1e-6), "{fallen:?}");
        // Its freedoms can be limited like those of any joint; the axes are those of the ground.
        let stop = Limit::new(-10.0, 10.0).on(Freedom::Shift(Axis::N));
        w.remove(free).unwrap();
        let here = w.body(b).unwrap().position();
        w.add(SixDof::between(w.ground(), b, Locks::NONE).at(here).axis(Vec3::Y).stop(stop)).unwrap();
        run(&mut w, 300);
        let y = w.body(b).unwrap().position().y;
        assert!(y > -15.0, "{coordinates:?}: held by the stop: {y}");
        let bytes = w.state().to_bytes();
        assert_eq!(State::from_bytes(&bytes).unwrap().to_bytes(), bytes);
        assert!(w.dynamics().is_ok());
    }
}

#[test]
fn a_wheel_takes_effort_at_its_spin_and_steering_without_a_motor() {
    let mut w = World::new();
    w.set_options(Options { gravity: Vec3::ZERO, ..Options::default() }).unwrap();
    let chassis = w.add(Body::dynamic(block(1e6)).at(Vec3::Y)).unwrap();
    let wheel = w.add(Body::dynamic(MassProperties::from_diagonal(10.0, Vec3::splat(0.5)).unwrap())).unwrap();
    let at = |kind: Wheel| kind.between(wheel, chassis).at(Vec3::ZERO).axis(Vec3::Y).across(Vec3::Z);
    let plain = w.add(at(Wheel::suspended(1e4, 1e3))).unwrap();
    w.apply_effort(plain, &[3.0]).unwrap();
    w.step(0.01).unwrap();
    assert!((w.body(wheel).unwrap().angular_velocity().z.abs() - 3.0 / 0.5 * 0.01).abs() < 1e-6);
    let e = w.apply_effort(plain, &[3.0, 1.0]).unwrap_err().to_string();
    assert!(e.contains("1 finite numbers"), "{e}");
    w.remove(plain).unwrap();
    let steers = w.add(at(Wheel::suspended(1e4, 1e3).steering()).named("front")).unwrap();
    w.apply_effort(steers, &[0.0, 3.0]).unwrap();
    w.step(0.01).unwrap();
    assert!(w.joint(steers).unwrap().rate_of(Wheel::STEER) > 0.0);
    // Held against a torque about the axle, on a chassis that stands.
    w.set_motion(chassis, taut::Motion::Fixed, None).unwrap();
    w.apply_torque(wheel, 7.0 * Vec3::Z).unwrap();
    let held = w.dynamics().unwrap().hold_with(&[steers]).unwrap();
    let names: Vec<&str> = held.efforts.iter().map(|e| e.name.as_str()).collect();
    assert_eq!(names, ["front spin", "front lean"]);
    assert!((held.of(steers)[0] + 7.0).abs() < 1e-5, "{:?}", held.of(steers));
}

#[test]
fn a_wheel_without_an_axle_is_refused() {
    let mut w = World::new();
    let b = w.add(Body::dynamic(block(2.0))).unwrap();
    let e = w.add(Wheel::suspended(1e4, 1e3).between(b, w.ground()).axis(Vec3::Y)).unwrap_err().to_string();
    assert!(e.contains("across of the wheel joint = none") && e.contains("along the axle"), "{e}");
    assert_eq!(w.joints().count(), 0);
}

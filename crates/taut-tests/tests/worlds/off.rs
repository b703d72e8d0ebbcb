//! What is switched off, or cannot move, does nothing and says so; a world in which nothing moves by itself steps all the same.

use crate::common::gears::{Pair, STEP, torque};
use crate::common::{ball, weightless, world};
use taut::{
    Body, BodyId, Collider, Event, Gear, Hinge, JointId, Motion, Motor, Options, Pose, Quat, Rope, Shape, Softness,
    Spring, Strength, Vec3, Weld, World,
};

/// A load on a rope, an arm on a driven hinge, a soft weld: each carries something.
struct Rig {
    w: World,
    load: BodyId,
    arm: BodyId,
    rope: JointId,
    hinge: JointId,
    soft: JointId,
}

fn rig() -> Rig {
    let mut w = world(Options::default());
    let load = w.add(Body::dynamic(ball(10.0, 0.1)).at(-2.0 * Vec3::Y)).unwrap();
    let rope = w.add(Rope::between(load, w.ground())).unwrap();
    let arm = w.add(Body::dynamic(ball(3.0, 0.1)).at(5.0 * Vec3::X)).unwrap();
    let hinge = Hinge::between(arm, w.ground()).at(4.0 * Vec3::X).axis(Vec3::Z);
    let hinge = w.add(hinge.motor(Motor::servo(1e4, 1e3).target(0.0))).unwrap();
    let hung = w.add(Body::dynamic(ball(3.0, 0.1)).at(9.0 * Vec3::X)).unwrap();
    let soft = w.add(Weld::between(hung, w.ground()).linear(Softness::spring(1e4, 1e3))).unwrap();
    (0..100).for_each(|_| drop(w.step(0.01).unwrap()));
    Rig { w, load, arm, rope, hinge, soft }
}

fn assert_nothing(w: &World, joint: JointId) {
    let j = w.joint(joint).unwrap();
    assert!(!j.is_active());
    assert_eq!((j.tension(), j.energy(), j.gap(), j.angle(), j.excess()), (0.0, 0.0, 0.0, 0.0, 0.0));
    let (all, bearing, wrench) = (j.reaction(), j.bearing(), j.wrench());
    assert_eq!([all.force, all.torque, bearing.force, bearing.torque, wrench.force, wrench.torque], [Vec3::ZERO; 6]);
    assert!(j.lambda().iter().chain(&w[joint]).all(|l| *l == 0.0));
    assert!(j.motors().all(|m| m.effort() == 0.0 && m.power() == 0.0));
}

#[test]
fn a_joint_that_is_off_carries_nothing_and_goes_on_with_what_it_had() {
    let Rig { mut w, rope, hinge, soft, .. } = rig();
    for joint in [rope, hinge, soft] {
        let before = w.joint(joint).unwrap().lambda().to_vec();
        assert!(before.iter().any(|l| l.abs() > 1.0));
        w.set_joint_enabled(joint, false).unwrap();
        assert_nothing(&w, joint);
        w.step(1e-6).unwrap();
        assert_nothing(&w, joint);
        w.set_joint_enabled(joint, true).unwrap();
        assert_eq!(w.joint(joint).unwrap().lambda(), before);
    }
}

#[test]
fn the_joints_of_a_body_that_is_off_or_stands_carry_nothing() {
    for fixed in [false, true] {
        let Rig { mut w, load, arm, rope, hinge, .. } = rig();
        for (body, joint) in [(load, rope), (arm, hinge)] {
            assert!(w.joint(joint).unwrap().force().length() > 1.0);
            if fixed {
                w.set_motion(body, Motion::Fixed, None).unwrap();
            } else {
                w.set_body_enabled(body, false).unwrap();
            }
            assert_nothing(&w, joint);
            w.step(0.01).unwrap();
            assert_nothing(&w, joint);
        }
    }
}

#[test]
fn a_joint_that_is_off_does_not_break() {
    let Rig { mut w, rope, .. } = rig();
    w.set_joint_enabled(rope, false).unwrap();
    w.set_strength(rope, Some(Strength::force(1.0))).unwrap();
    let broken = |e: &Event| matches!(e, Event::JointBroken { .. });
    assert!(!w.step(0.01).unwrap().events.iter().any(broken));
    assert!(w.joint(rope).is_ok());
}

#[test]
fn a_coupling_and_a_spring_that_rest_carry_nothing() {
    let Pair { mut w, a, b, gear } = Pair::new(weightless(), 2.0);
    torque(&mut w, a.0, 5.0);
    w.step(STEP).unwrap();
    assert!(w.coupling(gear).unwrap().force().abs() > 0.1);
    w.set_joint_enabled(b.1, false).unwrap();
    let c = w.coupling(gear).unwrap();
    assert_eq!((c.force(), c.force_on(a.0).unwrap()), (0.0, (Vec3::ZERO, Vec3::ZERO)));

    let mut w = world(Options::default());
    let bob = w.add(Body::particle(2.0).at(-Vec3::Y)).unwrap();
    let (point_i, point_j) = (Vec3::ZERO, Vec3::ZERO);
    let spring = Spring { i: bob, j: w.ground(), point_i, point_j, stiffness: 1e3, damping: 10.0, rest_length: 0.5 };
    let spring = w.add(spring).unwrap();
    w.step(0.01).unwrap();
    assert!(w.force_view(spring).unwrap().force.length() > 100.0);
    w.set_body_enabled(bob, false).unwrap();
    assert_eq!(w.force_view(spring).unwrap().force, Vec3::ZERO);
}

#[test]
fn a_world_in_which_nothing_moves_freely_steps() {
    let mut w = World::new();
    assert!((w.step(0.5).unwrap().time, w.time()) == (0.5, 0.5));
    assert_eq!((w.energy().unwrap().total(), w.size().unwrap().bodies), (0.0, 0));
    assert_eq!(w.dynamics().unwrap().dofs().len(), 0);
    assert!(w.dynamics().unwrap().forward(&[]).unwrap().is_empty());

    // A door that the user moves, past a sensor.
    let door = w.add(Body::kinematic().collider(Collider::new(Shape::ball(0.2))).at(-Vec3::X)).unwrap();
    w.add(Body::fixed().named("wall")).unwrap();
    let eye = w.add(Collider::new(Shape::ball(0.1)).on(w.ground()).sensing()).unwrap();
    w.set_velocity(door, Vec3::X, Vec3::ZERO).unwrap();
    let mut seen = 0;
    for _ in 0..200 {
        seen += w.step(0.01).unwrap().events.iter().filter(|e| format!("{e:?}").contains("Sensor")).count();
    }
    assert!((w.body(door).unwrap().position().x - 1.0).abs() < 1e-9 && w.time() > 2.4);
    assert!(seen >= 1 && w.collider(eye).is_ok(), "{seen}");
    w.set_target(door, Pose { pos: Vec3::Y, rot: Quat::IDENTITY }).unwrap();
    w.step(0.01).unwrap();
    assert!((w.body(door).unwrap().position() - Vec3::Y).length() < 1e-12);
}

#[test]
fn a_world_goes_on_when_all_that_moved_is_fixed_or_off_or_gone() {
    for way in 0..3 {
        let mut w = World::new();
        let b = w.add(Body::dynamic(ball(1.0, 0.1))).unwrap();
        let c = w.add(Body::dynamic(ball(1.0, 0.1)).at(Vec3::X)).unwrap();
        let [h, g] = [b, c].map(|x| w.add(Hinge::between(x, w.ground()).axis(Vec3::Z)).unwrap());
        w.add(Gear::between(h, g).ratio(2.0)).unwrap();
        w.step(0.01).unwrap();
        for x in [b, c] {
            match way {
                0 => w.set_motion(x, Motion::Fixed, None).unwrap(),
                1 => w.set_body_enabled(x, false).unwrap(),
                _ => w.remove(x).unwrap(),
            }
        }
        let before = w.time();
        let snapshot = w.state().clone();
        w.step(0.01).unwrap();
        assert!((w.time() - before - 0.01).abs() < 1e-12);
        assert_eq!(w.energy().unwrap().kinetic, 0.0);
        w.restore(&snapshot).unwrap();
        let d = w.add(Body::particle(1.0).at(Vec3::Z)).unwrap();
        w.step(0.01).unwrap();
        assert!(w.body(d).unwrap().velocity().y < 0.0);
    }
}

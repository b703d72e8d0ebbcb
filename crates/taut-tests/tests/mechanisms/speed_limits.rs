//! Bounds of speed: of freedoms of joints, and of bodies.

use taut::prelude::*;
use taut::{SpeedLimit, parts::Part};

const G: f64 = 9.81;

#[test]
fn a_weight_on_a_governed_slide_sinks_at_exactly_the_bound() {
    for (h, mass) in [(1.0 / 60.0, 3.0), (0.1, 3.0), (1e-3, 3e6), (0.1, 3e-6)] {
        let mut world = World::new();
        let weight = Body::dynamic(MassProperties::cuboid(1000.0, Vec3::splat(0.5)).unwrap().with_mass(mass).unwrap());
        let weight = world.add(weight).unwrap();
        let slide = Prismatic::between(weight, world.ground()).axis(Vec3::Y).speed_limit(SpeedLimit::new(-0.25, 1.0));
        let slide = world.add(slide).unwrap();
        let (mut lost, mut steps) = (0.0, 0);
        for _ in 0..(2.0 / h) as usize {
            let l = world.step(h).unwrap().ledger;
            assert!(l.damping <= 1e-12 * mass && l.imbalance.abs() < 1e-9 * mass, "{l:?}");
            let rate = world.joint(slide).unwrap().rate().unwrap();
            assert!(rate >= -0.25 - 1e-12, "{rate}");
            if (rate + 0.25).abs() < 1e-12 {
                (lost, steps) = (lost - l.damping, steps + 1);
            }
        }
        assert!(steps > 5);
        let j = world.joint(slide).unwrap();
        assert!((j.rate().unwrap() + 0.25).abs() < 1e-12);
        assert!((j.reaction().force.y / (mass * G) - 1.0).abs() < 1e-9, "{:?}", j.reaction());
        // What the weight gives up goes to the governor: m g v t, but for the step in which it is caught.
        let wanted = mass * G * 0.25 * h * f64::from(steps);
        assert!((lost / wanted - 1.0).abs() < 0.2, "{lost} J, wanted {wanted} J");
    }
}

/// A ton on a drum of a milligram: the governor of the light one holds the heavy one.
#[test]
fn a_million_to_one() {
    let mut world = World::new();
    let light = Body::dynamic(MassProperties::from_diagonal(1e-3, Vec3::splat(1e-6)).unwrap());
    let light = world.add(light).unwrap();
    let slide = Prismatic::between(light, world.ground()).axis(Vec3::Y).speed_limit(SpeedLimit::both(0.5));
    let slide = world.add(slide).unwrap();
    let load = world.add(Body::particle(1000.0).at(-2.0 * Vec3::Y)).unwrap();
    let rope = world.add(Rope::between(load, light)).unwrap();
    for _ in 0..300 {
        world.step(1.0 / 60.0).unwrap();
        assert!(world.joint(slide).unwrap().rate().unwrap() >= -0.5 - 1e-9);
    }
    let v = world.body(load).unwrap().velocity();
    assert!((v + 0.5 * Vec3::Y).length() < 1e-6, "{v}");
    assert!((world.joint(rope).unwrap().tension() / (1000.0 * G) - 1.0).abs() < 1e-6);
}

#[test]
fn each_direction_has_its_own_bound_and_the_bound_can_be_changed() {
    let mut world = World::new();
    let wheel = world.add(Body::dynamic(MassProperties::from_diagonal(1.0, Vec3::ONE).unwrap())).unwrap();
    let hinge = Hinge::between(wheel, world.ground()).axis(Vec3::Z).speed_limit(SpeedLimit::new(-3.0, 1.0));
    let hinge = world.add(hinge).unwrap();
    let push = |world: &mut World, torque: f64| {
        for _ in 0..200 {
            world.apply_torque(wheel, torque * Vec3::Z).unwrap();
            world.step(0.01).unwrap();
        }
        world.joint(hinge).unwrap().rate().unwrap()
    };
    assert!((push(&mut world, 5.0) - 1.0).abs() < 1e-12);
    assert!((push(&mut world, -5.0) + 3.0).abs() < 1e-12);
    world.set_speed_limit(hinge, SpeedLimit::new(f64::NEG_INFINITY, 2.0)).unwrap();
    assert!((push(&mut world, 5.0) - 2.0).abs() < 1e-12);
    assert!(push(&mut world, -5.0) < -5.0);
    assert_eq!(world.joint(hinge).unwrap().speed_limits().count(), 1);
    let refused = world.set_speed_limit(hinge, SpeedLimit::new(0.5, 2.0)).unwrap_err().to_string();
    assert!(refused.contains("lowest rate"), "{refused}");
    let snapshot = world.state().clone();
    push(&mut world, 1.0);
    world.restore(&snapshot).unwrap();
    assert!(world.joint(hinge).unwrap().rate().unwrap() < -5.0);
}

#[test]
fn a_body_falls_and_turns_no_faster_than_it_can() {
    let mut world = World::new();
    let stone = world.add(Body::particle(2.0).top_speed(4.0, f64::INFINITY)).unwrap();
    let top = MassProperties::from_diagonal(1.0, Vec3::new(1.0, 2.0, 1.0)).unwrap();
    let top = world.add(Body::dynamic(top).gravity_scale(0.0).top_speed(f64::INFINITY, 3.0)).unwrap();
    let mut last = 0.0;
    for _ in 0..200 {
        world.apply_torque(top, 5.0 * Vec3::Y).unwrap();
        let l = world.step(0.01).unwrap().ledger;
        assert!(l.imbalance.abs() < 1e-9 && l.damping <= 1e-12, "{l:?}");
        last = l.damping;
    }
    assert!((world.body(stone).unwrap().velocity() + 4.0 * Vec3::Y).length() < 1e-12);
    assert!((world.body(top).unwrap().angular_velocity() - 3.0 * Vec3::Y).length() < 1e-9);
    assert!((last + 0.01 * (2.0 * G * 4.0 + 5.0 * 3.0)).abs() < 1e-9, "{last}");
    world.set_top_speed(stone, 1.0, f64::INFINITY).unwrap();
    world.step(0.01).unwrap();
    assert!((world.body(stone).unwrap().velocity() + Vec3::Y).length() < 1e-12);
    let refused = world.set_top_speed(stone, 0.0, f64::INFINITY).unwrap_err().to_string();
    assert!(refused.contains("top speed"), "{refused}");
    assert!(Body::particle(1.0).top_speed(1.0, 1.0).add_to(&mut world).is_err());
}

/// A stone on a rope that whirls: its direction turns in every step.
#[test]
fn a_whirling_body_keeps_its_top_speed_to_the_second_order_of_its_turn() {
    let mut world = World::new();
    let stone = Body::particle(1.0)
        .at(Vec3::X)
        .gravity_scale(0.0)
        .moving(10.0 * Vec3::Y, Vec3::ZERO)
        .top_speed(5.0, f64::INFINITY);
    let stone = world.add(stone).unwrap();
    world.add(Rope::between(stone, world.ground())).unwrap();
    for _ in 0..300 {
        world.step(0.01).unwrap();
        let turn: f64 = 5.0 * 0.01;
        let v = world.body(stone).unwrap().velocity().length();
        assert!(v <= 5.0 / turn.cos() + 1e-9 && v > 4.9, "{v}");
    }
}

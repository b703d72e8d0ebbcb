//! Colliders that are switched, reshaped, moved and removed while the world runs, and what is told of it.

use crate::common::touch::*;
use taut::{
    Body, BodyId, Collider, ColliderId, Error, Event, MassProperties, Material, Pose, Quat, Shape, Vec3, World,
    queries::QueryFilter,
};

fn run(w: &mut World, steps: usize) -> Vec<Event> {
    (0..steps).flat_map(|_| w.step(STEP).unwrap().events).collect()
}

fn height(w: &World, b: BodyId) -> f64 {
    w.body(b).unwrap().position().y
}

/// A box on a slab on a fixed body, touching.
fn resting() -> (World, ColliderId, BodyId, ColliderId) {
    let mut w = World::new();
    let table = w.add(Body::fixed().at(Vec3::Y * -0.5)).unwrap();
    let slab = w.add(Collider::new(Shape::cuboid(Vec3::new(5.0, 0.5, 5.0))).named("slab").on(table)).unwrap();
    let (b, c) = solid(&mut w, cube(0.1), Material::default(), Pose::at(Vec3::Y * 0.1));
    (w, slab, b, c)
}

fn ended(events: &[Event]) -> Vec<(ColliderId, ColliderId)> {
    let of = |e: &Event| match e {
        Event::ContactEnded { colliders } => Some(*colliders),
        _ => None,
    };
    events.iter().filter_map(of).collect()
}

fn began(events: &[Event]) -> usize {
    events.iter().filter(|e| matches!(e, Event::ContactBegan { .. })).count()
}

#[test]
fn a_collider_that_is_off_meets_nothing_is_not_seen_and_keeps_what_it_is() {
    let (mut w, slab, b, c) = resting();
    w.set_material(slab, Material::new(0.3, 0.2)).unwrap();
    assert_eq!(began(&run(&mut w, 5)), 1);
    w.set_collider_enabled(slab, false).unwrap();
    let all = QueryFilter { sensors: true, ..QueryFilter::default() };
    assert!(w.cast_ray(Vec3::new(2.0, 1.0, 0.0), -Vec3::Y, 10.0, &all).unwrap().is_none());
    assert!(w.overlaps(&cube(0.1), Pose::at(Vec3::new(2.0, 0.0, 0.0)), &all).unwrap().is_empty());
    assert!(w.closest_point(Vec3::new(4.0, 0.5, 0.0), 1.0, &all).unwrap().is_none());
    assert!(w.cast_shape(&cube(0.1), Pose::at(Vec3::new(2.0, 1.0, 0.0)), Vec3::Y * -5.0, &all).unwrap().is_none());
    assert!(w.predict_contacts(STEP).unwrap().is_empty());
    // Its contact ends in the next step, once, and the box falls freely.
    let start = height(&w, b);
    assert_eq!(ended(&run(&mut w, 1)), [(slab, c)]);
    assert!(ended(&run(&mut w, 29)).is_empty() && w.contacts().count() == 0);
    let fallen = 0.5 * G * 0.25;
    assert!((start - height(&w, b) - fallen).abs() < 0.05 * fallen, "{}", start - height(&w, b));
    let view = w.collider(slab).unwrap();
    assert!(!view.enabled && view.material == Material::new(0.3, 0.2) && view.name == "slab");
    // Another box finds it there again.
    let (other, _) = solid(&mut w, cube(0.1), Material::default(), Pose::at(Vec3::new(2.0, 0.1, 0.0)));
    w.set_collider_enabled(slab, true).unwrap();
    run(&mut w, 60);
    assert!((height(&w, other) - 0.1).abs() < 1e-3 && w.collider(slab).unwrap().enabled);
}

#[test]
fn what_sleeps_on_a_collider_wakes_when_it_is_switched_off_and_what_is_beside_sleeps_on() {
    let (mut w, slab, b, c) = resting();
    let far = w.add(Body::fixed().at(Vec3::new(30.0, -0.5, 0.0))).unwrap();
    w.add(Collider::new(cube(0.5)).on(far)).unwrap();
    let beside = put(&mut w, cube(0.1), Material::default(), Vec3::new(30.0, 0.1, 0.0));
    run(&mut w, 60);
    assert!(w.is_asleep(b).unwrap() && w.is_asleep(beside).unwrap());
    w.set_collider_enabled(slab, true).unwrap();
    assert!(w.is_asleep(b).unwrap(), "nothing has changed");
    w.set_collider_enabled(slab, false).unwrap();
    assert!(!w.is_asleep(b).unwrap() && w.is_asleep(beside).unwrap());
    assert_eq!(ended(&run(&mut w, 1)), [(slab, c)]);
    run(&mut w, 20);
    assert!(height(&w, b) < 0.0 && w.is_asleep(beside).unwrap());
}

#[test]
fn a_collider_that_is_switched_on_in_front_of_a_sleeper_pushes_it() {
    let (mut w, _, b, _) = resting();
    let ground = w.ground();
    let wedge = Collider::new(cube(0.1)).at(Vec3::new(0.19, 0.1, 0.0)).friction(0.0).disabled();
    let wedge = w.add(wedge.on(ground)).unwrap();
    run(&mut w, 60);
    assert!(w.is_asleep(b).unwrap() && w.body(b).unwrap().position().x.abs() < 1e-6);
    w.set_collider_enabled(wedge, true).unwrap();
    run(&mut w, 60);
    let x = w.body(b).unwrap().position().x;
    assert!((x + 0.01).abs() < 1e-3, "{x}");
}

#[test]
fn a_restored_sleeper_does_not_hang_on_a_collider_that_is_off() {
    let (mut w, slab, b, _) = resting();
    run(&mut w, 60);
    let asleep = w.state().clone();
    w.set_collider_enabled(slab, false).unwrap();
    w.restore(&asleep).unwrap();
    run(&mut w, 20);
    assert!(height(&w, b) < 0.0);
    // With the slab on again the snapshot is what it was.
    w.set_collider_enabled(slab, true).unwrap();
    w.restore(&asleep).unwrap();
    assert!(w.is_asleep(b).unwrap() && *w.state() == asleep);
}

#[test]
fn contacts_of_a_removed_collider_end_in_the_next_step_once() {
    let (mut w, slab, b, c) = resting();
    run(&mut w, 5);
    let energy = w.energy().unwrap();
    w.remove(slab).unwrap();
    assert_eq!(w.contacts().count(), 0);
    assert!((w.energy().unwrap().total() - energy.total()).abs() < 1e-12);
    assert_eq!(ended(&run(&mut w, 1)), [(slab, c)]);
    assert!(ended(&run(&mut w, 5)).is_empty() && height(&w, b) < 0.1);
    // The same with the body, and for what sleeps.
    let (mut w, slab, b, c) = resting();
    let above = solid(&mut w, cube(0.1), Material::default(), Pose::at(Vec3::Y * 0.3));
    run(&mut w, 60);
    assert!(w.is_asleep(above.0).unwrap());
    w.remove(b).unwrap();
    assert_eq!(ended(&run(&mut w, 1)), [(slab, c), (c, above.1)]);
    assert_eq!(ended(&run(&mut w, 60)), []);
    assert!((height(&w, above.0) - 0.1).abs() < 1e-3);
}

#[test]
fn a_snapshot_between_removal_and_step_tells_the_end_again() {
    let (mut w, slab, _, c) = resting();
    run(&mut w, 5);
    w.remove(slab).unwrap();
    let bytes = w.state().to_bytes();
    let first = run(&mut w, 3);
    let hash = w.state().hash();
    w.restore(&taut::State::from_bytes(&bytes).unwrap()).unwrap();
    assert_eq!(run(&mut w, 3), first);
    assert!(ended(&first) == [(slab, c)] && w.state().hash() == hash);
}

#[test]
fn what_a_sensor_saw_is_told_as_gone_when_either_is_switched_off() {
    for switch_sensor in [true, false] {
        let (mut w, _, _, c) = resting();
        let ground = w.ground();
        let eye = w.add(Collider::new(cube(0.05)).at(Vec3::Y * 0.1).sensing().on(ground)).unwrap();
        let seen = run(&mut w, 60);
        assert!(seen.contains(&Event::SensorBegan { colliders: (c, eye) }) && w.sleeping() == 1);
        w.set_collider_enabled(if switch_sensor { eye } else { c }, false).unwrap();
        let events = run(&mut w, 1);
        assert!(events.contains(&Event::SensorEnded { colliders: (c, eye) }), "{events:?}");
        w.set_collider_enabled(if switch_sensor { eye } else { c }, true).unwrap();
        let events = run(&mut w, 1);
        assert!(events.contains(&Event::SensorBegan { colliders: (c, eye) }), "{events:?}");
    }
}

/// A tilted compound, for something that is not a ball.
fn hammer() -> Shape {
    let parts = vec![(Pose::IDENTITY, cube(0.1)), (Pose::at(Vec3::X * 0.2), Shape::capsule(0.15, 0.05))];
    Shape::Compound { parts }
}

#[test]
fn a_changed_collider_is_the_one_it_was_changed_to() {
    let pose = Pose { pos: Vec3::new(0.02, 0.01, 0.0), rot: Quat::from_rotation_z(0.3) };
    let mass = MassProperties::cuboid(1000.0, Vec3::splat(0.1)).unwrap();
    let build = |c: Collider| {
        let mut w = World::new();
        plane(&mut w, Vec3::Y, Material::default());
        let b = w.add(Body::dynamic(mass).at(Vec3::Y * 0.6)).unwrap();
        let c = w.add(c.on(b)).unwrap();
        (w, c)
    };
    let wanted = Collider::new(hammer()).at(pose.pos).rotated(pose.rot);
    let (mut plain, _) = build(wanted.clone());
    let (mut shaped, c) = build(Collider::new(Shape::ball(0.4)).at(pose.pos).rotated(pose.rot));
    // Boxes are there already, of the other shape.
    shaped.cast_ray(Vec3::Y * 5.0, -Vec3::Y, 10.0, &QueryFilter::default()).unwrap();
    shaped.set_shape(c, hammer()).unwrap();
    let (mut moved, c) = build(Collider::new(hammer()).at(Vec3::X * 3.0));
    moved.predict_contacts(STEP).unwrap();
    moved.set_collider_pose(c, pose).unwrap();
    let (mut switched, c) = build(wanted.clone().disabled());
    switched.set_collider_enabled(c, true).unwrap();
    let (mut sensing, c) = build(wanted.sensing());
    sensing.set_sensor(c, false).unwrap();
    for k in 0..90 {
        plain.step(STEP).unwrap();
        for (name, w) in
            [("shape", &mut shaped), ("pose", &mut moved), ("switch", &mut switched), ("sensor", &mut sensing)]
        {
            w.step(STEP).unwrap();
            assert_eq!(w.state().hash(), plain.state().hash(), "{name} in step {k}");
        }
    }
}

#[test]
fn shapes_and_poses_change_in_mid_run_and_all_queries_see_it() {
    let (mut w, slab, b, c) = resting();
    run(&mut w, 60);
    assert!(w.is_asleep(b).unwrap());
    // Grown by half: it is lifted out of the slab and rests higher.
    w.set_shape(c, cube(0.15)).unwrap();
    assert!(!w.is_asleep(b).unwrap());
    let down = |w: &World, x: f64| w.cast_ray(Vec3::new(x, 5.0, 0.0), -Vec3::Y, 10.0, &QueryFilter::default()).unwrap();
    assert!((down(&w, 0.14).unwrap().point.y - 0.25).abs() < 1e-3);
    run(&mut w, 120);
    assert!((height(&w, b) - 0.15).abs() < 2e-3, "{}", height(&w, b));
    // The slab sinks by half a metre, and becomes a half space.
    w.set_collider_pose(slab, Pose::at(Vec3::Y * -0.5)).unwrap();
    assert!((down(&w, 2.0).unwrap().point.y + 0.5).abs() < 1e-12);
    assert_eq!(ended(&run(&mut w, 1)), [(slab, c)]);
    run(&mut w, 60);
    assert!((height(&w, b) + 0.35).abs() < 2e-3, "{}", height(&w, b));
    w.set_shape(slab, Shape::HalfSpace { normal: Vec3::Y }).unwrap();
    assert!((down(&w, 100.0).unwrap().point.y + 1.0).abs() < 1e-12);
    run(&mut w, 90);
    assert!((height(&w, b) + 0.85).abs() < 2e-3, "{}", height(&w, b));
    w.set_collider_pose(slab, Pose::at(Vec3::Y * -1.0)).unwrap();
    run(&mut w, 90);
    assert!((height(&w, b) + 1.35).abs() < 2e-3, "{}", height(&w, b));
    // A slab again, two centimetres higher than the half space was.
    w.set_shape(slab, Shape::cuboid(Vec3::new(5.0, 0.02, 5.0))).unwrap();
    assert!(down(&w, 100.0).is_none());
    run(&mut w, 60);
    assert!((height(&w, b) + 1.33).abs() < 2e-3, "{}", height(&w, b));
}

#[test]
fn a_slab_that_becomes_a_sensor_lets_through_and_tells_who_comes() {
    let (mut w, slab, b, c) = resting();
    run(&mut w, 60);
    w.set_sensor(slab, true).unwrap();
    assert!(w.collider(slab).unwrap().sensor && !w.is_asleep(b).unwrap());
    let events = run(&mut w, 20);
    assert_eq!(ended(&events), [(slab, c)]);
    assert!(events.contains(&Event::SensorBegan { colliders: (slab, c) }));
    assert!(height(&w, b) < 0.0);
    w.set_sensor(slab, false).unwrap();
    let events = run(&mut w, 1);
    assert!(events.contains(&Event::SensorEnded { colliders: (slab, c) }) && began(&events) == 1, "{events:?}");
}

#[test]
fn the_ball_of_a_particle_changes_its_radius() {
    let mut w = World::new();
    plane(&mut w, Vec3::Y, Material::default());
    let grain = w.add(Body::particle(1.0).at(Vec3::Y * 0.5)).unwrap();
    let c = w.add(Collider::new(Shape::ball(0.1)).on(grain)).unwrap();
    run(&mut w, 90);
    assert!((height(&w, grain) - 0.1).abs() < 1e-3);
    w.set_shape(c, Shape::ball(0.05)).unwrap();
    run(&mut w, 60);
    assert!((height(&w, grain) - 0.05).abs() < 1e-3, "{}", height(&w, grain));
    assert!(w.set_shape(c, cube(0.1)).is_err());
    assert!(w.set_collider_pose(c, Pose::at(Vec3::X)).is_err());
}

#[test]
fn changes_refuse_what_adding_refuses_and_leave_all_as_it_was() {
    let (mut w, slab, b, c) = resting();
    run(&mut w, 60);
    let before = w.state().clone();
    let flat = || Shape::Mesh { vertices: vec![Vec3::ZERO, Vec3::X, Vec3::Z], triangles: vec![[0, 2, 1]] };
    let refused = |r: taut::Result<()>, words: &[&str]| {
        let text = r.unwrap_err().to_string();
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
    };
    refused(w.set_shape(c, flat()), &["mesh on body", "convex"]);
    refused(w.set_shape(c, Shape::HalfSpace { normal: Vec3::Y }), &["half space", "fixed or kinematic"]);
    refused(w.set_shape(c, Shape::ball(-1.0)), &["-1"]);
    refused(w.set_shape(slab, Shape::ball(f64::NAN)), &["NaN"]);
    refused(w.set_collider_pose(c, Pose::at(Vec3::new(0.0, f64::INFINITY, 0.0))), &["collider position", "inf"]);
    refused(w.set_collider_pose(c, Pose { pos: Vec3::ZERO, rot: Quat::from_array([0.0; 4]) }), &["expected"]);
    w.set_shape(slab, flat()).unwrap();
    refused(w.set_sensor(slab, true), &["sensor", "inside"]);
    w.set_shape(slab, Shape::cuboid(Vec3::new(5.0, 0.5, 5.0))).unwrap();
    w.restore(&before).unwrap();
    let view = w.collider(c).unwrap();
    assert!(matches!(view.shape, Shape::Cuboid { .. }) && view.local == Pose::IDENTITY && !view.sensor);
    assert!(w.is_asleep(b).unwrap());
    // Handles of what is gone, and of another world.
    let other = World::new();
    let mut foreign = other.clone();
    w.remove(c).unwrap();
    for w in [&mut w, &mut foreign] {
        let gone = |r: taut::Result<()>| assert!(matches!(r, Err(Error::Handle { what: "collider", .. })), "{r:?}");
        gone(w.set_collider_enabled(c, false));
        gone(w.set_shape(c, cube(0.1)));
        gone(w.set_collider_pose(c, Pose::IDENTITY));
        gone(w.set_sensor(c, true));
        gone(w.set_collider_user_data(c, 1));
    }
}

#[test]
fn a_collider_carries_a_number_of_the_users_own() {
    let mut w = World::new();
    let ground = w.ground();
    let c = w.add(Collider::new(cube(0.1)).user_data(7).on(ground)).unwrap();
    let d = w.add(Collider::new(cube(0.1)).disabled().on(ground)).unwrap();
    assert_eq!((w.collider(c).unwrap().user_data, w.collider(d).unwrap().user_data), (7, 0));
    assert_eq!((w.collider(c).unwrap().enabled, w.collider(d).unwrap().enabled), (true, false));
    w.set_collider_user_data(c, u64::MAX).unwrap();
    assert_eq!(w.collider(c).unwrap().user_data, u64::MAX);
    // It is no part of what a snapshot fits.
    let mut other = World::new();
    let ground = other.ground();
    other.add(Collider::new(cube(0.1)).user_data(8).on(ground)).unwrap();
    let unlike = other.clone();
    other.add(Collider::new(cube(0.1)).disabled().on(ground)).unwrap();
    other.restore(w.state()).unwrap();
    let mut unlike = unlike;
    unlike.add(Collider::new(cube(0.1)).on(ground)).unwrap();
    assert!(unlike.restore(w.state()).is_err(), "one is off, the other on");
}

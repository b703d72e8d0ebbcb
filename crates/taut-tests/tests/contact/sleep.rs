//! Sleep and waking, events, sensors, and structure that changes while bodies touch.

use crate::common::touch::*;
use taut::{
    Body, BodyId, Collider, ColliderId, Command, Event, Hinge, Material, Motor, Options, Pose, Quat, Shape, Strength,
    Vec3, Weld, World, shapes::Groups,
};

fn run(w: &mut World, steps: usize) {
    for _ in 0..steps {
        w.step(STEP).unwrap();
    }
}

/// Boxes on each other on the ground, until they sleep.
fn asleep(count: usize) -> (World, Vec<BodyId>, ColliderId) {
    let mut w = World::new();
    let ground = plane(&mut w, Vec3::Y, Material::default());
    let bodies: Vec<BodyId> =
        (0..count).map(|k| put(&mut w, cube(0.1), Material::default(), Vec3::Y * (0.1 + 0.2 * k as f64))).collect();
    run(&mut w, 60);
    assert_eq!(w.sleeping(), count);
    (w, bodies, ground)
}

fn height(w: &World, b: BodyId) -> f64 {
    w[b].pos.y
}

#[test]
fn a_stack_falls_asleep_and_its_energy_is_booked() {
    let mut w = World::new();
    plane(&mut w, Vec3::Y, Material::default());
    let b = put(&mut w, cube(0.1), Material::default(), Vec3::Y * 0.3);
    let mut last = w.energy().unwrap().total();
    for _ in 0..120 {
        let report = w.step(STEP).unwrap();
        let now = report.energy.total();
        assert!((report.ledger.change - (now - last)).abs() < 1e-9, "{:?} {}", report.ledger, now - last);
        assert!(report.ledger.imbalance.abs() < 1e-9, "{:?}", report.ledger);
        last = now;
    }
    assert!(w.is_asleep(b).unwrap());
    assert_eq!(w[b].vel, Vec3::ZERO);
    assert!((w.energy().unwrap().total() - last).abs() < 1e-9);
    assert!((last - 8.0 * G * 0.1).abs() < 1e-3, "{last}");
}

#[test]
fn what_moves_without_contact_or_swings_slowly_does_not_sleep() {
    let mut w = crate::common::world(crate::common::weightless());
    plane(&mut w, Vec3::Y, Material::default());
    let drifts = put(&mut w, cube(0.1), Material::default(), Vec3::Y * 5.0);
    w.set_velocity(drifts, Vec3::X * 1e-5, Vec3::ZERO).unwrap();
    run(&mut w, 120);
    assert!(!w.is_asleep(drifts).unwrap());
    // A belt slower than a crawl still carries; one at a walk keeps its box awake.
    let mut w = World::new();
    plane(&mut w, Vec3::Y, Material::default().moving(Vec3::X * 0.05));
    let rides = put(&mut w, cube(0.1), Material::default(), Vec3::Y * 0.1);
    run(&mut w, 120);
    assert!(!w.is_asleep(rides).unwrap());
}

#[test]
fn sleep_can_be_switched_off() {
    let (mut w, bodies, _) = asleep(2);
    w.set_options(Options { sleep: false, ..Options::default() }).unwrap();
    assert_eq!(w.sleeping(), 0);
    run(&mut w, 120);
    assert!(bodies.iter().all(|&b| !w.is_asleep(b).unwrap()));
}

#[test]
fn a_hit_wakes_the_whole_stack_and_nothing_else() {
    let (mut w, bodies, _) = asleep(3);
    let other = put(&mut w, cube(0.1), Material::default(), Vec3::new(3.0, 0.1, 0.0));
    run(&mut w, 60);
    assert_eq!(w.sleeping(), 4);
    let ball = put(&mut w, Shape::ball(0.05), Material::default(), Vec3::new(-1.0, 0.5, 0.0));
    w.set_velocity(ball, Vec3::new(6.0, 0.5, 0.0), Vec3::ZERO).unwrap();
    let mut woken = false;
    for _ in 0..30 {
        w.step(STEP).unwrap();
        woken |= bodies.iter().all(|&b| !w.is_asleep(b).unwrap());
        assert!(w.is_asleep(other).unwrap());
    }
    assert!(woken);
    // The blow has reached the stack with its momentum.
    assert!(w[bodies[2]].pos.x > 1e-3);
}

#[test]
fn a_blow_on_a_sleeper_keeps_the_momentum() {
    let mut w = World::new();
    plane(&mut w, Vec3::Y, Material::new(0.0, 0.0));
    let target = put(&mut w, cube(0.1), Material::new(0.0, 0.0), Vec3::Y * 0.1);
    run(&mut w, 60);
    assert!(w.is_asleep(target).unwrap());
    let slider = put(&mut w, cube(0.1), Material::new(0.0, 0.0), Vec3::new(-1.0, 0.1, 0.0));
    w.set_velocity(slider, Vec3::X * 2.0, Vec3::ZERO).unwrap();
    run(&mut w, 60);
    let sum = w[target].vel.x + w[slider].vel.x;
    assert!((sum - 2.0).abs() < 1e-9, "{sum}");
}

#[test]
fn the_rest_falls_when_its_support_is_removed() {
    let (mut w, bodies, _) = asleep(3);
    w.remove(bodies[0]).unwrap();
    run(&mut w, 90);
    assert!((height(&w, bodies[1]) - 0.1).abs() < 1e-4, "{}", height(&w, bodies[1]));
    assert!((height(&w, bodies[2]) - 0.3).abs() < 1e-4);
    assert_eq!(w.sleeping(), 2);
}

#[test]
fn all_fall_when_the_ground_goes() {
    for way in 0..4 {
        let (mut w, bodies, ground) = asleep(2);
        match way {
            0 => w.remove(ground).unwrap(),
            1 => w.set_groups(ground, Groups { member: 0, with: 0 }).unwrap(),
            2 => bodies.iter().for_each(|&b| w.set_collision(w.ground(), b, false).unwrap()),
            _ => w.set_pose(w.ground(), Pose { pos: Vec3::Y * -5.0, rot: Quat::IDENTITY }).unwrap(),
        }
        run(&mut w, 30);
        for &b in &bodies {
            assert!(height(&w, b) < -0.8, "{way}: {}", height(&w, b));
        }
    }
}

#[test]
fn ground_put_into_sleepers_wakes_them() {
    for way in 0..3 {
        let (mut w, bodies, ground) = asleep(1);
        let wall = w.add(Body::fixed().at(Vec3::new(way as f64 * 3.0, 0.1, 0.0))).unwrap();
        let side = w.add(Collider::new(cube(0.1)).at(Vec3::X * 0.15).on(wall)).unwrap();
        match way {
            0 => {}
            1 => w.set_pose(wall, Pose { pos: Vec3::Y * 0.1, rot: Quat::IDENTITY }).unwrap(),
            _ => {
                w.set_groups(side, Groups { member: 0, with: 0 }).unwrap();
                w.set_pose(wall, Pose { pos: Vec3::Y * 0.1, rot: Quat::IDENTITY }).unwrap();
                run(&mut w, 5);
                assert!(w.is_asleep(bodies[0]).unwrap());
                w.set_groups(side, Groups::ALL).unwrap();
            }
        }
        run(&mut w, 60);
        let x = w[bodies[0]].pos.x;
        assert!(x < -0.04, "{way}: {x}");
        assert!(w.collider(ground).is_ok());
    }
}

#[test]
fn less_friction_wakes_and_slides() {
    let mut w = World::new();
    let rot = Quat::from_rotation_z(-0.3);
    let ground = plane(&mut w, rot * Vec3::Y, Material::new(0.6, 0.0));
    let (b, own) = solid(&mut w, cube(0.1), Material::new(0.6, 0.0), Pose { pos: rot * Vec3::Y * 0.1, rot });
    run(&mut w, 60);
    assert!(w.is_asleep(b).unwrap());
    w.set_material(ground, Material::new(0.05, 0.0)).unwrap();
    assert!(!w.is_asleep(b).unwrap());
    w.set_material(own, Material::new(0.05, 0.0)).unwrap();
    run(&mut w, 30);
    assert!(w[b].pos.x > 0.1);
}

#[test]
fn a_pair_material_wakes_and_counts() {
    let mut w = World::new();
    let rot = Quat::from_rotation_z(-0.3);
    let ground = plane(&mut w, rot * Vec3::Y, Material::new(0.6, 0.0));
    let (b, own) = solid(&mut w, cube(0.1), Material::new(0.6, 0.0), Pose { pos: rot * Vec3::Y * 0.1, rot });
    run(&mut w, 60);
    w.set_pair_material(own, ground, Material::new(0.0, 0.0)).unwrap();
    run(&mut w, 30);
    assert!(w[b].pos.x > 0.1);
}

#[test]
fn other_gravity_wakes() {
    let (mut w, bodies, _) = asleep(2);
    w.set_options(Options { gravity: Vec3::new(9.0, -2.0, 0.0), ..Options::default() }).unwrap();
    run(&mut w, 10);
    assert!(w.sleeping() == 0 && w[bodies[1]].pos.x > 0.01);
}

#[test]
fn forces_velocities_poses_and_mouse_springs_wake() {
    let lift = |act: &dyn Fn(&mut World, BodyId)| {
        let (mut w, bodies, _) = asleep(2);
        act(&mut w, bodies[1]);
        assert_eq!(w.sleeping(), 0);
        w.step(STEP).unwrap();
    };
    lift(&|w, b| w.apply_force(b, Vec3::Y * 1.0, Vec3::ZERO).unwrap());
    lift(&|w, b| w.apply_torque(b, Vec3::Y * 1.0).unwrap());
    lift(&|w, b| w.set_velocity(b, Vec3::X, Vec3::ZERO).unwrap());
    lift(&|w, b| w.set_pose(b, Pose { pos: Vec3::Y * 2.0, rot: Quat::IDENTITY }).unwrap());
    lift(&|w, b| w.wake(b).unwrap());
    lift(&|w, _| w.wake_all());
    lift(&|w, b| {
        w.add(taut::Force::Point { body: b, point: Vec3::ZERO, force: Vec3::Y }).unwrap();
    });
}

#[test]
fn a_motor_of_a_sleeping_arm_wakes_it() {
    let mut w = World::new();
    plane(&mut w, Vec3::Y, Material::default());
    let arm = put(&mut w, Shape::cuboid(Vec3::new(0.5, 0.05, 0.05)), Material::default(), Vec3::new(0.5, 0.05, 0.0));
    let hinge = Hinge::between(arm, w.ground()).at(Vec3::new(0.0, 0.05, 0.0)).axis(Vec3::Z);
    let joint = w.add(hinge.motor(Motor::servo(1e4, 1e2).limited(500.0).target(0.0))).unwrap();
    w.set_collision(arm, w.ground(), true).unwrap();
    run(&mut w, 120);
    assert!(w.is_asleep(arm).unwrap());
    w.set_motor(joint, Command::target(0.8)).unwrap();
    run(&mut w, 90);
    let tip = w.pose(arm).unwrap().to_world(Vec3::X * 0.5);
    assert!((tip.y.atan2(tip.x) - 0.8).abs() < 0.1, "{tip}");
}

#[test]
fn a_kinematic_body_wakes_what_it_comes_to_and_what_it_leaves() {
    let mut w = World::new();
    plane(&mut w, Vec3::Y, Material::default());
    let pusher = Body::kinematic().at(Vec3::new(-1.0, 0.1, 0.0)).collider(Collider::new(cube(0.1)));
    let pusher = w.add(pusher).unwrap();
    let floor = put(&mut w, cube(0.1), Material::default(), Vec3::new(0.0, 0.1, 0.0));
    let rider = put(&mut w, cube(0.1), Material::default(), Vec3::new(-1.0, 0.3, 0.0));
    run(&mut w, 60);
    assert_eq!(w.sleeping(), 2);
    w.set_velocity(pusher, Vec3::X * 0.5, Vec3::ZERO).unwrap();
    assert!(!w.is_asleep(rider).unwrap() && w.is_asleep(floor).unwrap());
    run(&mut w, 120);
    assert!(!w.is_asleep(floor).unwrap());
    assert!((w[floor].pos.x - 0.2).abs() < 0.02, "{}", w[floor].pos);
    // Targets move it as well.
    w.set_velocity(pusher, Vec3::ZERO, Vec3::ZERO).unwrap();
    run(&mut w, 90);
    assert_eq!(w.sleeping(), 2);
    for k in 0..30 {
        let at = w[pusher].pos + Vec3::Y * -0.005;
        w.set_target(pusher, Pose { pos: at, rot: Quat::IDENTITY }).unwrap();
        w.step(STEP).unwrap();
        // It falls freely until it has caught up with the one that began at full speed.
        assert!((height(&w, rider) - height(&w, pusher) - 0.2).abs() < if k < 5 { 6e-3 } else { 1e-5 }, "{k}");
    }
}

#[test]
fn a_snapshot_of_sleepers_repeats_bit_for_bit() {
    let (mut w, bodies, _) = asleep(3);
    let ball = put(&mut w, Shape::ball(0.05), Material::default(), Vec3::new(0.0, 1.5, 0.0));
    let mut snapshots = Vec::new();
    let mut hashes = Vec::new();
    for k in 0..200 {
        if k % 10 == 0 {
            snapshots.push((k, w.state().clone()));
        }
        w.step(STEP).unwrap();
        hashes.push(w.state().hash());
    }
    for (k, s) in &snapshots {
        w.restore(s).unwrap();
        for (q, &hash) in hashes.iter().enumerate().skip(*k).take(60) {
            w.step(STEP).unwrap();
            assert_eq!(w.state().hash(), hash, "from {k}, step {q}");
        }
    }
    assert!(w.is_asleep(ball).is_ok() && w.is_asleep(bodies[0]).is_ok());
}

#[test]
fn contacts_of_sleepers_can_be_seen() {
    let (w, bodies, _) = asleep(2);
    let push: Vec3 = push_on(&w, bodies[0]);
    assert!((push.y - 8.0 * G).abs() < 1e-5, "{push}");
}

#[test]
fn contacts_begin_and_end_once_with_the_impulse_of_the_blow() {
    let mut w = World::new();
    let ground = plane(&mut w, Vec3::Y, Material::new(0.5, 0.8));
    let (b, own) =
        solid(&mut w, Shape::ball(0.1), Material::new(0.5, 0.8), Pose { pos: Vec3::Y * 0.6, rot: Quat::IDENTITY });
    let (mut begun, mut ended) = (0, 0);
    for _ in 0..600 {
        let (before, mass) = (w[b], w.body(b).unwrap().mass());
        let events = w.step(STEP).unwrap().events;
        assert!(events.len() <= 1, "{events:?}");
        for e in events {
            match e {
                Event::ContactBegan { colliders, impulse } => {
                    assert_eq!(colliders, (ground, own));
                    begun += 1;
                    assert_eq!(begun, ended + 1);
                    // On the ground, so down: what stops the ball at the surface in this step.
                    let gap = (before.pos.y - 0.1).max(0.0);
                    let wanted = mass * (-before.vel.y + G * STEP - gap / STEP);
                    assert!((impulse.y + wanted).abs() < 1e-6 * wanted.max(1.0), "{impulse} {wanted}");
                }
                Event::ContactEnded { colliders } => {
                    assert_eq!(colliders, (ground, own));
                    ended += 1;
                    assert_eq!(begun, ended);
                }
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(begun > 4 && begun == ended + 1, "{begun} {ended}");
    assert!(w.is_asleep(b).unwrap());
    // Waking is no new contact.
    w.wake(b).unwrap();
    assert_eq!(w.step(STEP).unwrap().events, []);
    w.set_pose(b, Pose { pos: Vec3::Y * 3.0, rot: Quat::IDENTITY }).unwrap();
    assert_eq!(w.step(STEP).unwrap().events, [Event::ContactEnded { colliders: (ground, own) }]);
}

#[test]
fn the_impulse_of_a_first_step_is_that_of_its_half_kick() {
    let mut w = World::new();
    plane(&mut w, Vec3::Y, Material::default());
    put(&mut w, cube(0.1), Material::default(), Vec3::Y * 0.1);
    let events = w.step(STEP).unwrap().events;
    let [Event::ContactBegan { impulse, .. }] = events[..] else { panic!("{events:?}") };
    assert!((impulse.y + 8.0 * G * STEP / 2.0).abs() < 1e-7, "{impulse}");
}

#[test]
fn sensors_tell_who_comes_and_goes_and_keep_sleepers() {
    let mut w = World::new();
    plane(&mut w, Vec3::Y, Material::default());
    let gate = Collider::new(Shape::cuboid(Vec3::new(0.5, 1.0, 0.5))).at(Vec3::Y * 0.5).sensing();
    let gate = w.add(gate.on(w.ground())).unwrap();
    let (b, own) = solid(&mut w, cube(0.1), Material::default(), Pose { pos: Vec3::Y * 3.0, rot: Quat::IDENTITY });
    let mut seen = Vec::new();
    for _ in 0..240 {
        let events = w.step(STEP).unwrap().events;
        seen.extend(events.into_iter().filter(|e| matches!(e, Event::SensorBegan { .. } | Event::SensorEnded { .. })));
    }
    assert!(w.is_asleep(b).unwrap());
    assert_eq!(seen, [Event::SensorBegan { colliders: (gate, own) }]);
    w.set_velocity(b, Vec3::new(6.0, 2.0, 0.0), Vec3::ZERO).unwrap();
    for _ in 0..60 {
        let events = w.step(STEP).unwrap().events;
        seen.extend(events.into_iter().filter(|e| matches!(e, Event::SensorBegan { .. } | Event::SensorEnded { .. })));
    }
    assert_eq!(seen.len(), 2, "{seen:?}");
    assert_eq!(seen[1], Event::SensorEnded { colliders: (gate, own) });
}

#[test]
fn a_joint_that_breaks_in_contact_lets_go() {
    // A box welded to the ground above it, on which a heavy one lands.
    let mut w = World::new();
    plane(&mut w, Vec3::Y, Material::default());
    let shelf = put(&mut w, Shape::cuboid(Vec3::new(0.3, 0.05, 0.3)), Material::default(), Vec3::Y * 1.0);
    let strength = Strength::force(3.0 * w.body(shelf).unwrap().mass() * G);
    w.add(Weld::between(shelf, w.ground()).strength(strength)).unwrap();
    w.set_collision(shelf, w.ground(), true).unwrap();
    let stone = w.add(Body::solid(cube(0.2), 1000.0).unwrap().at(Vec3::Y * 1.5)).unwrap();
    let mut broken = 0;
    let mut last = w.energy().unwrap().total();
    for _ in 0..180 {
        let report = w.step(STEP).unwrap();
        broken += report.events.iter().filter(|e| matches!(e, Event::JointBroken { .. })).count();
        assert!(report.ledger.imbalance.abs() < 1e-7, "{:?}", report.ledger);
        assert!(report.energy.total() < last + 1e-3, "{} {last}", report.energy.total());
        last = report.energy.total();
    }
    assert_eq!(broken, 1);
    assert!((height(&w, shelf) - 0.05).abs() < 1e-3 && (height(&w, stone) - 0.3).abs() < 1e-3);
}

#[test]
fn bodies_that_sleep_can_be_removed_and_replaced() {
    let (mut w, bodies, _) = asleep(3);
    for &b in &bodies {
        w.remove(b).unwrap();
    }
    assert_eq!(w.sleeping(), 0);
    let b = put(&mut w, cube(0.1), Material::default(), Vec3::Y * 0.5);
    run(&mut w, 90);
    assert!(w.is_asleep(b).unwrap() && (height(&w, b) - 0.1).abs() < 1e-5);
}

#[test]
fn joining_two_sleepers_wakes_them_and_ends_their_contact() {
    let (mut w, bodies, _) = asleep(2);
    w.add(Hinge::between(bodies[0], bodies[1]).at(Vec3::Y * 0.2).axis(Vec3::Z)).unwrap();
    assert_eq!(w.sleeping(), 0);
    let events = w.step(STEP).unwrap().events;
    assert!(matches!(events[..], [Event::ContactEnded { .. }]), "{events:?}");
}

//! What the rest of a world makes of the surfaces of deformables: events, queries, sensors, hooks, sleep, snapshots, threads.

use crate::common::meshes::{bar, sheet};
use std::sync::Arc;
use taut::hooks::{ContactHooks, ContactPair};
use taut::prelude::*;
use taut::queries::QueryFilter;
use taut::soft;
use taut::{Deformable, DeformableId};

const H: f64 = 0.01;

fn floor() -> World {
    let mut world = World::new();
    world.add(Collider::new(Shape::ground()).on(world.ground())).unwrap();
    world
}

fn cube(young: f64) -> Deformable {
    let rubber = soft::Material::new(1000.0, young, 0.3).damping(0.01);
    Deformable::new(&bar(Vec3::splat(0.2), [2; 3]), &rubber).unwrap().skin(0.01)
}

fn cloth(cells: usize) -> Deformable {
    let cotton = soft::Material::new(300.0, 1e5, 0.3).thickness(1e-3).damping(0.005);
    Deformable::new(&sheet(1.0, 1.0, [cells; 2]), &cotton).unwrap().skin(0.01)
}

fn mean(world: &World, id: DeformableId) -> Vec3 {
    let soft = world.deformable(id).unwrap();
    soft.positions().sum::<Vec3>() / soft.node_count() as f64
}

/// A cube on a cube on the floor, a cloth that falls on a ball, all awake.
fn mixed(parallel: bool) -> World {
    let mut world = floor();
    world.set_options(Options { parallel, ..Options::default() }).unwrap();
    world.add(cube(1e5).at(0.02 * Vec3::Y)).unwrap();
    world.add(cube(1e5).at(Vec3::new(0.03, 0.26, 0.05))).unwrap();
    world.add(Body::solid(Shape::ball(0.1), 800.0).unwrap().at(Vec3::new(2.5, 0.1, 0.5))).unwrap();
    world.add(cloth(5).at(Vec3::new(2.0, 0.25, 0.0))).unwrap();
    for k in 0..4 {
        world.add(cube(2e5).at(Vec3::new(-0.5 * f64::from(k) - 1.0, 0.05, 0.0))).unwrap();
    }
    world
}

#[test]
fn a_snapshot_in_the_middle_of_contacts_repeats_bit_for_bit() {
    let mut world = mixed(false);
    for _ in 0..15 {
        world.step(H).unwrap();
    }
    let kept = world.state().clone();
    let run = |world: &mut World| -> Vec<u64> {
        (0..15)
            .map(|_| {
                world.step(H).unwrap();
                world.state().hash()
            })
            .collect()
    };
    let first = run(&mut world);
    assert!(world.contacts().count() > 20);
    world.restore(&kept).unwrap();
    assert_eq!(run(&mut world), first);
    // A world made anew, which has seen nothing.
    let mut other = mixed(false);
    other.restore(&kept).unwrap();
    assert_eq!(run(&mut other), first);
}

#[test]
fn one_and_two_threads_give_the_same_bits() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = mixed(true);
            (0..25).for_each(|_| drop(world.step(H).unwrap()));
            world.state().hash()
        })
    };
    assert_eq!(run(1), run(2));
}

#[test]
fn a_resting_cube_sleeps_and_wakes_when_it_is_hit() {
    let mut world = floor();
    let id = world.add(cube(1e6).at(0.0101 * Vec3::Y)).unwrap();
    let mut slept = None;
    for k in 0..600 {
        world.step(H).unwrap();
        if world.sleeping() == 27 {
            slept = Some(k);
            break;
        }
    }
    assert!(slept.is_some(), "still awake");
    let before = mean(&world, id);
    let ball = Body::solid(Shape::ball(0.05), 1000.0).unwrap();
    world.add(ball.at(Vec3::new(-0.5, 0.1, 0.1)).moving(10.0 * Vec3::X, Vec3::ZERO)).unwrap();
    (0..30).for_each(|_| drop(world.step(H).unwrap()));
    assert!(mean(&world, id).x > before.x + 0.01, "{before} {}", mean(&world, id));
}

#[test]
fn contacts_name_the_surface_and_carry_the_weight() {
    let mut world = floor();
    let id = world.add(cube(1e6).at(0.0101 * Vec3::Y)).unwrap();
    let surface = world.deformable(id).unwrap().surface().unwrap();
    let mut began = 0;
    for _ in 0..150 {
        for event in world.step(H).unwrap().events {
            began += usize::from(matches!(event, Event::ContactBegan { colliders: (_, b), .. } if b == surface));
        }
    }
    assert_eq!(began, 1);
    let mut sum = Vec3::ZERO;
    for c in world.contacts() {
        assert_eq!(c.colliders.1, surface);
        assert!(world.deformable(id).unwrap().elements().rest().len() == 27 && c.bodies.0 == world.ground());
        sum -= c.force;
    }
    assert!((sum - 8.0 * 9.81 * Vec3::Y).length() < 0.5, "{sum}");
}

#[test]
fn a_sensor_sees_cloth_and_lets_it_pass() {
    let mut world = World::new();
    let gate = Collider::new(Shape::cuboid(Vec3::new(0.1, 0.02, 0.1))).on(world.ground()).sensing();
    let gate = world.add(gate).unwrap();
    // The sensor is smaller than a cell and between the nodes.
    let id = world.add(cloth(2).at(Vec3::new(-0.25, 0.3, -0.2))).unwrap();
    let (mut came, mut went) = (0, 0);
    for _ in 0..60 {
        for event in world.step(H).unwrap().events {
            let has = |c: (ColliderId, ColliderId)| c.0 == gate || c.1 == gate;
            came += usize::from(matches!(event, Event::SensorBegan { colliders } if has(colliders)));
            went += usize::from(matches!(event, Event::SensorEnded { colliders } if has(colliders)));
        }
    }
    assert_eq!((came, went), (1, 1));
    assert!((mean(&world, id).y - (0.3 - 0.5 * 9.81 * 0.36)).abs() < 1e-2);
}

#[test]
fn rays_points_sweeps_and_overlaps_see_cloth() {
    let mut world = World::new();
    let id = world.add(cloth(3).at(Vec3::new(-0.5, 1.0, -0.5))).unwrap();
    let surface = world.deformable(id).unwrap().surface().unwrap();
    let all = QueryFilter::default();
    for (x, z) in [(0.1, 0.12), (0.0, 0.0), (-0.4, 0.3)] {
        let hit = world.cast_ray(Vec3::new(x, 3.0, z), -Vec3::Y, 10.0, &all).unwrap().unwrap();
        assert!((hit.distance - 1.99).abs() < 1e-9 && (hit.normal - Vec3::Y).length() < 1e-9, "{hit:?}");
        assert_eq!(hit.collider, surface);
        let up = world.cast_ray(Vec3::new(x, 0.0, z), Vec3::Y, 10.0, &all).unwrap().unwrap();
        assert!((up.distance - 0.99).abs() < 1e-9 && (up.normal + Vec3::Y).length() < 1e-9, "{up:?}");
        let near = world.closest_point(Vec3::new(x, 1.3, z), 1.0, &all).unwrap().unwrap();
        assert!((near.distance - 0.29).abs() < 1e-9 && (near.point.y - 1.01).abs() < 1e-9);
        let down = Pose::at(Vec3::new(x, 2.0, z));
        let swept = world.cast_shape(&Shape::ball(0.05), down, -2.0 * Vec3::Y, &all).unwrap().unwrap();
        assert!((swept.fraction - 0.47).abs() < 1e-4 && swept.normal.y > 0.999, "{swept:?}");
        let at = |y: f64| world.overlaps(&Shape::ball(0.05), Pose::at(Vec3::new(x, y, z)), &all).unwrap();
        assert_eq!((at(1.05), at(1.07)), (vec![surface], vec![]));
    }
    // On the rim the skin is round.
    let rim = world.cast_ray(Vec3::new(2.0, 1.0, 0.05), -Vec3::X, 10.0, &all).unwrap().unwrap();
    assert!((rim.distance - 1.49).abs() < 1e-9 && (rim.normal - Vec3::X).length() < 1e-6, "{rim:?}");
    assert!(world.cast_ray(Vec3::new(0.6, 3.0, 0.0), -Vec3::Y, 10.0, &all).unwrap().is_none());
    let node = world.deformable(id).unwrap().node(3).unwrap();
    let others = QueryFilter { exclude: Some(node), ..all };
    assert!(world.cast_ray(3.0 * Vec3::Y, -Vec3::Y, 10.0, &others).unwrap().is_none());
    // After a step it is where it is then.
    (0..30).for_each(|_| drop(world.step(H).unwrap()));
    let fallen = 0.5 * 9.81 * 0.09;
    let hit = world.cast_ray(Vec3::new(0.1, 3.0, 0.1), -Vec3::Y, 10.0, &all).unwrap().unwrap();
    assert!((hit.distance - 1.99 - fallen).abs() < 1e-2, "{hit:?}");
}

#[test]
fn groups_hooks_and_switches_let_cloth_pass() {
    struct Refuse(ColliderId);
    impl ContactHooks for Refuse {
        fn filter(&self, pair: &ContactPair<'_>) -> bool {
            !pair.has(self.0)
        }
    }
    for how in 0..5 {
        let mut world = floor();
        let id = world.add(if how == 0 { cube(1e5).grouped(2, 0) } else { cube(1e5) }.at(0.05 * Vec3::Y)).unwrap();
        let surface = world.deformable(id).unwrap().surface().unwrap();
        match how {
            1 => world.set_contact_hooks(Some(Arc::new(Refuse(surface)))),
            2 => world.set_collider_enabled(surface, false).unwrap(),
            3 => world.remove(surface).unwrap(),
            _ => {}
        }
        (0..50).for_each(|_| drop(world.step(H).unwrap()));
        assert_eq!(mean(&world, id).y > 0.05, how == 4, "{how}: {}", mean(&world, id));
    }
}

#[test]
fn a_node_that_is_bound_to_a_body_pushes_through_it_and_not_at_it() {
    // A plate with a rubber foot below: the foot does not touch the plate, and the plate rests on it.
    let mut world = floor();
    let plate = Body::solid(Shape::cuboid(Vec3::new(0.15, 0.02, 0.15)), 1000.0).unwrap();
    let plate = world.add(plate.at(0.24 * Vec3::Y)).unwrap();
    let foot = cube(1e6).at(Vec3::new(-0.1, 0.02, -0.1)).bound(plate, |x| x.y > 0.199);
    let foot = world.add(foot).unwrap();
    (0..200).for_each(|_| drop(world.step(H).unwrap()));
    let (y, v) = (world.body(plate).unwrap().position().y, world.body(plate).unwrap().velocity());
    assert!((y - 0.23).abs() < 2e-3 && v.length() < 1e-3, "{y} {v}");
    let ground = world.ground();
    assert!(world.contacts().all(|c| c.bodies.0 == ground), "the foot touches its plate");
    assert!(world.deformable(foot).unwrap().is_bound(26).unwrap());
}

#[test]
fn a_soft_ball_with_restitution_rebounds_higher() {
    let height = |e: f64| {
        let mut world = World::new();
        world.add(Collider::new(Shape::ground()).restitution(e).on(world.ground())).unwrap();
        let soft = cube(1e6).at(0.5 * Vec3::Y).surface(Material::new(0.5, e));
        let id = world.add(soft).unwrap();
        let start = world.energy().unwrap().total();
        let mut most = 0.0_f64;
        for k in 0..80 {
            let report = world.step(H).unwrap();
            assert!(report.energy.total() <= start * (1.0 + 1e-9), "step {k}: {} of {start}", report.energy.total());
            if k > 40 {
                most = most.max(mean(&world, id).y);
            }
        }
        most
    };
    let (plastic, elastic) = (height(0.0), height(0.8));
    assert!(elastic > plastic + 0.05, "{plastic} {elastic}");
}

#[test]
fn bad_skins_are_refused() {
    let mut world = World::new();
    for radius in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(world.add(cube(1e5).skin(radius)).is_err(), "{radius}");
    }
    assert_eq!((world.deformables().count(), world.bodies().count()), (0, 1));
    let id = world.add(cube(1e5)).unwrap();
    let surface = world.deformable(id).unwrap().surface().unwrap();
    assert!(world.set_shape(surface, Shape::ball(0.1)).is_err());
    world.remove(id).unwrap();
    assert!(world.collider(surface).is_err());
}

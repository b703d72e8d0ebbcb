//! Frames over a mesh: few unknowns that carry a surface.

use crate::common::meshes::bar;
use taut::prelude::*;
use taut::soft::{Elements, Frames, Material, Options as Build};
use taut::{Deformable, DeformableId, Tie};

const SIZE: Vec3 = Vec3::new(0.6, 0.2, 0.2);

fn elements() -> Elements {
    let centres = [0.1, 0.3, 0.5].map(|x| Vec3::new(x, 0.1, 0.1)).to_vec();
    let rubber = Material::new(1000.0, 1e5, 0.3).damping(0.01);
    Elements::frames_over(&bar(SIZE, [6, 2, 2]), &Frames { centres, radius: 0.4 }, &rubber, &Build::default()).unwrap()
}

/// Places of what the frames carry.
fn carried(world: &World, id: DeformableId) -> Vec<Vec3> {
    let view = world.deformable(id).unwrap();
    view.positions().skip(view.elements().controls()).collect()
}

#[test]
fn a_free_one_falls_as_a_stone_does_with_its_whole_mesh() {
    let mut world = World::new();
    let id = world.add(Deformable::of(elements()).moving(Vec3::X, Vec3::ZERO)).unwrap();
    let before = carried(&world, id);
    assert_eq!(before.len(), 7 * 3 * 3);
    assert!((world.deformable(id).unwrap().mass() - 24.0).abs() < 1e-9);
    for _ in 0..50 {
        world.step(0.01).unwrap();
    }
    let t: f64 = 0.5;
    for (x, y) in before.iter().zip(carried(&world, id)) {
        let fallen = *x + t * Vec3::X - 0.5 * 9.81 * t * t * Vec3::Y;
        assert!((y - fallen).length() < 1e-9, "{y} {fallen}");
    }
}

#[test]
fn one_that_lands_stays_a_skin_above_the_ground_and_gains_nothing() {
    let mut world = World::new();
    let ground = world.ground();
    world.add(Collider::new(Shape::ground()).friction(0.3).on(ground)).unwrap();
    let id = world.add(Deformable::of(elements()).at(0.2 * Vec3::Y).skin(0.01)).unwrap();
    let first = world.energy().unwrap().total();
    for _ in 0..200 {
        let report = world.step(0.01).unwrap();
        assert!(report.energy.total() < first + 1e-6 && report.ledger.imbalance.abs() < 1e-9);
    }
    let low = carried(&world, id).iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
    assert!((low - 0.01).abs() < 1e-3, "{low}");
    let view = world.deformable(id).unwrap();
    assert!((0..view.elements().controls()).all(|k| view.velocity(k).unwrap().length() < 0.01));
}

#[test]
fn control_points_can_be_held_and_what_they_carry_cannot() {
    let mut world = World::new();
    let held = Deformable::of(elements()).held(|x| x.x < 0.2);
    let id = world.add(held).unwrap();
    for _ in 0..100 {
        world.step(0.01).unwrap();
    }
    let low = carried(&world, id).iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
    assert!(low < -0.005 && low > -0.5, "{low}");
    let tie = vec![Tie { body: None, weight: 1.0, point: None }];
    let error = world.add(Deformable::of(elements()).tied_at(20, tie)).unwrap_err().to_string();
    assert!(error.contains("20") && error.contains("less than 12, a control point"), "{error}");
}

#[test]
fn a_snapshot_goes_on_with_the_same_bits_and_a_removed_one_leaves_nothing() {
    let mut world = World::new();
    let id = world.add(Deformable::of(elements()).held(|x| x.x < 0.2)).unwrap();
    world.step(0.01).unwrap();
    let state = world.state().clone();
    let go = |world: &mut World| {
        (0..20).for_each(|_| drop(world.step(0.01).unwrap()));
        carried(world, id)
    };
    let once = go(&mut world);
    world.restore(&state).unwrap();
    assert_eq!(once, go(&mut world));
    world.remove(id).unwrap();
    assert_eq!((world.deformables().count(), world.bodies().filter(|b| b.is_free()).count()), (0, 0));
}

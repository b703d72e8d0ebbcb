//! Contact of deformables.

#[path = "common/meshes.rs"]
mod meshes;

use meshes::ball;
use taut::prelude::*;
use taut::soft;
use taut::{Deformable, DeformableId};

/// A world with a floor of this friction.
fn floor(friction: f64) -> World {
    let mut world = World::new();
    world.add(Collider::new(Shape::ground()).friction(friction).on(world.ground())).unwrap();
    world
}

fn rubber(young: f64) -> soft::Material {
    soft::Material::new(1000.0, young, 0.3)
}

/// Energy of motion, height and elements, J.
fn total(report: &taut::StepReport) -> f64 {
    report.energy.total()
}

fn lowest(world: &World, id: DeformableId) -> f64 {
    world.deformable(id).unwrap().positions().map(|x| x.y).fold(f64::INFINITY, f64::min)
}

/// Steps with the books looked at; the largest energy that was seen.
fn run(world: &mut World, h: f64, steps: usize) -> f64 {
    let mut most = f64::NEG_INFINITY;
    for k in 0..steps {
        let report = world.step(h).unwrap();
        let energy = total(&report);
        most = most.max(energy);
        let scale = report.energy.kinetic + energy.abs();
        let off = report.ledger.imbalance;
        assert!(off.abs() <= 1e-9 * scale, "step {k}: books off by {off} of {scale}");
    }
    most
}

#[test]
fn a_soft_ball_dropped_on_the_ground_comes_to_rest_on_its_skin() {
    let mut world = floor(0.5);
    let mesh = ball(0.25, 4);
    let skin = 0.01;
    let id = world.add(Deformable::new(&mesh, &rubber(2e4)).unwrap().at(0.5 * Vec3::Y).skin(skin)).unwrap();
    let start = world.energy().unwrap().total();
    let mut most = f64::NEG_INFINITY;
    for _ in 0..4 {
        most = most.max(run(&mut world, 0.01, 100));
        assert!(lowest(&world, id) > skin - 1e-3, "{}", lowest(&world, id) - skin);
    }
    assert!(most <= start + 1e-6 * start.abs(), "{most} from {start}");
    let fastest =
        (0..mesh.nodes.len()).map(|k| world.deformable(id).unwrap().velocity(k).unwrap().length()).fold(0.0, f64::max);
    assert!(fastest < 1e-2, "{fastest}");
    assert!((lowest(&world, id) - skin).abs() < 1e-3);
}

//! What it costs that a step is divided for the whole world.

use std::time::Instant;
use taut::Deformable;
use taut::prelude::*;
use taut::soft::{Law, Material};

/// A sheet of 1 GPa that falls, held at one edge.
fn cloth(world: &mut World) {
    let mesh = crate::common::meshes::sheet(1.0, 1.0, [10, 10]);
    let material = Material::new(1210.0, 1e9, 0.49).law(Law::StVenantKirchhoff).thickness(1e-3).bending(0.0);
    let noise = |x: Vec3| 1e-4 * (37.0 * x.x + 91.0 * x.z).sin();
    let soft = Deformable::new(&mesh, &material).unwrap().deformed(|x| x + noise(x) * Vec3::Y);
    world.add(soft.held(|x| x.x == 0.0)).unwrap();
}

/// A thousand bodies beside it: a hundred chains of ten links.
fn chains(world: &mut World) {
    for k in 0..100 {
        let mut last = world.ground();
        let at = Vec3::new(3.0 + (k / 10) as f64, 0.0, (k % 10) as f64);
        for n in 0..10 {
            let place = at + 0.1 * (n as f64 + 0.5) * Vec3::X;
            let body = Body::dynamic(MassProperties::cuboid(1000.0, Vec3::new(0.1, 0.03, 0.03)).unwrap()).at(place);
            let body = world.add(body).unwrap();
            world.add(Ball::between(body, last).at(at + 0.1 * n as f64 * Vec3::X)).unwrap();
            last = body;
        }
    }
}

/// Milliseconds a step over 1 s at 0.02 s, and parts a step.
fn cost(build: &[fn(&mut World)]) -> (f64, f64) {
    let mut world = World::new();
    build.iter().for_each(|b| b(&mut world));
    world.step(0.02).unwrap();
    let (start, mut parts) = (Instant::now(), 0);
    for _ in 0..50 {
        parts += world.step(0.02).unwrap().parts;
    }
    (start.elapsed().as_secs_f64() * 1e3 / 50.0, parts as f64 / 50.0)
}

/// `cargo test -p taut-tests --test soft parts:: -- --nocapture` prints the times; only the division itself is asserted.
#[test]
fn a_stiff_cloth_divides_the_steps_of_a_thousand_other_bodies() {
    let (sheet, others, both) = (cost(&[cloth]), cost(&[chains]), cost(&[cloth, chains]));
    println!("cloth alone {:.2} ms a step in {:.1} parts", sheet.0, sheet.1);
    println!("1000 bodies alone {:.2} ms", others.0);
    println!(
        "both {:.2} ms in {:.1} parts: {:.2} times what they take apart",
        both.0,
        both.1,
        both.0 / (sheet.0 + others.0)
    );
    assert!(sheet.1 > 1.0 && others.1 == 1.0 && (both.1 - sheet.1).abs() < 0.5 * sheet.1);
}

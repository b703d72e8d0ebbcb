//! A program that films its own world, whatever it does with it between steps.
//!
//! `cargo run --release -p taut-draw --example film` writes `film.glb`, which Blender and most viewers of glTF open. From a crate of your
//! own: `cargo add taut-draw taut-scenes`, both with `--path`.

use taut::prelude::*;
use taut::{Sheave, Winch, Winding};
use taut_draw::Recorder;
use taut_scenes::Scene;

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new();
    let load = world.add(Body::solid(Shape::cuboid(Vec3::splat(0.5)), 2400.0)?.at(5.0 * Vec3::X).named("load"))?;
    let winch = world.add(Winch::on(world.ground(), Vec3::new(0.0, 4.0, 0.0), Vec3::Z, 0.3).named("hoist"))?;
    let head = Sheave::on(world.ground(), Vec3::new(4.8, 8.0, 0.0), Vec3::Z, 0.2);
    let hook = Vec3::new(5.0, 0.5, 0.0);
    let rope = Rope::from_drum(world.drum(winch)?.over()).over(head).to(load, hook);
    world.add(rope.diameter(0.02).named("rope"))?;

    // A recorder takes a scene: the world with what a run of it is measured by.
    let (length, energy_scale) = (10.0, 200e3);
    let mut scene = Scene { world, length, energy_scale, follow: load, window: 1.0, edges: vec![], drive: None };
    let mut film = Recorder::new("hoist", &scene, 30.0)?;
    for _ in 0..600 {
        let world = &mut scene.world;
        // Your controller: here it hauls the load up and down again.
        let speed = f64::sin(world.time());
        world.set_winch(winch, Winding::Haul { speed, force: 60e3 })?;
        world.step(1.0 / 60.0)?;
        film.see(world)?;
    }
    std::fs::write("film.glb", film.file())?;
    println!("film.glb: {} frames, load at {:.2} m", film.frames(), scene.world[load].pos);
    Ok(())
}

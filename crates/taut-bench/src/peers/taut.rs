//! Taut with default settings.

use super::{Engine, Peer};
use crate::Result;
use crate::scene::{Motion, Scene};
use std::time::{Duration, Instant};
use taut::{Ball, BodyDef, BodyId, Frame, Frames, MassProperties, Options, Vec3, World};

/// Its name in the tables.
pub const NAME: &str = "taut";

/// Taut.
pub fn peer() -> Peer {
    Peer {
        name: NAME,
        version: format!("Taut {} (f64)", env!("CARGO_PKG_VERSION")),
        settings: "defaults: one step, nothing set",
        damped: false,
        most_bodies: usize::MAX,
        build: Box::new(|scene, h| build(scene, h).map(|e| Box::new(e) as Box<dyn Engine>).map_err(|e| e.to_string())),
    }
}

struct Taut {
    world: World,
    bodies: Vec<BodyId>,
    masses: Vec<(f64, [f64; 3])>,
    h: f64,
}

fn build(scene: &Scene, h: f64) -> taut::Result<Taut> {
    let mut world = World::new();
    world.set_options(Options { gravity: scene.gravity, ..Options::default() })?;
    let (mut bodies, mut masses) = (Vec::new(), Vec::new());
    for b in &scene.bodies {
        let mass = MassProperties::from_diagonal(b.mass, b.inertia)?;
        masses.push((mass.mass, mass.inertia.to_cols_array_2d().into_iter().enumerate().fold([0.0; 3], diagonal)));
        let s = b.start;
        bodies.push(world.add_body(BodyDef::dynamic(mass).at(s.pos).rotated(s.rot).moving(s.vel, s.ang))?);
    }
    for j in &scene.joints {
        let parent = j.a.map_or(world.ground(), |a| bodies[a]);
        let frames = Frames { i: Frame::new(j.on_b, Vec3::Y)?, j: Frame::new(j.on_a, Vec3::Y)? };
        world.add_joint(bodies[j.b], parent, &Ball::default(), frames)?;
    }
    Ok(Taut { world, bodies, masses, h })
}

fn diagonal(mut sum: [f64; 3], (k, column): (usize, [f64; 3])) -> [f64; 3] {
    sum[k] = column[k];
    sum
}

impl Engine for Taut {
    fn step(&mut self) -> Result<Duration> {
        let begin = Instant::now();
        self.world.step(self.h).map_err(|e| e.to_string())?;
        Ok(begin.elapsed())
    }

    fn read(&mut self, out: &mut [Motion]) {
        for (m, &b) in out.iter_mut().zip(&self.bodies) {
            let Ok(v) = self.world.body(b) else { continue };
            *m = Motion { pos: v.pose.pos, rot: v.pose.rot, vel: v.velocity, ang: v.angular_velocity };
        }
    }

    fn masses(&mut self) -> Vec<(f64, [f64; 3])> {
        self.masses.clone()
    }
}

//! Taut with default settings.

use super::{Engine, Peer, clocked};
use crate::Result;
use crate::scene::{BallJoint, Hold, Motion, Scene, Solid, Touch};
use std::time::Duration;
use taut::{
    Ball, Body, BodyId, Collider, Frame, Frames, Hinge, Limit, MassProperties, Material, Options, Quat, Shape, State,
    Vec3, World,
};

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
        contacts: true,
        build: Box::new(|scene, h| build(scene, h).map(|e| Box::new(e) as Box<dyn Engine>).map_err(|e| e.to_string())),
    }
}

struct Taut {
    world: World,
    start: State,
    bodies: Vec<BodyId>,
    masses: Vec<(f64, [f64; 3])>,
    h: f64,
    unconverged: usize,
}

fn build(scene: &Scene, h: f64) -> taut::Result<Taut> {
    let mut world = World::new();
    // The others neither sleep nor use more than one thread.
    world.set_options(Options { gravity: scene.gravity, sleep: false, parallel: false, ..Options::default() })?;
    let (mut bodies, mut masses) = (Vec::new(), Vec::new());
    for b in &scene.bodies {
        let mass = MassProperties::from_diagonal(b.mass, b.inertia)?;
        masses.push((mass.mass, mass.inertia.to_cols_array_2d().into_iter().enumerate().fold([0.0; 3], diagonal)));
        let s = b.start;
        bodies.push(world.add(Body::dynamic(mass).at(s.pos).rotated(s.rot).moving(s.vel, s.ang))?);
    }
    for j in &scene.joints {
        add_joint(&mut world, &bodies, j)?;
    }
    if let Some(touch) = &scene.touch {
        add_shapes(&mut world, &bodies, scene, touch)?;
    }
    let start = world.state().clone();
    Ok(Taut { world, start, bodies, masses, h, unconverged: 0 })
}

fn add_joint(world: &mut World, bodies: &[BodyId], j: &BallJoint) -> taut::Result<()> {
    let parent = j.a.map_or(world.ground(), |a| bodies[a]);
    let frame = |origin: Vec3, q: Quat| Frame { origin, u: q * Vec3::X, v: q * Vec3::Y, n: q * Vec3::Z };
    let (ball, hinge) = (Ball::between(bodies[j.b], parent), Hinge::between(bodies[j.b], parent));
    let (joint, axes) = match j.hold {
        Hold::Free => {
            let frames = Frames { i: Frame::new(j.on_b, Vec3::Y)?, j: Frame::new(j.on_a, Vec3::Y)? };
            return world.add(ball.frames(frames)).map(drop);
        }
        Hold::Cone { axes, swing, twist } => (ball.stop(Limit::cone(swing)).stop(Limit::twist(-twist, twist)), axes),
        Hold::Hinge { axes, most } => (hinge.limit(0.0, most), axes),
        Hold::Turn(axes) => (hinge, axes),
    };
    let frames = Frames { i: frame(j.on_b, axes[1]), j: frame(j.on_a, axes[0]) };
    world.add(joint.frames(frames)).map(drop)
}

fn add_shapes(world: &mut World, bodies: &[BodyId], scene: &Scene, touch: &Touch) -> taut::Result<()> {
    let material = Material::new(touch.friction, 0.0);
    world.add(Collider::new(Shape::ground()).of(material).on(world.ground()))?;
    for (b, &id) in scene.bodies.iter().zip(bodies) {
        let shape = match b.solid {
            None => continue,
            Some(Solid::Ball(radius)) => Shape::Ball { radius },
            Some(Solid::Cuboid(half)) => Shape::cuboid(half),
            Some(Solid::Capsule(half, radius)) => Shape::capsule(half, radius),
        };
        world.add(Collider::new(shape).of(material).on(id))?;
    }
    for &(a, b) in &touch.clear {
        world.set_collision(bodies[a], bodies[b], false)?;
    }
    Ok(())
}

fn diagonal(mut sum: [f64; 3], (k, column): (usize, [f64; 3])) -> [f64; 3] {
    sum[k] = column[k];
    sum
}

impl Engine for Taut {
    fn step(&mut self) -> Result<Duration> {
        let (report, time) = clocked(|| self.world.step(self.h));
        let report = report.map_err(|e| e.to_string())?;
        self.unconverged += usize::from(report.bounded.unconverged + report.bounded.hurried > 0);
        Ok(time)
    }

    fn replay(&mut self, steps: usize) -> Result<Option<f64>> {
        self.world.restore(&self.start).map_err(|e| e.to_string())?;
        let (done, time) = clocked(|| (0..steps).try_for_each(|_| self.world.step(self.h).map(drop)));
        done.map_err(|e| e.to_string())?;
        Ok(Some(time.as_secs_f64()))
    }

    fn read(&mut self, out: &mut [Motion]) {
        for (m, &b) in out.iter_mut().zip(&self.bodies) {
            let Ok(v) = self.world.body(b) else { continue };
            *m = Motion { pos: v.position(), rot: v.rotation(), vel: v.velocity(), ang: v.angular_velocity() };
        }
    }

    fn masses(&mut self) -> Vec<(f64, [f64; 3])> {
        self.masses.clone()
    }

    fn unconverged(&self) -> Option<usize> {
        Some(self.unconverged)
    }
}

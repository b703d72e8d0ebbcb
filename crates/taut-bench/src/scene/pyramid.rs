//! Boxes stacked to a flat pyramid, and a ball lobbed at it that arrives when the boxes have settled.

use super::{G, Motion, Scene, Solid, Touch};
use taut::{MassProperties, Quat, Result, Vec3};

/// Half edge of a box, m; density of everything, kg/m^3; friction of all surfaces.
const HALF: f64 = 0.1;
const DENSITY: f64 = 1000.0;
const FRICTION: f64 = 0.5;
/// Boxes of a row are one box width times this apart.
const SPREAD: f64 = 1.05;
/// Radius of the ball, m, and its speed across the pyramid, m/s.
const RADIUS: f64 = 0.3;
const SPEED: f64 = 10.0;

/// A pyramid of boxes of 0.2 m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pyramid {
    /// Rows: r (r + 1) / 2 boxes.
    pub rows: usize,
    /// When the ball arrives, s.
    pub hit: f64,
    /// How far beside the middle it comes, m: for variations of the same blow.
    pub aside: f64,
}

impl Default for Pyramid {
    fn default() -> Self {
        Pyramid { rows: 31, hit: 2.0, aside: 0.0 }
    }
}

impl Pyramid {
    /// How many boxes; the ball is the last body.
    pub fn boxes(&self) -> usize {
        self.rows * (self.rows + 1) / 2
    }

    /// The scene.
    pub fn scene(&self) -> Result<Scene> {
        let height = 2.0 * HALF * self.rows as f64;
        let mass = MassProperties::cuboid(DENSITY, Vec3::splat(HALF))?;
        let mut s = Scene::new(height, mass.mass * G * height * self.boxes() as f64);
        s.touch = Some(Touch { friction: FRICTION, clear: Vec::new() });
        let width = 2.0 * HALF * SPREAD;
        for r in 0..self.rows {
            for c in 0..self.rows - r {
                let x = width * (c as f64 + 0.5 * r as f64 - 0.5 * (self.rows - 1) as f64);
                let at = Vec3::new(x, HALF * (2 * r + 1) as f64, 0.0);
                s.solid(mass, at, Vec3::ZERO, Solid::Cuboid(Vec3::splat(HALF)));
            }
        }
        // Thrown up so that it comes back to its height, a third of the pyramid's, when it arrives.
        let up = 0.5 * G * self.hit;
        let from = Vec3::new(self.aside, (height / 3.0).max(RADIUS), -(HALF + RADIUS) - SPEED * self.hit);
        s.solid(MassProperties::sphere(DENSITY, RADIUS)?, from, Vec3::new(0.0, up, SPEED), Solid::Ball(RADIUS));
        Ok(s)
    }
}

impl Scene {
    /// Adds a body with a shape, not turned.
    fn solid(&mut self, mass: MassProperties, pos: Vec3, vel: Vec3, solid: Solid) {
        let start = Motion { pos, rot: Quat::IDENTITY, vel, ang: Vec3::ZERO };
        let k = self.add(mass.mass, mass.inertia * Vec3::ONE, start);
        self.bodies[k].solid = Some(solid);
    }
}

//! A rope ladder: two strings of round links between round rungs, a closed loop per cell, a heavy last rung.
//!
//! The kick moves the rungs out of the plane, alternating in sign, one end half as fast as the other: velocities that the joints allow.

use super::{Motion, Scene, pointing};
use taut::Vec3;

/// A ladder whose links are 0.3 m long and 0.01 m in radius, whose rungs 0.4 m and 0.02 m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ladder {
    /// Number of closed cells.
    pub cells: usize,
    /// Mass of the last rung over that of a link.
    pub ratio: f64,
    /// Mass of a link and of a rung, kg.
    pub link_mass: f64,
    /// Speed of the faster end of the rungs at the start, m/s.
    pub kick: f64,
}

impl Default for Ladder {
    fn default() -> Self {
        Ladder { cells: 10, ratio: 100.0, link_mass: 0.1, kick: 0.001 }
    }
}

const LINK: f64 = 0.3;
const RUNG: f64 = 0.4;

impl Ladder {
    /// The scene. It swings from a slant of about 17 degrees below the horizontal.
    pub fn scene(&self) -> Scene {
        let (n, m) = (self.cells, self.link_mass);
        let d = Vec3::new(1.0, -0.3, 0.0).normalize();
        let out = d.cross(Vec3::Z);
        let length = n as f64 * LINK;
        let mut scene = Scene::new(length, super::G * m * (self.ratio + 3.0 * n as f64) * length);
        let mut at = [-0.5 * RUNG * Vec3::Z, 0.5 * RUNG * Vec3::Z];
        let mut above = None;
        // Velocities of the upper joints; the first cell hangs on the ground.
        let mut upper = [Vec3::ZERO; 2];
        for k in 0..n {
            let speed = self.kick * if k.is_multiple_of(2) { 1.0 } else { -1.0 };
            let lower = [speed * out, 0.5 * speed * out];
            let mut sides = [0; 2];
            for q in 0..2 {
                let start = between(at[q], at[q] + LINK * d, upper[q], lower[q]);
                sides[q] = scene.add(m, rod(m, LINK, 0.01), start);
                scene.join(above, sides[q], at[q]);
                at[q] += LINK * d;
            }
            let mass = if k + 1 == n { m * self.ratio } else { m };
            let rung = scene.add(mass, rod(mass, RUNG, 0.02), between(at[0], at[1], lower[0], lower[1]));
            scene.join(Some(sides[0]), rung, at[0]);
            scene.join(Some(sides[1]), rung, at[1]);
            above = Some(rung);
            upper = lower;
        }
        scene
    }
}

/// Motion of a bar whose ends are at two points and move with two velocities, square to it.
fn between(from: Vec3, to: Vec3, u: Vec3, v: Vec3) -> Motion {
    let d = to - from;
    Motion { pos: 0.5 * (from + to), rot: pointing(d), vel: 0.5 * (u + v), ang: d.cross(v - u) / d.length_squared() }
}

/// Moments of a solid round bar along y, kg m^2.
fn rod(mass: f64, length: f64, radius: f64) -> Vec3 {
    let across = mass * (3.0 * radius * radius + length * length) / 12.0;
    Vec3::new(across, 0.5 * mass * radius * radius, across)
}

//! Links with a heavy ball at the end.
//!
//! The kick moves the joints sideways, alternating in sign, and leaves the centres of the links where they are: velocities that
//! the joints allow, so that engines in reduced and in maximal coordinates start alike.

use super::{Motion, Scene, pointing};
use taut::Vec3;

/// Where the chain starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Along x.
    Horizontal,
    /// Straight down.
    Hanging,
}

/// What joins the links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// Ball joints.
    Ball,
    /// Hinges about z, which allow no kick.
    Hinge,
}

/// A chain. Links are square bars a fifth of their length wide; the load is a solid ball hung at its surface, its radius half a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chain {
    /// Number of links.
    pub links: usize,
    /// What joins them, and the load.
    pub joint: Link,
    /// Mass of the load over that of a link; nothing hangs on the last link where it is 0.
    pub ratio: f64,
    /// Mass of a link, kg.
    pub link_mass: f64,
    /// Length of a link, m.
    pub link_length: f64,
    /// Direction at the start.
    pub start: Start,
    /// Sideways speed of the joints at the start, alternating, m/s.
    pub kick: f64,
    /// Angle of gravity from the vertical, rad.
    pub tilt: f64,
}

impl Default for Chain {
    /// Ten links of 0.2 m and 0.2 kg, horizontal, kicked with 0.001 m/s.
    fn default() -> Self {
        Chain {
            links: 10,
            joint: Link::Ball,
            ratio: 1.0,
            link_mass: 0.2,
            link_length: 0.2,
            start: Start::Horizontal,
            kick: 0.001,
            tilt: 0.0,
        }
    }
}

impl Chain {
    /// The scene.
    pub fn scene(&self) -> Scene {
        let (n, m, l) = (self.links, self.link_mass, self.link_length);
        let load = self.ratio * m;
        let radius = if load > 0.0 { 0.5 * l } else { 0.0 };
        let d = if self.start == Start::Hanging { -Vec3::Y } else { Vec3::X };
        let rot = pointing(d);
        let length = n as f64 * l + radius;
        let g = super::G;
        let mut scene = Scene::new(length, g * (load * length + n as f64 * m * 0.5 * n as f64 * l));
        scene.gravity = g * Vec3::new(self.tilt.sin(), -self.tilt.cos(), 0.0);
        let (across, along) = (m * (0.04 * l * l + l * l) / 12.0, m * 0.08 * l * l / 12.0);
        let sideways = |k: usize| if k == 0 { 0.0 } else { self.kick * if k.is_multiple_of(2) { 1.0 } else { -1.0 } };
        let mut at = Vec3::ZERO;
        for k in 0..n + usize::from(load > 0.0) {
            let reach = if k < n { 0.5 * l } else { radius };
            let inertia =
                if k < n { Vec3::new(across, along, across) } else { Vec3::splat(0.4 * load * radius * radius) };
            // The ends of a link move with the joints; the far side of the load mirrors its joint, so that its centre rests.
            let (u, v) = (sideways(k), if k < n { sideways(k + 1) } else { -sideways(k) });
            let start = Motion {
                pos: at + reach * d,
                rot,
                vel: 0.5 * (u + v) * Vec3::Z,
                ang: (v - u) / (2.0 * reach) * d.cross(Vec3::Z),
            };
            let b = scene.add(if k < n { m } else { load }, inertia, start);
            match self.joint {
                Link::Ball => scene.join(b.checked_sub(1), b, at),
                Link::Hinge => scene.hinge(b.checked_sub(1), b, at),
            }
            at += 2.0 * reach * d;
        }
        scene
    }
}

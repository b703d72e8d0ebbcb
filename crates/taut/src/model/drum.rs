//! Drums: how rope lies on them in layers, and when they are empty or full.

use crate::error::{Error, Result, non_negative, positive};
use crate::reeve::Groove;

/// How rope lies on a drum. Without a diameter all of it lies in one layer that does not grow.
///
/// ```
/// use taut::parts::Layers;
/// use taut::{Sheave, Vec3, World};
/// let world = World::new();
/// let drum = Sheave::on(world.ground(), Vec3::ZERO, Vec3::Z, 0.3).rope_diameter(0.02).wraps(10.0).stored(60.0);
/// let told = Layers { rope_diameter: Some(0.02), wraps: Some(10.0), stored: Some(60.0), capacity: None };
/// assert_eq!(drum.layers, told);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Layers {
    /// Diameter of the rope, by which each layer is farther out than the one below, m.
    pub rope_diameter: Option<f64>,
    /// Wraps beside each other in a layer. Default: 1, a reel.
    pub wraps: Option<f64>,
    /// Rope on it when it is added, m. Default: so much that it never runs off.
    pub stored: Option<f64>,
    /// Rope that its flanges hold, m. Default: any length.
    pub capacity: Option<f64>,
}

impl Layers {
    /// By how much the radius grows with the angle, m/rad.
    fn growth(&self) -> f64 {
        self.rope_diameter.map_or(0.0, |d| d / (std::f64::consts::TAU * self.wraps.unwrap_or(1.0)))
    }

    pub(super) fn check(&self, named: impl Fn(&str) -> String) -> Result<()> {
        if let Some(d) = self.rope_diameter {
            positive(&named("rope diameter"), d, "m")?;
        }
        if let Some(n) = self.wraps {
            positive(&named("wraps in a layer"), n, "wraps")?;
        }
        for (what, length) in [("rope stored"), ("capacity")].into_iter().zip([self.stored, self.capacity]) {
            if let Some(length) = length {
                non_negative(&named(what), length, "m")?;
            }
        }
        match (self.stored, self.capacity) {
            (Some(stored), Some(most)) if stored > most => {
                Err(Error::input(named("rope stored"), stored, format!("at most {most} m, which the drum holds")))
            }
            _ => Ok(()),
        }
    }
}

/// A drum that can run empty or full: the angle by which rope is wound on it, rad,
/// ```text
/// wound = start + sense (angle - first),     radius = core + growth wound,     length = core wound + growth wound^2/2
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Drum {
    /// As it was said.
    pub layers: Layers,
    /// Pitch radius of the bare drum, m, and how it grows, m/rad.
    pub core: f64,
    pub growth: f64,
    /// Angle wound when it was added, and the angle of the tangent point then, rad.
    pub start: f64,
    pub first: f64,
    /// Whether a greater angle of the tangent point is more rope on it, +1 or -1.
    pub sense: f64,
    /// Whether it runs empty.
    pub ends: bool,
    /// Angle wound when its flanges are full, rad; infinite without.
    pub most: f64,
}

impl Drum {
    /// A drum as it was said, with rope that leaves it to the next guide (+1) or comes to it (-1) on a side.
    pub fn new(core: f64, w: &Layers, side: f64, leaves: f64) -> Self {
        let growth = w.growth();
        let start = w.stored.map_or(0.0, |l| turns(core, growth, l));
        let most = w.capacity.map_or(f64::INFINITY, |l| turns(core, growth, l));
        Drum { layers: *w, core, growth, start, first: 0.0, sense: side * leaves, ends: w.stored.is_some(), most }
    }

    /// The rope leaves it at an angle when it is added, rad, and it grows from there.
    pub fn wind(&mut self, first: f64, groove: &mut Groove) {
        self.first = first;
        groove.growth = self.sense * self.growth;
        groove.radius = self.radius() - groove.growth * first;
    }

    /// Pitch radius when it was added, m.
    pub fn radius(&self) -> f64 {
        self.core + self.growth * self.start
    }

    /// Angle wound, rad, where the rope touches it at an angle.
    pub fn wound(&self, angle: f64) -> f64 {
        self.start + self.sense * (angle - self.first)
    }

    /// Angle where the rope touches it when all has run off, rad.
    pub fn bare(&self) -> f64 {
        self.first - self.sense * self.start
    }

    /// Rope on it, m, where the rope touches it at an angle.
    pub fn length(&self, angle: f64) -> f64 {
        self.length_at(self.wound(angle))
    }

    /// Rope on it, m, when so much is wound, rad.
    pub fn length_at(&self, wound: f64) -> f64 {
        self.core * wound + 0.5 * self.growth * wound * wound
    }
}

/// Angle of so much rope on a drum, rad.
fn turns(core: f64, growth: f64, length: f64) -> f64 {
    if growth == 0.0 { length / core } else { 2.0 * length / (core + (core * core + 2.0 * growth * length).sqrt()) }
}

//! What a plot needs of a run, in bounded memory.

use taut::Vec3;
use taut_scenes::{Sample, Scene};

/// Most points of a curve: more than a picture has columns.
const MOST: u64 = 10_000;

/// Largest number that is drawn: differences and squares of such numbers are finite.
const LARGEST: f64 = 1e100;

/// One point of the curves.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Time, s.
    pub time: f64,
    /// Kinetic, gravity, elastic and total energy, J.
    pub energy: [f64; 4],
    /// Largest gap since the last point, m.
    pub gap: f64,
    /// Position of the followed body, m.
    pub position: Vec3,
}

/// The curves of a run.
pub struct Record {
    /// The points, in time.
    pub points: Vec<Point>,
    /// Direction of height.
    pub up: Vec3,
    /// Name of the followed body.
    pub follow: String,
    /// Steps per point.
    stride: u64,
    seen: u64,
    gap: f64,
}

impl Record {
    /// For a run of so many steps.
    pub fn new(scene: &Scene, steps: u64) -> Self {
        let up = -scene.world.options().gravity.normalize_or_zero();
        let up = if up == Vec3::ZERO { Vec3::Y } else { up };
        let name = scene.world.body(scene.follow).map_or(String::new(), |b| b.name);
        let follow = if name.is_empty() { "the followed body".into() } else { format!("'{name}'") };
        Record { points: Vec::new(), up, follow, stride: steps.div_ceil(MOST).max(1), seen: 0, gap: 0.0 }
    }

    /// Takes in a step. What is beyond drawing is left out.
    pub fn add(&mut self, s: &Sample) {
        let (r, e) = (&s.report, &s.report.energy);
        self.gap = self.gap.max(r.max_gap);
        self.seen += 1;
        let energy = [e.kinetic, e.gravity, e.elastic, e.total()];
        let mut numbers = energy.into_iter().chain(s.position.to_array()).chain([self.gap]);
        if self.seen.is_multiple_of(self.stride) && numbers.all(|x| x.abs() < LARGEST) {
            self.points.push(Point { time: r.time, energy, gap: self.gap, position: s.position });
            self.gap = 0.0;
        }
    }
}

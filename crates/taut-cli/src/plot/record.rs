//! What a plot needs of a run, in bounded memory.

use crate::load::Loaded;
use taut::{BodyId, JointId, Vec3, World};
use taut_scenes::Sample;
use taut_scenes::file::Followed;

/// Most points of a curve: more than a picture has columns.
const MOST: u64 = 10_000;

/// Largest number that is drawn: differences and squares of such numbers are finite.
const LARGEST: f64 = 1e100;

/// One point of the curves.
#[derive(Clone, Debug)]
pub struct Point {
    /// Time, s.
    pub time: f64,
    /// Kinetic, gravity, elastic and total energy, J.
    pub energy: [f64; 4],
    /// Largest gap since the last point, m.
    pub gap: f64,
    /// Position of the followed body, m.
    pub position: Vec3,
    /// Positions of the other followed bodies, m.
    pub others: Vec<Vec3>,
    /// Largest forces that followed joints carried since the last point, N.
    pub forces: Vec<f64>,
}

/// The curves of a run.
pub struct Record {
    /// The points, in time.
    pub points: Vec<Point>,
    /// Direction of height.
    pub up: Vec3,
    /// Name of the followed body.
    pub follow: String,
    /// The other bodies that are followed.
    pub others: Vec<(String, BodyId)>,
    /// The joints that are followed.
    pub joints: Vec<(String, JointId)>,
    /// Steps per point.
    stride: u64,
    seen: u64,
    gap: f64,
    forces: Vec<f64>,
    places: Vec<Vec3>,
}

/// Most curves in a panel.
const CURVES: usize = 5;

impl Record {
    /// For a run of so many steps.
    pub fn new(loaded: &Loaded, steps: u64) -> Self {
        let (scene, world) = (&loaded.scene, &loaded.scene.world);
        let up = -world.options().gravity.normalize_or_zero();
        let up = if up == Vec3::ZERO { Vec3::Y } else { up };
        let name = world.body(scene.follow).map_or(String::new(), |b| b.name().to_owned());
        let follow = if name.is_empty() { "the followed body".into() } else { format!("'{name}'") };
        let (mut others, mut joints) = (Vec::new(), Vec::new());
        for f in &loaded.follow {
            match *f {
                Followed::Body(id) if id != scene.follow && others.len() + 1 < CURVES => {
                    others.push((world.body(id).map_or(String::new(), |b| b.name().to_owned()), id));
                }
                Followed::Joint(id) if joints.len() < CURVES => {
                    joints.push((world.joint(id).map_or(String::new(), |j| j.name().to_owned()), id));
                }
                _ => {}
            }
        }
        let place = |o: &(String, BodyId)| world.body(o.1).map_or(Vec3::ZERO, |b| b.position());
        let places = others.iter().map(place).collect();
        let forces = vec![0.0; joints.len()];
        let stride = steps.div_ceil(MOST).max(1);
        Record { points: Vec::new(), up, follow, others, joints, stride, seen: 0, gap: 0.0, forces, places }
    }

    /// Takes in a step. What is beyond drawing is left out.
    pub fn add(&mut self, world: &World, s: &Sample) {
        let (r, e) = (&s.report, &s.report.energy);
        self.gap = self.gap.max(r.max_gap);
        for ((_, id), most) in self.joints.iter().zip(&mut self.forces) {
            *most = world.joint(*id).map_or(*most, |j| most.max(j.force().length()));
        }
        // What is gone stays where it was.
        for ((_, id), place) in self.others.iter().zip(&mut self.places) {
            *place = world.body(*id).map_or(*place, |b| b.position());
        }
        self.seen += 1;
        let energy = [e.kinetic, e.gravity, e.elastic, e.total()];
        let more = self.forces.iter().copied().chain(self.places.iter().flat_map(|p| p.to_array()));
        let mut numbers = energy.into_iter().chain(s.position.to_array()).chain([self.gap]).chain(more);
        if self.seen.is_multiple_of(self.stride) && numbers.all(|x| x.abs() < LARGEST) {
            let (others, forces) = (self.places.clone(), self.forces.clone());
            self.points.push(Point { time: r.time, energy, gap: self.gap, position: s.position, others, forces });
            self.gap = 0.0;
            self.forces.fill(0.0);
        }
    }
}

//! From a seed to a world and its script. One function per kind of part, each with draws of its
//! own: a new kind is one function and one line in a list.

mod bodies;
mod bounds;
mod forces;
mod joints;
mod script;

use super::draw::Draw;
use super::{Case, Feature, Features};
use crate::file::{self, Coordinates, Outputs, SceneFile, Settings, Step};
use taut::Vec3;

/// The longest step, s, where long steps are switched off.
const FRAME: f64 = 1.0 / 60.0;

/// What the parts of a world know of it.
pub(super) struct Plan {
    pub seed: u64,
    pub features: Features,
    /// Bodies.
    pub count: usize,
    /// Step, s.
    pub dt: f64,
    /// Whether there are colliders, and whether bodies meet each other.
    pub contacts: bool,
    pub among: bool,
}

impl Plan {
    fn new(seed: u64, features: Features) -> Self {
        let mut draw = Draw::of(seed, "world", 0);
        let dt = draw.log(1e-3, 0.1);
        let count = 2 + draw.below(9);
        let (contacts, among) = (draw.chance(0.5), draw.chance(0.4));
        let plan = Plan { seed, features, count, dt, contacts, among };
        let dt = if plan.has(Feature::LongSteps) { dt } else { dt.min(FRAME) };
        Plan { dt, contacts: contacts && plan.has(Feature::Contacts), ..plan }
    }

    pub fn has(&self, feature: Feature) -> bool {
        self.features.has(feature)
    }

    /// The draws of part `k` of a kind.
    pub fn draw(&self, kind: &str, k: usize) -> Draw {
        Draw::of(self.seed, kind, k)
    }
}

/// A body that joints can be put on.
#[derive(Clone)]
pub(super) struct Place {
    pub name: String,
    pub at: Vec3,
    pub particle: bool,
}

/// The world of a seed, with some features, run for some steps.
pub fn generate(seed: u64, features: Features, steps: usize) -> Case {
    let plan = Plan::new(seed, features);
    let (bodies, places) = bodies::bodies(&plan);
    let time = plan.dt * steps as f64;
    let file = SceneFile {
        taut: file::VERSION,
        name: Some(format!("seed-{seed}")),
        settings: settings(&plan),
        bodies,
        ground: bodies::floor(&plan),
        joints: joints::joints(&plan, &places),
        forces: forces::forces(&plan, &places),
        outputs: Outputs { dt: Some(plan.dt.into()), time: Some(time.into()), ..Outputs::default() },
        ..SceneFile::default()
    };
    let (file, refused) = accepted(file);
    let script = script::script(&plan, &file, steps);
    Case { seed, file, script, refused }
}

fn settings(plan: &Plan) -> Settings {
    let reduced = plan.draw("coordinates", 0).chance(0.25) && plan.has(Feature::Reduced);
    Settings { coordinates: reduced.then_some(Coordinates::Reduced), ..Settings::default() }
}

/// Leaves out what the engine refuses (a hinge on a particle, a joint of two driven bodies), with
/// its words.
fn accepted(mut file: SceneFile) -> (SceneFile, Vec<String>) {
    let mut refused = Vec::new();
    while let Err(e) = file::build(&file) {
        refused.push(e.to_string());
        match e.path.0.as_slice() {
            [Step::Key(list), Step::Index(k), ..] if list == "joints" => drop(file.joints.remove(*k)),
            [Step::Key(list), Step::Index(k), ..] if list == "forces" => drop(file.forces.remove(*k)),
            // What is wrong elsewhere is a fault of the generator, and shows as a finding.
            _ => break,
        }
    }
    (file, refused)
}

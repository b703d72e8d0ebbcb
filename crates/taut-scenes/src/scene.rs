//! What a scene is, and the list of them.

pub use crate::drive::Drive;
use crate::drive::{Fired, Memory, Stop};
use crate::parameters::{Parameter, Parameters};
use crate::scenes;
use taut::study::Study;
use taut::{BodyId, Error, Result, StepReport, World};

/// A world ready to run, with the measures a run is judged by.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The world.
    pub world: World,
    /// Length of the mechanism, m: gaps are measured against it.
    pub length: f64,
    /// Energy that the scene can turn over, J: rises and losses are measured against it.
    pub energy_scale: f64,
    /// The body to follow in plots and tables.
    pub follow: BodyId,
    /// Time over which a kinetic peak is looked for at the start and at the end, s.
    pub window: f64,
    /// Pairs of bodies whose centres should stay as far apart as given, m: strains are measured over them.
    pub edges: Vec<(BodyId, BodyId, f64)>,
    /// What moves it from outside, if anything does.
    pub drive: Option<Drive>,
}

/// A scene as it was: its world with all that it is made of, and what had happened in it.
#[derive(Clone, Debug)]
pub struct Snapshot {
    world: World,
    memory: Memory,
}

impl Scene {
    /// Advances by `h` seconds, moved by what drives the scene. What that put in from outside is booked as work.
    pub fn step(&mut self, h: f64) -> Result<StepReport> {
        self.drive(h)?;
        let report = self.world.step(h)?;
        Ok(self.booked(report))
    }

    /// The same; nothing once an event has stopped the run.
    pub fn next_step(&mut self, h: f64) -> Result<Option<StepReport>> {
        self.drive(h)?;
        if self.stopped().is_some() {
            return Ok(None);
        }
        let report = self.world.step(h)?;
        Ok(Some(self.booked(report)))
    }

    /// The same as [`Scene::step`], with the time of each stage, s; `clock` counts seconds from any moment on.
    pub fn profiled_step(&mut self, h: f64, clock: fn() -> f64) -> Result<(StepReport, Vec<(&'static str, f64)>)> {
        self.drive(h)?;
        let (report, stages) = self.world.profiled_step(h, clock)?;
        Ok((self.booked(report), stages))
    }

    /// What drives the scene, without the step of `h` seconds that follows it.
    pub fn drive(&mut self, h: f64) -> Result<()> {
        self.drive.as_mut().map_or(Ok(()), |drive| drive.act(&mut self.world, h))
    }

    pub(crate) fn booked(&mut self, mut report: StepReport) -> StepReport {
        if let Some(drive) = &mut self.drive {
            drive.book(&self.world, &mut report);
        }
        report
    }

    /// The events of the scene that have fired, in the order of time.
    pub fn fired(&self) -> Vec<Fired> {
        self.drive.as_ref().map_or_else(Vec::new, Drive::fired)
    }

    /// The end that an event has asked for.
    pub fn stopped(&self) -> Option<&Stop> {
        self.drive.as_ref().and_then(Drive::stopped)
    }

    /// All of the scene as it is now. It holds a copy of the world, so that it can be gone back to whatever is removed, breaks or is
    /// changed later. A [`taut::State`] is smaller and takes a world back as long as its structure is the same.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { world: self.world.clone(), memory: self.drive.as_ref().map(Drive::memory).unwrap_or_default() }
    }

    /// Goes back to a snapshot of this scene.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.world.clone_from(&snapshot.world);
        if let Some(drive) = &mut self.drive {
            drive.recall(&snapshot.memory);
        }
    }

    /// Largest strain of the edges at the present pose: |distance - length| / length; zero without edges.
    pub fn strain(&self) -> Result<f64> {
        let mut most = 0.0_f64;
        for &(i, j, length) in &self.edges {
            let d = self.world.body(i)?.position() - self.world.body(j)?.position();
            let strain = (d.length() - length).abs() / length;
            most = if strain.is_nan() { f64::NAN } else { most.max(strain) };
        }
        Ok(most)
    }
}

/// A scene of the library.
#[derive(Clone)]
pub struct SceneInfo {
    /// Name on the command line.
    pub name: &'static str,
    /// One line: what it shows.
    pub summary: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What can be varied.
    pub parameters: Vec<Parameter>,
    /// Default step, s.
    pub dt: f64,
    /// Default simulated time, s.
    pub time: f64,
    /// Builds it; [`SceneInfo::with`] is for all others.
    pub(crate) build: fn(&Parameters) -> Result<Scene>,
}

impl SceneInfo {
    /// Parameters with which a scene of many bodies is small enough to be run among all others.
    pub fn small(&self) -> &'static [(&'static str, &'static str)] {
        match self.name {
            "ragdolls" => &[("ragdolls", "4")],
            "ragdoll-pile" => &[("ragdolls", "2")],
            "bow" => &[("cells", "12"), ("start", "braced")],
            "trampoline" => &[("side", "8")],
            "creatures" => &[("which", "flesh"), ("size", "0.2")],
            "flag" => &[("cells", "6")],
            "catheter" => &[("segments", "20")],
            "muscle" => &[("layers", "1")],
            "anisotropic-quads" => &[("cells", "4")],
            "stvk-cloth" => &[("cells", "5")],
            "anchor-handling" => &[("segment", "10")],
            "tug-tow" => &[("segment", "20")],
            "incompressible-cube" => &[("cells", "2")],
            _ => &[],
        }
    }

    /// Builds the scene with some parameters given as text. Its world can take RedMax's step as well.
    pub fn with(&self, given: &[(&str, &str)]) -> Result<(Scene, Parameters)> {
        let mut p = Parameters::defaults(&self.parameters);
        for (name, text) in given {
            p.set(&self.parameters, name, text)?;
        }
        let mut scene = (self.build)(&p)?;
        taut_redmax::attach(&mut scene.world);
        Ok((scene, p))
    }
}

/// Every scene.
pub fn all() -> Vec<SceneInfo> {
    vec![
        scenes::chain::info(),
        scenes::tree::info(),
        scenes::cable_table1::info(),
        scenes::pendulum_cable::info(),
        scenes::cable_vibration::info(),
        scenes::cable_torsion::info(),
        scenes::crane::info(),
        scenes::crane_boom::info(),
        scenes::strong_robot::info(),
        scenes::particle_cable::info(),
        scenes::thin_wire::info(),
        scenes::cloth::info(),
        scenes::rigid_chain::info(),
        scenes::fivebar::info(),
        scenes::fourbar::info(),
        scenes::bricard::info(),
        scenes::ladder::info(),
        scenes::net::info(),
        scenes::lattice::info(),
        scenes::scissor_lift::info(),
        scenes::assembly::info(),
        scenes::spinning_body::info(),
        scenes::ragdoll::info(),
        scenes::ragdoll_pile::info(),
        scenes::ragdolls::info(),
        scenes::rod_on_cylinder::info(),
        scenes::snatch::info(),
        scenes::crane_landing::info(),
        scenes::mobile_crane::info(),
        scenes::operated_crane::info(),
        scenes::elevator::info(),
        scenes::cable_robot::info(),
        scenes::capstan::info(),
        scenes::sailing_boat::info(),
        scenes::rope_access::info(),
        scenes::anchor_handling::info(),
        scenes::tug_tow::info(),
        scenes::ski_lift::info(),
        scenes::box_stack::info(),
        scenes::friction_ramp::info(),
        scenes::bouncing_balls::info(),
        scenes::tow::info(),
        scenes::wrecking_ball::info(),
        scenes::yard::info(),
        scenes::bridge_truck::info(),
        scenes::shots::info(),
        scenes::bicycle_chain::info(),
        scenes::newton_cradle::info(),
        scenes::robot_gripper::info(),
        scenes::bridge::info(),
        scenes::umbrella::info(),
        scenes::tree_springs::info(),
        scenes::tree_springs_alternate::info(),
        scenes::soft_cantilever::info(),
        scenes::beam_vibration::info(),
        scenes::stvk_cloth::info(),
        scenes::anisotropic_quads::info(),
        scenes::incompressible_cube::info(),
        scenes::heavy_on_soft::info(),
        scenes::bow::info(),
        scenes::trampoline::info(),
        scenes::creatures::info(),
        scenes::muscle::info(),
        scenes::flag::info(),
        scenes::soft_finger::info(),
        scenes::knee::info(),
        scenes::corkscrew::info(),
        scenes::catheter::info(),
    ]
}

/// A scene by name.
pub fn find(name: &str) -> Result<SceneInfo> {
    let list = all();
    let names: Vec<&str> = list.iter().map(|s| s.name).collect();
    let expected = format!("one of {}", names.join(", "));
    list.into_iter().find(|s| s.name == name).ok_or_else(|| Error::input("scene", name, expected))
}

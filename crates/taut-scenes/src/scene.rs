//! What a scene is, and the list of them.

use crate::parameters::{Parameter, Parameters};
use crate::scenes;
use taut::{BodyId, Error, Result, StepReport, World};

/// A world ready to run, with the measures a run is judged by.
#[derive(Debug)]
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

/// What a scene does to its world before a step: targets of kinematic bodies, commands of motors.
type Act = dyn Fn(&mut World, f64) -> Result<()> + Send + Sync;

/// What moves a scene from outside, told before each step its length, s. It goes by the time and the state of the world alone, so that a
/// run goes on from a snapshot as it would have.
pub struct Drive(Box<Act>);

impl Drive {
    /// From a function of the world and the length of the step, s.
    pub fn new(act: impl Fn(&mut World, f64) -> Result<()> + Send + Sync + 'static) -> Self {
        Drive(Box::new(act))
    }
}

impl std::fmt::Debug for Drive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Drive")
    }
}

impl Scene {
    /// Advances by `h` seconds, moved by what drives the scene.
    pub fn step(&mut self, h: f64) -> Result<StepReport> {
        self.drive(h)?;
        self.world.step(h)
    }

    /// The same, with the time of each stage, s; `clock` counts seconds from any moment on.
    pub fn profiled_step(&mut self, h: f64, clock: fn() -> f64) -> Result<(StepReport, Vec<(&'static str, f64)>)> {
        self.drive(h)?;
        self.world.profiled_step(h, clock)
    }

    /// What drives the scene, without the step of `h` seconds that follows it.
    pub fn drive(&mut self, h: f64) -> Result<()> {
        self.drive.as_ref().map_or(Ok(()), |drive| (drive.0)(&mut self.world, h))
    }

    /// Largest strain of the edges at the present pose: |distance - length| / length; zero without edges.
    pub fn strain(&self) -> Result<f64> {
        let mut most = 0.0_f64;
        for &(i, j, length) in &self.edges {
            let d = self.world.body(i)?.pose.pos - self.world.body(j)?.pose.pos;
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
        scenes::box_stack::info(),
        scenes::friction_ramp::info(),
        scenes::bouncing_balls::info(),
        scenes::tow::info(),
        scenes::wrecking_ball::info(),
        scenes::yard::info(),
        scenes::shots::info(),
        scenes::bicycle_chain::info(),
        scenes::newton_cradle::info(),
        scenes::robot_gripper::info(),
        scenes::bridge::info(),
        scenes::umbrella::info(),
        scenes::tree_springs::info(),
        scenes::tree_springs_alternate::info(),
    ]
}

/// A scene by name.
pub fn find(name: &str) -> Result<SceneInfo> {
    let list = all();
    let names: Vec<&str> = list.iter().map(|s| s.name).collect();
    let expected = format!("one of {}", names.join(", "));
    list.into_iter().find(|s| s.name == name).ok_or_else(|| Error::input("scene", name, expected))
}

//! The validation suite: each check runs the engine and compares what it measures with a bound that comes from a closed form, a
//! conservation law or a promise of the README. One check per file; `all()` lists them. The command line is `taut check`.

mod effort;
mod measure;
mod rig;
pub mod theory;

mod anytime;
mod assembly;
mod bicycle_chain;
mod bouncing_balls;
mod box_stack;
mod bridge_truck;
mod cantilever;
mod catenary;
mod cloth;
mod convergence;
mod crane;
mod crane_boom;
pub mod energy;
mod fourbar;
mod friction_ramp;
mod heavy_cable;
mod heavy_ropes;
mod landing;
mod ledger;
mod momentum;
mod newton_cradle;
mod particle_cable;
mod pendulum;
mod ragdoll;
mod ragdoll_pile;
mod reactions;
mod reduced;
mod repeat;
mod robot_gripper;
pub mod rod;
mod rope_map;
mod ropes;
mod scissor_lift;
mod shots;
mod ski_lift;
mod snatch;
mod soft;
pub mod soft_map;
pub mod stability_map;
mod string_frequency;
mod strong_robot;
mod top;
mod topology;
mod torsion;
mod tow;
pub mod trees;
mod wrecking_ball;
mod yard;

pub use effort::{Effort, Failure};
pub use measure::{Bound, Measured};

/// A check of the suite.
#[derive(Clone, Copy)]
pub struct Check {
    /// Name on the command line.
    pub id: &'static str,
    /// One line: what must hold.
    pub summary: &'static str,
    /// Where the expected value comes from.
    pub source: &'static str,
    /// Runs it.
    pub run: fn(&Effort<'_>) -> Result<Vec<Measured>, Failure>,
}

/// Every check, the long ones first.
pub fn all() -> Vec<Check> {
    vec![
        crane::check(),
        stability_map::check(),
        trees::check(),
        crane_boom::check(),
        strong_robot::check(),
        ragdoll_pile::check(),
        ragdoll::check(),
        bicycle_chain::check(),
        energy::check(),
        heavy_cable::check(),
        box_stack::check(),
        shots::check(),
        yard::check(),
        bridge_truck::check(),
        wrecking_ball::check(),
        tow::check(),
        friction_ramp::check(),
        bouncing_balls::check(),
        landing::check(),
        snatch::check(),
        ropes::check(),
        rope_map::check(),
        rod::check(),
        particle_cable::check(),
        cloth::check(),
        reactions::check(),
        catenary::check(),
        cantilever::check(),
        torsion::check(),
        string_frequency::check(),
        pendulum::check(),
        fourbar::check(),
        top::check(),
        convergence::check(),
        momentum::check(),
        ledger::check(),
        repeat::check(),
        reduced::check(),
        newton_cradle::check(),
        robot_gripper::check(),
        anytime::check(),
        scissor_lift::check(),
        assembly::check(),
        soft::check(),
        soft_map::check(),
        topology::check(),
    ]
}

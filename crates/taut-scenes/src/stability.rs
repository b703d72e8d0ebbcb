//! The rule by which a run is stable, step by step: that of `taut run` and of the page.
//!
//! A step is at fault when the energy has risen above the start, without the work of applied forces and without what
//! the start set up ([`SetUp`]), by a tenth of the scale; or when a gap that is not of the start has opened to a tenth
//! of the scene's length. What is not a number is at fault.

use crate::scene::Scene;
use crate::setup::{SetUp, SetUpMeter};
use taut::{Result, StepReport};

/// A run is unstable when the energy rises above the start by this part of the scale,
pub const RISE_LIMIT: f64 = 0.1;
/// or a gap grows past this part of the scene's length.
pub const GAP_LIMIT: f64 = 0.1;

/// A number with so many decimals, and in powers of ten where that would be long.
fn short(x: f64, decimals: usize) -> String {
    if x.is_finite() && x.abs() >= 1e6 { format!("{x:.2e}") } else { format!("{x:.decimals$}") }
}

/// What a step came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Energy above the start over the scale, without work, and without what the start set up.
    pub rise: f64,
    /// Largest gap of a rigid joint or excess of a rope over the length; none while it is that of the start.
    pub opening: f64,
    /// Why the run is no longer stable after this step.
    pub fault: Option<String>,
}

/// Follows a run.
#[derive(Clone, Debug)]
pub struct Stability {
    length: f64,
    scale: f64,
    /// Energy at the start and work of applied forces since, J.
    start: f64,
    work: f64,
    /// All weights over the length, J.
    weight: f64,
    set_up: SetUpMeter,
}

impl Stability {
    /// Before the first step, of `dt` seconds.
    pub fn new(scene: &mut Scene, dt: f64) -> Result<Self> {
        let mass: f64 = scene.world.bodies().map(|b| b.mass()).sum();
        Ok(Stability {
            length: scene.length,
            scale: scene.energy_scale,
            start: scene.world.energy()?.total(),
            work: 0.0,
            weight: mass * scene.world.options().gravity.length() * scene.length,
            set_up: SetUpMeter::new(scene, dt)?,
        })
    }

    /// Judges a step.
    pub fn see(&mut self, r: &StepReport) -> Judgement {
        // Energy that applied forces put in is not a rise of the method's making.
        self.work += r.ledger.work;
        self.set_up.see(r, self.work);
        let scale = self.set_up.scale(self.scale, self.weight);
        let rise = (r.energy.total() - self.start - self.work - self.set_up.base()) / scale;
        let gap = if r.max_gap.is_nan() { f64::NAN } else { r.max_gap.max(r.bounded.overrun) };
        let opening = self.set_up.judged(gap) / self.length;
        let fault = if !(rise < RISE_LIMIT) {
            Some(format!("the energy rose by {} % of the scale", short(100.0 * rise, 1)))
        } else if !(opening < GAP_LIMIT) {
            let (gap, part) = (short(gap, 3), short(100.0 * opening, 1));
            Some(format!("a joint or rope opened by {gap} m, {part} % of the length"))
        } else {
            None
        };
        Judgement { rise, opening, fault }
    }

    /// Somebody put so much energy in between two steps, J: work, and no rise of the method's making.
    pub fn put_in(&mut self, energy: f64) {
        self.work += energy;
    }

    /// What the start set up that could not stand; none when it could.
    pub fn set_up(&self) -> Option<SetUp> {
        self.set_up.done()
    }
}

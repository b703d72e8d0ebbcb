//! How much work a check may take, and how it is stopped.

use crate::run::{Outcome, Sample, run, run_with};
use crate::scene::{Scene, find};
use taut::{StepReport, World};

/// Why a check has no values.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// It was asked to stop.
    Stopped,
    /// The engine refused something or a step failed.
    Error(taut::Error),
}

impl From<taut::Error> for Failure {
    fn from(e: taut::Error) -> Self {
        Failure::Error(e)
    }
}

/// A case of a check: its name, a scene of the library, parameters of the scene.
pub(crate) type Case<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)]);

/// How to run a check.
pub struct Effort<'a> {
    /// Fewer cases and shorter runs; the bounds are the same.
    pub quick: bool,
    /// Asked between steps; true ends the check with [`Failure::Stopped`].
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

impl Effort<'_> {
    /// One of two values, for the full or the quick suite.
    pub(crate) fn pick<T>(&self, full: T, quick: T) -> T {
        if self.quick { quick } else { full }
    }

    /// Whether to go on.
    pub(crate) fn go_on(&self) -> Result<(), Failure> {
        if (self.stop)() { Err(Failure::Stopped) } else { Ok(()) }
    }

    /// A scene of the library run with some parameters.
    pub(crate) fn outcome(&self, scene: &str, set: &[(&str, &str)], dt: f64, time: f64) -> Result<Outcome, Failure> {
        let (mut s, _) = find(scene)?.with(set)?;
        self.watched(&mut s, dt, time, |_| {})
    }

    /// A scene run by the one runner, each step seen by `see`.
    pub(crate) fn watched(
        &self,
        scene: &mut Scene,
        dt: f64,
        time: f64,
        mut see: impl FnMut(&Sample),
    ) -> Result<Outcome, Failure> {
        let outcome = run(scene, dt, time, |s| {
            see(s);
            !(self.stop)()
        })?;
        self.go_on()?;
        Ok(outcome)
    }

    /// The same, where `see` also looks at the world.
    pub(crate) fn looked(
        &self,
        scene: &mut Scene,
        dt: f64,
        time: f64,
        mut see: impl FnMut(&World, &Sample) -> taut::Result<()>,
    ) -> Result<Outcome, Failure> {
        let mut broken = None;
        let outcome = run_with(scene, dt, time, |w, s| {
            broken = see(w, s).err();
            broken.is_none() && !(self.stop)()
        })?;
        self.go_on()?;
        broken.map_or(Ok(outcome), |e| Err(e.into()))
    }

    /// Steps of `h` seconds for `time` seconds; `see` looks at the world after each.
    pub(crate) fn steps(
        &self,
        world: &mut World,
        h: f64,
        time: f64,
        mut see: impl FnMut(&World) -> taut::Result<()>,
    ) -> Result<(), Failure> {
        for _ in 0..(time / h).round() as u64 {
            self.go_on()?;
            world.step(h)?;
            see(world)?;
        }
        Ok(())
    }

    /// The same for a scene with what drives it; `see` also gets the report of the step.
    pub(crate) fn driven(
        &self,
        scene: &mut Scene,
        h: f64,
        time: f64,
        mut see: impl FnMut(&World, &StepReport) -> taut::Result<()>,
    ) -> Result<(), Failure> {
        for _ in 0..(time / h).round() as u64 {
            self.go_on()?;
            let report = scene.step(h)?;
            see(&scene.world, &report)?;
        }
        Ok(())
    }
}

//! How a figure computes: simulations on all cores, with progress, until Ctrl-C.

use crate::{interrupt, workers};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use taut::World;
use taut_scenes::choices;
use taut_scenes::{Outcome, Sample, Scene};

/// Why a figure was not made.
#[derive(Clone, Debug)]
pub enum Stop {
    /// Ctrl-C.
    Interrupted,
    /// Something went wrong.
    Failed(String),
}

impl From<taut::Error> for Stop {
    fn from(e: taut::Error) -> Self {
        Stop::Failed(e.to_string())
    }
}

/// What a figure is computed with.
pub struct Task {
    /// Shorter runs and coarser grids.
    pub quick: bool,
    bar: ProgressBar,
}

/// Steps between two looks at Ctrl-C.
const LOOK: u64 = 32;

impl Task {
    /// For the figure of this name.
    pub fn new(name: &'static str, quick: bool, quiet: bool) -> Self {
        let bar = if quiet || !std::io::stderr().is_terminal() {
            ProgressBar::hidden()
        } else {
            ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr())
        };
        let style = "{spinner} {msg} {wide_bar} {percent:>3} %, {eta} left";
        let style = ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar());
        Task { quick, bar: bar.with_style(style).with_message(name) }
    }

    /// One of two settings.
    pub fn pick<T>(&self, full: T, quick: T) -> T {
        if self.quick { quick } else { full }
    }

    /// Announces so much work.
    pub fn expect(&self, work: u64) {
        self.bar.inc_length(work);
    }

    /// So much of it is done; whether to go on.
    pub fn tick(&self, work: u64) -> Result<(), Stop> {
        self.bar.inc(work);
        if interrupt::pressed() { Err(Stop::Interrupted) } else { Ok(()) }
    }

    /// Calls `work` for every case, on all cores.
    pub fn spread<C: Sync, R: Send>(
        &self,
        cases: &[C],
        work: impl Fn(&C) -> Result<R, Stop> + Sync,
    ) -> Result<Vec<R>, Stop> {
        workers::spread(cases, work)
    }

    /// Takes the bar off the screen.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Runs simulations on all cores; `probe` makes one record of each step.
    pub fn run<P: Send>(
        &self,
        sims: &[Sim],
        probe: impl Fn(&Sim, &mut World, &Sample) -> taut::Result<P> + Sync,
    ) -> Result<Vec<Track<P>>, Stop> {
        self.expect(sims.iter().map(Sim::steps).sum());
        self.spread(sims, |sim| self.run_one(sim, |w, s| probe(sim, w, s)))
    }

    /// Runs one simulation whose steps have been announced.
    pub fn run_one<P>(
        &self,
        sim: &Sim,
        mut probe: impl FnMut(&mut World, &Sample) -> taut::Result<P>,
    ) -> Result<Track<P>, Stop> {
        let mut scene = sim.build()?;
        let (mut records, mut stop, mut pending) = (Vec::new(), None, 0);
        let outcome = taut_scenes::run_with(&mut scene, sim.dt, sim.time, |world, sample| {
            match probe(world, sample) {
                Ok(p) => records.push(p),
                Err(e) => stop = Some(e.into()),
            }
            pending += 1;
            if pending == LOOK {
                pending = 0;
                stop = stop.take().or(self.tick(LOOK).err());
            }
            stop.is_none()
        })?;
        let rest = sim.steps() - outcome.steps + pending;
        self.tick(rest)?;
        match stop {
            Some(stop) => Err(stop),
            None => Ok(Track { records, outcome }),
        }
    }
}

/// One simulation of a scene of the library.
#[derive(Clone, Debug)]
pub struct Sim {
    /// Name of the scene.
    pub scene: &'static str,
    /// Its parameters.
    pub set: Vec<(&'static str, String)>,
    /// As on the command line.
    pub stabiliser: &'static str,
    /// Step, s.
    pub dt: f64,
    /// Simulated time, s.
    pub time: f64,
}

impl Sim {
    /// A scene with its own parameters.
    pub fn new(scene: &'static str, stabiliser: &'static str, dt: f64, time: f64) -> Self {
        Sim { scene, set: Vec::new(), stabiliser, dt, time }
    }

    /// With one more parameter.
    pub fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.set.push((name, value.to_string()));
        self
    }

    /// Steps of the whole run.
    pub fn steps(&self) -> u64 {
        (self.time / self.dt).round().max(1.0) as u64
    }

    /// The scene, ready to run.
    pub fn build(&self) -> Result<Scene, Stop> {
        let set: Vec<(&str, &str)> = self.set.iter().map(|(n, v)| (*n, v.as_str())).collect();
        let (mut scene, _) = taut_scenes::find(self.scene)?.with(&set)?;
        let choice = choices::stabiliser(self.stabiliser).map_err(Stop::Failed)?;
        let mut o = *scene.world.options();
        o.stabiliser = choice.stabiliser;
        o.resolved = choice.resolved.unwrap_or(o.resolved);
        scene.world.set_options(o)?;
        Ok(scene)
    }
}

/// What a simulation left.
pub struct Track<P> {
    /// One record per step, up to the end or the divergence.
    pub records: Vec<P>,
    /// How it ended.
    pub outcome: Outcome,
}

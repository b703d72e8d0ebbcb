//! Runs a random world by its script, under the eyes of the judge.

use super::judge::{Finding, Judge, Kind, Limits, Verdict};
use super::{Case, Script};
use crate::file::{self, FileError};
use crate::scene::Scene;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;
use taut::{Options, State, World};

/// Steps after a snapshot that are repeated.
pub(super) const REPEATED: usize = 10;

/// How a world is tried.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trial {
    /// What counts.
    pub limits: Limits,
    /// The run ends when this is found.
    pub until: Option<Kind>,
}

/// Runs a world and judges it. Whatever happens in it becomes a finding.
pub fn try_case(case: &Case, trial: &Trial) -> Verdict {
    let run = AssertUnwindSafe(|| tried(case, trial));
    catch_unwind(run).unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().map(String::as_str);
        let words = words.or(panic.downcast_ref::<&str>().copied());
        failed(Kind::Panic, words.unwrap_or("without words").to_owned())
    })
}

fn failed(kind: Kind, note: String) -> Verdict {
    let finding = Finding { kind, step: 0, value: 0.0, measured_by: [1.0; 2], note };
    Verdict { findings: vec![finding], ..Verdict::default() }
}

fn tried(case: &Case, trial: &Trial) -> Verdict {
    let dt = case.file.outputs.dt();
    let mut scene = match open(case, false) {
        Ok(scene) => scene,
        Err(e) => return failed(Kind::Error, e.to_string()),
    };
    let judge = match Judge::new(&mut scene.world, trial.limits) {
        Ok(judge) => judge,
        Err(e) => return failed(Kind::Error, e.to_string()),
    };
    let mut run = Run { script: &case.script, dt, world: scene.world, judge, snapshot: None, hashes: Vec::new() };
    run.all(trial);
    run.judge.end(&run.world);
    let wanted = trial.until.is_none_or(|k| k == Kind::Threads);
    if case.script.threads && wanted && run.judge.verdict.of(Kind::Error).is_none() {
        run.on_threads(case);
    }
    run.judge.verdict
}

/// The world of a case, on one thread or on those of the pool that it is stepped in.
pub(super) fn open(case: &Case, parallel: bool) -> Result<Scene, FileError> {
    let mut scene = file::build(&case.file)?;
    let options = Options { parallel, ..*scene.world.options() };
    // Nothing but the threads has changed, so that there is nothing to refuse.
    let _ = scene.world.set_options(options);
    Ok(scene)
}

struct Run<'a> {
    script: &'a Script,
    dt: f64,
    world: World,
    judge: Judge,
    /// A snapshot to repeat, its step, and how many joints there were.
    snapshot: Option<(usize, State, usize)>,
    /// The state after each step, where threads are to repeat it.
    hashes: Vec<u64>,
}

impl Run<'_> {
    /// All steps, up to the first that cannot be taken.
    fn all(&mut self, trial: &Trial) {
        let begin = Instant::now();
        for step in 0..self.script.steps {
            self.repeat(step);
            if let Err(e) = self.edit(step).and_then(|()| self.step(step)) {
                self.judge.note(Kind::Error, step, e.to_string());
                return;
            }
            if trial.until.is_some_and(|kind| self.judge.verdict.of(kind).is_some()) {
                return;
            }
            if begin.elapsed().as_secs_f64() > trial.limits.seconds {
                let slow = Finding { value: trial.limits.seconds, ..self.judge.found(Kind::Slow, step, String::new()) };
                self.judge.verdict.add(slow);
                return;
            }
        }
        self.repeat(self.script.steps);
    }

    /// The edits before a step. The energy that they bring or take is booked as theirs.
    fn edit(&mut self, step: usize) -> taut::Result<()> {
        for edit in self.script.at(step) {
            edit.change.apply(&mut self.world)?;
            self.judge.begin(&mut self.world)?;
            if edit.change.parts_bodies() {
                self.judge.parted();
            }
        }
        if self.script.snapshot == Some(step) {
            self.snapshot = Some((step, self.world.state().clone(), self.world.joints().count()));
        }
        Ok(())
    }

    fn step(&mut self, step: usize) -> taut::Result<()> {
        let report = self.world.step(self.script.length(step, self.dt))?;
        self.judge.see(&self.world, &report, step);
        if self.script.threads {
            self.hashes.push(self.world.state().hash());
        }
        Ok(())
    }

    /// Repeats the steps since the snapshot, once there are enough of them or an edit is about to
    /// make it useless. The run goes on from where it was.
    fn repeat(&mut self, now: usize) {
        let due =
            |from: usize| now >= from + REPEATED || now == self.script.steps || self.script.at(now).next().is_some();
        let Some((from, snapshot, joints)) = self.snapshot.take_if(|s| due(s.0)) else { return };
        if self.world.joints().count() != joints {
            // A joint broke meanwhile: there is no way back.
            return;
        }
        let here = self.world.state().clone();
        let mut same = self.world.restore(&snapshot).is_ok();
        for step in from..now {
            same = same && self.world.step(self.script.length(step, self.dt)).is_ok();
        }
        if !same || self.world.state().hash() != here.hash() {
            self.judge.note(Kind::Repeat, from, String::new());
            // Where even that is refused, the run goes on as it is.
            let _ = self.world.restore(&here);
        }
    }

    /// The same run on two threads.
    #[cfg(not(target_family = "wasm"))]
    fn on_threads(&mut self, case: &Case) {
        let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(2).build() else { return };
        let hashes = std::mem::take(&mut self.hashes);
        let parted = pool.install(|| {
            let Ok(mut scene) = open(case, true) else { return Some(0) };
            (0..hashes.len()).find(|&step| {
                let edits = self.script.at(step).all(|e| e.change.apply(&mut scene.world).is_ok());
                let stepped = scene.world.step(self.script.length(step, self.dt)).is_ok();
                !edits || !stepped || scene.world.state().hash() != hashes[step]
            })
        });
        if let Some(step) = parted {
            self.judge.note(Kind::Threads, step, String::new());
        }
    }

    #[cfg(target_family = "wasm")]
    fn on_threads(&mut self, _: &Case) {}
}

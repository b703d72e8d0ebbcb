//! Makes a failing world small: less of everything, as long as the same kind of thing goes wrong.

use super::judge::{Kind, Verdict};
use super::run::{Trial, try_case};
use super::{Case, Script, reduce};
use crate::file::{self, SceneFile, quantity::Number};
use serde_json::Value;
use std::time::{Duration, Instant};

/// Opening of a joint at the start that is rounding, m or rad.
const CLOSED: f64 = 1e-9;

/// How much a shrink may cost.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Most worlds to try.
    pub trials: usize,
    /// Most time. A shrink that ends by time may come out differently on another machine.
    pub time: Duration,
    /// Whether to stop at once.
    pub stop: fn() -> bool,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { trials: 4000, time: Duration::from_secs(20), stop: || false }
    }
}

/// The smallest world found with a finding of the same kind, and its verdict.
pub fn shrink(case: &Case, kind: Kind, trial: &Trial, budget: &Budget) -> (Case, Verdict) {
    let trial = Trial { until: Some(kind), ..*trial };
    let first = try_case(case, &trial);
    let mut best = Shrink { case: case.clone(), kind, trial, left: budget.trials, end: None, stop: budget.stop };
    best.end = Instant::now().checked_add(budget.time);
    best.shorten(&first);
    while best.round() && best.may() {}
    let verdict = try_case(&best.case, &best.trial);
    let case = judged_alike(best.case, &verdict, kind);
    (case, verdict)
}

struct Shrink {
    case: Case,
    kind: Kind,
    trial: Trial,
    left: usize,
    end: Option<Instant>,
    stop: fn() -> bool,
}

impl Shrink {
    fn may(&self) -> bool {
        self.left > 0 && !(self.stop)() && self.end.is_none_or(|end| Instant::now() < end)
    }

    /// Takes a world if the same goes wrong in it.
    fn take(&mut self, case: Case) -> bool {
        if !self.may() {
            return false;
        }
        self.left -= 1;
        let verdict = try_case(&case, &self.trial);
        if verdict.of(self.kind).is_none() {
            return false;
        }
        self.case = case;
        self.shorten(&verdict);
        true
    }

    /// Drops the steps after the finding.
    fn shorten(&mut self, verdict: &Verdict) {
        let Some(found) = verdict.of(self.kind) else { return };
        if matches!(self.kind, Kind::Panic | Kind::Repeat | Kind::Slow) {
            return;
        }
        let steps = (found.step + 1).min(self.case.script.steps);
        self.case.script.steps = steps;
        self.case.script.edits.retain(|e| e.step < steps);
    }

    /// One pass over everything; whether it helped.
    fn round(&mut self) -> bool {
        let mut helped = self.script();
        helped |= self.documents(reduce::smaller);
        helped |= self.documents(reduce::rounder);
        helped | self.steps()
    }

    /// Less of the script: no edits, constant or alternating steps, no snapshot, no threads.
    fn script(&mut self) -> bool {
        let mut helped = false;
        let script = self.case.script.clone();
        for k in (0..script.edits.len()).rev() {
            let mut case = self.case.clone();
            case.script.edits.remove(k);
            helped |= self.take(case);
        }
        let simpler: [fn(&mut Script) -> bool; 4] = [
            |s| !std::mem::take(&mut s.lengths).is_empty(),
            alternate,
            |s| s.snapshot.take().is_some(),
            |s| std::mem::take(&mut s.threads),
        ];
        for simplify in simpler {
            let mut case = self.case.clone();
            helped |= simplify(&mut case.script) && self.take(case);
        }
        helped
    }

    /// Smaller documents, each tried on the best so far.
    fn documents(&mut self, candidates: fn(&Value) -> Vec<Value>) -> bool {
        let mut helped = false;
        let mut from = 0;
        while let Ok(now) = file::document(&self.case.file) {
            let list = candidates(&now);
            let better = (from..list.len()).find(|&k| {
                let Some(file) = sound(&list[k]) else { return false };
                self.take(Case { file, ..self.case.clone() })
            });
            // What did not help before will hardly help now: on from the same place.
            let Some(k) = better else { return helped };
            (helped, from) = (true, k);
        }
        helped
    }

    /// Half the steps, where the finding does not say how many are needed.
    fn steps(&mut self) -> bool {
        let mut helped = false;
        while self.case.script.steps > 1 {
            let mut case = self.case.clone();
            case.script.steps /= 2;
            case.script.snapshot = case.script.snapshot.map(|s| s / 2);
            if !self.take(case) {
                break;
            }
            helped = true;
        }
        helped
    }
}

/// The file of a document, if it can be built and no joint starts open or beyond its limits: a
/// rope that was rounded too short would fail by itself.
fn sound(document: &Value) -> Option<SceneFile> {
    let file = file::parse(&document.to_string()).ok()?;
    let world = file::build(&file).ok()?.world;
    let closed = world.joints().all(|j| j.gap().max(j.excess()) < CLOSED);
    closed.then_some(file)
}

/// The longest and the shortest step in turn; whether that is anything new.
fn alternate(script: &mut Script) -> bool {
    let (long, short) = script.lengths.iter().fold((0.0_f64, f64::INFINITY), |(a, b), h| (a.max(*h), b.min(*h)));
    let lengths: Vec<f64> = (0..script.lengths.len()).map(|k| if k % 2 == 0 { long } else { short }).collect();
    let new = lengths != script.lengths;
    script.lengths = lengths;
    new
}

/// The file with the length and the scale of the finding, so that `taut run` judges it alike, and
/// with what is not in it in its description.
pub fn judged_alike(mut case: Case, verdict: &Verdict, kind: Kind) -> Case {
    let Some(found) = verdict.of(kind) else { return case };
    let [length, scale] = found.measured_by.map(|x| Some(x).filter(|x| x.is_finite() && *x > 0.0));
    let o = &mut case.file.outputs;
    (o.length, o.energy_scale) = (length.map(Number::from), scale.map(Number::from));
    o.time = Some((o.dt() * case.script.steps as f64).into());
    let script = case.script.words().join("; ");
    let script = if script.is_empty() { String::new() } else { format!(" With: {script}.") };
    case.file.description = Some(format!("Seed {}: {found}.{script}", case.seed));
    case
}

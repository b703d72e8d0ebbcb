//! What has happened in a scene: the small record by which it goes on, and goes back.

use taut::{JointId, RopeId, StepReport};

/// Something that an event did, or was told again that it may do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Entry {
    /// Which event of the script.
    pub event: usize,
    /// Time of the world, s.
    pub time: f64,
    /// It fired; else it was armed again.
    pub fired: bool,
}

/// An event that has fired.
#[derive(Clone, Debug, PartialEq)]
pub struct Fired {
    /// Its name; `events[2]` for the third of a file when it has none.
    pub name: String,
    /// Time of the world before the step that it acted on, s.
    pub time: f64,
}

/// The end of a run that an event has asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// Name of the event.
    pub event: String,
    /// Time of the world, s.
    pub time: f64,
    /// What it said.
    pub message: String,
}

/// What has happened so far. It goes by the time of the world: what it has of later times is forgotten when a world has gone back.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Record {
    /// In the order of time.
    pub log: Vec<Entry>,
    pub stop: Option<Stop>,
    /// By program, the length that it gave its joint last, m.
    pub lengths: Vec<Option<f64>>,
    /// What was put in since the last step.
    pub books: Books,
}

impl Record {
    /// When an event has fired last, s.
    pub fn last(&self, event: usize) -> Option<f64> {
        self.log.iter().rev().find(|e| e.event == event && e.fired).map(|e| e.time)
    }

    /// Whether an event may fire: it has not, or was armed again since.
    pub fn is_armed(&self, event: usize) -> bool {
        self.log.iter().rev().find(|e| e.event == event).is_none_or(|e| !e.fired)
    }
}

/// What was put in from outside around a step, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PutIn {
    /// By changes before the step.
    pub between: f64,
    /// In the step, by ropes and rods; the engine books it with the constraints.
    pub ropes: f64,
}

impl PutIn {
    /// Books it as work.
    pub fn enter(self, report: &mut StepReport) {
        let ledger = &mut report.ledger;
        ledger.change += self.between;
        ledger.work += self.between + self.ropes;
        ledger.constraints -= self.ropes;
    }
}

/// Energy that a script gives or takes between steps, and by ropes whose length changes in a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Books {
    /// Energy before the first change, J.
    pub before: Option<f64>,
    /// What the changes came to, J.
    pub put_in: f64,
    /// Ropes and rods whose length has changed.
    pub pulled: Vec<Pull>,
}

/// What can change its length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Line {
    Joint(JointId),
    /// Over guides.
    Rope(RopeId),
}

/// A rope or rod whose length has changed before a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pull {
    pub of: Line,
    /// By how much, m.
    pub change: f64,
    /// What it holds more by that at once, J; the rest of the work is done in the step.
    pub stored: f64,
}

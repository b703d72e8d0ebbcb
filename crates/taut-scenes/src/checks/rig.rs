//! What several checks use: joints at a point, periods, the worst of many values, how long a run was stable.

use super::Measured;
use crate::run::Outcome;
use taut::{Result, World};

/// Times at which a quantity passes zero, interpolated between steps.
#[derive(Default)]
pub(crate) struct Crossings {
    last: Option<(f64, f64)>,
    times: Vec<f64>,
}

impl Crossings {
    /// Sees the value at a time.
    pub fn see(&mut self, time: f64, value: f64) {
        if let Some((before, old)) = self.last
            && old * value < 0.0
        {
            self.times.push(time - (time - before) * value / (value - old));
        }
        self.last = Some((time, value));
    }

    /// The mean period; NaN with fewer than two crossings.
    pub fn period(&self) -> f64 {
        match (self.times.first(), self.times.last(), self.times.len()) {
            (Some(first), Some(last), n) if n > 1 => 2.0 * (last - first) / (n - 1) as f64,
            _ => f64::NAN,
        }
    }
}

/// The largest of many values, and where it was met. A value that is not a number stays.
pub(crate) struct Worst {
    value: f64,
    at: String,
}

impl Worst {
    pub fn new() -> Self {
        Worst { value: f64::NEG_INFINITY, at: String::new() }
    }

    /// Sees a value.
    pub fn see(&mut self, value: f64, at: impl FnOnce() -> String) {
        if !self.value.is_nan() && !(value <= self.value) {
            (self.value, self.at) = (value, at());
        }
    }

    /// Whether there was any.
    pub fn seen(&self) -> bool {
        self.value != f64::NEG_INFINITY
    }

    /// The bound on it, with where it was met; without any value it is broken.
    pub fn at_most(&self, what: &str, bound: f64, unit: &'static str) -> Measured {
        let what = if self.at.is_empty() { what.into() } else { format!("{what} ({})", self.at) };
        Measured::at_most(what, if self.seen() { self.value } else { f64::NAN }, bound, unit)
    }
}

/// How long a run of `time` seconds was stable, s; it must be all of it.
pub(crate) fn lasted(what: impl Into<String>, o: &Outcome, time: f64) -> Measured {
    let stable = if o.stable { o.dt * o.steps as f64 } else { o.dt * o.steps.saturating_sub(1) as f64 };
    Measured::at_least(what, stable, time - 0.5 * o.dt, "s")
}

/// Largest excess over a rigid limit of any joint, rad or m, and the name of the joint.
pub(crate) fn excess(w: &World) -> Result<(f64, String)> {
    let mut worst = (0.0, String::new());
    for v in w.joints() {
        // A value that is not a number stays.
        if !(v.excess() <= worst.0) {
            worst = (v.excess(), v.name().to_owned());
        }
    }
    Ok(worst)
}

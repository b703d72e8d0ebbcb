//! Which stage of the step the time goes to. The engine has no clock: a benchmark hands one in.

/// The stages that are told apart, in the order of `world::step` and `passes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Gather,
    Gyroscopic,
    Rows,
    Contacts,
    Candidates,
    Forces,
    Stiffness,
    Memory,
    Curvature,
    Assembly,
    Factor,
    Solve,
    Residual,
    Estimate,
    Corrections,
    Mobility,
    Bounded,
    Bounce,
    Poses,
    Books,
    Scatter,
}

/// Names of the stages, in the order of the enum.
const NAMES: [&str; 21] = [
    "gather",
    "gyroscopic term",
    "rows",
    "contacts",
    "candidates",
    "forces",
    "stiffness",
    "memory",
    "curvature",
    "assembly",
    "factor",
    "solve",
    "residual",
    "estimate",
    "corrections",
    "mobility of bounded rows",
    "bounded rows",
    "restitution and penetration",
    "poses",
    "books",
    "scatter",
];

/// Time spent in each stage while a clock is set; without one a mark costs a comparison.
#[derive(Clone, Debug, Default)]
pub(crate) struct Profile {
    clock: Option<fn() -> f64>,
    last: f64,
    spent: [f64; NAMES.len()],
}

impl Profile {
    /// Starts at zero with a clock that counts seconds.
    #[cfg(feature = "study")]
    pub fn start(clock: fn() -> f64) -> Self {
        Profile { clock: Some(clock), last: clock(), spent: Default::default() }
    }

    /// Whether there is a clock.
    #[cfg(all(feature = "parallel", not(target_family = "wasm")))]
    pub fn is_on(&self) -> bool {
        self.clock.is_some()
    }

    /// A stage is done: the time since the last mark is its own.
    #[inline(always)]
    pub fn mark(&mut self, stage: Stage) {
        if let Some(clock) = self.clock {
            self.book(clock(), stage);
        }
    }

    #[cold]
    fn book(&mut self, now: f64, stage: Stage) {
        self.spent[stage as usize] += now - self.last;
        self.last = now;
    }

    /// Seconds of each stage.
    #[cfg(feature = "study")]
    pub fn spent(&self) -> Vec<(&'static str, f64)> {
        NAMES.into_iter().zip(self.spent).collect()
    }
}

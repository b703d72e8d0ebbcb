//! How much a step may spend on its loops, and the meter that watches it.

/// What a step may spend, and when it is good enough. One iteration is one product with the loop operator, that is one acyclic solve;
/// beside them every solve costs three acyclic solves, which are linear in time and not counted.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Budget {
    /// Most iterations in one step, over all mechanisms; none: as many as the tolerance takes.
    pub iterations: Option<usize>,
    /// Most time for the iterations of one step, s; none: no clock is read. Runs with it do not repeat bit for bit.
    pub seconds: Option<f64>,
    /// Relative residual of the loop rows at which it is good enough.
    pub tolerance: f64,
    /// What is left of the budget closes joints that are open by more than this, m (rad), by moving bodies without changing their
    /// velocities; none: gaps close by velocities alone, as with the other solvers.
    pub gap: Option<f64>,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { iterations: None, seconds: None, tolerance: 1e-10, gap: None }
    }
}

impl Budget {
    /// So many iterations per step, with the default tolerance.
    pub fn iterations(most: usize) -> Self {
        Budget { iterations: Some(most), ..Budget::default() }
    }

    /// Whether a solve can be cut short before its tolerance.
    pub fn is_limited(&self) -> bool {
        self.iterations.is_some() || self.seconds.is_some()
    }
}

/// Counts iterations and watches the clock. An iteration is only begun when the longest one so far would still end in time.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    /// Iterations done.
    pub spent: usize,
    most: usize,
    clock: Option<(fn() -> f64, f64)>,
    begun: Option<f64>,
    longest: f64,
}

impl Default for Meter {
    fn default() -> Self {
        Meter { spent: 0, most: usize::MAX, clock: None, begun: None, longest: 0.0 }
    }
}

impl Meter {
    /// For a step that starts now. The clock counts seconds; without one the budget in time is not watched.
    pub fn new(budget: &Budget, clock: Option<fn() -> f64>) -> Self {
        let clock = budget.seconds.zip(clock).map(|(seconds, clock)| (clock, clock() + seconds));
        Meter { most: budget.iterations.unwrap_or(usize::MAX), clock, ..Meter::default() }
    }

    /// Iterations left.
    pub fn left(&self) -> usize {
        self.most.saturating_sub(self.spent)
    }

    /// The same meter with at most so many iterations more; `settle` takes the result back.
    pub fn share(&self, most: usize) -> Self {
        Meter { most: self.most.min(self.spent.saturating_add(most)), ..*self }
    }

    /// Takes back what a share has spent.
    pub fn settle(&mut self, share: &Meter) {
        *self = Meter { most: self.most, ..*share };
    }

    /// Begins an iteration if there is room for it.
    pub fn begin(&mut self) -> bool {
        if self.spent >= self.most {
            return false;
        }
        if let Some((clock, deadline)) = self.clock {
            let now = clock();
            if let Some(begun) = self.begun.replace(now) {
                self.longest = self.longest.max(now - begun);
            }
            if !(now + self.longest <= deadline) {
                self.most = self.spent;
                return false;
            }
        }
        self.spent += 1;
        true
    }

    /// Between two solves other work is done, which is no iteration.
    pub fn pause(&mut self) {
        self.begun = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    static TICKS: AtomicU64 = AtomicU64::new(0);

    /// Every look at it takes a millisecond.
    fn ticking() -> f64 {
        TICKS.fetch_add(1, Ordering::Relaxed) as f64 * 1e-3
    }

    #[test]
    fn iterations_are_exact_and_shares_are_taken_back() {
        let mut m = Meter::new(&Budget::iterations(5), None);
        let mut s = m.share(2);
        assert!(s.begin() && s.begin() && !s.begin());
        m.settle(&s);
        assert_eq!((m.spent, m.left()), (2, 3));
        assert!(m.begin() && m.begin() && m.begin() && !m.begin());
    }

    #[test]
    fn no_iteration_is_begun_that_would_end_late() {
        let budget = Budget { seconds: Some(0.0105), ..Budget::default() };
        let mut m = Meter::new(&budget, Some(ticking));
        let start = TICKS.load(Ordering::Relaxed);
        while m.begin() {}
        let ticks = TICKS.load(Ordering::Relaxed) - start;
        // The tenth look is at 10 ms: an iteration of 1 ms begun there would end after 10.5 ms.
        assert_eq!((m.spent, ticks), (9, 10));
        assert!(!m.begin(), "once over, it stays over");
    }
}

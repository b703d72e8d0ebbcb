//! A measured value and the bound it must keep.

/// What a value must keep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// At most this, in the unit of the value.
    AtMost(f64),
    /// At least this, in the unit of the value.
    AtLeast(f64),
    /// Near an expected value, in the unit of the value.
    Near {
        /// The expected value.
        expected: f64,
        /// Largest difference, as a part of the expected value.
        part: f64,
    },
}

/// One value that a check has measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// What was measured, in a few words.
    pub what: String,
    /// The value.
    pub value: f64,
    /// Its unit, empty for pure numbers.
    pub unit: &'static str,
    /// What it must keep.
    pub bound: Bound,
    /// Where the method is known not to keep it (docs/limits.md): what it must keep all the same, in the unit of the value.
    pub known: Option<f64>,
}

impl Measured {
    /// A value that must not exceed a bound.
    pub fn at_most(what: impl Into<String>, value: f64, bound: f64, unit: &'static str) -> Self {
        Measured { what: what.into(), value, unit, bound: Bound::AtMost(bound), known: None }
    }

    /// A value that must not fall below a bound.
    pub fn at_least(what: impl Into<String>, value: f64, bound: f64, unit: &'static str) -> Self {
        Measured { what: what.into(), value, unit, bound: Bound::AtLeast(bound), known: None }
    }

    /// A value that must equal the expected one up to a part of it.
    pub fn near(what: impl Into<String>, value: f64, expected: f64, part: f64, unit: &'static str) -> Self {
        Measured { what: what.into(), value, unit, bound: Bound::Near { expected, part }, known: None }
    }

    /// A count that must be complete.
    pub fn all_of(what: impl Into<String>, count: usize, of: usize) -> Self {
        Measured::at_least(what, count as f64, of as f64, "")
    }

    /// A stated limit of the method: beyond the bound, but no farther than this, so that getting worse still fails.
    pub fn known_to(mut self, limit: f64) -> Self {
        self.known = Some(limit);
        self
    }

    /// Whether the bound itself holds; a value that is not a number never does.
    pub fn is_within(&self) -> bool {
        match self.bound {
            Bound::AtMost(b) => self.value <= b,
            Bound::AtLeast(b) => self.value >= b,
            Bound::Near { expected, part } => (self.value - expected).abs() <= part * expected.abs(),
        }
    }

    /// Whether the bound holds, or what is known in its place.
    pub fn holds(&self) -> bool {
        let known = self.known.is_some_and(|limit| match self.bound {
            Bound::AtMost(_) => self.value <= limit,
            Bound::AtLeast(_) => self.value >= limit,
            Bound::Near { expected, .. } => (self.value - expected).abs() <= limit,
        });
        known || self.is_within()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_hold_at_the_bound_and_break_beyond_it_and_for_nan() {
        let holds = |m: Measured| m.holds();
        assert!(holds(Measured::at_most("", 1.0, 1.0, "")) && !holds(Measured::at_most("", 1.1, 1.0, "")));
        assert!(holds(Measured::at_least("", 1.0, 1.0, "")) && !holds(Measured::at_least("", 0.9, 1.0, "")));
        assert!(holds(Measured::near("", -2.0, -2.1, 0.05, "")) && !holds(Measured::near("", -1.9, -2.1, 0.05, "")));
        assert!(holds(Measured::all_of("", 3, 3)) && !holds(Measured::all_of("", 2, 3)));
        for bad in [f64::NAN, f64::INFINITY] {
            assert!(!holds(Measured::at_most("", bad, 1.0, "")) && !holds(Measured::near("", bad, 1.0, 0.1, "")));
        }
        assert!(!holds(Measured::at_least("", f64::NAN, 1.0, "")));
    }

    #[test]
    fn a_known_limit_passes_and_getting_worse_fails() {
        let at = |value| Measured::at_most("", value, 1.0, "%").known_to(1.6);
        assert!(at(0.9).is_within() && at(0.9).holds());
        assert!(!at(1.5).is_within() && at(1.5).holds());
        assert!(!at(1.7).holds() && !at(f64::NAN).holds());
        assert!(Measured::all_of("", 206, 210).known_to(206.0).holds());
        assert!(!Measured::all_of("", 205, 210).known_to(206.0).holds());
    }
}

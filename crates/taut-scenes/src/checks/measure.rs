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
}

impl Measured {
    /// A value that must not exceed a bound.
    pub fn at_most(what: impl Into<String>, value: f64, bound: f64, unit: &'static str) -> Self {
        Measured { what: what.into(), value, unit, bound: Bound::AtMost(bound) }
    }

    /// A value that must not fall below a bound.
    pub fn at_least(what: impl Into<String>, value: f64, bound: f64, unit: &'static str) -> Self {
        Measured { what: what.into(), value, unit, bound: Bound::AtLeast(bound) }
    }

    /// A value that must equal the expected one up to a part of it.
    pub fn near(what: impl Into<String>, value: f64, expected: f64, part: f64, unit: &'static str) -> Self {
        Measured { what: what.into(), value, unit, bound: Bound::Near { expected, part } }
    }

    /// A count that must be complete.
    pub fn all_of(what: impl Into<String>, count: usize, of: usize) -> Self {
        Measured::at_least(what, count as f64, of as f64, "")
    }

    /// Whether the bound holds; a value that is not a number never does.
    pub fn holds(&self) -> bool {
        match self.bound {
            Bound::AtMost(b) => self.value <= b,
            Bound::AtLeast(b) => self.value >= b,
            Bound::Near { expected, part } => (self.value - expected).abs() <= part * expected.abs(),
        }
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
}

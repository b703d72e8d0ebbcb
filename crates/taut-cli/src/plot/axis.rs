//! One axis of a panel: a label, a range, and round numbers along it.

use crate::format::number;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use std::ops::Range;

/// An axis, linear or logarithmic.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What it shows, with the unit in brackets.
    pub label: String,
    /// What it spans; above zero when logarithmic.
    pub range: Range<f64>,
    /// Equal lengths for equal factors.
    pub log: bool,
    /// Words that stand at 0, 1, 2, ... in the place of numbers.
    pub words: Vec<String>,
}

/// Numbers below this are drawn as zero.
pub const SMALLEST: f64 = 1e-100;

impl Axis {
    /// A linear axis.
    pub fn linear(label: impl Into<String>, range: Range<f64>) -> Self {
        Axis { label: label.into(), range, log: false, words: Vec::new() }
    }

    /// A linear axis that holds some numbers.
    pub fn around(label: impl Into<String>, values: impl Iterator<Item = f64>) -> Self {
        Axis::linear(label, span(values))
    }

    /// A linear axis from zero to a little above the largest of some numbers.
    pub fn from_zero(label: impl Into<String>, values: impl Iterator<Item = f64>) -> Self {
        let high = values.filter(|v| v.is_finite()).fold(0.0, f64::max);
        Axis::linear(label, 0.0..if high > SMALLEST { 1.06 * high } else { 1.0 })
    }

    /// A logarithmic axis that holds some numbers; those that are not above zero are not drawn.
    pub fn log(label: impl Into<String>, values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = values
            .filter(|v| v.is_finite() && *v > SMALLEST)
            .fold((f64::INFINITY, 0.0_f64), |(l, h), x| (l.min(x), h.max(x)));
        let range = if low > high { 0.1..10.0 } else { low / 1.6..high * 1.6 };
        Axis { label: label.into(), range, log: true, words: Vec::new() }
    }

    /// An axis of words.
    pub fn words(label: impl Into<String>, words: Vec<String>) -> Self {
        Axis { words, ..Axis::linear(label, -0.5..0.5) }.widened()
    }

    fn widened(mut self) -> Self {
        self.range = -0.5..self.words.len() as f64 - 0.5;
        self
    }

    /// Where a value lies between the ends: 0 to 1 inside.
    pub fn place(&self, v: f64) -> f64 {
        let (a, b) = (self.range.start, self.range.end);
        if self.log {
            if v > 0.0 { (v / a).log10() / (b / a).log10() } else { f64::NEG_INFINITY }
        } else {
            (v - a) / (b - a)
        }
    }

    /// The value at a place.
    pub fn value(&self, place: f64) -> f64 {
        let (a, b) = (self.range.start, self.range.end);
        if self.log { a * (b / a).powf(place) } else { a + place * (b - a) }
    }

    /// Round numbers along the axis, at most about so many.
    fn ticks(&self, most: usize) -> Vec<f64> {
        let (a, b) = (self.range.start, self.range.end);
        let most = most.max(2) as f64;
        if !self.words.is_empty() {
            let every = (self.words.len() as f64 / most).ceil() as usize;
            return (0..self.words.len()).step_by(every.max(1)).map(|k| k as f64).collect();
        }
        if self.log {
            let (low, high) = (a.log10().ceil() as i32, b.log10().floor() as i32);
            if high > low {
                let every = (f64::from(high - low + 1) / most).ceil().max(1.0) as usize;
                return (low..=high).step_by(every).map(|e| 10.0_f64.powi(e)).collect();
            }
            let few = (low - 1..=high).flat_map(|e| [1.0, 2.0, 5.0].map(|m| m * 10.0_f64.powi(e)));
            return few.filter(|t| self.range.contains(t)).collect();
        }
        let rough = (b - a) / most;
        if !rough.is_normal() {
            return vec![a];
        }
        let size = 10.0_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * size).find(|s| *s >= rough).unwrap_or(rough);
        let (low, high) = ((a / step - 1e-9).ceil(), (b / step + 1e-9).floor());
        (0..=(high - low).clamp(0.0, 100.0) as usize).map(|k| (low + k as f64) * step).collect()
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        limit.0 + (self.place(*value) * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<H: KeyPointHint>(&self, hint: H) -> Vec<f64> {
        self.ticks(hint.bold_points())
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, v: &f64) -> String {
        if !self.words.is_empty() {
            return self.words.get(v.round() as usize).cloned().unwrap_or_default();
        }
        if self.log {
            return power(*v);
        }
        let step = (self.range.end - self.range.start) / 8.0;
        // Rounding leaves a tiny number where zero is meant.
        let v = if v.abs() < 1e-6 * step { 0.0 } else { *v };
        if v.abs() >= 1e6 || !step.is_normal() || step < 1e-6 {
            return number(v);
        }
        let decimals = (-step.log10()).ceil().clamp(0.0, 9.0) as usize;
        format!("{v:.decimals$}")
    }
}

/// A number of a logarithmic axis: plain near one, else a power of ten.
fn power(v: f64) -> String {
    let exponent = v.log10().round() as i32;
    if (-3..=3).contains(&exponent) || (v / 10.0_f64.powi(exponent) - 1.0).abs() > 1e-9 {
        return number(v);
    }
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised =
        exponent.to_string().chars().map(|c| c.to_digit(10).map_or('⁻', |d| DIGITS[d as usize])).collect::<String>();
    format!("10{raised}")
}

/// The range of some numbers with a margin; never empty.
fn span(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
    if low > high {
        return 0.0..1.0;
    }
    // A flat line is drawn flat, not as the noise of its last digits.
    let size = low.abs().max(high.abs());
    let margin = match size {
        _ if size < SMALLEST => 0.5,
        _ if high - low > 1e-9 * size => 0.06 * (high - low),
        _ => 0.5 * size,
    };
    low - margin..high + margin
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(Axis::linear("", 0.0..40.0).ticks(8), [0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 35.0, 40.0]);
        let log = Axis::log("", [1.0, 1e6].into_iter());
        assert_eq!(log.ticks(8).len(), 7);
        assert!((log.ticks(4).len() as i32 - 4).abs() <= 1);
        assert!(Axis::log("", [2.0, 6.0].into_iter()).ticks(8).iter().all(|t| [2.0, 5.0].contains(t)));
    }

    #[test]
    fn labels_suit_the_range() {
        assert_eq!(Axis::linear("", 0.0..40.0).format_ext(&5.0), "5");
        assert_eq!(Axis::linear("", 0.0..0.4).format_ext(&0.05), "0.05");
        assert_eq!(power(1e-14), "10⁻¹⁴");
        assert_eq!(power(100.0), "100");
    }
}

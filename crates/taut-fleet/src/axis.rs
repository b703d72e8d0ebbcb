//! What a sweep varies, and over which values.

use crate::cell::Cell;
use crate::kick::stream;
use serde::{Deserialize, Serialize};

/// One thing that a sweep varies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// A parameter of the scene, `dt`, `time`, an option, or a place in a scene file.
    pub name: String,
    /// Its values.
    pub values: Values,
}

/// The values of an axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Values {
    /// One after the other, each with all values of the other axes.
    List(Vec<Cell>),
    /// Drawn for every seed, with the same probability from the first number up to the second.
    Uniform([f64; 2]),
    /// Drawn for every seed from a normal distribution: mean and standard deviation.
    Normal([f64; 2]),
    /// The seed itself.
    Seed,
}

/// What values may look like.
const FORMS: &str = "values separated by commas (by semicolons where values have commas), log:FIRST:LAST:COUNT, lin:FIRST:LAST:COUNT, \
                     uniform:LOW:HIGH, normal:MEAN:DEVIATION, or seed";

/// Most values of an axis.
const MOST: u32 = 1_000_000;

impl Axis {
    /// Reads `NAME=VALUES`.
    ///
    /// ```
    /// use taut_fleet::{Axis, Cell, Values};
    /// let axis = Axis::parse("ratio=log:1:1e6:3").unwrap();
    /// assert_eq!(axis.values, Values::List([1.0, 1e3, 1e6].map(Cell::Number).to_vec()));
    /// let axis = Axis::parse("dt=0.01,1/60").unwrap();
    /// assert_eq!(axis.values, Values::List([0.01, 1.0 / 60.0].map(Cell::Number).to_vec()));
    /// assert!(Axis::parse("ratio=log:0:1:3").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// What is no name with values, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (name, values) = text.split_once('=').ok_or_else(|| format!("'{text}': expected NAME=VALUES"))?;
        let (name, values) = (name.trim(), values.trim());
        if name.is_empty() || values.is_empty() {
            return Err(format!("'{text}': expected NAME={FORMS}"));
        }
        let values = read(values).map_err(|e| format!("{name}={values}: {e}"))?;
        Ok(Axis { name: name.to_owned(), values })
    }

    /// How many values stand one after the other.
    pub(crate) fn count(&self) -> u64 {
        if let Values::List(list) = &self.values { list.len() as u64 } else { 1 }
    }

    /// The value of number `k` in the run with a seed; `draw` tells the axes of a sweep apart.
    pub(crate) fn value(&self, k: u64, seed: Option<u64>, draw: usize) -> Cell {
        // Numbers of the same seed must not be the same on two axes; the first are those of the start.
        let mut random = stream(seed.unwrap_or(0), draw as u64 + 1);
        match &self.values {
            Values::List(list) => list.get(k as usize).cloned().unwrap_or(Cell::Missing),
            Values::Uniform([low, high]) => Cell::Number(random.uniform(*low, *high)),
            Values::Normal([mean, deviation]) => Cell::Number(mean + deviation * random.normal()),
            Values::Seed => seed.map_or(Cell::Missing, Cell::count),
        }
    }

    /// Whether its value depends on the seed.
    pub(crate) fn is_drawn(&self) -> bool {
        !matches!(self.values, Values::List(_))
    }
}

/// The values after the equals sign.
fn read(text: &str) -> Result<Values, String> {
    if text == "seed" {
        return Ok(Values::Seed);
    }
    let parts: Vec<&str> = text.split(':').collect();
    let numbers = || -> Option<Vec<f64>> { parts[1..].iter().map(|p| Cell::read(p).number()).collect() };
    match (parts[0], numbers().as_deref()) {
        ("log", Some(&[a, b, n])) if a > 0.0 && b > 0.0 => {
            spaced(n, |s| libm::exp(mixed(libm::log(a), libm::log(b), s)))
        }
        ("lin", Some(&[a, b, n])) => spaced(n, |s| mixed(a, b, s)),
        ("uniform", Some(&[a, b])) if a <= b => Ok(Values::Uniform([a, b])),
        ("normal", Some(&[mean, deviation])) if deviation >= 0.0 => Ok(Values::Normal([mean, deviation])),
        ("log", _) => Err("expected log:FIRST:LAST:COUNT with FIRST and LAST above zero".into()),
        ("lin" | "uniform" | "normal", _) => Err(format!("expected {FORMS}")),
        _ => {
            let list = text.split(if text.contains(';') { ';' } else { ',' }).map(Cell::read);
            let list: Vec<Cell> = list.filter(|c| c.text() != Some("")).collect();
            if list.is_empty() { Err(format!("expected {FORMS}")) } else { Ok(Values::List(list)) }
        }
    }
}

fn mixed(a: f64, b: f64, s: f64) -> f64 {
    (1.0 - s) * a + s * b
}

/// So many values from the first to the last, at parts from 0 to 1.
fn spaced(count: f64, at: impl Fn(f64) -> f64) -> Result<Values, String> {
    if !(count >= 2.0 && count <= f64::from(MOST) && count.fract() == 0.0) {
        return Err(format!("COUNT = {count}: expected a whole number from 2 to {MOST}"));
    }
    // Twelve digits: 1000 is meant where rounding gives 999.9999999999998.
    let round = |x: f64| format!("{x:.11e}").parse().unwrap_or(x);
    Ok(Values::List((0..count as u32).map(|k| Cell::Number(round(at(f64::from(k) / (count - 1.0))))).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_round_and_words_are_words() {
        let list = |text: &str| match Axis::parse(text).unwrap().values {
            Values::List(list) => list,
            other => panic!("{other:?}"),
        };
        assert_eq!(list("x=log:1:1e6:7"), [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6].map(Cell::Number));
        assert_eq!(list("x=lin:0:0.3:4"), [0.0, 0.1, 0.2, 0.3].map(Cell::Number));
        assert_eq!(list("joint=ball, hinge"), ["ball", "hinge"].map(|w| Cell::Text(w.into())));
        assert_eq!(list("stabiliser=inertial:alpha=1,all;none").len(), 2);
        for bad in ["x", "=1", "x=", "x=,", "x=log:1:2", "x=log:0:1:3", "x=lin:0:1:1", "x=lin:0:1:2.5", "x=uniform:2:1"]
        {
            let e = Axis::parse(bad).unwrap_err();
            assert!(e.contains("expected"), "{bad}: {e}");
        }
    }

    #[test]
    fn drawn_values_go_by_the_seed_and_differ_between_axes() {
        let axis = Axis::parse("x=uniform:2:3").unwrap();
        let x = |seed, draw| axis.value(0, Some(seed), draw).number().unwrap();
        assert_eq!(x(7, 0), x(7, 0));
        assert!((2.0..3.0).contains(&x(7, 0)) && x(7, 0) != x(8, 0) && x(7, 0) != x(7, 1));
        let normal = Axis::parse("x=normal:10:2").unwrap();
        let mean = (0..1000).map(|s| normal.value(0, Some(s), 0).number().unwrap()).sum::<f64>() / 1000.0;
        assert!((mean - 10.0).abs() < 0.2, "{mean}");
    }
}

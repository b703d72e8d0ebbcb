//! What a sweep is, and the tasks that it is cut into.

use crate::axis::{Axis, Values};
use crate::cell::Cell;
use crate::source::Source;
use crate::task::{Task, column};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Most runs of a sweep: their table is kept in memory.
const MOST: u64 = 10_000_000;

/// Many runs of one scene: all combinations of the values of its axes, each with all seeds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// The scene.
    pub scene: Source,
    /// What is varied; the first changes slowest.
    #[serde(default)]
    pub vary: Vec<Axis>,
    /// What is the same in all runs.
    #[serde(default)]
    pub set: Vec<(String, Cell)>,
    /// Seeds of the starts; without them every combination runs once, from the start of the scene.
    #[serde(default)]
    pub seeds: Option<Seeds>,
    /// See [`Task::kick`].
    #[serde(default)]
    pub kick: Option<f64>,
    /// See [`Task::signals`].
    #[serde(default)]
    pub signals: Option<Vec<String>>,
}

/// Seeds from the first on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seeds {
    /// The first.
    pub first: u64,
    /// How many.
    pub count: u64,
}

impl Seeds {
    /// Reads `COUNT`, which begins at 0, or `A..B`.
    ///
    /// ```
    /// use taut_fleet::Seeds;
    /// assert_eq!(Seeds::parse("100").unwrap(), Seeds { first: 0, count: 100 });
    /// assert_eq!(Seeds::parse("5..8").unwrap(), Seeds { first: 5, count: 3 });
    /// assert!(Seeds::parse("8..5").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// What is neither.
    pub fn parse(text: &str) -> Result<Self, String> {
        let number = |t: &str| t.trim().parse::<u64>().map_err(|_| format!("'{t}': expected a whole number"));
        let (first, end) = match text.split_once("..") {
            Some((a, b)) => (number(a)?, number(b)?),
            None => (0, number(text)?),
        };
        if end > first {
            Ok(Seeds { first, count: end - first })
        } else {
            Err("expected at least one seed: COUNT, or A..B with A less than B".into())
        }
    }
}

impl Sweep {
    /// One run of a scene as it is.
    pub fn of(scene: Source) -> Self {
        Sweep { scene, vary: Vec::new(), set: Vec::new(), seeds: None, kick: None, signals: None }
    }

    /// How many runs it has.
    pub fn count(&self) -> u64 {
        let seeds = self.seeds.map_or(1, |s| s.count);
        self.vary.iter().fold(seeds, |n, axis| n.saturating_mul(axis.count()))
    }

    /// The task of a run, by its number from 0.
    pub fn task(&self, run: u64) -> Task {
        let count = self.seeds.map_or(1, |s| s.count).max(1);
        let (seed, mut rest) = (self.seeds.map(|s| s.first + run % count), run / count);
        let mut varied = Vec::with_capacity(self.vary.len());
        for (draw, axis) in self.vary.iter().enumerate().rev() {
            let n = axis.count().max(1);
            varied.push((axis.name.clone(), axis.value(rest % n, seed, draw)));
            rest /= n;
        }
        let set = self.set.iter().cloned().chain(varied.into_iter().rev()).collect();
        let (scene, kick, signals) = (self.scene.clone(), self.kick, self.signals.clone());
        Task { run, scene, set, seed, kick, signals }
    }

    /// Names of the columns of what is varied.
    pub fn varied(&self) -> Vec<String> {
        self.vary.iter().map(|axis| column(&axis.name)).collect()
    }

    /// Checks all that can be checked without a run: names and values, and that the scene can be built with what is the same in all runs.
    ///
    /// # Errors
    ///
    /// What is wrong, with its name, its value and what was expected.
    pub fn check(&self) -> Result<(), String> {
        let mut names = BTreeSet::new();
        for name in self.set.iter().map(|s| &s.0).chain(self.vary.iter().map(|a| &a.name)) {
            if !names.insert(name) {
                return Err(format!("{name}: expected every name once"));
            }
        }
        if names.contains(&"seed".to_owned()) && self.scene.has_seed() {
            return Err("seed: expected the seeds of the sweep in its place, which this scene takes for its own".into());
        }
        if let Some(axis) = self.vary.iter().find(|a| a.is_drawn())
            && self.seeds.is_none()
        {
            return Err(format!("{}: its values go by the seed; expected a number of seeds", axis.name));
        }
        if self.kick.is_some() && self.seeds.is_none() {
            return Err("kick: expected a number of seeds with it".into());
        }
        let count = self.count();
        if count == 0 || count > MOST {
            return Err(format!("a sweep of {count} runs: expected from 1 to {MOST}"));
        }
        for (name, cell) in &self.set {
            self.scene.check(name, cell)?;
        }
        for axis in &self.vary {
            match &axis.values {
                Values::List(list) => list.iter().try_for_each(|cell| self.scene.check(&axis.name, cell))?,
                _ => self.scene.check(&axis.name, &axis.value(0, self.seeds.map(|s| s.first), 0))?,
            }
        }
        // What only shows when the scene is built, such as the name of a signal. Combinations that do not go together fail one by one.
        crate::task::check(&Task { set: self.set.clone(), ..self.task(0) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep() -> Sweep {
        let axes = ["ratio=1,10", "dt=0.01,1/60,0.1"].map(|a| Axis::parse(a).unwrap()).to_vec();
        let seeds = Some(Seeds { first: 4, count: 5 });
        Sweep { vary: axes, seeds, ..Sweep::of(Source::Library("chain".into())) }
    }

    #[test]
    fn runs_are_all_combinations_in_order() {
        let s = sweep();
        assert_eq!(s.count(), 30);
        let at = |k: u64| {
            let t = s.task(k);
            (t.set[0].1.number().unwrap(), t.set[1].1.number().unwrap(), t.seed.unwrap())
        };
        assert_eq!(at(0), (1.0, 0.01, 4));
        assert_eq!(at(1), (1.0, 0.01, 5));
        assert_eq!(at(5), (1.0, 1.0 / 60.0, 4));
        assert_eq!(at(29), (10.0, 0.1, 8));
        let text = serde_json::to_string(&s.task(7)).unwrap();
        assert_eq!(serde_json::from_str::<Task>(&text).unwrap(), s.task(7));
        assert_eq!(s.check(), Ok(()));
    }

    #[test]
    fn bad_sweeps_are_refused_with_what_was_expected() {
        let bad = |change: &dyn Fn(&mut Sweep)| {
            let mut s = sweep();
            change(&mut s);
            s.check().unwrap_err()
        };
        let axis = |text: &str| Axis::parse(text).unwrap();
        type Change<'a> = &'a dyn Fn(&mut Sweep);
        let cases: [(Change<'_>, &str); 9] = [
            (&|s| s.vary[0] = axis("ratoi=1"), "did you mean ratio?"),
            (&|s| s.vary[0] = axis("ratio=-1"), "ratio"),
            (&|s| s.vary[0] = axis("joint=ball,bal"), "one of"),
            (&|s| s.vary[1] = axis("dt=0"), "positive"),
            (&|s| s.vary[0] = axis("solver=lu"), "expected one of"),
            (&|s| s.set = vec![("dt".into(), Cell::Number(0.1))], "once"),
            (&|s| s.scene = Source::Library("chian".into()), "did you mean chain?"),
            (&|s| (s.vary[0], s.seeds) = (axis("ratio=uniform:1:2"), None), "seeds"),
            (&|s| s.signals = Some(vec!["laod".into()]), "expected the name of"),
        ];
        for (change, words) in cases {
            let e = bad(change);
            assert!(e.contains(words), "{e} lacks {words}");
        }
    }
}

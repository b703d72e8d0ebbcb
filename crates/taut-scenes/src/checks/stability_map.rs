//! The kicked chain at every mass ratio, step and joint. `taut bench chain` prints the same map cell by cell.

use super::rig::Worst;
use super::{Check, Effort, Failure, Measured};
use crate::run::Outcome;

/// Joints of the map.
pub const JOINTS: [&str; 6] = ["ball", "hinge", "hinge-alternating", "universal", "cable", "flexible-cable"];
/// Load mass over link mass.
pub const RATIOS: [&str; 7] = ["1", "10", "100", "1e3", "1e4", "1e5", "1e6"];
/// Steps, s.
pub const STEPS: [f64; 5] = [0.001, 0.01, 1.0 / 60.0, 0.04, 0.1];
/// Simulated time of a cell, s.
pub const TIME: f64 = 10.0;

/// One cell of the map.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'a> {
    /// Joint of the chain.
    pub joint: &'a str,
    /// Load mass over link mass.
    pub ratio: &'static str,
    /// Step, s.
    pub dt: f64,
}

/// What a cell must keep: gaps as parts of the length, the rise of the energy as a part of the scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Largest single gap.
    pub gap: f64,
    /// Largest rise of the energy.
    pub rise: f64,
    /// Largest sum of gaps.
    pub sum: f64,
}

impl Cell<'_> {
    /// What this cell must keep: the sum of gaps counts for ratios from 100 on and steps to 1/60 s.
    pub fn limits(&self) -> Limits {
        let heavy = !matches!(self.ratio, "1" | "10");
        let rise = if self.dt > 0.05 { 0.02 } else { 0.01 };
        let sum = if heavy && self.dt < 0.017 { 0.01 } else { f64::INFINITY };
        Limits { gap: 0.01, rise, sum }
    }

    /// Whether it did.
    pub fn met(&self, o: &Outcome) -> bool {
        let l = self.limits();
        o.stable && o.max_gap_rel < l.gap && o.energy_max_rise < l.rise && o.sum_gap_rel < l.sum
    }

    /// Parameters of the scene `chain`.
    pub fn parameters(&self) -> [(&'static str, &str); 2] {
        [("joint", self.joint), ("ratio", self.ratio)]
    }

    fn name(&self) -> String {
        format!("{}, ratio {}, {:.3} s", self.joint, self.ratio, self.dt)
    }
}

pub(super) fn check() -> Check {
    Check {
        id: "stability-map",
        summary: "chains of 10 links hold at every mass ratio, step and joint",
        source: "promise of the README; Andrews 2017: 1,000,000 to 1 at steps up to 0.1 s",
        run,
    }
}

/// Cells that are known to be beyond their bounds in the full suite, for the rise of light whips alone.
const BEYOND: usize = 4;

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let ratios: &[&'static str] = effort.pick(&RATIOS[..], &["1", "100", "1e6"]);
    let steps: &[f64] = effort.pick(&STEPS[..], &[0.01, 1.0 / 60.0, 0.1]);
    let (mut stable, mut within, mut cells) = (0, 0, 0);
    let [mut gap, mut rise, mut coarse, mut sum] = [Worst::new(), Worst::new(), Worst::new(), Worst::new()];
    for joint in JOINTS {
        for &dt in steps {
            for &ratio in ratios {
                let cell = Cell { joint, ratio, dt };
                let o = effort.outcome("chain", &cell.parameters(), dt, TIME)?;
                let limits = cell.limits();
                cells += 1;
                stable += usize::from(o.stable);
                within += usize::from(cell.met(&o));
                gap.see(100.0 * o.max_gap_rel, || cell.name());
                let worst = if limits.rise > 0.01 { &mut coarse } else { &mut rise };
                worst.see(100.0 * o.energy_max_rise, || cell.name());
                if limits.sum.is_finite() {
                    sum.see(100.0 * o.sum_gap_rel, || cell.name());
                }
            }
        }
    }
    Ok(vec![
        Measured::all_of(format!("stable cells of {cells}"), stable, cells),
        gap.at_most("largest gap, of the length", 1.0, "%"),
        sum.at_most("largest sum of gaps, ratio >= 100, steps to 1/60 s", 1.0, "%"),
        // Light whips of ratio 10 at 0.001 s: docs/limits.md 5.
        rise.at_most("largest energy rise, steps to 0.04 s", 1.0, "%").known_to(1.6),
        coarse.at_most("largest energy rise at 0.1 s", 2.0, "%"),
        Measured::all_of(format!("cells of {cells} within all bounds"), within, cells)
            .known_to((cells - effort.pick(BEYOND, 0)) as f64),
    ])
}

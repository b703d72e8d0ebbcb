//! Random trees under heavy loads. `taut bench trees` prints the same runs cell by cell.

use super::rig::Worst;
use super::{Check, Effort, Failure, Measured};

/// Joints of the trees.
pub const JOINTS: [&str; 3] = ["ball", "mixed", "hinge"];
/// Largest load, kg.
pub const LOADS: [&str; 2] = ["1e3", "1e6"];
/// Steps, s.
pub const STEPS: [f64; 4] = [0.01, 1.0 / 60.0, 0.05, 0.1];
/// Simulated time of a tree, s.
pub const TIME: f64 = 6.0;
/// Trees of a cell and the first seed.
pub const SEEDS: (usize, usize) = (64, 1000);

pub(super) fn check() -> Check {
    Check {
        id: "trees",
        summary: "random trees with loads up to 1e6 kg fall, snap taut and hold",
        source: "promise of the README",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let (count, first) = (effort.pick(SEEDS.0, 3), SEEDS.1);
    let (mut stable, mut trees, mut rise) = (0, 0, Worst::new());
    for joint in JOINTS {
        for load in LOADS {
            for dt in STEPS {
                for seed in first..first + count {
                    let set = [("seed", &*seed.to_string()), ("joint", joint), ("load", load)];
                    let o = effort.outcome("tree", &set, dt, TIME)?;
                    trees += 1;
                    stable += usize::from(o.stable);
                    rise.see(100.0 * o.energy_max_rise, || format!("{joint}, {load} kg, seed {seed}, {dt:.3} s"));
                }
            }
        }
    }
    Ok(vec![
        Measured::all_of(format!("stable trees of {trees}"), stable, trees),
        rise.at_most("largest energy rise, of the scale", 100.0 * crate::RISE_LIMIT, "%"),
    ])
}

//! Reduced coordinates under heavy loads: the chain at every mass ratio and step, ladders, and a loop that snaps taut.

use super::rig::Worst;
use super::stability_map::{Cell, RATIOS, STEPS};
use super::{Check, Effort, Failure, Measured};
use crate::scene::{Scene, find};
use taut::{Coordinates, Options};

/// Joints of the chain map.
const JOINTS: [&str; 3] = ["ball", "hinge", "hinge-alternating"];
/// Largest gap that is left of a joint, m.
const CLOSED: f64 = 1e-9;
/// Cells of the chain map that are known to be beyond their bounds in the full suite: docs/limits.md 13. Rounding alone moves a whip
/// over the bound or back.
const BEYOND: usize = 4;

pub(super) fn check() -> Check {
    Check {
        id: "reduced",
        summary: "reduced coordinates: chain of three joints at 1 to 1e6 and 0.001 to 0.1 s, ladders, a five-bar that snaps taut",
        source: "conservation of energy; joints are closed",
        run,
    }
}

/// A scene in reduced coordinates.
fn reduced(name: &str, parameters: &[(&str, &str)]) -> Result<Scene, Failure> {
    let (mut s, _) = find(name)?.with(parameters)?;
    s.world.set_options(Options { coordinates: Coordinates::Reduced, ..*s.world.options() })?;
    Ok(s)
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let mut out = chains(effort)?;
    out.extend(ladders(effort)?);
    out.extend(five_bar(effort)?);
    Ok(out)
}

fn chains(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let (mut met, mut cells) = (0, 0);
    let (mut gap, mut rise) = (Worst::new(), Worst::new());
    for joint in JOINTS {
        for ratio in effort.pick(&RATIOS[..], &["1", "1e3", "1e6"]) {
            for &dt in effort.pick(&STEPS[..], &[1.0 / 60.0, 0.1]) {
                let cell = Cell { joint, ratio, dt };
                let mut s = reduced("chain", &cell.parameters())?;
                let o = effort.watched(&mut s, dt, effort.pick(10.0, 5.0), |_| ())?;
                cells += 1;
                met += usize::from(cell.met(&o));
                let at = || format!("{joint}, {ratio}, {dt:.3} s");
                gap.see(o.max_gap_rel * s.length, at);
                rise.see(100.0 * o.energy_max_rise, at);
            }
        }
    }
    Ok(vec![
        Measured::all_of("cells of the chain map that are stable, without energy gained", met, cells)
            .known_to((cells - effort.pick(BEYOND, 0)) as f64),
        gap.at_most("largest gap in the chains", CLOSED, "m"),
        rise.at_most("largest rise of the energy of a chain, of the scale", 2.0, "%").known_to(3.2),
    ])
}

fn ladders(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let (mut stable, mut runs) = (0, 0);
    let mut gap = Worst::new();
    for ratio in effort.pick(&["1", "100", "1e4", "1e6"][..], &["1", "1e6"]) {
        for &dt in effort.pick(&[0.01, 1.0 / 60.0, 0.04, 0.1][..], &[1.0 / 60.0]) {
            let mut s = reduced("ladder", &[("ratio", ratio), ("cells", "5")])?;
            let o = effort.watched(&mut s, dt, effort.pick(10.0, 5.0), |_| ())?;
            runs += 1;
            stable += usize::from(o.stable && o.energy_max_rise < 0.01);
            gap.see(o.max_gap_rel * s.length, || format!("{ratio}, {dt:.3} s"));
        }
    }
    Ok(vec![
        Measured::all_of("ladders that are stable, without energy gained", stable, runs),
        gap.at_most("largest gap in a ladder", CLOSED, "m"),
    ])
}

fn five_bar(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let (mut stable, mut runs) = (0, 0);
    let mut gap = Worst::new();
    for ratio in effort.pick(&["1", "100", "1e4", "1e6"][..], &["100", "1e6"]) {
        for &dt in effort.pick(&[0.01, 1.0 / 60.0, 0.04, 0.1][..], &[1.0 / 60.0]) {
            let mut s = reduced("fivebar", &[("ratio", ratio)])?;
            let o = effort.watched(&mut s, dt, 5.0, |_| ())?;
            runs += 1;
            stable += usize::from(o.stable && o.energy_max_rise < 0.02);
            gap.see(100.0 * o.max_gap_rel, || format!("{ratio}, {dt:.3} s"));
        }
    }
    Ok(vec![
        Measured::all_of("five-bars that are stable, without energy gained", stable, runs),
        gap.at_most("largest gap in a five-bar, of its size", 1.0, "%"),
    ])
}

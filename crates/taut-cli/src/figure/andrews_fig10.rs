//! Andrews 2017 Fig. 10: the damping of a link follows the load.

use super::Figure;
use super::made::{Cell, Made, Table, Verdict};
use super::task::{Sim, Stop, Task, Track};
use crate::plot::axis::Axis;
use crate::plot::panel::{BLUE, Curve, GREEN, ORANGE, Panel};
use plotters::style::RGBColor;
use taut::study::Study;
use taut::{World, settings::InertialDamping};

pub const FIGURE: Figure = Figure {
    name: "andrews-fig10",
    source: "Andrews 2017 Fig. 10",
    title: "damping coefficients of a cable link for loads of 10, 100 and 1000 kg",
    caption: "Coefficients that the adaptive damping gives to the middle segment of the cable of Fig. 8 at each step, for three loads at \
              0.01 s. Top: inertial damping, the largest of the three rotations. Bottom: constraint-space damping, the largest of the three \
              rotational rows of the joint above the segment; where a curve is missing there is no damping. The segments (0.4 m, 0.2 kg) are chosen here: the paper does \
              not give their length, and longer ones need less damping. The paper prints no numbers; it says that the lightest load needs no damping for most of \
              the simulation, only about frame 160, and that heavier loads need it more often.",
    make,
};

const RULE: &str = "reproduced when, with constraint-space damping (that of Fig. 8), the 10 kg load needs damping in less than half of the steps, the part of the steps \
                    with damping does not fall from load to load, the largest coefficient grows from load to load, and that of 10 kg falls between \
                    frames 120 and 200";

const LOADS: [(&str, f64, RGBColor); 3] =
    [("10 kg", 10.0, GREEN), ("100 kg", 100.0, BLUE), ("1000 kg", 1000.0, ORANGE)];

/// The damping, and its unknown that is drawn.
const KINDS: [(&str, &str); 2] = [("inertial", "inertial damping"), ("constraint-space", "constraint-space damping")];

/// The segment that is looked at, of twenty.
const LINK: &str = "segment 10";

const STEP: f64 = 0.01;

fn make(task: &Task) -> Result<Made, Stop> {
    let time = task.pick(6.0, 3.0);
    let sims: Vec<Sim> = KINDS
        .iter()
        .flat_map(|k| {
            LOADS.map(|l| Sim::new("pendulum-cable", k.0, STEP, time).with("joint", "flexible-cable").with("load", l.1))
        })
        .collect();
    let tracks = task.run(&sims, |sim, world, _| coefficient(world, sim.stabiliser))?;
    let mut table = Table::new(&["damping", "load_kg", "step", "coefficient_N_m_s"]);
    for ((sim, track), k) in sims.iter().zip(&tracks).zip(0..) {
        for (n, b) in track.records.iter().enumerate() {
            table.add([sim.stabiliser.into(), LOADS[k % 3].1.into(), Cell::from((n + 1) as f64), (*b).into()]);
        }
    }
    let panels = KINDS.iter().zip(tracks.chunks(3)).map(|(k, t)| panel(k.1, t, time)).collect();
    Ok(Made { size: (1000, 800), columns: 1, panels, table, verdict: judge(&tracks[3..]) })
}

/// The largest rotational coefficient of the link, N m s.
fn coefficient(world: &mut World, kind: &str) -> taut::Result<f64> {
    let found = world.bodies().find(|b| b.name() == LINK).map(|b| b.id());
    let link = found.ok_or_else(|| taut::Error::input("body", LINK, "a segment of the cable"))?;
    let all = if kind == "inertial" {
        world.inertial_damping(STEP, InertialDamping::default(), link)?.to_vec()
    } else {
        let joint = world.joints().find(|j| j.bodies().0 == link).map(|j| j.id());
        let joint = joint.ok_or_else(|| taut::Error::input("joint", LINK, "the joint above it"))?;
        world.constraint_damping(STEP, 1.0, joint)?
    };
    // Translations first, then rotations, of the body as of the joint.
    Ok(all.iter().skip(3).copied().fold(0.0, f64::max))
}

fn panel(name: &str, tracks: &[Track<f64>], time: f64) -> Panel {
    let curves: Vec<Curve> = LOADS
        .iter()
        .zip(tracks)
        .map(|(l, t)| Curve::line(l.0, l.2, t.records.iter().enumerate().map(|(n, b)| ((n + 1) as f64, *b)).collect()))
        .rev()
        .collect();
    let y = Axis::log("coefficient [N m s]", curves.iter().flat_map(|c| &c.points).map(|p| p.1).filter(|b| *b > 1e-2));
    Panel::new(name, Axis::linear("step", 0.0..time / STEP), y, curves)
}

fn judge(tracks: &[Track<f64>]) -> Verdict {
    let share = |t: &Track<f64>| t.records.iter().filter(|b| **b > 0.0).count() as f64 / t.records.len().max(1) as f64;
    let peak = |t: &Track<f64>| {
        t.records.iter().take(300).enumerate().fold((0, 0.0), |m, (n, b)| if *b > m.1 { (n + 1, *b) } else { m })
    };
    let (shares, peaks): (Vec<f64>, Vec<(usize, f64)>) = tracks.iter().map(|t| (share(t), peak(t))).unzip();
    let met = shares[0] < 0.5
        && shares.windows(2).all(|w| w[0] <= w[1])
        && peaks.windows(2).all(|w| w[0].1 < w[1].1)
        && (120..=200).contains(&peaks[0].0);
    let list: Vec<String> = LOADS
        .iter()
        .zip(shares.iter().zip(&peaks))
        .map(|(l, (s, p))| {
            format!("{}: damped in {:.0} % of the steps, at most {:.3} N m s (frame {})", l.0, 100.0 * s, p.1, p.0)
        })
        .collect();
    Verdict::new(RULE, met, false, list.join("; "))
}

//! Tournier 2015, the rates in the text of section 4 and with Fig. 3, 4, 7 and 8: steps per second, all measured in one run.

use super::Figure;
use super::made::{Made, Table, Verdict};
use super::task::{Stop, Task};
use crate::plot::axis::Axis;
use crate::plot::panel::{BLUE, Curve, ORANGE, Panel};
use taut_scenes::find;

pub const FIGURE: Figure = Figure {
    name: "tournier-rates",
    source: "Tournier 2015 section 4",
    title: "steps per second of the scenes for which the paper has a rate",
    caption: "From left to right: cables of 10 and 100 distance constraints with a load of 100 cables, 0.04 s; cloth of 10 x 10 particles with weights 500 times as \
              heavy, 0.01 s; ragdoll on a liana, 0.01 s; bow, 0.005 s; trampoline, 0.01 s; knee, 0.01 s. Orange: the paper, one thread of a Xeon at 2.4 GHz. Blue: \
              here, one over the median time of a step, all in one run on this machine. Sizes of the paper's meshes are not known: the knee of the paper has \
              muscles and surfaces that this one lacks.",
    make,
};

const RULE: &str = "reproduced when every scene runs to its end without diverging; better when each runs at least as many steps per second as in the paper";

/// Name in the table, scene, parameters, step, time (s), rate of the paper (1/s).
type Case = (&'static str, &'static str, &'static [(&'static str, &'static str)], f64, f64, f64);

const CASES: [Case; 7] = [
    ("cable of 10", "particle-cable", &[("segments", "10"), ("ratio", "100")], 0.04, 10.0, 500.0),
    ("cable of 100", "particle-cable", &[("segments", "100"), ("ratio", "100")], 0.04, 10.0, 100.0),
    ("cloth", "cloth", &[], 0.01, 3.0, 500.0),
    ("ragdoll", "ragdoll", &[], 0.01, 5.0, 70.0),
    ("bow", "bow", &[], 0.005, 0.25, 85.0),
    ("trampoline", "trampoline", &[], 0.01, 3.0, 35.0),
    ("knee", "knee", &[], 0.01, 3.0, 11.0),
];

fn make(task: &Task) -> Result<Made, Stop> {
    task.expect(CASES.len() as u64);
    let mut table = Table::new(&["scene", "step_s", "paper_steps_per_s", "here_steps_per_s", "here_over_paper"]);
    let (mut paper, mut here) = (Vec::new(), Vec::new());
    let (mut whole, mut fast) = (true, true);
    for (k, (name, scene, set, dt, time, rate)) in CASES.into_iter().enumerate() {
        let (mut scene, _) = find(scene)?.with(set)?;
        let o = taut_scenes::run(&mut scene, dt, task.pick(time, 0.5 * time), |_| !crate::interrupt::pressed())?;
        task.tick(1)?;
        let own = 1e6 / o.us_per_step;
        table.add([name.into(), dt.into(), rate.into(), own.into(), (own / rate).into()]);
        whole &= o.stable;
        fast &= own >= rate;
        paper.push(((k + 1) as f64, rate));
        here.push(((k + 1) as f64, own));
    }
    let text: Vec<String> = CASES.iter().zip(&here).map(|(c, h)| format!("{} {:.0} ({:.0})", c.0, h.1, c.5)).collect();
    let why = format!("steps a second, paper in brackets: {}", text.join(", "));
    let y = Axis::log("steps per second", paper.iter().chain(&here).map(|p| p.1));
    let curves = vec![Curve::cloud("paper", ORANGE, paper), Curve::cloud("here", BLUE, here)];
    let x = Axis::linear("cable 10, cable 100, cloth, ragdoll, bow, trampoline, knee", 0.5..7.5);
    let panel = Panel::new("steps per second", x, y, curves);
    Ok(Made { size: (900, 500), columns: 1, panels: vec![panel], table, verdict: Verdict::new(RULE, whole, fast, why) })
}

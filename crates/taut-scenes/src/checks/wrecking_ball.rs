//! A heavy ball on a light cable breaks a wall of boxes.

use super::rig::lasted;
use super::{Check, Effort, Failure, Measured};
use crate::run::run_with;
use crate::scene::find;

const STEP: f64 = 1.0 / 60.0;

pub(super) fn check() -> Check {
    Check {
        id: "wrecking-ball",
        summary: "1 t on a cable of 1 kg links into a wall of 30 boxes, 1/60 s",
        source: "conservation of energy; length of the cable",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let time = effort.pick(5.0, 2.5);
    let (mut s, p) = find("wrecking-ball")?.with(&[])?;
    let boxes: Vec<_> = s.world.bodies().skip(1).take(p.count("columns") * p.count("layers")).map(|b| b.id()).collect();
    let start: Vec<_> = boxes.iter().map(|b| s.world.body(*b).map(|b| b.pose().pos)).collect::<Result<_, _>>()?;
    let (mut deep, mut missed) = (0.0_f64, 0.0_f64);
    let o = run_with(&mut s, STEP, time, |_, x| {
        deep = deep.max(x.report.bounded.penetration);
        missed = missed.max(x.report.bounded.residual);
        !(effort.stop)()
    })?;
    effort.go_on()?;
    let mut moved = 0;
    for (b, at) in boxes.iter().zip(start) {
        moved += usize::from((s.world.body(*b)?.position() - at).length() > 0.3);
    }
    Ok(vec![
        lasted("stable for", &o, time),
        Measured::at_most("largest gap, of the length", 100.0 * o.max_gap_rel, 1.0, "%"),
        Measured::at_most("energy gained, of the scale", 100.0 * o.energy_max_rise, 0.1, "%"),
        Measured::at_most("deepest penetration", 1e3 * deep, 30.0, "mm"),
        Measured::at_least("boxes knocked away", moved as f64, 4.0, ""),
        // In the fray a solve stops short of its tolerance.
        Measured::at_most("largest residual of contact and friction", missed, 1e-3, "m/s"),
    ])
}

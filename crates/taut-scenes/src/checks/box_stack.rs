//! Heavy boxes on light ones stay where they are.

use super::rig::Worst;
use super::{Check, Effort, Failure, Measured};
use crate::run::run_with;
use crate::scene::find;
use taut::{Vec3, World};

const STEP: f64 = 1.0 / 60.0;

pub(super) fn check() -> Check {
    Check {
        id: "box-stack",
        summary: "ten boxes with 1000:1 on top, or alternating, rest for 60 s without sleep",
        source: "a stack at rest stays at rest",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let (mut deep, mut moved, mut rise) = (Worst::new(), Worst::new(), Worst::new());
    let time = effort.pick(60.0, 10.0);
    let cases: [&[(&str, &str)]; 3] = [&[], &[("heavy", "alternating")], &[("ratio", "1")]];
    let mut rested = 0;
    for set in cases {
        let (mut s, p) = find("box-stack")?.with(set)?;
        let start = places(&s.world);
        let mut depth = 0.0_f64;
        let o = run_with(&mut s, STEP, time, |_, x| {
            depth = depth.max(x.report.bounded.penetration);
            !(effort.stop)()
        })?;
        effort.go_on()?;
        let at = || format!("{} of {}", p.choice("heavy"), p.number("ratio"));
        let shift = places(&s.world).iter().zip(&start).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
        rested += usize::from(o.stable);
        deep.see(1e3 * depth, at);
        moved.see(1e3 * shift, at);
        rise.see(o.energy_max_rise, at);
    }
    Ok(vec![
        Measured::all_of(format!("stacks that stood for {time} s"), rested, cases.len()),
        deep.at_most("deepest penetration", 1.0, "mm"),
        moved.at_most("farthest that a box has moved", 1.0, "mm"),
        rise.at_most("energy gained, of the scale", 1e-9, ""),
    ])
}

fn places(world: &World) -> Vec<Vec3> {
    world.bodies().map(|b| b.pose().pos).collect()
}

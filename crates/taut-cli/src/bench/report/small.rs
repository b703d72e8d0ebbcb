//! Ten links beside MuJoCo, which is the fastest of the others at that size.

use super::sheet::{Sheet, Target, us};
use crate::measure::turns::{Turns, turns};
use taut_bench::peers::{Engine, taut};
use taut_bench::scene::{Chain, Link, Scene};
use taut_bench::table::{Table, digits, step};

/// Time that is run over and over, s: the fall from the horizontal, in which every engine is stable.
const TIME: f64 = 0.5;
/// Engines in the order of the columns.
const NAMES: [&str; 3] = [taut::NAME, "mujoco", "mujoco-fast"];

/// The section.
pub fn small(sheet: &mut Sheet<'_>) -> Result<(), String> {
    sheet.section(
        "Ten links beside MuJoCo",
        "Links of 0.2 m and 0.2 kg that fall from the horizontal, on ball joints and on hinges: the first 0.5 s over and over from \
         the same state, in one call of `mj_step` with so many steps, so that Python has no part in the time, and in as many calls of \
         Taut's default step, which makes its report. Least time of a step of the rounds; beside the ratio its median over the rounds.",
    );
    let head =
        ["joints", "step s", "Taut us", "Euler us", "ratio", "median", "implicitfast us", "ratio", "target", "met"];
    let mut table = Table::new(head);
    for (name, joint, most) in [("ball", Link::Ball, 1.0), ("hinge", Link::Hinge, 2.0)] {
        for h in [1.0 / 60.0, 0.005] {
            sheet.doing(&format!("small: {name}, step {} s", step(h)));
            let scene = Chain { joint, ratio: 0.0, kick: 0.0, ..Chain::default() }.scene();
            let t = timed(sheet, &scene, h)?;
            let what = format!("10 links, {name}, {} s: Taut over MuJoCo", step(h));
            let figure = sheet.figure(what, t.of_least(0, 1), Target::AtMost(most));
            let cells = [
                name.into(),
                step(h),
                us(t.least(0)),
                us(t.least(1)),
                digits(t.of_least(0, 1), 3),
                digits(t.of_rounds(0, 1).median, 3),
                us(t.least(2)),
                digits(t.of_least(0, 2), 3),
            ];
            table.row(cells.into_iter().chain(figure));
            for k in 0..NAMES.len() {
                if let Some(why) = t.failure(k).filter(|_| sheet.peers.iter().any(|p| p.name == NAMES[k])) {
                    sheet.say(&format!("{}, {name}, {} s: {why}", NAMES[k], step(h)));
                }
            }
        }
    }
    sheet.table("small", &table)
}

/// Rounds of the engines in turn, s per step; one that is not there has failed.
fn timed(sheet: &Sheet<'_>, scene: &Scene, h: f64) -> Result<Turns, String> {
    let steps = (TIME / h).round() as usize;
    let mut engines: Vec<Option<Box<dyn Engine>>> = Vec::new();
    for name in NAMES {
        let peer = sheet.peers.iter().find(|p| p.name == name);
        engines.push(peer.map(|p| (p.build)(scene, h)).transpose()?);
    }
    Ok(turns(NAMES.len(), sheet.time(), |k| {
        let engine = engines[k].as_mut().ok_or("not to be had")?;
        engine.replay(steps)?.map(|time| time / steps as f64).ok_or_else(|| "cannot go back to the start".into())
    }))
}

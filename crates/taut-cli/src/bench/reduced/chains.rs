//! Chains of 10 and 100 links in reduced coordinates: the size at which other engines with reduced coordinates are usually timed.

use crate::format::si;
use crate::measure::reduced::ways::Way;
use std::time::Instant;
use taut::Options;

/// Length of a step, s.
const STEP: f64 = 0.01;

/// The table. MuJoCo on the same chains is in `taut bench peers --only speed --mujoco`.
pub fn table(quick: bool) -> Result<String, String> {
    let mut out = String::from(
        "\nchains released from the horizontal, load as heavy as a link, reduced coordinates, steps of 0.01 s\nauto: RedMax's step; aligned: the stable step of Taut\n",
    );
    out += "step     joint    links  freedoms  steps  least step      median  per freedom\n";
    for is_aligned in [false, true] {
        for (joint, dofs, links) in [("hinge", 1, 10), ("hinge", 1, 100), ("ball", 3, 10), ("ball", 3, 100)] {
            let t = timed(is_aligned, joint, links, if quick { 100 } else { 1000 }).map_err(|e| e.to_string())?;
            let (step, n) = (if is_aligned { "aligned" } else { "auto" }, dofs * links);
            let [least, median, each] = [t.least, t.median, t.least / n as f64].map(|t| si(t, "s"));
            let why = t.failure.map(|f| format!("  {f}")).unwrap_or_default();
            let count = t.steps;
            out += &format!(
                "{step:<8} {joint:<6} {links:>7} {n:>9} {count:>6} {least:>11} {median:>11} {each:>12}{why}\n"
            );
        }
    }
    Ok(out + "MuJoCo beside it: not in this table (taut bench peers --only speed --mujoco times it on its chains)")
}

/// Times of a step in s, and why the run ended early.
struct Timed {
    steps: usize,
    least: f64,
    median: f64,
    failure: Option<String>,
}

/// Times the steps of a chain, without the first, until one fails: RedMax's step has nothing that keeps it stable.
fn timed(is_aligned: bool, joint: &str, links: usize, steps: usize) -> taut::Result<Timed> {
    let n = links.to_string();
    let (mut scene, _) = taut_scenes::find("chain")?.with(&[("joint", joint), ("links", &n), ("ratio", "1")])?;
    Way::Auto.apply(&mut scene.world)?;
    if is_aligned {
        let options = *scene.world.options();
        scene.world.set_options(Options { stabiliser: Options::default().stabiliser, ..options })?;
    }
    scene.step(STEP)?;
    let mut times = Vec::with_capacity(steps);
    let mut failure = None;
    while times.len() < steps && failure.is_none() {
        let begin = Instant::now();
        failure = scene.step(STEP).err().map(|e| e.to_string());
        if failure.is_none() {
            times.push(begin.elapsed().as_secs_f64());
        }
    }
    times.sort_unstable_by(f64::total_cmp);
    let at = |i: usize| times.get(i).copied().unwrap_or(f64::NAN);
    Ok(Timed { steps: times.len(), least: at(0), median: at(times.len() / 2), failure })
}

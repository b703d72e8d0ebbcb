//! Chains of 10 and 100 links in reduced coordinates: the size at which other engines with reduced coordinates are usually timed.

use crate::format::si;
use crate::measure::reduced::ways::Way;
use std::time::Instant;

/// Length of a step, s.
const STEP: f64 = 0.01;

/// The table. MuJoCo on the same chains is in `taut bench peers --only speed --mujoco`.
pub fn table(quick: bool) -> Result<String, String> {
    let mut out =
        String::from("\nchains released from the horizontal, load as heavy as a link, auto, steps of 0.01 s\n");
    out += "joint    links  freedoms  least step      median  per freedom\n";
    for (joint, dofs) in [("hinge", 1), ("ball", 3)] {
        for links in [10, 100] {
            let (least, median) = timed(joint, links, if quick { 100 } else { 1000 }).map_err(|e| e.to_string())?;
            let n = dofs * links;
            let [least, median, each] = [least, median, least / n as f64].map(|t| si(t, "s"));
            out += &format!("{joint:<6} {links:>7} {n:>9} {least:>11} {median:>11} {each:>12}\n");
        }
    }
    Ok(out + "MuJoCo beside it: not in this table (taut bench peers --only speed --mujoco times it on its chains)")
}

/// Least and median time of a step, s, without the first ones.
fn timed(joint: &str, links: usize, steps: usize) -> taut::Result<(f64, f64)> {
    let n = links.to_string();
    let (mut scene, _) = taut_scenes::find("chain")?.with(&[("joint", joint), ("links", &n), ("ratio", "1")])?;
    Way::Auto.apply(&mut scene.world)?;
    let mut times = Vec::with_capacity(steps);
    for _ in 0..steps {
        let begin = Instant::now();
        scene.step(STEP)?;
        times.push(begin.elapsed().as_secs_f64());
    }
    let times = &mut times[steps / 10..];
    times.sort_unstable_by(f64::total_cmp);
    Ok((times[0], times[times.len() / 2]))
}

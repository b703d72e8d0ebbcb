//! Chains of 10 and 100 links in reduced coordinates, beside MuJoCo: the size at which engines with reduced coordinates are usually timed.

use super::mujoco;
use crate::format::si;
use std::time::Instant;
use taut::{Coordinates, Options, Solver, Stabiliser};

/// Length of a step, s.
pub const STEP: f64 = 0.01;
/// Steps of a run: the fall from the horizontal. Later on explicit velocity terms diverge, in MuJoCo too.
pub const STEPS: usize = 100;

/// A chain: joint, its freedoms, links besides the load.
#[derive(Clone, Copy)]
pub struct Chain {
    pub joint: &'static str,
    pub dofs: usize,
    pub links: usize,
}

const CHAINS: [Chain; 4] = [
    Chain { joint: "hinge", dofs: 1, links: 10 },
    Chain { joint: "hinge", dofs: 1, links: 100 },
    Chain { joint: "ball", dofs: 3, links: 10 },
    Chain { joint: "ball", dofs: 3, links: 100 },
];

/// Steps in reduced coordinates: name, stabiliser, solver.
const STEPPERS: [(&str, Stabiliser, Solver); 3] = [
    ("redmax", Stabiliser::None, Solver::Auto),
    ("stable", Stabiliser::Aligned, Solver::Articulated),
    ("default", Stabiliser::Aligned, Solver::Auto),
];

/// Times of a step in s, and why a run ended early.
pub struct Timed {
    pub steps: usize,
    pub least: f64,
    pub median: f64,
    pub failure: Option<String>,
}

impl Timed {
    fn new(mut times: Vec<f64>, failure: Option<String>) -> Self {
        times.sort_unstable_by(f64::total_cmp);
        let at = |i: usize| times.get(i).copied().unwrap_or(f64::NAN);
        Timed { steps: times.len(), least: at(0), median: at(times.len() / 2), failure }
    }
}

/// The table, and what it says about MuJoCo where that was asked for.
pub fn table(quick: bool, with_mujoco: bool) -> Result<String, String> {
    let runs = if quick { 1 } else { 10 };
    let mut out = String::from(
        "\nchains released from the horizontal, load as heavy as a link, reduced coordinates, steps of 0.01 s, the first second over and over\nredmax: the published step; stable: its stable form; default: the default step, in reduced coordinates; mujoco: mj_step alone, Euler, in its own process\n",
    );
    out += "step     joint    links  freedoms  steps  least step      median  per freedom\n";
    let mut own = Vec::new();
    for (name, stabiliser, solver) in STEPPERS {
        for chain in CHAINS {
            let t = timed((stabiliser, solver), chain, runs).map_err(|e| e.to_string())?;
            out += &row(name, chain, &t);
            own.push(t);
        }
    }
    if !with_mujoco {
        return Ok(out + "MuJoCo beside it: --mujoco");
    }
    let peer = match mujoco::timed(&CHAINS, runs) {
        Ok(peer) => peer,
        Err(why) => return Ok(out + &format!("MuJoCo beside it: not to be had: {why}")),
    };
    for (chain, t) in CHAINS.into_iter().zip(&peer.times) {
        out += &row("mujoco", chain, t);
    }
    out += &format!("MuJoCo {}; its time over that of redmax, least and median step:\n", peer.version);
    let judged = CHAINS.into_iter().zip(own.iter().zip(&peer.times)).map(|(c, (own, peer))| verdict(c, own, peer));
    Ok(out + &judged.collect::<Vec<_>>().join("\n"))
}

fn row(name: &str, chain: Chain, t: &Timed) -> String {
    // The load hangs on a joint of its own.
    let (Chain { joint, links, .. }, n) = (chain, chain.dofs * (chain.links + 1));
    let [least, median, each] = [t.least, t.median, t.least / n as f64].map(|t| si(t, "s"));
    let why = t.failure.as_ref().map(|f| format!("  {f}")).unwrap_or_default();
    format!("{name:<8} {joint:<6} {links:>7} {n:>9} {:>6} {least:>11} {median:>11} {each:>12}{why}\n", t.steps)
}

/// What is asked for: no slower at 10 links, ten times faster at 100.
fn verdict(chain: Chain, own: &Timed, peer: &Timed) -> String {
    let (least, median) = (peer.least / own.least, peer.median / own.median);
    let (claim, wanted) = if chain.links > 10 { ("at least 10 times faster", 10.0) } else { ("no slower", 1.0) };
    let holds = if least >= wanted { "holds" } else { "does not hold in this run" };
    format!("{:<6} {:>4} links: {least:.2} ({median:.2}), {claim}: {holds}", chain.joint, chain.links)
}

/// Times the steps of a chain until one fails: RedMax's step has nothing that keeps it stable.
fn timed((stabiliser, solver): (Stabiliser, Solver), chain: Chain, runs: usize) -> taut::Result<Timed> {
    let n = chain.links.to_string();
    let given = [("joint", chain.joint), ("links", n.as_str()), ("ratio", "1"), ("kick", "0")];
    let (mut times, mut failure) = (Vec::with_capacity(runs * STEPS), None);
    for _ in 0..runs {
        let (mut scene, _) = taut_scenes::find("chain")?.with(&given)?;
        let coordinates = Coordinates::Reduced;
        scene.world.set_options(Options { coordinates, stabiliser, solver, ..*scene.world.options() })?;
        // The first step lays out the matrix.
        scene.step(STEP)?;
        for _ in 1..STEPS {
            let begin = Instant::now();
            failure = scene.step(STEP).err().map(|e| e.to_string());
            if failure.is_some() {
                break;
            }
            times.push(begin.elapsed().as_secs_f64());
        }
    }
    Ok(Timed::new(times, failure))
}

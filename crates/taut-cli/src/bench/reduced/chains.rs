//! Chains of 10 and 100 links in reduced coordinates, beside MuJoCo: the size at which engines with reduced coordinates are usually timed.

use crate::format::si;
use crate::measure::turns::{Replay, Turns, turns};
use crate::output::complain;
use std::time::Duration;
use taut::{Coordinates, Options, Solver, Stabiliser};
use taut_bench::peers::{Engine, Peer, mujoco};
use taut_bench::scene::{self, Link};
use taut_bench::table::Report;

/// Length of a step, s.
const STEP: f64 = 0.01;
/// Steps of a round: the fall from the horizontal. Later on explicit velocity terms diverge, in MuJoCo too.
const STEPS: usize = 100;

/// A chain: joint, its freedoms, links besides the load.
#[derive(Clone, Copy)]
struct Chain {
    joint: Link,
    links: usize,
}

const CHAINS: [Chain; 4] = [
    Chain { joint: Link::Hinge, links: 10 },
    Chain { joint: Link::Hinge, links: 100 },
    Chain { joint: Link::Ball, links: 10 },
    Chain { joint: Link::Ball, links: 100 },
];

impl Chain {
    fn name(self) -> &'static str {
        if self.joint == Link::Hinge { "hinge" } else { "ball" }
    }

    /// Freedoms; the load hangs on a joint of its own.
    fn freedoms(self) -> usize {
        (self.links + 1) * if self.joint == Link::Hinge { 1 } else { 3 }
    }
}

/// Steps in reduced coordinates: name, stabiliser, solver.
const STEPPERS: [(&str, Stabiliser, Solver); 3] = [
    ("redmax", Stabiliser::None, Solver::Auto),
    ("stable", Stabiliser::Aligned, Solver::Articulated),
    ("default", Stabiliser::Aligned, Solver::Auto),
];

/// The table, and what it says about MuJoCo where that was asked for.
pub fn table(quick: bool, with_mujoco: bool) -> Result<String, String> {
    let mut out = String::from(
        "\nchains released from the horizontal, load as heavy as a link, reduced coordinates, steps of 0.01 s: the first second over and over, in turn\nprocessor time of a step on average over that second, in the fastest round and in the median one\nredmax: the published step; stable: its stable form; default: the default step, in reduced coordinates; mujoco: mj_step alone, Euler, in its own process\n",
    );
    out += "step     joint    links  freedoms rounds  least step      median  per freedom\n";
    let (peer, note) = if with_mujoco { found() } else { (None, "MuJoCo beside it: --mujoco".into()) };
    let time = Duration::from_millis(if quick { 100 } else { 2000 });
    let mut verdicts = String::new();
    for chain in CHAINS {
        let t = timed(chain, peer.as_ref(), time).map_err(|e| format!("{} {}: {e}", chain.name(), chain.links))?;
        for (k, (name, ..)) in STEPPERS.iter().enumerate() {
            out += &row(name, chain, &t, k);
        }
        if peer.is_some() {
            out += &row("mujoco", chain, &t, STEPPERS.len());
            verdicts += &verdict(chain, &t);
        }
    }
    Ok(out + &note + &verdicts)
}

/// MuJoCo with its default integrator, and a line about it.
fn found() -> (Option<Peer>, String) {
    let (mut print, mut progress) = (|_: &str| (), |line: &str| complain(line));
    let peers = Report::new(None, &mut print, &mut progress).and_then(|mut report| mujoco::peers(&mut report));
    match peers.map(|list| list.into_iter().find(|p| p.name == "mujoco")) {
        Ok(Some(peer)) => {
            let line = format!("{}; its time over that of redmax, least and median round:", peer.version);
            (Some(peer), line)
        }
        Ok(None) => (None, "MuJoCo beside it: not to be had".into()),
        Err(why) => (None, format!("MuJoCo beside it: not to be had: {why}")),
    }
}

fn row(name: &str, chain: Chain, t: &Turns, k: usize) -> String {
    let n = chain.freedoms();
    let [least, median, each] = [t.least(k), t.median(k), t.least(k) / n as f64].map(|t| si(t, "s"));
    let why = t.failure(k).map(|f| format!("  {f}")).unwrap_or_default();
    format!(
        "{name:<8} {:<6} {:>7} {n:>9} {:>6} {least:>11} {median:>11} {each:>12}{why}\n",
        chain.name(),
        chain.links,
        t.rounds(k)
    )
}

/// What is asked for: no slower at 10 links, ten times faster at 100.
fn verdict(chain: Chain, t: &Turns) -> String {
    let (least, median) = (t.of_least(STEPPERS.len(), 0), t.of_rounds(STEPPERS.len(), 0).median);
    let (claim, wanted) = if chain.links > 10 { ("at least 10 times faster", 10.0) } else { ("no slower", 1.0) };
    let holds = if least >= wanted { "holds" } else { "does not hold in this run" };
    format!("\n{:<6} {:>4} links: {least:.2} ({median:.2}), {claim}: {holds}", chain.name(), chain.links)
}

/// Times the steps of a chain in each way, and in MuJoCo. RedMax's step has nothing that keeps it stable and may fail.
fn timed(chain: Chain, peer: Option<&Peer>, time: Duration) -> Result<Turns, String> {
    let same = scene::Chain { links: chain.links, joint: chain.joint, ratio: 1.0, kick: 0.0, ..Default::default() };
    let mut engine: Option<Box<dyn Engine>> = peer.map(|p| (p.build)(&same.scene(), STEP)).transpose()?;
    let mut worlds = STEPPERS.iter().map(|s| world(chain, s)).collect::<taut::Result<Vec<_>>>();
    let worlds = worlds.as_mut().map_err(|e| e.to_string())?;
    let count = STEPPERS.len() + usize::from(engine.is_some());
    Ok(turns(count, time, |k| match (worlds.get_mut(k), &mut engine) {
        (Some(world), _) => world.round(),
        (None, Some(engine)) => engine.replay(STEPS)?.map(|t| t / STEPS as f64).ok_or("cannot go back".into()),
        (None, None) => Err("no such engine".into()),
    }))
}

fn world(chain: Chain, &(_, stabiliser, solver): &(&str, Stabiliser, Solver)) -> taut::Result<Replay> {
    let n = chain.links.to_string();
    let given = [("joint", chain.name()), ("links", n.as_str()), ("ratio", "1"), ("kick", "0")];
    let (mut scene, _) = taut_scenes::find("chain")?.with(&given)?;
    let coordinates = Coordinates::Reduced;
    scene.world.set_options(Options { coordinates, stabiliser, solver, ..*scene.world.options() })?;
    Replay::new(scene.world, STEP, 0, STEPS)
}

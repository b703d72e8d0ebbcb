//! Scenes of many contacts: a pyramid of boxes at rest and hit by a ball, and a pile of ragdolls.

use crate::crowd::{Crowd, Phase, Plan, run};
use crate::peers::Peer;
use crate::scene::{Pile, Pyramid, Scene};
use crate::table::{Report, Table, short};
use crate::{Config, Result, taut_of};
use std::time::Duration;

/// The step, s.
pub const STEP: f64 = 1.0 / 60.0;
/// Ragdolls of the piles when nothing else is asked for.
pub const RAGDOLLS: [usize; 3] = [6, 20, 100];
/// Wall time after which a run is cut short.
const BUDGET: Duration = Duration::from_secs(420);

/// Why Taut takes longer where it does.
const WHY: &str = "Why: in motion Taut sweeps 16 to 24 times over contacts and limits, and four times more over positions, on top of joints that are exact, and \
                   solves what is at rest and what is small to 1e-9 m/s; the others make 4 or 32 sweeps or so over soft constraints, joints among them, and \
                   stop, whatever is left.";

/// Places that the ball comes to beside the middle, m: the same blow, but for a millimetre.
const ASIDE: [f64; 5] = [-0.002, -0.001, 0.0, 0.001, 0.002];

/// Runs the pyramids and prints their tables.
pub fn pyramid(config: &Config, peers: &[Peer], report: &mut Report<'_>) -> Result<()> {
    let rows: &[usize] = if config.quick { &[8] } else { &[10, 31] };
    rows.iter().try_for_each(|&rows| one_pyramid(Pyramid { rows, ..Pyramid::default() }, config, peers, report))
}

fn one_pyramid(pyramid: Pyramid, config: &Config, peers: &[Peer], report: &mut Report<'_>) -> Result<()> {
    let hit = pyramid.hit;
    let phases = [
        Phase { name: "at rest", from: hit - 1.0, to: hit - 0.1 },
        Phase { name: "hit by the ball", from: hit - 0.1, to: hit + 2.0 },
    ];
    report.say(&format!(
        "\n## Pyramid of {}\n\n{} boxes of 0.2 m and 8 kg in {} rows, friction 0.5, step 1/60 s. A ball of 0.6 m and 113 kg, lobbed from afar, \
         hits it at 14 m/s after {hit} s. At rest: {} to {} s; hit: from then to {} s.",
        pyramid.boxes(),
        pyramid.boxes(),
        pyramid.rows,
        hit - 1.0,
        hit - 0.1,
        hit + 2.0
    ));
    let scene = pyramid.scene().map_err(|e| e.to_string())?;
    let plan = Plan { h: STEP, phases: &phases, watched: pyramid.boxes(), repeats: repeats(config), budget: BUDGET };
    compare(&format!("pyramid-{}", pyramid.boxes()), &scene, &plan, peers, report)?;
    spread(pyramid, &plan, peers, report)
}

/// What is left of the energy after the same blow a millimetre aside.
fn spread(pyramid: Pyramid, plan: &Plan<'_>, peers: &[Peer], report: &mut Report<'_>) -> Result<()> {
    let mut table = Table::new(["engine", "energy left: median", "least", "most", "of the blows"]);
    let able: Vec<&Peer> = peers.iter().filter(|p| p.contacts).collect();
    let mut all = vec![Vec::new(); able.len()];
    for aside in ASIDE {
        report.doing(&format!("pyramid-{}: the blow {aside} m aside", pyramid.boxes()));
        let scene = Pyramid { aside, ..pyramid }.scene().map_err(|e| e.to_string())?;
        for (left, run) in all.iter_mut().zip(run(&able, &scene, &Plan { repeats: 1, ..*plan })?) {
            if run.failure.is_none() && run.cut.is_none() {
                left.extend(run.phases.last().map(|s| s.energy));
            }
        }
    }
    for (p, left) in able.iter().zip(&mut all) {
        left.sort_unstable_by(f64::total_cmp);
        let at = |k: usize| left.get(k).map_or("-".into(), |x| format!("{x:.3}"));
        let count = format!("{} of {}", left.len(), ASIDE.len());
        table.row(vec![p.name.into(), at(left.len() / 2), at(0), at(left.len().saturating_sub(1)), count]);
    }
    report.say("\nThe same blow up to 2 mm aside: energy at the end over that at the start:\n");
    report.table(&table);
    report.csv(&format!("pyramid-{}-spread", pyramid.boxes()), &table)
}

/// Runs the piles and prints their tables.
pub fn pile(config: &Config, peers: &[Peer], report: &mut Report<'_>) -> Result<()> {
    let counts = match config.ragdolls {
        Some(n) => vec![n],
        None if config.quick => vec![3],
        None => RAGDOLLS.to_vec(),
    };
    counts.into_iter().try_for_each(|n| one_pile(n, config, peers, report))
}

fn one_pile(ragdolls: usize, config: &Config, peers: &[Peer], report: &mut Report<'_>) -> Result<()> {
    let phases = [Phase { name: "falling", from: 0.0, to: 3.0 }, Phase { name: "at rest", from: 5.0, to: 6.0 }];
    report.say(&format!(
        "\n## Pile of {ragdolls}\n\n{ragdolls} ragdolls of 12 bodies and 75 kg dropped on the floor, friction 0.5, step 1/60 s: falling (0 to 3 s), at \
         rest (5 to 6 s)."
    ));
    let scene = Pile { ragdolls, ..Pile::default() }.scene()?;
    let watched = scene.bodies.len();
    let repeats = if ragdolls < 100 { repeats(config) } else { 1 };
    let plan = Plan { h: STEP, phases: &phases, watched, repeats, budget: BUDGET };
    compare(&format!("pile-{ragdolls}"), &scene, &plan, peers, report)
}

fn repeats(config: &Config) -> usize {
    if config.quick { 1 } else { 2 }
}

fn compare(name: &str, scene: &Scene, plan: &Plan<'_>, peers: &[Peer], report: &mut Report<'_>) -> Result<()> {
    let able: Vec<&Peer> = peers.iter().filter(|p| p.contacts).collect();
    report.doing(&format!("{name}: {} engines in turn", able.len()));
    let runs = run(&able, scene, plan)?;
    let mut csv = Table::new(HEAD);
    for (at, phase) in plan.phases.iter().enumerate() {
        report.say(&format!(
            "\n{}: ms per step (least of {} runs), then what the poses show; X failed, ? cut short after {} s of wall time:\n",
            phase.name,
            plan.repeats,
            plan.budget.as_secs()
        ));
        let mut table = Table::new(HEAD);
        for (p, run) in able.iter().zip(&runs) {
            let row = row(p.name, *phase, run, at, !scene.joints.is_empty());
            csv.row(row.clone());
            table.row(row);
        }
        report.table(&table);
    }
    report.csv(name, &csv)?;
    slower(&able, &runs, plan, peers, report);
    Ok(())
}

const HEAD: [&str; 14] = [
    "engine",
    "phase",
    "median",
    "least",
    "worst",
    "penetration mm",
    "joint gap mm",
    "limit passed deg",
    "twist passed deg",
    "speed mm/s",
    "moved mm",
    "energy left",
    "unconverged steps",
    "verdict",
];

fn row(name: &str, phase: Phase, run: &Crowd, at: usize, joints: bool) -> Vec<String> {
    let s = &run.phases[at];
    let times = [s.median, s.least, s.worst].map(|t| short(1e3 * t));
    let verdict = match (&run.failure, run.cut) {
        (Some(why), _) => format!("X {why}"),
        (None, Some(time)) if time < phase.to => format!("? at {time:.2} s"),
        (None, _) => "ran".into(),
    };
    let of_joints =
        [1e3 * s.gap, s.excess.to_degrees(), s.twist.to_degrees()].map(|x| if joints { short(x) } else { "-".into() });
    let motion = [1e3 * s.speed, 1e3 * s.drift].map(short);
    let missed = s.unconverged.map_or("does not tell".into(), |n| n.to_string());
    let mut row: Vec<String> = vec![name.into(), phase.name.into()];
    if !s.median.is_finite() {
        row.resize(HEAD.len() - 1, "-".into());
        row.push(verdict);
        return row;
    }
    row.extend(times);
    row.push(short(1e3 * s.depth));
    row.extend(of_joints);
    row.extend(motion);
    row.extend([format!("{:.3}", s.energy), missed, verdict]);
    row
}

/// Says how Taut's time stands to that of the others, and why it is longer where it is.
fn slower(able: &[&Peer], runs: &[Crowd], plan: &Plan<'_>, peers: &[Peer], report: &mut Report<'_>) {
    let taut = peers[taut_of(peers)].name;
    let Some(ours) = able.iter().position(|p| p.name == taut) else { return };
    let mut longer = false;
    for (at, phase) in plan.phases.iter().enumerate() {
        let mine = &runs[ours].phases[at];
        let others: Vec<_> = able.iter().zip(runs).filter(|(p, _)| p.is_other()).collect();
        let ratio = |r: &Crowd| mine.median / r.phases[at].median;
        longer |= others.iter().any(|(_, r)| ratio(r) > 1.0);
        let list: Vec<String> = others.iter().map(|(p, r)| format!("{} of {}", short(ratio(r)), p.name)).collect();
        report.say(&format!("\n{}: Taut's median step over that of the others: {}.", phase.name, list.join(", ")));
        if let Some(missed) = mine.unconverged.filter(|&n| n > 0) {
            report.say(&format!("In {missed} of these steps Taut did not reach its tolerance; they are in its time."));
        }
    }
    if longer {
        report.say(&format!("\n{WHY}"));
    }
}

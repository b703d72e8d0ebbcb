//! What the README claims, computed from the tables.

use crate::chain::Grid;
use crate::peers::Peer;
use crate::run::Run;
use crate::speed::{LINKS, Point, STEP};
use crate::table::{Report, ratio, short, step};
use crate::{Result, taut_of};

/// Taut's step may take this part of the fastest other engine that holds the same chain.
const BEST: f64 = 1.0 / 3.0;
/// Taut's step may take this part of the fastest other engine, however it fares.
const ANY: f64 = 1.0;

/// The results that claims rest on; `None` where a section did not run.
#[derive(Default)]
pub struct Claims {
    /// Engines that disagree in the set-up check.
    pub setup: Option<Vec<&'static str>>,
    /// The grid.
    pub chain: Option<Grid>,
    /// Step times.
    pub speed: Option<Vec<Point>>,
    /// The pendulum, by engine.
    pub pendulum: Option<Vec<Run>>,
}

impl Claims {
    /// Prints every claim with what it rests on; true when all that could be judged hold.
    pub fn judge(&self, peers: &[Peer], report: &mut Report<'_>) -> Result<bool> {
        report.say("\n## Claims\n");
        let mut met = true;
        if let Some(bad) = &self.setup {
            let text = if bad.is_empty() { "all rigid engines agree".into() } else { bad.join(", ") + " disagree" };
            met &= say(report, bad.is_empty(), &format!("set-up check: {text}"));
        }
        if let Some(grid) = &self.chain {
            met &= grid_claim(grid, peers, report);
        }
        if let Some(points) = &self.speed {
            for h in [STEP, 0.001] {
                for r in [1.0, 1e3] {
                    met &= speed_claim(points, peers, r, h, report);
                }
            }
        }
        if let Some(runs) = &self.pendulum {
            met &= energy_claim(runs, peers, report);
        }
        Ok(met)
    }
}

fn say(report: &mut Report<'_>, holds: bool, text: &str) -> bool {
    report.say(&format!("- {}: {text}", if holds { "holds" } else { "FAILS" }));
    holds
}

/// (a) Where any other engine holds a ratio at a step, Taut does.
fn grid_claim(grid: &Grid, peers: &[Peer], report: &mut Report<'_>) -> bool {
    let taut = taut_of(peers);
    let mut misses = Vec::new();
    let mut cells = 0;
    for (k, &h) in grid.steps.iter().enumerate() {
        for (c, &r) in grid.ratios.iter().enumerate() {
            let holders: Vec<&str> = peers
                .iter()
                .zip(&grid.runs)
                .filter(|(p, g)| p.is_other() && g[k][c].held())
                .map(|(p, _)| p.name)
                .collect();
            if holders.is_empty() {
                continue;
            }
            cells += 1;
            let ours = &grid.runs[taut][k][c];
            if !ours.held() {
                let how = ours
                    .verdict
                    .failure
                    .clone()
                    .unwrap_or(format!("stretch {} %", short(100.0 * ours.verdict.stretch)));
                misses.push(format!("ratio {} at {} s ({how}; held by {})", ratio(r), step(h), holders.join(", ")));
            }
        }
    }
    let text =
        format!("(a) Taut holds every ratio and step that another engine holds: {} of {cells}", cells - misses.len());
    say(report, misses.is_empty(), &text);
    for m in &misses {
        report.say(&format!("  - missed: {m}"));
    }
    misses.is_empty()
}

/// (b) Time of a step at 1,000 links. Judged at 1/60 s; other steps are printed for information.
fn speed_claim(points: &[Point], peers: &[Peer], r: f64, h: f64, report: &mut Report<'_>) -> bool {
    let at = |q: &&Point| q.links == LINKS && q.ratio == r && q.h == h;
    let fastest = |keep: &dyn Fn(&Point) -> bool| {
        let others = points.iter().filter(at).filter(|q| peers[q.peer].is_other() && q.run.min.is_finite() && keep(q));
        others.min_by(|a, b| a.run.min.total_cmp(&b.run.min))
    };
    let Some(ours) = points.iter().filter(at).find(|q| q.peer == taut_of(peers)) else { return true };
    let place = format!("{LINKS} links, ratio {}, step {} s: Taut {} us", ratio(r), step(h), short(1e6 * ours.run.min));
    let mut met = true;
    let mut one = |name: &str, limit: f64, other: Option<&Point>| {
        let part = other.map_or(0.0, |o| ours.run.min / o.run.min);
        let text = match other {
            None => format!("(b) {place}; no other engine {name}{}", nearest(points, peers, ours)),
            Some(o) => format!(
                "(b) {place} = {} of {} ({} us), the fastest {name}; wanted at most {}",
                short(part),
                peers[o.peer].name,
                short(1e6 * o.run.min),
                short(limit)
            ),
        };
        if h == STEP {
            met &= say(report, part <= limit && ours.run.held(), &text);
        } else {
            report.say(&format!("- for information: {text}"));
        }
    };
    one("that holds it under 1 %", BEST, fastest(&|q| q.run.held()));
    one("at any quality", ANY, fastest(&|_| true));
    met
}

/// The other engine that stretches least on the same chain without failing, in words.
fn nearest(points: &[Point], peers: &[Peer], ours: &Point) -> String {
    let same = |q: &&Point| q.links == ours.links && q.ratio == ours.ratio && q.h == ours.h;
    let stable = |q: &&Point| peers[q.peer].is_other() && !q.run.cut && q.run.verdict.failure.is_none();
    let least = points.iter().filter(same).filter(stable).min_by(|a, b| {
        let stretch = |q: &Point| q.run.verdict.stretch;
        stretch(a).total_cmp(&stretch(b))
    });
    least.map_or(String::new(), |q| {
        let (part, stretch) = (ours.run.min / q.run.min, 100.0 * q.run.verdict.stretch);
        format!(
            "; nearest {}, {} % in {} us: Taut takes {} of it",
            peers[q.peer].name,
            short(stretch),
            short(1e6 * q.run.min),
            short(part)
        )
    })
}

/// (c) Energy left in the pendulum, nearer to 1 than in any other engine that is stable.
fn energy_claim(runs: &[Run], peers: &[Peer], report: &mut Report<'_>) -> bool {
    let loss = |r: &Run| (1.0 - r.verdict.energy_left).abs();
    let ours = &runs[taut_of(peers)];
    let stable = |r: &Run| r.verdict.failure.is_none();
    let better: Vec<String> = peers
        .iter()
        .zip(runs)
        .filter(|(p, r)| p.is_other() && stable(r) && loss(r) < loss(ours))
        .map(|(p, r)| {
            format!("{} {:.4} (stretch {} %)", p.name, r.verdict.energy_left, short(100.0 * r.verdict.stretch))
        })
        .collect();
    let text = format!(
        "(c) pendulum: energy left {:.4}, nearer to 1 than every other engine that stays stable",
        ours.verdict.energy_left
    );
    let tail = if better.is_empty() { String::new() } else { format!("; nearer: {}", better.join(", ")) };
    say(report, better.is_empty() && stable(ours), &(text + &tail))
}

//! Seeds on all cores, results in order.

use super::{Args, Campaign};
use crate::interrupt;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::BTreeMap;
use taut_fleet::spread;
use taut_scenes::fuzz::{Case, Verdict, generate, shrink, try_case};

/// What a seed came to.
pub struct Done {
    pub case: Case,
    pub verdict: Verdict,
    /// The world made small, and its verdict.
    pub small: Option<(Case, Verdict)>,
}

/// Runs all seeds; `tell` hears of each as soon as all before it are done.
pub fn run(
    campaign: &Campaign,
    args: &Args,
    mut tell: impl FnMut(&ProgressBar, Done) -> Result<(), String>,
) -> Result<(), String> {
    let bar = bar(args, campaign.seeds.end - campaign.seeds.start);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = args.workers.map_or(cores, usize::from);
    // A panic is a finding, and told as one.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let (mut waiting, mut first) = (BTreeMap::new(), campaign.seeds.start);
    let work = |seed| Some((seed, one(campaign, seed)));
    let told = spread(campaign.seeds.clone(), workers, &interrupt::pressed, work, |(seed, done)| {
        bar.inc(1);
        waiting.insert(seed, done);
        while let Some(done) = waiting.remove(&first) {
            tell(&bar, done)?;
            first += 1;
        }
        Ok(())
    });
    std::panic::set_hook(hook);
    bar.finish_and_clear();
    told
}

fn one(campaign: &Campaign, seed: u64) -> Done {
    let case = generate(seed, campaign.features, campaign.steps);
    let verdict = try_case(&case, &campaign.trial);
    let worst = verdict.worst().map(|f| f.kind);
    let small = worst.zip(campaign.budget).map(|(kind, budget)| shrink(&case, kind, &campaign.trial, &budget));
    Done { case, verdict, small }
}

fn bar(args: &Args, seeds: u64) -> ProgressBar {
    if args.quiet || args.json {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(seeds), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} worlds, {elapsed}, {eta} left") {
        bar.set_style(style);
    }
    bar
}

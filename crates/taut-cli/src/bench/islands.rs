//! Many independent ragdolls in one world, and ragdolls in one heap: what a step costs, how that grows with their number, and what
//! threads gain.

use super::say;
use crate::measure::line;
use crate::output::complain;
use clap::Args as ClapArgs;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use taut::study::Study;
use taut::{Options, World};
use taut_scenes::find;

/// Options of the benchmark.
#[derive(ClapArgs)]
pub struct Args {
    /// Few ragdolls and short runs: a look, not a result.
    #[arg(long)]
    quick: bool,
    /// Threads to compare one thread with (2 to 64).
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(2..=64))]
    threads: u32,
}

/// Length of the steps, s.
const STEP: f64 = 1.0 / 60.0;
/// Steps until limbs have reached their limits.
const WARM: usize = 30;
/// Steps that are timed.
const STEPS: usize = 8;
/// Largest exponent that is still called linear, as in `taut bench scaling`.
const LINEAR: f64 = 1.1;

/// What was measured. Times in s.
struct Case {
    ragdolls: usize,
    /// Bounded rows in the solve of a step, on average.
    rows: f64,
    rounds: usize,
    /// Mean over the steps of the least time of each: on one thread, and on several.
    alone: f64,
    together: f64,
    /// Shares of W and of the bounded solve in a step on one thread.
    mobility: f64,
    bounded: f64,
}

/// Prints the table; true when the threads gave the same bits.
pub fn islands(args: &Args) -> Result<bool, String> {
    let sizes: &[usize] = if args.quick { &[50, 100, 200] } else { &[250, 500, 1000] };
    let time = if args.quick { Duration::from_millis(300) } else { Duration::from_secs(10) };
    let pool = ThreadPoolBuilder::new().num_threads(args.threads as usize).build();
    let pool = pool.map_err(|e| format!("--threads = {}: {e}", args.threads))?;
    say(&format!(
        "scene ragdolls: each of 12 bodies with limits swings by a hand, step {STEP:.4} s; least times of {STEPS} steps, in turn on 1 and on {} threads",
        args.threads
    ));
    let mut same = true;
    let mut table = |scene: &str, sizes: &[usize]| -> Result<Vec<Case>, String> {
        say(&format!(
            "{:>10} {:>8} {:>7} {:>12} {:>12} {:>7} {:>10} {:>15}",
            "ragdolls", "rows", "rounds", "1 thread ms", "threads ms", "gain", "share of W", "bounded solve"
        ));
        let mut cases = Vec::new();
        for &n in sizes {
            complain(&format!("{scene}: {n} ..."));
            let (case, equal) = measure(scene, n, &pool, time).map_err(|e| format!("{scene} of {n}: {e}"))?;
            say(&row(&case));
            same &= equal;
            cases.push(case);
        }
        Ok(cases)
    };
    let cases = table("ragdolls", sizes)?;
    for (name, time) in [("1 thread", (|c| c.alone) as fn(&Case) -> f64), ("threads", |c| c.together)] {
        let points: Vec<(f64, f64)> = cases.iter().map(|c| ((c.ragdolls as f64).ln(), time(c).ln())).collect();
        if let Some((slope, _)) = line(&points) {
            let verdict = if slope <= LINEAR { "holds" } else { "does not hold in this run" };
            say(&format!("{name}: n^{slope:.3}; linear (exponent at most {LINEAR}): {verdict}"));
        }
    }
    say("scene ragdoll-pile: the same ragdolls fall on one heap, where threads share the search for contacts");
    table("ragdoll-pile", if args.quick { &[20] } else { &[20, 100] })?;
    say(if same { "the states are equal to the last bit" } else { "THE STATES DIFFER" });
    Ok(same)
}

fn row(c: &Case) -> String {
    format!(
        "{:>10} {:>8.0} {:>7} {:>12.3} {:>12.3} {:>7.2} {:>9.1}% {:>14.1}%",
        c.ragdolls,
        c.rows,
        c.rounds,
        1e3 * c.alone,
        1e3 * c.together,
        c.alone / c.together,
        100.0 * c.mobility,
        100.0 * c.bounded
    )
}

/// Seconds since some moment.
fn clock() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64()
}

fn world(scene: &str, ragdolls: usize) -> taut::Result<World> {
    Ok(find(scene)?.with(&[("ragdolls", &ragdolls.to_string())])?.0.world)
}

/// Measures one size; rounds are repeated for as long as `time`. Also whether the states were equal.
fn measure(scene: &str, ragdolls: usize, pool: &ThreadPool, time: Duration) -> taut::Result<(Case, bool)> {
    let mut w = world(scene, ragdolls)?;
    for _ in 0..WARM {
        w.step(STEP)?;
    }
    let start = w.state().clone();
    let (alone_options, options) = (Options { parallel: false, ..*w.options() }, *w.options());
    let (mut alone, mut together) = ([f64::INFINITY; STEPS], [f64::INFINITY; STEPS]);
    let mut stages = [f64::INFINITY; 3];
    let (mut rounds, mut same, mut rows) = (0, true, 0);
    let begin = Instant::now();
    while rounds == 0 || begin.elapsed() < time {
        w.set_options(alone_options)?;
        rows = timed(&mut w, &mut alone)?;
        let state = w.state().clone();
        w.restore(&start)?;
        let now = profiled(&mut w)?;
        stages.iter_mut().zip(now).for_each(|(least, t)| *least = least.min(t));
        w.restore(&start)?;
        w.set_options(options)?;
        pool.install(|| timed(&mut w, &mut together))?;
        same &= w.state() == &state;
        w.restore(&start)?;
        rounds += 1;
    }
    let mean = |t: [f64; STEPS]| t.iter().sum::<f64>() / STEPS as f64;
    let case = Case {
        ragdolls,
        rows: rows as f64 / STEPS as f64,
        rounds,
        alone: mean(alone),
        together: mean(together),
        mobility: stages[0] / stages[2],
        bounded: stages[1] / stages[2],
    };
    Ok((case, same))
}

/// Steps, and the least time of each; returns the bounded rows of all.
fn timed(w: &mut World, least: &mut [f64; STEPS]) -> taut::Result<usize> {
    let mut rows = 0;
    for least in least {
        let t = clock();
        let report = w.step(STEP)?;
        *least = least.min(clock() - t);
        rows += report.bounded.rows;
    }
    Ok(rows)
}

/// Seconds for W, for the bounded solve, and in all.
fn profiled(w: &mut World) -> taut::Result<[f64; 3]> {
    let mut sum = [0.0; 3];
    for _ in 0..STEPS {
        for (name, time) in w.profiled_step(STEP, clock)?.1 {
            match name {
                "mobility of bounded rows" => sum[0] += time,
                "bounded rows" => sum[1] += time,
                _ => {}
            }
            sum[2] += time;
        }
    }
    Ok(sum)
}

//! Runs many independent cases on all cores; results come back in order.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Calls `work` for every case, with a progress bar.
pub fn each<C: Sync, R: Send>(cases: &[C], work: impl Fn(&C) -> taut::Result<R> + Sync) -> taut::Result<Vec<R>> {
    let bar = ProgressBar::with_draw_target(Some(cases.len() as u64), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} runs, {eta} left") {
        bar.set_style(style);
    }
    let done = spread(cases, |c| {
        let result = work(c);
        bar.inc(1);
        result
    });
    bar.finish_and_clear();
    done
}

/// Calls `work` for every case. After a failure no further case is begun.
pub fn spread<C: Sync, R: Send, E: Send>(cases: &[C], work: impl Fn(&C) -> Result<R, E> + Sync) -> Result<Vec<R>, E> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, Result<R, E>)>> = Mutex::new(Vec::with_capacity(cases.len()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|s| {
        for _ in 0..threads {
            s.spawn(|| {
                loop {
                    let k = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(k) else { break };
                    let result = work(case);
                    if result.is_err() {
                        next.fetch_max(cases.len(), Ordering::Relaxed);
                    }
                    if let Ok(mut list) = results.lock() {
                        list.push((k, result));
                    }
                }
            });
        }
    });
    let mut list = results.into_inner().unwrap_or_default();
    list.sort_by_key(|r| r.0);
    list.into_iter().map(|r| r.1).collect()
}

/// A scene of the library run with some parameters.
pub fn run(scene: &str, set: &[(&str, &str)], dt: f64, time: f64) -> taut::Result<taut_scenes::Outcome> {
    let (mut s, _) = taut_scenes::find(scene)?.with(set)?;
    taut_scenes::run(&mut s, dt, time, |_| true)
}

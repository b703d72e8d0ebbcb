//! How far a run is, on stderr: a bar on a terminal, elsewhere a line now and then, and nothing for short runs.
//!
//! A thread of its own looks at the clock, so that a run whose single steps are long is not silent either.

use crate::output;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A run that takes no longer goes without a word.
const SHORT: Duration = Duration::from_secs(2);
/// How often the clock is looked at.
const LOOK: Duration = Duration::from_millis(100);

/// The progress of a run. It ends when it is dropped.
pub struct Progress {
    shared: Arc<Shared>,
    watcher: Option<JoinHandle<()>>,
}

struct Shared {
    /// What is counted, and how many there are.
    what: &'static str,
    steps: u64,
    done: AtomicU64,
    over: AtomicBool,
}

impl Progress {
    /// Of a run of `steps` steps.
    pub fn new(quiet: bool, steps: u64) -> Self {
        Progress::of(quiet, steps, "steps")
    }

    /// Of so many of something.
    pub fn of(quiet: bool, steps: u64, what: &'static str) -> Self {
        let shared = Arc::new(Shared { what, steps, done: AtomicU64::new(0), over: AtomicBool::new(false) });
        let seen = shared.clone();
        let watcher = (!quiet).then(|| std::thread::spawn(move || watch(&seen)));
        Progress { shared, watcher }
    }

    /// One step more.
    pub fn step(&self) {
        self.shared.done.fetch_add(1, Ordering::Relaxed);
    }

    /// So many steps in all.
    pub fn at(&self, steps: u64) {
        self.shared.done.store(steps, Ordering::Relaxed);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::Relaxed);
        if let Some(watcher) = self.watcher.take() {
            watcher.thread().unpark();
            let _ = watcher.join();
        }
    }
}

/// Tells until the run is over.
fn watch(shared: &Shared) {
    let begin = Instant::now();
    let (mut next, mut shown) = (SHORT, None);
    while !shared.over.load(Ordering::Relaxed) {
        std::thread::park_timeout(LOOK);
        let (done, elapsed) = (shared.done.load(Ordering::Relaxed), begin.elapsed());
        if elapsed < next || shared.over.load(Ordering::Relaxed) {
            continue;
        }
        if std::io::stderr().is_terminal() {
            shown.get_or_insert_with(|| bar(shared.steps, shared.what, elapsed)).set_position(done);
            continue;
        }
        // Lines become rarer.
        next = 2 * elapsed;
        let left = elapsed.as_secs_f64() * shared.steps.saturating_sub(done) as f64 / done as f64;
        let rest = if done > 0 { format!(", about {} left", duration(left)) } else { String::new() };
        output::complain(&format!("{done} of {} {}{rest}", shared.steps, shared.what));
    }
    if let Some(bar) = shown {
        bar.finish_and_clear();
    }
}

fn bar(steps: u64, what: &str, elapsed: Duration) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr()).with_elapsed(elapsed);
    let style = format!("{{spinner}} {{wide_bar}} {{percent:>3}} %  {{pos}} of {{len}} {what}, {{eta}} left");
    bar.with_style(ProgressStyle::with_template(&style).unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// A time for people.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.0} h", s / 3600.0),
        s => format!("{:.0} days", s / 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_the_unit_that_suits_them() {
        let cases = [(1.4, "1 s"), (89.0, "89 s"), (90.0, "2 min"), (7200.0, "2 h"), (864_000.0, "10 days")];
        cases.into_iter().for_each(|(s, text)| assert_eq!(duration(s), text));
    }
}

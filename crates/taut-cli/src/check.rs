//! `taut check`: runs the validation suite on two workers and prints each value with its bound.

use crate::{format, interrupt, output};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::Instant;
use taut_scenes::checks::{Bound, Check, Effort, Failure, Measured, all};
use taut_scenes::nearest;

/// Checks that run at the same time.
const WORKERS: usize = 2;

/// Arguments of `taut check`.
#[derive(clap::Args)]
#[command(after_help = STATUS)]
pub struct Args {
    /// Checks to run (see --list); all of them by default.
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// Print one JSON object with all values.
    #[arg(long)]
    json: bool,
    /// Fewer cases and shorter runs, with the same bounds.
    #[arg(long)]
    quick: bool,
    /// List the checks and where their bounds come from, and run none.
    #[arg(long)]
    list: bool,
}

const STATUS: &str = "Exit status: 0 all bounds hold, 1 some bound is broken, 2 bad input, 130 interrupted.";

/// What a check came to.
struct Done {
    check: Check,
    result: Result<Vec<Measured>, Failure>,
    seconds: f64,
}

impl Done {
    fn holds(&self) -> bool {
        self.result.as_ref().is_ok_and(|values| values.iter().all(Measured::holds))
    }

    fn stopped(&self) -> bool {
        self.result == Err(Failure::Stopped)
    }
}

/// Runs the checks, or lists them.
pub fn check(args: &Args) -> Result<u8, String> {
    let checks = chosen(&args.ids)?;
    if args.list {
        let text = if args.json { pretty(&list(&checks))? } else { text_list(&checks) };
        return output::print(&text).map(|()| 0);
    }
    interrupt::listen();
    let begin = Instant::now();
    let done = run(&checks, args);
    let seconds = begin.elapsed().as_secs_f64();
    let interrupted = done.iter().any(Done::stopped);
    let held = done.iter().filter(|d| d.holds()).count();
    let broken = done.iter().any(|d| !d.holds() && !d.stopped());
    if args.json {
        let checks: Vec<Json> = done.iter().map(object).collect();
        let all = held == done.len();
        let o = json!({ "quick": args.quick, "holds": all, "interrupted": interrupted, "seconds": seconds, "checks": checks });
        output::print(&pretty(&o)?)?;
    } else {
        let rest = if interrupted { ", interrupted" } else { "" };
        output::print(&format!("{held} of {} checks hold, {seconds:.1} s{rest}\n", done.len()))?;
    }
    Ok(match (broken, interrupted) {
        (true, _) => 1,
        (false, true) => interrupt::STATUS,
        (false, false) => 0,
    })
}

/// The checks named, in the order of the suite; all when none is named.
fn chosen(ids: &[String]) -> Result<Vec<Check>, String> {
    let checks = all();
    let names: Vec<&str> = checks.iter().map(|c| c.id).collect();
    for id in ids {
        if !names.contains(&id.as_str()) {
            let hint = nearest(id, names.iter().copied()).map_or(String::new(), |n| format!("; did you mean {n}?"));
            return Err(format!("check = '{id}': expected one of {}{hint}", names.join(", ")));
        }
    }
    Ok(checks.into_iter().filter(|c| ids.is_empty() || ids.iter().any(|id| id == c.id)).collect())
}

/// Runs all, in order of the suite; each is printed as soon as all before it are done.
fn run(checks: &[Check], args: &Args) -> Vec<Done> {
    let bar = Bar::new(checks.len(), args.json);
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    let mut waiting: Vec<Option<Done>> = checks.iter().map(|_| None).collect();
    let mut done = Vec::new();
    std::thread::scope(|scope| {
        for _ in 0..WORKERS.min(checks.len()) {
            let (send, next, bar) = (send.clone(), &next, &bar);
            scope.spawn(move || {
                while let Some((k, check)) = take(next, checks) {
                    bar.begin(check.id);
                    let result = timed(check, args.quick);
                    bar.end(check.id);
                    if send.send((k, result)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        for (k, result) in receive {
            waiting[k] = Some(result);
            while let Some(ready) = waiting.get_mut(done.len()).and_then(Option::take) {
                if !args.json {
                    // A reader that has gone away is no reason to stop.
                    bar.bar.suspend(|| drop(output::print(&lines(&ready))));
                }
                done.push(ready);
            }
        }
    });
    bar.bar.finish_and_clear();
    done
}

fn take<'a>(next: &AtomicUsize, checks: &'a [Check]) -> Option<(usize, &'a Check)> {
    let k = next.fetch_add(1, Ordering::Relaxed);
    checks.get(k).map(|c| (k, c))
}

fn timed(check: &Check, quick: bool) -> Done {
    let begin = Instant::now();
    let result = (check.run)(&Effort { quick, stop: &interrupt::pressed });
    Done { check: *check, result, seconds: begin.elapsed().as_secs_f64() }
}

/// The progress bar with the names of the running checks.
struct Bar {
    bar: ProgressBar,
    running: Mutex<BTreeSet<&'static str>>,
}

impl Bar {
    fn new(checks: usize, hidden: bool) -> Self {
        let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(checks as u64), target);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} checks, {elapsed}: {msg}") {
            bar.set_style(style);
        }
        Bar { bar, running: Mutex::default() }
    }

    fn begin(&self, id: &'static str) {
        self.change(|running| _ = running.insert(id));
    }

    fn end(&self, id: &'static str) {
        self.change(|running| _ = running.remove(id));
        self.bar.inc(1);
    }

    fn change(&self, f: impl FnOnce(&mut BTreeSet<&'static str>)) {
        if let Ok(mut running) = self.running.lock() {
            f(&mut running);
            self.bar.set_message(running.iter().copied().collect::<Vec<_>>().join(", "));
        }
    }
}

/// One line per value; the first has the time of the check.
fn lines(d: &Done) -> String {
    let mut out = String::new();
    let mut time = format!("{:.1} s", d.seconds);
    let values = match &d.result {
        Ok(values) => values,
        Err(Failure::Stopped) => return format!("{:<17} interrupted\n", d.check.id),
        Err(Failure::Error(e)) => return format!("{:<17} FAILED {time}: {e}\n", d.check.id),
    };
    for v in values {
        let verdict = match (v.is_within(), v.holds()) {
            (true, _) => "ok",
            (false, true) => "limit",
            (false, false) => "FAILED",
        };
        let (value, bound) = (with_unit(v.value, v.unit), bound(v));
        let _ = writeln!(out, "{:<17} {verdict:<6} {time:>7}  {value:>13} {bound:<32} {}", d.check.id, v.what);
        time.clear();
    }
    out
}

fn with_unit(x: f64, unit: &str) -> String {
    format!("{} {unit}", format::number(x)).trim_end().into()
}

fn bound(v: &Measured) -> String {
    let known = v.known.map(|limit| format!(", known to {}", with_unit(limit, v.unit)));
    let bound = match v.bound {
        Bound::AtMost(b) => format!("<= {}", with_unit(b, v.unit)),
        Bound::AtLeast(b) => format!(">= {}", with_unit(b, v.unit)),
        Bound::Near { expected, part } => {
            format!("= {} within {}", with_unit(expected, v.unit), format::percent(part))
        }
    };
    bound + known.as_deref().unwrap_or_default()
}

fn text_list(checks: &[Check]) -> String {
    let mut out = String::new();
    for c in checks {
        let _ = writeln!(out, "{}: {}\n  {}", c.id, c.summary, c.source);
    }
    out
}

fn list(checks: &[Check]) -> Json {
    let one = |c: &Check| json!({ "id": c.id, "summary": c.summary, "source": c.source });
    checks.iter().map(one).collect()
}

fn object(d: &Done) -> Json {
    let error = match &d.result {
        Err(Failure::Error(e)) => Some(e.to_string()),
        Err(Failure::Stopped) => Some("interrupted".into()),
        Ok(_) => None,
    };
    let values: Vec<Json> = d.result.as_ref().map(|v| v.iter().map(value).collect()).unwrap_or_default();
    json!({
        "id": d.check.id,
        "summary": d.check.summary,
        "source": d.check.source,
        "holds": d.holds(),
        "seconds": d.seconds,
        "error": error,
        "values": values,
    })
}

fn value(v: &Measured) -> Json {
    let bound = match v.bound {
        Bound::AtMost(b) => json!({ "at_most": b }),
        Bound::AtLeast(b) => json!({ "at_least": b }),
        Bound::Near { expected, part } => json!({ "expected": expected, "tolerance": part * expected.abs() }),
    };
    json!({ "what": v.what, "value": v.value, "unit": v.unit, "bound": bound, "known_limit": v.known, "within": v.is_within(), "holds": v.holds() })
}

fn pretty(x: &Json) -> Result<String, String> {
    serde_json::to_string_pretty(x).map(|t| t + "\n").map_err(|e| e.to_string())
}

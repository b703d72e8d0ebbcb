//! `taut fuzz`, as a user meets it.

use crate::common::{err, new_folder, out, taut};
use serde_json::Value;

#[test]
fn plain_worlds_have_no_findings() {
    let o = taut(&["fuzz", "--seeds", "0..4", "--features", "none", "--steps", "20"]);
    assert!(o.status.success(), "{}", err(&o));
    assert!(out(&o).starts_with("4 worlds, 0 with findings\n"), "{}", out(&o));
}

#[test]
fn the_number_of_workers_changes_nothing() {
    let run = |workers| {
        let args = ["fuzz", "--seeds", "0..40", "--steps", "60", "--strict", "--no-shrink", "--workers", workers];
        taut(&args)
    };
    let [one, three] = ["1", "3"].map(run);
    assert_eq!(out(&one), out(&three));
    // Whether there are findings is the engine's business; the status must say the same as the text.
    let found = out(&one).lines().any(|l| l.starts_with("seed "));
    assert_eq!(one.status.code(), Some(i32::from(found)));
}

#[test]
fn failing_worlds_are_written_and_can_be_run() {
    let folder = new_folder("fuzz");
    let path = folder.to_str().unwrap();
    let o = taut(&["fuzz", "--seeds", "0..40", "--steps", "60", "--budget", "1", "--json", "--out", path]);
    let all: Value = serde_json::from_str(&out(&o)).unwrap();
    assert_eq!(all["worlds"], 40);
    let failing = all["seeds_with_findings"].as_array().unwrap();
    assert_eq!(all["failing"], failing.len());
    for seed in failing {
        let o = taut(&["run", seed["file"].as_str().unwrap(), "--quiet"]);
        assert_ne!(o.status.code(), Some(2), "{}", err(&o));
        assert!(out(&o).contains("verdict") || !err(&o).is_empty());
    }
}

#[test]
fn features_are_listed_and_mistakes_refused() {
    let list = out(&taut(&["fuzz", "--list"]));
    assert!(list.contains("kinematic") && list.contains("Ropes and ligaments."), "{list}");
    for (args, words) in [
        (["--features", "motor"], "did you mean motors?"),
        (["--without", "magic"], "expected one of all, none, motors, limits"),
        (["--seeds", "5..5"], "A less than B"),
        (["--seeds", "x..5"], "expected a whole number"),
        (["--steps", "0"], "1..=1000000"),
    ] {
        let o = taut(&[&["fuzz"], args.as_slice()].concat());
        assert_eq!(o.status.code(), Some(2), "{args:?}");
        assert!(err(&o).contains(words), "{args:?}: {}", err(&o));
    }
}

#[test]
fn known_findings_are_told_and_are_no_failure() {
    let args = ["fuzz", "--seeds", "0..60", "--steps", "60", "--strict", "--no-shrink"];
    let first = taut(&args);
    let found: Vec<String> = out(&first)
        .lines()
        .filter_map(|l| l.strip_prefix("seed ")?.split_once(':').map(|(seed, _)| seed.to_string()))
        .collect();
    assert!(!found.is_empty(), "strict limits find something in 60 worlds: {}", out(&first));
    let known = found.join(",");
    let again = taut(&[&args[..], &["--known", &known]].concat());
    assert!(again.status.success(), "{}", out(&again));
    assert!(out(&again).contains(&format!("{} of these are known\n", found.len())), "{}", out(&again));
    // One that is not on the list fails, and one on it that is clean is named.
    let clean = (0..60).map(|s: u64| s.to_string()).find(|s| !found.contains(s)).unwrap();
    let other = taut(&[&args[..], &["--known", &clean]].concat());
    assert_eq!(other.status.code(), Some(1));
    assert!(out(&other).contains(&format!("no longer found: {clean}")), "{}", out(&other));
    assert_eq!(taut(&["fuzz", "--known", "one"]).status.code(), Some(2));
}

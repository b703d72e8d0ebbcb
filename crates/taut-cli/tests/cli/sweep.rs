//! Sweeps: what is killed goes on, what fails is told, and a run is that of `taut run`.

use crate::common::{err, new_folder, out, refused, taut};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use taut_fleet::table::{Format, Table};

/// A new folder that is there.
fn folder(name: &str) -> PathBuf {
    let path = new_folder(name);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn table(path: &Path) -> Table {
    Table::read(Format::of(path).unwrap(), &std::fs::read(path).unwrap()).unwrap()
}

/// A column as texts.
fn column(table: &Table, name: &str) -> Vec<String> {
    let at = table.column(name).unwrap_or_else(|| panic!("no column {name}"));
    table.rows.iter().map(|r| r[at].to_string()).collect()
}

/// Runs that a journal has: its lines but the first.
fn lines(journal: &Path) -> usize {
    std::fs::read(journal).map_or(0, |b| b.iter().filter(|c| **c == b'\n').count().saturating_sub(1))
}

#[test]
fn a_sweep_that_is_killed_again_and_again_ends_with_the_same_bytes() {
    let folder = folder("sweep-killed");
    for ending in ["parquet", "csv"] {
        let (whole, killed) = (folder.join(format!("whole.{ending}")), folder.join(format!("killed.{ending}")));
        let sweep = |path: &Path, workers: &str| {
            let mut c = Command::new(env!("CARGO_BIN_EXE_taut"));
            c.args(["sweep", "chain", "--vary", "ratio=1,1e3,1e6", "--vary", "dt=0.01,1/60", "--seeds", "5"]);
            c.args(["--time", "8", "--quiet", "--workers", workers, "--out"]).arg(path);
            c.stdin(Stdio::null());
            c
        };
        let o = sweep(&whole, "1").output().unwrap();
        assert_eq!(o.status.code(), Some(0), "{}", err(&o));
        let journal = folder.join(format!("killed.{ending}.journal"));
        let (mut kills, mut before) = (0, 0);
        // Killed whenever five more runs are done.
        while before < 20 {
            let mut child = sweep(&killed, "3").stdout(Stdio::null()).spawn().unwrap();
            let begin = Instant::now();
            while lines(&journal) < before + 5 && begin.elapsed() < Duration::from_secs(60) {
                std::thread::sleep(Duration::from_millis(1));
            }
            child.kill().unwrap();
            assert!(!child.wait().unwrap().success(), "it was too quick to be killed");
            let now = lines(&journal);
            assert!(now >= before + 5 && now < 30 && !killed.exists(), "{now} lines after {before}");
            (before, kills) = (now, kills + 1);
        }
        let o = sweep(&killed, "2").output().unwrap();
        assert_eq!(o.status.code(), Some(0), "{}", err(&o));
        // No run was done twice.
        assert!(out(&o).contains(&format!("; {} runs took", 30 - before)), "{} after {before}", out(&o));
        assert!(kills >= 2 && !journal.exists());
        assert!(std::fs::read(&whole).unwrap() == std::fs::read(&killed).unwrap(), "{ending}: not the same bytes");
        let t = table(&whole);
        assert_eq!(t.rows.len(), 30);
        assert!(column(&t, "verdict").iter().all(|v| v == "stable"));
        // Every seed is another start.
        let mut hashes = column(&t, "state_hash");
        hashes.sort();
        hashes.dedup();
        assert_eq!(hashes.len(), 30);
    }
}

#[test]
fn a_run_without_a_seed_is_that_of_taut_run() {
    let path = folder("sweep-same").join("runs.parquet");
    let o = taut(&["sweep", "chain", "--vary", "ratio=10,100", "--time", "1", "--out", path.to_str().unwrap()]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let t = table(&path);
    for (ratio, hash) in [("10", 0), ("100", 1)] {
        let set = format!("ratio={ratio}");
        let run = taut(&["run", "chain", "--set", &set, "--time", "1", "--json"]);
        let v: serde_json::Value = serde_json::from_str(&out(&run)).unwrap();
        assert_eq!(v["state_hash"], column(&t, "state_hash")[hash].as_str());
        assert_eq!(
            v["max_gap"].as_f64().unwrap().to_string(),
            column(&t, "max_gap")[hash].parse::<f64>().unwrap().to_string()
        );
    }
    let again = taut(&["sweep", "chain", "--vary", "ratio=10,100", "--time", "1", "--out", path.to_str().unwrap()]);
    assert!(again.status.code() == Some(2) && err(&again).contains("--overwrite"), "{}", err(&again));
}

#[test]
fn what_fails_is_a_row_with_a_message() {
    let path = folder("sweep-fails").join("runs.csv");
    let p = path.to_str().unwrap();
    // MINRES cannot take the full stiffness; the heavy chain with no stabiliser breaks.
    let o = taut(&[
        "sweep",
        "chain",
        "--vary",
        "solver=auto,minres",
        "--vary",
        "stabiliser=aligned,full,none",
        "--set",
        "ratio=1e6",
        "--dt",
        "0.1",
        "--time",
        "5",
        "--out",
        p,
    ]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let t = table(&path);
    let verdicts = column(&t, "verdict");
    assert_eq!(verdicts[4], "failed", "{verdicts:?}");
    assert!(verdicts[2] == "diverged" && verdicts[0] == "stable", "{verdicts:?}");
    let messages = column(&t, "message");
    assert!(messages[4].contains("minres") && messages[2].contains("at ") && messages[0].is_empty(), "{messages:?}");
    assert!(out(&o).contains("1 failed") && out(&o).contains("the first that failed is run 4"), "{}", out(&o));
}

#[test]
fn numbers_of_a_scene_file_are_varied_by_their_place() {
    let folder = folder("sweep-file");
    let scene = folder.join("swing.json");
    let file = r#"{ "taut": 1, "settings": { "gravity": [0, -9.81, 0] }, "bodies": [{ "type": "particle", "name": "bob", "mass": 2, "position": [1, 0, 0] }],
        "joints": [{ "type": "rope", "name": "line", "bodies": ["bob", "ground"], "points": [[1, 0, 0], [0, 0, 0]] }],
        "outputs": { "time": 1 } }"#;
    std::fs::write(&scene, file).unwrap();
    let (s, runs, times) = (scene.to_str().unwrap(), folder.join("runs.parquet"), folder.join("times.csv"));
    let o = taut(&[
        "sweep",
        s,
        "--vary",
        "bodies.bob.mass=1,2,4",
        "--vary",
        "settings.gravity[1]=-9.81,-1.62",
        "--signals",
        "line",
        "--out",
        runs.to_str().unwrap(),
        "--timing",
        times.to_str().unwrap(),
    ]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let t = table(&runs);
    let pull: Vec<f64> = column(&t, "joint.line.tension [N] max").iter().map(|x| x.parse().unwrap()).collect();
    // At the bottom of a swing from the horizontal the rope carries three weights.
    for (k, (mass, g)) in
        [(1.0, 9.81), (1.0, 1.62), (2.0, 9.81), (2.0, 1.62), (4.0, 9.81), (4.0, 1.62)].into_iter().enumerate()
    {
        let share = pull[k] / (mass * g);
        let reached = if g > 5.0 { 2.9..3.05 } else { 0.5..2.9 };
        assert!(reached.contains(&share), "run {k}: {share}");
    }
    assert_eq!(table(&times).rows.len(), 6);
    let new = folder.join("x.csv");
    let new = new.to_str().unwrap();
    refused(&["sweep", s, "--vary", "bodies.bub.mass=1", "--out", new], &["bodies.bub.mass", "did you mean bob?"]);
    refused(&["sweep", s, "--vary", "bodies.bob.mas=1", "--out", new], &["mas"]);
    // What only the engine can refuse is a run that failed.
    let o = taut(&["sweep", s, "--vary", "bodies.bob.mass=-1,1", "--out", runs.to_str().unwrap(), "--overwrite"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let t = table(&runs);
    assert_eq!(column(&t, "verdict"), ["failed", "stable"]);
    assert!(column(&t, "message")[0].contains("bodies[0].mass"), "{:?}", column(&t, "message"));
}

#[test]
fn tables_are_drawn() {
    let folder = folder("sweep-plot");
    let (runs, picture) = (folder.join("runs.parquet"), folder.join("map.svg"));
    let (r, p) = (runs.to_str().unwrap(), picture.to_str().unwrap());
    let o = taut(&[
        "sweep",
        "chain",
        "--vary",
        "ratio=log:1:1e6:3",
        "--vary",
        "joint=ball,hinge",
        "--seeds",
        "2",
        "--time",
        "0.5",
        "--out",
        r,
        "--plot",
        p,
    ]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let text = |path: &Path| std::fs::read_to_string(path).unwrap();
    for word in ["ratio", "hinge", "share of stable runs", "1000"] {
        assert!(text(&picture).contains(word), "{word}");
    }
    let o = taut(&["sweep", r, "--plot", p, "--value", "max_gap", "--over", "ratio"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    assert!(text(&picture).contains("max_gap (median)") && !text(&picture).contains("hinge"));
    refused(&["sweep", r, "--plot", p, "--value", "max_gpa"], &["did you mean max_gap?"]);
    refused(&["sweep", r, "--plot", p, "--over", "dt"], &["ratio, joint"]);
    refused(&["sweep", "chain", "--plot", p], &["--out"]);
}

#[test]
fn bad_sweeps_are_refused_before_the_first_run() {
    let folder = folder("sweep-bad");
    let file = folder.join("x.csv");
    let f = file.to_str().unwrap();
    let cases: [(&[&str], &[&str]); 7] = [
        (&["chain", "--vary", "ratoi=1"], &["did you mean ratio?"]),
        (&["chain", "--vary", "ratio=log:1:2"], &["log:FIRST:LAST:COUNT"]),
        (&["chain", "--vary", "ratio=1e-99"], &["ratio"]),
        (&["chian", "--vary", "ratio=1"], &["did you mean chain?"]),
        (&["chain", "--vary", "ratio=uniform:1:2"], &["seed"]),
        (&["chain", "--seeds", "0"], &["seed"]),
        (&["chain", "--signals", "laod"], &["expected the name of"]),
    ];
    for (args, words) in cases {
        refused(&[&["sweep"], args, &["--out", f]].concat(), words);
        assert!(!file.exists() && !folder.join("x.csv.journal").exists(), "{args:?}");
    }
    refused(&["sweep", "chain", "--out", "runs.txt"], &[".parquet or .csv"]);
    refused(&["sweep", "chain"], &["--out"]);
}

//! The command line, as a user meets it: what it prints, writes and returns.

use crate::common::{err, new_folder, out, refused, taut};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// An empty folder of this test.
fn folder(name: &str) -> PathBuf {
    let path = new_folder(name);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn file(name: &str) -> String {
    format!("{}/../taut-scenes/files/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn list_names_scenes_parameters_and_units() {
    let text = out(&taut(&["list"]));
    assert!(text.lines().any(|l| l.starts_with("chain  ")) && !text.contains("link_mass"), "{text}");
    let o = taut(&["list", "--parameters"]);
    assert!(o.status.success());
    let text = out(&o);
    for words in ["chain:", "spinning-body:", "link_mass", "0.2 kg", "hinge-alternating"] {
        assert!(text.contains(words), "{words}");
    }
    let o = taut(&["list", "--json"]);
    let list: Value = serde_json::from_str(&out(&o)).unwrap();
    let chain = list.as_array().unwrap().iter().find(|s| s["name"] == "chain").unwrap();
    let ratio = chain["parameters"].as_array().unwrap().iter().find(|p| p["name"] == "ratio").unwrap();
    assert_eq!(ratio["default"], 1000.0);
    assert!(ratio["help"].is_string() && ratio["unit"].is_string() && ratio["range"].is_array());
}

#[test]
fn list_of_one_scene_or_file_has_its_signals() {
    let text = out(&taut(&["list", "soft-cantilever"]));
    let line = "  deformable.bar: tip_x [m], tip_y [m], tip_z [m], energy [J], volume [m^3], stress [Pa], strain [-]";
    assert!(text.contains(line), "{text}");
    let o = taut(&["list", &file("hoist.json")]);
    assert!(o.status.success(), "{}", err(&o));
    for words in [
        "hoist: a scene file",
        "rope.hoist: span0.tension [N]",
        "guide4.wrap [rad], length [m], paid_out [m]",
        "motor.winch",
    ] {
        assert!(out(&o).contains(words), "{words} in {}", out(&o));
    }
    let v: Value = serde_json::from_str(&out(&taut(&["list", &file("hoist.json"), "--json"]))).unwrap();
    let signals = v[0]["signals"].as_array().unwrap();
    assert!(signals.iter().any(|s| s == "rope.line.slack [m]") && v[0]["dt"] == 0.01, "{v}");
    let v: Value = serde_json::from_str(&out(&taut(&["list", "chain", "--json"]))).unwrap();
    assert!(v[0]["parameters"].is_array() && v[0]["signals"].is_array());
    let o = taut(&["list", "chian"]);
    assert!(o.status.code() == Some(2) && err(&o).contains("did you mean chain?"), "{}", err(&o));
}

const KEYS: [&str; 47] = [
    "scene",
    "parameters",
    "stabiliser",
    "solver",
    "bounded_solver",
    "dt",
    "time",
    "steps",
    "stable",
    "failure",
    "interrupted",
    "length",
    "max_gap",
    "max_gap_rel",
    "sum_gap_rel",
    "end_gap",
    "energy_start",
    "energy_end",
    "energy_scale",
    "energy_left",
    "energy_max_rise",
    "kinetic_peak_first",
    "kinetic_peak_last",
    "solves_per_step",
    "rhs_per_step",
    "ledger",
    "ledger_imbalance",
    "resolved_share",
    "redundant_joints",
    "bounded",
    "bodies",
    "rows",
    "bytes",
    "us_per_step",
    "state_hash",
    "max_strain",
    "end_strain",
    "turn",
    "path_error",
    "smoothness",
    "residual",
    "events",
    "broken",
    "stopped",
    "conflicts",
    "snapped_steps",
    "joints",
];

#[test]
fn json_is_one_object_with_every_key() {
    let o =
        taut(&["run", "chain", "--json", "--time", "0.5", "--set", "links=3", "--set", "joint=hinge", "--dt", "1/120"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    assert!(err(&o).is_empty());
    let v: Value = serde_json::from_str(&out(&o)).unwrap();
    for key in KEYS {
        assert!(v.get(key).is_some(), "{key}");
    }
    assert_eq!(v["scene"], "chain");
    assert_eq!(v["parameters"]["links"], 3);
    assert_eq!(v["parameters"]["joint"], "hinge");
    assert_eq!(v["dt"], 1.0 / 120.0);
    assert_eq!(v["steps"], 60);
    assert_eq!(v["bodies"], 4);
    assert_eq!(v["failure"], Value::Null);
    let hash = v["state_hash"].as_str().unwrap();
    assert!(hash.len() == 16 && hash.chars().all(|c| c.is_ascii_hexdigit()));
    let again =
        taut(&["run", "chain", "--json", "--time", "0.5", "--set", "links=3", "--set", "joint=hinge", "--dt", "1/120"]);
    let w: Value = serde_json::from_str(&out(&again)).unwrap();
    assert_eq!(w["state_hash"], v["state_hash"]);
}

#[test]
fn summary_is_readable() {
    let o = taut(&["run", "chain", "--time", "0.5"]);
    let text = out(&o);
    for words in [
        "scene",
        "stable",
        "largest gap of a joint",
        "stabiliser aligned",
        "block-ldlt",
        "energy at the end",
        "state hash",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    // No progress bar where nobody watches.
    assert!(err(&o).is_empty());
}

#[test]
fn divergence_is_reported_and_exits_with_1() {
    let args = ["run", "chain", "--set", "ratio=1e6", "--stabiliser", "none", "--dt", "1/30"];
    let o = taut(&args);
    assert_eq!(o.status.code(), Some(1));
    assert!(out(&o).contains("DIVERGED at"));
    let o = taut(&[&args[..], &["--json"]].concat());
    assert_eq!(o.status.code(), Some(1));
    let v: Value = serde_json::from_str(&out(&o)).unwrap();
    assert_eq!(v["stable"], false);
    assert!(v["failure"].is_string());
}

#[test]
fn stabilisers_and_solvers_are_chosen() {
    for (stabiliser, solver, label, path) in [
        ("none", "auto", "none", "block-ldlt"),
        ("full", "auto", "full", "dense-lu"),
        ("symmetric", "minres", "symmetric", "minres"),
        ("low-rank", "dense-lu", "low-rank", "dense-lu"),
        ("inertial:alpha=0.25,theta=0.75,all", "auto", "inertial:alpha=0.25,theta=0.75,all", "block-ldlt"),
        ("constraint-space", "dense-cholesky", "constraint-space:alpha=1", "dense-cholesky"),
        ("aligned", "minres", "aligned", "minres"),
        ("aligned", "structured:iterations=9,gap=0.001", "aligned", "structured:iterations=9,gap=0.001"),
        ("aligned:base", "block-ldlt", "aligned:base", "block-ldlt"),
    ] {
        let o = taut(&[
            "run",
            "chain",
            "--json",
            "--time",
            "0.1",
            "--set",
            "links=2",
            "--set",
            "ratio=1",
            "--stabiliser",
            stabiliser,
            "--solver",
            solver,
        ]);
        assert_eq!(o.status.code(), Some(0), "{stabiliser}: {}", err(&o));
        let v: Value = serde_json::from_str(&out(&o)).unwrap();
        assert_eq!((v["stabiliser"].as_str(), v["solver"].as_str()), (Some(label), Some(path)));
    }
}

#[test]
fn bounded_rows_are_reported_only_where_there_are_any() {
    let plain = taut(&["run", "chain", "--time", "0.5"]);
    assert!(!out(&plain).contains("bounded") && !out(&plain).contains("broken"), "{}", out(&plain));
    let plain = taut(&["run", "chain", "--time", "0.5", "--json"]);
    let v: Value = serde_json::from_str(&out(&plain)).unwrap();
    assert_eq!(v["bounded"], Value::Null);

    let dir = folder("bounded");
    let csv = dir.join("rope.csv").to_str().unwrap().to_owned();
    let o = taut(&["run", &file("rope.json"), "--csv", &csv]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let text = out(&o);
    for words in ["bounded rows auto", "bounded residual", "bounded iterations", "unconverged steps", "broken joints"] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    assert!(!text.contains("WARNING") && !text.contains("contact points"), "{text}");
    let table = std::fs::read_to_string(&csv).unwrap();
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name: &str| header.iter().position(|h| *h == name).unwrap_or_else(|| panic!("{name}"));
    let (rows, events, broken) = (column("bounded_rows"), column("events"), column("broken_J"));
    let cells: Vec<Vec<f64>> = lines.map(|l| l.split(',').map(|x| x.parse().unwrap()).collect()).collect();
    assert!(cells.iter().all(|r| r.len() == header.len()));
    assert!(cells[0][rows] == 0.0 && cells.iter().any(|r| r[rows] == 2.0));

    let o = taut(&["run", &file("rope.json"), "--json"]);
    let v: Value = serde_json::from_str(&out(&o)).unwrap();
    let b = &v["bounded"];
    assert_eq!(b["events"]["joints_broken"], 1);
    let counted = b["events"].as_object().unwrap().values().map(|x| x.as_f64().unwrap()).sum::<f64>();
    assert_eq!(counted, cells.iter().map(|r| r[events]).sum::<f64>());
    let lost = cells.iter().map(|r| r[broken]).sum::<f64>();
    assert!(lost < 0.0 && (v["ledger"]["broken"].as_f64().unwrap() - lost).abs() < 1e-9);
    assert!(b["residual"].as_f64().unwrap() <= 1e-9 && b["unconverged_steps"] == 0, "{b}");
    assert!(b["iterations_per_step"].as_f64().unwrap() > 0.0 && b["rows"] == 2);
}

#[test]
fn unconverged_steps_are_never_hidden() {
    let args = ["run", &file("door.json"), "--bounded", "pgs:sweeps=1"];
    let o = taut(&args);
    let text = out(&o);
    assert!(text.contains("WARNING") && text.contains("missed the tolerance"), "{text}");
    assert!(text.contains("bounded rows pgs:sweeps=1"), "{text}");
    let o = taut(&[&args[..], &["--json"]].concat());
    assert!(err(&o).contains("warning: bounded rows missed the tolerance"), "{}", err(&o));
    let v: Value = serde_json::from_str(&out(&o)).unwrap();
    assert!(v["bounded"]["unconverged_steps"].as_u64().unwrap() > 0);
    assert_eq!(v["bounded_solver"], "pgs:sweeps=1");
    // The same result is good enough for a looser tolerance.
    let o = taut(&[&args[..], &["--json", "--bounded-tolerance", "0.9"]].concat());
    assert!(err(&o).is_empty(), "{}", err(&o));
}

#[test]
fn methods_for_bounded_rows_agree() {
    let run = |method: &str| {
        let o = taut(&["run", &file("door.json"), "--json", "--no-sleep", "--bounded", method]);
        assert_eq!(o.status.code(), Some(0), "{method}: {}", err(&o));
        let v: Value = serde_json::from_str(&out(&o)).unwrap();
        assert_eq!(v["bounded_solver"], method);
        assert_eq!(v["bounded"]["unconverged_steps"], 0, "{method}");
        (v["turn"].as_f64().unwrap(), v["energy_end"].as_f64().unwrap())
    };
    let (turn, energy) = run("auto");
    for method in ["newton", "pivoting", "active-set", "convex", "pgs:sweeps=2000"] {
        let (t, e) = run(method);
        assert!((t - turn).abs() < 1e-4 && (e - energy).abs() < 1e-4, "{method}: {t} {turn}, {e} {energy}");
    }
}

#[test]
fn strains_and_turns_are_reported() {
    let o = taut(&["run", "cloth", "--time", "0.2", "--json"]);
    let v: Value = serde_json::from_str(&out(&o)).unwrap();
    assert!(v["max_strain"].as_f64().unwrap() >= v["end_strain"].as_f64().unwrap());
    assert!(v["end_strain"].as_f64().unwrap() > 0.0);
    assert!(out(&taut(&["run", "cloth", "--time", "0.2"])).contains("largest strain"));
    // A chain has no edges.
    let o = taut(&["run", "chain", "--time", "0.2", "--json"]);
    let v: Value = serde_json::from_str(&out(&o)).unwrap();
    assert!(v["max_strain"].is_null() && v["path_error"].is_null() && v["smoothness"].is_null());
    let text = out(&taut(&["run", "chain", "--time", "0.2"]));
    assert!(!text.contains("largest strain") && !text.contains("path error") && !text.contains("Hz"), "{text}");
    // A table that turns at 0.5 rad/s for 2 s about the axis of the cylinder.
    let path = folder("turn").join("table.json");
    let table = r#"{ "taut": 1,
      "bodies": [{ "type": "dynamic", "name": "a", "mass": 1, "shape": { "type": "cylinder", "radius": 0.1, "height": 1 } }],
      "joints": [{ "type": "hinge", "bodies": ["a", "ground"], "point": [0, 0, 0], "axis": [0, 1, 0], "motor": { "rate": 0.5 } }] }"#;
    std::fs::write(&path, table).unwrap();
    let o = taut(&["run", path.to_str().unwrap(), "--time", "2", "--dt", "0.01", "--json"]);
    let v: Value = serde_json::from_str(&out(&o)).unwrap();
    assert!((v["turn"].as_f64().unwrap() - 1.0).abs() < 1e-9, "{}", v["turn"]);
    let text = out(&taut(&["run", path.to_str().unwrap(), "--time", "2", "--dt", "0.01"]));
    assert!(text.contains("1 rad  0.1592 turns"), "{text}");
}

#[test]
fn a_run_is_compared_with_a_smaller_step() {
    let error = |dt: &str, more: &[&str]| {
        let args = ["run", "fourbar", "--dt", dt, "--time", "1", "--reference", "5e-4", "--json"];
        let o = taut(&[&args[..], more].concat());
        assert_eq!(o.status.code(), Some(0), "{}", err(&o));
        let v: Value = serde_json::from_str(&out(&o)).unwrap();
        v["path_error"].clone()
    };
    let number = |v: &Value, key: &str| v[key].as_f64().unwrap_or_else(|| panic!("{key} in {v}"));
    let (coarse, fine) = (error("0.02", &[]), error("0.005", &[]));
    assert!(number(&fine, "distance") > 0.0);
    assert!(number(&coarse, "distance") > 3.0 * number(&fine, "distance"), "{coarse} against {fine}");
    assert_eq!((number(&coarse, "reference"), number(&coarse, "time")), (5e-4, 1.0));
    assert!(number(&coarse, "travel") > 0.0 && number(&coarse, "at") <= 1.0 && coarse["failure"].is_null());
    // A shorter comparison can only be as far off.
    let short = error("0.02", &["--reference-time", "1/4"]);
    assert!(number(&short, "distance") <= number(&coarse, "distance") && number(&short, "at") <= 0.26);
    let text = out(&taut(&["run", "chain", "--time", "0.5", "--reference", "1/600"]));
    assert!(text.contains("path error") && text.contains("against a step of"), "{text}");
    // Of a run that diverged there is none.
    let args = ["run", "chain", "--set", "ratio=1e6", "--stabiliser", "none", "--dt", "1/30", "--reference", "1/300"];
    let o = taut(&args);
    assert_eq!(o.status.code(), Some(1));
    assert!(out(&o).contains("not measured") && out(&o).contains("the run diverged"), "{}", out(&o));
    let v: Value = serde_json::from_str(&out(&taut(&[&args[..], &["--json"]].concat()))).unwrap();
    assert!(v["path_error"]["distance"].is_null() && v["path_error"]["failure"].is_string());
}

#[test]
fn smoothness_is_a_share() {
    let share = |dt: &str| {
        let o = taut(&["run", "chain", "--time", "1", "--dt", dt, "--smoothness", "--json"]);
        assert_eq!(o.status.code(), Some(0), "{}", err(&o));
        let v: Value = serde_json::from_str(&out(&o)).unwrap();
        let s = &v["smoothness"];
        assert_eq!(s["cutoff"], 10.0);
        assert!(s["rms"].as_f64().unwrap() > 0.0 && s["rms_above"].as_f64() <= s["rms"].as_f64());
        s["share_above"].as_f64().unwrap()
    };
    for dt in ["1/60", "1e-3"] {
        assert!((0.0..=1.0).contains(&share(dt)), "{dt}: {}", share(dt));
    }
    assert!(out(&taut(&["run", "chain", "--time", "0.5", "--smoothness"])).contains("power above 10 Hz"));
}

#[test]
fn bad_references_are_refused() {
    let run = |more: &[&str], words: &[&str]| refused(&[&["run", "chain", "--dt", "0.01"], more].concat(), words);
    for bad in ["0", "-1", "NaN", "inf", "", "1/0", "abc"] {
        run(&["--reference", bad], &["--reference", "a fraction such as 1/60"]);
        run(&["--reference", "1e-3", "--reference-time", bad], &["--reference-time", "positive"]);
    }
    run(&["--reference", "0.01"], &["--reference 0.01", "less than the step of the run, 0.01 s"]);
    run(&["--reference", "1"], &["--reference 1", "less than"]);
    run(&["--reference-time", "1"], &["--reference"]);
    run(&["--time", "2", "--reference", "1e-3", "--reference-time", "3"], &["--reference-time 3", "2 s"]);
    run(&["--time", "2", "--reference", "1e-3", "--reference-time", "1e-3"], &["one step"]);
    run(&["--reference", "1e-300"], &["1e7", "steps"]);
    refused(&["run", "chain", "--dt", "0.05", "--smoothness"], &["--smoothness", "below 0.05 s", "10 Hz"]);
}

#[test]
fn bad_input_exits_with_2_and_says_what_was_expected() {
    refused(&[], &["Usage"]);
    refused(&["fly"], &["fly"]);
    refused(&["run"], &["SCENE"]);
    refused(&["run", "chian"], &["'chian'", "did you mean chain?", "fourbar", ".json"]);
    refused(&["run", ""], &["''", ".json"]);
    refused(&["run", "no-such-file.json"], &["no-such-file.json"]);
    refused(&["run", "chain", "--set", "links"], &["links", "NAME=VALUE"]);
    refused(&["run", "chain", "--set", "=3"], &["NAME=VALUE"]);
    refused(&["run", "chain", "--set", "link=3"], &["link", "did you mean links?"]);
    refused(&["run", "chain", "--set", "links=1e9"], &["links = 1e9", "from 1 to 1e6"]);
    refused(&["run", "chain", "--set", "links=2.5"], &["2.5", "whole number"]);
    refused(&["run", "chain", "--set", "links=NaN"], &["NaN"]);
    refused(&["run", "chain", "--set", "links="], &["links", "whole number"]);
    refused(&["run", "chain", "--set", "joint=rope"], &["rope", "ball, hinge"]);
    for bad in ["0", "-1", "NaN", "inf", "", "1/0", "abc", "1e999"] {
        refused(&["run", "chain", "--dt", bad], &["--dt", "a fraction such as 1/60"]);
        refused(&["run", "chain", "--time", bad], &["--time", "positive"]);
    }
    refused(&["run", "chain", "--time", "1e300"], &["1e9", "steps"]);
    refused(&["run", "chain", "--dt", "1e-300"], &["1e9", "steps"]);
    refused(&["run", "chain", "--stabiliser", "magic"], &["magic", "aligned:base"]);
    refused(&["run", "chain", "--stabiliser", "inertial:beta=1"], &["beta", "theta"]);
    refused(&["run", "chain", "--stabiliser", "inertial:theta=9"], &["theta = 9", "0.5 to 1"]);
    refused(&["run", "chain", "--stabiliser", "inertial:alpha=NaN"], &["alpha = NaN"]);
    refused(&["run", "chain", "--solver", "magic"], &["magic", "dense-cholesky"]);
    refused(&["run", "chain", "--bounded", "magic"], &["magic", "active-set", "pgs[:sweeps=100]"]);
    refused(&["run", "chain", "--bounded", "pgs:sweeps=0"], &["sweeps=0", "at least 1"]);
    refused(&["run", "chain", "--bounded", "newton:sweeps=5"], &["sweeps=5", "only pgs"]);
    for (bad, said) in [("0", "0"), ("-1", "-1"), ("NaN", "NaN"), ("inf", "inf")] {
        refused(&["run", "chain", "--bounded-tolerance", bad], &["bounded_tolerance", said, "between 0 and 1", "m/s"]);
    }
    refused(&["run", "chain", "--bounded-tolerance", "small"], &["small", "a number"]);
    refused(&["run", "chain", "--stabiliser", "full", "--solver", "block-ldlt"], &["full", "block-ldlt", "dense-lu"]);
    refused(&["run", "chain", "--set", "links=100000", "--solver", "dense-lu"], &["dense-lu", "unknowns"]);
    refused(&["run", "chain", "--plot", "x.jpg"], &["x.jpg", ".svg, .png or .pdf"]);
    refused(&["run", "chain", "--plot", "x"], &[".svg, .png or .pdf"]);
    refused(&["run", "chain", "--csv", "no/such/folder/x.csv"], &["--csv", "no/such/folder/x.csv"]);
}

#[test]
fn benches_refuse_counts_that_make_no_sense() {
    for (args, word) in [
        (["bench", "trees", "--seeds", "0"], "--seeds"),
        (["bench", "trees", "--seeds", "1000000000000000000"], "--seeds"),
        (["bench", "trees", "--first", "2000000000"], "--first"),
    ] {
        refused(&args, &[word]);
    }
}

#[test]
fn csv_and_plots_are_written() {
    let dir = folder("written");
    let path = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    let o = taut(&["run", "chain", "--time", "0.5", "--csv", &path("a.csv"), "--plot", &path("a.svg"), "--quiet"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let csv = std::fs::read_to_string(path("a.csv")).unwrap();
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    for name in [
        "time_s",
        "kinetic_J",
        "total_J",
        "max_gap_m",
        "residual",
        "stabiliser_J",
        "y_m",
        "vy_m_per_s",
        "turn_rate_rad_per_s",
        "strain",
    ] {
        assert!(header.contains(&name), "{name}");
    }
    assert_eq!(lines.clone().count(), 30);
    for line in lines {
        let row: Vec<f64> = line.split(',').map(|x| x.parse().unwrap()).collect();
        assert_eq!(row.len(), header.len());
    }
    let svg = std::fs::read_to_string(path("a.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    for words in ["chain: step 1/60 s, stabiliser aligned", "energy [", "gap [", "height [", "time [s]"] {
        assert!(svg.contains(words), "{words}");
    }
    // What was in a file before is gone, even if it was longer.
    std::fs::write(path("b.png"), vec![0; 1_000_000]).unwrap();
    let o = taut(&["run", "chain", "--time", "0.5", "--plot", &path("b.png")]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let png = std::fs::read(path("b.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG") && png.ends_with(b"IEND\xaeB`\x82"));
}

#[test]
fn plots_of_extreme_runs_are_drawn() {
    let dir = folder("extreme");
    let path = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    // One step; a diverging run; nothing that moves; no joints and no gravity.
    for (k, args) in [
        vec!["chain", "--time", "1e-9"],
        vec!["chain", "--set", "ratio=1e6", "--stabiliser", "none", "--dt", "1/30"],
        vec!["chain", "--set", "start=hanging", "--set", "kick=0", "--time", "0.1"],
        vec!["spinning-body", "--time", "0.2"],
    ]
    .into_iter()
    .enumerate()
    {
        let name = path(&format!("{k}.svg"));
        let o = taut(&[&["run"], &args[..], &["--plot", &name]].concat());
        assert!(matches!(o.status.code(), Some(0 | 1)), "{args:?}: {}", err(&o));
        assert!(!std::fs::read_to_string(name).unwrap().contains("NaN"));
    }
}

#[test]
fn refused_runs_leave_no_file_and_change_none() {
    let dir = folder("refused");
    let path = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    std::fs::write(path("old.csv"), "kept").unwrap();
    refused(&["run", "chain", "--csv", &path("new.csv"), "--plot", &path("missing/x.svg")], &["--plot", "missing"]);
    refused(&["run", "chain", "--csv", &path("old.csv"), "--plot", &path("missing/x.svg")], &["--plot"]);
    refused(&["run", "chain", "--csv", &path("new.csv"), "--set", "links=0"], &["links"]);
    refused(&["run", "chain", "--csv", &path("same.svg"), "--plot", &path("same.svg")], &["--csv", "ending in .csv"]);
    assert!(!Path::new(&path("new.csv")).exists() && !Path::new(&path("same.svg")).exists());
    assert_eq!(std::fs::read_to_string(path("old.csv")).unwrap(), "kept");
    let scene = path("scene.json");
    std::fs::copy(file("top.json"), &scene).unwrap();
    refused(&["run", &scene, "--csv", &scene], &["--csv", "ending in .csv"]);
    assert!(std::fs::read_to_string(&scene).unwrap().contains("spinning top"));
}

#[test]
fn scene_files_run() {
    for name in ["crane", "four-bar", "particle-net", "robot-arm", "shake-table", "top", "tower-crane"] {
        let o = taut(&["run", &file(&format!("{name}.json")), "--json", "--time", "0.5"]);
        assert_eq!(o.status.code(), Some(0), "{name}: {}", err(&o));
        let v: Value = serde_json::from_str(&out(&o)).unwrap();
        assert_eq!(v["scene"], name);
        assert_eq!(v["parameters"], serde_json::json!({}));
    }
    refused(&["run", &file("top.json"), "--set", "spin=3"], &["spin", "unknown field"]);
    refused(&["run", &file("")], &["or a .json, .urdf or .xml file"]);
}

#[test]
fn mistakes_in_scene_files_are_placed() {
    let dir = folder("mistakes");
    let good = std::fs::read_to_string(file("top.json")).unwrap();
    let broken = |from: &str, to: &str, words: &[&str]| {
        let path = dir.join("broken.json");
        std::fs::write(&path, good.replace(from, to)).unwrap();
        refused(&["run", path.to_str().unwrap()], &[words, &["broken.json"]].concat());
    };
    broken("\"mass\": 0.5", "\"mass\": \"5 kg\"", &["bodies[0].mass", "line 10, column", "expected a number of kg"]);
    broken("\"ground\"]", "\"grund\"]", &["joints[0].bodies[1]", "did you mean 'ground'?"]);
    broken("\"taut\": 1", "\"taut\": 9", &["taut", "version 1"]);
    broken("{", "", &["line 2", "trailing characters"]);
    std::fs::write(dir.join("latin.json"), [0xff, 0xfe, 0x00]).unwrap();
    refused(&["run", dir.join("latin.json").to_str().unwrap()], &["UTF-8"]);
}

#[test]
fn schema_is_json() {
    let o = taut(&["schema"]);
    assert_eq!(o.status.code(), Some(0));
    let v: Value = serde_json::from_str(&out(&o)).unwrap();
    assert_eq!(v["title"], "Taut scene file");
    assert_eq!(v["required"], serde_json::json!(["taut"]));
}

#[cfg(unix)]
#[test]
fn a_reader_that_leaves_is_not_an_error() {
    for args in [&["list"][..], &["schema"], &["run", "chain", "--time", "0.1", "--json"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_taut"))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let o = child.wait_with_output().unwrap();
        assert_eq!(o.status.code(), Some(0), "{args:?}: {}", err(&o));
        assert!(err(&o).is_empty(), "{args:?}: {}", err(&o));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn interrupt_ends_the_run_with_a_summary() {
    let csv = folder("interrupt").join("a.csv");
    let child = Command::new(env!("CARGO_BIN_EXE_taut"))
        .args(["run", "chain", "--time", "1e5", "--csv", csv.to_str().unwrap()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The run has begun when there are lines in the file.
    let begun = (0..500).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        std::fs::metadata(&csv).is_ok_and(|m| m.len() > 0)
    });
    assert!(begun);
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let o = child.wait_with_output().unwrap();
    assert_eq!(o.status.code(), Some(130), "{}", err(&o));
    assert!(out(&o).contains("interrupted"), "{}", out(&o));
}

#[test]
fn bench_scaling_measures_every_kind() {
    let path = folder("scaling").join("scaling.csv");
    let o = taut(&["bench", "scaling", "--quick", "--csv", path.to_str().unwrap()]);
    let text = out(&o);
    assert_eq!(o.status.code(), Some(0), "{text}{}", err(&o));
    for words in
        ["chain:", "tree:", "ladder:", "net:", "cloth:", "fitted exponents", "claim: linear", "blocks, no fill"]
    {
        assert!(text.contains(words), "{words} not in\n{text}");
    }
    assert!(text.contains("  blocks  ") && text.contains("  panels  "), "{text}");
    // The stages are the whole step.
    let csv = std::fs::read_to_string(path).unwrap();
    let first_share = csv.lines().next().unwrap().split(',').position(|name| name == "share_gather").unwrap();
    assert_eq!(csv.lines().count(), 1 + 2 + 2 + 2 + 3 + 3);
    for line in csv.lines().skip(1) {
        // The name of the path may have a comma in it.
        let line = line.replace("blocks, no fill", "blocks");
        let shares: Vec<f64> = line.split(',').skip(first_share).map(|x| x.parse().unwrap()).collect();
        assert!(shares.len() == 21 && shares.iter().all(|s| *s >= 0.0), "{line}");
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{line}");
    }
}

#[test]
fn bench_scaling_refuses_kinds_it_does_not_know() {
    let o = taut(&["bench", "scaling", "--only", "chain,rope"]);
    assert_eq!(o.status.code(), Some(2));
    assert!(err(&o).contains("rope") && err(&o).contains("ladder"), "{}", err(&o));
    assert!(out(&o).is_empty());
}

#[cfg(not(feature = "peers"))]
#[test]
fn bench_peers_says_how_to_build_it() {
    let o = taut(&["bench", "peers", "--quick"]);
    assert_eq!(o.status.code(), Some(2));
    assert!(err(&o).contains("cargo run --release -p taut-cli --features peers -- bench peers"), "{}", err(&o));
    assert!(out(&o).is_empty());
}

#[test]
fn settings_that_do_not_go_together_are_bad_input() {
    refused(&["run", "box-stack", "--coordinates", "reduced", "--solver", "pcg"], &["pcg", "expected", "contacts"]);
    refused(&["run", "box-stack", "--coordinates", "reduced", "--stabiliser", "none"], &["none", "expected"]);
    let elimination = ["--coordinates", "reduced", "--stabiliser", "none", "--solver", "elimination"];
    refused(&[&["run", "ragdoll"], &elimination[..]].concat(), &["elimination", "expected"]);
    refused(&["run", "chain", "--solver", "articulated"], &["articulated", "expected reduced"]);
    refused(&["run", "chain", "--stabiliser", "full", "--solver", "block-ldlt"], &["full", "expected dense-lu"]);
}

#[test]
fn a_world_that_cannot_be_held_is_refused_before_it_is_laid_out() {
    refused(&["run", "umbrella", "--set", "n=60", "--memory", "0.05"], &["memory of the world", "at most 0.1 GB"]);
    refused(&["run", "chain", "--set", "links=1000000", "--memory", "0.01"], &["memory of the world", "joints"]);
    refused(&["run", "chain", "--memory", "0"], &["number of GB"]);
}

#[test]
fn a_long_run_says_what_it_will_take_and_how_far_it_is() {
    let args = ["run", "chain", "--set", "links=6000", "--dt", "0.001", "--time", "0.6"];
    let o = taut(&args);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    assert!(err(&o).contains("of 600 steps, about"), "{}", err(&o));
    assert!(err(&taut(&[&args[..], &["--quiet"]].concat())).is_empty());
    assert!(err(&taut(&["run", "chain", "--time", "0.1"])).is_empty());
}

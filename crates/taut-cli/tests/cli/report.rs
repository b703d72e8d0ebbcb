//! What `taut run` tells of programs, events, joints and signals, and how it explains itself.

use crate::common::{err, new_folder, out, refused, taut};
use serde_json::Value;
use std::path::PathBuf;

fn file(name: &str) -> String {
    format!("{}/../taut-scenes/files/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn folder(name: &str) -> PathBuf {
    let path = new_folder(name);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// The cells of a line; quotes around a cell are taken off.
fn cells(line: &str) -> Vec<String> {
    let (mut out, mut inside) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => inside = !inside,
            ',' if !inside => out.push(String::new()),
            c => out.last_mut().unwrap().push(c),
        }
    }
    out
}

/// Header and rows of a table; an empty cell is none.
fn table(text: &str) -> (Vec<String>, Vec<Vec<Option<f64>>>) {
    let mut lines = text.lines();
    let header = cells(lines.next().unwrap());
    let rows: Vec<Vec<Option<f64>>> =
        lines.map(|l| cells(l).iter().map(|c| (!c.is_empty()).then(|| c.parse().unwrap())).collect()).collect();
    assert!(rows.iter().all(|r| r.len() == header.len()), "{header:?}");
    let mut names = header.clone();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), header.len(), "a column is there twice");
    (header, rows)
}

#[test]
fn the_outcome_tells_events_breaks_and_what_joints_carried() {
    let o = taut(&["run", &file("tower-crane.json"), "--json"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let v: Value = serde_json::from_str(&out(&o)).unwrap();
    let names: Vec<&str> = v["events"].as_array().unwrap().iter().map(|e| e["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["high enough", "drop", "landed", "over"]);
    assert!((v["events"][1]["time"].as_f64().unwrap() - 22.0).abs() < 1e-6);
    assert_eq!((&v["stopped"]["event"], &v["stopped"]["message"]), (&"over".into(), &"the load has landed".into()));
    assert!(v["time"].as_f64().unwrap() < 27.0 && v["broken"].as_array().unwrap().is_empty());
    let joint = |name: &str| v["joints"].as_array().unwrap().iter().find(|j| j["name"] == name).unwrap();
    let number = |v: &Value| v.as_f64().unwrap_or_else(|| panic!("{v}"));
    let rope = joint("rope");
    assert_eq!(rope["kind"], "rope");
    // 2150 kg hang on it until they are dropped; then the hook alone.
    let tension = &rope["tension"];
    assert!(number(&tension["peak"]) > 2150.0 * 9.81 && number(&tension["end"]) < 3000.0, "{tension}");
    assert!(rope["present"] == true && joint("shackle")["present"] == false);
    let slewing = joint("slewing");
    assert!(slewing["tension"].is_null() && slewing["coordinates"][0]["freedom"] == "turn");
    assert!((number(&slewing["coordinates"][0]["end"]) - std::f64::consts::FRAC_PI_2).abs() < 0.01, "{slewing}");
    let rail = &joint("rail")["coordinates"][0];
    assert_eq!((&rail["freedom"], &rail["unit"]), (&"slide".into(), &"m".into()));
    assert!(number(&rail["range"][0]) > -0.1 && number(&rail["range"][1]) > 17.9, "{rail}");
    assert!(number(&v["residual"]) < 1e-6 && v["conflicts"]["steps"] == 0 && v["snapped_steps"] == 0);

    let o = taut(&["run", &file("tower-crane.json")]);
    let text = out(&o);
    for words in
        ["events", "high enough at", "drop at 22 s", "stopped", "the load has landed", "energy left", "residual"]
    {
        assert!(text.contains(words), "{words}\n{text}");
    }
    let o = taut(&["run", &file("rope.json"), "--json"]);
    let v: Value = serde_json::from_str(&out(&o)).unwrap();
    let b = &v["broken"][0];
    assert_eq!((&b["name"], &b["kind"], &b["bodies"][0]), (&"tag line".into(), &"rope".into(), &"load".into()));
    assert!(number(&b["force"]) > 400.0 && number(&b["time"]) > 0.0 && v["stopped"].is_null());
    let text = out(&taut(&["run", &file("rope.json")]));
    assert!(text.contains("tag line (rope) at"), "{text}");
}

#[test]
fn signals_are_columns_with_units() {
    let dir = folder("signals");
    let path = dir.join("a.csv").to_str().unwrap().to_owned();
    let crane = file("tower-crane.json");
    let o = taut(&["run", &crane, "--csv", &path, "--signals"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let (header, rows) = table(&std::fs::read_to_string(&path).unwrap());
    let column = |name: &str| header.iter().position(|h| h == name).unwrap_or_else(|| panic!("{name} in {header:?}"));
    for name in [
        "joint.rope.force [N]",
        "joint.rope.torque [N m]",
        "joint.rope.gap [m]",
        "joint.rope.tension [N]",
        "joint.rope.length.q [m]",
        "joint.slewing.turn.q [rad]",
        "joint.slewing.turn.rate [rad/s]",
        "motor.slew.effort [N m]",
        "motor.travel.effort [N]",
        "motor.travel.target [m]",
        "motor.travel.target_rate [m/s]",
        "body.load.y [m]",
        "body.load.qw",
        "body.load.vz [m/s]",
        "body.trolley.wy [rad/s]",
    ] {
        column(name);
    }
    assert!(!header.iter().any(|h| h == "joint.slewing.tension [N]" || h.starts_with("body.jib.")), "{header:?}");
    let (time, shackle, height) = (column("time_s"), column("joint.shackle.force [N]"), column("body.load.y [m]"));
    let (q, target) = (column("joint.rail.slide.q [m]"), column("motor.travel.target [m]"));
    for r in &rows {
        let t = r[time].unwrap();
        // A joint that is gone has nothing to tell.
        assert_eq!(r[shackle].is_some(), t < 22.005, "{t}");
        assert!((r[q].unwrap() - r[target].unwrap()).abs() < 0.2, "{t}: {:?} {:?}", r[q], r[target]);
        assert!(r[height].is_some());
    }
    // Every quantity has one heading: what the followed body and the joint tell is not told again.
    for name in ["x_m", "vz_m_per_s", "motor.slew.position [rad]", "motor.travel.rate [m/s]"] {
        assert!(!header.iter().any(|h| h == name), "{name} in {header:?}");
    }
    let gap = column("joint.rope.gap [m]");
    assert!(rows.iter().all(|r| r[gap].is_none_or(|g| g.is_sign_positive())), "no gap is minus zero");
    // Some of them by name; a joint's name stands for its motor too.
    let o = taut(&["run", &crane, "--time", "0.1", "--csv", &path, "--signals", "rope, slew,hook"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let (header, _) = table(&std::fs::read_to_string(&path).unwrap());
    let more: Vec<&String> = header.iter().filter(|h| h.contains('.')).collect();
    assert!(
        more.iter().all(|h| ["joint.rope.", "motor.slew.", "body.hook."].iter().any(|p| h.starts_with(p))),
        "{more:?}"
    );
    assert_eq!(more.len(), 6 + 5 + 13);
    let o = taut(&["run", "robot-gripper", "--time", "0.1", "--csv", &path, "--signals", "elbow"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let (header, _) = table(&std::fs::read_to_string(&path).unwrap());
    assert!(header.contains(&"joint.elbow.turn.q [rad]".into()) && header.contains(&"motor.elbow.effort [N m]".into()));
    let o = taut(&["run", &crane, "--time", "0.1", "--csv", &path, "--signals", "slew,slew,rope,rope"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let (header, _) = table(&std::fs::read_to_string(&path).unwrap());
    assert_eq!(header.iter().filter(|h| h.contains('.')).count(), 5 + 6, "each thing once");
    assert!(header.contains(&"x_m".into()), "the followed body has no columns of its own");
    refused(&["run", &crane, "--csv", &path, "--signals", "rop"], &["--signals rop", "did you mean rope?"]);
    refused(&["run", &crane, "--signals"], &["--csv"]);
}

#[test]
fn ropes_over_guides_have_signals_of_their_own() {
    let o = taut(&["run", &file("hoist.json"), "--time", "2.8", "--csv", "-", "--signals", "hoist,line,drum"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let (header, rows) = table(&out(&o));
    let column = |name: &str| header.iter().position(|h| h == name).unwrap_or_else(|| panic!("{name} in {header:?}"));
    let last = |name: &str| rows.last().unwrap()[column(name)].unwrap();
    // Five spans, four guides between the ends, three lengths.
    assert_eq!(header.iter().filter(|h| h.starts_with("rope.hoist.")).count(), 5 + 4 + 3);
    // Hauling steadily: a quarter of load and block, within what swings.
    let weight = 2150.0 * 9.81 / 4.0;
    for k in 0..5 {
        let tension = last(&format!("rope.hoist.span{k}.tension [N]"));
        assert!((tension / weight - 1.0).abs() < 0.05, "span {k}: {tension} N for {weight} N");
    }
    // The drum of 0.3 m has turned at 4 rad/s since 0.5 s, less what it takes to stretch the rope and to start.
    let paid = last("rope.hoist.paid_out [m]");
    assert!((paid + 0.3 * (1.0 + 4.0 * 2.3)).abs() < 0.1, "{paid} m");
    assert!((last("rope.hoist.guide2.wrap [rad]") - std::f64::consts::PI).abs() < 0.01);
    assert!((last("rope.line.paid_out [m]") - 0.3 * 0.8).abs() < 0.01, "{}", last("rope.line.paid_out [m]"));
    refused(&["run", &file("hoist.json"), "--csv", "-", "--signals", "hoits"], &["rope", "did you mean hoist?"]);
    // A film of it has its ropes and sheaves.
    let path = folder("rope-film").join("a.glb");
    let o = taut(&["run", &file("hoist.json"), "--time", "0.2", "--gltf", path.to_str().unwrap()]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let bytes = std::fs::read(&path).unwrap();
    let words = String::from_utf8_lossy(&bytes);
    assert!(words.contains("\"hoist 0\"") && words.contains("\"sheave 3\""), "ropes and sheaves in the file");
}

#[test]
fn deformables_have_signals_of_their_own() {
    let o = taut(&["run", "soft-cantilever", "--time", "0.1", "--csv", "-", "--signals", "bar,bar,bar[0],bar[3]"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let (header, rows) = table(&out(&o));
    let last = |name: &str| {
        let k = header.iter().position(|h| h == name).unwrap_or_else(|| panic!("{name} in {header:?}"));
        assert_eq!(header.iter().filter(|h| *h == name).count(), 1, "{name} once");
        rows.last().unwrap()[k].unwrap()
    };
    // It has begun to fall, with the energy and the strain that go with it.
    assert!(last("deformable.bar.tip_y [m]") < 0.0 && last("deformable.bar.tip_y [m]") > -0.2);
    assert!(last("deformable.bar.energy [J]") > 0.0 && last("deformable.bar.stress [Pa]") > 1e3);
    assert!((last("deformable.bar.volume [m^3]") - 0.01).abs() < 1e-4);
    assert!(last("deformable.bar.strain [-]") > 1e-5 && last("deformable.bar.strain [-]") < 0.1);
    // Node 0 is held, node 3 is a particle.
    assert_eq!((last("node.bar[0].x [m]"), last("node.bar[0].vy [m/s]")), (0.0, 0.0));
    assert!(last("body.bar[3].vy [m/s]") < 0.0);
    refused(
        &["run", "soft-cantilever", "--csv", "-", "--signals", "bra"],
        &["--signals bra", "deformable of the scene", "did you mean bar?"],
    );
}

/// Every node of a soft bar is a joint of a skin whose place is animated; what the file says it holds, it holds.
#[test]
fn a_deformable_is_exported_as_an_animated_skin() {
    let path = folder("skin").join("bar.glb");
    let o = taut(&["run", "soft-cantilever", "--time", "0.2", "--gltf", path.to_str().unwrap()]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let bytes = std::fs::read(&path).unwrap();
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&bytes[..4], word(4), word(8)), (&b"glTF"[..], 2, bytes.len()));
    let json: Value = serde_json::from_slice(&bytes[20..20 + word(12)]).unwrap();
    let list = |key: &str| json[key].as_array().unwrap().clone();
    let data = word(20 + word(12));
    assert_eq!(json["buffers"][0]["byteLength"].as_u64(), Some(data as u64));
    for a in list("accessors") {
        let view = &json["bufferViews"][a["bufferView"].as_u64().unwrap() as usize];
        let width = match a["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            other => panic!("{other}"),
        };
        let size = match a["componentType"].as_u64().unwrap() {
            5121 => 1,
            5123 => 2,
            5125 | 5126 => 4,
            other => panic!("{other}"),
        };
        let (at, length) = (view["byteOffset"].as_u64().unwrap_or(0), view["byteLength"].as_u64().unwrap());
        assert!(a["count"].as_u64().unwrap() * width * size <= length && at + length <= data as u64, "{a} {view}");
    }
    let joints = json["skins"][0]["joints"].as_array().unwrap().clone();
    // 40 nodes of the bar are free, four are held: those are points of the ground.
    let moved: Vec<u64> = list("animations")[0]["channels"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|c| c["target"]["path"] == "translation")
        .map(|c| c["target"]["node"].as_u64().unwrap())
        .collect();
    let animated = joints.iter().filter(|j| moved.contains(&j.as_u64().unwrap())).count();
    assert_eq!(animated, 40, "{} joints", joints.len());
    let attributes = &list("meshes")[0]["primitives"][0]["attributes"];
    for name in ["POSITION", "NORMAL", "JOINTS_0", "WEIGHTS_0"] {
        assert!(attributes[name].is_u64(), "{name}");
    }
}

#[test]
fn a_name_with_a_comma_is_one_column() {
    let dir = folder("comma");
    let text = std::fs::read_to_string(file("rope.json")).unwrap().replace("\"tag line\"", "\"tag, \\\"line\\\"\"");
    let (scene, csv) = (dir.join("a.json"), dir.join("a.csv"));
    std::fs::write(&scene, text).unwrap();
    let o = taut(&["run", scene.to_str().unwrap(), "--time", "0.1", "--csv", csv.to_str().unwrap(), "--signals"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let (header, _) = table(&std::fs::read_to_string(&csv).unwrap());
    assert!(header.iter().any(|h| h == "joint.tag, line.tension [N]"), "{header:?}");
}

#[test]
fn a_table_can_go_to_standard_output() {
    let o = taut(&["run", &file("rope.json"), "--time", "1", "--csv", "-", "--signals", "rope"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let (header, rows) = table(&out(&o));
    assert_eq!(rows.len(), 100);
    assert!(header.contains(&"joint.rope.tension [N]".to_owned()));
    assert!(err(&o).contains("verdict") && err(&o).contains("stable"), "{}", err(&o));
    let o = taut(&["run", &file("rope.json"), "--time", "1", "--csv", "-", "--json"]);
    assert_eq!(table(&out(&o)).1.len(), 100);
    let v: Value = serde_json::from_str(&err(&o)).unwrap();
    assert_eq!(v["steps"], 100);
    assert!(!std::path::Path::new("-").exists());
}

#[test]
fn every_word_of_a_report_is_explained() {
    let all = taut(&["run", "--explain"]);
    assert_eq!(all.status.code(), Some(0), "{}", err(&all));
    let all = out(&all);
    for word in [
        "largest gap of a joint",
        "largest sum of gaps",
        "energy left",
        "largest rise",
        "solves per step",
        "residual",
        "conflicts",
        "snapped",
        "redundant joints",
    ] {
        assert!(all.lines().any(|l| l == word), "{word}\n{all}");
    }
    assert!(all.matches("    Worry ").count() > 20);
    // Names of the report stand in front of two spaces.
    let runs: [&[&str]; 4] = [
        &["run", "chain", "--time", "0.5", "--reference", "1/600", "--smoothness"],
        &["run", &file("tower-crane.json")],
        &["run", &file("rope.json")],
        &["run", "chain", "--time", "0.2", "--solver", "structured:iterations=5"],
    ];
    for args in runs {
        let plain = out(&taut(args));
        for line in plain.lines().filter(|l| !l.is_empty() && !l.starts_with("      ")) {
            let name = line.trim_start().split("  ").next().unwrap().trim();
            assert!(all.lines().any(|l| l == name), "'{name}' of '{line}' is not explained");
        }
        let both = out(&taut(&[args, &["--explain"]].concat()));
        let report = both.split_once("\n\nscene\n").unwrap_or_else(|| panic!("{both}"));
        assert!(report.0.contains("verdict") && report.1.contains("state hash\n"), "{both}");
    }
    let short = out(&taut(&["run", "chain", "--time", "0.1", "--explain"]));
    assert!(!short.contains("contact points") && !short.contains("loop iterations"), "{short}");
}

#[test]
fn one_scene_is_listed_with_its_parameters() {
    let o = taut(&["list", "robot-gripper"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let text = out(&o);
    for words in [
        "robot-gripper:",
        "source",
        "1/60 s (--dt)",
        "10 s (--time)",
        "box",
        "default 1 kg",
        "0.01 to 100",
        "taut run robot-gripper --set box=1",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    assert!(!text.contains("chain:"));
    let list: Value = serde_json::from_str(&out(&taut(&["list", "chain", "--json"]))).unwrap();
    assert_eq!((list.as_array().unwrap().len(), &list[0]["name"]), (1, &"chain".into()));
    refused(&["list", "chian"], &["'chian'", "did you mean chain?", "fourbar"]);
    refused(&["list", ""], &["''", "expected one of"]);
}

#[test]
fn files_are_refused_by_their_endings_in_the_same_words() {
    refused(&["run", "chain", "--plot", "x.txt"], &["--plot = x.txt: expected a file ending in .svg, .png or .pdf"]);
    refused(&["run", "chain", "--plot", "x"], &["--plot = x: expected a file ending in .svg, .png or .pdf"]);
    refused(&["run", "chain", "--gltf", "x.txt"], &["--gltf = x.txt: expected a file ending in .glb"]);
    refused(&["run", "chain", "--gltf", "x.gltf"], &["--gltf = x.gltf: expected a file ending in .glb"]);
    refused(&["shot", "chain", "--out", "x.jpg"], &["--out = x.jpg: expected a file ending in .png"]);
    for name in ["x.txt", "x", "x.gltf", "x.jpg"] {
        assert!(!std::path::Path::new(name).exists());
    }
}

#[test]
fn plots_are_written_as_pdf() {
    let dir = folder("pdf");
    let path = dir.join("crane.PDF");
    let o = taut(&["run", &file("tower-crane.json"), "--time", "3", "--plot", path.to_str().unwrap()]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let text = String::from_utf8(std::fs::read(&path).unwrap()).unwrap();
    assert!(text.starts_with("%PDF-1.4\n") && text.ends_with("%%EOF\n"));
    // Text is text: the title, the labels, and the joint that is followed.
    for words in ["tower-crane: step 0.01 s", "(time [s])", "force that joints carry", "(rope)", "(trolley)"] {
        assert!(text.contains(words), "{words}");
    }
    let svg = dir.join("crane.svg");
    let o = taut(&["run", &file("tower-crane.json"), "--time", "3", "--plot", svg.to_str().unwrap()]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    assert!(std::fs::read_to_string(svg).unwrap().contains("force that joints carry"));
}

#[test]
fn tables_are_read_beside_the_scene_file() {
    let o = taut(&["run", &file("shake-table.json"), "--json"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let v: Value = serde_json::from_str(&out(&o)).unwrap();
    assert!(v["events"].as_array().unwrap().iter().any(|e| e["name"] == "brace lets go"));
    let dir = folder("alone");
    let scene = dir.join("alone.json");
    std::fs::copy(file("shake-table.json"), &scene).unwrap();
    let place = ["alone.json", "programs[0].position[0].file", "line 19, column", "quake.csv"];
    refused(&["run", scene.to_str().unwrap()], &place);
    std::fs::write(dir.join("quake.csv"), "t [s],x [m]\n0,0\n1,zero\n").unwrap();
    refused(&["run", scene.to_str().unwrap()], &["position[0].value", "line 3: 'zero'", "a number"]);
}

#[test]
fn large_numbers_are_printed_short() {
    let longest = |text: &str| text.split(|c: char| !c.is_ascii_digit()).map(str::len).max().unwrap_or(0);
    let dir = folder("large");
    let scene = dir.join("a.json");
    let write = |mass: &str, speed: &str| {
        let text = format!(
            r#"{{ "taut": 1, "bodies": [{{ "type": "particle", "name": "p", "mass": {mass}, "velocity": [{speed}, 0, 0] }},
                 {{ "type": "particle", "name": "q", "mass": 1, "position": [1, 0, 0] }}],
                 "joints": [{{ "type": "distance", "bodies": ["p", "q"] }}], "outputs": {{ "time": 0.1 }} }}"#
        );
        std::fs::write(&scene, text).unwrap();
    };
    for (mass, speed) in [("1", "1e120"), ("1e150", "1"), ("-1e150", "0")] {
        write(mass, speed);
        let o = taut(&["run", scene.to_str().unwrap()]);
        let text = out(&o) + &err(&o);
        assert!(longest(&text) < 25, "{mass} {speed}: {text}");
    }
    assert!(err(&taut(&["run", scene.to_str().unwrap()])).contains("-1.00e150"));
    let o = taut(&["run", "chain", "--time", "1e150"]);
    assert!(o.status.code() == Some(2) && longest(&err(&o)) < 25 && err(&o).contains("--time 1e150"), "{}", err(&o));
    let o = taut(&["run", "chain", "--reference", "1e150"]);
    assert!(o.status.code() == Some(2) && longest(&err(&o)) < 25, "{}", err(&o));
}

#[test]
fn a_taken_port_is_told_with_what_to_do() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let o = taut(&["view", "--port", &port]);
    // Without the page in the binary there is nothing to serve.
    if err(&o).contains("built without the page") {
        return;
    }
    assert_eq!(o.status.code(), Some(2));
    for words in [&format!("--port {port}"), "taken", "--port 0"] {
        assert!(err(&o).contains(words), "{words}: {}", err(&o));
    }
}

#[test]
fn help_has_units_and_defaults() {
    for (args, words) in [
        (&["run", "--help"][..], &["in seconds", "1/60 s", "10 s for a file", "[N m]", "default: 80 %"][..]),
        (&["shot", "--help"], &["[default: 1200]", "pixels", "in seconds", ".png"]),
        (&["view", "--help"], &["[default: 7410]", "[default: 127.0.0.1]"]),
        (&["list", "--help"], &["unit, default and range"]),
    ] {
        let o = taut(args);
        assert_eq!(o.status.code(), Some(0));
        for w in words {
            // Lines are broken anywhere.
            let text = out(&o).split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(text.contains(w), "{args:?}: {w}\n{text}");
        }
    }
}

#[test]
fn a_broken_joint_has_the_load_of_the_step_in_which_it_broke_for_its_peak() {
    let o = taut(&["run", &file("rope.json"), "--json"]);
    let json: serde_json::Value = serde_json::from_str(&out(&o)).unwrap();
    let broken = &json["broken"][0];
    let joint = json["joints"].as_array().unwrap().iter().find(|j| j["name"] == broken["name"]).unwrap().clone();
    let number = |v: &serde_json::Value| v.as_f64().unwrap_or_else(|| panic!("{v} in {joint} of {broken}"));
    let of = |key: &str| number(&broken[key]);
    let force = joint.as_object().unwrap().iter().find(|(k, _)| k.starts_with("force")).unwrap().1;
    let peak = force.as_object().unwrap().iter().find(|(k, _)| k.starts_with("peak")).unwrap().1;
    let load = broken.as_object().unwrap().keys().find(|k| k.starts_with("force")).unwrap();
    assert!(number(peak) >= of(load), "{joint} {broken}");
}

#[test]
fn the_sum_of_gaps_is_no_less_than_the_largest() {
    let o = taut(&["run", &file("rope.json"), "--json"]);
    let json: serde_json::Value = serde_json::from_str(&out(&o)).unwrap();
    let find = |name: &str| {
        let hit = json.as_object().unwrap().iter().find(|(k, _)| k.starts_with(name));
        hit.and_then(|(_, v)| v.as_f64()).unwrap_or_else(|| panic!("{name} in {json}"))
    };
    assert!(find("sum_gap_rel") >= find("max_gap_rel") && find("max_gap_rel") > 0.0);
}

#[test]
fn files_are_refused_by_their_ending_whatever_they_are_for() {
    let dir = folder("endings");
    let at = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    for (option, name, expected) in [
        ("--csv", "a.txt", "ending in .csv or .parquet, or - for standard output"),
        ("--save", "a.txt", "ending in .json"),
        ("--gltf", "a.txt", "ending in .glb"),
        ("--plot", "a.txt", "ending in .svg, .png or .pdf"),
    ] {
        refused(&["run", "chain", option, &at(name)], &[option, "a.txt", expected]);
        assert!(!dir.join(name).exists());
    }
}

#[test]
fn ranges_are_told_in_few_digits() {
    refused(&["run", "chain", "--set", "axial=0"], &["axial = 0", "a number of N/m from 1 to 1e18"]);
    refused(&["run", "chain", "--set", "ratio=1e15"], &["ratio", "from 1e-6 to 1e14"]);
    let o = taut(&["run", "chain", "--set", "ratio=1e14", "--json"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
}

#[test]
fn a_part_of_a_name_brings_the_whole_to_mind() {
    refused(&["check", "ledgr"], &["did you mean ledger?"]);
    refused(&["figure", "fig11"], &["did you mean", "fig11?"]);
    refused(&["shot", "chain", "--at", "-1", "--out", "a.png"], &["zero or more"]);
}

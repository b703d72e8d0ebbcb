//! Models of other programs, as a user meets them.

use crate::common::{err, new_folder, out, refused, taut};
use serde_json::Value;

fn model(name: &str) -> String {
    format!("{}/../taut-import/files/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The hash of the state at the end of a run.
fn hash(file: &str) -> Value {
    let o = taut(&["run", file, "--time", "0.5", "--json", "--quiet"]);
    assert!(o.status.success(), "{}", err(&o));
    let all: Value = serde_json::from_str(&out(&o)).unwrap();
    assert!(!all["state_hash"].is_null(), "{all}");
    all["state_hash"].clone()
}

#[test]
fn a_model_and_its_scene_file_end_in_the_same_bits() {
    let folder = new_folder("models");
    std::fs::create_dir_all(&folder).unwrap();
    for name in ["workshop.xml", "gripper.urdf"] {
        let scene = folder.join(name).with_extension("json");
        let scene = scene.to_str().unwrap();
        let o = taut(&["convert", &model(name), scene]);
        assert!(o.status.success(), "{}", err(&o));
        assert_eq!(hash(&model(name)), hash(scene), "{name}");
        // What is there is not written over.
        refused(&["convert", &model(name), scene], &["--overwrite"]);
        assert!(taut(&["convert", &model(name), scene, "--overwrite"]).status.success());
    }
}

#[test]
fn a_model_is_inspected() {
    let o = taut(&["inspect", &model("arm.urdf"), "--json"]);
    let all: Value = serde_json::from_str(&out(&o)).unwrap();
    let m: Vec<Vec<f64>> = serde_json::from_value(all["mass_matrix"].clone()).unwrap();
    assert!(
        (m[0][0] - 2.935).abs() < 1e-12 && (m[0][1] - 0.575).abs() < 1e-12 && (m[1][1] - 0.175).abs() < 1e-12,
        "{m:?}"
    );
    assert_eq!(all["freedoms"][1]["joint"], "elbow");
    // The Jacobian of the lower link: the elbow moves its centre of mass down, 0.25 m from it.
    assert_eq!(all["bodies"][1]["jacobian"][2][1], -0.25);
    let text = out(&taut(&["inspect", &model("arm.urdf"), "--mass-matrix"]));
    assert!(text.contains("2 bodies of 5 kg") && text.contains("2.93500e0"), "{text}");
}

#[test]
fn mistakes_with_models_are_refused() {
    refused(&["run", &model("gone.urdf")], &["gone.urdf: No such file"]);
    refused(&["run", "chain", "--free-base"], &["--free-base: expected it only with a model"]);
    refused(
        &["run", &model("arm.urdf"), "--set", "jonts.elbow.type=ball"],
        &["--set jonts.elbow.type", "did you mean joints?"],
    );
    refused(&["convert", &model("arm.urdf"), "arm.txt"], &["arm.txt: expected a file ending in .json"]);
    refused(&["run", &model("workshop.xml"), "--keyframe", "straight"], &["keyframe = 'straight'", "bent"]);
    let o = taut(&["fuzz", "--files", "--seeds", "0..50", "--quiet"]);
    assert!(o.status.success() && out(&o).starts_with("50 damaged models: "), "{}{}", out(&o), err(&o));
}

/// Places of a file are set by the words of `taut sweep --vary`, for all that takes a scene.
#[test]
fn places_of_files_are_set() {
    let masses = |args: &[&str]| -> Vec<f64> {
        let all: Value = serde_json::from_str(&out(&taut(args))).unwrap();
        all["bodies"].as_array().unwrap().iter().map(|b| b["mass"].as_f64().unwrap()).collect()
    };
    let arm = model("arm.urdf");
    assert_eq!(masses(&["inspect", &arm, "--json", "--set", "bodies.lower.mass=7.5"]), [3.0, 7.5]);
    let folder = new_folder("places");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("arm.json");
    let path = file.to_str().unwrap();
    let args = ["convert", &arm, path, "--overwrite", "--set", "bodies[1].mass=7.5", "--set", "name=heavy"];
    assert!(taut(&args).status.success());
    assert_eq!(masses(&["inspect", path, "--json"]), [3.0, 7.5]);
    assert_eq!(masses(&["inspect", path, "--json", "--set", "bodies.lower.mass=2"]), [3.0, 2.0]);
    // It runs to the bits of the file that says the same.
    let hash = |args: &[&str]| {
        let o = taut(&[&["run", "--json", "--time", "0.2"], args].concat());
        let all: Value = serde_json::from_str(&out(&o)).unwrap_or_else(|_| panic!("{}", err(&o)));
        all["state_hash"].clone()
    };
    let [as_model, as_file, other] = [
        hash(&[&arm, "--set", "bodies.lower.mass=7.5"]),
        hash(&[path]),
        hash(&[path, "--set", "settings.gravity[2]=-1.6"]),
    ];
    assert!(as_model == as_file && as_file != other && as_file.is_string(), "{as_model} {as_file} {other}");
    let variables = out(&taut(&["fmu", path, "--list", "--set", "bodies.lower.mass=4.25"]));
    assert!(variables.lines().any(|l| l.contains("body.lower.mass") && l.contains("4.25")), "{variables}");
    for (set, words) in [
        ("bodies.lowr.mass=1", ["--set bodies.lowr.mass: 'lowr'", "did you mean lower?"]),
        ("bodies.lower.mas=1", ["--set bodies.lower.mas", "did you mean 'mass'?"]),
        ("bodies.lower.mass=heavy", ["bodies[1].mass", "\"heavy\", expected a number of kg"]),
        ("bodies.lower.mass=-1", ["--set", "-1"]),
        ("bodies.lower=1", ["--set bodies.lower", "not of an object"]),
        ("dt=0.1", ["--set dt: expected a place", "outputs.dt"]),
        ("sped=3", ["--set sped: ", "unknown field 'sped'"]),
    ] {
        refused(&["run", path, "--set", set], &words);
    }
}

//! `taut run --save`: a scene as a file that runs alike.

use crate::common::{err, new_folder, out, taut};
use serde_json::Value;

/// What a run comes to, without what it is named after.
fn outcome(args: &[&str]) -> Value {
    let o = taut(args);
    assert!(o.status.success(), "{args:?}: {}", err(&o));
    let mut value: Value = serde_json::from_str(&out(&o)).expect("JSON");
    // A file has no parameters and a name of its own, and times differ from run to run.
    let other = ["parameters", "scene", "us_per_step"];
    value.as_object_mut().expect("an object").retain(|k, _| !other.contains(&k.as_str()));
    assert!(value["state_hash"].is_string(), "the last bits are compared");
    value
}

#[test]
fn a_saved_scene_runs_as_the_scene_does() {
    let folder = new_folder("save");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("saved.json");
    let path = path.to_str().expect("a path");
    let given = ["--set", "links=6", "--stabiliser", "aligned:base", "--dt", "1/30", "--time", "0.5"];
    let run = [&["run", "chain"][..], &given, &["--json", "--quiet"]].concat();
    let before = outcome(&run);
    assert_eq!(outcome(&[&run[..], &["--save", path]].concat()), before);
    assert_eq!(outcome(&["run", path, "--json", "--quiet"]), before);

    let text = std::fs::read_to_string(path).expect("a file");
    let o = taut(&["run", "tree", "--time", "0.1", "--quiet", "--save", path]);
    assert_eq!(o.status.code(), Some(2));
    assert!(err(&o).contains("--save") && err(&o).contains("--overwrite"), "{}", err(&o));
    assert_eq!(std::fs::read_to_string(path).expect("a file"), text, "nothing is written over unasked");
    let o = taut(&["run", "tree", "--time", "0.1", "--quiet", "--save", path, "--overwrite"]);
    assert!(o.status.success(), "{}", err(&o));
    assert_ne!(std::fs::read_to_string(path).expect("a file"), text);
    // What is said otherwise is told.
    assert!(err(&o).contains("warning: --save: a second body is named 'load'"), "{}", err(&o));
}

#[test]
fn what_cannot_be_saved_leaves_no_file() {
    let folder = new_folder("save-refused");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("never.json");
    let o = taut(&["run", "chain", "--set", "links=none", "--save", path.to_str().expect("a path")]);
    assert_eq!(o.status.code(), Some(2));
    let o = taut(&["run", "chain", "--overwrite"]);
    assert_eq!(o.status.code(), Some(2), "--overwrite goes with --save");
    let nowhere = folder.join("no such folder/a.json");
    let o = taut(&["run", "chain", "--time", "0.1", "--save", nowhere.to_str().expect("a path")]);
    assert_eq!(o.status.code(), Some(2));
    assert!(err(&o).contains("--save"), "{}", err(&o));
    assert!(!path.exists());
}

//! States as bytes go to other instances whatever broke, was removed or cut before.

use taut_fmu::{Kind, Model, Recipe};

/// A load that an input tears off, a rod that an event takes away, and a bar of rubber that another one cuts.
const SCENE: &str = r#"{ "taut": 1,
  "bodies": [
    { "type": "dynamic", "name": "arm", "mass": 2, "shape": { "type": "box", "size": [1, 0.1, 0.1] }, "position": [0.5, 0, 0] },
    { "type": "dynamic", "name": "load", "mass": 5, "shape": { "type": "sphere", "radius": 0.1 }, "position": [1, -0.5, 0] }
  ],
  "deformables": [
    { "name": "bar", "mesh": { "type": "bar", "size": [1, 0.2, 0.2], "cells": [4, 1, 1] }, "position": [0, 2, 0],
      "material": { "density": 1000, "young": 1e6, "poisson": 0.3 },
      "held": [{ "type": "plane", "point": [0, 0, 0], "normal": [-1, 0, 0] }] }
  ],
  "joints": [
    { "type": "hinge", "name": "root", "bodies": ["arm", "ground"], "point": [0, 0, 0], "axis": [0, 0, 1] },
    { "type": "distance", "name": "prop", "bodies": ["arm", "ground"], "points": [[0.5, 0, 0], [0.5, -1, 0]] },
    { "type": "ball", "name": "hook", "bodies": ["load", "arm"], "point": [1, -0.5, 0], "strength": { "force": 200 } }
  ],
  "events": [
    { "name": "cut", "at": 0.1, "do": [{ "type": "cut", "deformable": "bar", "point": [0.5, 2, 0], "normal": [1, 0, 0] }] },
    { "name": "fall", "at": 0.25, "do": [{ "type": "remove", "joint": "prop" }] }
  ],
  "outputs": { "dt": 0.01 } }"#;

fn model() -> Model {
    let recipe = Recipe { name: "s".into(), scene: None, parameters: vec![], signals: None, dt: 0.01, time: 1.0 };
    Model::new(&recipe, Some(SCENE)).unwrap_or_else(|e| panic!("{e}"))
}

fn reference(model: &Model, name: &str) -> u32 {
    model.variables().iter().position(|v| v.name == name).unwrap_or_else(|| panic!("{name}")) as u32
}

fn hash(model: &Model) -> String {
    model.text(reference(model, "state.hash")).unwrap()
}

/// Steps from one to another, with a push that changes with time; now and then a step that is no whole number of the internal ones.
fn run(model: &mut Model, steps: std::ops::Range<usize>) {
    for k in steps {
        let pushes = if k < 15 { -10.0 * k as f64 } else { -500.0 };
        let force = reference(model, "body.load.force_y");
        model.set(force, Kind::Real, if k % 4 == 0 { pushes } else { 0.0 }, false).unwrap();
        let size = if k % 5 == 4 { 0.015 } else { 0.01 };
        model.step(model.time(), size).unwrap_or_else(|e| panic!("step {k}: {e}"));
    }
}

#[test]
fn states_go_on_to_the_same_bits_through_breaks_and_cuts() {
    let mut one = model();
    let mass = reference(&one, "body.load.mass");
    one.set(mass, Kind::Real, 6.0, true).unwrap();
    one.initialise().unwrap();
    let mut kept = Vec::new();
    for k in (0..40).step_by(4) {
        kept.push((k, one.to_bytes(), hash(&one), one.time()));
        run(&mut one, k..k + 4);
    }
    let end = hash(&one);
    for signal in ["joint.hook.force", "joint.prop.force"] {
        let gone = reference(&one, signal);
        assert!(one.get(gone, Kind::Real).unwrap().is_nan(), "{signal}: expected it to be gone");
    }
    let mut longest = 0;
    for (k, bytes, then, time) in &kept {
        let mut other = model();
        other.restore(bytes).unwrap_or_else(|e| panic!("step {k}: {e}"));
        assert_eq!((&hash(&other), other.time()), (then, *time), "step {k}");
        // What was read can be written, and read once more.
        assert_eq!(other.to_bytes(), *bytes, "step {k}");
        run(&mut other, *k..40);
        assert_eq!(hash(&other), end, "from step {k}");
        assert_eq!(other.to_bytes(), one.to_bytes());
        // Back to before the breaks, and there again.
        other.restore(&kept[1].1).unwrap();
        run(&mut other, 4..40);
        assert_eq!(hash(&other), end, "once more after step {k}");
        longest = longest.max(bytes.len());
    }
    println!("{longest} bytes");
}

#[test]
fn a_state_that_was_gone_back_to_is_written_with_its_own_past() {
    let mut one = model();
    run(&mut one, 0..20);
    let kept = one.keep();
    run(&mut one, 20..40);
    let end = hash(&one);
    one.go_back(&kept);
    run(&mut one, 30..38);
    one.go_back(&kept);
    let bytes = one.to_bytes();
    let mut other = model();
    other.restore(&bytes).unwrap();
    run(&mut other, 20..40);
    assert_eq!(hash(&other), end);
}

#[test]
fn bytes_that_are_damaged_are_refused_and_change_nothing() {
    let mut one = model();
    run(&mut one, 0..35);
    let mut bytes = one.to_bytes();
    let mut other = model();
    run(&mut other, 0..3);
    let before = hash(&other);
    for k in (0..bytes.len()).step_by(37) {
        bytes[k] ^= 0x10;
        assert!(other.restore(&bytes).is_err(), "byte {k}");
        bytes[k] ^= 0x10;
        assert!(other.restore(&bytes[..k]).is_err(), "cut at {k}");
    }
    assert_eq!(hash(&other), before);
    other.restore(&bytes).unwrap();
    assert_eq!(hash(&other), hash(&one));
}

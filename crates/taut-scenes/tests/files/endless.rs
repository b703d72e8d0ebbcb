//! Endless ropes and grips in scene files, saved with grips on the rim.

use taut::Event;
use taut_scenes::Scene;
use taut_scenes::file::{FileError, build, from_scene, parse, write};

/// A paternoster with two cars on wheels that start with 2 rad/s, with a path and more of its rope.
fn text(path: &str, more: &str) -> String {
    let wheel = |name: &str, y: f64| {
        format!(
            r#"{{ "type": "dynamic", "name": "{name}", "mass": 10, "inertia": [1, 1, 1], "position": [0, {y}, 0], "angular_velocity": [0, 0, 2] }}"#
        )
    };
    let axle = |name: &str, y: f64| {
        format!(r#"{{ "type": "hinge", "bodies": ["{name}", "ground"], "point": [0, {y}, 0], "axis": [0, 0, 1] }}"#)
    };
    let sheave = |name: &str| {
        format!(r#"{{ "name": "{name} rim", "body": "{name}", "axis": [0, 0, 1], "radius": 0.5, "no_slip": true }}"#)
    };
    let car = |name: &str, x: f64, y: f64, v: f64| {
        format!(
            r#"{{ "type": "particle", "name": "{name}", "mass": 1, "position": [{x}, {y}, 0], "velocity": [0, {v}, 0] }}"#
        )
    };
    format!(
        r#"{{ "taut": 1, "settings": {{ "gravity": [0, 0, 0] }},
             "bodies": [{}, {}, {}, {}], "joints": [{}, {}], "sheaves": [{}, {}],
             "ropes": [{{ "name": "line", "stiffness": 1e6, "slack": -0.002, "path": [{path}]{more} }}],
             "outputs": {{ "dt": 0.01, "time": 3, "length": 3 }} }}"#,
        wheel("low", 0.0),
        wheel("high", 5.0),
        car("first", 0.5, 4.5, 1.0),
        car("second", -0.5, 2.0, -1.0),
        axle("low", 0.0),
        axle("high", 5.0),
        sheave("low"),
        sheave("high"),
    )
}

const PATH: &str = r#"{ "about": "low rim" }, { "grip": "first" }, { "about": "high rim" }, { "grip": "second", "point": [-0.5, 2, 0] }"#;
const ENDLESS: &str = r#", "endless": true"#;

fn open(text: &str) -> Result<Scene, FileError> {
    parse(text).and_then(|f| build(&f)).map_err(|e| e.located(text))
}

#[test]
fn a_lift_is_saved_with_a_car_on_the_rim_and_goes_on() {
    let text = text(PATH, ENDLESS);
    let mut scene = open(&text).unwrap_or_else(|e| panic!("{e}"));
    let rope = scene.world.find_rope("line").unwrap();
    assert!(scene.world.rope(rope).unwrap().is_closed());
    // What is written reads as the same.
    let again = write(&parse(&text).unwrap()).unwrap();
    assert_eq!(open(&again).unwrap().world.state().hash(), scene.world.state().hash());
    while scene.world.rope(rope).unwrap().riding().count() == 0 {
        scene.step(0.01).unwrap();
    }
    (0..20).for_each(|_| drop(scene.step(0.01).unwrap()));
    let saved = from_scene(&scene).unwrap_or_else(|e| panic!("{e}"));
    let mut saved = open(&write(&saved.file).unwrap()).unwrap_or_else(|e| panic!("{e}"));
    let twin = saved.world.find_rope("line").unwrap();
    assert_eq!(saved.world.rope(twin).unwrap().riding().count(), 1);
    let memory = |s: &Scene, id| format!("{:?}", s.world.rope(id).unwrap().memory());
    assert_eq!(memory(&scene, rope), memory(&saved, twin), "all that the rope has become");
    let (mut left, mut off) = (0, 0.0_f64);
    for _ in 0..600 {
        let (a, b) = (scene.step(0.01).unwrap(), saved.step(0.01).unwrap());
        left += a.events.iter().filter(|e| matches!(e, Event::GripLeft { .. })).count() as i32;
        left -= b.events.iter().filter(|e| matches!(e, Event::GripLeft { .. })).count() as i32;
        for name in ["first", "second", "high"] {
            let at = |s: &Scene| s.world.body(s.world.find_body(name).unwrap()).unwrap().position();
            off = off.max(at(&scene).distance(at(&saved)));
        }
    }
    println!("{off:.1e} m apart after 6 s");
    // A file says no more of the last step than of other ropes; both have left the same wheels.
    assert!(left.abs() <= 1 && off < 5e-3, "{left} {off}");
}

#[test]
fn what_is_wrong_with_an_endless_rope_is_told_where_it_is() {
    let cases = [
        (r#"{ "about": "low rim" }, { "grip": "nobody" }, { "about": "high rim" }"#, ENDLESS, "nobody"),
        (r#"{ "about": "low rim" }, { "grip": "first", "turns": 2 }, { "about": "high rim" }"#, ENDLESS, "turns"),
        (
            r#"{ "about": "low rim" }, { "grip": "first", "friction": 0.2 }, { "about": "high rim" }"#,
            ENDLESS,
            "friction",
        ),
        (
            r#"{ "about": "low rim" }, { "grip": "first", "point": [0.5, 4, 0] }, { "about": "high rim" }"#,
            ENDLESS,
            "point of guide 1",
        ),
        (r#"{ "body": "ground", "point": [3, 0, 0] }, { "body": "ground", "point": [0, 3, 0] }"#, ENDLESS, "endless"),
        (r#"{ "about": "low rim" }, { "grip": "first" }"#, "", "a grip at its end"),
        (r#"{ "about": "low rim" }"#, ENDLESS, "path"),
    ];
    for (path, more, name) in cases {
        let error = open(&text(path, more)).err().unwrap_or_else(|| panic!("{path}: no error")).to_string();
        assert!(error.contains(name), "{error}: expected {name}");
    }
}

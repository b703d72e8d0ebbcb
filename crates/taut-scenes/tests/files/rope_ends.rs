//! Ropes over guides that events of scene files cut, release, attach and splice, and that are saved with free ends.

use taut::{RopeEnd, World};
use taut_scenes::file::{FileError, build, from_scene, parse, write};
use taut_scenes::{Outcome, Scene, run};

/// A load on a rope over a sheave, with a weight of another rope beside it, and some events.
fn text(rope: &str, events: &str) -> String {
    format!(
        r#"{{ "taut": 1,
             "bodies": [{{ "type": "particle", "name": "load", "mass": 10, "position": [0.5, -1, 0] }},
                        {{ "type": "particle", "name": "weight", "mass": 2, "position": [2, -1, 0] }}],
             "sheaves": [{{ "name": "top", "body": "ground", "point": [0.25, 1, 0], "axis": [0, 0, 1], "radius": 0.25 }}],
             "ropes": [{{ "name": "line", "path": [{{ "body": "ground", "point": [0, 0, 0] }}, {{ "over": "top" }}, {{ "body": "load" }}]{rope} }},
                       {{ "name": "sling", "path": [{{ "body": "ground", "point": [2, 1, 0] }}, {{ "body": "weight" }}]{rope} }}],
             "events": [{events}], "outputs": {{ "dt": 0.01, "time": 3, "length": 3 }} }}"#
    )
}

fn open(text: &str) -> Result<Scene, FileError> {
    parse(text).and_then(|f| build(&f)).map_err(|e| e.located(text))
}

fn played(text: &str, time: f64) -> (Scene, Outcome) {
    let mut scene = open(text).unwrap_or_else(|e| panic!("{e}"));
    let o = run(&mut scene, 0.01, time, |_| true).unwrap_or_else(|e| panic!("{e}"));
    (scene, o)
}

fn rope(w: &World, name: &str) -> taut::RopeId {
    w.find_rope(name).unwrap_or_else(|e| panic!("{e}"))
}

fn y(w: &World, name: &str) -> f64 {
    w.body(w.find_body(name).unwrap()).unwrap().position().y
}

#[test]
fn events_cut_release_attach_and_splice_ropes() {
    let events = r#"
      { "at": 0.5, "name": "cut", "do": [{ "type": "cut", "rope": "sling", "length": 0.5, "rest": "sling below" }] },
      { "at": 0.5, "name": "splice", "do": [{ "type": "splice", "rope": "sling", "with": "sling below" }] },
      { "at": 1.0, "name": "let go", "do": [{ "type": "release", "rope": "line", "end": "last" }] },
      { "at": 1.1, "name": "catch", "do": [{ "type": "attach", "rope": "line", "to": "load", "slack": 0 }] },
      { "name": "high", "when": { "rope": "line", "measure": "tension", "above": 1 }, "do": [] }"#;
    let (scene, o) = played(&text("", events), 2.0);
    let fired: Vec<&str> = o.fired.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(fired, ["high", "cut", "splice", "let go", "catch"]);
    let w = &scene.world;
    // The sling is one rope again and has not let its weight down; the load hangs where it was caught, 0.05 m lower.
    assert!((y(w, "weight") + 1.0).abs() < 1e-6 && w.ropes().count() == 2, "{}", y(w, "weight"));
    assert!((y(w, "load") + 1.055).abs() < 0.01, "{}", y(w, "load"));
    assert!(o.stable && o.ledger_imbalance < 1e-9, "{o:?}");
    // What is written reads as the same.
    let again = write(&parse(&text("", events)).unwrap()).unwrap();
    assert_eq!(played(&again, 2.0).0.world.state().hash(), w.state().hash());
}

#[test]
fn a_cut_rope_lets_its_load_fall_and_the_ledger_has_what_it_held() {
    let events = r#"{ "at": 1, "name": "cut", "do": [{ "type": "cut", "rope": "line", "length": 2.5 },
                                                     { "type": "impulse", "body": "weight", "impulse": [0.1, 0, 0] }] }"#;
    let (scene, o) = played(&text(r#", "stiffness": 2e4"#, events), 2.0);
    let names: Vec<String> = scene.world.ropes().map(|r| r.name().to_owned()).collect();
    assert_eq!(names, ["line", "sling", "line 2"]);
    assert!(y(&scene.world, "load") < -5.0 && o.ledger_imbalance < 1e-9 && o.stable, "{o:?}");
    let free = scene.world.rope(rope(&scene.world, "line 2")).unwrap().free_ends();
    assert!(free[0].is_some() && free[1].is_none());
}

#[test]
fn what_events_cannot_do_to_ropes_is_refused_where_it_stands() {
    let good = r#"{ "at": 1, "do": [{ "type": "cut", "rope": "line", "length": 1.5, "rest": "tail" }] },
                  { "at": 2, "do": [{ "type": "attach", "rope": "tail", "end": "first", "to": "ground", "point": [0, 0, 0], "slack": 0.1 }] },
                  { "at": 2, "do": [{ "type": "splice", "rope": "line", "with": "sling" }] },
                  { "at": 2, "do": [{ "type": "release", "rope": "sling" }] }"#;
    assert!(open(&text("", good)).is_ok());
    for (from, to, at, words) in [
        (r#""rope": "line", "length""#, r#""rope": "lime", "length""#, "events[0].do[0].rope", "did you mean 'line'"),
        (r#""length": 1.5"#, r#""length": -1"#, "events[0].do[0].length", "greater than zero"),
        (r#""length": 1.5, "#, "", "events[0].do[0]", "expected 'length'"),
        (r#""rest": "tail" "#, r#""rest": "sling" "#, "events[0].do[0].rest", "no other rope has"),
        (r#""rest": "tail" "#, r#""rest": "tail", "point": [0, 0, 0] "#, "events[0].do[0].point", "'deformable'"),
        (r#""to": "ground""#, r#""to": "grund""#, "events[1].do[0].to", "did you mean 'ground'"),
        (r#""slack": 0.1"#, r#""slack": -0.1"#, "events[1].do[0].slack", "zero or more"),
        (r#""rope": "tail""#, r#""rope": "tall""#, "events[1].do[0].rope", "the name of a rope"),
        (r#""with": "sling""#, r#""with": "line""#, "events[2].do[0].with", "another rope"),
        (r#""release", "rope": "sling""#, r#""release""#, "events[3].do[0]", "nothing named"),
        (r#""release", "rope""#, r#""release", "end": "last", "motor""#, "events[3].do[0].end", "'rope'"),
    ] {
        let changed = text("", good).replacen(from, to, 1);
        assert_ne!(changed, text("", good), "{from}");
        let e = open(&changed).err().unwrap_or_else(|| panic!("{to} was taken"));
        assert_eq!(e.path.to_string(), at, "{e}");
        assert!(e.to_string().contains(words), "{e}");
    }
    let e =
        open(&text("", "").replacen(r#"{ "over": "top" }"#, r#"{ "over": "top", "free": true }"#, 1)).err().unwrap();
    assert_eq!(e.path.to_string(), "ropes[0].path[1].free", "{e}");
    let e = open(&text("", "").replacen(r#"[2, 1, 0] }"#, r#"[2, 1, 0], "free": true }"#, 1)).err().unwrap();
    assert!(e.to_string().contains("a particle"), "{e}");
    // Too short where it is tied: the run ends with what it lacks.
    let far = r#"{ "at": 0.5, "do": [{ "type": "attach", "rope": "sling", "to": "ground", "point": [9, 0, 0] }] }"#;
    let mut scene = open(&text("", far)).unwrap();
    let e = run(&mut scene, 0.01, 1.0, |_| true).map(|o| format!("{o:?}"));
    assert!(format!("{e:?}").contains("too short by"), "{e:?}");
}

#[test]
fn an_event_cuts_a_rope_with_mass_and_what_is_above_goes_on() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("files/anchor.json");
    let file = std::fs::read_to_string(path).unwrap();
    let with = |cut: &str| {
        let events =
            format!(r#""events": [{{ "at": 1, "do": [{{ "type": "cut", "rope": "wire", {cut} }}] }}], "outputs""#);
        file.replacen(r#""outputs""#, &events, 1)
    };
    let mut scene = open(&with(r#""length": 5"#)).unwrap_or_else(|e| panic!("{e}"));
    let out =
        |s: &Scene| s.world.heavy_ropes().find(|(_, r)| r.name() == "wire").map(|(_, r)| (r.out(), r.links().len()));
    (0..59).for_each(|_| drop(scene.step(1.0 / 60.0).unwrap()));
    let before = out(&scene).unwrap();
    (0..3).for_each(|_| drop(scene.step(1.0 / 60.0).unwrap()));
    let after = out(&scene).expect("the wire is there still");
    assert!(after.0 < 5.5 && after.0 > 3.5 && before.0 > 12.0 && after.1 < before.1, "{before:?} {after:?}");
    (0..300).for_each(|_| drop(scene.step(1.0 / 60.0).unwrap()));
    assert!(out(&scene).unwrap().0 > after.0 + 2.0, "it is paid out still");
    assert!(y(&scene.world, "weight") < -40.0);
    let e = open(&with(r#""length": 5, "rest": "below""#)).err().unwrap();
    assert!(e.to_string().contains("rope with mass"), "{e}");
}

#[test]
fn ropes_with_free_ends_are_saved_with_all_their_bits() {
    let (mut scene, _) = played(&text("", ""), 0.3);
    let w = &mut scene.world;
    let cut = w.cut_rope(rope(w, "line"), 3.2).unwrap();
    let loose = w.release_rope(RopeEnd::first_of(rope(w, "sling"))).unwrap();
    for steps in [0, 3, 60] {
        (0..steps).for_each(|_| drop(scene.world.step(0.01).unwrap()));
        let saved = from_scene(&scene).unwrap_or_else(|e| panic!("{steps}: {e}"));
        let mut made = build(&parse(&write(&saved.file).unwrap()).unwrap()).unwrap_or_else(|e| panic!("{steps}: {e}"));
        let mut copy = scene.world.clone();
        assert_eq!(made.world.ropes().count(), 3);
        let bits = |w: &World| {
            let places = w.bodies().flat_map(|b| [b.position(), b.velocity()]).flat_map(|v| v.to_array());
            let ropes = w.ropes().flat_map(|r| r.tensions().chain([r.length(), r.excess()]).collect::<Vec<_>>());
            places.chain(ropes).map(f64::to_bits).collect::<Vec<u64>>()
        };
        assert_eq!(bits(&copy), bits(&made.world));
        (0..50).for_each(|_| drop((copy.step(0.01).unwrap(), made.world.step(0.01).unwrap())));
        // A file says no more of the last step: a world that is read begins with half a kick, g h/2, in all that falls.
        for (a, b) in copy.bodies().zip(made.world.bodies()) {
            let off = (a.position() - b.position()).length();
            assert!(off < 0.5 * 0.01 * 9.81 * 0.5 + 1e-3, "{steps} {}: {off:e}", a.name());
        }
    }
    assert!(scene.world.body(loose).is_ok() && scene.world.rope(cut.ropes[1]).is_ok());
}

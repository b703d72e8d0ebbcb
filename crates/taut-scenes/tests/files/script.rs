//! Programs and events of scene files: they do what they say, when they say it, and again after the world has gone back.

use std::path::PathBuf;
use taut::{State, Vec3};
use taut_scenes::file::{self, FileError, SceneFile, build, load_tables, parse, write};
use taut_scenes::{Outcome, Scene, run};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("files")
}

/// Reads a file of the examples with its tables.
fn example(name: &str) -> SceneFile {
    let text = std::fs::read_to_string(folder().join(name)).unwrap();
    let mut file = parse(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
    load_tables(&mut file, |path| std::fs::read_to_string(folder().join(path)).map_err(|e| e.to_string())).unwrap();
    file
}

fn open(text: &str) -> Result<Scene, FileError> {
    parse(text).and_then(|f| build(&f)).map_err(|e| e.located(text))
}

fn opened(text: &str) -> Scene {
    open(text).unwrap_or_else(|e| panic!("{e}"))
}

fn names(o: &Outcome) -> Vec<(&str, f64)> {
    o.fired.iter().map(|f| (f.name.as_str(), f.time)).collect()
}

#[test]
fn a_tower_crane_hoists_travels_slews_and_drops_its_load() {
    let file = example("tower-crane.json");
    let mut scene = build(&file).unwrap();
    let (mut highest, mut at_drop) = (0.0_f64, Vec3::ZERO);
    let o = run(&mut scene, file.outputs.dt(), file.outputs.time(), |s| {
        highest = highest.max(s.position.y);
        at_drop = if s.report.time < 22.0 { s.position } else { at_drop };
        true
    });
    let o = o.unwrap();
    assert!(o.stable, "{:?}", o.failure);
    let fired = names(&o);
    let order: Vec<&str> = fired.iter().map(|f| f.0).collect();
    assert_eq!(order, ["high enough", "drop", "landed", "over"], "{fired:?}");
    assert!((fired[1].1 - 22.0).abs() < 1e-6, "{fired:?}");
    // Hoisted by the rope, out along the jib, a quarter turn about the mast: from (10, 0, 0) to (0, 0, -28).
    assert!(highest > 14.5 && (at_drop - Vec3::new(0.0, at_drop.y, -28.0)).length() < 1.0, "{highest} {at_drop}");
    // It falls freely from about 15 m.
    let fall = fired[2].1 - fired[1].1;
    assert!((1.5..2.0).contains(&fall), "{fall}");
    let stop = o.stopped.as_ref().unwrap();
    assert_eq!((stop.event.as_str(), stop.message.as_str()), ("over", "the load has landed"));
    assert!((stop.time - fired[2].1 - 2.0).abs() < 0.011 && (o.dt * o.steps as f64 - stop.time).abs() < 1e-6);
    assert!(scene.world.find_joint("shackle").is_err());
    // The work of the rope that grows shorter is work, and no rise of the run's.
    assert!(o.energy_max_rise < 1e-3 && o.ledger[0] > 2e5, "{} {:?}", o.energy_max_rise, o.ledger);
    assert!(o.ledger_imbalance < 1e-6, "{}", o.ledger_imbalance);
}

#[test]
fn a_shake_table_follows_its_table_and_lets_its_brace_go() {
    let file = example("shake-table.json");
    let mut scene = build(&file).unwrap();
    let table = scene.world.find_body("table").unwrap();
    let mut far = 0.0_f64;
    let o = taut_scenes::run_with(&mut scene, file.outputs.dt(), file.outputs.time(), |w, s| {
        // The lines of the table are a tenth of a second apart.
        if (s.report.time - 1.5).abs() < 1e-6 {
            far = w.body(table).unwrap().position().x;
        }
        true
    });
    let o = o.unwrap();
    let text = std::fs::read_to_string(folder().join("quake.csv")).unwrap();
    let line = text.lines().find(|l| l.starts_with("1.5,")).unwrap();
    assert!((far - line[4..].parse::<f64>().unwrap()).abs() < 1e-9, "{far} for {line}");
    assert!(o.stable, "{:?}", o.failure);
    let fired = names(&o);
    assert!(fired.iter().filter(|f| f.0 == "brace lets go").count() == 1, "{fired:?}");
    assert!(fired.iter().filter(|f| f.0 == "swings to the left").count() > 2, "{fired:?}");
    let brace = scene.world.joint(scene.world.find_joint("brace").unwrap()).unwrap();
    assert!(!brace.is_enabled());
    // Without the folder a table cannot be read.
    let text = std::fs::read_to_string(folder().join("shake-table.json")).unwrap();
    let e = open(&text).err().unwrap();
    assert_eq!(e.path.to_string(), "programs[0].position[0].file");
    assert!(e.position.is_some() && e.to_string().contains("'quake.csv'"), "{e}");
}

/// A mass of 2 kg that slides along x without gravity, with these joints' fields, and more of the file.
fn slider(motor: &str, more: &str) -> String {
    format!(
        r#"{{ "taut": 1, "settings": {{ "gravity": [0, 0, 0], "sleep": false }},
             "bodies": [{{ "type": "dynamic", "name": "a", "mass": 2, "shape": {{ "type": "sphere", "radius": 0.1 }} }}],
             "joints": [{{ "type": "prismatic", "name": "slide", "bodies": ["a", "ground"], "point": [0, 0, 0], "axis": [1, 0, 0], "motor": {motor} }}],
             {more}, "outputs": {{ "dt": 0.01, "time": 2, "length": 1, "energy_scale": 1000 }} }}"#
    )
}

/// Position of the mass after each step of 0.01 s.
fn path(text: &str, steps: usize) -> Vec<f64> {
    let mut scene = opened(text);
    (0..steps)
        .map(|_| {
            scene.step(0.01).unwrap();
            scene.world.body(scene.follow).unwrap().position().x
        })
        .collect()
}

#[test]
fn a_servo_follows_a_signal_and_its_rate() {
    let servo = r#"{ "name": "m", "stiffness": 1e6, "damping": 1e4 }"#;
    for (signal, expected) in [
        (r#"{ "type": "ramp", "points": [[0, 0], [1, 0.5], [2, 0]] }"#, [0.25, 0.5, 0.25]),
        (r#"{ "type": "smooth", "points": [[0, 0], [1, 0.5], [2, 0]] }"#, [0.25, 0.5, 0.25]),
        (r#"{ "type": "sine", "amplitude": 0.5, "frequency": 0.25 }"#, [0.353_553, 0.5, 0.353_553]),
        (
            r#"{ "type": "sum", "of": [0.1, { "type": "sine", "amplitude": 0.4, "frequency": 0.25, "until": 1 }] }"#,
            [0.382_843, 0.5, 0.5],
        ),
    ] {
        let p = path(&slider(servo, &format!(r#""programs": [{{ "motor": "m", "target": {signal} }}]"#)), 150);
        for (k, x) in [49, 99, 149].into_iter().zip(expected) {
            // With the rate of the signal a servo lags by its acceleration alone.
            assert!((p[k] - x).abs() < 2e-4, "{signal}: {} for {x} after {k}", p[k]);
        }
    }
    // A jump is no rate: the servo goes there as it would by a command.
    let soft = r#"{ "stiffness": 200, "damping": 40 }"#;
    let jump =
        r#""programs": [{ "motor": "slide", "target": { "type": "steps", "times": [0, 0.5], "values": [0, 0.2] } }]"#;
    let told = r#""events": [{ "at": 0.5, "do": [{ "type": "command", "motor": "slide", "target": 0.2 }] }]"#;
    let (a, b) = (path(&slider(soft, jump), 150), path(&slider(soft, told), 150));
    // The target of a step is that of its end: the program is a step ahead.
    assert!(a[48] == 0.0 && a[149] > 0.19 && (0..149).all(|k| (a[k] - b[k + 1]).abs() < 1e-9), "{:?}", &a[48..52]);
}

#[test]
fn a_rate_motor_follows_rates() {
    let p = path(
        &slider(
            r#"{ "rate": 0 }"#,
            r#""programs": [{ "motor": "slide", "rate": { "type": "ramp", "points": [[0, 0], [1, 1]] } }]"#,
        ),
        200,
    );
    // The rate of a step is that of its middle, which makes straight lines exact.
    assert!((p[99] - 0.5).abs() < 1e-9 && (p[199] - 1.5).abs() < 1e-9, "{} {}", p[99], p[199]);
}

#[test]
fn forces_change_by_scale_and_vector() {
    let forces = r#""forces": [{ "type": "force", "name": "push", "body": "a", "force": [4, 0, 0] }]"#;
    let run = |program: &str| {
        let text = slider(r#"{ "damping": 1e-9 }"#, &format!(r#"{forces}, "programs": [{program}]"#));
        path(&text, 100)[99]
    };
    // 2 m/s^2 from half a second on.
    let half = run(r#"{ "force": "push", "scale": { "type": "steps", "times": [0, 0.5], "values": [0, 1] } }"#);
    assert!((half - 0.25).abs() < 0.01, "{half}");
    let vector =
        run(r#"{ "force": "push", "vector": [{ "type": "steps", "times": [0, 0.5], "values": [0, 4] }, 0, 0] }"#);
    assert_eq!(half, vector);
}

#[test]
fn kinematic_bodies_follow_positions_turns_and_velocities() {
    let world = |program: &str| {
        format!(
            r#"{{ "taut": 1, "settings": {{ "gravity": [0, 0, 0] }},
                 "bodies": [{{ "type": "kinematic", "name": "base", "position": [1, 0, 0] }}, {{ "type": "particle", "name": "p", "mass": 1, "position": [5, 0, 0] }}],
                 "programs": [{{ "body": "base", {program} }}] }}"#
        )
    };
    let pose = |program: &str| {
        let mut scene = opened(&world(program));
        for _ in 0..100 {
            scene.step(0.01).unwrap();
        }
        let base = scene.world.find_body("base").unwrap();
        let b = scene.world.body(base).unwrap();
        (b.position(), b.rotation().to_scaled_axis())
    };
    let (p, _) = pose(
        r#""position": [{ "type": "ramp", "points": [[0, 1], [1, 3]] }, { "type": "sine", "amplitude": 1, "frequency": 0.25 }, 0]"#,
    );
    assert!((p - Vec3::new(3.0, 1.0, 0.0)).length() < 1e-9, "{p}");
    let (p, r) = pose(r#""turn": { "axis": [0, 2, 0], "angle": { "type": "ramp", "points": [[0, 0], [1, 0.7]] } }"#);
    assert!((p - Vec3::X).length() < 1e-12 && (r - 0.7 * Vec3::Y).length() < 1e-9, "{p} {r}");
    let (p, r) =
        pose(r#""velocity": [0, 0, { "type": "ramp", "points": [[0, 0], [1, 2]] }], "angular_velocity": [0.3, 0, 0]"#);
    assert!((p - Vec3::new(1.0, 0.0, 1.0)).length() < 1e-9 && (r - 0.3 * Vec3::X).length() < 1e-9, "{p} {r}");
    let e = open(&world(r#""position": [0, 0, 0]"#)).err().unwrap();
    assert_eq!(e.path.to_string(), "programs[0].position[0]");
    assert!(e.to_string().contains("1 m at the start"), "{e}");
}

/// A load of 1 kg that hangs on a rope of 1 m, and more of the file.
fn hanging(rope: &str, more: &str) -> String {
    format!(
        r#"{{ "taut": 1,
             "ground": {{ "colliders": [{{ "name": "floor", "shape": {{ "type": "half-space" }}, "position": [0, -3, 0] }}] }},
             "bodies": [{{ "type": "dynamic", "name": "load", "mass": 1, "shape": {{ "type": "sphere", "radius": 0.1 }}, "position": [0, -1, 0], "colliders": [{{ "name": "ball" }}] }}],
             "joints": [{{ "type": "rope", "name": "rope", "bodies": ["load", "ground"], "points": [[0, -1, 0], [0, 0, 0]], "length": 1{rope} }}],
             {more}, "outputs": {{ "dt": 0.01, "time": 4, "length": 3 }} }}"#
    )
}

fn hang(rope: &str, more: &str) -> (Scene, Outcome) {
    let mut scene = opened(&hanging(rope, more));
    let o = run(&mut scene, 0.01, 4.0, |_| true).unwrap();
    (scene, o)
}

#[test]
fn a_rope_hoists_by_its_length_and_that_is_work() {
    let hoist = r#""programs": [{ "joint": "rope", "length": { "type": "smooth", "points": [[0, 1], [3, 0.4]] } }]"#;
    let soft = r#", "linear": { "stiffness": 2000, "damping": 50 }"#;
    for (kind, rope, sag) in [("rope", "", 0.0), ("rope", soft, 9.81 / 2000.0), ("distance", "", 0.0)] {
        let text = hanging(rope, hoist).replace(r#""type": "rope""#, &format!(r#""type": "{kind}""#));
        let mut scene = opened(&text);
        let o = run(&mut scene, 0.01, 4.0, |_| true).unwrap();
        let y = scene.world.body(scene.follow).unwrap().position().y;
        assert!(o.stable && (y + 0.4 + sag).abs() < 1e-3, "{kind}{rope}: {y} {o:?}");
        let (lifted, work) = (9.81 * (0.6 - sag), o.ledger[0]);
        assert!((work - lifted).abs() < 0.03 * lifted, "{kind}{rope}: {work} for {lifted}");
        assert!(o.energy_max_rise < 1e-4 && o.ledger_imbalance < 1e-9, "{kind}{rope}: {o:?}");
        // The lift is in no other entry: not in constraints, not in integration.
        assert!(o.ledger[3].abs() + o.ledger[4].abs() < 0.03 * lifted, "{kind}{rope}: {:?}", o.ledger);
    }
}

#[test]
fn a_length_that_an_event_sets_is_work() {
    let cut = r#""events": [{ "at": 1, "do": [{ "type": "length", "joint": "rope", "length": 0.98 }] }]"#;
    for (kind, rope) in
        [("rope", ""), ("rope", r#", "linear": { "stiffness": 2000, "damping": 50 }"#), ("distance", "")]
    {
        let text = hanging(rope, cut).replace(r#""type": "rope""#, &format!(r#""type": "{kind}""#));
        let o = run(&mut opened(&text), 0.01, 4.0, |_| true).unwrap();
        assert!(o.stable && o.energy_max_rise < 1e-4 && o.ledger_imbalance < 1e-9, "{kind}{rope}: {o:?}");
        // It lifts 1 kg by 0.02 m, and jerks it.
        assert!(o.ledger[0] > 0.02 * 9.81, "{kind}{rope}: {:?}", o.ledger);
    }
    // A rope that is off pulls at nothing, however its length changes.
    let off = r#""programs": [{ "joint": "rope", "length": { "type": "ramp", "points": [[0, 1], [3, 0.5]] } }],
      "events": [{ "at": 1, "do": [{ "type": "disable", "joint": "rope" }] }]"#;
    let (_, o) = hang("", off);
    // The lift of 1/6 m and the jerk of its start.
    assert!(o.ledger[0] < 1.1 * 9.81 / 6.0, "{:?}", o.ledger);
}

#[test]
fn gravity_follows_a_program_and_an_event() {
    let (scene, o) = hang(
        "",
        r#""programs": [{ "gravity": [0, { "type": "steps", "times": [0, 1], "values": [-9.81, 9.81] }, 0] }]"#,
    );
    assert!(o.stable && scene.world.body(scene.follow).unwrap().position().y > -0.5);
    let (scene, o) = hang(
        "",
        r#""events": [{ "at": 1, "do": [{ "type": "gravity", "gravity": [0, 0, 0] }, { "type": "remove", "joint": "rope" }] }]"#,
    );
    assert!(o.stable && (scene.world.body(scene.follow).unwrap().position().y + 1.0).abs() < 1e-3);
    assert_eq!(names(&o), [("events[0]", o.fired[0].time)]);
}

#[test]
fn conditions_see_joints_bodies_contacts_and_events() {
    let events = r#""events": [
      { "name": "cut", "at": 1, "do": [{ "type": "remove", "joint": "rope" }] },
      { "name": "gone", "when": { "broken": "rope" } },
      { "name": "low", "when": { "body": "load", "measure": "height", "below": -2 } },
      { "name": "fast", "when": { "body": "load", "measure": "speed", "above": 5 } },
      { "name": "falls", "when": { "all": [{ "body": "load", "measure": "vy", "below": -1 }, { "body": "load", "measure": "y", "below": -1.01 }] } },
      { "name": "landed", "when": { "contact": ["load", "floor"] } },
      { "name": "hard", "when": { "contact": ["ball", "ground"], "above": 1e9 } },
      { "name": "then", "when": { "event": "landed", "delay": 0.5 }, "do": [{ "type": "stop", "message": "enough" }] },
      { "name": "taut", "when": { "joint": "rope", "measure": "tension", "above": 9 } },
      { "name": "slack", "when": { "joint": "rope", "measure": "force", "below": 1e-9 } }
    ]"#;
    let (_, o) = hang("", events);
    assert!(o.stable, "{:?}", o.failure);
    let when = |name: &str| o.fired.iter().find(|f| f.name == name).map(|f| f.time);
    let g: f64 = 9.81;
    let near = |name: &str, t: f64| {
        let found = when(name).unwrap_or_else(|| panic!("{name} did not fire: {:?}", o.fired));
        assert!((found - t).abs() < 0.021, "{name}: {found} for {t}");
    };
    near("taut", 0.0);
    near("cut", 1.0);
    near("gone", 1.0);
    near("falls", 1.0 + 1.0 / g);
    near("fast", 1.0 + 5.0 / g);
    near("low", 1.0 + (2.0 / g).sqrt());
    near("landed", 1.0 + (2.0 * 1.9 / g).sqrt());
    near("then", 1.5 + (2.0 * 1.9 / g).sqrt());
    // A tension is there after the first step; what is gone has none; nothing pushes with 1e9 N.
    assert!(when("slack").is_none_or(|t| t < 0.011) && when("hard").is_none());
    assert_eq!(o.stopped.unwrap().message, "enough");
    assert!(o.steps < 400);
}

#[test]
fn sensors_tell_what_overlaps_them() {
    let text = hanging(
        "",
        r#""events": [{ "name": "seen", "when": { "contact": ["load", "gate"] } }, { "at": 0.5, "do": [{ "type": "remove", "joint": "rope" }] }]"#,
    );
    let gate = r#"{ "name": "gate", "sensor": true, "shape": { "type": "box", "size": [1, 0.1, 1] }, "position": [0, -2, 0] }, { "name": "floor""#;
    let text = text.replacen(r#"{ "name": "floor""#, gate, 1);
    let mut scene = opened(&text);
    let o = run(&mut scene, 0.01, 2.0, |_| true).unwrap();
    let seen = o.fired.iter().find(|f| f.name == "seen").unwrap().time;
    let t = 0.5 + (2.0 * 0.85 / 9.81_f64).sqrt();
    assert!((seen - t).abs() < 0.021, "{seen} for {t}");
}

#[test]
fn events_repeat_by_time_and_by_condition() {
    let servo = r#"{ "stiffness": 1e6, "damping": 1e4 }"#;
    let swing = r#""programs": [{ "motor": "slide", "target": { "type": "sine", "amplitude": 0.1, "frequency": 1 } }]"#;
    let events = r#""events": [
      { "name": "tick", "at": 0.25, "every": 0.5 },
      { "name": "once", "when": { "joint": "slide", "measure": "position", "above": 0.05 } },
      { "name": "up", "when": { "joint": "slide", "measure": "position", "above": 0.05 }, "repeat": true },
      { "name": "wide", "when": { "motor": "slide", "measure": "position", "above": 0.05 }, "repeat": true, "rearm": { "motor": "slide", "measure": "position", "below": -0.05 } },
      { "name": "never again", "when": { "joint": "slide", "measure": "rate", "above": 0.1 }, "repeat": true, "rearm": { "joint": "slide", "measure": "position", "above": 5 } }
    ]"#;
    let mut scene = opened(&slider(servo, &format!("{swing}, {events}")));
    let o = run(&mut scene, 0.01, 2.0, |_| true).unwrap();
    let count = |name: &str| o.fired.iter().filter(|f| f.name == name).count();
    assert_eq!((count("tick"), count("once"), count("up"), count("wide"), count("never again")), (4, 1, 2, 2, 1));
    // In the order of time, and of the file at one time.
    assert!(o.fired.is_sorted_by(|a, b| a.time <= b.time), "{:?}", o.fired);
}

#[test]
fn actions_switch_limit_rub_hit_hold_and_release() {
    let y = |scene: &Scene| scene.world.body(scene.follow).unwrap().position().y;
    // Switched off and on again, the rope catches the load where it was.
    let (scene, o) = hang(
        "",
        r#""events": [{ "at": 0.5, "do": [{ "type": "disable", "joint": "rope" }] }, { "at": 0.6, "do": [{ "type": "length", "joint": "rope", "length": 2 }, { "type": "enable", "joint": "rope" }] }]"#,
    );
    assert!(o.stable && (y(&scene) + 2.0).abs() < 1e-3, "{}", y(&scene));
    // A body that is off stands where it is; a collider that is off falls through.
    let (scene, _) = hang(
        "",
        r#""events": [{ "at": 0.5, "do": [{ "type": "remove", "joint": "rope" }] }, { "at": 0.7, "do": [{ "type": "disable", "body": "load" }] }]"#,
    );
    assert!(y(&scene) < -1.1 && y(&scene) > -1.3, "{}", y(&scene));
    let (scene, _) = hang(
        "",
        r#""events": [{ "at": 0.5, "do": [{ "type": "remove", "joint": "rope" }, { "type": "disable", "collider": "ball" }] }]"#,
    );
    assert!(y(&scene) < -10.0, "{}", y(&scene));
    // A hit of 4 N s gives 2 kg 2 m/s; friction of 4 N stops them within 1 s; a limit stops them where it is.
    let free = r#"{ "damping": 1e-9 }"#;
    let hit = r#"{ "at": 0.5, "do": [{ "type": "impulse", "body": "a", "impulse": [4, 0, 0] }] }"#;
    let rub = r#"{ "at": 0, "do": [{ "type": "friction", "joint": "slide", "friction": { "freedom": "slide", "max": 4 } }] }"#;
    let p = path(&slider(free, &format!(r#""events": [{hit}]"#)), 100);
    assert!((p[99] - 1.0).abs() < 1e-9, "{}", p[99]);
    let p = path(&slider(free, &format!(r#""events": [{hit}, {rub}]"#)), 200);
    assert!((p[199] - 1.0).abs() < 0.02 && p[198] == p[199], "{}", p[199]);
    let limited = slider(free, &format!(r#""events": [{hit}, {{ "at": 0.6, "do": [{{ "type": "limit", "joint": "slide", "limit": {{ "freedom": "slide", "upper": 0.7 }} }}] }}]"#))
        .replace(r#""axis": [1, 0, 0]"#, r#""axis": [1, 0, 0], "limits": [{ "freedom": "slide", "upper": 9 }]"#);
    let p = path(&limited, 200);
    assert!((p[199] - 0.7).abs() < 1e-6, "{}", p[199]);
    // A motor held stays where it is, whatever its program says; released, it lets go.
    let servo = r#"{ "stiffness": 1e6, "damping": 1e5 }"#;
    let ramp = r#""programs": [{ "motor": "slide", "target": { "type": "ramp", "points": [[0, 0], [2, 2]] } }]"#;
    let hold = |what: &str| {
        slider(
            servo,
            &format!(r#"{ramp}, "events": [{{ "at": 1, "do": [{{ "type": "{what}", "motor": "slide" }}] }}]"#),
        )
    };
    let p = path(&hold("hold"), 200);
    assert!((p[199] - 1.0).abs() < 0.02, "{}", p[199]);
    let p = path(&hold("release"), 200);
    assert!((p[199] - 2.0).abs() < 0.02, "{}", p[199]);
    // A program that begins with an event counts its time from it.
    let after = r#""programs": [{ "motor": "slide", "target": { "type": "ramp", "points": [[0, 0], [1, 1]] }, "after": "go" }], "events": [{ "name": "go", "at": 0.5 }]"#;
    let p = path(&slider(servo, after), 150);
    assert!(p[49].abs() < 1e-9 && (p[99] - 0.5).abs() < 1e-3 && (p[149] - 1.0).abs() < 1e-3, "{} {}", p[99], p[149]);
}

/// Steps a scene and keeps its states.
fn states(scene: &mut Scene, dt: f64, steps: usize) -> Vec<State> {
    (0..steps)
        .map(|_| {
            scene.step(dt).unwrap();
            scene.world.state().clone()
        })
        .collect()
}

#[test]
fn a_scene_goes_on_from_a_snapshot_as_it_would_have() {
    for name in ["tower-crane.json", "shake-table.json"] {
        let file = example(name);
        let (dt, mut scene) = (file.outputs.dt(), build(&file).unwrap());
        let begin = scene.snapshot();
        let first = states(&mut scene, dt, 2600);
        let fired = scene.fired();
        assert!(fired.len() > 1, "{fired:?}");
        scene.restore(&begin);
        assert!(scene.fired().is_empty());
        states(&mut scene, dt, 2000);
        let middle = scene.snapshot();
        assert!(states(&mut scene, dt, 600)[..] == first[2000..], "{name}");
        scene.restore(&middle);
        assert!(states(&mut scene, dt, 600)[..] == first[2000..], "{name}");
        assert_eq!(scene.fired(), fired);
    }
}

/// Settings that events changed are put back when the state of the world alone goes back, as a game over a network does.
#[test]
fn a_world_that_goes_back_undoes_what_events_have_set() {
    let file = example("shake-table.json");
    let mut scene = build(&file).unwrap();
    let rolled = taut_scenes::soak::rollback(&mut scene, file.outputs.dt(), 40, 900).unwrap();
    assert!(rolled.steps == 900 && scene.fired().len() > 1, "{:?}", scene.fired());
    let events = r#""programs": [{ "joint": "rope", "length": { "type": "smooth", "points": [[0, 1], [2, 0.5]] } }, { "gravity": [{ "type": "ramp", "points": [[0.6, 0], [1, 2]] }, -9.81, 0] }],
      "events": [
      { "at": 0.3, "do": [{ "type": "impulse", "body": "load", "impulse": [0.5, 0, 0], "angular": [0, 0, 0.1] }] },
      { "at": 0.5, "do": [{ "type": "disable", "joint": "rope" }] },
      { "at": 0.55, "do": [{ "type": "enable", "joint": "rope" }, { "type": "length", "joint": "rope", "length": 1.2 }] },
      { "at": 0.8, "do": [{ "type": "gravity", "gravity": [0, -5, 0] }] },
      { "name": "off", "when": { "body": "load", "measure": "x", "above": 0.05 }, "repeat": true, "do": [{ "type": "disable", "collider": "ball" }] }
    ]"#;
    let mut scene = opened(&hanging("", events));
    let rolled = taut_scenes::soak::rollback(&mut scene, 0.01, 25, 150).unwrap();
    assert_eq!(rolled.steps, 150);
    assert!(scene.fired().len() >= 5, "{:?}", scene.fired());
}

/// The bytes of a scene in mid-run go to another one that was built in the same way, whatever that one has done since.
#[test]
fn another_scene_goes_on_from_bytes_as_this_one_does() {
    let events = r#""programs": [{ "joint": "rope", "length": { "type": "smooth", "points": [[0, 1], [2, 0.5]] } }],
      "events": [
      { "at": 0.3, "do": [{ "type": "impulse", "body": "load", "impulse": [0.5, 0, 0] }, { "type": "disable", "joint": "rope" }] },
      { "name": "on", "at": 0.55, "do": [{ "type": "enable", "joint": "rope" }] },
      { "at": 0.8, "do": [{ "type": "gravity", "gravity": [0, -5, 0] }] },
      { "name": "late", "when": { "event": "on", "delay": 0.5 }, "do": [{ "type": "stop", "message": "over" }] }
    ]"#;
    let text = hanging("", events);
    for middle in [20, 40, 60, 90, 110] {
        let mut scene = opened(&text);
        states(&mut scene, 0.01, middle);
        let bytes = scene.to_bytes();
        let stopped = scene.stopped().cloned();
        let rest = states(&mut scene, 0.01, 130 - middle);
        // One that is fresh, one that has been further, and one that has been elsewhere.
        for before in [0, 120, 30] {
            let mut other = opened(&text);
            states(&mut other, 0.01, before);
            other.restore_bytes(&bytes).unwrap();
            assert_eq!(other.stopped().cloned(), stopped, "{middle} {before}");
            assert!(states(&mut other, 0.01, 130 - middle) == rest, "{middle} {before}");
            assert_eq!(other.fired(), scene.fired(), "{middle} {before}");
        }
    }
}

#[test]
fn bytes_that_do_not_fit_change_nothing() {
    let fire = r#""events": [{ "at": 0.05, "do": [{ "type": "gravity", "gravity": [0, -5, 0] }] }]"#;
    let (mut scene, mut other) = (opened(&hanging("", fire)), opened(&hanging("", r#""events": []"#)));
    states(&mut scene, 0.01, 10);
    let (bytes, before) = (scene.to_bytes(), other.world.state().clone());
    let refused = |other: &mut Scene, bytes: &[u8], words: &str| {
        let e = other.restore_bytes(bytes).unwrap_err().to_string();
        assert!(e.contains(words), "{words}: {e}");
        assert!(*other.world.state() == before);
    };
    refused(&mut other, &bytes, "events of the state");
    for k in (0..bytes.len()).step_by(7) {
        let mut damaged = bytes.clone();
        damaged[k] ^= 4;
        refused(&mut other, &damaged, "state of the scene");
        refused(&mut other, &bytes[..k], "state of the scene");
    }
    // The world of another file.
    let far = hanging("", r#""events": []"#).replace(r#""mass": 1"#, r#""mass": 3"#);
    refused(&mut other, &opened(&far).to_bytes(), "snapshot edition");
}

#[test]
fn what_is_written_is_read_back_to_the_same_run() {
    for name in ["tower-crane.json", "shake-table.json"] {
        let file = example(name);
        let text = write(&file).unwrap();
        let again = parse(&text).unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
        assert_eq!(write(&again).unwrap(), text, "{name}");
        let (mut a, mut b) = (build(&file).unwrap(), build(&again).unwrap());
        assert!(states(&mut a, 0.01, 300) == states(&mut b, 0.01, 300), "{name}");
        // The tables have become points.
        assert!(!text.contains("quake.csv") && !text.contains("null"), "{text}");
    }
}

#[test]
fn broken_joints_are_told_with_name_kind_time_and_load() {
    let text = std::fs::read_to_string(folder().join("rope.json")).unwrap();
    let mut scene = opened(&text);
    let o = run(&mut scene, 0.01, 10.0, |_| true).unwrap();
    let [b] = &o.broken[..] else { panic!("{:?}", o.broken) };
    assert_eq!((b.name.as_str(), b.kind), ("tag line", "rope"));
    assert_eq!(b.bodies, ["load", "ground"]);
    assert!(b.time > 0.0 && b.force > 400.0 && o.fired.is_empty(), "{b:?}");
}

#[test]
fn a_followed_body_that_is_removed_ends_no_run() {
    let (_, o) = hang("", r#""events": [{ "at": 0.1, "do": [{ "type": "remove", "body": "load" }] }]"#);
    // Nothing is left that moves, and time goes on.
    assert!(o.stable, "{:?}", o.failure);
    let text = hanging("", r#""events": [{ "at": 0.1, "do": [{ "type": "remove", "body": "load" }] }]"#).replacen(
        r#""bodies": ["#,
        r#""bodies": [{ "type": "particle", "name": "p", "mass": 0.1, "position": [5, 5, 5] }, "#,
        1,
    );
    let mut scene = opened(&text);
    let o = run(&mut scene, 0.01, 0.5, |_| true).unwrap();
    assert!(o.stable && o.steps == 50, "{:?}", o.failure);
}

/// Refuses the crane after a replacement, at a place and with some words.
fn refused(from: &str, to: &str, place: &str, words: &[&str]) {
    let text = std::fs::read_to_string(folder().join("tower-crane.json")).unwrap();
    assert!(text.contains(from), "{from}");
    let text = text.replacen(from, to, 1);
    let e = open(&text).err().unwrap_or_else(|| panic!("{to} was accepted"));
    assert_eq!(e.path.to_string(), place, "{to}: {e}");
    assert!(e.position.is_some(), "{to}: {e}");
    for w in words {
        assert!(e.to_string().contains(w), "{to}: '{e}' lacks '{w}'");
    }
}

#[test]
fn mistakes_in_programs_are_placed() {
    let r = refused;
    let travel = r#"{"motor": "travel", "target": {"type": "smooth", "points": [[4, 0], [16, 18]]}}"#;
    let at = |field: &str| format!("programs[1].{field}");
    let p = |to: &str, field: &str, words: &[&str]| {
        r(travel, to, &if field.is_empty() { "programs[1]".into() } else { at(field) }, words);
    };
    p("3", "", &["3: expected an object"]);
    p("{}", "", &["expected one of the fields 'motor', 'force', 'body', 'joint', 'rope', 'gravity'"]);
    p(r#"{"motor": "travel", "force": "wind", "rate": 1}"#, "force", &["force beside motor"]);
    p(r#"{"motor": "travl", "target": 1}"#, "motor", &["'travl'", "did you mean 'travel'?"]);
    p(r#"{"motor": "shackle", "target": 1}"#, "motor", &["'shackle'", "a motor, or of a joint with one motor"]);
    p(r#"{"motor": "travel"}"#, "", &["'target' or 'rate'"]);
    p(r#"{"motor": "travel", "target": 1, "spead": 2}"#, "spead", &["unknown field 'spead'"]);
    p(r#"{"motor": "travel", "target": "far"}"#, "target", &["\"far\": expected a number, or an object"]);
    p(r#"{"motor": "travel", "target": [1, 2]}"#, "target", &["an array: expected a number"]);
    p(r#"{"motor": "travel", "target": {"points": [[0, 1]]}}"#, "target", &["missing field 'type'", "'smooth'"]);
    p(r#"{"motor": "travel", "target": {"type": "rmap", "points": [[0, 1]]}}"#, "target.type", &["'rmap'", "'ramp'"]);
    p(r#"{"motor": "travel", "target": {"type": "ramp", "points": []}}"#, "target.points", &["at least one point"]);
    p(
        r#"{"motor": "travel", "target": {"type": "ramp", "points": [[0, 1], [0, 2]]}}"#,
        "target.points[1]",
        &["a later time than that before it, 0 s"],
    );
    p(r#"{"motor": "travel", "target": {"type": "ramp", "points": [[0, "x"]]}}"#, "target.points[0][1]", &["a number"]);
    p(
        r#"{"motor": "travel", "target": {"type": "steps", "times": [0, 1], "values": [2]}}"#,
        "target.values",
        &["1 values", "2 values, one for each time"],
    );
    p(
        r#"{"motor": "travel", "target": {"type": "sine", "amplitude": 1, "frequency": 0}}"#,
        "target.frequency",
        &["Hz greater than zero"],
    );
    p(
        r#"{"motor": "travel", "target": {"type": "sine", "amplitude": 1, "frequency": 1, "from": 3, "until": 2}}"#,
        "target.until",
        &["2", "after it begins, 3 s"],
    );
    p(r#"{"motor": "travel", "target": {"type": "sum", "of": []}}"#, "target.of", &["at least one signal"]);
    p(
        r#"{"motor": "travel", "target": {"type": "sum", "of": [{"type": "ramp"}]}}"#,
        "target.of[0]",
        &["missing field 'points'"],
    );
    p(
        r#"{"motor": "travel", "target": {"type": "table", "file": "/etc/passwd"}}"#,
        "target.file",
        &["a scene file that was opened as a file"],
    );
    p(r#"{"motor": "travel", "rate": 1, "after": "dropp"}"#, "after", &["'dropp'", "did you mean 'drop'?"]);
    p(r#"{"force": "wnd", "scale": 1}"#, "force", &["did you mean 'wind'?"]);
    p(r#"{"force": "wind"}"#, "", &["'scale' or 'vector'"]);
    p(r#"{"force": "wind", "rest_length": 1}"#, "rest_length", &["'scale' or 'vector'"]);
    p(r#"{"force": "wind", "vector": [1, 2]}"#, "vector", &["3"]);
    p(r#"{"force": "wind", "scale": 1, "vector": [1, 2, 3]}"#, "vector", &["only one of them"]);
    p(r#"{"body": "jib", "velocity": [1, 2, 3]}"#, "body", &["'jib'", "kinematic"]);
    p(r#"{"body": "jbi", "velocity": [1, 2, 3]}"#, "body", &["did you mean 'jib'?"]);
    p(r#"{"joint": "rail", "length": 1}"#, "joint", &["'rail'", "distance, rope or ligament"]);
    p(
        r#"{"joint": "rope", "length": {"type": "ramp", "points": [[0, 1], [3, -1]]}}"#,
        "length",
        &["-1", "greater than zero, at all times"],
    );
    p(r#"{"joint": "rope"}"#, "", &["missing field 'length'"]);
    p(r#"{"gravity": [0, "down", 0]}"#, "gravity[1]", &["\"down\""]);
    // A motor without stiffness has no target, and a name stands for one thing.
    r(
        r#""stiffness": 2e5, "damping": 5e4, "target": 0"#,
        r#""damping": 5e4"#,
        "programs[1].target",
        &["joints[2].motor", "'stiffness'"],
    );
    r(r#""name": "travel""#, r#""name": "slew""#, "joints[2].motor.name", &["'slew'", "joints[0].motor"]);
    r(
        r#"{"type": "drag", "body": "hook""#,
        r#"{"type": "drag", "name": "wind", "body": "hook""#,
        "forces[2].name",
        &["'wind'", "forces[0]"],
    );
}

#[test]
fn mistakes_in_events_are_placed() {
    let r = refused;
    let drop = r#"{"name": "drop", "at": 22, "do": [{"type": "remove", "joint": "shackle"}]}"#;
    let e = |to: &str, field: &str, words: &[&str]| {
        r(drop, to, &if field.is_empty() { "events[2]".into() } else { format!("events[2].{field}") }, words);
    };
    let on = |condition: &str, field: &str, words: &[&str]| {
        let field = if field.is_empty() { "when".into() } else { format!("when.{field}") };
        e(&format!(r#"{{"name": "drop", "when": {condition}}}"#), &field, words);
    };
    let act = |action: &str, field: &str, words: &[&str]| {
        let field = if field.is_empty() { "do[0]".into() } else { format!("do[0].{field}") };
        e(&format!(r#"{{"name": "drop", "at": 1, "do": [{action}]}}"#), &field, words);
    };
    e("[]", "", &["an array: expected an object"]);
    e(r#"{"name": "drop"}"#, "", &["never fires", "'at' or 'when'"]);
    e(r#"{"name": "overload", "at": 1}"#, "name", &["'overload'", "events[0]"]);
    e(r#"{"name": "drop", "at": "soon"}"#, "at", &["a number of s"]);
    e(r#"{"name": "drop", "at": 1, "when": {"broken": "rope"}}"#, "when", &["either 'at' or 'when'"]);
    e(r#"{"name": "drop", "at": 1, "every": 0}"#, "every", &["greater than zero"]);
    e(r#"{"name": "drop", "at": 1, "repeat": true}"#, "repeat", &["'every' repeats it"]);
    e(r#"{"name": "drop", "when": {"broken": "rope"}, "every": 1}"#, "every", &["none without 'at'"]);
    e(r#"{"name": "drop", "when": {"broken": "rope"}, "rearm": {"broken": "rope"}}"#, "rearm", &["repeat"]);
    on("{}", "", &["expected one of the fields 'joint', 'motor', 'body', 'rope', 'contact', 'event'"]);
    on(r#"{"joint": "ropes", "measure": "force", "above": 1}"#, "joint", &["did you mean 'rope'?"]);
    on(r#"{"joint": "rope", "measure": "tensoin", "above": 1}"#, "measure", &["'tensoin'", "'tension'"]);
    on(r#"{"joint": "rope", "measure": "tension"}"#, "", &["'above' or 'below'"]);
    on(r#"{"joint": "rope", "measure": "tension", "above": 1, "below": 2}"#, "below", &["'all' takes two"]);
    on(r#"{"joint": "rope", "measure": "tension", "above": "2 kN"}"#, "above", &["a number"]);
    on(r#"{"joint": "rail", "measure": "tension", "above": 1}"#, "measure", &["'force' for this joint"]);
    on(
        r#"{"joint": "rail", "measure": "force", "freedom": "slide", "above": 1}"#,
        "freedom",
        &["'position' and 'rate'"],
    );
    on(
        r#"{"joint": "rail", "measure": "position", "freedom": "turn", "above": 1}"#,
        "freedom",
        &["'slide', which this joint leaves free"],
    );
    on(r#"{"joint": "shackle", "measure": "position", "above": 1}"#, "", &["3 things free", "'freedom'"]);
    on(r#"{"body": "load", "measure": "weight", "above": 1}"#, "measure", &["'weight'", "'height'"]);
    on(r#"{"motor": "hoist", "measure": "effort", "above": 1}"#, "motor", &["'hoist'"]);
    on(r#"{"contact": ["crate", "flor"]}"#, "contact[1]", &["did you mean 'floor'?"]);
    on(r#"{"contact": ["crate", "jib"]}"#, "contact[1]", &["a body with colliders"]);
    on(r#"{"event": "lande", "delay": 1}"#, "event", &["did you mean 'landed'?"]);
    on(r#"{"event": "landed", "delay": -1}"#, "delay", &["-1", "zero or more"]);
    on(r#"{"all": []}"#, "all", &["at least one condition"]);
    on(r#"{"any": [{"broken": "rope"}, {"joint": "rope"}]}"#, "any[1]", &["missing field 'measure'"]);
    act("3", "", &["3: expected an object"]);
    act(r#"{"joint": "rope"}"#, "", &["missing field 'type'", "'remove'"]);
    act(r#"{"type": "explode"}"#, "type", &["'explode'", "'impulse'"]);
    act(r#"{"type": "remove"}"#, "", &["'joint', 'body', 'force', 'collider'"]);
    act(r#"{"type": "remove", "joint": "rope", "body": "load"}"#, "body", &["not two"]);
    act(r#"{"type": "remove", "body": "ground"}"#, "body", &["other than the ground"]);
    act(r#"{"type": "disable", "force": "wind"}"#, "force", &["unknown field 'force'"]);
    act(r#"{"type": "command", "motor": "slew"}"#, "", &["'target' or 'rate'"]);
    act(
        r#"{"type": "limit", "joint": "rail", "limit": {"freedom": "turn", "upper": 1, "lower": 0}}"#,
        "limit.freedom",
        &["'slide'"],
    );
    act(
        r#"{"type": "limit", "joint": "slewing", "limit": {"freedom": "turn", "upper": 1, "lower": 0}}"#,
        "limit",
        &["0 limits on this freedom"],
    );
    act(r#"{"type": "limit", "joint": "rail", "limit": {"upper": 1}}"#, "limit", &["missing field 'freedom'"]);
    act(
        r#"{"type": "limit", "joint": "rail", "number": 3, "limit": {"freedom": "slide", "upper": 1}}"#,
        "number",
        &["3", "[0]"],
    );
    act(
        r#"{"type": "friction", "joint": "rail", "friction": {"freedom": "slide", "max": -1}}"#,
        "friction.max",
        &["-1"],
    );
    act(r#"{"type": "length", "joint": "rope", "length": 0}"#, "length", &["greater than zero"]);
    act(r#"{"type": "impulse", "body": "load"}"#, "", &["'impulse' or 'angular'"]);
    act(r#"{"type": "impulse", "body": "load", "impulse": [1, 2]}"#, "impulse", &["N s"]);
    act(r#"{"type": "gravity", "gravity": 9.81}"#, "gravity", &["m/s^2"]);
    act(r#"{"type": "stop"}"#, "", &["missing field 'message'"]);
    r(r#"["load", "trolley", "rope"]"#, r#"["load", "troly"]"#, "outputs.follow[1]", &["did you mean 'trolley'?"]);
    r(r#"["load", "trolley", "rope"]"#, "[]", "outputs.follow", &["the name of a body, joint or deformable"]);
    r(
        r#"["load", "trolley", "rope"]"#,
        "7",
        "outputs.follow",
        &["the name of a body, joint or deformable, or a list of names"],
    );
}

/// A slider whose target is a table of this text; the error, or where it is after a second.
fn tabled(fields: &str, text: &str) -> Result<f64, FileError> {
    let source = slider(
        r#"{ "stiffness": 1e6, "damping": 1e4 }"#,
        &format!(r#""programs": [{{ "motor": "slide", "target": {{ "type": "table", "file": "t.csv"{fields} }} }}]"#),
    );
    let mut file = parse(&source)?;
    load_tables(&mut file, |path| if path == "t.csv" { Ok(text.to_owned()) } else { Err(format!("no {path}")) })?;
    let mut scene = build(&file)?;
    for _ in 0..100 {
        scene.step(0.01).unwrap();
    }
    Ok(scene.world.body(scene.follow).unwrap().position().x)
}

#[test]
fn tables_are_read_by_name_and_number() {
    let near = |fields: &str, text: &str, x: f64| {
        let found = tabled(fields, text).unwrap_or_else(|e| panic!("{fields}: {e}"));
        assert!((found - x).abs() < 1e-3, "{fields}: {found} for {x}");
    };
    near("", "0,0\n2,1\n", 0.5);
    near("", "t,x\n0,0\n2,1\n", 0.5);
    near("", "\u{feff}\"t\";\"x\"\r\n# a comment\r\n\r\n0;0\r\n2;1\r\n", 0.5);
    near(r#", "time": "t", "value": "b""#, "a\tb\tt\n9\t0\t0\n9\t1\t2\n", 0.5);
    near(r#", "time": 2, "value": 1, "scale": 0.5"#, "a\tb\tt\n9\t0\t0\n9\t1\t2\n", 0.25);
    near(r#", "interpolation": "step""#, "0,0.125\n2,1\n", 0.125);
    for (fields, text, field, words) in [
        ("", "", "file", "empty"),
        ("", "t,x\n", "file", "no lines of numbers"),
        ("", "t\n0\n", "value", "1 columns"),
        (r#", "value": "y""#, "t,x\n0,0\n", "value", "column 'y': expected one of t, x"),
        (r#", "value": "y""#, "0,0\n", "value", "a first line with names"),
        (r#", "value": 2"#, "t,x\n0,0\n", "value", "column 2: expected a number below 2"),
        ("", "0,0\n1,up\n", "value", "line 2: 'up': expected a number in column 1"),
        ("", "0,0\n1\n", "value", "line 2: ''"),
        ("", "0,0\n1,1\n1,2\n", "time", "line 3: 1 s: expected a later time"),
        ("", "0,0\n1,inf\n", "value", "line 2: 'inf'"),
    ] {
        let e = tabled(fields, text).unwrap_err();
        assert_eq!(e.path.to_string(), format!("programs[0].target.{field}"), "{text:?}: {e}");
        assert!(e.to_string().contains(words) && e.to_string().contains("t.csv"), "{text:?}: {e}");
    }
}

#[test]
fn a_table_lies_beside_its_scene_file() {
    let text = slider(
        r#"{ "stiffness": 1e6 }"#,
        r#""programs": [{ "motor": "slide", "target": { "type": "table", "file": "/t.csv" } }]"#,
    );
    let mut file = parse(&text).unwrap();
    let e = file::load_tables(&mut file, |_| panic!("it must not be read")).unwrap_err();
    assert!(e.to_string().contains("'/t.csv'") && e.to_string().contains("from the folder of the scene file"), "{e}");
}

/// A sheet of two by eight cells that hangs from its upper edge, and an event that cuts it after half a second.
fn sheet(cut: &str) -> String {
    let text = r#"{
  "taut": 1,
  "name": "cut",
  "bodies": [],
  "deformables": [{
    "name": "cloth",
    "mesh": { "type": "sheet", "size": [0.2, 0.8], "cells": [2, 8] },
    "material": { "density": 1000, "young": 1e5, "poisson": 0.3, "thickness": 0.01 },
    "held": [{ "type": "plane", "point": [0, 0.8, 0], "normal": [0, 1, 0] }]
  }],
  "events": [{ "name": "snip", "at": 0.5, "do": [{ "type": "cut", CUT }] }],
  "outputs": { "dt": 0.01, "time": 1 }
}"#;
    text.replace("CUT", cut)
}

#[test]
fn an_event_cuts_a_sheet_in_two_and_the_lower_half_falls_freely() {
    let mut scene = opened(&sheet(r#""deformable": "cloth", "point": [0, 0.35, 0], "normal": [0, 1, 0]"#));
    let tip = |s: &Scene| s.world.deformables().next().unwrap().positions().map(|x| x.y).fold(f64::MAX, f64::min);
    let parts = |s: &Scene| s.world.deformables().next().unwrap().parts();
    let o = run(&mut scene, 0.01, 0.5, |_| true).unwrap();
    assert!(o.stable && o.fired.is_empty() && parts(&scene) == 1);
    let before = tip(&scene);
    let o = run(&mut scene, 0.01, 0.5, |_| true).unwrap();
    let fired = names(&o);
    assert!(fired.len() == 1 && fired[0].0 == "snip" && (fired[0].1 - 0.5).abs() < 1e-9, "{fired:?}");
    assert_eq!(parts(&scene), 2);
    // It bounces on its own stretch at the cut, by up to 0.2 m/s: the fall of 1.23 m is a tenth less or more.
    let fallen = before - tip(&scene);
    assert!((fallen - 0.5 * 9.81 * 0.25).abs() < 0.1, "{fallen}");
    assert!(o.ledger_imbalance < 1e-9, "{}", o.ledger_imbalance);
}

#[test]
fn a_part_of_a_plane_cuts_a_part_of_a_sheet() {
    for (cut, parts) in [
        (r#""deformable": "cloth", "point": [0, 0.4, 0], "normal": [0, 1, 0], "radius": 0.1"#, 1),
        (r#""deformable": "cloth", "point": [0, 0.4, 0], "normal": [0, 1, 0], "radius": 0.3"#, 2),
        (r#""deformable": "cloth", "point": [-1, 0.4, -1], "edges": [[3, 0, 0], [0, 0, 2]]"#, 2),
        (r#""deformable": "cloth", "point": [5, 0.4, -1], "edges": [[3, 0, 0], [0, 0, 2]]"#, 1),
    ] {
        // Just above the line of nodes, which the sheet has left by its weight.
        let mut scene = opened(&sheet(&cut.replace("0.4", "0.35")));
        run(&mut scene, 0.01, 1.0, |_| true).unwrap();
        assert_eq!(scene.world.deformables().next().unwrap().parts(), parts, "{cut}");
    }
}

#[test]
fn cuts_that_cannot_be_are_refused_with_their_place() {
    for (cut, path, words) in [
        (r#""deformable": "clot", "point": [0, 0, 0], "normal": [0, 1, 0]"#, "deformable", "did you mean 'cloth'"),
        (r#""deformable": "cloth", "point": [0, 0, 0]"#, "do[0]", "'normal'"),
        (r#""deformable": "cloth", "point": [0, 0, 0], "normal": [0, 0, 0]"#, "normal", "a direction"),
        (r#""deformable": "cloth", "point": [0, 0, 0], "normal": [0, 1, 0], "radius": -1"#, "radius", "-1"),
        (r#""deformable": "cloth", "point": [0, 0, 0], "radius": 1"#, "do[0]", "'normal'"),
        (r#""deformable": "cloth", "point": [0, 0, 0], "edges": [[1, 0, 0], [2, 0, 0]]"#, "edges", "span an area"),
    ] {
        let e = open(&sheet(cut)).map(drop).unwrap_err().to_string();
        assert!(e.contains(path) && e.contains(words), "{cut}: {e}");
    }
}

/// A load of 10 kg on a rope of 3 m over a sheave, and more of the file.
fn over_a_sheave(rope: &str, more: &str) -> String {
    format!(
        r#"{{ "taut": 1,
             "bodies": [{{ "type": "particle", "name": "load", "mass": 10, "position": [0.5, -1, 0] }}],
             "sheaves": [{{ "name": "top", "body": "ground", "point": [0.25, 1, 0], "axis": [0, 0, 1], "radius": 0.25 }}],
             "ropes": [{{ "name": "line", "path": [{{ "body": "ground", "point": [0, 0, 0] }}, {{ "over": "top" }}, {{ "body": "load" }}]{rope} }}],
             {more}, "outputs": {{ "dt": 0.01, "time": 4, "length": 3 }} }}"#
    )
}

#[test]
fn a_rope_over_guides_is_hauled_in_by_a_program_and_that_is_work() {
    let hoist = r#""programs": [{ "rope": "line", "pay_out": { "type": "ramp", "points": [[0, 0], [1, -0.2], [3, -0.2], [3.5, 0]] } }]"#;
    // 0.1 + 0.4 + 0.05 m.
    let (hauled, weight) = (0.55, 98.1);
    for (rope, sag) in [("", 0.0), (r#", "stiffness": 2e5"#, weight * 3.785 / 2e5)] {
        let mut scene = opened(&over_a_sheave(rope, hoist));
        let o = run(&mut scene, 0.01, 4.0, |_| true).unwrap();
        let y = scene.world.body(scene.follow).unwrap().position().y;
        assert!(o.stable && (y + 1.0 + sag - hauled).abs() < 2e-3, "{rope}: {y} {o:?}");
        assert!((o.ledger[0] - weight * hauled).abs() < 0.03 * weight * hauled, "{rope}: {:?}", o.ledger);
        assert!(o.energy_max_rise < 1e-3 && o.ledger_imbalance < 1e-9, "{rope}: {o:?}");
        let line = scene.world.rope(scene.world.find_rope("line").unwrap()).unwrap();
        assert!((line.paid_out() + hauled).abs() < 1e-9, "{}", line.paid_out());
    }
}

#[test]
fn events_pay_out_ropes_look_at_them_and_take_them_out() {
    let events = r#""events": [
      { "at": 1, "name": "slacken", "do": [{ "type": "pay-out", "rope": "line", "length": 0.5 }] },
      { "name": "slack", "when": { "rope": "line", "measure": "slack", "above": 0.1 } },
      { "name": "long", "when": { "rope": "line", "measure": "paid-out", "above": 0.4 } },
      { "name": "longer", "when": { "rope": "line", "measure": "length", "above": 4 } },
      { "name": "taut again", "when": { "all": [{ "event": "slack" }, { "rope": "line", "measure": "tension", "span": 1, "above": 50 }] } },
      { "name": "wound", "when": { "rope": "line", "measure": "wrap", "guide": 1, "above": 3 } },
      { "at": 3, "name": "let go", "do": [{ "type": "remove", "rope": "line" }] }]"#;
    let text = over_a_sheave("", events);
    let mut scene = opened(&text);
    let o = run(&mut scene, 0.01, 4.0, |_| true).unwrap();
    let fired: Vec<&str> = names(&o).into_iter().map(|(name, _)| name).collect();
    assert_eq!(fired, ["wound", "slacken", "slack", "long", "longer", "taut again", "let go"]);
    assert!(scene.world.ropes().count() == 0 && o.ledger_imbalance < 1e-9, "{o:?}");
    assert!(scene.world.body(scene.follow).unwrap().position().y < -5.0, "it falls");
    let again = write(&parse(&text).unwrap()).unwrap();
    let mut other = opened(&again);
    run(&mut other, 0.01, 4.0, |_| true).unwrap();
    assert_eq!(other.world.state().hash(), scene.world.state().hash());
    for (from, to, at, words) in [
        (r#""rope": "line", "length""#, r#""rope": "lin", "length""#, "events[0].do[0].rope", "did you mean 'line'"),
        (r#""span": 1"#, r#""span": 2"#, "events[4].when.all[1].span", "from 0 to 1"),
        (r#""guide": 1"#, r#""guide": 0"#, "events[5].when.guide", "from 1 to 1"),
        (r#""measure": "slack""#, r#""measure": "slack", "span": 0"#, "events[1].when.span", "'tension'"),
    ] {
        let e = open(&text.replacen(from, to, 1)).err().unwrap();
        assert_eq!(e.path.to_string(), at, "{e}");
        assert!(e.to_string().contains(words), "{e}");
    }
}

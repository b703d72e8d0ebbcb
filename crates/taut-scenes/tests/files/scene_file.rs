//! The scene file: the examples run, every kind of mistake is refused with its place and what was expected.

use crate::conforms::conforms;
use serde_json::Value;
use std::path::PathBuf;
use taut_scenes::file::{self, FileError, build, load_tables, parse, schema};
use taut_scenes::{Scene, run};

fn examples() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("files");
    let mut list: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    list.retain(|p| p.extension().is_some_and(|e| e == "json"));
    list.sort();
    let read = |p: &PathBuf| (p.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read_to_string(p).unwrap());
    list.iter().map(read).collect()
}

fn open(text: &str) -> Result<Scene, FileError> {
    parse(text).and_then(|f| build(&f)).map_err(|e| e.located(text))
}

/// The JSON code block of the reference.
fn documented() -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/scene-file.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (_, rest) = text.split_once("```json\n").expect("a JSON block");
    rest.split_once("```").expect("its end").0.to_owned()
}

#[test]
fn examples_run() {
    let list = examples();
    assert_eq!(list.len(), 14);
    for (name, text) in list {
        let mut file = parse(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("files");
        load_tables(&mut file, |path| std::fs::read_to_string(folder.join(path)).map_err(|e| e.to_string())).unwrap();
        let mut scene = build(&file).unwrap_or_else(|e| panic!("{name}: {e}"));
        let o = run(&mut scene, file.outputs.dt(), file.outputs.time().min(2.0), |_| true).unwrap();
        assert!(o.stable, "{name}: {:?}", o.failure);
        assert!(o.max_gap_rel < 1e-3, "{name}: {o:?}");
        assert!(o.energy_scale > 0.0 && o.length > 0.0);
    }
}

#[test]
fn documented_example_runs() {
    let text = documented();
    let file = parse(&text).unwrap();
    let mut scene = build(&file).map_err(|e| e.located(&text)).unwrap();
    let o = run(&mut scene, file.outputs.dt(), 1.0, |_| true).unwrap();
    assert!(o.stable, "{:?}", o.failure);
}

/// A file with one of every joint and force.
const BASE: &str = r#"{
  "taut": 1,
  "settings": { "gravity": [0, -9.81, 0], "stabiliser": { "type": "inertial", "alpha": 1, "theta": 0.75 }, "solver": "block-ldlt", "bounded": { "type": "pgs", "sweeps": 30 }, "bounded_tolerance": 1e-8, "sleep": false },
  "bodies": [
    { "type": "dynamic", "name": "a", "mass": 2, "inertia": [1, 1, 1], "position": [1, 0, 0] },
    { "type": "dynamic", "name": "b", "density": 500, "shape": { "type": "box", "size": [1, 2, 3] }, "rotation": [0, 0, 0, 1] },
    { "type": "dynamic", "name": "c", "mass": 3, "shape": { "type": "sphere", "radius": 0.5 }, "rotation": { "axis": [0, 1, 0], "degrees": 30 } },
    { "type": "dynamic", "name": "d", "mass": 3, "shape": { "type": "capsule", "radius": 0.5, "height": 0 }, "position": [3, 0, 0] },
    { "type": "dynamic", "name": "e", "mass": 3, "shape": { "type": "cylinder", "radius": 0.5, "height": 1 }, "linear_damping": 0.1, "angular_damping": 0.1 },
    { "type": "dynamic", "name": "f", "mass": 6, "shape": { "type": "convex-mesh", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "triangles": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] } },
    { "type": "dynamic", "name": "g", "mass": 2, "inertia": [[2, 0.5, 0], [0.5, 2, 0], [0, 0, 2]], "velocity": [0, 0, 1], "angular_velocity": [0, 1, 0] },
    { "type": "particle", "name": "p", "mass": 0.5, "position": [0, 5, 0], "velocity": [1, 0, 0] },
    { "type": "particle", "name": "q", "mass": 0.5, "position": [0, 6, 0], "gravity_scale": -0.5, "locks": { "along": ["x"] }, "user_data": 7 },
    { "type": "fixed", "name": "wall", "position": [9, 0, 0], "enabled": true },
    { "type": "kinematic", "name": "winch", "velocity": [0, 1, 0], "angular_velocity": [1, 0, 0] }
  ],
  "joints": [
    { "type": "ball", "name": "first", "bodies": ["a", "ground"], "point": [0, 0, 0], "linear": { "compliance": 1e-6, "damping": 1 } },
    { "type": "universal", "bodies": ["b", "a"], "motor": [null, { "damping": 7 }], "point": [0, 0, 0], "axis": [0, 0, 1] },
    { "type": "hinge", "name": "second", "bodies": ["c", "b"], "point": [0, 0, 0], "axis": [0, 0, 1], "angular": { "stiffness": 1e6, "damping": 5 }, "motor": { "rate": 0.5 } },
    { "type": "prismatic", "bodies": ["d", "c"], "point": [0, 0, 0], "axis": [1, 0, 0], "motor": { "stiffness": 1000, "damping": 50, "target": 0.3, "rate": 0.25 } },
    { "type": "cylindrical", "bodies": ["e", "d"], "point": [0, 0, 0], "axis": [1, 0, 0], "motor": [{ "rate": 2 }, { "damping": 8, "rate": 3 }] },
    { "type": "planar", "bodies": ["f", "e"], "point": [0, 0, 0], "axis": [1, 0, 0] },
    { "type": "weld", "bodies": ["g", "f"], "point": [0, 0, 0] },
    { "type": "axial-lock", "bodies": ["g", "ground"], "axis": [0, 1, 0] },
    { "type": "distance", "bodies": ["p", "q"], "linear": { "stiffness": 100 } },
    { "type": "distance", "bodies": ["p", "wall"], "points": [[0, 5, 0], [9, 1, 0]], "length": 9.9 },
    { "type": "cable", "bodies": ["a", "winch"], "point": [0, 1, 0], "axis": [0, 1, 0], "material": { "length": 0.1, "radius": 0.01, "youngs_modulus": 1e9, "shear_modulus": 4e8 }, "clamped_end": true },
    { "type": "cable", "bodies": ["b", "winch"], "point": [0, 1, 0], "axis": [0, 1, 0], "bending": { "stiffness": 10 }, "torsion": { "compliance": 0.1 } },
    { "type": "flexible-cable", "bodies": ["c", "winch"], "point": [0, 1, 0], "axis": [0, 1, 0], "bending": { "stiffness": 10 }, "torsion": { "stiffness": 10 }, "shear": { "stiffness": 1e9 } },
    { "type": "ball", "bodies": ["e", "wall"], "point": [0, 0, 0], "motor": [{ "rate": 0.1 }, null, { "stiffness": 3, "target": 0.2 }] },
    { "type": "rope", "name": "line", "bodies": ["p", "ground"], "length": 6, "linear": { "stiffness": 5000, "damping": 2 }, "restitution": 0.25, "strength": { "force": 900 } },
    { "type": "ligament", "bodies": ["q", "p"], "rest_length": 1.5, "soft_stiffness": 10, "strain": 0.2, "stiffness": 1000, "damping": 0.5, "limits": [{ "freedom": "length", "lower": 0.1 }] },
    { "type": "hinge", "name": "bounded", "bodies": ["d", "wall"], "point": [3, 0, 0], "axis": [0, 0, 1], "limits": [{ "freedom": "turn", "lower": -0.5, "upper": 1.5, "stiffness": 40, "damping": 3, "restitution": 0.5 }], "friction": [{ "freedom": "turn", "max": 2, "per_load": 0.01 }], "motor": { "rate": 1, "max_force": 12 }, "strength": { "force": 1e4, "torque": 1e3 } },
    { "type": "ball", "name": "shoulder", "bodies": ["a", "wall"], "point": [1, 0, 0], "axis": [1, 0, 0], "limits": [{ "freedom": "swing", "upper": 0.7 }, { "freedom": "twist", "lower": -0.4, "upper": 0.3 }, { "freedom": "lean", "index": 2, "upper": 0.2 }] },
    { "type": "cylindrical", "name": "slider", "bodies": ["g", "wall"], "point": [0, 0, 0], "axis": [0, 1, 0], "limits": [{ "freedom": "slide", "lower": -0.25, "upper": 0.25, "compliance": 1e-4 }], "friction": [{ "freedom": "slide", "per_load": 0.3 }] },
    { "type": "point-on-line", "bodies": ["wall", "c"], "point": [0, 0, 0], "axis": [0, 0, 2], "linear": { "stiffness": 100 }, "strength": { "force": 500 } },
    { "type": "translational", "bodies": ["g", "wall"], "angular": { "compliance": 1e-6 } },
    { "type": "six-dof", "name": "gantry", "bodies": ["a", "ground"], "point": [1, 0, 0], "axis": [0, 1, 0], "across": [1, 0, 1], "locked": { "along": ["u", "v"], "about": ["u", "n"] }, "linear": { "compliance": 1e-5 }, "limits": [{ "freedom": "slide", "upper": 2 }, { "freedom": "about-v", "lower": -1, "upper": 1 }], "motors": [{ "freedom": "about-v", "name": "tilt", "rate": 0.25, "min_force": 0, "max_force": 30 }], "user_data": 18446744073709551615 },
    { "type": "range", "bodies": ["q", "ground"], "points": [[0, 6, 0], [0, 0, 0]], "shortest": 4, "longest": 7, "restitution": 0.5 },
    { "type": "wheel", "name": "front", "bodies": ["c", "b"], "point": [0, 0, 0], "axis": [0, 1, 0], "axle": [0, 0, 1], "suspension": { "stiffness": 2e4, "damping": 2e3 }, "steers": true, "motors": [{ "freedom": "spin", "rate": 5 }, { "freedom": "steer", "stiffness": 900, "damping": 90, "name": "steering" }], "enabled": false },
    { "type": "force-torque", "name": "sensor", "bodies": ["d", "wall"], "point": [3, 0, 0], "axis": [1, 0, 0], "role": "loop" },
    { "type": "rows", "name": "own", "bodies": ["e", "ground"], "frames": [{ "u": [1, 0, 0], "n": [0, 0, 1] }, { "origin": [0, 0, 0], "u": [1, 0, 0], "v": [0, 1, 0], "n": [0, 0, 1] }], "rows": [{ "type": "point", "points": [[0, 0, 0], [0, 0, 0]] }, { "type": "dot1", "directions": [[0, 0, 1], [1, 0, 0]], "give": { "compliance": 0.5 } }, { "type": "lock", "axes": [[0, 1, 0], [0, 1, 0]], "across": [[0, 0, 1], [0, 0, 1]] }], "freedoms": ["turn"], "limits": [{ "freedom": "lean-uv", "upper": 1.25 }] },
    { "type": "planar", "name": "table", "bodies": ["g", "ground"], "frames": [{ "u": [1, 0, 0], "n": [0, 0, 1] }, { "u": [1, 0, 0], "n": [0, 0, 1] }], "springs": { "linear": { "stiffness": 50, "damping": 1 }, "angular": { "damping": 2 } } }
  ],
  "forces": [
    { "type": "force", "body": "a", "point": [1, 1, 0], "force": [0, 0, 5] },
    { "type": "torque", "body": "a", "torque": [0, 0, 5] },
    { "type": "spring", "bodies": ["a", "ground"], "stiffness": 100, "damping": 1 },
    { "type": "spring", "bodies": ["p", "b"], "points": [[0, 5, 0], [0, 1, 0]], "stiffness": 100, "rest_length": 1 },
    { "type": "mouse", "body": "d", "target": [0, 0, 0], "frequency": 1, "damping_ratio": 0.5 },
    { "type": "drag", "body": "c", "damping": 2.5, "turn_damping": 0.5 },
    { "type": "force", "name": "wind", "body": "b", "local_point": [0, 0.5, 0], "force": [0, 0, 5] }
  ],
  "outputs": { "dt": 0.01, "time": 1, "follow": "c", "length": 2, "energy_scale": 100, "window": 0.5 }
}"#;

#[test]
fn everything_the_engine_has_can_be_said() {
    let scene = open(BASE).unwrap();
    let w = &scene.world;
    assert_eq!(w.bodies().count(), 12);
    let mut kinds: Vec<&str> = w.joints().map(|j| j.kind()).collect();
    // The catalogue lists joints with rows of their own; ropes, ranges and ligaments have bounded rows only, and a sensor those of a weld.
    let more = ["rope", "range", "ligament", "force-torque", "rows"];
    let mut all: Vec<&str> = taut::joints::catalogue().iter().map(|j| j.name()).chain(more).collect();
    for list in [&mut kinds, &mut all] {
        list.sort_unstable();
        list.dedup();
    }
    assert_eq!(kinds, all);
    let named = |name: &str| w.bodies().find(|b| b.name() == name).unwrap();
    assert!((named("b").mass() - 3000.0).abs() < 1e-9);
    // A mesh is placed by the origin of its vertices: a corner tetrahedron has its centre at a quarter.
    assert!((named("f").pose().pos - taut::Vec3::splat(0.25)).length() < 1e-12);
    assert_eq!(w.body(scene.follow).unwrap().name(), "c");
    assert_eq!((scene.length, scene.energy_scale, scene.window), (2.0, 100.0, 0.5));
    assert!(matches!(w.options().stabiliser, taut::Stabiliser::Inertial(d) if d.theta == 0.75 && d.angular_only));
    let o = w.options();
    assert_eq!(
        (o.bounded, o.bounded_tolerance, o.sleep),
        (taut::settings::BoundedMethod::Pgs { sweeps: 30 }, 1e-8, false)
    );
}

#[test]
fn motors_drive_what_they_say() {
    let scene = open(BASE).unwrap();
    let w = &scene.world;
    let told = |kind: &str| {
        let of_kind = w.motors().filter(|m| w.joint(m.id().joint()).unwrap().kind() == kind);
        of_kind.filter_map(|m| m.command()).map(|c| (c.target, c.rate)).collect::<Vec<_>>()
    };
    assert_eq!(told("ball"), [(0.0, 0.1), (0.2, 0.0)]);
    assert_eq!(told("hinge"), [(0.0, 0.5), (0.0, 1.0)]);
    assert_eq!(told("prismatic"), [(0.3, 0.25)]);
    assert_eq!(told("cylindrical"), [(0.0, 2.0), (0.0, 3.0)]);
    // A servo that is told nothing does nothing.
    assert!(told("universal").is_empty() && told("weld").is_empty());
    assert_eq!(told("wheel"), [(0.0, 5.0)]);
    // Springs are servos that hold zero.
    assert_eq!(told("planar"), [(0.0, 0.0); 3]);
    assert_eq!(told("six-dof"), [(0.0, 0.25)]);
}

#[test]
fn what_all_parts_can_have_is_heard() {
    use taut::{Axis, Freedom, Locks, Vec3};
    let scene = open(BASE).unwrap();
    let w = &scene.world;
    let q = w.body(w.find_body("q").unwrap()).unwrap();
    assert_eq!((q.gravity_scale(), q.user_data()), (-0.5, 7));
    assert_eq!(q.locks(), Locks { linear: [true, false, false], angular: [false; 3] });
    let joint = |name: &str| w.joint(w.find_joint(name).unwrap()).unwrap();
    let gantry = joint("gantry");
    assert_eq!(gantry.user_data(), u64::MAX);
    let locks = Locks { linear: [true, true, false], angular: [true, false, true] };
    assert_eq!(gantry.kind_as::<taut::SixDof>().unwrap().locks(), locks);
    assert_eq!(gantry.softness().0, Some(taut::Softness::compliance(1e-5)));
    // U lies along what of (1, 0, 1) is across y.
    assert!((gantry.frames().i.u - Vec3::new(1.0, 0.0, 1.0).normalize()).length() < 1e-15);
    let tilt = w.motor(w.find_motor("tilt").unwrap()).unwrap();
    assert_eq!((tilt.definition().min_force, tilt.definition().max_force), (0.0, 30.0));
    assert_eq!(tilt.freedom(), Freedom::About(Axis::V));
    let front = joint("front");
    assert!(!front.is_enabled() && front.kind_as::<taut::Wheel>().unwrap().steers);
    assert_eq!(w.motor(w.find_motor("steering").unwrap()).unwrap().freedom(), taut::Wheel::STEER);
    assert_eq!(joint("sensor").role(), taut::TreeRole::Loop);
    assert!((joint("sensor").axis() - Vec3::X).length() < 1e-15);
    let own = joint("own");
    assert_eq!((own.rows().len(), own.freedoms()), (3, &[Freedom::Turn][..]));
    assert_eq!(own.limits().map(|l| l.freedom).collect::<Vec<_>>(), [Some(Freedom::Lean(Axis::U, Axis::V))]);
    let wind = w.force(w.find_force("wind").unwrap()).unwrap();
    assert!(matches!(wind, taut::Force::Point { point, .. } if point == Vec3::new(0.0, 0.5, 0.0)));
}

#[test]
fn what_parts_cannot_have_is_refused() {
    let r = refused;
    let frames = r#""frames": [{ "u": [1, 0, 0], "n": [0, 0, 1] }, { "u": [1, 0, 0], "n": [0, 0, 1] }]"#;
    r(frames, &format!(r#"{frames}, "axis": [0, 0, 1]"#), "joints[26].axis", &["none with 'frames'"]);
    r(frames, r#""point": [0, 0, 0]"#, "joints[26]", &["missing field 'axis'", "'frames'"]);
    r(frames, &frames.replacen("[0, 0, 1]", "[0, 0, 2]", 1), "joints[26].frames", &["right-handed orthonormal"]);
    r(frames, &frames.replacen(r#""u": [1, 0, 0], "#, "", 1), "joints[26].frames[0]", &["missing field 'u'"]);
    r(frames, &frames.replacen(r#""n""#, r#""m""#, 1), "joints[26].frames[0].m", &["unknown field 'm'"]);
    let springs = r#""springs": { "linear": { "stiffness": 50, "damping": 1 }, "angular": { "damping": 2 } }"#;
    r(springs, r#""springs": {}"#, "joints[26].springs", &["'linear' or 'angular'"]);
    r(springs, r#""springs": 5"#, "joints[26].springs", &["expected an object"]);
    r(r#""stiffness": 50,"#, r#""stiffness": -50,"#, "joints[26].springs.linear.stiffness", &["-50"]);
    r(r#""stiffness": 50,"#, r#""stiffness": "x","#, "joints[26].springs.linear.stiffness", &["a number of N/m"]);
    let weld = r#"["g", "f"], "point": [0, 0, 0]"#;
    let sprung = format!(r#"{weld}, "springs": {{ "angular": {{ "stiffness": 1 }} }}"#);
    r(weld, &sprung, "joints[6].springs.angular", &["leaves no rotation free"]);
    r(r#""across": [1, 0, 1]"#, r#""across": [0, 1, 0]"#, "joints[21].across", &["not along the axis"]);
    r(r#""about": ["u", "n"]"#, r#""about": ["x"]"#, "joints[21].locked.about[0]", &["'x'", "'u'"]);
    r(r#", "locked": { "along": ["u", "v"], "about": ["u", "n"] }"#, "", "joints[21]", &["missing field 'locked'"]);
    r(r#""axis": [0, 1, 0], "across": [1, 0, 1], "#, "", "joints[21]", &["missing field 'axis'"]);
    r(
        r#""freedom": "about-v", "lower": -1"#,
        r#""freedom": "about-u", "lower": -1"#,
        "joints[21].limits[1].freedom",
        &["'about-v'"],
    );
    r(r#""freedom": "about-v", "name""#, r#""freedom": "swing", "name""#, "joints[21].motors[0].freedom", &["'swing'"]);
    r(r#""freedom": "about-v", "name""#, r#""name""#, "joints[21].motors[0]", &["missing field 'freedom'", "'turn'"]);
    r(
        r#""freedom": "about-v", "name""#,
        r#""freedom": "about-v", "index": 1, "name""#,
        "joints[21].motors[0].index",
        &["'lean'"],
    );
    r(r#""min_force": 0"#, r#""min_force": 1"#, "joints[21].motors[0].min_force", &["min_force = 1", "N m"]);
    r(r#""min_force": 0"#, r#""min_force": "all""#, "joints[21].motors[0].min_force", &["\"all\"", "'none'"]);
    r(r#""max_force": 30"#, r#""max_force": -30"#, "joints[21].motors[0].max_force", &["-30", "more than 'min_force'"]);
    r(r#""user_data": 18446744073709551615"#, r#""user_data": -1"#, "joints[21].user_data", &["-1", "a whole number"]);
    r(r#""longest": 7"#, r#""longest": 3"#, "joints[22].shortest", &["4 and 3"]);
    r(r#""longest": 7"#, r#""longest": 0"#, "joints[22].longest", &["0", "m"]);
    r(r#", "longest": 7"#, "", "joints[22]", &["missing field 'longest'"]);
    r(r#""axle": [0, 0, 1]"#, r#""axle": [0, 1, 0]"#, "joints[23].axle", &["not along the axis"]);
    r(r#""axle": [0, 0, 1], "#, "", "joints[23]", &["missing field 'axle'"]);
    r(r#""axle": [0, 0, 1], "#, r#""axle": [0, 0, 1], "across": [1, 0, 0], "#, "joints[23].across", &["'axle'"]);
    r(
        r#""stiffness": 2e4, "damping": 2e3"#,
        r#""stiffness": -2e4"#,
        "joints[23].suspension.stiffness",
        &["-20000", "N/m"],
    );
    r(r#""steers": true"#, r#""steers": false"#, "joints[23].motors[1].freedom", &["'lean-nv'", "'spin' or 'rise'"]);
    r(r#""role": "loop""#, r#""role": "knot""#, "joints[24].role", &["'knot'", "'tree'"]);
    r(r#"{ "compliance": 1e-6 } },"#, r#"{ "compliance": 1e-6 }, "role": "tree" },"#, "joints[20].role", &["chart"]);
    r(r#""type": "dot1""#, r#""type": "dot3""#, "joints[25].rows[1].type", &["'dot3'", "'dot1'"]);
    r(r#"[[0, 0, 1], [1, 0, 0]]"#, "[[0, 0, 2], [1, 0, 0]]", "joints[25].rows[1]", &["length 1"]);
    r(r#""give": { "compliance": 0.5 }"#, r#""give": 0.5"#, "joints[25].rows[1].give", &["expected an object"]);
    r(r#""freedoms": ["turn"]"#, r#""freedoms": ["lean"]"#, "joints[25].freedoms[0]", &["'lean-nv'"]);
    r(r#""freedoms": ["turn"]"#, r#""freedoms": ["turns"]"#, "joints[25].freedoms[0]", &["'turns'"]);
    let soft = r#""give": { "compliance": 0.5 } }, { "type": "lock", "axes": [[0, 1, 0], [0, 1, 0]], "across": [[0, 0, 1], [0, 0, 1]] }], "freedoms": ["turn"]"#;
    r(soft, r#""give": {} }], "chart": "ball""#, "joints[25].chart", &["ball"]);
    r(r#""locks": { "along": ["x"] }"#, r#""locks": { "about": ["x"] }"#, "bodies[8].locks", &["particle"]);
    r(r#""locks": { "along": ["x"] }"#, r#""locks": { "along": ["w"] }"#, "bodies[8].locks.along[0]", &["'w'", "'x'"]);
    r(r#""locks": { "along": ["x"] }"#, r#""locks": ["x"]"#, "bodies[8].locks", &["expected an object"]);
    r(r#""enabled": true"#, r#""enabled": 1"#, "bodies[9].enabled", &["a boolean"]);
    r(
        r#""local_point": [0, 0.5, 0]"#,
        r#""local_point": [0, 1, 0], "point": [0, 1, 0]"#,
        "forces[6].local_point",
        &["'point'"],
    );
    r(r#""name": "wind", "body": "b""#, r#""name": 3, "body": "b""#, "forces[6].name", &["a string"]);
}

#[test]
fn the_order_of_parts_is_checked() {
    let base = r#"{ "taut": 1,
      "bodies": [
        { "type": "particle", "name": "a", "mass": 1, "locks": { "along": ["x"] } },
        { "type": "particle", "name": "b", "mass": 1, "position": [1, 0, 0] }],
      "joints": [{ "type": "distance", "bodies": ["a", "b"] }],
      "forces": [{ "type": "spring", "bodies": ["b", "ground"], "stiffness": 9 }],
      "order": { "rows": [{ "forces": 1 }, { "joints": 1 }, { "locks": ["a"] }] } }"#;
    let w = open(base).unwrap().world;
    use taut::views::RowsOf::{Force, Joint, Locks};
    assert!(matches!(w.rows_in_order().as_slice(), [Force(_), Joint(_), Locks(_)]));
    let r = |from: &str, to: &str, path: &str, words: &[&str]| refused_in(base, from, to, path, words);
    r(r#"{ "joints": 1 }"#, r#"{ "joints": 2 }"#, "order.rows[1].joints", &["2", "at most 1"]);
    r(r#"{ "forces": 1 }"#, r#"{ "forces": 2 }"#, "order.rows[0].forces", &["2", "at most 1"]);
    r(r#"["a"] }] }"#, r#"["b"] }] }"#, "order.rows[2].locks[0]", &["'b'", "with locks"]);
    r(r#"["a"] }] }"#, r#"["a", "a"] }] }"#, "order.rows[2].locks[1]", &["named once"]);
    r(r#"["a"] }] }"#, r#"["c"] }] }"#, "order.rows[2].locks[0]", &["'c'", "the name of a body"]);
    let colliders = r#""order": { "colliders": [{ "body": "a" }], "rows""#;
    r(r#""order": { "rows""#, colliders, "order.colliders[0].count", &["1", "at most 0"]);
    r(r#""order": { "rows""#, r#""order": { "row""#, "order.row", &["unknown field 'row'"]);
}

/// A ball of 1 kg on a joint at the origin without gravity, 3 s later: how it turned, rad, and moved, m.
fn moved(joint: &str) -> (taut::Vec3, taut::Vec3) {
    let text = format!(
        r#"{{ "taut": 1, "settings": {{ "gravity": [0, 0, 0] }},
             "bodies": [{{ "type": "dynamic", "name": "a", "mass": 1, "shape": {{ "type": "sphere", "radius": 0.1 }} }}],
             "joints": [{{ "bodies": ["a", "ground"], "point": [0, 0, 0], {joint} }}], "outputs": {{ "time": 3 }} }}"#
    );
    let mut s = open(&text).unwrap_or_else(|e| panic!("{e}"));
    assert!(run(&mut s, 0.01, 3.0, |_| true).unwrap().stable);
    let pose = s.world.body(s.follow).unwrap().pose();
    (pose.rot.to_scaled_axis(), pose.pos)
}

#[test]
fn motors_turn_by_the_right_hand_and_slide_along_the_axis() {
    use taut::Vec3;
    let servo = r#"{ "stiffness": 20, "damping": 5, "target": 0.3 }"#;
    let close = |joint: String, turn: Vec3, shift: Vec3| {
        let (t, s) = moved(&joint);
        assert!((t - turn).length() < 5e-4 && (s - shift).length() < 5e-4, "{joint}: {t} for {turn}, {s} for {shift}");
    };
    let (x, y, z) = (Vec3::X, Vec3::Y, Vec3::Z);
    for (list, axis) in [(format!("[{servo}, null, null]"), x), (format!("[null, {servo}, null]"), y)] {
        close(format!(r#""type": "ball", "motor": {list}"#), 0.3 * axis, Vec3::ZERO);
    }
    let hold = r#"{ "stiffness": 10, "damping": 5 }"#;
    close(format!(r#""type": "ball", "motor": [{hold}, {hold}, {servo}]"#), 0.3 * z, Vec3::ZERO);
    // The other arm of the cross is z times x.
    for (list, axis) in [(format!("[{servo}, {hold}]"), z), (format!("[{hold}, {servo}]"), y)] {
        close(format!(r#""type": "universal", "axis": [0, 0, 1], "motor": {list}"#), 0.3 * axis, Vec3::ZERO);
    }
    for kind in ["hinge", "planar"] {
        close(format!(r#""type": "{kind}", "axis": [0, 0, 2], "motor": {servo}"#), 0.3 * z, Vec3::ZERO);
        close(format!(r#""type": "{kind}", "axis": [0, 0, 2], "motor": {{ "rate": 0.5 }}"#), 1.5 * z, Vec3::ZERO);
    }
    close(format!(r#""type": "prismatic", "axis": [0, 1, 0], "motor": {servo}"#), Vec3::ZERO, 0.3 * y);
    let both = format!(r#"[{servo}, {{ "rate": -0.1 }}]"#);
    close(format!(r#""type": "cylindrical", "axis": [0, 1, 0], "motor": {both}"#), 0.3 * y, -0.3 * y);
    let slide = r#"[null, { "damping": 100, "rate": 0.1 }]"#;
    assert!((moved(&format!(r#""type": "cylindrical", "axis": [0, 1, 0], "motor": {slide}"#)).1.y - 0.3).abs() < 2e-3);
}

#[test]
fn impossible_motors_are_refused() {
    let r = refused;
    let hinge = r#"{ "rate": 0.5 }"#;
    let at = "joints[2].motor";
    r(hinge, "[0.5]", at, &["an array: expected an object"]);
    r(hinge, "0.5", at, &["0.5: expected an object"]);
    r(hinge, "null", at, &["null: expected an object"]);
    r(hinge, "{}", at, &["'rate'", "'stiffness'"]);
    r(hinge, r#"{ "rat": 0.5 }"#, "joints[2].motor.rat", &["unknown field 'rat'", "'rate'"]);
    r(hinge, r#"{ "rate": "fast" }"#, "joints[2].motor.rate", &["\"fast\"", "a number of rad/s"]);
    r(hinge, r#"{ "stiffness": 1, "target": "up" }"#, "joints[2].motor.target", &["a number of rad"]);
    r(hinge, r#"{ "rate": 1, "target": 1 }"#, "joints[2].motor.target", &["target = 1", "'stiffness'"]);
    r(hinge, r#"{ "damping": 1, "target": 1 }"#, "joints[2].motor.target", &["target = 1", "'stiffness'"]);
    r(hinge, r#"{ "stiffness": -1 }"#, "joints[2].motor.stiffness", &["stiffness = -1", "N m/rad"]);
    r(hinge, r#"{ "stiffness": 1, "damping": -2 }"#, "joints[2].motor.damping", &["damping = -2", "N m s/rad"]);
    r(hinge, r#"{ "stiffness": 0 }"#, "joints[2].motor.stiffness", &["stiffness = 0", "positive"]);
    r(r#""stiffness": 1000,"#, r#""stiffness": -1000,"#, "joints[3].motor.stiffness", &["-1000", "N/m"]);
    r(r#""target": 0.3"#, r#""target": "0.3 m""#, "joints[3].motor.target", &["a number of m"]);
    r(r#"{ "rate": 2 }, { "d"#, r#"2, { "d"#, "joints[4].motor[0]", &["2: expected an object"]);
    r(r#"{ "rate": 2 }, { "d"#, r#"{ "d"#, "joints[4].motor", &["a list of 1: expected 2"]);
    r(
        r#"[{ "rate": 2 }, { "damping": 8, "rate": 3 }]"#,
        r#"{ "rate": 2 }"#,
        "joints[4].motor",
        &["an object: expected a list of 2"],
    );
    r(r#""damping": 8, "rate": 3"#, r#""damping": -8"#, "joints[4].motor[1].damping", &["-8", "N s/m"]);
    r(r#""target": 0.2"#, r#""target": 2"#, "joints[13].motor[2].target", &["target = 2", "a quarter turn"]);
    r(r#"null, { "damping": 7 }"#, r#"{ "damping": 7 }, null, null"#, "joints[1].motor", &["a list of 3: expected 2"]);
    r(r#"["e", "wall"]"#, r#"["q", "wall"]"#, "joints[13].bodies", &["particle", "without motors"]);
    let weld = r#"["g", "f"], "point": [0, 0, 0]"#;
    r(weld, &format!(r#"{weld}, "motor": {hinge}"#), "joints[6].motor", &["unknown field 'motor'"]);
}

#[test]
fn limits_stop_where_they_say() {
    use taut::Vec3;
    let push = |stop: &str, kind: &str, motor: &str| {
        moved(&format!(r#""type": "{kind}", "limits": [{stop}], "motor": {motor}"#))
    };
    let turn = r#"{ "freedom": "turn", "lower": -0.2, "upper": 0.4 }"#;
    for (rate, stop) in [(1.0, 0.4), (-1.0, -0.2)] {
        let motor = format!(r#"{{ "rate": {rate}, "max_force": 1 }}, "axis": [0, 0, 1]"#);
        let (t, _) = push(turn, "hinge", &motor);
        assert!((t - stop * Vec3::Z).length() < 1e-6, "{t}");
    }
    let slide = r#"{ "freedom": "slide", "lower": -0.2, "upper": 0.4, "stiffness": 1000, "damping": 100 }"#;
    let (_, s) = push(slide, "prismatic", r#"{ "rate": 1, "max_force": 5 }, "axis": [0, 1, 0]"#);
    assert!((s - (0.4 + 5.0 / 1000.0) * Vec3::Y).length() < 1e-6, "{s}");
    // The leans of a universal joint count with its motors, not as the engine counts them.
    for (rate, stop) in [(1.0, 0.4), (-1.0, -0.2)] {
        let lean = r#"{ "freedom": "lean", "index": 1, "lower": -0.2, "upper": 0.4 }"#;
        let hold = r#"{ "stiffness": 10, "damping": 5 }"#;
        let motor = format!(r#"[{hold}, {{ "damping": 1, "rate": {rate}, "max_force": 1 }}], "axis": [0, 0, 1]"#);
        let (t, _) = push(lean, "universal", &motor);
        assert!((t - stop * Vec3::Y).length() < 1e-5, "{t}");
    }
    // Swing and twist are about the axis of a ball; its motors turn about y, x, and y times x.
    for (limit, motors, turned) in [
        (r#"{ "freedom": "swing", "upper": 0.3 }"#, [0, 0, 1], -0.3 * Vec3::Z),
        (r#"{ "freedom": "twist", "lower": -0.1, "upper": 0.2 }"#, [0, 1, 0], 0.2 * Vec3::X),
        (r#"{ "freedom": "lean", "index": 0, "upper": 0.25 }"#, [1, 0, 0], 0.25 * Vec3::Y),
    ] {
        let each = motors.map(|on| {
            if on == 1 {
                r#"{ "damping": 1, "rate": 1, "max_force": 1 }"#
            } else {
                r#"{ "stiffness": 10, "damping": 5 }"#
            }
        });
        let (t, _) = push(limit, "ball", &format!(r#"[{}], "axis": [1, 0, 0]"#, each.join(", ")));
        assert!((t - turned).length() < 1e-5, "{limit}: {t}");
    }
}

#[test]
fn friction_rope_ligament_and_strength_do_what_they_say() {
    let world = |mass: f64, joint: &str| {
        let text = format!(
            r#"{{ "taut": 1, "bodies": [{{ "type": "particle", "name": "p", "mass": {mass}, "position": [0, -1, 0] }}],
                 "joints": [{{ "bodies": ["p", "ground"], {joint} }}] }}"#
        );
        let mut s = open(&text).unwrap_or_else(|e| panic!("{e}"));
        let mut broken = 0;
        let o = run(&mut s, 0.01, 8.0, |x| {
            broken += x.report.events.iter().filter(|e| matches!(e, taut::Event::JointBroken { .. })).count();
            true
        });
        assert!(o.unwrap().stable);
        (-s.world.body(s.follow).unwrap().position().y, broken)
    };
    let (down, _) = world(2.0, r#""type": "rope", "length": 3"#);
    assert!((down - 3.0).abs() < 1e-6, "{down}");
    let (down, _) = world(2.0, r#""type": "rope", "length": 1.5, "linear": { "stiffness": 100, "damping": 20 }"#);
    assert!((down - 1.5 - 2.0 * 9.81 / 100.0).abs() < 1e-4, "{down}");
    let cord = r#""type": "ligament", "rest_length": 1.2, "soft_stiffness": 50, "strain": 0.1, "stiffness": 1050, "damping": 20"#;
    let (down, _) = world(2.0, cord);
    assert!((down - 1.2 * 1.1 - (2.0 * 9.81 - 0.12 * 50.0) / 1050.0).abs() < 1e-4, "{down}");
    let stop = cord.replace(r#""stiffness": 1050, "#, "");
    assert!((world(2.0, &stop).0 - 1.2 * 1.1).abs() < 1e-6);
    // A taut line of 15 N holds 1 kg and not 2 kg.
    let line = r#""type": "rope", "strength": { "force": 15 }"#;
    assert_eq!(world(1.0, line).1, 0);
    let (down, broken) = world(2.0, line);
    assert!(broken == 1 && down > 100.0, "{broken} {down}");
    // A strut that rubs holds up to its friction.
    let rub = |max: f64| {
        world(1.0, &format!(r#""type": "rope", "length": 50, "friction": [{{ "freedom": "length", "max": {max} }}]"#))
    };
    assert!((rub(10.0).0 - 1.0).abs() < 1e-6);
    assert!((rub(9.0).0 - 1.0 - 0.5 * 0.81 * 64.0).abs() < 0.05, "{}", rub(9.0).0);
}

#[test]
fn impossible_bounds_are_refused() {
    let r = refused;
    let turn =
        r#"{ "freedom": "turn", "lower": -0.5, "upper": 1.5, "stiffness": 40, "damping": 3, "restitution": 0.5 }"#;
    let at = "joints[16].limits[0]";
    let of = |field: &str| format!("{at}.{field}");
    r(turn, r#"{ "lower": -0.5, "upper": 1.5 }"#, at, &["missing field 'freedom'", "'turn'", "'swing'"]);
    r(turn, r#"{ "freedom": "turning", "upper": 1 }"#, &of("freedom"), &["'turning'", "'turn'"]);
    r(turn, r#"{ "freedom": 3, "upper": 1 }"#, &of("freedom"), &["3: expected a string"]);
    r(turn, "0.5", at, &["0.5", "'freedom'"]);
    r(&format!("[{turn}]"), turn, "joints[16].limits", &["object", "expected an array"]);
    let slide = r#"{ "freedom": "slide", "upper": 1 }"#;
    r(turn, slide, &of("freedom"), &["freedom = 'slide'", "'turn', which this joint leaves free"]);
    let both = |lower: &str, upper: &str| format!(r#"{{ "freedom": "turn", "lower": {lower}, "upper": {upper} }}"#);
    r(turn, &both("1", "-1"), &of("lower"), &["1 and -1", "lower <= upper", "m or rad"]);
    r(turn, r#"{ "freedom": "turn" }"#, &of("upper"), &["-inf and inf", "at least one of them finite"]);
    r(turn, &both("\"-30 deg\"", "1"), &of("lower"), &["a number of rad"]);
    r(r#""restitution": 0.5"#, r#""restitution": 1.5"#, &of("restitution"), &["1.5", "from 0 to 1"]);
    r(r#""stiffness": 40, "damping": 3"#, r#""stiffness": -40"#, &of("stiffness"), &["-40", "N m/rad"]);
    r(r#""stiffness": 40, "damping": 3"#, r#""damping": 3"#, &of("damping"), &["no effect"]);
    r(r#""compliance": 1e-4"#, r#""compliance": -1"#, "joints[18].limits[0].compliance", &["-1", "m/N"]);
    r(r#""upper": 0.7 }"#, r#""upper": 4 }"#, "joints[17].limits[0].upper", &["4", "Swing"]);
    r(r#""index": 2"#, r#""index": 3"#, "joints[17].limits[2].index", &["index = 3", "below 3"]);
    r(r#""index": 2, "upper": 0.2"#, r#""index": 2, "upper": 2"#, "joints[17].limits[2].upper", &["2", "Lean"]);
    r(r#""index": 2, "#, "", "joints[17].limits[2]", &["missing field 'index'"]);
    r(r#""lower": 0.1"#, r#""lower": -0.1"#, "joints[15].limits[0].lower", &["-0.1", "Length"]);
    let rub = r#""max": 2, "per_load": 0.01"#;
    let at = "joints[16].friction[0]";
    r(rub, r#""max": -2"#, &format!("{at}.max"), &["-2", "N or N m"]);
    r(rub, r#""per_load": -2"#, &format!("{at}.per_load"), &["-2"]);
    r(&format!(r#", {rub}"#), "", at, &["'max' or 'per_load'"]);
    r(
        r#"[{ "freedom": "turn", "max": 2"#,
        r#"[{ "freedom": "swing", "max": 2"#,
        &format!("{at}.freedom"),
        &["'swing'", "'turn'"],
    );
    r(r#""max_force": 12"#, r#""max_force": 0"#, "joints[16].motor.max_force", &["max_force = 0", "N m"]);
    r(r#""force": 900"#, r#""force": 0"#, "joints[14].strength.force", &["0", "N"]);
    r(r#"{ "force": 900 }"#, "{}", "joints[14].strength", &["'force' or 'torque'"]);
    r(r#"{ "force": 900 }"#, "900", "joints[14].strength", &["900: expected an object"]);
    r(r#""torque": 1e3"#, r#""torque": -1"#, "joints[16].strength.torque", &["-1", "N m"]);
    r(r#""length": 6"#, r#""length": -6"#, "joints[14].length", &["-6", "m"]);
    r(r#""restitution": 0.25"#, r#""restitution": -0.25"#, "joints[14].restitution", &["-0.25", "from 0 to 1"]);
    r(r#""rest_length": 1.5"#, r#""rest_length": 0"#, "joints[15].rest_length", &["0", "m"]);
    r(
        r#""soft_stiffness": 10"#,
        r#""soft_stiffness": 1000"#,
        "joints[15].stiffness",
        &["1000", "more than soft_stiffness"],
    );
    r(r#""soft_stiffness": 10"#, r#""soft_stiffness": 0"#, "joints[15].soft_stiffness", &["0", "N/m"]);
    r(r#""strain": 0.2"#, r#""strain": -0.2"#, "joints[15].strain", &["-0.2"]);
    r(r#""damping": 0.5, "limits""#, r#""damping": -0.5, "limits""#, "joints[15].damping", &["-0.5", "N s/m"]);
    r(r#"["d", "wall"]"#, r#"["p", "wall"]"#, "joints[16].bodies", &["particle"]);
    let weld = r#"["g", "f"], "point": [0, 0, 0]"#;
    let stop = r#"[{ "freedom": "turn", "lower": 0, "upper": 1 }]"#;
    let free = format!(r#"{weld}, "limits": {stop}"#);
    r(weld, &free, "joints[6].limits[0].freedom", &["freedom = 'turn'", "leaves nothing free"]);
    let many = vec![turn; 33].join(", ");
    r(turn, &many, "joints[16].limits", &["35", "at most 32"]);
    r(r#"{ "type": "pgs", "sweeps": 30 }"#, r#""gauss""#, "settings.bounded", &["'gauss'", "'pgs'"]);
    r(r#""sweeps": 30"#, r#""sweeps": 0"#, "settings.bounded", &["sweeps", "0", "at least 1"]);
    r(r#""sweeps": 30"#, r#""sweeps": -1"#, "settings.bounded.sweeps", &["-1", "a whole number"]);
    r(r#""type": "pgs""#, r#""type": "newton""#, "settings.bounded.sweeps", &["unknown field 'sweeps'"]);
    r(r#""bounded_tolerance": 1e-8"#, r#""bounded_tolerance": 0"#, "settings.bounded_tolerance", &["0", "m/s"]);
    r(r#""sleep": false"#, r#""sleep": 0"#, "settings.sleep", &["a boolean"]);
    let solver = r#""solver": "block-ldlt""#;
    let structured = |options: &str| format!(r#""solver": {{ "type": "structured", {options} }}"#);
    r(solver, &structured(r#""iterations": 0"#), "settings.solver", &["iterations of the budget", "at least 1"]);
    r(solver, &structured(r#""iterations": 1.5"#), "settings.solver.iterations", &["a whole number"]);
    r(solver, &structured(r#""seconds": -1"#), "settings.solver", &["seconds of the budget", "-1", "s"]);
    r(solver, &structured(r#""gap": 0"#), "settings.solver", &["gap of the budget", "0", "m"]);
    r(solver, &structured(r#""tolerance": 2"#), "settings.solver", &["tolerance of the budget", "2"]);
    r(solver, &structured(r#""sweeps": 2"#), "settings.solver.sweeps", &["unknown field 'sweeps'"]);
}

#[test]
fn a_file_can_ask_for_a_budget_in_time() {
    let text = BASE.replacen(
        r#""solver": "block-ldlt""#,
        r#""solver": { "type": "structured", "seconds": 0.01, "iterations": 50, "gap": 1e-4 }"#,
        1,
    );
    let mut scene = build(&parse(&text).unwrap()).unwrap();
    assert!(scene.world.step(0.001).unwrap().anytime.is_some());
}

/// A file with every shape and everything that can be said of a collider.
const SHAPES: &str = r#"{
  "taut": 1,
  "ground": { "colliders": [
    { "name": "floor", "shape": { "type": "half-space" }, "material": { "friction": 0.75 } },
    { "name": "hill", "shape": { "type": "height-field", "heights": [[0, 0.1, 0], [0.2, 0.5, 0.1]], "size": [4, 6] }, "position": [20, 0, 0] },
    { "name": "roof", "shape": { "type": "mesh", "vertices": [[0, 0, 0], [1, 0, 0], [0, 0, 1]], "triangles": [[0, 2, 1]] }, "position": [0, 9, 0] }
  ] },
  "bodies": [
    { "type": "dynamic", "name": "a", "mass": 2, "shape": { "type": "box", "size": [1, 2, 3] }, "position": [0, 5, 0], "colliders": [{ "name": "own" }] },
    { "type": "dynamic", "name": "b", "mass": 2, "inertia": [1, 1, 1], "position": [4, 5, 0], "colliders": [{ "shape": { "type": "sphere", "radius": 0.5 }, "material": { "friction": [0.5, 0.25], "direction": [1, 0, 1], "restitution": 0.3, "compliance": 1e-5, "damping": 20, "surface_velocity": [0, 0, 2], "rule": "geometric" } }] },
    { "type": "dynamic", "name": "c", "mass": 2, "inertia": [1, 1, 1], "position": [8, 5, 0], "colliders": [{ "shape": { "type": "capsule", "radius": 0.2, "height": 0 }, "groups": { "member": [0, 3], "with": [1] } }, { "name": "eye", "shape": { "type": "cylinder", "radius": 0.3, "height": 1 }, "position": [0, 1, 0], "rotation": { "axis": [0, 0, 1], "degrees": 90 }, "sensor": true }] },
    { "type": "dynamic", "name": "d", "mass": 6, "shape": { "type": "convex-mesh", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "triangles": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] }, "position": [12, 5, 0], "colliders": [{ "name": "corner" }] },
    { "type": "fixed", "name": "e", "position": [16, 5, 0], "colliders": [{ "shape": { "type": "compound", "parts": [{ "shape": { "type": "box", "size": [1, 1, 1] }, "position": [1, 0, 0] }, { "shape": { "type": "convex-hull", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]] } }] } }] },
    { "type": "kinematic", "name": "f", "position": [0, -5, 0], "colliders": [{ "shape": { "type": "box", "size": [1, 1, 1] } }] },
    { "type": "particle", "name": "p", "mass": 1, "position": [0, 20, 0], "colliders": [{ "name": "dot", "shape": { "type": "sphere", "radius": 0.01 } }] }
  ],
  "pairs": [
    { "type": "bodies", "bodies": ["a", "b"], "meet": false },
    { "type": "colliders", "colliders": ["own", "floor"], "material": { "friction": 0.125, "stiffness": 1e6 } }
  ]
}"#;

#[test]
fn colliders_are_what_they_say() {
    use taut::{Shape, Vec3};
    let scene = open(SHAPES).unwrap_or_else(|e| panic!("{e}"));
    let w = &scene.world;
    assert_eq!(w.colliders().count(), 11);
    let of = |name: &str| {
        let body = w.find_body(name).unwrap();
        w.colliders_of(body).unwrap().iter().map(|&c| w.collider(c).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(*of("a")[0].shape, Shape::cuboid(Vec3::new(0.5, 1.0, 1.5)));
    let m = of("b")[0].material;
    assert_eq!((m.friction, m.direction, m.restitution), ([0.5, 0.25], Vec3::new(1.0, 0.0, 1.0), 0.3));
    assert_eq!((m.compliance, m.damping, m.rule), (1e-5, 20.0, taut::shapes::Combine::Geometric));
    assert_eq!(m.surface_velocity, 2.0 * Vec3::Z);
    let c = of("c");
    assert_eq!((c[0].groups.member, c[0].groups.with), (0b1001, 0b10));
    assert!(c[1].sensor && c[1].groups == taut::shapes::Groups::ALL && c[1].name == "eye");
    assert!((c[1].pose.pos - Vec3::new(8.0, 6.0, 0.0)).length() < 1e-12);
    assert!((c[1].pose.rot * Vec3::Y + Vec3::X).length() < 1e-12);
    // A mesh lies where its vertices are, though the body's own origin is its centre of mass.
    let d = &of("d")[0];
    assert!((d.pose.pos - Vec3::new(12.0, 5.0, 0.0)).length() < 1e-12, "{d:?}");
    assert_eq!(of("ground").len(), 3);
    assert_eq!(of("ground")[0].material.friction, [0.75; 2]);
    let Shape::HeightField { heights, scale } = of("ground")[1].shape else { panic!() };
    assert_eq!((heights[1][1], *scale), (0.5, Vec3::new(4.0, 1.0, 6.0)));
}

#[test]
fn colliders_carry_and_pairs_are_heard() {
    // A box on the floor pushed at 0.4 of its weight: it holds with 0.5 and slides with the material of the pair.
    let slides = |pairs: &str| {
        let text = format!(
            r#"{{ "taut": 1, "ground": {{ "colliders": [{{ "name": "floor", "shape": {{ "type": "half-space" }} }}] }},
                 "bodies": [{{ "type": "dynamic", "name": "a", "mass": 1, "shape": {{ "type": "box", "size": [1, 1, 1] }},
                               "position": [0, 0.5, 0], "colliders": [{{ "name": "box" }}] }}],
                 "forces": [{{ "type": "force", "body": "a", "force": [3.924, 0, 0], "point": [0, 0.2, 0] }}], "pairs": [{pairs}] }}"#
        );
        let mut s = open(&text).unwrap_or_else(|e| panic!("{e}"));
        let o = run(&mut s, 0.01, 1.0, |_| true).unwrap();
        let b = o.bounded.unwrap_or_default();
        assert!(o.stable && b.unconverged_steps == 0, "{:?} {b:?}", o.failure);
        (s.world.body(s.follow).unwrap().position(), b)
    };
    let (at, b) = slides("");
    assert!(at.x < 1e-6 && (at.y - 0.5).abs() < 1e-6, "{at}");
    assert!(b.contacts == 4 && b.events.contacts_began == 1, "{b:?}");
    let (at, _) = slides(r#"{ "type": "colliders", "colliders": ["floor", "box"], "material": { "friction": 0.2 } }"#);
    assert!((at.x - 0.5 * 0.2 * 9.81).abs() < 0.02, "{at}");
    let (at, b) = slides(r#"{ "type": "bodies", "bodies": ["a", "ground"], "meet": false }"#);
    assert!(at.y < -4.0 && b.contacts == 0, "{at}");
}

#[test]
fn impossible_colliders_are_refused() {
    let r = |from: &str, to: &str, path: &str, words: &[&str]| refused_in(SHAPES, from, to, path, words);
    let at = |rest: &str| format!("bodies[1].colliders[0]{rest}");
    r(r#""radius": 0.5 }"#, r#""radius": 0 }"#, &at(".shape.radius"), &["0", "m"]);
    r(r#""radius": 0.5 }"#, r#""radius": "big" }"#, &at(".shape.radius"), &["a number of m"]);
    r(
        r#""type": "sphere", "radius": 0.5"#,
        r#""type": "ball", "radius": 0.5"#,
        &at(".shape.type"),
        &["'ball'", "'sphere'"],
    );
    r(r#""shape": { "type": "sphere", "radius": 0.5 }, "#, "", &at(""), &["no shape", "of the body"]);
    r(r#"[0.5, 0.25]"#, "[0.5]", &at(".material.friction"), &["length 1", "[along, across]"]);
    r(r#"[0.5, 0.25]"#, r#""much""#, &at(".material.friction"), &["a coefficient of friction"]);
    r(r#"[0.5, 0.25]"#, "[0.5, -1]", &at(".material.friction"), &["-1"]);
    r(r#"[0.5, 0.25]"#, "0.5", &at(".material.direction"), &["none without two"]);
    r(r#"[1, 0, 1]"#, "[0, 0, 0]", &at(".material.direction"), &["not zero"]);
    r(r#""restitution": 0.3"#, r#""restitution": 1.3"#, &at(".material.restitution"), &["1.3", "from 0 to 1"]);
    r(r#""compliance": 1e-5"#, r#""compliance": -1"#, &at(".material.compliance"), &["-1", "m/N"]);
    r(r#""compliance": 1e-5, "#, "", &at(".material.damping"), &["no effect"]);
    r(r#""rule": "geometric""#, r#""rule": "mean""#, &at(".material.rule"), &["'mean'", "'average'"]);
    r(r#"[0, 3]"#, "[0, 32]", "bodies[2].colliders[0].groups.member[1]", &["32", "0 to 31"]);
    r(r#"{ "member": [0, 3], "with": [1] }"#, "[1]", "bodies[2].colliders[0].groups", &["expected an object"]);
    r(r#""height": 0 "#, r#""height": -2 "#, "bodies[2].colliders[0].shape.height", &["height = -2"]);
    r(r#""name": "eye""#, r#""name": "own""#, "bodies[2].colliders[1].name", &["'own'", "bodies[0].colliders[0]"]);
    r(
        r#""size": [1, 1, 1] }, "pos"#,
        r#""size": [1, 0, 1] }, "pos"#,
        "bodies[4].colliders[0].shape.parts[0].shape.size[1]",
        &["size = 0"],
    );
    r(
        r#"[{ "shape": { "type": "box", "size": [1, 1, 1] }, "position": [1, 0, 0] }, "#,
        r#"[3, "#,
        "bodies[4].colliders[0].shape.parts[0]",
        &["3: expected an object"],
    );
    r(
        r#"[1, 0, 0], [0, 1, 0], [0, 0, 1]] } }"#,
        r#"[1, 0, 0], [0, 1, 0], [1, 1, 0]] } }"#,
        "bodies[4].colliders[0].shape.parts[1].shape.points",
        &["one plane"],
    );
    r(
        r#"{ "name": "dot", "shape": { "type": "sphere", "radius": 0.01 } }"#,
        r#"{ "shape": { "type": "box", "size": [1, 1, 1] } }"#,
        "bodies[6].colliders[0].shape",
        &["particle", "ball"],
    );
    r(
        r#"{ "name": "own" }"#,
        r#"{ "name": "own", "shape": { "type": "half-space" } }"#,
        "bodies[0].colliders[0].shape",
        &["half space", "fixed or kinematic"],
    );
    r(
        r#"[[0, 2, 1]] }, "position": [0, 9"#,
        r#"[[0, 2, 7]] }, "position": [0, 9"#,
        "ground.colliders[2].shape.triangles",
        &["7"],
    );
    r(r#"[0.2, 0.5, 0.1]"#, "[0.2, 0.5]", "ground.colliders[1].shape.heights", &["row 1", "3 heights"]);
    r(r#""size": [4, 6]"#, r#""size": [4, -6]"#, "ground.colliders[1].shape.size[1]", &["-6"]);
    r(r#"["own", "floor"]"#, r#"["own", "flor"]"#, "pairs[1].colliders[1]", &["'flor'", "did you mean 'floor'?"]);
    r(r#"["own", "floor"]"#, r#"["own", "own"]"#, "pairs[1].colliders", &["two different"]);
    r(r#"["a", "b"]"#, r#"["a", "z"]"#, "pairs[0].bodies[1]", &["'z'"]);
    r(r#"["a", "b"]"#, r#"["a", "a"]"#, "pairs[0].bodies", &["two different"]);
    r(r#""type": "bodies""#, r#""type": "body""#, "pairs[0].type", &["'body'", "'bodies'"]);
    r(r#""friction": 0.125"#, r#""friction": -1"#, "pairs[1].material.friction", &["-1"]);
}

#[test]
fn measures_have_defaults() {
    let body = r#"{ "type": "particle", "name": "p", "mass": 2, "position": [3, 0, 0], "velocity": [0, 0, 4] }"#;
    let file = |rest: &str| format!(r#"{{ "taut": 1, "bodies": [{body}], {rest} }}"#);
    let s = open(&file(r#""joints": [{ "type": "distance", "bodies": ["p", "ground"] }]"#)).unwrap();
    assert_eq!((s.length, s.window), (3.0, 2.5));
    assert!((s.energy_scale - 2.0 * 9.81 * 3.0).abs() < 1e-9);
    let s = open(&file(r#""settings": { "gravity": [0, 0, 0] }"#)).unwrap();
    assert_eq!((s.length, s.energy_scale), (1.0, 16.0));
}

/// Replaces a piece of the base file and expects an error at a place with some words in it.
fn refused(from: &str, to: &str, path: &str, words: &[&str]) {
    refused_in(BASE, from, to, path, words);
}

/// The same of any file.
fn refused_in(base: &str, from: &str, to: &str, path: &str, words: &[&str]) {
    assert!(base.contains(from), "{from} is not in the base file");
    let text = base.replacen(from, to, 1);
    let Err(e) = open(&text) else { panic!("{from} -> {to} was accepted") };
    assert_eq!(e.path.to_string(), path, "{from} -> {to}: {e}");
    for w in words {
        assert!(e.to_string().contains(w), "{from} -> {to}: '{e}' lacks '{w}'");
    }
    let Some((line, _)) = e.position else { panic!("{e} has no position") };
    // The line is that of the change, or of the field to blame beside it: all are on one line.
    let changed = 1 + text[..base.find(from).unwrap()].matches('\n').count();
    assert_eq!(line, changed, "{e}");
}

#[test]
fn wrong_types_and_fields_are_refused() {
    let r = refused;
    r(
        r#""mass": 2,"#,
        r#""mass": "5 kg","#,
        "bodies[0].mass",
        &["\"5 kg\"", "expected a number of kg", "line 5, column"],
    );
    r(r#""mass": 2,"#, r#""mas": 2,"#, "bodies[0].mas", &["unknown field 'mas'", "'mass'"]);
    r(r#""mass": 2,"#, r#""mass": 2, "mass": 3,"#, "bodies[0]", &["duplicate field 'mass'"]);
    r("[1, 0, 0] }", "[1, 0] }", "bodies[0].position", &["length 2", "three numbers of m"]);
    r("[1, 0, 0] }", "[1, 0, 0, 0] }", "bodies[0].position", &["length 4", "three numbers of m"]);
    r("[1, 0, 0] }", "[1, \"x\", 0] }", "bodies[0].position[1]", &["\"x\"", "a number of m"]);
    r("[1, 1, 1]", "[1, 1]", "bodies[0].inertia", &["three principal moments", "kg m^2"]);
    r("[0, 0, 0, 1]", "[0, 0, 1]", "bodies[1].rotation", &["length 3", "[x, y, z, w]", "'degrees'"]);
    r(r#""degrees": 30"#, r#""degrees": "30 deg""#, "bodies[2].rotation.degrees", &["a number of degrees"]);
    r(r#""degrees": 30"#, r#""angle": 30"#, "bodies[2].rotation.angle", &["unknown field 'angle'"]);
    r(r#""radius": 0.5 }, "rot"#, r#""size": 1 }, "rot"#, "bodies[2].shape.size", &["unknown field 'size'"]);
    r(r#""type": "sphere""#, r#""type": "ball""#, "bodies[2].shape.type", &["unknown value 'ball'", "'sphere'"]);
    r(r#""type": "particle", "#, "", "bodies[7]", &["missing field 'type'", "'particle'"]);
    r(r#""type": "hinge""#, r#""type": "hing""#, "joints[2].type", &["unknown value 'hing'", "'hinge'"]);
    r(r#""type": "hinge""#, r#""type": "revolute""#, "joints[2].type", &["did you mean 'hinge'?"]);
    r(r#""type": "hinge""#, r#""type": "hinje""#, "joints[2].type", &["did you mean 'hinge'?"]);
    r(r#""density": 500"#, r#""desity": 500"#, "bodies[1].desity", &["did you mean 'density'?"]);
    r(r#""type": "hinge""#, r#""type": 3"#, "joints[2].type", &["3", "a string"]);
    r(r#", "point": [0, 0, 0] },"#, " },", "joints[6]", &["missing field 'point'"]);
    r(r#"["b", "a"]"#, r#"["b"]"#, "joints[1].bodies", &["length 1", "2"]);
    r(r#""stiffness": 1e6"#, r#""compliance": "soft""#, "joints[2].angular.compliance", &["rad/(N m)"]);
    r(r#""type": "torque""#, r#""type": "moment""#, "forces[1].type", &["unknown value 'moment'", "'torque'"]);
    r(r#""theta": 0.75"#, r#""beta": 0.75"#, "settings.stabiliser.beta", &["unknown field 'beta'", "'theta'"]);
    r(r#""type": "inertial""#, r#""type": "inert""#, "settings.stabiliser.type", &["'inert'", "'inertial'"]);
    r(r#""solver": "block-ldlt""#, r#""solver": "lu""#, "settings.solver", &["'lu'", "'dense-lu'"]);
    r(r#"{ "type": "inertial", "alpha": 1, "theta": 0.75 }"#, r#""inert""#, "settings.stabiliser", &["'inert'"]);
    r(r#"{ "compliance": 1e-6, "damping": 1 }"#, "[1e-6]", "joints[0].linear", &["an array: expected an object"]);
    r(r#"{ "type": "sphere", "radius": 0.5 }"#, r#""sphere""#, "bodies[2].shape", &["'type'"]);
    r(r#""dt": 0.01"#, r#""dt": "1/60""#, "outputs.dt", &["a number of s"]);
    r(r#""mass": 2,"#, r#""mass": 1e999,"#, "bodies[0].mass", &["number out of range"]);
    r(r#""mass": 2,"#, r#""mass": NaN,"#, "bodies[0].mass", &["line 5"]);
}

#[test]
fn broken_documents_are_refused() {
    for (text, words) in [
        ("", "the file ends where a value is expected"),
        ("{", "the file ends within an object: expected '}'"),
        (r#"{ "taut": 1, // a comment"#, "JSON has no comments"),
        (r#"{ taut: 1 }"#, "the name of a field in double quotes"),
        (r#"{ "taut": 1, "name": 'it' }"#, "a text in double quotes"),
        ("[]", "an array: expected an object"),
        ("3", "3: expected an object"),
        (r#"{ "taut": 1 } x"#, "trailing"),
        (r#"{ "bodies": [] }"#, "missing field 'taut'"),
        (r#"{ "taut": 1, "bodies": [3] }"#, "3: expected an object"),
        (r#"{ "taut": 1, "bodies": [] }"#, "at least one of type dynamic or particle"),
    ] {
        let Err(e) = open(text) else { panic!("{text} was accepted") };
        assert!(e.to_string().contains(words), "{text}: {e}");
    }
    assert!(open(&"[".repeat(100_000)).is_err());
}

#[test]
fn impossible_bodies_are_refused() {
    let r = refused;
    r(r#""taut": 1"#, r#""taut": 2"#, "taut", &["taut = 2", "version 1"]);
    r(r#""mass": 2,"#, r#""mass": -2,"#, "bodies[0].mass", &["-2", "kg"]);
    r("[1, 1, 1]", "[1, 1, 3]", "bodies[0].inertia", &["I1 + I2 >= I3"]);
    r(r#""inertia": [1, 1, 1], "#, "", "bodies[0]", &["no inertia", "'shape'"]);
    r(r#""mass": 2, "inertia": [1, 1, 1], "#, "", "bodies[0]", &["no mass"]);
    r("[1, 1, 1]", r#"[1, 1, 1], "density": 1"#, "bodies[0].density", &["a shape"]);
    r(r#""density": 500,"#, r#""density": 500, "mass": 1,"#, "bodies[1].density", &["either 'mass' or 'density'"]);
    r(r#""density": 500,"#, r#""density": -500,"#, "bodies[1].density", &["-500", "kg/m^3"]);
    r(r#""density": 500,"#, "", "bodies[1]", &["'density' or 'mass'"]);
    r(r#""density": 500,"#, r#""density": 5, "inertia": [1, 1, 1],"#, "bodies[1].inertia", &["none with a shape"]);
    r(r#""size": [1, 2, 3]"#, r#""size": [1, 0, 3]"#, "bodies[1].shape.size[1]", &["0", "greater than zero"]);
    r(r#""radius": 0.5 }, "rot"#, r#""radius": -1 }, "rot"#, "bodies[2].shape.radius", &["-1"]);
    r(r#""height": 0 "#, r#""height": -1 "#, "bodies[3].shape.height", &["-1", "zero or more"]);
    r("[0, 2, 1]", "[0, 1, 2]", "bodies[5].shape.triangles", &["closed"]);
    r("[0.5, 2, 0]", "[0.25, 2, 0]", "bodies[6].inertia", &["symmetric"]);
    r("[0, 0, 0, 1]", "[0, 0, 0, 2]", "bodies[1].rotation", &["unit quaternion"]);
    r(r#"[0, 1, 0], "deg"#, r#"[0, 0, 0], "deg"#, "bodies[2].rotation.axis", &["not zero"]);
    r(r#""linear_damping": 0.1"#, r#""linear_damping": -0.1"#, "bodies[4].linear_damping", &["-0.1", "1/s"]);
    r(r#""name": "b""#, r#""name": "a""#, "bodies[1].name", &["'a'", "bodies[0]"]);
    r(r#""name": "b""#, r#""name": "ground""#, "bodies[1].name", &["'ground'", "always there"]);
    r(r#""name": "b""#, r#""name": """#, "bodies[1].name", &["not empty"]);
}

#[test]
fn impossible_joints_are_refused() {
    let r = refused;
    r(r#"["b", "a"]"#, r#"["b", "wal"]"#, "joints[1].bodies[1]", &["'wal'", "did you mean 'wall'?"]);
    r(r#"["b", "a"]"#, r#"["b", "nothing like it"]"#, "joints[1].bodies[1]", &["or 'ground'"]);
    r(r#"["b", "a"]"#, r#"["b", "b"]"#, "joints[1].bodies", &["'b' and 'b'", "two different bodies"]);
    r(r#"["b", "a"]"#, r#"["wall", "ground"]"#, "joints[1].bodies", &["dynamic or particle"]);
    r(r#"["b", "a"]"#, r#"["b", "p"]"#, "joints[1].bodies", &["universal joint", "particle", "orientation"]);
    r(r#"["a", "ground"], "point""#, r#"["p", "ground"], "point""#, "joints[0].point", &["no extent"]);
    r("[[0, 5, 0], [9, 1, 0]]", "[[0, 4, 0], [9, 1, 0]]", "joints[9].points", &["no extent"]);
    r("[[0, 5, 0], [9, 1, 0]]", "[[0, 5, 0], [0, 5, 0]]", "joints[9].points", &["two points apart"]);
    r(r#""length": 9.9"#, r#""length": -9.9"#, "joints[9].length", &["-9.9", "m"]);
    r(r#""axis": [0, 0, 1] }"#, r#""axis": [0, 0, 0] }"#, "joints[1].axis", &["not zero"]);
    r(r#""name": "second""#, r#""name": "first""#, "joints[2].name", &["'first'", "joints[0]"]);
    r(r#""compliance": 1e-6"#, r#""compliance": -1e-6"#, "joints[0].linear.compliance", &["-0.000001", "m/N"]);
    r(r#""compliance": 1e-6, "#, "", "joints[0].linear.damping", &["no effect"]);
    r(r#""stiffness": 1e6"#, r#""stiffness": -1"#, "joints[2].angular.stiffness", &["-1", "N m/rad"]);
    r(r#"1e6, "damping": 5"#, "0", "joints[2].angular.stiffness", &["zero only with damping"]);
    r(r#""stiffness": 1e6"#, r#""stiffness": 1, "compliance": 1"#, "joints[2].angular.stiffness", &["either"]);
    r(r#""damping": 5"#, r#""damping": -5"#, "joints[2].angular.damping", &["-5"]);
    r(r#""radius": 0.01"#, r#""radius": 0"#, "joints[10].material.radius", &["0", "m"]);
    r(r#", "clamped_end": true"#, r#", "bending": {}"#, "joints[10].bending", &["none with 'material'"]);
    r(r#""bending": { "stiffness": 10 }, "#, "", "joints[11]", &["'material', or 'bending' and 'torsion'"]);
}

#[test]
fn impossible_forces_settings_and_outputs_are_refused() {
    let r = refused;
    r(r#""body": "a", "point""#, r#""body": "wall", "point""#, "forces[0].body", &["moves freely"]);
    r(r#""body": "a", "torque""#, r#""body": "p", "torque""#, "forces[1].torque", &["particle"]);
    r(r#""stiffness": 100, "damping": 1"#, r#""stiffness": -1"#, "forces[2].stiffness", &["-1"]);
    r("[[0, 5, 0], [0, 1, 0]]", "[[0, 5, 1], [0, 1, 0]]", "forces[3].points[0]", &["no extent"]);
    r(r#""rest_length": 1 }"#, r#""rest_length": -1 }"#, "forces[3].rest_length", &["-1"]);
    r(r#""damping": 2.5"#, r#""damping": -2"#, "forces[5].damping", &["-2", "N s/m"]);
    r(r#""body": "c", "damping": 2.5"#, r#""body": "p""#, "forces[5].turn_damping", &["particle"]);
    r(r#""frequency": 1"#, r#""frequency": 0"#, "forces[4].frequency", &["Hz"]);
    r(r#""follow": "c""#, r#""follow": "z""#, "outputs.follow", &["'z'"]);
    r(r#""length": 2,"#, r#""length": 0,"#, "outputs.length", &["greater than zero"]);
    r(r#""theta": 0.75"#, r#""theta": 2"#, "settings.stabiliser", &["theta = 2", "0.5 to 1"]);
    r(
        r#"{ "type": "inertial", "alpha": 1, "theta": 0.75 }"#,
        r#""full""#,
        "settings.solver",
        &["stabiliser full", "dense-lu"],
    );
}

/// What `scene.schema.json` holds is what the types say today.
#[test]
fn schema_is_that_of_the_types() {
    let made = file::schema_text();
    let same = file::SCHEMA.lines().zip(made.lines()).take_while(|(a, b)| a == b).count();
    assert!(
        file::SCHEMA == made,
        "line {} of crates/taut-scenes/scene.schema.json is not what the types say: cargo run -q -p taut-scenes --features schema \
         --example schema > schema.json, and put it in its place",
        same + 1
    );
}

#[test]
fn schema_accepts_the_examples_and_refuses_mistakes() {
    let rule = schema();
    for text in examples().into_iter().map(|(_, t)| t).chain([BASE.to_owned(), SHAPES.to_owned(), documented()]) {
        let doc: Value = serde_json::from_str(&text).unwrap();
        assert!(conforms(&doc, &rule, &rule), "{text}");
    }
    for (from, to) in [
        (r#""mass": 2,"#, r#""mass": "5 kg","#),
        (r#""mass": 2,"#, r#""mas": 2,"#),
        (r#""type": "hinge""#, r#""type": "hing""#),
        ("[1, 0, 0] }", "[1, 0] }"),
        (r#""taut": 1"#, r#""taut": 2"#),
        (r#", "axis": [0, 1, 0] }"#, " }"),
        (r#"{ "freedom": "turn", "lower""#, r#"{ "freedom": "turns", "lower""#),
        (r#"{ "type": "pgs", "sweeps": 30 }"#, r#""gauss""#),
        (r#""index": 2, "#, ""),
        (r#""freedom": "spin""#, r#""freedom": "spins""#),
        (r#""axle": [0, 0, 1], "#, ""),
        (r#""min_force": 0"#, r#""min_force": "all""#),
        (r#""role": "loop""#, r#""role": "knot""#),
        (r#""enabled": false"#, r#""enabled": 0"#),
        (r#""type": "dot1""#, r#""type": "dot3""#),
        (r#""along": ["u", "v"]"#, r#""along": ["x"]"#),
        (r#""bodies": ["c", "b"], "point""#, r#""bodie": ["c", "b"], "point""#),
    ] {
        let doc: Value = serde_json::from_str(&BASE.replacen(from, to, 1)).unwrap();
        assert!(!conforms(&doc, &rule, &rule), "{to} was accepted");
    }
}

/// Every number of the schema states its unit, or that it has none.
#[test]
fn schema_states_units() {
    fn walk(rule: &Value, name: &str, bare: &mut Vec<String>) {
        let number =
            |r: &Value| r["type"] == "number" || r["type"].as_array().is_some_and(|t| t.contains(&"number".into()));
        let words = rule["description"].as_str().unwrap_or_default();
        let units = [
            ", m",
            ", kg",
            " s.",
            ", s",
            "rad",
            ", N",
            ", J",
            "Pa",
            "Hz",
            "1/s",
            "degrees",
            "no unit",
            "Axis",
            "axis",
            "irection",
            "in the unit of",
            "residual",
            "uaternion",
        ];
        if (number(rule) || number(&rule["items"])) && !words.is_empty() && !units.iter().any(|u| words.contains(u)) {
            bare.push(format!("{name}: {words}"));
        }
        if let Some(o) = rule.as_object() {
            o.iter().for_each(|(k, v)| walk(v, k, bare));
        }
        if let Some(a) = rule.as_array() {
            a.iter().for_each(|v| walk(v, name, bare));
        }
    }
    let mut bare = Vec::new();
    walk(&schema(), "", &mut bare);
    assert!(bare.is_empty(), "{bare:#?}");
}

/// A crane's hoist: a drum with a motor, a sheave, a hook block on two parts.
const HOIST: &str = r#"{
  "taut": 1,
  "bodies": [
    { "type": "dynamic", "name": "drum", "position": [-3, 0, 0], "shape": { "type": "cylinder", "radius": 0.3, "height": 0.6 }, "density": 7800, "rotation": { "axis": [1, 0, 0], "degrees": 90 } },
    { "type": "dynamic", "name": "hook", "position": [0, -5, 0], "mass": 1000, "inertia": [50, 50, 50] }
  ],
  "joints": [{ "type": "hinge", "name": "axle", "bodies": ["drum", "ground"], "point": [-3, 0, 0], "axis": [0, 0, 1], "motor": { "rate": 1 } }],
  "sheaves": [
    { "name": "winch", "body": "drum", "axis": [0, 0, 1], "radius": 0.3 },
    { "name": "tip", "body": "ground", "point": [0.2, 0, 0], "axis": [0, 0, 1], "radius": 0.2 },
    { "name": "block", "body": "hook", "axis": [0, 0, 1], "radius": 0.2 }
  ],
  "ropes": [{ "name": "hoist", PATH }],
  "outputs": { "dt": 0.01, "time": 2 }
}"#;
const PATH: &str = r#""path": [{ "over": "winch" }, { "over": "tip" }, { "against": "block" }, { "body": "ground", "point": [0, 0, 0] }]"#;

#[test]
fn a_hoist_with_a_drum_lifts_its_hook_by_half_of_what_it_winds() {
    let mut scene = file::build(&file::parse(&HOIST.replace("PATH", PATH)).unwrap()).unwrap();
    let hook = scene.world.find_body("hook").unwrap();
    for _ in 0..50 {
        scene.step(0.01).unwrap();
    }
    let start = scene.world.body(hook).unwrap().position().y;
    for _ in 0..200 {
        scene.step(0.01).unwrap();
    }
    let lifted = scene.world.body(hook).unwrap().position().y - start;
    assert!((lifted - 2.0 * 0.3 / 2.0).abs() < 0.02, "{lifted}");
    let rope = scene.world.rope(scene.world.find_rope("hoist").unwrap()).unwrap();
    assert!((rope.tension() / (1000.0 * 9.81 / 2.0) - 1.0).abs() < 0.02, "{}", rope.tension());
}

#[test]
fn a_file_of_deformables_alone_needs_no_bodies() {
    let text = r#"{ "taut": 1, "deformables": [{ "name": "bar", "mesh": { "type": "bar", "size": [1, 0.1, 0.1], "cells": [4, 1, 1] },
      "material": { "density": 1000, "young": 1e6, "poisson": 0.3 }, "held": [{ "type": "plane", "normal": [-1, 0, 0], "point": [0.01, 0, 0] }] }] }"#;
    let file = file::parse(text).unwrap();
    assert!(file.bodies.is_empty());
    let mut scene = file::build(&file).unwrap();
    scene.step(0.01).unwrap();
    let written = file::write(&file).unwrap();
    assert!(!written.contains("bodies") && file::parse(&written).is_ok(), "{written}");
    assert!(!file::schema()["required"].as_array().unwrap().iter().any(|f| f == "bodies"));
    // A file of nothing at all has nothing that moves.
    let e = file::build(&file::parse(r#"{ "taut": 1 }"#).unwrap()).map(drop).unwrap_err().to_string();
    assert!(e.contains("no body moves"), "{e}");
}

#[test]
fn states_of_ropes_that_cannot_be_are_refused_with_their_place() {
    let mut scene = file::build(&file::parse(&HOIST.replace("PATH", PATH)).unwrap()).unwrap();
    scene.step(0.01).unwrap();
    let good = file::write(&file::from_world(&scene.world).unwrap().file).unwrap();
    type Change = fn(&mut file::ReevedState);
    let changes: [(Change, &str); 6] = [
        (|s| s.spans.truncate(2), "spans that the rope remembers = 2: expected 3"),
        (|s| s.guides.truncate(3), "guides that the rope remembers"),
        (|s| s.spans[1].tension = Some((-1.0).into()), "tension that span 1 of the rope remembers = -1"),
        (|s| s.guides[1].axis = Some(taut::Vec3::new(0.0, 0.0, 2.0).into()), "a vector of length 1"),
        (|s| s.guides[1].mark = Some(taut::Vec3::Z.into()), "square to the axis"),
        (|s| s.spans[0].least = (-1.0).into(), "shortest length"),
    ];
    for (change, words) in changes {
        let mut file = file::parse(&good).unwrap();
        change(file.ropes[0].state.as_mut().unwrap());
        let e = file::build(&file).map(drop).unwrap_err();
        assert!(e.to_string().contains(words), "{words}: {e}");
        assert_eq!(e.path.to_string(), "ropes[0].state", "{e}");
    }
}

/// A rope from a drum with layers across the edge of a quay to a load that swings against a post.
const QUAY: &str = r#"{
  "taut": 1,
  "bodies": [
    { "type": "fixed", "name": "post", "position": [0.1, -1, 0], "colliders": [{ "shape": { "type": "cylinder", "radius": 0.09, "height": 2 }, "rotation": { "axis": [1, 0, 0], "degrees": 90 } }] },
    { "type": "particle", "name": "load", "position": [-0.2, -3, 0], "mass": 10 }
  ],
  "sheaves": [{ "name": "reel", "body": "ground", "point": [-2, 0.5, 0], "axis": [0, 0, 1], "radius": 0.3, "rope_diameter": 0.02, "wraps": 10, "stored": 60, "capacity": 80 }],
  "ropes": [{ "name": "line", "thickness": 0.02, "path": [{ "over": "reel" }, { "edge": "ground", "ends": [[0, 0, -2], [0, 0, 2]], "outward": [1, 1, 0] }, { "body": "load" }] }],
  "outputs": { "dt": 0.01, "time": 2 }
}"#;

#[test]
fn a_rope_across_an_edge_meets_a_post_unless_it_is_told_not_to() {
    let run = |more: &str| {
        let text = QUAY.replace(r#""thickness": 0.02,"#, &format!(r#""thickness": 0.02, {more}"#));
        let mut scene = file::build(&file::parse(&text).unwrap()).unwrap();
        let id = scene.world.find_rope("line").unwrap();
        let mut met = 0;
        for _ in 0..150 {
            scene.step(0.01).unwrap();
            met = met.max(scene.world.rope(id).unwrap().colliders().count());
        }
        let rope = scene.world.rope(id).unwrap();
        assert_eq!(rope.stored()[0].map(|l| (l * 1e6).round() / 1e6), Some(60.0));
        met
    };
    assert_eq!(run(""), 1);
    assert_eq!(run(r#""collides": false,"#), 0);
    assert_eq!(run(r#""groups": { "member": [], "with": [] },"#), 0);
    for (from, to, words) in [
        (r#""ends": [[0, 0, -2], [0, 0, 2]],"#, "", "two points of the edge"),
        (r#""edge": "ground","#, r#""edge": "ground", "point": [0, 0, 0],"#, "an edge has 'ends'"),
        (r#"{ "body": "load" }"#, r#"{ "body": "load", "outward": [1, 0, 0] }"#, "with 'edge' alone"),
        (r#""stored": 60"#, r#""stored": 90"#, "rope stored"),
        (r#""wraps": 10"#, r#""wraps": -1"#, "wraps in a layer"),
    ] {
        let e = file::parse(&QUAY.replace(from, to)).and_then(|f| file::build(&f)).map(drop).unwrap_err().to_string();
        assert!(e.contains(words), "{to}: {e}");
    }
}

#[test]
fn ropes_that_cannot_be_are_refused_with_their_place() {
    for (path, words) in [
        (r#""path": [{ "over": "winch" }]"#, "a start and an end"),
        (r#""path": [{ "over": "wich" }, { "body": "hook" }]"#, "did you mean 'winch'"),
        (r#""path": [{ "over": "winch" }, { "body": "hok" }]"#, "did you mean 'hook'"),
        (r#""path": [{ "over": "winch", "under": "tip" }, { "body": "hook" }]"#, "not two"),
        (r#""path": [{ "over": "winch" }, {}]"#, "nothing named"),
        (r#""path": [{ "over": "winch", "point": [0, 0, 0] }, { "body": "hook" }]"#, "a sheave has its own"),
        (r#""path": [{ "over": "winch" }, { "body": "hook" }], "slack": -50"#, "slack"),
        (r#""path": [{ "over": "winch" }, { "body": "hook" }], "diameter": 0.02, "stiffness": 1e6"#, "not both"),
        (
            r#""path": [{ "body": "ground", "point": [0, 5, 0] }, { "over": "tip" }, { "body": "ground", "point": [0, -5, 0] }]"#,
            "way round guide 1",
        ),
    ] {
        let text = HOIST.replace("PATH", path);
        let e = file::parse(&text).and_then(|f| file::build(&f)).map(drop).unwrap_err().to_string();
        assert!(e.contains(words), "{path}: {e}");
    }
}

/// A hoist with a winch, a bollard and sheaves with bearings.
const WINCH: &str = r#"{
  "taut": 1,
  "bodies": [{ "type": "dynamic", "name": "hook", "position": [0, -5, 0], "mass": 1000, "inertia": [50, 50, 50] }],
  "sheaves": [
    { "name": "tip", "body": "ground", "point": [0.2, 0, 0], "axis": [0, 0, 1], "radius": 0.2, "efficiency": 0.96 },
    { "name": "block", "body": "hook", "point": [0, -4, 0], "axis": [0, 0, 1], "radius": 0.2, HOLD }
  ],
  "winches": [{ "name": "hoist", "body": "ground", "point": [-3, 0, 0], "axis": [0, 0, 1], "radius": 0.3, "inertia": 0.72, WIND }],
  "ropes": [{ "name": "fall", "path": [{ "over": "hoist" }, { "over": "tip" }, { "against": "block" }, { "body": "ground", "point": [0, 0, 0] }] }],
  "outputs": { "dt": 0.01, "time": 2 }
}"#;

#[test]
fn a_winch_hauls_over_sheaves_with_bearings() {
    let text =
        WINCH.replace("HOLD", r#""efficiency": 0.96"#).replace("WIND", r#""haul": { "speed": 0.4, "force": 8000 }"#);
    let mut scene = file::build(&file::parse(&text).unwrap()).unwrap();
    for _ in 0..400 {
        scene.step(0.01).unwrap();
    }
    let rate = scene.world.motor(scene.world.find_motor("hoist").unwrap()).unwrap().rate();
    assert!((rate * 0.3 - 0.4).abs() < 1e-9, "{rate}");
    let rope = scene.world.rope(scene.world.find_rope("fall").unwrap()).unwrap();
    // W = T/(1/eta) + T/(1/eta)^2: the winch pulls against both bearings.
    let want = 1000.0 * 9.81 / (0.96 + 0.96 * 0.96);
    // The hook swings a little.
    assert!((rope.tension() / want - 1.0).abs() < 5e-3, "{} for {want}", rope.tension());
}

#[test]
fn winches_and_bearings_that_cannot_be_are_refused_with_their_place() {
    let haul = r#""haul": { "speed": 0.4 }"#;
    for (hold, wind, words) in [
        (r#""efficiency": 1.2"#, haul, "efficiency of guide 2"),
        (r#""friction": -0.1"#, haul, "friction of guide 2"),
        (r#""ratios": [0.5, 1]"#, haul, "ratios of guide 2"),
        (r#""friction": 0.1, "no_slip": true"#, haul, "not two"),
        (r#""friction": 0.1"#, r#""brake": -5"#, "brake of the winch"),
        (r#""friction": 0.1"#, r#""brake": 5, "free": true"#, "not two"),
        (r#""friction": 0.1"#, r#""keep": { "recover": 5, "render": 2, "speed": 1 }"#, "render of the winch"),
        (r#""friction": 0.1"#, r#""haul": { "sped": 1 }"#, "sped"),
        (r#""friction": 0.1"#, r#""mass": -3"#, "winches[0].mass"),
    ] {
        let text = WINCH.replace("HOLD", hold).replace("WIND", wind);
        let e = file::parse(&text).and_then(|f| file::build(&f)).map(drop).unwrap_err().to_string();
        assert!(e.contains(words), "{hold} {wind}: {e}");
    }
}

#[test]
fn impossible_ropes_with_mass_are_refused() {
    let base = include_str!("../../files/anchor.json");
    let r = |from: &str, to: &str, path: &str, words: &[&str]| {
        let Err(e) = open(&base.replacen(from, to, 1)) else { panic!("{from} -> {to} was accepted") };
        assert_eq!(e.path.to_string(), path, "{from} -> {to}: {e}");
        words.iter().for_each(|w| assert!(e.to_string().contains(w), "{from} -> {to}: '{e}' lacks '{w}'"));
    };
    r(r#""mass_per_length": 20"#, r#""mass_per_length": -20"#, "ropes[0].mass_per_length", &["-20", "kg/m"]);
    r(r#""mass_per_length": 20"#, r#""mass_per_length": "much""#, "ropes[0].mass_per_length", &["a number of kg/m"]);
    r(r#""mass_per_length": 20, "#, "", "ropes[0].segment", &["'mass_per_length'"]);
    r(r#""segment": 1, "stored": 70"#, r#""segment": 50, "stored": 70"#, "ropes[0].segment", &["50", "at most"]);
    r(r#""stored": 70"#, r#""stored": -1"#, "ropes[0].stored", &["-1", "m"]);
    r(r#""node_radius": 0.05"#, r#""node_radius": 0"#, "ropes[0].node_radius", &["greater than zero"]);
    r(r#"{ "body": "anchor" }"#, r#"{ "body": "anchor" }, { "body": "weight" }"#, "ropes[0].path", &["hawse"]);
    r(r#""stored": 60"#, r#""stored": 60, "locker": true"#, "ropes[1].path", &["hawse"]);
    let nodes = r#""stored": 60, "nodes": { "bodies": ["weight"], "out": [0], "total": 5 }"#;
    r(r#""stored": 60"#, nodes, "ropes[1].stored", &["none with 'nodes'"]);
    r(r#""stored": 60"#, &nodes[14..].replace("\"weight\"", "\"wight\""), "ropes[1].nodes.bodies[0]", &["weight"]);
}

//! Models of our own against closed forms, and against themselves as scene files.

use std::path::{Path, PathBuf};
use taut::Vec3;
use taut::queries::QueryFilter;
use taut_import::{Imported, Options, import};
use taut_scenes::Scene;
use taut_scenes::file::{self, Coupling, Joint, Kind, SceneFile};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("files")
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|e| e.to_string())
}

fn model(name: &str, options: &Options) -> Imported {
    import(&folder().join(name), &mut read, options).unwrap_or_else(|e| panic!("{e}"))
}

fn scene(file: &SceneFile) -> Scene {
    file::build(file).unwrap_or_else(|e| panic!("{e}"))
}

fn joint<'a>(file: &'a SceneFile, name: &str) -> &'a Joint {
    file.joints.iter().find(|j| j.name() == Some(name)).unwrap_or_else(|| panic!("no joint {name}"))
}

/// T = 2 pi sqrt(I / (m g d)) of a compound pendulum, with Steiner's terms of rod and disc about the pivot.
#[test]
fn pendulum_swings_with_its_period() {
    let imported = model("pendulum.xml", &Options::default());
    assert!(imported.report.warnings.is_empty(), "{:?}", imported.report);
    let mut scene = scene(&imported.file);
    let inertia = scene.world.dynamics().unwrap().mass_matrix().row(0)[0];
    // A capsule of 1 m with caps of 20 mm, by volumes: the cylinder and two halves of a ball.
    let (r, l) = (0.02_f64, 1.0_f64);
    let (tube, caps) = (l, 4.0 / 3.0 * r);
    let [tube, caps] = [tube, caps].map(|v| 0.5 * v / (tube + caps));
    let h = 0.5 * l;
    let rod = tube * (r * r / 4.0 + l * l / 12.0) + caps * (0.4 * r * r + h * h + 0.75 * h * r) + 0.5 * 0.25;
    // The disc lies across the axis of the joint: its moment about that is half m r^2.
    let disc = 2.0 * 0.5 * 0.01 + 2.0;
    assert!((inertia - rod - disc).abs() < 1e-12, "{inertia} is not {}", rod + disc);
    let moment = 9.81 * (0.5 * 0.5 + 2.0);
    let period = std::f64::consts::TAU * (inertia / moment).sqrt();
    // From the middle with a small push, the second time it comes back through it is after one period.
    let pivot = scene.world.find_joint("pivot").unwrap();
    let body = scene.world.find_body("rod").unwrap();
    let push = 0.01;
    let centre = scene.world.body(body).unwrap().pose().pos - Vec3::new(0.0, 0.0, 2.0);
    let spin = push * Vec3::Y;
    scene.world.set_velocity(body, spin.cross(centre), spin).unwrap();
    let (h, mut before, mut crossings) = (1e-3, 0.0, Vec::new());
    for k in 1..=(1.5 * period / h) as usize {
        scene.world.step(h).unwrap();
        let q = scene.world.joint(pivot).unwrap().position().unwrap();
        if before * q < 0.0 {
            crossings.push(h * (k as f64 - q / (q - before)));
        }
        before = q;
    }
    assert_eq!(crossings.len(), 2, "{crossings:?}");
    assert!((crossings[1] / period - 1.0).abs() < 1e-4, "{} s against {period} s", crossings[1]);
}

/// M11 = I1 + I2 + m1 a1^2 + m2 (l1^2 + a2^2 + 2 l1 a2 cos q2), M12 = I2 + m2 (a2^2 + l1 a2 cos q2), M22 = I2 + m2 a2^2.
#[test]
fn arm_has_the_mass_matrix_of_two_links() {
    let imported = model("arm.urdf", &Options::default());
    assert_eq!(imported.report.warnings, []);
    let mut scene = scene(&imported.file);
    let (m1, m2, i1, i2, l1, a1, a2) = (3.0, 2.0, 0.2, 0.05, 0.8, 0.4, 0.25);
    for _ in 0..200 {
        let dynamics = scene.world.dynamics().unwrap();
        let c = f64::cos(dynamics.position(1).unwrap());
        let m = dynamics.mass_matrix();
        let off = i2 + m2 * (a2 * a2 + l1 * a2 * c);
        let expected =
            [i1 + i2 + m1 * a1 * a1 + m2 * (l1 * l1 + a2 * a2 + 2.0 * l1 * a2 * c), off, off, i2 + m2 * a2 * a2];
        for (x, y) in m.as_slice().iter().zip(expected) {
            assert!((x - y).abs() < 1e-9, "{m:?} is not {expected:?}");
        }
        scene.world.step(1e-3).unwrap();
    }
    // The axis of the file has length 2.
    assert!(scene.world.dynamics().unwrap().position(1).unwrap().abs() > 0.05, "the elbow has not moved");
}

#[test]
fn limits_friction_and_damping_of_a_urdf_are_those_of_the_joint() {
    let imported = model("arm.urdf", &Options::default());
    let text = file::write(&imported.file).unwrap();
    let line = text.lines().find(|l| l.contains("\"shoulder\"") && l.contains("bodies")).unwrap();
    for part in ["\"lower\": -3", "\"upper\": 3", "\"max\": 0.2", "\"damping\": 0.1", "\"max_force\": 60"] {
        assert!(line.contains(part), "{part} in {line}");
    }
    // The base is a part of the ground, since it hangs on a link that is called world.
    assert_eq!(imported.file.ground.colliders.len(), 1);
    assert!((imported.file.ground.colliders[0].position.value - Vec3::new(0.0, 0.0, 0.95)).length() < 1e-15);
    // That of the upper link is about its centre of mass, and along the link: from y to x.
    let upper = &imported.file.bodies[0].colliders()[0];
    let file::Rotation::Quaternion(q) = upper.rotation else { panic!("no quaternion") };
    assert!(upper.position.value.length() < 1e-15 && (taut::Quat::from_array(q) * Vec3::Y - Vec3::X).length() < 1e-12);
    assert_eq!(imported.file.bodies.len(), 2);
}

#[test]
fn a_mimic_joint_follows_by_its_ratio_from_its_offset() {
    let imported = model("gripper.urdf", &Options::default());
    let Coupling::Mimic(m) = &imported.file.couplings[0] else { panic!("no mimic") };
    assert_eq!((m.leader.as_str(), m.follower.as_str()), ("left_joint", "right_joint"));
    let mut scene = scene(&imported.file);
    let [leader, follower] = ["left_joint", "right_joint"].map(|n| scene.world.find_joint(n).unwrap());
    // It begins 0.2 rad ahead, and positions count from there.
    let right = scene.world.body(scene.world.find_body("right").unwrap()).unwrap().pose().pos;
    assert!((right - Vec3::new(0.05 + 0.05 * f64::cos(0.2), -0.03, -0.05 * f64::sin(0.2))).length() < 1e-12, "{right}");
    for _ in 0..300 {
        scene.world.step(1e-3).unwrap();
    }
    let [a, b] = [leader, follower].map(|j| scene.world.joint(j).unwrap().position().unwrap());
    assert!(a.abs() > 0.1 && (b + 0.5 * a).abs() < 1e-6, "{b} is not -0.5 times {a}");
}

#[test]
fn the_hull_of_a_mesh_has_its_volume() {
    let free = Options { free_base: true, ..Options::default() };
    let imported = model("gripper.urdf", &free);
    let file::Body::Dynamic(palm) = &imported.file.bodies[0] else { panic!("no palm") };
    let Some(file::ColliderShape::ConvexHull(hull)) = &palm.colliders[0].shape else { panic!("no hull") };
    let points = hull.points.iter().map(|p| p.value).collect();
    let solid = taut::MassProperties::of(&taut::Shape::ConvexHull { points }, 1000.0).unwrap();
    // A cube of 0.1 m.
    assert!((solid.mass - 1.0).abs() < 1e-12 && (solid.center - Vec3::splat(0.05)).length() < 1e-15);
    // A corner of 0.1 m that is twice as long along x and begins at 0.05 m, in COLLADA (cm) and glTF.
    for (finger, collider) in [("left", "tip"), ("right", "nail")] {
        let body = imported.file.bodies.iter().find(|b| b.name() == finger).unwrap();
        let collider = body.colliders().iter().find(|c| c.name.as_deref() == Some(collider)).unwrap();
        let Some(file::ColliderShape::ConvexHull(hull)) = &collider.shape else { panic!("no hull") };
        let points = hull.points.iter().map(|p| p.value).collect();
        let solid = taut::MassProperties::of(&taut::Shape::ConvexHull { points }, 1000.0).unwrap();
        assert!((solid.mass - 1000.0 * 0.2 * 0.1 * 0.1 / 6.0).abs() < 1e-7, "{finger}: {}", solid.mass);
        assert!((solid.center - Vec3::new(0.1, 0.025, 0.025)).length() < 1e-8, "{finger}: {}", solid.center);
    }
    // The same of points alone: 0.2 x 0.2 x 0.4 m, 500 kg/m^3.
    let workshop = model("workshop.xml", &Options::default());
    let crank = workshop.file.bodies.iter().find(|b| b.name() == "crank").unwrap();
    let file::Body::Dynamic(crank) = crank else { panic!("no crank") };
    assert!((crank.mass.unwrap().value - 8.0).abs() < 1e-12);
}

/// What classes, frames, angles and includes make of a joint.
#[test]
fn defaults_frames_and_includes_are_taken_over() {
    let imported = model("workshop.xml", &Options::default());
    let file = &imported.file;
    let crank = joint(file, "crank hinge");
    let Kind::Hinge(pivot) = &crank.kind else { panic!("no hinge") };
    // The frame turns y to -x.
    assert!((pivot.axis.unwrap().value - Vec3::NEG_X).length() < 1e-12, "{:?}", pivot.axis);
    let text = file::write(file).unwrap();
    let line = text.lines().find(|l| l.contains("\"crank hinge\"") && l.contains("bodies")).unwrap();
    let degrees = |x: f64| x.to_radians();
    // Limits and springs count from where the joint is in the file, 10 degrees.
    for value in
        [degrees(-170.0) - degrees(10.0), degrees(170.0) - degrees(10.0), degrees(30.0) - degrees(10.0), 50.0, 30.0]
    {
        assert!(line.contains(&format!(": {value}")), "{value} in {line}");
    }
    assert!(
        joint(file, "first slide").motors.iter().all(|m| matches!(m, file::Motor::Length(m) if !m.spring)),
        "a class without damping"
    );
    assert!(text.lines().any(|l| l.contains("\"rope\"") && l.contains("\"length\": 1.2")), "{text}");
    assert!(matches!(&file.couplings[0], Coupling::Sum(s) if s.terms.len() == 2 && s.terms[1].ratio.value == 2.0));
    // Two pairs of bodies that have one joint with each other or with the ground, and the one that the file excludes.
    assert!(imported.report.warnings.iter().any(|w| w.message.contains("swing")), "{:?}", imported.report.warnings);
}

/// A link with three hinges hangs on two bodies of a millionth of its mass; the mass matrix of the hinges is that of the link alone.
#[test]
fn light_bodies_between_joints_weigh_nothing() {
    let text = r#"<mujoco><worldbody><body name="top"><joint name="a" axis="1 0 0"/><joint name="b" axis="0 1 0"/><joint name="c" axis="0 0 1"/>
        <inertial pos="0 0 -1" mass="2" diaginertia="0.3 0.2 0.1"/></body></worldbody></mujoco>"#;
    let imported = import(Path::new("top.xml"), &mut |_| Ok(text.into()), &Options::default()).unwrap();
    let scene = scene(&imported.file);
    let m = scene.world.dynamics().unwrap().mass_matrix();
    for (k, expected) in [2.3, 2.2, 0.1].into_iter().enumerate() {
        assert!((m.row(k)[k] / expected - 1.0).abs() < 1e-5, "{m:?}");
    }
}

#[test]
fn a_keyframe_sets_where_it_starts() {
    let bent = Options { keyframe: Some("bent".into()), ..Options::default() };
    let imported = model("workshop.xml", &bent);
    let scene = scene(&imported.file);
    let at = |name: &str| scene.world.body(scene.world.find_body(name).unwrap()).unwrap().pose().pos;
    assert!((at("first") - Vec3::ZERO - Vec3::X).length() < 1e-12, "{}", at("first"));
    assert!((at("bucket") - Vec3::new(3.0, 0.0, 0.0)).length() < 1e-12);
    let refused = import(
        &folder().join("workshop.xml"),
        &mut read,
        &Options { keyframe: Some("straight".into()), ..Options::default() },
    );
    assert!(refused.unwrap_err().message.contains("one of the 1 keyframes of the file: bent"));
}

/// What is written as a scene file and read again runs to the same bits.
#[test]
fn a_converted_model_runs_to_the_same_bits() {
    for name in ["pendulum.xml", "arm.urdf", "gripper.urdf", "workshop.xml", "tendons.xml", "terrain.xml"] {
        let imported = model(name, &Options::default());
        let text = file::write(&imported.file).unwrap();
        let again = file::parse(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut worlds = [scene(&imported.file).world, scene(&again).world];
        for world in &mut worlds {
            (0..250).for_each(|_| {
                world.step(2e-3).unwrap_or_else(|e| panic!("{name}: {e}"));
            });
        }
        let bits = worlds.map(|w| {
            w.bodies().map(|b| (b.pose(), b.velocity())).map(|(p, v)| format!("{p:?} {v:?}")).collect::<Vec<_>>()
        });
        assert_eq!(bits[0], bits[1], "{name}");
    }
}

fn text(text: &str, beside: &[(&str, Vec<u8>)]) -> Imported {
    let mut read = |path: &Path| {
        let found = beside.iter().find(|(name, _)| Path::new(name) == path);
        Ok(found.map_or_else(|| text.into(), |(_, bytes)| bytes.clone()))
    };
    import(Path::new("model.xml"), &mut read, &Options::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Names, places and followers as MuJoCo 4.0 has them.
#[test]
fn replicas_are_turned_moved_and_named_as_in_mujoco() {
    let imported = text(
        r#"<mujoco><worldbody><body name="base" pos="1 0 0"><joint name="jb"/><geom size="0.1"/>
        <replicate count="3" offset="0.1 0 0.2" euler="0 0 30" sep="-">
          <body name="b" pos="0.5 0 0"><joint name="j" axis="0 1 0"/><geom size=".05"/><site name="s"/>
            <replicate count="11" offset="0 0 0.01"><geom name="q" size="0.01"/></replicate></body>
        </replicate></body></worldbody>
        <contact><exclude body1="b" body2="base"/></contact>
        <tendon><fixed name="sum"><joint joint="j" coef="1"/><joint joint="jb" coef="2"/></fixed></tendon>
        <equality><tendon tendon1="sum"/></equality>
        <actuator><motor name="m" joint="j"/></actuator></mujoco>"#,
        &[],
    );
    assert_eq!(imported.report.warnings, []);
    let names: Vec<&str> = imported.file.bodies.iter().map(file::Body::name).collect();
    assert_eq!(names, ["base", "b-0", "b-1", "b-2"]);
    let scene = scene(&imported.file);
    let places = [[1.5, 0.0, 0.0], [1.5330127, 0.25, 0.2], [1.43660254, 0.4830127, 0.4]];
    for (name, place) in names[1..].iter().zip(places) {
        let body = imported.file.bodies.iter().find(|b| b.name() == *name).unwrap();
        assert_eq!(body.colliders().len(), 12, "{name}");
        let hinge = joint(&imported.file, &name.replace('b', "j"));
        let Kind::Hinge(pivot) = &hinge.kind else { panic!("no hinge") };
        assert!((pivot.point.unwrap().value - Vec3::from_array(place)).length() < 1e-8, "{name}");
        assert_eq!(hinge.motors.len(), 1, "{name}");
    }
    let last = imported.file.bodies[3].colliders().last().unwrap();
    assert_eq!(last.name.as_deref(), Some("q10-2"));
    assert_eq!(imported.file.couplings.len(), 3);
    assert_eq!(scene.world.joints().count(), 4);
}

/// A ball that is laid on each corner of a height field finds it where MuJoCo has it.
#[test]
fn height_fields_stand_as_in_mujoco() {
    let binary: Vec<u8> = [2_i32, 3]
        .iter()
        .flat_map(|n| n.to_le_bytes())
        .chain([4.0_f32, 5.0, 6.0, 1.0, 2.0, 3.0].iter().flat_map(|h| h.to_le_bytes()))
        .collect();
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, 3, 2);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[10, 20, 30, 40, 50, 60]).unwrap();
    writer.finish().unwrap();
    let beside = [("a/field.bin", binary), ("a/field.png", png)];
    for asset in [r#"nrow="2" ncol="3" elevation="1 2 3 4 5 6""#, r#"file="field.bin""#, r#"file="field.png""#] {
        let imported = text(
            &format!(
                r#"<mujoco><compiler assetdir="a"/><asset><hfield name="h" {asset} size="1 2 0.5 0.1"/></asset><worldbody>
                <geom type="hfield" hfield="h" pos="0 0 1"/><body name="b" pos="0 0 9"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>"#
            ),
            &beside,
        );
        assert_eq!(imported.report.warnings, [], "{asset}");
        let scene = scene(&imported.file);
        // MuJoCo's m.hfield_data is 0.6 0.8 1 at y = -2 and 0 0.2 0.4 at y = 2, for x = -1, 0, 1.
        for (x, y, h) in [(-1.0, -2.0, 0.6), (0.0, -2.0, 0.8), (1.0, -2.0, 1.0), (-1.0, 2.0, 0.0), (1.0, 2.0, 0.4)] {
            let from = Vec3::new(0.999 * x, 0.999 * y, 5.0);
            let hit = scene.world.cast_ray(from, Vec3::NEG_Z, 10.0, &QueryFilter::default()).unwrap().expect("a hit");
            assert!((hit.point.z - 1.0 - 0.5 * h).abs() < 1e-3, "{asset}: {} at {from}", hit.point);
        }
    }
}

/// Ropes round geoms and over pulleys are as long as MuJoCo 4.0 has them (`ten_length`), but for what of them never changes.
#[test]
fn tendons_round_geoms_and_over_pulleys_are_as_long_as_in_mujoco() {
    let imported = model("tendons.xml", &Options::default());
    let scene = scene(&imported.file);
    let between = f64::sqrt(4.0 + 0.3 * 0.3 + 0.1 * 0.1);
    for (name, parts, fixed, length) in [
        ("ball", 1.0, 0.0, 3.6504819136961406),
        ("ball up", 1.0, 0.0, 3.7617806427900597),
        ("ball down", 1.0, 0.0, 3.650481913696141),
        ("bar", 1.0, 0.0, 3.626949629902586),
        ("bar up", 1.0, 0.0, 3.706684551895515),
        ("bar down", 1.0, 0.0, 3.626949629902586),
        ("clear", 1.0, 0.0, 3.605551275463989),
        ("pulley", 2.0, between, 2.2236818699968577),
        ("tackle", 2.0, 0.0, 5.732694588445318),
    ] {
        let rope = scene.world.rope(scene.world.find_rope(name).unwrap()).unwrap();
        assert!((rope.path() - fixed - parts * length).abs() < 1e-9, "{name}: {} m", rope.path());
        // Each is 9 m long at most.
        assert!((rope.excess() + parts * (9.0 - length)).abs() < 1e-9, "{name}: {} m", rope.excess());
    }
    let warned: Vec<String> = imported.report.warnings.iter().map(|w| w.to_string()).collect();
    assert!(warned.len() == 1 && warned[0].contains("line 28: a sphere of a tendon is a sheave"), "{warned:?}");
}

/// What no rope can be is told with its line.
#[test]
fn tendons_that_are_no_ropes_are_told() {
    let world = r#"<mujoco><worldbody><site name="a" pos="-1 0 0"/><site name="b" pos="1 0.5 0"/><site name="in" pos="0 0 0.1"/>
        <geom name="bar" type="cylinder" size="0.4 1" pos="0 0 0.1" euler="90 0 0"/><geom name="box" type="box" size="1 1 1"/>
        <body name="one" pos="2 0 0"><joint/><geom size="0.1" pos="0 0 -1"/><site name="c"/></body>
        <body name="two" pos="3 0 0"><joint/><geom size="0.1" pos="0 0 -1"/><site name="d"/></body></worldbody><tendon>
"#;
    let told = |path: &str| {
        let text = format!("{world}<spatial name=\"t\" range=\"0 9\">\n{path}</spatial></tendon></mujoco>");
        match import(Path::new("m.xml"), &mut |_| Ok(text.clone().into()), &Options::default()) {
            Ok(imported) => imported.report.warnings.iter().map(|w| w.to_string()).collect::<Vec<_>>().join("\n"),
            Err(e) => e.to_string(),
        }
    };
    let site = |name: &str| format!("<site site=\"{name}\"/>");
    let [a, b, c, d] = ["a", "b", "c", "d"].map(site);
    let geom = "<geom geom=\"bar\"/>";
    for (path, message) in [
        (format!("{a}{geom}{b}{c}"), "m.xml, line 6: a tendon that runs along a cylinder as well as round it"),
        (
            format!("{a}<geom geom=\"bar\" sidesite=\"in\"/>{b}{c}"),
            "line 6: a tendon inside of a geom is not supported",
        ),
        (format!("{a}{geom}{}{c}", site("in")), "line 6: a tendon whose site is within the geom at the start"),
        (format!("{a}<geom geom=\"box\"/>{b}"), "line 6: geom geom = 'box': expected the name of a sphere or cylinder"),
        (format!("{a}<geom geom=\"no\"/>{b}"), "line 6: geom geom = 'no': expected the name of a geom"),
        (format!("{a}{geom}"), "line 6: <geom> in a tendon: expected it between two sites"),
        (
            format!("{a}{c}<pulley divisor=\"0\"/>{a}{d}"),
            "line 6: pulley divisor = '0': expected a number greater than zero",
        ),
        (
            format!("{a}{c}<pulley divisor=\"2.3\"/>{a}{d}"),
            "line 5: a tendon whose <pulley> divisors have no common multiple",
        ),
        (format!("{a}{c}<pulley divisor=\"2\"/>{d}{d}"), "line 5: a tendon with <pulley> whose branches do not follow"),
    ] {
        let found = told(&path);
        assert!(found.contains(message), "{path}: {found}");
    }
}

/// A fixed tendon keeps its range: on the joint where it has one, by a light slider where it has several.
#[test]
fn fixed_tendons_keep_their_range() {
    let imported = text(
        r#"<mujoco><compiler angle="radian"/><worldbody>
        <body name="a"><joint name="a" type="slide" axis="0 0 1"/><geom size="0.1" mass="1"/></body>
        <body name="b" pos="1 0 0"><joint name="b" axis="0 1 0"/><geom size="0.1" mass="1" pos="0.5 0 0"/></body>
        <body name="c" pos="3 0 0"><joint name="c" type="slide" axis="0 0 1"/><geom size="0.1" mass="2"/></body></worldbody>
        <tendon>
          <fixed name="sum" range="-0.3 0.2"><joint joint="a" coef="1"/><joint joint="b" coef="-0.5"/></fixed>
          <fixed name="one" range="-0.4 0.2"><joint joint="c" coef="2"/></fixed>
        </tendon></mujoco>"#,
        &[],
    );
    assert_eq!(imported.report.warnings, []);
    let mut scene = scene(&imported.file);
    let at =
        |world: &taut::World, name: &str| world.joint(world.find_joint(name).unwrap()).unwrap().position().unwrap();
    let mut least: f64 = 0.0;
    for _ in 0..500 {
        scene.world.step(2e-3).unwrap();
        let sum = at(&scene.world, "a") - 0.5 * at(&scene.world, "b");
        assert!((sum - at(&scene.world, "sum")).abs() < 1e-6, "{sum}");
        assert!((-0.3 - 1e-4..0.2 + 1e-4).contains(&sum), "{sum}");
        least = least.min(sum);
    }
    assert!(least < -0.29, "{least}");
    assert!((at(&scene.world, "c") + 0.2).abs() < 1e-6, "{}", at(&scene.world, "c"));
}

/// A tendon between two sites keeps both ends of its range.
#[test]
fn a_tendon_between_two_sites_is_neither_longer_nor_shorter_than_its_range() {
    let imported = text(
        r#"<mujoco><worldbody><site name="top"/><site name="low" pos="0 0 -2"/>
        <body name="a" pos="0 0 -1"><joint type="slide" axis="0 0 1"/><geom size="0.1"/><site name="a"/></body></worldbody>
        <tendon><spatial name="long" range="0.5 1.6"><site site="top"/><site site="a"/></spatial>
        <spatial name="short" range="0.7 9"><site site="low"/><site site="a"/></spatial></tendon></mujoco>"#,
        &[],
    );
    assert_eq!(imported.report.warnings, []);
    let mut scene = scene(&imported.file);
    (0..1000).for_each(|_| drop(scene.world.step(2e-3).unwrap()));
    let height = scene.world.body(scene.world.find_body("a").unwrap()).unwrap().pose().pos.z;
    assert!((height + 1.3).abs() < 1e-6, "{height}");
}

/// A rotor of 0.3 kg m^2 on each of two hinges, one by default and one of its own, 2 kg on a slide; a free joint is told.
#[test]
fn armatures_are_those_of_the_joints() {
    let text = r#"<mujoco>
        <default><joint armature="0.3"/></default>
        <worldbody>
          <body><joint name="a" axis="0 1 0"/><geom type="box" size=".1 .1 .1"/>
            <body pos="1 0 0"><joint name="b" axis="0 0 1" armature="0"/><geom type="box" size=".1 .1 .1"/>
              <body pos="1 0 0"><joint name="c" type="slide" armature="2"/><geom type="box" size=".1 .1 .1"/></body>
            </body>
          </body>
          <body pos="0 0 5"><freejoint name="d"/><geom size="1"/></body>
          <body pos="0 0 9"><joint name="e" type="free"/><geom size="1"/></body>
        </worldbody>
    </mujoco>"#;
    let mut from = |path: &Path| match path.to_str() {
        Some("m.xml") => Ok(text.as_bytes().to_vec()),
        _ => Err("no such file".to_owned()),
    };
    let imported = import(Path::new("m.xml"), &mut from, &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    let told: Vec<String> = imported.report.warnings.iter().map(ToString::to_string).collect();
    assert!(told.len() == 1 && told[0].contains("armature of free joints"), "{told:?}");
    let armature = |name: &str| joint(&imported.file, name).armature.map(|a| a.value);
    assert_eq!([armature("a"), armature("b"), armature("c")], [Some(0.3), None, Some(2.0)]);
    let world = scene(&imported.file).world;
    let a = world.joint(world.find_joint("a").unwrap()).unwrap();
    assert_eq!(a.armature(), 0.3);
    let (m, mut bare) = (world.dynamics().unwrap(), imported.file.clone());
    bare.joints.iter_mut().for_each(|j| j.armature = None);
    let b = scene(&bare).world.dynamics().unwrap().mass_matrix();
    for (k, dof) in m.dofs().iter().enumerate() {
        let more = match dof.name.as_str() {
            "a" => 0.3,
            "c" => 2.0,
            _ => 0.0,
        };
        assert!((m.mass_matrix()[(k, k)] - b[(k, k)] - more).abs() < 1e-9, "{}", dof.name);
    }
}

//! Models of our own against closed forms, and against themselves as scene files.

use std::path::{Path, PathBuf};
use taut::Vec3;
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
    for name in ["pendulum.xml", "arm.urdf", "gripper.urdf", "workshop.xml"] {
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

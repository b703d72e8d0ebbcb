//! The judge of runs judges what the engine did: what the start set up wrongly is booked apart, and divergence is not missed.

use taut::{Pose, Vec3, World};
use taut_scenes::{Drive, Outcome, Scene, file, run};

const BOX: &str = r#"{ "taut": 1, "name": "box in the ground",
  "bodies": [{ "type": "dynamic", "name": "box", "density": 500, "shape": { "type": "box", "size": [1, 1, 1] },
               "position": [0, HEIGHT, 0], "colliders": [{ "shape": { "type": "box", "size": [1, 1, 1] } }] }],
  "ground": { "colliders": [{ "shape": { "type": "half-space" } }] } }"#;

/// A rod on a pin, pulled off it; the weight is small beside the start velocity.
const PULLED: &str = r#"{ "taut": 1, "name": "rod pulled off its pin",
  "bodies": [{ "type": "dynamic", "name": "rod", "mass": 1, "shape": { "type": "box", "size": [1, 0.1, 0.1] },
               "position": [0.5, 0, 0], "velocity": [30, 0, 0] }],
  "joints": [{ "type": "hinge", "bodies": ["rod", "ground"], "point": [0, 0, 0], "axis": [0, 0, 1] }] }"#;

fn read(text: &str) -> Scene {
    file::parse(text).and_then(|f| file::build(&f)).unwrap()
}

fn judged(scene: &mut Scene) -> Outcome {
    run(scene, 0.01, 2.0, |_| true).unwrap()
}

fn driven(mut scene: Scene, act: impl Fn(&mut World, Vec3, Vec3) -> taut::Result<()> + Send + Sync + 'static) -> Scene {
    let body = scene.follow;
    scene.drive = Some(Drive::new(move |w, _| {
        let b = w.body(body)?;
        act(w, b.pose().pos, b.velocity())
    }));
    scene
}

#[test]
fn a_box_that_starts_in_the_ground_is_lifted_out_and_the_run_is_stable() {
    for height in ["0.45", "0.3", "0.1"] {
        let o = judged(&mut read(&BOX.replace("HEIGHT", height)));
        assert!(o.stable, "{height}: {:?}", o.failure);
        let s = o.set_up.unwrap();
        let depth: f64 = 0.5 - height.parse::<f64>().unwrap();
        assert!((s.penetration - depth).abs() < 1e-9, "{height}: {s:?}");
        let work = 500.0 * 9.81 * depth;
        assert!((s.lift - work).abs() < 0.02 * work, "{height}: {s:?}, expected {work} J");
        assert!(o.energy_max_rise < 0.01, "{height}: {}", o.energy_max_rise);
    }
}

#[test]
fn a_box_on_the_ground_sets_nothing_up() {
    let o = judged(&mut read(&BOX.replace("HEIGHT", "0.5")));
    assert!(o.stable && o.set_up.is_none(), "{:?} {:?}", o.failure, o.set_up);
}

#[test]
fn a_divergence_planted_in_a_buried_box_is_still_seen() {
    // Thrown up faster and faster from the first step on.
    let kicked = |w: &mut World, _: Vec3, v: Vec3| {
        let id = w.bodies().map(|b| b.id()).nth(1).unwrap();
        w.set_velocity(id, v + Vec3::Y * 0.3, Vec3::ZERO)
    };
    let o = judged(&mut driven(read(&BOX.replace("HEIGHT", "0.3")), kicked));
    assert!(!o.stable && o.failure.as_ref().unwrap().contains("energy rose"), "{:?}", o.failure);
    // Raised again and again once it is out of the ground.
    let raised = |w: &mut World, p: Vec3, _: Vec3| {
        let id = w.bodies().map(|b| b.id()).nth(1).unwrap();
        if w.time() > 0.5 { w.set_pose(id, Pose::at(p + Vec3::Y * 0.02)) } else { Ok(()) }
    };
    let o = judged(&mut driven(read(&BOX.replace("HEIGHT", "0.3")), raised));
    assert!(!o.stable && o.failure.as_ref().unwrap().contains("energy rose"), "{:?}", o.failure);
    // Pressed deeper into the ground again and again.
    let pressed = |w: &mut World, p: Vec3, _: Vec3| {
        let id = w.bodies().map(|b| b.id()).nth(1).unwrap();
        let again = (w.time() / 0.25).fract() < 0.03 && w.time() > 0.2;
        if again { w.set_pose(id, Pose::at(Vec3::new(p.x, 0.05, p.z))) } else { Ok(()) }
    };
    let o = judged(&mut driven(read(&BOX.replace("HEIGHT", "0.3")), pressed));
    assert!(o.set_up.unwrap().lift < 1.02 * 500.0 * 9.81 * 0.2, "{:?}", o.set_up);
}

#[test]
fn a_velocity_that_the_joints_do_not_allow_is_no_scale_to_hide_in() {
    let o = judged(&mut read(PULLED));
    assert!(o.stable, "{:?}", o.failure);
    let s = o.set_up.unwrap();
    assert!((s.shock - 450.0).abs() < 5.0, "{s:?}");
    // 20 J are nothing beside 450 J, but twice what the rod can fall.
    let spun = |w: &mut World, _: Vec3, _: Vec3| {
        let id = w.bodies().map(|b| b.id()).nth(1).unwrap();
        let spin = w.body(id)?.angular_velocity();
        let faster = if w.time() > 0.5 && spin.z.abs() < 11.0 { 1.05 } else { 1.0 };
        w.set_velocity(id, w.body(id)?.velocity() * faster, spin * faster)
    };
    let o = judged(&mut driven(read(PULLED), spun));
    assert!(!o.stable && o.failure.as_ref().unwrap().contains("energy rose"), "{:?} {}", o.failure, o.energy_max_rise);
}

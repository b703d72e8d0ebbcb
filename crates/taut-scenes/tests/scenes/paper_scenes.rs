//! The scenes of the papers: each builds, refuses what it cannot take, holds for a short run, and shows one thing that must be so.

use taut::{Options, Stabiliser, Vec3};
use taut_scenes::{Outcome, Scene, Value, all, find, path_error, run, smoothness};

const G: f64 = 9.81;

fn scene(name: &str, set: &[(&str, &str)]) -> Scene {
    find(name).unwrap().with(set).unwrap().0
}

fn outcome(name: &str, set: &[(&str, &str)], dt: f64, time: f64) -> Outcome {
    run(&mut scene(name, set), dt, time, |_| true).unwrap()
}

fn with_stabiliser(name: &str, set: &[(&str, &str)], stabiliser: Stabiliser, dt: f64, time: f64) -> Outcome {
    let mut s = scene(name, set);
    let options = Options { stabiliser, ..*s.world.options() };
    s.world.set_options(options).unwrap();
    run(&mut s, dt, time, |_| true).unwrap()
}

/// Sum of the forces on all bodies that are held by a fixed one, N.
fn held(s: &Scene) -> Vec3 {
    let w = &s.world;
    let fixed = |b| w.body(b).unwrap().mass() == 0.0;
    let views = w.joints();
    views.filter(|j| fixed(j.bodies().1)).map(|j| j.force()).sum::<Vec3>()
        - w.joints().filter(|j| fixed(j.bodies().0)).map(|j| j.force()).sum::<Vec3>()
}

#[test]
fn every_parameter_refuses_what_is_out_of_range_and_says_so() {
    for info in all() {
        for p in &info.parameters {
            let bad = match p.default {
                Value::Number(_) => vec![format!("{}", p.range.1 * 2.0 + 1.0), "NaN".into(), "x".into()],
                Value::Choice(_) => vec!["nonsense".into()],
            };
            for text in bad {
                let e = info.with(&[(p.name, &text)]).unwrap_err().to_string();
                assert!(e.contains(p.name) && e.contains(&text), "{}: {e}", info.name);
            }
        }
        let e = info.with(&[("nonsense", "1")]).unwrap_err().to_string();
        assert!(e.contains("nonsense"), "{}: {e}", info.name);
    }
}

#[test]
fn the_vehicle_falls_freely_until_the_crane_cable_snaps_taut() {
    let mut s = scene("crane", &[]);
    let start = s.world.body(s.follow).unwrap().position().y;
    let hook = s.world.joints().map(|j| j.id()).last().unwrap();
    let (mut fallen, mut pull) = (0.0, 0.0_f64);
    for k in 1..=180 {
        s.world.step(1.0 / 60.0).unwrap();
        if k == 18 {
            fallen = start - s.world.body(s.follow).unwrap().position().y;
        }
        pull = pull.max(s.world.joint(hook).unwrap().force().length());
    }
    // Half a step of backward Euler more than g t^2/2 = 0.441 m; the slack cable weighs next to nothing.
    assert!((0.44..0.47).contains(&fallen), "{fallen} m in 0.3 s");
    assert!(pull > 5.0 * 15_000.0 * G, "{pull} N");
    let o = outcome("crane", &[], 1.0 / 60.0, 10.0);
    assert!(o.stable && o.max_gap_rel < 1e-3 && o.bodies == 47, "{o:?}");
}

#[test]
fn the_crane_follows_its_reference_at_sixty_steps_a_second() {
    let e = path_error(&find("crane").unwrap(), &[], 1.0 / 60.0, 1e-3, 3.0).unwrap();
    assert!(e.travel > 10.0 && e.distance < 0.05 * e.length, "{e:?}");
}

#[test]
fn the_boom_falls_at_every_published_step() {
    for (dt, time) in [(0.1, 10.0), (0.01, 10.0), (0.001, 2.0)] {
        let o = outcome("crane-boom", &[], dt, time);
        // It falls past its foot: 100 t by some 20 m.
        assert!(o.stable && o.kinetic_peak_first > 5e6, "step {dt}: {o:?}");
    }
}

#[test]
fn the_dropped_load_is_caught_and_hangs() {
    let e = find("cable-vibration").unwrap().with(&[("drop", "7.9")]).unwrap_err().to_string();
    assert!(e.contains("drop") && e.contains("8 m"), "{e}");
    let mut s = scene("cable-vibration", &[]);
    let o = run(&mut s, 0.01, 3.0, |_| true).unwrap();
    let weight = (5000.0 + 20.0 * 0.2) * G;
    let pull = held(&s);
    assert!(o.stable && (pull.y / weight - 1.0).abs() < 0.05, "{pull:?} for {weight} N: {o:?}");
}

#[test]
fn the_default_keeps_the_turn_about_the_cable_and_inertial_damping_does_not() {
    let reference = outcome("cable-torsion", &[], 1e-3, 6.0).turn;
    let ours = outcome("cable-torsion", &[], 0.01, 6.0);
    let inertial = with_stabiliser("cable-torsion", &[], Stabiliser::Inertial(Default::default()), 0.01, 6.0).turn;
    assert!(ours.stable && (ours.turn / reference - 1.0).abs() < 0.01, "{} for {reference} rad", ours.turn);
    assert!((inertial / reference - 1.0).abs() > 0.05, "{inertial} for {reference} rad");
}

#[test]
fn particle_cables_swing_at_a_twenty_fifth_of_a_second() {
    for segments in ["10", "100"] {
        for ratio in ["1", "10", "100"] {
            let set = [("segments", segments), ("ratio", ratio)];
            let o = outcome("particle-cable", &set, 0.04, 20.0);
            assert!(o.stable && o.energy_max_rise <= 0.0 && o.max_gap_rel < 0.01, "{set:?}: {o:?}");
        }
        let o = with_stabiliser("particle-cable", &[("segments", segments)], Stabiliser::None, 0.04, 20.0);
        assert!(!o.stable, "{segments} segments without a stabiliser: {o:?}");
    }
}

#[test]
fn a_wire_of_a_gram_keeps_its_length_better_than_without_a_stabiliser() {
    let ours = outcome("thin-wire", &[], 0.01, 10.0);
    let none = with_stabiliser("thin-wire", &[], Stabiliser::None, 0.01, 10.0);
    assert!(ours.stable && ours.max_strain < 0.25 * none.max_strain, "{ours:?}, without: {none:?}");
    assert!(ours.end_strain < 1e-3 && none.end_strain > 1e-3, "{ours:?}, without: {none:?}");
}

#[test]
fn cloth_comes_to_rest_without_strain_and_its_threads_carry_the_weight() {
    for hung in ["row", "corners", "rod"] {
        let mut s = scene("cloth", &[("side", "6"), ("hung", hung), ("damping", "2")]);
        let o = run(&mut s, 0.01, 10.0, |_| true).unwrap();
        assert!(o.stable && o.end_strain < 1e-5 && o.max_strain > 1e-9, "{hung}: {o:?}");
        let above = if hung == "rod" { 12.0 } else { 0.0 };
        let moving = 30.0 + if hung == "corners" { 4.0 } else { 0.0 };
        let weight = (1000.0 + moving + above) * G;
        let pull = held(&s);
        assert!((pull.y / weight - 1.0).abs() < 0.01, "{hung}: {pull:?} for {weight} N");
    }
    let o = outcome("cloth", &[("side", "2"), ("hung", "corners"), ("shear", "10")], 0.01, 1.0);
    assert!(o.stable, "{o:?}");
}

#[test]
fn both_forms_of_the_cloth_stretch_alike() {
    let set = |form| [("side", "6"), ("start", "hanging"), ("damping", "2"), ("compliance", "1e-6"), ("form", form)];
    let strain = |form| outcome("cloth", &set(form), 0.01, 5.0).end_strain;
    // A thread of 0.2 m under some 501 kg stretches by c T / l.
    let (row, spring) = (strain("compliance"), strain("stiffness"));
    assert!((row / (1e-6 * 503.0 * G / 0.2) - 1.0).abs() < 0.05, "{row}");
    assert!((spring / row - 1.0).abs() < 0.02, "{spring} against {row}");
}

#[test]
fn rigid_chains_hold_under_ten_thousand_times_a_link() {
    for joint in ["ball", "hinge"] {
        for (links, ratio, dt) in [("10", "1", 0.01), ("10", "1e4", 0.1), ("50", "1e4", 0.01)] {
            let o = outcome("rigid-chain", &[("joint", joint), ("links", links), ("ratio", ratio)], dt, 5.0);
            assert!(o.stable && o.max_gap_rel < 1e-3, "{joint}, {links} links, {ratio}, {dt}: {o:?}");
        }
    }
}

#[test]
fn nets_fall_and_hang() {
    let o = outcome("net", &[("columns", "4"), ("rows", "5")], 1.0 / 60.0, 5.0);
    assert!(o.stable && o.max_gap_rel < 0.01 && o.kinetic_peak_first > 10.0, "{o:?}");
    let mut s = scene("net", &[("columns", "4"), ("rows", "4"), ("start", "hanging")]);
    let o = run(&mut s, 1.0 / 60.0, 2.0, |_| true).unwrap();
    let pull = held(&s);
    assert!(o.stable && (pull.y / (12.0 * G) - 1.0).abs() < 1e-3, "{pull:?}: {o:?}");
}

#[test]
fn the_robot_has_the_published_joints_and_holds_the_vehicle() {
    let mut s = scene("strong-robot", &[]);
    let kinds: Vec<&str> = s.world.joints().map(|j| j.kind()).collect();
    let count = |kind| kinds.iter().filter(|k| **k == kind).count();
    // 5 ball joints, six fingertips and the hook; 10 hinges and two feet.
    assert_eq!([count("ball"), count("universal"), count("hinge"), count("prismatic")], [12, 11, 12, 1]);
    let fingers = s.world.bodies().filter(|b| b.name().starts_with("finger"));
    assert!(fingers.map(|b| b.mass()).collect::<Vec<_>>() == [0.1; 12]);
    let o = run(&mut s, 0.01, 20.0, |_| true).unwrap();
    assert!(o.stable && o.max_gap_rel < 1e-3, "{o:?}");
    let slide = s.world.joints().find(|j| j.kind() == "prismatic").unwrap();
    let motor = s.world.motor(slide.id()).unwrap();
    let hook = s.world.joint(s.world.joints().map(|j| j.id()).last().unwrap()).unwrap().force();
    assert!((motor.effort() / 5e3 - 1.0).abs() < 0.01, "{motor:?}");
    assert!((hook.x / -5e3 - 1.0).abs() < 0.01, "{hook:?}");
}

#[test]
fn smoothness_finds_a_fast_tumble_and_refuses_a_cutoff_past_half_the_rate() {
    // At 100 rad/s the box tumbles several times a second: above 2 Hz nearly all, above 200 Hz nearly nothing.
    let share = |cutoff| {
        let mut s = scene("spinning-body", &[("spin", "100")]);
        smoothness(&mut s, 1e-3, 2.0, 0.5, cutoff).unwrap().share_above
    };
    assert!(share(2.0) > 0.5 && share(200.0) < 0.01, "{} {}", share(2.0), share(200.0));
    let e = smoothness(&mut scene("net", &[]), 0.01, 1.0, 0.0, 60.0).unwrap_err().to_string();
    assert!(e.contains("cutoff") && e.contains("50 Hz"), "{e}");
    let e = smoothness(&mut scene("net", &[]), 0.01, 1.0, 2.0, 10.0).unwrap_err().to_string();
    assert!(e.contains("start of the measurement"), "{e}");
}

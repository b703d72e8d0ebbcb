//! Couplings that are added, changed, removed, refused and kept in snapshots.

use crate::common::gears::*;
use crate::common::{ball, weightless, world};
use std::f64::consts::TAU;
use taut::{
    Body, Coordinates, Coupling, Cylindrical, Freedom, Gear, Hinge, Mimic, Motion, Options, Prismatic, RackAndPinion,
    Screw, Softness, Vec3, World,
};

#[test]
fn a_snapshot_repeats_every_bit_and_every_turn() {
    for options in both() {
        let Planetary { mut w, sun, meshes, .. } = Planetary::new(options);
        torque(&mut w, sun, 0.5);
        (0..400).for_each(|_| drop(w.step(STEP).unwrap()));
        let bytes = w.state().to_bytes();
        let before = positions(&w, meshes[0]);
        assert!(before[0] > 5.0 * TAU, "{before:?}");
        let run = |w: &mut World| -> Vec<(u64, f64)> {
            let step = |w: &mut World| drop(w.step(STEP).unwrap());
            let errors = |w: &World| w.couplings().map(|c| c.error()).sum();
            (0..100).map(|_| (step(w), (w.state().hash(), errors(w))).1).collect()
        };
        let first = run(&mut w);
        let state = taut::State::from_bytes(&bytes).unwrap();
        assert_eq!(state.to_bytes(), bytes);
        w.restore(&state).unwrap();
        assert_eq!(positions(&w, meshes[0]), before);
        assert_eq!(run(&mut w), first);
        // Another world of the same definition takes it too.
        let mut other = Planetary::new(options);
        torque(&mut other.w, other.sun, 0.5);
        other.w.restore(&state).unwrap();
        assert_eq!(run(&mut other.w), first);
    }
}

#[test]
fn a_state_without_its_turns_has_another_hash() {
    let (Pair { mut w, a, gear, .. }, h) = (Pair::new(weightless(), 1.0), 0.5);
    w.set_velocity(a.0, Vec3::ZERO, Vec3::ZERO).unwrap();
    w.step(h).unwrap();
    let before = w.state().hash();
    let def = w.coupling(gear).unwrap().definition();
    w.remove(gear).unwrap();
    assert!(w.coupling(gear).is_err());
    let again = w.add(def).unwrap();
    assert_ne!(again, gear);
    assert_eq!(w.state().hash(), before, "the same wheels at rest");
}

#[test]
fn turns_survive_a_change_of_the_options() {
    let Pair { mut w, a, gear, .. } = Pair::new(weightless(), 3.0);
    torque(&mut w, a.0, 5.0);
    for k in 0..6 {
        let coordinates = if k % 2 == 0 { Coordinates::Reduced } else { Coordinates::Maximal };
        let gravity = Vec3::new(0.0, 0.0, -f64::from(k));
        w.set_options(Options { coordinates, gravity, ..Options::default() }).unwrap();
        for _ in 0..100 {
            w.step(STEP).unwrap();
            assert!(error(&w, gear).abs() < 1e-6);
        }
    }
    assert!(positions(&w, gear)[0] > 10.0 * TAU);
}

#[test]
fn a_ratio_may_change_in_mid_run() {
    let Pair { mut w, a, b, gear } = Pair::new(weightless(), 3.0);
    torque(&mut w, a.0, 5.0);
    (0..300).for_each(|_| drop(w.step(STEP).unwrap()));
    let before = positions(&w, gear);
    let force = w.coupling(gear).unwrap().force();
    assert!(before[0] > 4.0 * TAU, "{before:?}");
    let mut shifted = w.coupling(gear).unwrap().definition().ratio(1.5).named("second");
    shifted.offset = None;
    w.set_coupling(gear, shifted).unwrap();
    let view = w.coupling(gear).unwrap();
    assert_eq!((view.positions().collect::<Vec<_>>(), view.force(), view.name()), (before.clone(), force, "second"));
    assert!(view.error().abs() < 1e-12);
    // The speeds are brought together by one blow that keeps q_a' I_a ... and the ratio holds from there on.
    for _ in 0..300 {
        let r = w.step(STEP).unwrap();
        assert!(r.ledger.imbalance.abs() < 1e-9 * r.energy.kinetic, "{:?}", r.ledger);
        assert!((spin(&w, a.0) - 1.5 * spin(&w, b.0)).abs() < 1e-8);
        let now = positions(&w, gear);
        let moved = [now[0] - before[0], now[1] - before[1]];
        assert!((moved[0] - 1.5 * moved[1]).abs() < 1e-6, "{moved:?}");
    }
}

#[test]
fn removing_a_joint_or_a_body_removes_its_couplings() {
    let Pair { mut w, a, b, gear } = Pair::new(weightless(), 3.0);
    assert_eq!(w.couplings().map(|c| c.id()).collect::<Vec<_>>(), [gear]);
    w.remove(a.1).unwrap();
    assert_eq!(w.couplings().count(), 0);
    assert!(matches!(w.coupling(gear), Err(taut::Error::Handle { what: "coupling", .. })));
    assert!(w.remove(gear).is_err());
    w.set_velocity(b.0, Vec3::ZERO, Vec3::Z).unwrap();
    w.step(STEP).unwrap();
    assert!((spin(&w, b.0) - 1.0).abs() < 1e-12);

    let Pair { mut w, b, .. } = Pair::new(weightless(), 3.0);
    w.remove(b.0).unwrap();
    assert_eq!(w.couplings().count(), 0);
    w.step(STEP).unwrap();
}

#[test]
fn a_broken_joint_takes_its_coupling_and_the_energy_in_it() {
    let mut w = world(Options::default());
    let ground = w.ground();
    let a = mounted(&mut w, ground, wheel(1.0, 2.0), Vec3::ZERO);
    let b = mounted(&mut w, ground, wheel(1.0, 0.5), Vec3::X);
    couple(&mut w, Gear::between(a.1, b.1).ratio(2.0).soft(Softness::spring(20.0, 0.0)));
    w.set_velocity(a.0, Vec3::ZERO, Vec3::Z).unwrap();
    (0..20).for_each(|_| drop(w.step(0.005).unwrap()));
    let held = w.energy().unwrap().elastic;
    assert!(held > 0.05);
    w.set_strength(a.1, Some(taut::Strength::force(1.0))).unwrap();
    let r = w.step(0.005).unwrap();
    assert_eq!(w.couplings().count(), 0);
    assert!(r.energy.elastic == 0.0 && r.ledger.broken < -0.9 * held, "{:?}", r.ledger);
    assert!(r.ledger.imbalance.abs() < 1e-12);
}

#[test]
fn bad_couplings_are_refused_and_change_nothing() {
    let Pair { mut w, a, b, gear } = Pair::new(Options::default(), 3.0);
    let ground = w.ground();
    let slider = w.add(Body::dynamic(ball(1.0, 0.1)).at(2.0 * Vec3::X)).unwrap();
    let slide = w.add(Prismatic::between(slider, ground).at(2.0 * Vec3::X).axis(Vec3::Y)).unwrap();
    let tube = w.add(Body::dynamic(ball(1.0, 0.1)).at(3.0 * Vec3::X)).unwrap();
    let tube = w.add(Cylindrical::between(tube, ground).at(3.0 * Vec3::X).axis(Vec3::Y)).unwrap();
    let beside = w.add(Hinge::between(a.0, ground).at(Vec3::ZERO).axis(Vec3::Z)).unwrap();
    let gone = w.add(Hinge::between(b.0, ground).at(Vec3::X).axis(Vec3::Z)).unwrap();
    w.remove(gone).unwrap();
    let mut other = World::new();
    let stranger = other.add(Body::dynamic(ball(1.0, 0.1))).unwrap();
    let elsewhere = other.ground();
    let stranger = other.add(Hinge::between(stranger, elsewhere).at(Vec3::ZERO).axis(Vec3::Z)).unwrap();
    let turn = Freedom::Turn;
    let pair = || Coupling::new().term(a.1, turn, 1.0).term(b.1, turn, 1.0);
    let bad = [
        ("nothing", Coupling::new(), "2 to 4"),
        ("one freedom", Coupling::new().term(a.1, turn, 1.0), "2 to 4"),
        (
            "five",
            pair().term(slide, Freedom::Slide, 1.0).term(tube, turn, 1.0).term(tube, Freedom::Slide, 1.0),
            "2 to 4",
        ),
        ("zero ratio", Gear::between(a.1, b.1).ratio(0.0), "a finite number but zero"),
        ("no number", Gear::between(a.1, b.1).ratio(f64::NAN), "a finite number but zero"),
        ("infinite", Screw::on(tube).pitch(f64::INFINITY), "a finite number but zero"),
        ("offset", pair().offset(f64::NAN), "a finite number"),
        ("softness", pair().soft(Softness::compliance(-1.0)), "zero (rigid) or a positive number"),
        ("a joint that is gone", Gear::between(a.1, gone).ratio(1.0), "it was removed"),
        ("a joint of another world", Gear::between(a.1, stranger).ratio(1.0), "handles belong to the world"),
        ("a hinge does not slide", RackAndPinion::between(a.1, b.1).radius(1.0), "leaves free"),
        ("a slider does not turn", Gear::between(a.1, slide).ratio(1.0), "leaves free"),
        ("a swing", Coupling::new().term(a.1, turn, 1.0).term(b.1, Freedom::Swing, 1.0), "no direction at zero"),
        (
            "a lean",
            Coupling::new().term(a.1, turn, 1.0).term(b.1, Freedom::Lean(taut::Axis::V, taut::Axis::U), 1.0),
            "a quarter turn",
        ),
        (
            "twice under two names",
            Coupling::new().term(a.1, turn, 1.0).term(a.1, Freedom::Twist, 1.0),
            "each of them once",
        ),
        ("twice the same", Gear::between(a.1, a.1).ratio(2.0), "each of them once"),
        ("terms that cancel", Gear::between(a.1, beside).ratio(1.0), "do not cancel"),
        ("two freedoms", Mimic::of(a.1, tube), "one freedom"),
    ];
    let (before, edition) = (w.state().clone(), w.size().unwrap());
    for (what, coupling, expected) in bad {
        let text = w.add(coupling.clone()).unwrap_err().to_string();
        assert!(text.contains(expected), "{what}: {text}");
        let text = w.set_coupling(gear, coupling).unwrap_err().to_string();
        assert!(text.contains(expected), "{what}: {text}");
    }
    assert!(w.state() == &before && w.size().unwrap() == edition);
    let ball = w.add(taut::Ball::between(a.0, b.0).at(Vec3::ZERO).axis(Vec3::Z)).unwrap();
    assert!(w.add(Mimic::of(b.1, ball)).unwrap_err().to_string().contains("one freedom"));
    let gone = w.remove(gear).and_then(|()| w.remove(gear));
    assert!(gone.unwrap_err().to_string().contains("coupling"));
}

#[test]
fn what_a_coupling_is_goes_into_the_edition() {
    let hash = |ratio: f64| Pair::new(weightless(), ratio).w.state().clone();
    let Pair { mut w, gear, .. } = Pair::new(weightless(), 3.0);
    assert!(w.restore(&hash(3.0)).is_ok());
    assert!(w.restore(&hash(2.0)).unwrap_err().to_string().contains("edition"));
    let before = w.state().clone();
    let def = w.coupling(gear).unwrap().definition();
    w.set_coupling(gear, def.ratio(2.0)).unwrap();
    assert!(w.restore(&before).is_err());
}

#[test]
fn a_gear_holds_what_is_geared_to_a_body_that_was_fixed() {
    for options in both() {
        let Pair { mut w, a, b, gear } = Pair::new(options, -2.0);
        torque(&mut w, a.0, 5.0);
        (0..100).for_each(|_| drop(w.step(STEP).unwrap()));
        assert!(spin(&w, a.0) > 1.0);
        w.set_motion(b.0, Motion::Fixed, None).unwrap();
        let at = w.joint(a.1).unwrap().position().unwrap();
        (0..100).for_each(|_| drop(w.step(STEP).unwrap()));
        assert!(spin(&w, a.0).abs() < 1e-9, "{}", spin(&w, a.0));
        assert!((w.joint(a.1).unwrap().position().unwrap() - at).abs() < 1e-6);
        assert!(error(&w, gear).abs() < 1e-9, "{}", error(&w, gear));
        // The gear carries the torque alone.
        assert!((w.coupling(gear).unwrap().force() + 5.0).abs() < 1e-6);
        // Free again, both turn as before.
        w.set_motion(b.0, Motion::Dynamic, Some(&wheel(1.0, 0.5))).unwrap();
        (0..100).for_each(|_| drop(w.step(STEP).unwrap()));
        assert!((spin(&w, a.0) + 2.0 * spin(&w, b.0)).abs() < 1e-9 && spin(&w, a.0) > 1.0);
    }
}

#[test]
fn a_gear_passes_on_the_velocity_of_a_body_that_the_user_moves() {
    for options in both() {
        let Pair { mut w, a, b, gear } = Pair::new(options, -2.0);
        w.set_motion(b.0, Motion::Kinematic, None).unwrap();
        w.set_velocity(b.0, Vec3::ZERO, 3.0 * Vec3::Z).unwrap();
        for _ in 0..300 {
            w.step(STEP).unwrap();
            assert!((spin(&w, a.0) + 6.0).abs() < 1e-9, "{}", spin(&w, a.0));
        }
        assert!(error(&w, gear).abs() < 1e-9, "{}", error(&w, gear));
        // Both fixed: there is nothing left to hold.
        w.set_motion(a.0, Motion::Fixed, None).unwrap();
        assert_eq!(w.coupling(gear).unwrap().force(), 0.0);
    }
}

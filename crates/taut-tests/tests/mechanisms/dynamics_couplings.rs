//! The mechanism in its own freedoms, with couplings between them and springs on them.

use crate::common::agree::{assert_the_step_agrees, assert_vectors, largest, step_error, without_step};
use crate::common::gears::{Pair, wheel};
use crate::common::{ball, rod, weightless, world};
use std::f64::consts::TAU;
use taut::{
    Body, Command, Coupling, Cylindrical, Freedom, Gear, Hinge, MassProperties, Options, Prismatic, RackAndPinion,
    Screw, Softness, Vec3, World,
};

#[test]
fn geared_wheels_accelerate_as_one() {
    // Inertias 2 and 0.5, q_a = -3 q_b: 5 N m at a turns (2 + 0.5/9) kg m^2.
    let Pair { w, a, b, gear } = Pair::new(weightless(), -3.0);
    let d = w.dynamics().unwrap();
    let rows: Vec<_> = d.loop_rows().collect();
    assert_eq!((rows.len(), rows[0].coupling, rows[0].joint), (1, Some(gear), a.1));
    let (ka, kb) = (d.find(a.1).unwrap().start, d.find(b.1).unwrap().start);
    let g = d.loop_jacobian();
    assert_eq!((g[(0, ka)], g[(0, kb)]), (1.0, 3.0));
    let mut force = [0.0; 2];
    force[ka] = 5.0;
    let acceleration = d.forward(&force).unwrap();
    let expected = 5.0 / (2.0 + 0.5 / 9.0);
    assert!((acceleration[ka] - expected).abs() < 1e-12 && (acceleration[kb] + expected / 3.0).abs() < 1e-12);
    // The force of the coupling acts on a by itself, and on b three times.
    assert!((d.loop_forces(&force).unwrap()[0] + 5.0 - 2.0 * expected).abs() < 1e-12);
    // One wheel drives both.
    let effort = d.inverse_with(&[a.1], &acceleration).unwrap();
    assert!((effort.of(a.1)[0] - 5.0).abs() < 1e-12);
    assert_vectors(&d.follow(&[a.1], &[expected]).unwrap(), &acceleration, 1e-12, "follow");
}

/// A carrier that tumbles, with two geared wheels, a rack and a screw on it, at rates that these allow.
fn tumbling(soft: Softness, off: f64) -> World {
    let mut w = world(Options::default());
    let (v, spin) = (Vec3::X, Vec3::new(0.3, -0.5, 0.8));
    let carrier = w.add(Body::dynamic(rod(5.0, 1.0, 0.2)).moving(v, spin)).unwrap();
    let (n, m) = (Vec3::new(0.2, 1.0, 0.1).normalize(), Vec3::new(1.0, 0.3, -0.4).normalize());
    let mut on = |at: Vec3, props: MassProperties, slide: Vec3, turn: Vec3| {
        w.add(Body::dynamic(props).at(at).moving(v + spin.cross(at) + slide, spin + turn)).unwrap()
    };
    let a = on(Vec3::new(0.3, 0.1, 0.2), wheel(2.0, 0.3), Vec3::ZERO, -1.7 * n);
    let b = on(Vec3::new(-0.3, 0.2, 0.1), wheel(1.0, 0.2), Vec3::ZERO, m);
    let rack = on(Vec3::new(0.1, -0.4, 0.3), ball(1.5, 0.2), 0.3 * m, Vec3::ZERO);
    let nut = on(Vec3::new(0.2, 0.5, -0.1), ball(0.7, 0.1), 0.5 * n, TAU * n);
    let a = w.add(Hinge::between(a, carrier).axis(n)).unwrap();
    let b = w.add(Hinge::between(b, carrier).axis(m)).unwrap();
    let rack = w.add(Prismatic::between(rack, carrier).axis(m)).unwrap();
    let nut = w.add(Cylindrical::between(nut, carrier).axis(n)).unwrap();
    for coupling in
        [Gear::between(a, b).ratio(-1.7), RackAndPinion::between(b, rack).radius(0.3), Screw::on(nut).pitch(0.5)]
    {
        w.add(coupling.soft(soft).offset(off)).unwrap();
    }
    w
}

#[test]
fn the_step_and_the_freedoms_agree_on_couplings() {
    let w = tumbling(Softness::RIGID, 0.0);
    assert_eq!(w.dynamics().unwrap().loop_rows().count(), 3);
    // A rigid row on a slide closes in its first steps what they leave open, by velocities in the order of the step.
    let settled = |h: f64| {
        let mut w = w.clone();
        (0..10).for_each(|_| drop(w.step(h).unwrap()));
        step_error(&w, h)
    };
    let error = largest(&without_step(settled));
    assert!(error < 1e-4, "rigid couplings: accelerations off by {error}");
    let w = tumbling(Softness::spring(50.0, 0.5), 0.1);
    assert_eq!(w.dynamics().unwrap().loop_rows().count(), 0);
    assert_the_step_agrees(&w, 1e-5, "soft couplings");
}

#[test]
fn a_pinion_holds_the_weight_on_its_rack() {
    let mut w = world(Options::default());
    let drum = w.add(Body::dynamic(ball(5.0, 0.2)).at(-Vec3::X)).unwrap();
    let load = w.add(Body::dynamic(ball(10.0, 0.2))).unwrap();
    let hinge = w.add(Hinge::between(drum, w.ground()).axis(Vec3::Z).named("drum")).unwrap();
    let slide = w.add(Prismatic::between(load, w.ground()).axis(Vec3::Y)).unwrap();
    w.add(RackAndPinion::between(hinge, slide).radius(0.2)).unwrap();
    let held = w.dynamics().unwrap().hold_with(&[hinge]).unwrap();
    assert!((held.of(hinge)[0] - 10.0 * 9.81 * 0.2).abs() < 1e-9, "{:?}", held.of(hinge));
    // Gravity takes half a step in the first one.
    let rates = [0, 1, 2].map(|_| {
        w.apply_effort(hinge, &held.of(hinge)).unwrap();
        w.step(0.01).unwrap();
        w.joint(slide).unwrap().rate().unwrap()
    });
    assert!((rates[2] - rates[0]).abs() < 1e-9, "no acceleration: {rates:?}");
}

#[test]
fn couplings_of_other_mechanisms_and_those_that_rest_do_not_matter() {
    let mut w = world(Options::default());
    let arm = w.add(Body::dynamic(rod(2.0, 1.0, 0.05)).at(0.5 * Vec3::X)).unwrap();
    let hinge = w.add(Hinge::between(arm, w.ground()).at(Vec3::ZERO).axis(Vec3::Z)).unwrap();
    let hold = |w: &World| w.dynamics().unwrap().hold_with(&[hinge]).unwrap().of(hinge)[0];
    let alone = hold(&w);
    let [p, q] = [2.0, 3.0].map(|z| {
        let b = w.add(Body::dynamic(ball(1.0, 0.1)).at(z * Vec3::Z).gravity_scale(0.0)).unwrap();
        w.add(Hinge::between(b, w.ground()).axis(Vec3::Z)).unwrap()
    });
    w.add(Coupling::new().term(p, Freedom::Turn, 1.0).term(q, Freedom::Turn, 2.0)).unwrap();
    assert_eq!(hold(&w), alone);
    assert_eq!(w.dynamics().unwrap().loop_rows().count(), 1);
    w.set_joint_enabled(p, false).unwrap();
    assert_eq!(w.dynamics().unwrap().loop_rows().count(), 0);
}

#[test]
fn springs_on_freedoms_act_by_themselves() {
    let mut w = world(Options::default());
    let arm = Body::dynamic(rod(2.0, 1.0, 0.05)).at(0.5 * Vec3::X).moving(0.25 * Vec3::Y, 0.5 * Vec3::Z);
    let arm = w.add(arm).unwrap();
    let hinge = Hinge::between(arm, w.ground()).at(Vec3::ZERO).axis(Vec3::Z).spring(100.0, 3.0);
    let hinge = w.add(hinge).unwrap();
    // At rest elsewhere.
    w.set_motor(hinge, Command::target(0.2)).unwrap();
    assert!((w.dynamics().unwrap().applied()[0] - (100.0 * 0.2 - 3.0 * 0.5)).abs() < 1e-9);
    assert_the_step_agrees(&w, 1e-5, "spring");
}

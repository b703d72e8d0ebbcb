//! What cannot be had is said: rows that contradict each other are named, and the world goes on.

use crate::common::{ball, world};
use taut::{Body, Cable, Distance, Hinge, Joint, Motor, Options, Rope, Softness, Vec3, Weld, World};

fn driven(w: &mut World, b: taut::BodyId, rate: f64) -> taut::JointId {
    w.add(Hinge::between(b, w.ground()).at(Vec3::ZERO).axis(Vec3::Y).motor(Motor::rate().speed(rate))).unwrap()
}

#[test]
fn two_motors_on_one_axis_that_differ_are_both_named() {
    let mut w = world(Options::default());
    let b = w.add(Body::dynamic(ball(2.0, 0.2))).unwrap();
    let (one, two) = (driven(&mut w, b, 1.0), driven(&mut w, b, -1.0));
    for _ in 0..100 {
        let report = w.step(0.01).unwrap();
        let c = report.conflicts.iter().find(|c| (c.wanted - c.got).abs() > 0.1).expect("a conflict");
        let (own, other) = if c.joint == one { (1.0, two) } else { (-1.0, one) };
        assert!((c.wanted - own).abs() < 1e-9, "{c:?}");
        assert_eq!(c.against, vec![other]);
        assert!(w[b].omega.length() < 1.0 + 1e-9);
    }
}

#[test]
fn motors_that_agree_are_no_conflict() {
    let mut w = world(Options::default());
    let b = w.add(Body::dynamic(ball(2.0, 0.2))).unwrap();
    driven(&mut w, b, 1.0);
    driven(&mut w, b, 1.0);
    for _ in 0..100 {
        assert_eq!(w.step(0.01).unwrap().conflicts, vec![]);
    }
    assert!((w[b].omega.y - 1.0).abs() < 1e-9);
}

#[test]
fn two_welds_apart_are_named_and_nothing_moves() {
    let mut w = world(Options::default());
    let b = w.add(Body::dynamic(ball(2.0, 0.2))).unwrap();
    let g = w.ground();
    let one = w.add(Weld::between(b, g).at(Vec3::ZERO)).unwrap();
    let two = w.add(Weld::between(b, g).ends(Vec3::ZERO, Vec3::X).axis(Vec3::Y).named("apart")).unwrap();
    let mut named = 0;
    for _ in 0..300 {
        let report = w.step(0.01).unwrap();
        named += usize::from(report.conflicts.iter().any(|c| c.joint == two && c.against == vec![one]));
        let body = w.body(b).unwrap();
        assert!(body.velocity().length() < 1.0 && body.position().length() < 1.0, "{body:?}");
    }
    assert!(named > 290, "named in {named} of 300 steps");
}

#[test]
fn a_driven_body_that_pulls_a_taut_chain_yields_at_its_own_joint() {
    let mut w = world(Options::default());
    let hand = w.add(Body::kinematic().at(Vec3::new(2.0, 0.0, 0.0)).moving(Vec3::new(0.2, 0.0, 0.0), Vec3::ZERO));
    let (hand, g) = (hand.unwrap(), w.ground());
    let a = w.add(Body::particle(1.0).at(Vec3::X)).unwrap();
    w.add(Distance::between(a, g)).unwrap();
    let pulled = w.add(Distance::between(a, hand).named("pulled")).unwrap();
    let mut named = 0;
    for _ in 0..300 {
        let report = w.step(0.01).unwrap();
        named += usize::from(report.conflicts.iter().any(|c| c.joint == pulled));
        assert!(report.energy.kinetic < 10.0, "{} J", report.energy.kinetic);
        assert!(report.ledger.imbalance.abs() < 1e-8);
    }
    assert!(named > 200, "named in {named} of 300 steps");
}

#[test]
fn a_motor_stops_at_the_limit_of_its_joint_and_holds_there() {
    let mut w = world(Options::default());
    let b = w.add(Body::dynamic(ball(2.0, 0.2)).at(Vec3::X)).unwrap();
    let hinge = Hinge::between(b, w.ground()).at(Vec3::ZERO).axis(Vec3::Z);
    w.add(hinge.motor(Motor::rate().speed(1.0)).limit(-0.5, 0.5)).unwrap();
    for _ in 0..300 {
        let report = w.step(0.01).unwrap();
        assert!(report.bounded.overrun_angle < 1e-6, "{}", report.bounded.overrun_angle);
        assert_eq!(report.conflicts, vec![]);
    }
    assert!((w[b].pos.y - 0.5_f64.sin()).abs() < 1e-6, "{}", w[b].pos);
}

/// A joint that gives is a spring even where it is nearly rigid: a driven body stretches it with the force of its law. Rows of a driven
/// body were once closed at leisure whatever their compliance, and the energy of the stretch came back at once when they were not.
#[test]
fn what_gives_is_stretched_by_a_driven_body_and_gains_no_energy() {
    let mut w = world(Options::default());
    let b = w.add(Body::dynamic(ball(200.0, 0.2))).unwrap();
    let hand = w.add(
        Body::kinematic()
            .at(Vec3::new(2.0, -0.1, 0.2))
            .moving(Vec3::new(-0.1, -0.1, -0.05), Vec3::new(0.07, 0.05, 0.2)),
    );
    let (hand, g) = (hand.unwrap(), w.ground());
    let (near, far) = (Vec3::new(-0.1, -0.04, -0.2), Vec3::new(0.1, 0.6, -0.3));
    w.add(Rope::between(b, g).ends(near, far)).unwrap();
    let stiff = Cable { axial: Softness::spring(1e9, 0.0), bending: Softness::RIGID, torsion: Softness::RIGID };
    w.add(Joint::of(stiff, b, hand).at(Vec3::new(1.0, -0.09, 0.2)).axis(Vec3::new(0.3, 0.8, 0.5))).unwrap();
    let (start, mut work, mut most) = (w.energy().unwrap().total(), 0.0, 0.0_f64);
    for _ in 0..60 {
        let report = w.step(0.009).unwrap();
        work += report.ledger.work;
        assert!(report.energy.total() - start - work < 1.0, "{report:?}");
        assert!(report.max_gap < 1e-9, "{}", report.max_gap);
        most = most.max(report.energy.elastic);
    }
    assert!(most > 1e6, "the driven body goes on: {most} J");
}

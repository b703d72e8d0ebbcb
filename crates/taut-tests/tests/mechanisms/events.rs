//! What a step tells: joints that break at their strength, limits that are reached.

use crate::common::{ball, rod, weightless, world};
use taut::{
    Ball, Body, BodyId, Distance, Error, Event, Hinge, JointId, Limit, Options, Rope, Softness, StepReport, Strength,
    Vec3, Weld, World,
};

const STEP: f64 = 0.01;

/// A particle of 1 kg that hangs 1 m below the ground on a rod, with a strength.
fn hanging(soft: Softness, strength: Strength) -> (World, BodyId, JointId) {
    let mut w = world(Options::default());
    let load = w.add(Body::particle(1.0).at(-Vec3::Y)).unwrap();
    let joint = w.add(Distance::between(load, w.ground()).linear(soft).strength(strength)).unwrap();
    (w, load, joint)
}

fn broken(r: &StepReport) -> Vec<(JointId, (BodyId, BodyId), f64, f64)> {
    let mut out = Vec::new();
    for e in &r.events {
        if let Event::JointBroken { joint, bodies, force, torque } = *e {
            out.push((joint, bodies, force, torque));
        }
    }
    out
}

/// Pulls with `rate` newtons more in each step until something breaks; the report of that step, and the pull in it.
fn pull_apart(w: &mut World, load: BodyId, rate: f64) -> (StepReport, f64) {
    for k in 0..10_000 {
        let pull = rate * f64::from(k);
        w.apply_force(load, -Vec3::Y * pull, w[load].pos).unwrap();
        let report = w.step(STEP).unwrap();
        assert!(report.ledger.imbalance.abs() < 1e-9, "{:?}", report.ledger);
        if !broken(&report).is_empty() {
            return (report, pull);
        }
    }
    panic!("nothing broke");
}

#[test]
fn a_joint_breaks_at_its_force_within_one_increment_of_the_load() {
    let (strength, rate) = (50.0, 0.1);
    let (mut w, load, joint) = hanging(Softness::RIGID, Strength::force(strength));
    let ground = w.ground();
    let (report, pull) = pull_apart(&mut w, load, rate);
    let carried = pull + 9.81;
    assert!(carried > strength && carried <= strength + rate + 1e-9, "{carried}");
    let [(id, bodies, force, torque)] = broken(&report)[..] else { panic!("{:?}", report.events) };
    assert_eq!((id, bodies), (joint, (load, ground)));
    assert!((force - carried).abs() < 1e-9 && torque == 0.0, "{force} {torque}");
    // Its handle is dead, and the load falls.
    assert!(matches!(w.joint(joint), Err(Error::Handle { .. })));
    assert!(matches!(w.remove(joint), Err(Error::Handle { .. })));
    assert!(matches!(w.set_strength(joint, None), Err(Error::Handle { .. })));
    assert_eq!(w.joints().count(), 0);
    let before = w[load].vel.y;
    for _ in 0..10 {
        assert!(w.step(STEP).unwrap().events.is_empty());
    }
    assert!((w[load].vel.y - before + 10.0 * STEP * 9.81).abs() < 1e-9);
}

#[test]
fn a_weld_breaks_at_its_torque() {
    let mut w = world(Options::default());
    let beam = w.add(Body::dynamic(rod(1.0, 1.0, 0.05)).at(Vec3::X * 0.5)).unwrap();
    let strength = Strength { force: 1e6, torque: 8.0 };
    let joint = w.add(Weld::between(beam, w.ground()).at(Vec3::ZERO).strength(strength)).unwrap();
    let rate = 0.05;
    for k in 0..1000 {
        let pull = rate * f64::from(k);
        w.apply_force(beam, -Vec3::Y * pull, w[beam].pos).unwrap();
        let report = w.step(STEP).unwrap();
        let Some(&(id, _, force, torque)) = broken(&report).first() else { continue };
        let moment = 0.5 * (9.81 + pull);
        assert!(id == joint && moment > 8.0 && moment <= 8.0 + 0.5 * rate + 1e-9, "{moment}");
        assert!((torque - moment).abs() < 1e-6 && (force - 9.81 - pull).abs() < 1e-6, "{torque} {force}");
        return;
    }
    panic!("it held");
}

#[test]
fn strength_can_be_changed_and_taken_away() {
    let (mut w, load, joint) = hanging(Softness::RIGID, Strength::force(9.0));
    w.set_strength(joint, None).unwrap();
    for _ in 0..5 {
        assert!(w.step(STEP).unwrap().events.is_empty());
    }
    w.set_strength(joint, Some(Strength::force(9.9))).unwrap();
    assert!(w.step(STEP).unwrap().events.is_empty());
    w.set_strength(joint, Some(Strength::force(9.0))).unwrap();
    assert_eq!(broken(&w.step(STEP).unwrap()).len(), 1);
    assert!(w.body(load).is_ok());
}

/// A load on a spring that breaks at 40 N: the step before the break, the step of it, and the energy after it.
fn torn_spring(h: f64) -> (World, StepReport, StepReport) {
    let soft = Softness { compliance: 1e-3, damping: 30.0 };
    let (mut w, load, _) = hanging(soft, Strength::force(40.0));
    let mut last = None;
    for k in 0..100_000 {
        let pull = 5.0 * h * f64::from(k);
        w.apply_force(load, -Vec3::Y * pull, w[load].pos).unwrap();
        let r = w.step(h).unwrap();
        let l = &r.ledger;
        let booked = l.work + l.damping + l.stabiliser + l.constraints + l.contacts + l.broken + l.integration;
        assert!(l.imbalance.abs() < 1e-9 && (l.change - booked - l.imbalance).abs() < 1e-12, "{l:?}");
        if !broken(&r).is_empty() {
            return (w, last.unwrap(), r);
        }
        assert_eq!(l.broken, 0.0);
        last = Some(r);
    }
    panic!("it held");
}

#[test]
fn the_energy_of_a_broken_joint_is_booked() {
    let (mut w, before, torn) = torn_spring(STEP);
    // A spring that carries F holds c F^2 / 2.
    let (lost, held) = (-torn.ledger.broken, 0.5 * 1e-3 * 40.0 * 40.0);
    assert!((lost - held).abs() < 0.01 * held, "{lost} {held}");
    assert!((torn.energy.total() - before.energy.total() - torn.ledger.change).abs() < 1e-9);
    for _ in 0..50 {
        let l = w.step(STEP).unwrap().ledger;
        assert!(l.broken == 0.0 && l.imbalance.abs() < 1e-9, "{l:?}");
    }
}

#[test]
fn nothing_elastic_is_left_of_a_broken_joint() {
    for h in [0.01, 0.001] {
        let (w, _, torn) = torn_spring(h);
        let now = w.energy().unwrap();
        assert!((torn.energy.elastic - now.elastic).abs() < 1e-12, "{h}: {:?} {now:?}", torn.energy);
    }
}

#[test]
fn a_snapshot_from_before_the_break_is_refused_after_it() {
    let (mut w, load, _) = hanging(Softness::RIGID, Strength::force(20.0));
    let before = w.state().clone();
    w.step(STEP).unwrap();
    w.restore(&before).unwrap();
    pull_apart(&mut w, load, 1.0);
    let after = w.state().clone();
    let e = w.restore(&before).unwrap_err().to_string();
    assert!(e.contains("snapshot edition") && e.contains("expected"), "{e}");
    assert_eq!(w.state(), &after);
    w.step(STEP).unwrap();
    w.restore(&after).unwrap();
    w.step(STEP).unwrap();
}

#[test]
fn a_rope_that_snaps_taut_breaks_and_lets_the_load_go() {
    let mut w = world(Options::default());
    let load = w.add(Body::particle(10.0).at(-0.2 * Vec3::Y)).unwrap();
    w.add(Rope::between(load, w.ground()).length(1.0).strength(Strength::force(200.0))).unwrap();
    let mut events = Vec::new();
    for _ in 0..100 {
        events.extend(w.step(STEP).unwrap().events);
    }
    let kinds = events.iter().map(|e| matches!(e, Event::JointBroken { .. })).collect::<Vec<_>>();
    assert_eq!(kinds, [false, true], "{events:?}");
    assert!(w[load].pos.y < -1.5);
}

#[test]
fn breaking_one_joint_leaves_the_others() {
    // Two rods side by side; the weak one goes, the other carries on, with its force.
    let mut w = world(Options::default());
    let mut ids = Vec::new();
    for (k, strength) in [5.0, 50.0, 7.0, 60.0].into_iter().enumerate() {
        let at = Vec3::new(k as f64, -1.0, 0.0);
        let b = w.add(Body::particle(1.0).at(at)).unwrap();
        let rope = Rope::between(b, w.ground()).ends(at, at + Vec3::Y);
        ids.push(w.add(rope.strength(Strength::force(strength))).unwrap());
    }
    let report = w.step(STEP).unwrap();
    let gone: Vec<JointId> = broken(&report).into_iter().map(|b| b.0).collect();
    assert_eq!(gone, [ids[0], ids[2]]);
    for k in [1, 3] {
        assert!((w.joint(ids[k]).unwrap().force().y - 9.81).abs() < 1e-6, "{:?}", w.joint(ids[k]));
    }
    for _ in 0..20 {
        w.step(STEP).unwrap();
    }
    for k in [1, 3] {
        assert!((w.joint(ids[k]).unwrap().force().y - 9.81).abs() < 1e-6);
    }
}

#[test]
fn bad_strengths_are_refused() {
    let (mut w, _, joint) = hanging(Softness::RIGID, Strength::force(20.0));
    for (value, said) in [(0.0, "0"), (-1.0, "-1"), (f64::NAN, "NaN")] {
        for (strength, name) in
            [(Strength::force(value), "strength force"), (Strength::torque(value), "strength torque")]
        {
            let e = w.set_strength(joint, Some(strength)).unwrap_err().to_string();
            assert!(e.contains(name) && e.contains(said) && e.contains("expected a positive number of N"), "{e}");
        }
    }
    // The old one still holds.
    assert!(w.step(STEP).unwrap().events.is_empty());
}

/// A ball on an arm of 1 m that turns about z between two limits, without gravity.
fn between(lower: f64, upper: f64, restitution: f64) -> (World, BodyId, JointId) {
    let mut w = world(weightless());
    let b = w.add(Body::dynamic(ball(1.0, 0.1)).at(Vec3::X)).unwrap();
    let hinge = Hinge::between(b, w.ground()).at(Vec3::ZERO).axis(Vec3::Z);
    let joint = w.add(hinge.limit(-3.0, 3.0).stop(Limit::new(lower, upper).bouncing(restitution))).unwrap();
    (w, b, joint)
}

fn reached(r: &StepReport) -> Vec<(JointId, usize, bool)> {
    let limit = |e: &Event| match *e {
        Event::LimitReached { joint, limit, upper } => Some((joint, limit, upper)),
        _ => None,
    };
    r.events.iter().filter_map(limit).collect()
}

fn spin(w: &mut World, b: BodyId, rate: f64) {
    let arm = w[b].pos;
    w.set_velocity(b, rate * Vec3::Z.cross(arm), rate * Vec3::Z).unwrap();
}

#[test]
fn a_limit_is_reached_once_per_arrival() {
    let (mut w, b, joint) = between(-0.5, 0.5, 0.0);
    for (rate, upper) in [(1.0, true), (-1.0, false), (2.0, true)] {
        spin(&mut w, b, rate);
        let mut seen = Vec::new();
        for _ in 0..300 {
            // Something keeps pushing against the stop.
            w.apply_torque(b, rate * Vec3::Z).unwrap();
            seen.extend(reached(&w.step(STEP).unwrap()));
        }
        assert_eq!(seen, [(joint, 1, upper)], "{rate}");
    }
}

#[test]
fn a_bouncing_limit_is_reached_at_every_bounce() {
    let (mut w, b, joint) = between(-0.25, 0.25, 1.0);
    spin(&mut w, b, 1.0);
    let mut seen = Vec::new();
    let mut turns = 0;
    for _ in 0..400 {
        let before = w[b].omega.z;
        seen.extend(reached(&w.step(STEP).unwrap()));
        turns += usize::from(before * w[b].omega.z < 0.0);
    }
    // 4 s at 1 rad/s: a stop every half second after the first quarter.
    assert!((7..=8).contains(&turns), "{turns}");
    assert_eq!(seen.len(), turns);
    for (k, &s) in seen.iter().enumerate() {
        assert_eq!(s, (joint, 1, k % 2 == 0));
    }
}

#[test]
fn a_rope_tells_when_it_snaps_taut() {
    let mut w = world(Options::default());
    let load = w.add(Body::dynamic(ball(2.0, 0.1)).at(-0.5 * Vec3::Y)).unwrap();
    let rope = w.add(Rope::between(load, w.ground()).length(1.0)).unwrap();
    let mut seen = Vec::new();
    for _ in 0..200 {
        seen.extend(reached(&w.step(STEP).unwrap()));
    }
    assert_eq!(seen, [(rope, 0, true)]);
    // Thrown up, it falls into the rope again.
    w.set_velocity(load, 2.0 * Vec3::Y, Vec3::ZERO).unwrap();
    seen.clear();
    for _ in 0..200 {
        seen.extend(reached(&w.step(STEP).unwrap()));
    }
    assert_eq!(seen, [(rope, 0, true)]);
}

#[test]
fn joints_without_bounds_have_no_events() {
    let mut w = world(Options::default());
    let b = w.add(Body::dynamic(ball(1.0, 0.1)).at(Vec3::X)).unwrap();
    w.add(Ball::between(b, w.ground()).at(Vec3::ZERO)).unwrap();
    for _ in 0..50 {
        let r = w.step(STEP).unwrap();
        assert!(r.events.is_empty());
        assert_eq!((r.bounded.candidates, r.bounded.rows, r.bounded.clusters), (0, 0, 0));
    }
}

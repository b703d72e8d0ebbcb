//! Couplings between freedoms of joints: gears, screws, racks, mimic joints and differentials.

use crate::common::gears::*;
use crate::common::{ball, rod, weightless, world};
use std::f64::consts::{PI, TAU};
use taut::{
    Body, BodyId, Coordinates, CouplingId, Cylindrical, Gear, Hinge, MassProperties, Mimic, Options, Prismatic, Quat,
    RackAndPinion, Screw, Solver, Stabiliser, Vec3, Weld, World,
};

/// Follows the angle of a body about z, turns counted, without a word from the engine.
struct Angle {
    body: BodyId,
    last: Quat,
    sum: f64,
}

impl Angle {
    fn of(w: &World, body: BodyId) -> Self {
        Angle { body, last: w.body(body).unwrap().rotation(), sum: 0.0 }
    }

    fn follow(&mut self, w: &World) -> f64 {
        let now = w.body(self.body).unwrap().rotation();
        let turn = now * self.last.inverse();
        self.last = now;
        let angle = 2.0 * turn.z.atan2(turn.w);
        self.sum += angle - TAU * (angle / TAU).round();
        self.sum
    }
}

#[test]
fn a_gear_pair_accelerates_with_the_inertia_of_both_wheels() {
    for options in both() {
        for ratio in [-3.0, 0.25, 1.0, 40.0] {
            let Pair { mut w, a, b, gear } = Pair::new(options, ratio);
            torque(&mut w, a.0, 1.5);
            for n in 1..=30 {
                w.step(STEP).unwrap();
                // Velocities live half a step before the poses.
                let rate = 1.5 / (2.0 + 0.5 / (ratio * ratio)) * (f64::from(n) - 0.5) * STEP;
                assert!((spin(&w, a.0) - rate).abs() < 1e-9, "ratio {ratio}: {} against {rate}", spin(&w, a.0));
                assert!((spin(&w, b.0) - rate / ratio).abs() < 1e-9);
                // -ratio lambda turns the second wheel.
                let lambda = -0.5 * 1.5 / (2.0 + 0.5 / (ratio * ratio)) / (ratio * ratio);
                let force = w.coupling(gear).unwrap().force();
                assert!((force - lambda).abs() < 1e-9, "ratio {ratio}: {force} against {lambda}");
            }
        }
    }
}

#[test]
fn a_gear_keeps_its_ratio_over_ten_turns() {
    for options in both() {
        for ratio in [3.0, -2.5] {
            let Pair { mut w, a, b, gear } = Pair::new(options, ratio);
            torque(&mut w, b.0, 10.0);
            let mut angles = [a.0, b.0].map(|body| Angle::of(&w, body));
            let mut turns = 0.0_f64;
            for _ in 0..1200 {
                w.step(STEP).unwrap();
                let [qa, qb] = angles.each_mut().map(|q| q.follow(&w));
                assert!((qa - ratio * qb).abs() < 1e-6, "off by {:e} rad after {qb} rad", qa - ratio * qb);
                assert!(error(&w, gear).abs() < 1e-6);
                turns = qb / TAU;
            }
            assert!(turns.abs() > 10.0, "{turns} turns only");
        }
    }
}

#[test]
fn a_gear_that_turns_more_than_once_in_a_step_does_not_slip() {
    let Pair { mut w, a, b, gear } = Pair::new(weightless(), 3.0);
    // 11 turns of the fast wheel in every step.
    let rate = 11.0 * TAU * 60.0 + 5.0;
    w.set_velocity(a.0, Vec3::ZERO, rate * Vec3::Z).unwrap();
    w.set_velocity(b.0, Vec3::ZERO, rate / 3.0 * Vec3::Z).unwrap();
    for n in 1..=60 {
        w.step(STEP).unwrap();
        let positions = positions(&w, gear);
        assert!((positions[0] - rate * STEP * f64::from(n)).abs() < 1e-6, "{positions:?}");
        assert!(error(&w, gear).abs() < 1e-6 && (spin(&w, a.0) - rate).abs() < 1e-6);
    }
}

#[test]
fn a_planetary_gear_drives_its_carrier_by_the_equation_of_willis() {
    for options in both() {
        let Planetary { mut w, sun, carrier, meshes } = Planetary::new(options);
        torque(&mut w, sun, 0.5);
        let ratio = 1.0 + RING / SUN;
        let planet = 1.5 * (SUN + PLANET).powi(2) + 0.03 * (1.0 - RING / PLANET).powi(2);
        let acceleration = ratio * 0.5 / (0.04 * ratio * ratio + 0.1 + planet);
        let mut angles = [sun, carrier].map(|body| Angle::of(&w, body));
        for n in 1..=600 {
            let report = w.step(STEP).unwrap();
            let [s, c] = angles.each_mut().map(|q| q.follow(&w));
            assert!((s - ratio * c).abs() < 1e-8, "step {n}: sun {s}, carrier {c}, off by {:e}", s - ratio * c);
            let rate = acceleration * (f64::from(n) - 0.5) * STEP;
            // Beyond that the planet goes round by more than a tenth of a radian in a step.
            let off = if rate < 6.0 { (spin(&w, carrier) - rate).abs() / rate } else { 0.0 };
            assert!(off < 2e-3, "step {n}: {} against {rate}", spin(&w, carrier));
            assert!(meshes.iter().all(|&m| error(&w, m).abs() < 1e-8));
            assert!(report.ledger.imbalance.abs() < 1e-9 * (1.0 + report.energy.kinetic));
        }
        assert!(angles[0].sum > 10.0 * TAU);
    }
}

#[test]
fn a_nut_on_a_screw_falls_as_slowly_as_its_inertia_lets_it() {
    for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
        for pitch in [0.005, -0.3] {
            let mut w = world(Options { coordinates, ..Options::default() });
            let inertia = Vec3::new(0.02, 0.01, 0.02);
            let nut = w.add(Body::dynamic(MassProperties::from_diagonal(2.0, inertia).unwrap())).unwrap();
            let ground = w.ground();
            let joint = w.add(Cylindrical::between(nut, ground).at(Vec3::ZERO).axis(Vec3::Y)).unwrap();
            let screw = couple(&mut w, Screw::on(joint).pitch(pitch));
            let lead = pitch / TAU;
            let acceleration = -9.81 * 2.0 / (2.0 + 0.01 / (lead * lead));
            for n in 1..=240 {
                w.step(STEP).unwrap();
                let (v, rate) = (w.body(nut).unwrap(), acceleration * (f64::from(n) - 0.5) * STEP);
                assert!((v.velocity().y - rate).abs() < 1e-8, "pitch {pitch}: {} against {rate}", v.velocity().y);
                assert!((v.angular_velocity().y - rate / lead).abs() < 1e-6);
                assert!(error(&w, screw).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn a_heavy_rack_turns_its_pinion() {
    for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
        let mut w = world(Options { coordinates, ..Options::default() });
        let ground = w.ground();
        let (pinion, hinge) = mounted(&mut w, ground, wheel(1.0, 0.02), Vec3::ZERO);
        let rack = w.add(Body::dynamic(rod(1000.0, 2.0, 0.1)).at(0.1 * Vec3::X)).unwrap();
        let slide = w.add(Prismatic::between(rack, ground).at(0.1 * Vec3::X).axis(Vec3::Y)).unwrap();
        let mesh = couple(&mut w, RackAndPinion::between(hinge, slide).radius(0.1).named("mesh"));
        let acceleration = -9.81 * 1000.0 / (1000.0 + 0.02 / 0.01);
        for n in 1..=300 {
            w.step(STEP).unwrap();
            let rate = acceleration * (f64::from(n) - 0.5) * STEP;
            let v = w.body(rack).unwrap().velocity().y;
            assert!((v - rate).abs() < 1e-9 * n as f64, "{v} against {rate}");
            assert!((spin(&w, pinion) - rate / 0.1).abs() < 1e-7 * n as f64);
            assert!(error(&w, mesh).abs() < 1e-8);
        }
        assert!(positions(&w, mesh)[1].abs() > 10.0 * TAU);
    }
}

#[test]
fn a_mimic_gripper_holds_a_thousand_times_its_weight() {
    for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
        let mut w = world(Options { coordinates, ..Options::default() });
        let ground = w.ground();
        let palm = w.add(Body::dynamic(ball(0.2, 0.05))).unwrap();
        w.add(Weld::between(palm, ground).at(Vec3::ZERO).axis(Vec3::Z)).unwrap();
        // The leader slides up, the follower down; a load of 100 kg hangs on the follower.
        let mut finger = |x: f64, axis: Vec3| {
            let b = w.add(Body::dynamic(ball(0.1, 0.02)).at(x * Vec3::X)).unwrap();
            (b, w.add(Prismatic::between(b, palm).at(x * Vec3::X).axis(axis)).unwrap())
        };
        let (leader, follower) = (finger(-0.1, Vec3::Y), finger(0.1, -Vec3::Y));
        let load = w.add(Body::dynamic(ball(100.0, 0.2)).at(0.1 * Vec3::X)).unwrap();
        w.add(Weld::between(load, follower.0).at(0.1 * Vec3::X).axis(Vec3::Z)).unwrap();
        let mimic = couple(&mut w, Mimic::of(leader.1, follower.1));
        let acceleration = 9.81 * (100.1 - 0.1) / (100.1 + 0.1);
        for n in 1..=60 {
            w.step(STEP).unwrap();
            let rate = acceleration * (f64::from(n) - 0.5) * STEP;
            let [up, down] = [leader.0, load].map(|b| w.body(b).unwrap().velocity().y);
            assert!((up - rate).abs() < 1e-7 && (down + rate).abs() < 1e-7, "{up} and {down} against {rate}");
            assert!(error(&w, mimic).abs() < 1e-9);
        }
    }
}

#[test]
fn a_mimic_joint_follows_with_its_ratio_and_offset() {
    let mut w = world(weightless());
    let ground = w.ground();
    let (a, leader) = mounted(&mut w, ground, wheel(1.0, 0.1), Vec3::ZERO);
    let slider = w.add(Body::dynamic(ball(1.0, 0.1)).at(Vec3::X)).unwrap();
    let follower = w.add(Prismatic::between(slider, ground).at(Vec3::X).axis(Vec3::Y)).unwrap();
    let mimic = couple(&mut w, Mimic::of(leader, follower).ratio(-0.5).offset(0.0).named("finger"));
    w.set_velocity(a, Vec3::ZERO, 2.0 * Vec3::Z).unwrap();
    w.set_velocity(slider, -Vec3::Y, Vec3::ZERO).unwrap();
    for _ in 0..300 {
        w.step(STEP).unwrap();
    }
    let view = w.coupling(mimic).unwrap();
    let positions = view.positions().collect::<Vec<_>>();
    assert!((positions[1] - 10.0).abs() < 1e-9, "{positions:?}");
    assert!((positions[0] + 5.0).abs() < 1e-9, "{positions:?}");
    assert_eq!((view.name(), view.offset(), view.id()), ("finger", 0.0, mimic));
    assert_eq!(view.definition().terms.len(), 2);
}

#[test]
fn an_offset_that_does_not_fit_is_closed_by_parts_and_throws_nothing() {
    let mut w = world(weightless());
    let ground = w.ground();
    let a = mounted(&mut w, ground, wheel(1.0, 0.1), Vec3::ZERO);
    let b = mounted(&mut w, ground, wheel(1.0, 0.1), Vec3::X);
    let id = couple(&mut w, Mimic::of(a.1, b.1).offset(1.0));
    assert_eq!(error(&w, id), -1.0);
    let mut fastest = 0.0_f64;
    for _ in 0..120 {
        w.step(STEP).unwrap();
        fastest = fastest.max(spin(&w, a.0).abs()).max(spin(&w, b.0).abs());
    }
    assert!(error(&w, id).abs() < 1e-6, "{}", error(&w, id));
    assert!(fastest < 0.06 * 60.0, "thrown with {fastest} rad/s");
}

#[test]
fn an_offset_is_met_with_the_nearest_turn() {
    let mut w = world(weightless());
    let ground = w.ground();
    // The follower stands at 3.2 rad, which reads as 3.2 - 2 pi.
    let leader = mounted(&mut w, ground, wheel(1.0, 0.1), Vec3::ZERO);
    let b = w.add(Body::dynamic(wheel(1.0, 0.1)).at(Vec3::X)).unwrap();
    let follower = w.add(Hinge::between(b, ground).at(Vec3::X).axis(Vec3::Z)).unwrap();
    w.set_pose(b, taut::Pose { pos: Vec3::X, rot: Quat::from_rotation_z(3.2) }).unwrap();
    let id = couple(&mut w, Mimic::of(leader.1, follower).offset(3.2));
    assert!(error(&w, id).abs() < 1e-12, "{}", error(&w, id));
    assert!((positions(&w, id)[0] - 3.2).abs() < 1e-12);
}

/// A gearbox afloat: a carrier with two wheels whose axes are at right angles, on hinges, or round ones on joints that slide.
fn gearbox(options: Options, slides: bool) -> (World, [BodyId; 3], CouplingId) {
    let mut w = world(options);
    let turn = Vec3::new(0.3, -0.5, 0.8);
    let inertia = if slides { Vec3::splat(0.4) } else { Vec3::new(0.3, 0.5, 0.4) };
    let props = MassProperties::from_diagonal(4.0, inertia).unwrap();
    let carrier = w.add(Body::dynamic(props).moving(Vec3::X, turn)).unwrap();
    let mut wheel = |at: Vec3, axis: Vec3, rate: f64| {
        let rot = Quat::from_rotation_arc(Vec3::Z, axis);
        let props = if slides { ball(1.0, 0.35) } else { wheel(1.0, 0.05) };
        let def = Body::dynamic(props).at(at).rotated(rot);
        let b = w.add(def.moving(Vec3::X + turn.cross(at), turn + rate * axis)).unwrap();
        let joint = if slides { Cylindrical::between(b, carrier) } else { Hinge::between(b, carrier) };
        (b, w.add(joint.at(at).axis(axis)).unwrap())
    };
    let (a, b) = (wheel(0.3 * Vec3::X, Vec3::X, 6.0), wheel(0.3 * Vec3::Z, Vec3::Z, -3.0));
    let gear = couple(&mut w, Gear::between(a.1, b.1).ratio(-2.0));
    (w, [carrier, a.0, b.0], gear)
}

/// Momentum, and angular momentum about the origin.
fn momenta(w: &World, bodies: &[BodyId]) -> (Vec3, Vec3) {
    bodies.iter().fold((Vec3::ZERO, Vec3::ZERO), |(p, l), &b| {
        let v = w.body(b).unwrap();
        let spin = v.rotation() * (v.inertia() * (v.rotation().inverse() * v.angular_velocity()));
        (p + v.mass() * v.velocity(), l + v.position().cross(v.mass() * v.velocity()) + spin)
    })
}

#[test]
fn a_gearbox_afloat_keeps_its_momenta() {
    // Rows that depend on the relative pose alone keep both to rounding, where the inertia does not turn.
    let plain = Options { stabiliser: taut::Stabiliser::None, ..weightless() };
    let (mut w, bodies, gear) = gearbox(plain, true);
    let (p, l) = momenta(&w, &bodies);
    let mut pushed = 0.0_f64;
    for _ in 0..200 {
        w.step(0.005).unwrap();
        pushed = pushed.max(w.coupling(gear).unwrap().force().abs());
        let (now_p, now_l) = momenta(&w, &bodies);
        assert!((now_p - p).length() < 1e-12 * p.length(), "momentum off by {:e}", (now_p - p).length());
        assert!((now_l - l).length() < 1e-11 * l.length(), "angular momentum off by {:e}", (now_l - l).length());
        assert!(error(&w, gear).abs() < 1e-4);
    }
    assert!(pushed > 1e-3, "the gear did nothing: {pushed}");
}

#[test]
fn the_forces_of_a_coupling_cancel_on_its_bodies() {
    for slides in [false, true] {
        let (mut w, bodies, gear) = gearbox(weightless(), slides);
        for _ in 0..50 {
            w.step(STEP).unwrap();
        }
        let view = w.coupling(gear).unwrap();
        let (mut force, mut moment, mut size) = (Vec3::ZERO, Vec3::ZERO, 0.0);
        for b in bodies {
            let (f, m) = view.force_on(b).unwrap();
            force += f;
            moment += m + w.body(b).unwrap().position().cross(f);
            size += m.length();
        }
        assert!(size > 1e-4 && force.length() < 1e-12 * size && moment.length() < 1e-12 * size, "{force} {moment}");
        assert_eq!(view.force_on(w.ground()).unwrap(), (Vec3::ZERO, Vec3::ZERO));
    }
}

#[test]
fn a_gearbox_that_tumbles_stays_in_mesh() {
    for options in both() {
        let (mut w, bodies, gear) = gearbox(options, false);
        let (p, l) = momenta(&w, &bodies);
        for _ in 0..600 {
            let r = w.step(STEP).unwrap();
            assert!(error(&w, gear).abs() < 5e-6, "{}", error(&w, gear));
            assert!(r.ledger.imbalance.abs() < 1e-12, "{:?}", r.ledger);
        }
        let (now_p, now_l) = momenta(&w, &bodies);
        assert!((now_p - p).length() < 1e-11 * p.length());
        // What acts all the time keeps a mechanism in the base regime: docs/limits.md 6.
        let lost = (now_l - l).length() / l.length();
        println!("angular momentum off by {lost} in 10 s");
        assert!(lost < 0.15, "{lost}");
    }
}

#[test]
fn every_stabiliser_and_solver_keeps_a_gear_in_mesh() {
    let stabilisers = [
        Stabiliser::Aligned,
        Stabiliser::None,
        Stabiliser::Full,
        Stabiliser::Symmetric,
        Stabiliser::ConstraintSpace { alpha: 1.0 },
    ];
    let solvers = [
        Solver::Auto,
        Solver::DenseLu,
        Solver::Minres,
        Solver::Structured(taut::settings::Budget::default()),
        Solver::Pgs { sweeps: 200 },
    ];
    let mut ran = 0;
    for stabiliser in stabilisers {
        for solver in solvers {
            let options = Options { stabiliser, solver, ..weightless() };
            if World::new().set_options(options).is_err() {
                continue;
            }
            ran += 1;
            let Planetary { mut w, sun, meshes, .. } = Planetary::new(options);
            torque(&mut w, sun, 0.5);
            (0..120).for_each(|_| drop(w.step(STEP).unwrap()));
            let worst = meshes.iter().map(|&m| error(&w, m).abs()).fold(0.0, f64::max);
            assert!(worst < 1e-4, "{} {}: {worst}", stabiliser.name(), solver.name());
            assert!(positions(&w, meshes[0])[0] > TAU, "{} {}", stabiliser.name(), solver.name());
        }
    }
    assert!(ran > 8, "{ran}");
}

#[test]
fn couplings_that_repeat_or_contradict_each_other_do_no_harm() {
    // The same gear twice.
    let Pair { mut w, a, b, gear } = Pair::new(weightless(), 3.0);
    let twin = couple(&mut w, Gear::between(a.1, b.1).ratio(3.0));
    torque(&mut w, a.0, 1.5);
    for n in 1..=120 {
        w.step(STEP).unwrap();
        let rate = 1.5 / (2.0 + 0.5 / 9.0) * (f64::from(n) - 0.5) * STEP;
        assert!((spin(&w, a.0) - rate).abs() < 1e-7, "{} against {rate}", spin(&w, a.0));
    }
    assert!(error(&w, gear).abs() < 1e-6 && error(&w, twin).abs() < 1e-6);
    // Another ratio between the same wheels: they stand.
    couple(&mut w, Gear::between(a.1, b.1).ratio(-1.0));
    for _ in 0..120 {
        w.step(STEP).unwrap();
    }
    assert!(spin(&w, a.0).abs() < 1e-6 && spin(&w, b.0).abs() < 1e-6, "{} {}", spin(&w, a.0), spin(&w, b.0));
}

#[test]
fn motors_that_pull_a_gear_apart_are_told() {
    let mut w = world(weightless());
    let ground = w.ground();
    let mut driven = |x: f64| {
        let b = w.add(Body::dynamic(wheel(1.0, 0.1)).at(x * Vec3::X)).unwrap();
        (b, w.add(Hinge::between(b, ground).axis(Vec3::Z).motor(taut::Motor::rate())).unwrap())
    };
    let (a, b) = (driven(0.0), driven(1.0));
    couple(&mut w, Gear::between(a.1, b.1).ratio(2.0));
    for (joint, rate) in [(a.1, 1.0), (b.1, 1.0)] {
        w.set_motor(joint.motor(0), taut::Command { rate, target: 0.0 }).unwrap();
    }
    for n in 1..=60 {
        let r = w.step(STEP).unwrap();
        // Both wheels do what their motors say, and the gear is 1 - 2 rad/s off.
        assert!((spin(&w, a.0) - 1.0).abs() < 1e-9 && (spin(&w, b.0) - 1.0).abs() < 1e-9);
        assert!((r.bounded.coupling - f64::from(n) * STEP).abs() < 1e-9, "{:?}", r.bounded);
    }
}

#[test]
fn a_motor_drives_a_train_of_gears() {
    for options in both() {
        let mut w = world(options);
        let ground = w.ground();
        let first = w.add(Body::dynamic(wheel(1.0, 0.1))).unwrap();
        let motor = w.add(Hinge::between(first, ground).axis(Vec3::Z).motor(taut::Motor::rate())).unwrap();
        let (mut last, mut gears, mut wheels) = (motor, Vec::new(), Vec::new());
        for k in 1..8 {
            let (b, joint) = mounted(&mut w, ground, wheel(10.0, 1.0), f64::from(k) * Vec3::X);
            gears.push(couple(&mut w, Gear::between(joint, last).ratio(-0.5)));
            (last, _) = (joint, wheels.push(b));
        }
        w.set_motor(motor.motor(0), taut::Command { rate: 12.0, target: 0.0 }).unwrap();
        for _ in 0..600 {
            w.step(STEP).unwrap();
            assert!(gears.iter().all(|&g| error(&w, g).abs() < 1e-9));
        }
        for (k, &b) in wheels.iter().enumerate() {
            let rate = 12.0 * (-0.5_f64).powi(k as i32 + 1);
            assert!((spin(&w, b) - rate).abs() < 1e-9, "wheel {k}: {} against {rate}", spin(&w, b));
        }
    }
}

#[test]
fn half_turns_do_not_matter() {
    // Starts at half a turn, where the measured angle jumps.
    for start in [PI - 1e-12, PI, -PI + 1e-9] {
        let mut w = world(weightless());
        let ground = w.ground();
        let a = mounted(&mut w, ground, wheel(1.0, 0.1), Vec3::ZERO);
        let b = mounted(&mut w, ground, wheel(1.0, 0.1), Vec3::X);
        w.set_pose(a.0, taut::Pose { pos: Vec3::ZERO, rot: Quat::from_rotation_z(start) }).unwrap();
        let gear = couple(&mut w, Gear::between(a.1, b.1).ratio(1.0));
        torque(&mut w, a.0, 1e-6);
        for _ in 0..60 {
            w.step(STEP).unwrap();
            assert!(error(&w, gear).abs() < 1e-9, "{start}: {}", error(&w, gear));
        }
    }
}

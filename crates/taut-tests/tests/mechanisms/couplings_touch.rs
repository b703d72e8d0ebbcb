//! Couplings of mechanisms that touch: contacts, large clusters, sleep, threads.

use crate::common::gears::*;
use crate::common::{ball, pose_distance, weightless, world};
use taut::{
    Body, BodyId, Collider, CouplingId, Force, Gear, Hinge, JointId, MassProperties, Material, Options, Pose, Quat,
    RackAndPinion, Shape, Vec3, World, settings::BoundedMethod,
};

/// An arm of 1 m along x from a hinge about z on the ground.
fn arm(w: &mut World, pivot: Vec3) -> (BodyId, JointId) {
    let half = Vec3::new(0.5, 0.05, 0.1);
    let props = MassProperties::cuboid(300.0, half).unwrap();
    let b = w.add(Body::dynamic(props).at(pivot + 0.5 * Vec3::X)).unwrap();
    w.add(Collider::new(Shape::cuboid(half)).on(b)).unwrap();
    let ground = w.ground();
    (b, w.add(Hinge::between(b, ground).at(pivot).axis(Vec3::Z)).unwrap())
}

/// A block that stands. It is not the ground, which does not meet what is joined to it.
fn floor(w: &mut World, at: Vec3, half: Vec3) -> BodyId {
    let block = w.add(Body::fixed().at(at)).unwrap();
    w.add(Collider::new(Shape::cuboid(half)).of(Material::new(0.3, 0.8)).on(block)).unwrap();
    block
}

/// Two arms side by side, geared to turn the same way, on a floor that both overlap by `deep`, m, at their tips.
fn arms(options: Options, deep: f64) -> (World, [BodyId; 2], CouplingId) {
    let mut w = world(options);
    floor(&mut w, Vec3::new(1.0, -0.55 + deep, 0.0), Vec3::new(0.3, 0.5, 2.0));
    let [a, b] = [-0.5, 0.5].map(|z| arm(&mut w, z * Vec3::Z));
    let gear = couple(&mut w, Gear::between(a.1, b.1).ratio(1.0));
    (w, [a.0, b.0], gear)
}

#[test]
fn what_is_pushed_out_of_a_floor_stays_in_mesh() {
    for deep in [1e-4, 0.02] {
        let (mut w, _, gear) = arms(Options { sleep: false, ..Options::default() }, deep);
        let mut fastest = 0.0_f64;
        for _ in 0..120 {
            let r = w.step(STEP).unwrap();
            assert!(error(&w, gear).abs() < 1e-6, "{deep}: {}", error(&w, gear));
            assert!(r.ledger.imbalance.abs() < 1e-9, "{:?}", r.ledger);
            fastest = fastest.max(r.energy.kinetic);
        }
        assert!(fastest < 0.05, "{deep}: {fastest} J out of a push");
    }
}

#[test]
fn a_geared_arm_holds_the_other_up() {
    // Only the first arm has a floor below it.
    let mut w = world(Options { sleep: false, ..Options::default() });
    floor(&mut w, Vec3::new(1.0, -0.55, -0.5), Vec3::new(0.3, 0.5, 0.3));
    let [a, b] = [-0.5, 0.5].map(|z| arm(&mut w, z * Vec3::Z));
    let gear = couple(&mut w, Gear::between(a.1, b.1).ratio(1.0));
    for _ in 0..240 {
        w.step(STEP).unwrap();
        assert!(error(&w, gear).abs() < 1e-6);
    }
    // -lambda lifts the second arm.
    let weight = w.body(b.0).unwrap().mass() * 9.81 * 0.5;
    let force = w.coupling(gear).unwrap().force();
    assert!((force + weight).abs() < 1e-3 * weight, "{force} against {weight}");
    assert!(w.body(b.0).unwrap().velocity().length() < 1e-6);
}

#[test]
fn what_is_coupled_sleeps_and_wakes_together() {
    let (mut w, [a, b], gear) = arms(Options::default(), 0.0);
    let before = w.energy().unwrap().total();
    (0..120).for_each(|_| drop(w.step(STEP).unwrap()));
    assert!(w.is_asleep(a).unwrap() && w.is_asleep(b).unwrap());
    assert!((w.energy().unwrap().total() - before).abs() < 1e-3);
    let start = positions(&w, gear);
    let snapshot = w.state().to_bytes();
    let lift = |w: &mut World| {
        w.apply_torque(b, 200.0 * Vec3::Z).unwrap();
        assert_eq!(w.sleeping(), 0);
        w.step(STEP).unwrap();
        w.state().hash()
    };
    let hash = lift(&mut w);
    let now = positions(&w, gear);
    assert!(now[0] > start[0] + 1e-4 && (now[0] - now[1]).abs() < 1e-6, "{now:?} from {start:?}");
    w.restore(&taut::State::from_bytes(&snapshot).unwrap()).unwrap();
    assert_eq!(lift(&mut w), hash);
}

#[test]
fn a_new_coupling_wakes_what_sleeps() {
    let (mut w, [a, b], gear) = arms(Options::default(), 0.0);
    let definition = w.coupling(gear).unwrap().definition();
    w.remove(gear).unwrap();
    (0..120).for_each(|_| drop(w.step(STEP).unwrap()));
    assert_eq!(w.sleeping(), 2);
    let gear = w.add(definition).unwrap();
    assert_eq!(w.sleeping(), 0);
    (0..120).for_each(|_| drop(w.step(STEP).unwrap()));
    assert_eq!(w.sleeping(), 2);
    // What is coupled is one group.
    w.wake(a).unwrap();
    assert!(!w.is_asleep(b).unwrap());
    (0..120).for_each(|_| drop(w.step(STEP).unwrap()));
    w.remove(gear).unwrap();
    assert_eq!(w.sleeping(), 0);
}

/// Two trays on posts that turn, geared to tilt against each other, with 49 smooth balls on each: 295 rows, one of them on four bodies.
fn trays(bounded: BoundedMethod) -> (World, CouplingId, Vec<BodyId>) {
    let mut w = world(Options { bounded, sleep: false, ..Options::default() });
    let ground = w.ground();
    let (mut trays, mut all) = (Vec::new(), Vec::new());
    for (x, mass) in [(-1.0, 2.0), (1.0, 1.0)] {
        let at = Vec3::new(x, 1.5, 0.0);
        let post = w.add(Body::dynamic(ball(5.0, 0.1)).at(at)).unwrap();
        w.add(Hinge::between(post, ground).at(at).axis(Vec3::Y)).unwrap();
        let half = Vec3::new(0.4, 0.02, 0.4);
        let tray = w.add(Body::dynamic(MassProperties::cuboid(300.0, half).unwrap()).at(at)).unwrap();
        let smooth = Material::new(0.0, 0.0);
        w.add(Collider::new(Shape::cuboid(half)).of(smooth).on(tray)).unwrap();
        trays.push((tray, w.add(Hinge::between(tray, post).at(at).axis(Vec3::Z)).unwrap()));
        all.extend([post, tray]);
        for k in 0..49 {
            let d = 0.11 * Vec3::new(f64::from(k % 7 - 3), 0.0, f64::from(k / 7 - 3));
            let b = w.add(Body::dynamic(ball(mass, 0.05)).at(at + d + 0.07 * Vec3::Y)).unwrap();
            w.add(Collider::new(Shape::ball(0.05)).of(smooth).on(b)).unwrap();
            all.push(b);
        }
    }
    let gear = couple(&mut w, Gear::between(trays[0].1, trays[1].1).ratio(-1.0));
    let push = Force::Point { body: trays[0].0, point: 0.3 * Vec3::X, force: -200.0 * Vec3::Y };
    w.add(push).unwrap();
    (w, gear, all)
}

#[test]
fn a_large_cluster_is_solved_with_its_coupling_in_the_matrix() {
    // Pivoting forms W, Newton does not with so many rows; without friction both have the same answer.
    let (mut sparse, gear, bodies) = trays(BoundedMethod::Newton);
    let (mut dense, same, others) = trays(BoundedMethod::Pivoting);
    for step in 0..12 {
        let (r, s) = (sparse.step(STEP).unwrap(), dense.step(STEP).unwrap());
        assert_eq!((r.bounded.largest, s.bounded.largest), (295, 295), "step {step}");
        assert!(r.bounded.residual < 1e-9 && r.bounded.joint_residual < 1e-12, "step {step}: {:?}", r.bounded);
        assert!(error(&sparse, gear).abs() < 1e-9 && error(&dense, same).abs() < 1e-9);
        let [a, b] = [(&sparse, gear), (&dense, same)].map(|(w, id)| w.coupling(id).unwrap().force());
        assert!((a - b).abs() < 1e-4 * b.abs(), "step {step}: {a} against {b}");
        let apart = bodies.iter().zip(&others).map(|(&a, &b)| {
            let (a, b) = (sparse.body(a).unwrap().pose(), dense.body(b).unwrap().pose());
            pose_distance(&a, &b)
        });
        assert!(apart.fold(0.0, f64::max) < 1e-6, "step {step}");
    }
}

#[test]
fn a_rebound_keeps_the_mesh() {
    // A rack falls on its end and bounces; its pinion turns back with it.
    let mut w = world(Options::default());
    let ground = w.ground();
    floor(&mut w, -0.5 * Vec3::Y, Vec3::splat(0.5));
    let (pinion, hinge) = mounted(&mut w, ground, wheel(1.0, 0.02), 3.0 * Vec3::Y);
    let rack = w.add(Body::dynamic(ball(1.0, 0.1)).at(Vec3::new(0.1, 1.0, 0.0))).unwrap();
    w.add(Collider::new(Shape::ball(0.1)).of(Material::new(0.0, 0.8)).on(rack)).unwrap();
    let slide = w.add(taut::Prismatic::between(rack, ground).at(Vec3::new(0.1, 1.0, 0.0)).axis(Vec3::Y)).unwrap();
    let mesh = couple(&mut w, RackAndPinion::between(hinge, slide).radius(0.1));
    let mut up = 0.0_f64;
    for _ in 0..120 {
        let r = w.step(STEP).unwrap();
        let v = w.body(rack).unwrap().velocity().y;
        up = up.max(v);
        assert!((spin(&w, pinion) - v / 0.1).abs() < 1e-6, "{} against {}", spin(&w, pinion), v / 0.1);
        assert!(error(&w, mesh).abs() < 1e-6);
        assert!(r.ledger.imbalance.abs() < 1e-9, "{:?}", r.ledger);
    }
    // It falls 0.9 m with a third of gravity: m/(m + I/r^2).
    let down = f64::sqrt(2.0 * 9.81 / 3.0 * 0.9);
    assert!((up - 0.8 * down).abs() < 0.05 * down, "up with {up}, down with {down}");
}

#[test]
fn threads_do_not_change_a_bit_of_coupled_mechanisms() {
    let build = |parallel: bool| {
        let mut w = world(Options { parallel, ..Options::default() });
        let ground = w.ground();
        for k in 0..200 {
            let at = 10.0 * f64::from(k) * Vec3::Z;
            let [a, b, c] =
                [0.0, 1.0, 2.0].map(|x| mounted(&mut w, ground, wheel(1.0, 0.1 + 0.1 * x), at + x * Vec3::X));
            let (planet, on) = mounted(&mut w, c.0, wheel(0.5, 0.02), at + 2.5 * Vec3::X);
            couple(&mut w, Gear::between(a.1, b.1).ratio(-0.5));
            couple(&mut w, Gear::between(b.1, on).ratio(1.0 + f64::from(k % 3)));
            torque(&mut w, planet, 0.1 + 0.01 * f64::from(k));
        }
        w
    };
    let (mut alone, mut threads) = (build(false), build(true));
    rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap().install(|| {
        for step in 0..60 {
            assert_eq!(alone.step(STEP).unwrap(), threads.step(STEP).unwrap(), "step {step}");
        }
    });
    assert!(alone.state() == threads.state());
    let worst = alone.couplings().map(|c| c.error().abs()).fold(0.0, f64::max);
    assert!(worst < 1e-6, "{worst}");
}

#[test]
fn a_body_that_is_moved_by_hand_keeps_its_turns() {
    let Pair { mut w, a, b, gear } = Pair::new(weightless(), 1.0);
    let turned = |angle: f64| Pose { pos: Vec3::ZERO, rot: Quat::from_rotation_z(angle) };
    for k in 1..=20 {
        // A third of a turn at a time, from outside.
        let angle = f64::from(k) * std::f64::consts::TAU / 3.0;
        w.set_pose(a.0, turned(angle)).unwrap();
        w.set_pose(b.0, Pose { pos: Vec3::X, ..turned(angle) }).unwrap();
        w.step(STEP).unwrap();
        let at = positions(&w, gear);
        assert!((at[0] - angle).abs() < 1e-9 && (at[1] - angle).abs() < 1e-9, "{at:?} against {angle}");
    }
}

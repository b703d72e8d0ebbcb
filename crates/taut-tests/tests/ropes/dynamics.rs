//! The mechanism in its own freedoms: ropes, what gives, and where joints push.

use crate::common::agree::{assert_the_step_agrees, assert_vectors, largest};
use crate::common::{assert_close, ball, rod};
use taut::{
    Ball, Body, BodyId, Cylindrical, Distance, Error, Force, Freedom, Hinge, Joint, JointId, Limit, Motor, Pose,
    Prismatic, Quat, Rope, Softness, Spring, Vec3, World, control::Unit,
};

/// A trolley on a rail and a load of 5 kg that hangs 2 m below it on some joint.
fn hoist(w: &mut World, joint: impl Fn(BodyId, BodyId) -> Joint, below: f64) -> (JointId, JointId, BodyId) {
    let trolley = w.add(Body::dynamic(ball(2.0, 0.2))).unwrap();
    let ground = w.ground();
    let rail = w.add(Prismatic::between(trolley, ground).at(Vec3::ZERO).axis(Vec3::X).named("rail")).unwrap();
    let load = w.add(Body::particle(5.0).at(-below * Vec3::Y).named("load")).unwrap();
    let rope = w.add(joint(load, trolley).named("rope")).unwrap();
    (rail, rope, load)
}

#[test]
fn a_taut_rope_carries_its_load_and_a_slack_one_nothing() {
    let mut w = World::new();
    let (rail, rope, load) = hoist(&mut w, |i, j| Rope::between(i, j).length(2.0), 2.0);
    let d = w.dynamics().unwrap();
    let rows: Vec<_> = d.loop_rows().copied().collect();
    assert_eq!(rows, [taut::control::LoopRow { joint: rope, coupling: None, unit: Unit::Metre, pulls: true }]);
    let held = d.hold_with(&[rail]).unwrap();
    assert_close(held.loop_forces[0], -5.0 * 9.81, 1e-12, 0.0, "tension");
    assert_close(held.of(rail)[0], 0.0, 0.0, 1.0, "rail");
    // In motion it pulls harder: m g + m v^2/l.
    w.set_velocity(load, 3.0 * Vec3::X, Vec3::ZERO).unwrap();
    let d = w.dynamics().unwrap();
    let a = d.forward(&vec![0.0; d.dofs().len()]).unwrap();
    assert_close(d.loop_forces(&vec![0.0; a.len()]).unwrap()[0], -5.0 * (9.81 + 4.5), 1e-12, 0.0, "swinging");
    assert_the_step_agrees(&w, 1e-5, "swinging");
    // Steps leave it taut.
    for _ in 0..300 {
        w.step(1.0 / 60.0).unwrap();
        assert_eq!(w.dynamics().unwrap().loop_rows().count(), 1);
    }
    // Above the trolley it would have to push: it is slack, and the load falls.
    let mut w = World::new();
    let (rail, _, _) = hoist(&mut w, |i, j| Rope::between(i, j).length(2.0), -2.0);
    let d = w.dynamics().unwrap();
    let force = vec![0.0; d.dofs().len()];
    assert_eq!(d.loop_forces(&force).unwrap(), [0.0]);
    let own = d.dofs().iter().position(|d| d.name == "load y").unwrap();
    assert_close(d.forward(&force).unwrap()[own], -9.81, 1e-12, 0.0, "fall");
    let text = d.hold_with(&[rail]).unwrap_err().to_string();
    assert_eq!(text, "efforts at rail: expected joints that can carry it all; missing are 49.050000 N at load y");
    // A longer one is slack.
    let mut w = World::new();
    hoist(&mut w, |i, j| Rope::between(i, j).length(2.1), 2.0);
    assert_eq!(w.dynamics().unwrap().loop_rows().count(), 0);
}

#[test]
fn two_ropes_share_or_one_goes_slack() {
    // A load between two ropes that pull it up and down, and sideways.
    let mut w = World::new();
    let load = w.add(Body::particle(1.0)).unwrap();
    let ground = w.ground();
    for end in [Vec3::new(0.6, 0.8, 0.0), Vec3::new(0.0, -1.0, 0.0)] {
        w.add(Rope::between(load, ground).length(1.0).ends(Vec3::ZERO, end)).unwrap();
    }
    let d = w.dynamics().unwrap();
    // Its weight alone swings it on the upper rope, away from the lower one's end or not.
    let forces = d.loop_forces(&[0.0; 3]).unwrap();
    assert_close(forces[0], -0.8 * 9.81, 1e-12, 0.0, "upper rope");
    assert_eq!(forces[1], 0.0);
    // Pulled up and to the left both are needed.
    let forces = d.loop_forces(&[-20.0, 30.0, 0.0]).unwrap();
    assert!(forces[0] < -1.0 && forces[1] < -1.0, "{forces:?}");
    let a = d.forward(&[-20.0, 30.0, 0.0]).unwrap();
    assert!(largest(&a) < 1e-12, "{a:?}");
    // Pushed down and to the right none is.
    let forces = d.loop_forces(&[20.0, 30.0, 0.0]).unwrap();
    assert!(forces[0] == 0.0 && forces[1] < -1.0, "{forces:?}");
}

#[test]
fn what_gives_acts_by_its_law() {
    let (k, c) = (800.0, 3.0);
    let soft = |joint: Joint| joint.length(1.9).linear(Softness::spring(k, c));
    let rope = |i, j| soft(Rope::between(i, j));
    let rod = |i, j| soft(Distance::between(i, j));
    for between in [&rope as &dyn Fn(BodyId, BodyId) -> Joint, &rod] {
        let mut w = World::new();
        let (_, joint, load) = hoist(&mut w, between, 2.0);
        w.set_velocity(load, -2.0 * Vec3::Y, Vec3::ZERO).unwrap();
        let d = w.dynamics().unwrap();
        assert_eq!(d.loop_rows().count(), 0);
        let y = d.dofs().iter().position(|d| d.name == "load y").unwrap();
        assert_close(d.applied()[y], k * 0.1 + c * 2.0, 1e-12, 0.0, w.joint(joint).unwrap().kind());
        assert_the_step_agrees(&w, 1e-5, w.joint(joint).unwrap().kind());
        // At rest the damper does nothing: what is missing is weight less stretch.
        let error = d.hold_with(&[]).unwrap_err();
        let Error::Unbalanced { missing, .. } = &error else { panic!("{error}") };
        assert_close(missing[0].missing, 5.0 * 9.81 - 0.1 * k, 1e-12, 0.0, w.joint(joint).unwrap().kind());
    }
    // Slack it does nothing, and damping alone never makes it push.
    for (below, velocity) in [(1.8, -2.0), (2.0, 40.0)] {
        let mut w = World::new();
        let (_, _, load) = hoist(&mut w, rope, below);
        w.set_velocity(load, velocity * Vec3::Y, Vec3::ZERO).unwrap();
        assert!(w.dynamics().unwrap().applied().iter().all(|&f| f == 0.0), "{below} {velocity}");
    }
    // A soft stop of a hinge.
    let stop = [Limit::new(-1.0, 0.1).on(Freedom::Turn).soft(Softness::spring(50.0, 0.0))];
    let mut w = World::new();
    let arm = w.add(Body::dynamic(crate::common::rod(1.0, 1.0, 0.05))).unwrap();
    let ground = w.ground();
    w.add(Hinge::between(arm, ground).at(Vec3::ZERO).axis(Vec3::Z).stops(stop)).unwrap();
    w.set_pose(arm, Pose { pos: Vec3::ZERO, rot: Quat::from_rotation_z(0.3) }).unwrap();
    assert_close(w.dynamics().unwrap().applied()[0], -50.0 * 0.2, 1e-12, 0.0, "stop");
}

#[test]
fn what_balances_but_for_rounding_is_held() {
    // Springs that hold a load by themselves, at lengths that no binary fraction has.
    let mut w = World::new();
    let load = w.add(Body::particle(0.3)).unwrap();
    let ground = w.ground();
    let mut spring = |end: Vec3, pull: f64| {
        let k = 1e5 / 3.0;
        let rest_length = end.length() - pull / k;
        let spring =
            Spring { i: load, j: ground, point_i: Vec3::ZERO, point_j: end, stiffness: k, damping: 1.0, rest_length };
        w.add(Force::Spring(spring)).unwrap();
    };
    let sideways = 7e3 / 9.0;
    spring(Vec3::new(0.7, 0.0, 0.0), sideways);
    spring(Vec3::new(-0.7, 0.0, 0.0), sideways);
    spring(Vec3::new(0.0, 1.1, 0.0), 0.3 * 9.81);
    let d = w.dynamics().unwrap();
    assert!(d.holding().unwrap().efforts.is_empty());
    // A ten thousandth of a newton is not rounding.
    w.apply_force(load, 1e-4 * Vec3::Y, Vec3::ZERO).unwrap();
    let text = w.dynamics().unwrap().holding().unwrap_err().to_string();
    assert!(text.contains("missing are -1.000000e-4 N at body #1 y"), "{text}");
}

#[test]
fn joints_push_where_their_motors_are() {
    // A sleeve that slides and turns; its motor drives the slide alone.
    let mut w = World::new();
    let arm = w.add(Body::dynamic(rod(2.0, 1.0, 0.05)).at(0.5 * Vec3::X)).unwrap();
    let ground = w.ground();
    let sleeve = Cylindrical::between(arm, ground).at(Vec3::ZERO).axis(Vec3::Y).named("sleeve");
    let sleeve = w.add(sleeve.motor(Motor::rate().on(Freedom::Slide))).unwrap();
    let held = w.dynamics().unwrap().holding().unwrap();
    assert_eq!((held.efforts.len(), held.efforts[0].name.as_str()), (1, "sleeve slide"));
    assert_vectors(&held.of(sleeve), &[2.0 * 9.81, 0.0], 1e-14, "sleeve");
    // A winch that no rope limits: a motor on a length.
    let mut w = World::new();
    let rope = |i, j| Rope::between(i, j).length(9.0).motor(Motor::rate());
    let (rail, winch, load) = hoist(&mut w, rope, 2.0);
    let d = w.dynamics().unwrap();
    let held = d.hold_with(&[winch, rail]).unwrap();
    assert_vectors(&held.of(winch), &[-5.0 * 9.81], 1e-12, "winch");
    w.apply_effort(winch, &held.of(winch)).unwrap();
    assert!(largest(&w.dynamics().unwrap().forward(&vec![0.0; d.dofs().len()]).unwrap()) < 1e-12);
    w.set_velocity(load, 2.0 * Vec3::X, Vec3::ZERO).unwrap();
    let d = w.dynamics().unwrap();
    let a = d.follow(&[winch, rail], &[0.0, 0.0]).unwrap();
    let y = d.dofs().iter().position(|d| d.name == "load y").unwrap();
    assert_close(a[y], 4.0 / 2.0, 1e-12, 0.0, "on a circle");
    // A particle cannot be turned, and a weld has nothing to push at.
    let mut w = World::new();
    let bead = w.add(Body::particle(1.0)).unwrap();
    let ground = w.ground();
    let pin = w.add(Ball::between(bead, ground).at(Vec3::ZERO).axis(Vec3::Z)).unwrap();
    let text = w.dynamics().unwrap().hold_with(&[pin]).unwrap_err().to_string();
    assert!(text.contains("joint that carries effort") && text.contains("no particles"), "{text}");
    assert!(w.apply_effort(pin, &[]).unwrap_err().to_string().contains("no particles"));
    assert!(w.dynamics().unwrap().holding().unwrap().efforts.is_empty(), "held by its pin");
}

#[test]
fn rods_of_a_truss_carry_its_load() {
    // A load between two rods that hang at different angles.
    let mut w = World::new();
    let load = w.add(Body::particle(10.0)).unwrap();
    let ground = w.ground();
    let ends = [Vec3::new(-3.0, 4.0, 0.0), Vec3::new(4.0, 3.0, 0.0), Vec3::new(0.0, 0.0, 2.0)];
    for end in ends {
        w.add(Distance::between(load, ground).length(end.length()).ends(Vec3::ZERO, end)).unwrap();
    }
    let held = w.dynamics().unwrap().holding().unwrap();
    // At right angles to each other: each takes its part of the weight.
    assert_vectors(&held.loop_forces, &[-98.1 * 0.8, -98.1 * 0.6, 0.0], 1e-14, "tensions");
    assert!(held.efforts.is_empty());
}

#[test]
fn a_mechanism_without_freedoms_has_empty_answers() {
    let mut w = World::new();
    let blocks = [0.0, 1.0].map(|x| w.add(Body::dynamic(ball(1.0, 0.2)).at(x * Vec3::X)).unwrap());
    let ground = w.ground();
    for (i, j) in [(blocks[0], ground), (blocks[1], ground), (blocks[0], blocks[1])] {
        w.add(Joint::of(taut::Weld::default(), i, j).at(0.5 * Vec3::X).axis(Vec3::Z)).unwrap();
    }
    let d = w.dynamics().unwrap();
    assert_eq!((d.dofs().len(), d.loop_rows().count(), d.mass_matrix().rows()), (0, 6, 0));
    assert_eq!(d.forward(&[]).unwrap(), [0.0; 0]);
    assert_eq!((d.loop_forces(&[]).unwrap(), d.holding().unwrap().loop_forces), (vec![0.0; 6], vec![0.0; 6]));
    assert_eq!(d.jacobian(blocks[0], Vec3::ZERO).unwrap().columns(), 0);
}

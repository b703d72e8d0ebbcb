//! Projection of poses and velocities onto chosen joints and their limits.

use taut::assembly::Projection;
use taut::prelude::*;

fn link(mass: f64) -> MassProperties {
    MassProperties::cuboid(1000.0, Vec3::new(0.5, 0.05, 0.05)).unwrap().with_mass(mass).unwrap()
}

/// Two bodies that a weld should hold together, 1 m apart: each moves by its part of the other's mass.
#[test]
fn the_lighter_body_moves_more() {
    let mut world = World::new();
    let a = world.add(Body::particle(1.0)).unwrap();
    let b = world.add(Body::particle(3.0).at(2.0 * Vec3::X)).unwrap();
    world.add(Distance::between(a, b).length(1.0)).unwrap();
    let done = world.project(&Projection::default()).unwrap();
    assert!(done.closed && done.gap < 1e-9 && done.redundant.is_empty(), "{done:?}");
    assert!((world.body(a).unwrap().position().x - 0.75).abs() < 1e-9);
    assert!((world.body(b).unwrap().position().x - 1.75).abs() < 1e-9);
    assert!((done.moved - 0.75).abs() < 1e-9);
}

/// A chain in zigzag whose joints are up to 0.1 m open, with a million times the weight of a link at its end.
#[test]
fn a_chain_with_a_heavy_end_is_closed_in_a_few_passes() {
    let mut world = World::new();
    let (mut above, mut end, mut tip) = (world.ground(), Vec3::ZERO, Vec3::ZERO);
    for k in 0..40 {
        let turn = Quat::from_rotation_z(if k % 2 == 0 { 0.5 } else { -0.5 });
        let off = 0.03 * Vec3::new(f64::from(k % 3), f64::from(k % 5), -f64::from(k % 2));
        let mass = if k == 39 { 1e6 } else { 1.0 };
        let at = tip + turn * (0.5 * Vec3::X) + off;
        let next = world.add(Body::dynamic(link(mass)).at(at).rotated(turn)).unwrap();
        world.add(Ball::between(next, above).ends(tip + off, end)).unwrap();
        (above, tip, end) = (next, tip + turn * Vec3::X, tip + turn * Vec3::X + off);
    }
    let heavy = world.body(above).unwrap().position();
    let done = world.project(&Projection::default()).unwrap();
    assert!(done.closed && done.gap < 1e-9 && done.passes < 20, "{done:?}");
    let moved = world.body(above).unwrap().position().distance(heavy);
    assert!(moved < 1e-3, "the heavy one moved by {moved}");
    let widest = world.joints().map(|j| j.gap()).fold(0.0, f64::max);
    assert!(widest < 1e-9);
}

#[test]
fn limits_and_ropes_are_kept_and_only_where_they_are_passed() {
    let mut world = World::new();
    let arm = world.add(Body::dynamic(link(2.0)).at(0.5 * Vec3::X)).unwrap();
    let hinge = world.add(Hinge::between(arm, world.ground()).at(Vec3::ZERO).axis(Vec3::Z).limit(-0.5, 0.25)).unwrap();
    let bob = world.add(Body::particle(1.0).at(Vec3::new(1.0, -3.0, 0.0))).unwrap();
    let rope = world.add(Rope::between(bob, arm).ends(Vec3::new(1.0, -3.0, 0.0), Vec3::X).length(2.0)).unwrap();
    let free = world.add(Body::particle(1.0).at(9.0 * Vec3::X)).unwrap();
    let loose = world.add(Rope::between(free, world.ground()).length(20.0)).unwrap();
    // Turned beyond its limit, about its pin.
    let turn = Quat::from_rotation_z(0.9);
    world.set_pose(arm, Pose { pos: turn * (0.5 * Vec3::X), rot: turn }).unwrap();
    let before = world.body(free).unwrap().pose();
    let done = world.project(&Projection::default()).unwrap();
    assert!(done.closed && done.excess < 1e-9, "{done:?}");
    let q = world.joint(hinge).unwrap().position().unwrap();
    assert!(q <= 0.25 + 1e-9, "{q}");
    let (a, b) = world.joint(rope).unwrap().points();
    assert!(a.distance(b) <= 2.0 + 1e-9, "{}", a.distance(b));
    assert_eq!(world.body(free).unwrap().pose(), before);
    assert!(world.joint(loose).is_ok());
    // Without limits the arm may stay where it is.
    world.set_pose(arm, Pose { pos: turn * (0.5 * Vec3::X), rot: turn }).unwrap();
    let done = world.project(&Projection { limits: false, ..Projection::default() }).unwrap();
    assert!(done.closed && world.joint(hinge).unwrap().position().unwrap() > 0.8);
}

#[test]
fn only_chosen_joints_are_closed() {
    let mut world = World::new();
    let (a, b) = (
        world.add(Body::particle(1.0).at(Vec3::X)).unwrap(),
        world.add(Body::particle(1.0).at(3.0 * Vec3::Y)).unwrap(),
    );
    let first = world.add(Distance::between(a, world.ground()).length(2.0)).unwrap();
    let second = world.add(Distance::between(b, world.ground()).length(2.0)).unwrap();
    let chosen = Projection { joints: Some(vec![first]), ..Projection::default() };
    assert!(world.project(&chosen).unwrap().closed);
    assert!((world.body(a).unwrap().position() - 2.0 * Vec3::X).length() < 1e-9);
    assert_eq!(world.body(b).unwrap().position(), 3.0 * Vec3::Y);
    world.remove(second).unwrap();
    let stale = Projection { joints: Some(vec![second]), ..Projection::default() };
    assert!(world.project(&stale).unwrap_err().to_string().contains("joint"));
}

#[test]
fn velocities_become_consistent_and_keep_the_momentum_of_what_is_free() {
    let mut world = World::new();
    let a = world.add(Body::dynamic(link(1.0)).at(0.5 * Vec3::X).moving(2.0 * Vec3::Y, Vec3::ZERO)).unwrap();
    let b = world.add(Body::dynamic(link(4.0)).at(1.5 * Vec3::X).moving(Vec3::new(1.0, -1.0, 0.5), Vec3::Z)).unwrap();
    world.add(Ball::between(b, a).at(Vec3::X)).unwrap();
    let momentum = |w: &World| w.bodies().map(|b| b.momentum()).sum::<Vec3>();
    let before = momentum(&world);
    let done = world.project(&Projection { velocities: true, ..Projection::default() }).unwrap();
    assert!(done.closed && done.passes == 0);
    let at = |id| world.body(id).unwrap().velocity_at(Vec3::X);
    assert!((at(a) - at(b)).length() < 1e-12);
    assert!((momentum(&world) - before).length() < 1e-12);
    // A stop that is reached is not run into, and may be left.
    let slider = world.add(Body::dynamic(link(1.0)).at(9.0 * Vec3::Y).moving(Vec3::X, Vec3::ZERO)).unwrap();
    let slide = Prismatic::between(slider, world.ground()).axis(Vec3::X).limit(-1.0, 0.0);
    let slide = world.add(slide).unwrap();
    world.project(&Projection { velocities: true, ..Projection::default() }).unwrap();
    assert!(world.joint(slide).unwrap().rate().unwrap().abs() < 1e-12);
    world.set_velocity(slider, -Vec3::X, Vec3::ZERO).unwrap();
    world.project(&Projection { velocities: true, ..Projection::default() }).unwrap();
    assert!((world.joint(slide).unwrap().rate().unwrap() + 1.0).abs() < 1e-12);
}

#[test]
fn what_cannot_be_closed_is_named_and_nothing_has_changed() {
    let mut world = World::new();
    let rod = world.add(Body::dynamic(link(1.0)).at(Vec3::Y)).unwrap();
    let left =
        world.add(Ball::between(rod, world.ground()).ends(Vec3::new(-0.5, 1.0, 0.0), -Vec3::X).named("left")).unwrap();
    let right =
        world.add(Ball::between(rod, world.ground()).ends(Vec3::new(0.5, 1.0, 0.0), Vec3::X).named("right")).unwrap();
    let before = world.state().hash();
    let done = world.project(&Projection::default()).unwrap();
    assert!(!done.closed && done.gap > 0.49, "{done:?}");
    assert_eq!(done.contradicting, [left, right]);
    assert_eq!(world.state().hash(), before);
    assert!(world.project(&Projection { gap: 0.0, ..Projection::default() }).is_err());
    assert!(world.project(&Projection { passes: 0, ..Projection::default() }).is_err());
}

#[test]
fn redundant_joints_are_named_and_do_no_harm() {
    let mut world = World::new();
    let plate = world.add(Body::dynamic(link(1.0)).at(0.1 * Vec3::Y)).unwrap();
    let hinge = |x: f64| Hinge::between(plate, world.ground()).ends(Vec3::new(x, 0.1, 0.0), x * Vec3::X).axis(Vec3::X);
    let (a, b) = (hinge(-0.5), hinge(0.5));
    let (a, b) = (world.add(a).unwrap(), world.add(b).unwrap());
    let done = world.project(&Projection::default()).unwrap();
    assert!(done.closed && done.contradicting.is_empty(), "{done:?}");
    assert!(done.redundant == [a] || done.redundant == [b], "{done:?}");
    assert!(world.body(plate).unwrap().position().length() < 1e-9);
}

//! The mechanism in its own freedoms: loops, rods, ropes, compliant joints, and efforts at chosen joints.

use crate::common::agree::{assert_the_step_agrees, assert_vectors, largest, without_step};
use crate::common::linkage::{Coordinates, Linkage, moving, random};
use crate::common::{Rng, assert_close, four_bar, four_bar_points, rod, world};
use std::sync::Arc;
use taut::constraint::{Primitive, Side};
use taut::joints::catalogue;
use taut::{
    Ball, Body, BodyId, Cable, Distance, Error, Hinge, Joint, JointId, JointKind, MassProperties, Mat3, Motor, Options,
    Prismatic, Quat, Softness, TreeRole, Vec3, World, control::Dynamics, control::Unit, joints::FlexibleCable,
    joints::PointOnLine, joints::RowBuilder,
};
use taut_solve::least_squares::LeastNorm;

/// A joint that closes a loop of a linkage: its bodies, as parts, and its primitives.
struct Closed {
    ends: [usize; 2],
    primitives: Vec<Primitive>,
    joint: JointId,
}

/// Joins two parts of a linkage as they are now.
fn close(l: &mut Linkage, ends: [usize; 2], kind: Arc<dyn JointKind>, point: Vec3, axis: Vec3) -> Closed {
    let [i, j] = ends.map(|k| l.parts[k].id);
    // The ends of a rod are apart.
    let other = if kind.name() == "distance" { point + axis } else { point };
    let mut joint = Joint::of(kind.clone(), i, j).ends(point, other).axis(axis).role(TreeRole::Loop);
    if kind.needs_across().is_some() {
        joint = joint.across(axis.any_orthogonal_vector());
    }
    let id = l.world.add(joint).unwrap();
    let mut rows = RowBuilder::new(l.world.joint(id).unwrap().frames());
    kind.rows(&mut rows);
    Closed { ends, primitives: rows.primitives(), joint: id }
}

/// What the rows of a joint measure at some coordinates.
fn measured(l: &Linkage, c: &Closed, q: &[Coordinates]) -> Vec<f64> {
    let poses = l.poses(q);
    let side = |k: usize| Side { pos: poses[k].pos, rot: Mat3::from_quat(poses[k].rot) };
    let [i, j] = c.ends.map(side);
    c.primitives.iter().flat_map(|p| p.phi(&i, &j)[..p.rows()].to_vec()).collect()
}

#[test]
fn loop_rows_match_finite_differences_of_what_they_measure() {
    let e = 1e-4;
    let mut seen = 0;
    for seed in 0..26 {
        let (mut l, d, rates) = moving(seed, false);
        // Roots that move would move the rows too.
        l.push_off(&rates, Vec3::ZERO, Vec3::ZERO);
        let mut r = Rng(seed);
        let mut joints = catalogue();
        let joint: Arc<dyn JointKind> = joints.swap_remove(seed as usize % joints.len()).into();
        let ends = [r.below(4), 4 + r.below(4)];
        let (point, axis) = (r.vec(1.0), r.unit());
        let c = close(&mut l, ends, joint.clone(), point, axis);
        let rigid = match joint.name() {
            "cable" => 3,
            "flexible-cable" => 0,
            _ => c.primitives.iter().map(Primitive::rows).sum(),
        };
        let now = l.world.dynamics().unwrap();
        assert_eq!(now.dofs(), d.dofs());
        let g = now.loop_jacobian();
        assert_eq!((g.rows(), g.columns()), (rigid, d.dofs().len()), "{}", joint.name());
        assert!(now.loop_rows().all(|r| r.joint == c.joint && !r.pulls));
        seen += usize::from(rigid > 0);
        let at = |rates: &[f64], t: f64| measured(&l, &c, &l.moved(&d, rates, t));
        for k in 0..d.dofs().len() {
            let mut one = vec![0.0; d.dofs().len()];
            one[k] = 1.0;
            let (a, b) = (at(&one, -e), at(&one, e));
            for row in 0..rigid {
                let fd = (b[row] - a[row]) / (2.0 * e);
                assert!((fd - g[(row, k)]).abs() < 1e-6, "{} row {row}: {fd} {}", joint.name(), g[(row, k)]);
            }
        }
        let (a, b, c) = (at(&rates, -e), at(&rates, 0.0), at(&rates, e));
        for (row, drift) in now.loop_drift().into_iter().enumerate() {
            let fd = (a[row] - 2.0 * b[row] + c[row]) / (e * e);
            assert!((fd - drift).abs() < 1e-5 * (1.0 + drift.abs()), "{} row {row}: {fd} {drift}", joint.name());
        }
    }
    assert!(seen > 20);
}

/// The rates nearest to these that keep the loops closed.
fn closed_rates(d: &Dynamics, rates: &[f64]) -> Vec<f64> {
    let g = d.loop_jacobian();
    let columns = g.as_slice().to_vec();
    let f = LeastNorm::new(g.columns(), columns, 1e-6);
    let mut out = rates.to_vec();
    f.leave(&mut out);
    out
}

#[test]
fn the_step_gives_loops_the_accelerations_that_the_freedoms_say() {
    let mut mobile = 0;
    for seed in 0..24 {
        let (mut l, _, rates) = moving(seed, seed % 2 == 1);
        let mut r = Rng(seed);
        let rigid: Vec<usize> =
            (0..9).filter(|&k| l.world.body(l.parts[k].id).unwrap().motion() == taut::Motion::Dynamic).collect();
        for _ in 0..2 {
            let (a, b) = (rigid[r.below(rigid.len())], rigid[r.below(rigid.len())]);
            if a == b {
                continue;
            }
            let soft = Softness::spring(200.0, 1.0);
            let joints: [Arc<dyn JointKind>; 5] = [
                Arc::new(Ball::default()),
                Arc::new(PointOnLine::default()),
                Arc::new(Cable { axial: Softness::RIGID, bending: soft, torsion: soft }),
                Arc::new(FlexibleCable { axial: soft, shear: soft, bending: soft, torsion: soft }),
                Arc::new(Ball { point: soft }),
            ];
            let (point, axis) = (r.vec(1.0), r.unit());
            close(&mut l, [a, b], joints[r.below(5)].clone(), point, axis);
        }
        let (i, j) = (l.parts[0].id, l.parts[8].id);
        let [p, q] = [i, j].map(|b| l.world.body(b).unwrap().position());
        l.world.add(Distance::between(i, j).length((p - q).length()).ends(p, q)).unwrap();
        let d = l.world.dynamics().unwrap();
        let rates = closed_rates(&d, &rates);
        mobile += usize::from(largest(&rates) > 1e-3);
        l.push_off(&rates, Vec3::ZERO, Vec3::ZERO);
        // The stiffest of them (seed 17) has an error of second order of 4e-4; that of the others is below 1e-5.
        assert_the_step_agrees(&l.world, 5e-4, &format!("seed {seed}"));
        // Loops stay closed: G a + drift = 0.
        let d = l.world.dynamics().unwrap();
        let a = d.forward(&random(&mut r, d.dofs().len(), 3.0)).unwrap();
        let open: Vec<f64> = d.loop_jacobian().times(&a).iter().zip(d.loop_drift()).map(|(a, b)| a + b).collect();
        assert!(largest(&open) < 1e-9 * (1.0 + largest(&a)), "seed {seed}: {}", largest(&open));
    }
    assert!(mobile > 15, "{mobile}");
}

#[test]
fn inverse_dynamics_with_loops_gives_back_the_forces_that_moved_them() {
    for seed in 0..20 {
        let (mut l, _, rates) = moving(seed, false);
        let mut r = Rng(seed);
        let ends = [r.below(4), 4 + r.below(4)];
        let (point, axis) = (r.vec(1.0), r.unit());
        close(&mut l, ends, Arc::new(Ball::default()), point, axis);
        let rates = closed_rates(&l.world.dynamics().unwrap(), &rates);
        l.push_off(&rates, Vec3::ZERO, Vec3::ZERO);
        let d = l.world.dynamics().unwrap();
        let force = random(&mut r, d.dofs().len(), 5.0);
        let (a, lambda) = (d.forward(&force).unwrap(), d.loop_forces(&force).unwrap());
        // Newton-Euler knows nothing of the loop: it asks for its forces too.
        let with: Vec<f64> =
            force.iter().zip(d.loop_jacobian().transposed_times(&lambda)).map(|(f, g)| f + g).collect();
        assert_vectors(&d.inverse(&a).unwrap(), &with, 1e-9, "open loop");
        // With the loop, efforts of all joints do the same work as the forces did.
        let joints: Vec<JointId> =
            l.parts.iter().filter_map(|p| p.joint).filter(|&j| !d.find(j).unwrap().is_empty()).collect();
        let free: usize = l.parts.iter().filter(|p| p.joint.is_none()).count();
        if free > 0 {
            continue;
        }
        let e = d.inverse_with(&joints, &a).unwrap();
        let mut found = vec![0.0; d.dofs().len()];
        for &j in &joints {
            found[d.find(j).unwrap()].copy_from_slice(&e.of(j));
        }
        assert_vectors(&d.forward(&found).unwrap(), &a, 1e-9, "accelerations");
    }
}

/// Potential energy of the four-bar at a crank angle, J, and the angle of its rocker.
fn four_bar_at(angle: f64) -> (f64, f64) {
    let pivot = Vec3::new(crate::common::FOUR_BAR[0], 0.0, 0.0);
    let (a, b) = four_bar_points(angle);
    // The bars weigh a kilogram for each metre.
    let weight = |p: Vec3, q: Vec3| (p - q).length() * 9.81 * 0.5 * (p + q).y;
    let rocker = b - pivot;
    (weight(Vec3::ZERO, a) + weight(a, b) + weight(pivot, b), rocker.y.atan2(rocker.x))
}

fn slope(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let e = 1e-5;
    (8.0 * (f(x + e) - f(x - e)) - (f(x + 2.0 * e) - f(x - 2.0 * e))) / (12.0 * e)
}

#[test]
fn a_four_bar_is_held_by_the_torque_of_virtual_work_whichever_joint_closes_the_loop() {
    for angle in [0.3, 1.0, 2.2, 4.0] {
        let mut w = World::new();
        let f = four_bar(&mut w, angle);
        let torque = slope(|t| four_bar_at(t).0, angle);
        let rocker = slope(|t| four_bar_at(t).1, angle);
        for open in 0..4 {
            for (k, joint) in f.joints.iter().enumerate() {
                w.set_tree_role(*joint, if k == open { TreeRole::Loop } else { TreeRole::Auto }).unwrap();
            }
            let d = w.dynamics().unwrap();
            assert_eq!((d.dofs().len(), d.loop_rows().count()), (3, 5));
            let held = d.hold_with(&[f.joints[0]]).unwrap();
            assert_close(held.of(f.joints[0])[0], torque, 1e-9, 1.0, "crank");
            assert_close(d.hold_with(&[f.joints[2]]).unwrap().of(f.joints[2])[0], torque / rocker, 1e-9, 1.0, "rocker");
            // Two motors share: the least sum of squares goes with the rates.
            let both = d.hold_with(&[f.joints[0], f.joints[2]]).unwrap();
            let share = torque / (1.0 + rocker * rocker);
            assert_close(both.of(f.joints[0])[0], share, 1e-8, 1.0, "first of two");
            assert_close(both.of(f.joints[2])[0], share * rocker, 1e-8, 1.0, "second of two");
            assert!(both.of(f.joints[1]).is_empty());
            // Nobody: what is missing would hold it.
            let error = d.hold_with(&[]).unwrap_err();
            let Error::Unbalanced { missing, .. } = &error else { panic!("{error}") };
            assert!(error.to_string().starts_with("efforts at none: expected joints"), "{error}");
            let mut left = vec![0.0; 3];
            missing.iter().for_each(|m| left[m.dof] = m.missing);
            assert!(largest(&left) > 0.1 && largest(&d.forward(&left).unwrap()) < 1e-9, "{left:?}");
        }
    }
}

#[test]
fn loops_of_redundant_rows_are_held_alike_after_many_steps() {
    let mut w = World::new();
    let f = four_bar(&mut w, 1.0);
    // The same in a tilted plane, where nothing is zero but for rounding.
    let (q, mut t) = (Rng(3).quat(), World::new());
    let ids = [f.crank, f.coupler, f.rocker].map(|b| {
        let v = w.body(b).unwrap();
        let props = MassProperties::new(v.mass(), v.inertia()).unwrap();
        t.add(Body::dynamic(props).at(q * v.pose().pos).rotated(q * v.pose().rot)).unwrap()
    });
    let (a, b) = four_bar_points(1.0);
    let ground = t.ground();
    let mut pin = |i: BodyId, j: BodyId, p: Vec3| t.add(Hinge::between(i, j).at(q * p).axis(q * Vec3::Z)).unwrap();
    let crank = pin(ids[0], ground, Vec3::ZERO);
    pin(ids[1], ids[0], a);
    pin(ids[2], ground, Vec3::new(crate::common::FOUR_BAR[0], 0.0, 0.0));
    pin(ids[1], ids[2], b);
    for _ in 0..300 {
        let d = t.dynamics().unwrap();
        // The power of gravity is that of the torque against it.
        let rates = closed_rates(&d, &[1.0, 0.0, 0.0]);
        let power: f64 = d.gravity().iter().zip(&rates).map(|(g, r)| g * r).sum();
        let held = d.hold_with(&[crank]).unwrap();
        let own = d.find(crank).unwrap().start;
        assert_close(held.of(crank)[0] * rates[own], power, 1e-5, 0.1, "power");
        assert!(largest(&held.loop_forces) < 20.0, "{:?}", held.loop_forces);
        assert!(d.hold_with(&[]).is_err());
        let a = d.follow(&[crank], &[3.0]).unwrap();
        d.inverse_with(&[crank], &a).unwrap();
        t.step(1.0 / 60.0).unwrap();
    }
}

/// Rates after a step in which the crank of a four-bar was pushed for a wanted acceleration, less what was asked for.
fn four_bar_error(w: &World, crank: JointId, wanted: f64, h: f64) -> Vec<f64> {
    let mut w = w.clone();
    w.step(h).unwrap();
    let d = w.dynamics().unwrap();
    let a = d.follow(&[crank], &[wanted]).unwrap();
    let own = d.find(crank).unwrap().start;
    assert_close(a[own], wanted, 1e-9, 1.0, "as asked");
    let e = d.inverse_with(&[crank], &a).unwrap();
    w.apply_effort(crank, &e.of(crank)).unwrap();
    w.step(h).unwrap();
    let after = w.dynamics().unwrap();
    let gained = after.velocities().iter().zip(d.velocities()).map(|(x, y)| (x - y) / h);
    gained.zip(&a).map(|(x, y)| x - y).collect()
}

#[test]
fn one_motor_gives_a_moving_four_bar_the_wanted_acceleration() {
    let mut w = World::new();
    let f = four_bar(&mut w, 1.0);
    w.set_tree_role(f.joints[3], TreeRole::Loop).unwrap();
    let d = w.dynamics().unwrap();
    let mut rates = closed_rates(&d, &[1.0, 0.0, 0.0]);
    let scale = 2.0 / rates[d.find(f.joints[0]).unwrap().start];
    rates.iter_mut().for_each(|x| *x *= scale);
    for b in [f.crank, f.coupler, f.rocker] {
        let v = d.jacobian(b, w.body(b).unwrap().position()).unwrap().times(&rates);
        w.set_velocity(b, Vec3::new(v[0], v[1], v[2]), Vec3::new(v[3], v[4], v[5])).unwrap();
    }
    assert_the_step_agrees(&w, 1e-6, "four-bar");
    let error = largest(&without_step(|h| four_bar_error(&w, f.joints[0], 5.0, h)));
    assert!(error < 1e-5, "{error}");
    // The joint that closes the loop can push as well.
    let d = w.dynamics().unwrap();
    let by_loop = d.follow(&[f.joints[3]], &[5.0]).unwrap();
    let e = d.inverse_with(&[f.joints[3]], &by_loop).unwrap();
    w.apply_effort(f.joints[3], &e.of(f.joints[3])).unwrap();
    assert_vectors(&w.dynamics().unwrap().forward(&[0.0; 3]).unwrap(), &by_loop, 1e-9, "pushed at the loop");
    // Accelerations that open the loop are refused.
    let text = d.inverse_with(&[f.joints[0]], &[1.0, 0.0, 0.0]).unwrap_err().to_string();
    assert!(text.starts_with("acceleration = one that opens hinge #3 by "), "{text}");
    assert!(text.contains("expected one that keeps all loops closed"), "{text}");
    let text = d.follow(&[f.joints[0], f.joints[2]], &[1.0, -1.0]).unwrap_err().to_string();
    assert!(text.starts_with("acceleration of hinge #"), "{text}");
    assert!(text.contains("expected accelerations that the loops and the other joints allow"), "{text}");
}

#[test]
fn a_parallelogram_is_held_by_its_one_motor() {
    let (l, wide, tilt) = (0.8, 1.2, 0.5_f64);
    let mut w = World::new();
    let up = l * Vec3::new(tilt.cos(), tilt.sin(), 0.0);
    let turn = Quat::from_rotation_z(tilt);
    let feet = [Vec3::ZERO, wide * Vec3::X];
    let cranks = feet.map(|p| w.add(Body::dynamic(rod(1.0, l, 0.05)).at(p + 0.5 * up).rotated(turn)).unwrap());
    let table = w.add(Body::dynamic(rod(3.0, wide, 0.05)).at(up + 0.5 * wide * Vec3::X)).unwrap();
    let ground = w.ground();
    let hinge = |i, j, at| Hinge::between(i, j).at(at).axis(Vec3::Z);
    let motor = w.add(hinge(cranks[0], ground, feet[0]).motor(Motor::servo(1e3, 1e1))).unwrap();
    w.add(hinge(cranks[1], ground, feet[1])).unwrap();
    w.add(hinge(table, cranks[0], feet[0] + up)).unwrap();
    w.add(hinge(table, cranks[1], feet[1] + up)).unwrap();
    // The two cranks rise by half of what the table does.
    let torque = (3.0 + 0.5 + 0.5) * 9.81 * l * tilt.cos();
    let d = w.dynamics().unwrap();
    let held = d.holding().unwrap();
    assert_eq!((held.efforts.len(), held.efforts[0].joint, held.efforts[0].unit), (1, motor, Unit::Radian));
    assert_close(held.of(motor)[0], torque, 1e-12, 0.0, "motor");
    // The servo finds the same in the world, where it comes to rest.
    let position = w.motor(motor.motor(0)).unwrap().position();
    w.set_motor(motor.motor(0), taut::Command { target: position, rate: 0.0 }).unwrap();
    for _ in 0..4000 {
        w.step(0.005).unwrap();
    }
    let rest = w.dynamics().unwrap().holding().unwrap().of(motor)[0];
    assert_close(w.motor(motor.motor(0)).unwrap().effort(), rest, 1e-6, 0.0, "servo");
    assert!((rest - torque).abs() > 1e-3, "it has given way");
}

/// A boom on a hinge at the origin, held by a cylinder from a foot at `foot`: barrel and rod, which slide in each
/// other.
fn derrick(w: &mut World, angle: f64, unit: (f64, f64)) -> (JointId, JointId) {
    let (m, kg) = unit;
    let along = Vec3::new(angle.cos(), angle.sin(), 0.0);
    let (foot, pin) = (m * FOOT, m * PIN * along);
    let bar = |w: &mut World, from: Vec3, to: Vec3, mass: f64| {
        let turn = Quat::from_rotation_z((to - from).y.atan2((to - from).x));
        let props = rod(kg * mass, (to - from).length(), 0.05 * m);
        w.add(Body::dynamic(props).at(0.5 * (from + to)).rotated(turn)).unwrap()
    };
    let boom = bar(w, Vec3::ZERO, 4.0 * m * along, 50.0);
    let reach = (pin - foot).normalize();
    let barrel = bar(w, foot, foot + m * reach, 10.0);
    let piston = bar(w, pin - m * reach, pin, 6.0);
    let ground = w.ground();
    let luff = w.add(Hinge::between(boom, ground).at(Vec3::ZERO).axis(Vec3::Z)).unwrap();
    w.add(Hinge::between(barrel, ground).at(foot).axis(Vec3::Z)).unwrap();
    let stroke = w.add(Prismatic::between(piston, barrel).at(pin).axis(reach)).unwrap();
    w.add(Hinge::between(piston, boom).at(pin).axis(Vec3::Z)).unwrap();
    (luff, stroke)
}

const FOOT: Vec3 = Vec3::new(0.8, -0.7, 0.0);
const PIN: f64 = 1.9;

#[test]
fn a_derrick_is_held_by_the_force_of_virtual_work_in_its_cylinder() {
    let angle = 0.7;
    let pin = |t: f64| PIN * Vec3::new(t.cos(), t.sin(), 0.0);
    let stroke = |t: f64| (pin(t) - FOOT).length();
    let heights = |t: f64| {
        let reach = (pin(t) - FOOT).normalize();
        50.0 * 2.0 * t.sin() + 10.0 * (FOOT + 0.5 * reach).y + 6.0 * (pin(t) - 0.5 * reach).y
    };
    let force = 9.81 * slope(heights, angle) / slope(stroke, angle);
    let mut w = World::new();
    let (luff, cylinder) = derrick(&mut w, angle, (1.0, 1.0));
    let d = w.dynamics().unwrap();
    assert_close(d.hold_with(&[cylinder]).unwrap().of(cylinder)[0], force, 1e-9, 0.0, "cylinder");
    assert_close(
        d.hold_with(&[luff]).unwrap().of(luff)[0],
        9.81 * slope(heights, angle),
        1e-9,
        0.0,
        "winch at the hinge",
    );
    // Both at once, and the same in millimetres and grams: who does how much does not depend on the units.
    let both = d.hold_with(&[cylinder, luff]).unwrap();
    let (mm, g) = (1e3, 1e3);
    let mut small = world(Options { gravity: -9.81 * mm * Vec3::Y, ..Options::default() });
    let (luff, cylinder) = derrick(&mut small, angle, (mm, g));
    let scaled = small.dynamics().unwrap().hold_with(&[cylinder, luff]).unwrap();
    let [n, nm] = [g * mm, g * mm * mm];
    assert_close(scaled.of(cylinder)[0], n * both.efforts[0].value, 1e-9, 0.0, "force");
    assert_close(scaled.of(luff)[0], nm * both.efforts[1].value, 1e-9, 0.0, "torque");
    assert!(both.efforts.iter().all(|e| e.value.abs() > 1.0), "{both:?}");
}

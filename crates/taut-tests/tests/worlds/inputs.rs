//! One valid base, one thing wrong: the error names it, its value and what was expected, and nothing has changed.

use crate::common::{Rng, ball, rod, world};
use taut::{
    Ball, Body, BodyId, Cable, Cylindrical, Distance, Error, Force, ForceId, Frame, Frames, Freedom, Friction, Hinge,
    Joint, JointId, JointKind, Limit, MassProperties, Mat3, Motor, MouseSpring, Options, Planar, Pose, Prismatic, Quat,
    Range, Rope, Softness, Spring, Stabiliser, Strength, Universal, Vec3, Weld, Wheel, World, joints::FlexibleCable,
    joints::Ligament, joints::RowBuilder, settings::BoundedMethod, settings::InertialDamping,
};

const NAN: Vec3 = Vec3::new(0.0, f64::NAN, 0.0);

const LIGAMENT: Ligament =
    Ligament { rest_length: Some(1.0), soft_stiffness: 10.0, strain: 0.1, stiffness: 100.0, damping: 1.0 };

/// A world with one of everything.
struct Base {
    w: World,
    rod: BodyId,
    bob: BodyId,
    motor: BodyId,
    wall: BodyId,
    hinge: JointId,
    spring: ForceId,
    mouse: ForceId,
}

fn base() -> Base {
    let mut w = world(Options::default());
    let rod = w.add(Body::dynamic(rod(1.0, 1.0, 0.1)).at(Vec3::X * 0.5)).unwrap();
    let bob = w.add(Body::particle(2.0).at(Vec3::X * 2.0)).unwrap();
    let motor = w.add(Body::kinematic().at(Vec3::Y)).unwrap();
    let wall = w.add(Body::fixed().at(Vec3::Z)).unwrap();
    let hinge = w.add(Hinge::between(rod, w.ground()).at(Vec3::ZERO).axis(Vec3::Z)).unwrap();
    let spring = w.add(spring(rod, bob)).unwrap();
    let mouse = w.add(MouseSpring::new(bob, Vec3::ZERO, Vec3::Y)).unwrap();
    w.step(0.01).unwrap();
    Base { w, rod, bob, motor, wall, hinge, spring, mouse }
}

fn spring(i: BodyId, j: BodyId) -> Spring {
    Spring { i, j, point_i: Vec3::ZERO, point_j: Vec3::ZERO, stiffness: 9.0, damping: 1.0, rest_length: 1.0 }
}

/// The change is refused with an error that says all of `words`, and the world is as before and goes on as before.
#[track_caller]
fn refused<T: std::fmt::Debug>(words: &[&str], change: impl FnOnce(&mut Base) -> Result<T, Error>) {
    let mut b = base();
    let mut twin = base();
    let done = change(&mut b);
    let Err(error) = done else { panic!("should be refused: {words:?}, but gave {done:?}") };
    let text = error.to_string();
    for word in words.iter().chain(&["expected"]) {
        assert!(text.contains(word), "'{text}' does not say '{word}'");
    }
    let counts = |w: &World| (w.bodies().count(), w.joints().count(), *w.options());
    assert_eq!(counts(&b.w), counts(&twin.w));
    assert_eq!(b.w.state(), twin.w.state(), "{text}");
    b.w.step(0.01).unwrap();
    twin.w.step(0.01).unwrap();
    assert_eq!(b.w.state(), twin.w.state(), "after a step: {text}");
}

/// A valid body with one thing changed.
#[track_caller]
fn body_refused(words: &[&str], change: impl FnOnce(&mut Body)) {
    let mut def = Body::dynamic(ball(1.0, 0.1)).at(Vec3::Y * 3.0);
    change(&mut def);
    refused(words, |b| b.w.add(def));
}

#[test]
fn bodies_need_finite_positive_mass() {
    for (mass, said) in [(0.0, "0"), (-1.0, "-1"), (f64::NAN, "NaN"), (f64::INFINITY, "inf")] {
        body_refused(&["mass", said, "> 0 kg"], |d| d.mass.as_mut().unwrap().mass = mass);
        refused(&["mass", said, "positive, finite number of kg"], |b| b.w.add(Body::particle(mass)));
        refused(&["mass", said], |_| MassProperties::new(mass, Mat3::IDENTITY));
        refused(&["density", said], |_| MassProperties::sphere(mass, 0.1));
        refused(&["radius", said], |_| MassProperties::sphere(1.0, mass));
    }
    body_refused(&["mass", "none", "mass properties"], |d| d.mass = None);
}

#[test]
fn bodies_need_an_inertia_that_matter_can_have() {
    let inertia = |m: Mat3| move |d: &mut Body| d.mass.as_mut().unwrap().inertia = m;
    let diagonal = |x, y, z| Mat3::from_diagonal(Vec3::new(x, y, z));
    body_refused(&["inertia", "1, 1, 3", "I1 + I2 >= I3"], inertia(diagonal(1.0, 1.0, 3.0)));
    body_refused(&["inertia", "positive definite"], inertia(diagonal(1.0, 1.0, 0.0)));
    body_refused(&["inertia", "positive definite"], inertia(diagonal(-1.0, 1.0, 1.0)));
    body_refused(&["inertia", "positive definite"], inertia(Mat3::ZERO));
    body_refused(&["inertia", "NaN", "finite"], inertia(diagonal(f64::NAN, 1.0, 1.0)));
    let lopsided = Mat3::from_cols(Vec3::X, Vec3::new(0.3, 1.0, 0.0), Vec3::Z);
    body_refused(&["inertia", "0.3", "symmetric"], inertia(lopsided));
    body_refused(&["center", "NaN"], |d| d.mass.as_mut().unwrap().center = NAN);
}

#[test]
fn bodies_need_finite_poses_velocities_and_damping() {
    body_refused(&["body position", "NaN", "m"], |d| d.pose.pos = NAN);
    body_refused(&["body velocity", "NaN", "m/s"], |d| d.velocity = NAN);
    body_refused(&["body angular velocity", "NaN", "rad/s"], |d| d.angular_velocity = NAN);
    body_refused(&["rotation", "2", "unit quaternion"], |d| d.pose.rot = Quat::from_xyzw(0.0, 0.0, 0.0, 2.0));
    body_refused(&["rotation", "0", "unit quaternion"], |d| d.pose.rot = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    body_refused(&["rotation", "NaN", "unit quaternion"], |d| d.pose.rot = Quat::from_xyzw(0.0, 0.0, 0.0, f64::NAN));
    for (value, said) in [(-0.1, "-0.1"), (f64::NAN, "NaN"), (f64::INFINITY, "inf")] {
        body_refused(&["linear damping", said, "1/s"], |d| d.linear_damping = value);
        body_refused(&["angular damping", said, "1/s"], |d| d.angular_damping = value);
    }
    refused(&["angular velocity of a particle", "zero"], |b| b.w.add(Body::particle(1.0).moving(Vec3::ZERO, Vec3::X)));
}

#[test]
fn bodies_are_moved_only_where_they_can_be() {
    refused(&["position", "NaN"], |b| b.w.set_pose(b.rod, Pose::at(NAN)));
    let long = Pose { pos: Vec3::ZERO, rot: Quat::from_xyzw(1.0, 1.0, 0.0, 0.0) };
    refused(&["rotation", "unit quaternion"], |b| b.w.set_pose(b.rod, long));
    refused(&["velocity", "NaN", "m/s"], |b| b.w.set_velocity(b.rod, NAN, Vec3::ZERO));
    refused(&["angular velocity", "NaN", "rad/s"], |b| b.w.set_velocity(b.rod, Vec3::ZERO, NAN));
    refused(&["fixed body", "kinematic"], |b| b.w.set_velocity(b.wall, Vec3::X, Vec3::ZERO));
    refused(&["particle", "does not rotate"], |b| b.w.set_velocity(b.bob, Vec3::ZERO, Vec3::X));
    refused(&["body", "kinematic"], |b| b.w.set_target(b.rod, Pose::IDENTITY));
    refused(&["target position", "NaN"], |b| b.w.set_target(b.motor, Pose::at(NAN)));
    refused(&["rotation", "unit quaternion"], |b| b.w.set_target(b.motor, long));
    refused(&["force", "NaN", "N"], |b| b.w.apply_force(b.rod, NAN, Vec3::ZERO));
    refused(&["force point", "NaN", "m"], |b| b.w.apply_force(b.rod, Vec3::X, NAN));
    refused(&["torque", "NaN", "N m"], |b| b.w.apply_torque(b.rod, NAN));
    refused(&["body", "ground"], |b| b.w.remove(b.w.ground()));
}

#[test]
fn loads_on_bodies_that_do_not_take_them_are_refused() {
    refused(&["torque", "particle"], |b| b.w.apply_torque(b.bob, Vec3::X));
    refused(&["force", "moves freely"], |b| b.w.apply_force(b.wall, Vec3::X, Vec3::ZERO));
    refused(&["force", "moves freely"], |b| b.w.apply_force(b.motor, Vec3::X, Vec3::ZERO));
}

#[test]
fn loads_that_add_up_to_more_than_a_number_are_refused() {
    let mut b = base();
    b.w.apply_force(b.rod, Vec3::X * 1e308, Vec3::ZERO).unwrap();
    let again = b.w.apply_force(b.rod, Vec3::X * 1e308, Vec3::ZERO);
    assert!(again.is_err(), "the sum is infinite");
}

#[test]
fn joints_need_two_different_bodies_one_of_which_moves() {
    let add = |b: &mut Base, i: BodyId, j: BodyId| b.w.add(Ball::between(i, j).at(Vec3::ZERO));
    refused(&["joint bodies", "two different"], |b| add(b, b.rod, b.rod));
    refused(&["joint bodies", "moves freely"], |b| add(b, b.wall, b.w.ground()));
    refused(&["joint bodies", "moves freely"], |b| add(b, b.motor, b.wall));
    refused(&["joint bodies", "moves freely"], |b| add(b, b.w.ground(), b.motor));
}

#[test]
fn joints_need_sound_frames() {
    let hinge = |b: &Base| Hinge::between(b.rod, b.w.ground());
    refused(&["axis", "0", "not zero"], |b| b.w.add(hinge(b).axis(Vec3::ZERO)));
    refused(&["axis", "NaN", "finite"], |b| b.w.add(hinge(b).axis(NAN)));
    refused(&["joint point", "NaN"], |b| b.w.add(hinge(b).at(NAN).axis(Vec3::Z)));
    refused(&["axis of the hinge joint", "none", "direction"], |b| b.w.add(hinge(b).ends(Vec3::X, Vec3::X)));
    refused(&["across of the hinge joint", "not along the axis"], |b| {
        b.w.add(hinge(b).axis(Vec3::Z).across(2.0 * Vec3::Z))
    });
    type Change = fn(&mut Frame);
    let changes: [(&str, Change); 6] = [
        ("zero axis", |f| f.n = Vec3::ZERO),
        ("left-handed", |f| f.n = -f.n),
        ("not orthogonal", |f| f.u = (f.u + 0.1 * f.n).normalize()),
        ("not unit", |f| f.v *= 1.01),
        ("NaN axis", |f| f.u = NAN),
        ("NaN origin", |f| f.origin = NAN),
    ];
    for (name, change) in changes {
        for side in ["i", "j"] {
            println!("{name} on body {side}");
            refused(&["joint frame on body", side, "orthonormal"], |b| {
                let mut frames = b.w.joint(b.hinge).unwrap().frames();
                change(if side == "i" { &mut frames.i } else { &mut frames.j });
                b.w.add(hinge(b).frames(frames))
            });
        }
    }
}

#[test]
fn particles_take_only_joints_without_orientation_at_their_centre() {
    type Between = fn(BodyId, BodyId) -> Joint;
    let joints: [(&str, Between); 6] = [
        ("hinge", Hinge::between),
        ("weld", Weld::between),
        ("universal", Universal::between),
        ("prismatic", Prismatic::between),
        ("planar", Planar::between),
        ("cylindrical", Cylindrical::between),
    ];
    for (name, between) in joints {
        refused(&[name, "particle", "orientation"], |b| b.w.add(between(b.bob, b.rod).axis(Vec3::Z)));
    }
    refused(&["joint point on particle i", "no extent"], |b| b.w.add(Ball::between(b.bob, b.rod).at(Vec3::ZERO)));
}

#[test]
fn particles_have_no_extent_for_forces_either() {
    refused(&["point", "no extent"], |b| b.w.add(Spring { point_j: Vec3::X, ..spring(b.rod, b.bob) }));
    refused(&["point", "no extent"], |b| b.w.add(MouseSpring::new(b.bob, Vec3::X, Vec3::Y)));
    refused(&["point", "no extent"], |b| b.w.add(Force::Point { body: b.bob, point: Vec3::X, force: Vec3::Y }));
}

#[test]
fn rows_need_sensible_compliance_damping_and_length() {
    let ball = |b: &mut Base, point| b.w.add(Joint::of(Ball { point }, b.rod, b.w.ground()));
    for (value, said) in [(-1e-9, "-0.000000001"), (f64::NAN, "NaN")] {
        refused(&["compliance", said, "zero (rigid) or a positive"], |b| ball(b, Softness::compliance(value)));
        refused(&["damping", said, "zero or a positive"], |b| ball(b, Softness { compliance: 1.0, damping: value }));
    }
    refused(&["damping", "inf"], |b| ball(b, Softness { compliance: 1.0, damping: f64::INFINITY }));
    refused(&["compliance", "inf", "some damping"], |b| ball(b, Softness::compliance(f64::INFINITY)));
    for (value, said) in [(0.0, "0"), (-1.0, "-1"), (f64::NAN, "NaN"), (f64::INFINITY, "inf")] {
        refused(&["distance length", said, "positive"], |b| {
            b.w.add(Distance::between(b.rod, b.w.ground()).length(value))
        });
        refused(&["bending stiffness", said], |_| Cable::from_stiffness(1.0, value, 1.0));
        refused(&["cable radius", said], |_| Cable::from_material(1.0, value, 1e9, 1e9));
    }
    // One bad row among good ones.
    let bad = Softness::compliance(-1.0);
    let cable =
        FlexibleCable { axial: Softness::RIGID, shear: Softness::RIGID, bending: Softness::RIGID, torsion: bad };
    kind_refused(&["compliance", "-1"], cable);
}

/// The joint on the rod is refused.
#[track_caller]
fn joint_refused(words: &[&str], between: impl FnOnce(BodyId, BodyId) -> Joint) {
    refused(words, |b| b.w.add(between(b.rod, b.w.ground()).at(Vec3::X).axis(Vec3::Z)));
}

#[track_caller]
fn kind_refused(words: &[&str], kind: impl JointKind + 'static) {
    joint_refused(words, |i, j| Joint::of(kind, i, j));
}

#[track_caller]
fn limit_refused(words: &[&str], limit: Limit) {
    joint_refused(words, |i, j| Ball::between(i, j).stop(limit));
    // One bad limit behind a good one.
    joint_refused(words, |i, j| Ball::between(i, j).stops([Limit::cone(1.0), limit]));
}

#[test]
fn limits_need_an_order_a_range_and_a_sensible_stop() {
    use std::f64::consts::{PI, TAU};
    use taut::Axis::{N, U};
    const INF: f64 = f64::INFINITY;
    const NAN: f64 = f64::NAN;
    let twist = Limit::twist;
    for (lower, upper, said) in [(1.0, -1.0, "1 and -1"), (NAN, 1.0, "NaN and 1"), (0.0, NAN, "0 and NaN")] {
        limit_refused(&["limit lower and upper", said, "lower <= upper", "m or rad"], twist(lower, upper));
        limit_refused(&["limit lower and upper", said], Limit::new(lower, upper).on(Freedom::Slide));
    }
    limit_refused(&["-inf and inf", "at least one of them finite"], Limit::new(-INF, INF).on(Freedom::Slide));
    for (lower, upper) in [(INF, INF), (-INF, -INF)] {
        limit_refused(&["limit lower and upper", "inf"], Limit::new(lower, upper).on(Freedom::Slide));
    }
    for freedom in [Freedom::Turn, Freedom::Twist] {
        limit_refused(&["a whole turn"], Limit::new(-INF, 1.0).on(freedom));
        limit_refused(&["a whole turn"], Limit::new(0.0, INF).on(freedom));
        limit_refused(&["a whole turn"], Limit::new(-PI, PI).on(freedom));
        limit_refused(&["a whole turn"], Limit::new(0.0, TAU).on(freedom));
    }
    for (lower, upper) in [(-0.1, 1.0), (0.0, 3.2), (-INF, -1.0)] {
        limit_refused(
            &["limit lower and upper", "between 0 and 3.14", "Swing"],
            Limit::new(lower, upper).on(Freedom::Swing),
        );
    }
    for (lower, upper) in [(-1.6, 1.0), (0.0, 1.6), (2.0, INF)] {
        limit_refused(&["between -1.57", "Lean"], Limit::new(lower, upper).on(Freedom::Lean(N, U)));
    }
    limit_refused(&["-1 and 2", "between 0 and inf", "Length"], Limit::new(-1.0, 2.0).on(Freedom::Length));
    for (e, said) in [(-0.1, "-0.1"), (1.1, "1.1"), (NAN, "NaN"), (INF, "inf")] {
        limit_refused(&["limit restitution", said, "from 0 to 1"], Limit::cone(1.0).bouncing(e));
        kind_refused(&["rope restitution", said, "from 0 to 1"], Rope { restitution: e, ..Rope::new(1.0) });
    }
    for (c, d, words) in [
        (-1.0, 0.0, ["limit compliance", "-1"]),
        (NAN, 0.0, ["limit compliance", "NaN"]),
        (INF, 0.0, ["limit compliance", "inf"]),
        (1.0, -2.0, ["limit damping", "-2"]),
        (1.0, INF, ["limit damping", "inf"]),
    ] {
        limit_refused(&words, Limit::cone(1.0).soft(Softness { compliance: c, damping: d }));
    }
}

#[test]
fn friction_motors_ropes_and_ligaments_need_sensible_numbers() {
    let rub = |f: Friction, words: &[&str]| joint_refused(words, |i, j| Ball::between(i, j).friction(f));
    for (value, said) in [(-1.0, "-1"), (f64::NAN, "NaN"), (f64::INFINITY, "inf")] {
        rub(Friction::new(value).on(Freedom::Twist), &["joint friction max", said, "N or N m"]);
        rub(Friction::by_load(value).on(Freedom::Twist), &["joint friction per_load", said]);
    }
    rub(Friction::new(1.0).on(Freedom::Swing), &["friction freedom", "Swing", "no direction"]);
    let drive = |m: Motor, words: &[&str]| joint_refused(words, |i, j| Ball::between(i, j).motor(m));
    for (value, said) in [(0.0, "0"), (-1.0, "-1"), (f64::NAN, "NaN"), (f64::NEG_INFINITY, "-inf")] {
        let [lean, ..] = Motor::ball(1.0, 1.0);
        for motor in [Motor::rate().on(Freedom::Lean(taut::Axis::N, taut::Axis::U)), lean] {
            drive(motor.limited(value), &["motor max_force", said, "a positive number of N or N m"]);
        }
    }
    for freedom in [Freedom::Swing, Freedom::Twist] {
        for motor in [Motor::rate().on(freedom), Motor::servo(1.0, 1.0).on(freedom).limited(2.0)] {
            drive(motor, &["motor freedom", &format!("{freedom:?}"), "Lean or Length"]);
        }
    }
    for (value, said) in [(0.0, "0"), (-1.0, "-1"), (f64::NAN, "NaN"), (f64::INFINITY, "inf")] {
        kind_refused(&["rope length", said, "positive"], Rope::new(value));
        let l = LIGAMENT;
        kind_refused(&["ligament rest_length", said], Ligament { rest_length: Some(value), ..l });
        kind_refused(&["ligament soft_stiffness", said], Ligament { soft_stiffness: value, ..l });
        if value != 0.0 {
            kind_refused(&["ligament strain", said], Ligament { strain: value, ..l });
            kind_refused(&["ligament damping", said], Ligament { damping: value, ..l });
        }
        if value.is_nan() || value < f64::INFINITY {
            kind_refused(&["ligament stiffness", said, "soft_stiffness 10"], Ligament { stiffness: value, ..l });
        }
    }
    kind_refused(&["rope compliance", "-1"], Rope { soft: Softness::compliance(-1.0), ..Rope::new(1.0) });
    kind_refused(&["rope compliance"], Rope::spring(1.0, 0.0, 0.0));
    kind_refused(&["rope compliance"], Rope::spring(1.0, -5.0, 1.0));
    kind_refused(&["ligament stiffness", "10", "more than soft_stiffness"], Ligament { stiffness: 10.0, ..LIGAMENT });
}

#[test]
fn joints_break_only_at_positive_strengths() {
    for (value, said) in [(0.0, "0"), (-3.0, "-3"), (f64::NAN, "NaN"), (f64::NEG_INFINITY, "-inf")] {
        refused(&["strength force", said, "N"], |b| b.w.set_strength(b.hinge, Some(Strength::force(value))));
        refused(&["strength torque", said, "N m"], |b| b.w.set_strength(b.hinge, Some(Strength::torque(value))));
    }
}

#[test]
fn particles_take_ropes_but_nothing_bounded_that_needs_an_orientation() {
    let ball = |b: &Base| Ball::between(b.bob, b.w.ground()).axis(Vec3::Z);
    for limit in [Limit::cone(1.0), Limit::twist(-1.0, 1.0), Limit::new(0.0, 1.0).on(Freedom::Slide)] {
        refused(&["ball joint", "on a particle", "orientation"], |b| b.w.add(ball(b).stop(limit)));
    }
    refused(&["on a particle"], |b| b.w.add(ball(b).friction(Friction::new(1.0).on(Freedom::Turn))));
    refused(&["on a particle"], |b| b.w.add(ball(b).motor(Motor::servo(1.0, 1.0).on(Freedom::Turn).limited(1.0))));
    // Lengths have no orientation.
    let mut b = base();
    let ground = b.w.ground();
    b.w.add(Rope::between(b.bob, ground).length(3.0)).unwrap();
    b.w.add(Joint::of(LIGAMENT, b.bob, ground)).unwrap();
    b.w.add(Rope::between(b.bob, ground).length(3.0).friction(1.0)).unwrap();
    b.w.step(0.01).unwrap();
}

#[test]
fn a_joint_has_at_most_32_bounded_rows() {
    let limits = vec![Limit::cone(1.0); 33];
    joint_refused(&["bounded rows of a joint", "33", "at most 32"], |i, j| Ball::between(i, j).stops(&limits));
    let mut b = base();
    b.w.add(Ball::between(b.rod, b.wall).at(Vec3::X).axis(Vec3::Z).stops(&limits[..32])).unwrap();
    b.w.step(0.01).unwrap();
}

/// A joint of a user with `n` point rows.
#[derive(Debug)]
struct Many(usize);

impl JointKind for Many {
    fn name(&self) -> &'static str {
        "many"
    }
    fn rows(&self, r: &mut RowBuilder) {
        (0..self.0).for_each(|_| r.point(Softness::RIGID));
    }
}

#[test]
fn joints_have_between_one_row_and_twelve() {
    for n in [0, 5] {
        kind_refused(&["joint rows", &(3 * n).to_string(), "1 to 12"], Many(n));
    }
}

#[test]
fn forces_need_finite_numbers_and_bodies_that_move() {
    let spring_with = |change: fn(&mut Spring)| {
        move |b: &mut Base| {
            let mut s = spring(b.rod, b.bob);
            change(&mut s);
            b.w.add(s)
        }
    };
    refused(&["spring stiffness", "-1", "N/m"], spring_with(|s| s.stiffness = -1.0));
    refused(&["spring stiffness", "NaN"], spring_with(|s| s.stiffness = f64::NAN));
    refused(&["spring damping", "-1", "N s/m"], spring_with(|s| s.damping = -1.0));
    refused(&["spring rest_length", "-1", "m"], spring_with(|s| s.rest_length = -1.0));
    refused(&["spring point_i", "NaN"], spring_with(|s| s.point_i = NAN));
    refused(&["spring point_j", "NaN"], spring_with(|s| s.point_j = NAN));
    refused(&["spring stiffness", "0", "stiffness or damping"], spring_with(|s| (s.stiffness, s.damping) = (0.0, 0.0)));
    refused(&["spring bodies", "two different"], spring_with(|s| s.j = s.i));
    refused(&["spring bodies", "moves freely"], |b| b.w.add(spring(b.wall, b.motor)));
    let mouse = |change: fn(&mut MouseSpring)| {
        move |b: &mut Base| {
            let mut m = MouseSpring::new(b.rod, Vec3::ZERO, Vec3::Y);
            change(&mut m);
            b.w.add(m)
        }
    };
    refused(&["mouse frequency", "0", "Hz"], mouse(|m| m.frequency = 0.0));
    refused(&["mouse damping_ratio", "-1"], mouse(|m| m.damping_ratio = -1.0));
    refused(&["mouse target", "NaN"], mouse(|m| m.target = NAN));
    refused(&["mouse target", "NaN"], |b| b.w.set_mouse_target(b.mouse, NAN));
    refused(&["force", "mouse spring"], |b| b.w.set_mouse_target(b.spring, Vec3::X));
    refused(&["force body", "moves freely"], |b| b.w.add(MouseSpring::new(b.wall, Vec3::ZERO, Vec3::Y)));
    refused(&["force", "NaN"], |b| b.w.add(Force::Point { body: b.rod, point: Vec3::ZERO, force: NAN }));
    refused(&["torque", "NaN"], |b| b.w.add(Force::Torque { body: b.rod, torque: NAN }));
    refused(&["torque", "particle"], |b| b.w.add(Force::Torque { body: b.bob, torque: Vec3::X }));
    let drag = |linear, angular| move |b: &mut Base| b.w.add(Force::Drag { body: b.rod, linear, angular });
    refused(&["drag linear", "-1", "N s/m"], drag(-1.0, 1.0));
    refused(&["drag angular", "NaN", "N m s/rad"], drag(1.0, f64::NAN));
    refused(&["drag angular", "particle"], |b| b.w.add(Force::Drag { body: b.bob, linear: 1.0, angular: 1.0 }));
    refused(&["force body", "moves freely"], |b| b.w.add(Force::Drag { body: b.wall, linear: 1.0, angular: 1.0 }));
}

/// Everything that takes a body, with the given one.
fn all_uses(w: &mut World, b: BodyId, good: BodyId) -> Vec<(&'static str, Result<(), Error>)> {
    let frame = Frame::new(Vec3::ZERO, Vec3::Z).unwrap();
    let frames = Frames { i: frame, j: frame };
    vec![
        ("body", w.body(b).map(drop)),
        ("pose", w.pose(b).map(drop)),
        ("set_pose", w.set_pose(b, Pose::IDENTITY)),
        ("set_velocity", w.set_velocity(b, Vec3::ZERO, Vec3::ZERO)),
        ("set_target", w.set_target(b, Pose::IDENTITY)),
        ("apply_force", w.apply_force(b, Vec3::X, Vec3::ZERO)),
        ("apply_torque", w.apply_torque(b, Vec3::X)),
        ("joint i", w.add(Hinge::between(b, good).at(Vec3::ZERO).axis(Vec3::Z)).map(drop)),
        ("joint j", w.add(Hinge::between(good, b).at(Vec3::ZERO).axis(Vec3::Z)).map(drop)),
        ("joint between ends", w.add(Rope::between(good, b).ends(Vec3::ZERO, Vec3::Z)).map(drop)),
        ("joint at frames i", w.add(Ball::between(b, good).frames(frames)).map(drop)),
        ("joint at frames j", w.add(Ball::between(good, b).frames(frames)).map(drop)),
        ("spring i", w.add(spring(b, good)).map(drop)),
        ("spring j", w.add(spring(good, b)).map(drop)),
        ("spring between", w.add(Spring::between(good, b).stiffness(9.0)).map(drop)),
        ("mouse", w.add(MouseSpring::new(b, Vec3::ZERO, Vec3::Y)).map(drop)),
        ("point", w.add(Force::Point { body: b, point: Vec3::ZERO, force: Vec3::X }).map(drop)),
        ("torque", w.add(Force::Torque { body: b, torque: Vec3::X }).map(drop)),
        ("drag", w.add(Force::Drag { body: b, linear: 1.0, angular: 1.0 }).map(drop)),
        ("remove", w.remove(b)),
    ]
}

#[track_caller]
fn assert_handle(done: Result<(), Error>, kind: &str, what: &str) {
    let Err(Error::Handle { what: named, .. }) = &done else { panic!("{what}: {done:?}") };
    assert_eq!(*named, kind, "{what}");
    let text = done.unwrap_err().to_string();
    let says = text.contains("it was removed") || text.contains("handles belong to the world that gave them");
    assert!(text.contains(kind) && says, "{text}");
}

#[test]
fn handles_of_removed_things_name_nothing_even_when_their_slot_is_used_again() {
    for reuse in [false, true] {
        let mut b = base();
        let w = &mut b.w;
        let joint = w.add(Ball::between(b.bob, b.rod)).unwrap();
        // The joint and both forces go with the body.
        w.remove(b.bob).unwrap();
        if reuse {
            let again = w.add(Body::particle(1.0).at(Vec3::X * 2.0)).unwrap();
            let new = w.add(Ball::between(again, b.rod)).unwrap();
            let force = w.add(MouseSpring::new(again, Vec3::ZERO, Vec3::Y)).unwrap();
            let other = w.add(spring(b.rod, again)).unwrap();
            assert!(again != b.bob && new != joint && force != b.mouse && force != b.spring && other != b.spring);
        }
        let before = w.state().clone();
        for (use_, done) in all_uses(w, b.bob, b.rod) {
            assert_handle(done, "body", &format!("{use_}, reuse {reuse}"));
        }
        assert_handle(w.joint(joint).map(drop), "joint", "joint");
        assert_handle(w.remove(joint), "joint", "remove");
        for f in [b.spring, b.mouse] {
            assert_handle(w.force(f).map(drop), "force", "force");
            assert_handle(w.set_mouse_target(f, Vec3::ZERO), "force", "set_mouse_target");
            assert_handle(w.remove(f), "force", "remove");
        }
        assert_eq!(*w.state(), before);
        assert_eq!((w.joints().count(), w.joint(b.hinge).is_ok()), (1 + usize::from(reuse), true));
        w.step(0.01).unwrap();
    }
}

#[test]
fn handles_of_another_world_name_nothing_where_they_do_not_fit() {
    let mut large = World::new();
    let bodies: Vec<BodyId> = (0..20).map(|_| large.add(Body::particle(1.0)).unwrap()).collect();
    let ids = bodies.iter().map(|&b| {
        let joint = large.add(Ball::between(b, large.ground())).unwrap();
        let force = large.add(Force::Point { body: b, point: Vec3::ZERO, force: Vec3::X }).unwrap();
        (joint, force)
    });
    let (joint, force) = ids.last().unwrap();
    let mut b = base();
    let before = b.w.state().clone();
    for (use_, done) in all_uses(&mut b.w, bodies[19], b.rod) {
        assert_handle(done, "body", use_);
    }
    assert_handle(b.w.joint(joint).map(drop), "joint", "joint");
    assert_handle(b.w.remove(force), "force", "remove");
    assert_eq!(*b.w.state(), before);
}

#[test]
fn rows_and_forces_of_removed_joints_are_forgotten() {
    // Adding and removing at random must leave the same motion as never having added.
    for seed in 0..10 {
        let (mut b, twin) = (base(), base());
        let mut r = Rng(seed);
        let mut extra: Vec<(JointId, ForceId)> = Vec::new();
        for _ in 0..30 {
            if r.below(2) == 0 {
                let joint = b.w.add(Ball::between(b.rod, b.wall).at(r.vec(1.0))).unwrap();
                extra.push((joint, b.w.add(spring(b.rod, b.wall)).unwrap()));
            } else if !extra.is_empty() {
                let (joint, force) = extra.swap_remove(r.below(extra.len()));
                b.w.remove(joint).unwrap();
                b.w.remove(force).unwrap();
            }
        }
        for (joint, force) in extra {
            b.w.remove(force).unwrap();
            b.w.remove(joint).unwrap();
        }
        let mut twin = twin.w;
        for step in 0..20 {
            b.w.step(0.01).unwrap();
            twin.step(0.01).unwrap();
            assert_eq!(b.w.state().hash(), twin.state().hash(), "seed {seed} step {step}");
        }
    }
}

#[test]
fn options_out_of_range_are_refused() {
    let with = |change: fn(&mut Options)| {
        move |b: &mut Base| {
            let mut o = *b.w.options();
            change(&mut o);
            b.w.set_options(o)
        }
    };
    fn inertial(alpha: f64, theta: f64) -> Stabiliser {
        Stabiliser::Inertial(InertialDamping { alpha, theta, angular_only: true })
    }
    refused(&["gravity", "NaN", "m/s^2"], with(|o| o.gravity = NAN));
    refused(&["minres_iterations", "0", "at least 1"], with(|o| o.minres_iterations = 0));
    refused(&["minres_tolerance", "0", "between 0 and 1"], with(|o| o.minres_tolerance = 0.0));
    refused(&["minres_tolerance", "NaN"], with(|o| o.minres_tolerance = f64::NAN));
    for (said, change) in [
        ("0", (|o| o.bounded_tolerance = 0.0) as fn(&mut Options)),
        ("-1", |o| o.bounded_tolerance = -1.0),
        ("1", |o| o.bounded_tolerance = 1.0),
        ("NaN", |o| o.bounded_tolerance = f64::NAN),
    ] {
        refused(&["bounded_tolerance", said, "between 0 and 1", "m/s"], with(change));
    }
    refused(&["sweeps", "0", "at least 1"], with(|o| o.bounded = BoundedMethod::Pgs { sweeps: 0 }));
    refused(&["sweeps", "0", "at least 1"], with(|o| o.solver = taut::Solver::Pgs { sweeps: 0 }));
    refused(&["alpha", "-1"], with(|o| o.stabiliser = inertial(-1.0, 0.5)));
    refused(&["theta", "0.4", "0.5 to 1"], with(|o| o.stabiliser = inertial(1.0, 0.4)));
    refused(&["theta", "NaN"], with(|o| o.stabiliser = inertial(1.0, f64::NAN)));
    refused(&["alpha", "inf"], with(|o| o.stabiliser = Stabiliser::ConstraintSpace { alpha: f64::INFINITY }));
}

#[test]
fn steps_need_a_positive_finite_length() {
    for (h, said) in [(0.0, "0"), (-0.01, "-0.01"), (f64::NAN, "NaN"), (f64::INFINITY, "inf")] {
        refused(&["time step", said, "positive, finite number of s"], |b| b.w.step(h));
    }
}

/// A world with a joint that has a length, or gives way.
fn with_joint(joint: impl FnOnce(BodyId, BodyId) -> Joint) -> (World, JointId) {
    let mut w = world(Options::default());
    let bob = w.add(Body::dynamic(ball(1.0, 0.1)).at(-2.0 * Vec3::Y)).unwrap();
    let id = w.add(joint(bob, w.ground())).unwrap();
    w.step(0.01).unwrap();
    (w, id)
}

/// The change of a joint is refused with all of `words`, and the joint goes on as before.
#[track_caller]
fn change_refused(
    joint: impl Fn(BodyId, BodyId) -> Joint,
    words: &[&str],
    change: impl FnOnce(&mut World, JointId) -> Result<(), Error>,
) {
    let ((mut w, id), (mut twin, _)) = (with_joint(&joint), with_joint(&joint));
    let Err(error) = change(&mut w, id) else { panic!("should be refused: {words:?}") };
    for word in words.iter().chain(&["expected"]) {
        assert!(error.to_string().contains(word), "'{error}' does not say '{word}'");
    }
    for w in [&mut w, &mut twin] {
        w.step(0.01).unwrap();
    }
    assert_eq!(w.state(), twin.state(), "{error}");
}

#[test]
fn a_length_must_be_positive_and_finite_whatever_has_it() {
    type Make = fn(BodyId, BodyId) -> Joint;
    let kinds: [(&str, Make); 3] = [
        ("rope length", Rope::between),
        ("distance length", Distance::between),
        ("ligament length", |i, j| Joint::of(LIGAMENT, i, j)),
    ];
    for (name, make) in kinds {
        for (length, said) in
            [(f64::NAN, "NaN"), (f64::INFINITY, "inf"), (f64::NEG_INFINITY, "-inf"), (-1.0, "-1"), (0.0, "0")]
        {
            change_refused(make, &[name, said, "positive, finite number of m"], |w, id| w.set_length(id, length));
            refused(&[name, said], |b| b.w.add(make(b.bob, b.wall).length(length)));
        }
    }
}

#[test]
fn give_must_be_sensible_whatever_gives_way() {
    type Make = fn(BodyId, BodyId) -> Joint;
    let kinds: [Make; 5] = [
        Rope::between,
        |i, j| Range::between(i, j, 0.5, 3.0),
        |i, j| Joint::of(LIGAMENT, i, j),
        Weld::between,
        |i, j| Wheel::suspended(1e4, 1e3).between(i, j).axis(Vec3::Y).across(Vec3::Z),
    ];
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    let wrong = [
        (Softness::compliance(-1e-3), "compliance", "-0.001"),
        (Softness::compliance(nan), "compliance", "NaN"),
        (Softness::compliance(-inf), "compliance", "-inf"),
        (Softness::compliance(inf), "compliance", "inf"),
        (Softness::spring(-10.0, 1.0), "compliance", "-0.1"),
        (Softness::spring(-inf, 1.0), "compliance", "-0"),
        (Softness::spring(10.0, -1.0), "damping", "-1"),
        (Softness::spring(10.0, nan), "damping", "NaN"),
        (Softness::spring(10.0, inf), "damping", "inf"),
    ];
    for make in kinds {
        for (soft, name, said) in wrong {
            change_refused(make, &[name, said], |w, id| w.set_linear(id, soft));
            change_refused(make, &[name, said], |w, id| w.set_angular(id, soft));
            refused(&[name, said], |b| b.w.add(make(b.rod, b.wall).linear(soft)));
            refused(&[name, said], |b| b.w.add(make(b.rod, b.wall).angular(soft)));
        }
    }
    for (soft, name, said) in wrong {
        refused(&[name, said], |b| b.w.add(Joint::of(Rope { soft, ..Rope::new(1.0) }, b.bob, b.wall)));
        let wheel = |suspension| Wheel { suspension, steers: false };
        refused(&[name, said], |b| b.w.add(wheel(soft).between(b.rod, b.wall).axis(Vec3::Y).across(Vec3::Z)));
    }
}

//! What must hold whatever the mechanism: momenta, invariances, damping that only damps, books that balance.

use crate::common::{Plan, Rng, ball, chain, pose_distance, rod, shared_frames, weightless, world};
use taut::joints::catalogue;
use taut::{
    Ball, Body, BodyId, Cable, Distance, Force, Hinge, Joint, JointKind, MassProperties, MouseSpring, Options, Pose,
    Prismatic, Quat, Softness, Spring, Stabiliser, Vec3, World, settings::InertialDamping,
};

const INERTIAL: InertialDamping = InertialDamping { alpha: 1.0, theta: 0.5, angular_only: true };

const STABILISERS: [Stabiliser; 8] = [
    Stabiliser::None,
    Stabiliser::Full,
    Stabiliser::Symmetric,
    Stabiliser::LowRank,
    Stabiliser::Inertial(INERTIAL),
    Stabiliser::Inertial(InertialDamping { alpha: 0.25, theta: 0.75, angular_only: false }),
    Stabiliser::ConstraintSpace { alpha: 1.0 },
    Stabiliser::Aligned,
];

/// Two random bodies with one joint of the catalogue between them, afloat.
fn pair(options: Options, joint: usize, round: bool, seed: u64) -> (World, [(BodyId, MassProperties); 2]) {
    let mut r = Rng(seed);
    let mut w = world(Options { gravity: Vec3::ZERO, ..options });
    let bodies = [0, 1].map(|_| {
        let mut def = r.body();
        let props = if round { ball(r.range(1.0, 20.0), 0.3) } else { r.mass() };
        def.mass = Some(props);
        (w.add(def).unwrap(), props)
    });
    let f = r.frame();
    let poses = bodies.map(|b| w.pose(b.0).unwrap());
    let joint = catalogue().swap_remove(joint);
    let mut frames = joint.turned(shared_frames(&poses[0], &poses[1], &f));
    if joint.name() == "distance" {
        frames.j.origin = poses[1].to_local(f.origin - f.n); // the length in the catalogue: 1 m
    }
    w.add(Joint::of(joint, bodies[0].0, bodies[1].0).frames(frames)).unwrap();
    (w, bodies)
}

/// Momentum, and angular momentum about the origin in the middle of the last drift (where the step keeps it).
fn momenta(w: &World, bodies: &[(BodyId, MassProperties)], h: f64) -> (Vec3, Vec3) {
    bodies.iter().fold((Vec3::ZERO, Vec3::ZERO), |(p, l), (b, props)| {
        let v = w.body(*b).unwrap();
        let back = Quat::from_scaled_axis(-0.5 * h * v.angular_velocity()) * v.rotation();
        let spin = back * (props.inertia * (v.rotation().inverse() * v.angular_velocity()));
        (p + props.mass * v.velocity(), l + v.position().cross(props.mass * v.velocity()) + spin)
    })
}

#[test]
fn no_joint_and_no_stabiliser_changes_the_momentum() {
    for stabiliser in STABILISERS {
        for (k, joint) in catalogue().iter().enumerate() {
            for seed in 0..4 {
                let (mut w, bodies) = pair(Options { stabiliser, ..Options::default() }, k, false, seed);
                let (before, _) = momenta(&w, &bodies, 0.0);
                for _ in 0..50 {
                    w.step(0.01).unwrap();
                }
                let off = (momenta(&w, &bodies, 0.0).0 - before).length() / before.length();
                assert!(off < 1e-12, "{} {} seed {seed}: off by {off:e}", stabiliser.name(), joint.name());
            }
        }
    }
}

#[test]
fn rows_that_only_depend_on_the_relative_pose_keep_the_angular_momentum_exactly() {
    // All but the point rows, whose two forces are apart by phi.
    let names = ["prismatic", "cylindrical", "planar", "point-on-line", "axial-lock", "distance", "flexible-cable"];
    let all = catalogue();
    let chosen: Vec<_> = all.iter().enumerate().filter(|(_, j)| names.contains(&j.name())).collect();
    assert_eq!(chosen.len(), names.len(), "a joint has another name");
    for (k, joint) in chosen {
        for seed in 0..8 {
            let options = Options { stabiliser: Stabiliser::None, ..Options::default() };
            let (mut w, bodies) = pair(options, k, true, seed);
            let (_, before) = momenta(&w, &bodies, 0.0);
            for _ in 0..100 {
                w.step(0.01).unwrap();
            }
            let off = (momenta(&w, &bodies, 0.0).1 - before).length() / before.length();
            assert!(off < 1e-12, "{} seed {seed}: off by {off:e}", joint.name());
        }
    }
}

#[test]
fn the_default_step_keeps_the_angular_momentum_of_resolved_mechanisms_at_every_step_length() {
    let mut resolved_cases = 0;
    for (k, joint) in catalogue().iter().enumerate().filter(|(_, j)| j.name() != "axial-lock") {
        for seed in 0..8 {
            for h in [0.01, 0.005, 0.002, 0.001] {
                let (mut w, bodies) = pair(Options::default(), k, false, seed);
                for _ in 0..2 {
                    w.step(h).unwrap();
                }
                let (_, before) = momenta(&w, &bodies, h);
                let mut resolved = true;
                for _ in 0..(0.5 / h) as usize {
                    resolved &= w.step(h).unwrap().resolved_islands == 1;
                }
                let off = (momenta(&w, &bodies, h).1 - before).length() / before.length();
                let what = format!("{} seed {seed}, h = {h}", joint.name());
                assert!(!resolved || off < 1e-5, "{what}: off by {off:e} in half a second");
                resolved_cases += usize::from(resolved);
            }
        }
    }
    // 16 joints, 8 seeds, 4 steps: two bodies afloat are resolved in all of them.
    assert_eq!(resolved_cases, 16 * 8 * 4);
}

/// The tree of a seed as it is and as `other` builds it, after 30 steps: the largest difference, seen from `place`.
fn difference(options: Options, h: f64, heavy: f64, seed: u64, place: &Pose, order: &[usize]) -> f64 {
    let plan = Plan::tree(seed, order.len(), heavy);
    let (mut a, mut b) = (world(options), world(Options { gravity: place.rot * options.gravity, ..options }));
    let in_a = plan.build(&mut a, &Pose::IDENTITY, 0..order.len());
    let in_b = plan.build(&mut b, place, order.iter().copied());
    for _ in 0..30 {
        a.step(h).unwrap();
        b.step(h).unwrap();
    }
    in_a.iter().zip(&in_b).fold(0.0, |worst, (x, y)| {
        let p = a.pose(*x).unwrap();
        let p = Pose { pos: place.to_world(p.pos), rot: place.rot * p.rot };
        worst.max(pose_distance(&p, &b.pose(*y).unwrap()))
    })
}

/// Trees with several stabilisers, steps and loads for which `difference` with what `change` makes of a seed is not rounding.
fn changed(change: impl Fn(&mut Rng) -> (Pose, Vec<usize>)) -> Vec<String> {
    let mut out = Vec::new();
    for (stabiliser, resolved, seeds) in [
        (Stabiliser::Aligned, true, 20),
        (Stabiliser::Aligned, false, 20),
        (Stabiliser::None, true, 20),
        (Stabiliser::Full, true, 4),
        (Stabiliser::Symmetric, true, 4),
    ] {
        for (h, heavy) in [(0.01, 1.0), (1.0 / 60.0, 1.0), (0.01, 1e3), (1.0 / 60.0, 1e3)] {
            for seed in 0..seeds {
                let (place, order) = change(&mut Rng(seed + 99));
                let options = Options { stabiliser, resolved, ..Options::default() };
                let off = difference(options, h, heavy, seed, &place, &order);
                if off > 1e-9 {
                    let name = stabiliser.name();
                    out.push(format!("{name}, resolved {resolved}, h = {h}, load {heavy}, seed {seed}: {off:e}"));
                }
            }
        }
    }
    out
}

#[test]
fn a_turned_and_shifted_scene_moves_the_same() {
    let off = changed(|r| (Pose { pos: r.vec(3.0), rot: r.quat() }, (0..6).collect()));
    assert!(off.is_empty(), "{} cases differ:\n{}", off.len(), off.join("\n"));
}

#[test]
fn the_order_in_which_bodies_and_joints_are_added_does_not_matter() {
    let off = changed(|r| {
        let mut order: Vec<usize> = (0..6).collect();
        for k in 0..6 {
            order.swap(k, r.below(6));
        }
        (Pose::IDENTITY, order)
    });
    assert!(off.is_empty(), "{} cases differ:\n{}", off.len(), off.join("\n"));
}

#[test]
fn islands_do_not_influence_each_other_at_all() {
    for stabiliser in STABILISERS {
        for seed in 0..3 {
            for h in [0.005, 1.0 / 60.0] {
                let options = Options { stabiliser, ..Options::default() };
                let plan = Plan::tree(seed, 5, 30.0);
                let (mut alone, mut first, mut last) = (world(options), world(options), world(options));
                let a = plan.build(&mut alone, &Pose::IDENTITY, 0..5);
                let other = Plan::tree(seed + 50, 4, 1.0);
                other.build(&mut first, &Pose::at(3.0 * Vec3::X), 0..4);
                let b = plan.build(&mut first, &Pose::IDENTITY, 0..5);
                let c = plan.build(&mut last, &Pose::IDENTITY, 0..5);
                other.build(&mut last, &Pose::at(3.0 * Vec3::X), 0..4);
                for step in 0..60 {
                    for w in [&mut alone, &mut first, &mut last] {
                        w.step(h).unwrap();
                    }
                    for k in 0..5 {
                        let view = |w: &World, id| {
                            let v = w.body(id).unwrap();
                            (v.pose(), v.velocity(), v.angular_velocity())
                        };
                        let what = format!("{} seed {seed} h {h} step {step} body {k}", stabiliser.name());
                        assert_eq!(view(&alone, a[k]), view(&last, c[k]), "{what}: a mechanism added later");
                        assert_eq!(view(&alone, a[k]), view(&first, b[k]), "{what}: a mechanism added before");
                    }
                }
            }
        }
    }
}

#[test]
fn inertial_damping_keeps_the_mass_matrix_positive_definite() {
    // The block factorisation refuses a pivot of the wrong sign, so a step that works is the proof.
    for damping in [INERTIAL, InertialDamping { alpha: 0.0, theta: 1.0, angular_only: false }] {
        for seed in 0..10 {
            for (h, heavy) in [(0.01, 1.0), (0.1, 1e3), (0.1, 1e6)] {
                let stabiliser = Stabiliser::Inertial(damping);
                let mut w = world(Options { stabiliser, ..Options::default() });
                Plan::tree(seed, 6, heavy).build(&mut w, &Pose::IDENTITY, 0..6);
                for step in 0..10 {
                    let done = w.step(h);
                    assert!(done.is_ok(), "seed {seed}, h = {h}, load {heavy}, step {step}: {done:?}");
                }
            }
        }
    }
}

#[test]
fn inertial_damping_far_from_its_boundary_is_no_damping_bit_for_bit() {
    for seed in 0..5 {
        let mut worlds = [
            Stabiliser::None,
            Stabiliser::Inertial(InertialDamping { alpha: 1e200, theta: 0.5, angular_only: false }),
            Stabiliser::Inertial(InertialDamping { alpha: 1e200, theta: 1.0, angular_only: true }),
        ]
        .map(|stabiliser| {
            let mut w = world(Options { stabiliser, ..Options::default() });
            Plan::tree(seed, 6, 100.0).build(&mut w, &Pose::IDENTITY, 0..6);
            w
        });
        for _ in 0..60 {
            worlds.iter_mut().for_each(|w| assert!(w.step(0.01).is_ok()));
        }
        assert_eq!(worlds[0].state(), worlds[1].state(), "seed {seed}");
        assert_eq!(worlds[0].state(), worlds[2].state(), "seed {seed}");
    }
}

#[test]
fn no_joint_afloat_gains_energy() {
    let mut gains = Vec::new();
    for (k, joint) in catalogue().iter().enumerate() {
        for seed in 0..8 {
            for h in [0.002, 0.01] {
                let (mut w, _) = pair(Options::default(), k, false, seed);
                let start = w.step(h).unwrap().energy.total();
                let most = (0..100).fold(0.0, |most: f64, _| most.max(w.step(h).unwrap().energy.total() / start));
                if most > 1.01 {
                    gains.push(format!("{} seed {seed}, h = {h}: {most} of the start", joint.name()));
                }
            }
        }
    }
    assert!(gains.is_empty(), "{}", gains.join("\n"));
}

/// A chain afloat, thrown at random, with a ball of mass `load` at one end. Returns its largest energy after the first step
/// relative to that after the first step.
fn afloat(resolved: bool, h: f64, load: f64, hinges: bool, seed: u64) -> f64 {
    let mut w = world(Options { resolved, ..weightless() });
    let mut r = Rng(seed);
    let mut last = None;
    for k in 0..10 {
        let props = if k == 9 { ball(load, 0.5) } else { rod(1.0, 1.0, 0.05) };
        let def = Body::dynamic(props).at(Vec3::X * (f64::from(k) + 0.5)).moving(r.vec(3.0), r.vec(3.0));
        let b = w.add(def).unwrap();
        if let Some(before) = last {
            let between = if hinges { Hinge::between } else { Ball::between };
            w.add(between(b, before).at(Vec3::X * f64::from(k)).axis(r.unit())).unwrap();
        }
        last = Some(b);
    }
    let start = w.step(h).unwrap().energy.total();
    (0..(2.0 / h) as usize).fold(0.0, |most: f64, _| most.max(w.step(h).unwrap().energy.total() / start))
}

#[test]
fn a_chain_afloat_gains_no_energy() {
    for seed in 0..4 {
        for h in [0.01, 1.0 / 60.0, 0.05] {
            for load in [1.0, 1e3, 1e6] {
                for hinges in [false, true] {
                    let what = format!("seed {seed}, h = {h}, load {load}, hinges {hinges}");
                    // What cannot rise is v.(M + A)v; v.M v may by a little when A falls, and swings in the resolved regime.
                    for resolved in [false, true] {
                        let most = afloat(resolved, h, load, hinges, seed);
                        assert!(most < 1.0 + 1e-3, "{what}, resolved {resolved}: up by {:e}", most - 1.0);
                    }
                }
            }
        }
    }
}

/// A scene with every kind of body, force and row.
fn everything(options: Options) -> (World, [BodyId; 3]) {
    let mut w = world(options);
    let ground = w.ground();
    let motor = w.add(Body::kinematic().at(Vec3::new(0.0, 1.0, 0.0))).unwrap();
    w.set_velocity(motor, Vec3::new(0.3, 0.0, 0.1), Vec3::new(0.0, 0.5, 2.0)).unwrap();
    let add = |w: &mut World, x: f64, y: f64| {
        w.add(Body::dynamic(rod(2.0, 1.0, 0.1)).at(Vec3::new(x, y, 0.0)).damped(0.1, 0.2)).unwrap()
    };
    let arm = add(&mut w, 0.5, 1.0);
    let link = add(&mut w, 1.5, 1.0);
    let slider = add(&mut w, 2.5, 1.0);
    let tail = add(&mut w, 3.5, 1.0);
    let soft = Softness { compliance: 1e-4, damping: 20.0 };
    let damper = Softness { compliance: f64::INFINITY, damping: 5.0 };
    w.add(Hinge::between(arm, motor).at(Vec3::new(0.0, 1.0, 0.0)).axis(Vec3::Z)).unwrap();
    w.add(Ball::between(link, arm).at(Vec3::new(1.0, 1.0, 0.0)).linear(soft)).unwrap();
    w.add(Prismatic::between(slider, link).at(Vec3::new(2.0, 1.0, 0.0)).axis(Vec3::X).angular(soft)).unwrap();
    let cable = Cable { axial: Softness::RIGID, bending: damper, torsion: soft };
    w.add(Joint::of(cable, tail, slider).at(Vec3::new(3.0, 1.0, 0.0)).axis(Vec3::X)).unwrap();
    // Particles on rods, and springs in both forms between all of them.
    let bob = w.add(Body::particle(1.5).at(Vec3::new(3.5, 0.0, 0.2)).damped(0.3, 0.0)).unwrap();
    w.add(Distance::between(bob, tail).ends(w[bob].pos, Vec3::new(4.0, 1.0, 0.0))).unwrap();
    for (i, j) in [(bob, ground), (link, tail), (slider, motor), (bob, link), (tail, motor)] {
        let point_i = if i == bob { Vec3::ZERO } else { Vec3::new(0.2, 0.1, 0.0) };
        let (point_j, rest_length) = (Vec3::new(-0.1, 0.2, 0.1), 0.8);
        w.add(Spring { i, j, point_i, point_j, stiffness: 300.0, damping: 4.0, rest_length }).unwrap();
    }
    w.add(MouseSpring::new(link, Vec3::new(0.3, 0.0, 0.0), Vec3::new(1.0, 2.0, 0.5))).unwrap();
    w.add(Force::Point { body: tail, point: Vec3::X * 0.5, force: Vec3::new(0.0, 3.0, 5.0) }).unwrap();
    w.add(Force::Torque { body: slider, torque: Vec3::new(0.5, 0.0, -1.0) }).unwrap();
    w.add(Force::Drag { body: link, linear: 0.7, angular: 0.2 }).unwrap();
    w.add(Force::Drag { body: bob, linear: 0.4, angular: 0.0 }).unwrap();
    (w, [motor, arm, tail])
}

#[test]
fn the_ledger_accounts_for_all_energy_with_every_stabiliser() {
    for stabiliser in STABILISERS {
        for resolved in [true, false] {
            for h in [0.002, 1.0 / 60.0] {
                let (mut w, [motor, arm, tail]) = everything(Options { stabiliser, resolved, ..Options::default() });
                let mut before = w.energy().unwrap();
                for step in 0..120 {
                    w.apply_force(tail, Vec3::new(1.0, 2.0, 0.0), Vec3::new(3.0, 0.0, 0.0)).unwrap();
                    w.apply_torque(arm, Vec3::new(0.0, 0.1, 0.3)).unwrap();
                    if step % 3 == 0 {
                        let mut pose = w.pose(motor).unwrap();
                        pose.pos += h * Vec3::new(0.1, 0.2, -0.1);
                        pose.rot = (Quat::from_rotation_y(2.0 * h) * pose.rot).normalize();
                        w.set_target(motor, pose).unwrap();
                    }
                    let done = w.step(h).unwrap();
                    let (l, e) = (done.ledger, done.energy);
                    let scale = e.kinetic + e.gravity.abs() + e.elastic + 1.0;
                    let what = format!("{} resolved {resolved} h {h} step {step}", stabiliser.name());
                    assert!(l.imbalance.abs() < 1e-9 * scale, "{what}: {l:?} of {e:?}");
                    let change = e.total() - before.total();
                    assert!((l.change - change).abs() < 1e-9 * scale, "{what}: {} against {change}", l.change);
                    before = e;
                }
            }
        }
    }
}

#[test]
fn the_ledger_knows_who_did_the_work() {
    // A chain swings undamped, then with damping: what is lost is in the right column.
    for (damping, work) in [(0.0, 0.0), (0.5, 0.0), (0.0, 2.0)] {
        let mut w = world(Options { stabiliser: Stabiliser::None, ..Options::default() });
        let (bodies, _) = chain(&mut w, 2, Vec3::X, 0.0, Ball::between);
        let mut sum = taut::Ledger::default();
        w.remove(bodies[1]).unwrap();
        let def = Body::dynamic(rod(1.0, 1.0, 0.05)).at(Vec3::new(1.5, 0.0, 0.0)).damped(damping, damping);
        let b = w.add(def).unwrap();
        w.add(Ball::between(b, bodies[0]).at(Vec3::X)).unwrap();
        let mut done = 0.0;
        for _ in 0..500 {
            let from = w[b].pos.z;
            w.apply_force(b, Vec3::Z * work, w[b].pos).unwrap();
            let l = w.step(0.001).unwrap().ledger;
            done += work * (w[b].pos.z - from);
            sum.work += l.work;
            sum.damping += l.damping;
            sum.stabiliser += l.stabiliser;
        }
        assert_eq!(sum.stabiliser, 0.0);
        assert!((sum.work - done).abs() <= 1e-2 * done.abs(), "work {} against {done}", sum.work);
        assert_eq!(sum.damping < -0.1, damping > 0.0, "damping {}", sum.damping);
        assert!(sum.damping <= 0.0);
    }
}

//! What must hold whatever the mechanism: momenta, invariances, damping that only damps, books that balance.

mod common;

use common::{
    FOUR_BAR, Plan, Rng, ball, chain, distance, four_bar, join, pose_distance, rod, shared_frames, weightless, world,
};
use taut::joints::catalogue;
use taut::{
    Ball, BodyDef, BodyId, Cable, Distance, Force, Hinge, InertialDamping, Joint, MassProperties, MouseSpring, Options,
    Pose, Prismatic, Quat, Softness, Spring, SpringForm, Stabiliser, Vec3, World,
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

/// Two random bodies with one joint between them, afloat.
fn pair(options: Options, joint: &dyn Joint, round: bool, seed: u64) -> (World, [(BodyId, MassProperties); 2]) {
    let mut r = Rng(seed);
    let mut w = world(Options { gravity: Vec3::ZERO, ..options });
    let bodies = [0, 1].map(|_| {
        let mut def = r.body();
        let props = if round { ball(r.range(1.0, 20.0), 0.3) } else { r.mass() };
        def.mass = Some(props);
        (w.add_body(def).unwrap(), props)
    });
    let f = r.frame();
    let poses = bodies.map(|b| w.body(b.0).unwrap().pose);
    let mut frames = shared_frames(&poses[0], &poses[1], &f);
    if joint.name() == "distance" {
        frames.j.origin = poses[1].to_local(f.origin - f.n); // the length in the catalogue: 1 m
    }
    w.add_joint(bodies[0].0, bodies[1].0, joint, frames).unwrap();
    (w, bodies)
}

/// Momentum, and angular momentum about the origin in the middle of the last drift (where the step keeps it).
fn momenta(w: &World, bodies: &[(BodyId, MassProperties)], h: f64) -> (Vec3, Vec3) {
    bodies.iter().fold((Vec3::ZERO, Vec3::ZERO), |(p, l), (b, props)| {
        let v = w.body(*b).unwrap();
        let back = Quat::from_scaled_axis(-0.5 * h * v.angular_velocity) * v.pose.rot;
        let spin = back * (props.inertia * (v.pose.rot.inverse() * v.angular_velocity));
        (p + props.mass * v.velocity, l + v.pose.pos.cross(props.mass * v.velocity) + spin)
    })
}

#[test]
fn no_joint_and_no_stabiliser_changes_the_momentum() {
    for stabiliser in STABILISERS {
        for joint in catalogue() {
            for seed in 0..4 {
                let (mut w, bodies) = pair(Options { stabiliser, ..Options::default() }, joint.as_ref(), false, seed);
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
    for joint in catalogue().iter().filter(|j| {
        ["prismatic", "cylindrical", "planar", "axial-lock", "distance", "flexible-cable"].contains(&j.name())
    }) {
        for seed in 0..8 {
            let options = Options { stabiliser: Stabiliser::None, ..Options::default() };
            let (mut w, bodies) = pair(options, joint.as_ref(), true, seed);
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
    for joint in catalogue().iter().filter(|j| j.name() != "axial-lock") {
        for seed in 0..8 {
            for h in [0.01, 0.005, 0.002, 0.001] {
                let (mut w, bodies) = pair(Options::default(), joint.as_ref(), false, seed);
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
            }
        }
    }
}

/// Both ways of moving a scene: every tree in `place`, against the tree as it is, compared there.
fn invariance(options: Options, h: f64, heavy: f64, seed: u64) -> (f64, f64) {
    let n = 6;
    let plan = Plan::tree(seed, n, heavy);
    let mut r = Rng(seed + 99);
    let place = Pose { pos: r.vec(3.0), rot: r.quat() };
    let mut shuffled: Vec<usize> = (0..n).collect();
    for k in 0..n {
        shuffled.swap(k, r.below(n));
    }
    let (mut a, mut c) = (world(options), world(options));
    let mut b = world(Options { gravity: place.rot * options.gravity, ..options });
    let in_a = plan.build(&mut a, &Pose::IDENTITY, 0..n);
    let in_b = plan.build(&mut b, &place, 0..n);
    let in_c = plan.build(&mut c, &Pose::IDENTITY, shuffled.into_iter());
    for _ in 0..30 {
        for w in [&mut a, &mut b, &mut c] {
            w.step(h).unwrap();
        }
    }
    let moved = in_a.iter().zip(&in_b).fold(0.0_f64, |worst, (x, y)| {
        let p = a.body(*x).unwrap().pose;
        let p = Pose { pos: place.to_world(p.pos), rot: place.rot * p.rot };
        worst.max(pose_distance(&p, &b.body(*y).unwrap().pose))
    });
    (moved, distance(&a, &c, in_a.into_iter().zip(in_c)))
}

const INVARIANT: [(Stabiliser, bool); 6] = [
    (Stabiliser::Aligned, true),
    (Stabiliser::Aligned, false),
    (Stabiliser::None, true),
    (Stabiliser::Full, true),
    (Stabiliser::Symmetric, true),
    (Stabiliser::ConstraintSpace { alpha: 1e9 }, true),
];

#[test]
fn a_turned_and_shifted_scene_moves_the_same() {
    let mut off = Vec::new();
    for (stabiliser, resolved) in INVARIANT {
        for (h, heavy) in [(0.01, 1.0), (1.0 / 60.0, 1.0), (0.01, 1e3), (1.0 / 60.0, 1e3)] {
            for seed in 0..20 {
                let options = Options { stabiliser, resolved, ..Options::default() };
                let (moved, _) = invariance(options, h, heavy, seed);
                if moved > 1e-9 {
                    off.push(format!(
                        "{} resolved {resolved} h {h} load {heavy} seed {seed}: {moved:e}",
                        stabiliser.name()
                    ));
                }
            }
        }
    }
    assert!(off.is_empty(), "{} cases differ:\n{}", off.len(), off.join("\n"));
}

#[test]
fn the_order_in_which_bodies_and_joints_are_added_does_not_matter() {
    let mut off = Vec::new();
    for (stabiliser, resolved) in INVARIANT {
        for (h, heavy) in [(0.01, 1.0), (1.0 / 60.0, 1.0), (0.01, 1e3), (1.0 / 60.0, 1e3)] {
            for seed in 0..20 {
                let options = Options { stabiliser, resolved, ..Options::default() };
                let (_, shuffled) = invariance(options, h, heavy, seed);
                if shuffled > 1e-9 {
                    off.push(format!(
                        "{} resolved {resolved} h {h} load {heavy} seed {seed}: {shuffled:e}",
                        stabiliser.name()
                    ));
                }
            }
        }
    }
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
                four_bar(&mut first, 1.0);
                let b = plan.build(&mut first, &Pose::IDENTITY, 0..5);
                let c = plan.build(&mut last, &Pose::IDENTITY, 0..5);
                four_bar(&mut last, 1.0);
                for step in 0..60 {
                    // The four-bar has redundant rows, which only the block factorisation can take.
                    for w in [&mut alone, &mut first, &mut last] {
                        w.step(h).unwrap();
                    }
                    for k in 0..5 {
                        let view = |w: &World, id| {
                            let v = w.body(id).unwrap();
                            (v.pose, v.velocity, v.angular_velocity)
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

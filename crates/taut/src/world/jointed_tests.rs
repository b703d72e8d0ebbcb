//! Trees of rigid joints in joint coordinates against the same worlds by blocks, and who is eliminated how.

use super::World;
use crate::ids::BodyId;
use crate::joints::{Ball, Hinge, Joint, Softness, Universal, Weld};
use crate::mass::MassProperties;
use crate::model::body::Body;
use crate::model::force::Spring;
use glam::{DQuat, DVec3};

const STEP: f64 = 0.01;

/// What the first body hangs on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Root {
    Ground,
    Driven,
    Free,
}

/// Numbers in (-1, 1) that look random.
fn noise(k: usize) -> f64 {
    let z = (k as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (z >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

fn noise3(k: usize) -> DVec3 {
    DVec3::new(noise(3 * k), noise(3 * k + 1), noise(3 * k + 2))
}

/// A tree of bars with forks, damped bodies among them, a heavy one at the end, and joints of the kinds given, in turn.
fn tree(n: usize, root: Root, kinds: &[fn(BodyId, BodyId) -> Joint]) -> World {
    let mut w = World::new();
    let base = if root == Root::Driven { w.add(Body::kinematic()).unwrap() } else { w.ground() };
    if root == Root::Driven {
        w.set_velocity(base, 0.1 * DVec3::X, 0.3 * DVec3::Z).unwrap();
    }
    let mut made: Vec<(BodyId, DVec3)> = vec![(base, DVec3::ZERO)];
    for k in 0..n {
        // Every third one hangs on one further back.
        let (on, from) = made[if k % 3 == 2 { made.len() - 2 } else { made.len() - 1 }];
        let to = from + (DVec3::new(1.0, -0.5, 0.0) + 0.5 * noise3(k)).normalize() * 0.3;
        let mass = if k + 1 == n { 100.0 } else { 0.2 + 0.1 * noise(k) };
        let inertia = DVec3::new(1e-4, 0.0075, 0.0075) * mass;
        let turn = DQuat::from_rotation_arc(DVec3::X, (to - from).normalize());
        let body = Body::dynamic(MassProperties::from_diagonal(mass, inertia).unwrap());
        let body = if k % 4 == 1 { body.damped(0.2, 0.3) } else { body };
        let b = w.add(body.at(0.5 * (from + to)).rotated(turn).moving(DVec3::ZERO, noise3(k + 99))).unwrap();
        if k > 0 || root != Root::Free {
            // Either side may be the first.
            let between = kinds[k % kinds.len()];
            let joint = if k % 2 == 0 { between(b, on) } else { between(on, b) };
            w.add(joint.at(from).axis(noise3(k + 7).normalize())).unwrap();
        }
        made.push((b, to));
    }
    w
}

/// Which islands were last eliminated in joint coordinates.
fn used(w: &World) -> Vec<bool> {
    w.layout.as_ref().unwrap().desk.factor.jointed.used.clone()
}

/// The same world by blocks.
fn by_blocks(w: &mut World) {
    w.lay_out().unwrap();
    let jointed = &mut w.layout.as_mut().unwrap().desk.factor.jointed;
    jointed.members.iter_mut().for_each(|m| *m = 0..0);
}

#[test]
fn trees_move_as_they_do_by_blocks() {
    let all: [fn(BodyId, BodyId) -> Joint; 4] = [Ball::between, Hinge::between, Universal::between, Weld::between];
    let cases = [&all[..1], &all[1..2], &all[2..3], &all[..2], &all[..]];
    for root in [Root::Ground, Root::Driven, Root::Free] {
        for (c, kinds) in cases.iter().enumerate() {
            let (mut one, mut two) = (tree(17, root, kinds), tree(17, root, kinds));
            by_blocks(&mut two);
            for step in 0..20 {
                let (a, b) = (one.step(STEP).unwrap(), two.step(STEP).unwrap());
                assert_eq!((used(&one), used(&two)), (vec![true], vec![false]), "{root:?}, case {c}");
                assert!(a.residual <= 1e-12, "{root:?}, case {c}, step {step}: {:.1e}", a.residual);
                let scale = a.energy.kinetic.abs() + a.energy.gravity.abs();
                assert!(a.ledger.imbalance.abs() < 1e-11 * scale.max(1.0), "{root:?}, case {c}: {:?}", a.ledger);
                assert_eq!((a.factorisations, a.dropped_rows), (b.factorisations, 0));
            }
            for (a, b) in one.bodies().zip(two.bodies()) {
                let apart = (a.pose().pos - b.pose().pos).length() + (a.velocity() - b.velocity()).length();
                assert!(apart < 1e-8, "{root:?}, case {c}: {apart:.1e}");
            }
        }
    }
}

/// A bar on a hinge at the origin of the ground, at rest and level, on what the rest of a scene is built.
fn bar(w: &mut World, joint: impl Fn(BodyId, BodyId) -> Joint) -> BodyId {
    let mass = MassProperties::cuboid(500.0, DVec3::new(0.2, 0.02, 0.03)).unwrap();
    let b = w.add(Body::dynamic(mass).at(0.2 * DVec3::X)).unwrap();
    w.add(joint(b, w.ground()).at(DVec3::ZERO).axis(DVec3::Z)).unwrap();
    b
}

#[test]
fn what_asks_for_blocks_gets_them() {
    let soft = |i, j| Joint::of(Ball { point: Softness { compliance: 1e-6, damping: 0.0 } }, i, j);
    type Build = Box<dyn Fn(&mut World)>;
    let cases: [(&str, bool, Build); 6] = [
        ("hinge", true, Box::new(|w| _ = bar(w, Hinge::between))),
        ("compliance", false, Box::new(move |w| _ = bar(w, soft))),
        ("a limit that is reached", false, Box::new(|w| _ = bar(w, |i, j| Hinge::between(i, j).limit(0.0, 1.0)))),
        (
            "a spring",
            false,
            Box::new(|w| {
                let b = bar(w, Hinge::between);
                w.add(Spring::between(b, w.ground()).stiffness(10.0)).unwrap();
            }),
        ),
        (
            "a loop",
            false,
            Box::new(|w| {
                let b = bar(w, Ball::between);
                w.add(Ball::between(b, w.ground()).at(0.4 * DVec3::X)).unwrap();
            }),
        ),
        (
            "a particle",
            false,
            Box::new(|w| {
                let (b, p) = (bar(w, Hinge::between), w.add(Body::particle(1.0).at(0.4 * DVec3::X)).unwrap());
                w.add(Ball::between(p, b).at(0.4 * DVec3::X)).unwrap();
            }),
        ),
    ];
    for (name, jointed, build) in cases {
        let mut w = World::new();
        build(&mut w);
        w.step(STEP).unwrap();
        assert_eq!(used(&w), [jointed], "{name}");
    }
}

#[test]
fn a_joint_that_is_cut_leaves_two_trees() {
    let mut w = tree(12, Root::Ground, &[Ball::between, Hinge::between]);
    w.step(STEP).unwrap();
    let cut = w.joints().map(|j| j.id()).nth(6).unwrap();
    w.remove(cut).unwrap();
    for _ in 0..5 {
        let report = w.step(STEP).unwrap();
        assert!(report.residual < 1e-11 && report.ledger.imbalance.abs() < 1e-9, "{report:?}");
    }
}

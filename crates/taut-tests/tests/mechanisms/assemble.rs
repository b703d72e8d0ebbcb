//! Scattered parts brought together by the projection of poses.

use crate::common::{Rng, chain, four_bar, rod, world};
use taut::{
    Ball, Body, BodyId, Error, Hinge, Options, Pose, Quat, Solver, Vec3, Weld, World, assembly::Assembly,
    settings::Budget,
};

/// Both ways the layout can factorise.
fn solvers() -> [Options; 2] {
    [Solver::Auto, Solver::Structured(Budget::default())].map(|solver| Options { solver, ..Options::default() })
}

/// A ring of rods with hinges and a chain hung from it.
fn structure(w: &mut World, n: usize) -> Vec<BodyId> {
    let at = |k: usize| {
        let a = std::f64::consts::TAU * k as f64 / n as f64;
        Vec3::new(a.cos(), a.sin(), 0.2 * (k % 2) as f64)
    };
    let mut bars = Vec::new();
    for k in 0..n {
        let d = at((k + 1) % n) - at(k);
        let turn = Quat::from_rotation_arc(Vec3::X, d.normalize());
        let def = Body::dynamic(rod(1.0 + k as f64, d.length(), 0.05)).at(at(k) + 0.5 * d).rotated(turn);
        bars.push(w.add(def).unwrap());
    }
    w.add(Weld::between(bars[0], w.ground()).at(at(0))).unwrap();
    for k in 1..n {
        w.add(Ball::between(bars[k], bars[k - 1]).at(at(k))).unwrap();
    }
    w.add(Ball::between(bars[0], bars[n - 1]).at(at(0))).unwrap();
    let mut last = bars[n / 2];
    for k in 0..3 {
        let from = at(n / 2) - k as f64 * Vec3::Z;
        let b = w.add(Body::dynamic(rod(1.0, 1.0, 0.05)).at(from - 0.5 * Vec3::Z)).unwrap();
        w.add(Hinge::between(b, last).at(from).axis(Vec3::X)).unwrap();
        bars.push(b);
        last = b;
    }
    bars
}

fn scatter(w: &mut World, bodies: &[BodyId], way: f64, turn: f64, seed: u64) {
    let mut r = Rng(seed);
    for &b in bodies {
        let pose = w.pose(b).unwrap();
        let q = Quat::from_axis_angle(r.unit(), r.range(-turn, turn));
        w.set_pose(b, Pose { pos: pose.pos + r.vec(way), rot: (q * pose.rot).normalize() }).unwrap();
    }
}

fn widest(w: &World) -> f64 {
    w.joints().fold(0.0, |m, j| m.max(j.gap()).max(j.angle()))
}

#[test]
fn scattered_parts_come_together_quadratically() {
    for options in solvers() {
        for seed in 0..8 {
            let mut w = world(options);
            let bodies = structure(&mut w, 8);
            scatter(&mut w, &bodies, 3.0, 0.8, seed);
            assert!(widest(&w) > 1.0);
            let velocity = Vec3::new(0.1, 0.2, 0.3);
            w.set_velocity(bodies[3], velocity, Vec3::ZERO).unwrap();
            let done = w.assemble(&Assembly::default()).unwrap();
            assert!(done.closed && done.gap <= 1e-9 && widest(&w) <= 1e-9, "seed {seed}: {done:?}");
            assert_eq!(done.history.len(), done.passes + 1);
            assert_eq!(w[bodies[3]].vel, velocity);
            // The error of the last full pass is the square of the one before, but for rounding and a factor.
            let h = &done.history;
            let near: Vec<usize> = (1..h.len()).filter(|&k| h[k - 1] < 1e-2 && h[k] > 1e-12).collect();
            assert!(!near.is_empty(), "seed {seed}: {h:?}");
            for k in near {
                assert!(h[k] < 20.0 * h[k - 1] * h[k - 1] + 1e-10, "seed {seed}, {options:?}: {h:?}");
            }
            // And it runs from there.
            for _ in 0..20 {
                assert!(w.step(0.01).unwrap().max_gap < 1e-2);
            }
        }
    }
}

#[test]
fn heavy_bodies_move_least() {
    let mut w = world(Options::default());
    let [light, heavy] = [1.0, 99.0].map(|m| w.add(Body::dynamic(rod(m, 1.0, 0.05))).unwrap());
    w.add(Weld::between(light, heavy)).unwrap();
    w.set_pose(light, Pose { pos: Vec3::X, rot: Quat::IDENTITY }).unwrap();
    let done = w.assemble(&Assembly::default()).unwrap();
    assert!(done.closed);
    assert!((w[light].pos.x - 0.01).abs() < 1e-9);
    assert!((w[heavy].pos.x - 0.01).abs() < 1e-9);
}

#[test]
fn joints_that_contradict_each_other_are_named_and_nothing_has_changed() {
    for options in solvers() {
        let mut w = world(options);
        chain(&mut w, 3, Vec3::X, 1.0, Ball::between);
        let b = w.add(Body::dynamic(rod(1.0, 1.0, 0.05)).at(5.0 * Vec3::Y)).unwrap();
        let mut hold = |own: Vec3, at: Vec3, name: &str| {
            w.add(Ball::between(b, w.ground()).ends(5.0 * Vec3::Y + own, at).named(name)).unwrap()
        };
        let left = hold(-0.5 * Vec3::X, Vec3::new(-1.0, 5.0, 0.0), "left post");
        let right = hold(0.5 * Vec3::X, Vec3::new(1.0, 5.0, 0.0), "right post");
        let before = w.state().clone();
        let error = w.assemble(&Assembly::default()).unwrap_err();
        assert_eq!(w.state(), &before);
        let Error::Assembly { joint, gap, passes, .. } = &error else { panic!("{error}") };
        assert!(joint.contains("post") && (0.4..=1.1).contains(gap) && *passes > 0, "{error}");
        assert!(error.to_string().contains("unchanged"), "{error}");
        // The best there is, when asked for.
        let kept = w.assemble(&Assembly { keep: true, ..Assembly::default() }).unwrap();
        assert!(!kept.closed && kept.joint.is_some_and(|j| j == left || j == right), "{kept:?}");
        assert!((kept.gap - gap).abs() < 1e-12 && widest(&w) < 1.1);
    }
}

#[test]
fn what_is_closed_stays_where_it_is() {
    let mut w = world(Options::default());
    four_bar(&mut w, 1.0);
    let before = w.state().clone();
    let done = w.assemble(&Assembly::default()).unwrap();
    assert_eq!((done.passes, done.closed), (0, true));
    assert_eq!(w.state(), &before);
}

#[test]
fn bad_input_is_refused() {
    let mut w = World::new();
    assert!(w.assemble(&Assembly::default()).unwrap().closed, "nothing is open");
    four_bar(&mut w, 1.0);
    for gap in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = w.assemble(&Assembly { gap, ..Assembly::default() }).unwrap_err().to_string();
        assert!(error.contains("gap of the assembly"), "{error}");
    }
    let error = w.assemble(&Assembly { passes: 0, ..Assembly::default() }).unwrap_err().to_string();
    assert!(error.contains("passes of the assembly"), "{error}");
}

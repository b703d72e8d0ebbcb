//! The structured solver: iterations on closed lattices, agreement with the direct solver, budgets, honest errors, contradictions.

mod lattice;

use crate::common::{Rng, ball, chain, four_bar, rod, world};
use lattice::Lattice;
use std::sync::atomic::{AtomicU64, Ordering};
use taut::{
    Ball, Body, BodyId, Collider, Distance, Hinge, Joint, JointId, MassProperties, Options, Shape, Solver, Stabiliser,
    Universal, Vec3, Weld, World,
};
use taut_solve::structured::krylov::Products;
use taut_solve::structured::{Budget, Krylov, LoopMethod, Meter, solve_loops};

fn structured(budget: Budget) -> Options {
    Options { solver: Solver::Structured(budget), ..Options::default() }
}

#[test]
fn iterations_on_closed_pin_lattices_are_those_of_the_structured_solution() {
    // Bodies, acyclic and loop rows, iterations of conjugate gradients and of MINRES.
    for (n, bodies, rows, wanted) in
        [(2, 12, (24, 8), (8, 8)), (4, 40, (80, 32), (29, 28)), (8, 144, (288, 128), (66, 57))]
    {
        let l = Lattice::new(n);
        assert_eq!((l.bodies(), (l.acyclic_rows(), l.loop_rows())), (bodies, rows));
        let (v, _) = l.dense();
        for (method, wanted) in [(LoopMethod::Gradients, wanted.0), (LoopMethod::Residuals, wanted.1)] {
            let mut x = vec![0.0; l.loop_rows()];
            let mut meter = Meter::default();
            let mut identity = |r: &[f64], z: &mut [f64]| z.copy_from_slice(r);
            let mut apply = |x: &[f64], y: &mut [f64]| l.apply(x, y);
            let products: Products<'_> = (&mut apply, &mut identity);
            let info = solve_loops(method, products, &l.bhat(), &mut x, 1e-10, &mut meter, &mut Krylov::default());
            let off = l.velocities(&x).iter().zip(&v).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
            let size = v.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
            println!("{n} x {n} {method:?}: {} iterations, error {:.0e}", info.iterations, off / size);
            // The masses and right-hand sides are random: a tenth more or less.
            let near = info.iterations.abs_diff(wanted) * 10 <= wanted;
            assert!(near, "{n} x {n} {method:?}: {} iterations, expected {wanted}", info.iterations);
            assert!(off < 1e-8 * size, "{n} x {n} {method:?}: off by {:e}", off / size);
        }
    }
}

/// Rods of 1 m and 1 kg between the nodes of a grid in the plane of x and y, pinned where they meet, hung up at one corner or two.
fn rods(w: &mut World, n: usize, corners: usize, between: fn(BodyId, BodyId) -> Joint) -> Vec<BodyId> {
    let at = |i: usize, j: usize| Vec3::new(i as f64, -(j as f64), 0.0);
    let (mut bodies, mut ends): (Vec<BodyId>, Vec<[(usize, usize); 2]>) = (Vec::new(), Vec::new());
    for i in 0..=n {
        for j in 0..=n {
            for (a, b) in [(i + 1, j), (i, j + 1)] {
                if a > n || b > n {
                    continue;
                }
                let d = at(a, b) - at(i, j);
                let turn = taut::Quat::from_rotation_arc(Vec3::X, d);
                let def = Body::dynamic(rod(1.0, 1.0, 0.05)).at(at(i, j) + 0.5 * d).rotated(turn);
                bodies.push(w.add(def).unwrap());
                ends.push([(i, j), (a, b)]);
            }
        }
    }
    for i in 0..=n {
        for j in 0..=n {
            let here: Vec<usize> = (0..bodies.len()).filter(|&r| ends[r].contains(&(i, j))).collect();
            for &r in &here[1..] {
                w.add(between(bodies[here[0]], bodies[r]).at(at(i, j)).axis(Vec3::Z)).unwrap();
            }
            if j == 0 && (i == 0 || (i == n && corners == 2)) {
                w.add(between(bodies[here[0]], w.ground()).at(at(i, j)).axis(Vec3::Z)).unwrap();
            }
        }
    }
    bodies
}

/// Rings of random boxes on ball and universal joints, with a bridge of two boxes across each and one ring hung from the next.
fn looped(options: Options, seed: u64) -> World {
    let mut w = world(options);
    let mut r = Rng(seed);
    let mut above = (w.ground(), Vec3::ZERO);
    for _ in 0..2 {
        let n = 7 + r.below(5);
        let places: Vec<Vec3> = (0..n)
            .map(|k| {
                let a = std::f64::consts::TAU * k as f64 / n as f64;
                above.1 + 2.0 * Vec3::new(a.sin(), a.cos() - 1.0, 0.0) + r.vec(0.3)
            })
            .collect();
        let mut box_at = |w: &mut World, at: Vec3| w.add(Body::dynamic(r.mass()).at(at).rotated(r.quat())).unwrap();
        let ring: Vec<BodyId> = places.iter().map(|&at| box_at(&mut w, at)).collect();
        let (from, to) = (places[1], places[n / 2 + 1]);
        let bridge = [0.3, 0.7].map(|s| box_at(&mut w, from.lerp(to, s)));
        w.add(Ball::between(ring[0], above.0).at(above.1)).unwrap();
        for k in 0..n {
            let middle = 0.5 * (places[k] + places[(k + 1) % n]);
            let between = if k % 3 == 1 { Universal::between } else { Ball::between };
            w.add(between(ring[k], ring[(k + 1) % n]).at(middle).axis(Vec3::Z)).unwrap();
        }
        w.add(Ball::between(bridge[0], ring[1]).at(from.lerp(to, 0.1))).unwrap();
        w.add(Ball::between(bridge[0], bridge[1]).at(from.lerp(to, 0.5))).unwrap();
        w.add(Ball::between(bridge[1], ring[n / 2 + 1]).at(from.lerp(to, 0.9))).unwrap();
        above = (ring[n / 2], places[n / 2] - 0.5 * Vec3::Y);
    }
    w
}

/// Largest difference of positions between two worlds built alike, m.
fn apart(a: &World, b: &World) -> f64 {
    crate::common::distance(a, b, a.bodies().map(|b| b.id()).zip(b.bodies().map(|b| b.id())))
}

#[test]
fn random_looped_worlds_move_as_with_the_direct_solver() {
    for seed in 0..12 {
        let budget = Budget { tolerance: 1e-12, ..Budget::default() };
        let (mut a, mut b) = (looped(Options::default(), seed), looped(structured(budget), seed));
        for step in 0..20 {
            a.step(0.005).unwrap();
            let report = b.step(0.005).unwrap().anytime.unwrap();
            assert!(report.reached && report.iterations > 0, "seed {seed} step {step}: {report:?}");
            assert!(apart(&a, &b) < 1e-7, "seed {seed} step {step}: {:e} m apart", apart(&a, &b));
        }
    }
}

#[test]
fn redundant_loops_move_as_with_the_direct_solver() {
    let build = |options: Options, case: usize| {
        let mut w = world(options);
        match case {
            0 => drop(four_bar(&mut w, 1.0)),
            1 => drop(rods(&mut w, 3, 2, Hinge::between)),
            _ => {
                // The same weld twice, on a pendulum.
                let (bodies, _) = chain(&mut w, 3, Vec3::X, 0.0, Ball::between);
                for _ in 0..2 {
                    w.add(Weld::between(bodies[0], bodies[1]).at(Vec3::X)).unwrap();
                }
            }
        }
        w
    };
    for case in 0..3 {
        let (mut a, mut b) = (build(Options::default(), case), build(structured(Budget::default()), case));
        let mut dropped = 0;
        for step in 0..60 {
            a.step(0.01).unwrap();
            let report = b.step(0.01).unwrap();
            dropped += report.dropped_rows;
            let anytime = report.anytime.unwrap();
            assert!(!anytime.contradiction, "case {case} step {step}: {anytime:?}");
            assert!(apart(&a, &b) < 1e-5, "case {case} step {step}: {:e} m apart", apart(&a, &b));
            assert!(report.max_gap < 1e-3, "case {case} step {step}: {report:?}");
        }
        assert!(dropped > 0, "case {case}: redundant rows were never seen");
    }
}

/// A bar held at both ends by two posts that are too far apart for it.
fn contradiction(options: Options) -> (World, JointId) {
    let mut w = world(options);
    let ground = w.ground();
    let b = w.add(Body::dynamic(rod(1.0, 1.0, 0.05))).unwrap();
    w.add(Ball::between(b, ground).at(-0.5 * Vec3::X)).unwrap();
    let joint = w.add(Ball::between(b, ground).ends(0.5 * Vec3::X, 0.6 * Vec3::X)).unwrap();
    (w, joint)
}

#[test]
fn rows_that_contradict_each_other_are_reported_with_what_is_left() {
    let (mut w, joint) = contradiction(Options { stabiliser: Stabiliser::None, ..structured(Budget::default()) });
    for _ in 0..5 {
        let report = w.step(0.01).unwrap();
        let anytime = report.anytime.unwrap();
        assert!(anytime.contradiction && !anytime.reached, "{anytime:?}");
        assert_eq!((anytime.velocity_joint, anytime.gap_joint), (Some(joint), Some(joint)));
        // The gap of 0.1 m cannot be closed within the step of 0.01 s, whatever the impulses: all of it stays, at one joint.
        assert!((anytime.velocity_error - 0.1 / 0.01).abs() < 1e-9, "{anytime:?}");
        assert!((anytime.gap - 0.1).abs() < 1e-9, "{anytime:?}");
    }
}

#[test]
fn a_budget_in_iterations_is_kept_and_used() {
    for most in [1, 2, 7, 20] {
        for gap in [None, Some(1e-6)] {
            let mut w = world(structured(Budget { gap, ..Budget::iterations(most) }));
            rods(&mut w, 4, 2, Ball::between);
            let mut all = 0;
            for step in 0..40 {
                let anytime = w.step(0.01).unwrap().anytime.unwrap();
                assert!(anytime.iterations <= most, "step {step}: {anytime:?} of {most}");
                assert!(anytime.reached || anytime.iterations == most, "step {step}: {anytime:?} of {most}");
                all += anytime.iterations;
            }
            assert!(all > 0);
        }
    }
}

static TICKS: AtomicU64 = AtomicU64::new(0);

/// Every look at it takes a millisecond.
fn ticking() -> f64 {
    TICKS.fetch_add(1, Ordering::Relaxed) as f64 * 1e-3
}

#[test]
fn a_budget_in_time_is_kept() {
    let budget = Budget { seconds: Some(0.0125), ..Budget::default() };
    let mut w = World::new();
    let refused = w.set_options(structured(budget)).unwrap_err().to_string();
    assert!(refused.contains("set_clock"), "{refused}");
    w.set_clock(ticking);
    w.set_options(structured(budget)).unwrap();
    rods(&mut w, 4, 2, Ball::between);
    for step in 0..20 {
        let before = TICKS.load(Ordering::Relaxed);
        let anytime = w.step(0.01).unwrap().anytime.unwrap();
        let looks = TICKS.load(Ordering::Relaxed) - before;
        // One look at the start, one per iteration, and those that find that there is no time left: none of them late.
        assert!(anytime.iterations > 0 && anytime.iterations <= 11, "step {step}: {anytime:?}");
        assert!(looks <= 16, "step {step}: {looks} looks for {anytime:?}");
    }
}

#[test]
fn the_reported_error_is_what_is_left() {
    // Without a stabiliser the rows ask for J v+ = -phi/h at the pose before the step, those of loops on a limited budget for a fifth
    // of it: seen from outside.
    for most in [1, 3, 8, 30] {
        let options = Options { stabiliser: Stabiliser::None, ..structured(Budget::iterations(most)) };
        let mut w = world(options);
        let mut r = Rng(3);
        for b in rods(&mut w, 3, 1, Ball::between) {
            w.set_velocity(b, r.vec(0.5), r.vec(0.5)).unwrap();
        }
        let h = 0.005;
        for step in 0..30 {
            let before = w.clone();
            let anytime = w.step(h).unwrap().anytime.unwrap();
            let mut left = 0.0_f64;
            for j in w.joints() {
                let (i, k) = j.bodies();
                left = left.max(row_error(&before, &w, (i, k), h).min(row_error(&before, &w, (i, k), 5.0 * h)));
            }
            let bound = anytime.velocity_error * (1.0 + 1e-6) + 1e-9;
            assert!(left <= bound, "{most}, step {step}: {left:e} m/s left, {anytime:?}");
            assert!(
                anytime.reached || left > 0.3 * anytime.velocity_error,
                "{most}, step {step}: {left:e}, {anytime:?}"
            );
        }
    }
}

/// Largest component of J v+ + phi/h of a pin of two rods (or a rod and the ground) at their common node, with v+ of the second world.
fn row_error(before: &World, after: &World, (i, k): (BodyId, BodyId), h: f64) -> f64 {
    let ends = |b: BodyId| {
        let body = before.body(b).unwrap();
        [-0.5, 0.5].map(|x| x * (body.rotation() * Vec3::X)).map(|arm| (body.position() + arm, arm))
    };
    let velocity = |b: BodyId, arm: Vec3| {
        let body = after.body(b).unwrap();
        body.velocity() + body.angular_velocity().cross(arm)
    };
    if k == before.ground() {
        // The corner it hangs from.
        let nearest = ends(i).into_iter().min_by(|a, b| a.0.length().total_cmp(&b.0.length())).unwrap();
        return (velocity(i, nearest.1) + nearest.0 / h).abs().max_element();
    }
    let mut best = (f64::INFINITY, 0.0);
    for (p, a) in ends(i) {
        for (q, b) in ends(k) {
            let error = velocity(i, a) - velocity(k, b) + (p - q) / h;
            if (p - q).length() < best.0 {
                best = ((p - q).length(), error.abs().max_element());
            }
        }
    }
    best.1
}

#[test]
fn a_small_budget_keeps_a_lattice_together() {
    for gap in [None, Some(1e-5)] {
        let mut w = world(structured(Budget { gap, ..Budget::iterations(12) }));
        rods(&mut w, 4, 2, Ball::between);
        let start = w.energy().unwrap().total();
        let mut widest = 0.0_f64;
        for _ in 0..300 {
            let report = w.step(1.0 / 60.0).unwrap();
            widest = widest.max(report.max_gap);
            assert!(report.energy.total() < start + 0.5, "{:e} J gained", report.energy.total() - start);
        }
        println!("gap {gap:?}: widest {widest:e}");
        assert!(widest < 0.05, "gap {gap:?}: {widest} m");
    }
}

#[test]
fn a_snapshot_repeats_a_run_on_a_budget_bit_for_bit() {
    let mut w = world(structured(Budget { gap: Some(1e-6), ..Budget::iterations(15) }));
    rods(&mut w, 3, 2, Ball::between);
    (0..20).for_each(|_| drop(w.step(0.01).unwrap()));
    let snapshot = w.state().clone();
    let run = |w: &mut World| {
        let reports: Vec<_> = (0..20).map(|_| w.step(0.01).unwrap().anytime).collect();
        (w.state().hash(), reports)
    };
    let first = run(&mut w);
    w.restore(&snapshot).unwrap();
    assert_eq!(run(&mut w), first);
    // In another world, too.
    let mut other = world(structured(Budget { gap: Some(1e-6), ..Budget::iterations(15) }));
    rods(&mut other, 3, 2, Ball::between);
    other.restore(&snapshot).unwrap();
    assert_eq!(run(&mut other), first);
}

/// A closed frame of four bars and a diagonal of beads falls on a floor.
fn falling(options: Options) -> World {
    let mut w = world(options);
    w.add(Collider::new(Shape::ground()).at(-1.5 * Vec3::Y).friction(0.5).on(w.ground())).unwrap();
    let corners = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.2), Vec3::Y];
    let mut bars = Vec::new();
    for k in 0..4 {
        let (a, b) = (corners[k], corners[(k + 1) % 4]);
        let mass = MassProperties::cuboid(300.0, Vec3::new(0.5 * (b - a).length(), 0.05, 0.05)).unwrap();
        let turn = taut::Quat::from_rotation_arc(Vec3::X, (b - a).normalize());
        let bar = Body::dynamic(mass).at(0.5 * (a + b)).rotated(turn);
        bars.push(w.add(bar.collider(Collider::new(Shape::ball(0.2)).friction(0.5))).unwrap());
    }
    for k in 0..4 {
        w.add(Ball::between(bars[k], bars[(k + 1) % 4]).at(corners[(k + 1) % 4])).unwrap();
        let bead = w.add(Body::dynamic(ball(0.5, 0.1)).at(corners[k] + 0.3 * Vec3::Z)).unwrap();
        w.add(Distance::between(bead, bars[k]).ends(corners[k] + 0.3 * Vec3::Z, corners[k])).unwrap();
    }
    w
}

#[test]
fn bounded_rows_are_solved_on_top_of_it() {
    let (mut a, mut b) = (falling(Options::default()), falling(structured(Budget::default())));
    let mut c = falling(structured(Budget { gap: Some(1e-4), ..Budget::iterations(3) }));
    let (mut touched, mut most) = (0, 0.0_f64);
    for step in 0..120 {
        let (p, q, r) = (a.step(0.01).unwrap(), b.step(0.01).unwrap(), c.step(0.01).unwrap());
        touched += usize::from(q.bounded.contacts > 0);
        assert!(q.bounded.residual < 1e-6 && r.bounded.residual < 1e-6, "step {step}: {:?} {:?}", q.bounded, r.bounded);
        let anytime = r.anytime.unwrap();
        assert!(anytime.iterations <= 3, "step {step}: {anytime:?}");
        assert_eq!(anytime.responses > 0, r.bounded.rows > 0, "step {step}: {anytime:?}");
        most = most.max(r.max_gap);
        // Contacts make the motion sensitive: the first second is compared.
        if step < 80 {
            assert!(apart(&a, &b) < 1e-5, "step {step}: {:e} m apart, {:?} {:?}", apart(&a, &b), p.bounded, q.bounded);
        }
    }
    assert!(touched > 40, "{touched} steps with contacts");
    assert!(most < 0.02, "gap {most}");
}

#[test]
fn solvers_can_be_switched_in_mid_run() {
    let (mut a, mut b) = (looped(Options::default(), 3), looped(Options::default(), 3));
    for step in 0..30 {
        if step % 10 == 5 {
            let options = if step == 15 { Options::default() } else { structured(Budget::default()) };
            b.set_options(options).unwrap();
        }
        a.step(0.005).unwrap();
        let report = b.step(0.005).unwrap();
        assert_eq!(report.anytime.is_some(), (5..15).contains(&step) || step >= 25);
        assert!(apart(&a, &b) < 1e-6, "step {step}: {:e}", apart(&a, &b));
    }
}

#[test]
fn bad_budgets_are_refused() {
    let refused = |budget: Budget, name: &str| {
        let error = World::new().set_options(structured(budget)).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
    };
    refused(Budget::iterations(0), "iterations of the budget = 0");
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        refused(Budget { seconds: Some(bad), ..Budget::default() }, "seconds of the budget");
        refused(Budget { gap: Some(bad), ..Budget::default() }, "gap of the budget");
    }
    for bad in [0.0, 1.0, -1e-3, f64::NAN] {
        refused(Budget { tolerance: bad, ..Budget::default() }, "tolerance of the budget");
    }
    let symmetric = Options { stabiliser: Stabiliser::Symmetric, ..structured(Budget::default()) };
    assert!(matches!(World::new().set_options(symmetric), Err(taut::Error::Pairing { .. })));
}

//! Ropes with mass that run off a drum, out of a locker, and back: closed forms, momentum, tension at splits, the ledger.

use taut::prelude::*;
use taut::{BodyId, HeavyRope, HeavyRopeId, Winch, WinchId, Winding};

fn at(x: f64, y: f64) -> Vec3 {
    Vec3::new(x, y, 0.0)
}

const R: f64 = 0.3;

/// A rope of 1 kg/m on a drum of 0.3 m; so much of it hangs, and so much is wound, m. A weight of `end` kg is at its end.
fn drum(hangs: f64, stored: f64, l0: f64, inertia: f64, end: f64) -> (World, WinchId, HeavyRopeId, BodyId) {
    let mut w = World::new();
    let winch = w.add(Winch::on(w.ground(), Vec3::ZERO, Vec3::Z, R).inertia(inertia).named("winch")).unwrap();
    let weight = w.add(Body::particle(end).at(at(R, -hangs))).unwrap();
    let drum = w.drum(winch).unwrap();
    let rope = taut::Rope::from_drum(drum.against()).to(weight, at(R, -hangs)).massive(1.0).segment(l0).stored(stored);
    let rope = w.add(rope.named("line")).unwrap();
    (w, winch, rope, weight)
}

#[test]
fn a_rope_runs_off_a_free_drum_by_its_own_weight() {
    // x'' (I/r^2 + rho L) = rho g x: x = x0 cosh(w t)
    let (x0, total, inertia, t) = (2.0, 40.0, 0.9, 6.0_f64);
    for h in [0.01, 1.0 / 60.0] {
        for l0 in [1.0, 0.5, 0.25] {
            let (mut w, winch, rope, weight) = drum(x0, total - x0, l0, inertia, 1e-6);
            w.set_winch(winch, Winding::Free).unwrap();
            let mut worst = 0.0_f64;
            for _ in 0..(t / h).round() as usize {
                let report = w.step(h).unwrap();
                let l = report.ledger;
                worst = worst.max(l.imbalance.abs() / report.energy.kinetic.max(1.0));
            }
            let rate = (9.81 / (inertia / (R * R) + total)).sqrt();
            let want = x0 * (rate * t).cosh();
            let got = -w.body(weight).unwrap().position().y;
            let off = 100.0 * (got / want - 1.0);
            println!(
                "h {h:.4} l0 {l0}: {got:.4} m for {want:.4} ({off:+.3} %), {} nodes, imbalance {worst:.1e}",
                w.heavy_rope(rope).unwrap().nodes().len()
            );
            assert!(off.abs() < 1.0, "h {h} l0 {l0}: {got} for {want} ({off} %)");
            assert!(worst < 1e-9, "{worst:e}");
        }
    }
}

#[test]
fn tension_has_no_jump_where_pieces_are_divided_and_joined() {
    for (end, rate) in [(10.0, -0.5), (10.0, 0.5), (2e5, -0.5), (2e5, 0.5)] {
        let (h, l0) = (1.0 / 60.0, 1.0);
        let (mut w, winch, rope, weight) = drum(6.0, 20.0, l0, 0.9, end);
        // At constant speed, from the start on.
        w.set_winch(winch, Winding::Haul { speed: rate, force: f64::INFINITY }).unwrap();
        let (mut last, mut jump, mut events) = (Vec::new(), 0.0_f64, 0);
        let mut count = w.heavy_rope(rope).unwrap().nodes().len();
        for step in 0..360 {
            w.step(h).unwrap();
            let view = w.heavy_rope(rope).unwrap();
            last.push(view.tension());
            if view.nodes().len() != count {
                (count, events) = (view.nodes().len(), events + 1);
            }
            if step > 120 {
                let n = last.len();
                jump = jump.max((last[n - 1] - 2.0 * last[n - 2] + last[n - 3]).abs());
            }
        }
        let hanging = -w.body(weight).unwrap().position().y;
        let want = 9.81 * (end + hanging);
        let off = last.last().unwrap() / want - 1.0;
        println!("{end} kg at {rate} m/s: {events} events, second difference {jump:.2e} N, tension {off:+.1e}");
        assert!(events >= 2 && jump < 0.05 + 1e-6 * end && off.abs() < 2e-3, "{end} {rate}: {jump} {off}");
    }
}

#[test]
fn a_chain_out_of_a_locker_falls_with_a_third_of_gravity() {
    // d(rho x v)/dt = rho g x from a short start: a = g/3.
    let (h, x0) = (0.002, 1.0);
    let mut w = World::new();
    let end = w.add(Body::particle(1e-6).at(at(0.0, -x0))).unwrap();
    let chain = HeavyRope::from_locker(w.ground(), Vec3::ZERO, (end, at(0.0, -x0)), 1.0).segment(0.25).stored(100.0);
    let chain = w.add(chain).unwrap();
    // x = x0 from rest obeys x v dv/dx + v^2 = g x: v^2 = 2/3 g (x - x0^3/x^2).
    let (mut t, mut x, mut v) = (0.0, x0, 0.0_f64);
    let dt = 1e-5;
    while t < 2.0 {
        let a = 9.81 - v * v / x;
        v += dt * a;
        x += dt * v;
        t += dt;
    }
    let mut lost = 0.0;
    for _ in 0..1000 {
        let report = w.step(h).unwrap();
        lost += report.ledger.fed;
        assert!(report.ledger.imbalance.abs() < 1e-8 * report.energy.kinetic.max(1.0));
    }
    let got = -w.body(end).unwrap().position().y;
    println!(
        "{got:.4} m for {x:.4} ({:+.3} %), {} nodes, fed {lost:.1} J",
        100.0 * (got / x - 1.0),
        w.heavy_rope(chain).unwrap().nodes().len()
    );
    assert!((got / x - 1.0).abs() < 0.02, "{got} for {x}");
}

#[test]
fn dividing_a_rope_that_runs_straight_costs_nothing() {
    let (mut w, winch, rope, _) = drum(6.0, 20.0, 1.0, 0.9, 3.0);
    w.set_winch(winch, Winding::Haul { speed: -1.0, force: f64::INFINITY }).unwrap();
    let mut count = w.heavy_rope(rope).unwrap().nodes().len();
    let mut merged = 0.0_f64;
    for _ in 0..200 {
        let report = w.step(0.01).unwrap();
        let now = w.heavy_rope(rope).unwrap().nodes().len();
        if now != count {
            count = now;
            // All of it runs with the same speed: nothing is lost but what the centred potential of a new node does not know of its last step.
            merged = merged.max(report.ledger.merged.abs());
        }
    }
    println!("energy of an event at most {merged:.1e} J");
    assert!(count > 6 && merged < 0.05, "{count} {merged}");
}

#[test]
fn heavy_ropes_that_cannot_be_are_refused_and_leave_nothing_behind() {
    let mut w = World::new();
    let weight = w.add(Body::particle(1.0).at(at(0.0, -2.0))).unwrap();
    let before = (w.bodies().count(), w.joints().count(), w.ropes().count());
    let line = |density: f64| HeavyRope::from_locker(w.ground(), Vec3::ZERO, (weight, at(0.0, -2.0)), density);
    for (rope, words) in [
        (line(-1.0), "mass of a metre"),
        (line(f64::NAN), "mass of a metre"),
        (line(1.0).segment(0.0), "segment of the rope"),
        (line(1.0).segment(5.0), "at most 1.333"),
        (line(1.0).stored(-1.0), "stored length"),
        (line(1.0).segment(1e-9), "at least 0.00002"),
    ] {
        let e = w.add(rope).unwrap_err().to_string();
        assert!(e.contains(words), "{e}");
        assert_eq!((w.bodies().count(), w.joints().count(), w.ropes().count()), before);
    }
    // A part of it removed: what is left goes on as bodies and joints.
    let chain =
        w.add(HeavyRope::from_locker(w.ground(), Vec3::ZERO, (weight, at(0.0, -2.0)), 1.0).segment(0.25)).unwrap();
    let middle = w.heavy_rope(chain).unwrap().nodes()[3];
    w.remove(middle).unwrap();
    for _ in 0..100 {
        w.step(0.01).unwrap();
    }
    assert!(w.heavy_rope(chain).is_err() && w.body(weight).unwrap().position().y < -5.0);
}

/// A rope hauled in and paid out in turn, at a speed that takes pieces in and out.
fn to_and_fro(w: &mut World, winch: WinchId, step: usize) {
    let speed = if (step / 90).is_multiple_of(2) { -1.0 } else { 1.0 };
    w.set_winch(winch, Winding::Haul { speed, force: f64::INFINITY }).unwrap();
}

#[test]
fn a_snapshot_is_good_across_splits_and_merges() {
    for stretches in [false, true] {
        let build = || {
            let mut w = World::new();
            let winch = w.add(Winch::on(w.ground(), Vec3::ZERO, Vec3::Z, R).inertia(0.9)).unwrap();
            let weight = w.add(Body::particle(5.0).at(at(R + 0.4, -6.0))).unwrap();
            let line = taut::Rope::from_drum(w.drum(winch).unwrap().against()).to(weight, at(R + 0.4, -6.0));
            let line = if stretches { line.diameter(0.004) } else { line };
            w.add(line.massive(1.0).segment(0.5).stored(20.0)).unwrap();
            (w, winch)
        };
        let (mut w, winch) = build();
        let count = |w: &World| w.heavy_ropes().next().unwrap().1.nodes().len();
        let run = |w: &mut World, from: usize, to: usize| {
            (from..to).for_each(|k| {
                to_and_fro(w, winch, k);
                w.step(1.0 / 60.0).unwrap();
            });
        };
        // Taken in the middle of paying out, gone back to from before and from after it, and in a world that was never there.
        let start = w.state().clone();
        run(&mut w, 0, 45);
        let (snapshot, nodes) = (w.state().clone(), count(&w));
        run(&mut w, 45, 80);
        assert!(count(&w) > nodes, "{nodes} nodes");
        run(&mut w, 80, 300);
        let (end, last) = (w.state().hash(), count(&w));
        w.restore(&snapshot).unwrap();
        assert_eq!(count(&w), nodes);
        run(&mut w, 45, 300);
        assert_eq!((w.state().hash(), count(&w)), (end, last));
        w.restore(&start).unwrap();
        run(&mut w, 0, 300);
        assert_eq!(w.state().hash(), end);
        let (mut other, winch) = build();
        let bytes = taut::State::from_bytes(&snapshot.to_bytes()).unwrap();
        other.restore(&bytes).unwrap();
        assert_eq!(count(&other), nodes);
        for k in 45..300 {
            to_and_fro(&mut other, winch, k);
            other.step(1.0 / 60.0).unwrap();
        }
        assert_eq!(other.state().hash(), end);
    }
}

#[test]
fn a_snapshot_is_good_for_a_chain_out_of_a_locker() {
    let mut w = World::new();
    let end = w.add(Body::particle(10.0).at(at(0.2, -2.0))).unwrap();
    let chain = HeavyRope::from_locker(w.ground(), Vec3::ZERO, (end, at(0.2, -2.0)), 1.0).segment(0.25).stored(4.0);
    let chain = w.add(chain).unwrap();
    let run = |w: &mut World, steps: usize| (0..steps).for_each(|_| drop(w.step(0.01).unwrap()));
    run(&mut w, 20);
    let snapshot = w.state().clone();
    run(&mut w, 200);
    let (hash, nodes) = (w.state().hash(), w.heavy_rope(chain).unwrap().nodes().len());
    // The locker is empty, and what holds the chain carries it.
    assert!(w.heavy_rope(chain).unwrap().stored() < 0.3 && w.heavy_rope(chain).unwrap().tension() > 100.0);
    w.restore(&snapshot).unwrap();
    assert!(w.heavy_rope(chain).unwrap().nodes().len() < nodes);
    run(&mut w, 200);
    assert_eq!(w.state().hash(), hash);
}

#[test]
fn momentum_is_kept_where_pieces_are_divided_and_joined() {
    // No gravity, a free end: what a split or merge changes is what rides with the drum, and that is none out of a locker.
    let mut w = World::new();
    w.set_options(taut::Options { gravity: Vec3::ZERO, ..taut::Options::default() }).unwrap();
    let end = w.add(Body::particle(3.0).at(at(0.0, -2.0)).moving(at(0.3, -2.0), Vec3::ZERO)).unwrap();
    let chain = HeavyRope::from_locker(w.ground(), Vec3::ZERO, (end, at(0.0, -2.0)), 1.0).segment(0.25).stored(50.0);
    let chain = w.add(chain).unwrap();
    let momentum = |w: &World| w.bodies().filter(|b| b.is_enabled()).map(|b| b.mass() * b.velocity()).sum::<Vec3>();
    let (start, mut count, mut events) = (momentum(&w), w.heavy_rope(chain).unwrap().nodes().len(), 0);
    for _ in 0..200 {
        w.step(0.01).unwrap();
        let now = w.heavy_rope(chain).unwrap().nodes().len();
        events += usize::from(now != count);
        count = now;
        assert!((momentum(&w) - start).length() < 1e-9 * start.length(), "{} for {start}", momentum(&w));
    }
    assert!(events > 5, "{events}");
}

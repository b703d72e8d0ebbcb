//! Reduced coordinates: the same worlds, switched between coordinates, compared with maximal ones, and what is refused.

use taut::{Coordinates, Options, Solver, Stabiliser, TreeRole, Vec3, World};
use taut_scenes::{find, run_with};

fn world(name: &str, parameters: &[(&str, &str)], coordinates: Coordinates) -> World {
    let mut w = find(name).unwrap().with(parameters).unwrap().0.world;
    w.set_options(Options { coordinates, ..*w.options() }).unwrap();
    w
}

#[test]
fn joints_and_loops_are_closed_after_every_step() {
    for (name, parameters) in [
        ("chain", &[("joint", "universal")][..]),
        ("ladder", &[]),
        ("fourbar", &[]),
        ("bricard", &[]),
        ("bridge", &[]),
        ("cloth", &[]),
        ("particle-cable", &[]),
    ] {
        let mut w = world(name, parameters, Coordinates::Reduced);
        for _ in 0..60 {
            let r = w.step(1.0 / 60.0).unwrap();
            assert!(r.max_gap < 1e-9, "{name}: gap of {} m at {} s", r.max_gap, r.time);
            assert!(r.ledger.imbalance.abs() < 1e-9 * (1.0 + r.energy.total().abs()), "{name}: {:?}", r.ledger);
        }
    }
}

#[test]
fn a_loop_that_snaps_taut_is_closed_and_only_loses_energy() {
    for (ratio, h) in [("100", 0.01), ("1e4", 1.0 / 60.0), ("1e6", 0.04), ("1e6", 0.1)] {
        let mut s = find("fivebar").unwrap().with(&[("ratio", ratio)]).unwrap().0;
        let w = &mut s.world;
        w.set_options(Options { coordinates: Coordinates::Reduced, ..*w.options() }).unwrap();
        let start = w.energy().unwrap().total();
        let (mut snaps, mut lost) = (0, 0.0);
        for _ in 0..(2.0 / h) as usize {
            let r = w.step(h).unwrap();
            assert!(r.max_gap < 1e-9, "{ratio}, {h} s: gap of {} m at {} s", r.max_gap, r.time);
            assert!(r.ledger.imbalance.abs() < 1e-9 * s.energy_scale, "{ratio}, {h} s: {:?}", r.ledger);
            assert!(r.energy.total() < start + 1e-3 * s.energy_scale, "{ratio}, {h} s: {:?}", r.energy);
            if r.snapped_islands > 0 {
                snaps += 1;
                lost -= r.ledger.constraints;
                assert!(r.ledger.change < 1e-3 * s.energy_scale, "{ratio}, {h} s: {:?}", r.ledger);
            }
        }
        // Measured: 1 or 2 snaps that take 0.038 to 0.88 of the scale; at 100 the metric of the step finds the closed pose and nothing
        // snaps. A loop that is pulled taut again in every step of the 2 s would snap 20 times at least, one that is let go never.
        let least = usize::from(ratio != "100");
        assert!((least..20).contains(&snaps), "{ratio}, {h} s: {snaps} snaps");
        assert!(snaps == 0 || lost > 0.01 * s.energy_scale, "{ratio}, {h} s: {snaps} snaps, {lost} J");
        let end = w.energy().unwrap().total();
        assert!(end < start - 0.5 * s.energy_scale, "{ratio}, {h} s: {end} J of {start} J: the fall was not stopped");
    }
}

/// Where the load is after 0.5 s.
fn end(coordinates: Coordinates, (stabiliser, solver): (Stabiliser, Solver), h: f64) -> Vec3 {
    let mut w = world("chain", &[("ratio", "10"), ("links", "4")], coordinates);
    w.set_options(Options { stabiliser, solver, ..*w.options() }).unwrap();
    let load = w.bodies().map(|b| b.id()).last().unwrap();
    for _ in 0..(0.5 / h).round() as usize {
        w.step(h).unwrap();
    }
    w.body(load).unwrap().position()
}

#[test]
fn coordinates_agree_as_the_step_goes_to_zero() {
    let exact = end(Coordinates::Maximal, (Stabiliser::Aligned, Solver::Auto), 2.5e-4);
    let apart = |way, h| (end(Coordinates::Reduced, way, h) - exact).length();
    // Second order with the default step, first order with RedMax's and its stable form.
    let aligned = (Stabiliser::Aligned, Solver::Auto);
    let (coarse, fine) = (apart(aligned, 4e-3), apart(aligned, 1e-3));
    // A quarter of the step: 1/16 in second order (measured 0.058), 1/4 in first. The bound lies between.
    assert!(fine < 0.15 * coarse && fine < 1e-4, "{coarse} {fine}");
    for way in [(Stabiliser::None, Solver::Auto), (Stabiliser::Aligned, Solver::Articulated)] {
        let (coarse, fine) = (apart(way, 4e-3), apart(way, 1e-3));
        // 1/4 in first order (measured 0.25 and 0.31), 1 where the paths part for good.
        assert!(fine < 0.35 * coarse && fine < 1e-2, "{way:?}: {coarse} {fine}");
    }
}

#[test]
fn a_world_changes_coordinates_and_solvers_in_mid_run() {
    let mut w = world("bridge", &[("kind", "sim"), ("links", "12")], Coordinates::Maximal);
    let base = *w.options();
    let none = Stabiliser::None;
    let ways = [
        base,
        Options { coordinates: Coordinates::Reduced, ..base },
        Options { coordinates: Coordinates::Reduced, stabiliser: none, solver: Solver::Elimination, ..base },
        Options { coordinates: Coordinates::Reduced, stabiliser: none, solver: Solver::Pcg, ..base },
        Options { coordinates: Coordinates::Reduced, stabiliser: none, solver: Solver::PartialPcg, ..base },
        Options { coordinates: Coordinates::Reduced, solver: Solver::Articulated, ..base },
        Options { coordinates: Coordinates::Reduced, solver: Solver::Pcg, ..base },
        base,
    ];
    let mut reference = w.clone();
    for options in ways {
        w.set_options(options).unwrap();
        for _ in 0..20 {
            w.step(0.002).unwrap();
            reference.step(0.002).unwrap();
        }
        for b in w.bodies() {
            let apart = (b.position() - reference[b.id()].pos).length();
            assert!(apart < 0.02, "{:?} {:?}: {b:?} is {apart} m away", options.coordinates, options.solver);
        }
    }
}

#[test]
fn a_snapshot_repeats_in_reduced_coordinates() {
    for (stabiliser, solver) in [
        (Stabiliser::Aligned, Solver::Auto),
        (Stabiliser::None, Solver::Auto),
        (Stabiliser::Aligned, Solver::Articulated),
    ] {
        let mut w = world("ladder", &[("ratio", "10")], Coordinates::Reduced);
        w.set_options(Options { stabiliser, solver, ..*w.options() }).unwrap();
        for _ in 0..5 {
            w.step(0.005).unwrap();
        }
        let start = w.state().clone();
        let run = |w: &mut World| {
            w.restore(&start).unwrap();
            for _ in 0..20 {
                w.step(0.005).unwrap();
            }
            w.state().clone()
        };
        let first = run(&mut w);
        assert!(first == run(&mut w), "{stabiliser:?} {solver:?}");
    }
}

#[test]
fn the_forest_is_reported_and_steered() {
    let mut w = world("fourbar", &[], Coordinates::Reduced);
    let before = w.tree().unwrap();
    assert_eq!((before.loops.len(), before.free.len()), (1, 0), "{before:?}");
    w.set_tree_role(before.tree[0], TreeRole::Loop).unwrap();
    let after = w.tree().unwrap();
    assert_eq!(after.loops, vec![before.tree[0]]);
    for j in after.tree.iter().chain(&after.loops) {
        if *j != before.tree[0] {
            w.set_tree_role(*j, TreeRole::Tree).unwrap();
        }
    }
    // All joints of the circle asked for: refused by name, and the world still steps once one is given back.
    w.set_tree_role(before.tree[0], TreeRole::Tree).unwrap();
    let refused = w.tree().unwrap_err().to_string();
    assert!(refused.contains("joint"), "{refused}");
    assert!(w.step(0.01).is_err());
    w.set_tree_role(before.tree[0], TreeRole::Auto).unwrap();
    w.step(0.01).unwrap();
}

#[test]
fn what_does_not_go_together_is_refused() {
    let mut w = world("chain", &[], Coordinates::Maximal);
    let base = *w.options();
    let refuse = |w: &mut World, o: Options, words: &[&str]| {
        let e = w.set_options(o).unwrap_err().to_string();
        assert!(words.iter().all(|x| e.contains(x)), "{e}");
    };
    refuse(&mut w, Options { solver: Solver::Pcg, ..base }, &["solver", "pcg", "reduced"]);
    let none = Options { coordinates: Coordinates::Reduced, stabiliser: Stabiliser::None, ..base };
    refuse(&mut w, Options { solver: Solver::Minres, ..none }, &["minres", "elimination"]);
    let inertial = Options { stabiliser: Stabiliser::Inertial(Default::default()), ..none };
    refuse(
        &mut w,
        Options { solver: Solver::Articulated, ..inertial },
        &["articulated", "inertial", "aligned or none"],
    );
    // RedMax's step has no bounds; nothing changes when it is refused.
    let mut ragdoll = world("ragdoll", &[], Coordinates::Maximal);
    ragdoll
        .set_options(Options { stabiliser: Stabiliser::None, coordinates: Coordinates::Reduced, ..*ragdoll.options() })
        .unwrap();
    for (stabiliser, solver) in [(Stabiliser::None, Solver::Auto), (Stabiliser::Aligned, Solver::Elimination)] {
        ragdoll.set_options(Options { stabiliser, solver, ..*ragdoll.options() }).unwrap();
        let before = ragdoll.state().clone();
        let e = ragdoll.step(0.01).unwrap_err().to_string();
        assert!(e.contains("limits") && e.contains("aligned") && e.contains(solver.name()), "{e}");
        assert!(*ragdoll.state() == before);
    }
}

/// The flexible bridge buckles and then hangs on its deck, a taut chain of light links: as published the step does not survive that.
#[test]
fn large_flexible_bridges_are_stable_with_stiff_reactions() {
    let run = |stabiliser, solver| {
        let mut s = find("bridge").unwrap().with(&[("kind", "sim"), ("links", "400"), ("load", "car")]).unwrap().0;
        let options = Options { coordinates: Coordinates::Reduced, stabiliser, solver, ..*s.world.options() };
        s.world.set_options(options).unwrap();
        run_with(&mut s, 0.01, 2.0, |_, _| true).unwrap()
    };
    for solver in [Solver::Articulated, Solver::Pcg] {
        let o = run(Stabiliser::Aligned, solver);
        assert!(o.stable && o.energy_max_rise < 1e-3 && o.max_gap < 1e-9, "{solver:?}: {o:?}");
        // What iterations leave of the residual is not booked.
        assert!(o.ledger_imbalance < if solver == Solver::Pcg { 1e-7 } else { 1e-9 }, "{solver:?}: {o:?}");
    }
    assert!(!run(Stabiliser::None, Solver::Elimination).stable, "as published it was unstable");
}

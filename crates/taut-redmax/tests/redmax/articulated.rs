//! Articulated systems: elimination and conjugate gradients against dense references, and the choice between them.

use crate::common::Rng;
use crate::linkage::dense::{self, Springs, difference};
use crate::linkage::systems::{self, System, twist};
use crate::linkage::{assert_velocities, loads};
use taut_redmax::articulated::eliminate::Elimination;
use taut_redmax::articulated::pcg::{Params, Pcg};
use taut_redmax::articulated::symbolic::{Plan, RULES};
use taut_redmax::articulated::{Fault, Link, Load, Motion, NONE, Pair, Path, Solver, Structure, Twist, Work, product};

fn direct(sys: &System, load: &Load) -> Motion {
    let mut e = Elimination::new(&sys.structure);
    e.factor(&sys.values).expect("positive definite");
    let mut out = Motion::default();
    e.solve(load, &mut out, &mut Work::default()).expect("factored");
    out
}

#[test]
fn the_tree_recursion_matches_the_dense_solve_with_0_to_6_freedoms() {
    let mut worst = 0.0_f64;
    for seed in 0..60 {
        let mut rng = Rng(seed);
        let n = 1 + rng.below(14);
        let sys = systems::random(&mut rng, n, 0, 1.0);
        let (b, w) = loads(&mut rng, &sys);
        for load in [Load { joint: &b, body: &w }, Load { joint: &b, body: &[] }, Load { joint: &[], body: &w }] {
            let m = direct(&sys, &load);
            let error = difference(&m.y, &dense::solve(&sys, &load));
            assert!(error < 1e-11, "seed {seed}: error {error:e}");
            assert_velocities(&sys, &m);
            worst = worst.max(error);
        }
    }
    println!("tree against dense: worst {worst:.1e}");
}

#[test]
fn the_elimination_matches_the_dense_solve_with_couplings_of_every_kind_in_every_order() {
    let mut worst = 0.0_f64;
    for seed in 0..60 {
        let mut rng = Rng(1000 + seed);
        let (n, pairs) = (2 + rng.below(14), 1 + rng.below(16));
        let sys = systems::random(&mut rng, n, pairs, 1.0);
        let (b, w) = loads(&mut rng, &sys);
        let load = Load { joint: &b, body: &w };
        let want = dense::solve(&sys, &load);
        for rule in RULES {
            let plan = Plan::with_rule(&sys.structure, &[], rule);
            let mut e = Elimination::with_plan(plan);
            e.factor(&sys.values).expect("positive definite");
            let mut m = Motion::default();
            e.solve(&load, &mut m, &mut Work::default()).expect("factored");
            let error = difference(&m.y, &want);
            assert!(error < 1e-11, "seed {seed} {rule:?}: error {error:e}");
            assert_velocities(&sys, &m);
            worst = worst.max(error);
        }
    }
    println!("elimination against dense: worst {worst:.1e}");
}

#[test]
fn heavy_loads_on_light_links_keep_their_digits() {
    for (ratio, bound) in [(1e6, 1e-8), (1e10, 1e-5)] {
        for dofs in [1, 3] {
            let sys = systems::chain(10, dofs, 0.1 * ratio);
            let mut rng = Rng(7);
            // The load falls, the links are pushed.
            let mut w: Vec<Twist> = (0..10).map(|_| twist(&mut rng)).collect();
            w[9][1] -= ratio;
            let load = Load { joint: &[], body: &w };
            let m = direct(&sys, &load);
            let error = difference(&m.y, &dense::solve(&sys, &load));
            println!("ratio {ratio:.0e}, {dofs} freedoms: error {error:.1e}");
            assert!(error < bound, "ratio {ratio:e}, {dofs} freedoms: error {error:e}");
        }
    }
}

#[test]
fn negative_stiffness_is_solved_where_the_whole_stays_positive_and_named_where_not() {
    for seed in 0..20 {
        let mut rng = Rng(300 + seed);
        let mut sys = systems::chain(6, 3, 1.0);
        let at = sys.structure.square(2);
        // A joint spring that pushes away, held by the inertia behind it.
        sys.values.joint[at] = -rng.range(1e-6, 1e-5);
        let (b, w) = loads(&mut rng, &sys);
        let load = Load { joint: &b, body: &w };
        let error = difference(&direct(&sys, &load).y, &dense::solve(&sys, &load));
        assert!(error < 1e-9, "error {error:e}");
        // And one that nothing holds.
        sys.values.joint[at] = -1e3;
        let mut e = Elimination::new(&sys.structure);
        match e.factor(&sys.values) {
            Err(Fault::NotPositive { link: 2, freedom: 0, pivot, .. }) => assert!(pivot < 0.0),
            other => panic!("expected the pivot of link 2, got {other:?}"),
        }
        let mut m = Motion::default();
        assert_eq!(e.solve(&load, &mut m, &mut Work::default()), Err(Fault::NotFactored));
    }
}

#[test]
fn a_matrix_without_a_number_or_without_mass_is_named() {
    let mut sys = systems::chain(4, 1, 1.0);
    sys.values.h[1][0] = f64::NAN;
    let fault = Elimination::new(&sys.structure).factor(&sys.values);
    assert!(matches!(fault, Err(Fault::NotPositive { link: 1, .. })), "{fault:?}");
    let mut sys = systems::chain(4, 3, 1.0);
    sys.values.h[3] = [0.0; 36];
    let fault = Elimination::new(&sys.structure).factor(&sys.values).expect_err("no mass");
    assert_eq!(
        fault.to_string(),
        "matrix not positive definite: freedom 0 of link 3 has the pivot 0e0, expected above 0e0"
    );
}

#[test]
fn wrong_structures_and_lengths_are_refused() {
    let link = |parent, dofs| Link { parent, dofs };
    let pair = |i, j, rank, block| Pair { i, j, rank, block };
    let text = |links: &[Link], pairs: &[Pair]| match Structure::new(links.to_vec(), pairs.to_vec()) {
        Err(f) => f.to_string(),
        Ok(_) => "accepted".into(),
    };
    let two = [link(NONE, 1), link(0, 1)];
    assert_eq!(text(&two, &[]), "accepted");
    assert!(text(&[link(1, 1), link(0, 1)], &[]).starts_with("parent of link 0 = 1: expected a link before it"));
    assert!(text(&[link(0, 1)], &[]).starts_with("parent of link 0 = 0"));
    assert_eq!(text(&[link(NONE, 7)], &[]), "dofs of link 0 = 7: expected 0 to 6");
    for p in [pair(2, 0, 1, false), pair(0, 2, 1, false), pair(0, 1, 4, false), pair(0, 0, 1, true)] {
        assert!(text(&two, &[p]).starts_with("pair 0 = ("), "{p:?}");
    }
    let mut sys = systems::chain(3, 1, 1.0);
    let mut e = Elimination::new(&sys.structure);
    let mut m = Motion::default();
    e.factor(&sys.values).expect("positive definite");
    let short = e.solve(&Load { joint: &[1.0], body: &[] }, &mut m, &mut Work::default());
    assert_eq!(short, Err(Fault::Length { name: "load.joint", length: 1, expected: 3 }));
    sys.values.arm.pop();
    assert_eq!(e.factor(&sys.values), Err(Fault::Length { name: "arm", length: 2, expected: 3 }));
}

#[test]
fn a_batch_has_the_bits_of_single_solves() {
    let mut rng = Rng(42);
    let sys = systems::random(&mut rng, 20, 12, 1e3);
    let all: Vec<_> = (0..11).map(|_| loads(&mut rng, &sys)).collect();
    let loads: Vec<Load> = all.iter().map(|(b, w)| Load { joint: b, body: w }).collect();
    let mut e = Elimination::new(&sys.structure);
    e.factor(&sys.values).expect("positive definite");
    let mut work = Work::default();
    for count in [1, 3, 4, 5, 11] {
        let mut many = vec![Motion::default(); count];
        e.solve_many(&loads[..count], &mut many, &mut work).expect("factored");
        for (load, got) in loads.iter().zip(&many) {
            let mut one = Motion::default();
            e.solve(load, &mut one, &mut work).expect("factored");
            assert_eq!(one, *got);
        }
    }
}

#[test]
fn joints_carry_what_their_subtree_needs() {
    for seed in 0..20 {
        let mut rng = Rng(500 + seed);
        let sys = systems::random(&mut rng, 12, 8, 10.0);
        let (b, w) = loads(&mut rng, &sys);
        let load = Load { joint: &b, body: &w };
        let m = direct(&sys, &load);
        let mut u = vec![];
        product::reactions(&sys.structure, &sys.values, &load, &m, &mut u).expect("lengths fit");
        let s = &sys.structure;
        // Along its freedoms a joint does b - A y; a wrong solution or a wrong sum would not.
        for i in (0..s.len()).filter(|&i| !s.fixed(i)) {
            let k = s.links()[i].dofs;
            let a = |r: usize, c: usize| sys.values.joint[s.square(i) + k * r.max(c) + r.min(c)];
            for d in s.dof(i)..s.dof(i + 1) {
                let got: f64 = (0..6).map(|c| sys.values.s[d][c] * u[i][c]).sum();
                let size: f64 = (0..6).map(|c| (sys.values.s[d][c] * u[i][c]).abs()).sum();
                let want = b[d] - (0..k).map(|c| a(d - s.dof(i), c) * m.y[s.dof(i) + c]).sum::<f64>();
                assert!((got - want).abs() < 1e-9 * (1.0 + size), "seed {seed} link {i}: {got} for {want}");
            }
        }
    }
}

#[test]
fn the_block_diagonal_preconditioner_bounds_the_spectrum_by_two() {
    let (mut lowest, mut highest) = (f64::INFINITY, 0.0_f64);
    for seed in 0..20 {
        let mut rng = Rng(700 + seed);
        let mut sys = systems::random(&mut rng, 8, 14, 1.0);
        // Stiff: the springs rule.
        sys.values.terms.iter_mut().flatten().for_each(|g| *g *= 30.0);
        let e = dense::eigenvalues(&dense::reduced(&sys, Springs::Exact), &dense::reduced(&sys, Springs::Diagonal));
        let (low, high) = (e[0], e[e.len() - 1]);
        assert!(low > 0.0 && high <= 2.0 + 1e-9, "seed {seed}: {low} to {high}");
        (lowest, highest) = (lowest.min(low), highest.max(high));
    }
    println!("eigenvalues {lowest:.2e} to {highest:.6}");
    // The bound is met, not merely kept by weak springs.
    assert!(highest > 1.9);
}

#[test]
fn the_fan_bridge_has_eight_eigenvalues_beside_one_and_needs_at_most_nine_iterations() {
    for n in [16, 33, 66] {
        let sys = systems::bridge(n);
        let e = dense::eigenvalues(&dense::reduced(&sys, Springs::Exact), &dense::reduced(&sys, Springs::Diagonal));
        let other = e.iter().filter(|e| (*e - 1.0).abs() > 1e-6).count();
        let mut pcg = Pcg::block_jacobi(&sys.structure);
        pcg.factor(&sys.values).expect("positive definite");
        let w: Vec<Twist> = sys.values.h.iter().map(|h| [0.0, -9.8 * 0.01 * h[0], 0.0, 0.0, 0.0, 0.0]).collect();
        let mut m = Motion::default();
        let load = Load { joint: &[], body: &w };
        let info = pcg.solve(&sys.values, &load, &Params::default(), &mut m).expect("positive definite");
        println!("bridge {n}: {other} of {}, {:.2} to {:.2}, {info:?}", e.len(), e[0], e[e.len() - 1]);
        assert_eq!(other, 8, "{n}: {e:?}");
        assert!(info.converged && info.iterations <= 9, "{info:?}");
        assert!(difference(&m.y, &dense::solve(&sys, &load)) < 1e-5);
    }
}

#[test]
fn conjugate_gradients_reach_their_tolerance_and_a_good_start_saves_iterations() {
    for seed in 0..12 {
        let mut rng = Rng(900 + seed);
        let sys = systems::random(&mut rng, 20, 25, 10.0);
        let (b, w) = loads(&mut rng, &sys);
        let load = Load { joint: &b, body: &w };
        let want = dense::solve(&sys, &load);
        let params = Params { tolerance: 1e-10, ..Default::default() };
        for mut pcg in [Pcg::block_jacobi(&sys.structure), Pcg::partial_exact(&sys.structure, 4)] {
            pcg.factor(&sys.values).expect("positive definite");
            let mut m = Motion::default();
            let cold = pcg.solve(&sys.values, &load, &params, &mut m).expect("positive definite");
            let error = difference(&m.y, &want);
            assert!(cold.converged && error < 1e-7, "seed {seed}: {cold:?}, error {error:e}");
            assert_velocities(&sys, &m);
            let warm = pcg.solve(&sys.values, &load, &params, &mut m).expect("positive definite");
            assert!(warm.converged && warm.iterations <= 1, "{warm:?}");
            // Without enough iterations it says so.
            let few = Params { tolerance: 1e-12, max_iterations: 1 };
            m.y.fill(0.0);
            let stopped = pcg.solve(&sys.values, &load, &few, &mut m).expect("positive definite");
            assert_eq!(stopped.converged, stopped.residual <= few.tolerance);
        }
    }
}

#[test]
fn exact_pairs_in_the_preconditioner_save_iterations() {
    let (sys, pull) = systems::alternate_tree(6);
    let mut count = vec![];
    for front in [1, 7, 14, 27] {
        let mut pcg = Pcg::partial_exact(&sys.structure, front);
        pcg.factor(&sys.values).expect("positive definite");
        let load = Load { joint: &[], body: &pull };
        let info = pcg.solve(&sys.values, &load, &Params::default(), &mut Motion::default()).expect("definite");
        println!("front {}: {} iterations", pcg.cost().front, info.iterations);
        assert!(info.converged && pcg.cost().front <= front);
        count.push(info.iterations);
    }
    assert!(count.is_sorted_by(|a, b| a >= b) && 4 * count[2] < 3 * count[0] && count[3] == 1, "{count:?}");
}

#[test]
fn the_cheapest_order_is_kept_and_its_cost_is_linear_on_narrow_couplings() {
    let per_body = |sys: &System| {
        let plan = Plan::best(&sys.structure, &[], taut_redmax::articulated::symbolic::Limit::FREE).expect("no limit");
        for rule in RULES {
            let other = Plan::with_rule(&sys.structure, &[], rule).cost;
            assert!(plan.cost.factor <= other.factor, "{rule:?}");
        }
        println!("{:?} {:?} of {} bodies", plan.rule, plan.cost, sys.structure.len());
        (plan.cost.factor / sys.structure.len() as f64, plan.cost.front)
    };
    for make in [|n: usize| systems::bridge(n), |n: usize| systems::ribs(8, n)] {
        let (small, large) = (per_body(&make(40)), per_body(&make(160)));
        assert_eq!(small.1, large.1);
        assert!(large.0 < 1.1 * small.0, "{small:?} {large:?}");
    }
    let chain = per_body(&systems::chain(100, 1, 1.0));
    assert!(chain.0 < 275.0 && chain.1 == 1, "{chain:?}");
    let chain = per_body(&systems::chain(100, 3, 1.0));
    assert!(chain.0 < 600.0, "{chain:?}");
}

#[test]
fn the_automatic_choice_is_direct_on_narrow_systems_and_the_cheapest_on_wide_ones() {
    const STEPS: usize = 5;
    let run = |sys: &System, pull: &[Twist], path: Path| {
        let mut solver = Solver::new(sys.structure.clone(), path);
        solver.values = sys.values.clone();
        let mut taken = vec![];
        for _ in 0..STEPS {
            let mut m = Motion::default();
            solver.factor().expect("positive definite");
            let info = solver.solve(&Load { joint: &[], body: pull }, &mut m).expect("definite");
            assert!(info.converged);
            taken.push((info, m));
        }
        // Operations of the last step.
        let last = &taken[STEPS - 1].0;
        let its = last.iterations as f64;
        let cost = match last.direct {
            true => solver.elimination().map(|e| e.cost().work + e.cost().solve),
            false => {
                let of = |p: &Pcg| p.cost().work + its * p.iteration_cost();
                solver.iterations().into_iter().flatten().map(of).reduce(f64::min)
            }
        };
        (taken, solver.remembered(), cost.expect("a path"))
    };
    for sys in [systems::chain(30, 3, 1.0), systems::bridge(40), systems::ribs(8, 20)] {
        let push = vec![[1.0; 6]; sys.structure.len()];
        let (taken, history, _) = run(&sys, &push, Path::Auto);
        assert!(taken[2..].iter().all(|t| t.0.direct), "{} bodies, {history:?}", sys.structure.len());
    }
    for levels in [5, 6, 7, 8] {
        let (sys, pull) = systems::alternate_tree(levels);
        let auto = run(&sys, &pull, Path::Auto);
        let costs = [Path::Direct, Path::BlockJacobi, Path::PartialExact].map(|p| run(&sys, &pull, p).2);
        println!("{levels} levels: {:.2e} of {costs:.2?}, {:?}", auto.2, auto.1);
        let least = costs.into_iter().fold(f64::INFINITY, f64::min);
        assert!(auto.2 <= 1.2 * least, "{levels} levels: {} of {costs:?}", auto.2);
        let again = run(&sys, &pull, Path::Auto);
        assert!((auto.0, auto.1) == (again.0, again.1), "the choice repeats");
    }
}

/// A start far off, then ever better ones: as when a scene comes to rest.
#[test]
fn a_path_that_lost_is_tried_again_and_trials_are_rare_where_it_loses_again() {
    let (sys, pull) = systems::alternate_tree(6);
    let load = Load { joint: &[], body: &pull };
    let mut rng = Rng(5);
    let far: Vec<f64> = (0..sys.structure.dofs()).map(|_| rng.range(-1e9, 1e9)).collect();
    let mut solver = Solver::new(sys.structure.clone(), Path::Auto);
    solver.values = sys.values.clone();
    let mut m = Motion::default();
    let mut run = |steps: usize, is_good: bool| {
        let mut direct = 0;
        for _ in 0..steps {
            solver.factor().expect("positive definite");
            if !is_good {
                m.resize(solver.structure());
                m.y.copy_from_slice(&far);
            }
            let info = solver.solve(&load, &mut m).expect("definite");
            direct += usize::from(info.direct && info.iterations == 0);
        }
        direct
    };
    // Bad starts: iterating loses, and is tried a few times only.
    let bad = run(200, false);
    assert!(bad >= 180, "direct in {bad} of 200");
    // The last solution as the start: no iterations at all.
    let good = run(200, true);
    assert!(good <= 100, "direct in {good} of 200");
}

#[test]
fn where_iterations_do_not_converge_the_automatic_choice_solves_directly() {
    let (sys, pull) = systems::alternate_tree(7);
    let load = Load { joint: &[], body: &pull };
    let run = |path: Path| {
        let mut solver = Solver::new(sys.structure.clone(), path);
        solver.values = sys.values.clone();
        solver.params.max_iterations = 3;
        solver.factor().expect("positive definite");
        let mut m = Motion::default();
        (solver.solve(&load, &mut m).expect("definite"), m, solver.is_direct())
    };
    let (auto, direct, iterative) = (run(Path::Auto), run(Path::Direct), run(Path::BlockJacobi));
    assert!(auto.0.direct && auto.0.converged && auto.0.iterations == 3 && auto.2, "{:?}", auto.0);
    assert_eq!(auto.1, direct.1);
    // Without a direct path it is said.
    assert!(!iterative.0.converged && iterative.0.residual > 1e-6, "{:?}", iterative.0);
}

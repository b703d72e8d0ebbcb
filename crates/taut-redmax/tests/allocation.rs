//! A step or a solve whose structure did not change allocates nothing.

#[path = "../../taut-tests/tests/common/mod.rs"]
mod common;
#[path = "../../taut-tests/tests/counting/mod.rs"]
mod counting;

use common::{chain, four_bar};
use counting::{COUNT, allocations};
use taut::{Ball, Coordinates, Options, Stabiliser, Vec3, World};
use taut_redmax::articulated::{Link, Load, Loops, Motion, NONE, Pair, Path, Rows, Solver, Structure};

#[test]
fn a_chain_and_a_loop_step_without_allocation() {
    for stabiliser in [Stabiliser::None, Stabiliser::Aligned] {
        for solver in [taut::Solver::Elimination, taut::Solver::Pcg] {
            let mut w = World::new();
            taut_redmax::attach(&mut w);
            w.set_options(Options { coordinates: Coordinates::Reduced, stabiliser, solver, ..Options::default() })
                .unwrap();
            chain(&mut w, 10, Vec3::X, 2.0, Ball::between);
            four_bar(&mut w, 1.0);
            w.step(0.001).unwrap();
            assert_eq!(allocations(&mut w, 20, 0.001), 0, "{stabiliser:?} {solver:?}");
        }
    }
}

/// Factors, solves and closes loops again and again with the same structure.
#[test]
fn articulated_solves_do_not_allocate() {
    let n = 12;
    let links = (0..n).map(|i| Link { parent: if i % 6 == 0 { NONE } else { i - 1 }, dofs: 1 + i % 3 }).collect();
    let pairs = (0..5).map(|k| Pair { i: k + 1, j: 11 - k, rank: 2, block: false }).collect();
    let structure = Structure::new(links, pairs).unwrap();
    for path in [Path::Auto, Path::Direct, Path::BlockJacobi, Path::PartialExact] {
        let mut solver = Solver::new(structure.clone(), path);
        let v = &mut solver.values;
        v.h.iter_mut().for_each(|h| (0..6).for_each(|c| h[7 * c] = 1.0));
        v.arm.fill(Vec3::new(0.3, -1.0, 0.1));
        v.s.iter_mut().enumerate().for_each(|(d, s)| (s[d % 6], s[(d + 1) % 6]) = (1.0, 0.4));
        v.terms.iter_mut().enumerate().for_each(|(k, g)| *g = std::array::from_fn(|c| ((7 * k + c) % 5) as f64 - 2.0));
        let mut rows = Rows::default();
        rows.push(&[(5, [1.0, 0.0, 0.0, 0.0, 0.5, 0.0]), (11, [-1.0, 0.0, 0.0, 0.2, 0.0, 0.0])], 0.1, 0.0);
        rows.push(&[(5, [0.0, 1.0, 0.0, 0.0, 0.5, 0.0]), (11, [0.0, -1.0, 0.0, 0.2, 0.0, 0.0])], 0.0, 1.0);
        let body = vec![[1.0, -9.8, 0.0, 0.1, 0.0, 0.0]; n];
        let load = Load { joint: &[], body: &body };
        let (mut motion, mut loops, mut w, mut u) = (Motion::default(), Loops::default(), vec![], vec![]);
        let mut step = || {
            solver.factor().unwrap();
            solver.solve(&load, &mut motion).unwrap();
            solver.solve_loops(&load, &rows, &mut motion, &mut loops).unwrap();
            solver.mobility(&rows, &mut loops, &mut w).unwrap();
            solver.reactions(&load, &motion, &mut u).unwrap();
        };
        (0..3).for_each(|_| step());
        COUNT.set(Some(0));
        (0..5).for_each(|_| step());
        assert_eq!(COUNT.replace(None), Some(0), "{path:?}");
    }
}

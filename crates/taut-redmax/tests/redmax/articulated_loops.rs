//! Rows that close loops of articulated systems, against the bordered system in twice the precision.

use crate::common::Rng;
use crate::linkage::dense::{self, Matrix, Springs, dd, difference};
use crate::linkage::systems::{self, System, twist};
use crate::linkage::{assert_velocities, loads};
use taut_redmax::articulated::{Fault, Link, Load, Loops, Motion, NONE, Path, Rows, Solver, Twist};

/// Bordered system [A -G^T; G Sigma].
fn bordered(sys: &System, load: &Load, rows: &Rows, soft: &[f64], target: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let (a, j) = (dense::reduced(sys, Springs::Exact), dense::jacobian(sys));
    let (n, l) = (a.rows, rows.len());
    let mut g = Matrix::zero(l, j.rows);
    for k in 0..l {
        for (i, t) in rows.row(k) {
            (0..6).for_each(|c| g.add(k, 6 * i + c, dd(t[c])));
        }
    }
    let g = g.times(&j);
    let mut m = Matrix::zero(n + l, n + l);
    for r in 0..n {
        (0..n).for_each(|c| m.add(r, c, a.at(r, c)));
        for k in 0..l {
            m.add(r, n + k, -g.at(k, r));
            m.add(n + k, r, g.at(k, r));
        }
    }
    (0..l).for_each(|k| m.add(n + k, n + k, dd(soft[k])));
    let mut b = dense::right_side(sys, load);
    b.extend(target.iter().map(|&t| dd(t)));
    let x: Vec<f64> = m.solve(&b).into_iter().map(|x| x.value()).collect();
    (x[..n].to_vec(), x[n..].to_vec())
}

/// Closures of 2, 3 and 5 rows between random bodies of at least so many freedoms; every third row soft.
fn closures(rng: &mut Rng, sys: &System, dofs: usize, sizes: &[usize]) -> Option<(Rows, Vec<f64>, Vec<f64>)> {
    let (mut rows, mut soft, mut target) = (Rows::default(), vec![], vec![]);
    // Each end is a body of its own with freedom enough for its half of the rows.
    let s = &sys.structure;
    let mut ends: Vec<usize> = (0..s.len()).filter(|&i| s.links()[i].dofs >= dofs).collect();
    if ends.len() < 2 * sizes.len() {
        return None;
    }
    for &size in sizes {
        let mut end = || ends.swap_remove(rng.below(ends.len()));
        let (i, j) = (end(), end());
        for k in 0..size {
            soft.push(if k == 2 { 0.1 } else { 0.0 });
            target.push(rng.range(-0.1, 0.1));
            rows.push(&[(i, twist(rng)), (j, twist(rng))], soft[soft.len() - 1], target[target.len() - 1]);
        }
    }
    Some((rows, soft, target))
}

#[test]
fn loop_rows_match_the_bordered_system() {
    let (mut worst, mut tried) = (0.0_f64, 0);
    for seed in 0..40 {
        let mut rng = Rng(1200 + seed);
        let sys = systems::random(&mut rng, 18, 10, 10.0);
        let (b, w) = loads(&mut rng, &sys);
        let load = Load { joint: &b, body: &w };
        let Some((rows, soft, target)) = closures(&mut rng, &sys, 3, &[2, 3, 5]) else { continue };
        tried += 1;
        let (y, lambda) = bordered(&sys, &load, &rows, &soft, &target);
        for (path, bound) in [(Path::Direct, 1e-9), (Path::BlockJacobi, 1e-4), (Path::PartialExact, 1e-4)] {
            let mut solver = Solver::new(sys.structure.clone(), path);
            solver.values = sys.values.clone();
            solver.params.tolerance = 1e-9;
            solver.factor().expect("positive definite");
            let (mut m, mut loops) = (Motion::default(), Loops::default());
            let report = solver.solve_loops(&load, &rows, &mut m, &mut loops).expect("rows fit");
            assert!(report.converged && report.redundant == 0, "seed {seed} {path:?}: {report:?}");
            assert!(report.residual < 1e-9, "seed {seed} {path:?}: {report:?}");
            let (ey, el) = (difference(&m.y, &y), difference(&loops.lambda, &lambda));
            assert!(ey < bound && el < bound, "seed {seed} {path:?}: {ey:e} {el:e}");
            assert_velocities(&sys, &m);
            // W l = w - G (the motion without rows).
            let (mut mobility, mut free) = (vec![], Motion::default());
            solver.mobility(&rows, &mut Loops::default(), &mut mobility).expect("rows fit");
            solver.solve(&load, &mut free).expect("definite");
            for k in 0..rows.len() {
                let wl: f64 = (0..rows.len()).map(|j| mobility[k * rows.len() + j] * lambda[j]).sum();
                let rate = |v: &[Twist]| -> f64 {
                    rows.row(k).iter().map(|(i, g)| (0..6).map(|c| g[c] * v[*i][c]).sum::<f64>()).sum()
                };
                let want = target[k] - rate(&free.v);
                assert!((wl - want).abs() < bound * (1.0 + want.abs()), "seed {seed} {path:?}: {wl} for {want}");
            }
            if path == Path::Direct {
                worst = worst.max(ey).max(el);
            }
        }
    }
    println!("loops against the bordered system: worst {worst:.1e} of {tried}");
    assert!(tried > 15);
}

#[test]
fn a_loop_under_a_heavy_load_keeps_closed() {
    for (ratio, bound) in [(1e3, 1e-8), (1e6, 1e-6), (1e10, 1e-3)] {
        for dofs in [1, 3] {
            // A chain with the load in its middle, pinned at both ends.
            let mut sys = systems::chain(7, dofs, 0.1);
            sys.values.h[3].iter_mut().for_each(|h| *h *= ratio);
            let mut rng = Rng(9);
            let mut w: Vec<Twist> = (0..7).map(|_| twist(&mut rng)).collect();
            w[3][1] -= ratio;
            let load = Load { joint: &[], body: &w };
            let mut rows = Rows::default();
            for c in 0..if dofs == 1 { 2 } else { 3 } {
                let axis = glam::DVec3::AXES[c];
                // The end of the last link, by its own lever.
                let (lin, ang) = (axis, (-0.5 * glam::DVec3::Z.cross(axis)).to_array());
                rows.push(&[(6, [lin.x, lin.y, lin.z, ang[0], ang[1], ang[2]])], 0.0, 0.0);
            }
            let zero = vec![0.0; rows.len()];
            let (y, lambda) = bordered(&sys, &load, &rows, &zero, &zero);
            let mut solver = Solver::new(sys.structure.clone(), Path::Auto);
            solver.values = sys.values.clone();
            solver.factor().expect("positive definite");
            let (mut m, mut loops) = (Motion::default(), Loops::default());
            let report = solver.solve_loops(&load, &rows, &mut m, &mut loops).expect("rows fit");
            let (ey, el) = (difference(&m.y, &y), difference(&loops.lambda, &lambda));
            println!("loop, ratio {ratio:.0e}, {dofs} freedoms: y {ey:.1e} lambda {el:.1e} {report:?}");
            assert!(report.redundant == 0 && ey < bound && el < bound, "{ey:e} {el:e} {report:?}");
            assert!(report.residual < 1e-9);
        }
    }
}

#[test]
fn a_nearly_stretched_loop_under_a_heavy_load_is_no_redundant_one() {
    for bend in [1e-2, 1e-4] {
        // Two bars in a line but for the bend, a heavy load at their joint, the far end pinned in axes that do not lie along them.
        let mut sys = System::new(vec![Link { parent: NONE, dofs: 1 }, Link { parent: 0, dofs: 1 }], vec![]);
        let turned = |a: f64| glam::DVec3::new(libm::cos(a), libm::sin(a), 0.0);
        let (first, second) = (turned(0.7), turned(0.7 + bend));
        for (i, along) in [first, second].into_iter().enumerate() {
            let mass = if i == 0 { 1e6 } else { 1.0 };
            (0..3).for_each(|c| (sys.values.h[i][7 * c], sys.values.h[i][7 * (3 + c)]) = (mass, mass / 12.0));
            let lin = glam::DVec3::Z.cross(0.5 * along);
            sys.values.s[i] = [lin.x, lin.y, lin.z, 0.0, 0.0, 1.0];
        }
        sys.values.arm[1] = 0.5 * (first + second);
        let mut rows = Rows::default();
        for axis in [glam::DVec3::X, glam::DVec3::Y] {
            let ang = (0.5 * second).cross(axis);
            rows.push(&[(1, [axis.x, axis.y, 0.0, 0.0, 0.0, ang.z])], 0.0, 0.0);
        }
        let w = [[0.0, -1e4, 0.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0, 0.0, 2.0]];
        let load = Load { joint: &[], body: &w };
        let (_, lambda) = bordered(&sys, &load, &rows, &[0.0; 2], &[0.0; 2]);
        let mut solver = Solver::new(sys.structure.clone(), Path::Auto);
        solver.values = sys.values.clone();
        solver.factor().expect("positive definite");
        let (mut m, mut loops) = (Motion::default(), Loops::default());
        let report = solver.solve_loops(&load, &rows, &mut m, &mut loops).expect("rows fit");
        let el = difference(&loops.lambda, &lambda);
        println!("stretched, bend {bend:.0e}: lambda {el:.1e} {report:?}");
        assert!(report.redundant == 0 && el < 1e-4, "{el:e} {report:?}");
        assert!(report.residual < 1e-9, "{report:?}");
    }
}

/// Hinged bars in a plane of any direction, every third one heavy, with the rows of a hinge between the last and the ground.
fn planar_loop(rng: &mut Rng, bars: usize, heavy: f64, off: f64) -> (System, Rows, Vec<Twist>) {
    let turn = rng.quat();
    let axis = turn * glam::DVec3::Z;
    let mut corner = vec![glam::DVec3::ZERO];
    for i in 0..bars {
        let a = 1.5 - 4.0 * i as f64 / bars as f64 + rng.range(-0.3, 0.3);
        corner.push(corner[i] + turn * glam::DVec3::new(libm::cos(a), libm::sin(a), 0.0));
    }
    let links = (0..bars).map(|i| Link { parent: if i == 0 { NONE } else { i - 1 }, dofs: 1 }).collect();
    let mut sys = System::new(links, vec![]);
    let centre = |i: usize| 0.5 * (corner[i] + corner[i + 1]);
    let mut w: Vec<Twist> = (0..bars).map(|_| twist(rng)).collect();
    for i in 0..bars {
        let mass = if i % 3 == 1 { heavy } else { 1.0 };
        sys.body(rng, i, mass);
        w[i][1] -= mass;
        let lin = axis.cross(centre(i) - corner[i]);
        sys.values.s[i] = [lin.x, lin.y, lin.z, axis.x, axis.y, axis.z];
        sys.values.arm[i] = if i == 0 { glam::DVec3::ZERO } else { centre(i) - centre(i - 1) };
    }
    let mut rows = Rows::default();
    for a in glam::DVec3::AXES {
        let m = (corner[bars] - centre(bars - 1)).cross(a);
        rows.push(&[(bars - 1, [a.x, a.y, a.z, m.x, m.y, m.z])], 0.0, off * a.dot(axis));
    }
    let across = axis.any_orthonormal_vector();
    for a in [across, axis.cross(across)] {
        rows.push(&[(bars - 1, [0.0, 0.0, 0.0, a.x, a.y, a.z])], 0.0, 0.0);
    }
    (sys, rows, w)
}

/// Two of the five rows of the hinge hold, three follow from the plane; unless they want to leave it.
#[test]
fn a_hinge_that_closes_a_planar_loop_has_three_redundant_rows() {
    for (seed, bars) in (0..20).map(|s| (s, 3)).chain([(20, 30), (21, 300), (22, 1000)]) {
        for (heavy, off) in [(1.0, 0.0), (1e6, 0.0), (1.0, 0.1), (1e6, 0.1)] {
            let (sys, rows, w) = planar_loop(&mut Rng(40 + seed), bars, heavy, off);
            let mut solver = Solver::new(sys.structure.clone(), Path::Auto);
            solver.values = sys.values.clone();
            solver.factor().expect("positive definite");
            let (mut m, mut loops) = (Motion::default(), Loops::default());
            let load = Load { joint: &[], body: &w };
            let report = solver.solve_loops(&load, &rows, &mut m, &mut loops).expect("rows fit");
            let case = format!("seed {seed}, {bars} bars, {heavy:e}: {report:?}");
            assert_eq!(report.redundant, 3, "{case}");
            assert_eq!(report.contradicting > 0, off > 0.0, "{case}");
            if off == 0.0 {
                assert!(report.residual < 1e-9, "{case}");
            } else {
                assert!(loops.contradictions().any(|(_, r)| r.abs() > 0.01), "{case}");
            }
        }
    }
}

#[test]
fn redundant_rows_are_found_and_contradicting_ones_reported_with_their_residual() {
    let mut rng = Rng(77);
    let sys = systems::random(&mut rng, 16, 6, 1.0);
    let (b, w) = loads(&mut rng, &sys);
    let load = Load { joint: &b, body: &w };
    let (mut rows, mut soft, mut target) = closures(&mut rng, &sys, 1, &[2, 2]).expect("freedom enough");
    soft.fill(0.0);
    let (y, _) = bordered(&sys, &load, &rows, &soft, &target);
    // The sum of the first two, of the right size and then 0.3 m/s off.
    let sum: Vec<(usize, Twist)> = rows.row(0).iter().chain(rows.row(1)).copied().collect();
    for off in [0.0, 0.3] {
        let mut all = rows.clone();
        all.push(&sum, 0.0, target[0] + target[1] + off);
        for path in [Path::Direct, Path::PartialExact] {
            let mut solver = Solver::new(sys.structure.clone(), path);
            solver.values = sys.values.clone();
            solver.params.tolerance = 1e-13;
            solver.factor().expect("positive definite");
            let (mut m, mut loops) = (Motion::default(), Loops::default());
            let report = solver.solve_loops(&load, &all, &mut m, &mut loops).expect("rows fit");
            assert_eq!(report.redundant, 1, "{path:?} {report:?}");
            assert_eq!(report.contradicting, usize::from(off > 0.0), "{path:?} {report:?}");
            assert!(m.y.iter().all(|y| y.is_finite()));
            if off == 0.0 {
                assert!(report.residual < 1e-8 && difference(&m.y, &y) < 1e-6, "{path:?} {report:?}");
            } else {
                let (row, residual) = loops.contradictions().next().expect("one contradicts");
                assert_eq!(loops.redundant, vec![row]);
                assert!((residual.abs() - 0.3).abs() < 1e-6, "{path:?} row {row}: {residual}");
            }
        }
    }
    // A row on nothing that moves cannot be met.
    rows.push(&[], 0.0, 1.0);
    target.push(1.0);
    let mut solver = Solver::new(sys.structure.clone(), Path::Direct);
    solver.values = sys.values.clone();
    solver.factor().expect("positive definite");
    let mut loops = Loops::default();
    let report = solver.solve_loops(&load, &rows, &mut Motion::default(), &mut loops).expect("rows fit");
    assert_eq!((report.contradicting, report.worst, report.residual), (1, 4, 1.0));
    // And rows that are wrong are refused.
    let mut bad = Rows::default();
    bad.push(&[(16, [1.0; 6])], 0.0, 0.0);
    let fault = solver.solve_loops(&load, &bad, &mut Motion::default(), &mut loops);
    assert_eq!(fault, Err(Fault::Row { row: 0, link: 16, links: 16 }));
    bad.clear();
    bad.push(&[(1, [1.0; 6])], -1.0, 0.0);
    let fault = solver.solve_loops(&load, &bad, &mut Motion::default(), &mut loops);
    assert_eq!(fault, Err(Fault::Compliance { row: 0, value: -1.0 }));
}

#[test]
fn loop_columns_have_the_same_bits_on_any_number_of_threads() {
    let sys = systems::ribs(8, 120);
    let mut rng = Rng(5);
    let (rows, ..) = closures(&mut rng, &sys, 2, &[2, 3, 5, 2, 2, 2]).expect("freedom enough");
    let (b, w) = loads(&mut rng, &sys);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| {
            let mut solver = Solver::new(sys.structure.clone(), Path::Direct);
            solver.values = sys.values.clone();
            solver.factor().expect("positive definite");
            let cost = solver.elimination().expect("direct").cost();
            assert!(rows.len() as f64 * 0.5 * cost.solve > 2e6, "too small for threads");
            let (mut m, mut loops) = (Motion::default(), Loops::default());
            solver.solve_loops(&Load { joint: &b, body: &w }, &rows, &mut m, &mut loops).expect("rows fit");
            (m, loops.lambda)
        })
    };
    assert_eq!(run(1), run(2));
}

//! The sparse solver of bounded rows against brute force, and on large clusters.

mod clusters;

use clusters::*;
use taut_solve::bounded::sparse::{GROUND, SparseInfo, SparseParams, Work, solve};
use taut_solve::bounded::{self, Block};

struct Solved {
    z: Vec<f64>,
    x: Vec<f64>,
    info: SparseInfo,
}

fn run_with(s: &Scene, warm: Option<&[f64]>, params: &SparseParams, work: &mut Work) -> Solved {
    let mut z = warm.map_or(vec![0.0; s.rows()], <[f64]>::to_vec);
    let mut x = vec![0.0; s.b.len()];
    let info = solve(&s.problem(), params, &mut z, &mut x, work);
    assert!(z.iter().chain(&x).all(|v| v.is_finite()), "not finite");
    assert_admissible(s, &z);
    Solved { z, x, info }
}

fn run(s: &Scene, warm: Option<&[f64]>) -> Solved {
    run_with(s, warm, &SparseParams::default(), &mut Work::default())
}

fn assert_admissible(s: &Scene, z: &[f64]) {
    let mut row = 0;
    for b in &s.blocks {
        match *b {
            Block::Box { lo, hi } => assert!(z[row] >= lo * (1.0 + 1e-14) - 1e-300 && z[row] <= hi * (1.0 + 1e-14)),
            Block::Span { .. } => assert!(z[row] <= 0.0),
            Block::Contact { mu } => {
                let n = z[row];
                assert!(n >= 0.0);
                let share = |t: f64, m: f64| if m > 0.0 { t / m } else { t * 1e300 };
                let (a, b) = (share(z[row + 1], mu[0]), share(z[row + 2], mu[1]));
                assert!((a * a + b * b).sqrt() <= n * (1.0 + 1e-12) + 1e-300, "cone left: {a} {b} {n}");
            }
        }
        row += b.rows();
    }
}

/// The residual by brute force.
fn dense_residual(s: &Scene, z: &[f64]) -> f64 {
    let (w, q) = s.dense();
    bounded::residual(&as_dense(s, &w, &q), z, &mut bounded::Work::default())
}

/// Velocities of the bounded rows under x, and the worst entry of K x - b - Ju^T z.
fn check_unknowns(s: &Scene, z: &[f64], x: &[f64]) -> f64 {
    let n = s.b.len();
    let k = s.dense_matrix();
    let first: Vec<usize> = s.dims.iter().scan(0, |at, d| Some(std::mem::replace(at, *at + d))).collect();
    let mut rest: Vec<f64> = (0..n).map(|r| (0..n).map(|c| k[r * n + c] * x[c]).sum::<f64>() - s.b[r]).collect();
    let mut row = 0;
    for (block, sides) in s.blocks.iter().zip(&s.sides) {
        for r in row..row + block.rows() {
            for side in 0..2 {
                if sides[side] != GROUND {
                    for q in 0..s.dims[sides[side]] {
                        rest[first[sides[side]] + q] -= s.jac[12 * r + 6 * side + q] * z[r];
                    }
                }
            }
        }
        row += block.rows();
    }
    rest.iter().fold(0.0, |m, r| r.abs().max(m))
}

#[test]
fn trees_with_joints_limits_and_contacts_agree_with_the_dense_matrix() {
    let mut solved = 0;
    for seed in 0..12 {
        let s = thicket(seed, 1 + seed as usize % 4, 6);
        let out = run(&s, None);
        println!("seed {seed}: {} rows, {:?}", s.rows(), out.info);
        solved += usize::from(out.info.converged);
        let r = dense_residual(&s, &out.z);
        let told = out.info.residual;
        assert!((r - told).abs() < 1e-10 + 1e-6 * told, "seed {seed}: {r:.2e} by brute force, {told:.2e} reported");
        let wrong = check_unknowns(&s, &out.z, &out.x);
        assert!(wrong < 1e-11, "seed {seed}: x is off by {wrong:.2e}");
    }
    // Random normals jam some of them; a miss must be reported, as is checked above.
    assert!(solved >= 11, "{solved} of 12");
}

#[test]
fn a_one_way_rope_agrees_with_the_dense_solver() {
    let s = rope(200);
    let out = run(&s, None);
    println!("{:?}", out.info);
    assert!(out.info.converged && out.info.factors[1] == 0, "{:?}", out.info);
    let (w, q) = s.dense();
    let mut z = vec![0.0; s.rows()];
    let dense = bounded::solve(&as_dense(&s, &w, &q), &bounded::Params::default(), &mut z, &mut Default::default());
    assert!(dense.converged, "{dense:?}");
    let top = z.iter().fold(0.0, |m: f64, z| m.max(z.abs()));
    for (a, b) in out.z.iter().zip(&z) {
        assert!((a - b).abs() < 1e-6 * top, "{a} {b}");
    }
}

#[test]
fn redundant_rows_change_nothing_that_moves() {
    let s = pyramid(5, 0.5, |_, _| 1.0);
    let mut twice = s.clone();
    twice.blocks.extend(s.blocks.clone());
    twice.sides.extend(s.sides.clone());
    for (to, from) in [(&mut twice.jac, &s.jac), (&mut twice.sigma, &s.sigma), (&mut twice.c, &s.c)] {
        to.extend(from);
    }
    let (a, b) = (run(&s, None), run(&twice, None));
    assert!(a.info.converged && b.info.converged, "{:?} {:?}", a.info, b.info);
    assert!(a.x.iter().zip(&b.x).all(|(a, b)| (a - b).abs() < 1e-8), "a pile at rest has one velocity");
}

#[test]
fn a_ring_of_hinges_with_redundant_rows_lies_on_the_ground() {
    let mut s = Scene::default();
    let n = 8;
    let at = |k: usize| {
        let a = std::f64::consts::TAU * k as f64 / n as f64;
        [libm::cos(a), libm::sin(a), 0.1]
    };
    for k in 0..n {
        let b = s.body(1.0, [0.01; 3], at(k), [0.0, 0.0, 0.0, 0.1, 0.0, 0.0]);
        s.contact(b, GROUND, [at(k)[0], at(k)[1], 0.0], [0.0, 0.0, 1.0], [0.5, 0.5], 0.0);
    }
    let all = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for k in 0..n {
        // Vertical hinges: three of the rows that close the ring are redundant.
        let (p, q) = (at(k), at((k + 1) % n));
        let middle = [0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1]), 0.1];
        s.joint(k, (k + 1) % n, middle, &all, &[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], 0.0);
    }
    let out = run(&s, None);
    println!("{:?}", out.info);
    assert!(out.info.converged, "{:?}", out.info);
    assert!(check_unknowns(&s, &out.z, &out.x) < 1e-9);
}

#[test]
fn without_friction_and_without_rows() {
    let mut s = pyramid(6, 0.0, |_, _| 1.0);
    s.b.chunks_exact_mut(6).for_each(|v| v[0] += 0.3);
    let out = run(&s, None);
    assert!(out.info.converged && out.info.factors[1] == 0, "{:?}", out.info);
    assert!(out.z.chunks_exact(3).all(|z| z[1] == 0.0 && z[2] == 0.0));
    assert!(out.x.chunks_exact(6).all(|v| (v[0] - 0.3).abs() < 1e-9), "nothing holds it along x");
    let mut free = Scene::default();
    free.body(2.0, [1.0; 3], [0.0; 3], [1.0, 0.0, 0.0, 0.0, 0.0, 3.0]);
    let out = run(&free, None);
    assert!(out.info.converged && out.info.residual == 0.0);
    assert!((out.x[0] - 1.0).abs() < 1e-15 && (out.x[5] - 3.0).abs() < 1e-15);
    let out = run(&Scene::default(), None);
    assert!(out.info.converged);
}

#[test]
fn input_that_cannot_be_used_is_reported() {
    let good = pyramid(3, 0.5, |_, _| 1.0);
    type Spoil = fn(&mut Scene);
    let spoil: [(&str, Spoil); 7] = [
        ("NaN in b", |s| s.b[3] = f64::NAN),
        ("NaN in J", |s| s.jac[5] = f64::NAN),
        ("a negative compliance", |s| s.sigma[1] = -1.0),
        ("a node that is not there", |s| s.sides[2][0] = 99),
        ("the same node twice", |s| s.sides[30] = [1, 1]),
        ("a mass that is not positive", |s| s.diag[0] = -1.0),
        ("too few targets", |s| s.c.truncate(5)),
    ];
    for (what, spoil) in spoil {
        let mut s = good.clone();
        spoil(&mut s);
        let (mut z, mut x) = (vec![1.0; good.rows()], vec![1.0; s.b.len()]);
        let info = solve(&s.problem(), &SparseParams::default(), &mut z, &mut x, &mut Work::default());
        assert!(!info.converged && info.residual == f64::INFINITY, "{what}: {info:?}");
        assert!(z.iter().chain(&x).all(|&v| v == 0.0), "{what}");
    }
    // A warm start that is not finite counts as none.
    let cold = run(&good, None);
    let odd = run(&good, Some(&vec![f64::NAN; good.rows()]));
    assert_eq!(cold.z, odd.z);
}

/// Speeds and arms of damaged models, at which squares overflow: a residual that is no number is not small.
#[test]
fn absurd_numbers_come_to_an_end() {
    let good = pyramid(6, 0.5, |_, _| 1.0);
    let mut random = Random(7);
    for round in 0..100 {
        let mut s = good.clone();
        let top = 120.0 + 0.4 * f64::from(round);
        s.b.iter_mut().for_each(|b| *b += random.next().signum() * 10_f64.powf(top + 3.0 * random.next()));
        for row in s.jac.chunks_exact_mut(12) {
            if random.next() < 0.5 {
                continue;
            }
            let far = 10_f64.powf(20.0 * random.next());
            [3, 4, 5, 9, 10, 11].iter().for_each(|&q| row[q] *= far);
        }
        let (mut z, mut x) = (vec![0.0; s.rows()], vec![0.0; s.b.len()]);
        let info = solve(&s.problem(), &SparseParams::default(), &mut z, &mut x, &mut Work::default());
        println!("{round}: {info:?}");
        assert!(info.products <= 10_000, "{round}: {info:?}");
    }
}

#[test]
fn the_best_point_so_far_is_returned_at_any_time() {
    let s = stack(10, 0.5, 0.05, |l| if l == 9 { 1000.0 } else { 1.0 });
    let mut last = f64::INFINITY;
    for max_iterations in [0, 1, 3, 8, 400] {
        let p = SparseParams { max_iterations, accept: f64::INFINITY, ..Default::default() };
        let out = run_with(&s, None, &p, &mut Work::default());
        assert!(out.info.residual <= last && out.info.iterations <= max_iterations.max(1) + 1, "{:?}", out.info);
        last = out.info.residual;
    }
    assert!(last <= 1e-9);
}

#[test]
fn the_same_bits_with_new_and_with_used_memory() {
    let (a, b) = (thicket(3, 3, 6), pyramid(5, 0.4, |l, k| 1.0 + (l + k) as f64));
    let (p, mut work) = (SparseParams::default(), Work::default());
    for s in [&a, &b, &a, &a, &b] {
        let used = run_with(s, None, &p, &mut work);
        let new = run(s, None);
        assert_eq!(used.z, new.z);
        assert_eq!(used.x, new.x);
    }
}

#[test]
fn the_layout_is_kept_while_the_pairs_are() {
    let mut s = pyramid(5, 0.5, |_, _| 1.0);
    let (p, mut work) = (SparseParams::default(), Work::default());
    assert!(run_with(&s, None, &p, &mut work).info.new_layout);
    s.b.iter_mut().for_each(|b| *b *= 1.1);
    // Fewer contacts of the same pairs.
    for v in [&mut s.sigma, &mut s.c] {
        v.truncate(v.len() - 3);
    }
    s.jac.truncate(12 * s.c.len());
    s.blocks.pop();
    s.sides.pop();
    assert!(!run_with(&s, None, &p, &mut work).info.new_layout);
    s.contact(0, 14, [0.0; 3], [0.0, 0.0, 1.0], [0.5, 0.5], 1.0);
    assert!(run_with(&s, None, &p, &mut work).info.new_layout);
}

#[test]
fn the_cost_of_a_chain_on_the_ground_is_linear() {
    let cost = |links: usize| {
        let out = run(&chain(links, 1.0), None);
        assert!(out.info.converged, "{links}: {:?}", out.info);
        println!("{links} links: {:?}", out.info);
        let factors = out.info.factors[0] + 2 * out.info.factors[1];
        out.info.block_products as f64 / factors as f64 / links as f64
    };
    let (small, large) = (cost(100), cost(1000));
    assert!(large < 1.05 * small, "{small} and {large} block products per link");
}

fn report(name: &str, s: &Scene) -> [Solved; 3] {
    let mut work = Work::default();
    let p = SparseParams::default();
    let cold = run_with(s, None, &p, &mut work);
    let mut random = Random(3);
    let noisy: Vec<f64> = cold.z.iter().map(|z| z * (1.0 + 0.05 * random.next())).collect();
    let near = run_with(s, Some(&noisy), &p, &mut work);
    let mut next = s.clone();
    next.next_step(&cold.x);
    let warm = run_with(&next, Some(&cold.z), &p, &mut work);
    for (kind, o) in [("cold", &cold), ("perturbed", &near), ("next step", &warm)] {
        let i = &o.info;
        println!(
            "{name:24} {kind:10} rows {:6} residual {:.1e} iterations {:3} sweeps {:3} factors {:?} products {}",
            s.rows(),
            i.residual,
            i.iterations,
            i.sweeps,
            i.factors,
            i.products
        );
    }
    [cold, near, warm]
}

#[test]
fn pyramids_and_stacks_converge() {
    let scenes = [
        ("pyramid 10", pyramid(4, 0.5, |_, _| 1.0)),
        ("pyramid 55", pyramid(10, 0.5, |_, _| 1.0)),
        ("pyramid 120", pyramid(15, 0.5, |_, _| 1.0)),
        ("pyramid 55 heavy top", pyramid(10, 0.5, |l, _| if l == 9 { 1000.0 } else { 1.0 })),
        ("stack 10, 1000:1", stack(10, 0.5, 0.0, |l| if l == 9 { 1000.0 } else { 1.0 })),
        ("stack 10, tilted", stack(10, 0.5, 0.05, |l| if l == 9 { 1000.0 } else { 1.0 })),
        ("stack 40", stack(40, 0.5, 0.0, |_| 1.0)),
    ];
    for (name, s) in &scenes {
        for o in report(name, s) {
            assert!(o.info.converged, "{name}: {:?}", o.info);
        }
    }
}

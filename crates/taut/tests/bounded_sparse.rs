//! The sparse solver of bounded rows against brute force, and on large clusters.

#[path = "bounded/scenes.rs"]
mod scenes;

use scenes::*;
use taut::solve::bounded::sparse::{SparseInfo, SparseParams, Work, solve};
use taut::solve::bounded::{self, Block};

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

#[test]
fn trees_with_joints_limits_and_contacts_agree_with_the_dense_matrix() {
    for seed in 0..12 {
        let s = thicket(seed, 1 + seed as usize % 4, 6);
        let out = run(&s, None);
        println!("seed {seed}: {} rows, {:?}", s.rows(), out.info);
        assert!(out.info.converged, "seed {seed}: {:?}", out.info);
        let r = dense_residual(&s, &out.z);
        assert!(r < 3e-9, "seed {seed}: {r:.2e} by brute force, {:.2e} reported", out.info.residual);
    }
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

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

/// Least of some runs, ms.
fn time(mut f: impl FnMut()) -> f64 {
    let once = |f: &mut dyn FnMut()| {
        let t = std::time::Instant::now();
        f();
        1e3 * t.elapsed().as_secs_f64()
    };
    (0..5).map(|_| once(&mut f)).fold(f64::INFINITY, f64::min)
}

#[test]
#[ignore = "prints times"]
fn times() {
    for base in [10, 15, 20, 31] {
        let s = pyramid(base, 0.5, |_, _| 1.0);
        let name = format!("pyramid {}", s.dims.len());
        let [cold, _, _] = report(&name, &s);
        timed(&name, &s, &cold);
    }
    for links in [100, 300, 1000] {
        let s = chain(links, 1.0);
        let [cold, _, _] = report(&format!("chain {links}"), &s);
        timed(&format!("chain {links}"), &s, &cold);
    }
    for links in [200, 1000] {
        let s = rope(links);
        let [cold, _, _] = report(&format!("rope {links}"), &s);
        timed(&format!("rope {links}"), &s, &cold);
    }
}

fn timed(name: &str, s: &Scene, cold: &Solved) {
    let mut work = Work::default();
    let p = SparseParams::default();
    let first = SparseParams { max_iterations: 1, ..p };
    let none = SparseParams { max_iterations: 0, accept: f64::INFINITY, ..p };
    let one = SparseParams { accept: f64::INFINITY, ..first };
    let new = time(|| {
        run_with(s, None, &none, &mut Work::default());
    });
    let mut each = |warm: Option<&[f64]>, p: &SparseParams| {
        time(|| {
            run_with(s, warm, p, &mut work);
        })
    };
    let all = each(None, &p);
    let (swept, stepped) = (each(None, &none), each(None, &one));
    let mut random = Random(3);
    let noisy: Vec<f64> = cold.z.iter().map(|z| z * (1.0 + 0.05 * random.next())).collect();
    let near = each(Some(&noisy), &p);
    let rest = each(Some(&cold.z), &p);
    println!(
        "{name:16} ms: warm {rest:.2}, sweeps {:.2}, order {:.2}, a step {:.2}, cold {all:.2}, perturbed {near:.2}",
        swept - rest,
        new - swept,
        stepped - swept
    );
}

#[test]
#[ignore = "prints"]
fn hard() {
    for (base, tilt) in [(10, 0.2), (10, 0.6), (20, 0.2), (20, 0.6), (31, 0.2)] {
        let mut s = pyramid(base, 0.5, |_, _| 1.0);
        for k in 0..s.dims.len() {
            s.b[6 * k] += G * H * tilt;
        }
        let [cold, _, _] = report(&format!("tilted {} {tilt}", s.dims.len()), &s);
        timed(&format!("tilted {}", s.dims.len()), &s, &cold);
    }
    for trees in [2, 5, 10, 20, 50, 100] {
        let s = thicket(7, trees, 12);
        let t = std::time::Instant::now();
        report(&format!("thicket {trees}"), &s);
        println!("all {:.1} ms", 1e3 * t.elapsed().as_secs_f64());
    }
}

#[test]
#[ignore = "prints"]
fn one() {
    let get = |k: &str, d: f64| std::env::var(k).ok().and_then(|v| v.parse().ok()).unwrap_or(d);
    let (base, kick) = (get("BASE", 15.0) as usize, get("KICK", 1.0));
    let mut s = pyramid(base, 0.5, |_, _| 1.0);
    let mut r = Random(17);
    for k in 0..s.dims.len() {
        for q in 0..6 {
            s.b[6 * k + q] += kick * r.next() * if q < 3 { 1.0 } else { 1.0 / 6.0 };
        }
    }
    let tilt = get("TILT", 0.0);
    s.b.chunks_exact_mut(6).for_each(|v| v[0] += G * H * tilt);
    let t = std::time::Instant::now();
    let o = run(&s, None);
    println!("{:?} {:.1} ms", o.info, 1e3 * t.elapsed().as_secs_f64());
}

#[test]
#[ignore = "prints"]
fn bench() {
    let kicked = |base: usize, kick: f64, seed: u64| {
        let mut s = pyramid(base, 0.5, |_, _| 1.0);
        let mut r = Random(seed);
        for v in s.b.chunks_exact_mut(6) {
            for q in 0..6 {
                v[q] += kick * r.next() * if q < 3 { 1.0 } else { 1.0 / 6.0 };
            }
        }
        s
    };
    let tilted = |base: usize, tilt: f64| {
        let mut s = pyramid(base, 0.5, |_, _| 1.0);
        s.b.chunks_exact_mut(6).for_each(|v| v[0] += G * H * tilt);
        s
    };
    let mut scenes = vec![
        ("p210", pyramid(20, 0.5, |_, _| 1.0)),
        ("k55/1", kicked(10, 1.0, 1)),
        ("k55/1b", kicked(10, 1.0, 2)),
        ("k120/1", kicked(15, 1.0, 17)),
        ("k120/.1", kicked(15, 0.1, 1)),
        ("k210/1", kicked(20, 1.0, 17)),
        ("k210/.1", kicked(20, 0.1, 17)),
        ("t55/.6", tilted(10, 0.6)),
        ("t210/.2", tilted(20, 0.2)),
        ("t210/.6", tilted(20, 0.6)),
        ("stack tilted", stack(10, 0.5, 0.05, |l| if l == 9 { 1000.0 } else { 1.0 })),
        ("th2", thicket(7, 2, 12)),
        ("th3", thicket(8, 3, 12)),
        ("th5", thicket(7, 5, 12)),
    ];
    let cases: Vec<(&str, Scene)> = scenes.drain(..).collect();
    let (mut total, mut failed, mut line) = (0, 0, String::new());
    let p = SparseParams { accept: f64::INFINITY, ..Default::default() };
    let t = std::time::Instant::now();
    for (name, s) in &cases {
        let mut work = Work::default();
        let o = run_with(s, None, &p, &mut work);
        total += o.info.iterations;
        failed += usize::from(!o.info.converged);
        let mark = if o.info.converged { String::new() } else { format!("!{:.0e}", o.info.residual) };
        line += &format!("{name} {}{mark}, ", o.info.iterations);
    }
    println!("SUM {total} failed {failed} {:.0} ms: {line}", 1e3 * t.elapsed().as_secs_f64());
}

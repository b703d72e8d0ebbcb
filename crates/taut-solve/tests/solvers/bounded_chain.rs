//! Ropes with friction at their guides: random ropes, known ones, and ropes beside contacts.

use taut_solve::bounded::{Block, Params, Problem, Work, residual, solve};

use crate::common::Rng;

/// What is wrong with a solution of ropes, relative to the largest velocity and the largest tension.
fn wrong(w: &[f64], q: &[f64], blocks: &[Block], z: &[f64]) -> f64 {
    let n = q.len();
    let v: Vec<f64> = (0..n).map(|i| q[i] + (0..n).map(|j| w[i * n + j] * z[j]).sum::<f64>()).collect();
    let speed = q.iter().fold(f64::MIN_POSITIVE, |m, q| f64::max(m, q.abs()));
    let force = z.iter().fold(f64::MIN_POSITIVE, |m, z| f64::max(m, z.abs()));
    let mut worst = 0.0_f64;
    let mut see = |e: f64| worst = worst.max(e);
    let mut i = 0;
    while i < n {
        let mut end = i + 1;
        while end < n && matches!(blocks[end], Block::Span { over: Some(_) }) {
            end += 1;
        }
        let total: f64 = v[i..end].iter().sum();
        // Taut: it keeps its length. Slack: it may get shorter.
        if z[i] < -1e-12 * force {
            see(total.abs() / speed)
        } else {
            see(total / speed)
        }
        for k in i..end {
            see(z[k] / force);
        }
        for k in i + 1..end {
            let Block::Span { over: Some([on, back]) } = blocks[k] else { unreachable!() };
            let (before, after, slip) = (-z[k - 1], -z[k], v[k..end].iter().sum::<f64>() / speed);
            see((after - on * before) / force);
            see((before - back * after) / force);
            if z[i] < -1e-12 * force {
                let (room_on, room_back) = ((on * before - after) / force, (back * after - before) / force);
                see(slip.min(room_on));
                see((-slip).min(room_back));
            }
        }
        i = end;
    }
    worst
}

/// A rope over bodies in a row, spread in mass over `spread`.
fn random(r: &mut Rng, spread: f64, most: f64) -> (Vec<f64>, Vec<f64>, Vec<Block>) {
    let n = 2 + (r.range(0.0, 1.0) * 9.0) as usize;
    let inverse: Vec<f64> = (0..=n).map(|_| 1.0 / spread.powf(r.range(0.0, 1.0))).collect();
    let (mut w, mut q, mut blocks) = (vec![0.0; n * n], vec![], vec![]);
    for i in 0..n {
        w[i * n + i] = inverse[i] + inverse[i + 1];
        if i + 1 < n {
            // Rope that runs over a body pulls it from both sides, at some angle.
            let turn = r.range(-1.0, 1.0) * inverse[i + 1];
            (w[i * n + i + 1], w[(i + 1) * n + i]) = (turn, turn);
        }
        q.push(r.range(-1.0, 1.0));
        let free = i == 0 || r.range(0.0, 1.0) < 0.2;
        blocks.push(Block::Span {
            over: (!free).then(|| [(r.range(0.0, 1.0) * most).exp(), (r.range(0.0, 1.0) * most).exp()]),
        });
    }
    (w, q, blocks)
}

#[test]
fn random_ropes_are_solved() {
    for (most, allowed) in [(0.5, 0), (1.5, 0), (4.0, 0)] {
        let (mut r, mut work) = (Rng(7), Work::default());
        let (mut bad, mut worst, mut slips, mut iterations) = (0, 0.0_f64, 0, 0);
        for _ in 0..3000 {
            let (w, q, blocks) = random(&mut r, 1e6, most);
            let mut z = vec![0.0; q.len()];
            let problem = Problem { w: &w, q: &q, blocks: &blocks, unit: &[] };
            let info = solve(&problem, &Params::default(), &mut z, &mut work);
            let e = wrong(&w, &q, &blocks, &z);
            worst = worst.max(e);
            bad += usize::from(e > 1e-6);
            iterations = iterations.max(info.iterations);
            slips += blocks.windows(2).zip(z.windows(2)).filter(|(b, z)| {
                matches!(b[1], Block::Span { over: Some([on, _]) } if z[1] < 0.0 && (z[1] - on * z[0]).abs() < 1e-9 * z[1].abs())
            }).count();
            assert!((residual(&problem, &z, &mut work) <= 1e-6) == (info.residual <= 1e-6), "{info:?}");
        }
        println!(
            "kappa up to e^{most}: {bad} of 3000 above 1e-6, worst {worst:.1e}, {slips} slips, most Newton steps {iterations}"
        );
        assert!(bad <= allowed && slips > 1000, "e^{most}: {bad} {worst}");
    }
}

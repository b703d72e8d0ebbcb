//! Box rows between their bounds are eliminated: the same solutions for less work.

use crate::common::Rng;
use taut_solve::bounded::{Block, Info, Params, Problem, Work, residual, solve};

const ROPES: usize = 30;
const CONTACTS: usize = 6;
const N: usize = ROPES + 3 * CONTACTS;

/// Ropes that pull, then contacts, with a positive definite W; `slack` ropes would have to push.
struct Case {
    w: Vec<f64>,
    q: Vec<f64>,
    blocks: Vec<Block>,
}

impl Case {
    fn new(seed: u64, slack: usize, mu: f64) -> Self {
        Self::with(seed, slack, mu, 1.0)
    }

    /// The same with this part of W on its diagonal alone.
    fn with(seed: u64, slack: usize, mu: f64, own: f64) -> Self {
        let mut r = Rng(seed);
        let rows: Vec<f64> = (0..N * N).map(|_| r.range(-1.0, 1.0)).collect();
        let w = (0..N * N).map(|k| {
            let (i, j) = (k / N, k % N);
            let sum: f64 = (0..N).map(|d| rows[i * N + d] * rows[j * N + d]).sum();
            sum / N as f64 + if i == j { own } else { 0.0 }
        });
        let mut blocks = vec![Block::Box { lo: f64::NEG_INFINITY, hi: 0.0 }; ROPES];
        blocks.extend([Block::Contact { mu: [mu, mu] }; CONTACTS]);
        let q = (0..N).map(|i| match i {
            _ if i < slack => -5.0,
            _ if i < ROPES => 5.0 + r.range(-1.0, 1.0),
            _ if (i - ROPES).is_multiple_of(3) => r.range(-1.0, 0.5),
            _ => r.range(-0.3, 0.3),
        });
        let q = q.collect();
        Self { w: w.collect(), q, blocks }
    }

    fn problem(&self) -> Problem<'_> {
        Problem { w: &self.w, q: &self.q, blocks: &self.blocks, unit: &[] }
    }

    /// From ropes with the impulse z; returns the solution, what was said of it and the operations.
    fn solve(&self, z: f64) -> (Vec<f64>, Info, f64) {
        let (mut found, mut work) = (vec![0.0; N], Work::default());
        found[..ROPES].fill(z);
        let info = solve(&self.problem(), &Params::default(), &mut found, &mut work);
        assert!((info.residual - residual(&self.problem(), &found, &mut Work::default())).abs() < 1e-12);
        (found, info, work.flops())
    }
}

#[test]
fn taut_ropes_are_eliminated_and_the_solution_is_the_same() {
    let (mut less, mut all) = (0.0, 0.0);
    for seed in 0..30 {
        for (slack, mu) in [(0, 0.0), (0, 0.5), (3, 0.0), (3, 0.5)] {
            let case = Case::new(seed, slack, mu);
            let ((kept, plain, more), (reduced, info, fewer)) = (case.solve(0.0), case.solve(-1.0));
            assert!(plain.converged && info.converged, "{seed} {slack} {mu}: {plain:?} {info:?}");
            let off = kept.iter().zip(&reduced).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
            assert!(off < 1e-8, "{seed} {slack} {mu}: {off:e}");
            assert!(reduced[..ROPES].iter().filter(|z| **z == 0.0).count() >= slack);
            if slack == 0 && mu > 0.0 {
                (less, all) = (less + fewer, all + more);
            }
        }
    }
    println!("{:.2} of the operations", less / all);
    assert!(less < 0.25 * all, "{less:e} of {all:e}");
}

/// Ropes that hold each other are no equations: one of two that are the same is kept, and the load is shared in some way.
#[test]
fn rows_that_others_determine_are_kept() {
    let mut case = Case::new(1, 0, 0.5);
    for i in 0..N {
        case.w[i] = case.w[N + i];
    }
    for i in 0..N {
        case.w[i * N] = case.w[i * N + 1];
    }
    case.q[0] = case.q[1];
    let (z, info, _) = case.solve(-1.0);
    assert!(info.converged, "{info:?}");
    assert!(z[0] <= 0.0 && z[1] <= 0.0 && z[0] + z[1] < -0.1, "{:?}", &z[..2]);
}

/// Ropes that turn out to be slack are solved for again, out of the same number of Newton steps. A step with frozen radii counts with that
/// before it.
#[test]
fn all_rounds_share_the_newton_steps() {
    let mut used = 0;
    for seed in 0..30 {
        for most in [0, 1, 2, 4] {
            let (case, mut z) = (Case::with(seed, 10, 0.5, 1e-3), vec![0.0; N]);
            z[..ROPES].fill(-1.0);
            let params = Params { max_iterations: most, accept: f64::INFINITY, ..Params::default() };
            let info = solve(&case.problem(), &params, &mut z, &mut Work::default());
            assert!(info.iterations <= most + 1, "{seed}: {info:?} of {most}");
            used = used.max(info.iterations);
        }
    }
    assert!(used > 1, "{used}");
}

#[test]
fn rows_that_are_no_numbers_are_refused() {
    let mut case = Case::new(2, 0, 0.5);
    case.w[3 * N + 3] = f64::NAN;
    let mut z = vec![-1.0; N];
    let info = solve(&case.problem(), &Params::default(), &mut z, &mut Work::default());
    assert!(info.residual == f64::INFINITY && !info.converged && z.iter().all(|z| *z == 0.0), "{info:?}");
}

//! Times of the solvers on systems of growing size: `cargo bench -p taut-solve`, with a part of a name for some of them.

#[path = "../tests/solvers/bounded_sparse/clusters.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod clusters;

use clusters::Scene;
use divan::Bencher;
use taut_solve::bounded::sparse::{SparseParams, Work as SparseWork, solve};

fn main() {
    divan::main();
}

/// Rows with bounds, without W.
mod bounded {
    use super::*;

    /// Times a solve from zero, or from the solution.
    fn time(bencher: Bencher, s: &Scene, is_warm: bool) {
        let (mut work, params) = (SparseWork::default(), SparseParams::default());
        let (mut start, mut x) = (vec![0.0; s.rows()], vec![0.0; s.b.len()]);
        if is_warm {
            solve(&s.problem(), &params, &mut start, &mut x, &mut work);
        }
        let mut z = start.clone();
        bencher.bench_local(|| {
            z.copy_from_slice(&start);
            solve(&s.problem(), &params, &mut z, &mut x, &mut work)
        });
    }

    #[divan::bench(args = [10, 20, 31], consts = [false, true])]
    fn pyramid<const WARM: bool>(bencher: Bencher, base: usize) {
        time(bencher, &clusters::pyramid(base, 0.5, |_, _| 1.0), WARM);
    }

    #[divan::bench(args = [100, 300, 1000], consts = [false, true])]
    fn chain<const WARM: bool>(bencher: Bencher, links: usize) {
        time(bencher, &clusters::chain(links, 1.0), WARM);
    }

    #[divan::bench(args = [200, 1000], consts = [false, true])]
    fn rope<const WARM: bool>(bencher: Bencher, links: usize) {
        time(bencher, &clusters::rope(links), WARM);
    }
}

//! Times of the articulated solvers on systems of growing size: `cargo bench -p taut-redmax`, with a part of a name for some of them.

#[path = "../../taut-solve/tests/common/mod.rs"]
mod common;
#[path = "../tests/redmax/linkage/mod.rs"]
mod linkage;

use common::Rng;
use divan::Bencher;
use linkage::loads;
use linkage::systems::{self, System};
use taut_redmax::articulated::eliminate::Elimination;
use taut_redmax::articulated::pcg::{Params, Pcg};
use taut_redmax::articulated::{Load, Motion, Path, Solver, Work};

fn main() {
    divan::main();
}

/// Chains of joints with `DOFS` freedoms by elimination.
mod chain {
    use super::*;

    #[divan::bench(args = [10, 100, 1000], consts = [1, 3])]
    fn factor<const DOFS: usize>(bencher: Bencher, links: usize) {
        let sys = systems::chain(links, DOFS, 1.0);
        let mut e = Elimination::new(&sys.structure);
        bencher.bench_local(|| e.factor(&sys.values).expect("positive definite"));
    }

    #[divan::bench(args = [10, 100, 1000], consts = [1, 3])]
    fn solve<const DOFS: usize>(bencher: Bencher, links: usize) {
        let sys = systems::chain(links, DOFS, 1.0);
        let mut e = Elimination::new(&sys.structure);
        e.factor(&sys.values).expect("positive definite");
        let (w, mut m, mut work) = (vec![[1.0; 6]; links], Motion::default(), Work::default());
        bencher.bench_local(|| e.solve(&Load { joint: &[], body: &w }, &mut m, &mut work).expect("factored"));
    }
}

/// About 1,000 freedoms with springs between branches, by every path.
mod springs {
    use super::*;

    const NAMES: [&str; 3] = ["bridge", "ribs", "tree"];

    fn system(name: &str) -> System {
        match name {
            "bridge" => systems::bridge(333),
            "ribs" => systems::ribs(8, 83),
            _ => systems::alternate_tree(8).0,
        }
    }

    #[divan::bench(args = NAMES)]
    fn orders(bencher: Bencher, name: &str) {
        let sys = system(name);
        bencher.bench_local(|| Solver::new(sys.structure.clone(), Path::Auto));
    }

    #[divan::bench(args = NAMES)]
    fn direct_factor(bencher: Bencher, name: &str) {
        let sys = system(name);
        let mut e = Elimination::new(&sys.structure);
        bencher.bench_local(|| e.factor(&sys.values).expect("positive definite"));
    }

    #[divan::bench(args = NAMES)]
    fn direct_solve(bencher: Bencher, name: &str) {
        let sys = system(name);
        let mut e = Elimination::new(&sys.structure);
        e.factor(&sys.values).expect("positive definite");
        let (b, w) = loads(&mut Rng(4), &sys);
        let (mut m, mut work) = (Motion::default(), Work::default());
        bencher.bench_local(|| e.solve(&Load { joint: &b, body: &w }, &mut m, &mut work).expect("factored"));
    }

    /// Conjugate gradients from zero, with the widest front that the preconditioner may have; 1 is the block diagonal.
    #[divan::bench(args = [1, 8, 12, 16, 24], consts = [6, 8])]
    fn pcg_of_a_tree<const LEVELS: usize>(bencher: Bencher, front: usize) {
        let (sys, pull) = systems::alternate_tree(LEVELS);
        let mut pcg =
            if front == 1 { Pcg::block_jacobi(&sys.structure) } else { Pcg::partial_exact(&sys.structure, front) };
        let load = Load { joint: &[], body: &pull };
        bencher.bench_local(|| {
            pcg.factor(&sys.values).expect("positive definite");
            pcg.solve(&sys.values, &load, &Params::default(), &mut Motion::default()).expect("definite")
        });
    }
}

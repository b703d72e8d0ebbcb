//! The reduced matrix, its load and loop rows, formed, against the dense products.

use crate::common::Rng;
use crate::linkage::dense::{self, Springs, difference};
use crate::linkage::loads;
use crate::linkage::systems::{self, System, twist};
use taut_redmax::articulated::explicit::{LowerColumns, reduced_load, reduced_rows};
use taut_redmax::articulated::{Fault, Load, Rows};

/// Both triangles, row-major.
fn whole(m: &LowerColumns) -> Vec<f64> {
    let n = m.size();
    let mut out = vec![0.0; n * n];
    for c in 0..n {
        assert_eq!(m.column(c).next().map(|e| e.0), Some(c), "the diagonal first");
        assert!(m.rows[m.starts[c]..m.starts[c + 1]].is_sorted_by(|a, b| a < b));
        for (r, x) in m.column(c) {
            out[r * n + c] = x;
            out[c * n + r] = x;
        }
    }
    out
}

fn random(seed: u64) -> (Rng, System) {
    let mut rng = Rng(seed);
    let (n, pairs) = (1 + rng.below(14), rng.below(12));
    let sys = systems::random(&mut rng, n, pairs, 1.0);
    (rng, sys)
}

#[test]
fn the_matrix_and_the_load_are_the_projected_ones() {
    let mut worst = 0.0_f64;
    for seed in 0..120 {
        let (mut rng, sys) = random(seed);
        let m = LowerColumns::new(&sys.structure, &sys.values).unwrap();
        assert_eq!(m.size(), sys.structure.dofs());
        let want: Vec<f64> = dense::reduced(&sys, Springs::Exact).a.iter().map(|x| x.value()).collect();
        worst = worst.max(difference(&whole(&m), &want));
        let (b, w) = loads(&mut rng, &sys);
        let load = Load { joint: &b, body: &w };
        let want: Vec<f64> = dense::right_side(&sys, &load).iter().map(|x| x.value()).collect();
        worst = worst.max(difference(&reduced_load(&sys.structure, &sys.values, &load).unwrap(), &want));
        // The product with the solution gives the load back.
        let y = dense::solve(&sys, &load);
        assert!(difference(&m.times(&y), &want) < 1e-9, "seed {seed}");
    }
    assert!(worst < 1e-13, "{worst:e}");
}

#[test]
fn rows_are_carried_to_the_joints_and_small_entries_left_out() {
    for seed in 0..40 {
        let (mut rng, sys) = random(500 + seed);
        let (n, mut rows) = (sys.structure.len(), Rows::default());
        for _ in 0..3 {
            let (i, j) = (rng.below(n), rng.below(n));
            rows.push(&[(i, twist(&mut rng)), (j, twist(&mut rng))], 0.0, 0.0);
        }
        for (k, row) in reduced_rows(&sys.structure, &sys.values, &rows).unwrap().iter().enumerate() {
            let mut body = vec![[0.0; 6]; n];
            for (link, g) in rows.row(k) {
                body[*link].iter_mut().zip(g).for_each(|(b, g)| *b += g);
            }
            let want = dense::right_side(&sys, &Load { joint: &[], body: &body });
            let mut got = vec![0.0; want.len()];
            row.iter().for_each(|&(d, x)| got[d] = x);
            let want: Vec<f64> = want.iter().map(|x| x.value()).collect();
            assert!(row.is_sorted_by(|a, b| a.0 < b.0) && difference(&got, &want) < 1e-13, "seed {seed}");
        }
    }
    let (_, sys) = random(3);
    let m = LowerColumns::new(&sys.structure, &sys.values).unwrap();
    let few = m.above(f64::INFINITY);
    assert_eq!((few.size(), few.values.len()), (m.size(), m.size()));
    assert_eq!(m.above(-1.0), m);
}

#[test]
fn what_does_not_fit_is_refused() {
    let (_, mut sys) = random(8);
    let mut rows = Rows::default();
    rows.push(&[(99, [0.0; 6])], 0.0, 0.0);
    let fault = reduced_rows(&sys.structure, &sys.values, &rows).unwrap_err();
    assert!(matches!(fault, Fault::Row { row: 0, link: 99, .. }), "{fault}");
    let load = Load { joint: &[0.0; 1000], body: &[] };
    let fault = reduced_load(&sys.structure, &sys.values, &load).unwrap_err();
    assert!(matches!(fault, Fault::Length { name: "load.joint", length: 1000, .. }), "{fault}");
    sys.values.arm.clear();
    let fault = LowerColumns::new(&sys.structure, &sys.values).unwrap_err();
    assert!(matches!(fault, Fault::Length { name: "arm", length: 0, .. }), "{fault}");
}

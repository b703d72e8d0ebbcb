//! The conditions of the laws, written without the solver's own maps.

use taut_solve::bounded::{Block, Problem};

/// W z + q.
pub fn velocity(p: &Problem<'_>, z: &[f64]) -> Vec<f64> {
    let n = z.len();
    (0..n).map(|i| p.q[i] + (0..n).map(|j| p.w[i * n + j] * z[j]).sum::<f64>()).collect()
}

/// z is within its bounds and cones, to rounding.
pub fn assert_admissible(p: &Problem<'_>, z: &[f64]) {
    let mut i = 0;
    for block in p.blocks {
        match *block {
            Block::Box { lo, hi } => {
                let slack = 1e-14 * z[i].abs();
                assert!(
                    z[i] >= lo - slack && z[i] <= hi + slack && z[i].is_finite(),
                    "row {i}: {} not in {lo}..{hi}",
                    z[i]
                );
            }
            Block::Span { .. } => assert!(z[i] <= 0.0 && z[i].is_finite(), "row {i}: {}", z[i]),
            Block::Contact { mu } => {
                assert!(z[i] >= 0.0 && z[i].is_finite(), "row {i}: normal impulse {}", z[i]);
                let part = |k: usize| if mu[k] > 0.0 { z[i + 1 + k] / mu[k] } else { 0.0 };
                let share = part(0).hypot(part(1));
                assert!(share <= z[i] * (1.0 + 1e-12), "row {i}: {share} above {}", z[i]);
                assert!((0..2).all(|k| mu[k] > 0.0 || z[i + 1 + k] == 0.0), "row {i}: friction without mu");
            }
        }
        i += block.rows();
    }
}

/// Signs, complementarity and maximal dissipation, each to the velocity `tolerance`, m/s.
pub fn assert_laws(p: &Problem<'_>, z: &[f64], tolerance: f64) {
    let n = z.len();
    let w = velocity(p, z);
    let one_sided = |i: usize, room: f64, w: f64| {
        // Between bounds w = 0; at the lower one w >= 0.
        assert!(w >= -tolerance, "row {i}: velocity {w}");
        let distance = room * p.w[i * n + i];
        assert!(w.min(distance) <= tolerance, "row {i}: velocity {w} with the impulse {room} from its bound");
    };
    let mut i = 0;
    for block in p.blocks {
        match *block {
            Block::Box { lo, hi } if w[i] > 0.0 => one_sided(i, if hi > lo { z[i] - lo } else { 0.0 }, w[i]),
            Block::Box { lo, hi } => one_sided(i, if hi > lo { hi - z[i] } else { 0.0 }, -w[i]),
            // Spans are judged by the rope: `bounded_chain`.
            Block::Span { .. } => {}
            Block::Contact { mu } => {
                one_sided(i, z[i], w[i]);
                // zt . wt is the least in the ellipse: -zn |(mu1 w1, mu2 w2)|.
                let rate = z[i + 1] * w[i + 1] + z[i + 2] * w[i + 2];
                let gap = rate + z[i] * (mu[0] * w[i + 1]).hypot(mu[1] * w[i + 2]);
                let bound = 4.0 * tolerance * z[i] * mu[0].max(mu[1]) + 1e-14 * rate.abs();
                assert!(gap <= bound + 1e-18, "row {i}: the friction dissipates {gap} W s too little, bound {bound}");
            }
        }
        i += block.rows();
    }
}

//! The momentum that a drift with the velocities just found misses of the one carried over, four bodies at a time:
//! ```text
//! defect = pi - I w_g - (P(w) - I w),      P(w) = exp(h w/2) I w      (`force::gyroscopic`)
//! ```
//! Bodies without it: particles, bodies with the same inertia about every axis, and those whose momentum is not carried over.

use crate::desk::Second;
use crate::desk::inputs::Given;
use crate::force::gyroscopic::drift_momentum;
use crate::math::lanes::{LANES, Number, Vec4, rotate};
use crate::math::vec3;
use crate::topology::Island;
use glam::DVec3;
use taut_lanes::{WideKernel, each};

/// Writes the momentum defect of every body into `correction`; returns its largest relative change.
pub(crate) fn momentum_defect(
    t: &Given<'_>,
    island: &Island,
    h: f64,
    round: usize,
    x: &[f64],
    second: &mut Second,
) -> f64 {
    taut_lanes::run_wide(Defects { t, island, h, round, x, second })
}

struct Defects<'a> {
    t: &'a Given<'a>,
    island: &'a Island,
    h: f64,
    round: usize,
    x: &'a [f64],
    second: &'a mut Second,
}

impl WideKernel for Defects<'_> {
    type Out = f64;

    #[inline(always)]
    fn run<F: Number>(mut self) -> f64 {
        let (mut batch, mut filled, mut change) = ([0; LANES], 0, 0.0_f64);
        for n in self.island.nodes.clone() {
            let node = &self.t.nodes[n];
            let carried = !self.t.inputs.momentum[n].is_nan();
            if node.dim == 3 || node.isotropic || !(self.second.body_weight[n] > 0.0) || !carried {
                self.second.correction[n] = DVec3::ZERO;
                continue;
            }
            batch[filled] = n;
            filled += 1;
            if filled == LANES {
                filled = 0;
                change = change.max(self.side_by_side::<F>(batch));
            }
        }
        if filled > 0 {
            // The last one stands in for those that are missing.
            let last = batch[filled - 1];
            batch[filled..].fill(last);
            change = change.max(self.side_by_side::<F>(batch));
        }
        change
    }
}

impl Defects<'_> {
    /// The largest change among four bodies.
    #[inline(always)]
    fn side_by_side<F: Number>(&mut self, batch: [usize; LANES]) -> f64 {
        let Defects { t, h, round, x, .. } = *self;
        let (inputs, second) = (t.inputs, &mut *self.second);
        let w = Vec4::<F>::of(each!(n in batch => vec3(x, t.nodes[n].x + 3)));
        let columns = [
            Vec4::of(each!(n in batch => inputs.inertia[n].x_axis)),
            Vec4::of(each!(n in batch => inputs.inertia[n].y_axis)),
            Vec4::of(each!(n in batch => inputs.inertia[n].z_axis)),
        ];
        let known = Vec4::of(each!(n in batch => inputs.momentum[n]))
            - times(&columns, Vec4::of(each!(n in batch => inputs.omega_g[n])));
        let (turn, lw) = (w * (0.5 * h), times(&columns, w));
        let mut moved = rotate(turn, lw);
        let turn2 = turn.dot(turn).array();
        if turn2.iter().any(|&t| !(t < 1.0)) {
            // Beyond the reach of the series.
            moved = Vec4::of(each!(n in batch => drift_momentum(inputs.inertia[n], vec3(x, t.nodes[n].x + 3), h)));
        }
        let defect = known - (moved - lw);
        let old = if round == 0 { [DVec3::ZERO; LANES] } else { each!(n in batch => second.correction[n]) };
        let apart = defect - Vec4::of(old);
        let weight = F::of(each!(n in batch => second.body_weight[n]));
        let size = F::of(each!(n in batch => t.nodes[n].size));
        let least = F::of(each!(n in batch => t.nodes[n].mass)) * 1e-9 * size * size;
        let change = weight * apart.dot(apart).sqrt() / (lw.dot(lw).sqrt() + least);
        for (n, defect) in batch.into_iter().zip(defect.array()) {
            second.correction[n] = defect;
        }
        change.array().into_iter().fold(0.0, f64::max)
    }
}

/// Products of four matrices, of which these are the columns, with vectors.
#[inline(always)]
fn times<F: Number>(columns: &[Vec4<F>; 3], v: Vec4<F>) -> Vec4<F> {
    columns[0] * v.x + columns[1] * v.y + columns[2] * v.z
}

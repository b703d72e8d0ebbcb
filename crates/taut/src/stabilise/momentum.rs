//! The momentum that a drift with the velocities just found misses of the one carried over, four bodies at a time:
//! ```text
//! defect = pi - I w_g - (P(w) - I w),      P(w) = exp(h w/2) I w      (`force::gyroscopic`)
//! ```
//! Bodies without it: particles, bodies with the same inertia about every axis, and those whose momentum is not carried over.

use crate::desk::Second;
use crate::desk::inputs::Given;
use crate::force::gyroscopic::drift_momentum;
use crate::math::lanes::{LANES, Mask, Mat4, Number, Vec4, rotate, vec4};
use crate::math::vec3;
use crate::topology::{Island, Node};
use glam::{DMat3, DVec3};
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
    fn run<F: Number>(self) -> f64 {
        let Defects { t, island, h, round, x, second } = self;
        let (end, inputs) = (island.nodes.end, t.inputs);
        // All of one length: a body is checked once.
        let mut bodies = Bodies {
            nodes: &t.nodes[..end],
            inertia: &inputs.inertia[..end],
            momentum: &inputs.momentum[..end],
            omega_g: &inputs.omega_g[..end],
            weight: &second.body_weight[..end],
            correction: &mut second.correction[..end],
        };
        let (mut batch, mut filled, mut change) = ([0; LANES], 0, 0.0_f64);
        for n in island.nodes.clone() {
            let (node, carried) = (&bodies.nodes[n], !bodies.momentum[n].is_nan());
            if node.dim == 3 || node.isotropic || !(bodies.weight[n] > 0.0) || !carried {
                bodies.correction[n] = DVec3::ZERO;
                continue;
            }
            batch[filled] = n;
            filled += 1;
            if filled == LANES {
                filled = 0;
                change = change.max(bodies.side_by_side::<F>(batch, (h, round), x));
            }
        }
        if filled > 0 {
            // The last one stands in for those that are missing.
            let last = batch[filled - 1];
            batch[filled..].fill(last);
            change = change.max(bodies.side_by_side::<F>(batch, (h, round), x));
        }
        change
    }
}

/// What is known of the bodies, and what is found.
struct Bodies<'a> {
    nodes: &'a [Node],
    inertia: &'a [DMat3],
    momentum: &'a [DVec3],
    omega_g: &'a [DVec3],
    weight: &'a [f64],
    correction: &'a mut [DVec3],
}

impl Bodies<'_> {
    /// The largest change among four bodies.
    #[inline(always)]
    fn side_by_side<F: Number>(&mut self, batch: [usize; LANES], (h, round): (f64, usize), x: &[f64]) -> f64 {
        let Bodies { nodes, inertia, momentum, omega_g, weight, correction } = self;
        let w = vec4::<F>(x, each!(n in batch => nodes[n].x + 3));
        let columns = [
            Vec4::get(each!(n in batch => &inertia[n].x_axis)),
            Vec4::get(each!(n in batch => &inertia[n].y_axis)),
            Vec4::get(each!(n in batch => &inertia[n].z_axis)),
        ];
        let inertias = Mat4(columns);
        let mut drift = Drift::of(&inertias, w, h);
        if !drift.near.all() {
            // Beyond the reach of the series.
            drift.moved = Vec4::of(each!(n in batch => drift_momentum(inertia[n], vec3(x, nodes[n].x + 3), h)));
        }
        let carried = Vec4::get(each!(n in batch => &momentum[n]));
        let defect = drift.misses(carried, inertias.times(Vec4::get(each!(n in batch => &omega_g[n]))));
        let apart = if round == 0 { defect } else { defect - Vec4::get(each!(n in batch => &correction[n])) };
        let weight = F::of(each!(n in batch => weight[n]));
        let size = F::of(each!(n in batch => nodes[n].size));
        let change = drift.change(weight, apart, F::of(each!(n in batch => nodes[n].mass)), size);
        for (n, defect) in batch.into_iter().zip(defect.array()) {
            correction[n] = defect;
        }
        change.array().into_iter().fold(0.0, f64::max)
    }
}

/// Drifts of four bodies with the angular velocities w: I w, and P(w) where the turn is within reach of the series.
pub(crate) struct Drift<F: Number> {
    pub lw: Vec4<F>,
    pub moved: Vec4<F>,
    pub near: F::Which,
}

impl<F: Number> Drift<F> {
    #[inline(always)]
    pub fn of(inertia: &Mat4<F>, w: Vec4<F>, h: f64) -> Self {
        let (turn, lw) = (w * (0.5 * h), inertia.times(w));
        Drift { lw, moved: rotate(turn, lw), near: turn.dot(turn).below(F::all(1.0)) }
    }

    /// What they miss of the momentum carried over, with I w_g.
    #[inline(always)]
    pub fn misses(&self, carried: Vec4<F>, kicked: Vec4<F>) -> Vec4<F> {
        (carried - kicked) - (self.moved - self.lw)
    }

    /// The relative change of a defect that is `apart` from the one before, of bodies of this mass and size.
    #[inline(always)]
    pub fn change(&self, weight: F, apart: Vec4<F>, mass: F, size: F) -> F {
        let least = mass * 1e-9 * size * size;
        weight * apart.dot(apart).sqrt() / (self.lw.dot(self.lw).sqrt() + least)
    }
}

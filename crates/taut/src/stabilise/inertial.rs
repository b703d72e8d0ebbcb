//! Adaptive inertial damping: M~ = M + h B, B diagonal from the column norms of K~ (Andrews 2017 section 4.2, Eq. 11-13).

use super::{criterion, geometric};
use crate::desk::Stabilised;
use crate::desk::inputs::Given;
use crate::options::InertialDamping;
use crate::topology::Island;

/// Writes h B into `damping`, from the multipliers `lambda`.
pub(crate) fn evaluate(
    t: &Given<'_>,
    island: &Island,
    d: InertialDamping,
    h: f64,
    lambda: &[f64],
    out: &mut Stabilised,
) {
    geometric::evaluate(t, island, lambda, &mut out.geo);
    let norms = &mut out.damping;
    norms.resize(t.pattern.size(), 0.0);
    geometric::column_norms(t, island, &out.geo, norms);
    for n in island.nodes.clone() {
        let node = &t.nodes[n];
        for c in 0..node.dim {
            let angular = c >= 3;
            let m = if angular { t.inputs.inertia[n].col(c - 3)[c - 3] } else { node.mass };
            let skip = d.angular_only && !angular && node.dim == 6;
            norms[node.x + c] =
                if skip { 0.0 } else { h * criterion::damping(m, norms[node.x + c], h, d.alpha, d.theta) };
        }
    }
}

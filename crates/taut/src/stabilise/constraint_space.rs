//! Adaptive damping of the rows (Andrews 2017 section 4.3, 4.4).
//! ```text
//! m' = 1/(J M^-1 J^T)      k' = m'^2 (J M^-1 K_d M^-1 J^T)      B' = b(m', k', h, alpha)
//! ```
//! Departs from the paper: its k' = (J K_d^-1 J^T)^-1 is zero whenever one entry of K_d is, as for every ball joint; the
//! Rayleigh quotient needs no inverse of K_d, equals the paper's k' where K_d is proportional to M and is never below it.
//! Rows without compliance are not touched: damping has no effect on them.

use super::{criterion, geometric};
use crate::constraint::Geo;
use crate::desk::Law;
use crate::desk::inputs::Given;
use crate::rows;
use crate::topology::{Island, NONE};
use crate::tuning::T;
use glam::DVec3;

/// Adds B' to the damping of every compliant row and sets its Sigma and Gamma.
pub(crate) fn evaluate(
    t: &Given<'_>,
    island: &Island,
    alpha: f64,
    h: f64,
    (lambda, geo): (&[f64], &mut Vec<Geo>),
    law: &mut Law,
) {
    geometric::evaluate(t, island, lambda, geo);
    law.has_added_damping = true;
    law.added_damping.resize(t.all_rows(), 0.0);
    let mut norms = vec![0.0; t.pattern.size()];
    geometric::column_norms(t, island, geo, &mut norms);
    for g in &t.groups[island.groups.clone()] {
        for r in 0..g.rows() {
            let row = g.row() + r;
            if t.inputs.rows.compliance(row) == 0.0 || t.inputs.rows.is_motor(row) || t.inputs.rows.is_rotor(row) {
                continue;
            }
            let (mut mobility, mut work) = (0.0, 0.0);
            for (b, at) in [(g.i(), g.jac_i()), (g.j(), g.jac_j())] {
                if at == NONE {
                    continue;
                }
                let node = &t.nodes[b];
                let j = &t.inputs.rows.jac[at + r * node.dim..at + (r + 1) * node.dim];
                let mut v = [0.0; 6];
                for c in 0..3 {
                    v[c] = j[c] / node.mass;
                }
                if node.dim == 6 {
                    let a = t.inputs.inertia[b].inverse() * DVec3::new(j[3], j[4], j[5]);
                    v[3..].copy_from_slice(&a.to_array());
                }
                for c in 0..node.dim {
                    mobility += j[c] * v[c];
                    work += v[c] * v[c] * norms[node.x + c];
                }
            }
            let m = 1.0 / mobility;
            let added = criterion::damping(m, m * m * work, h, alpha, 0.5);
            law.added_damping[row] = added;
            let (sigma, gamma) = rows::law(t.inputs.rows.compliance(row), t.inputs.rows.damping(row) + added, 1.0, h);
            // The give of a redundant joint stays.
            let redundant = law.redundant[g.island()] && g.closes_loop;
            let floor = if redundant { T.rows.redundant * t.inputs.rows.mobility[g.x() + r] } else { 0.0 };
            (law.sigma[row], law.gamma[row]) = (sigma.max(floor), gamma);
        }
    }
}

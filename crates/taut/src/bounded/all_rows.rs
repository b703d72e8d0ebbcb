//! The rows of joints as bounded rows without bounds, for `Solver::Pgs`: then sweeps have to close the joints too, as in engines that
//! iterate on all rows. For comparison only.

use super::gather::{nodes, unit};
use crate::delassus::Row;
use crate::desk::bounded::{Candidate, Candidates, Origin};
use crate::rows::Rows;
use crate::solve::bounded::Block;
use crate::topology::{NONE, Topology};
use glam::DVec3;

/// Adds every row of every joint.
pub(super) fn gather(t: &Topology, (h, gravity): (f64, DVec3), hk: &[f64], rows: &Rows, out: &mut Candidates) {
    for (group, g) in t.groups.iter().enumerate() {
        let hk = hk[g.island()];
        for r in 0..g.rows() {
            let mut row =
                Row { sigma: rows.sigma[g.row() + r] * h / hk, z: hk * rows.lambda[g.row() + r], ..Row::default() };
            for (n, at, side, jac) in
                [(g.i(), g.jac_i(), &mut row.i, &mut row.ji), (g.j(), g.jac_j(), &mut row.j, &mut row.jj)]
            {
                if at != NONE {
                    let dim = t.nodes[n].dim;
                    *side = n;
                    jac[..dim].copy_from_slice(&rows.jac[at + r * dim..at + (r + 1) * dim]);
                }
            }
            if g.angular >> r & 1 == 0 {
                row.unit = unit(t, gravity, nodes(&row), if g.reach.is_finite() { g.reach } else { 0.0 });
            }
            let law = Block::Box { lo: f64::NEG_INFINITY, hi: f64::INFINITY };
            let at = out.rows.len();
            out.rows.push(row);
            let origin = Origin::Block { group, row: r };
            out.list.push(Candidate { origin, law, row: at, restitution: 0.0, active: true, cluster: NONE });
        }
    }
}

/// What the rows aim at: their right-hand sides stand in their places in the free solution.
pub(crate) fn aim(t: &Topology, candidates: &[Candidate], free: &[f64], rows: &mut [Row]) {
    for c in candidates {
        if let Origin::Block { group, row } = c.origin {
            rows[c.row].b = free[t.groups[group].x() + row];
        }
    }
}

/// Writes their impulses where a factorised solve would have left them.
pub(crate) fn write(t: &Topology, candidates: &[Candidate], rows: &[Row], x: &mut [f64]) {
    for c in candidates {
        if let Origin::Block { group, row } = c.origin {
            x[t.groups[group].x() + row] = -rows[c.row].z;
        }
    }
}

//! The geometric stiffness of every joint from the last multipliers, K~ = d(J^T lambda)/dx (Andrews 2017 Eq. 1, Tournier 2015).
//! The matrix uses M~ = M - h^2 K~ (Full) or its symmetric part (Symmetric); the dampers read its column norms.

use crate::constraint::Geo;
use crate::desk::inputs::Given;
#[cfg(feature = "study")]
use crate::system::kkt;
use crate::topology::{Island, Topology};

/// Writes K~ of the groups of one island.
pub(crate) fn evaluate(t: &Given<'_>, island: &Island, lambda: &[f64], out: &mut Vec<Geo>) {
    out.resize(t.groups.len(), [[0.0; 12]; 12]);
    for k in island.groups.clone() {
        let g = &t.groups[k];
        let (i, j) = (t.inputs.kin[g.i()].side(), t.inputs.kin[g.j()].side());
        let geo = &mut out[k];
        *geo = [[0.0; 12]; 12];
        let mut r = g.row();
        for spec in &t.prims[g.prims().clone()] {
            let n = spec.primitive.rows();
            spec.primitive.stiff_geo(&i, &j, &lambda[r..r + n], geo);
            r += n;
        }
    }
}

/// Norms of the columns of the assembled K~, per unknown (Andrews 2017 Eq. 12).
pub(crate) fn column_norms(t: &Topology, island: &Island, geo: &[Geo], out: &mut [f64]) {
    // Diagonal blocks add up before the norm; each joint has its own off-diagonal block.
    let mut diag = vec![[[0.0; 6]; 6]; island.nodes.len()];
    out[island.x.clone()].fill(0.0);
    for k in island.groups.clone() {
        let g = &t.groups[k];
        for (slot, other, b, o) in [(0, 6, g.i(), g.j()), (6, 0, g.j(), g.i())] {
            if !t.is_node(b) {
                continue;
            }
            let n = &t.nodes[b];
            for c in 0..n.dim {
                for r in 0..n.dim {
                    diag[b - island.nodes.start][r][c] += geo[k][slot + r][slot + c];
                }
                if t.is_node(o) {
                    out[n.x + c] += (0..t.nodes[o].dim).map(|r| square(geo[k][other + r][slot + c])).sum::<f64>();
                }
            }
        }
    }
    for (n, d) in island.nodes.clone().zip(&diag) {
        let node = &t.nodes[n];
        for c in 0..node.dim {
            out[node.x + c] = (out[node.x + c] + (0..node.dim).map(|r| square(d[r][c])).sum::<f64>()).sqrt();
        }
    }
}

/// v^T K~ v / 2 at the present velocities (Andrews 2017 section 4.2).
#[cfg(feature = "study")]
pub(crate) fn work(t: &Given<'_>, island: &Island, geo: &[Geo]) -> f64 {
    let mut sum = 0.0;
    for k in island.groups.clone() {
        let g = &t.groups[k];
        let mut v = [0.0; 12];
        for (slot, b) in [(0, g.i()), (6, g.j())] {
            if t.is_node(b) {
                let dim = t.nodes[b].dim;
                v[slot..slot + dim].copy_from_slice(&t.inputs.kin[b].twist()[..dim]);
            }
        }
        for (row, a) in geo[k].iter().zip(v) {
            sum += 0.5 * a * row.iter().zip(v).map(|(k, b)| k * b).sum::<f64>();
        }
    }
    sum
}

fn square(x: f64) -> f64 {
    x * x
}

/// M - h^2 K~ over the node unknowns of an island, dense and row-major (Andrews 2017 Eq. 2).
#[cfg(feature = "study")]
pub(crate) fn dense_mass(t: &Given<'_>, island: &Island, geo: &[Geo], h2: f64) -> Vec<f64> {
    let mut at = vec![0; island.nodes.len() + 1];
    for (k, n) in island.nodes.clone().enumerate() {
        at[k + 1] = at[k] + t.nodes[n].dim;
    }
    let size = at[island.nodes.len()];
    let mut m = vec![0.0; size * size];
    for (k, n) in island.nodes.clone().enumerate() {
        let node = &t.nodes[n];
        let mut block = [0.0; 36];
        let (mass, inertia) = kkt::mass_block(t, t.inputs.hk[node.island], n, &t.inputs.inertia, &[], 0.0);
        kkt::put_mass(node.dim, mass, inertia, &mut block);
        for r in 0..node.dim {
            m[(at[k] + r) * size + at[k]..][..node.dim].copy_from_slice(&block[r * node.dim..(r + 1) * node.dim]);
        }
    }
    for k in island.groups.clone() {
        let g = &t.groups[k];
        for (row, a) in [(0, g.i()), (6, g.j())] {
            for (col, b) in [(0, g.i()), (6, g.j())] {
                if !t.is_node(a) || !t.is_node(b) {
                    continue;
                }
                let (ra, rb) = (at[a - island.nodes.start], at[b - island.nodes.start]);
                for r in 0..t.nodes[a].dim {
                    for c in 0..t.nodes[b].dim {
                        m[(ra + r) * size + rb + c] -= h2 * geo[k][row + r][col + c];
                    }
                }
            }
        }
    }
    m
}

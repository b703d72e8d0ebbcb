//! The reduced system (Andrews 2017 Eq. 3), dense, from the blocks of the whole matrix:
//! (Sigma + J M~^-1 J^T)(h lambda+) = -Gamma phi/h - J M~^-1 (M v + h f),   v+ = M~^-1 (M v + h f + J^T h lambda+).

use crate::topology::{Island, Topology};

/// Positions of node unknowns and of rows inside an island.
pub(crate) fn split(t: &Topology, island: &Island) -> (Vec<usize>, Vec<usize>) {
    let x0 = island.x.start;
    let nodes = t.nodes[island.nodes.clone()].iter().flat_map(|n| n.x - x0..n.x - x0 + n.dim).collect();
    let rows = t.groups[island.groups.clone()].iter().flat_map(|g| g.x() - x0..g.x() - x0 + g.rows()).collect();
    (nodes, rows)
}

/// The square of `matrix` (n wide) with the given rows and columns.
pub(crate) fn extract(matrix: &[f64], n: usize, rows: &[usize], cols: &[usize]) -> Vec<f64> {
    rows.iter().flat_map(|&r| cols.iter().map(move |&c| matrix[r * n + c])).collect()
}

/// Sigma + J Minv J^T, given `sigma` as the row block -Sigma of the matrix, J (rows x nodes) and a dense Minv.
pub(crate) fn reduced(minus_sigma: &[f64], jac: &[f64], inverse: &[f64], rows: usize, nodes: usize) -> Vec<f64> {
    let mut jm = vec![0.0; rows * nodes];
    for r in 0..rows {
        for k in 0..nodes {
            let j = jac[r * nodes + k];
            if j != 0.0 {
                let (out, from) = (&mut jm[r * nodes..(r + 1) * nodes], &inverse[k * nodes..(k + 1) * nodes]);
                for (o, &f) in out.iter_mut().zip(from) {
                    *o += j * f;
                }
            }
        }
    }
    let mut s = vec![0.0; rows * rows];
    for r in 0..rows {
        for c in 0..rows {
            let dot: f64 =
                jm[r * nodes..(r + 1) * nodes].iter().zip(&jac[c * nodes..(c + 1) * nodes]).map(|(a, b)| a * b).sum();
            s[r * rows + c] = dot - minus_sigma[r * rows + c];
        }
    }
    s
}

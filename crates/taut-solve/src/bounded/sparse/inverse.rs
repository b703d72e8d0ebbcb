//! The blocks of K^-1 in the places where the factor has blocks (Takahashi 1973), from the block LDL^T of K.
//!
//! From the last block to the first, with S_k = L d L^T the pivot and W_a = L^-1 B_a the couplings to later blocks:
//! ```text
//! G_a = L^-T d^-1 W_a,     Z_kb = - sum over a of G_a Z_ab,     Z_kk = S_k^-1 - sum over a of Z_ka G_a^T
//! ```

use crate::block::matrix::Pattern;
use crate::block_ldlt::{BlockLdlt, MAX_DIM, lower, upper};

/// Blocks of the inverse, laid out as the matrix.
#[derive(Clone, Debug, Default)]
pub(super) struct SelectedInverse {
    pub diag: Vec<f64>,
    /// Z_ka, pivot-major.
    pub off: Vec<f64>,
    /// G of one block.
    g: Vec<f64>,
}

impl SelectedInverse {
    /// Reads the factor.
    pub(super) fn find(&mut self, p: &Pattern, f: &BlockLdlt) {
        self.diag.resize(p.diag_len, 0.0);
        self.off.resize(p.off_len, 0.0);
        for k in (0..p.blocks()).rev() {
            let d = p.dims[k];
            let pivot = &f.diag[p.diag[k]..p.diag[k] + d * d];
            invert(pivot, d, &mut self.diag[p.diag[k]..p.diag[k] + d * d]);
            let neighbours = p.of(k);
            let Some(&(_, first)) = neighbours.first() else { continue };
            let own: usize = neighbours.iter().map(|&(a, _)| d * p.dims[a]).sum();
            self.g.clear();
            self.g.extend_from_slice(&f.off[first..first + own]);
            for &(a, at) in neighbours {
                columns(pivot, d, p.dims[a], &mut self.g[at - first..at - first + d * p.dims[a]]);
            }
            self.couplings(p, k, first);
            for &(a, at) in neighbours {
                let da = p.dims[a];
                let (g, z) = (&self.g[at - first..at - first + d * da], &self.off[at..at + d * da]);
                let out = &mut self.diag[p.diag[k]..p.diag[k] + d * d];
                for r in 0..d {
                    for c in 0..d {
                        for q in 0..da {
                            out[r * d + c] -= z[r * da + q] * g[c * da + q];
                        }
                    }
                }
            }
        }
    }

    /// Z_kb for all later b.
    fn couplings(&mut self, p: &Pattern, k: usize, first: usize) {
        let (d, list) = (p.dims[k], p.of(k));
        for (j, &(b, at_b)) in list.iter().enumerate() {
            let db = p.dims[b];
            let (own, later) = self.off.split_at_mut(at_b + d * db);
            let out = &mut own[at_b..];
            out.fill(0.0);
            for (i, &(a, at_a)) in list.iter().enumerate() {
                let da = p.dims[a];
                let g = &self.g[at_a - first..at_a - first + d * da];
                let pair = |i: usize, j: usize| p.pairs[p.pair_start[k] + i * (2 * list.len() - i - 1) / 2 + j - i - 1];
                // Entry (q, c) of Z_ab and the steps between entries.
                let (z, rows, columns) = match i.cmp(&j) {
                    std::cmp::Ordering::Equal => (&self.diag[p.diag[a]..], da, 1),
                    std::cmp::Ordering::Less => (&later[pair(i, j) - at_b - d * db..], db, 1),
                    std::cmp::Ordering::Greater => (&later[pair(j, i) - at_b - d * db..], 1, da),
                };
                for r in 0..d {
                    for q in 0..da {
                        let s = g[r * da + q];
                        for c in 0..db {
                            out[r * db + c] -= s * z[q * rows + c * columns];
                        }
                    }
                }
            }
        }
    }
}

/// S^-1 of a factorised pivot.
fn invert(pivot: &[f64], d: usize, out: &mut [f64]) {
    for c in 0..d {
        let mut e = [0.0; MAX_DIM];
        e[c] = 1.0;
        lower(pivot, d, &mut e);
        upper(pivot, d, &mut e);
        for r in 0..d {
            out[r * d + c] = e[r];
        }
    }
}

/// L^-T d^-1 of every column of a d x da block, in place.
fn columns(pivot: &[f64], d: usize, da: usize, w: &mut [f64]) {
    for c in 0..da {
        let mut e = [0.0; MAX_DIM];
        for r in 0..d {
            e[r] = w[r * da + c];
        }
        upper(pivot, d, &mut e);
        for r in 0..d {
            w[r * da + c] = e[r];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block_ldlt::Signs;

    #[test]
    fn blocks_are_those_of_the_inverse() {
        let p = Pattern::new(vec![3, 1, 3, 6, 2], &[(0, 1), (1, 2), (0, 3), (2, 4), (3, 4)]);
        let mut m = BlockLdlt::new(&p);
        let is_row = vec![false, true, false, false, true];
        for k in 0..p.blocks() {
            let d = p.dims[k];
            for r in 0..d {
                m.diag[p.diag[k] + r * d + r] = if is_row[k] { -0.1 } else { 2.0 + r as f64 };
            }
        }
        for &(a, b) in &[(0, 1), (1, 2), (0, 3), (2, 4), (3, 4)] {
            let at = p.coupling(a, b).unwrap();
            for q in 0..p.dims[a] * p.dims[b] {
                m.off[at + q] = 0.3 * ((q * 7 + 3 * a + b) % 5) as f64 - 0.5;
            }
        }
        let signs = Signs { is_row, has_loops: false };
        m.factor(&p, &signs, 0..p.blocks()).unwrap();
        let mut z = SelectedInverse::default();
        z.find(&p, &m);
        for k in 0..p.blocks() {
            for r in 0..p.dims[k] {
                let mut x = vec![0.0; p.size()];
                x[p.row[k] + r] = 1.0;
                m.solve(&p, 0..p.blocks(), &mut x);
                let d = p.dims[k];
                for c in 0..d {
                    assert!((z.diag[p.diag[k] + r * d + c] - x[p.row[k] + c]).abs() < 1e-13);
                }
                for &(a, at) in p.of(k) {
                    for c in 0..p.dims[a] {
                        assert!((z.off[at + r * p.dims[a] + c] - x[p.row[a] + c]).abs() < 1e-13);
                    }
                }
            }
        }
    }
}

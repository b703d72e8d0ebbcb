//! Block LU without pivoting of a block matrix with a symmetric pattern and unsymmetric values.
//!
//! For each block k in elimination order, with couplings B_a = (k, a) and C_a = (a, k) to later blocks a:
//! ```text
//! D_k = L U,   Y_a = L^-1 B_a,   X_a^T = C_a U^-1,   D_a -= X_a^T Y_a,   B_ab -= X_a^T Y_b,   C_ab^T -= Y_a^T X_b  (a < b)
//! ```
//! X is stored transposed, in the places of Y. Loop rows are dropped as in `block_ldlt`. Nothing else is known about the signs of
//! the pivots: a pivot that is zero beside the largest entry that its block had is an error.

use super::block_ldlt::{Breakdown, FactorInfo, couple, lower, substitute};
use crate::block::matrix::Pattern;
use crate::tuning::T;

/// Values of the matrix, overwritten by its factors.
#[derive(Clone, Debug, Default)]
pub struct BlockLu {
    /// Diagonal blocks, row-major. After the factorisation: L below, 1/u on the diagonal, U above.
    pub diag: Vec<f64>,
    /// Blocks (k, a) with a later, pivot-major. After the factorisation: Y.
    pub upper: Vec<f64>,
    /// Transposes of the blocks (a, k), pivot-major. After the factorisation: X.
    pub lower: Vec<f64>,
    /// Mobility of each loop row by scalar index; zero for rows that may not be dropped.
    pub reference: Vec<f64>,
}

impl BlockLu {
    /// Makes room for a pattern; values are left as they are.
    pub fn resize(&mut self, p: &Pattern) {
        self.diag.resize(p.diag_len, 0.0);
        self.upper.resize(p.off_len, 0.0);
        self.lower.resize(p.off_len, 0.0);
        self.reference.resize(p.size(), 0.0);
    }

    /// Factorises in place.
    pub fn factor(&mut self, p: &Pattern) -> Result<FactorInfo, Breakdown> {
        let mut info = FactorInfo::default();
        for k in 0..p.blocks() {
            let d = p.dims[k];
            let (pivot, later_diag) = self.diag[p.diag[k]..].split_at_mut(d * d);
            let reference = &self.reference[p.row[k]..p.row[k] + d];
            let made = match d {
                6 => scalar_lu(pivot, 6, reference, &mut info),
                3 => scalar_lu(pivot, 3, reference, &mut info),
                _ => scalar_lu(pivot, d, reference, &mut info),
            };
            made.map_err(|(row, pivot)| Breakdown { block: k, row, pivot })?;
            let neighbours = p.of(k);
            let Some(&(_, first)) = neighbours.first() else { continue };
            let own: usize = neighbours.iter().map(|&(a, _)| d * p.dims[a]).sum();
            let (y, later_upper) = self.upper[first..].split_at_mut(own);
            let (x, later_lower) = self.lower[first..].split_at_mut(own);
            for &(a, at) in neighbours {
                let (da, range) = (p.dims[a], at - first..at - first + d * p.dims[a]);
                match (d, da) {
                    (6, 6) => solve_sides(pivot, 6, &mut y[range.clone()], &mut x[range], 6),
                    _ => solve_sides(pivot, d, &mut y[range.clone()], &mut x[range], da),
                }
            }
            let base = Base { diag: p.diag[k] + d * d, off: first + own, first, pairs: p.pair_start[k] };
            update(p, k, base, (y, x), (later_diag, later_upper, later_lower));
        }
        Ok(info)
    }

    /// Solves for one right-hand side in place.
    pub fn solve(&self, p: &Pattern, x: &mut [f64]) {
        for k in 0..p.blocks() {
            let d = p.dims[k];
            let (head, tail) = x.split_at_mut(p.row[k] + d);
            let r = &mut head[p.row[k]..];
            let pivot = &self.diag[p.diag[k]..p.diag[k] + d * d];
            lower(pivot, d, r);
            let base = p.row[k] + d;
            for &(a, at) in p.of(k) {
                let (da, target) = (p.dims[a], &mut tail[p.row[a] - base..p.row[a] - base + p.dims[a]]);
                match (d, da) {
                    (6, 6) => push(6, &self.lower[at..at + 36], 6, r, target),
                    _ => push(d, &self.lower[at..at + d * da], da, r, target),
                }
            }
        }
        for k in (0..p.blocks()).rev() {
            let d = p.dims[k];
            let (head, tail) = x.split_at_mut(p.row[k] + d);
            let r = &mut head[p.row[k]..];
            let base = p.row[k] + d;
            for &(a, at) in p.of(k) {
                let (da, later) = (p.dims[a], &tail[p.row[a] - base..p.row[a] - base + p.dims[a]]);
                match (d, da) {
                    (6, 6) => pull(6, &self.upper[at..at + 36], 6, r, later),
                    _ => pull(d, &self.upper[at..at + d * da], da, r, later),
                }
            }
            let pivot = &self.diag[p.diag[k]..p.diag[k] + d * d];
            for i in (0..d).rev() {
                for j in i + 1..d {
                    r[i] -= pivot[i * d + j] * r[j];
                }
                r[i] *= pivot[i * d + i];
            }
        }
    }
}

/// Where the values behind block k start.
struct Base {
    diag: usize,
    off: usize,
    first: usize,
    pairs: usize,
}

/// Adds what the elimination of block k leaves to the later blocks.
fn update(p: &Pattern, k: usize, base: Base, (y, x): (&[f64], &[f64]), later: (&mut [f64], &mut [f64], &mut [f64])) {
    let (diag, upper, lower) = later;
    let (d, neighbours, mut pair) = (p.dims[k], p.of(k), base.pairs);
    for (i, &(a, at)) in neighbours.iter().enumerate() {
        let da = p.dims[a];
        let own = at - base.first..at - base.first + d * da;
        let (ya, xa) = (&y[own.clone()], &x[own]);
        let target = &mut diag[p.diag[a] - base.diag..p.diag[a] - base.diag + da * da];
        match (d, da) {
            (6, 6) => couple(6, xa, 6, ya, 6, target),
            _ => couple(d, xa, da, ya, da, target),
        }
        for &(b, at_b) in &neighbours[i + 1..] {
            let db = p.dims[b];
            let own = at_b - base.first..at_b - base.first + d * db;
            let to = p.pairs[pair] - base.off..p.pairs[pair] - base.off + da * db;
            pair += 1;
            match (d, da, db) {
                (6, 6, 6) => {
                    couple(6, xa, 6, &y[own.clone()], 6, &mut upper[to.clone()]);
                    couple(6, ya, 6, &x[own], 6, &mut lower[to]);
                }
                _ => {
                    couple(d, xa, da, &y[own.clone()], db, &mut upper[to.clone()]);
                    couple(d, ya, da, &x[own], db, &mut lower[to]);
                }
            }
        }
    }
}

/// LU of one block: L below the diagonal, U above, reciprocal pivots on it.
#[inline(always)]
fn scalar_lu(a: &mut [f64], d: usize, reference: &[f64], info: &mut FactorInfo) -> Result<(), (usize, f64)> {
    let a = &mut a[..d * d];
    let size = a.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    for j in 0..d {
        let pivot = a[j * d + j];
        if reference[j] > 0.0 {
            let relative = pivot.abs() / reference[j];
            info.smallest_pivot = info.smallest_pivot.min(relative);
            if relative < T.factor.noise {
                // Redundant: no multiplier, no coupling.
                info.dropped += 1;
                a[j * d + j] = 0.0;
                for i in j + 1..d {
                    a[i * d + j] = 0.0;
                }
                continue;
            }
        }
        if !pivot.is_finite() || pivot.abs() <= T.factor.zero * size {
            return Err((j, pivot));
        }
        let inverse = 1.0 / pivot;
        a[j * d + j] = inverse;
        for i in j + 1..d {
            let l = a[i * d + j] * inverse;
            a[i * d + j] = l;
            for q in j + 1..d {
                a[i * d + q] -= l * a[j * d + q];
            }
        }
    }
    Ok(())
}

/// Y = L^-1 B and X = U^-T C^T in place.
#[inline(always)]
fn solve_sides(pivot: &[f64], d: usize, y: &mut [f64], x: &mut [f64], da: usize) {
    substitute(pivot, d, y, da);
    let (pivot, x) = (&pivot[..d * d], &mut x[..d * da]);
    for i in 0..d {
        let (done, rest) = x.split_at_mut(i * da);
        let row = &mut rest[..da];
        for j in 0..i {
            let u = pivot[j * d + i];
            let from = &done[j * da..(j + 1) * da];
            for q in 0..da {
                row[q] -= u * from[q];
            }
        }
        let inverse = pivot[i * d + i];
        for v in row {
            *v *= inverse;
        }
    }
}

/// target -= X^T r.
#[inline(always)]
fn push(d: usize, x: &[f64], da: usize, r: &[f64], target: &mut [f64]) {
    let (x, r, target) = (&x[..d * da], &r[..d], &mut target[..da]);
    for k in 0..d {
        for q in 0..da {
            target[q] -= r[k] * x[k * da + q];
        }
    }
}

/// r -= Y later.
#[inline(always)]
fn pull(d: usize, y: &[f64], da: usize, r: &mut [f64], later: &[f64]) {
    let (y, r, later) = (&y[..d * da], &mut r[..d], &later[..da]);
    for k in 0..d {
        let mut s = 0.0;
        for q in 0..da {
            s += y[k * da + q] * later[q];
        }
        r[k] -= s;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An unsymmetric matrix on a pattern with fill, dominant on the diagonal, as blocks and dense.
    fn example(p: &Pattern) -> (BlockLu, Vec<f64>) {
        let n = p.size();
        let mut lu = BlockLu::default();
        lu.resize(p);
        let mut dense = vec![0.0; n * n];
        let mut seed = 7_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        for k in 0..p.blocks() {
            let d = p.dims[k];
            for r in 0..d {
                for c in 0..d {
                    let v = random() + if r == c { 20.0 } else { 0.0 };
                    lu.diag[p.diag[k] + r * d + c] = v;
                    dense[(p.row[k] + r) * n + p.row[k] + c] = v;
                }
            }
            for &(a, at) in p.of(k) {
                for r in 0..d {
                    for c in 0..p.dims[a] {
                        let (u, l) = (random(), random());
                        lu.upper[at + r * p.dims[a] + c] = u;
                        lu.lower[at + r * p.dims[a] + c] = l;
                        dense[(p.row[k] + r) * n + p.row[a] + c] = u;
                        dense[(p.row[a] + c) * n + p.row[k] + r] = l;
                    }
                }
            }
        }
        (lu, dense)
    }

    #[test]
    fn solves_an_unsymmetric_system() {
        let p = Pattern::new(vec![6, 3, 6, 6, 1, 6], &[(0, 1), (1, 2), (0, 3), (2, 5), (3, 4), (0, 5)]);
        let (mut lu, dense) = example(&p);
        let n = p.size();
        let expected: Vec<f64> = (0..n).map(|i| 1.0 - 0.1 * i as f64).collect();
        let mut x: Vec<f64> = (0..n).map(|i| (0..n).map(|j| dense[i * n + j] * expected[j]).sum()).collect();
        lu.factor(&p).unwrap();
        lu.solve(&p, &mut x);
        for (a, b) in x.iter().zip(&expected) {
            assert!((a - b).abs() < 1e-13, "{a} {b}");
        }
    }

    #[test]
    fn a_zero_pivot_is_an_error() {
        let p = Pattern::new(vec![3, 3], &[(0, 1)]);
        let mut lu = BlockLu::default();
        lu.resize(&p);
        assert_eq!(lu.factor(&p).unwrap_err().block, 0);
    }
}

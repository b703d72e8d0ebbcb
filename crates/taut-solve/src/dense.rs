//! Dense direct solvers on row-major slices, `a[i * n + j]` = row i, column j.
//!
//! LU with row equilibration and partial pivoting:
//!
//! ```text
//! P S A = L U     S = diag(s), s_i = 2^-e with 2^e <= max_j |a_ij| < 2^(e+1)  (exact scaling)
//! A x = b         L y = P S b,  U x = y                                       2 n^2 flops
//! A^-1            = U^-1 L^-1 P S                  2/3 n^3 + 1/3 n^3 + n^3 = 2 n^3 flops
//! ```
//!
//! The factorisation is right-looking by blocks of `BLOCK` columns. The inverse is n simultaneous
//! solves: L Y = I from the top (Y is lower triangular, so only its non-zero part is touched), then
//! U X = Y from the bottom. All three spend their time in one kernel, C -= A B on 4 x 8 tiles.
//!
//! Cholesky of a symmetric positive definite matrix (lower triangle read):
//!
//! ```text
//! A = L L^T    l_ij = (a_ij - sum_{k<j} l_ik l_jk) / l_jj,    l_ii^2 = a_ii - sum_{k<i} l_ik^2
//! ```
//!
//! Every sum has a fixed order that depends on n alone, so equal inputs give equal bits.

use crate::tuning::T;
use std::fmt;
use taut_lanes::Kernel;

/// Columns per block of the factorisation and of the inverse.
const BLOCK: usize = 32;
/// Rows and columns of the register tile of the kernel.
const TILE_ROWS: usize = 4;
const TILE_COLUMNS: usize = 8;

/// The matrix has no usable pivot in a column (or it is not finite, or its slice is not n * n long:
/// then the column is 0 and the pivot NaN).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Singular {
    /// Column without a pivot, from 0.
    pub column: usize,
    /// The largest candidate found there, in the equilibrated matrix (largest entry of a row in [1, 2)).
    pub pivot: f64,
}

impl fmt::Display for Singular {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "singular matrix: column {} has the pivot {:e}", self.column, self.pivot)
    }
}

impl std::error::Error for Singular {}

/// The matrix is not positive definite (or its slice is not n * n long: then the row is 0 and the
/// pivot NaN).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NotPositive {
    /// Row of the offending pivot, from 0.
    pub row: usize,
    /// The pivot l_ii^2, in the units of the matrix.
    pub pivot: f64,
}

impl fmt::Display for NotPositive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "matrix not positive definite: row {} has the pivot {:e}", self.row, self.pivot)
    }
}

impl std::error::Error for NotPositive {}

/// LU factors of a square matrix; keeps its memory between factorisations.
#[derive(Clone, Debug, Default)]
pub struct DenseLu {
    n: usize,
    /// L below the diagonal (unit diagonal not stored) and U on and above it.
    a: Vec<f64>,
    /// Row i of P S A is row `perm[i]` of S A.
    perm: Vec<usize>,
    /// Row factors s, by original row.
    scale: Vec<f64>,
    row: Vec<f64>,
    panel: Vec<f64>,
}

impl DenseLu {
    /// An empty solver; the first [`DenseLu::factor`] allocates.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of rows of the factored matrix; 0 before the first success and after a failure.
    pub fn size(&self) -> usize {
        self.n
    }

    /// Factors the n x n matrix `a` (row-major). Allocates only when n exceeds every earlier n.
    /// After an error the solver holds no factors.
    pub fn factor(&mut self, n: usize, a: &[f64]) -> Result<(), Singular> {
        taut_lanes::run(Factorise { lu: self, n, a })
    }

    #[inline(always)]
    fn factorise(&mut self, n: usize, a: &[f64]) -> Result<(), Singular> {
        self.n = 0;
        if n.checked_mul(n) != Some(a.len()) {
            return Err(Singular { column: 0, pivot: f64::NAN });
        }
        self.a.clear();
        self.a.extend_from_slice(a);
        self.perm.clear();
        self.perm.extend(0..n);
        self.scale.resize(n, 1.0);
        self.row.resize(n, 0.0);
        self.panel.resize(n.next_multiple_of(TILE_ROWS) * BLOCK, 0.0);
        if n == 0 {
            return Ok(());
        }
        for (row, scale) in self.a.chunks_exact_mut(n).zip(&mut self.scale) {
            *scale = equilibrate(row)?;
        }
        for k0 in (0..n).step_by(BLOCK) {
            let k1 = (k0 + BLOCK).min(n);
            self.factor_panel(n, k0, k1)?;
            for i in k0 + 1..k1 {
                let (top, rest) = self.a.split_at_mut(i * n);
                let (l, u) = rest[..n].split_at_mut(k1);
                for k in k0..i {
                    subtract_scaled(u, l[k], &top[k * n + k1..(k + 1) * n]);
                }
            }
            pack(&self.a, n, k1..n, k0..k1, &mut self.panel);
            subtract_product(&mut self.a, n, k1..n, k1..n, k0..k1, &self.panel);
        }
        self.n = n;
        Ok(())
    }

    /// Eliminates the columns k0..k1 in the rows k0..n, swapping whole rows.
    #[inline(always)]
    fn factor_panel(&mut self, n: usize, k0: usize, k1: usize) -> Result<(), Singular> {
        let mut pivot_row = [0.0; BLOCK];
        for k in k0..k1 {
            let (mut best, mut pivot) = (k, 0.0_f64);
            for i in k..n {
                let v = self.a[i * n + k];
                if !v.is_finite() {
                    return Err(Singular { column: k, pivot: v });
                }
                if v.abs() > pivot.abs() {
                    (best, pivot) = (i, v);
                }
            }
            if pivot.abs() < T.factor.least_pivot {
                return Err(Singular { column: k, pivot });
            }
            if best != k {
                let (top, rest) = self.a.split_at_mut(best * n);
                top[k * n..(k + 1) * n].swap_with_slice(&mut rest[..n]);
                self.perm.swap(k, best);
            }
            let tail = &mut pivot_row[..k1 - k - 1];
            tail.copy_from_slice(&self.a[k * n + k + 1..k * n + k1]);
            for row in self.a[(k + 1) * n..].chunks_exact_mut(n) {
                let l = row[k] / pivot;
                row[k] = l;
                subtract_scaled(&mut row[k + 1..k1], l, tail);
            }
        }
        Ok(())
    }

    /// Replaces the right-hand side `b` by the solution of A x = b. Without factors of the length
    /// of `b` there is no solution: `b` is then filled with NaN.
    pub fn solve(&mut self, b: &mut [f64]) {
        let n = self.n;
        if b.len() != n {
            b.fill(f64::NAN);
            return;
        }
        let y = &mut self.row;
        for (i, &p) in self.perm.iter().enumerate() {
            y[i] = b[p] * self.scale[p] - dot(&self.a[i * n..i * n + i], &y[..i]);
        }
        for i in (0..n).rev() {
            let row = &self.a[i * n..(i + 1) * n];
            b[i] = (y[i] - dot(&row[i + 1..], &b[i + 1..])) / row[i];
        }
    }

    /// Writes the row-major inverse to `out` (n * n entries). Without factors of that size `out` is
    /// filled with NaN.
    pub fn inverse(&mut self, out: &mut [f64]) {
        let n = self.n;
        if n == 0 || out.len() != n * n {
            out.fill(f64::NAN);
            return;
        }
        let lu = &self.a;
        out.fill(0.0);
        for i in 0..n {
            out[i * n + i] = 1.0;
        }
        for k0 in (0..n).step_by(BLOCK) {
            let k1 = (k0 + BLOCK).min(n);
            for i in k0 + 1..k1 {
                let (top, rest) = out.split_at_mut(i * n);
                for k in k0..i {
                    subtract_scaled(&mut rest[..=k], lu[i * n + k], &top[k * n..=k * n + k]);
                }
            }
            pack(lu, n, k1..n, k0..k1, &mut self.panel);
            subtract_product(out, n, k1..n, 0..k1, k0..k1, &self.panel);
        }
        for k0 in (0..n).step_by(BLOCK).rev() {
            let k1 = (k0 + BLOCK).min(n);
            for i in (k0..k1).rev() {
                let (top, below) = out.split_at_mut((i + 1) * n);
                let x = &mut top[i * n..];
                for (k, row) in (i + 1..k1).zip(below.chunks_exact(n)) {
                    subtract_scaled(x, lu[i * n + k], row);
                }
                let u = lu[i * n + i];
                x.iter_mut().for_each(|v| *v /= u);
            }
            pack(lu, n, 0..k0, k0..k1, &mut self.panel);
            subtract_product(out, n, 0..k0, 0..n, k0..k1, &self.panel);
        }
        for x in out.chunks_exact_mut(n) {
            self.row.copy_from_slice(x);
            for (v, &p) in self.row.iter().zip(&self.perm) {
                x[p] = v * self.scale[p];
            }
        }
    }
}

/// Lower Cholesky factor of a symmetric matrix; keeps its memory between factorisations.
#[derive(Clone, Debug, Default)]
pub struct Cholesky {
    n: usize,
    l: Vec<f64>,
}

impl Cholesky {
    /// An empty solver; the first [`Cholesky::factor`] allocates.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of rows of the factored matrix; 0 before the first success and after a failure.
    pub fn size(&self) -> usize {
        self.n
    }

    /// Factors the symmetric n x n matrix `a` (row-major; only the lower triangle is read).
    /// Allocates only when n exceeds every earlier n. After an error it holds no factor.
    pub fn factor(&mut self, n: usize, a: &[f64]) -> Result<(), NotPositive> {
        self.n = 0;
        if n.checked_mul(n) != Some(a.len()) {
            return Err(NotPositive { row: 0, pivot: f64::NAN });
        }
        self.l.resize(n * n, 0.0);
        for i in 0..n {
            let (top, rest) = self.l.split_at_mut(i * n);
            for j in 0..i {
                let above = &top[j * n..=j * n + j];
                rest[j] = (a[i * n + j] - dot(&rest[..j], &above[..j])) / above[j];
            }
            let pivot = a[i * n + i] - dot(&rest[..i], &rest[..i]);
            if !(pivot > 0.0 && pivot.is_finite()) {
                return Err(NotPositive { row: i, pivot });
            }
            rest[i] = pivot.sqrt();
        }
        self.n = n;
        Ok(())
    }

    /// The least l_ii^2, in the units of the matrix: near its rounding for a matrix that is singular but for rounding.
    /// Infinite without a factor.
    pub fn least_pivot(&self) -> f64 {
        (0..self.n).fold(f64::INFINITY, |m, i| m.min(self.l[i * self.n + i] * self.l[i * self.n + i]))
    }

    /// Replaces the right-hand side `b` by the solution of A x = b. Without a factor of the length
    /// of `b` there is no solution: `b` is then filled with NaN.
    pub fn solve(&mut self, b: &mut [f64]) {
        let n = self.n;
        if b.len() != n {
            b.fill(f64::NAN);
            return;
        }
        for i in 0..n {
            b[i] = (b[i] - dot(&self.l[i * n..i * n + i], &b[..i])) / self.l[i * n + i];
        }
        for i in (0..n).rev() {
            let (above, rest) = b.split_at_mut(i);
            rest[0] /= self.l[i * n + i];
            subtract_scaled(above, rest[0], &self.l[i * n..i * n + i]);
        }
    }
}

type Range = std::ops::Range<usize>;

/// Multiplies a row by the power of two that brings its largest magnitude into [1, 2) (a zero row
/// stays) and returns that factor.
fn equilibrate(row: &mut [f64]) -> Result<f64, Singular> {
    let mut largest = 0.0_f64;
    for (column, &v) in row.iter().enumerate() {
        if !v.is_finite() {
            return Err(Singular { column, pivot: v });
        }
        largest = largest.max(v.abs());
    }
    // The exponent field of 2^-e is 2046 - field(2^e); 1 is the smallest normal one.
    let scale = f64::from_bits((2046 - (largest.to_bits() >> 52)).max(1) << 52);
    row.iter_mut().for_each(|v| *v *= scale);
    Ok(scale)
}

/// The factorisation of a matrix.
struct Factorise<'a> {
    lu: &'a mut DenseLu,
    n: usize,
    a: &'a [f64],
}

impl Kernel for Factorise<'_> {
    type Out = Result<(), Singular>;

    #[inline(always)]
    fn run(self) -> Self::Out {
        self.lu.factorise(self.n, self.a)
    }
}

/// y = A x of a square matrix, by rows.
pub(crate) struct Product<'a> {
    pub a: &'a [f64],
    pub x: &'a [f64],
    pub y: &'a mut Vec<f64>,
}

impl Kernel for Product<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self) {
        self.y.resize(self.x.len(), 0.0);
        for (y, row) in self.y.iter_mut().zip(self.a.chunks_exact(self.x.len().max(1))) {
            *y = dot(row, self.x);
        }
    }
}

/// y -= f x.
#[inline(always)]
fn subtract_scaled(y: &mut [f64], f: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y -= f * x;
    }
}

/// Scalar product in four interleaved partial sums.
#[inline(always)]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a4, a_tail) = a.as_chunks::<4>();
    let (b4, b_tail) = b.as_chunks::<4>();
    let mut sum = [0.0; 4];
    for (a, b) in a4.iter().zip(b4) {
        for l in 0..4 {
            sum[l] += a[l] * b[l];
        }
    }
    let tail = a_tail.iter().zip(b_tail).fold(0.0, |s, (a, b)| s + a * b);
    ((sum[0] + sum[2]) + (sum[1] + sum[3])) + tail
}

/// Copies the block rows x inner of `a` into `panel`, tile of rows by tile, column-major in a tile;
/// missing rows of the last tile become zero.
#[inline(always)]
fn pack(a: &[f64], n: usize, rows: Range, inner: Range, panel: &mut [f64]) {
    let (tiles, _) = panel.as_chunks_mut::<TILE_ROWS>();
    for (i0, tile) in rows.clone().step_by(TILE_ROWS).zip(tiles.chunks_exact_mut(inner.len())) {
        for (k, column) in inner.clone().zip(tile) {
            for (r, v) in column.iter_mut().enumerate() {
                *v = if i0 + r < rows.end { a[(i0 + r) * n + k] } else { 0.0 };
            }
        }
    }
}

/// c[rows, columns] -= A c[inner, columns], A = rows x inner as left in `panel` by [`pack`].
/// `rows` and `inner` are disjoint.
#[inline(always)]
fn subtract_product(c: &mut [f64], n: usize, rows: Range, columns: Range, inner: Range, panel: &[f64]) {
    let (tiles, _) = panel.as_chunks::<TILE_ROWS>();
    let depth = inner.len();
    let mut b = [[0.0; TILE_COLUMNS]; BLOCK];
    for j0 in columns.clone().step_by(TILE_COLUMNS) {
        let width = TILE_COLUMNS.min(columns.end - j0);
        for (b, k) in b.iter_mut().zip(inner.clone()) {
            b[..width].copy_from_slice(&c[k * n + j0..k * n + j0 + width]);
        }
        for (i0, tile) in rows.clone().step_by(TILE_ROWS).zip(tiles.chunks_exact(depth)) {
            let mut sum = [[0.0; TILE_COLUMNS]; TILE_ROWS];
            for (a, b) in tile.iter().zip(&b) {
                for r in 0..TILE_ROWS {
                    for l in 0..TILE_COLUMNS {
                        sum[r][l] += a[r] * b[l];
                    }
                }
            }
            for (i, sum) in (i0..rows.end).zip(&sum) {
                let row = &mut c[i * n + j0..i * n + j0 + width];
                row.iter_mut().zip(sum).for_each(|(c, s)| *c -= s);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [usize; 12] = [1, 2, 3, 5, 8, 17, 31, 32, 33, 64, 71, 130];

    fn random(count: usize, seed: u64) -> Vec<f64> {
        let mut s = seed;
        let mut next = || {
            s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (s >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        (0..count).map(|_| next()).collect()
    }

    fn multiply(n: usize, a: &[f64], x: &[f64]) -> Vec<f64> {
        a.chunks_exact(n).map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect()
    }

    fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).fold(0.0, |m, (a, b)| f64::max(m, (a - b).abs()))
    }

    #[test]
    fn lu_solves_and_inverts() {
        let mut lu = DenseLu::new();
        for n in SIZES {
            let a = random(n * n, n as u64);
            let x = random(n, 7);
            let mut b = multiply(n, &a, &x);
            lu.factor(n, &a).unwrap();
            assert_eq!(lu.size(), n);
            lu.solve(&mut b);
            assert!(largest_difference(&b, &x) < 1e-9, "n {n}: {}", largest_difference(&b, &x));
            let mut inverse = vec![f64::NAN; n * n];
            lu.inverse(&mut inverse);
            for j in 0..n {
                let column: Vec<f64> = (0..n).map(|i| inverse[i * n + j]).collect();
                let mut unit = vec![0.0; n];
                unit[j] = 1.0;
                assert!(largest_difference(&multiply(n, &a, &column), &unit) < 1e-9, "n {n} column {j}");
                lu.solve(&mut unit);
                assert!(largest_difference(&column, &unit) < 1e-9, "n {n} column {j}");
            }
        }
    }

    #[test]
    fn lu_needs_row_exchanges_and_survives_row_scales() {
        let a = [0.0, 2e-200, 0.0, 0.0, 0.0, 3e250, 5.0, 0.0, 0.0];
        let mut lu = DenseLu::default();
        lu.factor(3, &a).unwrap();
        let mut b = [4e-200, 9e250, 10.0];
        lu.solve(&mut b);
        assert!(largest_difference(&b, &[2.0, 2.0, 3.0]) < 1e-14, "{b:?}");
        let extreme = [f64::MAX, 0.0, 0.0, f64::MIN_POSITIVE];
        lu.factor(2, &extreme).unwrap();
        let mut b = [f64::MAX, f64::MIN_POSITIVE];
        lu.solve(&mut b);
        assert_eq!(b, [1.0, 1.0]);
        // Well-conditioned but for its row scales: pivoting on the raw column would lose the 1.
        lu.factor(2, &[1.0, 1e20, 1.0, 1.0]).unwrap();
        let mut b = [1e20, 2.0];
        lu.solve(&mut b);
        assert!(largest_difference(&b, &[1.0, 1.0]) < 1e-15, "{b:?}");
    }

    #[test]
    fn lu_reuses_memory_and_repeats_bits() {
        let n = 70;
        let a = random(n * n, 3);
        let mut lu = DenseLu::new();
        lu.factor(n, &a).unwrap();
        let place = (lu.a.as_ptr(), lu.panel.as_ptr(), lu.row.as_ptr());
        let mut first = vec![0.0; n * n];
        lu.inverse(&mut first);
        lu.factor(5, &random(25, 1)).unwrap();
        lu.factor(n, &a).unwrap();
        assert_eq!(place, (lu.a.as_ptr(), lu.panel.as_ptr(), lu.row.as_ptr()));
        let mut second = vec![0.0; n * n];
        lu.inverse(&mut second);
        assert!(first.iter().zip(&second).all(|(a, b)| a.to_bits() == b.to_bits()));
    }

    #[test]
    fn lu_rejects() {
        let mut lu = DenseLu::new();
        assert_eq!(lu.factor(2, &[1.0, 2.0, 2.0, 4.0]), Err(Singular { column: 1, pivot: 0.0 }));
        assert_eq!(lu.factor(2, &[0.0, 2.0, 0.0, 4.0]), Err(Singular { column: 0, pivot: 0.0 }));
        let error = lu.factor(2, &[1.0, f64::INFINITY, 0.0, 1.0]).unwrap_err();
        assert_eq!(error, Singular { column: 1, pivot: f64::INFINITY });
        assert!(error.to_string().contains("column 1") && error.to_string().contains("inf"));
        assert!(lu.factor(2, &[1.0; 3]).unwrap_err().pivot.is_nan());
        let mut b = [1.0, 1.0];
        lu.solve(&mut b);
        assert!(b.iter().all(|v| v.is_nan()), "no factors, no solution");
        lu.inverse(&mut b);
        lu.factor(1, &[2.0]).unwrap();
        lu.inverse(&mut b);
        assert!(b.iter().all(|v| v.is_nan()), "wrong size");
        lu.factor(0, &[]).unwrap();
        lu.solve(&mut []);
        lu.inverse(&mut []);
    }

    #[test]
    fn cholesky_solves() {
        let mut cholesky = Cholesky::new();
        for n in SIZES {
            let g = random(n * n, n as u64 + 40);
            let mut a = vec![0.0; n * n];
            for i in 0..n {
                for j in 0..n {
                    a[i * n + j] = dot(&g[i * n..(i + 1) * n], &g[j * n..(j + 1) * n]);
                }
                a[i * n + i] += 1.0;
            }
            let x = random(n, 9);
            let mut b = multiply(n, &a, &x);
            for i in 0..n {
                a[i * n + i + 1..(i + 1) * n].fill(f64::NAN);
            }
            cholesky.factor(n, &a).unwrap();
            assert_eq!(cholesky.size(), n);
            cholesky.solve(&mut b);
            assert!(largest_difference(&b, &x) < 1e-11, "n {n}: {}", largest_difference(&b, &x));
        }
    }

    #[test]
    fn cholesky_rejects() {
        let mut cholesky = Cholesky::default();
        let error = cholesky.factor(2, &[4.0, 0.0, 6.0, 5.0]).unwrap_err();
        assert_eq!(error, NotPositive { row: 1, pivot: -4.0 });
        assert!(error.to_string().contains("row 1") && error.to_string().contains("-4"));
        assert_eq!(cholesky.factor(1, &[0.0]), Err(NotPositive { row: 0, pivot: 0.0 }));
        assert_eq!(cholesky.factor(2, &[1.0, 0.0, f64::INFINITY, 1.0]).unwrap_err().row, 1);
        assert_eq!(cholesky.factor(1, &[f64::INFINITY]).unwrap_err().pivot, f64::INFINITY);
        assert!(cholesky.factor(2, &[1.0]).unwrap_err().pivot.is_nan());
        let mut b = [1.0];
        cholesky.solve(&mut b);
        assert!(b[0].is_nan());
    }
}

//! Pivoted L D L^T of a positive semi-definite matrix with a rank test.
//!
//! ```text
//! P W P^T = L D L^T, the next pivot where d_j is the largest share of w_jj; rows whose share is rounding are combinations of the others
//! W = B^T B given by its factor B: B P^T = Q R by modified Gram-Schmidt, D = diag(r_kk^2), L = R^T diag(1 / r_kk)
//! ```
//!
//! From B the pivots keep twice the digits: a loop that is nearly stretched, under a heavy load, leaves a share of 1e-16 and less,
//! which the product B^T B has already lost.

/// A share below this is rounding, in the factor B (squared) and in W.
const ROUNDING: [f64; 2] = [1e-22, 1e-13];
/// So is a row this small beside the largest, which moves nothing.
const NOTHING: [f64; 2] = [1e-24, 1e-15];

/// The factors; memory is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Dual {
    n: usize,
    /// The matrix on entry, row-major; L below the diagonal and D on it afterwards.
    pub a: Vec<f64>,
    /// Columns of B, one after the other; used up by [`Dual::factor_columns`].
    pub b: Vec<f64>,
    /// Row k of the factors is row `order[k]` of the matrix.
    order: Vec<usize>,
    /// Diagonal of the whole matrix and what is left of it.
    whole: Vec<f64>,
    left: Vec<f64>,
    x: Vec<f64>,
    rank: usize,
}

impl Dual {
    /// n rows of zeros to be filled.
    pub fn clear(&mut self, n: usize) {
        self.n = n;
        self.a.clear();
        self.a.resize(n * n, 0.0);
        self.b.clear();
    }

    /// Rows that follow from the others.
    pub fn redundant(&self) -> &[usize] {
        &self.order[self.rank..]
    }

    /// Factors `a`, whose two triangles must be equal and right to the relative error `error`.
    pub fn factor(&mut self, error: f64) {
        let n = self.n;
        self.start(|d, i| d.a[i * n + i]);
        let least = self.least(ROUNDING[1].max(error), NOTHING[1].max(error * error));
        for k in 0..n {
            if !self.choose(k, least) {
                return;
            }
            let d = self.left[k];
            let (top, rest) = self.a.split_at_mut((k + 1) * n);
            let pivot = &top[k * n..];
            for (row, r) in rest.chunks_exact_mut(n).zip(k + 1..) {
                let l = row[k] / d;
                for c in k + 1..n {
                    row[c] -= l * pivot[c];
                }
                row[k] = l;
                self.left[r] = row[r];
            }
        }
    }

    /// Factors B^T B from the n columns of `b`.
    pub fn factor_columns(&mut self) {
        let n = self.n;
        let width = self.b.len() / n.max(1);
        self.start(|d, i| norm(&d.b[i * width..(i + 1) * width]));
        let least = self.least(ROUNDING[0], NOTHING[0]);
        for k in 0..n {
            if !self.choose(k, least) {
                return;
            }
            let d = self.left[k];
            self.a[k * n + k] = d;
            let (top, rest) = self.b.split_at_mut((self.order[k] + 1) * width);
            let (before, q) = top.split_at_mut(self.order[k] * width);
            for r in k + 1..n {
                let column = self.order[r];
                let c = if column < self.order[k] {
                    &mut before[column * width..(column + 1) * width]
                } else {
                    &mut rest[(column - self.order[k] - 1) * width..][..width]
                };
                let l = q.iter().zip(&*c).map(|(x, y)| x * y).sum::<f64>() / d;
                c.iter_mut().zip(&*q).for_each(|(y, x)| *y -= l * x);
                self.a[r * n + k] = l;
                self.left[r] = norm(c);
            }
        }
    }

    fn start(&mut self, diagonal: impl Fn(&Dual, usize) -> f64) {
        let n = self.n;
        self.order.clear();
        self.order.extend(0..n);
        let mut whole = std::mem::take(&mut self.whole);
        whole.clear();
        whole.extend((0..n).map(|i| diagonal(self, i)));
        self.whole = whole;
        self.left.clone_from(&self.whole);
        self.x.resize(n, 0.0);
        self.rank = n;
    }

    /// The smallest share, and the smallest pivot.
    fn least(&self, share: f64, beside: f64) -> (f64, f64) {
        (share, beside * self.whole.iter().fold(0.0_f64, |m, w| m.max(*w)))
    }

    /// Brings the best remaining row to place k; false when there is none.
    fn choose(&mut self, k: usize, (share, pivot): (f64, f64)) -> bool {
        let of = |j: usize| {
            let (d, w) = (self.left[j], self.whole[j]);
            if d > pivot && d > share * w { d / w } else { 0.0 }
        };
        let best = (k + 1..self.n).fold(k, |b, j| if of(j) > of(b) { j } else { b });
        if !(of(best) > 0.0) {
            self.rank = k;
            return false;
        }
        self.swap(k, best);
        true
    }

    fn swap(&mut self, k: usize, j: usize) {
        let n = self.n;
        if j == k {
            return;
        }
        self.order.swap(k, j);
        self.whole.swap(k, j);
        self.left.swap(k, j);
        for c in 0..n {
            self.a.swap(k * n + c, j * n + c);
        }
        for r in 0..n {
            self.a.swap(r * n + k, r * n + j);
        }
    }

    /// x with W x = b on the independent rows, 0 on the others; b is replaced.
    pub fn solve(&mut self, b: &mut [f64]) {
        let (n, rank) = (self.n, self.rank);
        for k in 0..rank {
            let row = &self.a[k * n..k * n + k];
            self.x[k] = b[self.order[k]] - row.iter().zip(&self.x).map(|(l, x)| l * x).sum::<f64>();
        }
        for k in (0..rank).rev() {
            let below: f64 = (k + 1..rank).map(|r| self.a[r * n + k] * self.x[r]).sum();
            self.x[k] = self.x[k] / self.a[k * n + k] - below;
        }
        b.fill(0.0);
        for k in 0..rank {
            b[self.order[k]] = self.x[k];
        }
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns b_0, b_1 and b_0 + 2 b_1, with an error of `off` across.
    fn both(off: f64) -> [(Vec<f64>, Vec<usize>); 2] {
        let (b0, b1) = ([1.0, 2.0, 0.5, 0.0], [0.3, -1.0, 0.0, 0.7]);
        let b2: [f64; 4] = std::array::from_fn(|c| b0[c] + 2.0 * b1[c] + off * [1.0, 0.4, -0.9, 1.1][c]);
        let columns = [b0, b1, b2];
        let x = [1.0, -2.0, if off > 0.0 { 0.5 } else { 0.0 }];
        let mut right = [0.0; 3];
        let mut gram = [0.0; 9];
        for r in 0..3 {
            for c in 0..3 {
                gram[3 * r + c] = columns[r].iter().zip(&columns[c]).map(|(x, y)| x * y).sum();
                right[r] += gram[3 * r + c] * x[c];
            }
        }
        [false, true].map(|from_columns| {
            let mut d = Dual::default();
            d.clear(3);
            if from_columns {
                d.b.extend(columns.iter().flatten());
                d.factor_columns();
            } else {
                d.a.copy_from_slice(&gram);
                d.factor(0.0);
            }
            let mut y = right.to_vec();
            d.solve(&mut y);
            // What counts is W y.
            let got = (0..3).map(|r| (0..3).map(|c| gram[3 * r + c] * y[c]).sum::<f64>() - right[r]).collect();
            (got, d.redundant().to_vec())
        })
    }

    #[test]
    fn both_ways_solve_and_find_the_redundant_row() {
        for (residual, redundant) in both(0.0) {
            assert_eq!(redundant.len(), 1);
            assert!(residual.iter().all(|r: &f64| r.abs() < 1e-13), "{residual:?}");
        }
        for (residual, redundant) in both(0.1) {
            assert!(redundant.is_empty());
            assert!(residual.iter().all(|r: &f64| r.abs() < 1e-13), "{residual:?}");
        }
    }

    #[test]
    fn from_the_factor_a_row_is_told_apart_where_the_product_has_lost_it() {
        let [product, factor] = both(1e-9);
        assert_eq!((product.1.len(), factor.1.len()), (1, 0));
    }
}

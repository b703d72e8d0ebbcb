//! Pivoted L D L^T of a positive semi-definite matrix with a rank test.
//!
//! ```text
//! P A P^T = L D L^T, the next pivot where d_j / a_jj is largest; the rest, below [`REDUNDANT`], are combinations of the others
//! ```

/// A pivot below this share of its diagonal entry is rounding. Genuine rows that close a loop of mass ratio 1e10 leave 1e-10.
const REDUNDANT: f64 = 1e-13;

/// The factors; memory is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Dual {
    n: usize,
    /// The matrix on entry, row-major; L below the diagonal and D on it afterwards.
    pub a: Vec<f64>,
    /// Row k of the factors is row `order[k]` of the matrix.
    pub order: Vec<usize>,
    whole: Vec<f64>,
    x: Vec<f64>,
    /// Rows `order[rank..]` are redundant.
    pub rank: usize,
}

impl Dual {
    /// n rows of zeros to be filled.
    pub fn clear(&mut self, n: usize) {
        self.n = n;
        self.a.clear();
        self.a.resize(n * n, 0.0);
    }

    /// Factors `a`, whose two triangles must be equal.
    pub fn factor(&mut self) {
        let n = self.n;
        self.order.clear();
        self.order.extend(0..n);
        self.whole.clear();
        self.whole.extend((0..n).map(|i| self.a[i * n + i]));
        self.x.resize(n, 0.0);
        self.rank = n;
        for k in 0..n {
            let share = |j: usize| {
                let w = self.whole[j];
                if w > 0.0 { self.a[j * n + j] / w } else { 0.0 }
            };
            let best = (k + 1..n).fold(k, |b, j| if share(j) > share(b) { j } else { b });
            if !(share(best) > REDUNDANT) {
                self.rank = k;
                return;
            }
            self.swap(k, best);
            self.eliminate(k);
        }
    }

    fn swap(&mut self, k: usize, j: usize) {
        let n = self.n;
        if j == k {
            return;
        }
        self.order.swap(k, j);
        self.whole.swap(k, j);
        for c in 0..n {
            self.a.swap(k * n + c, j * n + c);
        }
        for r in 0..n {
            self.a.swap(r * n + k, r * n + j);
        }
    }

    fn eliminate(&mut self, k: usize) {
        let n = self.n;
        let d = self.a[k * n + k];
        let (top, rest) = self.a.split_at_mut((k + 1) * n);
        let pivot = &top[k * n..];
        for row in rest.chunks_exact_mut(n) {
            let l = row[k] / d;
            for c in k + 1..n {
                row[c] -= l * pivot[c];
            }
            row[k] = l;
        }
    }

    /// x with A x = b on the independent rows, 0 on the others; b is replaced.
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

//! Least squares of least norm, for matrices of any rank: the complete orthogonal decomposition.
//!
//! ```text
//! A P = Q R                Householder, the largest remaining column first; rank r where what is left is nothing
//! (R_1)^T = Z T            R_1 the first r rows of R, T upper triangular
//! A^+ = P Z T^-T Q_1^T     x = A^+ b is the shortest of those that minimise |A x - b|
//! ```
//! Sums have a fixed order, so equal inputs give equal bits. Scale the columns first: what counts as short, and which
//! columns are dependent, depends on their lengths.

use crate::dense::dot;

/// A factorised matrix.
#[derive(Clone, Debug, Default)]
pub struct LeastNorm {
    /// Q and R.
    q: Reflectors,
    /// Z and T.
    z: Reflectors,
    /// Column k of A P is column `order[k]` of A.
    order: Vec<usize>,
    rank: usize,
}

/// An orthogonal matrix as a product of reflections I - t u u^T, u = (0, ..., 1, ...) below the diagonal, and what it
/// leaves above.
#[derive(Clone, Debug, Default)]
struct Reflectors {
    rows: usize,
    /// Column after column.
    a: Vec<f64>,
    t: Vec<f64>,
}

impl LeastNorm {
    /// Factorises the matrix with these columns, each `rows` long, one after the other. What is left of a column
    /// counts as nothing when it is no longer than `tolerance`.
    pub fn new(rows: usize, columns: Vec<f64>, tolerance: f64) -> Self {
        let count = columns.len().checked_div(rows).unwrap_or(0);
        let mut q = Reflectors { rows, a: columns, t: Vec::new() };
        let mut order: Vec<usize> = (0..count).collect();
        while q.t.len() < rows.min(count) {
            let k = q.t.len();
            let left = |c: usize| dot(&q.column(c)[k..], &q.column(c)[k..]);
            let (best, size) = (k..count).fold((k, -1.0), |m, c| if left(c) > m.1 { (c, left(c)) } else { m });
            if !(size > tolerance * tolerance) {
                break;
            }
            q.swap(k, best);
            order.swap(k, best);
            q.reflect(k, count);
        }
        let rank = q.t.len();
        let mut z = Reflectors { rows: count, a: vec![0.0; count * rank], t: Vec::new() };
        for c in 0..count {
            for r in 0..rank.min(c + 1) {
                z.a[r * count + c] = q.a[c * rows + r];
            }
        }
        (0..rank).for_each(|k| z.reflect(k, rank));
        LeastNorm { q, z, order, rank }
    }

    /// Columns that do not depend on others.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// A^+ b: the shortest x of those that minimise |A x - b|.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let mut y = b.to_vec();
        self.q.turn_back(&mut y);
        y.truncate(self.rank);
        // T^T y = Q_1^T b.
        for i in 0..self.rank {
            let column = &self.z.column(i)[..=i];
            y[i] = (y[i] - dot(&column[..i], &y[..i])) / column[i];
        }
        y.resize(self.order.len(), 0.0);
        self.z.turn(&mut y);
        let mut x = vec![0.0; self.order.len()];
        self.order.iter().zip(&y).for_each(|(&k, &y)| x[k] = y);
        x
    }

    /// (A^T)^+ c: the shortest y of those that minimise |A^T y - c|.
    pub fn solve_transposed(&self, c: &[f64]) -> Vec<f64> {
        let mut x: Vec<f64> = self.order.iter().map(|&k| c[k]).collect();
        self.z.turn_back(&mut x);
        x.truncate(self.rank);
        // T x = Z^T P^T c.
        for i in (0..self.rank).rev() {
            x[i] /= self.z.column(i)[i];
            for k in 0..i {
                x[k] -= self.z.column(i)[k] * x[i];
            }
        }
        x.resize(self.q.rows, 0.0);
        self.q.turn(&mut x);
        x
    }

    /// Takes out of b what columns of A can make: b - A A^+ b.
    pub fn leave(&self, b: &mut [f64]) {
        self.q.turn_back(b);
        b[..self.rank].fill(0.0);
        self.q.turn(b);
    }
}

impl Reflectors {
    fn column(&self, c: usize) -> &[f64] {
        &self.a[c * self.rows..(c + 1) * self.rows]
    }

    fn swap(&mut self, a: usize, b: usize) {
        if a != b {
            let (low, high) = self.a.split_at_mut(a.max(b) * self.rows);
            low[a.min(b) * self.rows..][..self.rows].swap_with_slice(&mut high[..self.rows]);
        }
    }

    /// Makes column k zero below its diagonal, and turns the columns after it with it.
    fn reflect(&mut self, k: usize, count: usize) {
        let (before, after) = self.a.split_at_mut((k + 1) * self.rows);
        let own = &mut before[k * self.rows + k..];
        let size = dot(own, own).sqrt();
        let turned = if own[0] > 0.0 { -size } else { size };
        // t = (turned - x)/turned, u = (x - turned e)/(x_0 - turned): the sign keeps the difference large.
        let (first, t) = (own[0] - turned, if size > 0.0 { (turned - own[0]) / turned } else { 0.0 });
        if size > 0.0 {
            own[1..].iter_mut().for_each(|x| *x /= first);
        }
        own[0] = turned;
        let u = &own[1..];
        for c in after.chunks_exact_mut(self.rows).take(count - k - 1) {
            apply(t, u, &mut c[k..]);
        }
        self.t.push(t);
    }

    /// x <- Q x.
    fn turn(&self, x: &mut [f64]) {
        for k in (0..self.t.len()).rev() {
            apply(self.t[k], &self.column(k)[k + 1..], &mut x[k..]);
        }
    }

    /// x <- Q^T x.
    fn turn_back(&self, x: &mut [f64]) {
        for k in 0..self.t.len() {
            apply(self.t[k], &self.column(k)[k + 1..], &mut x[k..]);
        }
    }
}

/// x <- x - t (1, u) (1, u)^T x.
fn apply(t: f64, u: &[f64], x: &mut [f64]) {
    if let Some((first, rest)) = x.split_first_mut() {
        let along = t * (*first + dot(u, rest));
        *first -= along;
        rest.iter_mut().zip(u).for_each(|(x, u)| *x -= along * u);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(count: usize, seed: u64) -> Vec<f64> {
        let mut s = seed.wrapping_add(77);
        let mut next = || {
            s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (s >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        (0..count).map(|_| next()).collect()
    }

    /// The product of a `rows` x r and an r x `count` matrix, column after column: rank r.
    fn of_rank(rows: usize, count: usize, r: usize, seed: u64) -> Vec<f64> {
        let (left, right) = (random(rows * r, seed), random(r * count, seed + 1));
        let entry = |i: usize, c: usize| (0..r).map(|k| left[k * rows + i] * right[c * r + k]).sum();
        (0..count).flat_map(|c| (0..rows).map(move |i| (i, c))).map(|(i, c)| entry(i, c)).collect()
    }

    fn times(rows: usize, a: &[f64], x: &[f64]) -> Vec<f64> {
        (0..rows).map(|i| x.iter().enumerate().map(|(c, x)| a[c * rows + i] * x).sum()).collect()
    }

    fn transposed(rows: usize, a: &[f64], y: &[f64]) -> Vec<f64> {
        a.chunks_exact(rows).map(|c| c.iter().zip(y).map(|(a, y)| a * y).sum()).collect()
    }

    fn apart(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).fold(0.0, |m, (a, b)| f64::max(m, (a - b).abs()))
    }

    const CASES: [(usize, usize, usize); 9] =
        [(1, 1, 1), (5, 3, 3), (3, 5, 3), (6, 6, 6), (7, 4, 2), (4, 9, 3), (8, 8, 5), (20, 13, 1), (6, 4, 0)];

    #[test]
    fn the_solution_is_the_pseudo_inverse() {
        for (rows, count, r) in CASES {
            let a = of_rank(rows, count, r, (rows * 100 + count) as u64);
            let f = LeastNorm::new(rows, a.clone(), 1e-10);
            assert_eq!(f.rank(), r, "{rows} x {count}");
            // The four conditions of Penrose, on A^+ column by column.
            let inverse: Vec<f64> =
                (0..rows).flat_map(|k| f.solve(&(0..rows).map(|i| f64::from(i == k)).collect::<Vec<_>>())).collect();
            let (b, x) = (random(rows, 3), random(count, 4));
            let of = |b: &[f64]| times(count, &inverse, b);
            let back = of(&b);
            assert!(apart(&of(&times(rows, &a, &back)), &back) < 1e-10, "A+ A A+ = A+");
            let image = times(rows, &a, &x);
            assert!(apart(&times(rows, &a, &of(&image)), &image) < 1e-10, "A A+ A = A");
            let onto = |b: &[f64]| times(rows, &a, &of(b));
            let along = |x: &[f64]| of(&times(rows, &a, x));
            let (b2, x2) = (random(rows, 5), random(count, 6));
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            assert!((dot(&onto(&b), &b2) - dot(&b, &onto(&b2))).abs() < 1e-10, "A A+ is symmetric");
            assert!((dot(&along(&x), &x2) - dot(&x, &along(&x2))).abs() < 1e-10, "A+ A is symmetric");
        }
    }

    #[test]
    fn the_transposed_solution_is_the_transposed_pseudo_inverse() {
        for (rows, count, r) in CASES {
            let a = of_rank(rows, count, r, (rows * 31 + count) as u64);
            let f = LeastNorm::new(rows, a.clone(), 1e-10);
            let (b, c) = (random(rows, 8), random(count, 9));
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let (x, y) = (f.solve(&b), f.solve_transposed(&c));
            assert!((dot(&x, &c) - dot(&b, &y)).abs() < 1e-10 * (1.0 + dot(&x, &x) + dot(&y, &y)), "{rows} x {count}");
            // What is left of b is out of reach of all columns.
            let mut left = b.clone();
            f.leave(&mut left);
            assert!(transposed(rows, &a, &left).iter().all(|x| x.abs() < 1e-12));
            let made = times(rows, &a, &x);
            assert!(apart(&made.iter().zip(&left).map(|(m, l)| m + l).collect::<Vec<_>>(), &b) < 1e-10);
        }
    }

    #[test]
    fn nothing_is_solved_by_nothing() {
        let f = LeastNorm::new(3, Vec::new(), 1e-9);
        assert_eq!((f.rank(), f.solve(&[1.0, 2.0, 3.0])), (0, vec![]));
        assert_eq!(f.solve_transposed(&[]), [0.0; 3]);
        let empty = LeastNorm::new(0, Vec::new(), 1e-9);
        assert!(empty.solve(&[]).is_empty());
    }
}

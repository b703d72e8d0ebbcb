//! Conjugate gradients for symmetric positive definite matrices of 3x3 blocks, preconditioned by a symmetric sweep over them.
//!
//! With A = L + C + L^T, C its diagonal blocks and D = C/w, the preconditioner is M = (D + L) D^-1 (D + L^T). In the variables that it
//! makes, a product needs no matrix beside its own two triangles (Eisenstat 1981):
//! ```text
//! (D + L)^-1 A (D + L^T)^-1 p = t + (D + L)^-1 (p + (w - 2) D t),   t = (D + L^T)^-1 p
//! ```
//! The error is measured by r . M^-1 r against b . M^-1 b. At the end the solution is shifted as a whole so that the residuals sum to
//! zero: momentum is kept to rounding whatever the tolerance. The order of all sums is that of the rows.

use crate::block::matrix::Pattern;
use crate::block_ldlt::BlockLdlt;
use crate::tuning::T;
use std::ops::Range;

type V = [f64; 3];
type M = [f64; 9];

/// A matrix in the order of its sweeps, with the memory of the iteration.
#[derive(Clone, Debug, Default)]
pub struct SweepCg {
    /// First unknown and diagonal block of each row.
    rows: Vec<(u32, u32)>,
    /// Earlier rows that each row is coupled to.
    start: Vec<u32>,
    column: Vec<u32>,
    /// Where the values of each coupling are, and whether they are to be transposed.
    from: Vec<(u32, bool)>,
    low: Vec<M>,
    diag: Vec<M>,
    inverse: Vec<M>,
    /// Inverse of the sum of all blocks.
    whole: Option<M>,
    x: Vec<V>,
    b: Vec<V>,
    r: Vec<V>,
    p: Vec<V>,
    t: Vec<V>,
    u: Vec<V>,
}

/// What an iteration did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swept {
    /// Iterations made.
    pub iterations: usize,
    /// Whether the tolerance was reached.
    pub converged: bool,
}

impl SweepCg {
    /// Lays out some blocks of a pattern, all of three scalars, to be swept in the order of `rank`.
    pub fn new(p: &Pattern, blocks: Range<usize>, rank: impl Fn(usize) -> usize) -> Self {
        let (first, n) = (blocks.start, blocks.len());
        let mut order: Vec<usize> = blocks.clone().collect();
        order.sort_by_key(|&b| (rank(b), b));
        let mut place = vec![0; n];
        order.iter().enumerate().for_each(|(at, &b)| place[b - first] = at);
        let mut earlier: Vec<Vec<(u32, u32, bool)>> = vec![Vec::new(); n];
        for a in blocks {
            for &(b, at) in p.of(a) {
                let (i, j) = (place[a - first], place[b - first]);
                // The values are those of row a and column b.
                earlier[i.max(j)].push((i.min(j) as u32, at as u32, i < j));
            }
        }
        let mut s = SweepCg { start: vec![0], ..SweepCg::default() };
        for (&b, mut list) in order.iter().zip(earlier) {
            list.sort_unstable();
            s.rows.push((p.row[b] as u32, p.diag[b] as u32));
            s.column.extend(list.iter().map(|e| e.0));
            s.from.extend(list.iter().map(|e| (e.1, e.2)));
            s.start.push(s.column.len() as u32);
        }
        s.low = vec![[0.0; 9]; s.column.len()];
        for m in [&mut s.diag, &mut s.inverse] {
            *m = vec![[0.0; 9]; n];
        }
        for v in [&mut s.x, &mut s.b, &mut s.r, &mut s.p, &mut s.t, &mut s.u] {
            *v = vec![[0.0; 3]; n];
        }
        s
    }

    /// Multiplications and additions of one iteration.
    pub fn flops(&self) -> f64 {
        36.0 * self.low.len() as f64 + 90.0 * self.rows.len() as f64
    }

    /// Takes the values of an assembled matrix; false when a diagonal block is not positive definite.
    pub fn load(&mut self, m: &BlockLdlt) -> bool {
        let mut whole = [0.0; 9];
        for (low, &(at, transposed)) in self.low.iter_mut().zip(&self.from) {
            let v = &m.off[at as usize..at as usize + 9];
            let up = [v[0], v[3], v[6], v[1], v[4], v[7], v[2], v[5], v[8]];
            low.copy_from_slice(if transposed { &up } else { v });
            for k in 0..9 {
                whole[k] += v[k] + up[k];
            }
        }
        let mut positive = true;
        for ((diag, inverse), &(_, at)) in self.diag.iter_mut().zip(&mut self.inverse).zip(&self.rows) {
            diag.copy_from_slice(&m.diag[at as usize..at as usize + 9]);
            (0..9).for_each(|k| whole[k] += diag[k]);
            match invert(diag) {
                Some(i) => *inverse = i.map(|v| T.sweep.relaxation * v),
                None => positive = false,
            }
        }
        self.whole = invert(&whole);
        positive
    }

    /// Solves A x = b; b is in `x`, which is overwritten, and the iteration starts from `start` or from zero.
    pub fn solve(&mut self, x: &mut [f64], start: Option<&[f64]>, tolerance: f64) -> Swept {
        let read = |from: &[f64], q: u32| [from[q as usize], from[q as usize + 1], from[q as usize + 2]];
        for (k, &(q, _)) in self.rows.iter().enumerate() {
            self.b[k] = read(x, q);
            self.x[k] = start.map_or([0.0; 3], |s| read(s, q));
        }
        let done = self.iterate(start.is_some(), tolerance);
        self.shift();
        for (k, &(q, _)) in self.rows.iter().enumerate() {
            x[q as usize..q as usize + 3].copy_from_slice(&self.x[k]);
        }
        done
    }

    /// The right-hand side of the last solve again.
    pub fn right_hand_side(&self, x: &mut [f64]) {
        for (b, &(q, _)) in self.b.iter().zip(&self.rows) {
            x[q as usize..q as usize + 3].copy_from_slice(b);
        }
    }

    fn iterate(&mut self, started: bool, tolerance: f64) -> Swept {
        self.u.copy_from_slice(&self.b);
        self.forward();
        let wanted = tolerance * tolerance * self.measure();
        if started {
            self.residual();
            self.u.copy_from_slice(&self.r);
            self.forward();
        }
        self.r.copy_from_slice(&self.u);
        let mut rho = self.measure();
        for (p, (d, r)) in self.p.iter_mut().zip(self.diag.iter().zip(&self.r)) {
            *p = scaled(d, r);
        }
        for iterations in 0..T.sweep.most {
            if !(rho > wanted) {
                return Swept { iterations, converged: rho.is_finite() };
            }
            self.backward();
            for ((u, p), (d, t)) in self.u.iter_mut().zip(&self.p).zip(self.diag.iter().zip(&self.t)) {
                let dt = scaled(d, t);
                *u = [0, 1, 2].map(|c| p[c] + (T.sweep.relaxation - 2.0) * dt[c]);
            }
            self.forward();
            let mut pq = 0.0;
            for ((u, t), p) in self.u.iter_mut().zip(&self.t).zip(&self.p) {
                *u = [u[0] + t[0], u[1] + t[1], u[2] + t[2]];
                pq += u[0] * p[0] + u[1] * p[1] + u[2] * p[2];
            }
            let alpha = rho / pq;
            for ((x, t), (r, u)) in self.x.iter_mut().zip(&self.t).zip(self.r.iter_mut().zip(&self.u)) {
                for c in 0..3 {
                    x[c] += alpha * t[c];
                    r[c] -= alpha * u[c];
                }
            }
            self.u.copy_from_slice(&self.r);
            let next = self.measure();
            let beta = next / rho;
            rho = next;
            for (p, (d, r)) in self.p.iter_mut().zip(self.diag.iter().zip(&self.r)) {
                let z = scaled(d, r);
                *p = [0, 1, 2].map(|c| z[c] + beta * p[c]);
            }
        }
        Swept { iterations: T.sweep.most, converged: false }
    }

    /// u . D u.
    fn measure(&self) -> f64 {
        let of = |(d, u): (&M, &V)| {
            let z = scaled(d, u);
            u[0] * z[0] + u[1] * z[1] + u[2] * z[2]
        };
        self.diag.iter().zip(&self.u).map(of).sum()
    }

    /// u = (D + L)^-1 u.
    fn forward(&mut self) {
        for i in 0..self.rows.len() {
            let mut s = self.u[i];
            let range = self.start[i] as usize..self.start[i + 1] as usize;
            for (l, &j) in self.low[range.clone()].iter().zip(&self.column[range]) {
                let v = &self.u[j as usize];
                s[0] -= l[0] * v[0] + l[1] * v[1] + l[2] * v[2];
                s[1] -= l[3] * v[0] + l[4] * v[1] + l[5] * v[2];
                s[2] -= l[6] * v[0] + l[7] * v[1] + l[8] * v[2];
            }
            self.u[i] = times(&self.inverse[i], &s);
        }
    }

    /// t = (D + L^T)^-1 p.
    fn backward(&mut self) {
        self.t.copy_from_slice(&self.p);
        for i in (0..self.rows.len()).rev() {
            let v = times(&self.inverse[i], &self.t[i]);
            self.t[i] = v;
            let range = self.start[i] as usize..self.start[i + 1] as usize;
            for (l, &j) in self.low[range.clone()].iter().zip(&self.column[range]) {
                let t = &mut self.t[j as usize];
                t[0] -= l[0] * v[0] + l[3] * v[1] + l[6] * v[2];
                t[1] -= l[1] * v[0] + l[4] * v[1] + l[7] * v[2];
                t[2] -= l[2] * v[0] + l[5] * v[1] + l[8] * v[2];
            }
        }
    }

    /// r = b - A x.
    fn residual(&mut self) {
        self.r.copy_from_slice(&self.b);
        for i in 0..self.rows.len() {
            let x = self.x[i];
            let mut s = times(&self.diag[i], &x);
            let range = self.start[i] as usize..self.start[i + 1] as usize;
            for (l, &j) in self.low[range.clone()].iter().zip(&self.column[range]) {
                let y = times(l, &self.x[j as usize]);
                (0..3).for_each(|c| s[c] += y[c]);
                let r = &mut self.r[j as usize];
                r[0] -= l[0] * x[0] + l[3] * x[1] + l[6] * x[2];
                r[1] -= l[1] * x[0] + l[4] * x[1] + l[7] * x[2];
                r[2] -= l[2] * x[0] + l[5] * x[1] + l[8] * x[2];
            }
            (0..3).for_each(|c| self.r[i][c] -= s[c]);
        }
    }

    /// Shifts the solution as a whole until the residuals sum to zero.
    fn shift(&mut self) {
        self.residual();
        let Some(whole) = self.whole else { return };
        let sum = self.r.iter().fold([0.0; 3], |s, r| [s[0] + r[0], s[1] + r[1], s[2] + r[2]]);
        let by = times(&whole, &sum);
        self.x.iter_mut().for_each(|x| (0..3).for_each(|c| x[c] += by[c]));
    }
}

/// D v, with D = C/w.
#[inline(always)]
fn scaled(c: &M, v: &V) -> V {
    times(c, v).map(|x| x * (1.0 / T.sweep.relaxation))
}

#[inline(always)]
fn times(m: &M, v: &V) -> V {
    [
        m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
        m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
        m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
    ]
}

/// Inverse of a symmetric matrix, if it is positive definite.
fn invert(m: &M) -> Option<M> {
    let [a, b, c, _, d, e, _, _, f] = *m;
    let (p, q, r) = (d * f - e * e, c * e - b * f, b * e - c * d);
    let det = a * p + b * q + c * r;
    let positive = a > 0.0 && a * d - b * b > 0.0 && det > 0.0 && det.is_finite();
    let (s, t, u) = (a * f - c * c, b * c - a * e, a * d - b * b);
    positive.then(|| [p, q, r, q, s, t, r, t, u].map(|v| v / det))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_of_springs_is_solved_and_its_momentum_is_kept() {
        let n = 60;
        let pairs: Vec<(usize, usize)> = (1..n).map(|k| (k - 1, k)).collect();
        let p = Pattern::new(vec![3; n], &pairs);
        let mut m = BlockLdlt::new(&p);
        for k in 0..n {
            for c in 0..3 {
                m.diag[9 * k + 4 * c] = 1.0 + 50.0 * f64::from(u8::from(k > 0) + u8::from(k + 1 < n));
            }
        }
        for k in 0..n - 1 {
            let at = p.coupling(k, k + 1).unwrap();
            (0..3).for_each(|c| m.off[at + 4 * c] = -50.0);
        }
        let mut cg = SweepCg::new(&p, 0..n, |b| (7 * b) % n);
        assert!(cg.load(&m));
        let b: Vec<f64> = (0..3 * n).map(|k| ((k * k) % 17) as f64 - 8.0).collect();
        for (tolerance, start) in [(1e-12, None), (1e-12, Some(&b[..])), (1e-3, None)] {
            let mut x = b.clone();
            let done = cg.solve(&mut x, start, tolerance);
            assert!(done.converged && done.iterations < n);
            let force = |k: usize, c: usize| {
                let v = |k: usize| x[3 * k + c];
                let left = if k > 0 { v(k) - v(k - 1) } else { 0.0 };
                let right = if k + 1 < n { v(k) - v(k + 1) } else { 0.0 };
                v(k) + 50.0 * (left + right)
            };
            for c in 0..3 {
                let momentum: f64 = (0..n).map(|k| x[3 * k + c] - b[3 * k + c]).sum();
                assert!(momentum.abs() < 1e-12, "{momentum}");
                let worst = (0..n).map(|k| (force(k, c) - b[3 * k + c]).abs()).fold(0.0, f64::max);
                assert!(worst < 1e3 * tolerance, "{worst} {tolerance}");
            }
        }
    }
}

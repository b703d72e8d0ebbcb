//! Conjugate gradients for symmetric positive definite matrices of 3x3 blocks, preconditioned by a symmetric sweep over them.
//!
//! With A = L + C + L^T, C its diagonal blocks and D = C/w, the preconditioner is M = (D + L) D^-1 (D + L^T). In the variables that it
//! makes, a product needs no matrix beside its own two triangles (Eisenstat 1981):
//! ```text
//! (D + L)^-1 A (D + L^T)^-1 p = t + (D + L)^-1 (p + (w - 2) D t),   t = (D + L^T)^-1 p
//! ```
//! Vectors have four lanes, of which the last is idle, and rows of couplings are read four wide: the products of a sweep are then whole
//! vectors. Two right-hand sides can go through one sweep, each with its own iteration.
//!
//! The error is measured by r . M^-1 r against b . M^-1 b. At the end the solution is shifted as a whole so that the residuals sum to
//! zero: momentum is kept to rounding whatever the tolerance. The order of all sums is that of the rows.

use crate::block::matrix::Pattern;
use crate::block_ldlt::BlockLdlt;
use crate::tuning::T;
use std::ops::Range;
use taut_lanes::Kernel;

/// Three values; the fourth lane is idle.
type V = [f64; 4];
/// Rows of a block with their idle lanes zero.
type Rows = [V; 3];
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
    /// Nine values for each coupling, row-major, and one more at the end.
    low: Vec<f64>,
    diag: Vec<Rows>,
    inverse: Vec<Rows>,
    /// Inverse of the sum of all blocks.
    whole: Option<M>,
    /// Vectors by rows, the right-hand sides of a row one after another.
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
        s.low = vec![0.0; 9 * s.column.len() + 1];
        for m in [&mut s.diag, &mut s.inverse] {
            *m = vec![[[0.0; 4]; 3]; n];
        }
        for v in [&mut s.x, &mut s.b, &mut s.r, &mut s.p, &mut s.t, &mut s.u] {
            *v = vec![[0.0; 4]; MOST * n];
        }
        s
    }

    /// Takes the values of an assembled matrix; false when a diagonal block is not positive definite.
    pub fn load(&mut self, m: &BlockLdlt) -> bool {
        let mut whole = [0.0; 9];
        for (low, &(at, transposed)) in self.low.chunks_exact_mut(9).zip(&self.from) {
            let v = &m.off[at as usize..at as usize + 9];
            let up = [v[0], v[3], v[6], v[1], v[4], v[7], v[2], v[5], v[8]];
            low.copy_from_slice(if transposed { &up } else { v });
            for k in 0..9 {
                whole[k] += v[k] + up[k];
            }
        }
        let mut positive = true;
        for ((diag, inverse), &(_, at)) in self.diag.iter_mut().zip(&mut self.inverse).zip(&self.rows) {
            let mut block = [0.0; 9];
            block.copy_from_slice(&m.diag[at as usize..at as usize + 9]);
            (0..9).for_each(|k| whole[k] += block[k]);
            *diag = rows_of(&block.map(|v| v * (1.0 / T.sweep.relaxation)));
            match invert(&block) {
                Some(i) => *inverse = rows_of(&i.map(|v| T.sweep.relaxation * v)),
                None => positive = false,
            }
        }
        self.whole = invert(&whole);
        positive
    }

    /// Solves A x = b; b is in `x`, which is overwritten, and the iteration starts from `start` or from zero.
    pub fn solve(&mut self, x: &mut [f64], start: Option<&[f64]>, tolerance: f64) -> Swept {
        self.solve_all([x], [start], tolerance)
    }

    /// Solves for two right-hand sides in the same sweeps; the iterations are those of the slower one.
    pub fn solve_two(&mut self, x: [&mut [f64]; 2], start: [Option<&[f64]>; 2], tolerance: f64) -> Swept {
        self.solve_all(x, start, tolerance)
    }

    fn solve_all<const N: usize>(&mut self, x: [&mut [f64]; N], start: [Option<&[f64]>; N], tolerance: f64) -> Swept {
        let read = |from: &[f64], q: u32| [from[q as usize], from[q as usize + 1], from[q as usize + 2], 0.0];
        for (k, &(q, _)) in self.rows.iter().enumerate() {
            for s in 0..N {
                self.b[N * k + s] = read(x[s], q);
                self.x[N * k + s] = start[s].map_or([0.0; 4], |start| read(start, q));
            }
        }
        let done = taut_lanes::run(Iterate { cg: self, started: start.map(|s| s.is_some()), tolerance });
        taut_lanes::run(Residual::<N>(self));
        self.shift::<N>();
        for (k, &(q, _)) in self.rows.iter().enumerate() {
            for s in 0..N {
                x[s][q as usize..q as usize + 3].copy_from_slice(&self.x[N * k + s][..3]);
            }
        }
        done
    }

    /// A right-hand side of the last solve again: which, and of how many.
    pub fn right_hand_side(&self, (which, many): (usize, usize), x: &mut [f64]) {
        for (b, &(q, _)) in self.b[which..].iter().step_by(many).zip(&self.rows) {
            x[q as usize..q as usize + 3].copy_from_slice(&b[..3]);
        }
    }

    /// Shifts the solutions as a whole until the residuals, which are in r, sum to zero.
    fn shift<const N: usize>(&mut self) {
        let Some(whole) = self.whole.as_ref().map(rows_of) else { return };
        let n = N * self.rows.len();
        for s in 0..N {
            let sum = self.r[s..n].iter().step_by(N).fold([0.0; 4], |sum, r| [0, 1, 2, 3].map(|c| sum[c] + r[c]));
            let by = times(&whole, &sum);
            self.x[s..n].iter_mut().step_by(N).for_each(|x| (0..3).for_each(|c| x[c] += by[c]));
        }
    }

    /// The couplings of row i to earlier ones: their values, and one more, and these rows.
    #[inline(always)]
    fn earlier(&self, i: usize) -> (&[f64], &[u32]) {
        let range = self.start[i] as usize..self.start[i + 1] as usize;
        (&self.low[9 * range.start..9 * range.end + 1], &self.column[range])
    }

    /// u = (D + L)^-1 u.
    #[inline(always)]
    fn forward<const N: usize>(&mut self) {
        for i in 0..self.rows.len() {
            let mut sums = [[[0.0; 4]; 3]; N];
            let (low, columns) = self.earlier(i);
            for (k, &j) in columns.iter().enumerate() {
                let Some(l) = rows_at(low, k) else { break };
                for (s, sums) in sums.iter_mut().enumerate() {
                    let v = &self.u[N * j as usize + s];
                    for (sum, l) in sums.iter_mut().zip(&l) {
                        (0..4).for_each(|c| sum[c] += l[c] * v[c]);
                    }
                }
            }
            for (s, sums) in sums.iter().enumerate() {
                let u = &mut self.u[N * i + s];
                let sum = sums.map(|s| (s[0] + s[1]) + s[2]);
                *u = times(&self.inverse[i], &[u[0] - sum[0], u[1] - sum[1], u[2] - sum[2], 0.0]);
            }
        }
    }

    /// t = (D + L^T)^-1 p.
    #[inline(always)]
    fn backward<const N: usize>(&mut self) {
        let n = self.rows.len();
        self.t[..N * n].copy_from_slice(&self.p[..N * n]);
        for i in (0..n).rev() {
            let v: [V; N] = std::array::from_fn(|s| times(&self.inverse[i], &self.t[N * i + s]));
            self.t[N * i..N * i + N].copy_from_slice(&v);
            let range = self.start[i] as usize..self.start[i + 1] as usize;
            let low = &self.low[9 * range.start..9 * range.end + 1];
            for (k, &j) in self.column[range].iter().enumerate() {
                let Some(l) = rows_at(low, k) else { break };
                for (s, v) in v.iter().enumerate() {
                    let t = &mut self.t[N * j as usize + s];
                    (0..4).for_each(|c| t[c] -= l[0][c] * v[0] + l[1][c] * v[1] + l[2][c] * v[2]);
                }
            }
        }
    }
}

/// Most right-hand sides at once.
const MOST: usize = 2;

/// r = b - A x.
struct Residual<'a, const N: usize>(&'a mut SweepCg);

impl<const N: usize> Kernel for Residual<'_, N> {
    type Out = ();

    #[inline(always)]
    fn run(self) {
        let cg = self.0;
        let n = N * cg.rows.len();
        cg.r[..n].copy_from_slice(&cg.b[..n]);
        for i in 0..cg.rows.len() {
            for s in 0..N {
                let x = cg.x[N * i + s];
                let whole = times(&cg.diag[i], &x);
                let mut sums = whole.map(|v| v * T.sweep.relaxation);
                let range = cg.start[i] as usize..cg.start[i + 1] as usize;
                let low = &cg.low[9 * range.start..9 * range.end + 1];
                for (k, &j) in cg.column[range].iter().enumerate() {
                    let Some(l) = rows_at(low, k) else { break };
                    let y = &cg.x[N * j as usize + s];
                    (0..3).for_each(|q| sums[q] += l[q][0] * y[0] + l[q][1] * y[1] + l[q][2] * y[2]);
                    let r = &mut cg.r[N * j as usize + s];
                    (0..4).for_each(|c| r[c] -= l[0][c] * x[0] + l[1][c] * x[1] + l[2][c] * x[2]);
                }
                (0..3).for_each(|c| cg.r[N * i + s][c] -= sums[c]);
            }
        }
        cg.r[..n].iter_mut().for_each(|r| r[3] = 0.0);
    }
}

/// The iteration for the right-hand sides in b, from x where it is started.
struct Iterate<'a, const N: usize> {
    cg: &'a mut SweepCg,
    started: [bool; N],
    tolerance: f64,
}

impl<const N: usize> Kernel for Iterate<'_, N> {
    type Out = Swept;

    #[inline(always)]
    fn run(self) -> Swept {
        let (cg, w) = (self.cg, T.sweep.relaxation);
        let n = N * cg.rows.len();
        cg.u[..n].copy_from_slice(&cg.b[..n]);
        cg.forward::<N>();
        let wanted = measure::<N>(&cg.diag, &cg.u, &mut cg.p).map(|m| self.tolerance * self.tolerance * m);
        if self.started.contains(&true) {
            Residual::<N>(cg).run();
            cg.u[..n].copy_from_slice(&cg.r[..n]);
            cg.forward::<N>();
        }
        cg.r[..n].copy_from_slice(&cg.u[..n]);
        // p = D r.
        let mut rho = measure::<N>(&cg.diag, &cg.r, &mut cg.p);
        for iterations in 0..T.sweep.most {
            let runs: [bool; N] = std::array::from_fn(|s| rho[s] > wanted[s]);
            if !runs.contains(&true) {
                return Swept { iterations, converged: rho.iter().all(|rho| rho.is_finite()) };
            }
            cg.backward::<N>();
            for (i, d) in cg.diag.iter().enumerate() {
                for k in N * i..N * i + N {
                    let dt = times(d, &cg.t[k]);
                    cg.u[k] = std::array::from_fn(|c| cg.p[k][c] + (w - 2.0) * dt[c]);
                }
            }
            cg.forward::<N>();
            let mut pq = [[0.0; 4]; N];
            for (k, (u, (t, p))) in cg.u[..n].iter_mut().zip(cg.t.iter().zip(&cg.p)).enumerate() {
                (0..4).for_each(|c| u[c] += t[c]);
                (0..4).for_each(|c| pq[k % N][c] += u[c] * p[c]);
            }
            // One that has arrived stays where it is.
            let alpha: [f64; N] =
                std::array::from_fn(|s| if runs[s] { rho[s] / ((pq[s][0] + pq[s][1]) + pq[s][2]) } else { 0.0 });
            for (k, ((x, t), (r, u))) in cg.x[..n].iter_mut().zip(&cg.t).zip(cg.r.iter_mut().zip(&cg.u)).enumerate() {
                for c in 0..4 {
                    x[c] += alpha[k % N] * t[c];
                    r[c] -= alpha[k % N] * u[c];
                }
            }
            // u = D r.
            let next = measure::<N>(&cg.diag, &cg.r, &mut cg.u);
            let beta: [f64; N] = std::array::from_fn(|s| if runs[s] { next[s] / rho[s] } else { 0.0 });
            rho = next;
            for (k, (p, u)) in cg.p[..n].iter_mut().zip(&cg.u).enumerate() {
                (0..4).for_each(|c| p[c] = u[c] + beta[k % N] * p[c]);
            }
        }
        Swept { iterations: T.sweep.most, converged: false }
    }
}

/// z = D u, and u . z of each right-hand side.
#[inline(always)]
fn measure<const N: usize>(diag: &[Rows], u: &[V], z: &mut [V]) -> [f64; N] {
    let mut sums = [[0.0; 4]; N];
    for (i, d) in diag.iter().enumerate() {
        for (s, sum) in sums.iter_mut().enumerate() {
            let (u, z) = (&u[N * i + s], &mut z[N * i + s]);
            *z = times(d, u);
            (0..4).for_each(|c| sum[c] += u[c] * z[c]);
        }
    }
    sums.map(|s| (s[0] + s[1]) + s[2])
}

/// The rows of coupling k, each with one value more, which is of no account.
#[inline(always)]
fn rows_at(low: &[f64], k: usize) -> Option<Rows> {
    let l = low[9 * k..].first_chunk::<10>()?;
    Some([[l[0], l[1], l[2], l[3]], [l[3], l[4], l[5], l[6]], [l[6], l[7], l[8], l[9]]])
}

fn rows_of(m: &M) -> Rows {
    [[m[0], m[1], m[2], 0.0], [m[3], m[4], m[5], 0.0], [m[6], m[7], m[8], 0.0]]
}

/// A symmetric block times a vector.
#[inline(always)]
fn times(m: &Rows, v: &V) -> V {
    std::array::from_fn(|c| m[0][c] * v[0] + m[1][c] * v[1] + m[2][c] * v[2])
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
            // Two at once give the bits of each alone.
            let (mut one, mut two) = (b.clone(), b.iter().rev().copied().collect::<Vec<f64>>());
            let mut alone = two.clone();
            let both = cg.solve_two([&mut one, &mut two], [start, None], tolerance);
            let other = cg.solve(&mut alone, None, tolerance);
            assert_eq!(both.iterations, done.iterations.max(other.iterations));
            assert!(one == x && two == alone);
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

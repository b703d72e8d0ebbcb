//! Ropes with friction at their guides: rows in a row, whose tensions hold each other.
//!
//! ```text
//! T_k = -z_k >= 0,   T_{k+1} <= kappa T_k,   T_k <= kappa' T_{k+1}
//! w_k = s_k - s_{k-1} + r_k      s: slip at the guide after span k (none at the ends), r_k <= 0 only where T_k = 0
//!                                s_k > 0 (towards the end) only where T_{k+1} = kappa T_k, s_k < 0 only where T_k = kappa' T_{k+1}
//! ```
//!
//! Slip moves material from one span to the next; it never makes any, so this is not the associated (convex) law. With the differences
//! `z'_0 = z_0, z'_k = z_k - z_{k-1}`, whose velocities are the sums `w'_k = w_k + ... + w_n`, it is one of bounds that follow what is
//! before them, as Coulomb friction follows its normal:
//!
//! ```text
//! z'_0 <= 0 _|_ w'_0 <= 0,     (kappa - 1) P <= z'_k <= (1/kappa' - 1) P,  P = z'_0 + ... + z'_{k-1},     w'_k = s_{k-1}
//! ```
//!
//! A rope is slack as a whole: where one tension is zero all are. W stays symmetric, `W' = S^T W S` with S the sums.

use super::canon::{Canon, Cell, clip};
use super::driver::Count;
use super::law::Law;
use super::{Block, Problem, Work};
use std::ops::Range;

/// Compliance of a span whose ends cannot move, in parts of the largest diagonal entry of its rope: its tension is what friction holds.
const GIVE: f64 = 1e-12;

/// A problem with its ropes by their differences.
#[derive(Clone, Debug, Default)]
pub(super) struct Unfolded {
    w: Vec<f64>,
    q: Vec<f64>,
    z: Vec<f64>,
}

/// Whether there are ropes with friction.
pub(super) fn is_in(p: &Problem<'_>) -> bool {
    p.blocks.iter().any(|b| matches!(b, Block::Span { .. }))
}

/// Rows of each rope.
fn ropes(blocks: &[Block]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut row = 0;
    blocks.iter().enumerate().filter_map(move |(k, b)| {
        let first = row;
        row += b.rows();
        let Block::Span { over } = b else { return None };
        let follows = |b: &&Block| matches!(b, Block::Span { over: Some(_) });
        let begins = over.is_none() || k == 0 || !matches!(blocks[k - 1], Block::Span { .. });
        begins.then(|| first..first + 1 + blocks[k + 1..].iter().take_while(follows).count())
    })
}

impl Unfolded {
    /// False when the lengths do not fit.
    fn load(&mut self, p: &Problem<'_>, z: &[f64]) -> bool {
        let n = p.q.len();
        if z.len() != n || n.checked_mul(n) != Some(p.w.len()) || p.blocks.iter().map(Block::rows).sum::<usize>() != n {
            return false;
        }
        self.w.clear();
        self.w.extend_from_slice(p.w);
        self.q.clear();
        self.q.extend_from_slice(p.q);
        self.z.clear();
        self.z.extend(z.iter().map(|z| if z.is_finite() { *z } else { 0.0 }));
        for rope in ropes(p.blocks) {
            let most = rope.clone().map(|i| self.w[i * n + i]).fold(0.0, f64::max);
            rope.clone().for_each(|i| self.w[i * n + i] += GIVE * most);
            for i in rope.clone().rev().skip(1) {
                for j in 0..n {
                    self.w[i * n + j] += self.w[(i + 1) * n + j];
                }
                self.q[i] += self.q[i + 1];
            }
            for j in rope.clone().rev().skip(1) {
                for i in 0..n {
                    self.w[i * n + j] += self.w[i * n + j + 1];
                }
            }
            for i in rope.skip(1).rev() {
                self.z[i] -= self.z[i - 1];
            }
        }
        true
    }
}

/// Solves with the ropes by their differences; `z` are tensions before and after.
pub(super) fn unfolded<R>(
    p: &Problem<'_>,
    z: &mut [f64],
    work: &mut Work,
    solve: impl FnOnce(&Problem<'_>, &mut [f64], &mut Work) -> R,
) -> R {
    let mut own = std::mem::take(&mut work.unfolded);
    let fits = own.load(p, z);
    let Unfolded { w, q, z: differences } = &mut own;
    let out = if fits {
        let out = solve(&Problem { w, q, ..*p }, differences, work);
        z.copy_from_slice(differences);
        for rope in ropes(p.blocks) {
            rope.skip(1).for_each(|i| z[i] += z[i - 1]);
        }
        out
    } else {
        // Refused there as everything of the wrong length is.
        solve(p, z, work)
    };
    work.unfolded = own;
    out
}

/// The natural-map residual at `z`; see [`super::residual`].
pub(super) fn residual(p: &Problem<'_>, z: &[f64], work: &mut Work) -> f64 {
    let of = |p: &Problem<'_>, z: &[f64], canon: &mut Canon| {
        if z.len() != p.q.len() || !canon.scales(p) { f64::INFINITY } else { canon.residual_of(p, z) }
    };
    if !is_in(p) {
        return of(p, z, &mut work.canon);
    }
    let Work { canon, unfolded, .. } = work;
    if !unfolded.load(p, z) {
        return f64::INFINITY;
    }
    of(&Problem { w: &unfolded.w, q: &unfolded.q, ..*p }, &unfolded.z, canon)
}

/// The bounds of each row of a rope, for the y that are before it.
pub(super) fn bounds(c: &Canon, rope: Range<usize>, y: impl Fn(usize) -> f64, mut see: impl FnMut(usize, f64, f64)) {
    let mut sum = 0.0;
    for i in rope.clone() {
        let (lo, hi) = if i == rope.start { (f64::NEG_INFINITY, 0.0) } else { between(c, i, sum) };
        see(i, lo, hi);
        sum += c.scale[i] * y(i);
    }
}

/// Bounds of row i after tensions that add up to -sum.
#[inline]
fn between(c: &Canon, i: usize, sum: f64) -> (f64, f64) {
    let [on, back] = c.slopes[i];
    (on * sum / c.scale[i], back * sum / c.scale[i])
}

/// Brings the y of a rope within their bounds, from its start on.
pub(super) fn project(c: &Canon, rope: Range<usize>, y: &mut [f64]) {
    settle(c, Law::Coulomb, rope, y, |_, _| ());
}

/// The same by a law, with what each row follows the sum before it by; none for a free row.
pub(super) fn settle(
    c: &Canon,
    law: Law<'_>,
    rope: Range<usize>,
    p: &mut [f64],
    mut follows: impl FnMut(usize, Option<f64>),
) {
    let mut sum = 0.0;
    for i in rope.clone() {
        if i == rope.start {
            let open = p[i] >= 0.0;
            p[i] = p[i].min(0.0);
            follows(i, open.then_some(0.0));
        } else {
            let (before, frozen) = match law {
                Law::Tresca(radii) => (radii[i], true),
                Law::Coulomb | Law::Cone => (sum, false),
            };
            let (lo, hi) = between(c, i, before);
            let slope = |k: usize| if frozen { 0.0 } else { c.slopes[i][k] };
            follows(
                i,
                if p[i] <= lo {
                    Some(slope(0))
                } else if p[i] >= hi {
                    Some(slope(1))
                } else {
                    None
                },
            );
            p[i] = clip(p[i], lo, hi);
        }
        sum += c.scale[i] * p[i];
    }
}

/// The sum before each row of a rope, where the law of frozen radii reads it.
pub(super) fn freeze(c: &Canon, p: &[f64], radii: &mut [f64]) {
    for cell in &c.cells {
        let Cell::Chain { row, rows } = *cell else { continue };
        let mut sum = 0.0;
        for i in row..row + rows {
            radii[i] = sum;
            sum += c.scale[i] * p[i];
        }
    }
}

/// The modes of the derivative of a rope: one for each free row, with the rows that follow it.
pub(super) fn modes(
    c: &Canon,
    rope: Range<usize>,
    slope: &[Option<f64>],
    long: &mut Vec<f64>,
    mut push: impl FnMut(usize, (usize, usize)),
) {
    for free in rope.clone().filter(|&i| slope[i].is_none()) {
        let start = long.len();
        let mut sum = 0.0;
        for i in free..rope.end {
            let f = if i == free { 1.0 } else { slope[i].map_or(0.0, |k| k * sum / c.scale[i]) };
            long.push(f);
            sum += c.scale[i] * f;
        }
        push(free, (start, long.len()));
    }
}

/// One row after the other with the others fixed.
pub(super) fn sweep(c: &Canon, rope: Range<usize>, y: &mut [f64], u: &mut [f64], count: &mut Count) {
    let n = c.n;
    let mut sum = 0.0;
    for i in rope.clone() {
        let d = c.w[i * n + i];
        let (lo, hi) = if i == rope.start { (f64::NEG_INFINITY, 0.0) } else { between(c, i, sum) };
        let next = if d > 0.0 { clip(y[i] - u[i] / d, lo, hi) } else { clip(y[i], lo, hi) };
        let step = next - y[i];
        if step != 0.0 {
            y[i] = next;
            for (u, w) in u.iter_mut().zip(&c.w[i * n..(i + 1) * n]) {
                *u += step * w;
            }
            count.flops += 2.0 * n as f64;
        }
        sum += c.scale[i] * y[i];
    }
}

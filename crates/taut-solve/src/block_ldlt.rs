//! Block LDL^T without pivoting of a symmetric quasi-definite block matrix, linear in time on trees.
//!
//! For each block in elimination order, with couplings B_a to later blocks a:
//! ```text
//! D_k = L d L^T,   W_a = L^-1 B_a,   D_a -= W_a^T d^-1 W_a,   B_ab -= W_a^T d^-1 W_b  (a < b)
//! ```
//! Node blocks must have positive pivots, row blocks negative ones (Vanderbei's quasi-definite order of signs).
//! A row that closes a loop may be redundant: its pivot is then the rounding that is left of its mobility through the other joints
//! when the other loop rows are taken off. When it is below `T.factor.drop` times the mobility without them, or below `T.factor.noise` times the row's bare
//! mobility (that of its two bodies alone, the size of the numbers that cancel), it is dropped, that is, its multiplier is zero, and
//! reported. A wrong sign anywhere else is an error.

use crate::block::matrix::Pattern;
use crate::tuning::T;
use std::ops::Range;

/// Largest number of rows in a block: the rows of one joint.
pub const MAX_DIM: usize = 12;

/// Part of the bare mobility of a row below which its pivot is rounding.
pub fn noise() -> f64 {
    T.factor.noise
}

/// What the matrix is known to be, given with the pattern.
#[derive(Clone, Debug, Default)]
pub struct Signs {
    /// True for the blocks of rows (negative pivots expected), false for nodes.
    pub is_row: Vec<bool>,
    /// Whether any row may be dropped.
    pub has_loops: bool,
}

/// A pivot of the wrong sign: the matrix is not quasi-definite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Breakdown {
    /// Position of the block in the elimination order.
    pub block: usize,
    /// Row inside the block.
    pub row: usize,
    /// The pivot.
    pub pivot: f64,
}

/// What the factorisation saw.
#[derive(Clone, Copy, Debug)]
pub struct FactorInfo {
    /// Smallest pivot of a loop row relative to its mobility (infinite when there is none).
    pub smallest_pivot: f64,
    /// Rows dropped as redundant.
    pub dropped: usize,
}

impl Default for FactorInfo {
    fn default() -> Self {
        FactorInfo { smallest_pivot: f64::INFINITY, dropped: 0 }
    }
}

/// Values of the matrix, overwritten by its factor.
#[derive(Clone, Debug, Default)]
pub struct BlockLdlt {
    /// Diagonal blocks, row-major. After the factorisation: L below, 1/d on the diagonal.
    pub diag: Vec<f64>,
    /// Off-diagonal blocks, pivot-major. After the factorisation: W.
    pub off: Vec<f64>,
    /// Mobility of each loop row by scalar index; zero for rows that may not be dropped.
    pub reference: Vec<f64>,
    /// Rows dropped in the last factorisation, by scalar index.
    pub dropped: Vec<bool>,
    /// Mobility of each loop row with the loop rows before it taken away, by scalar index.
    pub tree: Vec<f64>,
}

impl BlockLdlt {
    /// Memory for a pattern.
    pub fn new(pattern: &Pattern) -> Self {
        let mut made = BlockLdlt::default().renewed(pattern);
        made.make_room(pattern);
        made
    }

    /// Makes room for the blocks and for the mobilities of loop rows, where they are asked for: trees in joint coordinates do without.
    /// Every block is written before a factorisation reads it; mobilities are zero until they are.
    pub fn make_room(&mut self, pattern: &Pattern) {
        let size = pattern.size();
        if (self.diag.len(), self.off.len(), self.reference.len()) != (pattern.diag_len, pattern.off_len, size) {
            self.diag.resize(pattern.diag_len, 0.0);
            self.off.resize(pattern.off_len, 0.0);
            self.reference.resize(size, 0.0);
            self.tree.resize(size, 0.0);
        }
    }

    /// The same in memory that served another pattern, without room for the blocks.
    pub fn renewed(mut self, pattern: &Pattern) -> Self {
        self.reference.clear();
        self.tree.clear();
        self.dropped.clear();
        self.dropped.resize(pattern.size(), false);
        self
    }

    /// Factorises the blocks of one island in place.
    pub fn factor(&mut self, p: &Pattern, signs: &Signs, blocks: Range<usize>) -> Result<FactorInfo, Breakdown> {
        let mut info = FactorInfo::default();
        if signs.has_loops && !blocks.is_empty() {
            let end = p.row[blocks.end - 1] + p.dims[blocks.end - 1];
            if self.tree.len() < end {
                self.tree.resize(p.size(), 0.0);
            }
            self.tree[p.row[blocks.start]..end].fill(0.0);
        }
        let mut scaled = [0.0; MAX_DIM * MAX_DIM];
        for k in blocks {
            let d = p.dims[k];
            // Split the values so that the pivot block is readable while later ones are written.
            let (pivot, later_diag) = self.diag[p.diag[k]..].split_at_mut(d * d);
            // Only blocks of rows can be dropped; without loops none can.
            let rows = if signs.has_loops && signs.is_row[k] { p.row[k]..p.row[k] + d } else { 0..0 };
            let reference = &self.reference[rows.clone()];
            let closes_loop = reference.iter().any(|&m| m > 0.0);
            let mut loops = Loops { reference, dropped: &mut self.dropped[rows.clone()], tree: &mut self.tree[rows] };
            match d {
                6 => ldl(pivot, 6, signs.is_row[k], &mut loops, &mut info),
                3 => ldl(pivot, 3, signs.is_row[k], &mut loops, &mut info),
                7 => ldl(pivot, 7, signs.is_row[k], &mut loops, &mut info),
                _ => ldl(pivot, d, signs.is_row[k], &mut loops, &mut info),
            }
            .map_err(|(row, pivot)| Breakdown { block: k, row, pivot })?;

            let neighbours = p.of(k);
            let Some(&(_, first)) = neighbours.first() else { continue };
            let own: usize = neighbours.iter().map(|&(a, _)| d * p.dims[a]).sum();
            let (w, later_off) = self.off[first..].split_at_mut(own);
            let diag_base = p.diag[k] + d * d;
            let off_base = first + own;
            for &(a, at) in neighbours {
                let da = p.dims[a];
                let wa = &mut w[at - first..at - first + d * da];
                match (d, da) {
                    (6, 3) => substitute(pivot, 6, wa, 3),
                    (3, 6) => substitute(pivot, 3, wa, 6),
                    (6, 5) => substitute(pivot, 6, wa, 5),
                    (5, 6) => substitute(pivot, 5, wa, 6),
                    (6, 6) => substitute(pivot, 6, wa, 6),
                    (3, 3) => substitute(pivot, 3, wa, 3),
                    (6, 7) => substitute(pivot, 6, wa, 7),
                    (7, 6) => substitute(pivot, 7, wa, 6),
                    _ => substitute(pivot, d, wa, da),
                }
            }
            let mut pair = p.pair_start[k];
            for (i, &(a, at)) in neighbours.iter().enumerate() {
                let da = p.dims[a];
                let wa = &w[at - first..at - first + d * da];
                let target = &mut later_diag[p.diag[a] - diag_base..p.diag[a] - diag_base + da * da];
                if closes_loop && signs.is_row[a] {
                    taken_off(pivot, d, wa, &mut self.tree[p.row[a]..p.row[a] + da]);
                }
                match (d, da) {
                    (6, 3) => update(pivot, 6, wa, 3, &mut scaled, target),
                    (3, 6) => update(pivot, 3, wa, 6, &mut scaled, target),
                    (6, 5) => update(pivot, 6, wa, 5, &mut scaled, target),
                    (5, 6) => update(pivot, 5, wa, 6, &mut scaled, target),
                    (6, 6) => update(pivot, 6, wa, 6, &mut scaled, target),
                    (3, 3) => update(pivot, 3, wa, 3, &mut scaled, target),
                    (6, 7) => update(pivot, 6, wa, 7, &mut scaled, target),
                    (7, 6) => update(pivot, 7, wa, 6, &mut scaled, target),
                    _ => update(pivot, d, wa, da, &mut scaled, target),
                }
                for &(b, at_b) in &neighbours[i + 1..] {
                    let db = p.dims[b];
                    let target = &mut later_off[p.pairs[pair] - off_base..p.pairs[pair] - off_base + da * db];
                    pair += 1;
                    let wb = &w[at_b - first..at_b - first + d * db];
                    match (d, da, db) {
                        (6, 3, 3) => couple(6, &scaled, 3, wb, 3, target),
                        (6, 3, 6) => couple(6, &scaled, 3, wb, 6, target),
                        (3, 6, 6) => couple(3, &scaled, 6, wb, 6, target),
                        (3, 3, 3) => couple(3, &scaled, 3, wb, 3, target),
                        _ => couple(d, &scaled, da, wb, db, target),
                    }
                }
            }
        }
        Ok(info)
    }

    /// Solves for one right-hand side in place, on the blocks of one island.
    pub fn solve(&self, p: &Pattern, blocks: Range<usize>, x: &mut [f64]) {
        for k in blocks.clone() {
            let d = p.dims[k];
            let pivot = &self.diag[p.diag[k]..p.diag[k] + d * d];
            let (head, tail) = x.split_at_mut(p.row[k] + d);
            let r = &mut head[p.row[k]..];
            match d {
                6 => lower(pivot, 6, r),
                3 => lower(pivot, 3, r),
                7 => lower(pivot, 7, r),
                _ => lower(pivot, d, r),
            }
            let base = p.row[k] + d;
            for &(a, at) in p.of(k) {
                let da = p.dims[a];
                let w = &self.off[at..at + d * da];
                let target = &mut tail[p.row[a] - base..p.row[a] - base + da];
                match (d, da) {
                    (6, 3) => forward(pivot, 6, w, 3, r, target),
                    (3, 6) => forward(pivot, 3, w, 6, r, target),
                    (6, 5) => forward(pivot, 6, w, 5, r, target),
                    (5, 6) => forward(pivot, 5, w, 6, r, target),
                    (6, 7) => forward(pivot, 6, w, 7, r, target),
                    (7, 6) => forward(pivot, 7, w, 6, r, target),
                    (6, 6) => forward(pivot, 6, w, 6, r, target),
                    _ => forward(pivot, d, w, da, r, target),
                }
            }
        }
        for k in blocks.rev() {
            let d = p.dims[k];
            let pivot = &self.diag[p.diag[k]..p.diag[k] + d * d];
            let (head, tail) = x.split_at_mut(p.row[k] + d);
            let r = &mut head[p.row[k]..];
            let base = p.row[k] + d;
            for &(a, at) in p.of(k) {
                let da = p.dims[a];
                let w = &self.off[at..at + d * da];
                let later = &tail[p.row[a] - base..p.row[a] - base + da];
                match (d, da) {
                    (6, 3) => backward(6, w, 3, r, later),
                    (3, 6) => backward(3, w, 6, r, later),
                    (6, 5) => backward(6, w, 5, r, later),
                    (5, 6) => backward(5, w, 6, r, later),
                    (6, 7) => backward(6, w, 7, r, later),
                    (7, 6) => backward(7, w, 6, r, later),
                    (6, 6) => backward(6, w, 6, r, later),
                    _ => backward(d, w, da, r, later),
                }
            }
            match d {
                6 => upper(pivot, 6, r),
                3 => upper(pivot, 3, r),
                7 => upper(pivot, 7, r),
                _ => upper(pivot, d, r),
            }
        }
    }
}

/// What is known of the rows of a block that closes a loop; empty for the others.
struct Loops<'a> {
    reference: &'a [f64],
    dropped: &'a mut [bool],
    tree: &'a mut [f64],
}

/// Adds what a block of loop rows takes off the mobility of later rows.
fn taken_off(pivot: &[f64], d: usize, w: &[f64], tree: &mut [f64]) {
    let da = tree.len();
    for k in 0..d {
        let inverse = pivot[k * d + k].abs();
        for (t, w) in tree.iter_mut().zip(&w[k * da..(k + 1) * da]) {
            *t += inverse * w * w;
        }
    }
}

/// Scalar LDL^T of one block: L below the diagonal, reciprocal pivots on it.
#[inline(always)]
fn ldl(
    a: &mut [f64],
    d: usize,
    is_row: bool,
    loops: &mut Loops<'_>,
    info: &mut FactorInfo,
) -> Result<(), (usize, f64)> {
    let mut pivots = [0.0; MAX_DIM];
    let a = &mut a[..d * d];
    for j in 0..d {
        let alone = a[j * d + j];
        let mut s = alone;
        for k in 0..j {
            s -= a[j * d + k] * a[j * d + k] * pivots[k];
        }
        if let Some(&mobility) = loops.reference.get(j).filter(|&&m| m > 0.0) {
            loops.dropped[j] = false;
            loops.tree[j] += -alone;
            let tree = loops.tree[j].clamp(0.0, mobility);
            info.smallest_pivot = info.smallest_pivot.min(-s / tree.max(T.factor.noise * mobility));
            if -s < (T.factor.drop * tree).max(T.factor.noise * mobility) {
                // Redundant: no multiplier, no coupling.
                loops.dropped[j] = true;
                info.dropped += 1;
                a[j * d + j] = 0.0;
                for i in j + 1..d {
                    a[i * d + j] = 0.0;
                }
                continue;
            }
        }
        let right_sign = if is_row { s < 0.0 } else { s > 0.0 };
        if !right_sign || !s.is_finite() {
            return Err((j, s));
        }
        pivots[j] = s;
        let inverse = 1.0 / s;
        a[j * d + j] = inverse;
        for i in j + 1..d {
            let mut t = a[i * d + j];
            for k in 0..j {
                t -= a[i * d + k] * a[j * d + k] * pivots[k];
            }
            a[i * d + j] = t * inverse;
        }
    }
    Ok(())
}

/// W = L^-1 B in place.
#[inline(always)]
pub(super) fn substitute(pivot: &[f64], d: usize, w: &mut [f64], da: usize) {
    let (pivot, w) = (&pivot[..d * d], &mut w[..d * da]);
    for i in 1..d {
        let (done, rest) = w.split_at_mut(i * da);
        let row = &mut rest[..da];
        for j in 0..i {
            let l = pivot[i * d + j];
            let from = &done[j * da..(j + 1) * da];
            for q in 0..da {
                row[q] -= l * from[q];
            }
        }
    }
}

/// scaled = d^-1 W, target -= W^T scaled.
#[inline(always)]
fn update(pivot: &[f64], d: usize, w: &[f64], da: usize, scaled: &mut [f64; MAX_DIM * MAX_DIM], target: &mut [f64]) {
    let (pivot, w) = (&pivot[..d * d], &w[..d * da]);
    let target = &mut target[..da * da];
    for k in 0..d {
        let inverse = pivot[k * d + k];
        let row = &w[k * da..(k + 1) * da];
        let scaled = &mut scaled[k * da..(k + 1) * da];
        for q in 0..da {
            scaled[q] = inverse * row[q];
        }
        for r in 0..da {
            let s = scaled[r];
            let out = &mut target[r * da..(r + 1) * da];
            for q in 0..da {
                out[q] -= s * row[q];
            }
        }
    }
}

/// target -= scaled_a^T W_b, row by row so that a row stays in registers.
#[inline(always)]
pub(super) fn couple(d: usize, scaled: &[f64], da: usize, wb: &[f64], db: usize, target: &mut [f64]) {
    let (target, scaled, wb) = (&mut target[..da * db], &scaled[..d * da], &wb[..d * db]);
    for r in 0..da {
        let out = &mut target[r * db..(r + 1) * db];
        for k in 0..d {
            let s = scaled[k * da + r];
            let row = &wb[k * db..(k + 1) * db];
            for q in 0..db {
                out[q] -= s * row[q];
            }
        }
    }
}

/// r = L^-1 r, with L and 1/d of a pivot block as the factor has them.
#[inline(always)]
pub fn lower(pivot: &[f64], d: usize, r: &mut [f64]) {
    let (pivot, r) = (&pivot[..d * d], &mut r[..d]);
    for i in 1..d {
        for j in 0..i {
            r[i] -= pivot[i * d + j] * r[j];
        }
    }
}

/// r = L^-T d^-1 r.
#[inline(always)]
pub fn upper(pivot: &[f64], d: usize, r: &mut [f64]) {
    let (pivot, r) = (&pivot[..d * d], &mut r[..d]);
    for i in 0..d {
        r[i] *= pivot[i * d + i];
    }
    for i in (0..d).rev() {
        for j in i + 1..d {
            r[i] -= pivot[j * d + i] * r[j];
        }
    }
}

#[inline(always)]
fn forward(pivot: &[f64], d: usize, w: &[f64], da: usize, r: &[f64], target: &mut [f64]) {
    let (target, pivot, w, r) = (&mut target[..da], &pivot[..d * d], &w[..d * da], &r[..d]);
    for k in 0..d {
        let s = pivot[k * d + k] * r[k];
        let row = &w[k * da..(k + 1) * da];
        for q in 0..da {
            target[q] -= s * row[q];
        }
    }
}

#[inline(always)]
fn backward(d: usize, w: &[f64], da: usize, r: &mut [f64], later: &[f64]) {
    let (w, r, later) = (&w[..d * da], &mut r[..d], &later[..da]);
    for k in 0..d {
        let row = &w[k * da..(k + 1) * da];
        let mut s = 0.0;
        for q in 0..da {
            s += row[q] * later[q];
        }
        r[k] -= s;
    }
}

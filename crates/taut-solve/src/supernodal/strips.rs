//! Right-hand sides through panels by strips: the later unknowns, which are scattered, are gone to once for a whole panel.
//!
//! Some later columns of a panel at a time have their place on the stack, so that sums over the pivots run along values that lie side by side.
//! Sums across columns have four lanes, whatever the width of the machine's vectors.

use super::fours::{self, SIDE};
use super::{Panel, Supernodal, axpy};
use std::ops::Range;

/// Columns of a strip: 1 kB on the stack beside as much of each of four rows.
const STRIP: usize = 128;

/// Solves for one right-hand side in place.
#[inline(always)]
pub(super) fn solve(s: &Supernodal, panels: Range<usize>, x: &mut [f64]) {
    for n in &s.shape.panels[panels.clone()] {
        forward(s, n, x);
    }
    for n in s.shape.panels[panels].iter().rev() {
        backward(s, n, x);
    }
}

#[inline(always)]
fn forward(s: &Supernodal, n: &Panel, x: &mut [f64]) {
    let own = &mut x[n.x..n.x + n.width];
    for (i, row) in s.of(n).chunks_exact(n.stride()).enumerate() {
        let part = row[i] * own[i];
        axpy(-part, &row[i + 1..n.width], &mut own[i + 1..]);
    }
    for (k, later) in s.shape.rows[n.rows.clone()].chunks(STRIP).enumerate() {
        let (mut sums, at) = ([0.0; STRIP], n.width + k * STRIP);
        let sums = &mut sums[..later.len()];
        for i in (0..n.width).step_by(SIDE) {
            let rows = fours::rows(s, n, i);
            let mut part = [0.0; SIDE];
            for (q, part) in part.iter_mut().enumerate().take(n.width - i) {
                *part = rows[q][i + q] * x[n.x + i + q];
            }
            let [a, b, c, d] = rows.map(|row| &row[at..at + sums.len()]);
            for k in 0..sums.len() {
                sums[k] += (part[0] * a[k] + part[1] * b[k]) + (part[2] * c[k] + part[3] * d[k]);
            }
        }
        for (&r, sum) in later.iter().zip(sums) {
            x[r as usize] -= *sum;
        }
    }
}

#[inline(always)]
fn backward(s: &Supernodal, n: &Panel, x: &mut [f64]) {
    for (k, later) in s.shape.rows[n.rows.clone()].chunks(STRIP).enumerate() {
        let (mut known, at) = ([0.0; STRIP], n.width + k * STRIP);
        let known = &mut known[..later.len()];
        for (to, &r) in known.iter_mut().zip(later) {
            *to = x[r as usize];
        }
        for i in (0..n.width).step_by(SIDE) {
            let sums = fours::rows(s, n, i).map(|row| dot(&row[at..at + known.len()], known));
            for (q, sum) in sums.into_iter().enumerate().take(n.width - i) {
                x[n.x + i + q] -= sum;
            }
        }
    }
    let own = &mut x[n.x..n.x + n.width];
    for (i, row) in s.of(n).chunks_exact(n.stride()).enumerate().rev() {
        let inside = dot(&row[i + 1..n.width], &own[i + 1..]);
        own[i] = (own[i] - inside) * row[i];
    }
}

/// Sum of products in four lanes.
#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let ((a, a_left), (b, b_left)) = (a.as_chunks::<SIDE>(), b.as_chunks::<SIDE>());
    let mut sums = [0.0; SIDE];
    for (a, b) in a.iter().zip(b) {
        for c in 0..SIDE {
            sums[c] += a[c] * b[c];
        }
    }
    for (c, (a, b)) in a_left.iter().zip(b_left).enumerate() {
        sums[c] += a * b;
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

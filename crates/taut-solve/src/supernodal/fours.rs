//! Right-hand sides through panels by four pivots at a time: the later unknowns, which are scattered, are gone to once for four.

use super::{Panel, Supernodal, axpy};
use std::ops::Range;

/// Pivots at a time.
pub(super) const SIDE: usize = 4;

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

/// The rows of pivots from i on; missing ones are the last again.
#[inline(always)]
pub(super) fn rows<'a>(s: &'a Supernodal, n: &Panel, i: usize) -> [&'a [f64]; SIDE] {
    let (w, values) = (n.stride(), s.of(n));
    std::array::from_fn(|q| {
        let at = (i + q).min(n.width - 1) * w;
        &values[at..at + w]
    })
}

#[inline(always)]
fn forward(s: &Supernodal, n: &Panel, x: &mut [f64]) {
    for i in (0..n.width).step_by(SIDE) {
        let (rows, mut part) = (rows(s, n, i), [0.0; SIDE]);
        for (q, part) in part.iter_mut().enumerate().take(n.width - i) {
            let own = &mut x[n.x + i + q..n.x + n.width];
            *part = rows[q][i + q] * own[0];
            axpy(-*part, &rows[q][i + q + 1..n.width], &mut own[1..]);
        }
        let later = rows.map(|row| &row[n.width..]);
        let values = later[0].iter().zip(later[1]).zip(later[2].iter().zip(later[3]));
        for (&r, ((a, b), (c, d))) in s.shape.rows[n.rows.clone()].iter().zip(values) {
            x[r as usize] -= (part[0] * a + part[1] * b) + (part[2] * c + part[3] * d);
        }
    }
}

#[inline(always)]
fn backward(s: &Supernodal, n: &Panel, x: &mut [f64]) {
    for i in (0..n.width).step_by(SIDE).rev() {
        let (rows, mut sums) = (rows(s, n, i), [0.0; SIDE]);
        let later = rows.map(|row| &row[n.width..]);
        let values = later[0].iter().zip(later[1]).zip(later[2].iter().zip(later[3]));
        for (&r, ((a, b), (c, d))) in s.shape.rows[n.rows.clone()].iter().zip(values) {
            let v = x[r as usize];
            sums[0] += a * v;
            sums[1] += b * v;
            sums[2] += c * v;
            sums[3] += d * v;
        }
        for q in (0..SIDE.min(n.width - i)).rev() {
            let (at, row) = (i + q, rows[q]);
            let own = &x[n.x + at + 1..n.x + n.width];
            let inside: f64 = row[at + 1..n.width].iter().zip(own).map(|(u, v)| u * v).sum();
            x[n.x + at] = (x[n.x + at] - inside - sums[q]) * row[at];
        }
    }
}

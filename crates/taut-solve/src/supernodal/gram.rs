//! b^T K^-1 c for many columns b and c, without solving for them.
//!
//! With K = U^T D^-1 U and y = U^-T b, which is the forward half of a solve,
//! ```text
//! b^T K^-1 c = sum over the pivots of y_b y_c / d
//! ```
//! A column reaches the panels of its own scalars and those that they lead to, no others, and the sum runs over the panels that both reach.
//! Columns go forward four at a time, those that start near each other together, and the sums are products of tiles.

use super::{Panel, Supernodal, fours, tile};
use std::ops::Range;
use taut_lanes::Kernel;

/// Columns at a time.
const SIDE: usize = tile::SIDE;

/// Columns, and all products of two of them.
#[derive(Clone, Debug, Default)]
pub struct Gram {
    /// Scalars of the columns with their values, and where each column starts.
    entries: Vec<(u32, f64)>,
    start: Vec<usize>,
    /// First panel of each column, and the column: in the order in which they are taken.
    order: Vec<(u32, u32)>,
    /// Where each column is in that order.
    place: Vec<u32>,
    /// Four columns on their way, over the scalars of the island.
    x: Vec<[f64; SIDE]>,
    /// The last group that reached each panel, and those that the group at hand reaches.
    reached: Vec<u32>,
    path: Vec<u32>,
    /// Panel, group, and where the values of this group there begin in `y`.
    passes: Vec<(u32, u32, usize)>,
    y: Vec<[f64; SIDE]>,
    scaled: Vec<f64>,
    /// Products of columns in the order in which they are taken, of which the upper tiles are written.
    sums: Vec<f64>,
}

impl Gram {
    /// Forgets all columns.
    pub fn begin(&mut self) {
        self.entries.clear();
        self.start.clear();
        self.start.push(0);
    }

    /// Adds a column by its scalars, one at least.
    pub fn add(&mut self, column: impl Iterator<Item = (usize, f64)>) {
        self.entries.extend(column.map(|(x, v)| (x as u32, v)));
        self.start.push(self.entries.len());
    }

    /// Number of columns.
    pub fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The product of two columns, after [`Supernodal::gram`].
    #[inline]
    pub fn product(&self, a: usize, b: usize) -> f64 {
        let (a, b) = (self.place[a] as usize, self.place[b] as usize);
        self.sums[a.min(b) * self.len().next_multiple_of(SIDE) + a.max(b)]
    }
}

impl Supernodal {
    /// All products of the columns in `work` by the inverse of the island that starts with block `first_block`.
    pub fn gram(&self, first_block: usize, work: &mut Gram) {
        let panels = self.island(first_block).panels.clone();
        let count = work.len();
        if count == 0 || panels.is_empty() {
            return;
        }
        let Gram { entries, start, order, place, .. } = work;
        let of = |x: usize| (self.shape.panels[panels.clone()].partition_point(|n| n.x <= x) + panels.start - 1) as u32;
        order.clear();
        for (k, range) in start.windows(2).enumerate() {
            let first = entries[range[0]..range[1]].iter().map(|e| of(e.0 as usize)).min();
            order.push((first.unwrap_or(panels.start as u32), k as u32));
        }
        order.sort_unstable();
        place.clear();
        place.resize(count, 0);
        order.iter().enumerate().for_each(|(at, &(_, k))| place[k as usize] = at as u32);
        taut_lanes::run(Products { s: self, panels, work });
    }
}

struct Products<'a> {
    s: &'a Supernodal,
    panels: Range<usize>,
    work: &'a mut Gram,
}

impl Kernel for Products<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self) {
        let Products { s, panels, work } = self;
        let (base, last) = (s.shape.panels[panels.start].x, &s.shape.panels[panels.end - 1]);
        work.x.clear();
        work.x.resize(last.x + last.width - base, [0.0; SIDE]);
        work.reached.clear();
        work.reached.resize(panels.len(), u32::MAX);
        work.passes.clear();
        work.y.clear();
        for group in 0..work.len().div_ceil(SIDE) {
            load(s, &panels, group, base, work);
            for &k in &work.path {
                let n = &s.shape.panels[k as usize];
                forward(s, n, base, &mut work.x);
                work.passes.push((k, group as u32, work.y.len()));
                let own = &mut work.x[n.x - base..n.x - base + n.width];
                work.y.extend_from_slice(own);
                own.fill([0.0; SIDE]);
            }
        }
        work.passes.sort_unstable();
        multiply(s, work);
    }
}

/// Four columns into x, and the panels that they reach.
#[inline(always)]
fn load(s: &Supernodal, panels: &Range<usize>, group: usize, base: usize, work: &mut Gram) {
    work.path.clear();
    for (lane, &(_, column)) in work.order[SIDE * group..].iter().take(SIDE).enumerate() {
        let range = work.start[column as usize]..work.start[column as usize + 1];
        for &(x, v) in &work.entries[range] {
            work.x[x as usize - base][lane] += v;
            let first = s.shape.panels[panels.clone()].partition_point(|n| n.x <= x as usize) + panels.start - 1;
            let mut next = Some(first);
            while let Some(k) = next.filter(|&k| work.reached[k - panels.start] != group as u32) {
                work.reached[k - panels.start] = group as u32;
                work.path.push(k as u32);
                next = s.shape.panels[k].above;
            }
        }
    }
    work.path.sort_unstable();
}

/// Eliminates the scalars of a panel from four columns.
#[inline(always)]
fn forward(s: &Supernodal, n: &Panel, base: usize, x: &mut [[f64; SIDE]]) {
    for i in (0..n.width).step_by(SIDE) {
        let (rows, mut part) = (fours::rows(s, n, i), [[0.0; SIDE]; SIDE]);
        for (q, part) in part.iter_mut().enumerate().take(n.width - i) {
            let own = &mut x[n.x - base + i + q..n.x - base + n.width];
            *part = own[0].map(|v| rows[q][i + q] * v);
            for (to, &u) in own[1..].iter_mut().zip(&rows[q][i + q + 1..n.width]) {
                (0..SIDE).for_each(|l| to[l] -= part[l] * u);
            }
        }
        let later = rows.map(|row| &row[n.width..]);
        let values = later[0].iter().zip(later[1]).zip(later[2].iter().zip(later[3]));
        for (&r, ((&a, &b), (&c, &d))) in s.shape.rows[n.rows.clone()].iter().zip(values) {
            let to = &mut x[r as usize - base];
            for l in 0..SIDE {
                to[l] -= (part[0][l] * a + part[1][l] * b) + (part[2][l] * c + part[3][l] * d);
            }
        }
    }
}

/// Sums over the pivots, panel after panel, of all pairs of groups that reach it.
#[inline(always)]
fn multiply(s: &Supernodal, work: &mut Gram) {
    let side = work.len().next_multiple_of(SIDE);
    let Gram { passes, y, scaled, sums, .. } = work;
    sums.clear();
    sums.resize(side * side, 0.0);
    let mut rest = &passes[..];
    while let Some(&(panel, ..)) = rest.first() {
        let (here, later) = rest.split_at(rest.partition_point(|p| p.0 == panel));
        rest = later;
        let n = &s.shape.panels[panel as usize];
        let (w, values) = (n.stride(), s.of(n));
        for (k, &(_, group, at)) in here.iter().enumerate() {
            scaled.clear();
            for (i, y) in y[at..at + n.width].iter().enumerate() {
                scaled.extend(y.map(|y| values[i * w + i] * y));
            }
            for &(_, other, at) in &here[k..] {
                let tile = tile::product(scaled, y[at..at + n.width].as_flattened());
                for (r, tile) in tile.iter().enumerate() {
                    let to = (SIDE * group as usize + r) * side + SIDE * other as usize;
                    sums[to..to + SIDE].iter_mut().zip(tile).for_each(|(to, v)| *to += v);
                }
            }
        }
    }
}

//! Fronts that are eliminated by one thread: a branch of the elimination tree, or the trunk.
//!
//! A front is a panel with what it adds to later scalars, its update: a dense square over them of which the upper half is used. It is
//! made of the blocks of the matrix and the updates of the panels below it, its own scalars are eliminated, and its update waits for the panel
//! above (Duff and Reid 1983). So all sums but those of updates into the front above run along rows that lie side by side.

use super::{Panel, Shape, subtract, subtract_four, tile};
use crate::block::matrix::Pattern;
use crate::block_ldlt::{BlockLdlt, Breakdown, FactorInfo, Signs};
use crate::tuning::T;
use std::ops::Range;
use taut_lanes::Kernel;

/// Some panels with their values, and room for the updates that wait.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    pub panels: Vec<u32>,
    pub values: Vec<f64>,
    pub updates: Vec<f64>,
    /// Room for values, updates and tiles.
    room: [usize; 3],
    /// Rows of the pivots at hand in tiles: divided by the pivots, and as they are.
    packed: Vec<f64>,
    pub info: FactorInfo,
    pub failed: Option<Breakdown>,
}

impl Part {
    /// Takes a panel whose update has a place; returns that of its values.
    pub fn add(&mut self, k: usize, n: &Panel) -> usize {
        let (at, f) = (self.room[0], n.rows.len());
        self.panels.push(k as u32);
        self.room[0] += n.width * n.stride();
        self.room[1] = self.room[1].max(n.update + f * f);
        self.room[2] = self.room[2].max(2 * T.factor.block.min(n.width) * (tile::padded(n.width) + tile::padded(f)));
        at
    }

    /// All panels are there.
    pub fn close(&mut self) {
        let [values, updates, packed] = self.room.map(|room| vec![0.0; room]);
        (self.values, self.updates, self.packed) = (values, updates, packed);
    }

    /// Memory held, bytes.
    pub fn bytes(&self) -> usize {
        8 * (self.values.capacity() + self.updates.capacity() + self.packed.capacity()) + 4 * self.panels.capacity()
    }

    /// Values of the blocks into a panel, and nothing into its update.
    #[inline(always)]
    fn gather(&mut self, given: Given<'_>, n: &Panel) {
        let Given { shape, p, m, .. } = given;
        let (w, f, mut place) = (n.stride(), n.rows.len(), n.places);
        // Tiles on the diagonal reach below it by three rows at most.
        for (i, row) in self.updates[n.update..n.update + f * f].chunks_exact_mut(f.max(1)).enumerate() {
            row[i - i % tile::SIDE..].fill(0.0);
        }
        let values = &mut self.values[n.range()];
        values.fill(0.0);
        for b in n.blocks.clone() {
            let (d, at) = (p.dims[b], p.row[b] - n.x);
            for r in 0..d {
                let row = &mut values[(at + r) * w..(at + r + 1) * w];
                row[at..at + d].copy_from_slice(&m.diag[p.diag[b] + r * d..p.diag[b] + (r + 1) * d]);
                for (q, &(a, from)) in p.of(b).iter().enumerate() {
                    let (da, column) = (p.dims[a], shape.places[place + q] as usize);
                    row[column..column + da].copy_from_slice(&m.off[from + r * da..from + (r + 1) * da]);
                }
            }
            place += p.of(b).len();
        }
    }

    /// Adds the update of a panel below.
    #[inline(always)]
    fn take(&mut self, shape: &Shape, n: &Panel, below: &Panel, elsewhere: Option<&[f64]>) {
        let (f, w, g) = (n.rows.len(), n.stride(), below.rows.len());
        let size = f * f;
        let values = &mut self.values[n.range()];
        let (update, from): (&mut [f64], &[f64]) = match elsewhere {
            Some(from) => (&mut self.updates[n.update..n.update + size], from),
            None if n.update > below.update => {
                let (low, high) = self.updates.split_at_mut(n.update);
                (&mut high[..size], &low[below.update..])
            }
            None => {
                let (low, high) = self.updates.split_at_mut(below.update);
                (&mut low[n.update..n.update + size], high)
            }
        };
        let columns = &shape.columns[below.columns..below.columns + g];
        for i in 0..g {
            let at = columns[i] as usize;
            let from = &from[i * g + i..i * g + g];
            // Columns of a row of the update are counted from the end of the panel.
            if at < n.width {
                add_row(&mut values[at * w..(at + 1) * w], &columns[i..], 0, from);
            } else {
                add_row(&mut update[(at - n.width) * f..(at - n.width + 1) * f], &columns[i..], n.width, from);
            }
        }
    }

    /// Eliminates a panel's own scalars, some pivots at a time. The diagonal holds 1/d afterwards, zero for dropped rows.
    #[inline(always)]
    fn eliminate(&mut self, given: Given<'_>, n: &Panel) -> Result<(), Breakdown> {
        for first in (0..n.width).step_by(T.factor.block) {
            let pivots = first..n.width.min(first + T.factor.block);
            self.pivot(given, n, pivots.clone())?;
            self.update(n, pivots);
        }
        Ok(())
    }

    /// U of the rows of some pivots.
    #[inline(always)]
    fn pivot(&mut self, given: Given<'_>, n: &Panel, pivots: Range<usize>) -> Result<(), Breakdown> {
        let w = n.stride();
        let values = &mut self.values[n.range()];
        let mut block =
            n.blocks.start + given.p.row[n.blocks.clone()].partition_point(|&x| x <= n.x + pivots.start) - 1;
        for first in pivots.clone().step_by(tile::SIDE) {
            let end = pivots.end.min(first + tile::SIDE);
            for i in first..end {
                while given.p.row[block + 1] <= n.x + i {
                    block += 1;
                }
                let (head, tail) = values.split_at_mut((i + 1) * w);
                let row = &mut head[i * w..];
                if !invert(given, (block, n.x + i), &mut row[i], &mut self.info)? {
                    row[i..].fill(0.0);
                    continue;
                }
                for c in i + 1..end {
                    let at = (c - i - 1) * w;
                    subtract(row[c] * row[i], &row[c..], &mut tail[at + c..at + w]);
                }
            }
            // The rows that are left take the pivots at hand together, each value in the order of the pivots.
            let (head, tail) = values.split_at_mut(end * w);
            let rows: [&[f64]; tile::SIDE] = std::array::from_fn(|q| &head[(first + q).min(end - 1) * w..][..w]);
            for c in end..pivots.end {
                let later = &mut tail[(c - end) * w + c..(c - end + 1) * w];
                let parts: [f64; tile::SIDE] = std::array::from_fn(|q| rows[q][c] * rows[q][(first + q).min(end - 1)]);
                let own = rows.map(|row| &row[c..]);
                if end - first == tile::SIDE {
                    subtract_four(parts, own, later);
                } else {
                    (0..end - first).for_each(|q| subtract(parts[q], own[q], later));
                }
            }
        }
        Ok(())
    }

    /// Subtracts U_i^T D^-1 U_j of some pivots from the rows of the panel after them and from the update, tile by tile.
    #[inline(always)]
    fn update(&mut self, n: &Panel, pivots: Range<usize>) {
        let (f, w, depth) = (n.rows.len(), n.stride(), pivots.len());
        let left = n.width - pivots.end;
        let (inner, outer) = (tile::padded(left) / tile::SIDE, tile::padded(f) / tile::SIDE);
        let values = &mut self.values[n.range()];
        let (a, b) =
            self.packed[..2 * depth * tile::SIDE * (inner + outer)].split_at_mut(depth * tile::SIDE * (inner + outer));
        for (k, p) in pivots.clone().enumerate() {
            let (row, scale) = (&values[p * w..(p + 1) * w], values[p * w + p]);
            tile::pack(k, depth, scale, &row[pivots.end..n.width], a, b);
            let skip = inner * depth * tile::SIDE;
            tile::pack(k, depth, scale, &row[n.width..], &mut a[skip..], &mut b[skip..]);
        }
        let size = depth * tile::SIDE;
        for (i, a) in a[..inner * size].chunks_exact(size).enumerate() {
            let first = pivots.end + tile::SIDE * i;
            let rows = &mut values[first * w..n.width.min(first + tile::SIDE) * w];
            strip(a, &b[i * size..inner * size], rows, w, (first, n.width));
            strip(a, &b[inner * size..], rows, w, (n.width, w));
        }
        let update = &mut self.updates[n.update..n.update + f * f];
        for (i, a) in a[inner * size..].chunks_exact(size).enumerate() {
            let first = tile::SIDE * i;
            let rows = &mut update[first * f..f.min(first + tile::SIDE) * f];
            strip(a, &b[(inner + i) * size..], rows, f, (first, f));
        }
    }
}

/// Subtracts a row of tiles from at most four rows, in columns from `first` to `end`.
#[inline(always)]
fn strip(a: &[f64], b: &[f64], rows: &mut [f64], stride: usize, (first, end): (usize, usize)) {
    let (size, count) = (a.len(), rows.len() / stride);
    let whole = if count == tile::SIDE { (end - first) / tile::SIDE } else { 0 };
    if whole > 0 {
        let (low, high) = rows.split_at_mut(2 * stride);
        let ((r0, r1), (r2, r3)) = (low.split_at_mut(stride), high.split_at_mut(stride));
        let rows = [r0, r1, r2, r3].map(|r| r[first..end].as_chunks_mut::<{ tile::SIDE }>().0);
        for t in 0..whole {
            let sums = tile::product(a, &b[t * size..(t + 1) * size]);
            for r in 0..tile::SIDE {
                let to = &mut rows[r][t];
                for c in 0..tile::SIDE {
                    to[c] -= sums[r][c];
                }
            }
        }
    }
    for t in whole..b.len() / size {
        let sums = tile::product(a, &b[t * size..(t + 1) * size]);
        let from = first + t * tile::SIDE;
        for r in 0..count {
            for c in from..end.min(from + tile::SIDE) {
                rows[r * stride + c] -= sums[r][c - from];
            }
        }
    }
}

/// Adds values to a row at some columns, less an offset.
#[inline(always)]
fn add_row(row: &mut [f64], columns: &[u32], offset: usize, from: &[f64]) {
    let mut k = 0;
    while k < from.len() {
        let at = columns[k] as usize - offset;
        // Columns ascend: four of them are mostly side by side.
        if k + 4 <= from.len() && columns[k + 3] == columns[k] + 3 {
            let (to, from) = (&mut row[at..at + 4], &from[k..k + 4]);
            (0..4).for_each(|c| to[c] += from[c]);
            k += 4;
        } else {
            row[at] += from[k];
            k += 1;
        }
    }
}

/// Turns a pivot into its inverse; false where it is that of a redundant row.
#[inline(always)]
fn invert(given: Given<'_>, (b, x): (usize, usize), value: &mut f64, info: &mut FactorInfo) -> Result<bool, Breakdown> {
    let Given { p, signs, m, .. } = given;
    let pivot = *value;
    if signs.is_row[b] && m.reference[x] > 0.0 {
        let relative = -pivot / m.reference[x];
        info.smallest_pivot = info.smallest_pivot.min(relative);
        if relative < T.factor.drop_panels {
            info.dropped += 1;
            return Ok(false);
        }
    }
    let right_sign = if signs.is_row[b] { pivot < 0.0 } else { pivot > 0.0 };
    if !right_sign || !pivot.is_finite() {
        return Err(Breakdown { block: b, row: x - p.row[b], pivot });
    }
    *value = 1.0 / pivot;
    Ok(true)
}

/// What all parts are factorised from.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    pub shape: &'a Shape,
    pub p: &'a Pattern,
    pub signs: &'a Signs,
    pub m: &'a BlockLdlt,
}

/// The factorisation of a part; the trunk takes the updates of the branches, the first of which is part `first`.
pub(super) struct Factorise<'a> {
    pub part: &'a mut Part,
    pub given: Given<'a>,
    pub branches: &'a [Part],
    pub first: usize,
}

impl Kernel for Factorise<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self) {
        let Factorise { part, given, branches, first } = self;
        let shape = given.shape;
        (part.info, part.failed) = (FactorInfo::default(), None);
        for at in 0..part.panels.len() {
            let n = &shape.panels[part.panels[at] as usize];
            part.gather(given, n);
            for &k in &shape.below[n.below.clone()] {
                let below = &shape.panels[k as usize];
                let branch = if below.part == n.part { None } else { branches.get(below.part - first) };
                part.take(shape, n, below, branch.map(|b| &b.updates[below.update..]));
            }
            if let Err(failed) = part.eliminate(given, n) {
                part.failed = Some(failed);
                return;
            }
        }
    }
}

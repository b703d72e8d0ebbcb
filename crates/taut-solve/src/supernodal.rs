//! The same factorisation as `block_ldlt`, for matrices with much fill: neighbouring blocks of like structure are eliminated
//! together as one dense panel.
//!
//! A panel holds the rows of U = D L^T of its own scalars, over these scalars and all later ones that they touch:
//! ```text
//! panel = [ D_1 U_11 | U_12 ],   later entries (i, j) -= U_i^T D^-1 U_j  by rows of U_12, added into the panels that own row i
//! ```
//! Pivot signs, dropped rows and the answer are those of `block_ldlt`. The inner loops run along rows and never sum across
//! lanes, so the result does not depend on the width of the machine's vectors.

mod fours;
mod gram;
mod tile;

pub use gram::Gram;

use super::block_ldlt::{Breakdown, FactorInfo, Signs};
use crate::block::matrix::Pattern;
use crate::block::structure::pass_on;
use crate::tuning::T;
use std::ops::Range;
use taut_lanes::Kernel;

/// One panel: where it is and what it touches.
#[derive(Clone, Debug)]
struct Panel {
    blocks: Range<usize>,
    /// First scalar, and how many.
    x: usize,
    width: usize,
    /// Its later scalars in `rows`.
    rows: Range<usize>,
    /// First value.
    values: usize,
    /// Its targets in `targets`.
    targets: Range<usize>,
}

/// Rows of a panel that another panel owns.
#[derive(Clone, Debug)]
struct Target {
    panel: usize,
    /// Range of the source's rows (local).
    rows: Range<usize>,
    /// Columns in the target of the source's rows from `rows.start` on, in `columns`.
    columns: usize,
}

/// Symbolic part and values.
#[derive(Clone, Debug, Default)]
pub struct Supernodal {
    panels: Vec<Panel>,
    /// First panel of each island that uses this path, by first block.
    islands: Vec<(usize, Range<usize>)>,
    rows: Vec<u32>,
    targets: Vec<Target>,
    columns: Vec<u32>,
    /// Column of each neighbour of each block in its panel, in the order of the pattern's neighbours of these islands.
    places: Vec<u32>,
    place_start: Vec<(usize, usize)>,
    values: Vec<f64>,
    /// Whether right-hand sides go through a panel by four pivots at a time.
    by_fours: bool,
    /// The panel at hand in tiles: divided by its pivots, and as it is.
    packed: Vec<f64>,
}

impl Supernodal {
    /// Lays out panels for some islands, given by their blocks.
    pub fn new(p: &Pattern, islands: &[Range<usize>]) -> Self {
        Supernodal::default().laid_out(p, islands)
    }

    /// The same for an island whose right-hand sides are solved by four pivots at a time.
    pub fn by_fours(p: &Pattern, island: Range<usize>) -> Self {
        Supernodal { by_fours: true, ..Supernodal::default() }.laid_out(p, &[island])
    }

    fn laid_out(self, p: &Pattern, islands: &[Range<usize>]) -> Self {
        let mut s = self;
        let mut owner = vec![u32::MAX; p.size()];
        for blocks in islands {
            let first = s.panels.len();
            s.cut(p, blocks.clone());
            for (k, panel) in s.panels.iter().enumerate().skip(first) {
                owner[panel.x..panel.x + panel.width].fill(k as u32);
            }
            s.islands.push((blocks.start, first..s.panels.len()));
            for k in first..s.panels.len() {
                s.aim(k, &owner);
            }
            s.place_start.push((blocks.start, s.places.len()));
            s.place(p, first);
        }
        let largest = s.panels.iter().map(|n| tile::packed(n.width, n.rows.len())).max().unwrap_or(0);
        s.packed = vec![0.0; largest];
        let total = s.panels.last().map_or(0, |n| n.values + n.width * (n.width + n.rows.len()));
        s.values = vec![0.0; total];
        s
    }

    /// Values of all panels.
    pub fn values(&self) -> usize {
        self.values.len()
    }

    /// Memory held, bytes.
    pub fn bytes(&self) -> usize {
        8 * (self.values.capacity() + self.packed.capacity())
            + 4 * (self.rows.capacity() + self.columns.capacity() + self.places.capacity())
            + std::mem::size_of::<Panel>() * self.panels.capacity()
            + std::mem::size_of::<Target>() * self.targets.capacity()
    }

    /// Cuts the blocks of an island into panels.
    fn cut(&mut self, p: &Pattern, blocks: Range<usize>) {
        let first_block = blocks.start;
        let entries = |k: usize| p.of(k).iter().map(|&(a, _)| a).collect();
        let mut later: Vec<Vec<usize>> = blocks.clone().map(entries).collect();
        blocks.clone().for_each(|k| pass_on(&mut later, first_block, k));
        let of = |k: usize| &later[k - first_block];
        let below = |k: usize| of(k).iter().map(|&a| p.dims[a]).sum::<usize>();
        let mut k = blocks.start;
        while k < blocks.end {
            let first = k;
            let mut width = p.dims[k];
            let mut needed = width * (width + below(k));
            while k + 1 < blocks.end && of(k).first() == Some(&(k + 1)) {
                let d = p.dims[k + 1];
                let (wider, more) = (width + d, d * (d + below(k + 1)));
                let whole = wider * (wider + below(k + 1));
                let zeros = (whole - needed - more) as f64;
                if wider > T.factor.widest || !(wider <= T.factor.narrow || zeros <= T.factor.zeros * whole as f64) {
                    break;
                }
                (width, needed) = (wider, needed + more);
                k += 1;
            }
            let start = self.rows.len();
            for &a in of(k) {
                self.rows.extend((p.row[a]..p.row[a] + p.dims[a]).map(|x| x as u32));
            }
            let values = self.panels.last().map_or(0, |n| n.values + n.width * (n.width + n.rows.len()));
            let rows = start..self.rows.len();
            self.panels.push(Panel { blocks: first..k + 1, x: p.row[first], width, rows, values, targets: 0..0 });
            k += 1;
        }
    }

    /// Finds the panels that panel k adds to, and where.
    fn aim(&mut self, k: usize, owner: &[u32]) {
        let rows = &self.rows[self.panels[k].rows.clone()];
        let first = self.targets.len();
        let mut at = 0;
        while at < rows.len() {
            let panel = owner[rows[at] as usize] as usize;
            let end = at + rows[at..].iter().take_while(|&&x| owner[x as usize] as usize == panel).count();
            let target = &self.panels[panel];
            let theirs = &self.rows[target.rows.clone()];
            let start = self.columns.len();
            let mut cursor = 0;
            for &x in &rows[at..] {
                let x = x as usize;
                if x < target.x + target.width {
                    self.columns.push((x - target.x) as u32);
                } else {
                    while theirs[cursor] as usize != x {
                        cursor += 1;
                    }
                    self.columns.push((target.width + cursor) as u32);
                }
            }
            self.targets.push(Target { panel, rows: at..end, columns: start });
            at = end;
        }
        self.panels[k].targets = first..self.targets.len();
    }

    /// Columns of the neighbours of every block from panel `first` on.
    fn place(&mut self, p: &Pattern, first: usize) {
        for n in &self.panels[first..] {
            let rows = &self.rows[n.rows.clone()];
            for k in n.blocks.clone() {
                let mut cursor = 0;
                for &(a, _) in p.of(k) {
                    let x = p.row[a];
                    if x < n.x + n.width {
                        self.places.push((x - n.x) as u32);
                    } else {
                        while rows[cursor] as usize != x {
                            cursor += 1;
                        }
                        self.places.push((n.width + cursor) as u32);
                    }
                }
            }
        }
    }

    fn panels_of(&self, first_block: usize) -> (Range<usize>, usize) {
        let at = self.islands.partition_point(|&(b, _)| b < first_block);
        (self.islands[at].1.clone(), self.place_start[at].1)
    }

    /// Factorises the island that starts with block `first_block`, from the values of its blocks.
    pub fn factor(
        &mut self,
        p: &Pattern,
        signs: &Signs,
        first_block: usize,
        m: &mut super::block_ldlt::BlockLdlt,
    ) -> Result<FactorInfo, Breakdown> {
        taut_lanes::run(Factorise { s: self, p, signs, first_block, m })
    }

    /// Values of the blocks into panel k; returns the next place.
    fn gather(&mut self, p: &Pattern, k: usize, m: &super::block_ldlt::BlockLdlt, mut place: usize) -> usize {
        let n = &self.panels[k];
        let w = n.width + n.rows.len();
        let values = &mut self.values[n.values..n.values + n.width * w];
        values.fill(0.0);
        for b in n.blocks.clone() {
            let (d, at) = (p.dims[b], p.row[b] - n.x);
            for r in 0..d {
                let row = &mut values[(at + r) * w..(at + r + 1) * w];
                row[at..at + d].copy_from_slice(&m.diag[p.diag[b] + r * d..p.diag[b] + (r + 1) * d]);
                for (q, &(a, from)) in p.of(b).iter().enumerate() {
                    let (da, column) = (p.dims[a], self.places[place + q] as usize);
                    row[column..column + da].copy_from_slice(&m.off[from + r * da..from + (r + 1) * da]);
                }
            }
            place += p.of(b).len();
        }
        place
    }

    /// U of panel k's own rows; the diagonal holds 1/d afterwards, zero for dropped rows.
    #[inline(always)]
    fn eliminate(
        &mut self,
        p: &Pattern,
        signs: &Signs,
        k: usize,
        m: &mut super::block_ldlt::BlockLdlt,
        info: &mut FactorInfo,
    ) -> Result<(), Breakdown> {
        let n = &self.panels[k];
        let w = n.width + n.rows.len();
        let values = &mut self.values[n.values..n.values + n.width * w];
        let mut pivots = n.blocks.clone().flat_map(|b| (0..p.dims[b]).map(move |r| (b, r)));
        for first in (0..n.width).step_by(tile::SIDE) {
            let end = n.width.min(first + tile::SIDE);
            for (i, (b, r)) in (first..end).zip(&mut pivots) {
                let x = p.row[b] + r;
                let (head, tail) = values.split_at_mut((i + 1) * w);
                let row = &mut head[i * w..];
                let pivot = row[i];
                if signs.is_row[b] && m.reference[x] > 0.0 {
                    let relative = -pivot / m.reference[x];
                    info.smallest_pivot = info.smallest_pivot.min(relative);
                    m.dropped[x] = relative < T.factor.drop_panels;
                    if m.dropped[x] {
                        info.dropped += 1;
                        row[i..].fill(0.0);
                        continue;
                    }
                }
                let right_sign = if signs.is_row[b] { pivot < 0.0 } else { pivot > 0.0 };
                if !right_sign || !pivot.is_finite() {
                    return Err(Breakdown { block: b, row: r, pivot });
                }
                row[i] = 1.0 / pivot;
                for (c, later) in (i + 1..end).zip(tail.chunks_exact_mut(w)) {
                    subtract(row[c] * row[i], &row[c..], &mut later[c..]);
                }
            }
            // The rows of the panel that are left take the pivots at hand together, each value in the order of the pivots.
            let (head, tail) = values.split_at_mut(end * w);
            let rows: [&[f64]; tile::SIDE] = std::array::from_fn(|q| &head[(first + q).min(end - 1) * w..][..w]);
            for (c, later) in (end..n.width).zip(tail.chunks_exact_mut(w)) {
                let parts: [f64; tile::SIDE] = std::array::from_fn(|q| rows[q][c] * rows[q][(first + q).min(end - 1)]);
                let own = rows.map(|row| &row[c..]);
                if end - first == tile::SIDE && parts.iter().all(|&s| s != 0.0) {
                    subtract_four(parts, own, &mut later[c..]);
                } else {
                    (0..end - first).for_each(|q| subtract(parts[q], own[q], &mut later[c..]));
                }
            }
        }
        Ok(())
    }

    /// Adds -U_i^T D^-1 U_j of panel k into the panels that own its rows, tile by tile.
    #[inline(always)]
    fn update(&mut self, k: usize) {
        let n = &self.panels[k];
        let (f, w) = (n.rows.len(), n.width + n.rows.len());
        let (own, later) = self.values.split_at_mut(n.values + n.width * w);
        let (own, base) = (&own[n.values..], n.values + n.width * w);
        tile::pack(own, n.width, f, &mut self.packed);
        let mut targets = self.targets[n.targets.clone()].iter().peekable();
        let size = n.width * tile::SIDE;
        let (left, right) = self.packed.split_at(f.div_ceil(tile::SIDE) * size);
        for i in (0..f).step_by(tile::SIDE) {
            // Where each row of the tile goes: the place of its first column and the names of its columns.
            let rows = tile::SIDE.min(f - i);
            let mut places = [(0, 0); tile::SIDE];
            for (r, place) in places[..rows].iter_mut().enumerate() {
                while targets.next_if(|t| t.rows.end <= i + r).is_some() {}
                let Some(target) = targets.peek() else { break };
                let t = &self.panels[target.panel];
                let column = self.columns[target.columns + i + r - target.rows.start] as usize;
                // Columns of a target start with its first row: those of row i + r with that row.
                *place = (t.values - base + column * (t.width + t.rows.len()), target.columns + i - target.rows.start);
            }
            let a = &left[i * n.width..i * n.width + size];
            for (j, b) in (i..f).step_by(tile::SIDE).zip(right[i * n.width..].chunks_exact(size)) {
                let sums = tile::product(a, b);
                let end = tile::SIDE.min(f - j);
                for (r, (&(at, columns), sums)) in places[..rows].iter().zip(&sums).enumerate() {
                    let first = if i == j { r } else { 0 };
                    let columns = &self.columns[columns + j - i + first..columns + j - i + end];
                    // Columns ascend: four of them are mostly side by side.
                    if let [c, _, _, last] = *columns
                        && last == c + 3
                    {
                        let to = &mut later[at + c as usize..at + c as usize + 4];
                        to.iter_mut().zip(sums).for_each(|(to, v)| *to -= v);
                        continue;
                    }
                    for (&c, &v) in columns.iter().zip(&sums[first..]) {
                        later[at + c as usize] -= v;
                    }
                }
            }
        }
    }

    /// Solves for one right-hand side in place.
    pub fn solve(&self, first_block: usize, x: &mut [f64]) {
        taut_lanes::run(Solve { s: self, first_block, x })
    }

    #[inline(always)]
    fn solve_by_pivots(&self, range: Range<usize>, x: &mut [f64]) {
        for n in &self.panels[range.clone()] {
            let w = n.width + n.rows.len();
            for (i, row) in self.values[n.values..n.values + n.width * w].chunks_exact(w).enumerate() {
                let s = row[i] * x[n.x + i];
                if s == 0.0 {
                    continue;
                }
                axpy(-s, &row[i + 1..n.width], &mut x[n.x + i + 1..n.x + n.width]);
                for (&r, &u) in self.rows[n.rows.clone()].iter().zip(&row[n.width..]) {
                    x[r as usize] -= s * u;
                }
            }
        }
        for n in self.panels[range].iter().rev() {
            let w = n.width + n.rows.len();
            for (i, row) in self.values[n.values..n.values + n.width * w].chunks_exact(w).enumerate().rev() {
                let mut s = x[n.x + i];
                for (&u, &v) in row[i + 1..n.width].iter().zip(&x[n.x + i + 1..n.x + n.width]) {
                    s -= u * v;
                }
                for (&r, &u) in self.rows[n.rows.clone()].iter().zip(&row[n.width..]) {
                    s -= u * x[r as usize];
                }
                x[n.x + i] = s * row[i];
            }
        }
    }
}

/// The factorisation of an island.
struct Factorise<'a> {
    s: &'a mut Supernodal,
    p: &'a Pattern,
    signs: &'a Signs,
    first_block: usize,
    m: &'a mut super::block_ldlt::BlockLdlt,
}

impl Kernel for Factorise<'_> {
    type Out = Result<FactorInfo, Breakdown>;

    #[inline(always)]
    fn run(self) -> Self::Out {
        let Factorise { s, p, signs, first_block, m } = self;
        let (range, mut place) = s.panels_of(first_block);
        for k in range.clone() {
            place = s.gather(p, k, m, place);
        }
        let mut info = FactorInfo::default();
        for k in range {
            s.eliminate(p, signs, k, m, &mut info)?;
            s.update(k);
        }
        Ok(info)
    }
}

/// A right-hand side through the panels of an island.
struct Solve<'a> {
    s: &'a Supernodal,
    first_block: usize,
    x: &'a mut [f64],
}

impl Kernel for Solve<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self) {
        let range = self.s.panels_of(self.first_block).0;
        if self.s.by_fours {
            fours::solve(self.s, range, self.x);
        } else {
            self.s.solve_by_pivots(range, self.x);
        }
    }
}

/// y -= a x, nothing where a is zero.
#[inline(always)]
fn subtract(a: f64, x: &[f64], y: &mut [f64]) {
    if a != 0.0 {
        axpy(-a, x, y);
    }
}

/// y -= a x of four, one after the other.
#[inline(always)]
fn subtract_four(a: [f64; tile::SIDE], x: [&[f64]; tile::SIDE], y: &mut [f64]) {
    let x = x[0].iter().zip(x[1]).zip(x[2].iter().zip(x[3]));
    for (y, ((x0, x1), (x2, x3))) in y.iter_mut().zip(x) {
        *y = (((*y - a[0] * x0) - a[1] * x1) - a[2] * x2) - a[3] * x3;
    }
}

/// y += a x.
#[inline(always)]
fn axpy(a: f64, x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block_ldlt::BlockLdlt;

    /// A grid of points of three scalars with springs, a row that ties its opposite corners, and its matrix.
    fn grid(side: usize) -> (Pattern, Signs, BlockLdlt) {
        let n = side * side;
        let mut pairs: Vec<(usize, usize)> = (0..n).filter(|k| k % side > 0).map(|k| (k - 1, k)).collect();
        pairs.extend((side..n).map(|k| (k - side, k)));
        pairs.extend([(0, n), (n - 1, n)]);
        let mut dims = vec![3; n];
        dims.push(1);
        let p = Pattern::new(dims, &pairs);
        let mut m = BlockLdlt::new(&p);
        for k in 0..n {
            (0..3).for_each(|c| m.diag[p.diag[k] + 4 * c] = 9.0 + 0.1 * ((k * (c + 2)) % 7) as f64);
        }
        for &(a, b) in &pairs[..pairs.len() - 2] {
            let at = p.coupling(a, b).unwrap();
            (0..9).for_each(|c| m.off[at + c] = if c % 4 == 0 { -1.5 } else { 0.2 * ((a + c) % 3) as f64 - 0.2 });
        }
        for k in [0, n - 1] {
            let at = p.coupling(k, n).unwrap();
            m.off[at..at + 3].copy_from_slice(&[0.3, -1.0, 0.5]);
        }
        let mut is_row = vec![false; n];
        is_row.push(true);
        (p, Signs { is_row, has_loops: false }, m)
    }

    #[test]
    fn vectors_of_any_width_give_the_same_bits() {
        let (p, signs, mut m) = grid(12);
        let blocks = 0..p.blocks();
        for fours in [false, true] {
            let made = || match fours {
                true => Supernodal::by_fours(&p, blocks.clone()),
                false => Supernodal::new(&p, std::slice::from_ref(&blocks)),
            };
            let (mut wide, mut narrow) = (made(), made());
            wide.factor(&p, &signs, 0, &mut m).unwrap();
            Factorise { s: &mut narrow, p: &p, signs: &signs, first_block: 0, m: &mut m }.run().unwrap();
            assert!(wide.values == narrow.values);
            let mut x: Vec<f64> = (0..p.size()).map(|k| ((k * k) % 19) as f64 - 9.0).collect();
            let mut y = x.clone();
            wide.solve(0, &mut x);
            Solve { s: &narrow, first_block: 0, x: &mut y }.run();
            assert_eq!(x, y);
        }
    }

    #[test]
    fn products_of_columns_are_those_of_whole_solves() {
        let (p, signs, mut m) = grid(12);
        let mut s = Supernodal::by_fours(&p, 0..p.blocks());
        s.factor(&p, &signs, 0, &mut m).unwrap();
        // On one point, on three, and the row itself.
        let column = |k: usize| -> Vec<(usize, f64)> {
            let at = (37 * k) % (p.size() - 4);
            match k % 3 {
                0 => vec![(at, 1.0)],
                1 => vec![(at, 0.5), (at / 2, -2.0), (at / 3 + 1, 1.0)],
                _ => vec![(p.size() - 1, 1.0), (at, 1.0)],
            }
        };
        let columns: Vec<Vec<(usize, f64)>> = (0..23).map(column).collect();
        let mut gram = Gram::default();
        for _ in 0..2 {
            gram.begin();
            columns.iter().for_each(|c| gram.add(c.iter().copied()));
            s.gram(0, &mut gram);
        }
        for (a, from) in columns.iter().enumerate() {
            let mut x = vec![0.0; p.size()];
            from.iter().for_each(|&(k, v)| x[k] += v);
            s.solve(0, &mut x);
            for (b, to) in columns.iter().enumerate() {
                let value: f64 = to.iter().map(|&(k, v)| v * x[k]).sum();
                assert!((gram.product(a, b) - value).abs() < 1e-14, "{a} {b} {} {value}", gram.product(a, b));
                assert_eq!(gram.product(a, b), gram.product(b, a));
            }
        }
    }
}

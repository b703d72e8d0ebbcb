//! The same factorisation as `block_ldlt`, for matrices with much fill: neighbouring blocks of like structure are eliminated
//! together as one dense panel.
//!
//! A panel holds the rows of U = D L^T of its own scalars, over these scalars and all later ones that they touch:
//! ```text
//! panel = [ D_1 U_11 | U_12 ],   later entries (i, j) -= U_i^T D^-1 U_j  by rows of U_12, added into the front of the panel above
//! ```
//! Pivot signs, dropped rows and the answer are those of `block_ldlt`. The inner loops run along rows and never sum across
//! lanes, so the result does not depend on the width of the machine's vectors.
//!
//! Panels of large islands are divided into parts (`layout`): branches of the elimination tree, which do not depend on each other, and the
//! trunk that they meet in. The trunk takes what the branches add to it in the order of the panels, so that the bits are the same however many threads there are.

mod fours;
mod gram;
mod layout;
mod part;
mod strips;
mod tile;

pub use gram::Gram;

use super::block_ldlt::{BlockLdlt, Breakdown, FactorInfo, Signs};
use crate::block::matrix::Pattern;
use part::Part;
use std::ops::Range;
use taut_lanes::Kernel;

/// Does pieces of work that do not depend on each other.
pub trait Crew {
    /// Does it to each item, in any order or at the same time.
    fn each<I: Send>(&self, items: &mut [I], work: impl Fn(&mut I) + Send + Sync);
}

/// One after the other.
#[derive(Clone, Copy, Debug)]
pub struct Alone;

impl Crew for Alone {
    fn each<I: Send>(&self, items: &mut [I], work: impl Fn(&mut I) + Send + Sync) {
        items.iter_mut().for_each(work);
    }
}

/// One panel: where it is and what it touches.
#[derive(Clone, Debug)]
struct Panel {
    blocks: Range<usize>,
    /// First scalar, and how many.
    x: usize,
    width: usize,
    /// Its later scalars in `rows`.
    rows: Range<usize>,
    /// The part it belongs to, and its first value there.
    part: usize,
    values: usize,
    /// First value of its update.
    update: usize,
    /// The panel of its first later scalar, which takes the update, and where the later scalars are in its front, in `columns`.
    above: Option<usize>,
    columns: usize,
    /// The panels whose updates it takes, in `below`.
    below: Range<usize>,
    /// Columns of the neighbours of its blocks in `places`.
    places: usize,
}

impl Panel {
    /// Values of a row.
    fn stride(&self) -> usize {
        self.width + self.rows.len()
    }

    /// All its values.
    fn range(&self) -> Range<usize> {
        self.values..self.values + self.width * self.stride()
    }
}

/// An island that uses this path.
#[derive(Clone, Debug)]
struct Island {
    first_block: usize,
    panels: Range<usize>,
    /// Its branches, and the trunk last.
    parts: Range<usize>,
}

/// Symbolic part.
#[derive(Clone, Debug, Default)]
struct Shape {
    panels: Vec<Panel>,
    /// By first block.
    islands: Vec<Island>,
    rows: Vec<u32>,
    columns: Vec<u32>,
    below: Vec<u32>,
    /// Column of each neighbour of each block in its panel, in the order of the pattern's neighbours of these islands.
    places: Vec<u32>,
}

/// Symbolic part and values.
#[derive(Clone, Debug, Default)]
pub struct Supernodal {
    shape: Shape,
    parts: Vec<Part>,
    /// Whether right-hand sides go through a panel by four pivots at a time.
    by_fours: bool,
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

    /// Values of all panels.
    pub fn values(&self) -> usize {
        self.shape.panels.iter().map(|n| n.range().len()).sum()
    }

    /// Memory held, bytes.
    pub fn bytes(&self) -> usize {
        let s = &self.shape;
        self.parts.iter().map(Part::bytes).sum::<usize>()
            + 4 * (s.rows.capacity() + s.columns.capacity() + s.places.capacity() + s.below.capacity())
            + std::mem::size_of::<Panel>() * s.panels.capacity()
    }

    fn island(&self, first_block: usize) -> &Island {
        &self.shape.islands[self.shape.islands.partition_point(|i| i.first_block < first_block)]
    }

    /// Values of a panel.
    #[inline(always)]
    fn of(&self, n: &Panel) -> &[f64] {
        &self.parts[n.part].values[n.range()]
    }

    /// Factorises the island that starts with block `first_block`, from the values of its blocks.
    pub fn factor(
        &mut self,
        p: &Pattern,
        signs: &Signs,
        first_block: usize,
        m: &mut BlockLdlt,
    ) -> Result<FactorInfo, Breakdown> {
        self.factor_by(&Alone, p, signs, first_block, m)
    }

    /// The same by a crew, with the same bits.
    pub fn factor_by(
        &mut self,
        crew: &impl Crew,
        p: &Pattern,
        signs: &Signs,
        first_block: usize,
        m: &mut BlockLdlt,
    ) -> Result<FactorInfo, Breakdown> {
        let Island { panels, parts, .. } = self.island(first_block).clone();
        let given = part::Given { shape: &self.shape, p, signs, m: &*m };
        let (first, last) = (parts.start, parts.len().saturating_sub(1));
        let (branches, trunk) = self.parts[parts].split_at_mut(last);
        crew.each(branches, |part| taut_lanes::run(part::Factorise { part, given, branches: &[], first }));
        trunk.iter_mut().for_each(|part| taut_lanes::run(part::Factorise { part, given, branches, first }));
        let mut info = FactorInfo::default();
        let mut failed: Option<Breakdown> = None;
        for part in branches.iter().chain(&*trunk) {
            info.smallest_pivot = info.smallest_pivot.min(part.info.smallest_pivot);
            info.dropped += part.info.dropped;
            let first = failed.iter().chain(&part.failed).min_by_key(|b| (b.block, b.row)).copied();
            failed = first;
        }
        if let Some(failed) = failed {
            return Err(failed);
        }
        for n in &self.shape.panels[panels] {
            let (values, w) = (&self.parts[n.part].values[n.range()], n.stride());
            for b in n.blocks.clone().filter(|&b| signs.is_row[b]) {
                for x in (p.row[b]..p.row[b] + p.dims[b]).filter(|&x| m.reference[x] > 0.0) {
                    m.dropped[x] = values[(x - n.x) * (w + 1)] == 0.0;
                }
            }
        }
        Ok(info)
    }

    /// Solves for one right-hand side in place.
    pub fn solve(&self, first_block: usize, x: &mut [f64]) {
        taut_lanes::run(Solve { s: self, first_block, x })
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
        let range = self.s.island(self.first_block).panels.clone();
        if self.s.by_fours {
            fours::solve(self.s, range, self.x);
        } else {
            strips::solve(self.s, range, self.x);
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
    let n = y.len();
    let [x0, x1, x2, x3] = x.map(|x| &x[..n]);
    for k in 0..n {
        y[k] = (((y[k] - a[0] * x0[k]) - a[1] * x1[k]) - a[2] * x2[k]) - a[3] * x3[k];
    }
}

/// y += a x.
#[inline(always)]
fn axpy(a: f64, x: &[f64], y: &mut [f64]) {
    let n = y.len();
    let x = &x[..n];
    for k in 0..n {
        y[k] += a * x[k];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block_ldlt::BlockLdlt;

    /// A grid of points of three scalars with springs, a row that ties its opposite corners, and its matrix.
    fn grid(side: usize) -> (Pattern, Signs, BlockLdlt) {
        grid_in(side, &(0..side * side).collect::<Vec<_>>())
    }

    /// Places of the points of a grid in an order by nested dissection, from `at` on.
    fn dissect(side: usize, [x, y]: [Range<usize>; 2], at: &mut usize, place: &mut [usize]) {
        if x.len() < 4 || y.len() < 4 {
            for (x, y) in x.flat_map(|x| y.clone().map(move |y| (x, y))) {
                place[y * side + x] = *at;
                *at += 1;
            }
            return;
        }
        let (mx, my) = (x.start.midpoint(x.end), y.start.midpoint(y.end));
        let parts = match x.len() > y.len() {
            true => [[x.start..mx, y.clone()], [mx + 1..x.end, y.clone()], [mx..mx + 1, y]],
            false => [[x.clone(), y.start..my], [x.clone(), my + 1..y.end], [x, my..my + 1]],
        };
        parts.into_iter().for_each(|part| dissect(side, part, at, place));
    }

    /// The same with the points in these places.
    fn grid_in(side: usize, place: &[usize]) -> (Pattern, Signs, BlockLdlt) {
        let n = side * side;
        let pair = |a: usize, b: usize| (place[a].min(place[b]), place[a].max(place[b]));
        let mut pairs: Vec<(usize, usize)> = (0..n).filter(|k| k % side > 0).map(|k| pair(k - 1, k)).collect();
        pairs.extend((side..n).map(|k| pair(k - side, k)));
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
            let Supernodal { shape, parts, .. } = &mut narrow;
            let given = part::Given { shape, p: &p, signs: &signs, m: &m };
            part::Factorise { part: &mut parts[0], given, branches: &[], first: 0 }.run();
            assert!(wide.parts[0].values == narrow.parts[0].values);
            let mut x: Vec<f64> = (0..p.size()).map(|k| ((k * k) % 19) as f64 - 9.0).collect();
            let mut y = x.clone();
            wide.solve(0, &mut x);
            Solve { s: &narrow, first_block: 0, x: &mut y }.run();
            assert_eq!(x, y);
        }
    }

    /// The last first, or on two threads.
    enum Others {
        Reversed,
        Threads,
    }

    impl Crew for Others {
        fn each<I: Send>(&self, items: &mut [I], work: impl Fn(&mut I) + Send + Sync) {
            let (half, work) = (items.len() / 2, &work);
            match self {
                Others::Reversed => items.iter_mut().rev().for_each(work),
                Others::Threads => std::thread::scope(|s| {
                    let (one, other) = items.split_at_mut(half);
                    s.spawn(move || one.iter_mut().for_each(work));
                    other.iter_mut().for_each(work);
                }),
            }
        }
    }

    /// K x, of blocks that have not been factorised.
    fn multiply(p: &Pattern, m: &BlockLdlt, x: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; p.size()];
        for k in 0..p.blocks() {
            let d = p.dims[k];
            (0..d * d).for_each(|c| y[p.row[k] + c / d] += m.diag[p.diag[k] + c] * x[p.row[k] + c % d]);
            for &(a, at) in p.of(k) {
                for c in 0..d * p.dims[a] {
                    let (i, j) = (p.row[k] + c / p.dims[a], p.row[a] + c % p.dims[a]);
                    y[i] += m.off[at + c] * x[j];
                    y[j] += m.off[at + c] * x[i];
                }
            }
        }
        y
    }

    #[test]
    fn parts_are_the_same_whoever_does_them_and_solve_the_system() {
        let mut place = vec![0; 70 * 70];
        dissect(70, [0..70, 0..70], &mut 0, &mut place);
        let (p, signs, mut m) = grid_in(70, &place);
        let x: Vec<f64> = (0..p.size()).map(|k| ((k * k) % 19) as f64 - 9.0).collect();
        let b = multiply(&p, &m, &x);
        let mut alone = Supernodal::by_fours(&p, 0..p.blocks());
        assert!(alone.parts.len() > 3, "{}", alone.parts.len());
        let info = alone.factor(&p, &signs, 0, &mut m).unwrap();
        for crew in [Others::Reversed, Others::Threads] {
            let mut other = Supernodal::by_fours(&p, 0..p.blocks());
            // Twice: what a factorisation leaves must not get into the next.
            for _ in 0..2 {
                let found = other.factor_by(&crew, &p, &signs, 0, &mut m).unwrap();
                assert_eq!((found.dropped, found.smallest_pivot), (info.dropped, info.smallest_pivot));
            }
            assert!(alone.parts.iter().zip(&other.parts).all(|(a, b)| a.values == b.values));
        }
        let mut found = b;
        alone.solve(0, &mut found);
        let error = found.iter().zip(&x).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(error < 1e-12, "{error}");
    }

    #[test]
    fn a_redundant_row_is_dropped_and_a_wrong_sign_named_in_whatever_part_they_are() {
        let (p, signs, m) = grid(40);
        let n = p.blocks() - 1;
        // A point in a branch that is pushed away from where it is.
        let (mut wrong, mut s) = (m.clone(), Supernodal::by_fours(&p, 0..p.blocks()));
        wrong.diag[p.diag[7]] = -9.0;
        let failed = s.factor(&p, &signs, 0, &mut wrong).unwrap_err();
        assert_eq!((failed.block, failed.row), (7, 0));
        // A row without entries.
        let mut empty = m;
        for k in [0, n - 1] {
            let at = p.coupling(k, n).unwrap();
            empty.off[at..at + 3].fill(0.0);
        }
        empty.reference[p.row[n]] = 1.0;
        let info = s.factor(&p, &signs, 0, &mut empty).unwrap();
        assert_eq!((info.dropped, empty.dropped[p.row[n]]), (1, true));
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

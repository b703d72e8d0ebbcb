//! Canonical form: every cone circular, every normal and box row with a unit diagonal.
//!
//! ```text
//! z = s y      box s = 1 / sqrt(W_ii)        contact s = d (1, mu1, mu2), d = 1 / sqrt(W_nn)
//! W := S W S   q := S q                      cones |y_t| <= y_n, the law unchanged (zt . wt is invariant)
//! ```
//!
//! Natural map at (y, u = W y + q), in the units of w; the residual is that over the unit of each row:
//!
//! ```text
//! box, normal   (y - clip(y - u)) / s
//! tangent       (y_t - disc_{y_n}(y_t - u_t / t)) t / s      t = largest diagonal of the two tangents; sticking gives w_t
//! ```
//!
//! Ropes with friction are there by the differences of their tensions (`chain`).
//! A tangent with mu = 0 is a zero row. A row with W_ii <= 1e-14 max W has no effect: it is held at the allowed impulse
//! nearest to zero and has no residual.

use super::sparse::System;
use super::{Block, Problem, chain};
use crate::dense::{Product, dot};
use crate::tuning::T;

/// A block in canonical form.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cell {
    Box {
        row: usize,
        lo: f64,
        hi: f64,
    },
    /// Normal, tangents; `t` is the largest diagonal entry of the tangents, 0 without friction.
    Cone {
        row: usize,
        t: f64,
    },
    /// The rows of a rope with friction; the first is a box from -inf to 0.
    Chain {
        row: usize,
        rows: usize,
    },
}

/// What of y the rows of a rope may have: z between `slope[0]` and `slope[1]` times the sum of z before it.
pub(super) type Slopes = [f64; 2];

#[derive(Clone, Debug, Default)]
pub(super) struct Canon {
    pub n: usize,
    pub w: Vec<f64>,
    pub q: Vec<f64>,
    pub cells: Vec<Cell>,
    /// z = scale y.
    pub scale: Vec<f64>,
    /// y = inverse z; 0 for rows without effect.
    pub inverse: Vec<f64>,
    /// What a row's entry of W y counts in the residual: inverse / unit.
    pub measure: Vec<f64>,
    /// Velocity of each row that counts as one, m/s or rad/s.
    unit: Vec<f64>,
    /// Largest diagonal entry of W in these units, 1/(N s).
    largest: f64,
    /// Stands for W and q where W is too large to be formed; `w` and `q` are then empty.
    pub sparse: Option<System>,
    /// Of the rows of ropes; empty without ropes.
    pub slopes: Vec<Slopes>,
    y: Vec<f64>,
    u: Vec<f64>,
}

/// The nearest value within the bounds; a NaN becomes a bound, bounds that cross give the upper.
pub(super) fn clip(x: f64, lo: f64, hi: f64) -> f64 {
    x.max(lo).min(hi)
}

impl Canon {
    /// Scales and cells. False when the lengths do not fit or an entry is not finite.
    pub fn scales(&mut self, p: &Problem<'_>) -> bool {
        let n = p.q.len();
        let rows: usize = p.blocks.iter().map(Block::rows).sum();
        let finite = |v: &[f64]| v.iter().all(|x| x.is_finite());
        let units = p.unit.is_empty() || (p.unit.len() == n && p.unit.iter().all(|u| *u > 0.0));
        if rows != n || !units || n.checked_mul(n) != Some(p.w.len()) || !finite(p.w) || !finite(p.q) {
            return false;
        }
        self.scales_by(p.blocks, p.unit, |i| p.w[i * n + i]);
        true
    }

    /// The same from the diagonal of W alone.
    pub fn scales_by(&mut self, blocks: &[Block], unit: &[f64], diagonal: impl Fn(usize) -> f64) {
        let n = blocks.iter().map(Block::rows).sum();
        self.n = n;
        self.unit.clear();
        self.unit.extend_from_slice(unit);
        self.unit.resize(n, 1.0);
        let mobility = |i: usize, unit: &[f64]| diagonal(i) / (unit[i] * unit[i]);
        self.largest = (0..n).map(|i| mobility(i, &self.unit)).fold(0.0, f64::max);
        let dead = T.bounded.dead * self.largest;
        self.cells.clear();
        self.scale.clear();
        self.inverse.clear();
        self.slopes.clear();
        for block in blocks {
            let row = self.scale.len();
            let live = mobility(row, &self.unit) > dead;
            match *block {
                Block::Box { lo, hi } => self.push_box(row, lo, hi, live.then(|| diagonal(row))),
                Block::Span { over } => self.push_span(row, over, live.then(|| diagonal(row))),
                Block::Contact { .. } if !live => (row..row + 3).for_each(|i| self.push_box(i, 0.0, 0.0, None)),
                Block::Contact { mu } => {
                    let d = 1.0 / diagonal(row).sqrt();
                    let s = [d, d * mu[0].max(0.0), d * mu[1].max(0.0)];
                    let t = f64::max(s[1] * s[1] * diagonal(row + 1), s[2] * s[2] * diagonal(row + 2)).max(0.0);
                    self.scale.extend(s);
                    self.inverse.extend(s.map(|s| if s > 0.0 { 1.0 / s } else { 0.0 }));
                    self.cells.push(Cell::Cone { row, t });
                }
            }
        }
        self.measure.clear();
        self.measure.extend(self.inverse.iter().zip(&self.unit).map(|(i, u)| i / u));
    }

    fn push_box(&mut self, row: usize, lo: f64, hi: f64, diagonal: Option<f64>) {
        let s = diagonal.map_or(1.0, |d| 1.0 / d.sqrt());
        let held = clip(0.0, lo, hi);
        let (lo, hi) = if diagonal.is_some() { (lo / s, hi / s) } else { (held, held) };
        self.scale.push(s);
        self.inverse.push(diagonal.map_or(0.0, |_| 1.0 / s));
        self.cells.push(Cell::Box { row, lo, hi });
    }

    /// A row of a rope, by the difference of its tension to that before it. One without effect is no different.
    fn push_span(&mut self, row: usize, over: Option<[f64; 2]>, diagonal: Option<f64>) {
        let s = diagonal.map_or(1.0, |d| 1.0 / d.sqrt());
        self.scale.push(s);
        self.inverse.push(diagonal.map_or(0.0, |_| 1.0 / s));
        self.slopes.resize(row, [0.0; 2]);
        self.slopes.push(
            over.filter(|_| diagonal.is_some())
                .map_or([0.0; 2], |[on, back]| [on.max(1.0) - 1.0, 1.0 / back.max(1.0) - 1.0]),
        );
        match self.cells.last_mut() {
            Some(Cell::Chain { rows, .. }) if over.is_some() => *rows += 1,
            _ => self.cells.push(Cell::Chain { row, rows: 1 }),
        }
    }

    /// The scaled matrix and right-hand side; rows without effect become zero, what they give goes to q.
    pub fn load(&mut self, p: &Problem<'_>) -> bool {
        if !self.scales(p) {
            return false;
        }
        let n = self.n;
        self.w.resize(n * n, 0.0);
        for i in 0..n {
            let s = if self.inverse[i] > 0.0 { self.scale[i] } else { 0.0 };
            for j in 0..n {
                let t = if self.inverse[j] > 0.0 { self.scale[j] } else { 0.0 };
                // The symmetric part, whatever the rounding of the caller.
                self.w[i * n + j] = s * t * 0.5 * (p.w[i * n + j] + p.w[j * n + i]);
            }
        }
        self.q.clear();
        self.q.extend((0..n).map(|i| if self.inverse[i] > 0.0 { self.scale[i] * p.q[i] } else { 0.0 }));
        for cell in &self.cells {
            if let Cell::Box { row: j, lo, .. } = *cell
                && self.inverse[j] == 0.0
                && lo != 0.0
            {
                for i in (0..n).filter(|&i| self.inverse[i] > 0.0) {
                    self.q[i] += self.scale[i] * p.w[i * n + j] * lo;
                }
            }
        }
        true
    }

    /// y of z, projected on boxes and cones.
    pub fn start(&self, z: &[f64], y: &mut Vec<f64>) {
        y.clear();
        y.extend(z.iter().zip(&self.inverse).map(|(z, i)| if z.is_finite() { z * i } else { 0.0 }));
        self.admit(y);
    }

    /// z of y.
    pub fn finish(&self, y: &[f64], z: &mut [f64]) {
        for ((z, y), s) in z.iter_mut().zip(y).zip(&self.scale) {
            *z = s * y;
        }
    }

    /// Projects y on boxes and, radially at fixed normal, on cones.
    pub fn admit(&self, y: &mut [f64]) {
        for cell in &self.cells {
            match *cell {
                Cell::Box { row, lo, hi } => y[row] = clip(y[row], lo, hi),
                Cell::Cone { row, .. } => {
                    let n = y[row].max(0.0);
                    let f = shrink(n, y[row + 1], y[row + 2]);
                    y[row] = n;
                    y[row + 1] *= f;
                    y[row + 2] *= f;
                }
                Cell::Chain { row, rows } => chain::project(self, row..row + rows, y),
            }
        }
    }

    /// u = W y + q.
    pub fn velocity(&self, y: &[f64], u: &mut Vec<f64>) {
        if let Some(s) = &self.sparse {
            return s.velocity(self, y, u);
        }
        taut_lanes::run(Product { a: &self.w, x: y, y: u });
        u.iter_mut().zip(&self.q).for_each(|(u, q)| *u += q);
    }

    /// v = W y.
    pub fn product(&self, y: &[f64], v: &mut Vec<f64>) {
        if let Some(s) = &self.sparse {
            return s.product(self, y, v);
        }
        taut_lanes::run(Product { a: &self.w, x: y, y: v });
    }

    /// The largest entry of the natural map, in the units of the rows; infinite when an entry is NaN.
    pub fn residual(&self, y: &[f64], u: &[f64]) -> f64 {
        let mut worst = 0.0;
        let mut see = |r: f64| worst = worse(worst, r);
        for cell in &self.cells {
            match *cell {
                Cell::Box { row: i, lo, hi } => see(self.measure[i] * (y[i] - clip(y[i] - u[i], lo, hi))),
                Cell::Cone { row: i, t } => {
                    see(self.measure[i] * (y[i] - (y[i] - u[i]).max(0.0)));
                    if t > 0.0 {
                        let (a, b) = (y[i + 1] - u[i + 1] / t, y[i + 2] - u[i + 2] / t);
                        let f = shrink(y[i].max(0.0), a, b);
                        see(self.measure[i + 1] * t * (y[i + 1] - a * f));
                        see(self.measure[i + 2] * t * (y[i + 2] - b * f));
                    }
                }
                Cell::Chain { row, rows } => {
                    chain::bounds(
                        self,
                        row..row + rows,
                        |i| y[i],
                        |i, lo, hi| {
                            see(self.measure[i] * (y[i] - clip(y[i] - u[i], lo, hi)));
                        },
                    );
                }
            }
        }
        if worst.is_finite() { worst } else { f64::INFINITY }
    }

    /// The residual, or what rounding may hide where that is more than `T.bounded.meaningless`.
    pub fn honest_residual(&self, y: &[f64], u: &[f64]) -> f64 {
        let r = self.residual(y, u);
        let size = (0..self.n).fold(0.0, |m, i| f64::max(m, (y[i] * self.scale[i] * self.unit[i]).abs()));
        // A bound of the floor without a product.
        if 4.0 * f64::EPSILON * size * self.largest * self.n as f64 <= T.bounded.meaningless {
            return r;
        }
        let floor = self.floor(y);
        if floor > T.bounded.meaningless { r.max(floor) } else { r }
    }

    /// What rounding leaves of the residual: 4 eps max(|W| |y| + |q|), in the units of the rows.
    pub fn floor(&self, y: &[f64]) -> f64 {
        if let Some(s) = &self.sparse {
            return s.floor(self, y);
        }
        let n = self.n;
        let size = |i: usize| self.w[i * n..(i + 1) * n].iter().zip(y).fold(0.0, |s, (w, y)| s + (w * y).abs());
        4.0 * f64::EPSILON * (0..n).fold(0.0, |m, i| f64::max(m, self.measure[i] * (size(i) + self.q[i].abs())))
    }

    /// The residual at z from the problem itself; needs `scales` only.
    pub fn residual_of(&mut self, p: &Problem<'_>, z: &[f64]) -> f64 {
        let n = self.n;
        let (mut y, mut u) = (std::mem::take(&mut self.y), std::mem::take(&mut self.u));
        y.clear();
        y.extend(z.iter().zip(&self.inverse).map(|(z, i)| z * i));
        u.clear();
        u.extend((0..n).map(|i| self.scale[i] * (dot(&p.w[i * n..(i + 1) * n], z) + p.q[i])));
        // Rows without effect count as held, tangents without friction must be zero.
        let mut outside = 0.0_f64;
        for cell in &self.cells {
            match *cell {
                Cell::Box { row, lo, .. } if self.inverse[row] == 0.0 => y[row] = lo,
                Cell::Cone { row, .. } => {
                    for i in row + 1..row + 3 {
                        if self.inverse[i] == 0.0 && z[i] != 0.0 {
                            outside = outside.max(z[i].abs() * p.w[i * n + i] / self.unit[i]);
                        }
                    }
                }
                Cell::Box { .. } | Cell::Chain { .. } => {}
            }
        }
        let size = |i: usize| p.w[i * n..(i + 1) * n].iter().zip(z).fold(p.q[i].abs(), |s, (w, z)| s + (w * z).abs());
        let floor = 4.0 * f64::EPSILON * (0..n).map(|i| size(i) / self.unit[i]).fold(0.0, f64::max);
        let r = self.residual(&y, &u).max(outside).max(if floor > T.bounded.meaningless { floor } else { 0.0 });
        (self.y, self.u) = (y, u);
        if z.iter().all(|z| z.is_finite()) { r } else { f64::INFINITY }
    }
}

/// The larger size; once it is NaN it stays so.
#[inline(always)]
pub(super) fn worse(most: f64, r: f64) -> f64 {
    let r = r.abs();
    if r > most || r.is_nan() { r } else { most }
}

/// The factor that brings (a, b) into the disc of the radius r >= 0.
pub(super) fn shrink(r: f64, a: f64, b: f64) -> f64 {
    let length = (a * a + b * b).sqrt();
    if length > r { r / length } else { 1.0 }
}

//! Block principal pivoting for box rows (Judice and Pires 1994), on the canonical problem.
//!
//! ```text
//! every row is free (u = 0), at its lower or at its upper bound
//! free rows solve W_FF y_F = -(q_F + W_FB y_B)
//! wrong: a free row outside its bounds goes to that bound; a row at a bound with u of the wrong sign becomes free
//! all wrong rows change at once; when that has not lowered their number for 8 rounds, only the last one does (Murty)
//! ```
//!
//! Murty's rule ends when W is positive definite. A free block without a Cholesky factor is singular to rounding: then
//! there is no answer here, and the caller goes on with another method.

use super::canon::{Canon, Cell, clip};
use super::driver::Count;
use super::{Method, Work};
use crate::dense::Cholesky;
use crate::tuning::T;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Lower,
    Free,
    Upper,
}

/// Memory of the methods for box rows: bounds by row, places, and the free block.
#[derive(Clone, Debug, Default)]
pub(super) struct BoxWork {
    pub lo: Vec<f64>,
    pub hi: Vec<f64>,
    pub y: Vec<f64>,
    place: Vec<Place>,
    u: Vec<f64>,
    free: Vec<usize>,
    a: Vec<f64>,
    rhs: Vec<f64>,
    wrong: Vec<(usize, Place)>,
    cholesky: Cholesky,
}

impl BoxWork {
    /// The bounds of each row; a contact without friction is a normal and two rows at 0.
    pub fn bounds(&mut self, c: &Canon) {
        self.lo.clear();
        self.hi.clear();
        for cell in &c.cells {
            match *cell {
                Cell::Box { lo, hi, .. } => {
                    self.lo.push(lo);
                    self.hi.push(hi);
                }
                Cell::Chain { rows, .. } => {
                    self.lo.extend((0..rows).map(|_| f64::NEG_INFINITY));
                    self.hi.extend((0..rows).map(|_| 0.0));
                }
                Cell::Cone { .. } => {
                    self.lo.extend([0.0; 3]);
                    self.hi.extend([f64::INFINITY, 0.0, 0.0]);
                }
            }
        }
    }

    fn place_rows(&mut self, start: &[f64]) {
        self.place.clear();
        self.place.extend((0..start.len()).map(|i| match start[i] {
            y if y <= self.lo[i] => Place::Lower,
            y if y >= self.hi[i] => Place::Upper,
            _ => Place::Free,
        }));
    }

    /// y for the present places; false when the free block is singular.
    fn solve_free(&mut self, c: &Canon, count: &mut Count) -> bool {
        let n = c.n;
        self.free.clear();
        self.free.extend((0..n).filter(|&i| self.place[i] == Place::Free));
        self.y.clear();
        self.y.extend((0..n).map(|i| match self.place[i] {
            Place::Lower => self.lo[i],
            Place::Free => 0.0,
            Place::Upper => self.hi[i],
        }));
        c.velocity(&self.y, &mut self.u);
        let m = self.free.len();
        self.a.resize(m * m, 0.0);
        self.rhs.clear();
        for (r, &i) in self.free.iter().enumerate() {
            for (t, &j) in self.free[..=r].iter().enumerate() {
                self.a[r * m + t] = c.w[i * n + j];
            }
            self.rhs.push(-self.u[i]);
        }
        count.flops += (m * m * m) as f64 / 3.0 + 4.0 * (n * n) as f64;
        if self.cholesky.factor(m, &self.a).is_err() || self.cholesky.least_pivot() < T.pivoting.singular {
            return false;
        }
        self.cholesky.solve(&mut self.rhs);
        for (&i, x) in self.free.iter().zip(&self.rhs) {
            self.y[i] = *x;
        }
        c.velocity(&self.y, &mut self.u);
        true
    }

    fn find_wrong(&mut self, q: &[f64], tolerance: f64) {
        let size = self.y.iter().chain(q).fold(0.0, |m, y| f64::max(m, y.abs()));
        let slack = 1e-12 * size;
        self.wrong.clear();
        for i in 0..self.y.len() {
            let (y, u) = (self.y[i], self.u[i]);
            let next = match self.place[i] {
                Place::Free if y < self.lo[i] - slack => Place::Lower,
                Place::Free if y > self.hi[i] + slack => Place::Upper,
                Place::Lower if u < -tolerance && self.hi[i] > self.lo[i] => Place::Free,
                Place::Upper if u > tolerance && self.hi[i] > self.lo[i] => Place::Free,
                _ => continue,
            };
            self.wrong.push((i, next));
        }
    }

    /// True when all rows are right.
    fn pivot(&mut self, c: &Canon, start: &[f64], tolerance: f64, count: &mut Count) -> bool {
        self.place_rows(start);
        let (mut fewest, mut patience) = (usize::MAX, T.pivoting.patience);
        while !count.spent() {
            count.iterations += 1;
            if !self.solve_free(c, count) {
                return false;
            }
            self.find_wrong(&c.q, tolerance);
            let Some(&(last, next)) = self.wrong.last() else {
                return true;
            };
            if self.wrong.len() < fewest {
                (fewest, patience) = (self.wrong.len(), T.pivoting.patience);
            } else if patience > 0 {
                patience -= 1;
            } else {
                self.place[last] = next;
                continue;
            }
            for &(i, next) in &self.wrong {
                self.place[i] = next;
            }
        }
        false
    }
}

/// Runs from the warm start; none when W is singular on the free rows or the iterations are used up.
pub(super) fn run(work: &mut Work) -> Option<Method> {
    let Work { canon: c, hybrid: h, boxes: b, count, .. } = work;
    b.bounds(c);
    // Velocities in the units of u: the tolerance of the worst scaled row.
    let scale = c.measure.iter().fold(0.0, |m, s| f64::max(m, *s));
    let tolerance = if scale > 0.0 { 0.1 * h.best.tolerance / scale } else { 0.0 };
    if !b.pivot(c, &h.start, tolerance, count) {
        return None;
    }
    for i in 0..c.n {
        b.y[i] = clip(b.y[i], b.lo[i], b.hi[i]);
    }
    h.best.keep(c, &b.y, count);
    h.best.done().then_some(Method::Pivoting)
}

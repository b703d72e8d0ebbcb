//! The reduced matrix, formed: what any sparse solver needs and the elimination never makes.
//!
//! ```text
//! column d of link a:   v = J e_d        v_a = S_d,  v_i = X_i v_p below a
//!                       w = H v          on the links below a and those coupled with them
//!                       A e_d = J^T w + A_a e_d        from there to the roots
//! row g of a loop:      J^T g            from its bodies to the roots
//! ```
//!
//! A column visits only the links on which it can have entries, so that the whole costs what it holds, sorting apart.

use super::eliminate::halves;
use super::spatial::{Sym6, axpy, carry, dot, pass};
use super::{Fault, Load, NONE, Rows, Structure, Twist, Values, product};

/// The lower triangle of a symmetric matrix by columns: column c has the rows `rows[starts[c]..starts[c + 1]]`, ascending, the
/// diagonal first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LowerColumns {
    /// First entry of each column, and the number of entries at the end.
    pub starts: Vec<usize>,
    /// Row of each entry.
    pub rows: Vec<usize>,
    /// Its value.
    pub values: Vec<f64>,
}

impl LowerColumns {
    /// The matrix J^T H J + A of an articulated system.
    pub fn new(s: &Structure, values: &Values) -> Result<Self, Fault> {
        values.check(s)?;
        let mut former = Former::new(s, values);
        let mut out = LowerColumns { starts: vec![0], ..Default::default() };
        for link in 0..s.len() {
            for d in s.dof(link)..s.dof(link + 1) {
                former.column(link, d);
                former.climb(d, |row, value| {
                    out.rows.push(row);
                    out.values.push(value);
                });
                let first = out.starts[d];
                out.rows[first..].reverse();
                out.values[first..].reverse();
                // The freedoms of the link itself come first.
                let k = s.links()[link].dofs;
                for r in d - s.dof(link)..k {
                    out.values[first + r + s.dof(link) - d] += values.joint[s.square(link) + r * k + d - s.dof(link)];
                }
                out.starts.push(out.rows.len());
            }
        }
        Ok(out)
    }

    /// Number of rows and columns.
    pub fn size(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Row and value of the entries of a column, the diagonal first.
    pub fn column(&self, c: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let entries = self.starts[c]..self.starts[c + 1];
        self.rows[entries.clone()].iter().copied().zip(self.values[entries].iter().copied())
    }

    /// Without the entries beside the diagonal that are not above `least` in magnitude.
    pub fn above(&self, least: f64) -> Self {
        let mut out = LowerColumns { starts: vec![0], ..Default::default() };
        for c in 0..self.size() {
            for (row, value) in self.column(c).filter(|&(row, value)| row == c || value.abs() > least) {
                out.rows.push(row);
                out.values.push(value);
            }
            out.starts.push(out.rows.len());
        }
        out
    }

    /// The product with a vector, of which missing entries are zero.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        let x = |k: usize| x.get(k).copied().unwrap_or(0.0);
        let mut out = vec![0.0; self.size()];
        for c in 0..self.size() {
            for (row, value) in self.column(c) {
                out[row] += value * x(c);
                out[c] += if row == c { 0.0 } else { value * x(row) };
            }
        }
        out
    }
}

/// The rows in joint space, G J, each as column and value of its entries, ascending.
pub fn reduced_rows(s: &Structure, values: &Values, rows: &Rows) -> Result<Vec<Vec<(usize, f64)>>, Fault> {
    values.check(s)?;
    rows.check(s)?;
    let mut former = Former::new(s, values);
    let mut all = Vec::with_capacity(rows.len());
    for k in 0..rows.len() {
        for (link, g) in rows.row(k) {
            former.reach(*link);
            axpy(&mut former.w[*link], 1.0, g);
        }
        let mut row = Vec::new();
        former.climb(0, |d, value| row.push((d, value)));
        row.reverse();
        all.push(row);
    }
    Ok(all)
}

/// A load in joint space, b + J^T w.
pub fn reduced_load(s: &Structure, values: &Values, load: &Load) -> Result<Vec<f64>, Fault> {
    values.check(s)?;
    load.check(s)?;
    let mut out = vec![0.0; s.dofs()];
    if !load.body.is_empty() {
        product::to_joints(s, values, &mut load.body.to_vec(), &mut out);
    }
    out.iter_mut().zip(load.joint).for_each(|(x, b)| *x += b);
    Ok(out)
}

/// Work memory of one column after the other.
struct Former<'a> {
    s: &'a Structure,
    values: &'a Values,
    children: Vec<Vec<usize>>,
    pairs: Vec<Vec<usize>>,
    /// Links below that of the column, and its velocities there.
    below: Vec<usize>,
    is_below: Vec<bool>,
    v: Vec<Twist>,
    /// Links on which something acts, or that carry such ones, and the wrenches on them.
    reached: Vec<usize>,
    is_reached: Vec<bool>,
    w: Vec<Twist>,
}

impl<'a> Former<'a> {
    fn new(s: &'a Structure, values: &'a Values) -> Self {
        let n = s.len();
        let (mut children, mut pairs) = (vec![Vec::new(); n], vec![Vec::new(); n]);
        for i in (0..n).filter(|&i| s.carrier(i) != NONE) {
            children[s.carrier(i)].push(i);
        }
        for (at, p) in s.pairs().iter().enumerate() {
            pairs[p.i].push(at);
            if p.j != NONE && p.j != p.i {
                pairs[p.j].push(at);
            }
        }
        Former {
            s,
            values,
            children,
            pairs,
            below: Vec::new(),
            is_below: vec![false; n],
            v: vec![[0.0; 6]; n],
            reached: Vec::new(),
            is_reached: vec![false; n],
            w: vec![[0.0; 6]; n],
        }
    }

    /// w = H J e_d for a freedom of a link.
    fn column(&mut self, link: usize, d: usize) {
        self.below.clear();
        self.below.push(link);
        self.v[link] = self.values.s[d];
        let mut next = 0;
        while let Some(&i) = self.below.get(next) {
            self.is_below[i] = true;
            for &c in &self.children[i] {
                self.v[c] = carry(&self.v[i], self.values.arm[c]);
                self.below.push(c);
            }
            next += 1;
        }
        for k in 0..self.below.len() {
            let i = self.below[k];
            self.reach(i);
            axpy(&mut self.w[i], 1.0, &Sym6::from_rows(&self.values.h[i]).mul(&self.v[i]));
            for at in 0..self.pairs[i].len() {
                self.couple(i, self.pairs[i][at]);
            }
        }
        for &i in &self.below {
            self.is_below[i] = false;
        }
    }

    /// What a pair of a moving link does; once, where both of its links move.
    fn couple(&mut self, link: usize, pair: usize) {
        let p = self.s.pairs()[pair];
        let moves = |b: usize| b != NONE && self.is_below[b];
        let (first, second) = (moves(p.i), moves(p.j));
        if link == p.j && first && p.i != p.j {
            return;
        }
        self.reach(p.i);
        if p.j != NONE {
            self.reach(p.j);
        }
        for g in &self.values.terms[self.s.term(pair)..self.s.term(pair + 1)] {
            let (gi, gj) = halves(g);
            let rate = if first { dot(&gi, &self.v[p.i]) } else { 0.0 };
            let rate = rate + if second { dot(&gj, &self.v[p.j]) } else { 0.0 };
            axpy(&mut self.w[p.i], rate, &gi);
            if p.j != NONE {
                axpy(&mut self.w[p.j], rate, &gj);
            }
        }
        if p.block && p.j != NONE {
            let b = &self.values.blocks[self.s.block(pair)];
            for r in 0..6 {
                for c in 0..6 {
                    self.w[p.i][r] += if second { b[6 * r + c] * self.v[p.j][c] } else { 0.0 };
                    self.w[p.j][c] += if first { b[6 * r + c] * self.v[p.i][r] } else { 0.0 };
                }
            }
        }
    }

    fn reach(&mut self, link: usize) {
        if !self.is_reached[link] {
            self.is_reached[link] = true;
            self.w[link] = [0.0; 6];
            self.reached.push(link);
        }
    }

    /// J^T w for the freedoms from `least` on, descending; w is used up.
    fn climb(&mut self, least: usize, mut put: impl FnMut(usize, f64)) {
        let mut next = 0;
        while let Some(&i) = self.reached.get(next) {
            if self.s.carrier(i) != NONE {
                self.reach(self.s.carrier(i));
            }
            next += 1;
        }
        self.reached.sort_unstable_by(|a, b| b.cmp(a));
        for &i in &self.reached {
            self.is_reached[i] = false;
            for d in (self.s.dof(i).max(least)..self.s.dof(i + 1)).rev() {
                put(d, dot(&self.values.s[d], &self.w[i]));
            }
            let p = self.s.carrier(i);
            if p != NONE {
                let up = pass(&self.w[i], self.values.arm[i]);
                axpy(&mut self.w[p], 1.0, &up);
            }
        }
        self.reached.clear();
    }
}

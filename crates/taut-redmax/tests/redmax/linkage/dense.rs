//! Dense references. Sums of products and factors are in double-double (about 32 digits), so that the reference is right
//! where the matrix is not well conditioned.

use super::systems::System;
use std::ops::{Add, Div, Mul, Neg, Sub};
use taut_redmax::articulated::{Load, NONE};

/// An unevaluated sum of two numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dd(f64, f64);

pub fn dd(x: f64) -> Dd {
    Dd(x, 0.0)
}

impl Dd {
    pub fn value(self) -> f64 {
        self.0 + self.1
    }

    fn normal(a: f64, b: f64) -> Dd {
        let s = a + b;
        Dd(s, b - (s - a))
    }
}

impl Add for Dd {
    type Output = Dd;
    fn add(self, o: Dd) -> Dd {
        let s = self.0 + o.0;
        let t = s - self.0;
        Dd::normal(s, (self.0 - (s - t)) + (o.0 - t) + self.1 + o.1)
    }
}

impl Neg for Dd {
    type Output = Dd;
    fn neg(self) -> Dd {
        Dd(-self.0, -self.1)
    }
}

impl Sub for Dd {
    type Output = Dd;
    fn sub(self, o: Dd) -> Dd {
        self + -o
    }
}

impl Mul for Dd {
    type Output = Dd;
    fn mul(self, o: Dd) -> Dd {
        let p = self.0 * o.0;
        Dd::normal(p, self.0.mul_add(o.0, -p) + (self.0 * o.1 + self.1 * o.0))
    }
}

impl Div for Dd {
    type Output = Dd;
    fn div(self, o: Dd) -> Dd {
        let q = self.0 / o.0;
        let r = self - o * dd(q);
        Dd::normal(q, r.0 / o.0)
    }
}

/// A row-major matrix.
#[derive(Clone, Debug)]
pub struct Matrix {
    pub rows: usize,
    pub columns: usize,
    pub a: Vec<Dd>,
}

impl Matrix {
    pub fn zero(rows: usize, columns: usize) -> Self {
        Matrix { rows, columns, a: vec![dd(0.0); rows * columns] }
    }

    pub fn at(&self, r: usize, c: usize) -> Dd {
        self.a[r * self.columns + c]
    }

    pub fn add(&mut self, r: usize, c: usize, x: Dd) {
        self.a[r * self.columns + c] = self.a[r * self.columns + c] + x;
    }

    pub fn times(&self, o: &Matrix) -> Matrix {
        let mut out = Matrix::zero(self.rows, o.columns);
        for r in 0..self.rows {
            for k in 0..self.columns {
                let x = self.at(r, k);
                if x != dd(0.0) {
                    for c in 0..o.columns {
                        out.add(r, c, x * o.at(k, c));
                    }
                }
            }
        }
        out
    }

    pub fn transpose(&self) -> Matrix {
        let mut out = Matrix::zero(self.columns, self.rows);
        for r in 0..self.rows {
            for c in 0..self.columns {
                out.add(c, r, self.at(r, c));
            }
        }
        out
    }

    /// A x = b by elimination with row exchange.
    pub fn solve(&self, b: &[Dd]) -> Vec<Dd> {
        let (n, mut m, mut x) = (self.rows, self.clone(), b.to_vec());
        for k in 0..n {
            let best =
                (k..n).max_by(|&i, &j| m.at(i, k).0.abs().total_cmp(&m.at(j, k).0.abs())).expect("a row is left");
            for c in 0..n {
                m.a.swap(k * n + c, best * n + c);
            }
            x.swap(k, best);
            for r in k + 1..n {
                let l = m.at(r, k) / m.at(k, k);
                if l != dd(0.0) {
                    for c in k..n {
                        let y = m.at(k, c);
                        m.add(r, c, -(l * y));
                    }
                    x[r] = x[r] - l * x[k];
                }
            }
        }
        for k in (0..n).rev() {
            let sum = (k + 1..n).fold(x[k], |s, c| s - m.at(k, c) * x[c]);
            x[k] = sum / m.at(k, k);
        }
        x
    }
}

/// J, 6n rows.
pub fn jacobian(sys: &System) -> Matrix {
    let (s, v) = (&sys.structure, &sys.values);
    let mut j = Matrix::zero(6 * s.len(), s.dofs());
    for (i, link) in s.links().iter().enumerate() {
        if link.parent != NONE {
            let r = v.arm[i];
            // lin_i = lin_p - [r] ang_p
            let minus_skew = [[0.0, r.z, -r.y], [-r.z, 0.0, r.x], [r.y, -r.x, 0.0]];
            for c in 0..s.dofs() {
                let up = |k: usize| j.at(6 * link.parent + k, c);
                let parent: [Dd; 6] = std::array::from_fn(up);
                for k in 0..3 {
                    let turn = (0..3).fold(dd(0.0), |t, x| t + dd(minus_skew[k][x]) * parent[3 + x]);
                    j.add(6 * i + k, c, parent[k] + turn);
                    j.add(6 * i + 3 + k, c, parent[3 + k]);
                }
            }
        }
        for d in s.dof(i)..s.dof(i + 1) {
            for k in 0..6 {
                j.add(6 * i + k, d, dd(v.s[d][k]));
            }
        }
    }
    j
}

/// What becomes of a pair in [`blocks`].
#[derive(Clone, Copy, PartialEq)]
pub enum Springs {
    Exact,
    Diagonal,
}

/// H, 6n x 6n.
pub fn blocks(sys: &System, springs: Springs) -> Matrix {
    let (s, v) = (&sys.structure, &sys.values);
    let mut h = Matrix::zero(6 * s.len(), 6 * s.len());
    for i in 0..s.len() {
        for r in 0..6 {
            for c in 0..6 {
                h.add(6 * i + r, 6 * i + c, dd(v.h[i][6 * r.min(c) + r.max(c)]));
            }
        }
    }
    for (at, p) in s.pairs().iter().enumerate() {
        let ends: Vec<(usize, usize)> = if p.j == NONE { vec![(p.i, 0)] } else { vec![(p.i, 0), (p.j, 6)] };
        for g in &v.terms[s.term(at)..s.term(at + 1)] {
            for &(a, fa) in &ends {
                for &(b, fb) in &ends {
                    if a == b || springs == Springs::Exact {
                        for r in 0..6 {
                            for c in 0..6 {
                                h.add(6 * a + r, 6 * b + c, dd(g[fa + r]) * dd(g[fb + c]));
                            }
                        }
                    }
                }
            }
        }
        if p.block && p.j != NONE && springs == Springs::Exact {
            let b = &v.blocks[s.block(at)];
            for r in 0..6 {
                for c in 0..6 {
                    h.add(6 * p.i + r, 6 * p.j + c, dd(b[6 * r + c]));
                    h.add(6 * p.j + c, 6 * p.i + r, dd(b[6 * r + c]));
                }
            }
        }
    }
    h
}

/// J^T H J + A.
pub fn reduced(sys: &System, springs: Springs) -> Matrix {
    let j = jacobian(sys);
    let mut a = j.transpose().times(&blocks(sys, springs).times(&j));
    let s = &sys.structure;
    for i in 0..s.len() {
        let (d, k) = (s.dof(i), s.links()[i].dofs);
        for r in 0..k {
            for c in 0..k {
                a.add(d + r, d + c, dd(sys.values.joint[s.square(i) + k * r.max(c) + r.min(c)]));
            }
        }
    }
    a
}

/// b + J^T w.
pub fn right_side(sys: &System, load: &Load) -> Vec<Dd> {
    let (j, s) = (jacobian(sys), &sys.structure);
    let entry = |c: usize| {
        let w = |r: usize| load.body.get(r / 6).map_or(0.0, |w| w[r % 6]);
        let sum = (0..6 * s.len()).fold(dd(0.0), |t, r| t + j.at(r, c) * dd(w(r)));
        sum + dd(load.joint.get(c).copied().unwrap_or(0.0))
    };
    (0..s.dofs()).map(entry).collect()
}

/// The solution y by the dense way.
pub fn solve(sys: &System, load: &Load) -> Vec<f64> {
    let x = reduced(sys, Springs::Exact).solve(&right_side(sys, load));
    x.into_iter().map(Dd::value).collect()
}

/// |a - b| / |b|.
pub fn difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let square = |x: f64| x * x;
    let d: f64 = a.iter().zip(b).map(|(x, y)| square(x - y)).sum();
    let n: f64 = b.iter().map(|y| y * y).sum();
    if n > 0.0 { (d / n).sqrt() } else { d.sqrt() }
}

/// Eigenvalues of P^-1 A, ascending: Jacobi rotations on L^-1 A L^-T with P = L L^T.
pub fn eigenvalues(a: &Matrix, p: &Matrix) -> Vec<f64> {
    let n = a.rows;
    let mut l = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let x = (0..j).fold(p.at(i, j).value(), |s, k| s - l[i][k] * l[j][k]);
            l[i][j] = if i == j { x.sqrt() } else { x / l[j][j] };
        }
    }
    let forward = |b: &mut Vec<f64>| {
        for i in 0..n {
            b[i] = (0..i).fold(b[i], |s, k| s - l[i][k] * b[k]) / l[i][i];
        }
    };
    let columns = |m: &Vec<Vec<f64>>| -> Vec<Vec<f64>> {
        let mut t: Vec<Vec<f64>> = (0..n).map(|c| (0..n).map(|r| m[r][c]).collect()).collect();
        t.iter_mut().for_each(forward);
        t
    };
    // Entry [c][r] of the first pass is column c of L^-1 A; the second pass works on its rows.
    let plain: Vec<Vec<f64>> = (0..n).map(|r| (0..n).map(|c| a.at(r, c).value()).collect()).collect();
    let mut m = columns(&columns(&plain));
    for _ in 0..60 {
        let off: f64 = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| m[i][j] * m[i][j]).sum();
        if off < 1e-26 {
            break;
        }
        for i in 0..n {
            for j in 0..i {
                rotate(&mut m, i, j);
            }
        }
    }
    let mut e: Vec<f64> = (0..n).map(|i| m[i][i]).collect();
    e.sort_by(f64::total_cmp);
    e
}

fn rotate(m: &mut [Vec<f64>], p: usize, q: usize) {
    if m[p][q].abs() < 1e-300 {
        return;
    }
    let theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for row in m.iter_mut() {
        let (a, b) = (row[p], row[q]);
        row[p] = c * a - s * b;
        row[q] = s * a + c * b;
    }
    for k in 0..m.len() {
        let (a, b) = (m[p][k], m[q][k]);
        m[p][k] = c * a - s * b;
        m[q][k] = s * a + c * b;
    }
}

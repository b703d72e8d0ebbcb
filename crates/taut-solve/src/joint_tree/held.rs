//! Nodes whose joints hold some of their rotations: universal joints and hinges, and welds, which hold all.
//!
//! The angular rows a_i.(w - w_parent) = b_i have a dual basis a*_i, with a_i.a*_j = 1 where i = j and 0 elsewhere, in the span of the
//! rows. Freedoms f are directions across all of them; their length does not matter.
//! ```text
//! u = u_parent + sign b_row,   w = w_parent + sum b_i a*_i + sum q_k f_k
//! for each freedom:  U = (Q f, R f),  D = f.R f,  (P, Q, R) -= U U^T/D           what is left of (P, Q, R) is handed on to the parent
//! up:    bw -= s x bv;  for each freedom:  q_k = f.bw/D,  (bv, bw) -= U q_k;     handed on: (bv, bw) - (P, Q, R)(what the rows ask for)
//! down:  for each freedom, the last first:  q_k -= U.(u, w)/D;   sign z = bv - P u - Q w,   z_i = a*_i.(bw - Q^T u - R w),   v = u + s x w
//! ```

use super::Member;
use super::small::{get, put, sym_rows, sym_times, times, transposed_times};
use crate::tuning::T;
use glam::DVec3;

/// The angular rows of a joint and what they leave free.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hold {
    /// How many rows; three less is what they leave free.
    rows: usize,
    /// a*.
    dual: [DVec3; 3],
    freedoms: [Freedom; 2],
}

/// A rotation that a joint leaves free, eliminated.
#[derive(Clone, Copy, Debug, Default)]
struct Freedom {
    f: DVec3,
    /// U, linear and angular part.
    lin: DVec3,
    ang: DVec3,
    /// 1/D.
    per: f64,
}

impl Freedom {
    /// Takes q = f.bw/D off a right-hand side; returns it.
    #[inline(always)]
    fn take(&self, b: &mut (DVec3, DVec3)) -> f64 {
        let q = self.f.dot(b.1) * self.per;
        b.0 -= self.lin * q;
        b.1 -= self.ang * q;
        q
    }
}

impl Hold {
    /// Memory for so many rows.
    pub fn new(rows: usize) -> Self {
        Hold { rows, dual: [DVec3::ZERO; 3], freedoms: Default::default() }
    }

    /// Takes the rows. Where they depend on each other: the last of them, and how little it has across the others.
    pub fn set(&mut self, rows: &[DVec3]) -> Result<(), (usize, f64)> {
        let check = |pivot: f64, least: f64| if pivot > T.factor.noise * least { Ok(()) } else { Err(pivot) };
        match *rows {
            [a] => {
                let square = a.length_squared();
                check(square, 0.0).map_err(|p| (0, p))?;
                self.dual[0] = a / square;
                // The unit vector most across a.
                let (x, y, z) = (a.x.abs(), a.y.abs(), a.z.abs());
                let e = if x <= y && x <= z {
                    DVec3::X
                } else if y <= z {
                    DVec3::Y
                } else {
                    DVec3::Z
                };
                let f = a.cross(e);
                (self.freedoms[0].f, self.freedoms[1].f) = (f, a.cross(f));
            }
            [a, b] => {
                let n = a.cross(b);
                let square = n.length_squared();
                check(square, a.length_squared() * b.length_squared()).map_err(|p| (1, p))?;
                (self.dual[0], self.dual[1]) = (b.cross(n) / square, n.cross(a) / square);
                self.freedoms[0].f = n;
            }
            [a, b, c] => {
                let n = a.cross(b);
                let volume = n.dot(c);
                let least = n.length_squared() * c.length_squared();
                check(volume * volume, least).map_err(|p| (2, p))?;
                self.dual = [b.cross(c) / volume, c.cross(a) / volume, n / volume];
            }
            _ => {}
        }
        Ok(())
    }

    /// How many angular rows.
    #[inline(always)]
    pub fn rows(&self) -> usize {
        self.rows
    }

    #[inline(always)]
    fn freedoms<const ROWS: usize>(&self) -> &[Freedom] {
        &self.freedoms[..3 - ROWS]
    }

    /// What the angular rows ask for.
    #[inline(always)]
    fn asked<const ROWS: usize>(&self, b: &[f64]) -> DVec3 {
        self.dual[..ROWS].iter().zip(&b[..ROWS]).fold(DVec3::ZERO, |sum, (a, b)| sum + *a * *b)
    }
}

/// Eliminates the freedoms of a node; a pivot that is not positive on failure.
#[inline(always)]
pub(super) fn factor(e: &mut Member, hold: &mut Hold) -> Result<(), f64> {
    // A weld leaves nothing to divide by: its node must have mass all the same.
    for mass in [e.p[0], e.r[0], e.r[1], e.r[2]] {
        if !(mass > 0.0) {
            return Err(mass);
        }
    }
    for k in 0..3 - hold.rows {
        let f = hold.freedoms[k].f;
        let (lin, ang) = (times(&e.q, f), sym_times(&e.r, f));
        let d = f.dot(ang);
        if !(d > 0.0) {
            return Err(d);
        }
        let per = 1.0 / d;
        let (l, a) = (lin.to_array(), ang.to_array());
        for (q, (r, c)) in [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)].into_iter().enumerate() {
            e.p[q] -= l[r] * (per * l[c]);
            e.r[q] -= a[r] * (per * a[c]);
        }
        for r in 0..3 {
            for c in 0..3 {
                e.q[3 * r + c] -= l[r] * (per * a[c]);
            }
        }
        hold.freedoms[k] = Freedom { f, lin, ang, per };
    }
    Ok(())
}

/// Adds what is left of a node to its parent.
#[inline(always)]
pub(super) fn hand_on(e: &Member, parent: &mut Member) {
    let d = e.sp - parent.s;
    // G = -P hat(d), by rows; R grows by hat(d) Q + (hat(d) Q)^T + hat(d) G.
    let g = sym_rows(&e.p).map(|row| d.cross(row).to_array());
    let column = |c: usize| DVec3::new(e.q[c], e.q[3 + c], e.q[6 + c]);
    let turned = [0, 1, 2].map(|c| d.cross(column(c)).to_array());
    let both = [0, 1, 2].map(|c| d.cross(DVec3::new(g[0][c], g[1][c], g[2][c])).to_array());
    for (q, (r, c)) in [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)].into_iter().enumerate() {
        parent.p[q] += e.p[q];
        parent.r[q] += e.r[q] + (turned[c][r] + turned[r][c]) + both[c][r];
    }
    for r in 0..3 {
        for c in 0..3 {
            parent.q[3 * r + c] += e.q[3 * r + c] + g[r][c];
        }
    }
}

/// What a node hands on of its right-hand side; bw is seen from the joint from now on.
#[inline(always)]
pub(super) fn collect<const ROWS: usize>(e: &Member, hold: &Hold, x: &mut [f64]) -> (DVec3, DVec3) {
    let (at, row) = (e.x as usize, e.row as usize);
    let bv = get(x, at);
    let mut b = (bv, get(x, at + 3) - e.s.cross(bv));
    put(x, at + 3, b.1);
    for f in hold.freedoms::<ROWS>() {
        f.take(&mut b);
    }
    let (u, w) = (e.sign * get(x, row), hold.asked::<ROWS>(&x[row + 3..row + 3 + ROWS]));
    against(e, b, (u, w))
}

/// Velocities of a node and impulses of its joint, from those of the parent there.
#[inline(always)]
pub(super) fn descend<const ROWS: usize>(e: &Member, hold: &Hold, (up, wp): (DVec3, DVec3), x: &mut [f64]) {
    let (at, row) = (e.x as usize, e.row as usize);
    let mut b = (get(x, at), get(x, at + 3));
    let mut q = [0.0; 2];
    for (q, f) in q.iter_mut().zip(hold.freedoms::<ROWS>()) {
        *q = f.take(&mut b);
    }
    let u = up + e.sign * get(x, row);
    let mut w = wp + hold.asked::<ROWS>(&x[row + 3..row + 3 + ROWS]);
    let (force, moment) = against(e, b, (u, w));
    for (q, f) in q.iter().zip(hold.freedoms::<ROWS>()).rev() {
        w += f.f * (q - (f.lin.dot(u) + f.ang.dot(w)) * f.per);
    }
    put(x, at, u + e.s.cross(w));
    put(x, at + 3, w);
    put(x, row, e.sign * force);
    for (to, dual) in x[row + 3..row + 3 + ROWS].iter_mut().zip(&hold.dual) {
        *to = dual.dot(moment);
    }
}

/// b - (P, Q, R)(u, w).
#[inline(always)]
fn against(e: &Member, b: (DVec3, DVec3), (u, w): (DVec3, DVec3)) -> (DVec3, DVec3) {
    let lin = b.0 - sym_times(&e.p, u) - times(&e.q, w);
    let ang = b.1 - transposed_times(&e.q, u) - sym_times(&e.r, w);
    (lin, ang)
}

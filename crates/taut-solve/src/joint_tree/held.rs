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
use super::small::{Bad, get, list, put, read, sym_rows, sym_times, times, transposed_times, write, zero};
use crate::tuning::T;
use glam::DVec3;
use taut_lanes::{Real, Vec4};

/// The angular rows of a joint and what they leave free.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hold<C> {
    /// How many rows; three less is what they leave free.
    rows: usize,
    /// a*.
    dual: [[C; 3]; 3],
    freedoms: [Freedom<C>; 2],
}

/// A rotation that a joint leaves free, eliminated.
#[derive(Clone, Copy, Debug, Default)]
struct Freedom<C> {
    f: [C; 3],
    /// U, linear and angular part.
    lin: [C; 3],
    ang: [C; 3],
    /// 1/D.
    per: C,
}

impl<C> Freedom<C> {
    /// Takes q = f.bw/D off a right-hand side; returns it.
    #[inline(always)]
    fn take<R: Real<Cell = C>>(&self, b: &mut (Vec4<R>, Vec4<R>)) -> R {
        let q = Vec4::load(&self.f).dot(b.1) * R::load(&self.per);
        b.0 = b.0 - Vec4::load(&self.lin) * q;
        b.1 = b.1 - Vec4::load(&self.ang) * q;
        q
    }
}

impl<C: Copy + Default> Hold<C> {
    /// Memory for so many rows.
    pub fn new(rows: usize) -> Self {
        Hold { rows, dual: Default::default(), freedoms: Default::default() }
    }

    /// Takes the rows. Where they depend on each other: the last of them, and how little it has across the others.
    #[inline(always)]
    pub fn set<R: Real<Cell = C>>(&mut self, rows: &[Vec4<R>]) -> Bad<R> {
        let none = Bad::none();
        let noise = R::all(T.factor.noise);
        match *rows {
            [a] => {
                let square = a.dot(a);
                (a / square).store(&mut self.dual[0]);
                // The unit vector most across a.
                let (x, y, z) = (a.x.abs(), a.y.abs(), a.z.abs());
                let along = Vec4::all;
                let e = along(DVec3::Y).select(y.at_most(z), along(DVec3::Z));
                let e = along(DVec3::X).select(x.at_most(y) & x.at_most(z), e);
                let f = a.cross(e);
                f.store(&mut self.freedoms[0].f);
                a.cross(f).store(&mut self.freedoms[1].f);
                none.or(square, R::all(0.0))
            }
            [a, b] => {
                let n = a.cross(b);
                let square = n.dot(n);
                (b.cross(n) / square).store(&mut self.dual[0]);
                (n.cross(a) / square).store(&mut self.dual[1]);
                n.store(&mut self.freedoms[0].f);
                none.or(square, noise * (a.dot(a) * b.dot(b)))
            }
            [a, b, c] => {
                let n = a.cross(b);
                let volume = n.dot(c);
                (b.cross(c) / volume).store(&mut self.dual[0]);
                (c.cross(a) / volume).store(&mut self.dual[1]);
                (n / volume).store(&mut self.dual[2]);
                none.or(volume * volume, noise * (n.dot(n) * c.dot(c)))
            }
            _ => none,
        }
    }

    /// How many angular rows.
    #[inline(always)]
    pub fn rows(&self) -> usize {
        self.rows
    }

    #[inline(always)]
    fn freedoms<const ROWS: usize>(&self) -> &[Freedom<C>] {
        &self.freedoms[..3 - ROWS]
    }

    /// What the angular rows ask for.
    #[inline(always)]
    fn asked<R: Real<Cell = C>, const ROWS: usize>(&self, b: &[C]) -> Vec4<R> {
        let mut sum = zero();
        for (a, b) in self.dual[..ROWS].iter().zip(&b[..ROWS]) {
            sum = sum + Vec4::load(a) * R::load(b);
        }
        sum
    }
}

/// Eliminates the freedoms of a node; where a pivot is not positive.
#[inline(always)]
pub(super) fn factor<R: Real>(e: &mut Member<R::Cell>, hold: &mut Hold<R::Cell>) -> Bad<R> {
    let (mut p, mut q, mut rr): ([R; 6], [R; 9], [R; 6]) = (read(&e.p), read(&e.q), read(&e.r));
    let (mut bad, nothing) = (Bad::none(), R::all(0.0));
    // A weld leaves nothing to divide by: its node must have mass all the same.
    for mass in [p[0], rr[0], rr[1], rr[2]] {
        bad = bad.or(mass, nothing);
    }
    for k in 0..3 - hold.rows {
        let f = Vec4::load(&hold.freedoms[k].f);
        let (lin, ang) = (times(&q, f), sym_times(&rr, f));
        let d = f.dot(ang);
        bad = bad.or(d, nothing);
        let per = R::all(1.0) / d;
        let (l, a) = (list(lin), list(ang));
        for (k, (r, c)) in [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)].into_iter().enumerate() {
            p[k] = p[k] - l[r] * (per * l[c]);
            rr[k] = rr[k] - a[r] * (per * a[c]);
        }
        for r in 0..3 {
            for c in 0..3 {
                q[3 * r + c] = q[3 * r + c] - l[r] * (per * a[c]);
            }
        }
        let to = &mut hold.freedoms[k];
        lin.store(&mut to.lin);
        ang.store(&mut to.ang);
        per.store(&mut to.per);
    }
    write(p, &mut e.p);
    write(q, &mut e.q);
    write(rr, &mut e.r);
    bad
}

/// Adds what is left of a node to its parent.
#[inline(always)]
pub(super) fn hand_on<R: Real>(e: &Member<R::Cell>, parent: &mut Member<R::Cell>) {
    let d = Vec4::<R>::load(&e.sp) - Vec4::load(&parent.s);
    let (p, q, rr): ([R; 6], [R; 9], [R; 6]) = (read(&e.p), read(&e.q), read(&e.r));
    // G = -P hat(d), by rows; R grows by hat(d) Q + (hat(d) Q)^T + hat(d) G.
    let g = sym_rows(&p).map(|row| list(d.cross(row)));
    let turned = [0, 1, 2].map(|c| list(d.cross(Vec4 { x: q[c], y: q[3 + c], z: q[6 + c] })));
    let both = [0, 1, 2].map(|c| list(d.cross(Vec4 { x: g[0][c], y: g[1][c], z: g[2][c] })));
    for (k, (r, c)) in [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)].into_iter().enumerate() {
        (R::load(&parent.p[k]) + p[k]).store(&mut parent.p[k]);
        let more = rr[k] + (turned[c][r] + turned[r][c]) + both[c][r];
        (R::load(&parent.r[k]) + more).store(&mut parent.r[k]);
    }
    for r in 0..3 {
        for c in 0..3 {
            let more = q[3 * r + c] + g[r][c];
            (R::load(&parent.q[3 * r + c]) + more).store(&mut parent.q[3 * r + c]);
        }
    }
}

/// What a node hands on of its right-hand side; bw is seen from the joint from now on.
#[inline(always)]
pub(super) fn collect<R: Real, const ROWS: usize>(
    e: &Member<R::Cell>,
    hold: &Hold<R::Cell>,
    x: &mut [R::Cell],
) -> (Vec4<R>, Vec4<R>) {
    let (at, row) = (e.x as usize, e.row as usize);
    let bv = get::<R>(x, at);
    let mut b = (bv, get(x, at + 3) - Vec4::load(&e.s).cross(bv));
    put(x, at + 3, b.1);
    for f in hold.freedoms::<ROWS>() {
        f.take(&mut b);
    }
    let (u, w) = (get(x, row) * R::all(e.sign), hold.asked::<R, ROWS>(&x[row + 3..row + 3 + ROWS]));
    against(e, b, (u, w))
}

/// Velocities of a node and impulses of its joint, from those of the parent there.
#[inline(always)]
pub(super) fn descend<R: Real, const ROWS: usize>(
    e: &Member<R::Cell>,
    hold: &Hold<R::Cell>,
    (up, wp): (Vec4<R>, Vec4<R>),
    x: &mut [R::Cell],
) {
    let (at, row, sign) = (e.x as usize, e.row as usize, R::all(e.sign));
    let mut b = (get(x, at), get(x, at + 3));
    let mut q = [R::all(0.0); 2];
    for (q, f) in q.iter_mut().zip(hold.freedoms::<ROWS>()) {
        *q = f.take(&mut b);
    }
    let u = up + get(x, row) * sign;
    let mut w = wp + hold.asked::<R, ROWS>(&x[row + 3..row + 3 + ROWS]);
    let (force, moment) = against(e, b, (u, w));
    for (q, f) in q.iter().zip(hold.freedoms::<ROWS>()).rev() {
        let back = (Vec4::load(&f.lin).dot(u) + Vec4::load(&f.ang).dot(w)) * R::load(&f.per);
        w = w + Vec4::load(&f.f) * (*q - back);
    }
    put(x, at, u + Vec4::load(&e.s).cross(w));
    put(x, at + 3, w);
    put(x, row, force * sign);
    for (to, dual) in x[row + 3..row + 3 + ROWS].iter_mut().zip(&hold.dual) {
        Vec4::load(dual).dot(moment).store(to);
    }
}

/// b - (P, Q, R)(u, w).
#[inline(always)]
fn against<R: Real>(e: &Member<R::Cell>, b: (Vec4<R>, Vec4<R>), (u, w): (Vec4<R>, Vec4<R>)) -> (Vec4<R>, Vec4<R>) {
    let (p, q, r): ([R; 6], [R; 9], [R; 6]) = (read(&e.p), read(&e.q), read(&e.r));
    let lin = b.0 - sym_times(&p, u) - times(&q, w);
    let ang = b.1 - transposed_times(&q, u) - sym_times(&r, w);
    (lin, ang)
}

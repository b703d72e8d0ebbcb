//! Turns of four bodies at a time (`taut_lanes`), with the bits of one.

use super::so3::{self, COSC, SINC, TINY};
use glam::DMat3;
use taut_lanes::each;
pub(crate) use taut_lanes::{Four, LANES, Mask, Number, Vec4};

/// `so3::series` of each.
#[inline(always)]
fn series<F: Number>(x: F, c: &[f64; 8]) -> F {
    let x2 = x * x;
    let low = (F::all(c[0]) + x * c[1]) + (F::all(c[2]) + x * c[3]) * x2;
    let high = (F::all(c[4]) + x * c[5]) + (F::all(c[6]) + x * c[7]) * x2;
    low + high * (x2 * x2)
}

/// `so3::tail` of each.
#[inline(always)]
fn tail<F: Number>(x: F, c: &[f64; 8]) -> F {
    let x2 = x * x;
    let low = (F::all(c[1]) + x * c[2]) + (F::all(c[3]) + x * c[4]) * x2;
    low + ((F::all(c[5]) + x * c[6]) + x2 * c[7]) * (x2 * x2)
}

/// (sin x / x, cos x) as functions of x^2 < 1/4, as `so3` has them.
#[inline(always)]
fn sinc_cos<F: Number>(x2: F) -> (F, F) {
    let one = F::all(1.0);
    let tiny = (one + x2 * (F::all(SINC[1]) + x2 * SINC[2]), one - x2 * (F::all(COSC[0]) + x2 * COSC[1]));
    let is_tiny = x2.below(F::all(TINY));
    if is_tiny.all() {
        return tiny;
    }
    let (sinc, cos) = (series(x2, &SINC), one - x2 * series(x2, &COSC));
    (is_tiny.select(tiny.0, sinc), is_tiny.select(tiny.1, cos))
}

/// `exp(w)` applied to vectors, for turns of less than one radian.
#[inline(always)]
pub(crate) fn rotate<F: Number>(w: Vec4<F>, a: Vec4<F>) -> Vec4<F> {
    let (sinc, cos) = sinc_cos(w.dot(w) * 0.25);
    let v = w * (sinc * 0.5);
    let t = v.cross(a) * 2.0;
    a + t * cos + v.cross(t)
}

/// `so3::Arc` of four turns.
#[derive(Clone, Copy)]
pub(crate) struct Arc4<F> {
    w: Vec4<F>,
    tangent: F,
    inward: F,
}

impl<F: Number> Arc4<F> {
    /// Of four turns.
    #[inline(always)]
    pub fn of(w: Vec4<F>) -> Self {
        let x2 = w.dot(w);
        let is_tiny = x2.below(F::all(TINY));
        let tiny = (x2 * (F::all(SINC[1]) + x2 * SINC[2]), F::all(COSC[0]) + x2 * (F::all(COSC[1]) + x2 * COSC[2]));
        if is_tiny.all() {
            return Arc4 { w, tangent: tiny.0, inward: tiny.1 };
        }
        if !x2.below(F::all(so3::NEAR)).all() {
            let [tangent, inward] = Self::far(w);
            return Arc4 { w, tangent, inward };
        }
        let (tangent, inward) = (x2 * tail(x2, &SINC), series(x2, &COSC));
        Arc4 { w, tangent: is_tiny.select(tiny.0, tangent), inward: is_tiny.select(tiny.1, inward) }
    }

    /// Beyond the reach of the series, one by one.
    #[cold]
    #[inline(never)]
    fn far(w: Vec4<F>) -> [F; 2] {
        let parts = w.array().map(|w| so3::Arc::of(w).coefficients());
        [F::of(parts.map(|p| p[0])), F::of(parts.map(|p| p[1]))]
    }

    /// From where they are kept.
    #[inline(always)]
    pub fn load(from: &[Four; 5]) -> Self {
        let w = Vec4 { x: F::load(&from[0]), y: F::load(&from[1]), z: F::load(&from[2]) };
        Arc4 { w, tangent: F::load(&from[3]), inward: F::load(&from[4]) }
    }

    /// To where they are kept.
    #[inline(always)]
    pub fn store(self, to: &mut [Four; 5]) {
        self.w.x.store(&mut to[0]);
        self.w.y.store(&mut to[1]);
        self.w.z.store(&mut to[2]);
        self.tangent.store(&mut to[3]);
        self.inward.store(&mut to[4]);
    }

    /// What they add to arms.
    #[inline(always)]
    pub fn at(&self, a: Vec4<F>) -> Vec4<F> {
        let t = self.w.cross(a);
        t * self.tangent + self.w.cross(t) * self.inward
    }

    /// The tangents: w x a.
    #[inline(always)]
    pub fn along(&self, a: Vec4<F>) -> Vec4<F> {
        self.w.cross(a)
    }

    /// Where they turn arms to.
    #[inline(always)]
    pub fn turned(&self, a: Vec4<F>) -> Vec4<F> {
        let t = self.w.cross(a);
        a + (t + (t * self.tangent + self.w.cross(t) * self.inward))
    }
}

/// Four numbers of each, from where they are kept.
#[inline(always)]
pub(crate) fn quat4<F: Number>([x, y, z, w]: &[Four; 4]) -> [F; 4] {
    [F::load(x), F::load(y), F::load(z), F::load(w)]
}

/// Unit quaternions (x, y, z, w) of four bodies, and what turning by w makes of them: `so3::exp(w) q`, normalised.
#[inline(always)]
pub(crate) fn turned<F: Number>(w: Vec4<F>, q: [F; 4]) -> [F; 4] {
    let x2 = w.dot(w) * 0.25;
    let [x0, y0, z0, w0] = if x2.below(F::all(so3::NEAR)).all() {
        let (sinc, cos) = sinc_cos(x2);
        let v = w * (sinc * 0.5);
        [v.x, v.y, v.z, cos]
    } else {
        far_turn(w)
    };
    let [x1, y1, z1, w1] = q;
    let q = [
        w0 * x1 + x0 * w1 + y0 * z1 - z0 * y1,
        w0 * y1 - x0 * z1 + y0 * w1 + z0 * x1,
        w0 * z1 + x0 * y1 - y0 * x1 + z0 * w1,
        w0 * w1 - x0 * x1 - y0 * y1 - z0 * z1,
    ];
    let per = F::all(1.0) / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
    [q[0] * per, q[1] * per, q[2] * per, q[3] * per]
}

/// Beyond the reach of the series, one by one.
#[cold]
#[inline(never)]
fn far_turn<F: Number>(w: Vec4<F>) -> [F; 4] {
    let turns = w.array().map(|w| so3::exp(w).to_array());
    [0, 1, 2, 3].map(|c| F::of(turns.map(|q| q[c])))
}

/// Matrices of four bodies, by columns.
#[derive(Clone, Copy)]
pub(crate) struct Mat4<F>(pub [Vec4<F>; 3]);

impl<F: Number> Mat4<F> {
    /// Zero.
    #[inline(always)]
    pub fn zero() -> Self {
        Mat4::diagonal(F::all(0.0))
    }

    /// The same number on all of the diagonal.
    #[inline(always)]
    pub fn diagonal(d: F) -> Self {
        let o = F::all(0.0);
        Mat4([Vec4 { x: d, y: o, z: o }, Vec4 { x: o, y: d, z: o }, Vec4 { x: o, y: o, z: d }])
    }

    /// The dyads a b^T, by components like `so3::outer`.
    #[inline(always)]
    pub fn outer(a: Vec4<F>, b: Vec4<F>) -> Self {
        Mat4([a * b.x, a * b.y, a * b.z])
    }

    /// Of unit quaternions.
    #[inline(always)]
    pub fn of_turn([x, y, z, w]: [F; 4]) -> Self {
        let (x2, y2, z2) = (x + x, y + y, z + z);
        let (xx, xy, xz) = (x * x2, x * y2, x * z2);
        let (yy, yz, zz) = (y * y2, y * z2, z * z2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        let one = F::all(1.0);
        Mat4([
            Vec4 { x: one - (yy + zz), y: xy + wz, z: xz - wy },
            Vec4 { x: xy - wz, y: one - (xx + zz), z: yz + wx },
            Vec4 { x: xz + wy, y: yz - wx, z: one - (xx + yy) },
        ])
    }

    /// From where they are kept.
    #[inline(always)]
    pub fn load(from: &[[Four; 3]; 3]) -> Self {
        Mat4([Vec4::load(&from[0]), Vec4::load(&from[1]), Vec4::load(&from[2])])
    }

    /// To where they are kept.
    #[inline(always)]
    pub fn store(self, to: &mut [[Four; 3]; 3]) {
        for c in 0..3 {
            self.0[c].store(&mut to[c]);
        }
    }

    /// Their products with vectors.
    #[inline(always)]
    pub fn times(&self, v: Vec4<F>) -> Vec4<F> {
        self.0[0] * v.x + self.0[1] * v.y + self.0[2] * v.z
    }

    /// Those of their transposes.
    #[inline(always)]
    pub fn transposed_times(&self, v: Vec4<F>) -> Vec4<F> {
        Vec4 { x: self.0[0].dot(v), y: self.0[1].dot(v), z: self.0[2].dot(v) }
    }

    /// Their sums.
    #[inline(always)]
    pub fn plus(&self, other: &Self) -> Self {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        Mat4([a + d, b + e, c + f])
    }

    /// Their differences.
    #[inline(always)]
    pub fn minus(&self, other: &Self) -> Self {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        Mat4([a - d, b - e, c - f])
    }

    /// Their multiples.
    #[inline(always)]
    pub fn scaled(&self, by: F) -> Self {
        let [a, b, c] = self.0;
        Mat4([a * by, b * by, c * by])
    }

    /// Their transposes.
    #[inline(always)]
    pub fn transposed(&self) -> Self {
        let [a, b, c] = self.0;
        Mat4([Vec4 { x: a.x, y: b.x, z: c.x }, Vec4 { x: a.y, y: b.y, z: c.y }, Vec4 { x: a.z, y: b.z, z: c.z }])
    }

    /// Their products.
    #[inline(always)]
    pub fn product(&self, other: &Self) -> Self {
        Mat4([self.times(other.0[0]), self.times(other.0[1]), self.times(other.0[2])])
    }

    /// Their inverses, by cofactors.
    #[inline(always)]
    pub fn inverse(&self) -> Self {
        let [x, y, z] = self.0;
        let (a, b, c) = (y.cross(z), z.cross(x), x.cross(y));
        let per = F::all(1.0) / x.dot(a);
        Mat4([a * per, b * per, c * per]).transposed()
    }

    /// `so3::skew` of vectors.
    #[inline(always)]
    pub fn skew(a: Vec4<F>) -> Self {
        let o = F::all(0.0);
        Mat4([Vec4 { x: o, y: a.z, z: -a.y }, Vec4 { x: -a.z, y: o, z: a.x }, Vec4 { x: a.y, y: -a.x, z: o }])
    }

    /// R D R^T of diagonal matrices D: `self` is R.
    #[inline(always)]
    pub fn turn_diagonal(&self, d: Vec4<F>) -> Self {
        let [x, y, z] = self.0;
        Mat4([x * d.x, y * d.y, z * d.z]).product(&self.transposed())
    }

    /// These where it is so, the others elsewhere.
    #[inline(always)]
    pub fn select(&self, which: F::Which, other: &Self) -> Self {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        Mat4([a.select(which, d), b.select(which, e), c.select(which, f)])
    }
}

/// `vec3` of four places.
#[inline(always)]
pub(crate) fn vec4<F: Number>(x: &[f64], at: [usize; LANES]) -> Vec4<F> {
    let v = each!(at in at => &x[at..at + 3]);
    Vec4 { x: F::of(each!(v in v => v[0])), y: F::of(each!(v in v => v[1])), z: F::of(each!(v in v => v[2])) }
}

/// A list by fours: four of them, and how many count. The last one stands in for those that are missing.
pub(crate) struct Fours<I>(pub I);

impl<I: Iterator<Item = usize>> Iterator for Fours<I> {
    type Item = ([usize; LANES], usize);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let a = self.0.next()?;
        let Some(b) = self.0.next() else { return Some(([a; LANES], 1)) };
        let Some(c) = self.0.next() else { return Some(([a, b, b, b], 2)) };
        let Some(d) = self.0.next() else { return Some(([a, b, c, c], 3)) };
        Some(([a, b, c, d], LANES))
    }
}

/// Symmetric matrices of four bodies: xx, yy, zz, xy, yz, xz.
#[derive(Clone, Copy)]
pub(crate) struct Sym4<F>([F; 6]);

impl<F: Number> Sym4<F> {
    /// From four matrices.
    #[inline(always)]
    pub fn of(m: [&DMat3; LANES]) -> Self {
        Sym4([
            F::of(each!(m in m => m.x_axis.x)),
            F::of(each!(m in m => m.y_axis.y)),
            F::of(each!(m in m => m.z_axis.z)),
            F::of(each!(m in m => m.x_axis.y)),
            F::of(each!(m in m => m.y_axis.z)),
            F::of(each!(m in m => m.x_axis.z)),
        ])
    }

    /// From four that are packed.
    #[inline(always)]
    pub fn packed(m: [&[f64; 6]; LANES]) -> Self {
        Sym4([
            F::of(each!(m in m => m[0])),
            F::of(each!(m in m => m[1])),
            F::of(each!(m in m => m[2])),
            F::of(each!(m in m => m[3])),
            F::of(each!(m in m => m[4])),
            F::of(each!(m in m => m[5])),
        ])
    }

    /// Of matrices of which these parts are read.
    #[inline(always)]
    pub fn of_matrix(m: &Mat4<F>) -> Self {
        let [a, b, c] = m.0;
        Sym4([a.x, b.y, c.z, a.y, b.z, a.z])
    }

    /// From where they are kept.
    #[inline(always)]
    pub fn load(from: &[Four; 6]) -> Self {
        let [xx, yy, zz, xy, yz, xz] = from;
        Sym4([F::load(xx), F::load(yy), F::load(zz), F::load(xy), F::load(yz), F::load(xz)])
    }

    /// Their numbers.
    #[inline(always)]
    pub fn parts(&self) -> [F; 6] {
        self.0
    }

    /// v.S v along the columns of matrices.
    #[inline(always)]
    pub fn along(&self, axes: &Mat4<F>) -> [F; 3] {
        [self.form(axes.0[0]), self.form(axes.0[1]), self.form(axes.0[2])]
    }

    /// Their products with vectors.
    #[inline(always)]
    pub fn times(&self, v: Vec4<F>) -> Vec4<F> {
        let [xx, yy, zz, xy, yz, xz] = self.0;
        Vec4 { x: xx * v.x + xy * v.y + xz * v.z, y: xy * v.x + yy * v.y + yz * v.z, z: xz * v.x + yz * v.y + zz * v.z }
    }

    /// v.S v of each.
    #[inline(always)]
    pub fn form(&self, v: Vec4<F>) -> F {
        v.dot(self.times(v))
    }

    /// With so much of others.
    #[inline(always)]
    pub fn plus(&self, other: &Self, part: F) -> Self {
        let mut sum = self.0;
        for q in 0..6 {
            sum[q] = sum[q] + other.0[q] * part;
        }
        Sym4(sum)
    }

    /// Their inverses on vectors, by cofactors.
    #[inline(always)]
    pub fn solve(&self, b: Vec4<F>) -> Vec4<F> {
        let [xx, yy, zz, xy, yz, xz] = self.0;
        let cofactors = [
            yy * zz - yz * yz,
            xx * zz - xz * xz,
            xx * yy - xy * xy,
            yz * xz - xy * zz,
            xy * xz - xx * yz,
            xy * yz - yy * xz,
        ];
        let det = xx * cofactors[0] + xy * cofactors[3] + xz * cofactors[5];
        Sym4(cofactors).times(b) * (F::all(1.0) / det)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::so3;
    use glam::DVec3;
    use taut_lanes::Four;

    #[test]
    fn a_lane_has_the_bits_of_one_body() {
        let turns = [1e-9, 1e-3, 0.4, 0.99].map(|x| x * DVec3::new(0.6, 0.0, -0.8));
        let a = [DVec3::X, DVec3::new(0.3, -2.0, 1.0), DVec3::Y, DVec3::new(-1.0, 0.2, 3.0)];
        let out = rotate(Vec4::<Four>::of(turns), Vec4::of(a));
        for k in 0..LANES {
            assert_eq!(out.lane(k), so3::rotate(turns[k], a[k]));
            let alone = rotate(Vec4::<Four>::of([turns[k]; LANES]), Vec4::of([a[k]; LANES]));
            assert_eq!(alone.lane(3), out.lane(k));
        }
    }

    #[test]
    fn arcs_and_turned_bodies_have_the_bits_of_one() {
        let a = [DVec3::X, DVec3::new(0.3, -2.0, 1.0), DVec3::Y, DVec3::new(-1.0, 0.2, 3.0)];
        let q = a.map(|a| so3::exp(0.7 * a));
        for size in [0.0, 1e-9, 1e-3, 0.4, 0.99, 1.2] {
            let turns = [1.0, 0.5, 0.1, 0.9].map(|x| size * x * DVec3::new(0.6, 0.0, -0.8));
            let arcs = Arc4::<Four>::of(Vec4::of(turns));
            let place = |c: usize| Four(q.map(|q| q.to_array()[c]));
            let next = super::turned::<Four>(Vec4::of(turns), [0, 1, 2, 3].map(place));
            let axes = Mat4::of_turn(next);
            let inertia = axes.turn_diagonal(Vec4::of(a));
            for k in 0..LANES {
                let arc = so3::Arc::of(turns[k]);
                assert_eq!(arcs.at(Vec4::of(a)).lane(k), arc.at(a[k]));
                assert_eq!(arcs.turned(Vec4::of(a)).lane(k), arc.turned(a[k]));
                assert_eq!(arcs.along(Vec4::of(a)).lane(k), arc.along(a[k]));
                let alone = (so3::exp(turns[k]) * q[k]).normalize();
                assert_eq!(next.map(|c| c.0[k]), alone.to_array());
                let rot = DMat3::from_quat(alone);
                let d = DMat3::from_cols(rot.x_axis * a[k].x, rot.y_axis * a[k].y, rot.z_axis * a[k].z);
                let turned = d * rot.transpose();
                for (c, column) in inertia.0.iter().enumerate() {
                    assert_eq!(column.lane(k), turned.col(c));
                    assert_eq!(axes.0[c].lane(k), rot.col(c));
                }
                assert_eq!(axes.times(Vec4::of(a)).lane(k), rot * a[k]);
                let full = d + so3::skew(a[k]);
                let wide = Mat4([0, 1, 2].map(|c| Vec4::of([full.col(c); LANES])));
                for c in 0..3 {
                    assert_eq!(wide.inverse().0[c].lane(k), full.inverse().col(c));
                    assert_eq!(wide.product(&axes).0[c].lane(k), (full * rot).col(c));
                    assert_eq!(Mat4::skew(Vec4::<Four>::of(a)).0[c].lane(k), so3::skew(a[k]).col(c));
                }
                assert_eq!(axes.transposed_times(Vec4::of(a)).lane(k), rot.transpose() * a[k]);
            }
        }
    }

    #[test]
    fn a_symmetric_matrix_solves_what_it_multiplies() {
        let m = [1.0, 1e-3, 40.0, 7.0].map(|s| {
            DMat3::from_cols(DVec3::new(3.0, 0.4, -0.2), DVec3::new(0.4, 2.0 * s, 0.3), DVec3::new(-0.2, 0.3, 1.0 + s))
        });
        let x = [DVec3::X, DVec3::new(0.3, -2.0, 1.0), DVec3::Y, DVec3::new(-1.0, 0.2, 3.0)];
        let sym = Sym4::<Four>::of([&m[0], &m[1], &m[2], &m[3]]);
        let b = sym.times(Vec4::of(x));
        let found = sym.solve(b);
        for k in 0..LANES {
            assert!((b.lane(k) - m[k] * x[k]).length() < 1e-15 * m[k].x_axis.length() * 40.0);
            assert!((found.lane(k) - x[k]).length() < 1e-12);
            assert!((sym.form(Vec4::of(x)).0[k] - x[k].dot(m[k] * x[k])).abs() < 1e-12);
        }
    }
}

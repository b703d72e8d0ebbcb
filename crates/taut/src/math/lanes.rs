//! Turns of four bodies at a time (`taut_lanes`), with the bits of one.

use super::so3::{COSC, SINC, TINY};
use glam::DMat3;
use taut_lanes::each;
pub(crate) use taut_lanes::{LANES, Mask, Number, Vec4};

/// `so3::series` of each.
#[inline(always)]
fn series<F: Number>(x: F, c: &[f64; 8]) -> F {
    let x2 = x * x;
    let low = (F::all(c[0]) + x * c[1]) + (F::all(c[2]) + x * c[3]) * x2;
    let high = (F::all(c[4]) + x * c[5]) + (F::all(c[6]) + x * c[7]) * x2;
    low + high * (x2 * x2)
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
    pub fn plus(&self, other: &Self, part: f64) -> Self {
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

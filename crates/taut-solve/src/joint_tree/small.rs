//! Vectors and matrices of three, as the elimination in joint coordinates stores them: of one tree, or of four.

use taut_lanes::{Mask, Real, Vec4};

/// A symmetric matrix: xx, yy, zz, xy, yz, xz.
pub(super) type Sym<R> = [R; 6];

/// A matrix, row-major.
pub(super) type Mat<R> = [R; 9];

/// From where they are kept.
#[inline(always)]
pub(super) fn read<R: Real, const N: usize>(from: &[R::Cell; N]) -> [R; N] {
    let mut to = [R::all(0.0); N];
    for k in 0..N {
        to[k] = R::load(&from[k]);
    }
    to
}

/// To where they are kept.
#[inline(always)]
pub(super) fn write<R: Real, const N: usize>(from: [R; N], to: &mut [R::Cell; N]) {
    for k in 0..N {
        from[k].store(&mut to[k]);
    }
}

#[inline(always)]
pub(super) fn get<R: Real>(x: &[R::Cell], at: usize) -> Vec4<R> {
    let v = &x[at..at + 3];
    Vec4 { x: R::load(&v[0]), y: R::load(&v[1]), z: R::load(&v[2]) }
}

#[inline(always)]
pub(super) fn put<R: Real>(x: &mut [R::Cell], at: usize, v: Vec4<R>) {
    let to = &mut x[at..at + 3];
    v.x.store(&mut to[0]);
    v.y.store(&mut to[1]);
    v.z.store(&mut to[2]);
}

#[inline(always)]
pub(super) fn add<R: Real>(x: &mut [R::Cell], at: usize, v: Vec4<R>) {
    put(x, at, get::<R>(x, at) + v);
}

/// The zero vector.
#[inline(always)]
pub(super) fn zero<R: Real>() -> Vec4<R> {
    Vec4 { x: R::all(0.0), y: R::all(0.0), z: R::all(0.0) }
}

/// A v.
#[inline(always)]
pub(super) fn sym_times<R: Real>(a: &Sym<R>, v: Vec4<R>) -> Vec4<R> {
    Vec4 {
        x: a[0] * v.x + a[3] * v.y + a[5] * v.z,
        y: a[3] * v.x + a[1] * v.y + a[4] * v.z,
        z: a[5] * v.x + a[4] * v.y + a[2] * v.z,
    }
}

/// A v.
#[inline(always)]
pub(super) fn times<R: Real>(a: &Mat<R>, v: Vec4<R>) -> Vec4<R> {
    Vec4 {
        x: a[0] * v.x + a[1] * v.y + a[2] * v.z,
        y: a[3] * v.x + a[4] * v.y + a[5] * v.z,
        z: a[6] * v.x + a[7] * v.y + a[8] * v.z,
    }
}

/// A^T v.
#[inline(always)]
pub(super) fn transposed_times<R: Real>(a: &Mat<R>, v: Vec4<R>) -> Vec4<R> {
    Vec4 {
        x: a[0] * v.x + a[3] * v.y + a[6] * v.z,
        y: a[1] * v.x + a[4] * v.y + a[7] * v.z,
        z: a[2] * v.x + a[5] * v.y + a[8] * v.z,
    }
}

/// A row of a symmetric matrix, which is a column too.
#[inline(always)]
pub(super) fn sym_rows<R: Real>(a: &Sym<R>) -> [Vec4<R>; 3] {
    [Vec4 { x: a[0], y: a[3], z: a[5] }, Vec4 { x: a[3], y: a[1], z: a[4] }, Vec4 { x: a[5], y: a[4], z: a[2] }]
}

/// Its three numbers.
#[inline(always)]
pub(super) fn list<R>(v: Vec4<R>) -> [R; 3] {
    [v.x, v.y, v.z]
}

/// Where pivots are not positive, and the first such pivot.
#[derive(Clone, Copy)]
pub(super) struct Bad<R: Real> {
    pub which: R::Which,
    pub pivot: R,
}

impl<R: Real> Bad<R> {
    /// Nowhere.
    #[inline(always)]
    pub fn none() -> Self {
        Bad { which: R::Which::none(), pivot: R::all(0.0) }
    }

    /// And where this one, a later one, is not larger than `least`.
    #[inline(always)]
    pub fn or(self, pivot: R, least: R) -> Self {
        let pivot_here = self.which.select(self.pivot, pivot);
        Bad { which: self.which | !least.below(pivot), pivot: pivot_here }
    }
}

/// The factor L d L^T as (1/d0, 1/d1, 1/d2, l10, l21, l20), and where a pivot is not positive.
#[inline(always)]
pub(super) fn ldl<R: Real>(a: &Sym<R>) -> (Sym<R>, Bad<R>) {
    let (zero, one) = (R::all(0.0), R::all(1.0));
    let d0 = a[0];
    let i0 = one / d0;
    let (l10, l20) = (a[3] * i0, a[5] * i0);
    let d1 = a[1] - l10 * a[3];
    let i1 = one / d1;
    let t21 = a[4] - l20 * a[3];
    let l21 = t21 * i1;
    let d2 = a[2] - l20 * a[5] - l21 * t21;
    let bad = Bad::none().or(d0, zero).or(d1, zero).or(d2, zero);
    ([i0, i1, one / d2, l10, l21, l20], bad)
}

/// A^-1 b with that factor.
#[inline(always)]
pub(super) fn ldl_solve<R: Real>(f: &Sym<R>, b: Vec4<R>) -> Vec4<R> {
    let y1 = b.y - f[3] * b.x;
    let y2 = b.z - f[5] * b.x - f[4] * y1;
    let x2 = y2 * f[2];
    let x1 = y1 * f[1] - f[4] * x2;
    Vec4 { x: b.x * f[0] - f[3] * x1 - f[5] * x2, y: x1, z: x2 }
}

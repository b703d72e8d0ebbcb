//! Vectors and matrices of three, as the elimination in joint coordinates stores them.

use glam::DVec3;

/// A symmetric matrix: xx, yy, zz, xy, yz, xz.
pub(super) type Sym = [f64; 6];

/// A matrix, row-major.
pub(super) type Mat = [f64; 9];

#[inline(always)]
pub(super) fn get(x: &[f64], at: usize) -> DVec3 {
    let v = &x[at..at + 3];
    DVec3::new(v[0], v[1], v[2])
}

#[inline(always)]
pub(super) fn put(x: &mut [f64], at: usize, v: DVec3) {
    let to = &mut x[at..at + 3];
    (to[0], to[1], to[2]) = (v.x, v.y, v.z);
}

#[inline(always)]
pub(super) fn add(x: &mut [f64], at: usize, v: DVec3) {
    put(x, at, get(x, at) + v);
}

/// A v.
#[inline(always)]
pub(super) fn sym_times(a: &Sym, v: DVec3) -> DVec3 {
    DVec3::new(
        a[0] * v.x + a[3] * v.y + a[5] * v.z,
        a[3] * v.x + a[1] * v.y + a[4] * v.z,
        a[5] * v.x + a[4] * v.y + a[2] * v.z,
    )
}

/// A v.
#[inline(always)]
pub(super) fn times(a: &Mat, v: DVec3) -> DVec3 {
    DVec3::new(
        a[0] * v.x + a[1] * v.y + a[2] * v.z,
        a[3] * v.x + a[4] * v.y + a[5] * v.z,
        a[6] * v.x + a[7] * v.y + a[8] * v.z,
    )
}

/// A^T v.
#[inline(always)]
pub(super) fn transposed_times(a: &Mat, v: DVec3) -> DVec3 {
    DVec3::new(
        a[0] * v.x + a[3] * v.y + a[6] * v.z,
        a[1] * v.x + a[4] * v.y + a[7] * v.z,
        a[2] * v.x + a[5] * v.y + a[8] * v.z,
    )
}

/// A row of a symmetric matrix, which is a column too.
#[inline(always)]
pub(super) fn sym_rows(a: &Sym) -> [DVec3; 3] {
    [DVec3::new(a[0], a[3], a[5]), DVec3::new(a[3], a[1], a[4]), DVec3::new(a[5], a[4], a[2])]
}

/// The factor L d L^T as (1/d0, 1/d1, 1/d2, l10, l21, l20), or a pivot that is not positive.
#[inline(always)]
pub(super) fn ldl(a: &Sym) -> Result<Sym, f64> {
    let d0 = a[0];
    let i0 = 1.0 / d0;
    let (l10, l20) = (a[3] * i0, a[5] * i0);
    let d1 = a[1] - l10 * a[3];
    let i1 = 1.0 / d1;
    let t21 = a[4] - l20 * a[3];
    let l21 = t21 * i1;
    let d2 = a[2] - l20 * a[5] - l21 * t21;
    for d in [d0, d1, d2] {
        if !(d > 0.0) {
            return Err(d);
        }
    }
    Ok([i0, i1, 1.0 / d2, l10, l21, l20])
}

/// A^-1 b with that factor.
#[inline(always)]
pub(super) fn ldl_solve(f: &Sym, b: DVec3) -> DVec3 {
    let y1 = b.y - f[3] * b.x;
    let y2 = b.z - f[5] * b.x - f[4] * y1;
    let x2 = y2 * f[2];
    let x1 = y1 * f[1] - f[4] * x2;
    DVec3::new(b.x * f[0] - f[3] * x1 - f[5] * x2, x1, x2)
}

//! Singular values and principal axes of 3x3 matrices, by Jacobi rotations in a fixed order.
//!
//! ```text
//! F = U diag(s) V^T       U, V rotations, |s_0| >= |s_1| >= |s_2|, only s_2 may be negative: sign(s_2) = sign(det F)
//! A = Q diag(d) Q^T       A symmetric, Q a rotation
//! ```
//! The singular values come from rotations of the columns of F itself (Hestenes 1958), not from F^T
//! F, so that small ones keep their digits. The signed form is that of Irving, Teran and Fedkiw
//! 2004.

use glam::{DMat3, DVec3};

/// Sweeps over the pairs of columns; convergence is quadratic and 4 to 6 are used.
const SWEEPS: usize = 12;
/// The square of the cosine below which two columns are orthogonal.
const ORTHOGONAL: f64 = 1e-31;
/// The square of a length against the longest column below which a column is rounding.
const NOTHING: f64 = 1e-32;
/// Largest entries outside of this are brought to 1 first, so that fourth powers neither overflow
/// nor vanish.
const RANGE: std::ops::Range<f64> = 1e-60..1e60;

/// F = U diag(s) V^T with rotations U and V.
///
/// ```
/// use glam::{DMat3, DVec3};
/// use taut_elements::Svd;
/// let svd = Svd::new(DMat3::from_diagonal(DVec3::new(1.0, -3.0, 2.0)));
/// assert_eq!(svd.s, DVec3::new(3.0, 2.0, -1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Svd {
    /// Left axes, in columns.
    pub u: DMat3,
    /// Singular values by descending magnitude; the last carries the sign of the determinant.
    pub s: DVec3,
    /// Right axes, in columns.
    pub v: DMat3,
}

impl Svd {
    /// Of a 3x3 matrix.
    pub fn new(f: DMat3) -> Self {
        Svd::columns(f, 3)
    }

    /// Of the first `m` columns (1, 2 or 3), the others being zero. V turns only these; with m < 3
    /// no value is negative, those from the m-th on are zero, and the last axes of U complete a
    /// rotation.
    pub fn columns(f: DMat3, m: usize) -> Self {
        let big = f.to_cols_array().iter().fold(0.0, |big: f64, x| if x.abs() > big { x.abs() } else { big });
        if !f.is_finite() || big == 0.0 {
            let s = if f.is_finite() { DVec3::ZERO } else { DVec3::NAN };
            return Svd { u: DMat3::IDENTITY, s, v: DMat3::IDENTITY };
        }
        let scale = if RANGE.contains(&big) { 1.0 } else { big };
        let mut b = [f.x_axis / scale, f.y_axis / scale, f.z_axis / scale];
        let mut v = [DVec3::X, DVec3::Y, DVec3::Z];
        for _ in 0..SWEEPS {
            let mut turned = false;
            for (p, q) in [(0, 1), (0, 2), (1, 2)].into_iter().filter(|pair| pair.1 < m) {
                turned |= make_orthogonal(&mut b, &mut v, p, q);
            }
            if !turned {
                break;
            }
        }
        sort(&mut b, &mut v, m);
        let u0 = b[0].normalize();
        let u1 = perpendicular(u0, b[1]);
        let u2 = u0.cross(u1);
        let s = DVec3::new(b[0].length(), b[1].dot(u1), b[2].dot(u2)) * scale;
        Svd { u: DMat3::from_cols(u0, u1, u2), s, v: DMat3::from_cols(v[0], v[1], v[2]) }
    }

    /// U diag(d) V^T.
    pub fn compose(&self, d: DVec3) -> DMat3 {
        DMat3::from_cols(self.u.x_axis * d.x, self.u.y_axis * d.y, self.u.z_axis * d.z) * self.v.transpose()
    }
}

/// Turns columns p and q against each other so that they become orthogonal; false if they are.
fn make_orthogonal(b: &mut [DVec3; 3], v: &mut [DVec3; 3], p: usize, q: usize) -> bool {
    let (pp, qq, pq) = (b[p].length_squared(), b[q].length_squared(), b[p].dot(b[q]));
    if pq * pq <= ORTHOGONAL * pp * qq || pp.min(qq) <= NOTHING * pp.max(qq) {
        return false;
    }
    // The tangent of half the angle with one quotient: t = 2 pq/(d + sign(d) sqrt(d^2 + 4 pq^2)).
    let (d, twice) = (qq - pp, 2.0 * pq);
    let root = (d * d + twice * twice).sqrt();
    let t = twice / if d >= 0.0 { d + root } else { d - root };
    let c = 1.0 / (1.0 + t * t).sqrt();
    let s = t * c;
    (b[p], b[q]) = (b[p] * c - b[q] * s, b[p] * s + b[q] * c);
    (v[p], v[q]) = (v[p] * c - v[q] * s, v[p] * s + v[q] * c);
    true
}

/// Cosine and sine of the rotation that makes [pp pq; pq qq] diagonal (Golub and Van Loan, Alg. 8.4.1).
fn rotation(pp: f64, qq: f64, pq: f64) -> (f64, f64) {
    let tau = (qq - pp) / (2.0 * pq);
    let root = (1.0 + tau * tau).sqrt();
    let t = if tau >= 0.0 { 1.0 / (tau + root) } else { 1.0 / (tau - root) };
    let c = 1.0 / (1.0 + t * t).sqrt();
    (c, t * c)
}

/// Longest column first. A swap of two columns mirrors V; turning one of them about makes it a
/// rotation again.
fn sort(b: &mut [DVec3; 3], v: &mut [DVec3; 3], m: usize) {
    for (p, q) in [(0, 1), (1, 2), (0, 1)].into_iter().filter(|pair| pair.1 < m) {
        if b[p].length_squared() < b[q].length_squared() {
            (b[p], b[q]) = (b[q], -b[p]);
            (v[p], v[q]) = (v[q], -v[p]);
        }
    }
}

/// The direction of `b` at right angles to the unit vector `u`; any such when nothing is left of b.
fn perpendicular(u: DVec3, b: DVec3) -> DVec3 {
    let left = b - u * u.dot(b);
    let length = left.length();
    if !(length > 0.0 && length * length > 0.0) {
        return u.any_orthonormal_vector();
    }
    // Once more: what rounding left along u is not small against a short b.
    let left = left / length;
    let left = left - u * u.dot(left);
    if left.length_squared() > 0.25 { left.normalize() } else { u.any_orthonormal_vector() }
}

/// A = Q diag(d) Q^T of a symmetric matrix, with a rotation Q.
///
/// ```
/// use glam::{DMat3, DVec3};
/// use taut_elements::Eigen;
/// let e = Eigen::new(DMat3::from_cols(DVec3::new(0.0, 1.0, 0.0), DVec3::X, DVec3::Z));
/// assert!((e.clamped() - DMat3::from_cols(DVec3::new(0.5, 0.5, 0.0), DVec3::new(0.5, 0.5, 0.0), DVec3::Z))
///     .abs_diff_eq(DMat3::ZERO, 1e-15));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eigen {
    /// Eigenvectors, in columns.
    pub q: DMat3,
    /// Eigenvalues, in no order.
    pub d: DVec3,
}

impl Eigen {
    /// Of a symmetric 3x3 matrix, or of a 2x2 or 1x1 one in its corner with zeros around it.
    pub fn new(a: DMat3) -> Self {
        let mut a = a.to_cols_array_2d();
        let mut q = [DVec3::X, DVec3::Y, DVec3::Z];
        for _ in 0..SWEEPS {
            let mut turned = false;
            for (i, j, k) in [(0, 1, 2), (0, 2, 1), (1, 2, 0)] {
                let (ii, jj, ij) = (a[i][i], a[j][j], a[i][j]);
                let size = ii.abs() + jj.abs();
                if !(ij.abs() > 1e-17 * size) {
                    continue;
                }
                turned = true;
                let (c, s) = rotation(ii, jj, ij);
                (a[i][i], a[j][j], a[i][j]) = (ii - s / c * ij, jj + s / c * ij, 0.0);
                let (ik, jk) = (a[i.min(k)][i.max(k)], a[j.min(k)][j.max(k)]);
                a[i.min(k)][i.max(k)] = c * ik - s * jk;
                a[j.min(k)][j.max(k)] = s * ik + c * jk;
                (q[i], q[j]) = (q[i] * c - q[j] * s, q[i] * s + q[j] * c);
            }
            if !turned {
                break;
            }
        }
        Eigen { q: DMat3::from_cols(q[0], q[1], q[2]), d: DVec3::new(a[0][0], a[1][1], a[2][2]) }
    }

    /// Q diag(d) Q^T with other values.
    pub fn compose(&self, d: DVec3) -> DMat3 {
        DMat3::from_cols(self.q.x_axis * d.x, self.q.y_axis * d.y, self.q.z_axis * d.z) * self.q.transpose()
    }

    /// The nearest positive semi-definite matrix: negative eigenvalues are made zero.
    pub fn clamped(&self) -> DMat3 {
        self.compose(self.d.max(DVec3::ZERO))
    }
}

/// Steps of Newton's method for one eigenvalue; four to six are used.
const STEPS: usize = 12;
/// Determinant, in parts of the size to the third, below which its sign may be rounding.
const SURE: f64 = 1e-9;
/// b below which the root loses digits, being nearly a double one.
const NEAR: f64 = 1.01;

/// The nearest positive semi-definite matrix to a symmetric one with eigenvalues of both signs, without all of them.
///
/// One eigenvalue differs in sign from the other two: the smallest where the determinant is negative, else the largest. With q the mean
/// of the eigenvalues and p their spread, the largest is q + p b, where b between 1 and 2 is the largest root of b^3 - 3 b = det((A - q)/p);
/// Newton's method from 2 goes down to it. Near 1 two eigenvalues are next to zero, and all of them are found. Its vector is the longest cross product of two rows of A - q - p b.
pub(crate) fn clamp_mixed(a: DMat3) -> DMat3 {
    let det = a.determinant();
    let squares = a.x_axis.length_squared() + a.y_axis.length_squared() + a.z_axis.length_squared();
    if !(det.abs() > SURE * squares * squares.sqrt()) {
        return Eigen::new(a).clamped();
    }
    let below = det < 0.0;
    let m = if below { -a } else { a };
    let q = (m.x_axis.x + m.y_axis.y + m.z_axis.z) / 3.0;
    let c = m - DMat3::from_diagonal(DVec3::splat(q));
    let p = ((c.x_axis.length_squared() + c.y_axis.length_squared() + c.z_axis.length_squared()) / 6.0).sqrt();
    let third = c.determinant() / (p * p * p);
    let mut b = 2.0_f64;
    for _ in 0..STEPS {
        let step = (b * (b * b - 3.0) - third) / (3.0 * (b * b - 1.0));
        b -= step;
        if b < NEAR {
            break;
        }
        if step.abs() <= 1e-9 {
            let c = c - DMat3::from_diagonal(DVec3::splat(p * b));
            let across = [c.x_axis.cross(c.y_axis), c.y_axis.cross(c.z_axis), c.z_axis.cross(c.x_axis)];
            let v = across
                .into_iter()
                .fold(DVec3::ZERO, |v, w| if w.length_squared() > v.length_squared() { w } else { v });
            let part = v * ((q + p * b).max(0.0) / v.length_squared());
            let mode = DMat3::from_cols(part * v.x, part * v.y, part * v.z);
            // The matrix without its one negative eigenvalue, or its one positive eigenvalue alone.
            let clamped = if below { a + mode } else { mode };
            if clamped.is_finite() {
                return clamped;
            }
            break;
        }
    }
    Eigen::new(a).clamped()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Random(u64);
    impl Random {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        }
        fn matrix(&mut self) -> DMat3 {
            DMat3::from_cols_array(&[0; 9].map(|_| self.next()))
        }
    }

    fn size(a: DMat3) -> f64 {
        a.to_cols_array().iter().fold(0.0, |m, x| f64::max(m, x.abs()))
    }

    fn examine(f: DMat3) {
        let svd = Svd::new(f);
        let big = size(f).max(1e-300);
        assert!(size(svd.compose(svd.s / big) - f * (1.0 / big)) < 2e-15, "{f} {svd:?}");
        for r in [svd.u, svd.v] {
            assert!(size(r.transpose() * r - DMat3::IDENTITY) < 2e-15 && r.determinant() > 0.5, "{f} {svd:?}");
        }
        let s = svd.s;
        let eps = 1e-15 * s.x;
        assert!(s.x >= s.y - eps && s.y >= s.z.abs() - eps && s.y >= -eps, "{f} {s}");
    }

    #[test]
    fn singular_values_compose_the_matrix_again_whatever_it_is() {
        let mut random = Random(1);
        for k in 0..20_000 {
            let (a, b) = (random.matrix(), random.matrix());
            let d = |s: [f64; 3]| a * DMat3::from_diagonal(DVec3::from_array(s)) * b;
            examine(a);
            examine(a * 1e150);
            examine(a * 1e-200);
            examine(d([1.0, 1e-9, 0.0]));
            examine(d([1.0, 0.0, 0.0]));
            examine(d([1e8, 1.0, 1e-8]));
            examine(DMat3::IDENTITY + a * [0.0, 1e-16, 1e-12, 1e-8][k % 4]);
        }
        for f in [DMat3::ZERO, DMat3::IDENTITY, -DMat3::IDENTITY, DMat3::from_cols_array(&[1.0; 9])] {
            examine(f);
        }
    }

    #[test]
    fn fewer_columns_leave_the_other_axes_alone() {
        let mut random = Random(2);
        for m in [1, 2] {
            for _ in 0..1000 {
                let mut f = random.matrix();
                f.z_axis = DVec3::ZERO;
                if m == 1 {
                    f.y_axis = DVec3::ZERO;
                }
                let svd = Svd::columns(f, m);
                assert!(size(svd.compose(svd.s) - f) < 1e-15 && svd.s.min_element() >= 0.0);
                assert_eq!(svd.v.z_axis, DVec3::Z);
            }
        }
    }

    #[test]
    fn a_nan_gives_nan_and_no_endless_loop() {
        assert!(Svd::new(DMat3::from_cols_array(&[f64::NAN; 9])).s.is_nan());
    }

    #[test]
    fn clamping_by_one_eigenvalue_is_clamping_by_all() {
        let mut random = Random(5);
        let mut seen = 0;
        for k in 0..60_000 {
            let turn = Svd::new(random.matrix()).u;
            let (x, y) = (random.next().abs(), random.next().abs());
            let small = [1.0, 1e-3, 1e-9, 1e-16, 0.0][k % 5];
            let d =
                [[x, y * small, -small], [x * small, -y, -small], [-x, y * small, small * x], [x, x, -y], [x, -y, -y]]
                    [k % 4];
            let a =
                turn * DMat3::from_diagonal(DVec3::from_array(d)) * turn.transpose() * 10.0_f64.powi(k as i32 % 7 - 3);
            let a = (a + a.transpose()) * 0.5;
            let (fast, slow) = (clamp_mixed(a), Eigen::new(a).clamped());
            assert!(size(fast - slow) < 2e-14 * size(a), "{k} {d:?} {:.2e}", size(fast - slow) / size(a));
            seen += usize::from(fast != slow);
        }
        assert!(seen > 10_000);
        assert!(size(clamp_mixed(DMat3::ZERO)) == 0.0);
    }

    #[test]
    fn eigenvectors_compose_the_symmetric_matrix_again() {
        let mut random = Random(3);
        for k in 0..20_000 {
            let a = random.matrix();
            let a = [a + a.transpose(), a * a.transpose() * 1e90, DMat3::from_cols_array(&[1.0; 9])][k % 3];
            let e = Eigen::new(a);
            assert!(size(e.compose(e.d) - a) < 4e-15 * size(a), "{a}");
            assert!(size(e.q.transpose() * e.q - DMat3::IDENTITY) < 2e-15 && e.q.determinant() > 0.5);
        }
    }
}

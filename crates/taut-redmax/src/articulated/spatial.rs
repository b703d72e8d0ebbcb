//! Symmetric 6 x 6 blocks in three parts and the shift X by an arm, never as a 6 x 6 product.
//!
//! ```text
//! M = [ A  B ]    X = [ 1  -[r] ]    X^T M X = [ A   B'                     ]     B' = B - A [r]
//!     [ B' C ]        [ 0    1  ]              [ .   C + [r] B' - B^T [r]   ]
//! row (l, a) of any block:  (l, a) X = (l, a + r x l)
//! ```

use super::Twist;
use glam::DVec3;

/// A symmetric 6 x 6 matrix: upper triangles (xx, xy, xz, yy, yz, zz) and the full coupling of linear with angular.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sym6 {
    /// Linear.
    pub a: [f64; 6],
    /// Linear (rows) with angular (columns).
    pub b: [f64; 9],
    /// Angular.
    pub c: [f64; 6],
}

/// Entry (i, j) of a symmetric 3 x 3 matrix in its upper triangle.
const AT: [[usize; 3]; 3] = [[0, 1, 2], [1, 3, 4], [2, 4, 5]];
/// Row and column of each entry of an upper triangle.
const UPPER: [(usize, usize); 6] = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];

impl Sym6 {
    /// From a row-major matrix, upper triangle.
    #[inline]
    pub fn from_rows(m: &[f64; 36]) -> Self {
        Sym6 {
            a: [m[0], m[1], m[2], m[7], m[8], m[14]],
            b: [m[3], m[4], m[5], m[9], m[10], m[11], m[15], m[16], m[17]],
            c: [m[21], m[22], m[23], m[28], m[29], m[35]],
        }
    }

    /// M x.
    #[inline]
    pub fn mul(&self, x: &Twist) -> Twist {
        let (a, b, c) = (&self.a, &self.b, &self.c);
        let mut out = [0.0; 6];
        for i in 0..3 {
            out[i] = (a[AT[i][0]] * x[0] + a[AT[i][1]] * x[1] + a[AT[i][2]] * x[2])
                + (b[3 * i] * x[3] + b[3 * i + 1] * x[4] + b[3 * i + 2] * x[5]);
            out[3 + i] = (b[i] * x[0] + b[3 + i] * x[1] + b[6 + i] * x[2])
                + (c[AT[i][0]] * x[3] + c[AT[i][1]] * x[4] + c[AT[i][2]] * x[5]);
        }
        out
    }

    /// M += u w^T, which must be symmetric (w a multiple of u).
    #[inline]
    pub fn add_outer(&mut self, u: &Twist, w: &Twist) {
        for (at, &(i, j)) in UPPER.iter().enumerate() {
            self.a[at] += u[i] * w[j];
            self.c[at] += u[3 + i] * w[3 + j];
        }
        for i in 0..3 {
            for j in 0..3 {
                self.b[3 * i + j] += u[i] * w[3 + j];
            }
        }
    }

    /// M -= u w^T, which must be symmetric (w a multiple of u).
    #[inline]
    pub fn sub_outer(&mut self, u: &Twist, w: &Twist) {
        for (at, &(i, j)) in UPPER.iter().enumerate() {
            self.a[at] -= u[i] * w[j];
            self.c[at] -= u[3 + i] * w[3 + j];
        }
        for i in 0..3 {
            for j in 0..3 {
                self.b[3 * i + j] -= u[i] * w[3 + j];
            }
        }
    }

    /// M += m + m^T.
    #[inline]
    pub fn add_twice_symmetric(&mut self, m: &[f64; 36]) {
        for (at, &(i, j)) in UPPER.iter().enumerate() {
            self.a[at] += m[6 * i + j] + m[6 * j + i];
            self.c[at] += m[6 * (3 + i) + 3 + j] + m[6 * (3 + j) + 3 + i];
        }
        for i in 0..3 {
            for j in 0..3 {
                self.b[3 * i + j] += m[6 * i + 3 + j] + m[6 * (3 + j) + i];
            }
        }
    }

    /// M += X^T N X with the arm r.
    #[inline]
    pub fn add_shifted(&mut self, n: &Sym6, r: DVec3) {
        let (a, b) = (&n.a, &n.b);
        let mut moved = [0.0; 9];
        for i in 0..3 {
            let t = cross(r, a[AT[i][0]], a[AT[i][1]], a[AT[i][2]]);
            for j in 0..3 {
                moved[3 * i + j] = b[3 * i + j] + t[j];
            }
        }
        // Column j of [r] B' and row i of -B^T [r].
        let left: [[f64; 3]; 3] = std::array::from_fn(|j| cross(r, moved[j], moved[3 + j], moved[6 + j]));
        let right: [[f64; 3]; 3] = std::array::from_fn(|i| cross(r, b[i], b[3 + i], b[6 + i]));
        for (at, &(i, j)) in UPPER.iter().enumerate() {
            self.a[at] += a[at];
            self.c[at] += n.c[at] + (left[j][i] + right[i][j]);
        }
        for (m, x) in self.b.iter_mut().zip(&moved) {
            *m += x;
        }
    }
}

#[inline]
fn cross(r: DVec3, x: f64, y: f64, z: f64) -> [f64; 3] {
    [r.y * z - r.z * y, r.z * x - r.x * z, r.x * y - r.y * x]
}

/// X v: the velocity of a child carried by its parent.
#[inline]
pub(super) fn carry(v: &Twist, r: DVec3) -> Twist {
    // ang x r
    let t = cross(r, v[3], v[4], v[5]);
    [v[0] - t[0], v[1] - t[1], v[2] - t[2], v[3], v[4], v[5]]
}

/// X^T f: the wrench of a child at its parent. Also one row of a block times X.
#[inline]
pub(super) fn pass(f: &Twist, r: DVec3) -> Twist {
    let t = cross(r, f[0], f[1], f[2]);
    [f[0], f[1], f[2], f[3] + t[0], f[4] + t[1], f[5] + t[2]]
}

/// Scalar product.
#[inline]
pub(super) fn dot(a: &Twist, b: &Twist) -> f64 {
    ((a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]) + ((a[3] * b[3] + a[4] * b[4]) + a[5] * b[5])
}

/// x += s u.
#[inline]
pub(super) fn axpy(x: &mut Twist, s: f64, u: &Twist) {
    for c in 0..6 {
        x[c] += s * u[c];
    }
}

/// Row r of a block, rows of six.
#[inline]
pub(super) fn row(m: &[f64; 36], r: usize) -> &Twist {
    m[6 * r..].first_chunk().unwrap_or(&[0.0; 6])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shift_of_a_block_is_the_congruence_with_x() {
        let r = DVec3::new(0.3, -1.2, 0.7);
        let mut m = [0.0; 36];
        for i in 0..6 {
            for j in 0..6 {
                m[6 * i + j] = libm::sin((3 * i.min(j) + 7 * i.max(j)) as f64);
            }
        }
        let mut shifted = Sym6::default();
        shifted.add_shifted(&Sym6::from_rows(&m), r);
        let x = [0.2, -0.4, 1.1, 0.9, -0.3, 0.5];
        let want = pass(&Sym6::from_rows(&m).mul(&carry(&x, r)), r);
        let got = shifted.mul(&x);
        for c in 0..6 {
            assert!((want[c] - got[c]).abs() < 1e-14, "{want:?} {got:?}");
        }
    }
}

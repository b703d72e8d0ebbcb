//! Isotropic laws as functions of the principal stretches.
//!
//! ```text
//! F = U diag(s) V^T,   g_i = dpsi/ds_i,   H_ij = d2psi/ds_i ds_j
//! P = U diag(g) V^T
//! C: H on the modes u_i v_i^T, and for each pair i < j
//!    (u_i v_j^T + u_j v_i^T)/sqrt2   with   flip  = (g_i - g_j)/(s_i - s_j)
//!    (u_i v_j^T - u_j v_i^T)/sqrt2   with   twist = (g_i + g_j)/(s_i + s_j)
//!    u_i v_j^T with g_j/s_j where i is out of the plane of a sheet (off the axis of a bar)
//! ```
//! (Smith, de Goes and Kim 2019, sections 3 and 4.) These are the eigenvectors of C but for the
//! block H, so clamping the eigenvalues of H and the scalars at zero is the exact projection. Each
//! law gives its quotients in closed form: equal stretches need no care.

use super::{NO_TANGENT, Point, Tangent, Want};
use crate::svd::{Eigen, Svd};
use glam::{DMat3, DVec3};

/// Principal stretches of F with their axes; m of them.
pub(crate) struct Stretches {
    pub svd: Svd,
    pub m: usize,
}

/// What a law says of given stretches.
pub(crate) struct Response {
    pub psi: f64,
    pub g: DVec3,
    /// Symmetric.
    pub h: DMat3,
    /// `flip[k]` belongs to the pair of the other two axes.
    pub flip: DVec3,
    /// In the same order.
    pub twist: DVec3,
}

impl Response {
    /// psi + p (J - 1): g_i gains p J/s_i, H_ij p s_k.
    pub fn add_pressure(&mut self, s: DVec3, p: f64) {
        self.psi += p * (s.x * s.y * s.z - 1.0);
        self.g += cofactors(s) * p;
        self.h += symmetric(DVec3::ZERO, s * p);
        self.flip -= s * p;
        self.twist += s * p;
    }

    /// The nearest positive semi-definite tangent.
    fn project(&mut self) {
        self.flip = self.flip.max(DVec3::ZERO);
        self.twist = self.twist.max(DVec3::ZERO);
        if !is_positive(&self.h) {
            self.h = Eigen::new(self.h).clamped();
        }
    }
}

/// J/s_i: the product of the other two.
pub(crate) fn cofactors(s: DVec3) -> DVec3 {
    DVec3::new(s.y * s.z, s.x * s.z, s.x * s.y)
}

/// The symmetric matrix of a diagonal and of off-diagonal entries, `off[k]` for the pair of the
/// other two axes.
pub(crate) fn symmetric(diagonal: DVec3, off: DVec3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(diagonal.x, off.z, off.y),
        DVec3::new(off.z, diagonal.y, off.x),
        DVec3::new(off.y, off.x, diagonal.z),
    )
}

/// a a^T.
pub(crate) fn square(a: DVec3) -> DMat3 {
    DMat3::from_cols(a * a.x, a * a.y, a * a.z)
}

/// Whether all pivots are positive.
pub(crate) fn is_positive(h: &DMat3) -> bool {
    let (a, b, c) = (h.x_axis, h.y_axis, h.z_axis);
    let d = b.y - a.y * a.y / a.x;
    let e = c.y - a.z * a.y / a.x;
    a.x > 0.0 && d > 0.0 && c.z - a.z * a.z / a.x - e * e / d > 0.0
}

impl Stretches {
    pub fn new(f: DMat3, m: usize) -> Self {
        Stretches { svd: Svd::columns(f, m), m }
    }

    /// P and C from the response of a law.
    pub fn point(&self, response: &Response, want: Want) -> Point {
        let stress = if want == Want::Energy { DMat3::ZERO } else { self.svd.compose(response.g) };
        let mut tangent = NO_TANGENT;
        if want >= Want::Exact {
            let mut response = Response { ..*response };
            if want == Want::Projected {
                response.project();
            }
            tangent = self.tangent(&response);
        }
        Point { psi: response.psi, stress, tangent }
    }

    /// Block (c, d) in the left axes: H_ij V_ci V_dj + B_ij V_cj V_di off the diagonal and H_ii
    /// V_ci V_di + sum over j of A_ij V_cj V_dj on it, A = (flip + twist)/2, B = (flip - twist)/2.
    fn tangent(&self, response: &Response) -> Tangent {
        let (u, ut) = (self.svd.u, self.svd.u.transpose());
        let (a, b, h) = ((response.flip + response.twist) * 0.5, (response.flip - response.twist) * 0.5, &response.h);
        // Row c of V.
        let rows = self.svd.v.transpose();
        let mut tangent = NO_TANGENT;
        for c in 0..self.m {
            for d in 0..=c {
                let (p, q) = (rows.col(c), rows.col(d));
                let pq = p * q;
                let on = DVec3::new(
                    h.x_axis.x * pq.x + a.z * pq.y + a.y * pq.z,
                    h.y_axis.y * pq.y + a.z * pq.x + a.x * pq.z,
                    h.z_axis.z * pq.z + a.y * pq.x + a.x * pq.y,
                );
                let off = |hij: f64, bij: f64, i: usize, j: usize| hij * p[i] * q[j] + bij * p[j] * q[i];
                let block = DMat3::from_cols(
                    DVec3::new(on.x, off(h.x_axis.y, b.z, 1, 0), off(h.x_axis.z, b.y, 2, 0)),
                    DVec3::new(off(h.x_axis.y, b.z, 0, 1), on.y, off(h.y_axis.z, b.x, 2, 1)),
                    DVec3::new(off(h.x_axis.z, b.y, 0, 2), off(h.y_axis.z, b.x, 1, 2), on.z),
                );
                tangent[c][d] = u * block * ut;
                tangent[d][c] = tangent[c][d].transpose();
            }
        }
        tangent
    }
}

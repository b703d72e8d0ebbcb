//! Nodes that turn freely in their joints, and nodes without one. With (P, Q, R) of the node, u the velocity of its joint:
//! ```text
//! P u + Q w + sign z = bu,   Q^T u + R w = bw,      u = u_parent + sign b_row
//! R = L d L^T,   Z = R^-1 Q^T,   Y = P - Q Z        handed on to the parent: (Y, 0, 0)
//! up:    bw -= s x bv,   g = bv - Z^T bw,           handed on: g - Y (sign b_row)
//! down:  w = R^-1 bw - Z u,   sign z = g - Y u,   v = u + s x w
//! ```
//! A free root has u = Y^-1 g.

use super::Member;
use super::small::{get, ldl, ldl_solve, put, sym_rows, sym_times, times, transposed_times};
use glam::DVec3;

/// Eliminates the rotation of a node; a pivot that is not positive on failure.
#[inline(always)]
pub(super) fn factor(e: &mut Member) -> Result<(), f64> {
    let f = ldl(&e.r)?;
    let [i0, i1, i2, l10, l21, l20] = f;
    // W = L^-1 Q^T, whose columns are rows of Q; Y = P - W^T d^-1 W; Z = L^-T d^-1 W.
    let (mut w, mut k) = ([[0.0; 3]; 3], [[0.0; 3]; 3]);
    for c in 0..3 {
        let w0 = e.q[3 * c];
        let w1 = e.q[3 * c + 1] - l10 * w0;
        let w2 = e.q[3 * c + 2] - l20 * w0 - l21 * w1;
        w[c] = [w0, w1, w2];
        k[c] = [w0 * i0, w1 * i1, w2 * i2];
    }
    for (to, (a, b)) in e.p.iter_mut().zip([(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)]) {
        *to -= w[a][0] * k[b][0] + w[a][1] * k[b][1] + w[a][2] * k[b][2];
    }
    for c in 0..3 {
        let z2 = k[c][2];
        let z1 = k[c][1] - l21 * z2;
        (e.q[c], e.q[3 + c], e.q[6 + c]) = (k[c][0] - l10 * z1 - l20 * z2, z1, z2);
    }
    e.r = f;
    Ok(())
}

/// Eliminates the translation of a free root.
#[inline(always)]
pub(super) fn free(e: &mut Member) -> Result<(), f64> {
    e.p = ldl(&e.p)?;
    Ok(())
}

/// Adds what is left of a node to its parent.
#[inline(always)]
pub(super) fn hand_on(e: &Member, parent: &mut Member) {
    let d = e.sp - parent.s;
    // Rows of -Y hat(d), and from its columns the upper half of hat(d)^T Y hat(d).
    let g = sym_rows(&e.p).map(|row| d.cross(row));
    for (to, y) in parent.p.iter_mut().zip(&e.p) {
        *to += y;
    }
    for (c, g) in g.iter().enumerate() {
        parent.q[3 * c] += g.x;
        parent.q[3 * c + 1] += g.y;
        parent.q[3 * c + 2] += g.z;
    }
    parent.r[0] += d.y * g[2].x - d.z * g[1].x;
    parent.r[1] += d.z * g[0].y - d.x * g[2].y;
    parent.r[2] += d.x * g[1].z - d.y * g[0].z;
    parent.r[3] += d.y * g[2].y - d.z * g[1].y;
    parent.r[4] += d.z * g[0].z - d.x * g[2].z;
    parent.r[5] += d.y * g[2].z - d.z * g[1].z;
}

/// g of a node, which takes the place of bv; bw is seen from the joint from now on.
#[inline(always)]
pub(super) fn collect(e: &Member, x: &mut [f64]) -> DVec3 {
    let at = e.x as usize;
    let bv = get(x, at);
    let bw = get(x, at + 3) - e.s.cross(bv);
    let g = bv - transposed_times(&e.q, bw);
    put(x, at, g);
    put(x, at + 3, bw);
    g
}

/// What of g the joint's own right-hand side takes.
#[inline(always)]
pub(super) fn asked(e: &Member, x: &[f64]) -> DVec3 {
    sym_times(&e.p, e.sign * get(x, e.row as usize))
}

/// Velocities of a node and impulse of its joint, from the velocity of the parent there.
#[inline(always)]
pub(super) fn descend(e: &Member, up: DVec3, x: &mut [f64]) {
    let (at, row) = (e.x as usize, e.row as usize);
    let u = up + e.sign * get(x, row);
    put(x, row, e.sign * (get(x, at) - sym_times(&e.p, u)));
    turn(e, u, x);
}

/// Velocities of a free root.
#[inline(always)]
pub(super) fn release(e: &Member, x: &mut [f64]) {
    turn(e, ldl_solve(&e.p, get(x, e.x as usize)), x);
}

/// The rotation of a node whose joint moves with u, and its velocity.
#[inline(always)]
fn turn(e: &Member, u: DVec3, x: &mut [f64]) {
    let at = e.x as usize;
    let w = ldl_solve(&e.r, get(x, at + 3)) - times(&e.q, u);
    put(x, at, u + e.s.cross(w));
    put(x, at + 3, w);
}

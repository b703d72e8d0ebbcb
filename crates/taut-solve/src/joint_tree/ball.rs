//! Nodes that turn freely in their joints, and nodes without one. With (P, Q, R) of the node, u the velocity of its joint:
//! ```text
//! P u + Q w + sign z = bu,   Q^T u + R w = bw,      u = u_parent + sign b_row
//! R = L d L^T,   Z = R^-1 Q^T,   Y = P - Q Z        handed on to the parent: (Y, 0, 0)
//! up:    bw -= s x bv,   g = bv - Z^T bw,           handed on: g - Y (sign b_row)
//! down:  w = R^-1 bw - Z u,   sign z = g - Y u,   v = u + s x w
//! ```
//! A free root has u = Y^-1 g.

use super::Member;
use super::small::{Bad, get, ldl, ldl_solve, put, read, sym_rows, sym_times, times, transposed_times, write};
use taut_lanes::{Real, Vec4};

/// Eliminates the rotation of a node; where a pivot is not positive.
#[inline(always)]
pub(super) fn factor<R: Real>(e: &mut Member<R::Cell>) -> Bad<R> {
    let (mut p, mut q): ([R; 6], [R; 9]) = (read(&e.p), read(&e.q));
    let (f, bad) = ldl(&read::<R, 6>(&e.r));
    let [i0, i1, i2, l10, l21, l20] = f;
    // W = L^-1 Q^T, whose columns are rows of Q; Y = P - W^T d^-1 W; Z = L^-T d^-1 W.
    let (mut w, mut k) = ([[R::all(0.0); 3]; 3], [[R::all(0.0); 3]; 3]);
    for c in 0..3 {
        let w0 = q[3 * c];
        let w1 = q[3 * c + 1] - l10 * w0;
        let w2 = q[3 * c + 2] - l20 * w0 - l21 * w1;
        w[c] = [w0, w1, w2];
        k[c] = [w0 * i0, w1 * i1, w2 * i2];
    }
    for (to, (a, b)) in p.iter_mut().zip([(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)]) {
        *to = *to - (w[a][0] * k[b][0] + w[a][1] * k[b][1] + w[a][2] * k[b][2]);
    }
    for c in 0..3 {
        let z2 = k[c][2];
        let z1 = k[c][1] - l21 * z2;
        (q[c], q[3 + c], q[6 + c]) = (k[c][0] - l10 * z1 - l20 * z2, z1, z2);
    }
    write(p, &mut e.p);
    write(q, &mut e.q);
    write(f, &mut e.r);
    bad
}

/// Eliminates the translation of a free root.
#[inline(always)]
pub(super) fn free<R: Real>(e: &mut Member<R::Cell>) -> Bad<R> {
    let (f, bad) = ldl(&read::<R, 6>(&e.p));
    write(f, &mut e.p);
    bad
}

/// Adds what is left of a node to its parent.
#[inline(always)]
pub(super) fn hand_on<R: Real>(e: &Member<R::Cell>, parent: &mut Member<R::Cell>) {
    let d = Vec4::<R>::load(&e.sp) - Vec4::load(&parent.s);
    let p: [R; 6] = read(&e.p);
    // Rows of -Y hat(d), and from its columns the upper half of hat(d)^T Y hat(d).
    let g = sym_rows(&p).map(|row| d.cross(row));
    let more_r = [
        d.y * g[2].x - d.z * g[1].x,
        d.z * g[0].y - d.x * g[2].y,
        d.x * g[1].z - d.y * g[0].z,
        d.y * g[2].y - d.z * g[1].y,
        d.z * g[0].z - d.x * g[2].z,
        d.y * g[2].z - d.z * g[1].z,
    ];
    let (to_p, to_q, to_r): ([R; 6], [R; 9], [R; 6]) = (read(&parent.p), read(&parent.q), read(&parent.r));
    for k in 0..6 {
        (to_p[k] + p[k]).store(&mut parent.p[k]);
        (to_r[k] + more_r[k]).store(&mut parent.r[k]);
    }
    for (c, g) in g.into_iter().enumerate() {
        (to_q[3 * c] + g.x).store(&mut parent.q[3 * c]);
        (to_q[3 * c + 1] + g.y).store(&mut parent.q[3 * c + 1]);
        (to_q[3 * c + 2] + g.z).store(&mut parent.q[3 * c + 2]);
    }
}

/// g of a node, which takes the place of bv; bw is seen from the joint from now on.
#[inline(always)]
pub(super) fn collect<R: Real>(e: &Member<R::Cell>, x: &mut [R::Cell]) -> Vec4<R> {
    let at = e.x as usize;
    let bv = get::<R>(x, at);
    let bw = get(x, at + 3) - Vec4::load(&e.s).cross(bv);
    let g = bv - transposed_times(&read(&e.q), bw);
    put(x, at, g);
    put(x, at + 3, bw);
    g
}

/// What of g the joint's own right-hand side takes.
#[inline(always)]
pub(super) fn asked<R: Real>(e: &Member<R::Cell>, x: &[R::Cell]) -> Vec4<R> {
    sym_times(&read(&e.p), get(x, e.row as usize) * R::all(e.sign))
}

/// Velocities of a node and impulse of its joint, from the velocity of the parent there.
#[inline(always)]
pub(super) fn descend<R: Real>(e: &Member<R::Cell>, up: Vec4<R>, x: &mut [R::Cell]) {
    let (at, row, sign) = (e.x as usize, e.row as usize, R::all(e.sign));
    let u = up + get(x, row) * sign;
    put(x, row, (get(x, at) - sym_times(&read(&e.p), u)) * sign);
    turn(e, u, x);
}

/// Velocities of a free root.
#[inline(always)]
pub(super) fn release<R: Real>(e: &Member<R::Cell>, x: &mut [R::Cell]) {
    turn(e, ldl_solve(&read::<R, 6>(&e.p), get(x, e.x as usize)), x);
}

/// The rotation of a node whose joint moves with u, and its velocity.
#[inline(always)]
fn turn<R: Real>(e: &Member<R::Cell>, u: Vec4<R>, x: &mut [R::Cell]) {
    let at = e.x as usize;
    let w = ldl_solve(&read(&e.r), get(x, at + 3)) - times(&read(&e.q), u);
    put(x, at, u + Vec4::load(&e.s).cross(w));
    put(x, at + 3, w);
}

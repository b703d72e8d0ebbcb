//! Products with J, J^T, H and the reduced matrix in O(n), and the wrench that each joint carries.
//!
//! ```text
//! v = J y        v_i = X v_p + S y_i                     root to leaf
//! r = J^T w      r_i = S^T w_i,  w_p += X^T w_i          leaf to root
//! u_i = (H v)_i - w_i + sum over children X_c^T u_c      what the joint of body i puts on it
//! ```
//!
//! u is at the centre of the body. Along the free directions it is what the joint itself does: S^T u = b - A y.

use super::eliminate::halves;
use super::spatial::{Sym6, axpy, carry, dot, pass};
use super::{Fault, Load, Motion, NONE, Structure, Twist, Values, fault};

/// v = J y.
pub(super) fn velocities(s: &Structure, values: &Values, y: &[f64], v: &mut [Twist]) {
    for i in 0..s.len() {
        let p = s.carrier(i);
        let mut out = if p == NONE { [0.0; 6] } else { carry(&v[p], values.arm[i]) };
        for d in s.dof(i)..s.dof(i + 1) {
            axpy(&mut out, y[d], &values.s[d]);
        }
        v[i] = out;
    }
}

/// r = J^T w; w is used up.
pub(super) fn to_joints(s: &Structure, values: &Values, w: &mut [Twist], r: &mut [f64]) {
    for i in (0..s.len()).rev() {
        for d in s.dof(i)..s.dof(i + 1) {
            r[d] = dot(&values.s[d], &w[i]);
        }
        let p = s.carrier(i);
        if p != NONE {
            let up = pass(&w[i], values.arm[i]);
            axpy(&mut w[p], 1.0, &up);
        }
    }
}

/// w = H v, couplings included.
pub(super) fn momentum(s: &Structure, values: &Values, v: &[Twist], w: &mut [Twist]) {
    for i in 0..s.len() {
        w[i] = Sym6::from_rows(&values.h[i]).mul(&v[i]);
    }
    for (at, p) in s.pairs().iter().enumerate() {
        for g in &values.terms[s.term(at)..s.term(at + 1)] {
            let (gi, gj) = halves(g);
            let mut rate = dot(&gi, &v[p.i]);
            if p.j != NONE {
                rate += dot(&gj, &v[p.j]);
                axpy(&mut w[p.j], rate, &gj);
            }
            axpy(&mut w[p.i], rate, &gi);
        }
        if p.block && p.j != NONE {
            let b = &values.blocks[s.block(at)];
            for r in 0..6 {
                for c in 0..6 {
                    w[p.i][r] += b[6 * r + c] * v[p.j][c];
                    w[p.j][c] += b[6 * r + c] * v[p.i][r];
                }
            }
        }
    }
}

/// r += A y, the joint matrices.
pub(super) fn add_joint_terms(s: &Structure, values: &Values, y: &[f64], r: &mut [f64]) {
    for i in 0..s.len() {
        let (d, k) = (s.dof(i), s.links()[i].dofs);
        let a = &values.joint[s.square(i)..s.square(i) + k * k];
        for row in 0..k {
            for column in 0..k {
                r[d + row] += a[k * row.max(column) + row.min(column)] * y[d + column];
            }
        }
    }
}

/// Operations of [`momentum`] and [`to_joints`].
pub(super) fn cost(s: &Structure) -> f64 {
    let per_link: f64 = s.links().iter().map(|l| 66.0 + 15.0 + 12.0 * l.dofs as f64).sum();
    let per_pair: f64 = s.pairs().iter().map(|p| 46.0 * p.rank as f64 + if p.block { 144.0 } else { 0.0 }).sum();
    per_link + per_pair
}

/// The wrench (impulse) that the joint of each body puts on it, at its centre, for a solution of the system with `load`
/// and any loop wrenches included in it.
pub fn reactions(
    s: &Structure,
    values: &Values,
    load: &Load,
    motion: &Motion,
    out: &mut Vec<Twist>,
) -> Result<(), Fault> {
    values.check(s)?;
    load.check(s)?;
    fault::length("motion.v", motion.v.len(), s.len())?;
    out.resize(s.len(), [0.0; 6]);
    momentum(s, values, &motion.v, out);
    for (u, w) in out.iter_mut().zip(load.body) {
        axpy(u, -1.0, w);
    }
    for i in (0..s.len()).rev() {
        let p = s.links()[i].parent;
        if p != NONE {
            let up = pass(&out[i], values.arm[i]);
            axpy(&mut out[p], 1.0, &up);
        }
    }
    Ok(())
}

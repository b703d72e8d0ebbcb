//! The gyroscopic term as a pre-update of the angular velocity.
//!
//! Base rule: implicit midpoint of Euler's equation in the body frame, I (x - x0) + h m x (I m) = 0 with m = (x + x0)/2,
//! by Newton: the energy and |L| of a free body are kept to rounding.
//!
//! Mid-drift rule (second order also under joint forces): between two kicks the body drifts with constant w, and its
//! momentum is P(w) = E I E^T w = E (I w), E = exp(h w/2), the inertia at the middle of the drift. The momentum of the last
//! drift is carried over: P(w_g) = P_prev. It is used while h |w| <= 1 and Newton converges.

use crate::desk::inputs::Inputs;
use crate::kin::Kin;
use crate::math::so3::{rotate, skew};
use crate::topology::Topology;
use glam::{DMat3, DVec3};

/// Angular momentum of a drift that starts at the present pose (`h` > 0) or ended there (`h` < 0).
#[inline]
pub(crate) fn drift_momentum(inertia: DMat3, omega: DVec3, h: f64) -> DVec3 {
    rotate(0.5 * h * omega, inertia * omega)
}

/// Writes `inertia`, `omega_g` and `momentum`.
pub(crate) fn evaluate(t: &Topology, h: f64, mid_drift: bool, inputs: &mut Inputs) {
    for (n, node) in t.nodes.iter().enumerate() {
        if node.dim == 3 {
            continue;
        }
        let kin = &inputs.kin[n];
        if node.isotropic {
            inputs.inertia[n] = t.local_inertia[n];
            inputs.omega_g[n] = kin.omega;
            inputs.momentum[n] = t.local_inertia[n] * kin.omega;
            continue;
        }
        let (r, d) = (kin.rot, t.local_inertia[n]);
        let turned = if node.principal {
            DMat3::from_cols(r.x_axis * d.x_axis.x, r.y_axis * d.y_axis.y, r.z_axis * d.z_axis.z)
        } else {
            r * d
        };
        let inertia = turned * r.transpose();
        inputs.inertia[n] = inertia;
        let carried = if mid_drift && h * kin.omega.length() <= 1.0 {
            let momentum = drift_momentum(inertia, kin.omega, -inputs.h_prev[n]);
            solve_drift(kin, t.local_inertia[n], momentum, h).map(|w| (w, momentum))
        } else {
            None
        };
        (inputs.omega_g[n], inputs.momentum[n]) = match carried {
            Some((w, p)) => (w, p),
            None => (midpoint(kin.rot, kin.omega, t.local_inertia[n], h), DVec3::NAN),
        };
    }
}

/// P(w) = momentum, by Newton in the body frame.
pub(crate) fn solve_drift(kin: &Kin, inertia: DMat3, momentum: DVec3, h: f64) -> Option<DVec3> {
    let target = kin.rot.transpose() * momentum;
    let mut x = kin.rot.transpose() * kin.omega;
    let mut last = f64::INFINITY;
    for _ in 0..6 {
        // E^T (P(x) - momentum), in the body frame.
        let l = inertia * x;
        let f = l - rotate(-0.5 * h * x, target);
        let jac = inertia - skew(l) * (0.5 * h);
        let change = jac.inverse() * f;
        x -= change;
        // The Jacobian is right to second order in h x: each round leaves that part of the change, times the ratio of the
        // principal moments, a thousand for a slender link.
        let x2 = x.length_squared();
        last = change.length_squared() / x2.max(f64::MIN_POSITIVE);
        let turn2 = h * h * x2;
        if last * turn2 * turn2 <= 1e-36 {
            return Some(kin.rot * x);
        }
    }
    (last < 1e-12).then(|| kin.rot * x)
}

/// Implicit midpoint of Euler's equation in the body frame. Where Newton finds no solution (turns of several radians in a step) the
/// angular velocity stays as it is in the body frame: that keeps the energy too.
pub fn midpoint(rot: DMat3, omega: DVec3, inertia: DMat3, h: f64) -> DVec3 {
    let x0 = rot.transpose() * omega;
    let mut x = x0;
    for _ in 0..10 {
        let m = 0.5 * (x + x0);
        let l = inertia * m;
        let f = inertia * (x - x0) + h * m.cross(l);
        let jac = inertia + (skew(m) * inertia - skew(l)) * (0.5 * h);
        let change = jac.inverse() * f;
        x -= change;
        // Newton squares the error.
        if change.length_squared() <= 1e-16 * x.length_squared() {
            return rot * x;
        }
    }
    omega
}

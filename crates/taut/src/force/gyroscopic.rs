//! The gyroscopic term as a pre-update of the angular velocity.
//!
//! Base rule: implicit midpoint of Euler's equation in the body frame, I (x - x0) + h m x (I m) = 0 with m = (x + x0)/2,
//! by Newton: the energy and |L| of a free body are kept to rounding.
//!
//! Mid-drift rule (second order also under joint forces): between two kicks the body drifts with constant w, and its
//! momentum is P(w) = E I E^T w = E (I w), E = exp(h w/2), the inertia at the middle of the drift. The momentum of the last
//! drift is carried over: P(w_g) = P_prev. It is used while h |w| <= 1 and Newton converges.
//!
//! Where the body axes are principal, with moments D, each round of Newton is in closed form, in the body frame and for four bodies at a
//! time (`math::lanes`):
//! ```text
//! (D - hat(a))^-1 f = (D# f + a (a.f) + (D a) x f) / (det D + a.D a),    a = h D x/2,   D# the cofactors of D
//! ```

use crate::desk::inputs::Inputs;
use crate::kin::Kin;
use crate::math::lanes::{LANES, Mask, Mat4, Number, Vec4, rotate};
use crate::math::so3::{self, skew};
use crate::topology::Topology;
use glam::{DMat3, DVec3};
use taut_lanes::{WideKernel, each};

/// Angular momentum of a drift that starts at the present pose (`h` > 0) or ended there (`h` < 0).
#[inline]
pub(crate) fn drift_momentum(inertia: DMat3, omega: DVec3, h: f64) -> DVec3 {
    so3::rotate(0.5 * h * omega, inertia * omega)
}

/// Writes `inertia`, `omega_g` and `momentum`.
pub(crate) fn evaluate(t: &Topology, h: f64, mid_drift: bool, inputs: &mut Inputs) {
    taut_lanes::run_wide(Bodies { t, h, mid_drift, inputs });
}

/// All bodies of a layout.
struct Bodies<'a> {
    t: &'a Topology,
    h: f64,
    mid_drift: bool,
    inputs: &'a mut Inputs,
}

impl WideKernel for Bodies<'_> {
    type Out = ();

    #[inline(always)]
    fn run<F: Number>(self) {
        let Bodies { t, h, mid_drift, inputs } = self;
        // Bodies that go side by side.
        let (mut batch, mut filled) = ([0; LANES], 0);
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
            inputs.inertia[n] = in_world(kin.rot, t.local_inertia[n], node.principal);
            let longest = h.max(inputs.h_prev[n]);
            if node.principal && mid_drift && longest * longest * kin.omega.length_squared() <= 1.0 {
                batch[filled] = n;
                filled += 1;
                if filled == LANES {
                    filled = 0;
                    side_by_side::<F>(t, h, batch, inputs);
                }
            } else {
                alone(t, n, h, mid_drift, inputs);
            }
        }
        if filled > 0 {
            // The last one stands in for those that are missing.
            let last = batch[filled - 1];
            batch[filled..].fill(last);
            side_by_side::<F>(t, h, batch, inputs);
        }
    }
}

/// R I R^T.
#[inline(always)]
fn in_world(r: DMat3, inertia: DMat3, principal: bool) -> DMat3 {
    let turned = if principal {
        DMat3::from_cols(r.x_axis * inertia.x_axis.x, r.y_axis * inertia.y_axis.y, r.z_axis * inertia.z_axis.z)
    } else {
        r * inertia
    };
    turned * r.transpose()
}

/// One body, by Newton with the Jacobian as it is.
#[inline(never)]
fn alone(t: &Topology, n: usize, h: f64, mid_drift: bool, inputs: &mut Inputs) {
    let kin = &inputs.kin[n];
    let carried = if mid_drift && h * kin.omega.length() <= 1.0 {
        let momentum = drift_momentum(inputs.inertia[n], kin.omega, -inputs.h_prev[n]);
        solve_drift(kin, t.local_inertia[n], momentum, h).map(|w| (w, momentum))
    } else {
        None
    };
    (inputs.omega_g[n], inputs.momentum[n]) =
        carried.unwrap_or_else(|| (midpoint(kin.rot, kin.omega, t.local_inertia[n], h), DVec3::NAN));
}

/// Bodies with principal axes; those that do not settle go alone.
#[inline(always)]
fn side_by_side<F: Number>(t: &Topology, h: f64, batch: [usize; LANES], inputs: &mut Inputs) {
    let d = each!(n in batch => {
        let i = &t.local_inertia[n];
        DVec3::new(i.x_axis.x, i.y_axis.y, i.z_axis.z)
    });
    let w = each!(n in batch => {
        let (r, w) = (&inputs.kin[n].rot, inputs.kin[n].omega);
        DVec3::new(r.x_axis.dot(w), r.y_axis.dot(w), r.z_axis.dot(w))
    });
    let before: F = F::of(each!(n in batch => inputs.h_prev[n]));
    let (x, momentum, settled) = drift(Vec4::of(d), Vec4::of(w), before, h);
    let (x, momentum) = (x.array(), momentum.array());
    for (k, n) in batch.into_iter().enumerate() {
        if settled.lane(k) {
            let r = inputs.kin[n].rot;
            (inputs.omega_g[n], inputs.momentum[n]) = (r * x[k], r * momentum[k]);
        } else {
            alone(t, n, h, true, inputs);
        }
    }
}

/// Angular velocities after the kick-free part of the step and the momenta carried over, in the body frames, and which of them have
/// settled. The last drift was of `before`, and ended with w.
#[inline(always)]
pub(crate) fn drift<F: Number>(d: Vec4<F>, w: Vec4<F>, before: F, h: f64) -> (Vec4<F>, Vec4<F>, F::Which) {
    let target = rotate(w * (before * -0.5), d.each(w));
    let cofactors = Vec4 { x: d.y * d.z, y: d.x * d.z, z: d.x * d.y };
    let det = d.x * cofactors.x;
    let (mut x, mut settled, mut last) = (w, F::Which::none(), F::all(f64::INFINITY));
    for _ in 0..ROUNDS {
        // E^T (P(x) - momentum).
        let l = d.each(x);
        let f = l - rotate(x * (-0.5 * h), target);
        let a = l * (0.5 * h);
        let da = d.each(a);
        let change = (cofactors.each(f) + a * a.dot(f) + da.cross(f)) * (F::all(1.0) / (det + a.dot(da)));
        x = x.select(settled, x - change);
        let (x2, c2) = (x.dot(x), change.dot(change));
        last = settled.select(last, c2);
        let turn2 = x2 * (h * h);
        settled = settled | (c2 * turn2 * turn2).at_most(x2 * SETTLED);
        if settled.all() {
            break;
        }
    }
    (x, target, settled | last.below(x.dot(x) * CLOSE))
}

/// The same of bodies with any axes, by Newton with the Jacobian as it is (`solve_drift`). Also where the turns are within reach.
#[inline(always)]
pub(crate) fn drift_of_any<F: Number>(inertia: &Mat4<F>, w: Vec4<F>, target: Vec4<F>, h: f64) -> (Vec4<F>, F::Which) {
    let (mut x, mut settled, mut last) = (w, F::Which::none(), F::all(f64::INFINITY));
    for _ in 0..ROUNDS {
        let l = inertia.times(x);
        let f = l - rotate(x * (-0.5 * h), target);
        let change = inertia.minus(&Mat4::skew(l).scaled(F::all(0.5 * h))).inverse().times(f);
        x = x.select(settled, x - change);
        let x2 = x.dot(x);
        last = settled.select(last, change.dot(change) / x2.max(F::all(f64::MIN_POSITIVE)));
        let turn2 = x2 * (h * h);
        settled = settled | (last * turn2 * turn2).at_most(F::all(SETTLED));
        if settled.all() {
            break;
        }
    }
    (x, settled | last.below(F::all(CLOSE)))
}

/// Most rounds of Newton.
const ROUNDS: usize = 6;
/// Square of the relative change of the angular velocity that a round would still make, below which it is rounding.
const SETTLED: f64 = 1e-36;
/// Square of the relative change in the last round with which a body is taken as it is.
const CLOSE: f64 = 1e-12;

/// P(w) = momentum, by Newton in the body frame.
pub(crate) fn solve_drift(kin: &Kin, inertia: DMat3, momentum: DVec3, h: f64) -> Option<DVec3> {
    let target = kin.rot.transpose() * momentum;
    let mut x = kin.rot.transpose() * kin.omega;
    let mut last = f64::INFINITY;
    for _ in 0..ROUNDS {
        // E^T (P(x) - momentum), in the body frame.
        let l = inertia * x;
        let f = l - so3::rotate(-0.5 * h * x, target);
        let jac = inertia - skew(l) * (0.5 * h);
        let change = jac.inverse() * f;
        x -= change;
        // The Jacobian is right to second order in h x: each round leaves that part of the change, times the ratio of the
        // principal moments, a thousand for a slender link.
        let x2 = x.length_squared();
        last = change.length_squared() / x2.max(f64::MIN_POSITIVE);
        let turn2 = h * h * x2;
        if last * turn2 * turn2 <= SETTLED {
            return Some(kin.rot * x);
        }
    }
    (last < CLOSE).then(|| kin.rot * x)
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

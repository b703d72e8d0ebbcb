//! The stiffness of the stabiliser along the axes of the bodies, four bodies at a time (`math::lanes`): so that what is asked of it does not
//! depend on how the scene stands in the world.

use crate::desk::Stabilised;
use crate::desk::inputs::Given;
use crate::math::lanes::{Fours, LANES, Mask, Mat4, Number, Sym4, Vec4};
use crate::topology::Island;
use glam::DMat3;
use taut_lanes::{WideKernel, each};

/// r_k.A r_k of four bodies, r the axes of each.
#[inline(always)]
fn forms<F: Number>(t: &Given<'_>, batch: [usize; LANES], added: &[DMat3]) -> [F; 3] {
    // All of one length: a body is checked once.
    let (kin, added) = (&t.inputs.kin[..t.nodes.len()], &added[..t.nodes.len()]);
    let rot = each!(n in batch => &kin[n].rot);
    let axes = Mat4([
        Vec4::get(each!(r in rot => &r.x_axis)),
        Vec4::get(each!(r in rot => &r.y_axis)),
        Vec4::get(each!(r in rot => &r.z_axis)),
    ]);
    Sym4::of(each!(n in batch => &added[n])).along(&axes)
}

/// The diagonals of their inertias.
#[inline(always)]
fn moments<F: Number>(t: &Given<'_>, batch: [usize; LANES]) -> [F; 3] {
    let of = each!(n in batch => &t.local_inertia[n]);
    [F::of(each!(i in of => i.x_axis.x)), F::of(each!(i in of => i.y_axis.y)), F::of(each!(i in of => i.z_axis.z))]
}

/// Whether A grows by more than `tolerance` of M + A along an axis of a body, from that in use to that of the forces just found, with the shares
/// of both taken off.
pub(crate) fn grew_along(t: &Given<'_>, island: &Island, stiff: (&Stabilised, f64, f64), tolerance: f64) -> bool {
    taut_lanes::run_wide(Grew { t, island, stiff, tolerance })
}

struct Grew<'a> {
    t: &'a Given<'a>,
    island: &'a Island,
    stiff: (&'a Stabilised, f64, f64),
    tolerance: f64,
}

impl WideKernel for Grew<'_> {
    type Out = bool;

    #[inline(always)]
    fn run<F: Number>(self) -> bool {
        let Grew { t, island, stiff: (stiff, share, share_next), tolerance } = self;
        let mut grew = false;
        for (batch, _) in Fours(island.nodes.clone().filter(|&n| t.nodes[n].dim == 6)) {
            let old: [F; 3] = forms(t, batch, &stiff.now.added);
            let new: [F; 3] = forms(t, batch, &stiff.next.added);
            let mass = moments::<F>(t, batch);
            for k in 0..3 {
                let (was, now) = (old[k] * (1.0 - share), new[k] * (1.0 - share_next));
                grew |= grows(mass[k], was, now, tolerance).any();
            }
        }
        grew
    }
}

/// Whether an entry of A grows by more than `tolerance` of that of M + A.
#[inline(always)]
pub(crate) fn grows<F: Number>(mass: F, was: F, now: F, tolerance: f64) -> F::Which {
    ((mass + was) * tolerance).below(now - was)
}

/// Largest tr(I^-1 A) of the bodies of an island.
pub(crate) fn largest(t: &Given<'_>, island: &Island, added: &[DMat3]) -> f64 {
    taut_lanes::run_wide(Largest { t, island, added })
}

struct Largest<'a> {
    t: &'a Given<'a>,
    island: &'a Island,
    added: &'a [DMat3],
}

impl WideKernel for Largest<'_> {
    type Out = f64;

    #[inline(always)]
    fn run<F: Number>(self) -> f64 {
        let Largest { t, island, added } = self;
        let mut most = F::all(0.0);
        // Along the body axes where they are principal.
        for (batch, _) in Fours(island.nodes.clone().filter(|&n| t.nodes[n].dim == 6 && t.nodes[n].principal)) {
            let (a, d): ([F; 3], [F; 3]) = (forms(t, batch, added), moments(t, batch));
            let x = a[0] / d[0] + a[1] / d[1] + a[2] / d[2];
            most = x.max(most);
        }
        let most = most.array().into_iter().fold(0.0, f64::max);
        island.nodes.clone().filter(|&n| t.nodes[n].dim == 6 && !t.nodes[n].principal).fold(most, |most, n| {
            let r = t.inputs.kin[n].rot;
            let (b, m) = (r.transpose() * added[n] * r, t.local_inertia[n].inverse());
            most.max(m.x_axis.dot(b.x_axis) + m.y_axis.dot(b.y_axis) + m.z_axis.dot(b.z_axis))
        })
    }
}

//! The same Newton on velocities, for the step itself: joints and limits that the solution would open are aimed at phi = 0 where the bodies
//! will be, on the factor of the step and in its metric.
//! ```text
//! K v_new = b  with rows  Gamma (J v - phi(x + h v)/h)        that is,  v_new = v - K^-1 (0; Gamma phi(x + h v)/h)
//! ```
//! Motion and forces change with it, so it is taken while the velocities are found: by the corrections of resolved islands
//! (`stabilise::resolved`), by the looks after the passes (`passes::closing`), and by a push of contacts that has opened joints, which aims
//! back at the openings they had (`bounded::push`).

use crate::desk::inputs::Given;
use crate::desk::{Law, Memory, RightSide, Solution};
use crate::rows::joint_velocity;
use crate::solve::block_ldlt::MAX_DIM;
use crate::topology::{Group, Island};

/// Right-hand side with the rigid rows aimed at phi = 0 from the velocities in `x`, into `residual`; soft rows as they were.
/// `weight` of a group blends from the base rows (0) to the aimed ones (1).
pub(crate) fn aimed_rhs(
    t: &Given<'_>,
    island: &Island,
    h: f64,
    weight: impl Fn(usize) -> f64,
    (law, phi): (&Law, &[f64]),
    (right, memory): (&RightSide, &Memory),
    sol: &mut Solution,
) {
    known(island, right, memory, &mut sol.residual);
    let mut velocity = [0.0; MAX_DIM];
    for k in island.groups.clone() {
        let g = &t.groups[k];
        let w = weight(k);
        if w > 0.0 {
            joint_velocity(t, k, &t.inputs.rows, &sol.x, &mut velocity);
        }
        let (n, first, is_plain) = (g.rows(), g.row(), is_plain(t, g, law));
        let (base, out) = (&right.b[g.x()..g.x() + n], &mut sol.residual[g.x()..g.x() + n]);
        let (phi, gamma) = (&phi[first..first + n], &law.gamma[first..first + n]);
        let (drive, velocity) = (&t.inputs.rows.drive[first..first + n], &velocity[..n]);
        for r in 0..n {
            let closes = is_plain || t.inputs.rows.is_rigid(first + r) && !law.yielded[first + r];
            out[r] = if w > 0.0 && closes {
                let jv = velocity[r] + drive[r];
                let aimed = gamma[r] * (jv - phi[r] / h) - drive[r];
                w * aimed + (1.0 - w) * base[r]
            } else {
                base[r]
            };
        }
    }
}

/// Whether all rows of a joint are rigid and none has yielded, without a look at each.
#[inline(always)]
pub(crate) fn is_plain(t: &Given<'_>, g: &Group, law: &Law) -> bool {
    g.arced && !g.dead && !t.inputs.rows.any_soft && !law.stalled[g.island()]
}

/// The right-hand side of an island with its memory; the rows have none.
#[inline]
pub(crate) fn known(island: &Island, right: &RightSide, memory: &Memory, out: &mut [f64]) {
    let x = island.x.clone();
    for (to, (b, m)) in out[x.clone()].iter_mut().zip(right.b[x.clone()].iter().zip(&memory.impulse[x])) {
        *to = b + m;
    }
}

/// (0; -phi/h) of the rigid rows, for a change of the velocities that takes back the openings phi less those in `base`.
pub(crate) fn taken_back(t: &Given<'_>, island: &Island, h: f64, (base, phi): (&[f64], &[f64]), out: &mut [f64]) {
    out[island.x.clone()].fill(0.0);
    for g in &t.groups[island.groups.clone()] {
        for r in (0..g.rows()).filter(|r| t.inputs.rows.is_rigid(g.row() + r)) {
            out[g.x() + r] = (base[g.row() + r] - phi[g.row() + r]) / h;
        }
    }
}

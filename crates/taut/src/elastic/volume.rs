//! Volume rows: patches of cells of a material with nu = 0.5 keep their volume.
//!
//! Such a patch has the row phi = Jbar - 1 = 0 (`taut_elements::Dilatation`) with the gradient q, 1/m; its multiplier is the pressure p,
//! positive when it pulls together, and its force on a node is -p V q. It is no row of the matrix: on hexahedra such rows depend on each
//! other (a checkerboard of pressures does nothing), and with no compliance the matrix would be singular. They are held by the augmented
//! Lagrangian
//! ```text
//! L = V(x) + sum over patches of V (p phi + k/2 phi^2)
//! ```
//! whose last term adds h^2 k V q q^T to the matrix, which stays positive definite; k is the modulus that nu = 0.499999 would have. The
//! curvature of p phi is in the tangent of the elements, made positive semi-definite with it (`Input::pressure`). After the solve
//! `passes::volume` goes on with p and v+ on the same factor until phi(x + h v+) is rounding. So k does not decide what is found, only
//! how fast. L without its last term is the energy that the guard, the error and the books see: at phi = 0 that of the elements alone.

use super::positions;
use crate::desk::inputs::{Elastic, Given, Held, VolumeRow};
use crate::kin::Kin;
use crate::math::vec3;
use crate::model::Model;
use crate::model::soft::SoftEntry;
use crate::topology::{Island, Topology};
use crate::tuning::T;
use glam::DVec3;
use std::ops::Range;
use taut_elements::MAX_NODES;

impl Held {
    /// Energy that counts, J.
    pub fn energy(&self) -> f64 {
        let part = if self.is_rigid { self.pressure } else { 0.5 * self.modulus * self.phi };
        part * self.volume * self.phi
    }

    /// The pressure at this pose, Pa.
    pub fn pressure_now(&self) -> f64 {
        self.pressure + self.modulus * self.phi
    }
}

/// The row of an element with its nodes at x, m, and its gradient; none where the volume is kept by energy or not at all.
pub(crate) fn held(entry: &SoftEntry, e: usize, x: &[DVec3], soft: &[f64], q: &mut [DVec3]) -> Option<Held> {
    let elements = &entry.elements;
    if !elements.has_row(e) {
        return None;
    }
    let row = elements.dilatation(e, x, q)?;
    let (volume, is_rigid) = (elements.volume(e), row.compliance == 0.0);
    let modulus = if is_rigid { elements.holding_modulus() } else { 1.0 / (row.compliance * volume) };
    let pressure = if is_rigid { soft[entry.pressure_at(e)] } else { 0.0 };
    Some(Held { phi: row.value, volume, modulus, pressure, is_rigid })
}

/// The rows of an island.
pub(crate) fn of(t: &Topology, elastic: &Elastic, island: usize) -> Range<usize> {
    let rows = &elastic.volumes;
    let of = |r: &VolumeRow| t.soft.elements[r.element].island;
    let first = rows.partition_point(|r| of(r) < island);
    first..first + rows[first..].partition_point(|r| of(r) == island)
}

/// Rate of Jbar of a row, 1/s, with the velocities of the nodes in `v`.
fn rate(t: &Given<'_>, row: &VolumeRow, v: &[f64]) -> f64 {
    let elastic = &t.inputs.elastic;
    let mut sum = 0.0;
    for end in t.soft.ends(&t.soft.elements[row.element]) {
        let kin = &t.inputs.kin[end.body];
        let arm = kin.rot * end.arm;
        let velocity = match t.nodes.get(end.body) {
            Some(n) if n.dim == 6 => vec3(v, n.x) + vec3(v, n.x + 3).cross(arm),
            Some(n) => vec3(v, n.x),
            None => kin.vel + kin.omega.cross(arm),
        };
        sum += end.weight * elastic.gradients[row.at + end.node].dot(velocity);
    }
    sum
}

/// What the last term of L adds to v.h^2 K v over an island, J: the energy of the elements does not have it.
pub(crate) fn held_only(t: &Given<'_>, island: &Island, v: &[f64], h: f64) -> f64 {
    let rows = &t.inputs.elastic.volumes[of(t, &t.inputs.elastic, island.k)];
    let term = |r: &VolumeRow| {
        let rate = h * rate(t, r, v);
        r.held.modulus * r.held.volume * rate * rate
    };
    rows.iter().map(term).sum()
}

/// Changes of the volumes of an island at these poses, over the volumes at rest, less those that are meant. The largest.
pub(crate) fn open(model: &Model, t: &Given<'_>, rows: Range<usize>, kin: &[Kin], phi: &mut [f64]) -> f64 {
    let (mut x, mut q) = ([DVec3::ZERO; MAX_NODES], [DVec3::ZERO; MAX_NODES]);
    let mut worst = 0.0_f64;
    for r in rows {
        let e = &t.soft.elements[t.inputs.elastic.volumes[r].element];
        let Some(entry) = model.softs.at(e.slot) else { continue };
        positions(t.soft.ends(e), kin, 0.0, &mut x[..e.nodes]);
        let row = entry.elements.dilatation(e.index, &x[..e.nodes], &mut q[..e.nodes]);
        let to = &mut phi[t.inputs.elastic.volumes[r].element];
        *to = row.map_or(0.0, |d| d.value);
        worst = worst.max(to.abs());
    }
    worst
}

/// Adds the impulses -V h dp q of changes dp of the pressures of rows, Pa, which are listed by element.
pub(crate) fn push(t: &Given<'_>, h: f64, rows: Range<usize>, change: &[f64], out: &mut [f64]) {
    let elastic = &t.inputs.elastic;
    for r in rows {
        let row = &elastic.volumes[r];
        let strength = -h * row.held.volume * change[row.element];
        for end in t.soft.ends(&t.soft.elements[row.element]) {
            let q = elastic.gradients[row.at + end.node];
            let arm = t.inputs.kin[end.body].rot * end.arm;
            crate::force::add_at_anchor(t, end.body, arm, strength * end.weight * q, out);
        }
    }
}

/// The pressures after a step of h with the velocities x and the poses `kin`, into what deformables keep. `more`: what was added to each
/// after the solve, Pa. Returns the energy that L loses by it, J: rounding where the volumes are kept.
pub(crate) fn settle(
    model: &Model,
    t: &Given<'_>,
    h: f64,
    (x, more): (&[f64], &[f64]),
    kin: &[Kin],
    soft: &mut [f64],
) -> f64 {
    let (mut at, mut q) = ([DVec3::ZERO; MAX_NODES], [DVec3::ZERO; MAX_NODES]);
    let mut lost = 0.0;
    for row in &t.inputs.elastic.volumes {
        let (e, held) = (&t.soft.elements[row.element], &row.held);
        let Some(entry) = model.softs.at(e.slot) else { continue };
        positions(t.soft.ends(e), kin, 0.0, &mut at[..e.nodes]);
        let phi = entry.elements.dilatation(e.index, &at[..e.nodes], &mut q[..e.nodes]).map_or(0.0, |d| d.value);
        let found = held.modulus * h * rate(t, row, x) + more[row.element];
        // What cannot keep its volume, such as a patch between walls, starts anew in each step: its pressure would grow without end.
        let known = if phi.abs() < T.soft.lost { held.pressure } else { 0.0 };
        let pressure = known + held.modulus * held.phi + found * h / t.inputs.hk[e.island];
        lost += (held.pressure - pressure) * held.volume * phi;
        soft[entry.pressure_at(e.index)] = pressure;
    }
    lost
}

/// Takes the row of element k into the list of a step.
pub(super) fn list(k: usize, held: Held, q: &[DVec3], out: &mut Elastic) {
    if held.is_rigid {
        out.volumes.push(VolumeRow { element: k, at: out.gradients.len(), held });
        out.gradients.extend_from_slice(q);
    }
}

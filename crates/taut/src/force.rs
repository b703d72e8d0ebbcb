//! Forces: gravity, loads, springs and dampers, the mouse spring, body damping; water and wind (`field`, `around`).
//!
//! A spring is a row with compliance 1/k and the theta law, with the stabiliser's element across it. In a net, where such rows would
//! close loops and fill the factor, it is a link in the node blocks instead: of stiffness k and damping c along u, tension T, length l,
//! ```text
//! force on i at s_i: -k (l - l0) u       M + A += B^T (hk (theta h k + c) u u^T + hk h theta_t max(0, T/l) (I - u u^T)) B
//! ```
//! B the Jacobian of the offset between the anchors, hk the kick interval (h in a steady run), theta as for rows
//! (`rows::theta`). The transverse part is clamped: a spring under compression gets none, so the matrix stays positive
//! definite. Tournier 2015 compares the two forms; which one a spring has is found with the layout, not chosen.
//! Body damping at the rate d adds hk d M. Drag of c (linear) and w (angular) adds hk c to the mass and hk w to the inertia.

pub(crate) mod around;
pub(crate) mod field;
pub mod gyroscopic;

use crate::desk::inputs::Inputs;
use crate::kin::LinkTerm;
use crate::model::Model;
use crate::model::force::{Force, Spring};
use crate::rows::theta;
use crate::topology::{NONE, Source, Topology};
use glam::DVec3;

/// Writes the right-hand side M v + hk f of the nodes (loads for one step act for all of h), the applied part of it, and the links of the
/// springs. `keeps_energy`: springs follow the theta law.
pub(crate) fn evaluate(
    model: &Model,
    t: &Topology,
    (gravity, h, keeps_energy): (DVec3, f64, bool),
    inputs: &mut Inputs,
) {
    let loaded = model.is_loaded;
    inputs.has_applied = loaded || model.forces.len() > 0;
    if inputs.has_applied {
        inputs.applied.resize(t.pattern.size(), 0.0);
    }
    for (n, node) in t.nodes.iter().enumerate() {
        let hk = inputs.hk[node.island];
        let (force, torque) = match model.bodies.at(t.slot_of[n]) {
            Some(b) if loaded => b.load,
            _ => (DVec3::ZERO, DVec3::ZERO),
        };
        if inputs.has_applied {
            put(&mut inputs.applied, node.x, h * force);
        }
        put(&mut inputs.rhs, node.x, node.mass * inputs.kin[n].vel + h * force + hk * node.weight * gravity);
        if node.dim == 6 {
            let inertia = inputs.inertia[n];
            if inputs.has_applied {
                put(&mut inputs.applied, node.x + 3, h * torque);
            }
            put(&mut inputs.rhs, node.x + 3, inertia * inputs.omega_g[n] + h * torque);
        }
    }
    for (_, f) in model.forces.iter() {
        persistent(&f.force, t, inputs);
    }
    for k in 0..t.links.len() {
        link(model, t, k, (h, keeps_energy), inputs);
    }
}

fn put(out: &mut [f64], at: usize, v: DVec3) {
    out[at] = v.x;
    out[at + 1] = v.y;
    out[at + 2] = v.z;
}

fn add(out: &mut [f64], at: usize, v: DVec3) {
    out[at] += v.x;
    out[at + 1] += v.y;
    out[at + 2] += v.z;
}

/// Adds an impulse at an anchor of a node to a vector of unknowns.
pub(crate) fn add_at_anchor(t: &Topology, dense: usize, arm: DVec3, impulse: DVec3, out: &mut [f64]) {
    if !t.is_node(dense) {
        return;
    }
    let node = &t.nodes[dense];
    add(out, node.x, impulse);
    if node.dim == 6 {
        add(out, node.x + 3, arm.cross(impulse));
    }
}

/// Loads; springs are links or rows, drag is part of the blocks.
fn persistent(force: &Force, t: &Topology, inputs: &mut Inputs) {
    let dense = t.dense_of[force.bodies().0.0.slot as usize];
    if !t.is_node(dense) {
        return;
    }
    let node = &t.nodes[dense];
    let hk = inputs.hk[node.island];
    match force {
        Force::Point { point, force, .. } => {
            let arm = inputs.kin[dense].rot * *point;
            add_at_anchor(t, dense, arm, hk * *force, &mut inputs.applied);
            add_at_anchor(t, dense, arm, hk * *force, &mut inputs.rhs);
        }
        Force::Torque { torque, .. } if node.dim == 6 => {
            add(&mut inputs.applied, node.x + 3, hk * *torque);
            add(&mut inputs.rhs, node.x + 3, hk * *torque);
        }
        _ => {}
    }
}

/// block += B^T W B with B = (I, -hat(arm)) of one node.
pub fn add_form(block: &mut [f64], dim: usize, arm: DVec3, w: glam::DMat3) {
    let wh = w * crate::math::so3::skew(arm);
    let hwh = crate::math::so3::skew(arm).transpose() * wh;
    for c in 0..3 {
        for r in 0..3 {
            block[r * dim + c] += w.col(c)[r];
            if dim == 6 {
                block[r * 6 + 3 + c] -= wh.col(c)[r];
                block[(3 + c) * 6 + r] -= wh.col(c)[r];
                block[(3 + r) * 6 + 3 + c] += hwh.col(c)[r];
            }
        }
    }
}

/// Geometry of a link between two points, given by their bodies' centres and arms.
pub fn span(pos_i: DVec3, si: DVec3, pos_j: DVec3, sj: DVec3) -> LinkTerm {
    let d = pos_i + si - pos_j - sj;
    let length = d.length();
    let u = if length > 0.0 { d / length } else { DVec3::ZERO };
    LinkTerm { si, sj, u, length, along: 0.0, across: 0.0 }
}

/// Writes the implicit part of a spring into its link and returns its tension, N. `theta`: how implicit it is along and across.
pub fn elastic(s: &Spring, theta: [f64; 2], h: f64, hk: f64, term: &mut LinkTerm) -> f64 {
    let tension = s.stiffness * (term.length - s.rest_length);
    term.along = hk * (theta[0] * h * s.stiffness + s.damping);
    term.across = if term.length > 0.0 { theta[1] * hk * h * (tension / term.length).max(0.0) } else { 0.0 };
    tension
}

/// How implicit the link of a spring must be along and across its line; backward Euler with the published stabilisers.
fn link_theta(s: &Spring, t: &Topology, k: usize, h: f64, term: &LinkTerm, inputs: &Inputs) -> [f64; 2] {
    if !(term.length > 0.0) {
        return [1.0; 2];
    }
    let l = &t.links[k];
    let mobility = |u: DVec3| {
        let end = |(body, arm): (usize, DVec3)| {
            if !t.is_node(body) {
                return 0.0;
            }
            let turn = arm.cross(u);
            let spin = if t.nodes[body].dim == 6 { turn.dot(inputs.inertia[body].inverse() * turn) } else { 0.0 };
            1.0 / t.nodes[body].mass + spin
        };
        h * h * l.crowd * (end((l.i, term.si)) + end((l.j, term.sj)))
    };
    let tension = s.stiffness * (term.length - s.rest_length);
    let across = term.u.any_orthonormal_vector();
    let wide = mobility(across).max(mobility(term.u.cross(across)));
    [theta(s.stiffness * mobility(term.u)), theta(tension.max(0.0) / term.length * wide)]
}

/// Geometry of a link, and the force of a spring.
fn link(model: &Model, t: &Topology, k: usize, (h, keeps_energy): (f64, bool), inputs: &mut Inputs) {
    let l = &t.links[k];
    if l.span != NONE {
        // `bounded::reeved` has written it: its ends are where the rope leaves its guides.
        return;
    }
    let (i, j) = (&inputs.kin[l.i], &inputs.kin[l.j]);
    let (si, sj) = (i.rot * l.si, j.rot * l.sj);
    let mut term = span(i.pos, si, j.pos, sj);
    if let Source::Spring(slot) = l.source {
        let Some(Force::Spring(s)) = model.forces.at(slot).map(|f| &f.force) else { return };
        let node = if t.is_node(l.i) { l.i } else { l.j };
        let hk = inputs.hk[t.nodes[node].island];
        let theta = if keeps_energy { link_theta(s, t, k, h, &term, inputs) } else { [1.0; 2] };
        let pull = -hk * elastic(s, theta, h, hk, &mut term) * term.u;
        // A side that the user moves brings its known velocity to the right-hand side.
        let drag = |kin: &crate::kin::Kin, arm: DVec3, fixed: bool| {
            if fixed { form(&term, kin.vel + kin.omega.cross(arm)) } else { DVec3::ZERO }
        };
        let from_j = drag(j, sj, !t.is_node(l.j));
        let from_i = drag(i, si, !t.is_node(l.i));
        add_at_anchor(t, l.i, si, pull + from_j, &mut inputs.rhs);
        add_at_anchor(t, l.j, sj, -pull + from_i, &mut inputs.rhs);
    }
    if let Source::Mouse(slot) = l.source {
        let Some(Force::Mouse(m)) = model.forces.at(slot).map(|f| &f.force) else { return };
        let node = &t.nodes[l.i];
        let hk = inputs.hk[node.island];
        let (k, c) = m.constants(node.mass);
        // The same in every direction.
        (term.along, term.across) = (hk * (h * k + c), hk * (h * k + c));
        add_at_anchor(t, l.i, si, -hk * k * (i.pos + si - m.target), &mut inputs.rhs);
    }
    inputs.links[k] = term;
}

/// (along u u^T + across (I - u u^T)) v of a link.
#[inline]
pub(crate) fn form(term: &LinkTerm, v: DVec3) -> DVec3 {
    let p = term.u * term.u.dot(v);
    term.along * p + term.across * (v - p)
}

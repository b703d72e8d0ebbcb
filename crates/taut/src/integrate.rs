//! Positions and orientations after the step: p+ = p + h v+, R+ = exp(h w+) R.

use crate::kin::Kin;
use crate::math::so3::exp;
use crate::math::vec3;
use crate::topology::Topology;
use crate::tuning::T;
use glam::{DMat3, DVec3};
use std::ops::Range;

/// Poses of a range of nodes from the velocities in `x`.
pub(crate) fn poses(t: &Topology, nodes: Range<usize>, kin: &[Kin], x: &[f64], h: f64, next: &mut [Kin]) {
    poses_from(t, nodes.clone(), &kin[nodes], x, h, next);
}

/// The same from poses that are given for these nodes alone.
pub(crate) fn poses_from(t: &Topology, nodes: Range<usize>, kin: &[Kin], x: &[f64], h: f64, next: &mut [Kin]) {
    for (n, now) in nodes.zip(kin) {
        let node = &t.nodes[n];
        let out = &mut next[n];
        out.vel = flush(vec3(x, node.x));
        out.pos = now.pos + h * out.vel;
        if node.dim == 6 {
            out.omega = flush(vec3(x, node.x + 3));
            turn(now, h, out);
        } else {
            (out.quat, out.rot, out.omega) = (now.quat, now.rot, now.omega);
        }
    }
}

/// Poses after the velocities `x` and a push of the positions, by unknown; the velocities are those of `x` alone.
pub(crate) fn pushed(
    t: &Topology,
    nodes: Range<usize>,
    kin: &[Kin],
    (x, push): (&[f64], &[f64]),
    h: f64,
    next: &mut [Kin],
) {
    for n in nodes {
        let (node, now, out) = (&t.nodes[n], &kin[n], &mut next[n]);
        let both = |at: usize| DVec3::new(x[at] + push[at], x[at + 1] + push[at + 1], x[at + 2] + push[at + 2]);
        out.pos = now.pos + h * flush(both(node.x));
        if node.dim == 6 {
            out.omega = flush(both(node.x + 3));
            turn(now, h, out);
            out.omega = vec3(x, node.x + 3);
        } else {
            (out.quat, out.rot, out.omega) = (now.quat, now.rot, now.omega);
        }
        out.vel = vec3(x, node.x);
    }
}

/// Velocities of a range of nodes from `x`, at poses that were found otherwise.
pub(crate) fn velocities(t: &Topology, nodes: Range<usize>, x: &[f64], next: &mut [Kin]) {
    for n in nodes {
        let node = &t.nodes[n];
        next[n].vel = flush(vec3(x, node.x));
        if node.dim == 6 {
            next[n].omega = flush(vec3(x, node.x + 3));
        }
    }
}

/// Velocity and angular velocity of a node in a solution.
#[inline(always)]
pub(crate) fn velocity(t: &Topology, n: usize, x: &[f64]) -> (DVec3, DVec3) {
    let node = &t.nodes[n];
    (flush(vec3(x, node.x)), if node.dim == 6 { flush(vec3(x, node.x + 3)) } else { DVec3::ZERO })
}

#[inline(always)]
fn flush(v: DVec3) -> DVec3 {
    let keep = |x: f64| if x.abs() < T.rows.nothing { 0.0 } else { x };
    DVec3::new(keep(v.x), keep(v.y), keep(v.z))
}

/// Poses of the bodies the user moves.
pub(crate) fn driven(t: &Topology, kin: &[Kin], h: f64, next: &mut [Kin]) {
    for b in t.nodes.len()..t.slot_of.len() {
        next[b] = kin[b];
        next[b].pos += h * kin[b].vel;
        if kin[b].omega != DVec3::ZERO {
            turn(&kin[b], h, &mut next[b]);
        }
    }
}

#[inline]
fn turn(now: &Kin, h: f64, out: &mut Kin) {
    if out.omega == DVec3::ZERO {
        (out.quat, out.rot) = (now.quat, now.rot);
        return;
    }
    out.quat = (exp(h * out.omega) * now.quat).normalize();
    out.rot = DMat3::from_quat(out.quat);
}

/// Kinetic energy of a node, J.
#[inline]
pub(crate) fn kinetic(t: &Topology, n: usize, k: &Kin) -> f64 {
    let node = &t.nodes[n];
    kinetic_of(node.mass, (node.dim == 6).then(|| &t.local_inertia[n]), k)
}

/// Kinetic energy of a body with an inertia in its own frame, or of a particle without, J.
#[inline]
pub(crate) fn kinetic_of(mass: f64, inertia: Option<&DMat3>, k: &Kin) -> f64 {
    let lin = 0.5 * mass * k.vel.length_squared();
    let Some(inertia) = inertia else { return lin };
    let w = k.rot.transpose() * k.omega;
    lin + 0.5 * w.dot(*inertia * w)
}

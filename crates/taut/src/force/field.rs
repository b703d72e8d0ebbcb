//! Water and wind in a step: `around` on every node, as an impulse on the right-hand side and a block of the matrix.
//! ```text
//! block   Ma + hk D + hk h theta K         right-hand side   Ma v + hk (lift + h theta K r + D u + D w/2)
//! ```
//! with r the velocity of the surface.
//! theta as for springs (`rows::theta`): heave and roll that the step resolves keep their energy, and a float so light that it does not
//! is held by backward Euler. The block is symmetric and not negative, so the matrix stays what its factor needs.

use super::around::{Moving, Weather};
use crate::desk::around::Around;
use crate::desk::inputs::{Given, Inputs};
use crate::math::so3::outer;
use crate::model::Model;
use crate::model::field::PLATE;
use crate::model::soft::SoftEntry;
use crate::rows::theta;
use crate::topology::Topology;
use glam::DVec3;

/// Adds what water and wind do to the right-hand side, and keeps it for the matrix and the books.
pub(crate) fn evaluate(
    model: &Model,
    t: &Topology,
    (gravity, time): (DVec3, f64),
    (h, keeps_energy): (f64, bool),
    inputs: &mut Inputs,
) {
    inputs.around.clear();
    if !model.field.is_on() {
        return;
    }
    let weather = Weather::at(&model.field, gravity, time);
    for (n, node) in t.nodes.iter().enumerate() {
        let kin = &inputs.kin[n];
        let at = Moving { pos: kin.pos, rot: kin.rot, vel: kin.vel, omega: inputs.omega_g[n], dim: node.dim };
        let body = model.bodies.at(t.slot_of[n]).filter(|b| b.soft.is_none());
        inputs.around.push(body.map_or_else(Around::default, |b| Around::of(&weather, model, b, &at)));
    }
    for (_, soft) in model.softs.iter() {
        surface(&weather, t, soft, inputs);
        beads(&weather, t, soft, inputs);
    }
    for (n, node) in t.nodes.iter().enumerate() {
        let hk = inputs.hk[node.island];
        let (kin, a) = (&inputs.kin[n], &mut inputs.around[n]);
        let implicit = if keeps_energy { theta(h * h * a.fast) } else { 1.0 };
        a.stiff.iter_mut().for_each(|k| *k *= hk * h * implicit);
        a.drag.iter_mut().for_each(|d| *d *= hk);
        let before: [f64; 6] = twist(kin.vel, inputs.omega_g[n]);
        for r in 0..node.dim {
            a.slow[r] *= hk;
            a.flow[r] *= hk;
            let momentum: f64 = (0..node.dim).map(|c| a.mass[r * node.dim + c] * before[c]).sum();
            a.lift[r] = momentum + hk * (a.lift[r] + h * implicit * a.ride[r]);
            inputs.rhs[node.x + r] += a.lift[r] + a.slow[r];
        }
        a.given *= hk;
    }
}

fn twist(v: DVec3, w: DVec3) -> [f64; 6] {
    [v.x, v.y, v.z, w.x, w.y, w.z]
}

/// A node of a deformable: where it is and how fast.
fn node(t: &Topology, soft: &SoftEntry, k: usize, inputs: &Inputs) -> (DVec3, DVec3) {
    soft.carriers(k).fold((DVec3::ZERO, DVec3::ZERO), |(x, v), c| {
        let dense = t.dense_of[c.body.0.slot as usize];
        let Some(kin) = inputs.kin.get(dense) else { return (x, v) };
        let arm = kin.rot * c.point;
        (x + c.weight * (kin.pos + arm), v + c.weight * (kin.vel + kin.omega.cross(arm)))
    })
}

/// Drag on the surface of a deformable: every triangle gives a third to each of its nodes, against the flow along its normal. Of
/// a solid only what faces the flow counts, of a sheet both sides are one.
fn surface(weather: &Weather<'_>, t: &Topology, soft: &SoftEntry, inputs: &mut Inputs) {
    let is_sheet = soft.elements.mesh().is_some_and(|m| m.cells.iter().any(|c| c.kind().dimension() == 2));
    for triangle in soft.elements.surface() {
        let corners = triangle.map(|k| node(t, soft, k as usize, inputs));
        let [a, b, c] = corners.map(|n| n.0);
        let vector = 0.5 * (b - a).cross(c - a);
        let area = vector.length();
        let Some(normal) = vector.try_normalize() else { continue };
        for (k, (x, v)) in triangle.iter().zip(corners) {
            let under = weather.water(x).filter(|w| w.1.depth > 0.0).map(|(density, w)| (density, w.velocity));
            let Some((density, u)) = under.or(weather.air) else { continue };
            let along = normal.dot(v - u);
            if !is_sheet && along <= 0.0 {
                continue;
            }
            let d = outer(normal, normal) * (density * PLATE * area / 3.0 * along.abs());
            for carrier in soft.carriers(*k as usize) {
                let dense = t.dense_of[carrier.body.0.slot as usize];
                if !t.is_node(dense) {
                    continue;
                }
                let arm = inputs.kin[dense].rot * carrier.point;
                inputs.around[dense].resist(t.nodes[dense].dim, arm, d * carrier.weight, 0.5 * (v - u), u);
            }
        }
    }
}

/// Buoyancy of a deformable: each node displaces what its mass takes up.
fn beads(weather: &Weather<'_>, t: &Topology, soft: &SoftEntry, inputs: &mut Inputs) {
    if weather.field.water.is_none() {
        return;
    }
    let density = soft.elements.material().density;
    for (k, mass) in soft.masses.iter().enumerate() {
        let (x, _) = node(t, soft, k, inputs);
        let volume = mass / density;
        if !(volume > 0.0) {
            continue;
        }
        let radius = libm::cbrt(volume / (4.0 / 3.0 * std::f64::consts::PI));
        let Some((water, surface)) = weather.water(x) else { continue };
        for carrier in soft.carriers(k) {
            let dense = t.dense_of[carrier.body.0.slot as usize];
            if !t.is_node(dense) {
                continue;
            }
            let (dim, arm) = (t.nodes[dense].dim, inputs.kin[dense].rot * carrier.point);
            let body = (dim, t.nodes[dense].mass);
            let part = (carrier.weight * volume, radius);
            inputs.around[dense].bead(weather, (water, &surface), body, arm, part);
        }
    }
}

/// Block times x of a node, added to y.
#[inline]
fn times(block: &[f64; 36], dim: usize, x: &[f64], y: &mut [f64]) {
    for r in 0..dim {
        y[r] += (0..dim).map(|c| block[r * dim + c] * x[c]).sum::<f64>();
    }
}

/// y += block x of node n.
#[inline]
pub(crate) fn multiply(a: &Around, dim: usize, x: &[f64], y: &mut [f64]) {
    for block in [&a.mass, &a.drag, &a.stiff] {
        times(block, dim, x, y);
    }
}

/// Adds the block of a node to its diagonal block.
pub(crate) fn place(a: &Around, block: &mut [f64]) {
    for (k, to) in block.iter_mut().enumerate() {
        *to += a.mass[k] + a.drag[k] + a.stiff[k];
    }
}

/// What water and wind did on a node in a step, J: work, and what drag took from its motion against the flow.
pub(crate) fn done(t: &Given<'_>, n: usize, x: &[f64]) -> [f64; 2] {
    let (node, a) = (&t.nodes[n], &t.inputs.around[n]);
    let dim = node.dim;
    let after = &x[node.x..node.x + dim];
    let before = twist(t.inputs.kin[n].vel, t.inputs.omega_g[n]);
    let (mut all, mut drag) = ([0.0; 6], [0.0; 6]);
    times(&a.drag, dim, after, &mut drag);
    times(&a.mass, dim, after, &mut all);
    times(&a.stiff, dim, after, &mut all);
    let (mut lift, mut slow, mut flow) = (0.0, 0.0, a.given);
    for r in 0..dim {
        let mean = 0.5 * (before[r] + after[r]);
        lift += (a.lift[r] - all[r]) * mean;
        slow += (a.slow[r] - drag[r]) * mean;
        flow -= a.flow[r] * after[r];
    }
    // The flow does its part of the work, the rest is lost.
    [lift + flow, slow - flow]
}

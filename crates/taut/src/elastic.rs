//! Elements of deformables in the step: forces and stiffness at the present pose, energies at any pose.
//!
//! An element gives its energy V(x), the forces f = -dV/dx on its nodes and K, the Hessian of V projected to be positive
//! semi-definite. They enter the one equation as implicit forces do (Tournier 2015, stiffness form):
//! ```text
//! (M + A + h^2 K + h D) v+ = M v + hk (f + f_elastic) + ...          D = damping time * K
//! ```
//! A node that is bound to a body has no unknowns: with B = (I, -hat(R arm)) its force goes to the body as B^T f and a block as
//! B_a^T K_ab B_b. The geometric stiffness of the binding is left out: the stabiliser of the joints does not need it, and with it a
//! heavy load on a soft bar loses more energy and not less.

pub(crate) mod work;

use crate::desk::inputs::{Elastic, Inputs};
use crate::force::add_at_anchor;
use crate::kin::Kin;
use crate::math::so3::{exp, skew};
use crate::model::Model;
use crate::model::soft::SoftEntry;
use crate::state::State;
use crate::topology::Topology;
use crate::topology::soft::{BoundMass, Pair, Point, SoftElement};
use glam::{DMat3, DVec3};
use taut_elements::{Input, MAX_NODES};

/// Where a point of a body is, m; `ahead`: after moving on for so long at its present velocities, s.
#[inline]
fn place(kin: &Kin, arm: DVec3, ahead: f64) -> DVec3 {
    let at = kin.pos + ahead * kin.vel;
    if arm == DVec3::ZERO {
        return at;
    }
    let arm = kin.rot * arm;
    at + if ahead == 0.0 { arm } else { exp(ahead * kin.omega) * arm }
}

/// Positions of the nodes of an element, m.
fn positions(nodes: &[Point], kin: &[Kin], ahead: f64, x: &mut [DVec3]) {
    for (x, p) in x.iter_mut().zip(nodes) {
        *x = place(&kin[p.body], p.arm, ahead);
    }
}

/// What a deformable keeps from step to step: the activation of its fibres, and the numbers of its elements.
pub(crate) fn memory<'a>(entry: &SoftEntry, soft: &'a [f64]) -> (Input, &'a [f64]) {
    let own = &soft[entry.state.0..entry.state.0 + entry.state.1];
    (Input { activation: own[0], ..Input::default() }, &own[1..])
}

/// Forces, stiffness and energies of all elements at the present pose, into the inputs and the right-hand side.
pub(crate) fn evaluate(model: &Model, t: &Topology, state: &State, (gravity, h): (DVec3, f64), inputs: &mut Inputs) {
    if t.soft.is_empty() {
        return;
    }
    let Inputs { elastic, kin, rhs, hk, h_prev, .. } = inputs;
    elastic.clear();
    for e in &t.soft.elements {
        let Some(entry) = model.softs.at(e.slot) else { continue };
        element(t, (entry, e), memory(entry, &state.soft), (kin, h), elastic);
    }
    for node in t.nodes.iter().filter(|n| t.soft.is_in(n.island)) {
        for q in node.x..node.x + node.dim {
            rhs[q] += hk[node.island] * elastic.force[q] + elastic.driven[q] + elastic.dragged[q];
        }
    }
    for m in &t.soft.masses {
        let (arm, kin, hk) = (kin[m.body].rot * m.arm, &kin[m.body], hk[t.nodes[m.body].island]);
        let momentum = m.mass * carried(kin, arm, h_prev[m.body]);
        add_at_anchor(t, m.body, arm, momentum + hk * m.weight * gravity, rhs);
    }
}

/// The velocity that a bound mass had in the last drift, of length h, s: it went straight from one place to the other.
pub(crate) fn carried(kin: &Kin, arm: DVec3, h: f64) -> DVec3 {
    if h == 0.0 || kin.omega == DVec3::ZERO {
        return kin.vel + kin.omega.cross(arm);
    }
    kin.vel + (arm - exp(-h * kin.omega) * arm) / h
}

fn element(
    t: &Topology,
    (entry, e): (&SoftEntry, &SoftElement),
    (input, memory): (Input, &[f64]),
    (kin, h): (&[Kin], f64),
    out: &mut Elastic,
) {
    let (nodes, n) = (t.soft.nodes(e), e.points.len());
    let (mut x, mut f) = ([DVec3::ZERO; MAX_NODES], [DVec3::ZERO; MAX_NODES]);
    positions(nodes, kin, 0.0, &mut x[..n]);
    out.blocks.resize(n * n, DMat3::ZERO);
    out.energy[e.island] += entry.elements.evaluate(e.index, &x[..n], memory, input, &mut f[..n], &mut out.blocks);
    let (stiff, drag) = (h * h, h * entry.elements.material().damping);
    let mut place = e.places;
    for (a, pa) in nodes.iter().enumerate() {
        add_at_anchor(t, pa.body, kin[pa.body].rot * pa.arm, f[a], &mut out.force);
        for (b, pb) in nodes.iter().enumerate().skip(a) {
            if let Some(pair) = t.soft.pairs.get(t.soft.places[place] as usize) {
                let k = out.blocks[a * n + b];
                // The pair has its nodes in the order of elimination.
                let (first, second, k) = if pa.body <= pb.body { (pa, pb, k) } else { (pb, pa, k.transpose()) };
                let arms = [first, second].map(|p| kin[p.body].rot * p.arm);
                let both = pa.body == pb.body && a != b;
                add_block(t, pair, arms, stiff * k, both, &mut out.stiff);
                if drag > 0.0 {
                    add_block(t, pair, arms, drag * k, both, &mut out.drag);
                }
            }
            place += 1;
        }
    }
    drive(t, e, (kin, stiff, drag), &f[..n], out);
}

/// What the known velocities of nodes without unknowns do by the stiffness of an element, and what it does to them.
fn drive(t: &Topology, e: &SoftElement, (kin, stiff, drag): (&[Kin], f64, f64), f: &[DVec3], out: &mut Elastic) {
    let (nodes, n) = (t.soft.nodes(e), f.len());
    let moved = |p: &Point| !t.is_node(p.body) && (kin[p.body].vel, kin[p.body].omega) != (DVec3::ZERO, DVec3::ZERO);
    let velocity = |p: &Point| kin[p.body].vel + kin[p.body].omega.cross(kin[p.body].rot * p.arm);
    for (b, pb) in nodes.iter().enumerate().filter(|(_, p)| moved(p)) {
        let u = velocity(pb);
        out.drive[e.island][0] += f[b].dot(u);
        for (a, pa) in nodes.iter().enumerate() {
            let push = out.blocks[a * n + b] * u;
            if t.is_node(pa.body) {
                let arm = kin[pa.body].rot * pa.arm;
                add_at_anchor(t, pa.body, arm, -stiff * push, &mut out.driven);
                add_at_anchor(t, pa.body, arm, -drag * push, &mut out.dragged);
            } else {
                let power = push.dot(velocity(pa));
                out.drive[e.island][1] += stiff * power;
                out.drive[e.island][2] += drag * power;
            }
        }
    }
}

/// Adds B_a^T K B_b to the values of a pair; where `both` are points of one body, its transpose too.
fn add_block(t: &Topology, pair: &Pair, arms: [DVec3; 2], k: DMat3, both: bool, values: &mut [f64]) {
    let (da, db) = (t.nodes[pair.a].dim, t.nodes[pair.b].dim);
    let to = &mut values[pair.at..pair.at + da * db];
    if (da, db, both) == (3, 3, false) {
        let rows = k.transpose().to_cols_array();
        to.iter_mut().zip(rows).for_each(|(to, k)| *to += k);
        return;
    }
    let mut put = |row: usize, col: usize, m: DMat3| {
        for c in 0..3 {
            for r in 0..3 {
                to[(row + r) * db + col + c] += m.col(c)[r];
                if both {
                    to[(col + c) * db + row + r] += m.col(c)[r];
                }
            }
        }
    };
    put(0, 0, k);
    if db == 6 {
        put(0, 3, -(k * skew(arms[1])));
    }
    if da == 6 {
        put(3, 0, skew(arms[0]) * k);
    }
    if da == 6 && db == 6 {
        put(3, 3, -(skew(arms[0]) * k * skew(arms[1])));
    }
}

/// Energy of the elements of an island, J, at these poses; `ahead`: after moving on for so long at their velocities, s.
pub(crate) fn energy(model: &Model, t: &Topology, island: usize, state: &State, kin: &[Kin], ahead: f64) -> f64 {
    let mut x = [DVec3::ZERO; MAX_NODES];
    let [elements, ..] = t.soft.of(island);
    let mut sum = 0.0;
    for e in &t.soft.elements[elements] {
        let Some(entry) = model.softs.at(e.slot) else { continue };
        let n = e.points.len();
        positions(t.soft.nodes(e), kin, ahead, &mut x[..n]);
        let (input, memory) = memory(entry, &state.soft);
        sum += entry.elements.energy(e.index, &x[..n], memory, input);
    }
    sum
}

/// y += (h^2 K + h D) x over the pairs of an island.
pub(crate) fn multiply(t: &Topology, island: usize, e: &Elastic, x: &[f64], y: &mut [f64]) {
    product(t, island, &e.stiff, x, y);
    if t.soft.is_damped {
        product(t, island, &e.drag, x, y);
    }
}

/// y += A x over the pairs of an island, `values` those of the stiffness or of the damping.
pub(crate) fn product(t: &Topology, island: usize, values: &[f64], x: &[f64], y: &mut [f64]) {
    let [_, pairs, _] = t.soft.of(island);
    for p in &t.soft.pairs[pairs] {
        let (a, b) = (&t.nodes[p.a], &t.nodes[p.b]);
        match (a.dim, b.dim) {
            (3, 3) => both_ways::<3, 3>(&values[p.at..p.at + 9], (a.x, b.x), x, y),
            (3, 6) => both_ways::<3, 6>(&values[p.at..p.at + 18], (a.x, b.x), x, y),
            (6, 3) => both_ways::<6, 3>(&values[p.at..p.at + 18], (a.x, b.x), x, y),
            _ => both_ways::<6, 6>(&values[p.at..p.at + 36], (a.x, b.x), x, y),
        }
    }
}

/// y_a += B x_b, and y_b += B^T x_a where they are two.
#[inline(always)]
fn both_ways<const R: usize, const C: usize>(block: &[f64], (a, b): (usize, usize), x: &[f64], y: &mut [f64]) {
    for r in 0..R {
        let row = &block[r * C..(r + 1) * C];
        let mut sum = 0.0;
        for c in 0..C {
            sum += row[c] * x[b + c];
        }
        y[a + r] += sum;
        if a != b {
            let z = x[a + r];
            for c in 0..C {
                y[b + c] += row[c] * z;
            }
        }
    }
}

/// Kinetic energy of a bound mass, J, on a body that moves like this.
pub(crate) fn kinetic(m: &BoundMass, kin: &Kin) -> f64 {
    0.5 * m.mass * (kin.vel + kin.omega.cross(kin.rot * m.arm)).length_squared()
}

//! Elements of deformables in the step: forces and stiffness at the present pose, energies at any pose.
//!
//! An element gives its energy V(x), the forces f = -dV/dx on its nodes and K, the Hessian of V projected to be positive
//! semi-definite. They enter the one equation as implicit forces do (Tournier 2015, stiffness form):
//! ```text
//! (M + A + h^2 K + h D) v+ = M v + hk (f + f_elastic) + ...          D = damping time * K
//! ```
//! A node that is bound to a body, or mapped to several with weights w, has no unknowns: with B = w (I, -hat(R arm)) its force goes to
//! the bodies as B^T f and a block as B_a^T K_ab B_b. What the force does when a body turns under it (the geometric stiffness of the
//! mapping, Tournier 2015 section 4.3) is added for mapped nodes, as far as it holds: ligaments between light bones need it. For bound
//! nodes it is left out: a heavy load on a soft bar loses more energy with it and not less.

pub(crate) mod volume;
pub(crate) mod work;

use crate::desk::inputs::{Elastic, Inputs};
use crate::force::add_at_anchor;
use crate::kin::Kin;
use crate::math::so3::{exp, outer, skew};
use crate::model::Model;
use crate::model::soft::SoftEntry;
use crate::state::State;
use crate::topology::Topology;
use crate::topology::soft::{BoundMass, End, Pair, SoftElement};
use glam::{DMat3, DVec3};
use taut_elements::{Eigen, Input, MAX_NODES};

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
fn positions(ends: &[End], kin: &[Kin], ahead: f64, x: &mut [DVec3]) {
    x.fill(DVec3::ZERO);
    for end in ends {
        x[end.node] += end.weight * place(&kin[end.body], end.arm, ahead);
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
    for (k, e) in t.soft.elements.iter().enumerate() {
        let Some(entry) = model.softs.at(e.slot) else { continue };
        element(t, (entry, k), &state.soft, (kin, h), elastic);
    }
    for node in t.nodes.iter().filter(|n| t.soft.is_in(n.island)) {
        for q in node.x..node.x + node.dim {
            rhs[q] += hk[node.island] * elastic.force[q] + elastic.driven[q] + elastic.dragged[q];
        }
    }
    for m in &t.soft.masses {
        let (arm, kin, hk) = (kin[m.body].rot * m.arm, &kin[m.body], hk[t.nodes[m.body].island]);
        let momentum = m.mass * carried(kin, arm, (h_prev[m.body], h));
        add_at_anchor(t, m.body, arm, momentum + hk * m.weight * gravity, rhs);
    }
}

/// The velocity that a bound mass brings to a step of h, s, from a drift of h_prev. It went straight from one place to the other, and will
/// again: its velocity in the next drift is v+ + w+ x r and half the step's turn of that, which is known well enough to be taken off here.
/// Both halves together are the centripetal force.
pub(crate) fn carried(kin: &Kin, arm: DVec3, (h_prev, h): (f64, f64)) -> DVec3 {
    if kin.omega == DVec3::ZERO {
        return kin.vel;
    }
    let turning = kin.omega.cross(arm);
    let last = if h_prev > 0.0 { (arm - exp(-h_prev * kin.omega) * arm) / h_prev } else { turning };
    kin.vel + last - 0.5 * h * kin.omega.cross(turning)
}

fn element(
    t: &Topology,
    (entry, which): (&SoftEntry, usize),
    soft: &[f64],
    (kin, h): (&[Kin], f64),
    out: &mut Elastic,
) {
    let e = &t.soft.elements[which];
    let (ends, n, (mut input, memory)) = (t.soft.ends(e), e.nodes, memory(entry, soft));
    let (mut x, mut f, mut q) = ([DVec3::ZERO; MAX_NODES], [DVec3::ZERO; MAX_NODES], [DVec3::ZERO; MAX_NODES]);
    positions(ends, kin, 0.0, &mut x[..n]);
    let held = volume::held(entry, e.index, &x[..n], soft, &mut q[..n]);
    input.pressure = held.map_or(0.0, |held| held.pressure_now());
    out.blocks.resize(n * n, DMat3::ZERO);
    out.energy[e.island] += entry.elements.evaluate(e.index, &x[..n], memory, input, &mut f[..n], &mut out.blocks);
    let mut firm = Firm { modulus: 0.0, q: &q[..n] };
    if let Some(held) = held {
        out.energy[e.island] += held.energy();
        f[..n].iter_mut().zip(&q).for_each(|(f, &q)| *f -= held.pressure_now() * held.volume * q);
        volume::list(which, held, &q[..n], out);
        firm.modulus = held.modulus * held.volume;
    }
    let (stiff, drag) = (h * h, h * entry.elements.material().damping);
    let mut place = e.places;
    for (i, a) in ends.iter().enumerate() {
        let arm = kin[a.body].rot * a.arm;
        add_at_anchor(t, a.body, arm, a.weight * f[a.node], &mut out.force);
        if a.turns {
            turning(t, a.body, arm, stiff * a.weight * f[a.node], t.soft.places[place], &mut out.stiff);
        }
        for (j, b) in ends.iter().enumerate().skip(i) {
            if let Some(pair) = t.soft.pairs.get(t.soft.places[place] as usize) {
                let weight = a.weight * b.weight;
                let (k, both_ends) = (weight * out.blocks[a.node * n + b.node], (a.node, b.node));
                // The pair has its nodes in the order of elimination.
                let (first, second, k, at) =
                    if a.body <= b.body { (a, b, k, both_ends) } else { (b, a, k.transpose(), (b.node, a.node)) };
                let arms = [first, second].map(|p| kin[p.body].rot * p.arm);
                let both = a.body == b.body && i != j;
                let all = if firm.modulus > 0.0 { k + weight * firm.block(at) } else { k };
                add_block(t, pair, arms, stiff * all, both, &mut out.stiff);
                if drag > 0.0 {
                    add_block(t, pair, arms, drag * k, both, &mut out.drag);
                }
            }
            place += 1;
        }
    }
    drive(t, e, (kin, stiff, drag), (&f[..n], firm), out);
}

/// What holds the volume of an element besides its own stiffness: modulus times volume, J, and the gradient of its row, 1/m.
#[derive(Clone, Copy)]
struct Firm<'a> {
    modulus: f64,
    q: &'a [DVec3],
}

impl Firm<'_> {
    /// The block between two of its nodes, N/m.
    fn block(&self, (a, b): (usize, usize)) -> DMat3 {
        self.modulus * outer(self.q[a], self.q[b])
    }
}

/// The stiffness of a mapped point against the turning of a body that carries it at `arm` with this part of its force, times h^2:
/// (f.r) I - (r f^T + f r^T)/2, the symmetric part of -d(r x f)/d(turn), where it holds.
fn turning(t: &Topology, body: usize, arm: DVec3, force: DVec3, place: u32, values: &mut [f64]) {
    let Some(pair) = t.soft.pairs.get(place as usize).filter(|_| t.nodes[body].dim == 6) else { return };
    let form = DMat3::from_diagonal(DVec3::splat(force.dot(arm))) - 0.5 * (outer(arm, force) + outer(force, arm));
    let form = Eigen::new(form).clamped();
    for c in 0..3 {
        for r in 0..3 {
            values[pair.at + (3 + r) * 6 + 3 + c] += form.col(c)[r];
        }
    }
}

/// What the known velocities of nodes without unknowns do by the stiffness of an element, and what it does to them.
fn drive(
    t: &Topology,
    e: &SoftElement,
    (kin, stiff, drag): (&[Kin], f64, f64),
    (f, firm): (&[DVec3], Firm<'_>),
    out: &mut Elastic,
) {
    let (ends, n) = (t.soft.ends(e), f.len());
    let moved = |p: &End| !t.is_node(p.body) && (kin[p.body].vel, kin[p.body].omega) != (DVec3::ZERO, DVec3::ZERO);
    let velocity = |p: &End| p.weight * (kin[p.body].vel + kin[p.body].omega.cross(kin[p.body].rot * p.arm));
    for b in ends.iter().filter(|p| moved(p)) {
        let u = velocity(b);
        out.drive[e.island][0] += f[b.node].dot(u);
        for a in ends {
            let push = out.blocks[a.node * n + b.node] * u;
            let hard = if firm.modulus > 0.0 { push + firm.block((a.node, b.node)) * u } else { push };
            if t.is_node(a.body) {
                let arm = kin[a.body].rot * a.arm;
                add_at_anchor(t, a.body, arm, -stiff * (a.weight * hard), &mut out.driven);
                add_at_anchor(t, a.body, arm, -drag * (a.weight * push), &mut out.dragged);
            } else {
                out.drive[e.island][1] += stiff * hard.dot(velocity(a));
                out.drive[e.island][2] += drag * push.dot(velocity(a));
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
    let (mut x, mut q) = ([DVec3::ZERO; MAX_NODES], [DVec3::ZERO; MAX_NODES]);
    let [elements, ..] = t.soft.of(island);
    let mut sum = 0.0;
    let mut left = &t.soft.elements[elements];
    while let Some((e, others)) = left.split_first() {
        if let Some((four, others)) = left.split_first_chunk::<4>()
            && let Some(energies) = energies(model, t, four, kin, ahead)
        {
            energies.into_iter().for_each(|energy| sum += energy);
            left = others;
            continue;
        }
        left = others;
        let Some(entry) = model.softs.at(e.slot) else { continue };
        let n = e.nodes;
        positions(t.soft.ends(e), kin, ahead, &mut x[..n]);
        let (input, memory) = memory(entry, &state.soft);
        sum += entry.elements.energy(e.index, &x[..n], memory, input);
        if let Some(held) = volume::held(entry, e.index, &x[..n], &state.soft, &mut q[..n]) {
            sum += held.energy();
        }
    }
    sum
}

/// Energies of four elements of one deformable at once, J, where its elements can do that.
fn energies(model: &Model, t: &Topology, four: &[SoftElement; 4], kin: &[Kin], ahead: f64) -> Option<[f64; 4]> {
    const FEW: usize = 4;
    let slot = four[0].slot;
    if four.iter().any(|e| e.slot != slot || e.nodes > FEW) {
        return None;
    }
    let entry = model.softs.at(slot)?;
    let mut x = [[DVec3::ZERO; FEW]; 4];
    for (x, e) in x.iter_mut().zip(four) {
        positions(t.soft.ends(e), kin, ahead, &mut x[..e.nodes]);
    }
    entry.elements.energies([0, 1, 2, 3].map(|k| four[k].index), [0, 1, 2, 3].map(|k| &x[k][..four[k].nodes]))
}

/// Lets elements that have yielded flow for a step of h at these poses; `soft` becomes what they keep. Returns the work, J.
pub(crate) fn flow(model: &Model, t: &Topology, h: f64, kin: &[Kin], soft: &mut [f64]) -> f64 {
    let mut x = [DVec3::ZERO; MAX_NODES];
    let mut work = 0.0;
    for e in &t.soft.elements {
        let Some(entry) = model.softs.at(e.slot).filter(|s| s.elements.material().plasticity.is_some()) else {
            continue;
        };
        positions(t.soft.ends(e), kin, 0.0, &mut x[..e.nodes]);
        let own = &mut soft[entry.state.0 + 1..entry.state.0 + entry.state.1];
        work += entry.elements.update_plastic(e.index, &x[..e.nodes], h, own);
    }
    work
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

//! The books of a step: where its energy went. The velocities of the solution do the work; every entry is computed from its own
//! impulses and vb = (v_g + v+)/2, none as a remainder.

use super::{Energy, Ledger, Rest, bodies, booked_stretch, potential};
use crate::bounded::gather::hk_of;
use crate::bounded::reeved::{self, slipping};
use crate::bounded::twisted;
use crate::delassus::velocity;
use crate::desk::bounded::{Origin, Set};
use crate::desk::inputs::Given;
use crate::desk::{Desk, Law, Multipliers, Next};
use crate::elastic::{self, work::Done};
use crate::force::form;
use crate::joints::Bound;
use crate::model::Model;
use crate::model::force::Force;
use crate::profile::Stage;
use crate::rows::{implicit, joint_velocity, row_velocity};
use crate::solve::block_ldlt::MAX_DIM;
use crate::system::kkt::anchor;
use crate::topology::Source;
use glam::DVec3;

/// Energy of the elements of all deformables at a pose, and how much of it they did not have yet in the middle of the drift that led there, J.
#[derive(Clone, Copy)]
pub(crate) struct Stored {
    pub now: f64,
    pub lag: f64,
}

impl Stored {
    fn centred(&self) -> f64 {
        self.now - self.lag
    }
}

/// What the ledger needs beside the desk.
pub(crate) struct Books<'a> {
    pub model: &'a Model,
    pub gravity: DVec3,
    pub h: f64,
    /// Potentials at the start, and half their last change.
    pub before: [f64; 2],
    pub lag: [f64; 2],
    /// Geometric stiffness in the matrix, if any: true when only its symmetric part is.
    pub geo: Option<bool>,
    /// Kinetic energy that loops gained when they snapped taut, J.
    pub snapped: f64,
    /// What the rebound gave, J: kinetic energy, and what changes of the centred potential.
    pub rebound: [f64; 2],
    /// Energy in the compliance of contacts before and after the step, J.
    pub contacts: [f64; 2],
    /// Energy of the elements of deformables at the start, less that in the middle of the drift before it; the same of this step; and
    /// what yielding takes after it, J.
    pub elements: [Stored; 2],
    pub plastic: f64,
}

/// Energies after the step, the ledger, and the new lag. The velocities of the solution have done the work; what snaps and rebounds have
/// changed after it is in the books as it is.
pub(crate) fn close(t: &Given<'_>, desk: &mut Desk, b: &Books<'_>) -> (Energy, Ledger, [f64; 2]) {
    stretches(t, b.h, (&desk.law, &desk.force, &desk.bounded.set, &desk.sol.x), &mut desk.next);
    let ledger = elements(t, desk);
    let booked = entries(t, desk, b, ledger);
    desk.profile.mark(Stage::Books);
    booked
}

/// Work of the elements of deformables on the nodes.
fn elements(t: &Given<'_>, desk: &mut Desk) -> Ledger {
    let mut l = Ledger::default();
    for island in t.islands.iter().filter(|i| t.soft.is_in(i.k)) {
        let Done { inside, driven } = elastic::work::done(t, island, &desk.sol.x, &mut desk.smooth);
        let damped = elastic::work::damped(t, island, &desk.sol.x, &mut desk.smooth);
        l.damping += damped;
        l.elements += inside + driven - damped;
        l.work -= driven;
    }
    l
}

fn entries(t: &Given<'_>, desk: &mut Desk, b: &Books<'_>, mut l: Ledger) -> (Energy, Ledger, [f64; 2]) {
    let bodies::Sums { before: mut t0, after: mut t1, fall } = bodies::book(t, b.gravity, desk, &mut l);
    let desk = &*desk;
    let Next { phi, stretch, paths, twisted, .. } = &desk.next;
    let next = Rest { phi, stretch, paths, twisted };
    let after = potential(b.model, t, b.gravity, &desk.next.kin, &t.inputs.rows, next);
    let mut lag = [0.5 * (after[0] - b.before[0]), 0.5 * (after[1] - b.before[1])];
    l.integration += fall + lag[0] + b.lag[0];
    let bound = bound_masses(t, desk, b, &mut l);
    (t0, t1) = (t0 + bound[0], t1 + bound[1]);
    let rotors = rotors(t, desk, b, &mut l);
    (t0, t1) = (t0 + rotors[0], t1 + rotors[1]);
    rows_and_links(t, desk, b, &mut l);
    bounded_rows(t, desk, &mut l);
    let soft = b.elements[1].centred() - b.elements[0].centred();
    l.elements += soft;
    l.plastic -= b.plastic;
    l.constraints += lag[1] + b.lag[1];
    let ([gain, centred], stored) = (b.rebound, b.contacts[1] - b.contacts[0]);
    l.change = t1 - t0 + lag[0] + b.lag[0] + lag[1] + b.lag[1] + b.snapped + gain + centred + stored + soft - b.plastic;
    l.constraints += b.snapped;
    l.contacts += gain + centred + stored;
    l.settle();
    lag[0] -= centred;
    let held = b.elements[1].centred() - b.plastic;
    let (gravity, elastic) = (after[0] - lag[0] + t.asleep[0], after[1] - lag[1] + t.asleep[1] + b.contacts[1] + held);
    (Energy { kinetic: t1 + b.snapped + gain, gravity, elastic }, l, lag)
}

/// Books the masses that are bound to bodies; returns their kinetic energy before and after, J.
fn bound_masses(t: &Given<'_>, desk: &Desk, b: &Books<'_>, l: &mut Ledger) -> [f64; 2] {
    let (mut before, mut after) = (0.0, 0.0);
    for m in &t.soft.masses {
        let (now, next) = (&t.inputs.kin[m.body], &desk.next.kin[m.body]);
        let arm = now.rot * m.arm;
        let new = anchor(t, &desk.sol.x, m.body, arm);
        let old = now.vel + if t.nodes[m.body].dim == 6 { t.inputs.omega_g[m.body].cross(arm) } else { DVec3::ZERO };
        let mean = 0.5 * (old + new);
        let change = m.mass * (new - elastic::carried(now, arm, (t.inputs.h_prev[m.body], b.h))).dot(mean);
        let [start, end] = [elastic::kinetic(m, now), elastic::kinetic(m, next)];
        // The change of the kinetic energy beyond the work that was done on the mass: its way is an arc, and gravity is centred.
        let fall = t.inputs.hk[t.nodes[m.body].island] * m.weight * b.gravity.dot(mean);
        l.integration += end - start - change + fall;
        (before, after) = (before + start, after + end);
    }
    [before, after]
}

/// Books the armatures of joints; returns their kinetic energy before and after the solve, J.
fn rotors(t: &Given<'_>, desk: &Desk, b: &Books<'_>, l: &mut Ledger) -> [f64; 2] {
    let (mut before, mut after) = (0.0, 0.0);
    for rotor in &t.inputs.rows.rotors {
        let rate = rotor.rate(t, &t.inputs.rows, &desk.sol.x, &desk.right.curve, b.h);
        // Its own momentum has changed by the impulse that it does not give to the bodies.
        l.integration += 0.5 * desk.sol.x[rotor.x] * (rotor.past + rate);
        (before, after) = (before + rotor.energy(rotor.past), after + rotor.energy(rate));
    }
    [before, after]
}

/// Work of the bounded rows.
fn bounded_rows(t: &Given<'_>, desk: &Desk, l: &mut Ledger) {
    for c in desk.bounded.set.candidates.iter().filter(|c| c.active) {
        if matches!(c.origin, Origin::Block { .. }) {
            continue;
        }
        for r in c.rows() {
            let row = &desk.bounded.set.rows[r];
            // What driven bodies give to the row.
            l.work -= row.z * row.drive;
            let mean = velocity(t, desk.bounded.set.rows.sides(r), &desk.sol.residual) + row.drive;
            let inside = row.z * mean;
            match c.origin {
                Origin::Coupling(k) => {
                    let damper = damper(t, k, &desk.bounded.set, r, &desk.sol.x) * mean;
                    l.damping += damper;
                    l.constraints += inside - damper;
                }
                Origin::Rope(_) => {
                    // What friction takes at the guides that it slips over.
                    let rubbed = row.z * slipping(t, &desk.bounded.set, c, &desk.sol.x);
                    l.damping += rubbed;
                    l.constraints += inside - rubbed;
                }
                Origin::Blocked { .. } | Origin::Full(_) | Origin::Twist(_) => l.constraints += inside,
                Origin::Contact(_) | Origin::Block { .. } => l.contacts += inside,
                Origin::Speed { .. } => l.damping += inside,
                Origin::Joint { bound, .. } => match t.bounds[bound].spec.bound {
                    Bound::Motor { .. } => l.work += inside,
                    Bound::Friction { .. } | Bound::Speed { .. } => l.damping += inside,
                    Bound::Limit { .. } => l.constraints += inside,
                },
            }
        }
    }
}

/// The impulse of the damper of a coupling.
fn damper(t: &Given<'_>, k: usize, set: &Set, r: usize, x: &[f64]) -> f64 {
    let soft = &t.couplings[k].soft;
    if soft.is_rigid() || soft.damping == 0.0 {
        return 0.0;
    }
    let rate = velocity(t, set.rows.sides(r), x) + set.rows[r].drive;
    -hk_of(t, &t.inputs.hk, set.rows.sides(r)) * soft.damping * rate
}

/// Stretches of the compliant rows, of the limits that push, and of couplings.
fn stretches(t: &Given<'_>, h: f64, (law, force, set, x): (&Law, &Multipliers, &Set, &[f64]), next: &mut Next) {
    let rows = &t.inputs.rows;
    let soft = if rows.any_soft { &t.groups[..] } else { &[] };
    for g in soft {
        for r in 0..g.rows() {
            let row = g.row() + r;
            if rows.is_rotor(row) {
                // Its rate is known from now on.
                next.stretch[row] = 0.0;
            } else if rows.compliance(row) > 0.0 {
                let rate = row_velocity(t, g, r, &rows.jac, x) + rows.drive[row];
                let damper = (rows.damping(row) + law.added(row)) * rate;
                let held = rows.compliance(row) * (force.found[row] + damper);
                let theta = rows.theta(row, law.sigma[row], law.added(row), h);
                next.stretch[row] = booked_stretch(theta, next.phi[row], held);
            }
        }
    }
    next.stretch.iter_mut().skip(t.row_count).for_each(|s| *s = 0.0);
    for c in set.candidates.iter().filter(|c| c.active) {
        let row = &set.rows[c.row];
        let (at, soft, beyond) = match c.origin {
            Origin::Joint { bound, .. } => {
                let (at, spec) = (t.row_count + bound, &t.bounds[bound].spec);
                let Bound::Limit { soft, .. } = spec.bound else { continue };
                (at, soft, crate::bounded::beyond(spec, next.phi[at]))
            }
            Origin::Coupling(k) => (t.coupling_row(k), t.couplings[k].soft, next.phi[t.coupling_row(k)]),
            Origin::Rope(k) => {
                (t.segment_row(k), reeved::soft(t, k, &t.inputs.paths), next.phi[t.segment_row(k)].max(0.0))
            }
            Origin::Twist(k) => (t.twist_row(k), twisted::soft(t, k, &t.inputs.twisted[k]), next.phi[t.twist_row(k)]),
            _ => continue,
        };
        if row.z != 0.0 && soft.compliance > 0.0 {
            let rate = velocity(t, set.rows.sides(c.row), x) + row.drive;
            let sigma = row.sigma * hk_of(t, &t.inputs.hk, set.rows.sides(c.row)) / h;
            let theta = implicit(soft.compliance, soft.damping, sigma, h);
            let mut held = soft.compliance * (force.found[at] + soft.damping * rate);
            if let Origin::Twist(k) = c.origin {
                held *= next.twisted[k].kept;
            }
            next.stretch[at] = booked_stretch(theta, beyond, held);
            if let Origin::Rope(k) = c.origin {
                // The same strain of what it is now.
                next.stretch[at] *= next.paths[k] / t.inputs.paths[k];
            }
        }
    }
}

fn rows_and_links(t: &Given<'_>, desk: &Desk, b: &Books<'_>, l: &mut Ledger) {
    let mut means = [0.0; MAX_DIM];
    for (k, g) in t.groups.iter().enumerate() {
        joint_velocity(t, k, &t.inputs.rows, &desk.sol.residual, &mut means);
        if g.arced && !t.inputs.rows.any_soft {
            // Rigid rows that nothing drives but bodies.
            for (r, &mean) in means[..g.rows()].iter().enumerate() {
                let (impulse, drive) = (-desk.sol.x[g.x() + r], t.inputs.rows.drive[g.row() + r]);
                l.work -= impulse * drive;
                l.constraints += impulse * (mean + drive);
            }
            continue;
        }
        let hk = t.inputs.hk[g.island()];
        for (r, &mean) in means[..g.rows()].iter().enumerate() {
            let row = g.row() + r;
            let impulse = -desk.sol.x[g.x() + r];
            let drive = t.inputs.rows.drive[row];
            l.work -= impulse * drive;
            let inside = impulse * (mean + drive);
            if t.inputs.rows.is_motor(row) {
                l.work += inside;
                continue;
            }
            if t.inputs.rows.is_rotor(row) {
                // What it takes from the bodies it has, but for the way its direction turns (`rotors`).
                l.integration += inside;
                continue;
            }
            let own = t.inputs.rows.damping(row);
            let added = desk.law.added(row);
            if own + added == 0.0 || t.inputs.rows.compliance(row) == 0.0 {
                l.constraints += inside;
                continue;
            }
            let after = row_velocity(t, g, r, &t.inputs.rows.jac, &desk.sol.x);
            let rate = -hk * (after + drive) * (mean + drive);
            l.damping += own * rate;
            l.stabiliser += added * rate;
            l.constraints += inside - (own + added) * rate;
        }
    }
    for (k, link) in t.links.iter().enumerate() {
        let mut term = t.inputs.links[k];
        let speeds = |arm_i: DVec3, arm_j: DVec3| {
            let side = |body: usize, arm: DVec3| {
                if t.is_node(body) {
                    let old = t.inputs.kin[body].vel
                        + if t.nodes[body].dim == 6 { t.inputs.omega_g[body].cross(arm) } else { DVec3::ZERO };
                    let new = anchor(t, &desk.sol.x, body, arm);
                    (0.5 * (old + new), new)
                } else {
                    let v = t.inputs.kin[body].vel + t.inputs.kin[body].omega.cross(arm);
                    (v, v)
                }
            };
            let (i, j) = (side(link.i, arm_i), side(link.j, arm_j));
            (
                i.0 - j.0,
                i.1 - j.1,
                if t.is_node(link.i) { DVec3::ZERO } else { i.1 },
                if t.is_node(link.j) { DVec3::ZERO } else { j.1 },
            )
        };
        let (mean, after, driven_i, driven_j) = speeds(term.si, term.sj);
        let node = if t.is_node(link.i) { link.i } else { link.j };
        let island = t.nodes[node].island;
        match link.source {
            Source::Row(_) => {
                // The memory of an element is in `memory`; this is what it takes.
                term.across = (1.0 - desk.stiff.share[island]) * desk.stiff.now.element[k];
                term.along = 0.0;
                let w = anchor(t, &desk.sol.x, link.i, term.si) - anchor(t, &desk.sol.x, link.j, term.sj);
                let free = mean - driven_i + driven_j;
                l.stabiliser -= form(&term, w).dot(free);
            }
            Source::Mouse(slot) => {
                let Some(Force::Mouse(m)) = b.model.forces.at(slot).map(|f| &f.force) else { continue };
                let (k, _) = m.constants(t.nodes[link.i].mass);
                let pull =
                    -t.inputs.hk[island] * k * (t.inputs.kin[link.i].pos + term.si - m.target) - form(&term, after);
                l.work += pull.dot(mean);
            }
            Source::Spring(slot) => {
                let Some(Force::Spring(s)) = b.model.forces.at(slot).map(|f| &f.force) else { continue };
                let hk = t.inputs.hk[island];
                let push = -hk * s.stiffness * (term.length - s.rest_length) * term.u - form(&term, after);
                // A driven end does work on the spring.
                l.work -= push.dot(driven_i - driven_j);
                let damper = -hk * s.damping * term.u.dot(after) * term.u.dot(mean);
                l.damping += damper;
                l.constraints += push.dot(mean) - damper;
            }
        }
    }
    if let Some(symmetric) = b.geo {
        geometric_work(t, desk, b.h * b.h, symmetric, l);
    }
}

/// Work of h^2 K~ v+ against the mean velocity (Full, Symmetric, LowRank).
fn geometric_work(t: &Given<'_>, desk: &Desk, h2: f64, symmetric: bool, l: &mut Ledger) {
    for (k, g) in t.groups.iter().enumerate() {
        let (mut v, mut mean) = ([0.0; 12], [0.0; 12]);
        for (slot, b) in [(0, g.i()), (6, g.j())] {
            if !t.is_node(b) {
                continue;
            }
            let node = &t.nodes[b];
            let old: Vec<f64> =
                t.inputs.kin[b].vel.to_array().into_iter().chain(t.inputs.omega_g[b].to_array()).collect();
            for c in 0..node.dim {
                v[slot + c] = desk.sol.x[node.x + c];
                mean[slot + c] = 0.5 * (old[c] + v[slot + c]);
            }
        }
        for r in 0..12 {
            for c in 0..12 {
                let geo = if symmetric {
                    0.5 * (desk.stiff.geo[k][r][c] + desk.stiff.geo[k][c][r])
                } else {
                    desk.stiff.geo[k][r][c]
                };
                l.stabiliser += h2 * mean[r] * geo * v[c];
            }
        }
    }
}

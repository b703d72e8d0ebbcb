//! Contradictions. A motor without a force limit that drives its mechanism into a stop, or past a dead centre, and a driven body that
//! pulls a taut chain ask for what the other rows do not allow. No finite force does it; the factor answers with one that grows as the
//! mobility that is left goes to zero, and everything after it is made of rounding.
//!
//! So what is driven yields: a row of a motor or of a driven body whose impulse is beyond
//! ```text
//! BEYOND z,    z = sum |M v + h f| + sum M |asked|      in the unit of the row: for angles times the size of the island
//! ```
//! (all momentum there is, and all that the command could ask for) becomes a damper that takes YIELD z at the velocity it was asked for,
//! Sigma = |asked|/(YIELD z), and no longer closes its gap: a damper cannot put energy into what it drags along. Mechanisms that can move
//! stay far below. What yields is reported (`StepReport::conflicts`).

use crate::desk::Law;
use crate::desk::inputs::Given;
use crate::math::vec3;
use crate::rows::row_velocity;
use crate::topology::{Group, Island, NONE, Topology};
use crate::tuning::T;
use glam::DVec3;

/// Marks the driven rows of an island whose impulses are beyond all measure; true when there is a new one.
pub(super) fn find(t: &Given<'_>, island: &Island, load: &[f64], x: &[f64], law: &mut Law) -> bool {
    let rows = &t.inputs.rows;
    let driven = |g: &Group| t.is_driven(g.i()) || t.is_driven(g.j());
    let groups = island.groups.clone();
    if island.motors.is_empty() && !groups.clone().any(|g| driven(&t.groups[g])) {
        return false;
    }
    let amount = Amount::of(t, island, load);
    let mut new = false;
    for q in groups {
        let g = &t.groups[q];
        let by_body = driven(g);
        for r in 0..g.rows() {
            let row = g.row() + r;
            let motor = rows.is_motor(row);
            let feels = rows.compliance(row) == f64::INFINITY && !motor;
            if law.yielded[row] || !(motor || by_body) || rows.compliance(row).is_normal() || feels {
                continue;
            }
            let asked = (if motor { rows.wanted[row] } else { 0.0 } - rows.drive[row]).abs();
            let natural = amount.impulse(g.angular >> r & 1 == 1, asked);
            let speed = asked.max(row_velocity(t, g, r, &rows.jac, x).abs());
            if x[g.x() + r].abs() > T.stall.beyond * natural && natural > 0.0 && speed > 0.0 {
                law.yielded[row] = true;
                law.sigma[row] = speed / (T.stall.yields * natural);
                new = true;
            }
        }
    }
    law.stalled[island.k] |= new;
    new
}

/// Right-hand sides of the rows that have yielded: those of motors stay, the others let their gap be.
pub(super) fn row_rhs(t: &Given<'_>, island: &Island, law: &Law, b: &mut [f64]) {
    if !law.stalled[island.k] {
        return;
    }
    for g in &t.groups[island.groups.clone()] {
        for r in 0..g.rows() {
            let row = g.row() + r;
            if law.yielded[row] && !t.inputs.rows.is_motor(row) {
                b[g.x() + r] = -t.inputs.rows.drive[row];
            }
        }
    }
}

/// What an island has to be moved: momentum, masses, size.
struct Amount {
    linear: f64,
    angular: f64,
    mass: f64,
    inertia: f64,
}

impl Amount {
    fn of(t: &Given<'_>, island: &Island, load: &[f64]) -> Self {
        let nodes = || island.nodes.clone().map(|n| (n, &t.nodes[n]));
        let mut mass: f64 = nodes().map(|(_, node)| node.mass).sum();
        let centre = nodes().map(|(n, node)| node.mass * t.inputs.kin[n].pos).sum::<DVec3>() / mass;
        let mut size = nodes().map(|(n, _)| t.inputs.kin[n].pos.distance(centre)).fold(0.0, f64::max);
        for q in island.groups.clone() {
            let (si, sj) = t.inputs.rows.arms[q];
            size = size.max(si.length()).max(sj.length());
        }
        let (mut linear, mut spin, mut inertia) = (0.0, 0.0, mass * size * size);
        for (n, node) in nodes() {
            linear += vec3(&t.inputs.rhs, node.x).length();
            if node.dim == 6 {
                spin += vec3(&t.inputs.rhs, node.x + 3).length();
                let i = t.inputs.inertia[n];
                inertia += i.x_axis.x + i.y_axis.y + i.z_axis.z;
            }
        }
        for rotor in t.inputs.rows.rotors_of(island.groups.clone()) {
            let momentum = rotor.armature * rotor.past.abs();
            if rotor.turns {
                (spin, inertia) = (spin + momentum, inertia + rotor.armature);
            } else {
                (linear, mass) = (linear + momentum, mass + rotor.armature);
            }
        }
        // Springs push with what they had.
        for g in &t.groups[island.groups.clone()] {
            for r in (0..g.rows()).filter(|r| t.inputs.rows.compliance(g.row() + r).is_normal()) {
                let z = t.inputs.hk[island.k] * load[g.row() + r].abs();
                if g.angular >> r & 1 == 1 { spin += z } else { linear += z }
            }
        }
        Amount { linear, angular: linear * size + spin, mass, inertia }
    }

    /// All of it, and what a change of velocity by `asked` takes, N s or N m s.
    fn impulse(&self, angular: bool, asked: f64) -> f64 {
        if angular { self.angular + self.inertia * asked } else { self.linear + self.mass * asked }
    }
}

impl Topology {
    /// Whether a dense body is moved from outside: neither free nor fixed.
    pub(crate) fn is_driven(&self, dense: usize) -> bool {
        dense != NONE && dense >= self.nodes.len() && self.driven[dense - self.nodes.len()]
    }
}

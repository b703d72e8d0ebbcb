//! Rows of armatures (`joints::armature`): Sigma = 1/a, and the rate of the last step, which the state keeps.
//!
//! The state has the rate in the place that rods have for the energy of their element, beside a stretch that is known; a joint that was
//! made, moved or given other velocities has none, and then the rate is J v.

use super::{Rows, UNKNOWN, row_velocity};
use crate::joints::RowSpec;
use crate::kin::Kin;
use crate::state::State;
use crate::topology::{Group, Topology};
use std::ops::Range;

/// A row that feels the armature of its joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rotor {
    /// Its group, and which of its rows.
    pub group: usize,
    pub r: usize,
    /// In the row arrays.
    pub row: usize,
    /// Its unknown.
    pub x: usize,
    /// Armature, kg or kg m^2.
    pub armature: f64,
    /// Whether it is the rate of a turn.
    pub turns: bool,
    /// Rate of the last step, m/s or rad/s.
    pub past: f64,
}

impl Rotor {
    pub fn new(group: usize, g: &Group, row: usize, spec: &RowSpec) -> Self {
        let (r, turns) = (row - g.row(), spec.primitive.is_angular());
        Rotor { group, r, row, x: g.x() + r, armature: spec.armature, turns, past: 0.0 }
    }

    /// Its rate with the velocities of a solution, m/s or rad/s: s+ of a step.
    #[inline]
    pub fn rate(&self, t: &Topology, rows: &Rows, x: &[f64], curve: &[f64], h: f64) -> f64 {
        row_velocity(t, &t.groups[self.group], self.r, &rows.jac, x) + rows.drive[self.row] + curve[self.row] / h
    }

    /// Kinetic energy at a rate, J.
    #[inline]
    pub fn energy(&self, rate: f64) -> f64 {
        0.5 * self.armature * rate * rate
    }

    /// What its rate has gained since the solution `x`, from velocities that were changed after it.
    pub fn gained(&self, t: &Topology, rows: &Rows, x: &[f64], next: &[Kin]) -> f64 {
        let g = &t.groups[self.group];
        let mut sum = 0.0;
        for (b, at) in [(g.i(), g.jac_i()), (g.j(), g.jac_j())] {
            if !t.is_node(b) {
                continue;
            }
            let (node, kin) = (&t.nodes[b], &next[b]);
            let new = kin.vel.to_array().into_iter().chain(kin.omega.to_array());
            let j = &rows.jac[at + self.r * node.dim..at + (self.r + 1) * node.dim];
            sum += j
                .iter()
                .zip(new)
                .zip(&x[node.x..node.x + node.dim])
                .map(|((j, new), old)| j * (new - old))
                .sum::<f64>();
        }
        sum
    }
}

/// What velocities that were changed after the solution `x` have added to the kinetic energy of all rotors, J.
pub(crate) fn gain(t: &Topology, rows: &Rows, (x, curve): (&[f64], &[f64]), h: f64, next: &[Kin]) -> f64 {
    let of = |rotor: &Rotor| {
        let rate = rotor.rate(t, rows, x, curve, h);
        rotor.energy(rate + rotor.gained(t, rows, x, next)) - rotor.energy(rate)
    };
    rows.rotors.iter().map(of).sum()
}

impl Rows {
    /// The rotors of some groups.
    pub(crate) fn rotors_of(&self, groups: Range<usize>) -> &[Rotor] {
        if self.rotors.is_empty() {
            return &[];
        }
        let at = |group: usize| self.rotors.partition_point(|rotor| rotor.group < group);
        &self.rotors[at(groups.start)..at(groups.end)]
    }

    /// Their rates of the last step, and their Sigma: the multiplier of a row acts over `hk`, an impulse is not divided by time.
    pub(crate) fn spin(&mut self, t: &Topology, state: &State, (hk, h): (&[f64], f64), kin: &[Kin]) {
        let Rows { rotors, drive, jac, sigma, .. } = self;
        for rotor in rotors {
            let g = &t.groups[rotor.group];
            sigma[rotor.row] = hk[g.island()] / (h * rotor.armature);
            let sides = [(g.i(), g.jac_i()), (g.j(), g.jac_j())];
            let at = g.state_row() + rotor.r;
            let fresh = sides.iter().any(|s| t.is_node(s.0) && state.bodies[t.slot_of[s.0]].regime.h_prev == 0.0);
            rotor.past = if state.stretch[at] != UNKNOWN && !fresh {
                state.element_energy[at]
            } else {
                let along = |&(b, at): &(usize, usize)| {
                    if !t.is_node(b) {
                        return 0.0;
                    }
                    let (dim, kin) = (t.nodes[b].dim, &kin[b]);
                    let v = kin.vel.to_array().into_iter().chain(kin.omega.to_array());
                    jac[at + rotor.r * dim..at + (rotor.r + 1) * dim].iter().zip(v).map(|(j, v)| j * v).sum::<f64>()
                };
                sides.iter().map(along).sum::<f64>() + drive[rotor.row]
            };
        }
    }

    /// Groups that were cut have no rows.
    pub(crate) fn drop_dead_rotors(&mut self, t: &Topology) {
        self.rotors.retain(|rotor| !t.groups[rotor.group].dead);
    }
}

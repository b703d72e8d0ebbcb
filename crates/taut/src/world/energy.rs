//! Energies of a world as it stands, from model and state alone: no layout is needed, and nothing changes.

use super::World;
use crate::bounded;
use crate::error::Result;
use crate::ids::{BodyId, JointId};
use crate::integrate::kinetic_of;
use crate::joints::row_starts;
use crate::kin::Kin;
use crate::model::force::Force;
use crate::model::soft::Carrier;
use crate::model::{JointEntry, Motion};
use crate::report::{self, Energy};
use crate::rows::{UNKNOWN, stored};
use crate::state::BodyState;
use crate::topology::linked_springs;
use glam::DVec3;

impl World {
    /// Energies now, centred in time like those of the step report; what sleeps is in them.
    pub fn energy(&self) -> Result<Energy> {
        let free = |slot: u32| self.model.bodies.at(slot as usize).is_some_and(|b| b.is_node());
        let [gravity, elastic] = self.state.potential_lag;
        let contacts = report::in_contacts(&self.state.contacts) + report::in_contacts(&self.state.resting);
        Ok(Energy {
            kinetic: self.energy_of_motion() + self.energy_of_armatures(),
            gravity: self.energy_of_height(free) - gravity,
            elastic: self.energy_of_stretch() + self.energy_of_couplings(|_| true) + self.energy_of_ropes(|_| true)
                - elastic
                + contacts
                + self.energy_of_elements(|_| true)
                - self.state.elements_lag,
        })
    }

    fn energy_of_motion(&self) -> f64 {
        let free = self.model.bodies.iter().filter(|(_, b)| b.is_node());
        free.map(|(k, b)| {
            let inertia = (b.motion == Motion::Dynamic).then_some(&b.inertia);
            kinetic_of(b.mass, inertia, &Kin::of(&self.state.bodies[k.slot as usize]))
        })
        .sum::<f64>()
            + self
                .bound_masses(|_| true)
                .map(|(mass, c)| mass * 0.5 * self.velocity_at(c).length_squared())
                .sum::<f64>()
    }

    /// Of the armatures of all joints.
    fn energy_of_armatures(&self) -> f64 {
        let joints = self.model.joints.iter().filter(|(_, j)| j.def.armature > 0.0);
        joints.map(|(_, j)| self.energy_of_armature(j)).sum()
    }

    /// Kinetic energy that a joint has by its armature, J.
    pub(super) fn energy_of_armature(&self, j: &JointEntry) -> f64 {
        let bodies = [j.i, j.j];
        let state = bodies.map(|b| &self.state.bodies[b.0.slot as usize]);
        if j.def.armature == 0.0 || !self.model.is_active(j) || state.iter().any(|s| s.group != 0) {
            return 0.0;
        }
        let moves = |b: BodyId| self.model.bodies.get(b.0).is_some_and(|b| b.is_node());
        let fresh = bodies.into_iter().zip(state).any(|(b, s)| moves(b) && s.regime.h_prev == 0.0);
        let (i, base) = (self.side(j.i), self.side(j.j));
        let along = |row: &[f64; 6], s: &BodyState| {
            DVec3::from_slice(&row[..3]).dot(s.vel) + DVec3::from_slice(&row[3..]).dot(s.omega)
        };
        let rows = row_starts(&j.rows).filter(|(_, s)| s.armature > 0.0);
        rows.map(|(r, s)| {
            let row = j.row_start + r;
            let rate = if fresh || self.state.stretch[row] == UNKNOWN {
                let e = s.primitive.eval(&i, &base);
                along(&e.ji[0], state[0]) + along(&e.jj[0], state[1])
            } else {
                self.state.element_energy[row]
            };
            0.5 * s.armature * rate * rate
        })
        .sum()
    }

    /// Masses of the nodes of deformables that are bound to bodies in some slots which move freely, kg, and where.
    fn bound_masses<'a>(&'a self, of: impl Fn(u32) -> bool + 'a) -> impl Iterator<Item = (f64, Carrier)> + 'a {
        let is_node = |c: &Carrier| self.model.bodies.get(c.body.0).is_some_and(|b| b.is_node());
        let nodes = self.model.softs.iter().flat_map(|(_, s)| (0..s.nodes.len()).map(move |n| (s, n)));
        let bound = nodes.filter(|(s, n)| !s.is_free(*n) && s.masses[*n] > 0.0);
        let carried = bound.flat_map(|(s, n)| s.carriers(n).map(move |c| (c.weight * s.masses[n], c)));
        carried.filter(move |(_, c)| of(c.body.0.slot) && is_node(c))
    }

    fn velocity_at(&self, c: Carrier) -> DVec3 {
        let b = &self.state.bodies[c.body.0.slot as usize];
        b.vel + b.omega.cross(b.rot * c.point)
    }

    /// Of the bodies in some slots, J.
    pub(super) fn energy_of_height(&self, of: impl Fn(u32) -> bool) -> f64 {
        let bodies = self.model.bodies.iter().filter(|(k, _)| of(k.slot));
        let gravity = self.options.gravity;
        let own = bodies.map(|(k, b)| -b.weight() * gravity.dot(self.state.bodies[k.slot as usize].pos));
        let bound = self.bound_masses(&of).map(|(mass, c)| {
            let b = &self.state.bodies[c.body.0.slot as usize];
            let scale = self.model.bodies.get(c.body.0).map_or(1.0, |b| b.gravity_scale);
            -mass * scale * gravity.dot(b.pos + b.rot * c.point)
        });
        own.sum::<f64>() + bound.sum::<f64>()
    }

    /// Of the compliant rows of all joints, and of springs.
    fn energy_of_stretch(&self) -> f64 {
        // A spring is a row or a link; its row knows nothing of the last step where it was a link.
        let links = linked_springs(&self.laid(), |slot| self.state.bodies[slot].group == 0);
        let rows = self.model.joints.iter().filter(|(k, j)| !links[k.slot as usize] && self.model.is_active(j));
        let rows: f64 = rows.map(|(k, j)| self.held_by(JointId(k), j)).sum();
        let springs = self.model.forces.iter().filter_map(|(_, f)| match &f.force {
            Force::Spring(s) if self.model.acts(&f.force) && f.joint.is_some_and(|j| links[j.0.slot as usize]) => {
                let (i, j) = (self.side(s.i), self.side(s.j));
                Some(s.energy((i.pos + i.rot * s.point_i - j.pos - j.rot * s.point_j).length()))
            }
            _ => None,
        });
        rows + springs.sum::<f64>()
    }

    /// What the compliance of a joint's rows and limits holds, J. Motors hold nothing: what they do is work.
    pub(super) fn held_by(&self, id: JointId, j: &JointEntry) -> f64 {
        let (si, sj) = (self.side(j.i), self.side(j.j));
        let mut sum = 0.0;
        for (start, spec) in row_starts(&j.rows).filter(|(_, s)| s.holds()) {
            let c = spec.soft.compliance;
            if c > 0.0 && c.is_finite() {
                let phi = spec.primitive.phi(&si, &sj);
                let first = j.row_start + start;
                let stretch = &self.state.stretch[first..first + spec.primitive.rows()];
                sum += phi.iter().zip(stretch).map(|(phi, stretch)| stored(c, *phi, *stretch)).sum::<f64>();
            }
        }
        for (k, b) in j.bounds.iter().enumerate() {
            let q = self.turned(id, &b.primitive, b.freedom.position(b.primitive.phi(&si, &sj)[0]));
            sum += bounded::stored(b, q, self.state.stretch[j.row_start + j.row_count + k]);
        }
        sum
    }
}

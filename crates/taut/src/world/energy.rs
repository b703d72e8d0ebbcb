//! Energies of a world as it stands, from model and state alone: no layout is needed, and nothing changes.

use super::World;
use crate::bounded;
use crate::error::Result;
use crate::ids::JointId;
use crate::integrate::kinetic_of;
use crate::joints::row_starts;
use crate::kin::Kin;
use crate::model::force::Force;
use crate::model::{JointEntry, Motion};
use crate::report::{self, Energy};
use crate::rows::stored;
use crate::topology::linked_springs;

impl World {
    /// Energies now, centred in time like those of the step report; what sleeps is in them.
    pub fn energy(&self) -> Result<Energy> {
        let free = |slot: u32| self.model.bodies.at(slot as usize).is_some_and(|b| b.is_node());
        let [gravity, elastic] = self.state.potential_lag;
        let contacts = report::in_contacts(&self.state.contacts) + report::in_contacts(&self.state.resting);
        Ok(Energy {
            kinetic: self.energy_of_motion(),
            gravity: self.energy_of_height(free) - gravity,
            elastic: self.energy_of_stretch() + self.energy_of_couplings(|_| true) - elastic
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
        .sum()
    }

    /// Of the bodies in some slots, J.
    pub(super) fn energy_of_height(&self, of: impl Fn(u32) -> bool) -> f64 {
        let bodies = self.model.bodies.iter().filter(|(k, _)| of(k.slot));
        bodies.map(|(k, b)| -b.weight() * self.options.gravity.dot(self.state.bodies[k.slot as usize].pos)).sum()
    }

    /// Of the compliant rows of all joints, and of springs.
    fn energy_of_stretch(&self) -> f64 {
        // A spring is a row or a link; its row knows nothing of the last step where it was a link.
        let links = linked_springs(&self.model, |slot| self.state.bodies[slot].group == 0);
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
        for (start, spec) in row_starts(&j.rows).filter(|(_, s)| s.motor.is_none()) {
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

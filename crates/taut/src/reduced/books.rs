//! Energies and gaps of a reduced mechanism at the poses of a state.

use super::redmax::Mechanism;
use crate::constraint::{Primitive, Side};
use crate::force::{Force, span};
use crate::model::{JointEntry, Model};
use crate::report::Energy;
use crate::state::State;
use crate::topology::row_starts;
use glam::{DMat3, DVec3};

/// Largest gap (m), the slot of its joint, sum of the gaps (m), largest angle (rad) of rigid rows.
pub(crate) type Gaps = (f64, Option<usize>, f64, f64);

impl Mechanism {
    /// Of motion, of height, of springs and soft rows, J; not centred in time: poses and velocities are of one moment here.
    pub fn energy(&self, model: &Model, state: &State, gravity: DVec3) -> Energy {
        let mut e = Energy { kinetic: 0.0, gravity: 0.0, elastic: 0.0 };
        for l in &self.tree.links {
            let Some(b) = model.bodies.at(l.body) else { continue };
            let s = &state.bodies[l.body];
            let w = s.rot.inverse() * s.omega;
            e.kinetic += 0.5 * (b.mass * s.vel.length_squared() + w.dot(b.inertia * w));
            e.gravity -= b.mass * gravity.dot(s.pos);
        }
        for (_, f) in model.forces.iter().filter(|(_, f)| f.joint.is_none()) {
            if let Force::Spring(s) = &f.force {
                let (i, j) = (&state.bodies[s.i.0.slot as usize], &state.bodies[s.j.0.slot as usize]);
                let stretch = span(i.pos, i.rot * s.point_i, j.pos, j.rot * s.point_j).length - s.rest_length;
                e.elastic += 0.5 * s.stiffness * stretch * stretch;
            }
        }
        for (_, j) in
            model.joints.iter().filter(|(_, j)| j.rows.iter().any(|r| r.motor.is_none() && is_soft(r.soft.compliance)))
        {
            let sides = sides(j, state);
            for spec in j.rows.iter().filter(|r| r.motor.is_none() && is_soft(r.soft.compliance)) {
                let phi = spec.primitive.phi(&sides[0], &sides[1]);
                let square: f64 = phi[..spec.primitive.rows()].iter().map(|p| p * p).sum();
                e.elastic += 0.5 * square / spec.soft.compliance;
            }
        }
        e
    }

    /// Of the joints that stay rows; those of the forest have none.
    pub fn gaps(&self, model: &Model, state: &State) -> Gaps {
        let mut out: Gaps = (0.0, None, 0.0, 0.0);
        for &slot in &self.tree.loops {
            let Some(j) = model.joints.at(slot) else { continue };
            let sides = sides(j, state);
            let mut square = 0.0;
            for (_, spec) in row_starts(&j.rows).filter(|(_, s)| s.motor.is_none() && s.soft.compliance == 0.0) {
                let phi = spec.primitive.phi(&sides[0], &sides[1]);
                for p in &phi[..spec.primitive.rows()] {
                    if is_angular(&spec.primitive) {
                        out.3 = out.3.max(p.abs());
                    } else {
                        square += p * p;
                    }
                }
            }
            let gap = f64::sqrt(square);
            out.2 += gap;
            if gap > out.0 {
                (out.0, out.1) = (gap, Some(slot));
            }
        }
        out
    }
}

/// Whether a row measures an angle.
fn is_angular(p: &Primitive) -> bool {
    matches!(p, Primitive::Axial { .. } | Primitive::Twist { .. } | Primitive::Dot1 { .. })
}

fn is_soft(compliance: f64) -> bool {
    compliance > 0.0 && compliance.is_finite()
}

fn sides(j: &JointEntry, state: &State) -> [Side; 2] {
    [j.i, j.j].map(|b| {
        let s = &state.bodies[b.0.slot as usize];
        Side { pos: s.pos, rot: DMat3::from_quat(s.rot) }
    })
}

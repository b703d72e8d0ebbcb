//! Looking at forces and at the stabiliser: for pictures and for those who ask where energy went.

use super::{Layout, World};
use crate::desk::inputs::Given;
use crate::error::Result;
use crate::ids::{BodyId, ForceId};
use crate::model::force::Force;
use crate::stabilise::work;
use glam::DVec3;

/// What a force does at the present pose and velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceView {
    /// Where it acts on its first body, world, m; the centre of mass for torques and drag.
    pub point: DVec3,
    /// Its other end, world, m: the anchor on the second body of a spring, the target of a mouse spring, else the same point.
    pub other: DVec3,
    /// Force on the first body, N. Of a spring in compliance form that of the last step.
    pub force: DVec3,
}

impl World {
    /// Looks at a force: where it acts and how strongly.
    pub fn force_view(&self, id: ForceId) -> Result<ForceView> {
        let entry = self.model.force(id)?;
        let anchor = |b: BodyId, point: DVec3| {
            let s = &self.state.bodies[b.0.slot as usize];
            let arm = s.rot * point;
            (s.pos + arm, s.vel + s.omega.cross(arm))
        };
        let still = |body: BodyId, force: DVec3| {
            let at = anchor(body, DVec3::ZERO).0;
            ForceView { point: at, other: at, force }
        };
        Ok(match entry.force {
            Force::Point { body, point, force } => {
                let at = anchor(body, point).0;
                ForceView { point: at, other: at, force }
            }
            Force::Torque { body, .. } => still(body, DVec3::ZERO),
            Force::Drag { body, linear, .. } => still(body, -linear * anchor(body, DVec3::ZERO).1),
            Force::Spring(s) => {
                let ((p, v), (q, w)) = (anchor(s.i, s.point_i), anchor(s.j, s.point_j));
                let along = (p - q).normalize_or_zero();
                let pull = s.stiffness * ((p - q).length() - s.rest_length) + s.damping * (v - w).dot(along);
                let force = match entry.joint {
                    Some(row) => self.view_joint(row)?.force,
                    None => -pull * along,
                };
                ForceView { point: p, other: q, force }
            }
            Force::Mouse(m) => {
                let (p, v) = anchor(m.body, m.point);
                let (k, c) = m.constants(self.model.body(m.body)?.mass);
                ForceView { point: p, other: m.target, force: k * (m.target - p) - c * v }
            }
        })
    }

    /// Energy that the stabiliser gave a body in the last step, J; negative when it took some. Zero for bodies that sleep or do not
    /// move freely, and after a change of the world until the next step. What acts along rods between bodies is not in it.
    pub fn stabiliser_work(&self, id: BodyId) -> Result<f64> {
        self.model.body(id)?;
        let Some(layout) = self.layout.as_ref().filter(|_| !self.plan.alone && self.state.steps > 0) else {
            return Ok(0.0);
        };
        let Layout { t, inputs, desk, .. } = &**layout;
        let dense = t.dense_of.get(id.0.slot as usize).copied().unwrap_or(usize::MAX);
        Ok(if t.is_node(dense) {
            work::of_node(&Given { t, inputs }, &desk.stiff, &desk.memory, &desk.sol.x, dense)
        } else {
            0.0
        })
    }
}

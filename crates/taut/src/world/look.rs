//! Looking at forces.

use super::World;
use crate::error::Result;
use crate::ids::{BodyId, ForceId};
use crate::model::force::Force;
use glam::DVec3;

/// What a force does at the present pose and velocity.
///
/// A drag of 50 N s/m on a boat at 3 m/s is 150 N against its way.
/// ```
/// use taut::{Body, Force, Vec3, World};
/// let mut world = World::new();
/// let boat = world.add(Body::particle(800.0).at(2.0 * Vec3::Z).moving(3.0 * Vec3::X, Vec3::ZERO))?;
/// let drag = world.add(Force::Drag { body: boat, linear: 50.0, angular: 0.0 })?;
/// let view = world.force_view(drag)?;
/// assert_eq!((view.point, view.force), (2.0 * Vec3::Z, -150.0 * Vec3::X));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceView {
    /// Where it acts on its first body, world, m; the centre of mass for torques and drag.
    pub point: DVec3,
    /// Its other end, world, m: the anchor on the second body of a spring, the target of a mouse spring, else the same point.
    pub other: DVec3,
    /// Force on the first body, N. Of a spring in compliance form that of the last step.
    pub force: DVec3,
}

impl ForceView {
    fn without_force(self) -> Self {
        ForceView { force: DVec3::ZERO, ..self }
    }
}

impl World {
    /// Looks at a force: where it acts and how strongly. One on a body that is switched off, or between bodies that do not move freely,
    /// does not act.
    pub fn force_view(&self, id: ForceId) -> Result<ForceView> {
        let entry = self.model.force(id)?;
        let acts = |view: ForceView| if self.model.acts(&entry.force) { view } else { view.without_force() };
        let anchor = |b: BodyId, point: DVec3| {
            let s = &self.state.bodies[b.0.slot as usize];
            let arm = s.rot * point;
            (s.pos + arm, s.vel + s.omega.cross(arm))
        };
        let still = |body: BodyId, force: DVec3| {
            let at = anchor(body, DVec3::ZERO).0;
            ForceView { point: at, other: at, force }
        };
        Ok(acts(match entry.force {
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
                    Some(row) => self.any_joint(row)?.force(),
                    None => -pull * along,
                };
                ForceView { point: p, other: q, force }
            }
            Force::Mouse(m) => {
                let (p, v) = anchor(m.body, m.point);
                let (k, c) = m.constants(self.model.body(m.body)?.mass);
                ForceView { point: p, other: m.target, force: k * (m.target - p) - c * v }
            }
        }))
    }
}

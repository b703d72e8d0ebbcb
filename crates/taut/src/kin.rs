//! Bodies and links as the step sees them.

use crate::constraint::Side;
use crate::state::BodyState;
use glam::{DMat3, DQuat, DVec3};

/// A body as the step sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kin {
    pub pos: DVec3,
    pub quat: DQuat,
    pub rot: DMat3,
    pub vel: DVec3,
    pub omega: DVec3,
}

impl Kin {
    /// A body as the state has it.
    pub fn of(b: &BodyState) -> Self {
        Kin { pos: b.pos, quat: b.rot, rot: DMat3::from_quat(b.rot), vel: b.vel, omega: b.omega }
    }

    pub fn side(&self) -> Side {
        Side { pos: self.pos, rot: self.rot }
    }

    /// Linear and angular velocity.
    pub fn twist(&self) -> [f64; 6] {
        let (v, w) = (self.vel, self.omega);
        [v.x, v.y, v.z, w.x, w.y, w.z]
    }
}

/// A link's part in the matrix: B^T stiff B over both anchors.
#[derive(Clone, Copy, Debug, Default)]
pub struct LinkTerm {
    /// Lever arm of one end in the world, m.
    pub si: DVec3,
    /// That of the other end.
    pub sj: DVec3,
    /// Direction of the link.
    pub u: DVec3,
    /// Length now, m.
    pub length: f64,
    /// Along u: h hk k + hk c of a spring, kg.
    pub along: f64,
    /// Across u: the same of the transverse stiffness, kg.
    pub across: f64,
}

impl LinkTerm {
    /// The part of a vector across the link.
    #[inline]
    pub fn across_part(&self, v: DVec3) -> DVec3 {
        v - self.u * self.u.dot(v)
    }
}

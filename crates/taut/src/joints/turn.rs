//! Whole turns of what goes round.
//!
//! An angle is measured up to whole turns. Where the turning freedom of a joint was after the last step is in the state with its turns
//! counted; before a step it is taken nearest to that, and after a step nearest to where its own velocity leads, so that no speed makes
//! the count slip (`bounded::coupled` does the same for couplings):
//! ```text
//! q  = raw(x)  + 2 pi round((q_last - raw(x))/(2 pi))
//! q+ = raw(x+) + 2 pi round((q + h n.(w_i - w_j) - raw(x+))/(2 pi))
//! ```
//! A joint has at most one such freedom: the first that its kind names, or where that names none at all, the first of its limits,
//! frictions and motors. The twist of a ball joint is none: its turns are not those of a pose.

use super::{Freedom, JointDef, JointKind, measure};
use crate::constraint::{Primitive, Side};
use crate::math::pose::Frames;
use crate::tuning::T;
use glam::DVec3;
use std::f64::consts::{FRAC_PI_2, TAU};

/// The freedom of a joint whose turns are counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    /// What measures it, up to whole turns.
    pub primitive: Primitive,
}

impl Turn {
    /// Of a joint.
    pub fn of(kind: &dyn JointKind, def: &JointDef, frames: &Frames) -> Option<Self> {
        let counts = |f: &Freedom| f.turns() && *f != Freedom::Twist;
        let limits = def.limits.iter().filter_map(|l| l.freedom).chain(def.friction.iter().filter_map(|f| f.freedom));
        let limits = limits.chain(def.speeds.iter().filter_map(|s| s.freedom));
        let named = limits.chain(def.motors.iter().filter_map(|m| m.freedom));
        let own = kind.freedoms();
        let freedom = own.iter().copied().find(counts).or_else(|| named.filter(|_| own.is_empty()).find(counts))?;
        Some(Turn { primitive: measure(frames, freedom) })
    }

    /// The angle, rad, in (-pi, pi]. Where the axes have parted, as those of a wheel that steers, it is the twist.
    pub fn angle(&self, i: &Side, j: &Side) -> f64 {
        match self.primitive {
            Primitive::Axial { n, ui, uj, nj } if !((i.rot * n).dot(j.rot * nj) >= T.rows.aligned) => {
                Primitive::Twist { n, ui, uj, nj }.phi(i, j)[0]
            }
            primitive => primitive.phi(i, j)[0],
        }
    }

    /// Whole turns, rad, that bring the angle nearest to a position.
    pub fn wind(&self, i: &Side, j: &Side, near: f64) -> f64 {
        wind(self.angle(i, j), near)
    }

    /// The position nearest to another one.
    pub fn position(&self, i: &Side, j: &Side, near: f64) -> f64 {
        let angle = self.angle(i, j);
        angle + wind(angle, near)
    }

    /// Its axis on body i, world.
    pub fn axis(&self, i: &Side) -> DVec3 {
        if let Primitive::Axial { n, .. } = self.primitive { i.rot * n } else { DVec3::ZERO }
    }

    /// Whether an angle that was within a quarter turn of the whole turns of `last` still is, for bodies that have turned by at most
    /// `by`, rad, in between: then its turns are the same, and the angle need not be found.
    #[inline]
    pub fn stays(&self, i: &Side, j: &Side, last: f64, by: f64) -> bool {
        let Primitive::Axial { ui, uj, .. } = self.primitive else { return false };
        by < FRAC_PI_2 && (last - wind(0.0, last)).abs() < FRAC_PI_2 && (i.rot * ui).dot(j.rot * uj) > 0.0
    }
}

/// Whole turns, rad, that bring an angle nearest to a position.
#[inline]
pub(crate) fn wind(angle: f64, near: f64) -> f64 {
    TAU * ((near - angle) / TAU).round()
}

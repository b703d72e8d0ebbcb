//! Ropes over guides: the geometry of their spans. It sees poses, never bodies.

pub(crate) mod span;

use crate::constraint::Side;
use glam::DVec3;
use span::Guide;
use std::f64::consts::TAU;

/// A guide in the frame of its body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Groove {
    /// Centre of its circle, or the point, m.
    pub centre: DVec3,
    /// Unit axis, and the unit vector across it where angles are measured from.
    pub axis: DVec3,
    pub zero: DVec3,
    /// Pitch radius, m; zero for a point.
    pub radius: f64,
    /// Which way the rope goes round: +1 about the axis, -1 against it.
    pub side: f64,
}

impl Groove {
    /// A point of a body.
    pub fn point(at: DVec3) -> Self {
        Groove { centre: at, axis: DVec3::Z, zero: DVec3::X, radius: 0.0, side: 1.0 }
    }

    /// The guide where its body is.
    pub fn at(&self, body: &Side) -> Guide {
        let Groove { radius, side, .. } = *self;
        let turned = |v: DVec3| body.rot * v;
        let (axis, zero) = (turned(self.axis), turned(self.zero));
        Guide { centre: body.pos + turned(self.centre), body: body.pos, axis, zero, radius, side }
    }
}

/// An angle with as many whole turns as bring it nearest to another.
pub(crate) fn wound(angle: f64, near: f64) -> f64 {
    angle + TAU * ((near - angle) / TAU).round()
}

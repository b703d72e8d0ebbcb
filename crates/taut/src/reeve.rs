//! Ropes over guides: the geometry of their spans. It sees poses, never bodies.

pub(crate) mod bend;
pub(crate) mod edge;
pub(crate) mod hold;
pub(crate) mod obstacle;
pub(crate) mod span;
pub(crate) mod twist;

use crate::constraint::Side;
use glam::DVec3;
use span::Guide;
use std::f64::consts::TAU;

/// A guide in the frame of its body: a point, the circle of a sheave or drum, or a straight edge.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Groove {
    /// Centre of its circle, the point, or the start of the edge, m.
    pub centre: DVec3,
    /// Unit axis of the circle, or direction of the edge; and the unit vector across it where angles are measured from. That of an edge
    /// points out of what it is the edge of.
    pub axis: DVec3,
    pub zero: DVec3,
    /// Pitch radius, m; zero for a point and an edge. That of a drum with layers is the one at the angle zero,
    pub radius: f64,
    /// and grows by this with the angle, m/rad.
    pub growth: f64,
    /// Which way the rope goes round: +1 about the axis, -1 against it.
    pub side: f64,
    /// Length of an edge, m; zero for other guides.
    pub length: f64,
}

impl Groove {
    /// A point of a body.
    pub fn point(at: DVec3) -> Self {
        let (axis, zero) = (DVec3::Z, DVec3::X);
        Groove { centre: at, axis, zero, radius: 0.0, growth: 0.0, side: 1.0, length: 0.0 }
    }

    /// A circle.
    pub fn round(centre: DVec3, axis: DVec3, zero: DVec3, radius: f64, side: f64) -> Self {
        Groove { centre, axis, zero, radius, growth: 0.0, side, length: 0.0 }
    }

    /// An edge from a point along a unit vector, with a unit vector across it that points outwards.
    pub fn edge(start: DVec3, along: DVec3, outward: DVec3, length: f64) -> Self {
        Groove { centre: start, axis: along, zero: outward, radius: 0.0, growth: 0.0, side: 1.0, length }
    }

    pub fn is_round(&self) -> bool {
        self.radius > 0.0
    }

    pub fn is_edge(&self) -> bool {
        self.length > 0.0
    }

    /// The guide where its body is; an edge is touched at its start until `edge::settle` has found where. Angles of a drum with layers are
    /// the nearest to `near`, rad.
    pub fn at(&self, body: &Side, near: f64) -> Guide {
        let Groove { radius, growth, side, length, .. } = *self;
        let turned = |v: DVec3| body.rot * v;
        let (axis, zero) = (turned(self.axis), turned(self.zero));
        let centre = body.pos + turned(self.centre);
        Guide { centre, body: body.pos, axis, zero, radius, growth, near, side, length }
    }

    /// Rope on it from the angle zero to another, in the sense that it goes round, m.
    pub fn rolled(&self, angle: f64) -> f64 {
        rolled((self.radius, self.growth, self.side), angle)
    }

    /// All its numbers.
    pub fn numbers(&self) -> [f64; 13] {
        let [c, a, z] = [self.centre, self.axis, self.zero].map(|v| v.to_array());
        let Groove { radius, growth, side, length, .. } = *self;
        [c[0], c[1], c[2], a[0], a[1], a[2], z[0], z[1], z[2], radius, growth, side, length]
    }

    /// From all its numbers.
    pub fn of(n: [f64; 13]) -> Self {
        let vector = |k: usize| DVec3::new(n[k], n[k + 1], n[k + 2]);
        let (centre, axis, zero) = (vector(0), vector(3), vector(6));
        Groove { centre, axis, zero, radius: n[9], growth: n[10], side: n[11], length: n[12] }
    }
}

/// Rope on a circle with a radius that grows with the angle, m and m/rad, and a sense, from the angle zero to another, m.
fn rolled((radius, growth, side): (f64, f64, f64), angle: f64) -> f64 {
    let own = radius * side * angle;
    if growth == 0.0 { own } else { own + 0.5 * side * growth * angle * angle }
}

/// An angle with as many whole turns as bring it nearest to another.
pub(crate) fn wound(angle: f64, near: f64) -> f64 {
    angle + TAU * ((near - angle) / TAU).round()
}

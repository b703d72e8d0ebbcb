//! By how much a rope bends at a guide, and when it leaves it and comes back.
//!
//! The length of a path has a kink of second order where the wrap is zero: it is longer than the straight one by about the square of the
//! wrap. So a guide whose wrap has become negative is dropped, and one that the straight line has come to is taken in again, without a jump
//! in the force, and no hysteresis is needed.

use super::span::{Guide, Span};
use super::wound;
use glam::DVec3;
use std::f64::consts::PI;

/// Angle of wrap at a guide, rad, between the span that comes to it and the one that goes on, with the angles of their tangent points there,
/// whole turns counted:
/// ```text
/// circle    side (angle out - angle in)
/// ring      angle between the spans
/// edge      angle between the spans, negative where the rope would pull the edge outwards
/// ```
/// Friction of every kind is a function of it.
pub(crate) fn wrap(guide: &Guide, [come, go]: [&Span; 2], [arrive, leave]: [f64; 2]) -> f64 {
    if guide.radius > 0.0 {
        return guide.side * (leave - arrive);
    }
    let turn = angle(come.along, go.along);
    if guide.length > 0.0 && (go.along - come.along).dot(guide.zero) > 0.0 { -turn } else { turn }
}

/// Angle between unit vectors, exact for small ones too, rad.
pub(crate) fn angle(a: DVec3, b: DVec3) -> f64 {
    libm::atan2(a.cross(b).length(), a.dot(b))
}

/// A guide between two others that the rope does not touch, tried: its two spans, the angle where the rope would come to it, and the wrap
/// that it would have, from -pi to pi.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trial {
    pub guide: Guide,
    pub spans: [Span; 2],
    pub wrap: f64,
}

impl Trial {
    pub fn of([before, after]: [&Guide; 2], guide: &Guide) -> Option<Self> {
        let mut run = [*before, *guide, *after];
        super::edge::settle(&mut run);
        let [before, guide, after] = run;
        let spans = [Span::between(&before, &guide)?, Span::between(&guide, &after)?];
        let angles = [spans[0].angles[1], spans[1].angles[0]];
        let wrap = wrap(&guide, [&spans[0], &spans[1]], [angles[0], wound(angles[1], angles[0])]);
        Some(Trial { guide, spans, wrap })
    }

    /// Angles at the guide, where the rope comes and where it leaves, rad.
    pub fn angles(&self) -> [f64; 2] {
        let arrive = self.spans[0].angles[1];
        if self.guide.radius > 0.0 { [arrive, arrive + self.guide.side * self.wrap] } else { [0.0; 2] }
    }
}

/// Whether the rope has come to a guide between two trials of it, from the side that it passes on.
pub(crate) fn touches(before: &Trial, after: &Trial) -> bool {
    before.wrap <= 0.0 && after.wrap > 0.0 && after.wrap - before.wrap < PI
}

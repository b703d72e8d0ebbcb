//! A point and a triangle, or two segments, whose corners all move on straight lines: when and where they are within a distance.
//!
//! ```text
//! delta(t) = sum over a of w x(t) - sum over b of w x(t),   n = delta / |delta|,   gap = |delta| - reach
//! conservative advancement: the gap along n closes no faster than
//!     max over a of -n.v + max over b of n.v
//! ```

use super::nearest::{of_segments, on_triangle};
use crate::tuning::T;
use glam::DVec3;

/// Four corners: one against three, or two against two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Duel {
    pub at: [DVec3; 4],
    pub vel: [DVec3; 4],
    /// Two segments, not a point and a triangle.
    pub is_edges: bool,
    /// Distance at which they touch, m.
    pub reach: f64,
}

/// Where the two are nearest at some time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    pub time: f64,
    /// Of the corners; they add up to 1 on each side.
    pub weights: [f64; 4],
    /// Nearest points at that time.
    pub points: [DVec3; 2],
    /// Unit, from b to a.
    pub normal: DVec3,
    pub gap: f64,
}

impl Duel {
    /// Corners of the first side.
    fn split(&self) -> usize {
        if self.is_edges { 2 } else { 1 }
    }

    /// A corner at a time.
    fn place(&self, k: usize, t: f64) -> DVec3 {
        self.at[k] + t * self.vel[k]
    }

    /// Sum over one side.
    fn sum(&self, side: std::ops::Range<usize>, of: impl Fn(usize) -> DVec3, weights: &[f64; 4]) -> DVec3 {
        side.map(|k| weights[k] * of(k)).sum()
    }

    /// Velocity of the first against the second at these weights.
    pub fn velocity(&self, weights: &[f64; 4]) -> DVec3 {
        let split = self.split();
        self.sum(0..split, |k| self.vel[k], weights) - self.sum(split..4, |k| self.vel[k], weights)
    }

    /// The fastest that the two can come nearer, m/s.
    pub fn fastest(&self) -> f64 {
        let split = self.split();
        let pairs = (0..split).flat_map(|i| (split..4).map(move |j| (i, j)));
        pairs.fold(0.0, |m: f64, (i, j)| m.max(self.vel[i].distance(self.vel[j])))
    }

    /// Nearest points at a time.
    pub fn near(&self, time: f64) -> Near {
        let x = [0, 1, 2, 3].map(|k| self.place(k, time));
        let weights = if self.is_edges {
            let [[a, b], [c, d]] = of_segments([x[0], x[1]], [x[2], x[3]]);
            [a, b, c, d]
        } else {
            let [a, b, c] = on_triangle(x[0], [x[1], x[2], x[3]]);
            [1.0, a, b, c]
        };
        let split = self.split();
        let points = [self.sum(0..split, |k| x[k], &weights), self.sum(split..4, |k| x[k], &weights)];
        let delta = points[0] - points[1];
        let size = x.iter().fold(0.0, |m: f64, p| m.max(p.distance(x[0])));
        let distance = delta.length();
        let normal = if distance > 1e-9 * size { delta / distance } else { self.across(&x, &weights) };
        Near { time, weights, points, normal, gap: distance - self.reach }
    }

    /// The normal where the two go through each other: the side that they come from.
    fn across(&self, x: &[DVec3; 4], weights: &[f64; 4]) -> DVec3 {
        let (p, q) = if self.is_edges { (x[1] - x[0], x[3] - x[2]) } else { (x[2] - x[1], x[3] - x[1]) };
        let n = p.cross(q).try_normalize().unwrap_or(DVec3::Y);
        if n.dot(self.velocity(weights)) > 0.0 { -n } else { n }
    }

    /// The first time within h at which the gap is down to `near`; none if it never is.
    pub fn impact(&self, h: f64, near: f64) -> Option<Near> {
        let mut t = 0.0;
        let mut now = self.near(t);
        for _ in 0..T.contact.advances {
            if now.gap <= near {
                return Some(now);
            }
            let most = |side: std::ops::Range<usize>, sign: f64| {
                side.map(|k| sign * now.normal.dot(self.vel[k])).fold(f64::NEG_INFINITY, f64::max)
            };
            let closing = most(0..self.split(), -1.0) + most(self.split()..4, 1.0);
            if closing <= 0.0 {
                return None;
            }
            t += (now.gap - 0.5 * near) / closing;
            if !(t <= h) {
                return None;
            }
            now = self.near(t);
        }
        Some(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fast_point_meets_the_triangle_where_it_passes_it() {
        let corners = [DVec3::ZERO, DVec3::X, DVec3::Z];
        let at = |y: f64| [DVec3::new(0.2, y, 0.3), corners[0], corners[1], corners[2]];
        let v = [DVec3::NEG_Y * 10.0, DVec3::Y * 2.0, DVec3::Y * 2.0, DVec3::Y * 2.0];
        let duel = Duel { at: at(0.1), vel: v, is_edges: false, reach: 0.01 };
        let hit = duel.impact(0.1, 1e-6).unwrap();
        assert!((hit.time - 0.09 / 12.0).abs() < 1e-6 && hit.normal.distance(DVec3::Y) < 1e-9, "{hit:?}");
        assert!((hit.weights[1] - 0.5).abs() < 1e-9 && duel.impact(0.005, 1e-6).is_none());
        let beside = Duel { at: at(0.1).map(|x| if x.y > 0.0 { x + DVec3::X } else { x }), ..duel };
        assert!(beside.impact(0.1, 1e-6).is_none());
    }

    #[test]
    fn crossing_edges_meet_on_the_side_they_come_from() {
        let at = [DVec3::new(-1.0, 0.2, 0.0), DVec3::new(1.0, 0.2, 0.0), DVec3::new(0.0, 0.0, -1.0), DVec3::Z];
        let v = [DVec3::NEG_Y * 5.0, DVec3::NEG_Y * 5.0, DVec3::ZERO, DVec3::ZERO];
        let duel = Duel { at, vel: v, is_edges: true, reach: 0.02 };
        let hit = duel.impact(0.1, 1e-6).unwrap();
        assert!((hit.time - 0.18 / 5.0).abs() < 1e-6 && hit.normal.distance(DVec3::Y) < 1e-9, "{hit:?}");
        let through = Duel { at: at.map(|x| DVec3::new(x.x, 0.0, x.z)), ..duel };
        assert!(through.near(0.0).normal.distance(DVec3::Y) < 1e-9);
    }
}

//! What a rope can be bent by on its way: straight edges, round bars and balls, which it meets when its line is swept over them.
//!
//! All is in the frame of the obstacle, where it stands still and the line moves from one place to another within the step. What counts is on
//! which side of an edge or of an axis the line is before and after, so that nothing is too thin to be met:
//! ```text
//! edge, bar    p = (x - e) . n,    n = d x u/|d x u|       from p >= R to p < R; R = 0 for an edge
//! ball         |v| = R first,      v from the centre to the nearest point of the line
//! ```

use super::Groove;
use glam::DVec3;

/// A piece of the surface of a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Feature {
    /// From a point along a unit vector, with the outward unit vector between its two faces.
    Edge {
        start: DVec3,
        along: DVec3,
        length: f64,
        outward: DVec3,
    },
    /// All within a radius of a straight piece.
    Bar {
        start: DVec3,
        along: DVec3,
        length: f64,
        radius: f64,
    },
    Ball {
        centre: DVec3,
        radius: f64,
    },
}

/// Where a line that is swept meets a feature.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    /// Part of the step that has gone, 0 to 1.
    pub time: f64,
    /// The guide that it becomes.
    pub groove: Groove,
}

/// Halvings of a step: to the last bit of its time.
const HALVINGS: usize = 52;
/// Least sine of the angle between a rope and an edge or bar that leads it: along them there is no side.
const ACROSS: f64 = 0.2;

/// A line from one point to another, at the start of a step and at its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sweep {
    pub from: [DVec3; 2],
    pub to: [DVec3; 2],
}

impl Sweep {
    /// The line when this part of the step has gone.
    fn at(&self, time: f64) -> [DVec3; 2] {
        [0, 1].map(|k| self.from[k] + time * (self.to[k] - self.from[k]))
    }

    /// When a function of the line changes its sign, which is positive before.
    fn when(&self, until: f64, f: impl Fn([DVec3; 2]) -> f64) -> f64 {
        let (mut low, mut high) = (0.0, until);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if f(self.at(middle)) > 0.0 { low = middle } else { high = middle }
        }
        high
    }

    /// The feature that the line meets within the step, for a rope of this half thickness, m.
    pub fn meets(&self, feature: &Feature, half: f64) -> Option<Meeting> {
        match *feature {
            Feature::Edge { start, along, length, outward } => {
                let side = |line: [DVec3; 2]| offset(line, start, along, Some(outward));
                if !(side(self.from)? > 0.0 && side(self.to)? <= 0.0) {
                    return None;
                }
                let time = self.when(1.0, |line| side(line).unwrap_or(0.0));
                let (on_rope, on_edge) = nearest(self.at(time), start, along)?;
                let inside = on_rope > 0.0 && on_rope < 1.0 && on_edge >= 0.0 && on_edge <= length;
                inside.then(|| Meeting { time, groove: Groove::edge(start, along, outward, length) })
            }
            Feature::Bar { start, along, length, radius } => {
                let reach = radius + half;
                let first = offset(self.from, start, along, None)?;
                let sign = first.signum();
                // The side is that of the line before: its normal turns with the line.
                let turned = |line: [DVec3; 2]| offset(line, start, along, None).map(|p| sign * p - reach);
                if !(turned(self.from)? >= 0.0 && turned(self.to)? < 0.0) {
                    return None;
                }
                let time = self.when(1.0, |line| turned(line).unwrap_or(0.0));
                let (on_rope, on_bar) = nearest(self.at(time), start, along)?;
                let (_, at) = nearest(self.to, start, along)?;
                let inside = on_rope > 0.0 && on_rope < 1.0 && on_bar >= 0.0 && on_bar <= length;
                let centre = start + at.clamp(0.0, length) * along;
                inside.then(|| {
                    let zero = along.any_orthonormal_vector();
                    Meeting { time, groove: Groove::round(centre, along, zero, reach, -sign) }
                })
            }
            Feature::Ball { centre, radius } => self.ball(centre, radius + half),
        }
    }

    fn ball(&self, centre: DVec3, reach: f64) -> Option<Meeting> {
        let off = |line: [DVec3; 2]| {
            let u = (line[1] - line[0]).normalize_or_zero();
            let from = line[0] - centre;
            from - from.dot(u) * u
        };
        let (first, last) = (off(self.from), off(self.to));
        if !(first.length() >= reach) {
            return None;
        }
        // It may have gone through the middle: then it was nearest about when it passed that.
        let passed = if last.dot(first) < 0.0 { self.when(1.0, |line| off(line).dot(first)) } else { 1.0 };
        if !(off(self.at(passed)).length() < reach) {
            return None;
        }
        let time = self.when(passed, |line| off(line).length() - reach);
        let line = self.at(time);
        let way = line[1] - line[0];
        let on_rope = (centre - line[0]).dot(way) / way.length_squared();
        let axis = off(line).cross(way).try_normalize()?;
        let inside = on_rope > 0.0 && on_rope < 1.0;
        let groove = Groove::round(centre, axis, axis.any_orthonormal_vector(), reach, 1.0);
        inside.then_some(Meeting { time, groove })
    }
}

/// How far a line is from another one through `start`, m, on the side of `outward` or of n; none where they are nearly parallel, or the line
/// points straight out.
fn offset(line: [DVec3; 2], start: DVec3, along: DVec3, outward: Option<DVec3>) -> Option<f64> {
    let u = (line[1] - line[0]).try_normalize()?;
    let n = along.cross(u);
    let n = (n.length() > ACROSS).then(|| n.normalize())?;
    let n = match outward {
        Some(out) if n.dot(out).abs() < ACROSS => return None,
        Some(out) => n * n.dot(out).signum(),
        None => n,
    };
    Some((line[0] - start).dot(n))
}

/// Where a line and another one through `start` are nearest: part of the first, and length along the second, m.
fn nearest(line: [DVec3; 2], start: DVec3, along: DVec3) -> Option<(f64, f64)> {
    let way = line[1] - line[0];
    let across = way - way.dot(along) * along;
    let from = line[0] - start;
    let part = -from.dot(across) / across.length_squared();
    part.is_finite().then(|| (part, (from + part * way).dot(along)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep(from: DVec3, to: DVec3) -> Sweep {
        let half = DVec3::X;
        Sweep { from: [from - half, from + half], to: [to - half, to + half] }
    }

    #[test]
    fn nothing_is_too_thin_to_be_met_and_what_is_beside_is_not() {
        let edge = Feature::Edge { start: -DVec3::Z, along: DVec3::Z, length: 2.0, outward: DVec3::Y };
        let bar = |radius: f64| Feature::Bar { start: -DVec3::Z, along: DVec3::Z, length: 2.0, radius };
        let ball = |radius: f64| Feature::Ball { centre: DVec3::ZERO, radius };
        for (top, bottom) in [(1e-6, -1e-6), (1.0, -1.0), (0.3, -50.0)] {
            let down = sweep(DVec3::Y * top, DVec3::Y * bottom);
            let up = sweep(DVec3::Y * bottom, DVec3::Y * top);
            let hit = down.meets(&edge, 0.0).unwrap();
            assert!((hit.time - top / (top - bottom)).abs() < 1e-12, "{}", hit.time);
            assert!(up.meets(&edge, 0.0).is_none(), "from inside nothing is met");
            for thin in [bar(1e-9), ball(1e-9)] {
                assert!(down.meets(&thin, 0.0).is_some() && up.meets(&thin, 0.0).is_some());
            }
        }
        let beside = |x: DVec3| sweep(DVec3::Y + x, -DVec3::Y + x);
        for far in [2.0 * DVec3::X, 2.0 * DVec3::Z] {
            for f in [edge, bar(0.1), ball(0.1)] {
                assert!(beside(far).meets(&f, 0.0).is_none(), "{f:?} {far}");
            }
        }
        // Half of the rope's thickness is added.
        let near = sweep(DVec3::Y, 0.104 * DVec3::Y);
        assert!(near.meets(&bar(0.1), 0.0).is_none() && near.meets(&bar(0.1), 0.005).is_some());
        assert!(near.meets(&ball(0.1), 0.0).is_none() && near.meets(&ball(0.1), 0.005).is_some());
        // It comes on the side that it was on: from above the rope turns against z, from below about it.
        assert_eq!(sweep(DVec3::Y, -DVec3::Y).meets(&bar(0.1), 0.0).unwrap().groove.side, -1.0);
        assert_eq!(sweep(-DVec3::Y, DVec3::Y).meets(&bar(0.1), 0.0).unwrap().groove.side, 1.0);
    }
}

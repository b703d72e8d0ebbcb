//! A straight span of rope between two guides: its tangent points, its length, and how these change with the bodies that carry the guides.
//!
//! A guide is a point, the point of an edge that the rope passes at (`edge`), or the groove of a sheave or drum: a circle of pitch radius r about a centre, in the plane across an axis. The rope
//! runs about +axis (side +1) or -axis (side -1) from its start to its end. Where it leaves one guide and meets the next is found from
//! ```text
//! (t2 - t1) . e1 = 0,   (t2 - t1) . e2 = 0        t = c + r e,   e = cos(angle) zero + sin(angle) axis x zero
//! ```
//! in closed form for parallel axes, from there by Newton's method. The material between a mark on the first guide and one on the second is
//! ```text
//! measure = length + r1 s1 angle1 - r2 s2 angle2
//! ```
//! and its gradient, moving tangent points included, is that of a rod between the material tangent points, and a further term where the
//! axes are not square to the rope (the fleet angle). By it forces and moments of a span cancel to rounding.
//!
//! On a drum with layers the radius is r + g angle, and what is wound r angle + g angle^2/2. The line stays square to the radius at its
//! end, so the measure does not change with the angle in first order, and the gradient is that of a rod all the same.

use super::wound;
use glam::DVec3;

/// A guide at the pose of its body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guide {
    /// Centre of the circle, or the point, m.
    pub centre: DVec3,
    /// Centre of mass of the body, m.
    pub body: DVec3,
    /// Unit axis of the circle.
    pub axis: DVec3,
    /// Unit vector across the axis that moves with the body: where angles are measured from.
    pub zero: DVec3,
    /// Pitch radius, m; zero for a point or an edge. With layers that at the angle zero,
    pub radius: f64,
    /// which grows by this with the angle, m/rad; angles are then those nearest to `near`, rad.
    pub growth: f64,
    pub near: f64,
    /// Which way the rope goes round: +1 about the axis, -1 against it.
    pub side: f64,
    /// Length of an edge, m, else zero.
    pub length: f64,
}

impl Guide {
    fn is_round(&self) -> bool {
        self.radius > 0.0
    }

    /// Pitch radius at an angle, m.
    pub fn radius_at(&self, angle: f64) -> f64 {
        if self.growth == 0.0 { self.radius } else { self.radius + self.growth * angle }
    }

    /// Rope on it from the angle zero to another, in the sense that it goes round, m.
    pub fn rolled(&self, angle: f64) -> f64 {
        super::rolled((self.radius, self.growth, self.side), angle)
    }

    /// Direction from the centre at an angle, and across it along the circle.
    pub fn rim(&self, angle: f64) -> [DVec3; 2] {
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        let e = cos * self.zero + sin * self.axis.cross(self.zero);
        [e, self.axis.cross(e)]
    }

    /// Angle of the tangent point for a way `to` the other guide's centre, which lies at `reach` of this circle's radius across it: the
    /// direction n with n . to = reach.
    fn tangent(&self, to: DVec3, reach: f64, leaves: f64) -> Option<f64> {
        let flat = to - to.dot(self.axis) * self.axis;
        let distance = flat.length();
        let cos = reach / distance;
        if !(cos.abs() <= 1.0) {
            return None;
        }
        let (ahead, sin) = (flat / distance, -leaves * (1.0 - cos * cos).sqrt());
        let n = cos * ahead + sin * self.axis.cross(ahead);
        Some(libm::atan2(n.dot(self.axis.cross(self.zero)), n.dot(self.zero)))
    }
}

/// A span at some pose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// m.
    pub length: f64,
    /// Unit vector from the first guide to the second.
    pub along: DVec3,
    /// Tangent points, m.
    pub ends: [DVec3; 2],
    /// Where they are on their circles, rad, from -pi to pi; zero for points.
    pub angles: [f64; 2],
    /// Gradient of the measure by velocity and angular velocity of the two bodies.
    pub jacobian: [[f64; 6]; 2],
}

/// Most steps of Newton's method; with axes apart by a radian five are enough.
const STEPS: usize = 12;
/// Tangent points are exact to this part of the span.
const EXACT: f64 = 1e-15;
/// A gradient of the measure by an angle of this part of the radius is rounding: the axis is square to the rope.
const SQUARE: f64 = 1e-14;

impl Span {
    /// The span between two guides; none where no straight line touches both in the right sense, as when one circle is inside the other.
    pub fn between(a: &Guide, b: &Guide) -> Option<Self> {
        let (round, to) = ([a.is_round(), b.is_round()], b.centre - a.centre);
        let same = a.side * b.side * if round[0] && round[1] && a.axis.dot(b.axis) < 0.0 { -1.0 } else { 1.0 };
        let mut angles = [0.0; 2];
        let radii = [a.radius_at(a.near), b.radius_at(b.near)];
        let turned = |g: &Guide, angle: f64| if g.growth == 0.0 { angle } else { wound(angle, g.near) };
        if round[0] {
            angles[0] = turned(a, a.tangent(to, radii[0] - same * radii[1], a.side)?);
        }
        if round[1] {
            angles[1] = turned(b, b.tangent(to, same * radii[0] - radii[1], b.side)?);
        }
        let mut touch = Touch::at(a, b, angles);
        for _ in 0..STEPS {
            let miss = touch.miss();
            if miss[0].abs().max(miss[1].abs()) <= EXACT * touch.way.length() {
                break;
            }
            let turn = solve2(touch.by_angles(), miss)?;
            angles = [angles[0] - turn[0], angles[1] - turn[1]];
            touch = Touch::at(a, b, angles);
        }
        touch.span(angles)
    }

    /// Material between the marks of the guides, m, with angles that may have gone round.
    pub fn measure(&self, a: &Guide, b: &Guide, angles: [f64; 2]) -> f64 {
        self.length + measure_touching(a, b, angles)
    }

    /// Gradient by velocity and angular velocity of the bodies of what changes by `by` with the direction of the span between these guides.
    pub fn turning(&self, a: &Guide, b: &Guide, by: DVec3) -> [[f64; 6]; 2] {
        let touch = Touch::at(a, b, self.angles);
        let f = (by - by.dot(self.along) * self.along) / self.length;
        let end = |k: usize, g: &Guide| f.dot(touch.radii[k] * touch.rims[k][1] + g.growth * touch.rims[k][0]);
        touch.gradient(f, Some([-end(0, a), end(1, b)])).unwrap_or([[0.0; 6]; 2])
    }

    /// How far the rope is off square to the axis of a guide, rad.
    pub fn fleet(&self, guide: &Guide) -> f64 {
        if guide.is_round() { libm::asin(self.along.dot(guide.axis).clamp(-1.0, 1.0)).abs() } else { 0.0 }
    }
}

/// Material between the marks of two guides that overlap, m: no line touches both, and they are held to be as near as where the last one did,
/// when its length was zero.
pub(crate) fn measure_touching(a: &Guide, b: &Guide, angles: [f64; 2]) -> f64 {
    a.rolled(angles[0]) - b.rolled(angles[1])
}

/// Two guides with a line between points on their circles.
struct Touch<'a> {
    a: &'a Guide,
    b: &'a Guide,
    ends: [DVec3; 2],
    /// Directions from the centres and along the circles, at the ends, and the radii there, m.
    rims: [[DVec3; 2]; 2],
    radii: [f64; 2],
    way: DVec3,
}

impl<'a> Touch<'a> {
    fn at(a: &'a Guide, b: &'a Guide, angles: [f64; 2]) -> Self {
        let rims = [a.rim(angles[0]), b.rim(angles[1])];
        let radii = [a.radius_at(angles[0]), b.radius_at(angles[1])];
        let ends = [a.centre + radii[0] * rims[0][0], b.centre + radii[1] * rims[1][0]];
        Touch { a, b, ends, rims, radii, way: ends[1] - ends[0] }
    }

    /// By how much the line is no tangent at its ends, m; a point is always touched.
    fn miss(&self) -> [f64; 2] {
        let at = |k: usize, guide: &Guide| if guide.is_round() { self.way.dot(self.rims[k][0]) } else { 0.0 };
        [at(0, self.a), at(1, self.b)]
    }

    /// How that changes with the angles.
    fn by_angles(&self) -> [[f64; 2]; 2] {
        let [[e1, along1], [e2, along2]] = self.rims;
        let mut out = [[1.0, 0.0], [0.0, 1.0]];
        if self.a.is_round() {
            out[0] = [self.way.dot(along1), self.radii[1] * along2.dot(e1)];
        }
        if self.b.is_round() {
            out[1] = [-self.radii[0] * along1.dot(e2), self.way.dot(along2)];
        }
        // The circles grow with their angles.
        if self.a.growth != 0.0 {
            out[0][0] -= self.a.growth;
            out[1][0] -= if self.b.is_round() { self.a.growth * e1.dot(e2) } else { 0.0 };
        }
        if self.b.growth != 0.0 {
            out[1][1] += self.b.growth;
            out[0][1] += if self.a.is_round() { self.b.growth * e2.dot(e1) } else { 0.0 };
        }
        out
    }

    fn span(&self, angles: [f64; 2]) -> Option<Span> {
        let length = self.way.length();
        let u = self.way / length;
        if !u.is_finite() {
            return None;
        }
        let slope = |k: usize, g: &Guide| self.radii[k] * (g.side - u.dot(self.rims[k][1]));
        let by = [slope(0, self.a), -slope(1, self.b)];
        let slides = by[0].abs() > SQUARE * self.a.radius || by[1].abs() > SQUARE * self.b.radius;
        let jacobian = self.gradient(u, slides.then_some(by))?;
        Some(Span { length, along: u, ends: self.ends, angles, jacobian })
    }

    /// Gradient by velocity and angular velocity of the bodies of what changes by f with the way, and by this with the angles of the tangent
    /// points; none: not at all.
    fn gradient(&self, f: DVec3, by: Option<[f64; 2]>) -> Option<[[f64; 6]; 2]> {
        let arms = [self.ends[0] - self.a.body, self.ends[1] - self.b.body];
        let mut jacobian = [six(-f, -arms[0].cross(f)), six(f, arms[1].cross(f))];
        let Some(by) = by else { return Some(jacobian) };
        // The tangent points move along their circles by -G_angle^-1 G_x.
        let g = self.by_angles();
        let weights = solve2([[g[0][0], g[1][0]], [g[0][1], g[1][1]]], by)?;
        for (k, _) in [self.a, self.b].into_iter().enumerate().filter(|(_, g)| g.is_round()) {
            let e = self.rims[k][0];
            let turn = e.cross(self.way);
            let [near, far] = [six(-e, -arms[0].cross(e)), six(e, arms[1].cross(e))];
            for c in 0..6 {
                jacobian[0][c] -= weights[k] * near[c];
                jacobian[1][c] -= weights[k] * far[c];
            }
            for c in 0..3 {
                jacobian[k][3 + c] -= weights[k] * turn[c];
            }
        }
        Some(jacobian)
    }
}

fn six(linear: DVec3, angular: DVec3) -> [f64; 6] {
    let ([a, b, c], [d, e, f]) = (linear.to_array(), angular.to_array());
    [a, b, c, d, e, f]
}

/// x with m x = b.
fn solve2(m: [[f64; 2]; 2], b: [f64; 2]) -> Option<[f64; 2]> {
    let det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    let x = [(b[0] * m[1][1] - m[0][1] * b[1]) / det, (m[0][0] * b[1] - b[0] * m[1][0]) / det];
    x.iter().all(|x| x.is_finite()).then_some(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DMat3, DQuat};
    use std::f64::consts::{PI, TAU};

    struct Draw(u64);
    impl Draw {
        fn unit(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
        }
        fn vec(&mut self) -> DVec3 {
            DVec3::new(self.unit(), self.unit(), self.unit())
        }
    }

    /// A guide in the frame of its body, and the pose of that.
    #[derive(Clone, Copy)]
    struct Carried {
        at: DVec3,
        axis: DVec3,
        zero: DVec3,
        radius: f64,
        growth: f64,
        near: f64,
        side: f64,
        pos: DVec3,
        rot: DMat3,
    }

    impl Carried {
        fn guide(&self) -> Guide {
            let (r, s) = (self.radius, self.side);
            let centre = self.pos + self.rot * self.at;
            let (axis, zero, growth) = (self.rot * self.axis, self.rot * self.zero, self.growth);
            Guide { centre, body: self.pos, axis, zero, radius: r, growth, near: self.near, side: s, length: 0.0 }
        }
        fn moved(mut self, by: &[f64]) -> Self {
            self.pos += DVec3::new(by[0], by[1], by[2]);
            self.rot = DMat3::from_quat(DQuat::from_scaled_axis(DVec3::new(by[3], by[4], by[5]))) * self.rot;
            self
        }
    }

    /// Measure of a span with its angles nearest to some others.
    fn value(a: &Carried, b: &Carried, near: [f64; 2]) -> f64 {
        let (a, b) = (a.guide(), b.guide());
        let s = Span::between(&a, &b).unwrap();
        let wound = |k: usize| s.angles[k] + TAU * ((near[k] - s.angles[k]) / TAU).round();
        s.measure(&a, &b, [wound(0), wound(1)])
    }

    fn pair(draw: &mut Draw, round: [bool; 2], sides: [f64; 2], fleet: f64) -> [Carried; 2] {
        let flat = DVec3::new(1.0, 1.0, 0.0);
        let mut make = |k: usize| {
            let turn = DQuat::from_scaled_axis(fleet * draw.vec()) * DQuat::from_rotation_z(PI * draw.unit());
            let off = if k == 1 { DVec3::new(4.0, 2.0, fleet * 3.0 * draw.unit()) } else { DVec3::ZERO };
            Carried {
                at: 0.5 * draw.vec() * flat,
                axis: DVec3::Z,
                zero: DVec3::X,
                radius: if round[k] { 0.5 + 0.3 * draw.unit() } else { 0.0 },
                growth: 0.0,
                near: 0.0,
                side: sides[k],
                pos: draw.vec() * flat + off,
                rot: DMat3::from_quat(turn),
            }
        };
        [make(0), make(1)]
    }

    const KINDS: [([bool; 2], [f64; 2]); 8] = [
        ([false, false], [1.0, 1.0]),
        ([true, false], [1.0, 1.0]),
        ([true, false], [-1.0, 1.0]),
        ([false, true], [1.0, -1.0]),
        ([true, true], [1.0, 1.0]),
        ([true, true], [-1.0, -1.0]),
        ([true, true], [1.0, -1.0]),
        ([true, true], [-1.0, 1.0]),
    ];

    #[test]
    fn gradients_are_those_of_difference_quotients_with_and_without_fleet_angle() {
        let mut draw = Draw(1);
        for (round, sides) in KINDS {
            for fleet in [0.0, 0.05, 0.2] {
                let mut worst = 0.0_f64;
                for _ in 0..40 {
                    let [a, b] = pair(&mut draw, round, sides, fleet);
                    let s = Span::between(&a.guide(), &b.guide()).unwrap();
                    for c in 0..12 {
                        let at = |e: f64| {
                            let mut by = [0.0; 12];
                            by[c] = e;
                            value(&a.moved(&by[..6]), &b.moved(&by[6..]), s.angles)
                        };
                        let e = 1e-4;
                        let slope = (8.0 * (at(e) - at(-e)) - (at(2.0 * e) - at(-2.0 * e))) / (12.0 * e);
                        worst = worst.max((s.jacobian[c / 6][c % 6] - slope).abs());
                    }
                }
                println!("{round:?} {sides:?} fleet {fleet}: {worst:.1e}");
                assert!(worst < 2e-10, "{round:?} {sides:?} {fleet}: {worst:e}");
            }
        }
    }

    #[test]
    fn gradients_of_drums_with_layers_are_those_of_difference_quotients() {
        let mut draw = Draw(4);
        for (round, sides) in KINDS.into_iter().filter(|k| k.0[0] || k.0[1]) {
            for (fleet, turns) in [(0.0, 0.0), (0.0, 7.0), (0.1, -3.0)] {
                let mut worst = 0.0_f64;
                for _ in 0..20 {
                    let [mut a, mut b] = pair(&mut draw, round, sides, fleet);
                    let (first, second) = (round[0], round[1]);
                    // The radius stays positive as far as it is wound.
                    (a.growth, b.growth) = (if first { 0.003 } else { 0.0 }, if second { -0.002 } else { 0.0 });
                    (a.near, b.near) = (TAU * turns, -TAU * turns);
                    let s = Span::between(&a.guide(), &b.guide()).unwrap();
                    assert!(!first || (s.angles[0] - a.near).abs() < PI);
                    assert!(!first || s.along.dot(a.guide().rim(s.angles[0])[0]).abs() < 1e-13, "square to the radius");
                    for c in 0..12 {
                        let at = |e: f64| {
                            let mut by = [0.0; 12];
                            by[c] = e;
                            let (mut a, mut b) = (a.moved(&by[..6]), b.moved(&by[6..]));
                            (a.near, b.near) = (s.angles[0], s.angles[1]);
                            value(&a, &b, s.angles)
                        };
                        let e = 1e-4;
                        let slope = (8.0 * (at(e) - at(-e)) - (at(2.0 * e) - at(-2.0 * e))) / (12.0 * e);
                        worst = worst.max((s.jacobian[c / 6][c % 6] - slope).abs());
                    }
                }
                println!("{round:?} {sides:?} fleet {fleet}, {turns} turns: {worst:.1e}");
                assert!(worst < 1e-9, "{round:?} {sides:?} {fleet} {turns}: {worst:e}");
            }
        }
    }

    #[test]
    fn forces_and_moments_of_a_span_cancel() {
        let mut draw = Draw(2);
        for (round, sides) in KINDS {
            for fleet in [0.0, 0.3] {
                for _ in 0..50 {
                    let [a, b] = pair(&mut draw, round, sides, fleet);
                    let s = Span::between(&a.guide(), &b.guide()).unwrap();
                    let part = |k: usize, c: usize| DVec3::from_slice(&s.jacobian[k][c..c + 3]);
                    let force = part(0, 0) + part(1, 0);
                    let moment = part(0, 3) + a.pos.cross(part(0, 0)) + part(1, 3) + b.pos.cross(part(1, 0));
                    assert!(force.length() < 1e-14 && moment.length() < 3e-14, "{force} {moment}");
                }
            }
        }
    }

    #[test]
    fn second_derivatives_are_those_of_a_rod_between_the_tangent_points_and_none_about_the_axis() {
        let mut draw = Draw(3);
        for (round, sides) in KINDS {
            for _ in 0..10 {
                let [a, b] = pair(&mut draw, round, sides, 0.0);
                let s = Span::between(&a.guide(), &b.guide()).unwrap();
                let rod = |by: &[f64]| {
                    // The same tangent points, fixed to the bodies.
                    let fixed =
                        |c: &Carried, end: DVec3| Carried { at: c.rot.transpose() * (end - c.pos), radius: 0.0, ..*c };
                    let (p, q) = (fixed(&a, s.ends[0]), fixed(&b, s.ends[1]));
                    value(&p.moved(&by[..6]), &q.moved(&by[6..]), [0.0; 2])
                };
                let path = |by: &[f64]| value(&a.moved(&by[..6]), &b.moved(&by[6..]), s.angles);
                for _ in 0..20 {
                    let d: Vec<f64> = (0..12).map(|_| draw.unit()).collect();
                    let second = |f: &dyn Fn(&[f64]) -> f64| {
                        let at = |e: f64| f(&d.iter().map(|x| e * x).collect::<Vec<_>>());
                        let q = 2e-3;
                        (16.0 * (at(q) + at(-q)) - (at(2.0 * q) + at(-2.0 * q)) - 30.0 * at(0.0)) / (12.0 * q * q)
                    };
                    let (x, y) = (second(&path), second(&rod));
                    assert!((x - y).abs() < 1e-7 * (1.0 + y.abs()), "{round:?} {sides:?}: {x} {y}");
                }
            }
        }
    }

    #[test]
    fn tangents_that_are_not_there_are_none() {
        let at = |x: f64, r: f64, side: f64| Guide {
            centre: DVec3::X * x,
            body: DVec3::ZERO,
            axis: DVec3::Z,
            zero: DVec3::X,
            radius: r,
            growth: 0.0,
            near: 0.0,
            side,
            length: 0.0,
        };
        assert!(Span::between(&at(0.0, 1.0, 1.0), &at(0.5, 0.2, 1.0)).is_none(), "one inside the other");
        assert!(Span::between(&at(0.0, 1.0, 1.0), &at(1.5, 1.0, -1.0)).is_none(), "crossed, and they overlap");
        assert!(Span::between(&at(0.0, 1.0, 1.0), &at(1.5, 1.0, 1.0)).is_some(), "open, and they overlap");
        assert!(Span::between(&at(0.0, 0.0, 1.0), &at(0.0, 0.0, 1.0)).is_none(), "the same point");
        assert!(Span::between(&at(0.0, 1.0, 1.0), &at(0.0, 1.0, 1.0)).is_none(), "the same circle");
        assert!(Span::between(&at(f64::NAN, 1.0, 1.0), &at(0.0, 1.0, 1.0)).is_none());
    }
}

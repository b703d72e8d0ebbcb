//! Polygons of features: clipping one against another along a direction, and which corner or edge a point is at.
//!
//! ```text
//! side plane of edge (a, b) along n:   s(x) = ((b - a) x n).(x - a) <= 0 inside, for a loop counter-clockwise seen from n
//! ```

use crate::tuning::T;
use glam::DVec3;

/// A face (three corners or more), an edge (two) or a corner (one), with names of the corners.
#[derive(Clone, Debug, Default)]
pub(crate) struct Polygon {
    pub points: Vec<DVec3>,
    pub ids: Vec<u32>,
    /// Outward unit normal of a face; zero else.
    pub normal: DVec3,
    /// Name of the face.
    pub face: u32,
}

impl Polygon {
    pub fn clear(&mut self) {
        self.points.clear();
        self.ids.clear();
        (self.normal, self.face) = (DVec3::ZERO, 0);
    }

    pub fn push(&mut self, point: DVec3, id: u32) {
        self.points.push(point);
        self.ids.push(id);
    }

    pub fn is_face(&self) -> bool {
        self.points.len() > 2
    }

    /// Turns and moves it.
    pub fn place(&mut self, rot: glam::DQuat, pos: DVec3) {
        for p in &mut self.points {
            *p = pos + rot * *p;
        }
        self.normal = rot * self.normal;
    }

    /// How near to a corner or an edge a point is at it, m.
    pub fn near(&self) -> f64 {
        let first = self.points.first().copied().unwrap_or_default();
        T.manifold.at * self.points.iter().fold(0.0, |m: f64, p| p.distance_squared(first).max(m)).sqrt()
    }

    /// Name of the corner, edge or face that a point (of the polygon, up to a shift along `n`) is at, when that is no farther than `near`.
    pub fn locate(&self, x: DVec3, n: DVec3, near: f64) -> u32 {
        const EDGE: u32 = 1 << 30;
        const FACE: u32 = 2 << 30;
        let across = |v: DVec3| v - n * n.dot(v);
        let count = self.points.len();
        if count == 1 {
            return self.ids[0];
        }
        for k in 0..count {
            if across(x - self.points[k]).length_squared() <= near * near {
                return self.ids[k];
            }
        }
        for k in 0..if count == 2 { 1 } else { count } {
            let (a, b) = (self.points[k], self.points[(k + 1) % count]);
            let side = across(b - a);
            let from = across(x - a);
            if side.cross(from).length_squared() <= near * near * side.length_squared() {
                return EDGE | (self.face * 64 + k as u32);
            }
        }
        FACE | self.face
    }

    /// The part of `self` that is over the face `by` along `n`, into `out`; `spare` is overwritten.
    pub fn clip(&self, by: &Polygon, n: DVec3, spare: &mut Vec<DVec3>, out: &mut Vec<DVec3>) {
        out.clear();
        out.extend_from_slice(&self.points);
        // The loop is counter-clockwise seen from its own front.
        let sense = if by.normal.dot(n) < 0.0 { -1.0 } else { 1.0 };
        for k in 0..by.points.len() {
            let (a, b) = (by.points[k], by.points[(k + 1) % by.points.len()]);
            let plane = (b - a).cross(n) * sense;
            // Points on the plane stay, with the noise they have.
            let slack = 1e-9 * plane.length() * (b - a).length();
            std::mem::swap(spare, out);
            cut(spare, a, plane, slack, out);
        }
    }
}

/// The part of a polygon (or edge) with plane.(x - a) <= slack.
fn cut(points: &[DVec3], a: DVec3, plane: DVec3, slack: f64, out: &mut Vec<DVec3>) {
    out.clear();
    let count = points.len();
    for k in 0..count {
        let (p, q) = (points[k], points[(k + 1) % count]);
        let (s, t) = (plane.dot(p - a), plane.dot(q - a));
        if s <= slack {
            out.push(p);
        }
        // An edge is run through once, not back.
        if (s <= slack) != (t <= slack) && (count > 2 || k == 0) {
            out.push(p + (q - p) * (s / (s - t)).clamp(0.0, 1.0));
        }
    }
}

/// Closest points of two straight pieces; one in the middle where they are parallel.
pub(crate) fn closest_on_edges(a: (DVec3, DVec3), b: (DVec3, DVec3)) -> (DVec3, DVec3) {
    let (d, e, r) = (a.1 - a.0, b.1 - b.0, a.0 - b.0);
    let (dd, ee, de) = (d.dot(d), e.dot(e), d.dot(e));
    let (dr, er) = (d.dot(r), e.dot(r));
    let clamp = |x: f64| x.clamp(0.0, 1.0);
    if dd == 0.0 && ee == 0.0 {
        return (a.0, b.0);
    }
    if dd == 0.0 {
        return (a.0, b.0 + e * clamp(er / ee));
    }
    if ee == 0.0 {
        return (a.0 + d * clamp(-dr / dd), b.0);
    }
    let det = dd * ee - de * de;
    let mut s = if det > 1e-14 * dd * ee { clamp((de * er - dr * ee) / det) } else { 0.5 };
    let t = (de * s + er) / ee;
    if !(0.0..=1.0).contains(&t) {
        s = clamp((de * clamp(t) - dr) / dd);
    }
    (a.0 + d * s, b.0 + e * clamp((de * s + er) / ee))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(half: f64, y: f64, turn: f64) -> Polygon {
        let mut p = Polygon { normal: DVec3::Y, ..Polygon::default() };
        for k in 0..4 {
            let angle = turn + f64::from(k) * std::f64::consts::FRAC_PI_2;
            p.push(DVec3::new(angle.sin(), 0.0, angle.cos()) * half * 2.0_f64.sqrt() + DVec3::Y * y, k);
        }
        p
    }

    fn area(points: &[DVec3]) -> f64 {
        let sum = (1..points.len() - 1).map(|k| (points[k] - points[0]).cross(points[k + 1] - points[0]).y);
        0.5 * sum.sum::<f64>()
    }

    #[test]
    fn clipping_gives_the_common_area() {
        let quarter = std::f64::consts::FRAC_PI_4;
        let (mut spare, mut out) = (Vec::new(), Vec::new());
        let (a, b) = (square(1.0, 0.3, quarter), square(1.0, 0.0, 0.0));
        a.clip(&b, DVec3::Y, &mut spare, &mut out);
        // Two squares at 45 degrees share an octagon of 8 (sqrt 2 - 1).
        assert_eq!(out.len(), 8);
        assert!((area(&out).abs() - 8.0 * (2.0_f64.sqrt() - 1.0)).abs() < 1e-12);
        assert!(out.iter().all(|p| (p.y - 0.3).abs() < 1e-15));
        // The same square keeps its four corners.
        a.clip(&square(1.0, 0.0, quarter), DVec3::NEG_Y, &mut spare, &mut out);
        assert_eq!(out.len(), 4);
        // An edge through the middle.
        let mut edge = Polygon::default();
        edge.push(DVec3::new(-5.0, 0.1, 0.2), 0);
        edge.push(DVec3::new(5.0, 0.1, 0.2), 1);
        edge.clip(&square(1.0, 0.0, quarter), DVec3::Y, &mut spare, &mut out);
        assert_eq!(out.len(), 2);
        assert!((out[0].distance(out[1]) - 2.0).abs() < 1e-12);
        edge.place(glam::DQuat::IDENTITY, DVec3::Z * 3.0);
        edge.clip(&b, DVec3::Y, &mut spare, &mut out);
        assert!(out.is_empty());
    }

    #[test]
    fn points_are_named_by_corner_edge_and_face() {
        let p = square(1.0, 0.0, std::f64::consts::FRAC_PI_4);
        let c = p.points[2];
        assert_eq!(p.locate(c + DVec3::new(1e-4, 0.7, -1e-4), DVec3::Y, p.near()), 2);
        let middle = 0.5 * (p.points[0] + p.points[1]);
        assert_eq!(p.locate(middle, DVec3::Y, p.near()), 1 << 30);
        assert_eq!(p.locate(DVec3::ZERO, DVec3::Y, p.near()), 2 << 30);
    }

    #[test]
    fn closest_points_of_edges() {
        let x = |y: f64| (DVec3::new(-1.0, y, 0.0), DVec3::new(1.0, y, 0.0));
        let z = (DVec3::new(0.3, 2.0, -1.0), DVec3::new(0.3, 2.0, 1.0));
        let (p, q) = closest_on_edges(x(0.0), z);
        assert!((p - DVec3::X * 0.3).length() < 1e-15 && (q - DVec3::new(0.3, 2.0, 0.0)).length() < 1e-15);
        let (p, q) = closest_on_edges(x(0.0), x(1.0));
        assert_eq!((p - q).length(), 1.0);
        let far = (DVec3::new(4.0, 1.0, 0.0), DVec3::new(5.0, 1.0, 0.0));
        assert_eq!(closest_on_edges(x(0.0), far), (DVec3::X, DVec3::new(4.0, 1.0, 0.0)));
        assert_eq!(closest_on_edges(far, x(0.0)), (DVec3::new(4.0, 1.0, 0.0), DVec3::X));
        let point = (DVec3::Y, DVec3::Y);
        assert_eq!(closest_on_edges(point, x(0.0)), (DVec3::Y, DVec3::ZERO));
        assert_eq!(closest_on_edges(x(0.0), point), (DVec3::ZERO, DVec3::Y));
    }
}

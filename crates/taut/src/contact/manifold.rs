//! Contact points of two convex solids at given poses.
//!
//! ```text
//! n: unit, from b to a       point on a = core point - n skin_a       point on b = core point + n skin_b
//! distance = n.(point_a - point_b)
//! ```
//!
//! The faces (or edges, or corners) that look at each other along n are clipped against each other; where that gives no point as
//! near as the solids are, the closest points are taken.

use super::axis::{Duo, Separation};
use super::convex::{Convex, Core};
use super::polygon::{Polygon, closest_on_edges};
use super::terrain::Element;
use crate::math::pose::Pose;
use crate::tuning::T;
use glam::DVec3;

/// A contact point in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Touch {
    pub point_a: DVec3,
    pub point_b: DVec3,
    /// Unit, from b to a.
    pub normal: DVec3,
    /// n.(point_a - point_b), m.
    pub distance: f64,
    /// The distance that the present motion would leave after the step if it comes nearer, m.
    pub next: f64,
    /// Part and feature of a and b.
    pub features: [u64; 2],
}

impl Touch {
    /// By features, then by place.
    pub fn order(&self, other: &Touch) -> std::cmp::Ordering {
        let (p, q) = (self.point_b, other.point_b);
        let place = || p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(p.z.total_cmp(&q.z));
        self.features.cmp(&other.features).then_with(place)
    }
}

/// Work memory of the narrow phase.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    a: Polygon,
    b: Polygon,
    clipped: Vec<DVec3>,
    spare: Vec<DVec3>,
}

/// A convex solid at a pose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed<'a> {
    pub solid: &'a Convex,
    pub pose: Pose,
}

/// How two solids are apart, in the world: unit normal from b to a, and the distance of their surfaces along it, m.
pub(crate) fn separation(a: &Placed<'_>, b: &Placed<'_>, limit: f64) -> Option<(DVec3, f64, Separation)> {
    let duo = Duo { a: a.solid, b: b.solid, rel: a.pose.relative(&b.pose) };
    let skin = a.solid.skin + b.solid.skin;
    let s = duo.separate(limit + skin)?;
    Some((-(a.pose.rot * s.normal), s.gap - skin, s))
}

/// Contact points nearer than `limit`, added to `out`; `side` is the triangle of a terrain that b is, in the frame of b.
pub(crate) fn touches(
    a: &Placed<'_>,
    b: &Placed<'_>,
    side: Option<&Element>,
    limit: f64,
    scratch: &mut Scratch,
    out: &mut Vec<Touch>,
) {
    let Some((free, distance, s)) = separation(a, b, limit) else { return };
    let normal = match side {
        None => free,
        Some(e) => {
            let Some(admitted) = e.admit(b.pose.rot.inverse() * free) else { return };
            b.pose.rot * admitted
        }
    };
    let corrected = (normal - free).length_squared() > 1e-24;
    let normal = if corrected { normal } else { free };
    // Everything relative to a's origin: far from the world's nothing is lost.
    a.solid.feature(a.pose.rot.inverse() * -normal, &mut scratch.a);
    scratch.a.place(a.pose.rot, DVec3::ZERO);
    b.solid.feature(b.pose.rot.inverse() * normal, &mut scratch.b);
    scratch.b.place(b.pose.rot, b.pose.pos - a.pose.pos);
    let pair = Pair { a, b, normal, limit, near: [scratch.a.near(), scratch.b.near()] };
    let first = out.len();
    pair.features(scratch, out);
    let nearest = out[first..].iter().fold(f64::INFINITY, |m, t| t.distance.min(m));
    let size = 1e-3 * (a.solid.arm + a.solid.skin).min(b.solid.arm + b.solid.skin);
    if corrected || nearest <= distance + size {
        return;
    }
    let (p, q) = s.witness.unwrap_or_else(|| deepest(a, b, &s, scratch));
    pair.push(scratch, a.pose.rot * p, a.pose.rot * q, out);
}

/// Deepest point over a face whose normal is the contact's, in the frame of a, and the point under it.
fn deepest(a: &Placed<'_>, b: &Placed<'_>, s: &Separation, scratch: &Scratch) -> (DVec3, DVec3) {
    let n = s.normal;
    if scratch.a.is_face() && scratch.a.normal.dot(a.pose.rot * n) > 1.0 - 1e-9 {
        let rel = a.pose.relative(&b.pose);
        let q = rel.to_world(b.solid.support(rel.rot.inverse() * -n));
        return (q - n * s.gap, q);
    }
    let p = a.solid.support(n);
    (p, p + n * s.gap)
}

struct Pair<'a> {
    a: &'a Placed<'a>,
    b: &'a Placed<'a>,
    normal: DVec3,
    limit: f64,
    /// How near to corners and edges of their features points are at them, m.
    near: [f64; 2],
}

impl Pair<'_> {
    /// A contact of two core points, relative to a's origin.
    fn push(&self, scratch: &Scratch, p: DVec3, q: DVec3, out: &mut Vec<Touch>) {
        let n = self.normal;
        let (p, q) = (p - n * self.a.solid.skin, q + n * self.b.solid.skin);
        let distance = n.dot(p - q);
        if distance <= self.limit {
            let features = [scratch.a.locate(p, n, self.near[0]), scratch.b.locate(q, n, self.near[1])].map(u64::from);
            out.push(Touch {
                point_a: p + self.a.pose.pos,
                point_b: q + self.a.pose.pos,
                normal: n,
                distance,
                next: distance,
                features,
            });
        }
    }

    /// Contacts of the two features.
    fn features(&self, scratch: &mut Scratch, out: &mut Vec<Touch>) {
        let n = self.normal;
        let facing = |p: &Polygon, sign: f64| if p.is_face() { sign * p.normal.dot(n) } else { 0.0 };
        let (fa, fb) = (facing(&scratch.a, -1.0), facing(&scratch.b, 1.0));
        if fa.max(fb) < T.manifold.facing {
            return self.edges(scratch, out);
        }
        // The flatter face is clipped against; of equals that of b.
        let on_a = fa > fb + 1e-3;
        let Scratch { a, b, clipped, spare } = &mut *scratch;
        let (face, other) = if on_a { (&*a, &*b) } else { (&*b, &*a) };
        other.clip(face, n, spare, clipped);
        let (base, up) = (face.points[0], face.normal);
        let points = std::mem::take(clipped);
        for &x in &points {
            // Along n onto the face.
            let y = x - n * ((x - base).dot(up) / n.dot(up));
            let (p, q) = if on_a { (y, x) } else { (x, y) };
            self.push(scratch, p, q, out);
        }
        scratch.clipped = points;
    }

    /// Contacts of two edges: where they cross, or both ends of what parallel ones share.
    fn edges(&self, scratch: &Scratch, out: &mut Vec<Touch>) {
        let (a, b) = (&scratch.a.points, &scratch.b.points);
        let round = |c: &Convex| matches!(c.core, Core::Point | Core::Segment(_) | Core::Cylinder(..));
        if !round(self.a.solid) || !round(self.b.solid) {
            return;
        }
        let (&[a0, a1], &[b0, b1]) = (&a[..], &b[..]) else {
            if let (Some(&p), Some(&q)) = (a.first(), b.first()) {
                let end = |v: &[DVec3], first: DVec3| v.last().copied().unwrap_or(first);
                let (p, q) = closest_on_edges((p, end(a, p)), (q, end(b, q)));
                self.push(scratch, p, q, out);
            }
            return;
        };
        let (d, e) = (a1 - a0, b1 - b0);
        let (length, width) = (d.length(), e.length());
        if d.dot(e).abs() < T.manifold.parallel * length * width {
            let (p, q) = closest_on_edges((a0, a1), (b0, b1));
            return self.push(scratch, p, q, out);
        }
        // Parameters of b's ends along a, and back.
        let along = d / length;
        let (s, t) = ((b0 - a0).dot(along), (b1 - a0).dot(along));
        let (from, to) = (s.min(t).max(0.0), s.max(t).min(length));
        if from > to {
            let (p, q) = closest_on_edges((a0, a1), (b0, b1));
            return self.push(scratch, p, q, out);
        }
        for x in [from, to] {
            let q = b0 + e * ((x - s) / (t - s)).clamp(0.0, 1.0);
            self.push(scratch, a0 + along * x, q, out);
        }
    }
}

/// Contact points of a convex solid and the half space behind the plane through `b.pos` with the unit normal `n` (world).
pub(crate) fn plane_touches(
    a: &Placed<'_>,
    origin: DVec3,
    n: DVec3,
    limit: f64,
    scratch: &mut Scratch,
    out: &mut Vec<Touch>,
) {
    a.solid.lowest(a.pose.rot.inverse() * -n, &mut scratch.a);
    scratch.a.place(a.pose.rot, a.pose.pos - origin);
    for (k, &x) in scratch.a.points.iter().enumerate() {
        let p = x - n * a.solid.skin;
        let distance = n.dot(p);
        if distance <= limit {
            let q = p - n * distance;
            let features = [u64::from(scratch.a.ids[k]), 0];
            out.push(Touch { point_a: p + origin, point_b: q + origin, normal: n, distance, next: distance, features });
        }
    }
}

/// Least height of a convex solid over a plane.
pub(crate) fn height(a: &Placed<'_>, origin: DVec3, n: DVec3) -> f64 {
    let low = a.pose.to_world(a.solid.support(a.pose.rot.inverse() * -n));
    n.dot(low - origin) - a.solid.skin
}

//! Rays on parts of shapes.
//!
//! ```text
//! half space n.x <= d:   t = (d - n.o) / n.u        polyhedron: the last plane entered, if it is before the first one left
//! triangle:              (o + t u - a).(normal) = 0, inside of all three edges
//! ```

use super::convex::{Convex, Core};
use super::geometry::{Part, Solid};
use super::nearest::{mixed, on_triangle};
use super::parry;
use crate::math::pose::Pose;
use crate::math::so3::from_y;
use glam::DVec3;

/// Distance along a unit direction to a part at a pose and the normal there, against the ray. A ray that begins inside hits at
/// once.
pub(crate) fn hit(
    part: &Part,
    pose: &Pose,
    ray: (DVec3, DVec3),
    limit: f64,
    elements: &mut Vec<u32>,
) -> Option<(f64, DVec3)> {
    let local = (pose.to_local(ray.0), pose.rot.inverse() * ray.1);
    let (distance, normal) = match &part.solid {
        Solid::Convex(c) if c.core == Core::Polyhedron => polyhedron(c, local, limit),
        Solid::Convex(c) => parry::round_ray(c, local.0, local.1, limit),
        Solid::Plane(n) => plane(*n, local, limit),
        Solid::Terrain(t) => {
            t.along(local.0, local.1, limit, elements);
            elements.iter().fold(None, |best: Option<(f64, DVec3)>, &id| {
                let e = t.element(id);
                let nearest = best.map_or(limit, |b| b.0);
                triangle(e.corners, e.normal, local, nearest).filter(|h| best.is_none_or(|b| h.0 < b.0)).or(best)
            })
        }
    }?;
    let normal = pose.rot * normal;
    Some((distance, if distance == 0.0 || !(normal.length_squared() > 0.5) { -ray.1 } else { normal }))
}

/// The same on all points within a radius of a triangle; a bar has its second corner twice.
pub(crate) fn skinned(corners: [DVec3; 3], radius: f64, ray: (DVec3, DVec3), limit: f64) -> Option<(f64, DVec3)> {
    let [a, b, c] = corners;
    let mut best: Option<(f64, DVec3)> = None;
    let mut keep = |found: Option<(f64, DVec3)>| {
        best = found.filter(|h| best.is_none_or(|b| h.0 < b.0)).or(best);
    };
    if mixed(corners, on_triangle(ray.0, corners)).distance(ray.0) <= radius {
        return Some((0.0, -ray.1));
    }
    if let Some(normal) = (b - a).cross(c - a).try_normalize() {
        for n in [normal, -normal] {
            // Only the side that the ray comes from.
            keep(triangle(corners.map(|x| x + radius * n), normal, ray, limit).filter(|h| h.1.dot(n) > 0.0));
        }
    }
    for [p, q] in [[a, b], [b, c], [c, a]] {
        let mut bar = Convex::bar();
        bar.set_bar(0.5 * p.distance(q), radius);
        let rot = from_y((q - p).try_normalize().unwrap_or(DVec3::Y));
        let part = Part { pose: Pose::IDENTITY, solid: Solid::Convex(bar) };
        keep(hit(&part, &Pose { pos: 0.5 * (p + q), rot }, ray, limit, &mut Vec::new()));
    }
    best
}

fn plane(n: DVec3, (o, u): (DVec3, DVec3), limit: f64) -> Option<(f64, DVec3)> {
    let (height, rate) = (n.dot(o), n.dot(u));
    if height <= 0.0 {
        return Some((0.0, n));
    }
    let t = -height / rate;
    (rate < 0.0 && t <= limit).then_some((t, n))
}

fn polyhedron(c: &Convex, (o, u): (DVec3, DVec3), limit: f64) -> Option<(f64, DVec3)> {
    let (mut enter, mut leave, mut normal) = (0.0, limit, DVec3::ZERO);
    for f in &c.faces {
        let corner = c.corners[c.loops[f.start as usize] as usize];
        let (height, rate) = (f.normal.dot(o - corner), f.normal.dot(u));
        if rate == 0.0 {
            if height > 0.0 {
                return None;
            }
            continue;
        }
        let t = -height / rate;
        if rate < 0.0 && t > enter {
            (enter, normal) = (t, f.normal);
        } else if rate > 0.0 {
            leave = t.min(leave);
        }
    }
    (enter <= leave).then_some((enter, normal))
}

fn triangle([a, b, c]: [DVec3; 3], normal: DVec3, (o, u): (DVec3, DVec3), limit: f64) -> Option<(f64, DVec3)> {
    let rate = normal.dot(u);
    let t = -normal.dot(o - a) / rate;
    if rate == 0.0 || !(0.0..=limit).contains(&t) {
        return None;
    }
    let x = o + u * t;
    // A hit on a common edge must not fall between two triangles.
    let inside = |p: DVec3, q: DVec3| (q - p).cross(x - p).dot(normal) >= -1e-12 * (q - p).length_squared();
    let hit = inside(a, b) && inside(b, c) && inside(c, a);
    hit.then_some((t, if rate < 0.0 { normal } else { -normal }))
}

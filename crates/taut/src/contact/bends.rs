//! What of a solid can bend a rope: edges of polyhedra, the sides of cylinders and capsules, balls, sharp edges and rims of terrains.

use super::bounds::Bounds;
use super::convex::{Convex, Core};
use super::geometry::{Geometry, Solid, turned};
use crate::math::pose::Pose;
use crate::reeve::obstacle::Feature;
use glam::DVec3;

/// Numbers of features of terrains begin here.
pub(crate) const TERRAIN: u32 = 1 << 31;

/// Whether a part of a shape is a terrain.
pub(crate) fn has_terrain(geometry: &Geometry) -> bool {
    geometry.parts.iter().any(|p| matches!(p.solid, Solid::Terrain(_)))
}

/// The features of the terrains of a shape that may be in a box, all in the frame of its body, numbered, to a reader; `ids` is memory.
pub(crate) fn features_in(
    geometry: &Geometry,
    pose: &Pose,
    around: &Bounds,
    ids: &mut Vec<u32>,
    mut each: impl FnMut(u32, Feature),
) {
    let mut first = TERRAIN;
    for part in &geometry.parts {
        let Solid::Terrain(t) = &part.solid else { continue };
        let at = pose.compose(&part.pose);
        t.elements(&turned(around, &at.relative(&Pose::IDENTITY)), ids);
        for &id in ids.iter() {
            t.sharp(id, |k, [a, b], outward| {
                let length = a.distance(b);
                if length > 0.0 && outward != DVec3::ZERO {
                    let edge = Feature::Edge { start: a, along: (b - a) / length, length, outward };
                    each(first.wrapping_add(3 * id + k), placed(edge, &at));
                }
            });
        }
        first = first.wrapping_add(3 * t.count());
    }
}

/// Whether a triangle of the terrains of a shape may be in a box in the frame of its body; `ids` is memory.
pub(crate) fn terrain_meets(geometry: &Geometry, pose: &Pose, around: &Bounds, ids: &mut Vec<u32>) -> bool {
    geometry.parts.iter().any(|part| {
        let Solid::Terrain(t) = &part.solid else { return false };
        t.elements(&turned(around, &pose.compose(&part.pose).relative(&Pose::IDENTITY)), ids);
        !ids.is_empty()
    })
}

/// The features of all parts of a shape in the frame of its body, numbered, to a reader. Planes have none, those of terrains are asked for by place.
pub(crate) fn features(geometry: &Geometry, pose: &Pose, mut each: impl FnMut(u32, Feature)) {
    let mut number = 0;
    for part in &geometry.parts {
        let Solid::Convex(c) = &part.solid else { continue };
        let at = pose.compose(&part.pose);
        of(c, |f| {
            each(number, placed(f, &at));
            number += 1;
        });
    }
}

fn of(c: &Convex, mut each: impl FnMut(Feature)) {
    let bar =
        |half: f64, radius: f64| Feature::Bar { start: -half * DVec3::Y, along: DVec3::Y, length: 2.0 * half, radius };
    match c.core {
        Core::Point => each(Feature::Ball { centre: DVec3::ZERO, radius: c.skin }),
        Core::Segment(half) => each(bar(half, c.skin)),
        Core::Cylinder(half, radius) => each(bar(half, radius + c.skin)),
        Core::Polyhedron => {
            for f in &c.faces {
                let ring = &c.loops[f.start as usize..f.end as usize];
                for k in 0..ring.len() {
                    let (a, b) = (ring[k], ring[(k + 1) % ring.len()]);
                    // Each edge is that of two faces, and runs backwards in the other.
                    let Some(other) = (if a < b { beyond(c, a, b) } else { None }) else { continue };
                    let (p, q) = (c.corners[a as usize], c.corners[b as usize]);
                    let (length, outward) = (p.distance(q), (f.normal + other).normalize_or_zero());
                    if length > 0.0 && outward != DVec3::ZERO {
                        each(Feature::Edge { start: p, along: (q - p) / length, length, outward });
                    }
                }
            }
        }
    }
}

/// Normal of the face in which an edge runs from b to a.
fn beyond(c: &Convex, a: u32, b: u32) -> Option<DVec3> {
    let has = |ring: &[u32]| (0..ring.len()).any(|k| ring[k] == b && ring[(k + 1) % ring.len()] == a);
    c.faces.iter().find(|f| has(&c.loops[f.start as usize..f.end as usize])).map(|f| f.normal)
}

fn placed(f: Feature, at: &Pose) -> Feature {
    let (point, turned) = (|p: DVec3| at.pos + at.rot * p, |v: DVec3| at.rot * v);
    match f {
        Feature::Edge { start, along, length, outward } => {
            Feature::Edge { start: point(start), along: turned(along), length, outward: turned(outward) }
        }
        Feature::Bar { start, along, length, radius } => {
            Feature::Bar { start: point(start), along: turned(along), length, radius }
        }
        Feature::Ball { centre, radius } => Feature::Ball { centre: point(centre), radius },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::shape::Shape;

    #[test]
    fn a_box_has_twelve_edges_that_look_out_and_a_cylinder_one_bar() {
        let list = |shape: Shape| {
            let mut all = Vec::new();
            features(&Geometry::new(&shape).unwrap(), &Pose::at(DVec3::X), |k, f| all.push((k, f)));
            all
        };
        let edges = list(Shape::cuboid(DVec3::new(0.1, 0.2, 0.3)));
        assert_eq!(edges.len(), 12);
        for (k, (number, f)) in edges.into_iter().enumerate() {
            assert_eq!(k as u32, number);
            let Feature::Edge { start, along, length, outward } = f else { panic!("{f:?}") };
            let middle = start + 0.5 * length * along - DVec3::X;
            assert!(outward.dot(middle) > 0.0 && outward.dot(along).abs() < 1e-15);
        }
        assert!(matches!(list(Shape::cylinder(0.5, 0.1))[..], [(0, Feature::Bar { radius: 0.1, length: 1.0, .. })]));
        assert!(matches!(list(Shape::ball(0.1))[..], [(0, Feature::Ball { radius: 0.1, .. })]));
        assert!(list(Shape::ground()).is_empty());
    }
}

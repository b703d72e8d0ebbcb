//! Closest points and penetration of two cores.

use super::{back, isometry, vector};
use crate::contact::convex::Convex;
use crate::math::pose::Pose;
use glam::DVec3;
use parry3d_f64::math::Vector;
use parry3d_f64::query::details::contact_support_map_support_map_with_params;
use parry3d_f64::query::gjk::{GJKResult, VoronoiSimplex};
use parry3d_f64::shape::SupportMap;

struct Map<'a>(&'a Convex);

impl SupportMap for Map<'_> {
    fn local_support_point(&self, dir: Vector) -> Vector {
        vector(self.0.support(back(dir)))
    }
}

/// What is known of two cores, in the frame of the first.
pub(crate) enum Closest {
    /// Farther apart than was asked for.
    Beyond,
    /// Unit vector from the first to the second, and a point of each: closest points, or deepest ones when the cores overlap.
    At { normal: DVec3, points: (DVec3, DVec3) },
    /// It was not found.
    Unknown,
}

/// Closest points of two cores up to `limit` apart; `rel` is the pose of the second in the frame of the first.
pub(crate) fn closest(a: &Convex, b: &Convex, rel: &Pose, limit: f64) -> Closest {
    let pose = isometry(rel);
    let limit = limit.min(1e150);
    let simplex = &mut VoronoiSimplex::new();
    match contact_support_map_support_map_with_params(&pose, &Map(a), &Map(b), limit, simplex, None) {
        GJKResult::ClosestPoints(p, q, n) => {
            let normal = back(n).normalize_or_zero();
            if normal == DVec3::ZERO || !(back(p) + back(q)).is_finite() {
                return Closest::Unknown;
            }
            Closest::At { normal, points: (back(p), back(q)) }
        }
        // Also said when it fails; a gap along its direction tells the two apart.
        GJKResult::NoIntersection(n) => {
            let d = back(n).normalize_or_zero();
            let gap = d.dot(rel.to_world(b.support(rel.rot.inverse() * -d))) - d.dot(a.support(d));
            if gap > limit { Closest::Beyond } else { Closest::Unknown }
        }
        _ => Closest::Unknown,
    }
}

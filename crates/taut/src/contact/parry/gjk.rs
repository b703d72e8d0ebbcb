//! Closest points of two cores.

use super::{back, isometry, to_unit, vector};
use crate::contact::convex::Convex;
use crate::math::pose::Pose;
use glam::DVec3;
use parry3d_f64::math::Vector;
use parry3d_f64::query::gjk::{CsoPoint, GJKResult, VoronoiSimplex, closest_points};
use parry3d_f64::shape::SupportMap;

/// A core scaled about the middle of the ball inside, in units of length.
struct Map<'a> {
    core: &'a Convex,
    scale: f64,
    units: f64,
}

impl SupportMap for Map<'_> {
    fn local_support_point(&self, dir: Vector) -> Vector {
        let far = self.core.support(back(dir));
        vector(self.units * if self.scale == 1.0 { far } else { self.core.inside.0.lerp(far, self.scale) })
    }
}

/// What is known of two cores, in the frame of the first.
pub(crate) enum Closest {
    /// Farther apart than was asked for.
    Beyond,
    /// Unit vector from the first to the second, and the closest point of each.
    At { normal: DVec3, points: (DVec3, DVec3) },
    /// They overlap, or it was not found.
    Unknown,
}

/// Closest points of two cores up to `limit` apart; `rel` is the pose of the second in the frame of the first.
pub(crate) fn closest(a: &Convex, b: &Convex, rel: &Pose, limit: f64) -> Closest {
    search([a, b], 1.0, rel, limit)
}

/// The direction from the first to the second when both are scaled down; none if they still overlap.
pub(crate) fn shrunk(a: &Convex, b: &Convex, rel: &Pose, scale: f64) -> Option<DVec3> {
    match search([a, b], scale, rel, f64::INFINITY) {
        Closest::At { normal, .. } => Some(normal),
        _ => None,
    }
}

fn search(cores: [&Convex; 2], scale: f64, rel: &Pose, limit: f64) -> Closest {
    let units = to_unit(cores[0]).max(to_unit(cores[1]));
    let [a, b] = &cores.map(|core| Map { core, scale, units });
    let rel = &Pose { pos: units * rel.pos, rot: rel.rot };
    let pose = isometry(rel);
    let limit = (units * limit).min(1e150);
    let start = vector(rel.pos.normalize_or(DVec3::X));
    let simplex = &mut VoronoiSimplex::new();
    simplex.reset(CsoPoint::from_shapes(&pose, a, b, start));
    match closest_points(&pose, a, b, limit, true, simplex) {
        GJKResult::ClosestPoints(p, q, n) => {
            let normal = back(n).normalize_or_zero();
            if normal == DVec3::ZERO || !(back(p) + back(q)).is_finite() {
                return Closest::Unknown;
            }
            Closest::At { normal, points: (back(p) / units, back(q) / units) }
        }
        // Also said when it fails; the gap along its direction tells the two apart.
        GJKResult::NoIntersection(n) => {
            let d = back(n).normalize_or_zero();
            let far = |m: &Map<'_>, d: DVec3| back(m.local_support_point(vector(d)));
            let gap = d.dot(rel.to_world(far(b, rel.rot.inverse() * -d))) - d.dot(far(a, d));
            if gap > limit { Closest::Beyond } else { Closest::Unknown }
        }
        _ => Closest::Unknown,
    }
}

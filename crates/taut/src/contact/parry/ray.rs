//! Rays on round solids.

use super::{back, to_unit, vector};
use crate::contact::convex::{Convex, Core};
use glam::DVec3;
use parry3d_f64::query::{Ray, RayCast};
use parry3d_f64::shape::{Ball, Capsule, Cylinder};

/// Distance and normal where a ray (unit direction, in the frame of the solid) enters a ball, capsule or cylinder from outside.
pub(crate) fn round_ray(solid: &Convex, origin: DVec3, direction: DVec3, limit: f64) -> Option<(f64, DVec3)> {
    let units = to_unit(solid);
    let ray = Ray::new(vector(units * origin), vector(direction));
    let (skin, limit) = (units * solid.skin, units * limit);
    let hit = match solid.core {
        Core::Point => Ball::new(skin).cast_local_ray_and_get_normal(&ray, limit, true),
        Core::Segment(half) => Capsule::new_y(units * half, skin).cast_local_ray_and_get_normal(&ray, limit, true),
        Core::Cylinder(half, radius) => {
            Cylinder::new(units * half, units * radius).cast_local_ray_and_get_normal(&ray, limit, true)
        }
        Core::Polyhedron => None,
    }?;
    Some((hit.time_of_impact / units, back(hit.normal)))
}

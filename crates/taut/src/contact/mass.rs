//! Mass properties of shapes.
//!
//! ```text
//! several bodies:   m = sum m_k,  m c = sum m_k c_k,  I = sum R_k I_k R_k^T + m_k (|d_k|^2 1 - d_k d_k^T),  d_k = c_k - c
//! ```

use super::convex::{Convex, Core};
use super::shape::Shape;
use crate::error::{Error, Result};
use crate::mass::MassProperties;
use crate::math::pose::Pose;
use crate::math::so3::outer;
use crate::model::unit;
use glam::{DMat3, DVec3};

impl MassProperties {
    /// A solid of a shape and a density (kg/m^3). Its centre is that of the shape's matter: a body whose pose is its centre of
    /// mass carries the collider at minus this centre. Parts of a compound that overlap count twice.
    pub fn of(shape: &Shape, density: f64) -> Result<Self> {
        shape.validate()?;
        match shape {
            Shape::Ball { radius } => MassProperties::sphere(density, *radius),
            Shape::Cuboid { half } => MassProperties::cuboid(density, *half),
            Shape::Capsule { half_length, radius } => MassProperties::capsule(density, *half_length, *radius),
            Shape::Cylinder { half_height, radius } => MassProperties::cylinder(density, *half_height, *radius),
            Shape::ConvexHull { .. } => {
                let solid = Convex::new(shape)?;
                debug_assert!(solid.core == Core::Polyhedron);
                MassProperties::convex_mesh(density, &solid.corners, &triangles(&solid))
            }
            Shape::Compound { parts } => {
                let mut all = Vec::with_capacity(parts.len());
                for (pose, s) in parts {
                    all.push((Pose { pos: pose.pos, rot: unit(pose.rot)? }, MassProperties::of(s, density)?));
                }
                sum(&all)
            }
            surface => Err(Error::input("shape", surface.name(), "a shape with a volume")),
        }
    }
}

/// The faces cut into triangles.
fn triangles(solid: &Convex) -> Vec<[u32; 3]> {
    let mut out = Vec::new();
    for f in &solid.faces {
        let ring = &solid.loops[f.start as usize..f.end as usize];
        out.extend((1..ring.len().saturating_sub(1)).map(|k| [ring[0], ring[k], ring[k + 1]]));
    }
    out
}

fn sum(parts: &[(Pose, MassProperties)]) -> Result<MassProperties> {
    let mass: f64 = parts.iter().map(|(_, m)| m.mass).sum();
    let place = |(pose, m): &(Pose, MassProperties)| pose.to_world(m.center);
    let center = parts.iter().fold(DVec3::ZERO, |s, p| s + place(p) * (p.1.mass / mass));
    let inertia = parts.iter().fold(DMat3::ZERO, |s, p| {
        let (r, d) = (DMat3::from_quat(p.0.rot), place(p) - center);
        let shift = DMat3::from_diagonal(DVec3::splat(d.length_squared())) - outer(d, d);
        s + r * p.1.inertia * r.transpose() + shift * p.1.mass
    });
    let sum = MassProperties::new(mass, 0.5 * (inertia + inertia.transpose()))?;
    Ok(MassProperties { center, ..sum })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: &MassProperties, b: &MassProperties) {
        assert!((a.mass - b.mass).abs() < 1e-12 * b.mass, "{a:?} {b:?}");
        assert!(
            (a.center - b.center).length() < 1e-12 && a.inertia.abs_diff_eq(b.inertia, 1e-12 * b.mass),
            "{a:?} {b:?}"
        );
    }

    #[test]
    fn a_box_as_hull_and_as_two_halves_is_the_box() {
        let half = DVec3::new(0.2, 0.5, 0.3);
        let whole = MassProperties::of(&Shape::cuboid(half), 700.0).unwrap();
        let corner =
            |k: u32| half * DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2)) * 2.0 - half;
        let hull = Shape::ConvexHull { points: (0..8).map(corner).chain([DVec3::ZERO]).collect() };
        close(&MassProperties::of(&hull, 700.0).unwrap(), &whole);
        // Two halves along y, one of them turned upside down.
        let piece = Shape::cuboid(half * DVec3::new(1.0, 0.5, 1.0));
        let turned = Pose { pos: DVec3::Y * 0.25, rot: glam::DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0) };
        let parts = vec![(Pose::at(DVec3::Y * -0.25), piece.clone()), (turned, piece)];
        close(&MassProperties::of(&Shape::Compound { parts }, 700.0).unwrap(), &whole);
    }
}

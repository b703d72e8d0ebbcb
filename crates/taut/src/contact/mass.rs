//! Mass properties of shapes.
//!
//! ```text
//! several bodies:   m = sum m_k,  m c = sum m_k c_k,  I = sum R_k I_k R_k^T + m_k (|d_k|^2 1 - d_k d_k^T),  d_k = c_k - c
//! ```

use super::convex::{Convex, Core};
use super::shape::Shape;
use crate::error::{Error, Result};
use crate::mass::MassProperties;
use crate::math::pose::{Pose, unit};
use crate::math::so3::outer;
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
                MassProperties::closed_mesh(density, &solid.corners, &solid.triangles())
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

    #[test]
    fn hulls_of_grids_and_of_points_on_a_ball() {
        // Many points in one plane and on one line.
        let grid = (0..125).map(|k| DVec3::new(f64::from(k % 5), f64::from(k / 5 % 5), f64::from(k / 25)) - 2.0);
        let hull = Shape::ConvexHull { points: grid.collect() };
        close(&MassProperties::of(&hull, 10.0).unwrap(), &MassProperties::cuboid(10.0, DVec3::splat(2.0)).unwrap());
        let spiral = |k: i32| {
            let y = f64::from(k) / 200.0 - 1.0;
            let (r, angle) = ((1.0 - y * y).sqrt(), 2.399963 * f64::from(k));
            DVec3::new(r * angle.cos(), y, r * angle.sin())
        };
        let ball = MassProperties::of(&Shape::ConvexHull { points: (0..=400).map(spiral).collect() }, 1.0).unwrap();
        let exact = MassProperties::sphere(1.0, 1.0).unwrap();
        assert!(ball.mass < exact.mass && ball.mass > 0.97 * exact.mass, "{} {}", ball.mass, exact.mass);
        let mut x = 0.5_f64;
        let mut next = || {
            x = 3.99 * x * (1.0 - x);
            x - 0.5
        };
        for _ in 0..500 {
            let points = (0..16).map(|_| DVec3::new(next(), next(), next())).collect();
            MassProperties::of(&Shape::ConvexHull { points }, 1.0).unwrap();
        }
    }

    #[test]
    fn awkward_points_make_a_hull_or_an_error() {
        let mut x = 0.37_f64;
        let mut next = || {
            x = 3.99 * x * (1.0 - x);
            x
        };
        let (mut made, mut refused) = (0, 0);
        for round in 0..4000 {
            // On a coarse grid, some pushed off it by little, some squeezed flat.
            let off = [0.0, 1e-15, 1e-12, 1e-9, 1e-6][round % 5];
            let flat = [1.0, 1e-3, 1e-6, 1e-8][round / 5 % 4];
            let points: Vec<DVec3> = (0..4 + round % 9)
                .map(|_| {
                    let p = DVec3::new((3.0 * next()).floor(), (3.0 * next()).floor(), (3.0 * next()).floor());
                    (p + off * DVec3::new(next(), next(), next())) * DVec3::new(1.0, flat, 1.0)
                })
                .collect();
            match Convex::new(&Shape::ConvexHull { points: points.clone() }) {
                _ if (Shape::ConvexHull { points: points.clone() }).validate().is_err() => refused += 1,
                Ok(c) => {
                    made += 1;
                    // It holds all points.
                    for f in &c.faces {
                        let on = c.corners[c.loops[f.start as usize] as usize];
                        let out = points.iter().fold(0.0_f64, |m, p| f.normal.dot(*p - on).max(m));
                        assert!(out < 3e-4 * flat + 1e-8, "round {round}: {out} m outside");
                    }
                }
                Err(_) => refused += 1,
            }
        }
        println!("{made} made, {refused} refused");
        assert!(made > 1000 && refused > 100, "{made} {refused}");
    }
}

//! Shapes of flat faces as triangles, for pictures and files.

use super::convex::Convex;
use super::shape::Shape;
use super::terrain::Terrain;
use crate::error::Result;
use glam::DVec3;

/// A surface of flat triangles.
///
/// A ramp as triangles, for a picture: a wedge of six corners has eight of them.
/// ```
/// use taut::{Shape, Vec3, shapes::Facets};
/// let profile = [Vec3::ZERO, 2.0 * Vec3::X, Vec3::new(2.0, 1.0, 0.0)];
/// let points = profile.into_iter().chain(profile.map(|p| p + Vec3::Z)).collect();
/// let Some(Facets { corners, triangles }) = Shape::ConvexHull { points }.facets()? else { panic!() };
/// assert_eq!((corners.len(), triangles.len()), (6, 8));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facets {
    /// Corners, m.
    pub corners: Vec<DVec3>,
    /// Corners of each triangle, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl Shape {
    /// Corners (m) and triangles, counter-clockwise from outside, of hulls, meshes and height fields, just as bodies collide with them;
    /// none for other shapes.
    pub fn facets(&self) -> Result<Option<Facets>> {
        self.validate()?;
        let (corners, triangles) = match self {
            Shape::ConvexHull { .. } => {
                let solid = Convex::new(self)?;
                let triangles = solid.triangles();
                (solid.corners, triangles)
            }
            Shape::Mesh { vertices, triangles } => (vertices.clone(), triangles.clone()),
            Shape::HeightField { heights, scale } => Terrain::grid(heights, *scale).triangles(),
            _ => return Ok(None),
        };
        Ok(Some(Facets { corners, triangles }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_become_triangles() {
        let corners = |k: u32| DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2));
        let cube = Shape::ConvexHull { points: (0..8).map(corners).collect() };
        let Facets { corners: points, triangles } = cube.facets().unwrap().unwrap();
        assert_eq!((points.len(), triangles.len()), (8, 12));
        // Closed and outward: the volume.
        let volume: f64 =
            triangles.iter().map(|t| t.map(|k| points[k as usize])).map(|[a, b, c]| a.dot(b.cross(c))).sum();
        assert!((volume / 6.0 - 1.0).abs() < 1e-12);
        let field = Shape::HeightField { heights: vec![vec![0.0, 1.0, 0.0]; 4], scale: DVec3::new(2.0, 0.5, 3.0) };
        let Facets { corners: points, triangles } = field.facets().unwrap().unwrap();
        assert_eq!((points.len(), triangles.len()), (12, 12));
        for t in &triangles {
            let [a, b, c] = t.map(|k| points[k as usize]);
            assert!((b - a).cross(c - a).y > 0.0);
        }
        assert_eq!(points.iter().map(|p| p.y).fold(0.0, f64::max), 0.5);
        assert_eq!(Shape::ball(1.0).facets().unwrap(), None);
        assert!(Shape::ConvexHull { points: vec![DVec3::ZERO; 4] }.facets().is_err());
    }
}

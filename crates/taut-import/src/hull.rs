//! Points that have a hull.

use taut::{MassProperties, Vec3};

/// Points of a hull, and by how much they were moved for that, of the largest extent of the mesh.
pub struct Hull {
    pub points: Vec<Vec3>,
    pub moved: f64,
}

/// Grids that points are put on where they have no hull as they are, of the largest extent.
const GRIDS: [f64; 4] = [1e-6, 1e-5, 1e-4, 1e-3];

/// Points whose hull the engine can make: those of a mesh, or else those on the finest grid on which they have one. Points that almost
/// coincide, as in meshes of scanners and CAD, lead hulls astray.
pub fn of(points: &[Vec3]) -> Result<Hull, String> {
    let why = match try_hull(points) {
        Ok(()) => return Ok(Hull { points: points.to_vec(), moved: 0.0 }),
        Err(why) => why,
    };
    let first = points.first().copied().unwrap_or_default();
    let low = points.iter().fold(first, |m, v| m.min(*v));
    let size = points.iter().fold(first, |m, v| m.max(*v)) - low;
    for grid in GRIDS {
        let step = grid * size.max_element();
        let mut rounded: Vec<Vec3> = points.iter().map(|p| low + ((*p - low) / step).round() * step).collect();
        rounded.sort_by(|a, b| {
            a.to_array().iter().zip(b.to_array()).fold(std::cmp::Ordering::Equal, |o, (x, y)| o.then(x.total_cmp(&y)))
        });
        rounded.dedup();
        if try_hull(&rounded).is_ok() {
            return Ok(Hull { points: rounded, moved: grid });
        }
    }
    Err(why)
}

fn try_hull(points: &[Vec3]) -> Result<(), String> {
    // Of any density: what counts is whether there is a volume.
    let solid = MassProperties::of(&taut::Shape::ConvexHull { points: points.to_vec() }, 1000.0);
    solid.map(|_| ()).map_err(|e| e.to_string())
}

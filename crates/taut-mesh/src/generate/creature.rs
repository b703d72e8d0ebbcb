//! A small creature: the union of balls, 1 m tall.

use glam::DVec3;

use crate::embed::{Binding, embed};
use crate::error::{Error, length};
use crate::isosurface::isosurface;
use crate::surface::Surface;
use crate::voxel::{VoxelOptions, Voxels, voxelise_distance};

/// A creature of cubes, with the surface that they carry.
///
/// ```
/// let creature = taut_mesh::creature(0.08)?;
/// assert_eq!(creature.solid.mesh.parts(), 1);
/// assert_eq!(creature.bindings.len(), creature.surface.nodes.len());
/// # Ok::<(), taut_mesh::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Creature {
    /// The solid.
    pub solid: Voxels,
    /// The skin, for drawing and contact.
    pub surface: Surface,
    /// How the solid carries each node of the skin.
    pub bindings: Vec<Binding>,
}

/// Centres, m, and radii, m, of the balls: trunk, head, two for each leg and arm, tail.
///
/// It stands on y = 0, looks along +z, and is 1 m tall.
/// ```
/// let balls = taut_mesh::creature_balls();
/// let top = balls.iter().map(|(centre, radius)| centre.y + radius).fold(0.0, f64::max);
/// assert_eq!((balls[0].1, top), (0.25, 1.0));
/// ```
pub fn creature_balls() -> [(DVec3, f64); 11] {
    let ball = |x: f64, y: f64, z: f64, radius: f64| (DVec3::new(x, y, z), radius);
    [
        ball(0.0, 0.5, 0.0, 0.25),
        ball(0.0, 0.84, 0.02, 0.16),
        ball(-0.13, 0.27, 0.0, 0.12),
        ball(-0.16, 0.1, 0.04, 0.1),
        ball(0.13, 0.27, 0.0, 0.12),
        ball(0.16, 0.1, 0.04, 0.1),
        ball(-0.28, 0.58, 0.0, 0.1),
        ball(-0.41, 0.52, 0.04, 0.09),
        ball(0.28, 0.58, 0.0, 0.1),
        ball(0.41, 0.52, 0.04, 0.09),
        ball(0.0, 0.4, -0.28, 0.1),
    ]
}

/// Distance to the surface of the creature, m, negative inside; underestimated inside, where balls overlap.
///
/// ```
/// assert!(taut_mesh::creature_distance(glam::DVec3::new(0.0, 0.5, 0.0)) <= -0.25);
/// ```
pub fn creature_distance(point: DVec3) -> f64 {
    creature_balls().iter().fold(f64::INFINITY, |least, (centre, radius)| least.min(point.distance(*centre) - radius))
}

/// The creature in cubes of edge `size`, m (0.08 is a good choice), under a skin of half that fineness.
///
/// ```
/// let creature = taut_mesh::creature(0.08)?;
/// let skin = creature.surface.volume();
/// assert!((creature.solid.volume() / skin - 1.0).abs() < 0.04);
/// # Ok::<(), taut_mesh::Error>(())
/// ```
pub fn creature(size: f64) -> Result<Creature, Error> {
    length("size", size)?;
    let around = |balls: &[(DVec3, f64)]| {
        let low = balls.iter().fold(DVec3::MAX, |low, (centre, radius)| low.min(*centre - *radius));
        (low, balls.iter().fold(DVec3::MIN, |high, (centre, radius)| high.max(*centre + *radius)))
    };
    let (low, high) = around(&creature_balls());
    let solid = voxelise_distance(low, high, VoxelOptions::new(size), creature_distance)?;
    let fine = 0.5 * size;
    let surface = isosurface(low - fine, high + fine, fine, creature_distance)?;
    let bindings = embed(&solid.mesh, &surface.nodes)?;
    Ok(Creature { solid, surface, bindings })
}

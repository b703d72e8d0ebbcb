//! Solids of equal cubes, filled from a closed surface or from a signed distance.

mod columns;

use glam::DVec3;
use taut_elements::{Cell, Mesh};

use crate::error::{Error, input, length};
use crate::generate::{CORNERS, MOST_CELLS, triples};
use crate::surface::Surface;

/// How finely a solid is made of cubes.
///
/// ```
/// use taut_mesh::VoxelOptions;
/// let coarse = VoxelOptions { samples: 2, ..VoxelOptions::new(0.1) };
/// assert_eq!(coarse.size, 0.1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VoxelOptions {
    /// Edge of a cube, m.
    pub size: f64,
    /// Samples along each edge by which the filled fraction of a cube is found, 1 to 16; 4 by default.
    pub samples: usize,
    /// Cubes filled to less than this fraction are left out, 0 to 1; 0.05 by default, since nearly empty cubes make nodes of nearly no mass.
    pub least: f64,
}

impl VoxelOptions {
    /// Cubes of this edge, m, and the usual rest.
    pub fn new(size: f64) -> Self {
        VoxelOptions { size, samples: 4, least: 0.05 }
    }

    fn check(&self) -> Result<(), Error> {
        length("size", self.size)?;
        if !(1..=16).contains(&self.samples) {
            return Err(input("samples", self.samples, "1 to 16"));
        }
        if !(0.0..=1.0).contains(&self.least) {
            return Err(input("least", self.least, "a fraction, 0 to 1"));
        }
        Ok(())
    }
}

/// A solid of cubes.
///
/// ```
/// use glam::DVec3;
/// use taut_mesh::{VoxelOptions, voxelise_distance};
/// let ball = |p: DVec3| p.length() - 0.5;
/// let solid = voxelise_distance(-DVec3::ONE, DVec3::ONE, VoxelOptions::new(0.1), ball)?;
/// let exact = std::f64::consts::PI / 6.0;
/// assert!((solid.volume() / exact - 1.0).abs() < 0.02);
/// # Ok::<(), taut_mesh::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Voxels {
    /// Hexahedra, with x fastest, then y, then z.
    pub mesh: Mesh,
    /// The filled fraction of each hexahedron, by which its mass and stiffness are to be weighted.
    pub fraction: Vec<f64>,
    /// Edge of a cube, m.
    pub size: f64,
}

impl Voxels {
    /// The filled volume, m^3.
    pub fn volume(&self) -> f64 {
        self.fraction.iter().sum::<f64>() * self.size * self.size * self.size
    }
}

/// The lattice of cubes around a solid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    /// The lowest corner, m.
    pub origin: DVec3,
    /// Edge of a cube, m.
    pub size: f64,
    /// Cubes along each axis.
    pub cells: [usize; 3],
}

impl Grid {
    /// Cubes that cover the box between two corners, centred on it.
    pub fn around(low: DVec3, high: DVec3, size: f64) -> Result<Self, Error> {
        if !(low.is_finite() && high.is_finite() && low.cmplt(high).all()) {
            return Err(input("box", format!("{low} to {high}"), "finite corners, the first below the second"));
        }
        let counts = ((high - low) / size).ceil().max(DVec3::ONE);
        if !(counts.element_product() <= MOST_CELLS as f64) {
            let expected = format!("a size that needs at most {MOST_CELLS} cubes; this needs {counts}");
            return Err(input("size", size, expected));
        }
        let origin = 0.5 * (low + high) - 0.5 * size * counts;
        Ok(Grid { origin, size, cells: counts.to_array().map(|count| count as usize) })
    }

    fn index(&self, [i, j, k]: [usize; 3]) -> usize {
        i + self.cells[0] * (j + self.cells[1] * k)
    }
}

/// Fills a closed surface with cubes.
///
/// A sample is inside when a ray along x from it meets the surface an odd number of times. Rays through edges and nodes are counted once by a
/// half-open rule that is evaluated alike for both triangles of an edge, so that every ray leaves the surface as often as it enters.
/// ```
/// use taut_mesh::{Filling, Surface, VoxelOptions, bar, voxelise};
/// let cube = Surface::of(&bar(glam::DVec3::ONE, [1, 1, 1], Filling::Hexahedra)?.mesh).0;
/// let solid = voxelise(&cube, VoxelOptions::new(0.25))?;
/// assert_eq!((solid.mesh.cells.len(), solid.volume()), (64, 1.0));
/// # Ok::<(), taut_mesh::Error>(())
/// ```
pub fn voxelise(surface: &Surface, options: VoxelOptions) -> Result<Voxels, Error> {
    options.check()?;
    surface.check_closed()?;
    if let Some(bad) = surface.nodes.iter().find(|p| !p.is_finite()) {
        return Err(input("nodes", bad, "finite coordinates"));
    }
    let Some(&first) = surface.triangles.first().and_then(|t| surface.nodes.get(t[0] as usize)) else {
        return Err(input("triangles", 0, "at least the 4 of a tetrahedron"));
    };
    let used = surface.triangles.iter().flatten().map(|&n| surface.nodes[n as usize]);
    let (low, high) = used.fold((first, first), |(low, high), p| (low.min(p), high.max(p)));
    let grid = Grid::around(low, high, options.size)?;
    let rays = (grid.cells[1] * options.samples).saturating_mul(grid.cells[2] * options.samples);
    if rays > MOST_CELLS {
        return Err(input(
            "samples",
            options.samples,
            format!("at most {MOST_CELLS} rays through the solid, not {rays}"),
        ));
    }
    let inside = columns::inside(surface, grid, options.samples);
    let all = (options.samples * options.samples * options.samples) as f64;
    assemble(grid, inside.iter().map(|&count| f64::from(count) / all).collect(), options.least)
}

/// Fills the inside of a signed distance, m, negative inside, within the box from `low` to `high`.
///
/// The distance may be underestimated, as it is by unions and intersections, but must not grow faster than the way walked.
/// ```
/// use glam::DVec3;
/// use taut_mesh::{VoxelOptions, voxelise_distance};
/// let slab = |p: DVec3| p.y.abs() - 0.1;
/// let solid = voxelise_distance(-DVec3::ONE, DVec3::ONE, VoxelOptions::new(0.5), slab)?;
/// assert!(solid.fraction.iter().all(|&fraction| fraction == 0.25));
/// # Ok::<(), taut_mesh::Error>(())
/// ```
pub fn voxelise_distance(
    low: DVec3,
    high: DVec3,
    options: VoxelOptions,
    distance: impl Fn(DVec3) -> f64,
) -> Result<Voxels, Error> {
    options.check()?;
    let grid = Grid::around(low, high, options.size)?;
    let samples = options.samples;
    let all = (samples * samples * samples) as f64;
    let mut fraction = Vec::with_capacity(grid.cells.iter().product());
    for place in triples(grid.cells) {
        let corner = grid.origin + grid.size * DVec3::from_array(place.map(|i| i as f64));
        let middle = distance(corner + 0.5 * grid.size);
        if middle.is_nan() {
            return Err(input("distance", middle, format!("a length, m, at {}", corner + 0.5 * grid.size)));
        }
        // Half the diagonal of a cube; farther from the surface than that, it is all inside or all outside.
        let far = middle.abs() > 0.8661 * grid.size;
        let at = |sample: [usize; 3]| {
            corner + grid.size * DVec3::from_array(sample.map(|s| (s as f64 + 0.5) / samples as f64))
        };
        fraction.push(match (far, middle < 0.0) {
            (true, true) => 1.0,
            (true, false) => 0.0,
            _ => triples([samples; 3]).filter(|&sample| distance(at(sample)) < 0.0).count() as f64 / all,
        });
    }
    assemble(grid, fraction, options.least)
}

/// The cubes that are filled enough, and the nodes that they use.
fn assemble(grid: Grid, fraction: Vec<f64>, least: f64) -> Result<Voxels, Error> {
    let [nx, ny, _] = grid.cells;
    let corner = |[i, j, k]: [usize; 3]| i + (nx + 1) * (j + (ny + 1) * k);
    let corners = corner([0, 0, grid.cells[2] + 1]);
    let kept = |place: [usize; 3]| fraction[grid.index(place)] > 0.0 && fraction[grid.index(place)] >= least;
    let mut number = vec![u32::MAX; corners];
    for place in triples(grid.cells).filter(|&place| kept(place)) {
        CORNERS.iter().for_each(|&step| number[corner(add(place, step))] = 0);
    }
    let mut solid = Voxels { mesh: Mesh::default(), fraction: Vec::new(), size: grid.size };
    for place in triples(grid.cells.map(|n| n + 1)).filter(|&place| number[corner(place)] == 0) {
        solid.mesh.nodes.push(grid.origin + grid.size * DVec3::from_array(place.map(|i| i as f64)));
    }
    let used = number.iter_mut().filter(|n| **n == 0);
    used.zip(0..).for_each(|(number, next)| *number = next);
    for place in triples(grid.cells).filter(|&place| kept(place)) {
        solid.mesh.cells.push(Cell::hex8(CORNERS.map(|step| number[corner(add(place, step))])));
        solid.fraction.push(fraction[grid.index(place)]);
    }
    if solid.mesh.cells.is_empty() {
        return Err(input("size", grid.size, format!("small enough that a cube is filled to {least} at least")));
    }
    Ok(solid)
}

fn add(a: [usize; 3], b: [usize; 3]) -> [usize; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

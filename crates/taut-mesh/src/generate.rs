//! Generators of meshes. The same arguments give the same bits on every machine. Lengths are in m.

mod ball;
mod bar;
mod creature;
mod lines;
mod sheet;
mod tube;

pub use ball::ball;
pub use bar::{Filling, bar};
pub use creature::{Creature, creature, creature_balls, creature_distance};
pub use lines::{net, rope};
pub use sheet::{SheetCells, sheet};
pub use tube::{TubeSize, tube};

use taut_elements::Mesh;

use crate::error::{Error, input};

/// Most cells that a generator makes; a million hexahedra take some 100 MB.
pub(crate) const MOST_CELLS: usize = 20_000_000;

/// A mesh and the groups of cells over which the change of volume is averaged.
///
/// ```
/// use taut_mesh::{Filling, bar};
/// let cube = bar(glam::DVec3::ONE, [2, 2, 2], Filling::FiveTets)?;
/// assert!(cube.patches.iter().all(|patch| patch.len() == 5));
/// # Ok::<(), taut_mesh::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Patched {
    /// Nodes and cells.
    pub mesh: Mesh,
    /// Indices of the cells of each patch; every cell is in one.
    pub patches: Vec<Vec<u32>>,
}

impl Patched {
    /// Each cell is a patch by itself.
    pub(crate) fn each(mesh: Mesh) -> Self {
        let patches = (0..mesh.cells.len() as u32).map(|cell| vec![cell]).collect();
        Patched { mesh, patches }
    }
}

/// A regular lattice of cells; nodes and cells are numbered with the first axis fastest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lattice {
    /// Cells along each axis.
    pub cells: [usize; 3],
}

impl Lattice {
    /// Index of the node at i, j, k.
    pub fn node(&self, i: usize, j: usize, k: usize) -> u32 {
        let [nx, ny, _] = self.cells;
        (i + (nx + 1) * (j + (ny + 1) * k)) as u32
    }

    /// Places of the nodes in the order of their numbers.
    pub fn nodes(&self) -> impl Iterator<Item = [usize; 3]> {
        let [nx, ny, nz] = self.cells;
        triples([nx + 1, ny + 1, nz + 1])
    }

    /// The nodes of the cell at i, j, k, in the order of VTK.
    pub fn hexahedron(&self, [i, j, k]: [usize; 3]) -> [u32; 8] {
        CORNERS.map(|[a, b, c]| self.node(i + a, j + b, k + c))
    }

    /// The nodes of all cells.
    pub fn hexahedra(self) -> impl Iterator<Item = [u32; 8]> {
        triples(self.cells).map(move |place| self.hexahedron(place))
    }
}

/// Corners of a hexahedron in the order of VTK, in steps of the lattice.
pub(crate) const CORNERS: [[usize; 3]; 8] =
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];

/// All i, j, k below the counts, the first fastest.
pub(crate) fn triples([nx, ny, nz]: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    (0..nz).flat_map(move |k| (0..ny).flat_map(move |j| (0..nx).map(move |i| [i, j, k])))
}

/// Refuses counts below `least`, and more cells than `MOST_CELLS` in all.
pub(crate) fn cell_counts(names: &[&str], counts: &[usize], least: &[usize]) -> Result<(), Error> {
    let mut all = 1_usize;
    for ((name, &count), &least) in names.iter().zip(counts).zip(least) {
        if count < least {
            return Err(input(name, count, format!("at least {least}")));
        }
        all = all.saturating_mul(count);
        if all > MOST_CELLS {
            return Err(input(name, count, format!("at most {MOST_CELLS} cells in all")));
        }
    }
    Ok(())
}

//! Nodes and cells.

mod check;
mod measure;
mod seam;
mod topology;

pub use check::{MeshReport, Oriented};
pub(crate) use measure::{CORNERS, GAUSS, jacobian, tangents, trilinear};
pub use seam::Seam;
pub use topology::{Face, Lists};

use glam::DVec3;

/// The kinds of cells, with the node order of VTK.
///
/// ```text
/// Bar2   0-1
/// Tri3   0-1-2, the normal sees them anticlockwise
/// Quad4  0-1-2-3, around
/// Tet4   0-1-2 anticlockwise seen from 3: det(x1-x0, x2-x0, x3-x0) > 0
/// Hex8   0-1-2-3 around the lower face, anticlockwise seen from above; 4-5-6-7 above them
/// ```
///
/// ```
/// use taut_elements::CellKind;
/// assert_eq!((CellKind::Hex8.nodes(), CellKind::Hex8.dimension()), (8, 3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CellKind {
    /// A straight bar.
    Bar2,
    /// A triangle of a sheet.
    Tri3,
    /// A quadrilateral of a sheet.
    Quad4,
    /// A tetrahedron.
    Tet4,
    /// A hexahedron.
    Hex8,
}

impl CellKind {
    /// Number of nodes.
    pub const fn nodes(self) -> usize {
        match self {
            CellKind::Bar2 => 2,
            CellKind::Tri3 => 3,
            CellKind::Quad4 | CellKind::Tet4 => 4,
            CellKind::Hex8 => 8,
        }
    }

    /// 1 for bars, 2 for sheets, 3 for solids.
    pub const fn dimension(self) -> usize {
        match self {
            CellKind::Bar2 => 1,
            CellKind::Tri3 | CellKind::Quad4 => 2,
            CellKind::Tet4 | CellKind::Hex8 => 3,
        }
    }

    /// Number of integration points.
    pub const fn points(self) -> usize {
        match self {
            CellKind::Bar2 | CellKind::Tri3 | CellKind::Tet4 => 1,
            CellKind::Quad4 => 4,
            CellKind::Hex8 => 8,
        }
    }

    /// Local nodes of the edges.
    pub const fn edges(self) -> &'static [[u8; 2]] {
        match self {
            CellKind::Bar2 => &[[0, 1]],
            CellKind::Tri3 => &[[0, 1], [1, 2], [2, 0]],
            CellKind::Quad4 => &[[0, 1], [1, 2], [2, 3], [3, 0]],
            CellKind::Tet4 => &[[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]],
            CellKind::Hex8 => {
                &[[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 7], [7, 4], [0, 4], [1, 5], [2, 6], [3, 7]]
            }
        }
    }

    /// Local nodes of the faces, anticlockwise seen from outside; a sheet's cell is its own face, a
    /// bar has none.
    pub const fn faces(self) -> &'static [&'static [u8]] {
        match self {
            CellKind::Bar2 => &[],
            CellKind::Tri3 => &[&[0, 1, 2]],
            CellKind::Quad4 => &[&[0, 1, 2, 3]],
            CellKind::Tet4 => &[&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[2, 0, 3]],
            CellKind::Hex8 => {
                &[&[0, 3, 2, 1], &[4, 5, 6, 7], &[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[3, 0, 4, 7]]
            }
        }
    }
}

/// A cell: its kind and its nodes.
///
/// ```
/// use taut_elements::{Cell, CellKind};
/// let cell = Cell::tet4([7, 8, 9, 10]);
/// assert_eq!((cell.kind(), cell.nodes()), (CellKind::Tet4, &[7, 8, 9, 10][..]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    kind: CellKind,
    nodes: [u32; 8],
}

impl Cell {
    /// A cell of this kind, when the number of nodes is right.
    pub fn new(kind: CellKind, nodes: &[u32]) -> Option<Self> {
        (nodes.len() == kind.nodes()).then(|| Cell::of(kind, nodes))
    }

    fn of(kind: CellKind, nodes: &[u32]) -> Self {
        let mut all = [0; 8];
        all[..nodes.len()].copy_from_slice(nodes);
        Cell { kind, nodes: all }
    }

    /// A bar.
    pub fn bar2(nodes: [u32; 2]) -> Self {
        Cell::of(CellKind::Bar2, &nodes)
    }

    /// A triangle.
    pub fn tri3(nodes: [u32; 3]) -> Self {
        Cell::of(CellKind::Tri3, &nodes)
    }

    /// A quadrilateral.
    pub fn quad4(nodes: [u32; 4]) -> Self {
        Cell::of(CellKind::Quad4, &nodes)
    }

    /// A tetrahedron.
    pub fn tet4(nodes: [u32; 4]) -> Self {
        Cell::of(CellKind::Tet4, &nodes)
    }

    /// A hexahedron.
    pub fn hex8(nodes: [u32; 8]) -> Self {
        Cell::of(CellKind::Hex8, &nodes)
    }

    /// What it is.
    pub fn kind(&self) -> CellKind {
        self.kind
    }

    /// Indices of its nodes, in the order of [`CellKind`].
    pub fn nodes(&self) -> &[u32] {
        &self.nodes[..self.kind.nodes()]
    }

    /// The same indices, to be changed.
    pub fn nodes_mut(&mut self) -> &mut [u32] {
        &mut self.nodes[..self.kind.nodes()]
    }
}

/// A mesh at rest: nodes and the cells between them. Kinds may be mixed.
///
/// ```
/// use glam::DVec3;
/// use taut_elements::{Cell, Mesh};
/// let mesh = Mesh {
///     nodes: vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z],
///     cells: vec![Cell::tet4([0, 1, 2, 3])],
/// };
/// assert_eq!(mesh.check().unwrap().parts, 1);
/// assert!((mesh.volume(0) - 1.0 / 6.0).abs() < 1e-15);
/// assert_eq!(mesh.surface().len(), 4);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Positions at rest, m.
    pub nodes: Vec<DVec3>,
    /// Cells; their indices point into `nodes`.
    pub cells: Vec<Cell>,
}

impl Mesh {
    /// The positions of a cell's nodes; the rest of the array is zero.
    pub(crate) fn corners(&self, cell: usize) -> [DVec3; 8] {
        let mut x = [DVec3::ZERO; 8];
        for (x, &node) in x.iter_mut().zip(self.cells[cell].nodes()) {
            *x = self.nodes[node as usize];
        }
        x
    }
}

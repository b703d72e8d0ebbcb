//! What was wrong with an input: where, its value, and what was expected.

use std::fmt;

/// What is wrong with a mesh.
///
/// ```
/// use taut_elements::MeshFault;
/// assert_eq!(MeshFault::RepeatedNode.to_string(), "a node occurs twice in one cell");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshFault {
    /// A coordinate of a node is NaN or infinite.
    NotFinite,
    /// A cell names a node that does not exist.
    IndexOutOfRange,
    /// A node occurs twice in one cell.
    RepeatedNode,
    /// Two cells of one kind have the same nodes.
    DuplicateCell,
    /// Length, area or volume is nothing against the longest edge.
    Degenerate,
    /// A hexahedron or quadrilateral is folded: an integration point has no positive volume.
    Folded,
    /// More than two sheet cells share an edge.
    NonManifoldEdge,
    /// No cell uses the node.
    UnusedNode,
    /// There is no cell.
    Empty,
    /// A group of cells is not usable: too many nodes, a cell twice, or no solid.
    Group,
}

impl fmt::Display for MeshFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MeshFault::NotFinite => "a coordinate is not finite",
            MeshFault::IndexOutOfRange => "a node index is out of range",
            MeshFault::RepeatedNode => "a node occurs twice in one cell",
            MeshFault::DuplicateCell => "two cells have the same nodes",
            MeshFault::Degenerate => "the cell is degenerate",
            MeshFault::Folded => "the cell is folded",
            MeshFault::NonManifoldEdge => "too many sheet cells on one edge",
            MeshFault::UnusedNode => "the node belongs to no cell",
            MeshFault::Empty => "the mesh has no cells",
            MeshFault::Group => "the group of cells is not usable",
        })
    }
}

/// A fault of a mesh with its place.
///
/// ```
/// use taut_elements::{Cell, Mesh, MeshFault};
/// let nodes = vec![glam::DVec3::ZERO, glam::DVec3::X, glam::DVec3::Y];
/// let error = Mesh { nodes, cells: vec![Cell::tri3([1, 2, 3])] }.check().unwrap_err();
/// assert_eq!(error.fault, MeshFault::IndexOutOfRange);
/// assert!(error.to_string().contains("index base"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MeshError {
    /// What is wrong.
    pub fault: MeshFault,
    /// Index of the cell, where there is one.
    pub cell: Option<usize>,
    /// Nodes concerned: those of the cell, the two of an edge, or one.
    pub nodes: Vec<u32>,
    /// The offending number, in the unit that `expected` names.
    pub value: f64,
    /// What was expected.
    pub expected: &'static str,
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.fault)?;
        if let Some(cell) = self.cell {
            write!(f, " cell {cell},")?;
        }
        if !self.nodes.is_empty() {
            write!(f, " nodes")?;
            for node in &self.nodes {
                write!(f, " {node}")?;
            }
            write!(f, ",")?;
        }
        write!(f, " value {}; expected {}", self.value, self.expected)
    }
}

impl std::error::Error for MeshError {}

/// A number that cannot be used: which, its value, and what was expected.
///
/// ```
/// use taut_elements::Material;
/// let error = Material::new(1000.0, -1.0, 0.3).check().unwrap_err();
/// assert_eq!((error.name, error.value), ("young", -1.0));
/// assert_eq!(error.to_string(), "young = -1; expected a finite positive modulus, Pa");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct InputError {
    /// Which number.
    pub name: &'static str,
    /// What it was.
    pub value: f64,
    /// What was expected, with its unit.
    pub expected: &'static str,
}

impl InputError {
    pub(crate) fn new(name: &'static str, value: f64, expected: &'static str) -> Self {
        InputError { name, value, expected }
    }

    /// Refuses what is not finite and above the bound.
    pub(crate) fn above(name: &'static str, value: f64, bound: f64, expected: &'static str) -> Result<(), Self> {
        if value > bound && value.is_finite() { Ok(()) } else { Err(InputError { name, value, expected }) }
    }

    /// Refuses what is not finite and at least the bound.
    pub(crate) fn at_least(name: &'static str, value: f64, bound: f64, expected: &'static str) -> Result<(), Self> {
        if value >= bound && value.is_finite() { Ok(()) } else { Err(InputError { name, value, expected }) }
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}; expected {}", self.name, self.value, self.expected)
    }
}

impl std::error::Error for InputError {}

/// Why no elements could be built.
///
/// ```
/// use taut_elements::{Elements, Error, Material, Mesh};
/// let error = Elements::new(&Mesh::default(), &Material::new(1000.0, 1e6, 0.3)).unwrap_err();
/// assert!(matches!(error, Error::Mesh(_)));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// The mesh is at fault.
    Mesh(MeshError),
    /// The material, the frames or an option is at fault.
    Input(InputError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Mesh(error) => error.fmt(f),
            Error::Input(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<MeshError> for Error {
    fn from(error: MeshError) -> Self {
        Error::Mesh(error)
    }
}

impl From<InputError> for Error {
    fn from(error: InputError) -> Self {
        Error::Input(error)
    }
}

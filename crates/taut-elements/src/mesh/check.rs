//! What a mesh must satisfy before elements are built on it.

use super::{CellKind, Mesh};
use crate::error::{MeshError, MeshFault};

/// A volume below this times the cube of the longest edge is nothing: its gradients would not have
/// a correct digit.
const DEGENERATE: f64 = 1e-12;
/// Below this it is a sliver: usable, but it should be known.
const SLIVER: f64 = 1e-4;
/// Extents outside of this are likely in the wrong unit, m.
const EXTENT: [f64; 2] = [1e-3, 100.0];

/// What is worth knowing of a mesh that may be used.
///
/// ```
/// # use glam::DVec3;
/// # use taut_elements::{Cell, Mesh};
/// let nodes = vec![DVec3::ZERO, DVec3::Y, DVec3::X, DVec3::Z];
/// let report = Mesh { nodes, cells: vec![Cell::tet4([0, 1, 2, 3])] }.check().unwrap();
/// assert_eq!((report.turned, report.slivers, report.parts), (1, 0, 1));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshReport {
    /// Tetrahedra that are inside out and sheet cells turned against their neighbours;
    /// [`Mesh::oriented`] turns them.
    pub turned: usize,
    /// Sheet cells that cannot be turned to agree with all neighbours (a Moebius strip has some).
    pub one_sided: usize,
    /// Cells with less than 1e-4 of the cube (square) of their longest edge.
    pub slivers: usize,
    /// Parts without a common node.
    pub parts: usize,
    /// Kinds of cells that occur.
    pub kinds: Vec<CellKind>,
    /// Longest side of the box around all nodes, m.
    pub extent: f64,
    /// Whether the extent is below 1 mm or above 100 m: is the mesh in metres?
    pub unit_suspect: bool,
}

/// A mesh whose cells are all turned the right way.
///
/// ```
/// # use glam::DVec3;
/// # use taut_elements::{Cell, Mesh};
/// let nodes = vec![DVec3::ZERO, DVec3::Y, DVec3::X, DVec3::Z];
/// let turned = Mesh { nodes, cells: vec![Cell::tet4([0, 1, 2, 3])] }.oriented();
/// assert_eq!(turned.turned, 1);
/// assert!(turned.mesh.volume(0) > 0.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Oriented {
    /// The mesh.
    pub mesh: Mesh,
    /// How many cells were turned.
    pub turned: usize,
    /// Sheet cells that disagree with a neighbour either way.
    pub one_sided: usize,
}

impl Mesh {
    /// Refuses what no element can be built on; else tells what is worth knowing.
    ///
    /// # Errors
    /// The first of [`Mesh::errors`].
    pub fn check(&self) -> Result<MeshReport, MeshError> {
        if let Some(error) = self.errors().into_iter().next() {
            return Err(error);
        }
        let oriented = self.oriented();
        let (low, high) = self.nodes.iter().fold((self.nodes[0], self.nodes[0]), |b, &x| (b.0.min(x), b.1.max(x)));
        let extent = (high - low).max_element();
        let mut kinds: Vec<CellKind> = self.cells.iter().map(|cell| cell.kind).collect();
        kinds.sort();
        kinds.dedup();
        let slivers = (0..self.cells.len()).filter(|&c| self.volume(c).abs() < SLIVER * self.scale(c)).count();
        Ok(MeshReport {
            turned: oriented.turned,
            one_sided: oriented.one_sided,
            slivers,
            parts: self.parts(),
            kinds,
            extent,
            unit_suspect: !(EXTENT[0]..=EXTENT[1]).contains(&extent),
        })
    }

    /// Everything that is wrong: coordinates, indices, repeated nodes, degenerate and folded cells,
    /// duplicates, edges with too many sheet cells, unused nodes; in this order, each kind by
    /// index.
    pub fn errors(&self) -> Vec<MeshError> {
        let mut errors = Vec::new();
        for (k, x) in self.nodes.iter().enumerate().filter(|(_, x)| !x.is_finite()) {
            let value = x.to_array().into_iter().find(|v| !v.is_finite()).unwrap_or(f64::NAN);
            errors.push(fault(MeshFault::NotFinite, None, vec![k as u32], value, "finite coordinates, m"));
        }
        if self.cells.is_empty() {
            errors.push(fault(MeshFault::Empty, None, Vec::new(), 0.0, "at least one cell"));
        }
        self.indices(&mut errors);
        // Shapes and edges can be looked at only when every index is valid.
        if !errors.is_empty() {
            return errors;
        }
        self.shapes(&mut errors);
        self.duplicates(&mut errors);
        self.edges_of_sheets(&mut errors);
        let mut used = vec![false; self.nodes.len()];
        self.cells.iter().flat_map(|cell| cell.nodes()).for_each(|&n| used[n as usize] = true);
        for (k, _) in used.iter().enumerate().filter(|(_, used)| !**used) {
            errors.push(fault(MeshFault::UnusedNode, None, vec![k as u32], k as f64, "a node of some cell"));
        }
        errors
    }

    fn indices(&self, errors: &mut Vec<MeshError>) {
        for (c, cell) in self.cells.iter().enumerate() {
            let nodes = cell.nodes();
            if let Some(&n) = nodes.iter().find(|&&n| n as usize >= self.nodes.len()) {
                let expected = if n as usize == self.nodes.len() {
                    "an index below the number of nodes; it is equal to it: is the index base 1?"
                } else {
                    "an index below the number of nodes"
                };
                errors.push(fault(MeshFault::IndexOutOfRange, Some(c), nodes.to_vec(), f64::from(n), expected));
            } else if let Some(&n) = nodes.iter().enumerate().find(|(k, n)| nodes[..*k].contains(n)).map(|(_, n)| n) {
                let value = f64::from(n);
                errors.push(fault(MeshFault::RepeatedNode, Some(c), nodes.to_vec(), value, "distinct nodes"));
            }
        }
    }

    fn shapes(&self, errors: &mut Vec<MeshError>) {
        for (c, cell) in self.cells.iter().enumerate() {
            let volume = self.volume(c);
            let points = self.points(c);
            let least = points[..cell.kind.nodes()].iter().fold(f64::INFINITY, |m, &w| m.min(w));
            let curved = matches!(cell.kind, CellKind::Quad4 | CellKind::Hex8);
            let size = if cell.kind == CellKind::Tet4 { volume.abs() } else { volume };
            let nodes = || cell.nodes().to_vec();
            // A hexahedron inside out is folded, not small.
            if curved && least <= 0.0 && volume.abs() > DEGENERATE * self.scale(c) {
                let expected = "a positive area or volume (m^2, m^3) at each of its integration points";
                errors.push(fault(MeshFault::Folded, Some(c), nodes(), least, expected));
            } else if !(size > DEGENERATE * self.scale(c)) || !(size > 0.0) {
                let expected = "a length, area or volume above 1e-12 of the longest edge to that power";
                errors.push(fault(MeshFault::Degenerate, Some(c), nodes(), volume, expected));
            }
        }
    }

    /// The longest edge to the power of the dimension.
    fn scale(&self, cell: usize) -> f64 {
        let l = self.longest_edge(cell);
        match self.cells[cell].kind.dimension() {
            1 => 0.0,
            2 => l * l,
            _ => l * l * l,
        }
    }

    fn duplicates(&self, errors: &mut Vec<MeshError>) {
        let mut keys: Vec<([u32; 8], CellKind, usize)> = Vec::with_capacity(self.cells.len());
        for (c, cell) in self.cells.iter().enumerate() {
            let mut key = [u32::MAX; 8];
            key[..cell.nodes().len()].copy_from_slice(cell.nodes());
            key.sort_unstable();
            keys.push((key, cell.kind, c));
        }
        keys.sort_unstable();
        let same = keys.windows(2).filter(|w| w[0].0 == w[1].0 && w[0].1 == w[1].1);
        let mut found: Vec<(usize, usize)> = same.map(|w| (w[1].2, w[0].2)).collect();
        found.sort_unstable();
        for (c, first) in found {
            let nodes = self.cells[c].nodes().to_vec();
            let expected = "cells that differ; the value is the cell it repeats";
            errors.push(fault(MeshFault::DuplicateCell, Some(c), nodes, first as f64, expected));
        }
    }

    fn edges_of_sheets(&self, errors: &mut Vec<MeshError>) {
        let uses = self.sheet_edges();
        for same in uses.chunk_by(|a, b| a.edge == b.edge).filter(|same| same.len() > 2) {
            let expected = "at most two sheet cells on an edge";
            let (cell, nodes) = (same[2].cell as usize, same[0].edge.to_vec());
            errors.push(fault(MeshFault::NonManifoldEdge, Some(cell), nodes, same.len() as f64, expected));
        }
    }

    /// The same mesh with tetrahedra of positive volume, two nodes swapped where it was negative,
    /// and sheet cells turned as the one of lowest index among those connected to them.
    pub fn oriented(&self) -> Oriented {
        let mut mesh = self.clone();
        let mut turned = 0;
        for c in 0..self.cells.len() {
            if self.cells[c].kind == CellKind::Tet4 && self.volume(c) < 0.0 {
                mesh.cells[c].nodes_mut().swap(1, 2);
                turned += 1;
            }
        }
        let (flips, one_sided) = self.sheet_flips();
        for (cell, _) in mesh.cells.iter_mut().zip(&flips).filter(|(_, flip)| **flip) {
            cell.nodes_mut()[1..].reverse();
            turned += 1;
        }
        Oriented { mesh, turned, one_sided }
    }

    /// Which sheet cells to turn, and how many disagree with a neighbour all the same.
    fn sheet_flips(&self) -> (Vec<bool>, usize) {
        let uses = self.sheet_edges();
        // Neighbours across an edge; `true` when both run along it the same way.
        let mut pairs: Vec<(u32, u32, bool)> = Vec::new();
        for same in uses.chunk_by(|a, b| a.edge == b.edge).filter(|same| same.len() == 2) {
            let against = same[0].forward == same[1].forward;
            pairs.push((same[0].cell, same[1].cell, against));
            pairs.push((same[1].cell, same[0].cell, against));
        }
        pairs.sort_unstable();
        let start = |cell: u32| pairs.partition_point(|p| p.0 < cell);
        let mut flip: Vec<Option<bool>> = vec![None; self.cells.len()];
        for first in 0..self.cells.len() {
            let mut open = vec![first as u32];
            if self.cells[first].kind.dimension() != 2 || flip[first].is_some() {
                continue;
            }
            flip[first] = Some(false);
            while let Some(c) = open.pop() {
                let mine = flip[c as usize] == Some(true);
                for &(_, other, against) in pairs[start(c)..].iter().take_while(|p| p.0 == c) {
                    if flip[other as usize].is_none() {
                        flip[other as usize] = Some(mine != against);
                        open.push(other);
                    }
                }
            }
        }
        let flip: Vec<bool> = flip.into_iter().map(|f| f == Some(true)).collect();
        let mut bad: Vec<u32> = pairs
            .iter()
            .filter(|(a, b, against)| (flip[*a as usize] != flip[*b as usize]) != *against)
            .map(|p| p.0.max(p.1))
            .collect();
        bad.sort_unstable();
        bad.dedup();
        (flip, bad.len())
    }
}

fn fault(fault: MeshFault, cell: Option<usize>, nodes: Vec<u32>, value: f64, expected: &'static str) -> MeshError {
    MeshError { fault, cell, nodes, value, expected }
}

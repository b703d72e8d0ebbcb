//! Groups of cells that share a mean dilatation.
//!
//! A single tetrahedron cannot keep its volume and bend: near nu = 0.5 the volume must be kept on
//! the mean over several.
//! ```text
//! psi = psi_local + kappa/2 V (Jbar - 1)^2,   Jbar = sum w J/V,   kappa = la - la_local,  nu_local = .3, mu unchanged
//! ```
//! A hexahedron is a group of its own. Tetrahedra are grouped as given, or in stars: each free one
//! goes to the vertex that has most of them.

use crate::elements::MAX_NODES;
use crate::error::{MeshError, MeshFault};
use crate::mesh::{CellKind, Mesh};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Groups of solid cells, each in ascending order; by their first cell. `given` cells come first,
/// those that are in no given group are grouped by stars (tetrahedra) or stand alone (hexahedra).
pub(crate) fn groups(mesh: &Mesh, given: Option<&[Vec<u32>]>) -> Result<Vec<Vec<u32>>, MeshError> {
    let mut free: Vec<bool> = mesh.cells.iter().map(|cell| cell.kind().dimension() == 3).collect();
    let mut groups = Vec::new();
    for group in given.unwrap_or(&[]) {
        let mut cells = group.clone();
        cells.sort_unstable();
        for &c in &cells {
            if !free.get(c as usize).copied().unwrap_or(false) {
                let expected = "solid cells, each in one group only; the value is the cell";
                return Err(fault(Some(c as usize), f64::from(c), expected));
            }
            free[c as usize] = false;
        }
        if nodes(mesh, &cells).len() > MAX_NODES {
            let expected = "groups of at most 32 nodes; the value is their number";
            return Err(fault(cells.first().map(|&c| c as usize), nodes(mesh, &cells).len() as f64, expected));
        }
        groups.push(cells);
    }
    for (c, cell) in mesh.cells.iter().enumerate() {
        if free[c] && cell.kind() == CellKind::Hex8 {
            free[c] = false;
            groups.push(vec![c as u32]);
        }
    }
    stars(mesh, &mut free, &mut groups);
    groups.retain(|group| !group.is_empty());
    groups.sort_unstable();
    Ok(groups)
}

fn fault(cell: Option<usize>, value: f64, expected: &'static str) -> MeshError {
    MeshError { fault: MeshFault::Group, cell, nodes: Vec::new(), value, expected }
}

/// Vertices by the number of their free tetrahedra, most first, then by index; a number out of date
/// is renewed when met.
fn stars(mesh: &Mesh, free: &mut [bool], groups: &mut Vec<Vec<u32>>) {
    let cells = mesh.node_cells();
    let star = |free: &[bool], v: u32| -> Vec<u32> {
        cells.get(v as usize).iter().copied().filter(|&c| free[c as usize]).collect()
    };
    let mut queue: BinaryHeap<(usize, Reverse<u32>)> = BinaryHeap::new();
    for v in 0..mesh.nodes.len() as u32 {
        queue.push((star(free, v).len(), Reverse(v)));
    }
    while let Some((count, Reverse(v))) = queue.pop() {
        let mut group = star(free, v);
        if group.is_empty() {
            continue;
        }
        if group.len() != count {
            queue.push((group.len(), Reverse(v)));
            continue;
        }
        while nodes(mesh, &group).len() > MAX_NODES {
            group.pop();
        }
        group.iter().for_each(|&c| free[c as usize] = false);
        groups.push(group);
        // What did not fit waits for its turn.
        queue.push((star(free, v).len(), Reverse(v)));
    }
}

/// The nodes of some cells, ascending.
pub(crate) fn nodes(mesh: &Mesh, cells: &[u32]) -> Vec<u32> {
    let mut nodes: Vec<u32> = cells.iter().flat_map(|&c| mesh.cells[c as usize].nodes()).copied().collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// The nodes of an element of these cells: those of a single cell in its order, those of several
/// ascending.
pub(crate) fn nodes_of(mesh: &Mesh, cells: &[u32]) -> Vec<u32> {
    match cells {
        [one] => mesh.cells[*one as usize].nodes().to_vec(),
        _ => nodes(mesh, cells),
    }
}

/// Which of these nodes those of a cell are.
pub(crate) fn places<'a>(cell: &'a [u32], nodes: &'a [u32]) -> impl Iterator<Item = u8> + 'a {
    cell.iter().map(|n| nodes.iter().position(|k| k == n).unwrap_or(0) as u8)
}

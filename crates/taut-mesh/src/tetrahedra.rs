//! Hexahedra split into tetrahedra whose faces meet.

use std::collections::VecDeque;

use taut_elements::{Cell, CellKind, Mesh};

use crate::error::{Error, input};
use crate::generate::Patched;

/// How hexahedra are split.
///
/// ```
/// use taut_mesh::{Split, ball, split};
/// let ball = ball(1.0, 2)?;
/// assert_eq!(split(&ball, Split::Five)?.mesh.cells.len(), 40);
/// assert_eq!(split(&ball, Split::Six)?.mesh.cells.len(), 48);
/// # Ok::<(), taut_mesh::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Five each, mirrored from cell to cell; needs nodes that can be coloured in two colours along the edges.
    Five,
    /// Six each: the diagonals of faces start at the node of the smallest number, so that neighbours agree. Always possible.
    Six,
}

/// The three neighbours of each corner, in right-handed order.
const NEIGHBOURS: [[usize; 3]; 8] =
    [[1, 3, 4], [2, 0, 5], [3, 1, 6], [0, 2, 7], [7, 5, 0], [4, 6, 1], [5, 7, 2], [6, 4, 3]];

/// The tetrahedra of a mesh of hexahedra; those of one hexahedron follow each other and are one patch. Other cells stay as they are.
///
/// ```
/// use taut_mesh::{Filling, Split, bar, split};
/// let size = glam::DVec3::new(2.0, 1.0, 1.0);
/// let hexes = bar(size, [4, 2, 2], Filling::Hexahedra)?.mesh;
/// assert_eq!(split(&hexes, Split::Six)?, bar(size, [4, 2, 2], Filling::SixTets)?);
/// # Ok::<(), taut_mesh::Error>(())
/// ```
pub fn split(mesh: &Mesh, into: Split) -> Result<Patched, Error> {
    if let Some(node) = mesh.cells.iter().flat_map(|cell| cell.nodes()).find(|&&n| n as usize >= mesh.nodes.len()) {
        return Err(input("cells", node, format!("node indices below {}", mesh.nodes.len())));
    }
    let colours = match into {
        Split::Five => two_colours(mesh)?,
        Split::Six => Vec::new(),
    };
    let mut tetrahedra = Mesh { nodes: mesh.nodes.clone(), cells: Vec::new() };
    let mut patches = Vec::new();
    for cell in &mesh.cells {
        let start = tetrahedra.cells.len() as u32;
        match hexahedron(cell) {
            None => tetrahedra.cells.push(*cell),
            Some(nodes) => match into {
                Split::Five => tetrahedra.cells.extend(five(nodes, &colours).map(Cell::tet4)),
                Split::Six => tetrahedra.cells.extend(six(nodes).map(Cell::tet4)),
            },
        }
        patches.push((start..tetrahedra.cells.len() as u32).collect());
    }
    Ok(Patched { mesh: tetrahedra, patches })
}

/// The nodes of a hexahedron, `None` for other cells.
fn hexahedron(cell: &Cell) -> Option<[u32; 8]> {
    (cell.kind() == CellKind::Hex8).then(|| cell.nodes().try_into().ok()).flatten()
}

/// A cone from the corner of the smallest number over the three faces away from it.
fn six(nodes: [u32; 8]) -> [[u32; 4]; 6] {
    let smallest = |corners: &[u8]| corners.iter().copied().min_by_key(|&c| nodes[c as usize]).unwrap_or(0);
    let apex = smallest(&[0, 1, 2, 3, 4, 5, 6, 7]);
    let mut tetrahedra = [[0; 4]; 6];
    let away = CellKind::Hex8.faces().iter().filter(|face| !face.contains(&apex));
    for (pair, face) in tetrahedra.chunks_mut(2).zip(away) {
        let first = face.iter().position(|&c| c == smallest(face)).unwrap_or(0);
        let [a, b, c, d] = [0, 1, 2, 3].map(|turn| nodes[face[(first + turn) % 4] as usize]);
        let apex = nodes[apex as usize];
        pair.copy_from_slice(&[[apex, a, b, c], [apex, a, c, d]]);
    }
    tetrahedra
}

/// One tetrahedron of the corners of colour 0, and one at each corner of colour 1.
fn five(nodes: [u32; 8], colours: &[u8]) -> [[u32; 4]; 5] {
    // Corner 0 and those two edges away from it are 0, 2, 5, 7.
    let even = colours[nodes[0] as usize] == 0;
    let (inner, outer) = if even { ([0, 5, 2, 7], [1, 3, 4, 6]) } else { ([1, 3, 4, 6], [0, 2, 5, 7]) };
    let mut tetrahedra = [inner.map(|c: usize| nodes[c]); 5];
    for (tetrahedron, corner) in tetrahedra[1..].iter_mut().zip(outer) {
        let [a, b, c] = NEIGHBOURS[corner].map(|n| nodes[n]);
        *tetrahedron = [nodes[corner], a, b, c];
    }
    tetrahedra
}

/// A colour, 0 or 1, for each node, different at the two ends of every edge of a hexahedron; the first node of each part is 0.
fn two_colours(mesh: &Mesh) -> Result<Vec<u8>, Error> {
    const NONE: u8 = 2;
    let mut neighbours = vec![Vec::new(); mesh.nodes.len()];
    for nodes in mesh.cells.iter().filter_map(hexahedron) {
        for (corner, others) in NEIGHBOURS.iter().enumerate() {
            neighbours[nodes[corner] as usize].extend(others.map(|other| nodes[other]));
        }
    }
    let mut colours = vec![NONE; mesh.nodes.len()];
    let mut queue = VecDeque::new();
    for start in 0..mesh.nodes.len() {
        if colours[start] != NONE || neighbours[start].is_empty() {
            continue;
        }
        colours[start] = 0;
        queue.push_back(start);
        while let Some(node) = queue.pop_front() {
            for &other in &neighbours[node] {
                let other = other as usize;
                if colours[other] == NONE {
                    colours[other] = 1 - colours[node];
                    queue.push_back(other);
                } else if colours[other] == colours[node] {
                    let expected = "one on no odd ring of edges (for example an even number of cells around a tube); or split into six";
                    return Err(input("node", node, expected));
                }
            }
        }
    }
    Ok(colours)
}

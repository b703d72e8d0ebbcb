//! Nodes at the same place made one.

use std::collections::HashMap;

use glam::DVec3;
use taut_elements::{Cell, Mesh};

use crate::error::{Error, input};

/// A mesh without duplicate nodes.
///
/// ```
/// use glam::DVec3;
/// use taut_mesh::{Cell, Mesh, weld};
/// let nodes = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::X, DVec3::ONE, DVec3::Y];
/// let welded = weld(&Mesh { nodes, cells: vec![Cell::tri3([0, 1, 2]), Cell::tri3([3, 4, 5])] }, 0.0)?;
/// assert_eq!(welded.mesh.nodes.len(), 4);
/// assert_eq!(welded.node, [0, 1, 2, 1, 3, 2]);
/// # Ok::<(), taut_mesh::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Welded {
    /// The mesh; of nodes at the same place the first is left.
    pub mesh: Mesh,
    /// The new index of each old node.
    pub node: Vec<u32>,
    /// The old index of each new cell.
    pub cell: Vec<u32>,
    /// Triangles, quadrilaterals and bars that were left out because two of their nodes became one.
    pub dropped: usize,
}

/// Makes one of all nodes at most `tolerance`, m, from the first of them; 0 takes only those with equal coordinates.
///
/// A bar, triangle or quadrilateral that loses a node by it is left out and counted; a solid cell that does is refused.
/// ```
/// use glam::DVec3;
/// use taut_mesh::{Cell, Mesh, weld};
/// let nodes = vec![DVec3::ZERO, DVec3::X, DVec3::X + 1e-7, 2.0 * DVec3::X];
/// let mesh = Mesh { nodes, cells: vec![Cell::bar2([0, 1]), Cell::bar2([2, 3])] };
/// assert_eq!(weld(&mesh, 1e-6)?.mesh.parts(), 1);
/// assert_eq!(weld(&mesh, 1e-8)?.mesh.parts(), 2);
/// # Ok::<(), taut_mesh::Error>(())
/// ```
pub fn weld(mesh: &Mesh, tolerance: f64) -> Result<Welded, Error> {
    if !(tolerance >= 0.0 && tolerance.is_finite()) {
        return Err(input("tolerance", tolerance, "a finite length not below 0 m"));
    }
    let mut welded = Mesh::default();
    let mut node = Vec::with_capacity(mesh.nodes.len());
    let mut found: HashMap<[u64; 3], Vec<u32>> = HashMap::new();
    for &position in &mesh.nodes {
        let index = match nearest(&welded.nodes, &found, position, tolerance) {
            Some(index) => index,
            None => {
                let index = welded.nodes.len() as u32;
                found.entry(key(position, tolerance, [0; 3])).or_default().push(index);
                welded.nodes.push(position);
                index
            }
        };
        node.push(index);
    }
    let (mut cell, mut dropped) = (Vec::new(), 0);
    for (old, nodes) in mesh.cells.iter().enumerate() {
        let mut new = *nodes;
        for index in new.nodes_mut() {
            let unknown = || input(&format!("cells[{old}]"), *index, format!("node indices below {}", node.len()));
            *index = *node.get(*index as usize).ok_or_else(unknown)?;
        }
        if !repeats(&new) {
            welded.cells.push(new);
            cell.push(old as u32);
        } else if new.kind().dimension() == 3 {
            return Err(input(
                "tolerance",
                tolerance,
                format!("less than the distance between the nodes of cell {old}"),
            ));
        } else {
            dropped += 1;
        }
    }
    Ok(Welded { mesh: welded, node, cell, dropped })
}

/// Whether a node occurs twice.
pub(crate) fn repeats(cell: &Cell) -> bool {
    let nodes = cell.nodes();
    (1..nodes.len()).any(|i| nodes[..i].contains(&nodes[i]))
}

/// The cube of edge `tolerance` in which a point lies, moved by some cubes; for no tolerance the bits of the point.
fn key(position: DVec3, tolerance: f64, moved: [i64; 3]) -> [u64; 3] {
    let [x, y, z] = position.to_array();
    let part = |value: f64, moved: i64| {
        if tolerance > 0.0 {
            ((value / tolerance).floor() as i64).wrapping_add(moved) as u64
        } else {
            // Adding zero makes -0 and 0 the same.
            (value + 0.0).to_bits()
        }
    };
    [part(x, moved[0]), part(y, moved[1]), part(z, moved[2])]
}

/// The first node found before within the tolerance.
fn nearest(nodes: &[DVec3], found: &HashMap<[u64; 3], Vec<u32>>, position: DVec3, tolerance: f64) -> Option<u32> {
    if tolerance == 0.0 {
        return found.get(&key(position, 0.0, [0; 3]))?.first().copied();
    }
    let mut first = None;
    for place in 0..27 {
        let moved = [place % 3 - 1, place / 3 % 3 - 1, place / 9 - 1];
        for &index in found.get(&key(position, tolerance, moved)).into_iter().flatten() {
            if nodes[index as usize].distance(position) <= tolerance {
                first = Some(first.map_or(index, |best: u32| best.min(index)));
            }
        }
    }
    first
}

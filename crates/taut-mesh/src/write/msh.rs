//! Gmsh 4.1 as text.

use std::collections::BTreeMap;
use std::fmt::Write;

use glam::DVec3;
use taut_elements::{CellKind, Mesh};

use crate::error::{Error, input};
use crate::read::Group;

/// An entity of Gmsh: a dimension and the groups that its cells belong to.
type Entity = (usize, Vec<usize>);

/// A mesh and its groups as a Gmsh file of version 4.1. Nodes and cells keep their order and every digit.
///
/// Groups become physical groups of the dimension of their cells; groups without cells are not written.
/// ```
/// use glam::DVec3;
/// use taut_mesh::{Filling, Format, Group, ReadOptions, bar, read, write_msh};
/// let mesh = bar(DVec3::ONE, [2, 1, 1], Filling::Hexahedra)?.mesh;
/// let left = Group { name: "left half".into(), dimension: 3, cells: vec![0], nodes: Vec::new() };
/// let again = read(write_msh(&mesh, &[left])?.as_bytes(), Format::Gmsh, &ReadOptions::default())?;
/// assert_eq!(again.mesh, mesh);
/// assert_eq!((again.groups[0].name.as_str(), &again.groups[0].cells), ("left half", &vec![0]));
/// # Ok::<(), taut_mesh::Error>(())
/// ```
pub fn write_msh(mesh: &Mesh, groups: &[Group]) -> Result<String, Error> {
    let of_cell = groups_of_cells(mesh, groups)?;
    let key = |cell: usize| -> Entity { (mesh.cells[cell].kind().dimension(), of_cell[cell].clone()) };
    let mut entities: BTreeMap<Entity, usize> = BTreeMap::new();
    for cell in 0..mesh.cells.len() {
        let next = entities.len() + 1;
        entities.entry(key(cell)).or_insert(next);
    }
    let mut text = String::from("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n");
    // Writing to a string cannot fail.
    let _ = names(&mut text, groups);
    let _ = write_entities(&mut text, mesh, &entities);
    let _ = write_nodes(&mut text, mesh, &entities);
    // Cells that follow each other in one entity and of one kind are a block.
    let all: Vec<usize> = (0..mesh.cells.len()).collect();
    let runs: Vec<&[usize]> =
        all.chunk_by(|&a, &b| key(a) == key(b) && mesh.cells[a].kind() == mesh.cells[b].kind()).collect();
    let _ = writeln!(text, "$Elements\n{} {} 1 {}", runs.len(), all.len(), all.len());
    for run in runs {
        let kind = mesh.cells[run[0]].kind();
        let entity = entities.get(&key(run[0])).copied().unwrap_or(1);
        let _ = writeln!(text, "{} {entity} {} {}", kind.dimension(), gmsh_type(kind), run.len());
        for &cell in run {
            let _ = write!(text, "{}", cell + 1);
            for &node in mesh.cells[cell].nodes() {
                let _ = write!(text, " {}", u64::from(node) + 1);
            }
            text.push('\n');
        }
    }
    text.push_str("$EndElements\n");
    Ok(text)
}

/// The groups of each cell, ascending.
fn groups_of_cells(mesh: &Mesh, groups: &[Group]) -> Result<Vec<Vec<usize>>, Error> {
    let mut of_cell = vec![Vec::new(); mesh.cells.len()];
    for (index, group) in groups.iter().enumerate() {
        if group.name.contains(['"', '\n', '\r']) {
            return Err(input("name", &group.name, "a name without quotes and line ends"));
        }
        for &cell in &group.cells {
            match of_cell.get_mut(cell as usize) {
                Some(of_cell) if mesh.cells[cell as usize].kind().dimension() == group.dimension => of_cell.push(index),
                _ => {
                    let expected = format!("indices of cells of dimension {}", group.dimension);
                    return Err(input(&format!("cells of {}", group.name), cell, expected));
                }
            }
        }
    }
    let bad = mesh.cells.iter().flat_map(|cell| cell.nodes()).find(|&&n| n as usize >= mesh.nodes.len());
    match bad {
        Some(node) => Err(input("cells", node, format!("node indices below {}", mesh.nodes.len()))),
        None => Ok(of_cell),
    }
}

fn names(text: &mut String, groups: &[Group]) -> std::fmt::Result {
    let used = || groups.iter().enumerate().filter(|(_, group)| !group.cells.is_empty());
    if used().next().is_none() {
        return Ok(());
    }
    writeln!(text, "$PhysicalNames\n{}", used().count())?;
    for (index, group) in used() {
        writeln!(text, "{} {} \"{}\"", group.dimension, index + 1, group.name)?;
    }
    writeln!(text, "$EndPhysicalNames")
}

fn write_entities(text: &mut String, mesh: &Mesh, entities: &BTreeMap<Entity, usize>) -> std::fmt::Result {
    let low = mesh.nodes.iter().fold(DVec3::INFINITY, |low, &x| low.min(x));
    let high = mesh.nodes.iter().fold(DVec3::NEG_INFINITY, |high, &x| high.max(x));
    let (low, high) = if mesh.nodes.is_empty() { (DVec3::ZERO, DVec3::ZERO) } else { (low, high) };
    let count = |dimension: usize| entities.keys().filter(|(d, _)| *d == dimension).count();
    writeln!(text, "$Entities\n0 {} {} {}", count(1), count(2), count(3))?;
    for ((_, groups), tag) in entities {
        write!(text, "{tag} {} {} {} {} {} {} {}", low.x, low.y, low.z, high.x, high.y, high.z, groups.len())?;
        for group in groups {
            write!(text, " {}", group + 1)?;
        }
        writeln!(text, " 0")?;
    }
    writeln!(text, "$EndEntities")
}

fn write_nodes(text: &mut String, mesh: &Mesh, entities: &BTreeMap<Entity, usize>) -> std::fmt::Result {
    let count = mesh.nodes.len();
    let (dimension, entity) = entities.last_key_value().map_or((0, 1), |((dimension, _), &tag)| (*dimension, tag));
    writeln!(text, "$Nodes\n1 {count} 1 {count}\n{dimension} {entity} 0 {count}")?;
    for tag in 1..=count {
        writeln!(text, "{tag}")?;
    }
    for p in &mesh.nodes {
        writeln!(text, "{} {} {}", p.x, p.y, p.z)?;
    }
    writeln!(text, "$EndNodes")
}

fn gmsh_type(kind: CellKind) -> u32 {
    match kind {
        CellKind::Bar2 => 1,
        CellKind::Tri3 => 2,
        CellKind::Quad4 => 3,
        CellKind::Tet4 => 4,
        CellKind::Hex8 => 5,
    }
}

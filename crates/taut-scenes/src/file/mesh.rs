//! Meshes of deformables: from generators, from files beside the scene file, or as they are written.

use super::deformable::{CellKind, CellMesh, CellRun, Filling, NodeGroup, SheetOf, SoftMesh};
use super::error::{FileError, Path};
use super::quantity::Number;
use super::table::beside;
use super::{FileMesh, SceneFile, VoxelMesh};
use taut::soft::{Cell, CellKind as Kind, Mesh};
use taut_mesh::{ReadMesh, ReadOptions, SheetCells, Split, Surface, TubeSize, VoxelOptions};

/// A mesh with what belongs to it.
#[derive(Clone, Debug, Default)]
pub(super) struct Made {
    pub mesh: Mesh,
    /// Cells that share a mean change of volume; empty where they are found by vertices.
    pub patches: Vec<Vec<u32>>,
    pub groups: Vec<NodeGroup>,
}

/// Reads the meshes of a scene file and puts their nodes and cells in the place of them, so that the file needs no other. `read` gives
/// the bytes of a file by its path from the folder of the scene file, or says why it cannot. Without meshes it is not called.
///
/// What the readers have left out, or what looks wrong, is returned, one sentence each.
pub fn load_meshes(
    file: &mut SceneFile,
    mut read: impl FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Vec<String>, FileError> {
    let mut warnings = Vec::new();
    for (k, d) in file.deformables.iter_mut().enumerate() {
        let path = Path::of("deformables").index(k).key("mesh");
        let made = match &d.mesh {
            SoftMesh::File(f) => {
                let options = ReadOptions {
                    scale: scale(f.scale),
                    drop_unused: f.drop_unused,
                    weld: f.weld.map(|x| x.value),
                    ..ReadOptions::default()
                };
                let given = fetch(&f.file, &options, &path, &mut read)?;
                warnings.extend(given.warnings.iter().map(|w| format!("{path}: {w}")));
                let groups = given.groups.into_iter().map(|g| NodeGroup { name: g.name, nodes: g.nodes }).collect();
                Made { mesh: given.mesh, patches: Vec::new(), groups }
            }
            SoftMesh::Voxels(v) => {
                let options = ReadOptions { scale: scale(v.scale), ..ReadOptions::default() };
                let given = fetch(&v.file, &options, &path, &mut read)?;
                let triangles = given.mesh.surface_triangles();
                let surface = Surface { nodes: given.mesh.nodes, triangles };
                let voxels = taut_mesh::voxelise(&surface, VoxelOptions::new(v.size.value))
                    .map_err(|e| FileError::new(path.clone(), format!("{}: {e}", v.file)))?;
                Made { mesh: voxels.mesh, ..Made::default() }
            }
            _ => continue,
        };
        d.mesh = SoftMesh::Cells(written(&made));
    }
    Ok(warnings)
}

fn scale(given: Option<Number<super::quantity::One>>) -> f64 {
    given.map_or(1.0, |x| x.value)
}

fn fetch(
    name: &str,
    options: &ReadOptions,
    path: &Path,
    read: &mut impl FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<ReadMesh, FileError> {
    let at = path.key("file");
    beside(name, "a mesh file", &at)?;
    let bytes = read(name).map_err(|e| FileError::new(at.clone(), format!("{name}: {e}")))?;
    taut_mesh::read_named(name, &bytes, options).map_err(|e| FileError::new(at, format!("{name}: {e}")))
}

/// The mesh as nodes and cells.
pub(super) fn written(made: &Made) -> CellMesh {
    let mut cells: Vec<CellRun> = Vec::new();
    for cell in &made.mesh.cells {
        let kind = match cell.kind() {
            Kind::Bar2 => CellKind::Bar,
            Kind::Tri3 => CellKind::Triangle,
            Kind::Quad4 => CellKind::Quad,
            Kind::Tet4 => CellKind::Tet,
            Kind::Hex8 => CellKind::Hex,
        };
        match cells.last_mut().filter(|run| run.kind == kind) {
            Some(run) => run.nodes.extend(cell.nodes()),
            None => cells.push(CellRun { kind, nodes: cell.nodes().to_vec() }),
        }
    }
    CellMesh {
        nodes: made.mesh.nodes.iter().map(|x| (*x).into()).collect(),
        cells,
        patches: made.patches.clone(),
        groups: made.groups.clone(),
    }
}

impl SoftMesh {
    /// Nodes and cells.
    pub(super) fn made(&self, path: &Path) -> Result<Made, FileError> {
        let refuse = |e: taut_mesh::Error| FileError::new(path.clone(), e);
        let two = |size: [Number<_>; 2]| size.map(|x| x.value);
        let plain = |mesh| Made { mesh, ..Made::default() };
        Ok(match self {
            SoftMesh::Bar(b) => {
                let made = taut_mesh::bar(b.size.value, b.cells, filling(b.filling)).map_err(refuse)?;
                let tets = filling(b.filling) != taut_mesh::Filling::Hexahedra;
                Made { mesh: made.mesh, patches: if tets { made.patches } else { Vec::new() }, groups: Vec::new() }
            }
            SoftMesh::Sheet(s) => {
                let of = match s.of {
                    Some(SheetOf::Quads) => SheetCells::Quads,
                    _ => SheetCells::Triangles,
                };
                plain(taut_mesh::sheet(two(s.size), s.cells, of).map_err(refuse)?)
            }
            SoftMesh::Ball(b) => plain(taut_mesh::ball(b.radius.value, b.cells).map_err(refuse)?),
            SoftMesh::Tube(t) => {
                let size = TubeSize { inner: t.inner.value, outer: t.outer.value, length: t.length.value };
                plain(taut_mesh::tube(size, t.cells).map_err(refuse)?)
            }
            SoftMesh::Rope(r) => plain(taut_mesh::rope(r.from.value, r.to.value, r.segments).map_err(refuse)?),
            SoftMesh::Net(n) => plain(taut_mesh::net(two(n.size), n.cells).map_err(refuse)?),
            SoftMesh::Creature(c) => {
                let size = c.size.map_or(CREATURE, |x| x.value);
                let solid = taut_mesh::creature(size).map_err(refuse)?.solid.mesh;
                match filling(c.filling) {
                    taut_mesh::Filling::Hexahedra => plain(solid),
                    kind => {
                        let five = kind == taut_mesh::Filling::FiveTets;
                        let made = taut_mesh::split(&solid, if five { Split::Five } else { Split::Six });
                        let made = made.map_err(refuse)?;
                        Made { mesh: made.mesh, patches: made.patches, groups: Vec::new() }
                    }
                }
            }
            SoftMesh::Voxels(VoxelMesh { file, .. }) | SoftMesh::File(FileMesh { file, .. }) => {
                let expected = "a scene file that was opened as a file: a mesh lies beside it";
                return Err(FileError::input(path.key("file"), format!("'{file}'"), expected));
            }
            SoftMesh::Frames(_) | SoftMesh::FrameCells(_) => Made::default(),
            SoftMesh::Cells(c) => Made { mesh: cells(c, path)?, patches: c.patches.clone(), groups: c.groups.clone() },
        })
    }
}

/// Edge of the cubes of a creature, m.
const CREATURE: f64 = 0.08;

fn filling(given: Option<Filling>) -> taut_mesh::Filling {
    match given {
        None | Some(Filling::Hexahedra) => taut_mesh::Filling::Hexahedra,
        Some(Filling::FiveTets) => taut_mesh::Filling::FiveTets,
        Some(Filling::SixTets) => taut_mesh::Filling::SixTets,
    }
}

fn cells(c: &CellMesh, path: &Path) -> Result<Mesh, FileError> {
    let mut mesh = Mesh { nodes: c.nodes.iter().map(|x| x.value).collect(), cells: Vec::new() };
    for (k, run) in c.cells.iter().enumerate() {
        let at = path.key("cells").index(k).key("nodes");
        let kind = match run.kind {
            CellKind::Bar => Kind::Bar2,
            CellKind::Triangle => Kind::Tri3,
            CellKind::Quad => Kind::Quad4,
            CellKind::Tet => Kind::Tet4,
            CellKind::Hex => Kind::Hex8,
        };
        let each = kind.nodes();
        if run.nodes.len() % each != 0 {
            let expected = format!("a multiple of {each}, the nodes of a cell");
            return Err(FileError::input(at, format!("{} numbers", run.nodes.len()), expected));
        }
        if let Some(k) = run.nodes.iter().position(|&n| n as usize >= mesh.nodes.len()) {
            let expected = format!("less than {}, the number of nodes", mesh.nodes.len());
            return Err(FileError::input(at.index(k), run.nodes[k], expected));
        }
        mesh.cells.extend(run.nodes.chunks_exact(each).filter_map(|n| Cell::new(kind, n)));
    }
    Ok(mesh)
}

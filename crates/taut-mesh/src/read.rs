//! Readers of mesh files. They take bytes, and refuse what is wrong with its place, name, value and what was expected.

mod cursor;
mod draft;
mod gmsh;
mod obj;
mod ply;
mod stl;

use taut_elements::Mesh;

use crate::error::{Error, Place, input};

/// The formats that can be read.
///
/// ```
/// use taut_mesh::Format;
/// assert_eq!(Format::of("bunny.PLY", b""), Some(Format::Ply));
/// assert_eq!(Format::of("mesh", b"$MeshFormat\n4.1 0 8\n"), Some(Format::Gmsh));
/// assert_eq!(Format::of("notes.txt", b"hello"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Gmsh, versions 2.x and 4.1, text and binary: bars, triangles, quadrilaterals, tetrahedra, hexahedra, physical groups.
    Gmsh,
    /// Wavefront: faces, lines, and the names of objects and groups.
    Obj,
    /// Stereolithography, text and binary: triangles, and the names of solids. Equal corners become one node.
    Stl,
    /// The Stanford format, text and binary: vertices, faces, edges.
    Ply,
}

impl Format {
    /// The format by the marks at the start of a file, else by the end of its name.
    pub fn of(name: &str, bytes: &[u8]) -> Option<Format> {
        let start = bytes.trim_ascii_start();
        if start.starts_with(b"$MeshFormat") {
            return Some(Format::Gmsh);
        }
        if start.starts_with(b"ply\n") || start.starts_with(b"ply\r") {
            return Some(Format::Ply);
        }
        let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
        match ending.as_deref() {
            Some("msh") => Some(Format::Gmsh),
            Some("obj") => Some(Format::Obj),
            Some("stl") => Some(Format::Stl),
            Some("ply") => Some(Format::Ply),
            _ if start.starts_with(b"solid") || stl::is_binary(bytes) => Some(Format::Stl),
            _ if start.starts_with(b"v ") => Some(Format::Obj),
            _ => None,
        }
    }
}

/// What is done to a mesh while it is read.
///
/// A mesh in millimetres:
/// ```
/// use taut_mesh::{Format, ReadOptions, read};
/// let options = ReadOptions { scale: 1e-3, ..ReadOptions::default() };
/// let read = read(b"v 0 0 0\nv 1000 0 0\nv 0 1000 0\nf 1 2 3\n", Format::Obj, &options)?;
/// assert_eq!(read.mesh.nodes[1], glam::DVec3::X);
/// # Ok::<(), taut_mesh::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReadOptions {
    /// Metres for one unit of the file.
    pub scale: f64,
    /// Leave out nodes that no cell uses.
    pub drop_unused: bool,
    /// Make one node of those within this distance, m, after scaling; `None`: only those of STL that are equal.
    pub weld: Option<f64>,
    /// Keep bars and sheet cells beside solid ones; else only the cells of the highest dimension are kept, and groups of others are left with their nodes.
    pub all_dimensions: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions { scale: 1.0, drop_unused: false, weld: None, all_dimensions: false }
    }
}

/// A named part of a mesh: a physical group, an object, a solid.
///
/// ```
/// use taut_mesh::{Format, ReadOptions, read};
/// let read = read(b"v 0 0 0\nv 1 0 0\nv 0 1 0\ng sail\nf 1 2 3\n", Format::Obj, &ReadOptions::default())?;
/// assert_eq!((read.groups[0].name.as_str(), read.groups[0].nodes.len()), ("sail", 3));
/// # Ok::<(), taut_mesh::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Its name; the number of a physical group without one.
    pub name: String,
    /// 1 for bars, 2 for sheets, 3 for solids.
    pub dimension: usize,
    /// Indices of its cells, ascending; none when cells of this dimension were left out.
    pub cells: Vec<u32>,
    /// Indices of the nodes of its cells, ascending, whether the cells were left out or not.
    pub nodes: Vec<u32>,
}

/// What a file holds.
///
/// ```
/// use taut_mesh::{Format, ReadOptions, read};
/// let read = read(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 9 9 9\nf 1 2 3\n", Format::Obj, &ReadOptions::default())?;
/// assert_eq!((read.mesh.nodes.len(), read.mesh.cells.len()), (4, 1));
/// assert!(read.warnings[0].contains("1 node belongs to no cell"));
/// # Ok::<(), taut_mesh::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadMesh {
    /// Nodes, m, and cells.
    pub mesh: Mesh,
    /// Named parts, in the order of the file.
    pub groups: Vec<Group>,
    /// What was left out or looks wrong, one sentence each.
    pub warnings: Vec<String>,
}

/// Reads a file of a known format.
///
/// Indices and coordinates are checked here; `Mesh::check` tells whether elements can be built on the cells.
/// ```
/// use taut_mesh::{Error, Format, Place, ReadOptions, read};
/// // A header that announces more than the file can hold is refused before anything is allocated.
/// let huge = b"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 100000000 1 100000000\n";
/// let Err(Error::File { place, value, .. }) = read(huge, Format::Gmsh, &ReadOptions::default()) else { panic!() };
/// assert_eq!((place, value.as_str()), (Place::Line(5), "100000000"));
/// ```
pub fn read(bytes: &[u8], format: Format, options: &ReadOptions) -> Result<ReadMesh, Error> {
    if !(options.scale.is_finite() && options.scale > 0.0) {
        return Err(input("scale", options.scale, "a finite number of metres above 0"));
    }
    // Nodes and cells are counted in 32 bits.
    if bytes.len() >= u32::MAX as usize {
        return Err(input("bytes", bytes.len(), "a file below 4 GiB"));
    }
    let draft = match format {
        Format::Gmsh => gmsh::read(bytes)?,
        Format::Obj => obj::read(bytes)?,
        Format::Stl => stl::read(bytes)?,
        Format::Ply => ply::read(bytes)?,
    };
    if draft.cells.is_empty() {
        return Err(Error::File {
            format: "mesh",
            place: Place::Byte(bytes.len()),
            name: "number of cells".into(),
            value: "0".into(),
            expected: "at least one bar, triangle, quadrilateral, tetrahedron or hexahedron".into(),
        });
    }
    draft.finish(options)
}

/// Reads a file whose format is told by its content or the end of its name.
///
/// ```
/// use taut_mesh::{ReadOptions, read_named};
/// let read = read_named("kite.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", &ReadOptions::default())?;
/// assert_eq!(read.mesh.cells.len(), 1);
/// assert!(read_named("kite.doc", b"a kite", &ReadOptions::default()).is_err());
/// # Ok::<(), taut_mesh::Error>(())
/// ```
pub fn read_named(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<ReadMesh, Error> {
    match Format::of(name, bytes) {
        Some(format) => read(bytes, format, options),
        None => Err(input("name", name, "a name that ends in .msh, .obj, .stl or .ply")),
    }
}

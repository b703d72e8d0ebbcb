//! Unstructured grids of VTK, as XML with arrays in base64; and series of them in time.

use std::fmt::Write;

use glam::{DMat3, DVec3};
use taut_elements::{CellKind, Mesh};

use crate::error::{Error, input};

/// Values at the nodes or cells of a mesh: displacement, velocity, stress, plastic strain, ...
///
/// ```
/// use glam::{DMat3, DVec3};
/// use taut_mesh::Field;
/// assert_eq!(Field::vectors("velocity, m/s", &[DVec3::X]).values(), [1.0, 0.0, 0.0]);
/// assert_eq!(Field::tensors("stress, Pa", &[DMat3::IDENTITY]).components(), 9);
/// assert_eq!(Field::scalars("plastic strain", &[0.1, 0.2]).name(), "plastic strain");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    name: String,
    components: usize,
    values: Vec<f64>,
}

impl Field {
    /// One number each.
    pub fn scalars(name: &str, values: &[f64]) -> Self {
        Field { name: name.into(), components: 1, values: values.to_vec() }
    }

    /// A vector each.
    pub fn vectors(name: &str, values: &[DVec3]) -> Self {
        Field { name: name.into(), components: 3, values: values.iter().flat_map(|v| v.to_array()).collect() }
    }

    /// A tensor each, row by row.
    pub fn tensors(name: &str, values: &[DMat3]) -> Self {
        let rows = values.iter().flat_map(|tensor| tensor.transpose().to_cols_array());
        Field { name: name.into(), components: 9, values: rows.collect() }
    }

    /// What it is called in the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// 1, 3 or 9.
    pub fn components(&self) -> usize {
        self.components
    }

    /// All components of the first, then of the second, and so on.
    pub fn values(&self) -> &[f64] {
        &self.values
    }
}

/// The equivalent stress of von Mises, Pa: `sqrt(3/2 s:s)`, s the deviator of the symmetric part.
///
/// ```
/// use glam::{DMat3, DVec3};
/// let pulled = DMat3::from_diagonal(DVec3::new(2e6, 0.0, 0.0));
/// assert!((taut_mesh::von_mises(pulled) - 2e6).abs() < 1e-6);
/// ```
pub fn von_mises(stress: DMat3) -> f64 {
    let symmetric = 0.5 * (stress + stress.transpose());
    let mean = (symmetric.x_axis.x + symmetric.y_axis.y + symmetric.z_axis.z) / 3.0;
    let deviator = symmetric - DMat3::from_diagonal(DVec3::splat(mean));
    (1.5 * deviator.to_cols_array().iter().map(|s| s * s).sum::<f64>()).sqrt()
}

/// A mesh with fields at its nodes and cells as a file for ParaView, `.vtu`.
///
/// ```
/// use glam::DVec3;
/// use taut_mesh::{Field, Filling, bar, write_vtu};
/// let mesh = bar(DVec3::ONE, [2, 2, 2], Filling::Hexahedra)?.mesh;
/// let displacement = Field::vectors("displacement", &vec![DVec3::ZERO; 27]);
/// let file = write_vtu(&mesh, &[displacement], &[Field::scalars("von Mises", &[0.0; 8])])?;
/// assert!(file.contains("NumberOfPoints=\"27\" NumberOfCells=\"8\""));
/// assert!(write_vtu(&mesh, &[Field::scalars("temperature", &[20.0])], &[]).is_err());
/// # Ok::<(), taut_mesh::Error>(())
/// ```
pub fn write_vtu(mesh: &Mesh, at_nodes: &[Field], at_cells: &[Field]) -> Result<String, Error> {
    let cells: Vec<(u8, &[u32])> = mesh.cells.iter().map(|cell| (vtk_type(cell.kind()), cell.nodes())).collect();
    grid(&mesh.nodes, &cells, at_nodes, at_cells)
}

/// Points with fields as a file for ParaView, `.vtu`: joints with their forces, contact points.
///
/// ```
/// use glam::DVec3;
/// use taut_mesh::{Field, write_vtu_points};
/// let file = write_vtu_points(&[DVec3::X], &[Field::vectors("force, N", &[DVec3::Y])])?;
/// assert!(file.contains("NumberOfPoints=\"1\" NumberOfCells=\"1\""));
/// # Ok::<(), taut_mesh::Error>(())
/// ```
pub fn write_vtu_points(points: &[DVec3], at_points: &[Field]) -> Result<String, Error> {
    let numbers: Vec<u32> = (0..points.len() as u32).collect();
    let cells: Vec<(u8, &[u32])> = numbers.chunks(1).map(|n| (VERTEX, n)).collect();
    grid(points, &cells, at_points, &[])
}

/// VTK's number of a cell that is a point.
const VERTEX: u8 = 1;

/// Cells, each with VTK's number of its kind.
fn grid(nodes: &[DVec3], cells: &[(u8, &[u32])], at_nodes: &[Field], at_cells: &[Field]) -> Result<String, Error> {
    for (fields, count) in [(at_nodes, nodes.len()), (at_cells, cells.len())] {
        for field in fields {
            if field.values.len() != count * field.components {
                let expected = format!("{count}, one for each");
                return Err(input(&field.name, field.values.len() / field.components, expected));
            }
        }
    }
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n",
    );
    // Writing to a string cannot fail.
    let _ = writeln!(text, "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>", nodes.len(), cells.len());
    reals(&mut text, &Field::vectors("Points", nodes));
    text.push_str("</Points>\n<Cells>\n");
    let corners = cells.iter().flat_map(|cell| cell.1).flat_map(|&n| i64::from(n).to_le_bytes());
    array(&mut text, "Int64", "connectivity", 1, corners.collect());
    let ends = cells.iter().scan(0_i64, |end, cell| {
        *end += cell.1.len() as i64;
        Some(end.to_le_bytes())
    });
    array(&mut text, "Int64", "offsets", 1, ends.flatten().collect());
    array(&mut text, "UInt8", "types", 1, cells.iter().map(|cell| cell.0).collect());
    text.push_str("</Cells>\n<PointData>\n");
    at_nodes.iter().for_each(|field| reals(&mut text, field));
    text.push_str("</PointData>\n<CellData>\n");
    at_cells.iter().for_each(|field| reals(&mut text, field));
    text.push_str("</CellData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
    Ok(text)
}

/// A series of files in time, `.pvd`: the time, s, and the name of each.
///
/// ```
/// let series = taut_mesh::write_pvd(&[(0.0, "beam_0.vtu"), (0.01, "beam_1.vtu")]);
/// assert!(series.contains("<DataSet timestep=\"0.01\" file=\"beam_1.vtu\"/>"));
/// ```
pub fn write_pvd(files: &[(f64, &str)]) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n",
    );
    for (time, file) in files {
        let _ = writeln!(text, "<DataSet timestep=\"{time}\" file=\"{}\"/>", escaped(file));
    }
    text.push_str("</Collection>\n</VTKFile>\n");
    text
}

fn reals(text: &mut String, field: &Field) {
    let bytes = field.values.iter().flat_map(|value| value.to_le_bytes()).collect();
    array(text, "Float64", &field.name, field.components, bytes);
}

/// One array: the number of its bytes and the bytes, in base64.
fn array(text: &mut String, kind: &str, name: &str, components: usize, bytes: Vec<u8>) {
    let mut whole = (bytes.len() as u64).to_le_bytes().to_vec();
    whole.extend(bytes);
    let name = escaped(name);
    let _ = writeln!(
        text,
        "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"binary\">"
    );
    base64(text, &whole);
    text.push_str("\n</DataArray>\n");
}

/// Six bits a letter, padded with `=` to groups of four.
fn base64(text: &mut String, bytes: &[u8]) {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    text.reserve(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0_u32, |bits, i| (bits << 8) | u32::from(group.get(i).copied().unwrap_or(0)));
        for letter in 0..4 {
            let used = letter <= group.len();
            text.push(if used { char::from(LETTERS[(bits >> (18 - 6 * letter)) as usize & 63]) } else { '=' });
        }
    }
}

fn escaped(name: &str) -> String {
    name.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn vtk_type(kind: CellKind) -> u8 {
    match kind {
        CellKind::Bar2 => 3,
        CellKind::Tri3 => 5,
        CellKind::Quad4 => 9,
        CellKind::Tet4 => 10,
        CellKind::Hex8 => 12,
    }
}

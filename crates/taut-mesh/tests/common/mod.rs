//! Valid files of every format, written by hand from a mesh.

#![allow(dead_code)]

use glam::DVec3;
use taut_mesh::{Cell, CellKind, Filling, Format, Mesh, SheetCells, bar, sheet};

/// Bytes in the order that is asked for.
pub struct Bytes {
    pub bytes: Vec<u8>,
    pub big: bool,
}

impl Bytes {
    pub fn new(text: &str, big: bool) -> Self {
        Bytes { bytes: text.as_bytes().to_vec(), big }
    }
    pub fn text(&mut self, text: &str) {
        self.bytes.extend(text.as_bytes());
    }
    fn put<const N: usize>(&mut self, mut little: [u8; N]) {
        if self.big {
            little.reverse();
        }
        self.bytes.extend(little);
    }
    pub fn i32(&mut self, value: usize) {
        self.put((value as i32).to_le_bytes());
    }
    pub fn u64(&mut self, value: usize) {
        self.put((value as u64).to_le_bytes());
    }
    pub fn f64(&mut self, value: f64) {
        self.put(value.to_le_bytes());
    }
    pub fn f32(&mut self, value: f64) {
        self.put((value as f32).to_le_bytes());
    }
    pub fn vector(&mut self, p: DVec3) {
        p.to_array().into_iter().for_each(|value| self.f64(value));
    }
}

pub fn number(kind: CellKind) -> usize {
    match kind {
        CellKind::Bar2 => 1,
        CellKind::Tri3 => 2,
        CellKind::Quad4 => 3,
        CellKind::Tet4 => 4,
        CellKind::Hex8 => 5,
    }
}

/// Tags of nodes with gaps: 3, 5, 7, ...
pub fn tag(node: u32) -> usize {
    2 * node as usize + 3
}

const NAMES: &str = "$PhysicalNames\n2\n2 7 \"skin of it\"\n3 9 \"flesh\"\n$EndPhysicalNames\n";

fn physical(cell: &Cell) -> usize {
    [0, 0, 7, 9][cell.kind().dimension()]
}

pub fn msh2_text(mesh: &Mesh) -> Vec<u8> {
    let mut f = format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n{NAMES}$Nodes\n{}\n", mesh.nodes.len());
    for (n, p) in mesh.nodes.iter().enumerate() {
        f += &format!("{} {:e} {} {}\n", tag(n as u32), p.x, p.y, p.z);
    }
    f += &format!("$EndNodes\n$Elements\n{}\n", mesh.cells.len());
    for (c, cell) in mesh.cells.iter().enumerate() {
        f += &format!("{} {} 2 {} 1", c + 1, number(cell.kind()), physical(cell));
        cell.nodes().iter().for_each(|&n| f += &format!(" {}", tag(n)));
        f += "\n";
    }
    (f + "$EndElements\n").into_bytes()
}

pub fn msh2_binary(mesh: &Mesh, big: bool) -> Vec<u8> {
    let mut f = Bytes::new("$MeshFormat\n2.2 1 8\n", big);
    f.i32(1);
    f.text(&format!("\n$EndMeshFormat\n{NAMES}$Nodes\n{}\n", mesh.nodes.len()));
    for (n, &p) in mesh.nodes.iter().enumerate() {
        f.i32(tag(n as u32));
        f.vector(p);
    }
    f.text(&format!("\n$EndNodes\n$Elements\n{}\n", mesh.cells.len()));
    let mut next = 1;
    for run in mesh.cells.chunk_by(|a, b| a.kind() == b.kind()) {
        [number(run[0].kind()), run.len(), 2].into_iter().for_each(|value| f.i32(value));
        for cell in run {
            [next, physical(cell), 1].into_iter().for_each(|value| f.i32(value));
            cell.nodes().iter().for_each(|&n| f.i32(tag(n)));
            next += 1;
        }
    }
    f.text("\n$EndElements\n");
    f.bytes
}

pub fn msh4_binary(mesh: &Mesh, big: bool) -> Vec<u8> {
    let mut f = Bytes::new("$MeshFormat\n4.1 1 8\n", big);
    f.i32(1);
    f.text(&format!("\n$EndMeshFormat\n{NAMES}$Entities\n"));
    [0, 0, 1, 1].into_iter().for_each(|value| f.u64(value));
    for group in [7, 9] {
        f.i32(1);
        f.vector(DVec3::ZERO);
        f.vector(DVec3::ONE);
        f.u64(1);
        f.i32(group);
        f.u64(0);
    }
    f.text("\n$EndEntities\n$Nodes\n");
    let count = mesh.nodes.len();
    [1, count, tag(0), tag(count as u32)].into_iter().for_each(|value| f.u64(value));
    [3, 1, 0].into_iter().for_each(|value| f.i32(value));
    f.u64(count);
    (0..count as u32).for_each(|n| f.u64(tag(n)));
    mesh.nodes.iter().for_each(|&p| f.vector(p));
    f.text("\n$EndNodes\n$Elements\n");
    let runs: Vec<_> = mesh.cells.chunk_by(|a, b| a.kind() == b.kind()).collect();
    [runs.len(), mesh.cells.len(), 1, mesh.cells.len()].into_iter().for_each(|value| f.u64(value));
    for run in runs {
        [run[0].kind().dimension(), 1, number(run[0].kind())].into_iter().for_each(|value| f.i32(value));
        f.u64(run.len());
        for cell in run {
            f.u64(1);
            cell.nodes().iter().for_each(|&n| f.u64(tag(n)));
        }
    }
    f.text("\n$EndElements\n");
    f.bytes
}

pub fn obj(mesh: &Mesh) -> Vec<u8> {
    let mut f = String::from("# a comment\nmtllib none.mtl\no thing\n");
    mesh.nodes.iter().for_each(|p| f += &format!("v {} {} {}\n", p.x, p.y, p.z));
    f += "vn 0 0 1\ng part of it\ns off\n";
    for cell in &mesh.cells {
        f += if cell.kind() == CellKind::Bar2 { "l" } else { "f" };
        cell.nodes().iter().for_each(|&n| f += &format!(" {}//1", n + 1));
        f += "\n";
    }
    f.into_bytes()
}

pub fn stl_text(mesh: &Mesh) -> Vec<u8> {
    let mut f = String::from("solid the thing\n");
    for triangle in mesh.surface_triangles() {
        f += "  facet normal 0 0 nan\n    outer loop\n";
        for p in triangle.map(|n| mesh.nodes[n as usize]) {
            f += &format!("      vertex {} {} {}\n", p.x, p.y, p.z);
        }
        f += "    endloop\n  endfacet\n";
    }
    (f + "endsolid the thing\n").into_bytes()
}

pub fn stl_binary(mesh: &Mesh) -> Vec<u8> {
    let triangles = mesh.surface_triangles();
    let mut f = Bytes::new(&format!("{:80}", "solid is a word that binary files begin with too"), false);
    f.i32(triangles.len());
    for triangle in triangles {
        [0.0, 0.0, 1.0].into_iter().for_each(|value| f.f32(value));
        for p in triangle.map(|n| mesh.nodes[n as usize]) {
            p.to_array().into_iter().for_each(|value| f.f32(value));
        }
        f.text("\0\0");
    }
    f.bytes
}

fn ply_header(mesh: &Mesh, format: &str) -> String {
    format!(
        "ply\nformat {format} 1.0\ncomment made by hand\nelement vertex {}\nproperty double x\nproperty double y\nproperty double z\nproperty uchar red\nelement face {}\nproperty float quality\nproperty list uchar int vertex_indices\nelement extra 2\nproperty list uchar float junk\nend_header\n",
        mesh.nodes.len(),
        mesh.cells.len()
    )
}

pub fn ply_text(mesh: &Mesh) -> Vec<u8> {
    let mut f = ply_header(mesh, "ascii");
    mesh.nodes.iter().for_each(|p| f += &format!("{} {} {} 255\n", p.x, p.y, p.z));
    for cell in &mesh.cells {
        f += &format!("nan {}", cell.nodes().len());
        cell.nodes().iter().for_each(|&n| f += &format!(" {n}"));
        f += "\n";
    }
    (f + "2 1.0 2.0\n0\n").into_bytes()
}

pub fn ply_binary(mesh: &Mesh, big: bool) -> Vec<u8> {
    let mut f = Bytes::new(&ply_header(mesh, if big { "binary_big_endian" } else { "binary_little_endian" }), big);
    for &p in &mesh.nodes {
        f.vector(p);
        f.text("\n");
    }
    for cell in &mesh.cells {
        f.f32(f64::NAN);
        f.bytes.push(cell.nodes().len() as u8);
        cell.nodes().iter().for_each(|&n| f.i32(n as usize));
    }
    f.bytes.push(1);
    f.f32(1.0);
    f.bytes.push(0);
    f.bytes
}

/// A bar of tetrahedra with its skin before it, in one mesh.
pub fn solid() -> Mesh {
    let mut mesh = bar(DVec3::new(1.0, 0.25, 1.0 / 3.0), [3, 2, 1], Filling::SixTets).unwrap().mesh;
    let skin = mesh.surface_triangles().into_iter().map(Cell::tri3).collect::<Vec<_>>();
    mesh.cells = skin.into_iter().chain(mesh.cells).collect();
    mesh
}

/// A sheet whose coordinates are exact in 4 bytes.
pub fn cloth(kind: SheetCells) -> Mesh {
    sheet([1.0, 2.0], [4, 4], kind).unwrap()
}

/// Every kind of file, with its name.
pub fn files() -> Vec<(&'static str, Format, Vec<u8>)> {
    let (solid, quads, triangles) = (solid(), cloth(SheetCells::Quads), cloth(SheetCells::Triangles));
    vec![
        ("msh 2.2 text", Format::Gmsh, msh2_text(&solid)),
        ("msh 2.2 binary", Format::Gmsh, msh2_binary(&solid, false)),
        ("msh 2.2 binary, big end first", Format::Gmsh, msh2_binary(&solid, true)),
        ("msh 4.1 text", Format::Gmsh, taut_mesh::write_msh(&solid, &[]).unwrap().into_bytes()),
        ("msh 4.1 binary", Format::Gmsh, msh4_binary(&solid, false)),
        ("msh 4.1 binary, big end first", Format::Gmsh, msh4_binary(&solid, true)),
        ("obj", Format::Obj, obj(&quads)),
        ("stl text", Format::Stl, stl_text(&triangles)),
        ("stl binary", Format::Stl, stl_binary(&triangles)),
        ("ply text", Format::Ply, ply_text(&quads)),
        ("ply binary", Format::Ply, ply_binary(&quads, false)),
        ("ply binary, big end first", Format::Ply, ply_binary(&quads, true)),
    ]
}

//! Meshes of files: STL, OBJ, PLY and MSH by `taut-mesh`, COLLADA and glTF here.

mod dae;
mod gltf;

use crate::model::Mesh;
use crate::report::{Error, Place, Report, Result};
use std::collections::BTreeMap;
use taut::{Mat3, Vec3};
use taut_mesh::{ReadOptions, Surface, read_named};

/// Reads a file that a mesh names beside itself.
pub type Beside<'a> = dyn FnMut(&str) -> std::result::Result<Vec<u8>, String> + 'a;

/// Triangles in the making.
#[derive(Default)]
struct Soup {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

/// A linear map with a translation.
#[derive(Clone, Copy)]
struct Affine {
    linear: Mat3,
    shift: Vec3,
}

impl Affine {
    const IDENTITY: Affine = Affine { linear: Mat3::IDENTITY, shift: Vec3::ZERO };

    /// This one after the inner one.
    fn after(&self, inner: &Affine) -> Affine {
        Affine { linear: self.linear * inner.linear, shift: self.linear * inner.shift + self.shift }
    }
}

impl Soup {
    /// Adds triangles whose corners are moved.
    fn add(&mut self, by: &Affine, vertices: &[Vec3], triangles: impl Iterator<Item = [u32; 3]>) {
        let first = self.vertices.len() as u32;
        self.vertices.extend(vertices.iter().map(|v| by.linear * *v + by.shift));
        let mirrors = by.linear.determinant() < 0.0;
        self.triangles.extend(triangles.map(|[a, b, c]| {
            let [b, c] = if mirrors { [c, b] } else { [b, c] };
            [first + a, first + b, first + c]
        }));
    }
}

/// The triangles of a file, scaled.
pub fn read(
    name: &str,
    bytes: &[u8],
    scale: Vec3,
    place: &Place,
    beside: &mut Beside<'_>,
    report: &mut Report,
) -> Result<Mesh> {
    let fail = |why: String| Error::new(place, format!("mesh '{name}': {why}"));
    let ending = name.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase()).unwrap_or_default();
    let soup = match ending.as_str() {
        "dae" => dae::read(name, bytes)?,
        "glb" | "gltf" => gltf::read(bytes, beside).map_err(fail)?,
        "stl" | "obj" | "ply" | "msh" => {
            let options = ReadOptions { drop_unused: true, ..ReadOptions::default() };
            let read = read_named(name, bytes, &options).map_err(|e| fail(e.to_string()))?;
            let (surface, _) = Surface::of(&read.mesh);
            Soup { vertices: surface.nodes, triangles: surface.triangles }
        }
        _ => return Err(fail("expected a file ending in .stl, .obj, .ply, .msh, .dae, .glb or .gltf".into())),
    };
    if soup.triangles.len() > MANY {
        report.warn(place, format!("meshes of more than {MANY} triangles make large scenes"));
    }
    finish(soup, scale).map_err(fail)
}

/// Most triangles of a file, with those that are placed again.
const MOST_TRIANGLES: usize = 10_000_000;

/// Triangles that a collider can well have.
const MANY: usize = 100_000;

/// Scales a mesh, whose equal corners become one; a scale that mirrors turns its triangles.
fn finish(soup: Soup, scale: Vec3) -> std::result::Result<Mesh, String> {
    if soup.triangles.is_empty() {
        return Err("no triangles: expected a surface".into());
    }
    let mut mesh = Mesh::default();
    let mut known: BTreeMap<[u64; 3], u32> = BTreeMap::new();
    let mut number = vec![0; soup.vertices.len()];
    for (k, v) in soup.vertices.iter().enumerate() {
        let v = *v * scale;
        if !v.is_finite() {
            return Err(format!("vertex {k} = {v}: expected finite numbers"));
        }
        // Zeros of both signs are one.
        let bits = v.to_array().map(|x| (x + 0.0).to_bits());
        number[k] = *known.entry(bits).or_insert_with(|| {
            mesh.vertices.push(v);
            mesh.vertices.len() as u32 - 1
        });
    }
    let mirrors = scale.x * scale.y * scale.z < 0.0;
    for t in &soup.triangles {
        let corner = |k: u32| {
            number
                .get(k as usize)
                .copied()
                .ok_or_else(|| format!("vertex {k}: expected a number below {}", number.len()))
        };
        let [a, b, c] = [corner(t[0])?, corner(t[1])?, corner(t[2])?];
        let [b, c] = if mirrors { [c, b] } else { [b, c] };
        if a != b && b != c && c != a {
            mesh.triangles.push([a, b, c]);
        }
    }
    Ok(mesh)
}

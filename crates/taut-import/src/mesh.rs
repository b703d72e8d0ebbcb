//! Meshes of files: STL, OBJ, PLY and MSH by `taut-mesh`, COLLADA and glTF here.

use crate::model::Mesh;
use crate::report::{Error, Place, Report, Result};
use taut::Vec3;
use taut_mesh::{ReadOptions, Surface, read_named};

/// The triangles of a file, scaled.
pub fn read(name: &str, bytes: &[u8], scale: Vec3, place: &Place, _report: &mut Report) -> Result<Mesh> {
    let fail = |why: String| Error::new(place, format!("mesh '{name}': {why}"));
    let options = ReadOptions { drop_unused: true, ..ReadOptions::default() };
    let read = read_named(name, bytes, &options).map_err(|e| fail(e.to_string()))?;
    let (surface, _) = Surface::of(&read.mesh);
    finish(surface.nodes, surface.triangles, scale).map_err(fail)
}

/// Scales a mesh; a scale that mirrors turns its triangles.
fn finish(mut vertices: Vec<Vec3>, mut triangles: Vec<[u32; 3]>, scale: Vec3) -> std::result::Result<Mesh, String> {
    vertices.iter_mut().for_each(|v| *v *= scale);
    if scale.x * scale.y * scale.z < 0.0 {
        triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
    if triangles.is_empty() {
        return Err("no triangles: expected a surface".into());
    }
    match vertices.iter().find(|v| !v.is_finite()) {
        Some(v) => Err(format!("vertex = {v}: expected finite numbers")),
        None => Ok(Mesh { vertices, triangles }),
    }
}

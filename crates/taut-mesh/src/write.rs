//! Writers: VTK for ParaView, Wavefront, Gmsh. They return text; where it goes is the caller's choice.

mod msh;
mod vtu;

pub use msh::write_msh;
pub use vtu::{Field, von_mises, write_pvd, write_vtu, write_vtu_points};

use std::fmt::Write;

use crate::surface::Surface;

/// A surface as a Wavefront object, with every digit of its coordinates.
///
/// ```
/// use taut_mesh::{Surface, write_obj};
/// let triangle = Surface { nodes: vec![glam::DVec3::ZERO, glam::DVec3::X, glam::DVec3::Y], triangles: vec![[0, 1, 2]] };
/// assert_eq!(write_obj(&triangle), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
/// ```
pub fn write_obj(surface: &Surface) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    for p in &surface.nodes {
        let _ = writeln!(text, "v {} {} {}", p.x, p.y, p.z);
    }
    for [a, b, c] in surface.triangles.iter().map(|t| t.map(|n| u64::from(n) + 1)) {
        let _ = writeln!(text, "f {a} {b} {c}");
    }
    text
}

//! Frames over a mesh: the frames move, the nodes of the mesh are carried by them.
//!
//! The mesh is sampled at the points of its cells, and its nodes follow the frames that reach them,
//!
//! ```text
//! x_n = sum_i w_i(X_n) sum_k lambda_ik(X_n) x_ik
//! ```
//! with the weights of [`FrameCell::around`]. Some of the products w lambda are negative; they sum to 1. So the body has few unknowns and
//! the surface of the mesh, which can be drawn and touched.

use super::frame::{FrameCell, weights};
use crate::elements::{Elements, Options};
use crate::error::{Error, InputError};
use crate::material::Material;
use crate::mesh::{CORNERS, CellKind, GAUSS, Mesh};
use glam::DVec3;

/// What frames over a mesh were made of.
///
/// ```
/// use glam::DVec3;
/// use taut_elements::{Cell, Elements, Frames, Material, Mesh};
/// let corner = |k: usize| DVec3::new((k / 4) as f64, (k / 2 % 2) as f64, (k % 2) as f64);
/// let mesh = Mesh { nodes: (0..8).map(corner).collect(), cells: vec![Cell::hex8([0, 4, 6, 2, 1, 5, 7, 3])] };
/// let frames = Frames { centres: vec![DVec3::splat(0.5)], radius: 2.0 };
/// let elements = Elements::frames_over(&mesh, &frames, &Material::new(1000.0, 1e4, 0.3), &Default::default()).unwrap();
/// // Four control points, and the eight corners that they carry.
/// assert_eq!((elements.rest().len(), elements.controls(), elements.surface().len()), (12, 4, 12));
/// ```
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Frames {
    /// Where the frames are at rest, m.
    pub centres: Vec<DVec3>,
    /// How far each reaches, m.
    pub radius: f64,
}

/// Frames over a mesh: what they were made of, and what carries each node of the mesh.
#[derive(Clone, Debug)]
pub(crate) struct Over {
    pub mesh: Mesh,
    pub frames: Frames,
    pub options: Options,
    /// Control points and their parts, node after node.
    pub carriers: Vec<Vec<(u32, f64)>>,
}

impl Elements {
    /// Affine frames that move the material of a mesh of solid cells. The nodes are the control points of the frames, four each, and
    /// then those of the mesh, which have neither mass nor unknowns of their own ([`Elements::carried`]).
    ///
    /// # Errors
    /// What the mesh or the material refuse, cells that are no solids, and cells or nodes that no frame or more than eight reach.
    pub fn frames_over(mesh: &Mesh, frames: &Frames, material: &Material, options: &Options) -> Result<Self, Error> {
        let report = mesh.check()?;
        if let Some(kind) = report.kinds.iter().find(|k| k.dimension() < 3) {
            return Err(
                InputError::new("frames", kind.dimension() as f64, "a mesh of solid cells (dimension 3)").into()
            );
        }
        let mesh = mesh.oriented().mesh;
        let cells = FrameCell::around(&frames.centres, frames.radius, &samples(&mesh))?;
        if let Some(i) = (0..frames.centres.len() as u32).find(|i| !cells.iter().any(|c| c.frames.contains(i))) {
            return Err(InputError::new("frames", f64::from(i), "frames that reach the mesh, each of them").into());
        }
        let mut elements = Elements::frames_with(&cells, material, options)?;
        let mut carriers = Vec::with_capacity(mesh.nodes.len());
        for &x in &mesh.nodes {
            let near = weights(&frames.centres, frames.radius, x)?;
            let parts = near.iter().flat_map(|&(i, w)| {
                let lambda = elements.frame_coordinates(i as usize, x);
                (0..4).map(move |k| (4 * i + k as u32, w * lambda[k]))
            });
            carriers.push(parts.collect());
        }
        let controls = elements.rest.len() as u32;
        elements.rest.extend(&mesh.nodes);
        elements.masses.extend(mesh.nodes.iter().map(|_| 0.0));
        elements.surface = mesh.surface_triangles().iter().map(|t| t.map(|n| n + controls)).collect();
        elements.report = report;
        elements.over = Some(Box::new(Over { mesh, frames: frames.clone(), options: options.clone(), carriers }));
        Ok(elements)
    }

    /// How many nodes have unknowns: all, but with frames over a mesh only the control points, which come first.
    pub fn controls(&self) -> usize {
        self.rest.len() - self.over.as_ref().map_or(0, |o| o.carriers.len())
    }

    /// The control points that carry node `n` and their parts, which sum to 1; nothing where it has unknowns of its own.
    pub fn carried(&self, n: usize) -> &[(u32, f64)] {
        let place = n.checked_sub(self.controls());
        place.and_then(|k| self.over.as_ref()?.carriers.get(k)).map_or(&[], |list| list)
    }

    /// The mesh, the frames and the options of frames over a mesh.
    pub fn over(&self) -> Option<(&Mesh, &Frames, &Options)> {
        self.over.as_ref().map(|o| (&o.mesh, &o.frames, &o.options))
    }
}

/// Points of the cells with their volumes: eight in a hexahedron, four in a tetrahedron.
fn samples(mesh: &Mesh) -> Vec<(DVec3, f64)> {
    // The points of the rule of second order in a tetrahedron.
    const FAR: f64 = 0.585_410_196_624_968_5;
    const NEAR: f64 = 0.138_196_601_125_010_5;
    let mut out = Vec::new();
    for (c, cell) in mesh.cells.iter().enumerate() {
        let x: Vec<DVec3> = cell.nodes().iter().map(|&n| mesh.nodes[n as usize]).collect();
        let share = |count: usize| mesh.volume(c) / count as f64;
        match cell.kind() {
            CellKind::Hex8 => out.extend(CORNERS.iter().map(|q| {
                let part = |a: usize| (0..3).map(|d| 0.5 * (1.0 + CORNERS[a][d] * q[d] * GAUSS)).product::<f64>();
                ((0..8).fold(DVec3::ZERO, |s, a| s + x[a] * part(a)), share(8))
            })),
            _ => out.extend((0..4).map(|q| {
                let part = |a: usize| if a == q { FAR } else { NEAR };
                ((0..4).fold(DVec3::ZERO, |s, a| s + x[a] * part(a)), share(4))
            })),
        }
    }
    out
}

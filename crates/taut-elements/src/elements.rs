//! All elements of a body: what the engine sees.

use crate::element::Gradients;
use crate::element::bending::Bending;
use crate::element::frame::FrameCell;
use crate::element::over::Over;
use crate::law::Resolved;
use crate::material::Material;
use crate::mesh::{Cell, Mesh, MeshReport};
use glam::DVec3;
use std::ops::Range;

/// Most nodes of an element.
pub const MAX_NODES: usize = 32;

/// Poisson's ratio of the modulus that holds rows which do not give.
const HELD_AS: f64 = 0.499_999;

/// How the volume of solids is kept when Poisson's ratio is above 0.4.
///
/// ```
/// use taut_elements::Volume;
/// assert_eq!(Volume::default(), Volume::Auto);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Volume {
    /// On the mean over groups of cells: as an energy, or as rows where nu = 0.5.
    #[default]
    Auto,
    /// At each point: locks near nu = 0.5.
    Off,
    /// On the mean over groups of cells, as rows ([`Elements::dilatation`]), at any nu above 0.3.
    Rows,
}

/// How elements are made from a mesh.
///
/// ```
/// use taut_elements::{Options, Volume};
/// let options = Options { volume: Volume::Rows, ..Options::default() };
/// assert!(options.groups.is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Options {
    /// How volume is kept near nu = 0.5.
    pub volume: Volume,
    /// How gradients vary within hexahedra and frames.
    pub gradients: Gradients,
    /// Cells that share a mean dilatation where there is one, such as the tetrahedra of each box of
    /// a grid. Cells in no group are grouped by vertices.
    pub groups: Option<Vec<Vec<u32>>>,
}

/// What is given at an evaluation besides positions and state.
///
/// ```
/// use taut_elements::Input;
/// assert_eq!(Input::default(), Input { activation: 0.0, pressure: 0.0 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Input {
    /// Activation of fibres, 0 to 1.
    pub activation: f64,
    /// The pressure a volume row carries, Pa, positive when it pulls the volume together. It enters
    /// the stiffness only; forces are the row's. Without rows it has no effect.
    pub pressure: f64,
}

/// Elements of one material over common nodes.
///
/// ```
/// use glam::{DMat3, DVec3};
/// use taut_elements::{Cell, Elements, Input, Material, Mesh};
/// let mesh = Mesh {
///     nodes: vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z],
///     cells: vec![Cell::tet4([0, 1, 2, 3])],
/// };
/// let elements = Elements::new(&mesh, &Material::new(1000.0, 1e5, 0.3)).unwrap();
/// let state = elements.fresh_state();
/// let mut x: Vec<DVec3> = elements.nodes(0).iter().map(|&n| mesh.nodes[n as usize]).collect();
/// x[3].z = 1.1;
/// let (mut f, mut k) = ([DVec3::ZERO; 4], [DMat3::ZERO; 16]);
/// let energy = elements.evaluate(0, &x, &state, Input::default(), &mut f, &mut k);
/// assert!(energy > 0.0 && f[3].z < 0.0 && k[15].z_axis.z > 0.0);
/// ```
#[derive(Clone, Debug)]
pub struct Elements {
    pub(crate) material: Material,
    /// The mesh with all cells turned the right way; none for frames.
    pub(crate) mesh: Option<Mesh>,
    /// The samples of frames; none of a mesh.
    pub(crate) framed: Vec<FrameCell>,
    /// How they were made.
    pub(crate) options: Options,
    /// By dimension less one.
    pub(crate) laws: [Option<Resolved>; 3],
    pub(crate) rest: Vec<DVec3>,
    pub(crate) masses: Vec<f64>,
    /// Seams that were cut and whose nodes are still common, in ascending order.
    pub(crate) parted: Vec<([u32; 2], [u8; 2])>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) connectivity: Vec<u32>,
    pub(crate) cells: Vec<u32>,
    pub(crate) points: Vec<Point>,
    pub(crate) gradients: Vec<DVec3>,
    /// Which node of its element each gradient belongs to.
    pub(crate) local: Vec<u8>,
    pub(crate) report: MeshReport,
    /// Whether volume is kept at each point near nu = 0.5.
    pub(crate) locks: bool,
    pub(crate) floored: usize,
    pub(crate) surface: Vec<[u32; 3]>,
    pub(crate) bars: Vec<[u32; 2]>,
    /// The mesh that frames carry.
    pub(crate) over: Option<Box<Over>>,
}

/// One element.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub nodes: Range<usize>,
    pub cells: Range<usize>,
    pub points: Range<usize>,
    pub dimension: usize,
    pub volume: f64,
    /// Modulus of the mean dilatation, Pa: 0 without a patch.
    pub kappa: f64,
    /// Jbar - 1 at which the patch has no pressure: 0, until a cut has split it.
    pub free: f64,
    /// Whether the patch is left to rows.
    pub rows: bool,
    pub bending: Option<Box<Bending>>,
}

/// An integration point.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    /// Volume at rest, m^3.
    pub weight: f64,
    /// Its gradients and their nodes.
    pub gradients: Range<usize>,
    /// Direction of active fibres in the material axes.
    pub fibre: DVec3,
}

impl Elements {
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The nodes of element e: at most [`MAX_NODES`].
    pub fn nodes(&self, e: usize) -> &[u32] {
        &self.connectivity[self.blocks[e].nodes.clone()]
    }

    /// The cells of the mesh that element e stands for: one, or those of a group; those of frames
    /// count by themselves.
    pub fn cells(&self, e: usize) -> &[u32] {
        &self.cells[self.blocks[e].cells.clone()]
    }

    /// Volume of element e at rest, m^3; of a sheet with its thickness, of a bar with its cross
    /// section. Bending elements have none of their own.
    pub fn volume(&self, e: usize) -> f64 {
        self.blocks[e].volume
    }

    /// The mean dilatation at which the volume patch of element e has no pressure: 0, unless a cut has
    /// split it under load ([`Separated::keep_pressure`](crate::Separated::keep_pressure)).
    pub fn free_dilatation(&self, e: usize) -> f64 {
        self.blocks[e].free
    }

    /// Whether the volume of element e is left to a row ([`Elements::dilatation`]).
    pub fn has_row(&self, e: usize) -> bool {
        self.blocks[e].rows
    }

    /// Whether there are such rows that do not give: solids of nu = 0.5.
    pub fn is_incompressible(&self) -> bool {
        self.blocks.iter().any(|block| block.rows && !block.kappa.is_finite())
    }

    /// A modulus to hold such rows by, Pa: that of the patches of nu = 0.499999, half a million shear moduli. It is far from where
    /// rounding counts, and a violation times this is nearly all of the pressure that takes it away.
    pub fn holding_modulus(&self) -> f64 {
        let nearly = Material { poisson: HELD_AS, ..self.material.clone() };
        nearly.lame() - crate::build::local_lame(&nearly)
    }

    /// Whether element e is the bending of a sheet.
    pub fn is_bending(&self, e: usize) -> bool {
        self.blocks[e].bending.is_some()
    }

    /// Number of integration points of element e; none for bending.
    pub fn points(&self, e: usize) -> usize {
        self.blocks[e].points.len()
    }

    /// Positions of the nodes at rest, m: those of the mesh, or the control points of frames and then what they carry.
    pub fn rest(&self) -> &[DVec3] {
        &self.rest
    }

    /// Lumped mass of each node, kg: the integral of its shape function, at least 1e-3 of the mean; none of what frames carry.
    pub fn masses(&self) -> Vec<f64> {
        self.masses.clone()
    }

    /// The mesh with all cells turned the right way and the nodes that cuts have added; none for frames.
    pub fn mesh(&self) -> Option<&Mesh> {
        self.mesh.as_ref()
    }

    /// The samples that frames were made of; none of a mesh.
    pub fn frame_cells(&self) -> &[FrameCell] {
        &self.framed
    }

    /// The options that they were made with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The cells of the mesh; none for frames.
    pub(crate) fn shape(&self) -> &[Cell] {
        self.mesh().map_or(&[], |mesh| &mesh.cells)
    }

    /// The cell of the mesh that a point of element e lies in; those of frames count by themselves.
    pub fn cell_of(&self, e: usize, point: usize) -> Option<u32> {
        let mut end = 0;
        self.cells(e).iter().copied().find(|&c| {
            end += self.shape().get(c as usize).map_or(self.points(e), |cell| cell.kind().points());
            point < end
        })
    }

    /// The material.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// The boundary of the cells in triangles of nodes, outward on solids ([`Mesh::surface_triangles`](crate::Mesh::surface_triangles)).
    /// None for frames without a mesh: their control points are no points of a surface.
    pub fn surface(&self) -> &[[u32; 3]] {
        &self.surface
    }

    /// The ends of the bars.
    pub fn bars(&self) -> &[[u32; 2]] {
        &self.bars
    }

    /// What the check of the mesh said; empty for frames.
    pub fn report(&self) -> &MeshReport {
        &self.report
    }

    /// What a user should be told once, in words.
    pub fn warnings(&self) -> Vec<String> {
        let report = &self.report;
        let mut warnings = Vec::new();
        let mut count = |n: usize, text: &str| {
            if n > 0 {
                warnings.push(format!("{n} {text}"));
            }
        };
        count(report.turned, "cells were turned inside out: two of their nodes are swapped");
        count(report.one_sided, "cells of a sheet disagree with a neighbour either way round");
        count(report.slivers, "cells are slivers: below 1e-4 of their longest edge to the power of their dimension");
        count(self.floored, "nodes have less than 1e-3 of the mean mass and were given that");
        if report.unit_suspect {
            warnings.push(format!("the mesh is {} m long; is it in metres?", report.extent));
        }
        if self.locks {
            warnings.push(format!("poisson = {} without volume patches: cells will lock", self.material.poisson));
        }
        warnings
    }

    /// How many nodes were given more mass than their cells have, because these are slivers.
    pub fn floored(&self) -> usize {
        self.floored
    }
}

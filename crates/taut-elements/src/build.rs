//! Elements from a mesh and a material.

use crate::element::{self, Points, bending};
use crate::elements::{Block, Elements, Options, Point, Volume};
use crate::error::{Error, InputError};
use crate::group;
use crate::material::Material;
use crate::mesh::{Mesh, MeshReport};
use glam::{DMat3, DVec3};

/// Above this ratio the volume is kept on the mean over groups.
const PATCH_ABOVE: f64 = 0.4;
/// Above this ratio cells without groups lock so much that it should be known.
const LOCKS: f64 = 0.495;
/// Poisson's ratio of what stays at the points then.
const NU_LOCAL: f64 = 0.3;
/// The least mass of a node against the mean.
const LEAST_MASS: f64 = 1e-3;

impl Elements {
    /// The elements of a mesh: one per cell, or per group of solid cells where Poisson's ratio is
    /// above 0.4, then one per bending triangle of sheets. Cells that are turned the wrong way are
    /// turned first ([`Elements::warnings`]).
    ///
    /// # Errors
    /// What [`Mesh::check`] or [`Material::check`] refuses, or a law that is none for such cells.
    pub fn new(mesh: &Mesh, material: &Material) -> Result<Self, Error> {
        Elements::with(mesh, material, &Options::default())
    }

    /// The same with options.
    ///
    /// # Errors
    /// As [`Elements::new`], and groups that cannot be used.
    pub fn with(mesh: &Mesh, material: &Material, options: &Options) -> Result<Self, Error> {
        material.check()?;
        let report = mesh.check()?;
        let mesh = &mesh.oriented().mesh;
        let mut dimensions: Vec<usize> = report.kinds.iter().map(|kind| kind.dimension()).collect();
        dimensions.dedup();
        let mut elements = Elements::empty(material, options.volume, &dimensions)?;
        elements.rest.clone_from(&mesh.nodes);
        elements.masses = vec![0.0; mesh.nodes.len()];
        elements.report = report;
        elements.take_mesh(mesh.clone(), options.clone());
        let patched = dimensions.contains(&3) && patch_modulus(material, options.volume).is_some();
        let groups = if patched { group::groups(mesh, options.groups.as_deref())? } else { Vec::new() };
        let single =
            (0..mesh.cells.len() as u32).filter(|&c| !patched || mesh.cells[c as usize].kind().dimension() < 3);
        for cells in single.map(|c| vec![c]) {
            elements.add(mesh, &cells, options, None);
        }
        for cells in &groups {
            elements.add(mesh, cells, options, patch_modulus(material, options.volume));
        }
        elements.add_all_bending(mesh);
        elements.floor_masses();
        Ok(elements)
    }

    /// Keeps the mesh, its surface and its bars.
    pub(crate) fn take_mesh(&mut self, mesh: Mesh, options: Options) {
        self.surface = mesh.surface_triangles();
        let bars = mesh.cells.iter().filter(|cell| cell.kind().dimension() == 1);
        self.bars = bars.map(|cell| [cell.nodes()[0], cell.nodes()[1]]).collect();
        self.mesh = Some(mesh);
        self.options = options;
    }

    /// No elements yet, but the laws of these dimensions.
    pub(crate) fn empty(material: &Material, volume: Volume, dimensions: &[usize]) -> Result<Self, InputError> {
        let mut laws = [None, None, None];
        for &m in dimensions {
            material.check_for(m)?;
            let la = match patch_modulus(material, volume) {
                Some(_) => local_lame(material),
                None => material.lame(),
            };
            if m == 3 && !la.is_finite() && material.law.is_isotropic() {
                return Err(InputError::new(
                    "poisson",
                    material.poisson,
                    "below 0.5 where volume is kept at each point",
                ));
            }
            laws[m - 1] = Some(material.law.resolve(material.young, material.poisson, la, m)?);
        }
        Ok(Elements {
            material: material.clone(),
            mesh: None,
            framed: Vec::new(),
            options: Options { volume, ..Options::default() },
            laws,
            rest: Vec::new(),
            masses: Vec::new(),
            parted: Vec::new(),
            blocks: Vec::new(),
            connectivity: Vec::new(),
            cells: Vec::new(),
            points: Vec::new(),
            gradients: Vec::new(),
            local: Vec::new(),
            report: MeshReport::default(),
            locks: dimensions.contains(&3) && material.poisson > LOCKS && patch_modulus(material, volume).is_none(),
            floored: 0,
            surface: Vec::new(),
            bars: Vec::new(),
            over: None,
        })
    }

    /// One element of these cells, with a patch of the given modulus if any.
    fn add(&mut self, mesh: &Mesh, cells: &[u32], options: &Options, patch: Option<(f64, bool)>) {
        let nodes = group::nodes_of(mesh, cells);
        let m = mesh.cells[cells[0] as usize].kind().dimension();
        let first = self.points.len();
        let axes = self.material.law.axes();
        for &c in cells {
            let points = element::points(mesh, c as usize, axes, self.material.poisson, options.gradients);
            self.add_points(&points, mesh.cells[c as usize].nodes(), &nodes, m);
        }
        let points = first..self.points.len();
        let volume = self.points[points.clone()].iter().fold(0.0, |v, p| v + p.weight);
        let (kappa, rows) = patch.unwrap_or((0.0, false));
        let (nodes, cells) = (self.list_nodes(&nodes), self.list_cells(cells));
        self.blocks.push(Block { nodes, cells, points, dimension: m, volume, kappa, free: 0.0, rows, bending: None });
    }

    /// The points of one cell, and its mass.
    fn add_points(&mut self, points: &Points, cell: &[u32], nodes: &[u32], m: usize) {
        let across = self.material.across(m);
        for (a, &n) in cell.iter().enumerate() {
            self.masses[n as usize] += self.material.density * across * points.share[a];
        }
        for q in 0..points.count {
            let start = self.gradients.len();
            self.gradients.extend(&points.gradient[q][..cell.len()]);
            self.local.extend(group::places(cell, nodes));
            let fibre = self.fibre_direction(&points.basis[q], m);
            let weight = points.weight[q] * across;
            self.points.push(Point { weight, gradients: start..self.gradients.len(), fibre });
        }
    }

    /// The direction of fibres in the material axes; in a sheet or bar, its part there.
    pub(crate) fn fibre_direction(&self, basis: &DMat3, m: usize) -> DVec3 {
        let Some(fibre) = &self.material.fibre else { return DVec3::ZERO };
        let mut e = basis.transpose() * fibre.direction;
        for k in m..3 {
            e[k] = 0.0;
        }
        e.normalize_or_zero()
    }

    /// The bending of the sheets of a mesh, but across edges that were cut.
    pub(crate) fn add_all_bending(&mut self, mesh: &Mesh) {
        let stiffness = self.material.bending_stiffness();
        if self.laws[1].is_some() && stiffness > 0.0 {
            let cut = self.parted_edges(mesh);
            bending::patches(mesh, &cut, stiffness, self.material.poisson)
                .into_iter()
                .for_each(|patch| self.add_bending(patch));
        }
    }

    fn add_bending(&mut self, patch: bending::Patch) {
        let nodes = self.list_nodes(&patch.nodes[..patch.count]);
        let cells = self.list_cells(&[patch.cell]);
        let points = self.points.len()..self.points.len();
        let bending = Some(Box::new(patch.bending));
        let (volume, kappa, free, rows) = (0.0, 0.0, 0.0, false);
        self.blocks.push(Block { nodes, cells, points, dimension: 2, volume, kappa, free, rows, bending });
    }

    pub(crate) fn list_nodes(&mut self, nodes: &[u32]) -> std::ops::Range<usize> {
        let start = self.connectivity.len();
        self.connectivity.extend(nodes);
        start..self.connectivity.len()
    }

    pub(crate) fn list_cells(&mut self, cells: &[u32]) -> std::ops::Range<usize> {
        let start = self.cells.len();
        self.cells.extend(cells);
        start..self.cells.len()
    }

    pub(crate) fn floor_masses(&mut self) {
        let least = LEAST_MASS * self.masses.iter().sum::<f64>() / self.masses.len().max(1) as f64;
        for mass in self.masses.iter_mut().filter(|mass| **mass < least) {
            *mass = least;
            self.floored += 1;
        }
    }
}

/// The second constant of Lame that stays at the points, Pa.
pub(crate) fn local_lame(material: &Material) -> f64 {
    2.0 * material.shear_modulus() * NU_LOCAL / (1.0 - 2.0 * NU_LOCAL)
}

/// kappa = la - la_local of the volume patches and whether they are rows; none where volume is kept
/// at each point.
pub(crate) fn patch_modulus(material: &Material, volume: Volume) -> Option<(f64, bool)> {
    let kappa = material.lame() - local_lame(material);
    match volume {
        _ if !material.law.is_isotropic() => None,
        Volume::Off => None,
        Volume::Rows => (kappa > 0.0).then_some((kappa, true)),
        Volume::Auto => (material.poisson > PATCH_ABOVE).then_some((kappa, !kappa.is_finite())),
    }
}

//! Deformables: meshes, materials, cuts.

use crate::builder::{Worded, builder};
use crate::convert::{Arg, P, Q, ToPy, V3, choice, shown};
use crate::error::{raise, raise_mesh};
use crate::ids::BodyId;
use crate::parts;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeSet;
use std::sync::Arc;
use taut::soft::{self, Cell, CellKind};
use taut_mesh::{Filling, ReadOptions, SheetCells, TubeSize, VoxelOptions};

type Words<'a, 'py> = &'a Bound<'py, PyDict>;

const KINDS: [(&str, CellKind); 5] = [
    ("bar", CellKind::Bar2),
    ("triangle", CellKind::Tri3),
    ("quad", CellKind::Quad4),
    ("tet", CellKind::Tet4),
    ("hex", CellKind::Hex8),
];

/// Nodes and cells, with the groups of cells over which the change of volume is averaged where the generator knows them.
#[pyclass(frozen, from_py_object, module = "taut.soft")]
#[derive(Clone)]
pub struct Mesh {
    mesh: Arc<soft::Mesh>,
    patches: Option<Vec<Vec<u32>>>,
}

impl Mesh {
    fn of<E: std::fmt::Display>(made: Result<soft::Mesh, E>) -> PyResult<Self> {
        Ok(Mesh { mesh: Arc::new(made.map_err(raise_mesh)?), patches: None })
    }
    fn patched<E: std::fmt::Display>(made: Result<taut_mesh::Patched, E>) -> PyResult<Self> {
        let made = made.map_err(raise_mesh)?;
        Ok(Mesh { mesh: Arc::new(made.mesh), patches: Some(made.patches) })
    }
}

#[pymethods]
impl Mesh {
    #[new]
    fn new(nodes: Vec<V3>, cells: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut mesh = soft::Mesh { nodes: nodes.arg(), cells: Vec::new() };
        for (kind, list) in cells {
            let kind = choice("kind of cells", &kind.extract::<String>()?, &KINDS)?;
            for cell in list.extract::<Vec<Vec<u32>>>()? {
                let expected = format!("{} nodes", kind.nodes());
                let made = Cell::new(kind, &cell);
                mesh.cells.push(made.ok_or_else(|| raise(taut::Error::input("cell", format!("{cell:?}"), expected)))?);
            }
        }
        mesh.check().map_err(raise_mesh)?;
        Mesh::of::<soft::MeshError>(Ok(mesh))
    }
    /// A box from the origin: size, m, cells along x, y, z, and `filling`: hexahedra, five-tets or six-tets.
    #[staticmethod]
    #[pyo3(signature = (size, cells, filling = "hexahedra"))]
    fn bar(size: V3, cells: [usize; 3], filling: &str) -> PyResult<Self> {
        let all = [("hexahedra", Filling::Hexahedra), ("five-tets", Filling::FiveTets), ("six-tets", Filling::SixTets)];
        Mesh::patched(taut_mesh::bar(size.0, cells, choice("filling", filling, &all)?))
    }
    /// A rectangle in z = 0 from the origin: size, m, cells along x and y, of triangles or quads.
    #[staticmethod]
    #[pyo3(signature = (size, cells, of = "triangles"))]
    fn sheet(size: [f64; 2], cells: [usize; 2], of: &str) -> PyResult<Self> {
        let all = [("triangles", SheetCells::Triangles), ("quads", SheetCells::Quads)];
        Mesh::of(taut_mesh::sheet(size, cells, choice("of", of, &all)?))
    }
    /// A ball: radius, m, and cells along an edge of the cube that is mapped to it.
    #[staticmethod]
    fn ball(radius: f64, cells: usize) -> PyResult<Self> {
        Mesh::of(taut_mesh::ball(radius, cells))
    }
    /// A tube along x: radii and length, m; cells through the wall, around and along it.
    #[staticmethod]
    fn tube(inner: f64, outer: f64, length: f64, cells: [usize; 3]) -> PyResult<Self> {
        Mesh::of(taut_mesh::tube(TubeSize { inner, outer, length }, cells))
    }
    /// Bars from a point to another, m.
    #[staticmethod]
    fn rope(from_: V3, to: V3, segments: usize) -> PyResult<Self> {
        Mesh::of(taut_mesh::rope(from_.0, to.0, segments))
    }
    /// Bars over a rectangle in z = 0: size, m, and cells along x and y.
    #[staticmethod]
    fn net(size: [f64; 2], cells: [usize; 2]) -> PyResult<Self> {
        Mesh::of(taut_mesh::net(size, cells))
    }
    /// A creature 1 m tall, of cubes of this size, m.
    #[staticmethod]
    #[pyo3(signature = (size = 0.08))]
    fn creature(size: f64) -> PyResult<Self> {
        Mesh::of(taut_mesh::creature(size).map(|c| c.solid.mesh))
    }
    /// Reads a file (.msh, .obj, .stl, .ply); `scale` is metres for one unit of the file, `weld` joins nodes within a distance, m.
    #[staticmethod]
    #[pyo3(signature = (path, *, scale = 1.0, drop_unused = false, weld = None))]
    fn read(path: std::path::PathBuf, scale: f64, drop_unused: bool, weld: Option<f64>) -> PyResult<Self> {
        let bytes = std::fs::read(&path)?;
        let options = ReadOptions { scale, drop_unused, weld, ..ReadOptions::default() };
        Mesh::of(taut_mesh::read_named(&path.to_string_lossy(), &bytes, &options).map(|m| m.mesh))
    }
    /// Cubes of a size, m, that fill the closed surface of this mesh.
    fn voxels(&self, size: f64) -> PyResult<Self> {
        let surface = taut_mesh::Surface { nodes: self.mesh.nodes.clone(), triangles: self.mesh.surface_triangles() };
        Mesh::of(taut_mesh::voxelise(&surface, VoxelOptions::new(size)).map(|v| v.mesh))
    }
    /// Positions at rest, m.
    #[getter]
    fn nodes(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.mesh.nodes.clone().to_py(py)
    }
    /// Cells by kind: bar, triangle, quad, tet, hex; numbers of nodes in the order of VTK.
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let out = PyDict::new(py);
        for (word, kind) in KINDS {
            let of: Vec<Vec<u32>> =
                self.mesh.cells.iter().filter(|c| c.kind() == kind).map(|c| c.nodes().to_vec()).collect();
            if !of.is_empty() {
                out.set_item(word, of)?;
            }
        }
        Ok(out)
    }
    /// Triangles of its surface.
    #[getter]
    fn triangles(&self) -> Vec<[u32; 3]> {
        self.mesh.surface_triangles()
    }
    /// Refuses what no element can be built on; else tells what is worth knowing.
    fn check(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.mesh.check().map_err(raise_mesh)?.to_py(py)
    }
    fn __repr__(&self) -> String {
        format!("Mesh of {} nodes and {} cells", self.mesh.nodes.len(), self.mesh.cells.len())
    }
}

builder! {
    /// What a deformable is made of.
    Material(soft::Material) {
        /// With this law.
        fn law(law: Law);
        /// With this thickness of sheets, m.
        fn thickness(thickness: f64);
        /// With this cross section of bars, m^2.
        fn area(area: f64);
        /// With this bending stiffness of sheets, N m.
        fn bending(bending: f64);
        /// With this time of stiffness-proportional damping, s.
        fn damping(damping: f64);
        /// With this mass-proportional damping, 1/s.
        fn mass_damping(mass_damping: f64);
        /// With permanent deformation.
        fn plasticity(plasticity: Plasticity);
        /// With active fibres.
        fn fibre(fibre: Fibre);
    }
    rest {
        #[new]
        #[pyo3(signature = (density, young, poisson, **words))]
        fn new(density: f64, young: f64, poisson: f64, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Material(soft::Material::new(density, young, poisson)).with(words)
        }
        /// mu = E/(2 (1 + nu)), Pa.
        #[getter]
        fn shear_modulus(&self) -> f64 {
            self.0.shear_modulus()
        }
        /// Refuses numbers no body can have.
        fn check(&self) -> PyResult<()> {
            self.0.check().map_err(raise_mesh)
        }
    }
}

/// A law by its word, or one made by `hooke`, `orthotropic` or `cord`.
#[pyclass(frozen, module = "taut.soft")]
#[derive(Clone)]
pub struct Law(soft::Law);

impl<'a, 'py> FromPyObject<'a, 'py> for Law {
    type Error = PyErr;
    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(law) = value.cast::<Law>() {
            return Ok(law.get().clone());
        }
        use soft::Law as L;
        let all = [
            ("corotational", 0),
            ("stable-neo-hookean", 1),
            ("stable-neo-hookean-no-log", 2),
            ("neo-hookean", 3),
            ("st-venant-kirchhoff", 4),
        ];
        let laws =
            [L::Corotational, L::StableNeoHookean, L::StableNeoHookeanNoLog, L::NeoHookean, L::StVenantKirchhoff];
        let word: String = value
            .extract()
            .map_err(|_| PyTypeError::new_err(format!("{}: expected a word or a Law", shown(&value))))?;
        let k: usize = choice("law", &word, &all)?;
        Ok(Law(laws[k].clone()))
    }
}

impl Arg for Law {
    type Out = soft::Law;
    fn arg(self) -> soft::Law {
        self.0
    }
}

#[pymethods]
impl Law {
    /// Hooke's law with a 6 x 6 matrix, Pa, in these axes.
    #[staticmethod]
    #[pyo3(signature = (stiffness, axes = None))]
    fn hooke(stiffness: [[f64; 6]; 6], axes: Option<crate::convert::M3>) -> Self {
        let axes = axes.map_or(taut::Mat3::IDENTITY, |a| a.0);
        Law(soft::Law::Hooke(Box::new(soft::Hooke { stiffness, axes })))
    }
    /// An orthotropic sheet: moduli along an axis, across it and of shear, Pa, and Poisson's ratio.
    #[staticmethod]
    fn orthotropic(along: f64, across: f64, shear: f64, poisson: f64, axis: V3) -> Self {
        let law = soft::Orthotropic { young_1: along, young_2: across, poisson_12: poisson, shear, axis: axis.0 };
        Law(soft::Law::Orthotropic(law))
    }
    /// A bar that only pulls: the strain up to which the modulus of the material holds, and the modulus beyond it, Pa.
    #[staticmethod]
    fn cord(strain: f64, young: f64) -> Self {
        Law(soft::Law::Cord(soft::Cord { strain, young }))
    }
    fn __repr__(&self) -> String {
        format!("{:?}", self.0)
    }
}

builder! {
    /// Yield, creep and the most plastic strain.
    Plasticity(soft::Plasticity) {}
    rest {
        #[new]
        #[pyo3(signature = (yield_strain, creep_time = 0.0, max_strain = f64::INFINITY))]
        fn new(yield_strain: f64, creep_time: f64, max_strain: f64) -> Self {
            Plasticity(soft::Plasticity { yield_strain, creep_time, max_strain })
        }
    }
}

builder! {
    /// Fibres that pull when they are activated.
    Fibre(soft::Fibre) {}
    rest {
        #[new]
        fn new(direction: V3, stress: f64) -> Self {
            Fibre(soft::Fibre { direction: direction.0, stress })
        }
    }
}

/// Nodes by their numbers; the engine asks by where they rest.
fn chosen(rest: &[taut::Vec3], nodes: &Bound<'_, PyAny>) -> PyResult<BTreeSet<[u64; 3]>> {
    let key = |p: &taut::Vec3| p.to_array().map(f64::to_bits);
    let mut out = BTreeSet::new();
    if nodes.is_callable() {
        for p in rest {
            if nodes.call1((p.to_py(nodes.py())?,))?.is_truthy()? {
                out.insert(key(p));
            }
        }
    } else {
        for k in nodes.extract::<Vec<usize>>()? {
            let p = rest.get(k).ok_or_else(|| {
                raise(taut::Error::input("node", k, format!("the number of a node, less than {}", rest.len())))
            })?;
            out.insert(key(p));
        }
    }
    if out.is_empty() {
        return Err(raise(taut::Error::input("nodes", "none", "at least one node of the mesh")));
    }
    Ok(out)
}

/// A deformable as it is added to a world.
#[pyclass(frozen, from_py_object, module = "taut")]
#[derive(Clone)]
pub struct Deformable {
    /// It.
    pub made: taut::Deformable,
    rest: Arc<Vec<taut::Vec3>>,
}

/// A value of a keyword.
fn of<'py, T>(word: &str, value: &Bound<'py, PyAny>) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py>,
{
    value.extract().map_err(|e| crate::builder::said(word, e))
}

impl Worded for Deformable {
    const NAME: &'static str = "Deformable";
    const WORDS: &'static [&'static str] = &[
        "skin",
        "surface",
        "grouped",
        "sensing",
        "at",
        "rotated",
        "posed",
        "moving",
        "shaped",
        "held",
        "bound",
        "strength",
        "remembering",
        "named",
        "user_data",
    ];
    fn word(self, word: &str, v: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(match word {
            "skin" => self.skin(of(word, v)?),
            "surface" => self.surface(of(word, v)?),
            "grouped" => {
                let (member, with) = of(word, v)?;
                self.grouped(member, with)
            }
            "sensing" if !crate::builder::flag(word, v)? => self,
            "sensing" => self.sensing(),
            "at" => self.at(of(word, v)?),
            "rotated" => self.rotated(of(word, v)?),
            "posed" => self.posed(of(word, v)?),
            "moving" => {
                let (velocity, angular) = of(word, v)?;
                self.moving(velocity, angular)
            }
            "shaped" => self.shaped(of(word, v)?),
            "held" => self.held(v)?,
            "bound" => {
                let (body, nodes): (BodyId, Bound<'_, PyAny>) = of(word, v)?;
                self.bound(body, &nodes)?
            }
            "strength" => self.strength(of(word, v)?),
            "remembering" => self.remembering(of(word, v)?),
            "named" => self.named(of(word, v)?),
            "user_data" => self.user_data(of(word, v)?),
            _ => return Err(Self::unknown(word)),
        })
    }
}

impl Deformable {
    fn same(&self, made: taut::Deformable) -> Self {
        Deformable { made, rest: self.rest.clone() }
    }
}

#[pymethods]
impl Deformable {
    #[new]
    #[pyo3(signature = (mesh, material, *, volume = "auto", **words))]
    fn new(mesh: Mesh, material: Material, volume: &str, words: Option<Words<'_, '_>>) -> PyResult<Self> {
        let all = [("auto", soft::Volume::Auto), ("off", soft::Volume::Off), ("rows", soft::Volume::Rows)];
        let options =
            soft::Options { volume: choice("volume", volume, &all)?, groups: mesh.patches, ..Default::default() };
        let made = taut::Deformable::with(&mesh.mesh, &material.0, &options).map_err(raise)?;
        Deformable { made, rest: Arc::new(mesh.mesh.nodes.clone()) }.with(words)
    }
    /// Gives it a skin of this half thickness, m, so that its surface collides: the boundary of solids, sheets from both sides, bars.
    /// Bodies then touch it where they are that near to the middle of a sheet, or to the boundary of a solid.
    fn skin(&self, radius: f64) -> Self {
        self.same(self.made.clone().skin(radius))
    }
    /// What its surface is like: friction, restitution and the rest of a collider's material.
    fn surface(&self, material: parts::Material) -> Self {
        self.same(self.made.clone().surface(material.0))
    }
    /// Whom its surface meets.
    fn grouped(&self, member: u32, with_: u32) -> Self {
        self.same(self.made.clone().grouped(member, with_))
    }
    /// Makes its surface a sensor: it tells what overlaps it at the start of each step and pushes nothing.
    fn sensing(&self) -> Self {
        self.same(self.made.clone().sensing())
    }
    /// Where its own origin is in the world, m.
    fn at(&self, position: V3) -> Self {
        self.same(self.made.clone().at(position.0))
    }
    /// How it is turned about its own origin.
    fn rotated(&self, rotation: Q) -> Self {
        self.same(self.made.clone().rotated(rotation.0))
    }
    /// Places the origin of the mesh and turns the mesh about it.
    fn posed(&self, pose: P) -> Self {
        self.same(self.made.clone().at(pose.0.pos).rotated(pose.0.rot))
    }
    /// Its velocity, m/s, and angular velocity about its own origin, rad/s.
    fn moving(&self, velocity: V3, angular: V3) -> Self {
        self.same(self.made.clone().moving(velocity.0, angular.0))
    }
    /// Where each node starts, in coordinates of the mesh, m.
    fn shaped(&self, places: Vec<V3>) -> Self {
        self.same(self.made.clone().shaped(places.arg()))
    }
    /// Nodes that stay where they are: by their numbers, or by a function of where they rest.
    fn held(&self, nodes: &Bound<'_, PyAny>) -> PyResult<Self> {
        let chosen = chosen(&self.rest, nodes)?;
        Ok(self.same(self.made.clone().held(|p| chosen.contains(&p.to_array().map(f64::to_bits)))))
    }
    /// Nodes that move with a body: by their numbers, or by a function of where they rest.
    fn bound(&self, body: BodyId, nodes: &Bound<'_, PyAny>) -> PyResult<Self> {
        let chosen = chosen(&self.rest, nodes)?;
        Ok(self.same(self.made.clone().bound(body.0, |p| chosen.contains(&p.to_array().map(f64::to_bits)))))
    }
    /// Makes it tear where it carries more tension than this, Pa: neighbouring cells part at the end of a step where the largest
    /// principal stress between them, of bars the tension, is beyond it (`Event.Torn`).
    fn strength(&self, stress: f64) -> Self {
        self.same(self.made.clone().strength(stress))
    }
    /// Starts with what the elements of another one remembered (`DeformableRef.remembered`): their permanent deformation, and the
    /// pressure of those that keep their volume.
    fn remembering(&self, numbers: Vec<f64>) -> Self {
        self.same(self.made.clone().remembering(numbers))
    }
    /// Its name.
    fn named(&self, name: String) -> Self {
        self.same(self.made.clone().named(name))
    }
    /// A number of the user's own.
    fn user_data(&self, data: u64) -> Self {
        self.same(self.made.clone().user_data(data))
    }
}

builder! {
    /// Where a deformable is cut.
    Cut(taut::Cut) {}
    rest {
        /// Along the plane through a point, m, across this direction; in the world.
        #[staticmethod]
        fn plane(point: V3, normal: V3) -> Self {
            Cut(taut::Cut::plane(point.0, normal.0))
        }
        /// Along a disc about a point, m, across this direction, with a radius in m.
        #[staticmethod]
        fn disc(centre: V3, normal: V3, radius: f64) -> Self {
            Cut(taut::Cut::disc(centre.0, normal.0, radius))
        }
        /// Along a rectangle, or another parallelogram, that begins at a corner and has these edges, m.
        #[staticmethod]
        fn rectangle(corner: V3, edges: (V3, V3)) -> Self {
            Cut(taut::Cut::rectangle(corner.0, [edges.0.0, edges.1.0]))
        }
        /// Along the way of a blade: its edge, from one point to the other, m, goes in this direction as deep as said, m.
        #[staticmethod]
        fn blade(from_: V3, to: V3, direction: V3, depth: f64) -> Self {
            Cut(taut::Cut::blade(from_.0, to.0, direction.0, depth))
        }
        /// Between pairs of neighbouring cells, by their numbers in the mesh.
        #[staticmethod]
        fn cells(pairs: Vec<(u32, u32)>) -> Self {
            Cut(taut::Cut::cells(pairs))
        }
        /// Whether it passes between two points of the world, m. A cut between cells passes between none.
        fn crosses(&self, a: V3, b: V3) -> bool {
            self.0.crosses(a.0, b.0)
        }
    }
}

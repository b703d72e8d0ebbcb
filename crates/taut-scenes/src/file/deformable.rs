//! Deformables of a scene file.

use super::body::Rotation;
use super::collider::{Collider, Groups, Surface};
use super::quantity::*;
use super::settings::Nothing;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A deformable: a mesh of elements of one material. Its node 7 is the body `name[7]`, to which joints, forces and colliders go as to any.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Deformable {
    /// Name, unique among the deformables.
    pub name: String,
    /// Nodes and cells at rest, in coordinates of its own.
    pub mesh: SoftMesh,
    /// Affine frames that move the mesh in place of its cells: few unknowns. Nodes are then the four control points of each frame, one frame
    /// after the other; the nodes of the mesh come after them and are carried. Default: none, each cell is an element.
    #[serde(default)]
    pub frames: Option<FramesOver>,
    /// What it is made of.
    pub material: SoftMaterial,
    /// Where the origin of the mesh is at the start, m. Default: the origin.
    #[serde(default)]
    pub position: Triple<Metre>,
    /// How the mesh is turned about its origin at the start. Default: not at all.
    #[serde(default)]
    pub rotation: Rotation,
    /// Velocity of the origin of the mesh at the start, m/s. Default: 0.
    #[serde(default)]
    pub velocity: Triple<MetrePerSecond>,
    /// Angular velocity about that origin at the start, along the world's axes, rad/s. Default: 0.
    #[serde(default)]
    pub angular_velocity: Triple<RadianPerSecond>,
    /// Where the nodes start in coordinates of the mesh, one each, m. Default: where they rest.
    #[serde(default)]
    pub places: Vec<Triple<Metre>>,
    /// Velocities of the nodes at the start, one each, m/s; instead of `velocity` and `angular_velocity`.
    #[serde(default)]
    pub velocities: Vec<Triple<MetrePerSecond>>,
    /// Nodes that stay where they are at the start.
    #[serde(default)]
    pub held: Vec<Region>,
    /// Nodes that move with bodies.
    #[serde(default)]
    pub bound: Vec<Bound>,
    /// Nodes that move with a mean of several bodies.
    #[serde(default)]
    pub mapped: Vec<Mapped>,
    /// Forces and masses that are spread over nodes.
    #[serde(default)]
    pub loads: Vec<RegionLoad>,
    /// How strongly its fibres pull at the start, 0 to 1, no unit. Default: 0.
    #[serde(default)]
    pub activation: Option<Number<One>>,
    /// What its elements remember from before the start: the permanent deformation of each point of a plastic material, nine numbers by
    /// columns, and the sum of its strain; the pressure of each element where Poisson's ratio is 0.5, Pa. Default: nothing yet.
    #[serde(default)]
    pub remembered: Vec<f64>,
    /// How volume is kept where Poisson's ratio is above 0.4. Default: auto.
    #[serde(default)]
    pub volume: Option<VolumeKept>,
    /// What other bodies meet of it. Default: they pass through it.
    #[serde(default)]
    pub skin: Option<Skin>,
    /// What is different about single nodes.
    #[serde(default)]
    pub nodes: Vec<OneNode>,
    /// A whole number of your own. Default: 0.
    #[serde(default)]
    pub user_data: u64,
}

/// A mesh: made here, read from a file beside the scene file, or written out.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(tag = "type"))]
pub enum SoftMesh {
    /// A box from the origin to its size.
    Bar(BarMesh),
    /// A rectangle in the plane z = 0, from the origin to its size.
    Sheet(SheetMesh),
    /// A ball around the origin, of hexahedra.
    Ball(BallMesh),
    /// A tube around the x axis from the origin, of hexahedra.
    Tube(TubeMesh),
    /// A straight row of bars.
    Rope(RopeMesh),
    /// A net of bars in the plane z = 0, from the origin to its size.
    Net(NetMesh),
    /// A creature of cubes, 1 m tall, that stands on y = 0 and looks along z.
    Creature(CreatureMesh),
    /// Cubes that fill the closed surface of a file (.obj, .stl, .ply).
    Voxels(VoxelMesh),
    /// The cells of a file (.msh, .obj, .stl, .ply).
    File(FileMesh),
    /// Affine frames along a straight beam: few unknowns, no mesh.
    Frames(FramesMesh),
    /// Affine frames over any samples of the material, as they are.
    FrameCells(FrameCellMesh),
    /// Nodes and cells as they are.
    Cells(CellMesh),
}

/// A box of cells.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct BarMesh {
    /// Whole edge lengths along x, y, z, m.
    pub size: Triple<Metre>,
    /// How many cells along x, y, z, no unit.
    pub cells: [usize; 3],
    /// What a cell is made of. Default: one hexahedron.
    #[serde(default)]
    pub filling: Option<Filling>,
}

/// What the cells of a box are made of.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(inline))]
pub enum Filling {
    /// One hexahedron each.
    Hexahedra,
    /// Five tetrahedra each.
    FiveTets,
    /// Six tetrahedra each.
    SixTets,
}

/// A rectangle of cells.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct SheetMesh {
    /// Edge lengths along x and y, m.
    pub size: [Number<Metre>; 2],
    /// How many cells along x and y, no unit.
    pub cells: [usize; 2],
    /// What a cell is made of. Default: triangles.
    #[serde(default)]
    pub of: Option<SheetOf>,
}

/// What the cells of a sheet are made of.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(inline))]
pub enum SheetOf {
    /// Two triangles each, the diagonals of neighbours to opposite sides.
    Triangles,
    /// One quadrilateral each.
    Quads,
}

/// A ball.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct BallMesh {
    /// Radius, m.
    pub radius: Number<Metre>,
    /// How many cells along each edge of the cube that is mapped to it, at least 2, no unit.
    pub cells: usize,
}

/// A tube.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct TubeMesh {
    /// Radius of the bore, m.
    pub inner: Number<Metre>,
    /// Radius of the outside, m.
    pub outer: Number<Metre>,
    /// Length, m.
    pub length: Number<Metre>,
    /// How many cells through the wall, around it (at least 3) and along it, no unit.
    pub cells: [usize; 3],
}

/// A row of bars.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct RopeMesh {
    /// Where it begins, m.
    pub from: Triple<Metre>,
    /// Where it ends, m.
    pub to: Triple<Metre>,
    /// How many bars, no unit.
    pub segments: usize,
}

/// A net of bars.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct NetMesh {
    /// Edge lengths along x and y, m.
    pub size: [Number<Metre>; 2],
    /// How many meshes along x and y, no unit.
    pub cells: [usize; 2],
}

/// A creature.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct CreatureMesh {
    /// Edge of a cube, m. Default: 0.08.
    #[serde(default)]
    pub size: Option<Number<Metre>>,
    /// What a cube is made of. Default: one hexahedron.
    #[serde(default)]
    pub filling: Option<Filling>,
}

/// Cubes in a closed surface.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct VoxelMesh {
    /// The file of the surface, its path from the folder of the scene file.
    pub file: String,
    /// Edge of a cube, m.
    pub size: Number<Metre>,
    /// Length of one unit of the file, m. Default: 1.
    #[serde(default)]
    pub scale: Option<Number<One>>,
}

/// Cells of a file.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct FileMesh {
    /// The file, its path from the folder of the scene file.
    pub file: String,
    /// Length of one unit of the file, m. Default: 1.
    #[serde(default)]
    pub scale: Option<Number<One>>,
    /// Whether nodes that no cell uses are left out. Default: false.
    #[serde(default)]
    pub drop_unused: bool,
    /// Nodes within this distance become one, m. Default: only the equal ones of an .stl file.
    #[serde(default)]
    pub weld: Option<Number<Metre>>,
}

/// Affine frames along a beam.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct FramesMesh {
    /// Where it begins, m.
    pub from: Triple<Metre>,
    /// Where it ends, m.
    pub to: Triple<Metre>,
    /// How many frames, at least 2, no unit.
    pub frames: usize,
    /// Width and height of the section, m.
    pub section: [Number<Metre>; 2],
}

/// Samples of material that frames move.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct FrameCellMesh {
    /// Groups of samples that the same frames move.
    pub cells: Vec<FrameSamples>,
}

/// Samples that the same frames move.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct FrameSamples {
    /// Numbers of the frames, at most eight; the nodes of frame 2 are 8, 9, 10 and 11.
    pub frames: Vec<u32>,
    /// The samples.
    pub points: Vec<FrameSample>,
}

/// A sample of the material.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct FrameSample {
    /// Where it rests, m. Default: the origin.
    #[serde(default)]
    pub position: Triple<Metre>,
    /// Volume that it stands for, m^3.
    pub volume: f64,
    /// How much each of the frames moves it, no unit; they add up to 1.
    pub weights: Vec<f64>,
    /// How these change from place to place, 1/m; they add up to 0.
    pub gradients: Vec<[f64; 3]>,
}

/// Affine frames over a mesh of solid cells.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct FramesOver {
    /// Where the frames are at rest, in coordinates of the mesh, m.
    pub centers: Vec<Triple<Metre>>,
    /// How far each reaches, m: one to eight frames must reach every part of the mesh.
    pub radius: Number<Metre>,
}

/// Nodes and cells.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct CellMesh {
    /// Positions at rest, m.
    pub nodes: Vec<Triple<Metre>>,
    /// Cells of a kind after cells of a kind.
    pub cells: Vec<CellRun>,
    /// Solid cells that share a mean change of volume, by number. Default: found by vertices.
    #[serde(default)]
    pub patches: Vec<Vec<u32>>,
    /// Named groups of nodes, for regions.
    #[serde(default)]
    pub groups: Vec<NodeGroup>,
}

/// Cells of one kind.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct CellRun {
    /// Their kind; the order of nodes is that of VTK.
    pub kind: CellKind,
    /// Numbers of their nodes, cell after cell.
    pub nodes: Vec<u32>,
}

/// Kinds of cells.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(inline))]
pub enum CellKind {
    /// Two nodes.
    Bar,
    /// Three nodes.
    Triangle,
    /// Four nodes around.
    Quad,
    /// Four nodes of a tetrahedron.
    Tet,
    /// Eight nodes.
    Hex,
}

/// Nodes with a name.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct NodeGroup {
    /// The name.
    pub name: String,
    /// Numbers of the nodes.
    pub nodes: Vec<u32>,
}

/// What a deformable is made of.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct SoftMaterial {
    /// Mass per volume at rest, kg/m^3.
    pub density: Number<KilogramPerMetre3>,
    /// Young's modulus, Pa.
    pub young: Number<Pascal>,
    /// Poisson's ratio, above -1, at most 0.5, no unit.
    pub poisson: Number<One>,
    /// Relation between strain and stress. Default: corotational.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::law"))]
    pub law: Option<Law>,
    /// Thickness of sheets, m.
    #[serde(default)]
    pub thickness: Option<Number<Metre>>,
    /// Cross section of bars, m^2.
    #[serde(default)]
    pub area: Option<Number<Metre2>>,
    /// Bending stiffness of sheets, N m. Default: E t^3/(12 (1 - nu^2)).
    #[serde(default)]
    pub bending: Option<Number<NewtonMetre>>,
    /// Time of damping in proportion to the stiffness, s. Default: 0.
    #[serde(default)]
    pub damping: Option<Number<Second>>,
    /// Damping in proportion to the mass, 1/s. Default: 0.
    #[serde(default)]
    pub mass_damping: Option<Number<PerSecond>>,
    /// Permanent deformation, of solids. Default: none.
    #[serde(default)]
    pub plasticity: Option<Plasticity>,
    /// Active fibres. Default: none.
    #[serde(default)]
    pub fibre: Option<Fibre>,
}

/// Relations between strain and stress.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(tag = "type"))]
pub enum Law {
    /// Linear in the stretches; recovers from any deformation.
    Corotational(Nothing),
    /// For flesh and large stretches of solids.
    StableNeoHookean(Nothing),
    /// The same without the logarithm of the origin: a cell crushed to a point stays there.
    StableNeoHookeanNoLog(Nothing),
    /// With the logarithm of the volume, for solids that are never turned inside out.
    NeoHookean(Nothing),
    /// Linear in the Green strain, isotropic: cloth and small strains.
    StVenantKirchhoff(Nothing),
    /// Linear in the Green strain with any stiffness matrix.
    Hooke(Box<Hooke>),
    /// Linear in the Green strain: a sheet with fibres.
    Orthotropic(Orthotropic),
    /// Bars that only pull, stiffer beyond a strain.
    Cord(Cord),
}

/// Any linear law.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Hooke {
    /// Stress over strain, Pa: symmetric, order 11, 22, 33, 12, 23, 13, with doubled shear strain.
    pub stiffness: [[Number<Pascal>; 6]; 6],
    /// First and second axis of the material in the mesh at rest, of length 1, at right angles. Default: x and y.
    #[serde(default)]
    pub axes: Option<[Triple<One>; 2]>,
}

/// A sheet with fibres.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Orthotropic {
    /// Modulus along the fibres, Pa.
    pub along: Number<Pascal>,
    /// Modulus across them, Pa.
    pub across: Number<Pascal>,
    /// Contraction across when pulled along, no unit.
    pub poisson: Number<One>,
    /// Shear modulus, Pa.
    pub shear: Number<Pascal>,
    /// Direction of the fibres in the mesh at rest.
    pub axis: Triple<One>,
}

/// A ligament, a tendon or a rope.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Cord {
    /// Strain up to which `young` of the material holds, no unit.
    pub strain: Number<One>,
    /// Young's modulus beyond it, Pa.
    pub young: Number<Pascal>,
}

/// Permanent deformation.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Plasticity {
    /// Deviatoric logarithmic strain beyond which it flows, no unit.
    pub yield_strain: Number<One>,
    /// Time in which what is beyond flows off, s. Default: 0, at once.
    #[serde(default)]
    pub creep_time: Option<Number<Second>>,
    /// Plastic strain at which it stops, no unit. Default: never.
    #[serde(default)]
    pub max_strain: Option<Number<One>>,
}

/// Active fibres.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Fibre {
    /// Their direction in the mesh at rest.
    pub direction: Triple<One>,
    /// Stress at full activation, Pa.
    pub stress: Number<Pascal>,
}

/// Nodes of a mesh, by where they rest, in coordinates of the mesh.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(tag = "type"))]
pub enum Region {
    /// Those in a box; its faces belong to it.
    Box(BoxRegion),
    /// Those in a ball.
    Sphere(SphereRegion),
    /// Those on one side of a plane; the plane belongs to it.
    Plane(PlaneRegion),
    /// Those with these numbers.
    Nodes(NodeRegion),
    /// Those of a named group of the mesh.
    Group(GroupRegion),
    /// All.
    All(Nothing),
}

/// A box along the axes of the mesh.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct BoxRegion {
    /// Corner of the smallest x, y, z, m.
    pub low: Triple<Metre>,
    /// Corner of the largest x, y, z, m.
    pub high: Triple<Metre>,
}

/// A ball.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct SphereRegion {
    /// Its centre, m.
    pub center: Triple<Metre>,
    /// Its radius, m.
    pub radius: Number<Metre>,
}

/// A side of a plane.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct PlaneRegion {
    /// A point of the plane, m.
    pub point: Triple<Metre>,
    /// Direction towards the side whose nodes are meant; of any length.
    pub normal: Triple<One>,
}

/// Nodes by number.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct NodeRegion {
    /// Numbers of the nodes, from 0.
    pub nodes: Vec<usize>,
}

/// Nodes of a group.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct GroupRegion {
    /// Name of the group.
    pub group: String,
}

/// Nodes that move with a body.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Bound {
    /// Name of the body.
    pub body: String,
    /// Which nodes.
    pub region: Region,
    /// Where on the body, in its frame, one point for each node of the region, m, to the last bit. Default: where the nodes are at the start.
    #[serde(default)]
    pub local_points: Vec<Triple<Metre>>,
}

/// A node that moves with a mean of several bodies.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Mapped {
    /// Its number, from 0.
    pub node: usize,
    /// What carries it.
    pub carriers: Vec<Carrier>,
}

/// One of the bodies that carry a node.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Carrier {
    /// Name of the body.
    pub body: String,
    /// How much of it, no unit; the weights of a node add up to 1.
    pub weight: Number<One>,
    /// Where on the body, in its frame, m, to the last bit. Default: where the node is at the start.
    #[serde(default)]
    pub local_point: Option<Triple<Metre>>,
}

/// What is spread evenly over nodes.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct RegionLoad {
    /// Over which nodes.
    pub region: Region,
    /// A force of all nodes together, in the world, N. Default: none.
    #[serde(default)]
    pub force: Option<Triple<Newton>>,
    /// A mass of all nodes together, kg. Default: none.
    #[serde(default)]
    pub mass: Option<Number<Kilogram>>,
}

/// How volume is kept near Poisson's ratio 0.5.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(inline))]
pub enum VolumeKept {
    /// On the mean over groups of cells.
    Auto,
    /// At each point of a cell.
    Off,
    /// On the mean over groups of cells, as rows.
    Rows,
}

/// The surface that other bodies meet: the boundary of solids, sheets from both sides, bars.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Skin {
    /// Half its thickness, m.
    pub radius: Number<Metre>,
    /// What it is like to touch.
    #[serde(default)]
    pub material: Surface,
    /// Whom it meets. Default: all.
    #[serde(default)]
    pub groups: Option<Groups>,
    /// Whether it only tells what overlaps it, without pushing. Default: false.
    #[serde(default)]
    pub sensor: bool,
}

/// What is different about one node.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct OneNode {
    /// Its number, from 0.
    pub node: usize,
    /// Its mass, kg. Default: that of the mesh.
    #[serde(default)]
    pub mass: Option<Number<Kilogram>>,
    /// How much of gravity it feels, no unit. Default: 1.
    #[serde(default)]
    pub gravity_scale: Option<Number<One>>,
    /// What other bodies meet of it.
    #[serde(default)]
    pub colliders: Vec<Collider>,
}

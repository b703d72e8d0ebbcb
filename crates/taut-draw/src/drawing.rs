//! The parts that a scene is drawn with, and in which order their numbers come.

use crate::bodies::{self, Pieces};
use crate::mesh::Mesh;
use crate::rigging::{self, Rigging};
use crate::{cloth, rods, ropes, softs};
use serde::Serialize;
use taut::{BodyId, Cut, JointId, Result, RopeId, Vec3, World};
use taut_scenes::Scene;

/// What is drawn. Indices are into the lists here; a list is in the order of the world's own.
#[derive(Clone, Debug, Serialize)]
pub struct Drawing {
    /// All bodies; the ground is the first.
    pub bodies: Vec<Body>,
    /// All joints.
    pub joints: Vec<Joint>,
    /// Straight pieces: links of cables, rods, ropes between two points, springs.
    pub rods: Vec<Rod>,
    /// Ropes over guides.
    pub ropes: Vec<Rope>,
    /// Sheaves that turn by the rope that runs over them; those that turn with their bodies are parts of these.
    pub sheaves: Vec<Sheave>,
    /// Triples of bodies: the triangles of cloth.
    pub surface: Vec<usize>,
    /// All deformables.
    pub softs: Vec<Soft>,
    /// How many meshes there are.
    #[serde(rename = "meshes")]
    pub mesh_count: usize,
    /// Corners of the box around everything but half spaces, at the pose it was made at, m.
    pub bounds: [[f64; 3]; 2],
    /// The body that the scene follows.
    pub follow: usize,
    /// Triangles of the parts.
    #[serde(skip)]
    pub meshes: Vec<Mesh>,
    #[serde(skip)]
    pub(crate) body_ids: Vec<BodyId>,
    #[serde(skip)]
    pub(crate) joint_ids: Vec<JointId>,
    #[serde(skip)]
    pub(crate) sources: Vec<rods::Source>,
    #[serde(skip)]
    pub(crate) rope_ids: Vec<RopeId>,
    /// Rope and guide of each sheave.
    #[serde(skip)]
    pub(crate) turning: Vec<(RopeId, usize)>,
    /// Half widths of the drums at the ends of each rope, m.
    #[serde(skip)]
    pub(crate) drums: Vec<[f64; 2]>,
}

/// A body.
#[derive(Clone, Debug, Serialize)]
pub struct Body {
    /// Its name.
    pub name: String,
    /// "dynamic", "particle", "fixed" or "kinematic".
    pub motion: &'static str,
    /// Mass, kg.
    pub mass: f64,
    /// Whether a rod stands for it: it is a link of a cable.
    pub link: bool,
    /// What it is made of.
    pub parts: Vec<Part>,
}

/// A mesh in the frame of a body.
#[derive(Clone, Debug, Serialize)]
pub struct Part {
    /// Which mesh.
    pub mesh: usize,
    /// Where, m.
    pub pos: [f64; 3],
    /// Its rotation: x, y, z, w.
    pub rot: [f64; 4],
    /// Whether it is a half space.
    pub ground: bool,
    /// Whether it is a sensor.
    pub sensor: bool,
    /// Whether it is made up from the inertia or the mass, as the body has no shape.
    pub guess: bool,
}

/// A joint.
#[derive(Clone, Debug, Serialize)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: &'static str,
    /// First body.
    pub i: usize,
    /// Second body.
    pub j: usize,
}

/// A deformable.
#[derive(Clone, Debug, Serialize)]
pub struct Soft {
    /// Its name.
    pub name: String,
    /// How many nodes it has.
    pub nodes: usize,
    /// Triples of nodes: the triangles of its surface, counter-clockwise from outside.
    pub triangles: Vec<u32>,
    /// Pairs of nodes: the edges of its cells on the surface, and its bars.
    pub edges: Vec<u32>,
    /// For each node the bodies that carry it: its own particle, the body it is bound to, or those it is mapped to.
    pub carriers: Vec<Vec<usize>>,
    /// Their weights, which add up to 1.
    pub weights: Vec<Vec<f64>>,
}

/// A straight piece.
#[derive(Clone, Debug, Serialize)]
pub struct Rod {
    /// "cable", "distance", "rope" or "spring".
    pub kind: &'static str,
    /// Radius to draw it with, m.
    pub radius: f64,
    /// The joint whose force it shows.
    pub joint: Option<usize>,
}

/// A rope over guides.
#[derive(Clone, Debug, Serialize)]
pub struct Rope {
    /// Its name.
    pub name: String,
    /// How many spans it has.
    pub spans: usize,
    /// Radius to draw it with, m.
    pub radius: f64,
}

/// A sheave on a body, about the y axis of its mesh.
#[derive(Clone, Debug, Serialize)]
pub struct Sheave {
    /// Its body.
    pub body: usize,
    /// Which mesh.
    pub mesh: usize,
    /// Where on the body, m.
    pub pos: [f64; 3],
    /// Its rotation: x, y, z, w.
    pub rot: [f64; 4],
}

impl Drawing {
    /// Of a scene as it is now.
    pub fn of(scene: &Scene) -> Result<Self> {
        let world = &scene.world;
        let body_ids: Vec<BodyId> = world.bodies().map(|b| b.id()).collect();
        let joint_ids: Vec<JointId> = world.joints().map(|j| j.id()).collect();
        // In the order of their handles.
        let find = |b: BodyId| body_ids.binary_search(&b).unwrap_or(0);
        let mut joints = Vec::with_capacity(joint_ids.len());
        for &id in &joint_ids {
            let v = world.joint(id)?;
            joints.push(Joint {
                name: v.name().to_owned(),
                kind: v.kind(),
                i: find(v.bodies().0),
                j: find(v.bodies().1),
            });
        }
        let mut pieces = Pieces::new(world, &body_ids)?;
        let laid = rods::of(world, &body_ids, &joint_ids, pieces.size())?;
        let (ropes, rope_ids) = ropes::of(world, pieces.size());
        let Rigging { sheaves, turning, drums } = rigging::of(world, &ropes, &rope_ids, &find, &mut pieces)?;
        let mut list = Vec::with_capacity(body_ids.len());
        for (k, &id) in body_ids.iter().enumerate() {
            list.push(bodies::of(world, id, laid.links[k], &mut pieces)?);
        }
        let surface = cloth::surface(scene, &find)?;
        let softs = softs::of(world, &find)?;
        world.deformables().flat_map(|d| d.positions()).for_each(|x| pieces.reach(x));
        let (low, high) = pieces.bounds();
        Ok(Drawing {
            bodies: list,
            joints,
            rods: laid.rods,
            ropes,
            sheaves,
            surface,
            softs,
            mesh_count: pieces.meshes.len(),
            bounds: [low, high].map(|v: Vec3| v.to_array()),
            follow: find(scene.follow),
            meshes: pieces.meshes,
            body_ids,
            joint_ids,
            sources: laid.sources,
            rope_ids,
            turning,
            drums,
        })
    }

    /// The handle of a body by its number.
    pub fn body(&self, k: usize) -> Option<BodyId> {
        self.body_ids.get(k).copied()
    }

    /// The number of a joint by its handle.
    pub fn joint_number(&self, id: JointId) -> Option<usize> {
        self.joint_ids.binary_search(&id).ok()
    }

    /// Takes out the cables' joints, ropes between two points, rods and springs that a cut passes through, and cuts ropes over guides and ropes
    /// with mass where it does; says how many cuts there were. A link of a cable parts where its joint is. The drawing is of before.
    pub fn sever(&self, world: &mut World, along: &Cut) -> Result<usize> {
        let mut count = rods::sever(world, &self.sources, along)?;
        for (k, &id) in self.rope_ids.iter().enumerate() {
            let mut pieces = Vec::new();
            self.pieces(world, k, false, &mut pieces);
            let hit =
                pieces.iter().filter(|p| along.crosses(p.ends[0], p.ends[1])).map(|p| ropes::crossing(p.ends, along));
            count += ropes::cut(world, id, hit.collect())?;
        }
        Ok(count)
    }

    /// Cuts a joint by its number: a piece of a rope with mass as that rope, which goes on above; any other is taken out.
    pub fn cut_joint(&self, world: &mut World, k: usize) -> Result<()> {
        self.joint_ids.get(k).map_or(Ok(()), |id| ropes::part(world, *id))
    }

    /// Cuts a rope over guides where its way is nearest to a point.
    pub fn cut_rope(&self, world: &mut World, k: usize, at: Vec3) -> Result<usize> {
        self.rope_ids.get(k).map_or(Ok(0), |id| ropes::cut(world, *id, vec![at]))
    }

    /// The pieces of a rope as it is now; none when it is gone.
    pub(crate) fn pieces(&self, world: &World, k: usize, even: bool, out: &mut Vec<ropes::Piece>) {
        if let Ok(rope) = world.rope(self.rope_ids[k]) {
            let look = ropes::Look { number: k, radius: self.ropes[k].radius, drums: self.drums[k], even, out };
            ropes::pieces(world, &rope, look);
        }
    }

    /// The handle of a rope over guides by its number.
    pub fn rope(&self, k: usize) -> Option<RopeId> {
        self.rope_ids.get(k).copied()
    }

    /// The handle of a joint by its number.
    pub fn joint(&self, k: usize) -> Option<JointId> {
        self.joint_ids.get(k).copied()
    }
}

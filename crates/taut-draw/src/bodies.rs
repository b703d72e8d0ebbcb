//! Bodies: their colliders; without any the solid that their mass was made from; without that one of the same inertia.
//!
//! A box of mass m with the moments I along its axes has the edges w_x^2 = 6 (I_y + I_z - I_x) / m, and cyclic.

use crate::drawing::{Body, Part};
use crate::mesh::Mesh;
use std::collections::{BTreeMap, BTreeSet};
use taut::{BodyId, BodyRef, ColliderId, Motion, Pose, Quat, Result, Shape, Vec3, World, shapes::Solid};

/// Half the width of the square that stands for a half space, in sizes of the scene.
const PLANE: f64 = 20.0;
/// Radius of a particle of the common mass, and the most that a heavy one has of it, in sizes of the scene.
const PARTICLE: f64 = 0.006;
const HEAVIEST: f64 = 5.0;

/// Meshes so far, and what is around them.
pub(crate) struct Pieces {
    pub meshes: Vec<Mesh>,
    /// By what they are made of.
    known: BTreeMap<String, usize>,
    low: Vec3,
    high: Vec3,
    /// Of the scene, m.
    size: f64,
    /// Median mass of the particles, kg.
    common: f64,
    /// Particles that are nodes of deformables: their surfaces are drawn.
    nodes: BTreeSet<BodyId>,
    skins: BTreeSet<ColliderId>,
    /// What ropes run over, and the bodies that have no other look.
    pub fitted: BTreeMap<BodyId, Vec<Part>>,
    pub replaced: BTreeSet<BodyId>,
}

impl Pieces {
    /// For the bodies of a world; the size is that of the box around the centres of mass and joints.
    pub fn new(world: &World, bodies: &[BodyId]) -> Result<Self> {
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let mut masses = Vec::new();
        let nodes = taut_scenes::soft::particles(world);
        let skins = taut_scenes::soft::skins(world);
        for &id in bodies {
            let b = world.body(id)?;
            if b.motion() == Motion::Particle && !nodes.contains(&id) {
                masses.push(b.mass());
            }
            if id != world.ground() {
                let reach = half_extents(&b).map_or(0.0, |h| h.max_element());
                (low, high) = (low.min(b.pose().pos - reach), high.max(b.pose().pos + reach));
            }
        }
        masses.sort_unstable_by(f64::total_cmp);
        let size = if low.x <= high.x { (high - low).length().max(1e-6) } else { 1.0 };
        let common = masses.get(masses.len() / 2).copied().unwrap_or(1.0);
        let (low, high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let (fitted, replaced) = (BTreeMap::new(), BTreeSet::new());
        Ok(Pieces {
            meshes: Vec::new(),
            known: BTreeMap::new(),
            low,
            high,
            size,
            common,
            nodes,
            skins,
            fitted,
            replaced,
        })
    }

    /// Size of the scene, m.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// The box around all parts, m.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        if self.low.x <= self.high.x { (self.low, self.high) } else { (-Vec3::ONE, Vec3::ONE) }
    }

    /// The number of a mesh; the same for the same thing.
    pub fn mesh(&mut self, key: String, make: impl FnOnce() -> Result<Mesh>) -> Result<usize> {
        if let Some(&k) = self.known.get(&key) {
            return Ok(k);
        }
        self.meshes.push(make()?);
        self.known.insert(key, self.meshes.len() - 1);
        Ok(self.meshes.len() - 1)
    }

    /// Makes the box reach all of a mesh.
    pub fn surround(&mut self, mesh: usize, pose: &Pose) {
        for p in &self.meshes[mesh].positions {
            let at = pose.to_world(Vec3::from_array(p.map(f64::from)));
            (self.low, self.high) = (self.low.min(at), self.high.max(at));
        }
    }

    /// Makes the box reach a point, m.
    pub fn reach(&mut self, at: Vec3) {
        (self.low, self.high) = (self.low.min(at), self.high.max(at));
    }

    /// A mesh as a part of a body.
    pub fn part(&mut self, body: &Pose, local: Pose, mesh: usize, ground: bool) -> Part {
        if !ground {
            self.surround(mesh, &Pose { pos: body.to_world(local.pos), rot: body.rot * local.rot });
        }
        let (pos, rot) = (local.pos.to_array(), local.rot.to_array());
        Part { mesh, pos, rot, ground, sensor: false, guess: false }
    }

    fn shape(&mut self, body: &Pose, local: Pose, shape: &Shape, parts: &mut Vec<Part>) -> Result<()> {
        if let Shape::Compound { parts: inner } = shape {
            for (pose, s) in inner {
                let at = Pose { pos: local.to_world(pose.pos), rot: local.rot * pose.rot };
                self.shape(body, at, s, parts)?;
            }
            return Ok(());
        }
        let reach = PLANE * self.size;
        let mesh = self.mesh(format!("{shape:?}"), || Mesh::of_shape(shape, reach))?;
        let ground = matches!(shape, Shape::HalfSpace { .. });
        let part = self.part(body, local, mesh, ground);
        parts.push(part);
        Ok(())
    }
}

/// Half the edges of the box about a body without colliders, m.
fn half_extents(b: &BodyRef<'_>) -> Option<Vec3> {
    Some(match b.solid()? {
        Solid::Cuboid { half } => half,
        Solid::Ball { radius } => Vec3::splat(radius),
        Solid::Capsule { half_length, radius } => Vec3::new(radius, half_length + radius, radius),
        Solid::Cylinder { half_height, radius } => Vec3::new(radius, half_height, radius),
    })
}

/// A box of the same mass and moments.
pub(crate) fn alike(b: &BodyRef<'_>) -> Solid {
    let i = b.inertia().diagonal();
    let half = |x: f64| 0.5 * (6.0 * x.max(0.0) / b.mass()).sqrt();
    let edges = Vec3::new(half(i.y + i.z - i.x), half(i.z + i.x - i.y), half(i.x + i.y - i.z));
    // A body that is flat in its inertia still is seen.
    Solid::Cuboid { half: edges.max(Vec3::splat(0.02 * edges.max_element())) }
}

/// A body with its parts.
pub(crate) fn of(world: &World, id: BodyId, link: bool, pieces: &mut Pieces) -> Result<Body> {
    let b = world.body(id)?;
    let mut parts = Vec::new();
    for &c in world.colliders_of(id)? {
        if pieces.skins.contains(&c) {
            continue;
        }
        let view = world.collider(c)?;
        let from = parts.len();
        pieces.shape(&b.pose(), view.local, view.shape, &mut parts)?;
        parts[from..].iter_mut().for_each(|p| p.sensor = view.sensor);
    }
    let solid = match b.motion() {
        Motion::Dynamic => Some((b.solid().unwrap_or_else(|| alike(&b)), b.solid().is_none())),
        Motion::Particle if pieces.nodes.contains(&id) => None,
        Motion::Particle => {
            let heavy = libm::cbrt(b.mass() / pieces.common).clamp(1.0, HEAVIEST);
            Some((Solid::Ball { radius: PARTICLE * pieces.size * heavy }, true))
        }
        _ => None,
    };
    let solid = solid.filter(|_| parts.is_empty() && !pieces.replaced.contains(&id));
    if let Some((solid, guess)) = solid {
        let mesh = pieces.mesh(format!("{solid:?}"), || Ok(Mesh::of_solid(&solid)))?;
        let part = pieces.part(&b.pose(), Pose { pos: Vec3::ZERO, rot: Quat::IDENTITY }, mesh, false);
        parts.push(Part { guess, ..part });
    }
    parts.extend(pieces.fitted.remove(&id).unwrap_or_default());
    let motion = match b.motion() {
        Motion::Dynamic => "dynamic",
        Motion::Particle => "particle",
        Motion::Fixed => "fixed",
        Motion::Kinematic => "kinematic",
    };
    Ok(Body { name: b.name().to_owned(), motion, mass: b.mass(), link, parts })
}

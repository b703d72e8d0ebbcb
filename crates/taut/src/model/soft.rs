//! Deformables: elements between particles, some of which may be bound to bodies.

use crate::contact::collider::Collider;
use crate::contact::shape::Shape;
use crate::contact::skin::Skin;
use crate::error::{Error, Result, finite_vec, positive};
use crate::ids::{BodyId, ColliderId};
use crate::math::pose::Pose;
use glam::{DQuat, DVec3};
use std::sync::Arc;
use taut_elements::{self as soft, Elements, Material, Mesh};

/// What a node of a deformable is carried by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Carrier {
    pub body: BodyId,
    /// Where on the body, in its frame, m; zero for a particle.
    pub point: DVec3,
    /// How much of it; the weights of a node add up to 1.
    pub weight: f64,
}

/// A node of a deformable.
#[derive(Clone, Debug)]
pub(crate) enum SoftNode {
    /// A particle of its own.
    Free(BodyId),
    /// A point of a body.
    Bound(Carrier),
    /// A mean of points of several bodies or particles.
    Mapped(Vec<Carrier>),
}

/// A deformable in the world.
#[derive(Clone, Debug)]
pub(crate) struct SoftEntry {
    pub elements: Arc<Elements>,
    pub nodes: Vec<SoftNode>,
    /// Mass of each node, kg.
    pub masses: Vec<f64>,
    /// First of its numbers in `State::soft`, and how many: activation, state of the elements, and of incompressible ones the pressure of
    /// each element, Pa.
    pub state: (usize, usize),
    /// Stress beyond which it tears, Pa.
    pub strength: Option<f64>,
    pub name: String,
    pub user_data: u64,
    /// Its surface, where it has a skin, and the collider that stands for it.
    pub skin: Option<(Arc<Skin>, ColliderId)>,
}

impl SoftEntry {
    /// Half the thickness of its skin, m; zero without one.
    pub fn radius(&self) -> f64 {
        self.skin.as_ref().map_or(0.0, |(skin, _)| skin.radius)
    }

    /// How many numbers it keeps.
    pub fn numbers(elements: &Elements) -> usize {
        1 + elements.fresh_state().len() + if elements.is_incompressible() { elements.len() } else { 0 }
    }

    /// Where the pressure of an incompressible element is in `State::soft`.
    pub fn pressure_at(&self, e: usize) -> usize {
        self.state.0 + self.state.1 - self.elements.len() + e
    }

    /// Its own particles.
    pub fn free(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.nodes.iter().filter_map(|n| match *n {
            SoftNode::Free(id) => Some(id),
            _ => None,
        })
    }

    /// Whether node n is a particle of its own.
    pub fn is_free(&self, n: usize) -> bool {
        matches!(self.nodes[n], SoftNode::Free(_))
    }

    /// Whether node n is a mean of several.
    pub fn is_mapped(&self, n: usize) -> bool {
        matches!(self.nodes[n], SoftNode::Mapped(_))
    }

    /// What carries node n.
    pub fn carriers(&self, n: usize) -> impl Iterator<Item = Carrier> + '_ {
        let (one, several) = match &self.nodes[n] {
            SoftNode::Free(body) => (Some(Carrier { body: *body, point: DVec3::ZERO, weight: 1.0 }), &[][..]),
            SoftNode::Bound(carrier) => (Some(*carrier), &[][..]),
            SoftNode::Mapped(carriers) => (None, &carriers[..]),
        };
        one.into_iter().chain(several.iter().copied())
    }
}

/// A deformable that can be added to a world: cloth, rubber, flesh, a beam of elements.
///
/// Its nodes become particles of the world, so joints, forces, springs and colliders act on them as on any body. Nodes can be held where
/// they are, or bound to bodies; such nodes have no unknowns of their own.
///
/// A rubber bar of 1 m is held at one end and sags under its own weight.
/// ```
/// use taut::{Deformable, Vec3, World};
/// use taut::soft::{Cell, Material, Mesh};
/// // Four bricks in a row.
/// let node = |k: usize| Vec3::new((k / 4) as f64, (k / 2 % 2) as f64, (k % 2) as f64) * Vec3::new(0.25, 0.1, 0.1);
/// let brick = |k: u32| Cell::hex8([0, 4, 6, 2, 1, 5, 7, 3].map(|n| 4 * k + n));
/// let mesh = Mesh { nodes: (0..20).map(node).collect(), cells: (0..4).map(brick).collect() };
/// let mut world = World::new();
/// let rubber = Material::new(1000.0, 1e7, 0.3);
/// let bar = world.add(Deformable::new(&mesh, &rubber)?.held(|x| x.x == 0.0).named("bar"))?;
/// for _ in 0..50 {
///     world.step(0.01)?;
/// }
/// let tip = world.deformable(bar)?.position(19)?;
/// assert!(tip.y < 0.09 && tip.y > -0.4, "{tip}");
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Deformable {
    pub(crate) elements: Arc<Elements>,
    /// Where they start instead, if not at rest.
    pub(crate) shape: Option<Vec<DVec3>>,
    pub(crate) pose: Pose,
    pub(crate) velocity: (DVec3, DVec3),
    /// Nodes without unknowns of their own and what carries them.
    pub(crate) bound: Vec<(usize, Vec<Tie>)>,
    /// Stress beyond which it tears, Pa.
    pub(crate) strength: Option<f64>,
    pub(crate) name: String,
    pub(crate) user_data: u64,
    /// What its elements remember, if anything.
    pub(crate) remembered: Option<Vec<f64>>,
    /// The ball that goes along the surface, with what that is like.
    pub(crate) surface: Option<Collider>,
}

/// What carries a node without unknowns of its own, wholly or in part.
///
/// ```
/// use taut::{Tie, World};
/// let world = World::new();
/// let held = Tie { body: None, weight: 1.0, point: None };
/// assert!(held.body.is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tie {
    /// The body or particle; none for the ground.
    pub body: Option<BodyId>,
    /// How much of it; the weights of a node add up to 1.
    pub weight: f64,
    /// Where on the body, in its frame, m; where the node starts if none is given.
    pub point: Option<DVec3>,
}

impl Deformable {
    /// Elements of a mesh, at rest as the mesh has them. Solids with a Poisson's ratio of 0.5 keep the volume of each of their patches, of
    /// a hexahedron or of a group of tetrahedra, to rounding.
    pub fn new(mesh: &Mesh, material: &Material) -> Result<Self> {
        Deformable::with(mesh, material, &soft::Options::default())
    }

    /// The same with options: groups of cells that keep their volume together, how gradients vary.
    pub fn with(mesh: &Mesh, material: &Material, options: &soft::Options) -> Result<Self> {
        Ok(Deformable::of(Elements::with(mesh, material, options).map_err(refused)?))
    }

    /// Elements that were made before.
    pub fn of(elements: impl Into<Arc<Elements>>) -> Self {
        Deformable {
            elements: elements.into(),
            shape: None,
            pose: Pose { pos: DVec3::ZERO, rot: DQuat::IDENTITY },
            velocity: (DVec3::ZERO, DVec3::ZERO),
            bound: Vec::new(),
            strength: None,
            name: String::new(),
            user_data: 0,
            remembered: None,
            surface: None,
        }
    }

    /// Gives it a skin of this half thickness, m, so that its surface collides: the boundary of solids, sheets from both sides, bars.
    /// Bodies then touch it where they are that near to the middle of a sheet, or to the boundary of a solid.
    ///
    /// A rubber cube falls on the ground and stays there, a skin above it.
    /// ```
    /// use taut::prelude::*;
    /// use taut::Deformable;
    /// use taut::soft::{Cell, Material, Mesh};
    /// let corner = |k: usize| Vec3::new((k / 4) as f64, (k / 2 % 2) as f64, (k % 2) as f64);
    /// let mesh = Mesh { nodes: (0..8).map(corner).collect(), cells: vec![Cell::hex8([0, 4, 6, 2, 1, 5, 7, 3])] };
    /// let mut world = World::new();
    /// world.add(Collider::new(Shape::ground()).on(world.ground()))?;
    /// let rubber = Material::new(1000.0, 1e6, 0.3);
    /// let cube = world.add(Deformable::new(&mesh, &rubber)?.at(0.1 * Vec3::Y).skin(0.01))?;
    /// for _ in 0..100 {
    ///     world.step(0.01)?;
    /// }
    /// assert!((world.deformable(cube)?.position(0)?.y - 0.01).abs() < 1e-3);
    /// # Ok::<(), taut::Error>(())
    /// ```
    pub fn skin(self, radius: f64) -> Self {
        self.collider(|c| Collider { shape: Shape::ball(radius), ..c })
    }

    /// What its surface is like: friction, restitution and the rest of a collider's material.
    ///
    /// A rope that only touches what is in the first group.
    /// ```
    /// use taut::{Deformable, Material, Vec3};
    /// use taut::soft::{self, Cell, Mesh};
    /// let mesh = Mesh { nodes: vec![Vec3::ZERO, Vec3::X], cells: vec![Cell::bar2([0, 1])] };
    /// let hemp = soft::Material::new(1000.0, 1e8, 0.3).area(1e-4);
    /// let rope = Deformable::new(&mesh, &hemp)?.skin(0.005).surface(Material::new(0.8, 0.0)).grouped(0b10, 0b01);
    /// # Ok::<(), taut::Error>(())
    /// ```
    pub fn surface(self, material: crate::contact::material::Material) -> Self {
        self.collider(|c| c.of(material))
    }

    /// Whom its surface meets.
    pub fn grouped(self, member: u32, with: u32) -> Self {
        self.collider(|c| c.grouped(member, with))
    }

    /// Makes its surface a sensor: it tells what overlaps it at the start of each step and pushes nothing.
    pub fn sensing(self) -> Self {
        self.collider(Collider::sensing)
    }

    /// Changes the collider of its surface.
    fn collider(mut self, change: impl FnOnce(Collider) -> Collider) -> Self {
        let now = self.surface.take().unwrap_or_else(|| Collider::new(Shape::ball(0.0)));
        self.surface = Some(change(now));
        self
    }

    /// Where its own origin is in the world, m.
    pub fn at(mut self, position: DVec3) -> Self {
        self.pose.pos = position;
        self
    }

    /// How it is turned about its own origin.
    pub fn rotated(mut self, rotation: DQuat) -> Self {
        self.pose.rot = rotation;
        self
    }

    /// Its velocity, m/s, and angular velocity about its own origin, rad/s.
    pub fn moving(mut self, velocity: DVec3, angular: DVec3) -> Self {
        self.velocity = (velocity, angular);
        self
    }

    /// Starts bent or stretched: where a node that rests at x, m, is in its own frame.
    pub fn deformed(mut self, place: impl Fn(DVec3) -> DVec3) -> Self {
        self.shape = Some(self.elements.rest().iter().map(|&x| place(x)).collect());
        self
    }

    /// Holds nodes where they are, chosen by where they rest, m.
    pub fn held(self, chosen: impl Fn(DVec3) -> bool) -> Self {
        self.tied(None, chosen)
    }

    /// Binds nodes to a body, chosen by where they rest, m. They move with it and have no unknowns of their own; their mass goes to it.
    pub fn bound(self, body: BodyId, chosen: impl Fn(DVec3) -> bool) -> Self {
        self.tied(Some(body), chosen)
    }

    fn tied(mut self, body: Option<BodyId>, chosen: impl Fn(DVec3) -> bool) -> Self {
        let nodes = (0..self.elements.controls()).filter(|&k| chosen(self.elements.rest()[k]));
        self.bound.extend(nodes.map(|k| (k, vec![Tie { body, weight: 1.0, point: None }])));
        self
    }

    /// Starts with its nodes at these places in its own frame, m, as many as there are nodes.
    pub fn shaped(mut self, places: Vec<DVec3>) -> Self {
        self.shape = Some(places);
        self
    }

    /// Ties one node to what carries it.
    pub fn tied_at(mut self, node: usize, carriers: Vec<Tie>) -> Self {
        self.bound.push((node, carriers));
        self
    }

    /// Maps nodes to several bodies or particles with weights that add up to 1: linear blend skinning between bones, interpolation in the
    /// cells of another deformable, whose nodes are particles. For a node that rests at x, m, an empty list leaves it free. A mapped node
    /// has no unknowns of its own; what acts on it goes to those that carry it, and its mass too.
    pub fn mapped(mut self, carriers: impl Fn(usize, DVec3) -> Vec<(BodyId, f64)>) -> Self {
        for (k, &x) in self.elements.rest().iter().enumerate().take(self.elements.controls()) {
            let list = carriers(k, x);
            if !list.is_empty() {
                let tie = |(body, weight)| Tie { body: Some(body), weight, point: None };
                self.bound.push((k, list.into_iter().map(tie).collect()));
            }
        }
        self
    }

    /// Makes it tear where it carries more tension than this, Pa: neighbouring cells part at the end of a step where the largest principal
    /// stress between them, of bars the tension, is beyond it ([`Event::Torn`](crate::Event::Torn)).
    pub fn strength(mut self, stress: f64) -> Self {
        self.strength = Some(stress);
        self
    }

    /// Starts with what the elements of another one remembered ([`DeformableRef::remembered`](crate::DeformableRef::remembered)): their
    /// permanent deformation, and the pressure of those that keep their volume.
    pub fn remembering(mut self, numbers: Vec<f64>) -> Self {
        self.remembered = Some(numbers);
        self
    }

    /// Its name.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// A number of the user's own.
    pub fn user_data(mut self, data: u64) -> Self {
        self.user_data = data;
        self
    }

    /// Where node k starts in the world, m, and its velocity, m/s.
    pub(crate) fn start(&self, k: usize) -> (DVec3, DVec3) {
        let at = self.shape.as_ref().map_or(self.elements.rest()[k], |s| s[k]);
        let arm = self.pose.rot * at;
        (self.pose.pos + arm, self.velocity.0 + self.velocity.1.cross(arm))
    }

    /// Refuses numbers that are none, and nodes that are tied twice.
    pub(crate) fn check(&self) -> Result<()> {
        finite_vec("position of the deformable", self.pose.pos, "m")?;
        finite_vec("velocity of the deformable", self.velocity.0, "m/s")?;
        finite_vec("angular velocity of the deformable", self.velocity.1, "rad/s")?;
        crate::math::pose::unit(self.pose.rot)?;
        self.strength.map_or(Ok(0.0), |s| positive("strength of the deformable", s, "Pa"))?;
        let count = self.elements.rest().len();
        if let Some(shape) = self.shape.as_ref().filter(|s| s.len() != count) {
            return Err(Error::input(
                "places of the nodes of the deformable",
                shape.len(),
                format!("{count}, one each"),
            ));
        }
        let controls = self.elements.controls();
        if let Some((k, _)) = self.bound.iter().find(|(k, _)| (controls..count).contains(k)) {
            let expected = format!("less than {controls}, a control point of a frame: the others are carried by these");
            return Err(Error::input("node of the deformable", k, expected));
        }
        if let Some((k, _)) = self.bound.iter().find(|(k, _)| *k >= count) {
            return Err(Error::input("node of the deformable", k, format!("less than {count}")));
        }
        for (k, point) in self.bound.iter().flat_map(|(k, ties)| ties.iter().filter_map(move |t| Some((k, t.point?)))) {
            finite_vec(&format!("point where node {k} of the deformable is bound"), point, "m")?;
        }
        for (k, x) in self.shape.iter().flatten().enumerate() {
            finite_vec(&format!("start of node {k} of the deformable"), *x, "m")?;
        }
        if let Some(numbers) = &self.remembered {
            let count = SoftEntry::numbers(&self.elements) - 1;
            if numbers.len() != count {
                let expected = format!("{count}, as many as its elements keep");
                return Err(Error::input("numbers that the deformable remembers", numbers.len(), expected));
            }
            if let Some((k, x)) = numbers.iter().enumerate().find(|(_, x)| !x.is_finite()) {
                return Err(Error::input(format!("number {k} that the deformable remembers"), x, "a finite number"));
            }
            if let Some((point, det)) = self.elements.flattened(numbers) {
                let what = format!("permanent deformation of point {point} of the deformable, its determinant");
                return Err(Error::input(what, det, "1: it keeps the volume"));
            }
        }
        if self.surface.is_some() && self.elements.surface().is_empty() && self.elements.bars().is_empty() {
            return Err(Error::input(
                "skin of the deformable",
                "a mesh without a surface",
                "cells, or frames over a mesh",
            ));
        }
        self.surface.as_ref().map_or(Ok(()), |s| s.shape.validate())?;
        let mut tied: Vec<usize> = self.bound.iter().map(|b| b.0).collect();
        tied.sort_unstable();
        if let Some(w) = tied.windows(2).find(|w| w[0] == w[1]) {
            return Err(Error::input("node of the deformable", w[0], "held or bound once"));
        }
        for (k, carriers) in &self.bound {
            let sum: f64 = carriers.iter().map(|c| c.weight).sum();
            let positive = carriers.iter().all(|c| c.weight > 0.0 && c.weight.is_finite());
            if !positive || !((sum - 1.0).abs() < 1e-9) {
                let weights: Vec<f64> = carriers.iter().map(|c| c.weight).collect();
                let what = format!("weights of node {k} of the deformable");
                return Err(Error::input(what, format!("{weights:?}"), "positive numbers that add up to 1"));
            }
        }
        Ok(())
    }
}

/// What the elements refuse, in the words of the engine.
pub(crate) fn refused(fault: taut_elements::Error) -> Error {
    match fault {
        taut_elements::Error::Mesh(e) => {
            let place = match e.cell {
                Some(cell) => format!("cell {cell}, nodes {:?}, value {}", e.nodes, e.value),
                None => format!("nodes {:?}, value {}", e.nodes, e.value),
            };
            Error::input(format!("mesh ({})", e.fault), place, e.expected)
        }
        taut_elements::Error::Input(e) => Error::input(e.name, e.value, e.expected),
    }
}

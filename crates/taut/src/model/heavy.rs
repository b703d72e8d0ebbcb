//! Ropes with mass that run, as they are said and as they are kept.

use super::reeving::{Lead, Reeving};
use crate::contact::collider::Collider;
use crate::ids::{BodyId, HeavyRopeId, JointId, RopeId};
use glam::{DMat3, DVec3};

/// A rope with mass that runs, to be added to a world: over guides it has none, below the last of them it is a chain of particles.
/// Particles come and go as it is paid out and hauled in.
///
/// A chain of 30 m runs off a drum by its own weight.
/// ```
/// use taut::prelude::*;
/// use taut::{Winch, Winding};
/// let mut world = World::new();
/// let winch = world.add(Winch::on(world.ground(), Vec3::ZERO, Vec3::Z, 0.3).inertia(5.0).winding(Winding::Free))?;
/// let end = world.add(Body::particle(1.0).at(Vec3::new(0.3, -5.0, 0.0)))?;
/// let drum = world.drum(winch)?;
/// let line = Rope::from_drum(drum.against()).to(end, Vec3::new(0.3, -5.0, 0.0));
/// let chain = world.add(line.massive(2.0).segment(0.5).stored(25.0))?;
/// let before = world.heavy_rope(chain)?.nodes().len();
/// for _ in 0..120 {
///     world.step(1.0 / 60.0)?;
/// }
/// assert!(world.heavy_rope(chain)?.nodes().len() > before);
/// assert!(world.body(end)?.position().y < -5.5);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct HeavyRope {
    pub(crate) head: Head,
    /// Where it is tied; none where it ends on a drum, which is refused.
    pub(crate) end: Option<(BodyId, DVec3)>,
    /// Mass of a metre, kg/m.
    pub density: f64,
    /// Length of a piece, m. None: a fortieth of what it has.
    pub segment: Option<f64>,
    /// What is wound on the drum, or lies in the locker, m.
    pub stored: f64,
    /// A collider for each of its nodes: a ball of half its diameter.
    pub collider: Option<Collider>,
    /// Name of its rope; its nodes are numbered after it.
    pub name: String,
}

/// Where a heavy rope comes from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Head {
    /// Over guides, without mass there.
    Guides(Reeving),
    /// Out of a locker, at a point of the world, m, where it lies at rest.
    Locker(BodyId, DVec3),
}

impl Reeving {
    /// The same rope with so many kg in a metre below its last guide.
    pub fn massive(mut self, density: f64) -> HeavyRope {
        let end = match self.leads.pop() {
            Some(Lead::Point(body, point)) => Some((body, point)),
            _ => None,
        };
        let name = self.name.clone();
        HeavyRope { head: Head::Guides(self), end, density, segment: None, stored: 0.0, collider: None, name }
    }
}

impl HeavyRope {
    /// A chain out of a locker, where it lies at rest, through a hawse at a point of a body, to another.
    pub fn from_locker(body: BodyId, hawse: DVec3, end: (BodyId, DVec3), density: f64) -> Self {
        let (head, name) = (Head::Locker(body, hawse), String::new());
        HeavyRope { head, end: Some(end), density, segment: None, stored: 0.0, collider: None, name }
    }

    /// With pieces of this length, m.
    pub fn segment(self, length: f64) -> Self {
        HeavyRope { segment: Some(length), ..self }
    }

    /// With so much on the drum or in the locker, m.
    pub fn stored(self, length: f64) -> Self {
        HeavyRope { stored: length, ..self }
    }

    /// With a collider for each node.
    pub fn colliding(self, collider: Collider) -> Self {
        HeavyRope { collider: Some(collider), ..self }
    }

    /// With a name.
    pub fn named(self, name: impl Into<String>) -> Self {
        HeavyRope { name: name.into(), ..self }
    }
}

/// What a cut has made of a heavy rope.
///
/// The anchor falls with the lower part of its chain.
/// ```
/// use taut::{Body, HeavyRope, Vec3, World};
/// let mut world = World::new();
/// let anchor = world.add(Body::particle(100.0).at(-10.0 * Vec3::Y))?;
/// let chain = HeavyRope::from_locker(world.ground(), Vec3::ZERO, (anchor, -10.0 * Vec3::Y), 50.0).segment(2.0);
/// let chain = world.add(chain)?;
/// world.step(0.01)?;
/// let cut = world.cut_heavy_rope(chain, 5.0)?;
/// assert_eq!((world.heavy_rope(chain)?.nodes().len(), cut.nodes.len(), cut.rope), (2, 3, Some(chain)));
/// for _ in 0..100 {
///     world.step(0.01)?;
/// }
/// assert!((world.body(anchor)?.velocity().y + 9.81).abs() < 0.01);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct HeavyCut {
    /// The rope, where something of it has mass still.
    pub rope: Option<HeavyRopeId>,
    /// The rope over guides that is left, with a free end, where all of the rest was cut off.
    pub line: Option<RopeId>,
    /// The particles of what has come off, from the cut to the end.
    pub nodes: Vec<BodyId>,
    /// The rods between them.
    pub links: Vec<JointId>,
}

/// A heavy rope in the world.
#[derive(Clone, Debug)]
pub(crate) struct HeavyEntry {
    pub source: Source,
    /// From the feed node to the end.
    pub nodes: Vec<BodyId>,
    /// Between them.
    pub links: Vec<JointId>,
    pub density: f64,
    pub l0: f64,
    /// On the drum or in the locker, and in the pieces, m, when the span above the feed node has no length.
    pub total: f64,
    pub collider: Option<Collider>,
    pub name: String,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    /// A rope without mass to the feed node, and the rotor of its drum, as it is without rope: kg, kg m^2.
    Guides { rope: RopeId, rotor: Option<(BodyId, f64, DMat3)> },
    /// A point of a body, in its frame, m, and what holds the chain when the locker is empty.
    Locker { body: BodyId, at: DVec3, stop: JointId },
}

impl HeavyEntry {
    /// How much of the span above the feed node is in the node.
    pub fn share(&self) -> f64 {
        if matches!(self.source, Source::Guides { .. }) { 0.5 } else { 1.0 }
    }
}

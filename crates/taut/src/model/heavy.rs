//! Ropes with mass that run, as they are said and as they are kept.

use super::reeving::{Lead, Reeving};
use crate::contact::collider::Collider;
use crate::ids::{BodyId, HeavyRopeId, JointId, RopeId};
use crate::joints::Softness;
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
    /// Its diameter, m, for water and wind; 0: they do not act on it.
    pub diameter: f64,
    /// Force that doubles the length of a piece, E A, N. None: pieces do not stretch.
    pub stiffness: Option<f64>,
    /// Whether pieces are put together where it is tight and divided where it is slack.
    pub adaptive: bool,
    /// Name of its rope; its nodes are numbered after it.
    pub name: String,
}

/// Where a heavy rope comes from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Head {
    /// Over guides, without mass there.
    Guides(Box<Reeving>),
    /// Out of a locker, at a point of the world, m, where it lies at rest.
    Locker(BodyId, DVec3),
    /// Of parts that are in the world.
    Parts(Box<HeavyMemory>),
}

/// What a rope with mass has become, in terms of bodies, joints and ropes that are in a world: to be told to a world that was made of the same
/// parts ([`HeavyRopeRef::memory`](crate::HeavyRopeRef::memory), [`HeavyRope::remembering`]).
///
/// ```
/// use taut::{Body, HeavyRope, Vec3, World};
/// let mut world = World::new();
/// let anchor = world.add(Body::particle(100.0).at(-10.0 * Vec3::Y))?;
/// let chain = HeavyRope::from_locker(world.ground(), Vec3::ZERO, (anchor, -10.0 * Vec3::Y), 50.0).segment(2.0).stored(90.0);
/// let chain = world.add(chain)?;
/// let memory = world.heavy_rope(chain)?.memory();
/// // One node every two metres of all the rope, of which those over the side are out.
/// assert_eq!((memory.nodes.len(), memory.out.as_slice()), (50, &[4, 3, 2, 1, 0][..]));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct HeavyMemory {
    /// All its nodes, one every segment from its end, which is the first. Those that are not out are switched off.
    pub nodes: Vec<BodyId>,
    /// Numbers of those that are out, from the uppermost, the feed node, to the end, which is 0.
    pub out: Vec<u32>,
    /// Of each piece between two of those: its tension of late, N, and by how much it is shorter than the rope in it, m. Only adaptive ropes
    /// need it.
    pub pieces: Vec<[f64; 2]>,
    /// The rope without mass that leads to the feed node; none out of a locker.
    pub rope: Option<RopeId>,
    /// Out of a locker: the body of the hawse, and where it is along its axes, m.
    pub hawse: Option<(BodyId, DVec3)>,
    /// Of the drum without rope, where it turns: mass, kg, and inertia along its axes, kg m^2.
    pub drum: Option<(f64, DMat3)>,
    /// Mass of a metre, kg/m.
    pub density: f64,
    /// Length of a segment, m.
    pub segment: f64,
    /// All of it, m: on the drum or in the locker, and out.
    pub total: f64,
    /// Its diameter for water and wind, m.
    pub diameter: f64,
    /// Force that doubles the length of a piece, E A, N. None: pieces do not stretch.
    pub stiffness: Option<f64>,
    /// Whether it chooses its nodes.
    pub adaptive: bool,
    /// Rope below its last node, m: half of a piece that was cut there.
    pub tail: f64,
    /// The body that holds its end against torsion, and along its axes the direction of the rope there, and one across it.
    pub held: Option<(BodyId, [DVec3; 2])>,
    /// Its name.
    pub name: String,
}

impl Reeving {
    /// The same rope with so many kg in a metre below its last guide. Water and wind act on it there if it has a diameter, and it
    /// stretches there as it does above.
    pub fn massive(mut self, density: f64) -> HeavyRope {
        let end = match self.leads.pop() {
            Some(Lead::Point(body, point)) => Some((body, point)),
            _ => None,
        };
        let (name, diameter, stiffness) = (self.name.clone(), self.thickness, self.stiffness);
        HeavyRope { end, diameter, stiffness, name, ..HeavyRope::of(Head::Guides(Box::new(self)), density) }
    }
}

impl HeavyRope {
    fn of(head: Head, density: f64) -> Self {
        HeavyRope {
            head,
            end: None,
            density,
            segment: None,
            stored: 0.0,
            collider: None,
            diameter: 0.0,
            stiffness: None,
            adaptive: false,
            name: String::new(),
        }
    }

    /// A chain out of a locker, where it lies at rest, through a hawse at a point of a body, to another.
    pub fn from_locker(body: BodyId, hawse: DVec3, end: (BodyId, DVec3), density: f64) -> Self {
        HeavyRope { end: Some(end), ..HeavyRope::of(Head::Locker(body, hawse), density) }
    }

    /// Of parts that are in the world: it goes on as the rope that has become this.
    pub fn remembering(memory: HeavyMemory) -> Self {
        HeavyRope::of(Head::Parts(Box::new(memory)), f64::NAN)
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

    /// Of this diameter, m, for water and wind.
    pub fn diameter(self, diameter: f64) -> Self {
        HeavyRope { diameter, ..self }
    }

    /// With pieces that stretch: the force that would double their length, E A, N.
    pub fn stiffness(self, ea: f64) -> Self {
        HeavyRope { stiffness: Some(ea), ..self }
    }

    /// With as few pieces as its sag needs, and no shorter ones than a segment: where it is tight they are put together, where it is slack
    /// they are divided. What moves across a tight rope, between the nodes that are left, is lost.
    pub fn adaptive(self) -> Self {
        HeavyRope { adaptive: true, ..self }
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

/// A heavy rope in the world. Which of its nodes are out is state (`HeavyState`); the lists of those here follow it.
#[derive(Clone, Debug)]
pub(crate) struct HeavyEntry {
    pub source: Source,
    /// All nodes that it can ever have, every `l0` from its end, which is the first. Those that are not out are switched off.
    pub pool: Vec<BodyId>,
    /// What hangs below each of them but the first: a rod to the next that is out.
    pub rods: Vec<JointId>,
    /// Those that are out, from the feed node to the end, and the rods between them.
    pub nodes: Vec<BodyId>,
    pub links: Vec<JointId>,
    pub density: f64,
    pub l0: f64,
    /// On the drum or in the locker, and in the pieces, m, when the span above the feed node has no length.
    pub total: f64,
    /// m, for water and wind.
    pub diameter: f64,
    /// E A of the pieces, N.
    pub stiffness: Option<f64>,
    pub adaptive: bool,
    /// Rope below its last node, m: half of the piece that was cut there.
    pub tail: f64,
    /// What takes its torsion at its end.
    pub held: Option<Held>,
    pub name: String,
    /// What the feed node was loaded with by the user while a step is taken: N, N m.
    pub load: Option<(DVec3, DVec3)>,
}

/// A body that holds the end of a heavy rope against torsion: in its frame the direction along the rope, and one across it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Held {
    pub body: BodyId,
    pub along: DVec3,
    pub mark: DVec3,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    /// A rope without mass to the feed node, and the rotor of its drum, as it is without rope: kg, kg m^2.
    Guides { rope: RopeId, rotor: Option<(BodyId, f64, DMat3)> },
    /// A point of a body, in its frame, m, and what holds the chain when the locker is empty.
    Locker { body: BodyId, at: DVec3, stop: JointId },
}

impl HeavyEntry {
    /// Rope between its feed node and its end, m: nodes are numbered by segments from the end.
    pub fn below(&self) -> f64 {
        let first = self.nodes.first().and_then(|feed| self.pool.iter().position(|b| b == feed));
        first.map_or(0.0, |k| k as f64 * self.l0)
    }

    /// How much of the span above the feed node is in the node.
    pub fn share(&self) -> f64 {
        if matches!(self.source, Source::Guides { .. }) { 0.5 } else { 1.0 }
    }

    /// Length of rope that a node stands for, m, with a span of this length above the first.
    pub fn length_at(&self, out: &[u32], place: usize, span: f64) -> f64 {
        let piece = |a: u32, b: u32| 0.5 * self.l0 * f64::from(a - b);
        let above = if place == 0 { self.share() * span } else { piece(out[place - 1], out[place]) };
        above + out.get(place + 1).map_or(self.tail, |next| piece(out[place], *next))
    }

    /// Give of a piece of this length, m/N.
    pub fn softness(&self, length: f64) -> Softness {
        self.stiffness.map_or(Softness::RIGID, |ea| Softness { compliance: length / ea, ..Softness::RIGID })
    }
}

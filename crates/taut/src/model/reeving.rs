//! Ropes over guides: from a body or a drum, over and under sheaves, to a body or a drum.

use super::drum::{Drum, Layers};
use super::reeved::RopeMemory;
use super::ring::RideEntry;
use crate::contact::collider::Groups;
use crate::error::{Error, Result, finite_vec, positive};
use crate::ids::BodyId;
use crate::joints::Rope;
use crate::reeve::Groove;
pub use crate::reeve::hold::Hold;
use crate::state::RopeState;
use glam::DVec3;

/// A sheave or a drum: a circle on a body that ropes run over. Its body carries it: a crane's boom, a hook block, or a rotor with a hinge
/// of its own that turns with the rope.
///
/// Without friction the rope runs over it freely and has the same tension on both sides. With [`Sheave::efficiency`] and
/// [`Sheave::friction`] the tensions differ by what the bearing or the capstan takes, and the rope slips beyond that. With
/// [`Sheave::no_slip`] the rope turns its body, which then is a rotor.
///
/// A bucket on a rope over a rotor of 0.5 kg m^2 sinks more slowly than it would fall.
/// ```
/// use taut::prelude::*;
/// use taut::Sheave;
/// let mut world = World::new();
/// let rotor = world.add(Body::dynamic(MassProperties::from_diagonal(20.0, Vec3::splat(0.5))?))?;
/// world.add(Hinge::between(rotor, world.ground()).axis(Vec3::Z))?;
/// let bucket = world.add(Body::particle(10.0).at(Vec3::new(0.2, -1.0, 0.0)))?;
/// let drum = Sheave::on(rotor, Vec3::ZERO, Vec3::Z, 0.2).no_slip();
/// world.add(Rope::from_drum(drum.against()).to(bucket, Vec3::new(0.2, -1.0, 0.0)))?;
/// for _ in 0..100 {
///     world.step(0.01)?;
/// }
/// // a = g m/(m + I/r^2)
/// assert!((world.body(bucket)?.velocity().y + 9.81 * 10.0 / 22.5).abs() < 0.03);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheave {
    /// The body that it is a part of.
    pub body: BodyId,
    /// Its centre in the world, as the body is when the rope is added, m.
    pub centre: DVec3,
    /// Its axis in the world, as the body is when the rope is added.
    pub axis: DVec3,
    /// Pitch radius, from the axis to the middle of the rope, m.
    pub radius: f64,
    /// How the rope holds to it.
    pub hold: Hold,
    /// Whether the rope is kept in its groove; by default on a body that moves freely, as in a block.
    pub keeper: Option<bool>,
    /// As a drum: how rope lies on it.
    pub layers: Layers,
}

impl Sheave {
    /// A circle of a body about an axis, with the pitch radius in m; the rope slips over it freely.
    pub fn on(body: BodyId, centre: DVec3, axis: DVec3, radius: f64) -> Self {
        Sheave { body, centre, axis, radius, hold: Hold::Free, keeper: None, layers: Layers::default() }
    }

    /// Whether the rope is kept in its groove, as in a block, or leaves it where it runs straight past, and comes back. By default it is kept
    /// by sheaves of bodies that move freely, and by those it does not slip on.
    pub fn keeper(self, keeper: bool) -> Self {
        Sheave { keeper: Some(keeper), ..self }
    }

    /// As a drum: the rope of this diameter, m, lies in layers.
    pub fn rope_diameter(self, diameter: f64) -> Self {
        Sheave { layers: Layers { rope_diameter: Some(diameter), ..self.layers }, ..self }
    }

    /// As a drum with layers: so many wraps lie beside each other in each.
    pub fn wraps(self, wraps: f64) -> Self {
        Sheave { layers: Layers { wraps: Some(wraps), ..self.layers }, ..self }
    }

    /// As a drum: so much rope is on it, m. Its radius is that of the bare drum. When all has run off, the rope hangs on its shell.
    pub fn stored(self, length: f64) -> Self {
        Sheave { layers: Layers { stored: Some(length), ..self.layers }, ..self }
    }

    /// As a drum: its flanges hold so much rope, m. A drum that is full winds no more.
    pub fn capacity(self, length: f64) -> Self {
        Sheave { layers: Layers { capacity: Some(length), ..self.layers }, ..self }
    }

    /// The rope does not slip on it: it turns with the rope, or holds it.
    pub fn no_slip(self) -> Self {
        self.held(Hold::Fast)
    }

    /// With a bearing of this efficiency, above 0 and up to 1: 0.96 is a plain bearing, 0.98 one on rollers. Where the rope runs, the
    /// tension falls by it; where it stands, friction takes up to as much.
    pub fn efficiency(self, efficiency: f64) -> Self {
        self.held(Hold::Efficiency(efficiency))
    }

    /// A capstan or bollard with this coefficient of friction: the tensions differ by at most exp(friction x angle of wrap).
    pub fn friction(self, friction: f64) -> Self {
        self.held(Hold::Friction(friction))
    }

    /// With a rope that holds to it so.
    pub fn held(self, hold: Hold) -> Self {
        Sheave { hold, ..self }
    }

    /// The rope passes over it, on the side away from gravity.
    pub fn over(self) -> Wound {
        Wound { sheave: self, way: Way::Over, turns: 0 }
    }

    /// The rope passes under it.
    pub fn under(self) -> Wound {
        Wound { sheave: self, way: Way::Under, turns: 0 }
    }

    /// From its start to its end the rope turns about the axis, by the right hand.
    pub fn about(self) -> Wound {
        Wound { sheave: self, way: Way::About, turns: 0 }
    }

    /// From its start to its end the rope turns against the axis.
    pub fn against(self) -> Wound {
        Wound { sheave: self, way: Way::Against, turns: 0 }
    }
}

/// A sheave with the way that a rope takes round it.
///
/// ```
/// use taut::{Sheave, Vec3, World};
/// let world = World::new();
/// let sheave = Sheave::on(world.ground(), Vec3::ZERO, Vec3::Z, 0.25);
/// // Which of the two is over depends on where the rope comes from.
/// assert!(sheave.about() != sheave.against() && sheave.over() != sheave.about());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wound {
    pub(crate) sheave: Sheave,
    pub(crate) way: Way,
    pub(crate) turns: u32,
}

impl Wound {
    /// With so many whole turns more than the shortest way round has: a capstan.
    pub fn turns(self, turns: u32) -> Self {
        Wound { turns, ..self }
    }

    /// The sheave.
    pub fn sheave(&self) -> Sheave {
        self.sheave
    }

    /// Whether the rope was told to turn about the axis from its start to its end.
    pub fn is_about(&self) -> bool {
        self.way == Way::About
    }

    /// Whole turns more than the shortest way round has.
    pub fn whole_turns(&self) -> u32 {
        self.turns
    }
}

/// On which side a rope passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Way {
    Over,
    Under,
    About,
    Against,
}

/// A straight edge of a body that a rope runs across: it passes where the angles to the edge are equal, so that its way is the shortest, and
/// leaves it where it runs straight past.
///
/// A rope over the edge of a quay, from a bollard to a load: it is led down there, and slides along the edge as the load swings.
/// ```
/// use taut::prelude::*;
/// use taut::Edge;
/// let mut world = World::new();
/// let load = world.add(Body::particle(50.0).at(Vec3::new(0.0, -3.0, 0.5)))?;
/// let quay = Edge::between(world.ground(), -5.0 * Vec3::Z, 5.0 * Vec3::Z);
/// let rope = Rope::from(world.ground(), -2.0 * Vec3::X).across(quay).to(load, Vec3::new(0.0, -3.0, 0.5));
/// let rope = world.add(rope)?;
/// world.step(0.01)?;
/// // c = (a p_b + b p_a)/(p_a + p_b): two fifths of the way to the load's side.
/// let corner = world.rope(rope)?.ends().next().unwrap()[1];
/// assert!((corner - 0.2 * Vec3::Z).length() < 1e-3);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The body that it is a part of.
    pub body: BodyId,
    /// Its ends in the world, as the body is when the rope is added, m.
    pub ends: [DVec3; 2],
    /// Out of what it is the edge of. Default: the side that the rope is bent round on when it is added.
    pub outward: Option<DVec3>,
    /// How the rope holds to it.
    pub hold: Hold,
}

impl Edge {
    /// From one point of a body to another, given as points of the world, m.
    pub fn between(body: BodyId, a: DVec3, b: DVec3) -> Self {
        Edge { body, ends: [a, b], outward: None, hold: Hold::Free }
    }

    /// With this coefficient of friction.
    pub fn friction(self, friction: f64) -> Self {
        Edge { hold: Hold::Friction(friction), ..self }
    }

    /// With the direction that points out of what it is the edge of.
    pub fn outward(self, outward: DVec3) -> Self {
        Edge { outward: Some(outward), ..self }
    }
}

/// What a rope is led by: a point of a body, a sheave or drum, or an edge.
///
/// ```
/// use taut::{Reeving, Rope, Sheave, Vec3, World, parts::Lead};
/// let world = World::new();
/// let sheave = Sheave::on(world.ground(), Vec3::Y, Vec3::Z, 0.25);
/// let line: Reeving = Rope::from(world.ground(), -Vec3::X).over(sheave).to(world.ground(), Vec3::X);
/// assert_eq!(line.leads[0], Lead::Point(world.ground(), -Vec3::X));
/// assert_eq!(line.leads[1], Lead::from(sheave.over()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lead {
    /// A point of a body, as a point of the world when the rope is added, m: where an end is tied, or a ring that the rope runs through.
    Point(BodyId, DVec3),
    /// A ring with friction, at a point of the world, m. Its angle of wrap is that between the rope before and after it.
    Ring(BodyId, DVec3, Hold),
    /// A point of a body that holds the rope fast and goes with it, at a point of the world, m; it passes sheaves that the rope does not slip
    /// on ([`Reeving::grip`]).
    Grip(BodyId, DVec3),
    /// A sheave; at an end a drum, from which no rope slips.
    Round(Wound),
    /// An edge.
    Edge(Edge),
}

impl From<Edge> for Lead {
    fn from(edge: Edge) -> Self {
        Lead::Edge(edge)
    }
}

impl From<(BodyId, DVec3)> for Lead {
    fn from((body, point): (BodyId, DVec3)) -> Self {
        Lead::Point(body, point)
    }
}

impl From<Wound> for Lead {
    fn from(wound: Wound) -> Self {
        Lead::Round(wound)
    }
}

impl Lead {
    pub(crate) fn body(&self) -> BodyId {
        match self {
            Lead::Point(body, _) | Lead::Ring(body, ..) | Lead::Grip(body, _) => *body,
            Lead::Round(w) => w.sheave.body,
            Lead::Edge(e) => e.body,
        }
    }

    /// Its point or centre, or the middle of an edge, m.
    pub(crate) fn place(&self) -> DVec3 {
        match self {
            Lead::Point(_, point) | Lead::Ring(_, point, _) | Lead::Grip(_, point) => *point,
            Lead::Round(w) => w.sheave.centre,
            Lead::Edge(e) => 0.5 * (e.ends[0] + e.ends[1]),
        }
    }

    /// How the rope holds to it.
    pub(crate) fn hold(&self, number: usize) -> Result<Hold> {
        let hold = match self {
            Lead::Point(..) => Hold::Free,
            Lead::Grip(..) => Hold::Fast,
            Lead::Ring(_, _, hold) => *hold,
            Lead::Round(w) => w.sheave.hold,
            Lead::Edge(e) => e.hold,
        };
        hold.check(&format!("guide {number} of the rope"))
    }

    pub(crate) fn check(&self, number: usize) -> Result<()> {
        let named = |what: &str| format!("{what} of guide {number} of the rope");
        finite_vec(&named("point"), self.place(), "m")?;
        if let Lead::Round(w) = self {
            positive(&named("radius"), w.sheave.radius, "m")?;
            if !(w.sheave.axis.length() > 0.0 && w.sheave.axis.is_finite()) {
                return Err(Error::input(named("axis"), w.sheave.axis, "a direction"));
            }
            w.sheave.layers.check(named)?;
        }
        if let Lead::Edge(e) = self {
            for end in e.ends {
                finite_vec(&named("end of the edge"), end, "m")?;
            }
            if !(e.ends[0].distance(e.ends[1]) > 0.0) {
                return Err(Error::input(named("length of the edge"), 0.0, "two ends that are apart"));
            }
        }
        Ok(())
    }

    /// Whether the rope turns about the axis (+1) or against it, on its way from one place to the next, m.
    pub(crate) fn side(&self, number: usize, [from, to]: [DVec3; 2], up: DVec3) -> Result<f64> {
        let Lead::Round(w) = self else { return Ok(1.0) };
        let top = match w.way {
            Way::About => return Ok(1.0),
            Way::Against => return Ok(-1.0),
            Way::Over => 1.0,
            Way::Under => -1.0,
        };
        // At its top a rope that turns about the axis goes this way.
        let ahead = w.sheave.axis.normalize_or_zero().cross(up);
        let along = top * ahead.dot(to - from);
        if along.abs() <= 1e-6 * (to - from).length() || !along.is_finite() {
            let expected =
                "a rope that goes on to one side: say about or against, for it turns about the axis or against it";
            let given = if top > 0.0 { "over" } else { "under" };
            return Err(Error::input(format!("way round guide {number} of the rope"), given, expected));
        }
        Ok(along.signum())
    }
}

/// A rope over guides, to be added to a world. It has no mass and does not stretch unless told to; slack, then taut.
///
/// Atwood's machine: the load of 3 kg sinks with g/5.
/// ```
/// use taut::prelude::*;
/// use taut::Sheave;
/// let mut world = World::new();
/// let heavy = world.add(Body::particle(3.0).at(Vec3::new(-0.3, -2.0, 0.0)))?;
/// let light = world.add(Body::particle(2.0).at(Vec3::new(0.3, -2.0, 0.0)))?;
/// let sheave = Sheave::on(world.ground(), Vec3::ZERO, Vec3::Z, 0.3);
/// let rope = Rope::from(heavy, Vec3::new(-0.3, -2.0, 0.0)).over(sheave).to(light, Vec3::new(0.3, -2.0, 0.0));
/// let rope = world.add(rope)?;
/// for _ in 0..100 {
///     world.step(0.01)?;
/// }
/// assert!((world.body(heavy)?.velocity().y + 9.81 / 5.0).abs() < 0.02);
/// assert!((world.rope(rope)?.tension() - 2.0 * 9.81 * 1.2).abs() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Reeving {
    /// Its start, its guides, its end; of an endless rope its guides.
    pub leads: Vec<Lead>,
    /// Whether it is endless: from its last guide it goes on to its first.
    pub closed: bool,
    /// How much longer it is than its way when it is added, m.
    pub slack: f64,
    /// Force that doubles its length, E A, N. None: it does not stretch.
    pub stiffness: Option<f64>,
    /// Torsional stiffness of its section, G J, N m^2. None: it turns freely about itself.
    pub torsion: Option<f64>,
    /// Whom it meets on its way; none: nothing.
    pub groups: Option<Groups>,
    /// Its diameter, m: round colliders that it meets lead its middle by half of that more.
    pub thickness: f64,
    /// Name in reports and errors.
    pub name: String,
    /// What it has become, where it is not new.
    pub memory: Option<RopeMemory>,
    /// Whether its first and its last end hang free ([`Reeving::free_end`]).
    pub free: [bool; 2],
}

impl Rope {
    /// A rope over guides that begins at a point of a body, given as a point of the world, m. Say its way and its end next.
    pub fn from(body: BodyId, point: DVec3) -> Reeving {
        Reeving::new(Lead::Point(body, point))
    }

    /// A rope over guides that comes off a drum.
    pub fn from_drum(drum: Wound) -> Reeving {
        Reeving::new(Lead::Round(drum))
    }
}

impl Reeving {
    fn new(start: Lead) -> Self {
        Reeving::of(vec![start])
    }

    /// One with this start, these guides and this end.
    pub fn of(leads: Vec<Lead>) -> Self {
        Reeving {
            leads,
            closed: false,
            slack: 0.0,
            stiffness: None,
            torsion: None,
            groups: Some(Groups::ALL),
            thickness: 0.0,
            name: String::new(),
            memory: None,
            free: [false; 2],
        }
    }

    /// On across an edge.
    pub fn across(mut self, edge: Edge) -> Self {
        self.leads.push(edge.into());
        self
    }

    /// Meets colliders as if it had these groups: what it sweeps over bends it, and lets it go again. By default it meets all but those of
    /// the bodies that it is tied to and led by; of fixed bodies it meets those that hold none of its own points and sheaves.
    pub fn touches(self, groups: Groups) -> Self {
        Reeving { groups: Some(groups), ..self }
    }

    /// Whether it meets colliders on its way. By default it does.
    pub fn collides(self, collides: bool) -> Self {
        Reeving { groups: collides.then(|| self.groups.unwrap_or(Groups::ALL)), ..self }
    }

    /// On over a sheave.
    pub fn over(self, sheave: Sheave) -> Self {
        self.round(sheave.over())
    }

    /// On under a sheave.
    pub fn under(self, sheave: Sheave) -> Self {
        self.round(sheave.under())
    }

    /// On round a sheave, on a side that is said.
    pub fn round(mut self, wound: Wound) -> Self {
        self.leads.push(wound.into());
        self
    }

    /// On through a ring without friction: a point of a body, given as a point of the world, m.
    pub fn through(mut self, body: BodyId, point: DVec3) -> Self {
        self.leads.push(Lead::Point(body, point));
        self
    }

    /// On through a ring that holds the rope so.
    pub fn through_held(mut self, body: BodyId, point: DVec3, hold: Hold) -> Self {
        self.leads.push(Lead::Ring(body, point, hold));
        self
    }

    /// Its end: a point of a body, given as a point of the world, m.
    pub fn to(self, body: BodyId, point: DVec3) -> Self {
        self.through(body, point)
    }

    /// Its end: a drum that it is wound on.
    pub fn to_drum(self, drum: Wound) -> Self {
        self.round(drum)
    }

    /// Longer than its way when it is added by so much, m.
    pub fn slack(self, slack: f64) -> Self {
        Reeving { slack, ..self }
    }

    /// Stretches: the force that would double its length, E A, N.
    pub fn stiffness(self, ea: f64) -> Self {
        Reeving { stiffness: Some(ea), ..self }
    }

    /// Resists torsion: the stiffness of its section, G J, N m^2. A moment M at one end turns that by M L/(G J) against the other; sheaves
    /// and rings take what the change of its direction leaves of M. An end on a particle, and a free one, turns freely: then there is none.
    ///
    /// A disk on a wire over a sheave turns as a torsion pendulum does.
    /// ```
    /// use taut::prelude::*;
    /// use taut::Sheave;
    /// let mut world = World::new();
    /// let start = Vec3::new(0.25, -2.0, 0.0);
    /// let disk = Body::dynamic(MassProperties::from_diagonal(5.0, Vec3::splat(0.1))?).at(start);
    /// let disk = world.add(disk.moving(Vec3::ZERO, 0.01 * Vec3::Y))?;
    /// let sheave = Sheave::on(world.ground(), Vec3::ZERO, Vec3::Z, 0.25);
    /// let wire = Rope::from(world.ground(), Vec3::new(-2.0, 0.25, 0.0)).over(sheave).to(disk, start);
    /// let wire = world.add(wire.torsion(2.0))?;
    /// while world.body(disk)?.angular_velocity().y > 0.0 {
    ///     world.step(0.001)?;
    /// }
    /// // A quarter of its period, 2 pi sqrt(I L/(G J)).
    /// let length = world.rope(wire)?.path();
    /// let quarter = 0.25 * std::f64::consts::TAU * (0.1 * length / 2.0).sqrt();
    /// assert!((world.time() - quarter).abs() < 0.002);
    /// # Ok::<(), taut::Error>(())
    /// ```
    pub fn torsion(self, gj: f64) -> Self {
        Reeving { torsion: Some(gj), ..self }
    }

    /// Stretches like steel wire rope of this diameter, m: E A is that of half its circle with 100 GPa.
    pub fn diameter(self, diameter: f64) -> Self {
        let circle = std::f64::consts::FRAC_PI_4 * diameter * diameter;
        self.thickness(diameter).stiffness(WIRE * circle)
    }

    /// Of this diameter, m, for what it meets; it does not stretch for that.
    pub fn thickness(self, thickness: f64) -> Self {
        Reeving { thickness, ..self }
    }

    /// Its start hangs free, as after [`World::release_rope`](crate::World::release_rope): it is a particle that belongs to the rope, and
    /// runs out of the guides that it is drawn through.
    pub fn free_start(self) -> Self {
        Reeving { free: [true, self.free[1]], ..self }
    }

    /// The same of its end.
    ///
    /// ```
    /// use taut::prelude::*;
    /// let mut world = World::new();
    /// let tail = world.add(Body::particle(0.01).at(-2.0 * Vec3::Y))?;
    /// let line = Rope::from(world.ground(), Vec3::ZERO).to(tail, -2.0 * Vec3::Y).free_end();
    /// let rope = world.add(line)?;
    /// assert_eq!(world.rope(rope)?.free_ends(), [None, Some(tail)]);
    /// // The particle goes with its rope.
    /// world.remove(rope)?;
    /// assert!(world.body(tail).is_err());
    /// # Ok::<(), taut::Error>(())
    /// ```
    pub fn free_end(self) -> Self {
        Reeving { free: [self.free[0], true], ..self }
    }

    /// With a name.
    pub fn named(self, name: impl Into<String>) -> Self {
        Reeving { name: name.into(), ..self }
    }

    /// Not new: it goes on as a rope on the same way that has become this ([`RopeRef::memory`](crate::RopeRef::memory)).
    pub fn remembering(self, memory: RopeMemory) -> Self {
        Reeving { memory: Some(memory), ..self }
    }
}

/// E of steel wire rope on the circle around it, Pa: half of it is metal, and its strands give.
const WIRE: f64 = 0.5e11;

/// A guide of a rope in the world, as it was said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GuideEntry {
    pub body: BodyId,
    pub groove: Groove,
    pub hold: Hold,
    /// The rope never leaves it.
    pub keeper: bool,
    /// Whole turns that it was given.
    pub turns: u32,
    /// A drum with layers, or one that runs empty or full.
    pub drum: Option<Drum>,
    /// It goes with the rope and passes sheaves (`model::ring`).
    pub grip: bool,
}

/// A rope in the world, as it was said; where it runs now is in `RopeState`.
#[derive(Clone, Debug)]
pub struct RopeEntry {
    /// Of an endless rope the first is the last once more.
    pub(crate) guides: Vec<GuideEntry>,
    /// Of an endless rope: which of the guides that were said is the first.
    pub(crate) ring: Option<usize>,
    /// Sheaves that its grips can pass.
    pub(crate) rides: Vec<RideEntry>,
    /// Force that doubles its length, N; none where it does not stretch.
    pub(crate) stiffness: Option<f64>,
    /// Torsional stiffness, N m^2; none where it turns freely about itself.
    pub(crate) torsion: Option<f64>,
    /// Whom it meets on its way.
    pub(crate) groups: Option<Groups>,
    /// m.
    pub(crate) thickness: f64,
    /// Its length when it was added, m.
    pub(crate) laid: f64,
    pub(crate) name: String,
    /// Whether its first and its last end are particles of its own, tied to nothing.
    pub(crate) free: [bool; 2],
}

impl RopeEntry {
    /// Whether a free end has run out of a guide, or has left it: it does not come back there.
    pub(crate) fn is_behind(&self, rope: &RopeState, lead: u32) -> bool {
        let last = self.guides.len() as u32 - 1;
        let mut on = rope.stops.iter().filter_map(|s| s.lead).filter(|l| *l > 0 && *l < last);
        let (first_on, last_on) = (on.clone().next().unwrap_or(last), on.next_back().unwrap_or(0));
        (self.free[0] && lead > 0 && lead < first_on) || (self.free[1] && lead < last && lead > last_on)
    }
}

//! Couplings between freedoms of joints: gears, screws, racks, differentials, mimic joints.
//!
//! One row over the freedoms q_k of one or more joints,
//! ```text
//! phi = sum_k ratio_k q_k - offset        C lambda = -phi, with damping B;  rigid: phi = 0
//! ```
//! so a coupling is as rigid, or as soft, as a joint. Joint k receives the generalised force ratio_k lambda; forces act between the
//! two bodies of each joint, so the carrier of a gearbox gets the reaction of its gears. Angles count whole turns.

use super::Model;
use crate::constraint::Primitive;
use crate::ids::{BodyId, JointId};
use crate::joints::{Freedom, Softness};
use std::f64::consts::TAU;

/// One freedom of a joint in a coupling.
///
/// What a gear is made of: q_a + 3 q_b stays what it is.
/// ```
/// # use taut::{Body, Gear, Hinge, MassProperties, Vec3, World};
/// # let mut world = World::new();
/// # let wheel = Body::dynamic(MassProperties::sphere(1000.0, 0.1)?);
/// # let (a, b) = (world.add(wheel.clone())?, world.add(wheel.at(Vec3::X))?);
/// # let a = world.add(Hinge::between(a, world.ground()).axis(Vec3::Z))?;
/// # let b = world.add(Hinge::between(b, world.ground()).axis(Vec3::Z))?;
/// use taut::{Freedom, parts::Term};
/// let gear = Gear::between(a, b).ratio(-3.0);
/// assert_eq!(gear.terms[0], Term { joint: a, freedom: Some(Freedom::Turn), ratio: 1.0 });
/// assert_eq!(gear.terms[1], Term { joint: b, freedom: Some(Freedom::Turn), ratio: 3.0 });
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// The joint.
    pub joint: JointId,
    /// Which of its freedoms: Turn, Twist, Slide or Length. None: the only one that it has, a turn or a slide.
    pub freedom: Option<Freedom>,
    /// What it counts in the sum, per rad or per m: any number but zero.
    pub ratio: f64,
}

/// A coupling to be added to a world: the sum of `ratio` times position over up to four freedoms of joints stays `offset`.
///
/// [`Gear`], [`Screw`], [`RackAndPinion`] and [`Mimic`] make the usual ones; a differential has three freedoms:
/// ```
/// # use taut::{Body, Coupling, Error, Freedom, Hinge, JointId, MassProperties, Vec3, World};
/// # let mut world = World::new();
/// # let mut wheel = |z: f64| -> Result<JointId, Error> {
/// #     let b = world.add(Body::dynamic(MassProperties::sphere(1000.0, 0.1)?).at(z * Vec3::Z))?;
/// #     world.add(Hinge::between(b, world.ground()).axis(Vec3::Z))
/// # };
/// # let (left, right, cage) = (wheel(0.0)?, wheel(1.0)?, wheel(2.0)?);
/// // The cage turns with the mean of the two wheels.
/// let differential = Coupling::new()
///     .term(left, Freedom::Turn, 1.0)
///     .term(right, Freedom::Turn, 1.0)
///     .term(cage, Freedom::Turn, -2.0)
///     .named("differential");
/// let id = world.add(differential)?;
/// assert_eq!(world.coupling(id)?.error(), 0.0);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coupling {
    /// The freedoms that it couples, two to four.
    pub terms: Vec<Term>,
    /// What the sum stays at, in its unit. None: what it is when the coupling is added.
    ///
    /// Angles are known up to whole turns when a coupling is added. They are taken within half a turn of zero, and with an offset the
    /// first of them with as many whole turns as bring the sum nearest to it. From then on turns are counted.
    pub offset: Option<f64>,
    /// How it gives way: unit of the sum per N (N m), and the damping. Rigid by default.
    pub soft: Softness,
    /// Name in reports and errors.
    pub name: String,
}

impl Coupling {
    /// Of nothing yet.
    pub fn new() -> Self {
        Coupling::default()
    }

    /// With another freedom, which counts `ratio` (per rad or per m) in the sum.
    pub fn term(mut self, joint: JointId, freedom: Freedom, ratio: f64) -> Self {
        self.terms.push(Term { joint, freedom: Some(freedom), ratio });
        self
    }

    /// The first freedom moves `ratio` times as far as the last: q_first = ratio q_last, for two of them, plus the offset. Without two
    /// freedoms it changes nothing.
    pub fn ratio(mut self, ratio: f64) -> Self {
        if let [first, .., last] = &mut self.terms[..] {
            last.ratio = -ratio * first.ratio;
        }
        self
    }

    /// What the sum stays at, in its unit.
    pub fn offset(mut self, offset: f64) -> Self {
        self.offset = Some(offset);
        self
    }

    /// With give: compliance in units of the sum per N (N m), and damping.
    pub fn soft(mut self, soft: Softness) -> Self {
        self.soft = soft;
        self
    }

    /// With a name.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// q_a = ratio q_b, as it stands.
    fn follows(a: (JointId, Freedom), b: (JointId, Freedom), ratio: f64) -> Self {
        Coupling::new().term(a.0, a.1, 1.0).term(b.0, b.1, -1.0).ratio(ratio)
    }
}

/// Two wheels in mesh. Give the ratio next.
///
/// A wheel of 60 teeth drives a pinion of 20: the pinion turns three times as fast, the other way round.
/// ```
/// use taut::{Body, Gear, Hinge, MassProperties, Motor, Vec3, World};
/// let mut world = World::new();
/// let disc = MassProperties::cylinder(7800.0, 0.02, 0.1)?;
/// let (pinion, wheel) = (world.add(Body::dynamic(disc))?, world.add(Body::dynamic(disc).at(0.4 * Vec3::X))?);
/// let fast = world.add(Hinge::between(pinion, world.ground()).axis(Vec3::Y))?;
/// let slow = world.add(Hinge::between(wheel, world.ground()).axis(Vec3::Y).motor(Motor::rate().speed(0.5)))?;
/// world.add(Gear::between(fast, slow).ratio(-60.0 / 20.0))?;
/// world.step(0.01)?;
/// assert!((world.joint(fast)?.rate()? + 1.5).abs() < 1e-9);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gear {
    a: JointId,
    b: JointId,
}

impl Gear {
    /// Between the wheels of two hinges (or cylindrical joints), [`Freedom::Turn`] of both.
    pub fn between(a: JointId, b: JointId) -> Self {
        Gear { a, b }
    }

    /// q_a = ratio q_b. Angles are those of body i against body j about N of body i: with parallel axes the ratio of wheels that mesh
    /// on their outside is negative, -teeth_b/teeth_a, and that of a wheel in a ring or of two pulleys on a belt is positive.
    pub fn ratio(self, ratio: f64) -> Coupling {
        Coupling::follows((self.a, Freedom::Turn), (self.b, Freedom::Turn), ratio)
    }
}

/// A nut on a screw. Give the pitch next.
///
/// A lead screw with a pitch of 5 mm: one turn in a second lifts the nut by 5 mm.
/// ```
/// use taut::{Body, Cylindrical, Freedom, MassProperties, Motor, Screw, Vec3, World};
/// let mut world = World::new();
/// let nut = world.add(Body::dynamic(MassProperties::cylinder(7800.0, 0.01, 0.02)?))?;
/// let turn = Motor::rate().on(Freedom::Turn).speed(std::f64::consts::TAU);
/// let spindle = world.add(Cylindrical::between(nut, world.ground()).axis(Vec3::Y).motor(turn))?;
/// world.add(Screw::on(spindle).pitch(0.005))?;
/// for _ in 0..100 {
///     world.step(0.01)?;
/// }
/// assert!((world.joint(spindle)?.position_of(Freedom::Slide) - 0.005).abs() < 1e-9);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Screw {
    joint: JointId,
}

impl Screw {
    /// On a cylindrical joint, whose [`Freedom::Slide`] then goes with its [`Freedom::Turn`].
    pub fn on(cylindrical: JointId) -> Self {
        Screw { joint: cylindrical }
    }

    /// The slide, m, of a whole turn: slide = pitch/(2 pi) turn. Positive is a right-handed thread.
    pub fn pitch(self, pitch: f64) -> Coupling {
        Coupling::follows((self.joint, Freedom::Slide), (self.joint, Freedom::Turn), pitch / TAU)
    }
}

/// A wheel on a rack. Give its radius next.
///
/// A steering gear: a pinion of 10 mm radius that turns at 2 rad/s moves the rack at 20 mm/s.
/// ```
/// use taut::{Body, Hinge, MassProperties, Motor, Prismatic, RackAndPinion, Vec3, World};
/// let mut world = World::new();
/// let pinion = world.add(Body::dynamic(MassProperties::cylinder(7800.0, 0.02, 0.01)?))?;
/// let bar = MassProperties::cuboid(7800.0, Vec3::new(0.3, 0.01, 0.01))?;
/// let rack = world.add(Body::dynamic(bar).at(0.02 * Vec3::Z))?;
/// let column = world.add(Hinge::between(pinion, world.ground()).axis(Vec3::Y).motor(Motor::rate().speed(2.0)))?;
/// let guide = world.add(Prismatic::between(rack, world.ground()).axis(Vec3::X))?;
/// world.add(RackAndPinion::between(column, guide).radius(0.01))?;
/// world.step(0.01)?;
/// assert!((world.joint(guide)?.rate()? - 0.02).abs() < 1e-9);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RackAndPinion {
    pinion: JointId,
    rack: JointId,
}

impl RackAndPinion {
    /// Between the [`Freedom::Turn`] of a hinge and the [`Freedom::Slide`] of a prismatic joint.
    pub fn between(pinion_hinge: JointId, rack_prismatic: JointId) -> Self {
        RackAndPinion { pinion: pinion_hinge, rack: rack_prismatic }
    }

    /// slide = radius turn, m; a negative radius is a rack on the other side of the wheel.
    pub fn radius(self, radius: f64) -> Coupling {
        Coupling::follows((self.rack, Freedom::Slide), (self.pinion, Freedom::Turn), radius)
    }
}

/// A joint that follows another one, as robot files have it: q_follower = ratio q_leader + offset.
///
/// A gripper has one drive for two fingers: the right one follows the left one in a mirror.
/// ```
/// use taut::{Body, MassProperties, Mimic, Motor, Prismatic, Vec3, World};
/// let mut world = World::new();
/// let finger = Body::dynamic(MassProperties::cuboid(2000.0, Vec3::new(0.01, 0.04, 0.01))?);
/// let (left, right) = (world.add(finger.clone())?, world.add(finger.at(0.1 * Vec3::X))?);
/// let drive = Motor::rate().speed(0.02);
/// let left = world.add(Prismatic::between(left, world.ground()).axis(Vec3::X).motor(drive))?;
/// let right = world.add(Prismatic::between(right, world.ground()).axis(Vec3::X))?;
/// world.add(Mimic::of(left, right).ratio(-1.0))?;
/// for _ in 0..100 {
///     world.step(0.01)?;
/// }
/// assert!((world.joint(right)?.position()? + 0.02).abs() < 1e-9);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mimic;

impl Mimic {
    /// The follower does what the leader does (ratio 1, offset 0), until [`Coupling::ratio`] and [`Coupling::offset`] say otherwise. Of
    /// each joint it is the only freedom, a turn (rad) or a slide (m).
    pub fn of(leader: JointId, follower: JointId) -> Coupling {
        let term = |joint, ratio| Term { joint, freedom: None, ratio };
        Coupling { terms: vec![term(follower, 1.0), term(leader, -1.0)], offset: Some(0.0), ..Coupling::default() }
    }
}

/// A freedom of a joint in a coupling that is in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct KnownTerm {
    pub joint: JointId,
    pub freedom: Freedom,
    pub ratio: f64,
}

/// A coupling in the world.
#[derive(Clone, Debug)]
pub struct CouplingEntry {
    pub(crate) terms: Vec<KnownTerm>,
    /// What measures each term.
    pub(crate) primitives: Vec<Primitive>,
    pub(crate) offset: f64,
    pub(crate) soft: Softness,
    pub(crate) name: String,
}

impl CouplingEntry {
    /// The sum for positions of its terms.
    pub(crate) fn sum(&self, at: impl IntoIterator<Item = f64>) -> f64 {
        self.terms.iter().zip(at).map(|(t, q)| t.ratio * q).sum()
    }

    /// The bodies of its joints; one may come more than once.
    pub(crate) fn bodies<'a>(&'a self, model: &'a Model) -> impl Iterator<Item = BodyId> + 'a {
        let joints = self.terms.iter().filter_map(|t| model.joints.get(t.joint.0));
        joints.flat_map(|j| [j.i, j.j])
    }
}

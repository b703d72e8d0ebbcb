//! A rope over guides as it has become: where its guides are in the frames of their bodies, and what its spans have, to the last bit.

use crate::error::{Error, Result, finite, finite_vec};
use crate::ids::ColliderId;
use crate::reeve::hold::Hold;
use glam::DVec3;
use std::f64::consts::PI;

/// Where a guide of a rope is in the frame of its body.
///
/// ```
/// use taut::prelude::*;
/// use taut::Sheave;
/// let mut world = World::new();
/// let load = world.add(Body::particle(1.0).at(-Vec3::Y))?;
/// let sheave = Sheave::on(world.ground(), Vec3::Y, Vec3::Z, 0.25);
/// let rope = world.add(Rope::from(world.ground(), Vec3::X).over(sheave).to(load, -Vec3::Y))?;
/// let memory = world.rope(rope)?.memory();
/// assert_eq!(memory.guides[1].centre, Vec3::Y);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GuideMemory {
    /// Its point or centre, m.
    pub centre: DVec3,
    /// Unit vector along the axis of a sheave.
    pub axis: DVec3,
    /// Unit vector across it, where angles are measured from. That of an edge points out of what it is the edge of.
    pub mark: DVec3,
    /// Length of an edge, m; zero for other guides. Its centre is its start then, and its axis its direction.
    pub length: f64,
    /// Angle at which the rope left a drum with layers, or one that can run empty or full, when it was added, rad; zero for other guides.
    pub first: f64,
}

/// How far a direction that was written down may be from a unit vector, and two from square to each other.
const UNIT: f64 = 1e-9;

impl GuideMemory {
    /// Whether it can be where a guide is; errors name its parts so.
    pub(crate) fn check(&self, named: &dyn Fn(&str) -> String) -> Result<()> {
        finite_vec(&named("centre"), self.centre, "m")?;
        for (what, v) in [("axis", self.axis), ("mark", self.mark)] {
            if !((v.length() - 1.0).abs() <= UNIT) {
                return Err(Error::input(named(what), v, "a vector of length 1"));
            }
        }
        if !(self.axis.dot(self.mark).abs() <= UNIT) {
            return Err(Error::input(named("mark"), self.mark, format!("a vector square to the axis {}", self.axis)));
        }
        finite(&named("length"), self.length, "m")?;
        match self.first.abs() <= PI {
            true => Ok(()),
            false => Err(Error::input(named("first angle"), self.first, "half a turn at most, rad")),
        }
    }
}

/// What a rope touches on its way, where that is not simply all that it was given.
///
/// A rope that a peg has bent.
/// ```
/// use taut::prelude::*;
/// use taut::parts::StopMemory;
/// let mut world = World::new();
/// let peg = world.add(Collider::new(Shape::ball(0.1)).at(-Vec3::Y).on(world.ground()))?;
/// let start = Vec3::new(-2.0, -2.0, 0.0);
/// let bob = world.add(Body::particle(1.0).at(start).moving(Vec3::new(9.0, -9.0, 0.0), Vec3::ZERO))?;
/// let rope = world.add(Rope::from(world.ground(), Vec3::ZERO).to(bob, start))?;
/// while world.rope(rope)?.memory().stops.is_empty() {
///     world.step(0.01)?;
/// }
/// let stops = world.rope(rope)?.memory().stops;
/// assert_eq!((stops[0], stops[2]), (StopMemory::Given(0), StopMemory::Given(1)));
/// assert!(matches!(stops[1], StopMemory::Found { collider, .. } if collider == peg));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StopMemory {
    /// A guide that it was given, by its number. Those that a free end has run out of are not counted.
    Given(usize),
    /// The shell of a drum that has run empty, by the number of the drum.
    Shell(usize),
    /// A piece of a collider that it has met.
    Found {
        /// The collider.
        collider: ColliderId,
        /// Which of its edges and round sides.
        feature: u32,
        /// Pitch radius, m; zero for an edge.
        radius: f64,
        /// From its start to its end the rope turns about the axis, else against it.
        about: bool,
        /// How the rope holds to it.
        hold: Hold,
    },
}

/// What a span of a rope has.
///
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let load = world.add(Body::particle(1.0).at(-Vec3::Y))?;
/// let rope = world.add(Rope::from(world.ground(), Vec3::Y).to(load, -Vec3::Y))?;
/// world.step(0.01)?;
/// let span = world.rope(rope)?.memory().spans[0];
/// assert_eq!(span.material, 2.0);
/// assert!((span.tension - 9.81).abs() < 1e-9);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpanMemory {
    /// Material between the marks of its guides, m.
    pub material: f64,
    /// The same in the last step, m.
    pub reach: f64,
    /// N.
    pub tension: f64,
    /// What its segment was stretched by in the last step, m; none where that is not known.
    pub stretch: Option<f64>,
    /// Angles of its tangent points from the marks of its guides, whole turns counted, rad.
    pub angles: [f64; 2],
    /// Energy that the element of the stabiliser had after the last step, J.
    pub energy: f64,
    /// How fast it slipped over the guide before it in the last step, m/s.
    pub slip: f64,
    /// How short it may become, m, and the force that has kept its guides apart in the last step, N.
    pub least: f64,
    /// See `least`.
    pub apart: f64,
}

/// A grip that rides on a sheave.
///
/// ```
/// use taut::prelude::*;
/// use taut::Sheave;
/// let mut world = World::new();
/// let mut wheel = |x: f64| {
///     let rotor = world.add(Body::dynamic(MassProperties::from_diagonal(2.0, Vec3::ONE)?).at(x * Vec3::X))?;
///     world.add(Hinge::between(rotor, world.ground()).at(x * Vec3::X).axis(Vec3::Z))?;
///     Ok::<_, taut::Error>(Sheave::on(rotor, x * Vec3::X, Vec3::Z, 0.5).no_slip())
/// };
/// let (a, b) = (wheel(0.0)?, wheel(5.0)?);
/// let start = Vec3::new(4.5, -0.5, 0.0);
/// let car = world.add(Body::particle(1.0).at(start).moving(Vec3::X, Vec3::ZERO).gravity_scale(0.0))?;
/// let rope = Rope::endless().round(a.about()).grip(car, start).round(b.about());
/// let rope = world.add(rope.stiffness(1e6))?;
/// while world.rope(rope)?.memory().rides.is_empty() {
///     world.step(0.01)?;
/// }
/// // On the way as it is now the grip comes behind the sheave that it rides on.
/// let ride = world.rope(rope)?.memory().rides[0];
/// assert_eq!((ride.wheel, ride.guide), (1, 2));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RideMemory {
    /// Which of the guides it is, and which the sheave, on the way as it is now: a grip that rides comes behind its sheave.
    pub guide: usize,
    /// See `guide`.
    pub wheel: usize,
    /// Its point in the frame of its body, m.
    pub point: DVec3,
    /// Where it is held in the frame of the body of the sheave, m.
    pub at: DVec3,
    /// Angle of its place on the rope from the mark of the sheave, whole turns counted, rad.
    pub angle: f64,
    /// Force that held it in the last step along the axes of the world, N.
    pub force: DVec3,
}

/// What the torsion of a rope has become.
///
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let disk = world.add(Body::dynamic(MassProperties::sphere(1000.0, 0.1)?).at(-Vec3::Y))?;
/// let wire = world.add(Rope::from(world.ground(), Vec3::ZERO).to(disk, -0.9 * Vec3::Y).torsion(2.0))?;
/// world.set_pose(disk, Pose { pos: -Vec3::Y, rot: Quat::from_rotation_y(-0.3) })?;
/// let twist = world.rope(wire)?.memory().twist.unwrap();
/// // It is not twisted at the angle that it was laid with.
/// assert!((world.rope(wire)?.twist() - 0.3).abs() < 1e-12 && twist.angle == twist.rest);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwistMemory {
    /// Angle between the frames of its ends after the last step, whole turns counted, rad.
    pub angle: f64,
    /// The same where it is not twisted, rad.
    pub rest: f64,
    /// N m.
    pub torque: f64,
    /// What it was twisted by in the last step, rad; none where that is not known.
    pub stretch: Option<f64>,
    /// At each end: twist that was wound on the drum, rad, in so much rope, m.
    pub wound: [[f64; 2]; 2],
}

/// All that a rope over guides has become since it was added. A rope that is added again with it goes on as this one. Where grips have passed
/// sheaves since, it is to be added on its way as it is now ([`RopeRef::order`](crate::RopeRef::order)).
///
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let load = world.add(Body::particle(1.0).at(-Vec3::Y))?;
/// let line = Rope::from(world.ground(), Vec3::Y).to(load, -Vec3::Y);
/// let rope = world.add(line.clone())?;
/// world.pay_out(rope, 0.5)?;
/// let memory = world.rope(rope)?.memory();
/// world.remove(rope)?;
/// let again = world.add(line.remembering(memory))?;
/// assert_eq!((world.rope(again)?.length(), world.rope(again)?.paid_out()), (2.5, 0.5));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RopeMemory {
    /// What it touches: its start, its guides, its end; the end of an endless rope is its start. Grips that ride are not among them.
    pub guides: Vec<GuideMemory>,
    /// Its spans.
    pub spans: Vec<SpanMemory>,
    /// Its grips that ride on sheaves.
    pub rides: Vec<RideMemory>,
    /// Its length when it was added, m.
    pub laid: f64,
    /// Its torsion, where it has some and both ends are held.
    pub twist: Option<TwistMemory>,
    /// What each of `guides` is. Empty where the rope touches all that it was given and nothing else, and where none of that is an edge or a drum
    /// with layers; else the rope is to be added with all that it was given ([`RopeRef::leads`](crate::RopeRef::leads)), and rides count those.
    pub stops: Vec<StopMemory>,
    /// All that it was given, where `stops` are told.
    pub given: Vec<GuideMemory>,
}

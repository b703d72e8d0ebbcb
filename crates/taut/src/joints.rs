//! Joints: lists of primitives with compliance and damping per row. One joint per file; `catalogue()` lists them all.

pub(crate) mod armature;
mod axial_lock;
mod ball;
mod builder;
mod cable;
pub(crate) mod chart;
mod cylindrical;
mod distance;
mod flexible_cable;
mod friction;
mod hinge;
mod ligament;
mod limit;
mod motor;
mod planar;
mod point_on_line;
mod prismatic;
mod range;
mod rope;

mod six_dof;
mod speed;
mod translational;
pub(crate) mod turn;
mod universal;
mod weld;
mod wheel;

pub use axial_lock::AxialLock;
pub use ball::Ball;
pub(crate) use builder::{Expanded, JointDef, free};
pub use builder::{Expansion, Joint, Strength, TreeRole};
pub use cable::Cable;
pub use cylindrical::Cylindrical;
pub use distance::Distance;
pub use flexible_cable::FlexibleCable;
pub use friction::Friction;
pub use hinge::Hinge;
pub use ligament::Ligament;
pub use limit::Limit;
pub use motor::{Command, Drive, Freedom, Motor};
pub use planar::Planar;
pub use point_on_line::PointOnLine;
pub use prismatic::Prismatic;
pub use range::Range;
pub use rope::Rope;

pub use six_dof::{Locks, SixDof};
pub use speed::SpeedLimit;
pub use translational::Translational;
pub use universal::Universal;
pub use weld::{ForceTorque, Weld};
pub use wheel::Wheel;

use crate::constraint::Primitive;
use crate::error::{Error, Result, positive};
use crate::math::pose::Frames;
use crate::solve::block_ldlt::MAX_DIM;
pub use chart::Chart;
use glam::DVec3;
use std::sync::Arc;
pub(crate) use turn::Turn;

/// How a row gives way: C lambda = -phi with damping B, in SI units of the row.
///
/// A generator of 50 kg on a rubber mount of 49.05 kN/m sits 10 mm lower than on a rigid one.
/// ```
/// use taut::prelude::*;
/// let rubber = Softness::spring(49_050.0, 3e3);
/// assert!(!rubber.is_rigid() && Softness::RIGID.is_rigid());
/// let mut world = World::new();
/// let set = world.add(Body::dynamic(MassProperties::cuboid(1000.0, Vec3::splat(0.2))?.with_mass(50.0)?))?;
/// let mount = world.add(Weld::between(set, world.ground()).linear(rubber))?;
/// for _ in 0..200 {
///     world.step(0.01)?;
/// }
/// assert!((world.joint(mount)?.gap() - 0.01).abs() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Softness {
    /// Compliance C, m/N for rows along a line, rad/(N m) for rows about an axis. Zero is rigid, infinite is no spring.
    pub compliance: f64,
    /// Damping B, N s/m or N m s/rad. It has no effect on a rigid row.
    pub damping: f64,
}

impl Softness {
    /// No give at all.
    pub const RIGID: Softness = Softness { compliance: 0.0, damping: 0.0 };

    /// Compliance without damping.
    pub fn compliance(compliance: f64) -> Self {
        Softness { compliance, damping: 0.0 }
    }

    /// A spring of the given stiffness (N/m or N m/rad) and damping (N s/m or N m s/rad).
    pub fn spring(stiffness: f64, damping: f64) -> Self {
        Softness { compliance: 1.0 / stiffness, damping }
    }

    /// The same with the compliance multiplied and the damping divided by a factor.
    pub fn softer(self, factor: f64) -> Self {
        Softness { compliance: self.compliance * factor, damping: self.damping / factor }
    }

    /// Whether there is no give at all.
    pub fn is_rigid(&self) -> bool {
        self.compliance == 0.0
    }

    /// Refuses negative numbers, NaN, and rows that would do nothing. Minus zero is negative too: it is the compliance of a stiffness
    /// of minus infinity.
    pub fn validate(&self, name: &str) -> Result<()> {
        if !(self.compliance >= 0.0) || self.compliance.is_sign_negative() {
            return Err(Error::input(
                format!("{name} compliance"),
                self.compliance,
                "zero (rigid) or a positive number, in m/N or rad/(N m)",
            ));
        }
        if !(self.damping >= 0.0 && self.damping.is_finite()) {
            return Err(Error::input(
                format!("{name} damping"),
                self.damping,
                "zero or a positive, finite number, in N s/m or N m s/rad",
            ));
        }
        if self.compliance.is_infinite() && self.damping == 0.0 {
            return Err(Error::input(
                format!("{name} compliance"),
                self.compliance,
                "a finite compliance, or some damping with it",
            ));
        }
        Ok(())
    }
}

impl Default for Softness {
    fn default() -> Self {
        Softness::RIGID
    }
}

/// An axis of a joint frame.
///
/// The frame of a joint has N along `.axis` and U along `.across`: here a stage that travels along U.
/// ```
/// use taut::{Axis, Body, Freedom, Locks, MassProperties, SixDof, Vec3, World};
/// let mut world = World::new();
/// let plate = MassProperties::cuboid(1000.0, Vec3::new(0.2, 0.01, 0.2))?;
/// let stage = world.add(Body::dynamic(plate).moving(0.3 * Vec3::Z, Vec3::ZERO))?;
/// let locks = Locks { linear: [false, true, true], angular: [true; 3] };
/// let guide = world.add(SixDof::between(stage, world.ground(), locks).axis(Vec3::Y).across(Vec3::Z))?;
/// world.step(0.1)?;
/// assert!((world.joint(guide)?.position_of(Freedom::Shift(Axis::U)) - 0.03).abs() < 1e-9);
/// assert!(world.joint(guide)?.position_of(Freedom::Shift(Axis::N)).abs() < 1e-9);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// First axis across the main one.
    U,
    /// Second axis across the main one.
    V,
    /// The main axis.
    N,
}

impl Axis {
    /// The one after it: U, V, N, U.
    fn next(self) -> Axis {
        match self {
            Axis::U => Axis::V,
            Axis::V => Axis::N,
            Axis::N => Axis::U,
        }
    }
}

/// A primitive with its law.
///
/// A point takes three rows and a distance one, so the distance begins at row 3.
/// ```
/// use taut::Vec3;
/// use taut::{Softness, constraint::Primitive, joints::{RowSpec, row_starts}};
/// let row = |primitive| RowSpec { primitive, soft: Softness::RIGID, motor: None, ordinal: 0, armature: 0.0 };
/// let (si, sj) = (Vec3::ZERO, Vec3::X);
/// let rows = [row(Primitive::Point { si, sj }), row(Primitive::Distance { si, sj, length: 1.0 })];
/// assert_eq!(row_starts(&rows).map(|(start, _)| start).collect::<Vec<_>>(), [0, 3]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RowSpec {
    /// What it measures.
    pub primitive: Primitive,
    /// How it gives way.
    pub soft: Softness,
    /// Driven by a motor: what it measures is told, not zero.
    pub motor: Option<Freedom>,
    /// Which motor of the joint it is.
    pub ordinal: usize,
    /// Armature of the joint that feels the rate of this row, kg or kg m^2 ([`Joint::armature`]); zero for all other rows.
    pub armature: f64,
}

impl RowSpec {
    /// Whether the joint holds something with it: it is no motor's, and no armature's.
    pub fn holds(&self) -> bool {
        self.motor.is_none() && self.armature == 0.0
    }
}

/// What bounds the force of a row (see `bounded`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Bound {
    /// The position stays between two values, either of which may be infinite.
    Limit { lower: f64, upper: f64, soft: Softness, restitution: f64 },
    /// A motor that pushes with `min` to `max`, N or N m.
    Motor { law: Softness, min: f64, max: f64 },
    /// The rate stays between two values, either of which may be infinite.
    Speed { lower: f64, upper: f64 },
    /// Dry friction: `max` (N or N m), and `per_load` times the force that the joint carries.
    Friction { max: f64, per_load: f64 },
}

/// A primitive of one row whose force is bounded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundSpec {
    pub primitive: Primitive,
    pub freedom: Freedom,
    pub bound: Bound,
    /// Which motor of the joint it is.
    pub motor: Option<usize>,
    /// It measures the freedom of the joint whose turns are counted.
    pub counted: bool,
}

impl BoundSpec {
    /// The limit, where it is one.
    pub fn limit(&self) -> Option<Limit> {
        match self.bound {
            Bound::Limit { lower, upper, soft, restitution } => {
                Some(Limit { freedom: Some(self.freedom), lower, upper, soft, restitution })
            }
            _ => None,
        }
    }

    /// How long it can be, m, where it is a rope that does not stretch.
    pub fn reach(&self) -> Option<f64> {
        let limit = self.limit().filter(|l| self.freedom == Freedom::Length && l.soft.compliance == 0.0)?;
        (limit.lower < limit.upper && limit.upper.is_finite()).then_some(limit.upper)
    }

    /// The bound of speed, where it is one.
    pub fn speed(&self) -> Option<SpeedLimit> {
        match self.bound {
            Bound::Speed { lower, upper } => Some(SpeedLimit { freedom: Some(self.freedom), lower, upper }),
            _ => None,
        }
    }

    /// The friction, where it is one.
    pub fn friction(&self) -> Option<Friction> {
        match self.bound {
            Bound::Friction { max, per_load } => Some(Friction { freedom: Some(self.freedom), max, per_load }),
            _ => None,
        }
    }
}

/// The rows of a joint: those of its block, and those with bounds.
#[derive(Clone, Debug)]
pub(crate) struct JointRows {
    pub rows: Vec<RowSpec>,
    pub bounds: Vec<BoundSpec>,
    /// The freedom whose turns are counted.
    pub turn: Option<Turn>,
}

/// Most bounded rows of one joint.
const MAX_BOUNDS: usize = 32;

/// Most rows of one joint in the state.
pub(crate) const MOST_ROWS: usize = MAX_DIM + MAX_BOUNDS;

/// Collects the primitives of a joint, in the joint's frames.
///
/// The rows of a hinge: a point and two right angles, five rows.
/// ```
/// use taut::{Axis, Frame, Frames, Softness, Vec3, joints::RowBuilder};
/// let pin = Frame::new(Vec3::ZERO, Vec3::Z)?;
/// let mut rows = RowBuilder::new(Frames { i: pin, j: pin });
/// rows.point(Softness::RIGID);
/// rows.dot1(Axis::N, Axis::U, Softness::RIGID);
/// rows.dot1(Axis::N, Axis::V, Softness::RIGID);
/// assert_eq!(rows.primitives().iter().map(|p| p.rows()).sum::<usize>(), 5);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Debug)]
pub struct RowBuilder {
    frames: Frames,
    specs: Vec<RowSpec>,
    bounds: Vec<BoundSpec>,
    motors: usize,
    /// How far the origins are from each other at the start, m.
    apart: f64,
    /// What measures the freedom whose turns are counted.
    turn: Option<Turn>,
    /// The length that was asked for, m, and whether the kind has one.
    length: Option<f64>,
    has_length: std::cell::Cell<bool>,
}

impl RowBuilder {
    /// For a joint with the given frames.
    pub fn new(frames: Frames) -> Self {
        RowBuilder::spanning(frames, 0.0, None)
    }

    /// The same, with origins that are `apart` m from each other, and the length that was asked for.
    pub(crate) fn spanning(frames: Frames, apart: f64, length: Option<f64>) -> Self {
        let (specs, bounds) = (Vec::new(), Vec::new());
        RowBuilder { frames, specs, bounds, motors: 0, apart, turn: None, length, has_length: false.into() }
    }

    /// The same with a freedom whose turns are counted.
    pub(crate) fn turning(self, turn: Option<Turn>) -> Self {
        RowBuilder { turn, ..self }
    }

    /// The length of a rod or rope, m: what was asked for, or the kind's own, or the distance of its ends at the start.
    pub fn length(&self, own: Option<f64>) -> f64 {
        self.has_length.set(true);
        self.length.or(own).unwrap_or(self.apart)
    }

    /// Whether the kind has asked for its length.
    pub(crate) fn has_length(&self) -> bool {
        self.has_length.get()
    }

    /// Gives all rows so far another law: those of the block, and the stops of ropes.
    pub(crate) fn soften(&mut self, linear: Option<Softness>, angular: Option<Softness>) {
        for s in &mut self.specs {
            if let Some(soft) = if s.primitive.is_angular() { angular } else { linear } {
                s.soft = soft;
            }
        }
        for b in &mut self.bounds {
            if let (Bound::Limit { soft, .. }, Some(given)) = (&mut b.bound, linear) {
                *soft = given;
            }
        }
    }

    /// Exchanges the range and the law of a limit that the kind has brought along.
    pub(crate) fn replace_limit(&mut self, k: usize, limit: &Limit) {
        let Limit { lower, upper, soft, restitution, .. } = *limit;
        if let Some(b) = self.bounds.get_mut(k) {
            b.bound = Bound::Limit { lower, upper, soft, restitution };
        }
    }

    fn push(&mut self, primitive: Primitive, soft: Softness) {
        self.specs.push(RowSpec { primitive, soft, motor: None, ordinal: 0, armature: 0.0 });
    }

    /// A primitive with points and directions of its own, in the coordinates of the bodies: 1 row, a point 3.
    pub fn primitive(&mut self, primitive: Primitive, soft: Softness) {
        self.push(primitive, soft);
    }

    /// The two origins coincide: 3 rows.
    pub fn point(&mut self, soft: Softness) {
        let (si, sj) = (self.frames.i.origin, self.frames.j.origin);
        self.push(Primitive::Point { si, sj }, soft);
    }

    /// No rotation about N of body i: 1 row.
    pub fn axial(&mut self, soft: Softness) {
        let (n, ui, uj, nj) = (self.frames.i.n, self.frames.i.u, self.frames.j.u, self.frames.j.n);
        self.push(Primitive::Lock { n, ui, uj, nj }, soft);
    }

    /// Axis `a` of body i stays at right angles to axis `b` of body j: 1 row.
    pub fn dot1(&mut self, a: Axis, b: Axis, soft: Softness) {
        let (a, b) = (self.axis_i(a), self.axis_j(b));
        self.push(Primitive::Dot1 { a, b }, soft);
    }

    /// The origins do not part along axis `u` of body i: 1 row.
    pub fn dot2(&mut self, u: Axis, soft: Softness) {
        let (si, sj, u) = (self.frames.i.origin, self.frames.j.origin, self.axis_i(u));
        self.push(Primitive::Dot2 { si, sj, u }, soft);
    }

    /// The origins do not part along axis `u` of body j: 1 row.
    pub fn slot(&mut self, u: Axis, soft: Softness) {
        let (si, sj, u) = (self.frames.i.origin, self.frames.j.origin, self.axis_j(u));
        self.push(Primitive::Slot { si, sj, u }, soft);
    }

    /// No turn of body i against body j about an axis of body i: 1 row.
    pub fn lock(&mut self, axis: Axis, soft: Softness) {
        let (b, i, j) = (axis.next(), &self.frames.i, &self.frames.j);
        let (n, ui, uj, nj) = (pick(i, axis), pick(i, b), pick(j, b), pick(j, axis));
        self.push(Primitive::Lock { n, ui, uj, nj }, soft);
    }

    /// The origins stay `length` apart: 1 row.
    pub fn distance(&mut self, length: f64, soft: Softness) {
        let (si, sj) = (self.frames.i.origin, self.frames.j.origin);
        self.push(Primitive::Distance { si, sj, length }, soft);
    }

    /// A position of the joint stays between two values: 1 row with bounds. Without a freedom it is the length.
    pub fn limit(&mut self, limit: &Limit) {
        let Limit { lower, upper, soft, restitution, .. } = *limit;
        self.bound(limit.freedom.unwrap_or(Freedom::Length), Bound::Limit { lower, upper, soft, restitution });
    }

    /// Dry friction on a freedom: 1 row with bounds.
    pub(crate) fn friction(&mut self, friction: &Friction, freedom: Freedom) {
        self.bound(freedom, Bound::Friction { max: friction.max, per_load: friction.per_load });
    }

    /// A bound of the speed of a freedom: 1 row with bounds.
    pub(crate) fn speed(&mut self, speed: &SpeedLimit, freedom: Freedom) {
        self.bound(freedom, Bound::Speed { lower: speed.lower, upper: speed.upper });
    }

    fn bound(&mut self, freedom: Freedom, bound: Bound) {
        let primitive = self.measure(freedom);
        let counted = self.turn.is_some_and(|t| t.primitive == primitive);
        self.bounds.push(BoundSpec { primitive, freedom, bound, motor: None, counted });
    }

    /// A motor on a freedom: 1 row, with bounds when its force has one.
    pub(crate) fn motor(&mut self, motor: &Motor, freedom: Freedom) {
        let (law, ordinal) = (motor.law(), self.motors);
        self.motors += 1;
        if motor.is_bounded() {
            self.bound(freedom, Bound::Motor { law, min: motor.min_force, max: motor.max_force });
            if let Some(b) = self.bounds.last_mut() {
                b.motor = Some(ordinal);
            }
        } else {
            let primitive = self.measure(freedom);
            self.specs.push(RowSpec { primitive, soft: law, motor: Some(freedom), ordinal, armature: 0.0 });
        }
    }

    /// The armature of a joint: one row for each rate that feels it.
    pub(crate) fn armature(&mut self, armature: f64, kind: &dyn JointKind) -> Result<()> {
        // A suspension that is rigid leaves no rate.
        let held: Vec<Primitive> = self.specs.iter().filter(|s| s.soft.is_rigid()).map(|s| s.primitive).collect();
        for primitive in armature::rates(&self.frames, kind)?.into_iter().filter(|p| !held.contains(p)) {
            self.specs.push(RowSpec { primitive, soft: armature::SOFT, motor: None, ordinal: 0, armature });
        }
        Ok(())
    }

    /// What measures a freedom.
    pub(crate) fn measure(&self, freedom: Freedom) -> Primitive {
        measure(&self.frames, freedom)
    }

    fn axis_i(&self, a: Axis) -> DVec3 {
        pick(&self.frames.i, a)
    }

    fn axis_j(&self, a: Axis) -> DVec3 {
        pick(&self.frames.j, a)
    }

    /// The primitives collected so far: those of the block, then those with bounds.
    pub fn primitives(&self) -> Vec<Primitive> {
        self.specs.iter().map(|s| s.primitive).chain(self.bounds.iter().map(|b| b.primitive)).collect()
    }

    /// Checks and hands over the rows.
    pub(crate) fn finish(self, kind: &dyn JointKind) -> Result<JointRows> {
        self.specs.iter().try_for_each(|s| s.primitive.validate())?;
        self.check_lengths(kind.name())?;
        let rows: usize = self.specs.iter().map(|s| s.primitive.rows()).sum();
        // A kind that has freedoms and holds none of them is there to be read, limited and driven.
        let nothing = rows == 0 && self.bounds.is_empty() && kind.freedoms().is_empty();
        if nothing || rows > MAX_DIM {
            return Err(Error::input("joint rows", rows, format!("1 to {MAX_DIM} rows in one joint")));
        }
        let points = self.specs.iter().filter(|s| matches!(s.primitive, Primitive::Point { .. })).count();
        if points > 1 {
            return Err(Error::input("points of a joint", points, "at most one; join the bodies with several joints"));
        }
        let rows = self.specs.iter().filter(|s| s.holds()).map(|s| s.soft);
        let stops = self.bounds.iter().filter_map(BoundSpec::limit).map(|l| l.soft);
        rows.chain(stops).try_for_each(|soft| soft.validate("joint"))?;
        if self.bounds.len() > MAX_BOUNDS {
            let given = self.bounds.len();
            return Err(Error::input("bounded rows of a joint", given, format!("at most {MAX_BOUNDS}")));
        }
        self.check_turns()?;
        Ok(JointRows { rows: self.specs, bounds: self.bounds, turn: self.turn })
    }

    /// Refuses wide limits on angles whose turns are not counted.
    fn check_turns(&self) -> Result<()> {
        let known = |b: &&BoundSpec| b.freedom.turns() && !b.counted;
        for b in self.bounds.iter().filter(known) {
            if let Bound::Limit { lower, upper, .. } = b.bound {
                limit::within_a_turn(lower, upper)?;
            }
        }
        Ok(())
    }

    /// Refuses rods and ropes without a length.
    fn check_lengths(&self, kind: &str) -> Result<()> {
        let rods = self.specs.iter().filter(|s| s.holds()).filter_map(|s| match s.primitive {
            Primitive::Distance { length, .. } => Some(length),
            _ => None,
        });
        let ropes = self.bounds.iter().filter_map(|b| match b.bound {
            Bound::Limit { upper, .. } if b.freedom == Freedom::Length && upper.is_finite() => Some(upper),
            _ => None,
        });
        for length in rods.chain(ropes) {
            positive(&format!("{kind} length"), length, "m")?;
        }
        Ok(())
    }
}

/// What measures a freedom of a joint with these frames.
pub(crate) fn measure(frames: &Frames, freedom: Freedom) -> Primitive {
    let (i, j) = (&frames.i, &frames.j);
    let (si, sj) = (i.origin, j.origin);
    match freedom {
        Freedom::Turn => Primitive::Axial { n: i.n, ui: i.u, uj: j.u, nj: j.n },
        Freedom::About(a) => {
            let b = a.next();
            Primitive::Axial { n: pick(i, a), ui: pick(i, b), uj: pick(j, b), nj: pick(j, a) }
        }
        // The axle lies along N of the wheel and U of the chassis, whose N is U of the wheel at the start.
        Freedom::Spin => Primitive::Axial { n: i.n, ui: i.u, uj: j.n, nj: j.u },
        Freedom::Twist => Primitive::Twist { n: i.n, ui: i.u, uj: j.u, nj: j.n },
        Freedom::Slide => Primitive::Dot2 { si, sj, u: i.n },
        Freedom::Shift(a) => Primitive::Dot2 { si, sj, u: pick(i, a) },
        Freedom::Rise => Primitive::Slot { si, sj, u: j.n },
        Freedom::Lean(a, b) => Primitive::Dot1 { a: pick(i, a), b: pick(j, b) },
        Freedom::Swing => Primitive::Dot1 { a: i.n, b: j.n },
        Freedom::Length => Primitive::Distance { si, sj, length: 0.0 },
    }
}

pub(crate) fn pick(f: &crate::math::pose::Frame, a: Axis) -> DVec3 {
    match a {
        Axis::U => f.u,
        Axis::V => f.v,
        Axis::N => f.n,
    }
}

/// A kind of joint: which rows it has between its two bodies. Implement it to add one of your own ([`Joint::of`]).
///
/// A kind with one row: a point of body j stays in a plane of body i, like the foot of a stage on a smooth table.
/// ```
/// use taut::joints::RowBuilder;
/// use taut::{Axis, Body, Joint, Softness, Vec3, World, joints::JointKind};
///
/// #[derive(Debug)]
/// struct OnPlane;
///
/// impl JointKind for OnPlane {
///     fn name(&self) -> &'static str {
///         "on-plane"
///     }
///     fn rows(&self, r: &mut RowBuilder) {
///         r.dot2(Axis::N, Softness::RIGID);
///     }
/// }
///
/// let mut world = World::new();
/// let foot = world.add(Body::particle(4.0).moving(Vec3::X, Vec3::ZERO))?;
/// let table = world.add(Joint::of(OnPlane, world.ground(), foot).at(Vec3::ZERO).axis(Vec3::Y))?;
/// world.step(0.1)?;
/// assert!((world.body(foot)?.position() - 0.1 * Vec3::X).length() < 1e-9);
/// assert!((world.joint(table)?.force().y + 4.0 * 9.81).abs() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
pub trait JointKind: std::any::Any + std::fmt::Debug + Send + Sync {
    /// Short name for reports.
    fn name(&self) -> &'static str;
    /// The rows.
    fn rows(&self, r: &mut RowBuilder);
    /// What it leaves free, when its rows are rigid and keep exactly everything else: then reduced coordinates can replace the rows.
    /// Motors, limits and friction do not count.
    fn chart(&self) -> Option<Chart> {
        None
    }
    /// What can be limited, driven and read of it, in order. Where there is one, limits, motors and friction need not say which.
    fn freedoms(&self) -> &[Freedom] {
        &[]
    }
    /// Whether it cannot do without an axis.
    fn has_axis(&self) -> bool {
        true
    }
    /// What [`Joint::across`] must say of it, where it cannot do without: "along the axle".
    fn needs_across(&self) -> Option<&'static str> {
        None
    }
    /// Whether it goes from a point to another one, like a rod or a rope.
    fn spans(&self) -> bool {
        false
    }
    /// Its frames from the same frame seen from both bodies, where those differ.
    fn turned(&self, frames: Frames) -> Frames {
        frames
    }
    /// Checks the joint's own parameters beyond those of its rows.
    fn validate(&self) -> Result<()> {
        Ok(())
    }
}

/// Every joint with rigid rows (soft ones with unit compliance): for tests and documentation.
pub fn catalogue() -> Vec<Box<dyn JointKind>> {
    let soft = Softness::compliance(1.0);
    vec![
        Box::new(Ball::default()),
        Box::new(Universal::default()),
        Box::new(Hinge::default()),
        Box::new(Prismatic::default()),
        Box::new(Cylindrical::default()),
        Box::new(Planar::default()),
        Box::new(Weld::default()),
        Box::new(AxialLock::default()),
        Box::new(Distance::new(1.0)),
        Box::new(Cable { axial: Softness::RIGID, bending: soft, torsion: soft }),
        Box::new(FlexibleCable { axial: soft, shear: soft, bending: soft, torsion: soft }),
        Box::new(Translational::default()),
        Box::new(PointOnLine::default()),
        Box::new(Wheel::default()),
        Box::new(SixDof::new(Locks { linear: [true, false, true], angular: [false, true, false] })),
        Box::new(SixDof::new(Locks { linear: [false; 3], angular: [true, false, true] })),
        Box::new(SixDof::new(Locks::PLANE_XY)),
    ]
}

/// Local first row of each primitive.
pub fn row_starts(rows: &[RowSpec]) -> impl Iterator<Item = (usize, &RowSpec)> {
    rows.iter().scan(0, |at, s| {
        let r = *at;
        *at += s.primitive.rows();
        Some((r, s))
    })
}

/// A kind behind a pointer is a kind.
macro_rules! behind {
    ($pointer:ident) => {
        impl<T: JointKind + ?Sized> JointKind for $pointer<T> {
            fn name(&self) -> &'static str {
                (**self).name()
            }
            fn rows(&self, r: &mut RowBuilder) {
                (**self).rows(r);
            }
            fn chart(&self) -> Option<Chart> {
                (**self).chart()
            }
            fn freedoms(&self) -> &[Freedom] {
                (**self).freedoms()
            }
            fn has_axis(&self) -> bool {
                (**self).has_axis()
            }
            fn needs_across(&self) -> Option<&'static str> {
                (**self).needs_across()
            }
            fn spans(&self) -> bool {
                (**self).spans()
            }
            fn turned(&self, frames: Frames) -> Frames {
                (**self).turned(frames)
            }
            fn validate(&self) -> Result<()> {
                (**self).validate()
            }
        }
    };
}
behind!(Box);
behind!(Arc);

//! Joints: lists of primitives with compliance and damping per row. One joint per file; `catalogue()` lists them all.

mod axial_lock;
mod ball;
mod cable;
pub(crate) mod chart;
mod cylindrical;
mod distance;
mod flexible_cable;
mod hinge;
mod ligament;
mod limit;
mod motor;
mod planar;
mod point_on_line;
mod prismatic;
mod rope;
mod rubbing;
mod translational;
mod universal;
mod weld;

pub use axial_lock::AxialLock;
pub use ball::Ball;
pub use cable::Cable;
pub use cylindrical::Cylindrical;
pub use distance::Distance;
pub use flexible_cable::FlexibleCable;
pub use hinge::Hinge;
pub use ligament::Ligament;
pub use limit::{Limit, Limited};
pub use motor::{Command, Drive, Driven, Freedom, Motor};
pub use planar::Planar;
pub use point_on_line::PointOnLine;
pub use prismatic::Prismatic;
pub use rope::Rope;
pub use rubbing::{Friction, Rubbing};
pub use translational::Translational;
pub use universal::Universal;
pub use weld::Weld;

use crate::constraint::Primitive;
use crate::error::{Error, Result};
use crate::math::pose::Frames;
use crate::solve::block_ldlt::MAX_DIM;
pub use chart::Chart;
use glam::DVec3;

/// How a row gives way: C lambda = -phi with damping B, in SI units of the row.
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

    /// Refuses negative numbers, NaN, and rows that would do nothing.
    pub fn validate(&self, name: &str) -> Result<()> {
        if !(self.compliance >= 0.0) {
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// First axis across the main one.
    U,
    /// Second axis across the main one.
    V,
    /// The main axis.
    N,
}

/// A primitive with its law.
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
}

/// What bounds the force of a row (see `bounded`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Bound {
    /// The position stays between two values, either of which may be infinite.
    Limit { lower: f64, upper: f64, soft: Softness, restitution: f64 },
    /// A motor that pushes with `max` at most, N or N m.
    Motor { law: Softness, max: f64 },
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
}

/// The rows of a joint: those of its block, and those with bounds.
#[derive(Clone, Debug)]
pub(crate) struct JointRows {
    pub rows: Vec<RowSpec>,
    pub bounds: Vec<BoundSpec>,
}

/// Most bounded rows of one joint.
const MAX_BOUNDS: usize = 32;

/// Collects the primitives of a joint, in the joint's frames.
#[derive(Debug)]
pub struct RowBuilder {
    frames: Frames,
    specs: Vec<RowSpec>,
    bounds: Vec<BoundSpec>,
    motors: usize,
}

impl RowBuilder {
    /// For a joint with the given frames.
    pub fn new(frames: Frames) -> Self {
        RowBuilder { frames, specs: Vec::new(), bounds: Vec::new(), motors: 0 }
    }

    fn push(&mut self, primitive: Primitive, soft: Softness) {
        self.specs.push(RowSpec { primitive, soft, motor: None, ordinal: 0 });
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

    /// The origins stay `length` apart: 1 row.
    pub fn distance(&mut self, length: f64, soft: Softness) {
        let (si, sj) = (self.frames.i.origin, self.frames.j.origin);
        self.push(Primitive::Distance { si, sj, length }, soft);
    }

    /// A position of the joint stays between two values: 1 row with bounds.
    pub fn limit(&mut self, limit: &Limit) {
        let bound =
            Bound::Limit { lower: limit.lower, upper: limit.upper, soft: limit.soft, restitution: limit.restitution };
        self.bound(limit.freedom, bound);
    }

    /// Dry friction on a freedom: 1 row with bounds.
    pub fn friction(&mut self, friction: &Friction) {
        self.bound(friction.freedom, Bound::Friction { max: friction.max, per_load: friction.per_load });
    }

    fn bound(&mut self, freedom: Freedom, bound: Bound) {
        let primitive = self.measure(freedom);
        self.bounds.push(BoundSpec { primitive, freedom, bound, motor: None });
    }

    /// A motor on a freedom: 1 row, with bounds when its force has one.
    fn motor(&mut self, freedom: Freedom, law: Softness, max: f64) {
        let ordinal = self.motors;
        self.motors += 1;
        if max.is_finite() {
            self.bound(freedom, Bound::Motor { law, max });
            if let Some(b) = self.bounds.last_mut() {
                b.motor = Some(ordinal);
            }
        } else {
            let primitive = self.measure(freedom);
            self.specs.push(RowSpec { primitive, soft: law, motor: Some(freedom), ordinal });
        }
    }

    /// What measures a freedom.
    fn measure(&self, freedom: Freedom) -> Primitive {
        let (i, j) = (&self.frames.i, &self.frames.j);
        match freedom {
            Freedom::Turn => Primitive::Axial { n: i.n, ui: i.u, uj: j.u, nj: j.n },
            Freedom::Twist => Primitive::Twist { n: i.n, ui: i.u, uj: j.u, nj: j.n },
            Freedom::Slide => Primitive::Dot2 { si: i.origin, sj: j.origin, u: i.n },
            Freedom::Lean(a, b) => Primitive::Dot1 { a: pick(i, a), b: pick(j, b) },
            Freedom::Swing => Primitive::Dot1 { a: i.n, b: j.n },
            Freedom::Length => Primitive::Distance { si: i.origin, sj: j.origin, length: 0.0 },
        }
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
    pub(crate) fn finish(self) -> Result<JointRows> {
        let rows: usize = self.specs.iter().map(|s| s.primitive.rows()).sum();
        if (rows == 0 && self.bounds.is_empty()) || rows > MAX_DIM {
            return Err(Error::input("joint rows", rows, format!("1 to {MAX_DIM} rows in one joint")));
        }
        let points = self.specs.iter().filter(|s| matches!(s.primitive, Primitive::Point { .. })).count();
        if points > 1 {
            return Err(Error::input("points of a joint", points, "at most one; join the bodies with several joints"));
        }
        for s in self.specs.iter().filter(|s| s.motor.is_none()) {
            s.soft.validate("joint")?;
        }
        if self.bounds.len() > MAX_BOUNDS {
            let given = self.bounds.len();
            return Err(Error::input("bounded rows of a joint", given, format!("at most {MAX_BOUNDS}")));
        }
        Ok(JointRows { rows: self.specs, bounds: self.bounds })
    }
}

fn pick(f: &crate::math::pose::Frame, a: Axis) -> DVec3 {
    match a {
        Axis::U => f.u,
        Axis::V => f.v,
        Axis::N => f.n,
    }
}

/// A joint between two bodies. Implement it to add one of your own.
pub trait Joint {
    /// Short name for reports.
    fn name(&self) -> &'static str;
    /// The rows.
    fn rows(&self, r: &mut RowBuilder);
    /// What it leaves free, when its rows are rigid and keep exactly everything else: then reduced coordinates can replace the rows.
    /// Motors, limits and friction do not count.
    fn chart(&self) -> Option<Chart> {
        None
    }
    /// Checks the joint's own parameters beyond those of its rows.
    fn validate(&self) -> Result<()> {
        Ok(())
    }
}

/// Every joint with rigid rows (soft ones with unit compliance): for tests and documentation.
pub fn catalogue() -> Vec<Box<dyn Joint>> {
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
        Box::new(Distance { length: 1.0, soft: Softness::RIGID }),
        Box::new(Cable { axial: Softness::RIGID, bending: soft, torsion: soft }),
        Box::new(FlexibleCable { axial: soft, shear: soft, bending: soft, torsion: soft }),
        Box::new(Translational::default()),
        Box::new(PointOnLine::default()),
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

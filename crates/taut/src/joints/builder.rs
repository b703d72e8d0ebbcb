//! A joint as it is added to a world: its kind, its bodies, where it sits, and what limits, drives, brakes and breaks it.
//!
//! ```text
//! Hinge::between(door, frame).at(p).axis(y).limit(-1.0, 1.0).motor(servo).friction(0.2).named("door")
//! ```
//! The definition is kept with the joint, so that each part of it can be changed later and the rows be made anew from it.

use super::{
    BoundSpec, Chart, Freedom, Friction, JointKind, JointRows, Limit, Motor, RowBuilder, RowSpec, Softness, SpeedLimit,
    Turn, armature,
};
use crate::error::{Error, Result, positive};
use crate::ids::BodyId;
use crate::math::pose::{Frame, Frames, Pose};
use glam::DVec3;
use std::borrow::Borrow;
use std::sync::Arc;

/// What a joint can carry before it breaks.
///
/// A hook that holds 1000 N breaks under 150 kg, and is gone; the event says what it carried.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let load = world.add(Body::particle(150.0).at(-2.0 * Vec3::Y))?;
/// let hook = world.add(Rope::between(load, world.ground()).strength(Strength::force(1000.0)))?;
/// let events = world.step(0.01)?.events;
/// let broken = |e: &Event| matches!(*e, Event::JointBroken { force, .. } if (force - 1471.5).abs() < 1e-6);
/// assert!(events.iter().any(broken));
/// assert!(world.joint(hook).is_err());
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]

pub struct Strength {
    /// Force, N; infinite for any.
    pub force: f64,
    /// Torque about the joint's origin, N m; infinite for any.
    pub torque: f64,
}

impl Strength {
    /// Breaks at this force, N.
    pub fn force(force: f64) -> Self {
        Strength { force, torque: f64::INFINITY }
    }

    /// Breaks at this torque, N m.
    pub fn torque(torque: f64) -> Self {
        Strength { force: f64::INFINITY, torque }
    }

    /// Refuses what is not positive.
    pub fn validate(&self) -> Result<()> {
        for (name, value, unit) in [("force", self.force, "N"), ("torque", self.torque, "N m")] {
            if !(value > 0.0) {
                let expected = format!("a positive number of {unit}, infinite for any");
                return Err(Error::input(format!("strength {name}"), value, expected));
            }
        }
        Ok(())
    }
}

/// What a joint is to be in reduced coordinates.
///
/// A strut between two hinges closes a loop. The role says which of the two stays a row.
/// ```
/// use taut::{Body, Hinge, MassProperties, TreeRole, Vec3, World};
/// let mut world = World::new();
/// let strut = MassProperties::cuboid(1000.0, Vec3::new(0.5, 0.05, 0.05))?;
/// let strut = world.add(Body::dynamic(strut).at(0.5 * Vec3::X))?;
/// let hinge = |x: f64| Hinge::between(strut, world.ground()).at(x * Vec3::X).axis(Vec3::Z);
/// let (foot, head) = (hinge(0.0).role(TreeRole::Loop), hinge(1.0));
/// let (foot, head) = (world.add(foot)?, world.add(head)?);
/// let forest = world.tree()?;
/// assert_eq!((forest.loops, forest.tree), (vec![foot], vec![head]));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TreeRole {
    /// As the forest turns out.
    #[default]
    Auto,
    /// Coordinates.
    Tree,
    /// Rows.
    Loop,
}

/// Where a joint sits.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    /// Its origin, or its origin on body i, world, m.
    point: Option<DVec3>,
    /// Its origin on body j where that is another point, world, m.
    other: Option<DVec3>,
    /// Main axis, world.
    axis: Option<DVec3>,
    /// Where U points, world.
    across: Option<DVec3>,
    /// All of it, in the coordinates of the bodies.
    frames: Option<Frames>,
}

impl Place {
    /// The frames on the two bodies.
    pub fn frames(&self, kind: &dyn JointKind, i: &Pose, j: &Pose) -> Result<Frames> {
        if let Some(frames) = self.frames {
            if self.point.is_some() || self.axis.is_some() || self.across.is_some() || self.other.is_some() {
                let expected = "either frames, or a point and an axis in the world";
                return Err(Error::input(format!("place of the {} joint", kind.name()), "given twice", expected));
            }
            return Ok(frames);
        }
        let at = self.point.unwrap_or(i.pos);
        let other = self.other.unwrap_or(if kind.spans() { j.pos } else { at });
        for (name, p) in [("joint point", at), ("joint point on the second body", other)] {
            crate::error::finite_vec(name, p, "m")?;
        }
        let world = self.world(kind, at, other)?;
        let local = |p: &Pose, origin: DVec3| {
            let q = p.rot.inverse();
            Frame { origin: p.to_local(origin), u: q * world.u, v: q * world.v, n: q * world.n }
        };
        Ok(kind.turned(Frames { i: local(i, at), j: local(j, other) }))
    }

    /// The axes in the world.
    fn world(&self, kind: &dyn JointKind, at: DVec3, other: DVec3) -> Result<Frame> {
        let axis = match self.axis {
            Some(axis) => axis,
            // From j to i; where the ends meet and no axis matters, any will do.
            None if at != other => at - other,
            None if kind.has_axis() => {
                let expected = "a direction in the world: call .axis(direction)";
                return Err(Error::input(format!("axis of the {} joint", kind.name()), "none", expected));
            }
            None => DVec3::Y,
        };
        let frame = Frame::new(at, axis)?;
        let Some(across) = self.across else {
            let Some(what) = kind.needs_across() else { return Ok(frame) };
            let expected = format!("a direction in the world, {what}: call .across(direction)");
            return Err(Error::input(format!("across of the {} joint", kind.name()), "none", expected));
        };
        let u = (across - across.dot(frame.n) * frame.n).normalize_or_zero();
        if !u.is_finite() || u == DVec3::ZERO {
            let expected = "a finite direction that is not along the axis";
            return Err(Error::input(format!("across of the {} joint", kind.name()), across, expected));
        }
        Ok(Frame { u, v: frame.n.cross(u), ..frame })
    }
}

/// What of a joint can be changed as long as it is in a world.
#[derive(Clone, Debug, Default)]
pub(crate) struct JointDef {
    /// Give of all linear rows of its block, in place of what the kind says.
    pub linear: Option<Softness>,
    /// The same of its angular rows.
    pub angular: Option<Softness>,
    /// Length of a rod or rope, m.
    pub length: Option<f64>,
    /// Limits that the kind brings along, where they were changed.
    pub own: Vec<Option<Limit>>,
    pub limits: Vec<Limit>,
    pub friction: Vec<Friction>,
    pub speeds: Vec<SpeedLimit>,
    pub motors: Vec<Motor>,
    /// Armature, kg or kg m^2; zero for none.
    pub armature: f64,
}

/// What a joint comes to in a world.
///
/// ```
/// use taut::joints::Chart;
/// use taut::{Body, Hinge, Vec3, World};
/// let mut world = World::new();
/// let door = world.add(Body::solid(taut::Shape::ball(0.1), 1000.0)?)?;
/// let joint = Hinge::between(door, world.ground()).axis(Vec3::Y).limit(-1.0, 1.0);
/// let id = world.add(joint.clone())?;
/// let made = joint.expansion(world.joint(id)?.frames(), 0.0)?;
/// // A point and two right angles, one limit; it leaves one turn free.
/// assert_eq!((made.rows.len(), made.limits.len(), made.chart), (3, 1, Some(Chart::Hinge)));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Expansion {
    /// The rows of its block.
    pub rows: Vec<RowSpec>,
    /// Its limits, those of its kind first.
    pub limits: Vec<Limit>,
    /// What it leaves free, where reduced coordinates can replace its rows.
    pub chart: Option<Chart>,
}

/// Rows and chart of a joint.
pub(crate) struct Expanded {
    pub rows: JointRows,
    pub chart: Option<Chart>,
}

impl JointDef {
    /// The rows of a joint at these frames, whose origins are `apart` m from each other.
    pub fn expand(&self, kind: &dyn JointKind, frames: Frames, apart: f64) -> Result<Expanded> {
        kind.validate()?;
        let turn = Turn::of(kind, self, &frames);
        let mut builder = RowBuilder::spanning(frames, apart, self.length).turning(turn);
        kind.rows(&mut builder);
        if let Some(length) = self.length.filter(|_| !builder.has_length()) {
            return Err(Error::input(format!("length of a {} joint", kind.name()), length, "a rod or a rope"));
        }
        if let Some(length) = self.length {
            positive(&format!("{} length", kind.name()), length, "m")?;
        }
        // Also where there is no row that would take it.
        [self.linear, self.angular].into_iter().flatten().try_for_each(|soft| soft.validate("joint"))?;
        builder.soften(self.linear, self.angular);
        for (k, limit) in self.own.iter().enumerate() {
            if let Some(limit) = limit {
                limit.validate(limit.freedom.unwrap_or(Freedom::Length))?;
                builder.replace_limit(k, limit);
            }
        }
        for limit in &self.limits {
            let freedom = free(kind, limit.freedom, "limit")?;
            limit.validate(freedom)?;
            builder.limit(&limit.on(freedom));
        }
        for f in &self.friction {
            let freedom = free(kind, f.freedom, "friction")?;
            f.validate(freedom)?;
            builder.friction(f, freedom);
        }
        for s in &self.speeds {
            let freedom = free(kind, s.freedom, "speed limit")?;
            s.validate(freedom)?;
            builder.speed(s, freedom);
        }
        for m in &self.motors {
            let freedom = free(kind, m.freedom, "motor")?;
            m.validate(freedom)?;
            builder.motor(m, freedom);
        }
        armature::validate(self.armature)?;
        if self.armature > 0.0 {
            builder.armature(self.armature, kind)?;
        }
        let rows = builder.finish(kind)?;
        let rigid = rows.rows.iter().all(|r| !r.holds() || r.soft.is_rigid());
        Ok(Expanded { chart: kind.chart().filter(|_| rigid), rows })
    }
}

/// The freedom that is meant: the one that was named, or the only one that the joint leaves.
pub(crate) fn free(kind: &dyn JointKind, named: Option<Freedom>, what: &str) -> Result<Freedom> {
    if let Some(f) = named {
        return Ok(f);
    }
    match kind.freedoms() {
        [only] => Ok(*only),
        several => {
            let name = format!("freedom of the {what} of a {} joint", kind.name());
            let expected = match several {
                [] => "one by name (.on(Freedom::...)): this joint leaves none of its own".to_owned(),
                _ => format!("one by name (.on(Freedom::...)), such as {several:?}"),
            };
            Err(Error::input(name, "not said", expected))
        }
    }
}

/// A joint to be added to a world ([`World::add`](crate::World::add)).
///
/// Its kind is made by `between`: [`Hinge::between`](crate::Hinge::between), [`Rope::between`](crate::Rope::between), and so on, or by
/// [`Joint::of`] for a kind with numbers of its own. Without a place it sits at the centre of mass of the first body; a rod or rope
/// goes from centre to centre. Points and directions are those of the world at the time it is added, and all that it leaves free is
/// counted from there.
///
/// ```
/// use taut::{Body, Hinge, MassProperties, Motor, Vec3, World};
/// let mut world = World::new();
/// let door = world.add(Body::dynamic(MassProperties::cuboid(500.0, Vec3::new(0.4, 1.0, 0.02))?).at(0.4 * Vec3::X))?;
/// let hinge = world.add(
///     Hinge::between(door, world.ground())
///         .at(Vec3::ZERO)
///         .axis(Vec3::Y)
///         .limit(-1.0, 1.5)
///         .motor(Motor::servo(2000.0, 400.0).target(0.5))
///         .friction(0.2)
///         .named("door"),
/// )?;
/// for _ in 0..300 {
///     world.step(1.0 / 60.0)?;
/// }
/// assert!((world.joint(hinge)?.position()? - 0.5).abs() < 1e-3);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Joint {
    pub(crate) kind: Arc<dyn JointKind>,
    pub(crate) bodies: (BodyId, BodyId),
    pub(crate) place: Place,
    pub(crate) def: JointDef,
    pub(crate) strength: Option<Strength>,
    pub(crate) role: TreeRole,
    pub(crate) turns: i32,
    pub(crate) enabled: bool,
    pub(crate) user_data: u64,
    pub(crate) name: String,
}

impl Joint {
    /// A joint of a kind, of body i to body j. Forces and positions of the joint are those of body i against body j.
    pub fn of(kind: impl JointKind + 'static, i: BodyId, j: BodyId) -> Self {
        Joint {
            kind: Arc::new(kind),
            bodies: (i, j),
            place: Place::default(),
            def: JointDef::default(),
            strength: None,
            role: TreeRole::Auto,
            turns: 0,
            enabled: true,
            user_data: 0,
            name: String::new(),
        }
    }

    /// Its kind.
    pub fn kind(&self) -> &dyn JointKind {
        self.kind.as_ref()
    }

    /// What it comes to at these frames, in the coordinates of the bodies, whose origins are `apart` m from each other.
    pub fn expansion(&self, frames: Frames, apart: f64) -> Result<Expansion> {
        let Expanded { rows: JointRows { rows, bounds, .. }, chart } = self.def.expand(self.kind(), frames, apart)?;
        Ok(Expansion { rows, limits: bounds.iter().filter_map(BoundSpec::limit).collect(), chart })
    }

    /// Where it is, world, m. On a rod or a rope it places the end on the first body alone; the other end goes to the centre of the
    /// second body. [`Joint::ends`] places both.
    pub fn at(mut self, point: DVec3) -> Self {
        self.place.point = Some(point);
        self
    }

    /// Its main axis, world, of any length but zero: the axis of a hinge, the direction of a slide or a cable, the normal of a plane.
    pub fn axis(mut self, direction: DVec3) -> Self {
        self.place.axis = Some(direction);
        self
    }

    /// Where its axis U points, world: needed only where the axes across the main one matter. What of it lies along the main axis is
    /// left out.
    pub fn across(mut self, direction: DVec3) -> Self {
        self.place.across = Some(direction);
        self
    }

    /// Its origins on the first and on the second body, world, m: the ends of a rod or a rope.
    pub fn ends(mut self, on_i: DVec3, on_j: DVec3) -> Self {
        (self.place.point, self.place.other) = (Some(on_i), Some(on_j));
        self
    }

    /// Frames in the coordinates of the two bodies, in place of a point and an axis in the world. Positions are then counted from where the
    /// frames coincide.
    pub fn frames(mut self, frames: Frames) -> Self {
        self.place.frames = Some(frames);
        self
    }

    /// Give of what it holds along lines, m/N, in place of rigid.
    pub fn linear(mut self, soft: Softness) -> Self {
        self.def.linear = Some(soft);
        self
    }

    /// Give of what it holds about axes, rad/(N m), in place of rigid.
    pub fn angular(mut self, soft: Softness) -> Self {
        self.def.angular = Some(soft);
        self
    }

    /// Length of a rod or a rope, m. Without it the distance of its ends when it is added.
    pub fn length(mut self, length: f64) -> Self {
        self.def.length = Some(length);
        self
    }

    /// Rigid stops of what the joint leaves free, m or rad from where it is added.
    pub fn limit(self, lower: f64, upper: f64) -> Self {
        self.stop(Limit::new(lower, upper))
    }

    /// A stop with more to say: soft, bouncing, of one freedom among several.
    pub fn stop(mut self, limit: Limit) -> Self {
        self.def.limits.push(limit);
        self
    }

    /// Several stops.
    pub fn stops(mut self, limits: impl IntoIterator<Item = impl Borrow<Limit>>) -> Self {
        self.def.limits.extend(limits.into_iter().map(|l| *l.borrow()));
        self
    }

    /// A motor.
    pub fn motor(mut self, motor: Motor) -> Self {
        self.def.motors.push(motor);
        self
    }

    /// Several motors.
    pub fn motors(mut self, motors: impl IntoIterator<Item = impl Borrow<Motor>>) -> Self {
        self.def.motors.extend(motors.into_iter().map(|m| m.borrow().clone()));
        self
    }

    /// Springs and dampers on all that the joint leaves free, at rest where it is added: stiffness in N/m or N m/rad, damping in N s/m
    /// or N m s/rad. They are servos that hold zero, beside motors where there are any; their work is booked with that of motors.
    pub fn spring(self, stiffness: f64, damping: f64) -> Self {
        let kind = self.kind.clone();
        kind.freedoms().iter().fold(self, |joint, &f| joint.spring_on(f, stiffness, damping))
    }

    /// The same on one freedom.
    ///
    /// A valve of 2 kg m^2 has a closing spring, and a motor on the same hinge that opens it against 0.5 rad times 40 N m/rad.
    /// ```
    /// use taut::{Body, Freedom, Hinge, MassProperties, Motor, Vec3, World};
    /// let mut world = World::new();
    /// let flap = world.add(Body::dynamic(MassProperties::from_diagonal(5.0, Vec3::splat(2.0))?))?;
    /// let hinge = Hinge::between(flap, world.ground()).axis(Vec3::Y);
    /// let hinge = world.add(hinge.spring_on(Freedom::Turn, 40.0, 1.0).motor(Motor::servo(1e6, 1e5).target(0.5)))?;
    /// for _ in 0..300 {
    ///     world.step(0.01)?;
    /// }
    /// assert!((world.joint(hinge)?.position()? - 0.5).abs() < 1e-4);
    /// assert!((world.motor(hinge)?.effort() - 20.0).abs() < 1e-2);
    /// # Ok::<(), taut::Error>(())
    /// ```
    pub fn spring_on(self, freedom: Freedom, stiffness: f64, damping: f64) -> Self {
        self.motor(Motor { spring: true, ..Motor::servo(stiffness, damping).target(0.0).on(freedom) })
    }

    /// Dry friction: a force (N) or torque (N m) that does not depend on the load, or a [`Friction`].
    pub fn friction(mut self, friction: impl Into<Friction>) -> Self {
        self.def.friction.push(friction.into());
        self
    }

    /// Armature: inertia that the rates of what the joint leaves free feel, and nothing else, kg m^2 for turns and kg for slides. A rotor
    /// of 1e-4 kg m^2 behind a gear of 100 to 1 has one of 1 kg m^2. Joints that turn about several axes have it of their relative
    /// angular velocity. Zero is none.
    ///
    /// A torque of 3 N m on a disc of 2 kg m^2 and a rotor of 1 kg m^2 gives 1 rad/s^2.
    /// ```
    /// use taut::{Body, Hinge, MassProperties, Vec3, World};
    /// let mut world = World::new();
    /// let disc = MassProperties::from_diagonal(8.0, Vec3::new(1.0, 1.0, 2.0))?;
    /// let disc = world.add(Body::dynamic(disc).gravity_scale(0.0))?;
    /// let axle = world.add(Hinge::between(disc, world.ground()).axis(Vec3::Z).armature(1.0))?;
    /// for _ in 0..100 {
    ///     world.apply_effort(axle, &[3.0])?;
    ///     world.step(0.01)?;
    /// }
    /// assert!((world.joint(axle)?.rate()? - 1.0).abs() < 1e-9);
    /// assert!((world.energy()?.kinetic - 1.5).abs() < 1e-9);
    /// # Ok::<(), taut::Error>(())
    /// ```
    pub fn armature(mut self, armature: f64) -> Self {
        self.def.armature = armature;
        self
    }

    /// How fast what it leaves free can go.
    pub fn speed_limit(mut self, limit: SpeedLimit) -> Self {
        self.def.speeds.push(limit);
        self
    }

    /// What it can carry before it breaks.
    pub fn strength(mut self, strength: Strength) -> Self {
        self.strength = Some(strength);
        self
    }

    /// What it is to be when coordinates are reduced.
    pub fn role(mut self, role: TreeRole) -> Self {
        self.role = role;
        self
    }

    /// Whole turns that it has made before it is added, for a freedom that goes round: its position counts from there. Without them the
    /// position is within half a turn of zero, or where that is outside its limits, of their middle.
    pub fn turns(mut self, turns: i32) -> Self {
        self.turns = turns;
        self
    }

    /// Adds it switched off: it holds nothing until [`World::set_joint_enabled`](crate::World::set_joint_enabled).
    pub fn disabled(mut self) -> Self {
        self.enabled = false;
        self
    }

    /// A number of the user's own.
    pub fn user_data(mut self, data: u64) -> Self {
        self.user_data = data;
        self
    }

    /// Names it, for reports, errors and [`World::find_joint`](crate::World::find_joint).
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }
}

//! Looking at joints: views that borrow the world and copy nothing.

use super::World;
use super::body_ref::only;
use crate::bounded;
use crate::constraint::{Primitive, Side};
use crate::error::{Error, Result};
use crate::ids::{BodyId, JointId};
use crate::joints::{
    Bound, BoundSpec, Freedom, Limit, MOST_ROWS, Softness, Strength, TreeRole, Turn, free, measure, row_starts,
};
use crate::math::pose::Frames;
use crate::model::JointEntry;
use glam::DVec3;
use std::ops::Index;

/// Force and torque.
///
/// A post of 40 kg, 2 m high, with 50 N of wind at its top: its foot carries the weight, the wind and 100 N m.
/// ```
/// use taut::{Body, Force, MassProperties, Vec3, Weld, World, Wrench};
/// let mut world = World::new();
/// let timber = MassProperties::cuboid(500.0, Vec3::new(0.1, 1.0, 0.1))?;
/// let post = world.add(Body::dynamic(timber).at(Vec3::Y))?;
/// let foot = world.add(Weld::between(post, world.ground()).at(Vec3::ZERO))?;
/// world.add(Force::Point { body: post, point: Vec3::Y, force: 50.0 * Vec3::X })?;
/// world.step(0.01)?;
/// let Wrench { force, torque } = world.joint(foot)?.reaction();
/// assert!((force - Vec3::new(-50.0, 40.0 * 9.81, 0.0)).length() < 1e-6);
/// assert!((torque - 100.0 * Vec3::Z).length() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrench {
    /// Force, N.
    pub force: DVec3,
    /// Torque, N m.
    pub torque: DVec3,
}

/// A joint of a world, to be read: its reaction, gap and position at the present pose, with the multipliers of the last step. It costs
/// no copy and no allocation; what has to be computed is computed when it is asked for.
///
/// ```
/// use taut::{Body, Hinge, MassProperties, Vec3, World};
/// let mut world = World::new();
/// let arm = world.add(Body::dynamic(MassProperties::cuboid(1000.0, Vec3::new(0.5, 0.05, 0.05))?).at(0.5 * Vec3::X))?;
/// world.add(Hinge::between(arm, world.ground()).at(Vec3::ZERO).axis(Vec3::Z).named("shoulder"))?;
/// for _ in 0..30 {
///     world.step(0.01)?;
/// }
/// let shoulder = world.joint(world.find_joint("shoulder")?)?;
/// println!("{:.3} rad, {:.3} rad/s", shoulder.position()?, shoulder.rate()?);
/// println!("carries {:.1} N, open by {:.1e} m", shoulder.force().length(), shoulder.gap());
/// assert!(shoulder.position()? < 0.0);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct JointRef<'a> {
    id: JointId,
    world: &'a World,
    entry: &'a JointEntry,
}

impl<'a> JointRef<'a> {
    /// Its handle.
    pub fn id(&self) -> JointId {
        self.id
    }

    /// Its name; empty without one.
    pub fn name(&self) -> &'a str {
        &self.entry.name
    }

    /// Kind, such as "hinge".
    pub fn kind(&self) -> &'static str {
        self.entry.kind.name()
    }

    /// The bodies it joins: i and j.
    pub fn bodies(&self) -> (BodyId, BodyId) {
        (self.entry.i, self.entry.j)
    }

    /// Its frames in the coordinates of the two bodies.
    pub fn frames(&self) -> Frames {
        self.entry.frames
    }

    /// What can be limited, driven and read of it.
    pub fn freedoms(&self) -> &'a [Freedom] {
        self.entry.kind.freedoms()
    }

    /// What it can carry before it breaks.
    pub fn strength(&self) -> Option<Strength> {
        self.entry.strength
    }

    /// What it is to be when coordinates are reduced.
    pub fn role(&self) -> TreeRole {
        self.entry.role
    }

    /// Whether it holds anything: it and its bodies are switched on, and one of them moves freely. One that does not carries no force, has
    /// no gap and stores nothing.
    pub fn is_active(&self) -> bool {
        self.world.model.is_active(self.entry)
    }

    /// Whether it is switched on.
    pub fn is_enabled(&self) -> bool {
        self.entry.enabled
    }

    /// The number that the user has given it.
    pub fn user_data(&self) -> u64 {
        self.entry.user_data
    }

    /// Whether some of its rows were ever found redundant.
    pub fn is_redundant(&self) -> bool {
        self.world.state.redundant[self.id.0.slot as usize]
    }

    /// Its origins on the two bodies, world, m.
    pub fn points(&self) -> (DVec3, DVec3) {
        let (i, j) = self.sides();
        (i.pos + i.rot * self.entry.frames.i.origin, j.pos + j.rot * self.entry.frames.j.origin)
    }

    /// Its main axis on body i, world, of length 1.
    pub fn axis(&self) -> DVec3 {
        self.sides().0.rot * self.entry.frames.i.n
    }

    /// Multipliers of its rows, N or N m: those of its block, then those with bounds (limits, bounded motors, friction). All are zero
    /// while it holds nothing ([`JointRef::is_active`]), whatever it goes on with afterwards.
    pub fn lambda(&self) -> &'a [f64] {
        self.world.carried_by(self.entry)
    }

    /// Its limits, that of a rope first.
    pub fn limits(&self) -> impl Iterator<Item = Limit> + use<'a> {
        self.entry.bounds.iter().filter_map(BoundSpec::limit)
    }

    /// Give of its linear and of its angular rows, where it was changed from that of its kind.
    pub fn softness(&self) -> (Option<Softness>, Option<Softness>) {
        (self.entry.def.linear, self.entry.def.angular)
    }

    pub(super) fn entry(&self) -> &'a JointEntry {
        self.entry
    }

    pub(super) fn world(&self) -> &'a World {
        self.world
    }

    fn sides(&self) -> (Side, Side) {
        (self.world.side(self.entry.i), self.world.side(self.entry.j))
    }

    /// Force and torque on body i about the joint's origin on it, world axes: all that the joint does, motors, limits and friction included.
    pub fn reaction(&self) -> Wrench {
        self.carried(true)
    }

    /// The same without its motors: what its bearing carries.
    pub fn bearing(&self) -> Wrench {
        self.carried(false)
    }

    /// What [`JointRef::reaction`] says, in the axes U, V, N of the joint's frame on body i: the reading of a force-torque sensor.
    pub fn wrench(&self) -> Wrench {
        let Wrench { force, torque } = self.reaction();
        let (rot, f) = (self.sides().0.rot, &self.entry.frames.i);
        let local = |v: DVec3| DVec3::new(v.dot(rot * f.u), v.dot(rot * f.v), v.dot(rot * f.n));
        Wrench { force: local(force), torque: local(torque) }
    }

    /// Force on body i, N, world axes.
    pub fn force(&self) -> DVec3 {
        self.reaction().force
    }

    /// Torque on body i about the joint's origin on it, N m, world axes.
    pub fn torque(&self) -> DVec3 {
        self.reaction().torque
    }

    fn carried(&self, motors: bool) -> Wrench {
        let (i, j) = self.sides();
        let lambda = self.lambda();
        let mut sum = Wrench::default();
        let mut add = |l: f64, row: &[f64; 6]| {
            sum.force += l * DVec3::new(row[0], row[1], row[2]);
            sum.torque += l * DVec3::new(row[3], row[4], row[5]);
        };
        for (start, spec) in row_starts(&self.entry.rows).filter(|(_, s)| motors || s.holds()) {
            let e = spec.primitive.eval(&i, &j);
            (0..spec.primitive.rows()).for_each(|q| add(lambda[start + q], &e.ji[q]));
        }
        for (k, b) in self.entry.bounds.iter().enumerate().filter(|(_, b)| motors || b.motor.is_none()) {
            add(lambda[self.entry.row_count + k], &bounded::measure(b, &i, &j).ji);
        }
        sum.torque -= (i.rot * self.entry.frames.i.origin).cross(sum.force);
        sum
    }

    /// Pull of a rod, a rope or a linear drive, N; negative when it pushes. Zero for joints without a row along a line.
    pub fn tension(&self) -> f64 {
        let along = |p: &Primitive| matches!(p, Primitive::Distance { .. });
        let lambda = self.lambda();
        let block = row_starts(&self.entry.rows).filter(|(_, s)| along(&s.primitive)).map(|(r, _)| lambda[r]);
        let bounds = self.entry.bounds.iter().enumerate().filter(|(_, b)| along(&b.primitive));
        // A sum of nothing is minus zero.
        0.0 - block.chain(bounds.map(|(k, _)| lambda[self.entry.row_count + k])).sum::<f64>()
    }

    /// Opening of its linear rows, m; zero while it holds nothing.
    pub fn gap(&self) -> f64 {
        // A sum of nothing is minus zero.
        f64::sqrt(0.0 + self.violations().filter(|(angular, _)| !angular).map(|(_, phi)| phi * phi).sum::<f64>())
    }

    /// Largest violation of its angular rows, rad; zero while it holds nothing.
    pub fn angle(&self) -> f64 {
        self.violations().filter(|(angular, _)| *angular).fold(0.0, |most, (_, phi)| most.max(phi.abs()))
    }

    /// Whether a row of the block measures an angle, and its violation. A motor's position is neither a gap nor a stretch.
    fn violations(&self) -> impl Iterator<Item = (bool, f64)> + use<'a> {
        let ((i, j), active) = (self.sides(), self.is_active());
        self.entry.rows.iter().filter(move |s| active && s.holds()).flat_map(move |s| {
            let phi = s.primitive.phi(&i, &j);
            let angular = s.primitive.is_angular();
            (0..s.primitive.rows()).map(move |q| (angular, phi[q]))
        })
    }

    /// Largest excess over one of its rigid limits, m or rad; zero within all of them, and while it holds nothing.
    pub fn excess(&self) -> f64 {
        if !self.is_active() {
            return 0.0;
        }
        let (i, j) = self.sides();
        let rigid =
            self.entry.limits().filter(|(_, b)| matches!(b.bound, Bound::Limit { soft, .. } if soft.is_rigid()));
        let at = |b: &BoundSpec| self.world.turned(self.id, &b.primitive, bounded::measure(b, &i, &j).q);
        rigid.fold(0.0, |most, (_, b)| most.max(bounded::beyond(b, at(b)).abs()))
    }

    /// Energy stored in its compliance, J; zero while it holds nothing.
    pub fn energy(&self) -> f64 {
        if self.is_active() { self.world.held_by(self.id, self.entry) } else { 0.0 }
    }

    /// Where its only freedom is, m or rad from where it was added: the angle of a hinge, the offset of a slide, the length of a rope. An
    /// error for joints with none or several.
    pub fn position(&self) -> Result<f64> {
        self.only_freedom().map(|f| self.position_of(f))
    }

    /// How fast its only freedom moves, m/s or rad/s.
    pub fn rate(&self) -> Result<f64> {
        self.only_freedom().map(|f| self.rate_of(f))
    }

    fn only_freedom(&self) -> Result<Freedom> {
        free(self.entry.kind.as_ref(), None, "position").map_err(|_| {
            let name = format!("position of {}", self.world.model.joint_name(self.id.0.slot as usize));
            Error::input(
                name,
                "asked for",
                format!("one freedom; ask for one of {:?} with position_of", self.freedoms()),
            )
        })
    }

    /// Where one of its freedoms is, m or rad. What goes round (the turn of a hinge, the spin of a wheel) is counted with its whole turns
    /// from where the joint was added, while the joint takes part in steps.
    pub fn position_of(&self, freedom: Freedom) -> f64 {
        let (i, j) = self.sides();
        let primitive = measure(&self.entry.frames, freedom);
        match self.entry.turn_of(&primitive) {
            Some(turn) => turn.position(&i, &j, self.world.state.turned[self.id.0.slot as usize]),
            None => freedom.position(primitive.phi(&i, &j)[0]),
        }
    }

    /// Whole turns of the freedom that goes round beyond those that a joint has which is added here: see [`Joint::turns`](crate::Joint::turns).
    pub fn turns(&self) -> i32 {
        let ((i, j), at) = (self.sides(), self.world.state.turned[self.id.0.slot as usize]);
        let new = JointEntry { turns: 0, ..self.entry.clone() }.start(&i, &j);
        self.entry.turn.map_or(0, |turn| ((turn.position(&i, &j, at) - new) / std::f64::consts::TAU).round() as i32)
    }

    /// How fast one of its freedoms moves, m/s or rad/s; zero where it has no direction.
    pub fn rate_of(&self, freedom: Freedom) -> f64 {
        let (i, j) = self.sides();
        let e = measure(&self.entry.frames, freedom).eval(&i, &j);
        let speed = |id: BodyId, jac: &[f64; 6]| {
            let b = &self.world.state.bodies[id.0.slot as usize];
            b.vel.to_array().into_iter().chain(b.omega.to_array()).zip(jac).map(|(v, j)| v * j).sum::<f64>()
        };
        let slope = freedom.slope(e.phi[0]);
        let rate = speed(self.entry.i, &e.ji[0]) + speed(self.entry.j, &e.jj[0]);
        if slope != 0.0 && rate.is_finite() { rate / slope } else { 0.0 }
    }

    /// Freedom, position (m, rad) and rate (m/s, rad/s) of all that it leaves free.
    pub fn coordinates(&self) -> impl Iterator<Item = (Freedom, f64, f64)> + use<'a> {
        let view = *self;
        self.freedoms().iter().map(move |&f| (f, view.position_of(f), view.rate_of(f)))
    }
}

/// The multipliers of a joint that holds nothing.
static NOTHING: [f64; MOST_ROWS] = [0.0; MOST_ROWS];

impl World {
    /// The position that a row of a joint measures up to whole turns, with those that are counted.
    pub(super) fn turned(&self, id: JointId, primitive: &Primitive, q: f64) -> f64 {
        let Some(j) = self.model.joints.get(id.0) else { return q };
        let last = self.state.turned[id.0.slot as usize];
        let turns = |turn: Turn| turn.wind(&self.side(j.i), &self.side(j.j), last);
        q + j.turn_of(primitive).map_or(0.0, turns)
    }

    /// Multipliers of a joint, as long as it takes part.
    pub(super) fn carried_by(&self, j: &JointEntry) -> &[f64] {
        let (first, count) = (j.row_start, j.state_rows());
        if self.model.is_active(j) { &self.state.lambda[first..first + count] } else { &NOTHING[..count] }
    }

    /// Looks at a joint.
    pub fn joint(&self, id: JointId) -> Result<JointRef<'_>> {
        let entry = self.model.joint(id)?;
        Ok(JointRef { id, world: self, entry })
    }

    /// The same, of the rows of springs and locks too.
    pub(super) fn any_joint(&self, id: JointId) -> Result<JointRef<'_>> {
        let entry = self.model.joints.get(id.0).ok_or_else(|| self.model.joints.missing("joint", id.0))?;
        Ok(JointRef { id, world: self, entry })
    }

    /// All joints, in a fixed order.
    pub fn joints(&self) -> impl Iterator<Item = JointRef<'_>> {
        let own = self.model.joints.iter().filter(|(_, j)| !j.owned);
        own.map(|(k, entry)| JointRef { id: JointId(k), world: self, entry })
    }

    /// The joint of that name; an error when there is none, or several.
    pub fn find_joint(&self, name: &str) -> Result<JointId> {
        only("joint", name, self.joints().filter(|j| j.name() == name).map(|j| j.id()))
    }
}

impl Index<JointId> for World {
    type Output = [f64];

    /// Multipliers of a joint, N or N m, as [`JointRef::lambda`] has them.
    ///
    /// # Panics
    ///
    /// When the handle names no joint of this world, like an index beyond the end of a list. [`World::joint`] returns an error instead.
    fn index(&self, id: JointId) -> &[f64] {
        let entry = self.model.joints.get(id.0);
        assert!(entry.is_some(), "{id:?} names no joint of this world");
        entry.map_or(&[], |j| self.carried_by(j))
    }
}

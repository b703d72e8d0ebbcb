//! The mechanism at one pose and velocity, in its own freedoms: inverse and forward dynamics, Jacobians, mass matrix,
//! statics.
//!
//! The freedoms are those of the spanning forest (`forest`), q' their rates, and the velocities of the bodies v = J
//! q' (and what roots that the user moves bring):
//! ```text
//! M a + bias = force + applied + G^T lambda,     G a + drift = 0     (rows of joints that are not in the forest, of couplings)
//! ```
//! Nothing here depends on a step: `Dynamics` is a function of the model, the poses, the velocities and the loads
//! that wait. All sweeps are O(n) over the forest, the mass matrix and its factor as sparse as it; only rows of loops
//! are dense.

mod acting;
mod armature;
mod loops;
mod mass;
mod matrix;
pub(crate) mod pushes;
mod rows;
mod statics;

pub use matrix::Matrix;
pub use statics::{Effort, Efforts};

use crate::error::{Error, Result};
use crate::forest::edge::Moving;
use crate::forest::kinematics::Kinematics;
use crate::forest::tree::{NONE, Parent, Tree};
use crate::ids::{BodyId, CouplingId, JointId, Key, missing};
use crate::joints::Chart;
use crate::joints::turn::wind;
use crate::math::pose::Pose;
use crate::math::twist::Twist;
use crate::model::{JointEntry, Model, Motion};
use crate::state::State;
use acting::Acting;
use glam::{DMat3, DVec3};
use mass::Inertia;
use pushes::{Push, label};
use rows::{Closing, Posed};
use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

/// What a freedom or a row is measured in.
///
/// What a freedom is measured in, and what pushes along it.
/// ```
/// use taut::control::Unit;
/// assert_eq!((Unit::Metre.to_string(), Unit::Metre.effort()), ("m".to_owned(), "N"));
/// assert_eq!((Unit::Radian.to_string(), Unit::Radian.effort()), ("rad".to_owned(), "N m"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A length: rates in m/s, accelerations in m/s^2, efforts in N.
    Metre,
    /// An angle: rates in rad/s, accelerations in rad/s^2, efforts in N m.
    Radian,
}

impl Unit {
    fn of(is_angle: bool) -> Self {
        if is_angle { Unit::Radian } else { Unit::Metre }
    }

    /// The unit of a force or torque along it: "N" or "N m".
    pub fn effort(self) -> &'static str {
        match self {
            Unit::Metre => "N",
            Unit::Radian => "N m",
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unit::Metre => "m",
            Unit::Radian => "rad",
        })
    }
}

/// One degree of freedom.
///
/// A trolley with a pendulum has two freedoms: a slide in m and a turn in rad.
/// ```
/// use taut::{Body, Hinge, MassProperties, Prismatic, Vec3, World, control::Unit};
/// let mut world = World::new();
/// let trolley = world.add(Body::dynamic(MassProperties::cuboid(1000.0, Vec3::splat(0.2))?))?;
/// let bob = world.add(Body::dynamic(MassProperties::sphere(1000.0, 0.1)?).at(-Vec3::Y))?;
/// world.add(Prismatic::between(trolley, world.ground()).axis(Vec3::X).named("rail"))?;
/// world.add(Hinge::between(bob, trolley).at(Vec3::ZERO).axis(Vec3::Z).named("pivot"))?;
/// let dynamics = world.dynamics()?;
/// let dofs: Vec<_> = dynamics.dofs().iter().map(|d| (d.name.as_str(), d.unit)).collect();
/// assert_eq!(dofs, [("rail", Unit::Metre), ("pivot", Unit::Radian)]);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Dof {
    /// The joint that it belongs to; none for the freedoms of a body that hangs on nothing.
    pub joint: Option<JointId>,
    /// The body that the joint carries. A rate is always that of the joint's body i against its body j, and an effort
    /// acts on body i.
    pub body: BodyId,
    /// Which freedom of the joint: slides before turns, in the order of the axes U, V, N of body j. Of a free body
    /// the velocity of its centre of mass along x, y, z, then its angular velocity about x, y, z of the world.
    pub index: usize,
    /// What it is measured in.
    pub unit: Unit,
    /// A name for people: that of the joint, such as "shoulder", with the freedom where there are several, such as
    /// "base x".
    pub name: String,
}

/// A row of the joints that are not in the forest, or of a coupling.
///
/// A boom on its foot and a pendant rope: the rope is a row that can only pull.
/// ```
/// # use taut::{Body, Hinge, MassProperties, Rope, Vec3, World};
/// # let mut world = World::new();
/// # let boom = MassProperties::cuboid(1000.0, Vec3::new(0.5, 0.05, 0.05))?;
/// # let boom = world.add(Body::dynamic(boom).at(0.5 * Vec3::X))?;
/// world.add(Hinge::between(boom, world.ground()).at(Vec3::ZERO).axis(Vec3::Z).named("foot"))?;
/// let pendant = world.add(Rope::between(boom, world.ground()).ends(Vec3::X, Vec3::Y))?;
/// let dynamics = world.dynamics()?;
/// let rows: Vec<_> = dynamics.loop_rows().collect();
/// assert_eq!((rows.len(), rows[0].joint, rows[0].pulls), (1, pendant, true));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoopRow {
    /// The joint; of a coupling that of its first freedom.
    pub joint: JointId,
    /// The coupling that it is the row of, between freedoms of joints.
    pub coupling: Option<CouplingId>,
    /// What it is measured in.
    pub unit: Unit,
    /// A taut rope, which can only pull: its force is negative.
    pub pulls: bool,
}

/// A mechanism at one pose and velocity: what controllers need. Made by [`crate::World::dynamics`]; it keeps no tie
/// to the world.
///
/// With q' the rates of all freedoms ([`Dynamics::velocities`]) and a their accelerations,
/// ```text
/// M a + bias = force + applied + G^T lambda,     G a + drift = 0
/// ```
/// `force` is what motors, or you, push with at each freedom, G and lambda are the rows and forces of joints that
/// close loops, and of couplings.
///
/// What acts by itself (`applied`): springs (those of joints too), dampers, drag, body damping, constant forces, compliant
/// rows, stops and couplings by their law at this pose and velocity, and loads that wait for the next step
/// ([`crate::World::apply_force`]).
/// What does not: motors, whose effort is what is asked for; rigid stops, dry friction and contacts. A rope that is
/// taut and does not stretch is a loop row that only pulls. Roots that the user moves keep their velocity; a target
/// that waits for the next step is not known here.
///
/// ```
/// use taut::{Body, Hinge, MassProperties, Vec3, World};
/// let mut world = World::new();
/// let rod = MassProperties::cuboid(1000.0, Vec3::new(0.5, 0.05, 0.05))?;
/// let arm = world.add(Body::dynamic(rod).at(Vec3::new(0.5, 0.0, 0.0)))?;
/// let elbow = world.add(Hinge::between(arm, world.ground()).at(Vec3::ZERO).axis(Vec3::Z))?;
///
/// let dynamics = world.dynamics()?;
/// assert_eq!((dynamics.dofs().len(), dynamics.position(0)), (1, Some(0.0)));
/// // The torque that holds the level rod: m g l/2.
/// let hold = dynamics.holding()?.of(elbow)[0];
/// assert!((hold - rod.mass * 9.81 * 0.5).abs() < 1e-9);
/// // The torque that also accelerates it by 2 rad/s^2, and back.
/// let torque = dynamics.inverse(&[2.0])?;
/// assert!((torque[0] - hold - 2.0 * dynamics.mass_matrix()[(0, 0)]).abs() < 1e-9);
/// assert!((dynamics.forward(&torque)?[0] - 2.0).abs() < 1e-12);
/// // The velocity of its end per rad/s.
/// let tip = dynamics.jacobian(arm, Vec3::X)?;
/// assert!((tip[(1, 0)] - 1.0).abs() < 1e-12);
/// // The world takes the torque in its next step.
/// world.apply_effort(elbow, &torque)?;
/// world.step(0.001)?;
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Dynamics {
    tree: Tree,
    kin: Kinematics,
    /// Of each link.
    inertia: Vec<Inertia>,
    /// Of the joint of each link, kg or kg m^2.
    armature: Vec<f64>,
    dofs: Vec<Dof>,
    /// The joint of each link, and where its turning freedom is, rad.
    joints: Vec<Option<JointId>>,
    turned: Vec<Option<f64>>,
    /// All joints of the world.
    names: Vec<JointName>,
    /// Bodies by slot: their handles, and how they move, links where the forest puts them.
    bodies: Vec<Option<Key>>,
    at: Vec<Moving>,
    /// The number of the world.
    world: u32,
    gravity: DVec3,
    /// What gravity acts on of each link, kg.
    weights: Vec<f64>,
    /// Accelerations of the links while all rates are constant.
    drift: Vec<Twist>,
    acting: Acting,
    closing: Vec<Closing>,
    /// Every place where a joint can push, in the order of the joints.
    pushes: Vec<Push>,
    /// What is factorised at the first question that needs it.
    solver: OnceLock<Result<loops::Solver>>,
}

impl Dynamics {
    /// Of a model in a state.
    pub(crate) fn new(model: &Model, state: &State, gravity: DVec3) -> Result<Self> {
        let tree = Tree::new(model, |_| true)?;
        let mut at = standing(model, state);
        let mut kin = Kinematics::default();
        kin.read(&tree, |slot| at[slot]);
        for (l, (&pose, &twist)) in tree.links.iter().zip(kin.pose.iter().zip(&kin.twist)) {
            at[l.body] = Moving { pose, twist };
        }
        let mut drift = vec![Twist::default(); tree.links.len()];
        kin.bias(&tree, |slot| at[slot], &mut drift);
        let posed = Posed { model, state, tree: &tree, at: &at, drift: &drift };
        let acting = Acting::new(&posed);
        let closing = posed.closing();
        let joints = model.joints.iter().filter(|(_, j)| !j.owned && model.is_active(j) && posed.moves(j));
        let mut pushes = Vec::with_capacity(tree.dofs);
        joints.for_each(|(key, j)| posed.pushes(JointId(key), j, &mut pushes));
        let turned = |slot: usize| {
            let (j, last) = (model.joints.at(slot)?, state.turned[slot]);
            Some(j.turn?.position(&posed.side(j.i), &posed.side(j.j), last))
        };
        let turned = tree.links.iter().map(|l| l.joint.and_then(turned)).collect();
        Ok(Dynamics {
            armature: armature::of_links(model, &tree)?,
            inertia: tree.links.iter().map(|l| inertia(model, l.body, &at[l.body].pose)).collect(),
            weights: tree.links.iter().map(|l| model.bodies.at(l.body).map_or(0.0, |b| b.weight())).collect(),
            dofs: dofs(model, &tree),
            joints: tree.links.iter().map(|l| l.joint.and_then(|j| model.joints.key_at(j)).map(JointId)).collect(),
            names: model.joints.iter().map(|(key, j)| JointName::of(key, j)).collect(),
            bodies: (0..model.bodies.slots()).map(|slot| model.bodies.key_at(slot)).collect(),
            world: model.bodies.world(),
            turned,
            acting,
            closing,
            pushes,
            gravity,
            solver: OnceLock::new(),
            tree,
            kin,
            at,
            drift,
        })
    }

    /// All freedoms, from the roots on. Vectors and matrices have this order.
    pub fn dofs(&self) -> &[Dof] {
        &self.dofs
    }

    /// Which freedoms a joint has; none when it is not in the forest or not in this world.
    pub fn find(&self, joint: JointId) -> Option<Range<usize>> {
        let here = |j: &Option<JointId>| j.is_some_and(|j| j == joint && j.0.world == joint.0.world);
        self.joints.iter().position(here).map(|link| self.tree.links[link].rates())
    }

    /// Which freedoms the joint that carries a body has, or a free body itself; none for one that does not move by
    /// itself.
    pub fn find_body(&self, body: BodyId) -> Option<Range<usize>> {
        self.slot(body).ok().and_then(|slot| self.tree.links.get(self.tree.link_of[slot])).map(|l| l.rates())
    }

    /// Rates q' of all freedoms, m/s or rad/s. After a step they belong half a step before the pose, like all
    /// velocities.
    pub fn velocities(&self) -> &[f64] {
        &self.kin.y
    }

    /// Where a freedom is, m or rad: body i of its joint against body j, turns about one axis with their whole turns; of
    /// a free body the centre of mass. None for the turns of balls and free bodies, for which no number stands, and
    /// beyond the last freedom.
    pub fn position(&self, dof: usize) -> Option<f64> {
        let link = self.tree.links.partition_point(|l| l.first + l.dofs <= dof);
        let l = self.tree.links.get(link)?;
        let q = l.edge.chart.position(&self.kin.q[link], dof - l.first)?;
        let near = self.turned[link].filter(|_| self.dofs[dof].unit == Unit::Radian);
        Some(near.map_or(q, |near| q + wind(q, near)))
    }

    /// The mass matrix M, kg, kg m and kg m^2: symmetric, positive definite, with armatures, without the loops.
    pub fn mass_matrix(&self) -> Matrix {
        let n = self.dofs.len();
        let mut out = Matrix::zeros(n, n);
        self.mass().entries(|k, j, value| {
            out[(k, j)] = value;
            out[(j, k)] = value;
        });
        out
    }

    /// The force that keeps zero acceleration against inertia and gravity, N or N m: Coriolis, centrifugal and
    /// gyroscopic terms, what moving roots bring, and [`Dynamics::gravity`].
    pub fn bias(&self) -> Vec<f64> {
        let mut out = self.swept(|i| self.needed(i, Twist::default()));
        self.add_rotor_bias(&mut out);
        out
    }

    /// The part of [`Dynamics::bias`] that gravity makes, N or N m: what carries the weights.
    pub fn gravity(&self) -> Vec<f64> {
        self.swept(|i| self.weight(i))
    }

    /// What acts by itself at each freedom, N or N m: springs, drag, damping, constant forces, compliant rows and
    /// stops, loads that wait for the next step. It is on the side of `force`, so a spring that lifts an arm has the
    /// sign of the torque that would.
    pub fn applied(&self) -> Vec<f64> {
        self.swept(|i| self.acting.still[i] + self.acting.moving[i])
    }

    /// Inverse dynamics (recursive Newton-Euler): the force or torque at every freedom for a wanted acceleration of
    /// every freedom, m/s^2 or rad/s^2. What acts by itself ([`Dynamics::applied`]) does its share.
    ///
    /// Loops are taken as open: their joints carry nothing. Use [`Dynamics::inverse_with`] where there are any.
    pub fn inverse(&self, acceleration: &[f64]) -> Result<Vec<f64>> {
        self.check("acceleration", acceleration)?;
        let mut given = vec![Twist::default(); self.tree.links.len()];
        self.kin.times(&self.tree, acceleration, &mut given);
        let mut out = self.swept(|i| self.needed(i, given[i]) - self.acting.still[i] - self.acting.moving[i]);
        self.add_rotors(acceleration, &mut out);
        self.add_rotor_bias(&mut out);
        Ok(out)
    }

    /// The Jacobian of a world point fixed to a body, 6 rows over the freedoms: velocity of the point, then angular
    /// velocity, world axes. Zero for bodies that do not move by themselves. A particle has no extent: of one the
    /// point does not matter, and its angular rows are zero.
    pub fn jacobian(&self, body: BodyId, point: DVec3) -> Result<Matrix> {
        let slot = self.slot(body)?;
        crate::error::finite_vec("point of a Jacobian", point, "m")?;
        let mut out = Matrix::zeros(6, self.dofs.len());
        let mut link = self.tree.link_of[slot];
        let is_particle = self.tree.links.get(link).is_some_and(|l| l.is_particle);
        let point = if is_particle { self.at[slot].pose.pos } else { point };
        while let Some(l) = self.tree.links.get(link) {
            let arm = point - self.kin.pose[link].pos;
            for k in l.rates() {
                let column = self.kin.s[k].moved(arm).to_array();
                (0..if is_particle { 3 } else { 6 }).for_each(|r| out[(r, k)] = column[r]);
            }
            link = if let Parent::Link(p) = l.parent { p } else { NONE };
        }
        Ok(out)
    }

    /// Velocity (m/s) of a world point fixed to a body, and angular velocity (rad/s): its Jacobian times the rates,
    /// and what moving roots bring.
    pub fn velocity(&self, body: BodyId, point: DVec3) -> Result<(DVec3, DVec3)> {
        let (m, is_particle) = self.body(body, point)?;
        let v = m.twist.moved(if is_particle { DVec3::ZERO } else { point - m.pose.pos });
        Ok((v.lin, if is_particle { DVec3::ZERO } else { v.ang }))
    }

    /// Acceleration (m/s^2) of a world point fixed to a body, and angular acceleration (rad/s^2), while all rates are
    /// constant: what is to be added to the Jacobian times the accelerations of the freedoms.
    pub fn drift(&self, body: BodyId, point: DVec3) -> Result<(DVec3, DVec3)> {
        let (m, is_particle) = self.body(body, point)?;
        let a = self.drift.get(self.tree.link_of[body.0.slot as usize]).copied().unwrap_or_default();
        if is_particle {
            return Ok((a.lin, DVec3::ZERO));
        }
        let arm = point - m.pose.pos;
        Ok((a.moved(arm).lin + m.twist.ang.cross(m.twist.ang.cross(arm)), a.ang))
    }

    fn body(&self, body: BodyId, point: DVec3) -> Result<(&Moving, bool)> {
        let slot = self.slot(body)?;
        crate::error::finite_vec("point of a body", point, "m")?;
        Ok((&self.at[slot], self.tree.links.get(self.tree.link_of[slot]).is_some_and(|l| l.is_particle)))
    }

    /// The slot of a body.
    fn slot(&self, body: BodyId) -> Result<usize> {
        let (slot, key) = (body.0.slot as usize, body.0);
        let here = self.bodies.get(slot).copied().flatten().is_some_and(|k| k == key && k.world == key.world);
        if here { Ok(slot) } else { Err(missing(self.world, "body", key)) }
    }

    /// One finite number for each freedom.
    fn check(&self, name: &str, values: &[f64]) -> Result<()> {
        let n = self.dofs.len();
        if values.len() != n {
            return Err(Error::input(name, format!("{} numbers", values.len()), format!("{n}, one for each freedom")));
        }
        match values.iter().position(|x| !x.is_finite()) {
            Some(k) => Err(Error::input(format!("{name} of {}", self.dofs[k].name), values[k], "a finite number")),
            None => Ok(()),
        }
    }

    /// J^T f of a force on each link.
    fn swept(&self, force: impl Fn(usize) -> Twist) -> Vec<f64> {
        let mut f: Vec<Twist> = (0..self.tree.links.len()).map(force).collect();
        let mut out = vec![0.0; self.dofs.len()];
        self.kin.transposed(&self.tree, &mut f, &mut out);
        out
    }

    /// The force on a link that carries its weight.
    fn weight(&self, link: usize) -> Twist {
        Twist::new(-self.weights[link] * self.gravity, DVec3::ZERO)
    }

    /// Newton and Euler: the force on a link that accelerates it beyond its drift, at the present velocity.
    fn needed(&self, link: usize, given: Twist) -> Twist {
        let (a, w) = (self.drift[link] + given, self.kin.twist[link].ang);
        let Inertia { mass, second, .. } = self.inertia[link];
        Twist::new(mass * a.lin, second * a.ang + w.cross(second * w)) + self.weight(link)
    }
}

/// What a joint is called.
#[derive(Clone, Debug)]
struct JointName {
    key: Key,
    kind: &'static str,
    name: String,
}

impl JointName {
    fn of(key: Key, j: &JointEntry) -> Self {
        JointName { key, kind: j.kind.name(), name: j.name.clone() }
    }

    /// "wrist turn u", or "hinge #3" for a joint without a name.
    fn with(&self, label: &str) -> String {
        let space = if label.is_empty() { "" } else { " " };
        match self.name.as_str() {
            "" => format!("{} #{}{space}{label}", self.kind, self.key.slot),
            name => format!("{name}{space}{label}"),
        }
    }
}

/// How the bodies move, by slot; those that stand have no velocity.
fn standing(model: &Model, state: &State) -> Vec<Moving> {
    let of = |slot: usize| {
        let s = &state.bodies[slot];
        let stands = model.bodies.at(slot).is_none_or(|b| b.motion == Motion::Fixed);
        let twist = if stands { Twist::default() } else { Twist::new(s.vel, s.omega) };
        Moving { pose: Pose { pos: s.pos, rot: s.rot }, twist }
    };
    (0..model.bodies.slots()).map(of).collect()
}

/// Mass and inertia of a body about its centre of mass, world axes.
fn inertia(model: &Model, slot: usize, pose: &Pose) -> Inertia {
    let r = DMat3::from_quat(pose.rot);
    let (mass, own) = model.bodies.at(slot).map_or((0.0, DMat3::ZERO), |b| (b.mass, b.inertia));
    Inertia { mass, first: DVec3::ZERO, second: r * own * r.transpose() }
}

/// What all freedoms are.
fn dofs(model: &Model, tree: &Tree) -> Vec<Dof> {
    let mut out = Vec::with_capacity(tree.dofs);
    for l in &tree.links {
        let Some(body) = model.bodies.key_at(l.body).map(BodyId) else { continue };
        let joint = l.joint.and_then(|slot| Some((JointId(model.joints.key_at(slot)?), model.joints.at(slot)?)));
        for index in 0..l.dofs {
            let chart = l.edge.chart;
            let name = match joint {
                Some((id, j)) => JointName::of(id.0, j).with(label(chart, index)),
                None => free_name(model, l.body, index),
            };
            let unit = Unit::of(chart.freedom(index).1);
            out.push(Dof { joint: joint.map(|j| j.0), body, index, unit, name });
        }
    }
    out
}

/// "base x", "base turn z".
fn free_name(model: &Model, slot: usize, index: usize) -> String {
    let axes = ["x", "y", "z", "turn x", "turn y", "turn z"];
    debug_assert!(index < Chart::Free.dofs());
    let axis = axes.get(index).copied().unwrap_or_default();
    match model.bodies.at(slot) {
        Some(b) if !b.name.is_empty() => format!("{} {axis}", b.name),
        _ => format!("body #{slot} {axis}"),
    }
}

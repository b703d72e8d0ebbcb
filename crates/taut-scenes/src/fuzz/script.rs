//! What is done to a world while it runs.

use taut::{Body, BodyId, Command, Force, Joint, JointId, Motion, Result, Vec3, World};

/// The script of a run.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// Steps to take.
    pub steps: usize,
    /// Their lengths, s; empty where all are that of the file.
    pub lengths: Vec<f64>,
    /// Changes of the world, in the order of their steps.
    pub edits: Vec<Edit>,
    /// The step before which a snapshot is taken, to be repeated.
    pub snapshot: Option<usize>,
    /// Whether the run is repeated on two threads.
    pub threads: bool,
}

/// A change of the world before a step.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The step, from 0.
    pub step: usize,
    /// The change.
    pub change: Change,
}

/// A change of the world. Bodies and joints go by their names in the file.
#[derive(Clone, Debug)]
pub enum Change {
    /// A ball of a mass, kg, appears above everything and hangs by a rod from a body.
    AddBody {
        /// Its name.
        name: String,
        /// Its mass, kg.
        mass: f64,
        /// The body that it hangs from.
        from: String,
    },
    /// A body is gone, with its joints and forces.
    RemoveBody(String),
    /// Two bodies are joined by a ball joint halfway between them.
    AddJoint {
        /// Its name.
        name: String,
        /// The bodies.
        bodies: [String; 2],
    },
    /// A joint is gone.
    RemoveJoint(String),
    /// A motor is told something else.
    Command {
        /// Its joint; the motor is the first.
        joint: String,
        /// Wanted position, rad or m.
        target: f64,
        /// Wanted rate, rad/s or m/s.
        rate: f64,
    },
    /// A constant force acts from here on, N.
    AddForce {
        /// On this body.
        body: String,
        /// In the world, N.
        force: Vec3,
    },
    /// The last force of the world is gone.
    RemoveForce,
    /// A body has another velocity, m/s and rad/s.
    Velocity {
        /// The body.
        body: String,
        /// Of its centre of mass, m/s.
        linear: Vec3,
        /// In the world, rad/s.
        angular: Vec3,
    },
}

/// Radius of a body that appears, m.
const RADIUS: f64 = 0.1;
/// How far above everything it appears, m.
const ABOVE: f64 = 1.5;

impl Script {
    /// The length of a step, s, where the file has `dt`.
    pub fn length(&self, step: usize, dt: f64) -> f64 {
        self.lengths.get(step).copied().unwrap_or(dt)
    }

    /// The changes before a step.
    pub fn at(&self, step: usize) -> impl Iterator<Item = &Edit> {
        self.edits.iter().filter(move |e| e.step == step)
    }
}

impl Change {
    /// Makes the change. Whom it names may be gone: then it does nothing.
    pub fn apply(&self, world: &mut World) -> Result<()> {
        match self {
            Change::AddBody { name, mass, from } => hang(world, name, *mass, from),
            Change::RemoveBody(name) => match free_body(world, name) {
                // A world without anything that moves cannot be stepped.
                Some(id) if movers(world) > 1 => world.remove(id),
                _ => Ok(()),
            },
            Change::AddJoint { name, bodies } => join(world, name, bodies),
            Change::RemoveJoint(name) => joint(world, name).map_or(Ok(()), |id| world.remove(id)),
            Change::Command { joint: name, target, rate } => match joint(world, name) {
                Some(id) if world.motor(id.motor(0)).is_ok() => {
                    world.set_motor(id.motor(0), Command { target: *target, rate: *rate })
                }
                _ => Ok(()),
            },
            Change::AddForce { body, force } => match free_body(world, body) {
                Some(body) => world.add(Force::Point { body, point: Vec3::ZERO, force: *force }).map(drop),
                None => Ok(()),
            },
            Change::RemoveForce => {
                let last = world.forces().last();
                last.map_or(Ok(()), |id| world.remove(id))
            }
            Change::Velocity { body, linear, angular } => set_velocity(world, body, *linear, *angular),
        }
    }

    /// Whether bodies may meet after it that did not before.
    pub fn parts_bodies(&self) -> bool {
        matches!(self, Change::RemoveJoint(_))
    }
}

fn body(world: &World, name: &str) -> Option<BodyId> {
    world.bodies().find(|b| b.name() == name).map(|b| b.id())
}

/// A body that moves freely.
fn free_body(world: &World, name: &str) -> Option<BodyId> {
    body(world, name).filter(|b| is_free(world, *b))
}

fn is_free(world: &World, id: BodyId) -> bool {
    world.body(id).is_ok_and(|b| matches!(b.motion(), Motion::Dynamic | Motion::Particle))
}

fn movers(world: &World) -> usize {
    world.bodies().filter(|b| b.is_free()).count()
}

fn joint(world: &World, name: &str) -> Option<JointId> {
    world.joints().find(|j| j.name() == name).map(|j| j.id())
}

/// A new body above everything, on a rod to another.
fn hang(world: &mut World, name: &str, mass: f64, from: &str) -> Result<()> {
    let Some(other) = body(world, from) else { return Ok(()) };
    let under = world.body(other)?.position();
    let heights = world.bodies().map(|b| b.pose().pos.y);
    let top = heights.fold(f64::NEG_INFINITY, f64::max);
    let at = Vec3::new(under.x, top + ABOVE, under.z);
    let solid = taut::MassProperties::sphere(1.0, RADIUS)?.with_mass(mass)?;
    let id = world.add(Body::dynamic(solid).at(at).named(name))?;
    world.add(taut::Distance::between(id, other).ends(at, under).named(format!("{name}-rod"))).map(drop)
}

/// A ball joint halfway between two bodies.
fn join(world: &mut World, name: &str, bodies: &[String; 2]) -> Result<()> {
    let [Some(i), Some(j)] = [0, 1].map(|k| free_body(world, &bodies[k])) else { return Ok(()) };
    let solid = |id| world.body(id).is_ok_and(|b| b.motion() == Motion::Dynamic);
    if i == j || !solid(i) || !solid(j) {
        return Ok(());
    }
    let point = 0.5 * (world.body(i)?.position() + world.body(j)?.position());
    world.add(Joint::of(taut::Ball::default(), i, j).at(point).axis(Vec3::Y).named(name)).map(drop)
}

fn set_velocity(world: &mut World, name: &str, linear: Vec3, angular: Vec3) -> Result<()> {
    let Some(id) = free_body(world, name) else { return Ok(()) };
    let particle = world.body(id)?.motion() == Motion::Particle;
    world.set_velocity(id, linear, if particle { Vec3::ZERO } else { angular })
}

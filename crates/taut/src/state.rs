//! Everything needed to start again: poses, velocities, multipliers, the stabiliser's memory, time.
//! A clone is a snapshot; restored, it repeats the run bit for bit.

mod bytes;

use crate::contact::{ContactRecord, Sensing};
use crate::ids::ColliderId;
use crate::joints::Command;
use crate::reeve::Groove;
use crate::reeve::hold::Hold;
use glam::{DQuat, DVec3};

/// One body or particle.
///
/// Pose and velocity by index: a puck at 3 m/s is 3 m further after a second.
/// ```
/// use taut::{Body, Vec3, World};
/// let mut world = World::new();
/// let puck = world.add(Body::particle(0.2).moving(3.0 * Vec3::X, Vec3::ZERO).gravity_scale(0.0))?;
/// for _ in 0..100 {
///     world.step(0.01)?;
/// }
/// assert!((world[puck].pos - 3.0 * Vec3::X).length() < 1e-9);
/// assert!((world[puck].vel - 3.0 * Vec3::X).length() < 1e-9);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyState {
    /// Centre of mass, m.
    pub pos: DVec3,
    /// Orientation.
    pub rot: DQuat,
    /// Velocity of the centre of mass, m/s.
    pub vel: DVec3,
    /// Angular velocity, rad/s.
    pub omega: DVec3,
    /// A of the last solve, angular 3x3 (xx, yy, zz, xy, yz, xz), before the share r was taken off.
    pub(crate) added: [f64; 6],
    /// Direction of the power iteration that estimates the island's reduced stiffness.
    pub(crate) probe: [f64; 6],
    /// The island's regime, the same in all its bodies.
    pub(crate) regime: Regime,
    /// How long it has been at rest, s; and the group it sleeps with, 0 when awake.
    pub(crate) quiet: f64,
    pub(crate) group: u32,
}

/// In `State::reach`: a row that no joint has, until another joint takes its place.
pub(crate) const GAP: f64 = -2.0;

/// Most freedoms of a coupling.
pub(crate) const MOST_TERMS: usize = 4;

/// One coupling.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct CouplingState {
    /// Its force, per unit of the sum.
    pub lambda: f64,
    /// Stretch that it was given by the last step, like that of compliant rows; negative when unknown.
    pub stretch: f64,
    /// Where its freedoms were after the last step, m or rad, whole turns counted.
    pub at: [f64; MOST_TERMS],
}

impl CouplingState {
    /// One that has not taken a step.
    pub const fn new(at: [f64; MOST_TERMS]) -> Self {
        CouplingState { lambda: 0.0, stretch: -1.0, at }
    }

    /// All its numbers.
    pub fn numbers(&self) -> impl Iterator<Item = f64> {
        [self.lambda, self.stretch].into_iter().chain(self.at)
    }
}

/// One span of a rope over guides.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct SpanState {
    /// Material between the marks of its guides, m; it had that in the last step.
    pub material: f64,
    pub reach: f64,
    /// Its force, N; negative, for it pulls.
    pub lambda: f64,
    /// Stretch that its segment was given by the last step, like that of compliant rows; negative when unknown.
    pub stretch: f64,
    /// Where its tangent points were after the last step, whole turns counted, rad.
    pub angles: [f64; 2],
    /// Energy that the stabiliser's element had after the last step, J.
    pub energy: f64,
    /// Rate at which it slipped over the guide before it, towards its end, m/s.
    pub slip: f64,
    /// How short it may become, m, and the force that has kept its guides apart in the last step, N.
    pub least: f64,
    pub apart: f64,
}

impl SpanState {
    /// All its numbers.
    pub fn numbers(&self) -> [f64; 10] {
        let SpanState { material, reach, lambda, stretch, angles, energy, slip, least, apart } = *self;
        [material, reach, lambda, stretch, angles[0], angles[1], energy, slip, least, apart]
    }

    /// From all its numbers.
    pub fn of([material, reach, lambda, stretch, a, b, energy, slip, least, apart]: [f64; 10]) -> Self {
        SpanState { material, reach, lambda, stretch, angles: [a, b], energy, slip, least, apart }
    }
}

/// Torsion of a rope over guides whose ends can turn.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct TwistState {
    /// Angle between the frames of its ends after the last step, whole turns counted, and that at which it is not twisted, rad.
    pub angle: f64,
    pub rest: f64,
    /// Its force, N m, and the twist that it was given by the last step, like that of compliant rows; negative when unknown.
    pub lambda: f64,
    pub stretch: f64,
    /// At each end: twist that was wound on the drum, rad, in so much rope, m.
    pub wound: [[f64; 2]; 2],
}

impl TwistState {
    /// One that has not taken a step, and is not twisted.
    pub fn new(angle: f64) -> Self {
        TwistState { angle, rest: angle, lambda: 0.0, stretch: -1.0, wound: [[0.0; 2]; 2] }
    }

    /// All its numbers.
    pub fn numbers(&self) -> [f64; 8] {
        let TwistState { angle, rest, lambda, stretch, wound: [[a, b], [c, d]] } = *self;
        [angle, rest, lambda, stretch, a, b, c, d]
    }

    /// From all its numbers.
    pub fn of([angle, rest, lambda, stretch, a, b, c, d]: [f64; 8]) -> Self {
        TwistState { angle, rest, lambda, stretch, wound: [[a, b], [c, d]] }
    }
}

/// A guide that a rope passes at now: one that was said, or one that it has found on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Stop {
    /// Which of the guides that were said; none for one that was found.
    pub lead: Option<u32>,
    /// The collider that was found, and which of its features.
    pub found: Option<(ColliderId, u32)>,
    /// Slot of its body.
    pub body: u32,
    /// In the frame of the body. The end of a rope that has run off its drum is a point on it.
    pub groove: Groove,
    /// How the rope holds to it.
    pub hold: Hold,
}

/// A grip of a rope that rides on the rim of a sheave: it is no stop then.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Ride {
    /// Guides of the rope.
    pub grip: u32,
    pub wheel: u32,
    /// Where it is held, in the frame of the body of the sheave, m.
    pub at: DVec3,
    /// Angle of its material on the sheave from the mark, whole turns counted, rad.
    pub angle: f64,
}

/// One rope over guides: where it runs now, and one span less; and its grips that ride.
#[derive(Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct RopeState {
    pub spans: Vec<SpanState>,
    pub stops: Vec<Stop>,
    #[cfg_attr(feature = "serde", serde(default))]
    pub rides: Vec<Ride>,
    /// None without torsion, and where an end of it turns freely.
    #[cfg_attr(feature = "serde", serde(default))]
    pub twist: Option<TwistState>,
}

impl RopeState {
    /// Its segments of one tension, between guides that hold it: first and last guide of each.
    pub fn segments(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.between(|hold| hold.divides())
    }

    /// Its pieces between guides that it cannot slip on: first and last guide of each.
    pub fn pieces(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.between(|hold| hold == Hold::Fast)
    }

    fn between(&self, at: impl Fn(Hold) -> bool) -> impl Iterator<Item = (usize, usize)> {
        let last = self.stops.len().saturating_sub(1);
        let mut first = 0;
        (1..=last)
            .filter(move |&k| k == last || at(self.stops[k].hold))
            .map(move |k| (std::mem::replace(&mut first, k), k))
    }

    /// Slots of the bodies of its guides.
    pub fn bodies(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        self.stops.iter().map(|s| s.body as usize)
    }
}

impl Clone for RopeState {
    fn clone(&self) -> Self {
        let RopeState { spans, stops, rides, twist } = self;
        RopeState { spans: spans.clone(), stops: stops.clone(), rides: rides.clone(), twist: *twist }
    }

    /// In the memory that it has.
    fn clone_from(&mut self, from: &Self) {
        self.spans.clone_from(&from.spans);
        self.stops.clone_from(&from.stops);
        self.rides.clone_from(&from.rides);
        self.twist = from.twist;
    }
}

/// One rope with mass that runs: which of its nodes are out. All else of it follows from that and from the poses.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct HeavyState {
    /// From the feed node to the end, by their number from the end.
    pub out: Vec<u32>,
    /// Of each piece between two of them: its tension of late, N, and by how much it is shorter than the rope in it, m.
    pub pieces: Vec<[f64; 2]>,
}

/// How well an island resolves its own motion (see `stabilise::resolved`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Regime {
    /// Decaying maximum of the reduced stiffness, 1/s^2.
    pub xhat: f64,
    /// Reduced stiffness over the largest body's, in (0, 1].
    pub kap: f64,
    /// Length of the last step, s; 0 at the start and for a body whose velocity the user has changed.
    pub h_prev: f64,
    /// Longest step of late, s: how long a gap that it left may take to close.
    pub h_long: f64,
    /// Bounded rows pushed in the last step: its forces may hold a shock that is over.
    pub shocked: bool,
}

impl BodyState {
    pub(crate) fn new(pos: DVec3, rot: DQuat, vel: DVec3, omega: DVec3) -> Self {
        BodyState {
            pos,
            rot,
            vel,
            omega,
            added: [0.0; 6],
            probe: [0.0; 6],
            regime: Regime { kap: 1.0, ..Regime::default() },
            quiet: 0.0,
            group: 0,
        }
    }

    /// Notes the length of the step that it has taken, s.
    pub fn stepped(&mut self, h: f64) {
        self.regime.h_prev = h;
    }

    /// Whether all its numbers are finite and its rotation is one.
    pub(crate) fn is_sound(&self) -> bool {
        let motion = self.pos.is_finite() && self.vel.is_finite() && self.omega.is_finite();
        let turn = self.rot.is_finite() && (self.rot.length() - 1.0).abs() < 1e-3;
        let Regime { xhat, kap, h_prev, h_long, .. } = self.regime;
        let others = [xhat, kap, h_prev, h_long, self.quiet];
        motion && turn && self.added.iter().chain(&self.probe).chain(&others).all(|x| x.is_finite())
    }
}

/// The state of a world. Clone it to take a snapshot.
///
/// Back to a snapshot, and the same run again, bit for bit.
/// ```
/// use taut::{Body, Rope, Vec3, World};
/// let mut world = World::new();
/// let bob = world.add(Body::particle(1.0).at(Vec3::X))?;
/// world.add(Rope::between(bob, world.ground()))?;
/// let start = world.state().clone();
/// let swing = |world: &mut World| (0..50).try_for_each(|_| world.step(0.01).map(drop));
/// swing(&mut world)?;
/// let first = world.state().hash();
/// world.restore(&start)?;
/// swing(&mut world)?;
/// assert_eq!((world.state().hash(), world.state().steps()), (first, 50));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct State {
    pub(crate) edition: u64,
    pub(crate) time: f64,
    pub(crate) steps: u64,
    /// By body slot.
    pub(crate) bodies: Vec<BodyState>,
    /// Multipliers (N, N m) of all joints, by `JointEntry::row_start`.
    pub(crate) lambda: Vec<f64>,
    /// Stretch that compliant rows were given by the last step, beside `lambda` (`Rows::stretch`); negative when unknown.
    pub(crate) stretch: Vec<f64>,
    /// How long ropes that do not stretch could be in the last step, m, beside `lambda`; negative when unknown, and for other rows;
    /// `GAP` where no joint has the row.
    pub(crate) reach: Vec<f64>,
    /// By coupling slot.
    pub(crate) couplings: Vec<CouplingState>,
    /// By slot of ropes over guides.
    pub(crate) ropes: Vec<RopeState>,
    /// By slot of ropes with mass.
    pub(crate) heavies: Vec<HeavyState>,
    /// What the motors of all joints are told, if anything, by `JointEntry::command_start`.
    pub(crate) commands: Vec<Option<Command>>,
    /// Energy the stabiliser's distance elements had after the last step, beside `lambda`; of rows of armatures their rate, m/s or rad/s.
    pub(crate) element_energy: Vec<f64>,
    /// Contacts that pushed in the last step, sorted by id.
    pub(crate) contacts: Vec<ContactRecord>,
    /// Sensors and what overlaps them, sorted.
    pub(crate) sensed: Vec<Sensing>,
    /// Contacts of those that sleep.
    pub(crate) resting: Vec<ContactRecord>,
    /// Bodies that sleep, the last group's number, and a fingerprint of all falling asleep and waking.
    pub(crate) asleep: usize,
    pub(crate) groups: u32,
    pub(crate) stamp: u64,
    /// Slots of bodies whose colliders or pose the user has changed since the last step.
    pub(crate) stirred: Vec<usize>,
    /// Joints whose rows were ever found redundant, by joint slot.
    pub(crate) redundant: Vec<bool>,
    /// Where the turning freedom of each joint was when its turns were counted last, rad, by joint slot: within half a turn of where it is
    /// after the last step.
    pub(crate) turned: Vec<f64>,
    /// Sigma given to the rows of those, beside `lambda`; zero for the others.
    pub(crate) give: Vec<f64>,
    /// Half the change of the potential energies (gravity, elastic) in the last step, J: centres the energy in time.
    pub(crate) potential_lag: [f64; 2],
    /// Energy that the elements of deformables have and did not have in the middle of the last drift, J.
    pub(crate) elements_lag: f64,
    /// What elements keep from step to step (plastic flow), by `SoftEntry::state`.
    pub(crate) soft: Vec<f64>,
    /// Parts in which deformables asked for the next step, at least 1.
    pub(crate) parts: u32,
    /// What a method that is plugged in keeps from step to step, as numbers; empty where none has stepped.
    pub(crate) kept: Vec<f64>,
}

impl Default for State {
    fn default() -> Self {
        State {
            edition: 0,
            time: 0.0,
            steps: 0,
            bodies: Vec::new(),
            lambda: Vec::new(),
            stretch: Vec::new(),
            reach: Vec::new(),
            couplings: Vec::new(),
            ropes: Vec::new(),
            heavies: Vec::new(),
            commands: Vec::new(),
            element_energy: Vec::new(),
            contacts: Vec::new(),
            sensed: Vec::new(),
            resting: Vec::new(),
            asleep: 0,
            groups: 0,
            stamp: 0,
            stirred: Vec::new(),
            redundant: Vec::new(),
            turned: Vec::new(),
            give: Vec::new(),
            potential_lag: [0.0; 2],
            elements_lag: 0.0,
            soft: Vec::new(),
            parts: 1,
            kept: Vec::new(),
        }
    }
}

/// The parts of a state that a method which is plugged in reads and writes.
#[derive(Debug)]
pub struct OpenState<'a> {
    /// Simulated time, s.
    pub time: &'a mut f64,
    /// Steps taken.
    pub steps: &'a mut u64,
    /// By body slot.
    pub bodies: &'a mut [BodyState],
    /// Multipliers (N, N m) of all joints, by `JointEntry::row_start`.
    pub lambda: &'a mut [f64],
    /// Stretch that compliant rows were given by the last step, beside `lambda`; negative when unknown.
    pub stretch: &'a mut [f64],
    /// What the motors of all joints are told, if anything, by `JointEntry::command_start`.
    pub commands: &'a [Option<Command>],
    /// Where the turning freedoms of the joints are, whole turns counted, rad, by joint slot.
    pub turned: &'a [f64],
    /// Half the change of the potential energies (gravity, elastic) in the last step, J.
    pub potential_lag: &'a mut [f64; 2],
    /// What the method keeps from step to step.
    pub kept: &'a mut Vec<f64>,
}

impl OpenState<'_> {
    /// Keeps these numbers until the next step.
    pub fn keep(&mut self, numbers: &[f64]) {
        self.kept.clear();
        self.kept.extend_from_slice(numbers);
    }
}

impl State {
    /// Becomes a copy of another in the memory that it has.
    pub(crate) fn copy_from(&mut self, from: &State) {
        let State {
            edition,
            time,
            steps,
            asleep,
            groups,
            stamp,
            potential_lag,
            elements_lag,
            parts,
            bodies,
            lambda,
            stretch,
            reach,
            couplings,
            ropes,
            heavies,
            commands,
            element_energy,
            contacts,
            sensed,
            resting,
            stirred,
            redundant,
            turned,
            give,
            soft,
            kept,
        } = from;
        self.edition = *edition;
        self.time = *time;
        self.steps = *steps;
        self.asleep = *asleep;
        self.groups = *groups;
        self.stamp = *stamp;
        self.potential_lag = *potential_lag;
        self.elements_lag = *elements_lag;
        self.parts = *parts;
        self.bodies.clone_from(bodies);
        self.lambda.clone_from(lambda);
        self.stretch.clone_from(stretch);
        self.reach.clone_from(reach);
        self.couplings.clone_from(couplings);
        self.ropes.clone_from(ropes);
        self.heavies.clone_from(heavies);
        self.commands.clone_from(commands);
        self.element_energy.clone_from(element_energy);
        self.contacts.clone_from(contacts);
        self.sensed.clone_from(sensed);
        self.resting.clone_from(resting);
        self.stirred.clone_from(stirred);
        self.redundant.clone_from(redundant);
        self.turned.clone_from(turned);
        self.give.clone_from(give);
        self.soft.clone_from(soft);
        self.kept.clone_from(kept);
    }

    /// What a method works on.
    pub(crate) fn open(&mut self) -> OpenState<'_> {
        OpenState {
            time: &mut self.time,
            steps: &mut self.steps,
            bodies: &mut self.bodies,
            lambda: &mut self.lambda,
            stretch: &mut self.stretch,
            commands: &self.commands,
            turned: &self.turned,
            potential_lag: &mut self.potential_lag,
            kept: &mut self.kept,
        }
    }

    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Steps taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bodies.capacity() * std::mem::size_of::<BodyState>()
            + 8 * (self.lambda.capacity()
                + self.stretch.capacity()
                + self.reach.capacity()
                + self.give.capacity()
                + self.turned.capacity()
                + self.kept.capacity()
                + self.soft.capacity()
                + self.element_energy.capacity())
            + 24 * self.commands.capacity()
            + self.couplings.capacity() * std::mem::size_of::<CouplingState>()
            + self.ropes.iter().map(rope_bytes).sum::<usize>()
            + self.heavies.iter().map(|h| 4 * h.out.capacity() + 16 * h.pieces.capacity()).sum::<usize>()
            + self.redundant.capacity()
            + (self.contacts.capacity() + self.resting.capacity()) * std::mem::size_of::<ContactRecord>()
    }

    /// A hash of the motion (FNV-1a over time, poses, velocities, multipliers and turns of couplings): equal runs have equal hashes on every machine.
    pub fn hash(&self) -> u64 {
        let mut h = Fnv(0xcbf2_9ce4_8422_2325);
        h.f64(self.time);
        for b in &self.bodies {
            for x in
                b.pos.to_array().into_iter().chain(b.rot.to_array()).chain(b.vel.to_array()).chain(b.omega.to_array())
            {
                h.f64(x);
            }
        }
        // Rows that joints have left are no part of the motion.
        for (&l, _) in self.lambda.iter().zip(&self.reach).filter(|(_, reach)| **reach != GAP) {
            h.f64(l);
        }
        for x in self.couplings.iter().flat_map(|c| c.at.into_iter().chain([c.lambda])) {
            h.f64(x);
        }
        for s in self.ropes.iter().flat_map(|r| &r.spans) {
            [s.material, s.lambda, s.angles[0], s.angles[1]].into_iter().for_each(|x| h.f64(x));
        }
        for r in self.ropes.iter().flat_map(|r| &r.rides) {
            r.at.to_array().into_iter().chain([r.angle]).for_each(|x| h.f64(x));
        }
        for t in self.ropes.iter().filter_map(|r| r.twist) {
            t.numbers().into_iter().for_each(|x| h.f64(x));
        }
        // Those without a force are no part of the motion.
        for c in self.contacts.iter().filter(|c| c.force != DVec3::ZERO) {
            c.force.to_array().into_iter().for_each(|f| h.f64(f));
        }
        h.0
    }
}

fn rope_bytes(r: &RopeState) -> usize {
    r.spans.capacity() * std::mem::size_of::<SpanState>()
        + r.stops.capacity() * std::mem::size_of::<Stop>()
        + r.rides.capacity() * std::mem::size_of::<Ride>()
}

struct Fnv(u64);

impl Fnv {
    fn f64(&mut self, x: f64) {
        // -0 and 0 are the same number.
        let bits = if x == 0.0 { 0 } else { x.to_bits() };
        for b in bits.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

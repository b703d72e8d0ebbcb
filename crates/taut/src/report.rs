//! What a step tells: energies, where energy went, gaps, and what the solve cost.
//!
//! Energies are centred in time: the kinetic energy of v, which lives half a step before the pose, goes with the mean of the
//! potentials at the two poses around it, so a symplectic pendulum shows no first-order ripple.
//!
//! The ledger splits the change of that energy. With vb = (v_g + v+)/2 every impulse q in M (v+ - v_g) = sum q does the work
//! q.vb exactly; every entry below is computed from its own impulses, none as a remainder, and `imbalance` is what is left.

use crate::bounded::accuracy::Overrun;
use crate::bounded::gather::hk_of;
use crate::bounded::reeved::{self, slipping};
use crate::bounded::twisted;
use crate::close::opening::Opening;
use crate::conflicts::Conflict;
use crate::contact::ContactRecord;
use crate::delassus::velocity;
use crate::desk::bounded::{Bounded, Candidate, Origin, Set};
use crate::desk::inputs::{Given, Inputs};
use crate::desk::{Desk, Law, Multipliers, Next, Solution};
use crate::elastic::{self, work::Done};
use crate::events::Event;
use crate::force::{field, form};
use crate::ids::JointId;
use crate::integrate::velocity as velocity_of;
use crate::joints::{Bound, Softness};
use crate::kin::Kin;
use crate::math::vec3;
use crate::model::Model;
use crate::model::force::Force;
use crate::options::Solver;
use crate::profile::Stage;
use crate::reeve::twist::Twisted;
use crate::rows::{Rows, implicit, joint_velocity, row_velocity, stored};
use crate::solve::block_ldlt::MAX_DIM;
use crate::stabilise::work;
use crate::system::kkt::anchor;
use crate::topology::soft::BoundMass;
use crate::topology::{Source, Topology};
use glam::DVec3;

/// Energies, J.
///
/// A stone of 2 kg, 10 m up, at 3 m/s: m g y = 196.2 J of height and m v^2/2 = 9 J of motion.
/// ```
/// use taut::{Body, Vec3, World};
/// let mut world = World::new();
/// world.add(Body::particle(2.0).at(10.0 * Vec3::Y).moving(3.0 * Vec3::X, Vec3::ZERO))?;
/// let energy = world.energy()?;
/// assert!((energy.gravity - 196.2).abs() < 1e-9 && (energy.kinetic - 9.0).abs() < 1e-9);
/// assert!((energy.total() - 205.2).abs() < 1e-9);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Energy {
    /// Of motion.
    pub kinetic: f64,
    /// Of height, zero at the origin; centred in time.
    pub gravity: f64,
    /// Of compliant rows and springs; centred in time.
    pub elastic: f64,
}

impl Energy {
    /// The sum, J.
    pub fn total(&self) -> f64 {
        self.kinetic + self.gravity + self.elastic
    }
}

/// Where the energy of a step came from (positive) and went (negative), J.
///
/// A hoist lifts 100 kg at 2 m/s: in a step of 10 ms its motor does m g v h = 19.62 J of work, all of which is stored.
/// ```
/// use taut::{Body, MassProperties, Motor, Prismatic, Vec3, World};
/// let mut world = World::new();
/// let cage = Body::dynamic(MassProperties::cuboid(100.0, Vec3::splat(0.5))?).moving(2.0 * Vec3::Y, Vec3::ZERO);
/// let cage = world.add(cage)?;
/// world.add(Prismatic::between(cage, world.ground()).axis(Vec3::Y).motor(Motor::rate().speed(2.0)))?;
/// world.step(0.01)?;
/// let ledger = world.step(0.01)?.ledger;
/// assert!((ledger.work - 19.62).abs() < 1e-6 && (ledger.change - 19.62).abs() < 1e-6);
/// assert!(ledger.imbalance.abs() < 1e-9);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ledger {
    /// Change of the total energy.
    pub change: f64,
    /// Work of applied forces, motors, mouse springs, driven bodies, water and wind.
    pub work: f64,
    /// Body damping, dampers of springs, rows and couplings, friction in joints, drag in water and wind, bounds of speed, free ends of ropes that
    /// are drawn in.
    pub damping: f64,
    /// The stabiliser.
    pub stabiliser: f64,
    /// Rows, limits, ropes, couplings and springs beyond the energy they store: shocks, linearisation, implicit integration.
    pub constraints: f64,
    /// Contacts: impacts, friction, moving surfaces.
    pub contacts: f64,
    /// Elements of deformables beyond the energy they store and what their damping takes: implicit integration.
    pub elements: f64,
    /// Work of deformables that yield.
    pub plastic: f64,
    /// Energy that broken joints held, what acted across tears in deformables, and what the stretch of ropes held that were cut or let go since the
    /// last step.
    pub broken: f64,
    /// Energy of rope that has run in from a drum or a locker, or out; what a locker's chain loses when it is picked up is in it.
    /// So is that of the particles at free ends of ropes, which come and go with these.
    pub fed: f64,
    /// Change of energy where pieces of a running rope are divided or joined, and where a free end has passed a guide.
    pub merged: f64,
    /// Gyroscopic term, rotation of the inertia, gravity against the centred potential (removal of penetration with it).
    pub integration: f64,
    /// change - (all of the above): rounding and the residual of the solve.
    pub imbalance: f64,
}

/// The report of one step.
///
/// How well a chain of ten links with a ton below it is held, and by which solver.
/// ```
/// use taut::{Ball, Body, MassProperties, Solver, Vec3, World};
/// let mut world = World::new();
/// let mut above = world.ground();
/// for k in 0..10 {
///     let link = MassProperties::capsule(7800.0, 0.04, 0.01)?;
///     let mass = if k == 9 { link.with_mass(1000.0)? } else { link };
///     let top = -0.1 * f64::from(k) * Vec3::Y;
///     let next = world.add(Body::dynamic(mass).at(top - 0.05 * Vec3::Y))?;
///     world.add(Ball::between(next, above).at(top))?;
///     above = next;
/// }
/// let report = world.step(1.0 / 60.0)?;
/// assert!(report.max_gap < 1e-6 && report.conflicts.is_empty());
/// assert!(report.is_tree && report.path == Solver::BlockLdlt && report.time == 1.0 / 60.0);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StepReport {
    /// Time after the step, s.
    pub time: f64,
    /// Energies after the step.
    pub energy: Energy,
    /// Where energy went.
    pub ledger: Ledger,
    /// Largest opening of a rigid joint, m, and the joint.
    pub max_gap: f64,
    /// The joint with the largest opening.
    pub max_gap_joint: Option<JointId>,
    /// Sum of the openings of all rigid joints, m.
    pub sum_gap: f64,
    /// Largest angular error of a rigid row, rad.
    pub max_angle: f64,
    /// Most solves (factorisations) of any island.
    pub solves: usize,
    /// Factorisations in all islands.
    pub factorisations: usize,
    /// Right-hand sides solved in all islands.
    pub right_hand_sides: usize,
    /// Refinements of solutions.
    pub refinements: usize,
    /// Iterations of an iterative solver.
    pub iterations: usize,
    /// Worst relative residual; on trees it is looked at in every eighth step and zero in the others.
    pub residual: f64,
    /// The solver that ran.
    pub path: Solver,
    /// Whether the graph of joints is a tree (no loop rows, no fill).
    pub is_tree: bool,
    /// Islands with so much fill that they are factorised by dense panels; the others go block by block.
    pub panels: usize,
    /// Islands, and how many ran wholly in the resolved regime.
    pub islands: usize,
    /// Islands with share 1 of the resolved regime.
    pub resolved_islands: usize,
    /// Islands whose loops snapped taut: they were closed beyond the linearised rows, at a loss (reduced coordinates).
    pub snapped_islands: usize,
    /// Rows dropped as redundant in this step.
    pub dropped_rows: usize,
    /// Joints ever found redundant.
    pub redundant_joints: usize,
    /// Smallest pivot of a loop row relative to its mobility; infinite without loops.
    #[cfg_attr(feature = "serde", serde(with = "or_infinite"))]
    pub smallest_pivot: f64,
    /// Limits, ropes, bounded motors, friction and contacts.
    pub bounded: BoundedReport,
    /// Parts in which the step was taken: more than one where elements of deformables turned far within it.
    pub parts: usize,
    /// Largest error of the quadratic model of the elements of a deformable, in parts of the energy at play.
    pub soft_error: f64,
    /// Islands with deformables that fell back to backward Euler.
    pub guarded_islands: usize,
    /// What the structured solver reached and spent; none with other solvers.
    pub anytime: Option<AnytimeReport>,
    /// Rows that contradict each other, in a fixed order: motors that drive into each other, welds that were built apart, driven bodies that
    /// pull a taut chain. What they want cannot be had; the world goes on without it.
    pub conflicts: Vec<Conflict>,
    /// What happened, in a fixed order.
    pub events: Vec<Event>,
}

impl StepReport {
    /// Takes in the report of the next part of the same step.
    pub(crate) fn then(&mut self, next: StepReport) {
        let first = std::mem::replace(self, next);
        self.ledger.add(&first.ledger);
        for (all, part) in [
            (&mut self.factorisations, first.factorisations),
            (&mut self.right_hand_sides, first.right_hand_sides),
            (&mut self.refinements, first.refinements),
            (&mut self.iterations, first.iterations),
            (&mut self.bounded.solves, first.bounded.solves),
            (&mut self.bounded.iterations, first.bounded.iterations),
            (&mut self.bounded.sweeps, first.bounded.sweeps),
        ] {
            *all += part;
        }
        for (worst, part) in [
            (&mut self.solves, first.solves),
            (&mut self.guarded_islands, first.guarded_islands),
            (&mut self.snapped_islands, first.snapped_islands),
            (&mut self.bounded.unconverged, first.bounded.unconverged),
            (&mut self.bounded.hurried, first.bounded.hurried),
        ] {
            *worst = part.max(*worst);
        }
        self.residual = self.residual.max(first.residual);
        self.soft_error = self.soft_error.max(first.soft_error);
        self.smallest_pivot = self.smallest_pivot.min(first.smallest_pivot);
        let last = std::mem::take(&mut self.conflicts);
        self.conflicts = first.conflicts;
        self.conflicts.extend(last.into_iter().filter(|c| !self.conflicts.contains(c)).collect::<Vec<_>>());
        self.events.splice(0..0, first.events);
    }
}

/// A number that may be infinite, where JSON has none.
#[cfg(feature = "serde")]
mod or_infinite {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(x: &f64, s: S) -> Result<S::Ok, S::Error> {
        x.is_finite().then_some(*x).serialize(s)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<f64, D::Error> {
        Option::deserialize(d).map(|x| x.unwrap_or(f64::INFINITY))
    }
}

/// What a step with `Solver::Structured` reached within its budget. Errors are recomputed from velocities and poses after the last
/// iteration, so they are what is really left, and not an estimate.
///
/// A frame of three rods under a load, with at most 20 iterations for its loops: they are enough.
/// ```
/// use taut::{Body, Distance, Options, Solver, Vec3, World, settings::Budget};
/// let mut world = World::new();
/// let solver = Solver::Structured(Budget::iterations(20));
/// world.set_options(Options { solver, ..Options::default() })?;
/// let at = |x: f64| Vec3::new(x, -1.0, 0.0);
/// let (a, b) = (world.add(Body::particle(10.0).at(at(-1.0)))?, world.add(Body::particle(10.0).at(at(1.0)))?);
/// world.add(Distance::between(a, b))?;
/// world.add(Distance::between(a, world.ground()).ends(at(-1.0), -2.0 * Vec3::X))?;
/// world.add(Distance::between(b, world.ground()).ends(at(1.0), 2.0 * Vec3::X))?;
/// let Some(anytime) = world.step(0.01)?.anytime else { panic!("the solver is structured") };
/// assert!(anytime.reached && anytime.iterations <= 20 && anytime.gap < 1e-3);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AnytimeReport {
    /// Iterations within the budget.
    pub iterations: usize,
    /// Iterations beyond it, for the responses of bounded rows (limits, contacts), which are always solved to full accuracy.
    pub responses: usize,
    /// Passes that closed gaps by moving bodies.
    pub passes: usize,
    /// Largest velocity by which a loop row misses what was asked of it, m/s (rad/s).
    pub velocity_error: f64,
    /// Its joint.
    pub velocity_joint: Option<JointId>,
    /// Largest opening of a rigid joint after the step, m (rad).
    pub gap: f64,
    /// Its joint.
    pub gap_joint: Option<JointId>,
    /// Whether everything is within the tolerances of the budget.
    pub reached: bool,
    /// Whether rows contradict each other: no iterations can make the error smaller. The joint is that with the largest error.
    pub contradiction: bool,
}

/// What bounded rows (limits, ropes, bounded motors, joint friction, contacts) took in a step.
///
/// A crate on the ground touches with its four corners: four contacts of three rows each.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// world.add(Collider::new(Shape::ground()).on(world.ground()))?;
/// world.add(Body::solid(Shape::cuboid(Vec3::splat(0.5)), 100.0)?.at(0.5 * Vec3::Y))?;
/// let bounded = world.step(0.01)?.bounded;
/// assert_eq!((bounded.contacts, bounded.candidates, bounded.unconverged), (4, 12, 0));
/// assert!(bounded.residual < 1e-8);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BoundedReport {
    /// Rows that could have acted (three per contact), and those in the solve.
    pub candidates: usize,
    /// Rows in the solve.
    pub rows: usize,
    /// Rows of the largest cluster.
    pub largest: usize,
    /// Clusters: islands joined by bounded rows.
    pub clusters: usize,
    /// Contact points that push.
    pub contacts: usize,
    /// Largest residual of the natural map, in the units of `Options::bounded_tolerance`: m/s (rad/s) on Earth.
    pub residual: f64,
    /// Largest velocity by which the rows of joints in clusters miss what was asked of them, m/s (rad/s).
    pub joint_residual: f64,
    /// Largest excess of rigid ropes and limits of length at the end of the step, m.
    pub overrun: f64,
    /// Sum of all such excesses of lengths, m.
    pub overrun_sum: f64,
    /// Largest excess of rigid limits of angle at the end of the step, rad.
    pub overrun_angle: f64,
    /// Largest error of a rigid coupling at the end of the step, as the angle (rad) or the part of its smaller body's size by which one of
    /// its freedoms alone would be off. It stays open where motors or other couplings pull against it.
    pub coupling: f64,
    /// Solves of all clusters: one per pass and per look at the second order.
    pub solves: usize,
    /// Newton steps, pivots or conjugate gradient steps.
    pub iterations: usize,
    /// Sweeps over all rows.
    pub sweeps: usize,
    /// Clusters whose result did not reach the tolerance.
    pub unconverged: usize,
    /// Heaps in motion, which are swept within a budget and are not asked to reach it; `residual` says how far they came. Joints are exact all
    /// the same.
    pub hurried: usize,
    /// Clusters where the convex law stood in for Coulomb's: sliding contacts are lifted a little.
    pub convex: usize,
    /// Deepest penetration of rigid contacts at the start of the step, m.
    pub penetration: f64,
}

impl BoundedReport {
    pub(crate) fn new(b: &Bounded, inputs: &Inputs, overrun: Overrun, coupling: f64) -> Self {
        let contact = |c: &&Candidate| matches!(c.origin, Origin::Contact(_));
        let (rows, found) = (&b.set.rows, &inputs.contacts);
        let contacts = || b.set.candidates.iter().filter(contact);
        let tally = &b.tally;
        BoundedReport {
            candidates: rows.len(),
            rows: tally.rows,
            largest: tally.largest,
            clusters: inputs.candidates.cluster_count,
            contacts: contacts().filter(|c| rows[c.row].z > 0.0).count(),
            residual: tally.residual,
            joint_residual: tally.joints,
            overrun: overrun.most[0],
            overrun_sum: overrun.sum,
            overrun_angle: overrun.most[1],
            coupling,
            solves: tally.solves,
            iterations: tally.iterations,
            sweeps: tally.sweeps,
            unconverged: tally.unconverged,
            hurried: tally.hurried,
            convex: tally.convex,
            penetration: found.iter().filter(|c| c.compliance == 0.0).map(|c| -c.distance).fold(0.0, f64::max),
        }
    }
}

/// The stretch of a compliant row after a step that counts as elastic, m or rad. Of |phi+| of a stiff row, which backward Euler holds
/// (theta near 1), most is the second order of the step, l (h w)^2/2, which no force has to do with and which the next step takes back;
/// the stretch C lambda that the spring's force goes with has none. A row that is resolved (theta near 0) has the stretch that it has.
fn booked_stretch(theta: f64, phi_next: f64, held: f64) -> f64 {
    (1.0 - theta) * phi_next.abs() + theta * phi_next.abs().min(held.abs())
}

/// What the elastic energy of rows is made of: violations at a pose, and the stretch of the step that led there.
pub(crate) struct Rest<'a> {
    phi: &'a [f64],
    stretch: &'a [f64],
    /// Lengths of rope in segments, not stretched, m.
    paths: &'a [f64],
    twisted: &'a [Twisted],
}

impl<'a> Rest<'a> {
    /// At the pose where the rows were evaluated.
    pub fn now(inputs: &'a Inputs) -> Self {
        let Inputs { rows, paths, twisted, .. } = inputs;
        Rest { phi: &rows.phi, stretch: &rows.stretch, paths, twisted }
    }
}

/// Potential energies (gravity, elastic) at a pose.
pub(crate) fn potential(
    model: &Model,
    t: &Topology,
    gravity: DVec3,
    kin: &[Kin],
    rows: &Rows,
    at: Rest<'_>,
) -> [f64; 2] {
    let g: f64 = t.nodes.iter().zip(kin).map(|(n, k)| -n.weight * gravity.dot(k.pos)).sum();
    let bound = |m: &BoundMass| -m.weight * gravity.dot(kin[m.body].pos + kin[m.body].rot * m.arm);
    let g = g + t.soft.masses.iter().map(bound).sum::<f64>();
    let bounds = |spec, row: usize| crate::bounded::stored(spec, at.phi[row], at.stretch[row]);
    let mut e = 0.0;
    let soft = if rows.any_soft { t.row_count } else { 0 };
    for r in 0..soft {
        let c = rows.compliance[r];
        // A motor stores nothing: what it does is work.
        if c > 0.0 && c.is_finite() && !rows.is_motor(r) {
            e += stored(c, at.phi[r], at.stretch[r]);
        }
    }
    e += t.bounds.iter().enumerate().map(|(k, b)| bounds(&b.spec, t.row_count + k)).sum::<f64>();
    for (k, c) in t.couplings.iter().enumerate().filter(|(_, c)| is_spring(&c.soft)) {
        let row = t.coupling_row(k);
        e += stored(c.soft.compliance, at.phi[row], at.stretch[row]);
    }
    for k in 0..t.segments.len() {
        let (row, soft) = (t.segment_row(k), reeved::soft(t, k, at.paths));
        if is_spring(&soft) {
            e += stored(soft.compliance, at.phi[row].max(0.0), at.stretch[row]);
        }
    }
    for (k, twist) in at.twisted.iter().enumerate() {
        let (row, soft) = (t.twist_row(k), twisted::soft(t, k, twist));
        e += stored(soft.compliance, at.phi[row], at.stretch[row]) + twist.wound_energy(t.twists[k].stiffness);
    }
    for l in &t.links {
        if let Source::Spring(slot) = l.source
            && let Some(Force::Spring(s)) = model.forces.at(slot).map(|f| &f.force)
        {
            let (i, j) = (&kin[l.i], &kin[l.j]);
            e += s.energy((i.pos + i.rot * l.si - j.pos - j.rot * l.sj).length());
        }
    }
    [g, e]
}

/// Whether something with this law stores energy.
pub(crate) fn is_spring(soft: &Softness) -> bool {
    soft.compliance > 0.0 && soft.compliance.is_finite()
}

/// Energy in the compliance of contacts, J.
pub(crate) fn in_contacts(records: &[ContactRecord]) -> f64 {
    records.iter().map(|c| c.stored).sum()
}

/// Energy of the elements of all deformables at a pose, and how much of it they did not have yet in the middle of the drift that led there, J.
#[derive(Clone, Copy)]
pub(crate) struct Stored {
    pub now: f64,
    pub lag: f64,
}

impl Stored {
    fn centred(&self) -> f64 {
        self.now - self.lag
    }
}

/// What the ledger needs beside the desk.
pub(crate) struct Books<'a> {
    pub model: &'a Model,
    pub gravity: DVec3,
    pub h: f64,
    /// Potentials at the start, and half their last change.
    pub before: [f64; 2],
    pub lag: [f64; 2],
    /// Geometric stiffness in the matrix, if any: true when only its symmetric part is.
    pub geo: Option<bool>,
    /// Kinetic energy that loops gained when they snapped taut, J.
    pub snapped: f64,
    /// What the rebound gave, J: kinetic energy, and what changes of the centred potential.
    pub rebound: [f64; 2],
    /// Energy in the compliance of contacts before and after the step, J.
    pub contacts: [f64; 2],
    /// Energy of the elements of deformables at the start, less that in the middle of the drift before it; the same of this step; and
    /// what yielding takes after it, J.
    pub elements: [Stored; 2],
    pub plastic: f64,
}

/// Energies after the step, the ledger, and the new lag. The velocities of the solution have done the work; what snaps and rebounds have
/// changed after it is in the books as it is.
pub(crate) fn close(t: &Given<'_>, desk: &mut Desk, b: &Books<'_>) -> (Energy, Ledger, [f64; 2]) {
    mean_velocities(t, &mut desk.sol);
    stretches(t, b.h, (&desk.law, &desk.force, &desk.bounded.set, &desk.sol.x), &mut desk.next);
    let ledger = elements(t, desk);
    let booked = entries(t, desk, b, ledger);
    desk.profile.mark(Stage::Books);
    booked
}

/// Work of the elements of deformables on the nodes.
fn elements(t: &Given<'_>, desk: &mut Desk) -> Ledger {
    let mut l = Ledger::default();
    for island in t.islands.iter().filter(|i| t.soft.is_in(i.k)) {
        let Done { inside, driven } = elastic::work::done(t, island, &desk.sol.x, &mut desk.smooth);
        let damped = elastic::work::damped(t, island, &desk.sol.x, &mut desk.smooth);
        l.damping += damped;
        l.elements += inside + driven - damped;
        l.work -= driven;
    }
    l
}

fn entries(t: &Given<'_>, desk: &Desk, b: &Books<'_>, mut l: Ledger) -> (Energy, Ledger, [f64; 2]) {
    let Next { phi, stretch, paths, twisted, .. } = &desk.next;
    let next = Rest { phi, stretch, paths, twisted };
    let after = potential(b.model, t, b.gravity, &desk.next.kin, &t.inputs.rows, next);
    let mut lag = [0.5 * (after[0] - b.before[0]), 0.5 * (after[1] - b.before[1])];
    let (mut t0, mut t1, mut fall) = (0.0, 0.0, 0.0);
    for (n, node) in t.nodes.iter().enumerate() {
        let (now, next) = (&t.inputs.kin[n], &desk.next.kin[n]);
        let hk = t.inputs.hk[node.island];
        let (v, w) = velocity_of(t, n, &desk.sol.x);
        let mean = 0.5 * (now.vel + v);
        let linear = (0.5 * node.mass * now.vel.length_squared(), 0.5 * node.mass * v.length_squared());
        t0 += linear.0;
        t1 += linear.1;
        fall += hk * node.weight * b.gravity.dot(mean);
        if t.inputs.has_applied {
            l.work += vec3(&t.inputs.applied, node.x).dot(mean);
        }
        l.damping -= hk * node.linear_damping * node.mass * v.dot(mean);
        l.damping -= hk * node.drag.0 * v.dot(mean);
        if !t.inputs.around.is_empty() {
            let [done, lost] = field::done(t, n, &desk.sol.x);
            (l.work, l.damping) = (l.work + done, l.damping + lost);
        }
        l.stabiliser += work::of_node(t, &desk.stiff, &desk.memory, &desk.sol.x, n);
        if node.dim == 6 {
            let wg = t.inputs.omega_g[n];
            let mean = 0.5 * (wg + w);
            let lw = t.inputs.inertia[n] * w;
            let spin = 0.5 * w.dot(lw);
            if t.inputs.has_applied {
                l.work += vec3(&t.inputs.applied, node.x + 3).dot(mean);
            }
            l.damping -= hk * node.angular_damping * lw.dot(mean);
            l.damping -= hk * node.drag.1 * w.dot(mean);
            // Gyroscopic pre-update, momentum corrections, and the inertia turning with the body.
            let before = 0.5 * now.omega.dot(t.inputs.inertia[n] * now.omega);
            let after = if node.isotropic {
                spin
            } else {
                let local = next.rot.transpose() * w;
                0.5 * local.dot(t.local_inertia[n] * local)
            };
            t0 += before;
            t1 += after;
            l.integration += 0.5 * wg.dot(t.inputs.inertia[n] * wg) - before;
            if desk.second.kicked[node.island] {
                l.integration += desk.second.kick[n].dot(mean);
            }
            l.integration += after - spin;
        }
    }
    l.integration += fall + lag[0] + b.lag[0];
    let bound = bound_masses(t, desk, b, &mut l);
    (t0, t1) = (t0 + bound[0], t1 + bound[1]);
    rows_and_links(t, desk, b, &mut l);
    bounded_rows(t, desk, &mut l);
    let soft = b.elements[1].centred() - b.elements[0].centred();
    l.elements += soft;
    l.plastic -= b.plastic;
    l.constraints += lag[1] + b.lag[1];
    let ([gain, centred], stored) = (b.rebound, b.contacts[1] - b.contacts[0]);
    l.change = t1 - t0 + lag[0] + b.lag[0] + lag[1] + b.lag[1] + b.snapped + gain + centred + stored + soft - b.plastic;
    l.constraints += b.snapped;
    l.contacts += gain + centred + stored;
    l.settle();
    lag[0] -= centred;
    let held = b.elements[1].centred() - b.plastic;
    let (gravity, elastic) = (after[0] - lag[0] + t.asleep[0], after[1] - lag[1] + t.asleep[1] + b.contacts[1] + held);
    (Energy { kinetic: t1 + b.snapped + gain, gravity, elastic }, l, lag)
}

/// Books the masses that are bound to bodies; returns their kinetic energy before and after, J.
fn bound_masses(t: &Given<'_>, desk: &Desk, b: &Books<'_>, l: &mut Ledger) -> [f64; 2] {
    let (mut before, mut after) = (0.0, 0.0);
    for m in &t.soft.masses {
        let (now, next) = (&t.inputs.kin[m.body], &desk.next.kin[m.body]);
        let arm = now.rot * m.arm;
        let new = anchor(t, &desk.sol.x, m.body, arm);
        let old = now.vel + if t.nodes[m.body].dim == 6 { t.inputs.omega_g[m.body].cross(arm) } else { DVec3::ZERO };
        let mean = 0.5 * (old + new);
        let change = m.mass * (new - elastic::carried(now, arm, (t.inputs.h_prev[m.body], b.h))).dot(mean);
        let [start, end] = [elastic::kinetic(m, now), elastic::kinetic(m, next)];
        // The change of the kinetic energy beyond the work that was done on the mass: its way is an arc, and gravity is centred.
        let fall = t.inputs.hk[t.nodes[m.body].island] * m.weight * b.gravity.dot(mean);
        l.integration += end - start - change + fall;
        (before, after) = (before + start, after + end);
    }
    [before, after]
}

impl Ledger {
    /// Takes in that of another part of the same step.
    fn add(&mut self, l: &Ledger) {
        let Ledger { change, work, damping, stabiliser, constraints, contacts, elements, plastic, .. } = self;
        for (sum, part) in [
            (change, l.change),
            (work, l.work),
            (damping, l.damping),
            (stabiliser, l.stabiliser),
            (constraints, l.constraints),
            (contacts, l.contacts),
            (elements, l.elements),
            (plastic, l.plastic),
        ] {
            *sum += part;
        }
        self.broken += l.broken;
        self.fed += l.fed;
        self.merged += l.merged;
        self.integration += l.integration;
        self.imbalance += l.imbalance;
    }

    /// Finds the imbalance.
    pub(crate) fn settle(&mut self) {
        let rows =
            self.constraints + self.contacts + self.elements + self.plastic + self.broken + self.fed + self.merged;
        self.imbalance = self.change - (self.work + self.damping + self.stabiliser + rows + self.integration);
    }
}

/// Work of the bounded rows.
fn bounded_rows(t: &Given<'_>, desk: &Desk, l: &mut Ledger) {
    for c in desk.bounded.set.candidates.iter().filter(|c| c.active) {
        if matches!(c.origin, Origin::Block { .. }) {
            continue;
        }
        for r in c.rows() {
            let row = &desk.bounded.set.rows[r];
            // What driven bodies give to the row.
            l.work -= row.z * row.drive;
            let mean = velocity(t, desk.bounded.set.rows.sides(r), &desk.sol.residual) + row.drive;
            let inside = row.z * mean;
            match c.origin {
                Origin::Coupling(k) => {
                    let damper = damper(t, k, &desk.bounded.set, r, &desk.sol.x) * mean;
                    l.damping += damper;
                    l.constraints += inside - damper;
                }
                Origin::Rope(_) => {
                    // What friction takes at the guides that it slips over.
                    let rubbed = row.z * slipping(t, &desk.bounded.set, c, &desk.sol.x);
                    l.damping += rubbed;
                    l.constraints += inside - rubbed;
                }
                Origin::Blocked { .. } | Origin::Full(_) | Origin::Twist(_) => l.constraints += inside,
                Origin::Contact(_) | Origin::Block { .. } => l.contacts += inside,
                Origin::Speed { .. } => l.damping += inside,
                Origin::Joint { bound, .. } => match t.bounds[bound].spec.bound {
                    Bound::Motor { .. } => l.work += inside,
                    Bound::Friction { .. } | Bound::Speed { .. } => l.damping += inside,
                    Bound::Limit { .. } => l.constraints += inside,
                },
            }
        }
    }
}

/// The impulse of the damper of a coupling.
fn damper(t: &Given<'_>, k: usize, set: &Set, r: usize, x: &[f64]) -> f64 {
    let soft = &t.couplings[k].soft;
    if soft.is_rigid() || soft.damping == 0.0 {
        return 0.0;
    }
    let rate = velocity(t, set.rows.sides(r), x) + set.rows[r].drive;
    -hk_of(t, &t.inputs.hk, set.rows.sides(r)) * soft.damping * rate
}

/// (v_g + v+)/2 of every node, into `residual`, which has served.
fn mean_velocities(t: &Given<'_>, sol: &mut Solution) {
    for (n, node) in t.nodes.iter().enumerate() {
        for (c, v) in t.inputs.kin[n].vel.to_array().into_iter().enumerate() {
            sol.residual[node.x + c] = 0.5 * (v + sol.x[node.x + c]);
        }
        if node.dim == 6 {
            for (c, w) in t.inputs.omega_g[n].to_array().into_iter().enumerate() {
                sol.residual[node.x + 3 + c] = 0.5 * (w + sol.x[node.x + 3 + c]);
            }
        }
    }
}

/// Stretches of the compliant rows, of the limits that push, and of couplings.
fn stretches(t: &Given<'_>, h: f64, (law, force, set, x): (&Law, &Multipliers, &Set, &[f64]), next: &mut Next) {
    let rows = &t.inputs.rows;
    let soft = if rows.any_soft { &t.groups[..] } else { &[] };
    for g in soft {
        for r in 0..g.rows() {
            let row = g.row() + r;
            if rows.compliance[row] > 0.0 {
                let rate = row_velocity(t, g, r, &rows.jac, x) + rows.drive[row];
                let damper = (rows.damping[row] + law.added_damping[row]) * rate;
                let held = rows.compliance[row] * (force.found[row] + damper);
                let theta = rows.theta(row, law.sigma[row], law.added_damping[row], h);
                next.stretch[row] = booked_stretch(theta, next.phi[row], held);
            }
        }
    }
    next.stretch[t.row_count..].fill(0.0);
    for c in set.candidates.iter().filter(|c| c.active) {
        let row = &set.rows[c.row];
        let (at, soft, beyond) = match c.origin {
            Origin::Joint { bound, .. } => {
                let (at, spec) = (t.row_count + bound, &t.bounds[bound].spec);
                let Bound::Limit { soft, .. } = spec.bound else { continue };
                (at, soft, crate::bounded::beyond(spec, next.phi[at]))
            }
            Origin::Coupling(k) => (t.coupling_row(k), t.couplings[k].soft, next.phi[t.coupling_row(k)]),
            Origin::Rope(k) => {
                (t.segment_row(k), reeved::soft(t, k, &t.inputs.paths), next.phi[t.segment_row(k)].max(0.0))
            }
            Origin::Twist(k) => (t.twist_row(k), twisted::soft(t, k, &t.inputs.twisted[k]), next.phi[t.twist_row(k)]),
            _ => continue,
        };
        if row.z != 0.0 && soft.compliance > 0.0 {
            let rate = velocity(t, set.rows.sides(c.row), x) + row.drive;
            let sigma = row.sigma * hk_of(t, &t.inputs.hk, set.rows.sides(c.row)) / h;
            let theta = implicit(soft.compliance, soft.damping, sigma, h);
            let mut held = soft.compliance * (force.found[at] + soft.damping * rate);
            if let Origin::Twist(k) = c.origin {
                held *= next.twisted[k].kept;
            }
            next.stretch[at] = booked_stretch(theta, beyond, held);
            if let Origin::Rope(k) = c.origin {
                // The same strain of what it is now.
                next.stretch[at] *= next.paths[k] / t.inputs.paths[k];
            }
        }
    }
}

fn rows_and_links(t: &Given<'_>, desk: &Desk, b: &Books<'_>, l: &mut Ledger) {
    let mut means = [0.0; MAX_DIM];
    for (k, g) in t.groups.iter().enumerate() {
        let hk = t.inputs.hk[g.island()];
        joint_velocity(t, k, &t.inputs.rows, &desk.sol.residual, &mut means);
        for (r, &mean) in means[..g.rows()].iter().enumerate() {
            let row = g.row() + r;
            let impulse = -desk.sol.x[g.x() + r];
            let drive = t.inputs.rows.drive[row];
            l.work -= impulse * drive;
            let inside = impulse * (mean + drive);
            if t.inputs.rows.is_motor(row) {
                l.work += inside;
                continue;
            }
            let own = t.inputs.rows.damping[row];
            let added = if desk.law.has_added_damping { desk.law.added_damping[row] } else { 0.0 };
            if own + added == 0.0 || t.inputs.rows.compliance[row] == 0.0 {
                l.constraints += inside;
                continue;
            }
            let after = row_velocity(t, g, r, &t.inputs.rows.jac, &desk.sol.x);
            let rate = -hk * (after + drive) * (mean + drive);
            l.damping += own * rate;
            l.stabiliser += added * rate;
            l.constraints += inside - (own + added) * rate;
        }
    }
    for (k, link) in t.links.iter().enumerate() {
        let mut term = t.inputs.links[k];
        let speeds = |arm_i: DVec3, arm_j: DVec3| {
            let side = |body: usize, arm: DVec3| {
                if t.is_node(body) {
                    let old = t.inputs.kin[body].vel
                        + if t.nodes[body].dim == 6 { t.inputs.omega_g[body].cross(arm) } else { DVec3::ZERO };
                    let new = anchor(t, &desk.sol.x, body, arm);
                    (0.5 * (old + new), new)
                } else {
                    let v = t.inputs.kin[body].vel + t.inputs.kin[body].omega.cross(arm);
                    (v, v)
                }
            };
            let (i, j) = (side(link.i, arm_i), side(link.j, arm_j));
            (
                i.0 - j.0,
                i.1 - j.1,
                if t.is_node(link.i) { DVec3::ZERO } else { i.1 },
                if t.is_node(link.j) { DVec3::ZERO } else { j.1 },
            )
        };
        let (mean, after, driven_i, driven_j) = speeds(term.si, term.sj);
        let node = if t.is_node(link.i) { link.i } else { link.j };
        let island = t.nodes[node].island;
        match link.source {
            Source::Row(_) => {
                // The memory of an element is in `memory`; this is what it takes.
                term.across = (1.0 - desk.stiff.share[island]) * desk.stiff.now.element[k];
                term.along = 0.0;
                let w = anchor(t, &desk.sol.x, link.i, term.si) - anchor(t, &desk.sol.x, link.j, term.sj);
                let free = mean - driven_i + driven_j;
                l.stabiliser -= form(&term, w).dot(free);
            }
            Source::Mouse(slot) => {
                let Some(Force::Mouse(m)) = b.model.forces.at(slot).map(|f| &f.force) else { continue };
                let (k, _) = m.constants(t.nodes[link.i].mass);
                let pull =
                    -t.inputs.hk[island] * k * (t.inputs.kin[link.i].pos + term.si - m.target) - form(&term, after);
                l.work += pull.dot(mean);
            }
            Source::Spring(slot) => {
                let Some(Force::Spring(s)) = b.model.forces.at(slot).map(|f| &f.force) else { continue };
                let hk = t.inputs.hk[island];
                let push = -hk * s.stiffness * (term.length - s.rest_length) * term.u - form(&term, after);
                // A driven end does work on the spring.
                l.work -= push.dot(driven_i - driven_j);
                let damper = -hk * s.damping * term.u.dot(after) * term.u.dot(mean);
                l.damping += damper;
                l.constraints += push.dot(mean) - damper;
            }
        }
    }
    if let Some(symmetric) = b.geo {
        geometric_work(t, desk, b.h * b.h, symmetric, l);
    }
}

/// Work of h^2 K~ v+ against the mean velocity (Full, Symmetric, LowRank).
fn geometric_work(t: &Given<'_>, desk: &Desk, h2: f64, symmetric: bool, l: &mut Ledger) {
    for (k, g) in t.groups.iter().enumerate() {
        let (mut v, mut mean) = ([0.0; 12], [0.0; 12]);
        for (slot, b) in [(0, g.i()), (6, g.j())] {
            if !t.is_node(b) {
                continue;
            }
            let node = &t.nodes[b];
            let old: Vec<f64> =
                t.inputs.kin[b].vel.to_array().into_iter().chain(t.inputs.omega_g[b].to_array()).collect();
            for c in 0..node.dim {
                v[slot + c] = desk.sol.x[node.x + c];
                mean[slot + c] = 0.5 * (old[c] + v[slot + c]);
            }
        }
        for r in 0..12 {
            for c in 0..12 {
                let geo = if symmetric {
                    0.5 * (desk.stiff.geo[k][r][c] + desk.stiff.geo[k][c][r])
                } else {
                    desk.stiff.geo[k][r][c]
                };
                l.stabiliser += h2 * mean[r] * geo * v[c];
            }
        }
    }
}

/// Openings of rigid joints.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gaps {
    /// Largest opening, m.
    pub max: f64,
    /// The slot of its joint.
    pub joint: Option<usize>,
    /// Sum of the openings of all joints, m.
    pub sum: f64,
    /// Largest angular error, rad.
    pub angle: f64,
}

impl Gaps {
    /// Takes in a joint, by its slot, with its opening, m.
    #[inline]
    pub fn open(&mut self, joint: usize, gap: f64) {
        self.sum += gap;
        if gap > self.max {
            (self.max, self.joint) = (gap, Some(joint));
        }
    }

    /// Takes in an angular error, rad.
    #[inline]
    pub fn turn(&mut self, phi: f64) {
        self.angle = self.angle.max(phi.abs());
    }
}

/// Openings at the new pose.
pub(crate) fn gaps(t: &Topology, rows: &Rows, next: &Next) -> Gaps {
    let mut out = Gaps::default();
    for g in &t.groups {
        let open = Opening::of(g, |r| {
            let row = g.row() + r;
            let p = rows.is_rigid(row).then(|| next.phi[row])?;
            // What the compliance of a nearly rigid row gives is no gap.
            Some(if rows.compliance[row] > 0.0 { (p.abs() - next.stretch[row]).max(0.0) } else { p })
        });
        out.open(g.slot(), open.gap);
        out.turn(open.angle);
    }
    out
}

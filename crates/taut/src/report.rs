//! What a step tells: energies, where energy went, gaps, and what the solve cost.
//!
//! Energies are centred in time: the kinetic energy of v, which lives half a step before the pose, goes with the mean of the
//! potentials at the two poses around it, so a symplectic pendulum shows no first-order ripple.
//!
//! The ledger splits the change of that energy. With vb = (v_g + v+)/2 every impulse q in M (v+ - v_g) = sum q does the work
//! q.vb exactly; every entry below is computed from its own impulses, none as a remainder, and `imbalance` is what is left.

mod bodies;
mod books;

pub(crate) use books::{Books, Stored, close};

use crate::bounded::accuracy::Overrun;
use crate::bounded::{reeved, twisted};
use crate::close::opening::Opening;
use crate::conflicts::Conflict;
use crate::contact::ContactRecord;
use crate::desk::Next;
use crate::desk::bounded::{Bounded, Candidate, Origin};
use crate::desk::inputs::Inputs;
use crate::events::Event;
use crate::ids::JointId;
use crate::joints::Softness;
use crate::kin::Kin;
use crate::model::Model;
use crate::model::force::Force;
use crate::options::Solver;
use crate::reeve::twist::Twisted;
use crate::rows::{Rows, stored};
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
        let c = rows.compliance(r);
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
            Some(if rows.compliance(row) > 0.0 { (p.abs() - next.stretch[row]).max(0.0) } else { p })
        });
        out.open(g.slot(), open.gap);
        out.turn(open.angle);
    }
    out
}

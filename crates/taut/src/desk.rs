//! What the solve of a system writes: one struct for each stage that writes it. Disposable: nothing here outlives the step but its
//! memory. Arrays are those of the whole layout, in elimination order; a system touches its own parts of them.

pub(crate) mod around;
pub(crate) mod bounded;
pub(crate) mod factor;
pub(crate) mod inputs;
pub(crate) mod jointed;
#[cfg(all(feature = "parallel", not(target_family = "wasm")))]
mod take;

use crate::contact::ContactRecord;
use crate::integrate;
use crate::kin::Kin;
use crate::math::so3::Arc;
use crate::profile::Profile;
use crate::reeve::twist::{Leg, Twisted};
use crate::state::Regime;
use crate::topology::{Island, Topology, renewed, sized};
use bounded::Bounded;
use factor::Factor;
use glam::{DMat3, DQuat, DVec3};
use inputs::{Given, Inputs};

/// All that a thread needs to solve systems, one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Desk {
    pub regime: Vec<Regime>,
    pub law: Law,
    pub force: Multipliers,
    pub stiff: Stabilised,
    pub memory: Memory,
    pub right: RightSide,
    pub factor: Factor,
    pub sol: Solution,
    pub second: Second,
    pub bounded: Bounded,
    pub next: Next,
    pub snap: Snap,
    pub smooth: Smooth,
    /// A desk of its own for the projection of poses, made when it is first needed.
    pub projector: Option<Box<Projector>>,
    /// Where the time goes, for benchmarks.
    pub profile: Profile,
}

/// The laws of the rows in this solve: those of the step, until a row has to give or to yield. Written by `passes`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Law {
    /// Sigma, 1/kg or 1/(kg m^2), by row.
    pub sigma: Vec<f64>,
    /// Gamma, no unit, by row.
    pub gamma: Vec<f64>,
    /// Damping that the stabiliser adds to compliant rows, N s/m or N m s/rad; empty until it does.
    pub added_damping: Vec<f64>,
    /// Whether there is any.
    pub has_added_damping: bool,
    /// Whether a driven row has yielded (`passes::stall`).
    pub yielded: Vec<bool>,
    /// Islands with rows that have yielded.
    pub stalled: Vec<bool>,
    /// Islands with a joint that was ever found redundant.
    pub redundant: Vec<bool>,
}

impl Law {
    /// Damping that the stabiliser adds to a row.
    #[inline]
    pub fn added(&self, row: usize) -> f64 {
        self.added_damping.get(row).copied().unwrap_or(0.0)
    }
}

/// Multipliers by row, N or N m. Written by `passes`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Multipliers {
    /// Those the stabiliser reads: of the last step, or of the last pass.
    pub load: Vec<f64>,
    /// Those of this step.
    pub found: Vec<f64>,
}

/// Stiffness per node (angular, h^2 S) and per link (h^2 |lambda|/l).
#[derive(Clone, Debug, Default)]
pub(crate) struct Stiffness {
    pub added: Vec<DMat3>,
    pub element: Vec<f64>,
}

/// What the stabiliser adds to the matrix. Written by `stabilise`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stabilised {
    /// From the multipliers of the last pass, before the share r is taken off.
    pub now: Stiffness,
    /// From the multipliers just found.
    pub next: Stiffness,
    /// Resolved share r of each island.
    pub share: Vec<f64>,
    /// Diagonal added by the paper's inertial damping, per unknown.
    pub damping: Vec<f64>,
    /// Geometric stiffness of each group (Full, Symmetric, Inertial, ConstraintSpace).
    pub geo: Vec<crate::constraint::Geo>,
}

/// What the stiffness of the stabiliser gives back. Written by `stabilise::memory`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    /// Impulse on each unknown.
    pub impulse: Vec<f64>,
    /// Angular velocity of each body after its own memory alone.
    pub predicted: Vec<DVec3>,
    /// Part of a rod's turning that is left after its memory.
    pub element_kept: Vec<f64>,
    /// Angular velocity of each rod, rad/s.
    pub turning: Vec<DVec3>,
    /// What open joints leave of a body's memory, 0 to 1.
    pub fade: Vec<f64>,
}

/// The right-hand side. Written by `passes`, its curvature by `stabilise::curvature`.
#[derive(Clone, Debug, Default)]
pub(crate) struct RightSide {
    /// Without the memory.
    pub b: Vec<f64>,
    /// Curvature of each row along the present motion, m or rad.
    pub curve: Vec<f64>,
}

/// The solution of the linear system. Written by `passes`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Solution {
    /// Velocities, and minus the impulses of the rows.
    pub x: Vec<f64>,
    pub residual: Vec<f64>,
    /// The solution before the last one.
    pub saved: Vec<f64>,
}

/// The second order of resolved islands. Written by `stabilise::resolved` and the passes that follow it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Second {
    /// Direction of the power iteration, by unknown.
    pub probe: Vec<f64>,
    /// Part that each joint, and each body, takes in the corrections.
    pub weight: Vec<f64>,
    pub body_weight: Vec<f64>,
    pub correction: Vec<DVec3>,
    /// Momentum corrections in the present solution, and in the one before.
    pub kick: Vec<DVec3>,
    pub kick_before: Vec<DVec3>,
    /// Islands whose estimate moved `probe`; islands with momentum corrections in `kick`.
    pub probed: Vec<bool>,
    pub kicked: Vec<bool>,
}

/// Poses after the step. Written by `integrate` and by what closes joints.
#[derive(Clone, Debug, Default)]
pub(crate) struct Next {
    pub kin: Vec<Kin>,
    /// Violations there, by row.
    pub phi: Vec<f64>,
    /// Islands whose `kin` and `phi` go with the present solution.
    pub posed: Vec<bool>,
    /// Islands whose `phi` does, though there are no poses for it.
    pub seen: Vec<bool>,
    /// Velocities that lead to where the joints are closed, by unknown, and one correction of them; reduced coordinates alone.
    pub moved: Vec<f64>,
    pub correction: Vec<f64>,
    /// Turns of the bodies, where ball joints are looked at without poses.
    pub arcs: Vec<Arc>,
    /// Poses of one island before they are moved.
    pub saved: Vec<Kin>,
    /// Stretch of compliant rows that counts as elastic, m or rad (`report::booked_stretch`); as long as that of the inputs.
    pub stretch: Vec<f64>,
    /// Position of each term of a coupling, m or rad, whole turns counted.
    pub coupled: Vec<f64>,
    /// Angles of the tangent points of spans of ropes, whole turns counted, rad.
    pub wound: Vec<[f64; 2]>,
    /// Length of rope on the way of each segment, not stretched, m.
    pub paths: Vec<f64>,
    /// Rate at which ropes slip into each of their segments, m/s.
    pub slip: Vec<f64>,
    /// Torsion of ropes over guides, and room for the pieces of one.
    pub twisted: Vec<Twisted>,
    pub legs: Vec<Leg>,
    /// Position of each freedom whose turns are counted, rad, and its whole turns.
    pub turned: Vec<f64>,
    pub wind: Vec<f64>,
    /// Contacts that pushed, sorted by id; after the step those of the step before.
    pub records: Vec<ContactRecord>,
}

/// What the elements of deformables give back of what backward Euler takes from their motion. Written by `passes::smooth`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Smooth {
    /// Impulse that is given back, by unknown.
    pub impulse: Vec<f64>,
    /// Velocities and forces after one backward Euler solve, and room to work.
    pub slow: Vec<f64>,
    pub forced: Vec<f64>,
    pub work: Vec<f64>,
    /// Poses with the velocities found.
    pub kin: Vec<Kin>,
    /// Islands that fell back to backward Euler.
    pub guarded: Vec<bool>,
    /// What elements keep after the step (`State::soft`).
    pub kept: Vec<f64>,
    /// Energy of the elements in the middle of the drift, J, by island.
    pub middle: Vec<f64>,
    /// Energy after the step, J, and the error of their quadratic model, by island.
    pub energy: Vec<f64>,
    pub error: Vec<f64>,
    /// By element (`Soft::elements`): violation of its volume row where the step leads, the pressure that was added to it after the
    /// solve and in the last round, Pa. Written by `passes::volume`.
    pub phi: Vec<f64>,
    pub more: Vec<f64>,
    pub given: Vec<f64>,
}

impl Smooth {
    /// Memory for a layout: none where there are no elements.
    fn new(t: &Topology) -> Self {
        if t.soft.is_empty() {
            return Smooth::default();
        }
        let (numbers, islands) = (|| vec![0.0; t.pattern.size()], t.islands.len());
        let kin =
            Kin { pos: DVec3::ZERO, quat: DQuat::IDENTITY, rot: DMat3::IDENTITY, vel: DVec3::ZERO, omega: DVec3::ZERO };
        Smooth {
            impulse: numbers(),
            slow: numbers(),
            forced: numbers(),
            work: numbers(),
            kin: vec![kin; t.slot_of.len()],
            guarded: vec![false; islands],
            kept: Vec::new(),
            middle: vec![0.0; islands],
            energy: vec![0.0; islands],
            error: vec![0.0; islands],
            phi: vec![0.0; t.soft.elements.len()],
            more: vec![0.0; t.soft.elements.len()],
            given: vec![0.0; t.soft.elements.len()],
        }
    }
}

/// Islands that have snapped taut. Written by `passes::snap`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Snap {
    /// Their velocities, by unknown.
    pub velocity: Vec<f64>,
    pub snapped: Vec<bool>,
}

/// Scalars that shape the matrix of one island.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scales {
    /// Part of A that is used, 1 - r.
    pub keep: f64,
    /// h / hk on Sigma.
    pub sigma: f64,
    /// h^2 on the geometric stiffness; zero when there is none.
    pub geo: f64,
    /// Use the symmetric part of the geometric stiffness.
    pub symmetric: bool,
}

/// Poses, rows and a factor of their own, for projections of poses.
#[derive(Clone, Debug)]
pub(crate) struct Projector {
    pub inputs: Inputs,
    pub stiff: Stabilised,
    pub factor: Factor,
    /// Correction of each body, m and rad.
    pub x: Vec<f64>,
    pub next: Next,
}

impl Desk {
    /// All memory a step of this topology needs with the default settings, in memory that served another layout.
    pub fn renewed(self, t: &Topology) -> Self {
        let (n, bodies, rows, size) = (t.nodes.len(), t.slot_of.len(), t.all_rows(), t.pattern.size());
        let (links, islands) = (t.links.len(), t.islands.len());
        let kin =
            Kin { pos: DVec3::ZERO, quat: DQuat::IDENTITY, rot: DMat3::IDENTITY, vel: DVec3::ZERO, omega: DVec3::ZERO };
        let numbers = |list, n| renewed(list, n, 0.0);
        let of_rows = |list| t.sized_rows(list);
        let vectors = |list, n| renewed(list, n, DVec3::ZERO);
        let flags = |list, n| renewed(list, n, false);
        let stiffness =
            |s: Stiffness| Stiffness { added: sized(s.added, n, DMat3::ZERO), element: numbers(s.element, links) };
        let Desk { regime, law, force, stiff, memory, right, factor, sol, second, next, snap, .. } = self;
        Desk {
            regime: renewed(regime, islands, Regime { kap: 1.0, ..Regime::default() }),
            law: Law {
                sigma: of_rows(law.sigma),
                gamma: of_rows(law.gamma),
                added_damping: numbers(law.added_damping, 0),
                has_added_damping: false,
                yielded: flags(law.yielded, rows),
                stalled: flags(law.stalled, islands),
                redundant: flags(law.redundant, islands),
            },
            force: Multipliers { load: of_rows(force.load), found: of_rows(force.found) },
            stiff: Stabilised {
                now: stiffness(stiff.now),
                next: stiffness(stiff.next),
                share: numbers(stiff.share, islands),
                ..Default::default()
            },
            memory: Memory {
                impulse: sized(memory.impulse, size, 0.0),
                predicted: vectors(memory.predicted, n),
                element_kept: renewed(memory.element_kept, links, 1.0),
                turning: vectors(memory.turning, links),
                fade: numbers(memory.fade, n),
            },
            right: RightSide { b: sized(right.b, size, 0.0), curve: of_rows(right.curve) },
            factor: factor.renewed(t),
            sol: Solution {
                x: sized(sol.x, size, 0.0),
                residual: sized(sol.residual, size, 0.0),
                saved: sized(sol.saved, size, 0.0),
            },
            second: Second {
                probe: sized(second.probe, size, 0.0),
                weight: numbers(second.weight, t.groups.len()),
                body_weight: numbers(second.body_weight, n),
                correction: vectors(second.correction, n),
                kick: vectors(second.kick, n),
                kick_before: vectors(second.kick_before, n),
                probed: flags(second.probed, islands),
                kicked: flags(second.kicked, islands),
            },
            bounded: Bounded::default(),
            next: Next {
                kin: sized(next.kin, bodies, kin),
                phi: of_rows(next.phi),
                posed: flags(next.posed, islands),
                seen: flags(next.seen, islands),
                moved: Vec::new(),
                correction: Vec::new(),
                arcs: sized(next.arcs, t.slot_of.len(), Arc::default()),
                saved: Vec::new(),
                stretch: renewed(next.stretch, 0, crate::rows::UNKNOWN),
                coupled: numbers(next.coupled, t.terms.len()),
                wound: renewed(next.wound, t.spans.len(), [0.0; 2]),
                paths: numbers(next.paths, t.segments.len()),
                slip: numbers(next.slip, t.segments.len()),
                twisted: renewed(next.twisted, t.twists.len(), Twisted::default()),
                legs: next.legs,
                turned: numbers(next.turned, t.turns.len()),
                wind: numbers(next.wind, t.turns.len()),
                records: Vec::new(),
            },
            snap: Snap { velocity: Vec::new(), snapped: flags(snap.snapped, islands) },
            smooth: Smooth::new(t),
            projector: None,
            profile: Profile::default(),
        }
    }

    /// Memory for a layout whose ropes run elsewhere.
    pub fn relink(&mut self, t: &Topology) {
        let links = t.links.len();
        for element in [&mut self.stiff.now.element, &mut self.stiff.next.element] {
            element.clear();
            element.resize(links, 0.0);
        }
        self.memory.element_kept.resize(links, 1.0);
        self.memory.turning.resize(links, DVec3::ZERO);
        self.next.wound.resize(t.spans.len(), [0.0; 2]);
        self.next.paths.resize(t.segments.len(), 0.0);
        self.next.slip.resize(t.segments.len(), 0.0);
        self.next.twisted.resize(t.twists.len(), Twisted::default());
        self.projector = None;
    }

    /// Starts a step of h.
    pub fn begin(&mut self, t: &Given<'_>, h: f64) {
        let (bounds, rows) = (t.row_count.., &t.inputs.rows);
        self.force.load[bounds.clone()].copy_from_slice(&rows.lambda[bounds.clone()]);
        self.force.found[bounds].fill(0.0);
        self.stiff.damping.clear();
        if std::mem::take(&mut self.law.has_added_damping) {
            self.law.added_damping.fill(0.0);
        }
        self.next.stretch.resize(rows.stretch.len(), crate::rows::UNKNOWN);
        integrate::driven(t, &t.inputs.kin, h, &mut self.next.kin);
        for body in t.nodes.len()..t.slot_of.len() {
            self.next.arcs[body] = Arc::of(h * t.inputs.kin[body].omega);
        }
        for flags in [&mut self.next.posed, &mut self.next.seen, &mut self.snap.snapped] {
            flags.fill(false);
        }
        self.bounded.begin(t.islands.len(), t.pattern.size(), &t.inputs.candidates);
    }

    /// Starts the solve of an island.
    pub fn open(&mut self, t: &Given<'_>, island: &Island) {
        let (k, rows, x, inputs) = (island.k, island.rows.clone(), island.x.clone(), t.inputs);
        self.regime[k] = inputs.regime[k];
        self.law.sigma[rows.clone()].copy_from_slice(&inputs.rows.sigma[rows.clone()]);
        self.law.gamma[rows.clone()].copy_from_slice(&inputs.rows.gamma[rows.clone()]);
        self.law.redundant[k] = inputs.redundant[k];
        if std::mem::take(&mut self.law.stalled[k]) {
            self.law.yielded[rows.clone()].fill(false);
        }
        self.force.load[rows.clone()].copy_from_slice(&inputs.rows.lambda[rows]);
        self.right.b[x.clone()].copy_from_slice(&inputs.rhs[x]);
        self.factor.take_mobility(t, island, &inputs.rows.mobility);
        (self.second.probed[k], self.second.kicked[k]) = (false, false);
    }

    /// Whether something changes velocities after the solve: loops that snap taut, or a rebound.
    pub fn changes_after_the_solve(&self) -> bool {
        self.snap.snapped.contains(&true) || self.bounded.bounce.bounced.contains(&true)
    }

    /// Bytes held, without the dense references.
    pub fn bytes(&self) -> usize {
        let f = std::mem::size_of::<f64>();
        let (law, m, s) = (&self.law, &self.memory, &self.second);
        let numbers = [
            &law.sigma,
            &law.gamma,
            &law.added_damping,
            &self.force.load,
            &self.force.found,
            &self.stiff.now.element,
            &self.stiff.next.element,
            &self.stiff.share,
            &self.stiff.damping,
            &m.impulse,
            &m.element_kept,
            &m.fade,
            &self.right.b,
            &self.right.curve,
            &self.sol.x,
            &self.sol.residual,
            &self.sol.saved,
            &s.probe,
            &s.weight,
            &s.body_weight,
            &self.next.phi,
            &self.next.stretch,
            &self.snap.velocity,
        ];
        let vectors = [&m.predicted, &m.turning, &s.correction, &s.kick, &s.kick_before];
        numbers.iter().map(|v| v.capacity() * f).sum::<usize>()
            + vectors.iter().map(|v| 3 * v.capacity() * f).sum::<usize>()
            + 9 * f * (self.stiff.now.added.capacity() + self.stiff.next.added.capacity())
            + 144 * f * self.stiff.geo.capacity()
            + self.next.kin.capacity() * std::mem::size_of::<Kin>()
            + self.next.arcs.capacity() * std::mem::size_of::<Arc>()
            + law.yielded.capacity()
            + self.regime.capacity() * std::mem::size_of::<Regime>()
            + self.factor.bytes()
            + self.projector.as_ref().map_or(0, |p| p.inputs.bytes() + p.factor.bytes())
    }
}

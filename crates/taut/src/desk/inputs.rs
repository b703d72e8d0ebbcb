//! What the stages before the solve write, and nobody after them.

use super::around::Around;
use super::bounded::Candidates;
use crate::contact::{Contact, Sensing, Share};
use crate::kin::{Kin, LinkTerm};
use crate::reeve::span::Span;
use crate::reeve::twist::{Leg, Twisted};
use crate::rows::Rows;
use crate::state::Regime;
use crate::topology::{Topology, renewed, sized};
use glam::{DMat3, DQuat, DVec3};
use std::ops::Deref;

/// A step as it begins.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inputs {
    // written by contacts
    /// Body slots that move.
    pub moving: Vec<usize>,
    /// By body slot, speed by which joints may change a velocity within the step, m/s.
    pub jerk: Vec<f64>,
    pub contacts: Vec<Contact>,
    /// What contacts on deformables act on.
    pub shares: Vec<Share>,
    pub sensed: Vec<Sensing>,

    // written by gather
    pub kin: Vec<Kin>,
    /// Regime of each island at the start of the step.
    pub regime: Vec<Regime>,
    /// Kick interval of each island, s.
    pub hk: Vec<f64>,
    /// Last step of each node, s.
    pub h_prev: Vec<f64>,
    /// Position of each term of a coupling, m or rad, whole turns counted.
    pub coupled: Vec<f64>,
    /// Spans of ropes over guides; their links are written with them.
    pub reeved: Vec<Reeved>,
    /// Length of rope on the way of each segment, not stretched, m.
    pub paths: Vec<f64>,
    /// theta of the rows of segments: how implicit they are in this step.
    pub implicit: Vec<f64>,
    /// Torsion of ropes over guides, and room for the pieces of one.
    pub twisted: Vec<Twisted>,
    pub legs: Vec<Leg>,
    /// The step, s.
    pub h: f64,
    /// Position of each freedom whose turns are counted, rad, and its whole turns; valid where a motor or limit asks.
    pub turned: Vec<f64>,
    pub wind: Vec<f64>,
    /// A of the last step per node; energy of each distance element by link.
    pub added_prev: Vec<[f64; 6]>,
    pub element_prev: Vec<f64>,
    /// Force of each contact in the last step, on i, N; zero for a new one.
    pub contact_force: Vec<DVec3>,

    // written by force::gyroscopic
    /// Inertia in the world.
    pub inertia: Vec<DMat3>,
    /// Angular velocity after the gyroscopic pre-update.
    pub omega_g: Vec<DVec3>,
    /// Angular momentum of the drift before this kick; NaN where the mid-drift rule does not apply.
    pub momentum: Vec<DVec3>,

    // written by force
    /// Applied forces alone, for the ledger; empty until there are any, valid when there are.
    pub applied: Vec<f64>,
    pub has_applied: bool,
    pub links: Vec<LinkTerm>,
    /// M v + hk f, by unknown.
    pub rhs: Vec<f64>,

    // written by force::field
    /// Water and wind by node; empty where there are none.
    pub around: Vec<Around>,

    // written by elastic
    pub elastic: Elastic,

    // written by rows
    pub rows: Rows,
    /// Islands with a joint that was ever found redundant.
    pub redundant: Vec<bool>,

    // written by bounded::gather
    pub candidates: Candidates,
}

/// A span at the start of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reeved {
    /// None where no straight line touches both guides.
    pub span: Option<Span>,
    /// Angles of its tangent points, whole turns counted, rad.
    pub angles: [f64; 2],
    /// Material that it has between the marks of its guides, m, and had in the step before.
    pub material: f64,
    pub reach: f64,
    /// Energy that its element had after the last step, J.
    pub energy: f64,
    /// Centres of its guides, m.
    pub centres: [DVec3; 2],
    /// How short it may become, m, and the force that kept its guides apart in the last step, N.
    pub least: f64,
    pub apart: f64,
}

/// What the elements of deformables give at the present pose.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elastic {
    /// h^2 K by pairs of nodes (`topology::soft::Pair`), kg.
    pub stiff: Vec<f64>,
    /// h D in the same way; empty where no material has damping.
    pub drag: Vec<f64>,
    /// Forces, by unknown.
    pub force: Vec<f64>,
    /// Impulses -h^2 K u and -h D u of the known velocities u of nodes without unknowns, by unknown.
    pub driven: Vec<f64>,
    pub dragged: Vec<f64>,
    /// f.u, W; u.h^2 K u and u.h D u, J, of such nodes, by island.
    pub drive: Vec<[f64; 3]>,
    /// Energy by island, J.
    pub energy: Vec<f64>,
    /// Blocks of one element.
    pub blocks: Vec<DMat3>,
    /// Volume rows that do not give, by island, and their gradients.
    pub volumes: Vec<VolumeRow>,
    pub gradients: Vec<DVec3>,
}

/// The volume row of an element at a pose (`elastic::volume`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    /// Jbar - 1.
    pub phi: f64,
    /// Volume at rest, m^3.
    pub volume: f64,
    /// The modulus that holds it, Pa; where it gives, its own.
    pub modulus: f64,
    /// Its pressure before the step, Pa; zero where it gives.
    pub pressure: f64,
    /// Whether it does not give: nu = 0.5.
    pub is_rigid: bool,
}

/// A volume row with its place, as a step finds it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VolumeRow {
    /// Which of `Soft::elements`.
    pub element: usize,
    /// First of its gradients in `Elastic::gradients`, one for each node.
    pub at: usize,
    pub held: Held,
}

impl Elastic {
    /// Memory for a layout: none where there are no elements.
    fn new(t: &Topology) -> Self {
        if t.soft.is_empty() {
            return Elastic::default();
        }
        Elastic {
            stiff: vec![0.0; t.soft.values],
            drag: vec![0.0; if t.soft.is_damped { t.soft.values } else { 0 }],
            force: vec![0.0; t.pattern.size()],
            driven: vec![0.0; t.pattern.size()],
            dragged: vec![0.0; t.pattern.size()],
            drive: vec![[0.0; 3]; t.islands.len()],
            energy: vec![0.0; t.islands.len()],
            blocks: Vec::with_capacity(taut_elements::MAX_NODES * taut_elements::MAX_NODES),
            volumes: Vec::new(),
            gradients: Vec::new(),
        }
    }

    /// Nothing yet.
    pub fn clear(&mut self) {
        let Elastic { stiff, drag, force, driven, dragged, energy, .. } = self;
        [stiff, drag, force, driven, dragged, energy].into_iter().for_each(|x| x.fill(0.0));
        self.drive.fill([0.0; 3]);
        self.volumes.clear();
        self.gradients.clear();
    }

    /// Of all islands, J.
    pub fn total(&self) -> f64 {
        self.energy.iter().sum()
    }

    fn bytes(&self) -> usize {
        let lists = [&self.stiff, &self.drag, &self.force, &self.driven, &self.dragged, &self.energy];
        8 * lists.into_iter().map(Vec::capacity).sum::<usize>()
    }
}

impl Inputs {
    /// Memory for a layout.
    pub fn new(t: &Topology) -> Self {
        Inputs::default().renewed(t)
    }

    /// The same in memory that served another layout.
    pub fn renewed(self, t: &Topology) -> Self {
        let n = t.nodes.len();
        let kin =
            Kin { pos: DVec3::ZERO, quat: DQuat::IDENTITY, rot: DMat3::IDENTITY, vel: DVec3::ZERO, omega: DVec3::ZERO };
        // Written for bodies that turn, zero for the others.
        let turnless = || t.nodes.iter().enumerate().filter(|(_, n)| n.dim == 3).map(|(k, _)| k);
        fn of_bodies<V: Copy>(list: Vec<V>, n: usize, zero: V, turnless: impl Iterator<Item = usize>) -> Vec<V> {
            let mut list = sized(list, n, zero);
            turnless.for_each(|k| list[k] = zero);
            list
        }
        let vectors = |list| of_bodies(list, n, DVec3::ZERO, turnless());
        Inputs {
            kin: sized(self.kin, t.slot_of.len(), kin),
            regime: renewed(self.regime, t.islands.len(), Regime { kap: 1.0, ..Regime::default() }),
            hk: renewed(self.hk, t.islands.len(), 0.0),
            h_prev: sized(self.h_prev, n, 0.0),
            coupled: renewed(self.coupled, t.terms.len(), 0.0),
            turned: renewed(self.turned, t.turns.len(), 0.0),
            wind: renewed(self.wind, t.turns.len(), 0.0),
            added_prev: sized(self.added_prev, n, [0.0; 6]),
            element_prev: renewed(self.element_prev, t.links.len(), 0.0),
            reeved: renewed(self.reeved, t.spans.len(), Reeved::default()),
            paths: renewed(self.paths, t.segments.len(), 0.0),
            implicit: renewed(self.implicit, t.segments.len(), 1.0),
            twisted: renewed(self.twisted, t.twists.len(), Twisted::default()),
            legs: self.legs,
            inertia: of_bodies(self.inertia, n, DMat3::ZERO, turnless()),
            omega_g: vectors(self.omega_g),
            momentum: vectors(self.momentum),
            applied: renewed(self.applied, 0, 0.0),
            links: renewed(self.links, t.links.len(), LinkTerm::default()),
            rhs: sized(self.rhs, t.pattern.size(), 0.0),
            elastic: Elastic::new(t),
            rows: self.rows.renewed(t),
            redundant: renewed(self.redundant, t.islands.len(), false),
            ..Default::default()
        }
    }

    /// Memory for a layout whose ropes run elsewhere.
    pub fn relink(&mut self, t: &Topology) {
        self.element_prev.resize(t.links.len(), 0.0);
        self.links.resize(t.links.len(), LinkTerm::default());
        self.reeved.resize(t.spans.len(), Reeved::default());
        self.paths.resize(t.segments.len(), 0.0);
        self.implicit.resize(t.segments.len(), 1.0);
        self.twisted.resize(t.twists.len(), Twisted::default());
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let numbers = self.hk.capacity()
            + self.coupled.capacity()
            + self.turned.capacity()
            + self.wind.capacity()
            + self.h_prev.capacity()
            + self.element_prev.capacity()
            + 6 * self.added_prev.capacity()
            + 9 * self.inertia.capacity()
            + 3 * (self.omega_g.capacity() + self.momentum.capacity())
            + self.applied.capacity()
            + self.rhs.capacity();
        numbers * std::mem::size_of::<f64>()
            + self.rows.bytes()
            + self.elastic.bytes()
            + self.kin.capacity() * std::mem::size_of::<Kin>()
            + self.links.capacity() * std::mem::size_of::<LinkTerm>()
            + self.reeved.capacity() * std::mem::size_of::<Reeved>()
            + self.twisted.capacity() * std::mem::size_of::<Twisted>()
            + self.legs.capacity() * std::mem::size_of::<Leg>()
            + self.around.capacity() * std::mem::size_of::<Around>()
            + std::mem::size_of::<usize>() * (self.moving.capacity() + self.jerk.capacity())
            + self.regime.capacity() * std::mem::size_of::<Regime>()
    }
}

/// The layout of a step with its inputs: what the solve reads and cannot change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given<'a> {
    pub t: &'a Topology,
    pub inputs: &'a Inputs,
}

impl Deref for Given<'_> {
    type Target = Topology;

    #[inline(always)]
    fn deref(&self) -> &Topology {
        self.t
    }
}

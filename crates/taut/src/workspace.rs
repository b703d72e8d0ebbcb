//! What the stages of a step write, in stage order. Disposable: nothing here outlives the step but its memory.

pub(crate) mod bounded;
pub(crate) mod inputs;

use crate::contact::ContactRecord;
use crate::forest::placed::Forest;
use crate::kin::Kin;
use crate::profile::{Profile, Stage};
use crate::rows::Rows;
use crate::solve::block_ldlt::BlockLdlt;
use crate::solve::dense::{Cholesky, DenseLu};
use crate::solve::minres::MinresWork;
use crate::solve::structured::Loops;
use crate::solve::supernodal::Supernodal;
use crate::state::Regime;
use crate::topology::Topology;
use bounded::Bounded;
use glam::{DMat3, DQuat, DVec3};
use inputs::Inputs;

#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace {
    // written by gather
    /// Regime of each island.
    pub regime: Vec<Regime>,

    // written by rows
    /// Islands with a joint that was ever found redundant.
    pub redundant: Vec<bool>,
    /// Islands with rows that have yielded (`passes::stall`).
    pub stalled: Vec<bool>,
    pub rows: Rows,

    // written by contact
    /// Contacts that pushed, sorted by id; after the step those of the step before.
    pub records: Vec<ContactRecord>,

    // written by bounded and by solve
    pub bounded: Bounded,

    // written by force
    /// Right-hand side without the stabiliser's memory.
    pub rhs: Vec<f64>,
    /// Whether this step checks the residual of trees too.
    pub check_residual: bool,

    // written by stabilise
    /// Added angular stiffness h^2 S per node, before the share r is taken off.
    pub added: Vec<DMat3>,
    pub added_next: Vec<DMat3>,
    /// Angular velocity of each body after its own memory alone; part of a rod's turning that is left after it.
    pub predicted: Vec<DVec3>,
    pub element_kept: Vec<f64>,
    /// Angular velocity of each rod, rad/s.
    pub turning: Vec<DVec3>,
    /// Memory impulse on each unknown.
    pub memory: Vec<f64>,
    /// Diagonal added by the paper's inertial damping, per unknown.
    pub damp_diag: Vec<f64>,
    /// Geometric stiffness of each group (Full, Symmetric, Inertial, ConstraintSpace).
    pub geo: Vec<crate::constraint::Geo>,
    /// Distance elements: h^2 |lambda| / l per link.
    pub element: Vec<f64>,
    pub element_next: Vec<f64>,
    /// Resolved share r of each island.
    pub share: Vec<f64>,

    // written by solve
    /// The scalars that the last factor of each island was made with.
    pub scales: Vec<Scales>,
    pub ldlt: BlockLdlt,
    /// The matrix as assembled, for clusters that are solved without W; kept when asked for.
    pub base: Base,
    pub keep_base: bool,
    pub panels: Supernodal,
    pub dense: Dense,
    pub minres: MinresWork,
    pub loops: Loops,
    /// A workspace of its own for the projection of poses, made when it is first needed.
    pub projector: Option<Box<Projector>>,
    /// Solution: velocities, and minus the impulses of the rows.
    pub x: Vec<f64>,
    pub residual: Vec<f64>,
    pub saved: Vec<f64>,

    // written by resolved
    pub probe: Vec<f64>,
    pub phi_next: Vec<f64>,
    pub weight: Vec<f64>,
    pub body_weight: Vec<f64>,
    pub correction: Vec<DVec3>,
    /// Momentum corrections in the present solution, and in the one before.
    pub kick: Vec<DVec3>,
    pub kick_before: Vec<DVec3>,
    pub kin_next: Vec<Kin>,
    /// Poses of one island before they are moved.
    pub saved_kin: Vec<Kin>,
    /// Velocities of the islands that have snapped taut, by unknown.
    pub snap: Vec<f64>,
    pub snapped: Vec<bool>,
    /// Islands whose `kin_next` and `phi_next` go with the present `x`.
    pub posed: Vec<bool>,
    /// Islands whose estimate moved `probe`; islands with momentum corrections in `kick`.
    pub probed: Vec<bool>,
    pub kicked: Vec<bool>,

    /// Where the time goes, for benchmarks.
    pub profile: Profile,

    /// One workspace per thread, made when islands are first solved side by side (`passes::islands`).
    pub desks: Vec<Workspace>,
    /// Coordinates, where they are reduced.
    pub forest: Option<Box<Forest>>,
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

/// A step of its own, for projections of poses.
#[derive(Clone, Debug)]
pub(crate) struct Projector {
    pub inputs: Inputs,
    pub ws: Workspace,
}

/// Values of the matrix before it is factorised.
#[derive(Clone, Debug, Default)]
pub(crate) struct Base {
    pub diag: Vec<f64>,
    pub off: Vec<f64>,
}

/// Memory of the dense references, grown on first use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dense {
    pub lu: DenseLu,
    pub cholesky: Cholesky,
    pub matrix: Vec<f64>,
    pub schur: Vec<f64>,
    pub work: Vec<f64>,
    pub inverse: Vec<f64>,
}

impl Workspace {
    /// All memory a step of this topology needs with the default settings.
    pub fn new(t: &Topology) -> Self {
        let (n, bodies, groups, size) = (t.nodes.len(), t.slot_of.len(), t.groups.len(), t.pattern.size());
        let kin =
            Kin { pos: DVec3::ZERO, quat: DQuat::IDENTITY, rot: DMat3::IDENTITY, vel: DVec3::ZERO, omega: DVec3::ZERO };
        Workspace {
            regime: vec![Regime { kap: 1.0, ..Regime::default() }; t.islands.len()],
            redundant: vec![false; t.islands.len()],
            stalled: vec![false; t.islands.len()],
            rows: Rows::new(t),
            records: Vec::new(),
            bounded: Bounded::default(),
            rhs: vec![0.0; size],
            check_residual: true,
            added: vec![DMat3::ZERO; n],
            added_next: vec![DMat3::ZERO; n],
            predicted: vec![DVec3::ZERO; n],
            element_kept: vec![1.0; t.links.len()],
            turning: vec![DVec3::ZERO; t.links.len()],
            memory: vec![0.0; size],
            damp_diag: Vec::new(),
            geo: Vec::new(),
            element: vec![0.0; t.links.len()],
            element_next: vec![0.0; t.links.len()],
            share: vec![0.0; t.islands.len()],
            scales: vec![Scales::default(); t.islands.len()],
            ldlt: BlockLdlt::new(&t.pattern),
            base: Base::default(),
            keep_base: false,
            panels: Supernodal::new(&t.pattern, &t.wide_islands()),
            dense: Dense::default(),
            minres: MinresWork::new(),
            loops: Loops { closing: 1.0, ..Loops::default() },
            projector: None,
            x: vec![0.0; size],
            residual: vec![0.0; size],
            saved: vec![0.0; size],
            probe: vec![0.0; size],
            phi_next: vec![0.0; t.all_rows()],
            weight: vec![0.0; groups],
            body_weight: vec![0.0; n],
            correction: vec![DVec3::ZERO; n],
            kick: vec![DVec3::ZERO; n],
            kick_before: vec![DVec3::ZERO; n],
            kin_next: vec![kin; bodies],
            saved_kin: Vec::new(),
            snap: Vec::new(),
            snapped: vec![false; t.islands.len()],
            posed: vec![false; t.islands.len()],
            probed: vec![false; t.islands.len()],
            kicked: vec![false; t.islands.len()],
            profile: Profile::default(),
            desks: Vec::new(),
            forest: None,
        }
    }

    /// In reduced coordinates the new poses are those that the coordinates give.
    pub fn place_on_forest(&mut self, t: &Topology) {
        if let Some(forest) = &mut self.forest {
            forest.place(t, &mut self.kin_next, &mut self.phi_next);
        }
        self.profile.mark(Stage::Poses);
    }

    /// Bytes held, without the dense references.
    pub fn bytes(&self) -> usize {
        let f = std::mem::size_of::<f64>();
        let v = |x: &Vec<f64>| x.capacity() * f;
        let m = |x: &Vec<DMat3>| x.capacity() * 9 * f;
        let d = |x: &Vec<DVec3>| x.capacity() * 3 * f;
        self.kin_next.capacity() * std::mem::size_of::<Kin>()
            + std::mem::size_of::<Regime>() * self.regime.capacity()
            + self.rows.bytes()
            + v(&self.rhs)
            + m(&self.added)
            + m(&self.added_next)
            + v(&self.memory)
            + v(&self.damp_diag)
            + self.geo.capacity() * 144 * f
            + v(&self.element)
            + v(&self.element_next)
            + v(&self.share)
            + self.panels.bytes()
            + v(&self.ldlt.diag)
            + v(&self.ldlt.off)
            + v(&self.ldlt.reference)
            + self.ldlt.dropped.capacity()
            + v(&self.x)
            + v(&self.residual)
            + v(&self.saved)
            + v(&self.probe)
            + v(&self.phi_next)
            + v(&self.weight)
            + v(&self.body_weight)
            + d(&self.correction)
            + d(&self.kick)
            + d(&self.kick_before)
            + v(&self.snap)
            + self.loops.bytes()
            + self.projector.as_ref().map_or(0, |p| p.inputs.bytes() + p.ws.bytes())
            + self.desks.iter().map(Workspace::bytes).sum::<usize>()
    }
}

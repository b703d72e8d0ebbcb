//! The model laid out for the step: nodes and rows in elimination order, islands, the matrix pattern.
//! Made anew when the structure changes; read-only during a step.

mod build;
mod bury;
mod coupling;
mod grown;
mod reeve;
mod regrow;
mod rejoin;
pub(crate) mod soft;
mod splice;

pub(crate) use build::linked_springs;

use crate::block::matrix::Pattern;
use crate::joints::{BoundSpec, Freedom, RowSpec, Turn};
use crate::model::{JointEntry, Model};
use crate::solve::block::structure::Fill;
use crate::solve::block_ldlt::Signs;
use crate::tuning::T;
pub(crate) use coupling::{CouplingRow, TermRow};
use glam::{DMat3, DVec3};
pub(crate) use reeve::{GuideRow, SegmentRow, SpanRow, TwistRow};
pub(crate) use regrow::Edits;
use std::ops::Range;

/// A list of so many equal values, in memory that served another layout: fresh memory costs more than to fill it.
pub(crate) fn renewed<V: Clone>(mut list: Vec<V>, length: usize, value: V) -> Vec<V> {
    list.clear();
    list.resize(length, value);
    list
}

/// A list of this length in memory that served another layout. What it holds means nothing: for lists that every step writes before it reads
/// them, all of them, particles and dead pivots too.
pub(crate) fn sized<V: Clone>(mut list: Vec<V>, length: usize, value: V) -> Vec<V> {
    list.resize(length, value);
    list
}

/// "Not there": a side without unknowns.
pub(crate) const NONE: usize = usize::MAX;

/// A body or particle with unknowns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    pub mass: f64,
    /// Mass that gravity acts on, kg.
    pub weight: f64,
    /// The body axes are principal: the inertia is diagonal.
    pub principal: bool,
    /// Same inertia about every axis: no gyroscopic term.
    pub isotropic: bool,
    /// 6, or 3 for a particle.
    pub dim: usize,
    /// Radius of gyration, or of the ball of a particle, zero without one, m.
    pub size: f64,
    pub linear_damping: f64,
    pub angular_damping: f64,
    /// Force per velocity, N s/m, and torque per angular velocity, N m s/rad.
    pub drag: (f64, f64),
    /// How fast it can go, m/s, and turn, rad/s.
    pub top: [f64; 2],
    /// First unknown.
    pub x: usize,
    /// First value of its diagonal block.
    pub diag: usize,
    pub island: usize,
    /// Joints to other rigid bodies.
    pub neighbours: usize,
}

/// The velocity that counts as one for a body of this size, m/s: what gravity gives in a tenth of a second, or a tenth of the size per
/// second where that is more.
pub(crate) fn unit_speed(gravity: DVec3, size: f64) -> f64 {
    (gravity.length() / T.units.fall).max(T.units.size * size)
}

/// How light the bodies of a joint are: sums over both of 1/m, 1/kg, and of 1/(m r^2) with the radius of gyration r, 1/(kg m^2).
#[derive(Clone, Copy, Debug, Default)]
pub struct Lightness {
    linear: f64,
    angular: f64,
}

impl Lightness {
    /// Of a joint.
    pub fn of(model: &Model, joint: &JointEntry) -> Self {
        let bodies = [joint.i, joint.j].into_iter().filter_map(|b| model.bodies.get(b.0)).filter(|b| b.is_node());
        bodies.fold(Lightness::default(), |sum, b| sum.and(b.mass, b.inertia))
    }

    /// With another body.
    fn and(self, mass: f64, inertia: DMat3) -> Self {
        let about = 0.5 * (inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z);
        let turns = if about > 0.0 { 1.0 / about } else { 0.0 };
        Lightness { linear: self.linear + 1.0 / mass, angular: self.angular + turns }
    }

    /// Whether a row holds its bodies together: it is rigid, or has so little compliance that they swing on it with a high frequency.
    pub fn is_held(&self, row: &RowSpec) -> bool {
        let light = if row.primitive.is_angular() { self.angular } else { self.linear };
        let c = row.soft.compliance;
        c == 0.0 || c * T.rows.rigid * T.rows.rigid <= light
    }
}

/// Where a coupling's values are in the matrix.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub at: u32,
    /// The first-named block is eliminated first, so it is the pivot of the stored block.
    pub first_is_pivot: bool,
}

/// Which rows of a joint carry its force between two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Load {
    None,
    /// Three point rows from this local row on.
    Point(u8),
    /// So many dot-2 rows (the second number) from this local row on.
    Slide(u8, u8),
}

/// The rows of one joint. Every stage walks over these, so they are packed.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    i: u32,
    j: u32,
    row: u32,
    x: u32,
    diag: u32,
    prims: (u32, u32),
    jac_i: u32,
    jac_j: u32,
    island: u32,
    slot: u32,
    state_row: u32,
    rows: u8,
    pub closes_loop: bool,
    /// Closes a loop of rigid welds: it can carry nothing, and is in no matrix.
    pub idle: bool,
    /// Was cut: a dead pivot, until the island is laid out anew.
    pub dead: bool,
    /// A ball and rows that keep directions at right angles, and nothing else: its second order is that of its arms and directions.
    pub arced: bool,
    pub load: Load,
    /// Local rows that carry a moment (dot-1, locks), one bit each.
    pub moment: u16,
    /// Local rows that are rigid or nearly so (`Lightness::is_held`), one bit each.
    pub stiff: u16,
    /// Local rows that measure an angle, one bit each.
    pub angular: u16,
    pub place_i: Option<Place>,
    pub place_j: Option<Place>,
    /// Weight of the moment term.
    pub kappa: f64,
    /// Lengths of the two lever arms of a ball, m.
    pub arms: [f64; 2],
    /// Shorter of the two lever arms, or the rod's length, m: the measure of a gap. Without arms the size of the smaller body; infinite
    /// where there is nothing to measure with.
    pub reach: f64,
}

impl Group {
    /// Whether it is a ball joint, or was one.
    fn is_ball(&self) -> bool {
        self.rows() == 3 && (self.load == Load::Point(0) || self.dead)
    }

    /// Its joint is cut: it has no rows but those of a dead pivot.
    fn die(&mut self) {
        self.prims.1 = self.prims.0;
        (self.dead, self.closes_loop, self.idle) = (true, false, false);
        (self.load, self.moment, self.stiff, self.angular) = (Load::None, 0, 0, 0);
        (self.kappa, self.reach) = (0.0, f64::INFINITY);
    }

    /// Its reach, m; 1 for a joint without a lever arm.
    #[inline]
    pub fn arm(&self) -> f64 {
        if self.reach.is_finite() { self.reach } else { 1.0 }
    }

    /// Dense body of side i.
    #[inline(always)]
    pub fn i(&self) -> usize {
        self.i as usize
    }
    /// Dense body of side j.
    #[inline(always)]
    pub fn j(&self) -> usize {
        self.j as usize
    }
    /// Whether a local row is rigid or nearly so.
    #[inline(always)]
    pub fn is_stiff(&self, r: usize) -> bool {
        self.stiff >> r & 1 == 1
    }
    /// First row in the row arrays.
    #[inline(always)]
    pub fn row(&self) -> usize {
        self.row as usize
    }
    /// How many rows.
    #[inline(always)]
    pub fn rows(&self) -> usize {
        self.rows as usize
    }
    /// First unknown.
    #[inline(always)]
    pub fn x(&self) -> usize {
        self.x as usize
    }
    /// First value of its diagonal block.
    #[inline(always)]
    pub fn diag(&self) -> usize {
        self.diag as usize
    }
    /// Its primitives.
    #[inline(always)]
    pub fn prims(&self) -> Range<usize> {
        self.prims.0 as usize..self.prims.1 as usize
    }
    /// First value of J over side i (row-major, `dim` of the side wide), or NONE.
    #[inline(always)]
    pub fn jac_i(&self) -> usize {
        if self.jac_i == u32::MAX { NONE } else { self.jac_i as usize }
    }
    /// First value of J over side j, or NONE.
    #[inline(always)]
    pub fn jac_j(&self) -> usize {
        if self.jac_j == u32::MAX { NONE } else { self.jac_j as usize }
    }
    /// Its island.
    #[inline(always)]
    pub fn island(&self) -> usize {
        self.island as usize
    }
    /// Joint slot.
    #[inline(always)]
    pub fn slot(&self) -> usize {
        self.slot as usize
    }
    /// First row in the state.
    #[inline(always)]
    pub fn state_row(&self) -> usize {
        self.state_row as usize
    }
}

/// A stiffness along and across the line between two anchors: a spring, or the stabiliser's element of a distance row.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub i: usize,
    pub j: usize,
    pub si: glam::DVec3,
    pub sj: glam::DVec3,
    pub place: Option<Place>,
    pub source: Source,
    /// Springs at its more crowded end: their frequencies add up.
    pub crowd: f64,
    /// In `Topology::spans`, for a span of a rope over guides, or NONE.
    pub span: usize,
}

/// A row that a motor drives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MotorRow {
    /// Its group.
    pub group: usize,
    /// In the row arrays.
    pub row: usize,
    /// Its unknown.
    pub x: usize,
    /// In `State::commands`.
    pub command: usize,
    pub freedom: Freedom,
    /// Rigid limits of the same freedom.
    pub limits: Option<(f64, f64)>,
    /// In `Topology::turns`, where its turns are counted, or NONE.
    pub turn: usize,
}

/// A freedom whose turns are counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TurnRow {
    /// Joint slot.
    pub slot: usize,
    /// Dense bodies.
    pub i: usize,
    pub j: usize,
    pub turn: Turn,
    /// A motor, a limit or friction measures it.
    pub used: bool,
}

/// A row with bounds. In the row arrays it comes after all rows of blocks; it has no unknown in the matrix.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundRow {
    /// Dense bodies.
    pub i: usize,
    pub j: usize,
    pub spec: BoundSpec,
    /// Joint slot.
    pub slot: usize,
    /// Which of the joint's bounded rows.
    pub index: usize,
    /// In `State::lambda`.
    pub state_row: usize,
    /// In `State::commands`, for a motor.
    pub command: usize,
    /// Group of the joint's other rows, or NONE.
    pub group: usize,
    /// In `Topology::turns`, where its turns are counted, or NONE.
    pub turn: usize,
    /// Its joint has broken in this step.
    pub dead: bool,
}

/// What a link belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Source {
    /// A force slot.
    Spring(usize),
    /// A force slot: a mouse spring, from the body to the ground.
    Mouse(usize),
    /// A row of the row arrays.
    Row(usize),
}

/// A part of an island that the structured solver takes out of the matrix and iterates on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoopPart {
    /// First loop unknown.
    pub at: usize,
    /// How many.
    pub rows: usize,
    /// First value of its own block of the loop operator.
    pub diag: usize,
    pub kind: LoopKind,
}

/// What it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LoopKind {
    /// A group that closes a loop.
    Group(usize),
    /// A link whose ends are not next to each other in the forest, as three rows of a stiffness.
    Link(usize),
}

/// Ranges of one island.
#[derive(Clone, Debug)]
pub(crate) struct Island {
    /// Its place among the islands.
    pub k: usize,
    pub blocks: Range<usize>,
    pub nodes: Range<usize>,
    pub groups: Range<usize>,
    pub links: Range<usize>,
    pub motors: Range<usize>,
    /// Its unknowns.
    pub x: Range<usize>,
    /// Its off-diagonal values, and whether some of them are not overwritten by J (fill, links).
    pub off: Range<usize>,
    pub clear_off: bool,
    /// So much fill that dense panels pay (`solve::supernodal`).
    pub wide: bool,
    /// What iterating on its matrix has to beat, if it can be iterated on.
    pub rival: Option<Rival>,
    /// What its factor takes, where that is in panels alone and the matrix has no room for it.
    pub panels: Option<Fill>,
    /// Whether its panels are its own, for right-hand sides by four pivots at a time: elements alone, and nets that are dissected.
    pub fours: bool,
    /// A net of joints: all of them share what nothing else determines (`rows::share`).
    pub woven: bool,
    /// Its parts in `Topology::loops`.
    pub loops: Range<usize>,
    /// Every joint is a ball joint between rigid bodies.
    pub balls_only: bool,
    /// Every joint is `Group::arced`, between rigid bodies.
    pub arced: bool,
    /// The rows of its joints in the row arrays.
    pub rows: Range<usize>,
    /// Its blocks that are fill.
    pub fill: usize,
}

/// The factorisation of an island of elements alone, which has no rows, so that iterations can take its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rival {
    /// Multiplications and additions of the factorisation.
    pub flops: f64,
    /// Values of the factor.
    pub values: f64,
    /// Couplings from one end of the island to the other.
    pub across: f64,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Topology {
    /// Body slot of each dense body: nodes first, then the rest.
    pub slot_of: Vec<usize>,
    /// Whether the rest, in this order, is moved from outside (kinematic) or stands.
    pub driven: Vec<bool>,
    /// Dense body of each body slot.
    pub dense_of: Vec<usize>,
    pub nodes: Vec<Node>,
    /// Inertia of each node in its own frame.
    pub local_inertia: Vec<DMat3>,
    pub groups: Vec<Group>,
    /// Group of each joint slot, or NONE.
    pub group_of: Vec<usize>,
    pub prims: Vec<RowSpec>,
    pub links: Vec<Link>,
    pub motors: Vec<MotorRow>,
    /// Rows with bounds, by joint slot.
    pub bounds: Vec<BoundRow>,
    /// Couplings, by slot, and the freedoms they couple.
    pub couplings: Vec<CouplingRow>,
    pub terms: Vec<TermRow>,
    /// Ropes over guides: pieces of one tension, their guides and their spans.
    pub segments: Vec<SegmentRow>,
    pub guides: Vec<GuideRow>,
    pub spans: Vec<SpanRow>,
    /// Their torsion, and the dense bodies that ropes with mass go on through.
    pub twists: Vec<TwistRow>,
    pub tails: Vec<usize>,
    /// Elements of deformables.
    pub soft: soft::Soft,
    /// Freedoms whose turns are counted.
    pub turns: Vec<TurnRow>,
    pub islands: Vec<Island>,
    pub pattern: Pattern,
    pub signs: Signs,
    /// Rods that share a node with link k: `rod_neighbours[rod_start[k]..rod_start[k + 1]]`.
    pub rod_start: Vec<usize>,
    pub rod_neighbours: Vec<usize>,
    /// The matrix holds the acyclic part alone; the rest is in `loops`.
    pub acyclic: bool,
    pub loops: Vec<LoopPart>,
    /// No joint closes a loop and the factor has no fill.
    pub is_tree: bool,
    pub row_count: usize,
    pub jac_len: usize,
    /// Potential energies (gravity, elastic) of what sleeps, J.
    pub asleep: [f64; 2],
}

impl Topology {
    /// Unknowns and block values of all loop parts.
    pub fn loop_size(&self) -> (usize, usize) {
        self.loops.last().map_or((0, 0), |p| (p.at + p.rows, p.diag + p.rows * p.rows))
    }

    /// Block of a node of an island.
    pub fn block_of(&self, island: &Island, node: usize) -> usize {
        let first = island.blocks.start;
        first + self.pattern.row[island.blocks.clone()].partition_point(|&x| x < self.nodes[node].x)
    }

    /// Whether a link is left out of the matrix.
    #[inline]
    pub fn is_cut(&self, l: &Link) -> bool {
        self.acyclic && l.place.is_none() && self.is_node(l.i) && self.is_node(l.j)
    }

    /// Whether rows may be dropped as redundant, by the factor or among the loops that are not in it.
    #[inline]
    pub fn may_drop(&self) -> bool {
        self.signs.has_loops || self.acyclic
    }

    /// Whether a dense body has unknowns.
    #[inline]
    pub fn is_node(&self, dense: usize) -> bool {
        dense < self.nodes.len()
    }

    /// 1/m of the free ends of a link together, 1/kg.
    #[inline]
    pub fn link_mobility(&self, l: &Link) -> f64 {
        [l.i, l.j].into_iter().filter(|&b| self.is_node(b)).map(|b| 1.0 / self.nodes[b].mass).sum()
    }

    /// Mass of the lighter free end of a link, kg.
    #[inline]
    pub fn lighter_end(&self, l: &Link) -> f64 {
        [l.i, l.j].into_iter().filter(|&b| self.is_node(b)).map(|b| self.nodes[b].mass).fold(f64::INFINITY, f64::min)
    }

    /// A list over all rows, in memory that served another layout: those of blocks are written before they are read, the others are zero.
    pub fn sized_rows(&self, list: Vec<f64>) -> Vec<f64> {
        let mut list = sized(list, self.all_rows(), 0.0);
        list[self.row_count..].fill(0.0);
        list
    }

    /// Rows in the row arrays: those of blocks, then those with bounds, those of couplings, those of ropes over guides and of
    /// their torsion.
    pub fn all_rows(&self) -> usize {
        self.twist_row(self.twists.len())
    }

    /// Place in the state of a row of the row arrays.
    pub fn state_row(&self, row: usize) -> usize {
        if row >= self.row_count {
            return self.bounds[row - self.row_count].state_row;
        }
        let g = &self.groups[self.groups.partition_point(|g| g.row() <= row) - 1];
        g.state_row() + row - g.row()
    }

    /// Blocks of the islands that are factorised by panels.
    pub fn wide_islands(&self) -> Vec<Range<usize>> {
        self.islands.iter().filter(|i| i.wide && !i.fours).map(|i| i.blocks.clone()).collect()
    }

    /// Values of the factor of the islands that are factorised block by block.
    pub fn block_values(&self) -> usize {
        let diagonal = |block: usize| self.pattern.dims[block] * self.pattern.dims[block];
        let narrow = self.islands.iter().filter(|i| !i.wide);
        narrow.map(|i| i.off.len() + i.blocks.clone().map(diagonal).sum::<usize>()).sum()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        use std::mem::size_of;
        let word = size_of::<usize>();
        let p = &self.pattern;
        self.nodes.capacity() * (size_of::<Node>() + size_of::<DMat3>())
            + self.groups.capacity() * size_of::<Group>()
            + self.prims.capacity() * size_of::<RowSpec>()
            + self.links.capacity() * size_of::<Link>()
            + self.motors.capacity() * size_of::<MotorRow>()
            + self.bounds.capacity() * size_of::<BoundRow>()
            + self.couplings.capacity() * size_of::<CouplingRow>()
            + self.terms.capacity() * size_of::<TermRow>()
            + self.guides.capacity() * size_of::<GuideRow>()
            + self.spans.capacity() * size_of::<SpanRow>()
            + self.twists.capacity() * size_of::<TwistRow>()
            + word * self.tails.capacity()
            + self.turns.capacity() * size_of::<TurnRow>()
            + word * (self.slot_of.capacity() + self.dense_of.capacity() + self.group_of.capacity())
            + self.signs.is_row.capacity()
            + self.islands.capacity() * size_of::<Island>()
            + word
                * (p.dims.capacity()
                    + p.row.capacity()
                    + p.diag.capacity()
                    + p.start.capacity()
                    + 2 * p.neighbours.capacity())
            + word * (p.pair_start.capacity() + p.pairs.capacity())
    }
}

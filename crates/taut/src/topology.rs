//! The model laid out for the step: nodes and rows in elimination order, islands, the matrix pattern.
//! Made anew when the structure changes; read-only during a step.

use crate::block::matrix::Pattern;
use crate::constraint::Primitive;
use crate::force::{Force, SpringForm};
use crate::joints::RowSpec;
use crate::model::{Model, Motion};
use crate::solve::block_ldlt::Signs;
use crate::solve::ordering::{self, Coupling, Vertex};
use glam::DMat3;
use std::ops::Range;

/// "Not there": a side without unknowns.
pub(crate) const NONE: usize = usize::MAX;

/// A row with at most this compliance (m/N, rad/(N m)) counts as rigid: its violation is an error, not a spring's stretch.
pub(crate) const RIGID_COMPLIANCE: f64 = 1e-7;

/// A body or particle with unknowns.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub mass: f64,
    /// The body axes are principal: the inertia is diagonal.
    pub principal: bool,
    /// Same inertia about every axis: no gyroscopic term.
    pub isotropic: bool,
    /// 6, or 3 for a particle.
    pub dim: usize,
    pub linear_damping: f64,
    pub angular_damping: f64,
    /// First unknown.
    pub x: usize,
    /// First value of its diagonal block.
    pub diag: usize,
    pub island: usize,
    /// Joints to other rigid bodies.
    pub neighbours: usize,
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
    /// Three dot-2 rows from this local row on.
    Slide(u8),
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
    pub load: Load,
    /// Local rows that carry a moment (dot-1), one bit each.
    pub moment: u16,
    /// Local rows that measure an angle, one bit each.
    pub angular: u16,
    pub place_i: Option<Place>,
    pub place_j: Option<Place>,
    /// Weight of the moment term.
    pub kappa: f64,
    /// Shorter of the two lever arms, or the rod's length, m: the measure of a gap.
    pub reach: f64,
}

impl Group {
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

/// Ranges of one island.
#[derive(Clone, Debug)]
pub(crate) struct Island {
    pub blocks: Range<usize>,
    pub nodes: Range<usize>,
    pub groups: Range<usize>,
    pub links: Range<usize>,
    /// Its unknowns.
    pub x: Range<usize>,
    /// Its off-diagonal values, and whether some of them are not overwritten by J (fill, links).
    pub off: Range<usize>,
    pub clear_off: bool,
    /// Every joint is a ball joint between rigid bodies.
    pub balls_only: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Topology {
    /// Body slot of each dense body: nodes first, then the rest.
    pub slot_of: Vec<usize>,
    /// Dense body of each body slot.
    pub dense_of: Vec<usize>,
    pub nodes: Vec<Node>,
    /// Inertia of each node in its own frame.
    pub local_inertia: Vec<DMat3>,
    pub groups: Vec<Group>,
    pub prims: Vec<RowSpec>,
    pub links: Vec<Link>,
    pub islands: Vec<Island>,
    pub pattern: Pattern,
    pub signs: Signs,
    /// No joint closes a loop and the factor has no fill.
    pub is_tree: bool,
    pub row_count: usize,
    pub jac_len: usize,
}

impl Topology {
    pub fn new(model: &Model) -> Self {
        let mut t = Topology { dense_of: vec![NONE; model.bodies.slots()], ..Default::default() };
        let slots: Vec<usize> =
            model.bodies.iter().filter(|(_, b)| b.is_node()).map(|(k, _)| k.slot as usize).collect();
        let mut node_of = vec![None; model.bodies.slots()];
        for (n, &s) in slots.iter().enumerate() {
            node_of[s] = Some(n);
        }

        // Couplings: joints, then stiffness springs between two nodes.
        let joints: Vec<usize> = model.joints.iter().map(|(k, _)| k.slot as usize).collect();
        let mut couplings = Vec::new();
        for (_, j) in model.joints.iter() {
            couplings.push(Coupling { a: node_of[j.i.0.slot as usize], b: node_of[j.j.0.slot as usize], rows: true });
        }
        let springs: Vec<usize> = model
            .forces
            .iter()
            .filter(|(_, f)| matches!(&f.force, Force::Spring(s) if s.form == SpringForm::Stiffness))
            .map(|(k, _)| k.slot as usize)
            .collect();
        for &s in &springs {
            if let Some(Force::Spring(s)) = model.forces.at(s).map(|f| &f.force) {
                couplings.push(Coupling {
                    a: node_of[s.i.0.slot as usize],
                    b: node_of[s.j.0.slot as usize],
                    rows: false,
                });
            }
        }
        let order = ordering::order(slots.len(), &couplings);

        // Dense numbers in elimination order.
        let mut block_of_node = vec![NONE; slots.len()];
        let mut dims = Vec::with_capacity(order.sequence.len());
        let mut group_joint = Vec::new();
        for v in &order.sequence {
            match *v {
                Vertex::Node(n) => {
                    block_of_node[n] = dims.len();
                    t.dense_of[slots[n]] = t.slot_of.len();
                    t.slot_of.push(slots[n]);
                    dims.push(if model.bodies.at(slots[n]).is_some_and(|b| b.motion == Motion::Particle) {
                        3
                    } else {
                        6
                    });
                    t.signs.is_row.push(false);
                }
                Vertex::Rows(k) => {
                    group_joint.push((k, dims.len()));
                    dims.push(model.joints.at(joints[k]).map_or(0, |j| j.row_count));
                    t.signs.is_row.push(true);
                }
            }
        }
        let mut pattern_couplings = Vec::new();
        for &(k, block) in &group_joint {
            for n in [couplings[k].a, couplings[k].b].into_iter().flatten() {
                pattern_couplings.push((block, block_of_node[n]));
            }
            if let (Some(a), Some(b)) = (couplings[k].a, couplings[k].b) {
                let has_element = model
                    .joints
                    .at(joints[k])
                    .is_some_and(|j| j.rows.iter().any(|r| matches!(r.primitive, Primitive::Distance { .. })));
                if has_element {
                    pattern_couplings.push((block_of_node[a], block_of_node[b]));
                }
            }
        }
        for c in &couplings[joints.len()..] {
            if let (Some(a), Some(b)) = (c.a, c.b) {
                pattern_couplings.push((block_of_node[a], block_of_node[b]));
            }
        }
        t.pattern = Pattern::new(dims, &pattern_couplings);

        t.place_nodes(model);
        t.place_groups(model, &joints, &group_joint, &order.closes_loop);
        t.place_springs(model, &springs);
        t.find_islands(&order.islands);
        t.count_neighbours();
        // The bodies without unknowns come last.
        for (k, b) in model.bodies.iter() {
            if !b.is_node() {
                t.dense_of[k.slot as usize] = t.slot_of.len();
                t.slot_of.push(k.slot as usize);
            }
        }
        for g in &mut t.groups {
            g.i = t.dense_of[g.i()] as u32;
            g.j = t.dense_of[g.j()] as u32;
        }
        for l in &mut t.links {
            l.i = t.dense_of[l.i];
            l.j = t.dense_of[l.j];
        }
        t.place_couplings();
        t.signs.has_loops = t.groups.iter().any(|g| g.closes_loop);
        t.is_tree = t.pattern.fill_blocks == 0 && !t.groups.iter().any(|g| g.closes_loop);
        t
    }

    pub fn is_node(&self, dense: usize) -> bool {
        dense < self.nodes.len()
    }

    fn place_nodes(&mut self, model: &Model) {
        let mut block = 0;
        for &slot in &self.slot_of {
            while self.signs.is_row[block] {
                block += 1;
            }
            let Some(b) = model.bodies.at(slot) else { continue };
            let d = b.inertia;
            let spread = (d.x_axis.x - d.y_axis.y).abs().max((d.x_axis.x - d.z_axis.z).abs());
            let mixed = d.x_axis.y.abs().max(d.x_axis.z.abs()).max(d.y_axis.z.abs());
            self.local_inertia.push(b.inertia);
            self.nodes.push(Node {
                mass: b.mass,
                principal: mixed == 0.0,
                isotropic: spread.max(mixed) <= 1e-12 * d.x_axis.x,
                dim: self.pattern.dims[block],
                linear_damping: b.linear_damping,
                angular_damping: b.angular_damping,
                x: self.pattern.row[block],
                diag: self.pattern.diag[block],
                island: 0,
                neighbours: 0,
            });
            block += 1;
        }
    }

    /// Sides hold body slots here; `new` makes them dense at the end.
    fn place_groups(&mut self, model: &Model, joints: &[usize], group_joint: &[(usize, usize)], closes_loop: &[bool]) {
        for &(k, block) in group_joint {
            let Some(entry) = model.joints.at(joints[k]) else { continue };
            let (i, j) = (entry.i.0.slot as usize, entry.j.0.slot as usize);
            let first = self.prims.len();
            self.prims.extend_from_slice(&entry.rows);
            let mut jac = |slot: usize| {
                let dense = self.dense_of[slot];
                if dense == NONE {
                    return NONE;
                }
                let at = self.jac_len;
                self.jac_len += entry.row_count * self.nodes[dense].dim;
                at
            };
            let (jac_i, jac_j) = (jac(i), jac(j));
            for (r, s) in row_starts(&entry.rows) {
                if let Primitive::Distance { si, sj, .. } = s.primitive {
                    self.links.push(Link { i, j, si, sj, place: None, source: Source::Row(self.row_count + r) });
                }
            }
            let shape = Shape::of(&entry.rows, (self.dense_of[i] != NONE, self.dense_of[j] != NONE));
            self.groups.push(Group {
                i: i as u32,
                j: j as u32,
                row: self.row_count as u32,
                x: self.pattern.row[block] as u32,
                diag: self.pattern.diag[block] as u32,
                prims: (first as u32, self.prims.len() as u32),
                jac_i: jac_i as u32,
                jac_j: jac_j as u32,
                island: 0,
                slot: joints[k] as u32,
                state_row: entry.row_start as u32,
                rows: entry.row_count as u8,
                closes_loop: closes_loop[k],
                load: shape.load,
                moment: shape.moment,
                angular: shape.angular,
                place_i: None,
                place_j: None,
                kappa: shape.kappa,
                reach: shape.reach,
            });
            self.row_count += entry.row_count;
        }
    }

    fn place_springs(&mut self, model: &Model, springs: &[usize]) {
        for &slot in springs {
            let Some(Force::Spring(s)) = model.forces.at(slot).map(|f| &f.force) else { continue };
            let (i, j) = (s.i.0.slot as usize, s.j.0.slot as usize);
            self.links.push(Link { i, j, si: s.point_i, sj: s.point_j, place: None, source: Source::Spring(slot) });
        }
        for (key, f) in model.forces.iter() {
            if let Force::Mouse(m) = &f.force {
                // The ground is in slot 0 of every world.
                let source = Source::Mouse(key.slot as usize);
                self.links.push(Link {
                    i: m.body.0.slot as usize,
                    j: 0,
                    si: m.point,
                    sj: glam::DVec3::ZERO,
                    place: None,
                    source,
                });
            }
        }
    }

    fn find_islands(&mut self, starts: &[usize]) {
        let (mut node, mut group) = (0, 0);
        let mut island_of_slot = vec![NONE; self.dense_of.len()];
        for w in starts.windows(2) {
            let (first_node, first_group) = (node, group);
            let island = self.islands.len();
            for b in w[0]..w[1] {
                if self.signs.is_row[b] {
                    self.groups[group].island = island as u32;
                    group += 1;
                } else {
                    self.nodes[node].island = island;
                    island_of_slot[self.slot_of[node]] = island;
                    node += 1;
                }
            }
            self.islands.push(Island {
                blocks: w[0]..w[1],
                nodes: first_node..node,
                groups: first_group..group,
                links: 0..0,
                x: self.pattern.row[w[0]]..self.pattern.row[w[1]],
                off: self.off_start(w[0])..self.off_start(w[1]),
                clear_off: true,
                balls_only: self.groups[first_group..group].iter().all(|g| g.load == Load::Point(0) && g.rows() == 3)
                    && self.nodes[first_node..node].iter().all(|n| n.dim == 6),
            });
            let sides: usize = self.groups[first_group..group]
                .iter()
                .map(|g| [g.jac_i(), g.jac_j()].iter().filter(|&&x| x != NONE).count())
                .sum();
            if let Some(last) = self.islands.last_mut() {
                last.clear_off = self.pattern.start[w[1]] - self.pattern.start[w[0]] != sides;
            }
        }
        let of = |l: &Link| [l.i, l.j].into_iter().map(|s| island_of_slot[s]).min().unwrap_or(NONE);
        self.links.sort_by_key(&of);
        for (k, l) in self.links.iter().enumerate() {
            let r = &mut self.islands[of(l)].links;
            if r.start == r.end {
                *r = k..k;
            }
            r.end = k + 1;
        }
    }

    /// First off-diagonal value of a block.
    fn off_start(&self, block: usize) -> usize {
        self.pattern.neighbours.get(self.pattern.start[block]).map_or(self.pattern.off_len, |&(_, at)| at)
    }

    fn count_neighbours(&mut self) {
        for g in &self.groups {
            let (i, j) = (self.dense_of[g.i()], self.dense_of[g.j()]);
            if i != NONE && j != NONE && self.nodes[i].dim == 6 && self.nodes[j].dim == 6 {
                self.nodes[i].neighbours += 1;
                self.nodes[j].neighbours += 1;
            }
        }
    }

    /// Offsets of J and of link blocks in the matrix.
    fn place_couplings(&mut self) {
        let mut block_of_x = vec![NONE; self.pattern.size() + 1];
        for (b, &row) in self.pattern.row[..self.pattern.blocks()].iter().enumerate() {
            block_of_x[row] = b;
        }
        let place = |p: &Pattern, a: usize, b: usize| {
            let (a, b) = (block_of_x[a], block_of_x[b]);
            p.coupling(a.min(b), a.max(b)).map(|at| Place { at: at as u32, first_is_pivot: a < b })
        };
        for k in 0..self.groups.len() {
            let (i, j, x) = (self.groups[k].i(), self.groups[k].j(), self.groups[k].x());
            if self.is_node(i) {
                self.groups[k].place_i = place(&self.pattern, self.nodes[i].x, x);
            }
            if self.is_node(j) {
                self.groups[k].place_j = place(&self.pattern, self.nodes[j].x, x);
            }
        }
        for k in 0..self.links.len() {
            let (i, j) = (self.links[k].i, self.links[k].j);
            if self.is_node(i) && self.is_node(j) {
                self.links[k].place = place(&self.pattern, self.nodes[i].x, self.nodes[j].x);
            }
        }
    }
}

/// Local first row of each primitive.
pub(crate) fn row_starts(rows: &[RowSpec]) -> impl Iterator<Item = (usize, &RowSpec)> {
    rows.iter().scan(0, |at, s| {
        let r = *at;
        *at += s.primitive.rows();
        Some((r, s))
    })
}

/// What the stabiliser needs to know of a joint.
struct Shape {
    load: Load,
    moment: u16,
    angular: u16,
    kappa: f64,
    reach: f64,
}

/// (1 + sqrt 2)/2, the largest eigenvalue of the dot-1 form per unit of moment. A hinge on its own manifold needs
/// only 1/2, but fewer of the 0.1 s trees hold with it.
const KAPPA: f64 = 1.207_106_781_186_547_5;

impl Shape {
    /// `free`: which sides move freely; the arm of a side that does not is no measure of anything.
    fn of(rows: &[RowSpec], free: (bool, bool)) -> Self {
        let mut s = Shape { load: Load::None, moment: 0, angular: 0, kappa: 0.0, reach: f64::INFINITY };
        let (mut slides, mut next_slide, mut hard) = (0, usize::MAX, 0);
        for (r, spec) in row_starts(rows) {
            match spec.primitive {
                Primitive::Point { si, sj } => {
                    s.load = Load::Point(r as u8);
                    s.arms(si.length(), sj.length(), free);
                }
                Primitive::Dot1 { .. } => {
                    s.moment |= 1 << r;
                    s.angular |= 1 << r;
                    hard += usize::from(spec.soft.compliance <= RIGID_COMPLIANCE);
                }
                Primitive::Dot2 { si, sj, .. } => {
                    // Three in a row carry a force like a point.
                    slides = if r == next_slide { slides + 1 } else { 1 };
                    next_slide = r + 1;
                    if slides == 3 {
                        s.load = Load::Slide((r - 2) as u8);
                    }
                    s.arms(si.length(), sj.length(), free);
                }
                Primitive::Distance { length, .. } => s.reach = s.reach.min(length),
                Primitive::Axial { .. } => s.angular |= 1 << r,
            }
        }
        // Three rigid dot-1 rows leave no relative rotation: the reduced form vanishes.
        if s.moment != 0 && hard < 3 {
            s.kappa = KAPPA;
        }
        s
    }

    fn arms(&mut self, si: f64, sj: f64, free: (bool, bool)) {
        for (s, free) in [(si, free.0), (sj, free.1)] {
            if s > 0.0 && free {
                self.reach = self.reach.min(s);
            }
        }
    }
}

impl Topology {
    /// Bytes held.
    pub fn bytes(&self) -> usize {
        use std::mem::size_of;
        let word = size_of::<usize>();
        let p = &self.pattern;
        self.nodes.capacity() * (size_of::<Node>() + size_of::<DMat3>())
            + self.groups.capacity() * size_of::<Group>()
            + self.prims.capacity() * size_of::<RowSpec>()
            + self.links.capacity() * size_of::<Link>()
            + word * (self.slot_of.capacity() + self.dense_of.capacity())
            + word
                * (p.dims.capacity()
                    + p.row.capacity()
                    + p.diag.capacity()
                    + p.start.capacity()
                    + 2 * p.neighbours.capacity())
            + word * (p.pair_start.capacity() + p.pairs.capacity())
    }
}

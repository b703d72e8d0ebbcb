//! Laying out a model: the graph of its joints and springs, the order of elimination, and where everything goes.

use super::{
    BoundRow, Group, Island, Lightness, Link, Load, LoopKind, LoopPart, MotorRow, NONE, Node, Place, Rival, Source,
    Topology, TurnRow, renewed,
};
use super::{reeve, soft};
use crate::block::matrix::Pattern;
use crate::block::structure::{Fill, Structure};
use crate::constraint::Primitive;
use crate::contact::shape::Shape as Solid;
use crate::ids::{BodyId, ColliderId};
use crate::joints::{Bound, Chart, Freedom, RowSpec, row_starts};
use crate::model::buried::Laid;
use crate::model::force::Force;
use crate::model::{BodyEntry, JointEntry, Model, Motion};
use crate::solve::block_ldlt::Signs;
use crate::solve::ordering::{self, Coupling, Order, Places, Vertex};
use crate::tuning::T;
use glam::DMat3;
use std::ops::Range;

/// The model as a graph for the ordering.
struct Graph {
    /// Body slot of each node.
    nodes: Vec<usize>,
    /// Joint slot of each coupling with rows.
    joints: Vec<usize>,
    /// Force slot of each spring in stiffness form; their couplings follow those of the joints.
    springs: Vec<usize>,
    couplings: Vec<Coupling>,
    order: Order,
    /// Couplings between bodies that rigid welds hold together already.
    idle: Vec<bool>,
}

/// Blocks of the matrix in elimination order.
struct Blocks {
    dims: Vec<usize>,
    /// Block of each node.
    of_node: Vec<usize>,
    /// Coupling and block of each group.
    groups: Vec<(usize, usize)>,
}

impl Graph {
    /// `acyclic` keeps the order of the forest for islands of elements too.
    fn of(model: &Laid<'_>, acyclic: bool, awake: &impl Fn(usize) -> bool) -> Self {
        let (nodes, node_of) = nodes(model, awake);
        let node = |b: BodyId| node_of[b.0.slot as usize];
        let coupling = |j: &JointEntry| couples(model, j, awake);
        let net = springs_of_nets(model, nodes.len(), node, coupling);
        let coupled = model.joints().filter(|(slot, j)| coupling(j) && !(j.is_spring() && net[*slot]));
        let (joints, mut couplings): (Vec<usize>, Vec<Coupling>) =
            coupled.map(|(slot, j)| (slot, Coupling { a: node(j.i), b: node(j.j), rows: j.row_count > 0 })).unzip();
        let mut springs = Vec::new();
        for (k, f) in model.forces.iter() {
            if let Force::Spring(s) = &f.force
                && f.joint.is_some_and(|j| net[j.0.slot as usize])
                && model.acts(&f.force)
                && awake(s.i.0.slot as usize)
                && awake(s.j.0.slot as usize)
            {
                springs.push(k.slot as usize);
                couplings.push(Coupling { a: node(s.i), b: node(s.j), rows: false });
            }
        }
        // What has no unknowns couples nothing, and does not change the order.
        let tied = reeve::pairs(model, model.ropes_now, awake).filter_map(|[a, b]| node_of[a].zip(node_of[b]));
        couplings.extend(tied.map(|(a, b)| Coupling { a: Some(a), b: Some(b), rows: false }));
        let elements = soft::coupled(model, |slot| node_of[slot]);
        let first = couplings.len();
        couplings.extend(elements.into_iter().map(|(a, b)| Coupling { a: Some(a), b: Some(b), rows: false }));
        let at = soft::places(model, nodes.len(), |slot| node_of[slot]);
        let points: Vec<bool> = {
            let is_point = |b: &BodyEntry| b.motion == Motion::Particle;
            nodes.iter().map(|&slot| model.bodies.at(slot).is_some_and(is_point)).collect()
        };
        let lines: Vec<bool> = joints.iter().map(|&slot| model.laid(slot).is_some_and(|(j, _)| j.has_line())).collect();
        let places = (!acyclic).then_some(Places { at: &at, elements: first, points: &points, lines: &lines });
        let order = ordering::order_placed(nodes.len(), &couplings, places);
        let idle = idle(model, &joints, &order);
        Graph { nodes, joints, springs, couplings, order, idle }
    }
}

/// Body slots of what is awake and has unknowns, and the number of each body slot among them.
fn nodes(model: &Model, awake: &impl Fn(usize) -> bool) -> (Vec<usize>, Vec<Option<usize>>) {
    let free = model.bodies.iter().filter(|(k, b)| b.is_node() && awake(k.slot as usize));
    let nodes: Vec<usize> = free.map(|(k, _)| k.slot as usize).collect();
    let mut node_of = vec![None; model.bodies.slots()];
    for (n, &s) in nodes.iter().enumerate() {
        node_of[s] = Some(n);
    }
    (nodes, node_of)
}

/// Whether a joint couples its bodies in the matrix. One of bounded rows alone does not, unless one acts along a line: then the
/// stabiliser couples the ends.
pub(super) fn couples(model: &Model, j: &JointEntry, awake: &impl Fn(usize) -> bool) -> bool {
    (j.row_count > 0 || j.has_line()) && is_up(model, j, awake)
}

/// Joints, by slot, that belong to springs which a layout has as links and not as rows.
pub(crate) fn linked_springs(model: &Laid<'_>, awake: impl Fn(usize) -> bool) -> Vec<bool> {
    let (nodes, node_of) = nodes(model, &awake);
    springs_of_nets(model, nodes.len(), |b| node_of[b.0.slot as usize], |j| couples(model, j, &awake))
}

/// Loop joints between bodies that the rigid welds of the forest hold together. The factor would find all their rows redundant, at the
/// cost of the cube of their number.
fn idle(model: &Laid<'_>, joints: &[usize], order: &Order) -> Vec<bool> {
    let mut idle = vec![false; order.closes_loop.len()];
    if !order.closes_loop.contains(&true) {
        return idle;
    }
    let ends = |j: &JointEntry| (j.i.0.slot as usize, j.j.0.slot as usize);
    let entries = || joints.iter().enumerate().filter_map(|(k, &slot)| Some((k, model.laid(slot)?.0)));
    let mut name: Vec<usize> = (0..model.bodies.slots()).collect();
    for (_, j) in entries().filter(|(k, j)| order.is_branch[*k] && j.chart == Some(Chart::Fixed)) {
        let (a, b) = ends(j);
        let (a, b) = (find(&mut name, a), find(&mut name, b));
        name[a.max(b)] = a.min(b);
    }
    let rigid = |r: &RowSpec| r.holds() && r.soft.is_rigid();
    for (k, j) in entries().filter(|(k, j)| order.closes_loop[*k] && j.rows.iter().all(rigid)) {
        let (a, b) = ends(j);
        idle[k] = find(&mut name, a) == find(&mut name, b);
    }
    idle
}

/// Joints, by slot, that are springs of a net: of a component where more than `T.layout.few_springs` springs close loops, through the ground too.
fn springs_of_nets(
    model: &Laid<'_>,
    nodes: usize,
    node: impl Fn(BodyId) -> Option<usize>,
    coupling: impl Fn(&JointEntry) -> bool,
) -> Vec<bool> {
    let mut net = vec![false; model.joints.slots()];
    if !model.model.joints.iter().any(|(_, j)| j.is_spring()) {
        return net;
    }
    let mut name: Vec<usize> = (0..nodes).collect();
    // Loops that springs close in each component, and whether it is held by the ground.
    let (mut loops, mut held) = (vec![0; nodes], vec![false; nodes]);
    // Springs come last, so that what they close is a loop of joints wherever there is one.
    for owned in [false, true] {
        for (_, j) in model.joints().filter(|(_, j)| j.is_spring() == owned && coupling(j)) {
            match (node(j.i), node(j.j)) {
                (Some(a), Some(b)) => {
                    let (a, b) = (find(&mut name, a), find(&mut name, b));
                    let closes = owned && (a == b || (held[a] && held[b]));
                    loops[a.min(b)] = if a == b { loops[a] } else { loops[a] + loops[b] } + usize::from(closes);
                    held[a.min(b)] |= held[a.max(b)];
                    name[a.max(b)] = a.min(b);
                }
                (Some(a), None) | (None, Some(a)) => {
                    let a = find(&mut name, a);
                    loops[a] += usize::from(owned && held[a]);
                    held[a] = true;
                }
                (None, None) => {}
            }
        }
    }
    for (slot, j) in model.joints().filter(|(_, j)| j.is_spring() && coupling(j)) {
        let component = node(j.i).or(node(j.j)).map(|a| find(&mut name, a));
        net[slot] = component.is_some_and(|a| loops[a] > T.layout.few_springs);
    }
    net
}

/// The rigid limits of a freedom of a joint.
fn rigid_limits(entry: &JointEntry, freedom: Freedom) -> Option<(f64, f64)> {
    entry.bounds.iter().filter(|b| b.freedom == freedom).find_map(|b| match b.bound {
        Bound::Limit { lower, upper, soft, .. } if soft.compliance == 0.0 => Some((lower, upper)),
        _ => None,
    })
}

/// The name of a set of nodes.
fn find(name: &mut [usize], mut k: usize) -> usize {
    while name[k] != k {
        name[k] = name[name[k]];
        k = name[k];
    }
    k
}

/// The link of a row along a line between two bodies.
pub(super) fn line_of([i, j]: [usize; 2], primitive: &Primitive, row: usize) -> Option<Link> {
    let Primitive::Distance { si, sj, .. } = *primitive else { return None };
    Some(Link { i, j, si, sj, place: None, source: Source::Row(row), crowd: 1.0, span: NONE })
}

/// Whether a joint takes part and both its bodies are awake. They sleep together.
pub(super) fn is_up(model: &Model, j: &JointEntry, awake: &impl Fn(usize) -> bool) -> bool {
    awake(j.i.0.slot as usize) && awake(j.j.0.slot as usize) && model.is_active(j)
}

/// Pairs of blocks that the matrix couples: rows with their nodes, the ends of rods and springs with each other. `acyclic` leaves out what
/// closes a loop of the forest, so that the factor has no fill.
fn couplings(model: &Laid<'_>, graph: &Graph, blocks: &Blocks, acyclic: bool) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let pair = |c: &Coupling| c.a.zip(c.b).map(|(a, b)| (a.min(b), a.max(b)));
    let branch = |k: usize| if graph.order.is_branch[k] { pair(&graph.couplings[k]) } else { None };
    let mut branches: Vec<(usize, usize)> = (0..graph.couplings.len()).filter_map(branch).collect();
    branches.sort_unstable();
    let mut ends = |c: &Coupling| {
        if let Some((a, b)) = pair(c)
            && (!acyclic || branches.binary_search(&(a, b)).is_ok())
        {
            pairs.push((blocks.of_node[a], blocks.of_node[b]));
        }
    };
    for (k, &slot) in graph.joints.iter().enumerate() {
        if model.laid(slot).is_some_and(|(j, _)| j.has_line()) {
            ends(&graph.couplings[k]);
        }
    }
    graph.couplings[graph.joints.len()..].iter().for_each(&mut ends);
    for &(k, block) in blocks.groups.iter().filter(|(k, _)| !(graph.idle[*k] || acyclic && graph.order.closes_loop[*k]))
    {
        let c = &graph.couplings[k];
        pairs.extend([c.a, c.b].into_iter().flatten().map(|n| (block, blocks.of_node[n])));
    }
    pairs
}

impl Topology {
    /// Lays out what is awake of the model, with its ropes where they run now; `acyclic` keeps loops out of the matrix.
    #[cfg(test)]
    pub fn new(model: &Laid<'_>, acyclic: bool, awake: impl Fn(usize) -> bool) -> Self {
        Topology::default().renewed(model, acyclic, awake)
    }

    /// The same in memory that served another layout.
    pub fn renewed(self, model: &Laid<'_>, acyclic: bool, awake: impl Fn(usize) -> bool) -> Self {
        let graph = Graph::of(model, acyclic, &awake);
        let mut t = self.emptied();
        (t.dense_of, t.acyclic) = (renewed(t.dense_of, model.bodies.slots(), NONE), acyclic);
        let blocks = t.number(model, &graph);
        let structure = {
            let pairs = couplings(model, &graph, &blocks, acyclic);
            Structure::new(blocks.dims.clone(), &pairs)
        };
        let entries: Vec<usize> = graph.order.islands.windows(2).map(|w| structure.entries(w[0]..w[1])).collect();
        let (wide, fills) = t.find_wide(&graph.order, structure);
        t.place_nodes(model);
        t.place_groups(model, &graph, &blocks.groups);
        t.index_groups(model);
        t.place_bounds(model, &awake);
        t.place_springs(model, &graph.springs, &awake);
        t.place_ropes(model, model.ropes_now, &awake);
        t.find_islands(&graph.order.islands);
        for (k, wide) in wide.into_iter().enumerate() {
            let blocks = t.islands[k].blocks.clone();
            t.islands[k].fill = t.pattern.start[blocks.end] - t.pattern.start[blocks.start] - entries[k];
            t.islands[k].wide = wide;
            t.islands[k].panels = fills[k];
            t.islands[k].rival = t.rival(&t.islands[k], fills[k]);
            t.islands[k].fours = t.islands[k].rival.is_some() || (t.islands[k].wide && graph.order.is_net[k]);
            t.islands[k].woven = graph.order.is_woven[k];
        }
        t.count_neighbours();
        t.make_dense(model);
        t.place_terms(model, &awake);
        t.tie_ropes();
        t.place_soft(model);
        t.place_turns(model, &awake);
        t.place_couplings();
        t.find_rod_neighbours();
        t.find_loops();
        t.find_kind();
        t
    }

    /// Whether there are loops, and whether it is a tree.
    pub(super) fn find_kind(&mut self) {
        let has_loops = self.groups.iter().any(|g| g.closes_loop);
        // In an acyclic matrix no row is dropped: the loops are not in it.
        self.signs.has_loops = has_loops && !self.acyclic;
        self.is_tree = self.pattern.fill_blocks == 0 && !has_loops;
    }

    /// Nothing, with room for much of what there was.
    pub(super) fn emptied(mut self) -> Self {
        fn empty<V>(list: &mut Vec<V>) -> Vec<V> {
            list.clear();
            std::mem::take(list)
        }
        Topology {
            slot_of: empty(&mut self.slot_of),
            driven: empty(&mut self.driven),
            dense_of: self.dense_of,
            nodes: empty(&mut self.nodes),
            local_inertia: empty(&mut self.local_inertia),
            groups: empty(&mut self.groups),
            group_of: self.group_of,
            prims: empty(&mut self.prims),
            links: empty(&mut self.links),
            islands: empty(&mut self.islands),
            pattern: Pattern {
                dims: empty(&mut self.pattern.dims),
                row: empty(&mut self.pattern.row),
                diag: empty(&mut self.pattern.diag),
                start: empty(&mut self.pattern.start),
                neighbours: empty(&mut self.pattern.neighbours),
                pair_start: empty(&mut self.pattern.pair_start),
                pairs: empty(&mut self.pattern.pairs),
                ..Pattern::default()
            },
            signs: Signs { is_row: empty(&mut self.signs.is_row), has_loops: false },
            rod_start: empty(&mut self.rod_start),
            rod_neighbours: empty(&mut self.rod_neighbours),
            ..Topology::default()
        }
    }

    /// Dense numbers and blocks in elimination order.
    fn number(&mut self, model: &Laid<'_>, graph: &Graph) -> Blocks {
        let (all, nodes) = (graph.order.sequence.len(), graph.nodes.len());
        let dims = Vec::with_capacity(all);
        let mut b = Blocks { dims, of_node: vec![NONE; nodes], groups: Vec::with_capacity(all - nodes) };
        self.slot_of.reserve_exact(model.bodies.len());
        self.signs.is_row.reserve_exact(all);
        for v in &graph.order.sequence {
            match *v {
                Vertex::Node(n) => {
                    let slot = graph.nodes[n];
                    b.of_node[n] = b.dims.len();
                    self.dense_of[slot] = self.slot_of.len();
                    self.slot_of.push(slot);
                    let particle = model.bodies.at(slot).is_some_and(|b| b.motion == Motion::Particle);
                    b.dims.push(if particle { 3 } else { 6 });
                    self.signs.is_row.push(false);
                }
                Vertex::Rows(k) => {
                    b.groups.push((k, b.dims.len()));
                    b.dims.push(model.laid(graph.joints[k]).map_or(0, |(j, _)| j.row_count));
                    self.signs.is_row.push(true);
                }
            }
        }
        b
    }

    /// The bodies without unknowns come last; then sides are dense bodies and not slots.
    fn make_dense(&mut self, model: &Model) {
        for (k, b) in model.bodies.iter() {
            if !b.is_node() {
                self.dense_of[k.slot as usize] = self.slot_of.len();
                self.slot_of.push(k.slot as usize);
                self.driven.push(b.is_driven());
            }
        }
        for g in &mut self.groups {
            g.i = self.dense_of[g.i()] as u32;
            g.j = self.dense_of[g.j()] as u32;
        }
        for l in &mut self.links {
            l.i = self.dense_of[l.i];
            l.j = self.dense_of[l.j];
        }
        for b in &mut self.bounds {
            b.i = self.dense_of[b.i];
            b.j = self.dense_of[b.j];
        }
    }

    fn place_nodes(&mut self, model: &Model) {
        let mut block = 0;
        self.local_inertia.reserve_exact(self.slot_of.len());
        self.nodes.reserve_exact(self.slot_of.len());
        for _ in 0..self.slot_of.len() {
            while self.signs.is_row[block] {
                block += 1;
            }
            self.local_inertia.push(DMat3::ZERO);
            self.nodes.push(Node {
                dim: self.pattern.dims[block],
                x: self.pattern.row[block],
                diag: self.pattern.diag[block],
                ..Node::default()
            });
            block += 1;
        }
        self.weigh_nodes(model);
    }

    /// The numbers of the nodes.
    fn weigh_nodes(&mut self, model: &Model) {
        for (n, node) in self.nodes.iter_mut().enumerate() {
            let Some(b) = model.bodies.at(self.slot_of[n]) else { continue };
            self.local_inertia[n] = b.inertia;
            node.weigh(model, b);
        }
        for (_, f) in model.forces.iter() {
            if let Force::Drag { body, linear, angular } = f.force
                && let Some(node) = self.nodes.get_mut(self.dense_of[body.0.slot as usize])
            {
                node.drag.0 += linear;
                node.drag.1 += angular;
            }
        }
    }

    /// Takes the numbers of a model that has the structure it had when it was laid out.
    pub fn renumber(&mut self, model: &Model) {
        self.weigh_nodes(model);
        for k in 0..self.groups.len() {
            let g = &self.groups[k];
            let Some(entry) = model.joints.at(g.slot()).filter(|_| !g.dead) else { continue };
            self.prims[g.prims()].copy_from_slice(&entry.rows);
            let free = (self.is_node(g.i()), self.is_node(g.j()));
            let sizes = [g.i(), g.j()].map(|b| self.nodes.get(b).map_or(0.0, |n| n.size));
            let shape = Shape::of(&entry.rows, free, Lightness::of(model, entry)).within(sizes, entry.row_count);
            let g = &mut self.groups[k];
            (g.load, g.moment, g.stiff, g.angular) = (shape.load, shape.moment, shape.stiff, shape.angular);
            (g.arced, g.kappa, g.arms, g.reach) = (shape.arced, shape.kappa, shape.arms, shape.reach);
        }
        for b in self.bounds.iter_mut().filter(|b| !b.dead) {
            if let Some(spec) = model.joints.at(b.slot).and_then(|j| j.bounds.get(b.index)) {
                b.spec = *spec;
            }
        }
        self.renumber_motors(model);
        for l in &mut self.links {
            let force = |slot: usize| model.forces.at(slot).map(|f| &f.force);
            match l.source {
                Source::Spring(slot) => {
                    if let Some(Force::Spring(s)) = force(slot) {
                        (l.si, l.sj) = (s.point_i, s.point_j);
                    }
                }
                Source::Mouse(slot) => {
                    if let Some(Force::Mouse(m)) = force(slot) {
                        l.si = m.point;
                    }
                }
                Source::Row(_) => {}
            }
        }
    }

    /// Ranges of the motors in blocks: those of rigid limits on the same freedom.
    fn renumber_motors(&mut self, model: &Model) {
        for m in &mut self.motors {
            m.limits = model.joints.at(self.groups[m.group].slot()).and_then(|j| rigid_limits(j, m.freedom));
        }
    }

    /// Sides hold body slots here; `make_dense` changes that.
    fn place_groups(&mut self, model: &Laid<'_>, graph: &Graph, group_joint: &[(usize, usize)]) {
        let prims = |&(k, _): &(usize, usize)| model.laid(graph.joints[k]).map_or(0, |(j, _)| j.rows.len());
        self.prims.reserve_exact(group_joint.iter().map(prims).sum());
        self.groups.reserve_exact(group_joint.len());
        for &(k, block) in group_joint {
            let loops = (graph.order.closes_loop[k], graph.idle[k]);
            self.place_group(model, graph.joints[k], block, loops);
        }
    }

    /// The group of a joint at its block, with its links and motors; it may close a loop, and be idle. All nodes have their places.
    pub(super) fn place_group(
        &mut self,
        model: &Laid<'_>,
        slot: usize,
        block: usize,
        (closes_loop, idle): (bool, bool),
    ) {
        let Some((entry, dead)) = model.laid(slot) else { return };
        let (i, j) = (entry.i.0.slot as usize, entry.j.0.slot as usize);
        let first = self.prims.len();
        self.prims.extend_from_slice(if dead { &[] } else { &entry.rows });
        let mut jac = |slot: usize| {
            let Some(node) = self.nodes.get(self.dense_of[slot]) else { return NONE };
            let at = self.jac_len;
            self.jac_len += entry.row_count * node.dim;
            at
        };
        let (jac_i, jac_j) = (jac(i), jac(j));
        for (r, s) in row_starts(&entry.rows) {
            if let Some(freedom) = s.motor {
                self.motors.push(MotorRow {
                    group: self.groups.len(),
                    row: self.row_count + r,
                    x: self.pattern.row[block] + r,
                    command: entry.command_start + s.ordinal,
                    freedom,
                    limits: rigid_limits(entry, freedom),
                    turn: NONE,
                });
            }
            self.links.extend(line_of([i, j], &s.primitive, self.row_count + r));
        }
        let free = (jac_i != NONE, jac_j != NONE);
        let sizes = [i, j].map(|b| self.nodes.get(self.dense_of[b]).map_or(0.0, |n| n.size));
        let shape = Shape::of(&entry.rows, free, Lightness::of(model, entry)).within(sizes, entry.row_count);
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
            slot: slot as u32,
            state_row: entry.row_start as u32,
            rows: entry.row_count as u8,
            closes_loop,
            idle,
            dead: false,
            arced: shape.arced,
            load: shape.load,
            moment: shape.moment,
            stiff: shape.stiff,
            angular: shape.angular,
            place_i: None,
            place_j: None,
            kappa: shape.kappa,
            arms: shape.arms,
            reach: shape.reach,
        });
        if dead && let Some(g) = self.groups.last_mut() {
            g.die();
        }
        self.row_count += entry.row_count;
    }

    /// Group of each joint slot.
    pub(super) fn index_groups(&mut self, model: &Model) {
        self.group_of = renewed(std::mem::take(&mut self.group_of), model.joints.slots(), NONE);
        for (k, g) in self.groups.iter().enumerate() {
            self.group_of[g.slot()] = k;
        }
    }

    /// Rows with bounds; sides hold body slots here, like those of the groups.
    pub(super) fn place_bounds(&mut self, model: &Model, awake: &impl Fn(usize) -> bool) {
        for (key, entry) in model.joints.iter().filter(|(_, j)| is_up(model, j, awake)) {
            let first = self.bounds.len();
            self.place_bounds_of(key.slot as usize, entry);
            for (k, b) in self.bounds[first..].iter().enumerate() {
                self.links.extend(line_of([b.i, b.j], &b.spec.primitive, self.row_count + first + k));
            }
        }
    }

    /// The rows with bounds of a joint, in the same way.
    pub(super) fn place_bounds_of(&mut self, slot: usize, entry: &JointEntry) {
        let (i, j) = (entry.i.0.slot as usize, entry.j.0.slot as usize);
        for (index, spec) in entry.bounds.iter().enumerate() {
            self.bounds.push(BoundRow {
                i,
                j,
                spec: *spec,
                slot,
                index,
                state_row: entry.row_start + entry.row_count + index,
                command: spec.motor.map_or(NONE, |m| entry.command_start + m),
                group: self.group_of[slot],
                turn: NONE,
                dead: false,
            });
        }
    }

    /// Freedoms whose turns are counted, and who measures them; the bodies are dense by now.
    pub(super) fn place_turns(&mut self, model: &Laid<'_>, awake: &impl Fn(usize) -> bool) {
        let mut turn_of = vec![NONE; model.joints.slots()];
        for (slot, entry) in model.joints().filter(|(_, j)| is_up(model, j, awake)) {
            let Some(turn) = entry.turn else { continue };
            let dense = |b: BodyId| self.dense_of[b.0.slot as usize];
            turn_of[slot] = self.turns.len();
            let (i, j) = (dense(entry.i), dense(entry.j));
            self.turns.push(TurnRow { slot, i, j, turn, used: false });
        }
        for m in &mut self.motors {
            let slot = self.groups[m.group].slot();
            let counts = model.joints.at(slot).is_some_and(|j| j.counts_turns_of(m.command));
            m.turn = if counts { turn_of[slot] } else { NONE };
        }
        for b in self.bounds.iter_mut().filter(|b| b.spec.counted) {
            b.turn = turn_of[b.slot];
        }
        let used = self.motors.iter().map(|m| m.turn).chain(self.bounds.iter().map(|b| b.turn));
        used.filter(|k| *k != NONE).for_each(|k| self.turns[k].used = true);
    }

    fn place_springs(&mut self, model: &Model, springs: &[usize], awake: &impl Fn(usize) -> bool) {
        let spring = |slot: usize| match model.forces.at(slot).map(|f| &f.force) {
            Some(Force::Spring(s)) => Some([s.i.0.slot as usize, s.j.0.slot as usize]),
            _ => None,
        };
        let mut at = vec![0.0_f64; model.bodies.slots()];
        springs.iter().filter_map(|&s| spring(s)).flatten().for_each(|b| at[b] += 1.0);
        // What does not move freely adds nothing.
        let is_free = |slot: usize| model.bodies.at(slot).is_some_and(|b| b.is_node());
        at.iter_mut().enumerate().filter(|(b, _)| !is_free(*b)).for_each(|(_, n)| *n = 1.0);
        for &slot in springs {
            let Some(Force::Spring(s)) = model.forces.at(slot).map(|f| &f.force) else { continue };
            let (i, j) = (s.i.0.slot as usize, s.j.0.slot as usize);
            let crowd = at[i].max(at[j]);
            let source = Source::Spring(slot);
            self.links.push(Link { i, j, si: s.point_i, sj: s.point_j, place: None, source, crowd, span: NONE });
        }
        for (key, f) in model.forces.iter() {
            if let Force::Mouse(m) = &f.force
                && model.acts(&f.force)
                && awake(m.body.0.slot as usize)
            {
                // The ground is in slot 0 of every world.
                let source = Source::Mouse(key.slot as usize);
                self.links.push(Link {
                    i: m.body.0.slot as usize,
                    j: 0,
                    si: m.point,
                    sj: glam::DVec3::ZERO,
                    place: None,
                    source,
                    crowd: 1.0,
                    span: NONE,
                });
            }
        }
    }

    /// Lays out the matrix and finds the islands with so much fill that dense panels pay; the others need their pairs of blocks. Islands
    /// of elements have no room for their fill: it is in the panels alone.
    fn find_wide(&mut self, order: &Order, structure: Structure) -> (Vec<bool>, Vec<Option<Fill>>) {
        let starts = &order.islands;
        let ranges = || starts.windows(2).map(|w| w[0]..w[1]).zip(&order.is_placed);
        let is_wide = |range: &Range<usize>, filled: usize| filled as f64 > T.layout.wide * range.len() as f64;
        let (mut bare, mut fills) = (Vec::new(), vec![None; order.is_placed.len()]);
        for (k, (range, _)) in ranges().enumerate().filter(|(_, (_, placed))| **placed) {
            let fill = structure.fill(range.clone());
            if is_wide(&range, fill.blocks) {
                let entries = structure.entries(range.clone());
                bare.push((range, fill.blocks - entries));
                fills[k] = Some(fill);
            }
        }
        self.pattern = structure.pattern(&bare);
        let p = &self.pattern;
        let is_bare = |range: &Range<usize>| bare.binary_search_by_key(&range.start, |b| b.0.start).is_ok();
        let wide: Vec<bool> =
            ranges().map(|(r, _)| is_bare(&r) || is_wide(&r, p.start[r.end] - p.start[r.start])).collect();
        let of = |block: usize| wide[starts.partition_point(|&s| s <= block) - 1];
        self.pattern.pair_up(|k| !of(k));
        (wide, fills)
    }

    /// What iterating on an island would save, where its matrix has particles alone.
    fn rival(&self, island: &Island, fill: Option<Fill>) -> Option<Rival> {
        let fill =
            fill.filter(|_| island.groups.is_empty() && self.nodes[island.nodes.clone()].iter().all(|n| n.dim == 3))?;
        let (first, p) = (island.blocks.start, &self.pattern);
        let mut near: Vec<Vec<usize>> = vec![Vec::new(); island.blocks.len()];
        for a in island.blocks.clone() {
            for &(b, _) in p.of(a) {
                near[a - first].push(b - first);
                near[b - first].push(a - first);
            }
        }
        let far = spread(&near, 0).0;
        Some(Rival { flops: fill.flops, values: fill.values, across: spread(&near, far).1 as f64 })
    }

    fn find_islands(&mut self, starts: &[usize]) {
        let (mut node, mut group) = (0, 0);
        let firsts: Vec<usize> = starts.iter().map(|&b| self.pattern.row[b]).collect();
        let motor = |x: usize| self.motors.partition_point(|m| m.x < x);
        let motors: Vec<usize> = firsts.into_iter().map(motor).collect();
        let mut island_of_slot = vec![NONE; self.dense_of.len()];
        for (w, m) in starts.windows(2).zip(motors.windows(2)) {
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
                k: island,
                blocks: w[0]..w[1],
                nodes: first_node..node,
                groups: first_group..group,
                links: 0..0,
                motors: m[0]..m[1],
                x: self.pattern.row[w[0]]..self.pattern.row[w[1]],
                off: self.off_start(w[0])..self.off_start(w[1]),
                clear_off: true,
                wide: false,
                rival: None,
                panels: None,
                fours: false,
                woven: false,
                loops: 0..0,
                balls_only: self.groups[first_group..group].iter().all(Group::is_ball)
                    && self.nodes[first_node..node].iter().all(|n| n.dim == 6),
                arced: self.groups[first_group..group].iter().all(|g| g.arced)
                    && self.nodes[first_node..node].iter().all(|n| n.dim == 6),
                rows: rows_of(&self.groups[first_group..group]),
                fill: 0,
            });
            let sides: usize = self.groups[first_group..group]
                .iter()
                .filter(|g| !g.idle)
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

    /// What the structured solver iterates on, island by island.
    fn find_loops(&mut self) {
        if !self.acyclic {
            return;
        }
        let (mut at, mut diag) = (0, 0);
        for k in 0..self.islands.len() {
            let first = self.loops.len();
            let island = &self.islands[k];
            let groups = island.groups.clone().filter(|&g| self.groups[g].closes_loop);
            let groups = groups.map(|g| (LoopKind::Group(g), self.groups[g].rows()));
            let links = island.links.clone().filter(|&l| self.is_cut(&self.links[l]));
            let links = links.map(|l| (LoopKind::Link(l), 3));
            for (kind, rows) in groups.chain(links).collect::<Vec<_>>() {
                self.loops.push(LoopPart { at, rows, diag, kind });
                at += rows;
                diag += rows * rows;
            }
            self.islands[k].loops = first..self.loops.len();
        }
    }

    /// First off-diagonal value of a block.
    fn off_start(&self, block: usize) -> usize {
        self.pattern.neighbours.get(self.pattern.start[block]).map_or(self.pattern.off_len, |&(_, at)| at)
    }

    fn count_neighbours(&mut self) {
        for g in self.groups.iter().filter(|g| !g.dead) {
            let (i, j) = (self.dense_of[g.i()], self.dense_of[g.j()]);
            if i != NONE && j != NONE && self.nodes[i].dim == 6 && self.nodes[j].dim == 6 {
                self.nodes[i].neighbours += 1;
                self.nodes[j].neighbours += 1;
            }
        }
    }

    /// Rods at each end of a rod.
    pub(super) fn find_rod_neighbours(&mut self) {
        self.rod_start.clear();
        self.rod_neighbours.clear();
        self.rod_start.push(0);
        self.add_rod_neighbours(0..self.nodes.len(), 0..self.links.len());
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
        for p in self.soft.pairs.iter_mut().filter(|p| p.a != p.b) {
            p.place = place(&self.pattern, self.nodes[p.a].x, self.nodes[p.b].x);
        }
    }
}

impl Node {
    /// Takes the numbers of its body.
    pub(super) fn weigh(&mut self, model: &Model, b: &BodyEntry) {
        let d = b.inertia;
        let spread = (d.x_axis.x - d.y_axis.y).abs().max((d.x_axis.x - d.z_axis.z).abs());
        let radius = |c: &ColliderId| match model.collider(*c).ok()?.shape.as_ref() {
            Solid::Ball { radius } => Some(*radius),
            _ => None,
        };
        let gyration = ((d.x_axis.x + d.y_axis.y + d.z_axis.z) / (2.0 * b.mass)).sqrt();
        let mixed = d.x_axis.y.abs().max(d.x_axis.z.abs()).max(d.y_axis.z.abs());
        (self.mass, self.weight) = (b.mass, b.weight());
        self.principal = mixed == 0.0;
        self.isotropic = spread.max(mixed) <= 1e-12 * d.x_axis.x;
        let skin = b.soft.and_then(|slot| model.softs.at(slot as usize)).map_or(0.0, |s| s.radius());
        self.size = if gyration > 0.0 { gyration } else { b.colliders.iter().filter_map(radius).fold(skin, f64::max) };
        (self.linear_damping, self.angular_damping) = (b.linear_damping, b.angular_damping);
        self.drag = (0.0, 0.0);
        self.top = b.top_speed;
    }
}

/// What the stabiliser needs to know of a joint.
struct Shape {
    load: Load,
    moment: u16,
    stiff: u16,
    angular: u16,
    arced: bool,
    kappa: f64,
    arms: [f64; 2],
    reach: f64,
}

impl Shape {
    /// `free`: which sides move freely; the arm of a side that does not is no measure of anything.
    fn of(rows: &[RowSpec], free: (bool, bool), light: Lightness) -> Self {
        let arced = is_arced(rows);
        let (load, kappa, arms, reach) = (Load::None, 0.0, [0.0; 2], f64::INFINITY);
        let mut s = Shape { load, moment: 0, stiff: 0, angular: 0, arced, kappa, arms, reach };
        let (mut slides, mut next_slide, mut hard, mut locks) = (0, usize::MAX, 0, 0);
        for (r, spec) in row_starts(rows) {
            let held = spec.holds() && light.is_held(spec);
            if held {
                (r..r + spec.primitive.rows()).for_each(|r| s.stiff |= 1 << r);
            }
            match spec.primitive {
                Primitive::Point { si, sj } => {
                    s.load = Load::Point(r as u8);
                    s.arms = [si.length(), sj.length()];
                    s.reaches(s.arms, free);
                }
                Primitive::Dot1 { .. } => {
                    s.moment |= 1 << r;
                    hard += usize::from(held);
                    s.angular |= 1 << r;
                }
                // A slide that is driven is far from zero: no arm, and not one of three.
                Primitive::Dot2 { .. } | Primitive::Slot { .. } if !spec.holds() => {}
                Primitive::Dot2 { si, sj, .. } | Primitive::Slot { si, sj, .. } => {
                    // Those in a row carry a force like a point.
                    slides = if r == next_slide { slides + 1 } else { 1 };
                    next_slide = r + 1;
                    if !matches!(s.load, Load::Point(_)) {
                        s.load = Load::Slide((r + 1 - slides) as u8, slides as u8);
                    }
                    s.reaches([si.length(), sj.length()], free);
                }
                Primitive::Distance { .. } if spec.motor.is_some() => {}
                Primitive::Distance { length, .. } => s.reach = s.reach.min(length),
                Primitive::Lock { .. } => {
                    s.moment |= 1 << r;
                    s.angular |= 1 << r;
                    locks += 1;
                }
                Primitive::Axial { .. } | Primitive::Twist { .. } => s.angular |= 1 << r,
            }
        }
        // Three rigid dot-1 rows leave no relative rotation: the reduced form vanishes.
        if s.moment != 0 && hard < 3 {
            // The form of locks alone is |T|/2 at most.
            s.kappa = if s.moment.count_ones() == locks { 0.5 } else { T.aligned.kappa };
        }
        s
    }

    /// Without arms the size of the smaller body is the reach, unless all rows are angles.
    fn within(mut self, sizes: [f64; 2], rows: usize) -> Self {
        if !self.reach.is_finite() && self.angular.count_ones() as usize != rows {
            self.reach = sizes.into_iter().filter(|&s| s > 0.0).fold(f64::INFINITY, f64::min);
        }
        self
    }

    fn reaches(&mut self, arms: [f64; 2], free: (bool, bool)) {
        for (s, free) in [(arms[0], free.0), (arms[1], free.1)] {
            if s > 0.0 && free {
                self.reach = self.reach.min(s);
            }
        }
    }
}

/// Whether the rows are a ball and directions at right angles alone.
fn is_arced(rows: &[RowSpec]) -> bool {
    let is = |k: usize, p: &Primitive| match k {
        0 => matches!(p, Primitive::Point { .. }),
        _ => matches!(p, Primitive::Dot1 { .. }),
    };
    !rows.is_empty() && rows.iter().enumerate().all(|(k, s)| s.holds() && is(k, &s.primitive))
}

/// The node of a graph that is farthest from one of its nodes, and how far it is.
fn spread(near: &[Vec<usize>], from: usize) -> (usize, usize) {
    let mut far = vec![usize::MAX; near.len()];
    far[from] = 0;
    let (mut queue, mut head) = (vec![from], 0);
    while head < queue.len() {
        let x = queue[head];
        for &y in &near[x] {
            if far[y] == usize::MAX {
                far[y] = far[x] + 1;
                queue.push(y);
            }
        }
        head += 1;
    }
    queue.last().map_or((from, 0), |&x| (x, far[x]))
}

/// Rows of groups that are laid out one after the other.
fn rows_of(groups: &[Group]) -> Range<usize> {
    match (groups.first(), groups.last()) {
        (Some(a), Some(b)) => a.row()..b.row() + b.rows(),
        _ => 0..0,
    }
}

//! A layout made of the pieces of the last one (`regrow`): nodes and groups are copied and get their new places; what is new is taken from
//! the model.

use super::regrow::{Edits, Part, Piece, Plan};
use super::{Group, Island, Link, MotorRow, NONE, Node, Place, Source, Topology};
use crate::model::Motion;
use crate::model::buried::Laid;
use std::ops::Range;

/// The old layout, and where its bodies are in the new one.
pub(super) struct Old<'a> {
    pub t: &'a Topology,
    /// New numbers of its dense bodies, or NONE.
    pub dense: Vec<usize>,
    /// Slots of bodies without unknowns in the new one.
    fixed: Vec<usize>,
}

/// Where an island begins.
struct Start {
    block: usize,
    node: usize,
    group: usize,
    link: usize,
    motor: usize,
    row: usize,
    x: usize,
    off: usize,
    near: usize,
}

/// What is seen of an island while its groups are placed.
struct Seen {
    balls_only: bool,
    arced: bool,
    /// Sides of groups with unknowns.
    sides: usize,
    /// Node that the next group comes after.
    node: usize,
    /// Link of the old layout that is probably the next.
    link: usize,
}

impl Topology {
    /// The layout after some edits, in memory that served another one; none where islands that were touched are no trees.
    pub fn regrown(
        &self,
        edits: &Edits<'_>,
        memory: &mut Topology,
        model: &Laid<'_>,
        awake: impl Fn(usize) -> bool,
    ) -> Option<Topology> {
        // Spans between two nodes couple them in the matrix.
        if !self.spans_couple_the_same(model, &awake) {
            return None;
        }
        let plan = Plan::new(self, edits, model, &awake)?;
        let mut t = std::mem::take(memory).begun(model);
        let old = self.renumber_bodies(&plan, edits, model, &mut t);
        let loose = self.links.iter().any(|l| self.is_loose(l));
        for part in &plan.parts {
            match part {
                Part::Old(k) => t.take_island((self, loose), &self.islands[*k], |dense| old.dense[dense]),
                Part::New(pieces) => t.grow(&old, &plan, &plan.pieces[pieces.clone()], model),
            }
        }
        t.slot_of.extend_from_slice(&old.fixed);
        t.count_again(&old, &plan);
        t.rejoin(&old, &plan, (edits.joints, loose), model, &awake);
        let has_loops = self.signs.has_loops && t.groups.iter().any(|g| g.closes_loop);
        t.signs.has_loops = has_loops;
        t.is_tree = t.pattern.fill_blocks == 0 && !has_loops;
        Some(t)
    }

    /// Numbers all bodies of the new layout.
    fn renumber_bodies<'a>(&'a self, plan: &Plan, edits: &Edits<'_>, model: &Laid<'_>, t: &mut Topology) -> Old<'a> {
        let mut dense = vec![NONE; self.slot_of.len()];
        let mut next = 0;
        for part in &plan.parts {
            let pieces = match part {
                Part::Old(k) => {
                    for n in self.islands[*k].nodes.clone() {
                        dense[n] = next;
                        next += 1;
                    }
                    continue;
                }
                Part::New(pieces) => &plan.pieces[pieces.clone()],
            };
            for piece in pieces {
                match piece {
                    Piece::Pairs(run) => {
                        for n in run.clone() {
                            dense[n as usize] = next;
                            next += 1;
                        }
                    }
                    Piece::Node(n) => {
                        dense[*n as usize] = next;
                        next += 1;
                    }
                    Piece::Fresh(k) => {
                        t.dense_of[plan.fresh[*k]] = next;
                        next += 1;
                    }
                    Piece::Group(_) | Piece::Joint(_) => {}
                }
            }
        }
        for (&slot, &n) in self.slot_of.iter().zip(&dense).filter(|(_, n)| **n != NONE) {
            t.dense_of[slot] = n;
        }
        // Bodies without unknowns come last, by slot.
        let is_edited = |slot: usize| edits.bodies.binary_search(&slot).is_ok();
        let driven = self.slot_of[self.nodes.len()..].iter().copied().zip(self.driven.iter().copied());
        let mut fixed: Vec<(usize, bool)> = driven.filter(|f| !is_edited(f.0)).collect();
        let new = |&slot: &usize| Some((slot, model.bodies.at(slot).filter(|b| !b.is_node())?.is_driven()));
        fixed.extend(edits.bodies.iter().filter_map(new));
        fixed.sort_unstable_by_key(|f| f.0);
        for (k, &(slot, _)) in fixed.iter().enumerate() {
            t.dense_of[slot] = next + k;
        }
        for (n, &slot) in self.slot_of.iter().enumerate().skip(self.nodes.len()) {
            dense[n] = if is_edited(slot) { NONE } else { t.dense_of[slot] };
        }
        t.driven.extend(fixed.iter().map(|f| f.1));
        Old { t: self, dense, fixed: fixed.into_iter().map(|f| f.0).collect() }
    }

    /// Appends an island that is made of pieces.
    fn grow(&mut self, old: &Old<'_>, plan: &Plan, pieces: &[Piece], model: &Laid<'_>) {
        let start = Start {
            block: self.pattern.dims.len(),
            node: self.nodes.len(),
            group: self.groups.len(),
            link: self.links.len(),
            motor: self.motors.len(),
            row: self.row_count,
            x: self.pattern.size(),
            off: self.pattern.off_len,
            near: self.pattern.neighbours.len(),
        };
        let groups = &old.t.groups;
        for piece in pieces {
            match piece {
                Piece::Pairs(run) => {
                    for n in run.clone().map(|n| n as usize) {
                        self.take_node(old, n);
                        self.take_block(groups[above(old.t, n)].rows(), true);
                    }
                }
                Piece::Node(n) => self.take_node(old, *n as usize),
                Piece::Fresh(k) => self.new_node(plan.fresh[*k], model),
                Piece::Group(g) => self.take_block(groups[*g].rows(), true),
                Piece::Joint(e) => {
                    let rows = model.laid(plan.edges[*e].slot).map_or(0, |(j, _)| j.row_count);
                    self.take_block(rows, true);
                }
            }
        }
        let mut seen = Seen { balls_only: true, arced: true, sides: 0, node: start.node, link: 0 };
        for piece in pieces {
            match piece {
                Piece::Pairs(run) => {
                    for n in run.clone().map(|n| n as usize) {
                        self.take_group(old, above(old.t, n), &start, &mut seen);
                    }
                }
                Piece::Group(g) => self.take_group(old, *g, &start, &mut seen),
                Piece::Joint(e) => self.new_group(plan.edges[*e].slot, model, &start, &mut seen),
                Piece::Node(_) | Piece::Fresh(_) => {}
            }
        }
        // The root of a tree that hangs on nothing.
        if seen.node < self.nodes.len() {
            self.pattern.start.push(self.pattern.neighbours.len());
            self.pattern.pair_start.push(self.pattern.pairs.len());
        }
        self.close_island(&start, &seen);
    }

    /// A block of the matrix.
    fn take_block(&mut self, dim: usize, is_row: bool) {
        let p = &mut self.pattern;
        let x = p.size();
        p.dims.push(dim);
        p.row.push(x + dim);
        p.diag.push(p.diag_len);
        p.diag_len += dim * dim;
        self.signs.is_row.push(is_row);
    }

    fn take_node(&mut self, old: &Old<'_>, n: usize) {
        let from = &old.t.nodes[n];
        let (x, diag, island) = (self.pattern.size(), self.pattern.diag_len, self.islands.len());
        self.nodes.push(Node { x, diag, island, ..from.clone() });
        self.slot_of.push(old.t.slot_of[n]);
        self.local_inertia.push(old.t.local_inertia[n]);
        self.take_block(from.dim, false);
    }

    fn new_node(&mut self, slot: usize, model: &Laid<'_>) {
        let Some(b) = model.bodies.at(slot) else { return };
        let dim = if b.motion == Motion::Particle { 3 } else { 6 };
        let (x, diag, island) = (self.pattern.size(), self.pattern.diag_len, self.islands.len());
        let mut node = Node { dim, x, diag, island, ..Node::default() };
        node.weigh(model, b);
        self.nodes.push(node);
        self.slot_of.push(slot);
        self.local_inertia.push(b.inertia);
        self.take_block(dim, false);
    }

    /// A group that was there, after the node that it leads up from.
    fn take_group(&mut self, old: &Old<'_>, k: usize, start: &Start, seen: &mut Seen) {
        let from = &old.t.groups[k];
        let (i, j) = (old.dense[from.i()], old.dense[from.j()]);
        let block = start.block + 2 * (seen.node - start.node) + 1;
        let mut jac = |dense: usize| {
            let Some(node) = self.nodes.get(dense) else { return u32::MAX };
            let at = self.jac_len as u32;
            self.jac_len += from.rows() * node.dim;
            at
        };
        let (jac_i, jac_j) = (jac(i), jac(j));
        let first = self.prims.len();
        self.prims.extend_from_slice(&old.t.prims[from.prims()]);
        let (row, group) = (self.row_count, self.groups.len());
        self.groups.push(Group {
            i: i as u32,
            j: j as u32,
            row: row as u32,
            x: self.pattern.row[block] as u32,
            diag: self.pattern.diag[block] as u32,
            prims: (first as u32, self.prims.len() as u32),
            jac_i,
            jac_j,
            place_i: None,
            place_j: None,
            ..from.clone()
        });
        self.row_count += from.rows();
        if !old.t.motors.is_empty() {
            let m = &old.t.motors;
            let range = m.partition_point(|m| m.group < k)..m.partition_point(|m| m.group <= k);
            for m in &m[range] {
                let (row, x) = (row + m.row - from.row(), self.pattern.row[block] + m.row - from.row());
                self.motors.push(MotorRow { group, row, x, ..*m });
            }
        }
        let first = self.links.len();
        let links = &old.t.links[old.t.islands[from.island()].links.clone()];
        if !links.is_empty() {
            let row_of = |l: &Link| if let Source::Row(row) = l.source { row } else { NONE };
            // Most groups come in the order that they had.
            let is_next = |at: usize| {
                links.get(at).is_some_and(|l| row_of(l) >= from.row())
                    && at.checked_sub(1).is_none_or(|b| row_of(&links[b]) < from.row())
            };
            if !is_next(seen.link) {
                seen.link = links.partition_point(|l| row_of(l) < from.row());
            }
            while let Some(l) = links.get(seen.link).filter(|l| row_of(l) < from.row() + from.rows()) {
                let (source, place) = (Source::Row(row + row_of(l) - from.row()), None);
                self.links.push(Link { i: old.dense[l.i], j: old.dense[l.j], source, place, ..l.clone() });
                seen.link += 1;
            }
        }
        self.couple(start, first, seen);
    }

    /// A group that is new, after the node that it leads up from.
    fn new_group(&mut self, slot: usize, model: &Laid<'_>, start: &Start, seen: &mut Seen) {
        let first = self.links.len();
        let block = start.block + 2 * (seen.node - start.node) + 1;
        self.place_group(model, slot, block, (false, false));
        if let Some(g) = self.groups.last_mut() {
            (g.i, g.j) = (self.dense_of[g.i()] as u32, self.dense_of[g.j()] as u32);
        }
        for l in &mut self.links[first..] {
            (l.i, l.j) = (self.dense_of[l.i], self.dense_of[l.j]);
        }
        self.couple(start, first, seen);
    }

    /// The couplings of the last group and of the node before it, which has `links` from one on.
    fn couple(&mut self, start: &Start, first_link: usize, seen: &mut Seen) {
        let Some(g) = self.groups.last_mut() else { return };
        let (child, rows) = (seen.node, g.rows());
        let is_i = g.i() == child;
        let other = if is_i { g.j() } else { g.i() };
        let above = (other < self.nodes.len()).then(|| start.block + 2 * (other - start.node));
        let p = &mut self.pattern;
        let (dim, rows_block) = (self.nodes[child].dim, start.block + 2 * (child - start.node) + 1);
        let width = self.nodes.get(other).map_or(0, |n| n.dim);
        let below = Place { at: p.off_len as u32, first_is_pivot: true };
        p.neighbours.push((rows_block, p.off_len));
        p.off_len += dim * rows;
        let line = above.filter(|_| self.links.len() > first_link);
        if let Some(above) = line {
            let at = p.off_len as u32;
            self.links[first_link..]
                .iter_mut()
                .for_each(|l| l.place = Some(Place { at, first_is_pivot: l.i == child }));
            p.neighbours.push((above, p.off_len));
            p.off_len += dim * width;
            // Offset of the block of the rows and the other node, which comes next.
            p.pairs.push(p.off_len);
        }
        p.start.push(p.neighbours.len());
        p.pair_start.push(p.pairs.len());
        let mut upper = None;
        if let Some(above) = above {
            upper = Some(Place { at: p.off_len as u32, first_is_pivot: false });
            p.neighbours.push((above, p.off_len));
            p.off_len += rows * width;
        }
        p.start.push(p.neighbours.len());
        p.pair_start.push(p.pairs.len());
        (g.place_i, g.place_j) = if is_i { (Some(below), upper) } else { (upper, Some(below)) };
        g.island = self.islands.len() as u32;
        self.group_of[g.slot()] = start.group + child - start.node;
        seen.balls_only &= g.is_ball();
        seen.arced &= g.arced;
        seen.sides += 1 + usize::from(above.is_some());
        seen.node += 1;
    }

    /// The island that ends here.
    fn close_island(&mut self, start: &Start, seen: &Seen) {
        let (nodes, groups) = (start.node..self.nodes.len(), start.group..self.groups.len());
        let links = start.link..self.links.len();
        let p = &self.pattern;
        self.islands.push(Island {
            k: self.islands.len(),
            blocks: start.block..p.dims.len(),
            links: if links.is_empty() { 0..0 } else { links.clone() },
            motors: start.motor..self.motors.len(),
            x: start.x..p.size(),
            off: start.off..p.off_len,
            clear_off: p.neighbours.len() - start.near != seen.sides,
            wide: false,
            rival: None,
            panels: None,
            fours: false,
            woven: false,
            loops: 0..0,
            balls_only: seen.balls_only && self.nodes[nodes.clone()].iter().all(|n| n.dim == 6),
            arced: seen.arced && self.nodes[nodes.clone()].iter().all(|n| n.dim == 6),
            rows: if groups.is_empty() { 0..0 } else { start.row..self.row_count },
            fill: 0,
            nodes: nodes.clone(),
            groups,
        });
        self.add_rod_neighbours(nodes, links);
    }

    /// Rods at each end of links that are new, all of some nodes.
    pub(super) fn add_rod_neighbours(&mut self, nodes: Range<usize>, links: Range<usize>) {
        if links.is_empty() {
            return;
        }
        let ends = |l: &Link| {
            let is_rod = matches!(l.source, Source::Row(_));
            let inside = |b: usize| if is_rod && nodes.contains(&b) { Some(b - nodes.start) } else { None };
            [inside(l.i), inside(l.j)].into_iter().flatten()
        };
        let mut start = vec![0_u32; nodes.len() + 1];
        self.links[links.clone()].iter().flat_map(ends).for_each(|b| start[b + 1] += 1);
        (0..nodes.len()).for_each(|b| start[b + 1] += start[b]);
        let (mut rods, mut next) = (vec![0_u32; start[nodes.len()] as usize], start.clone());
        for k in links.clone() {
            for b in ends(&self.links[k]) {
                rods[next[b] as usize] = k as u32;
                next[b] += 1;
            }
        }
        for k in links {
            for b in ends(&self.links[k]) {
                let at = &rods[start[b] as usize..start[b + 1] as usize];
                self.rod_neighbours.extend(at.iter().map(|&q| q as usize).filter(|&q| q != k));
            }
            self.rod_start.push(self.rod_neighbours.len());
        }
    }

    /// Neighbours of the bodies whose joints have come or gone.
    fn count_again(&mut self, old: &Old<'_>, plan: &Plan) {
        let nodes = &old.t.nodes;
        let turns = |b: usize| nodes.get(b).is_some_and(|n| n.dim == 6);
        for g in plan.dropped.iter().map(|&g| &old.t.groups[g]).filter(|g| !g.dead && turns(g.i()) && turns(g.j())) {
            for n in [g.i(), g.j()] {
                if let Some(node) = self.nodes.get_mut(old.dense[n]) {
                    node.neighbours -= 1;
                }
            }
        }
        for e in &plan.edges {
            let g = &self.groups[self.group_of[e.slot]];
            let ends = [g.i(), g.j()];
            if !g.dead && ends.into_iter().all(|b| self.nodes.get(b).is_some_and(|n| n.dim == 6)) {
                ends.into_iter().for_each(|b| self.nodes[b].neighbours += 1);
            }
        }
    }
}

/// The group after a node of an island without loops.
#[inline]
fn above(t: &Topology, n: usize) -> usize {
    let island = &t.islands[t.nodes[n].island];
    island.groups.start + n - island.nodes.start
}

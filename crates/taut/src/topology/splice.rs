//! A new layout of some islands, put between those of the last one that have not changed. The layout is the one that would be made of the
//! whole model: islands come by their first body, and everything of an island is contiguous, so that it moves by offsets.

use super::{Group, Island, MotorRow, NONE, Place, Source, Topology, renewed};
use crate::model::buried::Laid;
use std::ops::Range;

/// What changes in the numbers of an island that moves.
struct Shift<'a> {
    from: &'a Topology,
    island: &'a Island,
    /// First of its blocks, nodes, groups, links, rows, unknowns, diagonal and off-diagonal values and Jacobian values, as they were
    /// and as they are.
    block: [usize; 2],
    node: [usize; 2],
    group: [usize; 2],
    link: [usize; 2],
    row: [usize; 2],
    x: [usize; 2],
    diag: [usize; 2],
    off: [usize; 2],
    jac: [usize; 2],
}

/// A number that moves along.
fn moved(by: [usize; 2], at: usize) -> usize {
    at - by[0] + by[1]
}

fn range(by: [usize; 2], r: &Range<usize>) -> Range<usize> {
    if r.is_empty() { r.clone() } else { moved(by, r.start)..moved(by, r.end) }
}

impl Topology {
    /// Nothing, ready to take pieces of other layouts, in memory that is there.
    pub(super) fn begun(self, model: &Laid<'_>) -> Self {
        let mut t = self.emptied();
        t.dense_of = renewed(t.dense_of, model.bodies.slots(), NONE);
        t.group_of = renewed(t.group_of, model.joints.slots(), NONE);
        t.pattern.row.push(0);
        t.pattern.start.push(0);
        t.pattern.pair_start.push(0);
        t.rod_start.push(0);
        t
    }

    /// Whether islands of this layout can be cut and put together (`regrow`): nothing in it goes beyond an island but what is placed anew.
    pub fn can_regrow(&self) -> bool {
        self.has_few_loops() && self.soft.is_empty() && !self.acyclic && !self.islands.iter().any(|i| i.wide)
    }

    /// Whether no island has several loops. One with several changes the order of all others (`solve::ordering`, whose trees are then made in
    /// another way).
    fn has_few_loops(&self) -> bool {
        let loops = |i: &Island| self.groups[i.groups.clone()].iter().filter(|g| g.closes_loop).count();
        !self.signs.has_loops || self.islands.iter().all(|i| loops(i) < 2)
    }

    /// Whether islands of this layout can be put between others: nothing in it goes beyond an island but rows with bounds and turns.
    pub fn can_move(&self) -> bool {
        if !self.has_few_loops() {
            return false;
        }
        let plain = self.couplings.is_empty() && self.segments.is_empty() && self.soft.is_empty() && !self.acyclic;
        let line = self.links.iter().any(|l| matches!(l.source, Source::Row(row) if row >= self.row_count));
        plain && !line && !self.islands.iter().any(|i| i.wide)
    }

    /// The islands of this layout that some body slots belong to, or that have dead pivots.
    pub fn touched(&self, slots: &[usize]) -> Vec<bool> {
        let mut touched = vec![false; self.islands.len()];
        for &slot in slots {
            if let Some(node) = self.dense_of.get(slot).and_then(|&n| self.nodes.get(n)) {
                touched[node.island] = true;
            }
        }
        self.groups.iter().filter(|g| g.dead).for_each(|g| touched[g.island()] = true);
        touched
    }

    /// This layout with `part` in place of the islands that were touched, in memory that served another one.
    pub fn spliced(
        &self,
        (part, touched): (&Topology, &[bool]),
        memory: Topology,
        model: &Laid<'_>,
        awake: impl Fn(usize) -> bool,
    ) -> Topology {
        let first = |t: &Topology, i: &Island| t.slot_of[i.nodes.clone()].iter().copied().min().unwrap_or(NONE);
        let kept = self.islands.iter().zip(touched).filter(|(_, touched)| !**touched);
        let mut order: Vec<(usize, &Topology, &Island)> = kept.map(|(i, _)| (first(self, i), self, i)).collect();
        order.extend(part.islands.iter().map(|i| (first(part, i), part, i)));
        order.sort_unstable_by_key(|o| o.0);
        let nodes: usize = order.iter().map(|o| o.2.nodes.len()).sum();
        let mut t = memory.begun(model);
        for (_, from, island) in order {
            t.take_island((from, false), island, |dense| match from.slot_of.get(dense) {
                // Bodies without unknowns come last, in an order that the part has right.
                Some(&slot) => nodes + part.dense_of[slot] - part.nodes.len(),
                None => NONE,
            });
        }
        for (&slot, &driven) in part.slot_of[part.nodes.len()..].iter().zip(&part.driven) {
            t.dense_of[slot] = t.slot_of.len();
            t.slot_of.push(slot);
            t.driven.push(driven);
        }
        t.place_all_bounds(model, &awake, [self, part].iter().any(|t| !(t.bounds.is_empty() && t.turns.is_empty())));
        t.find_kind();
        t
    }

    /// Rows with bounds, and freedoms whose turns are counted, of the whole model, where there are `any`.
    fn place_all_bounds(&mut self, model: &Laid<'_>, awake: &impl Fn(usize) -> bool, any: bool) {
        if !any {
            return;
        }
        self.place_bounds(model, awake);
        for b in &mut self.bounds {
            (b.i, b.j) = (self.dense_of[b.i], self.dense_of[b.j]);
        }
        self.place_turns(model, awake);
    }

    /// Appends an island of another layout; `fixed` numbers the bodies without unknowns. Where there are loose links, those are left out, and
    /// neighbours are not known until they are there.
    pub(super) fn take_island(
        &mut self,
        (from, loose): (&Topology, bool),
        island: &Island,
        fixed: impl Fn(usize) -> usize,
    ) {
        let groups = &from.groups[island.groups.clone()];
        let (block, diag) = (island.blocks.start, from.pattern.diag.get(island.blocks.start).copied().unwrap_or(0));
        let by = Shift {
            from,
            island,
            block: [block, self.pattern.dims.len()],
            node: [island.nodes.start, self.nodes.len()],
            group: [island.groups.start, self.groups.len()],
            link: [island.links.start, self.links.len()],
            row: [island.rows.start, self.row_count],
            x: [island.x.start, self.pattern.size()],
            diag: [diag, self.pattern.diag_len],
            off: [island.off.start, self.pattern.off_len],
            jac: [groups.iter().flat_map(|g| [g.jac_i(), g.jac_j()]).min().unwrap_or(0), self.jac_len],
        };
        let dense = |b: usize| if from.is_node(b) { moved(by.node, b) } else { fixed(b) };
        let place = |p: Option<Place>| p.map(|p| Place { at: moved(by.off, p.at as usize) as u32, ..p });
        self.take_pattern(&by);
        for n in island.nodes.clone() {
            let slot = from.slot_of[n];
            self.dense_of[slot] = self.slot_of.len();
            self.slot_of.push(slot);
            let mut node = from.nodes[n].clone();
            (node.x, node.diag, node.island) = (moved(by.x, node.x), moved(by.diag, node.diag), self.islands.len());
            self.nodes.push(node);
            self.local_inertia.push(from.local_inertia[n]);
        }
        for g in groups {
            let mut g: Group = g.clone();
            (g.i, g.j) = (dense(g.i()) as u32, dense(g.j()) as u32);
            (g.row, g.x) = (moved(by.row, g.row()) as u32, moved(by.x, g.x()) as u32);
            (g.diag, g.island) = (moved(by.diag, g.diag()) as u32, self.islands.len() as u32);
            let prims = g.prims();
            // Dead pivots have left gaps between them.
            let first = self.prims.len();
            g.prims = (first as u32, (first + prims.len()) as u32);
            for jac in [&mut g.jac_i, &mut g.jac_j].into_iter().filter(|j| **j != u32::MAX) {
                *jac = moved(by.jac, *jac as usize) as u32;
            }
            (g.place_i, g.place_j) = (place(g.place_i), place(g.place_j));
            self.jac_len += [g.jac_i(), g.jac_j()]
                .into_iter()
                .zip([g.i(), g.j()])
                .fold(0, |sum, (at, b)| if at == NONE { sum } else { sum + g.rows() * self.nodes[b].dim });
            self.prims.extend_from_slice(&from.prims[prims]);
            self.row_count += g.rows();
            self.group_of[g.slot()] = self.groups.len();
            self.groups.push(g);
        }
        for k in island.links.clone().filter(|&k| !(loose && from.is_loose(&from.links[k]))) {
            let mut l = from.links[k].clone();
            (l.i, l.j, l.place) = (dense(l.i), dense(l.j), place(l.place));
            if let Source::Row(row) = &mut l.source {
                *row = moved(by.row, *row);
            }
            self.links.push(l);
            if loose {
                continue;
            }
            let near = &from.rod_neighbours[from.rod_start[k]..from.rod_start[k + 1]];
            self.rod_neighbours.extend(near.iter().map(|&q| moved(by.link, q)));
            self.rod_start.push(self.rod_neighbours.len());
        }
        let motors = self.motors.len();
        for m in &from.motors[island.motors.clone()] {
            let (group, row, x) = (moved(by.group, m.group), moved(by.row, m.row), moved(by.x, m.x));
            self.motors.push(MotorRow { group, row, x, ..*m });
        }
        self.islands.push(Island {
            k: self.islands.len(),
            blocks: moved(by.block, island.blocks.start)..moved(by.block, island.blocks.end),
            nodes: moved(by.node, island.nodes.start)..moved(by.node, island.nodes.end),
            groups: moved(by.group, island.groups.start)..moved(by.group, island.groups.end),
            links: range(by.link, &island.links),
            motors: motors..self.motors.len(),
            x: moved(by.x, island.x.start)..moved(by.x, island.x.end),
            off: moved(by.off, island.off.start)..moved(by.off, island.off.end),
            rows: range(by.row, &island.rows),
            ..island.clone()
        });
    }

    /// The part of the pattern that is an island's.
    fn take_pattern(&mut self, by: &Shift<'_>) {
        let (p, from) = (&mut self.pattern, &by.from.pattern);
        for k in by.island.blocks.clone() {
            p.dims.push(from.dims[k]);
            p.row.push(moved(by.x, from.row[k + 1]));
            p.diag.push(moved(by.diag, from.diag[k]));
            p.diag_len += from.dims[k] * from.dims[k];
            let near = from.of(k).iter().map(|&(a, at)| (moved(by.block, a), moved(by.off, at)));
            p.neighbours.extend(near);
            p.start.push(p.neighbours.len());
            let pairs = &from.pairs[from.pair_start[k]..from.pair_start[k + 1]];
            p.pairs.extend(pairs.iter().map(|&at| moved(by.off, at)));
            p.pair_start.push(p.pairs.len());
        }
        p.off_len += by.island.off.len();
        p.fill_blocks += by.island.fill;
        self.signs.is_row.extend_from_slice(&by.from.signs.is_row[by.island.blocks.clone()]);
    }
}

//! What goes beyond islands in a layout that is made of the pieces of the last one: rows with bounds, freedoms whose turns are counted,
//! couplings, ropes over guides, and the links of one-way rows.

use super::build::{is_up, line_of};
use super::grown::Old;
use super::regrow::Plan;
use super::{BoundRow, Link, NONE, Place, Source, Topology, TurnRow};
use crate::model::buried::Laid;

impl Topology {
    /// Whether a link belongs to a row that is not in a block: those are placed anew in every layout.
    pub(super) fn is_loose(&self, l: &Link) -> bool {
        l.span != NONE || matches!(l.source, Source::Row(row) if row >= self.row_count)
    }

    /// Takes over what goes beyond islands, less that of joints which are gone, and adds that of new ones. `joints` are the slots of both,
    /// `loose` says whether there were links that are placed anew.
    pub(super) fn rejoin(
        &mut self,
        old: &Old<'_>,
        plan: &Plan,
        (joints, loose): (&[usize], bool),
        model: &Laid<'_>,
        awake: &impl Fn(usize) -> bool,
    ) {
        self.take_bounds(old, joints, model, awake);
        self.take_turns(old, plan, joints, model, awake);
        self.place_terms(model, awake);
        let kept = self.links.len();
        for k in 0..self.bounds.len() {
            let b = &self.bounds[k];
            let [i, j] = [b.i, b.j];
            if let Some(link) = line_of([i, j], &b.spec.primitive, self.row_count + k) {
                self.links.push(link);
            }
        }
        let lines = self.links.len();
        self.place_ropes(model, model.ropes_now, awake);
        for l in &mut self.links[lines..] {
            (l.i, l.j) = (self.dense_of[l.i], self.dense_of[l.j]);
        }
        if loose || self.links.len() > kept {
            self.place_links(kept);
            self.sort_links();
            self.find_rod_neighbours();
        }
        self.tie_ropes();
    }

    fn take_bounds(&mut self, old: &Old<'_>, joints: &[usize], model: &Laid<'_>, awake: &impl Fn(usize) -> bool) {
        let stays = |slot: usize| joints.binary_search(&slot).is_err();
        let kept = old.t.bounds.iter().filter(|b| stays(b.slot));
        let group_of = &self.group_of;
        self.bounds.extend(kept.map(|b| BoundRow {
            i: old.dense[b.i],
            j: old.dense[b.j],
            group: group_of[b.slot],
            turn: NONE,
            ..*b
        }));
        let from = self.bounds.len();
        for &slot in joints {
            if let Some(entry) = model.joints.at(slot).filter(|j| is_up(model, j, awake)) {
                self.place_bounds_of(slot, entry);
            }
        }
        let (dense_of, new) = (&self.dense_of, self.bounds.len() > from);
        for b in &mut self.bounds[from..] {
            (b.i, b.j) = (dense_of[b.i], dense_of[b.j]);
        }
        if new {
            // Stable: those of one joint stay as they are.
            self.bounds.sort_by_key(|b| b.slot);
        }
    }

    fn take_turns(
        &mut self,
        old: &Old<'_>,
        plan: &Plan,
        joints: &[usize],
        model: &Laid<'_>,
        awake: &impl Fn(usize) -> bool,
    ) {
        let is_gone = |slot: usize| {
            let group = old.t.group_of.get(slot).copied().unwrap_or(NONE);
            joints.binary_search(&slot).is_ok() || plan.dropped.binary_search(&group).is_ok()
        };
        let kept = old.t.turns.iter().filter(|t| !is_gone(t.slot));
        self.turns.extend(kept.map(|t| TurnRow { i: old.dense[t.i], j: old.dense[t.j], used: false, ..*t }));
        let from = self.turns.len();
        for &slot in joints {
            let Some((entry, _)) = model.laid(slot).filter(|(j, _)| is_up(model, j, awake)) else { continue };
            let Some(turn) = entry.turn else { continue };
            let [i, j] = [entry.i, entry.j].map(|b| self.dense_of[b.0.slot as usize]);
            self.turns.push(TurnRow { slot, i, j, turn, used: false });
        }
        if self.turns.len() > from {
            self.turns.sort_unstable_by_key(|t| t.slot);
        }
        let turn_of = |turns: &[TurnRow], slot: usize| turns.binary_search_by_key(&slot, |t| t.slot).unwrap_or(NONE);
        for m in &mut self.motors {
            let slot = self.groups[m.group].slot();
            let counts = match joints.binary_search(&slot) {
                Ok(_) => model.joints.at(slot).is_some_and(|j| j.counts_turns_of(m.command)),
                Err(_) => m.turn != NONE,
            };
            m.turn = if counts { turn_of(&self.turns, slot) } else { NONE };
        }
        for b in self.bounds.iter_mut().filter(|b| b.spec.counted) {
            b.turn = turn_of(&self.turns, b.slot);
        }
        let used = self.motors.iter().map(|m| m.turn).chain(self.bounds.iter().map(|b| b.turn));
        used.filter(|k| *k != NONE).for_each(|k| self.turns[k].used = true);
    }

    /// Places in the matrix of the links from one on; their ends are dense.
    pub(super) fn place_links(&mut self, first: usize) {
        for k in first..self.links.len() {
            let (i, j) = (self.links[k].i, self.links[k].j);
            if self.is_node(i) && self.is_node(j) {
                let island = &self.islands[self.nodes[i].island];
                let (a, b) = (self.block_of(island, i), self.block_of(island, j));
                let at = self.pattern.coupling(a.min(b), a.max(b));
                self.links[k].place = at.map(|at| Place { at: at as u32, first_is_pivot: a < b });
            }
        }
    }

    /// Links by island, and in an island those of joints, of one-way rows, of springs, of spans.
    pub(super) fn sort_links(&mut self) {
        let (nodes, count, rows) = (&self.nodes, self.islands.len(), self.row_count);
        let of =
            |l: &Link| [l.i, l.j].into_iter().filter_map(|b| nodes.get(b)).map(|n| n.island).min().unwrap_or(count);
        let kind = |l: &Link| match l.source {
            _ if l.span != NONE => 3,
            Source::Row(row) => u8::from(row >= rows),
            Source::Spring(_) | Source::Mouse(_) => 2,
        };
        self.links.sort_by_key(|l| (of(l), kind(l)));
        let starts: Vec<usize> = (0..=count).map(|k| self.links.partition_point(|l| of(l) < k)).collect();
        for (island, range) in self.islands.iter_mut().zip(starts.windows(2)) {
            island.links = if range[0] < range[1] { range[0]..range[1] } else { 0..0 };
        }
    }
}

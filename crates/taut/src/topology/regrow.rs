//! Which parts of a layout go where when joints and bodies come and go: the order of elimination of islands without loops is cut and put
//! together again, and no graph is searched.
//!
//! The order of a tree is its post-order, each node followed by the joint to its parent, children by the slots of their joints
//! (`solve::ordering`). What hangs below a joint is contiguous: when the joint goes, so does a range, and when a tree is attached it is put in
//! at one place. A tree that is attached by another node than its root turns round on the way between the two; what hangs on that way
//! keeps its order. The result is the order that would be found for the whole model, so the layout has its numbers and the step its bits.

use super::{NONE, Source, Topology};
use crate::constraint::Primitive;
use crate::joints::BoundSpec;
use crate::model::BodyEntry;
use crate::model::buried::Laid;
use std::cmp::Reverse;
use std::ops::Range;

/// What has changed since a layout was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edits<'a> {
    /// Slots of joints and of bodies that were added or removed, ascending.
    pub joints: &'a [usize],
    pub bodies: &'a [usize],
    /// Whether there are dead pivots in the layout.
    pub dead: bool,
}

/// Most pieces that trees are cut into: with more of them, laying out all is no slower.
const MOST: usize = 256;

/// What comes next in the order.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    /// Nodes of the old layout, each with the joint after it.
    Pairs(Range<u32>),
    /// A node of the old layout by itself.
    Node(u32),
    /// A new node, by its place in `Plan::fresh`.
    Fresh(usize),
    /// A group of the old layout by itself.
    Group(usize),
    /// A new joint, by its place in `Plan::edges`.
    Joint(usize),
}

/// An island of the new layout.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// One of the old layout, as it was.
    Old(usize),
    /// Made of these pieces.
    New(Range<usize>),
}

/// A joint that the old layout does not have, with its ends: a fragment and a node in it, unless the side has no unknowns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub slot: usize,
    ends: [Option<(usize, u32)>; 2],
}

/// Nodes that are still connected by joints of the old layout.
#[derive(Clone, Debug)]
struct Fragment {
    /// Its node that was next to the root, and the first of what hung below it.
    top: u32,
    low: u32,
    /// What hung below its nodes and does so no more.
    holes: Vec<Range<u32>>,
    /// Whether its top hangs on the ground by a joint of the old layout.
    held: bool,
    /// Whether its only node is gone.
    gone: bool,
    edges: Vec<usize>,
}

/// The new order.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// Slots of new nodes.
    pub fresh: Vec<usize>,
    pub edges: Vec<Edge>,
    /// Groups of the old layout that are gone.
    pub dropped: Vec<usize>,
    /// Islands, in their order.
    pub parts: Vec<Part>,
    pub pieces: Vec<Piece>,
}

/// How the old layout is cut and put together.
struct Planner<'a> {
    t: &'a Topology,
    /// First node of what hangs below each node, itself among it; valid in islands that are touched.
    low: Vec<u32>,
    fragments: Vec<Fragment>,
    plan: Plan,
    /// First piece of the island that is put together.
    start: usize,
}

impl Plan {
    /// Finds it; none where the islands that are touched are no trees, or would not be any more.
    pub fn new(t: &Topology, edits: &Edits<'_>, model: &Laid<'_>, awake: &impl Fn(usize) -> bool) -> Option<Self> {
        let mut plan = Plan::default();
        let is_new = |s: &usize| awake(*s) && model.bodies.at(*s).is_some_and(BodyEntry::is_node);
        plan.fresh = edits.bodies.iter().copied().filter(is_new).collect();
        let group = |slot: &usize| t.group_of.get(*slot).copied().filter(|&g| g != NONE);
        plan.dropped = edits.joints.iter().filter_map(group).collect();
        if edits.dead {
            let stays = |slot: usize| model.laid(slot).is_some_and(|(_, dead)| dead);
            let dead = t.groups.iter().enumerate().filter(|(_, g)| g.dead && !stays(g.slot()));
            plan.dropped.extend(dead.map(|(k, _)| k));
        }
        plan.dropped.sort_unstable();
        plan.dropped.dedup();
        let mut planner = Planner { t, low: Vec::new(), fragments: Vec::new(), plan, start: 0 };
        planner.cut(edits, model)?;
        planner.join(edits, model, awake)?;
        planner.put_together()?;
        Some(planner.plan)
    }
}

impl Planner<'_> {
    /// Number of a body among the old nodes, or after them among the new ones.
    fn vertex(&self, edits: &Edits<'_>, slot: usize) -> Option<u32> {
        let nodes = self.t.nodes.len();
        if edits.bodies.binary_search(&slot).is_ok() {
            return self.plan.fresh.binary_search(&slot).ok().map(|k| (nodes + k) as u32);
        }
        self.t.dense_of.get(slot).filter(|&&n| n < nodes).map(|&n| n as u32)
    }

    /// Group after a node, if there is one, and the body on its other side.
    fn parent(&self, n: u32) -> Option<(usize, usize)> {
        let island = &self.t.islands[self.t.nodes[n as usize].island];
        let g = island.groups.start + n as usize - island.nodes.start;
        let group = self.t.groups[..island.groups.end].get(g)?;
        Some((g, if group.i() == n as usize { group.j() } else { group.i() }))
    }

    fn is_kept(&self, group: usize) -> bool {
        self.plan.dropped.binary_search(&group).is_err()
    }

    /// Slot of the joint from a node to its parent.
    fn slot_above(&self, n: u32) -> usize {
        self.parent(n).map_or(NONE, |(g, _)| self.t.groups[g].slot())
    }

    /// Children of a node that still hang on it, in their order.
    fn children(&self, n: u32) -> Vec<u32> {
        let (mut list, first) = (Vec::new(), self.low[n as usize]);
        let mut next = n;
        while next > first {
            let child = next - 1;
            if self.parent(child).is_some_and(|(g, _)| self.is_kept(g)) {
                list.push(child);
            }
            next = self.low[child as usize];
        }
        list.reverse();
        list
    }

    /// Islands that are touched, cut into fragments.
    fn cut(&mut self, edits: &Edits<'_>, model: &Laid<'_>) -> Option<()> {
        let t = self.t;
        let mut touched = vec![false; t.islands.len()];
        self.plan.dropped.iter().for_each(|&g| touched[t.groups[g].island()] = true);
        let ends = edits.joints.iter().filter_map(|&slot| model.laid(slot)).flat_map(|(j, _)| [j.i, j.j]);
        let bodies = ends.map(|b| b.0.slot as usize).chain(edits.bodies.iter().copied());
        for node in bodies.filter_map(|slot| t.nodes.get(*t.dense_of.get(slot)?)) {
            touched[node.island] = true;
        }
        let mut tops: Vec<(u32, bool)> = Vec::new();
        self.low = vec![0; t.nodes.len()];
        for (island, _) in t.islands.iter().zip(&touched).filter(|(_, touched)| **touched) {
            let own = |s: &Source| matches!(s, Source::Row(row) if *row < t.row_count);
            if island.wide || !t.links[island.links.clone()].iter().all(|l| l.span == NONE && own(&l.source)) {
                return None;
            }
            let (nodes, groups) = (island.nodes.clone(), &t.groups[island.groups.clone()]);
            if nodes.is_empty() || groups.len() + 1 < nodes.len() || groups.len() > nodes.len() {
                return None;
            }
            nodes.clone().for_each(|n| self.low[n] = n as u32);
            for (n, g) in nodes.clone().zip(groups) {
                let parent = if g.i() == n { g.j() } else { g.i() };
                let is_branch = (g.i() == n || g.j() == n) && parent > n && !g.closes_loop && !g.idle;
                // The root hangs on what does not move, and nothing else does.
                if !is_branch || t.is_node(parent) == (n + 1 == nodes.end) {
                    return None;
                }
                if n + 1 < nodes.end {
                    self.low[parent] = self.low[parent].min(self.low[n]);
                }
            }
            let cut = |g: usize| (nodes.start + g - island.groups.start) as u32;
            let dropped = self.plan.dropped.iter().filter(|g| island.groups.contains(g));
            tops.extend(dropped.map(|&g| (cut(g), false)));
            let root = (nodes.end - 1) as u32;
            if tops.last().is_none_or(|top| top.0 != root) {
                tops.push((root, groups.len() == nodes.len()));
            }
        }
        let islands = touched.iter().enumerate().filter(|(_, touched)| !**touched);
        self.plan.parts = islands.map(|(k, _)| Part::Old(k)).collect();
        if tops.len() + self.plan.fresh.len() > MOST {
            return None;
        }
        let mut open: Vec<usize> = Vec::new();
        for (top, held) in tops {
            let low = self.low[top as usize];
            let mut holes = Vec::new();
            while let Some(inner) = open.pop_if(|f| self.fragments[*f].top >= low) {
                holes.push(self.fragments[inner].low..self.fragments[inner].top + 1);
            }
            holes.reverse();
            open.push(self.fragments.len());
            let gone = edits.bodies.binary_search(&t.slot_of[top as usize]).is_ok();
            let below: u32 = holes.iter().map(|h: &Range<u32>| h.end - h.start).sum();
            // A body goes with its joints.
            if gone && below != top - low {
                return None;
            }
            self.fragments.push(Fragment { top, low, holes, held, gone, edges: Vec::new() });
        }
        for k in 0..self.plan.fresh.len() {
            let top = (t.nodes.len() + k) as u32;
            let (holes, edges) = (Vec::new(), Vec::new());
            self.fragments.push(Fragment { top, low: top, holes, held: false, gone: false, edges });
        }
        Some(())
    }

    /// New joints between the fragments.
    fn join(&mut self, edits: &Edits<'_>, model: &Laid<'_>, awake: &impl Fn(usize) -> bool) -> Option<()> {
        let is_line = |b: &BoundSpec| matches!(b.primitive, Primitive::Distance { .. });
        for &slot in edits.joints {
            let Some((entry, _)) = model.laid(slot).filter(|(j, _)| super::build::couples(model, j, awake)) else {
                continue;
            };
            if entry.row_count == 0 || entry.is_spring() || entry.bounds.iter().any(is_line) {
                return None;
            }
            let end = |slot: u32| {
                let v = self.vertex(edits, slot as usize)?;
                // Fragments are in the order of their tops.
                let from = self.fragments.partition_point(|f| f.top < v);
                let at = self.fragments[from..].iter().position(|f| f.low <= v)?;
                Some((from + at, v))
            };
            let ends = [end(entry.i.0.slot), end(entry.j.0.slot)];
            if ends == [None, None] {
                return None;
            }
            let edge = self.plan.edges.len();
            ends.iter().flatten().for_each(|&(f, _)| self.fragments[f].edges.push(edge));
            self.plan.edges.push(Edge { slot, ends });
        }
        Some(())
    }

    /// Islands in the order of their first bodies; none where joints close a loop.
    fn put_together(&mut self) -> Option<()> {
        let count = self.fragments.len();
        let mut name: Vec<usize> = (0..count).collect();
        let find = |name: &[usize], mut f: usize| {
            while name[f] != f {
                f = name[f];
            }
            f
        };
        let mut ground: Vec<Option<usize>> = vec![None; count];
        for (k, edge) in self.plan.edges.iter().enumerate() {
            match edge.ends {
                [Some((a, _)), Some((b, _))] => {
                    let (a, b) = (find(&name, a), find(&name, b));
                    if a == b {
                        return None;
                    }
                    name[a.max(b)] = a.min(b);
                }
                [Some((f, _)), None] | [None, Some((f, _))] if ground[f].is_none() => ground[f] = Some(k),
                _ => return None,
            }
        }
        // The first body of each component, the node that it is, and what holds it.
        let mut first = vec![(usize::MAX, 0_usize, 0_u32); count];
        let mut hold: Vec<Option<(usize, u32, Option<usize>)>> = vec![None; count];
        for f in (0..count).filter(|&f| !self.fragments[f].gone) {
            let of = find(&name, f);
            let (slot, vertex) = self.first(f);
            if slot < first[of].0 {
                first[of] = (slot, f, vertex);
            }
            let own = self.fragments[f].held.then_some((f, self.fragments[f].top, None));
            let new = ground[f].and_then(|k| {
                let v = self.plan.edges[k].ends.iter().flatten().next()?.1;
                Some((f, v, Some(k)))
            });
            for held in [own, new].into_iter().flatten() {
                if hold[of].replace(held).is_some() {
                    return None;
                }
            }
        }
        let mut islands: Vec<(usize, Part)> = Vec::new();
        for part in std::mem::take(&mut self.plan.parts) {
            let Part::Old(k) = part else { continue };
            let nodes = self.t.islands[k].nodes.clone();
            islands.push((self.t.slot_of[nodes].iter().copied().min().unwrap_or(NONE), part));
        }
        for of in (0..count).filter(|&f| name[f] == f && first[f].0 != usize::MAX) {
            self.start = self.plan.pieces.len();
            let (f, root, edge) = hold[of].unwrap_or((first[of].1, first[of].2, None));
            self.emit(f, root, edge);
            if let Some(edge) = edge {
                self.plan.pieces.push(Piece::Joint(edge));
            }
            islands.push((first[of].0, Part::New(self.start..self.plan.pieces.len())));
        }
        islands.sort_unstable_by_key(|i| i.0);
        self.plan.parts = islands.into_iter().map(|i| i.1).collect();
        Some(())
    }

    /// The first body of a fragment, and the node that it is.
    fn first(&self, f: usize) -> (usize, u32) {
        let (x, nodes) = (&self.fragments[f], self.t.nodes.len());
        if x.top as usize >= nodes {
            return (self.plan.fresh[x.top as usize - nodes], x.top);
        }
        let (mut best, mut from) = ((usize::MAX, 0), x.low);
        for hole in x.holes.iter().cloned().chain(std::iter::once(x.top + 1..x.top + 1)) {
            let run = from..hole.start;
            best = run.map(|n| (self.t.slot_of[n as usize], n)).fold(best, Ord::min);
            from = hole.end;
        }
        best
    }

    /// Appends a fragment with all that hangs on it by new joints, its root last; `from` leads to where it hangs.
    fn emit(&mut self, f: usize, root: u32, from: Option<usize>) {
        let mut edges = self.fragments[f].edges.clone();
        edges.retain(|&e| Some(e) != from);
        edges.sort_unstable_by_key(|&e| self.plan.edges[e].slot);
        let (top, low, held) = (self.fragments[f].top, self.fragments[f].low, self.fragments[f].held);
        if top as usize >= self.t.nodes.len() {
            edges.into_iter().for_each(|e| self.branch(e, f));
            self.plan.pieces.push(Piece::Fresh(top as usize - self.t.nodes.len()));
            return;
        }
        // The way from the new root to the old one.
        let mut way = vec![root];
        while let Some(&n) = way.last().filter(|&&n| n != top) {
            let Some((_, above)) = self.parent(n) else { break };
            way.push(above as u32);
        }
        let at = |edge: usize| self.plan.edges[edge].ends.iter().flatten().find(|e| e.0 == f).map_or(root, |e| e.1);
        let turned = way.len() > 1;
        let mut places: Vec<(u32, Reverse<u32>, usize)> = Vec::new();
        let mut on_way: Vec<(u32, usize)> = Vec::new();
        for e in edges {
            let (n, slot) = (at(e), self.plan.edges[e].slot);
            if turned && way.contains(&n) {
                on_way.push((n, e));
                continue;
            }
            // Before the first child with a later joint; what hangs farther up comes first.
            let later = self.children(n).into_iter().find(|&c| self.slot_above(c) > slot);
            places.push((later.map_or(n, |c| self.low[c as usize]), Reverse(n), e));
        }
        // Stable: new joints of one node are by slot already.
        places.sort_by_key(|p| (p.0, p.1));
        if !turned {
            self.range(f, low..top, &places);
            match held {
                true => self.pairs(top..top + 1),
                false => self.plan.pieces.push(Piece::Node(top)),
            }
            return;
        }
        let mut rest = Vec::new();
        for (k, &n) in way.iter().enumerate() {
            let (next, inner) = (way.get(k + 1), k.checked_sub(1).map(|k| way[k]));
            let mut items: Vec<(usize, Result<u32, usize>)> = Vec::new();
            items.extend(
                self.children(n).into_iter().filter(|&c| Some(c) != inner).map(|c| (self.slot_above(c), Ok(c))),
            );
            items.extend(on_way.iter().filter(|w| w.0 == n).map(|w| (self.plan.edges[w.1].slot, Err(w.1))));
            items.sort_unstable_by_key(|i| i.0);
            let turn = if next.is_some() { self.slot_above(n) } else { NONE };
            let split = items.partition_point(|i| i.0 < turn);
            rest.push(items.split_off(split));
            self.items(f, items, &places);
        }
        for (n, items) in way.into_iter().zip(rest).rev() {
            if n != top
                && let Some((g, _)) = self.parent(n)
            {
                self.plan.pieces.push(Piece::Group(g));
            }
            self.items(f, items, &places);
            self.plan.pieces.push(Piece::Node(n));
        }
    }

    /// Old children with what hangs below them, and new joints with what hangs on them.
    fn items(&mut self, f: usize, items: Vec<(usize, Result<u32, usize>)>, places: &[(u32, Reverse<u32>, usize)]) {
        for (_, item) in items {
            match item {
                Ok(child) => {
                    let low = self.low[child as usize];
                    let from = places.partition_point(|p| p.0 < low);
                    let to = places.partition_point(|p| p.0 <= child);
                    self.range(f, low..child, &places[from..to]);
                    self.pairs(child..child + 1);
                }
                Err(edge) => self.branch(edge, f),
            }
        }
    }

    /// What hangs on a fragment by a new joint, with the joint.
    fn branch(&mut self, edge: usize, f: usize) {
        if let Some(&(other, n)) = self.plan.edges[edge].ends.iter().flatten().find(|e| e.0 != f) {
            self.emit(other, n, Some(edge));
            self.plan.pieces.push(Piece::Joint(edge));
        }
    }

    /// Nodes of a fragment with the joints after them, and new branches at their places, up to the end of the range.
    fn range(&mut self, f: usize, range: Range<u32>, places: &[(u32, Reverse<u32>, usize)]) {
        let mut from = range.start;
        for &(at, _, edge) in places {
            from = self.run(f, from..at);
            self.branch(edge, f);
        }
        self.run(f, from..range.end);
    }

    /// The same without branches; where it ends.
    fn run(&mut self, f: usize, run: Range<u32>) -> u32 {
        let mut from = run.start;
        let inside = |h: &&Range<u32>| run.contains(&h.start);
        for hole in self.fragments[f].holes.iter().filter(inside).cloned().collect::<Vec<_>>() {
            self.pairs(from..hole.start);
            from = hole.end;
        }
        self.pairs(from..run.end);
        from.max(run.end)
    }

    fn pairs(&mut self, run: Range<u32>) {
        if run.is_empty() {
            return;
        }
        match self.plan.pieces[self.start..].last_mut() {
            Some(Piece::Pairs(last)) if last.end == run.start => last.end = run.end,
            _ => self.plan.pieces.push(Piece::Pairs(run)),
        }
    }
}

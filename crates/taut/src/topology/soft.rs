//! Where the elements of deformables are in the layout: their nodes, and the blocks that they couple.
//!
//! The stiffness of all elements is one symmetric matrix of blocks between nodes with unknowns. A `Pair` is one such block, with its
//! place in the memory of the factorisation. The order of the sums is that of the elements: it does not depend on threads.

use super::{NONE, Place, Topology};
use crate::model::Model;
use crate::model::soft::SoftEntry;
use glam::DVec3;
use std::ops::Range;

/// One element.
#[derive(Clone, Debug)]
pub(crate) struct SoftElement {
    /// Slot of its deformable.
    pub slot: usize,
    /// Which of its elements.
    pub index: usize,
    /// Its ends in `Soft::ends`, by node.
    pub ends: Range<usize>,
    /// How many nodes it has.
    pub nodes: usize,
    /// First of its entries in `Soft::places`: one per pair of its ends, i <= j, row by row.
    pub places: usize,
    pub island: usize,
}

/// What carries a node of an element: its own particle, a body that it is bound to, or one of several that it is mapped to. The node is
/// at the sum of weight (x + R arm).
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    /// Which node of the element.
    pub node: usize,
    /// Dense body.
    pub body: usize,
    pub weight: f64,
    /// Where on the body, in its frame, m; zero for a particle.
    pub arm: DVec3,
    /// Whether the turning of the body under the force adds stiffness (`elastic`).
    pub turns: bool,
}

/// A block of the stiffness matrix.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    /// Nodes, a <= b in the order of elimination.
    pub a: usize,
    pub b: usize,
    /// First of its values, row-major, `dim(a)` by `dim(b)`.
    pub at: usize,
    /// Where it goes in the factor; none on the diagonal.
    pub place: Option<Place>,
}

/// Mass of the nodes that are bound to one body at one point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundMass {
    pub body: usize,
    pub arm: DVec3,
    pub mass: f64,
    /// Mass that gravity acts on, kg.
    pub weight: f64,
}

/// The elements of all deformables that are awake.
#[derive(Clone, Debug, Default)]
pub(crate) struct Soft {
    /// By island.
    pub elements: Vec<SoftElement>,
    pub ends: Vec<End>,
    /// Places in `pairs`; `u32::MAX` where one of the nodes has no unknowns.
    pub places: Vec<u32>,
    /// By island and nodes.
    pub pairs: Vec<Pair>,
    /// Values of all pairs.
    pub values: usize,
    /// Masses that are bound to bodies with unknowns, by body.
    pub masses: Vec<BoundMass>,
    /// Ranges of elements, pairs and masses by island.
    pub of_island: Vec<[Range<usize>; 3]>,
    /// Whether a material has damping of its own.
    pub is_damped: bool,
}

impl Soft {
    /// Whether there are any.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// Elements, pairs and bound masses of an island.
    pub fn of(&self, island: usize) -> [Range<usize>; 3] {
        self.of_island.get(island).cloned().unwrap_or([0..0, 0..0, 0..0])
    }

    /// Whether an island has elements.
    pub fn is_in(&self, island: usize) -> bool {
        self.of_island.get(island).is_some_and(|r| !r[0].is_empty())
    }

    /// What carries the nodes of an element.
    pub fn ends(&self, e: &SoftElement) -> &[End] {
        &self.ends[e.ends.clone()]
    }
}

/// Body slots of what carries the nodes of an element.
fn carriers(soft: &SoftEntry, index: usize) -> impl Iterator<Item = usize> + '_ {
    let nodes = soft.elements.nodes(index).iter();
    nodes.flat_map(|&n| soft.carriers(n as usize)).map(|c| c.body.0.slot as usize)
}

/// Pairs of nodes, numbered by `node` from their body slots, that elements couple; sorted, each once.
pub(super) fn coupled(model: &Model, node: impl Fn(usize) -> Option<usize>) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (_, soft) in model.softs.iter() {
        for e in 0..soft.elements.len() {
            let mut ends: Vec<usize> = carriers(soft, e).filter_map(&node).collect();
            ends.sort_unstable();
            ends.dedup();
            for (k, &a) in ends.iter().enumerate() {
                pairs.extend(ends[k + 1..].iter().map(|&b| (a, b)));
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Where nodes, numbered by `node` from their body slots, rest in the meshes of deformables; a body that nodes are bound to is where
/// the first of them is.
pub(super) fn places(model: &Model, nodes: usize, node: impl Fn(usize) -> Option<usize>) -> Vec<Option<[f64; 3]>> {
    let mut at = vec![None; nodes];
    for (_, soft) in model.softs.iter() {
        for (n, rest) in soft.elements.rest().iter().enumerate() {
            for k in soft.carriers(n).filter_map(|c| node(c.body.0.slot as usize)) {
                at[k].get_or_insert(rest.to_array());
            }
        }
    }
    at
}

impl Topology {
    /// Lays out the elements, once islands and dense bodies are known.
    pub(super) fn place_soft(&mut self, model: &Model) {
        if model.softs.len() == 0 {
            return;
        }
        let mut soft = Soft { of_island: vec![[0..0, 0..0, 0..0]; self.islands.len()], ..Soft::default() };
        for (key, entry) in model.softs.iter() {
            soft.is_damped |= entry.elements.material().damping > 0.0;
            self.list_elements(key.slot as usize, entry, &mut soft);
            self.list_masses(model, entry, &mut soft);
        }
        soft.elements.sort_by_key(|e| e.island);
        self.pair_up(&mut soft);
        soft.masses.sort_by_key(|m| m.body);
        spread(&mut soft, 0, |s, k| s.elements.get(k).map(|e| e.island));
        spread(&mut soft, 1, |s, k| s.pairs.get(k).map(|p| self.nodes[p.a].island));
        spread(&mut soft, 2, |s, k| s.masses.get(k).map(|m| self.nodes[m.body].island));
        self.soft = soft;
    }

    fn list_elements(&self, slot: usize, entry: &SoftEntry, soft: &mut Soft) {
        for index in 0..entry.elements.len() {
            let (first, nodes) = (soft.ends.len(), entry.elements.nodes(index));
            for (node, &n) in nodes.iter().enumerate() {
                let turns = entry.is_mapped(n as usize);
                soft.ends.extend(entry.carriers(n as usize).map(|c| End {
                    node,
                    body: self.dense_of[c.body.0.slot as usize],
                    weight: c.weight,
                    arm: c.point,
                    turns,
                }));
            }
            let ends = first..soft.ends.len();
            let of = |p: &End| self.nodes.get(p.body).map(|n| n.island);
            match soft.ends[ends.clone()].iter().find_map(of) {
                Some(island) => {
                    soft.elements.push(SoftElement { slot, index, ends, nodes: nodes.len(), places: 0, island });
                }
                // It sleeps, or all its nodes are held.
                None => soft.ends.truncate(first),
            }
        }
    }

    fn list_masses(&self, model: &Model, entry: &SoftEntry, soft: &mut Soft) {
        for n in (0..entry.nodes.len()).filter(|&n| !entry.is_free(n) && entry.masses[n] > 0.0) {
            for c in entry.carriers(n) {
                let body = self.dense_of[c.body.0.slot as usize];
                if body != NONE && self.is_node(body) {
                    let mass = c.weight * entry.masses[n];
                    let weight = mass * model.bodies.get(c.body.0).map_or(1.0, |b| b.gravity_scale);
                    soft.masses.push(BoundMass { body, arm: c.point, mass, weight });
                }
            }
        }
    }

    /// The blocks that elements couple, and which of them each element adds to.
    fn pair_up(&self, soft: &mut Soft) {
        let mut all: Vec<(usize, usize)> = Vec::new();
        for e in &soft.elements {
            all.extend(self.pairs_of(soft.ends(e)).flatten());
        }
        all.sort_unstable();
        all.dedup();
        // Nodes of an island follow each other, so pairs by their first node are pairs by island.
        for &(a, b) in &all {
            let at = soft.values;
            soft.values += self.nodes[a].dim * self.nodes[b].dim;
            soft.pairs.push(Pair { a, b, at, place: None });
        }
        for k in 0..soft.elements.len() {
            let ends = &soft.ends[soft.elements[k].ends.clone()];
            soft.elements[k].places = soft.places.len();
            let at =
                |p: Option<(usize, usize)>| p.and_then(|p| all.binary_search(&p).ok()).map_or(u32::MAX, |k| k as u32);
            let places: Vec<u32> = self.pairs_of(ends).map(at).collect();
            soft.places.extend(places);
        }
    }

    /// Pairs of the ends of an element, i <= j, row by row; none where one has no unknowns.
    fn pairs_of<'a>(&'a self, ends: &'a [End]) -> impl Iterator<Item = Option<(usize, usize)>> + 'a {
        let pair = |a: usize, b: usize| (self.is_node(a) && self.is_node(b)).then(|| (a.min(b), a.max(b)));
        let rows = ends.iter().enumerate();
        rows.flat_map(move |(k, a)| ends[k..].iter().map(move |b| pair(a.body, b.body)))
    }
}

/// Finds which part of a list that is sorted by island belongs to each island.
fn spread(soft: &mut Soft, which: usize, island: impl Fn(&Soft, usize) -> Option<usize>) {
    let mut k = 0;
    while let Some(now) = island(soft, k) {
        let first = k;
        while island(soft, k) == Some(now) {
            k += 1;
        }
        soft.of_island[now][which] = first..k;
    }
}

//! The surface of a deformable as collision sees it: nodes, edges and triangles within a skin, and a tree over them.

use super::flat::FlatTree;
use crate::tuning::T;
use glam::DVec3;
use taut_elements::Elements;

/// Nothing beyond an edge, no triangle.
pub(crate) const NONE: u32 = u32::MAX;

/// What a feature of a surface is called: its kind, the first of its nodes, and its number where it is no node.
pub(crate) fn name(kind: Kind, node: u32, number: u32) -> u64 {
    (kind as u64) << 62 | u64::from(node & FIRST) << 32 | u64::from(number)
}

/// The node that a feature is named after.
pub(crate) fn node_of(name: u64) -> usize {
    (name >> 32) as usize & FIRST as usize
}

/// The bits of a name that hold a node.
const FIRST: u32 = (1 << 30) - 1;

/// The kinds of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Node = 0,
    Edge = 1,
    Face = 2,
}

/// An edge and the third corners of the triangles at it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub ends: [u32; 2],
    pub beyond: [u32; 2],
}

/// A triangle, or a bar between two nodes, with the nodes and edges that are looked at together with it: each node and each edge is
/// so once.
#[derive(Clone, Debug)]
pub(crate) struct Patch {
    /// A bar has its second corner twice.
    pub corners: [u32; 3],
    /// Its edges; for a bar the same one.
    pub edges: [u32; 3],
    pub is_bar: bool,
    pub own_nodes: Vec<u32>,
    pub own_edges: Vec<u32>,
}

/// The surface.
#[derive(Clone, Debug)]
pub(crate) struct Skin {
    /// Its half thickness, m.
    pub radius: f64,
    pub edges: Vec<Edge>,
    pub patches: Vec<Patch>,
    pub tree: FlatTree,
    /// Nodes at rest, m.
    pub rest: Vec<DVec3>,
    /// Whether it is the boundary of solids alone, so that it has an outside: that of its triangles.
    pub is_solid: bool,
}

impl Skin {
    /// The surface of these elements.
    pub fn new(radius: f64, elements: &Elements) -> Self {
        let (rest, triangles, bars) = (elements.rest(), elements.surface(), elements.bars());
        let is_solid = elements.mesh().is_some_and(|m| m.cells.iter().all(|c| c.kind().dimension() == 3));
        let all = triangles.iter().copied().chain(bars.iter().map(|&[a, b]| [a, b, b]));
        let corners: Vec<[u32; 3]> = all.collect();
        let edges = edges(&corners);
        let find = |a: u32, b: u32| edges.partition_point(|e| e.ends < [a.min(b), a.max(b)]) as u32;
        let (mut node_taken, mut edge_taken) = (vec![false; rest.len()], vec![false; edges.len()]);
        let mut patches = Vec::with_capacity(corners.len());
        for (k, &[a, b, c]) in corners.iter().enumerate() {
            let is_bar = k >= triangles.len();
            let sides = if is_bar { [find(a, b); 3] } else { [find(a, b), find(b, c), find(c, a)] };
            let fresh = |list: [u32; 3], taken: &mut [bool]| -> Vec<u32> {
                list.into_iter().filter(|&n| !std::mem::replace(&mut taken[n as usize], true)).collect()
            };
            let own_nodes = fresh([a, b, c], &mut node_taken);
            let own_edges = fresh(sides, &mut edge_taken);
            patches.push(Patch { corners: [a, b, c], edges: sides, is_bar, own_nodes, own_edges });
        }
        let middle = |p: &Patch| p.corners.iter().map(|&n| rest[n as usize]).sum::<DVec3>() / 3.0;
        let tree = FlatTree::new(&patches.iter().map(middle).collect::<Vec<_>>());
        Skin { radius, edges, patches, tree, rest: rest.to_vec(), is_solid }
    }

    /// Heights within this are level, m.
    pub fn level(&self) -> f64 {
        T.contact.level * self.radius
    }
}

/// All edges with what is beyond them, sorted by their ends.
fn edges(corners: &[[u32; 3]]) -> Vec<Edge> {
    let mut uses: Vec<([u32; 2], u32)> = Vec::with_capacity(3 * corners.len());
    for &[a, b, c] in corners {
        if b == c {
            uses.push(([a.min(b), a.max(b)], NONE));
            continue;
        }
        uses.extend([(a, b, c), (b, c, a), (c, a, b)].map(|(a, b, c)| ([a.min(b), a.max(b)], c)));
    }
    uses.sort_unstable();
    let of = |run: &[([u32; 2], u32)]| {
        let beyond = |k: usize| run.get(k).map_or(NONE, |u| u.1);
        Edge { ends: run[0].0, beyond: [beyond(0), beyond(1)] }
    };
    uses.chunk_by(|x, y| x.0 == y.0).map(of).collect()
}

//! Cutting: neighbouring cells part at seams, and nodes between them are doubled.
//!
//! A node stands for the cells around it that hang together through seams which are not cut. Where a
//! cut leaves several such pieces, the first keeps the node and each of the others gets a copy with
//! its share of the mass. A copy is at the same place and has the same velocity, so mass, momentum
//! and kinetic energy stay. Cells that had nothing but the node in common before the cut stay with
//! the first piece. Seams that were cut and have all their nodes still in common, such as those at
//! a crack front, are remembered: later cuts go on from them.

mod pieces;

use crate::element::{self, Gradients};
use crate::elements::{Block, Elements, MAX_NODES, Options, Point};
use crate::group;
use crate::mesh::{Lists, Mesh, Seam};
use glam::{DMat3, DVec3};
use pieces::pieces;

/// Elements after a cut.
///
/// Two triangles part at their common edge: both nodes of it are doubled.
/// ```
/// # use glam::DVec3;
/// # use taut_elements::{Cell, Elements, Material, Mesh};
/// let nodes = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(1.0, 1.0, 0.0)];
/// let mesh = Mesh { nodes, cells: vec![Cell::tri3([0, 1, 2]), Cell::tri3([1, 3, 2])] };
/// let cloth = Elements::new(&mesh, &Material::new(200.0, 1e5, 0.3).thickness(1e-3)).unwrap();
/// let cut = cloth.cut(|seam| seam.cells == [0, 1]).unwrap();
/// assert_eq!(cut.copies, [[1, 4], [2, 5]]);
/// assert_eq!(cut.elements.report().parts, 2);
/// assert!((cut.elements.masses().iter().sum::<f64>() - 0.2).abs() < 1e-15);
/// ```
#[derive(Clone, Debug)]
pub struct Separated {
    /// The elements; those of cells in the same order as before.
    pub elements: Elements,
    /// Each node that was doubled and its copy; copies are numbered on from the last node.
    pub copies: Vec<[u32; 2]>,
    /// The seams that were cut, with the nodes they had.
    pub seams: Vec<Seam>,
    /// Where each integration point was before, and of which element each element of cells is a piece.
    points: Vec<usize>,
    pieces: Vec<usize>,
}

impl Separated {
    /// The state of the elements ([`Elements::fresh_state`]) from that before the cut.
    pub fn carry(&self, state: &[f64]) -> Vec<f64> {
        let each = state.len() / self.points.len().max(1);
        self.points.iter().flat_map(|&q| &state[q * each..(q + 1) * each]).copied().collect()
    }

    /// Of which element before the cut each element is a piece; those of bending are not listed.
    pub fn pieces(&self) -> &[usize] {
        &self.pieces
    }

    /// Lets the pieces of groups that share a mean dilatation keep the pressure and the energy that
    /// the group had, with the nodes before the cut at `place`, m. The dilatations of the pieces
    /// differ, which the group did not mind: they are taken to be without pressure as far as they
    /// differ from its mean. Without this a cut under load would give energy.
    pub fn keep_pressure(&mut self, before: &Elements, place: impl Fn(u32) -> DVec3) {
        let first = before.rest.len();
        let was = |n: u32| self.copies.get((n as usize).wrapping_sub(first)).map_or(n, |c| c[0]);
        let mut free = Vec::new();
        for (e, &from) in self.pieces.iter().enumerate() {
            if before.cells(from).len() == self.elements.cells(e).len() || !(before.blocks[from].kappa > 0.0) {
                continue;
            }
            let whole = before.mean_at(from, &place);
            let own = self.elements.mean_at(e, |n| place(was(n)));
            free.push((e, (before.blocks[from].free + own - whole).clamp(FREE[0], FREE[1])));
        }
        free.into_iter().for_each(|(e, free)| self.elements.blocks[e].free = free);
    }
}

/// Most that a piece of a group may be free of pressure below and above its volume at rest.
const FREE: [f64; 2] = [-0.5, 1.0];

/// A node in pieces: its cells with the piece of each, and how many pieces there are.
struct Broken {
    node: u32,
    cells: Vec<(u32, usize)>,
    count: usize,
}

impl Elements {
    /// Where cells meet and can be cut apart, by cells; none between frames.
    pub fn seams(&self) -> Vec<Seam> {
        let mut seams = self.mesh().map_or_else(Vec::new, Mesh::seams);
        seams.retain(|s| self.parted.binary_search(&s.key()).is_err());
        seams
    }

    /// Cuts the seams that are chosen. None when none is.
    pub fn cut(&self, mut chosen: impl FnMut(&Seam) -> bool) -> Option<Separated> {
        let (mesh, options) = (self.mesh.as_ref()?, &self.options);
        let mut links: Vec<(Seam, bool)> = self.seams().into_iter().map(|s| (s, chosen(&s))).collect();
        let seams: Vec<Seam> = links.iter().filter(|(_, cut)| *cut).map(|(s, _)| *s).collect();
        if seams.is_empty() {
            return None;
        }
        links.extend(mesh.ties().into_iter().map(|tie| (tie, false)));
        let mut elements = Elements {
            blocks: Vec::new(),
            connectivity: Vec::new(),
            cells: Vec::new(),
            points: Vec::new(),
            gradients: Vec::new(),
            local: Vec::new(),
            ..self.clone()
        };
        let mut after = mesh.clone();
        let copies = elements.double(mesh, &broken_nodes(mesh, &links), &mut after);
        elements.remember(&after, &seams);
        let (points, pieces) = elements.take_blocks(self, &after, &links);
        elements.add_all_bending(&after);
        elements.report.parts = after.parts();
        let groups = elements.groups();
        elements.take_mesh(after, Options { groups, ..options.clone() });
        Some(Separated { elements, copies, seams, points, pieces })
    }

    /// Doubles nodes, renumbers cells and splits masses.
    fn double(&mut self, mesh: &Mesh, broken: &[Broken], after: &mut Mesh) -> Vec<[u32; 2]> {
        let mut copies = Vec::new();
        for b in broken {
            let first = self.rest.len();
            let place = |piece: usize| if piece == 0 { b.node as usize } else { first + piece - 1 };
            let mut shares = vec![0.0; b.count];
            for &(c, piece) in &b.cells {
                shares[piece] += self.share(mesh, c as usize, b.node);
                let nodes = after.cells[c as usize].nodes_mut();
                nodes.iter_mut().filter(|n| **n == b.node).for_each(|n| *n = place(piece) as u32);
            }
            let each = self.masses[b.node as usize] / shares.iter().sum::<f64>();
            self.masses[b.node as usize] = each * shares[0];
            for piece in 1..b.count {
                copies.push([b.node, place(piece) as u32]);
                self.rest.push(mesh.nodes[b.node as usize]);
                after.nodes.push(mesh.nodes[b.node as usize]);
                self.masses.push(each * shares[piece]);
            }
        }
        copies
    }

    /// What a cell gives to the mass of one of its nodes, kg.
    fn share(&self, mesh: &Mesh, cell: usize, node: u32) -> f64 {
        let across = self.material.across(mesh.cells[cell].kind().dimension());
        let points = element::points(mesh, cell, DMat3::IDENTITY, 0.0, Gradients::Plain);
        let at = mesh.cells[cell].nodes().iter().position(|&n| n == node);
        at.map_or(0.0, |a| self.material.density * across * points.share[a])
    }

    /// Keeps the seams in mind whose nodes are still common.
    fn remember(&mut self, mesh: &Mesh, cut: &[Seam]) {
        let still = mesh.seams();
        self.parted.extend(cut.iter().map(Seam::key));
        self.parted.retain(|key| still.binary_search_by_key(key, Seam::key).is_ok());
        self.parted.sort_unstable();
    }

    /// The groups of cells that keep their volume together, as options; none without.
    fn groups(&self) -> Option<Vec<Vec<u32>>> {
        let patches = self.blocks.iter().filter(|b| b.kappa > 0.0);
        let groups: Vec<Vec<u32>> = patches.map(|b| self.cells[b.cells.clone()].to_vec()).collect();
        (!groups.is_empty()).then_some(groups)
    }

    /// Edges of sheets that were cut and whose nodes are common, lower node first, in ascending order.
    pub(crate) fn parted_edges(&self, mesh: &Mesh) -> Vec<[u32; 2]> {
        let mut edges = Vec::new();
        for (cells, sides) in &self.parted {
            let cell = &mesh.cells[cells[0] as usize];
            if let Some(&[a, b]) = cell.kind().side(sides[0] as usize) {
                let (a, b) = (cell.nodes()[a as usize], cell.nodes()[b as usize]);
                edges.push([a.min(b), a.max(b)]);
            }
        }
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// The elements of cells, in their order, with groups in pieces where their cells have parted.
    /// Returns where each point was, and which element each comes from.
    fn take_blocks(&mut self, old: &Elements, mesh: &Mesh, links: &[(Seam, bool)]) -> (Vec<usize>, Vec<usize>) {
        let mut block_of = vec![0; mesh.cells.len()];
        let blocks = || old.blocks.iter().enumerate().filter(|(_, b)| b.bending.is_none());
        for (k, b) in blocks() {
            old.cells[b.cells.clone()].iter().for_each(|&c| block_of[c as usize] = k as u32);
        }
        let inside = links.iter().enumerate().filter_map(|(k, (s, _))| {
            let [a, b] = s.cells.map(|c| block_of[c as usize]);
            (a == b).then_some((a, k as u32))
        });
        let inside = Lists::new(old.blocks.len(), inside.collect());
        let (mut points, mut pieces) = (Vec::with_capacity(old.points.len()), Vec::new());
        for (k, b) in blocks() {
            for cells in split(&old.cells[b.cells.clone()], inside.get(k), links, mesh) {
                self.take_block(old, b, mesh, &cells, &mut points);
                pieces.push(k);
            }
        }
        (points, pieces)
    }

    /// Jbar - 1 of an element with its nodes at these places.
    fn mean_at(&self, e: usize, place: impl Fn(u32) -> DVec3) -> f64 {
        let x: Vec<DVec3> = self.nodes(e).iter().map(|&n| place(n)).collect();
        self.mean_dilatation(&self.blocks[e], &x, &mut [DVec3::ZERO; MAX_NODES])
    }

    /// One element of some cells of an old one.
    fn take_block(&mut self, old: &Elements, from: &Block, mesh: &Mesh, cells: &[u32], places: &mut Vec<usize>) {
        let nodes = group::nodes_of(mesh, cells);
        let first = self.points.len();
        let mut end = from.points.start;
        for &c in &old.cells[from.cells.clone()] {
            let (cell, start) = (&mesh.cells[c as usize], end);
            end += cell.kind().points();
            for q in (start..end).filter(|_| cells.contains(&c)) {
                let at = self.gradients.len();
                self.gradients.extend(&old.gradients[old.points[q].gradients.clone()]);
                self.local.extend(group::places(cell.nodes(), &nodes));
                let gradients = at..self.gradients.len();
                self.points.push(Point { gradients, ..old.points[q].clone() });
                places.push(q);
            }
        }
        let points = first..self.points.len();
        let volume = self.points[points.clone()].iter().fold(0.0, |v, p| v + p.weight);
        let (nodes, cells) = (self.list_nodes(&nodes), self.list_cells(cells));
        self.blocks.push(Block { nodes, cells, points, volume, ..from.clone() });
    }
}

/// The nodes that a cut leaves in pieces, in ascending order.
fn broken_nodes(mesh: &Mesh, links: &[(Seam, bool)]) -> Vec<Broken> {
    let mut touched = vec![false; mesh.nodes.len()];
    let cut = links.iter().filter(|(_, cut)| *cut);
    cut.flat_map(|(s, _)| s.nodes()).for_each(|&n| touched[n as usize] = true);
    let at = links.iter().enumerate().flat_map(|(k, (s, _))| s.nodes().iter().map(move |&n| (n, k as u32)));
    let at = Lists::new(mesh.nodes.len(), at.filter(|p| touched[p.0 as usize]).collect());
    let cells = mesh.node_cells();
    let mut broken = Vec::new();
    for node in (0..mesh.nodes.len()).filter(|&n| touched[n]) {
        let around = cells.get(node);
        let (piece, count) = pieces(around, at.get(node).iter().map(|&k| links[k as usize]));
        if count > 1 {
            let cells = around.iter().copied().zip(piece).collect();
            broken.push(Broken { node: node as u32, cells, count });
        }
    }
    broken
}

/// The pieces of a group of cells, none with too many nodes.
fn split(cells: &[u32], inside: &[u32], links: &[(Seam, bool)], mesh: &Mesh) -> Vec<Vec<u32>> {
    if cells.len() == 1 {
        return vec![cells.to_vec()];
    }
    let share = |a: u32, b: u32| {
        let [a, b] = [a, b].map(|c| mesh.cells[c as usize].nodes());
        a.iter().any(|n| b.contains(n))
    };
    let (piece, count) = pieces::of_group(cells, inside.iter().map(|&k| links[k as usize]), share);
    let mut all = Vec::new();
    for p in 0..count {
        let mut now: Vec<u32> = Vec::new();
        for (&c, _) in cells.iter().zip(&piece).filter(|(_, of)| **of == p) {
            now.push(c);
            if group::nodes(mesh, &now).len() > MAX_NODES {
                now.pop();
                all.push(std::mem::replace(&mut now, vec![c]));
            }
        }
        all.push(now);
    }
    all
}

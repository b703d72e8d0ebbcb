//! Where neighbouring cells meet.

use super::{CellKind, Mesh};

/// Where two neighbouring cells meet: a face of solids, an edge of sheets, a node of bars. Here they
/// can be cut apart.
///
/// ```
/// # use glam::DVec3;
/// # use taut_elements::{Cell, Mesh};
/// let nodes = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::ONE];
/// let mesh = Mesh { nodes, cells: vec![Cell::tri3([0, 1, 2]), Cell::tri3([1, 3, 2])] };
/// let seam = mesh.seams()[0];
/// assert_eq!((seam.cells, seam.nodes()), ([0, 1], &[1, 2][..]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seam {
    /// The two cells, the lower first.
    pub cells: [u32; 2],
    /// Number of the face, edge or end within each of them.
    pub(crate) sides: [u8; 2],
    nodes: [u32; 4],
    len: u8,
}

impl Seam {
    /// Its nodes: one of bars, two of sheets, three or four of solids, as the first cell has them,
    /// anticlockwise seen from the second.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes[..self.len as usize]
    }

    /// Cells and sides: what stays when nodes are renumbered.
    pub(crate) fn key(&self) -> ([u32; 2], [u8; 2]) {
        (self.cells, self.sides)
    }

    /// No seam but a tie that is never cut: a cell whose nodes are all nodes of another.
    pub(crate) fn tie(mesh: &Mesh, inner: u32, outer: u32) -> Self {
        let (mut nodes, list) = ([u32::MAX; 4], mesh.cells[inner as usize].nodes());
        nodes.iter_mut().zip(list).for_each(|(n, &from)| *n = from);
        Seam { cells: [inner.min(outer), inner.max(outer)], sides: [u8::MAX; 2], nodes, len: list.len() as u8 }
    }
}

impl CellKind {
    /// Local nodes of what it shares with neighbours of its dimension.
    pub(crate) fn side(self, k: usize) -> Option<&'static [u8]> {
        match self.dimension() {
            1 => [&[0][..], &[1]].get(k).copied(),
            2 => self.edges().get(k).map(|e| &e[..]),
            _ => self.faces().get(k).copied(),
        }
    }
}

impl Mesh {
    /// Where cells meet, by cells.
    pub fn seams(&self) -> Vec<Seam> {
        let mut sides: Vec<(usize, [u32; 4], u32, u8)> = Vec::new();
        for (c, cell) in self.cells.iter().enumerate() {
            for (k, local) in (0..).map_while(|k| cell.kind().side(k)).enumerate() {
                let mut key = self.side(c, local);
                key.sort_unstable();
                sides.push((cell.kind().dimension(), key, c as u32, k as u8));
            }
        }
        sides.sort_unstable();
        let mut seams = Vec::new();
        for same in sides.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            for (k, a) in same.iter().enumerate() {
                let local = self.cells[a.2 as usize].kind().side(a.3 as usize).unwrap_or(&[]);
                let (nodes, len) = (self.side(a.2 as usize, local), local.len() as u8);
                let others = same[k + 1..].iter();
                seams.extend(others.map(|b| Seam { cells: [a.2, b.2], sides: [a.3, b.3], nodes, len }));
            }
        }
        seams.sort_unstable();
        seams
    }

    /// The nodes of a side of a cell; the rest of the array is larger than any.
    fn side(&self, cell: usize, local: &[u8]) -> [u32; 4] {
        let mut nodes = [u32::MAX; 4];
        nodes.iter_mut().zip(local).for_each(|(n, &l)| *n = self.cells[cell].nodes()[l as usize]);
        nodes
    }

    /// Cells whose nodes are all nodes of a cell of more dimensions, such as a skin on a solid: tied
    /// to the first of these.
    pub(crate) fn ties(&self) -> Vec<Seam> {
        let dimension = |c: u32| self.cells[c as usize].kind().dimension();
        let most = (0..self.cells.len() as u32).map(dimension).max().unwrap_or(0);
        let lists = self.node_cells();
        let mut ties = Vec::new();
        for inner in (0..self.cells.len() as u32).filter(|&c| dimension(c) < most) {
            let nodes = self.cells[inner as usize].nodes();
            let holds = |c: u32| nodes.iter().all(|n| self.cells[c as usize].nodes().contains(n));
            let around = lists.get(nodes[0] as usize).iter().copied();
            let outer = around.filter(|&c| dimension(c) > dimension(inner)).find(|&c| holds(c));
            ties.extend(outer.map(|outer| Seam::tie(self, inner, outer)));
        }
        ties
    }
}

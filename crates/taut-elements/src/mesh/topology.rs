//! Boundary, edges and neighbours. Every list is in a fixed order: by cell and local number, or by
//! node index.

use super::Mesh;

/// A face of the boundary.
///
/// ```
/// # use glam::DVec3;
/// # use taut_elements::{Cell, Mesh};
/// # let nodes = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
/// # let mesh = Mesh { nodes, cells: vec![Cell::tet4([0, 1, 2, 3])] };
/// let face = mesh.surface()[0];
/// assert_eq!((face.nodes(), face.cell), (&[0, 2, 1][..], 0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face {
    nodes: [u32; 4],
    len: u8,
    /// The cell it belongs to.
    pub cell: u32,
}

impl Face {
    /// Three or four nodes, anticlockwise seen from outside.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes[..self.len as usize]
    }
}

/// Lists of indices, one after the other.
///
/// ```
/// # use glam::DVec3;
/// # use taut_elements::{Cell, Mesh};
/// # let nodes = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
/// let mesh = Mesh { nodes, cells: vec![Cell::bar2([0, 1]), Cell::bar2([1, 2])] };
/// let lists = mesh.node_neighbours();
/// assert_eq!((lists.len(), lists.get(1)), (3, &[0, 2][..]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lists {
    start: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// From pairs (list, item); items are sorted and unique in each of the `count` lists.
    pub(crate) fn new(count: usize, mut pairs: Vec<(u32, u32)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let mut start = vec![0; count + 1];
        pairs.iter().for_each(|p| start[p.0 as usize + 1] += 1);
        (0..count).for_each(|k| start[k + 1] += start[k]);
        Lists { start, items: pairs.into_iter().map(|p| p.1).collect() }
    }

    /// Number of lists.
    pub fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Whether there is no list.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// List `k`, in ascending order.
    pub fn get(&self, k: usize) -> &[u32] {
        &self.items[self.start[k] as usize..self.start[k + 1] as usize]
    }
}

/// One use of an edge by a sheet cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EdgeUse {
    /// Its nodes, the lower first.
    pub edge: [u32; 2],
    pub cell: u32,
    /// Number of the edge within the cell.
    pub local: u8,
    /// Whether the cell runs from the lower to the higher node.
    pub forward: bool,
}

impl Mesh {
    /// The boundary: faces that belong to one solid cell only, turned outward, and the cells of
    /// sheets; by cell, then by local number.
    pub fn surface(&self) -> Vec<Face> {
        let mut faces: Vec<([u32; 4], usize)> = Vec::new();
        let mut all: Vec<Face> = Vec::new();
        for (c, cell) in self.cells.iter().enumerate() {
            for local in cell.kind().faces() {
                let mut nodes = [u32::MAX; 4];
                nodes.iter_mut().zip(*local).for_each(|(n, &l)| *n = cell.nodes()[l as usize]);
                let mut key = nodes;
                key.sort_unstable();
                if cell.kind().dimension() == 3 {
                    faces.push((key, all.len()));
                }
                all.push(Face { nodes, len: local.len() as u8, cell: c as u32 });
            }
        }
        faces.sort_unstable();
        let mut inner = vec![false; all.len()];
        for same in faces.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
            same.iter().for_each(|f| inner[f.1] = true);
        }
        all.into_iter().zip(inner).filter(|(_, inner)| !inner).map(|(face, _)| face).collect()
    }

    /// The boundary in triangles; quadrilaterals are cut from their first to their third node.
    pub fn surface_triangles(&self) -> Vec<[u32; 3]> {
        let mut triangles = Vec::new();
        for face in self.surface() {
            let n = face.nodes;
            triangles.push([n[0], n[1], n[2]]);
            if face.len == 4 {
                triangles.push([n[0], n[2], n[3]]);
            }
        }
        triangles
    }

    /// All edges of cells, lower node first, in ascending order.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        let mut edges = Vec::new();
        for cell in &self.cells {
            for e in cell.kind().edges() {
                let (a, b) = (cell.nodes()[e[0] as usize], cell.nodes()[e[1] as usize]);
                edges.push([a.min(b), a.max(b)]);
            }
        }
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// Edges of the boundary's faces, and bars, for drawing: lower node first, in ascending order.
    pub fn surface_edges(&self) -> Vec<[u32; 2]> {
        let mut edges = Vec::new();
        for face in self.surface() {
            let n = face.nodes();
            for k in 0..n.len() {
                let (a, b) = (n[k], n[(k + 1) % n.len()]);
                edges.push([a.min(b), a.max(b)]);
            }
        }
        for cell in self.cells.iter().filter(|cell| cell.kind().dimension() == 1) {
            let n = cell.nodes();
            edges.push([n[0].min(n[1]), n[0].max(n[1])]);
        }
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// The cells of each node.
    pub fn node_cells(&self) -> Lists {
        let cells = self.cells.iter().enumerate();
        let pairs = cells.flat_map(|(c, cell)| cell.nodes().iter().map(move |&n| (n, c as u32))).collect();
        Lists::new(self.nodes.len(), pairs)
    }

    /// The nodes that share a cell with each node, without itself.
    pub fn node_neighbours(&self) -> Lists {
        let mut pairs = Vec::new();
        for cell in &self.cells {
            for &a in cell.nodes() {
                pairs.extend(cell.nodes().iter().filter(|&&b| b != a).map(|&b| (a, b)));
            }
        }
        Lists::new(self.nodes.len(), pairs)
    }

    /// The cells across the faces of each solid cell, across the edges of each sheet cell, and at
    /// the ends of each bar.
    pub fn cell_neighbours(&self) -> Lists {
        let pairs = self.seams().into_iter().flat_map(|s| [(s.cells[0], s.cells[1]), (s.cells[1], s.cells[0])]);
        Lists::new(self.cells.len(), pairs.collect())
    }

    /// Number of parts without a common node.
    pub fn parts(&self) -> usize {
        self.part_of_nodes().into_iter().max().map_or(0, |last| last as usize + 1)
    }

    /// Which part each node belongs to; parts are numbered in the order of their first nodes.
    pub fn part_of_nodes(&self) -> Vec<u32> {
        let lists = self.node_neighbours();
        let (mut part, mut count) = (vec![u32::MAX; self.nodes.len()], 0);
        for first in 0..self.nodes.len() {
            if part[first] != u32::MAX {
                continue;
            }
            part[first] = count;
            let mut open = vec![first];
            while let Some(k) = open.pop() {
                for &n in lists.get(k) {
                    if part[n as usize] == u32::MAX {
                        part[n as usize] = count;
                        open.push(n as usize);
                    }
                }
            }
            count += 1;
        }
        part
    }

    /// Every use of an edge by a sheet cell, by edge, then by cell.
    pub(crate) fn sheet_edges(&self) -> Vec<EdgeUse> {
        let mut uses = Vec::new();
        for (c, cell) in self.cells.iter().enumerate().filter(|(_, cell)| cell.kind().dimension() == 2) {
            for (k, e) in cell.kind().edges().iter().enumerate() {
                let (a, b) = (cell.nodes()[e[0] as usize], cell.nodes()[e[1] as usize]);
                let (edge, forward) = ([a.min(b), a.max(b)], a < b);
                uses.push(EdgeUse { edge, cell: c as u32, local: k as u8, forward });
            }
        }
        uses.sort_unstable();
        uses
    }
}

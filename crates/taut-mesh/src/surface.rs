//! Surfaces of triangles: closed or not, turned outward, their volume and parts.

use std::collections::BTreeMap;

use glam::DVec3;
use taut_elements::{Cell, Mesh};

use crate::error::{Error, input};

/// Points and triangles; the normal sees the nodes of a triangle anticlockwise.
///
/// ```
/// use taut_mesh::{Filling, Surface, bar};
/// let surface = Surface::of(&bar(glam::DVec3::ONE, [2, 2, 2], Filling::Hexahedra)?.mesh).0;
/// surface.check_closed()?;
/// assert_eq!((surface.nodes.len(), surface.triangles.len()), (26, 48));
/// assert!((surface.volume() - 1.0).abs() < 1e-12);
/// # Ok::<(), taut_mesh::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Positions, m.
    pub nodes: Vec<DVec3>,
    /// Triangles; their indices point into `nodes`.
    pub triangles: Vec<[u32; 3]>,
}

/// A surface turned outward.
///
/// ```
/// use taut_mesh::{Filling, Surface, bar};
/// let mut surface = Surface::of(&bar(glam::DVec3::ONE, [1, 1, 1], Filling::Hexahedra)?.mesh).0;
/// surface.triangles[3].swap(0, 1);
/// let outward = surface.outward()?;
/// assert_eq!(outward.turned, 1);
/// assert!((outward.surface.volume() - 1.0).abs() < 1e-12);
/// # Ok::<(), taut_mesh::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Outward {
    /// The surface.
    pub surface: Surface,
    /// How many triangles were turned.
    pub turned: usize,
}

/// One use of an edge by a triangle.
struct Use {
    triangle: usize,
    /// Whether the triangle runs from the smaller node to the larger.
    forward: bool,
}

impl Surface {
    /// The boundary of a solid, or the cells of a sheet, with the nodes that they use; and the node of the mesh of each.
    ///
    /// Quadrilaterals are cut from their first to their third node. Cells that name a node that is not there have no part in it.
    /// ```
    /// use taut_mesh::{SheetCells, Surface, sheet};
    /// let (surface, node) = Surface::of(&sheet([1.0, 1.0], [3, 3], SheetCells::Quads)?);
    /// assert_eq!((surface.triangles.len(), node.len()), (18, 16));
    /// # Ok::<(), taut_mesh::Error>(())
    /// ```
    pub fn of(mesh: &Mesh) -> (Self, Vec<u32>) {
        let mut triangles = mesh.surface_triangles();
        triangles.retain(|triangle| triangle.iter().all(|&n| (n as usize) < mesh.nodes.len()));
        let mut node: Vec<u32> = triangles.iter().flatten().copied().collect();
        node.sort_unstable();
        node.dedup();
        for index in triangles.iter_mut().flatten() {
            *index = node.partition_point(|&n| n < *index) as u32;
        }
        (Surface { nodes: node.iter().map(|&n| mesh.nodes[n as usize]).collect(), triangles }, node)
    }

    /// The same as a mesh of a sheet.
    pub fn to_mesh(&self) -> Mesh {
        Mesh { nodes: self.nodes.clone(), cells: self.triangles.iter().map(|&t| Cell::tri3(t)).collect() }
    }

    /// Refuses an index out of range, and an edge with more than two triangles.
    pub fn check_manifold(&self) -> Result<(), Error> {
        self.edges_satisfy(|uses| uses.len() <= 2, "at most 2: a sheet that does not branch")
    }

    /// Refuses an edge with an odd number of triangles: the surface is open there, and has no inside.
    pub fn check_closed(&self) -> Result<(), Error> {
        self.edges_satisfy(|uses| uses.len() % 2 == 0, "2: a closed surface, without holes")
    }

    /// Refuses an edge that two triangles run in the same direction: their normals point to opposite sides.
    pub fn check_oriented(&self) -> Result<(), Error> {
        let opposite = |uses: &[Use]| uses.len() != 2 || uses[0].forward != uses[1].forward;
        self.edges_satisfy(opposite, "2 that run it in opposite directions")
    }

    /// The triangles turned so that neighbours agree and every closed part has a positive volume.
    pub fn outward(&self) -> Result<Outward, Error> {
        self.check_manifold()?;
        let edges = self.edges()?;
        let mut neighbours = vec![Vec::new(); self.triangles.len()];
        let mut open = vec![false; self.triangles.len()];
        for uses in edges.values() {
            match uses.as_slice() {
                [a, b] => {
                    let against = a.forward == b.forward;
                    neighbours[a.triangle].push((b.triangle, against));
                    neighbours[b.triangle].push((a.triangle, against));
                }
                uses => uses.iter().for_each(|u| open[u.triangle] = true),
            }
        }
        let mut turn: Vec<Option<bool>> = vec![None; self.triangles.len()];
        let mut surface = self.clone();
        for first in 0..self.triangles.len() {
            let part = self.turn_part(first, &neighbours, &mut turn);
            for &triangle in part.iter().filter(|&&t| turn[t] == Some(true)) {
                surface.triangles[triangle].swap(1, 2);
            }
            let volume: f64 = part.iter().map(|&t| surface.cone(surface.triangles[t])).sum();
            if volume < 0.0 && !part.iter().any(|&t| open[t]) {
                part.iter().for_each(|&t| surface.triangles[t].swap(1, 2));
            }
        }
        surface.check_oriented()?;
        let turned = surface.triangles.iter().zip(&self.triangles).filter(|(a, b)| a != b).count();
        // Turning twice restores the order of nodes, so an unequal triangle was turned once.
        Ok(Outward { surface, turned })
    }

    /// Follows neighbours from the first triangle, unless it was met before; returns the triangles of its part.
    fn turn_part(&self, first: usize, neighbours: &[Vec<(usize, bool)>], turn: &mut [Option<bool>]) -> Vec<usize> {
        if turn[first].is_some() {
            return Vec::new();
        }
        turn[first] = Some(false);
        let mut part = vec![first];
        let mut next = 0;
        while let Some(&triangle) = part.get(next) {
            next += 1;
            let turned = turn[triangle] == Some(true);
            for &(other, against) in &neighbours[triangle] {
                if turn[other].is_none() {
                    turn[other] = Some(turned != against);
                    part.push(other);
                }
            }
        }
        part
    }

    /// The volume that a closed surface encloses, m^3; negative when it is turned inward, NaN when a node is missing.
    pub fn volume(&self) -> f64 {
        self.triangles.iter().map(|&t| self.cone(t)).sum()
    }

    /// Number of parts without a common node; nodes without triangles do not count.
    pub fn parts(&self) -> usize {
        let (used, _) = Surface::of(&self.to_mesh());
        used.to_mesh().parts()
    }

    /// The volume between a triangle and the origin, m^3.
    fn cone(&self, triangle: [u32; 3]) -> f64 {
        let [a, b, c] = triangle.map(|n| self.nodes.get(n as usize).copied().unwrap_or(DVec3::NAN));
        a.dot(b.cross(c)) / 6.0
    }

    /// The uses of each edge, the smaller node first.
    fn edges(&self) -> Result<BTreeMap<[u32; 2], Vec<Use>>, Error> {
        let mut edges: BTreeMap<[u32; 2], Vec<Use>> = BTreeMap::new();
        for (triangle, &[a, b, c]) in self.triangles.iter().enumerate() {
            if let Some(node) = [a, b, c].into_iter().find(|&n| n as usize >= self.nodes.len()) {
                let expected = format!("node indices below {}", self.nodes.len());
                return Err(input(&format!("triangles[{triangle}]"), node, expected));
            }
            for [from, to] in [[a, b], [b, c], [c, a]] {
                edges.entry([from.min(to), from.max(to)]).or_default().push(Use { triangle, forward: from < to });
            }
        }
        Ok(edges)
    }

    fn edges_satisfy(&self, right: impl Fn(&[Use]) -> bool, expected: &str) -> Result<(), Error> {
        match self.edges()?.into_iter().find(|(_, uses)| !right(uses)) {
            Some((edge, uses)) => Err(Error::Edge { edge, triangles: uses.len(), expected: expected.into() }),
            None => Ok(()),
        }
    }
}

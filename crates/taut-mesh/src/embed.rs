//! Points bound to the cells of a solid: a fine surface that a coarse mesh carries.

mod buckets;
mod locate;

use glam::DVec3;
use taut_elements::Mesh;

use crate::error::{Error, input};
use buckets::{Bounds, Buckets};
use locate::{Located, locate};

/// Rings of boxes around a point that are searched before all cells are.
const RINGS: usize = 6;

/// A point as a sum of nodes with weights.
///
/// ```
/// use glam::DVec3;
/// use taut_mesh::{Filling, bar, embed};
/// let cube = bar(DVec3::ONE, [1, 1, 1], Filling::Hexahedra)?.mesh;
/// let point = embed(&cube, &[DVec3::new(0.25, 0.5, 0.5)])?[0];
/// assert!((point.weights.iter().sum::<f64>() - 1.0).abs() < 1e-15);
/// let doubled: Vec<DVec3> = cube.nodes.iter().map(|&x| 2.0 * x).collect();
/// assert!(point.position(&doubled).distance(DVec3::new(0.5, 1.0, 1.0)) < 1e-15);
/// # Ok::<(), taut_mesh::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Binding {
    /// The cell.
    pub cell: u32,
    /// Its nodes; those past the last of a tetrahedron repeat its first.
    pub nodes: [u32; 8],
    /// Their weights, whose sum is 1; 0 past the last. Negative ones occur outside of the cell only.
    pub weights: [f64; 8],
    /// How far outside of the cell the point lay, m; 0 inside.
    pub outside: f64,
}

impl Binding {
    /// Where the nodes of the mesh, at these positions, carry the point, m.
    pub fn position(&self, nodes: &[DVec3]) -> DVec3 {
        self.nodes.iter().zip(self.weights).map(|(&node, weight)| weight * nodes[node as usize]).sum()
    }
}

/// Binds each point, m, to the tetrahedron or hexahedron in which it lies, or else to the nearest.
///
/// Weights are barycentric in tetrahedra, trilinear in hexahedra; of several cells that hold a point the first is taken. Beyond a cell they are
/// extended, so that the point starts where it is, and follows linear fields exactly.
/// ```
/// use glam::DVec3;
/// use taut_mesh::{ball, embed};
/// let ball = ball(1.0, 4)?;
/// let bindings = embed(&ball, &[DVec3::new(0.1, 0.2, 0.3), DVec3::new(0.0, 1.1, 0.0)])?;
/// assert_eq!(bindings[0].outside, 0.0);
/// assert!((bindings[1].outside - 0.1).abs() < 1e-9);
/// # Ok::<(), taut_mesh::Error>(())
/// ```
pub fn embed(mesh: &Mesh, points: &[DVec3]) -> Result<Vec<Binding>, Error> {
    if let Some((index, cell)) = unusable(mesh) {
        return Err(input(
            &format!("cells[{index}]"),
            cell,
            format!("nodes below {}, at finite places", mesh.nodes.len()),
        ));
    }
    let Some(buckets) = Buckets::new(mesh) else {
        return Err(input("cells", 0, "at least one tetrahedron or hexahedron"));
    };
    let bind = |(index, &point): (usize, &DVec3)| {
        if !point.is_finite() {
            return Err(input(&format!("points[{index}]"), point, "finite coordinates"));
        }
        match holding(mesh, &buckets, point).or_else(|| nearest(mesh, &buckets, point)) {
            Some((cell, located)) => Ok(binding(mesh, cell, located)),
            None => Err(input("cells", 0, "at least one tetrahedron or hexahedron")),
        }
    };
    points.iter().enumerate().map(bind).collect()
}

/// The first cell with a node that is not there.
fn unusable(mesh: &Mesh) -> Option<(usize, String)> {
    let bad = |n: &u32| mesh.nodes.get(*n as usize).is_none_or(|x| !x.is_finite());
    let (index, cell) = mesh.cells.iter().enumerate().find(|(_, cell)| cell.nodes().iter().any(bad))?;
    Some((index, format!("{:?}", cell.nodes())))
}

/// The first cell that holds a point.
fn holding(mesh: &Mesh, buckets: &Buckets, point: DVec3) -> Option<(u32, Located)> {
    let held = |bounds: Bounds| {
        let located = locate(mesh, bounds.cell, point);
        (located.outside() == 0.0).then_some((bounds.cell, located))
    };
    buckets.at(point).find_map(held)
}

/// The cell nearest to a point; the first of those at the same distance.
fn nearest(mesh: &Mesh, buckets: &Buckets, point: DVec3) -> Option<(u32, Located)> {
    let mut best = None;
    for ring in 0..RINGS {
        buckets.ring(point, ring).for_each(|bounds| improve(&mut best, mesh, bounds, point));
        if best.is_some_and(|(_, located): (u32, Located)| located.outside() <= buckets.beyond(ring)) {
            return best;
        }
    }
    buckets.all().for_each(|bounds| improve(&mut best, mesh, bounds, point));
    best
}

/// Takes a cell that is nearer.
fn improve(best: &mut Option<(u32, Located)>, mesh: &Mesh, bounds: Bounds, point: DVec3) {
    let (first, least) = best.map_or((u32::MAX, f64::INFINITY), |(cell, located)| (cell, located.outside()));
    if bounds.gap(point) > least || bounds.cell == first {
        return;
    }
    let located = locate(mesh, bounds.cell, point);
    if best.is_none() || (located.outside(), bounds.cell) < (least, first) {
        *best = Some((bounds.cell, located));
    }
}

fn binding(mesh: &Mesh, cell: u32, located: Located) -> Binding {
    let ids = mesh.cells[cell as usize].nodes();
    let mut nodes = [ids[0]; 8];
    nodes[..ids.len()].copy_from_slice(ids);
    Binding { cell, nodes, weights: located.weights(mesh, cell), outside: located.outside() }
}

//! The cells of a mesh sorted into boxes of space.

use glam::DVec3;
use taut_elements::{Cell, Mesh};

use crate::generate::triples;

/// Most boxes along an axis.
const MOST: usize = 200;

/// The box around one cell.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Index of the cell.
    pub cell: u32,
    low: DVec3,
    high: DVec3,
}

impl Bounds {
    fn new(mesh: &Mesh, cell: usize, nodes: &Cell) -> Self {
        let points = || nodes.nodes().iter().map(|&n| mesh.nodes[n as usize]);
        let (low, high) = (points().fold(DVec3::MAX, DVec3::min), points().fold(DVec3::MIN, DVec3::max));
        Bounds { cell: cell as u32, low, high }
    }

    /// Distance of a point, m; 0 inside.
    pub fn gap(&self, point: DVec3) -> f64 {
        (self.low - point).max(point - self.high).max(DVec3::ZERO).length()
    }
}

/// The solid cells of a mesh in a lattice of boxes.
pub struct Buckets {
    low: DVec3,
    size: DVec3,
    count: [usize; 3],
    /// For each box of the lattice the indices of the `bounds` that touch it.
    touching: Vec<Vec<u32>>,
    bounds: Vec<Bounds>,
}

impl Buckets {
    /// About as many boxes as cells; `None` without solid cells.
    pub fn new(mesh: &Mesh) -> Option<Self> {
        let solid = mesh.cells.iter().enumerate().filter(|(_, cell)| cell.kind().dimension() == 3);
        let bounds: Vec<Bounds> = solid.map(|(index, cell)| Bounds::new(mesh, index, cell)).collect();
        let first = bounds.first()?;
        let (low, high) =
            bounds.iter().fold((first.low, first.high), |(low, high), b| (low.min(b.low), high.max(b.high)));
        let extent = (high - low).max(DVec3::splat(f64::MIN_POSITIVE));
        let edge = libm::cbrt(extent.element_product() / bounds.len() as f64).max(extent.max_element() / MOST as f64);
        let count = (extent / edge).to_array().map(|n| (n.ceil() as usize).clamp(1, MOST));
        let size = extent / DVec3::from_array(count.map(|n| n as f64));
        let mut buckets = Buckets { low, size, count, touching: vec![Vec::new(); count.iter().product()], bounds };
        for (number, bounds) in buckets.bounds.iter().enumerate() {
            let (from, to) = (buckets.place(bounds.low), buckets.place(bounds.high));
            for step in triples([0, 1, 2].map(|i| to[i] - from[i] + 1)) {
                let index = buckets.index([0, 1, 2].map(|i| from[i] + step[i]));
                buckets.touching[index].push(number as u32);
            }
        }
        Some(buckets)
    }

    /// The cells that touch the box of a point.
    pub fn at(&self, point: DVec3) -> impl Iterator<Item = Bounds> {
        self.touching[self.index(self.place(point))].iter().map(|&number| self.bounds[number as usize])
    }

    /// The cells that touch a box that is `ring` boxes away from that of a point; some more than once.
    pub fn ring(&self, point: DVec3, ring: usize) -> impl Iterator<Item = Bounds> {
        let middle = self.place(point);
        let from = middle.map(|m| m.saturating_sub(ring));
        let to = [0, 1, 2].map(|i| (middle[i] + ring).min(self.count[i] - 1));
        triples([0, 1, 2].map(|i| to[i] - from[i] + 1))
            .map(move |step| [0, 1, 2].map(|i| from[i] + step[i]))
            .filter(move |place| (0..3).any(|i| place[i].abs_diff(middle[i]) == ring))
            .flat_map(|place| self.touching[self.index(place)].iter().map(|&number| self.bounds[number as usize]))
    }

    /// No cell that is met only beyond this ring is nearer to the point than this, m.
    pub fn beyond(&self, ring: usize) -> f64 {
        ring as f64 * self.size.min_element()
    }

    /// All cells.
    pub fn all(&self) -> impl Iterator<Item = Bounds> {
        self.bounds.iter().copied()
    }

    /// The box in which a point lies, or the nearest.
    fn place(&self, point: DVec3) -> [usize; 3] {
        let at = ((point - self.low) / self.size).floor().max(DVec3::ZERO).to_array();
        [0, 1, 2].map(|i| (at[i] as usize).min(self.count[i] - 1))
    }

    fn index(&self, [i, j, k]: [usize; 3]) -> usize {
        i + self.count[0] * (j + self.count[1] * k)
    }
}

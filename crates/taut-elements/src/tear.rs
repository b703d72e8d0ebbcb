//! Tearing: which seams part under stress.
//!
//! ```text
//! s = mean of the stresses of the two cells,   s_1 its largest principal value,   n normal to the seam
//! parts where  s_1 > strength  and  n.s n > min(strength, 0.6 s_1)         bars: mean tension > strength
//! ```
//! The second condition leaves seams along the pull alone (Rankine's criterion on the seam). One of
//! several seams of a cell parts at a time, the most stressed: the others are relieved by it.

use crate::elements::{Elements, Input, MAX_NODES};
use crate::mesh::Seam;
use crate::svd::Eigen;
use glam::{DMat3, DVec3};

/// Part of the principal stress that a seam must carry across itself: those at less than 39 degrees
/// to the pull do.
const ACROSS: f64 = 0.6;
/// Stresses that differ by less, relative, are the same.
const SAME: f64 = 1e-6;

/// A seam that carries more than it can.
///
/// Two bars in a row under 10 % strain at 1 GPa: 110 MPa, referred to the present length.
/// ```
/// # use glam::DVec3;
/// # use taut_elements::{Cell, Elements, Input, Material, Mesh};
/// let nodes = vec![DVec3::ZERO, DVec3::X, DVec3::X * 2.0];
/// let mesh = Mesh { nodes, cells: vec![Cell::bar2([0, 1]), Cell::bar2([1, 2])] };
/// let wire = Elements::new(&mesh, &Material::new(7800.0, 1e9, 0.0).area(1e-6)).unwrap();
/// let pulled = |n: u32| wire.rest()[n as usize] * 1.1;
/// let torn = |strength| wire.overstressed(strength, pulled, &wire.fresh_state(), Input::default());
/// assert_eq!(torn(90e6)[0].seam.nodes(), [1]);
/// assert!(torn(200e6).is_empty());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tear {
    /// Where.
    pub seam: Seam,
    /// The largest principal stress there, of bars the tension, Pa.
    pub stress: f64,
}

impl Elements {
    /// The seams that part next where nothing carries more tension than `strength`, Pa, with the
    /// nodes at `place`, m; by cells.
    pub fn overstressed(&self, strength: f64, place: impl Fn(u32) -> DVec3, state: &[f64], input: Input) -> Vec<Tear> {
        let stresses = self.cell_stresses(&place, state, input);
        let mut over: Vec<Tear> = Vec::new();
        for seam in self.seams() {
            let mean = (stresses[seam.cells[0] as usize] + stresses[seam.cells[1] as usize]) * 0.5;
            let stress = self.tension(&seam, mean, strength, &place);
            over.extend(stress.filter(|s| *s > strength).map(|stress| Tear { seam, stress }));
        }
        self.most_stressed(over)
    }

    /// Mean stress of each cell, Pa.
    fn cell_stresses(&self, place: impl Fn(u32) -> DVec3, state: &[f64], input: Input) -> Vec<DMat3> {
        let (mut sums, mut volumes) = (vec![DMat3::ZERO; self.shape.len()], vec![0.0; self.shape.len()]);
        let mut x = [DVec3::ZERO; MAX_NODES];
        for (e, block) in self.blocks.iter().enumerate() {
            let nodes = self.nodes(e);
            x.iter_mut().zip(nodes).for_each(|(x, &n)| *x = place(n));
            for q in 0..block.points.len() {
                let Some(c) = self.cell_of(e, q).map(|c| c as usize).filter(|&c| c < sums.len()) else { continue };
                let weight = self.points[block.points.start + q].weight;
                sums[c] += self.output(e, q, &x[..nodes.len()], state, input).cauchy * weight;
                volumes[c] += weight;
            }
        }
        sums.into_iter().zip(volumes).map(|(sum, volume)| sum * (1.0 / volume)).collect()
    }

    /// The principal stress at a seam that stands across it, Pa.
    fn tension(&self, seam: &Seam, stress: DMat3, strength: f64, place: impl Fn(u32) -> DVec3) -> Option<f64> {
        let at = |k: usize| place(seam.nodes()[k]);
        let normal = match seam.nodes().len() {
            // The stress of a bar is its tension along it.
            1 => return Some(stress.x_axis.x + stress.y_axis.y + stress.z_axis.z),
            2 => {
                let along = (at(1) - at(0)).normalize_or_zero();
                let [a, b] = seam.cells.map(|c| self.centre(c, &place));
                (b - a) - along * along.dot(b - a)
            }
            3 => (at(1) - at(0)).cross(at(2) - at(0)),
            _ => (at(2) - at(0)).cross(at(3) - at(1)),
        };
        let normal = normal.normalize_or_zero();
        let first = Eigen::new(stress).d.max_element();
        (normal.dot(stress * normal) > strength.min(ACROSS * first)).then_some(first)
    }

    /// The mean of the nodes of a cell, m.
    pub fn centre(&self, cell: u32, place: impl Fn(u32) -> DVec3) -> DVec3 {
        let nodes = self.shape[cell as usize].nodes();
        nodes.iter().fold(DVec3::ZERO, |sum, &n| sum + place(n)) / nodes.len() as f64
    }

    /// Those that are the most stressed of the seams of both their cells; of equals the first.
    fn most_stressed(&self, over: Vec<Tear>) -> Vec<Tear> {
        let mut best: Vec<Option<usize>> = vec![None; self.shape.len()];
        for (k, tear) in over.iter().enumerate() {
            for c in tear.seam.cells {
                let best = &mut best[c as usize];
                if best.is_none_or(|b: usize| tear.stress > over[b].stress * (1.0 + SAME)) {
                    *best = Some(k);
                }
            }
        }
        let first = |k: usize, tear: &Tear| tear.seam.cells.iter().all(|&c| best[c as usize] == Some(k));
        over.iter().enumerate().filter(|(k, tear)| first(*k, tear)).map(|(_, tear)| *tear).collect()
    }
}

//! Tearing: which seams part under stress.
//!
//! ```text
//! s = mean of the stresses of the two cells,   s_1 its largest principal value,   n normal to the seam
//! parts where  s_1 > strength  and  n.s n > min(strength, 0.6 s_1)         bars: mean tension > strength
//! ```
//! The second condition leaves seams along the pull alone (Rankine's criterion on the seam). A seam
//! relieves those behind and before it along the pull: of several in a row the most stressed parts.
//! Those beside it, in the same section, part with it.

use crate::elements::{Elements, Input, MAX_NODES};
use crate::mesh::{Lists, Seam};
use crate::svd::Eigen;
use glam::{DMat3, DVec3};

/// Part of the principal stress that a seam must carry across itself: those at less than 39 degrees
/// to the pull do.
const ACROSS: f64 = 0.6;
/// Stresses that differ by less, relative, are the same.
const SAME: f64 = 1e-6;

/// A seam that carries too much, with the direction of the pull and its place.
struct Over {
    tear: Tear,
    pull: DVec3,
    at: DVec3,
}

impl Over {
    /// Whether it is more stressed than another; of equals the first in the list is.
    fn beats(&self, other: &Over, is_first: bool) -> bool {
        let (own, its) = (self.tear.stress, other.tear.stress);
        if is_first { own * (1.0 + SAME) >= its } else { own > its * (1.0 + SAME) }
    }

    /// Whether another lies within 45 degrees of the pull from it.
    fn is_in_line(&self, other: &Over) -> bool {
        let way = self.at - other.at;
        let along = way.dot(self.pull);
        2.0 * along * along > way.length_squared()
    }
}

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
/// let torn = |strength| wire.overstressed(strength, pulled, &wire.fresh_state(), |_| Input::default());
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
    /// nodes at `place`, m, and what is given to each element; by cells.
    pub fn overstressed(
        &self,
        strength: f64,
        place: impl Fn(u32) -> DVec3,
        state: &[f64],
        input: impl Fn(usize) -> Input,
    ) -> Vec<Tear> {
        let stresses = self.cell_stresses(&place, state, input);
        // No mean of two stresses has a larger principal value than both.
        if !stresses.iter().any(|s| Eigen::new(*s).d.max_element() > strength) {
            return Vec::new();
        }
        let mut over: Vec<Over> = Vec::new();
        for seam in self.seams() {
            let mean = (stresses[seam.cells[0] as usize] + stresses[seam.cells[1] as usize]) * 0.5;
            let tension = self.tension(&seam, mean, strength, &place).filter(|t| t.0 > strength);
            let at = seam.nodes().iter().fold(DVec3::ZERO, |sum, &n| sum + place(n)) / seam.nodes().len() as f64;
            over.extend(tension.map(|(stress, pull)| Over { tear: Tear { seam, stress }, pull, at }));
        }
        self.most_stressed(over)
    }

    /// Mean stress of each cell, Pa.
    fn cell_stresses(&self, place: impl Fn(u32) -> DVec3, state: &[f64], input: impl Fn(usize) -> Input) -> Vec<DMat3> {
        let (mut sums, mut volumes) = (vec![DMat3::ZERO; self.shape().len()], vec![0.0; self.shape().len()]);
        let mut x = [DVec3::ZERO; MAX_NODES];
        for (e, block) in self.blocks.iter().enumerate() {
            let nodes = self.nodes(e);
            x.iter_mut().zip(nodes).for_each(|(x, &n)| *x = place(n));
            let given = input(e);
            for q in 0..block.points.len() {
                let Some(c) = self.cell_of(e, q).map(|c| c as usize).filter(|&c| c < sums.len()) else { continue };
                let weight = self.points[block.points.start + q].weight;
                sums[c] += self.output(e, q, &x[..nodes.len()], state, given).cauchy * weight;
                volumes[c] += weight;
            }
        }
        sums.into_iter().zip(volumes).map(|(sum, volume)| sum * (1.0 / volume)).collect()
    }

    /// The principal stress at a seam that stands across it, Pa, and its direction.
    fn tension(&self, seam: &Seam, stress: DMat3, strength: f64, place: impl Fn(u32) -> DVec3) -> Option<(f64, DVec3)> {
        let Eigen { q, d } = Eigen::new(stress);
        let first = (0..3).fold(0, |best, k| if d[k] > d[best] { k } else { best });
        let (first, pull) = (d[first], q.col(first));
        let at = |k: usize| place(seam.nodes()[k]);
        let normal = match seam.nodes().len() {
            // The stress of a bar is its tension along it.
            1 => return Some((stress.x_axis.x + stress.y_axis.y + stress.z_axis.z, pull)),
            2 => {
                let along = (at(1) - at(0)).normalize_or_zero();
                let [a, b] = seam.cells.map(|c| self.centre(c, &place));
                (b - a) - along * along.dot(b - a)
            }
            3 => (at(1) - at(0)).cross(at(2) - at(0)),
            _ => (at(2) - at(0)).cross(at(3) - at(1)),
        };
        let normal = normal.normalize_or_zero();
        (normal.dot(stress * normal) > strength.min(ACROSS * first)).then_some((first, pull))
    }

    /// The mean of the nodes of a cell, m.
    pub fn centre(&self, cell: u32, place: impl Fn(u32) -> DVec3) -> DVec3 {
        let nodes = self.shape()[cell as usize].nodes();
        nodes.iter().fold(DVec3::ZERO, |sum, &n| sum + place(n)) / nodes.len() as f64
    }

    /// Those that no other one relieves of the seams of cells around.
    fn most_stressed(&self, over: Vec<Over>) -> Vec<Tear> {
        let around = |o: &Over| o.tear.seam.cells.into_iter().flat_map(|c| self.shape()[c as usize].nodes());
        let near = over.iter().enumerate().flat_map(|(k, o)| around(o).map(move |&n| (n, k as u32)));
        let near = Lists::new(self.rest.len(), near.collect());
        let relieved = |k: usize| {
            let mut others = around(&over[k]).flat_map(|&n| near.get(n as usize)).map(|&other| other as usize);
            others.any(|b| b != k && over[b].beats(&over[k], b < k) && over[k].is_in_line(&over[b]))
        };
        (0..over.len()).filter(|&k| !relieved(k)).map(|k| over[k].tear).collect()
    }
}

//! Solids of the corotational law by the rotation of F, without its singular values.
//!
//! With h_a = R G_a and t = tr S of F = R S, the tangent is the identity and four modes per point (the three rotations and the dilatation):
//! ```text
//! psi  = mu |F - R|^2 + la/2 (t - 3)^2,   P = 2 mu (F - R) + la (t - 3) R
//! K_ab = sum_q w (2 mu G_a.G_b I + la h_a h_b^T + hat(h_a)^T N hat(h_b)),   N = (la (t - 3) - 2 mu) (t I - R S R^T)^-1
//! ```
//! 2 N + 2 mu I has the three eigenvalues of the rotations, which compression makes negative; clamping them at zero is the exact
//! projection, and all others are positive. The sums over points and modes are the product of two matrices of 4 rows per point.

use crate::elements::{Block, Elements};
use crate::law::polar::{LANES, Polar, polar, polar_of_four};
use crate::law::stretches::is_positive;
use crate::svd::clamp_mixed;
use glam::{DMat3, DVec3};
use taut_lanes::Kernel;

/// Most columns (three per node) and rows (four per point) of the matrices: those of a hexahedron.
const COLUMNS: usize = 24;
const ROWS: usize = 32;
/// Those of a tetrahedron.
const FEW_COLUMNS: usize = 12;
const FEW_ROWS: usize = 4;
/// Side of the tiles in which they are multiplied.
const TILE: usize = 4;

type Factor<const C: usize, const R: usize> = [[f64; C]; R];

impl Elements {
    /// Whether this way can be gone: at most eight nodes and points, each with all nodes, and nothing beside the law.
    pub(super) fn is_plain(&self, block: &Block, nodes: usize) -> bool {
        let point = |p: &crate::elements::Point| p.gradients.len() == nodes;
        block.dimension == 3
            && 3 * nodes <= COLUMNS
            && 4 * block.points.len() <= ROWS
            && !(block.kappa > 0.0)
            && self.material.plasticity.is_none()
            && self.material.fibre.is_none()
            && self.points[block.points.clone()].iter().all(point)
    }

    /// Energy, and forces if wanted; none where a rotation needs the singular values.
    pub(super) fn corotate(
        &self,
        block: &Block,
        (mu, la): (f64, f64),
        x: &[DVec3],
        mut f: Option<&mut [DVec3]>,
    ) -> Option<f64> {
        if f.is_none() {
            return taut_lanes::run(Energy { elements: self, block, numbers: (mu, la), x });
        }
        f.iter_mut().for_each(|f| f.fill(DVec3::ZERO));
        let mut energy = 0.0;
        for q in block.points.clone() {
            let gradient = self.gradient_at(q, x);
            let Polar { r, t, .. } = polar(&gradient)?;
            let (strain, weight) = (gradient - r, self.points[q].weight);
            energy += weight * psi(&strain, t, mu, la);
            if let Some(f) = &mut f {
                self.add_forces(q, &None, (strain * (2.0 * mu) + r * (la * (t - 3.0))) * weight, f);
            }
        }
        Some(energy)
    }

    /// Energy, forces and the projected stiffness; none where a rotation needs the singular values.
    pub(super) fn corotate_all(
        &self,
        block: &Block,
        numbers: (f64, f64),
        x: &[DVec3],
        f: &mut [DVec3],
        k: &mut [DMat3],
    ) -> Option<f64> {
        if 3 * x.len() <= FEW_COLUMNS && 4 * block.points.len() <= FEW_ROWS {
            taut_lanes::run(All::<FEW_COLUMNS, FEW_ROWS> { elements: self, block, numbers, x, f, k })
        } else {
            taut_lanes::run(All::<COLUMNS, ROWS> { elements: self, block, numbers, x, f, k })
        }
    }
}

/// Most points of an element.
const POINTS: usize = ROWS / 4;

/// The gradients at the points of an element and their rotations; none where one needs the singular values.
#[inline(always)]
fn rotations(elements: &Elements, block: &Block, x: &[DVec3]) -> Option<([DMat3; POINTS], [Polar; POINTS])> {
    let (mut gradients, mut polars) = ([DMat3::ZERO; POINTS], [Polar::default(); POINTS]);
    let count = block.points.len();
    for (to, q) in gradients.iter_mut().zip(block.points.clone()) {
        *to = elements.gradient_at(q, x);
    }
    let (fours, rest) = gradients[..count].as_chunks::<LANES>();
    for (k, four) in fours.iter().enumerate() {
        polars[LANES * k..LANES * (k + 1)].copy_from_slice(&polar_of_four(four)?);
    }
    for (to, f) in polars[count - rest.len()..].iter_mut().zip(rest) {
        *to = polar(f)?;
    }
    Some((gradients, polars))
}

/// Energy of an element.
struct Energy<'a> {
    elements: &'a Elements,
    block: &'a Block,
    numbers: (f64, f64),
    x: &'a [DVec3],
}

impl Kernel for Energy<'_> {
    type Out = Option<f64>;

    #[inline(always)]
    fn run(self) -> Option<f64> {
        let Energy { elements, block, numbers: (mu, la), x } = self;
        let (gradients, polars) = rotations(elements, block, x)?;
        let mut energy = 0.0;
        for ((q, f), polar) in block.points.clone().zip(&gradients).zip(&polars) {
            energy += elements.points[q].weight * psi(&(*f - polar.r), polar.t, mu, la);
        }
        Some(energy)
    }
}

/// Energies of four elements of one point each.
pub(super) struct Energies<'a> {
    pub elements: &'a Elements,
    pub points: [usize; LANES],
    pub numbers: (f64, f64),
    pub x: [&'a [DVec3]; LANES],
}

impl Kernel for Energies<'_> {
    type Out = Option<[f64; LANES]>;

    #[inline(always)]
    fn run(self) -> Option<[f64; LANES]> {
        let Energies { elements, points, numbers: (mu, la), x } = self;
        let gradients = std::array::from_fn(|l| elements.gradient_at(points[l], x[l]));
        let polars = polar_of_four(&gradients)?;
        Some(std::array::from_fn(|l| {
            elements.points[points[l]].weight * psi(&(gradients[l] - polars[l].r), polars[l].t, mu, la)
        }))
    }
}

/// Energy, forces and stiffness of an element with at most so many columns and rows.
struct All<'a, const C: usize, const R: usize> {
    elements: &'a Elements,
    block: &'a Block,
    numbers: (f64, f64),
    x: &'a [DVec3],
    f: &'a mut [DVec3],
    k: &'a mut [DMat3],
}

impl<const C: usize, const R: usize> Kernel for All<'_, C, R> {
    type Out = Option<f64>;

    #[inline(always)]
    fn run(self) -> Option<f64> {
        let All { elements, block, numbers: (mu, la), x, f, k } = self;
        f.fill(DVec3::ZERO);
        let (mut left, mut right): (Factor<C, R>, Factor<C, R>) = ([[0.0; C]; R], [[0.0; C]; R]);
        let mut same = [[0.0; COLUMNS / 3]; COLUMNS / 3];
        let mut energy = 0.0;
        let (all, polars) = rotations(elements, block, x)?;
        for (at, q) in block.points.clone().enumerate() {
            let (gradient, polar) = (all[at], polars[at]);
            let (strain, weight) = (gradient - polar.r, elements.points[q].weight);
            energy += weight * psi(&strain, polar.t, mu, la);
            let stress = (strain * (2.0 * mu) + polar.r * (la * (polar.t - 3.0))) * weight;
            let twist = twist(&gradient, &polar, mu, la) * weight;
            let range = elements.points[q].gradients.clone();
            let (gradients, local) = (&elements.gradients[range.clone()], &elements.local[range]);
            for (n, (&g, &a)) in gradients.iter().zip(local).enumerate() {
                f[a as usize] -= stress * g;
                modes(at, a as usize, polar.r * g, &twist, weight * la, &mut left, &mut right);
                for (&g_b, &b) in gradients[n..].iter().zip(&local[n..]) {
                    same[a as usize][b as usize] += 2.0 * mu * weight * g.dot(g_b);
                }
            }
        }
        let rows = 4 * block.points.len();
        multiply(x.len(), &left[..rows], &right[..rows], &same, k);
        Some(energy)
    }
}

#[inline(always)]
fn psi(strain: &DMat3, t: f64, mu: f64, la: f64) -> f64 {
    let [a, b, c] = [strain.x_axis, strain.y_axis, strain.z_axis].map(|c| c.length_squared());
    mu * (a + b + c) + 0.5 * la * (t - 3.0) * (t - 3.0)
}

/// N of a point, projected.
#[inline(always)]
fn twist(f: &DMat3, p: &Polar, mu: f64, la: f64) -> DMat3 {
    let s = *f * p.r.transpose();
    let g = (s + s.transpose()) * -0.5 + DMat3::from_diagonal(DVec3::splat(p.t));
    let inverse = crate::plastic::cofactor(g) * (1.0 / p.gap);
    let n = (inverse + inverse.transpose()) * (0.5 * (la * (p.t - 3.0) - 2.0 * mu));
    let both = DMat3::from_diagonal(DVec3::splat(mu));
    let m = n + both;
    if is_positive(&m) {
        n
    } else if is_positive(&(m * -1.0)) {
        both * -1.0
    } else {
        clamp_mixed(m) - both
    }
}

/// The four modes of point `at` on node a.
#[inline(always)]
fn modes<const C: usize, const R: usize>(
    at: usize,
    a: usize,
    h: DVec3,
    twist: &DMat3,
    la: f64,
    left: &mut Factor<C, R>,
    right: &mut Factor<C, R>,
) {
    let hat = [DVec3::new(0.0, h.z, -h.y), DVec3::new(-h.z, 0.0, h.x), DVec3::new(h.y, -h.x, 0.0)];
    for (i, hat) in hat.into_iter().enumerate() {
        let turned = *twist * hat;
        for r in 0..3 {
            left[4 * at + r][3 * a + i] = turned[r];
            right[4 * at + r][3 * a + i] = hat[r];
        }
        left[4 * at + 3][3 * a + i] = la * h[i];
        right[4 * at + 3][3 * a + i] = h[i];
    }
}

/// K = left^T right + same (x) I, of which the upper half is computed and copied down.
#[inline(always)]
fn multiply<const C: usize>(
    nodes: usize,
    left: &[[f64; C]],
    right: &[[f64; C]],
    same: &[[f64; 8]; 8],
    k: &mut [DMat3],
) {
    let mut dense = [[0.0; C]; C];
    for i in (0..3 * nodes).step_by(TILE) {
        for j in (i..3 * nodes).step_by(TILE) {
            let mut sums = [[0.0; TILE]; TILE];
            for (left, right) in left.iter().zip(right) {
                let (a, b) = (&left[i..i + TILE], &right[j..j + TILE]);
                for r in 0..TILE {
                    for c in 0..TILE {
                        sums[r][c] += a[r] * b[c];
                    }
                }
            }
            for (r, sums) in sums.iter().enumerate() {
                dense[i + r][j..j + TILE].copy_from_slice(sums);
            }
        }
    }
    for a in 0..nodes {
        for b in a..nodes {
            let entry = |r: usize, c: usize| {
                if a == b && r > c { dense[3 * b + c][3 * a + r] } else { dense[3 * a + r][3 * b + c] }
            };
            let column = |c: usize| DVec3::new(entry(0, c), entry(1, c), entry(2, c));
            let block =
                DMat3::from_cols(column(0), column(1), column(2)) + DMat3::from_diagonal(DVec3::splat(same[a][b]));
            k[a * nodes + b] = block;
            if a != b {
                k[b * nodes + a] = block.transpose();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elements::Input;
    use crate::{Cell, Material, Mesh};

    /// The way over singular values gives the same.
    #[test]
    fn forces_and_stiffness_are_those_of_the_singular_values() {
        let mut random = 1_u64;
        let mut next = || {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (random >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let corner = |k: usize| DVec3::new((k / 4) as f64, (k / 2 % 2) as f64, (k % 2) as f64);
        let nodes: Vec<DVec3> = (0..8).map(corner).collect();
        let cells = [Cell::hex8([0, 4, 6, 2, 1, 5, 7, 3]), Cell::tet4([0, 4, 2, 1])];
        for (cell, nu) in cells.into_iter().zip([0.3, 0.49]) {
            let mesh = Mesh { nodes: nodes[..].to_vec(), cells: vec![cell] };
            let mesh = if nu > 0.4 {
                Mesh { nodes: [0, 4, 2, 1].map(corner).to_vec(), cells: vec![Cell::tet4([0, 1, 2, 3])] }
            } else {
                mesh
            };
            let material = Material::new(1000.0, 1e3, nu);
            let elements = Elements::new(&mesh, &material).unwrap();
            let mut other = elements.clone();
            // An idle fibre keeps the other way.
            other.material.fibre = Some(crate::Fibre { direction: DVec3::X, stress: 1.0 });
            for size in [0.0, 1e-3, 0.1, 0.3] {
                for _ in 0..20 {
                    let x: Vec<DVec3> = elements
                        .nodes(0)
                        .iter()
                        .map(|&n| elements.rest()[n as usize] + DVec3::new(next(), next(), next()) * size)
                        .collect();
                    let n = x.len();
                    let run = |e: &Elements| {
                        let (mut f, mut k) = (vec![DVec3::ZERO; n], vec![DMat3::ZERO; n * n]);
                        let energy = e.evaluate(0, &x, &[], Input::default(), &mut f, &mut k);
                        (energy, f, k)
                    };
                    let (a, b) = (run(&elements), run(&other));
                    assert!((a.0 - b.0).abs() < 1e-11 * b.0.max(1.0), "{} {}", a.0, b.0);
                    for (a, b) in a.1.iter().zip(&b.1) {
                        assert!((*a - *b).length() < 1e-10 * 1e3, "{a} {b}");
                    }
                    for (k, (a, b)) in a.2.iter().zip(&b.2).enumerate() {
                        assert!((*a - *b).to_cols_array().iter().all(|d| d.abs() < 1e-9 * 1e3), "{size} {k} {a} {b}");
                    }
                }
            }
        }
    }
}

//! State, permanent deformation, and what is shown: strain and stress at points.

use crate::elements::{Elements, Input};
use crate::law::Want;
use crate::law::stretches::Stretches;
use crate::plastic::STATE;
use glam::{DMat3, DVec3};

/// Strain and stress at an integration point.
///
/// ```
/// # use glam::DVec3;
/// # use taut_elements::{Cell, Elements, Input, Material, Mesh};
/// # let nodes = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
/// # let mesh = Mesh { nodes, cells: vec![Cell::tet4([0, 1, 2, 3])] };
/// # let elements = Elements::new(&mesh, &Material::new(1000.0, 1e5, 0.0)).unwrap();
/// let x = [DVec3::ZERO, DVec3::X * 1.1, DVec3::Y, DVec3::Z];
/// let output = elements.output(0, 0, &x, &elements.fresh_state(), Input::default());
/// assert!((output.stretches.x - 1.1).abs() < 1e-12 && (output.von_mises - 1e4).abs() < 1e-6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Output {
    /// Stress in space, Pa. Sheets and bars keep thickness and cross section in it.
    pub cauchy: DMat3,
    /// sqrt(3/2 s:s) of its deviator s, Pa.
    pub von_mises: f64,
    /// Principal stretches, the largest first; only as many as the element has dimensions.
    pub stretches: DVec3,
    /// Volume over that at rest; of a sheet its area, of a bar its length.
    pub j: f64,
    /// Energy per volume at rest without that of a volume patch, Pa.
    pub energy: f64,
    /// Sum of all plastic strain so far, -.
    pub plastic_strain: f64,
}

/// How far the determinant of a permanent deformation may be from 1: the rounding of a million flows.
const VOLUME_KEPT: f64 = 1e-6;

impl Elements {
    /// The state of unstressed elements: for each point of a plastic material F_p by columns and
    /// the sum of plastic strain; empty for other materials. Copying it is a snapshot.
    pub fn fresh_state(&self) -> Vec<f64> {
        if self.material.plasticity.is_none() {
            return Vec::new();
        }
        let one = DMat3::IDENTITY.to_cols_array();
        self.points.iter().flat_map(|_| one.into_iter().chain([0.0])).collect()
    }

    /// The first point whose permanent deformation in a state changes the volume, as no flow does, with its determinant.
    pub fn flattened(&self, state: &[f64]) -> Option<(usize, f64)> {
        let det = |q: usize| self.plastic_at(q, state).map_or(1.0, |f| f.determinant());
        (0..self.points.len()).map(|q| (q, det(q))).find(|(_, det)| !((det - 1.0).abs() < VOLUME_KEPT))
    }

    /// Strain and stress at point `point` of element e.
    pub fn output(&self, e: usize, point: usize, x: &[DVec3], state: &[f64], input: Input) -> Output {
        let block = &self.blocks[e];
        let (q, m) = (block.points.start + point, block.dimension);
        let Some(law) = self.laws[m - 1].as_ref().filter(|_| point < block.points.len()) else {
            return Output::NOTHING;
        };
        let given = self.given(block, x, state, input);
        let (result, inverse) = self.at_point(q, block, law, x, given, Want::Force);
        let f = self.gradient_at(q, x);
        let s = Stretches::new(f, m).svd.s;
        let j = [s.x, s.x * s.y, s.x * s.y * s.z][m - 1];
        let mut stress = inverse.map_or(result.stress, |inverse| result.stress * inverse);
        if given.row_pressure != 0.0 {
            stress += crate::plastic::cofactor(f) * given.row_pressure;
        }
        let cauchy = stress * f.transpose() * (1.0 / j);
        let plastic_strain = state.get(q * STATE + 9).copied().unwrap_or(0.0);
        let energy = result.psi - given.pressure * (j - 1.0);
        Output { cauchy, von_mises: von_mises(cauchy), stretches: s, j, energy, plastic_strain }
    }

    /// Lets element e flow for a time h (s) at the positions x, and gives the plastic work (J),
    /// which is not negative. To be called once after each step; without plasticity it does
    /// nothing.
    pub fn update_plastic(&self, e: usize, x: &[DVec3], h: f64, state: &mut [f64]) -> f64 {
        let block = &self.blocks[e];
        let (Some(plasticity), Some(law)) = (&self.material.plasticity, &self.laws[block.dimension - 1]) else {
            return 0.0;
        };
        let mut work = 0.0;
        for q in block.points.clone() {
            let Some(before) = self.plastic_at(q, state) else { continue };
            let Some((after, strain)) = plasticity.flow(self.gradient_at(q, x), before, h) else { continue };
            let energy = |state: &[f64]| {
                let given = self.given(block, x, state, Input::default());
                self.at_point(q, block, law, x, given, Want::Energy).0.psi * self.points[q].weight
            };
            let first = energy(state);
            state[q * STATE..q * STATE + 9].copy_from_slice(&after.to_cols_array());
            let lost = first - energy(state);
            // A flow that would gain energy is taken back.
            if lost >= 0.0 {
                work += lost;
                state[q * STATE + 9] += strain;
            } else {
                state[q * STATE..q * STATE + 9].copy_from_slice(&before.to_cols_array());
            }
        }
        work
    }
}

impl Output {
    const NOTHING: Output = Output {
        cauchy: DMat3::ZERO,
        von_mises: 0.0,
        stretches: DVec3::ZERO,
        j: 0.0,
        energy: 0.0,
        plastic_strain: 0.0,
    };
}

fn von_mises(s: DMat3) -> f64 {
    let mean = (s.x_axis.x + s.y_axis.y + s.z_axis.z) / 3.0;
    let deviator = s - DMat3::from_diagonal(DVec3::splat(mean));
    let square = deviator.x_axis.length_squared() + deviator.y_axis.length_squared() + deviator.z_axis.length_squared();
    (1.5 * square).sqrt()
}

//! Energy, forces and stiffness of one element.
//!
//! ```text
//! F = sum_a x_a G_a^T;   psi, P, C of the law at F F_p^-1, with the pressure p = kappa (Jbar - 1 - c) of the patch,
//! c = 0 until a cut has split it
//! f_a = - sum_q w P G_a,   K_ab = sum_q w G_a . C . G_b + kappa V q_a q_b^T,   q_a = dJbar/dx_a
//! ```
//! The pressure is added to the law before its tangent is made positive semi-definite: so the whole
//! stays both positive and near the true one.

mod corotational;

use crate::elements::{Block, Elements, Input, MAX_NODES, Point};
use crate::law::{self, Resolved, Want, fibre};
use crate::plastic::{self, STATE};
use glam::{DMat3, DVec3};

/// The mean dilatation of a group of cells, as a row of a constraint.
///
/// ```
/// # use glam::DVec3;
/// # use taut_elements::{Cell, Elements, Material, Mesh};
/// # let nodes = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
/// # let mesh = Mesh { nodes, cells: vec![Cell::tet4([0, 1, 2, 3])] };
/// let elements = Elements::new(&mesh, &Material::new(1000.0, 1e5, 0.5)).unwrap();
/// let mut gradient = [DVec3::ZERO; 4];
/// let row = elements.dilatation(0, elements.rest(), &mut gradient).unwrap();
/// assert_eq!((row.value, row.compliance, row.only_row), (0.0, 0.0, true));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dilatation {
    /// Jbar - 1: the change of volume over the volume at rest, less that at which it has no pressure.
    pub value: f64,
    /// 1/(kappa V), 1/J; 0 at nu = 0.5.
    pub compliance: f64,
    /// Whether energy and forces of the element leave this term to the row.
    pub only_row: bool,
}

/// What accompanies the positions.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a> {
    pub state: &'a [f64],
    pub input: Input,
    /// The pressure of the patch, Pa, and what of it enters the stiffness only.
    pub pressure: f64,
    pub row_pressure: f64,
}

/// Volume over that at rest below which a patch counts as crushed. A tangent from there ends within a sixth of the volume at rest.
const CRUSHED: f64 = 0.5;

impl Elements {
    /// Energy (J), forces (N) and stiffness (N/m) of element e at the positions `x` (m) of its
    /// nodes. `f` and `k` are overwritten: one force per node; K = -df/dx made positive
    /// semi-definite, node by node in blocks, row after row. The energy is infinite where the law
    /// refuses an inverted cell; forces are zero there. Does not allocate.
    pub fn evaluate(
        &self,
        e: usize,
        x: &[DVec3],
        state: &[f64],
        input: Input,
        f: &mut [DVec3],
        k: &mut [DMat3],
    ) -> f64 {
        self.run(e, x, (state, input), Want::Projected, Some(f), Some(k))
    }

    /// The same with K as it is, not projected: for checks.
    #[doc(hidden)]
    pub fn evaluate_exact(
        &self,
        e: usize,
        x: &[DVec3],
        state: &[f64],
        input: Input,
        f: &mut [DVec3],
        k: &mut [DMat3],
    ) -> f64 {
        self.run(e, x, (state, input), Want::Exact, Some(f), Some(k))
    }

    /// Energy (J) and forces (N) of element e.
    pub fn force(&self, e: usize, x: &[DVec3], state: &[f64], input: Input, f: &mut [DVec3]) -> f64 {
        self.run(e, x, (state, input), Want::Force, Some(f), None)
    }

    /// Energy of element e, J.
    pub fn energy(&self, e: usize, x: &[DVec3], state: &[f64], input: Input) -> f64 {
        self.run(e, x, (state, input), Want::Energy, None, None)
    }

    fn run(
        &self,
        e: usize,
        x: &[DVec3],
        (state, input): (&[f64], Input),
        want: Want,
        mut f: Option<&mut [DVec3]>,
        mut k: Option<&mut [DMat3]>,
    ) -> f64 {
        let block = &self.blocks[e];
        if let Some(bending) = &block.bending {
            return bending.evaluate(x, f, k);
        }
        let Some(law) = &self.laws[block.dimension - 1] else { return 0.0 };
        if let Some(numbers) = law.corotational().filter(|_| want != Want::Exact && self.is_plain(block, x.len())) {
            let energy = match (f.as_deref_mut(), k.as_deref_mut()) {
                (Some(f), Some(k)) => self.corotate_all(block, numbers, x, f, k),
                (f, _) => self.corotate(block, numbers, x, f),
            };
            if let Some(energy) = energy {
                return energy;
            }
        }
        f.iter_mut().for_each(|f| f.fill(DVec3::ZERO));
        k.iter_mut().for_each(|k| k.fill(DMat3::ZERO));
        let mut gradient = [DVec3::ZERO; MAX_NODES];
        let strain = if block.kappa > 0.0 { self.mean_dilatation(block, x, &mut gradient) } else { 0.0 };
        let (pressure, row_pressure) = block.pressures(strain, input);
        let given = Given { state, input, pressure, row_pressure };
        let mut energy = 0.0;
        for q in block.points.clone() {
            let (point, inverse) = self.at_point(q, block, law, x, given, want);
            let weight = self.points[q].weight;
            energy += weight * point.psi;
            if let Some(f) = &mut f {
                self.add_forces(q, &inverse, point.stress * weight, f);
            }
            if let Some(k) = &mut k {
                self.add_stiffness(q, (&inverse, block.dimension), &point.tangent, x.len(), k);
            }
        }
        if let Some(k) = k {
            let steps = if want == Want::Exact { 1.0 } else { self.secant(block, x, strain) };
            let kappa = if block.rows { 0.0 } else { block.kappa * block.volume * steps };
            finish(k, &gradient[..x.len()], kappa);
        }
        // sum w p (J - 1) = p V (Jbar - 1) is in the sum; p V (Jbar - 1 - c)/2 belongs there.
        energy - 0.5 * pressure * block.volume * (strain + block.free)
    }

    /// Energies of four elements, J, at once, to the bits of each alone; none where that cannot be done.
    pub fn energies(&self, e: [usize; 4], x: [&[DVec3]; 4]) -> Option<[f64; 4]> {
        let blocks = e.map(|e| &self.blocks[e]);
        let single =
            |(b, x): (&&Block, &&[DVec3])| b.bending.is_none() && b.points.len() == 1 && self.is_plain(b, x.len());
        let numbers = self.laws[2].as_ref().and_then(Resolved::corotational)?;
        if !blocks.iter().zip(&x).all(single) {
            return None;
        }
        let points = blocks.map(|b| b.points.start);
        taut_lanes::run(corotational::Energies { elements: self, points, numbers, x })
    }

    /// F at a point, m columns.
    #[inline(always)]
    pub(crate) fn gradient_at(&self, q: usize, x: &[DVec3]) -> DMat3 {
        let mut f = DMat3::ZERO;
        let range = self.points[q].gradients.clone();
        for (g, &a) in self.gradients[range.clone()].iter().zip(&self.local[range]) {
            let x = x[a as usize];
            f.x_axis += x * g.x;
            f.y_axis += x * g.y;
            f.z_axis += x * g.z;
        }
        f
    }

    /// F_p of a point; the identity without plasticity.
    pub(crate) fn plastic_at(&self, q: usize, state: &[f64]) -> Option<DMat3> {
        self.material.plasticity?;
        let s = state.get(q * STATE..q * STATE + 9)?;
        Some(DMat3::from_cols_slice(s))
    }

    /// The law at point q, and F_p^-T that turns its gradients into those of F_e.
    pub(crate) fn at_point(
        &self,
        q: usize,
        block: &Block,
        law: &Resolved,
        x: &[DVec3],
        given: Given,
        want: Want,
    ) -> (law::Point, Option<DMat3>) {
        let (mut f, m) = (self.gradient_at(q, x), block.dimension);
        let Point { fibre: mut along, .. } = self.points[q];
        let plastic = self.plastic_at(q, given.state);
        let inverse = plastic.map(plastic::inverse);
        if let (Some(inverse), Some(plastic)) = (inverse, plastic) {
            f *= inverse;
            along = plastic * along;
        }
        let mut point = law.at(f, m, given.pressure + given.row_pressure, want);
        if given.row_pressure != 0.0 {
            point.psi -= given.row_pressure * (f.determinant() - 1.0);
            point.stress -= plastic::cofactor(f) * given.row_pressure;
        }
        if let Some(fibre) = &self.material.fibre
            && given.input.activation != 0.0
        {
            fibre::add(&mut point, f, along, given.input.activation * fibre.stress, want);
        }
        (point, inverse.map(|inverse| inverse.transpose()))
    }

    /// f_a -= w P G_a.
    fn add_forces(&self, q: usize, inverse: &Option<DMat3>, stress: DMat3, f: &mut [DVec3]) {
        let range = self.points[q].gradients.clone();
        for (&g, &a) in self.gradients[range.clone()].iter().zip(&self.local[range]) {
            f[a as usize] -= stress * inverse.map_or(g, |inverse| inverse * g);
        }
    }

    /// K_ab += w G_a . C . G_b for b up to a, in the order of the point's gradients.
    fn add_stiffness(
        &self,
        q: usize,
        (inverse, m): (&Option<DMat3>, usize),
        tangent: &law::Tangent,
        nn: usize,
        k: &mut [DMat3],
    ) {
        let point = &self.points[q];
        let mut gradients = [DVec3::ZERO; MAX_NODES];
        let count = point.gradients.len();
        for (to, &g) in gradients.iter_mut().zip(&self.gradients[point.gradients.clone()]) {
            *to = inverse.map_or(g, |inverse| inverse * g);
        }
        let local = &self.local[point.gradients.clone()];
        for a in 0..count {
            let g = gradients[a] * point.weight;
            // Row a of w G C: one block for each column of F.
            let mut row = [DMat3::ZERO; 3];
            for d in 0..m {
                for c in 0..m {
                    row[d] += tangent[c][d] * g[c];
                }
            }
            for b in 0..=a {
                let mut block = row[0] * gradients[b].x;
                for d in 1..m {
                    block += row[d] * gradients[b][d];
                }
                let (i, j) = (local[a] as usize, local[b] as usize);
                // Blocks are kept below the diagonal until all points are in.
                if i >= j {
                    k[i * nn + j] += block;
                } else {
                    k[j * nn + i] += block.transpose();
                }
            }
        }
    }

    /// Jbar - 1 and its gradient.
    pub(crate) fn mean_dilatation(&self, block: &Block, x: &[DVec3], gradient: &mut [DVec3]) -> f64 {
        let mut sum = 0.0;
        for q in block.points.clone() {
            let f = self.gradient_at(q, x);
            let share = self.points[q].weight / block.volume;
            sum += share * (f.determinant() - 1.0);
            let cofactor = plastic::cofactor(f) * share;
            let range = self.points[q].gradients.clone();
            for (&g, &a) in self.gradients[range.clone()].iter().zip(&self.local[range]) {
                gradient[a as usize] += cofactor * g;
            }
        }
        sum
    }

    /// What the stiffness kappa V q q^T of a crushed patch is multiplied by, so that a step along q ends near its volume at rest.
    ///
    /// J is cubic in the stretch: from an even stretch s the tangent would lead to s + (1 - s^3)/(3 s^2), far beyond 1 where s is small.
    /// The secant leads there: (1 + s + s^2)/(3 s^2) times the tangent. With the mean norm c of the cofactors in the place of
    /// sqrt(3) s^2 it leaves alone what is flat, along whose normal J is linear. Inside out the way is 1 - J.
    fn secant(&self, block: &Block, x: &[DVec3], strain: f64) -> f64 {
        let j = 1.0 + strain;
        if j >= CRUSHED {
            return 1.0;
        }
        let norm = |f: DMat3| f.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt();
        let share = |q: usize| self.points[q].weight / block.volume;
        let c: f64 = block.points.clone().map(|q| share(q) * norm(plastic::cofactor(self.gradient_at(q, x)))).sum();
        let s = libm::cbrt(j.max(0.0));
        let way = if j > 0.0 { 1.0 + s + s * s } else { 1.0 - j };
        let more = way / (3f64.sqrt() * c);
        if more.is_finite() { more.max(1.0) } else { 1.0 }
    }

    /// The mean dilatation of element e and its gradient by the nodes (1/m), where it has a volume
    /// patch.
    pub fn dilatation(&self, e: usize, x: &[DVec3], gradient: &mut [DVec3]) -> Option<Dilatation> {
        let block = &self.blocks[e];
        if !(block.kappa > 0.0) {
            return None;
        }
        gradient.fill(DVec3::ZERO);
        let value = self.mean_dilatation(block, x, gradient) - block.free;
        Some(Dilatation { value, compliance: 1.0 / (block.kappa * block.volume), only_row: block.rows })
    }

    /// The pressures at mean dilatation for outputs and updates.
    pub(crate) fn given<'a>(&self, block: &Block, x: &[DVec3], state: &'a [f64], input: Input) -> Given<'a> {
        let mut gradient = [DVec3::ZERO; MAX_NODES];
        let strain = if block.kappa > 0.0 { self.mean_dilatation(block, x, &mut gradient) } else { 0.0 };
        let (pressure, row_pressure) = block.pressures(strain, input);
        Given { state, input, pressure, row_pressure }
    }
}

impl Block {
    /// The pressure of the patch's energy and that of its row, Pa; one of them is zero.
    fn pressures(&self, strain: f64, input: Input) -> (f64, f64) {
        match (self.kappa > 0.0, self.rows) {
            (false, _) => (0.0, 0.0),
            (true, false) => (self.kappa * (strain - self.free), 0.0),
            (true, true) => (0.0, input.pressure),
        }
    }
}

/// Adds kappa V q q^T and copies the lower blocks up, so that K is symmetric to the bit.
fn finish(k: &mut [DMat3], q: &[DVec3], kappa: f64) {
    let nn = q.len();
    for a in 0..nn {
        for b in 0..=a {
            if kappa > 0.0 {
                let left = q[a] * kappa;
                k[a * nn + b] += DMat3::from_cols(left * q[b].x, left * q[b].y, left * q[b].z);
            }
            if a == b {
                let block = k[a * nn + a];
                k[a * nn + a] = (block + block.transpose()) * 0.5;
            } else {
                k[b * nn + a] = k[a * nn + b].transpose();
            }
        }
    }
}

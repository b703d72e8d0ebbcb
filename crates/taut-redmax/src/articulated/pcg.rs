//! Conjugate gradients on the reduced system, with an elimination of a simpler matrix as preconditioner.
//!
//! ```text
//! P = J^T (blkdiag(h) + sum over exact pairs of g g^T + sum over the others of blkdiag(g g^T)) J + A
//! no pair exact: projected block Jacobi (Baxter, RedMax, Eq. 3.1)      all exact: P is the matrix
//! g g^T <= 2 blkdiag(g g^T), hence the eigenvalues of P^-1 (J^T H J + A) are at most 2
//! stop: |r| <= tolerance |b| in the norm of P^-1, which is free (r . z)
//! ```
//!
//! Partial-exact: the pairs nearest to their common ancestor are exact, as many classes of equal distance as a front of
//! [`FRONT`] bodies takes; P stays positive definite whatever is chosen.
//!
//! Departs from the paper: the residual is relative to b, not to the first residual, so that a good start saves iterations.

use super::eliminate::Elimination;
use super::product::{add_joint_terms, momentum, to_joints, velocities};
use super::spatial::axpy;
use super::sweep::Work;
use super::symbolic::{Cost, Limit, Plan};
use super::{Fault, Load, Motion, NONE, Structure, Treatment, Twist, Values};

/// Largest front of the partial-exact preconditioner, bodies. More costs more per iteration than it saves.
pub const FRONT: usize = 12;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// |r| / |b| in the norm of P^-1.
    pub tolerance: f64,
    /// Most iterations.
    pub max_iterations: usize,
}

impl Default for Params {
    fn default() -> Self {
        Params { tolerance: 1e-6, max_iterations: 1000 }
    }
}

/// What an iterative solve did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PcgInfo {
    /// Products with the matrix in the iteration.
    pub iterations: usize,
    /// |r| / |b| in the norm of P^-1 at the end.
    pub residual: f64,
    /// Whether the tolerance was reached.
    pub converged: bool,
}

/// The iteration with its preconditioner and work memory.
#[derive(Clone, Debug, Default)]
pub struct Pcg {
    pre: Elimination,
    product_cost: f64,
    work: Work,
    b: Vec<f64>,
    r: Vec<f64>,
    p: Vec<f64>,
    ap: Vec<f64>,
    /// J p.
    pv: Vec<Twist>,
    w: Vec<Twist>,
    z: Motion,
}

impl Pcg {
    /// With the given treatment of each pair in the preconditioner.
    pub fn new(s: &Structure, treatment: &[Treatment]) -> Self {
        Self::with_plan(Plan::best(s, treatment, Limit::FREE).unwrap_or_default())
    }

    /// With a plan for the preconditioner.
    pub fn with_plan(plan: Plan) -> Self {
        let pre = Elimination::with_plan(plan);
        let s = &pre.structure;
        Pcg {
            product_cost: super::product::cost(s) + (24 * s.len() + 8 * s.dofs()) as f64,
            b: vec![0.0; s.dofs()],
            r: vec![0.0; s.dofs()],
            p: vec![0.0; s.dofs()],
            ap: vec![0.0; s.dofs()],
            pv: vec![[0.0; 6]; s.len()],
            w: vec![[0.0; 6]; s.len()],
            work: Work::default(),
            z: Motion::default(),
            pre,
        }
    }

    /// All pairs by their diagonal blocks.
    pub fn block_jacobi(s: &Structure) -> Self {
        Self::new(s, &vec![Treatment::Diagonal; s.pairs().len()])
    }

    /// As many pairs exact as a front of `front` bodies takes.
    pub fn partial_exact(s: &Structure, front: usize) -> Self {
        Self::with_plan(partial_plan(s, front))
    }

    /// Work of the preconditioner.
    pub fn cost(&self) -> Cost {
        self.pre.cost()
    }

    /// Operations of one iteration.
    pub fn iteration_cost(&self) -> f64 {
        self.pre.cost().solve + self.product_cost
    }

    /// The preconditioner.
    pub fn preconditioner(&self) -> &Elimination {
        &self.pre
    }

    /// Factors the preconditioner.
    pub fn factor(&mut self, values: &Values) -> Result<(), Fault> {
        self.pre.factor(values)
    }

    /// Solves with the values the preconditioner was factored with (or close ones), from `out.y` on.
    pub fn solve(&mut self, values: &Values, load: &Load, params: &Params, out: &mut Motion) -> Result<PcgInfo, Fault> {
        if !self.pre.factored {
            return Err(Fault::NotFactored);
        }
        values.check(&self.pre.structure)?;
        load.check(&self.pre.structure)?;
        out.resize(&self.pre.structure);
        let bb = self.start(values, load, out)?;
        let mut rz = self.precondition()?;
        let bb = bb.unwrap_or(rz);
        if bb == 0.0 {
            out.y.fill(0.0);
            out.v.fill([0.0; 6]);
            return Ok(PcgInfo { converged: true, ..Default::default() });
        }
        let bound = params.tolerance * params.tolerance * bb;
        self.p.copy_from_slice(&self.z.y);
        self.pv.copy_from_slice(&self.z.v);
        let mut iterations = 0;
        while rz > bound && iterations < params.max_iterations {
            iterations += 1;
            self.product(values);
            let curvature = inner(&self.p, &self.ap);
            if !(curvature > 0.0) {
                return Err(Fault::Curvature { value: curvature });
            }
            let alpha = rz / curvature;
            step(&mut out.y, alpha, &self.p);
            step(&mut self.r, -alpha, &self.ap);
            let next = self.precondition()?;
            self.turn(next / rz);
            rz = next;
        }
        velocities(&self.pre.structure, values, &out.y, &mut out.v);
        Ok(PcgInfo { iterations, residual: (rz / bb).sqrt(), converged: rz <= bound })
    }

    /// b and the first residual; |b|^2 where the start is not zero (then the first r . z is not it).
    fn start(&mut self, values: &Values, load: &Load, out: &Motion) -> Result<Option<f64>, Fault> {
        let s = &self.pre.structure;
        self.b.fill(0.0);
        if !load.body.is_empty() {
            self.w.copy_from_slice(load.body);
            to_joints(s, values, &mut self.w, &mut self.b);
        }
        if !load.joint.is_empty() {
            step(&mut self.b, 1.0, load.joint);
        }
        self.r.copy_from_slice(&self.b);
        if out.y.iter().all(|&y| y == 0.0) {
            return Ok(None);
        }
        let norm = self.precondition()?;
        self.p.copy_from_slice(&out.y);
        velocities(&self.pre.structure, values, &out.y, &mut self.pv);
        self.product(values);
        step(&mut self.r, -1.0, &self.ap);
        Ok(Some(norm))
    }

    /// z = P^-1 r; returns r . z.
    fn precondition(&mut self) -> Result<f64, Fault> {
        self.pre.solve(&Load { joint: &self.r, body: &[] }, &mut self.z, &mut self.work)?;
        Ok(inner(&self.r, &self.z.y))
    }

    /// ap = (J^T H J + A) p from p and pv = J p.
    fn product(&mut self, values: &Values) {
        let s = &self.pre.structure;
        momentum(s, values, &self.pv, &mut self.w);
        to_joints(s, values, &mut self.w, &mut self.ap);
        add_joint_terms(s, values, &self.p, &mut self.ap);
    }

    /// p = z + beta p, and the same for J p: no sweep needed.
    fn turn(&mut self, beta: f64) {
        for (p, z) in self.p.iter_mut().zip(&self.z.y) {
            *p = z + beta * *p;
        }
        for (p, z) in self.pv.iter_mut().zip(&self.z.v) {
            let mut next = *z;
            axpy(&mut next, beta, p);
            *p = next;
        }
    }
}

/// The order of the partial-exact preconditioner: all pairs exact up to the largest distance that the front takes.
pub fn partial_plan(s: &Structure, front: usize) -> Plan {
    let distances: Vec<Option<usize>> = (0..s.pairs().len()).map(|at| distance(s, at)).collect();
    let mut classes: Vec<usize> = distances.iter().flatten().copied().collect();
    classes.sort_unstable();
    classes.dedup();
    let within = |far: usize, limit: Limit| {
        let exact = |d: &Option<usize>| d.is_none_or(|d| d < far);
        let treatment: Vec<Treatment> =
            distances.iter().map(|d| if exact(d) { Treatment::Exact } else { Treatment::Diagonal }).collect();
        Plan::best(s, &treatment, limit)
    };
    let mut plan = within(0, Limit::FREE).unwrap_or_default();
    // Bisection; the first try is all of them.
    let (mut fits, mut fails) = (0, classes.len() + 1);
    let mut next = classes.len();
    while fits + 1 < fails {
        match within(classes[next - 1] + 1, Limit { front, ..Limit::FREE }) {
            Some(found) => (plan, fits) = (found, next),
            None => fails = next,
        }
        next = fits.midpoint(fails);
    }
    plan
}

/// Joints from the farther body of a pair to the common ancestor (the ground, if there is none); `None` where nothing moves
/// or both are one.
fn distance(s: &Structure, pair: usize) -> Option<usize> {
    let (mut a, mut b) = s.ends(pair);
    if a == NONE || b == NONE || a == b {
        return None;
    }
    let (mut up_a, mut up_b) = (0, 0);
    // Parents come first: the later of the two cannot be the ancestor of the other.
    while a != b {
        if b == NONE || (a != NONE && a > b) {
            a = s.carrier(a);
            up_a += 1;
        } else {
            b = s.carrier(b);
            up_b += 1;
        }
    }
    Some(up_a.max(up_b))
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn step(x: &mut [f64], s: f64, d: &[f64]) {
    for (x, d) in x.iter_mut().zip(d) {
        *x += s * d;
    }
}

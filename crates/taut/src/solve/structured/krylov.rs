//! Conjugate gradients and conjugate residuals for A x = b, A symmetric and positive semi-definite, with a preconditioner P that is
//! symmetric and positive semi-definite (zero on what is to be left alone). One product with A per iteration.
//!
//! ```text
//! start      x <- (b . x / x . A x) x,  r = b - A x,  z = P r,  then along the directions that are kept (`basis`)
//! step       p = z,  A p = A z, both made orthogonal to the directions that are kept and scaled to A p . t = 1
//! gradients  t = p,        a = r . t,  x += a p,  r -= a A p,  z = P r
//! residuals  t = P A p,    a = r . t,  x += a p,  r -= a A p,  z -= a t
//! ```
//! Gradients make the A-norm of the error smallest (Hestenes and Stiefel 1952), residuals the norm sqrt(r . P r) of the residual, which
//! never grows (Stiefel 1955; the iterates of MINRES). With both, x . A x/2 - b . x falls with every step (Fong and Saunders 2012) from a
//! start at which it is not positive: where b is what free velocities do to the rows, that is kinetic energy, so iterations that are
//! cut short never add any. The norm of the residual is the measure of both. A direction in which A does nothing while
//! the residual is not zero means that b is not in the range of A: rows contradict each other, and x is a least-squares solution.

use super::basis::{Basis, dot, subtract};
use super::budget::Meter;

/// A matrix-free product: reads the first slice, overwrites the second.
pub type Product<'a> = dyn FnMut(&[f64], &mut [f64]) + 'a;

/// A and P.
pub type Products<'a> = (&'a mut Product<'a>, &'a mut Product<'a>);

/// How to iterate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopMethod {
    /// Conjugate gradients.
    Gradients,
    /// Conjugate residuals: the residual falls monotonically, and redundant or contradicting rows are no harm.
    Residuals,
}

/// Why the iterations ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The tolerance was reached.
    Reached,
    /// The budget was spent.
    Spent,
    /// No direction is left that makes the residual smaller.
    Stalled,
}

/// What a solve did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoopInfo {
    /// Products with A, without the one that a start value costs.
    pub iterations: usize,
    /// sqrt(r . P r) over that of b, by recurrence.
    pub residual: f64,
    /// Why it ended.
    pub end: End,
}

/// The vectors of a solve, and the directions kept between solves with the same matrix.
#[derive(Clone, Debug, Default)]
pub struct Krylov {
    r: Vec<f64>,
    z: Vec<f64>,
    p: Vec<f64>,
    ap: Vec<f64>,
    t: Vec<f64>,
    steps: Vec<f64>,
    basis: Basis,
    /// What the directions belong to.
    kept: Option<(LoopMethod, usize)>,
}

/// z . A z below this part of |z| |A z| is rounding.
const NOTHING: f64 = 1e-15;
/// The residual has stalled when it fell by less than this part in so many iterations.
const SLOW: f64 = 1e-3;
const PATIENCE: usize = 50;

impl Krylov {
    /// Forgets all directions: the matrix has changed.
    pub fn forget(&mut self) {
        self.kept = None;
    }

    /// Memory for a solve; directions of another method or another matrix are forgotten.
    fn prepare(&mut self, method: LoopMethod, matrix: usize, n: usize) {
        if self.kept != Some((method, matrix)) || self.basis.size() != n {
            self.basis.clear(n);
            self.kept = Some((method, matrix));
        }
        for v in [&mut self.r, &mut self.z, &mut self.p, &mut self.ap, &mut self.t] {
            v.clear();
            v.resize(n, 0.0);
        }
        self.steps.clear();
        self.steps.reserve(n);
    }
}

/// A system to solve.
pub struct System<'a> {
    /// Its matrix and preconditioner.
    pub products: Products<'a>,
    /// A number that tells the matrix from others that are solved in between: directions are kept until `Krylov::forget`.
    pub matrix: usize,
    /// The right-hand side.
    pub b: &'a [f64],
}

/// Solves A x = b from the start value in `x` until sqrt(r . P r) is at most `tolerance` times that of b, or the meter says stop.
pub fn solve_loops(
    method: LoopMethod,
    System { products: (apply, precondition), matrix, b }: System<'_>,
    x: &mut [f64],
    tolerance: f64,
    meter: &mut Meter,
    work: &mut Krylov,
) -> LoopInfo {
    work.prepare(method, matrix, b.len());
    precondition(b, &mut work.z);
    let scale = dot(b, &work.z);
    let ended = |iterations, rr: f64, end| LoopInfo { iterations, residual: relative(rr, scale), end };
    if !(scale > 0.0) {
        x.fill(0.0);
        return ended(0, 0.0, End::Reached);
    }
    work.r.copy_from_slice(b);
    if x.iter().any(|&x| x != 0.0) {
        // The multiple of the start that does best: x . A x/2 - b . x is then at most zero, so that it cannot be worse than none.
        apply(x, &mut work.ap);
        let best = (dot(b, x) / dot(x, &work.ap)).max(0.0);
        let best = if best.is_finite() { best } else { 0.0 };
        x.iter_mut().for_each(|x| *x *= best);
        subtract(best, &work.ap, &mut work.r);
    }
    work.basis.follow(b, x, &mut work.r, &mut work.steps);
    precondition(&work.r, &mut work.z);
    let mut size = dot(&work.r, &work.z);
    let target = tolerance * tolerance * scale;
    let (mut mark, mut iterations) = (size, 0);
    loop {
        if size <= target {
            return ended(iterations, size, End::Reached);
        }
        if iterations > 0 && iterations % PATIENCE == 0 {
            if method == LoopMethod::Residuals && size > (1.0 - SLOW) * mark {
                return ended(iterations, size, End::Stalled);
            }
            mark = size;
        }
        if !meter.begin() {
            return ended(iterations, size, End::Spent);
        }
        iterations += 1;
        match step(method, apply, precondition, x, work) {
            Some(next) => size = next,
            None => return ended(iterations, size, End::Stalled),
        }
    }
}

/// One step; r . z after it, or none when there is no direction left.
fn step(
    method: LoopMethod,
    apply: &mut Product<'_>,
    precondition: &mut Product<'_>,
    x: &mut [f64],
    w: &mut Krylov,
) -> Option<f64> {
    w.p.copy_from_slice(&w.z);
    apply(&w.p, &mut w.ap);
    if !(dot(&w.p, &w.ap) > NOTHING * norm(&w.p) * norm(&w.ap)) {
        return None;
    }
    w.basis.reduce(&mut w.p, &mut w.ap);
    match method {
        LoopMethod::Gradients => w.t.copy_from_slice(&w.p),
        LoopMethod::Residuals => precondition(&w.ap, &mut w.t),
    }
    let length = dot(&w.ap, &w.t);
    if !(length > 0.0) {
        return None;
    }
    let scale = 1.0 / length.sqrt();
    for v in [&mut w.p, &mut w.ap, &mut w.t] {
        v.iter_mut().for_each(|v| *v *= scale);
    }
    w.basis.push(&w.p, &w.ap, &w.t);
    let a = dot(&w.r, &w.t);
    subtract(-a, &w.p, x);
    subtract(a, &w.ap, &mut w.r);
    match method {
        LoopMethod::Gradients => precondition(&w.r, &mut w.z),
        LoopMethod::Residuals => subtract(a, &w.t, &mut w.z),
    }
    Some(dot(&w.r, &w.z).max(0.0))
}

fn relative(size: f64, scale: f64) -> f64 {
    if scale > 0.0 { (size / scale).sqrt() } else { 0.0 }
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

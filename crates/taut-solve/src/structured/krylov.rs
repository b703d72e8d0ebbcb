//! Conjugate gradients and conjugate residuals for A x = b, A symmetric and positive semi-definite, with a preconditioner P that is
//! symmetric and positive semi-definite (zero on what is to be left alone). One product with A per iteration.
//!
//! ```text
//! start      x <- (b . x / x . A x) x,  r = b - A x,  z = P r
//! gradients  p = z + (rz / rz_old) p,   a = rz / (p . A p),   x += a p,  r -= a A p,  z = P r,           rz = r . z
//! residuals  p = z + (zAz / zAz_old) p, A p = A z + (zAz / zAz_old) A p,   q = P A p,   a = zAz / (A p . q),
//!            x += a p,  r -= a A p,  z -= a q                                                        zAz = z . A z
//! ```
//! `cg` makes the A-norm of the error smallest (Hestenes and Stiefel 1952), `residuals` the norm sqrt(r . P r) of the residual, which
//! never grows (Stiefel 1955; the iterates of MINRES). With both, x . A x/2 - b . x falls with every step (Fong and Saunders 2012) from a
//! start at which it is not positive: where b is what free velocities do to the rows, that is kinetic energy, so iterations that are
//! cut short never add any. The norm of the residual is the measure of both. A direction in which A does nothing while
//! the residual is not zero means that b is not in the range of A: rows contradict each other, and x is a least-squares solution.

use super::budget::Meter;
use crate::tuning::T;

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

/// The vectors of a solve, kept between solves.
#[derive(Clone, Debug, Default)]
pub struct Krylov {
    r: Vec<f64>,
    z: Vec<f64>,
    p: Vec<f64>,
    ap: Vec<f64>,
    az: Vec<f64>,
    q: Vec<f64>,
}

impl Krylov {
    fn resize(&mut self, n: usize) {
        let Krylov { r, z, p, ap, az, q } = self;
        for v in [r, z, p, ap, az, q] {
            v.clear();
            v.resize(n, 0.0);
        }
    }
}

/// Solves A x = b from the start value in `x` until sqrt(r . P r) is at most `tolerance` times that of b, or the meter says stop.
pub fn solve_loops(
    method: LoopMethod,
    (apply, precondition): Products<'_>,
    b: &[f64],
    x: &mut [f64],
    tolerance: f64,
    meter: &mut Meter,
    work: &mut Krylov,
) -> LoopInfo {
    work.resize(b.len());
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
        apply(x, &mut work.az);
        let best = (dot(b, x) / dot(x, &work.az)).max(0.0);
        let best = if best.is_finite() { best } else { 0.0 };
        x.iter_mut().for_each(|x| *x *= best);
        subtract(best, &work.az, &mut work.r);
    }
    precondition(&work.r, &mut work.z);
    let mut size = dot(&work.r, &work.z);
    let target = tolerance * tolerance * scale;
    let (mut before, mut mark, mut iterations) = (0.0, size, 0);
    loop {
        if size <= target {
            return ended(iterations, size, End::Reached);
        }
        if iterations > 0 && iterations % T.loops.patience == 0 {
            if method == LoopMethod::Residuals && size > (1.0 - T.loops.slow) * mark {
                return ended(iterations, size, End::Stalled);
            }
            mark = size;
        }
        if !meter.begin() {
            return ended(iterations, size, End::Spent);
        }
        iterations += 1;
        let step = match method {
            LoopMethod::Gradients => gradient(apply, precondition, x, size, &mut before, work),
            LoopMethod::Residuals => residual(apply, precondition, x, &mut before, work),
        };
        match step {
            Some(next) => size = next,
            None => return ended(iterations, size, End::Stalled),
        }
    }
}

/// One step of conjugate gradients; r . z after it, or none when there is no direction left.
fn gradient(
    apply: &mut Product<'_>,
    precondition: &mut Product<'_>,
    x: &mut [f64],
    rz: f64,
    before: &mut f64,
    w: &mut Krylov,
) -> Option<f64> {
    let beta = if *before > 0.0 { rz / *before } else { 0.0 };
    extend(&w.z, beta, &mut w.p);
    apply(&w.p, &mut w.ap);
    let bend = dot(&w.p, &w.ap);
    if !(bend > T.loops.nothing * norm(&w.p) * norm(&w.ap)) {
        return None;
    }
    let a = rz / bend;
    subtract(-a, &w.p, x);
    subtract(a, &w.ap, &mut w.r);
    precondition(&w.r, &mut w.z);
    *before = rz;
    Some(dot(&w.r, &w.z))
}

/// One step of conjugate residuals; r . z after it, or none when there is no direction left.
fn residual(
    apply: &mut Product<'_>,
    precondition: &mut Product<'_>,
    x: &mut [f64],
    before: &mut f64,
    w: &mut Krylov,
) -> Option<f64> {
    apply(&w.z, &mut w.az);
    let bend = dot(&w.z, &w.az);
    if !(bend > T.loops.nothing * norm(&w.z) * norm(&w.az)) {
        return None;
    }
    let beta = if *before > 0.0 { bend / *before } else { 0.0 };
    extend(&w.z, beta, &mut w.p);
    extend(&w.az, beta, &mut w.ap);
    precondition(&w.ap, &mut w.q);
    let length = dot(&w.ap, &w.q);
    if !(length > 0.0) {
        return None;
    }
    let a = bend / length;
    subtract(-a, &w.p, x);
    subtract(a, &w.ap, &mut w.r);
    subtract(a, &w.q, &mut w.z);
    *before = bend;
    Some(dot(&w.r, &w.z).max(0.0))
}

fn relative(size: f64, scale: f64) -> f64 {
    if scale > 0.0 { (size / scale).sqrt() } else { 0.0 }
}

/// p = z + beta p.
fn extend(z: &[f64], beta: f64, p: &mut [f64]) {
    for (p, z) in p.iter_mut().zip(z) {
        *p = z + beta * *p;
    }
}

/// y -= a x.
fn subtract(a: f64, x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y -= a * x;
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |s, (a, b)| s + a * b)
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

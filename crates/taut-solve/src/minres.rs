//! Preconditioned MINRES (Paige and Saunders 1975) for A x = b, A symmetric and possibly indefinite
//! or singular; A and the preconditioner P (symmetric positive definite, P ~ |A|^-1) are closures.
//!
//! ```text
//! start      r = b - A x,  rho = |r|_2,  u_1 = r / rho,  z_1 = P u_1,  beta_1^2 = u_1 . z_1
//! Lanczos    v = z_k / beta_k                alpha_k = v . A v
//!            u_(k+1) = A v - (alpha_k / beta_k) u_k - (beta_k / beta_(k-1)) u_(k-1)
//!            z_(k+1) = P u_(k+1)             beta_(k+1)^2 = u_(k+1) . z_(k+1)
//! rotation   delta = c dbar + s alpha_k      gbar = s dbar - c alpha_k
//!            eps' = s beta_(k+1)             dbar' = -c beta_(k+1)
//!            gamma = sqrt(gbar^2 + beta_(k+1)^2),  c = gbar / gamma,  s = beta_(k+1) / gamma
//! update     phi = c phibar                  phibar' = s phibar       (phibar_1 = beta_1)
//!            w_k = (v - eps w_(k-2) - delta w_(k-1)) / gamma,         x += rho phi w_k
//!            t_k = s^2 t_(k-1) - c phibar' u_(k+1) / beta_(k+1)       (t_0 = u_1)
//! ```
//!
//! rho t_k equals b - A x in exact arithmetic, so rho |t_k|_2 estimates the 2-norm of the residual
//! although MINRES with P minimises its P-norm. When the estimate passes, b - A x is computed; if
//! that does not pass, the method restarts from x. A run also ends when the Krylov space is
//! exhausted (beta_(k+1) = 0 to rounding) or x is a least-squares solution, A r = 0 to rounding:
//! sqrt(gbar^2 + dbar'^2) <= eps_machine |T|.
//!
//! The right-hand side may have any scale; alpha and beta should lie between 1e-150 and 1e150.

use std::fmt;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MinresParams {
    /// Largest number of Lanczos steps over all restarts; each applies A and P once.
    pub max_iterations: usize,
    /// Largest accepted |b - A x| / |b|, 2-norms, dimensionless.
    pub tolerance: f64,
}

impl Default for MinresParams {
    fn default() -> Self {
        Self { max_iterations: 10_000, tolerance: 1e-10 }
    }
}

/// What a converged solve took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MinresInfo {
    /// Lanczos steps over all restarts.
    pub iterations: usize,
    /// True relative residual |b - A x| / |b|, dimensionless.
    pub residual: f64,
    /// Restarts: runs after the first.
    pub restarts: usize,
}

/// Why there is no solution; `x` then holds the checked iterate with the smallest true residual.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MinresError {
    /// The iterations are used up, or a restart did not reduce the true residual.
    NotConverged {
        /// Lanczos steps over all restarts.
        iterations: usize,
        /// True relative residual |b - A x| / |b| of the returned `x`, dimensionless.
        residual: f64,
    },
    /// r . P r is not positive for a vector r that is not zero.
    PreconditionerNotPositive {
        /// The value r . P r.
        value: f64,
    },
    /// The right-hand side, the start value or a product with A or P is not finite.
    NotFinite,
    /// The right-hand side and the unknown differ in length; `x` is untouched.
    Size {
        /// Length of `b`.
        b: usize,
        /// Length of `x`.
        x: usize,
    },
}

impl fmt::Display for MinresError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotConverged { iterations, residual } => {
                write!(f, "MINRES not converged: relative residual {residual:e} after {iterations} iterations")
            }
            Self::PreconditionerNotPositive { value } => {
                write!(f, "MINRES preconditioner not positive definite: r.Pr = {value:e}")
            }
            Self::NotFinite => write!(f, "MINRES met a value that is not finite"),
            Self::Size { b, x } => write!(f, "MINRES: b has {b} entries but x has {x}"),
        }
    }
}

impl std::error::Error for MinresError {}

/// The vectors of a solve, kept between solves.
#[derive(Clone, Debug, Default)]
pub struct MinresWork {
    /// t: the residual by recurrence, and b - A x at a check.
    residual: Vec<f64>,
    /// u_(k-1), u_k and A v, which becomes u_(k+1).
    u_old: Vec<f64>,
    u: Vec<f64>,
    u_new: Vec<f64>,
    /// z_k, scaled in place to v.
    v: Vec<f64>,
    w_older: Vec<f64>,
    w_old: Vec<f64>,
    best: Vec<f64>,
}

impl MinresWork {
    /// Empty; the first solve (or [`MinresWork::resize`]) allocates.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives every vector n entries; allocates only when n exceeds every earlier n. [`minres`]
    /// calls it itself.
    pub fn resize(&mut self, n: usize) {
        let Self { residual, u_old, u, u_new, v, w_older, w_old, best } = self;
        for vector in [residual, u_old, u, u_new, v, w_older, w_old, best] {
            vector.resize(n, 0.0);
        }
    }
}

/// A matrix-free product: reads the first slice, overwrites the second, both of length n.
pub type Product<'a> = dyn FnMut(&[f64], &mut [f64]) + 'a;

/// The preconditioner P = 1: copies `r` to `z`.
pub fn unpreconditioned(r: &[f64], z: &mut [f64]) {
    z.iter_mut().zip(r).for_each(|(z, r)| *z = *r);
}

/// Solves A x = b from the start value in `x`. `apply` computes A times its first argument,
/// `precondition` P times it; see the head of this file. A zero `b` gives `x` = 0.
pub fn minres(
    apply: &mut Product<'_>,
    precondition: &mut Product<'_>,
    b: &[f64],
    x: &mut [f64],
    params: &MinresParams,
    work: &mut MinresWork,
) -> Result<MinresInfo, MinresError> {
    if b.len() != x.len() {
        return Err(MinresError::Size { b: b.len(), x: x.len() });
    }
    let b_norm = norm(b);
    if b_norm == 0.0 {
        x.fill(0.0);
        return Ok(MinresInfo { iterations: 0, residual: 0.0, restarts: 0 });
    }
    work.resize(b.len());
    let mut rho = true_residual(apply, b, x, &mut work.residual);
    if !(b_norm.is_finite() && rho.is_finite()) {
        return Err(MinresError::NotFinite);
    }
    let mut iterations = 0;
    let mut runs = 0;
    loop {
        let residual = rho / b_norm;
        if residual <= params.tolerance {
            return Ok(MinresInfo { iterations, residual, restarts: usize::saturating_sub(runs, 1) });
        }
        if iterations >= params.max_iterations {
            return Err(MinresError::NotConverged { iterations, residual });
        }
        runs += 1;
        work.best.copy_from_slice(x);
        let budget = params.max_iterations - iterations;
        // The estimate falls from 1 to this: no run gains more than the precision of f64.
        let target = (params.tolerance * (b_norm / rho)).max(f64::EPSILON);
        let run = run(apply, precondition, rho, target, budget, x, work);
        iterations += run.inspect_err(|_| x.copy_from_slice(&work.best))?;
        let reached = true_residual(apply, b, x, &mut work.residual);
        if reached.is_nan() || reached >= rho {
            x.copy_from_slice(&work.best);
            return Err(if reached.is_finite() {
                MinresError::NotConverged { iterations, residual }
            } else {
                MinresError::NotFinite
            });
        }
        rho = reached;
    }
}

/// One run from the residual in `work.residual` (2-norm rho) until the estimate |t| is at most
/// `target`, the space is exhausted or `budget` steps are done; returns the number of steps.
fn run(
    apply: &mut Product<'_>,
    precondition: &mut Product<'_>,
    rho: f64,
    target: f64,
    budget: usize,
    x: &mut [f64],
    work: &mut MinresWork,
) -> Result<usize, MinresError> {
    let MinresWork { residual: t, u_old, u, u_new, v, w_older, w_old, .. } = work;
    t.iter_mut().for_each(|t| *t /= rho);
    u.copy_from_slice(t);
    u_old.fill(0.0);
    w_older.fill(0.0);
    w_old.fill(0.0);
    precondition(u, v);
    let mut beta = energy(u, v)?;
    if beta == 0.0 {
        return Err(MinresError::PreconditionerNotPositive { value: dot(u, v) });
    }
    let mut beta_over_old = 0.0;
    let (mut c, mut s, mut dbar, mut eps, mut phibar) = (-1.0, 0.0, 0.0, 0.0, beta);
    let mut size = 0.0_f64; // largest entry of T so far
    for step in 1..=budget {
        v.iter_mut().for_each(|v| *v /= beta);
        apply(v, u_new);
        subtract_scaled(u_new, beta_over_old, u_old);
        let alpha = dot(v, u_new);
        if !alpha.is_finite() {
            return Err(MinresError::NotFinite);
        }
        subtract_scaled(u_new, alpha / beta, u);
        // gamma w_k takes the place of w_(k-2) before v is overwritten by z_(k+1).
        let delta = c * dbar + s * alpha;
        let gbar = s * dbar - c * alpha;
        for ((older, old), v) in w_older.iter_mut().zip(w_old.iter()).zip(v.iter()) {
            *older = (*v - eps * *older) - delta * old;
        }
        precondition(u_new, v);
        let mut beta_new = energy(u_new, v)?;
        size = size.max(alpha.abs()).max(beta_new);
        let negligible = f64::EPSILON * size;
        if beta_new <= negligible {
            beta_new = 0.0;
        }
        eps = s * beta_new;
        dbar = -c * beta_new;
        let gamma = (gbar * gbar + beta_new * beta_new).sqrt();
        if (gbar * gbar + dbar * dbar).sqrt() <= negligible || gamma <= negligible {
            return Ok(step);
        }
        c = gbar / gamma;
        s = beta_new / gamma;
        let phi = rho * (c * phibar);
        phibar *= s;
        for (w, x) in w_older.iter_mut().zip(x.iter_mut()) {
            *w /= gamma;
            *x += phi * *w;
        }
        std::mem::swap(w_older, w_old);
        if beta_new == 0.0 {
            return Ok(step);
        }
        let (keep, add) = (s * s, c * phibar / beta_new);
        for (t, u) in t.iter_mut().zip(u_new.iter()) {
            *t = keep * *t - add * u;
        }
        if norm(t) <= target {
            return Ok(step);
        }
        beta_over_old = beta_new / beta;
        beta = beta_new;
        std::mem::swap(u_old, u);
        std::mem::swap(u, u_new);
    }
    Ok(budget)
}

/// r = b - A x; returns |r|_2.
fn true_residual(apply: &mut Product<'_>, b: &[f64], x: &[f64], r: &mut [f64]) -> f64 {
    apply(x, r);
    r.iter_mut().zip(b).for_each(|(r, b)| *r = b - *r);
    norm(r)
}

/// sqrt(u . P u) from u and z = P u; 0 when the product vanishes to rounding.
fn energy(u: &[f64], z: &[f64]) -> Result<f64, MinresError> {
    let value = dot(u, z);
    if !value.is_finite() {
        return Err(MinresError::NotFinite);
    }
    if value < 0.0 && value < -f64::EPSILON * (u.len() as f64) * (norm(u) * norm(z)) {
        return Err(MinresError::PreconditionerNotPositive { value });
    }
    Ok(value.max(0.0).sqrt())
}

/// y -= f x.
fn subtract_scaled(y: &mut [f64], f: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y -= f * x;
    }
}

/// Scalar product in four interleaved partial sums (a fixed order).
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a4, a_tail) = a.as_chunks::<4>();
    let (b4, b_tail) = b.as_chunks::<4>();
    let mut sum = [0.0; 4];
    for (a, b) in a4.iter().zip(b4) {
        for l in 0..4 {
            sum[l] += a[l] * b[l];
        }
    }
    let tail = a_tail.iter().zip(b_tail).fold(0.0, |s, (a, b)| s + a * b);
    ((sum[0] + sum[2]) + (sum[1] + sum[3])) + tail
}

/// 2-norm; rescaled when the squares leave the range of f64.
fn norm(a: &[f64]) -> f64 {
    let square = dot(a, a);
    if square.is_nan() {
        return square;
    }
    if square > 1e-280 && square < 1e300 {
        return square.sqrt();
    }
    let largest = a.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    largest * a.iter().fold(0.0, |s, v| s + (v / largest) * (v / largest)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Random(u64);

    impl Random {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }

        fn vector(&mut self, n: usize) -> Vec<f64> {
            (0..n).map(|_| self.next()).collect()
        }
    }

    fn product(a: &[f64]) -> impl FnMut(&[f64], &mut [f64]) {
        move |x, y| {
            for (y, row) in y.iter_mut().zip(a.chunks_exact(x.len())) {
                *y = dot(row, x);
            }
        }
    }

    type Outcome = Result<MinresInfo, MinresError>;

    fn solve(a: &[f64], p: &mut Product<'_>, b: &[f64], x: &mut [f64], q: &MinresParams) -> Outcome {
        minres(&mut product(a), p, b, x, q, &mut MinresWork::new())
    }

    fn plain(a: &[f64], b: &[f64], x: &mut [f64], params: &MinresParams) -> Outcome {
        solve(a, &mut unpreconditioned, b, x, params)
    }

    /// Gauss-Jordan with row exchanges.
    fn dense_solve(n: usize, a: &[f64], b: &[f64]) -> Vec<f64> {
        let mut rows: Vec<Vec<f64>> =
            (0..n).map(|i| a[i * n..(i + 1) * n].iter().copied().chain([b[i]]).collect()).collect();
        for k in 0..n {
            let best = (k..n).max_by(|&i, &j| rows[i][k].abs().total_cmp(&rows[j][k].abs())).unwrap();
            rows.swap(k, best);
            let pivot = rows[k].clone();
            for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != k) {
                let f = row[k] / pivot[k];
                row.iter_mut().zip(&pivot).for_each(|(v, p)| *v -= f * p);
            }
        }
        rows.iter().enumerate().map(|(i, row)| row[n] / row[i]).collect()
    }

    /// [M J^T; J -S] with `bodies` positive masses over `spread` decades and `rows` constraints.
    fn kkt(bodies: usize, rows: usize, spread: f64, random: &mut Random) -> (usize, Vec<f64>) {
        let n = bodies + rows;
        let mut a = vec![0.0; n * n];
        for i in 0..bodies {
            a[i * n + i] = 10.0_f64.powf(0.5 * spread * random.next());
        }
        for i in bodies..n {
            for j in 0..bodies {
                let v = random.next();
                a[i * n + j] = v;
                a[j * n + i] = v;
            }
            a[i * n + i] = -1e-3 * (1.0 + random.next());
        }
        (n, a)
    }

    fn relative_difference(a: &[f64], b: &[f64]) -> f64 {
        let d: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
        norm(&d) / norm(b)
    }

    #[test]
    fn kkt_systems_against_dense() {
        let mut random = Random(1);
        let tolerance = 1e-12;
        let params = MinresParams { tolerance, ..Default::default() };
        for (bodies, rows, spread) in [(2, 1, 0.0), (6, 3, 1.0), (12, 9, 2.0), (30, 20, 1.0), (40, 20, 2.0)] {
            let (n, a) = kkt(bodies, rows, spread, &mut random);
            let b = random.vector(n);
            let expected = dense_solve(n, &a, &b);
            // Block diagonal preconditioner: M^-1 and the inverse diagonal of S + J M^-1 J^T.
            let diagonal: Vec<f64> = (0..n)
                .map(|i| {
                    let schur = |j: usize| a[i * n + j] * a[i * n + j] / a[j * n + j];
                    if i < bodies { a[i * n + i] } else { (0..bodies).map(schur).sum::<f64>() - a[i * n + i] }
                })
                .collect();
            let mut scaled = |r: &[f64], z: &mut [f64]| {
                for i in 0..n {
                    z[i] = r[i] / diagonal[i];
                }
            };
            for preconditioned in [false, true] {
                let mut x = random.vector(n);
                let precondition: &mut Product<'_> = if preconditioned { &mut scaled } else { &mut unpreconditioned };
                let info = solve(&a, precondition, &b, &mut x, &params).unwrap();
                let mut r = vec![0.0; n];
                let residual = true_residual(&mut product(&a), &b, &x, &mut r) / norm(&b);
                assert_eq!(info.residual, residual, "the reported residual is the true one");
                assert!(residual <= tolerance);
                let difference = relative_difference(&x, &expected);
                assert!(difference < 1e-8, "n {n}: {difference:e}");
            }
        }
    }

    #[test]
    fn ill_conditioned_system_restarts() {
        let mut random = Random(5);
        let (n, a) = kkt(40, 20, 8.0, &mut random);
        let b = random.vector(n);
        let params = MinresParams { max_iterations: 100_000, tolerance: 1e-10 };
        let mut x = random.vector(n);
        x.iter_mut().for_each(|x| *x *= 1e9);
        let info = plain(&a, &b, &mut x, &params).unwrap();
        assert!(info.restarts > 0 && info.residual <= 1e-10);
    }

    #[test]
    fn the_start_value_is_used_and_bits_repeat() {
        let mut random = Random(2);
        let (n, a) = kkt(20, 10, 1.0, &mut random);
        let b = random.vector(n);
        let params = MinresParams::default();
        assert_eq!((params.max_iterations, params.tolerance), (10_000, 1e-10));
        let mut work = MinresWork::new();
        work.resize(n);
        let place = work.v.as_ptr();
        work.resize(3);
        let (mut x, mut y) = (vec![0.0; n], vec![0.0; n]);
        let (apply, precondition) = (&mut product(&a), &mut unpreconditioned);
        minres(apply, precondition, &b, &mut x, &params, &mut work).unwrap();
        assert_eq!(place, work.v.as_ptr(), "no allocation");
        plain(&a, &b, &mut y, &params).unwrap();
        assert_eq!(x, y);
        let again = plain(&a, &b, &mut y, &params).unwrap();
        assert_eq!((again.iterations, again.restarts), (0, 0));
        // A right-hand side whose squares underflow.
        let tiny: Vec<f64> = b.iter().map(|b| b * 2.0_f64.powi(-700)).collect();
        let mut z = vec![0.0; n];
        let info = plain(&a, &tiny, &mut z, &params).unwrap();
        z.iter_mut().for_each(|z| *z *= 2.0_f64.powi(700));
        assert!(info.residual <= 1e-10 && relative_difference(&z, &x) < 1e-8);
    }

    #[test]
    fn zero_right_hand_side() {
        let mut x = [3.0, f64::NAN];
        let params = MinresParams::default();
        let info = plain(&[1.0; 4], &[0.0, -0.0], &mut x, &params);
        assert_eq!(info, Ok(MinresInfo { iterations: 0, residual: 0.0, restarts: 0 }));
        assert_eq!(x, [0.0, 0.0]);
        plain(&[], &[], &mut [], &params).unwrap();
    }

    #[test]
    fn singular_systems() {
        // Laplacian of a ring with weights of both signs: indefinite, constant vectors in its kernel.
        let n = 24;
        let mut a = vec![0.0; n * n];
        for i in 0..n {
            let j = (i + 1) % n;
            let weight = if i % 3 == 0 { -1.5 } else { 1.0 };
            a[i * n + i] += weight;
            a[j * n + j] += weight;
            a[i * n + j] -= weight;
            a[j * n + i] -= weight;
        }
        let mut random = Random(9);
        let mut b = vec![0.0; n];
        product(&a)(&random.vector(n), &mut b);
        let params = MinresParams::default();
        let mut x = vec![0.0; n];
        let info = plain(&a, &b, &mut x, &params).unwrap();
        assert!(info.residual <= 1e-10 && info.iterations <= 2 * n, "{info:?}");
        assert!(x.iter().sum::<f64>().abs() < 1e-8, "the kernel is not excited");
        // Inconsistent: ends early at the least-squares solution, whose residual is the kernel part.
        b.iter_mut().for_each(|b| *b += 0.25);
        let error = plain(&a, &b, &mut x, &params).unwrap_err();
        let expected = 0.25 * (n as f64).sqrt() / norm(&b);
        let MinresError::NotConverged { iterations, residual } = error else { panic!("{error:?}") };
        assert!((residual - expected).abs() < 1e-6 && iterations < params.max_iterations, "{error:?}");
        // b in the kernel: nothing to gain, x stays.
        let mut x = [0.0; 2];
        let a = [1.0, 0.0, 0.0, 0.0];
        let error = plain(&a, &[0.0, 1.0], &mut x, &params);
        assert_eq!(error, Err(MinresError::NotConverged { iterations: 1, residual: 1.0 }));
        assert_eq!(x, [0.0, 0.0]);
    }

    #[test]
    fn not_converged() {
        let mut random = Random(4);
        let (n, a) = kkt(40, 20, 3.0, &mut random);
        let b = random.vector(n);
        let mut last = 1.0;
        for max_iterations in [0, 1, 5, 10, 20] {
            let params = MinresParams { max_iterations, tolerance: 1e-10 };
            let mut x = vec![0.0; n];
            let error = plain(&a, &b, &mut x, &params).unwrap_err();
            let mut r = vec![0.0; n];
            let residual = true_residual(&mut product(&a), &b, &x, &mut r) / norm(&b);
            assert_eq!(error, MinresError::NotConverged { iterations: max_iterations, residual });
            assert!(residual <= last, "more iterations are no worse");
            assert!(error.to_string().contains(&format!("{residual:e}")));
            last = residual;
        }
        // A tolerance below rounding: restarts stop helping long before the iterations run out.
        let params = MinresParams { max_iterations: 1_000_000, tolerance: 0.0 };
        let mut x = vec![0.0; n];
        let error = plain(&a, &b, &mut x, &params).unwrap_err();
        let MinresError::NotConverged { iterations, residual } = error else { panic!("{error:?}") };
        assert!(iterations < 10_000 && residual < 1e-13, "{error:?}");
    }

    #[test]
    fn rejects() {
        let params = MinresParams::default();
        let a = [2.0, 1.0, 1.0, -3.0];
        let mut negative = |r: &[f64], z: &mut [f64]| z.iter_mut().zip(r).for_each(|(z, r)| *z = -r);
        let mut x = [0.5, 0.25];
        let error = solve(&a, &mut negative, &[3.0, 4.0], &mut x, &params).unwrap_err();
        let MinresError::PreconditionerNotPositive { value } = error else { panic!("{error:?}") };
        assert!((value + 1.0).abs() < 1e-15 && error.to_string().contains("-"), "{error}");
        let mut zero = |_: &[f64], z: &mut [f64]| z.fill(0.0);
        let error = solve(&a, &mut zero, &[3.0, 4.0], &mut x, &params);
        assert_eq!(error, Err(MinresError::PreconditionerNotPositive { value: 0.0 }));
        // Indefinite, but positive on the first residual.
        let mut indefinite = |r: &[f64], z: &mut [f64]| (z[0], z[1]) = (r[0], -r[1]);
        x = [0.0, 0.0];
        let error = solve(&a, &mut indefinite, &[1.0, 0.1], &mut x, &params).unwrap_err();
        assert!(matches!(error, MinresError::PreconditionerNotPositive { .. }), "{error:?}");
        assert_eq!(x, [0.0, 0.0]);
        let bad = [f64::NAN, 1.0, 1.0, 1.0];
        for (a, b, start) in [(&bad, 1.0, 0.0), (&a, f64::NAN, 0.0), (&a, f64::INFINITY, 0.0), (&a, 1.0, f64::NAN)] {
            let mut x = [start; 2];
            let error = plain(a, &[b, 1.0], &mut x, &params);
            assert_eq!(error, Err(MinresError::NotFinite));
        }
        let mut nan = |_: &[f64], z: &mut [f64]| z.fill(f64::NAN);
        let error = solve(&a, &mut nan, &[3.0, 4.0], &mut x, &params);
        assert_eq!(error, Err(MinresError::NotFinite));
        let error = plain(&a, &[1.0; 3], &mut x, &params);
        assert_eq!(error, Err(MinresError::Size { b: 3, x: 2 }));
        assert!(error.unwrap_err().to_string().contains("3 entries"));
    }
}

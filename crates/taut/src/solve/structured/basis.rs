//! The directions of an iteration, kept and made orthogonal to each other.
//!
//! ```text
//! (A p_i) . t_k = 1 if i = k else 0        t = p: conjugate gradients,   t = P A p: conjugate residuals
//! new direction   c = A p . t_k,  p -= c p_k,  A p -= c A p_k           for all k that are kept
//! new b           a = r . t_k,    x += a p_k,  r -= a A p_k             without any product
//! ```
//! In exact arithmetic a direction is orthogonal to all but the last one by itself. With loops that are nearly redundant (a net that is
//! nearly flat) rounding destroys that within a few steps, and a system of 147 rows takes thousands of iterations; with it, it takes no
//! more than it has rows. The same directions serve every right-hand side of the same matrix.

/// Most numbers in each of the three sets; from there on the oldest directions are given up.
const MOST: usize = 1 << 20;
/// A direction that loses more than this part of its square to the others is made orthogonal once more.
const TWICE: f64 = 0.01;

/// The directions.
#[derive(Clone, Debug, Default)]
pub struct Basis {
    /// Length of a vector.
    n: usize,
    /// How many there are, and where the next one goes.
    len: usize,
    next: usize,
    p: Vec<f64>,
    ap: Vec<f64>,
    t: Vec<f64>,
}

impl Basis {
    /// Gives up all directions; room for vectors of length `n`.
    pub fn clear(&mut self, n: usize) {
        (self.n, self.len, self.next) = (n, 0, 0);
        let size = n * self.most();
        for v in [&mut self.p, &mut self.ap, &mut self.t] {
            v.reserve(size.saturating_sub(v.len()));
        }
    }

    /// Length of the vectors.
    pub fn size(&self) -> usize {
        self.n
    }

    /// How many directions fit.
    fn most(&self) -> usize {
        (MOST / self.n.max(1)).clamp(1, self.n.max(1))
    }

    /// p, A p and t of one of them.
    fn at(&self, k: usize) -> (&[f64], &[f64], &[f64]) {
        let r = k * self.n..(k + 1) * self.n;
        (&self.p[r.clone()], &self.ap[r.clone()], &self.t[r])
    }

    /// Makes a direction orthogonal to all that are kept.
    pub fn reduce(&self, p: &mut [f64], ap: &mut [f64]) {
        for _ in 0..2 {
            let before = dot(ap, ap);
            for k in 0..self.len {
                let (pk, apk, tk) = self.at(k);
                let c = dot(ap, tk);
                subtract(c, pk, p);
                subtract(c, apk, ap);
            }
            if dot(ap, ap) > TWICE * before {
                return;
            }
        }
    }

    /// Keeps a direction, with A p . t = 1.
    pub fn push(&mut self, p: &[f64], ap: &[f64], t: &[f64]) {
        let at = self.next * self.n;
        for (to, from) in [(&mut self.p, p), (&mut self.ap, ap), (&mut self.t, t)] {
            if to.len() < at + self.n {
                to.resize(at + self.n, 0.0);
            }
            to[at..at + self.n].copy_from_slice(from);
        }
        self.len = self.len.max(self.next + 1);
        self.next = (self.next + 1) % self.most();
    }

    /// Goes as far along all directions as they lead, and back again if x . A x/2 - b . x has become positive on the way.
    pub fn follow(&self, b: &[f64], x: &mut [f64], r: &mut [f64], steps: &mut Vec<f64>) {
        steps.clear();
        for k in 0..self.len {
            let (p, ap, t) = self.at(k);
            let a = dot(r, t);
            subtract(-a, p, x);
            subtract(a, ap, r);
            steps.push(a);
        }
        // x . A x = x . (b - r).
        if dot(b, x) + dot(r, x) < 0.0 {
            for (k, &a) in steps.iter().enumerate() {
                let (p, ap, _) = self.at(k);
                subtract(a, p, x);
                subtract(-a, ap, r);
            }
        }
    }
}

/// y -= a x.
pub(super) fn subtract(a: f64, x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y -= a * x;
    }
}

/// a . b.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |s, (a, b)| s + a * b)
}

//! Exact solution of one contact with the others fixed (canonical block, any positive definite one):
//!
//! ```text
//! w = [n u^T; u T] y + (qn, qt)
//! qn >= 0        open: y = 0
//! B = T - u u^T / n,   c = qt - u qn / n
//! yt(s) = -(B + s I)^-1 c,   yn(s) = -(qn + u . yt) / n,   f(s) = |yt| - yn
//! f(0) <= 0      sticks: y(0)
//! else           slides: f(s) = 0, s > 0 the slip ratio w_t = -s y_t;  f(inf) = qn / n < 0
//! ```
//!
//! The root is bracketed by growth, narrowed geometrically, then found by Newton kept inside the bracket.

use crate::tuning::T;

/// Symmetric 3 x 3 block of a contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block3 {
    pub n: f64,
    pub u: [f64; 2],
    /// T: 00, 01, 11.
    pub t: [f64; 3],
}

impl Block3 {
    /// The diagonal block at `row` of an n x n matrix.
    pub fn of(w: &[f64], n: usize, row: usize) -> Self {
        let at = |i: usize, j: usize| w[(row + i) * n + row + j];
        Self { n: at(0, 0), u: [at(0, 1), at(0, 2)], t: [at(1, 1), at(1, 2), at(2, 2)] }
    }

    /// Block times y.
    pub fn times(&self, y: [f64; 3]) -> [f64; 3] {
        [
            self.n * y[0] + self.u[0] * y[1] + self.u[1] * y[2],
            self.u[0] * y[0] + self.t[0] * y[1] + self.t[1] * y[2],
            self.u[1] * y[0] + self.t[1] * y[1] + self.t[2] * y[2],
        ]
    }

    /// The impulse for the velocity q without it.
    pub fn solve(&self, q: [f64; 3]) -> [f64; 3] {
        if q[0] >= 0.0 {
            return [0.0; 3];
        }
        let trace = self.t[0] + self.t[2];
        if trace <= 0.0 {
            return [-q[0] / self.n, 0.0, 0.0];
        }
        let slip = Slip::new(self, q, 1e-12 * trace + 1e-300);
        let (mut low, mut high) = (0.0, 0.0_f64);
        let mut s = 0.0;
        let mut at = slip.at(s);
        for _ in 1..T.bounded.evaluations {
            if s == 0.0 && at.f <= 0.0 {
                return at.y;
            }
            if at.f > 0.0 {
                low = s;
            } else {
                high = s;
            }
            if at.f.abs() <= 1e-14 * (at.length + at.y[0].abs()) || (high > 0.0 && high - low < 1e-15 * high) {
                break;
            }
            s = if high == 0.0 {
                f64::max(8.0 * s, 1e-6 * trace)
            } else if low > 0.0 && high > 4.0 * low {
                (low * high).sqrt()
            } else {
                let newton = s - at.f / at.slope;
                if newton > low && newton < high { newton } else { 0.5 * (low + high) }
            };
            at = slip.at(s);
        }
        let yn = at.y[0].max(0.0);
        let f = if at.length > 0.0 { yn / at.length } else { 0.0 };
        [yn, at.y[1] * f, at.y[2] * f]
    }
}

struct Slip {
    n: f64,
    u: [f64; 2],
    qn: f64,
    b: [f64; 3],
    c: [f64; 2],
}

struct At {
    y: [f64; 3],
    length: f64,
    f: f64,
    slope: f64,
}

impl Slip {
    fn new(k: &Block3, q: [f64; 3], shift: f64) -> Self {
        let (n, u) = (k.n, k.u);
        let b = [k.t[0] - u[0] * u[0] / n + shift, k.t[1] - u[0] * u[1] / n, k.t[2] - u[1] * u[1] / n + shift];
        Self { n, u, qn: q[0], b, c: [q[1] - u[0] * q[0] / n, q[2] - u[1] * q[0] / n] }
    }

    fn at(&self, s: f64) -> At {
        let (d0, d1, o) = (self.b[0] + s, self.b[2] + s, self.b[1]);
        let det = d0 * d1 - o * o;
        let solve = |a: f64, b: f64| (-(d1 * a - o * b) / det, -(d0 * b - o * a) / det);
        let (t0, t1) = solve(self.c[0], self.c[1]);
        let (e0, e1) = solve(t0, t1);
        let yn = -(self.qn + self.u[0] * t0 + self.u[1] * t1) / self.n;
        let length = (t0 * t0 + t1 * t1).sqrt();
        let slope = (t0 * e0 + t1 * e1) / length.max(1e-300) + (self.u[0] * e0 + self.u[1] * e1) / self.n;
        At { y: [yn, t0, t1], length, f: length - yn, slope }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((*seed >> 11) as f64 / (1_u64 << 53) as f64) * 2.0 - 1.0
    }

    /// w(y) for every direction of slip on a fine circle, with yn from wn = 0: the direction against which w_t points.
    fn brute_force(k: &Block3, q: [f64; 3]) -> Option<[f64; 3]> {
        let mut best = (f64::INFINITY, [0.0; 3]);
        for i in 0..200_000 {
            let (s, c) = (i as f64 * std::f64::consts::TAU / 200_000.0).sin_cos();
            let yn = -q[0] / (k.n + k.u[0] * c + k.u[1] * s);
            let y = [yn, yn * c, yn * s];
            let w = k.times(y);
            let (w0, w1) = (w[1] + q[1], w[2] + q[2]);
            let across = (w0 * s - w1 * c).abs();
            if yn > 0.0 && w0 * c + w1 * s <= 0.0 && across < best.0 {
                best = (across, y);
            }
        }
        (best.0 < 1e-3).then_some(best.1)
    }

    #[test]
    fn the_block_is_solved_exactly() {
        let mut seed = 7;
        let mut seen = [0; 3];
        for round in 0..400 {
            let mut a = [[0.0; 3]; 3];
            a.iter_mut().flatten().for_each(|v| *v = random(&mut seed));
            let e =
                |i: usize, j: usize| (0..3).map(|k| a[i][k] * a[j][k]).sum::<f64>() + if i == j { 0.05 } else { 0.0 };
            let k = Block3 { n: e(0, 0), u: [e(0, 1), e(0, 2)], t: [e(1, 1), e(1, 2), e(2, 2)] };
            let q = [random(&mut seed) - 0.5, random(&mut seed), random(&mut seed)];
            let y = k.solve(q);
            let w = k.times(y);
            let w = [w[0] + q[0], w[1] + q[1], w[2] + q[2]];
            let length = y[1].hypot(y[2]);
            assert!(y[0] >= 0.0 && length <= y[0] * (1.0 + 1e-12) && w[0] > -1e-10, "{y:?} {w:?}");
            assert!(y[0] * w[0] < 1e-9);
            let gap = y[1] * w[1] + y[2] * w[2] + y[0] * w[1].hypot(w[2]);
            assert!(gap.abs() < 1e-9 * (1.0 + y[0]), "round {round}: {gap:e} {y:?} {w:?}");
            if y[0] == 0.0 {
                seen[0] += 1;
            } else if length < y[0] * (1.0 - 1e-9) {
                seen[1] += 1;
                assert!(w[1].hypot(w[2]) < 1e-9);
            } else {
                seen[2] += 1;
                if round < 60 {
                    let brute = brute_force(&k, q).expect("a direction of slip");
                    let off = (0..3).fold(0.0, |m: f64, i| m.max((brute[i] - y[i]).abs()));
                    assert!(off < 1e-2 * y[0], "round {round}: {brute:?} {y:?}");
                }
            }
        }
        assert!(seen.iter().all(|&s| s > 30), "{seen:?}");
    }
}

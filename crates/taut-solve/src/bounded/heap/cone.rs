//! The block of one contact, its normal eliminated, for sweeps that come back to it.
//!
//! ```text
//! W = [n u^T; u T],   l = u/n,   B = T - u u^T/n;   w: velocity at the impulse y,   g = w_t - l w_n
//! for any tangents t        y_n+ = y_n - w_n/n - l.(t - y_t)          the normal stands still
//! sticks                    t = y_t - B^-1 g                          where |t| <= y_n+
//! slides                    t = -(B + s)^-1 (g - B y_t),  |t| = y_n+  s > 0: slip over impulse
//! ```
//! 1/|t| is almost linear in s. So the root is found by Newton's method on 1 - y_n+/|t|, from the last slip ratio, mostly in one or two steps.

use crate::tuning::T;

/// Own block of a contact, in impulses of the tangents over the friction.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cone {
    /// Normal of W; 0 until the block is known.
    pub n: f64,
    pub(super) per_n: f64,
    pub(super) lean: [f64; 2],
    /// B and its inverse: 00, 01, 11.
    pub(super) b: [f64; 3],
    pub(super) per_b: [f64; 3],
    /// Slip ratio of the last visit that slid.
    pub(super) slip: f64,
}

/// Numbers that all trials of a slip ratio share: y_n+ = a - l.t, t = -(B + s)^-1 c.
struct Slide {
    a: f64,
    c: [f64; 2],
}

impl Cone {
    /// From the upper triangle of W.
    pub fn new(w: [[f64; 3]; 3]) -> Self {
        // A normal along which nothing can move is left alone.
        let n = w[0][0].max(f64::MIN_POSITIVE);
        if !(w[0][0] > 0.0 && n.is_finite()) {
            return Cone { n, ..Cone::default() };
        }
        let lean = [w[0][1] / n, w[0][2] / n];
        let b = [w[1][1] - lean[0] * w[0][1], w[1][2] - lean[0] * w[0][2], w[2][2] - lean[1] * w[0][2]];
        // Bodies that can slide one way alone have a B without an inverse: a little is added to it.
        let shift = T.bounded.slack * (b[0] + b[2]);
        let b = [b[0] + shift, b[1], b[2] + shift];
        let det = b[0] * b[2] - b[1] * b[1];
        let per_b = if det > 0.0 { [b[2] / det, -b[1] / det, b[0] / det] } else { [0.0; 3] };
        Cone { n, per_n: 1.0 / n, lean, b, per_b, slip: 0.0 }
    }

    /// Largest diagonal entry of the tangents in W.
    pub fn tangent(&self) -> f64 {
        let [l, m] = self.lean;
        (self.b[0] + l * l * self.n).max(self.b[2] + m * m * self.n)
    }

    /// The impulses at which the contact obeys its law with the others fixed, from the velocity `w` at the impulses `y`; the slip ratio to `tolerance`.
    #[inline(always)]
    pub fn solve(&mut self, w: [f64; 3], y: [f64; 3], tolerance: f64) -> [f64; 3] {
        let open = y[0] - w[0] * self.per_n;
        // What the normal would be without the tangents: where nothing must push, nothing does, though it might also stick.
        let a = open + (self.lean[0] * y[1] + self.lean[1] * y[2]);
        if !(a > 0.0) {
            return [0.0; 3];
        }
        let g = [w[1] - self.lean[0] * w[0], w[2] - self.lean[1] * w[0]];
        let [p, q, r] = self.per_b;
        let d = [p * g[0] + q * g[1], q * g[0] + r * g[1]];
        let next = [open + (self.lean[0] * d[0] + self.lean[1] * d[1]), y[1] - d[0], y[2] - d[1]];
        if next[0] > 0.0 && next[1] * next[1] + next[2] * next[2] <= next[0] * next[0] {
            return next;
        }
        let [b0, b1, b2] = self.b;
        let c = [g[0] - (b0 * y[1] + b1 * y[2]), g[1] - (b1 * y[1] + b2 * y[2])];
        self.slide(&Slide { a, c }, tolerance)
    }

    #[inline(always)]
    fn slide(&mut self, of: &Slide, tolerance: f64) -> [f64; 3] {
        let ([l, m], [b0, o, b2], [c0, c1]) = (self.lean, self.b, of.c);
        let (mut low, mut high) = (0.0, f64::INFINITY);
        let mut s = self.slip;
        let mut found = [0.0; 3];
        for _ in 0..T.bounded.near_evaluations {
            let (d0, d1) = (b0 + s, b2 + s);
            let per = 1.0 / (d0 * d1 - o * o);
            let (t0, t1) = ((o * c1 - d1 * c0) * per, (o * c0 - d0 * c1) * per);
            let yn = of.a - (l * t0 + m * t1);
            let square = t0 * t0 + t1 * t1;
            let length = square.sqrt();
            let scale = if length > 0.0 { yn.max(0.0) / length } else { 0.0 };
            found = [yn.max(0.0), t0 * scale, t1 * scale];
            let off = length - yn;
            if !(off.abs() > tolerance * (length + yn.abs())) {
                break;
            }
            if off > 0.0 {
                low = s;
            } else {
                high = s;
            }
            // dt/ds = -(B + s)^-1 t.
            let (e0, e1) = ((o * t1 - d1 * t0) * per, (o * t0 - d0 * t1) * per);
            let newton = s - off / (yn * (t0 * e0 + t1 * e1) / square + (l * e0 + m * e1));
            let first = T.bounded.first_slip * (b0 + b2);
            s = if newton > low && newton < high {
                newton
            } else if high.is_infinite() {
                f64::max(8.0 * s, first)
            } else if high > 4.0 * low && high > first {
                (low.max(first) * high).sqrt()
            } else {
                0.5 * (low + high)
            };
        }
        self.slip = s;
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::block3::Block3;
    use super::*;

    fn random(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((*seed >> 11) as f64 / (1_u64 << 53) as f64) * 2.0 - 1.0
    }

    fn block(seed: &mut u64, ridge: f64) -> [[f64; 3]; 3] {
        let a: [[f64; 3]; 3] = std::array::from_fn(|_| std::array::from_fn(|_| random(seed)));
        std::array::from_fn(|i| {
            std::array::from_fn(|j| (0..3).map(|k| a[i][k] * a[j][k]).sum::<f64>() + if i == j { ridge } else { 0.0 })
        })
    }

    /// From any impulse and any slip ratio it comes to the solution of the block alone.
    #[test]
    fn it_is_the_solution_of_the_block() {
        let mut seed = 3;
        let mut seen = [0; 3];
        for round in 0..4000 {
            let w = block(&mut seed, [0.05, 1e-6, 10.0][round % 3]);
            let flat = Block3 { n: w[0][0], u: [w[0][1], w[0][2]], t: [w[1][1], w[1][2], w[2][2]] };
            let q = [random(&mut seed) - 0.5, random(&mut seed), random(&mut seed)];
            let right = flat.solve(q);
            let from: [f64; 3] = std::array::from_fn(|_| random(&mut seed));
            let held = flat.times(from);
            let velocity = [q[0] + held[0], q[1] + held[1], q[2] + held[2]];
            for slip in [0.0, 1e-9, 0.3, 1e4] {
                let mut cone = Cone { slip, ..Cone::new(w) };
                let y = cone.solve(velocity, from, 1e-13);
                let size = 1.0 + right[0] + flat.n.recip() + held.iter().fold(0.0, |m: f64, h| m.max(h.abs()));
                let off = (0..3).fold(0.0, |m: f64, k| m.max((y[k] - right[k]).abs()));
                assert!(off <= 1e-6 * size, "round {round}, from {slip}: {y:?} {right:?}");
                assert!(y[1].hypot(y[2]) <= y[0] * (1.0 + 1e-12));
            }
            seen[if right[0] == 0.0 {
                0
            } else {
                1 + usize::from(right[1].hypot(right[2]) > right[0] * (1.0 - 1e-9))
            }] += 1;
        }
        assert!(seen.iter().all(|&s| s > 300), "{seen:?}");
    }

    /// Surfaces that slide one way alone still feel friction that way.
    #[test]
    fn a_block_of_rank_one_sticks_along_its_direction() {
        let w = [[1.0, 0.0, 0.0], [0.0, 0.25, 0.0], [0.0, 0.0, 0.0]];
        let y = Cone::new(w).solve([-1.0, 0.1, 0.0], [0.0; 3], 1e-13);
        assert!((y[0] - 1.0).abs() < 1e-15 && (y[1] + 0.4).abs() < 1e-9 && y[2] == 0.0, "{y:?}");
    }

    /// Without friction only the normal pushes, and nothing pulls.
    #[test]
    fn a_smooth_contact_has_a_normal_alone() {
        let w = [[2.0, 0.0, 0.0], [0.0; 3], [0.0; 3]];
        assert_eq!(Cone::new(w).solve([-1.0, 0.0, 0.0], [0.0; 3], 1e-13), [0.5, 0.0, 0.0]);
        assert_eq!(Cone::new(w).solve([1.0, 0.0, 0.0], [0.25, 0.0, 0.0], 1e-13), [0.0; 3]);
        assert_eq!(Cone::new([[0.0; 3]; 3]).solve([-1.0, 0.0, 0.0], [0.0; 3], 1e-13), [0.0; 3]);
    }
}

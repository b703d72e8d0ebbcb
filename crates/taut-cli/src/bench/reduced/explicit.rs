//! The matrix of a system in reduced coordinates, formed explicitly: what a sparse direct solver needs and ours never makes.
//! ```text
//! A = J^T H J + joint terms,    v_i = X_i v_p + S_i y_i,    X_i: linear += angular x arm
//! composite blocks leaf to root:  Hc_p += X_i^T Hc_i X_i
//! entry of a link and one above it:  S_a^T X^T ... X^T Hc_i S_i
//! a coupling g g^T between two bodies:  (J^T g)(J^T g)^T
//! ```
//! World axes, linear before angular, blocks row-major.

use taut::Vec3;

/// No link: the ground.
pub const NONE: usize = usize::MAX;

/// Six numbers of a body, linear before angular.
pub type Twist = [f64; 6];

/// A tree of bodies with its numbers; parents come before their children.
pub struct Tree<'a> {
    /// Parent of each link, `NONE` at a root.
    pub parent: &'a [usize],
    /// First joint velocity of each link, and their number at the end.
    pub first: &'a [usize],
    /// From the parent's centre to that of the link.
    pub arm: &'a [Vec3],
    /// A column of S for each joint velocity.
    pub s: &'a [Twist],
    /// Block of each body.
    pub h: &'a [[f64; 36]],
    /// Joint terms, k x k for each link.
    pub joint: &'a [f64],
    /// Bodies of each coupling, `NONE` for the ground, and its two parts.
    pub pairs: &'a [(usize, usize)],
    pub terms: &'a [[f64; 12]],
}

fn dot(a: &Twist, b: &Twist) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// X^T f: the wrench at the parent's centre.
fn carry(arm: Vec3, f: &Twist) -> Twist {
    let (lin, ang) = (Vec3::new(f[0], f[1], f[2]), Vec3::new(f[3], f[4], f[5]));
    let turn = ang + arm.cross(lin);
    [lin.x, lin.y, lin.z, turn.x, turn.y, turn.z]
}

fn times(h: &[f64; 36], v: &Twist) -> Twist {
    std::array::from_fn(|r| (0..6).map(|c| h[6 * r + c] * v[c]).sum())
}

/// X^T H X.
fn shifted(h: &[f64; 36], arm: Vec3) -> [f64; 36] {
    let turned = |m: &[f64; 36]| -> [f64; 36] {
        // Columns carried, then written as rows: the second time turns it back.
        let mut out = [0.0; 36];
        for c in 0..6 {
            let column = carry(arm, &std::array::from_fn(|r| m[6 * r + c]));
            out[6 * c..6 * c + 6].copy_from_slice(&column);
        }
        out
    };
    turned(&turned(h))
}

impl Tree<'_> {
    /// Number of joint velocities.
    pub fn dofs(&self) -> usize {
        self.first.last().copied().unwrap_or(0)
    }

    fn columns(&self, i: usize) -> std::ops::Range<usize> {
        self.first[i]..self.first[i + 1]
    }

    /// The whole matrix, dense and row-major.
    pub fn matrix(&self) -> Vec<f64> {
        let (n, m) = (self.parent.len(), self.dofs());
        let mut out = vec![0.0; m * m];
        let mut composite = self.h.to_vec();
        for i in (0..n).rev() {
            if self.parent[i] != NONE {
                let up = shifted(&composite[i], self.arm[i]);
                composite[self.parent[i]].iter_mut().zip(up).for_each(|(a, b)| *a += b);
            }
        }
        let mut square = 0;
        for (i, block) in composite.iter().enumerate() {
            let k = self.columns(i).len();
            for (r, row) in self.columns(i).enumerate() {
                for (c, column) in self.columns(i).enumerate() {
                    out[row * m + column] += self.joint[square + r * k + c];
                }
            }
            square += k * k;
            for d in self.columns(i) {
                self.climb(i, times(block, &self.s[d]), |row, value| {
                    out[row * m + d] += value;
                    // The blocks of its own link come from both sides already.
                    if row < self.first[i] {
                        out[d * m + row] += value;
                    }
                });
            }
        }
        for (&(i, j), g) in self.pairs.iter().zip(self.terms) {
            let mut row: Vec<(usize, f64)> = Vec::new();
            for (body, part) in [(i, &g[..6]), (j, &g[6..])] {
                if body != NONE {
                    self.climb(body, std::array::from_fn(|c| part[c]), |d, value| row.push((d, value)));
                }
            }
            for &(a, x) in &row {
                row.iter().for_each(|&(b, y)| out[a * m + b] += x * y);
            }
        }
        out
    }

    /// J^T of a wrench on one body: its part for every joint velocity from the body to the root.
    fn climb(&self, body: usize, mut f: Twist, mut put: impl FnMut(usize, f64)) {
        let mut i = body;
        loop {
            self.columns(i).for_each(|d| put(d, dot(&self.s[d], &f)));
            if self.parent[i] == NONE {
                return;
            }
            f = carry(self.arm[i], &f);
            i = self.parent[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// J by its definition, column by column.
    fn jacobian(t: &Tree) -> Vec<Vec<Twist>> {
        let column = |d: usize| {
            let mut v = vec![[0.0; 6]; t.parent.len()];
            for i in 0..v.len() {
                if t.parent[i] != NONE {
                    let p = v[t.parent[i]];
                    let turn = Vec3::new(p[3], p[4], p[5]);
                    let lin = Vec3::new(p[0], p[1], p[2]) + turn.cross(t.arm[i]);
                    v[i] = [lin.x, lin.y, lin.z, p[3], p[4], p[5]];
                }
                if t.columns(i).contains(&d) {
                    v[i].iter_mut().zip(t.s[d]).for_each(|(a, b)| *a += b);
                }
            }
            v
        };
        (0..t.dofs()).map(column).collect()
    }

    #[test]
    fn the_matrix_is_the_projected_one() {
        let mut seed = 7_u64;
        let mut number = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as f64 / (1_u64 << 31) as f64 - 0.5
        };
        let parent = [NONE, 0, 0, 1, 3, NONE, 5];
        let first = [0, 1, 3, 3, 6, 7, 8, 10];
        let arm: Vec<Vec3> = parent.iter().map(|_| Vec3::new(number(), number(), number())).collect();
        let s: Vec<Twist> = (0..10).map(|_| std::array::from_fn(|_| number())).collect();
        let h: Vec<[f64; 36]> = (0..7)
            .map(|_| {
                let a: [f64; 36] = std::array::from_fn(|_| number());
                std::array::from_fn(|k| a[k] + a[6 * (k % 6) + k / 6])
            })
            .collect();
        let joint: Vec<f64> = [1, 2, 0, 3, 1, 1, 2].iter().flat_map(|&k| vec![1.0; k * k]).collect();
        let (pairs, terms) =
            ([(4, 6), (2, NONE)], [std::array::from_fn(|_| number()), std::array::from_fn(|_| number())]);
        let t = Tree {
            parent: &parent,
            first: &first,
            arm: &arm,
            s: &s,
            h: &h,
            joint: &joint,
            pairs: &pairs,
            terms: &terms,
        };
        let (a, j) = (t.matrix(), jacobian(&t));
        for r in 0..10 {
            for c in 0..10 {
                let mut want: f64 = (0..7).map(|i| dot(&j[r][i], &times(&h[i], &j[c][i]))).sum();
                want += if (0..7).any(|i| t.columns(i).contains(&r) && t.columns(i).contains(&c)) { 1.0 } else { 0.0 };
                for (&(i, k), g) in pairs.iter().zip(&terms) {
                    let part = |col: &Vec<Twist>| {
                        let on = |b: usize, at: usize| {
                            if b == NONE { 0.0 } else { (0..6).map(|q| g[at + q] * col[b][q]).sum() }
                        };
                        on(i, 0) + on(k, 6)
                    };
                    want += part(&j[r]) * part(&j[c]);
                }
                assert!((a[10 * r + c] - want).abs() < 1e-12, "({r}, {c}): {} for {want}", a[10 * r + c]);
            }
        }
    }
}

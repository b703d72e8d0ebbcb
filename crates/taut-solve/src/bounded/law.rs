//! Projections of the laws and their derivatives, canonical coordinates.
//!
//! ```text
//! box               p = clip(x)                                     D = 1 inside, else 0
//! Coulomb           pn = max(0, xn), pt = disc_pn(xt)               not a gradient: the radius follows the normal
//!   open D = 0      stick D = I     slip D = [1 0; b, (pn/|xt|) (I - b b^T)],  b = xt / |xt|
//! Tresca            the same with given radii: slip D = [1 0; 0, (R/|xt|) (I - b b^T)], symmetric
//! cone (associated) the nearest point of |yt| <= yn:  D symmetric
//!   |xt| <= xn: x   |xt| <= -xn: 0   else a (1, b), a = (xn + |xt|)/2,
//!   D = 1/2 [1 b^T; b, (1 + r) I - r b b^T],  r = xn / |xt|
//! ```
//!
//! A rope keeps its rule by its own projections (`chain`).
//!
//! With c across b: slip D = (1, b) (1, 0)^T + (pn/|xt|) c c^T, cone D = 1/2 (1, b) (1, b)^T + 1/2 (1 + r) c c^T, so a
//! sliding contact has two modes and a sticking one three.

use super::canon::{Canon, Cell, clip};
use super::chain;

/// Which law the contacts follow.
#[derive(Clone, Copy, Debug)]
pub(super) enum Law<'a> {
    Coulomb,
    /// Radii by row of the normal; of rows of ropes the sum of z before them.
    Tresca(&'a [f64]),
    Cone,
}

/// A derivative by its modes, D = sum_i f_i e_i^T over the first `rank`; a box uses the first entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Derivative {
    pub rank: usize,
    pub f: [[f64; 3]; 3],
    pub e: [[f64; 3]; 3],
}

/// The derivatives of all cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Derivatives {
    pub cells: Vec<Derivative>,
    /// Of rows of ropes: what they follow the sum of z before them by; none for those that are free.
    pub slope: Vec<Option<f64>>,
}

const UNITS: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const NONE: Derivative = Derivative { rank: 0, f: UNITS, e: UNITS };
const NORMAL: Derivative = Derivative { rank: 1, f: UNITS, e: UNITS };
const IDENTITY: Derivative = Derivative { rank: 3, f: UNITS, e: UNITS };

/// p = P(x).
pub(super) fn project(c: &Canon, law: Law<'_>, x: &[f64], p: &mut [f64]) {
    for cell in &c.cells {
        match *cell {
            Cell::Box { row, lo, hi } => p[row] = clip(x[row], lo, hi),
            Cell::Cone { row, .. } => p[row..row + 3].copy_from_slice(&contact(law, row, x).0),
            Cell::Chain { row, rows } => {
                p[row..row + rows].copy_from_slice(&x[row..row + rows]);
                chain::settle(c, law, row..row + rows, p, |_, _| ());
            }
        }
    }
}

/// p = P(x) and its derivative, one entry per cell.
pub(super) fn differentiate(c: &Canon, law: Law<'_>, x: &[f64], p: &mut [f64], all: &mut Derivatives) {
    let Derivatives { cells: d, slope } = all;
    d.clear();
    slope.clear();
    slope.resize(c.slopes.len(), None);
    for cell in &c.cells {
        match *cell {
            Cell::Box { row, lo, hi } => {
                p[row] = clip(x[row], lo, hi);
                d.push(if x[row] > lo && x[row] < hi { NORMAL } else { NONE });
            }
            Cell::Cone { row, .. } => {
                let (value, derivative) = contact(law, row, x);
                p[row..row + 3].copy_from_slice(&value);
                d.push(derivative);
            }
            Cell::Chain { row, rows } => {
                p[row..row + rows].copy_from_slice(&x[row..row + rows]);
                chain::settle(c, law, row..row + rows, p, |i, s| slope[i] = s);
                d.push(NONE);
            }
        }
    }
}

fn contact(law: Law<'_>, row: usize, x: &[f64]) -> ([f64; 3], Derivative) {
    let x = [x[row], x[row + 1], x[row + 2]];
    match law {
        Law::Coulomb => disc(x, x[0].max(0.0), true),
        Law::Tresca(radii) => disc(x, radii[row], false),
        Law::Cone => cone(x),
    }
}

/// The normal cut at 0, the tangents at the radius r, which is the normal itself if it `follows` it.
fn disc(x: [f64; 3], r: f64, follows: bool) -> ([f64; 3], Derivative) {
    let open = x[0] <= 0.0;
    let normal = x[0].max(0.0);
    if r <= 0.0 {
        return ([normal, 0.0, 0.0], if open { NONE } else { NORMAL });
    }
    let length = (x[1] * x[1] + x[2] * x[2]).sqrt();
    if length <= r {
        let tangents = Derivative { rank: 2, f: [UNITS[1], UNITS[2], UNITS[0]], e: [UNITS[1], UNITS[2], UNITS[0]] };
        return ([normal, x[1], x[2]], if open { tangents } else { IDENTITY });
    }
    let (b, s) = ([x[1] / length, x[2] / length], r / length);
    let along = if follows { [1.0, b[0], b[1]] } else { UNITS[0] };
    let slip = [[0.0, -b[1], b[0]], [0.0, -s * b[1], s * b[0]]];
    let d = if open {
        Derivative { rank: 1, f: [slip[0], along, UNITS[2]], e: [slip[1], UNITS[0], UNITS[2]] }
    } else {
        Derivative { rank: 2, f: [along, slip[0], UNITS[2]], e: [UNITS[0], slip[1], UNITS[2]] }
    };
    ([normal, r * b[0], r * b[1]], d)
}

fn cone(x: [f64; 3]) -> ([f64; 3], Derivative) {
    let length = (x[1] * x[1] + x[2] * x[2]).sqrt();
    if length <= x[0] {
        return (x, IDENTITY);
    }
    if length <= -x[0] {
        return ([0.0; 3], NONE);
    }
    let (b, a, r) = ([x[1] / length, x[2] / length], 0.5 * (x[0] + length), x[0] / length);
    let (along, s) = ([1.0, b[0], b[1]], 0.5 * (1.0 + r));
    let f = [along, [0.0, -b[1], b[0]], UNITS[2]];
    let e = [along.map(|v| 0.5 * v), [0.0, -s * b[1], s * b[0]], UNITS[2]];
    ([a, a * b[0], a * b[1]], Derivative { rank: 2, f, e })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_are_those_of_the_projections() {
        let mut c = Canon::default();
        c.n = 4;
        c.cells = vec![Cell::Cone { row: 0, t: 1.0 }, Cell::Box { row: 3, lo: -1.0, hi: 0.5 }];
        let radii = [0.7, 0.0, 0.0];
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((seed >> 11) as f64 / (1_u64 << 53) as f64) * 4.0 - 2.0
        };
        for law in [Law::Coulomb, Law::Tresca(&radii), Law::Cone] {
            for _ in 0..500 {
                let x: Vec<f64> = (0..4).map(|_| random()).collect();
                let (mut p, mut all) = (vec![0.0; 4], Derivatives::default());
                differentiate(&c, law, &x, &mut p, &mut all);
                let d = &all.cells;
                let mut twice = vec![0.0; 4];
                project(&c, law, &x, &mut twice);
                assert_eq!(p, twice);
                let h = 1e-6;
                for j in 0..4 {
                    let shifted = |s: f64| {
                        let (mut y, mut out) = (x.clone(), vec![0.0; 4]);
                        y[j] += s;
                        project(&c, law, &y, &mut out);
                        out
                    };
                    let (up, down) = (shifted(h), shifted(-h));
                    for i in 0..4 {
                        let expected = (up[i] - down[i]) / (2.0 * h);
                        let found = match (i, j) {
                            (3, 3) => entry(&d[1], 0, 0),
                            (3, _) | (_, 3) => 0.0,
                            _ => entry(&d[0], i, j),
                        };
                        // A kink within h of x has no derivative.
                        let kink = (expected - found).abs() > 1e-6 && near_kink(law, &x, h);
                        assert!(
                            kink || (expected - found).abs() < 1e-6,
                            "{law:?} {x:?} ({i}, {j}): {found} {expected}"
                        );
                    }
                }
            }
        }
    }

    fn entry(d: &Derivative, i: usize, j: usize) -> f64 {
        (0..d.rank).map(|k| d.f[k][i] * d.e[k][j]).sum()
    }

    fn near_kink(law: Law<'_>, x: &[f64], h: f64) -> bool {
        let t = (x[1] * x[1] + x[2] * x[2]).sqrt();
        let r = if let Law::Tresca(r) = law { r[0] } else { x[0].abs() };
        [x[0], t - r, x[3] + 1.0, x[3] - 0.5].iter().any(|d| d.abs() < 2.0 * h)
    }
}

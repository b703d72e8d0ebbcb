//! Slot: the offset between two points has no part along a direction of j. It is dot-2 seen from the other side:
//! ```text
//! phi(i, j) = (p_i + s_i - p_j - s_j) . u_j = -dot2(j, i),     J and K~ alike with the two bodies exchanged
//! ```
//! For joints whose directions belong to the base and not to what moves on it: a wheel spins, its suspension does not.

use super::{Dyad, Eval, Geo, Side, dot2};
use glam::DVec3;

pub(super) fn phi(i: &Side, j: &Side, si: DVec3, sj: DVec3, u: DVec3) -> f64 {
    -dot2::phi(j, i, sj, si, u)
}

pub(super) fn eval(i: &Side, j: &Side, si: DVec3, sj: DVec3, u: DVec3) -> Eval {
    let e = dot2::eval(j, i, sj, si, u);
    let minus = |rows: [[f64; 6]; 3]| rows.map(|r| r.map(|x| -x));
    Eval { phi: e.phi.map(|x| -x), ji: minus(e.jj), jj: minus(e.ji) }
}

pub(super) fn stiff_geo(i: &Side, j: &Side, si: DVec3, sj: DVec3, u: DVec3, lambda: f64, out: &mut Geo) {
    let mut k = [[0.0; 12]; 12];
    dot2::stiff_geo(j, i, sj, si, u, -lambda, &mut k);
    for (row, values) in k.iter().enumerate() {
        for (column, x) in values.iter().enumerate() {
            out[(row + 6) % 12][(column + 6) % 12] += x;
        }
    }
}

pub(super) fn low_rank(i: &Side, j: &Side, si: DVec3, sj: DVec3, u: DVec3, lambda: f64, out: &mut Vec<Dyad>) {
    let first = out.len();
    dot2::low_rank(j, i, sj, si, u, -lambda, out);
    for d in &mut out[first..] {
        d.a.rotate_left(6);
        d.b.rotate_left(6);
    }
}

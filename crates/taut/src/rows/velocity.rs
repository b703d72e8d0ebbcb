//! Velocities of rows and of anchors under the unknowns of a step: J v, without J where a joint is a ball.
//! ```text
//! ball:         J v = v_i + w_i x s_i - v_j - w_j x s_j
//! angular row:  J v = a.(w_i - w_j)
//! ```

use super::{Rows, width};
use crate::math::vec3;
use crate::solve::block_ldlt::MAX_DIM;
use crate::topology::{Group, Load, NONE, Topology};
use glam::DVec3;

#[inline(always)]
fn dot(n: usize, a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (&a[..n], &b[..n]);
    let mut sum = 0.0;
    for k in 0..n {
        sum += a[k] * b[k];
    }
    sum
}

/// J v of one row over the unknowns x; bodies without unknowns are in `drive`.
#[inline]
pub(crate) fn row_velocity(t: &Topology, g: &Group, r: usize, jac: &[f64], x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (b, at) in [(g.i(), g.jac_i()), (g.j(), g.jac_j())] {
        if at != NONE {
            let n = &t.nodes[b];
            let (j, v) = (&jac[at + r * n.dim..at + (r + 1) * n.dim], &x[n.x..n.x + n.dim]);
            sum += match n.dim {
                6 => dot(6, j, v),
                d => dot(d, j, v),
            };
        }
    }
    sum
}

/// J v of the rows of a joint over the unknowns x, its first numbers in `out`; bodies without unknowns are in `drive`.
#[inline(always)]
pub(crate) fn joint_velocity(t: &Topology, k: usize, rows: &Rows, x: &[f64], out: &mut [f64; MAX_DIM]) {
    let g = &t.groups[k];
    if g.load == Load::Point(0) {
        out[..3].copy_from_slice(&ball_velocity(t, k, rows, x).to_array());
    }
    if g.rows() != 3 || g.load != Load::Point(0) {
        other_rows(t, g, rows, x, out);
    }
}

/// The first three numbers of a joint whose first rows are a ball.
#[inline(always)]
pub(crate) fn ball_velocity(t: &Topology, k: usize, rows: &Rows, x: &[f64]) -> DVec3 {
    let (g, (si, sj)) = (&t.groups[k], rows.arms[k]);
    anchor(t, x, g.i(), si) - anchor(t, x, g.j(), sj)
}

/// The rows of a joint that are not of its ball.
#[inline(always)]
fn other_rows(t: &Topology, g: &Group, rows: &Rows, x: &[f64], out: &mut [f64; MAX_DIM]) {
    let from = if g.load == Load::Point(0) { 3 } else { 0 };
    let turning = |body: usize| if width(t, body) == 6 { vec3(x, t.nodes[body].x + 3) } else { DVec3::ZERO };
    let apart = turning(g.i()) - turning(g.j());
    let side = side(t, g);
    for r in from..g.rows() {
        out[r] = if from == 3 && g.angular >> r & 1 == 1 {
            side.part_of_row(&rows.jac, r, 3).dot(apart)
        } else {
            row_velocity(t, g, r, &rows.jac, x)
        };
    }
}

/// Velocity of an anchor under the unknowns x; zero for a side without unknowns.
#[inline(always)]
pub(crate) fn anchor(t: &Topology, x: &[f64], body: usize, arm: DVec3) -> DVec3 {
    if !t.is_node(body) {
        return DVec3::ZERO;
    }
    let n = &t.nodes[body];
    let v = vec3(x, n.x);
    if n.dim == 6 { v + vec3(x, n.x + 3).cross(arm) } else { v }
}

/// Linear part of a row's Jacobian over side i (minus that over j when i does not move).
#[inline]
pub(crate) fn linear_row(t: &Topology, g: &Group, jac: &[f64], r: usize) -> DVec3 {
    side(t, g).part_of_row(jac, r, 0)
}

/// Where the rows of a joint are read: over side i, or minus those over j when i does not move.
pub(crate) struct Side {
    at: usize,
    width: usize,
    sign: f64,
}

/// Of a joint.
#[inline(always)]
pub(crate) fn side(t: &Topology, g: &Group) -> Side {
    if g.jac_i() != NONE {
        Side { at: g.jac_i(), width: t.nodes[g.i()].dim, sign: 1.0 }
    } else {
        Side { at: g.jac_j(), width: t.nodes[g.j()].dim, sign: -1.0 }
    }
}

impl Side {
    /// The three numbers of a row from its linear part (`from` = 0) or its angular part (3): of a dot-1 row a x b.
    #[inline(always)]
    pub fn part_of_row(&self, jac: &[f64], r: usize, from: usize) -> DVec3 {
        self.sign * vec3(jac, self.at + r * self.width + from)
    }
}

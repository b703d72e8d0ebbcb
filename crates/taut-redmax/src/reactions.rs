//! What the rows of tree joints would carry: the multipliers of the joints that became coordinates.
//!
//! With u_i the impulse that the joint of link i puts on it at its centre, and J its rows over that body,
//! ```text
//! h J^T lambda = u_i - (servos),    hence    (J J^T) lambda = J (u_i - servos)/h
//! ```
//! exactly, since S has no motion along the rows. A point row carries all of the force, so that lambda of it is that force, and the other
//! rows beside it (no force in any of them) carry the torque that is left. So views, strengths and a later change of coordinates see the same forces.

use super::step::Mechanism;
use crate::articulated::{Fault, Load};
use taut::constraint::{Primitive, Side};
use taut::inner::{JointEntry, Model, OpenState, Twist, row_starts, slot_of};

/// Most rows of a tree joint.
const MAX: usize = 6;

/// Finds what each joint of the tree carries; the loops' part is added to the right-hand side.
pub(super) fn evaluate(m: &mut Mechanism) -> Result<(), Fault> {
    m.rows.add_wrenches(&m.loops.lambda, &mut m.body)?;
    let load = Load { joint: &m.joint, body: &m.body };
    m.solver.reactions(&load, &m.motion, &mut m.reactions)
}

/// Writes the multipliers of the tree joints; those of their motors are there already.
pub(super) fn multipliers(m: &Mechanism, model: &Model, state: &mut OpenState<'_>, h: f64) {
    for (i, l) in m.tree.links.iter().enumerate() {
        let Some(j) = l.joint.and_then(|slot| model.joints.at(slot)) else { continue };
        let carried = (1.0 / h) * Twist::from_array(&m.reactions[i]);
        let sides = [j.i, j.j].map(|b| &m.sides[slot_of(b)]);
        of_joint(j, slot_of(j.i) == l.body, sides, carried, state);
    }
}

fn of_joint(j: &JointEntry, child_is_i: bool, sides: [&Side; 2], mut carried: Twist, state: &mut OpenState<'_>) {
    let (mut rows, mut at, mut n) = ([Twist::default(); MAX], [0; MAX], 0);
    let (alone, mut point) = (has_one_force(j), None);
    for (start, spec) in row_starts(&j.rows) {
        let to = j.row_start + start;
        if let Primitive::Point { si, sj } = &spec.primitive
            && alone
        {
            point = Some((to, if child_is_i { sides[0].rot * *si } else { sides[1].rot * *sj }));
            continue;
        }
        let e = spec.primitive.eval(sides[0], sides[1]);
        for r in 0..spec.primitive.rows() {
            let row = Twist::from_array(if child_is_i { &e.ji[r] } else { &e.jj[r] });
            // A motor that keeps its rate acts through the dual and is not in `carried`.
            if spec.motor.is_some() {
                if !spec.soft.damping.is_infinite() {
                    carried = carried - state.lambda[to + r] * row;
                }
            } else if n < MAX {
                (rows[n], at[n], n) = (row, to + r, n + 1);
            }
        }
    }
    if let Some((to, arm)) = point {
        let force = if child_is_i { carried.lin } else { -carried.lin };
        state.lambda[to..to + 3].copy_from_slice(&force.to_array());
        carried.ang -= arm.cross(carried.lin);
    }
    if n == 0 {
        return;
    }
    let mut x = [0.0; MAX];
    least_squares(&rows[..n], carried, &mut x[..n]);
    for r in 0..n {
        state.lambda[at[r]] = x[r];
    }
}

/// Whether the force of a joint is that of one point: all other rows are torques.
fn has_one_force(j: &JointEntry) -> bool {
    let forces = j.rows.iter().filter(|s| !s.primitive.is_angular());
    let mut forces = forces.map(|s| matches!(s.primitive, Primitive::Point { .. }) && s.motor.is_none());
    forces.next() == Some(true) && forces.next().is_none()
}

/// x with (J J^T) x = J u, by elimination; J has independent rows.
fn least_squares(rows: &[Twist], u: Twist, x: &mut [f64]) {
    let n = rows.len();
    let mut a = [[0.0; MAX]; MAX];
    for r in 0..n {
        x[r] = rows[r].dot(u);
        for c in r..n {
            a[r][c] = rows[r].dot(rows[c]);
        }
    }
    // The upper triangle holds D L^T.
    for k in 0..n {
        let inverse = 1.0 / a[k][k];
        for r in k + 1..n {
            let f = a[k][r] * inverse;
            for c in r..n {
                a[r][c] -= f * a[k][c];
            }
            x[r] -= f * x[k];
        }
    }
    for k in (0..n).rev() {
        let rest: f64 = (k + 1..n).map(|c| a[k][c] * x[c]).sum();
        x[k] = (x[k] - rest) / a[k][k];
    }
}

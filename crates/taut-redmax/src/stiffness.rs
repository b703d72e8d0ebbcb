//! The stiffness of joint reactions: what keeps taut chains of light links stable at large steps, one block per body.
//!
//! Per link b, from the forces F at arms s and the moments T that its joints put on it (those of the tree too: they are in the state),
//! ```text
//! S_b = sum |F| |s| (I - s s^T/|s|^2) + kappa |T| (I - T T^T/|T|^2),     A_b = h^2 S_b        (as in `stabilise::aligned`)
//! J^T (M + A) J y+ = J^T (M v + h f)
//! ```
//! A is not given back (no memory), so that the step cannot gain energy by it: what it takes is booked. A rod under the force l is
//! stiff across its length, h^2 |l|/length, coupled between its ends like a spring under tension.

use super::parts::link;
use super::step::Mechanism;
use crate::tuning::T;
use glam::{DMat3, DVec3};
use taut::Force;
use taut::constraint::Primitive;
use taut::inner::{JointEntry, Model, NONE, across_arm, across_moment, grew, kappa, row_starts, slot_of};

/// h^2 S of all links with the multipliers `lambda`, at the poses of `now`.
pub(super) fn evaluate(m: &Mechanism, model: &Model, lambda: &[f64], h: f64, out: &mut Vec<DMat3>) {
    out.clear();
    out.resize(m.tree.links.len(), DMat3::ZERO);
    for (_, j) in model.joints.iter().filter(|(_, j)| !j.is_spring()) {
        if [j.i, j.j].iter().any(|&b| link(&m.tree, b) != NONE) {
            of_joint(m, j, &lambda[j.row_start..j.row_start + j.row_count], h * h, out);
        }
    }
    for part in &m.parts.springs {
        let Some(Force::Spring(s)) = model.forces.at(part.force).map(|f| &f.force) else { continue };
        let [i, j] = [s.i, s.j].map(|b| m.now[slot_of(b)].pose);
        let (si, sj) = (i.rot * s.point_i, j.rot * s.point_j);
        let d = i.pos + si - j.pos - sj;
        let tension = h * h * s.stiffness * (d.length() - s.rest_length).abs();
        add(m, [link(&m.tree, s.i), link(&m.tree, s.j)], (si, sj), tension, out);
    }
}

fn of_joint(m: &Mechanism, j: &JointEntry, lambda: &[f64], h2: f64, out: &mut [DMat3]) {
    let sides = [j.i, j.j].map(|b| &m.sides[slot_of(b)]);
    let ends = [j.i, j.j].map(|b| link(&m.tree, b));
    let (mut force, mut moment, mut arms) = (DVec3::ZERO, DVec3::ZERO, (DVec3::ZERO, DVec3::ZERO));
    let mut rigid = 0;
    for (start, spec) in row_starts(&j.rows).filter(|(_, s)| s.motor.is_none()) {
        let e = spec.primitive.eval(sides[0], sides[1]);
        let row = |r: usize, from: usize| DVec3::from_slice(&e.ji[r][from..from + 3]);
        let rows = 0..spec.primitive.rows();
        match spec.primitive {
            Primitive::Point { si, sj } => {
                force += rows.map(|r| lambda[start + r] * row(r, 0)).sum::<DVec3>();
                arms = (sides[0].rot * si, sides[1].rot * sj);
            }
            Primitive::Dot2 { sj, .. } => {
                force += lambda[start] * row(0, 0);
                // The force acts at j's anchor: i's arm ends there.
                let b = sides[1].rot * sj;
                arms = (sides[1].pos + b - sides[0].pos, b);
            }
            Primitive::Slot { si, .. } => {
                force += lambda[start] * row(0, 0);
                // The force acts at i's anchor: j's arm ends there.
                let a = sides[0].rot * si;
                arms = (a, sides[0].pos + a - sides[1].pos);
            }
            Primitive::Dot1 { .. } => {
                moment += lambda[start] * row(0, 3);
                rigid += 1;
            }
            Primitive::Distance { si, sj, .. } => {
                add(m, ends, (sides[0].rot * si, sides[1].rot * sj), h2 * lambda[start].abs(), out);
            }
            Primitive::Axial { .. } | Primitive::Lock { .. } | Primitive::Twist { .. } => {}
        }
    }
    add(m, ends, arms, h2 * force.length(), out);
    // Three rows of this kind leave no turning between the two: nothing to be stiff against.
    if rigid < 3 {
        for i in ends.into_iter().filter(|&i| i != NONE) {
            out[i] += across_moment(moment, h2 * kappa());
        }
    }
}

/// A force at the arms of two links.
fn add(m: &Mechanism, ends: [usize; 2], arms: (DVec3, DVec3), f: f64, out: &mut [DMat3]) {
    for (i, s) in ends.into_iter().zip([arms.0, arms.1]).filter(|e| e.0 != NONE) {
        if !m.tree.links[i].is_particle {
            out[i] += across_arm(s, f);
        }
    }
}

/// Whether A has grown so much from `old` to `new` that the solve has to be done again.
pub(super) fn jumped(m: &Mechanism, model: &Model, old: &[DMat3], new: &[DMat3]) -> bool {
    m.tree.links.iter().enumerate().any(|(i, l)| {
        let Some(b) = model.bodies.at(l.body).filter(|_| !l.is_particle) else { return false };
        let rot = DMat3::from_quat(m.now[l.body].pose.rot);
        let inertia = rot * b.inertia * rot.transpose();
        (0..3).any(|k| {
            let (now, was) = (new[i].col(k)[k], old[i].col(k)[k]);
            grew(was, now, inertia.col(k)[k], T.redmax.jump)
        })
    })
}

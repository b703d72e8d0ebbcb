//! The last stages for four worlds at a time: where the solutions that stand lead.

use super::vectors::{get, lane, mask, take_over, zero};
use super::{Abreast, Body, Turning, each};
use crate::bounded::turned;
use crate::constraint::Side;
use crate::math::lanes::{LANES, Mask, Mat4, Number, Sym4, Vec4, quat4, turned as turn_by};
use crate::tuning::T;
use glam::{DMat3, DVec3};
use std::f64::consts::FRAC_PI_2;

/// A shortcut of `integrate`: velocities that are nothing are zero.
#[inline(always)]
fn flush<F: Number>(v: Vec4<F>) -> Vec4<F> {
    Vec4 { x: flush_one(v.x), y: flush_one(v.y), z: flush_one(v.z) }
}

#[inline(always)]
fn flush_one<F: Number>(x: F) -> F {
    x.abs().below(F::all(T.rows.nothing)).select(F::all(0.0), x)
}

impl Abreast {
    /// Solutions of some lanes stand.
    #[inline(always)]
    pub(super) fn done<F: Number>(&mut self, lanes: [bool; LANES]) {
        let which = mask::<F>(lanes);
        take_over::<F>(which, &self.x, &mut self.done);
    }

    /// Poses after the step (`integrate`), and which lanes have lost a number.
    #[inline(always)]
    pub(super) fn poses<F: Number>(&mut self) {
        let mut sum = F::all(0.0);
        for x in &self.done {
            sum = sum + F::load(x);
        }
        let h = F::all(self.h);
        for body in &mut self.bodies {
            let vel = flush(get::<F>(&self.done, body.x));
            let pos = Vec4::load(&body.pos) + vel * h;
            let omega = flush(get::<F>(&self.done, body.x + 3));
            let quat = quat4::<F>(&body.quat);
            let o = F::all(0.0);
            let stands = omega.x.equals(o) & omega.y.equals(o) & omega.z.equals(o);
            let next = turn_by(omega * h, quat);
            vel.store(&mut body.next.vel);
            pos.store(&mut body.next.pos);
            omega.store(&mut body.next.omega);
            for c in 0..4 {
                let q = stands.select(quat[c], next[c]);
                sum = sum + q;
                q.store(&mut body.next.quat[c]);
            }
            // A body that stands has the matrix of its turn already.
            Mat4::<F>::of_turn(quat4(&body.next.quat)).store(&mut body.next.rot);
            sum = sum + (pos.x + pos.y + pos.z);
        }
        // One bad number makes the sum bad.
        let sum = sum.array();
        (0..LANES).for_each(|k| self.fine[k] &= sum[k].is_finite());
    }

    /// Turns of the freedoms that are counted (`bounded::turned`).
    #[inline(always)]
    pub(super) fn turns<F: Number>(&mut self) {
        let mut turns = std::mem::take(&mut self.turns);
        for turn in &mut turns {
            let ((ri, wi), (rj, wj)) = (self.after::<F>(turn.i), self.after::<F>(turn.j));
            let apart: Vec4<F> = wi - wj;
            let by = apart.length() * F::all(self.h);
            let (ui, uj) = (ri.times(Vec4::load(&turn.ends[0])), rj.times(Vec4::load(&turn.ends[1])));
            let stays = mask::<F>(turn.low) & by.below(F::all(FRAC_PI_2)) & F::all(0.0).below(ui.dot(uj));
            turn.next = turn.last;
            if !stays.all() {
                (0..LANES).filter(|&k| !stays.lane(k)).for_each(|k| self.count(turn, k));
            }
        }
        self.turns = turns;
    }

    /// Rotation and angular velocity of a body after the step.
    #[inline(always)]
    fn after<F: Number>(&self, n: usize) -> (Mat4<F>, Vec4<F>) {
        match self.bodies.get(n) {
            Some(b) => (Mat4::load(&b.next.rot), Vec4::load(&b.next.omega)),
            None => (self.pose(n).1, zero()),
        }
    }

    /// The position of a freedom after the step, in a lane where its turns may have changed.
    #[cold]
    #[inline(never)]
    fn count(&self, turn: &mut Turning, k: usize) {
        let before = [turn.i, turn.j].map(|n| self.side(n, k, false));
        let after = [turn.i, turn.j].map(|n| self.side(n, k, true));
        let omega = |n: usize| self.bodies.get(n).map_or(DVec3::ZERO, |b| lane(&b.next.omega, k));
        let turning = omega(turn.i) - omega(turn.j);
        turn.next[k] = turned::passed(&turn.of[k], turn.last[k], &before, &after, turning, self.h);
    }

    /// A body of one lane, before or after the step.
    fn side(&self, n: usize, k: usize, after: bool) -> Side {
        let (pos, rot) = match self.bodies.get(n) {
            Some(b) if after => (&b.next.pos, &b.next.rot),
            Some(b) => (&b.pos, &b.rot),
            None => (&self.still[n - self.bodies.len()].pos, &self.still[n - self.bodies.len()].rot),
        };
        Side { pos: lane(pos, k), rot: DMat3::from_cols(lane(&rot[0], k), lane(&rot[1], k), lane(&rot[2], k)) }
    }

    /// The result into what is kept from step to step, in some lanes.
    #[inline(always)]
    pub(super) fn commit<F: Number>(&mut self, lanes: [bool; LANES]) {
        let (which, probed) = (mask::<F>(lanes), mask::<F>(each(|k| lanes[k] && self.probed[k])));
        let per_hk = F::of(self.hk.map(|hk| 1.0 / hk));
        for body in &mut self.bodies {
            let Body { next, pos, quat, rot, vel, omega, .. } = body;
            take_over::<F>(which, &next.pos, pos);
            take_over::<F>(which, &next.quat, quat);
            for c in 0..3 {
                take_over::<F>(which, &next.rot[c], &mut rot[c]);
            }
            take_over::<F>(which, &next.vel, vel);
            take_over::<F>(which, &next.omega, omega);
            let added = Sym4::of_matrix(&Mat4::<F>::load(&body.added)).parts();
            for c in 0..6 {
                which.select(added[c], F::load(&body.before[c])).store(&mut body.before[c]);
            }
            take_over::<F>(probed, &body.probe_next, &mut body.probe);
        }
        for joint in &mut self.joints {
            for r in 0..3 + joint.pairs {
                let found = -F::load(&self.done[joint.x + r]) * per_hk;
                which.select(found, F::load(&joint.lambda[r])).store(&mut joint.lambda[r]);
            }
        }
    }
}

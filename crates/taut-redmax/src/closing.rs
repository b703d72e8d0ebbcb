//! Closes loops at the end of a step by moving the poses alone: Newton on the gaps in the metric of the step (Faure).
//!
//! ```text
//! A d - G^T m = 0,   G d = -g,   q <- q (+) d        with J, G of the present pose
//! ```
//! Quadratic, so that two or three passes leave rounding. A pass turns no link by more than `T.redmax.turn` and is taken back when it does not
//! help: near singular poses, and where rows contradict each other.

use super::assemble::push_row;
use super::parts::Kind;
use super::step::Mechanism;
use crate::articulated::Load;
use crate::tuning::T;
use taut::inner::Model;

impl Mechanism {
    /// Closes the loops at the poses of `now`.
    pub(super) fn close_loops(&mut self, model: &Model) {
        let mut worst = if self.settings.closing > 0 { self.gather_gaps(model) } else { 0.0 };
        for _ in 0..self.settings.closing {
            if worst <= T.redmax.closed {
                break;
            }
            self.kept.clone_from(&self.kin.q);
            let Some(after) = self.closing_pass(model).filter(|after| *after < worst) else {
                self.kin.q.clone_from(&self.kept);
                self.place();
                break;
            };
            worst = after;
        }
    }

    /// One pass; the largest gap after it, or `None` where the system cannot be solved.
    fn closing_pass(&mut self, model: &Model) -> Option<f64> {
        self.jacobian();
        self.solver.factor().ok()?;
        self.motion.y.fill(0.0);
        self.solver.solve_loops(&Load::default(), &self.rows, &mut self.motion, &mut self.loops).ok()?;
        let turn = |v: &[f64; 6]| f64::sqrt(v[3] * v[3] + v[4] * v[4] + v[5] * v[5]);
        let most = self.motion.v.iter().map(turn).fold(0.0, f64::max);
        if !most.is_finite() {
            return None;
        }
        let share = if most > T.redmax.turn { T.redmax.turn / most } else { 1.0 };
        self.kin.advance(&self.tree, &self.motion.y, share);
        self.place();
        Some(self.gather_gaps(model))
    }

    /// Writes the rows that close the gaps of rigid loop rows; returns the largest gap.
    fn gather_gaps(&mut self, model: &Model) -> f64 {
        self.rows.clear();
        let mut worst = 0.0_f64;
        for part in self.parts.rows.iter().filter(|p| p.kind == Kind::Loop) {
            let Some(j) = model.joints.at(part.joint) else { continue };
            let spec = &j.rows[part.spec];
            if spec.motor.is_some() || spec.soft.compliance > 0.0 {
                continue;
            }
            let e = self.evaluate(part, j);
            for r in 0..spec.primitive.rows() {
                let ends = self.ends(j, &e, r);
                if self.kin.reaches(&self.tree, &ends) {
                    push_row(&mut self.rows, &ends, 0.0, -e.phi[r]);
                    worst = worst.max(e.phi[r].abs());
                }
            }
        }
        worst
    }
}

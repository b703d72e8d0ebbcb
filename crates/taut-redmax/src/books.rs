//! Energies of a reduced step and where its energy went.
//!
//! With v~ = J(q) y+ + v0 the new velocity at the old pose and vb = (v + v~)/2 every impulse p does the work p.vb:
//! ```text
//! T(v~) - T(v) = sum p.vb,     T(v+) - T(v~): the links turn from the old pose to the new one (integration)
//! joint of the tree without servos, impulse u on link i:   u.(vb_i - X_i vb_p), of which X_i vb_p is work where p is moved by the user
//! ```
//! Potentials are centred in time as in `report`. No entry is the remainder of the others.

use super::parts::{Springs, link};
use super::step::Mechanism;
use glam::DVec3;
use taut::inner::{
    Gaps, JointEntry, Lightness, Model, NONE, OpenState, Parent, TreeLink, Twist, elastic, row_starts, settle, slot_of,
    span, stored,
};
use taut::{Energy, Force, Ledger};

/// Velocity of both ends of something, new and mean, and the mean of the end that does not move by itself.
struct Relative {
    new: DVec3,
    mean: DVec3,
    driven: DVec3,
}

/// Kinetic energy of a body, J; `spin` is w . I w.
#[inline]
fn kinetic(mass: f64, v: DVec3, spin: f64) -> f64 {
    0.5 * (mass * v.length_squared() + spin)
}

impl Mechanism {
    /// Kinetic energy of all links where they are, J.
    pub(super) fn kinetic_now(&self, model: &Model) -> f64 {
        let of = |(i, l): (usize, &TreeLink)| {
            let v = self.velocity(i);
            let Some(b) = model.bodies.at(l.body) else { return 0.0 };
            let w = self.sides[l.body].rot.transpose() * v.ang;
            kinetic(b.mass, v.lin, w.dot(b.inertia * w))
        };
        self.tree.links.iter().enumerate().map(of).sum()
    }

    /// v~: the new velocity of a link at the old pose.
    pub(super) fn fresh(&self, i: usize) -> Twist {
        Twist::from_array(&self.motion.v[i]) + self.kin.carried[i]
    }

    /// Potentials (gravity, elastic) at the poses of `now` with the multipliers of `state`, J.
    pub(super) fn potential(&self, model: &Model, state: &OpenState<'_>, gravity: DVec3) -> [f64; 2] {
        let weight = |slot: usize| model.bodies.at(slot).map_or(0.0, |b| b.weight());
        let height = |slot: usize| -weight(slot) * gravity.dot(self.now[slot].pose.pos);
        let g = self.tree.links.iter().map(|l| height(l.body)).sum();
        let mut e = 0.0;
        for part in &self.parts.springs {
            if let Some(Force::Spring(s)) = model.forces.at(part.force).map(|f| &f.force) {
                let end = |slot: usize, p: DVec3| self.now[slot].pose.to_world(p);
                e += s.energy((end(slot_of(s.i), s.point_i) - end(slot_of(s.j), s.point_j)).length());
            }
        }
        for part in &self.parts.rows {
            let Some(j) = model.joints.at(part.joint) else { continue };
            let (spec, at) = (&j.rows[part.spec], j.row_start + part.start);
            let c = spec.soft.compliance;
            if c > 0.0 && c.is_finite() && spec.motor.is_none() {
                let phi = self.evaluate(part, j).phi;
                e += (0..spec.primitive.rows()).map(|r| stored(c, phi[r], state.stretch[at + r])).sum::<f64>();
            }
        }
        [g, e]
    }

    /// Work of everything in the solve, at the poses of the step; `state` has the new multipliers, and gets the stretch of compliant rows.
    /// Also the kinetic energies T(v) and T(v~).
    pub(super) fn book(&self, model: &Model, state: &mut OpenState<'_>, gravity: DVec3, h: f64) -> (Ledger, [f64; 2]) {
        let (mut ledger, mut energy) = (Ledger::default(), [0.0; 2]);
        for (i, l) in self.tree.links.iter().enumerate() {
            let Some(b) = model.bodies.at(l.body) else { continue };
            let (old, new, z) = (self.now[l.body].twist, self.fresh(i), &self.bias[i]);
            let (mean, inertia) = (0.5 * (old + new), &self.inertia[i]);
            let (spin, spin_new) = (*inertia * old.ang, *inertia * new.ang);
            energy[0] += kinetic(b.mass, old.lin, old.ang.dot(spin));
            energy[1] += kinetic(b.mass, new.lin, new.ang.dot(spin_new));
            ledger.work += h * (b.load.0.dot(mean.lin) + b.load.1.dot(mean.ang));
            ledger.damping -= h * b.linear_damping * b.mass * new.lin.dot(mean.lin);
            ledger.damping -= h * b.angular_damping * spin_new.dot(mean.ang);
            ledger.integration += h * b.mass * (b.gravity_scale * gravity - z.lin).dot(mean.lin);
            let gyroscopic = self.gyroscopic(*inertia, old.ang);
            ledger.integration -= h * (*inertia * z.ang - gyroscopic).dot(mean.ang);
            ledger.stabiliser -= (self.added[i] * new.ang).dot(mean.ang);
            if self.parts.bearing[i] {
                self.book_bearing(i, mean, &mut ledger);
            }
        }
        for (_, f) in model.forces.iter() {
            self.book_force(model, &f.force, h, &mut ledger);
        }
        for j in self.parts.others.iter().filter_map(|&slot| model.joints.at(slot)) {
            self.book_joint(j, state, h, &mut ledger);
        }
        for (rod, &w) in self.parts.rods.iter().zip(&self.across) {
            let part = &self.parts.rows[rod.row];
            let Some(j) = model.joints.at(part.joint) else { continue };
            let term = self.rod(j, part.spec);
            let v = self.relative([j.i, j.j].map(slot_of), [term.si, term.sj]);
            let side = -w * (v.new - term.u.dot(v.new) * term.u);
            ledger.stabiliser += side.dot(v.mean);
            ledger.work -= side.dot(v.driven);
        }
        (ledger, energy)
    }

    /// A joint that only carries: the impulse u on link i and -X^T u on what it hangs on.
    fn book_bearing(&self, i: usize, mean: Twist, ledger: &mut Ledger) {
        let u = Twist::from_array(&self.reactions[i]);
        let carrier = match self.tree.links[i].parent {
            Parent::Link(p) => 0.5 * (self.now[self.tree.links[p].body].twist + self.fresh(p)),
            Parent::Body(slot) => self.now[slot].twist,
            Parent::World => Twist::default(),
        };
        let carried = carrier.moved(self.kin.arm[i]);
        ledger.constraints += u.dot(mean - carried);
        if let Parent::Body(_) = self.tree.links[i].parent {
            ledger.work += u.dot(carried);
        }
    }

    /// Old and new velocity of a body.
    fn velocities(&self, slot: usize) -> (Twist, Twist, bool) {
        match self.tree.link_of[slot] {
            NONE => (self.now[slot].twist, self.now[slot].twist, true),
            i => (self.now[slot].twist, self.fresh(i), false),
        }
    }

    fn relative(&self, slots: [usize; 2], arms: [DVec3; 2]) -> Relative {
        let mut out = Relative { new: DVec3::ZERO, mean: DVec3::ZERO, driven: DVec3::ZERO };
        for (k, sign) in [(0, 1.0), (1, -1.0)] {
            let (old, new, driven) = self.velocities(slots[k]);
            let mean = sign * (0.5 * (old + new)).moved(arms[k]).lin;
            out.new += sign * new.moved(arms[k]).lin;
            out.mean += mean;
            if driven {
                out.driven += mean;
            }
        }
        out
    }

    fn book_force(&self, model: &Model, force: &Force, h: f64, ledger: &mut Ledger) {
        let slot = slot_of(force.bodies().0);
        let (old, new, fixed) = self.velocities(slot);
        let (pose, mean) = (self.now[slot].pose, 0.5 * (old + new));
        match force {
            Force::Point { point, force, .. } if !fixed => {
                ledger.work += h * force.dot(mean.moved(pose.rot * *point).lin);
            }
            Force::Torque { torque, .. } if !fixed => ledger.work += h * torque.dot(mean.ang),
            Force::Drag { linear, angular, .. } if !fixed => {
                ledger.damping -= h * (linear * new.lin.dot(mean.lin) + angular * new.ang.dot(mean.ang));
            }
            Force::Mouse(m) if !fixed => {
                let (k, c) = m.constants(model.bodies.at(slot).map_or(0.0, |b| b.mass));
                let arm = pose.rot * m.point;
                let pull = h * (k * (m.target - pose.pos - arm) - (h * k + c) * new.moved(arm).lin);
                ledger.work += pull.dot(mean.moved(arm).lin);
            }
            Force::Spring(s) => {
                if [s.i, s.j].map(|b| link(&self.tree, b)) == [NONE, NONE] {
                    return;
                }
                let slots = [slot_of(s.i), slot_of(s.j)];
                let [i, j] = slots.map(|k| self.now[k].pose);
                let mut term = span(i.pos, i.rot * s.point_i, j.pos, j.rot * s.point_j);
                let tension = elastic(s, [1.0; 2], h, h, &mut term);
                let v = self.relative(slots, [term.si, term.sj]);
                let (rate, along) = (term.u.dot(v.new), term.u.dot(v.mean));
                let damper = -h * s.damping * rate;
                let spring = -h * (tension + h * s.stiffness * rate);
                let across = if self.settings.springs == Springs::Material { 0.0 } else { term.across };
                let side = -across * (v.new - rate * term.u);
                ledger.damping += damper * along;
                ledger.constraints += spring * along + side.dot(v.mean);
                ledger.work -= ((damper + spring) * term.u + side).dot(v.driven);
            }
            _ => {}
        }
    }

    fn book_joint(&self, j: &JointEntry, state: &mut OpenState<'_>, h: f64, ledger: &mut Ledger) {
        let slots = [slot_of(j.i), slot_of(j.j)];
        let ends = slots.map(|s| self.velocities(s));
        if ends[0].2 && ends[1].2 {
            return;
        }
        let sides = slots.map(|s| &self.sides[s]);
        for (start, spec) in row_starts(&j.rows) {
            let e = spec.primitive.eval(sides[0], sides[1]);
            for r in 0..spec.primitive.rows() {
                let rows = [Twist::from_array(&e.ji[r]), Twist::from_array(&e.jj[r])];
                let (mut new, mut mean, mut driven) = (0.0, 0.0, 0.0);
                for (row, end) in rows.iter().zip(&ends) {
                    let m = row.dot(0.5 * (end.0 + end.1));
                    new += row.dot(end.1);
                    mean += m;
                    driven += if end.2 { m } else { 0.0 };
                }
                let at = j.row_start + start + r;
                let lambda = state.lambda[at];
                let soft = spec.soft.compliance > 0.0 && spec.motor.is_none();
                let damper = if soft { -spec.soft.damping * new } else { 0.0 };
                if soft {
                    state.stretch[at] = (e.phi[r] + h * new).abs();
                }
                ledger.work -= h * lambda * driven;
                if spec.motor.is_some() {
                    ledger.work += h * lambda * mean;
                } else {
                    ledger.damping += h * damper * mean;
                    ledger.constraints += h * (lambda - damper) * mean;
                }
            }
        }
    }

    /// Closes the books: energies after the step, the ledger, and half the change of the potentials.
    pub(super) fn close(
        &self,
        mut ledger: Ledger,
        kinetic: [f64; 3],
        before: ([f64; 2], [f64; 2]),
        after: [f64; 2],
    ) -> (Energy, Ledger, [f64; 2]) {
        let ((v, old_lag), [old, fresh, new]) = (before, kinetic);
        let lag = [0.5 * (after[0] - v[0]), 0.5 * (after[1] - v[1])];
        let change = [lag[0] + old_lag[0], lag[1] + old_lag[1]];
        ledger.integration += change[0] + new - fresh;
        ledger.constraints += change[1];
        ledger.change = new - old + change[0] + change[1];
        settle(&mut ledger);
        (Energy { kinetic: new, gravity: after[0] - lag[0], elastic: after[1] - lag[1] }, ledger, lag)
    }

    /// How far rigid joints are open at the poses of `now`.
    pub(super) fn gaps(&self, model: &Model) -> Gaps {
        let mut out = Gaps::default();
        for (key, j) in model.joints.iter().filter(|(_, j)| !j.is_spring()) {
            let sides = [j.i, j.j].map(|b| &self.sides[slot_of(b)]);
            let mut gap2 = 0.0_f64;
            let light = Lightness::of(model, j);
            for spec in j.rows.iter().filter(|s| s.motor.is_none() && light.is_held(s)) {
                let all = spec.primitive.phi(sides[0], sides[1]);
                for &phi in &all[..spec.primitive.rows()] {
                    if spec.primitive.is_angular() {
                        out.turn(phi);
                    } else {
                        gap2 += phi * phi;
                    }
                }
            }
            out.open(key.slot as usize, gap2.sqrt());
        }
        out
    }
}

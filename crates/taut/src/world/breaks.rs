//! Joints that break within a step. When the solve has found its forces, those that carry more than they can are made dead and the same
//! step is solved once more, in which they pull with what they could carry: what was held goes on with the momentum it had, less the
//! impulse F_max h. Others that the load then breaks follow in further rounds; what is still too weak after `T.passes.breaks` of them
//! breaks when the step is over.

use super::World;
use crate::desk::Desk;
use crate::desk::inputs::Given;
use crate::error::Result;
use crate::events::Event;
use crate::ids::{BodyId, JointId};
use crate::joints::{Strength, row_starts};
use crate::model::{BodyEntry, JointEntry, Model};
use crate::report::{Ledger, StepReport};
use crate::topology::NONE;
use glam::DVec3;

/// A joint that breaks in this step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Break {
    joint: JointId,
    bodies: (BodyId, BodyId),
    /// What it would have had to carry, N and N m.
    force: f64,
    torque: f64,
    /// Force and torque about the centres of mass of its bodies while it breaks, N and N m.
    pulls: [(DVec3, DVec3); 2],
}

/// The breaks of a step, and what has to be put back.
#[derive(Debug, Default)]
pub(super) struct Breaks {
    all: Vec<Break>,
    /// Limits of theirs that were reached.
    reached: Vec<Event>,
    /// How many of them belong to the part of the step that is being solved.
    now: usize,
    /// Bodies with the load (force, torque) and the velocities (linear, angular) that they had before the first break of the part.
    noted: Vec<(BodyId, [DVec3; 4])>,
    /// Rounds of this part.
    pub rounds: usize,
    /// Elastic energy, and that of their armatures, that they took with them, J, and the lag that went with it.
    gone: f64,
    lag: Option<f64>,
    was_loaded: bool,
}

/// The joints that carry more than they can.
pub(super) fn find(model: &Model, t: &Given<'_>, desk: &Desk) -> Vec<Break> {
    let weak = model.joints.iter().filter_map(|(k, j)| Some((JointId(k), j, j.strength?)));
    weak.filter_map(|(id, j, strength)| over(t, desk, id, j, strength)).collect()
}

/// Whether a joint carries more than it can, with what it carries.
fn over(t: &Given<'_>, desk: &Desk, joint: JointId, j: &JointEntry, strength: Strength) -> Option<Break> {
    let dense = [j.i, j.j].map(|b| t.dense_of[b.0.slot as usize]);
    let (i, base) = (t.inputs.kin.get(dense[0])?.side(), t.inputs.kin.get(dense[1])?.side());
    let found = &desk.force.found;
    let (mut on_i, mut on_j) = ((DVec3::ZERO, DVec3::ZERO), (DVec3::ZERO, DVec3::ZERO));
    let mut add = |l: f64, ji: &[f64; 6], jj: &[f64; 6]| {
        for (sum, row) in [(&mut on_i, ji), (&mut on_j, jj)] {
            sum.0 += l * DVec3::new(row[0], row[1], row[2]);
            sum.1 += l * DVec3::new(row[3], row[4], row[5]);
        }
    };
    let slot = joint.0.slot as usize;
    if let Some(g) = t.group_of.get(slot).filter(|&&k| k != NONE).map(|&k| &t.groups[k]).filter(|g| !g.dead) {
        for (start, spec) in row_starts(&j.rows) {
            let e = spec.primitive.eval(&i, &base);
            (0..spec.primitive.rows()).for_each(|q| add(found[g.row() + start + q], &e.ji[q], &e.jj[q]));
        }
    }
    for k in t.bounds_of(slot) {
        let m = crate::bounded::measure(&t.bounds[k].spec, &i, &base);
        add(found[t.row_count + k], &m.ji, &m.jj);
    }
    let arm = i.rot * j.frames.i.origin;
    let (force, torque) = (on_i.0.length(), (on_i.1 - arm.cross(on_i.0)).length());
    if force <= strength.force && torque <= strength.torque {
        return None;
    }
    // A number that is not finite is another stage's to refuse.
    let share = f64::min(strength.force / force.max(strength.force), strength.torque / torque.max(strength.torque));
    let share = if share.is_finite() { share } else { 0.0 };
    let pulls = [on_i, on_j].map(|(f, m)| (share * f, share * m));
    let held = stopping(t, dense, &pulls);
    let pulls = pulls.map(|(f, m)| (held * f, held * m));
    Some(Break { joint, bodies: (j.i, j.j), force, torque, pulls })
}

/// The part of some pulls, up to all of them, that does no more in the step than stop what their bodies would do by themselves against them.
/// All of it on a light body would throw it: with p the pulls and M v+ the momentum without them,
/// ```text
/// part = -(p . v+)/(h p . M^-1 p), between 0 and 1
/// ```
fn stopping(t: &Given<'_>, dense: [usize; 2], pulls: &[(DVec3, DVec3); 2]) -> f64 {
    let (mut against, mut gives) = (0.0, 0.0);
    for (n, &(force, torque)) in dense.into_iter().zip(pulls).filter(|(n, _)| t.is_node(*n)) {
        let (node, rhs) = (&t.nodes[n], &t.inputs.rhs);
        let at = |k: usize| DVec3::new(rhs[k], rhs[k + 1], rhs[k + 2]);
        against -= force.dot(at(node.x)) / node.mass;
        gives += force.length_squared() / node.mass;
        if node.dim == 6 {
            let turned = t.inputs.inertia[n].inverse() * torque;
            against -= turned.dot(at(node.x + 3));
            gives += turned.dot(torque);
        }
    }
    let part = against / (t.inputs.h * gives);
    if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 }
}

impl World {
    /// Makes the rows of some joints dead, and loads their bodies with what they pull while they break.
    pub(super) fn let_go(&mut self, list: Vec<Break>, reached: Vec<Event>, breaks: &mut Breaks) {
        let breaks_too =
            |e: &Event| matches!(e, Event::LimitReached { joint, .. } if list.iter().any(|b| b.joint == *joint));
        breaks.reached.extend(reached.into_iter().filter(breaks_too));
        if breaks.now == 0 {
            (breaks.lag, breaks.was_loaded) = (Some(self.state.potential_lag[1]), self.model.is_loaded);
        }
        breaks.rounds += 1;
        for b in &list {
            let slot = b.joint.0.slot as usize;
            if let Some(entry) = self.model.joints.get(b.joint.0) {
                breaks.gone -= self.held_by(b.joint, entry) + self.energy_of_armature(entry);
            }
            if let Some(layout) = &mut self.layout {
                layout.t.bury(slot);
                layout.t.bury_bounds(slot);
                layout.stale |= layout.inputs.rows.any_soft;
            }
            for (id, pull) in [b.bodies.0, b.bodies.1].into_iter().zip(b.pulls) {
                let Some(body) = self.model.bodies.get_mut(id.0) else { continue };
                if breaks.noted.iter().all(|n| n.0 != id) {
                    let s = &self.state.bodies[id.0.slot as usize];
                    breaks.noted.push((id, [body.load.0, body.load.1, s.vel, s.omega]));
                }
                body.load = (body.load.0 + pull.0, body.load.1 + pull.1);
            }
        }
        // What is left is centred in time anew.
        breaks.gone += std::mem::take(&mut self.state.potential_lag[1]);
        self.model.is_loaded = true;
        breaks.now += list.len();
        breaks.all.extend(list);
    }

    /// Books what joints did while they broke in a part of a step of length h, and takes their loads off.
    pub(super) fn book_breaks(&mut self, h: f64, breaks: &mut Breaks, ledger: &mut Ledger) {
        if breaks.now == 0 {
            return;
        }
        let mut work = 0.0;
        for b in &breaks.all[breaks.all.len() - breaks.now..] {
            for (id, (force, torque)) in [b.bodies.0, b.bodies.1].into_iter().zip(b.pulls) {
                let Some((_, n)) = breaks.noted.iter().find(|n| n.0 == id) else { continue };
                let s = &self.state.bodies[id.0.slot as usize];
                if self.model.bodies.get(id.0).is_some_and(BodyEntry::is_node) {
                    work += 0.5 * h * (force.dot(n[2] + s.vel) + torque.dot(n[3] + s.omega));
                }
            }
        }
        ledger.work -= work;
        ledger.broken += work + breaks.gone;
        ledger.change += breaks.gone;
        self.take_loads_off(breaks);
        (breaks.now, breaks.rounds, breaks.gone, breaks.lag) = (0, 0, 0.0, None);
    }

    fn take_loads_off(&mut self, breaks: &mut Breaks) {
        for (id, [force, torque, ..]) in breaks.noted.drain(..) {
            if let Some(b) = self.model.bodies.get_mut(id.0) {
                b.load = (force, torque);
            }
        }
        self.model.is_loaded = breaks.was_loaded;
    }

    /// The step has failed: no joint has broken.
    pub(super) fn hold_on(&mut self, breaks: &mut Breaks) {
        if !breaks.all.is_empty() {
            self.take_loads_off(breaks);
            self.wear_out();
        }
        if let Some(lag) = breaks.lag {
            self.state.potential_lag[1] = lag;
        }
    }

    /// Removes the joints that have broken in the step, and those that carried too much to the end of it, by id; books the energy they held.
    pub(super) fn break_joints(&mut self, report: &mut StepReport, breaks: Breaks) -> Result<()> {
        if !self.model.has_weak {
            return Ok(());
        }
        let mut broken: Vec<Break> = breaks.all;
        let known = broken.len();
        let weak: Vec<(JointId, Strength)> =
            self.model.joints.iter().filter_map(|(k, j)| j.strength.map(|s| (JointId(k), s))).collect();
        for (joint, strength) in weak {
            let view = self.joint(joint)?;
            let carried = view.reaction();
            let (force, torque) = (carried.force.length(), carried.torque.length());
            let is_known = broken.iter().any(|b| b.joint == joint);
            if !is_known && (force > strength.force || torque > strength.torque) {
                let pulls = [(DVec3::ZERO, DVec3::ZERO); 2];
                broken.push(Break { joint, bodies: view.bodies(), force, torque, pulls });
            }
        }
        if broken.is_empty() {
            return Ok(());
        }
        // The energy of the armatures of those that break only now; that of the others is booked.
        let late = broken[known..].iter().filter_map(|b| self.model.joints.get(b.joint.0));
        let spun: f64 = late.map(|j| self.energy_of_armature(j)).sum();
        broken.sort_unstable_by_key(|b| b.joint);
        report.events.extend(breaks.reached);
        for &Break { joint, bodies, force, torque, .. } in &broken {
            report.events.push(Event::JointBroken { joint, bodies, force, torque });
            self.drop_joint(joint);
        }
        // What is left is centred in time anew: the difference is what the joints took with them.
        let left = self.energy()?.elastic;
        let gone = left - report.energy.elastic - spun;
        report.energy.kinetic -= spun;
        report.energy.elastic = left;
        report.ledger.change += gone;
        report.ledger.broken += gone;
        Ok(())
    }
}

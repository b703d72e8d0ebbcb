//! Sleep: what rests on contacts for a while leaves the layout until something wakes it.
//!
//! A cluster (islands joined by contacts and joints) sleeps when a contact holds it and all its bodies have been slower than `T.sleep.slow` for
//! `T.sleep.patience`. A heap, which one limb that rocks would keep awake, sleeps when its bodies are slow in the mean for `T.sleep.dwell`. Mechanisms that touch nothing never sleep: a pendulum at the end of its swing is not at rest. A sleeping body
//! stands still for those that are awake; the whole group wakes when an awake body is about to push one of its bodies, when the
//! user touches one of them, a joint on it or what it rests on, or when gravity changes. A step costs nothing for those that sleep.

use super::{Layout, World};
use crate::desk::bounded::{Candidate, Cluster, Origin, Set};
use crate::error::Result;
use crate::ids::{BodyId, JointId};
use crate::kin::Kin;
use crate::report::{self, StepReport};
use crate::rows::{Rows, UNKNOWN};
use crate::state::{BodyState, State};
use crate::topology::{NONE, Topology, unit_speed};
use crate::tuning::T;
use glam::DVec3;

impl World {
    /// Whether a body sleeps.
    pub fn is_asleep(&self, id: BodyId) -> Result<bool> {
        self.model.body(id)?;
        Ok(self.state.bodies[id.0.slot as usize].group != 0)
    }

    /// Bodies that sleep.
    pub fn sleeping(&self) -> usize {
        self.state.asleep
    }

    /// Wakes a body and all that sleeps with it.
    pub fn wake(&mut self, id: BodyId) -> Result<()> {
        self.model.body(id)?;
        self.wake_slot(id.0.slot as usize);
        Ok(())
    }

    /// Wakes all bodies.
    pub fn wake_all(&mut self) {
        self.wake_if(|g| g != 0);
    }

    pub(super) fn wake_slot(&mut self, slot: usize) {
        let group = self.state.bodies[slot].group;
        if group != 0 {
            self.wake_if(|g| g == group);
        }
    }

    /// Wakes what is joined to a body or rests on it, and the body itself: it has been moved or is about to go.
    pub(super) fn wake_around(&mut self, id: BodyId) {
        if self.state.asleep == 0 {
            return;
        }
        self.wake_slot(id.0.slot as usize);
        let mut near: Vec<usize> = Vec::new();
        for (_, j) in self.model.joints_on(id) {
            near.extend([j.i.0.slot as usize, j.j.0.slot as usize]);
        }
        for r in &self.state.ropes {
            if r.bodies().any(|slot| slot == id.0.slot as usize) {
                near.extend(r.bodies());
            }
        }
        for (_, f) in self.model.forces.iter() {
            if let (i, Some(j)) = f.force.bodies()
                && (i == id || j == id)
            {
                near.extend([i.0.slot as usize, j.0.slot as usize]);
            }
        }
        for c in &self.state.resting {
            let (a, b) = self.model.bodies_of(c.id);
            if a == Some(id) || b == Some(id) {
                near.extend([a, b].into_iter().flatten().map(|b| b.0.slot as usize));
            }
        }
        near.into_iter().for_each(|slot| self.wake_slot(slot));
    }

    /// Wakes what sleeps on colliders that no longer hold it.
    pub(super) fn wake_unheld(&mut self) {
        if self.state.asleep == 0 {
            return;
        }
        let holds = |key| self.model.colliders.get(key).is_some_and(|c| c.enabled && !c.sensor);
        let unheld = self.state.resting.iter().filter(|c| !holds(c.id.a) || !holds(c.id.b));
        let bodies = unheld.flat_map(|c| <[_; 2]>::from(self.model.bodies_of(c.id))).flatten();
        let slots: Vec<usize> = bodies.map(|b| b.0.slot as usize).collect();
        slots.into_iter().for_each(|slot| self.wake_slot(slot));
    }

    fn wake_if(&mut self, wakes: impl Fn(u32) -> bool) {
        if self.state.asleep == 0 {
            return;
        }
        let State { bodies, resting, contacts, stamp, asleep: count, .. } = &mut self.state;
        for b in bodies.iter_mut().filter(|b| b.group != 0 && wakes(b.group)) {
            (b.group, b.quiet) = (0, 0.0);
            *count -= 1;
            *stamp = stamp.wrapping_add(1).wrapping_mul(0x0100_0000_01b3);
        }
        // Their contact forces go back to those of the last step.
        let model = &self.model;
        resting.retain(|c| {
            let asleep = |b: Option<BodyId>| b.is_some_and(|b| bodies[b.0.slot as usize].group != 0);
            let (a, b) = model.bodies_of(c.id);
            let stays = asleep(a) || asleep(b);
            if !stays {
                contacts.push(*c);
            }
            stays
        });
        contacts.sort_unstable_by_key(|c| c.id);
        self.wear_out();
    }

    /// Wakes the groups that awake bodies are about to push; true when some were. The state before the first of them woke is kept.
    pub(super) fn wake_touched(&mut self, h: f64, before: &mut Option<Box<State>>) -> bool {
        if self.state.asleep == 0 {
            return false;
        }
        let Some(layout) = self.layout.as_ref() else { return false };
        let Layout { t, inputs, .. } = &**layout;
        let mut touched: Vec<usize> = Vec::new();
        for c in &inputs.contacts {
            let (i, j) = c.bodies;
            for (slot, other) in [(i, j), (j, i)] {
                if self.state.bodies[slot].group != 0 && t.dense_of[other] != NONE && self.closes(c, h) {
                    touched.push(slot);
                }
            }
        }
        let any = !touched.is_empty();
        if any && before.is_none() {
            *before = Some(Box::new(self.state.clone()));
        }
        touched.into_iter().for_each(|slot| self.wake_slot(slot));
        any
    }

    /// Whether a contact would push within the step.
    fn closes(&self, c: &crate::contact::Contact, h: f64) -> bool {
        let speed = |slot: usize, point: DVec3| {
            let b = &self.state.bodies[slot];
            b.vel + b.omega.cross(point - b.pos)
        };
        let fall = h * self.options.gravity.length();
        let approach = c.normal.dot(speed(c.bodies.0, c.point_i) - speed(c.bodies.1, c.point_j)) - fall;
        c.distance + h * approach < 0.0
    }

    /// Puts to sleep what has rested long enough.
    pub(super) fn fall_asleep(&mut self, h: f64, report: &mut StepReport) {
        // Nothing rests in a field that changes.
        if !self.options.sleep || self.model.field.is_unsteady() {
            return;
        }
        let Some(layout) = self.layout.take() else { return };
        let Layout { t, inputs, desk, .. } = &*layout;
        let mut slept = false;
        for cluster in inputs.candidates.clusters() {
            if let Some(kinetic) = self.try_sleep((t, &inputs.rows), (&desk.bounded.set, &desk.next.kin), cluster, h) {
                slept = true;
                report.energy.kinetic -= kinetic;
                report.ledger.change -= kinetic;
                report.ledger.contacts -= kinetic;
            }
        }
        self.layout = Some(layout);
        if slept {
            self.put_aside();
            self.wear_out();
        }
    }

    /// The kinetic energy that is given up when a cluster falls asleep, J.
    fn try_sleep(
        &mut self,
        (t, rows): (&Topology, &Rows),
        (set, kin): (&Set, &[Kin]),
        cluster: &Cluster,
        h: f64,
    ) -> Option<f64> {
        let candidates = &set.candidates[cluster.candidates.clone()];
        let contact = |c: &Candidate| matches!(c.origin, Origin::Contact(_)) && set.rows[c.row].z > 0.0;
        let held = candidates.iter().any(contact);
        let nodes = || cluster.islands.iter().flat_map(|&k| t.islands[k].nodes.clone());
        let pushing = candidates.iter().flat_map(Candidate::rows).filter(|&r| set.rows[r].z != 0.0).count();
        let (mut squares, mut mass, gravity) = (0.0, 0.0, self.options.gravity);
        // Of the centre and of the surface around it, in the unit of the body.
        let speeds = |n: usize, b: &BodyState| {
            let (i, unit) = (&t.local_inertia[n], unit_speed(gravity, t.nodes[n].size));
            let radius = ((i.x_axis.x + i.y_axis.y + i.z_axis.z) / t.nodes[n].mass).sqrt();
            [b.vel.length() / unit, b.omega.length() * radius / unit]
        };
        for n in nodes() {
            let [along, around] = speeds(n, &self.state.bodies[t.slot_of[n]]);
            squares += t.nodes[n].mass * (along * along + around * around);
            mass += t.nodes[n].mass;
        }
        let heap = pushing > T.cluster.large && squares < T.sleep.heap * T.sleep.heap * mass;
        let mut least = f64::INFINITY;
        for n in nodes() {
            let b = &mut self.state.bodies[t.slot_of[n]];
            let [along, around] = speeds(n, b);
            let speed = along + around;
            b.quiet = match () {
                () if held && speed < T.sleep.slow => b.quiet + h,
                () if held && heap && speed < T.sleep.stray => b.quiet + h * T.sleep.patience / T.sleep.dwell,
                () => 0.0,
            };
            least = least.min(b.quiet);
        }
        if !(least >= T.sleep.patience) {
            return None;
        }
        self.state.groups += 1;
        let mut kinetic = self.stop_rotors(t, rows, cluster);
        for n in nodes() {
            kinetic += crate::integrate::kinetic(t, n, &kin[n]);
            let b = &mut self.state.bodies[t.slot_of[n]];
            (b.group, b.vel, b.omega) = (self.state.groups, DVec3::ZERO, DVec3::ZERO);
            self.state.asleep += 1;
            let mixed = (self.state.stamp ^ t.slot_of[n] as u64).wrapping_add(1);
            self.state.stamp = mixed.wrapping_mul(0x0100_0000_01b3).rotate_left(17);
        }
        Some(kinetic)
    }

    /// Armatures come to rest with the bodies of a cluster; their kinetic energy, J.
    fn stop_rotors(&mut self, t: &Topology, rows: &Rows, cluster: &Cluster) -> f64 {
        let mut kinetic = 0.0;
        for rotor in cluster.islands.iter().flat_map(|&k| rows.rotors_of(t.islands[k].groups.clone())) {
            let at = t.groups[rotor.group].state_row() + rotor.r;
            kinetic += rotor.energy(std::mem::take(&mut self.state.element_energy[at]));
            self.state.stretch[at] = UNKNOWN;
        }
        kinetic
    }

    /// Potential energies (gravity, elastic) of what sleeps, J.
    pub(super) fn potential_asleep(&self) -> [f64; 2] {
        if self.state.asleep == 0 {
            return [0.0; 2];
        }
        let asleep = |slot: u32| self.state.bodies[slot as usize].group != 0;
        let joints = self.model.joints.iter().filter(|(_, j)| asleep(j.i.0.slot) || asleep(j.j.0.slot));
        let elastic =
            joints.map(|(k, j)| self.held_by(JointId(k), j)).sum::<f64>() + report::in_contacts(&self.state.resting);
        let soft = |slot: u32| {
            let nodes = self.model.softs.at(slot as usize).map(|s| s.free().any(|b| asleep(b.0.slot)));
            nodes.unwrap_or(false)
        };
        let elastic = elastic + self.energy_of_elements(soft);
        [self.energy_of_height(asleep), elastic + self.energy_of_couplings(asleep) + self.energy_of_ropes(asleep)]
    }

    /// Moves the contact forces of those that fell asleep aside.
    fn put_aside(&mut self) {
        let State { bodies, resting, contacts, .. } = &mut self.state;
        let model = &self.model;
        contacts.retain(|c| {
            let asleep = |b: Option<BodyId>| b.is_some_and(|b| bodies[b.0.slot as usize].group != 0);
            let (a, b) = model.bodies_of(c.id);
            if asleep(a) || asleep(b) {
                resting.push(*c);
                return false;
            }
            true
        });
        resting.sort_unstable_by_key(|c| c.id);
    }
}

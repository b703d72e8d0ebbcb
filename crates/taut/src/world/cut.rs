//! Cutting and tearing deformables.
//!
//! Nodes between cells that part are doubled (`taut_elements::Separated`). A copy is a particle with the pose, velocity and history of its
//! node and its share of the mass, or is carried by what carried its node: mass, momentum and kinetic energy stay. Elements keep their
//! nodes' places, so their energy stays but for what acted across the cut; that leaves the books as it does with joints that break.

use super::{Edit, World};
use crate::contact::skin::Skin;
use crate::elastic::memory;
use crate::error::{Error, Result, positive};
use crate::events::Event;
use crate::ids::{BodyId, ColliderId, DeformableId};
use crate::joints::Locks;
use crate::model::cut::{Cut, CutReport};
use crate::model::identity;
use crate::model::soft::{SoftEntry, SoftNode};
use crate::report::StepReport;
use glam::DVec3;
use std::sync::Arc;
use taut_elements::Separated;

impl World {
    /// Cuts a deformable, which stays one with more parts. Joints, springs and forces on a node stay on it; its copies have its colliders,
    /// its locks and what it is bound to. A cut that meets nothing changes nothing; after any other, older snapshots do not fit.
    /// On an error nothing has changed.
    pub fn cut(&mut self, id: DeformableId, along: &Cut) -> Result<CutReport> {
        self.check_cut(id, along)?;
        let view = self.deformable(id)?;
        let elements = view.elements().clone();
        let x: Vec<_> = view.positions().collect();
        let centre = |c: u32| elements.centre(c, |n| x[n as usize]);
        match elements.cut(|s| along.parts(s.cells, s.cells.map(centre))) {
            Some(mut cut) => {
                cut.keep_pressure(&elements, |n| x[n as usize]);
                self.separate(id, cut)
            }
            None => Ok(CutReport { parts: self.deformable(id)?.parts(), ..CutReport::default() }),
        }
    }

    /// Whether a cut can be made, as [`World::cut`] would say, without making it.
    pub fn check_cut(&self, id: DeformableId, along: &Cut) -> Result<()> {
        let cells = self.deformable(id)?.elements().mesh().map_or(0, |mesh| mesh.cells.len());
        if cells == 0 {
            let name = self.model.deformable_name(id.0.slot as usize);
            return Err(Error::input("deformable", name, "one of cells: frames cannot be cut"));
        }
        along.check(cells)
    }

    /// Sets the stress that a deformable can carry, Pa; beyond it, it tears at the end of the step. `None` makes it untearable.
    pub fn set_tear_strength(&mut self, id: DeformableId, strength: Option<f64>) -> Result<()> {
        self.model.deformable(id)?;
        strength.map_or(Ok(0.0), |s| positive("strength of the deformable", s, "Pa"))?;
        if let Some(entry) = self.model.softs.get_mut(id.0) {
            entry.strength = strength;
        }
        Ok(())
    }

    /// Parts the seams that carried too much in the last step, and books the energy that acted across them.
    pub(super) fn tear(&mut self, report: &mut StepReport) -> Result<()> {
        let weak: Vec<(DeformableId, f64)> =
            self.model.softs.iter().filter_map(|(k, s)| s.strength.map(|s| (DeformableId(k), s))).collect();
        for (deformable, strength) in weak {
            let view = self.deformable(deformable)?;
            let entry = self.model.deformable(deformable)?;
            if entry.free().any(|b| self.state.bodies[b.0.slot as usize].group != 0) {
                continue;
            }
            let x: Vec<_> = view.positions().collect();
            let (_, state) = memory(entry, &self.state.soft);
            let tears = entry.elements.overstressed(strength, |n| x[n as usize], state, |e| view.input(e));
            let stress = tears.iter().map(|t| t.stress).fold(0.0, f64::max);
            let torn = |s: &taut_elements::Seam| tears.binary_search_by_key(s, |t| t.seam).is_ok();
            let Some(mut cut) = entry.elements.cut(torn) else { continue };
            cut.keep_pressure(&entry.elements, |n| x[n as usize]);
            let CutReport { seams, parts, energy, copies } = self.separate(deformable, cut)?;
            report.events.push(Event::Torn { deformable, seams, copies: copies.len(), parts, stress });
            report.energy.elastic += energy;
            report.ledger.change += energy;
            report.ledger.broken += energy;
        }
        Ok(())
    }

    /// Puts the elements after a cut in place of those before it.
    fn separate(&mut self, id: DeformableId, cut: Separated) -> Result<CutReport> {
        self.check_room_for(cut.copies.len())?;
        let before = self.deformable(id)?.energy();
        let entry = self.model.deformable(id)?;
        let masses = entry.elements.masses();
        let nodes: Vec<BodyId> = entry.free().collect();
        nodes.into_iter().for_each(|node| self.wake_around(node));
        let after = cut.elements.masses();
        let part = |new: usize, old: usize| after[new] / masses[old];
        for &[old, new] in &cut.copies {
            self.copy_node(id, old as usize, part(new as usize, old as usize))?;
        }
        let mut split: Vec<usize> = cut.copies.iter().map(|c| c[0] as usize).collect();
        split.dedup();
        for old in split {
            self.lighten(id, old, part(old, old));
        }
        self.carry_numbers(id, &cut)?;
        let Separated { elements, copies, seams, .. } = cut;
        let elements = Arc::new(elements);
        if let Some(entry) = self.model.softs.get_mut(id.0) {
            entry.elements = elements.clone();
            if let Some((skin, _)) = &mut entry.skin {
                *skin = Arc::new(Skin::new(skin.radius, &elements));
            }
        }
        let print = super::soft::print(&elements, &self.model.deformable(id)?.nodes);
        self.edited(Edit::CutDeformable, id.0.slot, print);
        let view = self.deformable(id)?;
        let copies = copies.iter().map(|&[a, b]| (a as usize, b as usize)).collect();
        Ok(CutReport { seams: seams.len(), copies, parts: view.parts(), energy: view.energy() - before })
    }

    /// What the elements keep, for those after a cut: pieces of a patch have its pressure.
    fn carry_numbers(&mut self, id: DeformableId, cut: &Separated) -> Result<()> {
        let entry = self.model.deformable(id)?;
        let ((first, numbers), old) = (entry.state, entry.elements.len());
        let own = &self.state.soft[first + 1..first + numbers];
        let (points, pressures) =
            own.split_at(if entry.elements.is_incompressible() { own.len() - old } else { own.len() });
        let mut kept = cut.carry(points);
        if !pressures.is_empty() {
            kept.extend(cut.pieces().iter().map(|&from| pressures[from]));
            kept.resize(SoftEntry::numbers(&cut.elements) - 1, 0.0);
        }
        let count = 1 + kept.len();
        self.state.soft.splice(first + 1..first + numbers, kept);
        for (_, s) in self.model.softs.iter_mut() {
            match s.state.0 {
                at if at == first => s.state.1 = count,
                at if at > first => s.state.0 = at + count - numbers,
                _ => {}
            }
        }
        Ok(())
    }

    /// Adds a copy of a node with this part of its mass, which the node still has.
    fn copy_node(&mut self, id: DeformableId, node: usize, part: f64) -> Result<()> {
        let entry = self.model.deformable(id)?;
        let mass = part * entry.masses[node];
        let copy = match entry.nodes[node].clone() {
            SoftNode::Free(body) => SoftNode::Free(self.copy_particle(body, part)?),
            carried => carried,
        };
        if let Some(entry) = self.model.softs.get_mut(id.0) {
            entry.nodes.push(copy);
            entry.masses.push(mass);
        }
        Ok(())
    }

    /// Leaves a node this part of its mass.
    fn lighten(&mut self, id: DeformableId, node: usize, part: f64) {
        let Some(entry) = self.model.softs.get_mut(id.0) else { return };
        entry.masses[node] *= part;
        if let SoftNode::Free(body) = entry.nodes[node]
            && let Some(b) = self.model.bodies.get_mut(body.0)
        {
            b.mass *= part;
        }
    }

    /// A particle at the same place with the same motion, colliders and locks, and a part of the mass. The two do not meet: they begin in
    /// each other.
    fn copy_particle(&mut self, from: BodyId, part: f64) -> Result<BodyId> {
        let mut entry = self.model.body(from)?.clone();
        let (colliders, locks) = (std::mem::take(&mut entry.colliders), entry.locks.0);
        (entry.load, entry.target, entry.locks) = ((DVec3::ZERO, DVec3::ZERO), None, (Locks::NONE, None));
        entry.mass *= part;
        let print = identity::body(&entry);
        let key = self.model.bodies.insert(entry);
        let state = self.state.bodies[from.0.slot as usize];
        match self.state.bodies.get_mut(key.slot as usize) {
            Some(slot) => *slot = state,
            None => self.state.bodies.push(state),
        }
        self.edited(Edit::AddBody, key.slot, print);
        let to = BodyId(key);
        for c in colliders {
            self.copy_collider(c, to)?;
        }
        let pairs: Vec<((BodyId, BodyId), bool)> = self.model.collisions.iter().map(|(&p, &meet)| (p, meet)).collect();
        for ((a, b), meet) in pairs.into_iter().filter(|((a, b), _)| *a == from || *b == from) {
            self.set_collision(if a == from { b } else { a }, to, meet)?;
        }
        self.set_collision(from, to, false)?;
        if locks != Locks::NONE {
            self.set_locks(to, locks)?;
        }
        Ok(to)
    }

    /// The same collider on another body, with the materials of its pairs.
    fn copy_collider(&mut self, from: ColliderId, body: BodyId) -> Result<()> {
        let mut entry = self.model.collider(from)?.clone();
        entry.body = body;
        let print = identity::collider(&entry);
        let to = ColliderId(self.model.colliders.insert(entry));
        if let Some(b) = self.model.bodies.get_mut(body.0) {
            b.colliders.push(to);
        }
        self.edited(Edit::AddCollider, to.0.slot, print);
        let pairs: Vec<_> = self.model.pair_materials.iter().map(|(&p, &m)| (p, m)).collect();
        for ((a, b), (material, first)) in pairs.into_iter().filter(|((a, b), _)| *a == from || *b == from) {
            let [a, b] = [a, b].map(|c| if c == from { to } else { c });
            let (a, b) = if first { (a, b) } else { (b, a) };
            self.set_pair_material(a, b, material)?;
        }
        self.stir(body);
        Ok(())
    }
}

//! Adding, removing and reading deformables.

mod measure;

use super::{Edit, World};
use crate::elastic::memory;
use crate::error::{Error, Result};
use crate::fingerprint::Fingerprint;
use crate::ids::{BodyId, DeformableId};
use crate::model::body::Body;
use crate::model::soft::{Deformable, SoftEntry, SoftNode, Tie};
use glam::DVec3;
use std::sync::Arc;
use taut_elements::{Elements, MAX_NODES};

impl World {
    /// Adds a deformable with its particles, or nothing.
    pub(super) fn insert_deformable(&mut self, def: Deformable) -> Result<DeformableId> {
        def.check()?;
        let masses = def.elements.masses();
        let mut nodes: Vec<Option<SoftNode>> = vec![None; masses.len()];
        for &Tie { node: k, body, point } in &def.bound {
            let body = body.unwrap_or(self.ground);
            let pose = self.pose(body)?;
            let point = point.unwrap_or_else(|| pose.rot.inverse() * (def.start(k).0 - pose.pos));
            if self.model.body(body)?.motion == crate::model::Motion::Particle && point.length() > 0.0 {
                let what = format!("node {k} of the deformable");
                return Err(Error::input(what, "bound to a particle elsewhere", "a body that turns, or its place"));
            }
            nodes[k] = Some(SoftNode::Bound { body, point, mass: masses[k] });
        }
        let free: Vec<usize> = (0..nodes.len()).filter(|&k| nodes[k].is_none()).collect();
        let mut added = Vec::with_capacity(free.len());
        for &k in &free {
            let (at, velocity) = def.start(k);
            let damping = def.elements.material().mass_damping;
            let body = Body::particle(masses[k]).at(at).moving(velocity, DVec3::ZERO).damped(damping, 0.0);
            match self.insert_body(body) {
                Ok(id) => added.push(id),
                Err(e) => {
                    added.into_iter().try_for_each(|id| self.take_body(id))?;
                    return Err(e);
                }
            }
            nodes[k] = added.last().map(|&id| SoftNode::Free(id));
        }
        let nodes: Vec<SoftNode> = nodes.into_iter().flatten().collect();
        let fresh = def.elements.fresh_state();
        let state = (self.state.soft.len(), 1 + fresh.len());
        self.state.soft.push(0.0);
        self.state.soft.extend(fresh);
        let print = print(&def.elements, &nodes);
        let (elements, name, user_data) = (def.elements, def.name, def.user_data);
        let key = self.model.softs.insert(SoftEntry { elements, nodes, state, name, user_data });
        for id in added {
            if let Some(b) = self.model.bodies.get_mut(id.0) {
                b.soft = Some(key.slot);
            }
        }
        self.edited(Edit::AddDeformable, key.slot, print);
        Ok(DeformableId(key))
    }

    /// Removes a deformable with its particles.
    pub(super) fn take_deformable(&mut self, id: DeformableId) -> Result<()> {
        let entry = self.model.deformable(id)?;
        let (first, count) = entry.state;
        let nodes: Vec<BodyId> = entry.free().collect();
        for &node in &nodes {
            if let Some(b) = self.model.bodies.get_mut(node.0) {
                b.soft = None;
            }
            self.take_body(node)?;
        }
        self.state.soft.drain(first..first + count);
        for (_, s) in self.model.softs.iter_mut().filter(|(_, s)| s.state.0 > first) {
            s.state.0 -= count;
        }
        self.model.softs.remove(id.0);
        // What it held in the middle of the last step is no longer counted.
        if self.model.softs.len() == 0 {
            self.state.elements_lag = 0.0;
        }
        self.edited(Edit::RemoveDeformable, id.0.slot, 0);
        Ok(())
    }

    /// Energy that the elements of some deformables, by slot, hold now, J.
    pub(super) fn energy_of_elements(&self, of: impl Fn(u32) -> bool) -> f64 {
        let softs = self.model.softs.iter().filter(|(k, _)| of(k.slot));
        softs.map(|(k, _)| self.deformable(DeformableId(k)).map_or(0.0, |d| d.energy())).sum()
    }

    /// A deformable, to be read.
    pub fn deformable(&self, id: DeformableId) -> Result<DeformableRef<'_>> {
        Ok(DeformableRef { id, entry: self.model.deformable(id)?, world: self })
    }

    /// All deformables.
    pub fn deformables(&self) -> impl Iterator<Item = DeformableRef<'_>> {
        self.model.softs.iter().map(|(k, entry)| DeformableRef { id: DeformableId(k), entry, world: self })
    }

    /// The deformable of that name.
    pub fn find_deformable(&self, name: &str) -> Result<DeformableId> {
        let found = self.model.softs.iter().find(|(_, s)| s.name == name);
        found.map(|(k, _)| DeformableId(k)).ok_or_else(|| {
            let names: Vec<&str> = self.model.softs.iter().map(|(_, s)| s.name.as_str()).collect();
            Error::input("deformable", name, format!("one of: {}", names.join(", ")))
        })
    }
}

/// What a deformable is, for the fingerprint of a world.
fn print(elements: &Elements, nodes: &[SoftNode]) -> u64 {
    let mut print = Fingerprint(elements.len() as u64);
    format!("{:?}", elements.material()).bytes().for_each(|b| print.word(u64::from(b)));
    for e in 0..elements.len() {
        elements.nodes(e).iter().for_each(|&n| print.word(u64::from(n)));
    }
    elements.rest().iter().flat_map(|x| x.to_array()).for_each(|x| print.word(x.to_bits()));
    for n in nodes {
        print.word(u64::from(n.body().0.slot));
        n.point().to_array().into_iter().for_each(|x| print.word(x.to_bits()));
    }
    print.0
}

/// A deformable of a world, to be read. It copies nothing.
///
/// A stretched rod of one brick: its ends are 1.1 m apart where they rest at 1 m.
/// ```
/// use taut::{Deformable, Vec3, World};
/// use taut::soft::{Cell, Material, Mesh};
/// let corner = |k: usize| Vec3::new((k / 4) as f64, 0.1 * (k / 2 % 2) as f64, 0.1 * (k % 2) as f64);
/// let mesh = Mesh { nodes: (0..8).map(corner).collect(), cells: vec![Cell::hex8([0, 4, 6, 2, 1, 5, 7, 3])] };
/// let steel = Material::new(7800.0, 2e11, 0.0);
/// let mut world = World::new();
/// let rod = world.add(Deformable::new(&mesh, &steel)?.deformed(|x| x * Vec3::new(1.1, 1.0, 1.0)).named("rod"))?;
/// let rod = world.deformable(rod)?;
/// // E/2 * strain^2 * volume, with the strain 0.1 and 0.01 m^3.
/// assert!((rod.energy() - 0.5 * 2e11 * 0.01 * 0.01).abs() < 1e-3 * rod.energy());
/// assert!((rod.position(7)?.x - 1.1).abs() < 1e-12 && rod.node_count() == 8);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DeformableRef<'a> {
    id: DeformableId,
    entry: &'a SoftEntry,
    world: &'a World,
}

impl<'a> DeformableRef<'a> {
    /// Its handle.
    pub fn id(&self) -> DeformableId {
        self.id
    }

    /// Its name; empty without one.
    pub fn name(&self) -> &'a str {
        &self.entry.name
    }

    /// The user's own number.
    pub fn user_data(&self) -> u64 {
        self.entry.user_data
    }

    /// Its elements.
    pub fn elements(&self) -> &'a Arc<Elements> {
        &self.entry.elements
    }

    /// How many nodes it has.
    pub fn node_count(&self) -> usize {
        self.entry.nodes.len()
    }

    /// The body that carries node `k`: its own particle, or the body it is bound to.
    pub fn node(&self, k: usize) -> Result<BodyId> {
        self.at(k).map(SoftNode::body)
    }

    /// Whether node `k` has no unknowns of its own: it is held, or bound to a body.
    pub fn is_bound(&self, k: usize) -> Result<bool> {
        self.at(k).map(|n| matches!(n, SoftNode::Bound { .. }))
    }

    /// Where node `k` is, m.
    pub fn position(&self, k: usize) -> Result<DVec3> {
        self.at(k).map(|n| self.place(n))
    }

    /// Velocity of node `k`, m/s.
    pub fn velocity(&self, k: usize) -> Result<DVec3> {
        self.at(k).map(|n| {
            let b = &self.world.state.bodies[n.body().0.slot as usize];
            b.vel + b.omega.cross(b.rot * n.point())
        })
    }

    /// Where all nodes are, m, in the order of the mesh.
    pub fn positions(&self) -> impl Iterator<Item = DVec3> + use<'a> {
        let view = *self;
        self.entry.nodes.iter().map(move |n| view.place(n))
    }

    /// Energy that its elements hold now, J.
    pub fn energy(&self) -> f64 {
        let (input, memory) = memory(self.entry, &self.world.state.soft);
        let mut x = [DVec3::ZERO; MAX_NODES];
        (0..self.entry.elements.len())
            .map(|e| {
                let n = self.gather(e, &mut x);
                self.entry.elements.energy(e, &x[..n], memory, input)
            })
            .sum()
    }

    /// Mass of all its nodes, kg.
    pub fn mass(&self) -> f64 {
        self.entry.elements.masses().iter().sum()
    }

    /// Positions of the nodes of an element; how many.
    fn gather(&self, e: usize, x: &mut [DVec3; MAX_NODES]) -> usize {
        let nodes = self.entry.elements.nodes(e);
        for (x, &n) in x.iter_mut().zip(nodes) {
            *x = self.place(&self.entry.nodes[n as usize]);
        }
        nodes.len()
    }

    fn at(&self, k: usize) -> Result<&'a SoftNode> {
        let count = self.entry.nodes.len();
        self.entry.nodes.get(k).ok_or_else(|| Error::input("node of the deformable", k, format!("less than {count}")))
    }

    fn place(&self, n: &SoftNode) -> DVec3 {
        let b = &self.world.state.bodies[n.body().0.slot as usize];
        match n {
            SoftNode::Free(_) => b.pos,
            SoftNode::Bound { point, .. } => b.pos + b.rot * *point,
        }
    }
}

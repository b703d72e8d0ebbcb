//! Adding, removing and reading deformables.

mod measure;

use super::{Edit, World};
use crate::contact::collider::{self, Collider, ColliderEntry};
use crate::contact::shape::Shape;
use crate::contact::skin::Skin;
use crate::elastic::{memory, volume};
use crate::error::{Error, Result};
use crate::fingerprint::Fingerprint;
use crate::ids::{BodyId, ColliderId, DeformableId};
use crate::model::body::Body;
use crate::model::identity;
use crate::model::soft::{Carrier, Deformable, SoftEntry, SoftNode, Tie};
use glam::DVec3;
use std::sync::Arc;
use taut_elements::{Elements, Input, MAX_NODES, Output};

impl World {
    /// Adds a deformable with its particles, or nothing.
    pub(super) fn insert_deformable(&mut self, def: Deformable) -> Result<DeformableId> {
        def.check()?;
        let masses = def.elements.masses();
        let mut nodes: Vec<Option<SoftNode>> = vec![None; masses.len()];
        for (k, carriers) in &def.bound {
            nodes[*k] = Some(self.carry(&def, *k, carriers)?);
        }
        let controls = def.elements.controls();
        let free: Vec<usize> = (0..controls).filter(|&k| nodes[k].is_none()).collect();
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
        for k in controls..nodes.len() {
            nodes[k] = Some(SoftNode::Mapped(through(&def.elements, k, &nodes)));
        }
        let nodes: Vec<SoftNode> = nodes.into_iter().flatten().collect();
        let fresh = def.elements.fresh_state();
        let state = (self.state.soft.len(), SoftEntry::numbers(&def.elements));
        self.state.soft.push(0.0);
        self.state.soft.extend(def.remembered.unwrap_or(fresh));
        self.state.soft.resize(state.0 + state.1, 0.0);
        let print = print(&def.elements, &nodes);
        let (elements, strength, name, user_data) = (def.elements, def.strength, def.name, def.user_data);
        let entry = SoftEntry { elements, nodes, masses, state, strength, name, user_data, skin: None };
        let key = self.model.softs.insert(entry);
        for id in added {
            if let Some(b) = self.model.bodies.get_mut(id.0) {
                b.soft = Some(key.slot);
            }
        }
        self.edited(Edit::AddDeformable, key.slot, print);
        let id = DeformableId(key);
        if let Some(Err(e)) = def.surface.map(|surface| self.insert_surface(id, surface)) {
            self.take_deformable(id)?;
            return Err(e);
        }
        Ok(id)
    }

    /// Gives a deformable its skin.
    fn insert_surface(&mut self, id: DeformableId, surface: Collider) -> Result<()> {
        let Shape::Ball { radius } = surface.shape else { return Ok(()) };
        let entry = self.model.deformable(id)?;
        let skin = Skin::new(radius, &entry.elements);
        // One that moves freely stands for all.
        let carriers = || (0..entry.nodes.len()).flat_map(|n| entry.carriers(n)).map(|c| c.body);
        let moves = |id: &BodyId| self.model.bodies.get(id.0).is_some_and(|b| b.is_node());
        let Some(carrier) = carriers().find(moves).or_else(|| carriers().next()) else { return Ok(()) };
        let on = collider::Carrier {
            moves: moves(&carrier),
            particle: false,
            name: self.model.deformable_name(id.0.slot as usize),
        };
        let made = ColliderEntry { soft: Some(id.0.slot), ..surface.build(carrier, &on)? };
        let print = identity::collider(&made);
        let collider = ColliderId(self.model.colliders.insert(made));
        if let Some(entry) = self.model.softs.get_mut(id.0) {
            entry.skin = Some((Arc::new(skin), collider));
        }
        self.edited(Edit::AddCollider, collider.0.slot, print);
        self.stir(carrier);
        Ok(())
    }

    /// Node `k` on what carries it.
    fn carry(&self, def: &Deformable, k: usize, carriers: &[Tie]) -> Result<SoftNode> {
        let at = def.start(k).0;
        let mut list = Vec::with_capacity(carriers.len());
        for &Tie { body, weight, point } in carriers {
            let body = body.unwrap_or(self.ground);
            let pose = self.pose(body)?;
            let point = point.unwrap_or_else(|| pose.rot.inverse() * (at - pose.pos));
            let particle = self.model.body(body)?.motion == crate::model::Motion::Particle;
            // A particle does not turn: it carries nodes where it is, and means of particles are where they are.
            list.push(Carrier { body, point: if particle { DVec3::ZERO } else { point }, weight });
        }
        let place = list.iter().map(|c| self.pose(c.body).map(|p| c.weight * (p.pos + p.rot * c.point)));
        let place = place.sum::<Result<DVec3>>()?;
        let off = (place - at).length();
        if !(off <= 1e-6 * (at.length() + size(&def.elements))) {
            let what = format!("node {k} of the deformable");
            return Err(Error::input(what, format!("{off} m from the mean of what carries it"), "0"));
        }
        Ok(if let [one] = list[..] { SoftNode::Bound(one) } else { SoftNode::Mapped(list) })
    }

    /// Removes a deformable with its particles.
    pub(super) fn take_deformable(&mut self, id: DeformableId) -> Result<()> {
        let entry = self.model.deformable(id)?;
        let (first, count) = entry.state;
        let nodes: Vec<BodyId> = entry.free().collect();
        if let Some(collider) = entry.skin.as_ref().map(|s| s.1) {
            self.take_collider(collider)?;
        }
        let alone = self.model.softs.len() == 1;
        self.model.softs.remove(id.0);
        for &node in &nodes {
            self.take_body(node)?;
        }
        self.state.soft.drain(first..first + count);
        for (_, s) in self.model.softs.iter_mut().filter(|(_, s)| s.state.0 > first) {
            s.state.0 -= count;
        }
        // What all of them gained since the middle of the last drift cannot be told apart.
        if alone {
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

    /// Activates the fibres of a deformable, 0 (slack) to 1.
    pub fn set_activation(&mut self, id: DeformableId, activation: f64) -> Result<()> {
        let entry = self.model.deformable(id)?;
        if entry.elements.material().fibre.is_none() {
            let name = self.model.deformable_name(id.0.slot as usize);
            return Err(Error::input("deformable", name, "one whose material has fibres"));
        }
        if !(0.0..=1.0).contains(&activation) {
            return Err(Error::input("activation", activation, "a number from 0 to 1"));
        }
        let (at, nodes): (usize, Vec<BodyId>) = (entry.state.0, entry.free().collect());
        if let Some(&node) = nodes.first() {
            self.wake_around(node);
        }
        // The energy that it gains or loses at this pose is work of the muscle, and counts from now on.
        let before = self.deformable(id)?.energy();
        self.state.soft[at] = activation;
        self.state.elements_lag += self.deformable(id)?.energy() - before;
        Ok(())
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

/// Largest extent of elements at rest, m.
fn size(elements: &Elements) -> f64 {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    elements.rest().iter().for_each(|&x| (low, high) = (low.min(x), high.max(x)));
    (high - low).max_element()
}

/// What a deformable is, for the fingerprint of a world.
pub(super) fn print(elements: &Elements, nodes: &[SoftNode]) -> u64 {
    let mut print = Fingerprint(elements.len() as u64);
    format!("{:?}", elements.material()).bytes().for_each(|b| print.word(u64::from(b)));
    for e in 0..elements.len() {
        elements.nodes(e).iter().for_each(|&n| print.word(u64::from(n)));
        print.word(elements.free_dilatation(e).to_bits());
    }
    elements.rest().iter().flat_map(|x| x.to_array()).for_each(|x| print.word(x.to_bits()));
    for n in nodes {
        print.word(match n {
            SoftNode::Free(_) => 0,
            SoftNode::Bound(_) => 1,
            SoftNode::Mapped(list) => list.len() as u64,
        });
        let carriers = match n {
            SoftNode::Free(_) => &[],
            SoftNode::Bound(one) => std::slice::from_ref(one),
            SoftNode::Mapped(list) => &list[..],
        };
        for c in carriers {
            print.word(u64::from(c.body.0.slot));
            c.point.to_array().into_iter().chain([c.weight]).for_each(|x| print.word(x.to_bits()));
        }
    }
    print.0
}

/// What carries a node that control points of frames carry: their particles, or the bodies that they are tied to.
fn through(elements: &Elements, n: usize, nodes: &[Option<SoftNode>]) -> Vec<Carrier> {
    let mut out = Vec::new();
    for &(control, part) in elements.carried(n) {
        match &nodes[control as usize] {
            Some(SoftNode::Free(body)) => out.push(Carrier { body: *body, point: DVec3::ZERO, weight: part }),
            Some(SoftNode::Bound(c)) => out.push(Carrier { weight: part * c.weight, ..*c }),
            Some(SoftNode::Mapped(list)) => out.extend(list.iter().map(|c| Carrier { weight: part * c.weight, ..*c })),
            None => {}
        }
    }
    out
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

    /// How many parts it has that share no node: one, until it was cut or torn apart.
    pub fn parts(&self) -> usize {
        self.entry.elements.report().parts.max(1)
    }

    /// Stress beyond which it tears, Pa.
    pub fn strength(&self) -> Option<f64> {
        self.entry.strength
    }

    /// The body that carries node `k`: its own particle, the body it is bound to, or the first of those it is mapped to.
    pub fn node(&self, k: usize) -> Result<BodyId> {
        self.at(k)?;
        let first = self.entry.carriers(k).next().map(|c| c.body);
        first.ok_or_else(|| Error::input("node of the deformable", k, "one that is carried"))
    }

    /// Whether node `k` has no unknowns of its own: it is held, bound to a body, or mapped.
    pub fn is_bound(&self, k: usize) -> Result<bool> {
        self.at(k).map(|_| !self.entry.is_free(k))
    }

    /// Where node `k` is, m.
    pub fn position(&self, k: usize) -> Result<DVec3> {
        self.at(k).map(|_| self.place(k))
    }

    /// Velocity of node `k`, m/s.
    pub fn velocity(&self, k: usize) -> Result<DVec3> {
        self.at(k)?;
        let of = |c: Carrier| {
            let b = &self.world.state.bodies[c.body.0.slot as usize];
            c.weight * (b.vel + b.omega.cross(b.rot * c.point))
        };
        Ok(self.entry.carriers(k).map(of).sum())
    }

    /// Where all nodes are, m, in the order of the mesh.
    pub fn positions(&self) -> impl Iterator<Item = DVec3> + use<'a> {
        let view = *self;
        (0..self.entry.nodes.len()).map(move |k| view.place(k))
    }

    /// Energy that its elements hold now, J.
    pub fn energy(&self) -> f64 {
        let soft = &self.world.state.soft;
        let (input, memory) = memory(self.entry, soft);
        let (mut x, mut q) = ([DVec3::ZERO; MAX_NODES], [DVec3::ZERO; MAX_NODES]);
        (0..self.entry.elements.len())
            .map(|e| {
                let n = self.gather(e, &mut x);
                let held = volume::held(self.entry, e, &x[..n], soft, &mut q[..n]);
                self.entry.elements.energy(e, &x[..n], memory, input) + held.map_or(0.0, |held| held.energy())
            })
            .sum()
    }

    /// What is given to element `e` now besides its nodes and its state.
    pub(super) fn input(&self, e: usize) -> Input {
        let soft = &self.world.state.soft;
        let (mut x, mut q) = ([DVec3::ZERO; MAX_NODES], [DVec3::ZERO; MAX_NODES]);
        let n = self.gather(e, &mut x);
        let held = volume::held(self.entry, e, &x[..n], soft, &mut q[..n]);
        Input { pressure: held.map_or(0.0, |held| held.pressure_now()), ..memory(self.entry, soft).0 }
    }

    /// What its elements remember besides the places of their nodes: of a plastic material the permanent deformation of each point by
    /// columns and the sum of its strain, of an incompressible one the pressure of each element, Pa. Nothing of most materials.
    pub fn remembered(&self) -> &'a [f64] {
        memory(self.entry, &self.world.state.soft).1
    }

    /// The collider that stands for its surface; none without a skin. Its material, groups and the rest can be changed like those of
    /// any collider, and contacts, events and queries name it.
    pub fn surface(&self) -> Option<ColliderId> {
        self.entry.skin.as_ref().map(|s| s.1)
    }

    /// Half the thickness of its skin, m; zero without one.
    pub fn skin(&self) -> f64 {
        self.entry.radius()
    }

    /// Strain and stress at point `q` of element `e` now; nothing where there is no such point.
    pub fn output(&self, e: usize, q: usize) -> Result<Output> {
        let elements = &self.entry.elements;
        if e >= elements.len() {
            return Err(Error::input("element of the deformable", e, format!("less than {}", elements.len())));
        }
        if q >= elements.points(e) {
            let what = format!("point of element {e}");
            return Err(Error::input(what, q, format!("less than {}", elements.points(e))));
        }
        let (_, memory) = memory(self.entry, &self.world.state.soft);
        let mut x = [DVec3::ZERO; MAX_NODES];
        let n = self.gather(e, &mut x);
        Ok(elements.output(e, q, &x[..n], memory, self.input(e)))
    }

    /// Strain and stress at all points of all elements.
    pub fn outputs(&self) -> impl Iterator<Item = Output> + use<'a> {
        let (view, elements) = (*self, &self.entry.elements);
        let points = (0..elements.len()).flat_map(|e| (0..elements.points(e)).map(move |q| (e, q)));
        points.filter_map(move |(e, q)| view.output(e, q).ok())
    }

    /// Largest von Mises stress, Pa.
    pub fn largest_stress(&self) -> f64 {
        self.outputs().map(|o| o.von_mises).fold(0.0, f64::max)
    }

    /// Smallest ratio of volume (area, length) to that at rest: negative where an element is inverted.
    pub fn smallest_ratio(&self) -> f64 {
        self.outputs().map(|o| o.j).fold(f64::INFINITY, f64::min)
    }

    /// Activation of its fibres, 0 to 1.
    pub fn activation(&self) -> f64 {
        self.world.state.soft[self.entry.state.0]
    }

    /// Mass of all its nodes, kg.
    pub fn mass(&self) -> f64 {
        self.entry.masses.iter().sum()
    }

    /// Positions of the nodes of an element; how many.
    fn gather(&self, e: usize, x: &mut [DVec3; MAX_NODES]) -> usize {
        let nodes = self.entry.elements.nodes(e);
        for (x, &n) in x.iter_mut().zip(nodes) {
            *x = self.place(n as usize);
        }
        nodes.len()
    }

    fn at(&self, k: usize) -> Result<()> {
        let count = self.entry.nodes.len();
        if k < count { Ok(()) } else { Err(Error::input("node of the deformable", k, format!("less than {count}"))) }
    }

    fn place(&self, k: usize) -> DVec3 {
        if let SoftNode::Free(id) = self.entry.nodes[k] {
            return self.world.state.bodies[id.0.slot as usize].pos;
        }
        let of = |c: Carrier| {
            let b = &self.world.state.bodies[c.body.0.slot as usize];
            c.weight * (b.pos + b.rot * c.point)
        };
        self.entry.carriers(k).map(of).sum()
    }
}

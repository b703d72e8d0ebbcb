//! Adding, removing and looking at colliders and contacts.

use super::{Edit, Layout, World};
use crate::collide::detect::{Scan, detect};
use crate::collide::scene::Scene;
use crate::contact::collider::{Collider, Groups};
use crate::contact::material::Material;
use crate::contact::shape::Shape;
use crate::contact::{Contact, ContactRecord, Sensing};
use crate::error::{Error, Result, positive};
use crate::ids::{BodyId, ColliderId};
use crate::math::pose::Pose;
use crate::model::{Model, Motion, identity};
use crate::options::Options;
use crate::profile::Stage;
use crate::state::{BodyState, State};
use crate::topology::Topology;
use glam::DVec3;

/// A body that stands still: velocity and angular velocity.
const REST: (DVec3, DVec3) = (DVec3::ZERO, DVec3::ZERO);

/// What a collider is.
///
/// Where a headlamp is that sits 2 m in front of the middle of a car at x = 10 m.
/// ```
/// use taut::{Body, Collider, MassProperties, Shape, Vec3, World};
/// let mut world = World::new();
/// let car = world.add(Body::dynamic(MassProperties::cuboid(100.0, Vec3::new(2.0, 0.5, 1.0))?).at(10.0 * Vec3::X))?;
/// let lamp = world.add(Collider::new(Shape::ball(0.1)).at(2.0 * Vec3::X).on(car).friction(0.3).named("lamp"))?;
/// let lamp = world.collider(lamp)?;
/// assert_eq!((lamp.name, lamp.body, lamp.pose.pos), ("lamp", car, 12.0 * Vec3::X));
/// assert_eq!((lamp.shape, lamp.material.friction), (&Shape::ball(0.1), [0.3; 2]));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ColliderView<'a> {
    /// The body it is on.
    pub body: BodyId,
    /// Its shape.
    pub shape: &'a Shape,
    /// Its pose in the frame of the body.
    pub local: Pose,
    /// Its present pose in the world.
    pub pose: Pose,
    /// What its surface is like.
    pub material: Material,
    /// Whom it meets.
    pub groups: Groups,
    /// Whether it only tells what overlaps it.
    pub sensor: bool,
    /// Whether it is switched on.
    pub enabled: bool,
    /// A number of the user's own.
    pub user_data: u64,
    /// Its name.
    pub name: &'a str,
}

/// A contact point of the last step.
///
/// The contacts of a crate of 100 kg at rest carry its weight together.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// world.add(Collider::new(Shape::ground()).on(world.ground()))?;
/// let crate_ = world.add(Body::solid(Shape::cuboid(Vec3::splat(0.5)), 100.0)?.at(0.5 * Vec3::Y))?;
/// world.step(0.01)?;
/// let on_crate = |c: taut::views::ContactView| if c.bodies.0 == crate_ { c.force } else { -c.force };
/// let sum: Vec3 = world.contacts().map(on_crate).sum();
/// assert!((sum - 981.0 * Vec3::Y).length() < 1e-3);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactView {
    /// The colliders, a and b.
    pub colliders: (ColliderId, ColliderId),
    /// Their bodies.
    pub bodies: (BodyId, BodyId),
    /// Where it was when the step began, world, m.
    pub point: DVec3,
    /// Unit vector from b to a.
    pub normal: DVec3,
    /// How far the surfaces were apart along the normal when the step began, m; negative in each other.
    pub distance: f64,
    /// Force on the body of a, N.
    pub force: DVec3,
}

impl World {
    /// Puts a collider on a body. Meshes, height fields and half spaces need a body that does not move freely; a particle takes
    /// balls about itself. Bodies that share a joint do not meet unless [`World::set_collision`] says so.
    pub(super) fn insert_collider(&mut self, body: BodyId, collider: Collider) -> Result<ColliderId> {
        let entry = collider.build(body, &self.carrier(body)?)?;
        self.wake_around(body);
        let print = identity::collider(&entry);
        let id = ColliderId(self.model.colliders.insert(entry));
        if let Some(b) = self.model.bodies.get_mut(body.0) {
            b.colliders.push(id);
        }
        self.edited(Edit::AddCollider, id.0.slot, print);
        self.stir(body);
        Ok(id)
    }

    /// Removes a collider; its body stays. The next step tells that its contacts have ended.
    pub(super) fn take_collider(&mut self, id: ColliderId) -> Result<()> {
        let body = self.model.collider(id)?.body;
        self.wake_around(body);
        let soft = self.model.collider(id)?.soft;
        for (_, entry) in self.model.softs.iter_mut().filter(|(k, _)| Some(k.slot) == soft) {
            entry.skin = None;
        }
        self.model.colliders.remove(id.0);
        if let Some(b) = self.model.bodies.get_mut(body.0) {
            b.colliders.retain(|c| *c != id);
        }
        self.model.pair_materials.retain(|&(a, b), _| a != id && b != id);
        // They push no more, and are kept so that the next step can tell that they have ended.
        for c in self.state.contacts.iter_mut().filter(|c| c.id.a == id.0 || c.id.b == id.0) {
            (c.force, c.acted, c.stored) = (DVec3::ZERO, 0.0, 0.0);
        }
        self.edited(Edit::RemoveCollider, id.0.slot, 0);
        Ok(())
    }

    /// Looks at a collider.
    pub fn collider(&self, id: ColliderId) -> Result<ColliderView<'_>> {
        let c = self.model.collider(id)?;
        let s = &self.state.bodies[c.body.0.slot as usize];
        Ok(ColliderView {
            body: c.body,
            shape: &c.shape,
            local: c.pose,
            pose: Pose { pos: s.pos, rot: s.rot }.compose(&c.pose),
            material: c.material,
            groups: c.groups,
            sensor: c.sensor,
            enabled: c.enabled,
            user_data: c.user_data,
            name: &c.name,
        })
    }

    /// All colliders, in a fixed order.
    pub fn colliders(&self) -> impl Iterator<Item = ColliderId> + '_ {
        self.model.colliders.iter().map(|(k, _)| ColliderId(k))
    }

    /// The colliders of a body, in the order they were added.
    pub fn colliders_of(&self, body: BodyId) -> Result<&[ColliderId]> {
        Ok(&self.model.body(body)?.colliders)
    }

    /// A material for one pair of colliders, in place of their own. It is not combined; its direction and surface velocity are
    /// those of the surface of `a`.
    pub fn set_pair_material(&mut self, a: ColliderId, b: ColliderId, material: Material) -> Result<()> {
        self.model.collider(a)?;
        self.model.collider(b)?;
        if a == b {
            return Err(Error::input("pair of colliders", format!("{a:?} and {b:?}"), "two different colliders"));
        }
        material.validate()?;
        for c in [a, b] {
            self.wake_around(self.model.collider(c)?.body);
        }
        // Contacts have their colliders in the order of the slots.
        let first = a.0.slot < b.0.slot;
        self.model.pair_materials.insert(if first { (a, b) } else { (b, a) }, (material, first));
        Ok(())
    }

    /// Whether two bodies meet, whatever their joints. By default they do unless a joint joins them.
    pub fn set_collision(&mut self, a: BodyId, b: BodyId, meet: bool) -> Result<()> {
        self.model.body(a)?;
        self.model.body(b)?;
        if a == b {
            return Err(Error::input("pair of bodies", format!("{a:?} and {b:?}"), "two different bodies"));
        }
        self.wake_around(a);
        self.wake_around(b);
        self.model.collisions.insert((a.min(b), a.max(b)), meet);
        self.stir(a);
        self.stir(b);
        if let Some(scene) = self.scene.change() {
            scene.refilter(&self.model);
        }
        Ok(())
    }

    /// Contact points that a step of length `h` (s) from here would begin with, in a fixed order: all that can matter within it.
    /// Their forces are not known yet: zero.
    pub fn predict_contacts(&self, h: f64) -> Result<Vec<ContactView>> {
        positive("time step", h, "s")?;
        let moves = |b: &crate::model::BodyEntry| b.motion != Motion::Fixed;
        let moving: Vec<usize> =
            self.model.bodies.iter().filter(|(_, b)| moves(b)).map(|(k, _)| k.slot as usize).collect();
        let (model, bodies) = (&self.model, &self.state.bodies);
        // Boxes of a step are swept: those of the queries stay as they are.
        let mut scene = self.scene.now(model, bodies).clone();
        let (hooks, Options { gravity, parallel, .. }) = (&self.hooks, self.options);
        let scan = Scan { model, bodies, moving: &moving, h, gravity, jerk: &[], hooks, again: false, parallel };
        let (mut found, mut shares, mut sensed) = (Vec::new(), Vec::new(), Vec::new());
        detect(&scan, &mut scene, (&mut found, &mut shares), &mut sensed)?;
        let record = |c: &Contact| ContactRecord {
            id: c.id,
            point: 0.5 * (c.point_i + c.point_j),
            normal: c.normal,
            distance: c.distance,
            force: DVec3::ZERO,
            acted: 0.0,
            stored: 0.0,
        };
        Ok(found.iter().filter_map(|c| self.view(&record(c))).collect())
    }

    /// The contacts of a step, in the desk; what they are about to push is woken first, and the state before that is kept for a step that
    /// fails.
    pub(super) fn find_contacts(&mut self, h: f64, before: &mut Option<Box<State>>) -> Result<()> {
        loop {
            self.lay_out()?;
            let Some(layout) = self.layout.as_mut() else { return Ok(()) };
            let Layout { t, inputs, desk, .. } = &mut **layout;
            desk.profile.mark(Stage::Gather);
            if self.model.colliders.len() == 0 {
                inputs.contacts.clear();
                inputs.shares.clear();
                inputs.sensed.clear();
                return Ok(());
            }
            let (model, bodies) = (&self.model, &self.state.bodies);
            let scene = self.scene.open(model, bodies);
            inputs.moving.clear();
            inputs.moving.extend_from_slice(&t.slot_of[..t.nodes.len()]);
            // Bodies that the user moves are few, and come after the nodes.
            inputs.moving.extend(t.slot_of[t.nodes.len()..].iter().filter(|&&s| {
                model.bodies.at(s).is_some_and(|b| b.motion == Motion::Kinematic && b.driven(&bodies[s], h) != REST)
            }));
            // Those that the user has changed are looked at once even if they stand still.
            inputs
                .moving
                .extend(self.state.stirred.iter().filter(|&&s| model.bodies.at(s).is_some_and(|b| !b.is_node())));
            inputs.moving[t.nodes.len()..].sort_unstable();
            inputs.moving.dedup();
            jerks(t, bodies, &mut inputs.jerk);
            let (hooks, again, Options { gravity, parallel, .. }) = (&self.hooks, before.is_some(), self.options);
            let (moving, jerk) = (&inputs.moving, &inputs.jerk);
            let scan = Scan { model, bodies, moving, h, gravity, jerk, hooks, again, parallel };
            detect(&scan, scene, (&mut inputs.contacts, &mut inputs.shares), &mut inputs.sensed)?;
            keep_sensed(model, scene, &self.state.sensed, &mut inputs.sensed);
            desk.profile.mark(Stage::Contacts);
            if !self.wake_touched(h, before) {
                return Ok(());
            }
        }
    }

    /// A body that stands still has been changed: the next step looks whom it meets now.
    pub(super) fn stir(&mut self, id: BodyId) {
        self.state.stirred.push(id.0.slot as usize);
    }

    fn view(&self, c: &ContactRecord) -> Option<ContactView> {
        let (a, b) = (self.model.colliders.get(c.id.a)?, self.model.colliders.get(c.id.b)?);
        Some(ContactView {
            colliders: (ColliderId(c.id.a), ColliderId(c.id.b)),
            bodies: (self.model.carrier(a, c.id.features[0]), self.model.carrier(b, c.id.features[1])),
            point: c.point,
            normal: c.normal,
            distance: c.distance,
            force: c.force,
        })
    }

    /// Contact points of the last step that push, in a fixed order; those of bodies that sleep come last, as they were when they fell asleep.
    pub fn contacts(&self) -> impl Iterator<Item = ContactView> + '_ {
        let records = self.state.contacts.iter().chain(&self.state.resting);
        // Those without a force only say that a pair has not parted.
        records.filter(|c| c.force != DVec3::ZERO).filter_map(|c| self.view(c))
    }
}

/// What sensors saw of bodies that stand still or sleep, they still see: such pairs are not looked at again.
fn keep_sensed(model: &Model, scene: &Scene, before: &[Sensing], now: &mut Vec<Sensing>) {
    let resting = |c: ColliderId| model.colliders.get(c.0).filter(|c| c.enabled && !scene.moves(c.body.0.slot));
    let still = |s: &&Sensing| match (resting(s.colliders.0), resting(s.colliders.1)) {
        (Some(a), Some(b)) => a.sensor != b.sensor,
        _ => false,
    };
    let count = now.len();
    now.extend(before.iter().filter(still));
    if now.len() > count {
        now.sort_unstable();
    }
}

/// By body slot, how far the velocity of a body is from the farthest of those it is tied to, m/s: joints may give it that.
fn jerks(t: &Topology, bodies: &[BodyState], out: &mut Vec<f64>) {
    out.clear();
    out.resize(bodies.len(), 0.0);
    for island in t.islands.iter().filter(|i| i.nodes.len() > 1) {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for n in island.nodes.clone() {
            let v = bodies[t.slot_of[n]].vel;
            (low, high) = (low.min(v), high.max(v));
        }
        for n in island.nodes.clone() {
            let v = bodies[t.slot_of[n]].vel;
            out[t.slot_of[n]] = (v - low).max(high - v).length();
        }
    }
    for b in &t.bounds {
        let (i, j) = (t.slot_of[b.i], t.slot_of[b.j]);
        let apart = (bodies[i].vel - bodies[j].vel).length();
        (out[i], out[j]) = (out[i].max(apart), out[j].max(apart));
    }
    for s in &t.spans {
        let [i, j] = [0, 1].map(|k| t.slot_of[t.guides[s.guide + k].body]);
        let apart = (bodies[i].vel - bodies[j].vel).length();
        (out[i], out[j]) = (out[i].max(apart), out[j].max(apart));
    }
    for c in &t.couplings {
        let slots = || t.terms[c.terms.clone()].iter().flat_map(|term| [term.i, term.j]).map(|b| t.slot_of[b]);
        for slot in slots() {
            let apart = slots().map(|other| bodies[slot].vel.distance(bodies[other].vel)).fold(0.0, f64::max);
            out[slot] = out[slot].max(apart);
        }
    }
}

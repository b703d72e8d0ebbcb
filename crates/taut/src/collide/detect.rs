//! All contacts that can matter within a step.

use super::scene::{Scene, pose_of};
use super::soft::{SoftTouch, Spot, Surface};
use super::{soft_rigid, soft_soft, threads};
use crate::contact::collider::ColliderEntry;
use crate::contact::hooks::{ContactPair, ContactPoint, Hooks, modified};
use crate::contact::manifold::Touch;
use crate::contact::material::{Meeting, meet};
use crate::contact::narrow::{Narrow, Side, Stance, Stand};
use crate::contact::travel::Travel;
use crate::contact::{Contact, ContactKey, Sensing, Share};
use crate::error::{Error, Result};
use crate::ids::{ColliderId, Key};
use crate::model::{Model, Motion};
use crate::state::BodyState;
use glam::DVec3;

/// What is known when a step begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scan<'a> {
    pub model: &'a Model,
    /// By body slot.
    pub bodies: &'a [BodyState],
    /// Slots of bodies that are awake and have unknowns, or are kinematic and move. Pairs of others are not looked at.
    pub moving: &'a [usize],
    /// Length of the step, s.
    pub h: f64,
    /// m/s^2.
    pub gravity: DVec3,
    /// By body slot, the speed by which joints may change the velocity of a body within the step, m/s; none for slots beyond.
    pub jerk: &'a [f64],
    /// What the user has to say to contacts.
    pub hooks: &'a Hooks,
    /// The same step has been looked at before: those that slept are awake now.
    pub again: bool,
    /// Threads may be used.
    pub parallel: bool,
}

impl<'a> Scan<'a> {
    /// How a moving body is expected to move.
    fn travel(&self, slot: usize) -> Travel {
        let s = &self.bodies[slot];
        let start = pose_of(s);
        let Some(body) = self.model.bodies.at(slot) else { return Travel::rest(start) };
        match body.motion {
            Motion::Fixed => Travel::rest(start),
            Motion::Kinematic => {
                let (vel, omega) = body.driven(s, self.h);
                Travel { start, vel, omega, jerk: 0.0 }
            }
            Motion::Dynamic | Motion::Particle => {
                let vel = s.vel + (body.gravity_scale * self.gravity + body.load.0 / body.mass) * self.h;
                Travel { start, vel, omega: s.omega, jerk: self.jerk.get(slot).copied().unwrap_or(0.0) }
            }
        }
    }

    /// Velocity and angular velocity of a body when the step begins.
    fn motion(&self, scene: &Scene, slot: u32) -> (DVec3, DVec3) {
        let s = &self.bodies[slot as usize];
        match self.model.bodies.at(slot as usize).filter(|_| scene.moves(slot)) {
            Some(b) if b.motion == Motion::Kinematic => b.driven(s, self.h),
            Some(b) if b.is_node() => (s.vel, s.omega),
            _ => (DVec3::ZERO, DVec3::ZERO),
        }
    }
}

/// Contacts, and what those on deformables act on.
pub(crate) type Found<'a> = (&'a mut Vec<Contact>, &'a mut Vec<Share>);

/// Finds all contacts that can matter within a step, sorted by their keys, and what sensors see. All lists are overwritten. It fails
/// when a hook of the user sets a value that is out of its range.
pub(crate) fn detect(scan: &Scan<'_>, scene: &mut Scene, mut out: Found<'_>, sensed: &mut Vec<Sensing>) -> Result<()> {
    out.0.clear();
    out.1.clear();
    sensed.clear();
    scene.advance(scan.model, scan.bodies, scan.moving, scan.h, |s| scan.travel(s));
    find_pairs(scan, scene);
    if scan.hooks.0.is_some() {
        ask(scan, scene);
    }
    let (pairs, mut finders) = (std::mem::take(&mut scene.pairs), std::mem::take(&mut scene.finders));
    // Surfaces of deformables share one work memory, and hooks are called in the order of the pairs.
    let is_shared = scene.surfaces.is_empty() && scan.hooks.0.is_none();
    let count = if is_shared { threads::shares(scan.parallel, pairs.len(), &mut finders) } else { 1 };
    let done = if count > 1 {
        threads::divide(&pairs, &mut finders[..count], |pairs, f| f.find(scan, scene, pairs));
        finders[..count].iter_mut().try_for_each(|f| f.hand_over(&mut out, sensed))
    } else {
        let look = &mut finders[0].look;
        pairs.iter().try_for_each(|&slots| match Pair::of(scan, scene, slots) {
            Some(pair) if pair.x.soft.is_some() || pair.y.soft.is_some() => {
                pair.find_soft(scan, scene, slots, &mut out, sensed)
            }
            Some(pair) => pair.find(scan, scene, look, &mut out, sensed),
            None => Ok(()),
        })
    };
    (scene.pairs, scene.finders) = (pairs, finders);
    done
}

/// Work memory for one pair after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Look {
    narrow: Narrow,
    touches: Vec<Touch>,
}

/// What works on a share of the bodies or of the pairs, on a thread of its own, and what it has found there.
#[derive(Clone, Debug, Default)]
pub(super) struct Finder {
    look: Look,
    near: Vec<u32>,
    pairs: Vec<(u32, u32)>,
    contacts: Vec<Contact>,
    sensed: Vec<Sensing>,
    failed: Option<Error>,
}

impl Finder {
    /// Finds the contacts of pairs of rigid bodies.
    fn find(&mut self, scan: &Scan<'_>, scene: &Scene, pairs: &[(u32, u32)]) {
        let Finder { look, contacts, sensed, failed, .. } = self;
        // What a search that failed has left.
        contacts.clear();
        sensed.clear();
        // Shares are those of points on deformables.
        let mut none = Vec::new();
        let mut out = (contacts, &mut none);
        let mut found = pairs.iter().filter_map(|&slots| Pair::of(scan, scene, slots));
        *failed = found.try_for_each(|pair| pair.find(scan, scene, look, &mut out, sensed)).err();
    }

    /// Finds the pairs of the colliders of bodies that move.
    fn meet(&mut self, scan: &Scan<'_>, scene: &Scene, bodies: &[usize]) {
        let (model, near) = (scan.model, &mut self.near);
        for a in bodies.iter().flat_map(|&body| scene.of(body as u32)) {
            near.clear();
            // Two that move would find each other twice.
            candidates(model, scene, a, |b| b > a || !scene.is_carried(b), near);
            self.pairs.extend(near.iter().filter(|&&b| wanted(model, scene, a, b)).map(|&b| (a.min(b), a.max(b))));
        }
    }

    /// Appends what was found, and forgets it.
    fn hand_over(&mut self, out: &mut Found<'_>, sensed: &mut Vec<Sensing>) -> Result<()> {
        out.0.append(&mut self.contacts);
        sensed.append(&mut self.sensed);
        self.failed.take().map_or(Ok(()), Err)
    }
}

/// Leaves the pairs that the user's filter lets touch. Each is asked for once in a step.
fn ask(scan: &Scan<'_>, scene: &mut Scene) {
    let Some(hook) = &scan.hooks.0 else { return };
    let (mut pairs, mut asked) = (std::mem::take(&mut scene.pairs), std::mem::take(&mut scene.asked));
    if !scan.again {
        asked.clear();
    }
    let known = asked.len();
    pairs.retain(|&slots| {
        if let Ok(k) = asked[..known].binary_search_by_key(&slots, |a| a.0) {
            return asked[k].1;
        }
        let may = Pair::of(scan, scene, slots).is_some_and(|pair| hook.filter(&pair.seen(scan, scene)));
        asked.push((slots, may));
        may
    });
    asked.sort_unstable();
    (scene.pairs, scene.asked) = (pairs, asked);
}

/// Pairs of colliders whose boxes meet and whose filters agree, lower slot first, sorted.
fn find_pairs(scan: &Scan<'_>, scene: &mut Scene) {
    let (mut pairs, mut finders) = (std::mem::take(&mut scene.pairs), std::mem::take(&mut scene.finders));
    pairs.clear();
    let count = threads::shares(scan.parallel, scan.moving.len(), &mut finders);
    threads::divide(scan.moving, &mut finders[..count], |bodies, f| f.meet(scan, scene, bodies));
    finders[..count].iter_mut().for_each(|f| pairs.append(&mut f.pairs));
    let found = &mut finders[0].near;
    for k in 0..scene.surfaces.len() {
        let a = scene.surfaces[k].collider;
        found.clear();
        candidates(scan.model, scene, a, |_| true, found);
        let moves = |b: u32| scan.model.colliders.at(b as usize).is_some_and(|c| scene.moves(c.body.0.slot));
        let pair = |&b: &u32| (scene.surfaces[k].moves || moves(b)) && wanted(scan.model, scene, a, b);
        pairs.extend(found.iter().filter(|b| pair(b)).map(|&b| (a.min(b), a.max(b))));
        let (own, later) = (&scene.surfaces[k], &scene.surfaces[k..]);
        let near = later.iter().filter(|s| (own.moves || s.moves) && own.bounds().meets(&s.bounds()));
        pairs.extend(near.filter(|s| wanted(scan.model, scene, a, s.collider)).map(|s| (a, s.collider)));
    }
    pairs.sort_unstable();
    (scene.pairs, scene.finders) = (pairs, finders);
}

/// Colliders whose boxes meet that of a collider, of those that are asked for.
fn candidates(model: &Model, scene: &Scene, a: u32, asked: impl Fn(u32) -> bool, found: &mut Vec<u32>) {
    let bounds = scene.boxes[a as usize];
    if scene.planes.binary_search(&a).is_ok() {
        // A half space on a body that moves: all boxes are looked at.
        found.extend((0..scene.boxes.len() as u32).filter(|&b| asked(b) && reaches(model, scene, a, b)));
        return;
    }
    if !bounds.is_finite() {
        return;
    }
    scene.tree.overlapping(&bounds, found);
    found.retain(|&b| b != a && asked(b) && scene.boxes[b as usize].meets(&bounds));
    found.extend(scene.planes.iter().copied().filter(|&p| asked(p) && reaches(model, scene, p, a)));
}

/// Whether the box of a collider reaches the half space of another.
fn reaches(model: &Model, scene: &Scene, plane: u32, other: u32) -> bool {
    let Some(c) = model.colliders.at(plane as usize) else { return false };
    let Some(n) = c.geometry.plane() else { return false };
    let b = &scene.boxes[other as usize];
    let pose = scene.stances[plane as usize].start;
    let n = pose.rot * n;
    // A moving plane may come nearer by what the pair's boxes do not know.
    b.is_finite() && (scene.moves(c.body.0.slot) || b.lowest(n) <= n.dot(pose.pos))
}

fn wanted(model: &Model, scene: &Scene, a: u32, b: u32) -> bool {
    let (Some(x), Some(y)) = (model.colliders.at(a as usize), model.colliders.at(b as usize)) else { return false };
    let (i, j) = (x.body.0.slot, y.body.0.slot);
    let is_node = |s: u32| model.bodies.at(s as usize).is_some_and(|b| b.is_node());
    let pushes = !x.sensor && !y.sensor && (is_node(i) || is_node(j));
    let on = model.is_on(x) && model.is_on(y);
    on && (pushes || x.sensor != y.sensor) && x.groups.meets(&y.groups) && (a == b || scene.may_meet(i, j))
}

/// Two colliders on their way, in the order of their slots.
struct Pair<'a> {
    keys: (Key, Key),
    x: &'a ColliderEntry,
    y: &'a ColliderEntry,
    travels: (Travel, Travel),
}

impl<'a> Pair<'a> {
    fn of(scan: &Scan<'a>, scene: &Scene, (a, b): (u32, u32)) -> Option<Self> {
        let model = scan.model;
        let slot = |s: u32| model.colliders.key_at(s as usize).zip(model.colliders.at(s as usize));
        let ((key_a, x), (key_b, y)) = (slot(a)?, slot(b)?);
        let travel = |c: &ColliderEntry| scene.travel(scan.bodies, c.body.0.slot);
        Some(Pair { keys: (key_a, key_b), x, y, travels: (travel(x), travel(y)) })
    }

    /// Their contacts, or that one senses the other.
    fn find(
        &self,
        scan: &Scan<'a>,
        scene: &Scene,
        look: &mut Look,
        out: &mut Found<'_>,
        sensed: &mut Vec<Sensing>,
    ) -> Result<()> {
        let Pair { keys, x, y, travels } = self;
        let Look { narrow, touches } = look;
        if x.sensor || y.sensor {
            let seen = sides(x, &travels.0).any(|p| sides(y, &travels.1).any(|q| narrow.overlap(&p, &q)));
            if seen {
                sensed.push(Sensing { colliders: (ColliderId(keys.0), ColliderId(keys.1)) });
            }
            return Ok(());
        }
        touches.clear();
        let stances = (scene.stances[keys.0.slot as usize], scene.stances[keys.1.slot as usize]);
        for p in stands(x, &travels.0, stances.0) {
            for q in stands(y, &travels.1, stances.1) {
                narrow.touches(&p, &q, scan.h, touches);
            }
        }
        // Those of two parts are in order.
        if x.geometry.parts.len().max(y.geometry.parts.len()) > 1 {
            touches.sort_unstable_by(Touch::order);
        }
        self.contacts(scan, scene, touches.iter().map(|t| (t, [None; 2])), out)
    }

    /// The contacts of a deformable, or that a sensor sees it; `slots` are those of the colliders.
    fn find_soft(
        &self,
        scan: &Scan<'a>,
        scene: &mut Scene,
        slots: (u32, u32),
        out: &mut Found<'_>,
        sensed: &mut Vec<Sensing>,
    ) -> Result<()> {
        let Pair { keys, x, y, travels } = self;
        let (mut work, surfaces) = (scene.soft.take().unwrap_or_default(), std::mem::take(&mut scene.surfaces));
        let index = |slot: u32| surfaces.binary_search_by_key(&slot, |s| s.collider).ok().map(|k| &surfaces[k]);
        let is_sensor = x.sensor || y.sensor;
        let mut seen = false;
        work.touches.clear();
        match (index(slots.0), index(slots.1)) {
            (Some(surface), None) | (None, Some(surface)) => {
                let first = x.soft.is_some();
                let (slot, other, travel) = if first { (slots.1, *y, &travels.1) } else { (slots.0, *x, &travels.0) };
                let meeting = soft_rigid::Meeting { surface, slot, other, travel, h: scan.h };
                if is_sensor {
                    seen = meeting.overlap(scene, &mut work);
                } else {
                    meeting.find(scene, &mut work);
                }
                if !first {
                    work.touches.iter_mut().for_each(SoftTouch::flip);
                    work.touches.sort_unstable_by(|a, b| a.touch.order(&b.touch));
                }
            }
            (Some(a), Some(b)) => {
                let is_self = slots.0 == slots.1;
                soft_soft::Meeting { a, b, is_self, h: if is_sensor { 0.0 } else { scan.h } }.find(scene, &mut work);
                if is_sensor {
                    seen = work.touches.iter().any(|t| t.touch.distance <= 0.0);
                    work.touches.clear();
                }
            }
            (None, None) => {}
        }
        if seen {
            sensed.push(Sensing { colliders: (ColliderId(keys.0), ColliderId(keys.1)) });
        }
        let on = [index(slots.0), index(slots.1)];
        let touches = work.touches.iter().map(|t| (&t.touch, [0, 1].map(|k| on[k].map(|s| (s, &t.on[k])))));
        let done = self.contacts(scan, scene, touches, out);
        (scene.soft, scene.surfaces) = (Some(work), surfaces);
        done
    }

    /// The contacts at these points.
    fn contacts<'t>(
        &self,
        scan: &Scan<'a>,
        scene: &Scene,
        touches: impl Iterator<Item = (&'t Touch, [Option<(&'t Surface, &'t Spot)>; 2])>,
        out: &mut Found<'_>,
    ) -> Result<()> {
        let Pair { keys, x, y, travels } = self;
        let (pose_x, pose_y) = (travels.0.start.rot * x.pose.rot, travels.1.start.rot * y.pose.rot);
        let own = scan.model.pair_materials.get(&(ColliderId(keys.0), ColliderId(keys.1)));
        let hook = scan.hooks.0.as_deref().map(|hook| (hook, self.seen(scan, scene)));
        let over = own.map(|(m, first)| if *first { ((m, pose_x), -1.0) } else { ((m, pose_y), 1.0) });
        let mut last: Option<ContactKey> = None;
        let mut met: Option<(DVec3, Meeting)> = None;
        for (t, on) in touches {
            // The points of a face have one normal.
            let mut surface = match met {
                Some((normal, surface)) if normal == t.normal => surface,
                _ => meet((&x.material, pose_x), (&y.material, pose_y), over, t.normal),
            };
            met = Some((t.normal, surface));
            let mut id = ContactKey { a: keys.0, b: keys.1, features: t.features, ordinal: 0 };
            if let Some(l) = last.filter(|l| l.features == t.features) {
                id.ordinal = l.ordinal + 1;
            }
            last = Some(id);
            if let Some((hook, seen)) = &hook {
                match modified(*hook, *seen, self.point(seen, t, &surface), &surface)? {
                    Some(changed) => surface = changed,
                    None => continue,
                }
            }
            let mut made = contact(id, (x.body.0.slot as usize, y.body.0.slot as usize), t, surface);
            for (k, side) in on.into_iter().enumerate() {
                let Some((surface, spot)) = side else { continue };
                let first = out.1.len();
                surface.share(spot, out.1);
                let heaviest = out.1[first..].iter().reduce(|a, b| if b.weight > a.weight { b } else { a });
                let body = if k == 0 { &mut made.bodies.0 } else { &mut made.bodies.1 };
                *body = heaviest.map_or(*body, |s| s.body);
                made.shares[k] = Some((first as u32, out.1.len() as u32));
            }
            out.0.push(made);
        }
        Ok(())
    }

    /// What the user's hooks see of the two.
    fn seen(&self, scan: &Scan<'a>, scene: &Scene) -> ContactPair<'a> {
        let Pair { keys, x, y, travels } = self;
        let name = |c: &ColliderEntry| scan.model.bodies.get(c.body.0).map_or("", |b| b.name.as_str());
        let (v, w) = (scan.motion(scene, x.body.0.slot), scan.motion(scene, y.body.0.slot));
        ContactPair {
            colliders: (ColliderId(keys.0), ColliderId(keys.1)),
            bodies: (x.body, y.body),
            collider_names: (&x.name, &y.name),
            body_names: (name(x), name(y)),
            user_data: (x.user_data, y.user_data),
            sensors: (x.sensor, y.sensor),
            poses: (travels.0.start.compose(&x.pose), travels.1.start.compose(&y.pose)),
            velocities: (v.0, w.0),
            angular_velocities: (v.1, w.1),
        }
    }

    fn point(&self, seen: &ContactPair<'_>, t: &Touch, met: &Meeting) -> ContactPoint {
        let point = 0.5 * (t.point_a + t.point_b);
        let speed = |vel: DVec3, omega: DVec3, travel: &Travel| vel + omega.cross(point - travel.start.pos);
        let (v, w) = (seen.velocities, seen.angular_velocities);
        let velocity = speed(v.0, w.0, &self.travels.0) - speed(v.1, w.1, &self.travels.1);
        ContactPoint { point, normal: t.normal, distance: t.distance, velocity, tangents: met.tangents }
    }
}

/// The parts of a collider on their way.
pub(super) fn sides<'a>(c: &'a ColliderEntry, travel: &'a Travel) -> impl Iterator<Item = Side<'a>> + use<'a> {
    let parts = c.geometry.parts.iter().enumerate();
    parts.map(move |(k, part)| Side { part, local: c.pose.compose(&part.pose), travel, index: k as u32 })
}

/// The same where they are when the step begins; `first` is that of the first part.
fn stands<'a>(c: &'a ColliderEntry, travel: &'a Travel, first: Stance) -> impl Iterator<Item = Stand<'a>> + use<'a> {
    c.geometry.parts.iter().enumerate().map(move |(k, part)| match k {
        0 => Stand { side: Side { part, local: first.local, travel, index: 0 }, stance: first },
        _ => Stand::new(Side { part, local: c.pose.compose(&part.pose), travel, index: k as u32 }),
    })
}

fn contact(id: ContactKey, bodies: (usize, usize), t: &Touch, m: Meeting) -> Contact {
    Contact {
        id,
        bodies,
        shares: [None; 2],
        point_i: t.point_a,
        point_j: t.point_b,
        normal: t.normal,
        distance: t.distance,
        tangents: m.tangents,
        friction: m.friction,
        restitution: m.restitution,
        compliance: m.compliance,
        damping: m.damping,
        surface_velocity: m.surface_velocity,
    }
}

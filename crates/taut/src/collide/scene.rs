//! Who may meet whom: a tree of bounding boxes and the filters. Disposable: it can be made anew from model and poses at any
//! time, and what is found does not depend on what it has seen before. Only bodies that move cost anything.

use super::soft::Surface;
use crate::contact::bounds::Bounds;
use crate::contact::narrow::{Stance, swept};
use crate::contact::parry::Tree;
use crate::contact::travel::Travel;
use crate::ids::ColliderId;
use crate::math::pose::Pose;
use crate::model::Model;
use crate::state::BodyState;
use crate::tuning::T;
use glam::DVec3;

/// Bounding boxes, filters and work memory of collision detection.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scene {
    pub(super) tree: Tree,
    /// Colliders that are half spaces.
    pub(super) planes: Vec<u32>,
    /// Exact boxes by collider slot: swept over the step for bodies that move, around the present pose for others.
    pub(super) boxes: Vec<Bounds>,
    /// Where the first parts of colliders are, by slot; as new as the boxes.
    pub(super) stances: Vec<Stance>,
    /// How bodies move, by slot: those that were handed in as moving this time.
    travels: Vec<Travel>,
    /// How far colliders reach from the centres of their bodies, by slot, m.
    arms: Vec<f64>,
    /// Colliders of each body slot: `listed[first[s]..first[s + 1]]`.
    first: Vec<u32>,
    listed: Vec<u32>,
    /// Pairs of body slots that do not meet, sorted.
    apart: Vec<(u32, u32)>,
    /// Bodies whose boxes may be out of date.
    stale: Vec<u32>,
    /// Round in which a body last moved, by slot.
    moved: Vec<u64>,
    /// The same of the bodies of colliders, by collider slot.
    carried: Vec<u64>,
    round: u64,
    pub(super) pairs: Vec<(u32, u32)>,
    /// Pairs that the user's filter was asked for in this step, sorted, and its answers.
    pub(super) asked: Vec<((u32, u32), bool)>,
    pub(super) finders: Vec<super::detect::Finder>,
    /// Surfaces of deformables, in the order of their colliders.
    pub(super) surfaces: Vec<Surface>,
    pub(super) soft: Option<Box<super::soft::Work>>,
}

pub(crate) fn pose_of(b: &BodyState) -> Pose {
    Pose { pos: b.pos, rot: b.rot }
}

impl Scene {
    /// All colliders at the present poses.
    pub fn new(model: &Model, bodies: &[BodyState]) -> Self {
        let slots = model.colliders.slots();
        let mut scene = Scene {
            boxes: vec![Bounds::EMPTY; slots],
            arms: vec![0.0; slots],
            stances: vec![Stance::NONE; slots],
            travels: vec![Travel::rest(Pose::IDENTITY); bodies.len()],
            apart: apart(model),
            moved: vec![0; bodies.len()],
            carried: vec![0; slots],
            ..Scene::default()
        };
        scene.list(model, bodies.len());
        let mut leaves = Vec::with_capacity(model.colliders.len());
        for (key, c) in model.colliders.iter() {
            let slot = key.slot as usize;
            if let Some(soft) = c.soft {
                scene.surfaces.extend(Surface::new(model, key.slot, soft));
                continue;
            }
            scene.arms[slot] = c.geometry.arm(&c.pose);
            let rest = Travel::rest(pose_of(&bodies[c.body.0.slot as usize]));
            scene.place(model, slot, &rest.start);
            if c.geometry.plane().is_some() {
                scene.planes.push(key.slot);
                continue;
            }
            let b = scene.bounds(model, slot, &rest, 0.0);
            scene.boxes[slot] = b;
            if b.is_finite() {
                leaves.push((key.slot, b));
            }
        }
        scene.tree = Tree::new(&leaves);
        scene.place_surfaces(model, bodies);
        scene
    }

    fn list(&mut self, model: &Model, bodies: usize) {
        self.first = vec![0; bodies + 1];
        let rigid = || model.colliders.iter().filter(|(_, c)| c.soft.is_none());
        for (_, c) in rigid() {
            self.first[c.body.0.slot as usize + 1] += 1;
        }
        for k in 0..bodies {
            self.first[k + 1] += self.first[k];
        }
        let mut next = self.first.clone();
        self.listed = vec![0; rigid().count()];
        for (key, c) in rigid() {
            let n = &mut next[c.body.0.slot as usize];
            self.listed[*n as usize] = key.slot;
            *n += 1;
        }
    }

    /// Colliders of a body slot.
    pub fn of(&self, body: u32) -> impl Iterator<Item = u32> + use<'_> {
        let k = body as usize;
        let range = if k + 1 < self.first.len() { self.first[k]..self.first[k + 1] } else { 0..0 };
        range.map(|n| self.listed[n as usize])
    }

    /// Whether the filters let two bodies meet.
    pub fn may_meet(&self, i: u32, j: u32) -> bool {
        i != j && self.apart.binary_search(&(i.min(j), i.max(j))).is_err()
    }

    /// Whether a body was handed in as moving this time.
    pub fn moves(&self, body: u32) -> bool {
        self.moved[body as usize] == self.round && self.round > 0
    }

    /// Whether a collider is on a body that moves this time.
    pub fn is_carried(&self, collider: u32) -> bool {
        self.carried[collider as usize] == self.round && self.round > 0
    }

    /// How a body moves in this step.
    pub fn travel(&self, bodies: &[BodyState], body: u32) -> Travel {
        let at = body as usize;
        if self.moves(body) { self.travels[at] } else { Travel::rest(pose_of(&bodies[at])) }
    }

    /// The user has moved a body.
    pub fn touch(&mut self, body: usize) {
        if self.stale.last() != Some(&(body as u32)) {
            self.stale.push(body as u32);
        }
    }

    /// The user has changed the shape or the place of a collider, which was no half space and is none.
    pub fn reshape(&mut self, model: &Model, collider: u32) {
        let Some(c) = model.colliders.at(collider as usize) else { return };
        self.arms[collider as usize] = c.geometry.arm(&c.pose);
        self.touch(c.body.0.slot as usize);
    }

    /// The user has changed who meets whom.
    pub fn refilter(&mut self, model: &Model) {
        self.apart = apart(model);
    }

    fn bounds(&self, model: &Model, slot: usize, travel: &Travel, h: f64) -> Bounds {
        let Some(c) = model.colliders.at(slot) else { return Bounds::EMPTY };
        let b = c.geometry.bounds(&travel.start.compose(&c.pose));
        swept(b, travel, self.arms[slot], c.geometry.thickness, h)
    }

    /// Notes where the first part of a collider is when its body is at a pose.
    fn place(&mut self, model: &Model, slot: usize, body: &Pose) {
        let Some(c) = model.colliders.at(slot) else { return };
        if let Some(part) = c.geometry.parts.first() {
            self.stances[slot] = Stance::new(part, c.pose.compose(&part.pose), body);
        }
    }

    fn set(&mut self, model: &Model, slot: u32, travel: &Travel, h: f64) {
        self.place(model, slot as usize, &travel.start);
        if self.planes.binary_search(&slot).is_ok() {
            return;
        }
        let b = self.bounds(model, slot as usize, travel, h);
        self.boxes[slot as usize] = b;
        // A body out of the range of numbers meets nothing; the step refuses it.
        if b.is_finite() {
            self.tree.update(slot, &b, T.layout.fat * (b.max - b.min).max_element());
        }
    }

    /// Boxes of a new step: swept for the bodies that move, at rest for those that have stopped.
    pub(super) fn advance(
        &mut self,
        model: &Model,
        bodies: &[BodyState],
        moving: &[usize],
        h: f64,
        of: impl Fn(usize) -> Travel,
    ) {
        self.round += 1;
        for &s in moving {
            self.moved[s] = self.round;
        }
        self.settle(model, bodies);
        for &s in moving {
            let travel = of(s);
            self.travels[s] = travel;
            for n in self.first[s]..self.first[s + 1] {
                let slot = self.listed[n as usize];
                self.carried[slot as usize] = self.round;
                self.set(model, slot, &travel, h);
            }
            self.stale.push(s as u32);
        }
        let mut surfaces = std::mem::take(&mut self.surfaces);
        for surface in &mut surfaces {
            surface.moves = false;
            surface.advance(model, h, |slot| match self.moves(slot) {
                true => (of(slot as usize), true),
                false => (Travel::rest(pose_of(&bodies[slot as usize])), false),
            });
            let slot = surface.collider as usize;
            self.boxes[slot] = surface.bounds();
            if model.colliders.at(slot).is_some_and(|c| self.moves(c.body.0.slot)) {
                self.carried[slot] = self.round;
            }
        }
        self.surfaces = surfaces;
    }

    /// Surfaces of deformables at the present poses.
    fn place_surfaces(&mut self, model: &Model, bodies: &[BodyState]) {
        for surface in &mut self.surfaces {
            surface.advance(model, 0.0, |slot| (Travel::rest(pose_of(&bodies[slot as usize])), false));
            self.boxes[surface.collider as usize] = surface.bounds();
        }
    }

    /// Brings the boxes of bodies that have stopped or were moved by the user up to date.
    fn settle(&mut self, model: &Model, bodies: &[BodyState]) {
        let mut stale = std::mem::take(&mut self.stale);
        for &s in &stale {
            if self.moves(s) || s as usize >= bodies.len() {
                continue;
            }
            let rest = Travel::rest(pose_of(&bodies[s as usize]));
            for n in self.first[s as usize]..self.first[s as usize + 1] {
                self.set(model, self.listed[n as usize], &rest, 0.0);
            }
        }
        stale.clear();
        self.stale = stale;
    }

    /// Brings all boxes to the present poses, for queries between steps.
    pub fn refresh(&mut self, model: &Model, bodies: &[BodyState]) {
        self.round += 1;
        self.settle(model, bodies);
        self.place_surfaces(model, bodies);
    }
}

/// Pairs of bodies that the user keeps apart, or that share a joint and the user does not want to meet.
fn apart(model: &Model) -> Vec<(u32, u32)> {
    let ordered = |i: u32, j: u32| (i.min(j), i.max(j));
    let mut out: Vec<(u32, u32)> =
        model.joints.iter().filter(|(_, j)| !j.owned).map(|(_, j)| ordered(j.i.0.slot, j.j.0.slot)).collect();
    out.sort_unstable();
    out.dedup();
    for (&(i, j), &meet) in &model.collisions {
        let pair = ordered(i.0.slot, j.0.slot);
        match (out.binary_search(&pair), meet) {
            (Ok(k), true) => {
                out.remove(k);
            }
            (Err(k), false) => out.insert(k, pair),
            _ => {}
        }
    }
    out
}

/// Queries between steps: colliders by slot, ascending.
impl Scene {
    /// The surface of a deformable that a collider stands for.
    pub fn surface(&self, collider: ColliderId) -> Option<&Surface> {
        let at = self.surfaces.binary_search_by_key(&collider.0.slot, |s| s.collider).ok()?;
        self.surfaces.get(at)
    }

    /// Colliders whose boxes meet a box, and all half spaces.
    pub fn overlapping(&self, b: &Bounds, out: &mut Vec<u32>) {
        if b.is_finite() {
            self.tree.overlapping(b, out);
        }
        out.extend(self.surfaces.iter().filter(|s| s.bounds().meets(b)).map(|s| s.collider));
        out.extend_from_slice(&self.planes);
        out.sort_unstable();
    }

    /// Colliders whose boxes meet a ray, and all half spaces.
    pub fn along(&self, origin: DVec3, direction: DVec3, limit: f64, out: &mut Vec<u32>) {
        self.tree.along(origin, direction, limit, out);
        let pierced = |s: &&Surface| s.bounds().pierced(origin, direction, limit).is_some();
        out.extend(self.surfaces.iter().filter(pierced).map(|s| s.collider));
        out.extend_from_slice(&self.planes);
        out.sort_unstable();
    }
}

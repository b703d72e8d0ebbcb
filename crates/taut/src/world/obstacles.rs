//! Colliders that ropes are swept over.

use super::World;
use super::guides::{Look, Scratch, Taken};
use super::rope_ref::Laid;
use crate::contact::bends::{TERRAIN, features, features_in, has_terrain, terrain_meets};
use crate::contact::bounds::Bounds;
use crate::contact::collider::{ColliderEntry, Groups};
use crate::ids::ColliderId;
use crate::math::pose::Pose;
use crate::model::Motion;
use crate::model::reeving::RopeEntry;
use crate::reeve::bend::Trial;
use crate::reeve::hold::Hold;
use crate::reeve::obstacle::{Feature, Meeting, Sweep};
use crate::reeve::span::Guide;
use crate::reeve::{Groove, edge};
use crate::state::Stop;
use crate::topology::NONE;
use crate::tuning::T;
use glam::DVec3;

impl World {
    /// Colliders that a span has been swept over become guides, the first one first.
    pub(super) fn meet_colliders(&self, look: &mut Look<'_>, taken: &Taken<'_>, scratch: &mut Scratch) {
        let Some(groups) = look.entry.groups.filter(|_| self.model.has_colliders()) else { return };
        for round in 0..T.ropes.meetings {
            self.lay(look, taken, scratch);
            if round == 0 {
                self.find_near(look.entry, groups, taken, scratch);
            }
            let full = look.rope.pieces().any(|(a, b)| b - a >= edge::MOST);
            if scratch.near.is_empty() || full {
                return;
            }
            let Some((k, stop, trial)) = self.first_met(look, scratch) else { return };
            self.meet(look, k, stop, &trial, &scratch.is, taken.h);
        }
    }

    /// Colliders whose boxes the rope has been swept through, and the poses of their bodies before and after.
    fn find_near(&self, entry: &RopeEntry, groups: Groups, taken: &Taken<'_>, scratch: &mut Scratch) {
        let Scratch { was, is, near, ids } = scratch;
        let ends = [was, is].into_iter().flat_map(|l| l.spans.iter().flatten().flat_map(|s| s.ends));
        let swept = ends.fold(Bounds::EMPTY, Bounds::with).grown(0.5 * entry.thickness);
        near.clear();
        for (key, c) in self.model.colliders.iter() {
            let slot = c.body.0.slot as usize;
            if c.sensor || c.soft.is_some() || !self.model.is_on(c) || !groups.meets(&c.groups) {
                continue;
            }
            let now = &self.state.bodies[slot];
            let was = match taken.t.dense_of[slot] {
                NONE => Pose { pos: now.pos, rot: now.rot },
                dense => Pose { pos: taken.kin[dense].pos, rot: taken.kin[dense].quat },
            };
            let poses = [was, Pose { pos: now.pos, rot: now.rot }];
            let around = poses.map(|p| c.geometry.bounds(&p.compose(&c.pose)));
            if around[0].union(around[1]).meets(&swept) && !self.is_own(entry, c, ids) {
                near.push((ColliderId(key), poses));
            }
        }
    }

    /// Whether a rope is tied to or led by what a collider belongs to. Of a fixed body these are the colliders that its points and sheaves
    /// there are in: others stand in its way.
    fn is_own(&self, entry: &RopeEntry, c: &ColliderEntry, ids: &mut Vec<u32>) -> bool {
        let fixed = self.model.bodies.get(c.body.0).is_some_and(|b| b.motion == Motion::Fixed);
        entry.guides.iter().filter(|g| g.body == c.body).any(|g| {
            let ends = [g.groove.centre, g.groove.centre + g.groove.length * g.groove.axis];
            let around = Bounds::point(ends[0]).with(ends[1]).grown(g.groove.radius);
            // The box of a terrain may hold a whole scene: its triangles count.
            let reach = T.ropes.own * g.groove.radius;
            let mut holds = || match has_terrain(&c.geometry) {
                true => terrain_meets(&c.geometry, &c.pose, &around.grown(reach), ids),
                false => c.geometry.bounds(&c.pose).grown(reach).meets(&around),
            };
            !fixed || holds()
        })
    }

    /// The first of the meetings of all spans with what is near, as a guide that bends the rope.
    fn first_met(&self, look: &Look<'_>, scratch: &mut Scratch) -> Option<(usize, Stop, Trial)> {
        let mut ids = std::mem::take(&mut scratch.ids);
        let mut best: Option<(f64, usize, Stop, Trial)> = None;
        let mut keep = |k: usize, found: Option<(f64, Stop, Trial)>| {
            let Some((time, stop, trial)) = found else { return };
            if best.as_ref().is_none_or(|b| time < b.0) {
                best = Some((time, k, stop, trial));
            }
        };
        for near in &scratch.near {
            let Some(c) = self.model.colliders.get(near.0.0) else { continue };
            features(&c.geometry, &c.pose, |number, feature| {
                for k in 0..look.rope.spans.len() {
                    keep(k, self.met(look, scratch, near, (k, number), &feature));
                }
            });
            for k in 0..if has_terrain(&c.geometry) { look.rope.spans.len() } else { 0 } {
                // Only what is near the way of the span.
                let Some(sweep) = sweep(scratch, near, k) else { continue };
                let around = sweep.from.into_iter().chain(sweep.to).fold(Bounds::EMPTY, Bounds::with);
                let mut past = None;
                features_in(&c.geometry, &c.pose, &around, &mut ids, |number, feature| {
                    match self.met(look, scratch, near, (k, number), &feature) {
                        Some((time, stop, trial)) if self.is_past(&stop, &trial.guide) => {
                            past = Some((time, stop, trial))
                        }
                        found => keep(k, found),
                    }
                });
                if let Some((time, stop, trial)) = past {
                    let next = [&scratch.is.guides[k], &scratch.is.guides[k + 1]];
                    let other = self.corner(c, (stop, &trial), next, [None; 2], &mut ids);
                    keep(k, other.and_then(|stop| Some((time, stop, self.tried(&stop, next)?))));
                }
            }
        }
        scratch.ids = ids;
        best.map(|(_, k, stop, trial)| (k, stop, trial))
    }

    /// When a span meets a feature of a collider within the step, and the guide that bends it then. That of a terrain may be passed at its end.
    fn met(
        &self,
        look: &Look<'_>,
        scratch: &Scratch,
        near: &(ColliderId, [Pose; 2]),
        (k, number): (usize, u32),
        feature: &Feature,
    ) -> Option<(f64, Stop, Trial)> {
        let (collider, c) = (near.0, self.model.colliders.get(near.0.0)?);
        let own = |s: &Stop| s.found.filter(|f| f.0 == collider).map(|f| f.1);
        if [&look.rope.stops[k], &look.rope.stops[k + 1]].map(own).contains(&Some(number)) {
            return None;
        }
        let Meeting { time, groove } = sweep(scratch, near, k)?.meets(feature, 0.5 * look.entry.thickness)?;
        let rubs = Hold::Friction(0.5 * (c.material.friction[0] + c.material.friction[1]));
        let hold = rubs.check("").unwrap_or_default();
        let stop = Stop { lead: None, found: Some((collider, number)), body: c.body.0.slot, groove, hold };
        let trial = self.tried(&stop, [&scratch.is.guides[k], &scratch.is.guides[k + 1]])?;
        let bends = trial.wrap > 0.0 && (number >= TERRAIN || !self.is_past(&stop, &trial.guide));
        // The edges of a terrain that begin where the rope is led already do not lead it.
        let lengths = trial.spans.map(|s| s.length);
        let apart = number < TERRAIN || lengths[0].min(lengths[1]) > T.ropes.corner * (lengths[0] + lengths[1]);
        (bends && apart).then_some((time, stop, trial))
    }

    /// A stop between two guides as its body is now.
    fn tried(&self, stop: &Stop, next: [&Guide; 2]) -> Option<Trial> {
        Trial::of(next, &stop.groove.at(&self.side_at(stop.body as usize), 0.0))
    }

    /// A rope that slides off the end of an edge of a collider goes on over the edge that it comes to there, or stays at the corner.
    pub(super) fn turn_corner(&self, look: &mut Look<'_>, laid: &Laid, k: usize, ids: &mut Vec<u32>) -> bool {
        let stop = look.rope.stops[k];
        let Some((collider, _)) = stop.found else { return false };
        let Some(c) = self.model.colliders.get(collider.0) else { return false };
        let next = [&laid.guides[k - 1], &laid.guides[k + 1]];
        let near = |s: &Stop| s.found.filter(|f| f.0 == collider).map(|f| f.1);
        let taken = [near(&look.rope.stops[k - 1]), near(&look.rope.stops[k + 1])];
        let Some(trial) = self.tried(&stop, next) else { return false };
        let Some(turned) = self.corner(c, (stop, &Trial { guide: laid.guides[k], ..trial }), next, taken, ids) else {
            return false;
        };
        look.changed |= turned != stop;
        look.rope.stops[k] = turned;
        true
    }

    /// The edge of a collider that a rope comes to which has slid off the end of one of its edges. On a terrain it stays where the edges
    /// that meet there all lead it to their corner, as in a dip of a ridge.
    fn corner(
        &self,
        c: &ColliderEntry,
        (stop, trial): (Stop, &Trial),
        next: [&Guide; 2],
        taken: [Option<u32>; 2],
        ids: &mut Vec<u32>,
    ) -> Option<Stop> {
        let (collider, feature) = stop.found?;
        let at = trial.guide.centre;
        let mut best: Option<(f64, Stop)> = None;
        let mut stays = false;
        let mut look = |number: u32, f: Feature| {
            let Feature::Edge { start, along, length, outward } = f else { return };
            let groove = Groove::edge(start, along, outward, length);
            let turned = Stop { found: Some((collider, number)), groove, ..stop };
            let Some(other) = self.tried(&turned, next).filter(|t| t.wrap > 0.0) else { return };
            if number == feature || taken.contains(&Some(number)) {
                return;
            }
            let moved = other.guide.centre.distance(at);
            if self.is_past(&turned, &other.guide) {
                stays |= moved <= T.ropes.corner * length;
            } else if best.is_none_or(|b| moved < b.0) {
                best = Some((moved, turned));
            }
        };
        // Only the edges at that corner: it has slid there within a step or two.
        let mut reach = 0.5 * stop.groove.length;
        if feature < TERRAIN {
            features(&c.geometry, &c.pose, &mut look);
        } else {
            // Pieces of a ridge may be shorter than a step is long.
            let line = Groove {
                centre: stop.groove.centre - LONG * stop.groove.length * stop.groove.axis,
                length: (2.0 * LONG + 1.0) * stop.groove.length,
                ..stop.groove
            };
            let on = self.tried(&Stop { groove: line, ..stop }, next)?;
            reach += on.guide.centre.distance(at);
            let side = self.side_at(stop.body as usize);
            let around = Bounds::point(side.rot.transpose() * (at - side.pos)).grown(reach);
            features_in(&c.geometry, &c.pose, &around, ids, &mut look);
        }
        match best.filter(|b| b.0 < reach) {
            Some((_, turned)) => Some(turned),
            None => (stays && feature >= TERRAIN && trial.wrap >= 0.0).then_some(stop),
        }
    }
}

/// How far an edge is thought to go on beyond its ends where pieces of a ridge follow each other, in lengths of it.
const LONG: f64 = 64.0;

/// The way of a span within the step, in the frame of the body of a collider.
fn sweep(scratch: &Scratch, (_, poses): &(ColliderId, [Pose; 2]), k: usize) -> Option<Sweep> {
    let (was, is) = (scratch.was.spans[k].as_ref()?, scratch.is.spans[k].as_ref()?);
    let local = |time: usize, ends: [DVec3; 2]| ends.map(|p| poses[time].to_local(p));
    Some(Sweep { from: local(0, was.ends), to: local(1, is.ends) })
}

//! Colliders that ropes are swept over.

use super::World;
use super::guides::{Look, Scratch, Taken};
use crate::constraint::Side;
use crate::contact::bends::features;
use crate::contact::bounds::Bounds;
use crate::contact::collider::{ColliderEntry, Groups};
use crate::ids::ColliderId;
use crate::math::pose::Pose;
use crate::model::Motion;
use crate::model::reeving::RopeEntry;
use crate::reeve::bend::Trial;
use crate::reeve::edge;
use crate::reeve::hold::Hold;
use crate::reeve::obstacle::{Meeting, Sweep};
use crate::state::Stop;
use crate::topology::NONE;
use crate::tuning::T;
use glam::{DMat3, DVec3};

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
        let Scratch { was, is, near } = scratch;
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
            if around[0].union(around[1]).meets(&swept) && !self.is_own(entry, c) {
                near.push((ColliderId(key), poses));
            }
        }
    }

    /// Whether a rope is tied to or led by what a collider belongs to. Of a fixed body these are the colliders that its points and sheaves
    /// there are in: others stand in its way.
    fn is_own(&self, entry: &RopeEntry, c: &ColliderEntry) -> bool {
        let fixed = self.model.bodies.get(c.body.0).is_some_and(|b| b.motion == Motion::Fixed);
        entry.guides.iter().filter(|g| g.body == c.body).any(|g| {
            let ends = [g.groove.centre, g.groove.centre + g.groove.length * g.groove.axis];
            let around = Bounds::point(ends[0]).with(ends[1]).grown(g.groove.radius);
            !fixed || c.geometry.bounds(&c.pose).grown(T.ropes.own * g.groove.radius).meets(&around)
        })
    }

    /// The first of the meetings of all spans with what is near, as a guide that bends the rope.
    fn first_met(&self, look: &Look<'_>, scratch: &Scratch) -> Option<(usize, Stop, Trial)> {
        let Scratch { was: before, is: after, near } = scratch;
        let mut best: Option<(f64, usize, Stop, Trial)> = None;
        for &(collider, poses) in near.iter() {
            let Some(c) = self.model.colliders.get(collider.0) else { continue };
            let own = |s: &Stop| s.found.filter(|f| f.0 == collider).map(|f| f.1);
            let side = Side { pos: poses[1].pos, rot: DMat3::from_quat(poses[1].rot) };
            features(&c.geometry, &c.pose, |number, feature| {
                for k in 0..look.rope.spans.len() {
                    let taken = [&look.rope.stops[k], &look.rope.stops[k + 1]].map(own);
                    let (Some(was), Some(is)) = (&before.spans[k], &after.spans[k]) else { continue };
                    if taken.contains(&Some(number)) {
                        continue;
                    }
                    let local = |time: usize, ends: [DVec3; 2]| ends.map(|p| poses[time].to_local(p));
                    let sweep = Sweep { from: local(0, was.ends), to: local(1, is.ends) };
                    let Some(Meeting { time, groove }) = sweep.meets(&feature, 0.5 * look.entry.thickness) else {
                        continue;
                    };
                    let rubs = Hold::Friction(0.5 * (c.material.friction[0] + c.material.friction[1]));
                    let hold = rubs.check("").unwrap_or_default();
                    let (body, found) = (c.body.0.slot, Some((collider, number)));
                    let stop = Stop { lead: None, found, body, groove, hold };
                    let next = [&after.guides[k], &after.guides[k + 1]];
                    let Some(trial) = Trial::of(next, &groove.at(&side, 0.0)) else { continue };
                    let bends = trial.wrap > 0.0 && !self.is_past(&stop, &trial.guide);
                    if bends && best.as_ref().is_none_or(|b| time < b.0) {
                        best = Some((time, k, stop, trial));
                    }
                }
            });
        }
        best.map(|(_, k, stop, trial)| (k, stop, trial))
    }
}

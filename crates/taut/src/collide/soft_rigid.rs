//! Contacts of the surface of a deformable with a rigid shape.
//!
//! Every node is a ball of the skin's radius, and every triangle a thin solid with that skin (a bar: a capsule). Nodes find what faces of
//! the shape do; triangles find corners, edges and round shapes that fall between the nodes. What a triangle finds at a node of its own
//! is left to the node, and at an edge it counts only where the surface does not go on towards the shape: then the neighbour is nearer.
//! What has got inside a solid comes out by the shortest way (`inside`).

use super::detect::sides;
use super::scene::Scene;
use super::soft::{SoftTouch, Spot, Surface, Work, at_node};
use crate::contact::collider::ColliderEntry;
use crate::contact::geometry::{Part, Solid};
use crate::contact::manifold::Touch;
use crate::contact::narrow::{Narrow, Side, Stand};
use crate::contact::nearest::{mixed, of_segments, on_triangle};
use crate::contact::skin::{Kind, NONE, Patch, name};
use crate::contact::travel::Travel;
use crate::math::pose::Pose;
use crate::tuning::T;

/// A surface and a rigid shape on their ways.
pub(super) struct Meeting<'a> {
    pub surface: &'a Surface,
    /// Slot of the other collider.
    pub slot: u32,
    pub other: &'a ColliderEntry,
    pub travel: &'a Travel,
    pub h: f64,
}

impl Meeting<'_> {
    /// All touches, the surface first, into `work`.
    pub fn find(&self, scene: &Scene, work: &mut Work) {
        let Work { found, narrow, part: touches, touches: out, ball, bar, triangle } = work;
        self.look(scene, found);
        let is_plane = self.other.geometry.plane().is_some();
        out.clear();
        out.extend(self.driven_out());
        if !out.is_empty() {
            return;
        }
        for &k in found.iter() {
            let patch = &self.surface.skin.patches[k as usize];
            for &n in patch.own_nodes.iter().filter(|&&n| self.meets(scene, n)) {
                let travel = self.ball(n, ball);
                self.touches(narrow, (ball, &travel), touches);
                out.extend(touches.iter().map(|t| named(t, name(Kind::Node, n, 0), at_node(n))));
            }
            if !is_plane && patch.corners.iter().all(|&n| self.meets(scene, n)) {
                let part = if patch.is_bar { &mut *bar } else { &mut *triangle };
                let travel = self.surface.solid(patch, part);
                self.touches(narrow, (part, &travel), touches);
                out.extend(touches.iter().filter_map(|t| self.between(k, patch, t)));
            }
        }
        once(out, self.surface.skin.radius);
    }

    /// Touches of parts of the other whose middles are inside: nothing else of it touches then.
    fn driven_out(&self) -> impl Iterator<Item = SoftTouch> + '_ {
        let sides = self.surface.skin.is_solid.then(|| sides(self.other, self.travel));
        let out = |s: Side<'_>| self.surface.drive_out(s.part, &self.travel.start.compose(&s.local), s.index);
        sides.into_iter().flatten().filter_map(out)
    }

    /// Whether the two overlap now.
    pub fn overlap(&self, scene: &Scene, work: &mut Work) -> bool {
        let Work { found, narrow, bar, triangle, .. } = work;
        self.look(scene, found);
        self.driven_out().next().is_some()
            || found.iter().any(|&k| {
                let patch = &self.surface.skin.patches[k as usize];
                let part = if patch.is_bar { &mut *bar } else { &mut *triangle };
                let travel = self.surface.solid(patch, part);
                let own = Side { part, local: Pose::IDENTITY, travel: &travel, index: 0 };
                patch.corners.iter().all(|&n| self.meets(scene, n))
                    && sides(self.other, self.travel).any(|other| narrow.overlap(&own, &other))
            })
    }

    /// Patches whose boxes reach the other.
    fn look(&self, scene: &Scene, found: &mut Vec<u32>) {
        let Surface { skin, boxes, .. } = self.surface;
        found.clear();
        if let Some(n) = self.other.geometry.plane() {
            let pose = self.travel.start.compose(&self.other.pose);
            let n = pose.rot * n;
            let moves = scene.moves(self.other.body.0.slot);
            let reaches = |b: &crate::contact::bounds::Bounds| moves || b.lowest(n) <= n.dot(pose.pos);
            skin.tree.visit(boxes, reaches, |k| found.push(k));
            return;
        }
        let around = scene.boxes[self.slot as usize];
        skin.tree.visit(boxes, |b| b.meets(&around), |k| found.push(k));
    }

    /// Whether a node may touch the other: it is not bound to its body, nor kept apart from it.
    fn meets(&self, scene: &Scene, n: u32) -> bool {
        let other = self.other.body.0.slot;
        self.surface.carriers(n).iter().all(|c| scene.may_meet(c.body as u32, other))
    }

    /// Touches of one part, the surface first.
    fn touches(&self, narrow: &mut Narrow, (part, travel): (&Part, &Travel), out: &mut Vec<Touch>) {
        out.clear();
        let own = Stand::new(Side { part, local: Pose::IDENTITY, travel, index: 0 });
        for other in sides(self.other, self.travel) {
            narrow.touches(&own, &Stand::new(other), self.h, out);
        }
    }

    /// The ball of a node.
    fn ball(&self, n: u32, part: &mut Part) -> Travel {
        if let Solid::Convex(c) = &mut part.solid {
            c.set_ball(self.surface.skin.radius);
        }
        self.surface.nodes[n as usize].travel()
    }

    /// What a patch has found, where that is neither for a node nor for a neighbour.
    fn between(&self, k: u32, patch: &Patch, t: &Touch) -> Option<SoftTouch> {
        let Surface { skin, nodes, .. } = self.surface;
        let at = |n: u32| nodes[n as usize].at;
        let corners = patch.corners.map(at);
        let q = t.point_a + t.normal * skin.radius;
        let weights = if patch.is_bar {
            let [a, b] = of_segments([corners[0], corners[1]], [q, q])[0];
            [a, b, 0.0]
        } else {
            on_triangle(q, corners)
        };
        let least = (0..3).fold(0, |m, i| if weights[i] < weights[m] { i } else { m });
        if weights.iter().any(|&w| w > 1.0 - T.manifold.at) {
            return None;
        }
        let pairs = [0, 1, 2].map(|i| (patch.corners[i], weights[i]));
        if patch.is_bar {
            let edge = patch.edges[0];
            return Some(named(t, name(Kind::Edge, patch.corners[0], edge), pairs));
        }
        if weights[least] > T.manifold.at {
            // A solid has nothing to touch behind its faces.
            let outward = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            if skin.is_solid && t.normal.dot(outward) > 0.0 {
                return None;
            }
            return Some(named(t, name(Kind::Face, patch.corners[0], k), pairs));
        }
        let number = patch.edges[(least + 1) % 3];
        let edge = &skin.edges[number as usize];
        let q = mixed(corners, weights);
        let goes_on = |n: u32| n != patch.corners[least] && -t.normal.dot(at(n) - q) > skin.level();
        if edge.beyond.iter().any(|&n| n != NONE && goes_on(n)) {
            return None;
        }
        Some(named(t, name(Kind::Edge, edge.ends[0], number), pairs))
    }
}

fn named(t: &Touch, feature: u64, at: Spot) -> SoftTouch {
    SoftTouch { touch: Touch { features: [feature, t.features[1]], ..*t }, on: [at; 2] }
}

/// Sorts touches by their names, and leaves one of those that two triangles have found at their common edge.
pub(super) fn once(touches: &mut Vec<SoftTouch>, near: f64) {
    touches.sort_unstable_by(|a, b| a.touch.order(&b.touch));
    touches.dedup_by(|b, a| {
        let (x, y) = (&a.touch, &b.touch);
        x.features == y.features && x.point_b.distance(y.point_b) < near && x.normal.dot(y.normal) > 0.0
    });
}

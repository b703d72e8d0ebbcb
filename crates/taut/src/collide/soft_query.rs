//! Surfaces of deformables in queries between steps.

use super::soft::{Surface, Work};
use crate::contact::bounds::Bounds;
use crate::contact::geometry::Part;
use crate::contact::nearest::{mixed, on_triangle};
use crate::contact::ray;
use crate::contact::travel::Travel;
use glam::DVec3;

/// What a query finds on a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    /// Distance, m.
    pub distance: f64,
    /// Unit, out of the surface.
    pub normal: DVec3,
    /// Slot of a body that carries the corner that is nearest to it.
    pub body: usize,
}

impl Surface {
    /// Where a ray first meets the skin.
    pub fn ray(&self, (origin, along): (DVec3, DVec3), limit: f64) -> Option<Seen> {
        let mut best: Option<Seen> = None;
        self.skin.tree.visit(
            &self.boxes,
            |b| b.pierced(origin, along, limit).is_some(),
            |k| {
                let patch = &self.skin.patches[k as usize];
                let corners = patch.corners.map(|n| self.nodes[n as usize].at);
                let Some((distance, normal)) = ray::skinned(corners, self.skin.radius, (origin, along), limit) else {
                    return;
                };
                if best.is_none_or(|b| distance < b.distance) {
                    let body = self.carrier(patch.corners, on_triangle(origin + distance * along, corners));
                    best = Some(Seen { distance, normal, body });
                }
            },
        );
        best
    }

    /// The nearest point within `limit`.
    pub fn nearest(&self, at: DVec3, limit: f64) -> Option<Seen> {
        let mut best: Option<Seen> = None;
        let around = Bounds::point(at).grown(limit);
        self.skin.tree.visit(
            &self.boxes,
            |b| b.meets(&around),
            |k| {
                let patch = &self.skin.patches[k as usize];
                let corners = patch.corners.map(|n| self.nodes[n as usize].at);
                let weights = on_triangle(at, corners);
                let way = at - mixed(corners, weights);
                let distance = way.length() - self.skin.radius;
                if distance <= limit && best.is_none_or(|b| distance < b.distance) {
                    let normal = way.try_normalize().unwrap_or(DVec3::Y);
                    best = Some(Seen { distance, normal, body: self.carrier(patch.corners, weights) });
                }
            },
        );
        best
    }

    /// Hands out the solids of patches that reach into a box, each with a body that carries it, until one is taken.
    pub fn solids(&self, around: &Bounds, work: &mut Work, mut take: impl FnMut(&Part, &Travel, usize)) {
        let Work { bar, triangle, .. } = work;
        self.skin.tree.visit(
            &self.boxes,
            |b| b.meets(around),
            |k| {
                let patch = &self.skin.patches[k as usize];
                let part = if patch.is_bar { &mut *bar } else { &mut *triangle };
                let travel = self.solid(patch, part);
                take(part, &travel, self.carrier(patch.corners, [1.0, 0.0, 0.0]));
            },
        );
    }

    /// A body that carries the corner with the largest weight.
    fn carrier(&self, corners: [u32; 3], weights: [f64; 3]) -> usize {
        let most = (0..3).fold(0, |m, k| if weights[k] > weights[m] { k } else { m });
        self.carriers(corners[most]).first().map_or(0, |c| c.body)
    }
}

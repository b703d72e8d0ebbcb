//! What has got inside a soft solid, and where it comes out.
//!
//! The surface of a solid is closed and has an outside. A shape or a node beyond the surface is no longer pushed by the side of the
//! triangles that it is on, which would hold it there, but through the nearest point of the surface. A point is inside where the
//! triangles around it fill the whole sky, a sum of solid angles of 4 pi (van Oosterom and Strackee 1983); a ray that crosses
//! the surface an even number of times tells most others apart before.
//! Sheets and bars have no inside.

use super::soft::{SoftTouch, Surface};
use crate::contact::geometry::{Part, Solid};
use crate::contact::manifold::Touch;
use crate::contact::nearest::{mixed, on_triangle};
use crate::contact::skin::{Kind, name};
use crate::math::pose::Pose;
use glam::DVec3;

/// The direction of the ray: along no axis, diagonal or plane of symmetry of usual meshes.
const RAY: DVec3 = DVec3::new(0.537_713, 0.832_911, 0.130_879);

/// The way out of a solid.
#[derive(Clone, Copy, Debug)]
pub(super) struct WayOut {
    /// The patch with the nearest point, and the weights of its corners there.
    pub patch: u32,
    pub weights: [f64; 3],
    /// The nearest point, and the unit vector to it.
    pub to: DVec3,
    pub out: DVec3,
}

impl Surface {
    /// The way out from a point that is inside.
    pub(super) fn way_out(&self, from: DVec3) -> Option<WayOut> {
        if !self.contains(from) {
            return None;
        }
        let mut best: Option<(f64, WayOut)> = None;
        for (k, patch) in self.skin.patches.iter().enumerate() {
            let corners = patch.corners.map(|n| self.nodes[n as usize].at);
            let weights = on_triangle(from, corners);
            let to = mixed(corners, weights);
            let far = to.distance_squared(from);
            if best.is_none_or(|(least, _)| far < least) {
                let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
                let out = (to - from).try_normalize().or(normal.try_normalize()).unwrap_or(DVec3::Y);
                best = Some((far, WayOut { patch: k as u32, weights, to, out }));
            }
        }
        best.map(|b| b.1)
    }

    /// Whether a point is inside: only solids have an inside.
    fn contains(&self, p: DVec3) -> bool {
        let around = self.bounds();
        let within = p.cmpge(around.min).all() && p.cmple(around.max).all();
        if !self.skin.is_solid || !within || !self.crosses_odd(p) {
            return false;
        }
        let angle = |patch: &crate::contact::skin::Patch| {
            let [a, b, c] = patch.corners.map(|n| self.nodes[n as usize].at - p);
            let (la, lb, lc) = (a.length(), b.length(), c.length());
            let across = a.dot(b.cross(c));
            2.0 * libm::atan2(across, la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb)
        };
        // All of the sky is 4 pi, none of it 0: half of it tells them apart, folds of the surface included.
        self.skin.patches.iter().map(angle).sum::<f64>() > 2.0 * std::f64::consts::PI
    }

    /// Whether a ray from a point crosses the surface an odd number of times.
    fn crosses_odd(&self, p: DVec3) -> bool {
        let mut odd = false;
        self.skin.tree.visit(
            &self.boxes,
            |b| b.pierced(p, RAY, f64::INFINITY).is_some(),
            |k| odd ^= crosses(self.skin.patches[k as usize].corners.map(|n| self.nodes[n as usize].at), p),
        );
        odd
    }

    /// The touch that drives a part of a rigid shape out whose middle is inside; the surface first.
    pub(super) fn drive_out(&self, part: &Part, pose: &Pose, index: u32) -> Option<SoftTouch> {
        let Solid::Convex(convex) = &part.solid else { return None };
        let around = part.bounds(pose);
        let way = self.way_out(0.5 * (around.min + around.max))?;
        let back = pose.rot.inverse() * -way.out;
        let deepest = pose.pos + pose.rot * convex.support(back) - convex.skin * way.out;
        let reach = self.skin.radius;
        let distance = -((way.to - deepest).dot(way.out) + reach);
        // On one line along the way out.
        let point_a = way.to + reach * way.out;
        let patch = &self.skin.patches[way.patch as usize];
        let features = [name(Kind::Face, patch.corners[0], way.patch), u64::from(index)];
        let touch = Touch {
            point_a,
            point_b: point_a + distance * way.out,
            normal: -way.out,
            distance,
            next: distance,
            features,
        };
        let on = [0, 1, 2].map(|i| (patch.corners[i], way.weights[i]));
        Some(SoftTouch { touch, on: [on; 2] })
    }
}

/// Whether the ray from p goes through a triangle.
fn crosses([a, b, c]: [DVec3; 3], p: DVec3) -> bool {
    let (e, f) = (b - a, c - a);
    let n = RAY.cross(f);
    let det = e.dot(n);
    if det == 0.0 {
        return false;
    }
    let s = p - a;
    let u = s.dot(n) / det;
    let q = s.cross(e);
    let v = RAY.dot(q) / det;
    (0.0..=1.0).contains(&u) && v >= 0.0 && u + v <= 1.0 && f.dot(q) / det > 0.0
}

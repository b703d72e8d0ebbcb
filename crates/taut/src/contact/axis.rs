//! The direction in which two convex cores are farthest apart, or least deep in each other: that of the largest gap.
//!
//! ```text
//! gap(n) = min over b of n.x - max over a of n.x
//! apart:                n is the direction between the closest points (GJK), or a face normal with the same gap
//! touching or deeper:   of the face normals and, for few edges, the products of edges the best; for others, from the best face
//!                       and from the direction between the cores scaled down
//!     s_k = e - gap(n_k),   n_k+1 = direction between closest points when b is shifted by s_k n_k
//! ```
//!
//! Shifted, the cores are at least e apart, so that there is a direction; and gap(n_k+1) = |closest| - s_k n_k.n_k+1 >= e - s_k =
//! gap(n_k): the gap only grows. Normals of faces are exact, so that a body at rest has a normal without noise.

use super::boxes::Boxes;
use super::convex::{Convex, Core};
use super::parry;
use super::polygon::closest_on_edges;
use crate::math::pose::Pose;
use crate::math::so3::complete;
use crate::tuning::T;
use glam::DVec3;

/// How two cores are apart, in the frame of the first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Separation {
    /// Unit vector from the first to the second.
    pub normal: DVec3,
    /// Gap of the cores along it, m.
    pub gap: f64,
    /// Points of the cores that are this gap apart, if they are known.
    pub witness: Option<(DVec3, DVec3)>,
}

/// Two cores; `rel` is the pose of the second in the frame of the first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Duo<'a> {
    pub a: &'a Convex,
    pub b: &'a Convex,
    pub rel: Pose,
}

impl Duo<'_> {
    /// Gap along a unit vector from the first to the second.
    pub fn gap(&self, n: DVec3) -> f64 {
        n.dot(self.support_b(-n)) - n.dot(self.a.support(n))
    }

    /// The point of the second farthest along `d`, in the frame of the first.
    pub fn support_b(&self, d: DVec3) -> DVec3 {
        self.rel.to_world(self.b.support(self.rel.rot.inverse() * d))
    }

    /// Size that tolerances refer to: of the smaller; of the other if that is a point.
    fn size(&self) -> f64 {
        let of = |c: &Convex| c.arm + c.skin;
        let (x, y) = (of(self.a), of(self.b));
        if x.min(y) > 0.0 { x.min(y) } else { x.max(y) }
    }

    /// The separation, or `None` when the cores are more than `limit` apart.
    pub fn separate(&self, limit: f64) -> Option<Separation> {
        let thin = |c: &Convex| matches!(c.core, Core::Point | Core::Segment(_));
        if thin(self.a) && thin(self.b) {
            return self.thin(limit);
        }
        let halves = self.a.half_extents().zip(self.b.half_extents());
        self.separate_solids(halves.map(|(a, b)| Boxes::new(a, b, &self.rel)), limit)
    }

    /// The same when one has faces or is round; `boxes` if both are boxes.
    fn separate_solids(&self, boxes: Option<Boxes>, limit: f64) -> Option<Separation> {
        let best = match &boxes {
            Some(boxes) => self.best_face_of(boxes),
            None => self.best_face(),
        };
        if best.gap > limit {
            return None;
        }
        let near = T.axis.near * self.size();
        if let Some(boxes) = boxes.filter(|_| best.gap > near)
            && let Some(known) = self.apart(&boxes, best, limit)
        {
            return known;
        }
        if best.gap <= near && self.is_small() {
            let best = self.best_edge(boxes.as_ref(), best, T.axis.edge * self.size());
            if best.gap <= near {
                return (best.gap <= limit).then_some(best);
            }
        }
        let from_face = self.refine(best, near, limit);
        if best.gap > near {
            return from_face;
        }
        let found = from_face?;
        let start = T.axis.scales.iter().find_map(|&s| parry::shrunk(self.a, self.b, &self.rel, s));
        let Some(normal) = start.filter(|n| n.dot(found.normal) < 1.0 - 1e-9) else { return Some(found) };
        let guess = Separation { normal, gap: self.gap(normal), witness: None };
        let other = self.refine(guess, near, limit)?;
        Some(if other.gap > found.gap + T.axis.tie * self.size() { other } else { found })
    }

    /// Whether all products of edges can be tried out.
    fn is_small(&self) -> bool {
        let flat = |c: &Convex| matches!(c.core, Core::Polyhedron | Core::Segment(_));
        flat(self.a) && flat(self.b) && self.a.edges.len() * self.b.edges.len() <= T.axis.most_pairs
    }

    /// From a direction on to the best one.
    fn refine(&self, mut best: Separation, near: f64, limit: f64) -> Option<Separation> {
        let tie = T.axis.tie * self.size();
        for _ in 0..T.axis.shifts {
            let shift = (near - best.gap).max(0.0);
            let way = best.normal * shift;
            let rel = Pose { pos: self.rel.pos + way, rot: self.rel.rot };
            // Shifted, they are no farther apart than the gap and the shift.
            match parry::closest(self.a, self.b, &rel, limit + shift) {
                parry::Closest::Beyond => return None,
                parry::Closest::Unknown => break,
                parry::Closest::At { normal, points } => {
                    let gap = self.gap(normal);
                    if gap <= best.gap + tie {
                        break;
                    }
                    best = Separation { normal, gap, witness: Some((points.0, points.1 - way)) };
                    if shift == 0.0 {
                        break;
                    }
                }
            }
        }
        (best.gap <= limit).then_some(best)
    }

    /// Points and pieces of lines.
    fn thin(&self, limit: f64) -> Option<Separation> {
        let end = |c: &Convex| if let Core::Segment(half) = c.core { DVec3::Y * half } else { DVec3::ZERO };
        let (e, f) = (end(self.a), end(self.b));
        let (p, q) = closest_on_edges((-e, e), (self.rel.to_world(-f), self.rel.to_world(f)));
        let gap = p.distance(q);
        if gap > limit {
            return None;
        }
        // Cores that meet are pushed apart across both, across the one that has a direction, or up.
        let crossed = || {
            let (e, f) = (e.normalize_or_zero(), self.rel.rot * f.normalize_or_zero());
            let n = e.cross(f);
            let along = if e == DVec3::ZERO { f } else { e };
            if n.length() > T.axis.crossed {
                n.normalize()
            } else if along == DVec3::ZERO {
                DVec3::Y
            } else {
                complete(along).0
            }
        };
        let normal = if gap > T.axis.tie * self.size() { (q - p) / gap } else { crossed() };
        Some(Separation { normal, gap, witness: Some((p, q)) })
    }

    /// The face normal of either with the largest gap; of the first where they are equal.
    fn best_face(&self) -> Separation {
        let mut best = Separation { normal: DVec3::Y, gap: f64::NEG_INFINITY, witness: None };
        for f in &self.a.faces {
            let gap = self.gap(f.normal);
            if gap > best.gap {
                best = Separation { normal: f.normal, gap, witness: None };
            }
        }
        let tie = T.axis.tie * self.size();
        for f in &self.b.faces {
            let normal = -(self.rel.rot * f.normal);
            let gap = self.gap(normal);
            if gap > best.gap + tie {
                best = Separation { normal, gap, witness: None };
            }
        }
        best
    }

    /// The same of two boxes: faces that cannot be the best are not measured.
    fn best_face_of(&self, boxes: &Boxes) -> Separation {
        let mut best = Separation { normal: DVec3::Y, gap: f64::NEG_INFINITY, witness: None };
        let first = boxes.along_first();
        let least = first[0].max(first[1]).max_element() - boxes.slack;
        // The faces of a box are in the order -x, x, -y, y, -z, z.
        for (k, f) in self.a.faces.iter().enumerate() {
            if first[1 - k % 2][k / 2] < least {
                continue;
            }
            let gap = self.gap(f.normal);
            if gap > best.gap {
                best = Separation { normal: f.normal, gap, witness: None };
            }
        }
        let tie = T.axis.tie * self.size();
        let second = boxes.along_second();
        for (k, f) in self.b.faces.iter().enumerate() {
            // The normal is that of the face turned round.
            if second[k % 2][k / 2] <= best.gap + tie - boxes.slack {
                continue;
            }
            let normal = -(self.rel.rot * f.normal);
            let gap = self.gap(normal);
            if gap > best.gap + tie {
                best = Separation { normal, gap, witness: None };
            }
        }
        best
    }

    /// The separation of two boxes that are apart, if it is known without looking for the closest points: none within `limit`, or that
    /// along the best face. A face with the gap of the closest points is taken before their direction.
    fn apart(&self, boxes: &Boxes, face: Separation, limit: f64) -> Option<Option<Separation>> {
        let of_first = face.normal.abs().max_element() == 1.0;
        let n = if of_first { face.normal } else { self.rel.rot.inverse() * face.normal }.abs();
        let k = if n.x > 0.5 && n.x >= n.y { 0 } else { 1 + usize::from(n.z > n.y) };
        if boxes.is_over_face(of_first, k, T.axis.tie * self.size()) {
            return Some(Some(face));
        }
        let mut products = self.a.edges.iter().flat_map(|e| self.b.edges.iter().map(|f| e.cross(self.rel.rot * *f)));
        let beyond = |n: DVec3| {
            let length = n.length();
            length > 1e-6 && boxes.along(n) > (limit + boxes.slack) * length
        };
        products.any(beyond).then_some(None)
    }

    /// The same over the products of edges, which must be better than the best face by `near`.
    fn best_edge(&self, boxes: Option<&Boxes>, face: Separation, near: f64) -> Separation {
        let mut best = face;
        for &e in &self.a.edges {
            for &f in &self.b.edges {
                let n = e.cross(self.rel.rot * f);
                let length = n.length();
                if length < 1e-6 {
                    continue;
                }
                let lead = if best.witness.is_none() { near } else { 0.0 };
                // Not measured if it cannot be better.
                if boxes.is_some_and(|b| b.along(n) <= (best.gap + lead - b.slack) * length) {
                    continue;
                }
                let n = n / length;
                // Away from the first.
                let (there, back) = (self.gap(n), self.gap(-n));
                let (n, gap) = if there >= back { (n, there) } else { (-n, back) };
                if gap > best.gap + lead {
                    best = Separation { normal: n, gap, witness: Some(self.edges_toward(n)) };
                }
            }
        }
        best
    }

    /// Closest points of the edges that face each other along `n`.
    fn edges_toward(&self, n: DVec3) -> (DVec3, DVec3) {
        let slack = 1e-6 * self.size();
        let a = self.a.edge_toward(n, slack);
        let (p, q) = self.b.edge_toward(self.rel.rot.inverse() * -n, slack);
        closest_on_edges(a, (self.rel.to_world(p), self.rel.to_world(q)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::shape::Shape;
    use glam::DQuat;

    fn random(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(seed: &mut u64) -> DVec3 {
        DVec3::new(random(seed), random(seed), random(seed))
    }

    /// Boxes, capsules and balls; every other turn is a small one, of whole quarter turns or none.
    #[test]
    fn what_is_left_out_for_boxes_does_not_change_the_result() {
        let mut seed = 5;
        let shape = |k: u64, seed: &mut u64| match k % 3 {
            0 => Shape::cuboid(vector(seed).abs() + 0.05),
            1 => Shape::Capsule { half_length: random(seed).abs() + 0.05, radius: 0.2 },
            _ => Shape::Ball { radius: random(seed).abs() + 0.05 },
        };
        let (mut met, mut apart) = (0, 0);
        for round in 0..60_000_u64 {
            let kinds = [(0, 0), (0, 0), (0, 1), (1, 0), (0, 2), (2, 0)][round as usize % 6];
            let (a, b) = (shape(kinds.0, &mut seed), shape(kinds.1, &mut seed));
            let (a, b) = (Convex::new(&a).unwrap(), Convex::new(&b).unwrap());
            let small = [1.0, 1.0, 1e-3, 1e-7, 1e-13, 0.0][(round / 6) as usize % 6];
            let turn = DQuat::from_scaled_axis(vector(&mut seed) * small * 3.0);
            let quarter = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2 * ((round / 36) % 4) as f64);
            let mut rel = Pose { pos: vector(&mut seed) * 2.0, rot: turn * quarter };
            let duo = |rel| Duo { a: &a, b: &b, rel };
            if round % 2 == 0
                && let Some(s) = duo(rel).separate(f64::INFINITY)
            {
                // Brought to where they touch, or almost.
                rel.pos -= s.normal * (s.gap - [0.0, 1e-9, 1e-4, 1e-2][(round / 2) as usize % 4]);
            }
            let limit = [f64::INFINITY, 0.3, 0.02][(round / 7) as usize % 3];
            let duo = duo(rel);
            let (fast, slow) = (duo.separate(limit), duo.separate_solids(None, limit));
            let Some((x, y)) = fast.zip(slow) else {
                assert!(fast.is_none() && slow.is_none(), "round {round}: {fast:?} {slow:?}");
                apart += 1;
                continue;
            };
            assert_eq!((x.normal, x.gap, x.witness), (y.normal, y.gap, y.witness), "round {round}");
            met += 1;
        }
        assert!(met > 10_000 && apart > 5_000, "{met} {apart}");
    }
}

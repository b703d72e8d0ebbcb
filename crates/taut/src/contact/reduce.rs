//! Few contact points in place of many: the deepest and those that span the widest area. Points that will touch within the step go
//! before those that only might: a corner that is about to land must not be left out for one that stays away.

use super::manifold::Touch;
use crate::tuning::T;

/// Points of one plane that are kept.
const FEW: usize = 4;

/// Reduces the touches of one pair of parts from `first` on. Those with a common normal keep four, all together eight.
pub(crate) fn reduce(touches: &mut Vec<Touch>, first: usize) {
    touches[first..].sort_unstable_by(Touch::order);
    if touches.len() - first <= 1 {
        return;
    }
    let mut kept = first;
    let mut from = first;
    while from < touches.len() {
        // Those with the normal of the first that is left come to the front.
        let n = touches[from].normal;
        let mut to = from;
        for k in from..touches.len() {
            if touches[k].normal.dot(n) > 1.0 - 1e-6 {
                touches[to..=k].rotate_right(1);
                to += 1;
            }
        }
        for t in choose(&mut touches[from..to]).into_iter().flatten() {
            touches[kept] = t;
            kept += 1;
        }
        from = to;
    }
    touches.truncate(kept);
    spread(touches, first);
    touches[first..].sort_unstable_by(Touch::order);
}

/// Up to four touches with one normal: of those that will touch, then of all.
fn choose(group: &mut [Touch]) -> [Option<Touch>; FEW] {
    if group.len() <= FEW {
        return select(group);
    }
    let extent = group.iter().fold(0.0_f64, |m, t| t.point_b.distance(group[0].point_b).max(m));
    let mut soon = 0;
    for k in 0..group.len() {
        if group[k].next <= T.manifold.soon * extent {
            group[soon..=k].rotate_right(1);
            soon += 1;
        }
    }
    if soon == 0 || soon == group.len() {
        return select(group);
    }
    let mut out = select(&group[..soon]);
    let mut count = compact(&mut out);
    for t in select(group).into_iter().flatten() {
        if count < FEW && !out.contains(&Some(t)) {
            out[count] = Some(t);
            count += 1;
        }
    }
    out
}

/// Moves what is there to the front, and counts it.
fn compact(out: &mut [Option<Touch>; FEW]) -> usize {
    let mut count = 0;
    for k in 0..FEW {
        if out[k].is_some() {
            out.swap(count, k);
            count += 1;
        }
    }
    count
}

/// Up to four touches with one normal: the deepest after the step, the farthest from it, and the largest triangles on both sides.
fn select(group: &[Touch]) -> [Option<Touch>; FEW] {
    let mut out = [None; FEW];
    let n = group[0].normal;
    let flat = |t: &Touch| t.point_b - n * n.dot(t.point_b);
    let origin = flat(&group[0]);
    let extent = group.iter().fold(0.0_f64, |m, t| flat(t).distance(origin).max(m));
    let same = T.manifold.same * extent;
    let slack = T.manifold.deeper * extent;
    let mut deepest = &group[0];
    for t in &group[1..] {
        if t.next < deepest.next - slack {
            deepest = t;
        }
    }
    out[0] = Some(*deepest);
    let p = flat(deepest);
    let Some(far) = best(group, |t| flat(t).distance(p), same) else { return out };
    out[1] = Some(*far);
    let q = flat(far);
    let across = n.cross(q - p).normalize_or_zero();
    let third = best(group, |t| (flat(t) - p).dot(across), same);
    out[2] = third.copied();
    // On the other side, or beyond the triangle.
    let beyond = third.map(flat).map(|r| [(q, r), (r, p)].map(|(a, b)| (a, (b - a).cross(n).normalize_or_zero())));
    let outside = |t: &Touch| {
        let x = flat(t);
        let back = -(x - p).dot(across);
        beyond.map_or(back, |sides| sides.iter().fold(back, |m, (a, side)| m.max((x - *a).dot(*side))))
    };
    out[3] = best(group, outside, same).copied();
    out
}

/// The touch of the largest measure above `least`; the first of those that are almost equal.
fn best(group: &[Touch], measure: impl Fn(&Touch) -> f64, least: f64) -> Option<&Touch> {
    let mut found: Option<(f64, &Touch)> = None;
    for t in group {
        let m = measure(t);
        if m > least && found.is_none_or(|(x, _)| m > x * (1.0 + T.manifold.better)) {
            found = Some((m, t));
        }
    }
    found.map(|(_, t)| t)
}

/// If there are still too many: the deepest, then each time the one farthest from all before.
fn spread(touches: &mut Vec<Touch>, first: usize) {
    let group = &mut touches[first..];
    if group.len() <= T.manifold.most {
        return;
    }
    let deepest = (1..group.len()).fold(0, |k, j| if group[j].distance < group[k].distance { j } else { k });
    group.swap(0, deepest);
    for chosen in 1..T.manifold.most {
        let clear = |t: &Touch, group: &[Touch]| {
            group[..chosen].iter().fold(f64::INFINITY, |m, s| t.point_b.distance_squared(s.point_b).min(m))
        };
        let mut next = (f64::NEG_INFINITY, chosen);
        for k in chosen..group.len() {
            let m = clear(&group[k], group);
            if m > next.0 {
                next = (m, k);
            }
        }
        group.swap(chosen, next.1);
    }
    touches.truncate(first + T.manifold.most);
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn touch(x: f64, z: f64, distance: f64, id: u64) -> Touch {
        let point_b = DVec3::new(x, 0.0, z);
        Touch {
            point_a: point_b + DVec3::Y * distance,
            point_b,
            normal: DVec3::Y,
            distance,
            next: distance,
            features: [id, 0],
        }
    }

    #[test]
    fn the_deepest_and_the_corners_stay() {
        // A grid over a square, the deepest off its middle.
        let mut all: Vec<Touch> = (0..25)
            .map(|k| touch(f64::from(k % 5) - 2.0, f64::from(k / 5) - 2.0, if k == 13 { -0.2 } else { -0.1 }, k as u64))
            .collect();
        reduce(&mut all, 0);
        assert_eq!(all.len(), 4);
        assert!(all.iter().any(|t| t.features[0] == 13));
        // The other three are corners.
        assert_eq!(all.iter().filter(|t| t.point_b.x.abs() == 2.0 && t.point_b.z.abs() == 2.0).count(), 3);
    }

    #[test]
    fn four_corners_of_a_square_are_all_kept_whatever_their_order() {
        for shift in 0..4 {
            let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
            let mut all: Vec<Touch> =
                (0..4).map(|k| touch(corners[(k + shift) % 4].0, corners[(k + shift) % 4].1, 0.0, k as u64)).collect();
            all.push(touch(1.0, 1.0, 1e-12, 9));
            all.push(touch(0.0, 1.0, 0.0, 8));
            reduce(&mut all, 0);
            assert_eq!(all.iter().map(|t| t.features[0]).collect::<Vec<_>>(), [0, 1, 2, 3], "{shift}");
        }
    }

    #[test]
    fn a_corner_that_is_about_to_land_stays() {
        // Four corners far apart that stay up, and one between them that comes down.
        let mut all: Vec<Touch> =
            (0..4).map(|k| touch(f64::from(k % 2) * 4.0, f64::from(k / 2) * 4.0, 0.5, k as u64)).collect();
        all.push(Touch { next: -0.03, ..touch(2.0, 1.5, 0.6, 9) });
        all.push(touch(1.0, 1.0, -1e-9, 8));
        reduce(&mut all, 0);
        assert_eq!(all.len(), 4);
        assert!(all.iter().any(|t| t.features[0] == 9) && all.iter().any(|t| t.features[0] == 8));
    }

    #[test]
    fn different_normals_are_reduced_apart() {
        let mut all: Vec<Touch> = (0..10).map(|k| touch(f64::from(k), 0.0, 0.0, k as u64)).collect();
        for (k, t) in all.iter_mut().enumerate() {
            if k % 2 == 0 {
                t.normal = DVec3::X;
                t.point_b = DVec3::Z * t.point_b.x;
            }
        }
        reduce(&mut all, 0);
        assert_eq!(all.iter().map(|t| t.features[0]).collect::<Vec<_>>(), [0, 1, 8, 9]);
    }
}

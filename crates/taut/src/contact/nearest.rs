//! Nearest points of triangles and segments, as weights of their corners.

use glam::DVec3;

/// Weights of the corners at the point of a triangle nearest to p (Ericson, Real-Time Collision Detection, 5.1.5). A triangle without
/// an area gives a point of one of its edges.
pub(crate) fn on_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> [f64; 3] {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let v = part(d1, d1 - d3);
        return [1.0 - v, v, 0.0];
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let w = part(d2, d2 - d6);
        return [1.0 - w, 0.0, w];
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let w = part(d4 - d3, (d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - w, w];
    }
    let sum = va + vb + vc;
    let (v, w) = (vb / sum, vc / sum);
    [1.0 - v - w, v, w]
}

/// Weights of the ends at the nearest points of two segments (Ericson 5.1.9): of the first, then of the second.
pub(crate) fn of_segments([p, q]: [DVec3; 2], [r, s]: [DVec3; 2]) -> [[f64; 2]; 2] {
    let (d, e, w) = (q - p, s - r, p - r);
    let (dd, ee, de) = (d.dot(d), e.dot(e), d.dot(e));
    let (dw, ew) = (d.dot(w), e.dot(w));
    let across = dd * ee - de * de;
    // Parallel ones meet in the middle of what they share, so that the point does not jump from end to end.
    let first = if across > 1e-12 * dd * ee {
        ((de * ew - dw * ee) / across).clamp(0.0, 1.0)
    } else {
        let along = |x: f64| part(x, dd).clamp(0.0, 1.0);
        0.5 * (along(-dw) + along(de - dw))
    };
    let second = part(de * first + ew, ee);
    let (first, second) = if second < 0.0 {
        (part(-dw, dd).clamp(0.0, 1.0), 0.0)
    } else if second > 1.0 {
        (part(de - dw, dd).clamp(0.0, 1.0), 1.0)
    } else {
        (first, second)
    };
    [[1.0 - first, first], [1.0 - second, second]]
}

/// x/y, and 0 where y is 0.
fn part(x: f64, y: f64) -> f64 {
    if y == 0.0 { 0.0 } else { x / y }
}

/// The point with these weights.
pub(crate) fn mixed<const N: usize>(corners: [DVec3; N], weights: [f64; N]) -> DVec3 {
    corners.iter().zip(weights).map(|(&x, w)| w * x).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(seed: &mut u64) -> DVec3 {
        let mut one = || {
            *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (*seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        DVec3::new(one(), one(), one())
    }

    #[test]
    fn no_other_point_is_nearer() {
        let mut seed = 7;
        for round in 0..2000 {
            let mut x = || random(&mut seed);
            let (p, corners, other) = (x(), [x(), x(), x()], [x(), x()]);
            let near = mixed(corners, on_triangle(p, corners)).distance(p);
            let [s, t] = of_segments([p, corners[0]], other);
            let gap = mixed([p, corners[0]], s).distance(mixed(other, t));
            for i in 0..=20 {
                for j in 0..=20 {
                    let (u, v) = (f64::from(i) / 20.0, f64::from(j) / 20.0);
                    if u + v <= 1.0 {
                        let there = mixed(corners, [1.0 - u - v, u, v]).distance(p);
                        assert!(near <= there + 1e-12, "round {round}: {near} {there}");
                    }
                    let there = p.lerp(corners[0], u).distance(other[0].lerp(other[1], v));
                    assert!(gap <= there + 1e-12, "round {round}: {gap} {there}");
                }
            }
        }
    }

    #[test]
    fn parallel_segments_meet_in_the_middle_of_what_they_share() {
        let [s, t] = of_segments([DVec3::ZERO, DVec3::X], [DVec3::new(0.5, 1.0, 0.0), DVec3::new(2.5, 1.0, 0.0)]);
        assert_eq!((s[1], t[1]), (0.75, 0.125));
        let point = DVec3::ZERO;
        assert_eq!(of_segments([point, point], [point, point]), [[1.0, 0.0]; 2]);
        assert_eq!(on_triangle(DVec3::Y, [point; 3]), [1.0, 0.0, 0.0]);
    }
}

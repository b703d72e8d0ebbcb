//! Where a rope passes over edges: the point at which it runs on with the angle to the edge that it came with, so that the way is shortest.
//! ```text
//! c = (a p_b + b p_a)/(p_a + p_b)        a, b: feet of the neighbours on the edge, p: their distances from it
//! ```
//! A sheave is a neighbour by its tangent point. Edges that follow each other, and those beside a sheave, are found together by Newton's
//! method on the length of the way, which is convex in their points. Because that is stationary, its gradient by the bodies is that with the
//! points fixed to the edges.

use super::span::{Guide, Span};
use glam::DVec3;

/// Most guides between two on which a rope does not slip, where one of them is an edge.
pub(crate) const MOST: usize = 32;
/// Rounds of the closed form before Newton's method, and most of all rounds.
const FIRST: usize = 3;
const ROUNDS: usize = 40;
/// A difference of the cosines of two angles to an edge that is rounding.
const EVEN: f64 = 4e-16;

/// Moves the edges among guides, in the order of the rope, to where it passes over them.
pub(crate) fn settle(guides: &mut [Guide]) {
    let mut k = 1;
    while k + 1 < guides.len() {
        let first = k;
        while k + 1 < guides.len() && guides[k].length > 0.0 {
            k += 1;
        }
        if k > first {
            run(&mut guides[first - 1..=k]);
        }
        k += 1;
    }
}

/// One run of edges, with the guides before and after it.
fn run(guides: &mut [Guide]) {
    let n = guides.len() - 2;
    if n > MOST {
        return;
    }
    let mut starts = [DVec3::ZERO; MOST];
    let mut at = [0.0; MOST];
    for k in 0..n {
        starts[k] = guides[k + 1].centre;
        at[k] = 0.5 * guides[k + 1].length;
        guides[k + 1].centre = starts[k] + at[k] * guides[k + 1].axis;
    }
    let mut uneven = f64::INFINITY;
    // One edge between points.
    let is_closed = n == 1 && !(guides[0].radius > 0.0 || guides[2].radius > 0.0);
    for round in 0..ROUNDS {
        let mut new = at;
        if round < FIRST || is_closed || !newton(guides, &mut new[..n]) {
            sweep(guides, &starts[..n], &mut new[..n]);
        }
        let moved = place(guides, &starts[..n], &mut new[..n]);
        let size: f64 = guides.windows(2).map(|w| (w[1].centre - w[0].centre).length()).sum();
        let still = (0..n).map(|k| (new[k] - at[k]).abs()).fold(0.0, f64::max) <= f64::EPSILON * size;
        at = new;
        // Ends hold where they are: what counts is that nothing moves any more.
        if still || (round > FIRST && moved >= uneven && moved <= 1e3 * EVEN) {
            break;
        }
        uneven = moved;
    }
}

/// Puts the edges where they are touched; the largest difference of the cosines at one that is not touched at its end.
fn place(guides: &mut [Guide], starts: &[DVec3], at: &mut [f64]) -> f64 {
    for (k, x) in at.iter_mut().enumerate() {
        let g = &mut guides[k + 1];
        *x = x.clamp(0.0, g.length);
        g.centre = starts[k] + *x * g.axis;
    }
    let mut most = 0.0_f64;
    for (k, &x) in at.iter().enumerate() {
        let g = &guides[k + 1];
        if x > 0.0 && x < g.length {
            most = most.max((pull(guides, k + 1, k) + pull(guides, k + 1, k + 2)).dot(g.axis).abs());
        }
    }
    most
}

/// Where the rope leaves the guide `other` on its way to the edge `k`, m.
fn touched(guides: &[Guide], k: usize, other: usize) -> DVec3 {
    let far = &guides[other];
    if !(far.radius > 0.0) {
        return far.centre;
    }
    let span = if other < k { Span::between(far, &guides[k]) } else { Span::between(&guides[k], far) };
    span.map_or(far.centre, |s| s.ends[usize::from(other > k)])
}

/// How the material between the edge `k` and the guide beside it changes with the point of the edge: the unit vector from the other guide, and
/// a little more where the axis of that is not square to the rope.
fn pull(guides: &[Guide], k: usize, other: usize) -> DVec3 {
    let (a, b) = if other < k { (other, k) } else { (k, other) };
    if !(guides[other].radius > 0.0) {
        return (guides[k].centre - guides[other].centre).normalize_or_zero();
    }
    let side = usize::from(other < k);
    Span::between(&guides[a], &guides[b]).map_or(DVec3::ZERO, |s| DVec3::from_slice(&s.jacobian[side][..3]))
}

/// The closed form at each edge, one after the other.
fn sweep(guides: &mut [Guide], starts: &[DVec3], at: &mut [f64]) {
    for k in 0..at.len() {
        let g = &guides[k + 1];
        let [a, b] = [k, k + 2].map(|other| touched(guides, k + 1, other) - starts[k]);
        let foot = |p: DVec3| p.dot(g.axis);
        let off = |p: DVec3| (p - foot(p) * g.axis).length();
        let (pa, pb) = (off(a), off(b));
        if pa + pb > 0.0 {
            at[k] = ((foot(a) * pb + foot(b) * pa) / (pa + pb)).clamp(0.0, g.length);
            guides[k + 1].centre = starts[k] + at[k] * guides[k + 1].axis;
        }
    }
}

/// A step of Newton's method on the length of the way by all points at once; false where it has no answer.
fn newton(guides: &[Guide], at: &mut [f64]) -> bool {
    let n = at.len();
    // By rows: slope, diagonal, and the coupling to the next edge.
    let (mut slope, mut diagonal, mut next) = ([0.0; MOST], [0.0; MOST], [0.0; MOST]);
    for k in 0..=n {
        let p = if k == 0 { touched(guides, 1, 0) } else { guides[k].centre };
        let q = if k == n { touched(guides, n, n + 1) } else { guides[k + 1].centre };
        let length = (q - p).length();
        let u = (q - p) / length;
        if !u.is_finite() {
            return false;
        }
        let along = |k: usize| guides[k].axis;
        if k > 0 {
            let c = u.dot(along(k));
            slope[k - 1] += pull(guides, k, k + 1).dot(along(k));
            diagonal[k - 1] += (1.0 - c * c) / length;
        }
        if k < n {
            let c = u.dot(along(k + 1));
            slope[k] += pull(guides, k + 1, k).dot(along(k + 1));
            diagonal[k] += (1.0 - c * c) / length;
        }
        if k > 0 && k < n {
            let (a, b) = (along(k), along(k + 1));
            next[k - 1] = -(a.dot(b) - u.dot(a) * u.dot(b)) / length;
        }
    }
    for k in 1..n {
        let factor = next[k - 1] / diagonal[k - 1];
        diagonal[k] -= factor * next[k - 1];
        slope[k] -= factor * slope[k - 1];
    }
    let mut step = [0.0; MOST];
    for k in (0..n).rev() {
        let coupled = if k + 1 < n { next[k] * step[k + 1] } else { 0.0 };
        step[k] = (slope[k] - coupled) / diagonal[k];
    }
    // Far from the answer it goes too far; the closed form does not.
    let fair = |k: usize| step[k].is_finite() && step[k].abs() <= 0.25 * guides[k + 1].length;
    if !(0..n).all(fair) {
        return false;
    }
    at.iter_mut().zip(step).for_each(|(x, s)| *x -= s);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Side;
    use crate::reeve::Groove;
    use glam::{DMat3, DQuat};

    /// Bodies with a start, edges or sheaves, and an end.
    fn chain(poses: &[Side], grooves: &[Groove]) -> Vec<Guide> {
        let mut all: Vec<Guide> = grooves.iter().zip(poses).map(|(g, p)| g.at(p, 0.0)).collect();
        settle(&mut all);
        all
    }

    fn length(poses: &[Side], grooves: &[Groove]) -> f64 {
        let all = chain(poses, grooves);
        all.windows(2)
            .map(|w| {
                let s = Span::between(&w[0], &w[1]).unwrap();
                s.measure(&w[0], &w[1], s.angles)
            })
            .sum()
    }

    fn moved(pose: &Side, by: &[f64]) -> Side {
        let turn = DMat3::from_quat(DQuat::from_scaled_axis(DVec3::new(by[3], by[4], by[5])));
        Side { pos: pose.pos + DVec3::new(by[0], by[1], by[2]), rot: turn * pose.rot }
    }

    fn scenes() -> Vec<Vec<Groove>> {
        let along = |x: f64, y: f64, z: f64| DVec3::new(x, y, z).normalize();
        let edge = |at: DVec3, d: DVec3| Groove::edge(at - 2.0 * d, d, d.any_orthonormal_vector(), 4.0);
        let start = Groove::point(DVec3::new(-2.0, -1.0, 0.3));
        let end = Groove::point(DVec3::new(2.5, -1.5, -0.4));
        let one = edge(DVec3::new(-0.2, 0.5, 0.1), along(0.1, 0.2, 1.0));
        let two = edge(DVec3::new(0.6, 0.4, 0.0), along(-0.1, 0.1, 1.0));
        let three = edge(DVec3::new(1.2, -0.2, 0.1), along(0.2, -0.1, 1.0));
        let sheave = |x: f64| Groove::round(DVec3::new(x, -1.0, 0.0), DVec3::Z, DVec3::X, 0.3, -1.0);
        vec![
            vec![start, one, end],
            vec![start, one, two, end],
            vec![start, one, two, three, end],
            vec![sheave(-2.0), one, end],
            vec![start, one, two, sheave(2.0)],
        ]
    }

    #[test]
    fn the_gradient_is_that_of_difference_quotients() {
        for (k, grooves) in scenes().into_iter().enumerate() {
            let rest = Side { pos: DVec3::ZERO, rot: DMat3::IDENTITY };
            let poses: Vec<Side> = grooves.iter().map(|_| rest).collect();
            let all = chain(&poses, &grooves);
            let spans: Vec<Span> = all.windows(2).map(|w| Span::between(&w[0], &w[1]).unwrap()).collect();
            let mut worst = 0.0_f64;
            for body in 0..grooves.len() {
                for c in 0..6 {
                    let at = |e: f64| {
                        let mut by = [0.0; 6];
                        by[c] = e;
                        let mut poses = poses.clone();
                        poses[body] = moved(&poses[body], &by);
                        length(&poses, &grooves)
                    };
                    let e = 1e-4;
                    let slope = (8.0 * (at(e) - at(-e)) - (at(2.0 * e) - at(-2.0 * e))) / (12.0 * e);
                    let before = if body > 0 { spans[body - 1].jacobian[1][c] } else { 0.0 };
                    let after = if body < spans.len() { spans[body].jacobian[0][c] } else { 0.0 };
                    worst = worst.max((before + after - slope).abs());
                }
            }
            println!("scene {k}: {worst:.1e}");
            assert!(worst < 1e-9, "{k}: {worst:e}");
        }
    }

    #[test]
    fn angles_to_the_edge_are_equal_and_ends_hold() {
        let rest = Side { pos: DVec3::ZERO, rot: DMat3::IDENTITY };
        for grooves in scenes().into_iter().filter(|s| s.iter().all(|g| !g.is_round())) {
            let all = chain(&vec![rest; grooves.len()], &grooves);
            for w in all.windows(3).filter(|w| w[1].length > 0.0) {
                let (a, b) = (Span::between(&w[0], &w[1]).unwrap(), Span::between(&w[1], &w[2]).unwrap());
                assert!((a.along.dot(w[1].axis) - b.along.dot(w[1].axis)).abs() < 1e-14);
            }
        }
        // Beyond its end there is no edge.
        let edge = Groove::edge(DVec3::Y, DVec3::Z, DVec3::Y, 0.1);
        let grooves = [Groove::point(DVec3::new(-1.0, 0.0, 1.0)), edge, Groove::point(DVec3::new(1.0, 0.0, 1.0))];
        let all = chain(&[rest; 3], &grooves);
        assert!((all[1].centre - DVec3::new(0.0, 1.0, 0.1)).length() < 1e-15);
        // A rope along the edge itself has no angles; it stays where it is.
        let grooves = [Groove::point(DVec3::Y), edge, Groove::point(DVec3::new(0.0, 1.0, 1.0))];
        assert!(chain(&[rest; 3], &grooves)[1].centre.is_finite());
    }
}

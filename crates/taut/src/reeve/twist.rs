//! Twist of a rope: the angle from the frame at its start, carried along its way without turning about it, to the frame at its end.
//!
//! A frame keeps its angle about a straight piece. Where the rope bends it turns with the direction u of the rope alone (parallel transport):
//! ```text
//! ring, edge      by the least rotation from u_in to u_out
//! sheave          about the axis a, so that its angle to a stays: whole turns and wraps of half a turn are as good as others
//! clamp           an end tied to a body begins along a unit vector n of that body, with the least rotation from n to u
//! drum            an end on a drum has the frame of the drum where the rope leaves it: its axis
//! ```
//! The rate of the angle W of a carried frame about u is exact, after Bergou et al., Discrete Elastic Rods (2008), Eq. 9 for the least rotation:
//! ```text
//! ring            W_out = W_in - k . (u_in' + u_out'),                       k = u_in x u_out/(1 + u_in . u_out)
//! sheave          W_out - w . u_out = W_in - w . u_in - g_in . v_in + g_out . v_out,   v = u' - w x u,   g = (u . a)/(1 - (u . a)^2) a x u
//! clamp           W = w . u - k . v, k = n x u/(1 + n . u)                drum    W = w . u + g . v
//! ```
//! with w the angular velocity of the body. Each is the same for all in a rigid motion, so forces and moments of the gradient cancel. Where
//! a rope slides along edges its points follow the directions, by one more term (`slide`).

use super::span::Guide;
use crate::tuning::T;
use glam::DVec3;

/// What leads the frame at one end of a straight piece.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Seat {
    /// The circle of a sheave or drum about this unit axis.
    Round(DVec3),
    /// A clamp along a unit vector, with one across it that the frame is measured from.
    Clamp(DVec3, DVec3),
    /// A ring, or a particle of a rope with mass.
    Ring,
    /// An edge along a unit vector, between its ends.
    Edge(DVec3),
}

/// How a guide leads the frame of a rope; `is_end` where the rope is tied to it.
pub(crate) fn seat(guide: &Guide, is_end: bool) -> Seat {
    if guide.radius > 0.0 {
        Seat::Round(guide.axis)
    } else if is_end {
        Seat::Clamp(guide.axis, guide.zero)
    } else if guide.length > 0.0 {
        Seat::Edge(guide.axis)
    } else {
        Seat::Ring
    }
}

/// A straight piece of a rope with the gradient of its twist.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg {
    pub along: DVec3,
    /// m.
    pub length: f64,
    pub seats: [Seat; 2],
    /// How the twist changes with the direction, and with the angular velocities of the bodies at both ends.
    pub by: DVec3,
    pub turns: [DVec3; 2],
    /// Room to solve for the points of edges: slope, diagonal, coupling to the next.
    edge: [f64; 3],
}

impl Leg {
    pub fn new(along: DVec3, length: f64, seats: [Seat; 2]) -> Self {
        Leg { along, length, seats, by: DVec3::ZERO, turns: [DVec3::ZERO; 2], edge: [0.0; 3] }
    }

    /// What of a vector is across it.
    fn across(&self, v: DVec3) -> DVec3 {
        v - v.dot(self.along) * self.along
    }
}

/// Twist of a rope up to whole turns, rad.
pub(crate) fn angle(legs: &[Leg]) -> f64 {
    let [Some(first), Some(last)] = [legs.first(), legs.last()] else { return 0.0 };
    let mut frame = director(&first.seats[0], first.along);
    for pair in legs.windows(2) {
        let (u, v) = (pair[0].along, pair[1].along);
        frame = match pair[0].seats[1] {
            Seat::Round(axis) => {
                let [from, to] = [across(axis, u), across(axis, v)];
                frame.dot(from) * to + from.cross(frame).dot(u) * v.cross(to)
            }
            _ => turned(u, v, frame),
        };
        frame = (frame - frame.dot(v) * v).normalize_or_zero();
    }
    let end = director(&last.seats[1], last.along);
    libm::atan2(frame.cross(end).dot(last.along), frame.dot(end))
}

/// Where the frame of an end is measured from, across the rope.
fn director(seat: &Seat, u: DVec3) -> DVec3 {
    match *seat {
        Seat::Round(axis) => across(axis, u),
        Seat::Clamp(n, mark) => turned(n, u, mark),
        Seat::Ring | Seat::Edge(_) => u.any_orthonormal_vector(),
    }
}

/// Unit vector across u that is nearest to the axis.
fn across(axis: DVec3, u: DVec3) -> DVec3 {
    (axis - axis.dot(u) * u).try_normalize().unwrap_or_else(|| u.any_orthonormal_vector())
}

/// A vector turned by the least rotation from one unit vector to another.
fn turned(p: DVec3, q: DVec3, v: DVec3) -> DVec3 {
    let (cos, c) = (p.dot(q), p.cross(q));
    cos * v + c.cross(v) + c * (c.dot(v) / opening(p, q).max(f64::MIN_POSITIVE))
}

/// 1 + p . q of unit vectors, to the last digits where they are opposite too.
fn opening(p: DVec3, q: DVec3) -> f64 {
    0.5 * (p + q).length_squared()
}

/// p x q/(1 + p . q), and what is left of it where the rope is folded back: there the direction of the fold is unknown.
fn fold(p: DVec3, q: DVec3) -> (DVec3, f64) {
    let open = opening(p, q);
    let part = (open / T.ropes.folded).min(1.0);
    (p.cross(q) / open.max(T.ropes.folded), part)
}

/// (u . a)/(1 - (u . a)^2) a x u.
fn lean(axis: DVec3, u: DVec3) -> DVec3 {
    let s = axis.dot(u);
    s / (1.0 - s * s).max(T.ropes.folded) * axis.cross(u)
}

/// Writes the gradient of the twist into the pieces.
pub(crate) fn differentiate(legs: &mut [Leg]) {
    for k in 0..legs.len() {
        let u = legs[k].along;
        let beside = |other: Option<usize>| other.and_then(|j| legs.get(j)).map_or(u, |l| l.along);
        let [first, second] = legs[k].seats;
        let (from, turn) = part(&first, u, beside(k.checked_sub(1)), -1.0);
        let (to, end) = part(&second, u, beside(Some(k + 1)), 1.0);
        (legs[k].by, legs[k].turns) = (from + to, [turn, end]);
    }
    slide(legs);
}

/// What one end of a piece adds to the gradient by its direction, and that by the angular velocity of the body there; `sign` is -1 at its
/// start and 1 at its end, `other` the direction of the next piece.
fn part(seat: &Seat, u: DVec3, other: DVec3, sign: f64) -> (DVec3, DVec3) {
    let by = match *seat {
        Seat::Round(axis) => sign * lean(axis, u),
        Seat::Clamp(n, _) => -sign * fold(n, u).0,
        Seat::Ring | Seat::Edge(_) => {
            let (k, part) = if sign > 0.0 { fold(u, other) } else { fold(other, u) };
            // Where it is folded the rest of it goes with the body, so that moments cancel all the same.
            return (k, sign * (1.0 - part) * u);
        }
    };
    (by, sign * u - u.cross(by))
}

/// The points of edges move along them as the directions change, so that a . (u_in - u_out) stays zero: the gradient through them.
/// ```text
/// H y = d twist/d s,    H that of the length by the points s,     twist' - y . (a . (u_in - u_out))'
/// ```
fn slide(legs: &mut [Leg]) {
    let edge = |l: &Leg| if let Seat::Edge(a) = l.seats[1] { Some(a) } else { None };
    let count = legs.len();
    for k in 0..count.saturating_sub(1) {
        let Some(a) = edge(&legs[k]) else { continue };
        let (p, q) = (&legs[k], &legs[k + 1]);
        let slope = p.by.dot(p.across(a)) / p.length - q.by.dot(q.across(a)) / q.length;
        let diagonal = p.across(a).dot(a) / p.length + q.across(a).dot(a) / q.length;
        let next = edge(q).filter(|_| k + 2 < count).map_or(0.0, |b| -q.across(b).dot(a) / q.length);
        legs[k].edge = [slope, diagonal, next];
        if k > 0 && edge(&legs[k - 1]).is_some() {
            let [s, d, n] = legs[k - 1].edge;
            legs[k].edge = [slope - n / d * s, diagonal - n / d * n, next];
        }
    }
    let mut after = 0.0;
    for k in (0..count.saturating_sub(1)).rev() {
        let Some(a) = edge(&legs[k]) else {
            after = 0.0;
            continue;
        };
        let [slope, diagonal, next] = legs[k].edge;
        let y = (slope - next * after) / diagonal;
        after = if y.is_finite() { y } else { 0.0 };
        let bend = legs[k].along - legs[k + 1].along;
        legs[k].by -= after * a;
        legs[k + 1].by += after * a;
        legs[k].turns[1] -= after * a.cross(bend);
    }
}

/// Twist of a rope as it stands, with what is wound on the drums at its ends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Twisted {
    /// Angle between the frames of its ends, whole turns counted, rad; that at which it is not twisted.
    pub angle: f64,
    pub rest: f64,
    /// Rope between its ends, not stretched, m.
    pub length: f64,
    /// At each end: twist that was wound on the drum, rad, in so much rope, m.
    pub wound: [[f64; 2]; 2],
    /// What part of the twist is left of that before rope was wound in the last step.
    pub kept: f64,
}

impl Twisted {
    /// rad.
    pub fn twist(&self) -> f64 {
        self.angle - self.rest
    }

    /// Rope runs off the drum at an end, m, or onto it where that is negative. What is wound takes its twist along, in the density that it has;
    /// what comes off again brings what was wound since, evenly; rope from before that has none.
    pub fn run(&mut self, end: usize, length: f64) {
        let (twist, [held, over]) = (self.twist(), self.wound[end]);
        if length < 0.0 {
            let taken = twist * (-length / self.length).clamp(0.0, 1.0);
            self.wound[end] = [held + taken, over - length];
            self.rest += taken;
        } else if over > 0.0 {
            let back = if length < over { held * (length / over) } else { held };
            self.wound[end] = if length < over { [held - back, over - length] } else { [0.0; 2] };
            self.rest -= back;
        }
        self.length = (self.length + length).max(f64::MIN_POSITIVE);
    }

    /// Energy of what is wound, J, with the stiffness G J, N m^2.
    pub fn wound_energy(&self, stiffness: f64) -> f64 {
        let one = |[twist, length]: [f64; 2]| if length > 0.0 { 0.5 * stiffness * twist * twist / length } else { 0.0 };
        one(self.wound[0]) + one(self.wound[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Side;
    use crate::reeve::span::Span;
    use crate::reeve::{Groove, edge, wound};
    use glam::{DMat3, DQuat};
    use std::f64::consts::TAU;

    struct Draw(u64);
    impl Draw {
        fn unit(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
        }
        fn vec(&mut self) -> DVec3 {
            DVec3::new(self.unit(), self.unit(), self.unit())
        }
    }

    /// Which guides a rope has.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Kind {
        Clamp,
        Drum,
        Ring,
        Sheave,
        Edge,
    }
    use Kind::{Clamp, Drum, Edge, Ring, Sheave};

    /// Bodies one after the other along x, each with a guide, and turned at random; axes of sheaves lean by up to `fleet`.
    fn chain(draw: &mut Draw, kinds: &[Kind], fleet: f64) -> (Vec<Side>, Vec<Groove>) {
        let mut side = 1.0;
        let mut one = |k: usize, kind: Kind| {
            let rot = DMat3::from_quat(DQuat::from_scaled_axis(2.0 * draw.vec()));
            let high = if k.is_multiple_of(2) { -1.0 } else { 1.0 };
            let place = DVec3::new(2.0 * k as f64, high, 0.4 * draw.unit());
            let local = rot.transpose();
            let off = 0.2 * draw.vec();
            let lean = DQuat::from_scaled_axis(fleet * draw.vec());
            let axis = local * (lean * DVec3::Z);
            let groove = match kind {
                Clamp | Ring => {
                    let along = local * (DVec3::X + 0.5 * draw.vec()).normalize();
                    Groove { axis: along, zero: along.any_orthonormal_vector(), ..Groove::point(off) }
                }
                Drum | Sheave => {
                    side = -high;
                    let growth = if kind == Drum { 0.01 } else { 0.0 };
                    Groove { growth, ..Groove::round(off, axis, axis.any_orthonormal_vector(), 0.4, side) }
                }
                Edge => {
                    let along = local * (DVec3::Z + 0.3 * draw.vec()).normalize();
                    let out = local * DVec3::new(0.0, high, 0.0);
                    let out = (out - out.dot(along) * along).normalize();
                    Groove::edge(off - 2.0 * along, along, out, 4.0)
                }
            };
            (Side { pos: place - rot * off, rot }, groove)
        };
        kinds.iter().enumerate().map(|(k, &kind)| one(k, kind)).unzip()
    }

    fn lay(poses: &[Side], grooves: &[Groove]) -> (Vec<Guide>, Vec<Span>, Vec<Leg>) {
        let mut guides: Vec<Guide> = grooves.iter().zip(poses).map(|(g, p)| g.at(p, 0.0)).collect();
        edge::settle(&mut guides);
        let spans: Vec<Span> = guides.windows(2).map(|w| Span::between(&w[0], &w[1]).unwrap()).collect();
        let n = spans.len();
        let leg = |k: usize| {
            let seats = [seat(&guides[k], k == 0), seat(&guides[k + 1], k + 1 == n)];
            Leg::new(spans[k].along, spans[k].length, seats)
        };
        let legs = (0..n).map(leg).collect();
        (guides, spans, legs)
    }

    /// Gradient by all bodies.
    fn gradient(poses: &[Side], grooves: &[Groove]) -> Vec<[f64; 6]> {
        let (guides, spans, mut legs) = lay(poses, grooves);
        differentiate(&mut legs);
        let mut out = vec![[0.0; 6]; poses.len()];
        for (k, (span, leg)) in spans.iter().zip(&legs).enumerate() {
            for (end, jac) in span.turning(&guides[k], &guides[k + 1], leg.by).into_iter().enumerate() {
                out[k + end].iter_mut().zip(jac).for_each(|(a, b)| *a += b);
                out[k + end][3..].iter_mut().zip(leg.turns[end].to_array()).for_each(|(a, b)| *a += b);
            }
        }
        out
    }

    fn moved(poses: &[Side], body: usize, c: usize, e: f64) -> Vec<Side> {
        let mut new = poses.to_vec();
        let mut by = [0.0; 6];
        by[c] = e;
        new[body].pos += DVec3::new(by[0], by[1], by[2]);
        new[body].rot = DMat3::from_quat(DQuat::from_scaled_axis(DVec3::new(by[3], by[4], by[5]))) * new[body].rot;
        new
    }

    const WAYS: [&[Kind]; 11] = [
        &[Clamp, Clamp],
        &[Clamp, Ring, Clamp],
        &[Clamp, Sheave, Clamp],
        &[Drum, Clamp],
        &[Drum, Sheave, Sheave, Drum],
        &[Clamp, Sheave, Ring, Sheave, Clamp],
        &[Clamp, Edge, Clamp],
        &[Clamp, Ring, Edge, Clamp],
        &[Clamp, Edge, Edge, Edge, Clamp],
        &[Drum, Ring, Edge, Ring, Drum],
        &[Clamp, Ring, Ring, Sheave, Sheave, Sheave, Clamp],
    ];

    #[test]
    fn gradients_are_those_of_difference_quotients_at_every_kind_of_guide() {
        let mut draw = Draw(1);
        for kinds in WAYS {
            for fleet in [0.0, 0.05, 0.3] {
                let mut worst = 0.0_f64;
                for _ in 0..10 {
                    let (poses, grooves) = chain(&mut draw, kinds, fleet);
                    let jac = gradient(&poses, &grooves);
                    let now = angle(&lay(&poses, &grooves).2);
                    for (body, jac) in jac.iter().enumerate() {
                        for (c, j) in jac.iter().enumerate() {
                            let at = |e: f64| wound(angle(&lay(&moved(&poses, body, c, e), &grooves).2), now);
                            let e = 2e-4;
                            let slope = (8.0 * (at(e) - at(-e)) - (at(2.0 * e) - at(-2.0 * e))) / (12.0 * e);
                            worst = worst.max((j - slope).abs() / (1.0 + j.abs()));
                        }
                    }
                }
                println!("{kinds:?} fleet {fleet}: {worst:.1e}");
                assert!(worst < 2e-9, "{kinds:?} {fleet}: {worst:e}");
            }
        }
    }

    #[test]
    fn forces_and_moments_of_the_gradient_cancel() {
        let mut draw = Draw(2);
        for kinds in WAYS {
            for _ in 0..50 {
                let (poses, grooves) = chain(&mut draw, kinds, 0.2);
                let (mut force, mut moment, mut size) = (DVec3::ZERO, DVec3::ZERO, 1.0);
                for (side, j) in poses.iter().zip(gradient(&poses, &grooves)) {
                    let [f, m] = [DVec3::from_slice(&j[..3]), DVec3::from_slice(&j[3..])];
                    (force, moment) = (force + f, moment + m + side.pos.cross(f));
                    size += f.length() + m.length();
                }
                assert!(force.length() < 1e-14 * size && moment.length() < 1e-13 * size, "{kinds:?} {force} {moment}");
            }
        }
    }

    #[test]
    fn where_a_ring_is_folded_back_moments_cancel_all_the_same() {
        let at = |x: f64, y: f64| Side { pos: DVec3::new(x, y, 0.0), rot: DMat3::IDENTITY };
        for apart in [1e-2, 1e-4, 1e-8, 0.0] {
            let poses = [at(-apart, 0.0), at(0.0, -3.0), at(apart, 0.0)];
            let point = |axis: DVec3| Groove { axis, zero: DVec3::X, ..Groove::point(DVec3::ZERO) };
            let grooves = [point(-DVec3::Y), point(DVec3::Y), point(DVec3::Y)];
            let jac = gradient(&poses, &grooves);
            let sum: DVec3 = jac.iter().map(|j| DVec3::from_slice(&j[..3])).sum();
            let moment =
                |(j, p): (&[f64; 6], &Side)| DVec3::from_slice(&j[3..]) + p.pos.cross(DVec3::from_slice(&j[..3]));
            let moment: DVec3 = jac.iter().zip(&poses).map(moment).sum();
            assert!(sum.length() < 1e-11 && moment.length() < 1e-11, "{apart}: {sum} {moment}");
            assert!(jac.iter().flatten().all(|x| x.abs() < 1e4));
        }
    }

    #[test]
    fn a_frame_carried_round_a_closed_way_of_directions_turns_by_the_solid_angle() {
        // Directions x, y, z, x: an eighth of the sphere.
        let legs = |seat: Seat| {
            let leg = |u: DVec3, from: Seat, to: Seat| Leg::new(u, 1.0, [from, to]);
            let clamp = Seat::Clamp(DVec3::X, DVec3::Y);
            [
                leg(DVec3::X, clamp, seat),
                leg(DVec3::Y, seat, seat),
                leg(DVec3::Z, seat, seat),
                leg(DVec3::X, seat, clamp),
            ]
        };
        assert!((angle(&legs(Seat::Ring)).abs() - 0.125 * 2.0 * TAU).abs() < 1e-14);
    }

    #[test]
    fn what_is_hauled_in_comes_back_and_none_is_made() {
        let mut t = Twisted { angle: 5.0, rest: 1.0, length: 10.0, kept: 1.0, ..Twisted::default() };
        t.run(0, -4.0);
        assert!((t.twist() - 2.4).abs() < 1e-15 && t.wound[0] == [1.6, 4.0]);
        t.run(0, 3.0);
        assert!((t.twist() - 3.6).abs() < 1e-15);
        t.run(0, 1.0);
        assert!((t.twist() - 4.0).abs() < 1e-15 && t.wound[0] == [0.0; 2] && (t.length - 10.0).abs() < 1e-15);
        // Rope from before has none.
        t.run(0, 10.0);
        assert!((t.twist() - 4.0).abs() < 1e-15);
    }
}

//! Torsion of ropes over guides: one row without bounds over all bodies of a rope, phi = twist, with the compliance L/(G J).
//!
//! Whole turns are counted as those of couplings are: before a step the angle is taken nearest to that in the state, after it nearest to where its
//! own velocity leads. What ran on drums and off them in the step has taken its twist along (`Twisted::run`).

use super::gather::{Now, hk_of, list, soft_theta, speed};
use super::reeved::{nearby, walk};
use super::spread::act;
use crate::delassus::Row;
use crate::desk::Next;
use crate::desk::bounded::{Candidates, Origin, Set};
use crate::desk::inputs::{Given, Inputs, Reeved};
use crate::joints::Softness;
use crate::kin::Kin;
use crate::reeve::twist::{self, Leg, Seat, Twisted, seat};
use crate::reeve::{Groove, wound};
use crate::rows::{Rows, law};
use crate::solve::bounded::Block;
use crate::state::State;
use crate::topology::{Topology, TwistRow};
use glam::DVec3;

/// Where the torsion of ropes is at the start of a step, and what it had of the last one.
pub(crate) fn start(t: &Topology, state: &State, inputs: &mut Inputs) {
    for (k, row) in t.twists.iter().enumerate() {
        let Some(last) = state.ropes[row.slot].twist else { continue };
        let Inputs { kin, reeved, legs, rows, .. } = inputs;
        let clear = lay(t, row, kin, |s, end, _| reeved[s].angles[end], legs);
        let angle = if clear { wound(twist::angle(legs), last.angle) } else { last.angle };
        let length = length(t, row, &inputs.paths, &rows.phi);
        let at = Twisted { angle, rest: last.rest, length, wound: last.wound, kept: 1.0 };
        let place = t.twist_row(k);
        (rows.lambda[place], rows.stretch[place], rows.phi[place]) = (last.lambda, last.stretch, at.twist());
        inputs.twisted[k] = at;
    }
}

/// The straight pieces of a rope at some poses; false where guides overlap, and there are none.
fn lay(
    t: &Topology,
    row: &TwistRow,
    kin: &[Kin],
    near: impl Fn(usize, usize, DVec3) -> f64 + Copy,
    legs: &mut Vec<Leg>,
) -> bool {
    legs.clear();
    let last = row.spans.end - 1;
    let mut clear = true;
    for k in t.spans[row.spans.start].segment..=t.spans[last].segment {
        walk(t, k, kin, near, |s, [a, b], span| {
            let second = if s == last && row.tail.len() == 1 {
                held(row, kin, t)
            } else {
                seat(b, s == last && row.tail.is_empty())
            };
            let seats = [seat(a, s == row.spans.start), second];
            match span {
                Some(span) => legs.push(Leg::new(span.along, span.length, seats)),
                None => clear = false,
            }
        });
    }
    let Some(end) = row.tail.end.checked_sub(1).filter(|_| !row.tail.is_empty()) else { return clear };
    let mut from = kin[t.guides[t.spans[last].guide + 1].body].pos;
    for n in row.tail.start..end {
        let to = kin[t.tails[n]].pos;
        let length = (to - from).length();
        let seat = if n + 1 == end { held(row, kin, t) } else { Seat::Ring };
        clear &= length > 0.0;
        legs.push(Leg::new((to - from) / length, length, [Seat::Ring, seat]));
        from = to;
    }
    clear
}

/// How the body at the end of a rope with mass holds it.
fn held(row: &TwistRow, kin: &[Kin], t: &Topology) -> Seat {
    let rot = kin[t.tails[row.tail.end - 1]].rot;
    Seat::Clamp(rot * row.clamp[0], rot * row.clamp[1])
}

/// Rope between the ends, not stretched, m.
fn length(t: &Topology, row: &TwistRow, paths: &[f64], phi: &[f64]) -> f64 {
    let segments = t.spans[row.spans.start].segment..=t.spans[row.spans.end - 1].segment;
    // Slack lies on the way too.
    let own = |k: usize| paths[k] - phi[t.segment_row(k)].min(0.0);
    (segments.map(own).sum::<f64>() + row.below).max(f64::MIN_POSITIVE)
}

/// How a rope gives to torsion.
pub(crate) fn soft(t: &Topology, k: usize, at: &Twisted) -> Softness {
    Softness { compliance: at.length / t.twists[k].stiffness, damping: 0.0 }
}

/// The rows of all ropes with torsion, with their warm impulses. None while guides overlap.
pub(super) fn gather(
    now: &Now<'_>,
    (reeved, twisted, legs): (&[Reeved], &[Twisted], &mut Vec<Leg>),
    rows: &Rows,
    out: &mut Candidates,
) {
    for k in 0..now.t.twists.len() {
        one(now, k, (reeved, &twisted[k], legs), rows, out);
    }
}

fn one(
    now: &Now<'_>,
    k: usize,
    (reeved, at, legs): (&[Reeved], &Twisted, &mut Vec<Leg>),
    rows: &Rows,
    out: &mut Candidates,
) {
    let Now { t, kin, hk, h, .. } = *now;
    let row = &t.twists[k];
    let near = |s: usize, end: usize, _: DVec3| reeved[s].angles[end];
    if !lay(t, row, kin, near, legs) {
        return;
    }
    twist::differentiate(legs);
    out.acted.clear();
    let (mut drive, mut place) = (0.0, 0);
    for k in t.spans[row.spans.start].segment..=t.spans[row.spans.end - 1].segment {
        walk(t, k, kin, near, |s, [a, b], span| {
            let Some(span) = span else { return };
            let leg = &legs[place];
            place += 1;
            for (end, mut jac) in span.turning(a, b, leg.by).into_iter().enumerate() {
                add(&mut jac, leg.turns[end]);
                drive += act(now, t.guides[t.spans[s].guide + end].body, jac, &mut out.acted);
            }
        });
    }
    let mut carry = DVec3::ZERO;
    for (n, leg) in row.tail.clone().zip(&legs[place..]) {
        let force = (leg.by - leg.by.dot(leg.along) * leg.along) / leg.length;
        let feed = t.guides[t.spans[row.spans.end - 1].guide + 1].body;
        let first = n == row.tail.start;
        drive += push(now, if first { feed } else { t.tails[n - 1] }, carry - force, first, out);
        carry = force;
    }
    if row.tail.len() > 1 {
        drive += push(now, t.tails[row.tail.end - 2], carry, false, out);
    }
    if !row.tail.is_empty() {
        let mut jac = [0.0; 6];
        add(&mut jac, legs[legs.len() - 1].turns[1]);
        drive += act(now, t.tails[row.tail.end - 1], jac, &mut out.acted);
    }
    if out.acted.is_empty() {
        return;
    }
    let soft = soft(t, k, at);
    let phi = at.twist();
    out.rows.push_on(&out.acted, Row { drive, phi, unit: 1.0, ..Row::default() });
    let place = out.rows.len() - 1;
    let hk = hk_of(t, hk, out.rows.sides(place));
    let theta = soft_theta(now, out.rows.sides(place), soft, rows.keeps_energy);
    let (sigma, gamma) = law(soft.compliance, soft.damping, theta, h);
    let made = &mut out.rows[place];
    (made.sigma, made.b, made.z) = (sigma * h / hk, -gamma * phi / h, hk * rows.lambda[t.twist_row(k)]);
    list(out, Origin::Twist(k), Block::Box { lo: f64::NEG_INFINITY, hi: f64::INFINITY }, 0.0, place);
}

/// Adds to the part of the angular velocity.
fn add(jac: &mut [f64; 6], turn: DVec3) {
    jac[3..].iter_mut().zip(turn.to_array()).for_each(|(j, x)| *j += x);
}

/// A force on a particle below the rope, which no other piece of it acts on unless it is the feed node.
fn push(now: &Now<'_>, dense: usize, f: DVec3, is_shared: bool, out: &mut Candidates) -> f64 {
    let jac = [f.x, f.y, f.z, 0.0, 0.0, 0.0];
    if is_shared || !now.t.is_node(dense) {
        return act(now, dense, jac, &mut out.acted);
    }
    out.acted.push((dense, jac));
    0.0
}

/// Where the torsion of ropes is after a step, at the new poses and with the velocities that led there.
pub(crate) fn arrive(t: &Given<'_>, h: f64, set: &Set, next: &mut Next) {
    for (k, row) in t.twists.iter().enumerate() {
        let was = t.inputs.twisted[k];
        let clear = lay(t, row, &next.kin, nearby(t, &next.kin), &mut next.legs);
        let found = set.candidates.iter().find(|c| c.origin == Origin::Twist(k));
        let rate = found.map_or(0.0, |c| speed(&next.kin, set.rows.sides(c.row)) + set.rows[c.row].drive);
        let mut at = was;
        if clear {
            at.angle = wound(twist::angle(&next.legs), was.angle + h * rate);
        }
        let twist = at.twist();
        for (s, end) in [(row.spans.start, 0), (row.spans.end - 1, 1)] {
            let groove = &t.guides[t.spans[s].guide + end].groove;
            let ran = off(groove, next.wound[s][end], end) - off(groove, t.inputs.reeved[s].angles[end], end);
            if ran != 0.0 {
                at.run(end, ran);
            }
        }
        at.kept = if twist == 0.0 { 1.0 } else { at.twist() / twist };
        at.length = length(t, row, &next.paths, &next.phi);
        next.phi[t.twist_row(k)] = at.twist();
        next.twisted[k] = at;
    }
}

/// Rope that has run off a drum at an end when it is left at an angle, m.
fn off(groove: &Groove, angle: f64, end: usize) -> f64 {
    let rolled = groove.rolled(angle);
    if end == 0 { -rolled } else { rolled }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::buried::Laid;
    use crate::{Body, BodyId, MassProperties, Rope, Sheave, Vec3, World};
    use glam::{DMat3, DQuat};

    fn disk(w: &mut World, pos: Vec3) -> BodyId {
        let mass = MassProperties::from_diagonal(2.0, Vec3::splat(0.1)).unwrap();
        w.add(Body::dynamic(mass).at(pos)).unwrap()
    }

    /// The row of the only rope with torsion of a world against differences of its twist; the sums of its forces and moments.
    fn check(w: &World, what: &str) {
        let (model, state) = w.parts();
        let laid = Laid { model, ropes_now: &state.ropes, steps: 0 };
        let t = Topology::new(&laid, false, |_| true);
        let mut inputs = Inputs::new(&t);
        for (dense, &slot) in t.slot_of.iter().enumerate() {
            inputs.kin[dense] = Kin::of(&state.bodies[slot]);
        }
        inputs.hk.fill(0.01);
        crate::bounded::reeved::start(&t, state, &mut inputs);
        start(&t, state, &mut inputs);
        let Inputs { kin, hk, reeved, twisted, legs, rows, .. } = &mut inputs;
        let mut out = Candidates::default();
        let now = Now { t: &t, kin, hk, wind: &[], h: 0.01, gravity: Vec3::ZERO };
        gather(&now, (reeved, twisted, legs), rows, &mut out);
        assert_eq!(out.rows.len(), 1, "{what}");
        let value = |kin: &[Kin]| {
            let mut legs = Vec::new();
            assert!(lay(&t, &t.twists[0], kin, |s, end, _| reeved[s].angles[end], &mut legs));
            wound(twist::angle(&legs), twisted[0].angle)
        };
        let (mut force, mut moment, mut worst) = (Vec3::ZERO, Vec3::ZERO, 0.0_f64);
        for (n, jac) in out.rows.sides(0) {
            let [f, m] = [Vec3::from_slice(&jac[..3]), Vec3::from_slice(&jac[3..])];
            (force, moment) = (force + f, moment + m + kin[n].pos.cross(f));
            for (c, j) in jac.iter().enumerate().take(t.nodes[n].dim) {
                let at = |e: f64| {
                    let mut moved = kin.clone();
                    let mut by = [0.0; 6];
                    by[c] = e;
                    moved[n].pos += Vec3::from_slice(&by[..3]);
                    let turn = DQuat::from_scaled_axis(Vec3::from_slice(&by[3..]));
                    moved[n].rot = DMat3::from_quat(turn) * moved[n].rot;
                    value(&moved)
                };
                let slope = (8.0 * (at(1e-4) - at(-1e-4)) - (at(2e-4) - at(-2e-4))) / 12e-4;
                worst = worst.max((slope - j).abs());
            }
        }
        println!("{what}: {worst:.1e}, force {:.1e}, moment {:.1e}", force.length(), moment.length());
        assert!(worst < 1e-8 && force.length() < 1e-13 && moment.length() < 1e-12, "{what}");
    }

    #[test]
    fn the_row_of_a_rope_is_the_derivative_of_its_twist_and_its_forces_and_moments_cancel() {
        for heavy in [false, true] {
            let mut w = World::new();
            let (start, block) = (disk(&mut w, -2.0 * Vec3::X + 0.25 * Vec3::Y), disk(&mut w, Vec3::ZERO));
            let low = Vec3::new(0.25, -4.0, 0.0);
            let end = disk(&mut w, low);
            let sheave = Sheave::on(block, Vec3::ZERO, Vec3::Z, 0.25);
            let rope =
                Rope::from(start, -2.0 * Vec3::X + 0.25 * Vec3::Y).round(sheave.against()).to(end, low).torsion(2.0);
            let nodes = if heavy {
                let rope = w.add(rope.massive(0.3).segment(0.5)).unwrap();
                w.heavy_rope(rope).unwrap().nodes().to_vec()
            } else {
                w.add(rope).unwrap();
                Vec::new()
            };
            check(&w, "straight");
            // Moved out of line; the end stays at the last of the particles.
            for (k, b) in nodes.iter().rev().skip(1).chain([&block]).enumerate() {
                let k = k as f64;
                let pose = w.pose(*b).unwrap();
                let pos = pose.pos + 0.2 * Vec3::new((3.0 * k).sin(), 0.0, (2.0 * k).cos());
                w.set_pose(*b, crate::Pose { pos, ..pose }).unwrap();
            }
            let pose = w.pose(end).unwrap();
            let rot = DQuat::from_rotation_x(0.4) * DQuat::from_rotation_y(0.7);
            w.set_pose(end, crate::Pose { rot, ..pose }).unwrap();
            check(&w, "bent");
        }
    }
}

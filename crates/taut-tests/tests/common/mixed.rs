//! A world of many islands of different kinds, enough of them for threads to pay.

use super::{chain, four_bar, rod};
use taut::{
    Ball, Body, BodyId, Collider, Distance, Friction, Hinge, Limit, MassProperties, Motor, Prismatic, Quat, Rope,
    Shape, Vec3, World,
};

/// A chain of 12 hinges with limits, which it meets, turned by some angle about y.
pub fn limited_chain(w: &mut World, at: Vec3, turn: f64) -> Vec<BodyId> {
    let q = Quat::from_rotation_y(turn);
    let mut last = w.ground();
    let mut out = Vec::new();
    for k in 0..12 {
        let (from, to) = (at + q * Vec3::X * (0.2 * f64::from(k)), at + q * Vec3::X * (0.2 * f64::from(k) + 0.1));
        let b = w.add(Body::dynamic(rod(0.3, 0.2, 0.03)).at(to).rotated(q)).unwrap();
        let hinge = Hinge::between(b, last).at(from).axis(q * Vec3::Z);
        w.add(hinge.stop(Limit::new(-0.3, 0.4).bouncing(0.3))).unwrap();
        out.push(b);
        last = b;
    }
    out
}

/// A load dropped on a rope, a rope between two loads, a rope that stays slack.
fn ropes(w: &mut World, at: Vec3) {
    let ground = w.ground();
    let mut load = |p: Vec3| w.add(Body::particle(2.0).at(p)).unwrap();
    let (a, b, c) = (load(at + Vec3::new(0.3, -0.4, 0.0)), load(at + Vec3::new(0.5, -0.6, 0.2)), load(at - Vec3::Y));
    for (i, j, from, length) in
        [(a, ground, at, 0.8), (b, a, at + Vec3::new(0.3, -0.4, 0.0), 0.5), (c, ground, at, 1e3)]
    {
        w.add(Rope::between(i, j).length(length).ends(w[i].pos, from)).unwrap();
    }
}

/// A net of particles, wide enough for panels.
fn net(w: &mut World, at: Vec3, n: usize) {
    let place = |r: usize, c: usize| at + Vec3::new(0.1 * c as f64, 0.0, 0.1 * r as f64);
    let mut made: Vec<BodyId> = Vec::new();
    for k in 0..n * n {
        let (r, c) = (k / n, k % n);
        made.push(w.add(Body::particle(0.05).at(place(r, c))).unwrap());
        let ends = [(c > 0).then(|| (made[k - 1], place(r, c - 1))), (r > 0).then(|| (made[k - n], place(r - 1, c)))];
        let ground = w.ground();
        let hook = (r == 0).then(|| (ground, place(r, c) + 0.1 * Vec3::Y));
        for (other, from) in ends.into_iter().chain([hook]).flatten() {
            w.add(Distance::between(made[k], other).length(0.1).ends(place(r, c), from)).unwrap();
        }
    }
}

/// Two boxes on each other on the ground, the upper one falling with spin; and a slide with a motor and friction.
fn boxes_and_slide(w: &mut World, at: Vec3, n: f64) {
    for (y, spin) in [(0.1, 0.0), (0.35, 0.3 + 0.1 * n)] {
        let mass = MassProperties::cuboid(500.0, Vec3::splat(0.1)).unwrap();
        let p = Vec3::new(at.x, y, at.z + 2.0);
        let collider = Collider::new(Shape::cuboid(Vec3::splat(0.1))).restitution(0.2);
        w.add(Body::dynamic(mass).at(p).moving(Vec3::ZERO, Vec3::Y * spin).collider(collider)).unwrap();
    }
    let b = w.add(Body::dynamic(rod(1.0, 0.4, 0.05)).at(at + Vec3::Z)).unwrap();
    let rail = Prismatic::between(b, w.ground()).at(at + Vec3::Z).axis(Vec3::new(1.0, -0.3, 0.0));
    w.add(rail.friction(Friction { per_load: 0.2, ..Friction::new(0.5) })).unwrap();
    let c = w.add(Body::dynamic(rod(0.5, 0.4, 0.05)).at(at + Vec3::Z)).unwrap();
    let turn = Hinge::between(c, b).at(at + Vec3::Z).axis(Vec3::Z);
    w.add(turn.motor(Motor::servo(1e4, 1e2).limited(2.0).target(0.7))).unwrap();
}

/// `n` sets of mechanisms on a floor.
pub fn mixed(w: &mut World, n: usize) {
    w.add(Collider::new(Shape::ground()).on(w.ground())).unwrap();
    for k in 0..n {
        let at = Vec3::new(8.0 * k as f64, 6.0, 0.0);
        limited_chain(w, at, 0.1 * k as f64);
        ropes(w, at + Vec3::Z * 3.0);
        boxes_and_slide(w, at, k as f64);
    }
    // These stand around the origin.
    chain(w, 20, Vec3::new(0.6, 0.0, 0.8), 10.0, Ball::between);
    chain(w, 15, Vec3::new(0.8, 0.0, -0.6), 0.0, Hinge::between);
    four_bar(w, 1.0);
    net(w, Vec3::new(0.0, 9.0, 0.0), 12);
}

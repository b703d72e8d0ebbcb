//! Small worlds with joints alone, with limits and with contacts.

use super::{ball, chain, rod, world};
use taut::{Ball, Body, Collider, Hinge, Options, Quat, Shape, Vec3, World};

/// What a world has besides joints.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    pub limits: bool,
    pub contacts: bool,
}

pub const PARTS: [Parts; 4] = [
    Parts { limits: false, contacts: false },
    Parts { limits: true, contacts: false },
    Parts { limits: false, contacts: true },
    Parts { limits: true, contacts: true },
];

/// A chain of three rods on ball joints with a load of 20 kg, level at the start, and a loop of two bars and the ground.
/// Limits: a rod of its own that reaches its limit within the first steps. Contacts: a ball that lies on the ground.
pub fn scene(parts: Parts) -> World {
    let mut w = world(Options::default());
    chain(&mut w, 3, Vec3::X, 20.0, Ball::between);
    let middle = Vec3::new(0.0, -0.3, 6.0);
    let bars = [-0.4, 0.4].map(|x| {
        let end = Vec3::new(x, 0.0, 6.0);
        let turn = Quat::from_rotation_arc(Vec3::X, (end - middle).normalize());
        let def = Body::dynamic(rod(1.0, 0.5, 0.05)).at(0.5 * (middle + end)).rotated(turn);
        let b = w.add(def).unwrap();
        w.add(Ball::between(b, w.ground()).at(end)).unwrap();
        b
    });
    w.add(Ball::between(bars[0], bars[1]).at(middle)).unwrap();
    if parts.limits {
        let arm = w.add(Body::dynamic(rod(1.0, 1.0, 0.05)).at(Vec3::new(0.5, 0.0, 3.0))).unwrap();
        w.add(Hinge::between(arm, w.ground()).at(3.0 * Vec3::Z).axis(Vec3::Z).limit(-0.01, 1.0)).unwrap();
    }
    if parts.contacts {
        let floor = Collider::new(Shape::ground()).at(-10.0 * Vec3::Y);
        w.add(floor.on(w.ground())).unwrap();
        let b = Body::dynamic(ball(1.0, 0.1)).at(Vec3::new(0.0, -9.9, -3.0));
        w.add(b.collider(Collider::new(Shape::ball(0.1)))).unwrap();
    }
    w
}

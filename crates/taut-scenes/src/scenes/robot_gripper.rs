//! A robot arm picks a box from the ground, lifts it and holds it.
//!
//! Chosen here: an arm of two links of 0.4 m (2 and 1.5 kg) in the x-y plane, a hand of 0.6 kg that stays upright, two fingers of 0.15 kg that
//! slide across the plane; a box of 6 cm and 1 kg, friction 0.8. Every joint has limits and an implicit PD servo with a bound on
//! its force ([`SERVOS`]). One finger keeps its place, the other presses with all it has: that grip has a stiffness. The
//! program: down in 1 s, grip for 1 s, up and back in 2 s, then hold. The hand's way comes from the inverse kinematics of the two links.

use super::parts::{G, bar};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Drive, Scene, SceneInfo};
use taut::{
    Body, Collider, Command, Hinge, Joint, JointId, MassProperties, Motor, Prismatic, Result, Shape, Vec3, World,
};

/// Joints with their servos: stiffness (N m/rad, N/m), damping (N m s/rad, N s/m), most torque (N m) or force (N).
pub const SERVOS: [(&str, f64, f64, f64); 5] = [
    ("shoulder", 2e4, 500.0, 80.0),
    ("elbow", 2e4, 300.0, 40.0),
    ("wrist", 1e4, 100.0, 15.0),
    ("left finger", 1e5, 500.0, 60.0),
    ("right finger", 1e4, 200.0, 30.0),
];
/// When the arm begins to hold the box still, s.
pub const HOLD: f64 = 4.5;

/// Length of a link, height of the shoulder, from the wrist to the palm, length, half thickness and half width of a finger, half an
/// edge of the box, m.
const LINK: f64 = 0.4;
const SHOULDER: f64 = 0.4;
const PALM: f64 = 0.06;
const FINGER: f64 = 0.1;
const THICK: f64 = 0.006;
const WIDE: f64 = 0.015;
const BOX: f64 = 0.03;
/// Inner sides of the open fingers are this far from the middle, m.
const OPEN: f64 = 0.05;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "robot-gripper",
        summary: "a robot arm with limits and bounded servos picks a box from the ground, lifts it and holds it",
        source: "Taut",
        parameters: vec![
            Parameter::number("box", "kg", 1.0, (0.01, 100.0), "mass of the box"),
            Parameter::number("friction", "", 0.8, (0.0, 10.0), "between fingers and box"),
        ],
        dt: 1.0 / 60.0,
        time: 10.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let mut world = World::new();
    let mu = p.number("friction");
    let ground = world.ground();
    world.add(Collider::new(Shape::ground()).friction(mu).named("ground").on(ground))?;
    let joints = arm(&mut world, mu)?;
    let mass = MassProperties::cuboid(1000.0, Vec3::splat(BOX))?.with_mass(p.number("box"))?;
    let load = world.add(Body::dynamic(mass).at(Vec3::new(way(0.0).x, BOX, 0.0)).named("box"))?;
    world.add(Collider::new(Shape::cuboid(Vec3::splat(BOX))).friction(mu).named("box").on(load))?;
    let drive = Some(Drive::new(move |w, h| command(w, &joints, h)));
    let energy_scale = G * (5.0 + p.number("box")) * 2.0 * LINK;
    Ok(Scene { world, length: 2.0 * LINK, energy_scale, follow: load, window: 1.0, edges: Vec::new(), drive })
}

/// The arm with its hand over the box; its joints in the order of [`SERVOS`].
fn arm(world: &mut World, mu: f64) -> Result<[JointId; 5]> {
    let wrist = way(0.0);
    let base = SHOULDER * Vec3::Y;
    let q = angles(wrist);
    let elbow = base + LINK * Vec3::new(libm::cos(q[0]), libm::sin(q[0]), 0.0);
    let palm = wrist - PALM * Vec3::Y;
    let upper = bar(world, base, elbow, 2.0, 0.04, "upper arm".into())?;
    let fore = bar(world, elbow, wrist, 1.5, 0.03, "forearm".into())?;
    let hand = bar(world, wrist, palm, 0.6, 0.03, "hand".into())?;
    let ground = world.ground();
    let turn = |i, j, at: Vec3, lower: f64, upper: f64| {
        Hinge::between(i, j).at(at).axis(Vec3::Z).limit(lower.to_radians(), upper.to_radians())
    };
    let shoulder = world.add(servo(0, turn(upper, ground, base, -60.0, 90.0)))?;
    let elbow = world.add(servo(1, turn(fore, upper, elbow, -90.0, 60.0)))?;
    let wrist = world.add(servo(2, turn(hand, fore, wrist, -100.0, 100.0)))?;
    let mut fingers = [shoulder; 2];
    for (k, side) in [-1.0, 1.0].into_iter().enumerate() {
        let at = palm - 0.5 * FINGER * Vec3::Y + side * (OPEN + THICK) * Vec3::Z;
        let half = Vec3::new(WIDE, 0.5 * FINGER, THICK);
        let mass = MassProperties::cuboid(1000.0, half)?.with_mass(0.15)?;
        let finger = world.add(Body::dynamic(mass).at(at).named(SERVOS[3 + k].0))?;
        world.add(Collider::new(Shape::cuboid(half)).friction(mu).named("finger").on(finger))?;
        // Closing is positive for both.
        let slide = Prismatic::between(finger, hand).axis(-side * Vec3::Z).limit(0.0, OPEN);
        fingers[k] = world.add(servo(3 + k, slide))?;
    }
    Ok([shoulder, elbow, wrist, fingers[0], fingers[1]])
}

/// A joint with the servo of that number.
fn servo(number: usize, joint: Joint) -> Joint {
    let (name, stiffness, damping, most) = SERVOS[number];
    joint.motor(Motor::servo(stiffness, damping).limited(most)).named(name)
}

/// Where the wrist should be at a time, s.
fn way(t: f64) -> Vec3 {
    let (down, up) = (smooth(t, 0.0, 1.0), smooth(t, 2.0, 4.0));
    let low = PALM + FINGER + 0.01;
    Vec3::new(0.5 - 0.1 * up, 0.35 + (low - 0.35) * down + 0.25 * up, 0.0)
}

/// From 0 to 1 between two times, s, with rates of zero at both.
fn smooth(t: f64, from: f64, to: f64) -> f64 {
    let s = ((t - from) / (to - from)).clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}

/// Angles of the two links, elbow up, that put the wrist at a point, rad.
fn angles(wrist: Vec3) -> [f64; 2] {
    let d = wrist - SHOULDER * Vec3::Y;
    let c = (d.length_squared() / (2.0 * LINK * LINK) - 1.0).clamp(-1.0, 1.0);
    let q = -libm::acos(c);
    [libm::atan2(d.y, d.x) - libm::atan2(libm::sin(q), 1.0 + c), q]
}

/// What the servos are told for the end of a step of `h`, s.
fn command(world: &mut World, joints: &[JointId; 5], h: f64) -> Result<()> {
    let (now, next) = (targets(world.time()), targets(world.time() + h));
    for (k, &joint) in joints.iter().enumerate() {
        world.set_motor(joint, Command { target: next[k], rate: (next[k] - now[k]) / h })?;
    }
    Ok(())
}

/// Positions of all joints at a time, s, from where they were built.
fn targets(t: f64) -> [f64; 5] {
    let (start, q) = (angles(way(0.0)), angles(way(t)));
    let [a, b] = [q[0] - start[0], q[1] - start[1]];
    let close = smooth(t, 1.0, 1.6);
    // The left finger stops at the box, the right one would go a centimetre into it.
    [a, b, -a - b, close * (OPEN - BOX), close * (OPEN - BOX + 0.01)]
}

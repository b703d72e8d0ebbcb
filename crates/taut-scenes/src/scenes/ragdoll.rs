//! A ragdoll on a liana whose upper end is shaken (Tournier 2015 section 4, "Ragdoll").
//!
//! From the paper: 12 rigid bodies with limits in their joints, a liana of 10 links with ball joints, a step of 0.01 s, strong shaking.
//! Chosen here: a person of 75 kg (`ragdoll_body`), who hangs by the right hand; links of 0.3 m and 1 kg, 4 cm thick; the upper end
//! moves to and fro along x with a top speed of `speed`. Limbs meet each other; the liana meets the body only with `liana=solid`.

use super::parts::{G, bar};
use super::ragdoll_body::{self, LEFT_THIGH, MASS, PELVIS, Posture, RIGHT_THIGH, RIGHT_UPPER, STATURE, hung};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Drive, Scene, SceneInfo};
use std::f64::consts::TAU;
use taut::{Ball, Body, BodyId, Collider, Pose, Result, Shape, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "ragdoll",
        summary: "a ragdoll of 12 bodies with limits hangs by a hand on a liana of 10 links that is shaken at 10 m/s",
        source: "Tournier 2015 section 4",
        parameters: vec![
            Parameter::number("speed", "m/s", 10.0, (0.0, 1e3), "top speed of the upper end"),
            Parameter::number("frequency", "Hz", 1.0, (0.01, 100.0), "how often it goes to and fro"),
            Parameter::choice("liana", &["thin", "solid"], "whether the body passes through it"),
            Parameter::count("links", 10, (1, 10_000), "links of the liana"),
            Parameter::number("link_mass", "kg", 1.0, (1e-6, 1e6), "mass of a link"),
            Parameter::number("link_length", "m", 0.3, (0.05, 1e3), "length of a link"),
        ],
        dt: 0.01,
        time: 30.0,
        build,
    }
}

/// Radius of the liana, m.
const RADIUS: f64 = 0.02;

fn build(p: &Parameters) -> Result<Scene> {
    let mut world = World::new();
    let (n, l, m) = (p.count("links"), p.number("link_length"), p.number("link_mass"));
    let length = n as f64 * l;
    let anchor = world.add(Body::kinematic().named("anchor"))?;
    let (mut above, mut at) = (anchor, Vec3::ZERO);
    for k in 0..n {
        let next = at - l * Vec3::Y;
        let b = bar(&mut world, at, next, m, RADIUS, format!("link {k}"))?;
        if p.choice("liana") == "solid" {
            world.add(Collider::new(Shape::capsule(0.5 * l - RADIUS, RADIUS)).named("liana").on(b))?;
        }
        world.add(Ball::between(b, above).at(at))?;
        (above, at) = (b, next);
    }
    let posture = Posture::standing(Vec3::ZERO)
        .bend(RIGHT_UPPER, Vec3::new(-1.0, 0.0, 1.0), 175.0)
        .bend(RIGHT_THIGH, Vec3::Z, 40.0)
        .bend(LEFT_THIGH, Vec3::Z, 5.0);
    let doll = ragdoll_body::add(&mut world, &hung(posture, at))?;
    world.add(Ball::between(doll.bodies[ragdoll_body::RIGHT_FORE], above).at(doll.hand))?;
    let (speed, turn) = (p.number("speed"), TAU * p.number("frequency"));
    let whole = length + STATURE;
    let energy_scale = (MASS + n as f64 * m) * (G * whole + 0.5 * speed * speed);
    let drive = Some(Drive::new(move |w, h| shake(w, anchor, (speed, turn), h)));
    Ok(Scene { world, length: whole, energy_scale, follow: doll.bodies[PELVIS], window: 5.0, edges: Vec::new(), drive })
}

/// Moves the anchor to and fro with this top speed, m/s, once in a period of `turn`, rad/s.
fn shake(world: &mut World, anchor: BodyId, (speed, turn): (f64, f64), h: f64) -> Result<()> {
    let t = turn * (world.time() + h);
    // From rest: it starts at the end of its way.
    let pos = speed / turn * (1.0 - libm::cos(t)) * Vec3::X;
    world.set_target(anchor, Pose { pos, ..Pose::IDENTITY })
}

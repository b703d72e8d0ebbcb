//! A load swinging on a flexible cable (Andrews 2017 Fig. 8 and 10).
//!
//! From the paper: load 100 kg (10, 1000), axial stiffness 1e12, bending and torsional stiffness 10, step 0.01 s, 40 s. Chosen
//! here: 20 segments of 0.4 m and 0.2 kg, radius 2 cm, load radius 0.3 m, released at 45 degrees.

use super::parts::{G, ball, pointing, rod};
use crate::parameters::{Parameter, Parameters};
use crate::random::Random;
use crate::scene::{Scene, SceneInfo};
use std::sync::Arc;
use taut::{Ball, Body, Cable, Hinge, Joint, JointKind, Result, Softness, Vec3, World, joints::FlexibleCable};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "pendulum-cable",
        summary: "100 kg swinging on a cable of 0.2 kg segments: how much kinetic energy is left after 40 s",
        source: "Andrews 2017 Fig. 8, 10",
        parameters: vec![
            Parameter::number("load", "kg", 100.0, (1e-3, 1e12), "mass of the load"),
            Parameter::choice("joint", &["cable", "ball", "flexible-cable", "hinge"], "joint between segments"),
            Parameter::count("segments", 20, (1, 100_000), "segments of the cable"),
            Parameter::number("segment_mass", "kg", 0.2, (1e-9, 1e9), "mass of a segment"),
            Parameter::number("segment_length", "m", 0.4, (1e-3, 1e3), "length of a segment"),
            Parameter::number("axial", "N/m", 1e12, (1.0, 1e18), "axial (and shear) stiffness"),
            Parameter::number("bending", "N m/rad", 10.0, (1e-9, 1e15), "bending and torsional stiffness"),
            Parameter::number("angle", "deg", 45.0, (0.0, 179.0), "angle from hanging at the start"),
            Parameter::number(
                "kick",
                "rad/s",
                1e-4,
                (0.0, 10.0),
                "random angular velocity of the segments at the start",
            ),
        ],
        dt: 0.01,
        time: 40.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let (n, m, l, load) = (p.count("segments"), p.number("segment_mass"), p.number("segment_length"), p.number("load"));
    let a = p.number("angle").to_radians();
    let along = Vec3::new(libm::sin(a), -libm::cos(a), 0.0);
    let radius = 0.3;
    let axial = Softness::spring(p.number("axial"), 0.0);
    let soft = Softness::spring(p.number("bending"), 0.0);
    let joint: Arc<dyn JointKind> = match p.choice("joint") {
        "ball" => Arc::new(Ball::default()),
        "hinge" => Arc::new(Hinge::default()),
        "flexible-cable" => Arc::new(FlexibleCable { axial, shear: axial, bending: soft, torsion: soft }),
        _ => Arc::new(Cable { axial, bending: soft, torsion: soft }),
    };
    // Hinges swing in the plane of the pendulum.
    let axis = if p.choice("joint") == "hinge" { Vec3::Z } else { along };
    let mut world = World::new();
    let mut random = Random::new(1);
    let (mut previous, mut at) = (world.ground(), Vec3::ZERO);
    for k in 0..=n {
        let (mass, reach, name) = if k < n {
            (rod(m, l, 0.02)?, 0.5 * l, format!("segment {k}"))
        } else {
            (ball(load, radius)?, radius, "load".into())
        };
        let spin = p.number("kick") * random.normal3();
        let b = world.add(
            Body::dynamic(mass).at(at + reach * along).rotated(pointing(along)).moving(Vec3::ZERO, spin).named(name),
        )?;
        world.add(Joint::of(joint.clone(), b, previous).at(at).axis(axis))?;
        at += l * along;
        previous = b;
    }
    let length = n as f64 * l + radius;
    Ok(Scene {
        world,
        length,
        energy_scale: G * load * length * (1.0 - libm::cos(a)).max(1e-3),
        follow: previous,
        window: 3.2,
        edges: Vec::new(),
        drive: None,
    })
}

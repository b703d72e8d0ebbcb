//! Vibrations of a cable when a load dropped straight down is caught (Andrews 2017 Fig. 9).
//!
//! From the paper: 5000 kg, the cable of Fig. 8 (axial stiffness 1e12, bending and torsional stiffness 10), 0.01 s against a
//! reference of 1e-5 s. Chosen here, as in `pendulum-cable`: 20 segments of 0.4 m and 0.2 kg, radius 2 cm, load radius 0.3 m; the
//! load starts under the anchor, `drop` above where it will hang, the cable in a bow to the side, pinned at both ends, without
//! damping; the random kick lets it vibrate out of the plane too. The middle segment is followed: its sideways motion is the
//! vibration. A drop of 1 mm lets the
//! cable vibrate by centimetres; from 1 cm on the load bounces on a cable as stiff as this when the step resolves the shock (1 ms), and
//! is caught when it does not.

use super::parts::{G, ball, bow, cable};
use crate::parameters::{Parameter, Parameters};
use crate::random::Random;
use crate::scene::{Scene, SceneInfo};
use std::sync::Arc;
use taut::{Ball, Body, Cable, JointKind, Result, Softness, Vec3, World, joints::FlexibleCable};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "cable-vibration",
        summary: "5 t dropped straight down on a cable of 0.2 kg segments: how the cable vibrates afterwards",
        source: "Andrews 2017 Fig. 9",
        parameters: vec![
            Parameter::number("load", "kg", 5000.0, (1e-3, 1e12), "mass of the load"),
            Parameter::choice("joint", &["cable", "flexible-cable"], "joint between segments"),
            Parameter::number("drop", "m", 0.001, (0.0, 1e3), "how far the load falls before the cable is taut"),
            Parameter::count("segments", 20, (2, 100_000), "segments of the cable"),
            Parameter::number("segment_mass", "kg", 0.2, (1e-9, 1e9), "mass of a segment"),
            Parameter::number("segment_length", "m", 0.4, (1e-3, 1e3), "length of a segment"),
            Parameter::number("axial", "N/m", 1e12, (1.0, 1e18), "axial stiffness"),
            Parameter::number("axial_damping", "N s/m", 0.0, (0.0, 1e15), "axial damping of a joint"),
            Parameter::number("bending", "N m/rad", 10.0, (1e-9, 1e15), "bending and torsional stiffness"),
            Parameter::number(
                "kick",
                "rad/s",
                1e-2,
                (0.0, 10.0),
                "random angular velocity of the segments at the start",
            ),
        ],
        dt: 0.01,
        time: 3.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let (n, l, load, drop) = (p.count("segments"), p.number("segment_length"), p.number("load"), p.number("drop"));
    let (length, radius) = (n as f64 * l, 0.3);
    if drop > 0.9 * length {
        return Err(taut::Error::input("drop", drop, format!("at most 0.9 of the cable's {length} m")));
    }
    let mut world = World::new();
    let ground = world.ground();
    let soft = Softness::spring(p.number("bending"), 0.0);
    let axial = Softness::spring(p.number("axial"), p.number("axial_damping"));
    let joint: Arc<dyn JointKind> = match p.choice("joint") {
        "flexible-cable" => Arc::new(FlexibleCable { axial, shear: axial, bending: soft, torsion: soft }),
        _ => Arc::new(Cable { axial, bending: soft, torsion: soft }),
    };
    let points = bow(Vec3::ZERO, -Vec3::Y, Vec3::X, n, l, drop);
    let mut random = Random::new(3);
    let size = (p.number("segment_mass"), 0.02);
    let links = cable(&mut world, &points, size, joint, (p.number("kick"), &mut random))?;
    world.add(Ball::between(links[0], ground).at(Vec3::ZERO))?;
    let end = points[n];
    let weight = world.add(Body::dynamic(ball(load, radius)?).at(end - radius * Vec3::Y).named("load"))?;
    world.add(Ball::between(weight, links[n - 1]).at(end))?;
    let energy_scale = G * load * drop.max(0.01 * length);
    Ok(Scene { world, length, energy_scale, follow: links[n / 2], window: 1.0, edges: Vec::new(), drive: None })
}

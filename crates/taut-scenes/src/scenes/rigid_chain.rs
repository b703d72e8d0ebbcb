//! A chain of rigid links with a payload (Tournier 2015 Fig. 5): ball joints, or hinges as in a bicycle chain.
//!
//! From the paper: 10 links (50 in the text), payload to link mass 1 to 1e4, rigid joints. From the authors' example scene: length
//! 2 m, unit mass, gravity 9.8 m/s^2, step 0.01 s, no compliance. Chosen here: that each link is 2 m and 1 kg, a square bar a
//! tenth as wide; the payload is a ball of half a link's length, hung at its surface; horizontal start; the kick across the chain.

use super::parts::{ball, pointing, square_bar};
use crate::parameters::{Parameter, Parameters};
use crate::random::Random;
use crate::scene::{Scene, SceneInfo};
use taut::{Ball, Body, Hinge, Options, Result, Vec3, World};

/// Gravity of the original scene, m/s^2.
const GRAVITY: f64 = 9.8;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "rigid-chain",
        summary: "ten rigid links of 2 m and 1 kg with a payload, falling from the horizontal",
        source: "Tournier 2015 Fig. 5",
        parameters: vec![
            Parameter::count("links", 10, (1, 100_000), "links in the chain"),
            Parameter::number("ratio", "", 1.0, (1e-6, 1e15), "mass of the payload over that of a link"),
            Parameter::choice("joint", &["ball", "hinge"], "joint between links"),
            Parameter::number("link_mass", "kg", 1.0, (1e-9, 1e9), "mass of a link"),
            Parameter::number("link_length", "m", 2.0, (1e-3, 1e6), "length of a link"),
            Parameter::number("kick", "rad/s", 1e-3, (0.0, 10.0), "random angular velocity of the links at the start"),
        ],
        dt: 0.01,
        time: 10.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let (n, m, l) = (p.count("links"), p.number("link_mass"), p.number("link_length"));
    let load = p.number("ratio") * m;
    let joint = if p.choice("joint") == "hinge" { Hinge::between } else { Ball::between };
    let mut world = World::new();
    world.set_options(Options { gravity: -GRAVITY * Vec3::Y, ..Options::default() })?;
    let mut random = Random::new(6);
    let (mut previous, mut at) = (world.ground(), Vec3::ZERO);
    let radius = 0.5 * l;
    for k in 0..=n {
        let (mass, reach, name) = if k < n {
            (square_bar(m, l, 0.1 * l)?, 0.5 * l, format!("link {k}"))
        } else {
            (ball(load, radius)?, radius, "payload".into())
        };
        let spin = p.number("kick") * random.normal3();
        let def = Body::dynamic(mass).at(at + reach * Vec3::X).rotated(pointing(Vec3::X));
        let b = world.add(def.moving(Vec3::ZERO, spin).named(name))?;
        world.add(joint(b, previous).at(at).axis(Vec3::Z))?;
        (previous, at) = (b, at + l * Vec3::X);
    }
    let length = n as f64 * l + radius;
    let energy_scale = GRAVITY * (load * length + 0.5 * n as f64 * m * n as f64 * l);
    Ok(Scene { world, length, energy_scale, follow: previous, window: 3.0, edges: Vec::new(), drive: None })
}

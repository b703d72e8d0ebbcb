//! Slack to taut: a load dropped through the slack of a line of light links.
//!
//! Chosen here: 20 links of 10 cm and 50 g, folded in a flat zigzag with 5 % of slack, a load of 100 to a million links. A line of
//! `rope` links can only pull; of `rod` links it can push too; `hook` is the line of rods with a one-way sling of a link's length
//! before the load.

use super::parts::G;
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::{Body, BodyId, Distance, Result, Rope, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "snatch",
        summary: "a heavy load falls through the slack of a line of light links and is caught",
        source: "made for Taut",
        parameters: vec![
            Parameter::count("links", 20, (2, 100_000), "links of the line"),
            Parameter::choice("kind", &["rope", "hook", "rod"], "one-way links, rods with a one-way sling, or rods"),
            Parameter::number("ratio", "", 1e4, (1e-3, 1e12), "mass of the load over that of a link"),
            Parameter::number("link_mass", "kg", 0.05, (1e-9, 1e6), "mass of a link"),
            Parameter::number("link_length", "m", 0.1, (1e-4, 1e3), "length of a link"),
            Parameter::number("slack", "", 0.05, (0.0, 0.5), "slack at the start, as a part of the length"),
        ],
        dt: 1.0 / 60.0,
        time: 2.5,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let (n, m, l) = (p.count("links"), p.number("link_mass"), p.number("link_length"));
    let lean = libm::acos(1.0 - p.number("slack"));
    let mut world = World::new();
    let (mut previous, mut at): (BodyId, Vec3) = (world.ground(), Vec3::ZERO);
    let mut edges = Vec::new();
    for k in 0..=n {
        let side = if k % 4 == 0 || k % 4 == 3 { 1.0 } else { -1.0 };
        let d = l * Vec3::new(side * libm::sin(lean), -libm::cos(lean), 0.02 * libm::sin(k as f64));
        let last = k == n;
        let mass = if last { p.number("ratio") * m } else { m };
        let name = if last { "load".into() } else { format!("node {k}") };
        let b = world.add(Body::particle(mass).at(at + d).named(name))?;
        if p.choice("kind") == "rope" || (p.choice("kind") == "hook" && last) {
            world.add(Rope::between(b, previous).ends(at + d, at).length(d.length()))?;
        } else {
            world.add(Distance::between(b, previous).length(d.length()))?;
            edges.push((b, previous, d.length()));
        }
        (previous, at) = (b, at + d);
    }
    let length = (n + 1) as f64 * l;
    Ok(Scene {
        world,
        length,
        energy_scale: G * p.number("ratio") * m * length,
        follow: previous,
        window: 0.5,
        edges,
        drive: None,
    })
}

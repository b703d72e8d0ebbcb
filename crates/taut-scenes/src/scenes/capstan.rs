//! A capstan: three and a half turns of rope on a bollard hold a load by the weight of a hand.
//!
//! From the specification of running cables: friction 0.25, 3.5 turns, 100 N on the tail. The load that it holds is exp(0.25 x 7 pi),
//! 244 times that.

use super::parts::G;
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::{Body, Result, Rope, Sheave, Vec3, World};

const R: f64 = 0.15;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "capstan",
        summary: "a load held by the friction of turns on a bollard and the weight of a hand",
        source: "made for Taut",
        parameters: vec![
            Parameter::number("friction", "", 0.25, (0.0, 1.0), "of the rope on the bollard"),
            Parameter::count("turns", 3, (0, 10), "whole turns, besides the half turn over the top"),
            Parameter::number("tail", "N", 100.0, (1e-6, 1e6), "weight on the tail"),
            Parameter::number("part", "", 0.99, (1e-6, 1e3), "weight of the load, as a part of what is held"),
        ],
        dt: 1.0 / 60.0,
        time: 5.0,
        build,
    }
}

/// Ratio of the tensions that a capstan holds.
fn holds(friction: f64, turns: usize) -> f64 {
    libm::exp(friction * std::f64::consts::PI * (2 * turns + 1) as f64)
}

fn build(p: &Parameters) -> Result<Scene> {
    let mut world = World::new();
    let (friction, turns) = (p.number("friction"), p.count("turns"));
    let tail = p.number("tail") / G;
    let mass = tail * p.number("part") * holds(friction, turns);
    let (left, right) = (Vec3::new(-R, -2.0, 0.0), Vec3::new(R, -2.0, 0.0));
    let load = world.add(Body::particle(mass).at(left).named("load"))?;
    let hand = world.add(Body::particle(tail).at(right).named("hand"))?;
    let bollard = Sheave::on(world.ground(), Vec3::ZERO, Vec3::Z, R).friction(friction);
    world.add(Rope::from(load, left).round(bollard.over().turns(turns as u32)).to(hand, right).named("rope"))?;
    let energy_scale = G * mass * 1.0;
    Ok(Scene { world, length: 4.0, energy_scale, follow: load, window: 1.0, edges: Vec::new(), drive: None })
}

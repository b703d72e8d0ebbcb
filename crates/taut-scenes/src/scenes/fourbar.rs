//! A planar four-bar linkage of hinges: three of its twenty rows are redundant.

use super::parts::{G, bar};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::{Hinge, Result, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "fourbar",
        summary: "a planar four-bar linkage of hinges, over-constrained, swinging under gravity",
        source: "made for Taut",
        parameters: vec![
            Parameter::number("ratio", "", 1.0, (1e-6, 1e12), "coupler mass over crank mass"),
            Parameter::number("angle", "rad", 1.2, (0.1, 1.6), "crank angle at the start"),
            Parameter::number("bar_mass", "kg", 0.2, (1e-9, 1e9), "mass of crank and rocker"),
        ],
        dt: 0.01,
        time: 10.0,
        build,
    }
}

/// Length of the crank, m.
pub const CRANK: f64 = 0.3;
/// Length of the coupler, m.
pub const COUPLER: f64 = 1.0;
/// Length of the rocker, m.
pub const ROCKER: f64 = 0.8;
/// Distance of the ground pivots, m.
pub const GROUND: f64 = 0.9;

/// Ends of the crank and of the coupler for a crank angle.
fn closure(angle: f64) -> (Vec3, Vec3) {
    let b = CRANK * Vec3::new(libm::cos(angle), libm::sin(angle), 0.0);
    let v = Vec3::new(GROUND, 0.0, 0.0) - b;
    let d = v.length();
    let inner = libm::acos(((COUPLER * COUPLER + d * d - ROCKER * ROCKER) / (2.0 * COUPLER * d)).clamp(-1.0, 1.0));
    let a = libm::atan2(v.y, v.x) + inner;
    (b, b + COUPLER * Vec3::new(libm::cos(a), libm::sin(a), 0.0))
}

fn build(p: &Parameters) -> Result<Scene> {
    let (m, ratio) = (p.number("bar_mass"), p.number("ratio"));
    let (b, c) = closure(p.number("angle"));
    let d = Vec3::new(GROUND, 0.0, 0.0);
    let mut world = World::new();
    let b1 = bar(&mut world, Vec3::ZERO, b, m, 0.02, "crank".into())?;
    let b2 = bar(&mut world, b, c, m * ratio, 0.02, "coupler".into())?;
    let b3 = bar(&mut world, c, d, m, 0.02, "rocker".into())?;
    let g = world.ground();
    for (i, j, at) in [(b1, g, Vec3::ZERO), (b2, b1, b), (b3, b2, c), (b3, g, d)] {
        world.add(Hinge::between(i, j).at(at).axis(Vec3::Z))?;
    }
    Ok(Scene {
        world,
        length: 2.0,
        energy_scale: G * m * (ratio + 2.0),
        follow: b2,
        window: 2.0,
        edges: Vec::new(),
        drive: None,
    })
}

//! Boxes on top of each other, heavy on light.
//!
//! Chosen here: boxes of 20 cm and 1 kg; the top one, or every second one, is heavier by `ratio`. Each box is shifted and turned a little
//! against the one below: an exactly straight stack proves nothing. Sleep is off unless it is asked for.

use super::parts::{Block, G, floor};
use crate::parameters::{Parameter, Parameters};
use crate::random::Random;
use crate::scene::{Scene, SceneInfo};
use taut::{Options, Result, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "box-stack",
        summary: "a stack of boxes with one of a thousand times their mass on top",
        source: "made for Taut",
        parameters: vec![
            Parameter::count("boxes", 10, (1, 1000), "boxes"),
            Parameter::number("ratio", "", 1000.0, (1e-6, 1e9), "mass of a heavy box over that of a light one"),
            Parameter::choice("heavy", &["top", "alternating"], "which boxes are heavy"),
            Parameter::number("mass", "kg", 1.0, (1e-6, 1e9), "mass of a light box"),
            Parameter::number("edge", "m", 0.2, (1e-3, 1e3), "edge of a box"),
            Parameter::number("friction", "", 0.5, (0.0, 10.0), "coefficient of friction"),
            Parameter::number("shift", "m", 0.002, (0.0, 1.0), "largest shift of a box at the start"),
            Parameter::number(
                "twist",
                "deg",
                2.0,
                (0.0, 45.0),
                "largest turn of a box about the vertical at the start",
            ),
            Parameter::choice("sleep", &["off", "on"], "whether boxes at rest sleep"),
        ],
        dt: 1.0 / 60.0,
        time: 10.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let (n, edge) = (p.count("boxes"), p.number("edge"));
    let mut world = World::new();
    world.set_options(Options { sleep: p.choice("sleep") == "on", ..Options::default() })?;
    floor(&mut world, 0.0, p.number("friction"))?;
    let mut random = Random::new(7);
    let (mut top, mut scale) = (world.ground(), 0.0);
    for k in 0..n {
        let heavy = if p.choice("heavy") == "alternating" { k % 2 == 1 } else { k + 1 == n };
        let mass = p.number("mass") * if heavy { p.number("ratio") } else { 1.0 };
        let block = Block { half: Vec3::splat(0.5 * edge), mass, friction: p.number("friction") };
        let mut off = |most: f64| random.uniform(-most, most);
        let at = Vec3::new(off(p.number("shift")), (k as f64 + 0.5) * edge, off(p.number("shift")));
        let turn = crate::rotation::rotation(Vec3::Y, off(p.number("twist").to_radians()));
        top = block.add(&mut world, at, turn, format!("box {k}"))?;
        scale += G * mass * edge;
    }
    let length = n as f64 * edge;
    Ok(Scene { world, length, energy_scale: scale, follow: top, window: 1.0, edges: Vec::new(), drive: None })
}

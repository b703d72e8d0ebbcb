//! A box on a slope, its surface turned to any side: sliding begins at the angle of friction.
//!
//! Chosen here: a flat box of 1 kg, 20 x 5 x 20 cm, turned by `azimuth` about the normal of the slope; the slope can have different
//! friction along its own axes, turned by `grain` from the line of steepest descent.

use super::parts::{Block, G};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::{Collider, Material, Options, Result, Shape, Vec3, World, shapes::Combine};

const HALF: Vec3 = Vec3::new(0.1, 0.025, 0.1);

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "friction-ramp",
        summary: "a box on a slope: it holds below the angle of friction and slides above it, whichever way it is turned",
        source: "Taut; Coulomb's law",
        parameters: vec![
            Parameter::number("slope", "deg", 30.0, (0.0, 80.0), "angle of the slope"),
            Parameter::number("azimuth", "deg", 0.0, (-360.0, 360.0), "turn of the box about the normal"),
            Parameter::number("friction", "", 0.5, (0.0, 10.0), "coefficient of friction along the grain"),
            Parameter::number("across", "", 0.5, (0.0, 10.0), "coefficient of friction across the grain"),
            Parameter::number("grain", "deg", 0.0, (-360.0, 360.0), "direction of the grain from the steepest descent"),
        ],
        dt: 0.005,
        time: 1.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let mut world = World::new();
    world.set_options(Options { sleep: false, ..Options::default() })?;
    // Down the slope is its own +x.
    let slope = crate::rotation::rotation(Vec3::Z, -p.number("slope").to_radians());
    let ground = world.ground();
    let grain = crate::rotation::rotation(Vec3::Y, p.number("grain").to_radians()) * Vec3::X;
    let material =
        Material::new(0.0, 0.0).elliptic(p.number("friction"), p.number("across"), grain).combined(Combine::Max);
    world.add(Collider::new(Shape::ground()).rotated(slope).of(material).named("slope").on(ground))?;
    let turn = slope * crate::rotation::rotation(Vec3::Y, p.number("azimuth").to_radians());
    let block = Block { half: HALF, mass: 1.0, friction: 0.0 };
    let follow = block.add(&mut world, slope * (HALF.y * Vec3::Y), turn, "box".into())?;
    Ok(Scene { world, length: 1.0, energy_scale: G, follow, window: 0.5, edges: Vec::new(), drive: None })
}

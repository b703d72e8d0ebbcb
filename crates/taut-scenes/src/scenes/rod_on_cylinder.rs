//! An inextensible rod draped over a cylinder with friction, a load at its tip (talk of the authors of Tournier 2015: Gauss-Seidel on
//! all rows beside bilateral rows in the factorisation).
//!
//! From the talk: 20 cm, 1.5 g, 100 unknowns. Chosen here: 33 particles of radius 1 mm, the first hung from the origin; a cylinder
//! whose surface, grown by that radius, has 2 cm; friction 0.3; tip load 0 to 0.5 kg; step 0.01 s. The rod starts level, a tenth of
//! a millimetre above the cylinder under its middle, and falls on either side of it.

use super::parts::{G, Strand, strand_from};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::{Collider, Result, Shape, Vec3, World};

/// Radius of the particles, m.
const THICK: f64 = 0.001;
/// Between rod and cylinder at the start, m.
const ABOVE: f64 = 1e-4;
/// Groups: the rod meets the cylinder and not itself.
const ROD: u32 = 1;
const CYLINDER: u32 = 2;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "rod-on-cylinder",
        summary: "20 cm and 1.5 g of inextensible rod over a cylinder with friction, a load of up to 500 g at its tip",
        source: "talk of the authors of Tournier 2015: Gauss-Seidel beside factorised bilateral rows",
        parameters: vec![
            Parameter::count("segments", 33, (2, 10_000), "distance constraints"),
            Parameter::number("load", "kg", 0.05, (0.0, 1e9), "mass at the tip"),
            Parameter::number("mass", "kg", 1.5e-3, (1e-9, 1e6), "mass of the rod"),
            Parameter::number("length", "m", 0.2, (0.05, 100.0), "length of the rod"),
            Parameter::number("radius", "m", 0.02, (0.005, 10.0), "radius of the cylinder, with that of the rod"),
            Parameter::number("friction", "", 0.3, (0.0, 10.0), "coefficient of friction"),
            Parameter::number("oblique", "deg", 0.0, (-60.0, 60.0), "direction of the rod from square to the cylinder"),
        ],
        dt: 0.01,
        time: 1.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let (n, length, mass, load) = (p.count("segments"), p.number("length"), p.number("mass"), p.number("load"));
    let turn = crate::rotation::rotation(Vec3::Y, p.number("oblique").to_radians());
    let mut world = World::new();
    let line = Strand { along: turn * Vec3::X, n, length, mass, load, compliance: 0.0, kick: 0.0 };
    let from = world.ground();
    let (particles, edges) = strand_from(&mut world, &line, from)?;
    for &b in &particles {
        let skin = Collider::new(Shape::ball(THICK)).friction(p.number("friction")).grouped(ROD, CYLINDER);
        world.add(skin.on(b))?;
    }
    let middle = 0.5 * length * line.along - (p.number("radius") + ABOVE) * Vec3::Y;
    let cylinder = Collider::new(Shape::cylinder(length, p.number("radius") - THICK))
        .at(middle)
        .rotated(crate::rotation::rotation(Vec3::X, std::f64::consts::FRAC_PI_2))
        .friction(p.number("friction"))
        .grouped(CYLINDER, ROD);
    world.add(cylinder.named("cylinder").on(from))?;
    let follow = particles[particles.len() - 1];
    Ok(Scene { world, length, energy_scale: G * (load + 0.5 * mass) * length, follow, window: 0.5, edges, drive: None })
}

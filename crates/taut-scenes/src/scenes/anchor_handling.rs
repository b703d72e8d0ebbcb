//! An anchor handler: a winch with a render limit holds, lowers and hauls an anchor on a heavy wire in deep water.
//!
//! From the specification of running cables: winch of 300 t, wire of 77 mm and 25 kg/m, depth 400 m, anchor 15 t, vessel of 5000 t that heaves by
//! 2 m in 8 s. Chosen here: a hull of 1440 m^2 at the water, kept on its place by its propellers and free to heave; waves of 1.8 m, which make it
//! heave by 2 m; a drum of 1.5 m and a stern roller. The vessel floats, and is not driven along a path: what the wire pulls at 300 t moves it by
//! 0.2 m. Wire and anchor weigh in water what is left of their weight there, and drag through it.

use super::parts::G;
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Drive, Scene, SceneInfo};
use taut::field::{Exposure, Form, Water, Wave};
use taut::{Body, MassProperties, Prismatic, Result, Rope, Sheave, Vec3, Winch, Winding, World};

/// Density of sea water and of steel, kg/m^3.
pub(crate) const SEA: f64 = 1025.0;
pub(crate) const STEEL: f64 = 7850.0;
/// Area of the waterplane, m^2, and its second moments, m^4.
const AREA: f64 = 80.0 * 18.0;
const MOMENTS: [f64; 2] = [80.0 * 18.0 * 18.0 * 18.0 / 12.0, 18.0 * 80.0 * 80.0 * 80.0 / 12.0];
/// Damping of heave by the waves that the hull makes, N s/m: an eighth of critical.
const RADIATES: f64 = 2e6;
/// Radius of the drum and of the stern roller, m, and where they are above the water at rest, m.
pub(crate) const DRUM: f64 = 1.5;
const ROLLER: f64 = 1.0;
pub(crate) const DECK: f64 = 4.0;
/// Inertia of the drum, kg m^2.
const INERTIA: f64 = 4e4;
/// How far above the bed a free anchor hangs, m.
const CLEAR: f64 = 5.0;
/// The winch holds for so long, s, then hauls for so long, and then pays out.
const HOLDS: f64 = 10.0;
const HAULS: f64 = 20.0;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "anchor-handling",
        summary: "a winch with a render limit on a heaving vessel, 400 m of heavy wire, and an anchor",
        source: "made for Taut",
        parameters: vec![
            Parameter::choice(
                "anchor",
                &["hangs", "holds"],
                "whether it hangs free and is held, hauled and lowered, or is stuck in the bed and hauled at until the winch renders",
            ),
            Parameter::number("mass", "kg", 15e3, (10.0, 1e6), "of the anchor"),
            Parameter::number("depth", "m", 400.0, (20.0, 4000.0), "of the water"),
            Parameter::number("segment", "m", 0.5, (0.05, 20.0), "length of a piece of the wire"),
            Parameter::number("diameter", "m", 0.077, (0.001, 0.2), "of the wire"),
            Parameter::number("wire", "kg/m", 25.0, (0.01, 500.0), "mass of a metre of it"),
            Parameter::number("wave", "m", 1.8, (0.0, 20.0), "height of the waves"),
            Parameter::number("period", "s", 8.0, (2.0, 30.0), "of the waves"),
            Parameter::number("render", "kg", 300e3, (1e3, 1e7), "what the winch renders at"),
            Parameter::number("speed", "m/s", 1.0, (0.0, 5.0), "of hauling"),
        ],
        dt: 1.0 / 60.0,
        time: 60.0,
        build,
    }
}

/// A vessel that floats as it is, with what keeps it on its place.
fn vessel(world: &mut World) -> Result<taut::BodyId> {
    let mass = 5e6;
    let draught = mass / (SEA * AREA);
    let form = Form::Prism { bottom: -draught * Vec3::Y, height: 12.0, area: AREA, moments: MOMENTS };
    let hull = MassProperties::cuboid(100.0, Vec3::new(40.0, 5.0, 9.0))?.with_mass(mass)?;
    let exposure = Exposure { form, ..Exposure::default() }.viscous(RADIATES, 0.0);
    let hull = world.add(Body::dynamic(hull).exposed(exposure).at(-30.0 * Vec3::X).named("vessel"))?;
    let ground = world.ground();
    world.add(Prismatic::between(hull, ground).axis(Vec3::Y).named("propellers"))?;
    Ok(hull)
}

fn build(p: &Parameters) -> Result<Scene> {
    let mut world = World::new();
    // From still water upwards.
    let (height, period) = (p.number("wave"), p.number("period"));
    let mut sea = Water::still(0.0).density(SEA);
    if height > 0.0 {
        sea = sea.wave(Wave { height, period, direction: Vec3::X, phase: std::f64::consts::FRAC_PI_2 });
    }
    world.set_water(Some(sea))?;
    let hull = vessel(&mut world)?;
    let winch = Winch::on(hull, Vec3::new(-12.0, DECK + 2.0, 0.0), Vec3::Z, DRUM).inertia(INERTIA).named("winch");
    let winch = world.add(winch)?;
    let holds = p.choice("anchor") == "holds";
    let depth = p.number("depth");
    let below = Vec3::new(ROLLER, if holds { -depth } else { CLEAR - depth }, 0.0);
    let mass = p.number("mass");
    let radius = libm::cbrt(0.75 * mass / STEEL / std::f64::consts::PI);
    let anchor = Body::particle(mass).exposed(Exposure::ball(radius)).at(below).named("anchor");
    let anchor = if holds { world.ground() } else { world.add(anchor)? };
    let roller = Sheave::on(hull, Vec3::new(0.0, DECK, 0.0), Vec3::Z, ROLLER).keeper(true);
    let wire = Rope::from_drum(world.drum(winch)?.over()).over(roller).to(anchor, below).diameter(p.number("diameter"));
    let wire = wire.collides(false).named("wire").massive(p.number("wire")).segment(p.number("segment"));
    world.add(wire.stored(0.5 * depth))?;
    let (render, speed) = (G * p.number("render"), p.number("speed"));
    let drive = Drive::new(move |world, _| {
        let t = world.time();
        let speed = if holds || (HOLDS..HOLDS + HAULS).contains(&t) {
            speed
        } else if t < HOLDS {
            0.0
        } else {
            -speed
        };
        world.set_winch(winch, Winding::Haul { speed, force: render })
    });
    let energy_scale = G * (mass + depth * p.number("wire")) * depth;
    let follow = if holds { hull } else { anchor };
    Ok(Scene { world, length: depth, energy_scale, follow, window: 1.0, edges: Vec::new(), drive: Some(drive) })
}

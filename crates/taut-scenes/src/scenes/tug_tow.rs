//! A tug tows a barge at sea on a wire that sags between them, with a winch that renders and recovers.
//!
//! From the specification of running cables: tug 500 t with a bollard pull of 80 t, tow 20,000 t, 400 m of wire of 60 mm with a pennant of 200 m,
//! a winch that renders at 120 t and recovers at 60 t. Chosen here: hulls of 300 and 3600 m^2 at the water, which heave and surge, and of which the tug pitches; head seas of
//! 3 m and 8 s; wire as heavy for its section as that of `anchor-handling`, 15.2 kg/m; a shackle of 500 kg between wire and pennant.

use super::anchor_handling::SEA;
use super::parts::G;
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Drive, Scene, SceneInfo};
use taut::field::{Exposure, Form, Water, Wave};
use taut::{Body, BodyId, Locks, MassProperties, Result, Rope, Vec3, Winch, Winding, World};

/// Mass of a metre of wire over the square of its diameter, kg/m^3: 25 kg/m at 77 mm.
const WIRE: f64 = 25.0 / (0.077 * 0.077);
/// Radius of the drum, m, and inertia of drum, gear and motor, kg m^2.
pub(crate) const DRUM: f64 = 0.8;
const INERTIA: f64 = 8e3;
/// Height of the drum and of the bitts of the tow above the water, m.
const HEIGHT: f64 = 3.0;
/// Mass of the shackle, kg.
const SHACKLE: f64 = 500.0;
/// Length of a hull, m, from which on it does not pitch: that of waves of 8 s.
const LONG: f64 = 100.0;
/// Linear resistance of a hull over its mass, 1/s: that of the waves it makes.
const RADIATES: f64 = 0.15;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "tug-tow",
        summary: "a tug tows a barge through waves on a heavy wire from a winch that renders and recovers",
        source: "made for Taut",
        parameters: vec![
            Parameter::number("tug", "kg", 500e3, (1e3, 1e8), "mass of the tug"),
            Parameter::number("pull", "kg", 80e3, (0.0, 1e7), "bollard pull"),
            Parameter::number("tow", "kg", 20e6, (1e3, 1e9), "mass of the tow"),
            Parameter::number("wire", "m", 400.0, (20.0, 2000.0), "of wire out at the start"),
            Parameter::number("pennant", "m", 200.0, (10.0, 1000.0), "of wire between shackle and tow"),
            Parameter::number("diameter", "m", 0.06, (0.01, 0.2), "of both"),
            Parameter::number("segment", "m", 2.0, (0.2, 20.0), "length of a piece of them"),
            Parameter::choice("pieces", &["even", "adaptive"], "whether there are fewer where they are tight"),
            Parameter::number("render", "kg", 120e3, (1e3, 1e7), "what the winch renders at"),
            Parameter::number("recover", "kg", 60e3, (0.0, 1e7), "what it recovers at"),
            Parameter::number("wave", "m", 3.0, (0.0, 20.0), "height of the waves"),
            Parameter::number("period", "s", 8.0, (2.0, 30.0), "of the waves"),
        ],
        dt: 1.0 / 60.0,
        time: 60.0,
        build,
    }
}

/// A hull that floats as it is at a place along the way, so long, wide and deep, m.
fn hull(world: &mut World, name: &str, mass: f64, x: f64, (length, width): (f64, f64)) -> Result<BodyId> {
    let area = length * width;
    let draught = mass / (SEA * area);
    let moments = [length * width * width * width / 12.0, width * length * length * length / 12.0];
    let form = Form::Prism { bottom: -draught * Vec3::Y, height: 4.0 * draught, area, moments };
    let properties = MassProperties::cuboid(100.0, Vec3::new(0.5 * length, 2.0 * draught, 0.5 * width))?;
    let exposure = Exposure { form, ..Exposure::default() };
    // Streamlined along its way.
    let areas = Vec3::new(0.3 * width * draught, area, length * draught);
    let exposure = exposure.areas(areas).viscous(RADIATES * mass, RADIATES * mass * length * length / 12.0);
    // Kept on its course by its rudder. One that is longer than the waves does not pitch in them, which a plane of water under it would not know.
    let locks = Locks { linear: [false, false, true], angular: [true, true, length > LONG] };
    world.add(Body::dynamic(properties.with_mass(mass)?).exposed(exposure).locked(locks).at(x * Vec3::X).named(name))
}

fn build(p: &Parameters) -> Result<Scene> {
    let mut world = World::new();
    let (height, period) = (p.number("wave"), p.number("period"));
    let mut sea = Water::still(0.0).density(SEA);
    if height > 0.0 {
        // From ahead, and from still water upwards where the tow is.
        sea = sea.wave(Wave { height, period, direction: -Vec3::X, phase: std::f64::consts::FRAC_PI_2 });
    }
    world.set_water(Some(sea))?;
    let (wire, pennant) = (p.number("wire"), p.number("pennant"));
    let (long, short) = ((120.0, 30.0), (30.0, 10.0));
    let tow = hull(&mut world, "tow", p.number("tow"), -0.5 * long.0, long)?;
    let aft = wire + pennant + DRUM;
    let tug = hull(&mut world, "tug", p.number("tug"), aft + 0.5 * short.0, short)?;
    let winch = Winch::on(tug, Vec3::new(aft, HEIGHT, 0.0), Vec3::Z, DRUM).inertia(INERTIA).mass(2e4).named("winch");
    let winch = world.add(winch)?;
    let (bitts, middle) = (HEIGHT * Vec3::Y, Vec3::new(pennant, HEIGHT + DRUM, 0.0));
    let shackle = world.add(Body::particle(SHACKLE).at(middle).exposed(Exposure::ball(0.25)).named("shackle"))?;
    let diameter = p.number("diameter");
    let heavy = |rope: taut::Reeving| {
        let rope = rope.diameter(diameter).collides(false).massive(WIRE * diameter * diameter);
        let rope = rope.segment(p.number("segment"));
        if p.choice("pieces") == "adaptive" { rope.adaptive() } else { rope }
    };
    let line = Rope::from_drum(world.drum(winch)?.over()).to(shackle, middle).named("wire");
    world.add(heavy(line).stored(0.5 * wire))?;
    world.add(heavy(Rope::from(tow, bitts).to(shackle, middle).named("pennant")))?;
    let keep = Winding::Keep { recover: G * p.number("recover"), render: G * p.number("render"), speed: 0.5 };
    world.set_winch(winch, keep)?;
    let pull = G * p.number("pull") * Vec3::X;
    let drive = Drive::new(move |world, _| {
        let at = world.body(tug)?.position();
        world.apply_force(tug, pull, at)
    });
    let energy_scale = G * p.number("pull") * (wire + pennant);
    Ok(Scene {
        world,
        length: wire + pennant,
        energy_scale,
        follow: tug,
        window: 1.0,
        edges: Vec::new(),
        drive: Some(drive),
    })
}

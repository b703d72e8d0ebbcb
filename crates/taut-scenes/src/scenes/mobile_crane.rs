//! A mobile crane with all its ropes reeved: hoist rope of four parts, luffing rope of eight, both on winches, on a deck that slews.
//!
//! From the specification of running cables: load 20 t, block 350 kg, boom 30 m and 8 t at 65 degrees, drums of
//! 0.3 m (rope of 22 mm with `diameter=0.022`, which bounces at first: it is not stretched at the start); hoist 0.25 m/s. Chosen here: deck of 20 t, gantry 6 m high, sheaves of 0.25 m. It hangs for 4 s, hoists for 4 s, slews for
//! 4 s, luffs for 4 s, and lowers.

use super::parts::{G, pointing, square_bar};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Drive, Scene, SceneInfo};
use taut::{
    Ball, Body, BodyId, Command, Hinge, MassProperties, Motor, Result, Rope, Sheave, Vec3, Winch, WinchId, World,
};

const BOOM: f64 = 30.0;
const FOOT: Vec3 = Vec3::new(1.5, 2.5, 0.0);
const GANTRY: Vec3 = Vec3::new(-3.0, 7.0, 0.0);
const R: f64 = 0.25;
/// Seconds of each part of the run.
const PART: f64 = 4.0;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "mobile-crane",
        summary: "20 t on a hoist rope of four parts and a luffing rope of eight, hoisted, slewed, luffed, lowered",
        source: "made for Taut",
        parameters: vec![
            Parameter::number("load", "kg", 2e4, (1.0, 1e7), "mass of the load"),
            Parameter::number("block", "kg", 350.0, (1e-3, 1e6), "mass of the hook block"),
            Parameter::number("boom", "kg", 8e3, (1.0, 1e7), "mass of the boom"),
            Parameter::number("elevation", "deg", 65.0, (20.0, 80.0), "of the boom at the start"),
            Parameter::number("line", "m", 20.0, (2.0, 28.0), "from the tip to the block at the start"),
            Parameter::number(
                "diameter",
                "m",
                0.0,
                (0.0, 0.1),
                "of the ropes, which give like steel wire of that; 0: they do not",
            ),
            Parameter::number("efficiency", "", 1.0, (0.5, 1.0), "of each sheave"),
            Parameter::number("hoist", "m/s", 0.25, (0.0, 2.0), "speed of the hook"),
            Parameter::number("slew", "rad/s", 0.1, (0.0, 1.0), "speed of slewing"),
        ],
        dt: 1.0 / 60.0,
        time: 20.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let mut world = World::new();
    let ground = world.ground();
    let deck = MassProperties::cuboid(100.0, Vec3::new(4.0, 1.0, 1.5))?.with_mass(2e4)?;
    let deck = world.add(Body::dynamic(deck).at(2.0 * Vec3::Y).named("deck"))?;
    let slew = Hinge::between(deck, ground).at(Vec3::ZERO).axis(Vec3::Y).motor(Motor::rate().speed(0.0));
    let slew = world.add(slew.named("slew"))?;
    let a = p.number("elevation").to_radians();
    let along = Vec3::new(libm::cos(a), libm::sin(a), 0.0);
    let tip = FOOT + BOOM * along;
    let boom = Body::dynamic(square_bar(p.number("boom"), BOOM, 1.2)?).at(FOOT + 0.5 * BOOM * along);
    let boom = world.add(boom.rotated(pointing(along)).named("boom"))?;
    world.add(Hinge::between(boom, deck).at(FOOT).axis(Vec3::Z).named("foot"))?;
    let (block, load) = hook(&mut world, p, tip)?;
    let [hoist, luff] = ["hoist", "luff"];
    let winch = |world: &mut World, x: f64, name: &str| {
        world.add(Winch::on(deck, Vec3::new(x, 3.5, 0.0), Vec3::Z, 0.3).inertia(20.0).named(name))
    };
    let (hoist, luff) = (winch(&mut world, -1.0, hoist)?, winch(&mut world, -2.2, luff)?);
    let eta = p.number("efficiency");
    let over = |body: BodyId, at: Vec3| Sheave::on(body, at, Vec3::Z, R).efficiency(eta).against();
    let bend = |rope: taut::Reeving| match p.number("diameter") {
        0.0 => rope,
        d => rope.diameter(d),
    };
    let head = tip - 0.5 * along;
    // Round the hook block twice: four parts.
    let line = tip.y - p.number("line");
    let below = Vec3::new(tip.x, line, 0.0);
    let rope = Rope::from_drum(world.drum(hoist)?.against()).round(over(boom, tip)).round(over(block, below));
    let rope = rope.round(over(boom, tip)).round(over(block, below)).to(boom, tip - R * Vec3::X);
    world.add(bend(rope).named("hoist rope"))?;
    // Between gantry and boom: eight parts.
    let mut rope = Rope::from_drum(world.drum(luff)?.against()).round(over(deck, GANTRY));
    for k in 0..4 {
        rope = rope.round(over(boom, head));
        if k < 3 {
            rope = rope.round(over(deck, GANTRY));
        }
    }
    world.add(bend(rope.to(deck, GANTRY - R * Vec3::Y)).named("luffing rope"))?;
    let rates = Rates::of(&world, [hoist, luff], p)?;
    let drive = Drive::new(move |world, _| {
        let part = (world.time() / PART) as usize;
        let told = |on: bool, rate: f64| Command::rate(if on { rate } else { 0.0 });
        world.set_motor(hoist.hinge, Command::rate([0.0, rates.hoist, 0.0, 0.0, -rates.hoist][part.min(4)]))?;
        world.set_motor(slew, told(part == 2, rates.slew))?;
        world.set_motor(luff.hinge, told(part == 3, rates.luff))
    });
    let energy_scale = G * (p.number("load") + p.number("block")) * 8.0;
    Ok(Scene { world, length: BOOM, energy_scale, follow: load, window: 1.0, edges: Vec::new(), drive: Some(drive) })
}

/// Rates of the motors, rad/s.
#[derive(Clone, Copy)]
struct Rates {
    hoist: f64,
    luff: f64,
    slew: f64,
}

impl Rates {
    fn of(world: &World, [hoist, luff]: [WinchId; 2], p: &Parameters) -> Result<Self> {
        let hoist = world.winch_rate(hoist, 4.0 * p.number("hoist"))?;
        Ok(Rates { hoist, luff: world.winch_rate(luff, 0.4)?, slew: p.number("slew") })
    }
}

/// The hook block under the tip, with the load on a short sling.
fn hook(world: &mut World, p: &Parameters, tip: Vec3) -> Result<(BodyId, BodyId)> {
    let at = Vec3::new(tip.x, tip.y - p.number("line"), 0.0);
    let block = MassProperties::cuboid(100.0, Vec3::new(0.3, 0.5, 0.2))?.with_mass(p.number("block"))?;
    let block = world.add(Body::dynamic(block).at(at - 0.4 * Vec3::Y).named("block"))?;
    let load = MassProperties::cuboid(100.0, Vec3::new(1.5, 1.0, 1.0))?.with_mass(p.number("load"))?;
    let load = world.add(Body::dynamic(load).at(at - 3.0 * Vec3::Y).named("load"))?;
    world.add(Ball::between(block, load).at(at - 1.5 * Vec3::Y).named("sling"))?;
    Ok((block, load))
}

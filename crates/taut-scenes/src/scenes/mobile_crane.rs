//! A mobile crane with all its ropes reeved: hoist rope of four parts, luffing rope of eight, both on winches, on a deck that slews.
//!
//! From the specification of running cables: load 20 t, block 350 kg, boom 30 m and 8 t at 65 degrees, drums of
//! 0.3 m, ropes of 22 mm; hoist 0.25 m/s, luff 1 degree/s, slew 1 turn a minute. Chosen here: deck of 20 t, gantry 6 m high, sheaves of
//! 0.25 m, a sling that only pulls, motors that take a second to their speed. It hangs, hoists, slews, luffs, sets its load down on the
//! ground until the sling is slack, and lifts it off again. The ropes are stretched at the start by what they carry.

use super::parts::{Block, G, floor, pointing, square_bar};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Drive, Scene, SceneInfo};
use taut::{
    Body, BodyId, Command, Hinge, JointId, MassProperties, Motor, Quat, Result, Rope, Sheave, Vec3, Winch, WinchId,
    World,
};

const BOOM: f64 = 30.0;
const FOOT: Vec3 = Vec3::new(1.5, 2.5, 0.0);
const GANTRY: Vec3 = Vec3::new(-3.0, 7.0, 0.0);
const R: f64 = 0.25;
/// Half the edges of the load, m.
const HALF: Vec3 = Vec3::new(1.5, 1.0, 1.0);
/// Length of its sling, m.
const SLING: f64 = 1.5;
/// How long a motor takes to its speed, s. Those of slew and luff take as long as the load swings once, so that it does not swing after them.
const RAMP: f64 = 1.0;
const SWING: f64 = 10.3;
/// When a motor begins to run, and to stop, s: hoisting, slewing, luffing, lowering, lifting off.
const HOISTS: [f64; 2] = [1.0, 4.0];
const SLEWS: [f64; 2] = [6.0, 16.3];
const LUFFS: [f64; 2] = [12.0, 22.3];
const LOWERS: [f64; 2] = [34.0, 47.0];
pub(crate) const LIFTS: [f64; 2] = [50.0, 56.0];

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "mobile-crane",
        summary: "20 t on a hoist rope of four parts and a luffing rope of eight: hoisted, slewed, luffed, set down, lifted off",
        source: "made for Taut",
        parameters: vec![
            Parameter::number("load", "kg", 2e4, (1.0, 1e7), "mass of the load"),
            Parameter::number("block", "kg", 350.0, (1e-3, 1e6), "mass of the hook block"),
            Parameter::number("boom", "kg", 8e3, (1.0, 1e7), "mass of the boom"),
            Parameter::number("elevation", "deg", 65.0, (20.0, 80.0), "of the boom at the start"),
            Parameter::number("height", "m", 1.0, (0.1, 15.0), "of the load over the ground at the start"),
            Parameter::number(
                "diameter",
                "m",
                0.022,
                (0.0, 0.1),
                "of the ropes, which give like steel wire of that; 0: they do not",
            ),
            Parameter::number("efficiency", "", 1.0, (0.5, 1.0), "of each sheave"),
            Parameter::number("hoist", "m/s", 0.25, (0.0, 2.0), "speed of the hook"),
            Parameter::number("slew", "rad/s", 0.105, (0.0, 1.0), "speed of slewing"),
            Parameter::number("luff", "m/s", 0.35, (0.0, 2.0), "speed of the luffing rope on its drum"),
        ],
        dt: 1.0 / 60.0,
        time: 60.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let crane = Crane::hanging(p, None)?;
    let rates = Rates::of(&crane, p)?;
    let Crane { world, hoist, luff, slew, load } = crane;
    let drive = Drive::new(move |world, h| {
        let now = world.time() + 0.5 * h;
        let hook = speed(HOISTS, RAMP, now) - speed(LOWERS, RAMP, now) + speed(LIFTS, RAMP, now);
        world.set_motor(hoist.hinge, Command::rate(rates.hoist * hook))?;
        world.set_motor(slew, Command::rate(rates.slew * speed(SLEWS, SWING, now)))?;
        world.set_motor(luff.hinge, Command::rate(rates.luff * speed(LUFFS, SWING, now)))
    });
    let energy_scale = G * (p.number("load") + p.number("block")) * 8.0;
    Ok(Scene { world, length: BOOM, energy_scale, follow: load, window: 1.0, edges: Vec::new(), drive: Some(drive) })
}

/// Part of its speed that a motor has at a time, with ramps up from the first time and down from the second.
fn speed([from, to]: [f64; 2], ramp: f64, now: f64) -> f64 {
    ((now - from) / ramp).clamp(0.0, 1.0) - ((now - to) / ramp).clamp(0.0, 1.0)
}

/// The parts of the crane that are driven, and its load.
pub(super) struct Crane {
    pub world: World,
    pub hoist: WinchId,
    pub luff: WinchId,
    pub slew: JointId,
    pub load: BodyId,
}

impl Crane {
    /// With ropes that are stretched by what they carry, and stops of the boom at these elevations, degrees.
    pub fn hanging(p: &Parameters, stops: Option<[f64; 2]>) -> Result<Self> {
        // What that is is found on a crane whose ropes do not give.
        let mut still = Crane::new(p, None, stops)?;
        still.world.step(1e-3)?;
        let carried = [0, 1].map(|k| still.world.ropes().nth(k).map_or(0.0, |r| r.tension()));
        Crane::new(p, Some(carried), stops)
    }

    /// With ropes that carry these tensions at the start, N; none: they do not give.
    fn new(p: &Parameters, carried: Option<[f64; 2]>, stops: Option<[f64; 2]>) -> Result<Self> {
        let mut world = World::new();
        let ground = world.ground();
        floor(&mut world, 0.0, 0.6)?;
        let deck = MassProperties::cuboid(100.0, Vec3::new(4.0, 1.0, 1.5))?.with_mass(2e4)?;
        let deck = world.add(Body::dynamic(deck).at(2.0 * Vec3::Y).named("deck"))?;
        let slew = Hinge::between(deck, ground).at(Vec3::ZERO).axis(Vec3::Y).motor(Motor::rate().speed(0.0));
        let slew = world.add(slew.named("slew"))?;
        let a = p.number("elevation").to_radians();
        let along = Vec3::new(libm::cos(a), libm::sin(a), 0.0);
        let tip = FOOT + BOOM * along;
        let boom = Body::dynamic(square_bar(p.number("boom"), BOOM, 1.2)?).at(FOOT + 0.5 * BOOM * along);
        let boom = world.add(boom.rotated(pointing(along)).named("boom"))?;
        let foot = Hinge::between(boom, deck).at(FOOT).axis(Vec3::Z).named("foot");
        world.add(match stops {
            Some([low, high]) => foot.limit(low.to_radians() - a, high.to_radians() - a),
            None => foot,
        })?;
        // Above each other: load, sling, block, its sheaves.
        let top = p.number("height") + 2.0 * HALF.y;
        let below = Vec3::new(tip.x, top + SLING + 1.0, 0.0);
        let (block, load) = hook(&mut world, p, below)?;
        let winch = |world: &mut World, x: f64, name: &str| {
            world.add(Winch::on(deck, Vec3::new(x, 3.5, 0.0), Vec3::Z, 0.3).inertia(20.0).named(name))
        };
        let (hoist, luff) = (winch(&mut world, -1.0, "hoist")?, winch(&mut world, -2.2, "luff")?);
        let eta = p.number("efficiency");
        let over = |body: BodyId, at: Vec3| Sheave::on(body, at, Vec3::Z, R).efficiency(eta).against();
        // Round the hook block twice: four parts.
        let rope = Rope::from_drum(world.drum(hoist)?.against()).round(over(boom, tip)).round(over(block, below));
        let rope = rope.round(over(boom, tip)).round(over(block, below)).to(boom, tip - R * Vec3::X);
        // Between gantry and boom: eight parts.
        let head = tip - 0.5 * along;
        let mut stay = Rope::from_drum(world.drum(luff)?.against()).round(over(deck, GANTRY));
        for k in 0..4 {
            stay = stay.round(over(boom, head));
            if k < 3 {
                stay = stay.round(over(deck, GANTRY));
            }
        }
        let stay = stay.to(deck, GANTRY - R * Vec3::Y);
        for (k, rope) in [rope.named("hoist rope"), stay.named("luffing rope")].into_iter().enumerate() {
            let d = p.number("diameter");
            let Some(tension) = carried.map(|t| t[k]).filter(|_| d > 0.0) else {
                world.add(rope)?;
                continue;
            };
            let id = world.add(rope.clone())?;
            let length = world.rope(id)?.length();
            world.remove(id)?;
            let rope = rope.diameter(d);
            let strain = rope.stiffness.map_or(0.0, |ea| tension / ea);
            world.add(rope.slack(-length * strain / (1.0 + strain)))?;
        }
        Ok(Crane { world, hoist, luff, slew, load })
    }
}

/// Rates of the motors, rad/s.
#[derive(Clone, Copy)]
struct Rates {
    hoist: f64,
    luff: f64,
    slew: f64,
}

impl Rates {
    fn of(crane: &Crane, p: &Parameters) -> Result<Self> {
        let hoist = crane.world.winch_rate(crane.hoist, 4.0 * p.number("hoist"))?;
        let luff = crane.world.winch_rate(crane.luff, p.number("luff"))?;
        Ok(Rates { hoist, luff, slew: p.number("slew") })
    }
}

/// The hook block with its sheaves at a place, and the load below it on a sling that only pulls.
fn hook(world: &mut World, p: &Parameters, at: Vec3) -> Result<(BodyId, BodyId)> {
    let block = MassProperties::cuboid(100.0, Vec3::new(0.3, 0.5, 0.2))?.with_mass(p.number("block"))?;
    let block = world.add(Body::dynamic(block).at(at - 0.4 * Vec3::Y).named("block"))?;
    let eye = at - Vec3::Y;
    let top = eye - SLING * Vec3::Y;
    let load = Block { half: HALF, mass: p.number("load"), friction: 0.6 };
    let load = load.add(world, top - HALF.y * Vec3::Y, Quat::IDENTITY, "load".into())?;
    world.add(Rope::between(load, block).ends(top, eye).length(SLING).named("sling"))?;
    Ok((block, load))
}

//! A corkscrew with two arms draws a cork (named in the acknowledgments of Tournier 2015, without numbers).
//!
//! Chosen here: a worm of 8 mm a turn, a shank that is a rack for the pinions of two arms, a cork of 45 mm held by 150 N of friction, a ratchet of 24
//! teeth that keeps the worm from being pushed back out. The handle turns the worm into the cork, which raises the arms; then the arms are
//! pressed down and draw the cork with the force of their motors times arm over pinion.
//!
//! The lift of a rack is r times the angle of its pinion: a quarter turn of the arms lifts 45 mm with a pinion of 28.6 mm, which is the
//! default; one of 15 mm lifts 23.6 mm and would have to turn by 172 deg.

use super::parts::{G, rod};
use crate::drive::Drive;
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use std::f64::consts::{FRAC_PI_2, TAU};
use taut::{
    Body, Command, Coupling, Cylindrical, Freedom, Hinge, JointId, Limit, Motor, MotorId, Prismatic, Result, Screw,
    Vec3, World,
};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "corkscrew",
        summary: "a worm is turned into a cork, then two arms draw it by rack and pinion",
        source: "Tournier 2015, acknowledgments",
        parameters: vec![
            Parameter::number("pinion", "m", LIFT / FRAC_PI_2, (0.005, 0.05), "radius of the pinions"),
            Parameter::number("friction", "N", 150.0, (0.0, 1e4), "of the cork in the neck of the bottle"),
            Parameter::number("pitch", "m", 0.008, (0.001, 0.05), "of the worm"),
            Parameter::choice("ratchet", &["on", "off"], "whether the worm can be pushed back"),
        ],
        dt: 0.005,
        time: DRAWN + 0.5,
        build,
    }
}

/// What a quarter turn of the arms lifts by default, m: the length of a cork.
pub(crate) const LIFT: f64 = 0.045;
/// Length of an arm from its pivot to the hand, m.
pub(crate) const ARM: f64 = 0.12;
/// Masses of the cork, of the shank with its handle, and of an arm, kg.
const CORK: f64 = 0.005;
const SHANK: f64 = 0.06;
const ARM_MASS: f64 = 0.04;
/// Teeth of the ratchet on a turn.
const TEETH: f64 = 24.0;
/// Until when the worm is turned in, and until when the cork is drawn, s; a rest between.
const TURNED: f64 = 3.0;
pub(crate) const PRESSED: f64 = 3.5;
pub(crate) const DRAWN: f64 = 5.5;
/// What the hands can give at most: torque on the handle and on an arm, N m.
const HANDLE: f64 = 20.0;
const HAND: f64 = 200.0;

fn build(p: &Parameters) -> Result<Scene> {
    let (radius, pitch) = (p.number("pinion"), p.number("pitch"));
    let mut world = World::new();
    let ground = world.ground();
    // The neck of the bottle stands on the origin; the lower end of the shank is at its mouth.
    let cork = world.add(Body::dynamic(rod(CORK, LIFT, 0.012)?).at(-0.5 * LIFT * Vec3::Y).named("cork"))?;
    let neck = Prismatic::between(cork, ground).axis(Vec3::Y).friction(p.number("friction"));
    world.add(neck.named("neck"))?;
    let shank = world.add(Body::dynamic(rod(SHANK, 0.16, 0.006)?).at(0.08 * Vec3::Y).named("shank"))?;
    let handle = Motor::rate().on(Freedom::Turn).limited(HANDLE).named("handle");
    let mut guide = Cylindrical::between(shank, ground).axis(Vec3::Y).motor(handle).named("guide");
    let ratchet = p.choice("ratchet") == "on";
    if ratchet {
        // A left-handed count: turning in lowers the shank.
        guide = guide.stop(Limit::new(f64::NEG_INFINITY, 0.0).on(Freedom::Turn));
    }
    let guide = world.add(guide)?;
    let worm = world.add(Cylindrical::between(shank, cork).axis(Vec3::Y).named("worm"))?;
    world.add(Screw::on(worm).pitch(pitch).named("thread"))?;
    let arms = [arm(&mut world, guide, -1.0, radius)?, arm(&mut world, guide, 1.0, radius)?];
    let speed = (-FRAC_PI_2 * radius / pitch * TAU / TURNED, FRAC_PI_2 / (DRAWN - PRESSED));
    let handle = world.find_motor("handle")?;
    let drive = Drive::new(move |world: &mut World, _| {
        if ratchet {
            follow(world, guide)?;
        }
        act(world, handle, &arms, speed)
    });
    let energy_scale = p.number("friction").max(1.0) * LIFT;
    Ok(Scene { world, length: ARM, energy_scale, follow: cork, window: 0.5, edges: Vec::new(), drive: Some(drive) })
}

/// An arm on its pivot beside the shank, hanging down at the start; `side`: -1 or 1 along x.
fn arm(world: &mut World, guide: JointId, side: f64, radius: f64) -> Result<MotorId> {
    let ground = world.ground();
    let pivot = Vec3::new(side * radius, 0.12, 0.0);
    let name = if side < 0.0 { "left arm" } else { "right arm" };
    let body = world.add(Body::dynamic(rod(ARM_MASS, ARM, 0.006)?).at(pivot - 0.5 * ARM * Vec3::Y).named(name))?;
    // Gears of either side turn opposite ways; positive raises the arm.
    let motor = Motor::rate().limited(HAND).named(format!("{name} motor"));
    let hinge = world.add(Hinge::between(body, ground).at(pivot).axis(side * Vec3::Z).motor(motor).named(name))?;
    // Up with the arm is down with the rack.
    world.add(Coupling::new().term(guide, Freedom::Slide, 1.0).term(hinge, Freedom::Turn, radius).named(name))?;
    world.find_motor(&format!("{name} motor"))
}

/// The pawl falls behind the last tooth that has passed: the limit of the turn follows.
fn follow(world: &mut World, guide: JointId) -> Result<()> {
    let tooth = TAU / TEETH;
    let turn = world.joint(guide)?.position_of(Freedom::Turn);
    let passed = tooth * (turn / tooth).ceil();
    let now = world.joint(guide)?.limits().next().map_or(0.0, |l| l.upper);
    if passed < now {
        world.set_limit(guide, Limit::new(f64::NEG_INFINITY, passed).on(Freedom::Turn))?;
    }
    Ok(())
}

/// What the hands do: turn in, rest, press the arms down.
fn act(world: &mut World, handle: MotorId, arms: &[MotorId], (turn, press): (f64, f64)) -> Result<()> {
    let t = world.time();
    if t < TURNED {
        arms.iter().try_for_each(|&m| world.release_motor(m))?;
        return world.set_motor(handle, Command::rate(turn));
    }
    world.release_motor(handle)?;
    let rate = if (PRESSED..DRAWN).contains(&t) { -press } else { 0.0 };
    arms.iter().try_for_each(|&m| world.set_motor(m, Command::rate(rate)))
}

/// What the arms draw now, N: the cork by its thread, and the weight of the shank.
pub(crate) fn load(world: &World) -> Result<f64> {
    Ok(world.coupling(world.find_coupling("thread")?)?.force().abs() + SHANK * G)
}

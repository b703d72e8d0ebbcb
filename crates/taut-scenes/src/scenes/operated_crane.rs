//! The mobile crane for somebody to operate: nothing drives it but the hand, and there is something to do.
//!
//! The crane of `mobile_crane` with a load of 8 t. Its motors hold what they are told with what they have: a hoist of 30 kN in a rope of
//! four parts lifts half as much again as it carries, the luffing winch and the slewing ring take a second to their speeds. Around it
//! stand a platform to set the load down on, a wall to lift it over, and a stack of boxes to leave standing, or not.

use super::mobile_crane::Crane;
use super::parts::{Block, G};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::{Body, Collider, Command, Quat, Result, Shape, Vec3, Winding, World};

/// Most that the motors do: pulls of the winches, N, and torque of the slewing ring, N m.
const HOIST: f64 = 30e3;
const LUFF: f64 = 60e3;
const SLEW: f64 = 600e3;
/// Elevations at which the boom stops, degrees.
const STOPS: [f64; 2] = [20.0, 80.0];
/// How far the load hangs from the slewing axis at the start, m.
const REACH: f64 = 14.2;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "operated-crane",
        summary: "a crane to operate: slew, luff and hoist 8 t by sliders, keys or a gamepad, over a wall and onto a platform",
        source: "made for Taut",
        parameters: vec![
            Parameter::number("load", "kg", 8e3, (1.0, 1e5), "mass of the load"),
            Parameter::number("block", "kg", 350.0, (1e-3, 1e6), "mass of the hook block"),
            Parameter::number("boom", "kg", 8e3, (1.0, 1e6), "mass of the boom"),
            Parameter::number("elevation", "deg", 65.0, (30.0, 78.0), "of the boom at the start"),
            Parameter::number("height", "m", 0.5, (0.1, 15.0), "of the load over the ground at the start"),
            Parameter::number("diameter", "m", 0.022, (0.0, 0.1), "of the ropes, which give like steel wire of that"),
            Parameter::number("efficiency", "", 1.0, (0.5, 1.0), "of each sheave"),
            Parameter::number(
                "hoist_speed",
                "m/s",
                2.0,
                (0.0, 8.0),
                "full speed of the hoist rope on its drum, four times that of the hook",
            ),
            Parameter::number("slew_speed", "rad/s", 0.2, (0.0, 1.0), "full speed of slewing"),
            Parameter::number("luff_speed", "m/s", 0.6, (0.0, 4.0), "full speed of the luffing rope on its drum"),
        ],
        dt: 1.0 / 60.0,
        time: 20.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let Crane { mut world, hoist, luff, slew, load } = Crane::hanging(p, Some(STOPS))?;
    world.set_winch(hoist, Winding::Haul { speed: 0.0, force: HOIST })?;
    world.set_winch(luff, Winding::Haul { speed: 0.0, force: LUFF })?;
    world.set_force_range(slew, -SLEW, SLEW)?;
    world.set_motor(slew, Command::rate(0.0))?;
    site(&mut world)?;
    let energy_scale = G * (p.number("load") + p.number("block")) * 8.0;
    Ok(Scene { world, length: 30.0, energy_scale, follow: load, window: 1.0, edges: Vec::new(), drive: None })
}

/// What stands around the crane.
fn site(world: &mut World) -> Result<()> {
    let at = |degrees: f64, reach: f64| {
        let a = degrees.to_radians();
        Vec3::new(reach * libm::cos(a), 0.0, -reach * libm::sin(a))
    };
    let turned = |degrees: f64| Quat::from_rotation_y(degrees.to_radians());
    let mut standing = |name: &str, half: Vec3, degrees: f64, reach: f64| {
        let solid = Collider::new(Shape::cuboid(half)).friction(0.6);
        let body = Body::fixed().at(at(degrees, reach) + half.y * Vec3::Y).rotated(turned(degrees));
        world.add(body.collider(solid).named(name))
    };
    standing("wall", Vec3::new(3.0, 2.5, 0.25), 45.0, REACH)?;
    standing("platform", Vec3::new(3.0, 1.0, 3.0), 90.0, REACH)?;
    let half = Vec3::splat(0.6);
    for k in 0..9 {
        let (row, column) = (k / 3, k % 3);
        let place = at(-60.0, REACH) + Vec3::new(0.0, half.y * (2 * row + 1) as f64, 1.3 * (column as f64 - 1.0));
        Block { half, mass: 300.0, friction: 0.5 }.add(world, place, Quat::IDENTITY, format!("box {k}"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hand::Hand;

    fn crane() -> Scene {
        info().with(&[]).unwrap().0
    }

    /// Drives the motor of a name at a rate for some seconds; how far the load went, and the largest gap, m.
    fn driven(name: &str, rate: f64, seconds: f64) -> (Vec3, f64) {
        let mut scene = crane();
        let mut hand = Hand::default();
        hand.drive(scene.world.find_motor(name).unwrap(), Some(rate));
        let start = scene.world[scene.follow].pos;
        let mut gap = 0.0_f64;
        for _ in 0..(60.0 * seconds) as usize {
            gap = gap.max(scene.step_by_hand(1.0 / 60.0, &hand, None).unwrap().0.max_gap);
        }
        (scene.world[scene.follow].pos - start, gap)
    }

    #[test]
    fn it_hangs_still_until_it_is_told_something() {
        let mut scene = crane();
        let start = scene.world[scene.follow].pos;
        (0..300).for_each(|_| drop(scene.step(1.0 / 60.0).unwrap()));
        assert!((scene.world[scene.follow].pos - start).length() < 0.02, "{}", scene.world[scene.follow].pos - start);
    }

    #[test]
    fn slew_luff_and_hoist_move_the_load_where_they_should() {
        // The rope goes onto the drum, whose pitch radius is 0.3 m, four times as fast as the hook goes up.
        let (up, gap) = driven("hoist", 2.0 / 0.3, 4.0);
        assert!((1.5..2.1).contains(&up.y) && gap < 1e-3, "up {up}, gap {gap}");
        let (round, gap) = driven("slew", 0.1, 4.0);
        assert!(round.z.abs() > 2.0 && round.y.abs() < 0.5 && gap < 1e-3, "{round}, gap {gap}");
        let (one, _) = driven("luff", 0.6 / 0.3, 4.0);
        let (other, gap) = driven("luff", -0.6 / 0.3, 4.0);
        assert!(
            one.x * other.x < 0.0 && one.x.abs().min(other.x.abs()) > 0.4 && gap < 1e-3,
            "{one}, {other}, gap {gap}"
        );
    }
}

//! The mainsheet of a sailing boat: four parts between boom and deck, a ratchet block, a hand, gusts.
//!
//! From the specification of running cables: boom 25 kg, sheet 4:1, a ratchet that holds three times the hand's force one way.
//! Chosen here: boom of 3 m, sheet 2.5 m behind the mast, blocks with an efficiency of 0.97, a mean force of 400 N on the boom that
//! gusts raise by half every 4 s.

use super::parts::{G, bar};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Drive, Scene, SceneInfo};
use taut::{Hinge, Result, Rope, Sheave, Vec3, Winch, Winding, World, parts::Hold};

const BOOM: f64 = 3.0;
const SHEET: f64 = 2.5;
const R: f64 = 0.03;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "sailing-boat",
        summary: "a boom in gusts on a mainsheet of four parts with a ratchet block, held by hand",
        source: "made for Taut",
        parameters: vec![
            Parameter::number("boom", "kg", 25.0, (0.1, 1e4), "mass of the boom"),
            Parameter::number("wind", "N", 400.0, (0.0, 1e5), "mean force on the boom, at its middle"),
            Parameter::number("gusts", "", 0.5, (0.0, 2.0), "part by which gusts raise it"),
            Parameter::number("hand", "N", 60.0, (0.0, 1e4), "most that the hand holds"),
            Parameter::number("ratchet", "", 3.0, (1.0, 100.0), "ratio that the ratchet holds"),
            Parameter::number("efficiency", "", 0.97, (0.5, 1.0), "of the other blocks"),
        ],
        dt: 1.0 / 60.0,
        time: 12.0,
        build,
    }
}

/// Force of the wind at a time, N.
fn wind_at(time: f64, mean: f64, gusts: f64) -> f64 {
    let gust = libm::sin(std::f64::consts::TAU * time / 4.0).max(0.0);
    mean * (time / 1.0).min(1.0) * (1.0 + gusts * gust)
}

fn build(p: &Parameters) -> Result<Scene> {
    let mut world = World::new();
    let ground = world.ground();
    let (mast, end) = (Vec3::new(0.0, 1.0, 0.0), Vec3::new(-BOOM, 1.0, 0.0));
    let boom = bar(&mut world, mast, end, p.number("boom"), 0.1, "boom".into())?;
    world.add(Hinge::between(boom, ground).at(mast).axis(Vec3::Y).named("gooseneck"))?;
    let winch = Winch::on(ground, Vec3::new(-SHEET, 0.0, 1.2), Vec3::X, 0.05).inertia(0.02).mass(2.0);
    let winch = world.add(winch.named("hand"))?;
    // The sheet runs across the boat: blocks on the boom, and on the deck to windward.
    let block =
        |body, at: Vec3| Sheave::on(body, at, Vec3::X, R).efficiency(p.number("efficiency")).keeper(true).about();
    let above = Vec3::new(-SHEET, 1.0, 0.0);
    let below = Vec3::new(-SHEET, 0.2, 0.6);
    let ratchet =
        Sheave::on(ground, below, Vec3::X, R).held(Hold::Ratios([p.number("ratchet"), 1.0])).keeper(true).about();
    let rope = Rope::from_drum(world.drum(winch)?.against()).round(ratchet).round(block(boom, above));
    let rope = rope.round(block(ground, below)).round(block(boom, above)).to(ground, below + R * Vec3::Y);
    world.add(rope.named("mainsheet"))?;
    world.set_winch(winch, Winding::Brake(p.number("hand")))?;
    let (mean, gusts) = (p.number("wind"), p.number("gusts"));
    let drive = Drive::new(move |world, _| {
        let force = -wind_at(world.time(), mean, gusts) * Vec3::Z;
        let at = world.body(boom)?.position();
        world.apply_force(boom, force, at)
    });
    let energy_scale = mean.max(1.0) * BOOM + G * p.number("boom");
    Ok(Scene { world, length: BOOM, energy_scale, follow: boom, window: 1.0, edges: Vec::new(), drive: Some(drive) })
}

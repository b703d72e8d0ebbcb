//! A cable robot: a platform on eight ropes, whose lengths lead it round a circle.
//!
//! From the specification of running cables: platform 20 kg, frame 4 x 4 x 3 m, E A 1 MN, preload 400 N, circle of 0.5 m in 2 s.
//! Chosen here: platform 0.3 x 0.2 x 0.3 m, ropes crossed so that they hold it against turning, lengths from the place where it should
//! be at the end of the step.

use super::parts::G;
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Drive, Scene, SceneInfo};
use taut::{Body, MassProperties, Result, Rope, RopeId, Vec3, World};

/// Half edges of the platform, m, and the middle of the frame.
const HALF: Vec3 = Vec3::new(0.15, 0.1, 0.15);
const MIDDLE: Vec3 = Vec3::new(0.0, 1.5, 0.0);

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "cable-robot",
        summary: "a platform led round a circle by eight ropes of commanded length",
        source: "made for Taut",
        parameters: vec![
            Parameter::number("platform", "kg", 20.0, (1e-3, 1e5), "mass of the platform"),
            Parameter::number("stiffness", "N", 1e6, (1e3, 1e12), "E A of the ropes"),
            Parameter::number("preload", "N", 400.0, (0.0, 1e6), "tension of the ropes without load"),
            Parameter::number("radius", "m", 0.5, (0.0, 1.0), "of the circle"),
            Parameter::number("period", "s", 2.0, (0.1, 100.0), "of a round"),
        ],
        dt: 1.0 / 60.0,
        time: 10.0,
        build,
    }
}

/// Where the platform should be, m: from the middle onto the circle within the first half second.
pub(crate) fn wanted(time: f64, radius: f64, period: f64) -> Vec3 {
    let ramp = (time / 0.5).min(1.0);
    let grown = ramp * ramp * (3.0 - 2.0 * ramp);
    let angle = std::f64::consts::TAU * time / period;
    MIDDLE + grown * radius * Vec3::new(libm::cos(angle), libm::sin(angle), 0.0)
}

/// Corners of the frame, and those of the platform that they hold, from its centre.
fn corners() -> impl Iterator<Item = (Vec3, Vec3)> {
    (0..8).map(|k| {
        let [x, y, z] = [k & 1, k >> 1 & 1, k >> 2 & 1].map(|b| if b == 1 { 1.0 } else { -1.0 });
        (MIDDLE + Vec3::new(2.0 * x, 1.5 * y, 2.0 * z), Vec3::new(HALF.x * x, -HALF.y * y, -HALF.z * z * y))
    })
}

fn build(p: &Parameters) -> Result<Scene> {
    let mut world = World::new();
    let mass = MassProperties::cuboid(100.0, HALF)?.with_mass(p.number("platform"))?;
    let platform = world.add(Body::dynamic(mass).at(MIDDLE).named("platform"))?;
    let ground = world.ground();
    let (ea, strain) = (p.number("stiffness"), p.number("preload") / p.number("stiffness"));
    let mut ropes: Vec<(RopeId, Vec3, Vec3)> = Vec::new();
    for (k, (corner, local)) in corners().enumerate() {
        let length = corner.distance(MIDDLE + local);
        let rope = Rope::from(ground, corner).to(platform, MIDDLE + local).slack(-strain * length);
        ropes.push((world.add(rope.stiffness(ea).named(format!("rope {k}")))?, corner, local));
    }
    let (radius, period) = (p.number("radius"), p.number("period"));
    let drive = Drive::new(move |world, h| {
        let to = wanted(world.time() + h, radius, period);
        for &(rope, corner, local) in &ropes {
            let length = (1.0 - strain) * corner.distance(to + local);
            let more = length - world.rope(rope)?.length();
            world.pay_out(rope, more)?;
        }
        Ok(())
    });
    // The winches lift and speed it up all the time.
    let energy_scale = 10.0 * G * p.number("platform") * (2.0 * radius).max(1.0);
    Ok(Scene { world, length: 4.0, energy_scale, follow: platform, window: 1.0, edges: Vec::new(), drive: Some(drive) })
}

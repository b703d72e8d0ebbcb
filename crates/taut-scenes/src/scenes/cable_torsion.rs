//! A heavy ball spun about its cable (Andrews 2017 section 5.3): how far it winds the cable up and turns back.
//!
//! From the paper: a heavy ball with an angular velocity about the torsional axis, dropped; the inertial stabiliser loses the turn.
//! Chosen here: 100 kg of 0.3 m radius on 20 segments of 0.4 m and 0.2 kg, radius 2 cm, axial stiffness 1e12, bending and
//! torsional stiffness 10, clamped at the top, released 30 degrees from hanging with 5 rad/s, 6 s. The run's `turn` is that of the
//! ball about its own axis along the cable.
//!
//! A torsional row pulls with the sine of its twist, hardest at 45 degrees: a joint twisted further slips, and the turn then depends
//! on rounding. Ten segments slip at 5 rad/s (12.2, 15.8 and 19.8 rad at steps of 1e-3, 2e-4 and 1e-4 s); twenty reach 41 degrees.

use super::parts::{G, ball, bow, cable, pointing, straight};
use crate::parameters::{Parameter, Parameters};
use crate::random::Random;
use crate::scene::{Scene, SceneInfo};
use taut::{Body, Cable, Joint, Result, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "cable-torsion",
        summary: "100 kg spun at 5 rad/s about a swinging cable: how far it turns before the cable turns it back",
        source: "Andrews 2017 section 5.3",
        parameters: vec![
            Parameter::number("load", "kg", 100.0, (1e-3, 1e12), "mass of the load"),
            Parameter::number("spin", "rad/s", 5.0, (-100.0, 100.0), "spin of the load about the cable at the start"),
            Parameter::count("segments", 20, (1, 100_000), "segments of the cable"),
            Parameter::number("segment_mass", "kg", 0.2, (1e-9, 1e9), "mass of a segment"),
            Parameter::number("segment_length", "m", 0.4, (1e-3, 1e3), "length of a segment"),
            Parameter::number("axial", "N/m", 1e12, (1.0, 1e18), "axial stiffness"),
            Parameter::number("bending", "N m/rad", 10.0, (1e-9, 1e15), "bending stiffness"),
            Parameter::number("torsion", "N m/rad", 10.0, (1e-9, 1e15), "torsional stiffness"),
            Parameter::number("angle", "deg", 30.0, (0.0, 179.0), "angle from hanging at the start"),
            Parameter::number(
                "kick",
                "rad/s",
                1e-4,
                (0.0, 10.0),
                "random angular velocity of the segments at the start",
            ),
        ],
        dt: 0.01,
        time: 6.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let (n, l, load) = (p.count("segments"), p.number("segment_length"), p.number("load"));
    let (length, radius) = (n as f64 * l, 0.3);
    let a = p.number("angle").to_radians();
    let along = Vec3::new(libm::sin(a), -libm::cos(a), 0.0);
    let mut world = World::new();
    let ground = world.ground();
    let joint = Cable::from_stiffness(p.number("axial"), p.number("bending"), p.number("torsion"))?;
    let points = bow(Vec3::ZERO, along, Vec3::Z, n, l, 0.0);
    let mut random = Random::new(4);
    let size = (p.number("segment_mass"), 0.02);
    let links = cable(&mut world, &points, size, joint, (p.number("kick"), &mut random))?;
    world.add(Joint::of(joint, links[0], ground).at(Vec3::ZERO).axis(along))?;
    let turned = pointing(along);
    let def = Body::dynamic(ball(load, radius)?).at(points[n] + radius * along).rotated(turned);
    let weight = world.add(def.moving(Vec3::ZERO, p.number("spin") * (turned * Vec3::Y)).named("load"))?;
    world.add(Joint::of(joint, weight, links[n - 1]).frames(straight(radius, 0.5 * l)))?;
    let spin = 0.2 * load * (p.number("spin") * radius).powi(2);
    let energy_scale = G * load * (length + radius) * (1.0 - libm::cos(a)).max(1e-3) + spin;
    Ok(Scene {
        world,
        length: length + radius,
        energy_scale,
        follow: weight,
        window: 2.0,
        edges: Vec::new(),
        drive: None,
    })
}

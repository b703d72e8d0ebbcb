//! The tight cable of Tournier 2015 Table 1: 500 kg over 10 m, inextensible, a load at its end, step 0.01 s.
//!
//! From the paper: 500 kg, 10 m, zero compliance, 0.01 s, loads of 10 t to 1e15 t, tight start. Chosen here: 10 segments, 3 s, a
//! sideways kick of the particles (an exactly straight cable never excites the modes that diverge).

use super::parts::G;
use crate::parameters::{Parameter, Parameters};
use crate::random::Random;
use crate::scene::{Scene, SceneInfo};
use taut::{Body, Distance, Result, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "cable-table1",
        summary: "a tight inextensible cable of particles under loads up to 1e15 tonnes: how much it stretches",
        source: "Tournier 2015 Table 1",
        parameters: vec![
            Parameter::number("load", "kg", 1e5, (0.0, 1e21), "mass of the load"),
            Parameter::count("segments", 10, (1, 100_000), "distance constraints"),
            Parameter::number("kick", "m/s", 1e-3, (0.0, 10.0), "random sideways speed of the particles at the start"),
        ],
        dt: 0.01,
        time: 3.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let (n, load, kick) = (p.count("segments"), p.number("load"), p.number("kick"));
    let l = 10.0 / n as f64;
    let mut world = World::new();
    let mut random = Random::new(0);
    let mut previous = world.ground();
    for k in 0..n {
        let last = k + 1 == n;
        let mass = 500.0 / n as f64 + if last { load } else { 0.0 };
        let speed = if last { Vec3::ZERO } else { kick * Vec3::new(random.normal(), 0.0, random.normal()) };
        let at = Vec3::new(0.0, -l * (k + 1) as f64, 0.0);
        let b = world.add(Body::particle(mass).at(at).moving(speed, Vec3::ZERO).named(format!("particle {k}")))?;
        let above = Vec3::new(0.0, -l * k as f64, 0.0);
        world.add(Distance::between(b, previous).length(l).ends(at, above))?;
        previous = b;
    }
    Ok(Scene {
        world,
        length: 10.0,
        energy_scale: G * (load + 500.0) * 10.0,
        follow: previous,
        window: 1.0,
        edges: Vec::new(),
        drive: None,
    })
}

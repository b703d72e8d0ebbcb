//! Random trees shaped like a Y: a trunk of five links, two branches of five, a heavy ball at the end of each. They start bent and
//! slack, fall, and snap taut; the other branch is then pushed into compression.
//!
//! Links 0.2 to 0.6 m, 0.1 to 1 kg, radius 1 to 5 cm; loads 10 kg to `load`, log-uniform, on a ball joint at the load's centre.

use super::parts::{G, ball, bar};
use crate::parameters::{Parameter, Parameters};
use crate::random::Random;
use crate::scene::{Scene, SceneInfo};
use taut::{Ball, BodyDef, BodyId, Hinge, Result, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "tree",
        summary: "a random Y-tree of links with two heavy loads, falling and snapping taut",
        source: "acceptance scene",
        parameters: vec![
            Parameter::count("seed", 0, (0, 1_000_000_000), "which tree"),
            Parameter::choice(
                "joint",
                &["ball", "mixed", "hinge"],
                "ball joints, 40 % random-axis hinges, or hinges only",
            ),
            Parameter::number("load", "kg", 1e6, (11.0, 1e12), "largest load"),
        ],
        dt: 1.0 / 60.0,
        time: 6.0,
        build,
    }
}

struct Grower {
    world: World,
    random: Random,
    /// Share of ball joints.
    balls: f64,
    count: usize,
}

impl Grower {
    fn link(&mut self, previous: BodyId, at: Vec3, direction: Vec3) -> Result<(BodyId, Vec3)> {
        let r = &mut self.random;
        let (l, m, radius) = (r.uniform(0.2, 0.6), r.uniform(0.1, 1.0), r.uniform(0.01, 0.05));
        let end = at + l * direction.normalize();
        let b = bar(&mut self.world, at, end, m, radius, format!("link {}", self.count))?;
        self.count += 1;
        if self.random.uniform(0.0, 1.0) < self.balls {
            let f = self.world.frames_at(b, previous, at, direction)?;
            self.world.add_joint(b, previous, &Ball::default(), f)?;
        } else {
            let axis = self.random.normal3();
            let f = self.world.frames_at(b, previous, at, axis)?;
            self.world.add_joint(b, previous, &Hinge::default(), f)?;
        }
        Ok((b, end))
    }

    fn branch(&mut self, from: BodyId, at: Vec3, direction: Vec3) -> Result<(BodyId, Vec3)> {
        let (mut b, mut at) = (from, at);
        for _ in 0..5 {
            let d = direction + 0.15 * self.random.normal3();
            (b, at) = self.link(b, at, d)?;
        }
        Ok((b, at))
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let balls = match p.choice("joint") {
        "mixed" => 0.6,
        "hinge" => -1.0,
        _ => 2.0,
    };
    let mut g = Grower { world: World::new(), random: Random::new(1000 + p.count("seed") as u64), balls, count: 0 };
    let ground = g.world.ground();
    let d = Vec3::new(1.0, -0.3, 0.2);
    let (top, at) = g.branch(ground, Vec3::ZERO, d)?;
    let (mut total, mut follow, mut heaviest) = (0.0, top, 0.0);
    for side in [1.0, -1.0] {
        let (tip, end) = g.branch(top, at, d + Vec3::new(0.0, 0.0, 0.8 * side))?;
        let mass = 10f64.powf(g.random.uniform(1.0, p.number("load").log10()));
        let b = g.world.add_body(BodyDef::dynamic(ball(mass, 0.3)?).at(end).named("load"))?;
        let f = g.world.frames_at(b, tip, end, d)?;
        g.world.add_joint(b, tip, &Ball::default(), f)?;
        total += mass;
        if mass > heaviest {
            (follow, heaviest) = (b, mass);
        }
    }
    Ok(Scene { world: g.world, length: 4.0, energy_scale: total * G * 4.0, follow, window: 2.0, edges: Vec::new() })
}

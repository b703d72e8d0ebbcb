//! Random trees shaped like a Y: a trunk of five links, two branches of five, a heavy ball at the end of each. They start bent and
//! slack, fall, and snap taut; the other branch is then pushed into compression.
//!
//! With `forks` above one every branch forks again in place of its load, so that the scene grows to any size.
//!
//! Links 0.2 to 0.6 m, 0.1 to 1 kg, radius 1 to 5 cm; loads 10 kg to `load`, log-uniform, on a ball joint at the load's centre.

use super::parts::{G, ball, bar};
use crate::parameters::{Parameter, Parameters};
use crate::random::Random;
use crate::scene::{Scene, SceneInfo};
use taut::{Ball, Body, BodyId, Hinge, Result, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "tree",
        summary: "a random Y-tree of links with two heavy loads, falling and snapping taut",
        source: "made for Taut",
        parameters: vec![
            Parameter::count("seed", 0, (0, 1_000_000_000), "which tree"),
            Parameter::choice(
                "joint",
                &["ball", "mixed", "hinge"],
                "ball joints, 40 % random-axis hinges, or hinges only",
            ),
            Parameter::count("forks", 1, (1, 14), "times that a branch forks from the root to a load"),
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
    /// Largest load, kg.
    largest: f64,
    /// All loads so far, kg, and the heaviest.
    total: f64,
    heaviest: Option<(f64, BodyId)>,
}

/// Direction of the trunk.
const TRUNK: Vec3 = Vec3::new(1.0, -0.3, 0.2);

impl Grower {
    fn link(&mut self, previous: BodyId, at: Vec3, direction: Vec3) -> Result<(BodyId, Vec3)> {
        let r = &mut self.random;
        let (l, m, radius) = (r.uniform(0.2, 0.6), r.uniform(0.1, 1.0), r.uniform(0.01, 0.05));
        let end = at + l * direction.normalize();
        let b = bar(&mut self.world, at, end, m, radius, format!("link {}", self.count))?;
        self.count += 1;
        if self.random.uniform(0.0, 1.0) < self.balls {
            self.world.add(Ball::between(b, previous).at(at).axis(direction))?;
        } else {
            let axis = self.random.normal3();
            self.world.add(Hinge::between(b, previous).at(at).axis(axis))?;
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

    /// Two branches from the end of one, each with a load at its end or with as many forks as are left.
    fn fork(&mut self, from: BodyId, at: Vec3, direction: Vec3, forks: usize) -> Result<()> {
        let across = if forks.is_multiple_of(2) { Vec3::Y } else { Vec3::Z };
        for side in [1.0, -1.0] {
            let d = direction + 0.8 * side * across;
            let (tip, end) = self.branch(from, at, d)?;
            if forks > 1 {
                self.fork(tip, end, d, forks - 1)?;
            } else {
                self.load(tip, end)?;
            }
        }
        Ok(())
    }

    fn load(&mut self, tip: BodyId, end: Vec3) -> Result<()> {
        let mass = libm::pow(10.0, self.random.uniform(1.0, libm::log10(self.largest)));
        let b = self.world.add(Body::dynamic(ball(mass, 0.3)?).at(end).named("load"))?;
        self.world.add(Ball::between(b, tip).at(end).axis(TRUNK))?;
        self.total += mass;
        if self.heaviest.is_none_or(|(m, _)| mass > m) {
            self.heaviest = Some((mass, b));
        }
        Ok(())
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let balls = match p.choice("joint") {
        "mixed" => 0.6,
        "hinge" => -1.0,
        _ => 2.0,
    };
    let mut g = Grower {
        world: World::new(),
        random: Random::new(1000 + p.count("seed") as u64),
        balls,
        count: 0,
        largest: p.number("load"),
        total: 0.0,
        heaviest: None,
    };
    let ground = g.world.ground();
    let (top, at) = g.branch(ground, Vec3::ZERO, TRUNK)?;
    let forks = p.count("forks");
    g.fork(top, at, TRUNK, forks)?;
    let length = 2.0 * (forks + 1) as f64;
    let follow = g.heaviest.map_or(top, |(_, b)| b);
    Ok(Scene {
        world: g.world,
        length,
        energy_scale: g.total * G * length,
        follow,
        window: 2.0,
        edges: Vec::new(),
        drive: None,
    })
}

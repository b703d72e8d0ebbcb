//! A square of cloth with weights (Tournier 2015 Fig. 4 and Table 2): particles and distance constraints along the threads.
//!
//! From the paper: 10 x 10 particles (20 x 20 in the authors' example scene), weights 500 times as heavy as a particle at the
//! bottom, compliance 0, or stiffness 1e15 N/m in the stiffness form; 1 m square, particles of 1 kg (Table 2; the example scene's
//! default), step 0.01 s, horizontal start, the first row fixed. Chosen here: weights at the two bottom corners; gravity 9.81 m/s^2;
//! 1e-4 m of noise in the positions across the cloth, the lengths taken after it; body damping of 0.5 1/s, so that it comes to
//! rest; no shear springs unless asked for; `rod` hangs the row from a rigid bar of the mass of a row, which hangs from the
//! ground by two rigid rods of half a metre.

use super::parts::{Edges, G, bar};
use crate::parameters::{Parameter, Parameters};
use crate::random::Random;
use crate::scene::{Scene, SceneInfo};
use taut::{Ball, Body, BodyId, Distance, Force, Motion, Result, Softness, Spring, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "cloth",
        summary: "a square of inextensible cloth with heavy weights at two corners, falling from the horizontal",
        source: "Tournier 2015 Fig. 4, Table 2",
        parameters: vec![
            Parameter::count("side", 10, (2, 500), "particles along a side"),
            Parameter::number("ratio", "", 500.0, (0.0, 1e12), "mass of a weight over that of a particle"),
            Parameter::number("particle_mass", "kg", 1.0, (1e-9, 1e9), "mass of a particle"),
            Parameter::choice("hung", &["row", "corners", "rod"], "what holds the first row"),
            Parameter::choice("start", &["horizontal", "hanging"], "plane of the cloth at the start"),
            Parameter::choice("form", &["compliance", "stiffness"], "how the threads enter the equations"),
            Parameter::number(
                "compliance",
                "m/N",
                0.0,
                (0.0, 1.0),
                "of a thread; the stiffness form takes 1e-15 for 0",
            ),
            Parameter::number("shear", "N/m", 0.0, (0.0, 1e15), "stiffness of springs along the diagonals"),
            Parameter::number("damping", "1/s", 0.5, (0.0, 100.0), "rate at which the air slows a particle"),
            Parameter::number("noise", "m", 1e-4, (0.0, 0.1), "random displacement of the particles across the cloth"),
        ],
        dt: 0.01,
        time: 20.0,
        build,
    }
}

/// Compliance that stands for none in the stiffness form, m/N (Table 2).
const STIFFEST: f64 = 1e-15;

struct Loom<'a> {
    world: World,
    p: &'a Parameters,
    n: usize,
    /// Row by row from the held one.
    grid: Vec<BodyId>,
    edges: Edges,
}

fn build(p: &Parameters) -> Result<Scene> {
    let n = p.count("side");
    let mut loom = Loom { world: World::new(), p, n, grid: Vec::new(), edges: Vec::new() };
    loom.particles()?;
    let l = 1.0 / (n - 1) as f64;
    for r in 0..n {
        for c in 0..n {
            for (dr, dc) in [(0, 1), (1, 0)] {
                if r + dr < n && c + dc < n && !(r == 0 && dr == 0 && p.choice("hung") != "corners") {
                    loom.thread(r * n + c, (r + dr) * n + c + dc)?;
                }
            }
            if r + 1 < n && c + 1 < n && p.number("shear") > 0.0 {
                loom.shear(r * n + c, (r + 1) * n + c + 1, l)?;
                loom.shear(r * n + c + 1, (r + 1) * n + c, l)?;
            }
        }
    }
    loom.hang()?;
    let m = p.number("particle_mass");
    let energy_scale = G * m * (2.0 * p.number("ratio") + 0.5 * (n * n) as f64);
    let follow = loom.grid[n * n - 1];
    Ok(Scene { world: loom.world, length: 1.0, energy_scale, follow, window: 2.0, edges: loom.edges, drive: None })
}

impl Loom<'_> {
    fn particles(&mut self) -> Result<()> {
        let (n, m, noise) = (self.n, self.p.number("particle_mass"), self.p.number("noise"));
        let (down, across) = if self.p.choice("start") == "hanging" { (-Vec3::Y, Vec3::X) } else { (Vec3::X, Vec3::Y) };
        let mut random = Random::new(7);
        let l = 1.0 / (n - 1) as f64;
        for r in 0..n {
            for c in 0..n {
                let held = r == 0 && (self.p.choice("hung") == "row" || c == 0 || c + 1 == n);
                let bump = if r == 0 { 0.0 } else { noise * random.normal() };
                let at = l * r as f64 * down + l * c as f64 * Vec3::Z + bump * across;
                let weight = r + 1 == n && (c == 0 || c + 1 == n);
                let mass = m * if weight { 1.0 + self.p.number("ratio") } else { 1.0 };
                let def = if held && self.p.choice("hung") != "rod" {
                    Body::fixed()
                } else {
                    Body::particle(mass).damped(self.p.number("damping"), 0.0)
                };
                self.grid.push(self.world.add(def.at(at).named(format!("particle {r}.{c}")))?);
            }
        }
        Ok(())
    }

    /// A thread between two neighbours, unless both are fixed.
    fn thread(&mut self, a: usize, b: usize) -> Result<()> {
        let (i, j) = (self.grid[a], self.grid[b]);
        let (one, other) = (self.world.body(i)?, self.world.body(j)?);
        if [one.motion(), other.motion()] == [Motion::Fixed; 2] {
            return Ok(());
        }
        let length = (one.pose().pos - other.pose().pos).length();
        let c = self.p.number("compliance");
        if self.p.choice("form") == "stiffness" {
            self.spring(i, j, 1.0 / c.max(STIFFEST), length)?;
        } else {
            self.world.add(Distance::between(i, j).length(length).linear(Softness::compliance(c)))?;
        }
        self.edges.push((i, j, length));
        Ok(())
    }

    fn shear(&mut self, a: usize, b: usize, l: f64) -> Result<()> {
        let (i, j) = (self.grid[a], self.grid[b]);
        self.spring(i, j, self.p.number("shear"), l * 2f64.sqrt())
    }

    fn spring(&mut self, i: BodyId, j: BodyId, stiffness: f64, rest_length: f64) -> Result<()> {
        let (point_i, point_j) = (Vec3::ZERO, Vec3::ZERO);
        self.world.add(Force::Spring(Spring { i, j, point_i, point_j, stiffness, damping: 0.0, rest_length }))?;
        Ok(())
    }

    /// The bar that carries the first row, for `rod`.
    fn hang(&mut self) -> Result<()> {
        if self.p.choice("hung") != "rod" {
            return Ok(());
        }
        let ends = [Vec3::ZERO, Vec3::Z];
        let mass = self.n as f64 * self.p.number("particle_mass");
        let beam = bar(&mut self.world, ends[0], ends[1], mass, 0.02, "bar".into())?;
        for k in 0..self.n {
            let at = self.world.body(self.grid[k])?.position();
            self.world.add(Ball::between(beam, self.grid[k]).at(at))?;
        }
        let ground = self.world.ground();
        for end in ends {
            self.world.add(Distance::between(beam, ground).length(0.5).ends(end, end + 0.5 * Vec3::Y))?;
        }
        Ok(())
    }
}

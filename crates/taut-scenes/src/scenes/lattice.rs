//! A closed lattice of pinned rods: every cell is a loop, and every node pins all rods that meet there. Hung from one corner, or from all
//! nodes of its top row. With hinges it stays in its plane, and most rows of a loop are redundant; with ball joints it leaves it.

use super::parts::{G, bar};
use crate::parameters::{Parameter, Parameters};
use crate::random::Random;
use crate::scene::{Scene, SceneInfo};
use taut::{Ball, BodyId, Hinge, Result, Vec3, World};

/// Length of a rod, m.
const ROD: f64 = 1.0;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "lattice",
        summary: "a closed lattice of pinned rods, a loop per cell, hung from one corner or from its top",
        source: "Faure's slides: structured solution of closed loops",
        parameters: vec![
            Parameter::count("cells", 4, (1, 200), "cells along each side"),
            Parameter::choice(
                "joint",
                &["ball", "hinge"],
                "joint at the nodes; hinges turn about the normal of the plane",
            ),
            Parameter::choice(
                "held",
                &["corner", "top"],
                "nodes that are fixed: the upper left corner, or the top row",
            ),
            Parameter::number("mass", "kg", 1.0, (1e-6, 1e6), "mass of a rod"),
            Parameter::number("load", "kg", 0.0, (0.0, 1e9), "mass added to the lowest rod on the right"),
            Parameter::number("kick", "rad/s", 1e-3, (0.0, 10.0), "random angular velocity at the start"),
        ],
        dt: 0.01,
        time: 10.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let (n, m, load) = (p.count("cells"), p.number("mass"), p.number("load"));
    let joint = if p.choice("joint") == "hinge" { Hinge::between } else { Ball::between };
    let at = |i: usize, j: usize| ROD * Vec3::new(i as f64, -(j as f64), 0.0);
    let mut world = World::new();
    let mut meets: Vec<Vec<BodyId>> = vec![Vec::new(); (n + 1) * (n + 1)];
    let mut last = world.ground();
    for i in 0..=n {
        for j in 0..=n {
            for (a, b) in [(i + 1, j), (i, j + 1)].into_iter().filter(|e| e.0 <= n && e.1 <= n) {
                let heavy = (i, j) == (n - 1, n);
                let mass = m + if heavy { load } else { 0.0 };
                let name = format!("{} {i}.{j}", if a > i { "beam" } else { "post" });
                let rod = bar(&mut world, at(i, j), at(a, b), mass, 0.02, name)?;
                meets[i * (n + 1) + j].push(rod);
                meets[a * (n + 1) + b].push(rod);
                last = if heavy { rod } else { last };
            }
        }
    }
    let ground = world.ground();
    for i in 0..=n {
        for j in 0..=n {
            let here = &meets[i * (n + 1) + j];
            let held = j == 0 && (i == 0 || p.choice("held") == "top");
            for (k, &rod) in here.iter().enumerate().filter(|(k, _)| *k > 0 || held) {
                let to = if k > 0 { here[0] } else { ground };
                world.add(joint(rod, to).at(at(i, j)).axis(Vec3::Z))?;
            }
        }
    }
    kick(&mut world, p)?;
    let length = n as f64 * ROD;
    let weight = G * (m * (2 * n * (n + 1)) as f64 + load);
    Ok(Scene {
        world,
        length,
        energy_scale: weight * length,
        follow: last,
        window: 2.0,
        edges: Vec::new(),
        drive: None,
    })
}

/// Random angular velocities; about the normal of the plane alone where hinges keep the rods in it.
fn kick(world: &mut World, p: &Parameters) -> Result<()> {
    let mut random = Random::new(4);
    let ground = world.ground();
    for b in world.bodies().map(|b| b.id()).filter(|&b| b != ground).collect::<Vec<_>>() {
        let spin = p.number("kick") * random.normal3();
        let spin = if p.choice("joint") == "hinge" { spin.z * Vec3::Z } else { spin };
        world.set_velocity(b, Vec3::ZERO, spin)?;
    }
    Ok(())
}

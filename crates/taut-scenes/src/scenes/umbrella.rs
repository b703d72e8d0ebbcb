//! The umbrella of Baxter's thesis (RedMax): a runner pushed up a tube opens eight ribs by eight stretchers, under a canopy of springs.
//!
//! In the thesis' own units (cm, g, s; no gravity), with its parameters: a fixed tube of height 60, a runner of radius 1 and height 5 that
//! slides on it from y = 10, pushed up with 5000; eight ribs from the tip, 50 long and 80 degrees down from the horizontal, each of n
//! universal joints and rods of radius 0.3; eight stretchers of n/2 rods from the runner to the middle of rod n/2 of each rib, closed there
//! by two rows normal to the stretcher's hinge axis. Density 1. Joint springs 1e5, damping 1, but none at the first joint of a chain. The
//! canopy joins neighbouring ribs rod by rod. Chosen here: the axes of a stretcher, z along it and x across the radius (the thesis leaves
//! them open up to a turn about the stretcher).

use super::thesis_parts::{Axes, Give, add, close_loop, strain_spring, universal};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use std::f64::consts::{PI, TAU};
use taut::{Body, BodyId, Force, MassProperties, Options, Prismatic, Result, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "umbrella",
        summary: "an umbrella of eight ribs and stretchers with 16 loop rows, opened by a runner pushed up its tube (cm, g, s)",
        source: "Baxter (RedMax) section 4.2",
        parameters: vec![
            Parameter::count("n", 8, (2, 2_000), "rods of a rib"),
            Parameter::choice("canopy", &["sim", "video"], "stiffness of the canopy's springs: 1 or 6"),
            Parameter::choice("wind", &["off", "on"], "a force of 2 along x on every body"),
        ],
        dt: 0.01,
        time: 5.0,
        build,
    }
}

/// Ribs, and stretchers.
const RIBS: usize = 8;
/// Height of the tube, and where the runner starts on it.
const TIP: f64 = 60.0;
const RUNNER: f64 = 10.0;
/// Length of a rib, and how far it is tilted down at the start, degrees.
const RIB: f64 = 50.0;
const TILT: f64 = 80.0;
/// Radius of the rods, and density of everything.
const RADIUS: f64 = 0.3;
const DENSITY: f64 = 1.0;
/// What pushes the runner, and the wind on a body.
const PUSH: f64 = 5e3;
const WIND: f64 = 2.0;
/// Springs of the joints within a chain.
const JOINT: Give = Give::new(1e5, 1.0);

/// Rods in a row on universal joints, from a point of a body along z of the axes.
struct Chain {
    name: String,
    from: BodyId,
    at: Vec3,
    axes: Axes,
    rods: usize,
    length: f64,
}

/// Adds a chain; its first joint has no spring.
fn chain(world: &mut World, c: &Chain) -> Result<Vec<BodyId>> {
    let (l, axes) = (c.length / c.rods as f64, &c.axes);
    // A rod lies along its own y.
    let own = Axes { x: axes.x, y: axes.z, z: -axes.y };
    let mut rods = Vec::with_capacity(c.rods);
    for k in 0..c.rods {
        let start = c.at + k as f64 * l * axes.z;
        let mass = MassProperties::cylinder(DENSITY, 0.5 * l, RADIUS)?;
        let def = Body::dynamic(mass).at(start + 0.5 * l * axes.z).rotated(own.rotation());
        let rod = add(world, def.named(format!("{} {k}", c.name)))?;
        let previous = rods.last().copied().unwrap_or(c.from);
        universal(world, (rod, previous), start, axes, if k == 0 { Give::NONE } else { JOINT })?;
        rods.push(rod);
    }
    Ok(rods)
}

/// A stretcher from the runner to the centre of a rod of a rib, closed there by two rows.
fn stretcher(world: &mut World, runner: BodyId, rod: BodyId, (k, rods): (usize, usize)) -> Result<()> {
    let (at, to) = (world.body(runner)?.position(), world.body(rod)?.position());
    let length = (to - at).length();
    let z = (to - at) / length;
    let x = Vec3::Y.cross(z).normalize();
    let axes = Axes { x, y: z.cross(x), z };
    let made = chain(world, &Chain { name: format!("stretcher {k}"), from: runner, at, axes, rods, length })?;
    let closing = Axes { x: axes.y, y: axes.z, z: axes.x };
    close_loop(world, (made[rods - 1], to), (rod, to), &closing)
}

fn build(p: &Parameters) -> Result<Scene> {
    let n = p.count("n");
    let mut world = World::new();
    world.set_options(Options { gravity: Vec3::ZERO, ..*world.options() })?;
    let tube = world.add(Body::fixed().at(0.5 * TIP * Vec3::Y).named("tube"))?;
    let at = RUNNER * Vec3::Y;
    let mass = MassProperties::cylinder(DENSITY, 2.5, 1.0)?;
    let runner = add(&mut world, Body::dynamic(mass).at(at).named("runner"))?;
    world.add(Prismatic::between(runner, tube).at(at).axis(Vec3::Y))?;
    let mut ribs = Vec::with_capacity(RIBS);
    for k in 0..RIBS {
        let axes = Axes::WORLD.turned(1, TAU * k as f64 / RIBS as f64).turned(0, TILT * PI / 180.0);
        let name = format!("rib {k}");
        ribs.push(chain(&mut world, &Chain { name, from: tube, at: TIP * Vec3::Y, axes, rods: n, length: RIB })?);
    }
    for (k, rib) in ribs.iter().enumerate() {
        stretcher(&mut world, runner, rib[n / 2 - 1], (k, n / 2))?;
    }
    let canopy = Give::new(if p.choice("canopy") == "video" { 6.0 } else { 1.0 }, 1.0);
    for k in 0..RIBS {
        for (&a, &b) in ribs[k].iter().zip(&ribs[(k + 1) % RIBS]) {
            let (at_a, at_b) = (world.body(a)?.position(), world.body(b)?.position());
            strain_spring(&mut world, (a, at_a), (b, at_b), canopy)?;
        }
    }
    world.add(Force::Point { body: runner, point: Vec3::ZERO, force: PUSH * Vec3::Y })?;
    if p.choice("wind") == "on" {
        let moving: Vec<BodyId> = world.bodies().filter(|b| b.mass() > 0.0).map(|b| b.id()).collect();
        for body in moving {
            world.add(Force::Point { body, point: Vec3::ZERO, force: WIND * Vec3::X })?;
        }
    }
    // The push over the way it opens.
    let energy_scale = PUSH * (TIP - RUNNER);
    Ok(Scene { world, length: TIP, energy_scale, follow: runner, window: 1.0, edges: Vec::new(), drive: None })
}

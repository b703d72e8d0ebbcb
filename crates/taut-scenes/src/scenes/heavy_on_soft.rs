//! A heavy ball on a soft bar, let go from the side: bound to the bar, or at the end of a chain that hangs on it.
//!
//! `bound`: a bar of 0.1 x 0.1 x 0.5 m, 2 x 2 x 8 hexahedra, stable Neo-Hookean, 5 kg, hangs from its upper face; a ball of `ratio` times its
//! mass is bound to its lower face; let go at 45 deg. `jointed`: a bar of 0.4 m, corotational, with a plate of 0.5 kg on its end, three
//! links of 0.2 kg and 0.2 m on ball joints and a ball of `ratio` links; let go at 60 deg.

use super::parts::{G, ball, bar};
use super::soft_parts::{bricks, slow};
use crate::parameters::{Parameter, Parameters};
use crate::rotation::rotation;
use crate::scene::{Scene, SceneInfo};
use taut::soft::{Law, Material};
use taut::{Ball, Body, BodyId, Deformable, MassProperties, Result, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "heavy-on-soft",
        summary: "a ball up to ten thousand times as heavy swings on a bar of elements, bound to it or on a chain",
        source: "Tournier 2015 section 4: mixed rigid and deformable bodies at high mass ratios",
        parameters: vec![
            Parameter::number(
                "ratio",
                "",
                1000.0,
                (0.01, 1e6),
                "mass of the ball over that of the bar (chain: of a link)",
            ),
            Parameter::number("young", "Pa", 1e7, (1e3, 1e12), "modulus of the bar"),
            Parameter::choice("by", &["bound", "jointed"], "how the ball hangs on the bar"),
        ],
        dt: 0.01,
        time: 3.0,
        build,
    }
}

/// Width of the bar, m; density, kg/m^3.
const WIDTH: f64 = 0.1;
const DENSITY: f64 = 1000.0;
/// Length of the bar with the ball bound to it, and with the chain, m.
const BOUND: f64 = 0.5;
const CHAINED: f64 = 0.4;

fn build(p: &Parameters) -> Result<Scene> {
    if p.choice("by") == "bound" { bound(p) } else { jointed(p) }
}

fn bound(p: &Parameters) -> Result<Scene> {
    let mass = p.number("ratio") * DENSITY * WIDTH * WIDTH * BOUND;
    let radius = radius(mass);
    let material = Material::new(DENSITY, p.number("young"), 0.3).law(Law::StableNeoHookeanNoLog);
    let turn = rotation(Vec3::Z, std::f64::consts::FRAC_PI_4);
    // It hangs from the origin.
    let place = |x: Vec3| turn * (x - Vec3::new(0.5 * WIDTH, BOUND, 0.5 * WIDTH));
    let mut world = World::new();
    let at = place(Vec3::new(0.5 * WIDTH, -radius, 0.5 * WIDTH));
    let load = world.add(Body::dynamic(ball(mass, radius)?).at(at).rotated(turn).named("load"))?;
    let soft = Deformable::new(&bricks(Vec3::new(WIDTH, BOUND, WIDTH), [2, 8, 2])?, &material)?;
    let soft = soft.at(place(Vec3::ZERO)).rotated(turn).named("bar");
    world.add(soft.held(|x| x.y > BOUND - 1e-9).bound(load, |x| x.y < 1e-9))?;
    let length = BOUND + radius;
    Ok(Scene {
        world,
        length,
        energy_scale: mass * G * length,
        follow: load,
        window: 1.0,
        edges: Vec::new(),
        drive: None,
    })
}

fn jointed(p: &Parameters) -> Result<Scene> {
    let (link, plate, radius, half) = (0.2, 0.5, 0.15, 0.02);
    let mass = p.number("ratio") * link;
    let angle = std::f64::consts::FRAC_PI_3;
    let turn = rotation(Vec3::Z, angle);
    let down = turn * -Vec3::Y;
    let mut world = World::new();
    let at = |d: f64| (CHAINED + d) * down;
    let flat = MassProperties::cuboid(1.0, Vec3::new(0.5 * WIDTH, half, 0.5 * WIDTH))?.with_mass(plate)?;
    let plate = world.add(Body::dynamic(flat).at(at(half)).rotated(turn).named("plate"))?;
    let soft = Deformable::new(
        &bricks(Vec3::new(WIDTH, CHAINED, WIDTH), [2, 6, 2])?,
        &Material::new(DENSITY, p.number("young"), 0.3),
    )?;
    let soft = soft.at(turn * -Vec3::new(0.5 * WIDTH, CHAINED, 0.5 * WIDTH)).rotated(turn).named("bar");
    world.add(soft.held(|x| x.y > CHAINED - 1e-9).bound(plate, |x| x.y < 1e-9))?;
    let mut above: BodyId = plate;
    for k in 0..3 {
        let (from, to) = (at(2.0 * half + link * k as f64), at(2.0 * half + link * (k + 1) as f64));
        let next = bar(&mut world, from, to, link, 0.01, format!("link {k}"))?;
        world.add(Ball::between(next, above).at(from))?;
        above = next;
    }
    let end = at(2.0 * half + 3.0 * link);
    let load = world.add(Body::dynamic(ball(mass, radius)?).at(end + radius * down).named("load"))?;
    world.add(Ball::between(load, above).at(end))?;
    let length = CHAINED + 2.0 * half + 3.0 * link + radius;
    let weight = mass + 3.0 * link + 0.5 + DENSITY * WIDTH * WIDTH * CHAINED;
    slow(&mut world, 0.0)?;
    Ok(Scene {
        world,
        length,
        energy_scale: weight * G * length,
        follow: load,
        window: 1.0,
        edges: Vec::new(),
        drive: None,
    })
}

/// How far the ball that is bound to the bar is from where the bar hangs, less its radius, m.
pub(crate) fn length(world: &World) -> Result<f64> {
    let load = world.body(world.find_body("load")?)?;
    Ok(load.position().length() - radius(load.mass()))
}

/// Radius of a ball of this mass, kg, m.
fn radius(mass: f64) -> f64 {
    (0.3 * libm::cbrt(mass / 1000.0)).max(0.3)
}

//! A muscle: a bar of flesh with active fibres, held at both ends or free at one.
//!
//! 0.2 x 0.03 x 0.03 m, stable Neo-Hookean, 30 kPa, Poisson's ratio 0.49, fibres along it with 0.3 MPa at full activation, which rises within 0.2 s.
//! Held at its length it pulls with activation times stress times section, 270 N; one end is bound to a plate that a weld holds, whose
//! force is that pull. Free, it shortens until the flesh resists as much.

use super::soft_parts::{bricks, gravity, nodes, particles};
use crate::drive::Drive;
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::soft::{Fibre, Law, Material};
use taut::{Body, Deformable, DeformableId, Locks, MassProperties, Result, Vec3, Weld, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "muscle",
        summary: "a bar of flesh with active fibres pulls 270 N, or shortens",
        source: "Taut",
        parameters: vec![
            Parameter::choice("ends", &["held", "free"], "held at both ends, or free to shorten"),
            Parameter::number("activation", "", 1.0, (0.0, 1.0), "of the fibres, reached within 0.2 s"),
            Parameter::count("layers", 2, (1, 8), "elements across; five times as many along it"),
        ],
        dt: 0.005,
        time: 2.0,
        build,
    }
}

/// Length and width, m; modulus of the flesh and stress of the fibres, Pa; time to full activation, s.
pub(crate) const LENGTH: f64 = 0.2;
pub(crate) const WIDTH: f64 = 0.03;
pub(crate) const YOUNG: f64 = 3e4;
pub(crate) const POISSON: f64 = 0.49;
pub(crate) const STRESS: f64 = 3e5;
const RISE: f64 = 0.2;

fn build(p: &Parameters) -> Result<Scene> {
    let (n, held) = (p.count("layers"), p.choice("ends") == "held");
    let flesh = Material::new(1050.0, YOUNG, POISSON)
        .law(Law::StableNeoHookean)
        .fibre(Fibre { direction: Vec3::X, stress: STRESS })
        .damping(0.005)
        .mass_damping(5.0);
    let mesh = bricks(Vec3::new(LENGTH, WIDTH, WIDTH), [5 * n, n, n])?;
    let mut world = World::new();
    gravity(&mut world, Vec3::ZERO)?;
    let bar = Deformable::new(&mesh, &flesh)?.named("muscle");
    let id = if held { tied(&mut world, bar)? } else { sliding(&mut world, bar)? };
    let end = nodes(&world, id, |x| x.x > 0.5 * LENGTH)?;
    let follow = particles(&world, id, &end)?[0];
    let most = p.number("activation");
    let drive = Drive::new(move |world: &mut World, h: f64| {
        let t = world.time() + h;
        world.set_activation(id, most * (t / RISE).min(1.0))
    });
    let energy_scale = STRESS * WIDTH * WIDTH * LENGTH;
    Ok(Scene { world, length: LENGTH, energy_scale, follow, window: 0.5, edges: Vec::new(), drive: Some(drive) })
}

/// One end held, the other on a plate that is welded to the ground.
fn tied(world: &mut World, bar: Deformable) -> Result<DeformableId> {
    let flat = MassProperties::cuboid(1000.0, Vec3::new(0.005, 0.02, 0.02))?;
    let plate = world.add(Body::dynamic(flat).at(Vec3::new(LENGTH, 0.5 * WIDTH, 0.5 * WIDTH)).named("plate"))?;
    let ground = world.ground();
    world.add(Weld::between(plate, ground).at(Vec3::new(LENGTH, 0.5 * WIDTH, 0.5 * WIDTH)).named("tendon"))?;
    world.add(bar.held(|x| x.x == 0.0).bound(plate, |x| x.x > LENGTH * (1.0 - 1e-9)))
}

/// One end on a plane along which it can grow wider.
fn sliding(world: &mut World, bar: Deformable) -> Result<DeformableId> {
    let id = world.add(bar)?;
    let plane = nodes(world, id, |x| x.x == 0.0)?;
    let rest = world.deformable(id)?.elements().rest().to_vec();
    for &k in &plane {
        let node = world.deformable(id)?.node(k)?;
        let x = rest[k];
        // What would turn or move it away.
        let along = [true, x.y == 0.0, x.z == 0.0];
        world.set_locks(node, Locks { linear: along, angular: [false; 3] })?;
    }
    Ok(id)
}

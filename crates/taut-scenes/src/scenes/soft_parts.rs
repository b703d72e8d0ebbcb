//! Parts of scenes with deformables.

use super::parts::ball;
use taut::{BodyId, DeformableId, Error, Force, Motion, Options, Result, Vec3, World};

/// What the generators refuse, in the words of the engine.
pub(crate) fn made<T>(mesh: std::result::Result<T, taut_mesh::Error>) -> Result<T> {
    mesh.map_err(|e| match e {
        taut_mesh::Error::Input { name, value, expected } => Error::input(name, value, expected),
        other => Error::input("mesh", other, "one that can be made"),
    })
}

/// A box of hexahedra from the origin to its size, m.
pub(crate) fn bricks(size: Vec3, cells: [usize; 3]) -> Result<taut::soft::Mesh> {
    made(taut_mesh::bar(size, cells, taut_mesh::Filling::Hexahedra)).map(|m| m.mesh)
}

/// The nodes of a deformable that rest where `chosen` says, m.
pub(crate) fn nodes(world: &World, id: DeformableId, chosen: impl Fn(Vec3) -> bool) -> Result<Vec<usize>> {
    let view = world.deformable(id)?;
    let rest = view.elements().rest();
    Ok((0..rest.len()).filter(|&k| chosen(rest[k])).collect())
}

/// Their particles.
pub(crate) fn particles(world: &World, id: DeformableId, list: &[usize]) -> Result<Vec<BodyId>> {
    let view = world.deformable(id)?;
    list.iter().map(|&k| view.node(k)).collect()
}

/// Spreads a mass, kg, evenly over nodes.
pub(crate) fn weigh(world: &mut World, id: DeformableId, list: &[usize], mass: f64) -> Result<()> {
    for node in particles(world, id, list)? {
        let own = world.body(node)?.mass();
        world.set_mass(node, &ball(own + mass / list.len() as f64, 1.0)?)?;
    }
    Ok(())
}

/// A constant force, N, on each of some nodes.
pub(crate) fn push(world: &mut World, id: DeformableId, list: &[usize], each: Vec3) -> Result<()> {
    for body in particles(world, id, list)? {
        world.add(Force::Point { body, point: Vec3::ZERO, force: each })?;
    }
    Ok(())
}

/// The mean place of nodes, m.
pub(crate) fn mean(world: &World, id: DeformableId, list: &[usize]) -> Result<Vec3> {
    let view = world.deformable(id)?;
    let sum = list.iter().map(|&k| view.position(k)).sum::<Result<Vec3>>()?;
    Ok(sum / list.len().max(1) as f64)
}

/// Takes a part of all velocities.
pub(crate) fn slow(world: &mut World, left: f64) -> Result<()> {
    let moving: Vec<(BodyId, Vec3, Vec3)> = world
        .bodies()
        .filter(|b| matches!(b.motion(), Motion::Dynamic | Motion::Particle))
        .map(|b| (b.id(), left * b.velocity(), left * b.angular_velocity()))
        .collect();
    moving.into_iter().try_for_each(|(id, v, w)| world.set_velocity(id, v, w))
}

/// Steps of `h` seconds, each from rest: it goes to where forces balance.
pub(crate) fn settle(world: &mut World, h: f64, steps: usize) -> Result<()> {
    for _ in 0..steps {
        world.step(h)?;
        slow(world, 0.0)?;
    }
    Ok(())
}

/// Gravity, m/s^2.
pub(crate) fn gravity(world: &mut World, g: Vec3) -> Result<()> {
    world.set_options(Options { gravity: g, ..*world.options() })
}

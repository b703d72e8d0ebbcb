//! Deformables of a world: what scenes, files and reports ask of them.

use std::collections::BTreeSet;
use taut::{BodyId, ColliderId, DeformableRef, Vec3, World};

/// The free node that is farthest, at rest, from the middle of those that are held or bound, or else from the middle of all: its number
/// and its particle.
pub fn tip(view: &DeformableRef<'_>) -> Option<(usize, BodyId)> {
    let rest = view.elements().rest();
    let bound = |k: &usize| view.is_bound(*k).unwrap_or(true);
    let middle = |list: &[usize]| list.iter().map(|&k| rest[k]).sum::<Vec3>() / list.len().max(1) as f64;
    let (tied, free): (Vec<usize>, Vec<usize>) = (0..rest.len()).partition(bound);
    let from = if tied.is_empty() { middle(&free) } else { middle(&tied) };
    let far = |k: usize| (rest[k] - from).length();
    let first = *free.first()?;
    let k = free.iter().fold(first, |best, &k| if far(k) > far(best) * (1.0 + 1e-12) { k } else { best });
    Some((k, view.node(k).ok()?))
}

/// The particle that is called `name[7]`: node 7 of the deformable `name`.
pub fn node(world: &World, name: &str) -> Option<BodyId> {
    let (of, number) = name.strip_suffix(']')?.rsplit_once('[')?;
    let view = world.deformable(world.find_deformable(of).ok()?).ok()?;
    let k = number.parse().ok()?;
    if view.is_bound(k).ok()? { None } else { view.node(k).ok() }
}

/// The particles of all deformables.
pub fn particles(world: &World) -> BTreeSet<BodyId> {
    let nodes = world.deformables().flat_map(|d| {
        (0..d.node_count()).filter_map(move |k| if d.is_bound(k) == Ok(false) { d.node(k).ok() } else { None })
    });
    nodes.collect()
}

/// The colliders that stand for the skins of deformables.
pub fn skins(world: &World) -> BTreeSet<ColliderId> {
    world.deformables().filter_map(|d| d.skin_collider()).collect()
}

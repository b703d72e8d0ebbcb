//! Deformables of a world: what scenes, files and reports ask of them.

use std::collections::BTreeSet;
use taut::{BodyId, ColliderId, DeformableRef, Mat3, Vec3, World};

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

/// Where the nodes of the mesh are, m: all nodes, or what frames carry without their control points, which are no points of the body.
pub fn vertices(view: &DeformableRef<'_>) -> Vec<Vec3> {
    let controls = view.elements().controls();
    let skip = if controls < view.node_count() { controls } else { 0 };
    view.positions().skip(skip).collect()
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

/// Stretches of a sheet of quadrilaterals in the plane z = 0, in the mean over the cells whose middle is within `reach` of a point at rest, m, along x and y:
/// the smaller first, and the angle of its axis at rest, deg.
pub fn principal(view: &DeformableRef<'_>, about: Vec3, reach: f64) -> taut::Result<([f64; 2], f64)> {
    let elements = view.elements();
    let rest = elements.rest();
    let (mut sum, mut cells) = (Mat3::ZERO, 0.0_f64);
    for e in (0..elements.len()).filter(|&e| !elements.is_bending(e)) {
        let n = elements.nodes(e);
        let middle = n.iter().map(|&k| rest[k as usize]).sum::<Vec3>() / n.len() as f64;
        if n.len() != 4 || (middle - about).abs().max_element() > reach {
            continue;
        }
        // Rows of edges of a parallelogram: F maps those at rest to those now, in the mean over the cell.
        let x = |k: usize| view.position(n[k] as usize);
        let (u, v) = ((x(1)? - x(0)? + x(2)? - x(3)?) * 0.5, (x(3)? - x(0)? + x(2)? - x(1)?) * 0.5);
        let r = |k: usize| rest[n[k] as usize];
        let (a, b) = ((r(1) - r(0) + r(2) - r(3)) * 0.5, (r(3) - r(0) + r(2) - r(1)) * 0.5);
        let at_rest = Mat3::from_cols(a, b, Vec3::Z);
        sum += Mat3::from_cols(u, v, Vec3::ZERO) * at_rest.inverse();
        cells += 1.0;
    }
    let sum = sum * (1.0 / cells.max(1.0));
    let c = sum.transpose() * sum;
    let (p, q, s) = (c.x_axis.x, c.y_axis.y, c.x_axis.y);
    let (mean, half) = (0.5 * (p + q), libm::hypot(0.5 * (p - q), s));
    // The axis of the larger is at half the angle of (p - q, 2 s).
    let larger = 0.5 * libm::atan2(2.0 * s, p - q);
    let smaller = (larger.to_degrees() + 90.0).rem_euclid(180.0);
    Ok(([(mean - half).sqrt(), (mean + half).sqrt()], smaller))
}

/// How far the tibia of the scene `knee` is in front of the middle of the joint, m.
pub fn shift_of_knee(world: &World) -> taut::Result<f64> {
    crate::scenes::knee::shift(world)
}

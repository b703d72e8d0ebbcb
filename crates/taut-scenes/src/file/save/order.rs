//! The order of a world's parts, where it is not that of the lists.

use super::names::Names;
use crate::file::error::{At, FileError, Path};
use crate::file::{Of, Order, Run};
use std::collections::BTreeSet;
use taut::{ForceId, Locks, World, views::RowsOf};

/// The order, empty where that of the lists will do.
pub(super) fn order(world: &World, names: &Names) -> Result<Order, FileError> {
    Ok(Order {
        bodies: super::deformables::order(world),
        colliders: colliders(world, names)?,
        rows: rows(world, names)?,
    })
}

/// Runs of colliders on one body.
fn colliders(world: &World, names: &Names) -> Result<Vec<Of>, FileError> {
    let mut bodies = Vec::new();
    let nodes = crate::soft::particles(world);
    let skins = crate::soft::skins(world);
    for id in world.colliders().filter(|id| !skins.contains(id)) {
        // Those of nodes come last.
        if nodes.contains(&world.collider(id).at(&Path::of("order"))?.body) {
            continue;
        }
        bodies.push(world.collider(id).at(&Path::of("order"))?.body);
    }
    // The ground has the first handle of all.
    if bodies.is_sorted() {
        return Ok(Vec::new());
    }
    let runs = bodies.chunk_by(|a, b| a == b);
    runs.map(|run| Ok(Of { body: names.body(run[0])?.to_owned(), count: run.len() })).collect()
}

/// Runs of locks, joints and springs.
fn rows(world: &World, names: &Names) -> Result<Vec<Run>, FileError> {
    let actual = world.rows_in_order();
    let sprung: BTreeSet<ForceId> =
        actual.iter().filter_map(|r| if let RowsOf::Force(f) = r { Some(*f) } else { None }).collect();
    // Springs with their places among the forces.
    let springs: Vec<(usize, ForceId)> = world.forces().enumerate().filter(|(_, f)| sprung.contains(f)).collect();
    let locked = world.bodies().filter(|b| b.locks() != Locks::NONE).map(|b| RowsOf::Locks(b.id()));
    let joints = actual.iter().copied().filter(|r| matches!(r, RowsOf::Joint(_)));
    let listed = locked.chain(joints).chain(springs.iter().map(|(_, f)| RowsOf::Force(*f)));
    if listed.eq(actual.iter().copied()) {
        return Ok(Vec::new());
    }
    let (mut out, mut next, mut taken) = (vec![Run::default()], springs.iter(), 0);
    for part in actual {
        match part {
            RowsOf::Locks(body) => {
                run(&mut out, |r| r.joints + r.forces == 0).locks.push(names.body(body)?.to_owned());
            }
            RowsOf::Joint(_) => run(&mut out, |r| r.forces == 0).joints += 1,
            RowsOf::Force(_) => {
                // Forces go in the order of their list, with those before them that have no rows.
                let at = next.next().map_or(taken, |(k, _)| k + 1);
                run(&mut out, |_| true).forces += at - taken;
                taken = at;
            }
        }
    }
    Ok(out)
}

/// The last run, or a new one where something can no longer be added to it.
fn run(out: &mut Vec<Run>, fits: impl Fn(&Run) -> bool) -> &mut Run {
    if !out.last().is_some_and(fits) {
        out.push(Run::default());
    }
    let last = out.len() - 1;
    &mut out[last]
}

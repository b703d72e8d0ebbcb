//! The order of a world's parts, where it is not that of the lists.

use super::names::Names;
use crate::file::error::{At, FileError, Path};
use crate::file::{Bodies, Of, Order, Run};
use std::collections::BTreeSet;
use taut::{BodyId, ForceId, Locks, World, views::RowsOf};

/// The order, empty where that of the lists will do.
pub(super) fn order(world: &World, names: &Names) -> Result<Order, FileError> {
    let (bodies, colliders) = places(world, names)?;
    Ok(Order { bodies, colliders, rows: rows(world, names)? })
}

/// Bodies and deformables in turn, and runs of colliders on one body. A skin is added with its deformable, so that the colliders from before come
/// before that.
fn places(world: &World, names: &Names) -> Result<(Vec<Bodies>, Vec<Of>), FileError> {
    let (nodes, skins) = (crate::soft::particles(world), crate::soft::skins(world));
    let mut owners = Vec::new();
    for id in world.colliders().filter(|id| !skins.contains(id)) {
        let body = world.collider(id).at(&Path::of("order"))?.body;
        // Those of nodes come last.
        if !nodes.contains(&body) {
            owners.push((id, body));
        }
    }
    let plain: Vec<BodyId> =
        world.bodies().map(|b| b.id()).filter(|b| *b != world.ground() && !nodes.contains(b)).collect();
    // For each deformable how many bodies and colliders come before it.
    let (mut before, mut least) = (Vec::new(), [0, 0]);
    for d in world.deformables() {
        let free = (0..d.node_count()).filter(|&k| d.is_bound(k) == Ok(false));
        let first = free.filter_map(|k| d.node(k).ok()).min();
        let bodies = first.map_or(plain.len(), |first| plain.iter().filter(|b| **b < first).count());
        let colliders = d.skin_collider().map_or(0, |skin| owners.iter().filter(|o| o.0 < skin).count());
        least = [least[0].max(bodies), least[1].max(colliders)];
        before.push(least);
    }
    let last = before.iter().all(|b| *b == [plain.len(), 0]);
    // The ground has the first handle of all.
    if last && owners.is_sorted_by_key(|o| o.1) {
        return Ok((Vec::new(), Vec::new()));
    }
    let (mut runs, mut bodies, mut done) = (Vec::<Of>::new(), Vec::<Bodies>::new(), [0, 0]);
    let mut to = |upto: usize, from: usize| -> Result<usize, FileError> {
        let parts = owners[from..upto].chunk_by(|a, b| a.1 == b.1);
        let made: Vec<Of> = parts
            .map(|run| Ok(Of { body: names.body(run[0].1)?.to_owned(), count: run.len() }))
            .collect::<Result<_, FileError>>()?;
        let count = made.len();
        runs.extend(made);
        Ok(count)
    };
    for b in &before {
        let colliders = to(b[1], done[1])?;
        match bodies.last_mut().filter(|_| *b == done) {
            Some(run) => run.deformables += 1,
            None => bodies.push(Bodies { bodies: b[0] - done[0], colliders, deformables: 1 }),
        }
        done = *b;
    }
    to(owners.len(), done[1])?;
    Ok((if last { Vec::new() } else { bodies }, runs))
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

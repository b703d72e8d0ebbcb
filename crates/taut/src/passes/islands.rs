//! All islands of a step: one after the other, or side by side where that pays (`parallel`).

#[cfg(all(feature = "parallel", not(target_family = "wasm")))]
mod desk;
#[cfg(all(feature = "parallel", not(target_family = "wasm")))]
mod parallel;

use super::cluster::solve_cluster;
use super::{Counts, Task, coordinates, solve_island};
use crate::bounded::push;
use crate::profile::Stage;
use crate::system::linear::Failure;
use crate::topology::NONE;
use crate::workspace::Workspace;
use crate::workspace::bounded::Bounded;
use crate::{integrate, rows};

/// Solves all islands and finds their new poses. A failure is that of the first island that fails, in their order.
pub(crate) fn solve(task: &Task<'_>, ws: &mut Workspace) -> Result<Counts, Failure> {
    #[cfg(all(feature = "parallel", not(target_family = "wasm")))]
    if parallel::pays(task, ws) {
        return parallel::solve(task, ws);
    }
    let mut counts = Counts::default();
    for k in 0..task.t.islands.len() {
        let done = match starts(&ws.bounded, k) {
            Some(NONE) => solve_alone(&Task { k, ..*task }, ws),
            Some(c) => solve_together(&Task { k, ..*task }, c, ws),
            None => continue,
        };
        counts.add(&done?);
    }
    Ok(counts)
}

/// What starts with island k: a cluster, NONE for the island alone, or nothing when its cluster starts earlier.
fn starts(b: &Bounded, k: usize) -> Option<usize> {
    match b.cluster_of.get(k) {
        Some(&c) if c != NONE => (b.clusters[c].islands[0] == k).then_some(c),
        _ => Some(NONE),
    }
}

/// An island that shares no bounded rows.
fn solve_alone(task: &Task<'_>, ws: &mut Workspace) -> Result<Counts, Failure> {
    let counts = solve_island(task, ws)?;
    pose(task, ws)?;
    Ok(counts)
}

/// A cluster of islands.
fn solve_together(task: &Task<'_>, c: usize, ws: &mut Workspace) -> Result<Counts, Failure> {
    let counts = solve_cluster(task, c, ws)?;
    for at in 0..ws.bounded.clusters[c].islands.len() {
        pose(&Task { k: ws.bounded.clusters[c].islands[at], ..*task }, ws)?;
    }
    Ok(counts)
}

/// New poses and violations of an island that does not have them yet.
fn pose(task: &Task<'_>, ws: &mut Workspace) -> Result<(), Failure> {
    let Task { t, plan, k, h, .. } = *task;
    let island = &t.islands[k];
    if ws.bounded.pushed.get(k) == Some(&true) {
        push::poses(t, island, h, ws);
        rows::evaluate_phi(t, island.groups.clone(), &ws.kin_next, &mut ws.phi_next);
    } else if !ws.posed[k] {
        integrate::poses(t, island.nodes.clone(), &t.inputs.kin, &ws.x, h, &mut ws.kin_next);
        rows::evaluate_phi(t, island.groups.clone(), &ws.kin_next, &mut ws.phi_next);
    }
    ws.posed[k] = true;
    if plan.reduced {
        coordinates::settle(task, ws)?;
    }
    ws.profile.mark(Stage::Poses);
    Ok(())
}

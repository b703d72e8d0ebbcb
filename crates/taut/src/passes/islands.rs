//! All systems of a step: one after the other, or side by side where that pays (`parallel`).

#[cfg(all(feature = "parallel", not(target_family = "wasm")))]
mod parallel;

use super::{Counts, System, Task};
use crate::desk::Desk;
use crate::system::linear::Failure;
use crate::topology::NONE;

/// Solves all systems and finds their new poses. A failure is that of the first system that fails, in the order of their first islands.
pub(crate) fn solve(task: &Task<'_>, desk: &mut Desk, threads: &mut Vec<Desk>) -> Result<Counts, Failure> {
    #[cfg(all(feature = "parallel", not(target_family = "wasm")))]
    if parallel::pays(task, desk) {
        return parallel::solve(task, desk, threads);
    }
    #[cfg(not(all(feature = "parallel", not(target_family = "wasm"))))]
    threads.clear();
    let mut counts = Counts::default();
    for k in 0..task.t.islands.len() {
        if let Some(system) = starts(task, &k) {
            counts.add(&system.run(desk)?);
        }
    }
    Ok(counts)
}

/// The system that starts with island k; none when its cluster starts earlier.
fn starts<'a>(task: &'a Task<'a>, k: &'a usize) -> Option<System<'a>> {
    let candidates = &task.t.inputs.candidates;
    match candidates.cluster_of.get(*k) {
        Some(&c) if c != NONE => {
            let cluster = &candidates.clusters[c];
            (cluster.islands[0] == *k).then_some(System { task, islands: &cluster.islands, cluster: Some(cluster) })
        }
        _ => Some(System { task, islands: std::slice::from_ref(k), cluster: None }),
    }
}

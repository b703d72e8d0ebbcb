//! Systems side by side: they are independent.
//!
//! Every thread has a desk of its own. It takes the next few systems and solves them there, from the same inputs; at the end the
//! results are copied back. The code of a solve is the same and sees the same numbers, so the bits do not depend on who solved what. All
//! that is summed over systems are counts and extremes, whose order does not matter.

use super::starts;
use crate::desk::Desk;
use crate::passes::{Counts, Task};
use crate::system::linear::Failure;
use crate::tuning::T;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Whether threads are wanted, there, and worth it.
pub(super) fn pays(task: &Task<'_>, desk: &Desk) -> bool {
    let Task { t, plan, .. } = *task;
    plan.parallel
        && plan.is_direct()
        && plan.is_aligned()
        && !desk.profile.is_on()
        && t.pattern.size() >= T.layout.threads_pay
        && t.pattern.size() - largest(task) >= T.layout.threads_pay
        && rayon::current_num_threads() > 1
}

/// Unknowns of the largest system.
fn largest(task: &Task<'_>) -> usize {
    let unknowns = |k: usize| starts(task, &k).map_or(0, |s| s.islands().map(|island| island.x.len()).sum());
    (0..task.t.islands.len()).map(unknowns).max().unwrap_or(0)
}

/// What one thread did: its counts, and the first island where it failed.
#[derive(Default)]
struct Outcome {
    counts: Counts,
    failure: Option<(usize, Failure)>,
}

impl Outcome {
    fn with(mut self, other: Outcome) -> Outcome {
        self.counts.add(&other.counts);
        let earlier = |a: &(usize, Failure), b: &(usize, Failure)| a.0.cmp(&b.0);
        self.failure = self.failure.into_iter().chain(other.failure).min_by(earlier);
        self
    }
}

/// Solves all systems.
pub(super) fn solve(task: &Task<'_>, to: &mut Desk, desks: &mut Vec<Desk>) -> Result<Counts, Failure> {
    let t = task.t;
    let threads = rayon::current_num_threads();
    while desks.len() < threads {
        desks.push(Desk::default().renewed(t));
    }
    let next = AtomicUsize::new(0);
    let few = (t.islands.len() / (T.layout.turns * threads)).clamp(1, 64);
    let work = |desk: &mut Desk| {
        desk.begin(t, task.h);
        work_at(task, desk, &next, few)
    };
    let done = desks.par_iter_mut().with_max_len(1).map(work).reduce(Outcome::default, Outcome::with);
    if done.failure.is_none() {
        for desk in desks.iter() {
            for k in (0..t.islands.len()).filter(|&k| desk.next.posed[k]) {
                to.take(t, k, desk);
                if let Some(cluster) = starts(task, &k).and_then(|s| s.cluster) {
                    to.take_cluster(t, cluster, desk);
                }
            }
            to.bounded.tally.add(&desk.bounded.tally);
        }
    }
    done.failure.map_or(Ok(done.counts), |(_, f)| Err(f))
}

/// Takes islands as long as there are some. They are handed out in order, so those before a failure are all solved or being solved.
fn work_at(task: &Task<'_>, desk: &mut Desk, next: &AtomicUsize, few: usize) -> Outcome {
    let count = task.t.islands.len();
    let mut out = Outcome::default();
    loop {
        let first = next.fetch_add(few, Ordering::Relaxed);
        if first >= count {
            return out;
        }
        for k in first..count.min(first + few) {
            match starts(task, &k).map(|system| system.run(desk)).transpose() {
                Ok(counts) => out.counts.add(&counts.unwrap_or_default()),
                Err(f) => {
                    next.fetch_max(count, Ordering::Relaxed);
                    out.failure = Some((k, f));
                    return out;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Body, Hinge, MassProperties, Options, Rope, Vec3, World};

    /// Chains with limits, a rope at the end of each, and free bodies.
    fn world(parallel: bool) -> World {
        let mut w = World::new();
        w.set_options(Options { parallel, ..Options::default() }).unwrap();
        for n in 0..50 {
            let mass = MassProperties::cuboid(500.0, Vec3::new(0.1, 0.02, 0.02)).unwrap();
            let mut last = w.ground();
            for k in 0..12 {
                let at = Vec3::new(0.2 * f64::from(k), 0.0, f64::from(n));
                let b = w.add(Body::dynamic(mass).at(at + 0.1 * Vec3::X)).unwrap();
                let hinge = Hinge::between(b, last).at(at).axis(Vec3::Z);
                w.add(if n % 3 == 0 { hinge } else { hinge.limit(-0.2, 0.2) }).unwrap();
                last = b;
            }
            let p = w[last].pos;
            let load = w.add(Body::particle(0.5).at(p - 0.2 * Vec3::Y)).unwrap();
            w.add(Rope::between(load, last).length(0.3)).unwrap();
            w.add(Body::dynamic(mass).at(p + Vec3::Y)).unwrap();
        }
        w
    }

    #[test]
    fn threads_do_not_change_a_bit() {
        let (mut a, mut b) = (world(false), world(true));
        rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap().install(|| {
            for k in 0..60 {
                assert_eq!(a.step(0.01).unwrap(), b.step(0.01).unwrap(), "step {k}");
                assert!(a.state() == b.state(), "step {k}");
            }
        });
        assert!(b.size().unwrap().bytes > a.size().unwrap().bytes, "no thread had a desk of its own");
    }
}

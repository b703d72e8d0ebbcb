//! Jobs on the threads of this process.

use std::sync::Mutex;
use std::sync::mpsc;

/// Does all jobs on so many threads, and tells of each when it is done, in the order in which they end. After `stop` has said yes, or `tell` has
/// failed, no further job is begun. A job that gives nothing was stopped.
///
/// # Errors
///
/// What `tell` fails with.
pub fn spread<J: Send, R: Send, E>(
    jobs: impl Iterator<Item = J> + Send,
    threads: usize,
    stop: &(impl Fn() -> bool + Sync),
    work: impl Fn(J) -> Option<R> + Sync,
    mut tell: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let jobs = Mutex::new(jobs);
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (send, jobs, work) = (send.clone(), &jobs, &work);
            scope.spawn(move || {
                while !stop() {
                    let job = jobs.lock().ok().and_then(|mut jobs| jobs.next());
                    let Some(result) = job.map(work) else { break };
                    if result.is_some_and(|r| send.send(r).is_err()) {
                        break;
                    }
                }
            });
        }
        drop(send);
        // The receiver is gone after a failure: threads end at their next job.
        receive.into_iter().try_for_each(&mut tell)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn every_job_is_done_once() {
        let mut seen = Vec::new();
        let tell = |k| {
            seen.push(k);
            Ok::<(), ()>(())
        };
        spread(0..1000, 4, &|| false, Some, tell).unwrap();
        seen.sort_unstable();
        assert!(seen.into_iter().eq(0..1000));
    }

    #[test]
    fn a_failure_and_a_stop_end_it() {
        let begun = AtomicUsize::new(0);
        let work = |k: usize| {
            begun.fetch_add(1, Ordering::Relaxed);
            Some(k)
        };
        assert_eq!(spread(0..1_000_000, 2, &|| false, work, |_| Err("full")), Err("full"));
        assert!(begun.load(Ordering::Relaxed) < 1_000_000);
        let begun = AtomicUsize::new(0);
        let stop = || begun.load(Ordering::Relaxed) >= 10;
        let work = |k: usize| {
            begun.fetch_add(1, Ordering::Relaxed);
            Some(k)
        };
        let mut told = 0;
        let tell = |_| {
            told += 1;
            Ok::<(), ()>(())
        };
        spread(0..1000, 2, &stop, work, tell).unwrap();
        assert!((10..=12).contains(&told), "{told}");
    }
}

//! Shares of a list on threads. Each is a stretch of the list, and what comes of them is put together in their order: the result
//! is that of one thread.

#[cfg(all(feature = "parallel", not(target_family = "wasm")))]
use crate::tuning::T;
#[cfg(all(feature = "parallel", not(target_family = "wasm")))]
use rayon::prelude::*;

/// How many shares work on so many things has, with a worker for each: one where threads are not wanted, not there or not worth it.
pub(super) fn shares<W: Default>(wanted: bool, things: usize, workers: &mut Vec<W>) -> usize {
    let count = if wanted { most(things) } else { 1 };
    while workers.len() < count {
        workers.push(W::default());
    }
    count
}

#[cfg(all(feature = "parallel", not(target_family = "wasm")))]
fn most(things: usize) -> usize {
    if things < T.layout.shares_pay {
        return 1;
    }
    match rayon::current_num_threads() {
        1 => 1,
        threads => T.layout.shares * threads,
    }
}

#[cfg(not(all(feature = "parallel", not(target_family = "wasm"))))]
fn most(_: usize) -> usize {
    1
}

/// Gives each worker its share, in order.
pub(super) fn divide<T: Sync, W: Send>(things: &[T], workers: &mut [W], work: impl Fn(&[T], &mut W) + Sync) {
    let size = things.len().div_ceil(workers.len()).max(1);
    #[cfg(all(feature = "parallel", not(target_family = "wasm")))]
    if workers.len() > 1 {
        let shared = things.par_chunks(size).zip(workers.par_iter_mut()).with_max_len(1);
        return shared.for_each(|(share, worker)| work(share, worker));
    }
    things.chunks(size).zip(workers).for_each(|(share, worker)| work(share, worker));
}

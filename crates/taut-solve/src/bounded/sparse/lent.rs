//! Work memory and a counter behind a shared reference, such that a world can still be shared between threads. Never contended.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A vector that is taken out, used and put back.
#[derive(Debug, Default)]
pub(super) struct Lent(Mutex<Vec<f64>>);

impl Lent {
    fn lock(&self) -> MutexGuard<'_, Vec<f64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn take(&self) -> Vec<f64> {
        std::mem::take(&mut *self.lock())
    }

    pub(super) fn replace(&self, x: Vec<f64>) {
        *self.lock() = x;
    }

    pub(super) fn get_mut(&mut self) -> &mut Vec<f64> {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clone for Lent {
    fn clone(&self) -> Self {
        Lent(Mutex::new(self.lock().clone()))
    }
}

/// A counter.
#[derive(Debug, Default)]
pub(super) struct Counter(AtomicUsize);

impl Counter {
    pub(super) fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn set(&self, n: usize) {
        self.0.store(n, Ordering::Relaxed);
    }
}

impl Clone for Counter {
    fn clone(&self) -> Self {
        Counter(AtomicUsize::new(self.get()))
    }
}

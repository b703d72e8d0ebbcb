//! What C holds handles of. A handle is a number that is given once and never dereferenced, so that one that was freed, made up or is of
//! another kind is an error and no more.

use crate::call::{Fault, TautStatus};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, TryLockError};

/// Things of one kind, by handle.
pub(crate) struct Registry<T> {
    what: &'static str,
    list: RwLock<BTreeMap<usize, Arc<Mutex<T>>>>,
}

/// Handles are counted over all kinds, so that none is valid in two.
static LAST: AtomicUsize = AtomicUsize::new(0);

impl<T> Registry<T> {
    /// An empty one of things that are called so.
    pub const fn new(what: &'static str) -> Self {
        Registry { what, list: RwLock::new(BTreeMap::new()) }
    }

    /// Takes something in; tells its handle.
    pub fn add<H>(&self, value: T) -> *mut H {
        let handle = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        self.list.write().unwrap_or_else(PoisonError::into_inner).insert(handle, Arc::new(Mutex::new(value)));
        std::ptr::without_provenance_mut(handle)
    }

    /// Takes it out.
    pub fn remove<H>(&self, handle: *const H) -> Result<(), Fault> {
        let mut list = self.list.write().unwrap_or_else(PoisonError::into_inner);
        // Dropped after the lock is: it may be large.
        let out = list.remove(&handle.addr());
        drop(list);
        out.map(drop).ok_or_else(|| self.missing(handle.addr()))
    }

    /// Works with it, alone.
    pub fn with<H, R>(&self, handle: *const H, work: impl FnOnce(&mut T) -> Result<R, Fault>) -> Result<R, Fault> {
        let found = self.list.read().unwrap_or_else(PoisonError::into_inner).get(&handle.addr()).cloned();
        let entry = found.ok_or_else(|| self.missing(handle.addr()))?;
        let mut value = match entry.try_lock() {
            Ok(value) => value,
            Err(TryLockError::WouldBlock) => {
                let message = format!("{}: another thread is in a call with it; expected one at a time", self.what);
                return Err(Fault::new(TautStatus::Busy, message));
            }
            Err(TryLockError::Poisoned(_)) => {
                let message =
                    format!("{}: an internal error has left it half changed; expected it to be freed", self.what);
                return Err(Fault::new(TautStatus::Internal, message));
            }
        };
        work(&mut value)
    }

    fn missing(&self, handle: usize) -> Fault {
        let what = self.what;
        let message = match handle {
            0 => format!("{what} = NULL: expected one"),
            _ => format!("{what} = {handle:#x}: expected one that was made and not freed"),
        };
        Fault::new(TautStatus::BadHandle, message)
    }
}

//! An allocator that counts, for the tests of this crate and of those that plug into it.
#![allow(unsafe_code, reason = "an allocator that counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::backtrace::Backtrace;
use std::cell::Cell;
use taut::World;

struct Counting;

thread_local! {
    /// Allocations of this thread while it counts; `None` while it does not.
    pub static COUNT: Cell<Option<usize>> = const { Cell::new(None) };
}

fn count() {
    let Some(n) = COUNT.get() else { return };
    // Printing allocates too.
    COUNT.set(None);
    if n == 0 {
        println!("first allocation:\n{}", Backtrace::force_capture());
    }
    COUNT.set(Some(n + 1));
}

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Steps `w` and counts; the first step may allocate.
pub fn allocations(w: &mut World, steps: usize, h: f64) -> usize {
    w.step(h).unwrap();
    COUNT.set(Some(0));
    for _ in 0..steps {
        w.step(h).unwrap();
    }
    COUNT.replace(None).unwrap()
}

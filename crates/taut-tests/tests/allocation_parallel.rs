//! Islands solved side by side allocate nothing either, on no thread. A file of its own: the counter counts the whole process.
#![allow(unsafe_code, reason = "an allocator that counts")]

mod common;

use common::{ball, rod, world};
use rayon::ThreadPoolBuilder;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use taut::{Body, Hinge, Options, Vec3, World};

struct Counting;

static ON: AtomicBool = AtomicBool::new(false);
static COUNT: AtomicUsize = AtomicUsize::new(0);

fn count() {
    if ON.load(Ordering::Relaxed) {
        COUNT.fetch_add(1, Ordering::Relaxed);
    }
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

/// Chains of hinges that rub, so that every one is a cluster with bounded rows, and chains that do not.
fn chains() -> World {
    let mut w = world(Options::default());
    for n in 0..80 {
        let mut last = w.ground();
        for k in 0..12 {
            let at = Vec3::new(0.2 * f64::from(k), 0.0, f64::from(n));
            let mass = if k == 11 { ball(1.0, 0.1) } else { rod(0.2, 0.2, 0.02) };
            let b = w.add(Body::dynamic(mass).at(at + Vec3::X * 0.1)).unwrap();
            let hinge = Hinge::between(b, last).at(at).axis(Vec3::Z);
            w.add(match n % 4 {
                0 => hinge,
                2 => hinge.friction(0.1),
                _ => hinge.friction(0.05),
            })
            .unwrap();
            last = b;
        }
    }
    w
}

#[test]
fn steps_on_two_threads_do_not_allocate() {
    let mut w = chains();
    let before = w.size().unwrap().bytes;
    ThreadPoolBuilder::new().num_threads(2).build().unwrap().install(|| {
        // Both threads must have met the largest cluster.
        for _ in 0..40 {
            w.step(0.01).unwrap();
        }
        assert!(w.size().unwrap().bytes > before + before / 2, "threads were not used");
        ON.store(true, Ordering::Relaxed);
        for _ in 0..100 {
            w.step(0.01).unwrap();
        }
        ON.store(false, Ordering::Relaxed);
    });
    assert_eq!(COUNT.load(Ordering::Relaxed), 0);
}

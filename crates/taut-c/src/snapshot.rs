//! Going back, and states that are kept.

use crate::call::{Fault, TautStatus, call, copy, list, out};
use crate::registry::Registry;
use crate::world::{TautWorld, WORLDS, on};
use taut_scenes::Snapshot;

/// A world as it was.
pub struct TautSnapshot(());

static SNAPSHOTS: Registry<(usize, Snapshot)> = Registry::new("snapshot");

/// Keeps the whole world as it is now, in memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_world_snapshot(world: *const TautWorld, snapshot: *mut *mut TautSnapshot) -> TautStatus {
    on(world, |held| {
        // SAFETY: see the rules of the crate.
        let to = unsafe { out(snapshot, "snapshot") }?;
        to.put(SNAPSHOTS.add((world.addr(), held.scene.snapshot())));
        Ok(())
    })
}

/// Goes back to a snapshot of the same world, whatever was added, removed or broken since; it may be gone back to again. Handles of parts
/// that were added since name nothing, or what is added in their place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_world_restore(world: *mut TautWorld, snapshot: *const TautSnapshot) -> TautStatus {
    call(|| {
        WORLDS.with(world, |held| {
            SNAPSHOTS.with(snapshot, |(of, kept)| {
                if *of != world.addr() {
                    return Err(Fault::input("snapshot: expected one of this world"));
                }
                held.scene.restore(kept);
                Ok(())
            })
        })
    })
}

/// Frees a snapshot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_snapshot_free(snapshot: *mut TautSnapshot) -> TautStatus {
    call(|| SNAPSHOTS.remove(snapshot))
}

/// Writes the state of the world and of its events into `buffer`, for a file or another process, and how many bytes that are into `length`.
/// With NULL for `buffer` the length is told alone; it does not change before the next step or change of the world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_world_state_write(
    world: *const TautWorld,
    buffer: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> TautStatus {
    // SAFETY: see the rules of the crate.
    on(world, |held| unsafe { copy(&held.scene.to_bytes(), buffer, capacity, length) })
}

/// Goes on from such bytes, of this world or of one that was built in the same way; damaged bytes, and those of a world with other bodies
/// or joints (also where some have broken or been removed since) are refused. Options, masses, limits and constant forces are no part of
/// them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_world_state_read(world: *mut TautWorld, bytes: *const u8, length: usize) -> TautStatus {
    on(world, |held| {
        // SAFETY: see the rules of the crate.
        let bytes = unsafe { list(bytes, length, "bytes") }?;
        Ok(held.scene.restore_bytes(bytes)?)
    })
}

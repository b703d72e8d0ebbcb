//! The C API of Taut (`include/taut.h`).
//!
//! # Rules
//!
//! - Every function returns a `TautStatus`; `taut_last_error` has the words of the last error of the thread. A call that fails has changed
//!   nothing.
//! - Handles of worlds, snapshots and parts are numbers that are checked: NULL, one that was freed or removed, and one of another world are
//!   errors. All other pointers must be NULL or valid for the call, texts end with a zero and are UTF-8, arrays have at least as many
//!   elements as is said. NULL where something is needed is an error.
//! - Different worlds may be used by different threads at the same time. A world may go from thread to thread; two calls with one world at
//!   the same time are no data race: the second is refused with `TAUT_STATUS_BUSY`.
//! - No panic and no exception crosses the border.
//! - SI units; positions and directions are those of the world. Rotations are quaternions x, y, z, w.
#![allow(unsafe_code, reason = "pointers of C; every block says what it relies on")]
#![allow(clippy::missing_safety_doc, reason = "what a caller in C must keep to is said once, above and in the header")]

mod call;
mod control;
mod fmi;
mod options;
mod parts;
mod read;
mod registry;
mod snapshot;
mod world;

pub use call::{TautStatus, taut_last_error};
pub use control::*;
pub use fmi::*;
pub use options::*;
pub use parts::*;
pub use read::*;
pub use snapshot::*;
pub use world::*;

//! Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The exit status of an interrupted run.
pub const STATUS: u8 = 130;

/// The first Ctrl-C asks the run to end after the step at hand, the second ends the program.
pub fn listen() {
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(STATUS.into());
        }
    });
}

/// Whether Ctrl-C was pressed.
pub fn pressed() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

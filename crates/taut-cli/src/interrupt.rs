//! Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The exit status after it.
pub const STATUS: u8 = 130;

/// From now on the first Ctrl-C only asks to stop; the second ends the program.
pub fn listen() {
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(STATUS.into());
        }
    });
}

/// Whether it was pressed.
pub fn requested() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

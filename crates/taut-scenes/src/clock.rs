//! Clocks: the engine has none of its own.

use std::sync::OnceLock;
use std::time::Instant;

/// Seconds since the first call.
pub fn clock() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// Seconds that this thread has run, where the system tells: other work on the machine does not count.
#[cfg(unix)]
pub fn thread_clock() -> f64 {
    let now = nix::time::clock_gettime(nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID);
    now.map_or(0.0, |t| t.tv_sec() as f64 + 1e-9 * t.tv_nsec() as f64)
}

/// Seconds since the first call: this system does not tell how long a thread has run.
#[cfg(not(unix))]
pub fn thread_clock() -> f64 {
    clock()
}

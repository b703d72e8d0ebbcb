//! A clock for budgets in time: the engine has none of its own.

use std::sync::OnceLock;
use std::time::Instant;

/// Seconds since the first call.
pub fn clock() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

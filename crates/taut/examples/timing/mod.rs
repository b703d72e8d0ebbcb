//! Time of the examples that measure.

/// Seconds that this thread has run.
#[cfg(unix)]
pub fn clock() -> f64 {
    let now = nix::time::clock_gettime(nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID);
    now.map_or(0.0, |t| t.tv_sec() as f64 + 1e-9 * t.tv_nsec() as f64)
}

/// Seconds since the first call.
#[cfg(not(unix))]
pub fn clock() -> f64 {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed().as_secs_f64()
}

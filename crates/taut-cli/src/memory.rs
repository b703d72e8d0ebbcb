//! How much memory a run may take, and what this machine has.

use std::fs::read_to_string;

/// Part of what is available that a world may take.
const SHARE: f64 = 0.8;
/// What is taken to be available where the system does not tell, bytes.
const UNKNOWN: f64 = 8e9;

/// Reads a limit in GB.
pub fn gigabytes(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() && x > 0.0 => Ok(x),
        _ => Err("expected a positive, finite number of GB".into()),
    }
}

/// Sets what a world may take: what was asked for, or a share of what is available.
pub fn limit(asked: Option<f64>) {
    let bytes = asked.map_or_else(|| SHARE * available().unwrap_or(UNKNOWN), |gb| gb * 1e9);
    taut::memory::set_memory_limit(bytes as u64);
}

/// Memory that can be had without swapping, bytes: that of the machine or of the group of processes, whichever is less.
fn available() -> Option<f64> {
    let text = read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|l| l.starts_with("MemAvailable:"))?;
    let machine = 1024.0 * line.split_whitespace().nth(1)?.parse::<f64>().ok()?;
    let number = |file: &str| read_to_string(file).ok()?.trim().parse::<f64>().ok();
    let group = number("/sys/fs/cgroup/memory.max").zip(number("/sys/fs/cgroup/memory.current")).map(|(m, c)| m - c);
    Some(group.map_or(machine, |g| g.max(0.0).min(machine)))
}

/// Memory of this process that is in use, bytes; none where the system does not tell.
pub fn resident() -> Option<f64> {
    let text = read_to_string("/proc/self/statm").ok()?;
    // Pages are of 4096 bytes on the machines this is read on.
    text.split_whitespace().nth(1)?.parse::<f64>().ok().map(|pages| 4096.0 * pages)
}

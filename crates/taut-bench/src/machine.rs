//! When and where a run took place, and with what.

use crate::peers::Peer;
use crate::table::{Report, Table};
use std::time::{SystemTime, UNIX_EPOCH};

/// Prints date, machine, versions and settings.
pub fn describe(peers: &[Peer], report: &mut Report<'_>) {
    report.say(&format!("{} on {}", date(), cpu()));
    report.say("All engines run on one thread, built by the same compiler for the same target; MuJoCo is its published binary.");
    let mut versions: Vec<&str> = peers.iter().map(|p| p.version.as_str()).collect();
    versions.dedup();
    report.say(&versions.join(", "));
    let mut table = Table::new(["name", "settings"]);
    for p in peers {
        table.row([p.name, p.settings]);
    }
    report.say("");
    report.table(&table);
}

/// Today in UTC, as year-month-day.
fn date() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let (y, m, d) = civil(seconds / 86_400);
    format!("{y}-{m:02}-{d:02}")
}

/// Year, month and day of a count of days since 1970.
fn civil(mut days: u64) -> (u64, u64, u64) {
    let leap = |y: u64| y.is_multiple_of(4) && (!y.is_multiple_of(100) || y.is_multiple_of(400));
    let mut y = 1970;
    while days >= 365 + u64::from(leap(y)) {
        days -= 365 + u64::from(leap(y));
        y += 1;
    }
    let lengths = [31, 28 + u64::from(leap(y)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut m = 1;
    for length in lengths {
        if days < length {
            break;
        }
        days -= length;
        m += 1;
    }
    (y, m, days + 1)
}

fn cpu() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|l| l.strip_prefix("model name")).and_then(|l| l.split_once(':'));
    format!("{}, {cores} cores", name.map_or(std::env::consts::ARCH, |(_, n)| n.trim()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn days_become_dates() {
        assert_eq!(super::civil(0), (1970, 1, 1));
        assert_eq!(super::civil(19_782), (2024, 2, 29));
        assert_eq!(super::civil(20_818), (2026, 12, 31));
    }
}

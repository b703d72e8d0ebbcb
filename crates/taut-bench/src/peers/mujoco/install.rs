//! Finds a Python that has MuJoCo, or makes one: a virtual environment in the user's cache folder.

use crate::Result;
use crate::table::Report;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A Python that can import MuJoCo.
pub fn python(report: &mut Report<'_>) -> Result<PathBuf> {
    let venv = cache()?.join("taut").join("mujoco");
    let own = if cfg!(windows) { venv.join("Scripts").join("python.exe") } else { venv.join("bin").join("python3") };
    let system = PathBuf::from(if cfg!(windows) { "python" } else { "python3" });
    for python in [&system, &own] {
        if imports(python) {
            return Ok(python.clone());
        }
    }
    report.doing(&format!("installing the Python package mujoco in {}", venv.display()));
    call(Command::new(&system).args(["-m", "venv"]).arg(&venv))?;
    call(Command::new(&own).args(["-m", "pip", "install", "--quiet", "mujoco"]))?;
    if imports(&own) { Ok(own) } else { Err(format!("mujoco: {} cannot import it after installing it", own.display())) }
}

fn cache() -> Result<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    set("XDG_CACHE_HOME")
        .or_else(|| set("HOME").map(|h| h.join(".cache")))
        .or_else(|| set("LOCALAPPDATA"))
        .ok_or_else(|| "mujoco: expected XDG_CACHE_HOME, HOME or LOCALAPPDATA, to install the package there".into())
}

fn imports(python: &Path) -> bool {
    let quiet = |c: &mut Command| c.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet(Command::new(python).args(["-c", "import mujoco"])).is_ok_and(|s| s.success())
}

fn call(command: &mut Command) -> Result<()> {
    let text = format!("{command:?}");
    let done = command.stdin(Stdio::null()).output().map_err(|e| format!("mujoco: {text}: {e}"))?;
    if done.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    let last: Vec<&str> = said.lines().rev().take(3).collect();
    Err(format!("mujoco: {text} failed: {}", last.into_iter().rev().collect::<Vec<_>>().join(" ")))
}

//! A `taut` binary, run as a program of its own.

use super::Trouble;
use super::cells::Cell;
use serde_json::Value;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Median time of a step, s.
    Time,
    /// Instructions of a step.
    Instructions,
}

impl Measure {
    /// Counting, if valgrind is there.
    pub fn instructions() -> Result<Self, String> {
        match Command::new(VALGRIND).arg("--version").stdin(Stdio::null()).output() {
            Ok(o) if o.status.success() => Ok(Measure::Instructions),
            Ok(o) => Err(format!("--instructions: `{VALGRIND} --version` ended with {}", o.status)),
            Err(e) => Err(format!("--instructions: {VALGRIND}: {e}; expected valgrind to be installed")),
        }
    }
}

const VALGRIND: &str = "valgrind";
/// Steps whose instructions are counted: callgrind takes 50 times as long as the program alone.
const COUNTED: u32 = 20;

/// A binary that answered as `taut`.
pub struct Binary {
    /// A or B.
    name: &'static str,
    /// Where it is, as the user wrote it.
    pub path: PathBuf,
    program: PathBuf,
    /// What `--version` prints.
    pub version: String,
}

/// What a run gave.
pub struct Ran {
    /// Time in s or instructions of a step.
    pub cost: f64,
    /// Hash of the final state.
    pub hash: String,
}

impl Binary {
    /// Asks the program at this path whether it is `taut`.
    pub fn new(name: &'static str, path: &Path) -> Result<Self, String> {
        let refuse = |why: String| format!("{name} = {}: {why}; expected a taut binary", path.display());
        // A bare name is a file here, not a program of the search path.
        let program = path.canonicalize().map_err(|e| refuse(e.to_string()))?;
        let told = output(&program, ["--version"]).map_err(|e| refuse(e.to_string()))?;
        let version = String::from_utf8_lossy(&told.stdout).trim().to_string();
        if !told.status.success() || !version.starts_with("taut ") {
            let line = version.lines().next().unwrap_or_default();
            return Err(refuse(format!("`--version` printed \"{line}\" and ended with {}", told.status)));
        }
        Ok(Binary { name, path: path.into(), program, version })
    }

    /// Runs a cell once.
    pub fn run(&self, cell: &Cell, measure: Measure) -> Result<Ran, Trouble> {
        match measure {
            Measure::Time => {
                let told = self.told(output(&self.program, cell.arguments(cell.steps)))?;
                let outcome = self.outcome(&told)?;
                let time = outcome["us_per_step"].as_f64();
                let time =
                    time.ok_or_else(|| self.failed("no number us_per_step in the output of `taut run --json`"))?;
                Ok(Ran { cost: 1e-6 * time, hash: outcome["state_hash"].to_string() })
            }
            Measure::Instructions => {
                // The first step lays out the matrix, and the program has to start: both are in the count that is taken away.
                let (first, _) = self.count(cell, 1)?;
                let (all, hash) = self.count(cell, 1 + COUNTED)?;
                Ok(Ran { cost: (all - first) / f64::from(COUNTED), hash })
            }
        }
    }

    /// Instructions of a run of so many steps, and the hash of its end.
    fn count(&self, cell: &Cell, steps: u32) -> Result<(f64, String), Trouble> {
        let mut arguments = vec!["--tool=callgrind".to_string(), "--callgrind-out-file=/dev/null".into()];
        arguments.push(self.program.display().to_string());
        arguments.extend(cell.arguments(steps));
        let told = self.told(output(Path::new(VALGRIND), arguments))?;
        let hash = self.outcome(&told)?["state_hash"].to_string();
        let counted = collected(&String::from_utf8_lossy(&told.stderr));
        Ok((counted.ok_or_else(|| self.failed("callgrind printed no count"))?, hash))
    }

    /// A program that ran to its end, or why it did not.
    fn told(&self, output: std::io::Result<Output>) -> Result<Output, Trouble> {
        let told = output.map_err(|e| self.failed(&e.to_string()))?;
        let complaint = String::from_utf8_lossy(&told.stderr);
        let line = complaint.lines().find(|l| l.starts_with("error")).unwrap_or_default();
        match told.status.code() {
            Some(0) => Ok(told),
            Some(1) => Err(self.failed("the run diverged")),
            Some(2) => Err(Trouble::Missing(format!("not in {}: {line}", self.name))),
            _ => Err(self.failed(&format!("ended with {}: {line}", told.status))),
        }
    }

    fn outcome(&self, told: &Output) -> Result<Value, Trouble> {
        serde_json::from_slice(&told.stdout).map_err(|e| self.failed(&format!("`taut run --json`: {e}")))
    }

    fn failed(&self, why: &str) -> Trouble {
        Trouble::Failed(format!("{}: {why}", self.name))
    }
}

/// Runs a program to its end, on one thread: the work is compared, not the machine.
fn output<S: AsRef<OsStr>>(program: &Path, arguments: impl IntoIterator<Item = S>) -> std::io::Result<Output> {
    Command::new(program).args(arguments).env("RAYON_NUM_THREADS", "1").stdin(Stdio::null()).output()
}

/// The count that callgrind prints: "==123== Collected : 456".
fn collected(text: &str) -> Option<f64> {
    let line = text.lines().find(|l| l.contains("Collected :"))?;
    line.rsplit(':').next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_count_of_callgrind_is_read() {
        assert_eq!(super::collected("==7== Events    : Ir\n==7== Collected : 1234\n"), Some(1234.0));
        assert_eq!(super::collected("==7== no such line\n"), None);
    }
}

//! What of a sweep is done: a file beside its output to which every run adds a line when it is over.
//!
//! A line is written with one call and counts when it is whole, so that a process that is killed at any moment loses the runs that were
//! under way and no other. When all are done the output is written at once, in the order of the runs, and the journal is removed.

use crate::row::Row;
use crate::sweep::Sweep;
use crate::table::{Format, Table};
use crate::task::{Done, Timing};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The first line: what is swept, and by which version.
#[derive(PartialEq, Serialize, Deserialize)]
struct Head {
    taut_sweep: u32,
    version: String,
    sweep: Sweep,
}

/// The journal of a sweep.
pub struct Journal {
    path: PathBuf,
    out: PathBuf,
    format: Format,
    file: File,
    total: u64,
    done: BTreeMap<u64, (Row, Timing)>,
    resumed: u64,
}

impl Journal {
    /// Of a sweep whose table goes to a file that ends in .csv or .parquet. Where there is a journal of the same sweep already, it goes on with
    /// that. With `overwrite`, what is there is begun anew.
    ///
    /// # Errors
    ///
    /// An output that is there already, a journal of another sweep, and files that cannot be read or written.
    pub fn open(out: &Path, sweep: &Sweep, overwrite: bool) -> Result<Self, String> {
        let format =
            Format::of(out).ok_or_else(|| format!("{}: expected a file ending in .csv or .parquet", out.display()))?;
        let path = beside(out, "journal");
        let told = |e: std::io::Error| format!("{}: {e}", path.display());
        let head = Head { taut_sweep: 1, version: env!("CARGO_PKG_VERSION").into(), sweep: sweep.clone() };
        let head = serde_json::to_string(&head).map_err(|e| e.to_string())? + "\n";
        let old = if overwrite || !path.exists() { Vec::new() } else { std::fs::read(&path).map_err(told)? };
        if old.is_empty() && out.exists() && !overwrite {
            return Err(format!(
                "{} is there already: expected another file, or leave to write over it",
                out.display()
            ));
        }
        let (kept, done) = read(&old, &head, sweep.count()).ok_or_else(|| {
            let path = path.display();
            format!("{path} is the journal of another sweep or version: expected the same, another output, or leave to write over it")
        })?;
        let mut file = OpenOptions::new().create(true).append(true).open(&path).map_err(told)?;
        // A line that was cut short goes.
        file.set_len(kept as u64).map_err(told)?;
        if kept == 0 {
            file.write_all(head.as_bytes()).map_err(told)?;
        }
        let resumed = done.len() as u64;
        Ok(Journal { out: out.to_owned(), format, file, total: sweep.count(), done, resumed, path })
    }

    /// Runs of the sweep.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Runs that were done when it was opened.
    pub fn resumed(&self) -> u64 {
        self.resumed
    }

    /// The numbers of the runs that are still to be done.
    pub fn left(&self) -> Vec<u64> {
        (0..self.total).filter(|k| !self.done.contains_key(k)).collect()
    }

    /// Keeps a run. One that is kept already stays as it is.
    ///
    /// # Errors
    ///
    /// A journal that cannot be written, and a run that the sweep does not have.
    pub fn record(&mut self, done: Done) -> Result<(), String> {
        if done.run >= self.total {
            return Err(format!("run {}: expected a number below {}", done.run, self.total));
        }
        if self.done.contains_key(&done.run) {
            return Ok(());
        }
        let line = serde_json::to_string(&done).map_err(|e| e.to_string())? + "\n";
        self.file.write_all(line.as_bytes()).map_err(|e| format!("{}: {e}", self.path.display()))?;
        self.done.insert(done.run, (done.row, done.timing));
        Ok(())
    }

    /// The rows that are done, in the order of the runs.
    pub fn rows(&self) -> impl Iterator<Item = &Row> + Clone {
        self.done.values().map(|d| &d.0)
    }

    /// The table of times: run, s, steps per second.
    pub fn timing(&self) -> Table {
        let row = |(run, (_, t)): (&u64, &(Row, Timing))| {
            let mut row = Row::default();
            row.push("run", crate::Cell::count(*run));
            row.push("seconds", crate::Cell::finite(t.seconds));
            row.push("steps_per_second", crate::Cell::finite(t.steps_per_second));
            row
        };
        let rows: Vec<Row> = self.done.iter().map(row).collect();
        Table::of(rows.iter())
    }

    /// Writes the table of all runs and removes the journal.
    ///
    /// # Errors
    ///
    /// Runs that are missing, and files that cannot be written.
    pub fn finish(self) -> Result<Table, String> {
        if let Some(run) = self.left().first() {
            return Err(format!("run {run} of {} is not done", self.total));
        }
        let table = Table::of(self.rows());
        save(&table, self.format, &self.out)?;
        std::fs::remove_file(&self.path).map_err(|e| format!("{}: {e}", self.path.display()))?;
        Ok(table)
    }
}

/// Writes a table beside a file and then in its place: whoever looks sees the old one or the whole new one.
pub(crate) fn save(table: &Table, format: Format, path: &Path) -> Result<(), String> {
    let new = beside(path, "new");
    let told = |e: std::io::Error| format!("{}: {e}", path.display());
    let file = File::create(&new).map_err(told)?;
    table.write(format, &file).and_then(|()| file.sync_all()).map_err(told)?;
    std::fs::rename(&new, path).map_err(told)
}

/// The name of a file with another ending after its own.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

/// What is done.
type Rows = BTreeMap<u64, (Row, Timing)>;

/// How many bytes of a journal count, and what is done; nothing for the journal of another sweep.
fn read(bytes: &[u8], head: &str, total: u64) -> Option<(usize, Rows)> {
    let mut done = Rows::new();
    let (mut kept, mut first) = (0, true);
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        if !line.ends_with(b"\n") {
            break;
        }
        if std::mem::take(&mut first) {
            // A first line that is whole is the word of some sweep.
            if line != head.as_bytes() {
                return None;
            }
        } else {
            let Ok(d) = serde_json::from_slice::<Done>(line) else { break };
            if d.run >= total {
                break;
            }
            done.entry(d.run).or_insert((d.row, d.timing));
        }
        kept += line.len();
    }
    Some((kept, done))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Cell, Source};

    fn sweep() -> Sweep {
        Sweep { vary: vec![Axis::parse("ratio=1,2,3").unwrap()], ..Sweep::of(Source::Library("chain".into())) }
    }

    fn done(run: u64) -> Done {
        let mut row = Row::default();
        row.push("run", Cell::count(run));
        row.push("x", Cell::Number(0.1 * run as f64));
        Done { run, row, timing: Timing { seconds: 0.5, steps_per_second: 3.0 } }
    }

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("taut-fleet-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn a_journal_cut_anywhere_loses_the_last_line_and_no_other() {
        let folder = folder("cut");
        let out = folder.join("runs.csv");
        let mut journal = Journal::open(&out, &sweep(), false).unwrap();
        (0..2).for_each(|k| journal.record(done(k)).unwrap());
        drop(journal);
        let path = beside(&out, "journal");
        let whole = std::fs::read(&path).unwrap();
        let ends: Vec<usize> = (0..whole.len()).filter(|k| whole[*k] == b'\n').map(|k| k + 1).collect();
        for n in 0..=whole.len() {
            std::fs::write(&path, &whole[..n]).unwrap();
            let mut journal = Journal::open(&out, &sweep(), false).unwrap();
            let lines = ends.iter().filter(|e| **e <= n).count();
            assert_eq!(journal.resumed(), lines.saturating_sub(1) as u64, "cut at {n}");
            // What is written after that is whole.
            for k in journal.left() {
                journal.record(done(k)).unwrap();
            }
            let rows: Vec<Row> = journal.rows().cloned().collect();
            drop(journal);
            let again = Journal::open(&out, &sweep(), false).unwrap();
            assert!(again.left().is_empty() && again.rows().eq(&rows), "cut at {n}");
        }
        let table = Journal::open(&out, &sweep(), false).unwrap().finish().unwrap();
        assert_eq!(table.rows.len(), 3);
        assert!(!path.exists() && out.exists());
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn outputs_and_journals_of_others_are_not_written_over() {
        let folder = folder("others");
        let out = folder.join("runs.parquet");
        let mut journal = Journal::open(&out, &sweep(), false).unwrap();
        journal.record(done(1)).unwrap();
        journal.record(Done { timing: Timing::default(), ..done(1) }).unwrap();
        assert_eq!(journal.left(), [0, 2]);
        assert!(journal.record(done(3)).unwrap_err().contains("below 3"));
        assert!(journal.finish().err().unwrap().contains("run 0 of 3"));
        let other = Sweep { kick: Some(1.0), ..sweep() };
        assert!(Journal::open(&out, &other, false).err().unwrap().contains("another sweep"));
        assert_eq!(Journal::open(&out, &other, true).unwrap().left().len(), 3);
        let _ = std::fs::remove_file(beside(&out, "journal"));
        std::fs::write(&out, "something").unwrap();
        assert!(Journal::open(&out, &sweep(), false).err().unwrap().contains("is there already"));
        assert!(Journal::open(&folder.join("runs.txt"), &sweep(), false).err().unwrap().contains(".parquet"));
        std::fs::remove_dir_all(folder).unwrap();
    }
}

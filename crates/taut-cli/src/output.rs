//! Standard output and output files.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Writes to standard output. A reader that has had enough (`taut list | head -1`) is not an error.
pub fn print(text: &str) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => Err(format!("standard output: {e}")),
        _ => Ok(()),
    }
}

/// Writes a line to standard error, if anyone can read it.
pub fn complain(message: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{message}");
}

/// A file that is opened before the run and written during or after it. Until `begin`, what was there stays; a file that was not
/// there is removed again if the run never begins.
pub struct OutputFile {
    path: PathBuf,
    file: Option<File>,
    created: bool,
}

impl OutputFile {
    /// Opens the file for writing; `option` is the option that named it.
    pub fn open(option: &str, path: &Path) -> Result<Self, String> {
        let created = !path.exists();
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(|e| format!("{option} = {}: {e}; expected a file that can be written", path.display()))?;
        Ok(OutputFile { path: path.into(), file: Some(file), created })
    }

    /// Hands over the emptied file.
    pub fn begin(mut self) -> Result<File, String> {
        let Some(file) = self.file.take() else { return Err(format!("{} is in use", self.path.display())) };
        // A pipe or a device has no length.
        if file.metadata().is_ok_and(|m| m.is_file()) {
            file.set_len(0).map_err(|e| format!("{}: {e}", self.path.display()))?;
        }
        Ok(file)
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if self.file.is_some() && self.created {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

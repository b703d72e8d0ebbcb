//! Running the command and reading what it prints.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Runs `taut` with these arguments and no standard input.
pub fn taut(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_taut")).args(args).stdin(Stdio::null()).output().unwrap()
}

/// What it printed.
pub fn out(o: &Output) -> String {
    String::from_utf8(o.stdout.clone()).unwrap()
}

/// What it complained of.
pub fn err(o: &Output) -> String {
    String::from_utf8(o.stderr.clone()).unwrap()
}

/// A folder of a test that is not there yet.
pub fn new_folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    path
}

/// Expects exit status 2, nothing on standard output, and some words on standard error.
pub fn refused(args: &[&str], words: &[&str]) {
    let o = taut(args);
    assert_eq!(o.status.code(), Some(2), "{args:?}: {}", err(&o));
    assert!(out(&o).is_empty(), "{args:?}: {}", out(&o));
    for w in words {
        assert!(err(&o).contains(w), "{args:?}: '{}' lacks '{w}'", err(&o));
    }
}

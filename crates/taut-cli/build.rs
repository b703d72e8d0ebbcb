//! Puts the built page into the binary: every file of `web/dist`, or none when the page was not built; and the commit that is
//! checked out, where the sources are a Git repository.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/dist");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    collect(&folder, "", &mut files);
    files.sort();
    let mut out = String::from(
        "/// Paths and contents of the files of the page, sorted.\npub static FILES: &[(&str, &[u8])] = &[\n",
    );
    for (name, path) in files {
        let _ = writeln!(out, "    ({name:?}, include_bytes!({:?})),", path.display().to_string());
    }
    out += "];\n";
    let to = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("page.rs");
    std::fs::write(to, out).expect("the build folder can be written");
    if let Some(commit) = commit(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.git")) {
        println!("cargo::rustc-env=TAUT_COMMIT={commit}");
    }
}

/// The commit that `HEAD` of a repository names, read from its files; `None` where they are elsewhere, as in a linked work tree.
fn commit(git: &Path) -> Option<String> {
    let read = |path: &Path| {
        let text = std::fs::read_to_string(path).ok()?;
        println!("cargo::rerun-if-changed={}", path.display());
        Some(text)
    };
    let head = read(&git.join("HEAD"))?;
    // Written by every commit, wherever the branch is kept.
    let _ = read(&git.join("logs/HEAD"));
    let Some(branch) = head.trim().strip_prefix("ref: ") else { return Some(head.trim().into()) };
    if let Some(commit) = read(&git.join(branch)) {
        return Some(commit.trim().into());
    }
    let packed = read(&git.join("packed-refs"))?;
    packed.lines().find_map(|line| line.strip_suffix(branch)?.strip_suffix(' ').map(Into::into))
}

/// Files of a folder and those below it, without hidden ones.
fn collect(folder: &Path, prefix: &str, out: &mut Vec<(String, PathBuf)>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        let (path, name) = (entry.path(), format!("{prefix}{name}"));
        if path.is_dir() {
            collect(&path, &format!("{name}/"), out);
        } else if let Ok(path) = path.canonicalize() {
            out.push((name, path));
        }
    }
}

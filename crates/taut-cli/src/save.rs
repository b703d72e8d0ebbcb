//! `taut run --save`: a scene as a scene file.

use crate::load::Loaded;
use crate::output::{self, OutputFile};
use std::io::Write;
use std::path::Path;
use taut_scenes::file;

/// The path, unless something is there that may not be written over.
pub fn checked(path: Option<&Path>, overwrite: bool) -> Result<Option<&Path>, String> {
    checked_as("--save", path, overwrite)
}

/// The same of a path that is called otherwise.
pub fn checked_as<'a>(name: &str, path: Option<&'a Path>, overwrite: bool) -> Result<Option<&'a Path>, String> {
    match path {
        Some(p) if p.exists() && !overwrite => {
            Err(format!("{name} = {}: expected a file that is not there yet, or --overwrite", p.display()))
        }
        path => Ok(path),
    }
}

/// Writes the scene as it is now, to be run with this step (s) for this time (s), and tells what the file does not say.
pub fn write(out: OutputFile, loaded: &Loaded, dt: f64, time: f64) -> Result<(), String> {
    let refused = |e: file::FileError| format!("--save: {e}");
    let mut saved = file::from_scene(&loaded.scene).map_err(refused)?;
    saved.file.name = Some(loaded.name.clone());
    (saved.file.outputs.dt, saved.file.outputs.time) = (Some(dt.into()), Some(time.into()));
    let text = file::write(&saved.file).map_err(refused)?;
    out.begin()?.write_all(text.as_bytes()).map_err(|e| format!("--save: {e}"))?;
    saved.warnings.iter().for_each(|w| output::complain(&format!("warning: --save: {w}")));
    Ok(())
}

//! A scene file from the disk, with the tables and meshes that it names, ready to run.

use super::{FileError, SceneFile, build, load_meshes, load_tables, parse};
use crate::scene::Scene;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Largest scene file and mesh that are read, bytes.
const LARGEST: u64 = 1 << 28;
/// Largest table that is read, bytes.
const LARGEST_TABLE: u64 = 1 << 26;

/// A scene file that was read and built.
#[derive(Debug)]
pub struct Opened {
    /// The file, with its tables and meshes in it.
    pub file: SceneFile,
    /// Its scene.
    pub scene: Scene,
    /// What was odd about its meshes, a sentence each.
    pub warnings: Vec<String>,
}

/// Reads and builds a scene file. Tables and meshes are looked for in its folder.
///
/// # Errors
///
/// In words for the user, with the place in the file.
pub fn open(path: &Path) -> Result<Opened, String> {
    // In the words of the standard library for text that is none.
    let text = std::io::read_to_string(bytes(path, LARGEST)?.as_slice()).map_err(|e| e.to_string())?;
    open_text(&text, Some(path.parent().unwrap_or(Path::new(""))))
}

/// The same with its text; without a folder it may name no tables and meshes.
///
/// # Errors
///
/// In words for the user, with the place in the text.
pub fn open_text(text: &str, folder: Option<&Path>) -> Result<Opened, String> {
    let located = |e: FileError| e.located(text).to_string();
    let beside = |name: &str, most: u64| match folder {
        Some(folder) => bytes(&folder.join(name), most),
        None => Err("there is no folder to look for it in: expected its numbers in the scene file".into()),
    };
    let mut file = parse(text).map_err(|e| e.to_string())?;
    let table =
        |name: &str| std::io::read_to_string(beside(name, LARGEST_TABLE)?.as_slice()).map_err(|e| e.to_string());
    load_tables(&mut file, table).map_err(located)?;
    let warnings = load_meshes(&mut file, |name| beside(name, LARGEST)).map_err(located)?;
    let scene = build(&file).map_err(located)?;
    Ok(Opened { file, scene, warnings })
}

/// The bytes of a mesh or of a model, when there are not too many.
///
/// # Errors
///
/// In words for the user.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, String> {
    bytes(path, LARGEST)
}

/// A file of so many bytes at most.
fn bytes(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    let file = File::open(path).map_err(|e| e.to_string())?;
    file.take(most + 1).read_to_end(&mut out).map_err(|e| e.to_string())?;
    if out.len() as u64 > most {
        return Err(format!("expected a file of at most {} MB", most >> 20));
    }
    Ok(out)
}

//! `taut convert`: a file of another program as a scene file.

use crate::load;
use crate::models::Models;
use crate::output::OutputFile;
use crate::{endings, save};
use std::io::Write;
use std::path::{Path, PathBuf};
use taut_scenes::{choices, file};

/// Arguments of `taut convert`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A robot or model: URDF, or MJCF (the XML of MuJoCo).
    #[arg(value_name = "FILE.urdf|xml")]
    model: PathBuf,
    /// The scene file to write; a file that is there is not touched.
    #[arg(value_name = "FILE.json")]
    scene: PathBuf,
    /// Write over a file that is there.
    #[arg(long)]
    overwrite: bool,
    /// Set a place of the scene file, such as bodies.load.mass, as `taut sweep --vary` names it; may be repeated.
    #[arg(long, value_name = "PLACE=VALUE", value_parser = choices::assignment)]
    set: Vec<(String, String)>,
    #[command(flatten)]
    models: Models,
}

const EXAMPLES: &str = "Examples:
  taut convert robot.urdf robot.json
  taut convert humanoid.xml humanoid.json --no-contacts
  taut run robot.json

The scene file runs to the same bits as the model itself. Meshes are in it. What the scene does not take over from the model is told with
its line: docs/guide/other-files.md says what becomes of each element.";

/// Reads one and writes the other.
pub fn convert(args: &Args) -> Result<u8, String> {
    endings::of("scene file", &args.scene, &["json"])?;
    let out = save::checked_as("scene file", Some(&args.scene), args.overwrite)?.unwrap_or(Path::new(""));
    if !taut_import::is_model(&args.model) {
        return Err(format!("{}: expected a model, a file ending in .urdf or .xml", args.model.display()));
    }
    let mut imported = load::imported(&args.model, &args.models)?;
    imported.file = load::set_places(&imported.file, &args.set)?;
    // What cannot be run is not written.
    load::built(&args.model, &imported.file)?;
    args.models.tell(&imported.report);
    let text = file::write(&imported.file).map_err(|e| format!("{}: {e}", out.display()))?;
    let file = OutputFile::open("scene file", out)?;
    file.begin()?.write_all(text.as_bytes()).map_err(|e| format!("{}: {e}", out.display()))?;
    Ok(0)
}

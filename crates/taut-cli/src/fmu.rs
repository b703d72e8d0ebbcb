//! `taut fmu`: a scene as an FMU for co-simulation.

use crate::load::{Loaded, load};
use crate::output::{self, OutputFile};
use crate::{endings, memory};
use std::io::Write;
use std::path::{Path, PathBuf};
use taut_fmu::{Kind, Model, Recipe, Role, Version};
use taut_scenes::{choices, file};

/// Arguments of `taut fmu`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A scene of the library (see `taut list`), or a scene file ending in .json.
    #[arg(value_name = "SCENE|FILE.json")]
    scene: String,
    /// The FMU to write; default: the name of the scene with .fmu, in this folder. A file that is there is written over.
    #[arg(short, long, value_name = "FILE.fmu")]
    output: Option<PathBuf>,
    /// Version of FMI: 2 or 3.
    #[arg(long, value_name = "2|3", default_value = "3", value_parser = ["2", "3"])]
    fmi: String,
    /// Set a parameter of the scene, in the unit that `taut list SCENE` tells, or a place of a file, such as bodies.load.mass; may be
    /// repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = choices::assignment)]
    set: Vec<(String, String)>,
    /// Internal step in seconds, also as a fraction such as 1/60; default: the scene's own (1/60 s for a file that says none).
    #[arg(long, value_name = "S", value_parser = choices::seconds, allow_negative_numbers = true)]
    dt: Option<f64>,
    /// What has variables, by name, separated by commas: joints, motors, ropes, bodies, springs, deformables; default: all that
    /// `taut run --signals` shows, which of bodies are those that the scene follows.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    signals: Option<Vec<String>>,
    /// Print the variables, one line each with its role and unit, and write nothing.
    #[arg(long)]
    list: bool,
    /// The shared library of the crate taut-c; default: the one beside this program.
    #[arg(long, value_name = "PATH")]
    library: Option<PathBuf>,
}

const EXAMPLES: &str = "Examples:
  taut fmu crane -o crane.fmu
  taut fmu crates/taut-scenes/files/hoist.json --fmi 2
  taut fmu crane --set load=500 --signals load,hook --list

The library in an FMU is that of the crate taut-c, for this machine: `cargo build --release -p taut-c` builds it.";

/// Writes an FMU.
pub fn fmu(args: &Args) -> Result<u8, String> {
    memory::limit(None);
    let loaded = load(&args.scene, &args.set)?;
    let recipe = recipe(args, &loaded);
    let text = loaded.file.as_ref().map(|f| file::write(f).map_err(|e| e.to_string())).transpose()?;
    if args.list {
        return output::print(&variables(&Model::new(&recipe, text.as_deref())?)).map(|()| 0);
    }
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.fmu", recipe.name.replace('/', "-"))));
    endings::of("--output", &path, &["fmu"])?;
    let library = library(args.library.as_deref())?;
    let version = if args.fmi == "2" { Version::Two } else { Version::Three };
    let out = OutputFile::open("--output", &path)?;
    let bytes = taut_fmu::pack(&recipe, text.as_deref(), &library, version)?;
    out.begin()?.write_all(&bytes).map_err(|e| format!("--output = {}: {e}", path.display()))?;
    let size = bytes.len() as f64 / 1e6;
    output::print(&format!("{}: FMI {}.0 for co-simulation, {size:.1} MB\n", path.display(), args.fmi))?;
    Ok(0)
}

fn recipe(args: &Args, loaded: &Loaded) -> Recipe {
    Recipe {
        name: loaded.name.clone(),
        scene: (!loaded.from_file).then(|| loaded.name.clone()),
        // Those of a scene file are in its text.
        parameters: if loaded.from_file { Vec::new() } else { args.set.clone() },
        signals: args.signals.clone(),
        dt: args.dt.unwrap_or(loaded.dt),
        time: loaded.time,
    }
}

/// The bytes of the shared library.
fn library(given: Option<&Path>) -> Result<Vec<u8>, String> {
    let path = match given {
        Some(path) => path.to_owned(),
        None => {
            let program = std::env::current_exe().map_err(|e| format!("--library: {e}"))?;
            program.with_file_name(taut_fmu::library_name())
        }
    };
    taut_fmu::read_library(&path).map_err(|e| format!("--library = {e}"))
}

/// A line for each variable.
fn variables(model: &Model) -> String {
    let line = |v: &taut_fmu::Variable| {
        let role = v.role.name();
        let unit = match (v.kind, v.unit.as_str()) {
            (Kind::Boolean, _) => " true or false".to_owned(),
            (Kind::Text, _) => " text".to_owned(),
            (Kind::Real, "") => String::new(),
            (Kind::Real, unit) => format!(" [{unit}]"),
        };
        let start = match (v.role, v.kind) {
            (Role::Parameter | Role::Input, Kind::Boolean) => format!(" = {}", v.start != 0.0),
            (Role::Parameter | Role::Input, _) => format!(" = {}", v.start),
            _ => String::new(),
        };
        format!("{role:<9} {}{unit}{start}\n", v.name)
    };
    model.variables().iter().map(line).collect()
}

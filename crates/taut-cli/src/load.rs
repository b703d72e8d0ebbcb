//! Finds what to run: a scene of the library by name, or a scene file.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use taut_scenes::{Scene, Value, all, file, nearest};

/// A scene ready to run.
pub struct Loaded {
    /// Name in reports.
    pub name: String,
    /// Parameters with their values and units; none for a file.
    pub parameters: Vec<(&'static str, Value, &'static str)>,
    /// The scene.
    pub scene: Scene,
    /// Its own step, s.
    pub dt: f64,
    /// Its own simulated time, s.
    pub time: f64,
}

/// Largest scene file that is read, bytes.
const LARGEST: u64 = 1 << 28;

/// Finds and builds a scene.
pub fn load(what: &str, set: &[(String, String)]) -> Result<Loaded, String> {
    let scenes = all();
    if let Some(info) = scenes.iter().find(|s| s.name == what) {
        let names = info.parameters.iter().map(|p| p.name);
        if let Some((name, _)) = set.iter().find(|(n, _)| !info.parameters.iter().any(|p| p.name == n)) {
            let list: Vec<&str> = names.clone().collect();
            let hint = nearest(name, names).map_or(String::new(), |n| format!("; did you mean {n}?"));
            return Err(format!("--set {name}: expected one of {}{hint}", list.join(", ")));
        }
        let given: Vec<(&str, &str)> = set.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        let (scene, values) = info.with(&given).map_err(|e| format!("{what}: {e}"))?;
        let unit = |name| info.parameters.iter().find(|p| p.name == name).map_or("", |p| p.unit);
        let parameters = values.iter().map(|(n, v)| (n, v.clone(), unit(n))).collect();
        return Ok(Loaded { name: what.into(), parameters, scene, dt: info.dt, time: info.time });
    }
    let path = Path::new(what);
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json")) || (path.exists() && !path.is_dir()) {
        if let Some((name, _)) = set.first() {
            return Err(format!("--set {name}: expected none with a scene file, which has no parameters"));
        }
        return open(path).map_err(|e| format!("{what}: {e}"));
    }
    let names: Vec<&str> = scenes.iter().map(|s| s.name).collect();
    let hint = nearest(what, names.iter().copied()).map_or(String::new(), |n| format!("; did you mean {n}?"));
    Err(format!("scene = '{what}': expected one of {}, or a .json file{hint}", names.join(", ")))
}

fn open(path: &Path) -> Result<Loaded, String> {
    let mut text = String::new();
    let file = File::open(path).map_err(|e| e.to_string())?;
    file.take(LARGEST + 1).read_to_string(&mut text).map_err(|e| e.to_string())?;
    if text.len() as u64 > LARGEST {
        return Err(format!("expected a file of at most {} MB", LARGEST >> 20));
    }
    let parsed = file::parse(&text).map_err(|e| e.to_string())?;
    let scene = file::build(&parsed).map_err(|e| e.located(&text).to_string())?;
    let stem = path.file_stem().map_or(String::new(), |s| s.to_string_lossy().into_owned());
    let (dt, time) = (parsed.outputs.dt(), parsed.outputs.time());
    Ok(Loaded { name: parsed.name.unwrap_or(stem), parameters: Vec::new(), scene, dt, time })
}

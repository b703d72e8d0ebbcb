//! Finds what to run: a scene of the library by name, a scene file, or a model of another program.

use crate::models::Models;
use std::path::Path;
use taut_scenes::file::{Followed, Opened, SceneFile};
use taut_scenes::signals::{Signals, Wanted};
use taut_scenes::{Scene, SceneInfo, Value, all, file, nearest};

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
    /// What tables and plots follow, at least one body.
    pub follow: Vec<Followed>,
    /// Whether it is a scene file.
    pub from_file: bool,
    /// The scene file with its tables in it.
    pub file: Option<SceneFile>,
}

impl Loaded {
    /// Columns of signals.
    pub fn signals(&self, wanted: &Wanted) -> Result<Signals, String> {
        Signals::new(&self.scene, self.from_file, &self.follow, wanted).map_err(|e| format!("--signals {e}"))
    }
}

/// Finds and builds a scene.
pub fn load(what: &str, set: &[(String, String)]) -> Result<Loaded, String> {
    load_with(what, set, &Models::default())
}

/// The same with choices for a model of another program.
pub fn load_with(what: &str, set: &[(String, String)], models: &Models) -> Result<Loaded, String> {
    let scenes = all();
    let path = Path::new(what);
    let is_model = taut_import::is_model(path);
    if let (Some(option), false) = (models.given(), is_model) {
        return Err(format!("{option}: expected it only with a model of another program (.urdf, .xml)"));
    }
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
        let follow = vec![Followed::Body(scene.follow)];
        let (name, dt, time) = (what.into(), info.dt, info.time);
        return Ok(Loaded { name, parameters, scene, dt, time, follow, from_file: false, file: None });
    }
    let is_json = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
    if is_json || is_model || (path.exists() && !path.is_dir()) {
        let loaded = if is_model { open_model(path, models) } else { open(path).map_err(|e| format!("{what}: {e}")) }?;
        return with_places(path, loaded, set);
    }
    Err(unknown(what, &scenes, ", or a .json, .urdf or .xml file"))
}

/// Refuses a name that no scene has; `or` is what else would have been taken.
pub fn unknown(what: &str, scenes: &[SceneInfo], or: &str) -> String {
    let names: Vec<&str> = scenes.iter().map(|s| s.name).collect();
    let hint = nearest(what, names.iter().copied()).map_or(String::new(), |n| format!("; did you mean {n}?"));
    format!("scene = '{what}': expected one of {}{or}{hint}", names.join(", "))
}

fn open(path: &Path) -> Result<Loaded, String> {
    let Opened { file: parsed, scene, warnings } = file::open(path)?;
    warnings.iter().for_each(|w| eprintln!("{}: {w}", path.display()));
    Ok(loaded(path, parsed, scene))
}

/// A model of another program as a scene file; errors name the file.
pub fn imported(path: &Path, models: &Models) -> Result<taut_import::Imported, String> {
    models.import(path, file::read_bytes)
}

/// The scene of a model, which says nothing of lines any more.
pub fn built(path: &Path, file: &SceneFile) -> Result<Scene, String> {
    file::build(file).map_err(|e| format!("{}: as a scene file: {e}", path.display()))
}

fn open_model(path: &Path, models: &Models) -> Result<Loaded, String> {
    let imported = imported(path, models)?;
    models.tell(&imported.report);
    let scene = built(path, &imported.file)?;
    Ok(loaded(path, imported.file, scene))
}

/// What was loaded, with other values at places of its scene file.
fn with_places(path: &Path, loaded: Loaded, set: &[(String, String)]) -> Result<Loaded, String> {
    let (Some(file), false) = (&loaded.file, set.is_empty()) else { return Ok(loaded) };
    let file = set_places(file, set)?;
    let scene = file::build(&file).map_err(|e| format!("--set: {}", file::FileError { position: None, ..e }))?;
    Ok(self::loaded(path, file, scene))
}

/// A scene file with values at places, as `taut sweep --vary` names them.
pub fn set_places(file: &SceneFile, set: &[(String, String)]) -> Result<SceneFile, String> {
    taut_fleet::set_places(file, set).map_err(|e| format!("--set {e}"))
}

/// What a file is with its scene.
fn loaded(path: &Path, parsed: SceneFile, scene: Scene) -> Loaded {
    let stem = path.file_stem().map_or(String::new(), |s| s.to_string_lossy().into_owned());
    let mut follow = parsed.followed(&scene.world);
    if !follow.iter().any(|f| matches!(f, Followed::Body(_))) {
        follow.push(Followed::Body(scene.follow));
    }
    Loaded {
        name: parsed.name.clone().unwrap_or(stem),
        parameters: Vec::new(),
        scene,
        dt: parsed.outputs.dt(),
        time: parsed.outputs.time(),
        follow,
        from_file: true,
        file: Some(parsed),
    }
}

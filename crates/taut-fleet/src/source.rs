//! Where the scene of a task comes from, and how what is set is put into it.

use crate::cell::Cell;
use crate::place;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use taut_scenes::file::{self, Followed, SceneFile};
use taut_scenes::{Scene, SceneInfo, Wanted, all, choices, nearest};

/// Where a scene comes from. It is all that is needed to build it: a scene file comes with its tables and meshes in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// A scene of the library by name.
    Library(String),
    /// The document of a scene file.
    File(Value),
}

/// What is not of a scene but of its runs; a parameter of a scene with such a name comes first.
const OPTIONS: [&str; 8] =
    ["dt", "time", "coordinates", "stabiliser", "solver", "bounded", "bounded_tolerance", "sleep"];

/// The name of the parameter that the scenes of the library with random starts of their own have.
const SEED: &str = "seed";

/// A scene with all that was set.
pub(crate) struct Ready {
    pub scene: Scene,
    pub dt: f64,
    pub time: f64,
    pub follow: Vec<Followed>,
    pub from_file: bool,
}

/// What is set, by what it is.
#[derive(Default)]
struct Settings<'a> {
    dt: Option<f64>,
    time: Option<f64>,
    wanted: Wanted,
    sleep: Option<bool>,
    parameters: Vec<(&'a str, String)>,
    places: Vec<(&'a str, &'a Cell)>,
}

impl Source {
    /// Of a scene file that has been read, with its tables and meshes.
    ///
    /// # Errors
    ///
    /// What cannot be said in a scene file.
    pub fn of_file(file: &SceneFile) -> Result<Self, String> {
        file::document(file).map(Source::File).map_err(|e| e.to_string())
    }

    /// The name of the scene; a scene file may have none.
    pub fn name(&self) -> &str {
        match self {
            Source::Library(name) => name,
            Source::File(document) => document.get("name").and_then(Value::as_str).unwrap_or("a scene file"),
        }
    }

    /// Whether the scene has random starts of its own.
    pub(crate) fn has_seed(&self) -> bool {
        self.info().is_ok_and(|i| i.is_some_and(|i| i.parameters.iter().any(|p| p.name == SEED)))
    }

    fn info(&self) -> Result<Option<SceneInfo>, String> {
        let Source::Library(name) = self else { return Ok(None) };
        let scenes = all();
        let found = scenes.iter().find(|s| s.name == name).cloned();
        found.map(Some).ok_or_else(|| {
            let names = scenes.iter().map(|s| s.name);
            let hint = nearest(name, names.clone()).map_or(String::new(), |n| format!("; did you mean {n}?"));
            format!("scene = '{name}': expected one of {}{hint}", names.collect::<Vec<_>>().join(", "))
        })
    }

    /// Whether something can be set to a value, without building the scene.
    pub(crate) fn check(&self, name: &str, cell: &Cell) -> Result<(), String> {
        let set = [(name.to_owned(), cell.clone())];
        let settings = self.sorted(self.info()?.as_ref(), &set)?;
        if let Source::File(document) = self {
            with_places(document.clone(), &settings.places)?;
        }
        Ok(())
    }

    /// Builds the scene with all that is set; a seed goes to a scene that has starts of its own.
    pub(crate) fn build(&self, set: &[(String, Cell)], seed: Option<u64>) -> Result<Ready, String> {
        let info = self.info()?;
        let mut settings = self.sorted(info.as_ref(), set)?;
        if let Some(seed) = seed.filter(|_| self.has_seed()) {
            settings.parameters.push((SEED, seed.to_string()));
        }
        let mut ready = match self {
            Source::File(document) => from_file(document, &settings.places)?,
            Source::Library(_) => from_library(info.as_ref(), &settings.parameters)?,
        };
        settings.apply(&mut ready)?;
        Ok(ready)
    }

    fn sorted<'a>(&self, info: Option<&SceneInfo>, set: &'a [(String, Cell)]) -> Result<Settings<'a>, String> {
        let mut out = Settings::default();
        for (name, cell) in set {
            let own = info.and_then(|i| i.parameters.iter().find(|p| p.name == name));
            if let Some(parameter) = own {
                let text = if let Cell::Number(x) = cell { x.to_string() } else { cell.to_string() };
                parameter.parse(&text).map_err(|e| e.to_string())?;
                out.parameters.push((name, text));
            } else if OPTIONS.contains(&name.as_str()) {
                out.option(name, cell).map_err(|e| format!("{name} = {cell}: {e}"))?;
            } else if let Some(info) = info {
                let names = || info.parameters.iter().map(|p| p.name).chain(OPTIONS);
                let hint = nearest(name, names()).map_or(String::new(), |n| format!("; did you mean {n}?"));
                return Err(format!("{name}: expected one of {}{hint}", names().collect::<Vec<_>>().join(", ")));
            } else {
                out.places.push((name, cell));
            }
        }
        Ok(out)
    }
}

impl Settings<'_> {
    fn option(&mut self, name: &str, cell: &Cell) -> Result<(), String> {
        let text = cell.to_string();
        let w = &mut self.wanted;
        match name {
            "dt" => self.dt = Some(choices::seconds(&text)?),
            "time" => self.time = Some(choices::seconds(&text)?),
            "coordinates" => w.coordinates = Some(choices::coordinates(&text)?),
            "stabiliser" => w.stabiliser = Some(choices::stabiliser(&text)?),
            "solver" => w.solver = Some(choices::solver(&text)?),
            "bounded" => w.bounded = Some(choices::bounded(&text)?),
            "bounded_tolerance" => w.bounded_tolerance = Some(choices::number(&text)?),
            _ => {
                let on = ["on", "true"].contains(&text.as_str());
                if !on && !["off", "false"].contains(&text.as_str()) {
                    return Err("expected on or off".into());
                }
                self.sleep = Some(on);
            }
        }
        Ok(())
    }

    fn apply(&self, ready: &mut Ready) -> Result<(), String> {
        ready.dt = self.dt.unwrap_or(ready.dt);
        ready.time = self.time.unwrap_or(ready.time);
        let world = &mut ready.scene.world;
        world.set_clock(taut_scenes::clock);
        self.wanted.apply(world).map_err(|e| e.to_string())?;
        let mut options = *world.options();
        options.sleep = self.sleep.unwrap_or(options.sleep);
        // Many runs go side by side already; the bits are the same.
        options.parallel = false;
        world.set_options(options).map_err(|e| e.to_string())
    }
}

fn from_library(info: Option<&SceneInfo>, parameters: &[(&str, String)]) -> Result<Ready, String> {
    let info = info.ok_or("expected a scene of the library")?;
    let given: Vec<(&str, &str)> = parameters.iter().map(|(n, v)| (*n, v.as_str())).collect();
    let (scene, _) = info.with(&given).map_err(|e| e.to_string())?;
    let follow = vec![Followed::Body(scene.follow)];
    Ok(Ready { scene, dt: info.dt, time: info.time, follow, from_file: false })
}

fn from_file(document: &Value, places: &[(&str, &Cell)]) -> Result<Ready, String> {
    let parsed = with_places(document.clone(), places)?;
    let scene = file::build(&parsed).map_err(|e| without_position(&e))?;
    let mut follow = parsed.followed(&scene.world);
    if !follow.iter().any(|f| matches!(f, Followed::Body(_))) {
        follow.push(Followed::Body(scene.follow));
    }
    Ok(Ready { dt: parsed.outputs.dt(), time: parsed.outputs.time(), scene, follow, from_file: true })
}

/// The scene file of a document with places set.
fn with_places(mut document: Value, places: &[(&str, &Cell)]) -> Result<SceneFile, String> {
    places.iter().try_for_each(|(place, cell)| place::set(&mut document, place, cell))?;
    file::parse(&document.to_string()).map_err(|e| without_position(&e))
}

/// A scene file with values at places, both as words: `bodies.load.mass` and `500`. Its tables and meshes are in it.
///
/// # Errors
///
/// A place that is not there, with the nearest that is, and a value that cannot stand there; each with its place.
pub fn set_places(file: &SceneFile, set: &[(String, String)]) -> Result<SceneFile, String> {
    let mut document = file::document(file).map_err(|e| e.to_string())?;
    let mut last = None;
    for (place, value) in set {
        if OPTIONS.contains(&place.as_str()) {
            let known = ["outputs.dt", "outputs.time"].into_iter().find(|k| k.ends_with(&format!(".{place}")));
            let own = known.map_or_else(|| format!("settings.{place}"), str::to_owned);
            return Err(format!("{place}: expected a place in the scene file, such as {own}"));
        }
        place::set(&mut document, place, &Cell::read(value))?;
        let parsed = file::parse(&document.to_string()).map_err(|e| {
            let e = without_position(&e);
            if e.starts_with(place.as_str()) { e } else { format!("{place} = {value}: {e}") }
        })?;
        last = Some(parsed);
    }
    Ok(last.unwrap_or_else(|| file.clone()))
}

/// What is wrong and where, and a field that may be meant; lines and columns are not those of the file that the user has.
fn without_position(e: &file::FileError) -> String {
    let message = file::FileError { position: None, ..e.clone() }.to_string();
    // An unknown field may be one that is misspelt.
    let Some((_, after)) = message.split_once("unknown field `") else { return message };
    let mut names = after.split('`').step_by(2);
    let field = names.next().unwrap_or_default();
    let hint = nearest(field, names).map_or(String::new(), |n| format!("; did you mean {n}?"));
    message + &hint
}

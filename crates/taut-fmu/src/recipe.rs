//! What an FMU holds beside its library: which scene it is, and how it is run.

use serde::{Deserialize, Serialize};
use std::path::Path;
use taut_scenes::file::{self, Followed};
use taut_scenes::signals::{Signals, Wanted};
use taut_scenes::{Scene, find};

/// The recipe, in the folder of resources.
pub const RECIPE: &str = "taut.json";
/// The scene file, in the same folder; none of a scene of the library.
pub const SCENE: &str = "scene.json";

/// Which scene, and how it is run.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Name of the model.
    pub name: String,
    /// A scene of the library; none: the scene file beside the recipe.
    pub scene: Option<String>,
    /// Its parameters.
    pub parameters: Vec<(String, String)>,
    /// Names of what has variables; none: all that `taut run --signals` shows.
    pub signals: Option<Vec<String>>,
    /// Step, s.
    pub dt: f64,
    /// Time that it is meant to be run for, s.
    pub time: f64,
}

/// A scene and what belongs to it.
pub(crate) struct Made {
    pub scene: Scene,
    pub signals: Signals,
    /// By name.
    pub winches: Vec<(String, taut::WinchId)>,
}

impl Recipe {
    /// Reads a recipe.
    ///
    /// # Errors
    ///
    /// In words, what is wrong.
    pub fn read(text: &str) -> Result<Recipe, String> {
        let recipe: Recipe = serde_json::from_str(text).map_err(|e| format!("{RECIPE}: {e}"))?;
        for (name, value) in [("dt", recipe.dt), ("time", recipe.time)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(format!("{RECIPE}: {name} = {value}: expected a positive, finite number of s"));
            }
        }
        Ok(recipe)
    }

    /// The recipe as text.
    ///
    /// # Errors
    ///
    /// Where a number has no words in JSON.
    pub fn write(&self) -> Result<String, String> {
        serde_json::to_string_pretty(self).map_err(|e| e.to_string())
    }

    /// Builds the scene; `file` is the text of the scene file.
    pub(crate) fn make(&self, file: Option<&str>) -> Result<Made, String> {
        let (mut scene, follow, winches) = match (&self.scene, file) {
            (Some(name), _) => {
                let given: Vec<(&str, &str)> = self.parameters.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
                let (scene, _) = find(name).and_then(|info| info.with(&given)).map_err(|e| e.to_string())?;
                let follow = vec![Followed::Body(scene.follow)];
                (scene, follow, Vec::new())
            }
            (None, Some(text)) => {
                let opened = file::open_text(text, None::<&Path>)?;
                let mut follow = opened.file.followed(&opened.scene.world);
                if !follow.iter().any(|f| matches!(f, Followed::Body(_))) {
                    follow.push(Followed::Body(opened.scene.follow));
                }
                let winches = opened.file.winches_in(&opened.scene.world);
                (opened.scene, follow, winches)
            }
            (None, None) => return Err(format!("{RECIPE}: expected the name of a scene, or {SCENE} beside it")),
        };
        scene.world.set_clock(taut_scenes::clock);
        let wanted = self.signals.clone().map_or(Wanted::All, Wanted::Some);
        let signals = Signals::new(&scene, self.scene.is_none(), &follow, &wanted)?;
        Ok(Made { scene, signals, winches })
    }
}

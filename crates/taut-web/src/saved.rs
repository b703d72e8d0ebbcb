//! A world as a scene file, for the page to edit.

use crate::session::Session;
use serde_json::json;
use taut_scenes::file;

impl Session {
    /// The world as it is now: `{ text, warnings }` as JSON, the text being that of a scene file that runs with the scene's own step.
    pub fn saved(&self) -> Result<String, String> {
        let refused = |e: file::FileError| format!("as a scene file: {e}");
        let mut saved = file::from_scene(&self.scene).map_err(refused)?;
        saved.file.name = Some(self.name.clone());
        (saved.file.outputs.dt, saved.file.outputs.time) = (Some(self.dt.into()), Some(self.duration.into()));
        let text = file::write(&saved.file).map_err(refused)?;
        Ok(json!({ "text": text, "warnings": saved.warnings }).to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saved_scene_takes_the_same_steps() {
        let mut scene = Session::library("chain", "{}", "{}").unwrap();
        let saved: serde_json::Value = serde_json::from_str(&scene.saved().unwrap()).unwrap();
        let mut again = Session::from_file(saved["text"].as_str().unwrap(), "{}").unwrap();
        assert_eq!(again.dt, scene.dt);
        for _ in 0..20 {
            scene.step(scene.dt).unwrap();
            again.step(again.dt).unwrap();
        }
        assert_eq!(again.hash(), scene.hash());
    }
}

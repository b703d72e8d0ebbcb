//! The motion of a run as a glTF file.

use crate::load::Loaded;
use crate::output::OutputFile;
use std::io::Write;
use taut::World;
use taut_draw::Recorder;

/// Frames per second of simulated time.
const FPS: f64 = 60.0;

/// A recording, or none.
pub struct Film(Option<Reel>);

struct Reel {
    file: OutputFile,
    recorder: Recorder,
    failure: Option<String>,
}

impl Film {
    /// Records into a file, if there is one.
    pub fn new(file: Option<OutputFile>, loaded: &Loaded) -> Result<Self, String> {
        let reel = |file| {
            let recorder = Recorder::new(&loaded.name, &loaded.scene, FPS).map_err(|e| format!("--gltf: {e}"))?;
            Ok(Reel { file, recorder, failure: None })
        };
        file.map(reel).transpose().map(Film)
    }

    /// Looks at the world after a step.
    pub fn see(&mut self, world: &World) {
        if let Some(reel) = self.0.as_mut().filter(|r| r.failure.is_none()) {
            reel.failure = reel.recorder.see(world).err().map(|e| e.to_string());
        }
    }

    /// Writes the file.
    pub fn finish(self) -> Result<(), String> {
        let Some(reel) = self.0 else { return Ok(()) };
        if let Some(why) = reel.failure {
            return Err(format!("--gltf: {why}"));
        }
        reel.file.begin()?.write_all(&reel.recorder.file()).map_err(|e| format!("--gltf: {e}"))
    }
}

//! The engines and the settings they run with.

#[cfg(feature = "peers")]
pub mod box3d;
pub mod mujoco;
#[cfg(feature = "peers")]
pub mod rapier;
pub mod taut;

use crate::scene::{Motion, Scene};
use crate::table::Report;
use crate::{Config, Result};
use std::time::Duration;
use taut_scenes::thread_clock;

/// A scene inside an engine.
pub trait Engine {
    /// One step; the processor time of the thread that the engine took for it.
    fn step(&mut self) -> Result<Duration>;
    /// Goes back to the start of the scene and takes so many steps in one go, with nothing in between; the processor time of all
    /// of them, without that of going back, s. `None` for an engine that cannot go back.
    fn replay(&mut self, _steps: usize) -> Result<Option<f64>> {
        Ok(None)
    }
    /// Poses and velocities of the bodies of the scene, in its order.
    fn read(&mut self, out: &mut [Motion]);
    /// Mass and moments of inertia of every body as the engine has them, kg and kg m^2.
    fn masses(&mut self) -> Vec<(f64, [f64; 3])>;
    /// Steps up to now of which the engine says that contacts or limits were not solved to its tolerance; `None` for one that does
    /// not tell.
    fn unconverged(&self) -> Option<usize> {
        None
    }
}

/// Builds a scene in an engine, to be stepped by so many s.
pub type Build = Box<dyn Fn(&Scene, f64) -> Result<Box<dyn Engine>>>;

/// An engine with one choice of settings.
pub struct Peer {
    /// Name in the tables.
    pub name: &'static str,
    /// Engine and version.
    pub version: String,
    /// The settings, in words.
    pub settings: &'static str,
    /// Whether it damps the motion on purpose: such a one is not asked to keep energy in the set-up check.
    pub damped: bool,
    /// Largest number of bodies worth trying: time that grows with the square or cube of it.
    pub most_bodies: usize,
    /// Whether it runs scenes with shapes and limits here.
    pub contacts: bool,
    /// Builds a scene.
    pub build: Build,
}

impl Peer {
    /// Whether this is another engine.
    pub fn is_other(&self) -> bool {
        self.name != taut::NAME
    }
}

/// What some work gives, and the processor time of this thread that it takes: other programs on the machine are not in it.
fn clocked<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begin = thread_clock();
    let done = work();
    (done, Duration::from_secs_f64((thread_clock() - begin).max(0.0)))
}

/// Taut first, then the others that are in this build.
pub fn all(config: &Config, report: &mut Report<'_>) -> Result<Vec<Peer>> {
    let mut peers = vec![taut::peer()];
    #[cfg(feature = "peers")]
    {
        peers.extend(rapier::peers(config.quick));
        peers.extend(box3d::peers());
    }
    if config.mujoco {
        peers.extend(mujoco::peers(report)?);
    }
    Ok(peers)
}

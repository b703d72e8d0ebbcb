//! Scenes for Taut: the experiments of the papers, the acceptance scenes, and the JSON scene file; one runner for all of them.

mod anytime;
mod bounded;
pub mod checks;
pub mod choices;
mod clock;
mod drive;
pub mod file;
pub mod fuzz;
pub mod golden;
mod hand;
mod happened;
mod joint_meter;
mod kept;
pub mod mechanisms;
mod method;
mod parameters;
mod paths;
mod random;
mod rotation;
mod run;
mod scene;
pub mod scenes;
mod setup;
pub mod signals;
mod smoothness;
pub mod soak;
pub mod soft;
mod stability;
mod suggest;
pub mod topology;

pub use anytime::AnytimeOutcome;
pub use bounded::{BoundedOutcome, EventCounts};
pub use clock::{clock, thread_clock};
pub use drive::{Drive, Fired, Stop};
pub use hand::{Hand, Wish};
pub use happened::{Broken, Conflicts};
pub use joint_meter::{
    CoordinateOutcome, JointMeter, JointOutcome, Peak, counting, freedom_unit, freedom_word, has_tension, opening,
};
pub use method::{Method, Wanted};
pub use parameters::{Parameter, Parameters, Value};
pub use paths::{PathError, path_error};
pub use random::Random;
pub use run::{Outcome, Sample, SoftOutcome, run, run_with};
pub use scene::{Scene, SceneInfo, Snapshot, all, find};
pub use setup::SetUp;
pub use smoothness::{Smoothness, SmoothnessMeter, smoothness};
pub use stability::{GAP_LIMIT, Judgement, RISE_LIMIT, Stability};
pub use suggest::nearest;

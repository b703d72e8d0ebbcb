//! Taut for the browser: scenes and their worlds behind a few calls, typed for TypeScript by wasm-bindgen. No physics of its own.
//!
//! `session` does the work and is plain Rust; `sim` hands it out. A call that fails throws its message as a string. Structured answers
//! are JSON, numbers that change with every step are typed arrays.

mod catalogue;
mod clock;
mod drives;
mod report;
mod rewind;
mod saved;
mod session;
mod sim;
mod spawn;
mod winches;

pub use session::Session;
pub use sim::Sim;

use wasm_bindgen::prelude::wasm_bindgen;

/// All scenes with their parameters, as JSON.
#[wasm_bindgen]
pub fn scenes() -> String {
    catalogue::scenes().to_string()
}

/// The words for stabilisers, solvers and coordinates with a line on each, as JSON.
#[wasm_bindgen]
pub fn choices() -> String {
    catalogue::choices().to_string()
}

/// Golden hashes of all scenes as this build makes them, one line each: those of the native build, bit for bit.
#[wasm_bindgen]
pub fn golden() -> String {
    taut_scenes::golden::text()
}

/// Version of the engine.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").into()
}

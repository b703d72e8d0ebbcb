//! Seconds, for budgets in time and for the times of stages: the engine has no clock of its own.

#[cfg(target_family = "wasm")]
mod browser {
    use wasm_bindgen::prelude::wasm_bindgen;

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = performance)]
        fn now() -> f64;
    }

    /// Seconds since the page was opened.
    pub fn seconds() -> f64 {
        1e-3 * now()
    }
}

#[cfg(target_family = "wasm")]
pub(crate) use browser::seconds;
#[cfg(not(target_family = "wasm"))]
pub(crate) use taut_scenes::clock as seconds;

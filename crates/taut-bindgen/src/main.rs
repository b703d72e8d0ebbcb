//! Makes the JavaScript and TypeScript around a WebAssembly module: `taut-bindgen MODULE.wasm FOLDER`.

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder] = arguments.as_slice() else {
        eprintln!("error: expected two arguments: MODULE.wasm FOLDER");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).typescript(true).remove_producers_section(true);
    let done = bindgen.web(true).and_then(|b| b.generate(folder));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("error: {module}: {e:#}");
            ExitCode::from(2)
        }
    }
}

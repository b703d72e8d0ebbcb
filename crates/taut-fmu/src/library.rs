//! The shared library of the crate `taut-c`, which goes into an FMU.

use std::path::Path;

/// Largest library that is read, bytes.
const LARGEST: u64 = 1 << 30;

/// The name of its file on this system.
#[must_use]
pub fn library_name() -> String {
    format!("{}taut_c{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX)
}

/// Its bytes.
///
/// # Errors
///
/// Where it cannot be read: the path, the reason, and the command that builds it.
pub fn read_library(path: &Path) -> Result<Vec<u8>, String> {
    let build = "`cargo build --release -p taut-c` in a clone of Taut builds it, as target/release/";
    let refuse =
        |e: String| format!("{}: {e}; expected the library of taut-c: {build}{}", path.display(), library_name());
    let size = std::fs::metadata(path).map_err(|e| refuse(e.to_string()))?.len();
    if size > LARGEST {
        return Err(refuse(format!("{size} bytes")));
    }
    std::fs::read(path).map_err(|e| refuse(e.to_string()))
}

//! `taut schema`.

use crate::output;

/// Prints the JSON Schema of a scene file.
pub fn schema() -> Result<u8, String> {
    let text = serde_json::to_string_pretty(&taut_scenes::file::schema()).map_err(|e| e.to_string())?;
    output::print(&format!("{text}\n"))?;
    Ok(0)
}

//! `taut schema`.

use crate::output;
use taut_scenes::file::SCHEMA;

/// Prints the JSON Schema of a scene file.
pub fn schema() -> Result<u8, String> {
    let schema: serde_json::Value = serde_json::from_str(SCHEMA).map_err(|e| e.to_string())?;
    let text = serde_json::to_string_pretty(&schema).map_err(|e| e.to_string())?;
    output::print(&format!("{text}\n"))?;
    Ok(0)
}

//! Files by their endings: one refusal for all options.

use std::path::Path;

/// The ending of a file, if it is one of those that can be written; `option` is the option that named it.
pub fn of<'a>(option: &str, path: &Path, endings: &[&'a str]) -> Result<&'a str, String> {
    let given = path.extension().and_then(|e| e.to_str()).map(str::to_lowercase);
    let found = endings.iter().copied().find(|e| given.as_deref() == Some(*e));
    found.ok_or_else(|| format!("{option} = {}: expected a file ending in {}", path.display(), list(endings)))
}

/// The same where something else than a file is allowed too.
pub fn of_or<'a>(option: &str, path: &Path, endings: &[&'a str], other: &str) -> Result<&'a str, String> {
    of(option, path, endings).map_err(|e| format!("{e}, or {other}"))
}

/// ".svg, .png or .pdf".
fn list(endings: &[&str]) -> String {
    let dotted: Vec<String> = endings.iter().map(|e| format!(".{e}")).collect();
    match dotted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => dotted.concat(),
    }
}

//! From a [`SceneFile`] to text: the way back of `read`.
//!
//! serde writes an enum as `{T: {...}}`; the file has `{"type": T, ...}`. What says nothing (null,
//! an empty list, a default) is left out, and every body, joint and force has one line. A zero with a
//! sign says something.

use super::SceneFile;
use super::error::{FileError, Path};
use super::script;
use serde_json::{Map, Value};

/// The text of a scene file. [`super::parse`] reads it back to the same bits, as long as all
/// numbers are finite.
pub fn write(file: &SceneFile) -> Result<String, FileError> {
    let mut out = String::new();
    print(&document(file)?, 0, &mut out);
    out.push('\n');
    Ok(out)
}

/// The JSON document of a scene file.
pub fn document(file: &SceneFile) -> Result<Value, FileError> {
    let mut root = serde_json::to_value(file).map_err(|e| FileError::new(Path::default(), e))?;
    untag(&mut root);
    script::untag(&mut root);
    // Programs and events leave out what says nothing themselves.
    let fields = root.as_object_mut().into_iter().flatten();
    fields.filter(|(key, _)| !matches!(key.as_str(), "programs" | "events")).for_each(|(_, item)| prune(item));
    if let Some(fields) = root.as_object_mut() {
        fields.retain(|_, v| !is_idle(v));
    }
    Ok(root)
}

/// Puts the names of enums into the objects that they stand around.
fn untag(root: &mut Value) {
    each(root.get_mut("ground"), colliders);
    for list in ["bodies", "joints", "couplings", "forces", "pairs"] {
        for item in root.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
            if list == "joints" {
                joint(item);
                continue;
            }
            inline(item);
            each(item.get_mut("shape"), inline);
            colliders(item);
        }
    }
    for item in root.get_mut("deformables").and_then(Value::as_array_mut).into_iter().flatten() {
        deformable(item);
    }
    for field in ["stabiliser", "solver", "bounded"] {
        each(root.get_mut("settings").and_then(|s| s.get_mut(field)), named);
    }
}

/// Untags the mesh, the law and the regions of a deformable.
fn deformable(item: &mut Value) {
    each(item.get_mut("mesh"), inline);
    each(item.get_mut("material").and_then(|m| m.get_mut("law")).filter(|law| !law.is_null()), named);
    for list in ["held", "bound", "loads", "nodes"] {
        for part in item.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
            match list {
                "held" => inline(part),
                "nodes" => colliders(part),
                _ => each(part.get_mut("region"), inline),
            }
        }
    }
}

/// Puts the fields of a joint's kind beside those that all joints have.
fn joint(item: &mut Value) {
    for name in ["limits", "friction", "speeds", "motors"] {
        for bound in item.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten() {
            unwrapped(bound);
        }
    }
    let Value::Object(fields) = item else { return };
    let Some(mut kind) = fields.remove("kind") else { return };
    inline(&mut kind);
    kind.get_mut("rows").and_then(Value::as_array_mut).into_iter().flatten().for_each(inline);
    if let Value::Object(own) = kind {
        fields.extend(own);
    }
}

fn each(value: Option<&mut Value>, f: impl FnOnce(&mut Value)) {
    if let Some(v) = value {
        f(v);
    }
}

/// Untags the shapes of the colliders of a body.
fn colliders(body: &mut Value) {
    let list = body.get_mut("colliders").and_then(Value::as_array_mut);
    list.into_iter().flatten().for_each(solid);
}

/// Untags the shape of a collider, or of a part of a compound.
fn solid(item: &mut Value) {
    let Some(shape) = item.get_mut("shape") else { return };
    inline(shape);
    shape.get_mut("parts").and_then(Value::as_array_mut).into_iter().flatten().for_each(solid);
}

/// `{T: {...}}` becomes `{"type": T, ...}`.
fn inline(item: &mut Value) {
    if let Some(name) = unwrapped(item) {
        item["type"] = name.into();
    }
}

/// `{T: {...}}` becomes `{...}`; T.
fn unwrapped(item: &mut Value) -> Option<String> {
    let Value::Object(outer) = item else { return None };
    let mut entries = std::mem::take(outer).into_iter();
    let (Some((name, fields)), None) = (entries.next(), entries.next()) else { return None };
    *item = fields;
    Some(name)
}

/// The same for a method, of which the name alone will do.
fn named(item: &mut Value) {
    inline(item);
    prune(item);
    if let (Some(name), Some(1)) = (item.get("type").cloned(), item.as_object().map(Map::len)) {
        *item = name;
    }
}

/// Takes out the fields that say what is so anyway, at any depth.
fn prune(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.values_mut().for_each(prune);
            fields.retain(|key, v| is_asked(key, v) || !(is_idle(v) || is_default(key, v)));
        }
        Value::Array(list) => list.iter_mut().for_each(prune),
        _ => {}
    }
}

/// Whether a field must be there although it is empty: rigid bending of a cable has to be said, that nothing is locked, and that a
/// collider is in no group (left out, the list means all of them).
fn is_asked(key: &str, v: &Value) -> bool {
    match key {
        "bending" | "torsion" | "locked" => v.is_object(),
        "member" | "with" => v.is_array(),
        _ => false,
    }
}

fn is_idle(v: &Value) -> bool {
    match v {
        Value::Null => true,
        Value::Array(list) => list.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

/// Whether a field has the value that it has when it is left out, to the sign of a zero.
fn is_default(key: &str, v: &Value) -> bool {
    let default = match key {
        "position" | "velocity" | "angular_velocity" | "surface_velocity" | "origin" => "[0.0,0.0,0.0]",
        "linear_damping" | "angular_damping" | "turn_damping" | "restitution" | "shortest" => "0.0",
        "rotation" => "[0.0,0.0,0.0,1.0]",
        "sensor" | "clamped_end" | "steers" | "spring" | "drop_unused" => "false",
        "enabled" => "true",
        "user_data" | "turns" => "0",
        "rule" => "\"average\"",
        "role" => "\"auto\"",
        "stabiliser" => "\"aligned\"",
        "solver" | "bounded" => "\"auto\"",
        // Of a run of the order.
        "joints" | "forces" | "bodies" | "colliders" | "deformables" => "0",
        _ => return false,
    };
    let text = v.to_string();
    text == default
}

/// Fields that come first in their object.
const FIRST: [&str; 8] = ["$schema", "taut", "type", "freedom", "name", "description", "settings", "bodies"];

/// Prints a value: the document and its lists over several lines, everything else on one.
fn print(value: &Value, depth: usize, out: &mut String) {
    let open = depth < 2 && (depth == 0 || value.is_array());
    let (gap, end) = match open {
        true => (format!("\n{}", "  ".repeat(depth + 1)), format!("\n{}", "  ".repeat(depth))),
        false => (" ".into(), " ".into()),
    };
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
            fields.sort_by_key(|(k, _)| (FIRST.iter().position(|f| f == k).unwrap_or(FIRST.len()), *k));
            for (k, (key, v)) in fields.into_iter().enumerate() {
                out.push_str(if k == 0 { "{" } else { "," });
                out.push_str(&format!("{gap}{}: ", Value::from(key.as_str())));
                print(v, depth + 1, out);
            }
            out.push_str(&format!("{end}}}"));
        }
        Value::Array(list) if open && !list.is_empty() => {
            for (k, v) in list.iter().enumerate() {
                out.push_str(if k == 0 { "[" } else { "," });
                out.push_str(&gap);
                print(v, depth + 1, out);
            }
            out.push_str(&format!("{end}]"));
        }
        Value::Array(list) => {
            for (k, v) in list.iter().enumerate() {
                out.push_str(if k == 0 { "[" } else { ", " });
                print(v, depth + 1, out);
            }
            out.push_str(if list.is_empty() { "[]" } else { "]" });
        }
        other => out.push_str(&other.to_string()),
    }
}

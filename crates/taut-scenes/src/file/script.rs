//! Programs and events between JSON and serde: what says its kind by a field is read as an externally tagged enum, and written back.

use super::error::{FileError, Path};
use super::read::{measured, tag};
use serde_json::{Map, Value};

/// The fields that say what a program drives.
const PROGRAMS: [&str; 5] = ["motor", "force", "body", "joint", "gravity"];

/// The fields that say what a condition looks at.
const CONDITIONS: [&str; 9] = ["joint", "rope", "motor", "body", "contact", "event", "broken", "all", "any"];

/// Fields of a program that are signals, and those that are three of them.
fn signals(kind: &str) -> (&'static [&'static str], &'static [&'static str]) {
    match kind {
        "motor" => (&["target", "rate"], &[]),
        "force" => (&["scale", "rest_length"], &["vector", "target"]),
        "body" => (&[], &["position", "velocity", "angular_velocity"]),
        "joint" => (&["length"], &[]),
        _ => (&[], &["gravity"]),
    }
}

/// Tags programs and events.
pub(super) fn prepare(root: &mut Value) -> Result<(), FileError> {
    for (k, program) in list(root, "programs").enumerate() {
        prepare_program(program, &Path::of("programs").index(k))?;
    }
    for (k, event) in list(root, "events").enumerate() {
        let path = Path::of("events").index(k);
        let Value::Object(fields) = event else { return Err(no_object(event, &path)) };
        for name in ["when", "rearm"] {
            if let Some(condition) = fields.get_mut(name) {
                prepare_condition(condition, &path.key(name))?;
            }
        }
        for (k, action) in list(event, "do").enumerate() {
            prepare_action(action, &path.key("do").index(k))?;
        }
    }
    Ok(())
}

fn list<'a>(value: &'a mut Value, name: &str) -> impl Iterator<Item = &'a mut Value> {
    value.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten()
}

fn no_object(value: &Value, path: &Path) -> FileError {
    FileError::new(path.clone(), format!("{}: expected an object {{...}}", short(value)))
}

/// A value in a message.
fn short(value: &Value) -> String {
    match value {
        Value::Array(_) => "an array".into(),
        Value::Object(_) => "an object".into(),
        other => other.to_string(),
    }
}

/// Puts an object into one whose only field says its kind, which is the field of these that it has.
fn wrap(value: &mut Value, kinds: &[&'static str], path: &Path) -> Result<&'static str, FileError> {
    let Value::Object(fields) = value else { return Err(no_object(value, path)) };
    let has: Vec<&'static str> = kinds.iter().copied().filter(|k| fields.contains_key(*k)).collect();
    let words: Vec<String> = kinds.iter().map(|k| format!("'{k}'")).collect();
    let expected = format!("expected one of the fields {}, which says what it is about", words.join(", "));
    match has[..] {
        [kind] => {
            let inner = std::mem::take(value);
            *value = Value::Object(Map::from_iter([(kind.to_owned(), inner)]));
            Ok(kind)
        }
        [] => Err(FileError::new(path.clone(), format!("nothing that it is about: {expected}"))),
        [_, other, ..] => Err(FileError::new(path.key(other), format!("{other} beside {}: {expected}", has[0]))),
    }
}

fn prepare_program(program: &mut Value, path: &Path) -> Result<(), FileError> {
    let kind = wrap(program, &PROGRAMS, path)?;
    let Some(fields) = program.get_mut(kind) else { return Ok(()) };
    let (ones, threes) = signals(kind);
    for name in ones {
        if let Some(s) = fields.get_mut(*name) {
            prepare_signal(s, &path.key(name))?;
        }
    }
    for name in threes {
        for (k, s) in list(fields, name).enumerate() {
            prepare_signal(s, &path.key(name).index(k))?;
        }
    }
    if let Some(turn) = fields.get_mut("turn") {
        let path = path.key("turn");
        let Value::Object(turn) = turn else { return Err(no_object(turn, &path)) };
        if let Some(angle) = turn.get_mut("angle") {
            prepare_signal(angle, &path.key("angle"))?;
        }
    }
    Ok(())
}

fn prepare_signal(signal: &mut Value, path: &Path) -> Result<(), FileError> {
    match signal {
        Value::Number(_) => {
            let value = Map::from_iter([("value".to_owned(), signal.take())]);
            *signal = Value::Object(Map::from_iter([("constant".to_owned(), Value::Object(value))]));
            Ok(())
        }
        Value::Object(_) => {
            for (k, part) in list(signal, "of").enumerate() {
                prepare_signal(part, &path.key("of").index(k))?;
            }
            tag(signal, path)
        }
        other => {
            let message = format!("{}: expected a number, or an object with a field 'type'", short(other));
            Err(FileError::new(path.clone(), message))
        }
    }
}

fn prepare_condition(condition: &mut Value, path: &Path) -> Result<(), FileError> {
    for name in ["all", "any"] {
        for (k, c) in list(condition, name).enumerate() {
            prepare_condition(c, &path.key(name).index(k))?;
        }
    }
    wrap(condition, &CONDITIONS, path).map(drop)
}

fn prepare_action(action: &mut Value, path: &Path) -> Result<(), FileError> {
    for name in ["limit", "friction"] {
        if let Some(bound) = action.get_mut(name) {
            measured(bound, &path.key(name))?;
        }
    }
    tag(action, path)
}

/// The way back of [`prepare`].
pub(super) fn untag(root: &mut Value) {
    for program in list(root, "programs") {
        let kind = unwrap(program);
        let (ones, threes) = signals(&kind);
        for name in ones {
            if let Some(s) = program.get_mut(*name) {
                untag_signal(s);
            }
        }
        for name in threes {
            list(program, name).for_each(untag_signal);
        }
        if let Some(angle) = program.get_mut("turn").and_then(|t| t.get_mut("angle")) {
            untag_signal(angle);
        }
    }
    for event in list(root, "events") {
        for name in ["when", "rearm"] {
            if let Some(c) = event.get_mut(name) {
                untag_condition(c);
            }
        }
        for action in list(event, "do") {
            inline(action, "type");
            for name in ["limit", "friction"] {
                if let Some(bound) = action.get_mut(name).filter(|b| b.is_object()) {
                    unwrap(bound);
                    bound.as_object_mut().into_iter().for_each(|b| b.retain(|_, v| !v.is_null()));
                }
            }
        }
    }
}

/// `{K: {...}}` becomes `{...}`; tells K.
fn unwrap(value: &mut Value) -> String {
    let Value::Object(outer) = value else { return String::new() };
    let Some((kind, inner)) = std::mem::take(outer).into_iter().next() else { return String::new() };
    *value = inner;
    kind
}

/// `{T: {...}}` becomes `{key: T, ...}`.
fn inline(value: &mut Value, key: &str) {
    let kind = unwrap(value);
    if let Value::Object(fields) = value {
        fields.insert(key.to_owned(), kind.into());
    }
}

fn untag_signal(signal: &mut Value) {
    inline(signal, "type");
    list(signal, "of").for_each(untag_signal);
    if signal["type"] == "constant" {
        *signal = signal["value"].take();
    }
}

fn untag_condition(condition: &mut Value) {
    let kind = unwrap(condition);
    if kind == "all" || kind == "any" {
        list(condition, &kind).for_each(untag_condition);
    }
}

//! Smaller documents: what can be left out of a scene file, and numbers that can be rounder.
//! Works on the JSON document, so that it knows every kind of part that there will be.

use super::draw::digits;
use serde_json::Value;

/// Lists whose elements can be left out one by one.
const LISTS: [&str; 4] = ["bodies", "joints", "forces", "pairs"];
/// Fields that say what something is, and are kept.
const KEPT: [&str; 7] = ["type", "freedom", "name", "bodies", "body", "taut", "outputs"];

/// All documents with one part less, the largest parts first.
pub(super) fn smaller(root: &Value) -> Vec<Value> {
    let mut out = Vec::new();
    for list in LISTS {
        let n = root.get(list).and_then(Value::as_array).map_or(0, Vec::len);
        out.extend((0..n).rev().map(|k| without(root, list, k)));
    }
    let mut places = Vec::new();
    fields(root, &mut String::new(), &mut places);
    // A place near the root holds more.
    places.sort_by_key(|p| p.matches('/').count());
    out.extend(places.iter().filter_map(|p| cut(root, p)));
    out
}

/// Without an element of a list; with a body goes all that names it.
fn without(root: &Value, list: &str, k: usize) -> Value {
    let mut out = root.clone();
    let name = root[list][k]["name"].as_str().unwrap_or_default();
    if let Some(items) = out.get_mut(list).and_then(Value::as_array_mut) {
        items.remove(k);
    }
    if list != "bodies" {
        return out;
    }
    let names =
        |v: &Value| v["body"] == name || v["bodies"].as_array().is_some_and(|pair| pair.iter().any(|b| b == name));
    for other in LISTS.into_iter().filter(|l| *l != "bodies") {
        if let Some(items) = out.get_mut(other).and_then(Value::as_array_mut) {
            items.retain(|item| !names(item));
        }
    }
    out
}

/// Places of all fields, and of the elements of lists inside the parts, as JSON pointers.
fn fields(value: &Value, at: &mut String, out: &mut Vec<String>) {
    let length = at.len();
    // The lists of the document itself are not cut here: with a body goes what names it.
    let inside = at.matches('/').count() > 1;
    let mut visit = |key: &str, v: &Value, may: bool| {
        at.push('/');
        at.push_str(key);
        if may {
            out.push(at.clone());
        }
        if key != "outputs" {
            fields(v, at, out);
        }
        at.truncate(length);
    };
    match value {
        Value::Object(map) => map.iter().for_each(|(k, v)| visit(k, v, !KEPT.contains(&k.as_str()))),
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(k, v)| visit(&k.to_string(), v, inside && v.is_object()));
        }
        _ => {}
    }
}

/// Without what is at a place.
fn cut(root: &Value, place: &str) -> Option<Value> {
    let (parent, key) = place.rsplit_once('/')?;
    let mut out = root.clone();
    match out.pointer_mut(parent)? {
        Value::Object(map) => drop(map.remove(key)?),
        Value::Array(list) => drop(list.remove(key.parse().ok().filter(|k| *k < list.len())?)),
        _ => return None,
    }
    Some(out)
}

/// The document with all numbers rounded to some digits, then all with one number rounded.
pub(super) fn rounder(root: &Value) -> Vec<Value> {
    let mut places = vec!["/outputs/dt".to_owned()];
    numbers(root, &mut String::new(), &mut places);
    let mut out = Vec::new();
    for d in [1, 2] {
        let mut all = root.clone();
        places.iter().for_each(|p| round(&mut all, p, d));
        out.push(all);
    }
    for place in &places {
        let mut one = root.clone();
        round(&mut one, place, 1);
        out.push(one);
    }
    out.retain(|v| v != root);
    out
}

/// Places of all numbers but counts and those of the outputs.
fn numbers(value: &Value, at: &mut String, out: &mut Vec<String>) {
    let length = at.len();
    let mut visit = |key: &str, v: &Value| {
        at.push('/');
        at.push_str(key);
        numbers(v, at, out);
        at.truncate(length);
    };
    match value {
        Value::Object(map) => map.iter().filter(|(k, _)| *k != "outputs").for_each(|(k, v)| visit(k, v)),
        Value::Array(list) => list.iter().enumerate().for_each(|(k, v)| visit(&k.to_string(), v)),
        Value::Number(n) if n.is_f64() => out.push(at.clone()),
        _ => {}
    }
}

fn round(root: &mut Value, place: &str, to: usize) {
    if let Some(v) = root.pointer_mut(place)
        && let Some(x) = v.as_f64()
    {
        *v = digits(x, to).into();
    }
}

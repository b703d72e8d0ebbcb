//! Places in a scene file: `bodies.load.mass`, `settings.gravity[1]`.

use crate::cell::Cell;
use serde_json::Value;
use taut_scenes::nearest;

/// Sets the value at a place. What is in a list is named by its `name` or by its number, with a dot or in brackets; names with dots need
/// brackets.
pub(crate) fn set(document: &mut Value, place: &str, cell: &Cell) -> Result<(), String> {
    let steps = steps(place)?;
    let Some((last, before)) = steps.split_last() else {
        return Err(format!("'{place}': expected a place in the scene file"));
    };
    let mut at = document;
    for step in before {
        at = child(at, step).map_err(|e| format!("{place}: {e}"))?;
    }
    let value = json(cell);
    if let Value::Object(fields) = at
        && !fields.contains_key(last)
    {
        // What is left out has its default; the reader of scene files refuses a field that there is not.
        fields.insert(last.clone(), value);
        return Ok(());
    }
    let old = child(at, last).map_err(|e| format!("{place}: {e}"))?;
    if old.is_object() || old.is_array() {
        return Err(format!("{place}: expected the place of a number or a word, and not of {}", kind(old)));
    }
    *old = value;
    Ok(())
}

fn kind(v: &Value) -> &'static str {
    if v.is_array() { "a list" } else { "an object" }
}

/// `a.b[c]` as a, b, c.
fn steps(place: &str) -> Result<Vec<String>, String> {
    let wrong = || format!("'{place}': expected a place such as bodies.load.mass or settings.gravity[1]");
    let (mut out, mut rest) = (Vec::new(), place);
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix('[') {
            let (step, after) = inner.split_once(']').ok_or_else(wrong)?;
            out.push(step.trim().to_owned());
            rest = after.strip_prefix('.').unwrap_or(after);
        } else {
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            out.push(rest[..end].trim().to_owned());
            rest = rest[end..].strip_prefix('.').unwrap_or(&rest[end..]);
        }
    }
    if out.is_empty() || out.iter().any(String::is_empty) { Err(wrong()) } else { Ok(out) }
}

/// What a step leads to.
fn child<'a>(at: &'a mut Value, step: &str) -> Result<&'a mut Value, String> {
    let (names, found): (Vec<String>, Option<usize>) = match &*at {
        Value::Object(fields) => (fields.keys().cloned().collect(), fields.contains_key(step).then_some(0)),
        Value::Array(list) => {
            let name = |v: &Value| v.get("name").and_then(Value::as_str).map(str::to_owned);
            let here = list.iter().position(|v| name(v).as_deref() == Some(step));
            let number = step.parse::<usize>().ok().filter(|k| *k < list.len());
            let mut names: Vec<String> = list.iter().filter_map(name).collect();
            if names.is_empty() {
                names.push(format!("a number from 0 to {}", list.len().saturating_sub(1)));
            }
            (names, here.or(number))
        }
        _ => return Err(format!("'{step}': there is a single value before it")),
    };
    let Some(k) = found else {
        let hint =
            nearest(step, names.iter().map(String::as_str)).map_or(String::new(), |n| format!("; did you mean {n}?"));
        return Err(format!("'{step}': expected one of {}{hint}", names.join(", ")));
    };
    let next = if at.is_array() { at.get_mut(k) } else { at.get_mut(step) };
    next.ok_or_else(|| format!("'{step}' is not there"))
}

/// A value as it stands in a scene file: whole numbers without a point, as counts are read so.
fn json(cell: &Cell) -> Value {
    match cell {
        Cell::Missing => Value::Null,
        Cell::Bool(b) => Value::from(*b),
        Cell::Whole(n) => Value::from(*n),
        // Whole numbers up to 2^53 are what they say; a zero with a sign says something.
        Cell::Number(x) if x.fract() == 0.0 && x.abs() < 9e15 && !(*x == 0.0 && x.is_sign_negative()) => {
            Value::from(*x as i64)
        }
        Cell::Number(x) => Value::from(*x),
        Cell::Text(t) => Value::from(t.as_str()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn places_go_by_names_and_numbers() {
        let document = json!({
            "settings": { "gravity": [0, -9.81, 0] },
            "bodies": [{ "name": "a.b", "mass": 1 }, { "name": "load", "mass": 2, "shape": { "radius": 0.5 } }],
        });
        let with = |place: &str| {
            let mut d = document.clone();
            set(&mut d, place, &Cell::Number(7.5)).map(|()| d)
        };
        assert_eq!(with("settings.gravity[1]").unwrap()["settings"]["gravity"][1], 7.5);
        assert_eq!(with("settings.gravity.1").unwrap()["settings"]["gravity"][1], 7.5);
        assert_eq!(with("bodies.load.mass").unwrap()["bodies"][1]["mass"], 7.5);
        assert_eq!(with("bodies[a.b].mass").unwrap()["bodies"][0]["mass"], 7.5);
        assert_eq!(with("bodies[1].shape.radius").unwrap()["bodies"][1]["shape"]["radius"], 7.5);
        assert_eq!(with("bodies.load.linear_damping").unwrap()["bodies"][1]["linear_damping"], 7.5);
        for (bad, words) in [
            ("bodies.laod.mass", "did you mean load?"),
            ("bodies.load.shape", "not of an object"),
            ("settings.gravity", "not of a list"),
            ("settings.gravity[3]", "from 0 to 2"),
            ("bodies.load.mass.x", "single value"),
            ("bodies[load.mass", "expected a place"),
            ("bodies..mass", "expected a place"),
        ] {
            let e = with(bad).unwrap_err();
            assert!(e.contains(words), "{bad}: {e}");
        }
    }
}

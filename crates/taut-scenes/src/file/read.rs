//! From text to a [`SceneFile`], with the place of every error.
//!
//! Objects with a `type` are read as serde's externally tagged enums: `{"type": T, ...}` becomes `{T: {...}}` first, because serde
//! loses the place of an error inside an internally tagged one. For the same reason the fields that all joints have are taken apart from
//! those of their kind here: `{"type": T, "bodies": ..., ...}` becomes `{"bodies": ..., "kind": {T: {...}}}`.

use super::SceneFile;
use super::error::{FileError, Path, Step};
use super::freedom::{self, Freedom};
use super::joint::COMMON;
use super::script;
use super::typed::typed;
use crate::nearest;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::fmt;

/// Fields that are objects when they are there; serde alone would also take an array of their fields.
const OBJECTS: [&str; 25] = [
    "settings",
    "outputs",
    "linear",
    "angular",
    "axial",
    "shear",
    "bending",
    "torsion",
    "material",
    "strength",
    "ground",
    "groups",
    "locks",
    "locked",
    "springs",
    "suspension",
    "give",
    "order",
    "skin",
    "plasticity",
    "fibre",
    "water",
    "wind",
    "gusts",
    "exposure",
];

/// Lists of objects that say by `freedom` what they are.
const BOUNDS: [&str; 4] = ["limits", "friction", "speeds", "motors"];

/// Reads a scene file. Unknown and repeated fields are errors.
pub fn parse(text: &str) -> Result<SceneFile, FileError> {
    let document = document(text)?;
    let mut tagged = document.clone();
    prepare(&mut tagged).and_then(|()| scene(&tagged)).map_err(|mut e| {
        // Of a wrong `type`, serde knows the object only.
        if e.message.starts_with(UNKNOWN) && follow(&document, &e.path).is_some_and(|v| v.get("type").is_some()) {
            e.path = e.path.key("type");
        }
        if let Some(meant) = meant(&e.message) {
            e.message += &format!("; did you mean '{meant}'?");
        }
        e.located(text)
    })
}

/// How the error of a wrong word begins.
const UNKNOWN: &str = "unknown value";

/// Words of other engines and formats, and what they are called here.
const ELSEWHERE: [(&str, &str); 18] = [
    ("revolute", "hinge"),
    ("continuous", "hinge"),
    ("slide", "prismatic"),
    ("slider", "prismatic"),
    ("spherical", "ball"),
    ("ball", "sphere"),
    ("fixed", "weld"),
    ("cuboid", "box"),
    ("plane", "half-space"),
    ("halfspace", "half-space"),
    ("static", "fixed"),
    ("mocap", "kinematic"),
    ("half_extents", "size"),
    ("linvel", "velocity"),
    ("angvel", "angular_velocity"),
    ("pos", "position"),
    ("quat", "rotation"),
    ("anchor", "point"),
];

/// The word that was probably meant by an error that says which ones there are.
fn meant(message: &str) -> Option<&str> {
    let rest = message.strip_prefix(UNKNOWN).or_else(|| message.strip_prefix("unknown field"))?;
    let mut words = rest.split('\'').skip(1).step_by(2);
    let (word, known) = (words.next()?, words.collect::<Vec<_>>());
    let elsewhere = ELSEWHERE.iter().find(|(theirs, ours)| *theirs == word && known.contains(ours));
    // A single word that would do is told already.
    if known.len() < 2 { None } else { elsewhere.map(|(_, ours)| *ours).or_else(|| nearest(word, known)) }
}

/// The value at a place.
fn follow<'a>(root: &'a Value, path: &Path) -> Option<&'a Value> {
    path.0.iter().try_fold(root, |v, step| match step {
        Step::Key(key) => v.get(key),
        Step::Index(k) => v.get(k),
    })
}

/// The JSON document; repeated fields are refused.
fn document(text: &str) -> Result<Value, FileError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut json = serde_json::Deserializer::from_str(text);
    let trail = Trail::default();
    let value = Strict { trail: &trail, step: None }.deserialize(&mut json).map_err(|e| {
        // A broken document has no place for what does not exist yet.
        let path = if e.is_eof() { Path::default() } else { Path(trail.take()) };
        syntax(path, &e, text)
    })?;
    json.end().map_err(|e| syntax(Path::default(), &e, text))?;
    Ok(value)
}

/// The words of the JSON parser, and what they mean to who wrote the file.
const SYNTAX: [(&str, &str); 8] = [
    ("EOF while parsing an object", "the file ends within an object: expected '}'"),
    ("EOF while parsing a list", "the file ends within a list: expected ']'"),
    ("EOF while parsing a string", "the file ends within a text: expected '\"'"),
    ("EOF while parsing a value", "the file ends where a value is expected"),
    ("expected value", "expected a value: a number, a text in double quotes, true, false, null, [...] or {...}"),
    ("expected ident", "expected a value: a number, a text in double quotes, true, false, null, [...] or {...}"),
    ("key must be a string", "expected the name of a field in double quotes"),
    ("trailing comma", "trailing comma: expected none after the last one of a list or an object"),
];

fn syntax(path: Path, e: &serde_json::Error, text: &str) -> FileError {
    let said = e.to_string();
    let said = said.rsplit_once(" at line ").map_or(said.as_str(), |(m, _)| m);
    let mut message = SYNTAX.iter().find(|(theirs, _)| *theirs == said).map_or(said, |(_, ours)| ours).to_owned();
    let line = text.lines().nth(e.line().saturating_sub(1)).unwrap_or_default();
    let there = line.get(e.column().saturating_sub(1)..).unwrap_or_default();
    if there.starts_with(['/', '#']) {
        message += "; JSON has no comments";
    }
    FileError { path, position: Some((e.line(), e.column())), message }
}

fn scene(value: &Value) -> Result<SceneFile, FileError> {
    typed(value).map_err(|(mut path, message)| {
        let message = message
            .replace('`', "'")
            .replace("unknown variant ''", "missing field 'type'")
            .replace("unknown variant", UNKNOWN)
            .replace("expected a sequence", "expected an array")
            .replace("expected u32", "expected a whole number")
            .replace("expected u64", "expected a whole number")
            .replace("expected usize", "expected a whole number");
        // The kinds of joints are not part of the document.
        if let [Step::Key(list), Step::Index(_), Step::Key(kind), ..] = path.0.as_slice()
            && (list.as_str(), kind.as_str()) == ("joints", KIND)
        {
            path.0.remove(2);
        }
        FileError::new(path, message)
    })
}

/// Where the fields of a joint's own kind are put.
const KIND: &str = "kind";

/// Checks that objects are objects and tags those that have a `type`.
fn prepare(root: &mut Value) -> Result<(), FileError> {
    objects(root, &Path::default())?;
    if let Some(ground) = root.get_mut("ground") {
        colliders(ground, &Path::of("ground"))?;
    }
    for list in ["bodies", "joints", "couplings", "forces", "pairs"] {
        let Some(Value::Array(items)) = root.get_mut(list) else { continue };
        for (k, item) in items.iter_mut().enumerate() {
            let path = Path::of(list).index(k);
            if let Some(shape) = item.get_mut("shape") {
                tag(shape, &path.key("shape"))?;
            }
            objects(item, &path)?;
            motors(item, &path)?;
            colliders(item, &path)?;
            if let Some(Value::Array(terms)) = item.get("terms") {
                terms.iter().enumerate().try_for_each(|(k, t)| objects(t, &path.key("terms").index(k)))?;
            }
            if list == "joints" {
                joint(item, &path)?;
            } else {
                tag(item, &path)?;
            }
        }
    }
    for list in ["sheaves", "winches", "ropes"] {
        let Some(Value::Array(items)) = root.get(list) else { continue };
        for (k, item) in items.iter().enumerate() {
            let path = Path::of(list).index(k);
            objects(item, &path)?;
            let parts = ["haul", "keep"].into_iter().filter_map(|part| Some((part, item.get(part)?)));
            parts.into_iter().try_for_each(|(part, v)| objects(v, &path.key(part)))?;
            if let Some(Value::Array(guides)) = item.get("path") {
                guides.iter().enumerate().try_for_each(|(k, g)| objects(g, &path.key("path").index(k)))?;
            }
        }
    }
    for field in ["water", "wind"] {
        let Some(item) = root.get(field) else { continue };
        objects(item, &Path::of(field))?;
        if let Some(Value::Array(waves)) = item.get("waves") {
            let at = Path::of(field).key("waves");
            let flat = waves.iter().enumerate().find(|(_, w)| !w.is_object());
            flat.map_or(Ok(()), |(k, w)| refuse(w, at.index(k)))?;
        }
    }
    deformables(root)?;
    script::prepare(root)?;
    for field in ["stabiliser", "solver", "bounded"] {
        if let Some(method) = root.get_mut("settings").and_then(|s| s.get_mut(field)) {
            word_or_object(method, &Path::of("settings").key(field))?;
        }
    }
    Ok(())
}

/// Tags meshes, laws and regions of the deformables.
fn deformables(root: &mut Value) -> Result<(), FileError> {
    let Some(Value::Array(items)) = root.get_mut("deformables") else { return Ok(()) };
    for (k, item) in items.iter_mut().enumerate() {
        let path = Path::of("deformables").index(k);
        objects(item, &path)?;
        if let Some(mesh) = item.get_mut("mesh") {
            tag(mesh, &path.key("mesh"))?;
        }
        if let Some(material) = item.get_mut("material") {
            let at = path.key("material");
            let parts = ["plasticity", "fibre"].into_iter().filter_map(|f| Some((f, material.get(f)?)));
            parts.filter(|(_, v)| !v.is_object()).try_for_each(|(f, v)| refuse(v, at.key(f)))?;
            material.get_mut("law").map_or(Ok(()), |law| word_or_object(law, &at.key("law")))?;
        }
        for list in ["held", "bound", "loads", "nodes"] {
            let Some(Value::Array(parts)) = item.get_mut(list) else { continue };
            for (k, part) in parts.iter_mut().enumerate() {
                let at = path.key(list).index(k);
                match list {
                    "held" => tag(part, &at)?,
                    "nodes" => objects(part, &at).and_then(|()| colliders(part, &at))?,
                    _ => {
                        objects(part, &at)?;
                        part.get_mut("region").map_or(Ok(()), |r| tag(r, &at.key("region")))?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// A name alone stands for an object with no other field.
fn word_or_object(value: &mut Value, path: &Path) -> Result<(), FileError> {
    if let Value::String(name) = value {
        *value = Value::Object(Map::from_iter([(std::mem::take(name), Value::Object(Map::new()))]));
        return Ok(());
    }
    tag(value, path)
}

/// Tags the bounds, the motors and the rows of a joint, and takes what all joints have apart from what is its own.
fn joint(item: &mut Value, path: &Path) -> Result<(), FileError> {
    for name in BOUNDS {
        let Some(Value::Array(bounds)) = item.get_mut(name) else { continue };
        for (k, bound) in bounds.iter_mut().enumerate() {
            measured(bound, &path.key(name).index(k))?;
        }
    }
    if let Some(Value::Array(rows)) = item.get_mut("rows") {
        for (k, row) in rows.iter_mut().enumerate() {
            let at = path.key("rows").index(k);
            objects(row, &at)?;
            tag(row, &at)?;
        }
    }
    let mut common = Map::new();
    if let Value::Object(fields) = item {
        common.extend(COMMON.iter().filter_map(|key| fields.remove_entry(*key)));
    }
    tag(item, path)?;
    common.insert(KIND.into(), item.take());
    *item = Value::Object(common);
    Ok(())
}

/// Tags what has a `freedom` by what that is measured in.
pub(super) fn measured(item: &mut Value, path: &Path) -> Result<(), FileError> {
    let Value::Object(fields) = item else {
        return Err(FileError::new(path.clone(), format!("{item}: expected an object with a field 'freedom'")));
    };
    let words = || {
        let all = [freedom::words(false), freedom::words(true), vec!["lean".into()]].concat();
        all.iter().map(|w| format!("'{w}'")).collect::<Vec<_>>().join(", ")
    };
    let freedom = match fields.get("freedom") {
        Some(Value::String(word)) => Freedom::parse(word).ok_or_else(|| {
            FileError::new(path.key("freedom"), format!("{UNKNOWN} '{word}', expected one of {}", words()))
        })?,
        Some(other) => return Err(FileError::new(path.key("freedom"), format!("{other}: expected a string"))),
        None => {
            return Err(FileError::new(path.clone(), format!("missing field 'freedom', expected one of {}", words())));
        }
    };
    if freedom == Freedom::Lean && !fields.contains_key("index") {
        let message = "missing field 'index': expected the place of the rotation in the list of 'motor', or a \
                       freedom such as 'lean-nv'";
        return Err(FileError::new(path.clone(), message));
    }
    let class = if freedom.is_length() { "length" } else { "angle" };
    let fields = std::mem::take(fields);
    *item = Value::Object(Map::from_iter([(class.to_owned(), Value::Object(fields))]));
    Ok(())
}

/// Tags the shapes of the colliders of a body.
fn colliders(body: &mut Value, path: &Path) -> Result<(), FileError> {
    let Some(Value::Array(list)) = body.get_mut("colliders") else { return Ok(()) };
    for (k, collider) in list.iter_mut().enumerate() {
        // A pair has names here.
        if !collider.is_string() {
            solid(collider, &path.key("colliders").index(k))?;
        }
    }
    Ok(())
}

/// Tags the shape of a collider, or of a part of a compound.
fn solid(item: &mut Value, path: &Path) -> Result<(), FileError> {
    objects(item, path)?;
    let Some(shape) = item.get_mut("shape") else { return Ok(()) };
    if let Some(Value::Array(parts)) = shape.get_mut("parts") {
        for (k, part) in parts.iter_mut().enumerate() {
            solid(part, &path.key("shape").key("parts").index(k))?;
        }
    }
    tag(shape, &path.key("shape"))
}

fn refuse(v: &Value, path: Path) -> Result<(), FileError> {
    let kind = match v {
        Value::Array(_) => "an array".into(),
        other => other.to_string(),
    };
    Err(FileError::new(path, format!("{kind}: expected an object {{...}}")))
}

/// Refuses anything but an object, and anything but objects where its fields must be objects.
fn objects(value: &Value, path: &Path) -> Result<(), FileError> {
    let Value::Object(fields) = value else { return refuse(value, path.clone()) };
    // The torsion of a rope, which has a path, is one number.
    let is_number = |k: &str| k == "torsion" && fields.contains_key("path");
    match fields.iter().find(|(k, v)| OBJECTS.contains(&k.as_str()) && !v.is_object() && !is_number(k)) {
        Some((k, v)) => refuse(v, path.key(k)),
        None => Ok(()),
    }
}

/// Checks that motors are objects: one, or a list of them and nulls.
fn motors(joint: &Value, path: &Path) -> Result<(), FileError> {
    let path = path.key("motor");
    let Some(motor) = joint.get("motor") else { return Ok(()) };
    let free = match joint.get("type").and_then(Value::as_str) {
        Some("ball") => Some(3),
        Some("universal" | "cylindrical") => Some(2),
        _ => None,
    };
    match (motor, free) {
        (Value::Object(_), None) => Ok(()),
        (other, None) => refuse(other, path),
        (Value::Array(list), Some(n)) if list.len() == n => {
            let odd = list.iter().enumerate().find(|(_, m)| !(m.is_object() || m.is_null()));
            odd.map_or(Ok(()), |(k, m)| refuse(m, path.index(k)))
        }
        (other, Some(n)) => {
            let each = "for each free motion an object {...}, or null";
            let message = match other {
                Value::Array(list) => format!("a list of {}: expected {n}, {each}", list.len()),
                Value::Object(_) => format!("an object: expected a list of {n}, {each}"),
                _ => format!("{other}: expected a list of {n}, {each}"),
            };
            Err(FileError::new(path, message))
        }
    }
}

/// `{"type": T, ...}` becomes `{T: {...}}`.
pub(super) fn tag(item: &mut Value, path: &Path) -> Result<(), FileError> {
    let key = "type";
    let Value::Object(fields) = item else {
        return Err(FileError::new(path.clone(), format!("{item}: expected an object with a field '{key}'")));
    };
    let name = match fields.remove(key) {
        Some(Value::String(name)) => name,
        None => String::new(),
        Some(other) => return Err(FileError::new(path.key(key), format!("{other}: expected a string"))),
    };
    let fields = std::mem::take(fields);
    *item = Value::Object(Map::from_iter([(name, Value::Object(fields))]));
    Ok(())
}

/// The steps to the value that is being read; after an error, to where it was.
type Trail = RefCell<Vec<Step>>;

/// Reads a JSON value without repeated fields, one step from the value around it.
struct Strict<'t> {
    trail: &'t Trail,
    step: Option<Step>,
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;
    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<Value, D::Error> {
        let depth = self.trail.borrow().len();
        self.trail.borrow_mut().extend(self.step);
        let value = d.deserialize_any(StrictVisitor(self.trail))?;
        self.trail.borrow_mut().truncate(depth);
        Ok(value)
    }
}

struct StrictVisitor<'t>(&'t Trail);

impl<'de> Visitor<'de> for StrictVisitor<'_> {
    type Value = Value;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_bool<E: de::Error>(self, x: bool) -> Result<Value, E> {
        Ok(x.into())
    }
    fn visit_i64<E: de::Error>(self, x: i64) -> Result<Value, E> {
        Ok(x.into())
    }
    fn visit_u64<E: de::Error>(self, x: u64) -> Result<Value, E> {
        Ok(x.into())
    }
    fn visit_f64<E: de::Error>(self, x: f64) -> Result<Value, E> {
        Ok(x.into())
    }
    fn visit_str<E: de::Error>(self, x: &str) -> Result<Value, E> {
        Ok(x.into())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut out = Vec::new();
        let element = |k| Strict { trail: self.0, step: Some(Step::Index(k)) };
        while let Some(x) = seq.next_element_seed(element(out.len()))? {
            out.push(x);
        }
        Ok(out.into())
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut out = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            let step = Step::Key(key.clone());
            if out.contains_key(&key) {
                return Err(de::Error::custom(format!("duplicate field '{key}'")));
            }
            out.insert(key, map.next_value_seed(Strict { trail: self.0, step: Some(step) })?);
        }
        Ok(out.into())
    }
}

/// Line and column of a place, or of the nearest place around it that exists.
pub(super) fn locate(text: &str, path: &Path) -> Option<(usize, usize)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    (1..=path.0.len()).rev().find_map(|n| {
        let mut json = serde_json::Deserializer::from_str(text);
        // The search ends with an error at the place; its position is what is wanted.
        Seek(&path.0[..n]).deserialize(&mut json).err().map(|e| (e.line(), e.column()))
    })
}

struct Seek<'a>(&'a [Step]);

impl<'de> DeserializeSeed<'de> for Seek<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<(), D::Error> {
        d.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seek<'_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the place")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let Some((step, rest)) = self.0.split_first() else { return Err(de::Error::custom("here")) };
        let mut k = 0;
        loop {
            let found = *step == Step::Index(k);
            let more = if found {
                seq.next_element_seed(Seek(rest))?
            } else {
                seq.next_element::<de::IgnoredAny>()?.map(drop)
            };
            if more.is_none() {
                return Ok(());
            }
            k += 1;
        }
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Some((step, rest)) = self.0.split_first() else { return Err(de::Error::custom("here")) };
        while let Some(key) = map.next_key::<String>()? {
            if *step == Step::Key(key) {
                map.next_value_seed(Seek(rest))?;
            } else {
                map.next_value::<de::IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

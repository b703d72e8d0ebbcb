//! The JSON Schema of a scene file, made of its types: what `scene.schema.json` holds.

use super::bound::{Friction, FrictionOf, Limit, LimitOf, Speed, SpeedOf};
use super::deformable::Law;
use super::freedom::{Freedom, words};
use super::motor::{Least, Motor, MotorOf};
use super::quantity::*;
use super::settings::{Bounded, Solver, Stabiliser};
use super::signal::{Form, Signal};
use super::{SceneFile, VERSION};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// The JSON Schema of a scene file.
pub fn schema() -> Value {
    schemars::schema_for!(SceneFile).to_value()
}

/// The schema as it is kept in `scene.schema.json`: a line for each field of the document and for each definition.
pub fn schema_text() -> String {
    let schema = schema();
    let part = |value: &Value| -> String {
        let lines = value.as_object().into_iter().flatten().map(|(k, v)| format!("{}: {v}", json!(k)));
        format!("{{\n{}\n}}", lines.collect::<Vec<_>>().join(",\n"))
    };
    let fields = schema.as_object().into_iter().flatten().map(|(key, value)| {
        let deep = matches!(key.as_str(), "$defs" | "properties");
        format!("{}: {}", json!(key), if deep { part(value) } else { value.to_string() })
    });
    format!("{{\n{}\n}}\n", fields.collect::<Vec<_>>().join(",\n"))
}

pub(super) fn version(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "const": VERSION })
}

/// A stabiliser is an object, or its name alone.
pub(super) fn stabiliser(generator: &mut SchemaGenerator) -> Schema {
    let names = ["none", "full", "symmetric", "low-rank", "inertial", "constraint-space", "aligned"];
    json_schema!({ "anyOf": [{ "enum": names }, generator.subschema_for::<Stabiliser>()] })
}

/// A solver is an object, or its name alone.
pub(super) fn solver(generator: &mut SchemaGenerator) -> Schema {
    let names = [
        "auto",
        "block-ldlt",
        "dense-lu",
        "dense-cholesky",
        "minres",
        "articulated",
        "elimination",
        "pcg",
        "partial-pcg",
        "pgs",
        "structured",
    ];
    json_schema!({ "anyOf": [{ "enum": names }, generator.subschema_for::<Solver>()] })
}

/// A method for rows with bounds is an object, or its name alone.
pub(super) fn bounded(generator: &mut SchemaGenerator) -> Schema {
    let names = ["auto", "newton", "pivoting", "active-set", "pgs", "convex"];
    json_schema!({ "anyOf": [{ "enum": names }, generator.subschema_for::<Bounded>()] })
}

/// A law is an object, or its name alone.
pub(super) fn law(generator: &mut SchemaGenerator) -> Schema {
    let names =
        ["corotational", "stable-neo-hookean", "stable-neo-hookean-no-log", "neo-hookean", "st-venant-kirchhoff"];
    let alone = json_schema!({ "enum": names });
    json_schema!({ "anyOf": [alone, generator.subschema_for::<Law>(), { "type": "null" }] })
}

impl<U> JsonSchema for Number<U> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Number".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number" })
    }
}

impl<U> JsonSchema for Triple<U> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Triple".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array", "items": { "type": "number" }, "minItems": 3, "maxItems": 3 })
    }
}

impl JsonSchema for Signal {
    fn schema_name() -> Cow<'static, str> {
        "Signal".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A number that goes by the time, in the unit of what it drives: a number alone, or an object with 'type'.",
            "anyOf": [{ "type": "number" }, generator.subschema_for::<Form>()]
        })
    }
}

impl<U> JsonSchema for Least<U> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Least".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "type": "number" }, { "const": "none" }] })
    }
}

impl JsonSchema for Motor {
    fn schema_name() -> Cow<'static, str> {
        "Motor".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = by_freedom::<MotorOf<Angular>, MotorOf<Linear>>(generator);
        schema.insert("description".into(), "A motor, which says by `freedom` what it drives.".into());
        schema
    }
}

/// The schemas of enums whose `freedom` tells what they are.
macro_rules! by_freedom {
    ($($name:ident of $inner:ident, $about:literal;)*) => {$(
        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                let mut schema = by_freedom::<$inner<Angular>, $inner<Linear>>(generator);
                schema.insert("description".into(), $about.into());
                schema
            }
        }
    )*};
}

by_freedom! {
    Limit of LimitOf, "A limit on what a joint leaves free: of the first body against the second, zero at the start.";
    Speed of SpeedOf, "A bound of how fast what a joint leaves free goes: at least one of `lower` and `upper`.";
    Friction of FrictionOf, "Dry friction on what a joint leaves free; at least one of `max` and `per_load`.";
}

impl JsonSchema for Freedom {
    fn schema_name() -> Cow<'static, str> {
        "Freedom".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let all = [words(false), words(true), vec!["lean".into()]].concat();
        json_schema!({ "enum": all })
    }
}

/// The schema of something that has a `freedom`: with the units of angles or of lengths, as the word says; `lean` with an `index`.
fn by_freedom<A: JsonSchema, L: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    let angle = narrowed(A::json_schema(generator).to_value(), json!({ "enum": words(false) }), false);
    let lean = narrowed(A::json_schema(generator).to_value(), json!({ "const": "lean" }), true);
    let length = narrowed(L::json_schema(generator).to_value(), json!({ "enum": words(true) }), false);
    json_schema!({ "oneOf": [angle, lean, length] })
}

/// The schema of an object whose `freedom` is one of some words, and which has an `index` or none.
fn narrowed(mut object: Value, words: Value, indexed: bool) -> Value {
    let mut required = vec![json!("freedom")];
    if let Some(properties) = object.get_mut("properties").and_then(Value::as_object_mut) {
        properties.insert("freedom".into(), words);
        if !indexed {
            properties.remove("index");
        }
    }
    if indexed {
        required.push(json!("index"));
    }
    if let Some(before) = object.get("required").and_then(Value::as_array) {
        required.extend(before.iter().filter(|r| **r != json!("freedom")).cloned());
    }
    object["required"] = Value::Array(required);
    object
}

/// The schema of a joint as it is in the file: the fields of each kind together with those that all have.
pub(super) fn one_object(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    let Some(Value::Object(mut common)) = object.remove("properties") else { return };
    let required = object.remove("required");
    object.remove("additionalProperties");
    object.remove("type");
    let Some(Value::Object(mut kind)) = common.remove("kind") else { return };
    let Some(Value::Array(mut kinds)) = kind.remove("oneOf") else { return };
    kinds.iter_mut().filter_map(Value::as_object_mut).for_each(|k| join(k, &common, required.as_ref()));
    object.insert("oneOf".into(), Value::Array(kinds));
}

/// Adds the fields that all joints have to those of a kind.
fn join(kind: &mut Map<String, Value>, common: &Map<String, Value>, required: Option<&Value>) {
    if let Some(fields) = kind.entry("properties").or_insert_with(|| json!({})).as_object_mut() {
        fields.extend(common.iter().map(|(k, v)| (k.clone(), v.clone())));
    }
    let asked = required.and_then(Value::as_array).into_iter().flatten().filter(|r| **r != json!("kind"));
    if let Some(list) = kind.entry("required").or_insert_with(|| json!([])).as_array_mut() {
        list.extend(asked.cloned());
    }
    kind.insert("additionalProperties".into(), json!(false));
}

//! Checks documents against the JSON Schema of scene files.

use serde_json::Value;

/// Checks a document against the keywords that our schema uses.
pub fn conforms(doc: &Value, rule: &Value, root: &Value) -> bool {
    let Some(rule) = rule.as_object() else { return true };
    let each = |list: &Value| list.as_array().unwrap().iter().filter(|r| conforms(doc, r, root)).count();
    let kind = |name: &str| match name {
        "object" => doc.is_object(),
        "array" => doc.is_array(),
        "string" => doc.is_string(),
        "number" => doc.is_number(),
        "integer" => doc.is_u64() || doc.is_i64(),
        "boolean" => doc.is_boolean(),
        "null" => doc.is_null(),
        other => panic!("type {other}"),
    };
    let fields = |f: &dyn Fn(&str, &Value) -> bool| doc.as_object().is_none_or(|o| o.iter().all(|(k, v)| f(k, v)));
    let items = |f: &dyn Fn(&Vec<Value>) -> bool| doc.as_array().is_none_or(f);
    let text = |v: &Value| v.as_str().unwrap().to_owned();
    rule.iter().all(|(word, value)| match word.as_str() {
        "$ref" => conforms(doc, root.pointer(text(value).trim_start_matches('#')).unwrap(), root),
        "type" => value.as_array().map_or_else(|| kind(&text(value)), |any| any.iter().any(|t| kind(&text(t)))),
        "const" => doc == value,
        "enum" => value.as_array().unwrap().contains(doc),
        "oneOf" => each(value) == 1,
        "anyOf" => each(value) > 0,
        "properties" => fields(&|k, v| value.get(k).is_none_or(|r| conforms(v, r, root))),
        "required" => value.as_array().unwrap().iter().all(|k| doc.get(text(k)).is_some()),
        "additionalProperties" => fields(&|k, _| rule["properties"].get(k).is_some()),
        "prefixItems" => items(&|a| a.iter().zip(value.as_array().unwrap()).all(|(x, r)| conforms(x, r, root))),
        "items" => items(&|a| a.iter().all(|x| conforms(x, value, root))),
        "minItems" => items(&|a| a.len() as u64 >= value.as_u64().unwrap()),
        "maxItems" => items(&|a| a.len() as u64 <= value.as_u64().unwrap()),
        "minimum" => doc.as_f64().is_none_or(|x| x >= value.as_f64().unwrap()),
        "$schema" | "$defs" | "title" | "description" | "format" | "default" => true,
        other => panic!("the schema has a keyword that this check does not know: {other}"),
    })
}

//! Typed values out of a JSON document, with the place of what does not fit.
//!
//! serde knows no places. Here every error takes with it, on its way out, the steps that led to it. There is one deserialiser and one
//! type of error, without parameters, so that each type of the file is compiled once: wrappers that track the path of any
//! deserialiser made half of what this crate gave the compiler to do.

use super::error::{Path, Step};
use serde::de::{self, DeserializeSeed, Deserializer, EnumAccess, Expected, IntoDeserializer, Unexpected, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// Reads a value. An error has its place and its message.
pub(super) fn typed<'a, T: de::Deserialize<'a>>(value: &'a Value) -> Result<T, (Path, String)> {
    T::deserialize(Place(value)).map_err(|mut fault| {
        fault.steps.reverse();
        (Path(fault.steps), fault.message)
    })
}

/// What does not fit, and the steps to it, the last one first.
#[derive(Debug)]
struct Fault {
    steps: Vec<Step>,
    message: String,
}

impl Fault {
    fn within(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

/// What was found, in the words of JSON.
struct Found<'a>(Unexpected<'a>);

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Unexpected::Unit => f.write_str("null"),
            Unexpected::Map => f.write_str("object"),
            Unexpected::Seq => f.write_str("array"),
            other => other.fmt(f),
        }
    }
}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Fault { steps: Vec::new(), message: message.to_string() }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Fault::custom(format_args!("invalid type: {}, expected {expected}", Found(found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Fault::custom(format_args!("invalid value: {}, expected {expected}", Found(found)))
    }
}

fn unexpected(value: &Value) -> Unexpected<'_> {
    match value {
        Value::Null => Unexpected::Unit,
        Value::Bool(x) => Unexpected::Bool(*x),
        Value::Number(x) => match (x.as_u64(), x.as_i64()) {
            (Some(x), _) => Unexpected::Unsigned(x),
            (None, Some(x)) => Unexpected::Signed(x),
            (None, None) => Unexpected::Float(x.as_f64().unwrap_or(f64::NAN)),
        },
        Value::String(x) => Unexpected::Str(x),
        Value::Array(_) => Unexpected::Seq,
        Value::Object(_) => Unexpected::Map,
    }
}

/// A place of the document, to be read.
struct Place<'a>(&'a Value);

impl<'de> Deserializer<'de> for Place<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(x) => visitor.visit_bool(*x),
            Value::Number(_) => match unexpected(self.0) {
                Unexpected::Unsigned(x) => visitor.visit_u64(x),
                Unexpected::Signed(x) => visitor.visit_i64(x),
                Unexpected::Float(x) => visitor.visit_f64(x),
                other => Err(de::Error::invalid_type(other, &visitor)),
            },
            Value::String(x) => visitor.visit_borrowed_str(x),
            Value::Array(list) => elements(list, visitor),
            Value::Object(map) => fields(map, visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let variant = match self.0 {
            Value::String(name) => Variant { name, value: None },
            Value::Object(map) => match map.iter().next() {
                Some((name, value)) if map.len() == 1 => Variant { name, value: Some(value) },
                _ => return Err(de::Error::invalid_value(Unexpected::Map, &"an object with a single field")),
            },
            other => return Err(de::Error::invalid_type(unexpected(other), &"string or object")),
        };
        visitor.visit_enum(variant)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier
    }
}

fn elements<'a, V: Visitor<'a>>(list: &'a [Value], visitor: V) -> Result<V::Value, Fault> {
    let mut walk = Elements { list, next: 0 };
    let value = visitor.visit_seq(&mut walk)?;
    if walk.next < list.len() {
        return Err(de::Error::invalid_length(list.len(), &"fewer elements in array"));
    }
    Ok(value)
}

fn fields<'a, V: Visitor<'a>>(map: &'a Map<String, Value>, visitor: V) -> Result<V::Value, Fault> {
    let mut walk = Fields { rest: map.iter(), value: None };
    let value = visitor.visit_map(&mut walk)?;
    if walk.rest.next().is_some() {
        return Err(de::Error::invalid_length(map.len(), &"fewer elements in object"));
    }
    Ok(value)
}

struct Elements<'a> {
    list: &'a [Value],
    next: usize,
}

impl<'a> de::SeqAccess<'a> for &mut Elements<'a> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        let Some(value) = self.list.get(self.next) else { return Ok(None) };
        let step = Step::Index(self.next);
        self.next += 1;
        seed.deserialize(Place(value)).map(Some).map_err(|fault| fault.within(step))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.list.len() - self.next)
    }
}

struct Fields<'a> {
    rest: serde_json::map::Iter<'a>,
    value: Option<(&'a String, &'a Value)>,
}

impl<'a> de::MapAccess<'a> for &mut Fields<'a> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'a>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        self.value = self.rest.next();
        let Some((key, _)) = self.value else { return Ok(None) };
        let name: de::value::StrDeserializer<'_, Fault> = key.as_str().into_deserializer();
        seed.deserialize(name).map(Some).map_err(|fault| fault.within(Step::Key(key.clone())))
    }

    fn next_value_seed<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Result<T::Value, Fault> {
        let Some((key, value)) = self.value.take() else { return Err(de::Error::custom("value is missing")) };
        seed.deserialize(Place(value)).map_err(|fault| fault.within(Step::Key(key.clone())))
    }
}

struct Variant<'a> {
    name: &'a str,
    value: Option<&'a Value>,
}

impl<'a> EnumAccess<'a> for Variant<'a> {
    type Error = Fault;
    type Variant = Content<'a>;

    fn variant_seed<V: DeserializeSeed<'a>>(self, seed: V) -> Result<(V::Value, Content<'a>), Fault> {
        let name: de::value::StrDeserializer<'_, Fault> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, Content(self.value)))
    }
}

/// What a variant of an enum holds.
struct Content<'a>(Option<&'a Value>);

impl<'a> Content<'a> {
    fn value(&self, expected: &str) -> Result<&'a Value, Fault> {
        self.0.ok_or_else(|| de::Error::invalid_type(Unexpected::UnitVariant, &expected))
    }
}

impl<'a> de::VariantAccess<'a> for Content<'a> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        self.0.map_or(Ok(()), |value| de::Deserialize::deserialize(Place(value)))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'a>>(self, seed: T) -> Result<T::Value, Fault> {
        seed.deserialize(Place(self.value("newtype variant")?))
    }

    fn tuple_variant<V: Visitor<'a>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        match self.value("tuple variant")? {
            Value::Array(list) => elements(list, visitor),
            other => Err(de::Error::invalid_type(unexpected(other), &"tuple variant")),
        }
    }

    fn struct_variant<V: Visitor<'a>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Fault> {
        match self.value("struct variant")? {
            Value::Object(map) => fields(map, visitor),
            other => Err(de::Error::invalid_type(unexpected(other), &"struct variant")),
        }
    }
}

//! What a run came to, by name.

use crate::cell::Cell;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt;

/// What a run came to: names with values, in the order of the columns. In JSON it is an object whose order is kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row(pub Vec<(String, Cell)>);

impl Row {
    /// Adds a value.
    pub fn push(&mut self, name: impl Into<String>, cell: Cell) {
        self.0.push((name.into(), cell));
    }

    /// A value by name.
    pub fn get(&self, name: &str) -> Option<&Cell> {
        self.0.iter().find(|(n, _)| n == name).map(|(_, c)| c)
    }

    /// A number by name; none where it is missing or no number.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.get(name).and_then(Cell::number)
    }

    /// A text by name.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(Cell::text)
    }
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(Some(self.0.len()))?;
        for (name, cell) in &self.0 {
            map.serialize_entry(name, cell)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct Cells;
        impl<'de> Visitor<'de> for Cells {
            type Value = Row;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of values")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Row, A::Error> {
                let mut row = Row::default();
                while let Some((name, cell)) = map.next_entry::<String, Cell>()? {
                    row.push(name, cell);
                }
                Ok(row)
            }
        }
        d.deserialize_map(Cells)
    }
}

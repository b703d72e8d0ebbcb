//! Signals of a scene file: numbers that go by the time.

use super::quantity::*;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A number that goes by the time: a number alone, or an object with `type`. Before and after its times the end values hold.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(transparent)]
pub struct Signal(pub Form);

impl From<f64> for Signal {
    fn from(value: f64) -> Self {
        Signal(Form::Constant(Constant { value: value.into() }))
    }
}

/// How a number goes by the time.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(tag = "type"))]
pub enum Form {
    /// Always the same; a number alone says it too.
    Constant(Constant),
    /// From each time on another value.
    Steps(Steps),
    /// Straight lines from point to point.
    Ramp(Points),
    /// From point to point, at rest in each of them: 3 s^2 - 2 s^3 between two.
    Smooth(Points),
    /// A sine.
    Sine(Sine),
    /// The columns of a CSV file.
    Table(Table),
    /// The sum of several signals.
    Sum(Sum),
}

/// A number.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Constant {
    /// The number, in the unit of what it drives.
    pub value: Number<One>,
}

/// Values that hold from their times on.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Steps {
    /// Times, s, each later than the one before.
    pub times: Vec<Number<Second>>,
    /// As many values, in the unit of what they drive; the first holds before its time too.
    pub values: Vec<Number<One>>,
}

/// Points of time and value.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Points {
    /// Points `[t, x]`: time, s, later than that of the point before, and value, in the unit of what it drives.
    pub points: Vec<[Number<One>; 2]>,
}

/// A sine.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Sine {
    /// Amplitude, in the unit of what it drives.
    pub amplitude: Number<One>,
    /// Frequency, Hz.
    pub frequency: Number<Hertz>,
    /// Phase at the beginning, rad. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<Number<Radian>>,
    /// What the sine is added to, in the unit of what it drives. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<Number<One>>,
    /// When it begins, s. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Number<Second>>,
    /// When it ends, s. Default: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Number<Second>>,
}

/// Columns of a CSV file.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Table {
    /// The CSV file, its path from the folder of the scene file.
    pub file: String,
    /// Column of the times, s: its name in the first line, or its number from 0. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Column>,
    /// Column of the values, in the unit of what they drive: its name in the first line, or its number from 0. Default: 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Column>,
    /// What lies between two lines: a straight line, or the value of the first. Default: linear.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interpolation: Option<Interpolation>,
    /// What the values are multiplied with, no unit. Default: 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<Number<One>>,
}

/// What lies between two lines of a table.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(inline))]
pub enum Interpolation {
    /// A straight line.
    #[default]
    Linear,
    /// The value of the first.
    Step,
}

/// A column of a table.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(untagged, expecting = "expected the name of a column, or its number from 0")]
#[cfg_attr(feature = "schema", schemars(inline))]
pub enum Column {
    /// By number, from 0.
    Number(usize),
    /// By the name in the first line.
    Name(String),
}

/// A sum.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Sum {
    /// What is added.
    pub of: Vec<Signal>,
}

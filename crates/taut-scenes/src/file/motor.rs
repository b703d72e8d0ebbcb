//! Motors of a scene file: what drives the free motions of a joint.

use super::freedom::Freedom;
use super::quantity::*;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::de::{Deserializer, Error, Unexpected, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::marker::PhantomData;

/// A motor on a rotation.
pub type TurnMotor = MotorOf<Angular>;
/// A motor on a translation.
pub type SlideMotor = MotorOf<Linear>;

/// A motor of the list `motors`, which says by `freedom` what it drives.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Motor {
    /// On a rotation.
    Angle(MotorOf<Angular>),
    /// On a translation.
    Length(MotorOf<Linear>),
}

/// A motor: of the first body against the second, zero at the start. With `stiffness` or `damping` a servo, which pulls to `target` and
/// `rate`; without them it keeps `rate`, whatever force that takes from `min_force` to `max_force`. One that is told neither `target`
/// nor `rate` does nothing.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, bound = "Q: Quantity")]
pub struct MotorOf<Q: Quantity> {
    /// What it drives; only in `motors`.
    #[serde(default)]
    pub freedom: Option<Freedom>,
    /// Which rotation, with `lean`: its place in the list of `motor`, from 0.
    #[serde(default)]
    pub index: Option<usize>,
    /// Name, for those who tell it something in mid-run.
    #[serde(default)]
    pub name: Option<String>,
    /// Wanted rate, m/s or rad/s. Default: 0 where there is a target.
    #[serde(default)]
    pub rate: Option<Number<Q::Rate>>,
    /// Wanted position of a servo, m or rad. Default: 0 where there is a rate.
    #[serde(default)]
    pub target: Option<Number<Q::Position>>,
    /// Stiffness of a servo, N/m or N m/rad. Default: 0.
    #[serde(default)]
    pub stiffness: Option<Number<Q::Stiffness>>,
    /// Damping of a servo, N s/m or N m s/rad. Default: 0.
    #[serde(default)]
    pub damping: Option<Number<Q::Damping>>,
    /// Least it pushes with, N or N m, zero or less: 0 for one that only pushes, "none" without a bound. Default: minus `max_force`.
    #[serde(default)]
    pub min_force: Option<Least<Q::Force>>,
    /// Most it pushes with, N or N m, zero or more: 0, with `min_force`, for one that only pulls. Default: no bound.
    #[serde(default)]
    pub max_force: Option<Number<Q::Force>>,
    /// Whether it is a spring, a servo that may be beside a motor on the same freedom. Default: false.
    #[serde(default)]
    pub spring: bool,
}

/// A least force: a number, or the word "none".
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Least<U> {
    /// A force or torque.
    Number(Number<U>),
    /// No bound.
    None,
}

impl<U> Least<U> {
    /// N or N m; minus infinity without a bound.
    pub fn value(&self) -> f64 {
        match self {
            Least::Number(x) => x.value,
            Least::None => f64::NEG_INFINITY,
        }
    }
}

impl<U> From<f64> for Least<U> {
    fn from(x: f64) -> Self {
        if x == f64::NEG_INFINITY { Least::None } else { Least::Number(x.into()) }
    }
}

impl<U> Serialize for Least<U> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Least::Number(x) => x.serialize(s),
            Least::None => s.serialize_str("none"),
        }
    }
}

impl<'de, U: Unit> Deserialize<'de> for Least<U> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(LeastVisitor(PhantomData))
    }
}

struct LeastVisitor<U>(PhantomData<U>);

impl<U: Unit> Visitor<'_> for LeastVisitor<U> {
    type Value = Least<U>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a number of {}, or 'none' without a bound", U::NAME)
    }
    fn visit_f64<E: Error>(self, x: f64) -> Result<Least<U>, E> {
        Ok(Least::Number(x.into()))
    }
    fn visit_i64<E: Error>(self, x: i64) -> Result<Least<U>, E> {
        self.visit_f64(x as f64)
    }
    fn visit_u64<E: Error>(self, x: u64) -> Result<Least<U>, E> {
        self.visit_f64(x as f64)
    }
    fn visit_str<E: Error>(self, word: &str) -> Result<Least<U>, E> {
        if word == "none" { Ok(Least::None) } else { Err(E::invalid_value(Unexpected::Str(word), &self)) }
    }
}

/// Springs and dampers on all that a joint leaves free, at rest at the start.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Springs {
    /// On translations.
    #[serde(default)]
    pub linear: Option<SpringOf<Linear>>,
    /// On rotations.
    #[serde(default)]
    pub angular: Option<SpringOf<Angular>>,
}

/// A spring with a damper; at least one of the two.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, bound = "Q: Quantity")]
pub struct SpringOf<Q: Quantity> {
    /// Stiffness, N/m or N m/rad. Default: 0.
    #[serde(default)]
    pub stiffness: Number<Q::Stiffness>,
    /// Damping, N s/m or N m s/rad. Default: 0.
    #[serde(default)]
    pub damping: Number<Q::Damping>,
}

/// The numbers of a motor, without their units.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub freedom: Option<Freedom>,
    pub index: Option<usize>,
    pub name: Option<String>,
    pub rate: Option<f64>,
    pub target: Option<f64>,
    pub stiffness: Option<f64>,
    pub damping: Option<f64>,
    pub min_force: Option<f64>,
    pub max_force: Option<f64>,
    pub spring: bool,
    /// Units of stiffness, damping and force.
    pub units: [&'static str; 3],
}

impl<Q: Quantity> From<&MotorOf<Q>> for Given {
    fn from(m: &MotorOf<Q>) -> Self {
        Given {
            freedom: m.freedom,
            index: m.index,
            name: m.name.clone(),
            rate: m.rate.map(|x| x.value),
            target: m.target.map(|x| x.value),
            stiffness: m.stiffness.map(|x| x.value),
            damping: m.damping.map(|x| x.value),
            min_force: m.min_force.map(|x| x.value()),
            max_force: m.max_force.map(|x| x.value),
            spring: m.spring,
            units: [Q::Stiffness::NAME, Q::Damping::NAME, Q::Force::NAME],
        }
    }
}

impl From<&Motor> for Given {
    fn from(m: &Motor) -> Self {
        match m {
            Motor::Angle(m) => m.into(),
            Motor::Length(m) => m.into(),
        }
    }
}

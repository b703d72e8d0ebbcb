//! Numbers with a unit: the unit shows in the type, and in the error when a file has something else in that place.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde::{Deserialize, de};
use std::fmt;
use std::marker::PhantomData;
use taut::Vec3;

/// What has a schema, in builds that can make one.
#[cfg(feature = "schema")]
pub use schemars::JsonSchema as Described;

/// In other builds, anything.
#[cfg(not(feature = "schema"))]
pub trait Described {}

#[cfg(not(feature = "schema"))]
impl<T> Described for T {}

/// A unit of measure.
pub trait Unit: Copy + fmt::Debug + Default + PartialEq + 'static {
    /// As written in errors, "kg".
    const NAME: &'static str;
}

/// What a freedom of a joint is measured in: lengths or angles, with all units that follow from it.
pub trait Quantity: Copy + fmt::Debug + Default + Described + PartialEq + 'static {
    /// Of a position.
    type Position: Unit;
    /// Of its rate.
    type Rate: Unit;
    /// Of a force or torque.
    type Force: Unit;
    /// Of a compliance.
    type Compliance: Unit;
    /// Of a stiffness.
    type Stiffness: Unit;
    /// Of a damping.
    type Damping: Unit;
    /// Of friction per load.
    type PerLoad: Unit;
}

/// Lengths: what moves along a line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Linear;

/// Angles: what turns about an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Angular;

impl Quantity for Linear {
    type Position = Metre;
    type Rate = MetrePerSecond;
    type Force = Newton;
    type Compliance = MetrePerNewton;
    type Stiffness = NewtonPerMetre;
    type Damping = NewtonSecondPerMetre;
    type PerLoad = One;
}

impl Quantity for Angular {
    type Position = Radian;
    type Rate = RadianPerSecond;
    type Force = NewtonMetre;
    type Compliance = RadianPerNewtonMetre;
    type Stiffness = NewtonMetrePerRadian;
    type Damping = NewtonMetreSecondPerRadian;
    type PerLoad = Metre;
}

macro_rules! units {
    ($($name:ident $text:literal,)*) => {$(
        #[doc = concat!("The unit ", $text, ".")]
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct $name;
        impl Unit for $name {
            const NAME: &'static str = $text;
        }
    )*};
}
units! {
    One "(no unit)",
    Kilogram "kg",
    Metre "m",
    Metre2 "m^2",
    Second "s",
    Hertz "Hz",
    PerSecond "1/s",
    Degree "degrees",
    Radian "rad",
    MetrePerSecond "m/s",
    RadianPerSecond "rad/s",
    MetrePerSecond2 "m/s^2",
    KilogramPerMetre "kg/m",
    KilogramPerMetre3 "kg/m^3",
    KilogramMetre2 "kg m^2",
    Armature "kg m^2, of kg for slides",
    Newton "N",
    NewtonMetre "N m",
    NewtonMetre2 "N m^2",
    NewtonSecond "N s",
    NewtonMetreSecond "N m s",
    Joule "J",
    Pascal "Pa",
    NewtonPerMetre "N/m",
    MetrePerNewton "m/N",
    NewtonSecondPerMetre "N s/m",
    NewtonMetrePerRadian "N m/rad",
    RadianPerNewtonMetre "rad/(N m)",
    NewtonMetreSecondPerRadian "N m s/rad",
}

/// A number in the unit `U`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Number<U> {
    /// The number.
    pub value: f64,
    unit: PhantomData<U>,
}

impl<U> From<f64> for Number<U> {
    fn from(value: f64) -> Self {
        Number { value, unit: PhantomData }
    }
}

impl<'de, U: Unit> Deserialize<'de> for Number<U> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_f64(NumberVisitor(PhantomData))
    }
}

impl<U> Serialize for Number<U> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_f64(self.value)
    }
}

struct NumberVisitor<U>(PhantomData<U>);

impl<U: Unit> Visitor<'_> for NumberVisitor<U> {
    type Value = Number<U>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if U::NAME == One::NAME { f.write_str("a number") } else { write!(f, "a number of {}", U::NAME) }
    }
    fn visit_f64<E: Error>(self, x: f64) -> Result<Self::Value, E> {
        Ok(x.into())
    }
    fn visit_i64<E: Error>(self, x: i64) -> Result<Self::Value, E> {
        Ok((x as f64).into())
    }
    fn visit_u64<E: Error>(self, x: u64) -> Result<Self::Value, E> {
        Ok((x as f64).into())
    }
}

/// Three numbers in the unit `U`: x, y, z.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Triple<U> {
    /// The vector.
    pub value: Vec3,
    unit: PhantomData<U>,
}

impl<U> From<Vec3> for Triple<U> {
    fn from(value: Vec3) -> Self {
        Triple { value, unit: PhantomData }
    }
}

impl<'de, U: Unit> Deserialize<'de> for Triple<U> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_seq(TripleVisitor(PhantomData))
    }
}

impl<U> Serialize for Triple<U> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        self.value.to_array().serialize(s)
    }
}

struct TripleVisitor<U>(PhantomData<U>);

impl<'de, U: Unit> Visitor<'de> for TripleVisitor<U> {
    type Value = Triple<U>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[x, y, z], three numbers")?;
        if U::NAME == One::NAME { Ok(()) } else { write!(f, " of {}", U::NAME) }
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut out = [0.0; 3];
        for (k, slot) in out.iter_mut().enumerate() {
            *slot = seq.next_element::<Number<U>>()?.ok_or_else(|| Error::invalid_length(k, &self))?.value;
        }
        let mut more = 0;
        while seq.next_element::<de::IgnoredAny>()?.is_some() {
            more += 1;
        }
        if more > 0 { Err(Error::invalid_length(3 + more, &self)) } else { Ok(Vec3::from_array(out).into()) }
    }
}

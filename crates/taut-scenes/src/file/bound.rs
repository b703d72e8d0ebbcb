//! What bounds the free motions of a joint in a scene file: limits, friction, strength.

use super::freedom::Freedom;
use super::quantity::*;
use super::soft::Soft;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A limit on what a joint leaves free: of the first body against the second, zero at the start.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// Of an angle.
    Angle(LimitOf<Angular>),
    /// Of a length.
    Length(LimitOf<Linear>),
}

/// A limit on a length or on an angle.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, bound = "Q: Quantity")]
pub struct LimitOf<Q: Quantity> {
    /// What it limits.
    pub freedom: Freedom,
    /// Which rotation, with `lean`: its place in the list of motors, from 0.
    #[serde(default)]
    pub index: Option<usize>,
    /// Lower limit, m or rad. Default: none.
    #[serde(default)]
    pub lower: Option<Number<Q::Position>>,
    /// Upper limit, m or rad. Default: none.
    #[serde(default)]
    pub upper: Option<Number<Q::Position>>,
    /// Compliance of the stop, m/N or rad/(N m). Default: 0, rigid.
    #[serde(default)]
    pub compliance: Option<Number<Q::Compliance>>,
    /// Stiffness of the stop, N/m or N m/rad; instead of the compliance.
    #[serde(default)]
    pub stiffness: Option<Number<Q::Stiffness>>,
    /// Damping of a soft stop, N s/m or N m s/rad. Default: 0.
    #[serde(default)]
    pub damping: Option<Number<Q::Damping>>,
    /// Rebound speed over approach speed, 0 to 1, no unit. Default: 0.
    #[serde(default)]
    pub restitution: Number<One>,
}

impl<Q: Quantity> LimitOf<Q> {
    /// A rigid stop on a freedom, without a side yet.
    pub fn on(freedom: Freedom) -> Self {
        LimitOf {
            freedom,
            index: None,
            lower: None,
            upper: None,
            compliance: None,
            stiffness: None,
            damping: None,
            restitution: 0.0.into(),
        }
    }

    /// The give of the stop.
    pub(super) fn soft(&self) -> Soft<Q> {
        Soft { compliance: self.compliance, stiffness: self.stiffness, damping: self.damping }
    }
}

/// Dry friction on what a joint leaves free; at least one of `max` and `per_load`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Friction {
    /// Of a rotation.
    Angle(FrictionOf<Angular>),
    /// Of a translation.
    Length(FrictionOf<Linear>),
}

/// Friction of a translation or of a rotation.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, bound = "Q: Quantity")]
pub struct FrictionOf<Q: Quantity> {
    /// What rubs.
    pub freedom: Freedom,
    /// Which rotation, with `lean`: its place in the list of motors, from 0.
    #[serde(default)]
    pub index: Option<usize>,
    /// Force or torque without load, N or N m. Default: 0.
    #[serde(default)]
    pub max: Option<Number<Q::Force>>,
    /// Per newton that the joint carries: force, no unit, or torque, m; the coefficient of friction, times the radius of a journal where
    /// it turns. Default: 0.
    #[serde(default)]
    pub per_load: Option<Number<Q::PerLoad>>,
}

/// A bound of how fast what a joint leaves free goes: at least one of `lower` and `upper`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Speed {
    /// Of a rotation.
    Angle(SpeedOf<Angular>),
    /// Of a translation.
    Length(SpeedOf<Linear>),
}

/// A bound of the speed of a translation or of a rotation.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, bound = "Q: Quantity")]
pub struct SpeedOf<Q: Quantity> {
    /// What it bounds.
    pub freedom: Freedom,
    /// Which rotation, with `lean`: its place in the list of motors, from 0.
    #[serde(default)]
    pub index: Option<usize>,
    /// Lowest rate, m/s or rad/s, zero or negative. Default: none.
    #[serde(default)]
    pub lower: Option<Number<Q::Rate>>,
    /// Highest rate, m/s or rad/s, zero or positive. Default: none.
    #[serde(default)]
    pub upper: Option<Number<Q::Rate>>,
}

/// What a joint can carry before it breaks and is gone; at least one of the two.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Strength {
    /// Force, N. Default: any.
    #[serde(default)]
    pub force: Option<Number<Newton>>,
    /// Torque about its point, N m. Default: any.
    #[serde(default)]
    pub torque: Option<Number<NewtonMetre>>,
}

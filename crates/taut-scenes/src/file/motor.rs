//! Motors of a scene file: what drives the free motions of a joint.

use super::quantity::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A motor on a rotation: of the first body against the second, zero at the start. With `stiffness` or `damping` a servo, which
/// pulls to `target` and `rate`; without them it keeps `rate`, whatever torque that takes up to `max_force`.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TurnMotor {
    /// Wanted rate, rad/s. Default: 0 for a servo.
    #[serde(default)]
    pub rate: Option<Number<RadianPerSecond>>,
    /// Wanted angle of a servo, rad. Default: 0.
    #[serde(default)]
    pub target: Option<Number<Radian>>,
    /// Stiffness of a servo, N m/rad. Default: 0.
    #[serde(default)]
    pub stiffness: Option<Number<NewtonMetrePerRadian>>,
    /// Damping of a servo, N m s/rad. Default: 0.
    #[serde(default)]
    pub damping: Option<Number<NewtonMetreSecondPerRadian>>,
    /// Most torque it can turn with, N m. Default: no bound.
    #[serde(default)]
    pub max_force: Option<Number<NewtonMetre>>,
}

/// A motor on a translation: of the first body against the second, zero at the start. With `stiffness` or `damping` a servo, which
/// pulls to `target` and `rate`; without them it keeps `rate`, whatever force that takes up to `max_force`.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SlideMotor {
    /// Wanted rate, m/s. Default: 0 for a servo.
    #[serde(default)]
    pub rate: Option<Number<MetrePerSecond>>,
    /// Wanted position of a servo, m. Default: 0.
    #[serde(default)]
    pub target: Option<Number<Metre>>,
    /// Stiffness of a servo, N/m. Default: 0.
    #[serde(default)]
    pub stiffness: Option<Number<NewtonPerMetre>>,
    /// Damping of a servo, N s/m. Default: 0.
    #[serde(default)]
    pub damping: Option<Number<NewtonSecondPerMetre>>,
    /// Most force it can push with, N. Default: no bound.
    #[serde(default)]
    pub max_force: Option<Number<Newton>>,
}

/// The numbers of a motor, without their units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given {
    pub rate: Option<f64>,
    pub target: Option<f64>,
    pub stiffness: Option<f64>,
    pub damping: Option<f64>,
    pub max_force: Option<f64>,
    /// Units of stiffness, damping and force.
    pub units: [&'static str; 3],
}

impl From<TurnMotor> for Given {
    fn from(m: TurnMotor) -> Self {
        Given {
            rate: m.rate.map(|x| x.value),
            target: m.target.map(|x| x.value),
            stiffness: m.stiffness.map(|x| x.value),
            damping: m.damping.map(|x| x.value),
            max_force: m.max_force.map(|x| x.value),
            units: [NewtonMetrePerRadian::NAME, NewtonMetreSecondPerRadian::NAME, NewtonMetre::NAME],
        }
    }
}

impl From<SlideMotor> for Given {
    fn from(m: SlideMotor) -> Self {
        Given {
            rate: m.rate.map(|x| x.value),
            target: m.target.map(|x| x.value),
            stiffness: m.stiffness.map(|x| x.value),
            damping: m.damping.map(|x| x.value),
            max_force: m.max_force.map(|x| x.value),
            units: [NewtonPerMetre::NAME, NewtonSecondPerMetre::NAME, Newton::NAME],
        }
    }
}

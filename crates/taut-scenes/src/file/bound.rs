//! What bounds the free motions of a joint in a scene file: limits, friction, strength.

use super::joint::{AngularSoft, LinearSoft};
use super::quantity::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A limit on what a joint leaves free: of the first body against the second, zero at the start.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
#[schemars(tag = "freedom")]
pub enum Limit {
    /// The rotation about the axis (hinge, planar, cylindrical); both limits, less than a whole turn apart.
    Turn(AngleLimit),
    /// The rotation about its own axis, however far it has swung (ball, cable); both limits, less than a whole turn apart.
    Twist(AngleLimit),
    /// How far the axis has swung, never negative (ball, universal, cable).
    Swing(AngleLimit),
    /// One of the rotations that motors drive (ball, universal); within a quarter turn.
    Lean(LeanLimit),
    /// The translation along the axis (prismatic, cylindrical).
    Slide(LengthLimit),
    /// The distance of the two points (distance, rope, ligament).
    Length(LengthLimit),
}

/// A limit on an angle.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct AngleLimit {
    /// Lower limit, rad. Default: none.
    #[serde(default)]
    pub lower: Option<Number<Radian>>,
    /// Upper limit, rad. Default: none.
    #[serde(default)]
    pub upper: Option<Number<Radian>>,
    /// Compliance of the stop, rad/(N m). Default: 0, rigid.
    #[serde(default)]
    pub compliance: Option<Number<RadianPerNewtonMetre>>,
    /// Stiffness of the stop, N m/rad; instead of the compliance.
    #[serde(default)]
    pub stiffness: Option<Number<NewtonMetrePerRadian>>,
    /// Damping of a soft stop, N m s/rad. Default: 0.
    #[serde(default)]
    pub damping: Option<Number<NewtonMetreSecondPerRadian>>,
    /// Rebound speed over approach speed, 0 to 1, no unit. Default: 0.
    #[serde(default)]
    pub restitution: Number<One>,
}

/// A limit on one of several rotations.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct LeanLimit {
    /// Which rotation: its place in the list of motors, from 0.
    pub index: usize,
    /// Lower limit, rad. Default: none.
    #[serde(default)]
    pub lower: Option<Number<Radian>>,
    /// Upper limit, rad. Default: none.
    #[serde(default)]
    pub upper: Option<Number<Radian>>,
    /// Compliance of the stop, rad/(N m). Default: 0, rigid.
    #[serde(default)]
    pub compliance: Option<Number<RadianPerNewtonMetre>>,
    /// Stiffness of the stop, N m/rad; instead of the compliance.
    #[serde(default)]
    pub stiffness: Option<Number<NewtonMetrePerRadian>>,
    /// Damping of a soft stop, N m s/rad. Default: 0.
    #[serde(default)]
    pub damping: Option<Number<NewtonMetreSecondPerRadian>>,
    /// Rebound speed over approach speed, 0 to 1, no unit. Default: 0.
    #[serde(default)]
    pub restitution: Number<One>,
}

/// A limit on a translation.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct LengthLimit {
    /// Lower limit, m. Default: none.
    #[serde(default)]
    pub lower: Option<Number<Metre>>,
    /// Upper limit, m. Default: none.
    #[serde(default)]
    pub upper: Option<Number<Metre>>,
    /// Compliance of the stop, m/N. Default: 0, rigid.
    #[serde(default)]
    pub compliance: Option<Number<MetrePerNewton>>,
    /// Stiffness of the stop, N/m; instead of the compliance.
    #[serde(default)]
    pub stiffness: Option<Number<NewtonPerMetre>>,
    /// Damping of a soft stop, N s/m. Default: 0.
    #[serde(default)]
    pub damping: Option<Number<NewtonSecondPerMetre>>,
    /// Rebound speed over approach speed, 0 to 1, no unit. Default: 0.
    #[serde(default)]
    pub restitution: Number<One>,
}

/// Dry friction on what a joint leaves free; at least one of `max` and `per_load`.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
#[schemars(tag = "freedom")]
pub enum Friction {
    /// The rotation about the axis (hinge, planar, cylindrical).
    Turn(AngleFriction),
    /// The rotation about its own axis (ball, cable).
    Twist(AngleFriction),
    /// One of the rotations that motors drive (ball, universal).
    Lean(LeanFriction),
    /// The translation along the axis (prismatic, cylindrical).
    Slide(LengthFriction),
    /// The distance of the two points (distance, rope, ligament).
    Length(LengthFriction),
}

/// Friction of a rotation.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct AngleFriction {
    /// Torque without load, N m. Default: 0.
    #[serde(default)]
    pub max: Option<Number<NewtonMetre>>,
    /// Torque per newton that the joint carries, m: coefficient of friction times radius of the journal. Default: 0.
    #[serde(default)]
    pub per_load: Option<Number<Metre>>,
}

/// Friction of one of several rotations.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct LeanFriction {
    /// Which rotation: its place in the list of motors, from 0.
    pub index: usize,
    /// Torque without load, N m. Default: 0.
    #[serde(default)]
    pub max: Option<Number<NewtonMetre>>,
    /// Torque per newton that the joint carries, m: coefficient of friction times radius of the journal. Default: 0.
    #[serde(default)]
    pub per_load: Option<Number<Metre>>,
}

/// Friction of a translation.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct LengthFriction {
    /// Force without load, N. Default: 0.
    #[serde(default)]
    pub max: Option<Number<Newton>>,
    /// Force per newton that the joint carries, no unit: the coefficient of friction. Default: 0.
    #[serde(default)]
    pub per_load: Option<Number<One>>,
}

/// What a joint can carry before it breaks and is gone; at least one of the two.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Strength {
    /// Force, N. Default: any.
    #[serde(default)]
    pub force: Option<Number<Newton>>,
    /// Torque about its point, N m. Default: any.
    #[serde(default)]
    pub torque: Option<Number<NewtonMetre>>,
}

/// The give of a stop, in the unit of its freedom.
pub(super) enum Give {
    Linear(LinearSoft),
    Angular(AngularSoft),
}

/// A limit without its units: which freedom, lower and upper, give, restitution.
pub(super) struct GivenLimit {
    pub freedom: (&'static str, usize),
    pub lower: Option<f64>,
    pub upper: Option<f64>,
    pub give: Give,
    pub restitution: f64,
}

impl From<Limit> for GivenLimit {
    fn from(limit: Limit) -> Self {
        let angle = |name, index, l: AngleLimit| GivenLimit {
            freedom: (name, index),
            lower: l.lower.map(|x| x.value),
            upper: l.upper.map(|x| x.value),
            give: Give::Angular(AngularSoft { compliance: l.compliance, stiffness: l.stiffness, damping: l.damping }),
            restitution: l.restitution.value,
        };
        let length = |name, l: LengthLimit| GivenLimit {
            freedom: (name, 0),
            lower: l.lower.map(|x| x.value),
            upper: l.upper.map(|x| x.value),
            give: Give::Linear(LinearSoft { compliance: l.compliance, stiffness: l.stiffness, damping: l.damping }),
            restitution: l.restitution.value,
        };
        match limit {
            Limit::Turn(l) => angle("turn", 0, l),
            Limit::Twist(l) => angle("twist", 0, l),
            Limit::Swing(l) => angle("swing", 0, l),
            Limit::Lean(l) => {
                let LeanLimit { index, lower, upper, compliance, stiffness, damping, restitution } = l;
                angle("lean", index, AngleLimit { lower, upper, compliance, stiffness, damping, restitution })
            }
            Limit::Slide(l) => length("slide", l),
            Limit::Length(l) => length("length", l),
        }
    }
}

/// Friction without its units: which freedom, max, per load.
pub(super) struct GivenFriction {
    pub freedom: (&'static str, usize),
    pub max: Option<f64>,
    pub per_load: Option<f64>,
}

impl From<Friction> for GivenFriction {
    fn from(friction: Friction) -> Self {
        let angle = |name, index, max: Option<Number<NewtonMetre>>, per_load: Option<Number<Metre>>| GivenFriction {
            freedom: (name, index),
            max: max.map(|x| x.value),
            per_load: per_load.map(|x| x.value),
        };
        let length = |name, f: LengthFriction| GivenFriction {
            freedom: (name, 0),
            max: f.max.map(|x| x.value),
            per_load: f.per_load.map(|x| x.value),
        };
        match friction {
            Friction::Turn(f) => angle("turn", 0, f.max, f.per_load),
            Friction::Twist(f) => angle("twist", 0, f.max, f.per_load),
            Friction::Lean(f) => angle("lean", f.index, f.max, f.per_load),
            Friction::Slide(f) => length("slide", f),
            Friction::Length(f) => length("length", f),
        }
    }
}

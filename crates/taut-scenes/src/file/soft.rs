//! How rows of a scene file give way.

use super::error::{At, FileError, Path};
use super::quantity::*;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use taut::Softness;

/// Give of translations.
pub type LinearSoft = Soft<Linear>;
/// Give of rotations.
pub type AngularSoft = Soft<Angular>;

/// Give of rows: a compliance or a stiffness, and damping with it. Empty: rigid.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, bound = "Q: Quantity")]
pub struct Soft<Q: Quantity> {
    /// Compliance, m/N or rad/(N m); 0 is rigid.
    #[serde(default)]
    pub compliance: Option<Number<Q::Compliance>>,
    /// Stiffness, N/m or N m/rad; instead of the compliance. 0, with damping, is a damper.
    #[serde(default)]
    pub stiffness: Option<Number<Q::Stiffness>>,
    /// Damping, N s/m or N m s/rad. Default: 0.
    #[serde(default)]
    pub damping: Option<Number<Q::Damping>>,
}

impl<Q: Quantity> Soft<Q> {
    /// The law of the rows.
    pub(super) fn engine(&self, path: &Path) -> Result<Softness, FileError> {
        let d = self.damping.map_or(0.0, |x| x.value);
        let soft = match (self.compliance.map(|x| x.value), self.stiffness.map(|x| x.value)) {
            (Some(_), Some(k)) => {
                return Err(FileError::input(path.key("stiffness"), k, "either 'compliance' or 'stiffness'"));
            }
            (Some(c), None) if c < 0.0 => {
                let expected = format!("zero (rigid) or a positive number of {}", Q::Compliance::NAME);
                return Err(FileError::input(path.key("compliance"), c, expected));
            }
            (None, Some(k)) if k < 0.0 || (k == 0.0 && d == 0.0) => {
                let expected = format!("a positive number of {} (zero only with damping)", Q::Stiffness::NAME);
                return Err(FileError::input(path.key("stiffness"), k, expected));
            }
            (Some(c), None) => Softness { compliance: c, damping: d },
            (None, Some(k)) => Softness::spring(k, d),
            (None, None) => Softness::RIGID,
        };
        if soft.compliance == 0.0 && self.damping.is_some() {
            let expected = "none on rigid rows, where it has no effect: give a compliance or a stiffness with it";
            return Err(FileError::input(path.key("damping"), d, expected));
        }
        soft.validate("row").among(path, &[("compliance", "compliance"), ("damping", "damping")])?;
        Ok(soft)
    }

    /// What says this law to the last bit. Damping has no effect on rigid rows and is left out there.
    pub(super) fn saying(soft: Softness) -> Self {
        let damping = (soft.damping != 0.0).then(|| soft.damping.into());
        match soft.compliance {
            0.0 => Soft::default(),
            c if c.is_infinite() => Soft { compliance: None, stiffness: Some(0.0.into()), damping },
            c => Soft { compliance: Some(c.into()), stiffness: None, damping },
        }
    }
}

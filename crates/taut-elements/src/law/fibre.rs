//! Active fibres: a stress along a direction of the material, whatever its stretch.
//!
//! ```text
//! psi = a s_max (|F e| - 1),   P = a s_max n e^T,   n = F e/|F e|
//! C   = a s_max/|F e| (I - n n^T) (x) e e^T       positive semi-definite for a >= 0
//! ```
//! a in 0 ... 1 is the activation, given at each evaluation. The energy counts from the length at rest: a muscle that is activated there
//! has none to give yet.

use super::{Point, Want};
use crate::error::InputError;
use crate::law::stretches::square;
use glam::{DMat3, DVec3};

/// Below this length F e has no direction and the fibre no force.
const SHORTEST: f64 = 1e-9;

/// Fibres that pull.
///
/// ```
/// use taut_elements::Fibre;
/// let muscle = Fibre { direction: glam::DVec3::X, stress: 3e5 };
/// assert!(muscle.check().is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fibre {
    /// Direction in the shape at rest, of any length; in sheets its part in the sheet counts.
    pub direction: DVec3,
    /// Stress at full activation, Pa.
    pub stress: f64,
}

impl Fibre {
    /// Refuses a direction of no length and a negative stress.
    ///
    /// # Errors
    /// Name, value and expectation.
    pub fn check(&self) -> Result<(), InputError> {
        let length = self.direction.length();
        if !(length > 0.0 && length.is_finite()) {
            return Err(InputError::new("fibre.direction", length, "a finite direction of positive length"));
        }
        InputError::at_least("fibre.stress", self.stress, 0.0, "a finite stress, Pa, not negative")
    }
}

/// Adds the tension `t` = a s_max of fibres along the unit vector e.
pub(crate) fn add(point: &mut Point, f: DMat3, e: DVec3, t: f64, want: Want) {
    let stretched = f * e;
    let length = stretched.length();
    point.psi += t * (length - 1.0);
    if !(length > SHORTEST) {
        return;
    }
    let n = stretched / length;
    if want > Want::Energy {
        point.stress += DMat3::from_cols(n * (t * e.x), n * (t * e.y), n * (t * e.z));
    }
    if want >= Want::Exact {
        let across = (DMat3::IDENTITY - square(n)) * (t / length);
        for c in 0..3 {
            for d in 0..3 {
                point.tangent[c][d] += across * (e[c] * e[d]);
            }
        }
    }
}

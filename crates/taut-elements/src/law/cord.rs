//! Cord: bars that only pull, soft up to a strain and stiffer beyond it, as ligaments and tendons are (Tournier 2015 section 4.3).
//!
//! ```text
//! e = s - 1,  d = max(e - strain, 0)         e > 0: psi = E/2 e^2 + (E2 - E)/2 d^2,  g = E e + (E2 - E) d
//!                                            slack, e <= 0: nothing
//! ```
//! Across the bar the tangent is g/s, the geometric stiffness, which is never negative here.

use super::stretches::Response;
use crate::error::InputError;
use glam::{DMat3, DVec3};

/// Where a cord becomes stiffer, and how stiff it is then.
///
/// A ligament of 12 MPa up to a strain of 5 %, 60 MPa beyond.
/// ```
/// use taut_elements::{Cord, Law, Material};
/// let ligament = Material::new(1000.0, 12e6, 0.0).law(Law::Cord(Cord { strain: 0.05, young: 60e6 })).area(5e-5);
/// assert!(ligament.check().is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cord {
    /// Strain (stretch over length at rest) up to which the material's modulus holds.
    pub strain: f64,
    /// Young's modulus beyond it, Pa.
    pub young: f64,
}

impl Cord {
    /// Refuses a negative strain and a modulus that is none.
    ///
    /// # Errors
    /// Name, value and expectation.
    pub fn check(&self) -> Result<(), InputError> {
        InputError::at_least("cord.strain", self.strain, 0.0, "a finite strain, not negative")?;
        InputError::above("cord.young", self.young, 0.0, "a finite positive modulus, Pa")
    }
}

/// `young`: up to the strain of the cord, Pa.
pub(crate) fn response(s: f64, young: f64, cord: Cord) -> Response {
    let e = s - 1.0;
    let mut out = Response { psi: 0.0, g: DVec3::ZERO, h: DMat3::ZERO, flip: DVec3::ZERO, twist: DVec3::ZERO };
    if e <= 0.0 {
        return out;
    }
    let (d, more) = ((e - cord.strain).max(0.0), cord.young - young);
    out.psi = 0.5 * (young * e * e + more * d * d);
    out.g.x = young * e + more * d;
    out.h.x_axis.x = if d > 0.0 { cord.young } else { young };
    let across = out.g.x / s;
    (out.flip, out.twist) = (DVec3::new(0.0, across, across), DVec3::new(0.0, across, across));
    out
}

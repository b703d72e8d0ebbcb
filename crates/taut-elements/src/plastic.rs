//! Multiplicative plasticity with a return in logarithmic strain.
//!
//! ```text
//! F = F_e F_p,  det F_p = 1;   F_e = U diag(s) V^T,  e = ln s,  d = dev e
//! |d| > y:   F_p <- V diag(exp(r d)) V^T F_p,   r = (1 - y/|d|) (1 - exp(-h/creep time))
//! ```
//! (Weber and Anand 1990; the logarithmic return of Simo 1992.) After a return without creep |dev
//! ln s(F_e)| = y, and J is untouched. r is cut where |ln stretches of F_p| would pass the maximum.
//! The energy lost is the plastic work; a flow that would gain energy, which some laws offer under
//! extreme compression, does not happen.

use crate::error::InputError;
use crate::svd::Svd;
use glam::{DMat3, DVec3};

/// Numbers of the state per point: F_p by columns, then the sum of all plastic strain.
pub(crate) const STATE: usize = 10;
/// Halvings of r where the maximum is reached.
const HALVINGS: usize = 24;

/// Permanent deformation.
///
/// ```
/// use taut_elements::Plasticity;
/// let clay = Plasticity { yield_strain: 0.05, creep_time: 0.0, max_strain: 0.35 };
/// assert!(clay.check().is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plasticity {
    /// Norm of the deviatoric logarithmic strain beyond which it flows, -.
    pub yield_strain: f64,
    /// Time in which what is beyond the yield strain flows off, s; 0: at once.
    pub creep_time: f64,
    /// Norm of the plastic logarithmic strain at which it stops, -; may be infinite.
    pub max_strain: f64,
}

impl Plasticity {
    /// Refuses negative numbers.
    ///
    /// # Errors
    /// Name, value and expectation.
    pub fn check(&self) -> Result<(), InputError> {
        InputError::at_least("yield_strain", self.yield_strain, 0.0, "a finite strain, not negative")?;
        InputError::at_least("creep_time", self.creep_time, 0.0, "a finite time, s, not negative")?;
        if !(self.max_strain >= 0.0) {
            return Err(InputError::new("max_strain", self.max_strain, "a strain, not negative"));
        }
        Ok(())
    }

    /// F_p after a time h (s) at the deformation gradient F, and the strain that flowed; none where
    /// nothing flows.
    pub(crate) fn flow(&self, f: DMat3, plastic: DMat3, h: f64) -> Option<(DMat3, f64)> {
        let svd = Svd::new(f * inverse(plastic));
        if !(svd.s.z > 0.0) || !svd.s.is_finite() {
            return None;
        }
        let d = deviator(logs(svd.s));
        let norm = d.length();
        if !(norm > self.yield_strain) {
            return None;
        }
        let share = if self.creep_time > 0.0 { -libm::expm1(-h / self.creep_time) } else { 1.0 };
        let turned = |r: f64| {
            let e = DVec3::new(libm::exp(r * d.x), libm::exp(r * d.y), libm::exp(r * d.z));
            DMat3::from_cols(svd.v.x_axis * e.x, svd.v.y_axis * e.y, svd.v.z_axis * e.z) * svd.v.transpose() * plastic
        };
        let full = (1.0 - self.yield_strain / norm) * share;
        let r = self.within(full, turned);
        // Rounding of many updates must not change the volume.
        let next = turned(r);
        (r > 0.0).then(|| (next * (1.0 / libm::cbrt(next.determinant())), r * norm))
    }

    /// The largest r up to `full` for which F_p stays within the maximum.
    fn within(&self, full: f64, plastic: impl Fn(f64) -> DMat3) -> f64 {
        let fits = |r: f64| logs(Svd::new(plastic(r)).s).length() <= self.max_strain;
        if self.max_strain == f64::INFINITY || fits(full) {
            return full;
        }
        let (mut low, mut high) = (0.0, full);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if fits(middle) { low = middle } else { high = middle }
        }
        low
    }
}

fn logs(s: DVec3) -> DVec3 {
    DVec3::new(libm::log(s.x), libm::log(s.y), libm::log(s.z))
}

fn deviator(e: DVec3) -> DVec3 {
    e - DVec3::splat((e.x + e.y + e.z) / 3.0)
}

/// The inverse of a matrix of determinant 1: its cofactors.
pub(crate) fn inverse(f: DMat3) -> DMat3 {
    cofactor(f).transpose()
}

/// dJ/dF: columns are the products of the other two.
pub(crate) fn cofactor(f: DMat3) -> DMat3 {
    DMat3::from_cols(f.y_axis.cross(f.z_axis), f.z_axis.cross(f.x_axis), f.x_axis.cross(f.y_axis))
}

//! Materials as functions of the deformation gradient F = dx/dX (3 x m; m = 1 for bars, 2 for
//! sheets, 3 for solids).
//!
//! ```text
//! psi(F)                  energy per volume at rest, Pa
//! P = dpsi/dF             first Piola-Kirchhoff stress, Pa
//! C = d2psi/dF2           made positive semi-definite at each point
//! ```
//! Isotropic laws are functions of the principal stretches ([`stretches`]); [`hooke`] is linear in
//! the Green strain.

pub(crate) mod cord;
pub(crate) mod corotational;
pub(crate) mod fibre;
pub(crate) mod hooke;
pub(crate) mod neo_hookean;
pub(crate) mod polar;
pub(crate) mod st_venant_kirchhoff;
pub(crate) mod stable_neo_hookean;
pub(crate) mod stretches;

pub use cord::Cord;
pub use fibre::Fibre;
pub use hooke::{Hooke, Orthotropic};

use crate::error::InputError;
use glam::DMat3;
use stretches::{Response, Stretches};

/// The relation between strain and stress.
///
/// | law | bars | sheets | solids |
/// |---|---|---|---|
/// | `Corotational` | yes | yes | yes |
/// | `StVenantKirchhoff`, `Hooke` | yes | yes | yes |
/// | `Orthotropic` | | yes | |
/// | the Neo-Hookean laws | | | yes |
/// | `Cord` | yes | | |
///
/// ```
/// use taut_elements::Law;
/// assert_eq!(Law::default(), Law::Corotational);
/// ```
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Law {
    /// Linear in the stretches; recovers from any deformation. The default.
    #[default]
    Corotational,
    /// Stable Neo-Hookean of Smith, de Goes and Kim 2018, Eq. 14: for flesh and large stretches.
    StableNeoHookean,
    /// The same without the logarithm of the origin, their Eq. 13: a cell crushed to a point stays
    /// there.
    StableNeoHookeanNoLog,
    /// Neo-Hookean with ln J: infinite energy where a cell is inverted, so a step must be cut before.
    NeoHookean,
    /// Linear in the Green strain, isotropic: sheets and small strains; softens under compression.
    StVenantKirchhoff,
    /// Linear in the Green strain with any stiffness matrix.
    Hooke(Box<Hooke>),
    /// Linear in the Green strain, a sheet with fibres.
    Orthotropic(Orthotropic),
    /// Bars that only pull, stiffer beyond a strain: ligaments, tendons, ropes.
    Cord(Cord),
}

/// A law with its numbers, for one dimension m.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Resolved {
    Stretches { kind: Kind, mu: f64, la: f64 },
    Green(Box<hooke::Voigt>),
}

/// The laws written in stretches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Corotational,
    StableNeoHookean,
    StableNeoHookeanNoLog,
    NeoHookean,
    StVenantKirchhoff,
    Cord(Cord),
}

/// psi, P and, if wanted, C at a point.
pub(crate) struct Point {
    pub psi: f64,
    pub stress: DMat3,
    /// `tangent[c][d]` is dP_c/dF_d, the derivative of column c by column d.
    pub tangent: Tangent,
}

pub(crate) type Tangent = [[DMat3; 3]; 3];
pub(crate) const NO_TANGENT: Tangent = [[DMat3::ZERO; 3]; 3];

/// What of a law is to be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub(crate) enum Want {
    Energy,
    Force,
    /// With the tangent as it is.
    Exact,
    /// With the tangent made positive semi-definite.
    Projected,
}

impl Law {
    /// The law with its numbers in dimension m. Isotropic solids take the given second Lame
    /// constant `la`, Pa.
    pub(crate) fn resolve(&self, young: f64, nu: f64, la: f64, m: usize) -> Result<Resolved, InputError> {
        let mu = young / (2.0 * (1.0 + nu));
        let kind = match self {
            Law::Corotational => Kind::Corotational,
            Law::StableNeoHookean => Kind::StableNeoHookean,
            Law::StableNeoHookeanNoLog => Kind::StableNeoHookeanNoLog,
            Law::NeoHookean => Kind::NeoHookean,
            Law::StVenantKirchhoff if m == 3 => Kind::StVenantKirchhoff,
            Law::StVenantKirchhoff if m == 2 => return Ok(Resolved::Green(Box::new(hooke::plane_stress(young, nu)))),
            Law::StVenantKirchhoff => return Ok(Resolved::Green(Box::new(hooke::bar(young)))),
            Law::Hooke(hooke) => return hooke.resolve(m),
            Law::Orthotropic(fibres) if m == 2 => return Ok(Resolved::Green(Box::new(fibres.stiffness()))),
            Law::Cord(cord) if m == 1 => Kind::Cord(*cord),
            Law::Cord(_) => return Err(InputError::new("law", m as f64, "cord only for bars (1)")),
            Law::Orthotropic(_) => return Err(InputError::new("law", m as f64, "orthotropic only for sheets (2)")),
        };
        match (m, kind) {
            (3, _) => Ok(Resolved::Stretches { kind, mu, la }),
            (2, Kind::Corotational) => Ok(Resolved::Stretches { kind, mu, la: young * nu / (1.0 - nu * nu) }),
            (1, Kind::Corotational | Kind::Cord(_)) => Ok(Resolved::Stretches { kind, mu: 0.5 * young, la: 0.0 }),
            _ => Err(InputError::new("law", m as f64, "Neo-Hookean only for solids (dimension 3)")),
        }
    }

    /// Whether it is isotropic, so that the volume can be treated apart.
    pub(crate) fn is_isotropic(&self) -> bool {
        !matches!(self, Law::Hooke(_) | Law::Orthotropic(_))
    }

    /// The material axes in the shape at rest.
    pub(crate) fn axes(&self) -> DMat3 {
        match self {
            Law::Hooke(hooke) => hooke.axes,
            Law::Orthotropic(fibres) => DMat3::from_cols(fibres.axis, fibres.axis.any_orthogonal_vector(), fibres.axis),
            _ => DMat3::IDENTITY,
        }
    }
}

impl Resolved {
    /// mu and la of the corotational law.
    pub fn corotational(&self) -> Option<(f64, f64)> {
        match *self {
            Resolved::Stretches { kind: Kind::Corotational, mu, la } => Some((mu, la)),
            _ => None,
        }
    }

    /// The law at F with the pressure of a patch, psi + p (J - 1).
    pub fn at(&self, f: DMat3, m: usize, pressure: f64, want: Want) -> Point {
        match self {
            Resolved::Stretches { kind, mu, la } => {
                let s = Stretches::new(f, m);
                let mut response = kind.response(&s, *mu, *la);
                if m == 3 && pressure != 0.0 {
                    response.add_pressure(s.svd.s, pressure);
                }
                s.point(&response, want)
            }
            Resolved::Green(stiffness) => hooke::point(stiffness, f, m, want),
        }
    }
}

impl Kind {
    fn response(self, s: &Stretches, mu: f64, la: f64) -> Response {
        match self {
            Kind::Corotational => corotational::response(s, mu, la),
            Kind::StableNeoHookean => stable_neo_hookean::response(s.svd.s, mu, la),
            Kind::StableNeoHookeanNoLog => stable_neo_hookean::response_no_log(s.svd.s, mu, la),
            Kind::NeoHookean => neo_hookean::response(s.svd.s, mu, la),
            Kind::StVenantKirchhoff => st_venant_kirchhoff::response(s.svd.s, mu, la),
            Kind::Cord(cord) => cord::response(s.svd.s.x, 2.0 * mu, cord),
        }
    }
}

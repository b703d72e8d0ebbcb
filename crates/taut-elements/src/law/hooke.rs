//! Hooke's law on the Green strain, any stiffness matrix, m = 1, 2, 3.
//!
//! ```text
//! E = (F^T F - I)/2,   S = D E,   psi = E.D.E/2,   P = F S
//! C dF = F (D : sym(F^T dF)) + dF S
//! ```
//! Voigt order 11, 22, 33, 12, 23, 13 with doubled shear in the strain. The first part of C is
//! positive semi-definite as it stands; clamping the m x m matrix S at zero in the second makes the
//! whole so. Sheets use the entries 11, 22, 12, bars 11: the others are zero.

use super::{NO_TANGENT, Point, Resolved, Want};
use crate::error::InputError;
use crate::svd::Eigen;
use glam::{DMat3, DVec3};

/// A stiffness matrix, Pa.
pub(crate) type Voigt = [[f64; 6]; 6];

/// Voigt index of a pair of axes.
const INDEX: [[usize; 3]; 3] = [[0, 3, 5], [3, 1, 4], [5, 4, 2]];

/// Any linear law on the Green strain.
///
/// ```
/// use taut_elements::Hooke;
/// let hooke = Hooke::isotropic(1e6, 0.3);
/// assert!((hooke.stiffness[3][3] - 1e6 / 2.6).abs() < 1e-9);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Hooke {
    /// Stress over strain in the material axes, Pa: symmetric, Voigt order 11, 22, 33, 12, 23, 13,
    /// doubled shear strain. Sheets use rows and columns 11, 22, 12 (plane stress), bars 11.
    pub stiffness: [[f64; 6]; 6],
    /// Material axes in the shape at rest, in columns: a rotation. In sheets the first axis is
    /// projected on the sheet.
    pub axes: DMat3,
}

/// A sheet with fibres: two moduli, across each other.
///
/// ```
/// use taut_elements::Orthotropic;
/// let cloth = Orthotropic { young_1: 200.0, young_2: 20.0, poisson_12: 0.4, shear: 3.6, axis: glam::DVec3::X };
/// let turned = cloth.angle(25f64.to_radians());
/// assert!((turned.axis.y - 0.42262).abs() < 1e-5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orthotropic {
    /// Modulus along the fibres, Pa.
    pub young_1: f64,
    /// Modulus across them, Pa.
    pub young_2: f64,
    /// Contraction across when pulled along, -.
    pub poisson_12: f64,
    /// Shear modulus, Pa.
    pub shear: f64,
    /// Direction of the fibres in the shape at rest; its part in the sheet counts.
    pub axis: DVec3,
}

impl Hooke {
    /// The isotropic law of a solid: Young's modulus (Pa), Poisson's ratio.
    pub fn isotropic(young: f64, nu: f64) -> Self {
        let mu = young / (2.0 * (1.0 + nu));
        let la = young * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
        let mut d = [[0.0; 6]; 6];
        for i in 0..3 {
            d[i][..3].fill(la);
            d[i][i] += 2.0 * mu;
            d[i + 3][i + 3] = mu;
        }
        Hooke { stiffness: d, axes: DMat3::IDENTITY }
    }

    /// Refuses matrices that are not symmetric or not positive, and axes that are no rotation.
    pub(crate) fn check(&self, m: usize) -> Result<(), InputError> {
        let turn = (self.axes.transpose() * self.axes - DMat3::IDENTITY).to_cols_array();
        let off = turn.iter().fold(0.0, |a, x| f64::max(a, x.abs()));
        if !(off < 1e-9) || !(self.axes.determinant() > 0.0) {
            return Err(InputError::new("hooke.axes", off, "a rotation: columns of length 1 at right angles"));
        }
        let d = part(&self.stiffness, m);
        let used: &[usize] = [&[0][..], &[0, 1, 3], &[0, 1, 2, 3, 4, 5]][m - 1];
        for &i in used {
            for &j in used {
                if !((d[i][j] - d[j][i]).abs() <= 1e-9 * (d[i][j].abs() + d[j][i].abs())) {
                    return Err(InputError::new("hooke.stiffness", d[i][j] - d[j][i], "a symmetric matrix, Pa"));
                }
            }
        }
        least_pivot(d, used)
    }

    pub(crate) fn resolve(&self, m: usize) -> Result<Resolved, InputError> {
        self.check(m)?;
        Ok(Resolved::Green(Box::new(part(&self.stiffness, m))))
    }
}

/// Elimination without exchange; every pivot must be positive.
fn least_pivot(mut d: Voigt, used: &[usize]) -> Result<(), InputError> {
    for (k, &p) in used.iter().enumerate() {
        if !(d[p][p] > 0.0 && d[p][p].is_finite()) {
            return Err(InputError::new("hooke.stiffness", d[p][p], "a positive definite matrix: pivots above 0 Pa"));
        }
        for &i in &used[k + 1..] {
            let factor = d[i][p] / d[p][p];
            for &j in &used[k + 1..] {
                d[i][j] -= factor * d[p][j];
            }
        }
    }
    Ok(())
}

/// The rows and columns that belong to dimension m.
fn part(d: &Voigt, m: usize) -> Voigt {
    let mut out = [[0.0; 6]; 6];
    for (a, b) in pairs(m) {
        for (c, e) in pairs(m) {
            out[INDEX[a][b]][INDEX[c][e]] = d[INDEX[a][b]][INDEX[c][e]];
        }
    }
    out
}

fn pairs(m: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..m).flat_map(move |a| (a..m).map(move |b| (a, b)))
}

pub(crate) fn bar(young: f64) -> Voigt {
    let mut d = [[0.0; 6]; 6];
    d[0][0] = young;
    d
}

pub(crate) fn plane_stress(young: f64, nu: f64) -> Voigt {
    let mut d = [[0.0; 6]; 6];
    let k = young / (1.0 - nu * nu);
    (d[0][0], d[1][1], d[0][1], d[1][0], d[3][3]) = (k, k, k * nu, k * nu, 0.5 * k * (1.0 - nu));
    d
}

impl Orthotropic {
    /// The same with the fibres turned in the x-y plane, from the x axis, rad.
    pub fn angle(self, angle: f64) -> Self {
        Orthotropic { axis: DVec3::new(libm::cos(angle), libm::sin(angle), 0.0), ..self }
    }

    /// Refuses moduli that are not positive and nu_12^2 >= E_1/E_2.
    ///
    /// # Errors
    /// Name, value and expectation.
    pub fn check(&self) -> Result<(), InputError> {
        for (name, value) in
            [("young_1", self.young_1), ("young_2", self.young_2), ("shear", self.shear), ("axis", self.axis.length())]
        {
            InputError::above(name, value, 0.0, "a finite positive number (moduli in Pa)")?;
        }
        let nu = self.poisson_12;
        if !(nu * nu < self.young_1 / self.young_2) {
            return Err(InputError::new("poisson_12", nu, "poisson_12^2 below young_1/young_2"));
        }
        Ok(())
    }

    /// Plane stress: the inverse of [1/E1, -nu12/E1; -nu12/E1, 1/E2] and 1/G.
    pub(crate) fn stiffness(&self) -> Voigt {
        let nu_21 = self.poisson_12 * self.young_2 / self.young_1;
        let k = 1.0 / (1.0 - self.poisson_12 * nu_21);
        let mut d = [[0.0; 6]; 6];
        (d[0][0], d[1][1], d[3][3]) = (self.young_1 * k, self.young_2 * k, self.shear);
        (d[0][1], d[1][0]) = (self.poisson_12 * self.young_2 * k, self.poisson_12 * self.young_2 * k);
        d
    }
}

pub(crate) fn point(d: &Voigt, f: DMat3, m: usize, want: Want) -> Point {
    let (a, b, c) = (f.x_axis, f.y_axis, f.z_axis);
    // Missing columns have no stiffness, so their strain does not matter.
    let diagonal = |x: DVec3| 0.5 * (x.length_squared() - 1.0);
    let e = [diagonal(a), diagonal(b), diagonal(c), a.dot(b), b.dot(c), a.dot(c)];
    let mut s = [0.0; 6];
    let mut psi = 0.0;
    for i in 0..6 {
        for j in 0..6 {
            s[i] += d[i][j] * e[j];
        }
        psi += 0.5 * s[i] * e[i];
    }
    let stress =
        DMat3::from_cols(DVec3::new(s[0], s[3], s[5]), DVec3::new(s[3], s[1], s[4]), DVec3::new(s[5], s[4], s[2]));
    let mut tangent = NO_TANGENT;
    if want >= Want::Exact {
        let initial = if want == Want::Projected { Eigen::new(stress).clamped() } else { stress };
        let ft = f.transpose();
        for c in 0..m {
            for e in 0..m {
                let mut block = DMat3::ZERO;
                for l in 0..m {
                    for k in 0..m {
                        block.col_mut(l)[k] = d[INDEX[k][c]][INDEX[l][e]];
                    }
                }
                tangent[c][e] = f * block * ft + DMat3::from_diagonal(DVec3::splat(initial.col(e)[c]));
            }
        }
    }
    Point { psi, stress: f * stress, tangent }
}

//! The primitives every joint is made of, and the only `match` on them.
//!
//! A primitive only evaluates. Given the poses of its two sides it yields phi (m or rad), the Jacobian J over
//! (p_i, th_i, p_j, th_j), the geometric stiffness K~ = d(J^T lambda)/dx at fixed lambda, and the dyads a b^T that
//! K~ is the sum of. The force on the bodies is J^T lambda; compliance obeys C lambda = -phi, so tension of a
//! distance row is negative. th is a world-frame rotation vector, R <- exp(hat(dth)) R, hence dn/dth = -hat(n) for a
//! direction fixed to a body (Andrews 2017 Eq. 20 prints the opposite sign).

pub mod axial;
pub mod distance;
pub mod dot1;
pub mod dot2;
pub mod lock;
pub mod point;
pub mod slot;
pub mod twist;

use crate::error::{Error, Result, finite_vec};
use glam::{DMat3, DVec3};

/// One side of a row: where the body or particle that carries the anchor is.
///
/// A body that has turned by a quarter turn about z: what lies along its x lies along y of the world.
/// ```
/// use taut::constraint::{Primitive, Side};
/// use taut::{Mat3, Vec3};
/// let ground = Side { pos: Vec3::ZERO, rot: Mat3::IDENTITY };
/// let body = Side { pos: Vec3::Z, rot: Mat3::from_rotation_z(std::f64::consts::FRAC_PI_2) };
/// let phi = Primitive::Point { si: Vec3::X, sj: Vec3::ZERO }.phi(&body, &ground);
/// assert!((Vec3::from_array(phi) - Vec3::new(0.0, 1.0, 1.0)).length() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Side {
    /// Centre of mass, m.
    pub pos: DVec3,
    /// Rotation, body to world (identity for particles).
    pub rot: DMat3,
}

/// A constraint primitive with its anchors in local coordinates.
///
/// A rod of 5 m fits between (0, 0) and (3, 4), and is 5 m too short for (6, 8).
/// ```
/// use taut::constraint::{Primitive, Side};
/// use taut::{Mat3, Vec3};
/// let at = |x, y| Side { pos: Vec3::new(x, y, 0.0), rot: Mat3::IDENTITY };
/// let rod = Primitive::Distance { si: Vec3::ZERO, sj: Vec3::ZERO, length: 5.0 };
/// assert!(rod.phi(&at(3.0, 4.0), &at(0.0, 0.0))[0].abs() < 1e-12);
/// assert!((rod.phi(&at(6.0, 8.0), &at(0.0, 0.0))[0] - 5.0).abs() < 1e-12);
/// assert_eq!((rod.rows(), rod.is_angular()), (1, false));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Primitive {
    /// Two points coincide: 3 rows.
    Point {
        /// Point on i, m.
        si: DVec3,
        /// Point on j, m.
        sj: DVec3,
    },
    /// No twist about an axis of i: 1 row.
    Axial {
        /// The axis, unit, in i.
        n: DVec3,
        /// Unit reference across the axis, in i.
        ui: DVec3,
        /// The same reference seen from j.
        uj: DVec3,
        /// The axis seen from j.
        nj: DVec3,
    },
    /// No twist of i against j, at any swing: 1 row.
    Lock {
        /// The axis, unit, in i.
        n: DVec3,
        /// Unit reference across the axis, in i.
        ui: DVec3,
        /// The same reference in j.
        uj: DVec3,
        /// The axis in j.
        nj: DVec3,
    },
    /// Twist about an axis of i after the shortest turn that brings the axes together: 1 row.
    Twist {
        /// The axis, unit, in i.
        n: DVec3,
        /// Unit reference across the axis, in i.
        ui: DVec3,
        /// The same reference in j.
        uj: DVec3,
        /// The axis in j.
        nj: DVec3,
    },
    /// Two directions stay at right angles: 1 row.
    Dot1 {
        /// Unit direction in i.
        a: DVec3,
        /// Unit direction in j.
        b: DVec3,
    },
    /// The offset between two points has no part along a direction of i: 1 row.
    Dot2 {
        /// Point on i, m.
        si: DVec3,
        /// Point on j, m.
        sj: DVec3,
        /// Unit direction in i.
        u: DVec3,
    },
    /// The offset between two points has no part along a direction of j: 1 row.
    Slot {
        /// Point on i, m.
        si: DVec3,
        /// Point on j, m.
        sj: DVec3,
        /// Unit direction in j.
        u: DVec3,
    },
    /// Two points keep their distance: 1 row.
    Distance {
        /// Point on i, m.
        si: DVec3,
        /// Point on j, m.
        sj: DVec3,
        /// The distance, m.
        length: f64,
    },
}

/// phi and J of up to three rows; J over (p, th) of each side.
///
/// The Jacobian of a rod is the direction along it, from body j to body i, and its opposite.
/// ```
/// use taut::constraint::{Primitive, Side};
/// use taut::{Mat3, Vec3};
/// let at = |x, y| Side { pos: Vec3::new(x, y, 0.0), rot: Mat3::IDENTITY };
/// let rod = Primitive::Distance { si: Vec3::ZERO, sj: Vec3::ZERO, length: 5.0 };
/// let eval = rod.eval(&at(3.0, 4.0), &at(0.0, 0.0));
/// assert!((eval.ji[0][0] - 0.6).abs() < 1e-12 && (eval.ji[0][1] - 0.8).abs() < 1e-12);
/// assert!((eval.jj[0][0] + 0.6).abs() < 1e-12 && (eval.jj[0][1] + 0.8).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Eval {
    /// Violation, m or rad.
    pub phi: [f64; 3],
    /// Jacobian over side i.
    pub ji: [[f64; 6]; 3],
    /// Jacobian over side j.
    pub jj: [[f64; 6]; 3],
}

/// A 12x12 matrix over (p_i, th_i, p_j, th_j).
pub type Geo = [[f64; 12]; 12];

/// One dyad a b^T of the geometric stiffness.
///
/// A rod of 2 m along x that pulls with 1000 N resists a move across it with 1000 N / 2 m, and none along it.
/// ```
/// use taut::constraint::{Primitive, Side};
/// use taut::{Mat3, Vec3};
/// let at = |x| Side { pos: x * Vec3::X, rot: Mat3::IDENTITY };
/// let rod = Primitive::Distance { si: Vec3::ZERO, sj: Vec3::ZERO, length: 2.0 };
/// let mut dyads = Vec::new();
/// rod.low_rank(&at(2.0), &at(0.0), &[-1000.0], &mut dyads);
/// let entry = |k: usize| dyads.iter().map(|d| d.a[k] * d.b[k]).sum::<f64>();
/// assert!(entry(0).abs() < 1e-9 && (entry(1) + 500.0).abs() < 1e-9 && (entry(2) + 500.0).abs() < 1e-9);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Dyad {
    /// Left factor.
    pub a: [f64; 12],
    /// Right factor.
    pub b: [f64; 12],
}

/// Slots of a 12-vector.
pub(crate) const PI: usize = 0;
pub(crate) const TI: usize = 3;
pub(crate) const PJ: usize = 6;
pub(crate) const TJ: usize = 9;

impl Primitive {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        match self {
            Primitive::Point { .. } => 3,
            _ => 1,
        }
    }

    /// Whether its rows are angles, rad, and its multipliers torques.
    pub fn is_angular(&self) -> bool {
        match self {
            Primitive::Axial { .. } | Primitive::Lock { .. } | Primitive::Twist { .. } | Primitive::Dot1 { .. } => true,
            Primitive::Point { .. } | Primitive::Dot2 { .. } | Primitive::Slot { .. } | Primitive::Distance { .. } => {
                false
            }
        }
    }

    /// Whether it needs the orientation of side (i, j): a particle has none.
    pub fn needs_orientation(&self) -> (bool, bool) {
        match self {
            Primitive::Point { .. } | Primitive::Distance { .. } => (false, false),
            Primitive::Axial { .. } | Primitive::Lock { .. } | Primitive::Twist { .. } | Primitive::Dot1 { .. } => {
                (true, true)
            }
            Primitive::Dot2 { .. } => (true, false),
            Primitive::Slot { .. } => (false, true),
        }
    }

    /// Refuses points that are not finite and directions that are not of length 1 to 1e-6.
    pub fn validate(&self) -> Result<()> {
        let (points, directions): (&[DVec3], &[DVec3]) = match self {
            Primitive::Point { si, sj } | Primitive::Distance { si, sj, .. } => (&[*si, *sj], &[]),
            Primitive::Axial { n, ui, uj, nj }
            | Primitive::Lock { n, ui, uj, nj }
            | Primitive::Twist { n, ui, uj, nj } => (&[], &[*n, *ui, *uj, *nj]),
            Primitive::Dot1 { a, b } => (&[], &[*a, *b]),
            Primitive::Dot2 { si, sj, u } | Primitive::Slot { si, sj, u } => (&[*si, *sj], &[*u]),
        };
        points.iter().try_for_each(|p| finite_vec("point of a row", *p, "m").map(drop))?;
        match directions.iter().find(|d| !((d.length() - 1.0).abs() <= 1e-6)) {
            Some(odd) => Err(Error::input("direction of a row", odd, "a finite vector of length 1")),
            None => Ok(()),
        }
    }

    /// Hands over all numbers that define it, after one that tells its kind.
    pub(crate) fn numbers(&self, mut take: impl FnMut(f64)) {
        let (kind, vectors, last) = match *self {
            Primitive::Point { si, sj } => (0.0, [si, sj, DVec3::ZERO, DVec3::ZERO], 0.0),
            Primitive::Axial { n, ui, uj, nj } => (1.0, [n, ui, uj, nj], 0.0),
            Primitive::Twist { n, ui, uj, nj } => (2.0, [n, ui, uj, nj], 0.0),
            Primitive::Dot1 { a, b } => (3.0, [a, b, DVec3::ZERO, DVec3::ZERO], 0.0),
            Primitive::Dot2 { si, sj, u } => (4.0, [si, sj, u, DVec3::ZERO], 0.0),
            Primitive::Distance { si, sj, length } => (5.0, [si, sj, DVec3::ZERO, DVec3::ZERO], length),
            Primitive::Lock { n, ui, uj, nj } => (6.0, [n, ui, uj, nj], 0.0),
            Primitive::Slot { si, sj, u } => (7.0, [si, sj, u, DVec3::ZERO], 0.0),
        };
        take(kind);
        vectors.iter().flat_map(|v| v.to_array()).for_each(&mut take);
        take(last);
    }

    /// phi alone, in the first `rows()` entries.
    pub fn phi(&self, i: &Side, j: &Side) -> [f64; 3] {
        match *self {
            Primitive::Point { si, sj } => point::phi(i, j, si, sj).to_array(),
            Primitive::Axial { n, ui, uj, nj } => [axial::phi(i, j, n, ui, uj, nj), 0.0, 0.0],
            Primitive::Lock { n, ui, uj, nj } => [lock::phi(i, j, n, ui, uj, nj), 0.0, 0.0],
            Primitive::Twist { n, ui, uj, nj } => [twist::phi(i, j, n, ui, uj, nj), 0.0, 0.0],
            Primitive::Dot1 { a, b } => [dot1::phi(i, j, a, b), 0.0, 0.0],
            Primitive::Dot2 { si, sj, u } => [dot2::phi(i, j, si, sj, u), 0.0, 0.0],
            Primitive::Slot { si, sj, u } => [slot::phi(i, j, si, sj, u), 0.0, 0.0],
            Primitive::Distance { si, sj, length } => [distance::phi(i, j, si, sj, length), 0.0, 0.0],
        }
    }

    /// phi and J.
    pub fn eval(&self, i: &Side, j: &Side) -> Eval {
        match *self {
            Primitive::Point { si, sj } => point::eval(i, j, si, sj),
            Primitive::Axial { n, ui, uj, nj } => axial::eval(i, j, n, ui, uj, nj),
            Primitive::Lock { n, ui, uj, nj } => lock::eval(i, j, n, ui, uj, nj),
            Primitive::Twist { n, ui, uj, nj } => twist::eval(i, j, n, ui, uj, nj),
            Primitive::Dot1 { a, b } => dot1::eval(i, j, a, b),
            Primitive::Dot2 { si, sj, u } => dot2::eval(i, j, si, sj, u),
            Primitive::Slot { si, sj, u } => slot::eval(i, j, si, sj, u),
            Primitive::Distance { si, sj, length } => distance::eval(i, j, si, sj, length),
        }
    }

    /// Adds the geometric stiffness for the multipliers `lambda` (N or N m).
    pub fn stiff_geo(&self, i: &Side, j: &Side, lambda: &[f64], out: &mut Geo) {
        match *self {
            Primitive::Point { si, sj } => {
                point::stiff_geo(i, j, si, sj, DVec3::new(lambda[0], lambda[1], lambda[2]), out);
            }
            Primitive::Axial { n, .. } => axial::stiff_geo(i, n, lambda[0], out),
            Primitive::Lock { n, ui, uj, nj } => lock::stiff_geo(lock::of(i, j, n, ui, uj, nj), lambda[0], out),
            Primitive::Twist { n, nj, .. } => twist::stiff_geo(i, j, n, nj, lambda[0], out),
            Primitive::Dot1 { a, b } => dot1::stiff_geo(i, j, a, b, lambda[0], out),
            Primitive::Dot2 { si, sj, u } => dot2::stiff_geo(i, j, si, sj, u, lambda[0], out),
            Primitive::Slot { si, sj, u } => slot::stiff_geo(i, j, si, sj, u, lambda[0], out),
            Primitive::Distance { si, sj, .. } => distance::stiff_geo(i, j, si, sj, lambda[0], out),
        }
    }

    /// Appends the dyads whose sum is `stiff_geo`.
    pub fn low_rank(&self, i: &Side, j: &Side, lambda: &[f64], out: &mut Vec<Dyad>) {
        match *self {
            Primitive::Point { si, sj } => {
                point::low_rank(i, j, si, sj, DVec3::new(lambda[0], lambda[1], lambda[2]), out);
            }
            Primitive::Axial { n, ui, .. } => axial::low_rank(i, n, ui, lambda[0], out),
            Primitive::Lock { n, ui, uj, nj } => lock::low_rank(lock::of(i, j, n, ui, uj, nj), lambda[0], out),
            Primitive::Twist { n, nj, .. } => twist::low_rank(i, j, n, nj, lambda[0], out),
            Primitive::Dot1 { a, b } => dot1::low_rank(i, j, a, b, lambda[0], out),
            Primitive::Dot2 { si, sj, u } => dot2::low_rank(i, j, si, sj, u, lambda[0], out),
            Primitive::Slot { si, sj, u } => slot::low_rank(i, j, si, sj, u, lambda[0], out),
            Primitive::Distance { si, sj, .. } => distance::low_rank(i, j, si, sj, lambda[0], out),
        }
    }
}

/// Adds a 3x3 block.
pub(crate) fn add_block(out: &mut Geo, row: usize, col: usize, m: DMat3) {
    for c in 0..3 {
        let v = m.col(c);
        out[row][col + c] += v.x;
        out[row + 1][col + c] += v.y;
        out[row + 2][col + c] += v.z;
    }
}

/// A 12-vector from (slot, part) pairs.
pub(crate) fn place(parts: &[(usize, DVec3)]) -> [f64; 12] {
    let mut out = [0.0; 12];
    for &(slot, v) in parts {
        out[slot] += v.x;
        out[slot + 1] += v.y;
        out[slot + 2] += v.z;
    }
    out
}

/// One row of a Jacobian from its linear and angular parts.
#[inline]
pub(crate) fn row(lin: DVec3, ang: DVec3) -> [f64; 6] {
    [lin.x, lin.y, lin.z, ang.x, ang.y, ang.z]
}

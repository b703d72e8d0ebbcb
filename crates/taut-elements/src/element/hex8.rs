//! The trilinear hexahedron, 2 x 2 x 2 points, with scaled gradients.
//!
//! A hexahedron bent in one layer is too stiff: its shear and its transverse stretch vary where
//! they should not. The derivative by natural coordinate c is therefore taken at (alpha_cd xi_d,
//! alpha_ce xi_e) in place of (xi_d, xi_e):
//!
//! ```text
//! alpha_cd = a0/max(1, L_d/L_c),   a0 = .8 for nu <= .3, rising to .85 at nu = .45
//! ```
//! L are mean edge lengths. Every linear field still has its own F at each point. For constant
//! stress to be in balance in distorted cells as well, the mean of the gradients over the volume
//! must be that of the shape functions (Flanagan and Belytschko 1981): they are shifted to it,
//! which changes nothing in a parallelepiped. So the patch test holds, and the rank stays full. The
//! volume of a point is that of the true shape.

use super::{Gradients, Points};
use crate::mesh::{CORNERS, CellKind, GAUSS, jacobian, trilinear};
use glam::{DMat3, DVec3};

/// Edges along the three natural coordinates.
const EDGES: [[[usize; 2]; 4]; 3] =
    [[[0, 1], [3, 2], [4, 5], [7, 6]], [[0, 3], [1, 2], [4, 7], [5, 6]], [[0, 4], [1, 5], [2, 6], [3, 7]]];

pub(crate) fn points(x: &[DVec3; 8], axes: DMat3, nu: f64, gradients: Gradients) -> Points {
    let mut points = Points::of(CellKind::Hex8);
    let alpha = match gradients {
        Gradients::Scaled => scales(x, nu),
        Gradients::Paired => paired(x, nu),
        Gradients::Plain | Gradients::Uniform(_) => [[1.0; 3]; 3],
    };
    for q in 0..8 {
        let xi = CORNERS[q].map(|c| c * GAUSS);
        let derivatives = scaled(xi, &alpha);
        let inverse = jacobian(x, &derivatives).inverse().transpose();
        points.weight[q] = jacobian(x, &trilinear(xi)).determinant();
        points.basis[q] = axes;
        for a in 0..8 {
            points.gradient[q][a] = axes.transpose() * (inverse * derivatives[a]);
            let c = CORNERS[a];
            let n = (1.0 + c[0] * xi[0]) * (1.0 + c[1] * xi[1]) * (1.0 + c[2] * xi[2]);
            points.share[a] += 0.125 * n * points.weight[q];
        }
    }
    match gradients {
        Gradients::Plain => {}
        Gradients::Uniform(alpha) => points.scale(alpha),
        Gradients::Scaled | Gradients::Paired => {
            let plain = self::points(x, axes, nu, Gradients::Plain);
            for a in 0..8 {
                let shift = plain.mean(a) - points.mean(a);
                points.gradient.iter_mut().for_each(|g| g[a] += shift);
            }
        }
    }
    points
}

/// `alpha[c][d]`.
fn scales(x: &[DVec3; 8], nu: f64) -> [[f64; 3]; 3] {
    let (a0, length) = (of_cubes(nu), lengths(x));
    [0, 1, 2].map(|c| [0, 1, 2].map(|d| a0 / f64::max(1.0, length[d] / length[c])))
}

/// a0: what makes a cube bend right.
fn of_cubes(nu: f64) -> f64 {
    0.8 + 0.05 * ((nu - 0.3) / 0.15).clamp(0.0, 1.0)
}

/// Mean lengths of the edges along the three natural coordinates, m.
fn lengths(x: &[DVec3; 8]) -> [f64; 3] {
    EDGES.map(|edges| edges.iter().fold(0.0, |l, e| l + 0.25 * (x[e[1]] - x[e[0]]).length()))
}

/// Least square of a scale against that of a cube: below it the stretch at the points would be shear alone.
const LEAST: f64 = 0.5;

/// `alpha[c][d]` from the energies of both bending modes of each pair of directions. With u_x = k x y a cell has the stretch k alpha_xy y
/// and the parasitic shear k alpha_yx x, with u_y = k x y the stretch k alpha_yx x and the shear k alpha_xy y. Their energies are those
/// of a bent bar, a0^2 (m + 1) L^2 in units of the shear modulus, m = (modulus of the stretch)/mu, where
/// ```text
/// m alpha_xy^2 Ly^2 +   alpha_yx^2 Lx^2 = a0^2 (m + 1) Ly^2          alpha_cd^2 = a0^2 (m - (Lc/Ld)^2)/(m - 1)
///   alpha_xy^2 Ly^2 + m alpha_yx^2 Lx^2 = a0^2 (m + 1) Lx^2    =>
/// ```
/// Longer cells than `LEAST` allows keep the first equation, that of the bar along them. m = 2 for nu = 0, where nothing gives way across
/// the bar, and 2/(1 - nu) in a thin one; 5 % more at nu = 0.3 because cells give way in part, fitted to the table of aspect ratios.
fn paired(x: &[DVec3; 8], nu: f64) -> [[f64; 3]; 3] {
    let (a0, length, local) = (of_cubes(nu), lengths(x), nu.clamp(0.0, 0.3));
    let m = 2.0 / (1.0 - local) * (1.0 + local / 6.0);
    let most = m - LEAST * (m - 1.0);
    let square = |c: usize, d: usize| {
        let ratio = (length[c] / length[d]) * (length[c] / length[d]);
        if ratio >= most {
            LEAST
        } else if ratio * most <= 1.0 {
            ratio * (m + 1.0 - LEAST * m)
        } else {
            (m - ratio) / (m - 1.0)
        }
    };
    [0, 1, 2].map(|c| [0, 1, 2].map(|d| a0 * square(c, d).sqrt()))
}

/// Derivatives of the shape functions by each natural coordinate, the other two scaled.
fn scaled(xi: [f64; 3], alpha: &[[f64; 3]; 3]) -> [DVec3; 8] {
    CORNERS.map(|corner| {
        let n = |c: usize, d: usize| 1.0 + corner[d] * alpha[c][d] * xi[d];
        DVec3::new(corner[0] * n(0, 1) * n(0, 2), corner[1] * n(1, 0) * n(1, 2), corner[2] * n(2, 0) * n(2, 1)) * 0.125
    })
}

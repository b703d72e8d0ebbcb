//! What a joint leaves free, as coordinates.
//!
//! The base is the joint frame on body j, the tip the one on body i; x, y, z are the axes U, V, N of the base. Slides come before turns:
//! ```text
//! tip in base:  p = sum of q_k e_k,    R = I | Rz(q) | Rx(a) Rz(b) | quaternion | exp(r)
//! velocity of the tip against the base, in base axes:  (p', w) = S(q) y,    acceleration at constant y:  S'(q, y) y
//! turn       S = z                                      S' = 0
//! cross      S = (x, Rx(a) z)                           S' = (0, a' x x Rx(a) z)
//! ball       S = I, y is the angular velocity           S' = 0
//! exp(r)     S = I + a [r] + b [r]^2                     S' = its derivative along r' (`so3::left_jacobian_rate`)
//! ```
//! (Baxter 2019, Eq. 2.26-2.34.) Departs from the thesis: velocities are in base axes, not in those of the tip, and the ball keeps a
//! quaternion, so that it has no singular pose. `exp(r)` is read off the pose anew in every step, |r| <= pi: that is its re-charting.
//! Which of the two bodies is the parent does not matter: seen from the tip everything changes sign (`tree::Side`).

use crate::math::pose::Pose;
use crate::math::so3::{exp, left_jacobian, left_jacobian_rate, log};
use glam::{DMat3, DQuat, DVec3};

/// Most coordinates of a joint.
pub(crate) const MAX_COORDINATES: usize = 7;

/// Most freedoms of a joint.
pub(crate) const MAX_DOFS: usize = 6;

/// Coordinates of one joint; those beyond `Chart::coordinates` are zero.
pub(crate) type Coordinates = [f64; MAX_COORDINATES];

/// Rates of one joint; those beyond `Chart::dofs` are zero.
pub(crate) type Rates = [f64; MAX_DOFS];

/// The motion that a joint leaves free, body i against body j. U, V, N are axes of the joint frame on body j.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Chart {
    /// None.
    Fixed,
    /// Rotation about N.
    Hinge,
    /// Sliding along N.
    Prismatic,
    /// Sliding along N and rotation about it.
    Cylindrical,
    /// Sliding along U and V and rotation about N.
    Planar,
    /// Sliding along U and V, no rotation.
    Plane,
    /// Sliding in all directions, no rotation.
    Translational,
    /// Rotation about U of body j, then about N of body i.
    Universal,
    /// All rotations, as a quaternion.
    Ball,
    /// All rotations, as a rotation vector (the thesis' spherical joint).
    Spherical,
    /// Everything.
    Free,
}

/// How a chart turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    None,
    Axis,
    Cross,
    Quaternion,
    Vector,
}

/// Columns of S or S' in base axes: velocity of the tip's origin (m/s per unit rate) and angular velocity.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Columns {
    pub lin: [DVec3; MAX_DOFS],
    pub ang: [DVec3; MAX_DOFS],
}

const AXES: [DVec3; 3] = [DVec3::X, DVec3::Y, DVec3::Z];

impl Chart {
    /// Axes of the base along which it slides.
    fn slides(self) -> &'static [usize] {
        match self {
            Chart::Prismatic | Chart::Cylindrical => &[2],
            Chart::Planar | Chart::Plane => &[0, 1],
            Chart::Translational | Chart::Free => &[0, 1, 2],
            Chart::Fixed | Chart::Hinge | Chart::Universal | Chart::Ball | Chart::Spherical => &[],
        }
    }

    fn turn(self) -> Turn {
        match self {
            Chart::Fixed | Chart::Prismatic | Chart::Plane | Chart::Translational => Turn::None,
            Chart::Hinge | Chart::Cylindrical | Chart::Planar => Turn::Axis,
            Chart::Universal => Turn::Cross,
            Chart::Ball | Chart::Free => Turn::Quaternion,
            Chart::Spherical => Turn::Vector,
        }
    }

    /// Freedoms, 0 to 6.
    pub fn dofs(self) -> usize {
        let turns = match self.turn() {
            Turn::None => 0,
            Turn::Axis => 1,
            Turn::Cross => 2,
            Turn::Quaternion | Turn::Vector => 3,
        };
        self.slides().len() + turns
    }

    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Chart::Fixed => "fixed",
            Chart::Hinge => "hinge",
            Chart::Prismatic => "prismatic",
            Chart::Cylindrical => "cylindrical",
            Chart::Planar => "planar",
            Chart::Plane => "plane",
            Chart::Translational => "translational",
            Chart::Universal => "universal",
            Chart::Ball => "ball",
            Chart::Spherical => "spherical",
            Chart::Free => "free",
        }
    }

    /// The tip in the base.
    pub(crate) fn pose(self, q: &Coordinates) -> Pose {
        let slides = self.slides();
        let pos = slides.iter().zip(q).fold(DVec3::ZERO, |p, (&k, &x)| p + x * AXES[k]);
        let q = &q[slides.len()..];
        let rot = match self.turn() {
            Turn::None => DQuat::IDENTITY,
            Turn::Axis => exp(q[0] * DVec3::Z),
            Turn::Cross => exp(q[0] * DVec3::X) * exp(q[1] * DVec3::Z),
            Turn::Quaternion => DQuat::from_xyzw(q[0], q[1], q[2], q[3]),
            Turn::Vector => exp(DVec3::new(q[0], q[1], q[2])),
        };
        Pose { pos, rot }
    }

    /// The coordinates of a pose of the tip in the base: those of the nearest pose that the joint allows, angles within half a turn.
    pub(crate) fn read(self, tip: &Pose) -> Coordinates {
        let mut q = [0.0; MAX_COORDINATES];
        let slides = self.slides();
        for (x, &k) in q.iter_mut().zip(slides) {
            *x = tip.pos[k];
        }
        let at = slides.len();
        let r = tip.rot;
        match self.turn() {
            Turn::None => {}
            Turn::Axis => q[at] = about_z(r),
            Turn::Cross => {
                let n = r * DVec3::Z;
                q[at] = libm::atan2(-n.y, n.z);
                q[at + 1] = about_z(exp(-q[at] * DVec3::X) * r);
            }
            Turn::Quaternion => q[at..at + 4].copy_from_slice(&r.to_array()),
            Turn::Vector => q[at..at + 3].copy_from_slice(&log(r).to_array()),
        }
        q
    }

    /// S(q).
    pub(crate) fn columns(self, q: &Coordinates) -> Columns {
        let mut s = Columns::default();
        let slides = self.slides();
        for (column, &k) in s.lin.iter_mut().zip(slides) {
            *column = AXES[k];
        }
        let at = slides.len();
        let (q, turns) = (&q[at..], &mut s.ang[at..]);
        match self.turn() {
            Turn::None => {}
            Turn::Axis => turns[0] = DVec3::Z,
            Turn::Cross => (turns[0], turns[1]) = (DVec3::X, exp(q[0] * DVec3::X) * DVec3::Z),
            Turn::Quaternion => turns[..3].copy_from_slice(&AXES),
            Turn::Vector => fill(turns, left_jacobian(DVec3::new(q[0], q[1], q[2]))),
        }
        s
    }

    /// The rates of a velocity (p', w) of the tip against the base, base axes: of the nearest that the joint allows.
    pub(crate) fn rates(self, q: &Coordinates, lin: DVec3, ang: DVec3) -> Rates {
        let mut y = [0.0; MAX_DOFS];
        let s = self.columns(q);
        // Columns are orthonormal but for those of a rotation vector.
        for k in 0..self.dofs() {
            y[k] = s.lin[k].dot(lin) + s.ang[k].dot(ang);
        }
        if self.turn() == Turn::Vector {
            let at = self.slides().len();
            let r = DMat3::from_cols(s.ang[at], s.ang[at + 1], s.ang[at + 2]).inverse() * ang;
            y[at..at + 3].copy_from_slice(&r.to_array());
        }
        y
    }

    /// The derivative of S(q) along the rates y.
    pub(crate) fn columns_rate(self, q: &Coordinates, y: &Rates) -> Columns {
        let mut s = Columns::default();
        let at = self.slides().len();
        let (q, y, turns) = (&q[at..], &y[at..], &mut s.ang[at..]);
        match self.turn() {
            Turn::Cross => turns[1] = y[0] * DVec3::X.cross(exp(q[0] * DVec3::X) * DVec3::Z),
            Turn::Vector => {
                let rate = left_jacobian_rate(DVec3::new(q[0], q[1], q[2]), DVec3::new(y[0], y[1], y[2]));
                fill(turns, rate);
            }
            Turn::None | Turn::Axis | Turn::Quaternion => {}
        }
        s
    }

    /// The coordinates after `h` seconds at the rates y.
    pub(crate) fn advance(self, q: &Coordinates, y: &Rates, h: f64) -> Coordinates {
        let mut next = *q;
        if self.turn() != Turn::Quaternion {
            next.iter_mut().zip(y).for_each(|(x, &r)| *x += h * r);
            return next;
        }
        let at = self.slides().len();
        next[..at].iter_mut().zip(y).for_each(|(x, &r)| *x += h * r);
        let (now, y) = (DQuat::from_slice(&q[at..at + 4]), &y[at..]);
        let turned = (exp(h * DVec3::new(y[0], y[1], y[2])) * now).normalize();
        next[at..at + 4].copy_from_slice(&turned.to_array());
        next
    }
}

/// The turn about z nearest to a rotation, rad, in (-pi, pi].
fn about_z(r: DQuat) -> f64 {
    let r = if r.w < 0.0 { -r } else { r };
    2.0 * libm::atan2(r.z, r.w)
}

fn fill(columns: &mut [DVec3], m: DMat3) {
    (columns[0], columns[1], columns[2]) = (m.x_axis, m.y_axis, m.z_axis);
}

#[cfg(test)]
impl Chart {
    /// Every chart, for tests.
    pub const ALL: [Chart; 11] = [
        Chart::Fixed,
        Chart::Hinge,
        Chart::Prismatic,
        Chart::Cylindrical,
        Chart::Planar,
        Chart::Plane,
        Chart::Translational,
        Chart::Universal,
        Chart::Ball,
        Chart::Spherical,
        Chart::Free,
    ];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduced::testing::Random;

    /// Coordinates of a random pose, and random rates.
    pub(crate) fn random(chart: Chart, r: &mut Random) -> (Coordinates, Rates) {
        let mut y = [0.0; MAX_DOFS];
        y[..chart.dofs()].iter_mut().for_each(|y| *y = r.number());
        let start = chart.read(&Pose::IDENTITY);
        (chart.advance(&start, &y, 1.3), [(); MAX_DOFS].map(|()| r.number()))
    }

    fn product(c: &Columns, y: &Rates) -> (DVec3, DVec3) {
        (0..MAX_DOFS).fold((DVec3::ZERO, DVec3::ZERO), |(l, a), k| (l + y[k] * c.lin[k], a + y[k] * c.ang[k]))
    }

    #[test]
    fn velocities_and_their_rates_match_finite_differences() {
        let mut r = Random::new(1);
        let e = 1e-5;
        for chart in Chart::ALL {
            for _ in 0..20 {
                let (q, mut y) = random(chart, &mut r);
                y[chart.dofs()..].fill(0.0);
                let (behind, ahead) = (chart.advance(&q, &y, -e), chart.advance(&q, &y, e));
                let (a, b) = (chart.pose(&behind), chart.pose(&ahead));
                let (lin, ang) = product(&chart.columns(&q), &y);
                let moved = (b.pos - a.pos) / (2.0 * e);
                let turned = log(b.rot * a.rot.inverse()) / (2.0 * e);
                assert!((moved - lin).length() < 1e-9, "{chart:?}: {moved} {lin}");
                assert!((turned - ang).length() < 1e-9, "{chart:?}: {turned} {ang}");
                let (s0, s1, rate) = (chart.columns(&behind), chart.columns(&ahead), chart.columns_rate(&q, &y));
                for k in 0..chart.dofs() {
                    let fd = (s1.ang[k] - s0.ang[k]) / (2.0 * e);
                    assert!((fd - rate.ang[k]).length() < 1e-8, "{chart:?} column {k}: {fd} {}", rate.ang[k]);
                    assert!(s1.lin[k] == s0.lin[k] && rate.lin[k] == DVec3::ZERO, "{chart:?} column {k}");
                }
            }
        }
    }

    #[test]
    fn coordinates_are_read_back_from_the_pose() {
        let mut r = Random::new(2);
        for chart in Chart::ALL {
            for _ in 0..20 {
                let (q, _) = random(chart, &mut r);
                let pose = chart.pose(&q);
                let again = chart.pose(&chart.read(&pose));
                assert!((again.pos - pose.pos).length() < 1e-14, "{chart:?}");
                assert!(log(again.rot * pose.rot.inverse()).length() < 1e-14, "{chart:?}");
            }
        }
    }

    #[test]
    fn a_rotation_vector_is_charted_anew_beyond_half_a_turn() {
        let (spherical, ball) = (Chart::Spherical, Chart::Ball);
        let axis = DVec3::new(0.6, 0.0, 0.8);
        let (mut q, mut p) = (spherical.read(&Pose::IDENTITY), ball.read(&Pose::IDENTITY));
        let mut turned = 0.0;
        while turned < 20.0 {
            // The same angular velocity for both: y = S^-1 w in the chart of the rotation vector.
            let s = spherical.columns(&q);
            let w = DMat3::from_cols(s.ang[0], s.ang[1], s.ang[2]).inverse() * axis;
            let h = 0.01;
            q = spherical.advance(&q, &[w.x, w.y, w.z, 0.0, 0.0, 0.0], h);
            q = spherical.read(&spherical.pose(&q));
            p = ball.advance(&p, &[axis.x, axis.y, axis.z, 0.0, 0.0, 0.0], h);
            turned += h;
            let length = DVec3::new(q[0], q[1], q[2]).length();
            assert!(length <= std::f64::consts::PI + 1e-12, "{length}");
            let apart = log(spherical.pose(&q).rot * ball.pose(&p).rot.inverse()).length();
            assert!(apart < 1e-9, "after {turned} rad: {apart}");
        }
    }
}

//! What a joint leaves free, as coordinates.
//!
//! The base is the joint frame on body j, the tip the one on body i; x, y, z are the axes U, V, N of the base. Slides come before turns:
//! ```text
//! tip in base:  p = sum of q_k e_k,    R = I | quaternion (0, 0, z, w) | Rx(a) Rz(b) | quaternion | exp(r)
//! velocity of the tip against the base, in base axes:  (p', w) = S(q) y,    acceleration at constant y:  S'(q, y) y
//! turn       S = z                                      S' = 0
//! cross      S = (x, Rx(a) z)                           S' = (0, a' x x Rx(a) z)
//! ball       S = I, y is the angular velocity           S' = 0
//! exp(r)     S = I + a [r] + b [r]^2                     S' = its derivative along r' (`so3::left_jacobian_rate`)
//! ```
//! (Baxter 2019, Eq. 2.26-2.34.) Departs from the thesis: velocities are in base axes, not in those of the tip, and the ball keeps a
//! quaternion, so that it has no singular pose; so does a turn about one axis, which needs no sines then. `exp(r)` is read off the pose
//! anew in every step, |r| <= pi: that is its re-charting.
//! Which of the two bodies is the parent does not matter: seen from the tip everything changes sign (`tree::Side`).

use crate::math::pose::Pose;
use crate::math::so3::{exp, left_jacobian, left_jacobian_rate, log};
use crate::math::twist::Twist;
use glam::{DMat3, DQuat, DVec3};

/// Most coordinates of a joint.
pub(crate) const MAX_COORDINATES: usize = 7;

/// Most freedoms of a joint.
pub(crate) const MAX_DOFS: usize = 6;

/// Coordinates of one joint; those beyond `Chart::coordinates` are zero.
pub type Coordinates = [f64; MAX_COORDINATES];

/// Rates of one joint; those beyond `Chart::dofs` are zero.
#[cfg(test)]
pub(crate) type Rates = [f64; MAX_DOFS];

/// The motion that a joint leaves free, body i against body j. U, V, N are axes of the joint frame on body j.
///
/// A rigid hinge leaves one turn, and can be a coordinate; a soft one keeps all its rows and has no chart.
/// ```
/// use taut::joints::{Chart, Hinge, JointKind, Softness};
/// assert_eq!(Hinge::default().chart(), Some(Chart::Hinge));
/// assert_eq!((Chart::Hinge.dofs(), Chart::Universal.dofs(), Chart::Free.dofs()), (1, 2, 6));
/// let soft = Hinge { point: Softness::spring(1e6, 0.0), ..Hinge::default() };
/// assert_eq!(soft.chart(), None);
/// ```
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

    /// What a freedom is called beside the others of the joint, and whether it is an angle.
    pub(crate) fn freedom(self, k: usize) -> (&'static str, bool) {
        let slides = self.slides();
        let Some(turn) = k.checked_sub(slides.len()) else {
            return (if slides.len() == 1 { "slide" } else { ["slide u", "slide v", "slide n"][slides[k]] }, false);
        };
        let names: &[&str] = match self.turn() {
            Turn::None | Turn::Axis => &["turn"],
            Turn::Cross => &["turn u", "turn n"],
            Turn::Quaternion | Turn::Vector => &["turn u", "turn v", "turn n"],
        };
        (names.get(turn).copied().unwrap_or("turn"), true)
    }

    /// The tip in the base.
    pub(crate) fn pose(self, q: &Coordinates) -> Pose {
        let slides = self.slides();
        let pos = slides.iter().zip(q).fold(DVec3::ZERO, |p, (&k, &x)| p + x * AXES[k]);
        let q = &q[slides.len()..];
        let rot = match self.turn() {
            Turn::None => DQuat::IDENTITY,
            Turn::Axis => DQuat::from_xyzw(0.0, 0.0, q[0], q[1]),
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
            Turn::Axis => (q[at], q[at + 1]) = half_turn(r),
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

    /// Whether it slides along none of the axes.
    pub(crate) fn only_turns(self) -> bool {
        self.slides().is_empty()
    }

    /// The rotation nearest to one of the tip in the base that the joint allows: that of its coordinates, without angles.
    #[inline]
    pub(crate) fn nearest(self, tip: DQuat) -> DQuat {
        match self.turn() {
            Turn::None => DQuat::IDENTITY,
            Turn::Axis => {
                let (z, w) = half_turn(tip);
                DQuat::from_xyzw(0.0, 0.0, z, w)
            }
            Turn::Cross => nearest_cross(tip),
            Turn::Quaternion | Turn::Vector => tip,
        }
    }

    /// The coordinate whose rate is that of a freedom, m or rad, turns about one axis within half a turn; none for rotations that no
    /// number stands for.
    pub(crate) fn position(self, q: &Coordinates, k: usize) -> Option<f64> {
        let at = self.slides().len();
        match self.turn() {
            _ if k < at => Some(q[k]),
            Turn::Axis => Some(about_z(DQuat::from_xyzw(0.0, 0.0, q[at], q[at + 1]))),
            Turn::Cross | Turn::Vector => Some(q[k]),
            Turn::None | Turn::Quaternion => None,
        }
    }

    /// S(q): velocity of the tip's origin against the base (m/s per unit rate) and angular velocity. `base` turns base axes to those of
    /// the columns.
    #[inline]
    pub(crate) fn columns(self, q: &Coordinates, base: &DMat3, out: &mut [Twist]) {
        let at = self.slides().len();
        for (column, &k) in out.iter_mut().zip(self.slides()) {
            *column = Twist::new(base.col(k), DVec3::ZERO);
        }
        let turns = &mut out[at..];
        let mut set = |k: usize, ang: DVec3| turns[k] = Twist::new(DVec3::ZERO, ang);
        match self.turn() {
            Turn::None => {}
            Turn::Axis => set(0, base.z_axis),
            Turn::Cross => {
                set(0, base.x_axis);
                set(1, *base * (exp(q[at] * DVec3::X) * DVec3::Z));
            }
            Turn::Quaternion => {
                set(0, base.x_axis);
                set(1, base.y_axis);
                set(2, base.z_axis);
            }
            Turn::Vector => {
                let s = *base * left_jacobian(DVec3::new(q[at], q[at + 1], q[at + 2]));
                (0..3).for_each(|k| set(k, s.col(k)));
            }
        }
    }

    /// The rates of a velocity of the tip against the base: of the nearest that the joint allows. `s` are the columns of S in the axes of
    /// the velocity.
    #[inline]
    pub(crate) fn rates(self, s: &[Twist], velocity: Twist, y: &mut [f64]) {
        let at = self.slides().len();
        for k in 0..at {
            y[k] = s[k].lin.dot(velocity.lin);
        }
        // Columns are orthonormal but for those of a rotation vector.
        if self.turn() == Turn::Vector {
            let r = DMat3::from_cols(s[at].ang, s[at + 1].ang, s[at + 2].ang).inverse() * velocity.ang;
            y[at..at + 3].copy_from_slice(&r.to_array());
            return;
        }
        for k in at..s.len() {
            y[k] = s[k].ang.dot(velocity.ang);
        }
    }

    /// S'(q, y) y, the angular acceleration of the tip against the base at constant rates y, base axes; the linear one is zero. `None`
    /// where S is constant.
    #[inline]
    pub(crate) fn turn_rate(self, q: &Coordinates, y: &[f64]) -> Option<DVec3> {
        let at = self.slides().len();
        let three = |x: &[f64]| DVec3::new(x[at], x[at + 1], x[at + 2]);
        match self.turn() {
            Turn::Cross => Some(y[at] * y[at + 1] * DVec3::X.cross(exp(q[at] * DVec3::X) * DVec3::Z)),
            Turn::Vector => Some(left_jacobian_rate(three(q), three(y)) * three(y)),
            Turn::None | Turn::Axis | Turn::Quaternion => None,
        }
    }

    /// Moves the coordinates for `h` seconds at the rates y.
    #[inline]
    pub(crate) fn advance(self, q: &mut Coordinates, y: &[f64], h: f64) {
        let at = self.slides().len();
        let turned = |w: DVec3, now: DQuat| (exp(h * w) * now).normalize();
        match self.turn() {
            Turn::None | Turn::Cross | Turn::Vector => q.iter_mut().zip(y).for_each(|(x, &r)| *x += h * r),
            Turn::Axis | Turn::Quaternion => q[..at].iter_mut().zip(y).for_each(|(x, &r)| *x += h * r),
        }
        match self.turn() {
            Turn::None | Turn::Cross | Turn::Vector => {}
            Turn::Axis => {
                let next = turned(y[at] * DVec3::Z, DQuat::from_xyzw(0.0, 0.0, q[at], q[at + 1]));
                (q[at], q[at + 1]) = (next.z, next.w);
            }
            Turn::Quaternion => {
                let now = DQuat::from_xyzw(q[at], q[at + 1], q[at + 2], q[at + 3]);
                let next = turned(DVec3::new(y[at], y[at + 1], y[at + 2]), now);
                q[at..at + 4].copy_from_slice(&next.to_array());
            }
        }
    }
}

/// The turn about z nearest to a rotation, rad, in (-pi, pi].
fn about_z(r: DQuat) -> f64 {
    let r = if r.w < 0.0 { -r } else { r };
    2.0 * libm::atan2(r.z, r.w)
}

/// The same as sine and cosine of half the turn.
#[inline]
fn half_turn(r: DQuat) -> (f64, f64) {
    let length = f64::sqrt(r.z * r.z + r.w * r.w);
    if length > 0.0 { (r.z / length, r.w / length) } else { (0.0, 1.0) }
}

/// Rx(a) Rz(b) nearest to a rotation: z goes where the rotation takes it, as far as a turn about x can.
#[inline]
fn nearest_cross(r: DQuat) -> DQuat {
    let n = r * DVec3::Z;
    let (x, w) = half_angle(-n.y, n.z);
    let about_x = DQuat::from_xyzw(x, 0.0, 0.0, w);
    let (z, w) = half_turn(about_x.conjugate() * r);
    about_x * DQuat::from_xyzw(0.0, 0.0, z, w)
}

/// Sine and cosine of half the angle of (cosine, sine) of any length, within half a turn; no turn where that is zero.
#[inline]
fn half_angle(sine: f64, cosine: f64) -> (f64, f64) {
    let length = f64::sqrt(sine * sine + cosine * cosine);
    if !(length > 0.0) {
        return (0.0, 1.0);
    }
    let (s, c) = (sine / length, cosine / length);
    // The larger of the two by a root, the other without cancellation.
    if c >= 0.0 {
        let half = f64::sqrt(0.5 * (1.0 + c));
        (0.5 * s / half, half)
    } else {
        let half = f64::sqrt(0.5 * (1.0 - c));
        (half.copysign(s), 0.5 * s.abs() / half)
    }
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
    use crate::forest::testing::Random;

    /// Coordinates of a random pose, and random rates.
    pub(crate) fn random(chart: Chart, r: &mut Random) -> (Coordinates, Rates) {
        let mut y = [0.0; MAX_DOFS];
        y[..chart.dofs()].iter_mut().for_each(|y| *y = r.number());
        let start = chart.read(&Pose::IDENTITY);
        (moved(chart, &start, &y, 1.3), [(); MAX_DOFS].map(|()| r.number()))
    }

    fn moved(chart: Chart, q: &Coordinates, y: &Rates, h: f64) -> Coordinates {
        let mut q = *q;
        chart.advance(&mut q, &y[..chart.dofs()], h);
        q
    }

    fn columns(chart: Chart, q: &Coordinates) -> Vec<Twist> {
        let mut s = vec![Twist::default(); chart.dofs()];
        chart.columns(q, &DMat3::IDENTITY, &mut s);
        s
    }

    fn product(c: &[Twist], y: &Rates) -> Twist {
        c.iter().zip(y).fold(Twist::default(), |sum, (c, y)| sum + *y * *c)
    }

    #[test]
    fn velocities_and_their_rates_match_finite_differences() {
        let mut r = Random::new(1);
        let e = 1e-5;
        for chart in Chart::ALL {
            for _ in 0..20 {
                let (q, y) = random(chart, &mut r);
                let (behind, ahead) = (moved(chart, &q, &y, -e), moved(chart, &q, &y, e));
                let (a, b) = (chart.pose(&behind), chart.pose(&ahead));
                let v = product(&columns(chart, &q), &y);
                let along = (b.pos - a.pos) / (2.0 * e);
                let turned = log(b.rot * a.rot.inverse()) / (2.0 * e);
                assert!((along - v.lin).length() < 1e-9, "{chart:?}: {along} {v:?}");
                assert!((turned - v.ang).length() < 1e-9, "{chart:?}: {turned} {v:?}");
                let mut again = [0.0; MAX_DOFS];
                chart.rates(&columns(chart, &q), v, &mut again[..chart.dofs()]);
                assert!((0..chart.dofs()).all(|k| (again[k] - y[k]).abs() < 1e-12), "{chart:?}: {again:?} {y:?}");
                let (v0, v1) = (product(&columns(chart, &behind), &y), product(&columns(chart, &ahead), &y));
                let (fd, rate) = ((0.5 / e) * (v1 - v0), chart.turn_rate(&q, &y));
                assert!((fd.ang - rate.unwrap_or_default()).length() < 1e-8, "{chart:?}: {fd:?} {rate:?}");
                assert_eq!(fd.lin, DVec3::ZERO, "{chart:?}");
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
                // The nearest rotation to any other is that of its coordinates.
                let off = Pose { pos: pose.pos, rot: exp(2.0 * r.vec()) * pose.rot };
                let (near, read) = (chart.nearest(off.rot), chart.pose(&chart.read(&off)).rot);
                assert!(log(near * read.inverse()).length() < 1e-13, "{chart:?}");
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
            let s = columns(spherical, &q);
            let w = DMat3::from_cols(s[0].ang, s[1].ang, s[2].ang).inverse() * axis;
            let h = 0.01;
            spherical.advance(&mut q, &w.to_array(), h);
            q = spherical.read(&spherical.pose(&q));
            ball.advance(&mut p, &axis.to_array(), h);
            turned += h;
            let length = DVec3::new(q[0], q[1], q[2]).length();
            assert!(length <= std::f64::consts::PI + 1e-12, "{length}");
            let apart = log(spherical.pose(&q).rot * ball.pose(&p).rot.inverse()).length();
            assert!(apart < 1e-9, "after {turned} rad: {apart}");
        }
    }
}

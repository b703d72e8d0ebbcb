//! A chart between a parent and a child: poses and velocities of the child from those of the parent.
//!
//! With the base frame of the chart turned by R in the world, o the origin of its tip frame, e = c_child - o, and (p', w) = S(q) y
//! ```text
//! child against parent   (v, w) = s (R p' + (R w) x e, R w),    s = 1 when the child is the tip, -1 when it is the base
//! at constant y          s (b x R p' + (b x R w + R w') x e + R w x e',  b x R w + R w'),    b = angular velocity of the base
//! ```

use super::chart::{Chart, Columns, Coordinates, MAX_DOFS, Rates};
use crate::math::pose::{Frame, Frames, Pose};
use glam::{DMat3, DQuat, DVec3};

/// Velocity of a centre of mass (m/s) and angular velocity (rad/s), or a force and a torque, in world axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Twist {
    pub lin: DVec3,
    pub ang: DVec3,
}

impl Twist {
    pub fn new(lin: DVec3, ang: DVec3) -> Self {
        Twist { lin, ang }
    }

    pub fn to_array(self) -> [f64; 6] {
        [self.lin.x, self.lin.y, self.lin.z, self.ang.x, self.ang.y, self.ang.z]
    }

    pub fn from_array(a: &[f64; 6]) -> Self {
        Twist { lin: DVec3::new(a[0], a[1], a[2]), ang: DVec3::new(a[3], a[4], a[5]) }
    }

    /// The product with a force or a motion.
    #[inline]
    pub fn dot(self, other: Twist) -> f64 {
        self.lin.dot(other.lin) + self.ang.dot(other.ang)
    }

    /// The velocity of the same rigid body at a point `arm` away.
    #[inline]
    pub fn moved(self, arm: DVec3) -> Self {
        Twist { lin: self.lin + self.ang.cross(arm), ang: self.ang }
    }

    /// A force that acts `arm` away, seen from here.
    #[inline]
    pub fn force_from(self, arm: DVec3) -> Self {
        Twist { lin: self.lin, ang: self.ang + arm.cross(self.lin) }
    }
}

impl std::ops::Add for Twist {
    type Output = Twist;
    #[inline]
    fn add(self, o: Twist) -> Twist {
        Twist { lin: self.lin + o.lin, ang: self.ang + o.ang }
    }
}

impl std::ops::Sub for Twist {
    type Output = Twist;
    #[inline]
    fn sub(self, o: Twist) -> Twist {
        Twist { lin: self.lin - o.lin, ang: self.ang - o.ang }
    }
}

impl std::ops::AddAssign for Twist {
    #[inline]
    fn add_assign(&mut self, o: Twist) {
        *self = *self + o;
    }
}

impl std::ops::Mul<Twist> for f64 {
    type Output = Twist;
    #[inline]
    fn mul(self, t: Twist) -> Twist {
        Twist { lin: self * t.lin, ang: self * t.ang }
    }
}

/// A body in motion: pose and velocity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moving {
    pub pose: Pose,
    pub twist: Twist,
}

/// A chart between two bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub chart: Chart,
    /// The joint frame in the parent.
    near: Pose,
    /// The joint frame in the child, and the child in the joint frame.
    far: Pose,
    far_inverse: Pose,
    /// The child has the base.
    flipped: bool,
}

/// Where the chart stands in the world.
struct Place {
    /// Rotation of the base frame.
    base: DQuat,
    /// Origin of the tip.
    tip: DVec3,
    sign: f64,
}

fn pose_of(f: &Frame) -> Pose {
    Pose { pos: f.origin, rot: DQuat::from_mat3(&DMat3::from_cols(f.u, f.v, f.n)).normalize() }
}

fn inverse(p: &Pose) -> Pose {
    p.relative(&Pose::IDENTITY)
}

impl Edge {
    /// For a joint between bodies i (tip) and j (base); `parent_is_i` when body i is the parent.
    pub fn new(chart: Chart, frames: &Frames, parent_is_i: bool) -> Self {
        let (i, j) = (pose_of(&frames.i), pose_of(&frames.j));
        let (near, far) = if parent_is_i { (i, j) } else { (j, i) };
        Edge { chart, near, far, far_inverse: inverse(&far), flipped: parent_is_i }
    }

    /// For a body that hangs on nothing: its own pose is the tip, the world the base.
    pub fn root(chart: Chart) -> Self {
        let at = Pose::IDENTITY;
        Edge { chart, near: at, far: at, far_inverse: at, flipped: false }
    }

    /// The child's pose.
    pub fn child(&self, parent: &Pose, q: &Coordinates) -> Pose {
        let rel = self.chart.pose(q);
        let rel = if self.flipped { inverse(&rel) } else { rel };
        let mut out = parent.compose(&self.near).compose(&rel).compose(&self.far_inverse);
        out.rot = out.rot.normalize();
        out
    }

    /// The coordinates of two poses.
    pub fn read(&self, parent: &Pose, child: &Pose) -> Coordinates {
        let (near, far) = (parent.compose(&self.near), child.compose(&self.far));
        self.chart.read(&if self.flipped { far.relative(&near) } else { near.relative(&far) })
    }

    fn place(&self, parent: &Pose, child: &Pose) -> Place {
        let (near, far) = (parent.compose(&self.near), child.compose(&self.far));
        if self.flipped {
            Place { base: far.rot, tip: near.pos, sign: -1.0 }
        } else {
            Place { base: near.rot, tip: far.pos, sign: 1.0 }
        }
    }

    /// Columns of S at the child's centre of mass, in world axes.
    pub fn columns(&self, parent: &Pose, child: &Pose, q: &Coordinates) -> [Twist; MAX_DOFS] {
        let (p, s) = (self.place(parent, child), self.chart.columns(q));
        let e = child.pos - p.tip;
        let mut out = [Twist::default(); MAX_DOFS];
        for k in 0..self.chart.dofs() {
            let (lin, ang) = (p.base * s.lin[k], p.base * s.ang[k]);
            out[k] = p.sign * Twist::new(lin + ang.cross(e), ang);
        }
        out
    }

    /// The rates of two bodies in motion: those nearest to their relative velocity.
    pub fn rates(&self, parent: &Moving, child: &Moving, q: &Coordinates) -> Rates {
        let p = self.place(&parent.pose, &child.pose);
        let (base, tip) = if self.flipped { (child, parent) } else { (parent, child) };
        let at_tip = |b: &Moving| b.twist.moved(p.tip - b.pose.pos);
        let relative = at_tip(tip) - at_tip(base);
        let back = p.base.inverse();
        self.chart.rates(q, back * relative.lin, back * relative.ang)
    }

    /// S' x: what the change of S while everything moves makes of the rates x. `y` are the present rates.
    pub fn columns_rate(&self, parent: &Moving, child: &Moving, q: &Coordinates, y: &Rates, x: &Rates) -> Twist {
        let p = self.place(&parent.pose, &child.pose);
        let sum = |c: &Columns| {
            (0..self.chart.dofs())
                .fold((DVec3::ZERO, DVec3::ZERO), |(l, a), k| (l + x[k] * c.lin[k], a + x[k] * c.ang[k]))
        };
        let ((lin, ang), (_, rate)) = (sum(&self.chart.columns(q)), sum(&self.chart.columns_rate(q, y)));
        let (lin, ang, rate) = (p.base * lin, p.base * ang, p.base * rate);
        let (base, tip) = if self.flipped { (child, parent) } else { (parent, child) };
        let e = child.pose.pos - p.tip;
        let e_rate = child.twist.lin - tip.twist.moved(p.tip - tip.pose.pos).lin;
        let b = base.twist.ang;
        let turn = b.cross(ang) + rate;
        p.sign * Twist::new(b.cross(lin) + turn.cross(e) + ang.cross(e_rate), turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::{Primitive, Side};
    use crate::joints::{Driven, Freedom, Joint, Limit, Limited, Motor, RowBuilder, catalogue};
    use crate::math::so3::log;
    use crate::reduced::testing::{Charted, Random, joint_of};

    fn side(p: &Pose) -> Side {
        Side { pos: p.pos, rot: DMat3::from_quat(p.rot) }
    }

    fn rows(joint: &dyn Joint, frames: Frames) -> Vec<Primitive> {
        let mut b = RowBuilder::new(frames);
        joint.rows(&mut b);
        b.primitives()
    }

    /// A random place of the chart: q, and rates.
    fn random(chart: Chart, r: &mut Random) -> (Coordinates, Rates) {
        let y = [(); MAX_DOFS].map(|()| r.number());
        (chart.advance(&chart.read(&Pose::IDENTITY), &y, 1.3), [(); MAX_DOFS].map(|()| r.number()))
    }

    #[test]
    fn rows_of_every_joint_are_zero_on_its_chart_and_do_not_feel_its_motion() {
        let mut r = Random::new(3);
        let mut joints = catalogue();
        joints.extend([Chart::Plane, Chart::Spherical].map(|c| Box::new(Charted(c)) as Box<dyn Joint>));
        let mut seen = 0;
        for joint in &joints {
            let Some(chart) = joint.chart() else { continue };
            seen += 1;
            for round in 0..20 {
                let (frames, parent_is_i) = (r.frames(), round % 2 == 0);
                let edge = Edge::new(chart, &frames, parent_is_i);
                let (parent, (q, _)) = (r.pose(), random(chart, &mut r));
                let child = edge.child(&parent, &q);
                let (i, j) = if parent_is_i { (parent, child) } else { (child, parent) };
                let prims = rows(joint.as_ref(), frames);
                assert_eq!(prims.iter().map(Primitive::rows).sum::<usize>() + chart.dofs(), 6, "{}", joint.name());
                let s = edge.columns(&parent, &child, &q);
                for p in prims {
                    let e = p.eval(&side(&i), &side(&j));
                    for k in 0..p.rows() {
                        assert!(e.phi[k].abs() < 1e-13, "{}: phi {}", joint.name(), e.phi[k]);
                        let row = Twist::from_array(if parent_is_i { &e.jj[k] } else { &e.ji[k] });
                        for (c, s) in s.iter().enumerate() {
                            assert!(row.dot(*s).abs() < 1e-13, "{} column {c}: {}", joint.name(), row.dot(*s));
                        }
                    }
                }
            }
        }
        assert_eq!(seen, 10, "charts in the catalogue");
    }

    #[test]
    fn soft_joints_have_no_chart_and_wrappers_have_that_of_their_joint() {
        use crate::joints::{Ball, Hinge, Softness};
        assert_eq!(Ball { point: Softness::compliance(1e-9) }.chart(), None);
        assert_eq!(Hinge { angular: Softness::compliance(1e-9), ..Hinge::default() }.chart(), None);
        let driven = Driven { joint: &Hinge::default(), motors: &[Motor::rate(Freedom::Turn)] };
        assert_eq!(
            Limited { joint: &driven, limits: &[Limit::new(Freedom::Turn, 0.0, 1.0)] }.chart(),
            Some(Chart::Hinge)
        );
    }

    #[test]
    fn a_chart_that_does_not_fit_the_rows_is_refused() {
        struct Wrong(Chart);
        impl Joint for Wrong {
            fn name(&self) -> &'static str {
                "wrong"
            }
            fn rows(&self, r: &mut RowBuilder) {
                joint_of(Chart::Hinge).rows(r);
            }
            fn chart(&self) -> Option<Chart> {
                Some(self.0)
            }
        }
        let mut w = crate::World::new();
        let b = w.add_body(crate::BodyDef::dynamic(crate::MassProperties::sphere(1.0, 1.0).unwrap())).unwrap();
        let frames = w.frames_at(b, w.ground(), DVec3::ZERO, DVec3::Z).unwrap();
        for chart in [Chart::Ball, Chart::Prismatic] {
            let text = w.add_joint(b, w.ground(), &Wrong(chart), frames).unwrap_err().to_string();
            assert!(text.starts_with(&format!("chart of the wrong joint = {}", chart.name())), "{text}");
        }
        w.add_joint(b, w.ground(), &Wrong(Chart::Hinge), frames).unwrap();
    }

    #[test]
    fn the_child_follows_finite_differences_whichever_side_the_parent_is() {
        let (mut r, e) = (Random::new(4), 1e-5);
        for chart in Chart::ALL {
            for round in 0..20 {
                let edge = Edge::new(chart, &r.frames(), round % 2 == 0);
                let (start, twist, (q, y)) = (r.pose(), Twist::new(r.vec(), r.vec()), random(chart, &mut r));
                // Everything after t seconds at constant velocity of the parent and constant rates.
                let at = |t: f64| {
                    let rot = crate::math::so3::exp(t * twist.ang) * start.rot;
                    let parent = Moving { pose: Pose { pos: start.pos + t * twist.lin, rot }, twist };
                    let q = chart.advance(&q, &y, t);
                    let pose = edge.child(&parent.pose, &q);
                    let s = edge.columns(&parent.pose, &pose, &q);
                    let own = (0..chart.dofs()).fold(Twist::default(), |sum, k| sum + y[k] * s[k]);
                    (parent, Moving { pose, twist: twist.moved(pose.pos - parent.pose.pos) + own }, q, own)
                };
                let ((_, a, _, own_a), (_, b, _, own_b), (parent, now, q0, _)) = (at(-e), at(e), at(0.0));
                let fd = Twist::new(b.pose.pos - a.pose.pos, log(b.pose.rot * a.pose.rot.inverse()));
                let off = (0.5 / e) * fd - now.twist;
                assert!(off.lin.length() + off.ang.length() < 1e-8, "{chart:?}: velocity off by {off:?}");
                let rate = edge.columns_rate(&parent, &now, &q0, &y, &y);
                let off = (0.5 / e) * (own_b - own_a) - rate;
                assert!(off.lin.length() + off.ang.length() < 1e-8, "{chart:?}: acceleration off by {off:?}");
                let (read, mut wanted) = (edge.rates(&parent, &now, &q0), y);
                wanted[chart.dofs()..].fill(0.0);
                let apart = (0..MAX_DOFS).map(|k| (read[k] - wanted[k]).abs()).fold(0.0, f64::max);
                assert!(apart < 1e-12, "{chart:?}: rates off by {apart}");
                let again = edge.child(&parent.pose, &edge.read(&parent.pose, &now.pose));
                assert!((again.pos - now.pose.pos).length() < 1e-13, "{chart:?}");
            }
        }
    }
}

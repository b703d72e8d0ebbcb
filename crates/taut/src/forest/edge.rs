//! A chart between a parent and a child: poses and velocities of the child from those of the parent.
//!
//! With the base frame of the chart turned by R in the world, o the origin of its tip frame, e = c_child - o, and (p', w) = S(q) y
//! ```text
//! child against parent   (v, w) = s (R p' + (R w) x e, R w),    s = 1 when the child is the tip, -1 when it is the base
//! at constant y          s (b x R p' + (b x R w + R w') x e + R w x e',  b x R w + R w'),    b = angular velocity of the base
//!                        e' = w_child x e when the tip is fixed to the child, v_child - (velocity of the parent at o) when to the parent
//! ```

use crate::joints::chart::{Chart, Coordinates};
use crate::math::pose::{Frame, Frames, Pose};
use crate::math::twist::Twist;
use glam::{DMat3, DQuat, DVec3};

/// A body in motion: pose and velocity.
#[derive(Clone, Copy, Debug)]
pub struct Moving {
    /// Where it is.
    pub pose: Pose,
    /// How it moves.
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

/// A child where its coordinates put it.
pub(crate) struct Place {
    pub child: Pose,
    /// e: from the origin of the tip to the child's centre of mass.
    pub lever: DVec3,
    /// Rotation of the base frame.
    base: DQuat,
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

    /// Arms on the child and on the parent, each in its own frame, where the joint leaves no way to slide.
    pub fn arms(&self) -> Option<(DVec3, DVec3)> {
        self.chart.only_turns().then_some((self.far.pos, self.near.pos))
    }

    /// The joint frame on the parent, in the world.
    #[inline]
    pub fn near(&self, parent: &Pose) -> Pose {
        parent.compose(&self.near)
    }

    /// The child at the coordinates `q`; `near` is the joint frame on the parent.
    #[inline]
    pub fn place(&self, near: &Pose, q: &Coordinates) -> Place {
        let rel = self.chart.pose(q);
        let far = near.compose(&if self.flipped { inverse(&rel) } else { rel });
        let mut child = far.compose(&self.far_inverse);
        child.rot = child.rot.normalize();
        let (base, tip) = if self.flipped { (far.rot, near.pos) } else { (near.rot, far.pos) };
        Place { lever: child.pos - tip, child, base }
    }

    /// The rotation that the joint allows a child, nearest to its own.
    #[inline]
    pub fn nearest(&self, parent: DQuat, child: DQuat) -> DQuat {
        let near = parent * self.near.rot;
        let rel = near.conjugate() * (child * self.far.rot);
        let rel = if self.flipped { self.chart.nearest(rel.conjugate()).conjugate() } else { self.chart.nearest(rel) };
        (near * rel * self.far_inverse.rot).normalize()
    }

    /// The coordinates of a child; `near` is the joint frame on the parent.
    #[inline]
    pub fn read(&self, near: &Pose, child: &Pose) -> Coordinates {
        let far = child.compose(&self.far);
        self.chart.read(&if self.flipped { far.relative(near) } else { near.relative(&far) })
    }

    #[inline]
    fn sign(&self) -> f64 {
        if self.flipped { -1.0 } else { 1.0 }
    }

    /// Columns of S at the child's centre of mass, in world axes.
    #[inline]
    pub fn columns(&self, p: &Place, q: &Coordinates, out: &mut [Twist]) {
        let base = DMat3::from_quat(p.base);
        self.chart.columns(q, &if self.flipped { -base } else { base }, out);
        for s in out {
            s.lin += s.ang.cross(p.lever);
        }
    }

    /// The rates of a child in motion: those nearest to its velocity against the parent. `s` are its columns.
    #[inline]
    pub fn rates(&self, p: &Place, parent: &Moving, child: Twist, s: &[Twist], y: &mut [f64]) {
        let tip = p.child.pos - p.lever;
        let velocity = child.moved(-p.lever) - parent.twist.moved(tip - parent.pose.pos);
        self.chart.rates(s, velocity, y);
    }

    /// S' y: what the change of S while everything moves makes of the rates y. `s` are the columns, `lever` is that of the place.
    #[inline]
    pub fn bias(
        &self,
        parent: &Moving,
        child: &Moving,
        (q, y): (&Coordinates, &[f64]),
        s: &[Twist],
        lever: DVec3,
    ) -> Twist {
        let zero = (DVec3::ZERO, DVec3::ZERO);
        let (mut slide, spin) = s.iter().zip(y).fold(zero, |(l, a), (s, &y)| (l + y * s.lin, a + y * s.ang));
        slide -= spin.cross(lever);
        let (base, lever_rate) = if self.flipped {
            let tip = child.pose.pos - lever;
            (child, child.twist.lin - parent.twist.moved(tip - parent.pose.pos).lin)
        } else {
            (parent, child.twist.ang.cross(lever))
        };
        let b = base.twist.ang;
        let mut turn = b.cross(spin);
        if let Some(rate) = self.chart.turn_rate(q, y) {
            let frame = if self.flipped { self.far.rot } else { self.near.rot };
            turn += self.sign() * (base.pose.rot * (frame * rate));
        }
        Twist::new(b.cross(slide) + turn.cross(lever) + spin.cross(lever_rate), turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::{Primitive, Side};
    use crate::forest::testing::{Charted, Random, joint_of};
    use crate::joints::chart::{MAX_DOFS, Rates};
    use crate::joints::{Joint, JointKind, Motor, RowBuilder, catalogue};
    use crate::math::so3::log;

    fn side(p: &Pose) -> Side {
        Side { pos: p.pos, rot: DMat3::from_quat(p.rot) }
    }

    fn rows(joint: &dyn JointKind, frames: Frames) -> Vec<Primitive> {
        let mut b = RowBuilder::new(frames);
        joint.rows(&mut b);
        b.primitives()
    }

    /// A random place of the chart: q, and rates.
    fn random(chart: Chart, r: &mut Random) -> (Coordinates, Rates) {
        let y = [(); MAX_DOFS].map(|()| r.number());
        let mut q = chart.read(&Pose::IDENTITY);
        chart.advance(&mut q, &y[..chart.dofs()], 1.3);
        (q, [(); MAX_DOFS].map(|()| r.number()))
    }

    #[test]
    fn rows_of_every_joint_are_zero_on_its_chart_and_do_not_feel_its_motion() {
        let mut r = Random::new(3);
        let mut joints = catalogue();
        joints.extend([Chart::Plane, Chart::Spherical].map(|c| Box::new(Charted(c)) as Box<dyn JointKind>));
        let mut seen = 0;
        for joint in &joints {
            let Some(chart) = joint.chart() else { continue };
            seen += 1;
            for round in 0..20 {
                let (frames, parent_is_i) = (r.frames(), round % 2 == 0);
                let edge = Edge::new(chart, &frames, parent_is_i);
                let (parent, (q, _)) = (r.pose(), random(chart, &mut r));
                let place = edge.place(&edge.near(&parent), &q);
                let child = place.child;
                let (i, j) = if parent_is_i { (parent, child) } else { (child, parent) };
                let prims = rows(joint.as_ref(), frames);
                assert_eq!(prims.iter().map(Primitive::rows).sum::<usize>() + chart.dofs(), 6, "{}", joint.name());
                let mut s = vec![Twist::default(); chart.dofs()];
                edge.columns(&place, &q, &mut s);
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
        assert_eq!(seen, 11, "charts in the catalogue");
    }

    #[test]
    fn soft_joints_have_no_chart_and_limits_and_motors_do_not_matter() {
        use crate::joints::{Ball, Hinge, Softness};
        assert_eq!(Ball { point: Softness::compliance(1e-9) }.chart(), None);
        assert_eq!(Hinge { angular: Softness::compliance(1e-9), ..Hinge::default() }.chart(), None);
        let chart = |j: Joint| j.def.expand(j.kind.as_ref(), Random::new(5).frames(), 0.0).unwrap().chart;
        let hinge = || Hinge::between(crate::World::new().ground(), crate::World::new().ground());
        assert_eq!(chart(hinge().linear(Softness::compliance(1e-9))), None);
        assert_eq!(chart(hinge().motor(Motor::rate()).limit(0.0, 1.0)), Some(Chart::Hinge));
    }

    #[test]
    fn a_chart_that_does_not_fit_the_rows_is_refused() {
        #[derive(Debug)]
        struct Wrong(Chart);
        impl JointKind for Wrong {
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
        let b = w.add(crate::Body::dynamic(crate::MassProperties::sphere(1.0, 1.0).unwrap())).unwrap();
        for chart in [Chart::Ball, Chart::Prismatic] {
            let text = w.add(Joint::of(Wrong(chart), b, w.ground()).axis(DVec3::Z)).unwrap_err().to_string();
            assert!(text.starts_with(&format!("chart of the wrong joint = {}", chart.name())), "{text}");
        }
        w.add(Joint::of(Wrong(Chart::Hinge), b, w.ground()).axis(DVec3::Z)).unwrap();
    }

    #[test]
    fn the_child_follows_finite_differences_whichever_side_the_parent_is() {
        let (mut r, e) = (Random::new(4), 1e-5);
        for chart in Chart::ALL {
            for round in 0..20 {
                let edge = Edge::new(chart, &r.frames(), round % 2 == 0);
                let dofs = chart.dofs();
                let (start, twist, (q, y)) = (r.pose(), Twist::new(r.vec(), r.vec()), random(chart, &mut r));
                // Everything after t seconds at constant velocity of the parent and constant rates.
                let at = |t: f64| {
                    let rot = crate::math::so3::exp(t * twist.ang) * start.rot;
                    let parent = Moving { pose: Pose { pos: start.pos + t * twist.lin, rot }, twist };
                    let mut q = q;
                    chart.advance(&mut q, &y[..dofs], t);
                    let place = edge.place(&edge.near(&parent.pose), &q);
                    let (pose, mut s) = (place.child, vec![Twist::default(); dofs]);
                    edge.columns(&place, &q, &mut s);
                    let own = (0..dofs).fold(Twist::default(), |sum, k| sum + y[k] * s[k]);
                    let child = Moving { pose, twist: twist.moved(pose.pos - parent.pose.pos) + own };
                    (parent, child, place, q, s, own)
                };
                let ((_, a, _, _, _, own_a), (_, b, _, _, _, own_b), (parent, now, place, q0, s, _)) =
                    (at(-e), at(e), at(0.0));
                let fd = Twist::new(b.pose.pos - a.pose.pos, log(b.pose.rot * a.pose.rot.inverse()));
                let off = (0.5 / e) * fd - now.twist;
                assert!(off.lin.length() + off.ang.length() < 1e-8, "{chart:?}: velocity off by {off:?}");
                let rate = edge.bias(&parent, &now, (&q0, &y[..dofs]), &s, place.lever);
                let off = (0.5 / e) * (own_b - own_a) - rate;
                assert!(off.lin.length() + off.ang.length() < 1e-8, "{chart:?}: acceleration off by {off:?}");
                let mut read = [0.0; MAX_DOFS];
                edge.rates(&place, &parent, now.twist, &s, &mut read[..dofs]);
                let apart = (0..dofs).map(|k| (read[k] - y[k]).abs()).fold(0.0, f64::max);
                assert!(apart < 1e-12, "{chart:?}: rates off by {apart}");
                let near = edge.near(&parent.pose);
                let again = edge.place(&near, &edge.read(&near, &now.pose)).child;
                assert!((again.pos - now.pose.pos).length() < 1e-13, "{chart:?}");
            }
        }
    }
}

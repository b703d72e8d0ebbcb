//! What acts on the links by itself: constant forces and loads, springs, drag, damping, compliant rows.
//!
//! All of it follows its law at the present pose and velocity, whatever the last step found: a compliant row pulls with
//! `lambda = -phi/C - B phi'`, a soft stop or rope the same where it is passed, and never the other way.
//! Springs on freedoms of joints and soft couplings are among them. Motors, rigid stops, dry friction and contacts do not act.

use super::rows::{Posed, Row};
use crate::bounded;
use crate::forest::tree::NONE;
use crate::ids::BodyId;
use crate::joints::{Bound, BoundSpec, Drive, Softness};
use crate::math::twist::Twist;
use crate::model::JointEntry;
use crate::model::force::{Force, MouseSpring, Spring};
use glam::DVec3;

/// Forces and torques about the centres of mass of the links.
#[derive(Clone, Debug, Default)]
pub(super) struct Acting {
    /// What would act at rest.
    pub still: Vec<Twist>,
    /// What the velocities add.
    pub moving: Vec<Twist>,
    /// All forces and torques at rest without their signs, N and N m: what balances to rounding is nothing beside it.
    pub gross: Vec<[f64; 2]>,
}

impl Acting {
    pub fn new(p: &Posed<'_>) -> Self {
        let none = vec![Twist::default(); p.tree.links.len()];
        let mut a = Acting { still: none.clone(), gross: vec![[0.0; 2]; none.len()], moving: none };
        a.bodies(p);
        for (_, f) in p.model.forces.iter().filter(|(_, f)| p.model.acts(&f.force)) {
            a.force(p, &f.force);
        }
        let mut rows = vec![false; p.model.joints.slots()];
        p.tree.loops.iter().for_each(|&j| rows[j] = true);
        // The row of a spring is the spring's.
        for (key, j) in p.model.joints.iter().filter(|(_, j)| !j.is_spring() && p.model.is_active(j) && p.moves(j)) {
            if rows[key.slot as usize] {
                a.compliant(p, j);
            }
            let slot = key.slot as usize;
            j.bounds.iter().for_each(|b| a.stop(p, (slot, j), b));
            a.sprung(p, slot, j);
        }
        for (id, c) in p.couplings().filter(|(_, c)| !c.soft.is_rigid()) {
            let row = p.coupled(c);
            let (still, moving) = law(&c.soft, p.error(id.0.slot as usize, c), row.rate);
            a.pull(&row, still, moving);
        }
        a
    }

    /// The springs of a joint on what it leaves free.
    fn sprung(&mut self, p: &Posed<'_>, slot: usize, j: &JointEntry) {
        for m in j.motors().filter(|m| j.def.motors[m.ordinal].is_spring()) {
            let (Drive::Servo { stiffness, damping }, Some(told)) =
                (j.def.motors[m.ordinal].drive, p.state.commands[j.command_start + m.ordinal])
            else {
                continue;
            };
            let at = bounded::measured(m.freedom, &m.primitive, &p.side(j.i), &p.side(j.j));
            let row = p.row((j.i, j.j), (Twist::from_array(&at.ji), Twist::from_array(&at.jj)), 0.0);
            let q = p.turned(slot, j, &m.primitive, at.q);
            self.pull(&row, -stiffness * (q - told.target), -damping * (row.rate - told.rate));
        }
    }

    /// Loads of the next step, and damping.
    fn bodies(&mut self, p: &Posed<'_>) {
        for (i, l) in p.tree.links.iter().enumerate() {
            let Some(b) = p.model.bodies.at(l.body) else { continue };
            let Twist { lin, ang } = p.at[l.body].twist;
            let rot = p.at[l.body].pose.rot;
            let spin = rot * (b.inertia * (rot.inverse() * ang));
            let slow = Twist::new(-b.linear_damping * b.mass * lin, -b.angular_damping * spin);
            self.push(i, Twist::new(b.load.0, b.load.1), slow);
        }
    }

    /// A force of the world.
    fn force(&mut self, p: &Posed<'_>, force: &Force) {
        match *force {
            Force::Point { body, point, force } => {
                let arm = p.moving(body).pose.rot * point;
                self.push(p.link(body), Twist::new(force, DVec3::ZERO).force_from(arm), Twist::default());
            }
            Force::Torque { body, torque } => {
                self.push(p.link(body), Twist::new(DVec3::ZERO, torque), Twist::default());
            }
            Force::Drag { body, linear, angular } => {
                let v = p.moving(body).twist;
                self.push(p.link(body), Twist::default(), Twist::new(-linear * v.lin, -angular * v.ang));
            }
            Force::Spring(s) => self.spring(p, &s),
            Force::Mouse(m) => self.mouse(p, &m),
        }
    }

    fn push(&mut self, link: usize, still: Twist, moving: Twist) {
        if link != NONE {
            self.still[link] += still;
            self.moving[link] += moving;
            let [force, torque] = &mut self.gross[link];
            *force += still.lin.length();
            *torque += still.ang.length();
        }
    }

    fn spring(&mut self, p: &Posed<'_>, s: &Spring) {
        let end = |b: BodyId, point: DVec3| {
            let m = p.moving(b);
            let arm = m.pose.rot * point;
            (arm, m.pose.pos + arm, m.twist.moved(arm).lin)
        };
        let ((si, pi, vi), (sj, pj, vj)) = (end(s.i, s.point_i), end(s.j, s.point_j));
        let length = (pi - pj).length();
        // Ends that meet have no direction.
        let u = if length > 0.0 { (pi - pj) / length } else { DVec3::ZERO };
        let (pull, slow) = (s.stiffness * (length - s.rest_length), s.damping * (vi - vj).dot(u));
        for (b, arm, sign) in [(s.i, si, -1.0), (s.j, sj, 1.0)] {
            let along = |f: f64| Twist::new(sign * f * u, DVec3::ZERO).force_from(arm);
            self.push(p.link(b), along(pull), along(slow));
        }
    }

    fn mouse(&mut self, p: &Posed<'_>, m: &MouseSpring) {
        let (body, Some(b)) = (p.moving(m.body), p.model.bodies.get(m.body.0)) else { return };
        let arm = body.pose.rot * m.point;
        let (k, c) = m.constants(b.mass);
        let at = |f: DVec3| Twist::new(f, DVec3::ZERO).force_from(arm);
        let v = body.twist.moved(arm).lin;
        self.push(p.link(m.body), at(k * (m.target - body.pose.pos - arm)), at(-c * v));
    }

    /// The compliant rows of a joint that is not in the forest.
    fn compliant(&mut self, p: &Posed<'_>, j: &JointEntry) {
        for s in j.rows.iter().filter(|s| s.holds() && !s.soft.is_rigid()) {
            let (e, rows) = p.rows(j, &s.primitive);
            for (row, phi) in rows.iter().zip(e.phi) {
                let (still, moving) = law(&s.soft, phi, row.rate);
                self.pull(row, still, moving);
            }
        }
    }

    /// A soft stop or rope: pushes back only, and only where it is passed.
    fn stop(&mut self, p: &Posed<'_>, (slot, j): (usize, &JointEntry), b: &BoundSpec) {
        let Bound::Limit { lower, upper, soft, .. } = b.bound else { return };
        if soft.is_rigid() {
            return;
        }
        let m = bounded::measure(b, &p.side(j.i), &p.side(j.j));
        let passed = bounded::beyond(b, p.turned(slot, j, &b.primitive, m.q));
        if passed == 0.0 && lower != upper {
            return;
        }
        let row = p.row((j.i, j.j), (Twist::from_array(&m.ji), Twist::from_array(&m.jj)), 0.0);
        let (still, mut moving) = law(&soft, passed, row.rate);
        if lower != upper && (still + moving) * passed > 0.0 {
            moving = -still;
        }
        self.pull(&row, still, moving);
    }

    /// The force of a row: what it has at rest, and what its rate adds.
    fn pull(&mut self, row: &Row, still: f64, moving: f64) {
        for (link, jac) in row.ends {
            self.push(link, still * jac, moving * jac);
        }
    }
}

/// The force of a compliant row, N or N m: that of its violation, and that of its rate.
fn law(soft: &Softness, phi: f64, rate: f64) -> (f64, f64) {
    let still = if soft.compliance.is_finite() { -phi / soft.compliance } else { 0.0 };
    (still, -soft.damping * rate)
}

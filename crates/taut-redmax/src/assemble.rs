//! Fills the reduced system: blocks and forces of the links, springs, rows of joints (`parts` says how each enters).

use super::parts::{Kind, RowPart, Springs, link};
use super::step::{LoopRow, Mechanism};
use crate::articulated;
use glam::{DMat3, DVec3};
use taut::constraint::{Eval, Primitive};
use taut::inner::{
    JointEntry, LinkTerm, Model, NONE, OpenState, Twist, add_form, complete, elastic, law, skew, slot_of, span,
    untwisted, wanted,
};
use taut::{BodyId, Force};

/// A row between two bodies at the present pose: what it takes from the links, and J v+ + Sigma (h lambda) = target.
pub(super) struct Law {
    pub ends: [(usize, Twist); 2],
    pub sigma: f64,
    /// Without the velocity that the ends have anyway.
    pub target: f64,
}

impl Mechanism {
    /// S and arms.
    pub(super) fn jacobian(&mut self) {
        let values = &mut self.solver.values;
        values.arm.copy_from_slice(&self.kin.arm);
        for (to, s) in values.s.iter_mut().zip(&self.kin.s) {
            *to = s.to_array();
        }
    }

    /// Blocks M + hD, and the right-hand side M v + h (f - M J' y - w x I w) - (M + hD) v0.
    pub(super) fn blocks(&mut self, model: &Model, gravity: DVec3, h: f64) {
        self.solver.values.joint.fill(0.0);
        self.joint.fill(0.0);
        self.jacobian();
        for (i, l) in self.tree.links.iter().enumerate() {
            let Some(b) = model.bodies.at(l.body) else { continue };
            let (now, bias, v0) = (&self.now[l.body], &self.bias[i], &self.kin.carried[i]);
            let rot = &self.sides[l.body].rot;
            let inertia = *rot * b.inertia * rot.transpose();
            self.inertia[i] = inertia;
            let (w, v) = (now.twist.ang, now.twist.lin);
            let (lin, ang) = (1.0 + h * b.linear_damping, 1.0 + h * b.angular_damping);
            let added = self.added[i];
            let (m, [x, y, z]) = (b.mass * lin, [0, 1, 2].map(|c| ang * inertia.col(c) + added.col(c)));
            self.solver.values.h[i] = [
                m, 0.0, 0.0, 0.0, 0.0, 0.0, //
                0.0, m, 0.0, 0.0, 0.0, 0.0, //
                0.0, 0.0, m, 0.0, 0.0, 0.0, //
                0.0, 0.0, 0.0, x.x, y.x, z.x, //
                0.0, 0.0, 0.0, x.y, y.y, z.y, //
                0.0, 0.0, 0.0, x.z, y.z, z.z,
            ];
            let force = b.load.0 + b.mass * (b.gravity_scale * gravity - bias.lin);
            let torque = b.load.1 - inertia * bias.ang + self.gyroscopic(inertia, w);
            self.body[i] = Twist::new(
                b.mass * v + h * force - (b.mass * lin) * v0.lin,
                inertia * w + h * torque - ang * (inertia * v0.ang) - added * v0.ang,
            )
            .to_array();
        }
    }

    /// Constant forces and torques; mouse springs.
    pub(super) fn forces(&mut self, model: &Model, h: f64) {
        for (_, f) in model.forces.iter() {
            let i = link(&self.tree, f.force.bodies().0);
            if i == NONE {
                continue;
            }
            let pose = self.now[self.tree.links[i].body].pose;
            match &f.force {
                Force::Point { point, force, .. } => self.push(i, pose.rot * *point, h * *force),
                Force::Torque { torque, .. } => add(&mut self.body[i], Twist::new(DVec3::ZERO, h * *torque)),
                Force::Mouse(m) => {
                    let mass = model.bodies.at(self.tree.links[i].body).map_or(0.0, |b| b.mass);
                    let ((k, c), arm) = (m.constants(mass), pose.rot * m.point);
                    let w = h * (h * k + c);
                    add_form(&mut self.solver.values.h[i], 6, arm, DMat3::from_diagonal(DVec3::splat(w)));
                    let away = pose.pos + arm - m.target;
                    self.push(i, arm, -h * k * away - w * self.kin.carried[i].moved(arm).lin);
                }
                Force::Drag { linear, angular, .. } => {
                    let v0 = self.kin.carried[i];
                    for c in 0..3 {
                        self.solver.values.h[i][7 * c] += h * linear;
                        self.solver.values.h[i][7 * (3 + c)] += h * angular;
                    }
                    add(&mut self.body[i], Twist::new(-h * *linear * v0.lin, -h * *angular * v0.ang));
                }
                // Springs couple links; what else there might be was refused (`parts`).
                _ => {}
            }
        }
    }

    /// An impulse at an arm of a link.
    fn push(&mut self, i: usize, arm: DVec3, impulse: DVec3) {
        add(&mut self.body[i], Twist::new(impulse, arm.cross(impulse)));
    }

    /// Springs and dampers between two points.
    pub(super) fn springs(&mut self, model: &Model, h: f64) {
        for k in 0..self.parts.springs.len() {
            let part = self.parts.springs[k];
            let Some(Force::Spring(s)) = model.forces.at(part.force).map(|f| &f.force) else { continue };
            let (i, j) = (self.now[slot_of(s.i)].pose, self.now[slot_of(s.j)].pose);
            let mut term = span(i.pos, i.rot * s.point_i, j.pos, j.rot * s.point_j);
            let tension = elastic(s, [1.0; 2], h, h, &mut term);
            let along = self.pull([s.i, s.j], &term, term.u);
            let slots = [slot_of(s.i), slot_of(s.j)];
            let target = -h * tension - term.along * self.drive(&along, slots);
            self.couple(part.pair, 0, &along, term.along, target);
            if self.settings.springs == Springs::Clamped {
                self.across(part.pair, 1, [s.i, s.j], &term, term.across);
            }
            if self.settings.turning {
                self.turning(&along, [term.si, term.sj], -h * h * tension * term.u);
            }
        }
    }

    /// What a pull along `d` between two points takes from their links.
    fn pull(&self, bodies: [BodyId; 2], term: &LinkTerm, d: DVec3) -> [(usize, Twist); 2] {
        [
            (link(&self.tree, bodies[0]), Twist::new(d, term.si.cross(d))),
            (link(&self.tree, bodies[1]), Twist::new(-d, -term.sj.cross(d))),
        ]
    }

    /// The stiffness `w` across the line between two points, by two terms of a pair from `first` on.
    fn across(&mut self, pair: Option<usize>, first: usize, bodies: [BodyId; 2], term: &LinkTerm, w: f64) {
        let (t1, t2) = if term.length > 0.0 { complete(term.u) } else { (DVec3::ZERO, DVec3::ZERO) };
        for (n, t) in [t1, t2].into_iter().enumerate() {
            let ends = self.pull(bodies, term, t);
            let target = -w * self.drive(&ends, bodies.map(slot_of));
            self.couple(pair, first + n, &ends, w, target);
        }
    }

    /// A distance row as the line between its points.
    pub(super) fn rod(&self, j: &JointEntry, spec: usize) -> LinkTerm {
        let Primitive::Distance { si, sj, .. } = j.rows[spec].primitive else { return LinkTerm::default() };
        let [i, k] = [j.i, j.j].map(|b| self.now[slot_of(b)].pose);
        span(i.pos, i.rot * si, k.pos, k.rot * sj)
    }

    /// Rods are stiff across their length under the forces `lambda`.
    pub(super) fn rods(&mut self, model: &Model, lambda: &[f64], h: f64) {
        self.across.clear();
        for k in 0..self.parts.rods.len() {
            let rod = self.parts.rods[k];
            let part = self.parts.rows[rod.row];
            let Some(j) = model.joints.at(part.joint) else { continue };
            let term = self.rod(j, part.spec);
            let force = h * h * lambda[j.row_start + part.start].abs();
            let w = if term.length > 0.0 { force / term.length } else { 0.0 };
            self.across.push(w);
            self.across(rod.pair, 0, [j.i, j.j], &term, w);
        }
    }

    /// The symmetrised turning of a spring's force with its bodies; `f` is h^2 times the force on the first.
    fn turning(&mut self, ends: &[(usize, Twist); 2], arms: [DVec3; 2], f: DVec3) {
        for (k, f) in [f, -f].into_iter().enumerate().filter(|&(k, _)| ends[k].0 != NONE) {
            let (block, hat, arm) = (&mut self.solver.values.h[ends[k].0], skew(f), skew(arms[k]));
            let turn = (arm * hat + hat * arm) * -0.5;
            for r in 0..3 {
                for c in 0..3 {
                    block[6 * r + 3 + c] -= 0.5 * hat.col(c)[r];
                    block[6 * (3 + c) + r] -= 0.5 * hat.col(c)[r];
                    block[6 * (3 + r) + 3 + c] += turn.col(c)[r];
                }
            }
        }
    }

    /// Velocity that the ends of a row have without the rates: those that do not move by themselves, and what they carry.
    pub(super) fn drive(&self, ends: &[(usize, Twist); 2], slots: [usize; 2]) -> f64 {
        let own = |k: usize| if ends[k].0 == NONE { self.now[slots[k]].twist } else { self.kin.carried[ends[k].0] };
        ends[0].1.dot(own(0)) + ends[1].1.dot(own(1))
    }

    /// H += w g g^T, f += p g.
    fn couple(&mut self, pair: Option<usize>, term: usize, ends: &[(usize, Twist); 2], w: f64, p: f64) {
        for (i, g) in ends.iter().filter(|e| e.0 != NONE) {
            add(&mut self.body[*i], p * *g);
        }
        if let Some(pair) = pair {
            let at = self.solver.structure().term(pair) + term;
            let out = &mut self.solver.values.terms[at];
            let root = f64::sqrt(w);
            out[..6].copy_from_slice(&(root * ends[0].1).to_array());
            out[6..].copy_from_slice(&(root * ends[1].1).to_array());
        } else if let Some((i, g)) = ends.iter().find(|e| e.0 != NONE) {
            let (block, g) = (&mut self.solver.values.h[*i], g.to_array());
            for r in 0..6 {
                for c in 0..6 {
                    block[6 * r + c] += w * g[r] * g[c];
                }
            }
        }
    }

    pub(super) fn evaluate(&self, part: &RowPart, j: &JointEntry) -> Eval {
        j.rows[part.spec].primitive.eval(&self.sides[slot_of(j.i)], &self.sides[slot_of(j.j)])
    }

    /// What row `r` of a primitive takes from its two bodies.
    pub(super) fn ends(&self, j: &JointEntry, e: &Eval, r: usize) -> [(usize, Twist); 2] {
        [(link(&self.tree, j.i), Twist::from_array(&e.ji[r])), (link(&self.tree, j.j), Twist::from_array(&e.jj[r]))]
    }

    /// Row `r` of a primitive.
    pub(super) fn law(&self, part: &RowPart, j: &JointEntry, e: &Eval, r: usize, state: &OpenState<'_>, h: f64) -> Law {
        let spec = &j.rows[part.spec];
        let ends = self.ends(j, e, r);
        if spec.motor.is_some() && state.commands[j.command_start + spec.ordinal].is_none() {
            // A motor that was told nothing takes nothing from its bodies.
            return Law { ends: ends.map(|(link, _)| (link, Twist::default())), sigma: 1.0, target: 0.0 };
        }
        let (sigma, gamma) = law(spec.soft.compliance, spec.soft.damping, 1.0, h);
        let rate = match (spec.motor, self.settings.loop_rate) {
            (None, Some(b)) if sigma == 0.0 => -b * e.phi[r],
            _ => -gamma * e.phi[r] / h,
        };
        let command = spec.motor.zip(state.commands.get(j.command_start + spec.ordinal).copied().flatten());
        let seen = |c| untwisted(j, spec, state.turned[part.joint], e.phi[r], c);
        let target = rate + command.map_or(0.0, |(f, c)| wanted(f, &seen(c), e.phi[r], gamma, h));
        Law { ends, sigma, target: target - self.drive(&ends, [j.i, j.j].map(slot_of)) }
    }

    /// Rows of joints: servos, soft rows, loop rows. Returns how many loop rows no freedom moves.
    pub(super) fn joint_rows(&mut self, model: &Model, state: &OpenState<'_>, h: f64) -> usize {
        self.rows.clear();
        self.loop_rows.clear();
        let mut void = 0;
        for k in 0..self.parts.rows.len() {
            let part = self.parts.rows[k];
            let Some(j) = model.joints.at(part.joint) else { continue };
            let e = self.evaluate(&part, j);
            for r in 0..j.rows[part.spec].primitive.rows() {
                let l = self.law(&part, j, &e, r, state, h);
                match part.kind {
                    Kind::Servo { link } => self.servo(link, &l),
                    Kind::Soft { pair } => self.couple(pair, r, &l.ends, 1.0 / l.sigma, l.target / l.sigma),
                    Kind::Loop if self.kin.reaches(&self.tree, &l.ends) => {
                        push_row(&mut self.rows, &l.ends, l.sigma, l.target);
                        let state_row = j.row_start + part.start + r;
                        self.loop_rows.push(LoopRow { joint: part.joint, state_row });
                    }
                    Kind::Loop => void += 1,
                }
            }
        }
        void
    }

    /// A row on the joint of a link: common motion does not move it.
    fn servo(&mut self, i: usize, l: &Law) {
        let g = if l.ends[0].0 == i { l.ends[0].1 } else { l.ends[1].1 };
        let (first, k, at) = (self.tree.links[i].first, self.tree.links[i].dofs, self.solver.structure().square(i));
        // S^T J^T.
        let own = |r: usize| self.kin.s[first + r].dot(g);
        for r in 0..k {
            self.joint[first + r] += own(r) * l.target / l.sigma;
            for c in 0..k {
                self.solver.values.joint[at + k * r + c] += own(r) * own(c) / l.sigma;
            }
        }
    }
}

fn add(to: &mut articulated::Twist, t: Twist) {
    to.iter_mut().zip(t.to_array()).for_each(|(a, b)| *a += b);
}

/// Adds a row over the ends that move.
pub(super) fn push_row(rows: &mut articulated::Rows, ends: &[(usize, Twist); 2], sigma: f64, target: f64) {
    let on = ends.map(|(i, g)| (i, g.to_array()));
    let (from, to) = (usize::from(on[0].0 == NONE), 2 - usize::from(on[1].0 == NONE));
    rows.push(&on[from..to], sigma, target);
}

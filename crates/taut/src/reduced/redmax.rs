//! RedMax's own step: velocity-level, linearly implicit Euler in reduced coordinates with maximal forces (Baxter 2019, Eq. 2.13, 2.42).
//!
//! ```text
//! (J^T (M + hD - h^2 K) J + hDr - h^2 Kr) y+ - G^T l = J^T (M v + h (f - M J' y - w x I w)) + h fr,     G v+ = -b g
//! q+ = q (+) h y+,     v+ = J(q+) y+
//! ```
//! J' y and the gyroscopic torque are explicit; springs (their material, or clamped, part), dampers and body damping are implicit;
//! K = 0 for forces of constant direction. Loop rows are closed by the dual with b = 1/h, or softer.
//! The state stays that of the bodies: coordinates are read off their poses, M v is the momentum they have, so that a world can change
//! its coordinates at any time. Bodies that the user moves carry their trees along: v = J y + v0, and H v0 goes to the right-hand side.

use super::edge::{Moving, Twist};
use super::kinematics::Kinematics;
use super::parts::{Kind, Parts, RowPart, Springs, link};
use super::tree::{NONE, Parent, Tree, TreeLink};
use crate::constraint::rows::{law, wanted};
use crate::constraint::{Eval, Side};
use crate::error::{Error, Result};
use crate::force::{Force, add_form, elastic, span};
use crate::math::pose::Pose;
use crate::math::so3::{complete, exp};
use crate::model::{JointEntry, Model, Motion as BodyMotion};
use crate::solve::articulated::{self, Fault, Link, Load, LoopReport, Motion, Path, Rows, Solver, Structure};
use crate::state::State;
use glam::{DMat3, DVec3};

/// How the step is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Settings {
    /// Which stiffness of springs is implicit.
    pub springs: Springs,
    /// Share of a gap in a loop that is closed per second, 1/s; `None` closes all of it in one step.
    pub loop_rate: Option<f64>,
    /// How the linear system is solved.
    pub path: Path,
}

/// What a step did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Outcome {
    /// Iterations of all solves; 0 for the direct path.
    pub iterations: usize,
    /// Right-hand sides that were solved for.
    pub columns: usize,
    /// Whether all solves reached their tolerance.
    pub converged: bool,
    /// What became of the loop rows; `worst` is a row of `Reduced::loop_rows`.
    pub loops: LoopReport,
    /// Rows that no freedom moves.
    pub void: usize,
    /// Slot of the joint with the largest residual of the loop rows.
    pub worst_joint: Option<usize>,
    /// How far bodies were from what their joints allow before the step, m and rad.
    pub off: (f64, f64),
}

/// A row of the dual: where its multiplier goes.
#[derive(Clone, Copy, Debug)]
struct LoopRow {
    joint: usize,
    state_row: usize,
}

/// The reduced system of a world with its work memory; made when the structure changes.
#[derive(Clone, Debug)]
pub(crate) struct Mechanism {
    pub tree: Tree,
    settings: Settings,
    parts: Parts,
    pub(super) solver: Solver,
    /// Bodies by slot: poses as the forest has them, velocities as they are.
    now: Vec<Moving>,
    kin: Kinematics,
    bias: Vec<Twist>,
    /// Right-hand sides: wrenches on the links, and in joint space.
    pub(super) body: Vec<articulated::Twist>,
    pub(super) joint: Vec<f64>,
    pub(super) rows: Rows,
    loop_rows: Vec<LoopRow>,
    pub(super) motion: Motion,
    pub(super) loops: articulated::loops::Loops,
    pub(super) reactions: Vec<articulated::Twist>,
}

/// A row between two bodies at the present pose: what it takes from the links, and J v+ + Sigma (h lambda) = target.
struct Law {
    ends: [(usize, Twist); 2],
    sigma: f64,
    /// Without the velocity that the ends have anyway.
    target: f64,
}

impl Mechanism {
    /// For a model; bodies for which `awake` is false do not move.
    pub fn new(model: &Model, awake: impl Fn(usize) -> bool, settings: Settings) -> Result<Self> {
        if let Some(b) = settings.loop_rate {
            crate::error::positive("loop rate", b, "1/s")?;
        }
        let tree = Tree::new(model, awake)?;
        let parts = Parts::new(model, &tree, settings.springs)?;
        let to_link = |l: &TreeLink| Link {
            parent: if let Parent::Link(p) = l.parent { p } else { articulated::NONE },
            dofs: l.edge.chart.dofs(),
        };
        let structure = Structure::new(tree.links.iter().map(to_link).collect(), parts.pairs.clone());
        let structure = structure.map_err(|f| Error::input("forest", f, "links with parents before children"))?;
        let n = tree.links.len();
        let mut motion = Motion::default();
        motion.resize(&structure);
        Ok(Mechanism {
            settings,
            solver: Solver::new(structure, settings.path),
            now: Vec::new(),
            kin: Kinematics::default(),
            bias: vec![Twist::default(); n],
            body: vec![[0.0; 6]; n],
            joint: vec![0.0; tree.dofs],
            rows: Rows::default(),
            loop_rows: Vec::new(),
            motion,
            loops: Default::default(),
            reactions: Vec::new(),
            tree,
            parts,
        })
    }

    /// Takes one step of length `h`. On any error `state` is untouched.
    pub fn step(&mut self, model: &Model, state: &mut State, gravity: DVec3, h: f64) -> Result<Outcome> {
        let off = self.gather(model, state, h);
        self.blocks(model, gravity, h);
        self.forces(model, h);
        self.springs(model, h);
        let void = self.joint_rows(model, state, h);
        let time = state.time;
        let loops = self.solve().map_err(|f| self.blame(model, time, f))?;
        self.check_finite(model, time)?;
        self.multipliers(model, state, h);
        self.advance(model, state, h);
        let worst_joint = self.loop_rows.get(loops.worst).filter(|_| loops.residual > 0.0).map(|r| r.joint);
        let columns = 1 + self.rows.len();
        Ok(Outcome { iterations: loops.iterations, columns, converged: loops.converged, loops, void, worst_joint, off })
    }

    /// Poses and velocities; coordinates; how far the bodies were off.
    fn gather(&mut self, model: &Model, state: &State, h: f64) -> (f64, f64) {
        self.now.clear();
        for (slot, s) in state.bodies.iter().enumerate() {
            let twist = match model.bodies.at(slot) {
                Some(_) if self.tree.link_of[slot] != NONE => Twist::new(s.vel, s.omega),
                Some(b) if b.motion == BodyMotion::Kinematic => {
                    let (lin, ang) = b.driven(s, h);
                    Twist::new(lin, ang)
                }
                _ => Twist::default(),
            };
            self.now.push(Moving { pose: Pose { pos: s.pos, rot: s.rot }, twist });
        }
        let now = &self.now;
        self.kin.read(&self.tree, |slot| now[slot]);
        self.kin.bias(&self.tree, |slot| now[slot], &mut self.bias);
        let mut off = (0.0_f64, 0.0_f64);
        for (i, l) in self.tree.links.iter().enumerate() {
            let (body, pose) = (&mut self.now[l.body], self.kin.pose[i]);
            off.0 = off.0.max((pose.pos - body.pose.pos).length());
            if l.is_particle {
                // It has no orientation of its own.
                body.pose.pos = pose.pos;
                continue;
            }
            // Twice the sine of half the angle.
            let apart = (pose.rot * body.pose.rot.inverse()).xyz().length();
            off.1 = off.1.max(2.0 * apart);
            body.pose = pose;
        }
        off
    }

    /// S, arms, blocks M + hD, and the right-hand side M v + h (f - M J' y - w x I w) - (M + hD) v0.
    fn blocks(&mut self, model: &Model, gravity: DVec3, h: f64) {
        let values = &mut self.solver.values;
        values.joint.fill(0.0);
        self.joint.fill(0.0);
        for (i, l) in self.tree.links.iter().enumerate() {
            values.arm[i] = self.kin.arm[i];
            for k in 0..l.edge.chart.dofs() {
                values.s[l.first + k] = self.kin.s[i][k].to_array();
            }
            let Some(b) = model.bodies.at(l.body) else { continue };
            let (now, bias, v0) = (&self.now[l.body], &self.bias[i], &self.kin.carried[i]);
            let rot = DMat3::from_quat(now.pose.rot);
            let inertia = rot * b.inertia * rot.transpose();
            let (w, v) = (now.twist.ang, now.twist.lin);
            let (lin, ang) = (1.0 + h * b.linear_damping, 1.0 + h * b.angular_damping);
            let block = &mut values.h[i];
            block.fill(0.0);
            for r in 0..3 {
                block[7 * r] = b.mass * lin;
                for c in 0..3 {
                    block[6 * (3 + r) + 3 + c] = ang * inertia.col(c)[r];
                }
            }
            let force = b.load.0 + b.mass * (gravity - bias.lin);
            let torque = b.load.1 - inertia * bias.ang - w.cross(inertia * w);
            self.body[i] = Twist::new(
                b.mass * v + h * force - (b.mass * lin) * v0.lin,
                inertia * w + h * torque - ang * (inertia * v0.ang),
            )
            .to_array();
        }
    }

    /// Constant forces and torques; mouse springs.
    fn forces(&mut self, model: &Model, h: f64) {
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
                    let (block, v0) = (&mut self.solver.values.h[i], self.kin.carried[i]);
                    for c in 0..3 {
                        block[7 * c] += h * linear;
                        block[7 * (3 + c)] += h * angular;
                    }
                    add(&mut self.body[i], Twist::new(-h * *linear * v0.lin, -h * *angular * v0.ang));
                }
                Force::Spring(_) => {}
            }
        }
    }

    /// An impulse at an arm of a link.
    fn push(&mut self, i: usize, arm: DVec3, impulse: DVec3) {
        add(&mut self.body[i], Twist::new(impulse, arm.cross(impulse)));
    }

    /// Springs and dampers between two points.
    fn springs(&mut self, model: &Model, h: f64) {
        for k in 0..self.parts.springs.len() {
            let part = self.parts.springs[k];
            let Some(Force::Spring(s)) = model.forces.at(part.force).map(|f| &f.force) else { continue };
            let (i, j) = (self.now[s.i.0.slot as usize].pose, self.now[s.j.0.slot as usize].pose);
            let mut term = span(i.pos, i.rot * s.point_i, j.pos, j.rot * s.point_j);
            let tension = elastic(s, h, h, &mut term);
            let ends = |d: DVec3| {
                [
                    (link(&self.tree, s.i), Twist::new(d, term.si.cross(d))),
                    (link(&self.tree, s.j), Twist::new(-d, -term.sj.cross(d))),
                ]
            };
            let drive = |e: &[(usize, Twist); 2]| self.drive(e, [s.i.0.slot as usize, s.j.0.slot as usize]);
            let along = ends(term.u);
            let target = -h * tension - term.along * drive(&along);
            let (t1, t2) = if term.length > 0.0 { complete(term.u) } else { (DVec3::ZERO, DVec3::ZERO) };
            let across = [t1, t2].map(|t| {
                let e = ends(t);
                (e, -term.across * drive(&e))
            });
            self.couple(part.pair, 0, &along, term.along, target);
            if self.settings.springs == Springs::Material {
                continue;
            }
            for (n, (e, target)) in across.iter().enumerate() {
                self.couple(part.pair, n + 1, e, term.across, *target);
            }
            #[cfg(test)]
            if self.settings.springs == Springs::Symmetrised {
                self.turning(&along, [term.si, term.sj], -h * h * tension * term.u);
            }
        }
    }

    /// The symmetrised turning of a spring's force with its bodies; `f` is h^2 times the force on the first.
    #[cfg(test)]
    fn turning(&mut self, ends: &[(usize, Twist); 2], arms: [DVec3; 2], f: DVec3) {
        use crate::math::so3::skew;
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
    fn drive(&self, ends: &[(usize, Twist); 2], slots: [usize; 2]) -> f64 {
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

    /// A body as rows see it.
    pub(super) fn side(&self, slot: usize) -> Side {
        let p = &self.now[slot].pose;
        Side { pos: p.pos, rot: DMat3::from_quat(p.rot) }
    }

    fn evaluate(&self, part: &RowPart, j: &JointEntry) -> Eval {
        j.rows[part.spec].primitive.eval(&self.side(j.i.0.slot as usize), &self.side(j.j.0.slot as usize))
    }

    /// Row `r` of a primitive.
    fn law(&self, part: &RowPart, j: &JointEntry, e: &Eval, r: usize, state: &State, h: f64) -> Law {
        let spec = &j.rows[part.spec];
        let (sigma, gamma) = law(spec.soft.compliance, spec.soft.damping, h);
        let ends = [
            (link(&self.tree, j.i), Twist::from_array(&e.ji[r])),
            (link(&self.tree, j.j), Twist::from_array(&e.jj[r])),
        ];
        let rate = match (spec.motor, self.settings.loop_rate) {
            (None, Some(b)) if sigma == 0.0 => -b * e.phi[r],
            _ => -gamma * e.phi[r] / h,
        };
        let command = |f| wanted(f, &state.commands[j.command_start + spec.ordinal], e.phi[r], gamma, h);
        let target = rate + spec.motor.map_or(0.0, command);
        Law { ends, sigma, target: target - self.drive(&ends, [j.i, j.j].map(|b| b.0.slot as usize)) }
    }

    /// Rows of joints: servos, soft rows, loop rows. Returns how many loop rows no freedom moves.
    fn joint_rows(&mut self, model: &Model, state: &State, h: f64) -> usize {
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
                        let on = l.ends.map(|(i, g)| (i, g.to_array()));
                        let (from, to) = (usize::from(on[0].0 == NONE), 2 - usize::from(on[1].0 == NONE));
                        self.rows.push(&on[from..to], l.sigma, l.target);
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
        let own = self.along_joint(i, l);
        let k = self.tree.links[i].edge.chart.dofs();
        let (first, at) = (self.tree.links[i].first, self.solver.structure().square(i));
        for r in 0..k {
            self.joint[first + r] += own[r] * l.target / l.sigma;
            for c in 0..k {
                self.solver.values.joint[at + k * r + c] += own[r] * own[c] / l.sigma;
            }
        }
    }

    /// S^T J^T of a row on the joint of a link.
    fn along_joint(&self, i: usize, l: &Law) -> [f64; 6] {
        let g = if l.ends[0].0 == i { l.ends[0].1 } else { l.ends[1].1 };
        self.kin.s[i].map(|s| s.dot(g))
    }

    fn solve(&mut self) -> std::result::Result<LoopReport, Fault> {
        self.solver.factor()?;
        let load = Load { joint: &self.joint, body: &self.body };
        self.motion.y.copy_from_slice(&self.kin.y);
        self.solver.solve_loops(&load, &self.rows, &mut self.motion, &mut self.loops)
    }

    fn blame(&self, model: &Model, time: f64, f: Fault) -> Error {
        let culprit = match f {
            Fault::NotPositive { link, .. } => model.body_name(self.tree.links[link].body),
            _ => "the system".into(),
        };
        Error::step(time, culprit, f.to_string())
    }

    fn check_finite(&self, model: &Model, time: f64) -> Result<()> {
        for (v, l) in self.motion.v.iter().zip(&self.tree.links) {
            if v.iter().any(|x| !x.is_finite()) {
                return Err(Error::step(time, model.body_name(l.body), "its velocity is not finite"));
            }
        }
        Ok(())
    }

    /// Forces of all rows: those of the dual, of soft rows and servos by their law, those of the tree from what each joint carries.
    fn multipliers(&mut self, model: &Model, state: &mut State, h: f64) {
        for (_, j) in model.joints.iter() {
            state.lambda[j.row_start..j.row_start + j.row_count].fill(0.0);
        }
        for (row, l) in self.loop_rows.iter().zip(&self.loops.lambda) {
            state.lambda[row.state_row] = l / h;
        }
        for part in &self.parts.rows {
            let Some(j) = model.joints.at(part.joint).filter(|_| part.kind != Kind::Loop) else { continue };
            let e = self.evaluate(part, j);
            for r in 0..j.rows[part.spec].primitive.rows() {
                let l = self.law(part, j, &e, r, state, h);
                let moved: f64 = (l.ends.iter().filter(|e| e.0 != NONE))
                    .map(|(i, g)| g.dot(Twist::from_array(&self.motion.v[*i])))
                    .sum();
                state.lambda[j.row_start + part.start + r] = (l.target - moved) / (l.sigma * h);
            }
        }
        super::reactions::multipliers(self, model, state, h);
    }

    /// The coordinates after the step, the bodies that they place, and what the user moves.
    fn advance(&mut self, model: &Model, state: &mut State, h: f64) {
        self.kin.y.copy_from_slice(&self.motion.y);
        self.kin.advance(&self.tree, h);
        for (slot, b) in model.bodies.iter().map(|(k, b)| (k.slot as usize, b)) {
            if b.motion == BodyMotion::Kinematic {
                let m = &mut self.now[slot];
                m.pose.pos += h * m.twist.lin;
                m.pose.rot = (exp(h * m.twist.ang) * m.pose.rot).normalize();
                (state.bodies[slot].pos, state.bodies[slot].rot) = (m.pose.pos, m.pose.rot);
            }
        }
        let now = &self.now;
        self.kin.forward(&self.tree, |slot| now[slot]);
        for (i, l) in self.tree.links.iter().enumerate() {
            let (s, pose, twist) = (&mut state.bodies[l.body], &self.kin.pose[i], &self.kin.twist[i]);
            (s.pos, s.vel) = (pose.pos, twist.lin);
            if !l.is_particle {
                (s.rot, s.omega) = (pose.rot, twist.ang);
            }
            s.regime.h_prev = h;
        }
        state.time += h;
        state.steps += 1;
    }
}

fn add(to: &mut articulated::Twist, t: Twist) {
    to.iter_mut().zip(t.to_array()).for_each(|(a, b)| *a += b);
}

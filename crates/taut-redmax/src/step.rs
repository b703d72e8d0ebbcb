//! RedMax's own step: velocity-level, linearly implicit Euler in reduced coordinates with maximal forces (Baxter 2019, Eq. 2.13, 2.42).
//!
//! ```text
//! (J^T (M + hD - h^2 K) J + hDr - h^2 Kr) y+ - G^T l = J^T (M v + h (f - M J' y - w x I w)) + h fr,     G v+ = -b g
//! q+ = q (+) h y+,     v+ = J(q+) y+
//! ```
//! J' y and the gyroscopic torque are explicit; springs (their material, or clamped, part), dampers and body damping are implicit;
//! K = 0 for forces of constant direction. Loop rows are closed by the dual with b = 1/h, or softer. That is the published form, which
//! gains energy on light links and diverges where chains of them are taut. The stable one (`Settings::stable`) carries momentum,
//! ```text
//! (J^T (M + A + hD - h^2 K) J + ...) y+ - G^T l = J^T (M v + h f) + h fr,       v+ = J(q) y+ at the pose of the solve
//! ```
//! without forces a projection of v, so that kinetic energy cannot rise and no J' is needed (its gyroscopic part is `force::gyroscopic`),
//! and adds the stiffness A of the joint reactions (`stiffness`).
//! The state stays that of the bodies: coordinates are read off their poses, M v is the momentum they have, so that a world can change
//! its coordinates at any time. Bodies that the user moves carry their trees along: v = J y + v0, and H v0 goes to the right-hand side.

use super::parts::{Kind, Parts, Springs};
use super::reactions;
use crate::articulated::{self, Fault, History, Link, Load, LoopReport, Motion, Path, Rows, Solver, Structure};
use crate::tuning::T;
use glam::{DMat3, DVec3};
use taut::constraint::Side;
use taut::inner::{
    BodyState, Coordinates, Gaps, Kinematics, Model, Moving, NONE, OpenState, Parent, Tree, TreeLink, Twist, exp,
    midpoint, positive,
};
use taut::{Energy, Error, Ledger, Motion as BodyMotion, Pose, Result};

/// How the step is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Settings {
    /// Which stiffness of springs is implicit.
    pub springs: Springs,
    /// And the turning of their forces with the bodies, symmetrised (Eq. 2.41 with its sign put right): can be indefinite.
    pub turning: bool,
    /// Share of a gap in a loop that is closed per second, 1/s; `None` closes all of it in one step.
    pub loop_rate: Option<f64>,
    /// Most passes per step that close loops by moving the poses alone (Faure); 0 leaves what linearised rows leave.
    pub closing: usize,
    /// How the linear system is solved.
    pub path: Path,
    /// What velocities are carried from step to step.
    pub inertia: Inertia,
    /// Stiffness of joint reactions (`stiffness`).
    pub aligned: bool,
}

impl Settings {
    /// The form that stays stable under load.
    pub fn stable() -> Self {
        Settings { springs: Springs::Clamped, inertia: Inertia::Momentum, aligned: true, ..Settings::default() }
    }
}

/// What velocities are carried from step to step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Inertia {
    /// The rates: v = J(q+) y+, with J' y on the right-hand side, as published.
    #[default]
    Rates,
    /// The momenta of the solve: v = J(q) y+.
    Momentum,
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
    /// Solves, each with a factor of its own.
    pub passes: usize,
    /// Slot of the joint with the largest residual of the loop rows.
    pub worst_joint: Option<usize>,
    /// How far bodies were from what their joints allow before the step, m and rad.
    pub off: (f64, f64),
    /// Energies after the step, and where energy went.
    pub energy: Energy,
    pub ledger: Ledger,
    /// Openings after the step.
    pub gaps: Gaps,
}

/// A row of the dual: where its multiplier goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoopRow {
    pub joint: usize,
    pub state_row: usize,
}

/// The reduced system of a world with its work memory; made when the structure changes.
#[derive(Clone, Debug)]
pub(crate) struct Mechanism {
    pub tree: Tree,
    pub(super) settings: Settings,
    pub(super) parts: Parts,
    pub(super) solver: Solver,
    /// Bodies by slot: poses as the forest has them, velocities as they are.
    pub(super) now: Vec<Moving>,
    /// The same poses as rows see them.
    pub(super) sides: Vec<Side>,
    /// Slots of the bodies that no link turns: those that do not move by themselves, and particles.
    unturned: Vec<usize>,
    pub(super) kin: Kinematics,
    pub(super) bias: Vec<Twist>,
    /// Inertia of the links in world axes before the step.
    pub(super) inertia: Vec<DMat3>,
    /// Right-hand sides: wrenches on the links, and in joint space.
    pub(super) body: Vec<articulated::Twist>,
    pub(super) joint: Vec<f64>,
    pub(super) rows: Rows,
    pub(super) loop_rows: Vec<LoopRow>,
    pub(super) motion: Motion,
    pub(super) loops: articulated::loops::Loops,
    pub(super) reactions: Vec<articulated::Twist>,
    /// Coordinates before a pass that closes loops.
    pub(super) kept: Vec<Coordinates>,
    /// h^2 S of the links, and of rods across their length.
    pub(super) added: Vec<DMat3>,
    pub(super) across: Vec<f64>,
    /// The same with the forces of the last solve.
    pub(super) added_next: Vec<DMat3>,
    /// Multipliers before the step.
    pub(super) lambda: Vec<f64>,
}

impl Mechanism {
    /// How the last matrix was solved, never `Auto`.
    pub fn running(&self) -> Path {
        self.solver.running()
    }

    /// For a model; bodies for which `awake` is false do not move.
    pub fn new(model: &Model, awake: impl Fn(usize) -> bool, settings: Settings) -> Result<Self> {
        if let Some(b) = settings.loop_rate {
            positive("loop rate", b, "1/s")?;
        }
        let tree = Tree::new(model, awake)?;
        let parts = Parts::new(model, &tree, settings.springs, settings.aligned)?;
        let to_link = |l: &TreeLink| Link {
            parent: if let Parent::Link(p) = l.parent { p } else { articulated::NONE },
            dofs: l.dofs,
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
            sides: Vec::new(),
            unturned: (0..tree.link_of.len())
                .filter(|&slot| tree.links.get(tree.link_of[slot]).is_none_or(|l| l.is_particle))
                .collect(),
            kin: Kinematics::default(),
            bias: vec![Twist::default(); n],
            inertia: vec![DMat3::ZERO; n],
            body: vec![[0.0; 6]; n],
            joint: vec![0.0; tree.dofs],
            rows: Rows::default(),
            loop_rows: Vec::new(),
            motion,
            loops: Default::default(),
            reactions: Vec::new(),
            kept: Vec::new(),
            added: vec![DMat3::ZERO; n],
            across: Vec::new(),
            added_next: Vec::new(),
            lambda: Vec::new(),
            tree,
            parts,
        })
    }

    /// Takes one step of length `h`. On any error `state` is untouched.
    pub fn step(&mut self, model: &Model, state: &mut OpenState<'_>, gravity: DVec3, h: f64) -> Result<Outcome> {
        self.solver.recall(History::from_numbers(state.kept));
        let off = self.gather(model, state, h);
        let before = (self.potential(model, state, gravity), *state.potential_lag);
        let done = self.passes(model, state, gravity, h)?;
        let loops = done.loops;
        let (booked, [old, fresh]) = self.book(model, state, gravity, h);
        self.advance(model, state, h);
        let new = self.kinetic_now(model);
        let after = self.potential(model, state, gravity);
        let (energy, ledger, lag) = self.close(booked, [old, fresh, new], before, after);
        *state.potential_lag = lag;
        state.keep(&self.solver.remembered().to_numbers());
        let gaps = self.gaps(model);
        let worst_joint = self.loop_rows.get(loops.worst).filter(|_| loops.residual > 0.0).map(|r| r.joint);
        let columns = done.passes * (1 + done.rows);
        Ok(Outcome {
            iterations: done.iterations,
            columns,
            converged: loops.converged,
            loops,
            void: done.void,
            passes: done.passes,
            worst_joint,
            off,
            energy,
            ledger,
            gaps,
        })
    }

    /// Matrices, right-hand sides and rows at the poses that were gathered. Returns how many loop rows no freedom moves.
    pub(super) fn fill(&mut self, model: &Model, state: &OpenState<'_>, gravity: DVec3, h: f64) -> usize {
        self.blocks(model, gravity, h);
        self.forces(model, h);
        self.springs(model, h);
        self.rods(model, state.lambda, h);
        self.joint_rows(model, state, h)
    }

    /// Poses and velocities; coordinates; how far the bodies were off.
    pub(super) fn gather(&mut self, model: &Model, state: &OpenState<'_>, h: f64) -> (f64, f64) {
        let link_of = &self.tree.link_of;
        let moving = |(slot, s): (usize, &BodyState)| {
            let twist = match model.bodies.at(slot) {
                Some(_) if link_of[slot] != NONE => Twist::new(s.vel, s.omega),
                Some(b) if b.motion == BodyMotion::Kinematic => {
                    let (lin, ang) = b.driven(s, h);
                    Twist::new(lin, ang)
                }
                _ => Twist::default(),
            };
            Moving { pose: Pose { pos: s.pos, rot: s.rot }, twist }
        };
        self.now.clear();
        self.now.extend(state.bodies.iter().enumerate().map(moving));
        // Those of links follow when they have their place.
        self.sides.resize(self.now.len(), Side { pos: DVec3::ZERO, rot: DMat3::IDENTITY });
        for &slot in &self.unturned {
            let pose = &self.now[slot].pose;
            self.sides[slot] = Side { pos: pose.pos, rot: DMat3::from_quat(pose.rot) };
        }
        let now = &self.now;
        self.kin.read(&self.tree, |slot| now[slot]);
        self.inertial(model, h);
        let mut off = (0.0_f64, 0.0_f64);
        for (i, l) in self.tree.links.iter().enumerate() {
            let (was, pose) = (&self.now[l.body].pose, &self.kin.pose[i]);
            off.0 = off.0.max((pose.pos - was.pos).length_squared());
            if !l.is_particle {
                // Twice the sine of a quarter of the angle, squared.
                let other = if pose.rot.dot(was.rot) < 0.0 { -was.rot } else { was.rot };
                off.1 = off.1.max((pose.rot - other).length_squared());
            }
        }
        self.settle();
        (off.0.sqrt(), 2.0 * off.1.sqrt())
    }

    pub(super) fn solve(&mut self) -> std::result::Result<LoopReport, Fault> {
        self.solver.factor()?;
        let load = Load { joint: &self.joint, body: &self.body };
        self.motion.y.copy_from_slice(&self.kin.y);
        let report = self.solver.solve_loops(&load, &self.rows, &mut self.motion, &mut self.loops)?;
        reactions::evaluate(self)?;
        Ok(report)
    }

    pub(super) fn blame(&self, model: &Model, time: f64, f: Fault) -> Error {
        let culprit = match f {
            Fault::NotPositive { link, .. } => model.body_name(self.tree.links[link].body),
            _ => "the system".into(),
        };
        Error::step(time, culprit, f.to_string())
    }

    pub(super) fn check_finite(&self, model: &Model, time: f64) -> Result<()> {
        for (v, l) in self.motion.v.iter().zip(&self.tree.links) {
            if !v.iter().all(|x| x.abs() < T.redmax.fastest) {
                return Err(Error::step(time, model.body_name(l.body), "its velocity is not finite"));
            }
        }
        Ok(())
    }

    /// Forces of all rows: those of the dual, of soft rows and servos by their law, those of the tree from what each joint carries.
    pub(super) fn multipliers(&self, model: &Model, state: &mut OpenState<'_>, h: f64) {
        for j in self.parts.others.iter().filter_map(|&slot| model.joints.at(slot)) {
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
        reactions::multipliers(self, model, state, h);
    }

    /// The coordinates after the step, the bodies that they place, and what the user moves.
    fn advance(&mut self, model: &Model, state: &mut OpenState<'_>, h: f64) {
        for i in 0..self.tree.links.len() {
            // Passes that close loops overwrite `motion`.
            self.now[self.tree.links[i].body].twist = self.fresh(i);
        }
        self.kin.y.copy_from_slice(&self.motion.y);
        self.kin.advance(&self.tree, &self.motion.y, h);
        for (slot, b) in model.bodies.iter().map(|(k, b)| (k.slot as usize, b)) {
            if b.motion == BodyMotion::Kinematic {
                let m = &mut self.now[slot];
                m.pose.pos += h * m.twist.lin;
                m.pose.rot = (exp(h * m.twist.ang) * m.pose.rot).normalize();
                self.sides[slot] = Side { pos: m.pose.pos, rot: DMat3::from_quat(m.pose.rot) };
                (state.bodies[slot].pos, state.bodies[slot].rot) = (m.pose.pos, m.pose.rot);
            }
        }
        self.place();
        self.close_loops(model);
        for (i, l) in self.tree.links.iter().enumerate() {
            let (s, pose, twist) = (&mut state.bodies[l.body], &self.kin.pose[i], self.velocity(i));
            (s.pos, s.vel) = (pose.pos, twist.lin);
            if !l.is_particle {
                (s.rot, s.omega) = (pose.rot, twist.ang);
            }
            s.stepped(h);
        }
        *state.time += h;
        *state.steps += 1;
    }

    /// Accelerations that the bodies have by themselves: J' y, or what the gyroscopic term does to the momentum that they carry.
    fn inertial(&mut self, model: &Model, h: f64) {
        let now = &self.now;
        if self.settings.inertia == Inertia::Rates {
            self.kin.bias(&self.tree, |slot| now[slot], &mut self.bias);
            return;
        }
        for (bias, l) in self.bias.iter_mut().zip(&self.tree.links) {
            let Some(b) = model.bodies.at(l.body).filter(|_| !l.is_particle) else { continue };
            let (rot, w) = (DMat3::from_quat(now[l.body].pose.rot), now[l.body].twist.ang);
            bias.ang = (w - midpoint(rot, w, b.inertia, h)) / h;
        }
    }

    /// The explicit gyroscopic torque.
    pub(super) fn gyroscopic(&self, inertia: DMat3, w: DVec3) -> DVec3 {
        if self.settings.inertia == Inertia::Rates { -w.cross(inertia * w) } else { DVec3::ZERO }
    }

    /// Velocity of a link after the step.
    pub(super) fn velocity(&self, i: usize) -> Twist {
        match self.settings.inertia {
            Inertia::Rates => self.kin.twist[i],
            Inertia::Momentum => self.now[self.tree.links[i].body].twist,
        }
    }

    /// Puts the bodies where the coordinates say.
    pub(super) fn place(&mut self) {
        let now = &self.now;
        self.kin.forward(&self.tree, |slot| now[slot]);
        self.settle();
    }

    /// Puts the bodies where their links are.
    fn settle(&mut self) {
        for (l, pose) in self.tree.links.iter().zip(&self.kin.pose) {
            let (to, side) = (&mut self.now[l.body].pose, &mut self.sides[l.body]);
            (to.pos, side.pos) = (pose.pos, pose.pos);
            // A particle has no orientation of its own.
            if !l.is_particle {
                (to.rot, side.rot) = (pose.rot, DMat3::from_quat(pose.rot));
            }
        }
    }
}

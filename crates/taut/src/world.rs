//! The world: model, state and workspace behind one small interface.

use crate::constraint::rows::evaluate_phi;
use crate::error::{Error, Result, finite_vec};
use crate::force::{Force, SpringForm};
use crate::joints::{Distance, Joint, RowBuilder, Softness};
use crate::math::pose::{Frame, Frames, Pose};
use crate::model::{Body, BodyDef, BodyId, ForceEntry, ForceId, JointEntry, JointId, Model, Motion, unit};
use crate::options::Options;
use crate::report::{self, Energy, StepReport};
use crate::state::{BodyState, State};
use crate::step;
use crate::topology::Topology;
use crate::workspace::Workspace;
use glam::DVec3;

/// A simulated world.
///
/// ```
/// use taut::{Ball, BodyDef, MassProperties, Vec3, World};
/// let mut world = World::new();
/// let ball = world.add_body(BodyDef::dynamic(MassProperties::sphere(1000.0, 0.1)?).at(Vec3::new(1.0, 0.0, 0.0)))?;
/// let frames = world.frames_at(ball, world.ground(), Vec3::ZERO, Vec3::Y)?;
/// world.add_joint(ball, world.ground(), &Ball::default(), frames)?;
/// for _ in 0..60 {
///     world.step(1.0 / 60.0)?;
/// }
/// assert!((world.body(ball)?.pose.pos.length() - 1.0).abs() < 1e-3);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct World {
    model: Model,
    state: State,
    options: Options,
    ground: BodyId,
    /// Layout of the present edition; `None` after an edit.
    layout: Option<Box<(Topology, Workspace)>>,
}

/// What a body is and does.
#[derive(Clone, Debug)]
pub struct BodyView {
    /// How it moves.
    pub motion: Motion,
    /// Mass, kg; zero for bodies that do not move freely.
    pub mass: f64,
    /// Pose of its centre of mass.
    pub pose: Pose,
    /// Velocity of the centre of mass, m/s. It belongs half a step before the pose.
    pub velocity: DVec3,
    /// Angular velocity, world frame, rad/s.
    pub angular_velocity: DVec3,
    /// Its name.
    pub name: String,
}

/// What a joint does.
#[derive(Clone, Debug)]
pub struct JointView {
    /// Kind, such as "hinge".
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// The bodies it joins.
    pub bodies: (BodyId, BodyId),
    /// Force on body i, N, world frame.
    pub force: DVec3,
    /// Torque on body i about the joint's origin on it, N m, world frame.
    pub torque: DVec3,
    /// Opening of its linear rows, m.
    pub gap: f64,
    /// Largest violation of its angular rows, rad.
    pub angle: f64,
    /// Energy stored in its compliance, J.
    pub energy: f64,
    /// Multipliers of its rows, N or N m.
    pub lambda: Vec<f64>,
    /// Whether some of its rows were ever found redundant.
    pub redundant: bool,
}

impl Default for World {
    fn default() -> Self {
        World::new()
    }
}

impl World {
    /// An empty world with default options and a fixed ground body at the origin.
    pub fn new() -> Self {
        let mut model = Model::default();
        let ground = Body {
            motion: Motion::Fixed,
            mass: 0.0,
            inertia: glam::DMat3::ZERO,
            linear_damping: 0.0,
            angular_damping: 0.0,
            name: "ground".into(),
            target: None,
            load: (DVec3::ZERO, DVec3::ZERO),
        };
        let ground = BodyId(model.bodies.insert(ground));
        let mut state = State::default();
        state.bodies.push(BodyState::new(DVec3::ZERO, glam::DQuat::IDENTITY, DVec3::ZERO, DVec3::ZERO));
        World { model, state, options: Options::default(), ground, layout: None }
    }

    /// The fixed body at the origin that every world has.
    pub fn ground(&self) -> BodyId {
        self.ground
    }

    /// The settings.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes the settings; refuses a stabiliser with a solver that cannot take its matrix.
    pub fn set_options(&mut self, options: Options) -> Result<()> {
        options.validate()?;
        self.options = options;
        Ok(())
    }

    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.state.time
    }

    // ---- bodies

    /// Adds a body.
    pub fn add_body(&mut self, def: BodyDef) -> Result<BodyId> {
        let (body, pose) = def.build()?;
        let key = self.model.bodies.insert(body);
        let state = BodyState::new(pose.pos, pose.rot, def.velocity, def.angular_velocity);
        match self.state.bodies.get_mut(key.slot as usize) {
            Some(slot) => *slot = state,
            None => self.state.bodies.push(state),
        }
        self.edited(1, key.slot, 0);
        Ok(BodyId(key))
    }

    /// Removes a body with the joints and forces on it.
    pub fn remove_body(&mut self, id: BodyId) -> Result<()> {
        self.model.body(id)?;
        if id == self.ground {
            return Err(Error::input("body", format!("{id:?} (ground)"), "a body other than the ground"));
        }
        let forces: Vec<ForceId> = self
            .model
            .forces
            .iter()
            .filter(|(_, f)| f.force.bodies().0 == id || f.force.bodies().1 == Some(id))
            .map(|(k, _)| ForceId(k))
            .collect();
        for f in forces {
            self.remove_force(f)?;
        }
        let joints: Vec<JointId> =
            self.model.joints.iter().filter(|(_, j)| j.i == id || j.j == id).map(|(k, _)| JointId(k)).collect();
        for j in joints {
            self.drop_joint(j);
        }
        // The centred energy forgets the body with the body.
        let s = &self.state.bodies[id.0.slot as usize];
        let mass = self.model.body(id)?.mass;
        self.state.potential_lag[0] += 0.5 * mass * s.regime.h_prev * self.options.gravity.dot(s.vel);
        self.model.bodies.remove(id.0);
        self.edited(3, id.0.slot, 0);
        Ok(())
    }

    /// Looks at a body.
    pub fn body(&self, id: BodyId) -> Result<BodyView> {
        let b = self.model.body(id)?;
        let s = &self.state.bodies[id.0.slot as usize];
        Ok(BodyView {
            motion: b.motion,
            mass: b.mass,
            pose: Pose { pos: s.pos, rot: s.rot },
            velocity: s.vel,
            angular_velocity: s.omega,
            name: b.name.clone(),
        })
    }

    /// All bodies, in a fixed order; the ground is the first.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.model.bodies.iter().map(|(k, _)| BodyId(k))
    }

    /// Moves a body at once (for a kinematic body that should push others, use `set_target`).
    pub fn set_pose(&mut self, id: BodyId, pose: Pose) -> Result<()> {
        self.model.body(id)?;
        finite_vec("position", pose.pos, "m")?;
        let rot = unit(pose.rot)?;
        let s = &mut self.state.bodies[id.0.slot as usize];
        (s.pos, s.rot) = (pose.pos, rot);
        Ok(())
    }

    /// Sets velocity (m/s) and angular velocity (rad/s, world frame); a kinematic body goes on moving like that.
    pub fn set_velocity(&mut self, id: BodyId, velocity: DVec3, angular: DVec3) -> Result<()> {
        let b = self.model.body(id)?;
        finite_vec("velocity", velocity, "m/s")?;
        finite_vec("angular velocity", angular, "rad/s")?;
        match b.motion {
            Motion::Fixed if velocity != DVec3::ZERO || angular != DVec3::ZERO => {
                return Err(Error::input("velocity of a fixed body", velocity, "zero, or a kinematic body"));
            }
            Motion::Particle if angular != DVec3::ZERO => {
                return Err(Error::input(
                    "angular velocity of a particle",
                    angular,
                    "zero: a particle does not rotate",
                ));
            }
            _ => {}
        }
        let s = &mut self.state.bodies[id.0.slot as usize];
        if (s.vel, s.omega) != (velocity, angular) {
            (s.vel, s.omega) = (velocity, angular);
            // The new velocity belongs to the pose, not half a step before it.
            s.regime.h_prev = 0.0;
        }
        Ok(())
    }

    /// Where a kinematic body must be after the next step; it moves there at constant velocity.
    pub fn set_target(&mut self, id: BodyId, pose: Pose) -> Result<()> {
        let b = self.model.body(id)?;
        if b.motion != Motion::Kinematic {
            return Err(Error::input("body", self.model.body_name(id.0.slot as usize), "a kinematic body"));
        }
        finite_vec("target position", pose.pos, "m")?;
        let rot = unit(pose.rot)?;
        if let Some(b) = self.model.bodies.get_mut(id.0) {
            b.target = Some(Pose { pos: pose.pos, rot });
        }
        self.model.is_loaded = true;
        Ok(())
    }

    /// Pushes a body at a world point during the next step, N; forces add up.
    pub fn apply_force(&mut self, id: BodyId, force: DVec3, point: DVec3) -> Result<()> {
        finite_vec("force", force, "N")?;
        finite_vec("force point", point, "m")?;
        let body = self.body(id)?;
        let torque = if body.motion == Motion::Particle { DVec3::ZERO } else { (point - body.pose.pos).cross(force) };
        self.add_load(id, force, torque)
    }

    /// Twists a body during the next step, N m, world frame; torques add up.
    pub fn apply_torque(&mut self, id: BodyId, torque: DVec3) -> Result<()> {
        let body = self.model.body(id)?;
        finite_vec("torque", torque, "N m")?;
        if body.motion == Motion::Particle {
            return Err(Error::input("torque", torque, "a rigid body: a particle does not rotate"));
        }
        self.add_load(id, DVec3::ZERO, torque)
    }

    fn add_load(&mut self, id: BodyId, force: DVec3, torque: DVec3) -> Result<()> {
        let name = self.model.body_name(id.0.slot as usize);
        let Some(b) = self.model.bodies.get_mut(id.0) else { return Ok(()) };
        if !b.is_node() {
            return Err(Error::input("body of a force or torque", name, "a body that moves freely"));
        }
        let sum = (b.load.0 + force, b.load.1 + torque);
        finite_vec("sum of the forces on a body", sum.0, "N")?;
        finite_vec("sum of the torques on a body", sum.1, "N m")?;
        b.load = sum;
        self.model.is_loaded = true;
        Ok(())
    }

    // ---- joints

    /// The frame at a world point with its main axis along `axis`, as seen from two bodies: where a joint goes.
    pub fn frames_at(&self, i: BodyId, j: BodyId, point: DVec3, axis: DVec3) -> Result<Frames> {
        let world = Frame::new(point, axis)?;
        let (a, b) = (self.body(i)?.pose, self.body(j)?.pose);
        let local = |p: &Pose| {
            let q = p.rot.inverse();
            Frame { origin: p.to_local(point), u: q * world.u, v: q * world.v, n: q * world.n }
        };
        Ok(Frames { i: local(&a), j: local(&b) })
    }

    /// Frames with different origins on the two bodies (a rod's ends), world points, main axis from j to i.
    pub fn frames_between(&self, i: BodyId, j: BodyId, point_i: DVec3, point_j: DVec3) -> Result<Frames> {
        let mut f = self.frames_at(i, j, point_i, point_i - point_j)?;
        f.j.origin = self.body(j)?.pose.to_local(point_j);
        Ok(f)
    }

    /// Joins body i to body j.
    pub fn add_joint(&mut self, i: BodyId, j: BodyId, joint: &dyn Joint, frames: Frames) -> Result<JointId> {
        self.insert_joint(i, j, joint, frames, String::new(), false)
    }

    /// The same, with a name for reports and errors.
    pub fn add_named_joint(
        &mut self,
        name: &str,
        i: BodyId,
        j: BodyId,
        joint: &dyn Joint,
        frames: Frames,
    ) -> Result<JointId> {
        self.insert_joint(i, j, joint, frames, name.to_owned(), false)
    }

    fn insert_joint(
        &mut self,
        i: BodyId,
        j: BodyId,
        joint: &dyn Joint,
        frames: Frames,
        name: String,
        owned: bool,
    ) -> Result<JointId> {
        let (a, b) = (self.model.body(i)?, self.model.body(j)?);
        if i == j {
            return Err(Error::input("joint bodies", format!("{i:?} and {j:?}"), "two different bodies"));
        }
        if !a.is_node() && !b.is_node() {
            return Err(Error::input(
                "joint bodies",
                format!("{i:?} and {j:?}"),
                "at least one body that moves freely",
            ));
        }
        frames.i.validate("joint frame on body i")?;
        frames.j.validate("joint frame on body j")?;
        joint.validate()?;
        let mut builder = RowBuilder::new(frames);
        joint.rows(&mut builder);
        let rows = builder.finish()?;
        for s in &rows {
            let (need_i, need_j) = s.primitive.needs_orientation();
            if (need_i && a.motion == Motion::Particle) || (need_j && b.motion == Motion::Particle) {
                return Err(Error::input(
                    format!("{} joint", joint.name()),
                    "on a particle",
                    "a body with an orientation, or a ball or distance joint",
                ));
            }
        }
        for (b, f, side) in [(a, &frames.i, "i"), (b, &frames.j, "j")] {
            if b.motion == Motion::Particle && f.origin != DVec3::ZERO {
                return Err(Error::input(
                    format!("joint point on particle {side}"),
                    f.origin,
                    "zero: a particle has no extent",
                ));
            }
        }
        let row_count = rows.iter().map(|s| s.primitive.rows()).sum();
        let row_start = self.state.lambda.len();
        let entry = JointEntry { kind: joint.name(), name, i, j, frames, rows, row_start, row_count, owned };
        let key = self.model.joints.insert(entry);
        self.state.lambda.resize(row_start + row_count, 0.0);
        self.state.element_energy.resize(row_start + row_count, 0.0);
        let slot = key.slot as usize;
        if slot == self.state.redundant.len() {
            self.state.redundant.push(false);
        } else {
            self.state.redundant[slot] = false;
        }
        self.edited(2, key.slot, row_count);
        Ok(JointId(key))
    }

    /// Removes a joint.
    pub fn remove_joint(&mut self, id: JointId) -> Result<()> {
        self.model.joint(id)?;
        self.drop_joint(id);
        Ok(())
    }

    fn drop_joint(&mut self, id: JointId) {
        let Some(gone) = self.model.joints.remove(id.0) else { return };
        let range = gone.row_start..gone.row_start + gone.row_count;
        self.state.lambda.drain(range.clone());
        self.state.element_energy.drain(range);
        self.state.redundant[id.0.slot as usize] = false;
        self.state.potential_lag[1] = 0.0;
        for (_, j) in self.model.joints.iter_mut() {
            if j.row_start > gone.row_start {
                j.row_start -= gone.row_count;
            }
        }
        self.edited(4, id.0.slot, gone.row_count);
    }

    /// All joints, in a fixed order.
    pub fn joints(&self) -> impl Iterator<Item = JointId> + '_ {
        self.model.joints.iter().filter(|(_, j)| !j.owned).map(|(k, _)| JointId(k))
    }

    /// Looks at a joint: its reaction, gap and energy at the present pose with the multipliers of the last step.
    pub fn joint(&self, id: JointId) -> Result<JointView> {
        let j = self.model.joint(id)?;
        let side = |b: BodyId| {
            let s = &self.state.bodies[b.0.slot as usize];
            crate::constraint::Side { pos: s.pos, rot: glam::DMat3::from_quat(s.rot) }
        };
        let (si, sj) = (side(j.i), side(j.j));
        let lambda = self.state.lambda[j.row_start..j.row_start + j.row_count].to_vec();
        let (mut force, mut torque, mut gap2, mut angle, mut energy) = (DVec3::ZERO, DVec3::ZERO, 0.0, 0.0_f64, 0.0);
        for (start, spec) in crate::topology::row_starts(&j.rows) {
            let e = spec.primitive.eval(&si, &sj);
            let linear = !matches!(
                spec.primitive,
                crate::constraint::Primitive::Dot1 { .. } | crate::constraint::Primitive::Axial { .. }
            );
            for q in 0..spec.primitive.rows() {
                let l = lambda[start + q];
                force += l * DVec3::new(e.ji[q][0], e.ji[q][1], e.ji[q][2]);
                torque += l * DVec3::new(e.ji[q][3], e.ji[q][4], e.ji[q][5]);
                if linear {
                    gap2 += e.phi[q] * e.phi[q];
                } else {
                    angle = angle.max(e.phi[q].abs());
                }
                let c = spec.soft.compliance;
                if c > 0.0 && c.is_finite() {
                    // Of a nearly rigid row phi is mostly drift: its energy is that of its force.
                    let rigid = c <= crate::topology::RIGID_COMPLIANCE;
                    energy += if rigid { 0.5 * c * l * l } else { 0.5 * e.phi[q] * e.phi[q] / c };
                }
            }
        }
        torque -= (si.rot * j.frames.i.origin).cross(force);
        Ok(JointView {
            kind: j.kind,
            name: j.name.clone(),
            bodies: (j.i, j.j),
            force,
            torque,
            gap: f64::sqrt(gap2),
            angle,
            energy,
            lambda,
            redundant: self.state.redundant[id.0.slot as usize],
        })
    }

    // ---- forces

    /// Adds a force that acts until it is removed.
    pub fn add_force(&mut self, force: Force) -> Result<ForceId> {
        force.validate()?;
        let (i, j) = force.bodies();
        let a = self.model.body(i)?;
        if !a.is_node() && j.is_none() {
            return Err(Error::input(
                "force body",
                self.model.body_name(i.0.slot as usize),
                "a body that moves freely",
            ));
        }
        if let (Force::Torque { torque, .. }, Motion::Particle) = (&force, a.motion) {
            return Err(Error::input("torque", torque, "a rigid body: a particle does not rotate"));
        }
        for (body, point) in force.points() {
            if self.model.body(body)?.motion == Motion::Particle && point != DVec3::ZERO {
                return Err(Error::input("force point on a particle", point, "zero: a particle has no extent"));
            }
        }
        let a = self.model.body(i)?;
        let mut joint = None;
        if let (Force::Spring(s), Some(j)) = (&force, j) {
            let b = self.model.body(j)?;
            if i == j || (!a.is_node() && !b.is_node()) {
                return Err(Error::input(
                    "spring bodies",
                    format!("{i:?} and {j:?}"),
                    "two different bodies, at least one of which moves freely",
                ));
            }
            if s.form == SpringForm::Compliance {
                if s.stiffness == 0.0 && s.damping == 0.0 {
                    return Err(Error::input("spring stiffness", 0.0, "stiffness or damping"));
                }
                let frame = |origin| Frame { origin, u: DVec3::X, v: DVec3::Y, n: DVec3::Z };
                let frames = Frames { i: frame(s.point_i), j: frame(s.point_j) };
                // A rest length of zero has no direction at rest; the row needs a positive one.
                let rod = Distance {
                    length: s.rest_length.max(f64::MIN_POSITIVE),
                    soft: Softness::spring(s.stiffness, s.damping),
                };
                joint = Some(self.insert_joint(i, j, &rod, frames, String::new(), true)?);
            }
        }
        let key = self.model.forces.insert(ForceEntry { force, joint });
        self.edited(5, key.slot, 0);
        Ok(ForceId(key))
    }

    /// The force behind a handle.
    pub fn force(&self, id: ForceId) -> Result<Force> {
        Ok(self.model.force(id)?.force)
    }

    /// Moves the target of a mouse spring, m.
    pub fn set_mouse_target(&mut self, id: ForceId, target: DVec3) -> Result<()> {
        self.model.force(id)?;
        finite_vec("mouse target", target, "m")?;
        match self.model.forces.get_mut(id.0) {
            Some(ForceEntry { force: Force::Mouse(m), .. }) => {
                m.target = target;
                Ok(())
            }
            _ => Err(Error::input("force", format!("{id:?}"), "a mouse spring")),
        }
    }

    /// Removes a force.
    pub fn remove_force(&mut self, id: ForceId) -> Result<()> {
        let owned = self.model.force(id)?.joint;
        self.model.forces.remove(id.0);
        if let Some(j) = owned {
            self.drop_joint(j);
        }
        self.edited(6, id.0.slot, 0);
        Ok(())
    }

    // ---- time

    /// Advances by `h` seconds. On an error nothing has changed. Steps of different lengths may follow each other; under heavy loads
    /// keep them within about 30 % of each other: a long step leaves gaps that short ones must close.
    pub fn step(&mut self, h: f64) -> Result<StepReport> {
        if !(h.is_finite() && h > 0.0) {
            return Err(Error::input("time step", h, "a positive, finite number of s"));
        }
        self.lay_out()?;
        let Some(layout) = self.layout.as_mut() else { return Err(empty()) };
        let (t, ws) = &mut **layout;
        let done = step::step(&self.model, t, &self.options, h, &mut self.state, ws)?;
        if std::mem::take(&mut self.model.is_loaded) {
            for (_, b) in self.model.bodies.iter_mut() {
                b.load = (DVec3::ZERO, DVec3::ZERO);
                b.target = None;
            }
        }
        Ok(done)
    }

    /// Energies now, centred in time like those of the step report.
    pub fn energy(&mut self) -> Result<Energy> {
        self.lay_out()?;
        let Some(layout) = self.layout.as_mut() else { return Err(empty()) };
        let (t, ws) = &mut **layout;
        // The step length does not matter for energies.
        step::gather(&self.model, t, &self.options, 1.0, &self.state, ws);
        let mut phi = std::mem::take(&mut ws.rows.phi);
        evaluate_phi(t, 0..t.groups.len(), &ws.kin, &mut phi);
        ws.rows.phi = phi;
        Ok(report::energy_now(&self.model, t, self.options.gravity, ws, self.state.potential_lag))
    }

    /// Rows, unknowns and memory of the present structure.
    pub fn size(&mut self) -> Result<Size> {
        self.lay_out()?;
        let Some(layout) = self.layout.as_ref() else { return Err(empty()) };
        let (t, ws) = &**layout;
        Ok(Size {
            bodies: t.nodes.len(),
            rows: t.row_count,
            unknowns: t.pattern.size(),
            islands: t.islands.len(),
            fill_blocks: t.pattern.fill_blocks,
            bytes: ws.bytes() + t.bytes() + self.state.bytes(),
        })
    }

    /// The inverse of the augmented mass matrix M - h^2 K~ (Andrews 2017 section 3) at the present pose with the forces of the last
    /// step, dense and row-major over the unknowns of the bodies: by rank-1 updates of M^-1, or by LU of the full matrix.
    /// It is what Table 2 of the paper times; the step never needs it.
    pub fn augmented_inverse(&mut self, h: f64, low_rank: bool) -> Result<Vec<f64>> {
        crate::error::positive("time step", h, "s")?;
        self.lay_out()?;
        let Some(layout) = self.layout.as_mut() else { return Err(empty()) };
        let (t, ws) = &mut **layout;
        if t.islands.len() != 1 {
            return Err(Error::input("islands", t.islands.len(), "one"));
        }
        if t.links.iter().any(|l| !matches!(l.source, crate::topology::Source::Row(_))) {
            return Err(Error::input("springs", "some", "none: the matrix of the paper has joints only"));
        }
        step::gather(&self.model, t, &self.options, h, &self.state, ws);
        for (n, node) in t.nodes.iter().enumerate() {
            let rot = ws.kin[n].rot;
            ws.inertia[n] =
                if node.isotropic { t.local_inertia[n] } else { rot * t.local_inertia[n] * rot.transpose() };
        }
        let singular = |what: String| Error::step(self.state.time, what, "the augmented mass matrix is singular");
        if low_rank {
            return crate::stabilise::low_rank::inverse(t, &t.islands[0], h * h, ws)
                .map_err(|g| singular(g.map_or("the system".into(), |g| self.model.joint_name(t.groups[g].slot()))));
        }
        crate::stabilise::geometric::evaluate(t, &t.islands[0], ws);
        let m = crate::stabilise::geometric::dense_mass(t, &t.islands[0], ws, h * h);
        let size = t.nodes.iter().map(|n| n.dim).sum::<usize>();
        let mut out = vec![0.0; size * size];
        ws.dense.lu.factor(size, &m).map_err(|_| singular("the system".into()))?;
        ws.dense.lu.inverse(&mut out);
        Ok(out)
    }

    /// Time of a bare factorisation and solve of the last step's matrix, without anything else of the step: the yardstick of the
    /// benchmarks. `run` is called with a closure that does it once.
    #[doc(hidden)]
    pub fn bare_solve(&mut self, mut run: impl FnMut(&mut dyn FnMut())) -> Result<()> {
        self.lay_out()?;
        let Some(layout) = self.layout.as_mut() else { return Err(empty()) };
        let (t, ws) = &mut **layout;
        for k in 0..t.islands.len() {
            let s = crate::system::kkt::Scales { keep: 1.0, sigma: 1.0, geo: 0.0, symmetric: false };
            crate::system::kkt::assemble(t, &t.islands[k], s, ws);
        }
        let (diag, off) = (ws.ldlt.diag.clone(), ws.ldlt.off.clone());
        let mut once = || {
            ws.ldlt.diag.copy_from_slice(&diag);
            ws.ldlt.off.copy_from_slice(&off);
            for island in &t.islands {
                ws.x[island.x.clone()].copy_from_slice(&ws.rhs[island.x.clone()]);
                if ws.ldlt.factor(&t.pattern, &t.signs, island.blocks.clone()).is_ok() {
                    ws.ldlt.solve(&t.pattern, island.blocks.clone(), &mut ws.x);
                }
            }
        };
        run(&mut once);
        Ok(())
    }

    // ---- state

    /// The state; clone it to keep a snapshot.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Goes back to a snapshot of this world, taken since its structure last changed.
    pub fn restore(&mut self, snapshot: &State) -> Result<()> {
        if snapshot.edition != self.state.edition
            || snapshot.redundant.len() != self.state.redundant.len()
            || snapshot.bodies.len() != self.state.bodies.len()
            || snapshot.lambda.len() != self.state.lambda.len()
        {
            return Err(Error::input(
                "snapshot edition",
                snapshot.edition,
                format!("{}: bodies, joints or forces were added or removed since it was taken", self.state.edition),
            ));
        }
        self.state = snapshot.clone();
        Ok(())
    }

    /// The structure has changed. The edition is a fingerprint of all changes: a state fits only worlds built the same way.
    fn edited(&mut self, operation: u8, slot: u32, rows: usize) {
        for x in [u64::from(operation), u64::from(slot), rows as u64] {
            self.model.edition =
                (self.model.edition ^ x).wrapping_add(1).wrapping_mul(0x0100_0000_01b3).rotate_left(17);
        }
        self.state.edition = self.model.edition;
        self.layout = None;
    }

    fn lay_out(&mut self) -> Result<()> {
        if self.layout.is_none() {
            if !self.model.bodies.iter().any(|(_, b)| b.is_node()) {
                return Err(empty());
            }
            let t = Topology::new(&self.model);
            // Offsets are kept in 32 bits.
            let values = t.pattern.off_len.max(t.pattern.diag_len).max(t.jac_len).max(t.row_count);
            if values >= u32::MAX as usize {
                return Err(Error::input(
                    "size of the world",
                    format!("{values} matrix values"),
                    "fewer than 4294967295; split it into islands of their own worlds",
                ));
            }
            let ws = Workspace::new(&t);
            self.layout = Some(Box::new((t, ws)));
        }
        Ok(())
    }
}

fn empty() -> Error {
    Error::input("world", "empty", "at least one body or particle that moves freely")
}

/// How large a world is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Bodies and particles with unknowns.
    pub bodies: usize,
    /// Constraint rows.
    pub rows: usize,
    /// Unknowns of the linear system.
    pub unknowns: usize,
    /// Independent systems.
    pub islands: usize,
    /// Blocks of the factor that are fill.
    pub fill_blocks: usize,
    /// Bytes of state, layout and workspace.
    pub bytes: usize,
}

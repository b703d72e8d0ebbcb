//! Adding, removing and looking at joints.

use super::{Edit, World};
use crate::constraint::Side;
use crate::error::{Error, Result};
use crate::events::Event;
use crate::forest::tree::{self, Tree, TreeReport};
use crate::ids::{BodyId, JointId};
use crate::joints::{Bound, Command, Joint, RowBuilder};
use crate::math::pose::{Frame, Frames, Pose};
use crate::model::{JointEntry, Motion, Strength, TreeRole, identity};
use crate::report::StepReport;
use crate::rows::{UNKNOWN, stored};
use glam::DVec3;

/// What a joint does.
#[derive(Clone, Debug)]
pub struct JointView {
    /// Kind, such as "hinge".
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// The bodies it joins.
    pub bodies: (BodyId, BodyId),
    /// Its origins on the two bodies, world, m.
    pub points: (DVec3, DVec3),
    /// Its main axis on body i, world, of length 1.
    pub axis: DVec3,
    /// Force on body i, N, world frame.
    pub force: DVec3,
    /// Torque on body i about the joint's origin on it, N m, world frame.
    pub torque: DVec3,
    /// Opening of its linear rows, m.
    pub gap: f64,
    /// Largest violation of its angular rows, rad.
    pub angle: f64,
    /// Largest excess over one of its rigid limits, m or rad; zero within all of them.
    pub excess: f64,
    /// Energy stored in its compliance, J.
    pub energy: f64,
    /// Multipliers of its rows, N or N m: those of its block, then those with bounds (limits, bounded motors, friction).
    pub lambda: Vec<f64>,
    /// Whether some of its rows were ever found redundant.
    pub redundant: bool,
}

impl World {
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

    pub(super) fn insert_joint(
        &mut self,
        i: BodyId,
        j: BodyId,
        joint: &dyn Joint,
        frames: Frames,
        name: String,
        owned: bool,
    ) -> Result<JointId> {
        self.check_room()?;
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
        let crate::joints::JointRows { rows, bounds } = builder.finish()?;
        for primitive in rows.iter().map(|s| s.primitive).chain(bounds.iter().map(|b| b.primitive)) {
            let (need_i, need_j) = primitive.needs_orientation();
            if (need_i && a.motion == Motion::Particle) || (need_j && b.motion == Motion::Particle) {
                return Err(Error::input(
                    format!("{} joint", joint.name()),
                    "on a particle",
                    "a body with an orientation, or a ball, distance or rope joint without motors",
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
        let chart = joint.chart();
        if let Some(chart) = chart {
            crate::forest::agree(chart, joint.name(), &frames, &rows)?;
        }
        let row_count = rows.iter().map(|s| s.primitive.rows()).sum();
        let row_start = self.state.lambda.len();
        let command_start = self.state.commands.len();
        let kind = joint.name();
        let entry = JointEntry {
            kind,
            name,
            i,
            j,
            frames,
            chart,
            role: TreeRole::Auto,
            rows,
            bounds,
            row_start,
            row_count,
            command_start,
            owned,
            strength: None,
        };
        let all = entry.state_rows();
        self.check_motors(&entry)?;
        let motors = entry.motors().count();
        self.wake_slot(i.0.slot as usize);
        self.wake_slot(j.0.slot as usize);
        let print = identity::joint(&entry);
        let key = self.model.joints.insert(entry);
        self.state.lambda.resize(row_start + all, 0.0);
        self.state.stretch.resize(row_start + all, UNKNOWN);
        self.state.give.resize(row_start + all, 0.0);
        self.state.element_energy.resize(row_start + all, 0.0);
        self.state.commands.resize(command_start + motors, Command::default());
        let slot = key.slot as usize;
        if slot == self.state.redundant.len() {
            self.state.redundant.push(false);
        } else {
            self.state.redundant[slot] = false;
        }
        self.edited(Edit::AddJoint, key.slot, print);
        Ok(JointId(key))
    }

    /// Removes a joint.
    pub fn remove_joint(&mut self, id: JointId) -> Result<()> {
        self.model.joint(id)?;
        self.drop_joint(id);
        Ok(())
    }

    pub(super) fn drop_joint(&mut self, id: JointId) {
        if let Some(j) = self.model.joints.get(id.0) {
            let slots = [j.i.0.slot as usize, j.j.0.slot as usize];
            slots.into_iter().for_each(|s| self.wake_slot(s));
        }
        let Some(gone) = self.model.joints.remove(id.0) else { return };
        let range = gone.row_start..gone.row_start + gone.state_rows();
        self.state.lambda.drain(range.clone());
        self.state.stretch.drain(range.clone());
        self.state.give.drain(range.clone());
        self.state.element_energy.drain(range);
        let motors = gone.motors().count();
        self.state.commands.drain(gone.command_start..gone.command_start + motors);
        self.state.redundant[id.0.slot as usize] = false;
        self.state.potential_lag[1] = 0.0;
        for (_, j) in self.model.joints.iter_mut() {
            if j.row_start > gone.row_start {
                j.row_start -= gone.state_rows();
                j.command_start -= motors;
            }
        }
        self.edited(Edit::RemoveJoint, id.0.slot, 0);
    }

    /// Sets what a joint can carry; beyond it the joint breaks at the end of the step and is gone. `None` makes it unbreakable.
    pub fn set_strength(&mut self, id: JointId, strength: Option<Strength>) -> Result<()> {
        self.model.joint(id)?;
        if let Some(s) = &strength {
            s.validate()?;
        }
        if let Some(j) = self.model.joints.get_mut(id.0) {
            j.strength = strength;
        }
        self.model.has_weak = self.model.joints.iter().any(|(_, j)| j.strength.is_some());
        Ok(())
    }

    /// Says whether a joint is to be coordinates or rows when coordinates are reduced.
    pub fn set_tree_role(&mut self, id: JointId, role: TreeRole) -> Result<()> {
        let j = self.model.joint(id)?;
        if role == TreeRole::Tree && j.chart.is_none() {
            return Err(tree::no_chart(self.model.joint_name(id.0.slot as usize)));
        }
        if let Some(j) = self.model.joints.get_mut(id.0).filter(|j| j.role != role) {
            j.role = role;
            self.layout = None;
            self.forget();
        }
        Ok(())
    }

    /// Which joints are coordinates and which stay rows when coordinates are reduced.
    pub fn tree(&self) -> Result<TreeReport> {
        let awake = |slot: usize| self.state.bodies[slot].group == 0;
        Ok(Tree::new(&self.model, awake)?.report(&self.model))
    }

    /// Removes the joints that carried too much in the last step, and books the energy they held.
    pub(super) fn break_joints(&mut self, report: &mut StepReport) -> Result<()> {
        if !self.model.has_weak {
            return Ok(());
        }
        let weak: Vec<(JointId, Strength)> =
            self.model.joints.iter().filter_map(|(k, j)| j.strength.map(|s| (JointId(k), s))).collect();
        let mut broke = false;
        for (joint, strength) in weak {
            let view = self.joint(joint)?;
            let (force, torque) = (view.force.length(), view.torque.length());
            if force <= strength.force && torque <= strength.torque {
                continue;
            }
            report.events.push(Event::JointBroken { joint, bodies: view.bodies, force, torque });
            self.drop_joint(joint);
            broke = true;
        }
        if broke {
            // What is left is centred in time anew: the difference is what the joints took with them.
            let left = self.energy()?.elastic;
            let gone = left - report.energy.elastic;
            report.energy.elastic = left;
            report.ledger.change += gone;
            report.ledger.broken += gone;
        }
        Ok(())
    }

    /// All joints, in a fixed order.
    pub fn joints(&self) -> impl Iterator<Item = JointId> + '_ {
        self.model.joints.iter().filter(|(_, j)| !j.owned).map(|(k, _)| JointId(k))
    }

    pub(super) fn side(&self, b: BodyId) -> Side {
        let s = &self.state.bodies[b.0.slot as usize];
        Side { pos: s.pos, rot: glam::DMat3::from_quat(s.rot) }
    }

    /// Looks at a joint: its reaction, gap and energy at the present pose with the multipliers of the last step.
    pub fn joint(&self, id: JointId) -> Result<JointView> {
        self.model.joint(id)?;
        self.view_joint(id)
    }

    /// The same, of the rows of springs too.
    pub(super) fn view_joint(&self, id: JointId) -> Result<JointView> {
        let j = self.model.joints.get(id.0).ok_or_else(|| self.model.joints.missing("joint", id.0))?;
        let (si, sj) = (self.side(j.i), self.side(j.j));
        let lambda = self.state.lambda[j.row_start..j.row_start + j.state_rows()].to_vec();
        let (mut force, mut torque, mut gap2, mut angle, mut energy) = (DVec3::ZERO, DVec3::ZERO, 0.0, 0.0_f64, 0.0);
        for (start, spec) in crate::joints::row_starts(&j.rows) {
            let e = spec.primitive.eval(&si, &sj);
            let linear = !spec.primitive.is_angular();
            for q in 0..spec.primitive.rows() {
                let l = lambda[start + q];
                force += l * DVec3::new(e.ji[q][0], e.ji[q][1], e.ji[q][2]);
                torque += l * DVec3::new(e.ji[q][3], e.ji[q][4], e.ji[q][5]);
                // A motor's position is neither a gap nor a stretch.
                if spec.motor.is_some() {
                    continue;
                }
                if linear {
                    gap2 += e.phi[q] * e.phi[q];
                } else {
                    angle = angle.max(e.phi[q].abs());
                }
                let c = spec.soft.compliance;
                if c > 0.0 && c.is_finite() {
                    energy += stored(c, e.phi[q], self.state.stretch[j.row_start + start + q]);
                }
            }
        }
        let mut excess = 0.0_f64;
        for (k, b) in j.bounds.iter().enumerate() {
            let row = crate::bounded::measure(b, &si, &sj);
            if matches!(b.bound, Bound::Limit { soft, .. } if soft.compliance == 0.0) {
                excess = excess.max(crate::bounded::beyond(b, row.q).abs());
            }
            let l = lambda[j.row_count + k];
            force += l * DVec3::new(row.ji[0], row.ji[1], row.ji[2]);
            torque += l * DVec3::new(row.ji[3], row.ji[4], row.ji[5]);
            energy += crate::bounded::stored(b, row.q, self.state.stretch[j.row_start + j.row_count + k]);
        }
        torque -= (si.rot * j.frames.i.origin).cross(force);
        Ok(JointView {
            kind: j.kind,
            name: j.name.clone(),
            bodies: (j.i, j.j),
            points: (si.pos + si.rot * j.frames.i.origin, sj.pos + sj.rot * j.frames.j.origin),
            axis: si.rot * j.frames.i.n,
            force,
            torque,
            gap: f64::sqrt(gap2),
            angle,
            excess,
            energy,
            lambda,
            redundant: self.state.redundant[id.0.slot as usize],
        })
    }
}

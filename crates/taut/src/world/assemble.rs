//! Bringing scattered parts together by the projection of poses alone (Faure's assembly of a complex structure).

use super::{Layout, World, empty};
use crate::close::newton::{Effort, Metric, Newton};
use crate::close::opening::Openings;
use crate::desk::inputs::Given;
use crate::desk::{Desk, Projector};
use crate::error::{Error, Result, positive};
use crate::ids::{BodyId, JointId};
use crate::kin::Kin;
use crate::math::pose::Pose;
use crate::rows::UNKNOWN;
use crate::solve::structured::Meter;
use crate::state::CouplingState;
use crate::step;
use crate::system::linear::Failure;
use crate::tuning::T;

/// When parts count as assembled.
///
/// A boom lies 0.1 m beside its bearing. It is brought there, to a micrometre in at most 50 passes.
/// ```
/// use taut::{Ball, Body, MassProperties, Vec3, World, assembly::Assembly};
/// let mut world = World::new();
/// let boom = MassProperties::cuboid(1000.0, Vec3::new(0.5, 0.05, 0.05))?;
/// let boom = world.add(Body::dynamic(boom).at(0.6 * Vec3::X))?;
/// let foot = world.add(Ball::between(boom, world.ground()).ends(0.1 * Vec3::X, Vec3::ZERO))?;
/// assert!((world.joint(foot)?.gap() - 0.1).abs() < 1e-12);
/// world.assemble(&Assembly { gap: 1e-6, passes: 50, ..Assembly::default() })?;
/// assert!(world.joint(foot)?.gap() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assembly {
    /// Largest opening of a rigid joint, m. The angle between its axes counts times its reach, the longer of its lever arms.
    pub gap: f64,
    /// Most passes.
    pub passes: usize,
    /// Keep the best poses that were found when joints cannot be closed, instead of refusing.
    pub keep: bool,
}

impl Default for Assembly {
    fn default() -> Self {
        Assembly { gap: 1e-9, passes: 500, keep: false }
    }
}

/// What came of it.
///
/// Two fixed pins 3 m apart cannot both hold a rod of 2 m: the best that can be had leaves half a metre at each.
/// ```
/// use taut::{Ball, Body, MassProperties, Vec3, World, assembly::Assembly};
/// let mut world = World::new();
/// let rod = world.add(Body::dynamic(MassProperties::cuboid(1000.0, Vec3::new(1.0, 0.05, 0.05))?))?;
/// world.add(Ball::between(rod, world.ground()).ends(-Vec3::X, -1.5 * Vec3::X))?;
/// world.add(Ball::between(rod, world.ground()).ends(Vec3::X, 1.5 * Vec3::X))?;
/// let done = world.assemble(&Assembly { keep: true, ..Assembly::default() })?;
/// assert!(!done.closed && (done.gap - 0.5).abs() < 1e-3);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Assembled {
    /// Passes of the mechanism that took most.
    pub passes: usize,
    /// Largest opening that is left, m.
    pub gap: f64,
    /// Its joint.
    pub joint: Option<JointId>,
    /// Whether all joints are closed.
    pub closed: bool,
    /// Largest opening before each pass, m, over all mechanisms; one more entry at the end.
    pub history: Vec<f64>,
}

impl World {
    /// Moves free bodies until all rigid joints are closed: Newton on the poses with corrections weighted by mass, clamped so that no
    /// body turns by more than 0.3 rad in a pass. Velocities are left as they are; the forces of the last step are forgotten.
    /// Limits, ropes, couplings and contacts are not looked at, and joints with an axis may close with it reversed.
    ///
    /// When joints contradict each other, or the start is too far from any closed pose, the error names the joint that is open
    /// most and nothing has changed, unless `assembly.keep` asks for the best poses.
    pub fn assemble(&mut self, assembly: &Assembly) -> Result<Assembled> {
        positive("gap of the assembly", assembly.gap, "m")?;
        if assembly.passes == 0 {
            return Err(Error::input("passes of the assembly", 0, "at least 1"));
        }
        // Those that sleep are moved too; on an error they sleep on.
        let asleep = (self.state.asleep > 0).then(|| self.state.clone());
        self.wake_all();
        let done = self.try_assemble(assembly);
        if let (Err(_), Some(before)) = (&done, asleep) {
            self.restore(&before)?;
        }
        done
    }

    fn try_assemble(&mut self, assembly: &Assembly) -> Result<Assembled> {
        self.lay_out()?;
        let Some(layout) = self.layout.as_mut() else { return Err(empty()) };
        let Layout { t, inputs, desk, .. } = &mut **layout;
        // The length of the step does not matter for poses.
        step::gather::gather(&self.model, t, (&self.plan, 1.0), &self.state, inputs);
        let Desk { next, projector, .. } = desk;
        let p = projector.get_or_insert_with(|| Projector::new(t));
        let mut done = Assembled { passes: 0, gap: 0.0, joint: None, closed: true, history: Vec::new() };
        let mut failure = None;
        for k in 0..t.islands.len() {
            match close(&Given { t, inputs }, k, assembly, &mut next.kin, p, &mut done) {
                Ok(o) if !(o.metres <= done.gap) => {
                    let slot = t.groups.get(o.group).map(|g| g.slot());
                    (done.gap, done.joint) = (o.metres, slot.and_then(|s| self.model.joints.key_at(s)).map(JointId));
                }
                Ok(_) => {}
                Err(f) => failure = failure.or(Some(f)),
            }
        }
        done.closed = done.gap <= assembly.gap;
        if let Some(f) = failure {
            return Err(step::check::blame(&self.model, t, self.state.time, f));
        }
        if !done.closed && !assembly.keep {
            let joint = done.joint.map_or_else(String::new, |j| self.model.joint_name(j.0.slot as usize));
            return Err(Error::Assembly { joint, gap: done.gap, expected: assembly.gap, passes: done.passes });
        }
        self.take_poses()?;
        Ok(done)
    }

    /// The poses that were found, into the state.
    fn take_poses(&mut self) -> Result<()> {
        let Some(layout) = self.layout.as_ref() else { return Err(empty()) };
        let Layout { t, desk, .. } = &**layout;
        let found = |n: usize| (t.slot_of[n], Pose { pos: desk.next.kin[n].pos, rot: desk.next.kin[n].quat });
        let poses: Vec<(usize, Pose)> = (0..t.nodes.len()).map(found).collect();
        for (slot, pose) in poses {
            let Some(key) = self.model.bodies.key_at(slot) else { continue };
            self.settle(BodyId(key), pose)?;
        }
        self.forget_forces();
        Ok(())
    }

    /// Puts a body where it belongs. It starts anew from there: no force, no memory of the last step.
    pub(super) fn settle(&mut self, id: BodyId, pose: Pose) -> Result<()> {
        let slot = id.0.slot as usize;
        let b = &self.state.bodies[slot];
        if (b.pos, b.rot) != (pose.pos, pose.rot) {
            self.set_pose(id, pose)?;
            let b = &mut self.state.bodies[slot];
            (b.added, b.probe, b.regime.h_prev) = ([0.0; 6], [0.0; 6], 0.0);
        }
        Ok(())
    }

    /// What joints carried in the last step, and the energies that go with it.
    pub(super) fn forget_forces(&mut self) {
        self.state.lambda.fill(0.0);
        self.state.stretch.fill(UNKNOWN);
        self.state.reach.fill(UNKNOWN);
        self.state.couplings.iter_mut().for_each(|c| *c = CouplingState::new(c.at));
        self.state.element_energy.fill(0.0);
        self.state.potential_lag = [0.0; 2];
    }
}

/// Closes one island as far as it goes; its new poses go to `next`.
fn close(
    t: &Given<'_>,
    k: usize,
    a: &Assembly,
    next: &mut [Kin],
    p: &mut Projector,
    done: &mut Assembled,
) -> std::result::Result<Openings, Failure> {
    let nodes = t.islands[k].nodes.clone();
    let newton = Newton { t: t.t, island: &t.islands[k], load: &[] };
    let mut now = newton.place(&t.inputs.kin, p);
    let (mut passes, mut mark) = (0, now.merit);
    loop {
        note(&mut done.history, passes, now.metres);
        if now.metres <= a.gap || passes == a.passes {
            break;
        }
        if passes > 0 && passes % T.close.assembly_stalled == 0 {
            if now.merit > (1.0 - T.close.assembly_gain) * mark {
                break;
            }
            mark = now.merit;
        }
        passes += 1;
        let effort = Effort { tolerance: T.close.inner, meter: &mut Meter::default() };
        match newton.pass(Metric::Mass, effort, now, p)? {
            Some(after) => now = after,
            None => break,
        }
    }
    next[nodes.clone()].copy_from_slice(&p.inputs.kin[nodes]);
    done.passes = done.passes.max(passes);
    Ok(now)
}

/// The largest opening of any island before a pass.
fn note(history: &mut Vec<f64>, pass: usize, worst: f64) {
    if history.len() <= pass {
        history.resize(pass + 1, 0.0);
    }
    history[pass] = history[pass].max(worst);
}

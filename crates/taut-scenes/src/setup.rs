//! What a start sets up that cannot stand: bodies in each other, open joints, velocities that the joints do not allow.
//!
//! The engine lifts what is buried and closes what is open by its position push, which does work against gravity, and the
//! first step takes away the part of the velocities across the joints like an inelastic impact. Neither is the method's
//! making, so the judge of a run books both apart:
//!
//! - While penetrations and gaps of the start last, a rise of the potential energy of gravity is *lift*: no more of it
//!   than the total energy rose by in that step, so that no kinetic energy hides in it. Once they are gone, or when one is
//!   deeper than at the start, every rise counts.
//! - What the first step loses by more than a tenth of the kinetic energy and a hundredth of the scale is *shock*: rises are measured from what was
//!   left, against the scale of what was left.

use crate::scene::Scene;
use taut::{Result, StepReport};

/// A penetration or gap of less than this part of the scene's length is closed.
const CLOSED: f64 = 1e-4;
/// A penetration or gap may pass that of the start by this factor before it is another one.
const SAME: f64 = 1.05;
/// A first step that takes more than this part of the kinetic energy takes velocities that could not be.
const SHOCK: f64 = 0.1;

/// What the start of a run set up that could not stand. Energies in J, lengths in m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SetUp {
    /// Deepest penetration of rigid contacts at the start.
    pub penetration: f64,
    /// Largest gap of a joint, or excess over a limit of length, at the start.
    pub gap: f64,
    /// Work against gravity of removing them.
    pub lift: f64,
    /// Energy of velocities that the joints do not allow, gone with the first step.
    pub shock: f64,
}

/// Follows it through a run.
#[derive(Clone, Debug)]
pub(crate) struct SetUpMeter {
    seen: SetUp,
    /// Whether something of the start is still open.
    open: bool,
    closed: f64,
    /// Kinetic energy at the start, at least a tenth of the scale, and what the first step left of it.
    kinetic: f64,
    left: f64,
    /// Potential energy of gravity and total energy without work after the last step.
    last: [f64; 2],
    steps: u64,
}

impl SetUpMeter {
    pub fn new(scene: &mut Scene, dt: f64) -> Result<Self> {
        let w = &mut scene.world;
        let energy = w.energy()?;
        let contacts = if w.colliders().next().is_some() { w.predict_contacts(dt)? } else { Vec::new() };
        let penetration = contacts.iter().map(|c| -c.distance).fold(0.0, f64::max);
        let gap = w.joints().map(|j| j.gap()).fold(0.0, f64::max);
        let closed = CLOSED * scene.length;
        Ok(SetUpMeter {
            seen: SetUp { penetration, gap, ..SetUp::default() },
            open: penetration.max(gap) > closed,
            closed,
            kinetic: energy.kinetic.max(SHOCK * scene.energy_scale),
            left: energy.kinetic,
            last: [energy.gravity, energy.total()],
            steps: 0,
        })
    }

    /// Looks at a step; `work` is what applied forces put in up to its end.
    pub fn see(&mut self, r: &StepReport, work: f64) {
        let now = [r.energy.gravity, r.energy.total() - work];
        let [raised, gained] = [now[0] - self.last[0], now[1] - self.last[1]];
        self.last = now;
        self.steps += 1;
        if self.steps == 1 && -gained > SHOCK * self.kinetic {
            self.seen.shock = -gained;
            self.left = r.energy.kinetic;
        }
        let gap = r.max_gap.max(r.bounded.overrun);
        // The penetration of a report is that at the start of its step.
        let (depth, most) = (r.bounded.penetration, SAME * self.seen.penetration.max(self.closed));
        // The first step tells how far limits and ropes were passed.
        self.seen.gap = if self.steps == 1 { self.seen.gap.max(gap) } else { self.seen.gap };
        self.open |= self.steps == 1 && gap > self.closed;
        self.open &= depth <= most && gap <= SAME * self.seen.gap.max(self.closed);
        if self.open {
            self.seen.lift += raised.min(gained).max(0.0);
        }
        self.open &= depth.max(gap) > self.closed;
    }

    /// A gap that is judged: none while it is that of the start.
    pub fn judged(&self, gap: f64) -> f64 {
        if self.open && gap <= SAME * self.seen.gap { 0.0 } else { gap }
    }

    /// What a rise above the start is measured from, beyond the energy of the start.
    pub fn base(&self) -> f64 {
        self.seen.lift - self.seen.shock
    }

    /// The scale of what was left after the shock: at least the weight over the length.
    pub fn scale(&self, scale: f64, weight: f64) -> f64 {
        if self.seen.shock == 0.0 {
            return scale;
        }
        let left = (scale - self.seen.shock).max(weight).max(self.left);
        if left > 0.0 { left.min(scale) } else { scale }
    }

    /// All of it; none when the start could stand.
    pub fn done(&self) -> Option<SetUp> {
        let s = self.seen;
        (s.lift > 0.0 || s.shock > 0.0 || s.penetration.max(s.gap) > self.closed).then_some(s)
    }
}

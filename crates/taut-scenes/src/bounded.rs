//! What bounded rows (limits, ropes, bounded motors, friction, contacts) took over a run, and what happened in it.

use taut::{Event, StepReport};

/// Events of a run by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventCounts {
    /// Pairs of colliders that began to push.
    pub contacts_began: usize,
    /// Pairs of colliders that ceased to push.
    pub contacts_ended: usize,
    /// Colliders that came into a sensor.
    pub sensors_began: usize,
    /// Colliders that left a sensor.
    pub sensors_ended: usize,
    /// Limits that began to push.
    pub limits_reached: usize,
    /// Joints that broke.
    pub joints_broken: usize,
    /// Guides and colliders that ropes came to.
    pub guides_touched: usize,
    /// Guides and colliders that ropes left.
    pub guides_left: usize,
    /// Drums that ran empty or full, and guides of ropes that were kept apart.
    pub ropes_blocked: usize,
}

impl EventCounts {
    fn see(&mut self, events: &[Event]) {
        for e in events {
            match e {
                Event::ContactBegan { .. } => self.contacts_began += 1,
                Event::ContactEnded { .. } => self.contacts_ended += 1,
                Event::SensorBegan { .. } => self.sensors_began += 1,
                Event::SensorEnded { .. } => self.sensors_ended += 1,
                Event::LimitReached { .. } => self.limits_reached += 1,
                Event::JointBroken { .. } => self.joints_broken += 1,
                Event::GuideTouched { .. } => self.guides_touched += 1,
                Event::GuideLeft { .. } => self.guides_left += 1,
                Event::DrumEmpty { .. } | Event::DrumFull { .. } | Event::TwoBlocked { .. } => self.ropes_blocked += 1,
                _ => {}
            }
        }
    }

    /// Name and number of each kind.
    pub fn list(&self) -> [(&'static str, usize); 9] {
        [
            ("contacts began", self.contacts_began),
            ("contacts ended", self.contacts_ended),
            ("sensors entered", self.sensors_began),
            ("sensors left", self.sensors_ended),
            ("limits reached", self.limits_reached),
            ("joints broken", self.joints_broken),
            ("guides touched", self.guides_touched),
            ("guides left", self.guides_left),
            ("ropes blocked", self.ropes_blocked),
        ]
    }
}

/// Bounded rows of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BoundedOutcome {
    /// Most rows in the solves of one step.
    pub rows: usize,
    /// Mean of the same over the steps.
    pub rows_per_step: f64,
    /// Most rows of one cluster.
    pub largest: usize,
    /// Most contact points that pushed in one step.
    pub contacts: usize,
    /// Largest residual, m/s (rad/s).
    pub residual: f64,
    /// Mean iterations per step.
    pub iterations_per_step: f64,
    /// Most iterations of a step.
    pub iterations: usize,
    /// Steps in which some rows did not reach the tolerance.
    pub unconverged_steps: u64,
    /// Steps in which a heap in motion was swept within a budget.
    pub hurried_steps: u64,
    /// Steps in which the convex law stood in for Coulomb's.
    pub convex_steps: u64,
    /// Deepest penetration of rigid contacts, m.
    pub penetration: f64,
    /// What happened.
    pub events: EventCounts,
}

/// Collects them step by step; sums until the end.
#[derive(Default)]
pub(crate) struct BoundedMeter {
    steps: u64,
    seen: bool,
    sums: [usize; 2],
    most: BoundedOutcome,
}

impl BoundedMeter {
    pub fn see(&mut self, r: &StepReport) {
        let (b, m) = (&r.bounded, &mut self.most);
        self.steps += 1;
        self.seen |= b.candidates > 0 || !r.events.is_empty();
        self.sums[0] += b.rows;
        self.sums[1] += b.iterations;
        m.rows = m.rows.max(b.rows);
        m.largest = m.largest.max(b.largest);
        m.contacts = m.contacts.max(b.contacts);
        // A residual that is no number must not hide behind one that is.
        m.residual = if b.residual.is_nan() { f64::NAN } else { m.residual.max(b.residual) };
        m.iterations = m.iterations.max(b.iterations);
        m.unconverged_steps += u64::from(b.unconverged > 0);
        m.hurried_steps += u64::from(b.hurried > 0);
        m.convex_steps += u64::from(b.convex > 0);
        m.penetration = m.penetration.max(b.penetration);
        m.events.see(&r.events);
    }

    /// None when no bounded row came near in the whole run.
    pub fn done(self) -> Option<BoundedOutcome> {
        let n = self.steps.max(1) as f64;
        let [rows, iterations] = self.sums.map(|s| s as f64 / n);
        self.seen.then_some(BoundedOutcome { rows_per_step: rows, iterations_per_step: iterations, ..self.most })
    }
}

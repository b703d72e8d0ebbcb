//! The step of a world: the list of its stages, in order. What each reads and writes is in ARCHITECTURE.md.

use super::{Layout, World, empty};
use crate::bounded::{self, bounce::Rebound};
use crate::conflicts;
use crate::desk::inputs::Given;
use crate::error::{Error, Result};
use crate::force::{self, gyroscopic};
use crate::passes::{self, Task, snap};
use crate::profile::Stage;
use crate::report::{self, Books, Rest, StepReport};
use crate::step::tell::{self, Booked};
use crate::step::{check, gather, scatter};
use glam::DVec3;

impl World {
    /// Advances by `h` seconds. On an error nothing has changed. Steps of different lengths may follow each other; under heavy loads
    /// keep them within about 30 % of each other: a long step leaves gaps that short ones must close.
    pub fn step(&mut self, h: f64) -> Result<StepReport> {
        if !(h.is_finite() && h > 0.0) {
            return Err(Error::input("time step", h, "a positive, finite number of s"));
        }
        if self.plan.alone {
            return self.step_by_method(h);
        }
        let mut before = None;
        let done = self.find_contacts(h, &mut before).and_then(|()| self.advance(h));
        let mut report = match (done, before) {
            (Ok(report), _) => report,
            (Err(e), None) => return Err(e),
            (Err(e), Some(before)) => {
                // Those that it woke sleep on.
                (self.state, self.layout) = (*before, None);
                return Err(e);
            }
        };
        self.unload();
        self.break_joints(&mut report)?;
        self.fall_asleep(h, &mut report);
        Ok(report)
    }

    /// Forces and targets hold for one step, and what the user has changed has been looked at.
    pub(super) fn unload(&mut self) {
        self.state.stirred.clear();
        self.model.hauls.clear();
        if std::mem::take(&mut self.model.is_loaded) {
            for (_, b) in self.model.bodies.iter_mut() {
                b.load = (DVec3::ZERO, DVec3::ZERO);
                b.target = None;
            }
        }
    }

    /// The stages between contacts and sleep. The state is written last.
    fn advance(&mut self, h: f64) -> Result<StepReport> {
        let Some(layout) = self.layout.as_mut() else { return Err(empty()) };
        let Layout { t, inputs, desk, threads, forest, .. } = &mut **layout;
        let (model, plan, state) = (&self.model, &self.plan, &mut self.state);
        desk.factor.loops.clock = self.clock;
        let (time, gravity) = (state.time, plan.gravity);
        gather::gather(model, t, (plan, h), state, inputs);
        desk.profile.mark(Stage::Gather);
        gyroscopic::evaluate(t, h, plan.resolves(), inputs);
        desk.profile.mark(Stage::Gyroscopic);
        force::evaluate(model, t, (gravity, h, plan.is_aligned()), inputs);
        desk.profile.mark(Stage::Forces);
        gather::rows(t, plan, state, h, inputs);
        desk.profile.mark(Stage::Rows);
        bounded::gather::gather(t, plan, state, h, inputs);
        desk.profile.mark(Stage::Candidates);
        // From here on the inputs stand.
        let t = &Given { t, inputs };
        let before = report::potential(model, t, gravity, &inputs.kin, &inputs.rows, Rest::now(&inputs.rows));
        check::rods(model, t, time)?;
        let task = Task { t, plan, state, h };
        let solved = passes::solve(&task, desk, threads).map_err(|f| check::blame(model, t, time, f))?;
        check::velocities(model, t, time, desk)?;
        if let Some(forest) = forest {
            forest.place(t, &mut desk.next.kin, &mut desk.next.phi);
        }
        desk.profile.mark(Stage::Poses);
        bounded::turned::arrive(t, state, &mut desk.next);
        bounded::evaluate(t, &desk.next.kin, &desk.next.wind, &mut desk.next.phi);
        bounded::coupled::arrive(t, h, &mut desk.next);
        check::poses(model, t, time, desk)?;
        let snapped = snap::apply(t, &desk.snap, &mut desk.next.kin);
        let rebound = Rebound { t, h, gravity, x: &desk.sol.x, bounce: &desk.bounded.bounce, second: &desk.second };
        let rebound = rebound.apply(&mut desk.next.kin);
        scatter::contacts(t, desk);
        let (lag, geo) = (state.potential_lag, plan.geometric());
        let contacts = [report::in_contacts(&state.contacts), report::in_contacts(&desk.next.records)];
        let books = Books { model, gravity, h, before, lag, geo, snapped, rebound, contacts };
        let (energy, ledger, lag) = report::close(t, desk, &books);
        let conflicts = conflicts::find(model, t, h, desk);
        let events = tell::happened(model, t, state, desk);
        scatter::scatter(t, h, lag, state, desk);
        let booked = Booked { energy, ledger };
        Ok(tell::report((model, t, plan), state, desk, &solved, booked, (conflicts, events)))
    }
}

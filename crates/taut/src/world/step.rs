//! The step of a world: the list of its stages, in order. What each reads and writes is in ARCHITECTURE.md.

use super::breaks::{self, Break, Breaks};
use super::{Layout, World, empty};
use crate::bounded::{self, bounce::Rebound};
use crate::conflicts;
use crate::desk::inputs::Given;
use crate::elastic;
use crate::error::{Error, Result};
use crate::events::Event;
use crate::force::{self, gyroscopic};
use crate::ids::BodyId;
use crate::kin::Kin;
use crate::math::pose::Pose;
use crate::math::so3::{exp, log};
use crate::passes::{self, Task, smooth, snap};
use crate::profile::Stage;
use crate::report::{self, Books, Rest, StepReport, Stored};
use crate::rows::rotor;
use crate::state::State;
use crate::step::tell::{self, Booked};
use crate::step::{check, gather, scatter};
use crate::tuning::T;
use glam::DVec3;

impl World {
    /// Advances by `h` seconds. On an error nothing has changed. Steps of different lengths may follow each other; under heavy loads
    /// keep them within about 30 % of each other: a long step leaves gaps that short ones must close.
    pub fn step(&mut self, h: f64) -> Result<StepReport> {
        if !(h.is_finite() && h > 0.0) {
            return Err(Error::input("time step", h, "a positive, finite number of s"));
        }
        if self.model.field.is_on() {
            self.takes_field("water or wind")?;
        }
        if self.plan.alone {
            self.refuse_top_speeds()?;
            return self.step_by_method(h);
        }
        self.leave_lost();
        let mut breaks = Breaks::default();
        self.press();
        let run_out = self.run_out(h);
        let mut report = match self.step_in_parts(h, &mut breaks) {
            Ok(report) => report,
            Err(e) => {
                self.undo_run_out(run_out);
                self.unpress();
                return Err(e);
            }
        };
        self.tell_run_out(run_out, &mut report);
        self.book_owed(&mut report.ledger);
        self.unload();
        self.break_joints(&mut report, breaks)?;
        self.feed(h, &mut report)?;
        self.tear(&mut report)?;
        self.fall_asleep(h, &mut report);
        Ok(report)
    }

    /// The step, in equal parts where deformables ask for them, and once more where joints break. On an error nothing has changed.
    fn step_in_parts(&mut self, h: f64, breaks: &mut Breaks) -> Result<StepReport> {
        let mut parts = Parts::new(h, if self.model.softs.len() > 0 { self.state.parts } else { 1 });
        let (time, steps) = (self.state.time, self.state.steps);
        // The state before those that woke were woken, or before the first of several parts.
        let mut before = (parts.all > 1).then(|| self.kept());
        let mut report: Option<StepReport> = None;
        let targets = self.targets();
        while parts.left > 0 {
            self.aim(&targets, 1.0 / f64::from(parts.left));
            let done =
                self.find_contacts(parts.length(), &mut before).and_then(|()| self.advance(&parts, breaks.rounds));
            match done {
                Ok(Outcome::Done(mut part)) => {
                    self.guide_ropes(parts.length(), &mut part);
                    self.pass_wheels(parts.length(), &mut part);
                    parts.left -= 1;
                    self.book_breaks(parts.length(), breaks, &mut part.ledger);
                    self.state.stirred.clear();
                    report = Some(match report.take() {
                        Some(mut first) => {
                            first.then(part);
                            first
                        }
                        None => part,
                    });
                }
                Ok(Outcome::Broke(list, reached)) => self.let_go(list, reached, breaks),
                Ok(Outcome::Divide) => {
                    before = before.or_else(|| Some(self.kept()));
                    parts.divide();
                }
                Err(e) => {
                    self.hold_on(breaks);
                    if let Some(before) = before {
                        (self.state, self.layout) = (*before, None);
                    }
                    self.aim(&targets, 1.0);
                    self.spare.1 = targets;
                    return Err(e);
                }
            }
        }
        self.spare = (before.or(self.spare.0.take()), targets);
        (self.state.time, self.state.steps, self.state.parts) = (time + h, steps + 1, (parts.all / 2).max(1));
        let Some(mut report) = report else { return Err(empty()) };
        report.time = self.state.time;
        report.parts = parts.all as usize;
        Ok(report)
    }

    /// A copy of the state, in memory that is there since the last step in parts.
    fn kept(&mut self) -> Box<State> {
        let mut copy = self.spare.0.take().unwrap_or_default();
        copy.copy_from(&self.state);
        copy
    }

    /// Where kinematic bodies must be at the end of the step.
    fn targets(&mut self) -> Vec<(BodyId, Pose)> {
        let mut targets = std::mem::take(&mut self.spare.1);
        targets.clear();
        if self.model.is_loaded && self.model.softs.len() > 0 {
            targets.extend(self.model.bodies.iter().filter_map(|(k, b)| b.target.map(|t| (BodyId(k), t))));
        }
        targets
    }

    /// Where they must be after this share of the way that is left.
    fn aim(&mut self, targets: &[(BodyId, Pose)], share: f64) {
        for &(id, target) in targets {
            let now = &self.state.bodies[id.0.slot as usize];
            let turn = exp(share * log(target.rot * now.rot.inverse()));
            let part = Pose { pos: now.pos + share * (target.pos - now.pos), rot: turn * now.rot };
            if let Some(b) = self.model.bodies.get_mut(id.0) {
                b.target = Some(if share == 1.0 { target } else { part });
            }
        }
    }

    /// Forces and targets hold for one step, and what the user has changed has been looked at.
    pub(super) fn unload(&mut self) {
        self.state.stirred.clear();
        if std::mem::take(&mut self.model.is_loaded) {
            for (_, b) in self.model.bodies.iter_mut() {
                b.load = (DVec3::ZERO, DVec3::ZERO);
                b.target = None;
            }
        }
    }

    /// The stages between contacts and sleep. The state is written last: where the elements of a deformable turn too far, or joints break,
    /// nothing has changed. `breaks` rounds have been made already.
    fn advance(&mut self, parts: &Parts, breaks: usize) -> Result<Outcome> {
        let h = parts.length();
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
        force::field::evaluate(model, t, (gravity, time), (h, plan.is_aligned()), inputs);
        elastic::evaluate(model, t, state, (gravity, h), inputs);
        desk.profile.mark(Stage::Forces);
        gather::rows(t, plan, state, h, inputs);
        desk.profile.mark(Stage::Rows);
        bounded::gather::gather(t, plan, state, h, inputs);
        desk.profile.mark(Stage::Candidates);
        // From here on the inputs stand.
        let t = &Given { t, inputs };
        let before = report::potential(model, t, gravity, &inputs.kin, &inputs.rows, Rest::now(inputs));
        check::rods(model, t, time)?;
        let forest = forest.as_deref();
        let task = Task { t, model, plan, state, forest, h };
        let solved = passes::solve(&task, desk, threads).map_err(|f| check::blame(model, t, time, f))?;
        check::velocities(model, t, time, desk)?;
        if model.has_weak && breaks < T.passes.breaks {
            let list = breaks::find(model, t, desk);
            if !list.is_empty() {
                let reached = tell::limits_reached(model, t, state, desk);
                return Ok(Outcome::Broke(list, reached));
            }
        }
        if let Some(forest) = forest {
            forest.place(t, &mut desk.next.kin, &mut desk.next.phi);
        }
        desk.profile.mark(Stage::Poses);
        bounded::turned::arrive(t, state, &mut desk.next);
        bounded::evaluate(t, &desk.next.kin, &desk.next.wind, &mut desk.next.phi);
        bounded::coupled::arrive(t, h, &mut desk.next);
        bounded::reeved::arrive(t, h, (&desk.bounded.set, &desk.sol.x), &mut desk.next);
        bounded::twisted::arrive(t, h, &desk.bounded.set, &mut desk.next);
        check::poses(model, t, time, desk)?;
        let snapped = snap::apply(t, &desk.snap, &mut desk.next.kin);
        let changed = desk.changes_after_the_solve();
        let spun = |next: &[Kin]| {
            if changed { rotor::gain(t, &inputs.rows, (&desk.sol.x, &desk.right.curve), h, next) } else { 0.0 }
        };
        let by_snaps = spun(&desk.next.kin);
        let (x, curve) = (&desk.sol.x, &desk.right.curve);
        let rebound = Rebound { t, h, gravity, x, curve, bounce: &desk.bounded.bounce, second: &desk.second };
        let [bounced, centred] = rebound.apply(&mut desk.next.kin);
        let rebound = [bounced + (spun(&desk.next.kin) - by_snaps), centred];
        let snapped = snapped + by_snaps;
        let error = smooth::arrive(&task, desk);
        if error > T.soft.error && parts.can_divide() {
            return Ok(Outcome::Divide);
        }
        scatter::contacts(t, h, &state.contacts, desk);
        let (lag, geo) = (state.potential_lag, plan.geometric());
        let contacts = [report::in_contacts(&state.contacts), report::in_contacts(&desk.next.records)];
        let after: f64 = desk.smooth.energy.iter().sum();
        let elements_lag = after - desk.smooth.middle.iter().sum::<f64>();
        let elements =
            [Stored { now: inputs.elastic.total(), lag: state.elements_lag }, Stored { now: after, lag: elements_lag }];
        desk.smooth.kept.clone_from(&state.soft);
        let (kin, smooth) = (&desk.next.kin, &mut desk.smooth);
        let plastic = elastic::flow(model, t, h, kin, &mut smooth.kept)
            + elastic::volume::settle(model, t, h, (&desk.sol.x, &smooth.more), kin, &mut smooth.kept);
        let books = Books { model, gravity, h, before, lag, geo, snapped, rebound, contacts, elements, plastic };
        let (energy, ledger, lag) = report::close(t, desk, &books);
        let conflicts = conflicts::find(model, t, h, desk);
        let events = tell::happened(model, t, state, desk);
        scatter::scatter(t, h, lag, state, desk);
        state.elements_lag = elements_lag;
        state.soft.copy_from_slice(&desk.smooth.kept);
        let booked = Booked { energy, ledger };
        let report = tell::report((model, t, plan), state, desk, &solved, booked, (conflicts, events));
        Ok(Outcome::Done(report))
    }
}

/// What came of a part of a step.
#[expect(clippy::large_enum_variant, reason = "one at a time, and a step allocates nothing")]
enum Outcome {
    Done(StepReport),
    /// Elements turn too far: shorter parts are asked for.
    Divide,
    /// Joints carry more than they can: the same once more without them.
    /// What reached its limits in that try is told with them.
    Broke(Vec<Break>, Vec<Event>),
}

/// A step and how it is divided.
struct Parts {
    /// Length of the whole step, s.
    h: f64,
    /// In how many parts of the present length it would be taken, and how many of them are left.
    all: u32,
    left: u32,
}

impl Parts {
    fn new(h: f64, all: u32) -> Self {
        Parts { h, all, left: all }
    }

    /// Of one part, s.
    fn length(&self) -> f64 {
        self.h / f64::from(self.all)
    }

    fn can_divide(&self) -> bool {
        self.all < T.soft.parts
    }

    /// Halves what is left.
    fn divide(&mut self) {
        (self.all, self.left) = (2 * self.all, 2 * self.left);
    }
}

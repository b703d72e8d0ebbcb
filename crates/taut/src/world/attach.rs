//! The step of a method that another crate has plugged in.

use super::World;
use super::breaks::Breaks;
use crate::error::Result;
use crate::events;
use crate::ids::BodyId;
use crate::method::{self, Method};
use crate::model::Model;
use crate::options::Options;
use crate::report::StepReport;
use crate::state::State;

impl World {
    /// Plugs in a method, in place of the one before: a step of its own, which the world takes whenever its options ask for it
    /// ([`Options::is_reduced_alone`]). `taut_redmax::attach` calls this.
    pub fn attach(&mut self, method: impl Method) {
        self.method = Some(Box::new(method));
    }

    /// The method, with what it works on.
    pub(crate) fn attached(&mut self) -> Result<(&mut dyn Method, &Options, &Model, &mut State)> {
        match &mut self.method {
            Some(method) => Ok((&mut **method, &self.options, &self.model, &mut self.state)),
            None => Err(method::missing(&self.options)),
        }
    }

    /// What the method has laid out is no longer that of the model.
    pub(super) fn forget(&mut self) {
        if let Some(method) = &mut self.method {
            method.forget();
        }
    }

    /// Counts the turns of joints whose bodies have moved for h at the velocities that they have.
    fn count_turns(&mut self, h: f64) {
        for (key, j) in self.model.joints.iter() {
            let Some(turn) = j.turn else { continue };
            let (i, base, slot) = (self.side(j.i), self.side(j.j), key.slot as usize);
            let omega = |b: BodyId| self.state.bodies[b.0.slot as usize].omega;
            let by = h * turn.axis(&i).dot(omega(j.i) - omega(j.j));
            self.state.turned[slot] = turn.position(&i, &base, self.state.turned[slot] + by);
        }
    }

    /// The step of the method.
    pub(super) fn step_by_method(&mut self, h: f64) -> Result<StepReport> {
        let (method, options, model, _) = self.attached()?;
        method.prepare(options, model)?;
        self.wake_all();
        self.count_turns(0.0);
        let (method, options, model, state) = self.attached()?;
        let mut report = method.step(options, model, state, h)?;
        // Methods take worlds without colliders: what touched before those were removed is over.
        events::contacts(&state.contacts, &[], &mut report.events);
        events::sensors(&state.sensed, &[], &mut report.events);
        state.contacts.clear();
        state.sensed.clear();
        self.count_turns(h);
        self.unload();
        self.break_joints(&mut report, Breaks::default())?;
        Ok(report)
    }
}

//! The step of a method that another crate has plugged in.

use super::World;
use crate::error::Result;
use crate::events;
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

    /// The step of the method.
    pub(super) fn step_by_method(&mut self, h: f64) -> Result<StepReport> {
        let (method, options, model, _) = self.attached()?;
        method.prepare(options, model)?;
        self.wake_all();
        let (method, options, model, state) = self.attached()?;
        let mut report = method.step(options, model, state, h)?;
        // Methods take worlds without colliders: what touched before those were removed is over.
        events::contacts(&state.contacts, &[], &mut report.events);
        events::sensors(&state.sensed, &[], &mut report.events);
        state.contacts.clear();
        state.sensed.clear();
        self.unload();
        self.break_joints(&mut report)?;
        Ok(report)
    }
}

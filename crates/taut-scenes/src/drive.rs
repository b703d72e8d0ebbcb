//! What moves a scene from outside: a function, or a script of programs and events.
//!
//! A script is looked at before each step, at the time `t` that the world has then: first its events, in their order, then its programs.
//! Programs go by the time alone. Events also go by a small record of which of them have fired and when. The record follows the time of
//! the world: what it has of times from `t` on is forgotten, with the settings that belong to it, so that a world which has gone back to a
//! snapshot goes on as it did.

mod action;
mod condition;
mod event;
mod program;
mod record;
mod signal;

pub(crate) use action::{Action, EndName, RopeName, Setting, Thing};
pub(crate) use condition::{Condition, Measure, Test};
pub(crate) use event::{Event, Rearm, Trigger};
pub(crate) use program::{Driven, Program, Push};
pub(crate) use record::Books;
pub use record::{Fired, Stop};
pub(crate) use signal::{Signal, Sine};

use crate::kept::Happened;
use action::Target;
use program::Span;
use record::{Entry, Record};
use std::sync::Arc;
use taut::{Error, MotorId, Result, State, StepReport, World};

/// What a scene does to its world before a step: targets of kinematic bodies, commands of motors.
type Act = dyn Fn(&mut World, f64) -> Result<()> + Send + Sync;

/// What moves a scene from outside, told before each step its length, s. It goes by the time and the state of the world and by its own
/// record, so that a run goes on from a snapshot as it would have.
#[derive(Clone)]
pub struct Drive {
    by: By,
    record: Record,
}

#[derive(Clone)]
enum By {
    Function(Arc<Act>),
    Script(Script),
}

/// Programs and events.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    pub programs: Vec<Program>,
    pub events: Vec<Event>,
}

impl Drive {
    /// From a function of the world and the length of the step, s. It must go by the time and the state of the world alone.
    pub fn new(act: impl Fn(&mut World, f64) -> Result<()> + Send + Sync + 'static) -> Self {
        Drive { by: By::Function(Arc::new(act)), record: Record::default() }
    }

    pub(crate) fn script(script: Script) -> Self {
        let lengths = vec![None; script.programs.len()];
        Drive { by: By::Script(script), record: Record { lengths, ..Record::default() } }
    }

    /// Acts before a step of `h` seconds.
    pub(crate) fn act(&mut self, world: &mut World, h: f64) -> Result<()> {
        match &self.by {
            By::Function(act) => act(world, h),
            By::Script(script) => script.act(world, &mut self.record, h),
        }
    }

    /// Books what was put in from outside as work: changes between steps, and ropes that grew shorter in the step.
    pub(crate) fn book(&mut self, world: &World, report: &mut StepReport) {
        self.record.books.settle(world).enter(report);
    }

    /// The events that have fired, in the order of time.
    pub fn fired(&self) -> Vec<Fired> {
        let By::Script(script) = &self.by else { return Vec::new() };
        let fired = self.record.log.iter().filter(|e| e.fired);
        fired.map(|e| Fired { name: script.events[e.event].name.clone(), time: e.time }).collect()
    }

    /// The end that an event has asked for.
    pub fn stopped(&self) -> Option<&Stop> {
        self.record.stop.as_ref()
    }

    /// What has happened so far.
    pub(crate) fn memory(&self) -> Memory {
        Memory(self.record.clone())
    }

    /// What has happened so far, to be written.
    pub(crate) fn happened(&self) -> Happened {
        let Record { log, stop, .. } = &self.record;
        Happened {
            log: log.iter().map(|e| (e.event, e.time, e.fired)).collect(),
            stop: stop.as_ref().map(|s| (s.event.clone(), s.time, s.message.clone())),
        }
    }

    /// Goes on from a state of the world and what had happened then. On an error nothing has changed.
    pub(crate) fn go_on(&mut self, world: &mut World, state: &State, happened: Happened) -> Result<()> {
        let none = Script::default();
        let script = if let By::Script(script) = &self.by { script } else { &none };
        if let Some((event, ..)) = happened.log.iter().find(|(event, ..)| *event >= script.events.len()) {
            let expected = format!("less than {}, the events of this scene", script.events.len());
            return Err(Error::input("event of the state", event, expected));
        }
        world.restore(state)?;
        // All that was set here is put back, then what was set there is set again.
        script.forget(world, &mut self.record, f64::NEG_INFINITY)?;
        self.record.log = happened.log.into_iter().map(|(event, time, fired)| Entry { event, time, fired }).collect();
        self.record.stop = happened.stop.map(|(event, time, message)| Stop { event, time, message });
        script.again(world, &self.record)?;
        // A joint that was switched off and on has lost what it carried.
        world.restore(state)
    }

    /// Whether programs, events or a function of the scene may tell a motor what to do.
    pub fn drives(&self, motor: MotorId) -> bool {
        let By::Script(script) = &self.by else { return true };
        let target = Some(Target::Motor(motor));
        let actions = script.events.iter().flat_map(|e| &e.actions);
        script.programs.iter().any(|p| p.target() == target) || actions.into_iter().any(|a| a.takes() == target)
    }

    /// Goes back to what had happened then.
    pub(crate) fn recall(&mut self, memory: &Memory) {
        self.record.clone_from(&memory.0);
    }
}

/// What had happened when a snapshot was taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory(Record);

impl std::fmt::Debug for Drive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.by {
            By::Function(_) => f.write_str("Drive"),
            By::Script(script) => {
                write!(f, "Drive of {} programs and {} events", script.programs.len(), script.events.len())
            }
        }
    }
}

impl Script {
    fn act(&self, world: &mut World, record: &mut Record, h: f64) -> Result<()> {
        self.go_back(world, record)?;
        record.books.put_in = 0.0;
        record.books.pulled.clear();
        for (k, event) in self.events.iter().enumerate() {
            event.look(k, world, record, h)?;
        }
        for (k, program) in self.programs.iter().enumerate() {
            if let Some(start) = self.start(program, record, world.time()) {
                program.run(k, world, record, Span { start, h })?;
            }
        }
        let mut books = std::mem::take(&mut record.books);
        books.close(world)?;
        record.books = books;
        Ok(())
    }

    /// The time of a program now, s; none when it has not begun, or an event has taken its thing since it began.
    fn start(&self, program: &Program, record: &Record, now: f64) -> Option<f64> {
        let begun = match program.after {
            None => None,
            Some(event) => Some(record.last(event)?),
        };
        let target = program.target();
        let takes = |event: usize| target.is_some() && self.events[event].actions.iter().any(|a| a.takes() == target);
        let since = begun.unwrap_or(f64::NEG_INFINITY);
        let taken = record.log.iter().any(|e| e.fired && e.time >= since && takes(e.event));
        (!taken).then(|| now - begun.unwrap_or(0.0))
    }

    /// Forgets what the record has of this time and later ones, and puts back the settings that belong to it.
    fn go_back(&self, world: &mut World, record: &mut Record) -> Result<()> {
        let now = world.time();
        if record.log.last().is_none_or(|e| e.time < now) {
            return Ok(());
        }
        let state = world.state().clone();
        self.forget(world, record, now)?;
        self.again(world, record)?;
        // A joint that was switched off and on has lost what it carried.
        world.restore(&state)
    }

    /// Makes anew what the events of the record have set.
    fn again(&self, world: &mut World, record: &Record) -> Result<()> {
        let fired = record.log.iter().filter(|e| e.fired);
        fired.flat_map(|e| &self.events[e.event].actions).try_for_each(|a| a.restore(world, true))
    }

    /// Forgets what the record has of this time and later ones, and puts back what was set then.
    fn forget(&self, world: &mut World, record: &mut Record, now: f64) -> Result<()> {
        let kept = record.log.partition_point(|e| e.time < now);
        let forgotten: Vec<usize> = record.log.drain(kept..).filter(|e| e.fired).map(|e| e.event).collect();
        for &event in forgotten.iter().rev() {
            for action in self.events[event].actions.iter().rev() {
                action.restore(world, false)?;
            }
        }
        for program in self.programs.iter().filter(|p| p.after.is_some_and(|e| forgotten.contains(&e))) {
            program.base().map_or(Ok(()), |base| base.apply(world))?;
        }
        // What programs had set may have been put back.
        record.lengths.fill(None);
        record.stop = record.stop.take().filter(|s| s.time < now);
        Ok(())
    }
}

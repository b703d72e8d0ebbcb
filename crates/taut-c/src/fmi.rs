//! The functions of FMI 2.0 and 3.0 for co-simulation: this library inside an FMU is its binary. What both versions share is here.

mod three;
mod two;

pub use three::*;
pub use two::*;

use crate::call::{Fault, TautStatus, caught, list, text};
use crate::registry::Registry;
use std::ffi::{CString, c_char, c_int, c_void};
use std::path::Path;
use taut_fmu::{Kept, Kind, Model, RECIPE, Recipe, SCENE, Stepped};

/// Status of both versions.
const OK: c_int = 0;
const DISCARD: c_int = 2;
const ERROR: c_int = 3;
const FATAL: c_int = 4;

/// Where an instance is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Instantiated,
    Initialising,
    Stepping,
    Terminated,
}

/// Where messages go.
#[derive(Clone, Copy)]
enum Log {
    Two(two::Logger, *mut c_void),
    Three(three::Logger, *mut c_void),
}

/// An instance.
struct Instance {
    model: Model,
    name: CString,
    log: Log,
    phase: Phase,
    start: Kept,
    /// What an event said that has ended the run.
    stopped: Option<String>,
    /// Texts that were handed out last.
    texts: Vec<CString>,
    /// A panic has left it half changed.
    broken: bool,
}

// SAFETY: the environment of the log is only handed back to the importer, which takes calls of the logger from the thread that called.
unsafe impl Send for Instance {}

static INSTANCES: Registry<Instance> = Registry::new("FMU instance");
static STATES: Registry<(usize, Phase, Kept)> = Registry::new("FMU state");

impl Log {
    fn say(self, name: &CString, status: c_int, message: &str) {
        let message = CString::new(message.replace('\0', " ")).unwrap_or_default();
        match self {
            // SAFETY: the importer's function with the arguments that the standard names; "%s" takes the message.
            Log::Two(Some(log), environment) => unsafe {
                log(environment, name.as_ptr(), status, c"logStatusError".as_ptr(), c"%s".as_ptr(), message.as_ptr());
            },
            // SAFETY: the importer's function with the arguments that the standard names.
            Log::Three(Some(log), environment) => unsafe {
                log(environment, status, c"logStatusError".as_ptr(), message.as_ptr());
            },
            Log::Two(None, _) | Log::Three(None, _) => {}
        }
    }
}

/// Builds an instance from the folder of resources. NULL when that fails; the log says why.
fn instantiate(name: CString, log: Log, token: Result<&str, Fault>, resources: Result<&Path, Fault>) -> *mut c_void {
    let made = caught(|| {
        let (token, folder) = (token?, resources?);
        let read = |name: &str| {
            let path = folder.join(name);
            std::fs::read_to_string(&path).map_err(|e| Fault::input(format_args!("{}: {e}", path.display())))
        };
        let recipe = Recipe::read(&read(RECIPE)?).map_err(Fault::input)?;
        let file = if recipe.scene.is_none() { Some(read(SCENE)?) } else { None };
        let model = Model::new(&recipe, file.as_deref()).map_err(Fault::input)?;
        if model.token() != token {
            let expected = model.token();
            return Err(Fault::input(format_args!("guid or instantiation token = {token}: expected {expected}")));
        }
        let (start, phase) = (model.keep(), Phase::Instantiated);
        let name = name.clone();
        Ok(INSTANCES.add(Instance { model, name, log, phase, start, stopped: None, texts: Vec::new(), broken: false }))
    });
    made.unwrap_or_else(|fault| {
        log.say(&name, ERROR, &fault.message);
        std::ptr::null_mut()
    })
}

/// Runs a call on an instance: what goes wrong is told to its log and becomes a status.
fn on(instance: *mut c_void, work: impl FnOnce(&mut Instance) -> Result<c_int, Fault>) -> c_int {
    let run = || {
        INSTANCES.with(instance, |i| {
            if i.broken {
                return Ok(FATAL);
            }
            let done = caught(|| work(i));
            Ok(done.unwrap_or_else(|fault| {
                i.broken = fault.status == TautStatus::Internal;
                let status = if i.broken { FATAL } else { ERROR };
                i.log.say(&i.name, status, &fault.message);
                status
            }))
        })
    };
    // No instance: there is no log to tell it to.
    caught(run).unwrap_or(ERROR)
}

impl Instance {
    /// Refuses a call that comes at another time.
    fn expect(&self, phases: &[Phase]) -> Result<(), Fault> {
        if phases.contains(&self.phase) {
            return Ok(());
        }
        Err(Fault::input(format_args!("call in phase {:?}: expected {phases:?}", self.phase)))
    }

    fn step(&mut self, from: f64, step: f64) -> Result<bool, Fault> {
        self.expect(&[Phase::Stepping])?;
        match self.model.step(from, step).map_err(Fault::input)? {
            Stepped::Done => Ok(true),
            Stepped::Stopped(said) => {
                self.log.say(&self.name, DISCARD, &format!("an event of the scene has ended the run: {said}"));
                self.stopped = Some(said);
                Ok(false)
            }
        }
    }

    /// The scene starts at this time of the importer, s.
    fn begin(&mut self, time: f64) -> Result<c_int, Fault> {
        if !time.is_finite() {
            return Err(Fault::input(format_args!("startTime = {time}: expected a finite number of s")));
        }
        self.model.begin_at(time);
        Ok(OK)
    }

    fn initialised(&mut self) -> Result<c_int, Fault> {
        self.expect(&[Phase::Initialising])?;
        self.model.initialise().map_err(Fault::input)?;
        self.phase = Phase::Stepping;
        Ok(OK)
    }

    fn reset(&mut self) -> Result<c_int, Fault> {
        self.model.go_back(&self.start);
        (self.phase, self.stopped) = (Phase::Instantiated, None);
        Ok(OK)
    }

    fn set(&mut self, references: &[u32], kind: Kind, values: impl Iterator<Item = f64>) -> Result<c_int, Fault> {
        let early = matches!(self.phase, Phase::Instantiated | Phase::Initialising);
        self.expect(&[Phase::Instantiated, Phase::Initialising, Phase::Stepping])?;
        for (reference, value) in references.iter().zip(values) {
            self.model.set(*reference, kind, value, early).map_err(Fault::input)?;
        }
        Ok(OK)
    }

    /// Values; none is written when one of them cannot be had.
    fn get(&mut self, references: &[u32], kind: Kind) -> Result<Vec<f64>, Fault> {
        references.iter().map(|r| self.model.get(*r, kind).map_err(Fault::input)).collect()
    }
}

/// Keeps the state of an instance; where there is one at `state` already, in its place.
unsafe fn keep(instance: *mut c_void, state: *mut *mut c_void) -> c_int {
    on(instance, |i| {
        // SAFETY: as the standard asks of the importer: a place for a handle, with NULL or a state in it.
        let old = unsafe { crate::call::read(state, "FMUState") }.copied()?;
        let new = STATES.add((instance.addr(), i.phase, i.model.keep()));
        if !old.is_null() {
            STATES.remove(old)?;
        }
        // SAFETY: the same.
        unsafe { crate::call::out(state, "FMUState") }?.put(new);
        Ok(OK)
    })
}

fn go_back(instance: *mut c_void, state: *mut c_void) -> c_int {
    on(instance, |i| {
        STATES.with(state, |(of, phase, kept)| {
            if *of != instance.addr() {
                return Err(Fault::input("FMUState: expected one of this instance"));
            }
            i.model.go_back(kept);
            (i.phase, i.stopped) = (*phase, None);
            Ok(OK)
        })
    })
}

unsafe fn free_state(instance: *mut c_void, state: *mut *mut c_void) -> c_int {
    on(instance, |_| {
        // SAFETY: as the standard asks of the importer: a place for a handle, or NULL.
        let (Some(old), false) = (unsafe { state.as_ref() }, state.is_null()) else { return Ok(OK) };
        if !old.is_null() {
            STATES.remove(*old)?;
        }
        // SAFETY: the same.
        unsafe { crate::call::out(state, "FMUState") }?.put(std::ptr::null_mut());
        Ok(OK)
    })
}

/// The bytes of a kept state: the instance goes there and back again.
fn bytes(i: &mut Instance, instance: *mut c_void, state: *mut c_void) -> Result<Vec<u8>, Fault> {
    STATES.with(state, |(of, phase, kept)| {
        if *of != instance.addr() {
            return Err(Fault::input("FMUState: expected one of this instance"));
        }
        let now = i.model.keep();
        i.model.go_back(kept);
        let mut out = vec![*phase as u8];
        out.extend(i.model.to_bytes());
        i.model.go_back(&now);
        Ok(out)
    })
}

unsafe fn size(instance: *mut c_void, state: *mut c_void, size: *mut usize) -> c_int {
    on(instance, |i| {
        // SAFETY: as the standard asks of the importer: a place for a number.
        let to = unsafe { crate::call::out(size, "size") }?;
        to.put(bytes(i, instance, state)?.len());
        Ok(OK)
    })
}

unsafe fn serialise(instance: *mut c_void, state: *mut c_void, to: *mut u8, room: usize) -> c_int {
    on(instance, |i| {
        let (from, mut length) = (bytes(i, instance, state)?, 0);
        // SAFETY: as the standard asks of the importer: room for so many bytes.
        unsafe { crate::call::copy(&from, to, room, &mut length) }?;
        if to.is_null() { Err(Fault::input("serializedState = NULL: expected room for it")) } else { Ok(OK) }
    })
}

unsafe fn deserialise(instance: *mut c_void, from: *const u8, count: usize, state: *mut *mut c_void) -> c_int {
    on(instance, |i| {
        // SAFETY: as the standard asks of the importer: so many bytes.
        let given = unsafe { list(from, count, "serializedState") }?;
        let all = [Phase::Instantiated, Phase::Initialising, Phase::Stepping, Phase::Terminated];
        let phase = given.first().and_then(|b| all.get(usize::from(*b)).copied());
        let phase = phase.ok_or_else(|| Fault::input("serializedState: expected one of this FMU"))?;
        // SAFETY: a place for a handle.
        let to = unsafe { crate::call::out(state, "FMUState") }?;
        let now = i.model.keep();
        let read = i.model.restore(&given[1..]).map_err(Fault::input);
        let kept = read.map(|()| i.model.keep());
        i.model.go_back(&now);
        to.put(STATES.add((instance.addr(), phase, kept?)));
        Ok(OK)
    })
}

/// Texts, which hold until the next call for texts of the same instance.
unsafe fn texts(instance: *mut c_void, references: *const u32, count: usize, to: *mut *const c_char) -> c_int {
    on(instance, |i| {
        // SAFETY: as the standard asks of the importer: so many references, and room for so many texts.
        let (references, to) = unsafe { (list(references, count, "vr")?, crate::call::room(to, count, "value")?) };
        let text = |r: &u32| i.model.text(*r).map(|t| CString::new(t).unwrap_or_default()).map_err(Fault::input);
        i.texts = references.iter().map(text).collect::<Result<_, _>>()?;
        to.iter_mut().zip(&i.texts).for_each(|(to, text)| {
            to.write(text.as_ptr());
        });
        Ok(OK)
    })
}

/// Values as numbers, each made into what the version hands out.
unsafe fn get<T>(
    instance: *mut c_void,
    references: *const u32,
    count: usize,
    to: *mut T,
    kind: Kind,
    made: impl Fn(f64) -> T,
) -> c_int {
    on(instance, |i| {
        // SAFETY: as the standard asks of the importer: so many references, and room for so many values.
        let (references, to) = unsafe { (list(references, count, "vr")?, crate::call::room(to, count, "value")?) };
        let values = i.get(references, kind)?;
        to.iter_mut().zip(values).for_each(|(to, value)| {
            to.write(made(value));
        });
        Ok(OK)
    })
}

/// Values of the importer, each made into a number.
unsafe fn set<T: Copy>(
    instance: *mut c_void,
    references: *const u32,
    count: usize,
    from: *const T,
    kind: Kind,
    read: impl Fn(T) -> f64,
) -> c_int {
    on(instance, |i| {
        // SAFETY: as the standard asks of the importer: so many references and values.
        let (references, from) = unsafe { (list(references, count, "vr")?, list(from, count, "value")?) };
        i.set(references, kind, from.iter().map(|x| read(*x)))
    })
}

/// A name of the importer, for its log.
unsafe fn name_of(from: *const c_char) -> CString {
    // SAFETY: as the standard asks of the importer: a text, or NULL.
    CString::new(unsafe { text(from, "instanceName") }.unwrap_or("")).unwrap_or_default()
}

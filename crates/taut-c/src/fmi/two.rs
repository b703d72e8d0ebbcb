//! FMI 2.0 for co-simulation.
#![allow(non_snake_case, reason = "names of the standard")]

use super::{DISCARD, ERROR, Log, OK, Phase, instantiate, name_of, on};
use crate::call::{Fault, caught, text};
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::path::PathBuf;
use taut_fmu::Kind;

/// Environment, instance, status, category, message as for `printf`.
pub(super) type Logger =
    Option<unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char, ...)>;

/// What the importer hands in.
#[repr(C)]
#[derive(Debug)]
pub struct Fmi2Callbacks {
    /// Takes messages.
    logger: Option<unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char, ...)>,
    allocate: *const c_void,
    free: *const c_void,
    step_finished: *const c_void,
    environment: *mut c_void,
}

/// The platform of the types.
#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetTypesPlatform() -> *const c_char {
    c"default".as_ptr()
}

/// The version of the standard.
#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetVersion() -> *const c_char {
    c"2.0".as_ptr()
}

/// All errors are told to the logger whatever is asked for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetDebugLogging(
    c: *mut c_void,
    _on: c_int,
    _count: usize,
    _categories: *const *const c_char,
) -> c_int {
    on(c, |_| Ok(OK))
}

/// A path from the URI of a file.
fn path(uri: &str) -> Result<PathBuf, Fault> {
    let refuse = || Fault::input(format_args!("fmuResourceLocation = {uri}: expected file:///path/to/resources"));
    let rest = uri.strip_prefix("file://").or_else(|| uri.strip_prefix("file:")).unwrap_or(uri);
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    // On Windows the drive comes after the first slash.
    let rest = if cfg!(windows) { rest.strip_prefix('/').unwrap_or(rest) } else { rest };
    let mut bytes = Vec::with_capacity(rest.len());
    let mut from = rest.bytes();
    while let Some(b) = from.next() {
        if b != b'%' {
            bytes.push(b);
            continue;
        }
        let digit = |b: Option<u8>| b.and_then(|b| char::from(b).to_digit(16)).ok_or_else(refuse);
        bytes.push((16 * digit(from.next())? + digit(from.next())?) as u8);
    }
    String::from_utf8(bytes).map(PathBuf::from).map_err(|_| refuse())
}

/// Makes an instance; NULL when that fails, and the logger says why. `kind` is 1 for co-simulation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Instantiate(
    name: *const c_char,
    kind: c_int,
    guid: *const c_char,
    location: *const c_char,
    callbacks: *const Fmi2Callbacks,
    _visible: c_int,
    _logging: c_int,
) -> *mut c_void {
    // SAFETY: as the standard asks of the importer, here and below.
    let (name, callbacks) = unsafe { (name_of(name), callbacks.as_ref()) };
    let log = callbacks.map_or(Log::Two(None, std::ptr::null_mut()), |c| Log::Two(c.logger, c.environment));
    let token = match kind {
        1 => unsafe { text(guid, "fmuGUID") },
        _ => Err(Fault::input(format_args!("fmuType = {kind}: expected 1, co-simulation"))),
    };
    let folder = unsafe { text(location, "fmuResourceLocation") }.and_then(path);
    let folder = folder.as_deref().map_err(|f| Fault::input(&f.message));
    instantiate(name, log, token, folder)
}

/// Ends an instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2FreeInstance(c: *mut c_void) {
    let _ = caught(|| super::INSTANCES.remove(c));
}

/// The time of the importer at which the scene starts. Tolerance and stop time do not matter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetupExperiment(
    c: *mut c_void,
    _tolerance_defined: c_int,
    _tolerance: f64,
    start: f64,
    _stop_defined: c_int,
    _stop: f64,
) -> c_int {
    on(c, |i| {
        i.expect(&[Phase::Instantiated])?;
        i.begin(start)
    })
}

/// Parameters may be set from now on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2EnterInitializationMode(c: *mut c_void) -> c_int {
    on(c, |i| {
        i.expect(&[Phase::Instantiated])?;
        i.phase = Phase::Initialising;
        Ok(OK)
    })
}

/// Parameters are taken over.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2ExitInitializationMode(c: *mut c_void) -> c_int {
    on(c, super::Instance::initialised)
}

/// No more steps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Terminate(c: *mut c_void) -> c_int {
    on(c, |i| {
        i.expect(&[Phase::Stepping])?;
        i.phase = Phase::Terminated;
        Ok(OK)
    })
}

/// Back to the start.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Reset(c: *mut c_void) -> c_int {
    on(c, super::Instance::reset)
}

/// Numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetReal(c: *mut c_void, vr: *const c_uint, count: usize, value: *mut f64) -> c_int {
    unsafe { super::get(c, vr, count, value, Kind::Real, |x| x) }
}

/// Sets numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetReal(c: *mut c_void, vr: *const c_uint, count: usize, value: *const f64) -> c_int {
    unsafe { super::set(c, vr, count, value, Kind::Real, |x| x) }
}

/// True or false.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetBoolean(c: *mut c_void, vr: *const c_uint, count: usize, value: *mut c_int) -> c_int {
    unsafe { super::get(c, vr, count, value, Kind::Boolean, |x| c_int::from(x != 0.0)) }
}

/// Sets true or false.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetBoolean(c: *mut c_void, vr: *const c_uint, count: usize, value: *const c_int) -> c_int {
    unsafe { super::set(c, vr, count, value, Kind::Boolean, |x| f64::from(u8::from(x != 0))) }
}

/// Texts; they hold until the next call of this function for the same instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetString(
    c: *mut c_void,
    vr: *const c_uint,
    count: usize,
    value: *mut *const c_char,
) -> c_int {
    unsafe { super::texts(c, vr, count, value) }
}

/// There are no variables of this type.
fn none(c: *mut c_void, count: usize) -> c_int {
    on(c, |_| match count {
        0 => Ok(OK),
        _ => Err(Fault::input("value reference: there are no variables of this type that can be read or set so")),
    })
}

/// There are no integers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetInteger(c: *mut c_void, _vr: *const c_uint, count: usize, _value: *mut c_int) -> c_int {
    none(c, count)
}

/// There are no integers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetInteger(c: *mut c_void, _vr: *const c_uint, count: usize, _v: *const c_int) -> c_int {
    none(c, count)
}

/// No text can be set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetString(
    c: *mut c_void,
    _vr: *const c_uint,
    count: usize,
    _value: *const *const c_char,
) -> c_int {
    none(c, count)
}

/// Keeps the state, in the place of that in `state` if there is one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetFMUstate(c: *mut c_void, state: *mut *mut c_void) -> c_int {
    unsafe { super::keep(c, state) }
}

/// Goes back to a state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetFMUstate(c: *mut c_void, state: *mut c_void) -> c_int {
    super::go_back(c, state)
}

/// Frees a state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2FreeFMUstate(c: *mut c_void, state: *mut *mut c_void) -> c_int {
    unsafe { super::free_state(c, state) }
}

/// Length of a state as bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SerializedFMUstateSize(c: *mut c_void, state: *mut c_void, size: *mut usize) -> c_int {
    unsafe { super::size(c, state, size) }
}

/// A state as bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SerializeFMUstate(
    c: *mut c_void,
    state: *mut c_void,
    bytes: *mut u8,
    size: usize,
) -> c_int {
    unsafe { super::serialise(c, state, bytes, size) }
}

/// A state from bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2DeSerializeFMUstate(
    c: *mut c_void,
    bytes: *const u8,
    size: usize,
    state: *mut *mut c_void,
) -> c_int {
    unsafe { super::deserialise(c, bytes, size, state) }
}

/// A communication step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2DoStep(c: *mut c_void, from: f64, step: f64, _no_return: c_int) -> c_int {
    on(c, |i| Ok(if i.step(from, step)? { OK } else { DISCARD }))
}

/// No step is ever pending.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2CancelStep(c: *mut c_void) -> c_int {
    on(c, |_| Ok(ERROR))
}

/// No step is ever pending.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetStatus(c: *mut c_void, _kind: c_int, _value: *mut c_int) -> c_int {
    on(c, |_| Ok(DISCARD))
}

/// The time up to which the last step went (2).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetRealStatus(c: *mut c_void, kind: c_int, value: *mut f64) -> c_int {
    on(c, |i| match kind {
        2 => {
            unsafe { crate::call::out(value, "value") }?.put(i.model.time());
            Ok(OK)
        }
        _ => Ok(DISCARD),
    })
}

/// There is no such status.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetIntegerStatus(c: *mut c_void, _kind: c_int, _value: *mut c_int) -> c_int {
    on(c, |_| Ok(DISCARD))
}

/// Whether an event of the scene has ended the run (3).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetBooleanStatus(c: *mut c_void, kind: c_int, value: *mut c_int) -> c_int {
    on(c, |i| match kind {
        3 => {
            unsafe { crate::call::out(value, "value") }?.put(c_int::from(i.stopped.is_some()));
            Ok(OK)
        }
        _ => Ok(DISCARD),
    })
}

/// There is no such status.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetStringStatus(c: *mut c_void, _kind: c_int, _value: *mut *const c_char) -> c_int {
    on(c, |_| Ok(DISCARD))
}

/// Derivatives are not told.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetDirectionalDerivative(
    c: *mut c_void,
    _unknown: *const c_uint,
    _unknowns: usize,
    _known: *const c_uint,
    _knowns: usize,
    _seed: *const f64,
    _sensitivity: *mut f64,
) -> c_int {
    none(c, 1)
}

/// Inputs are held during a step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetRealInputDerivatives(
    c: *mut c_void,
    _vr: *const c_uint,
    count: usize,
    _order: *const c_int,
    _value: *const f64,
) -> c_int {
    none(c, count)
}

/// Derivatives are not told.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetRealOutputDerivatives(
    c: *mut c_void,
    _vr: *const c_uint,
    count: usize,
    _order: *const c_int,
    _value: *mut f64,
) -> c_int {
    none(c, count)
}

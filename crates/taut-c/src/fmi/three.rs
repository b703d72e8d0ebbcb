//! FMI 3.0 for co-simulation.
#![allow(non_snake_case, reason = "names of the standard")]

use super::{Log, OK, Phase, instantiate, name_of, on};
use crate::call::{Fault, caught, out, text};
use std::ffi::{c_char, c_int, c_void};
use std::path::Path;
use taut_fmu::Kind;

/// Environment, status, category, message.
pub(super) type Logger = Option<unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char)>;

/// The version of the standard.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetVersion() -> *const c_char {
    c"3.0".as_ptr()
}

/// All errors are told to the logger whatever is asked for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetDebugLogging(
    c: *mut c_void,
    _on: u8,
    _count: usize,
    _categories: *const *const c_char,
) -> c_int {
    on(c, |_| Ok(OK))
}

/// There is co-simulation only: NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateModelExchange(
    name: *const c_char,
    _token: *const c_char,
    _resources: *const c_char,
    _visible: u8,
    _logging: u8,
    environment: *mut c_void,
    log: Option<unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char)>,
) -> *mut c_void {
    // SAFETY: as the standard asks of the importer, here and below.
    let name = unsafe { name_of(name) };
    instantiate(name, Log::Three(log, environment), Err(Fault::input("expected co-simulation")), Ok(Path::new("")))
}

/// There is co-simulation only: NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateScheduledExecution(
    name: *const c_char,
    _token: *const c_char,
    _resources: *const c_char,
    _visible: u8,
    _logging: u8,
    environment: *mut c_void,
    log: Option<unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char)>,
    _clock_update: *const c_void,
    _lock: *const c_void,
    _unlock: *const c_void,
) -> *mut c_void {
    let name = unsafe { name_of(name) };
    instantiate(name, Log::Three(log, environment), Err(Fault::input("expected co-simulation")), Ok(Path::new("")))
}

/// Makes an instance; NULL when that fails, and the log says why.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateCoSimulation(
    name: *const c_char,
    token: *const c_char,
    resources: *const c_char,
    _visible: u8,
    _logging: u8,
    _event_mode: u8,
    _early_return: u8,
    _intermediate: *const u32,
    _intermediates: usize,
    environment: *mut c_void,
    log: Option<unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char)>,
    _intermediate_update: *const c_void,
) -> *mut c_void {
    let (name, token) = unsafe { (name_of(name), text(token, "instantiationToken")) };
    let folder = unsafe { text(resources, "resourcePath") }.map(Path::new);
    instantiate(name, Log::Three(log, environment), token, folder)
}

/// Ends an instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3FreeInstance(c: *mut c_void) {
    let _ = caught(|| super::INSTANCES.remove(c));
}

/// Parameters may be set from now on; the scene starts at `start`. Tolerance and stop time do not matter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3EnterInitializationMode(
    c: *mut c_void,
    _tolerance_defined: u8,
    _tolerance: f64,
    start: f64,
    _stop_defined: u8,
    _stop: f64,
) -> c_int {
    on(c, |i| {
        i.expect(&[Phase::Instantiated])?;
        i.begin(start)?;
        i.phase = Phase::Initialising;
        Ok(OK)
    })
}

/// Parameters are taken over.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3ExitInitializationMode(c: *mut c_void) -> c_int {
    on(c, super::Instance::initialised)
}

/// No more steps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3Terminate(c: *mut c_void) -> c_int {
    on(c, |i| {
        i.expect(&[Phase::Stepping])?;
        i.phase = Phase::Terminated;
        Ok(OK)
    })
}

/// Back to the start.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3Reset(c: *mut c_void) -> c_int {
    on(c, super::Instance::reset)
}

/// So many values for so many references: all variables are single numbers.
fn counted(c: *mut c_void, references: usize, values: usize) -> Option<c_int> {
    let refuse = |_: &mut super::Instance| {
        Err(Fault::input(format_args!("nValues = {values}: expected {references}, one for each value reference")))
    };
    (references != values).then(|| on(c, refuse))
}

/// Numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetFloat64(
    c: *mut c_void,
    vr: *const u32,
    count: usize,
    values: *mut f64,
    value_count: usize,
) -> c_int {
    counted(c, count, value_count).unwrap_or_else(|| unsafe { super::get(c, vr, count, values, Kind::Real, |x| x) })
}

/// Sets numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetFloat64(
    c: *mut c_void,
    vr: *const u32,
    count: usize,
    values: *const f64,
    value_count: usize,
) -> c_int {
    counted(c, count, value_count).unwrap_or_else(|| unsafe { super::set(c, vr, count, values, Kind::Real, |x| x) })
}

/// True or false.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetBoolean(
    c: *mut c_void,
    vr: *const u32,
    count: usize,
    values: *mut u8,
    value_count: usize,
) -> c_int {
    let get = || unsafe { super::get(c, vr, count, values, Kind::Boolean, |x| u8::from(x != 0.0)) };
    counted(c, count, value_count).unwrap_or_else(get)
}

/// Sets true or false.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetBoolean(
    c: *mut c_void,
    vr: *const u32,
    count: usize,
    values: *const u8,
    value_count: usize,
) -> c_int {
    let set = || unsafe { super::set(c, vr, count, values, Kind::Boolean, |x| f64::from(u8::from(x != 0))) };
    counted(c, count, value_count).unwrap_or_else(set)
}

/// Texts; they hold until the next call of this function for the same instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetString(
    c: *mut c_void,
    vr: *const u32,
    count: usize,
    values: *mut *const c_char,
    value_count: usize,
) -> c_int {
    counted(c, count, value_count).unwrap_or_else(|| unsafe { super::texts(c, vr, count, values) })
}

/// Keeps the state, in the place of that in `state` if there is one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetFMUState(c: *mut c_void, state: *mut *mut c_void) -> c_int {
    unsafe { super::keep(c, state) }
}

/// Goes back to a state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetFMUState(c: *mut c_void, state: *mut c_void) -> c_int {
    super::go_back(c, state)
}

/// Frees a state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3FreeFMUState(c: *mut c_void, state: *mut *mut c_void) -> c_int {
    unsafe { super::free_state(c, state) }
}

/// Length of a state as bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SerializedFMUStateSize(c: *mut c_void, state: *mut c_void, size: *mut usize) -> c_int {
    unsafe { super::size(c, state, size) }
}

/// A state as bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SerializeFMUState(
    c: *mut c_void,
    state: *mut c_void,
    bytes: *mut u8,
    size: usize,
) -> c_int {
    unsafe { super::serialise(c, state, bytes, size) }
}

/// A state from bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DeserializeFMUState(
    c: *mut c_void,
    bytes: *const u8,
    size: usize,
    state: *mut *mut c_void,
) -> c_int {
    unsafe { super::deserialise(c, bytes, size, state) }
}

/// A communication step. An event of the scene that ends the run asks the importer to terminate.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DoStep(
    c: *mut c_void,
    from: f64,
    step: f64,
    _no_return: u8,
    event: *mut u8,
    terminate: *mut u8,
    early: *mut u8,
    last: *mut f64,
) -> c_int {
    on(c, |i| {
        let (event, terminate, early) = unsafe {
            (out(event, "eventHandlingNeeded")?, out(terminate, "terminateSimulation")?, out(early, "earlyReturn")?)
        };
        let last = unsafe { out(last, "lastSuccessfulTime") }?;
        let done = i.step(from, step)?;
        event.put(0);
        terminate.put(u8::from(!done));
        early.put(u8::from(!done));
        last.put(i.model.time());
        Ok(OK)
    })
}

/// All outputs depend on all that comes before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetNumberOfVariableDependencies(c: *mut c_void, _vr: u32, _count: *mut usize) -> c_int {
    none(c)
}

fn none(c: *mut c_void) -> c_int {
    on(c, |_| {
        Err(Fault::input("this function is not for co-simulation without events, clocks, arrays and derivatives"))
    })
}

/// Functions of other types and kinds of FMUs, which must be there: an error, but for no variables at all.
macro_rules! other {
    ($($name:ident($($argument:ty),*);)*) => {
        $(
            /// Not for this kind of FMU: an error.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(c: *mut c_void, $(_: $argument),*) -> c_int {
                none(c)
            }
        )*
    };
}

/// There are no variables of these types.
macro_rules! untyped {
    ($($get:ident, $set:ident, $type:ty;)*) => {
        $(
            /// There are no variables of this type.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $get(c: *mut c_void, _: *const u32, count: usize, _: *mut $type, _: usize) -> c_int {
                if count == 0 { on(c, |_| Ok(OK)) } else { none(c) }
            }

            /// There are no variables of this type.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $set(c: *mut c_void, _: *const u32, count: usize, _: *const $type, _: usize) -> c_int {
                if count == 0 { on(c, |_| Ok(OK)) } else { none(c) }
            }
        )*
    };
}

untyped! {
    fmi3GetFloat32, fmi3SetFloat32, f32;
    fmi3GetInt8, fmi3SetInt8, i8;
    fmi3GetUInt8, fmi3SetUInt8, u8;
    fmi3GetInt16, fmi3SetInt16, i16;
    fmi3GetUInt16, fmi3SetUInt16, u16;
    fmi3GetInt32, fmi3SetInt32, i32;
    fmi3GetUInt32, fmi3SetUInt32, u32;
    fmi3GetInt64, fmi3SetInt64, i64;
    fmi3GetUInt64, fmi3SetUInt64, u64;
}

other! {
    fmi3SetString(*const u32, usize, *const *const c_char, usize);
    fmi3GetBinary(*const u32, usize, *mut usize, *mut *const u8, usize);
    fmi3SetBinary(*const u32, usize, *const usize, *const *const u8, usize);
    fmi3GetClock(*const u32, usize, *mut u8);
    fmi3SetClock(*const u32, usize, *const u8);
    fmi3GetVariableDependencies(u32, *mut usize, *mut u32, *mut usize, *mut c_int, usize);
    fmi3GetDirectionalDerivative(*const u32, usize, *const u32, usize, *const f64, usize, *mut f64, usize);
    fmi3GetAdjointDerivative(*const u32, usize, *const u32, usize, *const f64, usize, *mut f64, usize);
    fmi3GetOutputDerivatives(*const u32, usize, *const i32, *mut f64, usize);
    fmi3EnterConfigurationMode();
    fmi3ExitConfigurationMode();
    fmi3EnterEventMode();
    fmi3EnterStepMode();
    fmi3EnterContinuousTimeMode();
    fmi3GetIntervalDecimal(*const u32, usize, *mut f64, *mut c_int);
    fmi3GetIntervalFraction(*const u32, usize, *mut u64, *mut u64, *mut c_int);
    fmi3GetShiftDecimal(*const u32, usize, *mut f64);
    fmi3GetShiftFraction(*const u32, usize, *mut u64, *mut u64);
    fmi3SetIntervalDecimal(*const u32, usize, *const f64);
    fmi3SetIntervalFraction(*const u32, usize, *const u64, *const u64);
    fmi3SetShiftDecimal(*const u32, usize, *const f64);
    fmi3SetShiftFraction(*const u32, usize, *const u64, *const u64);
    fmi3EvaluateDiscreteStates();
    fmi3UpdateDiscreteStates(*mut u8, *mut u8, *mut u8, *mut u8, *mut u8, *mut f64);
    fmi3CompletedIntegratorStep(u8, *mut u8, *mut u8);
    fmi3SetTime(f64);
    fmi3SetContinuousStates(*const f64, usize);
    fmi3GetContinuousStateDerivatives(*mut f64, usize);
    fmi3GetEventIndicators(*mut f64, usize);
    fmi3GetContinuousStates(*mut f64, usize);
    fmi3GetNominalsOfContinuousStates(*mut f64, usize);
    fmi3GetNumberOfEventIndicators(*mut usize);
    fmi3GetNumberOfContinuousStates(*mut usize);
    fmi3ActivateModelPartition(u32, f64);
}

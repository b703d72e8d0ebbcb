//! What every call across the border goes through: no panic gets out, errors have a number and a text, pointers are looked at.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[cfg(not(panic = "unwind"))]
compile_error!("taut-c catches panics at its border: build it with panic = \"unwind\"");

/// What a call came to. `taut_last_error` has the words.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TautStatus {
    /// It is done.
    Ok = 0,
    /// A value was refused; nothing has changed.
    BadInput = 1,
    /// A handle names nothing: it is NULL, freed, removed, or of another world; nothing has changed.
    BadHandle = 2,
    /// Another thread is in a call with the same world; nothing has changed.
    Busy = 3,
    /// The step could not be taken; the world is as it was before.
    StepFailed = 4,
    /// An event of the scene has ended the run: no step was taken.
    Stopped = 5,
    /// The buffer is too small; the length that is needed was told.
    TooSmall = 6,
    /// An error inside the engine. The world can only be freed. Please report it.
    Internal = 7,
}

/// Why a call failed.
#[derive(Debug)]
pub(crate) struct Fault {
    pub status: TautStatus,
    pub message: String,
}

impl Fault {
    pub fn new(status: TautStatus, message: impl Into<String>) -> Self {
        Fault { status, message: message.into() }
    }

    /// A value that was refused.
    pub fn input(message: impl std::fmt::Display) -> Self {
        Fault::new(TautStatus::BadInput, message.to_string())
    }
}

impl From<taut::Error> for Fault {
    fn from(e: taut::Error) -> Self {
        let status = match e {
            taut::Error::Handle { .. } => TautStatus::BadHandle,
            taut::Error::Step { .. } => TautStatus::StepFailed,
            _ => TautStatus::BadInput,
        };
        Fault::new(status, e.to_string())
    }
}

impl From<taut_scenes::file::FileError> for Fault {
    fn from(e: taut_scenes::file::FileError) -> Self {
        Fault::input(e)
    }
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// The words of the last call of this thread that failed; empty when none has. They hold until the next call that fails in this thread.
#[unsafe(no_mangle)]
pub extern "C" fn taut_last_error() -> *const c_char {
    LAST.with(|last| last.try_borrow().map_or(c"".as_ptr(), |text| text.as_ptr()))
}

/// Runs a call. A panic becomes a fault.
pub(crate) fn caught<R>(work: impl FnOnce() -> Result<R, Fault>) -> Result<R, Fault> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        Err(Fault::new(TautStatus::Internal, format!("internal error: {}", text.unwrap_or("of no known kind"))))
    })
}

/// Runs a call and keeps the words of its error.
pub(crate) fn call(work: impl FnOnce() -> Result<(), Fault>) -> TautStatus {
    let Err(fault) = caught(work) else { return TautStatus::Ok };
    // A text in C ends at its first zero.
    let text = CString::new(fault.message.replace('\0', "\\0")).unwrap_or_default();
    LAST.with(|last| last.try_borrow_mut().map(|mut last| *last = text)).ok();
    fault.status
}

fn null(name: &str, expected: &str) -> Fault {
    Fault::input(format_args!("{name} = NULL: expected {expected}"))
}

/// A text. The caller says, by the rules of the header, that it ends with a zero.
pub(crate) unsafe fn text<'a>(from: *const c_char, name: &str) -> Result<&'a str, Fault> {
    // SAFETY: as the header asks of the caller.
    unsafe { optional_text(from, name) }?.ok_or_else(|| null(name, "a text"))
}

/// The same; NULL is none.
pub(crate) unsafe fn optional_text<'a>(from: *const c_char, name: &str) -> Result<Option<&'a str>, Fault> {
    if from.is_null() {
        return Ok(None);
    }
    // SAFETY: as the header asks of the caller: it ends with a zero.
    let text = unsafe { CStr::from_ptr(from) };
    let refuse = |_| Fault::input(format_args!("{name} = {}: expected UTF-8", text.to_string_lossy()));
    text.to_str().map(Some).map_err(refuse)
}

/// A value of the caller.
pub(crate) unsafe fn read<'a, T>(from: *const T, name: &str) -> Result<&'a T, Fault> {
    // SAFETY: as the header asks of the caller: NULL, or a value.
    unsafe { from.as_ref() }.ok_or_else(|| null(name, "a value"))
}

/// Refuses more values than any array has.
fn countable<T>(count: usize, name: &str) -> Result<(), Fault> {
    match count.checked_mul(size_of::<T>()) {
        Some(bytes) if bytes <= isize::MAX as usize => Ok(()),
        _ => Err(Fault::input(format_args!("count = {count}: expected the number of {name} in the array"))),
    }
}

/// Values of the caller; with none of them the pointer may be NULL.
pub(crate) unsafe fn list<'a, T>(from: *const T, count: usize, name: &str) -> Result<&'a [T], Fault> {
    countable::<T>(count, name)?;
    match count {
        0 => Ok(&[]),
        _ if from.is_null() => Err(null(name, &format!("{count} values"))),
        // SAFETY: as the header asks of the caller: so many values.
        _ => Ok(unsafe { std::slice::from_raw_parts(from, count) }),
    }
}

/// Where a value goes that the caller gets.
pub(crate) struct Out<T>(*mut T);

impl<T> Out<T> {
    pub fn put(self, value: T) {
        // SAFETY: it is not NULL, and as the header asks of the caller a place for a value.
        unsafe { self.0.write(value) }
    }
}

/// A place of the caller for a value: NULL, or one that holds during the call.
pub(crate) unsafe fn out<T>(to: *mut T, name: &str) -> Result<Out<T>, Fault> {
    if to.is_null() { Err(null(name, "a place for the result")) } else { Ok(Out(to)) }
}

/// Room of the caller for so many values.
pub(crate) unsafe fn room<'a, T>(to: *mut T, count: usize, name: &str) -> Result<&'a mut [MaybeUninit<T>], Fault> {
    countable::<T>(count, name)?;
    match count {
        0 => Ok(&mut []),
        _ if to.is_null() => Err(null(name, &format!("room for {count} values"))),
        // SAFETY: as the header asks of the caller: room for so many values, which nobody else uses during the call.
        _ => Ok(unsafe { std::slice::from_raw_parts_mut(to.cast(), count) }),
    }
}

/// Copies what there is into the caller's buffer and tells how much that is. Without a buffer (NULL) the length is told alone.
pub(crate) unsafe fn copy<T: Copy>(from: &[T], to: *mut T, capacity: usize, length: *mut usize) -> Result<(), Fault> {
    // SAFETY: as the header asks of the caller.
    unsafe { out(length, "length") }?.put(from.len());
    if to.is_null() {
        return Ok(());
    }
    if capacity < from.len() {
        let message = format!("capacity = {capacity}: expected at least {}", from.len());
        return Err(Fault::new(TautStatus::TooSmall, message));
    }
    // SAFETY: as the header asks of the caller: room for `capacity` values.
    for (to, from) in unsafe { room(to, from.len(), "buffer") }?.iter_mut().zip(from) {
        to.write(*from);
    }
    Ok(())
}

/// The same with a text, which ends with a zero; the length is told without it.
pub(crate) unsafe fn copy_text(from: &str, to: *mut c_char, capacity: usize, length: *mut usize) -> Result<(), Fault> {
    let bytes: Vec<u8> = from.bytes().filter(|b| *b != 0).chain([0]).collect();
    // SAFETY: as for `copy`.
    let done = unsafe { copy(&bytes, to.cast(), capacity, length) };
    // SAFETY: as for `copy`.
    unsafe { out(length, "length") }?.put(bytes.len() - 1);
    done
}

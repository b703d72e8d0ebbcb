//! Settings, in the words of the command line.

use crate::call::{Fault, TautStatus, copy_text, text};
use crate::world::{TautWorld, on};
use std::ffi::c_char;
use taut::{Options, Vec3};
use taut_scenes::{Method, Wanted, choices};

const NAMES: &str = "one of gravity, coordinates, stabiliser, solver, bounded, bounded-tolerance, sleep and parallel";

/// Changes a setting. `gravity` is three numbers with commas between them (m/s^2); `sleep` and `parallel` are `true` or `false`;
/// `coordinates`, `stabiliser`, `solver`, `bounded` and `bounded-tolerance` are as `taut run --help` has them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_world_set_option(
    world: *mut TautWorld,
    name: *const c_char,
    value: *const c_char,
) -> TautStatus {
    on(world, |held| {
        // SAFETY: see the rules of the crate.
        let (name, value) = unsafe { (text(name, "name")?, text(value, "value")?) };
        let refuse = |e: String| Fault::input(format_args!("{name} = {value}: {e}"));
        let world = held.world();
        let options = *world.options();
        let mut wanted = Wanted::default();
        match name {
            "gravity" => return Ok(world.set_options(Options { gravity: vector(value).map_err(refuse)?, ..options })?),
            "sleep" => return Ok(world.set_options(Options { sleep: switch(value).map_err(refuse)?, ..options })?),
            "parallel" => {
                return Ok(world.set_options(Options { parallel: switch(value).map_err(refuse)?, ..options })?);
            }
            "coordinates" => wanted.coordinates = Some(choices::coordinates(value).map_err(refuse)?),
            "stabiliser" => wanted.stabiliser = Some(choices::stabiliser(value).map_err(refuse)?),
            "solver" => wanted.solver = Some(choices::solver(value).map_err(refuse)?),
            "bounded" => wanted.bounded = Some(choices::bounded(value).map_err(refuse)?),
            "bounded-tolerance" => wanted.bounded_tolerance = Some(choices::number(value).map_err(refuse)?),
            _ => return Err(Fault::input(format_args!("name = {name}: expected {NAMES}"))),
        }
        Ok(wanted.apply(world)?)
    })
}

/// Writes a setting into `buffer` as it can be set, with a zero at its end, and its length without the zero into `length`; `solver` is the
/// one that runs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_world_option(
    world: *const TautWorld,
    name: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> TautStatus {
    on(world, |held| {
        // SAFETY: see the rules of the crate.
        let name = unsafe { text(name, "name") }?;
        let options = held.scene.world.options();
        let method = Method::of(options);
        let value = match name {
            "gravity" => options.gravity.to_array().map(|x| x.to_string()).join(","),
            "sleep" => options.sleep.to_string(),
            "parallel" => options.parallel.to_string(),
            "coordinates" => method.coordinates.to_owned(),
            "stabiliser" => method.stabiliser,
            "solver" => method.solver,
            "bounded" => method.bounded,
            "bounded-tolerance" => method.tolerance.to_string(),
            _ => return Err(Fault::input(format_args!("name = {name}: expected {NAMES}"))),
        };
        // SAFETY: see the rules of the crate.
        unsafe { copy_text(&value, buffer, capacity, length) }
    })
}

fn vector(value: &str) -> Result<Vec3, String> {
    let numbers: Result<Vec<f64>, String> = value.split(',').map(|x| choices::number(x.trim())).collect();
    match numbers?[..] {
        [x, y, z] => Ok(Vec3::new(x, y, z)),
        _ => Err("expected three numbers with commas between them".into()),
    }
}

fn switch(value: &str) -> Result<bool, String> {
    value.parse().map_err(|_| "expected true or false".into())
}

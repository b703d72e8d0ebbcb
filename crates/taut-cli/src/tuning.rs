//! `taut tuning`, for studies of the numbers that somebody chose (feature `ablate`).

use crate::output;
use taut_solve as solve;

/// Name, chosen value and unit.
pub type Number = (&'static str, String, &'static str);

/// All numbers of the engine and of the solvers.
pub fn numbers() -> Vec<Number> {
    [taut::numbers(), solve::numbers()].concat()
}

/// Prints name, chosen value and unit of each number, one line each, separated by tabs.
pub fn print() -> Result<u8, String> {
    for (name, value, unit) in numbers() {
        output::print(&format!("{name}\t{value}\t{unit}\n"))?;
    }
    Ok(0)
}

/// Refuses names that are not there: a study of them would find that they do nothing.
pub fn check() -> Result<(), String> {
    let all = numbers();
    match solve::ablate::scaled().find(|name| !all.iter().any(|(n, ..)| n == name)) {
        Some(name) => Err(format!("TAUT_TUNING: {name}: expected a name that `taut tuning` prints")),
        None => Ok(()),
    }
}

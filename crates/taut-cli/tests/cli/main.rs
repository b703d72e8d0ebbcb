//! The command, as a user meets it.

mod check;
mod cli;
mod common;
mod compare;
mod figure;
mod fmu;
mod fuzz;
mod models;
mod report;
mod save;
mod soak;
mod speed;
mod sweep;

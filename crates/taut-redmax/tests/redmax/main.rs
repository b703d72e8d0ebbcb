//! RedMax's step and its articulated solvers.

#[path = "../../../taut-tests/tests/common/mod.rs"]
mod common;

mod articulated;
mod articulated_explicit;
mod articulated_loops;
mod linkage;
mod options;

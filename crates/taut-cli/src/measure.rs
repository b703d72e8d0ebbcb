//! What `taut bench` prints and `taut figure` draws, measured in one place.

pub mod elongation;
pub mod inverse;
pub mod reduced;
pub mod statistics;
pub mod turns;

pub use taut_bench::fit::line;

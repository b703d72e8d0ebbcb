//! RedMax (Baxter 2019): the step in reduced coordinates alone, with its own matrices and books.

mod assemble;
mod books;
mod closing;
pub(crate) mod explicit;
#[cfg(test)]
mod explicit_tests;
#[cfg(test)]
mod golden_tests;
pub(crate) mod parts;
mod passes;
mod reactions;
#[cfg(test)]
mod redmax_tests;
pub(crate) mod step;
mod stiffness;

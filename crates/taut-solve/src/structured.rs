//! Loop rows by iterations on top of a linear-time solve of everything else (Faure's structured solution).
//!
//! The rows are split into acyclic ones (a), a spanning forest, and loop ones (l). With the acyclic matrix
//! ```text
//! Ka = [ M    Ja^T     ]      (v, ya) = Ka^-1 (f, ba) in linear time, leaf to root
//!      [ Ja  -Sigma_a  ]
//! ```
//! and V the velocity block of Ka^-1, the loop impulses z solve
//! ```text
//! Ahat z = bhat,    Ahat = Jl V Jl^T + Sigma_l,    bhat = bl - Jl v(z = 0)
//! ```
//! which is symmetric and positive semi-definite: one product is one acyclic solve. Conjugate gradients where the loops are independent,
//! conjugate residuals where they may be redundant or the iterations may be cut short: their residual never grows.
//! Departs from the slides: the biconjugate gradient has the same iterates as `cg` here, at twice the cost.
//!
//! `budget` says when to stop, `krylov` iterates; neither knows what the product is.

pub mod budget;
pub mod krylov;
pub mod memory;

pub use budget::{Budget, Meter};
pub use krylov::{End, Krylov, LoopInfo, LoopMethod, solve_loops};
pub use memory::{Errors, Loops, Purpose};

//! RedMax (Baxter 2019) for Taut: the step in reduced coordinates alone, with its own matrices, solvers and books.
//!
//! [`attach`] plugs it into a world, which then takes this step whenever its options ask for it: reduced coordinates with the stabiliser
//! none, or with one of the solvers articulated, elimination, pcg and partial-pcg. The state is the same as that of the engine's own
//! step, so that a world can change between the two at any time. [`reduced_system`] hands out the linear system of the next step.
//!
//! ```
//! use taut::{Ball, Body, Coordinates, MassProperties, Options, Solver, Vec3, World};
//! let mut world = World::new();
//! let ball = world.add(Body::dynamic(MassProperties::sphere(1000.0, 0.1)?).at(Vec3::X))?;
//! world.add(Ball::between(ball, world.ground()).at(Vec3::ZERO).axis(Vec3::Y))?;
//! taut_redmax::attach(&mut world);
//! world.set_options(Options { coordinates: Coordinates::Reduced, solver: Solver::Elimination, ..Options::default() })?;
//! assert_eq!(world.step(0.01)?.path, Solver::Elimination);
//! # Ok::<(), taut::Error>(())
//! ```
//!
//! The solvers of [`articulated`] see matrices, never bodies.

pub mod articulated;
mod assemble;
mod books;
mod closing;
mod explicit;
#[cfg(test)]
mod explicit_tests;
#[cfg(test)]
mod golden_tests;
mod method;
mod parts;
mod passes;
mod reactions;
#[cfg(test)]
mod redmax_tests;
mod step;
mod stiffness;
#[cfg(test)]
mod testing;
mod tuning;

pub use explicit::{ReducedFreedom, ReducedRow, ReducedSolution, ReducedSystem};
pub use method::{attach, reduced_system};

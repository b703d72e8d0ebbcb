//! A step of its own, in place of the one equation: what another crate plugs into a world ([`World::attach`](crate::World::attach)).
//!
//! The options say when it is taken: for a step in reduced coordinates alone ([`Options::is_reduced_alone`]). That is RedMax's, in the
//! crate `taut-redmax`.

use crate::error::{Error, Result};
use crate::model::Model;
use crate::options::Options;
use crate::report::StepReport;
use crate::state::State;
use std::any::Any;
use std::fmt;

/// A step of its own. Model and state are closed to all but the crates of Taut.
///
/// `taut_redmax::attach` plugs in RedMax's step. A method that refuses every step:
/// ```
/// use taut::{Coordinates, Error, Options, Result, Stabiliser, State, StepReport, World, inner::Model, method::Method};
///
/// #[derive(Debug)]
/// struct Refusing;
///
/// impl Method for Refusing {
///     fn prepare(&mut self, _: &Options, _: &Model) -> Result<()> {
///         Ok(())
///     }
///     fn step(&mut self, _: &Options, _: &Model, state: &mut State, _: f64) -> Result<StepReport> {
///         Err(Error::step(state.time(), "the method", "it takes no steps"))
///     }
///     fn forget(&mut self) {}
///     fn boxed(&self) -> Box<dyn Method> {
///         Box::new(Refusing)
///     }
/// }
///
/// let alone = Options { coordinates: Coordinates::Reduced, stabiliser: Stabiliser::None, ..Options::default() };
/// let mut world = World::new();
/// assert!(world.set_options(alone).is_err());
/// world.attach(Refusing);
/// world.set_options(alone)?;
/// assert!(matches!(world.step(0.01), Err(Error::Step { .. })));
/// # Ok::<(), taut::Error>(())
/// ```
pub trait Method: Any + fmt::Debug + Send + Sync {
    /// Gets ready for a step of a world as it is, or refuses it. Called before every step.
    fn prepare(&mut self, options: &Options, model: &Model) -> Result<()>;

    /// Takes a step of `h` seconds with all bodies awake. On an error the state is as it was. The world ends the loads of the step and
    /// breaks joints afterwards.
    fn step(&mut self, options: &Options, model: &Model, state: &mut State, h: f64) -> Result<StepReport>;

    /// Throws away what was made for the model as it was: bodies, joints, forces or colliders have come or gone, or joints have other roles.
    fn forget(&mut self);

    /// A copy, for a copy of the world.
    fn boxed(&self) -> Box<dyn Method>;
}

impl Clone for Box<dyn Method> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}

/// The options ask for a method, and none is attached.
pub(crate) fn missing(o: &Options) -> Error {
    let given =
        format!("{} with {} coordinates and stabiliser {}", o.solver.name(), o.coordinates.name(), o.stabiliser.name());
    let expected = "a world with RedMax's step: call taut_redmax::attach(&mut world) of the crate taut-redmax first; \
                    or the solver auto with the stabiliser aligned, the defaults";
    Error::input("solver", given, expected)
}

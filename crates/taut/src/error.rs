//! What can go wrong, in words a user can act on: which input, its value, what was expected.

use std::fmt;

/// Every error of the engine. A call that returns one has changed nothing.
///
/// A call that is refused says which value, and what would have been right; nothing has changed.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let refused = world.add(Body::particle(-3.0));
/// assert!(matches!(&refused, Err(Error::Input { name, value, .. }) if name == "mass" && value == "-3"));
/// let stone = world.add(Body::particle(3.0))?;
/// world.remove(stone)?;
/// assert!(matches!(world.body(stone), Err(Error::Handle { what: "body", .. })));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A value was refused where it entered.
    Input {
        /// Name of the parameter.
        name: String,
        /// The value that was given.
        value: String,
        /// What would have been accepted.
        expected: String,
    },
    /// A handle that does not (or no longer does) name anything in this world.
    Handle {
        /// "body", "joint", "coupling", "force" or "collider".
        what: &'static str,
        /// The handle, as printed.
        handle: String,
        /// What would have been accepted.
        expected: String,
    },
    /// A stabiliser was paired with a solver that cannot take its matrix.
    Pairing {
        /// Name of the stabiliser.
        stabiliser: &'static str,
        /// Name of the solver.
        solver: &'static str,
        /// Why they do not fit and what does.
        expected: &'static str,
    },
    /// The step could not be taken; the state is as it was before.
    Step {
        /// Time at the start of the step, s.
        time: f64,
        /// The body, joint or row that is to blame.
        culprit: String,
        /// What happened.
        reason: String,
    },
    /// The parts could not be brought together; the state is as it was before.
    Assembly {
        /// The joint that is open most.
        joint: String,
        /// By how much, m (rad).
        gap: f64,
        /// How much would have been accepted, m (rad).
        expected: f64,
        /// Passes that were made.
        passes: usize,
    },
    /// Efforts at the given joints cannot hold the mechanism, or give it the wanted accelerations.
    Unbalanced {
        /// Where effort was allowed.
        joints: String,
        /// What would have to act at the other freedoms too, the largest part first; forces and torques are compared by what they can move.
        missing: Vec<Shortfall>,
    },
}

/// What is missing at one freedom.
///
/// An arm of two links of 10 kg, held at the shoulder alone: what is missing is m g l/2 at the elbow.
/// ```
/// # use taut::prelude::*;
/// # let mut world = World::new();
/// # let link = MassProperties::cuboid(1000.0, Vec3::new(0.5, 0.05, 0.05))?;
/// # let upper = world.add(Body::dynamic(link).at(0.5 * Vec3::X))?;
/// # let fore = world.add(Body::dynamic(link).at(1.5 * Vec3::X))?;
/// let shoulder = world.add(Hinge::between(upper, world.ground()).at(Vec3::ZERO).axis(Vec3::Z).named("shoulder"))?;
/// world.add(Hinge::between(fore, upper).at(Vec3::X).axis(Vec3::Z).named("elbow"))?;
/// let Err(Error::Unbalanced { missing, .. }) = world.dynamics()?.hold_with(&[shoulder]) else { panic!() };
/// assert_eq!((missing[0].name.as_str(), missing[0].unit), ("elbow", "N m"));
/// assert!((missing[0].missing - 10.0 * 9.81 * 0.5).abs() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Shortfall {
    /// The freedom, by its place in [`crate::control::Dynamics::dofs`].
    pub dof: usize,
    /// Its name.
    pub name: String,
    /// Force or torque that would have to act there too.
    pub missing: f64,
    /// "N" or "N m".
    pub unit: &'static str,
}

/// Most freedoms that an error lists.
const LISTED: usize = 4;

/// "4.9 N m at elbow, 2 N at base y and 3 more".
fn listed(missing: &[Shortfall]) -> String {
    let number = |x: f64| if (1e-3..1e6).contains(&x.abs()) { format!("{x:.6}") } else { format!("{x:.6e}") };
    let of = |s: &Shortfall| format!("{} {} at {}", number(s.missing), s.unit, s.name);
    let shown: Vec<String> = missing.iter().take(LISTED).map(of).collect();
    let more = missing.len().saturating_sub(LISTED);
    let rest = if more > 0 { format!(" and something at {more} more") } else { String::new() };
    format!("{}{rest}", shown.join(", "))
}

impl Error {
    /// An [`Error::Input`].
    pub fn input(name: impl Into<String>, value: impl fmt::Display, expected: impl Into<String>) -> Self {
        Error::Input { name: name.into(), value: short(&value.to_string()), expected: expected.into() }
    }

    /// An [`Error::Step`].
    pub fn step(time: f64, culprit: impl Into<String>, reason: impl Into<String>) -> Self {
        Error::Step { time, culprit: culprit.into(), reason: reason.into() }
    }
}

/// Longest number that is written out, characters: all that a number of 64 bits can tell, with sign and point.
const LONGEST: usize = 24;

/// A text with its long numbers in powers of ten: 1.00e150, and not a hundred and fifty zeros.
fn short(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, tail) = rest.split_at(start);
        let end = tail.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(tail.len());
        let (number, after) = tail.split_at(end);
        out.push_str(before);
        match number.parse::<f64>() {
            Ok(x) if number.len() > LONGEST => out.push_str(&format!("{x:.2e}")),
            _ => out.push_str(number),
        }
        rest = after;
    }
    out + rest
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Input { name, value, expected } => write!(f, "{name} = {value}: expected {expected}"),
            Error::Handle { what, handle, expected } => write!(f, "{what} {handle}: expected {expected}"),
            Error::Pairing { stabiliser, solver, expected } => {
                write!(f, "stabiliser {stabiliser} with solver {solver}: expected {expected}")
            }
            Error::Assembly { joint, gap, expected, passes } => {
                write!(
                    f,
                    "assembly stopped after {passes} passes with {joint} open by {gap:.3e} m (rad): expected at most {expected:e}; \
                     joints contradict each other, or the parts are too far from where they fit; the state is unchanged"
                )
            }
            Error::Unbalanced { joints, missing } => {
                let given = if joints.is_empty() { "none" } else { joints };
                write!(f, "efforts at {given}: expected joints that can carry it all; missing are {}", listed(missing))
            }
            Error::Step { time, culprit, reason } => {
                write!(f, "step at t = {time} s failed at {culprit}: {reason}; the state is unchanged")
            }
        }
    }
}

impl std::error::Error for Error {}

/// `Result` with the engine's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// " of m"; nothing where there is no unit.
fn of(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!(" of {unit}") }
}

/// Refuses anything that is not finite and positive; `unit` is empty where there is none.
pub fn positive(name: &str, value: f64, unit: &str) -> Result<f64> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(Error::input(name, value, format!("a positive, finite number{}", of(unit))))
    }
}

/// Refuses anything that is not finite and at least zero.
pub(crate) fn non_negative(name: &str, value: f64, unit: &str) -> Result<f64> {
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err(Error::input(name, value, format!("a finite number{}, zero or more", of(unit))))
    }
}

/// Refuses a number that is not finite.
pub(crate) fn finite(name: &str, value: f64, unit: &str) -> Result<f64> {
    if value.is_finite() { Ok(value) } else { Err(Error::input(name, value, format!("a finite number{}", of(unit)))) }
}

/// Refuses a vector with a component that is not finite.
pub(crate) fn finite_vec(name: &str, value: glam::DVec3, unit: &str) -> Result<glam::DVec3> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(Error::input(name, value, format!("three finite numbers{}", of(unit))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_written_in_powers_of_ten() {
        let e = Error::input("mass", 1e150, "less").to_string();
        assert_eq!(e, "mass = 1.00e150: expected less");
        let v = glam::DVec3::new(1e150, -2.5, 1e-200);
        assert_eq!(short(&v.to_string()), "[1.00e150, -2.5, 1.00e-200]");
        for text in
            ["", "0.30000000000000004", "-1.7976931348623157", "1.2.3", "links = 1e9", "a fraction such as 1/60"]
        {
            assert_eq!(short(text), text);
        }
    }
}

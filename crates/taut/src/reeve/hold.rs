//! How ropes hold to their guides: bearings, friction, ratchets.

use crate::error::{Error, Result};
use crate::tuning::T;

/// How a rope holds to a guide: how much tighter it can be on one side than on the other before it slips.
///
/// A load of 100 kg over a bollard with half a turn and a friction of 0.3 is held by what 39 kg weigh.
/// ```
/// use taut::prelude::*;
/// use taut::{Sheave, parts::Hold};
/// let mut world = World::new();
/// let load = world.add(Body::particle(100.0).at(Vec3::new(0.1, -2.0, 0.0)))?;
/// let hand = world.add(Body::particle(40.0).at(Vec3::new(-0.1, -2.0, 0.0)))?;
/// let bollard = Sheave::on(world.ground(), Vec3::ZERO, Vec3::Z, 0.1).friction(0.3);
/// let rope = world.add(Rope::from(load, Vec3::new(0.1, -2.0, 0.0)).over(bollard).to(hand, Vec3::new(-0.1, -2.0, 0.0)))?;
/// for _ in 0..100 {
///     world.step(0.01)?;
/// }
/// assert!(world.body(load)?.velocity().length() < 1e-9);
/// assert_eq!(bollard.hold, Hold::Friction(0.3));
/// let tensions: Vec<f64> = world.rope(rope)?.tensions().collect();
/// assert!((tensions[0] - 981.0).abs() < 1e-3 && (tensions[1] - 392.4).abs() < 1e-3);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Hold {
    /// It runs freely.
    #[default]
    Free,
    /// A bearing with this efficiency, above 0 and up to 1: hauled over it a rope is tighter by one over that.
    Efficiency(f64),
    /// Friction with this coefficient: exp(coefficient x angle of wrap) (Euler and Eytelwein).
    Friction(f64),
    /// Friction against one way and none the other: a ratchet block. The first number is the ratio of the tensions, at least 1, that it
    /// can hold back when the rope wants to run towards its end; the second when it wants to run towards its start.
    Ratios([f64; 2]),
    /// It does not slip.
    Fast,
}

impl Hold {
    /// What can be said of it at a guide; free where it holds nothing.
    pub(crate) fn check(self, name: &str) -> Result<Hold> {
        match self {
            Hold::Efficiency(eta) if !(eta > 0.0 && eta <= 1.0) => {
                Err(Error::input(format!("efficiency of {name}"), eta, "above 0 and at most 1"))
            }
            Hold::Friction(mu) if !(mu >= 0.0 && mu.is_finite()) => {
                Err(Error::input(format!("friction of {name}"), mu, "a finite coefficient, 0 or more"))
            }
            Hold::Ratios(ratios) if !ratios.iter().all(|k| *k >= 1.0 && k.is_finite()) => {
                let given = format!("{} and {}", ratios[0], ratios[1]);
                Err(Error::input(format!("ratios of {name}"), given, "finite ratios of tensions, 1 or more"))
            }
            Hold::Efficiency(1.0) | Hold::Ratios([1.0, 1.0]) => Ok(Hold::Free),
            Hold::Friction(0.0) => Ok(Hold::Free),
            kept => Ok(kept),
        }
    }

    /// Largest ratio of the tension after the guide to that before it, and of that before it to that after it, for an angle of wrap, rad.
    pub(crate) fn ratios(self, wrap: f64) -> [f64; 2] {
        let ratios = match self {
            Hold::Free => [1.0; 2],
            Hold::Efficiency(eta) => [1.0 / eta; 2],
            Hold::Friction(mu) => [libm::exp(mu * wrap.max(0.0)); 2],
            Hold::Ratios(ratios) => ratios,
            Hold::Fast => [f64::INFINITY; 2],
        };
        ratios.map(|k| k.clamp(1.0, T.ropes.most_ratio))
    }

    /// As numbers: its kind and what it has.
    pub(crate) fn numbers(self) -> [f64; 3] {
        match self {
            Hold::Free => [0.0, 0.0, 0.0],
            Hold::Efficiency(eta) => [1.0, eta, 0.0],
            Hold::Friction(mu) => [2.0, mu, 0.0],
            Hold::Ratios([on, back]) => [3.0, on, back],
            Hold::Fast => [4.0, 0.0, 0.0],
        }
    }

    /// From numbers; none of those that mean nothing.
    pub(crate) fn of([kind, a, b]: [f64; 3]) -> Option<Hold> {
        let hold = match kind as i64 {
            0 => Hold::Free,
            1 => Hold::Efficiency(a),
            2 => Hold::Friction(a),
            3 => Hold::Ratios([a, b]),
            4 => Hold::Fast,
            _ => return None,
        };
        (hold.numbers() == [kind, a, b] && hold.check("").is_ok()).then_some(hold)
    }

    /// Whether it divides a rope into pieces of different tension.
    pub(crate) fn divides(self) -> bool {
        self != Hold::Free
    }
}

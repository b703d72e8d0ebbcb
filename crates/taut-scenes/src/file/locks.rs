//! Axes along and about which something is locked.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Locked axes.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, bound(deserialize = "A: Deserialize<'de>"))]
pub struct Locks<A> {
    /// Axes along which nothing moves. Default: none.
    #[serde(default)]
    pub along: Vec<A>,
    /// Axes about which nothing turns. Default: none.
    #[serde(default)]
    pub about: Vec<A>,
}

impl<A> Default for Locks<A> {
    fn default() -> Self {
        Locks { along: Vec::new(), about: Vec::new() }
    }
}

/// An axis of the world.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum WorldAxis {
    /// Along x.
    X,
    /// Along y.
    Y,
    /// Along z.
    Z,
}

/// An axis of a joint's frame on its first body.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum JointAxis {
    /// The first axis across, along `across`.
    U,
    /// The second axis across.
    V,
    /// The main axis, along `axis`.
    N,
}

/// One of three axes.
pub trait Third: Copy {
    /// All of them in order.
    const ALL: [Self; 3];
    /// Its place among them.
    fn place(self) -> usize;
}

impl Third for WorldAxis {
    const ALL: [Self; 3] = [WorldAxis::X, WorldAxis::Y, WorldAxis::Z];
    fn place(self) -> usize {
        self as usize
    }
}

impl Third for JointAxis {
    const ALL: [Self; 3] = [JointAxis::U, JointAxis::V, JointAxis::N];
    fn place(self) -> usize {
        self as usize
    }
}

impl<A: Third> Locks<A> {
    /// As the engine has them.
    pub(super) fn engine(&self) -> taut::Locks {
        let mask = |list: &[A]| {
            let mut out = [false; 3];
            list.iter().for_each(|a| out[a.place()] = true);
            out
        };
        taut::Locks { linear: mask(&self.along), angular: mask(&self.about) }
    }

    /// What says these.
    pub(super) fn saying(locks: taut::Locks) -> Self {
        let list = |mask: [bool; 3]| A::ALL.into_iter().filter(|a| mask[a.place()]).collect();
        Locks { along: list(locks.linear), about: list(locks.angular) }
    }
}

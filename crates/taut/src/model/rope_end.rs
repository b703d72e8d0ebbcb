//! The ends of ropes over guides, and what a cut makes of a rope.

use crate::ids::{BodyId, RopeId};

/// One of the two ends of a rope over guides. It names that end as long as the rope is there, whatever it is tied to.
///
/// A load hangs on a rope over a sheave. Its other end is let go, and runs over the sheave after it.
/// ```
/// use taut::prelude::*;
/// use taut::{RopeEnd, Sheave};
/// let mut world = World::new();
/// let load = world.add(Body::particle(10.0).at(Vec3::new(0.2, -2.0, 0.0)))?;
/// let sheave = Sheave::on(world.ground(), Vec3::ZERO, Vec3::Z, 0.2);
/// let rope = Rope::from(world.ground(), Vec3::new(-0.2, -1.0, 0.0)).over(sheave);
/// let rope = world.add(rope.to(load, Vec3::new(0.2, -2.0, 0.0)))?;
/// world.release_rope(RopeEnd::first_of(rope))?;
/// for _ in 0..60 {
///     world.step(1.0 / 60.0)?;
/// }
/// // It has run out of the sheave, and falls.
/// assert_eq!(world.rope(rope)?.span_count(), 1);
/// assert!(world.body(load)?.velocity().y < -9.5);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RopeEnd {
    /// The rope.
    pub rope: RopeId,
    /// Whether it is the end that the rope was led to, and not the one that it begins with.
    pub last: bool,
}

impl RopeEnd {
    /// Where the rope begins.
    pub fn first_of(rope: RopeId) -> Self {
        RopeEnd { rope, last: false }
    }

    /// Where it ends.
    pub fn last_of(rope: RopeId) -> Self {
        RopeEnd { rope, last: true }
    }

    /// The end on the other side of the same rope.
    pub fn other(self) -> Self {
        RopeEnd { last: !self.last, ..self }
    }

    /// In pairs of ends: 0 for the first, 1 for the last.
    pub(crate) fn side(self) -> usize {
        usize::from(self.last)
    }

    /// "first end" or "last end".
    pub(crate) fn word(self) -> &'static str {
        if self.last { "last end" } else { "first end" }
    }
}

/// What a cut has made of a rope over guides.
///
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let load = world.add(Body::particle(10.0).at(-5.0 * Vec3::Y))?;
/// let rope = world.add(Rope::from(world.ground(), Vec3::ZERO).to(load, -5.0 * Vec3::Y))?;
/// let cut = world.cut_rope(rope, 2.0)?;
/// // The part from the start is the rope that was cut; the rest is a new one.
/// assert_eq!(cut.ropes[0], rope);
/// assert!((world.rope(cut.ropes[1])?.length() - 3.0).abs() < 1e-12);
/// assert_eq!(world.rope(rope)?.free_ends(), [None, Some(cut.nodes[0])]);
/// // Spliced it is one rope again.
/// assert_eq!(world.splice_ropes(cut.ends[0], cut.ends[1])?, rope);
/// assert!((world.rope(rope)?.length() - 5.0).abs() < 1e-12);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RopeCut {
    /// The part from the start, which goes on as the rope that was cut, and the new rope from there to the end.
    pub ropes: [RopeId; 2],
    /// The two new ends: the last of the first part, the first of the second.
    pub ends: [RopeEnd; 2],
    /// The particles at them.
    pub nodes: [BodyId; 2],
    /// Elastic energy that is left less what there was, J: zero or less.
    pub energy: f64,
}

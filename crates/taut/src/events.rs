//! What happened in a step: contacts that began and ended, limits reached, joints broken, guides that ropes met and left.

use crate::contact::{ContactRecord, PairWalk, Sensing};
use crate::ids::{BodyId, ColliderId, DeformableId, JointId, RopeId};
use glam::DVec3;

/// Something that happened in a step.
///
/// A light gate counts what passes: a parcel that flies at 2 m/s through a sensor comes in once and goes out once.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let beam = Shape::cuboid(Vec3::new(0.1, 1.0, 1.0));
/// let gate = world.add(Collider::new(beam).at(Vec3::X).on(world.ground()).sensing())?;
/// world.add(Body::solid(Shape::ball(0.1), 500.0)?.moving(2.0 * Vec3::X, Vec3::ZERO).gravity_scale(0.0))?;
/// let (mut came, mut went) = (0, 0);
/// for _ in 0..100 {
///     for event in world.step(0.01)?.events {
///         came += usize::from(matches!(event, Event::SensorBegan { colliders: (a, b) } if a == gate || b == gate));
///         went += usize::from(matches!(event, Event::SensorEnded { colliders: (a, b) } if a == gate || b == gate));
///     }
/// }
/// assert_eq!((came, went), (1, 1));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Event {
    /// Two colliders began to push at each other.
    ContactBegan {
        /// The colliders.
        colliders: (ColliderId, ColliderId),
        /// Sum of the impulses on the body of the first collider in this step, N s, rebound not counted.
        impulse: DVec3,
    },
    /// Two colliders no longer push at each other.
    ContactEnded {
        /// The colliders: the handle of one that was removed is no longer valid.
        colliders: (ColliderId, ColliderId),
    },
    /// A collider came into the space of a sensor.
    SensorBegan {
        /// The colliders, one of them a sensor.
        colliders: (ColliderId, ColliderId),
    },
    /// A collider left the space of a sensor.
    SensorEnded {
        /// The colliders, one of them a sensor: the handle of one that was removed is no longer valid.
        colliders: (ColliderId, ColliderId),
    },
    /// A limit began to push.
    LimitReached {
        /// The joint.
        joint: JointId,
        /// Which of its limits, ropes and ligaments' parts, in the order they were given.
        limit: usize,
        /// The upper side of it.
        upper: bool,
    },
    /// A joint broke and is gone.
    JointBroken {
        /// The joint: its handle is no longer valid.
        joint: JointId,
        /// The bodies it joined.
        bodies: (BodyId, BodyId),
        /// The force it carried, N.
        force: f64,
        /// The torque it carried about its origin, N m.
        torque: f64,
    },
    /// A deformable has torn: neighbouring cells have parted.
    Torn {
        /// The deformable.
        deformable: DeformableId,
        /// How many seams between cells have parted in this step.
        seams: usize,
        /// How many nodes were doubled; the copies are the last of its nodes.
        copies: usize,
        /// How many parts it has now.
        parts: usize,
        /// The largest stress at the seams that have parted, Pa.
        stress: f64,
    },
    /// A rope has come to a guide.
    GuideTouched {
        /// The rope.
        rope: RopeId,
        /// Which of the guides that it was given, its start counted; none where it has found a collider on its way.
        guide: Option<usize>,
        /// The collider that it has found.
        collider: Option<ColliderId>,
    },
    /// A rope has left a guide and runs straight past it.
    GuideLeft {
        /// The rope.
        rope: RopeId,
        /// Which of the guides that it was given, its start counted; none for a collider.
        guide: Option<usize>,
        /// The collider that it had found: the handle of one that was removed is no longer valid.
        collider: Option<ColliderId>,
    },
    /// A rope has run off a drum: its end is a point on the drum's shell.
    DrumEmpty {
        /// The rope.
        rope: RopeId,
        /// Which of its guides: the first or the last.
        guide: usize,
    },
    /// A drum has as much rope on it as it holds.
    DrumFull {
        /// The rope.
        rope: RopeId,
        /// Which of its guides: the first or the last.
        guide: usize,
    },
    /// A grip of a rope has come to a sheave, and rides round on it.
    GripBoarded {
        /// The rope.
        rope: RopeId,
        /// The grip: which of the guides that the rope was given.
        guide: usize,
        /// The sheave: which of the guides that the rope was given.
        wheel: usize,
    },
    /// A grip of a rope has left a sheave that it has ridden on.
    GripLeft {
        /// The rope.
        rope: RopeId,
        /// The grip: which of the guides that the rope was given.
        guide: usize,
        /// The sheave: which of the guides that the rope was given.
        wheel: usize,
    },
    /// Two guides of a rope have come so near that they are kept apart.
    TwoBlocked {
        /// The rope.
        rope: RopeId,
        /// The span between them, as [`RopeRef::lengths`](crate::RopeRef::lengths) counts them.
        span: usize,
    },
}

/// Contacts that began and ended between two steps; both lists are sorted.
pub(crate) fn contacts(before: &[ContactRecord], now: &[ContactRecord], out: &mut Vec<Event>) {
    let colliders = |c: &ContactRecord| (ColliderId(c.id.a), ColliderId(c.id.b));
    let same = |a: &ContactRecord, b: &ContactRecord| colliders(a) == colliders(b);
    let (mut old, mut new) = (PairWalk::default(), PairWalk::default());
    for pair in now.chunk_by(same).filter(|pair| !old.finds(&pair[0].id, before)) {
        let impulse = pair.iter().map(|c| c.force * c.acted).sum();
        out.push(Event::ContactBegan { colliders: colliders(&pair[0]), impulse });
    }
    for pair in before.chunk_by(same).filter(|pair| !new.finds(&pair[0].id, now)) {
        out.push(Event::ContactEnded { colliders: colliders(&pair[0]) });
    }
}

/// What came to sensors and left them.
pub(crate) fn sensors(before: &[Sensing], now: &[Sensing], out: &mut Vec<Event>) {
    for s in now.iter().filter(|s| before.binary_search(s).is_err()) {
        out.push(Event::SensorBegan { colliders: s.colliders });
    }
    for s in before.iter().filter(|s| now.binary_search(s).is_err()) {
        out.push(Event::SensorEnded { colliders: s.colliders });
    }
}

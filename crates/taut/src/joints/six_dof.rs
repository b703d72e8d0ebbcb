//! Six-degree joint: each axis free or locked, and what is free limited or driven.
//! ```text
//! along   three locked: a point (3 rows);   fewer: dot-2 along each locked axis of body i
//! about   three locked: dot-1 of all pairs of axes;   two: the free axis stays the same in both bodies (two dot-1);
//!         one: no twist about it (`lock`)
//! ```

use super::{Axis, Chart, Freedom, Joint, JointKind, RowBuilder, Softness};
use crate::ids::BodyId;

/// Axes that are locked. Of a joint they are U, V, N of its frame on body i; of a body x, y, z of the world.
///
/// A body of a game in two dimensions: it moves in x and y alone, however it is hit.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let ball = Body::dynamic(MassProperties::sphere(500.0, 0.1)?.with_mass(2.0)?).locked(Locks::PLANE_XY);
/// let ball = world.add(ball)?;
/// world.apply_impulse(ball, Vec3::new(6.0, 0.0, 6.0), Vec3::ZERO)?;
/// world.step(0.01)?;
/// let velocity = world.body(ball)?.velocity();
/// assert!((velocity.x - 3.0).abs() < 1e-9 && velocity.z.abs() < 1e-9);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Locks {
    /// Along the three axes.
    pub linear: [bool; 3],
    /// About the three axes.
    pub angular: [bool; 3],
}

impl Locks {
    /// None.
    pub const NONE: Locks = Locks { linear: [false; 3], angular: [false; 3] };
    /// All six: a weld.
    pub const ALL: Locks = Locks { linear: [true; 3], angular: [true; 3] };
    /// No turning.
    pub const ROTATION: Locks = Locks { linear: [false; 3], angular: [true; 3] };
    /// No moving; turning is free.
    pub const TRANSLATION: Locks = Locks { linear: [true; 3], angular: [false; 3] };
    /// In a plane across the third axis, turning about this axis alone.
    pub const PLANE_XY: Locks = Locks { linear: [false, false, true], angular: [true, true, false] };
}

const AXES: [Axis; 3] = [Axis::U, Axis::V, Axis::N];

/// What turns about one of several free axes: the sine of it is a product of directions, positive by the right hand about U, V, N.
const LEANS: [Freedom; 3] =
    [Freedom::Lean(Axis::V, Axis::N), Freedom::Lean(Axis::N, Axis::U), Freedom::Lean(Axis::U, Axis::V)];

/// Six-degree joint.
///
/// What is not locked is free: limit it, drive it or let it rub with [`Freedom::Shift`] for the axes along which it moves, and for
/// those about which it turns with [`Freedom::About`] where one is free, else with [`Freedom::Lean`] (within a quarter turn).
///
/// ```
/// use taut::{Axis, Body, Freedom, Limit, Locks, MassProperties, Motor, SixDof, Vec3, World};
/// let mut world = World::new();
/// let tool = world.add(Body::dynamic(MassProperties::sphere(1000.0, 0.1)?))?;
/// // Slides along z between two stops, turns about z by a motor, and is held in all other directions.
/// let locks = Locks { linear: [true, true, false], angular: [true, true, false] };
/// let joint = world.add(
///     SixDof::between(tool, world.ground(), locks)
///         .axis(Vec3::Z)
///         .stop(Limit::new(-0.1, 0.1).on(Freedom::Shift(Axis::N)))
///         .motor(Motor::rate().on(Freedom::About(Axis::N)).speed(1.0)),
/// )?;
/// for _ in 0..60 {
///     world.step(1.0 / 60.0)?;
/// }
/// assert!((world.joint(joint)?.position_of(Freedom::About(Axis::N)) - 1.0).abs() < 1e-9);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SixDof {
    locks: Locks,
    free: [Freedom; 6],
    count: usize,
}

impl SixDof {
    /// With these axes locked.
    pub fn new(locks: Locks) -> Self {
        let mut joint = SixDof { locks, free: [Freedom::Turn; 6], count: 0 };
        let held = |k: &usize| locks.angular[*k];
        let one = (0..3).filter(held).count() == 2;
        let shifts = (0..3).filter(|k| !locks.linear[*k]).map(|k| Freedom::Shift(AXES[k]));
        let turns = (0..3).filter(|k| !held(k)).map(|k| if one { Freedom::About(AXES[k]) } else { LEANS[k] });
        for f in shifts.chain(turns) {
            joint.free[joint.count] = f;
            joint.count += 1;
        }
        joint
    }

    /// A six-degree joint of body i to body j, with these axes locked.
    pub fn between(i: BodyId, j: BodyId, locks: Locks) -> Joint {
        Joint::of(SixDof::new(locks), i, j)
    }

    /// What is locked.
    pub fn locks(&self) -> Locks {
        self.locks
    }
}

impl JointKind for SixDof {
    fn name(&self) -> &'static str {
        "six-dof"
    }
    fn rows(&self, r: &mut RowBuilder) {
        let Locks { linear, angular } = self.locks;
        if linear == [true; 3] {
            r.point(Softness::RIGID);
        } else {
            (0..3).filter(|&k| linear[k]).for_each(|k| r.dot2(AXES[k], Softness::RIGID));
        }
        match angular {
            [true, true, true] => {
                r.dot1(Axis::N, Axis::U, Softness::RIGID);
                r.dot1(Axis::N, Axis::V, Softness::RIGID);
                r.dot1(Axis::U, Axis::V, Softness::RIGID);
            }
            _ if angular.iter().filter(|&&a| a).count() == 2 => {
                for k in (0..3).filter(|&k| !angular[k]) {
                    r.dot1(AXES[k], AXES[k].next(), Softness::RIGID);
                    r.dot1(AXES[k], AXES[k].next().next(), Softness::RIGID);
                }
            }
            _ => (0..3).filter(|&k| angular[k]).for_each(|k| r.lock(AXES[k], Softness::RIGID)),
        }
    }
    fn chart(&self) -> Option<Chart> {
        match (self.locks.linear, self.locks.angular) {
            ([true, true, true], [true, true, true]) => Some(Chart::Fixed),
            ([true, true, true], [true, true, false]) => Some(Chart::Hinge),
            ([true, true, false], [true, true, true]) => Some(Chart::Prismatic),
            ([true, true, false], [true, true, false]) => Some(Chart::Cylindrical),
            ([false, false, true], [true, true, false]) => Some(Chart::Planar),
            ([false, false, true], [true, true, true]) => Some(Chart::Plane),
            ([false, false, false], [true, true, true]) => Some(Chart::Translational),
            ([true, true, true], [false, false, false]) => Some(Chart::Ball),
            _ => None,
        }
    }
    fn freedoms(&self) -> &[Freedom] {
        &self.free[..self.count]
    }
    fn has_axis(&self) -> bool {
        let all = |a: [bool; 3]| a[0] == a[1] && a[1] == a[2];
        !(all(self.locks.linear) && all(self.locks.angular))
    }
}

//! Wheel: body i is the wheel, body j the chassis. Two slot rows keep the hub on the line of the suspension, one dot-1 row keeps the axle
//! across it, another one keeps it from steering; the suspension is a compliant slot row along its line.
//! ```text
//! frame on the chassis: N up (the suspension), U along the axle at the start, V = N x U
//! frame on the wheel:   N along its axle, U = N of the chassis at the start
//! ```

use super::{Axis, Freedom, Joint, JointKind, RowBuilder, Softness};
use crate::ids::BodyId;
use crate::math::pose::{Frame, Frames};

/// A wheel with suspension, and with steering where it is asked for. Place it with [`Joint::at`] at the hub, [`Joint::axis`] along the
/// suspension (up) and [`Joint::across`] along the axle; without an axle it is refused.
///
/// It leaves free: [`Freedom::Spin`] about the axle (drive it with a motor, brake it with friction), [`Freedom::Rise`] of the
/// suspension, and when it steers `Wheel::STEER` (turn it with a servo).
///
/// ```
/// use taut::{Body, Collider, Freedom, MassProperties, Motor, Shape, Vec3, Wheel, World};
/// let mut world = World::new();
/// let chassis = world.add(Body::dynamic(MassProperties::cuboid(100.0, Vec3::new(1.0, 0.2, 0.5))?).at(0.6 * Vec3::Y))?;
/// world.add(Collider::new(Shape::ground()).on(world.ground()))?;
/// for x in [-0.8, 0.8] {
///     for z in [-0.6, 0.6] {
///         let hub = Vec3::new(x, 0.3, z);
///         let wheel = world.add(Body::solid(Shape::ball(0.3), 100.0)?.at(hub))?;
///         let mut joint = Wheel::suspended(2e4, 2e3).between(wheel, chassis).at(hub).axis(Vec3::Y).across(Vec3::Z);
///         if x < 0.0 {
///             joint = joint.motor(Motor::rate().on(Freedom::Spin).speed(-5.0).limited(200.0));
///         }
///         world.add(joint)?;
///     }
/// }
/// for _ in 0..180 {
///     world.step(1.0 / 60.0)?;
/// }
/// assert!((world.body(chassis)?.velocity().x - 1.5).abs() < 0.05);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wheel {
    /// Give of the suspension along its line, m/N, with damping, N s/m. Rigid: no suspension.
    pub suspension: Softness,
    /// Whether it can be turned about the line of the suspension.
    pub steers: bool,
}

impl Wheel {
    /// The angle by which a wheel is steered, rad, within a quarter turn; positive by the right hand about the suspension.
    pub const STEER: Freedom = Freedom::Lean(Axis::N, Axis::V);

    /// With a spring of a stiffness (N/m) and damping (N s/m) for suspension, at rest where the joint is added.
    pub fn suspended(stiffness: f64, damping: f64) -> Self {
        Wheel { suspension: Softness::spring(stiffness, damping), steers: false }
    }

    /// The same, free to steer.
    pub fn steering(self) -> Self {
        Wheel { steers: true, ..self }
    }

    /// A joint of this kind, of a wheel to a chassis.
    pub fn between(self, wheel: BodyId, chassis: BodyId) -> Joint {
        Joint::of(self, wheel, chassis)
    }
}

impl JointKind for Wheel {
    fn name(&self) -> &'static str {
        "wheel"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.slot(Axis::U, Softness::RIGID);
        r.slot(Axis::V, Softness::RIGID);
        r.slot(Axis::N, self.suspension);
        r.dot1(Axis::N, Axis::N, Softness::RIGID);
        if !self.steers {
            r.dot1(Axis::N, Axis::V, Softness::RIGID);
        }
    }
    fn freedoms(&self) -> &[Freedom] {
        if self.steers { &[Freedom::Spin, Freedom::Rise, Wheel::STEER] } else { &[Freedom::Spin, Freedom::Rise] }
    }
    fn needs_across(&self) -> Option<&'static str> {
        Some("along the axle")
    }
    fn turned(&self, frames: Frames) -> Frames {
        // The axle lies along U of the frame that was asked for.
        let Frame { origin, u, v, n } = frames.i;
        Frames { i: Frame { origin, u: n, v: -v, n: u }, ..frames }
    }
}

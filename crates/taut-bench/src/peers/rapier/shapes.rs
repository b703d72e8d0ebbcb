//! Colliders and limited joints in Rapier.
//!
//! A cone is a limit on two coupled angular axes, which Rapier takes as the angle between the two first axes. Its joints have their
//! main axis along x. Two bodies that are not to meet get a joint that locks nothing and switches their contacts off.

use super::pose;
use crate::scene::{BallJoint, Hold, Scene, Solid, Touch};
use rapier3d_f64::prelude::{
    ColliderBuilder, GenericJoint, GenericJointBuilder, JointAxesMask, JointAxis, PhysicsWorld, RigidBodyHandle,
    SharedShape,
};
use taut::{Mat3, Quat, Vec3};

/// Adds the floor and a collider per shape; masses stay those of the scene.
pub fn add(
    world: &mut PhysicsWorld,
    ground: RigidBodyHandle,
    bodies: &[RigidBodyHandle],
    scene: &Scene,
    touch: &Touch,
) {
    let of = |c: ColliderBuilder| c.friction(touch.friction).restitution(0.0).density(0.0);
    let up = rapier3d_f64::math::Vector::Y;
    world.insert_collider(of(ColliderBuilder::new(SharedShape::halfspace(up))), Some(ground));
    for (b, &body) in scene.bodies.iter().zip(bodies) {
        let shape = match b.solid {
            None => continue,
            Some(Solid::Ball(radius)) => ColliderBuilder::ball(radius),
            Some(Solid::Cuboid(half)) => ColliderBuilder::cuboid(half.x, half.y, half.z),
            Some(Solid::Capsule(half, radius)) => ColliderBuilder::capsule_y(half, radius),
        };
        world.insert_collider(of(shape), Some(body));
    }
    for &(a, b) in &touch.clear {
        let apart = GenericJointBuilder::new(JointAxesMask::empty()).contacts_enabled(false);
        world.insert_impulse_joint(bodies[a], bodies[b], apart);
    }
}

/// A joint with limits.
pub fn limited(j: &BallJoint) -> GenericJoint {
    let points = JointAxesMask::LIN_X | JointAxesMask::LIN_Y | JointAxesMask::LIN_Z;
    let across = JointAxesMask::ANG_Y | JointAxesMask::ANG_Z;
    let (axes, joint) = match j.hold {
        Hold::Free => ([Quat::IDENTITY; 2], GenericJointBuilder::new(points)),
        Hold::Cone { axes, swing, twist } => {
            // The angle of a cone is never negative: its lower limit is out of reach.
            let cone = GenericJointBuilder::new(points).coupled_axes(across);
            let cone = cone.limits(JointAxis::AngY, [-1.0, swing]).limits(JointAxis::AngZ, [-1.0, swing]);
            (axes, cone.limits(JointAxis::AngX, [-twist, twist]))
        }
        Hold::Hinge { axes, most } => {
            (axes, GenericJointBuilder::new(points | across).limits(JointAxis::AngX, [0.0, most]))
        }
        Hold::Turn(axes) => (axes, GenericJointBuilder::new(points | across)),
    };
    // z of the scene is x here.
    let turn = Quat::from_mat3(&Mat3::from_cols(Vec3::Z, Vec3::X, Vec3::Y));
    let frames = [(j.on_a, axes[0]), (j.on_b, axes[1])].map(|(p, q)| pose(p, q * turn));
    joint.local_frame1(frames[0]).local_frame2(frames[1]).contacts_enabled(false).build()
}

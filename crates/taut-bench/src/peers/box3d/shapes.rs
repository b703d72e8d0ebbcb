//! Shapes and joints in Box3D. The floor is the top of a large fixed box: there are no half spaces. Joints have their main axis along z.

use super::{quat, vec3};
use crate::scene::{BallJoint, Hold, Solid};
use box3d_sys::{
    b3BodyId, b3Capsule, b3CreateCapsuleShape, b3CreateFilterJoint, b3CreateHullShape, b3CreateRevoluteJoint,
    b3CreateSphereShape, b3CreateSphericalJoint, b3DefaultFilterJointDef, b3DefaultRevoluteJointDef, b3DefaultShapeDef,
    b3DefaultSphericalJointDef, b3JointDef, b3MakeBoxHull, b3MakeOffsetBoxHull, b3ShapeDef, b3Sphere, b3Transform,
    b3WorldId,
};
use taut::{Quat, Vec3};

/// Half width of the floor and half its thickness, m.
const FLOOR: (f32, f32) = (50.0, 1.0);

fn shape(friction: f64) -> b3ShapeDef {
    // SAFETY: no arguments, no state.
    let mut def = unsafe { b3DefaultShapeDef() };
    def.baseMaterial.friction = friction as f32;
    def.baseMaterial.restitution = 0.0;
    def
}

/// Puts a shape on a body.
///
/// # Safety
/// The world of the body must be alive.
pub unsafe fn add(body: b3BodyId, solid: Solid, friction: f64) {
    let def = shape(friction);
    // SAFETY: the caller keeps the world alive; shapes are copied into it.
    unsafe {
        match solid {
            Solid::Ball(r) => {
                b3CreateSphereShape(body, &def, &b3Sphere { center: vec3(Vec3::ZERO), radius: r as f32 });
            }
            Solid::Capsule(half, r) => {
                let capsule =
                    b3Capsule { center1: vec3(-half * Vec3::Y), center2: vec3(half * Vec3::Y), radius: r as f32 };
                b3CreateCapsuleShape(body, &def, &capsule);
            }
            Solid::Cuboid(h) => {
                let hull = b3MakeBoxHull(h.x as f32, h.y as f32, h.z as f32);
                b3CreateHullShape(body, &def, (&raw const hull).cast());
            }
        }
    }
}

/// Puts the floor y = 0 on the fixed body at the origin.
///
/// # Safety
/// The world of the body must be alive.
pub unsafe fn floor(ground: b3BodyId, friction: f64) {
    let def = shape(friction);
    let at = vec3(-f64::from(FLOOR.1) * Vec3::Y);
    // SAFETY: the caller keeps the world alive; the hull is copied into it.
    unsafe {
        let hull = b3MakeOffsetBoxHull(FLOOR.0, FLOOR.1, FLOOR.0, at);
        b3CreateHullShape(ground, &def, (&raw const hull).cast());
    }
}

/// Pairs that do not meet.
///
/// # Safety
/// The world must be alive and the bodies in it.
pub unsafe fn clear(world: b3WorldId, bodies: &[b3BodyId], pairs: &[(usize, usize)]) {
    for &(a, b) in pairs {
        // SAFETY: the caller keeps the world alive.
        unsafe {
            let mut def = b3DefaultFilterJointDef();
            def.base.bodyIdA = bodies[a];
            def.base.bodyIdB = bodies[b];
            b3CreateFilterJoint(world, &def);
        }
    }
}

/// Joins parent and child.
///
/// # Safety
/// The world must be alive and the bodies in it.
pub unsafe fn join(world: b3WorldId, pair: [b3BodyId; 2], j: &BallJoint, hertz: Option<f32>) {
    let base = |base: &mut b3JointDef, axes: [Quat; 2]| {
        base.bodyIdA = pair[0];
        base.bodyIdB = pair[1];
        base.localFrameA = b3Transform { p: vec3(j.on_a), q: quat(axes[0]) };
        base.localFrameB = b3Transform { p: vec3(j.on_b), q: quat(axes[1]) };
        base.collideConnected = false;
        if let Some(hertz) = hertz {
            base.constraintHertz = hertz;
        }
    };
    // SAFETY: definitions come from the library's defaults; the caller keeps the world alive.
    unsafe {
        if let Hold::Hinge { axes, .. } | Hold::Turn(axes) = j.hold {
            let mut def = b3DefaultRevoluteJointDef();
            base(&mut def.base, axes);
            if let Hold::Hinge { most, .. } = j.hold {
                def.enableLimit = true;
                def.lowerAngle = 0.0;
                def.upperAngle = most as f32;
            }
            b3CreateRevoluteJoint(world, &def);
            return;
        }
        let mut def = b3DefaultSphericalJointDef();
        base(&mut def.base, [Quat::IDENTITY; 2]);
        if let Hold::Cone { axes, swing, twist } = j.hold {
            base(&mut def.base, axes);
            def.enableConeLimit = true;
            def.coneAngle = swing as f32;
            def.enableTwistLimit = true;
            def.lowerTwistAngle = -twist as f32;
            def.upperTwistAngle = twist as f32;
        }
        b3CreateSphericalJoint(world, &def);
    }
}

//! Bodies of a world.

use super::names::Names;
use crate::file::body::ANY_DENSITY;
use crate::file::error::{At, FileError, Path};
use crate::file::{
    Body, Capsule, Collider, Cuboid, Cylinder, Dynamic, Exposure, Fixed, Ground, Inertia, Kinematic, Locks, Particle,
    Rotation, Shape, Sphere,
};
use std::collections::BTreeMap;
use taut::{BodyId, BodyRef, MassProperties, Motion, Quat, Vec3, World, shapes::Solid};

/// The ground, and all other bodies in order.
pub(super) fn bodies(
    world: &World,
    names: &Names,
    mut colliders: BTreeMap<BodyId, Vec<Collider>>,
    warnings: &mut Vec<String>,
) -> Result<(Ground, Vec<Body>), FileError> {
    let nodes = crate::soft::particles(world);
    let mut on = |id: BodyId| colliders.remove(&id).unwrap_or_default();
    let ground = world.body(world.ground()).at(&Path::of("ground"))?;
    let ground = Ground { colliders: on(ground.id()), user_data: ground.user_data() };
    let others = world.bodies().filter(|b| b.id() != world.ground() && !nodes.contains(&b.id()));
    let out: Vec<Body> = others.map(|b| body(&b, on(b.id()), names, warnings)).collect::<Result<_, _>>()?;
    if nodes.is_empty() && !out.iter().any(|b| matches!(b, Body::Dynamic(_) | Body::Particle(_))) {
        let message = "no body moves: expected at least one of type dynamic or particle";
        return Err(FileError::new(Path::of("bodies"), message));
    }
    Ok((ground, out))
}

fn body(
    b: &BodyRef<'_>,
    colliders: Vec<Collider>,
    names: &Names,
    warnings: &mut Vec<String>,
) -> Result<Body, FileError> {
    let name = names.body(b.id())?.to_owned();
    warn(b, &name, warnings);
    let (position, velocity) = (b.position().into(), b.velocity().into());
    let (rotation, angular_velocity) = (turned(b.rotation()), b.angular_velocity().into());
    let (enabled, user_data) = (b.is_enabled(), b.user_data());
    let (linear_damping, angular_damping) = b.damping();
    let exposure = Exposure::saying(&b.exposure()).map(Box::new);
    let [top_speed, top_angular_speed] = b.top_speed();
    let top_speed = top_speed.is_finite().then(|| top_speed.into());
    let gravity_scale = (b.gravity_scale() != 1.0).then(|| b.gravity_scale().into());
    Ok(match b.motion() {
        Motion::Dynamic => {
            let (shape, inertia) = solid(&b.mass_properties());
            Body::Dynamic(Box::new(Dynamic {
                name,
                mass: Some(b.mass().into()),
                inertia,
                shape,
                density: None,
                position,
                rotation,
                velocity,
                angular_velocity,
                linear_damping: linear_damping.into(),
                angular_damping: angular_damping.into(),
                gravity_scale,
                exposure,
                top_speed,
                top_angular_speed: top_angular_speed.is_finite().then(|| top_angular_speed.into()),
                locks: Locks::saying(b.locks()),
                enabled,
                user_data,
                colliders,
            }))
        }
        Motion::Particle => Body::Particle(Particle {
            name,
            mass: b.mass().into(),
            position,
            velocity,
            linear_damping: linear_damping.into(),
            gravity_scale,
            exposure,
            top_speed,
            locks: Locks::saying(b.locks()),
            enabled,
            user_data,
            colliders,
        }),
        Motion::Fixed => Body::Fixed(Fixed { name, position, rotation, enabled, user_data, colliders }),
        Motion::Kinematic => Body::Kinematic(Kinematic {
            name,
            position,
            rotation,
            velocity,
            angular_velocity,
            enabled,
            user_data,
            colliders,
        }),
    })
}

/// Tells what a file does not say of a body.
fn warn(b: &BodyRef<'_>, name: &str, warnings: &mut Vec<String>) {
    let mut lost = |what: &str| warnings.push(format!("body '{name}': {what}"));
    if b.load() != (Vec3::ZERO, Vec3::ZERO) {
        lost("a force or torque for the next step is not saved");
    }
    if b.target().is_some() {
        lost("the pose that it is to have after the next step is not saved");
    }
    if b.motion() == Motion::Fixed && (b.velocity(), b.angular_velocity()) != (Vec3::ZERO, Vec3::ZERO) {
        lost("a fixed body has a velocity, which has no effect and is not saved");
    }
    if b.motion() == Motion::Particle && b.rotation() != Quat::IDENTITY {
        lost("a particle has an orientation, which has no effect and is not saved");
    }
    let free = matches!(b.motion(), Motion::Dynamic | Motion::Particle);
    if !free && (b.damping() != (0.0, 0.0) || b.gravity_scale() != 1.0) {
        lost("damping and gravity scale have no effect on a body that does not move freely and are not saved");
    }
}

/// A rotation that is read back as it is.
pub(super) fn turned(q: Quat) -> Rotation {
    Rotation::Quaternion(q.to_array())
}

/// The shape that a mass was made from, if any, and the inertia where the shape does not give it to the last bit.
fn solid(m: &MassProperties) -> (Option<Shape>, Option<Inertia>) {
    let exact = Some(Inertia::saying(m.inertia));
    let Some(shape) = m.solid.map(shape) else { return (None, exact) };
    let bits = |m: &MassProperties| m.inertia.to_cols_array().map(f64::to_bits);
    let made = shape.solid(ANY_DENSITY, &Path::default());
    let Ok((made, _)) = made else { return (None, exact) };
    // Solids of a file are about their centre.
    if made.solid != m.solid || made.center != Vec3::ZERO {
        return (None, exact);
    }
    let same = made.with_mass(m.mass).is_ok_and(|made| bits(&made) == bits(m));
    (Some(shape), if same { None } else { exact })
}

fn shape(solid: Solid) -> Shape {
    match solid {
        Solid::Cuboid { half } => Shape::Box(Cuboid { size: (2.0 * half).into() }),
        Solid::Ball { radius } => Shape::Sphere(Sphere { radius: radius.into() }),
        Solid::Capsule { half_length, radius } => {
            Shape::Capsule(Capsule { radius: radius.into(), height: (2.0 * half_length).into() })
        }
        Solid::Cylinder { half_height, radius } => {
            Shape::Cylinder(Cylinder { radius: radius.into(), height: (2.0 * half_height).into() })
        }
    }
}

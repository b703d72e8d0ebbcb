//! Finding parts, and reading many at once into arrays of the caller.

use crate::call::{Fault, TautStatus, copy, copy_text, list, out, room, text};
use crate::parts::{TautBody, TautCollider, TautForce, TautJoint, TautMotor, TautRope, TautWinch};
use crate::world::{Held, TautWorld, on};
use std::ffi::c_char;
use std::mem::MaybeUninit;
use taut::{BodyRef, Vec3};
use taut_scenes::opening;

/// The body of that name; an error when there is none, or several.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_find_body(
    world: *const TautWorld,
    name: *const c_char,
    body: *mut TautBody,
) -> TautStatus {
    // SAFETY: see the rules of the crate; so below.
    on(world, |held| unsafe {
        let (to, name) = (out(body, "body")?, text(name, "name")?);
        to.put(held.body_handle(held.scene.world.find_body(name)?));
        Ok(())
    })
}

/// The joint of that name; an error when there is none, or several.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_find_joint(
    world: *const TautWorld,
    name: *const c_char,
    joint: *mut TautJoint,
) -> TautStatus {
    // SAFETY: see the rules of the crate.
    on(world, |held| unsafe {
        let (to, name) = (out(joint, "joint")?, text(name, "name")?);
        to.put(held.joint_handle(held.scene.world.find_joint(name)?));
        Ok(())
    })
}

/// The motor of that name, or the only motor of the joint of that name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_find_motor(
    world: *const TautWorld,
    name: *const c_char,
    motor: *mut TautMotor,
) -> TautStatus {
    // SAFETY: see the rules of the crate.
    on(world, |held| unsafe {
        let (to, name) = (out(motor, "motor")?, text(name, "name")?);
        to.put(held.motor_handle(held.scene.world.find_motor(name)?));
        Ok(())
    })
}

/// The constant force, spring or drag of that name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_find_force(
    world: *const TautWorld,
    name: *const c_char,
    force: *mut TautForce,
) -> TautStatus {
    // SAFETY: see the rules of the crate.
    on(world, |held| unsafe {
        let (to, name) = (out(force, "force")?, text(name, "name")?);
        to.put(held.force_handle(held.scene.world.find_force(name)?));
        Ok(())
    })
}

/// The rope over guides of that name. (A rope between two points is a joint.)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_find_rope(
    world: *const TautWorld,
    name: *const c_char,
    rope: *mut TautRope,
) -> TautStatus {
    // SAFETY: see the rules of the crate.
    on(world, |held| unsafe {
        let (to, name) = (out(rope, "rope")?, text(name, "name")?);
        to.put(held.rope_handle(held.scene.world.find_rope(name)?));
        Ok(())
    })
}

/// The winch of that name, of a scene file or of what was added by `taut_world_add`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_find_winch(
    world: *const TautWorld,
    name: *const c_char,
    winch: *mut TautWinch,
) -> TautStatus {
    // SAFETY: see the rules of the crate.
    on(world, |held| unsafe {
        let (to, name) = (out(winch, "winch")?, text(name, "name")?);
        let place = held.parts.winches.iter().position(|w| w.0 == name);
        let names = || held.parts.winches.iter().map(|w| w.0.as_str()).collect::<Vec<_>>().join(", ");
        let place =
            place.ok_or_else(|| Fault::input(format_args!("name = {name}: expected that of a winch: {}", names())))?;
        to.put(TautWinch { id: held.parts.handle(place) });
        Ok(())
    })
}

/// The fixed body at the origin that every world has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_ground(world: *const TautWorld, body: *mut TautBody) -> TautStatus {
    // SAFETY: see the rules of the crate.
    on(world, |held| unsafe {
        let ground = held.scene.world.ground();
        out(body, "body")?.put(held.body_handle(ground));
        Ok(())
    })
}

/// Writes the handles of all bodies into `bodies`, the ground first, then in the order in which they were added, and their number into
/// `count`. With NULL for `bodies` the number is told alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_bodies(
    world: *const TautWorld,
    bodies: *mut TautBody,
    capacity: usize,
    count: *mut usize,
) -> TautStatus {
    on(world, |held| {
        let all: Vec<_> = held.scene.world.bodies().map(|b| b.id()).collect();
        let handles: Vec<_> = all.into_iter().map(|b| held.body_handle(b)).collect();
        // SAFETY: see the rules of the crate.
        unsafe { copy(&handles, bodies, capacity, count) }
    })
}

/// The same of all joints.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_joints(
    world: *const TautWorld,
    joints: *mut TautJoint,
    capacity: usize,
    count: *mut usize,
) -> TautStatus {
    on(world, |held| {
        let all: Vec<_> = held.scene.world.joints().map(|j| j.id()).collect();
        let handles: Vec<_> = all.into_iter().map(|j| held.joint_handle(j)).collect();
        // SAFETY: see the rules of the crate.
        unsafe { copy(&handles, joints, capacity, count) }
    })
}

/// The same of all motors, by joint.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_motors(
    world: *const TautWorld,
    motors: *mut TautMotor,
    capacity: usize,
    count: *mut usize,
) -> TautStatus {
    on(world, |held| {
        let all: Vec<_> = held.scene.world.motors().map(|m| m.id()).collect();
        let handles: Vec<_> = all.into_iter().map(|m| held.motor_handle(m)).collect();
        // SAFETY: see the rules of the crate.
        unsafe { copy(&handles, motors, capacity, count) }
    })
}

/// The same of all ropes over guides.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_ropes(
    world: *const TautWorld,
    ropes: *mut TautRope,
    capacity: usize,
    count: *mut usize,
) -> TautStatus {
    on(world, |held| {
        let all: Vec<_> = held.scene.world.ropes().map(|r| r.id()).collect();
        let handles: Vec<_> = all.into_iter().map(|r| held.rope_handle(r)).collect();
        // SAFETY: see the rules of the crate.
        unsafe { copy(&handles, ropes, capacity, count) }
    })
}

/// Writes the name of a body into `buffer`, with a zero at its end, and its length without the zero into `length`; empty without a name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_body_name(
    world: *const TautWorld,
    body: TautBody,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> TautStatus {
    on(world, |held| {
        let id = held.body(body)?;
        // SAFETY: see the rules of the crate.
        unsafe { copy_text(held.scene.world.body(id)?.name(), buffer, capacity, length) }
    })
}

/// The same of a joint.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_joint_name(
    world: *const TautWorld,
    joint: TautJoint,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> TautStatus {
    on(world, |held| {
        let id = held.joint(joint)?;
        // SAFETY: see the rules of the crate.
        unsafe { copy_text(held.scene.world.joint(id)?.name(), buffer, capacity, length) }
    })
}

/// The same of a motor.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_motor_name(
    world: *const TautWorld,
    motor: TautMotor,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> TautStatus {
    on(world, |held| {
        let id = held.motor(motor)?;
        // SAFETY: see the rules of the crate.
        unsafe { copy_text(held.scene.world.motor(id)?.name(), buffer, capacity, length) }
    })
}

/// Writes so many numbers of each thing. All handles are looked at before the first number is written.
fn fill<H, const N: usize>(
    held: &Held,
    handles: &[H],
    to: &mut [MaybeUninit<f64>],
    of: impl Fn(&Held, &H) -> Result<[f64; N], Fault>,
) -> Result<(), Fault> {
    let values = handles.iter().map(|h| of(held, h)).collect::<Result<Vec<_>, _>>()?;
    to.iter_mut().zip(values.as_flattened()).for_each(|(to, value)| {
        to.write(*value);
    });
    Ok(())
}

fn three<const N: usize>(parts: [Vec3; 2]) -> [f64; N] {
    let all = parts.map(|p| p.to_array());
    std::array::from_fn(|k| all.as_flattened()[k])
}

/// Numbers of given bodies, or of all.
unsafe fn of_bodies<const N: usize>(
    world: *const TautWorld,
    bodies: *const TautBody,
    count: usize,
    to: *mut f64,
    name: &str,
    of: impl Fn(BodyRef<'_>) -> [f64; N],
) -> TautStatus {
    on(world, |held| {
        if bodies.is_null() {
            let all = held.scene.world.bodies().count();
            if count != all {
                return Err(Fault::input(format_args!("count = {count}: expected {all}, all bodies of the world")));
            }
            // SAFETY: see the rules of the crate.
            let to = unsafe { room(to, count.saturating_mul(N), name) }?;
            let values = held.scene.world.bodies().flat_map(of);
            to.iter_mut().zip(values).for_each(|(to, value)| {
                to.write(value);
            });
            return Ok(());
        }
        // SAFETY: the same.
        let (handles, to) = unsafe { (list(bodies, count, "bodies")?, room(to, count.saturating_mul(N), name)?) };
        fill(held, handles, to, |held, h| Ok(of(held.scene.world.body(held.body(*h)?)?)))
    })
}

/// Poses of `count` bodies, seven numbers each: position of the centre of mass x, y, z (m), rotation x, y, z, w. With NULL for `bodies`
/// those of all, in the order of `taut_bodies`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_read_poses(
    world: *const TautWorld,
    bodies: *const TautBody,
    count: usize,
    poses: *mut f64,
) -> TautStatus {
    let of = |b: BodyRef<'_>| {
        let ([x, y, z], [qx, qy, qz, qw]) = (b.position().to_array(), b.rotation().to_array());
        [x, y, z, qx, qy, qz, qw]
    };
    // SAFETY: see the rules of the crate.
    unsafe { of_bodies(world, bodies, count, poses, "poses", of) }
}

/// Velocities of bodies, six numbers each: of the centre of mass (m/s), angular (rad/s). `bodies` as for `taut_read_poses`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_read_velocities(
    world: *const TautWorld,
    bodies: *const TautBody,
    count: usize,
    velocities: *mut f64,
) -> TautStatus {
    let of = |b: BodyRef<'_>| three::<6>([b.velocity(), b.angular_velocity()]);
    // SAFETY: see the rules of the crate.
    unsafe { of_bodies(world, bodies, count, velocities, "velocities", of) }
}

/// What joints carry, eight numbers each: force on the first body (N), torque on it about the point of the joint (N m), opening (m) and
/// pull along the line of a rope, rod or ligament (N; 0 of other joints).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_read_joints(
    world: *const TautWorld,
    joints: *const TautJoint,
    count: usize,
    loads: *mut f64,
) -> TautStatus {
    on(world, |held| {
        // SAFETY: see the rules of the crate.
        let (handles, to) = unsafe { (list(joints, count, "joints")?, room(loads, count.saturating_mul(8), "loads")?) };
        fill(held, handles, to, |held, h| {
            let joint = held.scene.world.joint(held.joint(*h)?)?;
            let load = joint.reaction();
            let [fx, fy, fz, tx, ty, tz] = three([load.force, load.torque]);
            let pull = if taut_scenes::has_tension(&joint) { joint.tension() } else { 0.0 };
            Ok([fx, fy, fz, tx, ty, tz, opening(&joint), pull])
        })
    })
}

/// Motors, three numbers each: position (m or rad, from where the joint was added), rate (m/s or rad/s), and effort on the first body
/// (N or N m).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_read_motors(
    world: *const TautWorld,
    motors: *const TautMotor,
    count: usize,
    values: *mut f64,
) -> TautStatus {
    on(world, |held| {
        // SAFETY: see the rules of the crate.
        let (handles, to) =
            unsafe { (list(motors, count, "motors")?, room(values, count.saturating_mul(3), "values")?) };
        fill(held, handles, to, |held, h| {
            let motor = held.scene.world.motor(held.motor(*h)?)?;
            Ok([motor.position(), motor.rate(), motor.effort()])
        })
    })
}

/// Ropes over guides, four numbers each: largest tension (N), length without stretch, what was paid out since the start, slack (m).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_read_ropes(
    world: *const TautWorld,
    ropes: *const TautRope,
    count: usize,
    values: *mut f64,
) -> TautStatus {
    on(world, |held| {
        // SAFETY: see the rules of the crate.
        let (handles, to) = unsafe { (list(ropes, count, "ropes")?, room(values, count.saturating_mul(4), "values")?) };
        fill(held, handles, to, |held, h| {
            let rope = held.scene.world.rope(held.rope(*h)?)?;
            Ok([rope.tension(), rope.length(), rope.paid_out(), (-rope.excess()).max(0.0)])
        })
    })
}

/// A contact point.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TautContact {
    /// The first collider.
    pub first: TautCollider,
    /// The second collider.
    pub second: TautCollider,
    /// Body of the first.
    pub first_body: TautBody,
    /// Body of the second.
    pub second_body: TautBody,
    /// Place, m.
    pub point: [f64; 3],
    /// From the first to the second.
    pub normal: [f64; 3],
    /// Force on the second, N.
    pub force: [f64; 3],
    /// Negative where they overlap, m.
    pub distance: f64,
}

/// Writes the contact points that pushed in the last step into `contacts`, and their number into `count`. With NULL for `contacts` the
/// number is told alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_contacts(
    world: *const TautWorld,
    contacts: *mut TautContact,
    capacity: usize,
    count: *mut usize,
) -> TautStatus {
    on(world, |held| {
        let found: Vec<_> = held.scene.world.contacts().collect();
        let view = |c: taut::views::ContactView| TautContact {
            first: held.collider_handle(c.colliders.0),
            second: held.collider_handle(c.colliders.1),
            first_body: held.body_handle(c.bodies.0),
            second_body: held.body_handle(c.bodies.1),
            point: c.point.to_array(),
            normal: c.normal.to_array(),
            force: c.force.to_array(),
            distance: c.distance,
        };
        let found: Vec<_> = found.into_iter().map(view).collect();
        // SAFETY: see the rules of the crate.
        unsafe { copy(&found, contacts, capacity, count) }
    })
}

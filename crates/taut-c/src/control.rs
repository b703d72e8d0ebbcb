//! What is done to a world while it runs.

use crate::call::{Fault, TautStatus, read};
use crate::parts::{TautBody, TautForce, TautMotor, TautRope, TautWinch};
use crate::world::{TautWorld, on};
use taut::{Command, Force, Pose, Quat, Vec3, Winding};

/// Tells a motor what to do from the next step on: a target (m or rad; servos with stiffness) and a rate (m/s or rad/s). A rate motor has
/// no target: give 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_set_motor(world: *mut TautWorld, motor: TautMotor, target: f64, rate: f64) -> TautStatus {
    on(world, |held| {
        let id = held.motor(motor)?;
        Ok(held.world().set_motor(id, Command { target, rate })?)
    })
}

/// Lets a motor go: it does nothing until it is told something again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_release_motor(world: *mut TautWorld, motor: TautMotor) -> TautStatus {
    on(world, |held| {
        let id = held.motor(motor)?;
        Ok(held.world().release_motor(id)?)
    })
}

/// What a winch does.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TautWinding {
    /// Hauls in at a speed (m/s; negative: pays out) with at most a pull (N).
    Haul = 0,
    /// Holds with at most a pull, N; infinite: whatever pulls.
    Brake = 1,
    /// Turns freely.
    Free = 2,
}

/// Tells a winch what to do. `winding` is a `TautWinding`; `speed` (m/s) counts for TAUT_WINDING_HAUL, `force` (N) not for TAUT_WINDING_FREE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_set_winch(
    world: *mut TautWorld,
    winch: TautWinch,
    winding: i32,
    speed: f64,
    force: f64,
) -> TautStatus {
    on(world, |held| {
        let id = held.winch(winch)?;
        let all = [
            (TautWinding::Haul, Winding::Haul { speed, force }),
            (TautWinding::Brake, Winding::Brake(force)),
            (TautWinding::Free, Winding::Free),
        ];
        let found = all.into_iter().find(|(kind, _)| *kind as i32 == winding);
        let (_, wanted) =
            found.ok_or_else(|| Fault::input(format_args!("winding = {winding}: expected a TautWinding, 0 to 2")))?;
        Ok(held.world().set_winch(id, wanted)?)
    })
}

/// Pays out a rope over guides at its end, m; negative: hauls it in. The ledger has what that does with the joints and ropes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_pay_out(world: *mut TautWorld, rope: TautRope, length: f64) -> TautStatus {
    on(world, |held| {
        let id = held.rope(rope)?;
        Ok(held.world().pay_out(id, length)?)
    })
}

unsafe fn vector(from: *const f64, name: &str) -> Result<Vec3, Fault> {
    // SAFETY: see the rules of the crate.
    Ok(Vec3::from_array(*unsafe { read(from.cast::<[f64; 3]>(), name) }?))
}

/// Three numbers, or none with NULL.
unsafe fn optional_vector(from: *const f64, name: &str) -> Result<Option<Vec3>, Fault> {
    // SAFETY: see the rules of the crate.
    if from.is_null() { Ok(None) } else { unsafe { vector(from, name) }.map(Some) }
}

/// A force (three numbers, N) on a body during the next step, at a point of the world (three numbers, m; NULL: the centre of mass). Forces
/// on a body add up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_apply_force(
    world: *mut TautWorld,
    body: TautBody,
    force: *const f64,
    point: *const f64,
) -> TautStatus {
    on(world, |held| {
        // SAFETY: see the rules of the crate.
        let (force, point) = unsafe { (vector(force, "force")?, optional_vector(point, "point")?) };
        let id = held.body(body)?;
        let at = point.map_or_else(|| held.scene.world.body(id).map(|b| b.position()), Ok)?;
        Ok(held.world().apply_force(id, force, at)?)
    })
}

/// A torque (three numbers, N m) on a body during the next step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_apply_torque(world: *mut TautWorld, body: TautBody, torque: *const f64) -> TautStatus {
    on(world, |held| {
        // SAFETY: see the rules of the crate.
        let torque = unsafe { vector(torque, "torque") }?;
        let id = held.body(body)?;
        Ok(held.world().apply_torque(id, torque)?)
    })
}

/// Hits a body at once: an impulse (three numbers, N s) at a point of the world (m; NULL: the centre of mass).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_apply_impulse(
    world: *mut TautWorld,
    body: TautBody,
    impulse: *const f64,
    point: *const f64,
) -> TautStatus {
    on(world, |held| {
        // SAFETY: see the rules of the crate.
        let (impulse, point) = unsafe { (vector(impulse, "impulse")?, optional_vector(point, "point")?) };
        let id = held.body(body)?;
        let at = point.map_or_else(|| held.scene.world.body(id).map(|b| b.position()), Ok)?;
        Ok(held.world().apply_impulse(id, impulse, at)?)
    })
}

/// Changes a constant force (N) or torque (N m), three numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_set_force(world: *mut TautWorld, force: TautForce, vector: *const f64) -> TautStatus {
    on(world, |held| {
        // SAFETY: see the rules of the crate.
        let wanted = unsafe { self::vector(vector, "vector") }?;
        let id = held.force(force)?;
        let changed = match held.scene.world.force(id)? {
            Force::Point { body, point, .. } => Force::Point { body, point, force: wanted },
            Force::Torque { body, .. } => Force::Torque { body, torque: wanted },
            _ => return Err(Fault::input("force: expected a constant force or torque")),
        };
        Ok(held.world().set_force(id, changed)?)
    })
}

unsafe fn pose(from: *const f64) -> Result<Pose, Fault> {
    // SAFETY: see the rules of the crate.
    let [x, y, z, qx, qy, qz, qw] = *unsafe { read(from.cast::<[f64; 7]>(), "pose") }?;
    Ok(Pose { pos: Vec3::new(x, y, z), rot: Quat::from_xyzw(qx, qy, qz, qw) })
}

/// Puts a body elsewhere: seven numbers as `taut_read_poses` has them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_set_pose(world: *mut TautWorld, body: TautBody, pose: *const f64) -> TautStatus {
    on(world, |held| {
        // SAFETY: see the rules of the crate.
        let wanted = unsafe { self::pose(pose) }?;
        let id = held.body(body)?;
        Ok(held.world().set_pose(id, wanted)?)
    })
}

/// Where a kinematic body is to be after the next step: seven numbers as `taut_read_poses` has them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_set_target(world: *mut TautWorld, body: TautBody, pose: *const f64) -> TautStatus {
    on(world, |held| {
        // SAFETY: see the rules of the crate.
        let wanted = unsafe { self::pose(pose) }?;
        let id = held.body(body)?;
        Ok(held.world().set_target(id, wanted)?)
    })
}

/// Gives a body a velocity: six numbers as `taut_read_velocities` has them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_set_velocity(world: *mut TautWorld, body: TautBody, velocity: *const f64) -> TautStatus {
    on(world, |held| {
        // SAFETY: see the rules of the crate.
        let [x, y, z, wx, wy, wz] = *unsafe { read(velocity.cast::<[f64; 6]>(), "velocity") }?;
        let id = held.body(body)?;
        Ok(held.world().set_velocity(id, Vec3::new(x, y, z), Vec3::new(wx, wy, wz))?)
    })
}

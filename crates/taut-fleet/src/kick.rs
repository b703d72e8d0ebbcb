//! Perturbed starts.

use taut::{Motion, Result, World};
use taut_scenes::Random;

/// Standard deviation of the velocities of a perturbed start along each axis, m/s: what a draught or a careless hand does.
pub const KICK: f64 = 0.01;

/// Adds a random velocity to everything that moves freely: normal, with the standard deviation `speed` (m/s) along each axis of the world. The
/// first step takes away what joints and contacts do not allow of it.
///
/// # Errors
///
/// A speed that is no number of m/s from zero on.
pub fn kick(world: &mut World, seed: u64, speed: f64) -> Result<()> {
    if !(speed.is_finite() && speed >= 0.0) {
        return Err(taut::Error::input("kick", speed, "a finite number of m/s, zero or more"));
    }
    let mut random = Random::new(seed);
    let free: Vec<_> =
        world.bodies().filter(|b| matches!(b.motion(), Motion::Dynamic | Motion::Particle)).map(|b| b.id()).collect();
    for id in free {
        let b = world.body(id)?;
        let (velocity, angular) = (b.velocity() + speed * random.normal3(), b.angular_velocity());
        world.set_velocity(id, velocity, angular)?;
    }
    Ok(())
}

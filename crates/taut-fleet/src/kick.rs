//! Perturbed starts.

use taut::{Motion, Result, World};
use taut_scenes::Random;

/// Standard deviation of the velocities of a perturbed start along each axis, m/s: what a draught or a careless hand does.
pub const KICK: f64 = 0.01;

/// Random numbers of a seed for one use of several. The generator's own streams of neighbouring seeds are the same but for one number, so
/// that the seed is mixed first.
pub(crate) fn stream(seed: u64, number: u64) -> Random {
    let mixed = |x: u64| {
        let mut random = Random::new(x);
        let mut half = || random.uniform(0.0, (1_u64 << 32) as f64) as u64;
        (half() << 32) | half()
    };
    Random::new(mixed(mixed(seed).wrapping_add(number)))
}

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
    let mut random = stream(seed, 0);
    let free: Vec<_> =
        world.bodies().filter(|b| matches!(b.motion(), Motion::Dynamic | Motion::Particle)).map(|b| b.id()).collect();
    for id in free {
        let b = world.body(id)?;
        let (velocity, angular) = (b.velocity() + speed * random.normal3(), b.angular_velocity());
        world.set_velocity(id, velocity, angular)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use taut::{Body, Vec3};

    /// The velocities of particles after a kick.
    fn kicked(seed: u64) -> Vec<f64> {
        let mut world = World::new();
        for k in 0..200 {
            world.add(Body::particle(1.0).at(k as f64 * Vec3::X)).unwrap();
        }
        kick(&mut world, seed, 0.5).unwrap();
        let ground = world.ground();
        world.bodies().filter(|b| b.id() != ground).flat_map(|b| b.velocity().to_array()).collect()
    }

    #[test]
    fn kicks_have_their_size_and_neighbouring_seeds_have_nothing_in_common() {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>() / a.len() as f64;
        let all: Vec<Vec<f64>> = (0..4).map(kicked).collect();
        assert_eq!(all[1], kicked(1));
        for (k, a) in all.iter().enumerate() {
            assert!((dot(a, a).sqrt() - 0.5).abs() < 0.05, "{}", dot(a, a).sqrt());
            for b in &all[k + 1..] {
                // Shifted against each other too: 600 numbers are uncorrelated to about 1/sqrt(600).
                for shift in 0..4 {
                    let r = dot(&a[shift..], b) / 0.25;
                    assert!(r.abs() < 0.2, "{r}");
                }
            }
        }
        assert!(kick(&mut World::new(), 1, -1.0).is_err() && kick(&mut World::new(), 1, f64::NAN).is_err());
    }
}

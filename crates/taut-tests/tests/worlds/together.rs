//! Worlds side by side have the bits that each has alone.

use taut::{Mat3, Together, prelude::*};

/// What a mechanism is joined by.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Balls,
    Hinges,
    Mixed,
    Afloat,
}

const KINDS: [Kind; 4] = [Kind::Balls, Kind::Hinges, Kind::Mixed, Kind::Afloat];

/// A branched mechanism of ten bars whose masses and start depend on the number of the world.
fn mechanism(kind: Kind, number: usize, load: f64) -> Result<World> {
    let mut world = World::new();
    let part = number as f64;
    let mut bars = Vec::new();
    for k in 0..10_usize {
        let mass = MassProperties::capsule(7800.0, 0.2, 0.02 + 0.001 * part)?;
        let mass = if k == 9 { mass.with_mass(load)? } else { mass };
        let mass = match k % 5 {
            // About axes that are not its own, and about any.
            3 if kind != Kind::Hinges => {
                let turn = Mat3::from_rotation_x(0.3 + 0.1 * part);
                MassProperties::new(mass.mass, turn * mass.inertia * turn.transpose())?
            }
            4 if kind != Kind::Hinges => MassProperties::sphere(7800.0, 0.05 + 0.01 * part)?,
            _ => mass,
        };
        let (row, side) = (k / 2, k % 2);
        let from = match k {
            0 => Vec3::ZERO,
            k if kind == Kind::Mixed && side == 1 => Vec3::new(0.4 * (row as f64), 0.0, 0.0),
            k => Vec3::new(0.4 * k as f64, 0.0, 0.0),
        };
        let along = if kind == Kind::Mixed && side == 1 { Vec3::Z } else { Vec3::X };
        let turn = if along == Vec3::Z {
            Quat::from_rotation_x(std::f64::consts::FRAC_PI_2)
        } else {
            Quat::from_rotation_z(-std::f64::consts::FRAC_PI_2)
        };
        let spin = Vec3::new(0.1 * part, 0.2, 1.5 - 0.3 * part);
        let body =
            Body::dynamic(mass).at(from + 0.2 * along).rotated(turn).moving(spin.cross(from + 0.2 * along), spin);
        let bar = world.add(body.damped(0.01 * part, 0.02 * part))?;
        let other = match k {
            0 => Some(world.ground()),
            _ if kind == Kind::Mixed => Some(bars[if side == 1 { 2 * row } else { 2 * row - 2 }]),
            _ => Some(bars[k - 1]),
        };
        bars.push(bar);
        let Some(other) = other.filter(|_| !(kind == Kind::Afloat && k == 0)) else { continue };
        let shape = match kind {
            Kind::Hinges => 1,
            Kind::Mixed | Kind::Afloat => k % 4,
            Kind::Balls => 0,
        };
        match shape {
            0 => world.add(Ball::between(bar, other).at(from))?,
            1 => world.add(Hinge::between(bar, other).at(from).axis(Vec3::Z))?,
            2 => world.add(Universal::between(other, bar).at(from).axis(Vec3::Z))?,
            _ => world.add(Weld::between(other, bar).at(from))?,
        };
    }
    Ok(world)
}

/// Worlds that have been stepped together and alone, compared after every step.
fn compare(kind: Kind, h: f64, load: f64, steps: usize, watched: bool) {
    let make = || (0..6).map(|k| mechanism(kind, k, load).unwrap()).collect::<Vec<_>>();
    let (mut together, mut alone) = (make(), make());
    let mut hashes = Vec::new();
    for step in 0..steps {
        for (k, world) in alone.iter_mut().enumerate() {
            world.step(h).unwrap();
            hashes.push((k, step, world.state().hash()));
        }
    }
    let mut seen = Vec::new();
    let mut tell = |k: usize, step: usize, world: &World| seen.push((k, step, world.state().hash()));
    let mut worlds: Vec<&mut World> = together.iter_mut().collect();
    let done = Together::default().step(&mut worlds, h, steps, watched.then_some(&mut tell));
    assert!(done.iter().all(Result::is_ok));
    if watched {
        seen.sort_unstable_by_key(|&(k, step, _)| (step, k));
        for (a, b) in seen.iter().zip(&hashes) {
            assert_eq!(a, b, "{kind:?} at {h} s with {load} kg: world {} parts in step {}", b.0, b.1);
        }
        assert_eq!(seen.len(), hashes.len());
    }
    for (a, b) in together.iter().zip(&alone) {
        assert_eq!(a.state(), b.state(), "{kind:?} at {h} s with {load} kg");
    }
}

#[test]
fn worlds_together_have_the_bits_of_worlds_alone() {
    for kind in KINDS {
        for (h, load) in [(0.005, 1.0), (1.0 / 60.0, 1.0), (0.1, 1.0), (0.01, 1e4), (0.001, 1e6)] {
            compare(kind, h, load, 60, true);
        }
    }
}

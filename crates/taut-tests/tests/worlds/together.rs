//! Worlds side by side have the bits that each has alone.

use crate::common::Rng;
use taut::{Coordinates, Mat3, Together, prelude::*};

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
            _ if kind == Kind::Mixed && side == 1 => Vec3::new(0.4 * (row as f64), 0.0, 0.0),
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
    let mut worlds: Vec<&mut World> = together.iter_mut().collect();
    let mut memory = Together::default();
    let done = match watched {
        true => memory.step_watched(&mut worlds, h, steps, |k, step, w| seen.push((k, step, w.state().hash()))),
        false => memory.step(&mut worlds, h, steps),
    };
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
            compare(kind, h, load, 30, false);
        }
    }
}

/// Steps of worlds one by one.
fn alone(worlds: &mut [World], h: f64, steps: usize) {
    for world in worlds {
        (0..steps).for_each(|_| drop(world.step(h).unwrap()));
    }
}

/// Steps of worlds together.
fn together(memory: &mut Together, worlds: &mut [World], h: f64, steps: usize) -> Vec<Result<()>> {
    memory.step(&mut worlds.iter_mut().collect::<Vec<_>>(), h, steps)
}

fn same(a: &[World], b: &[World]) {
    for (k, (a, b)) in a.iter().zip(b).enumerate() {
        assert_eq!(a.state(), b.state(), "world {k}");
    }
}

#[test]
fn nearly_all_steps_of_a_chain_are_taken_side_by_side() {
    for kind in KINDS {
        let mut worlds: Vec<World> = (0..4).map(|k| mechanism(kind, k, 1.0).unwrap()).collect();
        let mut memory = Together::default();
        assert!(together(&mut memory, &mut worlds, 0.005, 100).iter().all(Result::is_ok));
        // The first step finds the load, world by world.
        assert!(memory.shared() >= 4 * 90, "{kind:?}: {} of 400", memory.shared());
    }
}

#[test]
fn worlds_are_changed_between_steps_and_have_the_bits_of_worlds_alone() {
    let make = || (0..4).map(|k| mechanism(Kind::Mixed, k, 30.0).unwrap()).collect::<Vec<_>>();
    let (mut a, mut b, mut memory) = (make(), make(), Together::default());
    let edit = |world: &mut World, k: usize, round: usize| {
        let bodies: Vec<BodyId> = world.bodies().map(|b| b.id()).collect();
        let mut options = *world.options();
        options.gravity = Vec3::new(0.0, -9.81 + k as f64, 0.5 * round as f64);
        world.set_options(options).unwrap();
        let push = Vec3::new(3.0, 20.0 * k as f64, 1.0);
        world.apply_force(bodies[7], push, world[bodies[7]].pos + 0.1 * Vec3::Y).unwrap();
        match round {
            1 if k == 2 => world.set_velocity(bodies[5], Vec3::Y, Vec3::ZERO).unwrap(),
            2 => world.set_mass(bodies[3], &MassProperties::sphere(500.0, 0.1 + 0.01 * k as f64).unwrap()).unwrap(),
            3 if k == 1 => world.set_damping(bodies[4], 0.3, 0.2).unwrap(),
            _ => {}
        }
    };
    for round in 0..5 {
        for (k, (a, b)) in a.iter_mut().zip(&mut b).enumerate() {
            edit(a, k, round);
            edit(b, k, round);
        }
        let h = [0.01, 0.004, 0.02, 0.01, 0.03][round];
        assert!(together(&mut memory, &mut a, h, 7).iter().all(Result::is_ok));
        alone(&mut b, h, 7);
        same(&a, &b);
    }
    assert!(memory.shared() > 100);
}

#[test]
fn worlds_that_differ_in_kind_or_have_more_to_them_go_alone() {
    let make = || {
        let mut worlds: Vec<World> = (0..2).map(|k| mechanism(Kind::Balls, k, 1.0).unwrap()).collect();
        worlds.push(mechanism(Kind::Hinges, 2, 1.0).unwrap());
        worlds.push(mechanism(Kind::Mixed, 3, 1.0).unwrap());
        for k in 0..4 {
            let mut world = mechanism(Kind::Hinges, k, 1.0).unwrap();
            let body = world.bodies().nth(4).unwrap().id();
            match k {
                0 => drop(world.add(Collider::new(Shape::ball(0.1)).on(body)).unwrap()),
                1 => drop(world.add(Force::Torque { body, torque: Vec3::Z }).unwrap()),
                2 => world.set_options(Options { coordinates: Coordinates::Reduced, ..*world.options() }).unwrap(),
                _ => drop(world.add(Spring::between(body, world.ground()).stiffness(100.0)).unwrap()),
            }
            worlds.push(world);
        }
        worlds
    };
    let (mut a, mut b, mut memory) = (make(), make(), Together::default());
    assert!(together(&mut memory, &mut a, 0.01, 20).iter().all(Result::is_ok));
    alone(&mut b, 0.01, 20);
    same(&a, &b);
    assert_eq!(memory.shared(), 0);
}

#[test]
fn a_world_that_fails_stays_where_it_was_and_the_others_go_on() {
    let make = || (0..4).map(|k| mechanism(Kind::Hinges, k, 1.0).unwrap()).collect::<Vec<_>>();
    let (mut a, mut b, mut memory) = (make(), make(), Together::default());
    together(&mut memory, &mut a, 0.01, 5);
    alone(&mut b, 0.01, 5);
    let body = a[2].bodies().nth(3).unwrap().id();
    let point = a[2][body].pos;
    a[2].apply_force(body, 1e308 * Vec3::Y, point).unwrap();
    let done = together(&mut memory, &mut a, 0.01, 5);
    assert!(done[2].as_ref().is_err_and(|e| e.to_string().contains("not finite")), "{done:?}");
    for k in [0, 1, 3] {
        assert!(done[k].is_ok());
        alone(&mut b[k..=k], 0.01, 5);
    }
    same(&a, &b);
    let refused = together(&mut memory, &mut a, -1.0, 1);
    assert!(refused.iter().all(|r| r.as_ref().is_err_and(|e| e.to_string().contains("time step"))), "{refused:?}");
    same(&a, &b);
}

/// A random tree: kinds of joints, who hangs on whom, sizes, masses of up to a million to one, spins, lengths of arms.
fn random_tree(shape: &mut Rng, numbers: &mut Rng) -> Result<World> {
    let mut world = World::new();
    let mut made: Vec<(BodyId, Vec3)> = Vec::new();
    for k in 0..1 + shape.below(9) {
        let parent = (k > 0).then(|| made[shape.below(k)]);
        let at = parent.map_or(Vec3::ZERO, |p| p.1) + numbers.vec(0.5);
        let centre = at + numbers.vec(0.3);
        let mass = match shape.below(3) {
            0 => numbers.mass(),
            1 => MassProperties::sphere(1000.0, 0.1)?,
            _ => {
                // About axes that are not its own.
                let turn = Mat3::from_quat(numbers.quat());
                MassProperties::new(1.0, turn * Mat3::from_diagonal(Vec3::new(0.1, 0.2, 0.25)) * turn.transpose())?
            }
        };
        let mass = mass.with_mass(f64::powf(10.0, numbers.range(-3.0, 3.0)))?;
        let body = Body::dynamic(mass).at(centre).rotated(numbers.quat()).moving(numbers.vec(0.5), numbers.vec(3.0));
        let body = world.add(body)?;
        made.push((body, centre));
        let other = match parent {
            Some((other, _)) => other,
            None if shape.below(5) == 0 => continue,
            None => world.ground(),
        };
        let (i, j) = if shape.below(2) == 0 { (body, other) } else { (other, body) };
        let joint = match shape.below(4) {
            0 => Hinge::between(i, j).at(at).axis(numbers.unit()),
            1 => Universal::between(i, j).at(at).axis(numbers.unit()),
            2 => Weld::between(i, j).at(at),
            _ => Ball::between(i, j).at(at),
        };
        world.add(joint)?;
    }
    Ok(world)
}

#[test]
fn random_trees_together_have_the_bits_of_trees_alone() {
    let (mut memory, mut steps) = (Together::default(), 0);
    for seed in 0..150_u64 {
        let make = || -> Vec<World> {
            let tree = |k: u64| random_tree(&mut Rng(seed + 1), &mut Rng(1000 * (seed + 1) + k)).unwrap();
            (0..4).map(tree).collect()
        };
        let h = [0.001, 0.005, 1.0 / 60.0, 0.05][seed as usize % 4];
        let (mut a, mut b) = (make(), make());
        let done = together(&mut memory, &mut a, h, 30);
        for (k, world) in b.iter_mut().enumerate() {
            let alone = (0..30).try_for_each(|_| world.step(h).map(|_| ()));
            assert_eq!(done[k].is_ok(), alone.is_ok(), "seed {seed}, world {k}: {:?}", done[k]);
            assert_eq!(a[k].state(), world.state(), "seed {seed}, world {k} at {h} s");
        }
        steps += 4 * 30;
    }
    // Those that whip go alone.
    assert!(memory.shared() > steps / 2, "{} of {steps}", memory.shared());
}

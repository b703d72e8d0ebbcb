//! Six machines with running ropes at every mass ratio and step, kicked and out of plane, with their winches at work; and a snatch.

use super::rig::Worst;
use super::{Check, Effort, Failure, Measured};
use crate::scenes::parts::{G, ball, pointing, square_bar};
use std::f64::consts::FRAC_PI_3;
use taut::{
    Ball, Body, BodyId, Command, Error, Hinge, JointId, MassProperties, Motor, Rope, Sheave, Vec3, Winch, Winding,
    World,
};

/// Load mass over the mass of the light block or sheave, which is 1 kg.
const RATIOS: [f64; 4] = [1.0, 1e2, 1e4, 1e6];
/// Steps, s.
const STEPS: [f64; 5] = [0.001, 0.01, 1.0 / 60.0, 0.04, 0.1];
/// Simulated time of a cell, s, in four parts: the winches rest, haul, pay out, rest.
const TIME: f64 = 12.0;
/// How fast a motor changes its rate, rad/s^2.
const RAMP: f64 = 8.0;
/// Height by which the energy of a machine is measured, m.
const HEIGHT: f64 = 8.0;

pub(super) fn check() -> Check {
    Check {
        id: "rope-map",
        summary: "Atwood's machine, tackles, a luffing crane and an elevator hold at every mass ratio and step",
        source: "promise of the README; conservation of energy and of the length of ropes",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let ratios: &[f64] = effort.pick(&RATIOS[..], &[1.0, 1e6]);
    let steps: &[f64] = effort.pick(&STEPS[..], &[1.0 / 60.0, 0.1]);
    let [mut error, mut coarse, mut rise] = [Worst::new(), Worst::new(), Worst::new()];
    let (mut stable, mut cells) = (0, 0);
    for (name, build) in MACHINES {
        for &ratio in ratios {
            for &h in steps {
                let seen = cell(effort, build(ratio)?, h)?;
                cells += 1;
                stable += usize::from(seen.is_some());
                let at = || format!("{name}, ratio {ratio:.0e}, {h:.3} s");
                let seen = seen.unwrap_or(Seen { error: f64::NAN, rise: f64::NAN });
                if h > 0.05 { &mut coarse } else { &mut error }.see(100.0 * seen.error, at);
                rise.see(100.0 * seen.rise, at);
            }
        }
    }
    let mut out = vec![
        Measured::all_of(format!("machines: stable cells of {cells}"), stable, cells),
        error.at_most("machines: excess of a rope or gap of a joint, of the size, steps to 0.04 s", 0.01, "%"),
        coarse.at_most("machines: excess or gap at 0.1 s", 0.01, "%"),
        rise.at_most("machines: energy gained beyond the work of the winches, of m g 8 m", 0.1, "%"),
    ];
    snatches(effort, &mut out)?;
    Ok(out)
}

/// The block of a tackle falls by 0.2 m into its rope.
fn snatches(effort: &Effort<'_>, out: &mut Vec<Measured>) -> Result<(), Failure> {
    let [mut error, mut rise] = [Worst::new(), Worst::new()];
    let (mut stable, mut cells) = (0, 0);
    for ratio in [1e2, 1e4, 1e6] {
        for h in [0.01, 1.0 / 60.0, 0.04, 0.1] {
            let seen = cell(effort, tackle(4, ratio, 0.2)?, h)?;
            cells += 1;
            stable += usize::from(seen.is_some());
            let seen = seen.unwrap_or(Seen { error: f64::NAN, rise: f64::NAN });
            let at = || format!("ratio {ratio:.0e}, {h:.3} s");
            error.see(100.0 * seen.error, at);
            rise.see(100.0 * seen.rise, at);
        }
    }
    out.push(Measured::all_of(format!("snatch of a tackle: stable cells of {cells}"), stable, cells));
    out.push(error.at_most("snatch of a tackle: excess of the rope, of the size", 0.2, "%"));
    out.push(rise.at_most("snatch of a tackle: energy gained, of m g 8 m", 0.1, "%"));
    Ok(())
}

/// A machine and the motors that drive it, each with its rates in the four parts of the run, rad/s.
struct Machine {
    world: World,
    motors: Vec<(JointId, [f64; 4])>,
    /// Largest distance of a body from the origin, m.
    size: f64,
    /// m g 8 m, J.
    scale: f64,
}

/// The worst of a run: lengths as parts of the size, energy as a part of the scale.
struct Seen {
    error: f64,
    rise: f64,
}

/// Runs a machine; none where it breaks down.
fn cell(effort: &Effort<'_>, mut m: Machine, h: f64) -> Result<Option<Seen>, Failure> {
    let steps = (TIME / h).round() as usize;
    let mut rates = vec![0.0_f64; m.motors.len()];
    let start = m.world.energy()?.total();
    let (mut work, mut seen) = (0.0, Seen { error: 0.0, rise: 0.0 });
    for k in 0..steps {
        effort.go_on()?;
        for ((motor, wanted), rate) in m.motors.iter().zip(&mut rates) {
            let wanted = wanted[(4 * k / steps).min(3)];
            *rate += (wanted - *rate).clamp(-RAMP * h, RAMP * h);
            m.world.set_motor(*motor, Command::rate(*rate))?;
        }
        let report = match m.world.step(h) {
            Ok(report) => report,
            Err(Error::Step { .. }) => return Ok(None),
            Err(e) => return Err(e.into()),
        };
        work += report.ledger.work;
        let excess = m.world.ropes().map(|r| {
            let stretch = r.stiffness().map_or(0.0, |ea| r.tensions().fold(0.0, f64::max) * r.length() / ea);
            r.excess() - stretch
        });
        let error = excess.fold(report.max_gap, f64::max) / m.size;
        seen.error = seen.error.max(error);
        seen.rise = seen.rise.max((report.energy.total() - start - work) / m.scale);
        if !(error < 0.05 && seen.rise < 0.1) {
            return Ok(None);
        }
    }
    Ok(Some(seen))
}

type Build = fn(f64) -> taut::Result<Machine>;

const MACHINES: [(&str, Build); 6] = [
    ("Atwood", atwood),
    ("tackle of 2", |ratio| tackle(2, ratio, 0.0)),
    ("tackle of 4", |ratio| tackle(4, ratio, 0.0)),
    ("tackle of 6", |ratio| tackle(6, ratio, 0.0)),
    ("luffing crane", luffing),
    ("elevator", elevator),
];

/// A disc on an axle, with a motor where it is driven.
fn rotor(world: &mut World, mass: f64, radius: f64, driven: bool) -> taut::Result<(BodyId, JointId)> {
    let spin = 0.5 * mass * radius * radius;
    let disc = world.add(Body::dynamic(MassProperties::from_diagonal(mass, Vec3::splat(spin))?))?;
    let axle = Hinge::between(disc, world.ground()).axis(Vec3::Z);
    let axle = world.add(if driven { axle.motor(Motor::rate().speed(0.0)) } else { axle })?;
    Ok((disc, axle))
}

/// A load and one of nine tenths of it over a rotor of 1 kg, swinging out of plane; one of them reaches the rotor.
fn atwood(ratio: f64) -> taut::Result<Machine> {
    let mut world = World::new();
    let r = 0.3;
    let (disc, _) = rotor(&mut world, 1.0, r, false)?;
    let [a, b] = [Vec3::new(-r - 1.2, -4.5, 0.0), Vec3::new(r, -5.5, 0.5)];
    let mut hung = |mass: f64, at: Vec3, turns: Vec3| {
        world.add(Body::dynamic(ball(mass, 0.5)?).at(at - 0.5 * Vec3::Y).moving(Vec3::ZERO, turns))
    };
    let (heavy, light) = (hung(ratio, a, Vec3::new(0.1, 0.2, 0.3))?, hung(0.9 * ratio, b, Vec3::ZERO)?);
    let sheave = Sheave::on(disc, Vec3::ZERO, Vec3::Z, r).no_slip();
    world.add(Rope::from(heavy, a).over(sheave).to(light, b))?;
    Ok(Machine { world, motors: Vec::new(), size: 6.0, scale: ratio * G * HEIGHT })
}

/// A block of 1 kg with its load, swinging at 0.3 rad and kicked; it may have to fall by `drop`, m, until its rope is taut.
fn tackle(parts: usize, ratio: f64, drop: f64) -> taut::Result<Machine> {
    let mut world = World::new();
    let ground = world.ground();
    let r = 0.15;
    let down = Vec3::new(libm::sin(0.3), -libm::cos(0.3), 0.0);
    let pose = pointing(down);
    let block = MassProperties::from_diagonal(1.0, Vec3::splat(0.02))?;
    let block = Body::dynamic(block).at(8.0 * down).rotated(pose).moving(Vec3::ZERO, Vec3::new(0.1, 0.2, 0.3));
    let block = world.add(block)?;
    let load = MassProperties::from_diagonal(ratio, Vec3::splat(0.1 * ratio))?;
    let load = world.add(Body::dynamic(load).at(8.75 * down).rotated(pose).moving(0.5 * Vec3::Z, Vec3::ZERO))?;
    world.add(Ball::between(load, block).at(8.15 * down))?;
    let winch = Winch::on(ground, Vec3::new(-4.0, 0.0, 0.0), Vec3::Z, 0.25).inertia(1.0);
    let winch = world.add(winch.winding(Winding::Haul { speed: 0.0, force: f64::INFINITY }))?;
    let above = Sheave::on(ground, Vec3::ZERO, Vec3::Z, r).against();
    let below = Sheave::on(block, 7.9 * down, Vec3::Z, r).against();
    let mut rope = Rope::from_drum(world.drum(winch)?.about()).round(above);
    for k in 0..parts - 1 {
        rope = rope.round(if k % 2 == 0 { below } else { above });
    }
    world.add(rope.to(ground, -r * Vec3::X).slack(drop * parts as f64))?;
    let rate = world.winch_rate(winch, 0.2 * parts as f64)?;
    let motors = vec![(winch.hinge, [0.0, rate, -rate, 0.0])];
    Ok(Machine { world, motors, size: 9.0, scale: ratio * G * HEIGHT })
}

/// A boom of 20 m held by a luffing rope of three parts, its hook block of 1 kg on two, and two winches.
fn luffing(ratio: f64) -> taut::Result<Machine> {
    let mut world = World::new();
    let ground = world.ground();
    let length = 20.0;
    let along = Vec3::new(libm::cos(FRAC_PI_3), libm::sin(FRAC_PI_3), 0.0);
    let up = Vec3::new(-along.y, along.x, 0.0);
    let tip = length * along;
    let boom = Body::dynamic(square_bar((0.5 * ratio).max(2.0), length, 0.8)?).at(0.5 * tip).rotated(pointing(along));
    let boom = world.add(boom)?;
    world.add(Hinge::between(boom, ground).axis(Vec3::Z))?;
    let hook = tip + Vec3::new(0.45, -8.0, 0.0);
    let block = MassProperties::from_diagonal(1.0, Vec3::splat(0.02))?;
    let block = world.add(Body::dynamic(block).at(hook).moving(Vec3::ZERO, Vec3::new(0.1, 0.2, 0.3)))?;
    let load = MassProperties::from_diagonal(ratio, Vec3::splat(0.1 * ratio))?;
    let load = Body::dynamic(load).at(hook - 0.75 * Vec3::Y).moving(Vec3::new(1.0, 0.0, 0.5), Vec3::ZERO);
    let load = world.add(load)?;
    world.add(Ball::between(load, block).at(hook - 0.15 * Vec3::Y))?;
    let mut winch = |at: Vec3| {
        let held = Winding::Haul { speed: 0.0, force: f64::INFINITY };
        world.add(Winch::on(ground, at, Vec3::Z, 0.25).inertia(1.0).winding(held))
    };
    let (hoist, luff) = (winch(Vec3::new(-3.0, 1.0, 0.0))?, winch(Vec3::new(-4.0, 0.0, 0.0))?);
    let head = Sheave::on(boom, tip, Vec3::Z, 0.3).against();
    let low = Sheave::on(block, hook + 0.1 * Vec3::Y, Vec3::Z, 0.15).about();
    let rope = Rope::from_drum(world.drum(hoist)?.about()).round(head).round(low);
    world.add(rope.to(boom, tip + 0.6 * Vec3::X))?;
    let mast = Sheave::on(ground, Vec3::new(-5.0, 12.0, 0.0), Vec3::Z, 0.2).against();
    let ear = tip - 0.5 * along + 0.3 * up;
    let rope = Rope::from_drum(world.drum(luff)?.about()).round(mast);
    let rope = rope.round(Sheave::on(boom, ear, Vec3::Z, 0.2).against()).round(mast);
    world.add(rope.to(boom, ear))?;
    let (up, rise) = (world.winch_rate(hoist, 0.4)?, world.winch_rate(luff, 0.1)?);
    let motors = vec![(hoist.hinge, [0.0, up, -up, 0.0]), (luff.hinge, [0.0, rise, -rise, 0.0])];
    Ok(Machine { world, motors, size: length, scale: ratio * G * HEIGHT })
}

/// A car and a counterweight over a driven traction sheave of 1 kg with friction 0.3, on ropes that stretch by 2 mm/m under the car.
fn elevator(ratio: f64) -> taut::Result<Machine> {
    let mut world = World::new();
    let r = 0.4;
    let (disc, axle) = rotor(&mut world, 1.0, r, true)?;
    let [a, b] = [Vec3::new(-r, -18.8, 0.0), Vec3::new(r, -8.8, 0.0)];
    let mut hung = |mass: f64, at: Vec3, speed: Vec3| {
        let cabin = MassProperties::from_diagonal(mass, Vec3::splat(0.5 * mass))?;
        world.add(Body::dynamic(cabin).at(at - 1.2 * Vec3::Y).moving(speed, Vec3::ZERO))
    };
    let car = hung(ratio, a, Vec3::new(0.1, 0.0, 0.05))?;
    let weight = hung(1.4 * ratio, b, Vec3::new(-0.1, 0.0, 0.0))?;
    let sheave = Sheave::on(disc, Vec3::ZERO, Vec3::Z, r).friction(0.3).keeper(true);
    let stiffness = ratio * G / 2e-3;
    // Stretched already by the mean of what hangs on it.
    let stretch = 1.2 * ratio * G * (a.y + b.y).abs() / stiffness;
    world.add(Rope::from(car, a).over(sheave).to(weight, b).stiffness(stiffness).slack(-stretch))?;
    Ok(Machine { world, motors: vec![(axle, [0.0, 2.5, -2.5, 0.0])], size: 20.0, scale: ratio * G * HEIGHT })
}

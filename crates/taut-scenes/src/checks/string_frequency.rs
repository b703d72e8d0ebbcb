//! A tensioned cable plucked in its lowest mode: its frequency against that of the discrete string, over three decades of tension.

use super::rig::Crossings;
use super::{Check, Effort, Failure, Measured, theory};
use crate::scenes::parts::{pointing, rod};
use std::f64::consts::{PI, TAU};
use taut::{Ball, Body, BodyId, Distance, Force, Options, Prismatic, Result, Vec3, World};

const LINKS: usize = 20;
const LENGTH: f64 = 10.0;
const LINK: f64 = LENGTH / LINKS as f64;
/// Mass and radius of a link.
const MASS: f64 = 0.05;
const RADIUS: f64 = 0.02;
const TENSIONS: [f64; 4] = [1.0, 10.0, 100.0, 1000.0];
const STEP: f64 = 0.001;
/// Height of the lowest mode over the length.
const HEIGHT: f64 = 1e-3;

pub(super) fn check() -> Check {
    Check {
        id: "string-frequency",
        summary: "the lowest frequency of a tensioned cable, of links and of rods between particles, grows with the root of the tension",
        source: "discrete string: w^2 = (T/l)(2 - 2c)/(2(m/4 + I/l^2) + 2(m/4 - I/l^2) c), c = cos(pi/n)",
        run,
    }
}

fn run(effort: &Effort<'_>) -> std::result::Result<Vec<Measured>, Failure> {
    let tensions = effort.pick(&TENSIONS[..], &TENSIONS[2..]);
    let across = MASS * (RADIUS * RADIUS / 4.0 + LINK * LINK / 12.0);
    let mut out = Vec::new();
    for (name, links, moment) in [("links", true, across), ("particles", false, 0.25 * MASS * LINK * LINK)] {
        let mut measured = Vec::new();
        for &tension in tensions {
            let expected = theory::string_frequency(LINKS, tension, MASS, LINK, moment);
            let (mut world, middle) = if links { linked(tension, expected) } else { beaded(tension, expected) }?;
            let mut crossings = Crossings::default();
            effort.steps(&mut world, STEP, 3.2 * TAU / expected, |w| {
                crossings.see(w.time(), w.body(middle)?.position().y);
                Ok(())
            })?;
            let frequency = 1.0 / crossings.period();
            measured.push((tension.ln(), frequency.ln()));
            let what = format!("frequency of {name} under {tension} N");
            out.push(Measured::near(what, frequency, expected / TAU, 0.01, "Hz"));
        }
        out.push(Measured::near(format!("exponent of the tension, {name}"), slope(&measured), 0.5, 0.01, ""));
    }
    Ok(out)
}

/// Slope of the line of least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let mean = points.iter().fold((0.0, 0.0), |m, p| (m.0 + p.0 / n, m.1 + p.1 / n));
    let (mut top, mut bottom) = (0.0, 0.0);
    for p in points {
        top += (p.0 - mean.0) * (p.1 - mean.1);
        bottom += (p.0 - mean.0) * (p.0 - mean.0);
    }
    top / bottom
}

/// A slider on the x axis, pulled by the tension.
fn slider(world: &mut World, tension: f64) -> Result<BodyId> {
    world.set_options(Options { gravity: Vec3::ZERO, ..*world.options() })?;
    let at = LENGTH * Vec3::X;
    let b = world.add(Body::dynamic(rod(1.0, 0.1, 0.05)?).at(at).named("slider"))?;
    let ground = world.ground();
    world.add(Prismatic::between(b, ground).at(at).axis(Vec3::X))?;
    world.add(Force::Point { body: b, point: Vec3::ZERO, force: tension * Vec3::X })?;
    Ok(b)
}

/// Sideways speed of the k-th joint that gives the mode its height.
fn speed(k: usize, frequency: f64) -> f64 {
    HEIGHT * LENGTH * frequency * (PI * k as f64 / LINKS as f64).sin()
}

/// Rigid links on ball joints; also the link in the middle.
fn linked(tension: f64, frequency: f64) -> Result<(World, BodyId)> {
    let mut world = World::new();
    let end = slider(&mut world, tension)?;
    let (mut previous, mut middle) = (world.ground(), end);
    for k in 0..LINKS {
        let (left, right) = (speed(k, frequency), speed(k + 1, frequency));
        let at = k as f64 * LINK * Vec3::X;
        let def = Body::dynamic(rod(MASS, LINK, RADIUS)?).at(at + 0.5 * LINK * Vec3::X).rotated(pointing(Vec3::X));
        let def = def.moving(0.5 * (left + right) * Vec3::Y, (right - left) / LINK * Vec3::Z);
        let b = world.add(def)?;
        world.add(Ball::between(b, previous).at(at).axis(Vec3::X))?;
        if k == LINKS / 2 {
            middle = b;
        }
        previous = b;
    }
    world.add(Ball::between(end, previous).at(LENGTH * Vec3::X).axis(Vec3::X))?;
    Ok((world, middle))
}

/// Particles on weightless rods; also the particle in the middle.
fn beaded(tension: f64, frequency: f64) -> Result<(World, BodyId)> {
    let mut world = World::new();
    let end = slider(&mut world, tension)?;
    let (mut previous, mut middle) = (world.ground(), end);
    for k in 1..=LINKS {
        let at = k as f64 * LINK * Vec3::X;
        let b = if k < LINKS {
            world.add(Body::particle(MASS).at(at).moving(speed(k, frequency) * Vec3::Y, Vec3::ZERO))?
        } else {
            end
        };
        world.add(Distance::between(b, previous).length(LINK))?;
        if k == LINKS / 2 {
            middle = b;
        }
        previous = b;
    }
    Ok((world, middle))
}

//! Spinning bodies: steady precession of a heavy top on a ball joint, and of the axis of a free symmetric body.

use super::{Check, Effort, Failure, Measured, theory};
use crate::scenes::parts::G;
use std::f64::consts::{PI, TAU};
use taut::{Ball, Body, BodyId, MassProperties, Options, Quat, Result, Vec3, World};

/// Mass, distance of its centre from the tip, principal moments (spin axis: y).
const MASS: f64 = 0.5;
const ARM: f64 = 0.1;
const MOMENTS: Vec3 = Vec3::new(8e-4, 1.2e-3, 8e-4);
const TILT: f64 = 0.6;

pub(super) fn check() -> Check {
    Check {
        id: "top",
        summary: "rates of precession of a heavy top and of a free symmetric body",
        source: "steady precession: a cos(tilt) w^2 - c spin w + m g l = 0; free body: w = |L|/a",
        run,
    }
}

fn run(effort: &Effort<'_>) -> std::result::Result<Vec<Measured>, Failure> {
    let mut out = Vec::new();
    let across = MOMENTS.x + MASS * ARM * ARM;
    for (spin, h) in [(150.0, 5e-4), (600.0, 2e-4)] {
        let rate = theory::top_precession(across, MOMENTS.y, spin, TILT, MASS * G * ARM);
        let (mut world, b) = heavy(spin, rate)?;
        let seen = precession(effort, &mut world, b, h, PI / rate)?;
        out.push(Measured::near(format!("heavy top at {spin} rad/s: precession"), seen.rate, rate, 0.001, "rad/s"));
        out.push(Measured::at_most(format!("heavy top at {spin} rad/s: nodding"), seen.nod, 1e-3, "rad"));
    }
    // About the angular momentum, which points up.
    let momentum = 0.02;
    let (mut world, b) = free(momentum)?;
    let rate = momentum / MOMENTS.x;
    let seen = precession(effort, &mut world, b, 1e-3, 20.0 * TAU / rate)?;
    out.push(Measured::near("free body: precession", seen.rate, rate, 0.001, "rad/s"));
    out.push(Measured::at_most("free body: nodding", seen.nod, 1e-3, "rad"));
    Ok(out)
}

fn axis() -> (Quat, Vec3) {
    let turn = Quat::from_rotation_z(-TILT);
    (turn, turn * Vec3::Y)
}

/// A top on a ball joint at the origin, in steady precession.
fn heavy(spin: f64, rate: f64) -> Result<(World, BodyId)> {
    let (turn, axis) = axis();
    let omega = axis * (spin - rate * TILT.cos()) + rate * Vec3::Y;
    let at = ARM * axis;
    let mass = MassProperties::from_diagonal(MASS, MOMENTS)?;
    let mut world = World::new();
    let b = world.add(Body::dynamic(mass).at(at).rotated(turn).moving(omega.cross(at), omega))?;
    let ground = world.ground();
    world.add(Ball::between(b, ground).at(Vec3::ZERO).axis(Vec3::Y))?;
    Ok((world, b))
}

/// A free body whose angular momentum (N m s) points up.
fn free(momentum: f64) -> Result<(World, BodyId)> {
    let (turn, _) = axis();
    let mass = MassProperties::from_diagonal(MASS, MOMENTS)?;
    let mut world = World::new();
    world.set_options(Options { gravity: Vec3::ZERO, ..Options::default() })?;
    let omega = turn * (turn.inverse() * (momentum * Vec3::Y) / MOMENTS);
    let b = world.add(Body::dynamic(mass).rotated(turn).moving(Vec3::ZERO, omega))?;
    Ok((world, b))
}

struct Precession {
    /// Mean rate about the vertical, rad/s.
    rate: f64,
    /// Largest change of the tilt, rad.
    nod: f64,
}

fn precession(
    effort: &Effort<'_>,
    world: &mut World,
    b: BodyId,
    h: f64,
    time: f64,
) -> std::result::Result<Precession, Failure> {
    let (mut angle, mut last, mut nod) = (0.0, axis().1, 0.0_f64);
    effort.steps(world, h, time, |w| {
        let now = w.body(b)?.rotation() * Vec3::Y;
        angle += (last.z * now.x - last.x * now.z).atan2(last.x * now.x + last.z * now.z);
        nod = nod.max((now.y.acos() - TILT).abs());
        last = now;
        Ok(())
    })?;
    Ok(Precession { rate: angle / world.time(), nod })
}

//! Bending of the cable joint: a clamped cable with a load at its tip against beam theory.

use super::{Check, Effort, Failure, Measured, theory};
use crate::scenes::parts::{G, ball, pointing, rod};
use taut::{Body, BodyId, Cable, Force, Joint, Options, Result, Vec3, World};

pub(super) const SEGMENTS: usize = 16;
pub(super) const LENGTH: f64 = 4.0;
/// Mass of a segment, kg.
const MASS: f64 = 0.2;
/// Sag and turn that the loads are chosen for: small, as in the theory.
const SAG: f64 = 0.01 * LENGTH;
const TURN: f64 = 0.02;

pub(super) fn check() -> Check {
    Check {
        id: "cantilever",
        summary: "a clamped cable bends like a beam under a tip load up to a million segments, its own weight and an end moment",
        source: "Euler-Bernoulli: P L^3/(3 E I) + q L^4/(8 E I), M L/(E I); joint compliance l/(E I), half of it at both ends",
        run,
    }
}

fn run(effort: &Effort<'_>) -> std::result::Result<Vec<Measured>, Failure> {
    let mut out = Vec::new();
    let l = LENGTH / SEGMENTS as f64;
    let ratios: &[(&str, f64)] = effort.pick(&[("1", 1.0), ("1e3", 1e3), ("1e6", 1e6)], &[("1e6", 1e6)]);
    for &(name, ratio) in ratios {
        let (tip, uniform) = (ratio * MASS * G, MASS * G / l);
        // The stiffness for which the sag is the wanted one.
        let stiffness = theory::cantilever_sag(tip, uniform, LENGTH, 1.0) / SAG;
        let (mut world, end) = clamped(stiffness / l, stiffness / l, ratio * MASS)?;
        effort.steps(&mut world, 1.0 / 60.0, 30.0, |_| Ok(()))?;
        out.push(Measured::near(format!("sag under {name} segments"), -world.body(end)?.position().y, SAG, 0.01, "m"));
    }
    let stiffness = 100.0;
    let (mut world, end) = clamped(stiffness / l, stiffness / l, MASS)?;
    let torque = Vec3::new(0.0, 0.0, TURN * stiffness / LENGTH);
    world.set_options(Options { gravity: Vec3::ZERO, ..*world.options() })?;
    world.add(Force::Torque { body: end, torque })?;
    effort.steps(&mut world, 1.0 / 60.0, 30.0, |_| Ok(()))?;
    out.push(Measured::near("turn of the end under a moment", turn(&world, end)?, TURN, 0.01, "rad"));
    Ok(out)
}

/// Angle by which a body has turned from its start.
pub(super) fn turn(world: &World, body: BodyId) -> Result<f64> {
    Ok(2.0 * world.body(body)?.rotation().xyz().length().asin())
}

/// A cable along x, clamped at the origin, and the ball at its end: half the compliance at both ends. Stiffness in N m/rad.
pub(super) fn clamped(bending: f64, torsion: f64, load: f64) -> Result<(World, BodyId)> {
    let cable = Cable::from_stiffness(1e12, bending, torsion)?;
    let l = LENGTH / SEGMENTS as f64;
    let mut world = World::new();
    let mut previous = world.ground();
    for k in 0..=SEGMENTS {
        let at = k as f64 * l * Vec3::X;
        let def = if k < SEGMENTS {
            Body::dynamic(rod(MASS, l, 0.02)?).at(at + 0.5 * l * Vec3::X).rotated(pointing(Vec3::X))
        } else {
            Body::dynamic(ball(load, 0.1)?).at(at)
        };
        let b = world.add(def.damped(3.0, 3.0))?;
        let joint = if k % SEGMENTS == 0 { cable.clamped_end() } else { cable };
        world.add(Joint::of(joint, b, previous).at(at).axis(Vec3::X))?;
        previous = b;
    }
    Ok((world, previous))
}

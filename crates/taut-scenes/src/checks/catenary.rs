//! A cable of many short links between two supports, dropped from a V and left to settle: the catenary.

use super::{Check, Effort, Failure, Measured, theory};
use crate::scenes::parts::{G, pointing, rod};
use taut::{Ball, Body, JointId, Result, Vec3, World};

/// Span and length of the cable, m; mass per length, kg/m.
const SPAN: f64 = 10.0;
const LENGTH: f64 = 12.0;
const DENSITY: f64 = 0.5;
/// Decay rate of the links' motion, 1/s: it settles, and damping does no work at rest.
const DAMPING: f64 = 1.5;

pub(super) fn check() -> Check {
    Check {
        id: "catenary",
        summary: "sag, end force and horizontal pull of a hanging cable of short links",
        source: "catenary: length = 2 a sinh(span/2a), sag = a (cosh(span/2a) - 1), H = w a, V = w length/2",
        run,
    }
}

fn run(effort: &Effort<'_>) -> std::result::Result<Vec<Measured>, Failure> {
    let links = effort.pick(100, 60);
    let (mut world, end) = cable(links)?;
    effort.steps(&mut world, 1.0 / 60.0, effort.pick(60.0, 30.0), |_| Ok(()))?;
    let (mut sag, mut speed) = (0.0_f64, 0.0_f64);
    for b in world.bodies() {
        let tip = b.pose().to_world(Vec3::new(0.0, -0.5 * LENGTH / links as f64, 0.0));
        if b.mass() > 0.0 {
            sag = sag.max(-tip.y);
            speed = speed.max(b.velocity().length());
        }
    }
    let a = theory::catenary(SPAN, LENGTH);
    let weight = DENSITY * G;
    let force = world.joint(end)?.force();
    let expected = (weight * a).hypot(0.5 * weight * LENGTH);
    Ok(vec![
        Measured::near(format!("sag of {links} links"), sag, a * ((0.5 * SPAN / a).cosh() - 1.0), 0.005, "m"),
        Measured::near("force at the support", force.length(), expected, 0.005, "N"),
        Measured::near("horizontal pull", force.x.abs(), weight * a, 0.005, "N"),
        Measured::at_most("largest speed left", speed, 1e-4, "m/s"),
    ])
}

/// The cable as a V, and its joint at the first support.
fn cable(links: usize) -> Result<(World, JointId)> {
    let l = LENGTH / links as f64;
    let depth = (LENGTH * LENGTH - SPAN * SPAN).sqrt();
    let sides = [Vec3::new(SPAN, -depth, 0.0) / LENGTH, Vec3::new(SPAN, depth, 0.0) / LENGTH];
    let mut world = World::new();
    let ground = world.ground();
    let (mut previous, mut at, mut first) = (ground, Vec3::ZERO, None);
    for k in 0..links {
        let along = sides[usize::from(2 * k >= links)];
        let mass = rod(DENSITY * l, l, 0.1 * l)?;
        let def = Body::dynamic(mass).at(at + 0.5 * l * along).rotated(pointing(along)).damped(DAMPING, DAMPING);
        let b = world.add(def)?;
        let joint = world.add(Ball::between(b, previous).at(at).axis(along))?;
        first.get_or_insert(joint);
        (previous, at) = (b, at + l * along);
    }
    let last = world.add(Ball::between(previous, ground).at(at).axis(Vec3::X))?;
    Ok((world, first.unwrap_or(last)))
}

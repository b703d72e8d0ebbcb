//! A rigid pendulum at small and large swings: its period and, at the end, its amplitude.

use super::rig::Crossings;
use super::{Check, Effort, Failure, Measured, theory};
use crate::scenes::parts::{G, pointing, rod};
use taut::{Body, BodyId, Hinge, MassProperties, Result, Vec3, World};

/// Length m, mass kg and radius m of the rod.
const ROD: (f64, f64, f64) = (1.0, 1.0, 0.05);
const STEP: f64 = 0.005;

pub(super) fn check() -> Check {
    Check {
        id: "pendulum",
        summary: "period and amplitude of a rod on a hinge, swings of 6, 69 and 160 degrees, 0.005 s",
        source: "complete elliptic integral, T = 2 pi sqrt(l/g)/agm(1, cos(a/2))",
        run,
    }
}

fn run(effort: &Effort<'_>) -> std::result::Result<Vec<Measured>, Failure> {
    let mut out = Vec::new();
    for amplitude in [0.1, 1.2, 2.8] {
        let (mut world, b, mass) = pendulum(amplitude)?;
        let reduced = (mass.inertia.z_axis.z + 0.25 * ROD.1 * ROD.0 * ROD.0) / (0.5 * ROD.1 * ROD.0);
        let expected = theory::pendulum_period(reduced, G, amplitude);
        let time = effort.pick(60.0, 20.0);
        let (mut crossings, mut top) = (Crossings::default(), 0.0_f64);
        effort.steps(&mut world, STEP, time, |w| {
            let p = w.body(b)?.position();
            let angle = p.x.atan2(-p.y);
            crossings.see(w.time(), angle);
            // The last swing.
            if w.time() > time - expected {
                top = top.max(angle.abs());
            }
            Ok(())
        })?;
        out.push(Measured::near(format!("period at {amplitude} rad"), crossings.period(), expected, 0.001, "s"));
        out.push(Measured::near(format!("swing after {time} s"), top, amplitude, 0.001, "rad"));
    }
    Ok(out)
}

fn pendulum(amplitude: f64) -> Result<(World, BodyId, MassProperties)> {
    let mass = rod(ROD.1, ROD.0, ROD.2)?;
    let along = Vec3::new(amplitude.sin(), -amplitude.cos(), 0.0);
    let mut world = World::new();
    let b = world.add(Body::dynamic(mass).at(0.5 * ROD.0 * along).rotated(pointing(along)))?;
    let ground = world.ground();
    world.add(Hinge::between(b, ground).at(Vec3::ZERO).axis(Vec3::Z))?;
    Ok((world, b, mass))
}

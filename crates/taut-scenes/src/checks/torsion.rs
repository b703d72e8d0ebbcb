//! Torsion of the cable joint: a clamped cable twisted at its end.

use super::cantilever::{LENGTH, SEGMENTS, clamped, turn};
use super::{Check, Effort, Failure, Measured};
use taut::{Force, Options, Vec3};

/// Twist that the torque is chosen for, rad.
const TWIST: f64 = 0.2;

pub(super) fn check() -> Check {
    Check {
        id: "torsion",
        summary: "a clamped cable twists like a shaft",
        source: "Saint-Venant: twist = T L/(G J); joint compliance l/(G J), half of it at both ends",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let l = LENGTH / SEGMENTS as f64;
    let mut out = Vec::new();
    for stiffness in [1.0, 1e4] {
        let (mut world, end) = clamped(1e3 / l, stiffness / l, 1.0)?;
        world.set_options(Options { gravity: Vec3::ZERO, ..*world.options() })?;
        let torque = TWIST * stiffness / LENGTH * Vec3::X;
        world.add(Force::Torque { body: end, torque })?;
        effort.steps(&mut world, 1.0 / 60.0, 20.0, |_| Ok(()))?;
        let what = format!("twist of the end, G J = {stiffness} N m^2");
        out.push(Measured::near(what, turn(&world, end)?, TWIST, 0.01, "rad"));
    }
    Ok(out)
}

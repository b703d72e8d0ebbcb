//! Wheels that roll from plank to plank: contacts begin and end once, and the solve of a step stays small.

use super::{Check, Effort, Failure, Measured};
use crate::scene::find;
use taut::Event;

const STEP: f64 = 1.0 / 60.0;

pub(super) fn check() -> Check {
    Check {
        id: "bridge-truck",
        summary: "a truck on a bridge of planks: every wheel comes onto every plank once, joints stay exact, contacts take few Newton steps",
        source: "counted: four wheels, twenty planks and two ramps",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let (mut s, p) = find("bridge-truck")?.with(&[])?;
    let (mut begun, mut ended, mut steps, mut newton) = (0, 0, 0, 0);
    let (mut contacts, mut joints, mut deepest) = (0.0_f64, 0.0_f64, 0.0_f64);
    while steps < 720 {
        effort.go_on()?;
        let r = s.step(STEP)?;
        begun += r.events.iter().filter(|e| matches!(e, Event::ContactBegan { .. })).count();
        ended += r.events.iter().filter(|e| matches!(e, Event::ContactEnded { .. })).count();
        contacts = contacts.max(r.bounded.residual);
        joints = joints.max(r.bounded.joint_residual);
        deepest = deepest.max(r.bounded.penetration);
        newton += r.bounded.iterations;
        steps += 1;
    }
    let once = 4 * (p.count("planks") + 1);
    Ok(vec![
        Measured::near("contacts begun", begun as f64, once as f64 + 2.0, 2.0, ""),
        Measured::near("contacts ended", ended as f64, once as f64 - 2.0, 2.0, ""),
        Measured::at_most("Newton steps of a step, in the mean", newton as f64 / steps as f64, 150.0, ""),
        Measured::at_most("residual of contacts", contacts, 1e-6, "m/s"),
        Measured::at_most("residual of joints", joints, 1e-11, "m/s"),
        Measured::at_most("deepest penetration", 1e3 * deepest, 0.1, "mm"),
    ])
}

//! Deformables against closed forms and golden values: bending, vibration, cloth under load, fibres, volume, heavy loads, bow, trampoline, muscle,
//! finger, creatures, knee, corkscrew, catheter, flag.

mod beams;
mod devices;
mod loads;
mod paper;

use super::{Check, Effort, Failure, Measured};

pub(super) fn check() -> Check {
    Check {
        id: "soft",
        summary: "deformables: bending, vibration, volume, cloth, heavy loads, bow, trampoline, muscle, finger, creatures, knee, corkscrew, catheter, flag",
        source: "Timoshenko and Euler-Bernoulli beams, W g/(E t b), converged runs with small steps, Tournier 2015 Fig. 6 and 8",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let mut out = beams::bending(effort)?;
    out.extend(beams::vibration(effort)?);
    out.extend(beams::finger(effort)?);
    out.extend(loads::cube(effort)?);
    out.extend(loads::cloth(effort)?);
    out.extend(loads::heavy(effort)?);
    out.extend(loads::jointed(effort)?);
    out.extend(loads::muscle(effort)?);
    out.extend(paper::quads(effort)?);
    out.extend(paper::bow(effort)?);
    out.extend(paper::trampoline(effort)?);
    out.extend(paper::creatures(effort)?);
    out.extend(devices::knee(effort)?);
    out.extend(devices::corkscrew(effort)?);
    out.extend(devices::catheter(effort)?);
    out.extend(devices::flag(effort)?);
    Ok(out)
}

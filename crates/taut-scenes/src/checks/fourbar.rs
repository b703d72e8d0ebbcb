//! The four-bar linkage of the scene library against its closed-form kinematics.

use super::rig::Worst;
use super::{Check, Effort, Failure, Measured, theory};
use crate::scene::find;
use crate::scenes::fourbar::{COUPLER, CRANK, GROUND, ROCKER};
use taut::{BodyId, Result, Vec3, World};

pub(super) fn check() -> Check {
    Check {
        id: "fourbar",
        summary: "crank and rocker of the four-bar scene move together as the closed form says, in the plane",
        source: "Freudenstein's equation, k1 cos(rocker) - k2 cos(crank) + k3 = cos(crank - rocker)",
        run,
    }
}

fn run(effort: &Effort<'_>) -> std::result::Result<Vec<Measured>, Failure> {
    let (mut residual, mut plane) = (Worst::new(), Worst::new());
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    let cases: &[(&str, f64)] = effort.pick(&[("1", 0.01), ("10", 0.01), ("1", 1.0 / 60.0)], &[("1", 0.01)]);
    for &(ratio, dt) in cases {
        let (mut scene, _) = find("fourbar")?.with(&[("ratio", ratio)])?;
        let (crank, rocker) = (scene.world.find_body("crank")?, scene.world.find_body("rocker")?);
        effort.steps(&mut scene.world, dt, 10.0, |w| {
            // Bars point along their own -y: the crank away from the ground, the rocker towards it.
            let (a, b) = (-direction(w, crank)?, direction(w, rocker)?);
            let (angle, other) = (a.y.atan2(a.x), b.y.atan2(b.x));
            (least, most) = (least.min(angle), most.max(angle));
            let r = theory::freudenstein([GROUND, CRANK, COUPLER, ROCKER], angle, other);
            residual.see(r.abs(), || format!("ratio {ratio}, {dt:.3} s"));
            plane.see(w.body(rocker)?.position().z.abs().max(a.z.abs()), || format!("ratio {ratio}, {dt:.3} s"));
            Ok(())
        })?;
    }
    Ok(vec![
        residual.at_most("residual of the equation", 1e-5, ""),
        plane.at_most("distance from the plane", 1e-6, "m"),
        Measured::at_least("range of the crank", most - least, 1.0, "rad"),
    ])
}

fn direction(world: &World, body: BodyId) -> Result<Vec3> {
    Ok(world.body(body)?.rotation() * Vec3::Y)
}

//! A 3-link arm follows sines by computed torque, PD on top of inverse dynamics:
//! `cargo run --release -p taut --example computed_torque`.

use taut::{Body, Hinge, MassProperties, Result, Vec3, World};

/// Length of a link, m; time step, s; rate at which errors decay, 1/s.
const LINK: f64 = 0.5;
const STEP: f64 = 0.001;
const DECAY: f64 = 20.0;

/// Wanted angle (rad), rate and acceleration of joint k at a time.
fn wanted(k: usize, time: f64) -> (f64, f64, f64) {
    let (size, w) = (0.5, 2.0 + k as f64);
    let (sin, cos) = (w * time).sin_cos();
    (size * sin, size * w * cos, -size * w * w * sin)
}

fn main() -> Result<()> {
    let mut world = World::new();
    let link = MassProperties::cuboid(2000.0, Vec3::new(0.5 * LINK, 0.02, 0.02))?;
    let (mut joints, mut last) = (Vec::new(), world.ground());
    for (k, name) in ["waist", "shoulder", "elbow"].into_iter().enumerate() {
        let start = k as f64 * LINK * Vec3::X;
        let body = world.add(Body::dynamic(link).at(start + 0.5 * LINK * Vec3::X))?;
        joints.push(
            world.add(Hinge::between(body, last).at(start).axis(if k == 0 { Vec3::Y } else { Vec3::Z }).named(name))?,
        );
        last = body;
    }
    let mut worst = [0.0_f64; 3];
    for n in 0..=4000 {
        let (time, dynamics) = (world.time(), world.dynamics()?);
        let mut acceleration = [0.0; 3];
        for k in 0..3 {
            let (angle, rate, ahead) = wanted(k, time);
            let error = angle - dynamics.position(k).unwrap_or(0.0);
            acceleration[k] = ahead + 2.0 * DECAY * (rate - dynamics.velocities()[k]) + DECAY * DECAY * error;
            // It starts at rest, the sines do not.
            worst[k] = if time < 1.0 { 0.0 } else { worst[k].max(error.abs()) };
        }
        let torque = dynamics.inverse(&acceleration)?;
        for (joint, torque) in joints.iter().zip(&torque) {
            world.apply_effort(*joint, &[*torque])?;
        }
        if n % 1000 == 0 {
            let mrad = worst.map(|e| 1e3 * e);
            println!("t {time:.0} s  torques {torque:7.2?} N m  worst error since 1 s {mrad:.2?} mrad");
        }
        world.step(STEP)?;
    }
    Ok(())
}

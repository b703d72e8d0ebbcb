//! A robot that holds a lorry by a cable (Andrews 2017 Fig. 5).
//!
//! From the paper: 5 ball, 11 universal and 10 hinge joints with compliance; each foot hinged to the ground; each fingertip tied to
//! the end of the cable by a ball joint; finger bodies of 0.1 kg, a vehicle of 15,000 kg on a motorised prismatic joint that moves it
//! away; implicit PD servos that hold the first pose. Chosen here:
//! - 27 round bars of 94 kg in all: pelvis 15, chest 30, head 6, and on either side thigh 9, shin 4.5, foot 1.5, upper arm 3,
//!   forearm 2, hand 0.8 kg, three fingers of two bodies. Balls: neck, shoulders, hips; universals: spine, ankles, wrists, roots
//!   of the fingers; hinges: knees, elbows, fingers. The feet's hinges and the fingertips' ball joints come on top.
//! - Servos of 1e5 N m/rad in spine and legs (feet on the ground included), 3e4 in the arms, 1e4 in wrists and neck, 3e3 in the
//!   fingers; damping a twentieth of that in N m s/rad. Compliance of all robot joints 1e-8 m/N and rad/(N m).
//! - Cable of 20 segments of 0.3 m and 0.2 kg, axial stiffness 1e10, bending and torsion 10, with 5 % slack, hanging in a bow.
//! - The vehicle's motor wants `speed` and pushes with `stall` when it is held: it takes up the slack, snaps the cable and pulls.
//!   With `drive=rate` it goes on at that speed whatever the force: 0.01 m/s are 0.6 m in the scene's 60 s.

use super::parts::{G, bow, cable};
use super::robot_body::{self, Robot};
use crate::parameters::{Parameter, Parameters};
use crate::random::Random;
use crate::scene::{Scene, SceneInfo};
use std::sync::Arc;
use taut::{
    Ball, Body, BodyId, Cable, Command, Freedom, JointKind, MassProperties, Motor, Prismatic, Result, Softness, Vec3,
    World, joints::FlexibleCable,
};

/// The vehicle: length, height, width, m.
const VEHICLE: Vec3 = Vec3::new(6.0, 2.5, 2.5);

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "strong-robot",
        summary: "a robot of 94 kg with servos in every joint holds a vehicle of 15 t that drives away on a cable",
        source: "Andrews 2017 Fig. 5",
        parameters: vec![
            Parameter::number("vehicle", "kg", 1.5e4, (1.0, 1e9), "mass of the vehicle"),
            Parameter::choice(
                "drive",
                &["engine", "rate"],
                "an engine with a stall force, or a set speed at any force",
            ),
            Parameter::number("speed", "m/s", 0.5, (0.0, 100.0), "speed the vehicle's motor wants"),
            Parameter::number("stall", "N", 5e3, (1.0, 1e9), "force of the motor on a vehicle that is held"),
            Parameter::number("strength", "", 1.0, (1e-3, 1e3), "factor on stiffness and damping of the servos"),
            Parameter::number("compliance", "", 1e-8, (0.0, 1e-3), "of the robot's joints, m/N and rad/(N m)"),
            Parameter::choice("joint", &["cable", "flexible-cable"], "joint between segments of the cable"),
            Parameter::count("segments", 20, (2, 10_000), "segments of the cable"),
            Parameter::number("segment_mass", "kg", 0.2, (1e-6, 1e6), "mass of a segment"),
            Parameter::number("segment_length", "m", 0.3, (1e-2, 1e3), "length of a segment"),
            Parameter::number(
                "slack",
                "",
                0.05,
                (0.0, 0.5),
                "slack of the cable at the start, as a part of its length",
            ),
            Parameter::number(
                "kick",
                "rad/s",
                1e-3,
                (0.0, 10.0),
                "random angular velocity of the segments at the start",
            ),
        ],
        dt: 0.01,
        time: 60.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let mut world = World::new();
    let Robot { tips, grip } = robot_body::add(&mut world, p.number("strength"), p.number("compliance"))?;
    let (n, l) = (p.count("segments"), p.number("segment_length"));
    let length = n as f64 * l;
    let points = bow(grip, Vec3::X, -Vec3::Y, n, l, p.number("slack") * length);
    let (axial, soft) = (Softness::spring(1e10, 0.0), Softness::spring(10.0, 0.0));
    let joint: Arc<dyn JointKind> = match p.choice("joint") {
        "flexible-cable" => Arc::new(FlexibleCable { axial, shear: axial, bending: soft, torsion: soft }),
        _ => Arc::new(Cable { axial, bending: soft, torsion: soft }),
    };
    let mut random = Random::new(9);
    let size = (p.number("segment_mass"), 0.02);
    let links = cable(&mut world, &points, size, joint, (p.number("kick"), &mut random))?;
    for (tip, at) in tips {
        world.add(Ball::between(tip, links[0]).at(at))?;
    }
    let vehicle = vehicle(&mut world, p, points[n])?;
    world.add(Ball::between(vehicle, links[n - 1]).at(points[n]))?;
    let drive = p.number("stall") + G * 94.0 + 0.5 * p.number("vehicle") * p.number("speed").powi(2);
    Ok(Scene { world, length, energy_scale: drive, follow: vehicle, window: 5.0, edges: Vec::new(), drive: None })
}

/// On a motorised slide along x, its hook at `hook`.
fn vehicle(world: &mut World, p: &Parameters, hook: Vec3) -> Result<BodyId> {
    let mass = MassProperties::cuboid(100.0, 0.5 * VEHICLE)?.with_mass(p.number("vehicle"))?;
    let at = hook + 0.5 * VEHICLE.x * Vec3::X;
    let b = world.add(Body::dynamic(mass).at(at).named("vehicle"))?;
    let ground = world.ground();
    // A damper to the wanted speed: stall force at rest, none at that speed. At no wanted speed it is a brake for 1 m/s.
    let speed = p.number("speed");
    let damping = p.number("stall") / if speed > 0.0 { speed } else { 1.0 };
    let engine = Motor::servo(0.0, damping).on(Freedom::Slide);
    let motors = [if p.choice("drive") == "rate" { Motor::rate().on(Freedom::Slide) } else { engine }];
    let joint = world.add(Prismatic::between(b, ground).at(at).axis(Vec3::X).motors(motors))?;
    world.set_motor(joint.motor(0), Command { target: 0.0, rate: speed })?;
    Ok(b)
}

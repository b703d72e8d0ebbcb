//! Rapier in double precision: impulse joints, and its reduced-coordinate multibody joints.
//!
//! Bodies have no colliders, never sleep and are not damped. Joints keep their default softness (1 MHz, critical), the stiffest it
//! documents. A multibody joint damps its rotation by 0.1 N m s/rad unless told otherwise; both are run.

use super::{Engine, Peer};
use crate::Result;
use crate::scene::{Motion, Scene};
use rapier3d_f64::prelude::{
    MassProperties, PhysicsWorld, Pose, RigidBodyBuilder, RigidBodyHandle, SphericalJointBuilder,
};
use std::time::{Duration, Instant};
use taut::Vec3;

#[derive(Clone, Copy)]
struct Settings {
    substeps: usize,
    warm: bool,
    joints: Joints,
}

#[derive(Clone, Copy, PartialEq)]
enum Joints {
    Impulse,
    Multibody,
    Damped,
}

/// Rapier with each of its settings; `quick` leaves out the slowest.
pub fn peers(quick: bool) -> Vec<Peer> {
    use Joints::{Damped, Impulse, Multibody};
    const WORDS: [(&str, &str, usize, bool, Joints); 7] = [
        ("rapier", "impulse joints, defaults (4 substeps, joints not warm-started)", 4, false, Impulse),
        ("rapier-warm", "impulse joints, 4 substeps, warm-started joints", 4, true, Impulse),
        ("rapier-32", "impulse joints, 32 substeps", 32, false, Impulse),
        ("rapier-32-warm", "impulse joints, 32 substeps, warm-started joints", 32, true, Impulse),
        ("rapier-mb", "multibody joints, 4 substeps, joint damping 0", 4, false, Multibody),
        ("rapier-mb-damped", "multibody joints, defaults (4 substeps, joint damping 0.1 N m s/rad)", 4, false, Damped),
        ("rapier-mb-32", "multibody joints, 32 substeps, joint damping 0", 32, false, Multibody),
    ];
    let list = WORDS.iter().filter(|w| !(quick && w.0 == "rapier-mb-32"));
    list.map(|&(name, settings, substeps, warm, joints)| Peer {
        name,
        version: "Rapier 0.36 (rapier3d-f64)".into(),
        settings,
        most_bodies: if joints == Impulse { usize::MAX } else { 160 },
        build: Box::new(move |scene, h| {
            build(scene, h, Settings { substeps, warm, joints }).map(|e| Box::new(e) as Box<dyn Engine>)
        }),
    })
    .collect()
}

struct Rapier {
    world: PhysicsWorld,
    bodies: Vec<RigidBodyHandle>,
}

fn build(scene: &Scene, h: f64, settings: Settings) -> Result<Rapier> {
    let mut world = PhysicsWorld::new();
    world.gravity = scene.gravity.to_array().into();
    world.integration_parameters.dt = h;
    world.integration_parameters.num_solver_iterations = settings.substeps;
    world.integration_parameters.warmstart_joints = settings.warm;
    let ground = world.insert_body(RigidBodyBuilder::fixed());
    let mut bodies = Vec::new();
    for b in &scene.bodies {
        let s = b.start;
        let mass = MassProperties::new([0.0; 3].into(), b.mass, b.inertia.to_array().into());
        let pose =
            Pose::from_parts(s.pos.to_array().into(), rapier3d_f64::math::Rotation::from_array(s.rot.to_array()));
        let body = RigidBodyBuilder::dynamic()
            .pose(pose)
            .linvel(s.vel.to_array().into())
            .angvel(s.ang.to_array().into())
            .additional_mass_properties(mass)
            .can_sleep(false);
        bodies.push(world.insert_body(body));
    }
    let mut rates = Vec::new();
    for j in &scene.joints {
        let joint = SphericalJointBuilder::new()
            .local_anchor1(j.on_a.to_array().into())
            .local_anchor2(j.on_b.to_array().into())
            .contacts_enabled(false);
        let parent = j.a.map_or(ground, |a| bodies[a]);
        if settings.joints == Joints::Impulse || j.closes {
            world.insert_impulse_joint(parent, bodies[j.b], joint);
        } else {
            let handle = world.insert_multibody_joint(parent, bodies[j.b], joint).ok_or("multibody joint refused")?;
            rates.push((handle, rate(scene, j)));
        }
    }
    for (handle, rate) in rates {
        let (multibody, link) = world.multibody_joints.get_mut(handle).ok_or("multibody joint lost")?;
        if settings.joints == Joints::Multibody {
            multibody.damping_mut().fill(0.0);
        }
        // The tree hangs on a fixed root, so its unknowns are three rates per joint, in the order of the links.
        let at = 3 * (link - 1);
        let mut all = multibody.generalized_velocity_mut();
        for k in 0..3 {
            all[at + k] = rate[k];
        }
    }
    Ok(Rapier { world, bodies })
}

/// Relative angular velocity of a joint at the start, in the frame of the parent.
fn rate(scene: &Scene, j: &crate::scene::BallJoint) -> [f64; 3] {
    let b = scene.bodies[j.b].start;
    let relative = match j.a.map(|a| scene.bodies[a].start) {
        Some(a) => a.rot.inverse() * (b.ang - a.ang),
        None => b.ang,
    };
    relative.to_array()
}

fn vector(v: rapier3d_f64::math::Vector) -> Vec3 {
    Vec3::from_array(v.into())
}

impl Engine for Rapier {
    fn step(&mut self) -> Result<Duration> {
        let begin = Instant::now();
        self.world.step();
        let time = begin.elapsed();
        // It disables bodies whose numbers are not finite, and would go on without them.
        if !self.world.quarantine().is_empty() {
            return Err("a body was put in quarantine: not finite".into());
        }
        Ok(time)
    }

    fn read(&mut self, out: &mut [Motion]) {
        for (m, &b) in out.iter_mut().zip(&self.bodies) {
            let b = &self.world.bodies[b];
            *m = Motion {
                pos: vector(b.position().translation),
                rot: taut::Quat::from_array(b.position().rotation.to_array()),
                vel: vector(b.linvel()),
                ang: vector(b.angvel()),
            };
        }
    }

    fn masses(&mut self) -> Vec<(f64, [f64; 3])> {
        let local = |b: &RigidBodyHandle| self.world.bodies[*b].mass_properties().local_mprops;
        self.bodies.iter().map(|b| (local(b).mass(), local(b).principal_inertia().into())).collect()
    }
}

//! Rapier in double precision: impulse joints, and its reduced-coordinate multibody joints.
//!
//! Bodies have colliders only where the scene has shapes, never sleep and are not damped. Joints keep their default softness (1 MHz, critical), the stiffest it
//! documents; starting them warm changed no verdict of a chain and was left out (docs/peers.md). A multibody joint damps its rotation by 0.1 N m s/rad unless told otherwise; both are run.

mod shapes;

use super::{Engine, Peer, clocked};
use crate::Result;
use crate::scene::{BallJoint, Hold, Motion, Scene};
use rapier3d_f64::prelude::{
    MassProperties, PhysicsWorld, Pose, RigidBodyBuilder, RigidBodyHandle, SphericalJointBuilder,
};
use std::time::Duration;
use taut::Vec3;

#[derive(Clone, Copy, PartialEq)]
enum Joints {
    Impulse,
    Multibody,
    Damped,
}

/// Rapier with each of its settings; `quick` leaves out the slowest.
pub fn peers(quick: bool) -> Vec<Peer> {
    use Joints::{Damped, Impulse, Multibody};
    const WORDS: [(&str, &str, usize, Joints); 5] = [
        ("rapier", "impulse joints, defaults (4 substeps)", 4, Impulse),
        ("rapier-32", "impulse joints, 32 substeps", 32, Impulse),
        ("rapier-mb", "multibody joints, 4 substeps, joint damping 0", 4, Multibody),
        ("rapier-mb-damped", "multibody joints, defaults (4 substeps, joint damping 0.1 N m s/rad)", 4, Damped),
        ("rapier-mb-32", "multibody joints, 32 substeps, joint damping 0", 32, Multibody),
    ];
    let list = WORDS.iter().filter(|w| !(quick && w.0 == "rapier-mb-32"));
    list.map(|&(name, settings, substeps, joints)| Peer {
        name,
        version: "Rapier 0.36 (rapier3d-f64)".into(),
        settings,
        damped: joints == Damped,
        most_bodies: if joints == Impulse { usize::MAX } else { 160 },
        contacts: joints == Impulse,
        build: Box::new(move |scene, h| build(scene, h, substeps, joints).map(|e| Box::new(e) as Box<dyn Engine>)),
    })
    .collect()
}

struct Rapier {
    world: PhysicsWorld,
    bodies: Vec<RigidBodyHandle>,
}

fn build(scene: &Scene, h: f64, substeps: usize, joints: Joints) -> Result<Rapier> {
    let mut world = PhysicsWorld::new();
    world.gravity = scene.gravity.to_array().into();
    world.integration_parameters.dt = h;
    world.integration_parameters.num_solver_iterations = substeps;
    let ground = world.insert_body(RigidBodyBuilder::fixed());
    let mut bodies = Vec::new();
    for b in &scene.bodies {
        let s = b.start;
        let mass = MassProperties::new([0.0; 3].into(), b.mass, b.inertia.to_array().into());
        let body = RigidBodyBuilder::dynamic()
            .pose(pose(s.pos, s.rot))
            .linvel(s.vel.to_array().into())
            .angvel(s.ang.to_array().into())
            .additional_mass_properties(mass)
            .can_sleep(false);
        let body = world.insert_body(body);
        // Else the mass is that of the first step.
        world.bodies[body].recompute_mass_properties_from_colliders(&world.colliders);
        bodies.push(body);
    }
    if let Some(touch) = &scene.touch {
        shapes::add(&mut world, ground, &bodies, scene, touch);
    }
    let mut reduced = Vec::new();
    for j in &scene.joints {
        let parent = j.a.map_or(ground, |a| bodies[a]);
        if j.hold != Hold::Free {
            world.insert_impulse_joint(parent, bodies[j.b], shapes::limited(j));
        } else if joints == Joints::Impulse || j.closes {
            world.insert_impulse_joint(parent, bodies[j.b], joint(scene, j));
        } else {
            let handle = world.insert_multibody_joint(parent, bodies[j.b], joint(scene, j));
            reduced.push((handle.ok_or("multibody joint refused")?, j));
        }
    }
    for (handle, j) in reduced {
        let (multibody, link) = world.multibody_joints.get_mut(handle).ok_or("multibody joint lost")?;
        if joints == Joints::Multibody {
            multibody.damping_mut().fill(0.0);
        }
        // Three rates per joint, in the order of the links, after those of the root.
        let at = multibody.ndofs() - 3 * (multibody.num_links() - link);
        let rate = rate(scene, j).to_array();
        multibody.generalized_velocity_mut().as_mut_slice()[at..at + 3].copy_from_slice(&rate);
    }
    Ok(Rapier { world, bodies })
}

/// A ball joint. A multibody starts where the two frames of its joints agree, so they must agree at the start.
fn joint(scene: &Scene, j: &BallJoint) -> SphericalJointBuilder {
    let rot = |k: usize| scene.bodies[k].start.rot;
    let turn = j.a.map_or(rot(j.b), |a| rot(a).inverse() * rot(j.b));
    SphericalJointBuilder::new()
        .local_frame1(pose(j.on_a, turn))
        .local_frame2(pose(j.on_b, taut::Quat::IDENTITY))
        .contacts_enabled(false)
}

/// Relative angular velocity of a joint at the start, in its frame, which is that of the child.
fn rate(scene: &Scene, j: &BallJoint) -> Vec3 {
    let b = scene.bodies[j.b].start;
    b.rot.inverse() * (b.ang - j.a.map_or(Vec3::ZERO, |a| scene.bodies[a].start.ang))
}

fn pose(pos: Vec3, rot: taut::Quat) -> Pose {
    Pose::from_parts(pos.to_array().into(), rapier3d_f64::math::Rotation::from_array(rot.to_array()))
}

fn vector(v: rapier3d_f64::math::Vector) -> Vec3 {
    Vec3::from_array(v.into())
}

impl Engine for Rapier {
    fn step(&mut self) -> Result<Duration> {
        let ((), time) = clocked(|| self.world.step());
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

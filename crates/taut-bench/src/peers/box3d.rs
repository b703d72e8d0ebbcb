//! Box3D, in its usual single precision, through its C interface.
//!
//! Bodies have shapes only where the scene has, never sleep, are not damped and may turn as fast as they like. One thread.
//! Joints are springs of 60 Hz and damping ratio 2 by default; Box3D lowers the frequency to a quarter of the substep rate where
//! that is less, so a very high frequency asks for the stiffest it allows.

// The only file that calls foreign code, with `shapes`. Ids are valid while their world lives; the world dies with `Box3d`.
#![allow(unsafe_code)]

mod shapes;

use super::{Engine, Peer, clocked};
use crate::Result;
use crate::scene::{Body, Motion, Scene};
use box3d_sys::{
    b3Body_GetAngularVelocity, b3Body_GetLinearVelocity, b3Body_GetMassData, b3Body_GetPosition, b3Body_GetRotation,
    b3Body_SetMassData, b3BodyId, b3BodyType_b3_dynamicBody, b3CreateBody, b3CreateWorld, b3DefaultBodyDef,
    b3DefaultWorldDef, b3DestroyWorld, b3GetVersion, b3MassData, b3Matrix3, b3Pos, b3Quat, b3Vec3, b3World_Step,
    b3WorldId,
};
use std::sync::Mutex;
use std::time::Duration;
use taut::{Quat, Vec3};

/// Worlds live in one global table.
static WORLDS: Mutex<()> = Mutex::new(());

/// Asks for the stiffest joint.
const STIFFEST: f32 = 1e6;

/// Box3D with each of its settings.
pub fn peers() -> Vec<Peer> {
    const WORDS: [(&str, &str, i32, Option<f32>); 3] = [
        ("box3d", "defaults (4 substeps, joints 60 Hz)", 4, None),
        ("box3d-stiff", "4 substeps, joints at a quarter of the substep rate", 4, Some(STIFFEST)),
        ("box3d-32", "32 substeps, joints at a quarter of the substep rate", 32, Some(STIFFEST)),
    ];
    // SAFETY: no arguments, no state.
    let v = unsafe { b3GetVersion() };
    WORDS
        .map(|(name, settings, substeps, hertz)| Peer {
            name,
            version: format!("Box3D {}.{}.{} (box3d-sys, f32)", v.major, v.minor, v.revision),
            settings,
            damped: false,
            most_bodies: usize::MAX,
            contacts: true,
            build: Box::new(move |scene, h| build(scene, h, substeps, hertz).map(|e| Box::new(e) as Box<dyn Engine>)),
        })
        .into()
}

struct Box3d {
    world: b3WorldId,
    bodies: Vec<b3BodyId>,
    h: f32,
    substeps: i32,
}

fn vec3(v: Vec3) -> b3Vec3 {
    b3Vec3 { x: v.x as f32, y: v.y as f32, z: v.z as f32 }
}

fn quat(q: Quat) -> b3Quat {
    b3Quat { v: b3Vec3 { x: q.x as f32, y: q.y as f32, z: q.z as f32 }, s: q.w as f32 }
}

fn from(v: b3Vec3) -> Vec3 {
    Vec3::new(v.x.into(), v.y.into(), v.z.into())
}

fn build(scene: &Scene, h: f64, substeps: i32, hertz: Option<f32>) -> Result<Box3d> {
    let _guard = WORLDS.lock().map_err(|_| "the table of worlds is broken")?;
    // SAFETY: definitions come from the library's own defaults, and every id is used within the life of its world.
    unsafe {
        let mut def = b3DefaultWorldDef();
        def.gravity = vec3(scene.gravity);
        def.enableSleep = false;
        def.enableContinuous = false;
        def.workerCount = 1;
        let world = b3CreateWorld(&def);
        if world.index1 == 0 {
            return Err("no room for another world".into());
        }
        let mut this = Box3d { world, bodies: Vec::new(), h: h as f32, substeps };
        let ground = b3CreateBody(world, &b3DefaultBodyDef());
        let friction = scene.touch.as_ref().map(|t| t.friction);
        for b in &scene.bodies {
            let id = add_body(world, b);
            this.bodies.push(id);
            if let (Some(solid), Some(friction)) = (b.solid, friction) {
                shapes::add(id, solid, friction);
            }
            set_mass(id, b);
        }
        for j in &scene.joints {
            let parent = j.a.map_or(ground, |a| this.bodies[a]);
            shapes::join(world, [parent, this.bodies[j.b]], j, hertz);
        }
        if let Some(touch) = &scene.touch {
            shapes::floor(ground, touch.friction);
            shapes::clear(world, &this.bodies, &touch.clear);
        }
        Ok(this)
    }
}

/// # Safety
/// `world` must be alive.
unsafe fn add_body(world: b3WorldId, b: &Body) -> b3BodyId {
    let s = b.start;
    // SAFETY: the definition comes from the library's defaults; the caller keeps the world alive.
    unsafe {
        let mut def = b3DefaultBodyDef();
        def.type_ = b3BodyType_b3_dynamicBody;
        def.position = b3Pos { x: s.pos.x as f32, y: s.pos.y as f32, z: s.pos.z as f32 };
        def.rotation = quat(s.rot);
        def.linearVelocity = vec3(s.vel);
        def.angularVelocity = vec3(s.ang);
        def.enableSleep = false;
        def.allowFastRotation = true;
        b3CreateBody(world, &def)
    }
}

/// Gives a body the mass of the scene, whatever its shapes would give it.
///
/// # Safety
/// The world of the body must be alive.
unsafe fn set_mass(id: b3BodyId, b: &Body) {
    let i = b.inertia;
    let inertia = b3Matrix3 { cx: vec3(i.x * Vec3::X), cy: vec3(i.y * Vec3::Y), cz: vec3(i.z * Vec3::Z) };
    // SAFETY: the caller keeps the world alive.
    unsafe { b3Body_SetMassData(id, b3MassData { mass: b.mass as f32, center: vec3(Vec3::ZERO), inertia }) };
}

impl Engine for Box3d {
    fn step(&mut self) -> Result<Duration> {
        // SAFETY: the world is alive.
        let ((), time) = clocked(|| unsafe { b3World_Step(self.world, self.h, self.substeps) });
        Ok(time)
    }

    fn read(&mut self, out: &mut [Motion]) {
        for (m, &b) in out.iter_mut().zip(&self.bodies) {
            // SAFETY: the bodies live as long as the world.
            let (p, q, v, w) = unsafe {
                (
                    b3Body_GetPosition(b),
                    b3Body_GetRotation(b),
                    b3Body_GetLinearVelocity(b),
                    b3Body_GetAngularVelocity(b),
                )
            };
            let rot = Quat::from_xyzw(q.v.x.into(), q.v.y.into(), q.v.z.into(), q.s.into()).normalize();
            *m = Motion { pos: Vec3::new(p.x.into(), p.y.into(), p.z.into()), rot, vel: from(v), ang: from(w) };
        }
    }

    fn masses(&mut self) -> Vec<(f64, [f64; 3])> {
        let one = |&b| {
            // SAFETY: the bodies live as long as the world.
            let m = unsafe { b3Body_GetMassData(b) };
            (m.mass.into(), [m.inertia.cx.x.into(), m.inertia.cy.y.into(), m.inertia.cz.z.into()])
        };
        self.bodies.iter().map(one).collect()
    }
}

impl Drop for Box3d {
    fn drop(&mut self) {
        let _guard = WORLDS.lock();
        // SAFETY: the world is alive, and nobody uses it after this.
        unsafe { b3DestroyWorld(self.world) };
    }
}

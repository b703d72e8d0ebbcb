//! From a world to a scene file: the way back of `build`.
//!
//! What is saved is the world as it is now: present poses, velocities and commands of motors. Built again it takes the same steps to the
//! last bit as a world that has taken none yet. Forces that joints and contacts carried in the last step, sleep and time are no part of
//! a scene file; [`taut::State::to_bytes`] has them.

mod bodies;
mod colliders;
mod couplings;
mod deformables;
mod forces;
mod heavy_ropes;
mod joints;
mod kinds;
mod names;
mod order;
mod rope_state;
mod ropes;
mod settings;

use super::error::{FileError, Path};
use super::{Follow, Outputs, SceneFile, VERSION};
use crate::scene::Scene;
use names::Names;
use taut::{Vec3, World};

/// A world as a scene file, and what the file does not say of it.
#[derive(Clone, Debug)]
pub struct Saved {
    /// The file; [`super::write()`] makes text of it.
    pub file: SceneFile,
    /// What is lost or said otherwise, one sentence each; empty when the file says it all.
    pub warnings: Vec<String>,
}

/// The scene file of a world: [`super::build()`] makes a world of it that takes the same steps to the last bit, as long as this one has
/// taken none. Bodies and joints keep their order; bodies without a name of their own get one.
///
/// ```
/// use taut::{Ball, Body, MassProperties, Vec3, World};
/// use taut_scenes::file;
/// let mut world = World::new();
/// let bob = world.add(Body::dynamic(MassProperties::sphere(1000.0, 0.1).unwrap()).at(Vec3::X)).unwrap();
/// world.add(Ball::between(bob, world.ground()).at(Vec3::ZERO).named("pivot")).unwrap();
/// let saved = file::from_world(&world).unwrap();
/// assert!(saved.warnings.is_empty());
/// let text = file::write(&saved.file).unwrap();
/// let mut again = file::build(&file::parse(&text).unwrap()).unwrap().world;
/// world.step(0.01).unwrap();
/// again.step(0.01).unwrap();
/// assert_eq!(world.state().hash(), again.state().hash());
/// ```
///
/// # Errors
///
/// Where the world cannot be said at all, by name: one in which nothing moves, one whose ground was moved.
pub fn from_world(world: &World) -> Result<Saved, FileError> {
    let mut warnings = Vec::new();
    check_ground(world)?;
    let names = Names::of(world, &mut warnings);
    let mut colliders = colliders::colliders(world, &names)?;
    let deformables = deformables::deformables(world, &names, &mut colliders, &mut warnings)?;
    let (ground, bodies) = bodies::bodies(world, &names, colliders, &mut warnings)?;
    let (sheaves, mut ropes) = ropes::ropes(world, &names, &mut warnings)?;
    heavy_ropes::heavy_ropes(world, &names, &mut ropes)?;
    let (water, wind) = super::field::found(world);
    let file = SceneFile {
        taut: VERSION,
        settings: settings::settings(world.options())?,
        bodies,
        deformables,
        ground,
        pairs: colliders::pairs(world, &names)?,
        joints: joints::joints(world, &names, &mut warnings)?,
        couplings: couplings::couplings(world, &names, &mut warnings)?,
        sheaves,
        ropes,
        water,
        wind,
        forces: forces::forces(world, &names)?,
        order: order::order(world, &names)?,
        ..SceneFile::default()
    };
    if world.contact_hooks().is_some() {
        warnings.push("the contact hooks of the world are functions and are not saved".into());
    }
    if world.time() > 0.0 {
        let lost = "what joints and contacts carried, what sleeps and the time are not in a scene file, and locks hold from where \
                    bodies are now; State::to_bytes has them";
        warnings.push(format!("the world has run for {} s: {lost}", world.time()));
    }
    Ok(Saved { file, warnings })
}

/// The same of a scene, with what its runs are measured by.
pub fn from_scene(scene: &Scene) -> Result<Saved, FileError> {
    let mut saved = from_world(&scene.world)?;
    let name = Names::of(&scene.world, &mut Vec::new()).body(scene.follow)?.to_owned();
    saved.file.outputs = Outputs {
        follow: Some(Follow::One(name)),
        length: Some(scene.length.into()),
        energy_scale: Some(scene.energy_scale.into()),
        window: Some(scene.window.into()),
        ..Outputs::default()
    };
    if scene.drive.is_some() {
        saved.warnings.push("what drives the scene from outside is not saved: functions, programs and events".into());
    }
    if !scene.edges.is_empty() {
        saved.warnings.push("the pairs of bodies whose strain is measured are not saved".into());
    }
    Ok(saved)
}

/// The ground of a file is at the origin.
fn check_ground(world: &World) -> Result<(), FileError> {
    let Ok(ground) = world.body(world.ground()) else { return Ok(()) };
    if ground.position() != Vec3::ZERO || ground.rotation() != taut::Quat::IDENTITY {
        let message =
            taut::Error::input("pose of the ground", format!("{:?}", ground.pose()), "the origin of the world");
        return Err(FileError::new(Path::of("ground"), message));
    }
    Ok(())
}

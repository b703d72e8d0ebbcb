//! From a scene file to a world ready to run.

mod actions;
mod bounds;
mod colliders;
mod couplings;
mod deformables;
mod events;
mod forces;
pub(super) mod free;
mod heavy_ropes;
pub(super) mod joints;
mod motors;
mod order;
mod programs;
mod rope_ends;
mod rope_state;
mod ropes;
mod script;
mod signals;

use super::error::{At, FileError, Path};
use super::{Body, Follow, Outputs, SceneFile, VERSION};
use crate::drive::Drive;
use crate::scene::Scene;
use crate::suggest::nearest;
use std::collections::BTreeMap;
use taut::{BodyId, ColliderId, DeformableId, ForceId, JointId, Motion, Vec3, World};

/// Builds the world of a scene file. Errors name the place in the file; [`FileError::located`] adds line and column.
pub fn build(file: &SceneFile) -> Result<Scene, FileError> {
    if file.taut != VERSION {
        return Err(FileError::input(Path::of("taut"), file.taut, format!("version {VERSION} of the format")));
    }
    let mut b = Builder::default();
    b.world.set_clock(crate::clock::clock);
    taut_redmax::attach(&mut b.world);
    b.world.set_options(file.settings.options()?).at(&Path::of("settings"))?;
    super::field::fill(file.water.as_ref(), file.wind.as_ref(), &mut b.world)?;
    let ground = b.world.ground();
    b.bodies.insert("ground".into(), (ground, "always there".into()));
    b.world.set_user_data(ground, file.ground.user_data).at(&Path::of("ground"))?;
    b.parts(file)?;
    let script = b.script(file)?;
    let mut scene = b.finish(&file.outputs)?;
    scene.drive = script.map(Drive::script);
    Ok(scene)
}

/// Adds what a scene file describes to a world that there is already: its bodies, deformables, joints, couplings, ropes, forces, colliders of
/// the ground, water and wind. It may name bodies, deformables and colliders of the world; couplings tie joints of the file. On an error
/// nothing has changed.
///
/// # Errors
///
/// What is wrong with the file, and programs, events, `settings` and `outputs`, which belong to a whole scene.
pub fn add(file: &SceneFile, world: &mut World) -> Result<(), FileError> {
    if file.taut != VERSION {
        return Err(FileError::input(Path::of("taut"), file.taut, format!("version {VERSION} of the format")));
    }
    let whole = [
        ("programs", file.programs.is_empty()),
        ("events", file.events.is_empty()),
        ("settings", is_default(&file.settings)),
        ("outputs", is_default(&file.outputs)),
    ];
    if let Some((name, _)) = whole.iter().find(|(_, left_out)| !left_out) {
        return Err(FileError::new(Path::of(name), "expected none: it belongs to a whole scene"));
    }
    let mut b = Builder { world: world.clone(), ..Builder::default() };
    b.seed();
    super::field::fill(file.water.as_ref(), file.wind.as_ref(), &mut b.world)?;
    b.parts(file)?;
    *world = b.world;
    Ok(())
}

/// Whether nothing is said.
fn is_default<T: serde::Serialize + Default>(section: &T) -> bool {
    let json = |section: &T| serde_json::to_value(section).ok();
    json(section) == json(&T::default())
}

/// Where parts are that no file has.
const HERE: &str = "in the world";

/// A world in the making.
#[derive(Default)]
struct Builder {
    world: World,
    /// Handles of the bodies and where in the file they are.
    bodies: BTreeMap<String, (BodyId, String)>,
    /// Handles of the deformables and where in the file they are.
    deformables: BTreeMap<String, (DeformableId, String)>,
    /// The node to follow where there is no body: the one farthest from where the first deformable is held.
    tip: Option<BodyId>,
    /// Centres of mass from the positions in the file, m, along the axes of the bodies.
    centers: Vec<Vec3>,
    joints: BTreeMap<String, Path>,
    /// Handles of the joints, in the order of the list.
    joint_ids: Vec<JointId>,
    named_colliders: BTreeMap<String, (ColliderId, Path)>,
    forces: BTreeMap<String, (ForceId, Path)>,
    extent: Extent,
    total_mass: f64,
    heaviest: Option<(f64, BodyId)>,
}

impl Builder {
    /// Adds all parts.
    fn parts(&mut self, file: &SceneFile) -> Result<(), FileError> {
        let added = self.bodies_in_order(file)?;
        self.in_order(file, added)?;
        self.couplings(file)?;
        self.ropes(file)?;
        let pairs = file.pairs.iter().enumerate();
        pairs.into_iter().try_for_each(|(k, pair)| self.meeting(pair, &Path::of("pairs").index(k)))
    }

    /// Knows what is in the world already by its name; of several with one name the first.
    fn seed(&mut self) {
        let world = &self.world;
        let named = |name: &str| (!name.is_empty()).then(|| name.to_owned());
        for (name, id) in world.bodies().filter_map(|b| Some((named(b.name())?, b.id()))) {
            self.bodies.entry(name).or_insert((id, HERE.into()));
        }
        for (name, id) in world.deformables().filter_map(|d| Some((named(d.name())?, d.id()))) {
            self.deformables.entry(name).or_insert((id, HERE.into()));
        }
        for name in world.joints().filter_map(|j| named(j.name())) {
            self.joints.insert(name, Path::of(HERE));
        }
        for id in world.colliders() {
            if let Some(name) = world.collider(id).ok().and_then(|c| named(c.name)) {
                self.named_colliders.entry(name).or_insert((id, Path::of(HERE)));
            }
        }
        for id in world.forces() {
            if let Some(name) = world.force_name(id).ok().and_then(named) {
                self.forces.entry(name).or_insert((id, Path::of(HERE)));
            }
        }
    }

    fn body(&mut self, body: &Body, path: &Path) -> Result<(), FileError> {
        let name = body.name();
        if name.is_empty() {
            return Err(FileError::input(path.key("name"), "''", "a name that is not empty"));
        }
        if let Some((_, place)) = self.bodies.get(name) {
            let expected = format!("a name that no other body has ({place})");
            return Err(FileError::input(path.key("name"), format!("'{name}'"), expected));
        }
        let (def, reach) = body.def(path)?;
        self.centers.push(def.mass.map_or(Vec3::ZERO, |m| m.center));
        let fields = [
            ("mass", "mass"),
            ("angular velocity", "angular_velocity"),
            ("velocity", "velocity"),
            ("angular damping", "angular_damping"),
            ("linear damping", "linear_damping"),
            ("gravity scale", "gravity_scale"),
            ("position", "position"),
            ("rotation", "rotation"),
            ("top angular speed", "top_angular_speed"),
            ("top speed", "top_speed"),
            ("exposed", "exposure"),
            ("drag coefficient", "exposure"),
            ("added mass", "exposure"),
            ("viscous resistance", "exposure"),
            ("hull", "exposure"),
            ("waterplane", "exposure"),
        ];
        let id = self.world.add(def).among(path, &fields)?;
        self.bodies.insert(name.into(), (id, path.to_string()));
        let view = self.world.body(id).at(path)?;
        if matches!(view.motion(), Motion::Dynamic | Motion::Particle) {
            self.extent.add(view.pose().pos, reach);
            self.total_mass += view.mass();
            if self.heaviest.is_none_or(|(m, _)| view.mass() > m) {
                self.heaviest = Some((view.mass(), id));
            }
        }
        Ok(())
    }

    /// The body of a name.
    fn find(&self, name: &str, path: Path) -> Result<BodyId, FileError> {
        if let Some((id, _)) = self.bodies.get(name) {
            return Ok(*id);
        }
        if let Some(node) = self.node_named(name, &path) {
            return node;
        }
        let expected = match nearest(name, self.bodies.keys().map(String::as_str)) {
            Some(near) => format!("the name of a body (did you mean '{near}'?)"),
            None => "the name of a body of this file, or 'ground'".into(),
        };
        Err(FileError::input(path, format!("'{name}'"), expected))
    }

    /// Two different bodies, at least one of which moves freely.
    fn pair(&self, names: &[String; 2], path: &Path) -> Result<[BodyId; 2], FileError> {
        let path = path.key("bodies");
        let ids = [self.find(&names[0], path.index(0))?, self.find(&names[1], path.index(1))?];
        let given = format!("'{}' and '{}'", names[0], names[1]);
        if ids[0] == ids[1] {
            return Err(FileError::input(path, given, "two different bodies"));
        }
        let free = |id| self.world.body(id).is_ok_and(|b| matches!(b.motion(), Motion::Dynamic | Motion::Particle));
        if !ids.into_iter().any(free) {
            return Err(FileError::input(path, given, "at least one body of type dynamic or particle"));
        }
        Ok(ids)
    }

    /// Two world points, or the centres of two bodies.
    fn ends(&self, ids: [BodyId; 2], points: Option<[Vec3; 2]>, path: &Path) -> Result<[Vec3; 2], FileError> {
        match points {
            Some(p) => Ok(p),
            None => Ok([self.world.body(ids[0]).at(path)?.pose().pos, self.world.body(ids[1]).at(path)?.pose().pos]),
        }
    }

    /// The first body that is to be followed. All names must be those of bodies or joints.
    fn followed(&self, o: &Outputs, path: &Path) -> Result<Option<BodyId>, FileError> {
        let mut first = None;
        for (k, name) in o.follow.iter().flat_map(Follow::names).enumerate() {
            let at = if matches!(o.follow, Some(Follow::One(_))) { path.clone() } else { path.index(k) };
            let body = match (self.bodies.get(name), self.node_named(name, &at)) {
                (Some((id, _)), _) => Some(*id),
                (None, node) => node.transpose()?,
            };
            if body.is_none() && !self.joints.contains_key(name) && !self.deformables.contains_key(name) {
                let known = self.bodies.keys().chain(self.joints.keys()).chain(self.deformables.keys());
                let expected = match nearest(name, known.map(String::as_str)) {
                    Some(near) => format!("the name of a body, joint or deformable (did you mean '{near}'?)"),
                    None => "the name of a body, joint or deformable of this file".into(),
                };
                return Err(FileError::input(at, format!("'{name}'"), expected));
            }
            first = first.or(body);
        }
        Ok(first)
    }

    /// The scene with its measures.
    fn finish(self, o: &Outputs) -> Result<Scene, FileError> {
        let path = Path::of("outputs");
        let given = [
            ("dt", o.dt.map(|x| x.value), "s"),
            ("time", o.time.map(|x| x.value), "s"),
            ("length", o.length.map(|x| x.value), "m"),
            ("energy_scale", o.energy_scale.map(|x| x.value), "J"),
            ("window", o.window.map(|x| x.value), "s"),
        ];
        for (name, value, unit) in given {
            if let Some(x) = value.filter(|x| *x <= 0.0) {
                return Err(FileError::input(path.key(name), x, format!("a number of {unit} greater than zero")));
            }
        }
        let Some(heaviest) = self.heaviest.map(|(_, id)| id).or(self.tip) else {
            return Err(FileError::new(
                Path::of("bodies"),
                "no body moves: expected at least one of type dynamic or particle, or a deformable",
            ));
        };
        let follow = self.followed(o, &path.key("follow"))?.unwrap_or(heaviest);
        let energy = self.world.energy().at(&Path::of("bodies"))?;
        let length = o.length.map_or_else(|| self.extent.largest(), |x| x.value);
        let weight = self.total_mass * self.world.options().gravity.length();
        let scale = (weight * length).max(energy.kinetic + energy.elastic);
        if !scale.is_finite() {
            let message = "energies beyond the range of numbers: expected masses and positions that can be multiplied";
            return Err(FileError::new(Path::of("bodies"), message));
        }
        // A world at rest without gravity or stretched springs has no scale of its own.
        let scale = if scale > 0.0 { scale } else { 1.0 };
        Ok(Scene {
            world: self.world,
            length,
            energy_scale: o.energy_scale.map_or(scale, |x| x.value),
            follow,
            window: o.window.map_or(0.25 * o.time(), |x| x.value),
            edges: Vec::new(),
            drive: None,
        })
    }
}

/// The box around everything.
struct Extent {
    low: Vec3,
    high: Vec3,
}

impl Default for Extent {
    fn default() -> Self {
        Extent { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY }
    }
}

impl Extent {
    fn add(&mut self, point: Vec3, reach: f64) {
        self.low = self.low.min(point - reach);
        self.high = self.high.max(point + reach);
    }

    /// The longest edge, m; 1 for a single point, which has none.
    fn largest(&self) -> f64 {
        let edge = (self.high - self.low).max_element();
        if edge > 0.0 && edge.is_finite() { edge } else { 1.0 }
    }
}
